//! What the person prefers is the same in every project; what belongs to a project stays in its workspace.

use std::path::Path;
use std::time::Duration;

use egui_kittest::Harness;
use taproof_studio::app::Studio;
use taproof_studio::command::Command;
use taproof_studio::shell::WindowCommand;
use taproof_studio::state::{Place, Theme};

use taproof_testing::driver::{Blind, ask, bundled_phone, shown, wait};

fn open(folder: &Path, project: &str) -> Harness<'static, Studio> {
    let options = bundled_phone(&folder.join(project));
    let preferences = Some(folder.join("config/taproof"));
    let builder = Harness::builder().with_size(egui::vec2(1280.0, 800.0)).renderer(Blind);
    let mut harness = builder.build_eframe(|cc| Studio::with_preferences(&cc.egui_ctx, options, preferences));
    wait(&mut harness, "the phone", 60, shown);
    harness
}

fn values(folder: &Path, file: &str) -> serde_json::Value {
    let text = std::fs::read_to_string(folder.join(file)).unwrap_or_else(|_| "{}".to_owned());
    serde_json::from_str(&text).unwrap()
}

/// Lets the window live until it has written its settings.
fn written(harness: &mut Harness<'_, Studio>, seen: impl Fn() -> bool) {
    for _ in 0..1_000 {
        if seen() {
            return;
        }
        harness.step();
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the settings are not written");
}

#[test]
fn the_form_of_a_campaign_comes_back_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut window = open(folder, "project");
    let mut form = window.state().state.campaigns.form.clone();
    form.choose_app("org.taproof.notes");
    form.choose_auto();
    form.engine_mut("odin").unwrap().on = true;
    form.engine_mut("odin").unwrap().set("walks", "3".to_owned());
    form.events = "1,234".to_owned();
    ask(&mut window, Command::EditForm(Box::new(form.clone())));
    written(&mut window, || values(folder, "project/settings.json")["campaign"]["events"] == "1,234");
    drop(window);
    let again = open(folder, "project");
    assert_eq!(again.state().state.campaigns.form, form);
}

#[test]
fn a_theme_is_the_same_in_every_project_and_the_place_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::create_dir(folder.join("old")).unwrap();
    std::fs::write(folder.join("old/settings.json"), r#"{"place": "fuzz", "future": 1}"#).unwrap();
    let mut window = open(folder, "old");
    assert_eq!(window.state().state.settings.place, Place::Fuzz);
    ask(&mut window, WindowCommand::Theme(Theme::Light));
    let preferences = || values(folder, "config/taproof/preferences.json");
    written(&mut window, || preferences()["theme"] == "light");
    let kept = values(folder, "old/settings.json");
    assert_eq!((&kept["place"], &kept["future"]), (&"fuzz".into(), &1.into()));
    drop(window);
    let other = open(folder, "new");
    let settings = &other.state().state.settings;
    assert_eq!((settings.theme, settings.place), (Theme::Light, Place::Record));
}
