//! What a detour lost, by the screens before it, after its control and at its end.

use std::collections::{BTreeMap, BTreeSet};

use super::super::is_loading;
use super::arrivals::arrivals_as_hints;
use super::entered::unentered_as_hints;
use super::relation::{Relation, is_look, tapped};
use super::{Aspect, Difference, RowChange, differences, last_detour};
use taproof_screen::{AppHealth, Event, Frame, Trace, touched_widget, widget_for_people};

/// What the last detour of a trace lost.
#[derive(Clone, Debug)]
pub struct Lost {
    /// The way that was gone.
    pub relation: &'static Relation,
    /// The frame that the detour began with, after its control.
    pub before: usize,
    /// What counts, by its kind.
    pub bugs: BTreeMap<Aspect, Vec<Difference>>,
    /// What is worth a hint only: where a list was scrolled to, a menu that closed, what has no id.
    pub hints: Vec<Difference>,
}

impl Lost {
    /// Whether what the app stores is changed, and not only what the person entered or chose. Rows in another order are as
    /// they are stored, and so are rows that come when a text is lost or a filter is off, also if others are out of sight
    /// then: what was sorted by or searched for is lost.
    pub fn loses_data(&self) -> bool {
        let searched = self.search().is_some();
        let changed = |row: &Difference| match row.rows {
            RowChange::Order => false,
            RowChange::Come | RowChange::Other => !searched,
            RowChange::Gone => true,
        };
        self.bugs.get(&Aspect::Rows).is_some_and(|rows| rows.iter().any(changed))
    }

    /// The worst kind of loss, and the first one of that kind. Rows that change since what was searched for or a filter is
    /// lost follow from that.
    pub fn worst(&self) -> Option<(Aspect, &Difference)> {
        let cause = self.search().filter(|_| !self.loses_data());
        let aspect = cause.or_else(|| self.bugs.keys().next().copied())?;
        Some((aspect, self.bugs.get(&aspect)?.first()?))
    }

    /// The loss after which a list shows other rows: of a text, or of a filter.
    fn search(&self) -> Option<Aspect> {
        [Aspect::Typed, Aspect::Switched].into_iter().find(|lost| self.bugs.contains_key(lost))
    }
}

/// What the detour that a trace ends with lost; `None` if it does not end with one, if the page changed by itself, or if
/// the last screen tells nothing of the app.
pub fn lost_by_detour(trace: &Trace, app: &str) -> Option<Lost> {
    let first = last_detour(trace)?;
    let events: Vec<Event> = trace.steps()[first + 1..].iter().map(|step| step.event.clone()).collect();
    let relation = Relation::of_way(&events)?;
    if relation.opens_again && !opens_the_same(trace, first) {
        return None;
    }
    let mut lost = Lost { relation, before: first + 1, bugs: BTreeMap::new(), hints: Vec::new() };
    let all = changed(trace, first, relation, app)?;
    for difference in &all {
        if difference.aspect == Aspect::View {
            lost.hints.push(difference.clone());
        } else if (relation.keeps)(difference, &all) {
            lost.bugs.entry(difference.aspect).or_default().push(difference.clone());
        }
    }
    if lost.bugs.is_empty() {
        let late = came_late(trace, first, relation, app);
        let late: Vec<Difference> =
            late.into_iter().filter(|late| !all.iter().any(|other| other.place == late.place)).collect();
        if !late.is_empty() {
            lost.bugs.insert(Aspect::Late, late);
        }
    }
    Some(lost)
}

/// Whether the tap that opens the page again is on what was tapped to open it, right before the detour that began after so
/// many steps: where the rows of a list were moved, another one may be in its place.
fn opens_the_same(trace: &Trace, first: usize) -> bool {
    let tapped_on = |step: usize| {
        let (event, layout) = (&trace.steps().get(step)?.event, &trace.frame(step)?.layout);
        Some((&tapped(event)?.selector, widget_for_people(layout, touched_widget(event, layout)?)))
    };
    let waits = |step: &usize| matches!(trace.steps()[*step].event, Event::Wait(_));
    let opened = (0..first).rev().find(|step| !waits(step)).and_then(tapped_on);
    // The control and Back come first.
    opened.is_some() && tapped_on(first + 2) == opened
}

/// What the last screen of a trace shows to be changed by the detour that began after so many steps.
fn changed(trace: &Trace, first: usize, relation: &Relation, app: &str) -> Option<Vec<Difference>> {
    let mut all = since_control([trace.frame(first)?, trace.frame(first + 1)?, trace.last()], app)?;
    arrivals_as_hints(&mut all, trace, first + 1);
    unentered_as_hints(&mut all, trace, first + 1, app);
    if relation.takes_back {
        earlier_actions_as_hints(&mut all, trace, first + 1, app);
    }
    Some(all)
}

/// Makes hints of what Undo changed though the action before it had not: it took an earlier action back, the offer of which
/// was hidden. `before` is the frame that the action began with.
fn earlier_actions_as_hints(found: &mut [Difference], trace: &Trace, before: usize, app: &str) {
    let Some((from, done)) = trace.frame(before).zip(trace.frame(before + 1)) else { return };
    let did = differences(&from.layout, &done.layout, app);
    // On another page it is not seen what the action did.
    let did_it = |place: &str| did.iter().any(|did| did.place.is_empty() || did.place == place);
    for difference in found.iter_mut().filter(|difference| !did_it(&difference.place)) {
        difference.aspect = Aspect::View;
    }
}

/// What the way had changed that was there again when it had been waited for, unless something was loading until then.
fn came_late(trace: &Trace, first: usize, relation: &Relation, app: &str) -> Vec<Difference> {
    let waits = trace.steps().iter().rev().take_while(|step| matches!(step.event, Event::Wait(_))).count();
    let mut looks = (trace.len() - waits)..trace.len();
    let at_first = looks.find(|at| trace.frame(*at).is_some_and(|frame| !is_loading(&frame.layout, app)));
    let Some(all) = at_first.and_then(|at| changed(&trace.until(at), first, relation, app)) else {
        return Vec::new();
    };
    let counts = |one: &&Difference| one.aspect != Aspect::View && (relation.keeps)(one, &all);
    let late = |one: &Difference| Difference {
        aspect: Aspect::Late,
        after: format!("{} at first", one.after),
        rows: RowChange::Other,
        ..one.clone()
    };
    all.iter().filter(counts).map(late).collect()
}

/// Whether the app runs and is what is seen.
pub(super) fn shows_app(frame: &Frame, app: &str) -> bool {
    frame.health == AppHealth::Running && is_look(&frame.layout, app)
}

/// What the screens before the control, after it and after the detour show to have changed by the detour. `None` if the
/// page changed by itself.
fn since_control([before, control, after]: [&Frame; 3], app: &str) -> Option<Vec<Difference>> {
    let places = |one: &Frame, other: &Frame| -> BTreeSet<(Aspect, String)> {
        let found = differences(&one.layout, &other.layout, app);
        found.into_iter().map(|difference| (difference.aspect, difference.place)).collect()
    };
    let by_itself = places(before, control);
    let looks = shows_app(before, app) && shows_app(control, app) && is_look(&after.layout, app);
    if !looks || by_itself.iter().any(|(_, place)| place.is_empty()) {
        return None;
    }
    // What is as it was before the control is not lost.
    let since = places(before, after);
    let mut found = differences(&control.layout, &after.layout, app);
    found.retain(|difference| {
        let place = (difference.aspect, difference.place.clone());
        since.contains(&place) && !by_itself.contains(&place)
    });
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{BACK, PAGE, titles, trace};
    use super::super::with_control;
    use super::*;
    use taproof_screen::determinism::DeviceDuration;
    use taproof_screen::{
        Gesture, Key, Layout, PxRect, Step, StepRole, Widget, WidgetIdx, event_on, frame_of, layout_from,
    };

    #[test]
    fn a_lost_search_or_order_is_no_lost_data() {
        let page = |query: &str, rows: &[&str]| {
            let rows: String = rows.iter().map(|row| format!("  TextView \"{row}\"\n")).collect();
            format!("EditText#query \"{query}\"\nListView#list\n{rows}")
        };
        let searched = page("mi", &["Milk", "Mint"]);
        let lost =
            |after: String| lost_by_detour(&trace(&[&searched, &searched, &after], &BACK), "org.ex").unwrap();
        let loses_data = |after: String| Some(lost(after).loses_data());
        let worst = |after: String| lost(after).worst().map(|(aspect, _)| aspect);
        assert_eq!(loses_data(page("", &["Milk", "Mint", "Tea"])), Some(false));
        assert_eq!(loses_data(page("mi", &["Mint", "Milk"])), Some(false));
        assert_eq!(loses_data(page("mi", &["Milk", "Mint", "Mint"])), Some(true), "stored twice");
        assert_eq!(loses_data(page("", &["Milk"])), Some(true));
        assert_eq!(loses_data(page("", &["Apple", "Bread"])), Some(false), "those found are out of sight");
        assert_eq!(worst(page("", &["Milk", "Mint", "Tea"])), Some(Aspect::Typed), "the rows follow");
        assert_eq!(worst(page("", &["Milk"])), Some(Aspect::Rows));
    }

    #[test]
    fn what_changes_by_itself_is_not_held_against_a_detour() {
        let (later, latest) = (PAGE.replace("3 unread", "4 unread"), PAGE.replace("3 unread", "5 unread"));
        assert_eq!(titles(&[PAGE, &later, &latest], &BACK), Vec::<String>::new());
        assert_eq!(titles(&[PAGE, PAGE, &latest], &BACK).len(), 1, "a text that stood still before");
        let other = "TextView \"Done\"\n";
        assert_eq!(titles(&[PAGE, other, PAGE], &BACK), Vec::<String>::new(), "another page");
    }

    #[test]
    fn what_is_there_again_after_a_wait_came_late() {
        let empty = PAGE.replace("Milk", "");
        let waited = [BACK[0].clone(), Event::Wait(DeviceDuration(3000))];
        assert_eq!(
            titles(&[PAGE, PAGE, &empty, PAGE], &waited),
            [
                "Leaving the app and coming back updates the page late on the first screen: \u{201c}title\u{201d} \
                 \u{201c}Milk\u{201d}, then empty at first"
            ]
        );
        assert_eq!(titles(&[PAGE, PAGE, PAGE, PAGE], &waited), Vec::<String>::new());
        let lost = titles(&[PAGE, PAGE, &empty, &empty], &waited);
        assert!(lost.len() == 1 && lost[0].contains("loses typed text"), "{lost:?}");
        let loads = layout_from(&(empty + "  ProgressBar#busy\n"));
        // A ring: a bar beside something that can be used shows an amount.
        let loads = loads.with_changed(&[WidgetIdx(4)], |busy| busy.bounds = PxRect::new(490, 300, 590, 400));
        let mut trace = trace(&[PAGE, PAGE], &[]);
        let pages = [loads, layout_from(PAGE)];
        for (event, page) in waited.into_iter().zip(pages) {
            trace.push(Step { event, role: StepRole::Detour, after: frame_of(page) });
        }
        assert!(lost_by_detour(&trace, "org.ex").unwrap().bugs.is_empty(), "it said so");
    }

    #[test]
    fn another_row_in_the_place_of_the_one_that_was_opened_is_no_loss() {
        let list = |rows: [&str; 2]| {
            let rows = rows.map(|row| format!("  LinearLayout#row\n    TextView#name \"{row}\"\n"));
            layout_from(&format!("ListView#list\n{}", rows.concat()))
        };
        let page = |title: &str, note: &str| {
            let rows = format!("  TextView#title \"{title}\"\n  CheckBox#done\n  TextView#note \"{note}\"\n");
            layout_from(&format!("FrameLayout\n{rows}")).with_activity("org.ex/.Page".into())
        };
        let lost = |after: Layout, opened: Layout| {
            let before = list(["Tea", "Rye"]);
            let tap = event_on(&before, WidgetIdx(1), Gesture::Tap).unwrap();
            let mut trace = Trace::start(frame_of(before));
            let mut go = |event: &Event, role, after| {
                trace.push(Step { event: event.clone(), role, after: frame_of(after) });
            };
            go(&tap, StepRole::Explored, page("Tea", "green"));
            let [control, back, again] =
                <[Event; 3]>::try_from(with_control(vec![Event::Key(Key::Back), tap.clone()])).unwrap();
            go(&control, StepRole::Detour, page("Tea", "green"));
            go(&back, StepRole::Detour, after);
            go(&again, StepRole::Detour, opened);
            lost_by_detour(&trace, "org.ex").map(|lost| lost.bugs.len())
        };
        assert_eq!(lost(list(["Tea", "Rye"]), page("Tea", "")), Some(1));
        assert_eq!(lost(list(["Rye", "Tea"]), page("Rye", "")), None);
    }

    #[test]
    fn undo_that_takes_an_earlier_action_back_is_no_loss() {
        let page = |rows: &[&str], bar: &str| {
            let rows: String = rows.iter().map(|row| format!("    TextView \"{row}\"\n")).collect();
            format!("FrameLayout\n  ListView#list\n{rows}  Button#start \"Rye\"\n{bar}")
        };
        let bar = "  Button#undo \"Undo\"\n";
        // What the button says was seen before, so that it does not arrive by itself.
        let found = |before: &[&str], done: &[&str], undone: &[&str]| {
            let [before, done, undone] = [page(before, ""), page(done, bar), page(undone, "")];
            let tap = |page: &str, says: &str| {
                let layout = layout_from(page);
                let says = |(_, widget): &(WidgetIdx, &Widget)| widget.short_id() == Some(says);
                let button = layout.iter().find(says).unwrap().0;
                event_on(&layout, button, Gesture::Tap).unwrap()
            };
            let way = [tap(&before, "start"), tap(&done, "undo")];
            titles(&[&before, &before, &done, &undone], &way).len()
        };
        assert_eq!(found(&["Tea"], &["Tea"], &["Rye", "Tea"]), 0, "what was deleted before");
        assert_eq!(found(&["Rye", "Tea"], &["Tea"], &["Tea"]), 1);
        assert_eq!(found(&["Rye", "Tea"], &["Tea"], &["Rye", "Tea"]), 0);
    }

    #[test]
    fn a_window_of_another_app_under_the_activity_of_the_app_tells_nothing() {
        let home = "com.android.launcher3";
        let ends = |activity: &str| {
            let window = layout_from("FrameLayout\n  TextView \"Clock\"\n").with_activity(activity.into());
            let window = window.with_changed(&[0, 1].map(WidgetIdx), |it| it.package = home.into());
            let mut trace = trace(&[PAGE, PAGE], &[]);
            let after = frame_of(window).of_test("org.ex");
            trace.push(Step { event: BACK[0].clone(), role: StepRole::Detour, after });
            lost_by_detour(&trace, "org.ex").map(|lost| lost.bugs.into_keys().collect::<Vec<_>>())
        };
        assert_eq!(ends("org.ex/.Main"), None);
        assert_eq!(ends("com.android.launcher3/.Home"), Some(vec![Aspect::Page]), "the app was left");
    }
}
