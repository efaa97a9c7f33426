//! The worker that owns the device while a person uses it.
//!
//! The worker is independent of windows and engines. Commands arrive over a bounded channel, the newest frame is
//! published in a slot for one message, and a callback announces news. A touch names the frame that the person saw; if
//! the screen has changed there since, the touch is refused instead of being guessed.
//!
//! Every live event is reported once and stored on the path from the fresh start (`path.rs`), so that the phone can be
//! returned to any earlier state, and be led to any state of an opened trace.

mod owner;
mod path;
mod publisher;
mod walk;
mod watcher;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, bounded};

pub use taproof_engine::device::{AppId, DeviceInfo, PictureSource, Screenshot};
use taproof_engine::device::{Device, DeviceError, RecordedDevice, Typeable};
use taproof_engine::worker::{self, CancelToken, Latest, PanicReport, Unwanted, Worker};
use taproof_screen::{Event, Frame, Gesture, PxPoint, WidgetIdx};

use owner::Owner;
pub use path::{Divergence, Expected, MAX_PICTURES, PathNo, PathPosition, Performed, ReachedBy, Seen};
use publisher::Publisher;

/// Maximum number of commands that wait for the device; further ones are refused.
const MAX_WAITING: usize = 64;
/// Maximum number of facts that wait for the window; then the worker waits.
const MAX_FACTS: usize = 256;

/// The number of a frame that the mirror showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FrameNo(pub u64);

/// Opens or creates the device, on the worker's thread. Called again when a device without snapshots must return to its
/// start. What it asks of the device, then and later, ends early once it is unwanted.
pub type DeviceMaker = Arc<dyn Fn(&Unwanted) -> Result<MirrorDevice, DeviceError> + Send + Sync>;

/// A device that the mirror can show.
pub enum MirrorDevice {
    /// A device that executes events.
    Live(Box<dyn Device>),
    /// A recorded walk, whose screens can only be stepped through.
    Walk(Box<RecordedDevice>),
}

/// A command for the worker.
pub enum MirrorCommand {
    /// Performs a gesture at a point of a frame.
    Touch {
        /// The number of the frame that the person saw.
        frame: FrameNo,
        /// Where the gesture begins, in pixels of the device.
        at: PxPoint,
        /// The gesture to perform there, such as a tap.
        gesture: Gesture,
    },
    /// Performs an event that needs no point.
    Perform(Event),
    /// Shows this step of a recorded walk.
    Seek(usize),
    /// Moves by this many steps in a recorded walk, backwards if negative. Relative to the step shown when the command
    /// is executed, so that two quick presses move two steps.
    SeekBy(isize),
    /// Replaces the device by the one that this maker makes.
    Use(DeviceMaker),
    /// Gives the device back, since somebody else uses it; the reason.
    LetGo(String),
    /// Replaces the device by a fresh one, and leads it along a trace.
    Open(Box<Opening>),
    /// Moves the phone to this position of its path.
    Stand(PathPosition),
}

/// A trace to be re-executed on a fresh device.
pub struct Opening {
    /// Makes the fresh device.
    pub make: DeviceMaker,
    /// The app under test. It is launched with cleared data before the first event.
    pub app: AppId,
    /// The screen expected at the start, if known.
    pub start: Option<Expected>,
    /// The events of the trace, each with the screen expected after it.
    pub events: Vec<(Event, Expected)>,
    /// Number of events to perform at once; the others stay ahead on the path.
    pub step: usize,
}

/// Something that happened on the device. Facts are never dropped.
pub enum MirrorFact {
    /// The phone is at the start of a new path.
    Began {
        /// The number of the new path.
        path: PathNo,
        /// The screen at its start.
        start: Arc<Seen>,
        /// The number of the command that began the path, as returned by [`Mirror::send`]; 0 for the first device.
        order: u64,
    },
    /// An event was performed. Unless it was a repetition, later positions of the path are void.
    Performed(Arc<Performed>),
    /// Re-executing events of this path led to another screen than before.
    Diverged(PathNo, Arc<Divergence>),
}

/// The newest state of the worker.
#[derive(Clone, Default)]
pub struct MirrorNews {
    /// What the device shows. `None` until there is a device.
    pub shown: Option<Arc<Shown>>,
    /// Number of commands completed since the worker started, successfully or not.
    pub done: u64,
    /// Why the last command failed. `None` if it succeeded.
    pub problem: Option<String>,
    /// A problem with the layouts of this device, which are shown nevertheless.
    pub warning: Option<String>,
    /// Progress of a running re-execution. `None` if there is none.
    pub redoing: Option<Redoing>,
    /// Whether the device was disconnected or could not be opened. `shown` is then the last screen seen, if any.
    pub gone: bool,
}

/// Progress of a re-execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Redoing {
    /// Number of events performed so far.
    pub done: usize,
    /// Number of events to perform.
    pub total: usize,
}

/// The screen of a device, with its position on the path or walk.
pub struct Shown {
    /// The frame's number, which a touch on this screen must name.
    pub no: FrameNo,
    /// The layout and the app's health.
    pub frame: Frame,
    /// The picture of the screen. `None` if the device cannot take any.
    pub picture: Option<Screenshot>,
    /// How a watched device takes its pictures. `None` for a device that is not watched.
    pub source: Option<PictureSource>,
    /// Whether the screen has changed by itself, so that the layout is older than the picture.
    pub stale: bool,
    /// What the device reports about itself.
    pub info: DeviceInfo,
    /// Which texts it can type as it is controlled now.
    pub typeable: Typeable,
    /// The position in a recorded walk. `None` on a live device.
    pub walk: Option<WalkPlace>,
    /// The phone's position on its path.
    pub place: PathPosition,
    /// How the phone reached that position.
    pub standing: ReachedBy,
    /// Number of events that were re-executed to reach it.
    pub redone: usize,
    /// Whether the start of the path can be recreated, so that the phone can return to earlier positions.
    pub anew: bool,
    /// Number of events of the path after this position. Positive if the phone was moved back, or leads along a trace.
    pub ahead: usize,
}

impl Shown {
    /// The last position of the phone's path.
    pub fn newest(&self) -> PathPosition {
        PathPosition { step: self.place.step + self.ahead, ..self.place }
    }
}

/// A position in a recorded walk.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkPlace {
    /// The title of the walk.
    pub title: String,
    /// The step shown; 0 is before the first event.
    pub step: usize,
    /// The number of the last step.
    pub last: usize,
    /// The event performed on this screen, and the widget it touched. `None` at the last step.
    pub next: Option<(Event, Option<WidgetIdx>)>,
}

/// Handle of the worker. Dropping it ends the worker.
pub struct Mirror {
    commands: Sender<MirrorCommand>,
    news: Latest<MirrorNews>,
    facts: Receiver<MirrorFact>,
    sent: AtomicU64,
    /// A re-execution ends early if its command's number is at most this one.
    stopped: Arc<AtomicU64>,
    /// Whether what the device is asked for at the moment is not wanted any more.
    given_up: Arc<AtomicBool>,
    /// Ends when the channel of commands is closed; a fact that waits for space in its channel then fails to be sent.
    _thread: Worker,
}

impl Mirror {
    /// Starts the worker. `make` runs on its thread; `wake` is called whenever there is news.
    ///
    /// # Errors
    ///
    /// If the thread cannot be started. A failure of `make` is reported as news.
    pub fn start(make: DeviceMaker, wake: impl Fn() + Send + Sync + 'static) -> std::io::Result<Mirror> {
        let (commands, waiting) = bounded(MAX_WAITING);
        let news = Latest::new();
        let last = Arc::new(Mutex::new(MirrorNews::default()));
        let wake = Arc::new(wake);
        let (sender, facts) = bounded(MAX_FACTS);
        let cancel = CancelToken::new();
        let stopped = Arc::new(AtomicU64::new(0));
        let publisher = Publisher {
            last: Arc::clone(&last),
            news: news.clone(),
            facts: sender,
            cancel: cancel.clone(),
            wake: wake.clone(),
        };
        let given_up = Arc::new(AtomicBool::new(false));
        let mut owner = Owner::new(publisher, Arc::clone(&stopped), Arc::clone(&given_up));
        let on_panic = {
            let news = news.clone();
            move |report: PanicReport| {
                let mut news_at_end = last.lock().unwrap_or_else(PoisonError::into_inner).clone();
                news_at_end.problem =
                    Some(format!("The phone stopped: {}. Restart Taproof.", report.message));
                news.publish(news_at_end);
                wake();
            }
        };
        let _thread = worker::spawn("mirror", &cancel, move || owner.run(make, &waiting), on_panic)?;
        Ok(Mirror { commands, news, facts, sent: AtomicU64::new(0), stopped, given_up, _thread })
    }

    /// Sends a command to the worker and returns its number, counted from 1. Returns `None` if too many commands are
    /// waiting or the worker has ended. A command that moves the phone elsewhere ends a re-execution in progress.
    pub fn send(&self, command: MirrorCommand) -> Option<u64> {
        let elsewhere = matches!(
            command,
            MirrorCommand::Stand(_)
                | MirrorCommand::Open(_)
                | MirrorCommand::Use(_)
                | MirrorCommand::LetGo(_)
        );
        let accepted = self.commands.try_send(command).is_ok();
        if accepted {
            let before = self.sent.fetch_add(1, Ordering::Relaxed);
            if elsewhere {
                self.stopped.fetch_max(before, Ordering::Relaxed);
            }
        }
        accepted.then(|| self.sent.load(Ordering::Relaxed))
    }

    /// Ends a re-execution in progress; the phone stays at the step that it has reached.
    pub fn stop_redoing(&self) {
        self.stopped.fetch_max(self.sent.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Ends what the phone is asked for at the moment. It is away then until it is opened again.
    pub fn give_up(&self) {
        self.given_up.store(true, Ordering::Relaxed);
    }

    /// Returns the newest state, or `None` if nothing changed since the last call.
    pub fn news(&self) -> Option<MirrorNews> {
        self.news.take()
    }

    /// Returns the facts since the last call in order, at most `most`.
    pub fn facts(&self, most: usize) -> Vec<MirrorFact> {
        self.facts.try_iter().take(most).collect()
    }
}

/// Returns a maker that opens the recorded walk in this folder.
pub fn walk_maker(folder: PathBuf) -> DeviceMaker {
    Arc::new(move |_| Ok(MirrorDevice::Walk(Box::new(RecordedDevice::open(&folder)?))))
}
