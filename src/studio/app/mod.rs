//! The window: eframe, workers, disk and dialogs are joined here, and nothing is decided.
//!
//! Each pass drains what the workers told into the state, draws, and then executes what the panels asked
//! for. Nothing here waits.

mod bundled;
mod campaign_worker;
mod campaigns;
mod devices;
mod dialogs;
mod documents;
mod earlier;
mod export;
mod files;
mod folder;
mod frame_times;
mod history;
mod initial;
mod installs;
mod jobs;
mod keep;
mod kept;
mod layout_servers;
mod lending;
mod proposals;
mod record;
mod recording_draft;
mod run_command;
mod spec_jobs;
mod takeover;
mod trial_worker;
mod window;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use egui::Context;

use crate::mirror::{DeviceMaker, Mirror, MirrorCommand, MirrorFact, walk_maker};
use crate::state::{
    BuildChoice, CampaignId, Command, ExportId, ReplayCommand, StudioState, TraceSource, WayOrigin,
};
use crate::ui::{StudioPanels, studio_ui, theme};
use taproof_core::model::{Initialiser, escape_controls};
use taproof_core::worker::{self, Leaving};
use taproof_phone::{BugSet, Fonts};
use taproof_results::store::own_specs_folder;

use campaign_worker::CampaignWorker;
use devices::DeviceWatch;
use dialogs::Dialog;
use documents::DocumentClock;
use export::ExportWorker;
use frame_times::FrameTimes;
use initial::KeptInitial;
use installs::InstallWorker;
use jobs::{Job, Jobs};
use kept::Keeper;
use layout_servers::ServerWorker;
use proposals::Proposer;
use record::KeptRecordings;
use spec_jobs::SpecJob;
use trial_worker::TrialWorker;
use window::viewport;

/// News that one pass takes from each worker; the rest waits for the next.
const MAX_NEWS: usize = 64;
/// How long a closing window waits for campaigns to end.
const LONGEST_END: Duration = Duration::from_secs(5);

/// How the window starts.
#[derive(Clone, Debug)]
pub struct StudioOptions {
    /// A recorded walk to show instead of the live phone.
    pub walk: Option<PathBuf>,
    /// Where results are kept.
    pub workspace: PathBuf,
    /// Whether devices behind adb are looked for.
    pub devices: bool,
}

/// The window cannot open. The text is one line that says what is missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// There is no display.
    #[error("no display: set DISPLAY or WAYLAND_DISPLAY to open the window")]
    NoDisplay,
    /// The display cannot be used.
    #[error("the window cannot open: {0}")]
    NoWindow(String),
}

/// Opens the window and returns when it is closed.
pub fn run_studio(options: StudioOptions) -> Result<(), StartError> {
    let started = now();
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(set) {
        return Err(StartError::NoDisplay);
    }
    let viewport = viewport(&options.workspace);
    let native = eframe::NativeOptions { viewport, ..eframe::NativeOptions::default() };
    let open = || {
        let studio = |cc: &eframe::CreationContext<'_>| Studio::new(&cc.egui_ctx, options);
        let begin = |cc: &eframe::CreationContext<'_>| Studio { started: Some(started), ..studio(cc) };
        eframe::run_native("Taproof", native, Box::new(|cc| Ok(Box::new(begin(cc)))))
    };
    // A missing libxkbcommon is a panic, not an error.
    match worker::catch(open) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(StartError::NoWindow(one_line(&error.to_string()))),
        Err(report) => Err(StartError::NoWindow(format!(
            "{}; install libxkbcommon-x11, libX11-xcb, libXcursor, libXi and a GL driver",
            one_line(&report.message)
        ))),
    }
}

/// The wall clock, for what only people look at.
#[expect(clippy::disallowed_methods, reason = "people want to know how long something takes")]
fn now() -> Instant {
    Instant::now()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The window's program.
pub struct Studio {
    /// What it shows.
    pub state: StudioState,
    panels: StudioPanels,
    commands: Vec<Command>,
    ctx: Context,
    fonts: Arc<Fonts>,
    mirror: Option<Mirror>,
    /// What stands fresh at the start of the ways that orders begin.
    origins: BTreeMap<u64, WayOrigin>,
    /// Where the cursor of the replay was last: trace and step.
    cursor: Option<(TraceSource, usize)>,
    /// When a re-execution went on last, in seconds of the window's clock.
    stepped: Option<f64>,
    /// When the states of an engine were asked for last, on the same clock.
    graph_asked: Option<f64>,
    workers: BTreeMap<CampaignId, CampaignWorker>,
    trial: Option<TrialWorker>,
    /// Threads that may not be through yet and that nobody listens to any more.
    leaving: Leaving,
    /// What the window showed of a device before it was lent.
    lent: Option<(String, BuildChoice)>,
    exports: BTreeMap<ExportId, ExportWorker>,
    proposer: Option<Proposer>,
    devices: Option<DeviceWatch>,
    installs: Vec<InstallWorker>,
    layout_servers: Vec<ServerWorker>,
    jobs: Option<Jobs>,
    clock: DocumentClock,
    kept_recordings: KeptRecordings,
    kept_initial: KeptInitial,
    dialog: Option<Dialog>,
    keeper: Keeper,
    workspace: PathBuf,
    /// Whether workers asked for a pass, at once or later, since the last one.
    asked: [Arc<AtomicBool>; 2],
    frames: FrameTimes,
    /// When the program started, until the window shows its phone.
    started: Option<Instant>,
}

impl Studio {
    /// Starts the workers that the window needs.
    pub fn new(ctx: &Context, options: StudioOptions) -> Self {
        theme::install(ctx);
        let mut studio = Studio {
            state: StudioState::default(),
            panels: StudioPanels::default(),
            commands: Vec::new(),
            ctx: ctx.clone(),
            fonts: Arc::new(Fonts::new()),
            mirror: None,
            origins: BTreeMap::new(),
            cursor: None,
            stepped: None,
            graph_asked: None,
            workers: BTreeMap::new(),
            trial: None,
            leaving: Leaving::default(),
            lent: None,
            exports: BTreeMap::new(),
            proposer: None,
            devices: None,
            installs: Vec::new(),
            layout_servers: Vec::new(),
            jobs: None,
            clock: DocumentClock::default(),
            kept_recordings: KeptRecordings::default(),
            kept_initial: KeptInitial::default(),
            dialog: None,
            keeper: Keeper::default(),
            workspace: options.workspace.clone(),
            asked: Default::default(),
            frames: FrameTimes::default(),
            started: None,
        };
        studio.load_apps();
        studio.state.documents.home = own_specs_folder(&options.workspace);
        match Jobs::start(options.workspace, studio.wake()) {
            Ok(jobs) => {
                jobs.ask(Job::Spec(SpecJob::Begin));
                jobs.ask(Job::History);
                jobs.ask(Job::Campaigns);
                studio.jobs = Some(jobs);
            }
            Err(error) => studio.state.tell_failure(format!("The disk worker cannot start: {error}")),
        }
        studio.load_settings();
        studio.load_initialisers();
        let app = studio.state.settings.app.clone();
        studio.state.campaigns.form.choose_app(&app);
        let make = match options.walk {
            Some(folder) => walk_maker(folder),
            None => {
                // The first device is there before the first order.
                studio.origins.insert(0, studio.way_origin(None));
                studio.phone_maker()
            }
        };
        if options.devices {
            studio.watch_devices(false);
        }
        match Mirror::start(make, studio.wake()) {
            Ok(mirror) => studio.mirror = Some(mirror),
            Err(error) => studio.state.tell_failure(format!("The phone cannot start: {error}")),
        }
        studio
    }

    /// Asks for something as a panel would, in the next pass.
    pub fn queue(&mut self, command: Command) {
        self.commands.push(command);
        self.ctx.request_repaint();
    }

    /// Workers call this when there is news. Asking for a pass "after 1 ms" makes one pass, not two.
    fn wake(&self) -> impl Fn() + Send + Sync + Clone + 'static {
        self.wake_after(0, Duration::from_millis(1))
    }

    /// The same for what is only counted: ten times a second is enough to see it grow.
    fn wake_later(&self) -> impl Fn() + Send + Sync + Clone + 'static {
        self.wake_after(1, Duration::from_millis(100))
    }

    /// Only the first call before a pass asks egui for it: asking takes a lock, and a worker that loses the
    /// processor there keeps the window waiting.
    fn wake_after(&self, kind: usize, wait: Duration) -> impl Fn() + Send + Sync + Clone + 'static {
        let (ctx, asked) = (self.ctx.clone(), Arc::clone(&self.asked[kind]));
        move || {
            if !asked.swap(true, Ordering::AcqRel) {
                ctx.request_repaint_after(wait);
            }
        }
    }

    /// Makes the live phone with the chosen app and build.
    fn phone_maker(&self) -> DeviceMaker {
        let settings = &self.state.settings;
        if let Some(serial) = settings.build.device() {
            return devices::device_maker(serial.to_owned(), settings.app.clone(), false);
        }
        let bugs = self.state.current_app().map(|app| settings.build.bugs(app)).unwrap_or_default();
        bundled::phone_maker(Arc::clone(&self.fonts), settings.app.clone(), BugSet::of(bugs))
    }

    fn use_app(&mut self, package: String, build: BuildChoice) {
        self.state.settings.app = package;
        self.state.settings.build = build;
        self.use_phone();
    }

    /// Puts a fresh phone in the place of what is shown.
    fn use_phone(&mut self) {
        let make = self.phone_maker();
        self.use_maker(make);
    }

    fn use_maker(&mut self, make: DeviceMaker) {
        if let Some(order) = self.send(MirrorCommand::Use(make)) {
            self.origins.insert(order, self.way_origin(None));
        }
    }

    /// The app and build on the live phone, with what was done first there.
    fn way_origin(&self, initialiser: Option<Arc<Initialiser>>) -> WayOrigin {
        let (app, build) = (self.state.settings.app.clone(), self.state.settings.build.clone());
        WayOrigin { app, build, initialiser }
    }

    fn ask(&mut self, job: Job) {
        if !self.jobs.as_ref().is_some_and(|jobs| jobs.ask(job)) {
            self.state.tell_failure("The disk worker is gone: nothing can be kept. Restart Taproof.");
        }
    }

    fn send(&mut self, command: MirrorCommand) -> Option<u64> {
        let order = self.mirror.as_ref().and_then(|mirror| mirror.send(command));
        self.state.mirror.sent(order.is_some());
        order
    }

    /// Takes what the workers told.
    fn drain(&mut self) {
        if let Some(news) = self.mirror.as_ref().and_then(Mirror::news) {
            let before = self.state.mirror.frame_no();
            self.state.mirror.take(news);
            if self.state.mirror.frame_no() != before {
                // Another layout: its widgets have other places.
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
        self.drain_installs();
        self.drain_layout_servers();
        self.drain_devices();
        self.drain_trial(MAX_NEWS);
        self.drain_exports();
        let (state, jobs) = (&mut self.state, self.jobs.as_ref());
        for (id, worker) in &mut self.workers {
            if let Some(campaign) = state.campaigns.get_mut(*id) {
                worker.drain(campaign, jobs, MAX_NEWS);
            }
        }
        for (_, worker) in self.workers.extract_if(.., |_, worker| worker.over()) {
            worker.retire().into_iter().for_each(|thread| self.leaving.add(thread));
        }
        self.take_back();
        let stop = self.jobs.as_ref().map(|jobs| jobs.drain(&mut self.state, MAX_NEWS));
        if more_facts || self.jobs.as_ref().is_some_and(Jobs::more) {
            // Nobody wakes the window for what waits already.
            self.ctx.request_repaint();
        }
        for id in stop.unwrap_or_default() {
            if let Some(worker) = self.workers.get(&id) {
                worker.cancel();
            }
        }
    }

    /// What is kept nowhere goes with the window: standard error is the last place for it.
    #[allow(clippy::disallowed_methods, reason = "the window knows nothing of the command line")]
    fn tell_unsaved(&self) {
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
        self.tell_start(ui.ctx().cumulative_pass_nr());
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
        for worker in self.workers.values() {
            worker.cancel();
        }
        self.cancel_exports();
        self.trial = None;
        self.leaving = Leaving::default();
        self.proposer = None;
        self.exports.clear();
        let end = now() + LONGEST_END;
        for (id, worker) in std::mem::take(&mut self.workers) {
            if let Some(campaign) = self.state.campaigns.get_mut(id) {
                worker.finish(campaign, self.jobs.as_ref(), end);
            }
        }
        self.frames.tell();
        self.keep_settings(true);
        if let Some(jobs) = self.jobs.take() {
            jobs.finish(&mut self.state);
        }
        self.tell_unsaved();
        self.mirror = None;
    }
}
