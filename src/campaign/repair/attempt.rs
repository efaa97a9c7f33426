//! One try of a function while it is repaired: how far it came, and what it did not find.

use crate::{TrialOutcome, TrialReport};
use taproof_engine::NotExecuted;
use taproof_screen::{is_dialog, similarity};
use taproof_spec::repair::{Ended, Problem, Sights, Walk, astray, problems, shows};
use taproof_spec::{CheckOutcome, CompiledDmf, Dmf, Scene};

use super::{FunctionEnd, RepairPlan};

/// What a try came to.
pub(super) struct Attempt {
    pub walk: Walk,
    outcome: Option<TrialOutcome>,
    /// Whether every run held.
    pub all_held: bool,
    /// What it did not find, the likeliest cause first.
    pub problems: Vec<Problem>,
    /// How far it came; later is greater.
    pub rank: Rank,
    /// Whether it proves something: it went over the same screens as in the old version or, where they are not known,
    /// says that something is shown.
    proves: bool,
}

/// How far a run came: whether it began, how many steps were left or what held, and how like the screen is to that of
/// the old version.
pub(super) type Rank = (u32, u32, u32);

impl Attempt {
    pub fn of(report: &TrialReport, plan: &RepairPlan) -> Attempt {
        let failed = report.runs.iter().find(|run| run.outcome != TrialOutcome::Held);
        let run = failed.or(report.runs.first());
        let (Some(run), Some(dmf)) = (run, report.dmf()) else { return Attempt::nothing() };
        let ended = ended(dmf, &run.walk, &run.outcome, &plan.app);
        let sights = plan.history.of(&dmf.name);
        let mut found = match run.outcome {
            TrialOutcome::Died(_) => Vec::new(),
            _ => problems(dmf, &run.walk, &ended, sights, &plan.app),
        };
        if run.outcome == TrialOutcome::Held {
            // What it was done to may look otherwise now.
            found.retain(|problem| !problem.ambiguous || problem.by_place);
        }
        if is_not_about_widgets(&run.outcome) {
            found.clear();
        }
        let lost = sights.map_or(0, |sights| astray(dmf, &run.walk, sights));
        let proves = match sights {
            Some(_) => lost == 0,
            None => dmf.postconditions.iter().any(shows),
        };
        let (stage, part) = rank(dmf, &run.outcome, &ended, found.len() + lost);
        let rank = (stage, part, screen_rank(dmf, &run.walk, &ended, sights));
        Attempt {
            walk: run.walk.clone(),
            outcome: Some(run.outcome.clone()),
            all_held: report.all_held(),
            problems: found,
            rank,
            proves,
        }
    }

    fn nothing() -> Attempt {
        Attempt {
            walk: Walk::default(),
            outcome: None,
            all_held: false,
            problems: Vec::new(),
            rank: (0, 0, 0),
            proves: false,
        }
    }

    pub fn holds(&self) -> bool {
        self.outcome == Some(TrialOutcome::Held)
    }

    /// Whether it holds, and found everything.
    pub fn is_clean(&self) -> bool {
        self.holds() && self.problems.is_empty() && self.proves
    }

    /// What it says of the function.
    pub fn end(&self, dmf: &Dmf) -> FunctionEnd {
        match &self.outcome {
            None => FunctionEnd::NotMended("it was not performed".to_owned()),
            Some(TrialOutcome::Held) if self.is_clean() => FunctionEnd::Holds,
            Some(TrialOutcome::Held) => FunctionEnd::HoldsUnproven,
            Some(outcome @ TrialOutcome::Broken(_)) if self.problems.iter().all(|it| it.ambiguous) => {
                FunctionEnd::MayBeBug(outcome.sentence(dmf))
            }
            Some(outcome @ TrialOutcome::Died(_)) => FunctionEnd::MayBeBug(outcome.sentence(dmf)),
            Some(outcome) if is_not_about_widgets(outcome) => FunctionEnd::NotJudged(outcome.sentence(dmf)),
            Some(outcome) => FunctionEnd::NotMended(outcome.sentence(dmf)),
        }
    }
}

/// Whether a run ended for a reason that no selector can mend.
fn is_not_about_widgets(outcome: &TrialOutcome) -> bool {
    use NotExecuted::{BadInput, NoInput, NotPossible, NothingToRepeat};
    let TrialOutcome::NotExecuted { reason, .. } = outcome else {
        return matches!(outcome, TrialOutcome::Unsure(_));
    };
    matches!(reason, NothingToRepeat | NoInput | BadInput | NotPossible)
}

/// How like the screen on which a run ended is to that of the old version, in tenths.
fn screen_rank(dmf: &Dmf, walk: &Walk, ended: &Ended, sights: Option<&Sights>) -> u32 {
    const UNKNOWN: f64 = 0.5;
    let old = sights.and_then(|sights| match ended {
        Ended::NotBegun => None,
        Ended::At(step) => match dmf.steps.get(*step) {
            Some(step) => sights.screens.get(step.widget.as_ref()?),
            None => sights.end.as_ref(),
        },
        Ended::Judged(_) => sights.end.as_ref(),
    });
    let like = match (old, &walk.last) {
        (Some(old), Some(new)) => similarity(old, new),
        (None, Some(new)) if is_dialog(new) => UNKNOWN / 2.0,
        _ => UNKNOWN,
    };
    (like * 10.0).round() as u32
}

fn ended(dmf: &Dmf, walk: &Walk, outcome: &TrialOutcome, app: &str) -> Ended {
    match outcome {
        TrialOutcome::NotReached(_) => Ended::NotBegun,
        TrialOutcome::NotExecuted { step, .. } => Ended::At(*step),
        TrialOutcome::Held | TrialOutcome::Unsure(_) | TrialOutcome::Died(_) => Ended::Judged(Vec::new()),
        TrialOutcome::Broken(_) => {
            let end = walk.steps.get(&dmf.steps.len()).map(|step| &step.layout);
            let Some(layout) = end.or(walk.last.as_ref()) else { return Ended::Judged(Vec::new()) };
            let scene = Scene { layout, data: &walk.data, app, bindings: &walk.bindings };
            let outcomes = CompiledDmf::new(dmf).check_postconditions(&scene);
            let failing = outcomes.iter().enumerate();
            let failing = failing.filter(|(_, outcome)| matches!(outcome, CheckOutcome::Fails(_)));
            Ended::Judged(failing.map(|(index, _)| index).collect())
        }
    }
}

/// How far a run came: whether it began, how many steps were left, what held, what it did not find.
fn rank(dmf: &Dmf, outcome: &TrialOutcome, ended: &Ended, problems: usize) -> (u32, u32) {
    if is_not_about_widgets(outcome) {
        return (3, 500);
    }
    let less = |count: usize| 1000_u32.saturating_sub(u32::try_from(count).unwrap_or(1000));
    match (outcome, ended) {
        (TrialOutcome::NotReached(missing), _) => (0, less(missing.len())),
        (_, Ended::At(step)) => (1, less(dmf.steps.len() - (*step).min(dmf.steps.len()))),
        (TrialOutcome::Held, _) => (4, less(problems)),
        (TrialOutcome::Broken(_), Ended::Judged(failing)) => (3, less(failing.len())),
        _ => (2, 0),
    }
}
