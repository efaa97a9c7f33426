//! Sorts the differences between what two versions showed. What is the same wherever it occurs was changed on purpose, it
//! seems: a word that is always another one, an order that is never the old one. What is different only after some
//! events is a matter of the data or of what was done before, and looks like a bug.

use std::collections::{BTreeMap, BTreeSet};

use super::play::{Broke, Moment, Played};
use super::rows::{RowChange, left_over, row_change};
use super::shown::{Part, Seen, Shown, page_of};
use taproof_screen::{
    AppHealth, CommonWords, Event, EventKey, Layout, LayoutKey, WidgetIdx, event_for_people, is_dialog,
    names_alike, touched_widget,
};

/// What is different at one moment.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// The old version shows this, and the new one that in its place or nothing.
    Part(Option<Part>, Option<Part>),
    /// A row is gone, new, or another one.
    Row(Option<String>, Option<String>),
    /// Rows are in another order: these two.
    Order(String, String),
    /// The trace could not be followed.
    Broke(Broke),
}

/// A difference with the widgets that show it in both versions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Difference {
    pub what: What,
    /// The page of the old version.
    pub page: LayoutKey,
    pub old: Option<WidgetIdx>,
    pub new: Option<WidgetIdx>,
}

/// In what differences are alike: they are one to people.
pub(super) type Signature = (u8, LayoutKey, String);

impl Difference {
    pub fn signature(&self) -> Signature {
        let words = |part: &Option<Part>| part.as_ref().map(|part| part.words.clone()).unwrap_or_default();
        match &self.what {
            What::Part(Some(old), _) => (0, self.page, old.words.clone()),
            What::Part(None, new) => (1, self.page, words(new)),
            What::Row(..) => (2, self.page, String::new()),
            What::Order(..) => (3, self.page, String::new()),
            What::Broke(Broke::Died(AppHealth::NotResponding(_))) => (4, LayoutKey(0), String::new()),
            What::Broke(Broke::Died(_)) => (5, LayoutKey(0), String::new()),
            What::Broke(Broke::Missing(widget)) => (6, self.page, widget.0.to_string()),
            What::Broke(Broke::Elsewhere) => (7, self.page, String::new()),
            What::Broke(Broke::Loads) => (8, self.page, String::new()),
            What::Broke(Broke::Lost) => (9, self.page, String::new()),
        }
    }
}

/// So many times more often must something be different than the same to be so on purpose.
const HARDLY: u32 = 8;

/// How often something was the same in both versions, and how often not.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    same: u32,
    other: u32,
}

impl Tally {
    fn add(&mut self, same: bool) {
        if same { self.same += 1 } else { self.other += 1 }
    }

    /// Whether it was never the same, or hardly ever.
    fn everywhere(self) -> bool {
        self.same * HARDLY <= self.other
    }
}

/// What both versions showed at all moments, counted.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The new words in place of old ones.
    renamed: BTreeMap<String, String>,
    /// Words that the old version does not show each time on a page, and the lists of pages that it does not show alike.
    unsteady: BTreeSet<(LayoutKey, String)>,
    /// Words that the old version shows anywhere.
    vocabulary: BTreeSet<String>,
    /// By page and words: whether they are shown by both, and with the same data.
    words: BTreeMap<(LayoutKey, String), Tally>,
    data: BTreeMap<(LayoutKey, String), Tally>,
    /// By page: whether the rows are the same, and in the same order.
    rows: BTreeMap<LayoutKey, Tally>,
    order: BTreeMap<LayoutKey, Tally>,
    /// By page and event: whether it was followed.
    followed: BTreeMap<(LayoutKey, EventKey), Tally>,
}

/// The moments of a trace at which both versions showed what can be compared.
fn compared(played: &Played) -> impl Iterator<Item = &[Shown; 2]> {
    played.moments.iter().filter_map(|moment| moment.shown.as_ref())
}

impl Known {
    /// Counts what was shown. `control` is what the old version showed beside itself.
    pub fn of(control: &[Played], all: &[Played]) -> Known {
        let mut known = Known::default();
        for [one, other] in control.iter().flat_map(compared) {
            let (left, new) = left_over(&one.parts, &other.parts, PartialEq::eq);
            let words = left.iter().chain(&new).map(|(part, _)| part.words.clone());
            known.unsteady.extend(words.map(|words| (one.page, words)));
            let rows = |shown: &Shown| shown.rows.iter().map(|(row, _)| row.clone()).collect::<Vec<_>>();
            if rows(one) != rows(other) {
                known.unsteady.insert((in_lists(one.page), String::new()));
            }
        }
        let moments = || all.iter().flat_map(compared);
        for [old, _] in moments() {
            known.vocabulary.extend(old.all().map(|part| part.words.clone()));
        }
        known.renamed = known.renamings(moments());
        moments().for_each(|[old, new]| known.count_words(old, new));
        moments().for_each(|[old, new]| known.count_rows(old, new));
        for played in all {
            let ended = played.moments.len().saturating_sub(1);
            for (place, step) in played.steps.iter().enumerate().take(ended + 1) {
                let broke = match &played.broke {
                    Some(Broke::Elsewhere) => place + 1 == ended,
                    Some(_) => place == ended,
                    None => false,
                };
                if place < ended || broke {
                    let at = (page_of(&step.before.layout), act(step.before.layout.as_ref(), &step.event));
                    known.followed.entry(at).or_default().add(!broke);
                }
            }
        }
        known
    }

    /// Words that the new version never shows, with new ones that stand where they stood.
    fn renamings<'s>(&self, moments: impl Iterator<Item = &'s [Shown; 2]>) -> BTreeMap<String, String> {
        let mut lost: BTreeMap<String, Tally> = BTreeMap::new();
        let mut together: BTreeMap<(String, String), u32> = BTreeMap::new();
        for [old, new] in moments {
            let (ours, theirs) = (counted(old), counted(new));
            for (part, times) in &ours {
                let shown = theirs.iter().any(|(other, _)| other.words == part.words);
                lost.entry(part.words.clone()).or_default().add(shown);
                if shown || part.is_data() {
                    continue;
                }
                let more = |other: &Part, now: usize| now > ours.get(other).copied().unwrap_or_default();
                let new = theirs.iter().filter(|(other, now)| more(other, **now) && *now == times);
                for (other, _) in new.filter(|(other, _)| other.data == part.data && !other.is_data()) {
                    *together.entry((part.words.clone(), other.words.clone())).or_default() += 1;
                }
            }
        }
        let mut pairs: Vec<(f64, String, String)> = Vec::new();
        for ((old, new), times) in together {
            let tally = lost.get(&old).copied().unwrap_or_default();
            // Words that the old version has as well are no likely new ones.
            let known = self.vocabulary.contains(&new);
            if tally.everywhere()
                && if known { times > 2 && times == tally.other } else { 2 * times > tally.other }
            {
                let share = f64::from(times) / f64::from(tally.other);
                pairs.push((share + names_alike(&old, &new, &CommonWords::default()), old, new));
            }
        }
        pairs.sort_by(|one, other| {
            other.0.total_cmp(&one.0).then((&one.1, &one.2).cmp(&(&other.1, &other.2)))
        });
        let (mut renamed, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for (_, old, new) in pairs {
            if !renamed.contains_key(&old) && taken.insert(new.clone()) {
                renamed.insert(old, new);
            }
        }
        renamed
    }

    /// The words in the new version.
    fn now<'k>(&'k self, words: &'k str) -> &'k str {
        self.renamed.get(words).map_or(words, String::as_str)
    }

    fn same_words(&self, old: &Part, new: &Part) -> bool {
        self.now(&old.words) == new.words
    }

    fn same(&self, old: &Part, new: &Part) -> bool {
        self.same_words(old, new) && old.data == new.data
    }

    fn count_words(&mut self, old: &Shown, new: &Shown) {
        let page = old.page;
        let in_rows = |shown: &Shown| -> Vec<Seen> {
            shown.rows.iter().flat_map(|(row, idx)| row.iter().map(|part| (part.clone(), *idx))).collect()
        };
        self.count_parts(page, (&old.parts, &new.parts));
        self.count_parts(in_lists(page), (&in_rows(old), &in_rows(new)));
    }

    fn count_parts(&mut self, page: LayoutKey, (ours, theirs): (&[Seen], &[Seen])) {
        let lost = |same: &dyn Fn(&Part, &Part) -> bool| -> (BTreeSet<String>, BTreeSet<String>) {
            let (old, new) = left_over(ours, theirs, same);
            let words = |left: &[&Seen]| left.iter().map(|(part, _)| part.words.clone()).collect();
            (words(&old), words(&new))
        };
        let (lost_words, new_words) = lost(&|old, new| self.same_words(old, new));
        let (lost_data, _) = lost(&|old, new| self.same(old, new));
        let words: BTreeSet<&String> = ours.iter().map(|(part, _)| &part.words).collect();
        for words in words {
            let at = (page, words.clone());
            self.words.entry(at.clone()).or_default().add(!lost_words.contains(words));
            self.data.entry(at).or_default().add(!lost_data.contains(words));
        }
        for words in new_words {
            self.words.entry((page, words)).or_default().add(false);
        }
    }

    fn count_rows(&mut self, old: &Shown, new: &Shown) {
        let page = old.page;
        let [mine, other] = [self.rows_of(old, page, true), self.rows_of(new, page, false)];
        if !mine.is_empty() || !other.is_empty() {
            let differs = row_change(&mine, &other, [old.full, new.full]);
            let in_order = !matches!(differs, Some((RowChange::Order(..), ..)));
            self.rows.entry(page).or_default().add(differs.is_none() || !in_order);
            if mine.len() > 1 {
                self.order.entry(page).or_default().add(in_order);
            }
        }
    }

    /// The rows in the words of the new version, without what was changed on purpose.
    fn rows_of(&self, shown: &Shown, page: LayoutKey, old: bool) -> Vec<(Vec<Part>, WidgetIdx)> {
        let mut rows: Vec<(Vec<Part>, WidgetIdx)> = Vec::new();
        for (row, idx) in &shown.rows {
            let kept = row.iter().filter(|part| match old {
                true => part.is_data() || !self.is_gone(page, &part.words),
                false => !self.is_new(&part.words),
            });
            let mut row: Vec<Part> = kept
                .map(|part| match old {
                    true => Part { words: self.now(&part.words).to_owned(), data: part.data.clone() },
                    false => part.clone(),
                })
                .collect();
            row.sort_unstable();
            rows.push((row, *idx));
        }
        rows.retain(|(row, _)| !row.is_empty());
        rows
    }

    /// Whether the lists of this page never show these words in the new version.
    fn is_gone(&self, page: LayoutKey, words: &str) -> bool {
        self.words.get(&(in_lists(page), words.to_owned())).is_some_and(|tally| tally.everywhere())
    }

    /// Whether only the new version has these words.
    fn is_new(&self, words: &str) -> bool {
        !self.vocabulary.contains(words) && !self.renamed.values().any(|new| new == words)
    }

    /// What is different at a moment, each with whether that is so wherever it occurs.
    pub fn differences(&self, [old, new]: &[Shown; 2]) -> Vec<(Difference, bool)> {
        let page = old.page;
        let mut found = Vec::new();
        let mut add = |what: What, old, new, everywhere| {
            let at = match &what {
                What::Part(Some(part), _) | What::Part(None, Some(part)) => (page, part.words.clone()),
                _ => (in_lists(page), String::new()),
            };
            if !self.unsteady.contains(&at) {
                found.push((Difference { what, page, old, new }, everywhere));
            }
        };
        let (left, mut come) = left_over(&old.parts, &new.parts, |old, new| self.same(old, new));
        for (part, idx) in left {
            let place = come.iter().position(|(other, _)| self.same_words(part, other));
            let now = place.map(|place| come.remove(place));
            let tally = |of: &BTreeMap<(LayoutKey, String), Tally>| {
                let known: Vec<Tally> = match part.is_data() {
                    true => {
                        of.iter().filter(|((_, words), _)| *words == part.words).map(|(_, it)| *it).collect()
                    }
                    false => of.get(&(page, part.words.clone())).copied().into_iter().collect(),
                };
                known.iter().all(|tally| tally.everywhere())
            };
            match now {
                Some((now, new_idx)) => {
                    let what = What::Part(Some(part.clone()), Some(now.clone()));
                    add(what, Some(*idx), Some(*new_idx), tally(&self.data));
                }
                None if old.scrolls || new.scrolls => {}
                None => add(What::Part(Some(part.clone()), None), Some(*idx), None, tally(&self.words)),
            }
        }
        for (part, idx) in come {
            let known = self.words.get(&(page, part.words.clone())).copied().unwrap_or_default();
            let everywhere = self.is_new(&part.words) || known.everywhere() && !part.is_data();
            if !(old.scrolls || new.scrolls) || everywhere {
                add(What::Part(None, Some(part.clone())), None, Some(*idx), everywhere);
            }
        }
        let [mine, other] = [self.rows_of(old, page, true), self.rows_of(new, page, false)];
        let everywhere =
            |of: &BTreeMap<LayoutKey, Tally>| of.get(&page).is_some_and(|tally| tally.everywhere());
        match row_change(&mine, &other, [old.full, new.full]) {
            Some((RowChange::Order(one, next), old, new)) => {
                add(What::Order(one, next), old, new, everywhere(&self.order));
            }
            Some((RowChange::Other(one, next), old, new)) => {
                add(What::Row(one, next), old, new, everywhere(&self.rows));
            }
            None => {}
        }
        found
    }

    /// How a trace broke, as a difference, with whether the event can never be followed.
    pub fn broke(&self, played: &Played) -> Option<(Difference, bool)> {
        let broke = played.broke.clone()?;
        let ended = played.moments.len();
        let place = match broke {
            Broke::Elsewhere => ended.checked_sub(2)?,
            _ => ended.checked_sub(1)?,
        };
        let step = played.steps.get(place)?;
        let page = page_of(&step.before.layout);
        let followed = self.followed.get(&(page, act(&step.before.layout, &step.event)));
        let everywhere = followed.is_none_or(|tally| tally.everywhere());
        let old = match broke {
            Broke::Missing(widget) => Some(widget),
            _ => None,
        };
        let bug = matches!(broke, Broke::Died(_) | Broke::Loads);
        let difference = Difference { what: What::Broke(broke), page, old, new: None };
        Some((difference, everywhere && !bug))
    }

    /// The words at a moment that the new version has others for.
    pub fn renamed_at(&self, [old, new]: &[Shown; 2]) -> Vec<Difference> {
        let shows = |part: &Part| new.parts.iter().find(|(other, _)| self.same_words(part, other));
        let renamed = old.parts.iter().filter(|(part, _)| self.renamed.contains_key(&part.words));
        let found = renamed.filter_map(|(part, idx)| {
            let (now, new_idx) = shows(part)?;
            let what = What::Part(Some(part.clone()), Some(now.clone()));
            Some(Difference { what, page: LayoutKey(0), old: Some(*idx), new: Some(*new_idx) })
        });
        found.collect()
    }
}

/// The page as the place of what its lists show.
fn in_lists(page: LayoutKey) -> LayoutKey {
    LayoutKey(!page.0)
}

/// What a screen shows, each with how often.
fn counted(shown: &Shown) -> BTreeMap<&Part, usize> {
    let mut counts = BTreeMap::new();
    shown.all().for_each(|part| *counts.entry(part).or_default() += 1);
    counts
}

/// The event in words, without what it types and which row it is done to.
pub(super) fn act(before: &Layout, event: &Event) -> EventKey {
    let in_row = |idx: &WidgetIdx| before.list_item_around(*idx).is_some() && !is_dialog(before);
    let words = match touched_widget(event, before).filter(in_row) {
        Some(idx) => {
            let widget = before.widget(idx);
            format!("{} {:?}", widget.class, widget.resource_id)
        }
        None => event_for_people(&event.with_text(""), before),
    };
    EventKey(0).typing(&words)
}

/// The first moment of a trace at which something looks like a bug, with all that is different until then.
pub(super) fn first_bug(known: &Known, played: &Played) -> Option<(usize, Difference)> {
    for (place, moment) in played.moments.iter().enumerate() {
        let Moment { shown: Some(shown), .. } = moment else { continue };
        let mut found = known.differences(shown).into_iter();
        if let Some((difference, _)) = found.find(|(_, everywhere)| !everywhere) {
            return Some((place, difference));
        }
    }
    let (difference, everywhere) = known.broke(played)?;
    (!everywhere).then_some((played.moments.len(), difference))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use taproof_screen::{frame_of, layout_from};

    /// A test at whose moments both versions showed these screens.
    fn played(moments: &[[&str; 2]]) -> Played {
        let moment = |screens: &[&str; 2]| {
            let [old, new] = screens.map(|notation| Arc::new(layout_from(notation)));
            let shown = [&old, &new].map(|layout| Shown::of(layout, "org.ex", &BTreeSet::new()));
            Moment { old, new, shown: Some(shown) }
        };
        let first = frame_of(layout_from(moments[0][0]));
        Played { first, steps: Vec::new(), moments: moments.iter().map(moment).collect(), broke: None }
    }

    fn bug(moments: &[[&str; 2]]) -> Option<(usize, What)> {
        let played = played(moments);
        let known = Known::of(&[], std::slice::from_ref(&played));
        first_bug(&known, &played).map(|(place, difference)| (place, difference.what))
    }

    const LIST: &str = "FrameLayout\n  Button \"Sort\"\n  ListView\n    TextView \"a\"\n    TextView \"b\"\n";

    #[test]
    fn words_that_are_always_others_were_changed_on_purpose_and_rows_that_are_missing_once_were_not() {
        let renamed = LIST.replace("Sort", "Order");
        let less = renamed.replace("    TextView \"b\"\n", "");
        assert_eq!(bug(&[[LIST, &renamed], [LIST, &renamed]]), None);
        let missing = What::Row(Some("b".to_owned()), None);
        assert_eq!(bug(&[[LIST, &renamed], [LIST, &less]]), Some((1, missing)));
        assert_eq!(bug(&[[LIST, &less], [LIST, &less]]), None, "it is never there");
    }

    #[test]
    fn an_order_is_a_bug_where_it_was_the_same_before() {
        let turned = "FrameLayout\n  Button \"Sort\"\n  ListView\n    TextView \"b\"\n    TextView \"a\"\n";
        let order = What::Order("a".to_owned(), "b".to_owned());
        assert_eq!(bug(&[[LIST, LIST], [LIST, turned]]), Some((1, order)));
        assert_eq!(bug(&[[LIST, turned], [LIST, turned]]), None);
    }

    #[test]
    fn what_the_control_shows_is_never_said() {
        let count = |number: u32| format!("FrameLayout\n  TextView \"{number} seen\"\n");
        let [one, two] = [1, 2].map(count);
        let all = [[one.as_str(), one.as_str()], [&one, &two]];
        assert!(matches!(bug(&all), Some((1, What::Part(..)))));
        let known = Known::of(&[played(&[[&one, &two]])], &[played(&all)]);
        assert_eq!(first_bug(&known, &played(&all)), None);
    }
}
