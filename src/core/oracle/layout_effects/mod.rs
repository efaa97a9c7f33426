//! Genie's oracle (genie.md 9 and 10): whatever a seed test changed on the GUI must still be changed when a detour
//! through independent widgets was inserted. More may change, less may not.
//!
//! Two runs in, violation batches out. Scripts of the tree edit are not unique, so each batch says whether it is there
//! under every trace-back order (*firm*) or only under the canonical one (*weak*).

mod comparison;
mod errors;
mod loss;
mod pair;
mod prepared;
mod recorded;
mod traces;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use self::loss::Sides;
use crate::model::{
    EditOp, LabelBasis, Layout, LayoutKey, TEXT_LIMIT, Text, TieOrder, TreeEditor, Widget, WidgetIdx,
};

pub use comparison::{EffectComparison, EffectTriage, detour_words};
pub use errors::{Batch, EffectError, ErrorKey, merge_batches};
pub use pair::{PivotReturn, Places, TestPair};
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
    effects: BTreeMap<ScriptKey, Option<Arc<Vec<Effect>>>>,
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

    /// The effects between two layouts: the edits of a minimal script that are no matches. `None` if the layouts are
    /// too large and too different to compare.
    fn effects(&mut self, before: &Prepared, after: &Prepared, order: usize) -> Option<Arc<Vec<Effect>>> {
        let key = (before.key, after.key, order);
        if let Some(known) = self.effects.get(&key) {
            return known.clone();
        }
        if self.effects.len() >= MAX_SCRIPTS {
            self.effects.clear();
        }
        // Whoever asks for another order than the canonical one asks for all: the layouts are compared once for them.
        let orders = if order == 0 { 0..1 } else { 1..TieOrder::ALL.len() };
        let mut edit = self.editor.compare(&before.tree, &after.tree);
        for order in orders {
            let script = edit.as_mut().map(|edit| edit.script(TieOrder::ALL[order]));
            let effects = script.map(|script| Arc::new(effects_of(script, before, after)));
            self.effects.insert((before.key, after.key, order), effects);
        }
        self.effects.get(&key).cloned().flatten()
    }

    /// One comparison under a trace-back order: place in `TieOrder::ALL`. `None` if there are no layouts at these places,
    /// or such that cannot be compared: nothing is said of what may have happened between them.
    pub fn compare(&mut self, test: TestPair<'_>, at: Places, order: usize) -> Option<Compared> {
        let sides = test.sides(at)?;
        let seed = self.effects(sides.seed.0, sides.seed.1, order)?;
        let mutant = self.effects(sides.mutant.0, sides.mutant.1, order)?;
        let (mut unmatched_seed, unmatched_mutant) = unmatched(&seed, &mutant);
        if self.rule.visible_loss && sides.taken() {
            unmatched_seed.clear();
        } else if self.rule.visible_loss {
            let removes = seed.iter().any(|effect| effect.from.is_some() && effect.replaces);
            let mut grown = BTreeMap::new();
            unmatched_seed.retain(|effect| !effect.in_member && sides.lost(effect, removes, &mut grown));
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

/// The edits of a script that are no matches, as effects.
fn effects_of(script: Vec<EditOp>, before: &Prepared, after: &Prepared) -> Vec<Effect> {
    let edits: Vec<(Option<WidgetIdx>, Option<WidgetIdx>)> = script
        .into_iter()
        .filter_map(|op| match op {
            EditOp::Match(..) => None,
            EditOp::Change(from, to) => Some((Some(from), Some(to))),
            EditOp::Delete(from) => Some((Some(from), None)),
            EditOp::Insert(to) => Some((None, Some(to))),
        })
        .collect();
    let mut joins = vec![false; after.len()];
    for (from, to) in &edits {
        if let Some(to) = to.filter(|to| from.is_none() && after.is_member(*to)) {
            joins[to.index()] = true;
        }
    }
    let in_member = after.inside(&joins);
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
        joins: to.is_some_and(|idx| joins[idx.index()]),
        list: from.and_then(|idx| before.list_around(idx)).or(to.and_then(|idx| after.list_around(idx))),
        holds_others: from.is_some_and(|idx| before.holds_others(idx)),
        in_member: to.is_some_and(|idx| in_member[idx.index()]),
    };
    edits.into_iter().map(effect).collect()
}

/// What is left of two multisets of effects when partners are taken out, each used once.
fn unmatched(seed: &[Effect], mutant: &[Effect]) -> (Vec<Effect>, Vec<Effect>) {
    let mut places: BTreeMap<(u64, u64), VecDeque<usize>> = BTreeMap::new();
    for (place, effect) in mutant.iter().enumerate() {
        places.entry(effect.contexts).or_default().push_back(place);
    }
    let mut taken = vec![false; mutant.len()];
    let mut lost = Vec::new();
    for effect in seed {
        match places.get_mut(&effect.contexts).and_then(VecDeque::pop_front) {
            Some(partner) => taken[partner] = true,
            None => lost.push(*effect),
        }
    }
    let left = mutant.iter().zip(taken).filter(|(_, taken)| !taken);
    (lost, left.map(|(effect, _)| *effect).collect())
}

#[cfg(test)]
mod tests;
