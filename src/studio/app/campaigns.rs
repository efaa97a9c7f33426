//! Starts and pauses campaigns, and prepares what the window shows of them: state graphs and thumbnails.

use std::sync::Arc;

use crate::state::{
    AppEntry, CampaignCommand, CampaignId, CampaignOrder, CampaignPhase, CampaignState, Compared, FuzzView,
    Place, PreparedCampaign, Resumed, SeedChoice, SpecDocument, SpecFile, ThumbnailOf,
};
use taproof_core::campaign::{Budget, CampaignPlan, ConfirmPlan};
use taproof_core::engine::{EngineConfig, TestTarget};
use taproof_core::spec::Spec;
use taproof_results::store::{SpecSource, StoredPlan};
use taproof_session::{Phones, Session, names_files};

use super::Studio;
use super::jobs::Job;

/// Seconds between two requests for the state graph of a running engine.
const GRAPH_EVERY: f64 = 1.0;
/// Maximum number of thumbnails in memory. When it is reached all are dropped, and those still shown are rendered
/// again.
const MAX_THUMBNAILS: usize = 1500;

impl Studio {
    pub(super) fn start_campaign(&mut self, order: CampaignOrder) {
        let document = order.document.and_then(|id| self.state.documents.get(id));
        if order.document.is_some() && document.is_none() {
            self.state.notify_failure("The campaign was not started: its specification was closed.");
            return;
        }
        let specs = document.map(sources).unwrap_or_default();
        let words = |document: &SpecDocument| format!("{}, version {}", document.name, document.version);
        let spec = document.map_or_else(|| "no specification".to_owned(), words);
        let plan = plan_of(&order, document.map(|document| Arc::clone(&document.spec)).unwrap_or_default());
        let label = self
            .state
            .app(&order.target.app)
            .map_or_else(|| order.target.app.clone(), |app| app.label.clone());
        let reads = plan.engines.iter().any(names_files) || !order.seed_traces.is_empty();
        let seeds = order.seed_traces;
        let prepared =
            PreparedCampaign { plan, specs, spec, label, seeds, traces: Vec::new(), notes: Vec::new() };
        if reads {
            self.ask(Job::Prepare(Box::new(prepared)));
        } else {
            self.start_prepared(prepared);
        }
    }

    /// Adds the traces of the open finding to the form's seeds, as the finding's number does on the command line.
    fn begin_with_finding(&mut self) {
        let Some(source) = self.state.replay.as_ref().map(|replay| &replay.source) else { return };
        let mut form = self.state.campaigns.form.clone();
        let on = |app: &&AppEntry| app.device.as_deref() == source.plan.device.serial(0);
        match self.state.apps.iter().filter(|app| app.package == source.plan.app).find(on) {
            Some(app) => form.choose_entry(app),
            None => form.choose_app(&source.plan.app),
        }
        let title = format!("finding {}", source.number);
        form.begin_with(SeedChoice { word: source.number.to_string(), title });
        self.state.campaigns.edit_form(form);
        self.state.settings.place = Place::Fuzz;
    }

    /// Starts the campaigns whose initial files (pools, traces) the disk thread has read.
    pub(super) fn take_prepared(&mut self) {
        for prepared in std::mem::take(&mut self.state.campaigns.prepared) {
            self.start_prepared(prepared);
        }
    }

    fn start_prepared(&mut self, prepared: PreparedCampaign) {
        let PreparedCampaign { plan, specs, spec, label, traces, notes, .. } = prepared;
        if let Err(error) = plan.check(&self.apps.facts()) {
            self.state.notify_failure(format!("The campaign was not started: {error}"));
            return;
        }
        let plan = Arc::new(plan);
        if !self.lend(&plan.device, "campaign") {
            return;
        }
        let from = plan.engines.iter().map(|_| None).collect();
        let command = self.state.campaigns.form.command_before(&plan.app);
        let phones = |place| Phones::of(&self.apps, &plan, place).running_before_tests(command.clone());
        match Session::start(&plan, from, phones, self.wake(), self.wake_later()) {
            Ok(session) => {
                let id = self.state.campaigns.next_id();
                let stored = StoredPlan { plan: (*plan).clone(), specs, traces };
                self.ask(Job::Begin(id, Box::new(stored)));
                let budgets = budgets(&plan);
                let mut campaign = CampaignState::new(id, label, spec, plan, &budgets);
                campaign.warnings = notes;
                self.show_campaign(campaign, session);
            }
            Err(error) => self.state.notify_failure(format!("The campaign cannot start: {error}")),
        }
    }

    /// Starts the interrupted campaign that the disk thread has prepared for resumption, if any.
    pub(super) fn take_resumed(&mut self) {
        let Some(resumed) = self.state.campaigns.resumed.take() else { return };
        if !self.lend(&resumed.plan.device, "campaign") {
            return;
        }
        let id = self.state.campaigns.resumed_id(resumed.row);
        let app = &resumed.plan.app;
        let label = self.state.app(app).map_or_else(|| app.clone(), |app| app.label.clone());
        let campaign = CampaignState::resumed(id, label, &resumed, &budgets(&resumed.plan));
        let Resumed { plan, from, .. } = *resumed;
        let command = self.state.campaigns.form.command_before(&plan.app);
        let phones = |place| Phones::of(&self.apps, &plan, place).running_before_tests(command.clone());
        match Session::start(&plan, from, phones, self.wake(), self.wake_later()) {
            Ok(session) => self.show_campaign(campaign, session),
            Err(error) => self.state.notify_failure(format!("The campaign cannot go on: {error}")),
        }
    }

    fn show_campaign(&mut self, campaign: CampaignState, session: Session) {
        self.sessions.insert(campaign.id, session);
        let campaigns = &mut self.state.campaigns;
        campaigns.selected = Some(campaign.id);
        campaigns.settings = None;
        campaigns.list.insert(0, campaign);
    }

    /// Executes a command of a panel about campaigns, except for starting one.
    pub(super) fn run_campaign(&mut self, command: CampaignCommand) {
        let campaigns = &mut self.state.campaigns;
        match command {
            CampaignCommand::TurnForm(back) => campaigns.turn_form(back),
            CampaignCommand::Options(shown) => campaigns.options = shown,
            CampaignCommand::Settings(open) => campaigns.settings = open,
            CampaignCommand::DoFirst => self.do_first(),
            CampaignCommand::BeginWith(seed) => {
                let mut form = campaigns.form.clone();
                form.begin_with(seed);
                campaigns.edit_form(form);
            }
            CampaignCommand::BeginWithFinding => self.begin_with_finding(),
            CampaignCommand::Show(view) => campaigns.view = view,
            CampaignCommand::ShowRun(place) => campaigns.run = place,
            CampaignCommand::LookInside(place) => {
                (campaigns.view, campaigns.run) = (FuzzView::Inside, place);
            }
            CampaignCommand::Curve(curve) => campaigns.curves.curve = curve,
            CampaignCommand::Axis(axis) => campaigns.curves.axis = axis,
            CampaignCommand::Compare(compared) => {
                campaigns.curves.compared = compared;
                if let Some(Compared::Kept(row)) = compared {
                    self.ask(Job::Curves(row));
                }
            }
            CampaignCommand::Graph(command) => campaigns.graph.run(command),
            CampaignCommand::Thumbnails(screens) => self.make_thumbnails(screens),
            CampaignCommand::Resume(row) => {
                let id = campaigns.resumed_id(row);
                self.ask(Job::Resume(id, row, self.state.in_use()));
            }
            CampaignCommand::PauseRun(id, place, pause) => self.pause_run(id, place, pause),
            CampaignCommand::CancelRun(id, place) => {
                if let Some(session) = self.sessions.get(&id) {
                    session.cancel_engine(place);
                }
            }
        }
    }

    /// Keeps the shown state graph up to date: requests it every [`GRAPH_EVERY`] seconds, and has it laid out by the
    /// disk thread.
    pub(super) fn tend_graph(&mut self) {
        let campaigns = &mut self.state.campaigns;
        let shown = self.state.settings.place == Place::Fuzz && campaigns.view == FuzzView::States;
        let of = campaigns.shown().map(|campaign| campaign.id).zip(campaigns.shown_run());
        let Some((id, place)) = of.filter(|_| shown) else { return };
        let Some(run) = campaigns.get(id).and_then(|campaign| campaign.runs.get(place)) else { return };
        let (graph, alive) = (run.graph.clone(), run.alive());
        if let Some(graph) = graph.filter(|graph| !campaigns.graph.knows((id, place), graph)) {
            campaigns.graph.arranging((id, place), &graph);
            self.ask(Job::Arrange((id, place), graph));
        }
        let now = self.ctx.input(|input| input.time);
        if alive && self.graph_asked.is_none_or(|last| now - last >= GRAPH_EVERY || last > now) {
            self.graph_asked = Some(now);
            if let Some(session) = self.sessions.get(&id) {
                session.ask_graph(place);
            }
        }
    }

    /// Requests thumbnails of these screens, each only once.
    fn make_thumbnails(&mut self, screens: Vec<ThumbnailOf>) {
        for screen in screens {
            let key = screen.key();
            if !self.state.thumbnails.contains_key(&key) {
                if self.state.thumbnails.len() >= MAX_THUMBNAILS {
                    self.state.thumbnails.clear();
                }
                self.state.thumbnails.insert(key, (screen.clone(), None));
                self.ask(Job::Thumbnail(screen));
            }
        }
    }

    pub(super) fn pause_campaign(&mut self, id: CampaignId, pause: bool) {
        let runs = self.state.campaigns.get(id).map_or(0, |campaign| campaign.runs.len());
        for place in 0..runs {
            self.pause_run(id, place, pause);
        }
    }

    /// Pauses or resumes one engine of a campaign, unless it has ended.
    fn pause_run(&mut self, id: CampaignId, place: usize, pause: bool) {
        let campaign = self.state.campaigns.get_mut(id);
        let run = campaign.and_then(|campaign| campaign.runs.get_mut(place)).filter(|run| run.alive());
        if let (Some(run), Some(session)) = (run, self.sessions.get_mut(&id)) {
            run.phase = if pause { CampaignPhase::Paused } else { CampaignPhase::Running };
            if pause { session.pause(place) } else { session.resume(place) }
        }
    }
}

/// Returns the maximum number of events of each engine, counting all of its shares of the campaign's budget.
fn budgets(plan: &CampaignPlan) -> Vec<u64> {
    let budget = |engine: &EngineConfig| {
        let settings = engine.settings();
        let setting = TestTarget::new(&plan.app, &plan.spec, settings.guards_data());
        plan.budget.max_events.saturating_mul(settings.budget_shares(&setting))
    };
    plan.engines.iter().map(budget).collect()
}

/// Returns the files of a document as sources of a campaign. A file is named by its path if the file on disk has this
/// very text.
fn sources(document: &SpecDocument) -> Vec<SpecSource> {
    let source = |file: &SpecFile| {
        let path = file.lies_at().map(|path| path.display().to_string());
        SpecSource {
            saved: document.shipped || path.is_some(),
            name: path.unwrap_or_else(|| file.name.clone()),
            text: file.file.source().to_owned(),
        }
    };
    document.files.iter().filter(|file| !file.is_blank()).map(source).collect()
}

/// Builds a campaign's plan from a validated form.
fn plan_of(order: &CampaignOrder, spec: Arc<Spec>) -> CampaignPlan {
    CampaignPlan {
        app: order.target.app.clone(),
        build: order.target.build.clone(),
        device: order.target.device_choice(),
        engines: order.engines.clone(),
        spec,
        seed_traces: Vec::new(),
        initialiser: order.initialiser.clone(),
        seed: order.seed,
        budget: Budget { max_events: order.events, max_device_millis: order.max_device_millis },
        rules: Vec::new(),
        oracles: order.oracles,
        confirm: ConfirmPlan {
            pictures: order.pictures,
            share: order.confirm_share,
            ..ConfirmPlan::default()
        },
    }
}
