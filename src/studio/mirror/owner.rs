//! The thread that owns the device: executes commands, observes the screen and publishes both.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crossbeam_channel::{Receiver, never, select};

use super::path::{Node, Path};
use super::publisher::Publisher;
use super::watcher::{Poll, Watcher};
use super::{
    DeviceMaker, Divergence, Expected, FrameNo, MirrorCommand, MirrorDevice, MirrorFact, Opening, PathNo,
    PathPosition, Performed, ReachedBy, Redoing, Seen, Shown, WalkPlace,
};
use taproof_engine::device::{
    AppData, AppId, Device, DeviceError, DeviceWarnings, RecordedDevice, Screenshot, SnapshotId,
};
use taproof_engine::worker::Unwanted;
use taproof_screen::{
    Event, Frame, Layout, Likeness, PxPoint, PxSize, ScreenPrint, Selector, TouchTarget, Widget,
    event_sentence,
};

/// Number of latest frames whose layouts are stored, to resolve touches that were aimed at them.
const RECENT: usize = 32;

pub(super) struct Owner {
    pub(super) device: Option<MirrorDevice>,
    /// How to recreate the start of the path if no snapshot of it exists.
    origin: Option<Origin>,
    pub(super) path: Path,
    pub(super) standing: ReachedBy,
    pub(super) redone: usize,
    /// The screen, if nothing has been done to the device since it was observed.
    pub(super) looked: Option<Looked>,
    /// The number of the latest frame. Numbers never begin anew: a touch names one long after its frame was shown.
    no: FrameNo,
    /// The layouts of the latest frames of this device, the newest last.
    recent: VecDeque<(FrameNo, Arc<Layout>)>,
    /// The last encoded picture, reused if an event does not change the screen.
    encoded: Option<Encoded>,
    /// Whether a command failed halfway, so that the device's position on the path is unknown.
    lost: bool,
    /// Collects warnings about the layouts of the device.
    warnings: DeviceWarnings,
    /// A command that was received but not executed, because it followed typed text.
    held: Option<MirrorCommand>,
    /// Observes the device concurrently with this thread. `None` if the device cannot be watched.
    pub(super) watcher: Option<Watcher>,
    /// Why there is no device, if it was disconnected or could not be opened.
    gone: Option<String>,
    pub(super) publisher: Publisher,
    /// The number of the current command, and the one up to which re-executions shall end.
    number: u64,
    stopped: Arc<AtomicU64>,
    /// Whether what the device is asked for at the moment is not wanted any more.
    given_up: Arc<AtomicBool>,
}

/// What the worker does next.
enum Next {
    Command(MirrorCommand),
    Poll(Poll),
    NobodyLooks,
}

struct Origin {
    make: DeviceMaker,
    /// The app to launch with cleared data before the path begins, if any.
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
    fn fresh(&self, unwanted: &Unwanted) -> Result<MirrorDevice, DeviceError> {
        let mut device = (self.make)(unwanted)?;
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
    pub(super) fn new(publisher: Publisher, stopped: Arc<AtomicU64>, given_up: Arc<AtomicBool>) -> Self {
        Owner {
            device: None,
            origin: None,
            path: Path::default(),
            standing: ReachedBy::Live,
            redone: 0,
            looked: None,
            no: FrameNo::default(),
            recent: VecDeque::new(),
            encoded: None,
            lost: false,
            warnings: DeviceWarnings::default(),
            held: None,
            watcher: None,
            gone: None,
            publisher,
            number: 0,
            stopped,
            given_up,
        }
    }

    pub(super) fn run(&mut self, make: DeviceMaker, waiting: &Receiver<MirrorCommand>) {
        let opened = self.undisturbed(|owner| owner.use_device(make));
        self.leave_given_up();
        self.publish(opened, 0);
        while let Some(next) = self.next(waiting) {
            match next {
                Next::Command(command) => {
                    let (command, count) = self.with_later_text(command, waiting);
                    self.number += count;
                    let outcome = self.undisturbed(|owner| owner.obey(command));
                    self.leave_given_up();
                    self.publish(outcome, count);
                }
                Next::Poll(look) => {
                    self.notice(look);
                    if self.leave_given_up() {
                        self.publish(Ok(()), 0);
                    }
                }
                Next::NobodyLooks => {
                    self.go_away("Looking at the phone ended. Choose its app again.".to_owned());
                    self.publish(Ok(()), 0);
                }
            }
        }
    }

    /// Lets the device go if a person gave up what it was asked for: nobody knows how far it came. Returns whether it did.
    fn leave_given_up(&mut self) -> bool {
        let given_up = self.given_up.swap(false, Ordering::Relaxed);
        if given_up {
            self.go_away("What it was asked for was stopped. Choose its app again to go on.".to_owned());
        }
        given_up
    }

    /// Waits for the next command or poll. Returns `None` once the mirror is closed. The receiver of polls is dropped
    /// before the result is processed, since the watcher can only end once no receiver exists.
    fn next(&mut self, waiting: &Receiver<MirrorCommand>) -> Option<Next> {
        if let Some(command) = self.held.take() {
            return Some(Next::Command(command));
        }
        let looks = self.watcher.as_ref().map_or_else(never, |watcher| watcher.looks.clone());
        select! {
            recv(waiting) -> command => command.ok().map(Next::Command),
            recv(looks) -> look => Some(look.map_or(Next::NobodyLooks, Next::Poll)),
        }
    }

    /// Merges text to type with the text that was typed after it while the device was busy: each event takes seconds on
    /// a slow device. Returns the command and the number of commands that it stands for.
    fn with_later_text(
        &mut self,
        command: MirrorCommand,
        waiting: &Receiver<MirrorCommand>,
    ) -> (MirrorCommand, u64) {
        let MirrorCommand::Perform(Event::Type(mut text)) = command else { return (command, 1) };
        let mut count = 1;
        while let Ok(next) = waiting.try_recv() {
            let MirrorCommand::Perform(Event::Type(more)) = next else {
                self.held = Some(next);
                break;
            };
            text.push_str(&more);
            count += 1;
        }
        (MirrorCommand::Perform(Event::Type(text)), count)
    }

    /// Executes `work` while the watcher takes no pictures.
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
            MirrorCommand::LetGo(reason) => {
                self.go_away(reason);
                self.publisher.forget();
                Ok(())
            }
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
                let target = TouchTarget { selector: Selector::default(), at, screen };
                self.perform(Event::Widget { target, gesture })
            }
            MirrorCommand::Open(opening) => self.open(*opening),
            MirrorCommand::Stand(place) => self.stand(place),
        }
    }

    /// Returns the size of the screen if a touch on an earlier frame still has the same target, else `None`. Pending
    /// keystrokes change a field, for instance, but not the button next to it.
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
        self.publish_walk();
        Ok(())
    }

    /// Leads a fresh phone along the first `step` events of a trace.
    fn open(&mut self, opening: Opening) -> Result<(), String> {
        let Opening { make, app, start, events, step } = opening;
        self.set_origin(Origin { make, app: Some(app) })?;
        self.begin(start, events)?;
        // While it is led along the trace, this device is shown and not the previous one.
        self.publish(Ok(()), 0);
        self.stand(PathPosition { path: self.path.no, step })
    }

    fn set_origin(&mut self, origin: Origin) -> Result<(), String> {
        // A touch that was aimed at another device does not reach this one.
        self.recent.clear();
        let taken = self.take_device(&origin);
        if taken.is_err() {
            // What was shown belongs to another device.
            self.publisher.forget();
        }
        self.origin = Some(origin);
        taken
    }

    /// Opens a device. The previous one is dropped first: other programs use it, too, and its settings must be
    /// restored.
    fn take_device(&mut self, origin: &Origin) -> Result<(), String> {
        (self.device, self.watcher, self.looked, self.gone) = (None, None, None, None);
        self.warnings = DeviceWarnings::default();
        let given_up = Arc::clone(&self.given_up);
        let unwanted: Unwanted = Arc::new(move || given_up.load(Ordering::Relaxed));
        let opened = origin.fresh(&unwanted).and_then(|mut device| {
            let watcher = Watcher::begin(device.any())?;
            Ok((device, watcher))
        });
        match opened {
            Ok((device, watcher)) => {
                (self.device, self.watcher, self.lost) = (Some(device), watcher, false);
                // The watcher begins when the owner has finished the current command.
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

    /// Records that there is no device until another one is opened.
    pub(super) fn go_away(&mut self, problem: String) {
        (self.device, self.watcher, self.looked, self.lost) = (None, None, None, true);
        self.gone = Some(problem);
    }

    /// Whether the start of the path can be recreated. On a watched device, which others use as well, only if the path
    /// began with the app's data cleared.
    fn begins_anew(&self) -> bool {
        let alone = self.watcher.is_none();
        alone || self.origin.as_ref().is_some_and(|origin| origin.app.is_some())
    }

    /// Begins a new path where the phone is. `expected` is the screen that a trace had here, `ahead` the trace's
    /// events.
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
        (self.standing, self.redone) = (ReachedBy::Live, 0);
        self.publisher.fact(MirrorFact::Began { path: no, start: Arc::clone(&seen), order: self.number });
        self.compare(0, &seen, "at the start");
        Ok(())
    }

    /// Performs an event that a person requested.
    fn perform(&mut self, event: Event) -> Result<(), String> {
        if let Some(MirrorDevice::Walk(_)) = &self.device {
            // The events of a recorded walk were reported when it was opened.
            return self.act(|device| device.perform(&event));
        }
        let place = self.path.place();
        if self.watcher.as_ref().is_some_and(Watcher::stale) {
            self.look_anew()?;
        }
        let before = self.seen_here()?;
        self.act(|device| device.perform(&event))?;
        (self.standing, self.redone) = (ReachedBy::Live, 0);
        let node = Node { event: Some(event.clone()), expected: None, seen: None, snapshot: None };
        let gone = self.path.branch(node);
        // The screen is shown at once, since storing it takes a little longer.
        self.publish(Ok(()), 0);
        self.forget(gone);
        let after = self.see(None)?;
        self.keep(&after)?;
        let performed = Performed { place, event, before, after, again: false };
        self.publisher.fact(MirrorFact::Performed(Arc::new(performed)));
        Ok(())
    }

    /// Stores the screen at the current position, and a snapshot if the device has them.
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

    /// Moves the phone to a position of its path.
    fn stand(&mut self, place: PathPosition) -> Result<(), String> {
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
            if self.number <= self.stopped.load(Ordering::Relaxed) || self.publisher.cancel.cancelled() {
                return Err("Stopped. The phone stands where it has come to.".to_owned());
            }
            if total > 1 {
                self.publisher.progress(Redoing { done, total });
            }
            self.step_on()?;
            (self.standing, self.redone) = (ReachedBy::Reexecuted, done + 1);
        }
        Ok(())
    }

    /// Moves to the position at or before `step` that leaves the fewest events to re-execute: the current one, one with
    /// a snapshot, or a fresh start.
    fn go_back(&mut self, step: usize) -> Result<(), String> {
        let here = Some(self.path.at).filter(|at| *at <= step && !self.lost);
        match self.path.saved_before(step) {
            // A person who requests the current position wants its exact state.
            Some((from, snapshot)) if here.is_none_or(|here| here < from || here == step) => {
                self.act(|device| device.restore_snapshot(snapshot))?;
                self.path.at = from;
                self.lost = false;
                (self.standing, self.redone) = (ReachedBy::Snapshot, 0);
            }
            // The phone is at `step` or before it.
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
                (self.standing, self.redone) = (ReachedBy::Reexecuted, 0);
            }
        }
        Ok(())
    }

    /// Re-executes the next event of the path.
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
        self.publisher.fact(MirrorFact::Performed(Arc::new(performed)));
        Ok(())
    }

    /// Reports a divergence if the screen differs from the one expected at this step.
    fn compare(&self, step: usize, seen: &Seen, after: &str) {
        let expected = self.path.nodes.get(step).and_then(Node::expectation);
        let Some(expected) = expected else { return };
        let print = ScreenPrint::of(&seen.frame.layout);
        let likeness = expected.print.likeness(&print);
        if likeness != Likeness::Same {
            let reason = format!("{after}: {}", expected.print.difference(&print));
            let seen = Arc::clone(&seen.frame.layout);
            let divergence = Divergence { step, expected: expected.layout, seen, likeness, reason };
            self.publisher.fact(MirrorFact::Diverged(self.path.no, Arc::new(divergence)));
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

    /// Observes the screen to be stored. If it equals the expected one, that one's picture is reused.
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

    /// Returns the screen, which is observed once after each event.
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
            return self.publisher.gone(problem.clone(), done);
        }
        let shown = self.shown();
        self.count_warnings();
        match shown {
            Ok(shown) => self.publisher.news(Some(Arc::new(shown)), outcome.err(), done),
            Err(problem) => self.publisher.news(None, outcome.err().or(Some(problem)), done),
        }
    }

    fn count_warnings(&mut self) {
        let new = self.device.as_mut().map_or(Vec::new(), |device| device.any().take_warnings());
        for warning in new {
            self.warnings.add(&warning.problem, warning.count);
        }
        self.publisher.warn(self.warnings.note());
    }

    fn shown(&mut self) -> Result<Shown, String> {
        let before = self.publisher.shown();
        let Looked { frame, picture } = self.look()?;
        let (frame, picture) = (frame.clone(), picture.clone());
        let device = self.device()?;
        let (info, typeable) = (device.info().clone(), device.typeable());
        let walk = self.walk().map(place_in);
        let same =
            |shown: &Shown| shown.info == info && shown.walk == walk && shown.frame.layout == frame.layout;
        if !before.is_some_and(|shown| same(&shown)) {
            self.no = FrameNo(self.no.0 + 1);
        }
        let no = self.no;
        if self.recent.back().is_none_or(|(last, _)| *last != no) {
            self.recent.push_back((no, Arc::clone(&frame.layout)));
            if self.recent.len() > RECENT {
                self.recent.pop_front();
            }
        }
        let (place, ahead) = match &walk {
            Some(walk) => (PathPosition { path: self.path.no, step: walk.step }, walk.last - walk.step),
            None => (self.path.place(), self.path.nodes.len().saturating_sub(1 + self.path.at)),
        };
        let (standing, redone, anew) = (self.standing, self.redone, self.begins_anew());
        let (source, stale) = match &self.watcher {
            Some(watcher) => (watcher.source, watcher.stale()),
            None => (None, false),
        };
        Ok(Shown {
            no,
            frame,
            picture,
            source,
            stale,
            info,
            typeable,
            walk,
            place,
            standing,
            redone,
            anew,
            ahead,
        })
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

/// Whether a widget is the other one, whatever was typed into it.
fn same_widget(one: &Widget, other: &Widget) -> bool {
    let text = one.text == other.text || one.is_text_field();
    text && one.class == other.class
        && one.resource_id == other.resource_id
        && one.content_desc == other.content_desc
}

fn no_device() -> String {
    "There is no device. Choose an app or open a recorded session.".to_owned()
}
