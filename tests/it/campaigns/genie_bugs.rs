//! What Genie's oracle sees of the bugs that the catalogue gives it: a seed test and a mutant of it, both written by
//! hand, and on the sound app nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof_engine::GenieConfig;
use taproof_engine::device::{AppData, AppId, Device};
use taproof_engine::oracle::{EffectComparison, EffectJudge, WidgetKind, layouts_of, unstable_widgets};
use taproof_phone::apps::phone_with;
use taproof_phone::{BugSet, Fonts};
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{
    Event, Gesture, Key, Layout, Step, StepRole, TouchTarget, Trace, Verdict, Widget, WidgetIdx,
    naming_selector,
};

/// The widget that shows this, or what can be used around it.
fn receiver(layout: &Layout, shown: &str) -> WidgetIdx {
    let shows = |widget: &Widget| {
        [&*widget.text, &*widget.content_desc, widget.short_id().unwrap_or("")].contains(&shown)
    };
    let (idx, _) = layout.iter().find(|(_, widget)| shows(widget)).unwrap_or_else(|| panic!("no {shown:?}"));
    std::iter::once(idx)
        .chain(layout.ancestors(idx))
        .find(|idx| layout.widget(*idx).is_actionable())
        .unwrap_or(idx)
}

fn event(line: &str, layout: &Layout) -> Event {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (shown, gesture) = match word {
        "tap" => (rest, Gesture::Tap),
        "press" => (rest, Gesture::LongPress),
        "type" => {
            let (text, field) = rest.split_once(" into ").unwrap();
            (field, Gesture::SetText(text.to_owned()))
        }
        _ => return Event::Key(Key::Back),
    };
    let idx = receiver(layout, shown);
    let at = layout.widget(idx).bounds.center();
    Event::Widget {
        target: TouchTarget { selector: naming_selector(layout, idx), at, screen: layout.screen() },
        gesture,
    }
}

/// Plays the lines of a test; those that begin with `+` are its detour.
fn play(phone: &mut dyn Device, app: &str, lines: &str, waits: bool) -> Trace {
    phone.launch(&AppId(app.to_owned()), AppData::Clear).unwrap();
    let mut trace = Trace::start(phone.observe().unwrap());
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (role, line) = match line.strip_prefix("+ ") {
            Some(line) => (StepRole::Inserted, line),
            None => (StepRole::Seed, line),
        };
        let event = event(line, &trace.last().layout);
        phone.perform(&event).unwrap();
        trace.push(Step { event, role, after: phone.observe().unwrap() });
        let wait = Event::Wait(DeviceDuration(10_000));
        phone.perform(if waits { &wait } else { &Event::Wait(DeviceDuration(1000)) }).unwrap();
        trace.push(Step { event: wait, role: StepRole::Appended, after: phone.observe().unwrap() });
    }
    trace
}

/// Whether the mutant lost an effect of the seed test.
fn violated(app: &str, bug: Option<&str>, seed: &str, mutant: &str) -> bool {
    let mut phone = phone_with(&Arc::new(Fonts::new()), app, &BugSet::of(bug));
    let config = GenieConfig::default();
    let [first, second] = [false, true].map(|waits| play(&mut phone, app, seed, waits));
    let mut judge = EffectJudge::new(config.rule(&[]));
    let unstable: BTreeSet<WidgetKind> =
        unstable_widgets(&mut judge, &layouts_of(&first), &layouts_of(&second));
    let rule = config.rule(&unstable.into_iter().collect::<Vec<_>>());
    let mutant = play(&mut phone, app, mutant, false);
    let comparison = EffectComparison { rule, ..EffectComparison::default() };
    match comparison.judge(&mutant, &first) {
        Verdict::Violated(violation) => {
            println!("{bug:?}: {}", violation.title);
            true
        }
        Verdict::Holds => false,
        Verdict::Inconclusive(reason) => panic!("{reason:?}"),
    }
}

fn check(app: &str, bug: &str, mutant: &str) {
    let seed: String =
        mutant.lines().filter(|line| !line.trim().starts_with('+')).map(|line| format!("{line}\n")).collect();
    assert!(violated(app, Some(bug), &seed, mutant), "{bug} is not seen");
    assert!(!violated(app, None, &seed, mutant), "{bug} is seen on the sound app");
}

#[test]
fn the_picture_of_the_wrong_activity() {
    check(
        "org.taproof.diary",
        "diary-wrong-picture",
        "tap Cinema
         tap Attach Picture
         tap ALLOW
         tap Shutter
         + tap Cooking
         + tap Attach Picture
         + tap Shutter
         tap Open Navigation
         tap Diary
         tap Cinema
         tap Picture
         tap Delete Picture
         tap Delete picture
         back",
    );
}

#[test]
fn a_new_activity_that_was_abandoned() {
    check(
        "org.taproof.diary",
        "diary-abandoned-new",
        "press Cinema
         type Theatre into edit_activity_name
         tap Save
         + tap Add Activity
         + tap Navigate up
         press Theatre
         back",
    );
}

#[test]
fn a_note_that_is_written_over() {
    check(
        "org.taproof.notes",
        "notes-create-same-title",
        "+ tap New
         + tap New note
         + type Hello into edit_title
         + tap Save
         tap Sort
         back
         tap New
         tap New note
         type Hello into edit_title
         tap Save
         tap Hello
         back",
    );
}
