//! The thread that owns the device: it obeys, looks, and tells.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_channel::{Receiver, never, select};

use taproof_core::device::{AppData, AppId, Device, DeviceError, Screenshot, SnapshotId};
use taproof_core::model::{
    Event, Frame, Layout, Likeness, PxPoint, PxSize, ScreenPrint, Selector, Target, Widget, event_sentence,
};

use super::path::{Node, Path};
use super::teller::Teller;
use super::walk::place_in;
use super::watcher::{Look, Watcher};
use super::{
    DeviceMaker, Divergence, Expected, FrameNo, MirrorCommand, MirrorDevice, MirrorFact, Opening, PathNo,
    PathPlace, Performed, Redoing, Seen, Shown, Standing,
};

/// Layouts of so many frames are remembered for touches on their way.
const RECENT: usize = 32;

pub(super) struct Owner {
    pub(super) device: Option<MirrorDevice>,
    /// How the start of the way is made again where no state was saved.
    origin: Option<Origin>,
    pub(super) path: Path,
    pub(super) standing: Standing,
    pub(super) redone: usize,
    /// What the device shows, since the last time that something was done to it.
    pub(super) looked: Option<Looked>,
    /// The layouts that were shown last, the newest at the end.
    recent: VecDeque<(FrameNo, Arc<Layout>)>,
    /// The picture encoded last: most events change little, some nothing.
    encoded: Option<Encoded>,
    /// The device failed in the middle of something: where it stands is not known.
    lost: bool,
    /// Who looks at the device beside this thread.
    pub(super) watcher: Option<Watcher>,
    /// Why there is no device, once it went away or could not be opened.
    gone: Option<String>,
    pub(super) teller: Teller,
    /// The number of the command that is being done, and up to which nothing more is wanted.
    number: u64,
    stopped: Arc<AtomicU64>,
}

/// What the worker does next.
enum Next {
    Command(MirrorCommand),
    Look(Look),
    NobodyLooks,
}

struct Origin {
    make: DeviceMaker,
    /// Launched with cleared data before the way begins.
    app: Option<AppId>,
}

struct Encoded {
    rgba: Arc<Vec<u8>>,
    png: Arc<Vec<u8>>,
}

pub(super) struct Looked {
    pub frame: Frame,
    pub picture: Option<Screenshot>,
}

impl Origin {
    fn fresh(&self) -> Result<MirrorDevice, DeviceError> {
        let mut device = (self.make)()?;
        if let Some(app) = &self.app {
            device.any().launch(app, AppData::Clear)?;
        }
        Ok(device)
    }
}

impl MirrorDevice {
    fn any(&mut self) -> &mut dyn Device {
        match self {
            MirrorDevice::Live(device) => &mut **device,
            MirrorDevice::Walk(walk) => &mut **walk,
        }
    }
}

pub(super) fn text(error: DeviceError) -> String {
    error.to_string()
}

impl Owner {
    pub(super) fn new(teller: Teller, stopped: Arc<AtomicU64>) -> Self {
        Owner {
            device: None,
            origin: None,
            path: Path::default(),
            standing: Standing::Live,
            redone: 0,
            looked: None,
            recent: VecDeque::new(),
            encoded: None,
            lost: false,
            watcher: None,
            gone: None,
            teller,
            number: 0,
            stopped,
        }
    }

    pub(super) fn run(&mut self, make: DeviceMaker, waiting: &Receiver<MirrorCommand>) {
        let opened = self.undisturbed(|owner| owner.use_device(make));
        self.publish(opened, 0);
        while let Some(next) = self.next(waiting) {
            match next {
                Next::Command(command) => {
                    self.number += 1;
                    let outcome = self.undisturbed(|owner| owner.obey(command));
                    self.publish(outcome, 1);
                }
                Next::Look(look) => self.notice(look),
                Next::NobodyLooks => {
                    self.go_away("Looking at the phone ended. Choose its app again.".to_owned());
                    self.publish(Ok(()), 0);
                }
            }
        }
    }

    /// Waits for what comes next; nothing comes once the mirror is closed. The looks are let go of before anything is done:
    /// who looks could not end while somebody still listens.
    fn next(&self, waiting: &Receiver<MirrorCommand>) -> Option<Next> {
        let looks = self.watcher.as_ref().map_or_else(never, |watcher| watcher.looks.clone());
        select! {
            recv(waiting) -> command => command.ok().map(Next::Command),
            recv(looks) -> look => Some(look.map_or(Next::NobodyLooks, Next::Look)),
        }
    }

    /// Does something while nobody takes pictures beside it.
    pub(super) fn undisturbed(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        self.watcher.iter().for_each(Watcher::turn);
        let outcome = work(self);
        let outcome = outcome.and(self.find_keyboard());
        self.watcher.iter().for_each(Watcher::turn);
        outcome
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
            MirrorCommand::Perform(event) => self.perform(event),
            MirrorCommand::Touch { frame, at, gesture } => {
                let Some(screen) = self.still_meant(frame, at) else {
                    return Err("The screen changed before the touch. Look again and repeat it.".to_owned());
                };
                let target = Target { selector: Selector::default(), at, screen };
                self.perform(Event::Widget { target, gesture })
            }
            MirrorCommand::Open(opening) => self.open(*opening),
            MirrorCommand::Stand(place) => self.stand(place),
        }
    }

    /// The size of the screen, if a touch that was meant for an earlier frame still means the same: keys that are
    /// on their way change a field, but not the button beside it.
    fn still_meant(&self, frame: FrameNo, at: PxPoint) -> Option<PxSize> {
        let now = Arc::clone(&self.recent.back()?.1);
        let (_, seen) = self.recent.iter().find(|(no, _)| *no == frame)?;
        let here = |layout: &Layout| layout.touch_target(at).map(|idx| layout.widget(idx).clone());
        let same = match (here(seen), here(&now)) {
            (Some(seen), Some(now)) => seen.bounds == now.bounds && same_widget(&seen, &now),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        same.then(|| now.screen())
    }

    fn use_device(&mut self, make: DeviceMaker) -> Result<(), String> {
        self.set_origin(Origin { make, app: None })?;
        self.begin(None, Vec::new())?;
        self.tell_walk();
        Ok(())
    }

    /// Puts a fresh phone where a trace comes after `step` events.
    fn open(&mut self, opening: Opening) -> Result<(), String> {
        let Opening { make, app, start, events, step } = opening;
        self.set_origin(Origin { make, app: Some(app) })?;
        self.begin(start, events)?;
        self.stand(PathPlace { path: self.path.no, step })
    }

    fn set_origin(&mut self, origin: Origin) -> Result<(), String> {
        let taken = self.take_device(&origin);
        if taken.is_err() {
            // What was shown is of another device.
            self.teller.forget();
        }
        self.origin = Some(origin);
        taken
    }

    /// Opens a device. The one before is let go of first: others see it, too, and it is put back as it was.
    fn take_device(&mut self, origin: &Origin) -> Result<(), String> {
        (self.device, self.watcher, self.looked, self.gone) = (None, None, None, None);
        let opened = origin.fresh().and_then(|mut device| {
            let watcher = Watcher::begin(device.any())?;
            Ok((device, watcher))
        });
        match opened {
            Ok((device, watcher)) => {
                (self.device, self.watcher, self.lost) = (Some(device), watcher, false);
                // It begins when the owner has ended what it does now.
                self.watcher.iter().for_each(Watcher::turn);
                Ok(())
            }
            Err(error) => {
                let problem = text(error);
                self.go_away(problem.clone());
                Err(problem)
            }
        }
    }

    /// There is no device from here on, until one is opened.
    pub(super) fn go_away(&mut self, problem: String) {
        (self.device, self.watcher, self.looked, self.lost) = (None, None, None, true);
        self.gone = Some(problem);
    }

    /// Whether the start of the way can be made again: of a device that others use, too, only what an app has from its
    /// first start on.
    fn begins_anew(&self) -> bool {
        let alone = self.watcher.is_none();
        alone || self.origin.as_ref().is_some_and(|origin| origin.app.is_some())
    }

    /// A new way begins where the phone stands; `ahead` is what a trace did from here.
    fn begin(&mut self, expected: Option<Expected>, ahead: Vec<(Event, Expected)>) -> Result<(), String> {
        let seen = self.see(expected.as_ref())?;
        let snapshot = self.save()?;
        let start = Node { event: None, expected, seen: Some(Arc::clone(&seen)), snapshot };
        let ahead = ahead.into_iter().map(|(event, expected)| Node {
            event: Some(event),
            expected: Some(expected),
            seen: None,
            snapshot: None,
        });
        let no = PathNo(self.path.no.0 + 1);
        self.path = Path { no, nodes: std::iter::once(start).chain(ahead).collect(), at: 0 };
        (self.standing, self.redone) = (Standing::Live, 0);
        self.teller.fact(MirrorFact::Began { path: no, start: Arc::clone(&seen), order: self.number });
        self.compare(0, &seen, "at the start");
        Ok(())
    }

    /// Does what a person asks for, where the phone stands.
    fn perform(&mut self, event: Event) -> Result<(), String> {
        if let Some(MirrorDevice::Walk(_)) = &self.device {
            // What was done in a recorded walk was told when it was opened.
            return self.act(|device| device.perform(&event));
        }
        let place = self.path.place();
        if self.watcher.as_ref().is_some_and(Watcher::stale) {
            self.look_anew()?;
        }
        let before = self.seen_here()?;
        self.act(|device| device.perform(&event))?;
        (self.standing, self.redone) = (Standing::Live, 0);
        let node = Node { event: Some(event.clone()), expected: None, seen: None, snapshot: None };
        let gone = self.path.branch(node);
        // Shown at once; keeping it takes a little longer.
        self.publish(Ok(()), 0);
        self.forget(gone);
        let after = self.see(None)?;
        self.keep(&after)?;
        let performed = Performed { place, event, before, after, again: false };
        self.teller.fact(MirrorFact::Performed(Arc::new(performed)));
        Ok(())
    }

    /// Keeps what is seen where the phone stands, and its state.
    pub(super) fn keep(&mut self, seen: &Arc<Seen>) -> Result<(), String> {
        let snapshot = self.save()?;
        if let Some(node) = self.path.nodes.get_mut(self.path.at) {
            node.seen = Some(Arc::clone(seen));
            node.snapshot = snapshot;
        }
        let gone = self.path.too_many();
        self.forget(gone);
        self.path.drop_old_picture();
        Ok(())
    }

    /// Puts the phone where the way comes after `place.step` events.
    fn stand(&mut self, place: PathPlace) -> Result<(), String> {
        if place.path == self.path.no && self.walk().is_some() {
            self.seek(|_| place.step);
            return Ok(());
        }
        if place.path != self.path.no || place.step >= self.path.nodes.len() {
            return Err("The phone went another way since then. Open the trace again.".to_owned());
        }
        self.go_back(place.step)?;
        let total = place.step - self.path.at;
        for done in 0..total {
            if self.number <= self.stopped.load(Ordering::Relaxed) || self.teller.cancel.cancelled() {
                return Err("Stopped. The phone stands where it has come to.".to_owned());
            }
            if total > 1 {
                self.teller.progress(Redoing { done, total });
            }
            self.step_on()?;
            (self.standing, self.redone) = (Standing::Reexecuted, done + 1);
        }
        Ok(())
    }

    /// Goes to the last place up to `step` from which the way can be gone on without doing more again than
    /// must be: a saved state, where the phone is, or a fresh start.
    fn go_back(&mut self, step: usize) -> Result<(), String> {
        let here = Some(self.path.at).filter(|at| *at <= step && !self.lost);
        match self.path.saved_before(step) {
            // Who asks for the place where the phone is wants it exactly as it was.
            Some((from, snapshot)) if here.is_none_or(|here| here < from || here == step) => {
                self.act(|device| device.restore_snapshot(snapshot))?;
                self.path.at = from;
                self.lost = false;
                (self.standing, self.redone) = (Standing::Snapshot, 0);
            }
            // It stands there, or on the way to it.
            Some(_) => {}
            None if here.is_some() => {}
            None => {
                self.device()?;
                if !self.begins_anew() {
                    return Err("This way began with what the app held, and a phone cannot go back to that. Clear its \
                                data and begin anew to go back and forth."
                        .to_owned());
                }
                let Some(origin) = self.origin.take() else { return Err(no_device()) };
                let taken = self.take_device(&origin);
                self.origin = Some(origin);
                taken?;
                self.path.at = 0;
                let seen = self.see(None)?;
                self.compare(0, &seen, "at the start");
                (self.standing, self.redone) = (Standing::Reexecuted, 0);
            }
        }
        Ok(())
    }

    /// Does the next event of the way again.
    fn step_on(&mut self) -> Result<(), String> {
        let (place, next) = (self.path.place(), self.path.at + 1);
        let before = self.seen_here()?;
        let Some(node) = self.path.nodes.get(next) else { return Ok(()) };
        let Some(event) = node.event.clone() else { return Ok(()) };
        let event = event.aimed(&before.frame.layout);
        let expected = node.expectation();
        self.act(|device| device.perform(&event))?;
        self.path.at = next;
        let after = self.see(expected.as_ref())?;
        let words = format!("after \u{201c}{}\u{201d}", event_sentence(&event, &before.frame.layout));
        self.compare(next, &after, &words);
        self.keep(&after)?;
        let performed = Performed { place, event, before, after, again: true };
        self.teller.fact(MirrorFact::Performed(Arc::new(performed)));
        Ok(())
    }

    /// Tells where what is seen is not what was seen there before.
    fn compare(&self, step: usize, seen: &Seen, after: &str) {
        let expected = self.path.nodes.get(step).and_then(Node::expectation);
        let Some(expected) = expected else { return };
        let print = ScreenPrint::of(&seen.frame.layout);
        let likeness = expected.print.likeness(&print);
        if likeness != Likeness::Same {
            let reason = format!("{after}: {}", expected.print.difference(&print));
            let seen = Arc::clone(&seen.frame.layout);
            let divergence = Divergence { step, expected: expected.layout, seen, likeness, reason };
            self.teller.fact(MirrorFact::Diverged(self.path.no, Arc::new(divergence)));
        }
    }

    pub(super) fn device(&mut self) -> Result<&mut dyn Device, String> {
        let gone = || self.gone.clone().unwrap_or_else(no_device);
        self.device.as_mut().map(MirrorDevice::any).ok_or_else(gone)
    }

    /// Does something that may change the screen.
    pub(super) fn act(
        &mut self,
        work: impl FnOnce(&mut dyn Device) -> Result<(), DeviceError>,
    ) -> Result<(), String> {
        self.looked = None;
        let done = work(self.device()?).map_err(text);
        self.lost |= done.is_err();
        done
    }

    pub(super) fn seen_here(&mut self) -> Result<Arc<Seen>, String> {
        match self.path.nodes.get(self.path.at).and_then(|node| node.seen.clone()) {
            Some(seen) => Ok(seen),
            None => self.see(None),
        }
    }

    /// What is seen, as it is kept. The picture of what was expected is that of what is seen, if they agree.
    pub(super) fn see(&mut self, expected: Option<&Expected>) -> Result<Arc<Seen>, String> {
        let frame = self.device()?.observe().map_err(text)?;
        let known = expected.filter(|known| known.print.exact == ScreenPrint::of(&frame.layout).exact);
        let png = match known.and_then(|known| known.png.clone()) {
            Some(png) => Some(png),
            None => self.look()?.picture.clone().map(|picture| self.encode(&picture)).transpose()?,
        };
        Ok(Arc::new(Seen { frame, png }))
    }

    fn encode(&mut self, picture: &Screenshot) -> Result<Arc<Vec<u8>>, String> {
        if let Some(known) = self.encoded.as_ref().filter(|known| known.rgba == picture.rgba) {
            return Ok(Arc::clone(&known.png));
        }
        let png = Arc::new(picture.to_png().map_err(text)?);
        self.encoded = Some(Encoded { rgba: Arc::clone(&picture.rgba), png: Arc::clone(&png) });
        Ok(png)
    }

    /// What the device shows; it is asked once after each event.
    fn look(&mut self) -> Result<&Looked, String> {
        let looked = match self.looked.take() {
            Some(looked) => looked,
            None => {
                let device = self.device()?;
                let frame = device.observe().map_err(text)?;
                let picture = match device.screenshot() {
                    Ok(picture) => Some(picture),
                    Err(DeviceError::Unsupported { .. }) => None,
                    Err(error) => return Err(text(error)),
                };
                Looked { frame, picture }
            }
        };
        Ok(self.looked.insert(looked))
    }

    fn save(&mut self) -> Result<Option<SnapshotId>, String> {
        let device = self.device()?;
        if !device.info().snapshots {
            return Ok(None);
        }
        device.save_snapshot().map(Some).map_err(text)
    }

    pub(super) fn forget(&mut self, gone: Vec<SnapshotId>) {
        if let Ok(device) = self.device() {
            for id in gone {
                device.drop_snapshot(id);
            }
        }
    }

    pub(super) fn publish(&mut self, outcome: Result<(), String>, done: u64) {
        if let Some(problem) = &self.gone {
            return self.teller.gone(problem.clone(), done);
        }
        match self.shown() {
            Ok(shown) => self.teller.news(Some(Arc::new(shown)), outcome.err(), done),
            Err(problem) => self.teller.news(None, outcome.err().or(Some(problem)), done),
        }
    }

    fn shown(&mut self) -> Result<Shown, String> {
        let before = self.teller.shown();
        let Looked { frame, picture } = self.look()?;
        let (frame, picture) = (frame.clone(), picture.clone());
        let info = self.device()?.info().clone();
        let walk = self.walk().map(place_in);
        let same =
            |shown: &Shown| shown.info == info && shown.walk == walk && shown.frame.layout == frame.layout;
        let no = before.map_or(FrameNo(1), |shown| FrameNo(shown.no.0 + u64::from(!same(&shown))));
        if self.recent.back().is_none_or(|(last, _)| *last != no) {
            self.recent.push_back((no, Arc::clone(&frame.layout)));
            if self.recent.len() > RECENT {
                self.recent.pop_front();
            }
        }
        let (place, ahead) = match &walk {
            Some(walk) => (PathPlace { path: self.path.no, step: walk.step }, walk.last - walk.step),
            None => (self.path.place(), self.path.nodes.len().saturating_sub(1 + self.path.at)),
        };
        let (standing, redone, anew) = (self.standing, self.redone, self.begins_anew());
        let (source, stale) = match &self.watcher {
            Some(watcher) => (watcher.source, watcher.stale()),
            None => (None, false),
        };
        Ok(Shown { no, frame, picture, source, stale, info, walk, place, standing, redone, anew, ahead })
    }
}

/// Whether a widget is the other one, whatever was typed into it.
fn same_widget(one: &Widget, other: &Widget) -> bool {
    let text = one.text == other.text || one.is_text_field();
    text && one.class == other.class
        && one.resource_id == other.resource_id
        && one.content_desc == other.content_desc
}

fn no_device() -> String {
    "There is no device. Choose an app or open a walk.".to_owned()
}
