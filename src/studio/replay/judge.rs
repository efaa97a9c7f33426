//! Judges on a separate thread and a fresh phone whether a finding came back in a re-execution.

use std::sync::Arc;

use crossbeam_channel::{Receiver, bounded};

use crate::phone::Judgement;
use taproof_core::campaign::{Build, CampaignPlan, DeviceChoice, DeviceSource, Finding, JudgedOutcome};
use taproof_core::engine::Stop;
use taproof_core::worker::{self, CancelToken, PanicReport, Worker};
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

/// The judgement, with the number of the order that the re-execution began with.
pub(crate) type Judged = (u64, Judgement);

/// Handle of the thread. Dropping it cancels the judging and waits for the thread.
pub(crate) struct JudgeWorker {
    end: Receiver<Judged>,
    thread: Worker,
}

impl JudgeWorker {
    pub fn start(
        judging: Judging,
        apps: Apps,
        wake: impl Fn() + Send + Clone + 'static,
    ) -> std::io::Result<JudgeWorker> {
        let (token, order) = (CancelToken::new(), judging.order);
        let (sender, end) = bounded(1);
        let (panicked, woken) = (sender.clone(), wake.clone());
        let cancel = token.clone();
        let work = move || {
            if sender.send((order, judge(judging, &apps, cancel))).is_ok() {
                wake();
            }
        };
        let on_panic = move |report: PanicReport| {
            let why = format!("a mistake of Taproof\u{2019}s own ended it: {}", report.message);
            if panicked.send((order, Judgement::NotJudged(why))).is_ok() {
                woken();
            }
        };
        let thread = worker::spawn("judge", &token, work, on_panic)?;
        Ok(JudgeWorker { end, thread })
    }

    /// Returns the judgement, once.
    pub fn news(&self) -> Option<Judged> {
        self.end.try_recv().ok()
    }

    /// Returns the thread.
    pub fn retire(self) -> Worker {
        self.thread
    }
}

fn judge(judging: Judging, apps: &Apps, cancel: CancelToken) -> Judgement {
    let Judging { plan, finding, build, command, .. } = judging;
    let phones = Phones::on(apps, (&plan.app, &build), &DeviceChoice::Bundled, 0);
    let mut phones = phones.running_before_tests(command);
    let unwanted = Arc::new(move || cancel.cancelled());
    phones.unwanted_when(unwanted.clone());
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
