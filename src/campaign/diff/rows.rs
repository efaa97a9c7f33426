//! How the rows of a list differ.

use super::shown::Part;
use taproof_screen::WidgetIdx;

/// How the rows of two lists differ.
pub(super) enum RowChange {
    /// The first two rows that stand in each other's place.
    Order(String, String),
    /// The first row that is gone, and the first that is new.
    Other(Option<String>, Option<String>),
}

/// Rows with what they show, and their widgets.
type Rows<'r> = &'r [(Vec<Part>, WidgetIdx)];

/// What one side has, with the widgets that show it.
type Left<'s, T> = Vec<&'s (T, WidgetIdx)>;

/// What each side has that the other one has not as often.
pub(super) fn left_over<'s, T>(
    old: &'s [(T, WidgetIdx)],
    new: &'s [(T, WidgetIdx)],
    same: impl Fn(&T, &T) -> bool,
) -> (Left<'s, T>, Left<'s, T>) {
    let mut new: Left<'_, T> = new.iter().collect();
    let mut left = Vec::new();
    for seen in old {
        match new.iter().position(|other| same(&seen.0, &other.0)) {
            Some(place) => drop(new.remove(place)),
            None => left.push(seen),
        }
    }
    (left, new)
}

/// The first difference between rows. `full` says of each side whether it may have more rows than are in sight.
pub(super) fn row_change(
    old: Rows<'_>,
    new: Rows<'_>,
    full: [bool; 2],
) -> Option<(RowChange, Option<WidgetIdx>, Option<WidgetIdx>)> {
    // What is below the last row in sight of one may be in sight of the other one.
    let seen = |of: Rows<'_>, other: Rows<'_>, full| if full { of.len().min(other.len()) } else { of.len() };
    let (short_old, short_new) = (&old[..seen(old, new, full[1])], &new[..seen(new, old, full[0])]);
    let (missing, _) = left_over(short_old, new, PartialEq::eq);
    let (extra, _) = left_over(short_new, old, PartialEq::eq);
    let text = |row: &(Vec<Part>, WidgetIdx)| row.0.iter().map(Part::text).collect::<Vec<_>>().join(", ");
    if missing.is_empty() && extra.is_empty() {
        let order = |of: Rows<'_>, all: Rows<'_>| -> Vec<(Vec<Part>, WidgetIdx)> {
            of.iter().filter(|(row, _)| all.iter().any(|(other, _)| other == row)).cloned().collect()
        };
        let (mine, other) = (order(old, new), order(new, old));
        let (one, next) = mine.iter().zip(&other).find(|(one, other)| one.0 != other.0)?;
        return Some((RowChange::Order(text(one), text(next)), Some(one.1), Some(next.1)));
    }
    let (gone, come) = (missing.first().copied(), extra.first().copied());
    Some((RowChange::Other(gone.map(text), come.map(text)), gone.map(|it| it.1), come.map(|it| it.1)))
}
