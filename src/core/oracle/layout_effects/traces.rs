//! From traces to what is compared: layouts with the app in front, where the detour stands, what is unstable.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{EffectJudge, WidgetKind};
use crate::model::{AppHealth, Frame, Layout, StepRole, Trace};

/// A mutant beside its seed test, by place.
#[derive(Clone, Debug)]
pub struct AlignedTest {
    /// The seed test's layouts.
    pub seed: Vec<Option<Arc<Layout>>>,
    /// The mutant's.
    pub mutant: Vec<Option<Arc<Layout>>>,
    /// The detour stands before this event of the seed test.
    pub position: usize,
    /// Events of the detour.
    pub inserted: usize,
}

/// The layouts of a trace, `None` where the app was not in front. What was appended to a step, such as waiting for a
/// page to load, belongs to it.
pub fn layouts_of(trace: &Trace) -> Vec<Option<Arc<Layout>>> {
    let shown = |frame: &Frame| (frame.health == AppHealth::Running).then(|| Arc::clone(&frame.layout));
    let mut layouts = vec![shown(trace.first())];
    for step in trace.steps() {
        if step.role == StepRole::Appended {
            layouts.pop();
        }
        layouts.push(shown(&step.after));
    }
    layouts
}

/// Puts a mutant beside its seed test. `None` if it has no detour, more than one, or one that was not left.
pub fn align(seed: &Trace, mutant: &Trace) -> Option<AlignedTest> {
    let roles: Vec<bool> = mutant
        .steps()
        .iter()
        .filter(|step| step.role != StepRole::Appended)
        .map(|step| step.role == StepRole::Inserted)
        .collect();
    let position = roles.iter().position(|inserted| *inserted)?;
    let inserted = roles[position..].iter().take_while(|inserted| **inserted).count();
    let rest = &roles[position + inserted..];
    (!rest.is_empty() && !rest.contains(&true)).then(|| AlignedTest {
        seed: layouts_of(seed),
        mutant: layouts_of(mutant),
        position,
        inserted,
    })
}

/// What differs between two runs of one test, by kind: it cannot be compared. Of layouts that are too large and too different
/// to tell it is all of them.
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
