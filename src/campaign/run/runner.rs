//! The main loop of a campaign, shared by all engines: runs rounds until there is a reason to end.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::checkpoint::{CheckpointParts, bring_back, hash_of};
use super::watcher::{CampaignWatcher, Noted};
use crate::confirm::confirm_ctx::{Allowance, ConfirmCtx};
use crate::confirm::{Confirmer, Disagreement};
use crate::{
    CampaignPlan, CampaignReport, CampaignSink, CampaignWarning, EndReason, Finding, FindingCount,
    InitialisedDevices, Oracles, OwnParts, Resumption, Rig, SavedCheckpoint,
};
use taproof_engine::device::{
    AppId, Device, DeviceError, DeviceSource, DeviceWarning, DeviceWarnings, Garbled, LinkFault,
};
use taproof_engine::oracle::agreement::{AgreementCounts, Agreements};
use taproof_engine::oracle::may_belief::{Suspect, TestPool};
use taproof_engine::worker::CancelToken;
use taproof_engine::{
    CampaignStats, CheckpointError, Count, Engine, EngineConfig, EngineStats, JudgedTest, Round, RoundCtx,
    RoundDoor, Stop, Task, TestTarget,
};
use taproof_screen::determinism::{DeviceInstant, Rng};

/// Number of events between two reports of the engine's own statistics.
const SAY_EVERY: u64 = 1000;
/// Disagreements have such a part of the re-executions of findings, beside them.
const APART: u64 = 8;
/// Number of consecutive rounds without an event after which the campaign ends: the app dies as it starts.
const BARREN_ROUNDS: u32 = 20;
/// Number of consecutive rounds without an event after which the campaign gives up a device that fails each time.
const FAILURES_IN_VAIN: u32 = 10;

/// As [`FAILURES_IN_VAIN`], for rounds that end by a garbled answer. Also the number of garbled answers after which
/// opening the device is given up.
const GARBLED_IN_VAIN: u32 = 20;

/// Longest interval between two attempts to reach a device that went away.
const LOOK_FOR_DEVICE: Duration = Duration::from_millis(500);
/// First interval of these, for a cable that lost contact only for a moment; doubled after each attempt.
const SOON: Duration = Duration::from_millis(20);

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

/// As [`run`], but resumes the engine from a checkpoint if there is one.
pub fn run_from(
    plan: &CampaignPlan,
    engine: &EngineConfig,
    from: Option<Resumption>,
    source: &mut dyn DeviceSource,
    cancel: &CancelToken,
    sink: &mut dyn CampaignSink,
) -> CampaignReport {
    let parts = OwnParts { engine: engine.settings(), oracles: &[] };
    run_parts(plan, (parts, Some(engine)), from, source, cancel, sink)
}

/// Runs a plan that was checked with parts of one's own. It makes no checkpoints: a plan that is read from a file cannot
/// name the parts that it would go on with.
pub fn run_own(
    plan: &CampaignPlan,
    parts: OwnParts<'_>,
    source: &mut dyn DeviceSource,
    cancel: &CancelToken,
    sink: &mut dyn CampaignSink,
) -> CampaignReport {
    run_parts(plan, (parts, None), None, source, cancel, sink)
}

/// `config`: the engine as the plan says it, where it does.
fn run_parts(
    plan: &CampaignPlan,
    (parts, config): (OwnParts<'_>, Option<&EngineConfig>),
    from: Option<Resumption>,
    source: &mut dyn DeviceSource,
    cancel: &CancelToken,
    sink: &mut dyn CampaignSink,
) -> CampaignReport {
    let settings = parts.engine;
    let target = TestTarget { oracles: parts.oracles.to_vec(), ..plan.target(settings) };
    let cancelled = || cancel.cancelled();
    let source = &mut InitialisedDevices::new(source, &plan.app, plan.initialiser.as_ref());
    source.unwanted_when(cancel.unwanted());
    let garbled = source.garbled().map_or(0, |garbled| garbled.answers);
    let rig = Rig { target: &target, policy: settings.run_policy(), guarded: false, cancelled: &cancelled };
    let mut campaign = Campaign {
        plan,
        config,
        engine: settings.build(&target),
        rig,
        confirmer: Confirmer::new(plan, settings.name(), rig, source.switchable_bugs()),
        sink,
        source,
        cancel,
        findings: Vec::new(),
        later: Vec::new(),
        pool: (plan.oracles == Oracles::All && !settings.judges_outcomes()).then(TestPool::default),
        place: RoundPosition::default(),
        declared: Vec::new(),
        noted: Noted::default(),
        garbled,
        device_problems: DeviceWarnings::default(),
    };
    let mut stats = CampaignStats::new(&target, plan.limits((config, settings), &target));
    stats.agreements = (plan.oracles == Oracles::All).then(Agreements::default);
    let end = match campaign.go_on(from, &mut stats) {
        Ok(()) => {
            let end = campaign.rounds(&mut stats).unwrap_or_else(|error| match error {
                // The cancellation interrupted a command of the device.
                DeviceError::Link { fault: LinkFault::Cancelled, .. } if cancel.asked_to_stop() => {
                    EndReason::Cancelled
                }
                error => EndReason::DeviceFailed(error),
            });
            let end = campaign.last_look(end, &mut stats);
            campaign.count_garbled(&mut stats);
            campaign.total_device_problems();
            end
        }
        Err(error) => EndReason::BadCheckpoint(error),
    };
    campaign.pass_events_on();
    let report = campaign.report(end, stats);
    sink.ended(&report);
    report
}

/// What of the budget for re-executions may be used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    /// For what was not seen before: all of it, or half as long as other findings wait, so that these come to an end
    /// however much else is found.
    New,
    /// For findings that had to wait, and for minorities, which are rare.
    Waiting,
    /// For disagreements, of which few are faults: a part of what is for findings, beside it.
    Apart,
    /// All that is left, since the campaign performs no more events of its own.
    Last,
}

/// The position of a campaign between two rounds.
#[derive(Clone, Copy, Default)]
struct RoundPosition {
    round: u64,
    /// Number of consecutive rounds without an event.
    barren: u32,
    /// The device's clock to resume with; `None` if the campaign does not resume from a checkpoint.
    now: Option<DeviceInstant>,
}

struct Campaign<'c> {
    plan: &'c CampaignPlan,
    /// The engine's entry in the plan; `None` if the plan has none.
    config: Option<&'c EngineConfig>,
    engine: Box<dyn Engine>,
    rig: Rig<'c>,
    confirmer: Confirmer<'c>,
    sink: &'c mut dyn CampaignSink,
    source: &'c mut dyn DeviceSource,
    cancel: &'c CancelToken,
    findings: Vec<Arc<Finding>>,
    /// Findings that were reported after the checkpoint that the campaign resumes from. It reports those that it sees
    /// again; the others are left as they are until its end.
    later: Vec<Arc<Finding>>,
    /// The tests that ODIN's oracle has still to examine; `None` if it is not asked, or the engine asks it itself.
    pool: Option<TestPool>,
    place: RoundPosition,
    /// The activities in the app's manifest; empty if that was not read.
    declared: Vec<String>,
    noted: Noted,
    /// Number of garbled answers of the source that are already counted or occurred in an earlier campaign.
    garbled: u64,
    /// The problems of the device's layouts so far.
    device_problems: DeviceWarnings,
}

impl Campaign<'_> {
    fn go_on(&mut self, from: Option<Resumption>, stats: &mut CampaignStats) -> Result<(), CheckpointError> {
        let Some(Resumption { checkpoint, findings, .. }) = from else { return Ok(()) };
        self.engine.load(&checkpoint.engine)?;
        self.confirmer.recall(checkpoint.known);
        *stats = checkpoint.stats;
        self.pool = checkpoint.pool;
        self.place =
            RoundPosition { round: checkpoint.round, barren: checkpoint.barren, now: Some(checkpoint.now) };
        let known = stats.events;
        let (earlier, later): (Vec<_>, Vec<_>) =
            findings.into_iter().partition(|finding| finding.first.event <= known);
        self.later = later;
        self.findings = earlier;
        Ok(())
    }

    fn checkpoint(
        &self,
        device: &dyn Device,
        stats: &CampaignStats,
    ) -> Result<SavedCheckpoint, CheckpointError> {
        let Some(config) = self.config else {
            let problem = "its plan does not say which engine and oracles it runs".to_owned();
            return Err(CheckpointError::Unusable { problem });
        };
        let engine = self.engine.save()?;
        SavedCheckpoint::of(&CheckpointParts {
            plan: hash_of(self.plan, config),
            round: self.place.round,
            barren: self.place.barren,
            now: device.now(),
            stats,
            known: self.confirmer.known(),
            pool: self.pool.as_ref(),
            engine: &engine,
        })
    }

    fn pass_events_on(&mut self) {
        let events = self.noted.events.take();
        if !events.is_empty() {
            self.sink.events(events);
        }
    }

    /// Makes known what the campaign does from now on.
    fn begin(&mut self, task: Task, stats: &mut CampaignStats) {
        stats.task = task;
        self.sink.progress(stats);
    }

    fn rounds(&mut self, stats: &mut CampaignStats) -> Result<EndReason, DeviceError> {
        self.begin(Task::Opening, stats);
        let mut device = match self.source.fresh() {
            Err(error) if error.garbled() => match self.regain(error)? {
                Some(device) => device,
                None => return Ok(EndReason::Cancelled),
            },
            opened => opened?,
        };
        if let Some(now) = self.place.now {
            bring_back(&mut *device, &self.plan.app, now, self.engine.saved_states())?;
        }
        self.confirmer.environment = device.environment(&AppId(self.plan.app.clone()))?.map(Arc::new);
        self.sink.started();
        self.begin(Task::Starting, stats);
        let end = self.rounds_on(&mut device, stats)?;
        // One engine's phone has the same app as the others'.
        let first = self.config.is_none() || self.config == self.plan.engines.first();
        if first && matches!(end, EndReason::BudgetSpent | EndReason::Exhausted) {
            match device.app_file(&AppId(self.plan.app.clone())).and_then(|file| Ok(file.activities()?)) {
                Ok(declared) => self.declared = declared,
                Err(DeviceError::Unsupported { .. }) => {}
                Err(error) => self.sink.warning(CampaignWarning::NoManifest(error)),
            }
        }
        Ok(end)
    }

    fn rounds_on(
        &mut self,
        device: &mut Box<dyn Device>,
        stats: &mut CampaignStats,
    ) -> Result<EndReason, DeviceError> {
        let rng = Rng::from_seed(self.plan.seed);
        let mut said = 0;
        loop {
            let before = stats.events;
            let pooling = self.pool.as_mut().is_some_and(|pool| pool.wants(before));
            let rng = rng.fork_indexed("round", self.place.round);
            let (result, tests) = self.round(&mut **device, stats, rng, pooling);
            stats.round_ended();
            // Confirming can take long, so the progress of the round is reported before.
            self.sink.progress(stats);
            if stats.events / SAY_EVERY > said {
                said = stats.events / SAY_EVERY;
                self.sink.engine_says(engine_stats(&*self.engine, stats));
            }
            let confirmed = tests.iter().try_for_each(|test| self.confirm(test, stats));
            let confirmed = confirmed.and_then(|()| self.go_on_with_findings(stats));
            let pooled = if pooling { &tests[..] } else { &[] };
            let confirmed = confirmed.and_then(|()| self.look_for_minorities(pooled, stats));
            let confirmed = confirmed.and_then(|()| self.look_for_disagreements(stats));
            self.count_garbled(stats);
            self.count_device_problems(&mut **device);
            self.place.round += 1;
            self.place.barren = if stats.events == before { self.place.barren + 1 } else { 0 };
            match (result, confirmed) {
                (Err(Stop::Device(error)), _) if self.place.barren >= in_vain(&error) => {
                    self.source.lost(&error);
                    return Err(error);
                }
                // The next test starts over and may get further.
                (Err(Stop::Device(error @ DeviceError::NoLayout { .. })), _) => {
                    self.noted.refused(&mut *self.sink, &error);
                }
                (Err(Stop::Device(error)), _) => match self.regain(error)? {
                    Some(again) => *device = again,
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
            // Making a checkpoint takes a while, and a cancelled campaign is not resumed.
            if self.sink.wants_checkpoint() && !(self.rig.cancelled)() {
                match self.checkpoint(&**device, stats) {
                    Ok(checkpoint) => {
                        self.pass_events_on();
                        self.sink.checkpoint(checkpoint);
                    }
                    Err(error) => self.sink.warning(CampaignWarning::NoCheckpoint(error)),
                }
            }
        }
    }

    /// Runs one round of the engine. Returns its result and its tests: all of them with `pooling`, otherwise those with
    /// violations.
    fn round(
        &mut self,
        device: &mut dyn Device,
        stats: &mut CampaignStats,
        rng: Rng,
        pooling: bool,
    ) -> (Result<Round, Stop>, Vec<JudgedTest>) {
        let mut watcher = CampaignWatcher {
            sink: &mut *self.sink,
            plan: self.plan,
            confirmer: &self.confirmer,
            noted: &mut self.noted,
            told: BTreeSet::new(),
        };
        let (target, cancelled) = (self.rig.target, self.rig.cancelled);
        let door = RoundDoor { device, target, stats, watcher: &mut watcher, cancelled };
        let mut ctx = match RoundCtx::new(door, rng) {
            Ok(ctx) => ctx,
            Err(error) => return (Err(Stop::Device(error)), Vec::new()),
        };
        if self.plan.oracles == Oracles::All {
            ctx = ctx.recognising();
        }
        if pooling {
            ctx = ctx.keeping_all();
        }
        (self.engine.round(&mut ctx), ctx.finish())
    }

    /// Examines what is left in the pool when a campaign has come to its regular end, and goes on with the findings that
    /// are not finished.
    fn last_look(&mut self, end: EndReason, stats: &mut CampaignStats) -> EndReason {
        if !matches!(end, EndReason::BudgetSpent | EndReason::Exhausted) {
            return end;
        }
        let looked = self.look_at_pool(stats).and_then(|()| self.finish_findings(stats));
        if looked == Err(Stop::Cancelled) { EndReason::Cancelled } else { end }
    }

    /// Goes on with the findings that are not finished, with all that is left of the budget for re-executions.
    fn finish_findings(&mut self, stats: &mut CampaignStats) -> Result<(), Stop> {
        for finding in std::mem::take(&mut self.later) {
            if !self.findings.iter().any(|known| known.id == finding.id) {
                self.findings.push(finding);
            }
        }
        self.open_findings().iter().try_for_each(|finding| self.go_on_with(finding, Share::Last, stats))
    }

    /// Goes on with the findings that had to wait, as far as the budget for re-executions has grown meanwhile.
    fn go_on_with_findings(&mut self, stats: &mut CampaignStats) -> Result<(), Stop> {
        self.open_findings().iter().try_for_each(|finding| {
            let limit = self.confirm_limit(Share::Waiting, stats);
            // Half of what is left is for later findings.
            let steps = finding.minimal.trace.len();
            let needed = self.confirmer.steps_to_complete(finding.origin.oracle, steps) + steps as u64;
            let is_enough = |limit: u64| limit.saturating_sub(stats.reexecuted) >= needed;
            if limit.is_some_and(is_enough) {
                self.go_on_with(finding, Share::Waiting, stats)
            } else {
                Ok(())
            }
        })
    }

    fn open_findings(&self) -> Vec<Arc<Finding>> {
        self.findings.iter().filter(|known| !known.finished).cloned().collect()
    }

    fn go_on_with(&mut self, finding: &Finding, share: Share, stats: &mut CampaignStats) -> Result<(), Stop> {
        let result = self.investigate(stats, share, |confirmer, ctx| confirmer.pursue(finding.clone(), ctx));
        self.device_error_as_warning(result, &finding.title)
    }

    /// How many events may have been performed again after this.
    fn confirm_limit(&self, share: Share, stats: &CampaignStats) -> Option<u64> {
        let of_findings = self.plan.confirm_limit(stats.events, stats.event_limit())?;
        let (all, apart) = (stats.reexecuted, stats.reexecuted_for_disagreements);
        Some(match share {
            Share::Apart => all + (of_findings / APART).saturating_sub(apart),
            Share::New if !self.open_findings().is_empty() => {
                let for_new = (of_findings / 2).saturating_sub(stats.reexecuted_for_new);
                (of_findings + apart).min(all + for_new)
            }
            Share::New | Share::Waiting | Share::Last => of_findings + apart,
        })
    }

    /// Calls `work` with the confirmer and what it needs.
    fn investigate<T>(
        &mut self,
        stats: &mut CampaignStats,
        share: Share,
        work: impl FnOnce(&mut Confirmer<'_>, &mut ConfirmCtx<'_>) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let limit = self.confirm_limit(share, stats);
        let mut ctx = ConfirmCtx {
            source: &mut *self.source,
            stats,
            sink: &mut *self.sink,
            findings: &mut self.findings,
            allowance: Allowance { limit, last: share == Share::Last },
        };
        let result = work(&mut self.confirmer, &mut ctx);
        ctx.begin(Task::Fuzzing);
        result
    }

    fn look_for_minorities(&mut self, tests: &[JudgedTest], stats: &mut CampaignStats) -> Result<(), Stop> {
        let Some(pool) = &mut self.pool else { return Ok(()) };
        tests.iter().for_each(|test| pool.add(&test.trace, &self.plan.app));
        if pool.due() { self.look_at_pool(stats) } else { Ok(()) }
    }

    /// Examines the screens that break what the others agree on.
    fn look_for_disagreements(&mut self, stats: &mut CampaignStats) -> Result<(), Stop> {
        let suspects = stats.agreements.as_mut().map(|known| known.suspects(&self.plan.app));
        let before = stats.reexecuted;
        let looked = suspects.iter().flatten().try_for_each(|suspect| {
            let looked = self.investigate(stats, Share::Apart, |confirmer, ctx| {
                confirmer.look_at_disagreement(suspect, ctx)
            });
            if looked == Ok(Disagreement::Refuted)
                && let Some(known) = &mut stats.agreements
            {
                known.refute(&suspect.rule);
            }
            self.device_error_as_warning(looked.map(|_| ()), suspect.rule.relation.condition())
        });
        stats.reexecuted_for_disagreements += stats.reexecuted - before;
        looked
    }

    fn look_at_pool(&mut self, stats: &mut CampaignStats) -> Result<(), Stop> {
        let Some(mut pool) = self.pool.take() else { return Ok(()) };
        let wanted = || !(self.rig.cancelled)();
        let suspects = pool.look(&self.plan.app, stats.events, &wanted);
        let looked = suspects.iter().try_for_each(|suspect| self.confirm_minority(suspect, &mut pool, stats));
        self.pool = Some(pool);
        if wanted() { looked } else { Err(Stop::Cancelled) }
    }

    fn confirm_minority(
        &mut self,
        suspect: &Suspect,
        pool: &mut TestPool,
        stats: &mut CampaignStats,
    ) -> Result<(), Stop> {
        if pool.is_settled(suspect) {
            return Ok(());
        }
        let result = self
            .investigate(stats, Share::Waiting, |confirmer, ctx| confirmer.look_at_minority(suspect, ctx));
        if result == Ok(true) {
            pool.mark_reported(suspect);
        }
        self.device_error_as_warning(result.map(|_| ()), &suspect.rule.violation.title)
    }

    /// Turns a failure of the device during confirmation into a warning: the campaign's own device may still work.
    fn device_error_as_warning(&mut self, result: Result<(), Stop>, title: &str) -> Result<(), Stop> {
        match result {
            // Whoever cancels a campaign interrupts what a device is asked.
            Err(Stop::Device(_)) if (self.rig.cancelled)() => Err(Stop::Cancelled),
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

    /// Waits for a device that may come back. Returns `None` if the campaign was cancelled meanwhile.
    ///
    /// # Errors
    ///
    /// Returns `lost` if the device will not come back.
    fn regain(&mut self, lost: DeviceError) -> Result<Option<Box<dyn Device>>, DeviceError> {
        if self.source.lost(&lost) { self.wait_for_device(lost) } else { Err(lost) }
    }

    /// Tries to open the device until it is there. Garbled answers cause no warning, but only a limited number of
    /// attempts.
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
            match self.source.fresh() {
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

    /// Adds the garbled answers of the source to the statistics, and warns of the first.
    fn count_garbled(&mut self, stats: &mut CampaignStats) {
        let Some(Garbled { answers, first }) = self.source.garbled() else { return };
        if answers > self.garbled && stats.garbled == 0 {
            self.sink.warning(CampaignWarning::Garbled(first));
        }
        stats.garbled += answers - self.garbled;
        self.garbled = answers;
    }

    /// Adds the warnings of the device to the totals, and reports each problem once.
    fn count_device_problems(&mut self, device: &mut dyn Device) {
        for DeviceWarning { problem, count } in device.take_warnings() {
            if let Some(first) = self.device_problems.add(&problem, count) {
                self.sink.warning(CampaignWarning::DeviceProblem(first));
            }
        }
    }

    fn total_device_problems(&mut self) {
        let (problems, count) = self.device_problems.totals();
        if count > problems as u64 {
            self.sink.warning(CampaignWarning::DeviceProblems { problems, count });
        }
    }

    fn report(self, end: EndReason, stats: CampaignStats) -> CampaignReport {
        let counted =
            |finding: Arc<Finding>| FindingCount { count: self.confirmer.count(&finding.origin), finding };
        let findings = self.findings.into_iter().map(counted).collect();
        let learned = self.engine.learned(&self.plan.app);
        let (engine, declared) = (engine_stats(&*self.engine, &stats), self.declared);
        CampaignReport { end, stats, engine, findings, declared, learned }
    }

    /// Reports and confirms the violations of a test.
    fn confirm(&mut self, test: &JudgedTest, stats: &mut CampaignStats) -> Result<(), Stop> {
        let Some(first) = test.reported.first() else { return Ok(()) };
        let before = stats.reexecuted;
        let result = self.investigate(stats, Share::New, |confirmer, ctx| confirmer.look_at(test, ctx));
        stats.reexecuted_for_new += stats.reexecuted - before;
        let count = |finding: &Arc<Finding>| (finding.id.clone(), self.confirmer.count(&finding.origin));
        let counts = self.findings.iter().map(count).collect();
        self.sink.violated(counts);
        self.device_error_as_warning(result, &first.violation.title)
    }
}

/// What an engine says of itself and, if that is more than its phase, what its tests showed that screens agree on.
fn engine_stats(engine: &dyn Engine, stats: &CampaignStats) -> EngineStats {
    let mut says = engine.stats();
    if let Some(known) = stats.agreements.as_ref().filter(|_| !says.is_only_phase()) {
        let AgreementCounts { proposed, refuted, kept } = known.counts();
        let count = |label, value: usize, about| Count::new(label, value as u64, about);
        says.numbers.extend([
            count(
                "relations proposed",
                proposed,
                "What screens agreed on at least once, such as a number and its rows",
            ),
            count("relations refuted", refuted, "Those of them that other data or a restart refuted"),
            count("relations kept", kept, "Those of them by which screens are judged"),
        ]);
    }
    says
}

/// Number of consecutive rounds without an event that this error may end.
fn in_vain(error: &DeviceError) -> u32 {
    if error.garbled() { GARBLED_IN_VAIN } else { FAILURES_IN_VAIN }
}
