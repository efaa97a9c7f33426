//! Genie's oracle (genie.md 9 and 10): whatever a seed test changed on the GUI must still be changed when a detour
//! through independent widgets was inserted. More may change, less may not.
//!
//! Two runs in, violation batches out. Scripts of the tree edit are not unique, so each batch says whether it is there
//! under every trace-back order (*firm*) or only under the canonical one (*weak*).

mod comparison;
mod errors;
mod prepared;
mod recorded;
mod traces;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{
    EditOp, LabelBasis, Layout, LayoutKey, TEXT_LIMIT, Text, TieOrder, TreeEditor, Widget, WidgetIdx,
    dice_permille, input_state, is_dialog,
};

pub use comparison::{EffectComparison, EffectTriage, detour_words};
pub use errors::{Batch, EffectError, ErrorKey, merge_batches};
pub use prepared::Prepared;
pub use recorded::{LostEffect, as_mutant, is_another_run, lost_effects};
pub use traces::{AlignedTest, align, layouts_of, unstable_widgets};

/// Scripts remembered before the memory is emptied.
const MAX_SCRIPTS: usize = 200_000;
/// Layouts remembered before the memory is emptied.
const MAX_LAYOUTS: usize = 20_000;

/// Widgets of one kind on one activity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WidgetKind {
    /// `package/class` of the activity in front.
    pub activity: Text,
    /// Full class name.
    pub class: Text,
    /// The id; `None` for widgets without one.
    pub resource_id: Option<Text>,
}

impl WidgetKind {
    /// What kind a widget is.
    pub fn of(layout: &Layout, widget: &Widget) -> Self {
        WidgetKind {
            activity: layout.activity().clone(),
            class: widget.class.clone(),
            resource_id: widget.resource_id.clone(),
        }
    }
}

/// What of two effects must be equal for them to be partners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContextLevel {
    /// The widget itself, with what is in it.
    Widget,
    /// The nearest widget around it that has several children.
    #[default]
    Around,
}

/// How effects are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EffectRule {
    /// What must be equal.
    pub context: ContextLevel,
    /// Whether errors that differ in texts only are two.
    pub merge_with_texts: bool,
    /// Whether an effect is lost only if its outcome does not show in the mutant: what came or changed is not there, or
    /// what went still is; and not on the activity that the detour itself took something away from.
    pub visible_loss: bool,
    /// Whether only pages of the seed test with one headline are compared: a page of another headline shows another
    /// thing, as does a dialog or a menu each time, and how the two differ is no effect.
    pub one_headline: bool,
    /// Whether on the pivot's page changes count from the pivot on, in the mutant from where the detour came back: what
    /// the detour did itself is no effect.
    pub from_pivot: bool,
    /// What a detour must come back to.
    pub comes_back: Option<PivotReturn>,
    /// Characters of a text beyond which it does not count.
    pub text_limit: usize,
    /// Widgets that are cut out with what is in them: unstable ones, and what people named.
    pub ignored: Vec<WidgetKind>,
    /// Lists in which the order of the children does not count.
    pub unordered: Vec<WidgetKind>,
}

impl Default for EffectRule {
    fn default() -> Self {
        EffectRule {
            context: ContextLevel::default(),
            merge_with_texts: true,
            visible_loss: false,
            one_headline: false,
            from_pivot: false,
            comes_back: None,
            text_limit: TEXT_LIMIT,
            ignored: Vec::new(),
            unordered: Vec::new(),
        }
    }
}

impl EffectRule {
    fn basis(&self) -> LabelBasis {
        LabelBasis { text_limit: self.text_limit, ..LabelBasis::default() }
    }
}

/// One GUI effect: a widget is gone (`to` is empty), new (`from` is empty) or another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effect {
    /// In the layout before.
    pub from: Option<WidgetIdx>,
    /// In the layout after.
    pub to: Option<WidgetIdx>,
    /// The contexts of both sides; partners have the same. 0 stands for no widget.
    pub contexts: (u64, u64),
    /// The same without texts.
    pub shapes: (u64, u64),
    /// What was there before it: the widget's own label.
    pub origin: u64,
    /// What is there after it: the widget's own label.
    pub outcome: u64,
    /// Something goes or comes, or becomes something of another type; else only a text changes.
    pub replaces: bool,
    /// It is a new member of a list.
    pub joins: bool,
    /// The label of the list that it happens in.
    pub list: Option<u64>,
    /// What was there held other widgets, which are effects of their own.
    pub holds_others: bool,
    /// It is part of a new member of a list, which is an effect of its own.
    pub in_member: bool,
}

/// Two layouts of the seed test and the two of the mutant that stand at their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Places {
    /// In the seed test.
    pub seed: (usize, usize),
    /// In the mutant.
    pub mutant: (usize, usize),
}

/// A seed test and a mutant of it: the layout before the first event and after each; `None` where the app was not in
/// front.
#[derive(Clone, Copy, Debug)]
pub struct TestPair<'a> {
    /// The seed test's layouts.
    pub seed: &'a [Option<Arc<Prepared>>],
    /// The mutant's; fewer where it could not be played to its end.
    pub mutant: &'a [Option<Arc<Prepared>>],
    /// The detour stands before this event of the seed test.
    pub position: usize,
    /// Events of the detour.
    pub inserted: usize,
}

impl TestPair<'_> {
    /// The comparisons: pairs of similar layouts of the seed test with the second behind the insertion, and the
    /// layouts of the mutant at their places. Before the insertion both tests are equal by construction.
    pub fn places(&self) -> Vec<Places> {
        let in_mutant = |index: usize| if index > self.position { index + self.inserted } else { index };
        let mut places = Vec::new();
        for second in self.position + 1..self.seed.len() {
            for first in 0..second {
                let at = Places { seed: (first, second), mutant: (in_mutant(first), in_mutant(second)) };
                if self.sides(at).is_some_and(|sides| sides.similar()) {
                    places.push(at);
                }
            }
        }
        places.sort_unstable();
        places
    }

    /// The comparisons with the pivot's page as the detour left it: not with earlier layouts of it.
    fn places_from_pivot(&self) -> Vec<Places> {
        let page = |index: usize| self.seed.get(index)?.as_ref().map(|layout| layout.page);
        let mut places = self.places();
        places.retain_mut(|at| {
            let before = at.seed.0 <= self.position && page(at.seed.0) == page(self.position);
            if before {
                at.mutant.0 = self.position + self.inserted;
            }
            !before || at.seed.0 == self.position
        });
        places
    }

    /// The pivot, and the mutant's layout after the detour.
    fn around(&self) -> Option<(&Prepared, &Prepared)> {
        let back = self.mutant.get(self.position + self.inserted)?.as_deref()?;
        Some((self.seed.get(self.position)?.as_deref()?, back))
    }

    fn sides(&self, at: Places) -> Option<Sides<'_>> {
        let seed = |index: usize| self.seed.get(index)?.as_deref();
        let mutant = |index: usize| self.mutant.get(index)?.as_deref();
        Some(Sides {
            seed: (seed(at.seed.0)?, seed(at.seed.1)?),
            mutant: (mutant(at.mutant.0)?, mutant(at.mutant.1)?),
            around: self.around(),
            before_detour: at.mutant.0 <= self.position,
        })
    }
}

#[derive(Clone, Copy)]
struct Sides<'a> {
    seed: (&'a Prepared, &'a Prepared),
    mutant: (&'a Prepared, &'a Prepared),
    /// The pivot, and the mutant's layout when the detour has come back.
    around: Option<(&'a Prepared, &'a Prepared)>,
    /// The first layouts are of before the detour.
    before_detour: bool,
}

impl Sides<'_> {
    fn similar(&self) -> bool {
        let page = self.seed.0.page;
        [self.seed.1.page, self.mutant.0.page, self.mutant.1.page].iter().all(|other| *other == page)
    }

    /// Whether an effect of the seed test is gone in the mutant: it could happen there, as what it starts from was there,
    /// and its outcome does not show. `removes`: the seed test removed something there; what comes in the place of it, as
    /// words that say that there is nothing, gives way to what the detour added.
    fn lost(&self, effect: &Effect, removes: bool) -> bool {
        let (before, after) = self.mutant;
        // In the same surroundings if they are there; on a form every text is part of them.
        let around = before.contexts_like(effect.contexts.0) > 0;
        let origins = |side: &Prepared| match around {
            true => side.contexts_like(effect.contexts.0),
            false => side.count(effect.origin),
        };
        if effect.from.is_some() && origins(before) == 0 {
            return false;
        }
        // What the detour added to a page that it did not come from, or took from it, is not known; nor what it pushed
        // out of sight with what it added to a list, or kept there.
        let grown = |list| after.has_other_members(self.seed.1, list);
        if (self.before_detour && effect.replaces) || effect.list.is_some_and(grown) {
            return false;
        }
        // If there is one less of what went, that is enough. Where a widget of another type comes instead, which of
        // the old ones it takes the place of is chance (trap 1), so each is looked for.
        let goes = effect.from.is_some() && effect.replaces && !effect.holds_others;
        let stays = goes && origins(after) >= origins(before);
        stays || (effect.to.is_some() && self.misses(effect, removes, origins(after) == 0))
    }

    /// Whether what an effect of the seed test leads to is missing in the mutant. `gone`: what it starts from is not there
    /// any more.
    fn misses(&self, effect: &Effect, removes: bool, gone: bool) -> bool {
        let (_, after) = self.mutant;
        if let Some(list) = effect.list {
            // Rows are told by what they show (trap 2): another text is another row, and this one went.
            if gone && !effect.joins {
                return false;
            }
            if effect.joins {
                let grows = |(before, after): (&Prepared, &Prepared)| {
                    after.members_of(effect.outcome, list) > before.members_of(effect.outcome, list)
                };
                return grows(self.seed) && !grows(self.mutant);
            }
        }
        // Where there is no such widget, the detour made it another page, as one with rows where there was nothing.
        let there = effect.replaces || after.has_like(effect.to.map(|idx| self.seed.1.layout.widget(idx)));
        there && !(removes && effect.replaces) && after.count(effect.outcome) == 0
    }

    /// Whether the detour took something away from the activity that is compared, or from another one so that the page
    /// is of another thing by now.
    fn taken(&self) -> bool {
        let Some((pivot, back)) = self.around else { return false };
        let same_headlines = self.seed.1.headline == self.mutant.1.headline;
        let here = pivot.layout.activity() == self.seed.1.layout.activity();
        (here || !same_headlines) && !pivot.is_part_of(back)
    }

    /// Whether the two layouts of the seed test are one page that shows one thing, which the mutant begins with, too.
    fn one_page(&self) -> bool {
        let shown = self.seed.0.headline;
        shown == self.seed.1.headline && shown == self.mutant.0.headline && !is_dialog(&self.seed.0.layout)
    }

    /// What the detour did not touch has the same effects.
    fn equal(&self) -> bool {
        self.seed.0.key == self.mutant.0.key && self.seed.1.key == self.mutant.1.key
    }
}

/// What makes a detour one that came back: where it ended is like the pivot (genie.md 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PivotReturn {
    /// How alike the two layouts are at least, in percent.
    pub percent: u32,
    /// They are in one state, with what stands in fields, is checked or selected as it was.
    pub same_state: bool,
    /// What tells states apart.
    pub basis: LabelBasis,
}

impl PivotReturn {
    /// Whether a detour that ended on this layout came back to the pivot.
    pub fn holds(&self, pivot: &Layout, back: &Layout) -> bool {
        let state = |layout: &Layout| (self.basis.abstract_id(layout), input_state(layout));
        dice_permille(pivot, back) >= self.percent * 10 && (!self.same_state || state(pivot) == state(back))
    }
}

/// What one comparison shows under one trace-back order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Edits between the two layouts of the seed test.
    pub seed_distance: usize,
    /// Edits between the two layouts of the mutant.
    pub mutant_distance: usize,
    /// Effects of the seed test without a partner: any is a violation.
    pub unmatched_seed: Vec<Effect>,
    /// Effects of the mutant without a partner.
    pub unmatched_mutant: Vec<Effect>,
}

type ScriptKey = (LayoutKey, LayoutKey, usize);

/// Compares tests by one rule. Remembers layouts and scripts, as tests of one app repeat them.
#[derive(Debug)]
pub struct EffectJudge {
    rule: EffectRule,
    editor: TreeEditor,
    layouts: BTreeMap<LayoutKey, Arc<Prepared>>,
    effects: BTreeMap<ScriptKey, Arc<Vec<Effect>>>,
}

impl EffectJudge {
    /// A judge with empty memory.
    pub fn new(rule: EffectRule) -> Self {
        let (editor, layouts, effects) = (TreeEditor::default(), BTreeMap::new(), BTreeMap::new());
        EffectJudge { rule, editor, layouts, effects }
    }

    /// The rule it judges by.
    pub fn rule(&self) -> &EffectRule {
        &self.rule
    }

    /// A layout made ready.
    pub fn prepare(&mut self, layout: &Arc<Layout>) -> Arc<Prepared> {
        let key = layout.key(crate::model::Abstraction::Exact);
        if let Some(known) = self.layouts.get(&key) {
            return Arc::clone(known);
        }
        if self.layouts.len() >= MAX_LAYOUTS {
            self.layouts.clear();
        }
        let prepared = Arc::new(Prepared::new(layout, &self.rule));
        self.layouts.insert(key, Arc::clone(&prepared));
        prepared
    }

    /// Layouts made ready; `None` stays.
    pub fn prepare_all(&mut self, layouts: &[Option<Arc<Layout>>]) -> Vec<Option<Arc<Prepared>>> {
        layouts.iter().map(|layout| layout.as_ref().map(|layout| self.prepare(layout))).collect()
    }

    /// The effects between two layouts: the edits of a minimal script that are no matches.
    fn effects(&mut self, before: &Prepared, after: &Prepared, order: usize) -> Arc<Vec<Effect>> {
        let key = (before.key, after.key, order);
        if let Some(known) = self.effects.get(&key) {
            return Arc::clone(known);
        }
        if self.effects.len() >= MAX_SCRIPTS {
            self.effects.clear();
        }
        let mut edit = self.editor.compare(&before.tree, &after.tree);
        let edits: Vec<(Option<WidgetIdx>, Option<WidgetIdx>)> = edit
            .script(TieOrder::ALL[order])
            .into_iter()
            .filter_map(|op| match op {
                EditOp::Match(..) => None,
                EditOp::Change(from, to) => Some((Some(from), Some(to))),
                EditOp::Delete(from) => Some((Some(from), None)),
                EditOp::Insert(to) => Some((None, Some(to))),
            })
            .collect();
        let members: Vec<WidgetIdx> = edits
            .iter()
            .filter_map(|(from, to)| to.filter(|to| from.is_none() && after.is_member(*to)))
            .collect();
        let effect = |(from, to): (Option<WidgetIdx>, Option<WidgetIdx>)| Effect {
            from: from.map(|idx| before.original(idx)),
            to: to.map(|idx| after.original(idx)),
            contexts: (before.context(from), after.context(to)),
            shapes: (before.shape(from), after.shape(to)),
            origin: from.map_or(0, |idx| before.label(idx)),
            outcome: to.map_or(0, |idx| after.label(idx)),
            replaces: match (from, to) {
                (Some(from), Some(to)) => !before.of_one_type(from, after, to),
                (_, _) => true,
            },
            joins: to.is_some_and(|idx| members.contains(&idx)),
            list: from.and_then(|idx| before.list_around(idx)).or(to.and_then(|idx| after.list_around(idx))),
            holds_others: from.is_some_and(|idx| before.holds_others(idx)),
            in_member: to.is_some_and(|idx| members.iter().any(|member| after.holds(*member, idx))),
        };
        let effects: Vec<Effect> = edits.into_iter().map(effect).collect();
        let effects = Arc::new(effects);
        self.effects.insert(key, Arc::clone(&effects));
        effects
    }

    /// One comparison under a trace-back order: place in `TieOrder::ALL`.
    pub fn compare(&mut self, test: TestPair<'_>, at: Places, order: usize) -> Option<Compared> {
        let sides = test.sides(at)?;
        let seed = self.effects(sides.seed.0, sides.seed.1, order);
        let mutant = self.effects(sides.mutant.0, sides.mutant.1, order);
        let (mut unmatched_seed, unmatched_mutant) = unmatched(&seed, &mutant);
        if self.rule.visible_loss {
            let removes = seed.iter().any(|effect| effect.from.is_some() && effect.replaces);
            unmatched_seed.retain(|effect| !effect.in_member && sides.lost(effect, removes));
            if sides.taken() {
                unmatched_seed.clear();
            }
        }
        let (seed_distance, mutant_distance) = (seed.len(), mutant.len());
        Some(Compared { seed_distance, mutant_distance, unmatched_seed, unmatched_mutant })
    }

    /// The comparisons that violate, in order of their places.
    pub fn judge(&mut self, test: TestPair<'_>) -> Vec<Batch> {
        let mut batches = Vec::new();
        let returns = |rule: PivotReturn| {
            test.around().is_some_and(|(pivot, back)| rule.holds(&pivot.layout, &back.layout))
        };
        if self.rule.comes_back.is_some_and(|rule| !returns(rule)) {
            return batches;
        }
        let places = if self.rule.from_pivot { test.places_from_pivot() } else { test.places() };
        for at in places {
            let skipped = |sides: Sides<'_>| sides.equal() || (self.rule.one_headline && !sides.one_page());
            if test.sides(at).is_none_or(skipped) {
                continue;
            }
            let Some(compared) = self.compare(test, at, 0) else { continue };
            if compared.unmatched_seed.is_empty() {
                continue;
            }
            let violates = |judge: &mut Self, order| {
                judge.compare(test, at, order).is_some_and(|other| !other.unmatched_seed.is_empty())
            };
            let firm = (1..TieOrder::ALL.len()).all(|order| violates(self, order));
            batches.push(Batch {
                places: at,
                unmatched_seed: compared.unmatched_seed,
                unmatched_mutant: compared.unmatched_mutant,
                firm,
            });
        }
        batches
    }
}

/// What is left of two multisets of effects when partners are taken out, each used once.
fn unmatched(seed: &[Effect], mutant: &[Effect]) -> (Vec<Effect>, Vec<Effect>) {
    let mut left: Vec<Option<&Effect>> = mutant.iter().map(Some).collect();
    let mut lost = Vec::new();
    for effect in seed {
        let partner =
            left.iter_mut().find(|other| other.is_some_and(|other| other.contexts == effect.contexts));
        match partner {
            Some(partner) => *partner = None,
            None => lost.push(*effect),
        }
    }
    (lost, left.into_iter().flatten().copied().collect())
}

#[cfg(test)]
mod tests;
