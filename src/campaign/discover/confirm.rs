//! Confirms proposed functions by experiments on fresh data: they are performed among random events, with texts of all classes,
//! after restarts, on each other's results. What does not hold each time is repaired or dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::contrast::{Mark, present_only_in};
use super::prober::Prober;
use taproof_engine::device::DeviceError;
use taproof_engine::{
    CampaignStats, Engine, EngineSettings, JudgedTest, Mode, NotExecuted, PbfdroidConfig, Round, Stop,
};
use taproof_screen::{DmfSpan, FailedCheck, Layout, OracleKind, TextClass, Violation};
use taproof_spec::{DataType, Dmf, ImpactOp, Input, NamedSelector, Relation, Spec, TextPattern};

/// Number of repairs after which a function is dropped.
const REPAIRS: usize = 3;
/// Number of runs after which a function that failed in some is judged ...
const ENOUGH: usize = 8;
/// ... and after which one that failed in all of them is.
const HOPELESS: usize = 4;
/// Number of rare functions that are performed in one part.
const AT_ONCE: usize = 8;
/// Number of runs that say as much about a function as more would.
const PLENTY: u64 = 20;

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
    /// Its completed runs since it was last changed.
    runs: Vec<Run>,
    /// Why it is not proposed after all. It stays where it is, so that what the engine learned of the others holds on.
    pub(super) dropped: Option<String>,
}

impl Candidate {
    pub(super) fn new(dmf: Dmf, reason: String, steps: Vec<taproof_screen::RecordedStep>) -> Candidate {
        Candidate { dmf, evidence: Evidence::default(), reason, steps, runs: Vec::new(), dropped: None }
    }
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
#[derive(Clone, Debug)]
struct Run {
    start: Arc<Layout>,
    classes: Vec<TextClass>,
    texts: Vec<String>,
    failed: Option<Vec<FailedCheck>>,
}

/// Performs the functions once more until the budget of the prober is spent. Returns the completed runs of each. `learned` is
/// what the engine knows from the time before: above all the ways to functions that random events seldom reach.
pub(super) fn perform(
    prober: &mut Prober<'_>,
    config: &PbfdroidConfig,
    learned: &mut Option<Vec<u8>>,
) -> Result<Performed, DeviceError> {
    let mut engine = config.build(prober.target());
    if config.mode == Mode::A {
        return perform_with(&mut *engine, prober);
    }
    // An engine that cannot go on where it was begins anew.
    if learned.take().is_some_and(|learned| engine.load(&learned).is_err()) {
        engine = config.build(prober.target());
    }
    let performed = perform_with(&mut *engine, prober)?;
    *learned = engine.save().ok();
    Ok(performed)
}

fn perform_with(engine: &mut dyn Engine, prober: &mut Prober<'_>) -> Result<Performed, DeviceError> {
    let mut performed =
        Performed { runs: prober.target().dmfs().iter().map(|_| Vec::new()).collect(), cancelled: false };
    loop {
        let mut ctx = prober.round()?.keeping_all();
        let end = engine.round(&mut ctx);
        for test in ctx.finish() {
            performed.take(&test);
        }
        match end {
            Ok(Round::Exhausted) => return Ok(performed),
            Ok(Round::Continue) | Err(Stop::TestOver) => {}
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

/// Takes what was performed into the evidence, and repairs or drops what did not hold, once it ran often enough.
pub(super) fn judge(candidates: &mut [Candidate], performed: Performed, stats: &CampaignStats) {
    let mut unfit: Vec<(DataType, TextClass)> = Vec::new();
    let each = candidates.iter_mut().zip(performed.runs).enumerate();
    for (index, (candidate, new)) in each.filter(|(_, (candidate, _))| candidate.dropped.is_none()) {
        let counts = stats.properties.get(index);
        let refused = |counts: &taproof_engine::PropertyCounts| {
            let refused = counts.not_executed.iter().filter(|((_, why), _)| *why == NotExecuted::Refused);
            refused.map(|(_, count)| count).sum::<u64>()
        };
        candidate.evidence.refused += counts.map_or(0, refused);
        candidate.evidence.take(&new);
        candidate.runs.extend(new);
        let (failed, all) = (failures(&candidate.runs).count(), candidate.runs.len());
        let few = all < if failed == all { HOPELESS } else { ENOUGH };
        if failed == 0 || few {
            continue;
        }
        let runs = std::mem::take(&mut candidate.runs);
        let repairs = std::mem::take(&mut candidate.evidence.repairs);
        candidate.evidence = Evidence { repairs, ..Evidence::default() };
        if let Some(class) = unfit_names(&candidate.dmf, &runs) {
            unfit.push((candidate.dmf.data_type.clone(), class));
            continue;
        }
        match repair(candidate, &runs) {
            Some(what) => candidate.evidence.repairs.push(what),
            None => candidate.dropped = Some(failures_in_words(&runs)),
        }
    }
    for (data_type, class) in unfit {
        leave_out(candidates, &data_type, class);
    }
}

/// What failed in the runs that did not hold.
fn failures(runs: &[Run]) -> impl Iterator<Item = &Vec<FailedCheck>> {
    runs.iter().filter_map(|run| run.failed.as_ref())
}

fn failures_in_words(runs: &[Run]) -> String {
    let said = failures(runs).find_map(|failed| failed.first());
    let said =
        said.map_or(String::new(), |it| format!(": {} was expected, {} was seen", it.expected, it.seen));
    format!("it did not hold in {} of {} tries{said}", failures(runs).count(), runs.len())
}

/// The functions of the data type whose functions were performed least often.
pub(super) fn rare_type(candidates: &[Candidate]) -> Vec<String> {
    let mut tries: BTreeMap<&DataType, (u64, u64)> = BTreeMap::new();
    for candidate in candidates.iter().filter(|it| it.dropped.is_none()) {
        let (sum, count) = tries.entry(&candidate.dmf.data_type).or_default();
        *sum += candidate.evidence.tries.min(PLENTY);
        *count += 1;
    }
    let rarest = tries.iter().min_by_key(|(_, (sum, count))| sum * PLENTY / count).map(|(noun, _)| *noun);
    let of_type = candidates.iter().filter(|it| Some(&it.dmf.data_type) == rarest);
    of_type.map(|it| it.dmf.name.clone()).collect()
}

/// The functions that were performed least often, if that was too seldom to say anything.
pub(super) fn rare(candidates: &[Candidate]) -> Vec<String> {
    let few = |it: &&Candidate| it.dropped.is_none() && it.runs.len() < ENOUGH;
    let mut rare: Vec<&Candidate> = candidates.iter().filter(few).collect();
    rare.sort_by_key(|it| it.runs.len());
    rare.iter().take(AT_ONCE).map(|it| it.dmf.name.clone()).collect()
}

/// Drops what failed too late to be repaired, what was never seen to hold, and what needs objects that no function makes any more.
pub(super) fn drop_the_rest(candidates: &mut [Candidate]) {
    let left = |it: &&mut Candidate| it.dropped.is_none();
    for candidate in candidates.iter_mut().filter(left) {
        candidate.dropped = match candidate.evidence.repairs.last() {
            _ if failures(&candidate.runs).next().is_some() => Some(failures_in_words(&candidate.runs)),
            _ if candidate.evidence.held > 0 => None,
            Some(repair) => Some(format!("after it was changed, it was never performed: {repair}")),
            None => Some("it could never be performed".to_owned()),
        };
    }
    let makes =
        |dmf: &Dmf| dmf.impacts.iter().any(|it| matches!(it.op, ImpactOp::Add | ImpactOp::AddNoDuplicate));
    let made: BTreeSet<DataType> = candidates
        .iter()
        .filter(|it| it.dropped.is_none() && makes(&it.dmf))
        .map(|it| it.dmf.data_type.clone())
        .collect();
    let orphan = |it: &&mut Candidate| !made.contains(&it.dmf.data_type) && takes_known(&it.dmf);
    for candidate in candidates.iter_mut().filter(left).filter(orphan) {
        let noun = &candidate.dmf.data_type;
        candidate.dropped = Some(format!("it needs a {noun}, and what makes one was dropped"));
    }
}

/// A class of names with which a function of known objects never held, while it did with all others.
fn unfit_names(dmf: &Dmf, runs: &[Run]) -> Option<TextClass> {
    if !takes_known(dmf) {
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
fn takes_known(dmf: &Dmf) -> bool {
    dmf.steps.iter().any(|step| matches!(step.input, Input::Existing(_)))
        || dmf.widgets.iter().any(|widget| matches!(widget.selector.text, TextPattern::Existing(_)))
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
        let held = || runs.iter().filter(|run| run.failed.is_none());
        self.held += held().count() as u64;
        for class in held().flat_map(|run| &run.classes) {
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
    dmf.preconditions.push(mark.condition(name, relation));
    Some(what)
}

/// The specification of the candidates. Those that were dropped are not performed.
pub(super) fn spec_of(candidates: &[Candidate], blocks: &[taproof_spec::Block]) -> Spec {
    let dmf = |it: &Candidate| Dmf { not_judged: it.dropped.clone(), ..it.dmf.clone() };
    Spec { dmfs: candidates.iter().map(dmf).collect(), invariants: Vec::new(), blocks: blocks.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;
    use taproof_spec::{DmfKind, Impact};

    fn candidate(kind: DmfKind, name: &str) -> Candidate {
        let mut dmf = Dmf::empty(name, kind, "note");
        if kind == DmfKind::Create {
            dmf.impacts =
                vec![Impact { op: ImpactOp::Add, object: TextPattern::FromRead("name".to_owned()) }];
        } else {
            let text = TextPattern::Existing("note".into());
            let selector = taproof_spec::SpecSelector { text, ..Default::default() };
            dmf.widgets.push(NamedSelector { name: "name".to_owned(), layout: 0, selector });
        }
        Candidate::new(dmf, String::new(), Vec::new())
    }

    fn ran(held: usize, failed: usize) -> Vec<Run> {
        let run = |failed: bool| Run {
            start: Arc::new(layout_from("Button#new\n")),
            classes: Vec::new(),
            texts: Vec::new(),
            failed: failed.then(Vec::new),
        };
        (0..held + failed).map(|number| run(number >= held)).collect()
    }

    fn judged(candidates: &mut [Candidate], runs: Vec<Vec<Run>>) {
        judge(candidates, Performed { runs, cancelled: false }, &CampaignStats::default());
    }

    #[test]
    fn a_function_is_dropped_after_enough_runs_only() {
        let mut candidates = [candidate(DmfKind::Read, "view note")];
        judged(&mut candidates, vec![ran(2, 1)]);
        assert_eq!(candidates[0].dropped, None);
        judged(&mut candidates, vec![ran(4, 1)]);
        let why = candidates[0].dropped.clone().unwrap();
        assert_eq!(why, "it did not hold in 2 of 8 tries", "the runs of both times count");
    }

    #[test]
    fn what_fails_until_the_end_is_not_proposed() {
        let mut candidates = [candidate(DmfKind::Create, "add note"), candidate(DmfKind::Read, "view note")];
        judged(&mut candidates, vec![ran(9, 0), ran(2, 1)]);
        drop_the_rest(&mut candidates);
        assert_eq!(candidates[0].dropped, None);
        assert_eq!(candidates[1].dropped.as_deref(), Some("it did not hold in 1 of 3 tries"));
    }

    #[test]
    fn what_needs_an_object_that_nothing_makes_says_so() {
        let mut candidates = [candidate(DmfKind::Create, "add note"), candidate(DmfKind::Read, "view note")];
        judged(&mut candidates, vec![ran(0, 4), ran(9, 0)]);
        drop_the_rest(&mut candidates);
        let why: Vec<_> = candidates.iter().filter_map(|it| it.dropped.as_deref()).collect();
        assert_eq!(why[0], "it did not hold in 4 of 4 tries");
        assert_eq!(why[1], "it needs a note, and what makes one was dropped");
    }

    #[test]
    fn what_ran_least_is_rare() {
        let mut candidates = [candidate(DmfKind::Create, "add note"), candidate(DmfKind::Read, "view note")];
        judged(&mut candidates, vec![ran(9, 0), ran(3, 0)]);
        assert_eq!(rare(&candidates), ["view note"]);
    }
}
