//! The disk thread: it commits findings before the window shows them, decodes pictures, and does other work that would
//! make the window wait.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, unbounded};
use serde_json::{Map, Value};

use crate::fuzz::{
    CampaignState, Found, GraphOf, GraphView, KeptCurves, PreparedCampaign, StartingCampaign, ThumbnailOf,
    WrittenFindings, read_earlier,
};
use crate::phone::DevicesInUse;
use crate::replay::{CorrectionChange, HistoryRead, HistoryRow, Ticket};
use crate::shell::Looked;
use crate::shell::folder::look;
use crate::specs::DiskTask;
use crate::specs::disk_tasks::{self, SpecDone};
use crate::state::{CampaignId, FindingKey};
use taproof_campaign::{Corrections, Finding, SavedTrace};
use taproof_engine::StateGraph;
use taproof_engine::device::{PngBytes, Screenshot};
use taproof_engine::worker::{self, CancelToken, PanicReport, Worker};
use taproof_phone::Apps;
use taproof_results::report::{FindingTrace, transition_graph};
use taproof_results::store::{
    BugOf, CampaignRow, DamagedSettings, Drafts, FindingRow, SettingsFiles, StoreError, StoredInitialiser,
    StoredPlan, TraceSource, Workspace, open_trace, read_rules, remove_initialiser, replace_file, save_trace,
    set_settings_aside, write_initialiser, write_own_rules,
};
use taproof_screen::format::{PictureError, read_rgba};
use taproof_session::{CampaignLog, Record, Written, dates, read_contents, trace_sources};
use taproof_spec::TestRules;

/// A job for the disk thread.
pub(crate) enum Job {
    /// A file access for documents and recordings.
    Files(DiskTask),
    /// Reads the files that a campaign needs before it starts.
    Prepare(Box<PreparedCampaign>),
    /// Reads a file of test rules.
    ReadRules(String),
    /// Writes the test rules that were collected for an app.
    WriteRules(String, Arc<TestRules>),
    /// Creates a campaign in the workspace.
    Begin(CampaignId, Box<StoredPlan>),
    /// Writes a campaign's record. The window shows a finding once that is done.
    Record(CampaignId, Record),
    /// More is known of a finding of a campaign, and the workspace has it.
    Known(CampaignId, Arc<Finding>),
    /// Writes a trace to a file.
    SaveTrace(PathBuf, Arc<SavedTrace>),
    /// Writes the transition graph of a trace to a file.
    SaveGraph(PathBuf, Arc<SavedTrace>),
    /// Writes a picture to a file.
    SavePicture(PathBuf, Screenshot),
    /// Reads a trace from a file.
    OpenTrace(PathBuf),
    /// Lists the findings of the workspace. The cards of the campaigns in these rows are known.
    History(BTreeSet<i64>),
    /// Changes what a person has said of findings and bugs in an app.
    Correct(String, CorrectionChange),
    /// Writes about findings for an issue tracker; with a pattern, for its page for a new issue about the first of them.
    Ticket(Vec<FindingKey>, Option<String>),
    /// Lists the campaigns of the workspace.
    Campaigns,
    /// Reads the campaign in this row with its results. The window knows it by this id.
    OpenCampaign(CampaignId, i64),
    /// Reads the progress curves of the campaign in this row.
    Curves(i64),
    /// Lays out the state graph of an engine.
    Arrange(GraphOf, Arc<StateGraph>),
    /// Drops a graph that is no longer shown, since that takes a while.
    LetGo(Arc<GraphView>),
    /// Renders a thumbnail of a screen.
    Thumbnail(ThumbnailOf),
    /// Prepares the interrupted campaign in this row to be resumed. The window knows it by this id.
    Resume(CampaignId, i64, DevicesInUse),
    /// Stores whether a finding has been seen.
    See(FindingKey, bool),
    /// Decodes the picture of one frame of a finding.
    Decode {
        /// The finding that the picture belongs to.
        finding: FindingKey,
        /// Which trace of the finding, and the number of the frame.
        place: (FindingTrace, usize),
        /// The encoded picture, as PNG bytes.
        png: Arc<PngBytes>,
    },
    /// Writes the initial steps of every test of an app, or removes them if `None`.
    Initialiser(String, Option<StoredInitialiser>),
    /// Writes changed settings to their files.
    Settings(SettingsFiles, Map<String, Value>),
    /// Renames a settings file that cannot be read.
    SetSettingsAside(DamagedSettings),
    /// Looks up a path for the file chooser.
    Look(PathBuf),
}

/// What the disk thread has done.
pub(crate) enum Done {
    /// A file access for documents and recordings.
    Spec(SpecDone),
    /// A job that nobody waits for.
    Written,
    /// A campaign is ready to start.
    Prepared(Box<PreparedCampaign>),
    /// What a file of test rules says, or why it cannot be used.
    RulesRead(String, Result<Box<TestRules>, String>),
    /// A campaign was created in this row of the workspace.
    Begun(CampaignId, i64),
    /// The findings of the workspace.
    History(Result<HistoryRead, String>),
    /// What a person has said of findings in an app was changed: all of it, and the change in words.
    Corrected(String, Corrections, String),
    /// What is to be said to an issue tracker.
    Ticket(Ticket),
    /// The campaigns of the workspace.
    Campaigns(Vec<CampaignRow>),
    /// The campaign in this row was read, or why it cannot be.
    CampaignOpened(i64, Result<Box<CampaignState>, String>),
    /// The curves of an earlier campaign.
    Curves(KeptCurves),
    /// An interrupted campaign is ready to be resumed.
    Resumed(Box<StartingCampaign>),
    /// What a campaign has found and was written, and the titles of what has come to count as a bug.
    Found(CampaignId, Arc<Found>, Vec<String>),
    /// A state graph was laid out.
    Arranged(GraphOf, Arc<GraphView>),
    /// A thumbnail was rendered.
    Thumbnail(ThumbnailOf, Screenshot),
    /// A record of a campaign, perhaps this finding, cannot be written: the campaign must stop.
    NotWritten(CampaignId, String, Option<Arc<Finding>>),
    /// The picture of one frame of a finding was decoded.
    Decoded {
        /// The finding that the picture belongs to.
        finding: FindingKey,
        /// Which trace of the finding, and the number of the frame.
        place: (FindingTrace, usize),
        /// The decoded picture.
        picture: Screenshot,
    },
    /// A trace was written to this file.
    TraceSaved(PathBuf, Arc<SavedTrace>),
    /// A picture was written to this file.
    PictureSaved(PathBuf),
    /// A transition graph was written to this file.
    GraphSaved(PathBuf),
    /// A trace was read from a file.
    TraceOpened(Box<SavedTrace>),
    /// A path was looked up for the file chooser.
    Looked(Looked),
    /// A job failed, as the person must know.
    Failed(String),
}

impl Done {
    /// Whether the window must take notice of it.
    fn is_news(&self) -> bool {
        !matches!(self, Done::Written | Done::Spec(SpecDone::Nothing))
    }
}

/// Handle of the disk thread. Dropping it completes the pending jobs.
pub(crate) struct Jobs {
    // Unbounded because the window must not wait; people and workers submit only limited numbers of jobs.
    jobs: Sender<Job>,
    done: Receiver<Done>,
    /// Ends when the channel of jobs is closed, that is, after the fields above are dropped.
    _thread: Worker,
}

impl Jobs {
    /// Starts the thread. `wake` is called whenever a result is available.
    pub(crate) fn start(
        workspace: PathBuf,
        apps: Apps,
        wake: impl Fn() + Send + Clone + 'static,
    ) -> std::io::Result<Jobs> {
        let (jobs, waiting) = unbounded();
        let (sender, done) = unbounded();
        let (panicked, woken) = (sender.clone(), wake.clone());
        let work = move || {
            let (logs, found) = (BTreeMap::new(), WrittenFindings::default());
            let mut disk = Disk { path: workspace, apps, workspace: None, drafts: None, logs, found };
            let tell = |done: Done| {
                // Sending fails if the window is gone; the remaining jobs are executed nevertheless.
                if done.is_news() && sender.send(done).is_ok() {
                    wake();
                }
            };
            while let Ok(first) = waiting.recv() {
                let others = waiting.try_iter().take(waiting.len());
                std::iter::once(first).chain(others).for_each(|job| tell(disk.run(job)));
                // Cards take some milliseconds, so they are made once for all that was waiting.
                disk.found.changed().for_each(|(id, found, news)| tell(Done::Found(id, found, news)));
            }
        };
        let on_panic = move |report: PanicReport| {
            if panicked.send(Done::Failed(format!("The disk worker stopped: {}", report.message))).is_ok() {
                woken();
            }
        };
        // Never cancelled, since all jobs must be completed.
        let _thread = worker::spawn("disk", &CancelToken::new(), work, on_panic)?;
        Ok(Jobs { jobs, done, _thread })
    }

    /// Submits a job. Returns `false` if the thread has ended.
    pub(crate) fn ask(&self, job: Job) -> bool {
        self.jobs.send(job).is_ok()
    }

    /// Whether there are results that have not been taken yet.
    pub(crate) fn more(&self) -> bool {
        !self.done.is_empty()
    }

    /// Takes at most `most` results.
    pub(crate) fn results(&self, most: usize) -> impl Iterator<Item = Done> {
        self.done.try_iter().take(most)
    }

    /// Waits until all jobs are completed, and returns the results that were not taken.
    pub(crate) fn finish(self) -> Vec<Done> {
        let Jobs { jobs, done, _thread } = self;
        drop(jobs);
        drop(_thread);
        done.try_iter().collect()
    }
}

/// What a job has done, or why `what` came of it.
fn done<T, E: std::fmt::Display>(result: Result<T, E>, what: &str, done: impl FnOnce(T) -> Done) -> Done {
    result.map_or_else(|error| Done::Failed(format!("{what}: {error}")), done)
}

/// Reads the files that a campaign needs before it starts.
fn read_beginning(prepared: &mut PreparedCampaign, workspace: &Path) -> Result<(), String> {
    let PreparedCampaign { stored: StoredPlan { plan, traces, .. }, rule_files, seeds, notes, .. } = prepared;
    let files = rule_files.iter().map(|path| read_rules(Path::new(path)));
    let mut rules: Vec<TestRules> = files.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    rules.append(&mut plan.rules);
    plan.rules = rules;
    for engine in &mut plan.engines {
        notes.extend(read_contents(engine, &plan.app).map_err(|error| error.to_string())?);
    }
    *traces = trace_sources(seeds, workspace).map_err(|error| error.to_string())?;
    let seeds = traces.iter().map(TraceSource::seed_trace).collect::<Result<_, _>>();
    plan.seed_traces = seeds.map_err(|error| error.to_string())?;
    Ok(())
}

/// The state of the disk thread.
struct Disk {
    path: PathBuf,
    apps: Apps,
    /// Opened for writing when that is first needed, so that only looking around leaves no folder behind.
    workspace: Option<Workspace>,
    drafts: Option<Drafts>,
    logs: BTreeMap<CampaignId, CampaignLog>,
    found: WrittenFindings,
}

impl Disk {
    fn run(&mut self, job: Job) -> Done {
        match job {
            Job::Files(task) => Done::Spec(disk_tasks::run(task, &self.path, &mut self.drafts)),
            Job::Prepare(mut prepared) => {
                let read = read_beginning(&mut prepared, &self.path);
                done(read, "The campaign was not started", |()| Done::Prepared(prepared))
            }
            Job::ReadRules(path) => {
                let read = read_rules(Path::new(&path)).map(Box::new).map_err(|error| error.problem);
                Done::RulesRead(path, read)
            }
            Job::WriteRules(app, rules) => {
                let written = write_own_rules(&self.path, &app, &rules);
                done(written, "The test rules were not kept", |()| Done::Written)
            }
            Job::Begin(campaign, plan) => self.begin(campaign, &plan),
            Job::Record(campaign, record) => self.record(campaign, record),
            Job::Known(campaign, finding) => {
                self.found.take(campaign, finding, false);
                Done::Written
            }
            Job::History(known) => Done::History(self.history(&known).map_err(|error| error.to_string())),
            Job::Correct(app, change) => {
                let corrected = self.correct(&app, change);
                let all = |(all, words)| Done::Corrected(app, all, words);
                done(corrected, "The bugs stay as they were", all)
            }
            Job::Ticket(keys, pattern) => {
                let of = |it: &Workspace| Ok(Ticket::of(&keys, it, &self.apps, pattern.as_deref()));
                match self.read(of) {
                    Ok(ticket) => done(ticket, "Nothing was copied", Done::Ticket),
                    Err(error) => Done::Failed(format!("Nothing was copied: {error}")),
                }
            }
            Job::Campaigns => done(self.campaigns(), "The campaigns cannot be read", Done::Campaigns),
            Job::OpenCampaign(id, row) => {
                let opened = self.open(id, row);
                Done::CampaignOpened(row, opened.map(Box::new).map_err(|error| error.to_string()))
            }
            Job::Curves(row) => {
                let curves = self.read(|workspace| read_earlier::curves(workspace, row));
                done(curves, &format!("The curves of campaign {row} cannot be read"), Done::Curves)
            }
            Job::Arrange(of, graph) => Done::Arranged(of, Arc::new(GraphView::of(graph))),
            Job::LetGo(view) => {
                drop(view);
                Done::Written
            }
            Job::Thumbnail(of) => {
                let picture = of.drawn();
                Done::Thumbnail(of, picture)
            }
            Job::Resume(campaign, row, in_use) => {
                let resumed = self.resume((campaign, row), &in_use).map(Box::new);
                done(resumed, &format!("Campaign {row} cannot go on"), Done::Resumed)
            }
            Job::See(key, seen) => {
                let marked = self.workspace().and_then(|it| it.mark_seen(key.campaign, &key.name, seen));
                done(marked, &format!("{} cannot be marked as seen", key.name), |()| Done::Written)
            }
            Job::SaveTrace(path, saved) => {
                let kept = save_trace(&path, &saved);
                done(kept, "The trace was not kept", |()| Done::TraceSaved(path, saved))
            }
            Job::SaveGraph(path, trace) => {
                let kept = replace_file(&path, transition_graph(&trace).as_bytes());
                done(kept, "The graph was not saved", |()| Done::GraphSaved(path))
            }
            Job::SavePicture(path, picture) => {
                let kept = save_picture(&path, &picture);
                done(kept, "The picture was not saved", |()| Done::PictureSaved(path))
            }
            Job::OpenTrace(path) => {
                done(open_trace(&path).map(Box::new), "The trace was not opened", Done::TraceOpened)
            }
            Job::Initialiser(app, first) => {
                let kept = keep_initialiser(&self.path, &app, first.as_ref());
                done(kept, "What is done first in tests was not kept", |()| Done::Written)
            }
            Job::Settings(files, changed) => {
                done(files.write(&changed), "What you chose was not kept", |()| Done::Written)
            }
            Job::SetSettingsAside(DamagedSettings { path, error: problem }) => {
                Done::Failed(match set_settings_aside(&path) {
                    Ok(aside) => {
                        format!(
                            "The usual settings are used: {problem}. The old file is {} now.",
                            aside.display()
                        )
                    }
                    Err(error) => format!("The usual settings are used: {problem}. {error}"),
                })
            }
            Job::Look(path) => Done::Looked(look(path)),
            Job::Decode { finding, place, png } => {
                let what = format!("Picture {} of {:?} cannot be read", place.1, finding.name);
                done(decode(&png), &what, |picture| Done::Decoded { finding, place, picture })
            }
        }
    }

    fn workspace(&mut self) -> Result<&mut Workspace, StoreError> {
        match &mut self.workspace {
            Some(workspace) => Ok(workspace),
            empty => Ok(empty.insert(Workspace::open(&self.path)?)),
        }
    }

    /// Reads from the workspace. If nothing was written in this session, it is opened for reading only, since the
    /// folder may be write-protected.
    fn read<T>(&self, read: impl FnOnce(&Workspace) -> Result<T, StoreError>) -> Result<T, StoreError> {
        match &self.workspace {
            Some(workspace) => read(workspace),
            None => read(&Workspace::open_to_read(&self.path)?),
        }
    }

    /// Lists all findings. Returns none if there is no workspace yet.
    fn history(&mut self, known: &BTreeSet<i64>) -> Result<HistoryRead, StoreError> {
        if self.workspace.is_none() && !Workspace::exists(&self.path) {
            return Ok(HistoryRead::default());
        }
        let rows = self.read(|workspace| workspace.findings(None))?;
        let campaigns: BTreeSet<i64> =
            rows.iter().map(|row| row.campaign).filter(|campaign| !known.contains(campaign)).collect();
        let mut bugs: BTreeMap<i64, BTreeMap<String, BugOf>> =
            campaigns.into_iter().map(|campaign| (campaign, self.bugs_of(campaign))).collect();
        let row = |row: FindingRow| {
            let bug = bugs.get_mut(&row.campaign).and_then(|bugs| bugs.remove(&row.name));
            HistoryRow::new(row, bug)
        };
        let rows = rows.into_iter().map(row).collect();
        let corrections = self.read(Workspace::all_corrections)?;
        self.found.correct(&corrections);
        Ok(HistoryRead { rows, corrections })
    }

    /// The bug of each finding of a campaign. None if that is not known: if another program runs it, or a finding is
    /// damaged, which is said when that finding is opened.
    fn bugs_of(&mut self, campaign: i64) -> BTreeMap<String, BugOf> {
        let kept = self.workspace().and_then(|workspace| workspace.keep_bugs_of(campaign));
        if let Err(error) = kept {
            tracing::debug!(campaign, %error, "the cards of a campaign are not kept");
        }
        let running = self.read(|workspace| Ok(workspace.is_running(campaign))).unwrap_or(true);
        if running { BTreeMap::new() } else { self.read(|it| it.bugs_of(campaign)).unwrap_or_default() }
    }

    /// Changes what was said of findings in an app. Returns all that is said now, and the change in words.
    fn correct(&mut self, app: &str, change: CorrectionChange) -> Result<(Corrections, String), StoreError> {
        let workspace = self.workspace()?;
        let (verb, said) = match change {
            CorrectionChange::Say(said) => {
                workspace.correct(app, &said)?;
                ("Kept", said)
            }
            CorrectionChange::UndoLast => {
                ("Taken back", workspace.take_back(app, |_| true)?.into_iter().collect())
            }
            CorrectionChange::TakeBack(said) => {
                for one in &said {
                    workspace.take_back(app, |other| other == one)?;
                }
                ("Taken back", said)
            }
        };
        let words = match said.as_slice() {
            [] => "Nothing was said of bugs in this app.".to_owned(),
            [said] => format!("{verb}: {}.", said.words()),
            many => format!("{verb}: what was said of {} bugs.", many.len()),
        };
        let mut all = workspace.all_corrections()?;
        self.found.correct(&all);
        Ok((all.remove(app).unwrap_or_default(), words))
    }

    fn campaigns(&mut self) -> Result<Vec<CampaignRow>, StoreError> {
        if self.workspace.is_none() && !Workspace::exists(&self.path) {
            return Ok(Vec::new());
        }
        self.read(Workspace::campaigns)
    }

    fn open(&mut self, id: CampaignId, row: i64) -> Result<CampaignState, StoreError> {
        let (mut opened, findings) = self.read(|workspace| read_earlier::open(workspace, id, row))?;
        self.found.correct(&self.read(Workspace::all_corrections)?);
        // Only one campaign is open that the window does not run.
        let logs = &self.logs;
        opened.take_found(self.found.begin(id, &opened.plan, findings, |id| logs.contains_key(id)));
        Ok(opened)
    }

    fn resume(&mut self, of: (CampaignId, i64), in_use: &DevicesInUse) -> Result<StartingCampaign, String> {
        let apps = self.apps.clone();
        let workspace = self.workspace().map_err(|error| error.to_string())?;
        let (running, mut resumed) = read_earlier::resume(&apps, workspace, of, in_use)?;
        let StartingCampaign { campaign, from, .. } = &mut resumed;
        let findings = from.iter().flatten().flat_map(|from| from.findings.iter().cloned()).collect();
        campaign.take_found(self.found.begin(of.0, &campaign.plan, findings, |_| true));
        self.logs.insert(of.0, CampaignLog::resume(running, Arc::clone(&campaign.plan)));
        Ok(resumed)
    }

    fn begin(&mut self, campaign: CampaignId, stored: &StoredPlan) -> Done {
        let begun =
            self.workspace().and_then(|workspace| CampaignLog::begin(workspace, stored, dates::seconds()));
        match begun {
            Ok(log) => {
                let (row, plan) = (log.row(), Arc::new(stored.plan.clone()));
                self.found.begin(campaign, &plan, Vec::new(), |_| true);
                self.logs.insert(campaign, log);
                Done::Begun(campaign, row)
            }
            Err(error) => Done::NotWritten(campaign, error.to_string(), None),
        }
    }

    fn record(&mut self, campaign: CampaignId, record: Record) -> Done {
        let finding = record.finding().cloned();
        let written = match (&mut self.workspace, self.logs.get_mut(&campaign)) {
            (Some(workspace), Some(log)) => {
                log.write(workspace, record, dates::seconds()).map_err(|error| error.to_string())
            }
            _ => Err("its beginning could not be written".to_owned()),
        };
        match (written, finding) {
            (Ok(Written::Finding(_)), Some(finding)) => {
                self.found.take(campaign, finding, true);
                Done::Written
            }
            (Ok(Written::Learned(Ok(notes))), _) if !notes.is_empty() => Done::Failed(notes.join("; ")),
            (Ok(Written::Learned(Err(error))), _) => {
                Done::Failed(format!("What was learned is not kept: {error}"))
            }
            (Ok(Written::Fine | Written::Stuck | Written::Finding(_) | Written::Learned(_)), _) => {
                Done::Written
            }
            (Err(problem), finding) => Done::NotWritten(campaign, problem, finding),
        }
    }
}

fn save_picture(path: &Path, picture: &Screenshot) -> Result<(), String> {
    let png = picture.to_png().map_err(|error| error.to_string())?;
    replace_file(path, &png).map_err(|error| error.to_string())
}

fn keep_initialiser(
    workspace: &Path,
    app: &str,
    first: Option<&StoredInitialiser>,
) -> Result<(), StoreError> {
    match first {
        Some(first) => write_initialiser(workspace, app, first).map(|_| ()),
        None => remove_initialiser(workspace, app).map(|_| ()),
    }
}

fn decode(png: &[u8]) -> Result<Screenshot, PictureError> {
    read_rgba(png, image::ImageFormat::Png).map(Screenshot::from)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use taproof_screen::format::grey_png;

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
        let jobs = Jobs::start(folder.path().to_owned(), Apps::default(), wake).unwrap();
        let files =
            SettingsFiles { workspace: folder.path().to_owned(), preferences: None, shared: &["scale"] };
        for _ in 0..5 {
            jobs.ask(Job::Files(DiskTask::KeepRecent(Vec::new())));
            jobs.ask(Job::Settings(files.clone(), Map::new()));
        }
        for _ in 0..3 {
            jobs.ask(Job::OpenTrace(folder.path().join("none.json")));
        }
        for _ in 0..3 {
            woken.recv_timeout(Duration::from_secs(30)).unwrap();
        }
        assert!(woken.is_empty(), "what was written is no news");
        assert_eq!(jobs.results(2).count(), 2);
        assert!(jobs.more(), "the frame that took two asks for another");
        let last: Vec<Done> = jobs.results(2).collect();
        assert!(!jobs.more() && matches!(last[..], [Done::Failed(_)]));
    }
}
