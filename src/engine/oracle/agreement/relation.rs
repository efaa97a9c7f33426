//! The relations that screens may keep, and whether a screen, or two of which a tap on the one opened the other, keeps one.

use serde::{Deserialize, Serialize};

use super::facts::{Facts, Group, Item, PlaceKey};
use super::measure::{Measure, NumberAt};
use super::number::numbers;
use std::cmp::Ordering;
use taproof_screen::determinism::hash_text;
use taproof_screen::{Layout, WidgetIdx, one_line};

/// Something that screens of an app agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Relation {
    /// A number is that of the items beside it, or follows from them.
    Measures {
        /// The number.
        number: NumberAt,
        /// The group.
        group: PlaceKey,
        /// What of the items it is.
        measure: Measure,
    },
    /// The items come in an order.
    Sorted {
        /// The group.
        group: PlaceKey,
        /// The place in each item of what they are ordered by.
        by: PlaceKey,
        /// Whether by a number rather than by a text.
        numeric: bool,
        /// Whether the greatest comes first.
        descending: bool,
    },
    /// What a tap on an item opens shows a text of the item.
    Opens {
        /// The group of the item.
        group: PlaceKey,
        /// The place of the text in the item.
        text: PlaceKey,
        /// The page that is opened.
        page: PlaceKey,
        /// The place of the text there.
        shown: PlaceKey,
    },
    /// What a tap on an item opens shows as many items as that says.
    OpensCounted {
        /// The group of the item.
        group: PlaceKey,
        /// The place of the number in the item.
        number: NumberAt,
        /// The page that is opened.
        page: PlaceKey,
        /// The group there.
        counted: PlaceKey,
    },
}

/// Whether what a screen shows keeps a relation.
#[derive(Clone, Copy)]
pub(super) struct Compared {
    pub holds: bool,
    /// A hash of what is shown, which is the same when the same is shown again.
    pub data: u64,
    /// What one of the places should say.
    pub value: i64,
}

/// What two places say.
pub(super) struct Told {
    /// The two places on the last screen.
    pub places: Vec<WidgetIdx>,
    /// What the one place says, and what the other one does.
    pub says: [String; 2],
    /// The text of the one place.
    pub text: String,
}

/// The screen before a tap, and the widget that was tapped.
pub(super) type Opener<'o, 'l> = Option<(&'o Facts<'l>, WidgetIdx)>;

impl Relation {
    /// Whether two screens are needed, of which a tap on the one opened the other.
    pub fn is_opened(&self) -> bool {
        matches!(self, Relation::Opens { .. } | Relation::OpensCounted { .. })
    }

    /// Whether only a restart of the app can tell that it is broken: what follows from the items then does again.
    pub fn is_told_by_restart(&self) -> bool {
        !matches!(self, Relation::Opens { .. })
    }

    /// What it says, without any data.
    pub fn condition(&self) -> &'static str {
        match self {
            Relation::Measures { measure, .. } => match measure {
                Measure::Count => "the number is that of the rows",
                Measure::Checked => "the number is that of the checked rows",
                Measure::Unchecked => "the number is that of the rows that are not checked",
                Measure::CheckedShare => "the share is that of the checked rows",
                Measure::Sum(_) => "the total is the sum of the rows",
                Measure::Mean(_) => "the average is that of the rows",
            },
            Relation::Sorted { .. } => "the rows are in order",
            Relation::Opens { .. } => "a row and its page say the same",
            Relation::OpensCounted { .. } => "a row says how many rows it opens",
        }
    }

    /// Whether the screen keeps it, or the two of which the tap on the widget of the first opened the second. `None` if
    /// they show not what it is about.
    pub(super) fn compare(&self, opener: Opener<'_, '_>, facts: &Facts<'_>) -> Option<Compared> {
        match *self {
            Relation::Measures { number, group, measure } => {
                let ((_, number), group) = (facts.number(number)?, facts.groups.get(&group)?);
                let (_, value) = *group.measures.iter().find(|(known, _)| *known == measure)?;
                Some(Compared { holds: measure.is(number, value), data: group.data, value })
            }
            Relation::Sorted { group, by, numeric, descending } => {
                let group = facts.groups.get(&group)?;
                let orders = orders(facts.layout, &column(group, by)?, numeric)?;
                let wrong = if descending { Ordering::Less } else { Ordering::Greater };
                let (holds, value) = (!orders.contains(&wrong), group.items.len() as i64);
                Some(Compared { holds, data: group.data, value })
            }
            Relation::Opens { .. } => {
                let [(before, said), (facts, shown)] = self.opened_texts(opener, facts)?;
                same_text(&before.layout.widget(said).text, &facts.layout.widget(shown).text)
            }
            Relation::OpensCounted { group, number: (place, nth), page, counted } => {
                let (before, touched) = opener?;
                let (of, item) = opened(before, touched, facts)?;
                let number = numbers(&before.layout.widget(item.text(place)?).text);
                let (number, rows) = (*number.get(usize::from(nth))?, facts.groups.get(&counted)?);
                let shown_before = before.groups.get(&counted).is_some_and(|known| known.data == rows.data);
                if !rows.whole || (of, facts.page) != (group, page) || shown_before {
                    return None;
                }
                let (measure, value) = *rows.measures.first()?;
                Some(Compared { holds: measure.is(number, value), data: rows.data, value })
            }
        }
    }

    /// What the two places say, where [`Relation::compare`] has something to compare.
    pub(super) fn told(&self, opener: Opener<'_, '_>, facts: &Facts<'_>) -> Option<Told> {
        let says = |idx: WidgetIdx| &*facts.layout.widget(idx).text;
        match *self {
            Relation::Measures { number, group, measure } => {
                let ((idx, _), group) = (facts.number(number)?, facts.groups.get(&group)?);
                let (_, value) = *group.measures.iter().find(|(known, _)| *known == measure)?;
                let shows = format!("shows {}", measure.words(value, group.items.len()));
                let says = [format!("the list says {}", quoted(says(idx))), shows];
                let places = std::iter::once(idx).chain(group.items.iter().map(|item| item.idx)).collect();
                Some(Told { places, says, text: facts.layout.widget(idx).text.to_string() })
            }
            Relation::Sorted { group, by, numeric, descending } => {
                let texts = column(facts.groups.get(&group)?, by)?;
                let wrong = if descending { Ordering::Less } else { Ordering::Greater };
                let orders = orders(facts.layout, &texts, numeric)?;
                let at = orders.iter().position(|order| *order == wrong).unwrap_or(0);
                let (upper, lower) = (texts[at], texts[at + 1]);
                let shows = format!("{} is above {}", quoted(says(upper)), quoted(says(lower)));
                let text = says(upper).to_owned();
                let says = ["the rows are always in order".to_owned(), shows];
                Some(Told { places: vec![upper, lower], says, text })
            }
            Relation::Opens { .. } => {
                let [(before, said), (_, shown)] = self.opened_texts(opener, facts)?;
                let text = before.layout.widget(said).text.to_string();
                let page = format!("its page says {}", quoted(says(shown)));
                Some(Told {
                    places: vec![shown],
                    says: [format!("a row says {}", quoted(&text)), page],
                    text,
                })
            }
            Relation::OpensCounted { number: (place, _), counted, .. } => {
                let (before, touched) = opener?;
                let (_, item) = opened(before, touched, facts)?;
                let text = before.layout.widget(item.text(place)?).text.to_string();
                let rows = facts.groups.get(&counted)?;
                let (measure, value) = *rows.measures.first()?;
                let opens = format!("opens {}", measure.words(value, rows.items.len()));
                let places = rows.items.iter().map(|item| item.idx).collect();
                Some(Told { places, says: [format!("a row says {}", quoted(&text)), opens], text })
            }
        }
    }

    /// The text of the item and that of the page it opened.
    fn opened_texts<'a, 'l>(
        &self,
        opener: Opener<'a, 'l>,
        facts: &'a Facts<'l>,
    ) -> Option<[(&'a Facts<'l>, WidgetIdx); 2]> {
        let Relation::Opens { group, text, page, shown } = *self else { return None };
        let (before, touched) = opener?;
        let (of, item) = opened(before, touched, facts)?;
        let (said, there) = (item.text(text)?, *facts.texts.get(&shown)?);
        let is_new = (of, facts.page) == (group, page) && !was_there(before, facts, shown, there);
        is_new.then_some([(before, said), (facts, there)])
    }
}

/// The relations that a screen keeps.
pub(super) fn kept_by(facts: &Facts<'_>) -> Vec<Relation> {
    let mut kept = Vec::new();
    for (place, idx) in &facts.texts {
        let found = (0_u8..).zip(numbers(&facts.layout.widget(*idx).text));
        for (nth, value) in found {
            for (key, group) in &facts.groups {
                let others = || group.items.iter().all(|item| item.idx != *idx);
                let mut held =
                    group.measures.iter().filter(|(measure, of)| measure.is(value, *of)).peekable();
                if held.peek().is_some() && others() {
                    let number = (*place, nth);
                    kept.extend(held.map(|(measure, _)| Relation::Measures {
                        number,
                        group: *key,
                        measure: *measure,
                    }));
                }
            }
        }
    }
    for (key, group) in &facts.groups {
        for (by, _) in group.items.first().iter().flat_map(|item| &item.texts) {
            let Some(texts) = column(group, *by) else { continue };
            for numeric in [false, true] {
                let Some(orders) = orders(facts.layout, &texts, numeric) else { continue };
                for (descending, wrong) in [(false, Ordering::Greater), (true, Ordering::Less)] {
                    let held = !orders.contains(&wrong);
                    let relation = Relation::Sorted { group: *key, by: *by, numeric, descending };
                    kept.extend(held.then_some(relation));
                }
            }
        }
    }
    kept
}

/// The relations that are kept by a screen and what a tap on the widget opened.
pub(super) fn kept_by_opened(before: &Facts<'_>, touched: WidgetIdx, facts: &Facts<'_>) -> Vec<Relation> {
    let mut kept = Vec::new();
    if before.page == facts.page {
        return kept;
    }
    let Some((group, item)) = opened(before, touched, facts) else { return kept };
    for (text, said) in &item.texts {
        let says = &before.layout.widget(*said).text;
        let shown = facts.texts.iter().filter(|(place, idx)| {
            let same = same_text(says, &facts.layout.widget(**idx).text).is_some_and(|it| it.holds);
            same && !was_there(before, facts, **place, **idx)
        });
        let page = facts.page;
        kept.extend(shown.map(|(shown, _)| Relation::Opens { group, text: *text, page, shown: *shown }));
        for (nth, number) in (0_u8..).zip(numbers(says)) {
            let counts =
                |rows: &Group| rows.measures.first().is_some_and(|(of, value)| of.is(number, *value));
            let agree = facts.groups.iter().filter(|(_, rows)| counts(rows));
            kept.extend(agree.map(|(counted, _)| Relation::OpensCounted {
                group,
                number: (*text, nth),
                page,
                counted: *counted,
            }));
        }
    }
    kept
}

/// The item that a tap on the widget has opened, with its group. Where the item is listed still, the tap did something
/// else, as one that ends a selection does.
fn opened<'f>(before: &'f Facts<'_>, touched: WidgetIdx, facts: &Facts<'_>) -> Option<(PlaceKey, &'f Item)> {
    let (group, item) = before.opened_by(touched)?;
    let listed = |row: &Item| row.data == item.data;
    let still = facts.groups.get(&group).is_some_and(|rows| rows.items.iter().any(listed));
    (!still).then_some((group, item))
}

/// Whether the place said the same before, so that nothing was opened there.
fn was_there(before: &Facts<'_>, facts: &Facts<'_>, place: PlaceKey, idx: WidgetIdx) -> bool {
    let text = &facts.layout.widget(idx).text;
    before.texts.get(&place).is_some_and(|known| before.layout.widget(*known).text == *text)
}

/// Number of items that are in an order by accident seldom.
const ORDERED_ITEMS: usize = 3;

/// The texts at a place in all items; `None` if an item has none, or there are too few.
fn column(group: &Group, by: PlaceKey) -> Option<Vec<WidgetIdx>> {
    let texts = group.items.iter().map(|item| item.text(by)).collect::<Option<Vec<_>>>()?;
    (texts.len() >= ORDERED_ITEMS).then_some(texts)
}

/// How each text stands to the next one, by their numbers or by their letters; `None` if that cannot be told, or too many
/// are equal.
fn orders(layout: &Layout, texts: &[WidgetIdx], numeric: bool) -> Option<Vec<Ordering>> {
    let says = |idx: &WidgetIdx| &*layout.widget(*idx).text;
    let orders: Vec<Ordering> = if numeric {
        let number = |idx| Some(numbers(says(idx)).first()?.thousandths);
        let all = texts.iter().map(number).collect::<Option<Vec<i64>>>()?;
        all.windows(2).map(|pair| pair[0].cmp(&pair[1])).collect()
    } else {
        texts.windows(2).map(|pair| alphabetical(says(&pair[0]), says(&pair[1]))).collect::<Option<_>>()?
    };
    let distinct = 1 + orders.iter().filter(|order| order.is_ne()).count();
    (distinct >= ORDERED_ITEMS).then_some(orders)
}

/// The order of two texts, whatever their case; `None` if it depends on the language.
fn alphabetical(one: &str, other: &str) -> Option<Ordering> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == ' ';
    let lower = |text: &'_ str| text.chars().flat_map(char::to_lowercase).collect::<Vec<_>>();
    let first =
        |text: &str| text.chars().next().filter(char::is_ascii).map(|letter| letter.to_ascii_lowercase());
    // Most differ in their first letter.
    if let (Some(one), Some(other)) = (first(one), first(other))
        && one != other
    {
        return (plain(one) && plain(other)).then(|| one.cmp(&other));
    }
    let (one, other) = (lower(one), lower(other));
    match one.iter().zip(&other).find(|(one, other)| one != other) {
        Some((one, other)) => (plain(*one) && plain(*other)).then(|| one.cmp(other)),
        None => Some(one.len().cmp(&other.len())),
    }
}

/// The least number of letters that two texts have in common by accident seldom.
const SHORTEST: usize = 2;

/// Whether two texts are the same. `None` if the one may be short for the other, or another spelling.
fn same_text(said: &str, shown: &str) -> Option<Compared> {
    let holds = said == shown || one_line(said) == one_line(shown);
    let line = one_line(said);
    if line.chars().nth(SHORTEST - 1).is_none() || shown.is_empty() {
        return None;
    }
    if !holds {
        let (lower, other) = (line.to_lowercase(), one_line(shown).to_lowercase());
        let part = |one: &str, other: &str| other.contains(one.trim_end_matches(['\u{2026}', '.']));
        if part(&lower, &other) || part(&other, &lower) {
            return None;
        }
    }
    Some(Compared { holds, data: hash_text(&line), value: 0 })
}

fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let line = one_line(text);
    let cut: String = line.chars().take(LONGEST).collect();
    let more = if cut.len() < line.len() { "\u{2026}" } else { "" };
    format!("\u{201c}{cut}{more}\u{201d}")
}
