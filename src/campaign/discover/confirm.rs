//! Confirms proposed functions by experiments on fresh data: they are performed among random events, with texts of all classes,
//! after restarts, on each other's results. What does not hold each time is repaired or dropped.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::contrast::{Mark, present_only_in};
use super::prober::Prober;
use taproof_engine::device::DeviceError;
use taproof_engine::{EngineSettings, JudgedTest, NotExecuted, PbfdroidConfig, Stop};
use taproof_screen::{DmfSpan, FailedCheck, Layout, OracleKind, TextClass, Violation};
use taproof_spec::{Condition, DataType, Dmf, Input, NamedSelector, Relation, Spec, TextPattern};

/// Number of repairs after which a function is dropped.
const REPAIRS: usize = 3;

/// What experiments say about one function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Number of completed runs since the function was last changed.
    pub tries: u64,
    /// Number of those after which everything held.
    pub held: u64,
    /// Number of runs in which the app refused the text.
    pub refused: u64,
    /// The classes of texts with which it held, each with the number of runs.
    pub texts: BTreeMap<TextClass, u64>,
    /// What was changed since the function was first proposed, and why.
    pub repairs: Vec<String>,
}

/// A function with what is known about it.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) dmf: Dmf,
    pub(super) evidence: Evidence,
    pub(super) reason: String,
    pub(super) steps: Vec<taproof_screen::RecordedStep>,
}

/// A function that was not proposed after all.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// Its name.
    pub name: String,
    /// Why, in one sentence.
    pub why: String,
}

/// One completed run of a function.
struct Run {
    start: Arc<Layout>,
    classes: Vec<TextClass>,
    texts: Vec<String>,
    failed: Option<Vec<FailedCheck>>,
}

/// Performs the functions once more until the budget of the prober is spent. Returns the completed runs of each.
pub(super) fn perform(prober: &mut Prober<'_>) -> Result<Performed, DeviceError> {
    let config = PbfdroidConfig::default();
    let mut engine = config.build(prober.target());
    let mut performed =
        Performed { runs: prober.target().dmfs().iter().map(|_| Vec::new()).collect(), cancelled: false };
    loop {
        let mut ctx = prober.round()?.keeping_all();
        let end = engine.round(&mut ctx);
        for test in ctx.finish() {
            performed.take(&test);
        }
        match end {
            Ok(_) | Err(Stop::TestOver) => {}
            Err(Stop::BudgetSpent) => return Ok(performed),
            Err(Stop::Cancelled) => return Ok(Performed { cancelled: true, ..performed }),
            Err(Stop::Device(error)) => return Err(error),
        }
        if prober.stats.spent() {
            return Ok(performed);
        }
    }
}

/// What came of performing functions.
pub(super) struct Performed {
    runs: Vec<Vec<Run>>,
    pub(super) cancelled: bool,
}

impl Performed {
    fn take(&mut self, test: &JudgedTest) {
        for span in test.trace.spans.iter().filter(|span| span.completed) {
            let Some(start) = test.trace.frame(span.first_step) else { continue };
            let failed = violation_of(test, span);
            if failed.is_some_and(|violation| violation.after_drift) {
                continue;
            }
            let classes = span.inputs.iter().filter_map(|input| input.class).collect();
            let failed = failed.map(|violation| violation.failures.clone());
            if let Some(runs) = self.runs.get_mut(span.dmf) {
                let texts = span.texts();
                runs.push(Run { start: Arc::clone(&start.layout), classes, texts, failed });
            }
        }
    }
}

fn violation_of<'t>(test: &'t JudgedTest, span: &DmfSpan) -> Option<&'t Violation> {
    let of_run =
        |violation: &&Violation| violation.oracle == OracleKind::Property && violation.dmf == Some(span.dmf);
    let at_end = test.reported.iter().filter(|reported| reported.steps == span.end_step);
    at_end.map(|reported| &reported.violation).find(of_run)
}

/// Takes what was performed into the evidence, and repairs or drops what did not hold. Returns whether everything held.
pub(super) fn judge(
    candidates: &mut Vec<Candidate>,
    performed: &Performed,
    prober: &Prober<'_>,
    dropped: &mut Vec<Dropped>,
) -> bool {
    let mut sound = true;
    let mut drops: Vec<usize> = Vec::new();
    let mut unfit: Vec<(DataType, TextClass)> = Vec::new();
    for (index, (candidate, runs)) in candidates.iter_mut().zip(&performed.runs).enumerate() {
        let counts = prober.stats.properties.get(index);
        let refused = |counts: &taproof_engine::PropertyCounts| {
            let refused = counts.not_executed.iter().filter(|((_, why), _)| *why == NotExecuted::Refused);
            refused.map(|(_, count)| count).sum::<u64>()
        };
        candidate.evidence.refused += counts.map_or(0, refused);
        if runs.iter().all(|run| run.failed.is_none()) {
            candidate.evidence.take(runs);
            continue;
        }
        sound = false;
        if let Some(class) = unfit_names(&candidate.dmf, runs) {
            unfit.push((candidate.dmf.data_type.clone(), class));
            continue;
        }
        match repair(candidate, runs) {
            Some(what) => {
                let repairs = std::mem::take(&mut candidate.evidence.repairs);
                candidate.evidence = Evidence { repairs, ..Evidence::default() };
                candidate.evidence.repairs.push(what);
            }
            None => {
                let failing = runs.iter().filter(|run| run.failed.is_some());
                let said = failing.clone().find_map(|run| run.failed.as_ref()?.first());
                let said = said.map_or(String::new(), |it| {
                    format!(": {} was expected, {} was seen", it.expected, it.seen)
                });
                let why = format!("it did not hold in {} of {} tries{said}", failing.count(), runs.len());
                dropped.push(Dropped { name: candidate.dmf.name.clone(), why });
                drops.push(index);
            }
        }
    }
    for (data_type, class) in unfit {
        leave_out(candidates, &data_type, class);
    }
    let mut index = 0..;
    candidates.retain(|_| !index.next().is_some_and(|index| drops.contains(&index)));
    sound
}

/// A class of names with which a function of known objects never held, while it did with all others.
fn unfit_names(dmf: &Dmf, runs: &[Run]) -> Option<TextClass> {
    if !dmf.steps.iter().any(|step| matches!(step.input, Input::Existing(_))) && !draws_object(dmf) {
        return None;
    }
    let is_of = |class: TextClass, text: &String| match class {
        TextClass::BlankEdges => text.trim() != text,
        TextClass::Long => text.chars().count() >= 80,
        _ => !text.is_ascii(),
    };
    let classes = [TextClass::BlankEdges, TextClass::Long, TextClass::Unicode];
    classes.into_iter().find(|class| {
        let has = |run: &Run| run.texts.iter().any(|text| is_of(*class, text));
        runs.iter().all(|run| run.failed.is_some() == has(run) || (run.failed.is_none() && !has(run)))
            && runs.iter().any(|run| run.failed.is_some())
            && runs.iter().filter(|run| run.failed.is_some()).all(has)
    })
}

/// Whether a run draws one of the known objects.
fn draws_object(dmf: &Dmf) -> bool {
    dmf.widgets.iter().any(|widget| matches!(widget.selector.text, TextPattern::Existing(_)))
}

/// Creates no more names of a class that some function of the type cannot have.
fn leave_out(candidates: &mut [Candidate], data_type: &DataType, class: TextClass) {
    for candidate in candidates.iter_mut().filter(|it| it.dmf.data_type == *data_type) {
        let mut changed = false;
        for step in &mut candidate.dmf.steps {
            if let Input::Fresh(fresh) = &mut step.input
                && fresh.classes.len() > 1
            {
                let before = fresh.classes.len();
                fresh.classes.retain(|(known, _)| *known != class);
                changed |= fresh.classes.len() < before;
            }
        }
        if changed {
            let what =
                format!("names of this class are left out, with which others did not hold: {}", class.word());
            candidate.evidence.repairs.push(what);
        }
    }
}

impl Evidence {
    fn take(&mut self, runs: &[Run]) {
        self.tries += runs.len() as u64;
        self.held += runs.len() as u64;
        for class in runs.iter().flat_map(|run| &run.classes) {
            *self.texts.entry(*class).or_default() += 1;
        }
    }
}

/// Changes a function so that the runs that failed are no runs of it. Returns what was changed; `None` if nothing tells
/// them from those that held.
fn repair(candidate: &mut Candidate, runs: &[Run]) -> Option<String> {
    if candidate.evidence.repairs.len() >= REPAIRS {
        return None;
    }
    let (failed, held): (Vec<&Run>, Vec<&Run>) = runs.iter().partition(|run| run.failed.is_some());
    without_class(&mut candidate.dmf, &failed, &held)
        .or_else(|| with_condition(&mut candidate.dmf, &failed, &held))
}

/// Takes away a class of texts with which the function never held.
fn without_class(dmf: &mut Dmf, failed: &[&Run], held: &[&Run]) -> Option<String> {
    let bad = |class: &TextClass| {
        let with = |runs: &[&Run]| runs.iter().filter(|run| run.classes.contains(class)).count();
        with(failed) > 0 && with(held) == 0
    };
    let tried: Vec<TextClass> = failed.iter().flat_map(|run| run.classes.iter().copied()).collect();
    let mut away: Vec<TextClass> = tried.into_iter().filter(bad).collect();
    away.sort_unstable();
    away.dedup();
    let every = failed.iter().all(|run| run.classes.iter().any(|class| away.contains(class)));
    if away.is_empty() || !every {
        return None;
    }
    let mut left = false;
    for step in &mut dmf.steps {
        if let Input::Fresh(fresh) = &mut step.input {
            fresh.classes.retain(|(class, _)| !away.contains(class));
            left |= !fresh.classes.is_empty();
        }
    }
    let words: Vec<&str> = away.iter().map(|class| class.word()).collect();
    left.then(|| {
        format!("texts of these classes are left out, with which it never held: {}", words.join(", "))
    })
}

/// Adds a precondition that only the runs that held fulfil.
fn with_condition(dmf: &mut Dmf, failed: &[&Run], held: &[&Run]) -> Option<String> {
    if held.len() < 2 {
        return None;
    }
    let layouts = |runs: &[&Run]| runs.iter().map(|run| Arc::clone(&run.start)).collect::<Vec<_>>();
    let (failed, held) = (layouts(failed), layouts(held));
    let (mark, relation): (Mark, Relation) = match present_only_in(&failed, &held) {
        Some(mark) => (mark, Relation::NotIn),
        None => (present_only_in(&held, &failed)?, Relation::In),
    };
    let base = if relation == Relation::In { "pre_widget" } else { "notpre_widget" };
    let name = (1..).map(|number| if number == 1 { base.to_owned() } else { format!("{base}{number}") });
    let name = name.into_iter().find(|name| dmf.widget(name).is_none())?;
    let what = match relation {
        Relation::In => format!("it starts only where {mark} is shown, as wherever it held"),
        _ => format!("it does not start where {mark} is shown, where it failed"),
    };
    dmf.widgets.push(NamedSelector { name: name.clone(), layout: 0, selector: mark.selector() });
    dmf.preconditions.push(Condition::on_widget(name, relation).at(0));
    Some(what)
}

/// The specification of the candidates.
pub(super) fn spec_of(candidates: &[Candidate], blocks: &[taproof_spec::Block]) -> Spec {
    let dmfs = candidates.iter().map(|candidate| candidate.dmf.clone()).collect();
    Spec { dmfs, invariants: Vec::new(), blocks: blocks.to_vec() }
}
