//! The widget whose state a function changed.

use super::coalesce::WidgetIdentity;
use crate::model::{Layout, WidgetFlags, WidgetIdx};
use crate::spec::WidgetState;
use crate::spec::likeness::Looks;

/// The one widget whose state is another one on the second screen, with that state: of several, as with buttons
/// that exclude each other, the one that is on.
pub(super) fn changed_state(first: &Layout, last: &Layout) -> Option<(WidgetIdx, WidgetState)> {
    Looks::of(first).likeness(&Looks::of(last))?;
    let changed = |flag: WidgetFlags, on: bool| -> Vec<WidgetIdx> {
        let became = |(idx, widget): (WidgetIdx, &crate::model::Widget)| {
            let before = first.widget(WidgetIdentity::of(last, idx).find(first)?);
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
