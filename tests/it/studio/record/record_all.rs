//! Each shipped DMF is recorded in the window, by pointer and keyboard alone and without a typed attribute.
//! What is saved means the same as what is shipped, and costs at most four pointer actions more than it has
//! steps. Prints the table.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, dead_code)]

use taproof_testing::hand;

use std::sync::Arc;

use egui::{Key, Modifiers};

use taproof_campaign::{self};
use taproof_engine::RunOutcome;
use taproof_engine::device::Build;
use taproof_phone::Fonts;
use taproof_phone::apps::{APPS, BundledApp};
use taproof_screen::{
    Direction, Event, Gesture, Key as PhoneKey, Layout, PxPoint, TouchTarget, Verdict, WidgetFlags, WidgetIdx,
};
use taproof_spec::{
    Condition, Dmf, DmfKind, Relation, Role, Scene, Scope, SpecSelector, TextPattern, named_by,
};
use taproof_studio::command::Command;
use taproof_studio::record::RecordPhase;
use taproof_testing::hand::Hand;
use taproof_testing::shipped::{Reading, Recording, differences, layouts_of, record, runs, shipped_dmfs};

const NONE: Modifiers = Modifiers::NONE;

/// One line of the table.
struct Row {
    name: String,
    steps: usize,
    /// Pointer actions: those on the phone and those in the window.
    actions: usize,
    /// What was pressed in the window by key instead.
    keys: usize,
    /// What differs from the shipped one.
    wrong: Vec<String>,
    /// What the person had to say.
    said: Vec<String>,
}

impl Row {
    fn allowed(&self) -> usize {
        self.steps + 4
    }
}

/// The word for a kind in the window.
fn kind_word(kind: DmfKind) -> &'static str {
    match kind {
        DmfKind::Create => "Create",
        DmfKind::Read => "Read",
        DmfKind::Update => "Update",
        DmfKind::Delete => "Delete",
        DmfKind::Search => "Search",
        DmfKind::Property => "Other",
    }
}

/// The words for an object in the window.
fn role_words(role: Role) -> &'static str {
    match role {
        Role::Added => "what was added",
        Role::Removed => "what was removed",
        Role::Sought => "what was looked for",
    }
}

/// Where a finger touches the widget itself, not one inside it.
fn aimed(hand: &Hand, target: &TouchTarget) -> PxPoint {
    let layout = hand.state().mirror.layout().unwrap();
    let named = target.selector.matches(layout);
    let Some(wanted) = named.into_iter().find(|idx| layout.widget(*idx).bounds.contains(target.at)) else {
        return target.at;
    };
    let there = layout.hit_test(target.at) == Some(wanted);
    point_on(layout, wanted).filter(|_| !there).unwrap_or(target.at)
}

/// A point of the widget that no other one covers.
fn point_on(layout: &Layout, wanted: WidgetIdx) -> Option<PxPoint> {
    let bounds = layout.widget(wanted).bounds;
    let center = bounds.center();
    let rows = (bounds.top + 4..bounds.bottom).step_by(8);
    let points = rows.flat_map(|y| (bounds.left + 4..bounds.right).step_by(8).map(move |x| PxPoint { x, y }));
    std::iter::once(center).chain(points).find(|point| layout.hit_test(*point) == Some(wanted))
}

/// Does with the hand what the shipped DMF does.
fn perform(hand: &mut Hand, event: &Event) {
    match event {
        Event::Widget { target, gesture } => match gesture {
            Gesture::Tap => hand.tap_at(aimed(hand, target)),
            Gesture::LongPress => hand.press_long_at(aimed(hand, target)),
            Gesture::SetText(text) => write(hand, target.at, text),
            Gesture::Swipe(direction) => {
                let (x, y) = match direction {
                    Direction::Up => (0, -600),
                    Direction::Down => (0, 600),
                    Direction::Left => (-400, 0),
                    Direction::Right => (400, 0),
                };
                hand.drag(target.at, PxPoint { x: target.at.x + x, y: target.at.y + y });
            }
            Gesture::Drag(to) => hand.drag(target.at, *to),
        },
        Event::Type(text) => hand.write(text),
        Event::Key(PhoneKey::Back) => hand.click("Back"),
        Event::Key(PhoneKey::Home) => hand.click("Home"),
        Event::Key(PhoneKey::Recents) => hand.click("Recents"),
        Event::Key(PhoneKey::ImeAction) => hand.key(NONE, Key::Enter),
        Event::Key(PhoneKey::Delete) => hand.key(NONE, Key::Backspace),
        Event::Key(_) | Event::System(_) | Event::OpenLink(_) => {
            panic!("the window has no way to send {event:?}")
        }
        Event::Rotate => hand.click("Rotate"),
        Event::Relaunch => hand.click("Restart the app"),
        Event::Wait(_) => {}
    }
}

/// Fills the field at a point, which is tapped first unless it has the focus already.
fn write(hand: &mut Hand, at: PxPoint, text: &str) {
    let field = |hand: &Hand| {
        let layout = hand.state().mirror.layout().unwrap().clone();
        let idx: WidgetIdx = layout.hit_test(at).unwrap();
        layout.widget(idx).clone()
    };
    // Who types looks for the field first.
    for _ in 0..50 {
        if field(hand).is_text_field() {
            break;
        }
        hand.settle();
    }
    if !field(hand).flags.has(WidgetFlags::FOCUSED) || !hand.phone_has_focus() {
        hand.tap_at(at);
    }
    for _ in 0..field(hand).text.chars().count() {
        hand.key(NONE, Key::Backspace);
    }
    hand.write(text);
}

/// Brings the phone where the DMF may start: that is not recorded and not counted.
fn lead(hand: &mut Hand, app: &str, recording: &Recording) {
    hand.order(Command::UseApp(taproof_campaign::Target::bundled(app, Build::Sound)));
    for events in recording.events[..recording.begins].chunks(20) {
        for event in events {
            hand.harness.state_mut().queue(Command::Perform(event.clone()));
        }
        hand.harness.step();
        hand.settle();
    }
    assert_eq!(hand.state().mirror.walked.steps.len(), recording.begins);
    assert_eq!(hand.state().mirror.problem, None);
}

/// Says what the window proposes otherwise.
fn correct(hand: &mut Hand, reading: &Reading<'_>) -> Vec<String> {
    let dmf = reading.dmf;
    let mut said = Vec::new();
    if hand.state().record.kind() != dmf.kind {
        said.push(format!("{} not {}", dmf.kind.word(), hand.state().record.kind().word()));
        match dmf.kind {
            DmfKind::Property => hand.press_by_key(kind_word(dmf.kind)),
            _ => hand.click(kind_word(dmf.kind)),
        }
    }
    if hand.state().record.data_type() != dmf.data_type {
        said.push(format!("{} not {}", dmf.data_type, hand.state().record.data_type()));
        hand.click(&dmf.data_type);
    }
    for (role, text) in reading.objects() {
        let known = |hand: &Hand| {
            let mut lines = hand.state().record.objects.iter();
            lines.find(|line| line.role == role).map(|line| line.text.clone())
        };
        if known(hand).is_some_and(|known| known != text) {
            said.push(format!("{} {text:?} not {:?}", role.word(), known(hand)));
            hand.click(&format!("Pick {} on the phone", role_words(role)));
            match hand::text(&text).resolve(hand.state().mirror.layout().unwrap()).first() {
                Some(_) => hand.tap(&hand::text(&text)),
                None => said.push("which is not shown there".to_owned()),
            }
        }
    }
    said.extend(choose(hand, dmf));
    if dmf.kind == DmfKind::Property {
        said.extend(dmf.postconditions.iter().map(|condition| ask(hand, reading, condition)));
    }
    said
}

/// Asks for what a property asks for, in the window by keyboard: it is pointed at on the phone.
fn ask(hand: &mut Hand, reading: &Reading<'_>, condition: &Condition) -> String {
    let widget = reading.compiled.widget(condition.widget.as_deref().unwrap()).unwrap();
    let shown = condition.relation == Relation::In;
    if let TextPattern::FromRead(name) = &widget.named.selector.text {
        let text = reading.bindings.read(name).unwrap().to_owned();
        let pick = "Pick a text to speak of on the phone";
        if shown {
            hand.press_by_key(pick);
            tap_widget(hand, |layout| hand::text(&text).resolve(layout).first());
            return format!("the text {text:?}");
        }
        // It is shown in the middle.
        let shows = |layout: &Layout| hand::text(&text).resolve(layout).first();
        let step = reading.layouts.iter().position(|layout| shows(layout).is_some()).unwrap();
        let label = hand.state().record.lines[step].name();
        hand.press_by_key(&label);
        hand.press_by_key(pick);
        tap_widget(hand, shows);
        let added = hand.state().record.conditions[1].iter().find(|line| line.expects.is_some()).unwrap();
        let opposite = format!("Say the opposite of: {}", added.sentence);
        hand.press_by_key(&opposite);
        hand.press_by_key("Pick where a text to speak of would show");
        let like = SpecSelector { text: TextPattern::Any, ..widget.named.selector.clone() };
        tap_widget(hand, |layout| named_by(&like, layout, &[]).first().copied());
        return format!("never the text {text:?}");
    }
    let word = if shown { "must show" } else { "must not show" };
    hand.press_by_key(&format!("Add to After: a widget that {word}"));
    tap_widget(hand, |layout| {
        let scene = Scene { layout, ..reading.scene(0) };
        widget.locate(Scope::Device, &scene).ok()?.first().copied()
    });
    format!("{} {word}", widget.named.selector)
}

/// Taps a widget of what the phone shows, if it is there.
fn tap_widget(hand: &mut Hand, find: impl Fn(&Layout) -> Option<WidgetIdx>) {
    let layout = hand.state().mirror.layout().unwrap().clone();
    match find(&layout) {
        Some(wanted) => {
            hand.tap_at(point_on(&layout, wanted).unwrap_or(layout.widget(wanted).bounds.center()))
        }
        None => hand.key(NONE, Key::Escape),
    }
}

/// What only the person knows.
fn choose(hand: &mut Hand, dmf: &Dmf) -> Option<String> {
    match dmf.name.as_str() {
        "unhide folder" => {
            show_step(hand, 1);
            hand.click("Scroll until it is in sight");
            Some("scroll to step 2".to_owned())
        }
        "edit2 folder" => {
            show_step(hand, 1);
            hand.click("\u{201c}Music\u{201d}");
            Some("this very text in step 2".to_owned())
        }
        "search1 note" | "search1 idea" | "search1 body" => {
            let after = hand.state().record.conditions[1][0].sentence.clone();
            hand.click(&format!("Say the opposite of: {after}"));
            Some("not found".to_owned())
        }
        "view day" => {
            // Its four pointer actions are spent by now.
            hand.press_by_key("No function creates it: take it as there from the start");
            Some("known from here on".to_owned())
        }
        "start activity" => {
            hand.click("Pick what was looked for on the phone");
            let heading = dmf.widget("view_object").unwrap().selector.resource_id.clone().unwrap();
            hand.tap(&hand::id(&heading));
            Some("where it shows".to_owned())
        }
        _ => None,
    }
}

/// What a property asks for, with whether it is so at the start: the very widget at the end, or what must
/// not be there.
fn asks(reading: &Reading<'_>) -> Vec<(String, bool)> {
    let widgets =
        reading.dmf.postconditions.iter().filter_map(|it| reading.compiled.widget(it.widget.as_deref()?));
    let starts = widgets.map(|widget| reading.find(widget, 0).is_some());
    let mut asks: Vec<(String, bool)> = reading.meanings().into_iter().zip(starts).collect();
    asks.sort();
    asks
}

fn show_step(hand: &mut Hand, step: usize) {
    let label = hand.state().record.lines[step].name();
    hand.click(&label);
}

fn record_in_window(
    hand: &mut Hand,
    fonts: &Arc<Fonts>,
    (app, package): (&'static str, &str),
    dmfs: &[Dmf],
    index: usize,
) -> Row {
    let dmf = &dmfs[index];
    let mut row = Row {
        name: dmf.name.clone(),
        steps: dmf.steps.len(),
        actions: 0,
        keys: 0,
        wrong: Vec::new(),
        said: Vec::new(),
    };
    let performed = match record(fonts, package, dmfs, index) {
        Ok(performed) => performed,
        Err(problem) => {
            row.wrong.push(problem);
            return row;
        }
    };
    lead(hand, package, &performed);
    (hand.pointer, hand.keys) = (0, 0);
    // Where a field of the phone is open, keys are its letters.
    let letters = hand.phone_has_focus() && hand.state().mirror.takes_text();
    if !letters {
        hand.key(Modifiers::COMMAND, Key::R);
    }
    if hand.state().record.phase != RecordPhase::Recording {
        hand.click(if hand.state().record.phase == RecordPhase::Idle { "Record" } else { "New" });
    }
    assert_eq!(hand.state().record.phase, RecordPhase::Recording, "{app}: {}", dmf.name);
    for event in &performed.events[performed.begins..] {
        perform(hand, event);
    }
    hand.click("End");
    assert_eq!(hand.state().record.phase, RecordPhase::Review, "{}", dmf.name);
    let steps = hand.state().record.recording.recorded();
    let recording = Recording { steps, first: 0, outcome: RunOutcome::Finished(Verdict::Holds), ..performed };
    let shipped = Reading::new(dmf, &recording, layouts_of(dmf, &recording), package);
    row.said = correct(hand, &shipped);
    let Some(kept) = hand.state().record.kept_dmf() else {
        row.wrong.push(hand.state().record.refusals().join("; "));
        return row;
    };
    let draft = hand.state().record.draft.clone().unwrap().unwrap();
    let drafted = Reading::new(&kept, &recording, draft.layouts.clone(), package);
    row.wrong = differences(&shipped, &drafted, &draft);
    if dmf.kind == DmfKind::Property && asks(&shipped) != asks(&drafted) {
        row.wrong.push(format!("asks {:?}, shipped {:?}", asks(&drafted), asks(&shipped)));
    }
    if row.wrong.is_empty() && dmf.kind != DmfKind::Property {
        row.wrong.extend(runs(fonts, package, dmfs, index, &kept));
    }
    if hand.state().record.refusals().is_empty() {
        if hand.state().types_into_phone() {
            hand.click("Save");
        } else {
            hand.key(NONE, Key::S);
        }
        hand.wait("the disk", 60, |state| state.record.kept.is_some());
        hand.wait("the document", 60, |state| {
            let own = state.documents.list.iter().filter(|it| !it.shipped && it.app == package);
            own.flat_map(|document| &document.spec.dmfs).any(|saved| *saved == kept)
        });
        assert!(hand.state().documents.question.is_none(), "{:?}", hand.state().documents.question);
    } else {
        row.wrong.extend(hand.state().record.refusals());
    }
    (row.actions, row.keys) = (hand.pointer, hand.keys);
    row
}

/// Records every DMF of an app, one after the other in one window, and prints its part of the table.
fn record_each(app: &'static BundledApp) {
    let (name, package) = (app.short_name(), app.manifest().package);
    let fonts = Arc::new(Fonts::new());
    let dmfs = shipped_dmfs(name);
    let folder = tempfile::tempdir().unwrap();
    let mut hand = Hand::open(folder.path());
    let rows: Vec<Row> = (0..dmfs.len())
        .map(|index| record_in_window(&mut hand, &fonts, (name, package), &dmfs, index))
        .collect();
    let mut table = format!(
        "{:7}{:20}{:>6}{:>9}{:>9}{:>6}  same\n",
        "app", "function", "steps", "pointer", "allowed", "keys"
    );
    let (mut well, mut wrong) = (0, Vec::new());
    for row in &rows {
        let same = row.wrong.is_empty();
        match same && row.actions <= row.allowed() {
            true => well += 1,
            false => wrong.push(row.name.clone()),
        }
        let (steps, word, said) = (row.steps, if same { "yes" } else { "no" }, row.said.join(", "));
        let line =
            format!("{name:7}{:20}{steps:>6}{:>9}{:>9}{:>6}", row.name, row.actions, row.allowed(), row.keys);
        table += &format!("{line}  {word:4}  {said}\n");
        table.extend(row.wrong.iter().map(|line| format!("       {line}\n")));
    }
    println!("{table}{well} of {} recorded within their allowance", rows.len());
    assert!(wrong.is_empty(), "{name}: not recorded as shipped: {wrong:?}");
}

#[test]
#[ignore = "takes long"]
fn each_dmf_of_files_is_recorded_in_the_window() {
    record_each(&APPS[0]);
}

#[test]
#[ignore = "takes long"]
fn each_dmf_of_notes_is_recorded_in_the_window() {
    record_each(&APPS[1]);
}

#[test]
#[ignore = "takes long"]
fn each_dmf_of_diary_is_recorded_in_the_window() {
    record_each(&APPS[2]);
}
