//! Recorded traces without roles: which is a mutant of which, and what it violates.

use std::sync::Arc;

use taproof_engine::oracle::{
    EffectJudge, EffectRule, TestPair, align, detour_words, layouts_of, merge_batches, unstable_widgets,
};
use taproof_screen::{Event, Layout, Same, StepRole, Trace, Violation, touched_widget};

/// A violation of a mutant, seen in one comparison or in several with the same contexts.
#[derive(Clone, Debug)]
pub struct LostEffect {
    /// The violation: which effect of the seed test is lost.
    pub violation: Violation,
    /// Whether every trace-back order shows it.
    pub firm: bool,
    /// Number of the mutant's event, from 1, after which it shows.
    pub step: usize,
}

/// An event of a trace that was not appended, with the layout on which it was performed.
struct RecordedEvent<'t> {
    event: &'t Event,
    on: &'t Arc<Layout>,
    inserted: bool,
}

fn done_in(trace: &Trace) -> Vec<RecordedEvent<'_>> {
    let chosen = trace.framed_steps().filter(|(_, step)| !step.role.is_appended());
    let done = chosen.map(|(before, step)| RecordedEvent {
        event: &step.event,
        on: &before.layout,
        inserted: step.role == StepRole::Inserted,
    });
    done.collect()
}

impl RecordedEvent<'_> {
    /// Whether both perform the same gesture on widgets of the same kind. Texts may differ from run to run.
    fn is_like(&self, other: &RecordedEvent<'_>) -> bool {
        let (Event::Widget { gesture, .. }, Event::Widget { gesture: meant, .. }) = (self.event, other.event)
        else {
            return self.event == other.event;
        };
        let kind = |done: &RecordedEvent<'_>| {
            let widget = done.on.widget(touched_widget(done.event, done.on)?);
            Some((widget.class.clone(), widget.resource_id.clone()))
        };
        gesture == meant && kind(self) == kind(other)
    }
}

fn alike(ones: &[RecordedEvent<'_>], others: &[RecordedEvent<'_>]) -> bool {
    ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| one.is_like(other))
}

/// The mutant with its detour marked, if it is the seed test with a detour: according to its roles or, without these,
/// if the additional events begin and end on the same page. `None` otherwise.
pub fn as_mutant(seed: &Trace, mutant: &Trace) -> Option<Trace> {
    let (of_seed, of_mutant) = (done_in(seed), done_in(mutant));
    let more = of_mutant.len().checked_sub(of_seed.len()).filter(|more| *more > 0)?;
    let fits = |position: usize| {
        let (before, rest) = of_seed.split_at(position);
        let back = &of_mutant[position + more..];
        alike(before, &of_mutant[..position])
            && alike(rest, back)
            && (rest.first().zip(back.first()))
                .is_some_and(|(one, other)| one.on.key(Same::Page) == other.on.key(Same::Page))
    };
    let marked = of_mutant.iter().any(|done| done.inserted);
    let position = match of_mutant.iter().position(|done| done.inserted) {
        Some(position) => Some(position).filter(|position| *position <= of_seed.len() && fits(*position)),
        None => (0..of_seed.len()).find(|position| fits(*position)),
    }?;
    Some(if marked { mutant.clone() } else { with_detour(mutant, position, more) })
}

fn with_detour(trace: &Trace, position: usize, length: usize) -> Trace {
    let mut marked = Trace::start(trace.first().clone());
    let mut place = 0;
    for step in trace.steps() {
        let mut step = step.clone();
        if !step.role.is_appended() {
            if (position..position + length).contains(&place) {
                step.role = StepRole::Inserted;
            }
            place += 1;
        }
        marked.push(step);
    }
    marked
}

/// Whether both perform the same events, so that they are two runs of one test.
pub fn is_another_run(one: &Trace, other: &Trace) -> bool {
    alike(&done_in(one), &done_in(other))
}

/// The violations of a marked mutant. What differs between the seed test and `other_runs` of it is not compared.
pub fn lost_effects(
    seed: &Trace,
    mutant: &Trace,
    other_runs: &[&Trace],
    rule: &EffectRule,
) -> Vec<LostEffect> {
    let Some(aligned) = align(seed, mutant) else { return Vec::new() };
    let mut rule = rule.clone();
    let mut first = EffectJudge::new(rule.clone());
    for run in other_runs {
        rule.ignored.extend(unstable_widgets(&mut first, &aligned.seed, &layouts_of(run)));
    }
    let mut judge = EffectJudge::new(rule.clone());
    let (seed, mutant_layouts) = (judge.prepare_all(&aligned.seed), judge.prepare_all(&aligned.mutant));
    let (position, inserted) = (aligned.position, aligned.inserted);
    let test =
        TestPair { seed: &seed, mutant: &mutant_layouts, position, inserted, detour: Some(&aligned.detour) };
    let batches = judge.judge(test);
    let detour = detour_words(mutant);
    let errors = merge_batches(&batches);
    let told = errors.iter().filter_map(|error| {
        let together = || error.batches.iter().map(|place| &batches[*place]);
        let shown = together().find(|batch| batch.firm).or(together().next())?;
        let violation = shown.violation(test, &detour)?;
        Some(LostEffect { violation, firm: shown.firm, step: shown.places.mutant.1 })
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Frame, Gesture, Key, Selector, Step, frame_of, layout_from};

    fn frame(text: &str) -> Frame {
        frame_of(layout_from(text))
    }

    /// A trace over pages: what is tapped there (`back` is the key), and the page after it.
    fn trace(start: &str, steps: &[(&str, &str)]) -> Trace {
        let mut trace = Trace::start(frame(start));
        for (what, after) in steps {
            let selector = Selector { text: Some((*what).to_owned()), ..Selector::default() };
            let event = match *what {
                "back" => Event::Key(Key::Back),
                _ => Event::on(&trace.last().layout, selector, Gesture::Tap).unwrap(),
            };
            trace.push(Step { event, role: StepRole::Explored, after: frame(after) });
        }
        trace
    }

    const EMPTY: &str = "LinearLayout\n  Button#add \"add\" (x)\n  Button#help \"help\"\n  ListView#list\n";
    const FULL: &str = "LinearLayout\n  Button#add \"add\" (x)\n  Button#help \"help\"\n  ListView#list\n    \
                        TextView#row \"one\"\n";
    const HELP: &str = "FrameLayout\n  TextView#text \"help text\"\n";

    #[test]
    fn a_detour_is_found_and_what_it_loses() {
        let seed = trace(EMPTY, &[("add", FULL), ("add", FULL)]);
        let good = trace(EMPTY, &[("help", HELP), ("back", EMPTY), ("add", FULL), ("add", FULL)]);
        let bad = trace(EMPTY, &[("help", HELP), ("back", EMPTY), ("add", EMPTY), ("add", EMPTY)]);
        let lost = |mutant: &Trace| {
            let marked = as_mutant(&seed, mutant).unwrap();
            lost_effects(&seed, &marked, &[], &EffectRule::default())
        };
        assert!(lost(&good).is_empty());
        let lost = lost(&bad);
        assert!(!lost.is_empty() && lost[0].firm, "{lost:?}");
        assert_eq!(
            lost[0].violation.title,
            "\u{201c}one\u{201d} is missing on the first screen if \u{201c}help\u{201d} was opened and closed with Back \
             before"
        );
    }

    #[test]
    fn of_a_field_it_is_told_what_it_should_hold() {
        let page = |text: &str| {
            format!(
                "FrameLayout\n  Button#add \"add\"\n  Button#help \"help\"\n  EditText#name \"{text}\" (Name)\n"
            )
        };
        let (empty, full) = (page(""), page("Rye"));
        let seed = trace(&empty, &[("add", &full), ("add", &full)]);
        let bad = trace(&empty, &[("help", HELP), ("back", &empty), ("add", &empty), ("add", &empty)]);
        let marked = as_mutant(&seed, &bad).unwrap();
        let lost = lost_effects(&seed, &marked, &[], &EffectRule::default());
        let violation = &lost[0].violation;
        assert!(violation.title.starts_with("The field “Name” does not say “Rye” on"), "{}", violation.title);
        assert_eq!(violation.failures[0].missing.as_deref(), Some("Rye"));
    }

    #[test]
    fn a_list_that_the_detour_filled_before_loses_nothing_when_it_shows_other_rows() {
        let page = |rows: &[&str]| {
            let row = |name: &&str| format!("    LinearLayout#row\n      TextView#name \"{name}\"\n");
            let rows: String = rows.iter().map(row).collect();
            let tabs = "  Button#new \"new\"\n  Button#open \"open\"\n  Button#done \"done\"\n";
            format!("FrameLayout\n{tabs}  ListView#list\n{rows}")
        };
        let (all, more) = (page(&["Rye", "Oil", "Ham"]), page(&["Rye", "Oil", "Ham", "Tea"]));
        let done = page(&["Oil", "Ham"]);
        let rule = EffectRule { visible_loss: true, ..EffectRule::default() };
        let lost = |done_after: &str| {
            let seed = trace(&all, &[("open", &page(&["Rye"])), ("done", &done)]);
            let detour =
                [("new", HELP), ("back", &more), ("open", &page(&["Rye", "Tea"])), ("done", done_after)];
            let marked = as_mutant(&seed, &trace(&all, &detour)).unwrap();
            lost_effects(&seed, &marked, &[], &rule).len()
        };
        assert_eq!(lost(&done), 0);
        assert_ne!(lost(&page(&["Oil"])), 0);
    }

    #[test]
    fn what_is_no_mutant_is_none() {
        let seed = trace(EMPTY, &[("add", FULL)]);
        for other in [
            trace(EMPTY, &[("add", FULL)]),
            trace(EMPTY, &[("help", HELP)]),
            trace(EMPTY, &[("help", HELP), ("back", EMPTY)]),
            // It does not come back before the test goes on.
            trace(EMPTY, &[("add", FULL), ("help", HELP)]),
        ] {
            assert!(as_mutant(&seed, &other).is_none());
        }
        assert!(is_another_run(&seed, &trace(EMPTY, &[("add", EMPTY)])));
        assert!(!is_another_run(&seed, &trace(EMPTY, &[("help", FULL)])));
    }
}
