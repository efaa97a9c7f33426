//! The disk thread: it commits findings before the window shows them, and decodes pictures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, unbounded};
use serde_json::{Map, Value};

use crate::state::{
    CampaignId, DevicesInUse, EarlierCampaign, FindingKey, GraphOf, GraphView, HistoryRow, KeptCurves,
    Looked, PreparedCampaign, ReplaySource, ReplayState, Resumed, StudioState, Way, thumb_key, thumbnail,
};
use taproof_core::campaign::{
    CampaignPlan, CampaignSummary, Checkpoint, CoverageSample, Finding, PngBytes, SavedTrace,
};
use taproof_core::device::Screenshot;
use taproof_core::engine::StateGraph;
use taproof_core::format::{PictureError, read_rgba};
use taproof_core::model::{Initialiser, Layout, ReuseModel};
use taproof_core::worker::{self, CancelToken, PanicReport, Worker};
use taproof_results::store::{
    CampaignEnd, Drafts, FindingRow, NewCampaign, RunningCampaign, StoreError, StoredPlan, Workspace,
    open_trace, remove_initialiser, save_trace, set_settings_aside, write_initialiser, write_settings,
};
use taproof_session::{keep_learned, read_contents};

use super::earlier;
use super::folder::look;
use super::spec_jobs::{self, SpecDone, SpecJob};

/// What the disk thread is asked to do.
pub(super) enum Job {
    /// Something for specifications.
    Spec(SpecJob),
    /// Reads the files that the engines of a campaign begin with.
    Prepare(Box<PreparedCampaign>),
    /// Adds what an engine of a campaign, by its place, has learned to the models of the app.
    Learn(Arc<CampaignPlan>, usize, Box<ReuseModel>),
    /// Notes that a campaign begins.
    Begin(CampaignId, Box<StoredPlan>),
    /// Notes how far it has come.
    Sample(CampaignId, CoverageSample),
    Checkpoint(CampaignId, usize, Box<Checkpoint>),
    /// Commits a finding; the window shows it once that is done.
    Commit(CampaignId, Arc<Finding>),
    /// Notes how a campaign ended.
    End(CampaignId, Box<CampaignSummary>, String),
    /// Writes a trace into a file.
    SaveTrace(PathBuf, Arc<SavedTrace>),
    /// Reads a trace from a file.
    OpenTrace(PathBuf),
    /// Reads what the workspace holds.
    History,
    /// Reads which campaigns it holds.
    Campaigns,
    /// Reads how far the engines of a campaign came.
    Curves(i64),
    /// Arranges the states of an engine for the eye.
    Arrange(GraphOf, Arc<StateGraph>),
    /// Frees a graph that is not shown any more.
    LetGo(Arc<GraphView>),
    /// Makes a small picture of a screen.
    Thumbnail(Arc<Layout>),
    /// Takes up a campaign that was interrupted; it has this number in the window.
    Resume(CampaignId, i64, DevicesInUse),
    /// Reads a finding.
    Load(FindingKey),
    /// Notes whether somebody has looked at a finding.
    See(FindingKey, bool),
    /// Decodes the picture of a finding's frame.
    Decode {
        /// The finding.
        finding: FindingKey,
        /// Which of its traces, and the frame.
        place: (Way, usize),
        /// The picture.
        png: Arc<PngBytes>,
    },
    /// Keeps what is done first in every test of an app, or forgets it.
    Initialiser(String, Option<Arc<Initialiser>>),
    /// Keeps what the person chose.
    Settings(Map<String, Value>),
    /// Puts a settings file aside that cannot be read, and why.
    SetSettingsAside(String),
    /// Looks what stands at a path.
    Look(PathBuf),
}

enum Done {
    Spec(SpecDone),
    Written,
    /// A campaign can start.
    Prepared(Box<PreparedCampaign>),
    /// A campaign has this row.
    Begun(CampaignId, i64),
    History(Result<Vec<HistoryRow>, String>),
    Campaigns(Vec<EarlierCampaign>),
    Curves(KeptCurves),
    Resumed(Box<Resumed>),
    Arranged(GraphOf, Arc<GraphView>),
    Thumbnail(Arc<Layout>, Screenshot),
    Loaded(Box<ReplayState>),
    NotLoaded(FindingKey, String),
    Committed(CampaignId, Arc<Finding>),
    /// What a campaign does cannot be written down, this finding where it is one: it must stop.
    NotWritten(CampaignId, String, Option<Arc<Finding>>),
    Decoded {
        finding: FindingKey,
        place: (Way, usize),
        picture: Screenshot,
    },
    TraceSaved(PathBuf, Arc<SavedTrace>),
    TraceOpened(Box<SavedTrace>),
    Looked(Looked),
    Failed(String),
}

impl Done {
    /// Whether the window has something to show for it.
    fn is_news(&self) -> bool {
        !matches!(self, Done::Written | Done::Spec(SpecDone::Nothing))
    }
}

/// The disk thread's handle. Dropping it finishes what was asked for.
pub(super) struct Jobs {
    // Unbounded: the window must not wait, and what it asks for is bounded by what people and workers do.
    jobs: Sender<Job>,
    done: Receiver<Done>,
    /// Ends once there are no more jobs, that is, after those fields are dropped.
    _thread: Worker,
}

impl Jobs {
    /// Starts the thread.
    pub(super) fn start(
        workspace: PathBuf,
        wake: impl Fn() + Send + Clone + 'static,
    ) -> std::io::Result<Jobs> {
        let (jobs, waiting) = unbounded();
        let (told, done) = unbounded();
        let (panicked, woken) = (told.clone(), wake.clone());
        let work = move || {
            let mut disk = Disk {
                path: workspace,
                workspace: None,
                drafts: None,
                running: BTreeMap::new(),
                failed: BTreeMap::new(),
            };
            for job in waiting {
                let done = disk.run(job);
                // The window is gone when nobody listens; what was asked for is done all the same.
                if done.is_news() && told.send(done).is_ok() {
                    wake();
                }
            }
        };
        let on_panic = move |report: PanicReport| {
            if panicked.send(Done::Failed(format!("The disk worker stopped: {}", report.message))).is_ok() {
                woken();
            }
        };
        // Its work is never cancelled: what was asked for is done.
        let _thread = worker::spawn("disk", &CancelToken::new(), work, on_panic)?;
        Ok(Jobs { jobs, done, _thread })
    }

    /// Asks for something; false if the thread is gone.
    pub(super) fn ask(&self, job: Job) -> bool {
        self.jobs.send(job).is_ok()
    }

    /// Whether something is done that was not taken yet.
    pub(super) fn more(&self) -> bool {
        !self.done.is_empty()
    }

    /// Waits until all is done that was asked for, and takes what failed of it.
    pub(super) fn finish(self, state: &mut StudioState) {
        let Jobs { jobs, done, _thread } = self;
        drop(jobs);
        drop(_thread);
        for done in done.try_iter() {
            if let Done::NotWritten(campaign, problem, finding) = done {
                not_written(state, campaign, &problem, finding.as_deref());
            }
        }
    }

    /// Takes what is done; returns the campaigns that must stop.
    pub(super) fn drain(&self, state: &mut StudioState, most: usize) -> Vec<CampaignId> {
        let (mut stop, mut listed) = (Vec::new(), false);
        for done in self.done.try_iter().take(most) {
            match done {
                Done::Spec(done) => spec_jobs::take(done, state),
                Done::Written => {}
                Done::Prepared(prepared) => state.campaigns.prepared.push(*prepared),
                Done::Begun(campaign, row) => {
                    if let Some(campaign) = state.campaigns.get_mut(campaign) {
                        campaign.row = Some(row);
                    }
                }
                Done::History(read) => state.history.take(read),
                Done::Campaigns(kept) => state.campaigns.kept = kept,
                Done::Curves(curves) => state.campaigns.curves.kept = Some(curves),
                Done::Arranged(of, view) => {
                    if let Some(before) = state.campaigns.graph.take(of, view) {
                        self.ask(Job::LetGo(before));
                    }
                }
                Done::Thumbnail(layout, picture) => {
                    state.thumbnails.insert(thumb_key(&layout), (layout, Some(picture)));
                }
                Done::Resumed(resumed) => state.campaigns.resumed = Some(resumed),
                Done::Loaded(replay) => {
                    let key = replay.source.key.clone();
                    if state.opened(*replay) {
                        self.ask(Job::See(key, true));
                    }
                }
                Done::NotLoaded(key, problem) => state.not_opened(&key, problem),
                Done::Committed(campaign, finding) => {
                    state.tell_found(&finding.title);
                    listed = true;
                    if let Some(campaign) = state.campaigns.get_mut(campaign) {
                        campaign.take_finding(finding);
                    }
                }
                Done::NotWritten(campaign, problem, finding) => {
                    not_written(state, campaign, &problem, finding.as_deref());
                    self.ask(Job::Campaigns);
                    stop.push(campaign);
                }
                Done::Decoded { finding, place, picture } => {
                    let replay = state.replay.as_mut().filter(|replay| replay.source.key == finding);
                    if let Some(replay) = replay {
                        replay.pictures.insert(place, Some(picture));
                    }
                }
                Done::TraceSaved(path, saved) => {
                    // What was changed since then, and another test, are not kept with it.
                    state.keep.take_if(|draft| draft.finished() == *saved);
                    state.tell(format!("Kept. Do it again with: taproof replay --trace {}", path.display()));
                }
                Done::TraceOpened(saved) => state.opened = Some(saved),
                Done::Looked(looked) => {
                    if let Some(chooser) = &mut state.chooser {
                        chooser.take(looked);
                    }
                }
                Done::Failed(problem) => state.tell_failure(problem),
            }
        }
        if listed {
            self.ask(Job::History);
        }
        stop
    }
}

/// Reads the files that the engines of a campaign begin with.
fn prepare(mut prepared: Box<PreparedCampaign>) -> Done {
    let PreparedCampaign { plan, notes, .. } = &mut *prepared;
    for engine in &mut plan.engines {
        match read_contents(engine, &plan.app) {
            Ok(of_engine) => notes.extend(of_engine),
            Err(error) => return Done::Failed(format!("The campaign was not started: {error}")),
        }
    }
    Done::Prepared(prepared)
}

/// What the thread owns.
struct Disk {
    path: PathBuf,
    /// Opened to write when it is needed first: looking around leaves no folder behind.
    workspace: Option<Workspace>,
    drafts: Option<Drafts>,
    running: BTreeMap<CampaignId, RunningCampaign>,
    /// Campaigns that something could not be written of, and why.
    failed: BTreeMap<CampaignId, String>,
}

impl Disk {
    fn run(&mut self, job: Job) -> Done {
        let written = |campaign: CampaignId, result: Result<(), String>| match result {
            Ok(()) => Done::Written,
            Err(problem) => Done::NotWritten(campaign, problem, None),
        };
        match job {
            Job::Spec(job) => Done::Spec(spec_jobs::run(job, &self.path, &mut self.drafts)),
            Job::Prepare(prepared) => prepare(prepared),
            Job::Learn(plan, place, learned) => match plan.engines.get(place) {
                Some(engine) => match keep_learned(&self.path, &plan, engine, &learned) {
                    Ok(notes) if notes.is_empty() => Done::Written,
                    Ok(notes) => Done::Failed(notes.join("; ")),
                    Err(error) => Done::Failed(format!("What was learned is not kept: {error}")),
                },
                None => Done::Written,
            },
            Job::Begin(campaign, plan) => match self.begin(campaign, &plan) {
                Ok(row) => Done::Begun(campaign, row),
                Err(error) => Done::NotWritten(campaign, self.fail(campaign, &error), None),
            },
            Job::History => Done::History(self.history().map_err(|error| error.to_string())),
            Job::Campaigns => match self.campaigns() {
                Ok(kept) => Done::Campaigns(kept),
                Err(error) => Done::Failed(format!("The campaigns cannot be read: {error}")),
            },
            Job::Curves(row) => match self.read(|workspace| earlier::curves(workspace, row)) {
                Ok(curves) => Done::Curves(curves),
                Err(error) => Done::Failed(format!("The curves of campaign {row} cannot be read: {error}")),
            },
            Job::Arrange(of, graph) => Done::Arranged(of, Arc::new(GraphView::of(graph))),
            Job::LetGo(view) => {
                drop(view);
                Done::Written
            }
            Job::Thumbnail(layout) => {
                let picture = thumbnail(&layout);
                Done::Thumbnail(layout, picture)
            }
            Job::Resume(campaign, row, in_use) => match self.resume(campaign, row, &in_use) {
                Ok(resumed) => Done::Resumed(Box::new(resumed)),
                Err(problem) => Done::Failed(format!("Campaign {row} cannot go on: {problem}")),
            },
            Job::Load(key) => match self.load(&key) {
                Ok(replay) => Done::Loaded(Box::new(replay)),
                Err(error) => Done::NotLoaded(key, error.to_string()),
            },
            Job::See(key, seen) => {
                match self.workspace().and_then(|it| it.mark_seen(key.campaign, &key.name, seen)) {
                    Ok(()) => Done::Written,
                    Err(error) => Done::Failed(format!("{} cannot be marked as seen: {error}", key.name)),
                }
            }
            Job::Sample(campaign, sample) => written(
                campaign,
                self.write(campaign, |workspace, running| workspace.add_sample(running, sample)),
            ),
            Job::Checkpoint(campaign, run, checkpoint) => written(
                campaign,
                self.write(campaign, |workspace, running| {
                    workspace.save_checkpoint(running, run, &checkpoint)
                }),
            ),
            Job::Commit(campaign, finding) => {
                let save = |workspace: &mut Workspace, running: &RunningCampaign| {
                    workspace.save_finding(running, &finding).map(|_| ())
                };
                match self.write(campaign, save) {
                    Ok(()) => Done::Committed(campaign, finding),
                    Err(problem) => Done::NotWritten(campaign, problem, Some(finding)),
                }
            }
            Job::End(campaign, summary, detail) => {
                let ended = self.end(campaign, &summary, &detail);
                written(campaign, ended.map_err(|error| self.fail(campaign, &error)))
            }
            Job::SaveTrace(path, saved) => match save_trace(&path, &saved) {
                Ok(()) => Done::TraceSaved(path, saved),
                Err(error) => Done::Failed(format!("The trace was not kept: {error}")),
            },
            Job::OpenTrace(path) => match open_trace(&path) {
                Ok(saved) => Done::TraceOpened(Box::new(saved)),
                Err(error) => Done::Failed(format!("The trace was not opened: {error}")),
            },
            Job::Initialiser(app, first) => match keep_initialiser(&self.path, &app, first.as_deref()) {
                Ok(()) => Done::Written,
                Err(error) => Done::Failed(format!("What is done first in tests was not kept: {error}")),
            },
            Job::Settings(values) => match write_settings(&self.path, &values) {
                Ok(()) => Done::Written,
                Err(error) => Done::Failed(format!("What you chose was not kept: {error}")),
            },
            Job::SetSettingsAside(problem) => Done::Failed(match set_settings_aside(&self.path) {
                Ok(aside) => {
                    format!(
                        "The usual settings are used: {problem}. The old file is {} now.",
                        aside.display()
                    )
                }
                Err(error) => format!("The usual settings are used: {problem}. {error}"),
            }),
            Job::Look(path) => Done::Looked(look(path)),
            Job::Decode { finding, place, png } => match decode(&png) {
                Ok(picture) => Done::Decoded { finding, place, picture },
                Err(problem) => Done::Failed(format!(
                    "Picture {} of {:?} cannot be read: {problem}",
                    place.1, finding.name
                )),
            },
        }
    }

    fn workspace(&mut self) -> Result<&mut Workspace, StoreError> {
        match &mut self.workspace {
            Some(workspace) => Ok(workspace),
            empty => Ok(empty.insert(Workspace::open(&self.path)?)),
        }
    }

    /// Reads something. Where nothing was written yet, the folder is opened for that alone: it may be one that cannot be
    /// written to.
    fn read<T>(&self, read: impl FnOnce(&Workspace) -> Result<T, StoreError>) -> Result<T, StoreError> {
        match &self.workspace {
            Some(workspace) => read(workspace),
            None => read(&Workspace::open_to_read(&self.path)?),
        }
    }

    /// All findings; none where there is no workspace yet.
    fn history(&mut self) -> Result<Vec<HistoryRow>, StoreError> {
        if self.workspace.is_none() && !Workspace::exists(&self.path) {
            return Ok(Vec::new());
        }
        Ok(self.read(|workspace| workspace.findings(None))?.into_iter().map(history_row).collect())
    }

    fn campaigns(&mut self) -> Result<Vec<EarlierCampaign>, StoreError> {
        if self.workspace.is_none() && !Workspace::exists(&self.path) {
            return Ok(Vec::new());
        }
        self.read(earlier::earlier)
    }

    fn resume(&mut self, campaign: CampaignId, row: i64, in_use: &DevicesInUse) -> Result<Resumed, String> {
        let workspace = self.workspace().map_err(|error| error.to_string())?;
        let (running, resumed) = earlier::resume(workspace, row, in_use)?;
        self.running.insert(campaign, running);
        Ok(resumed)
    }

    fn load(&mut self, key: &FindingKey) -> Result<ReplayState, StoreError> {
        let stored = self.read(|workspace| workspace.load_finding_of(key.campaign, &key.name))?;
        let source = ReplaySource {
            key: key.clone(),
            number: stored.id,
            specs: stored.plan.spec_facts(),
            plan: Arc::new(stored.plan.plan),
        };
        Ok(ReplayState::open(source, Arc::new(stored.finding)))
    }

    fn begin(&mut self, campaign: CampaignId, stored: &StoredPlan) -> Result<i64, StoreError> {
        let plan = &stored.plan;
        let new = NewCampaign {
            app: &plan.app,
            build: &plan.device.words(&plan.build),
            engine: &plan.engine_names(),
            seed: plan.seed,
            plan: &stored.to_json()?,
        };
        let running = self.workspace()?.begin_campaign(&new)?;
        let row = running.id;
        self.running.insert(campaign, running);
        Ok(row)
    }

    /// Writes something down of a campaign that runs. Once that has failed nothing more is written of it: who goes on
    /// from a checkpoint never tells the findings before it again, so none may be kept after one that was lost.
    fn write(
        &mut self,
        campaign: CampaignId,
        write: impl FnOnce(&mut Workspace, &RunningCampaign) -> Result<(), StoreError>,
    ) -> Result<(), String> {
        if let Some(problem) = self.failed.get(&campaign) {
            return Err(problem.clone());
        }
        let missing = || StoreError::Missing { what: format!("row of campaign {}", campaign.0) };
        let written = match (&mut self.workspace, self.running.get(&campaign)) {
            (Some(workspace), Some(running)) => write(workspace, running),
            _ => Err(missing()),
        };
        written.map_err(|error| self.fail(campaign, &error))
    }

    /// Lets go of a campaign: somebody may go on with it. Says why.
    fn fail(&mut self, campaign: CampaignId, error: &StoreError) -> String {
        self.running.remove(&campaign);
        self.failed.entry(campaign).or_insert_with(|| error.to_string()).clone()
    }

    fn end(
        &mut self,
        campaign: CampaignId,
        summary: &CampaignSummary,
        detail: &str,
    ) -> Result<(), StoreError> {
        let text = serde_json::to_string(summary)?;
        // Without a row the beginning was not written, and that was told then.
        let Some(running) = self.running.remove(&campaign) else { return Ok(()) };
        let end = CampaignEnd {
            end: &summary.end,
            detail,
            fingerprint: &summary.fingerprint,
            events: summary.events,
            tests: summary.tests,
            summary: &text,
        };
        self.workspace()?.end_campaign(running, &end)
    }
}

/// Notes that what a campaign does cannot be written down, and tells it once.
pub(super) fn not_written(
    state: &mut StudioState,
    campaign: CampaignId,
    problem: &str,
    finding: Option<&Finding>,
) {
    let known = state.campaigns.get_mut(campaign);
    if known.is_some_and(|known| known.not_written(problem, finding)) {
        state.tell_failure(format!(
            "Campaign {} failed, its results cannot be written: {problem}",
            campaign.0
        ));
    }
}

fn keep_initialiser(workspace: &Path, app: &str, first: Option<&Initialiser>) -> Result<(), StoreError> {
    match first {
        Some(first) => write_initialiser(workspace, app, first).map(|_| ()),
        None => remove_initialiser(workspace, app).map(|_| ()),
    }
}

fn history_row(row: FindingRow) -> HistoryRow {
    HistoryRow {
        key: FindingKey { campaign: row.campaign, name: row.name },
        number: row.id,
        title: row.title,
        oracle: row.oracle,
        app: row.app,
        build: row.build,
        engine: row.engine,
        seed: row.seed,
        steps: (row.minimal_steps, row.steps),
        confirmed: row.confirmed,
        bugs: row.attribution,
        seen: row.seen,
    }
}

fn decode(png: &[u8]) -> Result<Screenshot, PictureError> {
    read_rgba(png, image::ImageFormat::Png).map(Screenshot::from)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use taproof_core::format::grey_png;

    #[test]
    fn a_stored_picture_larger_than_any_screen_is_refused() {
        let refused = decode(&grey_png(16_384, 16_384)).unwrap_err().to_string();
        assert!(refused.starts_with("the picture has 16384x16384 pixels"), "{refused}");
    }

    #[test]
    fn the_window_is_woken_for_news_alone_and_takes_all_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let (waking, woken) = unbounded();
        let wake = move || waking.send(()).unwrap();
        let jobs = Jobs::start(folder.path().to_owned(), wake).unwrap();
        for _ in 0..5 {
            jobs.ask(Job::Spec(SpecJob::KeepRecent(Vec::new())));
            jobs.ask(Job::Settings(Map::new()));
        }
        for _ in 0..3 {
            jobs.ask(Job::OpenTrace(folder.path().join("none.json")));
        }
        let mut state = StudioState::default();
        for _ in 0..3 {
            woken.recv_timeout(Duration::from_secs(30)).unwrap();
        }
        assert!(woken.is_empty(), "what was written is no news");
        jobs.drain(&mut state, 2);
        assert!(jobs.more(), "the pass that took two asks for another");
        jobs.drain(&mut state, 2);
        assert!(!jobs.more() && state.message.is_some());
    }
}
