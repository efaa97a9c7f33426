//! The loop: rounds until an end reason. Written once, for every engine.

use std::sync::Arc;
use std::time::Duration;

use super::checkpoint::{CheckpointParts, bring_back};
use super::confirm::{Confirmer, ViolatedTest};
use super::{CampaignPlan, Checkpoint, DeviceSource, Finding, InitialisedPhones, Oracles, Resumption, Rig};
use crate::determinism::{DeviceInstant, Rng};
use crate::device::{Device, DeviceError, Garbled, LinkFault};
use crate::engine::{
    CheckpointError, Engine, EngineConfig, EngineStats, JudgedTest, Ledger, Round, RoundCtx, RoundDoor,
    RoundWatcher, Stop,
};
use crate::model::ReuseModel;
use crate::oracle::may_belief::{Suspect, TestPool};
use crate::worker::{CancelToken, PanicReport};

/// Events between two progress reports.
const PROGRESS_EVERY: u64 = 500;
/// Events between two words of the engine about itself.
const SAY_EVERY: u64 = 1000;
/// Rounds in a row without an event after which there is nothing left to do: the app dies as it starts.
const BARREN_ROUNDS: u32 = 20;

/// Rounds in a row without an event after which a device is given up that came back each time, or showed nothing.
const FAILURES_IN_VAIN: u32 = 10;

/// The same of rounds that garbled answers ended, and how often in a row opening the device may fail by such.
const GARBLED_IN_VAIN: u32 = 20;

/// How often a device that went away is looked for.
const LOOK_FOR_DEVICE: Duration = Duration::from_millis(500);
/// A cable that only trembled is there again at once.
const SOON: Duration = Duration::from_millis(20);

/// Why a campaign ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// The engine has done all that it can do.
    Exhausted,
    /// The budget is spent.
    BudgetSpent,
    /// Somebody asked for it.
    Cancelled,
    /// The device failed.
    DeviceFailed(DeviceError),
    /// What it was to go on from cannot be used.
    BadCheckpoint(CheckpointError),
    /// What it did could not be written down; only who writes can say so.
    NotWritten(String),
    /// The process was killed; only a later start can say so.
    Interrupted,
    /// A mistake of ours; only the worker can say so.
    Bug(PanicReport),
}

impl EndReason {
    /// The word that commands and files use.
    pub fn word(&self) -> &'static str {
        match self {
            EndReason::Exhausted => "exhausted",
            EndReason::BudgetSpent => "budget",
            EndReason::Cancelled => "cancelled",
            EndReason::DeviceFailed(_) => "device",
            EndReason::BadCheckpoint(_) => "checkpoint",
            EndReason::NotWritten(_) => "failed",
            EndReason::Interrupted => "interrupted",
            EndReason::Bug(_) => "bug",
        }
    }

    /// What went wrong, where something did.
    pub fn trouble(&self) -> Option<String> {
        match self {
            EndReason::Exhausted | EndReason::BudgetSpent | EndReason::Cancelled | EndReason::Interrupted => {
                None
            }
            EndReason::DeviceFailed(error) => Some(error.to_string()),
            EndReason::BadCheckpoint(error) => Some(error.to_string()),
            EndReason::NotWritten(problem) => Some(problem.clone()),
            EndReason::Bug(report) => Some(report.message.clone()),
        }
    }

    /// The higher the less is known of what would have been found.
    pub fn badness(&self) -> u8 {
        match self {
            EndReason::Exhausted => 0,
            EndReason::BudgetSpent => 1,
            EndReason::Cancelled => 2,
            EndReason::Interrupted => 3,
            EndReason::DeviceFailed(_) => 4,
            EndReason::BadCheckpoint(_) => 5,
            EndReason::NotWritten(_) => 6,
            EndReason::Bug(_) => 7,
        }
    }
}

/// Something that people should know, though the campaign goes on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CampaignWarning {
    /// A violation could not be confirmed.
    #[error("{title:?} could not be re-executed: {error}")]
    NotConfirmed {
        /// What was violated.
        title: String,
        /// What the device said.
        error: DeviceError,
    },
    /// The device went away; the campaign waits for it.
    #[error("the device is away, and the campaign waits until it is back: {0}")]
    DeviceLost(DeviceError),
    /// The device cannot do an event; tests end there.
    #[error("{0}. Tests that want this end there; exploring leaves it out")]
    Refused(DeviceError),
    /// An answer of the device came garbled.
    #[error(
        "an answer of the device came garbled: {0}. It is asked for again or its test ends unjudged, and so is every \
         other; the summary counts them"
    )]
    Garbled(DeviceError),
    /// The device is back; the campaign goes on with another test.
    #[error("The device is back. The campaign goes on")]
    DeviceBack,
    /// It could not be kept where the campaign stands.
    #[error("where the campaign stands was not kept: {0}")]
    NoCheckpoint(CheckpointError),
}

/// Hears of a campaign while it runs. The must-arrive calls may block; `progress` must not.
pub trait CampaignSink {
    /// It has a device and begins.
    fn started(&mut self) {}
    /// What was counted so far. Cheap and frequent.
    fn progress(&mut self, _ledger: &Ledger) {}
    /// What the engine says of itself, now and then between rounds.
    fn engine_says(&mut self, _stats: EngineStats) {}
    /// Whether what is known now is to be kept; asked between rounds.
    fn wants_checkpoint(&mut self) -> bool {
        false
    }
    /// What was asked for. Whatever was told before belongs to it.
    fn checkpoint(&mut self, _checkpoint: Checkpoint) {}
    /// Something new was found.
    fn finding(&mut self, finding: Arc<Finding>);
    /// Something that people should know.
    fn warning(&mut self, _warning: CampaignWarning) {}
    /// It is over.
    fn ended(&mut self, _report: &CampaignReport) {}
}

/// What one engine of a campaign did.
#[derive(Clone)]
pub struct CampaignReport {
    /// Why it ended.
    pub end: EndReason,
    /// What was counted.
    pub ledger: Ledger,
    /// What the engine says of itself.
    pub engine: EngineStats,
    /// What was found, in the order of finding.
    pub findings: Vec<FindingCount>,
    /// What later campaigns with the app can begin with.
    pub learned: Option<ReuseModel>,
}

/// A finding, and how often its origin was violated in the whole campaign.
#[derive(Clone)]
pub struct FindingCount {
    /// The finding, as it was told.
    pub finding: Arc<Finding>,
    /// Violations of its origin.
    pub count: u64,
}

/// Runs one engine of a plan that was checked. Everything happens on the caller's thread; engines that run side by
/// side are as many calls on as many threads, each with a source of devices of its own.
pub fn run(
    plan: &CampaignPlan,
    engine: &EngineConfig,
    source: &mut dyn DeviceSource,
    cancel: &CancelToken,
    sink: &mut dyn CampaignSink,
) -> CampaignReport {
    run_from(plan, engine, None, source, cancel, sink)
}

/// The same, going on where the engine stood at a checkpoint.
pub fn run_from(
    plan: &CampaignPlan,
    engine: &EngineConfig,
    from: Option<Resumption>,
    source: &mut dyn DeviceSource,
    cancel: &CancelToken,
    sink: &mut dyn CampaignSink,
) -> CampaignReport {
    let settings = engine.settings();
    let setting = plan.setting(engine);
    let cancelled = || cancel.cancelled();
    let token = cancel.clone();
    let source = &mut InitialisedPhones::new(source, &plan.app, plan.initialiser.as_ref());
    source.unwanted_when(Arc::new(move || token.asked_to_stop()));
    let rig = Rig { setting: &setting, policy: settings.run_policy(), cancelled: &cancelled };
    let mut campaign = Campaign {
        plan,
        config: engine,
        engine: settings.build(&setting),
        rig,
        confirmer: Confirmer::new(plan, engine.name(), rig, source.switchable_bugs()),
        sink,
        source,
        cancel,
        findings: Vec::new(),
        pool: (plan.oracles == Oracles::All && !settings.compares_outcomes()).then(TestPool::default),
        place: Place::default(),
        refused: false,
        garbled: 0,
    };
    campaign.garbled = campaign.garbled_so_far();
    let mut ledger = Ledger::new(&setting, plan.limits(settings.budget_shares(&setting)));
    let end = match campaign.go_on(from, &mut ledger) {
        Ok(()) => {
            let end = campaign.rounds(&mut ledger).unwrap_or_else(|error| match error {
                // Whoever cancelled it ended a command of the device in the middle.
                DeviceError::Link { fault: LinkFault::Cancelled, .. } if cancel.asked_to_stop() => {
                    EndReason::Cancelled
                }
                error => EndReason::DeviceFailed(error),
            });
            let end = campaign.last_look(end, &ledger);
            campaign.count_garbled(&mut ledger);
            end
        }
        Err(error) => EndReason::BadCheckpoint(error),
    };
    let report = campaign.report(end, ledger);
    sink.ended(&report);
    report
}

/// Where a campaign is between two rounds.
#[derive(Clone, Copy, Default)]
struct Place {
    round: u64,
    /// Rounds in a row without an event.
    barren: u32,
    /// The device's clock, where the campaign goes on from a checkpoint.
    now: Option<DeviceInstant>,
}

struct Campaign<'c> {
    plan: &'c CampaignPlan,
    config: &'c EngineConfig,
    engine: Box<dyn Engine>,
    rig: Rig<'c>,
    confirmer: Confirmer<'c>,
    sink: &'c mut dyn CampaignSink,
    source: &'c mut dyn DeviceSource,
    cancel: &'c CancelToken,
    findings: Vec<FindingCount>,
    /// The tests that ODIN's oracle is still to look at, where the engine does not ask it itself.
    pool: Option<TestPool>,
    place: Place,
    /// It was told that the device refuses events.
    refused: bool,
    /// Garbled answers of the source that were counted, or are of an earlier campaign.
    garbled: u64,
}

impl Campaign<'_> {
    fn go_on(&mut self, from: Option<Resumption>, ledger: &mut Ledger) -> Result<(), CheckpointError> {
        let Some(Resumption { checkpoint, findings }) = from else { return Ok(()) };
        self.engine.load(&checkpoint.engine)?;
        self.confirmer.recall(checkpoint.known);
        *ledger = checkpoint.ledger;
        self.pool = checkpoint.pool;
        self.place = Place { round: checkpoint.round, barren: checkpoint.barren, now: Some(checkpoint.now) };
        let counted = |finding: Arc<Finding>| FindingCount { count: finding.count, finding };
        self.findings = findings.into_iter().map(counted).collect();
        Ok(())
    }

    fn checkpoint(&self, device: &dyn Device, ledger: &Ledger) -> Result<Checkpoint, CheckpointError> {
        let parts = CheckpointParts {
            round: self.place.round,
            barren: self.place.barren,
            now: device.now(),
            ledger,
            engine: self.engine.save()?,
            known: self.confirmer.known(),
            pool: self.pool.as_ref(),
        };
        Ok(Checkpoint::new(self.plan, self.config, parts))
    }

    fn rounds(&mut self, ledger: &mut Ledger) -> Result<EndReason, DeviceError> {
        let mut device = match self.source.fresh(&[]) {
            Err(error) if error.garbled() => match self.regain(error)? {
                Some(device) => device,
                None => return Ok(EndReason::Cancelled),
            },
            opened => opened?,
        };
        if let Some(now) = self.place.now {
            bring_back(&mut *device, &self.plan.app, now, self.engine.saved_states())?;
        }
        self.sink.started();
        let rng = Rng::from_seed(self.plan.seed);
        let mut said = 0;
        loop {
            let before = ledger.events;
            let pooling = self.pool.as_mut().is_some_and(|pool| pool.wants(before));
            let rng = rng.fork_indexed("round", self.place.round);
            let (result, tests) = self.round(&mut *device, ledger, rng, pooling);
            ledger.round_ended();
            // Confirming takes a while; what the round did can be seen meanwhile.
            self.sink.progress(ledger);
            if ledger.events / SAY_EVERY > said {
                said = ledger.events / SAY_EVERY;
                self.sink.engine_says(self.engine.stats());
            }
            let confirmed = tests.iter().try_for_each(|test| self.confirm(test, ledger.events));
            let pooled = if pooling { &tests[..] } else { &[] };
            let confirmed = confirmed.and_then(|()| self.look_for_minorities(pooled, ledger));
            self.count_garbled(ledger);
            self.place.round += 1;
            self.place.barren = if ledger.events == before { self.place.barren + 1 } else { 0 };
            match (result, confirmed) {
                (Err(Stop::Device(error)), _) if self.place.barren >= in_vain(&error) => {
                    self.source.lost(&error);
                    return Err(error);
                }
                // The next test begins anew, and may see more.
                (Err(Stop::Device(error @ DeviceError::NoLayout { .. })), _) => self.refused(&error),
                (Err(Stop::Device(error)), _) => match self.regain(error)? {
                    Some(again) => device = again,
                    None => return Ok(EndReason::Cancelled),
                },
                (Err(Stop::Cancelled), _) | (_, Err(Stop::Cancelled)) => return Ok(EndReason::Cancelled),
                (Err(Stop::BudgetSpent), _) => return Ok(EndReason::BudgetSpent),
                (Ok(Round::Exhausted), _) => return Ok(EndReason::Exhausted),
                (Ok(Round::Continue) | Err(Stop::TestOver), _) if self.place.barren >= BARREN_ROUNDS => {
                    return Ok(EndReason::Exhausted);
                }
                (Ok(Round::Continue) | Err(Stop::TestOver), _) => {}
            }
            // Making one takes a while, and of one that was cancelled nobody goes on.
            if self.sink.wants_checkpoint() && !(self.rig.cancelled)() {
                match self.checkpoint(&*device, ledger) {
                    Ok(checkpoint) => self.sink.checkpoint(checkpoint),
                    Err(error) => self.sink.warning(CampaignWarning::NoCheckpoint(error)),
                }
            }
        }
    }

    /// One round of the engine, and the tests in it; with `pooling` all of them, else those that violate something.
    fn round(
        &mut self,
        device: &mut dyn Device,
        ledger: &mut Ledger,
        rng: Rng,
        pooling: bool,
    ) -> (Result<Round, Stop>, Vec<JudgedTest>) {
        let mut watcher = ProgressWatcher { sink: &mut *self.sink, refused: &mut self.refused };
        let (setting, cancelled) = (self.rig.setting, self.rig.cancelled);
        let door = RoundDoor { device, setting, ledger, watcher: &mut watcher, cancelled };
        let mut ctx = match RoundCtx::new(door, rng) {
            Ok(ctx) => ctx,
            Err(error) => return (Err(Stop::Device(error)), Vec::new()),
        };
        if self.plan.oracles == Oracles::All && !self.config.settings().guards_data() {
            ctx = ctx.recognising();
        }
        if pooling {
            ctx = ctx.keeping_all();
        }
        (self.engine.round(&mut ctx), ctx.finish())
    }

    /// What is left in the pool is looked at before a campaign that came to its end is over.
    fn last_look(&mut self, end: EndReason, ledger: &Ledger) -> EndReason {
        let whole = matches!(end, EndReason::BudgetSpent | EndReason::Exhausted);
        if whole && self.look_at_pool(ledger) == Err(Stop::Cancelled) { EndReason::Cancelled } else { end }
    }

    fn look_for_minorities(&mut self, tests: &[JudgedTest], ledger: &Ledger) -> Result<(), Stop> {
        let Some(pool) = &mut self.pool else { return Ok(()) };
        tests.iter().for_each(|test| pool.add(&test.trace, &self.plan.app));
        if pool.due() { self.look_at_pool(ledger) } else { Ok(()) }
    }

    fn look_at_pool(&mut self, ledger: &Ledger) -> Result<(), Stop> {
        let Some(mut pool) = self.pool.take() else { return Ok(()) };
        let wanted = || !(self.rig.cancelled)();
        let suspects = pool.look(&self.plan.app, ledger.events, &wanted);
        let looked =
            suspects.iter().try_for_each(|suspect| self.confirm_minority(suspect, &mut pool, ledger));
        self.pool = Some(pool);
        if wanted() { looked } else { Err(Stop::Cancelled) }
    }

    fn confirm_minority(
        &mut self,
        suspect: &Suspect,
        pool: &mut TestPool,
        ledger: &Ledger,
    ) -> Result<(), Stop> {
        if pool.is_told(suspect) {
            return Ok(());
        }
        let mut findings = Vec::new();
        let result = self.confirmer.look_at_minority(suspect, ledger, self.source, &mut findings);
        if result == Ok(true) {
            pool.tell(suspect);
        }
        self.tell(findings);
        self.forgive(result.map(|_| ()), &suspect.rule.violation.title)
    }

    fn tell(&mut self, findings: Vec<Finding>) {
        for finding in findings {
            let finding = Arc::new(finding);
            self.findings.push(FindingCount { finding: Arc::clone(&finding), count: finding.count });
            self.sink.finding(finding);
        }
    }

    /// Where confirming failed, not the campaign did: its own device may be as good as before.
    fn forgive(&mut self, result: Result<(), Stop>, title: &str) -> Result<(), Stop> {
        match result {
            Err(Stop::Device(error)) if self.source.lost(&error) => {
                match self.wait_for_device(error).map_err(Stop::Device)? {
                    Some(_) => Ok(()),
                    None => Err(Stop::Cancelled),
                }
            }
            Err(Stop::Device(error)) => {
                self.sink.warning(CampaignWarning::NotConfirmed { title: title.to_owned(), error });
                Ok(())
            }
            result => result,
        }
    }

    /// The device did not do something, or did not show what came of it. Once is enough to know it.
    fn refused(&mut self, error: &DeviceError) {
        ProgressWatcher { sink: &mut *self.sink, refused: &mut self.refused }.refused(error);
    }

    /// Waits for a device that may come back; `None` if the campaign was cancelled meanwhile.
    fn regain(&mut self, lost: DeviceError) -> Result<Option<Box<dyn Device>>, DeviceError> {
        if self.source.lost(&lost) { self.wait_for_device(lost) } else { Err(lost) }
    }

    /// A device that is there and was only not understood is opened anew without a word, but not for ever.
    fn wait_for_device(&mut self, lost: DeviceError) -> Result<Option<Box<dyn Device>>, DeviceError> {
        let (mut error, mut wait) = (lost, SOON);
        let (mut away, mut garbled) = (false, 0);
        loop {
            if error.garbled() {
                garbled += 1;
                if garbled > GARBLED_IN_VAIN {
                    return Err(error);
                }
            } else if !std::mem::replace(&mut away, true) {
                self.sink.warning(CampaignWarning::DeviceLost(error));
            }
            if self.cancel.stopped_within(wait) {
                return Ok(None);
            }
            wait = (wait * 2).min(LOOK_FOR_DEVICE);
            match self.source.fresh(&[]) {
                Ok(device) => {
                    if away {
                        self.sink.warning(CampaignWarning::DeviceBack);
                    }
                    return Ok(Some(device));
                }
                Err(again) if self.source.lost(&again) => error = again,
                Err(again) => return Err(again),
            }
        }
    }

    fn garbled_so_far(&self) -> u64 {
        self.source.garbled().map_or(0, |garbled| garbled.answers)
    }

    /// Takes over what the source counted, and says it when it is the first.
    fn count_garbled(&mut self, ledger: &mut Ledger) {
        let Some(Garbled { answers, first }) = self.source.garbled() else { return };
        if answers > self.garbled && ledger.garbled == 0 {
            self.sink.warning(CampaignWarning::Garbled(first));
        }
        ledger.garbled += answers - self.garbled;
        self.garbled = answers;
    }

    fn report(mut self, end: EndReason, ledger: Ledger) -> CampaignReport {
        for found in &mut self.findings {
            found.count = self.confirmer.count(&found.finding.origin);
        }
        let learned = self.engine.learned(&self.plan.app);
        CampaignReport { end, ledger, engine: self.engine.stats(), findings: self.findings, learned }
    }

    /// Findings are told as soon as they are known, not when the campaign is over.
    fn confirm(&mut self, test: &JudgedTest, events: u64) -> Result<(), Stop> {
        let Some(first) = test.reported.first() else { return Ok(()) };
        let mut findings = Vec::new();
        let violated = ViolatedTest { trace: &test.trace, reported: &test.reported, events };
        let result = self.confirmer.look_at(&violated, self.source, &mut findings);
        self.tell(findings);
        self.forgive(result, &first.violation.title)
    }
}

/// How many rounds in a row without an event such an error may end.
fn in_vain(error: &DeviceError) -> u32 {
    if error.garbled() { GARBLED_IN_VAIN } else { FAILURES_IN_VAIN }
}

struct ProgressWatcher<'s> {
    sink: &'s mut dyn CampaignSink,
    refused: &'s mut bool,
}

impl RoundWatcher for ProgressWatcher<'_> {
    /// Once is enough to know it.
    fn refused(&mut self, error: &DeviceError) {
        if !std::mem::replace(self.refused, true) {
            self.sink.warning(CampaignWarning::Refused(error.clone()));
        }
    }

    fn frame(&mut self, _device: &mut dyn Device, ledger: &Ledger) -> Result<(), DeviceError> {
        if ledger.events.is_multiple_of(PROGRESS_EVERY) {
            self.sink.progress(ledger);
        }
        Ok(())
    }
}
