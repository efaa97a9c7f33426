//! Opens what was just changed, since a page may show an object as it was before.

use std::collections::BTreeSet;

use super::fill::row_texts;
use crate::oracle::preservation::is_open;
use taproof_screen::{Event, Gesture, Layout, Trace, event_on, is_of_app, same_page};

/// A tap on the row of a list that shows a new text in place of one that is gone, just after the app came back to the list.
pub(super) fn changed_row(trace: &Trace, app: &str) -> Option<Event> {
    let layout = &*trace.last().layout;
    let shown = |at: usize| trace.frame(at).map(|frame| &*frame.layout);
    let is_list =
        |other: &Layout| is_of_app(other.package(), app) && !is_open(other) && same_page(other, layout);
    if !is_list(layout) || shown(trace.len().checked_sub(1)?).is_some_and(is_list) {
        return None;
    }
    let earlier = (0..trace.len()).rev().filter_map(shown).find(|other| is_list(other))?;
    let (before, now) = (texts(earlier), texts(layout));
    let (changed, _) = row_texts(layout).find(|(_, widget)| !before.contains(&*widget.text))?;
    before.iter().any(|text| !now.contains(text)).then(|| event_on(layout, changed, Gesture::Tap))?
}

fn texts(layout: &Layout) -> BTreeSet<&str> {
    row_texts(layout).map(|(_, widget)| &*widget.text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use taproof_screen::{AppHealth, DeviceInstant, Frame, Key, Step, StepRole, layout_from};

    fn frame(rows: &[&str], form: bool) -> Frame {
        let rows: String =
            rows.iter().map(|row| format!("  LinearLayout\n    TextView#name \"{row}\"\n")).collect();
        let (text, activity) = match form {
            true => ("EditText#name \"x\"\n".to_owned(), "org.ex/.Form"),
            false => (format!("ListView#list\n{rows}"), "org.ex/.List"),
        };
        let layout = layout_from(&text).with_activity(activity.into());
        Frame { layout: Arc::new(layout), health: AppHealth::Running, at: DeviceInstant(0) }
    }

    fn tapped(last: &[&str]) -> Option<String> {
        let mut trace = Trace::start(frame(&["a", "b"], false));
        for after in [frame(&[], true), frame(last, false)] {
            trace.push(Step { event: Event::Key(Key::Back), role: StepRole::Explored, after });
        }
        let tap = changed_row(&trace, trace.last().layout.package())?;
        let Event::Widget { target, .. } = tap else { return None };
        target.selector.text
    }

    #[test]
    fn a_row_that_shows_a_new_text_is_opened() {
        assert_eq!(tapped(&["a", "c"]).as_deref(), Some("c"));
        assert_eq!(tapped(&["a", "b"]), None, "nothing was changed");
        assert_eq!(tapped(&["a", "b", "c"]), None, "it is new");
    }
}
