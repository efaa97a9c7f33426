//! Rows that arrive in the background, such as a message or what another device has synchronised. They come with any
//! detour after which the page is shown anew, so that none is to blame for them. What tells them is a text that the
//! test has never seen: rows that a lost filter shows again, or that a detour stores twice, were seen before.

use super::{Aspect, Difference, RowChange};
use taproof_screen::{Layout, Trace, WidgetIdx};

/// Makes hints of the rows that arrived during a detour, and of the texts that changed with them, such as a count of
/// rows. `before` is the frame that the detour began with.
pub(super) fn arrivals_as_hints(found: &mut [Difference], trace: &Trace, before: usize) {
    let arrived = |difference: &Difference| {
        (difference.aspect, difference.rows) == (Aspect::Rows, RowChange::Come)
            && difference.widget.is_some_and(|row| is_new(&trace.last().layout, row, trace, before))
    };
    if !found.iter().any(arrived) {
        return;
    }
    for difference in found.iter_mut() {
        if difference.aspect == Aspect::Text || arrived(difference) {
            difference.aspect = Aspect::View;
        }
    }
}

/// Whether no frame up to this one shows the name of a row.
fn is_new(layout: &Layout, row: WidgetIdx, trace: &Trace, last: usize) -> bool {
    let name =
        layout.subtree(row).find_map(|idx| Some(&layout.widget(idx).text).filter(|text| !text.is_empty()));
    let Some(name) = name else { return false };
    let mut frames = (0..=last).filter_map(|number| trace.frame(number));
    !frames.any(|frame| frame.layout.widgets().iter().any(|widget| widget.text == *name))
}

#[cfg(test)]
mod tests {
    use super::super::{lost_by_detour, with_control};
    use super::*;
    use taproof_screen::{Event, Step, StepRole, SystemEvent, frame_of, layout_from};

    /// What a detour loses that begins on a list with these rows and ends on one with others, in a test that began on
    /// a list with the first ones.
    fn lost(first: &[&str], before: &[&str], after: &[&str]) -> Vec<Aspect> {
        let page = |rows: &[&str]| {
            let shown: String = rows.iter().map(|row| format!("    TextView \"{row}\"\n")).collect();
            let count = rows.len();
            frame_of(layout_from(&format!(
                "FrameLayout\n  TextView#count \"{count}\"\n  ListView#list\n{shown}"
            )))
        };
        let mut trace = Trace::start(page(first));
        let mut go = |event, role, rows| trace.push(Step { event, role, after: page(rows) });
        go(Event::Rotate, StepRole::Explored, before);
        let [control, away] =
            <[Event; 2]>::try_from(with_control(vec![Event::System(SystemEvent::Background)])).unwrap();
        go(control, StepRole::Detour, before);
        go(away, StepRole::Detour, after);
        lost_by_detour(&trace, "org.ex").unwrap().bugs.into_keys().collect()
    }

    #[test]
    fn a_row_that_was_never_seen_arrived_and_is_no_loss() {
        assert_eq!(lost(&["a", "b"], &["a", "b"], &["a", "b", "c"]), []);
    }

    #[test]
    fn rows_that_were_seen_before_are_shown_again_or_twice() {
        let rows_and_count = [Aspect::Rows, Aspect::Text];
        assert_eq!(lost(&["a", "b", "c"], &["a", "b"], &["a", "b", "c"]), rows_and_count, "a filter is off");
        assert_eq!(lost(&["a", "b"], &["a", "b"], &["a", "b", "b"]), rows_and_count, "stored twice");
        assert_eq!(lost(&["a", "b"], &["a", "b"], &["a"]), rows_and_count, "gone");
    }
}
