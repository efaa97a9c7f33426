//! Tests of the recording without a window and without a phone.

use super::*;
use crate::mirror::{PathNo, Seen};
use crate::phone::{WalkedPath, WayOrigin};
use crate::state::{AppEntry, StudioState};
use taproof_campaign::Target;
use taproof_engine::device::Build;
use taproof_results::store::UnsavedRecording;
use taproof_screen::{AppHealth, DeviceInstant, Event, Frame, Gesture, Selector, layout_from};
use taproof_spec::DmfKind;

/// A simulated phone's path, and the recording.
#[derive(Default)]
struct Bench {
    record: RecordState,
    walked: WalkedPath,
    /// Number of events before the phone's position.
    stands: usize,
}

impl Bench {
    /// Begins the path of a fresh phone with this build.
    fn fresh(&mut self, build: Build) {
        let path = PathNo(self.walked.path.0 + 1);
        let origin = Some(WayOrigin { target: Target::bundled("org.ex", build), initialiser: None });
        self.walked = WalkedPath { path, origin, ..WalkedPath::default() };
        self.stands = 0;
    }

    fn ask(&mut self, command: RecordCommand) -> Option<StandAt> {
        let known = Known::default();
        let around =
            Around { walked: &self.walked, stands: self.stands, layout: None, app: "org.ex", known: &known };
        self.record.run(command, &around)
    }

    /// Taps the button with this name.
    fn tap(&mut self, name: &str) {
        let screen = |text: &str| {
            let layout = Arc::new(layout_from(&format!("Button#b \"{text}\"\n")));
            let frame = Frame { layout, health: AppHealth::Running, at: DeviceInstant::default() };
            Arc::new(Seen { frame, png: None })
        };
        let before = screen(name);
        let selector = Selector { text: Some(name.to_owned()), ..Selector::default() };
        let event = Event::on(&before.frame.layout, selector, Gesture::Tap).unwrap();
        let place = PathPosition { path: self.walked.path, step: self.stands };
        let after = screen(&format!("behind {name}"));
        let performed = Arc::new(Performed { place, event, before, after, again: false });
        self.walked.steps.truncate(self.stands);
        self.walked.steps.push(Arc::clone(&performed));
        self.stands += 1;
        self.record.take(&performed);
    }

    /// Records a tap on each of these buttons.
    fn record(&mut self, names: &[&str]) {
        self.ask(RecordCommand::Begin);
        names.iter().for_each(|name| self.tap(name));
        self.ask(RecordCommand::End);
    }

    /// The names of the buttons that the recording taps.
    fn taps(&self) -> Vec<String> {
        let widgets = self.record.recording.steps.iter().map(|done| done.step.before.widgets());
        widgets
            .filter_map(|widgets| widgets.iter().find(|it| !it.text.is_empty()))
            .map(|it| it.text.to_string())
            .collect()
    }
}

#[test]
fn steps_are_found_by_the_kind_of_selector_that_is_preferred() {
    let mut bench = Bench::default();
    bench.fresh(Build::Sound);
    bench.record(&["Add", "Save"]);
    bench.ask(RecordCommand::Edit(RecordEdit::Kind(Some(DmfKind::Property))));
    bench.ask(RecordCommand::Edit(RecordEdit::Whole(true)));
    let found_by = |bench: &Bench| bench.record.lines[1].selector.clone();
    assert!(found_by(&bench).starts_with("id "), "{}", found_by(&bench));
    assert_eq!(bench.record.lines[1].translatable, None);
    bench.record.prefer(SelectorPreference::Text);
    assert_eq!(found_by(&bench), "text \"Save\"");
    assert_eq!(bench.record.lines[1].translatable.as_deref(), Some("Save"));
}

#[test]
fn a_recording_belongs_to_the_build_that_it_was_made_on() {
    let mut bench = Bench::default();
    let made_on = Build::Bugs(vec!["one".to_owned()]);
    bench.fresh(made_on.clone());
    bench.record(&["Add", "Save"]);
    bench.fresh(Build::Sound);
    bench.ask(RecordCommand::Edit(RecordEdit::Delete(1)));
    assert_eq!((&bench.record.target.build, &bench.record.copy().build), (&made_on, &made_on));
    // This phone is untouched as well, but it has another build.
    assert!(
        matches!(bench.ask(RecordCommand::Show(Some(0))), Some(StandAt::Redo(events)) if events.is_empty())
    );
    bench.ask(RecordCommand::Take(0));
    assert_eq!(bench.record.target.build, Build::Sound);
}

fn kept(record: &RecordState) -> Vec<usize> {
    record.unsaved_ones().map(|(unsaved, _)| unsaved.recording.steps.len()).collect()
}

#[test]
fn what_was_put_aside_is_kept_until_it_is_saved() {
    let mut bench = Bench::default();
    bench.fresh(Build::Faulty);
    bench.record(&["A1", "A2", "A3"]);
    let first = bench.record.draft_word().to_owned();
    // Another recording begins; nothing of it is recorded yet.
    bench.ask(RecordCommand::Begin);
    assert_eq!(kept(&bench.record), [3]);
    assert_ne!(bench.record.draft_word(), first);
    bench.tap("B1");
    assert_eq!(kept(&bench.record), [3, 1]);
    bench.ask(RecordCommand::End);
    bench.ask(RecordCommand::Keep);
    bench.record.was_kept("add b".to_owned());
    assert_eq!(kept(&bench.record), [3], "the second is saved");
    bench.record(&["C1", "C2"]);
    assert_eq!(kept(&bench.record), [3, 2]);
    for _ in 0..3 {
        assert!(bench.record.can_turn(true));
        bench.ask(RecordCommand::Undo);
    }
    assert_eq!(
        (bench.taps(), bench.record.draft_word()),
        (vec!["A1".into(), "A2".into(), "A3".into()], &*first)
    );
    // Undo brings a discarded recording back, but later sessions do not.
    bench.ask(RecordCommand::Discard);
    assert_eq!(kept(&bench.record), [0; 0]);
    bench.ask(RecordCommand::Undo);
    assert_eq!(kept(&bench.record), [3]);
    for _ in 0..50 {
        bench.record(&["D"]);
    }
    assert_eq!(kept(&bench.record), [1; 21], "the oldest go");
}

#[test]
fn recordings_of_earlier_windows_are_all_there_again() {
    let mut bench = Bench::default();
    bench.fresh(Build::Sound);
    bench.record(&["A1", "A2"]);
    bench.record(&["B1"]);
    let copies = |record: &RecordState| {
        record.unsaved_ones().map(|(unsaved, _)| (unsaved.draft_word().to_owned(), unsaved.copy())).collect()
    };
    let mut again = StudioState::default();
    again.restore_recordings(copies(&bench.record));
    assert_eq!((again.record.phase, again.record.recording.steps.len()), (RecordPhase::Review, 1));
    assert!(again.record.wants_phone && again.record.target.build == Build::Sound);
    assert_eq!(again.place_of_recording(), None, "no device with the app is there yet");
    let entry = |device: Option<&str>| AppEntry {
        package: "org.ex".to_owned(),
        device: device.map(str::to_owned),
        ..AppEntry::default()
    };
    again.apps = vec![entry(Some("emulator-5554"))];
    assert_eq!(again.place_of_recording(), Some(Target::installed("org.ex", "emulator-5554")));
    again.apps = vec![entry(None)];
    assert_eq!(again.place_of_recording(), Some(again.record.target.clone()));
    assert_eq!(kept(&again.record), [2, 1]);
    // A recording that exists already is not replaced.
    let all: Vec<(String, UnsavedRecording)> = copies(&bench.record);
    bench.ask(RecordCommand::Begin);
    bench.tap("C1");
    assert_eq!(bench.record.restore(all), None);
    assert_eq!((bench.taps(), kept(&bench.record)), (vec!["C1".to_owned()], vec![2, 1, 2, 1, 1]));
}

#[test]
fn who_goes_back_behind_the_start_begins_there() {
    let mut bench = Bench::default();
    bench.fresh(Build::Faulty);
    ["L1", "L2", "L3"].into_iter().for_each(|name| bench.tap(name));
    bench.ask(RecordCommand::Begin);
    ["A1", "A2"].into_iter().for_each(|name| bench.tap(name));
    bench.stands = 1;
    bench.tap("B1");
    assert_eq!((bench.record.lead.len(), bench.taps()), (1, vec!["B1".to_owned()]));
    assert_eq!(bench.record.phase, RecordPhase::Recording);
    // The phone's position is the end of the recording.
    assert!(bench.ask(RecordCommand::GoOn).is_none());
    bench.ask(RecordCommand::Undo);
    bench.ask(RecordCommand::Undo);
    assert_eq!((bench.record.lead.len(), bench.taps()), (3, vec!["A1".to_owned(), "A2".to_owned()]));
}

#[test]
fn what_is_on_the_disk_is_what_was_to_be_kept() {
    let mut bench = Bench::default();
    bench.fresh(Build::Faulty);
    bench.record(&["A1", "A2"]);
    bench.ask(RecordCommand::Keep);
    assert_eq!(kept(&bench.record), [2], "it is not on the disk yet");
    // The disk is slow, and the person edits meanwhile.
    bench.ask(RecordCommand::Edit(RecordEdit::Delete(1)));
    bench.record.was_kept("add a".to_owned());
    assert_eq!((bench.record.kept.as_deref(), bench.record.saved_as()), (None, Some("add a")));
    bench.ask(RecordCommand::Keep);
    bench.record(&["B1", "B2", "B3"]);
    assert_eq!(kept(&bench.record), [1, 3]);
    bench.record.was_kept("add a".to_owned());
    assert_eq!(kept(&bench.record), [3], "the one before was meant");
    assert_eq!(bench.record.saved_as(), None);
}

#[test]
fn a_recording_of_another_app_is_parked() {
    let mut bench = Bench::default();
    bench.fresh(Build::Sound);
    bench.record(&["Add"]);
    let mut state = StudioState { record: bench.record, ..StudioState::default() };
    let app = |package: &str| AppEntry { package: package.to_owned(), ..AppEntry::default() };
    state.apps = vec![app("org.ex"), app("org.other")];
    let order = |state: &StudioState, id: &str| {
        let action = RECORD.iter().find(|action| action.id == id).unwrap();
        (action.order)(state)
    };
    state.settings.target = Target::bundled("org.ex", Build::Sound);
    assert_eq!(state.parked_recording(), None);
    assert!(order(&state, "record-try").is_ok());
    state.settings.target = Target::bundled("org.other", Build::Sound);
    assert_eq!(state.parked_recording(), Some("org.ex"));
    for id in ["record-try", "record-save"] {
        assert_eq!(order(&state, id), Err("The recording is of another app. Show that app first."), "{id}");
    }
    assert!(state.record.unsaved(), "it is kept");
    state.settings.target = Target::bundled("org.ex", Build::Sound);
    assert_eq!(state.parked_recording(), None);
}
