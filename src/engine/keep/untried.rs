//! What can be tapped and was tapped less than what is beside it. The entries of a menu or the tabs of a page look alike to
//! the explorer's model, which has done all of them when it has done one.

use std::collections::BTreeMap;

use crate::oracle::preservation::{is_open, tapped};
use taproof_screen::{
    Event, Gesture, Layout, Trace, WidgetFlags, WidgetIdx, event_on, touched_widget, without_digits,
};

/// Largest number of entries of one page that are tapped: what has more is a list of data.
const MOST: usize = 24;

/// The name of what the last event tapped, on the page before it.
pub(super) fn last_tapped(trace: &Trace) -> Option<(&Layout, String)> {
    let last = trace.len().checked_sub(1)?;
    let (step, before) = (trace.steps().get(last)?, &trace.frame(last)?.layout);
    tapped(&step.event)?;
    let touched = touched_widget(&step.event, before)?;
    let entry =
        std::iter::once(touched).chain(before.ancestors(touched)).find(|idx| is_entry(before, *idx))?;
    Some((before, name_of(before, entry)?))
}

/// A tap on the entry of the screen that was tapped least, the first of several, and how often that was. `None` without
/// entries.
pub(super) fn least_tapped(
    layout: &Layout,
    app: &str,
    done: Option<&BTreeMap<String, u32>>,
) -> Option<(u32, Event)> {
    let of_app = |idx: &WidgetIdx| &*layout.widget(*idx).package == app;
    let entries = layout.iter().map(|(idx, _)| idx).filter(|idx| is_entry(layout, *idx)).filter(of_app);
    let counted = |idx: WidgetIdx| {
        let name = name_of(layout, idx)?;
        let times = done.and_then(|done| done.get(&name)).copied();
        // What has more entries is a list of data.
        let is_full = done.is_some_and(|done| done.len() >= MOST);
        times.or((!is_full).then_some(0)).map(|times| (times, idx))
    };
    let mut entries: Vec<(u32, WidgetIdx)> = entries.filter_map(counted).collect();
    entries.sort_unstable();
    // What is behind a drawer cannot be touched.
    entries.into_iter().find_map(|(times, idx)| Some((times, event_on(layout, idx, Gesture::Tap)?)))
}

/// Whether the widget can be tapped and is no row of data: outside of lists, or in a menu.
fn is_entry(layout: &Layout, idx: WidgetIdx) -> bool {
    let widget = layout.widget(idx);
    let able = widget.flags.has(WidgetFlags::CLICKABLE) && widget.flags.has(WidgetFlags::ENABLED);
    able && !widget.is_editable() && (is_open(layout) || layout.list_item_around(idx).is_none())
}

fn name_of(layout: &Layout, idx: WidgetIdx) -> Option<String> {
    let label = layout.subtree(idx).find_map(|inner| layout.widget(inner).says())?;
    Some(without_digits(label))
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    fn able(notation: &str, able: &[u32]) -> Layout {
        let able: Vec<WidgetIdx> = able.iter().map(|idx| WidgetIdx(*idx)).collect();
        layout_from(notation).with_changed(&able, |widget| {
            widget.flags = widget.flags.with(WidgetFlags::CLICKABLE, true).with(WidgetFlags::ENABLED, true);
        })
    }

    /// The names of what is tapped one after the other.
    fn tapped_in_turn(layout: &Layout) -> Vec<String> {
        let mut done = BTreeMap::new();
        let mut names = Vec::new();
        while let Some((0, tap)) = least_tapped(layout, "org.ex", Some(&done)) {
            let name = name_of(layout, touched_widget(&tap, layout).unwrap()).unwrap();
            *done.entry(name.clone()).or_default() += 1;
            names.push(name);
        }
        names
    }

    const PAGE: &str = "FrameLayout\n  TextView \"Details\"\n  TextView \"2 more\"\n  ListView#list\n    TextView \"Milk\"\n";

    #[test]
    fn each_entry_of_a_page_is_tapped_once_but_no_row_of_data() {
        assert_eq!(tapped_in_turn(&able(PAGE, &[1, 2, 4])), ["Details", "0 more"]);
        assert_eq!(tapped_in_turn(&able(PAGE, &[1])), ["Details"]);
    }

    #[test]
    fn the_entries_of_a_menu_are_rows() {
        let menu = able("ListView\n  TextView \"Sort\"\n  TextView \"Settings\"\n", &[1, 2]);
        assert_eq!(tapped_in_turn(&menu), Vec::<String>::new(), "a list");
        let open = menu.with_changed(&[WidgetIdx(0)], |root| {
            (root.bounds.right, root.bounds.bottom) = (root.bounds.left + 90, root.bounds.top + 90);
        });
        assert_eq!(tapped_in_turn(&open), ["Sort", "Settings"]);
    }
}
