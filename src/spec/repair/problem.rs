//! Where a run of a function shows that the app has changed.

use std::sync::Arc;

use super::likeness::likeness;
use super::mend::is_by_place;
use super::portrait::{Portrait, Use};
use super::proposal::is_data;
use super::walk::{Sights, Walk, any_text, located};
use crate::{CompiledDmf, CompiledSelector, Condition, Dmf, DmfStep, NamedSelector, Relation};
use taproof_screen::CommonWords;
use taproof_screen::Layout;
use taproof_screen::similarity;

/// Screens of two versions that are less alike are not the same one.
pub const SAME_SCREEN: f64 = 0.6;
/// Screens that are less alike have nothing to do with one another.
const OTHER_SCREEN: f64 = 0.45;
/// A widget that a selector finds is not the one that is meant if another one is more like it by this.
const CLEARLY_MORE: f64 = 0.2;

/// How a run of a function ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It could not begin.
    NotBegun,
    /// This step could not be performed.
    At(usize),
    /// It came to its end. These postconditions, by their index, do not hold.
    Judged(Vec<usize>),
}

/// What a problem is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// A precondition.
    Before,
    /// The step of this number, or what is read before it.
    Step(usize),
    /// A postcondition, or the screen at the end.
    After,
}

/// Something that a function no longer finds, or finds otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What it is about.
    pub spot: Spot,
    /// The widget by its name in the function; `None` if only the screen is another one.
    pub widget: Option<String>,
    /// The screen on which it was looked for.
    pub layout: Arc<Layout>,
    /// Whether the selector finds something, but what it finds is unlike what it found in the old version.
    pub ambiguous: bool,
    /// Whether the selector says nothing but a kind and a place, which others may have now.
    pub by_place: bool,
}

impl Problem {
    fn at(spot: Spot, widget: Option<&NamedSelector>, layout: &Arc<Layout>) -> Problem {
        Problem {
            spot,
            widget: widget.map(|named| named.name.clone()),
            layout: Arc::clone(layout),
            ambiguous: false,
            by_place: widget.is_some_and(|named| is_by_place(&named.selector)),
        }
    }
}

/// What a run shows, with the likeliest cause first. Empty if everything that the function names was found, and was like
/// what it was in the old version: then what does not hold is the app's doing.
pub fn problems(dmf: &Dmf, walk: &Walk, ended: &Ended, sights: Option<&Sights>, app: &str) -> Vec<Problem> {
    let look = Look { dmf, compiled: CompiledDmf::new(dmf), walk, sights, app };
    let mut found = match ended {
        Ended::NotBegun => look.at_start(),
        Ended::At(step) => look.at_step(*step),
        Ended::Judged(failing) => look.at_end(failing),
    };
    if *ended != Ended::NotBegun {
        found.extend(look.unlike_targets());
    }
    found
}

struct Look<'l> {
    dmf: &'l Dmf,
    compiled: CompiledDmf,
    walk: &'l Walk,
    sights: Option<&'l Sights>,
    app: &'l str,
}

impl Look<'_> {
    fn at_start(&self) -> Vec<Problem> {
        let Some(layout) = &self.walk.last else { return Vec::new() };
        let conditions = self.dmf.preconditions.iter();
        let wanted = conditions.filter(|condition| shows(condition)).filter_map(|it| it.widget.as_deref());
        wanted.filter_map(|name| self.missing(Spot::Before, name, layout)).collect()
    }

    fn at_step(&self, step: usize) -> Vec<Problem> {
        let Some(layout) = &self.walk.last else { return Vec::new() };
        let spot = if step == self.dmf.steps.len() { Spot::After } else { Spot::Step(step) };
        let mut found = self.left_out_before(step, layout);
        let screens = [Some(layout), self.walk.waited_on.as_ref().filter(|it| *it != layout)];
        for layout in screens.into_iter().flatten() {
            for name in self.named_at(step) {
                if let Some(problem) = self.missing(spot, name, layout)
                    && !found.contains(&problem)
                {
                    found.push(problem);
                }
            }
        }
        if found.is_empty() {
            // It is there, but covered or on another screen.
            found.push(Problem::at(spot, None, layout));
        }
        found
    }

    /// The widgets that are read before a step, those in whose row others are looked for, and the one that it is done to.
    fn named_at(&self, step: usize) -> Vec<&str> {
        let read = self.compiled.reads_on(step).map(|widget| widget.named.name.as_str());
        let target = self.dmf.steps.get(step).and_then(|it| it.widget.as_deref());
        let mut names = Vec::new();
        for name in read.chain(target) {
            names.extend(self.dmf.widget(name).and_then(|widget| widget.selector.row.as_deref()));
            names.push(name);
        }
        names
    }

    /// The steps right before this one that may be left out, and were only in this version.
    fn left_out_before(&self, step: usize, layout: &Arc<Layout>) -> Vec<Problem> {
        let mut found = Vec::new();
        for number in (0..step).rev() {
            let name =
                self.dmf.steps.get(number).filter(|step| !step.required).and_then(|it| it.widget.as_deref());
            let Some(name) = name.filter(|_| !self.walk.steps.contains_key(&number)) else { break };
            if self.sights.is_none_or(|sights| sights.screens.contains_key(name)) {
                found.extend(self.missing(Spot::Step(number), name, layout));
            }
        }
        found.reverse();
        found.truncate(1);
        found
    }

    fn at_end(&self, failing: &[usize]) -> Vec<Problem> {
        let seen = self.walk.steps.get(&self.dmf.steps.len()).map(|step| &step.layout);
        let Some(layout) = seen.or(self.walk.last.as_ref()) else { return Vec::new() };
        let mut found = Vec::new();
        let other_screen = self.sights.and_then(|sights| sights.end.as_deref());
        if other_screen.is_some_and(|old| similarity(old, layout) < SAME_SCREEN) {
            found.push(Problem::at(Spot::After, None, layout));
        }
        for (index, condition) in self.dmf.postconditions.iter().enumerate() {
            let names: Vec<&str> = match (&condition.relation, condition.widget.as_deref()) {
                (Relation::InOrder(names), _) => names.iter().map(String::as_str).collect(),
                (_, name) => name.into_iter().collect(),
            };
            // What must not be shown is not shown under an old name either.
            let seen_before = |name: &&str| self.sights.is_some_and(|it| it.widgets.contains_key(*name));
            let suspect = |name: &&str| failing.contains(&index) && shows(condition) || seen_before(name);
            found.extend(
                names.into_iter().filter(suspect).filter_map(|name| self.missing(Spot::After, name, layout)),
            );
        }
        found
    }

    /// The problem that nothing on a screen has the names of a widget, whatever it shows.
    fn missing(&self, spot: Spot, name: &str, layout: &Arc<Layout>) -> Option<Problem> {
        let named = self.dmf.widget(name)?;
        let any = CompiledSelector::new(&any_text(named), &[]);
        let there = !any.named.selector.is_empty() && located(&any, layout, self.walk, self.app).is_some();
        (!there && !named.selector.is_empty()).then(|| Problem::at(spot, Some(named), layout))
    }

    /// Steps that were done to something unlike what they were done to in the old version.
    fn unlike_targets(&self) -> Vec<Problem> {
        let Some(sights) = self.sights else { return Vec::new() };
        let mut found: Vec<(f64, Problem)> = Vec::new();
        for (number, step) in self.dmf.steps.iter().enumerate() {
            let (Some(name), Some(seen)) = (&step.widget, self.walk.steps.get(&number)) else { continue };
            let (Some(old), Some(target), Some(named)) =
                (sights.widgets.get(name), seen.target, self.dmf.widget(name))
            else {
                continue;
            };
            let before = Portrait::seen(&old.layout, old.widget, is_data(named, step.action));
            let commons =
                CommonWords::of(old.layout.widgets().iter().filter_map(taproof_screen::Widget::short_id));
            let like = |idx| likeness(&before, &Portrait::seen(&seen.layout, idx, false), &commons).score;
            let fit = Use::of(step.action);
            let others = seen.layout.iter().map(|(idx, _)| idx).filter(|idx| fit.fits(&seen.layout, *idx));
            let best = others.map(like).fold(0.0, f64::max);
            let by_name = named.selector.row.is_none() && !is_text_of_run(named);
            let less = best - like(target);
            if by_name && less >= CLEARLY_MORE {
                let problem = Problem::at(Spot::Step(number), Some(named), &seen.layout);
                found.push((less, Problem { ambiguous: true, ..problem }));
            }
        }
        found.sort_by(|one, other| other.0.total_cmp(&one.0));
        found.into_iter().map(|(_, problem)| problem).collect()
    }
}

/// How many steps of a run were on screens unlike those of the old version, apart from the first one after a step that is
/// new.
pub fn astray(dmf: &Dmf, walk: &Walk, sights: &Sights) -> usize {
    let known = |step: Option<&DmfStep>| {
        step.is_none_or(|step| step.widget.as_ref().is_none_or(|name| sights.screens.contains_key(name)))
    };
    let unlike = |(number, step): (usize, &DmfStep)| {
        let before = number.checked_sub(1).and_then(|before| dmf.steps.get(before));
        let old = sights.screens.get(step.widget.as_ref()?)?;
        let new = &walk.steps.get(&number)?.layout;
        Some(known(before) && similarity(old, new) < OTHER_SCREEN)
    };
    dmf.steps.iter().enumerate().filter_map(unlike).filter(|unlike| *unlike).count()
}

/// Whether a condition says that something is shown.
pub fn shows(condition: &Condition) -> bool {
    matches!(condition.relation, Relation::In | Relation::SameIn | Relation::InOrder(_))
}

fn is_text_of_run(named: &NamedSelector) -> bool {
    use crate::TextPattern;
    matches!(named.selector.text, TextPattern::FromRead(_) | TextPattern::Existing(_))
}
