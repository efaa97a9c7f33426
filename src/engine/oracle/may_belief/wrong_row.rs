//! Whether an event on a row of a list acted on another row (not in the paper). What most events on rows do, such as to
//! open a page that shows a text of their row, tells nothing of the page's other texts: these differ from row to row,
//! so that each outcome is a cluster of its own until R1 empties all texts, and with them the wrong ones.

use std::collections::{BTreeMap, BTreeSet};

use super::{Behaviour, Outcome, StateKey};
use taproof_screen::{Layout, Text, WidgetFlags, WidgetIdx};

/// An event on another row is suspicious if at least this many times as many events acted on their own.
const OWN_PER_OTHER: usize = 2;

/// Which row of a list an event acted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ActedOn {
    /// Its page shows a text that only the row of the receiver had, or a box of this row was switched.
    Own,
    /// Its page shows none of these, but a text that only another row had, or only boxes of other rows were switched.
    Other,
    /// Neither.
    Unclear,
}

impl ActedOn {
    pub(super) fn of(behaviour: &Behaviour) -> ActedOn {
        let (before, Outcome::Shows(after)) = (&behaviour.before, &behaviour.after) else {
            return ActedOn::Unclear;
        };
        let receiver = behaviour.receiver.filter(|idx| before.layout.get(*idx).is_some());
        let Some(row) = receiver.and_then(|idx| cell_of(&before.layout, idx)) else {
            return ActedOn::Unclear;
        };
        // What tells which row it is may be out of sight.
        if before.layout.list_item_around(row).is_some_and(|item| !before.layout.is_whole_item(item)) {
            return ActedOn::Unclear;
        }
        if before.state == after.state {
            return switched(row, &before.layout, &after.layout);
        }
        let (own, others) = texts_of_one(row, &before.layout);
        let shown = outside_lists(&after.layout);
        let shows = |texts: &BTreeSet<&str>| !shown.is_disjoint(texts);
        match (shows(&own), shows(&others)) {
            _ if own.is_empty() => ActedOn::Unclear,
            (true, _) => ActedOn::Own,
            (false, true) => ActedOn::Other,
            (false, false) => ActedOn::Unclear,
        }
    }
}

/// The events on rows that acted on another one, and those that acted on their own.
pub(super) struct WrongRows {
    pub own: Vec<usize>,
    pub others: Vec<usize>,
}

impl WrongRows {
    /// `None` if there are none, or too few that acted on their own row for this to be believed.
    pub(super) fn among(behaviours: &[Behaviour], least: usize) -> Option<WrongRows> {
        let acted: Vec<ActedOn> = behaviours.iter().map(ActedOn::of).collect();
        let that = |which: ActedOn| (0..acted.len()).filter(|place| acted[*place] == which).collect();
        let (own, mut others): (Vec<usize>, Vec<usize>) = (that(ActedOn::Own), that(ActedOn::Other));
        // On a page of another kind, the texts of other rows may stand for something else.
        let state = |place: &usize| -> Option<StateKey> {
            match &behaviours[*place].after {
                Outcome::Shows(after) => Some(after.state),
                Outcome::Died(_) | Outcome::Left(_) => None,
            }
        };
        let believed: BTreeSet<StateKey> = own.iter().filter_map(state).collect();
        others.retain(|place| state(place).is_some_and(|state| believed.contains(&state)));
        let enough = own.len() >= least.max(OWN_PER_OTHER * others.len());
        (enough && !others.is_empty()).then_some(WrongRows { own, others })
    }
}

/// The row that a widget is in, or its cell where a row has several: the largest part of an item of a list with only one
/// widget of its kind. `None` if it is in no list.
fn cell_of(layout: &Layout, idx: WidgetIdx) -> Option<WidgetIdx> {
    let item = layout.list_item_around(idx)?;
    let widget = layout.widget(idx);
    let like = |other: WidgetIdx| {
        let other = layout.widget(other);
        let clickable = other.clickable() == widget.clickable();
        other.same_type(widget) && other.content_desc == widget.content_desc && clickable
    };
    let alone = |around: &WidgetIdx| layout.subtree(*around).filter(|inner| like(*inner)).nth(1).is_none();
    let around = layout.ancestors(idx).take_while(|around| *around >= item);
    around.take_while(alone).last().or(Some(idx))
}

/// The texts that only this row has, and those that only the rows beside it have. Texts outside of lists are neither's.
fn texts_of_one(row: WidgetIdx, layout: &Layout) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let outside = outside_lists(layout);
    let item = layout.list_item_around(row);
    let list = item.and_then(|item| layout.widget(item).parent);
    let inside: Vec<WidgetIdx> = layout.subtree(row).collect();
    let own: BTreeSet<&str> = texts(layout, row).collect();
    let beside = list.into_iter().flat_map(|list| layout.subtree(list)).filter(|idx| !inside.contains(idx));
    let others: BTreeSet<&str> =
        beside.map(|idx| &*layout.widget(idx).text).filter(|text| !text.is_empty()).collect();
    let only = |some: &BTreeSet<&'_ str>, all: &BTreeSet<&'_ str>, text: &str| {
        some.contains(text) && !all.contains(text) && !outside.contains(text)
    };
    let of_one = own.iter().copied().filter(|text| only(&own, &others, text)).collect();
    let of_others = others.iter().copied().filter(|text| only(&others, &own, text)).collect();
    (of_one, of_others)
}

fn texts(layout: &Layout, around: WidgetIdx) -> impl Iterator<Item = &str> {
    layout.subtree(around).map(|idx| &*layout.widget(idx).text).filter(|text| !text.is_empty())
}

fn outside_lists(layout: &Layout) -> BTreeSet<&str> {
    let outside = layout.iter().filter(|(idx, _)| layout.list_item_around(*idx).is_none());
    outside.map(|(_, widget)| &*widget.text).filter(|text| !text.is_empty()).collect()
}

/// Which row's boxes were switched by an event on this row.
fn switched(row: WidgetIdx, before: &Layout, after: &Layout) -> ActedOn {
    let (was, is) = (boxes(before), boxes(after));
    let own: Vec<&Text> = row_texts(before, row);
    let changed: Vec<&Vec<&Text>> = was
        .iter()
        .filter(|(texts, boxes)| match (boxes, is.get(*texts)) {
            // Of rows with equal texts, it cannot be told which one it is.
            (Some(boxes), Some(Some(now))) => boxes != now,
            _ => false,
        })
        .map(|(texts, _)| texts)
        .collect();
    let known = was.get(&own).is_some_and(Option::is_some) && is.get(&own).is_some_and(Option::is_some);
    match (changed.contains(&&own), changed.is_empty()) {
        (true, _) => ActedOn::Own,
        (false, false) if known => ActedOn::Other,
        (false, _) => ActedOn::Unclear,
    }
}

/// Whether the boxes of each row or cell are checked, by its texts; `None` if several have these.
fn boxes(layout: &Layout) -> BTreeMap<Vec<&Text>, Option<Vec<bool>>> {
    let mut cells: BTreeMap<WidgetIdx, Vec<bool>> = BTreeMap::new();
    for (idx, widget) in layout.iter().filter(|(_, widget)| widget.flags.has(WidgetFlags::CHECKABLE)) {
        if let Some(cell) = cell_of(layout, idx) {
            cells.entry(cell).or_default().push(widget.flags.has(WidgetFlags::CHECKED));
        }
    }
    let mut rows = BTreeMap::new();
    for (cell, checked) in cells {
        rows.entry(row_texts(layout, cell)).and_modify(|known| *known = None).or_insert(Some(checked));
    }
    rows
}

fn row_texts(layout: &Layout, row: WidgetIdx) -> Vec<&Text> {
    layout.subtree(row).map(|idx| &layout.widget(idx).text).filter(|text| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::oracle::may_belief::{KnownLayout, Past};
    use taproof_screen::layout_from;

    const LIST: &str = "FrameLayout\n  TextView#bar \"Pets\"\n  ListView#list\n    LinearLayout\n      CheckBox#star\n      \
                        TextView#name \"Momo\"\n    LinearLayout\n      CheckBox#star\n      TextView#name \"Pip\"\n";
    const STARS: [u32; 2] = [4, 7];

    /// What an event on a row did that led from one layout to another.
    fn acted(before: Layout, row: usize, after: Layout) -> Behaviour {
        let known = |layout: Layout| Arc::new(KnownLayout::of(Arc::new(layout), "org.ex"));
        Behaviour {
            input: 0,
            before: known(before),
            receiver: Some(WidgetIdx(STARS[row])),
            typed: None,
            after: Outcome::Shows(known(after)),
            history: Past::default(),
        }
    }

    fn list(starred: &[u32]) -> Layout {
        let layout = layout_from(LIST).with_changed(&STARS.map(WidgetIdx), |star| {
            star.flags = star.flags.with(WidgetFlags::CHECKABLE, true);
        });
        let starred: Vec<WidgetIdx> = starred.iter().map(|idx| WidgetIdx(*idx)).collect();
        layout.with_changed(&starred, |star| star.flags = star.flags.with(WidgetFlags::CHECKED, true))
    }

    fn opened(name: &str) -> Layout {
        layout_from(&format!("TextView#title \"{name}\"\n")).with_activity("org.ex/.Pet".into())
    }

    #[test]
    fn a_page_that_shows_another_row_and_a_box_of_another_row_are_wrong() {
        let opens = |name: &str| ActedOn::of(&acted(list(&[]), 0, opened(name)));
        assert_eq!(["Momo", "Pip", "Pets"].map(opens), [ActedOn::Own, ActedOn::Other, ActedOn::Unclear]);
        let stars = |starred: &[u32]| ActedOn::of(&acted(list(&[]), 0, list(starred)));
        assert_eq!([stars(&STARS[..1]), stars(&STARS[1..])], [ActedOn::Own, ActedOn::Other]);
        assert_eq!(stars(&[]), ActedOn::Unclear);
    }

    #[test]
    fn rows_with_equal_texts_are_not_told_apart() {
        let equal = |starred: &[u32]| {
            list(starred).with_changed(&[5, 8].map(WidgetIdx), |name| name.text = "Momo".into())
        };
        assert_eq!(ActedOn::of(&acted(equal(&[]), 0, equal(&STARS[1..]))), ActedOn::Unclear);
        assert_eq!(ActedOn::of(&acted(equal(&[]), 0, opened("Momo"))), ActedOn::Unclear);
    }

    #[test]
    fn a_row_that_is_only_partly_in_sight_may_be_any() {
        let scrolled = list(&[]).with_changed(&[WidgetIdx(2)], |list| {
            list.flags = list.flags.with(WidgetFlags::SCROLLABLE, true);
        });
        let bottom = scrolled.widget(WidgetIdx(3)).bounds.bottom;
        let cut = scrolled.with_changed(&[WidgetIdx(2)], |list| list.bounds.bottom = bottom - 1);
        assert_eq!(ActedOn::of(&acted(cut, 0, opened("Pip"))), ActedOn::Unclear);
    }

    #[test]
    fn the_cells_of_a_row_are_told_apart() {
        let grid = "FrameLayout\n  GridView#grid\n    LinearLayout\n      LinearLayout#card\n        CheckBox#star\n        \
                    TextView#name \"Momo\"\n      LinearLayout#card\n        CheckBox#star\n        TextView#name \"Pip\"\n";
        const BOXES: [u32; 2] = [4, 7];
        let page = |starred: &[u32]| {
            let layout = layout_from(grid).with_changed(&BOXES.map(WidgetIdx), |star| {
                star.flags = star.flags.with(WidgetFlags::CHECKABLE, true);
            });
            let starred: Vec<WidgetIdx> = starred.iter().map(|idx| WidgetIdx(*idx)).collect();
            layout.with_changed(&starred, |star| star.flags = star.flags.with(WidgetFlags::CHECKED, true))
        };
        let of = |receiver: u32, after: Layout| {
            let receiver = Some(WidgetIdx(receiver));
            ActedOn::of(&Behaviour { receiver, ..acted(page(&[]), 0, after) })
        };
        assert_eq!([of(4, page(&[4])), of(4, page(&[7]))], [ActedOn::Own, ActedOn::Other]);
        assert_eq!([of(3, opened("Momo")), of(3, opened("Pip"))], [ActedOn::Own, ActedOn::Other]);
    }

    #[test]
    fn a_few_wrong_rows_are_suspected_where_many_are_right() {
        let right = |count: usize| vec![acted(list(&[]), 0, opened("Momo")); count];
        let wrong = |count: usize| vec![acted(list(&[]), 1, opened("Momo")); count];
        let suspected = |right: Vec<Behaviour>, wrong: Vec<Behaviour>| {
            WrongRows::among(&[right, wrong].concat(), 10).map(|found| found.others.len())
        };
        assert_eq!(suspected(right(10), wrong(3)), Some(3));
        assert_eq!(suspected(right(9), wrong(3)), None, "too few");
        assert_eq!(suspected(right(10), wrong(6)), None, "no belief");
        assert_eq!(suspected(right(10), wrong(0)), None);
    }
}
