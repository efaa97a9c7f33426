//! Repairs the specification of an app that has a new version: performs each function on it, mends what it no longer
//! finds there, and keeps a mend only if the function then holds (*Try it*). What does not hold although everything was
//! found is not mended, since it may be a bug. On the bundled phone the same plan always yields the same report.

mod attempt;
mod lead;
mod report;
mod translate;

use std::sync::Arc;

pub use report::{FunctionEnd, FunctionRepair, MendedUse, Proposed, RepairReport, RepairSink};

pub use translate::Translation;

use self::attempt::{Attempt, Rank};
use self::lead::{event_of, follow, lead_to};
use super::{DeviceChoice, NullSink, TrialEnd, TrialOutcome, TrialPlan, try_dmf};
use taproof_engine::device::{Build, DeviceError, DeviceSource};
use taproof_engine::worker::CancelToken;
use taproof_screen::{Event, Initialiser};
use taproof_spec::repair::{History, Mend, Problem, Proposal, Proposer, shows};
use taproof_spec::{Dmf, Spec};

/// How often a function may be performed while it is mended.
const MOST_TRIES: usize = 60;
/// How many proposals for one problem are tried, and how many problems of one run.
const PROPOSALS: usize = 5;
const PROBLEMS: usize = 3;
/// A proposal with a lower score is not tried, nor one whose score is lower than the best one's by so much.
const UNLIKELY: u32 = 250;
const MUCH_LESS: u32 = 400;
/// The least score of a tap on a screen that is new.
const LIKELY_TAP: u32 = 500;
/// The least score of a mend that is sure without being proven.
const SURE: u32 = 600;
/// The least score of a new name that is kept.
const LIKELY_NAME: u32 = 500;
/// By how much it must be likelier than others there.
const LEAD: u32 = 50;
/// How many mends one function may need.
const DEPTH: usize = 10;
/// How many functions' mends may make further functions possible.
const PASSES: usize = 3;

/// What is to be repaired.
#[derive(Clone, Debug)]
pub struct RepairPlan {
    /// The package of the new version.
    pub app: String,
    /// Which of its catalogued bugs are on, on the bundled phone.
    pub build: Build,
    /// What it runs on.
    pub device: DeviceChoice,
    /// The specification of the old version.
    pub spec: Arc<Spec>,
    /// What is known of the old version.
    pub history: History,
    /// What is done first whenever the app is launched with cleared data.
    pub initialiser: Option<Arc<Initialiser>>,
    /// How often a mended function must hold.
    pub runs: usize,
    /// The seed of all chance.
    pub seed: u64,
}

impl RepairPlan {
    fn trial(&self, spec: &Arc<Spec>, dmf: usize, runs: usize, lead_up: Vec<Event>) -> TrialPlan {
        TrialPlan {
            app: self.app.clone(),
            build: self.build.clone(),
            device: self.device.clone(),
            spec: Arc::clone(spec),
            dmf,
            lead_up,
            held: Vec::new(),
            initialiser: self.initialiser.clone(),
            runs,
            seed: self.seed,
        }
    }
}

/// Performs the functions of a specification on the version that it was made for, and returns what they saw. Functions
/// that do not hold there are left out.
///
/// # Errors
///
/// The error with which a device fails.
pub fn observe(
    plan: &RepairPlan,
    source: &mut dyn DeviceSource,
    cancel: &CancelToken,
) -> Result<History, DeviceError> {
    /// Texts that an app refuses, or that hide what is looked for, are drawn now and then.
    const SEEDS: u64 = 3;
    let mut history = History::new();
    for (index, dmf) in plan.spec.dmfs.iter().enumerate() {
        let lead = lead_to(plan, source, dmf)?;
        let events: Vec<Event> = lead.iter().filter_map(event_of).collect();
        for seed in 0..SEEDS {
            let trial = plan.trial(&plan.spec, index, 1, events.clone());
            let trial = TrialPlan { seed: plan.seed.wrapping_add(seed), ..trial };
            let report = try_dmf(&trial, source, cancel, &mut NullSink);
            if let TrialEnd::DeviceFailed(error) = report.end {
                return Err(error);
            }
            let held = report.runs.iter().find(|run| run.outcome == TrialOutcome::Held);
            if let Some(run) = held {
                history.add(dmf, &run.walk, &plan.app);
                history.add_lead(&dmf.name, lead);
                break;
            }
            if cancel.asked_to_stop() {
                return Ok(history);
            }
        }
    }
    Ok(history)
}

/// Repairs the specification of the plan on the devices of the source; everything happens on the caller's thread.
///
/// # Errors
///
/// The error with which a device fails.
pub fn repair(
    plan: &RepairPlan,
    source: &mut dyn DeviceSource,
    cancel: &CancelToken,
    sink: &mut dyn RepairSink,
) -> Result<RepairReport, DeviceError> {
    let mut repair = Repair { plan, source, cancel, tries: 0, lead: Vec::new() };
    let mut spec = Spec::clone(&plan.spec);
    let mut functions: Vec<Option<FunctionRepair>> = vec![None; spec.dmfs.len()];
    for pass in 0..PASSES {
        let mut mended = false;
        for (index, known) in functions.iter_mut().enumerate() {
            let done = known.as_ref().is_some_and(|it| it.end.is_final());
            if done || cancel.asked_to_stop() {
                continue;
            }
            sink.begins(&spec.dmfs[index].name, index, spec.dmfs.len());
            let (function, repaired) = repair.function(&spec, index)?;
            if let Some(repaired) = repaired {
                spec = repaired;
                mended = true;
            }
            sink.ended(&function);
            *known = Some(function);
        }
        // What one function proved may be what another one needs.
        if !mended && pass > 0 {
            break;
        }
    }
    let known = |index: usize| functions[index].as_ref().is_some_and(|it| it.end.is_final());
    let complete = (0..spec.dmfs.len()).all(known);
    Ok(RepairReport { functions: functions.into_iter().flatten().collect(), spec, complete })
}

/// Whether a proposal is worth being tried. A tap on a screen that is new must sound like going on.
fn is_likely(proposal: &Proposal) -> bool {
    !matches!(proposal.mend, Mend::Insert { .. }) || proposal.score >= LIKELY_TAP
}

/// Whether the new name that was chosen is clearly likelier than all others.
fn leads(proposed: &Proposed) -> bool {
    let renames = proposed.proposals.iter().enumerate();
    let mut renames = renames.filter(|(_, it)| matches!(it.mend, Mend::Rename { .. }));
    let first = renames.next();
    let second = renames.next().map_or(0, |(_, it)| it.score);
    first.is_some_and(|(place, it)| proposed.chosen == Some(place) && it.score >= second + LEAD)
}

/// Whether mends are likely enough to be kept. Where the screens of the old version are not known, wrong ways are not
/// noticed; nor are they by a function that only says what is not shown, which holds on most wrong ways as well.
fn are_sure(dmf: &Dmf, applied: &[Proposed], known: bool) -> bool {
    let shows = dmf.postconditions.iter().any(shows);
    let is_sure = |it: &Proposed| {
        let Some(best) = it.best() else { return true };
        match best.mend {
            Mend::Rename { .. } if !shows => it.chosen == Some(0) && best.score >= SURE,
            Mend::Rename { .. } => best.score >= LIKELY_NAME && (known || leads(it)),
            Mend::Insert { .. } | Mend::LeaveOut { .. } => known || best.score >= SURE,
        }
    };
    applied.iter().all(is_sure)
}

struct Repair<'r> {
    plan: &'r RepairPlan,
    source: &'r mut dyn DeviceSource,
    cancel: &'r CancelToken,
    /// How often the function may still be performed.
    tries: usize,
    /// The taps that lead from a fresh start to where it begins.
    lead: Vec<Event>,
}

/// The best that was found for a function.
struct Solved {
    spec: Spec,
    attempt: Attempt,
    applied: Vec<Proposed>,
}

impl Repair<'_> {
    /// Repairs one function. The specification is returned if it was changed and the function holds now.
    fn function(&mut self, spec: &Spec, index: usize) -> Result<(FunctionRepair, Option<Spec>), DeviceError> {
        let dmf = &spec.dmfs[index];
        let name = dmf.name.clone();
        if dmf.weight == 0 {
            return Ok((FunctionRepair { name, end: FunctionEnd::SwitchedOff, proposed: Vec::new() }, None));
        }
        if !self.plan.history.is_empty() && self.plan.history.of(&name).is_none() {
            return Ok((FunctionRepair { name, end: FunctionEnd::NotKnown, proposed: Vec::new() }, None));
        }
        self.tries = MOST_TRIES;
        self.lead = match self.plan.history.lead_of(&name) {
            [] if self.plan.history.is_empty() => {
                lead_to(self.plan, self.source, dmf)?.iter().filter_map(event_of).collect()
            }
            [] => Vec::new(),
            lead => follow(self.plan, self.source, lead)?,
        };
        let first = self.attempt(spec, index, 1)?;
        let mut solved = self.solve(spec.clone(), index, first, 0)?;
        if solved.applied.iter().all(|proposed| proposed.chosen.is_none()) {
            let end = solved.attempt.end(&solved.spec.dmfs[index]);
            return Ok((FunctionRepair { name, end, proposed: solved.applied }, None));
        }
        let sure = are_sure(dmf, &solved.applied, !self.plan.history.is_empty());
        let clean = sure && solved.attempt.is_clean();
        let holds = clean && self.attempt(&solved.spec, index, self.plan.runs)?.all_held;
        for proposed in &mut solved.applied {
            proposed.passed = holds && proposed.chosen.is_some();
        }
        let end = match (holds, clean) {
            (true, _) => FunctionEnd::Mended,
            (false, true) => FunctionEnd::NotMended("it holds now and then only".to_owned()),
            (false, false) if solved.attempt.holds() => FunctionEnd::HoldsUnproven,
            (false, false) => solved.attempt.end(&solved.spec.dmfs[index]),
        };
        Ok((FunctionRepair { name, end, proposed: solved.applied }, holds.then_some(solved.spec)))
    }

    fn attempt(&mut self, spec: &Spec, dmf: usize, runs: usize) -> Result<Attempt, DeviceError> {
        self.tries = self.tries.saturating_sub(1);
        let spec = Arc::new(spec.clone());
        let trial = self.plan.trial(&spec, dmf, runs, self.lead.clone());
        let report = try_dmf(&trial, self.source, self.cancel, &mut NullSink);
        if let TrialEnd::DeviceFailed(error) = report.end {
            return Err(error);
        }
        Ok(Attempt::of(&report, self.plan))
    }

    /// Mends one problem after the other, the likeliest way first, as long as each mend lets the function get further.
    fn solve(
        &mut self,
        spec: Spec,
        index: usize,
        attempt: Attempt,
        depth: usize,
    ) -> Result<Solved, DeviceError> {
        let dmf = spec.dmfs[index].clone();
        let problems = attempt.problems.clone();
        let (walk, rank) = (attempt.walk.clone(), attempt.rank);
        let mut best = Solved { spec: spec.clone(), attempt, applied: Vec::new() };
        let mut unsolved: Option<Proposed> = None;
        for problem in problems.iter().take(if depth < DEPTH { PROBLEMS } else { 0 }) {
            let (history, app) = (&self.plan.history, self.plan.app.as_str());
            let proposer = Proposer { spec: &spec, dmf: &dmf, walk: &walk, history, app };
            let proposals = proposer.proposals(problem);
            unsolved.get_or_insert_with(|| self.proposed(&dmf, problem, proposals.clone(), None));
            let least =
                proposals.first().map_or(0, |first| first.score.saturating_sub(MUCH_LESS).max(UNLIKELY));
            let likely = proposals
                .iter()
                .enumerate()
                .filter(|(_, it)| it.score >= least && is_likely(it))
                .take(PROPOSALS);
            for (place, Proposal { mend, .. }) in likely {
                let Some(solved) = self.try_mend((&spec, mend), index, rank, depth)? else { continue };
                if solved.attempt.rank > best.attempt.rank {
                    let mut applied = vec![self.proposed(&dmf, problem, proposals.clone(), Some(place))];
                    applied.extend(solved.applied);
                    best = Solved { applied, ..solved };
                }
                if best.attempt.is_clean() {
                    return Ok(best);
                }
            }
            if best.attempt.holds() && best.attempt.rank > rank {
                return Ok(best);
            }
        }
        if best.applied.is_empty() && !best.attempt.holds() {
            best.applied.extend(unsolved);
        }
        Ok(best)
    }

    /// Applies a mend and goes on from there; `None` if the function does not get further by it.
    fn try_mend(
        &mut self,
        (spec, mend): (&Spec, &Mend),
        index: usize,
        rank: Rank,
        depth: usize,
    ) -> Result<Option<Solved>, DeviceError> {
        let mut mended = spec.clone();
        if self.tries == 0 || self.cancel.asked_to_stop() || mend.apply(&mut mended) == 0 {
            return Ok(None);
        }
        let attempt = self.attempt(&mended, index, 1)?;
        let as_far = (attempt.rank.0, attempt.rank.1) == (rank.0, rank.1);
        let opens = as_far && matches!(mend, Mend::Insert { .. }) && self.finds(&mended, index, &attempt);
        if attempt.rank <= rank && !opens {
            return Ok(None);
        }
        self.solve(mended, index, attempt, depth + 1).map(Some)
    }

    /// Whether what was looked for is most likely on the screen that a new step opened, under another name.
    fn finds(&self, spec: &Spec, index: usize, attempt: &Attempt) -> bool {
        let Some(problem) = attempt.problems.first() else { return false };
        let (history, app, dmf) = (&self.plan.history, self.plan.app.as_str(), &spec.dmfs[index]);
        let proposals = Proposer { spec, dmf, walk: &attempt.walk, history, app }.proposals(problem);
        proposals.first().is_some_and(|it| matches!(it.mend, Mend::Rename { .. }) && it.score >= SURE)
    }

    fn proposed(
        &self,
        dmf: &Dmf,
        problem: &Problem,
        proposals: Vec<Proposal>,
        chosen: Option<usize>,
    ) -> Proposed {
        let sights = self.plan.history.of(&dmf.name);
        let widget = problem.widget.as_deref();
        let named = widget.and_then(|name| dmf.widget(name));
        Proposed {
            function: dmf.name.clone(),
            widget: widget.map(str::to_owned),
            selector: named.map(|named| named.selector.clone()),
            spot: problem.spot,
            old: sights.zip(widget).and_then(|(sights, name)| sights.widgets.get(name).cloned()),
            layout: Arc::clone(&problem.layout),
            proposals,
            chosen,
            passed: false,
        }
    }
}
