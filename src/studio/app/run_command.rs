//! Executes the commands of the panels.

use crate::command::Command;
use crate::mirror::{MirrorCommand, walk_maker};
use crate::replay::FindingKey;
use crate::shell::Place;
use taproof_results::report::FindingTrace;

use super::Studio;
use super::jobs::Job;

/// Decoded pictures on either side of the replay's cursor that stay in memory.
const PICTURES_KEPT: usize = 4;

impl Studio {
    /// Executes a command of a panel.
    pub(super) fn run_command(&mut self, command: Command) {
        match command {
            Command::Go(place) => {
                self.state.settings.place = place;
                // A command line may have run or found something meanwhile.
                match place {
                    Place::Record => {}
                    Place::Fuzz => self.ask(Job::Campaigns),
                    Place::Replay => self.ask(Job::History),
                }
            }
            Command::GoRecord(view) => {
                self.state.settings.place = Place::Record;
                self.state.settings.record_view = view;
            }
            Command::UseApp(target) if target.device.as_ref().is_some_and(|serial| !self.is_free(serial)) => {
            }
            Command::UseApp(target) => {
                // The next campaign is likely to test the app that is looked at.
                match self.state.apps.iter().find(|app| app.is(&target)) {
                    Some(app) => self.state.campaigns.form.choose_entry(app),
                    None => self.state.campaigns.form.choose_app(&target.app),
                }
                self.lent = None;
                self.use_app(target);
            }
            Command::Device(command) => self.run_device(&command),
            Command::OpenWalk(folder) => self.order(MirrorCommand::Use(walk_maker(folder))),
            Command::LivePhone => self.use_phone(),
            Command::BeginAnew => self.begin_anew(),
            Command::SeekWalk(step) => self.order(MirrorCommand::Seek(step)),
            Command::StepWalk(steps) => self.order(MirrorCommand::SeekBy(steps)),
            Command::Touch { frame, at, gesture } => {
                self.order(MirrorCommand::Touch { frame, at, gesture });
            }
            Command::Perform(event) => self.order(MirrorCommand::Perform(event)),
            Command::Select(widget) => self.state.selected = widget,
            Command::Window(command) => self.run_window(command),
            Command::File(command) => self.run_file(command),
            Command::Record(command) => self.run_record(command),
            Command::Proposal(command) => self.run_proposal(command),
            Command::Document(command) => self.run_document(command),
            Command::Stand(place) => self.order(MirrorCommand::Stand(place)),
            Command::TakeOver(command) => self.run_take_over(command),
            Command::Trial(command) => self.run_trial(command),
            Command::Keep(command) => self.run_keep(command),
            Command::Match(widgets) => self.state.matches = widgets,
            Command::DismissMessage => {
                self.state.message = None;
                self.state.mirror.problem = None;
            }
            Command::EditForm(form) => self.state.campaigns.edit_form(*form),
            Command::StartCampaign(order) => self.start_campaign(*order),
            Command::PauseCampaign(id, pause) => self.pause_campaign(id, pause),
            Command::CancelCampaign(id) => {
                if let Some(session) = self.sessions.get(&id) {
                    session.cancel();
                }
            }
            Command::Campaign(command) => self.run_campaign(command),
            Command::ShowCampaign(id) => self.state.campaigns.selected = Some(id),
            Command::OpenFinding(campaign, name) => {
                let row = self.state.campaigns.get(campaign).and_then(|campaign| campaign.row);
                if let Some(campaign) = row {
                    self.open_finding(FindingKey { campaign, name });
                }
            }
            Command::Export(command) => self.run_export(command),
            Command::CancelExport(id) => self.cancel_export(id),
            Command::CopyFinding(text) => self.copy_finding(text),
            Command::History(command) => self.run_history(command),
            Command::Replay(command) => {
                if let Some(replay) = &mut self.state.replay {
                    replay.run(command);
                }
            }
        }
    }

    /// Requests the pictures around the replay's cursor, each only once.
    pub(super) fn want_pictures(&mut self) {
        let (Some(replay), Some(jobs)) = (&mut self.state.replay, &self.jobs) else { return };
        let wanted = replay.wanted_frames();
        // Each picture takes megabytes, so those far from the cursor are dropped and decoded again on demand.
        let near = |(way, frame): &(FindingTrace, usize)| {
            wanted.iter().any(|(of, at)| of == way && at.abs_diff(*frame) <= PICTURES_KEPT)
        };
        replay.pictures.retain(|place, _| near(place));
        for (way, frame) in wanted {
            let png = way.of(&replay.finding).screenshots.get(frame).cloned().flatten();
            if let (Some(png), false) = (png, replay.pictures.contains_key(&(way, frame))) {
                replay.pictures.insert((way, frame), None);
                jobs.ask(Job::Decode { finding: replay.source.key.clone(), place: (way, frame), png });
            }
        }
    }
}
