//! What numbers may be of the items beside them.

use serde::{Deserialize, Serialize};

use super::facts::{Item, PlaceKey};
use super::number::{Number, ONE, numbers};
use taproof_screen::{Layout, WidgetFlags};

/// A text that counts, by its place, and which of its numbers.
pub(super) type NumberAt = (PlaceKey, u8);

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

impl Measure {
    /// Whether the number is this, as exactly as it is shown. A mean or a share is rounded, or cut off. What follows a word, as
    /// in *Visit 3*, names something and counts nothing.
    pub(super) fn is(self, number: Number, value: i64) -> bool {
        if number.is_name && matches!(self, Measure::Count | Measure::Checked | Measure::Unchecked) {
            return false;
        }
        let rounded = matches!(self, Measure::Mean(_) | Measure::CheckedShare);
        let most = if rounded { (2 * number.half_unit).max(1) } else { 0 };
        (number.thousandths - value).abs() <= most
    }

    /// What so many items show, in words.
    pub(super) fn words(self, value: i64, items: usize) -> String {
        let (words, is_one) = match self {
            Measure::Count => ("", value == ONE),
            Measure::Checked => ("checked ", value == ONE),
            Measure::Unchecked => ("unchecked ", value == ONE),
            Measure::CheckedShare => ("% checked of the ", items == 1),
            Measure::Sum(_) => ("as the sum of the ", items == 1),
            Measure::Mean(_) => ("as the average of the ", items == 1),
        };
        format!("{} {words}{}", in_words(value), if is_one { "row" } else { "rows" })
    }
}

/// All that can be measured of these items, in thousandths.
pub(super) fn measures(layout: &Layout, items: &[Item]) -> Vec<(Measure, i64)> {
    let count = items.len() as i64;
    let mut known = vec![(Measure::Count, count * ONE)];
    let checks: Option<Vec<bool>> = items.iter().map(|item| checked(layout, item)).collect();
    if let Some(checks) = checks.filter(|checks| !checks.is_empty()) {
        let on = checks.iter().filter(|on| **on).count() as i64;
        known.extend([(Measure::Checked, on * ONE), (Measure::Unchecked, (count - on) * ONE)]);
        known.push((Measure::CheckedShare, on * 100 * ONE / count));
    }
    let mut all: Vec<(NumberAt, i64)> = Vec::new();
    for (place, idx) in items.iter().flat_map(|item| &item.texts) {
        let found = (0_u8..).zip(numbers(&layout.widget(*idx).text));
        all.extend(found.map(|(nth, number)| ((*place, nth), number.thousandths)));
    }
    all.sort_by_key(|(at, _)| *at);
    for same in all.chunk_by(|(one, _), (other, _)| one == other).filter(|same| same.len() > 1) {
        let (at, sum) = (same[0].0, same.iter().map(|(_, number)| number).sum::<i64>());
        known.extend([(Measure::Sum(at), sum), (Measure::Mean(at), sum / same.len() as i64)]);
    }
    known
}

/// Whether the only thing in an item that can be checked is checked.
fn checked(layout: &Layout, item: &Item) -> Option<bool> {
    let flags = layout.subtree(item.idx).map(|idx| layout.widget(idx).flags);
    let mut checks = flags.filter(|flags| flags.has(WidgetFlags::CHECKABLE));
    let check = checks.next()?;
    checks.next().is_none().then(|| check.has(WidgetFlags::CHECKED))
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
