//! Running a campaign on the bundled phone with its results in a workspace; for `fuzz` and `demo`.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::{Failure, read_text};
use crate::campaign::{
    BundledPhones, CampaignReport, CampaignSink, CampaignSummary, CampaignWarning, CoverageSample, Finding,
    bundled_apps, run, summarise,
};
use crate::device::embedded::apps::BundledApp;
use crate::engine::Ledger;
use crate::spec::{Severity, lint};
use crate::store::{
    CampaignEnd, NewCampaign, RunningCampaign, SpecSource, StoreError, StoredPlan, Workspace, read_specs,
    shipped_specs,
};
use crate::worker::{CancelToken, PanicReport, catch};

/// Coverage samples kept of a campaign, at most about.
const SAMPLES: u64 = 200;

/// A campaign that is over.
pub struct Finished {
    pub report: CampaignReport,
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
    given.iter().map(|path| Ok(SpecSource::file(path.display().to_string(), read_text(path)?))).collect()
}

/// Fills in the plan's specification from the files and checks the whole.
pub fn checked(mut stored: StoredPlan) -> Result<StoredPlan, Failure> {
    let bad = |text: String| Failure::BadInput(anyhow::anyhow!(text));
    let spec = read_specs(&stored.specs).map_err(|(name, error)| bad(format!("{name}: {error}")))?;
    let error = lint(&spec).into_iter().find(|finding| finding.code.severity() == Severity::Error);
    if let Some(error) = error {
        let names: Vec<&str> = stored.specs.iter().map(|source| source.name.as_str()).collect();
        return Err(bad(format!("{}: {error}; `taproof spec check` lists all", names.join(", "))));
    }
    stored.plan.spec = Arc::new(spec);
    stored.plan.check(&bundled_apps()).map_err(|error| Failure::BadInput(error.into()))?;
    Ok(stored)
}

/// Opens the workspace.
pub fn open_workspace(path: &Path) -> Result<Workspace, Failure> {
    Workspace::open(path).map_err(|error| {
        let given = error.is_about_what_was_given();
        let error = anyhow::Error::from(error).context(format!("workspace {}", path.display()));
        if given { Failure::BadInput(error) } else { Failure::Broken(error) }
    })
}

/// Runs a plan that was checked. Findings are told on standard error once they are committed.
pub fn run_stored(workspace: &mut Workspace, stored: &StoredPlan) -> Result<Finished, Failure> {
    let plan = &stored.plan;
    let broken = |error: StoreError| Failure::Broken(error.into());
    let running = workspace
        .begin_campaign(&NewCampaign {
            app: &plan.app,
            build: &plan.build.word(),
            engine: plan.engines.first().map_or("", |engine| engine.name()),
            seed: plan.seed,
            plan: &stored.to_json().map_err(broken)?,
        })
        .map_err(broken)?;
    let campaign = running.id;
    let cancel = CancelToken::new();
    let mut sink = Recorder {
        workspace: &mut *workspace,
        running: &running,
        cancel: &cancel,
        failed: None,
        findings: 0,
        sample_every: (plan.budget.max_events / SAMPLES).max(500),
        bar: ProgressBar::new(plan.budget.max_events),
    };
    #[expect(clippy::disallowed_methods, reason = "people want to know how long it took")]
    let started = Instant::now();
    let mut phones = BundledPhones::new(plan);
    let report = catch(|| run(plan, &mut phones, &cancel, &mut sink));
    let seconds = started.elapsed().as_secs_f64();
    sink.bar.clear();
    if let Some(error) = sink.failed {
        return Err(Failure::Broken(anyhow::Error::from(error).context("the campaign was stopped")));
    }
    let report = report.map_err(|PanicReport { message }| {
        Failure::Broken(anyhow::anyhow!("a mistake of Taproof's own ended the campaign: {message}"))
    })?;
    let summary = summarise(plan, &report, seconds);
    let text = serde_json::to_string(&summary).map_err(|error| Failure::Broken(error.into()))?;
    let end = CampaignEnd {
        end: &summary.end,
        detail: "",
        fingerprint: &summary.fingerprint,
        events: summary.events,
        tests: summary.tests,
        summary: &text,
    };
    workspace.end_campaign(running, &end).map_err(broken)?;
    Ok(Finished { report, summary, campaign })
}

/// Commits what must not be lost and shows the rest.
struct Recorder<'a> {
    workspace: &'a mut Workspace,
    running: &'a RunningCampaign,
    cancel: &'a CancelToken,
    /// Why results could not be written; the campaign is then cancelled.
    failed: Option<StoreError>,
    findings: u64,
    sample_every: u64,
    bar: ProgressBar,
}

impl Recorder<'_> {
    fn keep(&mut self, result: Result<(), StoreError>) {
        if let Err(error) = result {
            self.cancel.cancel();
            self.failed.get_or_insert(error);
        }
    }
}

impl CampaignSink for Recorder<'_> {
    fn progress(&mut self, ledger: &Ledger) {
        self.bar.show(ledger.events, self.findings);
        if ledger.events.is_multiple_of(self.sample_every) {
            let sample = CoverageSample {
                events: ledger.events,
                tests: ledger.tests,
                states: ledger.graph.len() as u64,
                activities: ledger.activities.len() as u64,
                findings: self.findings,
            };
            let written = self.workspace.add_sample(self.running, sample);
            self.keep(written);
        }
    }

    fn finding(&mut self, finding: Arc<Finding>) {
        let saved = self.workspace.save_finding(self.running, &finding);
        if let Ok(id) = &saved {
            self.findings += 1;
            self.bar.clear();
            eprintln!("finding {id} at event {}: {}", finding.first.event, finding.title);
        }
        self.keep(saved.map(|_| ()));
    }

    fn warning(&mut self, warning: CampaignWarning) {
        self.bar.clear();
        eprintln!("warning: {warning}");
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
        ProgressBar { total: total.max(1), shown: std::io::stderr().is_terminal(), drawn: None }
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
        let mut out = std::io::stderr();
        self.shown &= out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok();
    }
}
