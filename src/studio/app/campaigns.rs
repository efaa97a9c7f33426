//! Campaigns are started, paused and told here.

use std::sync::Arc;

use crate::state::{
    CampaignCommand, CampaignId, CampaignOrder, CampaignPhase, CampaignState, Compared, FuzzView, Place,
    PreparedCampaign, Resumed, SpecDocument, SpecFile, thumb_key,
};
use taproof_core::campaign::{Budget, Build, CampaignPlan, ConfirmPlan, DeviceChoice, Oracles};
use taproof_core::engine::{EngineConfig, Setting};
use taproof_core::model::Layout;
use taproof_core::spec::Spec;
use taproof_phone::bundled_apps;
use taproof_results::store::{SpecSource, StoredPlan};
use taproof_session::{Phones, names_files};

use super::Studio;
use super::campaign_worker::CampaignWorker;
use super::jobs::Job;

/// Seconds between two looks at the states of an engine that runs.
const GRAPH_EVERY: f64 = 1.0;
/// Small pictures that are kept; all are made again when there are more.
const MAX_THUMBNAILS: usize = 1500;

impl Studio {
    pub(super) fn start_campaign(&mut self, order: CampaignOrder) {
        let document = order.document.and_then(|id| self.state.documents.get(id));
        if order.document.is_some() && document.is_none() {
            self.state.tell_failure("The campaign was not started: its specification was closed.");
            return;
        }
        let specs = document.map(sources).unwrap_or_default();
        let words = |document: &SpecDocument| format!("{}, version {}", document.name, document.version);
        let spec = document.map_or_else(|| "no specification".to_owned(), words);
        let plan = plan_of(&order, document.map(|document| Arc::clone(&document.spec)).unwrap_or_default());
        let label = self.state.app(&order.app).map_or_else(|| order.app.clone(), |app| app.label.clone());
        if let Err(error) = plan.check(&bundled_apps()) {
            self.state.tell_failure(format!("The campaign was not started: {error}"));
            return;
        }
        let reads = plan.engines.iter().any(names_files);
        let prepared = PreparedCampaign { plan, specs, spec, label, notes: Vec::new() };
        if reads {
            self.ask(Job::Prepare(Box::new(prepared)));
        } else {
            self.start_prepared(prepared);
        }
    }

    /// Campaigns whose engines begin with files start once the disk thread has read them.
    pub(super) fn take_prepared(&mut self) {
        for prepared in std::mem::take(&mut self.state.campaigns.prepared) {
            self.start_prepared(prepared);
        }
    }

    fn start_prepared(&mut self, prepared: PreparedCampaign) {
        let PreparedCampaign { plan, specs, spec, label, notes } = prepared;
        let plan = Arc::new(plan);
        if !self.lend(&plan.device, "campaign") {
            return;
        }
        let from = plan.engines.iter().map(|_| (None, 0.0)).collect();
        let phones = |place| Phones::of(&plan, place);
        match CampaignWorker::start(&plan, from, phones, self.wake(), self.wake_later()) {
            Ok(worker) => {
                let id = self.state.campaigns.next_id();
                let stored = StoredPlan { plan: (*plan).clone(), specs, traces: Vec::new() };
                self.ask(Job::Begin(id, Box::new(stored)));
                let budgets = budgets(&plan);
                let mut campaign = CampaignState::new(id, label, spec, plan, &budgets);
                campaign.warnings = notes;
                self.show_campaign(campaign, worker);
            }
            Err(error) => self.state.tell_failure(format!("The campaign cannot start: {error}")),
        }
    }

    /// A campaign that was interrupted goes on, once the disk thread has taken it up.
    pub(super) fn take_resumed(&mut self) {
        let Some(resumed) = self.state.campaigns.resumed.take() else { return };
        if !self.lend(&resumed.plan.device, "campaign") {
            return;
        }
        let id = self.state.campaigns.resumed_id(resumed.row);
        let app = &resumed.plan.app;
        let label = self.state.app(app).map_or_else(|| app.clone(), |app| app.label.clone());
        let campaign = CampaignState::resumed(id, label, &resumed, &budgets(&resumed.plan));
        let seconds = campaign.runs.iter().map(|run| run.seconds);
        let Resumed { plan, from, .. } = *resumed;
        let from = from.into_iter().zip(seconds).collect();
        let phones = |place| Phones::of(&plan, place);
        match CampaignWorker::start(&plan, from, phones, self.wake(), self.wake_later()) {
            Ok(worker) => self.show_campaign(campaign, worker),
            Err(error) => self.state.tell_failure(format!("The campaign cannot go on: {error}")),
        }
    }

    fn show_campaign(&mut self, campaign: CampaignState, worker: CampaignWorker) {
        self.workers.insert(campaign.id, worker);
        let campaigns = &mut self.state.campaigns;
        campaigns.selected = Some(campaign.id);
        campaigns.settings = None;
        campaigns.list.insert(0, campaign);
    }

    /// Does what is asked of the campaigns beyond starting them.
    pub(super) fn run_campaign(&mut self, command: CampaignCommand) {
        let campaigns = &mut self.state.campaigns;
        match command {
            CampaignCommand::TurnForm(back) => campaigns.turn_form(back),
            CampaignCommand::Settings(open) => campaigns.settings = open,
            CampaignCommand::DoFirst => self.do_first(),
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
            CampaignCommand::Thumbnails(layouts) => self.make_thumbnails(layouts),
            CampaignCommand::Resume(row) => {
                let id = campaigns.resumed_id(row);
                self.ask(Job::Resume(id, row, self.state.in_use()));
            }
            CampaignCommand::PauseRun(id, place, pause) => self.pause_run(id, place, pause),
            CampaignCommand::CancelRun(id, place) => {
                if let Some(worker) = self.workers.get(&id) {
                    worker.cancel_run(place);
                }
            }
        }
    }

    /// Keeps the states that are shown up to date: asks for them now and then, and has them arranged.
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
            if let Some(worker) = self.workers.get(&id) {
                worker.ask_graph(place);
            }
        }
    }

    /// Asks for small pictures, each once.
    fn make_thumbnails(&mut self, layouts: Vec<Arc<Layout>>) {
        for layout in layouts {
            let key = thumb_key(&layout);
            if !self.state.thumbnails.contains_key(&key) {
                if self.state.thumbnails.len() >= MAX_THUMBNAILS {
                    self.state.thumbnails.clear();
                }
                self.state.thumbnails.insert(key, (Arc::clone(&layout), None));
                self.ask(Job::Thumbnail(layout));
            }
        }
    }

    pub(super) fn pause_campaign(&mut self, id: CampaignId, pause: bool) {
        let runs = self.state.campaigns.get(id).map_or(0, |campaign| campaign.runs.len());
        for place in 0..runs {
            self.pause_run(id, place, pause);
        }
    }

    /// Lets an engine wait or go on, unless it is over.
    fn pause_run(&mut self, id: CampaignId, place: usize, pause: bool) {
        let campaign = self.state.campaigns.get_mut(id);
        let run = campaign.and_then(|campaign| campaign.runs.get_mut(place)).filter(|run| run.alive());
        if let (Some(run), Some(worker)) = (run, self.workers.get_mut(&id)) {
            run.phase = if pause { CampaignPhase::Paused } else { CampaignPhase::Running };
            if pause { worker.pause(place) } else { worker.resume(place) }
        }
    }
}

/// The events that each engine may perform.
fn budgets(plan: &CampaignPlan) -> Vec<u64> {
    let budget = |engine: &EngineConfig| {
        let settings = engine.settings();
        let setting = Setting::new(&plan.app, &plan.spec, settings.guards_data());
        plan.budget.max_events.saturating_mul(settings.budget_shares(&setting))
    };
    plan.engines.iter().map(budget).collect()
}

/// The files of a document as they are run: by their path, where they lie there with this text.
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

/// The plan of a checked form.
fn plan_of(order: &CampaignOrder, spec: Arc<Spec>) -> CampaignPlan {
    CampaignPlan {
        app: order.app.clone(),
        build: Build::from(&order.build),
        device: DeviceChoice::from(&order.build),
        engines: order.engines.clone(),
        spec,
        given: Vec::new(),
        initialiser: order.initialiser.clone(),
        seed: order.seed,
        budget: Budget { max_events: order.events, max_device_millis: order.max_device_millis },
        oracles: Oracles::default(),
        confirm: ConfirmPlan::default(),
    }
}
