//! The one place where what panels ask for is done.

use std::sync::Arc;

use crate::campaign::{Budget, Build, BundledPhones, CampaignPlan, ConfirmPlan, bundled_apps};
use crate::engine::{EngineConfig, PbfdroidConfig, Setting};
use crate::mirror::{MirrorCommand, walk_maker};
use crate::state::{BuildChoice, CampaignOrder, CampaignPhase, CampaignState, Command, Place, ReplayState};
use crate::store::{SpecSource, StoredPlan};

use super::Studio;
use super::campaign_worker::CampaignWorker;
use super::jobs::Job;

impl Studio {
    /// Does what a panel asked for.
    pub(super) fn run_command(&mut self, command: Command) {
        match command {
            Command::Go(place) => self.state.settings.place = place,
            Command::UseApp(package, build) => {
                // Whoever looks at an app is likely to test it next.
                self.state.campaigns.form.app.clone_from(&package);
                self.use_app(package, build);
            }
            Command::OpenWalk(folder) => {
                self.send(MirrorCommand::Use(walk_maker(folder)));
            }
            Command::LivePhone => {
                let make = self.phone_maker();
                self.send(MirrorCommand::Use(make));
            }
            Command::SeekWalk(step) => self.send(MirrorCommand::Seek(step)),
            Command::StepWalk(steps) => self.send(MirrorCommand::SeekBy(steps)),
            Command::Touch { frame, at, gesture } => {
                self.send(MirrorCommand::Touch { frame, at, gesture });
            }
            Command::Perform(event) => self.send(MirrorCommand::Perform(event)),
            Command::Select(widget) => self.state.selected = widget,
            Command::SetDark(dark) => self.state.settings.dark = dark,
            Command::SetHelp(help) => self.state.settings.help = help,
            Command::File(command) => self.run_file(command),
            Command::Record(command) => self.state.record.run(command, &self.state.mirror.walked),
            Command::Document(command) => self.run_document(command),
            Command::Stand(place) => self.send(MirrorCommand::Stand(place)),
            Command::DismissMessage => {
                self.state.message = None;
                self.state.mirror.problem = None;
            }
            Command::EditForm(form) => self.state.campaigns.form = *form,
            Command::StartCampaign(order) => self.start_campaign(*order),
            Command::PauseCampaign(id, pause) => self.pause_campaign(id, pause),
            Command::CancelCampaign(id) => {
                if let Some(worker) = self.workers.get(&id) {
                    worker.cancel();
                }
            }
            Command::ShowCampaign(id) => self.state.campaigns.selected = Some(id),
            Command::OpenFinding(campaign, id) => {
                if let Some(finding) = self.state.campaigns.finding(campaign, &id).cloned() {
                    self.state.replay = Some(ReplayState::open(campaign, finding));
                    self.state.settings.place = Place::Replay;
                }
            }
            Command::Replay(command) => {
                if let Some(replay) = &mut self.state.replay {
                    replay.run(command);
                }
            }
        }
    }

    fn start_campaign(&mut self, order: CampaignOrder) {
        let plan = Arc::new(CampaignPlan {
            app: order.app.clone(),
            build: match &order.build {
                BuildChoice::Faulty => Build::Faulty,
                BuildChoice::Sound => Build::Sound,
                BuildChoice::Only(bugs) => Build::Bugs(bugs.iter().cloned().collect()),
            },
            engines: vec![EngineConfig::Pbfdroid(PbfdroidConfig { mode: order.mode, ..Default::default() })],
            spec: self.state.documents.shipped(&order.app).map(|it| Arc::clone(&it.spec)).unwrap_or_default(),
            seed: order.seed,
            budget: Budget { max_events: order.events, max_device_millis: None },
            confirm: ConfirmPlan::default(),
        });
        let label = self.state.app(&order.app).map_or_else(|| order.app.clone(), |app| app.label.clone());
        if let Err(error) = plan.check(&bundled_apps()) {
            self.state.tell_failure(format!("The campaign was not started: {error}"));
            return;
        }
        let shares = plan
            .engines
            .first()
            .map_or(1, |engine| engine.budget_shares(&Setting::new(&plan.app, &plan.spec)));
        let source = BundledPhones::new(&plan);
        match CampaignWorker::start(Arc::clone(&plan), source, self.wake()) {
            Ok(worker) => {
                let id = self.state.campaigns.next_id();
                let document = self.state.documents.shipped(&plan.app);
                let source =
                    |(name, text): &(String, String)| SpecSource { name: name.clone(), text: text.clone() };
                let specs = document.map(|it| it.sources.iter().map(source).collect());
                let stored = StoredPlan { plan: (*plan).clone(), specs: specs.unwrap_or_default() };
                self.ask(Job::Begin(id, Box::new(stored)));
                let campaigns = &mut self.state.campaigns;
                let budget = order.events.saturating_mul(shares);
                campaigns.list.insert(0, CampaignState::new(id, label, plan, budget));
                campaigns.selected = Some(id);
                self.workers.insert(id, worker);
            }
            Err(error) => self.state.tell_failure(format!("The campaign cannot start: {error}")),
        }
    }

    fn pause_campaign(&mut self, id: crate::state::CampaignId, pause: bool) {
        let campaign = self.state.campaigns.get_mut(id).filter(|campaign| campaign.alive());
        if let (Some(campaign), Some(worker)) = (campaign, self.workers.get_mut(&id)) {
            if pause {
                worker.pause();
                campaign.phase = CampaignPhase::Paused;
            } else {
                worker.resume();
                campaign.phase = CampaignPhase::Running;
            }
        }
    }

    /// Asks for the pictures around the cursor of the replay, each once.
    pub(super) fn want_pictures(&mut self) {
        let (Some(replay), Some(jobs)) = (&mut self.state.replay, &self.jobs) else { return };
        for frame in replay.step..=replay.step + 2 {
            let png = replay.finding.minimal.screenshots.get(frame).cloned().flatten();
            if let (Some(png), false) = (png, replay.pictures.contains_key(&frame)) {
                replay.pictures.insert(frame, None);
                jobs.ask(Job::Decode { finding: replay.finding.id.clone(), frame, png });
            }
        }
    }
}
