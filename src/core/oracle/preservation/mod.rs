//! What every Android app owes its user, without a specification: a *neutral detour*, such as turning the phone and
//! back, must not lose or change what the user sees, entered and stored.
//!
//! A detour stands in a trace as consecutive steps with the role [`StepRole::Detour`]. It begins with a wait, the
//! control: what changes during the wait changes by itself, and is not held against the relation. [`judge_detour`]
//! compares the screens before and after what follows, by what a person notices.

mod arrivals;
mod differences;
mod noticed;
mod places;
mod relation;
mod relations;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub use differences::{Aspect, Difference, RowChange, differences};
pub use relation::{CameBy, Effect, Known, Opener, Place, RELATIONS, Relation, Screen, tapped};
pub use relations::select_all::select_all_offered;
pub use relations::undo::undo_offered;

use crate::determinism::DeviceDuration;
use crate::model::{
    AppHealth, Event, FailedCheck, Frame, Layout, OracleKind, StepRole, Trace, Violation, drawer_open,
    is_dialog,
};
use arrivals::arrivals_as_hints;

/// How long the control waits: longer than a detour takes.
const CONTROL: DeviceDuration = DeviceDuration(2000);

/// A detour with its control.
pub fn with_control(way: Vec<Event>) -> Vec<Event> {
    let mut events = vec![Event::Wait(CONTROL)];
    events.extend(way);
    events
}

/// Whether the event is the control that a detour begins with.
pub fn is_control(event: &Event) -> bool {
    *event == Event::Wait(CONTROL)
}

/// Whether a menu, a dialog or a drawer is open.
pub fn is_open(layout: &Layout) -> bool {
    is_dialog(layout) || drawer_open(layout)
}

/// The steps of the detour that begins with this step; `None` if none does.
pub fn detour_from(trace: &Trace, first: usize) -> Option<Range<usize>> {
    let steps = trace.steps();
    let begins = |at: usize| steps.get(at).is_some_and(|step| is_control(&step.event));
    let goes_on = |at: &usize| steps.get(*at).is_some_and(|step| step.role == StepRole::Detour);
    if !goes_on(&first) || !begins(first) {
        return None;
    }
    let end = (first + 1..).find(|at| !goes_on(at) || begins(*at))?;
    Some(first..end)
}

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
    /// they are stored, and so are rows that come when a text is lost or a filter is off: what was sorted by or searched
    /// for is lost.
    pub fn loses_data(&self) -> bool {
        let searched = self.search().is_some();
        let changed = |row: &Difference| match row.rows {
            RowChange::Order => false,
            RowChange::Come => !searched,
            RowChange::Gone | RowChange::Other => true,
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

/// The first step of the detour that a trace ends with; `None` if it does not end with one.
pub fn last_detour(trace: &Trace) -> Option<usize> {
    let ends = |first: &usize| detour_from(trace, *first).is_some_and(|steps| steps.end == trace.len());
    (0..trace.len()).rev().find(ends)
}

/// What the detour that a trace ends with lost; `None` if it does not end with one, or if the page changed by itself.
pub fn lost_by_detour(trace: &Trace, app: &str) -> Option<Lost> {
    let first = last_detour(trace)?;
    let events: Vec<Event> = trace.steps()[first + 1..].iter().map(|step| step.event.clone()).collect();
    let relation = Relation::of_way(&events)?;
    let frames = [trace.frame(first)?, trace.frame(first + 1)?, trace.last()];
    let mut lost = Lost { relation, before: first + 1, bugs: BTreeMap::new(), hints: Vec::new() };
    let mut all = since_control(frames, app)?;
    arrivals_as_hints(&mut all, trace, first + 1);
    for difference in &all {
        if difference.aspect == Aspect::View {
            lost.hints.push(difference.clone());
        } else if (relation.keeps)(difference, &all) {
            lost.bugs.entry(difference.aspect).or_default().push(difference.clone());
        }
    }
    Some(lost)
}

/// The violations that the last detour of a trace shows, if the trace ends with one: one for each kind of loss, the
/// worst first. Hints are no violations.
pub fn judge_detour(trace: &Trace, app: &str) -> Vec<Violation> {
    let Some(lost) = lost_by_detour(trace, app) else { return Vec::new() };
    let before = trace.frame(lost.before).unwrap_or(trace.last());
    lost.bugs
        .iter()
        .map(|(aspect, lost_here)| violation(lost.relation, *aspect, lost_here, &before.layout))
        .collect()
}

/// Whether all that the last detour of a trace lost is different as well at the end of another trace that has waited
/// instead. `losses` are the kinds of loss in words, as in an origin.
pub fn changes_while_waiting(trace: &Trace, waited: &Trace, losses: &[String], app: &str) -> bool {
    let Some(before) = last_detour(trace).and_then(|first| waited.frame(first)) else { return false };
    let changed = differences(&before.layout, &waited.last().layout, app);
    all_lost(trace, losses, app, |lost| changed.iter().any(|other| other.place == lost.place))
}

/// Whether all that the last detour of a trace lost is something else again after it is gone once more, at the end of
/// another trace: texts and the order of rows that are others each time. What is gone does not come back, one more row
/// each time is a loss, and so is what the second detour turns back, such as an order that each detour reverses.
pub fn changes_each_time(trace: &Trace, again: &Trace, losses: &[String], app: &str) -> bool {
    let Some(more) = lost_by_detour(again, app) else { return false };
    let Some(before) = last_detour(trace).and_then(|first| again.frame(first + 1)) else { return false };
    if again.len() <= trace.len() {
        return false;
    }
    let since = differences(&before.layout, &again.last().layout, app);
    let varies = |one: &Difference| match one.aspect {
        Aspect::Rows => matches!(one.rows, RowChange::Order | RowChange::Other),
        aspect => aspect == Aspect::Text,
    };
    let other = |lost: &Difference| {
        let again =
            |other: &Difference| other.aspect == lost.aspect && other.place == lost.place && varies(other);
        let turned_back = !since.iter().any(|other| other.place == lost.place);
        varies(lost) && !turned_back && more.bugs.values().flatten().any(again)
    };
    all_lost(trace, losses, app, other)
}

/// Whether something holds for all that the last detour of a trace lost, of these kinds.
fn all_lost(trace: &Trace, losses: &[String], app: &str, holds: impl Fn(&Difference) -> bool) -> bool {
    let Some(lost) = lost_by_detour(trace, app) else { return false };
    let of_kinds = lost.bugs.iter().filter(|(aspect, _)| losses.iter().any(|loss| loss == aspect.words()));
    let mut all = of_kinds.flat_map(|(_, lost)| lost).peekable();
    all.peek().is_some() && all.all(holds)
}

/// The page that a violation of this oracle is about, from its subject.
pub fn page_of(subject: &str) -> Option<&str> {
    subject.split_once(" on ").map(|(_, page)| page)
}

/// What the screens before the control, after it and after the detour show to have changed by the detour. `None` if the
/// page changed by itself.
fn since_control([before, control, after]: [&Frame; 3], app: &str) -> Option<Vec<Difference>> {
    let places = |one: &Frame, other: &Frame| -> BTreeSet<(Aspect, String)> {
        let found = differences(&one.layout, &other.layout, app);
        found.into_iter().map(|difference| (difference.aspect, difference.place)).collect()
    };
    let by_itself = places(before, control);
    if by_itself.iter().any(|(_, place)| place.is_empty()) || control.health != AppHealth::Running {
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

fn violation(relation: &Relation, aspect: Aspect, lost: &[Difference], before: &Layout) -> Violation {
    let page = before.page_name();
    let detail =
        lost.first().map_or(String::new(), |first| format!(": {}, then {}", first.before, first.after));
    Violation {
        oracle: OracleKind::Preservation,
        subject: format!("{} on {page}", relation.name),
        dmf: None,
        title: format!("{} {} on {page}{detail}", relation.title, aspect.words()),
        failures: vec![FailedCheck {
            key: aspect.words().to_owned(),
            condition: format!("{} changes nothing", relation.title),
            expected: lost.iter().map(|lost| lost.before.clone()).collect::<Vec<_>>().join("; "),
            seen: lost.iter().map(|lost| lost.after.clone()).collect::<Vec<_>>().join("; "),
            offending: lost.iter().filter_map(|lost| lost.widget).collect(),
            missing: None,
        }],
        after_drift: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::determinism::Rng;
    use crate::model::{
        Gesture, Step, SystemEvent, WidgetFlags, WidgetIdx, event_on, frame_of, layout_from, page_key,
    };

    const PAGE: &str =
        "FrameLayout\n  TextView#unread \"3 unread\"\n  EditText#title \"Milk\"\n  CheckBox#important\n";

    /// A trace that shows these pages: at the beginning, after the control, and after each event.
    fn trace(pages: &[&str], events: &[Event]) -> Trace {
        let mut trace = Trace::start(frame_of(layout_from(pages[0])));
        for (event, page) in with_control(events.to_vec()).into_iter().zip(&pages[1..]) {
            trace.push(Step { event, role: StepRole::Detour, after: frame_of(layout_from(page)) });
        }
        trace
    }

    fn titles(pages: &[&str], events: &[Event]) -> Vec<String> {
        judge_detour(&trace(pages, events), "org.ex").into_iter().map(|violation| violation.title).collect()
    }

    const BACK: [Event; 1] = [Event::System(SystemEvent::Background)];

    #[test]
    fn what_a_detour_loses_is_told_by_its_kind() {
        let empty = PAGE.replace("Milk", "");
        assert_eq!(
            titles(&[PAGE, PAGE, &empty], &BACK),
            ["Leaving the app and coming back loses typed text on Main: “title” “Milk”, then empty"]
        );
        assert_eq!(titles(&[PAGE, PAGE, PAGE], &BACK), Vec::<String>::new());
    }

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
    fn what_a_pause_changes_as_well_is_no_loss() {
        let later = PAGE.replace("3 unread", "4 unread");
        let detour = trace(&[PAGE, PAGE, &later], &BACK);
        let losses = [Aspect::Text.words().to_owned()];
        let waited =
            |page: &str| changes_while_waiting(&detour, &trace(&[PAGE, page], &[]), &losses, "org.ex");
        assert!(waited(&later) && !waited(PAGE));
        let both = later.replace("Milk", "");
        let typed = trace(&[PAGE, PAGE, &both], &BACK);
        let kinds = [Aspect::Text, Aspect::Typed].map(|aspect| aspect.words().to_owned());
        assert!(
            !changes_while_waiting(&typed, &trace(&[PAGE, &later], &[]), &kinds, "org.ex"),
            "a text is lost"
        );
    }

    #[test]
    fn what_is_something_else_each_time_is_no_loss() {
        let page = |rows: &[&str]| {
            let rows: String = rows.iter().map(|row| format!("    TextView \"{row}\"\n")).collect();
            format!("FrameLayout\n  ListView#list\n{rows}")
        };
        let each_time = |pages: [&[&str]; 3]| {
            let [first, second, third] = pages.map(page);
            let once = trace(&[&first, &first, &second], &BACK);
            let mut twice = once.clone();
            let again = trace(&[&second, &second, &third], &BACK);
            again.steps().iter().for_each(|step| twice.push(step.clone()));
            changes_each_time(&once, &twice, &[Aspect::Rows.words().to_owned()], "org.ex")
        };
        assert!(each_time([&["a", "b", "c"], &["b", "c", "a"], &["c", "a", "b"]]));
        assert!(!each_time([&["a", "b"], &["b", "a"], &["b", "a"]]), "it stays so");
        assert!(!each_time([&["a"], &["a", "b"], &["a", "b", "c"]]), "one more each time");
        assert!(!each_time([&["a", "b", "c"], &["c", "b", "a"], &["a", "b", "c"]]), "reversed each time");
    }

    #[test]
    fn a_relation_that_changes_the_page_keeps_what_was_entered() {
        let wide = PAGE.replace("\"3 unread\"", "\"unread: 3\"");
        assert_eq!(titles(&[PAGE, PAGE, &wide], &[Event::Rotate]), Vec::<String>::new());
        let lost = wide.replace("Milk", "");
        assert_eq!(titles(&[PAGE, PAGE, &lost], &[Event::Rotate]).len(), 1);
        let both = [Event::Rotate, Event::Rotate];
        assert_eq!(titles(&[PAGE, PAGE, &lost, PAGE], &both), Vec::<String>::new(), "it came back");
    }

    #[test]
    fn a_permission_that_comes_back_leaves_what_android_saves() {
        let way = [SystemEvent::RevokePermission, SystemEvent::GrantPermission].map(Event::System);
        let without = PAGE.replace("3 unread", "No reminders");
        assert_eq!(
            titles(&[PAGE, PAGE, &without, &without], &way),
            Vec::<String>::new(),
            "the app's own affair"
        );
        let empty = PAGE.replace("Milk", "");
        assert_eq!(titles(&[PAGE, PAGE, &empty, PAGE], &way), Vec::<String>::new(), "it came back");
        assert_eq!(titles(&[PAGE, PAGE, &empty, &empty], &way).len(), 1);
    }

    #[test]
    fn what_the_system_still_asks_for_is_no_loss_by_a_permission() {
        let page = layout_from(PAGE);
        let asked = page
            .with_changed(&[WidgetIdx(0)], |root| root.package = "com.android.permissioncontroller".into());
        let screen = |layout| Screen {
            layout,
            from: &page,
            opened: &page,
            below: &[],
            pages_below: &[],
            gone: 2,
            app: "org.ex",
        };
        let permission = Relation::named("permission").unwrap();
        assert!(permission.counts(screen(&page)) && !permission.counts(screen(&asked)));
        assert!(Relation::named("background").unwrap().counts(screen(&asked)));
    }

    #[test]
    fn a_detour_is_known_by_its_role_and_its_control() {
        let two = trace(&[PAGE; 3], &BACK);
        assert_eq!(detour_from(&two, 0), Some(0..2));
        assert_eq!(detour_from(&two, 1), None);
        let mut more = two.clone();
        for step in two.steps() {
            more.push(step.clone());
        }
        assert_eq!((detour_from(&more, 0), detour_from(&more, 2)), (Some(0..2), Some(2..4)));
        more.push(Step { role: StepRole::Explored, ..two.steps()[0].clone() });
        assert_eq!(detour_from(&more, 2), Some(2..4));
        assert!(judge_detour(&more, "org.ex").is_empty(), "it does not end the trace");
    }

    #[test]
    fn the_parts_of_relations_are_relations_that_have_none_of_their_own_but_these() {
        for relation in RELATIONS {
            for part in relation.parts() {
                let part = Relation::named(part).unwrap_or_else(|| panic!("{part}"));
                let parts = relation.parts();
                assert!(part.parts().iter().all(|inner| parts.contains(inner)), "{}", relation.name);
            }
        }
    }

    #[test]
    fn every_relation_is_known_by_its_way_and_by_its_name() {
        let layout = layout_from(
            "FrameLayout\n  Button#more\n  EditText#query\n  Switch#notes\n  Button#undo \"Undo\"\n  ListView#list\n    \
             TextView#row \"Milk\"\n  RadioButton#order\n  Tab#open\n  Tab#done\n",
        );
        let layout = layout.with_changed(&[3, 5, 6].map(WidgetIdx), |widget| {
            for able in [WidgetFlags::CHECKABLE, WidgetFlags::SCROLLABLE, WidgetFlags::LONG_CLICKABLE] {
                widget.flags = widget.flags.with(able, true).with(WidgetFlags::CLICKABLE, true);
            }
        });
        let layout = layout.with_changed(&[WidgetIdx(8), WidgetIdx(9)], |tab| {
            tab.flags = tab.flags.with(WidgetFlags::CLICKABLE, true);
        });
        let layout = layout.with_changed(&[WidgetIdx(8)], |tab| {
            tab.flags = tab.flags.with(WidgetFlags::SELECTED, true);
        });
        let tap = |at| event_on(&layout, WidgetIdx(at), Gesture::Tap).unwrap();
        let known = Known {
            openers: vec![Opener { taps: vec![tap(1), tap(2)], to: page_key(&layout) }],
            choices: vec![[tap(1), tap(7)]],
            undoable: vec![[tap(3), tap(4)]],
            selecting_all: vec![[event_on(&layout, WidgetIdx(6), Gesture::LongPress).unwrap(), tap(1)]],
            lists: Vec::new(),
        };
        let (row, more) = (tap(6), tap(1));
        let search = event_on(&layout, WidgetIdx(2), Gesture::SetText("Tea".to_owned())).unwrap();
        let selector = tapped(&row).unwrap().selector.clone();
        let came_by = CameBy { tap: &row, row: Some(selector), lists: &[vec![tap(1), search]] };
        let place = Place {
            layout: &layout,
            app: "org.ex",
            came_by: Some(&came_by),
            undoable: Some(&more),
            known: &known,
        };
        for relation in RELATIONS {
            assert!(std::ptr::eq(Relation::named(relation.name).unwrap(), *relation));
            let way =
                relation.way(&place, &mut Rng::from_seed(1)).unwrap_or_else(|| panic!("{}", relation.name));
            let known: Vec<&str> =
                RELATIONS.iter().filter(|other| other.is_way(&way)).map(|other| other.name).collect();
            assert_eq!(known, [relation.name]);
        }
    }
}
