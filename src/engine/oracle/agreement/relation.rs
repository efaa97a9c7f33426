//! The relations that screens may keep, and whether a screen, or two of which a tap on the one opened the other, keeps one.

use serde::{Deserialize, Serialize};

use super::facts::{Facts, Group, PlaceKey, hash_of_items, texts_in};
use super::number::{Number, ONE, numbers};
use taproof_screen::determinism::hash_text;
use taproof_screen::{Layout, WidgetFlags, WidgetIdx, one_line};

/// A text that counts, by its place, and which of its numbers.
pub(super) type NumberAt = (PlaceKey, u8);

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

/// What of items a number may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Measure {
    /// How many there are.
    Count,
    /// How many are checked.
    Checked,
    /// How many are not checked.
    Unchecked,
    /// How many of a hundred are checked.
    CheckedShare,
    /// The sum of their numbers at a place.
    Sum(NumberAt),
    /// The mean of their numbers at a place.
    Mean(NumberAt),
}

/// What two places say, and whether they agree.
pub(super) struct Compared {
    pub holds: bool,
    /// A hash of what is shown, which is the same when the same is shown again.
    pub data: u64,
    /// What one of the places should say.
    pub value: i64,
    /// The two places on the last screen.
    pub places: Vec<WidgetIdx>,
    /// What the one place says, and what the other one does.
    pub says: [String; 2],
    /// The text of the one place.
    pub text: String,
}

impl Compared {
    /// The id of the first place, by which relations of one kind on a page are told apart; empty if it has none.
    pub(super) fn place_words(&self, layout: &Layout) -> String {
        let id = self.places.first().and_then(|idx| layout.get(*idx)?.short_id());
        id.map_or(String::new(), |id| format!(" ({id})"))
    }
}

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
    pub(super) fn compare(
        &self,
        opener: Option<(&Facts<'_>, WidgetIdx)>,
        facts: &Facts<'_>,
    ) -> Option<Compared> {
        match *self {
            Relation::Measures { number, group, measure } => {
                let (idx, number) = facts.number(number)?;
                let group = facts.groups.get(&group).filter(|group| group.whole)?;
                let Measured { holds, data, value, shows } = measured(facts, number, group, measure)?;
                let text = facts.layout.widget(idx).text.to_string();
                let places = std::iter::once(idx).chain(group.items.iter().copied()).collect();
                let says = [format!("the list says {}", quoted(&text)), format!("shows {shows}")];
                Some(Compared { holds, data, value, places, says, text })
            }
            Relation::Sorted { group, by, numeric, descending } => {
                sorted(facts, facts.groups.get(&group)?, by, (numeric, descending))
            }
            Relation::Opens { group, text, page, shown } => {
                let (before, touched) = opener?;
                let (of, item) = opened(before, touched, facts)?;
                let (_, said) =
                    texts_in(before.layout, item).into_iter().find(|(place, _)| *place == text)?;
                let there = facts.texts.get(&shown).filter(|_| (of, facts.page) == (group, page))?;
                let is_new = !was_there(before, facts, shown, *there);
                is_new.then(|| same_text((before, said), (facts, *there)))?
            }
            Relation::OpensCounted { group, number: (place, nth), page, counted } => {
                let (before, touched) = opener?;
                let (of, item) = opened(before, touched, facts)?;
                let (_, said) = texts_in(before.layout, item).into_iter().find(|(at, _)| *at == place)?;
                let text = &before.layout.widget(said).text;
                let number = *numbers(text).get(usize::from(nth))?;
                let rows = facts.groups.get(&counted).filter(|rows| rows.whole)?;
                let shown_before = before.groups.get(&counted).is_some_and(|known| {
                    hash_of_items(before.layout, &known.items) == hash_of_items(facts.layout, &rows.items)
                });
                if (of, facts.page) != (group, page) || shown_before {
                    return None;
                }
                let Measured { holds, data, value, shows } = measured(facts, number, rows, Measure::Count)?;
                let says = [format!("a row says {}", quoted(text)), format!("opens {shows}")];
                Some(Compared {
                    holds,
                    data,
                    value,
                    places: rows.items.clone(),
                    says,
                    text: text.to_string(),
                })
            }
        }
    }
}

/// The relations that a screen keeps.
pub(super) fn kept_by(facts: &Facts<'_>) -> Vec<Relation> {
    let mut kept = Vec::new();
    for (place, idx) in &facts.texts {
        let found = (0_u8..).zip(numbers(&facts.layout.widget(*idx).text));
        for (nth, value) in found {
            kept.extend(measures_kept(facts, ((*place, nth), *idx, value)));
        }
    }
    for (key, group) in &facts.groups {
        let Some(first) = group.items.first() else { continue };
        for (by, _) in texts_in(facts.layout, *first) {
            let orders = [(false, false), (false, true), (true, false), (true, true)];
            let of = |(numeric, descending)| Relation::Sorted { group: *key, by, numeric, descending };
            let holds = |order: &(bool, bool)| sorted(facts, group, by, *order).is_some_and(|it| it.holds);
            kept.extend(orders.into_iter().filter(holds).map(of));
        }
    }
    kept
}

/// What a number is of the groups of its screen.
fn measures_kept(facts: &Facts<'_>, (number, idx, value): (NumberAt, WidgetIdx, Number)) -> Vec<Relation> {
    let mut kept = Vec::new();
    for (key, group) in facts.groups.iter().filter(|(_, group)| group.whole && !group.items.contains(&idx)) {
        let agrees = |measure: &Measure| measured(facts, value, group, *measure).is_some_and(|it| it.holds);
        let of = |measure| Relation::Measures { number, group: *key, measure };
        kept.extend(measures(facts, group).into_iter().filter(agrees).map(of));
    }
    kept
}

/// The relations that are kept by a screen and what a tap on the widget opened.
pub(super) fn kept_by_opened(before: &Facts<'_>, touched: WidgetIdx, facts: &Facts<'_>) -> Vec<Relation> {
    let Some((group, item)) = opened(before, touched, facts).filter(|_| before.page != facts.page) else {
        return Vec::new();
    };
    let mut kept = Vec::new();
    for (text, said) in texts_in(before.layout, item) {
        let shown = facts.texts.iter().filter(|(place, idx)| {
            let same = same_text((before, said), (facts, **idx)).is_some_and(|compared| compared.holds);
            same && !was_there(before, facts, **place, **idx)
        });
        kept.extend(shown.map(|(shown, _)| Relation::Opens { group, text, page: facts.page, shown: *shown }));
        for (nth, number) in (0_u8..).zip(numbers(&before.layout.widget(said).text)) {
            let agree = facts.groups.iter().filter(|(_, rows)| {
                rows.whole && measured(facts, number, rows, Measure::Count).is_some_and(|it| it.holds)
            });
            kept.extend(agree.map(|(counted, _)| Relation::OpensCounted {
                group,
                number: (text, nth),
                page: facts.page,
                counted: *counted,
            }));
        }
    }
    kept
}

/// The item that a tap on the widget has opened, with its group. Where the item is listed still, the tap did something
/// else, as one that ends a selection does.
fn opened(before: &Facts<'_>, touched: WidgetIdx, facts: &Facts<'_>) -> Option<(PlaceKey, WidgetIdx)> {
    let (group, item) = before.opened_by(touched)?;
    let said = hash_of_items(before.layout, &[item]);
    let listed = |row: &WidgetIdx| hash_of_items(facts.layout, &[*row]) == said;
    let still = facts.groups.get(&group).is_some_and(|rows| rows.items.iter().any(listed));
    (!still).then_some((group, item))
}

/// Whether the place said the same before, so that nothing was opened there.
fn was_there(before: &Facts<'_>, facts: &Facts<'_>, place: PlaceKey, idx: WidgetIdx) -> bool {
    let text = &facts.layout.widget(idx).text;
    before.texts.get(&place).is_some_and(|known| before.layout.widget(*known).text == *text)
}

/// What a number may be of these items.
fn measures(facts: &Facts<'_>, group: &Group) -> Vec<Measure> {
    let mut measures = vec![Measure::Count];
    if group.items.iter().any(|item| checked(facts, *item).is_some()) {
        measures.extend([Measure::Checked, Measure::Unchecked, Measure::CheckedShare]);
    }
    let counts = |item: &WidgetIdx| texts_in(facts.layout, *item).into_iter();
    let mut places: Vec<NumberAt> = Vec::new();
    for (place, idx) in group.items.iter().flat_map(counts) {
        let found = (0_u8..).zip(numbers(&facts.layout.widget(idx).text));
        places.extend(found.map(|(nth, _)| (place, nth)));
    }
    places.sort_unstable();
    places.dedup();
    measures.extend(places.into_iter().flat_map(|place| [Measure::Sum(place), Measure::Mean(place)]));
    measures
}

/// What is measured of items.
struct Measured {
    holds: bool,
    data: u64,
    value: i64,
    /// What the items show, in words.
    shows: String,
}

fn measured(facts: &Facts<'_>, number: Number, group: &Group, measure: Measure) -> Option<Measured> {
    let layout = facts.layout;
    let count = i64::try_from(group.items.len()).ok()?;
    let checks = || group.items.iter().filter_map(|item| checked(facts, *item));
    let (value, words) = match measure {
        Measure::Count => (count * ONE, ""),
        Measure::Checked | Measure::Unchecked | Measure::CheckedShare => {
            let all = i64::try_from(checks().count()).ok().filter(|all| *all == count)?;
            let on = i64::try_from(checks().filter(|on| *on).count()).ok()?;
            match measure {
                Measure::Checked => (on * ONE, "checked "),
                Measure::Unchecked => ((all - on) * ONE, "unchecked "),
                _ => (on * 100 * ONE / all, "% checked of the "),
            }
        }
        Measure::Sum(place) | Measure::Mean(place) => {
            let all = numbers_of(facts, group, place);
            let sum: i64 = all.iter().map(|number| number.thousandths).sum();
            let some = i64::try_from(all.len()).ok().filter(|some| *some > 1)?;
            match measure {
                Measure::Sum(_) => (sum, "as the sum of the "),
                _ => (sum / some, "as the average of the "),
            }
        }
    };
    // A mean or a share is rounded, or cut off.
    let rounded = matches!(measure, Measure::Mean(_) | Measure::CheckedShare);
    let most = if rounded { (2 * number.half_unit).max(1) } else { 0 };
    let rows = if count == 1 { "row" } else { "rows" };
    Some(Measured {
        holds: (number.thousandths - value).abs() <= most,
        data: hash_of_items(layout, &group.items),
        value,
        shows: format!("{} {words}{rows}", in_words(value)),
    })
}

/// The numbers of items at a place.
fn numbers_of(facts: &Facts<'_>, group: &Group, (place, nth): NumberAt) -> Vec<Number> {
    let number = |item: &WidgetIdx| {
        let (_, idx) = texts_in(facts.layout, *item).into_iter().find(|(at, _)| *at == place)?;
        numbers(&facts.layout.widget(idx).text).get(usize::from(nth)).copied()
    };
    group.items.iter().filter_map(number).collect()
}

/// Whether the only thing in an item that can be checked is checked.
fn checked(facts: &Facts<'_>, item: WidgetIdx) -> Option<bool> {
    let flags = facts.layout.subtree(item).map(|idx| facts.layout.widget(idx).flags);
    let mut checks = flags.filter(|flags| flags.has(WidgetFlags::CHECKABLE));
    let check = checks.next()?;
    checks.next().is_none().then(|| check.has(WidgetFlags::CHECKED))
}

/// Number of items that are in an order by accident seldom.
const ORDERED_ITEMS: usize = 3;

fn sorted(
    facts: &Facts<'_>,
    group: &Group,
    by: PlaceKey,
    (numeric, descending): (bool, bool),
) -> Option<Compared> {
    let layout = facts.layout;
    let find = |item: &WidgetIdx| texts_in(layout, *item).into_iter().find(|(place, _)| *place == by);
    let texts: Vec<WidgetIdx> = group.items.iter().map(|item| Some(find(item)?.1)).collect::<Option<_>>()?;
    if texts.len() < ORDERED_ITEMS {
        return None;
    }
    let says = |idx: WidgetIdx| &*layout.widget(idx).text;
    let mut wrong = None;
    let mut distinct = 1;
    for pair in texts.windows(2) {
        let (one, next) = (says(pair[0]), says(pair[1]));
        let order = if numeric {
            let number = |text: &str| numbers(text).first().map(|number| number.thousandths);
            number(one)?.cmp(&number(next)?)
        } else {
            alphabetical(one, next)?
        };
        let order = if descending { order.reverse() } else { order };
        distinct += usize::from(order.is_ne());
        if order.is_gt() {
            wrong.get_or_insert((pair[0], pair[1]));
        }
    }
    if distinct < ORDERED_ITEMS {
        return None;
    }
    let (upper, lower) = wrong.unwrap_or((texts[0], texts[1]));
    Some(Compared {
        holds: wrong.is_none(),
        data: hash_of_items(layout, &group.items),
        value: i64::try_from(texts.len()).unwrap_or(0),
        places: vec![upper, lower],
        says: [
            "the rows are always in order".to_owned(),
            format!("{} is above {}", quoted(says(upper)), quoted(says(lower))),
        ],
        text: says(upper).to_owned(),
    })
}

/// The order of two texts, whatever their case; `None` if it depends on the language.
fn alphabetical(one: &str, other: &str) -> Option<std::cmp::Ordering> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == ' ';
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let differ = one.chars().zip(other.chars()).find(|(one, other)| one != other);
    match differ {
        Some((one, other)) if plain(one) && plain(other) => Some(one.cmp(&other)),
        Some(_) => None,
        None => Some(one.len().cmp(&other.len())),
    }
}

/// The least number of letters that two texts have in common by accident seldom.
const SHORTEST: usize = 2;

/// Whether two texts are the same. `None` if the one may be short for the other, or another spelling.
fn same_text(
    (one, at): (&Facts<'_>, WidgetIdx),
    (other, there): (&Facts<'_>, WidgetIdx),
) -> Option<Compared> {
    let (said, shown) = (one_line(&one.layout.widget(at).text), one_line(&other.layout.widget(there).text));
    let (lower, other_lower) = (said.to_lowercase(), shown.to_lowercase());
    let short = lower.chars().count() < SHORTEST || shown.is_empty();
    let part = |one: &str, other: &str| other.contains(one.trim_end_matches(['\u{2026}', '.']));
    if short || (said != shown && (part(&lower, &other_lower) || part(&other_lower, &lower))) {
        return None;
    }
    Some(Compared {
        holds: said == shown,
        data: hash_text(&said),
        value: 0,
        places: vec![there],
        says: [format!("a row says {}", quoted(&said)), format!("its page says {}", quoted(&shown))],
        text: one.layout.widget(at).text.to_string(),
    })
}

fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let line = one_line(text);
    let cut: String = line.chars().take(LONGEST).collect();
    let more = if cut.len() < line.len() { "\u{2026}" } else { "" };
    format!("\u{201c}{cut}{more}\u{201d}")
}

/// A number of thousandths as people write it.
fn in_words(thousandths: i64) -> String {
    let (whole, part) = (thousandths / ONE, (thousandths % ONE).abs());
    let sign = if thousandths < 0 && whole == 0 { "-" } else { "" };
    let decimals = format!("{part:03}");
    match decimals.trim_end_matches('0') {
        "" => whole.to_string(),
        decimals => format!("{sign}{whole}.{decimals}"),
    }
}
