//! Running a campaign with its results in a workspace; for `fuzz` and `demo`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, TrySendError, bounded};

use super::devices::look_for_devices;
use super::terminal::{draw, messages_are_watched};
use super::{Failure, message, read_text};
use taproof_core::campaign::{
    CampaignReport, CampaignSummary, CoverageSample, EndReason, EngineRun, EngineWorker, Finding,
    FindingCount, Resumption, RunCounts, Update, end_of, summarise,
};
use taproof_core::spec::{Severity, Spec, lint};
use taproof_core::worker::PanicReport;
use taproof_phone::apps::BundledApp;
use taproof_phone::bundled_apps;
use taproof_results::report::{campaign_again, unsaved_finding_lines};
use taproof_results::store::{
    CampaignEnd, NewCampaign, RunningCampaign, SpecSource, StoreError, StoredPlan, TraceSource, Workspace,
    read_specs, shipped_specs,
};
use taproof_session::{Phones, keep_learned};

/// Coverage samples kept of a campaign, at most about.
const SAMPLES: u64 = 200;

/// Work that a kill may cost, at most about, where nobody says otherwise.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(5);

/// A campaign that is over.
pub struct Finished {
    /// Why the engine that ended worst ended.
    pub end: EndReason,
    /// What all engines found.
    pub findings: Vec<FindingCount>,
    pub summary: CampaignSummary,
    /// Its row in the workspace.
    pub campaign: i64,
}

/// The specification files for an app: as given, else the shipped ones.
pub fn spec_sources(app: &BundledApp, given: &[PathBuf]) -> Result<Vec<SpecSource>, Failure> {
    if given.is_empty() {
        let shipped = shipped_specs(app.short_name());
        return Ok(shipped.map(|spec| SpecSource::file(spec.path, spec.text)).collect());
    }
    given_specs(given)
}

/// Specification files that were named.
pub fn given_specs(given: &[PathBuf]) -> Result<Vec<SpecSource>, Failure> {
    given.iter().map(|path| Ok(SpecSource::file(path.display().to_string(), read_text(path)?))).collect()
}

/// What specification files say together.
pub fn read_spec_files(sources: &[SpecSource]) -> Result<Spec, Failure> {
    read_specs(sources).map_err(|(name, error)| Failure::BadInput(anyhow::anyhow!("{name}: {error}")))
}

/// Fills in the plan's specification and traces from the files and checks the whole.
pub fn checked(mut stored: StoredPlan) -> Result<StoredPlan, Failure> {
    let bad = |text: String| Failure::BadInput(anyhow::anyhow!(text));
    let spec = read_spec_files(&stored.specs)?;
    let error = lint(&spec).into_iter().find(|finding| finding.code.severity() == Severity::Error);
    if let Some(error) = error {
        let names: Vec<&str> = stored.specs.iter().map(|source| source.name.as_str()).collect();
        return Err(bad(format!("{}: {error}; `taproof spec check` lists all", names.join(", "))));
    }
    stored.plan.spec = Arc::new(spec);
    stored.plan.given = stored.traces.iter().map(TraceSource::given).collect::<Result<_, _>>()?;
    stored.plan.check(&bundled_apps()).map_err(|error| Failure::BadInput(error.into()))?;
    Ok(stored)
}

/// Opens the workspace.
pub fn open_workspace(path: &Path) -> Result<Workspace, Failure> {
    Workspace::open(path).map_err(|error| in_workspace(error, path))
}

/// Opens a workspace to read what it holds: there must be one. Whoever wants to write there may wait until it is closed,
/// so it is closed before anything is printed: a reader of that may take its time.
pub fn open_results(path: &Path) -> Result<Workspace, Failure> {
    if !Workspace::exists(path) {
        return Err(Failure::BadInput(anyhow::anyhow!(
            "there is no workspace {}; `taproof fuzz` makes one, --workspace names another",
            path.display()
        )));
    }
    Workspace::open_to_read(path).map_err(|error| in_workspace(error, path))
}

fn in_workspace(error: StoreError, path: &Path) -> Failure {
    Failure::from(error).context(format!("workspace {}", path.display()))
}

/// Runs a plan that was checked on devices that are there, each engine on a thread of its own. Findings are told on standard error once they
/// are committed.
pub fn run_stored(
    workspace: &mut Workspace,
    stored: &StoredPlan,
    checkpoint_every: Duration,
) -> Result<Finished, Failure> {
    let plan = &stored.plan;
    let running = workspace.begin_campaign(&NewCampaign {
        app: &plan.app,
        build: &plan.device.words(&plan.build),
        engine: &plan.engine_names(),
        seed: plan.seed,
        plan: &stored.to_json()?,
    })?;
    let from = plan.engines.iter().map(|_| (None, Duration::ZERO)).collect();
    run_engines(workspace, running, stored, from, checkpoint_every)
}

/// Lets a campaign go on whose program was killed.
pub fn run_resumed(
    workspace: &mut Workspace,
    id: i64,
    checkpoint_every: Duration,
) -> Result<Finished, Failure> {
    let resumed = workspace.resume_campaign(id)?;
    let stored = checked(resumed.plan)?;
    look_for_devices(stored.plan.device.serials(), &stored.plan.app)?;
    let spent = resumed.millis.into_iter().map(Duration::from_millis);
    let from = resumed.from.into_iter().zip(spent).collect();
    run_engines(workspace, resumed.running, &stored, from, checkpoint_every)
}

/// Where an engine goes on, and the time that it has taken until there.
type Standing = (Option<Resumption>, Duration);

fn run_engines(
    workspace: &mut Workspace,
    running: RunningCampaign,
    stored: &StoredPlan,
    from: Vec<Standing>,
    checkpoint_every: Duration,
) -> Result<Finished, Failure> {
    let (campaign, plan) = (running.id, &stored.plan);
    let mut recorder = Recorder::start(workspace, &running, stored, from)?;
    recorder.listen(checkpoint_every);
    let Recorder { runs, failed, broken: mistake, mut bar, .. } = recorder;
    bar.clear();
    if let Some(error) = failed {
        return Err(not_written(campaign, error));
    }
    if let Some(PanicReport { message }) = mistake {
        let say = format!("a mistake of Taproof's own ended the campaign: {message}");
        return Err(Failure::Broken(anyhow::anyhow!(say)));
    }
    let ended = plan.engines.iter().zip(&runs).filter_map(|(engine, run)| {
        Some(EngineRun { engine, report: run.report.as_deref()?, seconds: run.seconds })
    });
    let engine_runs: Vec<EngineRun<'_>> = ended.collect();
    let summary = summarise(plan, &engine_runs);
    let end_reason = end_of(&engine_runs).clone();
    let text = serde_json::to_string(&summary).map_err(|error| Failure::Broken(error.into()))?;
    let end = CampaignEnd {
        end: &summary.end,
        detail: &end_reason.trouble().unwrap_or_default(),
        fingerprint: &summary.fingerprint,
        events: summary.events,
        tests: summary.tests,
        summary: &text,
    };
    workspace.end_campaign(running, &end).map_err(|error| not_written(campaign, error))?;
    for run in &engine_runs {
        if let Some(learned) = &run.report.learned {
            for note in keep_learned(workspace.root(), plan, run.engine, learned)? {
                message(&note);
            }
        }
    }
    for run in &engine_runs {
        if let Some(trouble) = run.report.end.trouble() {
            message(&format!("{} ended early: {trouble}", run.engine.settings().info().label));
        }
    }
    let findings = runs.into_iter().filter_map(|run| run.report).flat_map(|report| report.findings).collect();
    Ok(Finished { end: end_reason, findings, summary, campaign })
}

/// What a campaign does cannot be written down. Whatever SQLite says of its file, nothing that was given is to blame.
fn not_written(campaign: i64, error: StoreError) -> Failure {
    let say = format!(
        "campaign {campaign} failed: its results cannot be written. Once they can, `taproof fuzz --resume {campaign}` \
         goes on from its last checkpoint"
    );
    Failure::Broken(anyhow::Error::new(error).context(say))
}

/// One engine at work.
struct Run {
    worker: EngineWorker,
    report: Option<Box<CampaignReport>>,
    over: bool,
    /// The time that it had taken before the program was killed.
    before: Duration,
    events: u64,
    findings: u64,
    /// Events until the last sample.
    sampled: u64,
    seconds: f64,
}

/// Commits what must not be lost and shows the rest.
struct Recorder<'a> {
    workspace: &'a mut Workspace,
    running: &'a RunningCampaign,
    runs: Vec<Run>,
    /// Something to hear.
    woken: Receiver<()>,
    started: Instant,
    /// The command that runs it again.
    command: String,
    /// Why results could not be written; the campaign is then cancelled.
    failed: Option<StoreError>,
    broken: Option<PanicReport>,
    sample_every: u64,
    bar: ProgressBar,
}

impl<'a> Recorder<'a> {
    fn start(
        workspace: &'a mut Workspace,
        running: &'a RunningCampaign,
        stored: &StoredPlan,
        from: Vec<Standing>,
    ) -> Result<Self, Failure> {
        let plan = Arc::new(stored.plan.clone());
        let (waking, woken) = bounded(1);
        let wake = move || match waking.try_send(()) {
            // Full means that the listener will look anyway.
            Ok(()) | Err(TrySendError::Full(()) | TrySendError::Disconnected(())) => {}
        };
        #[expect(clippy::disallowed_methods, reason = "people want to know how long it took")]
        let started = Instant::now();
        let start = |(place, (from, before)): (usize, Standing)| {
            let events = from.as_ref().map_or(0, |from| from.checkpoint.events());
            let findings = from.as_ref().map_or(0, |from| from.findings.len() as u64);
            let phones = Phones::of(&plan, place);
            let worker =
                EngineWorker::start(Arc::clone(&plan), place, from, phones, wake.clone(), wake.clone());
            let worker = worker.map_err(|error| Failure::Broken(error.into()))?;
            Ok(Run {
                worker,
                report: None,
                over: false,
                before,
                events,
                findings,
                sampled: events,
                seconds: 0.0,
            })
        };
        Ok(Recorder {
            runs: from.into_iter().enumerate().map(start).collect::<Result<_, Failure>>()?,
            workspace,
            running,
            woken,
            started,
            command: campaign_again(&plan, &stored.spec_facts()),
            failed: None,
            broken: None,
            sample_every: (plan.budget.max_events / SAMPLES).max(500),
            bar: ProgressBar::new(plan.budget.max_events.saturating_mul(plan.engines.len() as u64)),
        })
    }

    /// Listens until all engines are over.
    fn listen(&mut self, checkpoint_every: Duration) {
        let mut asked = self.started.elapsed();
        while self.runs.iter().any(|run| !run.over) {
            if self.started.elapsed() - asked >= checkpoint_every {
                asked = self.started.elapsed();
                self.runs.iter().for_each(|run| run.worker.ask_checkpoint());
            }
            // Disconnected: every engine is through, and what it told waits.
            let heard = self.woken.recv();
            for place in 0..self.runs.len() {
                self.look(place);
                let updates: Vec<Update> = self.runs[place].worker.updates().try_iter().collect();
                updates.into_iter().for_each(|update| self.take(place, update));
            }
            if heard.is_err() {
                break;
            }
        }
    }

    fn look(&mut self, place: usize) {
        let millis = self.millis(place);
        let run = &mut self.runs[place];
        let (found, due) = (run.findings, run.sampled + self.sample_every);
        let Some(sample) = run.worker.look(|counts| counts.sample(place as u32, found, millis)) else {
            return;
        };
        run.events = sample.events;
        if sample.events >= due {
            self.sample(place, sample);
        }
        let sum = |of: fn(&Run) -> u64| self.runs.iter().map(of).sum();
        self.bar.show(sum(|run| run.events), sum(|run| run.findings));
    }

    fn take(&mut self, place: usize, update: Update) {
        match update {
            Update::Started => {}
            Update::Finding(finding) => self.finding(place, &finding),
            Update::Warning(warning) => {
                self.bar.clear();
                message(&format!("warning: {warning}"));
            }
            Update::Checkpoint(checkpoint) => {
                let (found, millis) = (self.runs[place].findings, self.millis(place));
                self.sample(place, checkpoint.counts().sample(place as u32, found, millis));
                self.write(|workspace, running| workspace.save_checkpoint(running, place, &checkpoint));
            }
            Update::Ended(report) => {
                let millis = self.millis(place);
                let run = &mut self.runs[place];
                run.seconds = millis as f64 / 1000.0;
                let last = RunCounts::of(&report.ledger).sample(place as u32, run.findings, millis);
                (run.over, run.report) = (true, Some(report));
                self.sample(place, last);
            }
            Update::Broken(report) => {
                self.runs[place].over = true;
                self.broken = Some(report);
                self.cancel();
            }
        }
    }

    /// The time that an engine has taken so far.
    fn millis(&self, place: usize) -> u64 {
        (self.runs[place].before + self.started.elapsed()).as_millis() as u64
    }

    /// A checkpoint may be heard of when later events were sampled already: its moment is over.
    fn sample(&mut self, place: usize, sample: CoverageSample) {
        if sample.events < self.runs[place].sampled {
            return;
        }
        self.runs[place].sampled = sample.events;
        self.write(|workspace, running| workspace.add_sample(running, sample));
    }

    /// A finding is told once it is committed. One that cannot be is told in full, as it stands nowhere else.
    fn finding(&mut self, place: usize, finding: &Finding) {
        let saved = self.write(|workspace, running| workspace.save_finding(running, finding));
        self.bar.clear();
        match saved {
            Some(id) => {
                self.runs[place].findings += 1;
                let (event, title) = (finding.first.event, &finding.title);
                message(&format!("finding {id} at event {event} of {}: {title}", finding.engine));
            }
            None => unsaved_finding_lines(finding, &self.command).iter().for_each(|line| message(line)),
        }
    }

    /// Writes something down. Once that has failed nothing more is written, and the campaign is cancelled: who goes on
    /// from a checkpoint never tells the findings before it again, so none may be kept after one that was lost.
    fn write<T>(
        &mut self,
        write: impl FnOnce(&mut Workspace, &RunningCampaign) -> Result<T, StoreError>,
    ) -> Option<T> {
        if self.failed.is_some() {
            return None;
        }
        match write(self.workspace, self.running) {
            Ok(written) => Some(written),
            Err(error) => {
                self.failed = Some(error);
                self.cancel();
                None
            }
        }
    }

    fn cancel(&self) {
        self.runs.iter().for_each(|run| run.worker.cancel());
    }
}

/// One line on standard error that is drawn over; nothing where nobody looks.
struct ProgressBar {
    total: u64,
    shown: bool,
    drawn: Option<u64>,
}

impl ProgressBar {
    fn new(total: u64) -> Self {
        ProgressBar { total: total.max(1), shown: messages_are_watched(), drawn: None }
    }

    fn show(&mut self, events: u64, findings: u64) {
        const WIDTH: u64 = 30;
        let percent = (events * 100 / self.total).min(100);
        if !self.shown || self.drawn == Some(percent) {
            return;
        }
        self.drawn = Some(percent);
        let full = (percent * WIDTH / 100) as usize;
        let line = format!(
            "\r[{}{}] {percent:>3} %  {events} of {} events, {findings} finding(s)",
            "#".repeat(full),
            "-".repeat(WIDTH as usize - full),
            self.total
        );
        self.write(&line);
    }

    fn clear(&mut self) {
        if self.drawn.take().is_some() {
            self.write("\r\x1b[K");
        }
    }

    /// That a progress line cannot be written is nothing to stop for.
    fn write(&mut self, text: &str) {
        self.shown &= draw(text);
    }
}
