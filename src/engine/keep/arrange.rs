//! Filters rows and puts them in another order, by the taps that did so before. Little can be lost of a list that shows
//! all that there is as at first, and the explorer opens a menu that sorts no more often than any other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::state_kind::{is_arranged, other_order, switches};
use crate::oracle::preservation::{is_open, tapped};
use taproof_screen::{Event, Layout, LayoutKey, Same, StepRole, Trace, same_page};

/// Largest number of ways that are known of a page.
const MOST_KNOWN: usize = 32;
/// Number of times that a way is gone before that becomes rarer.
const AT_FIRST: u32 = 3;

/// Taps that filter or sort the rows of a page: one, or one that opens a menu and one in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Arrangement {
    pub(super) taps: Vec<Event>,
    /// How often the engine repeated it.
    times: u32,
}

impl Arrangement {
    /// One in so many times it is repeated: 4 at first, then 8, 16...
    pub(super) fn rarity(&self) -> usize {
        4 << (self.times / AT_FIRST).min(20)
    }

    pub(super) fn repeated(&mut self) {
        self.times += 1;
    }
}

/// Remembers the last taps if the rows are filtered or sorted since.
pub(super) fn note(known: &mut BTreeMap<LayoutKey, Vec<Arrangement>>, trace: &Trace, app: &str) {
    let Some(taps) = arranging(trace, app) else { return };
    let known = known.entry(trace.last().layout.key(Same::Page)).or_default();
    if known.len() < MOST_KNOWN && !known.iter().any(|other| other.taps == taps) {
        known.push(Arrangement { taps, times: 0 });
    }
}

/// The known way that was gone least, of those that can be gone from this screen.
pub(super) fn least_gone<'k>(known: &'k mut [Arrangement], layout: &Layout) -> Option<&'k mut Arrangement> {
    let offered = |way: &&mut Arrangement| way.taps.first().is_some_and(|first| is_offered(first, layout));
    known.iter_mut().filter(offered).min_by_key(|way| way.times)
}

/// Whether the screen shows just what the event taps.
pub(super) fn is_offered(tap: &Event, layout: &Layout) -> bool {
    tapped(tap).is_some_and(|target| !target.selector.matches(layout).is_empty())
}

/// The last tap, or the last two of which the first opened a menu, if they arranged a page that was not before.
fn arranging(trace: &Trace, app: &str) -> Option<Vec<Event>> {
    let after = &trace.last().layout;
    let last = trace.len().checked_sub(1)?;
    let before = &trace.frame(last)?.layout;
    let first = if is_open(before) { last.checked_sub(1)? } else { last };
    let page = &trace.frame(first)?.layout;
    let steps = trace.steps().get(first..)?;
    let taps = steps.iter().all(|step| step.role == StepRole::Explored && tapped(&step.event).is_some());
    let on_the_page = taps && !is_open(page) && !is_open(after) && same_page(page, after);
    // Another tab may show a list that was arranged earlier.
    let switched = || {
        let mut each = steps.iter().zip((first..).map_while(|at| trace.frame(at)));
        each.any(|(step, before)| switches(&step.event, &before.layout, &step.after.layout).is_some())
    };
    let arranges = || other_order(page, after) || switched();
    let arranged_now = || is_arranged(trace, app) && !is_arranged(&trace.until(first), app);
    (on_the_page && arranges() && arranged_now())
        .then(|| steps.iter().map(|step| step.event.clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Frame, Gesture, Step, WidgetFlags, WidgetIdx, event_on, frame_of, layout_from};

    /// A page with an icon that filters, one that opens a menu, and these rows.
    fn page(filter: &str, rows: &[&str]) -> Frame {
        let rows: String = rows.iter().map(|row| format!("    TextView#row \"{row}\"\n")).collect();
        let page = format!(
            "FrameLayout\n  ImageButton#filter ({filter})\n  ImageButton#sort (Sort)\n  ListView#list\n{rows}"
        );
        frame_of(layout_from(&page).with_changed(&[WidgetIdx(1), WidgetIdx(2)], |icon| {
            icon.flags = icon.flags.with(WidgetFlags::CLICKABLE, true);
        }))
    }

    /// The root of a menu is smaller than the screen.
    fn menu() -> Frame {
        let menu = layout_from("LinearLayout\n  RadioButton#name\n  RadioButton#age\n");
        frame_of(menu.with_changed(&[WidgetIdx(0)], |root| root.bounds.right = root.bounds.left + 90))
    }

    fn tap(on: &Frame, widget: u32) -> Event {
        event_on(&on.layout, WidgetIdx(widget), Gesture::Tap).unwrap()
    }

    /// What is known after taps on these widgets, each with the screen after it.
    fn known(start: &Frame, taps: &[(u32, Frame)]) -> Vec<Vec<Event>> {
        let (mut trace, mut known) = (Trace::start(start.clone()), BTreeMap::new());
        for (widget, after) in taps {
            let event = tap(trace.last(), *widget);
            trace.push(Step { event, role: StepRole::Explored, after: after.clone() });
            note(&mut known, &trace, "org.ex");
        }
        known.into_values().flatten().map(|way: Arrangement| way.taps).collect()
    }

    const BY_NAME: [&str; 3] = ["Ash", "Elm", "Oak"];
    const BY_AGE: [&str; 3] = ["Oak", "Ash", "Elm"];

    #[test]
    fn what_filters_and_what_sorts_is_remembered() {
        let all = page("Only with a star", &BY_NAME);
        let starred = page("All", &["Elm"]);
        assert_eq!(known(&all, &[(1, starred.clone())]), [[tap(&all, 1)]]);
        assert_eq!(known(&all, &[(1, starred), (1, all.clone())]).len(), 1, "what shows all again does not");
        let by_age = page("Only with a star", &BY_AGE);
        let sorts = [tap(&all, 2), tap(&menu(), 2)];
        assert_eq!(known(&all, &[(2, menu()), (2, by_age)]), [sorts]);
        assert_eq!(known(&all, &[(2, menu()), (1, all.clone())]), Vec::<Vec<Event>>::new(), "as it was");
        let (elsewhere, starred) = (page("Only drafts", &["Jay", "Owl"]), page("All", &["Elm"]));
        let back_by_tab = [(1, starred.clone()), (2, elsewhere), (2, starred)];
        assert_eq!(known(&all, &back_by_tab).len(), 1, "a tab shows what is filtered already");
    }

    #[test]
    fn what_this_page_does_not_offer_is_passed_over() {
        let way = |taps| Arrangement { taps, times: 0 };
        let (all, other) = (page("Only with a star", &BY_NAME), page("Only drafts", &BY_NAME));
        let mut known = vec![way(vec![tap(&other, 1)]), way(vec![tap(&all, 1)]), way(vec![tap(&all, 2)])];
        for turn in [1, 2, 1] {
            let expected = known[turn].taps.clone();
            let least = least_gone(&mut known, &all.layout).unwrap();
            assert_eq!(least.taps, expected);
            least.repeated();
        }
    }

    #[test]
    fn what_was_repeated_often_becomes_rarer() {
        let rarity = |times| Arrangement { taps: Vec::new(), times }.rarity();
        assert_eq!([0, 2, 3, 6].map(rarity), [4, 4, 8, 16]);
        assert_eq!(rarity(u32::MAX), rarity(u32::MAX - 1));
    }
}
