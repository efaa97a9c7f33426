//! Handles what concerns campaigns: the form, starting and pausing, what the engines report, and what is prepared to be
//! shown of them.

use std::sync::Arc;

use super::event_list;
use super::sessions::{CampaignNews, StartingCampaign};
use super::{
    CampaignCommand, CampaignOrder, CampaignPhase, CampaignState, Campaigns, ChosenSpec, Compared,
    EngineRunState, FuzzView, KeptForm, Opening, PreparedCampaign, SeedChoice, ThumbnailOf, take_found,
};
use crate::command::Command;
use crate::disk::Job;
use crate::effect::Effect;
use crate::fuzz::form::keep_first_steps::do_first;
use crate::fuzz::form::test_rules::{own_rules, tend_rules};
use crate::phone::{DeviceCommand, TestsToBegin, lend, may_begin, run_device};
use crate::replay::ask_history;
use crate::specs::{SpecDocument, SpecFile};
use crate::state::{AppEntry, CampaignId, Place, StudioState};
use taproof_campaign::{CampaignPlan, CampaignWarning, Corrections, EndReason, Finding};
use taproof_results::store::{SpecSource, StoredPlan};
use taproof_session::{EngineNews, EngineTask, names_files};

/// Seconds between two requests for the state graph of a running engine.
const GRAPH_EVERY: f64 = 1.0;
/// Maximum number of thumbnails in memory. When it is reached all are dropped, and those still shown are rendered
/// again.
const MAX_THUMBNAILS: usize = 1500;

/// Starts a campaign with these validated settings. Files that it needs are read first.
pub(crate) fn start_campaign(state: &mut StudioState, order: CampaignOrder) -> Vec<Effect> {
    let tests = TestsToBegin {
        app: &order.plan.app,
        device: &order.plan.device,
        first: order.plan.initialiser.as_deref(),
        can_keep: true,
    };
    if !may_begin(state, &tests, Command::StartCampaign(Box::new(order.clone()))) {
        return Vec::new();
    }
    // Once in each window; a person who starts it again after that wants it nevertheless.
    let known = |serial: &&String| {
        state.settings.fit_devices.contains(serial) || state.devices.checks.contains_key(*serial)
    };
    if let Some(serial) = order.plan.device.serials().iter().find(|serial| !known(serial)).cloned() {
        let words = format!("{serial} is checked before its first campaign, which begins then.");
        let effects = run_device(state, DeviceCommand::Check(serial.clone()));
        if !effects.is_empty() {
            state.notify(words);
            state.after_check = Some((serial, Box::new(Command::StartCampaign(Box::new(order)))));
        }
        return effects;
    }
    let documents: Option<_> = order.documents.iter().map(|id| state.documents.get(*id)).collect();
    let Some(documents) = documents else {
        state.notify_failure("The campaign was not started: its specification was closed.");
        return Vec::new();
    };
    let chosen = ChosenSpec { documents };
    let specs = chosen.documents.iter().flat_map(|document| sources(document)).collect();
    let none = chosen.documents.is_empty();
    let spec = if none { "no specification".to_owned() } else { chosen.words() };
    let mut plan = CampaignPlan { spec: chosen.spec(), ..order.plan };
    plan.rules.extend(own_rules(&state.workspace, &plan.app, &order.rules.own));
    let (seeds, rule_files) = (order.seed_traces, order.rules.files);
    let reads = plan.engines.iter().any(names_files) || !seeds.is_empty() || !rule_files.is_empty();
    let stored = StoredPlan { plan, specs, traces: Vec::new() };
    let prepared = PreparedCampaign { stored, spec, rule_files, seeds, notes: Vec::new() };
    if reads { vec![Effect::Disk(Job::Prepare(Box::new(prepared)))] } else { start_prepared(state, prepared) }
}

/// Adds the traces of the open finding to the form's seeds, as the finding's number does on the command line.
fn begin_with_finding(state: &mut StudioState) {
    let Some(source) = state.replay.as_ref().map(|replay| &replay.source) else { return };
    let mut form = state.campaigns.form.clone();
    let on = |app: &&AppEntry| app.device.as_deref() == source.plan.device.serial(0);
    match state.apps.iter().filter(|app| app.package == source.plan.app).find(on) {
        Some(app) => form.choose_entry(app),
        None => form.choose_app(&source.plan.app),
    }
    let title = format!("finding {}", source.number);
    form.begin_with(SeedChoice { word: source.number.to_string(), title });
    state.campaigns.edit_form(form);
    (state.settings.place, state.campaigns.folded) = (Place::Fuzz, false);
}

/// Starts a campaign whose files (pools, traces) have been read.
pub(crate) fn start_prepared(state: &mut StudioState, prepared: PreparedCampaign) -> Vec<Effect> {
    let PreparedCampaign { stored, spec, notes, .. } = prepared;
    let plan = Arc::new(stored.plan.clone());
    if let Err(error) = plan.check(&state.app_facts) {
        state.notify_failure(format!("The campaign was not started: {error}"));
        return Vec::new();
    }
    let Some(mut effects) = lend(state, &plan.device, "campaign") else { return Vec::new() };
    let from = plan.engines.iter().map(|_| None).collect();
    let label = state.label_of(&plan.app).to_owned();
    let mut campaign = CampaignState::new(state.campaigns.next_id(), label, spec, plan);
    campaign.warnings = notes;
    effects.push(start(state, StartingCampaign { campaign, from, command: None, stored: Some(stored) }));
    effects
}

/// Starts an interrupted campaign that the disk thread has prepared for resumption.
pub(crate) fn start_resumed(state: &mut StudioState, mut resumed: StartingCampaign) -> Vec<Effect> {
    let plan = &resumed.campaign.plan;
    let Some(mut effects) = lend(state, &plan.device, "campaign") else { return Vec::new() };
    resumed.campaign.label = state.label_of(&plan.app).to_owned();
    effects.push(start(state, resumed));
    effects
}

fn start(state: &StudioState, mut starting: StartingCampaign) -> Effect {
    starting.command = state.campaigns.form.command_before(&starting.campaign.plan.app);
    Effect::StartCampaign(Box::new(starting))
}

/// Shows a campaign whose engines have been started, or says why they were not.
pub(crate) fn started(
    state: &mut StudioState,
    started: Result<Box<StartingCampaign>, String>,
) -> Vec<Effect> {
    let StartingCampaign { mut campaign, stored, .. } = match started {
        Ok(starting) => *starting,
        Err(problem) => {
            state.notify_failure(problem);
            return Vec::new();
        }
    };
    let begin = stored.map(|stored| Effect::Disk(Job::Begin(campaign.id, Box::new(stored))));
    let campaigns = &mut state.campaigns;
    let row = campaigns.kept.iter().find(|kept| Some(kept.id) == campaign.row);
    let began = row.map_or(Some(state.window.today.timestamp()), |row| row.began);
    campaign.began = began;
    // An earlier campaign that goes on is one of this window from now on.
    campaigns.list.retain(|known| known.earlier.is_none() || known.row != campaign.row);
    campaigns.show(campaign.id);
    (campaigns.settings, campaigns.folded) = (None, true);
    let (id, found) = (campaign.id, Arc::clone(&campaign.found));
    campaigns.list.insert(0, campaign);
    begin.into_iter().chain(take_found(state, id, found, &[])).collect()
}

/// Executes a command of a panel about campaigns, except for starting one.
pub(crate) fn run_campaign(state: &mut StudioState, command: CampaignCommand) -> Vec<Effect> {
    let campaigns = &mut state.campaigns;
    match command {
        CampaignCommand::TurnForm(back) => campaigns.turn_form(back),
        CampaignCommand::Fold(folded) => campaigns.folded = folded,
        CampaignCommand::Options(shown) => {
            campaigns.options = shown;
            campaigns.folded &= !shown;
        }
        CampaignCommand::Settings(open) => {
            campaigns.folded &= open.is_none();
            campaigns.settings = open;
        }
        CampaignCommand::DoFirst => do_first(state),
        CampaignCommand::BeginWithFinding => begin_with_finding(state),
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
                return vec![Effect::Disk(Job::Curves(row))];
            }
        }
        CampaignCommand::FindEvents(words) => campaigns.events.words = words,
        CampaignCommand::RenewEvents => campaigns.events.renew(),
        CampaignCommand::Graph(command) => campaigns.graph.run(command),
        CampaignCommand::Thumbnails(screens) => return make_thumbnails(state, screens),
        CampaignCommand::Open(row) => return open_earlier(campaigns, row),
        CampaignCommand::Resume(row) => {
            let id = campaigns.earlier_id(row);
            return vec![Effect::Disk(Job::Resume(id, row, state.in_use()))];
        }
        CampaignCommand::Correct(app, change) => return vec![Effect::Disk(Job::Correct(app, change))],
        CampaignCommand::PauseRun(id, place, pause) => {
            return pause_run(campaigns, id, place, pause).into_iter().collect();
        }
        CampaignCommand::CancelRun(id, place) => {
            let run = campaigns.get_mut(id).and_then(|campaign| campaign.runs.get_mut(place));
            run.into_iter().for_each(stopping);
            return vec![Effect::Campaign(id, Some(place), EngineTask::Cancel)];
        }
    }
    Vec::new()
}

/// Has an earlier campaign read, unless it is shown as it is.
fn open_earlier(campaigns: &mut Campaigns, row: i64) -> Vec<Effect> {
    let changes = match &campaigns.opening {
        Some(opening) => opening.problem.is_some(),
        // One that runs in another program has come further.
        None => campaigns.shown().is_some_and(|shown| shown.phase() == CampaignPhase::Earlier(None)),
    };
    if campaigns.earlier_shown() == Some(row) && !changes {
        return Vec::new();
    }
    campaigns.opening = Some(Opening { row, problem: None });
    vec![Effect::Disk(Job::OpenCampaign(campaigns.earlier_id(row), row))]
}

/// Shows an earlier campaign, or says why it cannot be read.
pub(crate) fn opened(state: &mut StudioState, row: i64, read: Result<Box<CampaignState>, String>) {
    match read {
        Ok(mut opened) => {
            opened.label = state.label_of(&opened.plan.app).to_owned();
            state.campaigns.take_opened(*opened);
        }
        Err(problem) => state.campaigns.not_opened(row, problem),
    }
}

/// Adds a seed to the form.
pub(crate) fn begin_with(campaigns: &mut Campaigns, seed: SeedChoice) {
    let mut form = campaigns.form.clone();
    form.begin_with(seed);
    campaigns.edit_form(form);
}

/// Takes what the engines of a campaign have reported.
pub(crate) fn take_news(campaigns: &mut Campaigns, id: CampaignId, news: CampaignNews) {
    let Some(campaign) = campaigns.get_mut(id) else { return };
    for (run, seconds) in campaign.runs.iter_mut().zip(news.seconds) {
        run.seconds = seconds;
    }
    for (engine, report) in news.reports {
        let Some(run) = campaign.runs.get_mut(engine) else { continue };
        match report {
            EngineNews::Started if run.phase == CampaignPhase::Starting => run.phase = CampaignPhase::Running,
            EngineNews::Started => {}
            EngineNews::Warning(warning) => {
                run.away = match warning {
                    CampaignWarning::DeviceLost(_) => true,
                    CampaignWarning::DeviceBack => false,
                    _ => run.away,
                };
                let words = warning.to_string();
                campaign.warnings.retain(|known| *known != words);
                campaign.warnings.push(words);
            }
            EngineNews::Counts(counts) => run.take_counts(counts),
            EngineNews::Violated(counts) => campaign.counts.extend(counts),
            EngineNews::Stats(stats) => run.stats = stats,
            EngineNews::Graph(graph) => run.graph = Some(graph),
            EngineNews::Seen(frame) => {
                let serial = campaign.plan.device.serial(engine).unwrap_or_default().to_owned();
                campaign.screens.insert(serial, frame);
            }
            EngineNews::Ended(end, fingerprint, counts) => {
                run.fingerprint = fingerprint;
                run.phase = CampaignPhase::Ended(end);
                campaign.counts.extend(counts);
            }
            EngineNews::Broken(report) => run.phase = CampaignPhase::Ended(EndReason::Bug(report)),
        }
    }
    campaign.together = news.together.or(campaign.together.take());
}

/// Marks a campaign as failed because a record cannot be written, and notifies the person once.
pub(crate) fn not_written(
    state: &mut StudioState,
    id: CampaignId,
    problem: &str,
    finding: Option<&Finding>,
) -> Vec<Effect> {
    let known = state.campaigns.get_mut(id);
    if known.is_some_and(|known| known.not_written(problem, finding)) {
        state.notify_failure(format!("Campaign {} failed, its results cannot be written: {problem}", id.0));
    }
    vec![Effect::Disk(Job::Campaigns), Effect::Campaign(id, None, EngineTask::Cancel)]
}

/// Takes what a person has said of findings in an app, which is on the disk now.
pub(crate) fn corrected(
    state: &mut StudioState,
    app: String,
    all: Corrections,
    words: String,
) -> Vec<Effect> {
    state.notify(words);
    state.history.take_corrections(app, all);
    ask_history(state).into_iter().collect()
}

/// Asks for the events that are shown, and keeps the shown state graph up to date: requests it every [`GRAPH_EVERY`]
/// seconds, and has it laid out by the disk thread.
pub(crate) fn tick(state: &mut StudioState, now: f64) -> Vec<Effect> {
    let mut effects = event_list::tick(state);
    let campaigns = &mut state.campaigns;
    effects.extend(tend_rules(campaigns));
    let kept = KeptForm::of(&campaigns.form, &state.documents, &state.settings.target);
    if state.settings.campaign != kept {
        state.settings.campaign = kept;
    }
    let shown = state.settings.place == Place::Fuzz && campaigns.view == FuzzView::States;
    let of = campaigns.shown().map(|campaign| campaign.id).zip(campaigns.shown_run());
    let Some((id, place)) = of.filter(|_| shown) else { return effects };
    let run = campaigns.get(id).and_then(|campaign| campaign.runs.get(place));
    let Some((graph, alive)) = run.map(|run| (run.graph.clone(), run.alive())) else { return effects };
    let unknown = graph.filter(|graph| !campaigns.graph.knows((id, place), graph));
    effects.extend(unknown.map(|graph| {
        campaigns.graph.arranging((id, place), &graph);
        Effect::Disk(Job::Arrange((id, place), graph))
    }));
    let asked = &mut campaigns.graph.asked;
    if alive && asked.is_none_or(|last| now - last >= GRAPH_EVERY || last > now) {
        *asked = Some(now);
        effects.push(Effect::Campaign(id, Some(place), EngineTask::SendGraph));
    }
    effects
}

/// Requests thumbnails of these screens, each only once.
fn make_thumbnails(state: &mut StudioState, screens: Vec<ThumbnailOf>) -> Vec<Effect> {
    let mut effects = Vec::new();
    for screen in screens {
        let key = screen.key();
        if !state.thumbnails.contains_key(&key) {
            if state.thumbnails.len() >= MAX_THUMBNAILS {
                state.thumbnails.clear();
            }
            state.thumbnails.insert(key, (screen.clone(), None));
            effects.push(Effect::Disk(Job::Thumbnail(screen)));
        }
    }
    effects
}

/// Stops all engines of a campaign.
pub(crate) fn cancel_campaign(campaigns: &mut Campaigns, id: CampaignId) -> Vec<Effect> {
    let runs = campaigns.get_mut(id).into_iter().flat_map(|campaign| &mut campaign.runs);
    runs.for_each(stopping);
    vec![Effect::Campaign(id, None, EngineTask::Cancel)]
}

/// Shows that an engine is about to end, which it does after what it is just doing.
fn stopping(run: &mut EngineRunState) {
    if run.alive() {
        run.phase = CampaignPhase::Stopping;
    }
}

/// Pauses or resumes all engines of a campaign.
pub(crate) fn pause_campaign(campaigns: &mut Campaigns, id: CampaignId, pause: bool) -> Vec<Effect> {
    let runs = campaigns.get(id).map_or(0, |campaign| campaign.runs.len());
    (0..runs).filter_map(|place| pause_run(campaigns, id, place, pause)).collect()
}

/// Pauses or resumes one engine of a campaign, unless it has ended.
fn pause_run(campaigns: &mut Campaigns, id: CampaignId, place: usize, pause: bool) -> Option<Effect> {
    let run = campaigns.get_mut(id)?.runs.get_mut(place).filter(|run| run.steerable())?;
    let (phase, task) = match pause {
        true => (CampaignPhase::Paused, EngineTask::Pause),
        false => (CampaignPhase::Running, EngineTask::GoOn),
    };
    run.phase = phase;
    Some(Effect::Campaign(id, Some(place), task))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::fuzz::AppRules;
    use crate::phone::{DeviceNews, take_device_news};
    use taproof_adb::{CheckAnswer, Checked, Fitness};
    use taproof_campaign::DeviceChoice;
    use taproof_engine::{EngineConfig, MonkeyConfig, PbfdroidConfig};
    use taproof_screen::Initialiser;

    #[test]
    fn a_device_is_checked_before_its_first_campaign() {
        let serial = || "phone-1".to_owned();
        let engine = EngineConfig::Monkey(MonkeyConfig::default());
        let device = DeviceChoice::Adb(vec![serial()]);
        let first = Initialiser { keep_data: true, ..Initialiser::default() };
        let initialiser = Some(Arc::new(first));
        let plan = CampaignPlan { device, initialiser, ..CampaignPlan::new("org.ex", engine, 10) };
        let (documents, rules) = (Vec::new(), AppRules::default());
        let order = CampaignOrder { plan, documents, rules, seed_traces: Vec::new() };
        let ended = |said: &str, state: &mut StudioState| {
            let fitness = if said.is_empty() { Fitness::Good } else { Fitness::Bad };
            let (said, advice) = (said.to_owned(), "plug it in".to_owned());
            let answer = CheckAnswer { what: Checked::Control, fitness, said, advice };
            take_device_news(state, DeviceNews::Checked(serial(), answer));
            take_device_news(state, DeviceNews::CheckEnded(serial(), Ok(())))
        };
        let mut state = StudioState::default();
        assert_eq!(start_campaign(&mut state, order.clone()).len(), 1, "the check");
        assert!(state.in_use().problem("phone-1").unwrap().contains("check"));
        assert!(ended("it is locked", &mut state).is_empty() && state.devices.panel);
        let told = state.message.as_ref().unwrap();
        assert!(told.text.ends_with("It is locked. Plug it in."), "{}", told.text);
        assert!(state.after_check.is_none() && state.settings.fit_devices.is_empty());
        assert!(matches!(start_campaign(&mut state, order.clone())[..], [Effect::StartCampaign(_)]));

        let mut state = StudioState::default();
        start_campaign(&mut state, order.clone());
        let begun = ended("", &mut state);
        assert!(matches!(&begun[..], [Effect::Then(Event::Command(Command::StartCampaign(_)))]));
        assert_eq!(state.settings.fit_devices, [serial()], "not checked again");
        state.devices.checks.clear();
        assert!(matches!(start_campaign(&mut state, order)[..], [Effect::StartCampaign(_)]));
    }

    #[test]
    fn a_cancelled_campaign_is_stopping_until_its_engines_have_ended() {
        let engine = EngineConfig::Pbfdroid(PbfdroidConfig::default());
        let plan = Arc::new(CampaignPlan::new("org.ex", engine, 10));
        let (id, label) = (CampaignId(1), String::new);
        let mut campaigns = Campaigns::default();
        campaigns.list.push(CampaignState::new(id, label(), label(), plan));
        let phase = |campaigns: &Campaigns| campaigns.list[0].phase();
        let report = |campaigns: &mut Campaigns, news: EngineNews| {
            let reports = vec![(0, news)];
            take_news(campaigns, id, CampaignNews { reports, ..CampaignNews::default() });
        };
        report(&mut campaigns, EngineNews::Started);
        assert_eq!(phase(&campaigns), CampaignPhase::Running);
        assert!(matches!(
            cancel_campaign(&mut campaigns, id)[..],
            [Effect::Campaign(_, None, EngineTask::Cancel)]
        ));
        assert_eq!(phase(&campaigns), CampaignPhase::Stopping);
        report(&mut campaigns, EngineNews::Started);
        assert!(pause_campaign(&mut campaigns, id, true).is_empty(), "it can be paused no more");
        assert_eq!((phase(&campaigns), campaigns.list[0].alive()), (CampaignPhase::Stopping, true));
        report(&mut campaigns, EngineNews::Ended(EndReason::Cancelled, None, Vec::new()));
        assert_eq!(phase(&campaigns), CampaignPhase::Ended(EndReason::Cancelled));
    }
}
