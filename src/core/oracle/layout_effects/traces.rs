//! Extracts what is compared from traces: layouts with the app in the foreground, the position of the detour, unstable
//! widgets.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Detour, EffectJudge, WidgetKind};
use crate::model::{AppHealth, Frame, Layout, StepRole, Trace};

/// A seed test and a mutant of it, with the layouts of both in order.
#[derive(Clone, Debug)]
pub struct AlignedTest {
    /// The layouts of the seed test; `None` where the app was not in the foreground.
    pub seed: Vec<Option<Arc<Layout>>>,
    /// The layouts of the mutant; `None` where the app was not in the foreground.
    pub mutant: Vec<Option<Arc<Layout>>>,
    /// Index of the seed test's event before which the detour is inserted.
    pub position: usize,
    /// Number of events of the detour.
    pub inserted: usize,
    /// What the detour did.
    pub detour: Detour,
}

/// The layouts of a trace; `None` where the app was not in the foreground. An appended event, such as waiting for a
/// page to load, belongs to the step before it.
pub fn layouts_of(trace: &Trace) -> Vec<Option<Arc<Layout>>> {
    let shown = |frame: &Frame| (frame.health == AppHealth::Running).then(|| Arc::clone(&frame.layout));
    let mut layouts = vec![shown(trace.first())];
    for step in trace.steps() {
        if step.role.is_appended() {
            layouts.pop();
        }
        layouts.push(shown(&step.after));
    }
    layouts
}

/// Aligns a mutant with its seed test. `None` if it has no detour or more than one.
pub fn align(seed: &Trace, mutant: &Trace) -> Option<AlignedTest> {
    let roles: Vec<bool> = mutant
        .steps()
        .iter()
        .filter(|step| !step.role.is_appended())
        .map(|step| step.role == StepRole::Inserted)
        .collect();
    let position = roles.iter().position(|inserted| *inserted)?;
    let inserted = roles[position..].iter().take_while(|inserted| **inserted).count();
    let rest = &roles[position + inserted..];
    (!rest.contains(&true)).then(|| AlignedTest {
        seed: layouts_of(seed),
        mutant: layouts_of(mutant),
        position,
        inserted,
        detour: Detour::of(mutant),
    })
}

/// The kinds of widgets that differ between two runs of one test, and so cannot be compared. If two layouts are too
/// large and too different for the tree edit, all of their kinds count.
pub fn unstable_widgets(
    judge: &mut EffectJudge,
    one: &[Option<Arc<Layout>>],
    other: &[Option<Arc<Layout>>],
) -> BTreeSet<WidgetKind> {
    let mut unstable = BTreeSet::new();
    for (one, other) in one.iter().zip(other) {
        let (Some(one), Some(other)) = (one, other) else { continue };
        let (one, other) = (judge.prepare(one), judge.prepare(other));
        if one.page != other.page || one.key == other.key {
            continue;
        }
        let Some(effects) = judge.effects(&one, &other, 0) else {
            for side in [&one, &other] {
                let kind = |widget| WidgetKind::of(&side.layout, widget);
                unstable.extend(side.layout.widgets().iter().map(kind));
            }
            continue;
        };
        for effect in effects.iter() {
            for (side, idx) in [(&one, effect.from), (&other, effect.to)] {
                unstable.extend(idx.map(|idx| WidgetKind::of(&side.layout, side.layout.widget(idx))));
            }
        }
    }
    unstable
}
