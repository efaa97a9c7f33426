//! Campaigns are started, paused and told here.

use std::sync::Arc;

use crate::campaign::{Budget, Build, BundledPhones, CampaignPlan, ConfirmPlan, Oracles, bundled_apps};
use crate::engine::{EngineConfig, PbfdroidConfig, Setting};
use crate::spec::Spec;
use crate::state::{CampaignId, CampaignOrder, CampaignPhase, CampaignState, SpecDocument, SpecFile};
use crate::store::{SpecSource, StoredPlan};

use super::Studio;
use super::campaign_worker::CampaignWorker;
use super::jobs::Job;

impl Studio {
    pub(super) fn start_campaign(&mut self, order: CampaignOrder) {
        let Some(document) = self.state.documents.get(order.document) else {
            self.state.tell_failure("The campaign was not started: its specification was closed.");
            return;
        };
        let specs = sources(document);
        let spec = format!("{}, version {}", document.name, document.version);
        let plan = Arc::new(plan_of(&order, Arc::clone(&document.spec)));
        let label = self.state.app(&order.app).map_or_else(|| order.app.clone(), |app| app.label.clone());
        if let Err(error) = plan.check(&bundled_apps()) {
            self.state.tell_failure(format!("The campaign was not started: {error}"));
            return;
        }
        let budget = |engine: &EngineConfig| {
            let settings = engine.settings();
            let setting = Setting::new(&plan.app, &plan.spec, settings.guards_data());
            order.events.saturating_mul(settings.budget_shares(&setting))
        };
        let budgets: Vec<u64> = plan.engines.iter().map(budget).collect();
        let phones = || BundledPhones::new(&plan);
        match CampaignWorker::start(&plan, phones, self.wake(), self.wake_later()) {
            Ok(worker) => {
                let id = self.state.campaigns.next_id();
                self.ask(Job::Begin(
                    id,
                    Box::new(StoredPlan { plan: (*plan).clone(), specs, traces: Vec::new() }),
                ));
                let campaigns = &mut self.state.campaigns;
                campaigns.list.insert(0, CampaignState::new(id, label, spec, plan, &budgets));
                campaigns.selected = Some(id);
                self.workers.insert(id, worker);
            }
            Err(error) => self.state.tell_failure(format!("The campaign cannot start: {error}")),
        }
    }

    pub(super) fn pause_campaign(&mut self, id: CampaignId, pause: bool) {
        let campaign = self.state.campaigns.get_mut(id).filter(|campaign| campaign.alive());
        if let (Some(campaign), Some(worker)) = (campaign, self.workers.get_mut(&id)) {
            let phase = if pause { CampaignPhase::Paused } else { CampaignPhase::Running };
            if pause {
                worker.pause()
            } else {
                worker.resume()
            }
            for run in campaign.runs.iter_mut().filter(|run| run.alive()) {
                run.phase = phase.clone();
            }
        }
    }
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
    let engine = PbfdroidConfig {
        mode: order.mode,
        only: order.only.clone(),
        lmax: order.per_test,
        ..PbfdroidConfig::default()
    };
    CampaignPlan {
        app: order.app.clone(),
        build: Build::from(&order.build),
        engines: vec![EngineConfig::Pbfdroid(engine)],
        spec,
        given: Vec::new(),
        seed: order.seed,
        budget: Budget { max_events: order.events, max_device_millis: order.max_device_millis },
        oracles: Oracles::default(),
        confirm: ConfirmPlan::default(),
    }
}
