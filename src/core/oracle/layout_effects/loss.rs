//! Whether an effect of the seed test is lost in the mutant, as people would say it: it could happen there, and what it
//! leads to does not show (ours).

use std::collections::BTreeMap;

use super::{Effect, Prepared};
use crate::model::{Layout, WidgetIdx, is_dialog, row_around};

/// One comparison: two layouts of the seed test, and the two of the mutant at their places.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) seed: (&'a Prepared, &'a Prepared),
    pub(super) mutant: (&'a Prepared, &'a Prepared),
    /// The pivot, and the mutant's layout when the detour has come back.
    pub(super) around: Option<(&'a Prepared, &'a Prepared)>,
    /// The first layouts are of before the detour.
    pub(super) before_detour: bool,
}

impl Sides<'_> {
    pub(super) fn similar(&self) -> bool {
        let page = self.seed.0.page;
        [self.seed.1.page, self.mutant.0.page, self.mutant.1.page].iter().all(|other| *other == page)
    }

    /// Whether an effect of the seed test is gone in the mutant: it could happen there, as what it starts from was there,
    /// and its outcome does not show. `removes`: the seed test removed something there; what comes in the place of it, as
    /// words that say that there is nothing, gives way to what the detour added. `grown`: the lists that were looked at
    /// already, as many effects happen in one.
    pub(super) fn lost(&self, effect: &Effect, removes: bool, grown: &mut BTreeMap<u64, bool>) -> bool {
        let (before, after) = self.mutant;
        // In the same surroundings if they are there; on a form every text is part of them. What says nothing itself is
        // told by its row.
        let told_by_row =
            |idx| says_nothing(&self.seed.0.layout, idx) && row_around(&self.seed.0.layout, idx).is_some();
        let around = before.contexts_like(effect.contexts.0) > 0 || effect.from.is_some_and(told_by_row);
        let origins = |side: &Prepared| match around {
            true => side.contexts_like(effect.contexts.0),
            false => side.count(effect.origin),
        };
        if effect.from.is_some() && origins(before) == 0 {
            return false;
        }
        // What the detour added to a page that it did not come from, or took from it, is not known; nor what it pushed
        // out of sight with what it added to a list, or kept there.
        let has_grown =
            |list| *grown.entry(list).or_insert_with(|| after.has_other_members(self.seed.1, list));
        if (self.before_detour && effect.replaces) || effect.list.is_some_and(has_grown) {
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
        let (before, after) = self.mutant;
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
        // What had been there before was only moved, and the detour took it away.
        if self.seed.0.count(effect.outcome) > 0 && before.count(effect.outcome) == 0 {
            return false;
        }
        // Where there is no such widget, the detour made it another page, as one with rows where there was nothing.
        let there = effect.replaces || after.has_like(effect.to.map(|idx| self.seed.1.layout.widget(idx)));
        there && !(removes && effect.replaces) && after.count(effect.outcome) == 0
    }

    /// Whether the detour took something away from the activity that is compared, or from another one so that the page
    /// is of another thing by now.
    pub(super) fn taken(&self) -> bool {
        let Some((pivot, back)) = self.around else { return false };
        let same_headlines = self.seed.1.headline == self.mutant.1.headline;
        let here = pivot.layout.activity() == self.seed.1.layout.activity();
        (here || !same_headlines) && !pivot.is_part_of(back)
    }

    /// Whether the two layouts of the seed test are one page that shows one thing, which the mutant begins with, too.
    pub(super) fn one_page(&self) -> bool {
        let shown = self.seed.0.headline;
        shown == self.seed.1.headline && shown == self.mutant.0.headline && !is_dialog(&self.seed.0.layout)
    }

    /// What the detour did not touch has the same effects.
    pub(super) fn equal(&self) -> bool {
        self.seed.0.key == self.mutant.0.key && self.seed.1.key == self.mutant.1.key
    }
}

/// Whether a widget has no words that tell it from another one of its type.
fn says_nothing(layout: &Layout, idx: WidgetIdx) -> bool {
    let widget = layout.widget(idx);
    widget.text.is_empty() && widget.content_desc.is_empty()
}
