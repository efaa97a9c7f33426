//! What the window says and offers beside its panels: context menus, tooltips, messages.
#![allow(clippy::disallowed_methods)]

use taproof_testing::driver;

use egui::accesskit::Role;
use egui::{Order, Rect};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable, by};

use taproof_screen::WidgetIdx;
use taproof_studio::app::Studio;
use taproof_studio::command::{Command, FileCommand, FilePurpose};
use taproof_studio::state::Place;
use taproof_testing::driver::{click, shown, wait, window};

#[test]
fn a_widget_of_the_tree_can_be_copied_and_its_picture_saved() {
    let (mut harness, folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    let row = harness.query_all(by().role(Role::TreeItem)).nth(4).unwrap();
    row.click_secondary();
    harness.run_steps(3);
    click(&mut harness, "Copy as XPath");
    let said = harness.state().state.message.clone().unwrap().text;
    assert!(said.starts_with("Copied as XPath: //"), "{said}");

    let row = harness.query_all(by().role(Role::TreeItem)).nth(4).unwrap();
    row.click_secondary();
    harness.run_steps(3);
    click(&mut harness, "Save its picture\u{2026}");
    wait(&mut harness, "the question", 30, |state| state.chooser.is_some());
    let purpose = harness.state().state.chooser.as_ref().unwrap().question.purpose.clone();
    let FilePurpose::SavePicture(picture) = &purpose else { panic!("{purpose:?}") };
    let size = picture.size;
    let path = folder.path().join("widget.png");
    let chosen = FileCommand::Chosen(purpose, path.clone());
    driver::ask(&mut harness, Command::File(chosen));
    wait(&mut harness, "the picture", 30, |_| path.exists());
    let saved = image::open(&path).unwrap();
    assert_eq!((saved.width(), saved.height()), (size.width as u32, size.height as u32));
}

#[test]
fn every_widget_under_the_pointer_can_be_copied() {
    let (mut harness, _folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    let layout = harness.state().state.mirror.layout().unwrap().clone();
    let (idx, _) = layout.iter().rfind(|(idx, widget)| widget.clickable() && layout.is_leaf(*idx)).unwrap();
    let at = driver::place_of(&harness, idx);
    press_secondary(&mut harness, at);
    let menus: Vec<String> = harness
        .query_all(
            by().predicate(|node| node.label().is_some_and(|it| it.starts_with("Copy, save or ignore "))),
        )
        .filter_map(|node| node.accesskit_node().label())
        .collect();
    assert!(menus.len() > 1, "the widget and those around it: {menus:?}");
    assert_ne!(idx, WidgetIdx(0));
    click(&mut harness, &menus[0]);
    click(&mut harness, "Copy as uiautomator2");
    let said = harness.state().state.message.clone().unwrap().text;
    assert!(said.starts_with("Copied as uiautomator2: d("), "{said}");
}

fn press_secondary(harness: &mut Harness<'_, Studio>, pos: egui::Pos2) {
    let button = |pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Secondary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    harness.hover_at(pos);
    harness.step();
    harness.event(button(true));
    harness.step();
    harness.event(button(false));
    harness.run_steps(3);
}

/// Number of bubbles that are shown.
fn bubbles(harness: &Harness<'_, Studio>) -> usize {
    let of_tooltips = |memory: &egui::Memory| {
        memory.areas().visible_layer_ids().iter().filter(|layer| layer.order == Order::Tooltip).count()
    };
    harness.ctx.memory(of_tooltips)
}

#[test]
fn a_button_has_one_bubble() {
    let (mut harness, _folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    let mut seen = 0;
    for place in [Place::Record, Place::Fuzz, Place::Replay] {
        driver::ask(&mut harness, Command::Go(place));
        let buttons: Vec<(String, Rect)> = harness
            .query_all(by().role(Role::Button))
            .map(|node| (node.accesskit_node().label().unwrap_or_default(), node.rect()))
            .collect();
        for (name, rect) in buttons {
            harness.hover_at(rect.center());
            harness.run_steps(6);
            let shown = bubbles(&harness);
            assert!(shown <= 1, "{name:?} has {shown} bubbles");
            seen += shown;
        }
    }
    assert!(seen > 10, "only {seen} bubbles were seen");
}

#[test]
fn messages_are_kept_in_a_list() {
    let (mut harness, _folder) = window(None);
    wait(&mut harness, "the phone", 30, shown);
    harness.state_mut().state.notify("Something was done.");
    wait(&mut harness, "the line to be empty", 30, |state| state.message.is_none());
    assert!(harness.query_by_label("Something was done.").is_none());
    click(&mut harness, "Messages so far");
    assert!(harness.query_by_label("Something was done.").is_some());
}
