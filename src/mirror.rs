//! The worker that owns the device while a person uses it.
//!
//! Knows nothing of windows and engines: commands come over a bounded channel, the newest frame goes to a
//! one-place slot, and a callback says that there is news. A touch names the frame that the person saw; a
//! touch on another frame is refused, not guessed.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, bounded};

pub use crate::device::{AppData, AppId, DeviceInfo, Screenshot};
use crate::device::{Device, DeviceError, RecordedDevice};
use crate::model::{Event, Frame, Gesture, PxPoint, Selector, Target, WidgetIdx};
use crate::worker::{self, Latest, PanicReport};

/// Input that may wait for the device; what is more is refused at once.
const MAX_WAITING: usize = 64;

/// Says which of the mirror's frames a person looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FrameNo(pub u64);

/// What makes the device, inside the worker.
pub type DeviceMaker = Box<dyn FnOnce() -> Result<MirrorDevice, DeviceError> + Send>;

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
    /// Starts an app.
    Launch(AppId, AppData),
    /// Shows a step of a recorded walk.
    Seek(usize),
    /// Goes so many steps on in a recorded walk, or back. Two presses in a row are two steps, whatever was
    /// shown when they were made.
    SeekBy(isize),
    /// Puts another device in the place of this one.
    Use(DeviceMaker),
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
}

/// What a device shows.
pub struct Shown {
    /// The frame's number.
    pub no: FrameNo,
    /// Layout and health.
    pub frame: Frame,
    /// The picture, where the device can make one.
    pub picture: Option<Screenshot>,
    /// What the device says of itself.
    pub info: DeviceInfo,
    /// Where in a walk this is.
    pub walk: Option<WalkPlace>,
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
    commands: Option<Sender<MirrorCommand>>,
    news: Latest<MirrorNews>,
    thread: Option<JoinHandle<()>>,
}

impl Mirror {
    /// Starts the worker; `make` runs there. `wake` is called whenever there is news.
    pub fn start(make: DeviceMaker, wake: impl Fn() + Send + Sync + 'static) -> std::io::Result<Mirror> {
        let (commands, waiting) = bounded(MAX_WAITING);
        let news = Latest::new();
        let last = Arc::new(Mutex::new(MirrorNews::default()));
        let wake = Arc::new(wake);
        let mut owner =
            Owner { device: None, last: Arc::clone(&last), news: news.clone(), wake: wake.clone() };
        let on_panic = {
            let news = news.clone();
            move |report: PanicReport| {
                let mut told = last.lock().unwrap_or_else(PoisonError::into_inner).clone();
                told.problem = Some(format!("The phone stopped: {}. Restart Taproof.", report.message));
                news.publish(told);
                wake();
            }
        };
        let thread = worker::spawn("mirror", move || owner.run(make, &waiting), on_panic)?;
        Ok(Mirror { commands: Some(commands), news, thread: Some(thread) })
    }

    /// Hands a command to the worker; false if too many are waiting or it has stopped.
    pub fn send(&self, command: MirrorCommand) -> bool {
        self.commands.as_ref().is_some_and(|commands| commands.try_send(command).is_ok())
    }

    /// The newest, if there is any since the last time.
    pub fn news(&self) -> Option<MirrorNews> {
        self.news.take()
    }
}

impl Drop for Mirror {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            // A panic was told already.
            drop(thread.join());
        }
    }
}

/// Opens a recorded walk.
pub fn walk_maker(folder: PathBuf) -> DeviceMaker {
    Box::new(move || Ok(MirrorDevice::Walk(Box::new(RecordedDevice::open(&folder)?))))
}

struct Owner {
    device: Option<MirrorDevice>,
    /// Shared with the panic's report only.
    last: Arc<Mutex<MirrorNews>>,
    news: Latest<MirrorNews>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl Owner {
    fn run(&mut self, make: DeviceMaker, waiting: &Receiver<MirrorCommand>) {
        let opened = self.use_device(make);
        self.publish(opened, 0);
        while let Ok(command) = waiting.recv() {
            let outcome = self.obey(command);
            self.publish(outcome, 1);
        }
    }

    fn use_device(&mut self, make: DeviceMaker) -> Result<(), String> {
        self.device = Some(make().map_err(|error| error.to_string())?);
        Ok(())
    }

    fn obey(&mut self, command: MirrorCommand) -> Result<(), String> {
        let text = |error: DeviceError| error.to_string();
        let event = match command {
            MirrorCommand::Use(make) => return self.use_device(make),
            MirrorCommand::Seek(step) => {
                if let Some(MirrorDevice::Walk(walk)) = &mut self.device {
                    walk.seek(step);
                }
                return Ok(());
            }
            MirrorCommand::SeekBy(steps) => {
                if let Some(MirrorDevice::Walk(walk)) = &mut self.device {
                    walk.seek(walk.position().saturating_add_signed(steps));
                }
                return Ok(());
            }
            MirrorCommand::Launch(app, data) => return self.device()?.launch(&app, data).map_err(text),
            MirrorCommand::Perform(event) => event,
            MirrorCommand::Touch { frame, at, gesture } => {
                let seen = self.last.lock().unwrap_or_else(PoisonError::into_inner).shown.clone();
                let Some(seen) = seen.filter(|seen| seen.no == frame) else {
                    return Err("The screen changed before the touch. Look again and repeat it.".to_owned());
                };
                let screen = seen.frame.layout.screen();
                Event::Widget { target: Target { selector: Selector::default(), at, screen }, gesture }
            }
        };
        self.device()?.perform(&event).map_err(text)
    }

    fn device(&mut self) -> Result<&mut dyn Device, String> {
        match &mut self.device {
            Some(MirrorDevice::Live(device)) => Ok(&mut **device),
            Some(MirrorDevice::Walk(walk)) => Ok(&mut **walk),
            None => Err("There is no device. Choose an app or open a walk.".to_owned()),
        }
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
        let frame = device.observe().map_err(|error| error.to_string())?;
        let picture = match device.screenshot() {
            Ok(picture) => Some(picture),
            Err(DeviceError::Unsupported { .. }) => None,
            Err(error) => return Err(error.to_string()),
        };
        let same =
            |shown: &Shown| shown.info == info && shown.walk == walk && shown.frame.layout == frame.layout;
        let number = before.map_or(FrameNo(1), |shown| FrameNo(shown.no.0 + u64::from(!same(shown))));
        Ok(Shown { no: number, frame, picture, info, walk })
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
