//! Judges beside the window and on a fresh phone whether a finding came back in a re-execution.

use std::sync::Arc;

use crate::phone::Judgement;
use taproof_campaign::{CampaignPlan, DeviceChoice, Finding, JudgedOutcome};
use taproof_engine::Stop;
use taproof_engine::device::{Build, DeviceSource};
use taproof_engine::worker::CancelToken;
use taproof_phone::Apps;
use taproof_session::{Phones, ReplayedFinding, replay_finding};

/// A finding to be judged on the bundled phone.
pub(crate) struct Judging {
    /// The number of the order that the re-execution began with.
    pub order: u64,
    /// The plan of the finding's campaign.
    pub plan: Arc<CampaignPlan>,
    /// The finding. Its minimal trace is judged.
    pub finding: Arc<Finding>,
    /// The bugs of the app on the phone.
    pub build: Build,
    /// The command of the host before the test.
    pub command: Option<String>,
}

/// Judges whether a finding came back.
pub(crate) fn judge(judging: Judging, apps: &Apps, cancel: &CancelToken) -> Judgement {
    let Judging { plan, finding, build, command, .. } = judging;
    let phones = Phones::on(apps, (&plan.app, &build), &DeviceChoice::Bundled, 0);
    let mut phones = phones.running_before_tests(command);
    let unwanted = cancel.unwanted();
    phones.unwanted_when(Arc::clone(&unwanted));
    match replay_finding((&plan, &finding), None, &mut phones, &*unwanted) {
        Ok(replayed) => judgement(&replayed),
        Err(Stop::Device(error)) => Judgement::NotJudged(error.to_string()),
        Err(Stop::Cancelled | Stop::BudgetSpent | Stop::TestOver) => {
            Judgement::NotJudged("it was stopped".to_owned())
        }
    }
}

fn judgement(replayed: &ReplayedFinding) -> Judgement {
    let of_times = match replayed.times {
        1 => String::new(),
        times => format!(" (in {} of {times} re-executions)", replayed.hits),
    };
    let reason = replayed.retraced.judged.iter().find_map(|judged| match &judged.outcome {
        JudgedOutcome::Held => None,
        JudgedOutcome::Broken(why) | JudgedOutcome::NotJudged(why) => Some(format!("{why}{of_times}")),
    });
    let reason = reason.unwrap_or_default();
    match replayed.reproduced() {
        Some(true) => Judgement::CameBack(reason),
        Some(false) => Judgement::DidNot,
        None => Judgement::NotJudged(reason),
    }
}
