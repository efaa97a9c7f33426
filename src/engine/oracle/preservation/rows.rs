//! Whether the rows of a list are others, or another part of the list is in sight.

use super::differences::{Aspect, Difference, GONE, RowChange, shown};
use super::noticed::{CELL, List};
use super::places::Place;
use taproof_screen::counted;

/// The rows of a list that are not the same. A list of which another part is in sight is a hint.
pub(super) fn rows(place: &Place, was: &List, is: &List) -> Option<Difference> {
    let (old, new): (Vec<&str>, Vec<&str>) = (texts_of(was), texts_of(is));
    if old == new {
        return None;
    }
    // The lines of a grid are filled anew when one of its cells moves.
    let moved = cells(&old) == cells(&new);
    let gone = without(&old, &new).first().and_then(|gone| was.rows.iter().find(|row| row.lasting == **gone));
    let come = without(&new, &old).first().and_then(|come| is.rows.iter().find(|row| row.lasting == **come));
    let (gone, come) = (gone.filter(|_| !moved), come.filter(|_| !moved));
    let may_scroll =
        was.full || is.full || was.offset != is.offset || was.bounds.height() != is.bounds.height();
    // An order by times that pass, such as the time spent on something, changes by itself, and with it the rows in sight.
    let timed = || was.rows.iter().any(|row| row.text != row.lasting);
    let by_time = ((gone.is_none() && come.is_none()) || was.full || is.full) && timed();
    let aspect =
        if by_time || (may_scroll && same_in_sight(&old, &new)) { Aspect::View } else { Aspect::Rows };
    let (change, before, after) = match (gone, come) {
        (None, None) => {
            let (one, other) = first_moved(&old, &new);
            let order = |one, other| format!("{} before {}", shown(one), shown(other));
            (RowChange::Order, order(one, other), order(other, one))
        }
        (Some(gone), None) => (RowChange::Gone, shown(&gone.text), GONE.to_owned()),
        (Some(gone), Some(come)) => (RowChange::Other, shown(&gone.text), shown(&come.text)),
        (None, Some(come)) => {
            (RowChange::Come, counted(old.len(), "row"), format!("also {}", shown(&come.text)))
        }
    };
    Some(Difference {
        aspect,
        place: place.what.clone(),
        before: format!("{before} in {}", place.words()),
        after,
        rows: if aspect == Aspect::Rows { change } else { RowChange::Other },
        was: Some(gone.map_or(was.widget, |row| row.widget)),
        widget: Some(come.map_or(is.widget, |row| row.widget)),
    })
}

/// The first cell in whose place is another one, and that one: it comes later in the first list.
fn first_moved<'t>(old: &[&'t str], new: &[&'t str]) -> (&'t str, &'t str) {
    let cells = |rows: &[&'t str]| rows.iter().flat_map(|row| row.split(CELL)).collect::<Vec<_>>();
    let (old, new) = (cells(old), cells(new));
    old.into_iter().zip(new).find(|(old, new)| old != new).unwrap_or_default()
}

/// The texts of the cells of all rows, in alphabetical order.
fn cells<'t>(rows: &[&'t str]) -> Vec<&'t str> {
    let mut cells: Vec<&str> = rows.iter().flat_map(|row| row.split(CELL)).collect();
    cells.sort_unstable();
    cells
}

fn texts_of(list: &List) -> Vec<&str> {
    list.rows.iter().map(|row| row.lasting.as_str()).collect()
}

/// The rows of `all` that `some` has not, counting equal ones.
fn without<'t>(all: &[&'t str], some: &[&str]) -> Vec<&'t str> {
    let mut left: Vec<&str> = some.to_vec();
    let mut missing = Vec::new();
    for row in all {
        match left.iter().position(|other| other == row) {
            Some(at) => {
                left.remove(at);
            }
            None => missing.push(*row),
        }
    }
    missing
}

/// Whether both may be parts of one list. Then there is a place of the second part in the first one, or beside it, at which
/// all rows that both show are equal; what both show once and not there is another row of the same name, of which there
/// are no more than of those. Rows that only one of them has are at its ends. Where both have only names in common that
/// several rows have, nothing tells how far the list was scrolled.
fn same_in_sight(old: &[&str], new: &[&str]) -> bool {
    let count = |rows: &[&str], name: &str| rows.iter().filter(|row| **row == name).count();
    let shown_once = |name: &&&str| count(old, name) == 1 && count(new, name) == 1;
    let marks = old.iter().filter(shown_once).count();
    let fits = |rows: &[&str], part: &[&str]| {
        (0..rows.len()).any(|first| {
            let common = part.len().min(rows.len() - first);
            let (here, there) = (&rows[first..first + common], &part[..common]);
            let elsewhere = marks - here.iter().filter(shown_once).count();
            here == there && elsewhere <= common
        })
    };
    marks == 0 || inner(old, new) == inner(new, old) || fits(old, new) || fits(new, old)
}

/// The rows from the first to the last that the other one has, too.
fn inner<'r, 't>(rows: &'r [&'t str], other: &[&str]) -> &'r [&'t str] {
    let first = rows.iter().position(|row| other.contains(row));
    let last = rows.iter().rposition(|row| other.contains(row));
    first.zip(last).map_or(&[], |(first, last)| &rows[first..=last])
}

#[cfg(test)]
mod tests {
    use super::super::differences;
    use super::*;
    use taproof_screen::{WidgetFlags, WidgetIdx, layout_from};

    #[test]
    fn rows_in_an_order_by_time_come_into_sight_by_themselves() {
        let list = |rows: &[&str]| {
            let rows: String = rows.iter().map(|row| format!("  TextView \"{row}\"\n")).collect();
            // The last row is only partly in sight.
            let layout = layout_from(&format!("ListView#list\n{rows}"));
            let bottom = layout.widgets().last().map_or(0, |row| row.bounds.bottom);
            layout.with_changed(&[WidgetIdx(0)], |list| {
                list.flags = list.flags.with(WidgetFlags::SCROLLABLE, true);
                list.bounds.bottom = bottom - 1;
            })
        };
        let aspects = |from: &[&str], to: &[&str]| -> Vec<Aspect> {
            differences(&list(from), &list(to), "org.ex").into_iter().map(|found| found.aspect).collect()
        };
        let rows = ["Tea 9 min", "Rest 5 min", "Work 3 min", "Read 2 min"];
        assert_eq!(aspects(&rows, &["Tea 9 min", "Cook 6 min", "Rest 5 min", "Work 3 min"]), [Aspect::View]);
        assert_eq!(
            aspects(&["Tea", "Rest", "Work", "Read"], &["Tea", "Cook", "Work", "Read"]),
            [Aspect::Rows]
        );
    }

    #[test]
    fn equal_rows_may_be_out_of_sight_too() {
        let same = |old: &str, new: &str| {
            let (old, new): (Vec<&str>, Vec<&str>) = (old.split(' ').collect(), new.split(' ').collect());
            same_in_sight(&old, &new)
        };
        assert!(same("work rest work cook read", "work cook read work wash"), "scrolled by two");
        assert!(same("rest work cook", "work rest work cook read"), "a part of it");
        assert!(!same("work rest work cook read", "work cook rest read work"));
        assert!(same("work rest work cook", "work wash sing dance"), "one of several rows of that name");
        assert!(same("work rest sing cook", "cook wash work dance"), "another row of that name");
        assert!(same("work work work rest", "work work sleep"));
        assert!(!same("rest sing cook work", "work cook sing rest"), "turned round");
        assert!(!same("rest sing cook work", "rest cook sing work"));
    }

    #[test]
    fn a_list_that_may_have_been_scrolled_is_a_hint() {
        let row = |name: &str| format!("    TextView#name \"{name}\"\n");
        let page = "FrameLayout\n  TextView#count \"2 tasks\"\n  EditText#query \"mil\"\n  ListView#list\n"
            .to_owned()
            + &["Milk", "Millet", "Tea", "Zest"].map(row).concat();
        // The last row is only partly in sight.
        let layout = |notation: &str| {
            layout_from(notation).with_changed(&[WidgetIdx(3)], |list| {
                list.flags = list.flags.with(WidgetFlags::SCROLLABLE, true);
                list.bounds.bottom = 800;
            })
        };
        let check = |from: &str, to: &str, expected: &[Aspect]| {
            let found = differences(&layout(&page), &layout(&page.replace(from, to)), "org.ex");
            let found: Vec<Aspect> = found.iter().map(|found| found.aspect).collect();
            assert_eq!(found, expected, "{from:?} {to:?}");
        };
        check(&row("Milk"), "", &[Aspect::View]);
        check(&row("Milk"), &(row("Leek") + &row("Milk")), &[Aspect::View]);
        check(&(row("Milk") + &row("Millet") + &row("Tea")), &(row("Salt") + &row("Sugar")), &[Aspect::View]);
        check(&row("Millet"), "", &[Aspect::Rows]);
        check(&row("Millet"), &row("Mint"), &[Aspect::Rows]);
    }
}
