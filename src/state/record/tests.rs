//! The recording without a window and without a phone.

use super::*;
use crate::mirror::{PathNo, Seen};
use crate::model::{AppHealth, DeviceInstant, Event, Frame, Gesture, Selector, layout_from};
use crate::state::WayOrigin;

/// A phone on which things are done, and the recording.
#[derive(Default)]
struct Bench {
    record: RecordState,
    walked: Walked,
    /// After how many of its events it stands.
    stands: usize,
}

impl Bench {
    /// A fresh phone with that build.
    fn fresh(&mut self, build: BuildChoice) {
        let path = PathNo(self.walked.path.0 + 1);
        let origin = Some(WayOrigin { app: "org.ex".to_owned(), build });
        self.walked = Walked { path, origin, ..Walked::default() };
        self.stands = 0;
    }

    fn ask(&mut self, command: RecordCommand) -> Option<StandAt> {
        let known = Known::default();
        let around =
            Around { walked: &self.walked, stands: self.stands, layout: None, app: "org.ex", known: &known };
        self.record.run(command, &around)
    }

    /// Taps the button of that name.
    fn tap(&mut self, name: &str) {
        let screen = |text: &str| {
            let layout = Arc::new(layout_from(&format!("Button#b \"{text}\"\n")));
            let frame = Frame { layout, health: AppHealth::Running, at: DeviceInstant::default() };
            Arc::new(Seen { frame, png: None })
        };
        let before = screen(name);
        let selector = Selector { text: Some(name.to_owned()), ..Selector::default() };
        let event = Event::on(&before.frame.layout, selector, Gesture::Tap).unwrap();
        let place = PathPlace { path: self.walked.path, step: self.stands };
        let after = screen(&format!("behind {name}"));
        let performed = Arc::new(Performed { place, event, before, after, again: false });
        self.walked.steps.truncate(self.stands);
        self.walked.steps.push(Arc::clone(&performed));
        self.stands += 1;
        self.record.take(&performed);
    }

    /// Records a tap on each of these.
    fn record(&mut self, names: &[&str]) {
        self.ask(RecordCommand::Begin);
        names.iter().for_each(|name| self.tap(name));
        self.ask(RecordCommand::End);
    }

    /// The names of what the recording taps.
    fn taps(&self) -> Vec<String> {
        let widgets = self.record.recording.steps.iter().map(|done| done.step.before.widgets());
        widgets
            .filter_map(|widgets| widgets.iter().find(|it| !it.text.is_empty()))
            .map(|it| it.text.to_string())
            .collect()
    }
}

#[test]
fn a_recording_belongs_to_the_build_that_it_was_made_on() {
    let mut bench = Bench::default();
    let made_on = BuildChoice::Only(["one".to_owned()].into());
    bench.fresh(made_on.clone());
    bench.record(&["Add", "Save"]);
    bench.fresh(BuildChoice::Sound);
    bench.ask(RecordCommand::Edit(RecordEdit::Delete(1)));
    assert_eq!((bench.record.build(), bench.record.copy().unwrap().build), (&made_on, made_on.clone()));
    // Nothing was done on this phone either, but it is another build.
    assert!(
        matches!(bench.ask(RecordCommand::Show(Some(0))), Some(StandAt::Redo(events)) if events.is_empty())
    );
    bench.ask(RecordCommand::Take(0));
    assert_eq!(bench.record.build(), &BuildChoice::Sound);
}
