//! Goes on with a finding of a campaign that has ended.

use super::Confirmer;
use super::confirm_ctx::{Allowance, ConfirmCtx};
use crate::{CampaignPlan, CampaignSink, Finding, InitialisedDevices, Rig};
use taproof_engine::device::DeviceSource;
use taproof_engine::{CampaignStats, EngineConfig, Stop};

/// Confirms and minimises a finding of a campaign that has ended, from where that left off. `limit` is the maximum number
/// of re-executed events, if there is one. Whatever becomes known is reported to `sink` at once, as in a campaign.
///
/// # Errors
///
/// [`Stop::Cancelled`] if `cancelled` returns true, [`Stop::Device`] if the device fails.
pub fn pursue(
    plan: &CampaignPlan,
    engine: &EngineConfig,
    finding: Finding,
    limit: Option<u64>,
    source: &mut dyn DeviceSource,
    (cancelled, sink): (&dyn Fn() -> bool, &mut dyn CampaignSink),
) -> Result<(), Stop> {
    let settings = engine.settings();
    let target = plan.target(settings);
    let source = &mut InitialisedDevices::new(source, &plan.app, plan.initialiser.as_ref());
    let rig = Rig { target: &target, policy: settings.run_policy(), guarded: false, cancelled };
    let mut confirmer = Confirmer::new(plan, settings.name(), rig, source.switchable_bugs());
    let mut stats = CampaignStats::new(&target, plan.limits((Some(engine), settings), &target));
    let mut ctx = ConfirmCtx {
        source,
        stats: &mut stats,
        sink,
        findings: &mut Vec::new(),
        allowance: Allowance { limit, last: true },
    };
    confirmer.pursue(finding, &mut ctx)
}
