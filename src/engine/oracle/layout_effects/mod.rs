//! Genie's oracle (`engine/genie/paper.md`, section 11): whatever a seed test changed on the GUI must still be changed
//! when a detour through independent widgets was inserted. More may change, but not less.
//!
//! The input is two runs, the output are batches of violations. Tree edit scripts are not unique, so each batch
//! contains whether it appears under every trace-back order (*firm*) or only under the canonical one (*weak*).

mod comparison;
mod detour;
mod effect;
mod errors;
mod labels;
mod loss;
mod pair;
mod prepared;
mod relocate;
mod returned;
mod rows;
mod rule;
mod traces;
mod tree_edit;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::effect::{effects_of, unmatched};
use self::loss::Sides;
use self::returned::lost_at_return;
use taproof_screen::{Layout, LayoutKey};

pub use comparison::{EffectComparison, detour_words};
pub use detour::{Detour, asks_nothing, place_of};
pub use effect::Effect;
pub use errors::{Batch, EffectError, ErrorKey, merge_batches};
pub use labels::{LabelBasis, TEXT_LIMIT, content_hash, property_key, subtree_hashes};
pub use pair::{Places, TestPair};
pub use prepared::Prepared;
pub use relocate::{SimilarWidget, relocate};
pub use rows::{row_around, rows_by_widget, speaking};
pub use rule::{ContextLevel, EffectRule, PivotReturn, WidgetKind};
pub use traces::{AlignedTest, DetourPause, align, layouts_of, unstable_widgets};
pub use tree_edit::{EditOp, EditTree, TieOrder, TreeEdit, TreeEditor, edit_distance, edit_script};

/// Number of edit scripts that are cached before the cache is emptied.
const MAX_SCRIPTS: usize = 200_000;
/// Number of layouts that are cached before the cache is emptied.
const MAX_LAYOUTS: usize = 20_000;

/// What one comparison shows under one trace-back order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Number of edits between the two layouts of the seed test.
    pub seed_distance: usize,
    /// Number of edits between the two layouts of the mutant.
    pub mutant_distance: usize,
    /// Effects of the seed test without a partner; each is a violation.
    pub unmatched_seed: Vec<Effect>,
    /// Effects of the mutant without a partner.
    pub unmatched_mutant: Vec<Effect>,
}

type ScriptKey = (LayoutKey, LayoutKey, usize);

/// Compares tests by one rule. Caches layouts and scripts, since tests of one app repeat them.
#[derive(Debug)]
pub struct EffectJudge {
    rule: EffectRule,
    editor: TreeEditor,
    layouts: BTreeMap<LayoutKey, Arc<Prepared>>,
    effects: BTreeMap<ScriptKey, Option<Arc<Vec<Effect>>>>,
}

impl EffectJudge {
    /// A judge with empty caches.
    pub fn new(rule: EffectRule) -> Self {
        let (editor, layouts, effects) = (TreeEditor::default(), BTreeMap::new(), BTreeMap::new());
        EffectJudge { rule, editor, layouts, effects }
    }

    /// Prepares a layout for comparisons.
    pub fn prepare(&mut self, layout: &Arc<Layout>) -> Arc<Prepared> {
        let key = layout.key(taproof_screen::Same::Exact);
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

    /// Prepares layouts for comparisons; `None` stays `None`.
    pub fn prepare_all(&mut self, layouts: &[Option<Arc<Layout>>]) -> Vec<Option<Arc<Prepared>>> {
        layouts.iter().map(|layout| layout.as_ref().map(|layout| self.prepare(layout))).collect()
    }

    /// The effects between two layouts: the edits of a minimal script other than matches. `None` if the layouts are too
    /// large and too different to compare.
    fn effects(&mut self, before: &Prepared, after: &Prepared, order: usize) -> Option<Arc<Vec<Effect>>> {
        let key = (before.key, after.key, order);
        if let Some(known) = self.effects.get(&key) {
            return known.clone();
        }
        if self.effects.len() >= MAX_SCRIPTS {
            self.effects.clear();
        }
        // A caller that needs an order other than the canonical one needs all of them, so all are computed at once.
        let orders = if order == 0 { 0..1 } else { 1..TieOrder::ALL.len() };
        let mut edit = self.editor.compare(&before.tree, &after.tree);
        for order in orders {
            let script = edit.as_mut().map(|edit| edit.script(TieOrder::ALL[order]));
            let effects = script.map(|script| Arc::new(effects_of(script, before, after)));
            self.effects.insert((before.key, after.key, order), effects);
        }
        self.effects.get(&key).cloned().flatten()
    }

    /// One comparison under the trace-back order with this index in `TieOrder::ALL`. `None` if a layout is missing or
    /// cannot be compared: then nothing is known of what happened between them.
    pub fn compare(&mut self, test: TestPair<'_>, at: Places, order: usize) -> Option<Compared> {
        let sides = test.sides(at)?;
        let seed = self.effects(sides.seed.0, sides.seed.1, order)?;
        let mutant = self.effects(sides.mutant.0, sides.mutant.1, order)?;
        let (mut unmatched_seed, unmatched_mutant) = unmatched(&seed, &mutant);
        if self.rule.visible_loss && sides.taken() {
            unmatched_seed.retain(|effect| sides.is_stuck(effect));
        } else if self.rule.visible_loss {
            let removes = seed.iter().any(|effect| effect.from.is_some() && effect.replaces);
            let mut grown = BTreeMap::new();
            unmatched_seed.retain(|effect| !effect.in_member && sides.lost(effect, removes, &mut grown));
        }
        let (seed_distance, mutant_distance) = (seed.len(), mutant.len());
        Some(Compared { seed_distance, mutant_distance, unmatched_seed, unmatched_mutant })
    }

    /// The comparisons that show violations, in order of their places.
    pub fn judge(&mut self, test: TestPair<'_>) -> Vec<Batch> {
        let mut batches = Vec::new();
        let returns = |rule: PivotReturn| {
            test.around().is_some_and(|(pivot, back)| rule.holds(&pivot.layout, &back.layout))
        };
        if self.rule.at_return {
            batches.extend(lost_at_return(test));
        }
        if self.rule.comes_back.is_none_or(returns) {
            batches.extend(self.judge_effects(test));
        }
        if self.rule.visible_loss {
            batches.retain(|batch| batch.is_visible(test));
        }
        batches
    }

    /// The comparisons of the seed test's layouts with the mutant's that show violations.
    fn judge_effects(&mut self, test: TestPair<'_>) -> Vec<Batch> {
        let mut batches = Vec::new();
        for at in test.places() {
            // What a form accepts depends on what there is already, so on what the detour has filled in.
            let fills = self.rule.visible_loss && test.detour.is_some_and(|detour| detour.types);
            let skipped = |sides: Sides<'_>| {
                sides.equal() || (self.rule.one_headline && !sides.one_page()) || (fills && sides.has_form())
            };
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
                at_return: false,
            });
        }
        batches
    }
}

#[cfg(test)]
mod tests;
