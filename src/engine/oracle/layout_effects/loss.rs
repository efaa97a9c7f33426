//! Whether an effect of the seed test is lost in the mutant from a person's point of view: it could happen there, and
//! its result is not visible (`EffectRule::visible_loss`).

use std::collections::BTreeMap;

use super::effect::Effect;
use super::prepared::Prepared;
use super::{Places, TestPair};
use crate::oracle::layout_effects::row_around;
use taproof_screen::{Layout, Widget, WidgetIdx, is_dialog};

/// One comparison: two layouts of the seed test and the two corresponding layouts of the mutant.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) seed: (&'a Prepared, &'a Prepared),
    pub(super) mutant: (&'a Prepared, &'a Prepared),
    /// The tests that these layouts belong to.
    pub(super) test: TestPair<'a>,
    /// The indices of the layouts.
    pub(super) at: Places,
}

impl Sides<'_> {
    pub(super) fn similar(&self) -> bool {
        let page = self.seed.0.page;
        [self.seed.1.page, self.mutant.0.page, self.mutant.1.page].iter().all(|other| *other == page)
    }

    /// Whether an effect of the seed test is lost in the mutant: it could happen there, because what it starts from was
    /// there, and its result is not visible. `removes`: the seed test removed something here. What then takes its
    /// place, such as a text saying that the list is empty, need not appear if the detour added something. `grown`:
    /// cache of which lists have other members, since many effects happen in one list.
    pub(super) fn lost(&self, effect: &Effect, removes: bool, grown: &mut BTreeMap<u64, bool>) -> bool {
        let (before, after) = self.mutant;
        // In the same surroundings if these are there; on a form every text belongs to the surroundings. A widget
        // without words is identified by its row.
        let told_by_row =
            |idx| says_nothing(&self.seed.0.layout, idx) && row_around(&self.seed.0.layout, idx).is_some();
        let around = before.contexts_like(effect.contexts.0) > 0 || effect.from.is_some_and(told_by_row);
        if effect.is_text() {
            return self.is_stuck(effect) || self.is_emptied(effect);
        }
        let origins = |side: &Prepared| match around {
            true => side.contexts_like(effect.contexts.0),
            false => side.count(effect.origin),
        };
        if effect.from.is_some() && origins(before) == 0 {
            return false;
        }
        // Unknown: what the detour added to or removed from a page from which it did not start, and what it scrolled
        // out of sight, or kept there, by adding to a list.
        let has_grown = |list| {
            *grown.entry(list).or_insert_with(|| after.other_members(self.seed.1, list).next().is_some())
        };
        if (self.before_detour() && effect.replaces) || effect.list.is_some_and(has_grown) {
            return false;
        }
        // If there is one fewer of what went away, that is enough; if there is not in the seed test, the script has only
        // moved it. If a widget of another type takes the place of one of several, which one is arbitrary (Genie's
        // paper.md, section 14, trap 1), so the result is searched for as well.
        let goes = effect.from.is_some() && effect.replaces && !effect.holds_others;
        let falls = |(before, after): (&Prepared, &Prepared)| origins(after) < origins(before);
        let stays = goes && falls(self.seed) && !falls(self.mutant);
        stays || effect.to.is_some_and(|to| self.misses(effect, to, removes, origins(after) == 0))
    }

    /// Whether the result of an effect of the seed test is missing in the mutant. `gone`: what the effect starts from
    /// is not there any more.
    fn misses(&self, effect: &Effect, to: WidgetIdx, removes: bool, gone: bool) -> bool {
        let (before, after) = self.mutant;
        if let Some(list) = effect.list {
            if effect.joins {
                let members = |side: &Prepared| side.members_of(effect.outcome, list);
                let grows = |(before, after): (&Prepared, &Prepared)| members(after) > members(before);
                if !grows(self.seed) || grows(self.mutant) {
                    return false;
                }
                // Which of several rows joined is arbitrary, so that all that came are looked for. Where the list shows other
                // rows than before, as on another tab, there may be no more of them, though these are among them.
                let others = before.other_members(after, list).next().is_some();
                let mut came = self.seed.1.other_members(self.seed.0, list);
                let is_there = |row: &(u64, u64)| others && after.has_member(row);
                let excused = |row| is_there(row) || self.is_removed(|side| side.has_member(row));
                return !came.all(excused);
            }
            // Rows are recognised by their content (Genie's paper.md, section 14, trap 2): another text is another row,
            // and this row went away.
            if gone {
                return false;
            }
        }
        let came = self.seed.1;
        let shows = |side: &Prepared| came.layout.subtree(to).all(|idx| side.count(came.label(idx)) > 0);
        if self.is_removed(shows) {
            return false;
        }
        // Without any widget of this type, the detour has made it another page, for instance one with rows in place of
        // an empty one.
        let there = effect.replaces || after.has_like(self.seed.1.layout.widget(to));
        there && !(removes && effect.replaces) && after.count(effect.outcome) == 0
    }

    /// Whether the detour may have removed what comes in the seed test: it had been shown before, and the mutant has not
    /// shown it since. A detour that only opens and closes pages removes nothing.
    fn is_removed(&self, shows: impl Fn(&Prepared) -> bool) -> bool {
        let TestPair { seed, mutant, position, inserted, detour } = self.test;
        let mut earlier = seed.iter().take(self.at.seed.0 + 1).flatten();
        let mut since = mutant.iter().take(self.at.mutant.1 + 1).skip(position + inserted).flatten();
        let removes = detour.is_none_or(|detour| !detour.passes);
        removes && earlier.any(|side| shows(side)) && !since.any(|side| shows(side))
    }

    /// Whether the first layouts are from before the detour.
    fn before_detour(&self) -> bool {
        self.at.seed.0 <= self.test.position
    }

    /// Whether the detour removed something from the activity that is compared, or from another one so that the page
    /// now shows something else.
    pub(super) fn taken(&self) -> bool {
        let Some((pivot, back)) = self.test.around() else { return false };
        let same_headlines = self.seed.1.headline == self.mutant.1.headline;
        let here = pivot.layout.activity() == self.seed.1.layout.activity();
        (here || !same_headlines) && !pivot.is_part_of(back)
    }

    /// Whether a text outside of lists that the seed test changes stays what it is in the mutant, though the detour left
    /// it as it was. Another text than the seed test's may be due to the detour, such as a date moved from another day,
    /// and on a page that does not show when the detour begins and ends, its own change of the text is not known.
    pub(super) fn is_stuck(&self, effect: &Effect) -> bool {
        let Some((pivot, back)) = self.test.around() else { return false };
        let shown = self.seed.0.count(effect.origin);
        let as_often = |side: &Prepared| side.count(effect.origin) == shown;
        let untouched = !self.before_detour() || [pivot, back].into_iter().all(as_often);
        let stays = shown > 0 && as_often(self.mutant.0) && self.mutant.1.count(effect.origin) >= shown;
        effect.is_text() && untouched && stays && self.mutant.1.count(effect.outcome) == 0
    }

    /// Whether the two layouts of the seed test are the same page with the same headline, and the mutant starts with
    /// that headline as well. Dialogs never are.
    pub(super) fn one_page(&self) -> bool {
        let shown = self.seed.0.headline;
        shown == self.seed.1.headline && shown == self.mutant.0.headline && !is_dialog(&self.seed.0.layout)
    }

    /// Whether nothing is shown in place of a text outside of lists that the seed test changes to another one.
    fn is_emptied(&self, effect: &Effect) -> bool {
        let Some(to) = effect.to.map(|to| self.seed.1.layout.widget(to)) else { return false };
        let empty = |side: &Prepared| {
            let widgets = side.layout.widgets().iter();
            widgets.filter(|widget| widget.same_type(to) && widget.text.is_empty()).count()
        };
        let changed = self.mutant.0.count(effect.origin) > 0 && self.mutant.1.count(effect.outcome) == 0;
        changed && !to.text.is_empty() && empty(self.mutant.1) > empty(self.seed.1)
    }

    /// Whether one of the seed test's layouts has a field to fill in.
    pub(super) fn has_form(&self) -> bool {
        [self.seed.0, self.seed.1].iter().any(|side| side.layout.widgets().iter().any(Widget::is_editable))
    }

    /// Whether both layouts of the mutant equal those of the seed test, so that the effects are the same.
    pub(super) fn equal(&self) -> bool {
        self.seed.0.key == self.mutant.0.key && self.seed.1.key == self.mutant.1.key
    }
}

/// Whether a widget has no words that distinguish it from others of its type.
fn says_nothing(layout: &Layout, idx: WidgetIdx) -> bool {
    let widget = layout.widget(idx);
    widget.text.is_empty() && widget.content_desc.is_empty()
}
