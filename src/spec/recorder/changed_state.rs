//! The widget whose state a function changed.

use super::coalesce::WidgetIdentity;
use crate::WidgetState;
use taproof_screen::Looks;
use taproof_screen::{Layout, WidgetFlags, WidgetIdx};

/// The one widget whose state is another one on the second screen, with that state: of several, as with buttons
/// that exclude each other, the one that is on.
pub(super) fn changed_state(first: &Layout, last: &Layout) -> Option<(WidgetIdx, WidgetState)> {
    Looks::of(first).likeness(&Looks::of(last))?;
    let changed = |flag: WidgetFlags, on: bool| -> Vec<WidgetIdx> {
        let became = |(idx, widget): (WidgetIdx, &taproof_screen::Widget)| {
            let before = WidgetIdentity::of(last, idx).find(first)?;
            // Rows that changed places have not changed their states.
            if row_of(first, before) != row_of(last, idx) {
                return None;
            }
            let before = first.widget(before);
            let of_kind = flag != WidgetFlags::CHECKED || widget.flags.has(WidgetFlags::CHECKABLE);
            (of_kind && widget.flags.has(flag) == on && before.flags.has(flag) != on).then_some(idx)
        };
        last.iter().filter_map(became).collect()
    };
    let one = |flag, on, state| match changed(flag, on)[..] {
        [idx] => Some((idx, state)),
        _ => None,
    };
    let off = || one(WidgetFlags::CHECKED, false, WidgetState::NotChecked);
    let selected = || one(WidgetFlags::SELECTED, true, WidgetState::Selected);
    one(WidgetFlags::CHECKED, true, WidgetState::Checked).or_else(off).or_else(selected)
}

/// The texts of the item of a list around a widget.
fn row_of(layout: &Layout, idx: WidgetIdx) -> Option<Vec<&str>> {
    let item = layout.list_item_around(idx)?;
    Some(layout.subtree(item).map(|idx| &*layout.widget(idx).text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn a_row_that_moves_takes_its_state_along() {
        let list = |rows: [(&str, bool); 2]| {
            let row = |(name, _): (&str, bool)| {
                format!("  LinearLayout\n    TextView#name \"{name}\"\n    CheckBox#star\n")
            };
            let layout = layout_from(&format!("ListView#list\n{}", rows.map(row).concat()));
            let stars: Vec<WidgetIdx> =
                layout.iter().filter(|(_, it)| it.short_id() == Some("star")).map(|(idx, _)| idx).collect();
            let on: Vec<WidgetIdx> =
                stars.iter().zip(rows).filter(|(_, (_, on))| *on).map(|(idx, _)| *idx).collect();
            let layout =
                layout.with_changed(&stars, |it| it.flags = it.flags.with(WidgetFlags::CHECKABLE, true));
            layout.with_changed(&on, |it| it.flags = it.flags.with(WidgetFlags::CHECKED, true))
        };
        let moved = changed_state(&list([("b", true), ("a", false)]), &list([("a", false), ("b", true)]));
        assert_eq!(moved, None);
        let starred = changed_state(&list([("a", false), ("b", false)]), &list([("a", false), ("b", true)]));
        assert_eq!(starred.map(|(_, state)| state), Some(WidgetState::Checked));
    }
}
