//! Vacuity: postconditions that hold whatever the app does, and so find no bug.
//!
//! As in vacuity detection for model checking, and in mutation analysis of specifications, a condition that holds is broken
//! on purpose. Each *mutant* of the end of a run is what a wrong app could have shown instead: another object, another value
//! in a widget, another page. A condition is *vacuous* if it holds for all of them. Conditions are evaluated on copies of
//! what was seen; nothing is done on the device.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::{
    Action, Bindings, CheckOutcome, CompiledDmf, CompiledSelector, Condition, DataModel, DmfKind, ImpactOp,
    Relation, Scene, SpecSelector, TextPattern,
};
use crate::compiled::compiled_selector::Scope;
use taproof_screen::Looks;
use taproof_screen::{Layout, WidgetFlags, WidgetIdx, is_visible, one_line};

/// A text that no screen shows.
const ANOTHER: &str = "\u{2042} another \u{2042}";

/// Number of rows of the last screen with which an object is confused.
const MAX_ROWS: usize = 20;

/// Why a condition on the data alone cannot fail.
pub(super) const OWN_RECORD: &str =
    "it speaks of our own record of the data alone, so whatever the app shows it is the same";

/// Why a condition cannot fail that only the field satisfies which was typed into.
pub(super) const TYPED_FIELD: &str = "only the field that was typed into shows it, and that it does whatever the app makes of \
     it; pick the row, title or line where the app itself shows it";

/// A run of a DMF that came to its end.
#[derive(Clone, Copy, Debug)]
pub struct EndedRun<'a> {
    /// All screens of the test in order, up to the one on which the run was judged.
    pub screens: &'a [Arc<Layout>],
    /// Index of the screen on which the run began.
    pub first: usize,
    /// The data that the app should hold at the end.
    pub data: &'a DataModel,
    /// The texts that the run read and drew.
    pub bindings: &'a Bindings,
    /// Package name of the app.
    pub app: &'a str,
}

/// What came of breaking a condition after one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Breaking {
    /// Some mutant breaks it.
    Killed,
    /// It holds for all mutants; why, for people.
    Survived(String),
    /// The run does not tell: it did not hold at the end, or what it speaks of was never shown, nor expected to be.
    NotJudged,
}

/// Breaks each postcondition of a DMF after a run, in file order.
pub fn break_postconditions(dmf: &CompiledDmf, run: EndedRun<'_>) -> Vec<Breaking> {
    let Some(end) = run.screens.last() else { return Vec::new() };
    let mut breaker = Breaker { dmf, run, end, at_end: Vec::new(), mutants: Vec::new() };
    breaker.at_end = breaker.judge(dmf, end, run.data, run.bindings);
    breaker.mutate();
    (0..dmf.dmf.postconditions.len()).map(|index| breaker.breaking(index)).collect()
}

/// The postconditions that held in some of these runs and that nothing broke in any, by their index, and why.
pub fn never_broken<'b>(runs: impl Iterator<Item = &'b [Breaking]>) -> Vec<(usize, &'b str)> {
    let mut found: Vec<Option<Breaking>> = Vec::new();
    let mut whys: Vec<(usize, &str)> = Vec::new();
    for run in runs {
        found.resize(found.len().max(run.len()), None);
        for (index, breaking) in run.iter().enumerate() {
            match (&found[index], breaking) {
                (Some(Breaking::Killed), _) | (_, Breaking::NotJudged) => {}
                (_, Breaking::Killed) => {
                    found[index] = Some(Breaking::Killed);
                    whys.retain(|(known, _)| *known != index);
                }
                (_, Breaking::Survived(why)) => {
                    found[index] = Some(breaking.clone());
                    whys.retain(|(known, _)| *known != index);
                    whys.push((index, why));
                }
            }
        }
    }
    whys.sort_unstable();
    whys
}

/// Whether two screens are of one page of the app, whatever its lists hold.
pub(super) fn is_same_page(one: &Layout, other: &Layout) -> bool {
    let alike = |looks: fn(&Layout) -> Looks| looks(one).likeness(&looks(other)).is_some();
    alike(Looks::of) || alike(Looks::without_items)
}

/// Whether the text of a selector is an object's or another text of the run.
pub(super) fn is_by_data(selector: &SpecSelector) -> bool {
    matches!(selector.text, TextPattern::FromRead(_) | TextPattern::Existing(_))
}

/// Whether the only widget that shows the text of a run is the field into which it was typed, from then to the end. `scenes`
/// are those of the run, in order.
pub(super) fn is_only_typed<'s>(
    dmf: &CompiledDmf,
    widget: &CompiledSelector,
    scenes: impl DoubleEndedIterator<Item = Scene<'s>>,
) -> bool {
    let steps = &dmf.dmf.steps;
    let typed_last = steps.last().is_some_and(|step| step.action == Action::Edit);
    let judged = match dmf.dmf.kind {
        DmfKind::Read => false,
        DmfKind::Property => typed_last,
        DmfKind::Create | DmfKind::Update | DmfKind::Delete | DmfKind::Search => true,
    };
    let types = steps.iter().any(|step| step.action == Action::Edit);
    if !is_by_data(&widget.named.selector) || !judged || !types {
        return false;
    }
    // For each screen from the last: whether it shows the text, and whether fields alone do.
    let mut shown = scenes.rev().map(|scene| {
        let found = widget.locate(Scope::App(scene.app), &scene).unwrap_or_default();
        let fields = found.iter().all(|idx| scene.layout.widget(*idx).is_text_field());
        (!found.is_empty(), fields)
    });
    let at_end = shown.next();
    // A field that shows it again after it was gone, such as that of an editor that was opened anew, proves something.
    at_end == Some((true, true)) && !shown.skip_while(|now| *now == (true, true)).any(|(shown, _)| shown)
}

/// What a wrong app could have shown instead of the end, as the conditions see it.
struct Mutant {
    outcomes: Vec<CheckOutcome>,
    /// Whether it is another page than the last one.
    other_page: bool,
}

struct Breaker<'a> {
    dmf: &'a CompiledDmf,
    run: EndedRun<'a>,
    end: &'a Arc<Layout>,
    at_end: Vec<CheckOutcome>,
    mutants: Vec<Mutant>,
}

impl Breaker<'_> {
    fn judge(
        &self,
        dmf: &CompiledDmf,
        layout: &Layout,
        data: &DataModel,
        bindings: &Bindings,
    ) -> Vec<CheckOutcome> {
        dmf.check_postconditions(&Scene { layout, data, app: self.run.app, bindings })
    }

    fn scene<'s>(&'s self, layout: &'s Layout) -> Scene<'s> {
        Scene { layout, data: self.run.data, app: self.run.app, bindings: self.run.bindings }
    }

    fn add(&mut self, layout: &Layout, data: &DataModel, bindings: &Bindings, other_page: bool) {
        let outcomes = self.judge(self.dmf, layout, data, bindings);
        self.mutants.push(Mutant { outcomes, other_page });
    }

    /// The mutants that do not depend on a condition: another object was worked on; another row of the last screen is that
    /// of the object; the app stayed on, or went back to, another screen of the run, or another one of the same page.
    fn mutate(&mut self) {
        let EndedRun { screens, first, data, bindings, .. } = self.run;
        let end = Arc::clone(self.end);
        self.add(&end, &with_other_objects(data), &bindings.with_texts(|_, _| ANOTHER.to_owned()), false);
        for (name, text) in self.texts_of_rows() {
            let confused = bindings.with_texts(|widget, own| match widget == name {
                true => text.clone(),
                false => own.to_owned(),
            });
            self.add(&end, &without(data, &text), &confused, false);
        }
        for (index, screen) in screens.iter().enumerate() {
            let other_page = !is_same_page(screen, &end);
            if **screen != *end && (index >= first || !other_page) {
                self.add(screen, data, bindings, other_page);
            }
        }
    }

    /// The texts with which an object of the run could be confused: those of the widgets of the last screen that are like the
    /// one that shows it, with the name under which it is bound.
    fn texts_of_rows(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for widget in self.dmf.widgets() {
            let name = match &widget.named.selector.text {
                TextPattern::FromRead(name) => name,
                TextPattern::Existing(_) => &widget.named.name,
                TextPattern::Any | TextPattern::Is(_) => continue,
            };
            for idx in self.alike(widget).into_iter().take(MAX_ROWS) {
                let text = self.end.widget(idx).text.to_string();
                if is_visible(&text) && !found.contains(&(name.clone(), text.clone())) {
                    found.push((name.clone(), text));
                }
            }
        }
        found
    }

    /// The widgets of the last screen that have all parts of a selector but its text, row and instance.
    fn alike(&self, widget: &CompiledSelector) -> Vec<WidgetIdx> {
        self.alike_on(widget, self.end)
    }

    fn alike_on(&self, widget: &CompiledSelector, layout: &Layout) -> Vec<WidgetIdx> {
        let mut named = widget.named.clone();
        named.selector.text = TextPattern::Any;
        (named.selector.row, named.selector.instance) = (None, None);
        let any = CompiledSelector::new(&named, &[]);
        any.locate(Scope::App(self.run.app), &self.scene(layout)).unwrap_or_default()
    }

    /// Whether the object must have been shown there before, or such a widget was. What is looked for in vain was not.
    fn was_there(&self, widget: &CompiledSelector) -> bool {
        matches!(self.dmf.dmf.kind, DmfKind::Delete | DmfKind::Update)
            || self.run.screens.iter().any(|screen| !self.alike_on(widget, screen).is_empty())
    }

    fn breaking(&self, index: usize) -> Breaking {
        let condition = &self.dmf.dmf.postconditions[index];
        if self.at_end.get(index) != Some(&CheckOutcome::Holds) {
            return Breaking::NotJudged;
        }
        let no = |why: &str| Breaking::Survived(why.to_owned());
        let killed_where = |relation| match self.fails_with(index, relation) {
            true => Breaking::Killed,
            false => no("too few of the widgets that it speaks of were shown"),
        };
        match &condition.relation {
            _ if !condition.or.is_empty() => {
                let killed = self.mutants.iter().any(|mutant| fails(&mutant.outcomes, index));
                return if killed { Breaking::Killed } else { Breaking::NotJudged };
            }
            Relation::InOrder(names) => {
                return killed_where(Relation::InOrder(names.iter().rev().cloned().collect()));
            }
            Relation::Smaller(_) if condition.widget.is_some() => return killed_where(Relation::Smaller(0)),
            _ => {}
        }
        let Some(widget) = condition.widget.as_deref().and_then(|name| self.dmf.widget(name)) else {
            return no(OWN_RECORD);
        };
        let shown = matches!(condition.relation, Relation::In | Relation::SameIn);
        let scenes = self.run.screens.iter().skip(self.run.first).map(|screen| self.scene(screen));
        if shown && is_only_typed(self.dmf, widget, scenes) {
            return no(TYPED_FIELD);
        }
        // Whatever the row of the object shows there passes, as long as it shows something.
        let blind = shown && is_blind(condition, &widget.named.selector);
        // Where an object is shown elsewhere only, nobody would notice at the end that it is there.
        let here = !shown && is_by_data(&widget.named.selector);
        let kills = |mutant: &Mutant| {
            fails(&mutant.outcomes, index)
                && !(here && mutant.other_page)
                && !(blind && self.others_fail(&mutant.outcomes, index))
        };
        if self.mutants.iter().any(kills) || self.value_kills(index, condition, widget) {
            return Breaking::Killed;
        }
        if here && !self.was_there(widget) {
            return Breaking::NotJudged;
        }
        Breaking::Survived(match (blind, shown, here) {
            (true, ..) => self.blind_words(widget),
            (_, true, _) => {
                "every screen of the run shows it, so it holds wherever the function ends".to_owned()
            }
            (.., true) => {
                "the page at the end shows no such widget, whatever the app holds; pick a widget that shows \
                           it on that page"
                    .to_owned()
            }
            (.., false) => "no screen of the run shows such a widget".to_owned(),
        })
    }

    /// Whether the condition fails at the end with another relation.
    fn fails_with(&self, index: usize, relation: Relation) -> bool {
        let mut dmf = self.dmf.dmf.clone();
        dmf.postconditions[index].relation = relation;
        fails(&self.judge(&CompiledDmf::new(&dmf), self.end, self.run.data, self.run.bindings), index)
    }

    /// Whether another condition that holds at the end does not hold for a mutant.
    fn others_fail(&self, outcomes: &[CheckOutcome], index: usize) -> bool {
        (0..outcomes.len())
            .any(|other| other != index && fails(outcomes, other) && !fails(&self.at_end, other))
    }

    /// Whether the condition fails if the widgets that it speaks of show another value or state.
    fn value_kills(&self, index: usize, condition: &Condition, widget: &CompiledSelector) -> bool {
        let scene = self.scene(self.end);
        let named = widget.locate(Scope::App(self.run.app), &scene).unwrap_or_default();
        let flip = |flags: WidgetFlags, flag| flags.with(flag, !flags.has(flag));
        let another = self.end.with_changed(&named, |widget| {
            widget.text = ANOTHER.into();
            if widget.flags.has(WidgetFlags::CHECKABLE) {
                widget.flags = flip(widget.flags, WidgetFlags::CHECKED);
            }
            widget.flags = flip(widget.flags, WidgetFlags::SELECTED);
        });
        let (data, bindings) = (self.run.data, self.run.bindings);
        if fails(&self.judge(self.dmf, &another, data, bindings), index) {
            return true;
        }
        // What shows no known object could show one.
        let Some(data_type) = &condition.data_type else { return false };
        named.iter().take(MAX_ROWS).any(|idx| {
            let mut known = data.clone();
            known.apply(data_type, &ImpactOp::Add, &self.end.widget(*idx).text);
            fails(&self.judge(self.dmf, self.end, &known, bindings), index)
        })
    }

    fn blind_words(&self, widget: &CompiledSelector) -> String {
        let named = widget.locate(Scope::App(self.run.app), &self.scene(self.end)).unwrap_or_default();
        let texts = named.into_iter().map(|idx| &self.end.widget(idx).text);
        let value = texts.into_iter().find(|text| is_visible(text));
        let value = value.map(|text| format!(" (\u{201c}{}\u{201d})", one_line(text))).unwrap_or_default();
        format!(
            "it asks that something is shown in the row, but not what{value}, so that any other value passes; give \
             its widget the text"
        )
    }
}

/// Whether a condition that a widget is shown asks for no value: it names whatever stands in the row of an object.
fn is_blind(condition: &Condition, selector: &SpecSelector) -> bool {
    selector.row.is_some()
        && selector.text == TextPattern::Any
        && condition.state.is_none()
        && condition.data_type.is_none()
}

fn fails(outcomes: &[CheckOutcome], index: usize) -> bool {
    matches!(outcomes.get(index), Some(CheckOutcome::Fails(_)))
}

/// The same data without the objects of this text.
fn without(data: &DataModel, text: &str) -> DataModel {
    let mut gone = data.clone();
    for (data_type, objects) in data.types() {
        for _ in objects.iter().filter(|object| *object == text) {
            gone.apply(data_type, &ImpactOp::Delete, text);
        }
    }
    gone
}

/// The same data with other objects.
fn with_other_objects(data: &DataModel) -> DataModel {
    let mut others = DataModel::new();
    for (data_type, objects) in data.types() {
        for _ in objects {
            others.apply(data_type, &ImpactOp::Add, ANOTHER);
        }
    }
    others
}
