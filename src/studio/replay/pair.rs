//! Two traces compared step by step: Genie's mutant and its seed test, or ODIN's minority and majority.

use std::collections::{BTreeMap, BTreeSet};

use taproof_campaign::Finding;
use taproof_screen::{Layout, Role, StepRole, Trace, Widget, WidgetFlags, WidgetIdx, event_for_people};

/// The corresponding steps of both traces. `None` for a trace that performs no step here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairRow {
    /// Index and sentence of the step in the trace that shows the violation.
    pub witness: Option<(usize, String)>,
    /// Index and sentence of the step in the reference trace.
    pub reference: Option<(usize, String)>,
    /// Whether the step belongs to the inserted detour.
    pub inserted: bool,
    /// Whether the outcomes differ here: the violation is seen after this step.
    pub differs: bool,
}

/// Aligns both traces of a finding. Empty if the finding has no reference trace.
pub fn pair_rows(finding: &Finding) -> Vec<PairRow> {
    let Some(reference) = &finding.reference else { return Vec::new() };
    let (witness, other) = (&finding.minimal.trace, &reference.evidence.trace);
    let alike = reference.goes_on_alike();
    let mut rows = if alike { beside(witness, other) } else { ending_alike(witness, other) };
    if let Some(last) = rows.last_mut() {
        last.differs = true;
    }
    rows
}

/// Aligns traces that are equal except for the detour, which occurs only in the witness.
fn beside(witness: &Trace, reference: &Trace) -> Vec<PairRow> {
    let (mut rows, mut common) = (Vec::new(), 0);
    for (at, step) in witness.steps().iter().enumerate() {
        let inserted = step.role == StepRole::Inserted;
        let other = (!inserted).then(|| said(reference, common)).flatten();
        common += usize::from(!inserted);
        rows.push(PairRow { witness: said(witness, at), reference: other, inserted, differs: false });
    }
    let rest = (common..reference.len()).map(|at| PairRow {
        witness: None,
        reference: said(reference, at),
        inserted: false,
        differs: false,
    });
    rows.extend(rest);
    rows
}

/// Aligns traces by their ends, since only their last events are the same.
fn ending_alike(witness: &Trace, reference: &Trace) -> Vec<PairRow> {
    let length = witness.len().max(reference.len());
    let at =
        |trace: &Trace, row: usize| (row + trace.len()).checked_sub(length).and_then(|at| said(trace, at));
    let row = |row| PairRow {
        witness: at(witness, row),
        reference: at(reference, row),
        inserted: false,
        differs: false,
    };
    (0..length).map(row).collect()
}

fn said(trace: &Trace, at: usize) -> Option<(usize, String)> {
    let (step, before) = (trace.steps().get(at)?, trace.frame(at)?);
    Some((at, event_for_people(&step.event, &before.layout)))
}

/// The position of the reference at a step of the other trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceStep {
    /// The number of the reference's frame to show after the step; 0 is the start. The one before it is shown beside it,
    /// unless the reference waits.
    pub frame: usize,
    /// The reference's step, as a sentence. `None` during the detour.
    pub sentence: Option<String>,
}

impl ReferenceStep {
    /// The frames before and after its step; twice the same while it waits.
    pub fn frames(&self) -> [usize; 2] {
        [self.frame - usize::from(self.sentence.is_some() && self.frame > 0), self.frame]
    }
}

/// Returns the position of the reference after step `step` of the other trace. `None` if there is no such step.
pub fn reference_step(rows: &[PairRow], step: usize) -> Option<ReferenceStep> {
    let row = rows.iter().position(|row| row.witness.as_ref().is_some_and(|(at, _)| *at == step))?;
    // At the end the reference has performed all of its steps.
    let until = if rows[row + 1..].iter().all(|row| row.witness.is_none()) { rows.len() } else { row + 1 };
    let done = rows[..until].iter().rev().find_map(|row| row.reference.as_ref());
    let here = rows[row..until].iter().rev().find_map(|row| row.reference.as_ref());
    Some(ReferenceStep {
        frame: done.map_or(0, |(at, _)| at + 1),
        sentence: here.map(|(_, words)| words.clone()),
    })
}

/// What a step of the reference changes that the same step of the other test does not: the widgets on the reference's screen
/// before it that go, and those on its screen after it that come. `here` and `there` are the screens before and after the
/// step of the other test and of the reference.
pub fn changed_only_there(here: [&Layout; 2], there: [&Layout; 2]) -> [Vec<WidgetIdx>; 2] {
    let [was, is] = there.map(counts);
    let now_here = counts(here[1]);
    let count = |of: &Counts<'_>, look: &Look<'_>| of.get(look).map_or(0, Vec::len);
    let only = |of: &Counts<'_>, changed: &dyn Fn(&Look<'_>) -> bool| -> Vec<WidgetIdx> {
        let mut found: Vec<WidgetIdx> =
            of.iter().filter(|(look, _)| changed(look)).flat_map(|(_, all)| all.iter().copied()).collect();
        found.sort_unstable();
        found.truncate(MOST_MARKS);
        found
    };
    let goes =
        |look: &Look<'_>| count(&was, look) > count(&is, look) && count(&now_here, look) > count(&is, look);
    let comes =
        |look: &Look<'_>| count(&is, look) > count(&was, look) && count(&now_here, look) < count(&is, look);
    [only(&was, &goes), only(&is, &comes)]
}

/// What a person sees of a widget: what it is and says, and whether it is checked or selected.
type Look<'l> = (&'l str, Option<&'l str>, &'l str, &'l str, [bool; 2]);
type Counts<'l> = BTreeMap<Look<'l>, Vec<WidgetIdx>>;

/// The widgets of a screen that a person notices, by their looks.
fn counts(layout: &Layout) -> Counts<'_> {
    let mut counts = Counts::new();
    for (idx, widget) in layout.iter() {
        let states = [WidgetFlags::CHECKED, WidgetFlags::SELECTED].map(|state| widget.flags.has(state));
        let noticed = widget.says().is_some()
            || widget.flags.has(WidgetFlags::CHECKABLE)
            || states[1]
            || layout.role(idx) == Some(Role::Image);
        if noticed && !widget.bounds.is_empty() {
            let look =
                (widget.short_class(), widget.short_id(), &*widget.text, &*widget.content_desc, states);
            counts.entry(look).or_default().push(idx);
        }
    }
    counts
}

/// The widgets on the reference's last screen that show the difference: those with texts reported as missing or else
/// those with texts that the other screen lacks. At most `MOST_MARKS`.
pub fn reference_marks(finding: &Finding) -> Vec<WidgetIdx> {
    let Some(reference) = &finding.reference else { return Vec::new() };
    let (right, wrong) = (&reference.evidence.trace.last().layout, &finding.minimal.trace.last().layout);
    let missing: Vec<&str> =
        finding.violation.failures.iter().filter_map(|it| it.missing.as_deref()).collect();
    let says =
        |widget: &Widget| !widget.text.is_empty() && missing.iter().any(|it| it.contains(&*widget.text));
    let of = |wanted: &dyn Fn(&Widget) -> bool| -> Vec<WidgetIdx> {
        right.iter().filter(|(_, widget)| wanted(widget)).map(|(idx, _)| idx).take(MOST_MARKS).collect()
    };
    let named = of(&says);
    if !named.is_empty() {
        return named;
    }
    let shown: BTreeSet<&str> = wrong.iter().map(|(_, widget)| &*widget.text).collect();
    of(&|widget| !widget.text.is_empty() && !shown.contains(&*widget.text))
}

/// Maximum number of marks; more would not draw attention to anything.
const MOST_MARKS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    fn row(witness: Option<usize>, reference: Option<usize>) -> PairRow {
        let said = |at: Option<usize>| at.map(|at| (at, format!("do {at}")));
        let inserted = reference.is_none();
        PairRow { witness: said(witness), reference: said(reference), inserted, differs: false }
    }

    #[test]
    fn what_changes_in_one_test_only_is_marked_there() {
        let list = |rows: &[&str]| {
            let rows: String = rows.iter().map(|row| format!("    TextView#row \"{row}\"\n")).collect();
            layout_from(&format!("FrameLayout\n  ListView#list\n{rows}"))
        };
        let (before, added, removed) = (list(&["a", "b"]), list(&["a", "b", "c"]), list(&["b"]));
        let marks = |here: &Layout, there: &Layout| -> [Vec<u32>; 2] {
            let changed = changed_only_there([&before, here], [&before, there]);
            changed.map(|all| all.iter().map(|it| it.0).collect())
        };
        let none: Vec<u32> = Vec::new();
        assert_eq!(marks(&before, &added), [none.clone(), vec![4]], "the row comes there only");
        assert_eq!(marks(&before, &removed), [vec![2], none.clone()], "the row goes there only");
        assert_eq!(marks(&added, &added), [none.clone(), none]);
    }

    #[test]
    fn the_reference_waits_while_a_detour_is_made() {
        let rows = [row(Some(0), Some(0)), row(Some(1), None), row(Some(2), Some(1)), row(None, Some(2))];
        let at = |step| reference_step(&rows, step).map(|it| (it.frame, it.sentence.is_some()));
        assert_eq!([at(0), at(1), at(2), at(3)], [Some((1, true)), Some((1, false)), Some((3, true)), None]);
    }
}
