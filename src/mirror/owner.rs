//! The thread that owns the device: it obeys, looks, and tells.

use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender};

use crate::device::{AppData, Device, DeviceError, RecordedDevice, Screenshot};
use crate::model::{Event, Frame, Layout, Selector, Target, event_sentence};
use crate::worker::{CancelToken, Latest};

use super::path::{Node, Path};
use super::{
    DeviceMaker, Divergence, FrameNo, MirrorCommand, MirrorDevice, MirrorFact, MirrorNews, Opening, PathNo,
    PathPlace, Performed, Seen, Shown, Standing, WalkPlace,
};

pub(super) struct Owner {
    pub(super) device: Option<MirrorDevice>,
    pub(super) path: Path,
    pub(super) standing: Standing,
    /// Shared with the panic's report only.
    pub(super) last: Arc<Mutex<MirrorNews>>,
    pub(super) news: Latest<MirrorNews>,
    pub(super) facts: Sender<MirrorFact>,
    pub(super) cancel: CancelToken,
    pub(super) wake: Arc<dyn Fn() + Send + Sync>,
}

fn text(error: DeviceError) -> String {
    error.to_string()
}

impl Owner {
    pub(super) fn run(&mut self, make: DeviceMaker, waiting: &Receiver<MirrorCommand>) {
        let opened = self.use_device(make);
        self.publish(opened, 0);
        while let Ok(command) = waiting.recv() {
            let outcome = self.obey(command);
            self.publish(outcome, 1);
        }
    }

    fn obey(&mut self, command: MirrorCommand) -> Result<(), String> {
        match command {
            MirrorCommand::Use(make) => self.use_device(make),
            MirrorCommand::Seek(step) => {
                self.seek(|_| step);
                Ok(())
            }
            MirrorCommand::SeekBy(steps) => {
                self.seek(|at| at.saturating_add_signed(steps));
                Ok(())
            }
            MirrorCommand::Launch(app, data) => {
                self.device()?.launch(&app, data).map_err(text)?;
                self.begin(Vec::new())
            }
            MirrorCommand::Perform(event) => self.perform(event),
            MirrorCommand::Touch { frame, at, gesture } => {
                let seen = self.last.lock().unwrap_or_else(PoisonError::into_inner).shown.clone();
                let Some(seen) = seen.filter(|seen| seen.no == frame) else {
                    return Err("The screen changed before the touch. Look again and repeat it.".to_owned());
                };
                let screen = seen.frame.layout.screen();
                let target = Target { selector: Selector::default(), at, screen };
                self.perform(Event::Widget { target, gesture })
            }
            MirrorCommand::Open(opening) => self.open(*opening),
            MirrorCommand::Stand(place) => self.stand(place),
        }
    }

    fn use_device(&mut self, make: DeviceMaker) -> Result<(), String> {
        self.device = Some(make().map_err(text)?);
        self.begin(Vec::new())?;
        self.tell_walk()
    }

    /// A new way begins where the phone stands; `ahead` is what a trace did from here.
    fn begin(&mut self, ahead: Vec<(Event, Arc<Layout>)>) -> Result<(), String> {
        let seen = self.see()?;
        let snapshot = self.save()?;
        let start = Node { event: None, expected: None, seen: Some(Arc::clone(&seen)), snapshot };
        let ahead = ahead.into_iter().map(|(event, expected)| Node {
            event: Some(event),
            expected: Some(expected),
            seen: None,
            snapshot: None,
        });
        let no = PathNo(self.path.no.0 + 1);
        self.path = Path { no, nodes: std::iter::once(start).chain(ahead).collect(), at: 0 };
        self.standing = Standing::Live;
        self.tell(MirrorFact::Began { path: no, start: seen });
        Ok(())
    }

    /// Does what a person asks for, where the phone stands.
    fn perform(&mut self, event: Event) -> Result<(), String> {
        let place = self.path.place();
        let before = self.seen_here()?;
        self.device()?.perform(&event).map_err(text)?;
        self.standing = Standing::Live;
        // Shown at once; keeping it takes a little longer.
        self.publish(Ok(()), 0);
        let after = self.see()?;
        let snapshot = self.save()?;
        let node =
            Node { event: Some(event.clone()), expected: None, seen: Some(Arc::clone(&after)), snapshot };
        let gone = self.path.branch(node);
        self.forget(gone);
        self.tell(MirrorFact::Performed(Arc::new(Performed { place, event, before, after, again: false })));
        Ok(())
    }

    /// Puts a fresh phone where a trace comes after `step` events.
    fn open(&mut self, opening: Opening) -> Result<(), String> {
        let device = (opening.make)().map_err(text)?;
        self.device = Some(device);
        self.device()?.launch(&opening.app, AppData::Clear).map_err(text)?;
        self.begin(opening.events)?;
        self.stand(PathPlace { path: self.path.no, step: opening.step })
    }

    /// Puts the phone where the way comes after `place.step` events.
    fn stand(&mut self, place: PathPlace) -> Result<(), String> {
        if place.path != self.path.no || place.step >= self.path.nodes.len() {
            return Err("The phone went another way since then. Open the trace again.".to_owned());
        }
        let Some((from, snapshot)) = self.path.saved_before(place.step) else {
            return Err("This device keeps no states: the trace must be opened again.".to_owned());
        };
        self.device()?.restore_snapshot(snapshot).map_err(text)?;
        self.path.at = from;
        self.standing = Standing::Snapshot;
        while self.path.at < place.step {
            if self.cancel.cancelled() {
                return Err("Stopped. The phone stands where it came to.".to_owned());
            }
            self.step_on()?;
            self.standing = Standing::Reexecuted;
        }
        Ok(())
    }

    /// Does the next event of the way again.
    fn step_on(&mut self) -> Result<(), String> {
        let (place, next) = (self.path.place(), self.path.at + 1);
        let before = self.seen_here()?;
        let Some(node) = self.path.nodes.get(next) else { return Ok(()) };
        let (Some(event), expected) = (node.event.clone(), node.expected.clone()) else { return Ok(()) };
        self.device()?.perform(&event).map_err(text)?;
        let after = self.see()?;
        let snapshot = self.save()?;
        self.path.at = next;
        if let Some(node) = self.path.nodes.get_mut(next) {
            node.seen = Some(Arc::clone(&after));
            node.snapshot = snapshot;
        }
        let gone = self.path.too_many();
        self.forget(gone);
        if let Some(expected) = expected.filter(|expected| *expected != after.frame.layout) {
            let seen = Arc::clone(&after.frame.layout);
            let reason = format!("after \u{201c}{}\u{201d}", event_sentence(&event, &before.frame.layout));
            let divergence = Divergence { step: next, expected, seen, reason };
            self.tell(MirrorFact::Diverged(self.path.no, Arc::new(divergence)));
        }
        self.tell(MirrorFact::Performed(Arc::new(Performed { place, event, before, after, again: true })));
        Ok(())
    }

    fn seek(&mut self, to: impl FnOnce(usize) -> usize) {
        if let Some(MirrorDevice::Walk(walk)) = &mut self.device {
            walk.seek(to(walk.position()));
        }
    }

    /// A recorded walk is a way that was gone already.
    fn tell_walk(&mut self) -> Result<(), String> {
        let Some(MirrorDevice::Walk(walk)) = &self.device else { return Ok(()) };
        let seen: Vec<Arc<Seen>> = (0..=walk.len())
            .filter_map(|step| {
                let frame = walk.frame(step)?.clone();
                Some(Arc::new(Seen { frame, png: walk.png(step).cloned() }))
            })
            .collect();
        let path = self.path.no;
        let done: Vec<Performed> = walk
            .events()
            .iter()
            .zip(seen.windows(2))
            .enumerate()
            .map(|(step, (event, seen))| Performed {
                place: PathPlace { path, step },
                event: event.event.clone(),
                before: Arc::clone(&seen[0]),
                after: Arc::clone(&seen[1]),
                again: false,
            })
            .collect();
        for performed in done {
            self.tell(MirrorFact::Performed(Arc::new(performed)));
        }
        Ok(())
    }

    fn device(&mut self) -> Result<&mut dyn Device, String> {
        match &mut self.device {
            Some(MirrorDevice::Live(device)) => Ok(&mut **device),
            Some(MirrorDevice::Walk(walk)) => Ok(&mut **walk),
            None => Err("There is no device. Choose an app or open a walk.".to_owned()),
        }
    }

    fn seen_here(&mut self) -> Result<Arc<Seen>, String> {
        match self.path.nodes.get(self.path.at).and_then(|node| node.seen.clone()) {
            Some(seen) => Ok(seen),
            None => self.see(),
        }
    }

    fn see(&mut self) -> Result<Arc<Seen>, String> {
        let frame = self.device()?.observe().map_err(text)?;
        let picture = self.picture()?;
        let png = picture.map(|picture| picture.to_png()).transpose().map_err(text)?.map(Arc::new);
        Ok(Arc::new(Seen { frame, png }))
    }

    fn picture(&mut self) -> Result<Option<Screenshot>, String> {
        match self.device()?.screenshot() {
            Ok(picture) => Ok(Some(picture)),
            Err(DeviceError::Unsupported { .. }) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    fn save(&mut self) -> Result<Option<crate::device::SnapshotId>, String> {
        let device = self.device()?;
        if !device.info().snapshots {
            return Ok(None);
        }
        device.save_snapshot().map(Some).map_err(text)
    }

    fn forget(&mut self, gone: Vec<crate::device::SnapshotId>) {
        if let Ok(device) = self.device() {
            for id in gone {
                device.drop_snapshot(id);
            }
        }
    }

    fn tell(&self, fact: MirrorFact) {
        // Nobody listens: the window is closing.
        if self.facts.send(fact).is_err() {
            self.cancel.cancel();
        }
        (self.wake)();
    }

    fn publish(&mut self, outcome: Result<(), String>, done: u64) {
        let before = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut told = MirrorNews { problem: outcome.err(), done: before.done + done, ..before };
        match self.look(told.shown.as_deref()) {
            Ok(shown) => told.shown = Some(Arc::new(shown)),
            Err(problem) => told.problem = told.problem.or(Some(problem)),
        }
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = told.clone();
        self.news.publish(told);
        (self.wake)();
    }

    fn look(&mut self, before: Option<&Shown>) -> Result<Shown, String> {
        let walk = match &self.device {
            Some(MirrorDevice::Walk(walk)) => Some(place_in(walk)),
            Some(MirrorDevice::Live(_)) | None => None,
        };
        let device = self.device()?;
        let info = device.info().clone();
        let frame: Frame = device.observe().map_err(text)?;
        let picture = self.picture()?;
        let same =
            |shown: &Shown| shown.info == info && shown.walk == walk && shown.frame.layout == frame.layout;
        let number = before.map_or(FrameNo(1), |shown| FrameNo(shown.no.0 + u64::from(!same(shown))));
        let (place, standing) = (self.path.place(), self.standing);
        let ahead = self.path.nodes.len().saturating_sub(1 + self.path.at);
        Ok(Shown { no: number, frame, picture, info, walk, place, standing, ahead })
    }
}

fn place_in(walk: &RecordedDevice) -> WalkPlace {
    WalkPlace {
        title: walk.title().to_owned(),
        step: walk.position(),
        last: walk.len(),
        next: walk.events().get(walk.position()).map(|event| (event.event.clone(), event.touched)),
    }
}
