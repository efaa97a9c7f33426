//! `taproof minimise FINDING`: goes on with a finding that its campaign could not confirm or minimise within its budget.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use super::campaign::{checked, open_workspace};
use super::devices::look_for_devices;
use super::interrupt::Interrupt;
use super::progress::PROGRESS_EVERY;
use super::{CommandEnd, Failure, Outcome, message, print_json, print_line, workspace_path};
use taproof_core::campaign::{CampaignSink, DeviceSource, Finding, FindingState, FindingVerdict, pursue};
use taproof_core::engine::{CampaignStats, Stop};
use taproof_phone::Apps;
use taproof_results::store::{StoreError, Workspace};
use taproof_session::Phones;

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
    /// The folder with results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let mut workspace = open_workspace(&workspace_path(options.workspace.as_ref()))?;
    let stored = workspace.load_finding(&options.finding)?;
    let campaign = stored.campaign.id;
    if workspace.is_running(campaign) {
        return Err(StoreError::Running { id: campaign }.into());
    }
    let plan = checked(apps, stored.plan)?.plan;
    let name = stored.finding.engine;
    let missing = || Failure::BadInput(anyhow::anyhow!("campaign {campaign} has no engine {name:?}"));
    let place = plan.engines.iter().position(|engine| engine.name() == name).ok_or_else(missing)?;
    let serial: Vec<String> = plan.serial_of(name).map(str::to_owned).into_iter().collect();
    look_for_devices(&serial, &plan.app)?;
    let interrupt = Interrupt::watch();
    let mut phones = Phones::of(apps, &plan, place);
    let asked = interrupt.clone();
    phones.unwanted_when(Arc::new(move || asked.asked()));
    let mut updates = Updates {
        workspace: &mut workspace,
        row: stored.id,
        campaign,
        every: Duration::from_secs(options.progress_seconds),
        printed: now(),
        latest: Arc::new(stored.finding.clone()),
        failed: None,
    };
    let cancelled = || interrupt.asked();
    let result = match stored.finding.finished {
        true => Ok(()),
        false => {
            let sink = (&cancelled as &dyn Fn() -> bool, &mut updates as &mut dyn CampaignSink);
            pursue(&plan, &plan.engines[place], stored.finding, options.events, &mut phones, sink)
        }
    };
    let (finding, failed) = (Arc::clone(&updates.latest), updates.failed.take());
    if let Some(error) = failed {
        return Err(error.into());
    }
    print(options, stored.id, &finding)?;
    Ok(match result {
        Ok(()) if FindingState::of(&finding).verdict() == FindingVerdict::Confirmed => CommandEnd::Fine,
        Ok(()) => CommandEnd::Found,
        Err(Stop::Device(error)) => return Err(error.into()),
        Err(Stop::Cancelled | Stop::BudgetSpent | Stop::TestOver) => CommandEnd::EndedEarly,
    })
}

fn print(options: &Options, row: i64, finding: &Finding) -> Result<(), Failure> {
    let (state, steps) = (FindingState::of(finding), finding.minimal.trace.len());
    if options.json {
        return print_json(&json!({
            "finding": row,
            "id": finding.id,
            "hits": state.hits,
            "tries": state.tries,
            "finished": finding.finished,
            "minimal_steps": steps,
            "steps": finding.witness.trace.len(),
        }));
    }
    print_line(&format!("finding {row} {state}, {steps} steps (was {})", finding.witness.trace.len()))
}

/// Writes what becomes known of the finding to its row.
struct Updates<'w> {
    workspace: &'w mut Workspace,
    row: i64,
    campaign: i64,
    every: Duration,
    /// When a line of progress was last printed.
    printed: Instant,
    latest: Arc<Finding>,
    /// Why an update could not be written.
    failed: Option<StoreError>,
}

impl CampaignSink for Updates<'_> {
    fn wants_progress(&mut self) -> bool {
        self.printed.elapsed() >= self.every
    }

    fn progress(&mut self, stats: &CampaignStats) {
        self.printed = now();
        message(&format!("finding {}: {} events, {}", self.row, stats.reexecuted, stats.task));
    }

    fn finding(&mut self, finding: Arc<Finding>) {
        if let Err(error) = self.workspace.update_finding(self.campaign, &finding) {
            self.failed.get_or_insert(error);
        }
        self.latest = finding;
    }
}

#[expect(clippy::disallowed_methods, reason = "people want to know that it goes on")]
fn now() -> Instant {
    Instant::now()
}
