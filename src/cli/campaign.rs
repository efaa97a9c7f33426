//! Runs a campaign and stores its results in a workspace; for `fuzz` and `demo`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, TrySendError, bounded};

use super::devices::look_for_devices;
use super::terminal::{draw, messages_are_watched};
use super::{Failure, message, read_text};
use taproof_core::campaign::{
    CampaignPlan, CampaignReport, CampaignSummary, CampaignWarning, EndReason, Finding, FindingCount,
    Resumption, RunCounts,
};
use taproof_core::spec::{Severity, Spec, lint};
use taproof_core::worker::PanicReport;
use taproof_phone::Apps;
use taproof_results::report::unsaved_finding_lines;
use taproof_results::shell::campaign_command;
use taproof_results::store::{SpecSource, StoreError, StoredPlan, TraceSource, Workspace, read_specs};
use taproof_session::{
    CampaignLog, Phones, Record, Session, SessionOutcome, SessionSink, Written, shipped_with,
};

/// A campaign that has ended.
pub struct Finished {
    /// The worst reason for which an engine ended.
    pub end: EndReason,
    /// The findings of all engines.
    pub findings: Vec<FindingCount>,
    pub summary: CampaignSummary,
    /// Number of its row in the workspace.
    pub campaign: i64,
}

/// Reads the specification files that the user gave.
pub fn given_specs(given: &[PathBuf]) -> Result<Vec<SpecSource>, Failure> {
    given.iter().map(|path| Ok(SpecSource::file(path.display().to_string(), read_text(path)?))).collect()
}

/// Parses specification files as one specification.
pub fn read_spec_files(sources: &[SpecSource]) -> Result<Spec, Failure> {
    read_specs(sources).map_err(|(name, error)| Failure::BadInput(anyhow::anyhow!("{name}: {error}")))
}

/// Fills in the plan's specification and traces from the files, and checks the whole plan.
pub fn checked(apps: &Apps, mut stored: StoredPlan) -> Result<StoredPlan, Failure> {
    let bad = |text: String| Failure::BadInput(anyhow::anyhow!(text));
    let spec = read_spec_files(&stored.specs)?;
    let error = lint(&spec).into_iter().find(|finding| finding.code.severity() == Severity::Error);
    if let Some(error) = error {
        let names: Vec<&str> = stored.specs.iter().map(|source| source.name.as_str()).collect();
        return Err(bad(format!("{}: {error}; `taproof spec check` lists all", names.join(", "))));
    }
    stored.plan.spec = Arc::new(spec);
    stored.plan.seed_traces = stored.traces.iter().map(TraceSource::seed_trace).collect::<Result<_, _>>()?;
    stored.plan.check(&apps.facts()).map_err(|error| Failure::BadInput(error.into()))?;
    Ok(stored)
}

/// Opens the workspace for writing, and creates it if it does not exist.
pub fn open_workspace(path: &Path) -> Result<Workspace, Failure> {
    Workspace::open(path).map_err(|error| in_workspace(error, path))
}

/// Opens an existing workspace for reading. Writers may have to wait until it is closed, so it must be closed before
/// anything is printed: the reader of the output may be slow.
pub fn open_results(path: &Path) -> Result<Workspace, Failure> {
    Workspace::open_to_read(path).map_err(|error| in_workspace(error, path))
}

fn in_workspace(error: StoreError, path: &Path) -> Failure {
    let named = matches!(error, StoreError::NoWorkspace { .. });
    let failure = Failure::from(error);
    if named { failure } else { failure.context(format!("workspace {}", path.display())) }
}

/// Runs a checked plan on devices that are known to be usable, each engine on a thread of its own. Findings are printed
/// to standard error once they are committed.
pub fn run_stored(
    apps: &Apps,
    workspace: &mut Workspace,
    stored: &StoredPlan,
    checkpoint_every: Duration,
) -> Result<Finished, Failure> {
    let log = CampaignLog::begin(workspace, stored)?;
    let from = stored.plan.engines.iter().map(|_| None).collect();
    run_session(apps, (workspace, log), stored, from, checkpoint_every)
}

/// Resumes a campaign whose program was killed.
pub fn run_resumed(
    apps: &Apps,
    workspace: &mut Workspace,
    id: i64,
    checkpoint_every: Duration,
) -> Result<Finished, Failure> {
    let resumed = workspace.resume_campaign(id, |app| shipped_with(apps, app))?;
    let stored = checked(apps, resumed.plan)?;
    look_for_devices(stored.plan.device.serials(), &stored.plan.app)?;
    let log = CampaignLog::resume(resumed.running, Arc::new(stored.plan.clone()));
    run_session(apps, (workspace, log), &stored, resumed.from, checkpoint_every)
}

fn run_session(
    apps: &Apps,
    (workspace, log): (&mut Workspace, CampaignLog),
    stored: &StoredPlan,
    from: Vec<Option<Resumption>>,
    checkpoint_every: Duration,
) -> Result<Finished, Failure> {
    let plan = Arc::new(stored.plan.clone());
    let (waking, woken) = bounded(1);
    let wake = move || match waking.try_send(()) {
        // A full channel means that the listener will poll anyway.
        Ok(()) | Err(TrySendError::Full(()) | TrySendError::Disconnected(())) => {}
    };
    let devices = |engine| Phones::of(apps, &plan, engine);
    let session = Session::start(&plan, from, devices, wake.clone(), wake);
    let mut session =
        session.map_err(|error| Failure::Broken(error.into()))?.checkpoint_every(checkpoint_every);
    let command = campaign_command(&plan, &stored.spec_facts(&shipped_with(apps, &plan.app)));
    let mut terminal = Terminal::new(workspace, log, &plan, command);
    let mut listening = true;
    while listening && !session.over() {
        // Disconnected: every engine has ended, and its last updates are waiting.
        listening = !matches!(woken.recv_timeout(checkpoint_every), Err(RecvTimeoutError::Disconnected));
        session.poll(usize::MAX, &mut terminal);
        if terminal.failed.is_some() {
            session.cancel();
        }
    }
    terminal.bar.clear();
    finished(&session, &plan, terminal)
}

fn finished(session: &Session, plan: &CampaignPlan, terminal: Terminal<'_>) -> Result<Finished, Failure> {
    let campaign = terminal.log.row();
    if let Some(error) = terminal.failed {
        return Err(not_written(campaign, error));
    }
    let ended: Vec<(usize, &CampaignReport)> = session.reports().collect();
    for (engine, report) in &ended {
        if let (Some(trouble), Some(engine)) = (report.end.trouble(), plan.engines.get(*engine)) {
            message(&format!("{} ended early: {trouble}", engine.info().label));
        }
    }
    if let Some(label) = terminal.broken {
        let say = format!(
            "campaign {campaign} counts as interrupted, as a mistake of Taproof's own ended {label}. `taproof fuzz \
             --resume {campaign}` goes on from its last checkpoint"
        );
        return Err(Failure::Broken(anyhow::anyhow!(say)));
    }
    let outcome = session.outcome();
    let SessionOutcome { summary, end } =
        outcome.ok_or_else(|| Failure::Broken(anyhow::anyhow!("an engine's thread ended without a word")))?;
    if let Some(error) = terminal.not_learned {
        return Err(error.into());
    }
    let findings = ended.iter().flat_map(|(_, report)| report.findings.iter().cloned()).collect();
    Ok(Finished { end, findings, summary, campaign })
}

/// The failure if a campaign's results cannot be written. Whatever SQLite reports about its file, this is not an error
/// in the user's input.
fn not_written(campaign: i64, error: Arc<StoreError>) -> Failure {
    let say = format!(
        "campaign {campaign} failed: its results cannot be written. Once they can, `taproof fuzz --resume {campaign}` \
         goes on from its last checkpoint"
    );
    Failure::Broken(anyhow::Error::new(error).context(say))
}

/// Writes the records of a session to the workspace and prints its progress.
struct Terminal<'w> {
    workspace: &'w mut Workspace,
    log: CampaignLog,
    /// The command that runs the campaign again.
    command: String,
    /// Number of events and of findings of each engine.
    counted: Vec<(u64, u64)>,
    plan: &'w CampaignPlan,
    bar: ProgressBar,
    /// Why results could not be written; `None` if they could. After a failure the campaign is cancelled.
    failed: Option<Arc<StoreError>>,
    not_learned: Option<StoreError>,
    /// The engine that a mistake of ours ended.
    broken: Option<&'static str>,
}

impl<'w> Terminal<'w> {
    fn new(workspace: &'w mut Workspace, log: CampaignLog, plan: &'w CampaignPlan, command: String) -> Self {
        let events = plan.budget.max_events.saturating_mul(plan.engines.len() as u64);
        Terminal {
            workspace,
            log,
            command,
            counted: vec![(0, 0); plan.engines.len()],
            plan,
            bar: ProgressBar::new(events),
            failed: None,
            not_learned: None,
            broken: None,
        }
    }

    fn print(&mut self, line: &str) {
        self.bar.clear();
        message(line);
    }

    /// Prints a finding once it is committed. A finding that cannot be committed is printed in full, since it is stored
    /// nowhere.
    fn print_finding(&mut self, finding: &Finding, written: Option<i64>) {
        match written {
            Some(id) => {
                let (event, title) = (finding.first.event, &finding.title);
                self.print(&format!("finding {id} at event {event} of {}: {title}", finding.engine));
            }
            None => {
                let lines = unsaved_finding_lines(finding, &self.command);
                lines.iter().for_each(|line| self.print(line));
            }
        }
    }
}

impl SessionSink for Terminal<'_> {
    fn record(&mut self, record: Record) {
        let finding = match &record {
            Record::Finding(finding) => Some(Arc::clone(finding)),
            _ => None,
        };
        match (self.log.write(self.workspace, record), finding) {
            (Ok(Written::Finding(id)), Some(finding)) => self.print_finding(&finding, Some(id)),
            (Ok(Written::Learned(Ok(notes))), _) => notes.iter().for_each(|note| self.print(note)),
            (Ok(Written::Learned(Err(error))), _) => self.not_learned = Some(error),
            (Ok(Written::Fine | Written::Finding(_)), _) => {}
            (Err(error), finding) => {
                self.failed = Some(error);
                if let Some(finding) = finding {
                    self.print_finding(&finding, None);
                }
            }
        }
    }

    fn counts(&mut self, engine: usize, counts: &RunCounts, findings: u64, _spent: Duration) {
        if let Some(counted) = self.counted.get_mut(engine) {
            *counted = (counts.events, findings);
        }
        let sum = |of: fn(&(u64, u64)) -> u64| self.counted.iter().map(of).sum();
        self.bar.show(sum(|counted| counted.0), sum(|counted| counted.1));
    }

    fn warning(&mut self, _engine: usize, warning: CampaignWarning) {
        self.print(&format!("warning: {warning}"));
    }

    fn broken(&mut self, engine: usize, report: PanicReport) {
        let label = self.plan.engines.get(engine).map_or("an engine", |engine| engine.info().label);
        self.print(&format!("{label} was ended by a mistake of Taproof's own: {}", report.message));
        self.broken = Some(label);
    }
}

/// A progress line on standard error that is redrawn in place. Not shown unless standard error is a terminal.
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

    /// Hides the line if it cannot be written, which must not stop the campaign.
    fn write(&mut self, text: &str) {
        self.shown &= draw(text);
    }
}
