//! The window: connects eframe, workers, disk and dialogs. Decisions are made elsewhere.
//!
//! Each pass moves the workers' reports into the state, draws, and then executes the commands of the panels. Nothing
//! here blocks.

mod frame_times;
pub(crate) mod jobs;
mod run_command;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use taproof_adb::ScreenHolder;
use taproof_core::campaign::Target;

use egui::Context;

use crate::command::Command;
use crate::fuzz::{CampaignId, CampaignState};
use crate::mirror::{DeviceMaker, Mirror, MirrorCommand, MirrorFact, walk_maker};
use crate::parts::theme;
use crate::phone::{TraceSource, WayOrigin};
use crate::record::RecordCommand;
use crate::replay::{ExportId, ReplayCommand};
use crate::shell::Settings;
use crate::shell::panels::studio::{StudioPanels, studio_ui};
use crate::specs::DiskTask;
use crate::state::StudioState;
use taproof_core::model::{Initialiser, escape_controls};
use taproof_core::worker::{self, Latest, Leaving};
use taproof_phone::{Apps, BugSet, Fonts};
use taproof_results::store::{SettingsFiles, own_specs_folder};
use taproof_session::{Interrupt, Session};

use crate::fuzz::{CampaignSink, KeptInitial};
use crate::phone::{
    CardQuestion, DeviceWatch, EndQuestion, InstallWorker, ServerWorker, bundled, device_maker,
};
use crate::record::{KeptRecordings, Proposer};
use crate::replay::{ExportWorker, MinimiseWorker};
use crate::shell::{Dialog, SettingsFile, ending, viewport};
use crate::specs::{DocumentClock, TrialWorker};
use frame_times::FrameTimes;
use jobs::{Job, Jobs};

/// Maximum number of messages that one pass takes from each worker; the rest is left to the next pass.
const MAX_NEWS: usize = 64;
/// How long a closing window waits for its campaigns to end.
const LONGEST_END: Duration = Duration::from_secs(5);

/// Options for opening the window.
#[derive(Clone, Debug)]
pub struct StudioOptions {
    /// A recorded walk to show instead of the live phone.
    pub walk: Option<PathBuf>,
    /// The workspace: the folder of all results.
    pub workspace: PathBuf,
    /// Whether to watch the devices behind adb.
    pub devices: bool,
    /// The apps on the bundled phones.
    pub apps: Apps,
}

/// The window cannot be opened. The message is one line that names what is missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// There is no display.
    #[error("no display: set DISPLAY or WAYLAND_DISPLAY to open the window")]
    NoDisplay,
    /// The display cannot be used; the reason.
    #[error("the window cannot open: {0}")]
    NoWindow(String),
}

/// Opens the window and returns when it is closed. What the person prefers in every project, such as the theme, is kept in
/// the folder `preferences`.
///
/// # Errors
///
/// If there is no display or it cannot be used.
pub fn run_studio(options: StudioOptions, preferences: Option<PathBuf>) -> Result<(), StartError> {
    let started = now();
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(set) {
        return Err(StartError::NoDisplay);
    }
    let viewport = viewport(&settings_files(&options, preferences.clone()));
    let native = eframe::NativeOptions { viewport, ..eframe::NativeOptions::default() };
    let open = || {
        let studio =
            |cc: &eframe::CreationContext<'_>| Studio::with_preferences(&cc.egui_ctx, options, preferences);
        let begin = |cc: &eframe::CreationContext<'_>| Studio {
            started: Some(started),
            ending: ending::watch(&cc.egui_ctx),
            ..studio(cc)
        };
        eframe::run_native("Taproof", native, Box::new(|cc| Ok(Box::new(begin(cc)))))
    };
    // winit panics if libxkbcommon is missing.
    match worker::catch(open) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(StartError::NoWindow(one_line(&error.to_string()))),
        Err(report) => Err(StartError::NoWindow(format!(
            "{}; install libxkbcommon-x11, libX11-xcb, libXcursor, libXi and a GL driver",
            one_line(&report.message)
        ))),
    }
}

/// Reads the wall clock, for times that only people see.
#[expect(clippy::disallowed_methods, reason = "people want to know how long something takes")]
pub(crate) fn now() -> Instant {
    Instant::now()
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
    pub(crate) panels: StudioPanels,
    pub(crate) commands: Vec<Command>,
    pub(crate) ctx: Context,
    pub(crate) fonts: Arc<Fonts>,
    /// The apps on its bundled phones.
    pub(crate) apps: Apps,
    pub(crate) mirror: Option<Mirror>,
    /// The origins of paths that orders to the mirror begin, by the order's number.
    pub(crate) origins: BTreeMap<u64, WayOrigin>,
    /// The position of the replay's cursor in the last pass: trace and step.
    pub(crate) cursor: Option<(TraceSource, usize)>,
    /// When a re-execution last performed a step, in seconds of the window's clock.
    pub(crate) stepped: Option<f64>,
    /// When the state graph of an engine was last requested, in seconds of the window's clock.
    pub(crate) graph_asked: Option<f64>,
    pub(crate) sessions: BTreeMap<CampaignId, Session>,
    pub(crate) trial: Option<TrialWorker>,
    pub(crate) minimiser: Option<MinimiseWorker>,
    /// Threads that are asked to stop and may still be running; their messages are ignored.
    pub(crate) leaving: Leaving,
    /// What the window showed of a device before it lent it.
    pub(crate) lent: Option<Target>,
    pub(crate) exports: BTreeMap<ExportId, ExportWorker>,
    pub(crate) proposer: Option<Proposer>,
    pub(crate) devices: Option<DeviceWatch>,
    pub(crate) installs: Vec<InstallWorker>,
    pub(crate) card_questions: Vec<CardQuestion>,
    /// The programs that control the screen of the device that was opened last, with its serial.
    pub(crate) holders: Latest<(String, Vec<ScreenHolder>)>,
    pub(crate) ending_holders: Vec<EndQuestion>,
    /// The apps of each device, by its serial, whose labels were asked for last.
    pub(crate) carded: BTreeMap<String, Vec<String>>,
    pub(crate) layout_servers: Vec<ServerWorker>,
    pub(crate) jobs: Option<Jobs>,
    pub(crate) clock: DocumentClock,
    pub(crate) kept_recordings: KeptRecordings,
    pub(crate) kept_initial: KeptInitial,
    pub(crate) dialog: Option<Dialog>,
    pub(crate) settings_file: SettingsFile,
    pub(crate) settings_files: SettingsFiles,
    pub(crate) workspace: PathBuf,
    /// Whether the program was asked to end from outside the window.
    pub(crate) ending: Interrupt,
    /// Whether workers have requested a pass since the last one: at once, or soon.
    pub(crate) asked: [Arc<AtomicBool>; 2],
    frames: FrameTimes,
    /// When the program started. `None` once the window shows its phone.
    pub(crate) started: Option<Instant>,
}

impl Studio {
    /// Creates the application and starts the workers that it needs. Preferences are kept in the workspace.
    pub fn new(ctx: &Context, options: StudioOptions) -> Self {
        Studio::with_preferences(ctx, options, None)
    }

    /// As [`Studio::new`], with a folder for preferences.
    pub fn with_preferences(ctx: &Context, options: StudioOptions, preferences: Option<PathBuf>) -> Self {
        theme::install(ctx);
        let mut studio = Studio {
            state: StudioState::default(),
            panels: StudioPanels::default(),
            commands: Vec::new(),
            ctx: ctx.clone(),
            fonts: Arc::new(Fonts::new()),
            apps: options.apps.clone(),
            mirror: None,
            origins: BTreeMap::new(),
            cursor: None,
            stepped: None,
            graph_asked: None,
            sessions: BTreeMap::new(),
            trial: None,
            minimiser: None,
            leaving: Leaving::default(),
            lent: None,
            exports: BTreeMap::new(),
            proposer: None,
            devices: None,
            installs: Vec::new(),
            card_questions: Vec::new(),
            holders: Latest::new(),
            ending_holders: Vec::new(),
            carded: BTreeMap::new(),
            layout_servers: Vec::new(),
            jobs: None,
            clock: DocumentClock::default(),
            kept_recordings: KeptRecordings::default(),
            kept_initial: KeptInitial::default(),
            dialog: None,
            settings_file: SettingsFile::default(),
            settings_files: settings_files(&options, preferences),
            workspace: options.workspace.clone(),
            ending: Interrupt::default(),
            asked: Default::default(),
            frames: FrameTimes::default(),
            started: None,
        };
        studio.load_apps();
        studio.state.documents.home = own_specs_folder(&options.workspace);
        match Jobs::start(options.workspace, options.apps, studio.wake()) {
            Ok(jobs) => {
                jobs.ask(Job::Files(DiskTask::Begin));
                jobs.ask(Job::History);
                jobs.ask(Job::Campaigns);
                studio.jobs = Some(jobs);
            }
            Err(error) => studio.state.notify_failure(format!("The disk worker cannot start: {error}")),
        }
        studio.load_settings();
        studio.load_initialisers();
        let app = studio.state.settings.target.app.clone();
        studio.state.campaigns.form.choose_app(&app);
        let make = match options.walk {
            Some(folder) => walk_maker(folder),
            None => {
                // The first device begins before any order is sent.
                studio.origins.insert(0, studio.way_origin(None));
                studio.phone_maker()
            }
        };
        if options.devices {
            studio.watch_devices(false);
        }
        match Mirror::start(make, studio.wake()) {
            Ok(mirror) => studio.mirror = Some(mirror),
            Err(error) => studio.state.notify_failure(format!("The phone cannot start: {error}")),
        }
        studio
    }

    /// Queues a command, as a panel would, for the next pass.
    pub fn queue(&mut self, command: Command) {
        self.commands.push(command);
        self.ctx.request_repaint();
    }

    /// Returns a callback by which workers announce news. The delay of 1 ms makes egui draw one pass instead of two.
    pub(crate) fn wake(&self) -> impl Fn() + Send + Sync + Clone + 'static {
        self.wake_after(0, Duration::from_millis(1))
    }

    /// Returns a callback for news that only changes counters: ten passes per second suffice.
    pub(crate) fn wake_later(&self) -> impl Fn() + Send + Sync + Clone + 'static {
        self.wake_after(1, Duration::from_millis(100))
    }

    /// Only the first call before a pass requests it from egui. A request takes a lock, and a worker that is preempted
    /// while it holds the lock would delay the window.
    fn wake_after(&self, kind: usize, wait: Duration) -> impl Fn() + Send + Sync + Clone + 'static {
        let (ctx, asked) = (self.ctx.clone(), Arc::clone(&self.asked[kind]));
        move || {
            if !asked.swap(true, Ordering::AcqRel) {
                ctx.request_repaint_after(wait);
            }
        }
    }

    /// Returns a maker of the live phone with the chosen app and build.
    pub(crate) fn phone_maker(&self) -> DeviceMaker {
        let settings = &self.state.settings;
        let target = &settings.target;
        if let Some(serial) = &target.device {
            return device_maker(serial.clone(), target.app.clone(), false, self.holders.clone());
        }
        let bugs = self.state.current_app().map(|app| app.switched_on(&target.build)).unwrap_or_default();
        bundled::phone_maker(self.phone_parts(), target.app.clone(), BugSet::of(bugs))
    }

    /// The fonts and apps of every bundled phone.
    pub(crate) fn phone_parts(&self) -> (Arc<Fonts>, Apps) {
        (Arc::clone(&self.fonts), self.apps.clone())
    }

    pub(crate) fn use_app(&mut self, target: Target) {
        // A restored recording waits no more for its phone.
        self.state.record.wants_phone = false;
        self.state.settings.target = target;
        self.use_phone();
    }

    /// Replaces the shown device by a fresh phone.
    pub(crate) fn use_phone(&mut self) {
        let make = self.phone_maker();
        self.use_maker(make);
    }

    pub(crate) fn use_maker(&mut self, make: DeviceMaker) {
        if let Some(order) = self.send(MirrorCommand::Use(make)) {
            self.origins.insert(order, self.way_origin(None));
        }
    }

    /// The origin of a path on the live phone: the chosen app and build, with these initial steps.
    pub(crate) fn way_origin(&self, initialiser: Option<Arc<Initialiser>>) -> WayOrigin {
        WayOrigin { target: self.state.settings.target.clone(), initialiser }
    }

    pub(crate) fn ask(&mut self, job: Job) {
        if !self.jobs.as_ref().is_some_and(|jobs| jobs.ask(job)) {
            self.state.notify_failure("The disk worker is gone: nothing can be kept. Restart Taproof.");
        }
    }

    pub(crate) fn send(&mut self, command: MirrorCommand) -> Option<u64> {
        let opens = matches!(command, MirrorCommand::Use(_) | MirrorCommand::Open(_));
        let order = self.mirror.as_ref().and_then(|mirror| mirror.send(command));
        self.state.mirror.sent(order.is_some());
        if let Some(order) = order.filter(|_| opens) {
            self.state.mirror.opens(order);
        }
        order
    }

    /// Takes what the workers reported.
    fn drain(&mut self) {
        if let Some(news) = self.mirror.as_ref().and_then(Mirror::news) {
            let before = self.state.mirror.frame_no();
            self.state.mirror.take(news);
            if self.state.mirror.frame_no() != before {
                // The widgets of another layout have other indices.
                self.state.selected = None;
                self.state.matches.clear();
            }
        }
        let facts = self.mirror.as_ref().map(|mirror| mirror.facts(MAX_NEWS)).unwrap_or_default();
        let more_facts = facts.len() == MAX_NEWS;
        for fact in facts {
            match &fact {
                MirrorFact::Performed(performed) => self.state.record.take(performed),
                MirrorFact::Began { order, .. } => self.phone_began(*order),
                MirrorFact::Diverged(..) => {}
            }
            self.take_fact(fact);
        }
        if self.state.record.ending && !more_facts && !self.state.mirror.busy() {
            self.commands.push(Command::Record(RecordCommand::End));
        }
        self.drain_installs();
        self.drain_layout_servers();
        self.drain_devices();
        self.drain_cards();
        self.drain_holders();
        self.drain_trial(MAX_NEWS);
        self.drain_minimiser();
        self.drain_exports();
        let (state, jobs) = (&mut self.state, self.jobs.as_ref());
        for (id, session) in &mut self.sessions {
            if let Some(campaign) = state.campaigns.get_mut(*id) {
                CampaignSink::new(campaign, jobs).poll(session, MAX_NEWS);
            }
        }
        for (_, session) in self.sessions.extract_if(.., |_, session| session.over()) {
            session.retire().into_iter().for_each(|thread| self.leaving.add(thread));
        }
        self.take_back();
        let stop = self.jobs.as_ref().map(|jobs| jobs.drain(&mut self.state, MAX_NEWS));
        self.state.campaigns.list.iter_mut().for_each(CampaignState::renew_bugs);
        if more_facts || self.jobs.as_ref().is_some_and(Jobs::more) {
            // No worker announces messages again that are already waiting.
            self.ctx.request_repaint();
        }
        for id in stop.unwrap_or_default() {
            if let Some(session) = self.sessions.get(&id) {
                session.cancel();
            }
        }
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

    fn play(&mut self) {
        if let Some(replay) = self.state.replay.as_ref().filter(|replay| replay.playing) {
            let step = Duration::from_millis(replay.speed.step_millis());
            self.ctx.request_repaint_after(step);
            let now = self.ctx.input(|input| input.time);
            let due = self.panels.last_tick.is_none_or(|last| now - last >= step.as_secs_f64());
            if due {
                if self.panels.last_tick.is_some() {
                    self.commands.push(Command::Replay(ReplayCommand::Tick));
                }
                self.panels.last_tick = Some(now);
            }
        } else {
            self.panels.last_tick = None;
        }
    }
}

impl eframe::App for Studio {
    fn logic(&mut self, _ctx: &Context, frame: &mut eframe::Frame) {
        self.frames.begin();
        self.asked.iter().for_each(|asked| asked.store(false, Ordering::Release));
        self.close_if_asked();
        self.drain();
        self.tend_proposals();
        self.tend_documents();
        self.play();
        self.tick_record();
        self.keep_recording(false);
        self.keep_initialisers(false);
        self.lead_phone();
        self.take_opened();
        self.take_prepared();
        self.take_resumed();
        self.take_answer();
        for command in std::mem::take(&mut self.commands) {
            self.run_command(command);
        }
        self.ask_for_file(frame);
        self.apply_settings();
        self.keep_settings(false);
        self.want_pictures();
        self.tend_graph();
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        studio_ui(&self.state, &mut self.panels, &mut self.commands, ui);
        self.frames.end();
        self.notify_start(ui.ctx().cumulative_pass_nr());
        if !self.commands.is_empty() {
            ui.ctx().request_repaint_after(Duration::from_millis(1));
        }
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        let drafts = self.state.documents.drafts();
        self.do_tasks(drafts);
        self.keep_recording(true);
        self.keep_initialisers(true);
        self.keep_times();
        // All are asked to stop before any is waited for.
        for session in self.sessions.values() {
            session.cancel();
        }
        self.cancel_exports();
        self.trial = None;
        self.minimiser = None;
        self.leaving = Leaving::default();
        self.proposer = None;
        self.exports.clear();
        let end = now() + LONGEST_END;
        for (id, session) in std::mem::take(&mut self.sessions) {
            if let Some(campaign) = self.state.campaigns.get_mut(id) {
                session.finish(end, &mut CampaignSink::new(campaign, self.jobs.as_ref()));
            }
        }
        self.frames.print();
        self.keep_settings(true);
        if let Some(jobs) = self.jobs.take() {
            jobs.finish(&mut self.state);
        }
        self.notify_unsaved();
        self.mirror = None;
    }
}
