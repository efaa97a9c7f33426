//! The window: one loop that connects the state, the panels and everything outside.
//!
//! In each frame the events that have arrived are handled one after the other (`handle`). A handler changes the state and
//! returns effects, which `workers` executes. Then the panels draw the state and queue commands, which are the events of
//! the next frame. Nothing here blocks.

mod frame_times;
mod handle;
mod workers;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use egui::Context;
use frame_times::FrameTimes;
use handle::handle;
use workers::Workers;

use crate::command::Command;
use crate::disk::Job;
use crate::effect::Effect;
use crate::event::{Event, Tick};
use crate::parts::other_scripts::draw_other_scripts;
use crate::parts::theme;
use crate::phone::{PhoneToShow, WayOrigin, chosen_phone, watch};
use crate::priority::window_first;
use crate::shell::panels::studio::{StudioPanels, studio_ui};
use crate::shell::{self, SettingsFile, ending, viewport};
use crate::specs::{self, DiskTask};
use crate::state::{Settings, StudioState};
use crate::{fuzz, record, replay, wall_clock};
use taproof_campaign::Target;
use taproof_engine::device::Build;
use taproof_engine::worker;
use taproof_phone::Apps;
use taproof_results::store::{SettingsFiles, own_specs_folder};
use taproof_screen::escape_controls;
use taproof_session::{Interrupt, dates};

/// How long a closing window waits for its campaigns to end.
const LONGEST_END: Duration = Duration::from_secs(5);

/// Options for opening the window.
#[derive(Clone, Debug)]
pub struct StudioOptions {
    /// Package or short name of the app on the live phone at first; that of last time if `None`.
    pub app: Option<String>,
    /// A recorded walk to show instead of the live phone.
    pub walk: Option<PathBuf>,
    /// The workspace: the folder of all results.
    pub workspace: PathBuf,
    /// Whether to watch the devices behind adb.
    pub devices: bool,
    /// The apps on the bundled phones.
    pub apps: Apps,
}

/// The window cannot be opened, or did not stay open. The message is one line that names what is missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// There is no display.
    #[error("no display: set DISPLAY or WAYLAND_DISPLAY to open the window")]
    NoDisplay,
    /// The display cannot be used; the reason.
    #[error("the window cannot open: {0}")]
    NoWindow(String),
    /// The window was open and stopped by a mistake of the program; what it was.
    #[error("the window stopped: {0}; this is a mistake of Taproof, and `taproof log` says more")]
    Stopped(String),
}

/// Opens the window and returns when it is closed. What the person prefers in every project, such as the theme, is kept in
/// the folder `preferences`.
///
/// # Errors
///
/// If there is no display or it cannot be used.
pub fn run_studio(options: StudioOptions, preferences: Option<PathBuf>) -> Result<(), StartError> {
    let started = wall_clock::now();
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let displays = ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"];
    // The other systems name their display in no variable.
    if !cfg!(any(windows, target_os = "macos")) && !displays.into_iter().any(set) {
        return Err(StartError::NoDisplay);
    }
    window_first();
    let viewport = viewport(&settings_files(&options, preferences.clone()));
    let native = eframe::NativeOptions { viewport, ..eframe::NativeOptions::default() };
    let was_open = Arc::new(AtomicBool::new(false));
    let opens = Arc::clone(&was_open);
    let open = || {
        let studio =
            |cc: &eframe::CreationContext<'_>| Studio::with_preferences(&cc.egui_ctx, options, preferences);
        let begin = move |cc: &eframe::CreationContext<'_>| {
            opens.store(true, Ordering::Relaxed);
            if let Err(error) = draw_other_scripts(&cc.egui_ctx) {
                tracing::warn!(%error, "the fonts of the system are not used");
            }
            Studio { frames: FrameTimes::since(started), ending: ending::watch(&cc.egui_ctx), ..studio(cc) }
        };
        eframe::run_native("Taproof", native, Box::new(|cc| Ok(Box::new(begin(cc)))))
    };
    // winit panics if libxkbcommon is missing.
    match worker::catch(open) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(StartError::NoWindow(one_line(&error.to_string()))),
        Err(report) if was_open.load(Ordering::Relaxed) => {
            Err(StartError::Stopped(one_line(&report.message)))
        }
        Err(report) => Err(StartError::NoWindow(format!(
            "{}; install libxkbcommon-x11, libX11-xcb, libXcursor, libXi and a GL driver",
            one_line(&report.message)
        ))),
    }
}

fn settings_files(options: &StudioOptions, preferences: Option<PathBuf>) -> SettingsFiles {
    SettingsFiles { workspace: options.workspace.clone(), preferences, shared: &Settings::PREFERENCES }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The application of the window.
pub struct Studio {
    /// The state that the panels show.
    pub state: StudioState,
    panels: StudioPanels,
    /// The commands that the panels have queued.
    commands: Vec<Command>,
    ctx: Context,
    workers: Workers,
    settings_file: SettingsFile,
    settings_files: SettingsFiles,
    /// Whether the program was asked to end from outside the window.
    ending: Interrupt,
    frames: FrameTimes,
    /// Whether the window is to be maximised once it is shown.
    maximise: bool,
}

impl Studio {
    /// Creates the application and starts the workers that it needs. Preferences are kept in the workspace.
    pub fn new(ctx: &Context, options: StudioOptions) -> Self {
        Studio::with_preferences(ctx, options, None)
    }

    /// As [`Studio::new`], with a folder for preferences.
    pub fn with_preferences(ctx: &Context, options: StudioOptions, preferences: Option<PathBuf>) -> Self {
        theme::install(ctx);
        let settings_files = settings_files(&options, preferences);
        let StudioOptions { app: shown, walk, workspace, devices, apps } = options;
        let shown = shown.and_then(|name| apps.find(&name).map(|app| app.manifest().package));
        let mut state = StudioState { app_facts: apps.facts(""), ..StudioState::default() };
        state.documents.home = own_specs_folder(&workspace);
        state.workspace.clone_from(&workspace);
        specs::open_shipped(&mut state, &apps);
        let (workers, disk) = Workers::start(ctx, workspace, apps);
        let mut effects = vec![DiskTask::Begin.into()];
        effects.extend(replay::ask_history(&mut state));
        effects.push(Effect::Disk(Job::Campaigns));
        if let Err(error) = disk {
            state.notify_failure(format!("The disk worker cannot start: {error}"));
            effects.clear();
        }
        let mut settings_file = SettingsFile::default();
        effects.extend(shell::load_settings(ctx, &mut state, &mut settings_file, &settings_files));
        let maximise = state.settings.window.as_ref().is_some_and(|place| place.maximized);
        if let Some(package) = shown {
            state.settings.target = Target::bundled(package, Build::default());
        }
        fuzz::load_first_steps(&mut state);
        fuzz::load_rules(&mut state);
        let app = state.settings.target.app.clone();
        state.campaigns.form.choose_app(&app);
        let kept = state.settings.campaign.clone();
        kept.fill(&mut state.campaigns.form, |package| {
            state.apps.iter().any(|app| app.package == package && app.device.is_none())
        });
        if devices {
            effects.push(watch(&state, false));
        }
        let mut studio = Studio {
            state,
            panels: StudioPanels::default(),
            commands: Vec::new(),
            ctx: ctx.clone(),
            workers,
            settings_file,
            settings_files,
            ending: Interrupt::default(),
            frames: FrameTimes::default(),
            maximise,
        };
        studio.start_mirror(walk);
        studio.execute(effects);
        studio
    }

    fn start_mirror(&mut self, walk: Option<PathBuf>) {
        let first = match walk {
            Some(folder) => PhoneToShow::Walk(folder),
            None => {
                // The first device begins before any order is sent.
                let target = self.state.settings.target.clone();
                self.state.mirror.begins(0, WayOrigin { target, initialiser: None });
                chosen_phone(&self.state)
            }
        };
        if let Err(error) = self.workers.start_mirror(first) {
            self.state.notify_failure(format!("The phone cannot start: {error}"));
        }
    }

    /// Queues a command, as a panel would, for the next frame.
    pub fn queue(&mut self, command: Command) {
        self.commands.push(command);
        self.ctx.request_repaint();
    }

    /// Handles events and what follows from them, one after the other.
    fn handle(&mut self, events: Vec<Event>) {
        let mut events = VecDeque::from(events);
        while let Some(event) = events.pop_front() {
            // What an effect leads to at once comes before the events that arrived later.
            let mut next = Vec::new();
            for effect in handle(&mut self.state, event) {
                next.extend(self.workers.execute(effect));
            }
            next.into_iter().rev().for_each(|event| events.push_front(event));
        }
    }

    /// Executes effects that follow from no event.
    fn execute(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let event = self.workers.execute(effect);
            self.handle(event.into_iter().collect());
        }
    }

    /// What has reached the window from outside since the last frame.
    fn inputs(&self) -> Vec<Event> {
        let mut events = Vec::new();
        if self.ending.asked() {
            events.push(Event::EndAsked);
        }
        self.ctx.input(|input| {
            if !input.raw.events.is_empty() {
                events.push(Event::Input(input.time));
            }
            let dropped = input.raw.dropped_files.iter().map(|file| file.path().to_owned());
            events.extend(dropped.map(Event::Dropped));
            if input.viewport().close_requested() {
                events.push(Event::Closing);
            }
        });
        events
    }

    fn tick(&self) -> Event {
        let now = self.ctx.input(|input| input.time);
        Event::Tick(Tick { now, today: dates::now(), leaving: self.workers.leaving() })
    }

    fn keep_settings(&mut self, now: Option<f64>) {
        let (file, files) = (&mut self.settings_file, &self.settings_files);
        let effects = shell::keep_settings(&self.state.settings, file, files, now);
        self.execute(effects);
    }

    /// Prints the findings that could not be written to standard error, the last place left for them.
    #[allow(clippy::disallowed_methods, reason = "the window knows nothing of the command line")]
    fn notify_unsaved(&self) {
        use std::io::Write;
        let unsaved = self.state.campaigns.list.iter().flat_map(|campaign| &campaign.unsaved);
        for line in unsaved.flat_map(|finding| finding.lines()) {
            if let Err(error) = writeln!(std::io::stderr(), "{}", escape_controls(line)) {
                tracing::debug!(%error, "nobody reads standard error");
            }
        }
    }
}

impl eframe::App for Studio {
    fn logic(&mut self, _ctx: &Context, _frame: &mut eframe::Frame) {
        self.frames.begin();
        let mut events = self.workers.news(self.state.in_use());
        events.extend(self.inputs());
        events.extend(self.commands.drain(..).map(Event::Command));
        self.handle(events);
        self.handle(vec![self.tick()]);
        // What the window and egui tell each other has no event: both just show the same.
        shell::apply_settings(&self.ctx, &mut self.state);
        if self.maximise {
            self.maximise = !shell::maximise_again(&self.ctx);
        } else {
            shell::remember_places(&self.ctx, &mut self.state.settings);
        }
        self.keep_settings(Some(self.ctx.input(|input| input.time)));
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        studio_ui(&self.state, &mut self.panels, &mut self.commands, ui);
        self.frames.end();
        self.frames.log_start(ui.ctx().cumulative_pass_nr(), self.state.mirror.shown.is_some());
        if !self.commands.is_empty() {
            ui.ctx().request_repaint_after(Duration::from_millis(1));
        }
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        let now = self.ctx.input(|input| input.time);
        let mut effects = self.state.documents.drafts();
        effects.extend(record::keep_recordings(&mut self.state, now, true));
        effects.extend(fuzz::keep_first_steps(&mut self.state.campaigns, now, true));
        effects.extend(specs::keep_times(&mut self.state.documents));
        self.execute(effects);
        self.workers.stop();
        let last = self.workers.end_campaigns(wall_clock::now() + LONGEST_END);
        self.handle(last);
        self.frames.print();
        self.keep_settings(None);
        let lost = self.workers.end_disk();
        self.handle(lost);
        self.notify_unsaved();
        self.workers.end_phone();
    }
}
