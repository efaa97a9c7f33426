//! Extracts what is compared from traces: layouts with the app in the foreground, the position of the detour, unstable
//! widgets.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Detour, EffectJudge, WidgetKind};
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{AppHealth, Frame, Layout, StepRole, Trace};

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

/// The pause that the seed test rests for in place of a mutant's detour, so that what changes by itself in that time is not
/// taken for an effect of the detour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DetourPause {
    /// Number of the seed test's events before it.
    pub after: usize,
    /// How long the detour took.
    pub length: DeviceDuration,
}

impl DetourPause {
    /// The pause for the detour of a mutant; `None` if it has none.
    pub fn of(mutant: &Trace) -> Option<DetourPause> {
        let steps = mutant.steps();
        let first = steps.iter().position(|step| step.role == StepRole::Inserted)?;
        let belongs = |role: StepRole| role == StepRole::Inserted || role.is_appended();
        let end = first + steps[first..].iter().take_while(|step| belongs(step.role)).count();
        Some(DetourPause {
            after: steps[..first].iter().filter(|step| !step.role.is_appended()).count(),
            length: mutant.frame(end)?.at.since(mutant.frame(first)?.at),
        })
    }
}

/// Aligns a mutant with its seed test. `None` if it has no detour or more than one.
pub fn align(seed: &Trace, mutant: &Trace) -> Option<AlignedTest> {
    let roles: Vec<bool> = mutant.chosen_steps().map(|step| step.role == StepRole::Inserted).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::determinism::DeviceInstant;
    use taproof_screen::{Event, Step, frame_of, layout_from};

    #[test]
    fn the_pause_is_as_long_as_the_detour_with_what_it_waited_for() {
        let frame = |at| Frame { at: DeviceInstant(at), ..frame_of(layout_from("FrameLayout\n")) };
        let mut mutant = Trace::start(frame(100));
        let roles =
            [StepRole::Seed, StepRole::Appended, StepRole::Inserted, StepRole::Inserted, StepRole::Appended];
        for (at, role) in (1..).zip(roles) {
            mutant.push(Step { event: Event::Rotate, role, after: frame(1000 * at) });
        }
        assert_eq!(DetourPause::of(&mutant), Some(DetourPause { after: 1, length: DeviceDuration(3000) }));
        mutant.push(Step { event: Event::Rotate, role: StepRole::Seed, after: frame(9000) });
        assert_eq!(DetourPause::of(&mutant).map(|pause| pause.length), Some(DeviceDuration(3000)));
    }
}
