//! `taproof minimise FINDING`: goes on with a finding that its campaign could not confirm or minimise within its budget.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::cli::devices::{look_for_devices, tell_left};
use crate::cli::fuzz::campaign::{checked, open_workspace};
use crate::cli::fuzz::progress::PROGRESS_EVERY;
use crate::cli::initialiser::DataOptions;
use crate::cli::{
    CommandEnd, Failure, Outcome, message, print_json, print_line, watch_interrupt, workspace_path,
};
use taproof_campaign::{Confirmation, Finding, FindingState};
use taproof_engine::{CampaignStats, Stop};
use taproof_phone::Apps;
use taproof_session::{Pursuit, PursuitError, PursuitSink, TestPhones, pursue_finding};

/// Confirm and minimise a finding, from where its campaign left off
#[derive(clap::Args)]
pub struct Options {
    /// The finding's number or id
    finding: String,
    /// Maximum number of events; without limit if omitted
    #[arg(long, value_name = "N")]
    events: Option<u64>,
    /// Seconds between two lines of progress
    #[arg(long, value_name = "N", default_value_t = PROGRESS_EVERY.as_secs())]
    progress_seconds: u64,
    #[command(flatten)]
    data: DataOptions,
    /// The folder with results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let root = workspace_path(options.workspace.as_ref());
    let mut workspace = open_workspace(&root)?;
    let stored = workspace.load_finding(&options.finding)?;
    let campaign = stored.campaign.id;
    let mut plan = checked(apps, stored.plan)?.plan;
    let serial: Vec<String> = plan.serial_of(stored.finding.engine).map(str::to_owned).into_iter().collect();
    if !stored.finding.finished {
        look_for_devices(&serial, &plan.app)?;
        options.data.ask(&root, &plan.app, &plan.device, &mut plan.initialiser)?;
    }
    let interrupt = watch_interrupt(|| {});
    let unwanted = Arc::new(move || interrupt.asked());
    let mut progress =
        Progress { row: stored.id, every: Duration::from_secs(options.progress_seconds), printed: now() };
    let pursuit = Pursuit { campaign, plan: &plan, limit: options.events, unwanted };
    let phones = TestPhones::new(apps.clone(), tell_left());
    let pursued = pursue_finding(&phones, &mut workspace, stored.finding, &pursuit, &mut progress)?;
    print(options, stored.id, &pursued.finding)?;
    Ok(match pursued.end {
        Ok(()) if matches!(pursued.finding.confirmation, Confirmation::Reproduced { .. }) => CommandEnd::Fine,
        Ok(()) => CommandEnd::Found,
        Err(Stop::Device(error)) => return Err(error.into()),
        Err(Stop::Cancelled | Stop::BudgetSpent | Stop::TestOver) => CommandEnd::EndedEarly,
    })
}

impl From<PursuitError> for Failure {
    fn from(error: PursuitError) -> Self {
        match error {
            PursuitError::NoEngine { .. } => Failure::BadInput(error.into()),
            PursuitError::Store(error) => error.into(),
        }
    }
}

fn print(options: &Options, row: i64, finding: &Finding) -> Result<(), Failure> {
    let (state, steps) = (FindingState::of(finding), finding.minimal.trace.len());
    if options.json {
        let (hits, tries) = finding.confirmation.counts();
        return print_json(&json!({
            "finding": row,
            "id": finding.id,
            "hits": hits,
            "tries": tries,
            "finished": finding.finished,
            "minimal_steps": steps,
            "steps": finding.witness.trace.len(),
        }));
    }
    print_line(&format!("finding {row} {state}, {steps} steps (was {})", finding.witness.trace.len()))
}

/// Prints a line of progress now and then.
struct Progress {
    row: i64,
    every: Duration,
    /// When a line was last printed.
    printed: Instant,
}

impl PursuitSink for Progress {
    fn wants_progress(&mut self) -> bool {
        self.printed.elapsed() >= self.every
    }

    fn progress(&mut self, stats: &CampaignStats) {
        self.printed = now();
        message(&format!("finding {}: {} events, {}", self.row, stats.reexecuted, stats.task));
    }
}

#[expect(clippy::disallowed_methods, reason = "people want to know that it goes on")]
fn now() -> Instant {
    Instant::now()
}
