//! `taproof spec import FLOW`: records what a Maestro flow does with an app.

mod flow;

use std::path::PathBuf;

use crate::cli::devices::{ControlOptions, tell_cleared};
use crate::cli::fuzz::BuildOptions;
use crate::cli::initialiser::DataOptions;
use crate::cli::{CommandEnd, Failure, Outcome, app_named, bad_input, print_line, read_text, workspace_path};
use flow::{Command, Flow, Target, on_screen};
use taproof_campaign::{DeviceChoice, SavedTrace};
use taproof_engine::device::{AppData, AppId, Build, Device, DeviceError, DeviceSource};
use taproof_phone::Apps;
use taproof_results::store::save_trace;
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{
    Event, Frame, Gesture, Key, Layout, PxPoint, Selector, StepRole, TouchTarget, WidgetFlags, event_on,
};
use taproof_session::TestPhones;

/// Number of times that the screen is looked at for a widget, and the time in between, as Maestro waits.
const LOOKS: usize = 14;
const PAUSE: DeviceDuration = DeviceDuration(500);

/// Record what a Maestro flow does, as a trace for `initialiser set --from`, `fuzz --from` and `spec draft`
#[derive(clap::Args)]
pub struct Options {
    /// The flow
    #[arg(value_name = "FLOW.yaml")]
    flow: PathBuf,
    /// A bundled app, by name or package; by default the one that the flow names
    #[arg(long, conflicts_with = "device")]
    app: Option<String>,
    #[command(flatten)]
    build: BuildOptions,
    /// The device to perform it on, by its serial
    #[arg(long, value_name = "SERIAL", conflicts_with_all = ["build", "bugs"])]
    device: Option<String>,
    /// The package of the app on the device; by default the one that the flow names
    #[arg(long, value_name = "PACKAGE", requires = "device")]
    package: Option<String>,
    #[command(flatten)]
    control: ControlOptions,
    #[command(flatten)]
    data: DataOptions,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Runs `taproof spec import`.
pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let name = options.flow.display().to_string();
    let bad = |problem: String| bad_input(format!("{name}: {problem}"));
    let flow = flow::parse(&read_text(&options.flow)?).map_err(bad)?;
    let (app, device) = match &options.device {
        Some(serial) => {
            let unnamed = || bad_input("it names no app: give --package");
            let app = options.package.clone().or(flow.app.clone()).ok_or_else(unnamed)?;
            (app, DeviceChoice::Adb(vec![serial.clone()]))
        }
        None => {
            let unnamed = || bad_input("it names no app: give --app");
            let named = options.app.clone().or(flow.app.clone()).ok_or_else(unnamed)?;
            (app_named(apps, &named)?.manifest().package.to_owned(), DeviceChoice::Bundled)
        }
    };
    let mut first = None;
    options.data.ask(&workspace_path(None), &app, &device, &mut first)?;
    let build = options.build.build();
    let phones = TestPhones::new(apps.clone(), tell_cleared());
    let mut phones = phones.on((&app, &build), &device, 0).controlled_by(options.control.method());
    let data = if first.is_some() { AppData::ResetAround } else { AppData::Clear };
    let mut player = Player { device: phones.fresh()?, app: AppId(app.clone()), data, done: Vec::new() };
    let start = player.play(&flow).map_err(|stopped| match stopped {
        Stopped::Device(error) => Failure::from(error),
        Stopped::At(number, problem) => bad_input(format!("command {number}: {problem}")),
    })?;
    let saved = player.trace(options.flow.file_stem(), &build, &start);
    save_trace(&options.out, &saved)?;
    print_line(&format!("{} steps: {}", saved.steps.len(), options.out.display()))?;
    Ok(CommandEnd::Fine)
}

/// Why a flow could not be played to its end.
enum Stopped {
    Device(DeviceError),
    /// The command with this number could not be performed.
    At(usize, String),
}

impl From<DeviceError> for Stopped {
    fn from(error: DeviceError) -> Self {
        Stopped::Device(error)
    }
}

/// Performs a flow and keeps what it did.
struct Player {
    device: Box<dyn Device>,
    app: AppId,
    /// What becomes of its data where the flow begins.
    data: AppData,
    /// The events, each with the frame after it.
    done: Vec<(Event, Frame)>,
}

impl Player {
    /// Plays the flow from cleared data, unless they are kept. Returns the first frame.
    fn play(&mut self, flow: &Flow) -> Result<Frame, Stopped> {
        self.device.launch(&self.app, self.data)?;
        let mut start = self.device.observe()?;
        for (number, command) in &flow.commands {
            let at = |problem: &str| Stopped::At(*number, problem.to_owned());
            match command {
                Command::Launch { clear: true } => {
                    // A trace begins with cleared data.
                    self.device.launch(&self.app, self.data)?;
                    self.done.clear();
                    start = self.device.observe()?;
                }
                Command::Launch { clear: false } if self.done.is_empty() => {}
                Command::Launch { clear: false } => self.perform(Event::Relaunch)?,
                Command::Touch { target, long } => {
                    let place = self.place(target)?.ok_or_else(|| at("its widget is not on the screen"))?;
                    let gesture = if *long { Gesture::LongPress } else { Gesture::Tap };
                    self.touch(place, gesture)?;
                }
                Command::Input(text) => self.perform(Event::Type(text.clone()))?,
                Command::Erase(count) => {
                    let held = self.layout()?;
                    let field = held.widgets().iter().find(|widget| widget.is_focused_field());
                    let letters = field.map_or(0, |field| field.text.chars().count());
                    for _ in 0..letters.min(*count as usize) {
                        self.perform(Event::Key(Key::Delete))?;
                    }
                }
                Command::Press(key) => self.perform(Event::Key(*key))?,
                Command::Swipe(from, to) => {
                    let screen = self.layout()?.screen();
                    self.touch(on_screen(*from, screen), Gesture::Drag(on_screen(*to, screen)))?;
                }
                Command::Scroll(direction) => {
                    let layout = self.layout()?;
                    let list = layout.iter().find(|(_, widget)| widget.flags.has(WidgetFlags::SCROLLABLE));
                    let event = list.and_then(|(idx, _)| event_on(&layout, idx, Gesture::Swipe(*direction)));
                    self.perform(event.ok_or_else(|| at("nothing on the screen can be scrolled"))?)?;
                }
                Command::Turn { sideways } => {
                    if self.layout()?.rotation().sideways() != *sideways {
                        self.perform(Event::Rotate)?;
                    }
                }
                Command::Judge => {}
            }
        }
        Ok(start)
    }

    fn layout(&mut self) -> Result<std::sync::Arc<Layout>, DeviceError> {
        Ok(self.device.observe()?.layout)
    }

    /// Waits until a widget is on the screen.
    fn place(&mut self, target: &Target) -> Result<Option<PxPoint>, DeviceError> {
        for _ in 0..LOOKS {
            if let Some(place) = target.place(&*self.layout()?) {
                return Ok(Some(place));
            }
            self.device.perform(&Event::Wait(PAUSE))?;
        }
        Ok(None)
    }

    fn touch(&mut self, at: PxPoint, gesture: Gesture) -> Result<(), DeviceError> {
        let screen = self.layout()?.screen();
        let target = TouchTarget { selector: Selector::default(), at, screen };
        self.perform(Event::Widget { target, gesture })
    }

    fn perform(&mut self, event: Event) -> Result<(), DeviceError> {
        self.device.perform(&event)?;
        let after = self.device.observe()?;
        self.done.push((event, after));
        Ok(())
    }

    fn trace(&self, title: Option<&std::ffi::OsStr>, build: &Build, start: &Frame) -> SavedTrace {
        let title = title.map_or("flow".to_owned(), |title| title.to_string_lossy().into_owned());
        let before = std::iter::once(start).chain(self.done.iter().map(|(_, after)| after));
        let steps = self.done.iter().zip(before);
        let steps = steps.map(|((event, after), before)| (event, StepRole::Explored, before, after));
        SavedTrace::of_steps(title, (&self.app.0, build), start, steps)
    }
}
