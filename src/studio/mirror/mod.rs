//! The worker that owns the device while a person uses it.
//!
//! Knows nothing of windows and engines: commands come over a bounded channel, the newest frame goes to a
//! one-place slot, and a callback says that there is news. A touch names the frame that the person saw; a
//! touch on another frame is refused, not guessed.
//!
//! Every live event is told once and kept on the way from the fresh start (`path.rs`), so that the phone can
//! be put back into any state that it went through, and into any state of a trace that somebody opens.

mod owner;
mod path;
mod teller;
mod walk;
mod watcher;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, bounded};

pub use taproof_core::device::{AppId, DeviceInfo, PictureSource, Screenshot};
use taproof_core::device::{Device, DeviceError, RecordedDevice};
use taproof_core::model::{Event, Frame, Gesture, PxPoint, WidgetIdx};
use taproof_core::worker::{self, CancelToken, Latest, PanicReport, Worker};

use owner::Owner;
pub use path::{Divergence, Expected, MAX_PICTURES, PathNo, PathPlace, Performed, Seen, Standing};
use teller::Teller;

/// Input that may wait for the device; what is more is refused at once.
const MAX_WAITING: usize = 64;
/// Facts that may wait for the window.
const MAX_FACTS: usize = 256;

/// Says which of the mirror's frames a person looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FrameNo(pub u64);

/// What makes the device, inside the worker; made anew where a device without snapshots must go back.
pub type DeviceMaker = Arc<dyn Fn() -> Result<MirrorDevice, DeviceError> + Send + Sync>;

/// A device that can be shown.
pub enum MirrorDevice {
    /// Events change it.
    Live(Box<dyn Device>),
    /// Its screens are stepped through.
    Walk(Box<RecordedDevice>),
}

/// What the worker is asked to do.
pub enum MirrorCommand {
    /// A gesture at a point of the frame that the person saw.
    Touch {
        /// That frame.
        frame: FrameNo,
        /// Where.
        at: PxPoint,
        /// What.
        gesture: Gesture,
    },
    /// Any event that needs no point.
    Perform(Event),
    /// Shows a step of a recorded walk.
    Seek(usize),
    /// Goes so many steps on in a recorded walk, or back. Two presses in a row are two steps, whatever was
    /// shown when they were made.
    SeekBy(isize),
    /// Puts another device in the place of this one.
    Use(DeviceMaker),
    /// Puts a fresh device where a trace comes after some of its events.
    Open(Box<Opening>),
    /// Puts the phone where its own way, or that of the opened trace, comes.
    Stand(PathPlace),
}

/// A trace to be done again on a fresh device.
pub struct Opening {
    /// Makes the device.
    pub make: DeviceMaker,
    /// The app; its data are cleared and it is launched.
    pub app: AppId,
    /// What must be seen then, if that is known.
    pub start: Option<Expected>,
    /// The events from then on, each with what was seen after it.
    pub events: Vec<(Event, Expected)>,
    /// How many of them are done at once.
    pub step: usize,
}

/// What happened; none is lost.
pub enum MirrorFact {
    /// The phone stands at the start of another way.
    Began {
        /// Which.
        path: PathNo,
        /// What is seen there.
        start: Arc<Seen>,
        /// The number of the command that began it; 0 for the first device.
        order: u64,
    },
    /// An event was done. What lay behind its place is another way now.
    Performed(Arc<Performed>),
    /// A trace done again on this way came elsewhere than it came before.
    Diverged(PathNo, Arc<Divergence>),
}

/// The newest that the worker knows.
#[derive(Clone, Default)]
pub struct MirrorNews {
    /// What the device shows; nothing before there is one.
    pub shown: Option<Arc<Shown>>,
    /// How many commands are done.
    pub done: u64,
    /// Why the last command was not.
    pub problem: Option<String>,
    /// How far the worker is with doing a trace again.
    pub redoing: Option<Redoing>,
    /// The device went away, or could not be opened: what is shown, if anything, is what was seen of it last.
    pub gone: bool,
}

/// How far the worker is with doing a trace again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Redoing {
    /// Events done again.
    pub done: usize,
    /// Events to be done again.
    pub total: usize,
}

/// What a device shows.
pub struct Shown {
    /// The frame's number.
    pub no: FrameNo,
    /// Layout and health.
    pub frame: Frame,
    /// The picture, where the device can make one.
    pub picture: Option<Screenshot>,
    /// Where pictures come from, on a device that is looked at all the time.
    pub source: Option<PictureSource>,
    /// The screen changed by itself: the layout is of an earlier moment than the picture.
    pub stale: bool,
    /// What the device says of itself.
    pub info: DeviceInfo,
    /// Where in a walk this is.
    pub walk: Option<WalkPlace>,
    /// Where on its way the phone stands.
    pub place: PathPlace,
    /// How it came to stand there.
    pub standing: Standing,
    /// How many events were done again to come to stand there.
    pub redone: usize,
    /// Whether the start of its way can be made again, so that earlier places can be gone to.
    pub anew: bool,
    /// How many events of the way lie ahead, when the phone was put back.
    pub ahead: usize,
}

impl Shown {
    /// Where the phone's way comes newest.
    pub fn newest(&self) -> PathPlace {
        PathPlace { step: self.place.step + self.ahead, ..self.place }
    }
}

/// A place in a recorded walk.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkPlace {
    /// What is done in the walk.
    pub title: String,
    /// The step shown; 0 is before the first event.
    pub step: usize,
    /// The last step.
    pub last: usize,
    /// What was done on this screen, and the widget that was touched.
    pub next: Option<(Event, Option<WidgetIdx>)>,
}

/// The worker's handle. Dropping it ends the worker.
pub struct Mirror {
    commands: Sender<MirrorCommand>,
    news: Latest<MirrorNews>,
    facts: Receiver<MirrorFact>,
    sent: AtomicU64,
    /// Commands up to this one need not finish doing a trace again.
    stopped: Arc<AtomicU64>,
    /// Ends once no command can come any more; a fact that waits for room fails then.
    _thread: Worker,
}

impl Mirror {
    /// Starts the worker; `make` runs there. `wake` is called whenever there is news.
    pub fn start(make: DeviceMaker, wake: impl Fn() + Send + Sync + 'static) -> std::io::Result<Mirror> {
        let (commands, waiting) = bounded(MAX_WAITING);
        let news = Latest::new();
        let last = Arc::new(Mutex::new(MirrorNews::default()));
        let wake = Arc::new(wake);
        let (told, facts) = bounded(MAX_FACTS);
        let cancel = CancelToken::new();
        let stopped = Arc::new(AtomicU64::new(0));
        let teller = Teller {
            last: Arc::clone(&last),
            news: news.clone(),
            facts: told,
            cancel: cancel.clone(),
            wake: wake.clone(),
        };
        let mut owner = Owner::new(teller, Arc::clone(&stopped));
        let on_panic = {
            let news = news.clone();
            move |report: PanicReport| {
                let mut told = last.lock().unwrap_or_else(PoisonError::into_inner).clone();
                told.problem = Some(format!("The phone stopped: {}. Restart Taproof.", report.message));
                news.publish(told);
                wake();
            }
        };
        let _thread = worker::spawn("mirror", &cancel, move || owner.run(make, &waiting), on_panic)?;
        Ok(Mirror { commands, news, facts, sent: AtomicU64::new(0), stopped, _thread })
    }

    /// Hands a command to the worker and returns its number; `None` if too many are waiting or the worker has
    /// stopped. Who wants the phone elsewhere no longer wants it where it is being brought.
    pub fn send(&self, command: MirrorCommand) -> Option<u64> {
        let elsewhere =
            matches!(command, MirrorCommand::Stand(_) | MirrorCommand::Open(_) | MirrorCommand::Use(_));
        let accepted = self.commands.try_send(command).is_ok();
        if accepted {
            let before = self.sent.fetch_add(1, Ordering::Relaxed);
            if elsewhere {
                self.stopped.fetch_max(before, Ordering::Relaxed);
            }
        }
        accepted.then(|| self.sent.load(Ordering::Relaxed))
    }

    /// Stops doing a trace again; the phone stays where it has come to.
    pub fn stop_redoing(&self) {
        self.stopped.fetch_max(self.sent.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// The newest, if there is any since the last time.
    pub fn news(&self) -> Option<MirrorNews> {
        self.news.take()
    }

    /// What happened since the last time, in order.
    pub fn facts(&self, most: usize) -> Vec<MirrorFact> {
        self.facts.try_iter().take(most).collect()
    }
}

/// Opens a recorded walk.
pub fn walk_maker(folder: PathBuf) -> DeviceMaker {
    Arc::new(move || Ok(MirrorDevice::Walk(Box::new(RecordedDevice::open(&folder)?))))
}
