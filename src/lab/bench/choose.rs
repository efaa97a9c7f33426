//! Which builds are run: faults drawn from what the apps have, the same number of each operator or as often as papers
//! report its kind, as far as there are as many, and only those that have a witness.

use std::collections::BTreeMap;

use taproof_blueprint::{self as blueprint, BugKind, Operator, blueprint_named};
use taproof_phone::Apps;
use taproof_screen::determinism::Rng;

use crate::names::BY_HAND;
use crate::parallel::all_in_parallel;
use crate::plan::{Fault, Mix, Plan, PlanError, Subject, Target, Witness};

/// Number of faults of a build with several.
const AT_ONCE: usize = 4;

/// What a fault counts of a kind with one published bug; one of a kind with several counts as much less. Shares of kinds are
/// compared as whole numbers.
const UNIT: u64 = 2520;

/// Number of faults that are looked at before the next word on how far it is.
const BATCH: usize = 64;

/// Candidates by the name of their operator.
type ByOperator = BTreeMap<String, Vec<Candidate>>;

/// A fault of which it is not known yet whether somebody can see it.
#[derive(Clone)]
struct Candidate {
    /// Index of the app in the plan.
    app: usize,
    fault: Fault,
    /// The fault as the app's blueprint knows it; `None` for a bug of an app that was written by hand.
    made: Option<blueprint::Fault>,
}

/// Chooses the builds of a plan on this many threads. `progress` is called with the numbers of faults that were looked at
/// and that are chosen.
///
/// # Errors
///
/// [`PlanError`] if the plan names what there is not, or if nothing is to be run.
pub fn choose_targets(
    plan: &Plan,
    apps: &Apps,
    threads: usize,
    mut progress: impl FnMut(usize, usize),
) -> Result<Vec<Target>, PlanError> {
    let rng = Rng::from_seed(plan.sample_seed);
    let mut by_operator = candidates(plan, apps)?;
    if plan.mix == Mix::Published && by_operator.keys().any(|operator| kind(operator).is_some()) {
        by_operator.retain(|operator, _| kind(operator).is_some());
    }
    for (operator, candidates) in &mut by_operator {
        rng.fork(operator).shuffle(candidates);
    }
    let wanted = plan.cells.unwrap_or(usize::MAX);
    let mut chosen: Vec<Candidate> = Vec::new();
    let mut looked_at = 0;
    loop {
        let batch = next_batch(&mut by_operator, plan.mix, &chosen, BATCH.min(wanted - chosen.len()));
        if batch.is_empty() {
            break;
        }
        looked_at += batch.len();
        chosen.extend(all_in_parallel(&batch, threads, |it| with_witness(plan, it)).into_iter().flatten());
        progress(looked_at, chosen.len());
    }
    chosen.sort_by(|a, b| (a.app, &a.fault).cmp(&(b.app, &b.fault)));
    let mut targets: Vec<Target> =
        chosen.iter().map(|it| target(plan, it.app, Subject::Fault(it.fault.clone()))).collect();
    targets.extend(mixed(plan, &chosen, &rng));
    let sound = drawn((0..plan.apps.len()).collect(), plan.sound, &mut rng.fork("sound"));
    targets.extend(sound.into_iter().map(|app| target(plan, app, Subject::Sound)));
    if targets.is_empty() { Err(PlanError::NothingToRun) } else { Ok(targets) }
}

fn target(plan: &Plan, app: usize, subject: Subject) -> Target {
    Target { app: plan.apps[app].clone(), subject }
}

/// The faults that may be chosen, by operator.
fn candidates(plan: &Plan, apps: &Apps) -> Result<ByOperator, PlanError> {
    let mut by_operator = ByOperator::new();
    for (app, name) in plan.apps.iter().enumerate() {
        let bundled = apps.find(name).ok_or_else(|| PlanError::NoSuchApp { name: name.clone() })?;
        let made = blueprint_named(name).map_or(Vec::new(), |blueprint| blueprint.faults());
        for bug in bundled.manifest().bugs {
            let made = made.iter().find(|fault| fault.id == bug.id);
            let fault = Fault {
                id: bug.id.to_owned(),
                operator: made.map_or(BY_HAND, |made| made.operator.name()).to_owned(),
                letters: bug.oracles.iter().map(|oracle| oracle.letter()).collect(),
                witness: None,
            };
            if fault.is_among(&plan.faults) {
                let made = made.copied();
                by_operator.entry(fault.operator.clone()).or_default().push(Candidate { app, fault, made });
            }
        }
    }
    Ok(by_operator)
}

/// The kind of published bugs that an operator makes; `None` if papers report no such bugs.
fn kind(operator: &str) -> Option<&'static BugKind> {
    Operator::ALL.iter().find(|known| known.name() == operator)?.published_kind()
}

/// The next candidates, at most so many, each of the operator whose turn it is.
fn next_batch(by_operator: &mut ByOperator, mix: Mix, chosen: &[Candidate], most: usize) -> Vec<Candidate> {
    let mut drawn: BTreeMap<String, u64> = BTreeMap::new();
    for candidate in chosen {
        *drawn.entry(candidate.fault.operator.clone()).or_default() += 1;
    }
    let mut batch = Vec::new();
    while batch.len() < most {
        let left = by_operator.iter_mut().filter(|(_, candidates)| !candidates.is_empty());
        let next = left.min_by_key(|(operator, _)| turn(operator, mix, &drawn));
        let Some((operator, candidates)) = next else { return batch };
        batch.extend(candidates.pop());
        *drawn.entry(operator.clone()).or_default() += 1;
    }
    batch
}

/// When an operator has its turn; the smallest is next. First comes the kind of bugs with the fewest drawn for the number
/// that papers report, if the mix is theirs. Then comes the operator with the fewest drawn.
fn turn(operator: &str, mix: Mix, drawn: &BTreeMap<String, u64>) -> (u64, u64) {
    let count = |operator: &str| drawn.get(operator).copied().unwrap_or(0);
    let of_kind = kind(operator).filter(|_| mix == Mix::Published).map_or(0, |kind| {
        let with_one_more = 1 + kind.operators.iter().map(|operator| count(operator.name())).sum::<u64>();
        with_one_more * UNIT / u64::from(kind.published)
    });
    (of_kind, count(operator))
}

/// The candidate with its witness; `None` if it has none, as then nobody could see the fault.
fn with_witness(plan: &Plan, candidate: &Candidate) -> Option<Candidate> {
    let Some(made) = candidate.made else { return Some(candidate.clone()) };
    let witness = blueprint_named(&plan.apps[candidate.app])?.witnesses(&[made]).pop().flatten()?;
    let acts: Vec<String> = witness.acts.iter().map(ToString::to_string).collect();
    let witness = Witness { events: witness.events.len(), script: acts.join(", ") };
    Some(Candidate {
        fault: Fault { witness: Some(witness), ..candidate.fault.clone() },
        ..candidate.clone()
    })
}

/// Builds with several of the chosen faults at once.
fn mixed(plan: &Plan, chosen: &[Candidate], rng: &Rng) -> Vec<Target> {
    let mut of_app: BTreeMap<usize, Vec<Fault>> = BTreeMap::new();
    for candidate in chosen {
        of_app.entry(candidate.app).or_default().push(candidate.fault.clone());
    }
    of_app.retain(|_, faults| faults.len() > 1);
    let of_apps = drawn(of_app.keys().copied().collect(), plan.mixed, &mut rng.fork("mixed"));
    let build = |app: usize| {
        let mut rng = rng.fork_indexed("faults at once", app as u64);
        let faults = of_app.get(&app).cloned().unwrap_or_default();
        target(plan, app, Subject::Mixed(drawn(faults, AT_ONCE, &mut rng)))
    };
    of_apps.into_iter().map(build).collect()
}

/// So many of the items, or all if there are fewer, in order.
fn drawn<T: Ord>(mut items: Vec<T>, count: usize, rng: &mut Rng) -> Vec<T> {
    rng.shuffle(&mut items);
    items.truncate(count);
    items.sort();
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::plan;
    use taproof_blueprint::OPERATOR_MIX;

    fn chosen(plan: &Plan, threads: usize) -> Vec<Target> {
        choose_targets(plan, &taproof_blueprint::apps(), threads, |_, _| {}).unwrap()
    }

    #[test]
    fn faults_are_drawn_alike_for_each_operator_and_have_witnesses() {
        let faults = ["update-lost", "stale-list", "cut-on-save"].map(str::to_owned).to_vec();
        let plan = Plan { faults, cells: Some(6), sound: 1, mixed: 1, ..plan(&["blueprint:1..3"]) };
        let targets = chosen(&plan, 2);
        assert_eq!(targets, chosen(&plan, 1));
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for fault in targets.iter().filter_map(|target| target.subject.fault()) {
            *counts.entry(&fault.operator).or_default() += 1;
            assert!(fault.witness.as_ref().is_some_and(|witness| witness.events > 0), "{fault:?}");
        }
        assert_eq!(counts.into_values().collect::<Vec<_>>(), [2, 2, 2]);
        let sound = targets.iter().filter(|target| target.subject == Subject::Sound);
        let mixed = targets.iter().filter(|target| matches!(&target.subject, Subject::Mixed(_)));
        assert_eq!((sound.count(), mixed.count()), (1, 1));
        let other = chosen(&Plan { sample_seed: 2, ..plan }, 2);
        assert_ne!(targets, other);
    }

    #[test]
    fn faults_are_drawn_as_the_papers_report_them() {
        let apps: Vec<String> = (1..=40).map(|seed| format!("blueprint:{seed}:medium")).collect();
        let plan = Plan { apps, mix: Mix::Published, cells: Some(40), sound: 0, mixed: 0, ..plan(&[]) };
        let targets = chosen(&plan, 2);
        let operators: Vec<&str> =
            targets.iter().filter_map(|target| Some(target.subject.fault()?.operator.as_str())).collect();
        assert_eq!(operators.len(), 40);
        for kind in OPERATOR_MIX {
            let of_kind = |name: &&&str| kind.operators.iter().any(|operator| operator.name() == **name);
            let drawn = operators.iter().filter(of_kind).count();
            assert!(drawn.abs_diff(kind.published as usize) <= 1, "{}: {drawn}", kind.name);
        }
    }

    #[test]
    fn nothing_to_run_is_an_error() {
        let plan = Plan { faults: vec!["by-hand".to_owned()], sound: 0, ..plan(&["blueprint:1"]) };
        let error = choose_targets(&plan, &taproof_blueprint::apps(), 1, |_, _| {}).unwrap_err();
        assert!(matches!(error, PlanError::NothingToRun), "{error}");
    }
}
