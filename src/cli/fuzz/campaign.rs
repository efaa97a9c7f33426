//! Runs a campaign and stores its results in a workspace; for `fuzz` and `demo`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, TrySendError, bounded};

use super::progress::{PROGRESS_EVERY, Progress};
use crate::cli::devices::{look_for_devices, tell_left};
use crate::cli::findings::bugs::print_bugs;
use crate::cli::findings::stuck::keep_of_error;
use crate::cli::initialiser::BeginOptions;
use crate::cli::terminal::{Colour, coloured_message};
use crate::cli::{Failure, bad_input, broken, message, read_text, watch_interrupt};
use taproof_adb::ControlMethod;
use taproof_campaign::{
    Bug, BugClass, CampaignPlan, CampaignReport, CampaignSummary, CampaignWarning, Confirmation, Corrections,
    EndReason, Finding, FindingCount, FindingState, Resumption, group, idle_functions,
};
use taproof_engine::worker::Worker;
use taproof_phone::Apps;
use taproof_results::report::unsaved_finding_lines;
use taproof_results::shell::{campaign_command, replay_command};
use taproof_results::store::{SpecSource, StoreError, StoredPlan, TraceSource, Workspace, read_specs};
use taproof_screen::{counted, thousands};
use taproof_session::{
    CHECKPOINT_EVERY, CampaignLog, EngineNews, Interrupt, Record, Session, SessionOutcome, SessionSink,
    TestPhones, Written, dates, shipped_with,
};
use taproof_spec::{Severity, Spec, lint};

/// Longest interval between two looks at a running campaign.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// How a campaign is run here, which its plan does not say.
#[derive(Clone)]
pub struct RunOptions {
    /// The fastest method by which devices may be controlled.
    pub control: ControlMethod,
    /// Interval between two checkpoints.
    pub checkpoint_every: Duration,
    /// Interval between two lines of progress where standard error is no terminal.
    pub progress_every: Duration,
    /// What is run before each test.
    pub begin: BeginOptions,
    /// What becomes of it when somebody asks the program to end.
    pub on_interrupt: OnInterrupt,
}

/// What becomes of a campaign when somebody asks the program to end.
#[derive(Clone, Default)]
pub enum OnInterrupt {
    /// It ends as cancelled.
    #[default]
    Cancel,
    /// It stays as it is, and goes on when it is resumed. Requests are noted here.
    Leave(Interrupt),
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            control: ControlMethod::Agent,
            checkpoint_every: CHECKPOINT_EVERY,
            progress_every: PROGRESS_EVERY,
            begin: BeginOptions::default(),
            on_interrupt: OnInterrupt::Cancel,
        }
    }
}

/// A campaign that has ended.
pub struct Finished {
    /// The worst reason for which an engine ended.
    pub end: EndReason,
    /// The findings of all engines.
    pub findings: Vec<FindingCount>,
    pub summary: CampaignSummary,
    pub plan: CampaignPlan,
    /// What a person has said of which findings in the app show the same bug.
    pub corrections: Corrections,
    /// The functions that an engine was to run and that never ran to their end, each with the reason.
    pub idle: Vec<String>,
    /// Number of its row in the workspace.
    pub campaign: i64,
    /// Number of steps that could not be run and whose screens were kept.
    pub stuck: usize,
    /// The threads that put devices back as they were, which is waited for when this is dropped: what came of the campaign is
    /// printed before.
    pub restoring: Vec<Worker>,
}

impl Finished {
    /// Prints the bugs. `workspace` is the folder of the results, if somebody named it, and `more` says where the bugs are
    /// that are left out.
    pub fn print_bugs(&self, bugs: &[Bug], workspace: Option<&PathBuf>, more: &str) -> Result<(), Failure> {
        let folder = workspace.map(|folder| folder.to_string_lossy());
        print_bugs(bugs, &replay_command(&self.plan, folder.as_deref()), more)
    }

    /// The bugs that the findings show.
    pub fn bugs(&self) -> Vec<Bug> {
        let findings: Vec<_> = self.findings.iter().map(|count| Arc::clone(&count.finding)).collect();
        group(&findings, &self.plan.app, &self.plan.spec, &self.corrections)
    }

    /// Whether an engine did not do all that was planned. Such a run is never shown as a success.
    pub fn ended_early(&self) -> bool {
        !matches!(&self.end, EndReason::Exhausted | EndReason::BudgetSpent)
    }
}

/// Reads the specification files that the user gave.
pub fn given_specs(given: &[PathBuf]) -> Result<Vec<SpecSource>, Failure> {
    given.iter().map(|path| Ok(SpecSource::file(path.display().to_string(), read_text(path)?))).collect()
}

/// Parses specification files as one specification.
pub fn read_spec_files(sources: &[SpecSource]) -> Result<Spec, Failure> {
    read_specs(sources).map_err(|(name, error)| bad_input(format!("{name}: {error}")))
}

/// Fills in the plan's specification and traces from the files, and checks the whole plan.
pub fn checked(apps: &Apps, mut stored: StoredPlan) -> Result<StoredPlan, Failure> {
    let spec = read_spec_files(&stored.specs)?;
    let error = lint(&spec).into_iter().find(|finding| finding.code.severity() == Severity::Error);
    if let Some(error) = error {
        let names: Vec<&str> = stored.specs.iter().map(|source| source.name.as_str()).collect();
        return Err(bad_input(format!("{}: {error}; `taproof spec check` lists all", names.join(", "))));
    }
    stored.plan.spec = Arc::new(spec);
    stored.plan.seed_traces = stored.traces.iter().map(TraceSource::seed_trace).collect::<Result<_, _>>()?;
    stored.plan.check(&apps.facts(&stored.plan.app)).map_err(|error| Failure::BadInput(error.into()))?;
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
    options: RunOptions,
) -> Result<Finished, Failure> {
    let log = CampaignLog::begin(workspace, stored, dates::seconds())?;
    let from = stored.plan.engines.iter().map(|_| None).collect();
    run_session(apps, (workspace, log), stored, from, options)
}

/// Resumes a campaign whose program was killed.
pub fn run_resumed(
    apps: &Apps,
    workspace: &mut Workspace,
    id: i64,
    options: RunOptions,
) -> Result<Finished, Failure> {
    let resumed = workspace.resume_campaign(id, |app| shipped_with(apps, app))?;
    let stored = checked(apps, resumed.plan)?;
    look_for_devices(stored.plan.device.serials(), &stored.plan.app)?;
    let log = CampaignLog::resume(resumed.running, Arc::new(stored.plan.clone()));
    run_session(apps, (workspace, log), &stored, resumed.from, options)
}

fn run_session(
    apps: &Apps,
    (workspace, log): (&mut Workspace, CampaignLog),
    stored: &StoredPlan,
    from: Vec<Option<Resumption>>,
    options: RunOptions,
) -> Result<Finished, Failure> {
    let plan = Arc::new(stored.plan.clone());
    let (waking, woken) = bounded(1);
    let wake = move || match waking.try_send(()) {
        // A full channel means that the listener will poll anyway.
        Ok(()) | Err(TrySendError::Full(()) | TrySendError::Disconnected(())) => {}
    };
    let before_test = options.begin.command(workspace.root(), &plan.app)?;
    let phones = TestPhones::new(apps.clone(), tell_left());
    let devices = |engine| {
        let phones = phones.of(&plan, engine).controlled_by(options.control);
        phones.running_before_tests(before_test.clone())
    };
    let (interrupt, leaves) = match &options.on_interrupt {
        OnInterrupt::Cancel => (watch_interrupt(|| {}), false),
        OnInterrupt::Leave(interrupt) => (interrupt.clone(), true),
    };
    // Counts are looked at several times a second.
    let session = Session::start(&plan, from, devices, wake, || {});
    let RunOptions { checkpoint_every, progress_every, .. } = options;
    let mut session =
        session.map_err(|error| Failure::Broken(error.into()))?.checkpoint_every(checkpoint_every);
    let command = campaign_command(&plan, &stored.spec_facts(&shipped_with(apps, &plan.app)));
    tracing::info!(campaign = log.row(), command, "the campaign runs");
    let mut terminal = Terminal::new(workspace, log, &plan, (command, progress_every));
    terminal.print(&header(apps, &plan));
    let look_every = LOOK_EVERY.min(checkpoint_every);
    let mut listening = true;
    while listening && !session.over() {
        // Disconnected: every engine has ended, and its last updates are waiting.
        listening = !matches!(woken.recv_timeout(look_every), Err(RecvTimeoutError::Disconnected));
        session.poll(usize::MAX, &mut terminal);
        terminal.progress.tick();
        terminal.left |= leaves && interrupt.asked();
        if terminal.failed.is_some() || interrupt.asked() {
            session.cancel();
        }
    }
    terminal.progress.clear();
    let campaign = terminal.log.row();
    let finished = finished(&session, &plan, terminal);
    match &finished {
        Ok(Finished { summary: CampaignSummary { events, end, findings, .. }, .. }) => {
            tracing::info!(campaign, events, end, findings = findings.len(), "the campaign has ended");
        }
        Err(error) => tracing::error!(campaign, ?error, "the campaign has failed"),
    }
    finished.map(|finished| Finished { restoring: session.retire(), ..finished })
}

/// What a campaign is going to do, and how to end it.
fn header(apps: &Apps, plan: &CampaignPlan) -> String {
    let label = apps.find(&plan.app).map_or(&*plan.app, |app| app.manifest().label);
    let engines: Vec<&str> = plan.engines.iter().map(|engine| engine.info().label).collect();
    let place = if plan.device.is_bundled() { "build" } else { "on" };
    format!(
        "{label}, {place} {}: {} events in all by {}, with {}, seed {}. Ctrl+C ends it; what was found is kept.",
        plan.device.words(&plan.build),
        thousands(plan.budgets().iter().sum()),
        engines.join(" and "),
        counted(plan.spec.dmfs.len(), "function"),
        plan.seed
    )
}

fn finished(session: &Session, plan: &CampaignPlan, terminal: Terminal<'_>) -> Result<Finished, Failure> {
    let campaign = terminal.log.row();
    if let Some(error) = terminal.failed {
        return Err(not_written(campaign, error));
    }
    let ended: Vec<(usize, &CampaignReport)> = session.reports().collect();
    let stuck = terminal.stuck;
    for (engine, report) in &ended {
        if let EndReason::DeviceFailed(error) = &report.end {
            keep_of_error(terminal.workspace.root(), &format!("campaign {campaign}"), error);
        }
        if let (Some(trouble), Some(engine)) = (report.end.trouble(), plan.engines.get(*engine)) {
            message(&format!("{} ended early: {trouble}", engine.info().label));
        }
    }
    if let Some(label) = terminal.broken {
        let say = format!(
            "campaign {campaign} counts as interrupted, as a mistake of Taproof's own ended {label}. `taproof fuzz \
             --resume {campaign}` goes on from its last checkpoint"
        );
        return Err(broken(say));
    }
    let outcome = session.outcome();
    let SessionOutcome { summary, end } =
        outcome.ok_or_else(|| broken("an engine's thread ended without a word"))?;
    if let Some(error) = terminal.not_learned {
        return Err(error.into());
    }
    let findings = ended.iter().flat_map(|(_, report)| report.findings.iter().cloned()).collect();
    // So that the window need not make the cards when it lists many campaigns.
    if let Err(error) = terminal.workspace.keep_bugs_of(campaign) {
        tracing::debug!(campaign, %error, "the cards of a campaign are not kept");
    }
    let idle = idle_functions(&plan.spec, |dmf| plan.runs(dmf), &summary.properties);
    let (plan, corrections) = (plan.clone(), terminal.workspace.corrections(&plan.app)?);
    Ok(Finished { end, findings, summary, plan, corrections, idle, campaign, stuck, restoring: Vec::new() })
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
    plan: &'w CampaignPlan,
    progress: Progress,
    /// The findings by their rows, each as it is known by now.
    found: BTreeMap<i64, Arc<Finding>>,
    /// What was last printed of each finding, by its row.
    printed: BTreeMap<i64, String>,
    /// The titles of bugs that were printed.
    titles: BTreeSet<String>,
    /// Why results could not be written; `None` if they could. After a failure the campaign is cancelled.
    failed: Option<Arc<StoreError>>,
    not_learned: Option<StoreError>,
    /// Number of steps that could not be run and whose screens were kept.
    stuck: usize,
    /// The engine that a mistake of ours ended.
    broken: Option<&'static str>,
    /// Whether nothing more is written, so that the campaign goes on from its last checkpoint when it is resumed.
    left: bool,
}

impl<'w> Terminal<'w> {
    fn new(
        workspace: &'w mut Workspace,
        log: CampaignLog,
        plan: &'w CampaignPlan,
        (command, progress_every): (String, Duration),
    ) -> Self {
        let engines = plan.engines.iter().map(|engine| engine.name());
        let progress = Progress::new(engines, plan.budgets().iter().sum(), progress_every);
        Terminal {
            workspace,
            log,
            command,
            plan,
            progress,
            found: BTreeMap::new(),
            printed: BTreeMap::new(),
            titles: BTreeSet::new(),
            failed: None,
            not_learned: None,
            stuck: 0,
            broken: None,
            left: false,
        }
    }

    fn print(&mut self, line: &str) {
        self.progress.clear();
        message(line);
    }

    fn print_coloured(&mut self, colour: Colour, first: &str, rest: &str) {
        self.progress.clear();
        coloured_message(colour, first, rest);
    }

    /// Prints a finding once it is committed: the title of its bug when that is new, then what its investigation shows.
    /// Further findings of the bug are not printed. A finding that cannot be committed is printed in full, since it is
    /// stored nowhere.
    fn print_finding(&mut self, finding: &Arc<Finding>, written: Option<i64>) {
        let Some(row) = written else {
            let lines = unsaved_finding_lines(finding, &self.command);
            return lines.iter().for_each(|line| self.print(line));
        };
        let (words, name) = (FindingState::of(finding).to_string(), format!("finding {row}"));
        let before = self.found.insert(row, Arc::clone(finding)).map(|known| known.class());
        let new = if before == Some(finding.class()) { None } else { self.new_bug(&finding.id) };
        if let Some(title) = new {
            let rest = format!(" at event {} of {}: {title}", finding.first.event, finding.engine);
            self.print_coloured(Colour::Red, &name, &rest);
            self.printed.insert(row, words);
        } else if self.printed.get(&row).is_some_and(|printed| *printed != words) {
            let (steps, was) = (finding.minimal.trace.len(), finding.witness.trace.len());
            let colour = match finding.confirmation {
                Confirmation::Reproduced { .. } => Colour::Green,
                Confirmation::Untried | Confirmation::Flaky { .. } => Colour::Yellow,
            };
            self.print_coloured(colour, &name, &format!(" {words}, {steps} steps (was {was})"));
            self.printed.insert(row, words);
        }
    }

    /// Counts the bugs anew, and returns the title of the one that this finding shows if nothing was printed of it.
    fn new_bug(&mut self, finding: &str) -> Option<String> {
        let found: Vec<Arc<Finding>> = self.found.values().cloned().collect();
        let bugs = group(&found, &self.plan.app, &self.plan.spec, &Corrections::default());
        let sure = bugs.iter().filter(|bug| bug.class != BugClass::Unsure).count();
        self.progress.found(bugs.len(), sure);
        let bug = bugs.into_iter().find(|bug| bug.has(finding))?;
        let printed = |(row, one): (&i64, &Arc<Finding>)| self.printed.contains_key(row) && bug.has(&one.id);
        // What was seen once is on its own, and most of it turns out to be what has the same title.
        let new = !self.found.iter().any(printed) && self.titles.insert(bug.title.clone());
        new.then_some(bug.title)
    }
}

impl SessionSink for Terminal<'_> {
    fn record(&mut self, record: Record) {
        if self.left {
            return;
        }
        let finding = record.finding().cloned();
        match (self.log.write(self.workspace, record, dates::seconds()), finding) {
            (Ok(Written::Finding(id)), Some(finding)) => self.print_finding(&finding, Some(id)),
            (Ok(Written::Learned(Ok(notes))), _) => notes.iter().for_each(|note| self.print(note)),
            (Ok(Written::Learned(Err(error))), _) => self.not_learned = Some(error),
            (Ok(Written::Stuck), _) => self.stuck += 1,
            (Ok(Written::Fine | Written::Finding(_)), _) => {}
            (Err(error), finding) => {
                self.failed = Some(error);
                if let Some(finding) = finding {
                    self.print_finding(&finding, None);
                }
            }
        }
    }

    fn report(&mut self, engine: usize, news: EngineNews) {
        let label = self.plan.engines.get(engine).map_or("an engine", |engine| engine.info().label);
        match news {
            EngineNews::Counts(counts) => self.progress.take(engine, &counts),
            EngineNews::Warning(warning @ CampaignWarning::Stagnant(_)) if self.plan.engines.len() > 1 => {
                self.print(&format!("warning: {label}: {warning}"));
            }
            EngineNews::Warning(warning) => self.print(&format!("warning: {warning}")),
            EngineNews::Broken(report) => {
                self.print(&format!("{label} was ended by a mistake of Taproof's own: {}", report.message));
                self.broken = Some(label);
            }
            EngineNews::Started
            | EngineNews::Violated(_)
            | EngineNews::Stats(_)
            | EngineNews::Graph(_)
            | EngineNews::Seen(_)
            | EngineNews::Ended(..) => {}
        }
    }
}
