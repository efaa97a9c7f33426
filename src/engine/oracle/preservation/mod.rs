//! What every Android app owes its user, without a specification: a *neutral detour*, such as turning the phone and
//! back, must not lose or change what the user sees, entered and stored.
//!
//! A detour stands in a trace as consecutive steps with the role [`StepRole::Detour`]. It begins with a wait, the
//! control: what changes during the wait changes by itself, and is not held against the relation. [`judge_detour`]
//! compares the screens before and after what follows, by what a person notices.

mod arrivals;
mod differences;
mod entered;
mod lost;
mod noticed;
mod places;
mod relation;
mod relations;
mod rows;
mod ways;

use std::ops::Range;

pub use differences::{Aspect, Difference, RowChange, differences};
use lost::shows_app;
pub use lost::{Lost, lost_by_detour};
pub use relation::{CameBy, Effect, Known, Opener, Place, Relation, Screen, tapped};
pub use relations::RELATIONS;
pub use ways::{select_all_offered, undo_offered};

use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{
    Event, FailedCheck, Frame, Layout, OracleKind, StepRole, Trace, Violation, drawer_open, is_dialog,
    screen_for_people,
};

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

/// The first step of the detour that a trace ends with; `None` if it does not end with one.
pub fn last_detour(trace: &Trace) -> Option<usize> {
    let ends = |first: &usize| detour_from(trace, *first).is_some_and(|steps| steps.end == trace.len());
    (0..trace.len()).rev().find(ends)
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

/// Whether all that the last detour of a trace lost is different as well at some time in another trace, which has waited
/// instead; `None` if that trace does not tell, as another window or page came in front. `losses` are the kinds of loss in
/// words, as in an origin.
pub fn changes_while_waiting(trace: &Trace, waited: &Trace, losses: &[String], app: &str) -> Option<bool> {
    let first = last_detour(trace)?;
    let looks: Vec<&Frame> = (first..=waited.len()).filter_map(|at| waited.frame(at)).collect();
    let before = looks.first()?;
    let since = |look: &&Frame| differences(&before.layout, &look.layout, app);
    let changed: Vec<Difference> = looks.iter().flat_map(since).collect();
    let all = all_lost(trace, losses, app, |lost| changed.iter().any(|other| other.place == lost.place));
    let tells =
        looks.iter().all(|look| shows_app(look, app)) && changed.iter().all(|it| !it.place.is_empty());
    (all || tells).then_some(all)
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

fn violation(relation: &Relation, aspect: Aspect, lost: &[Difference], before: &Layout) -> Violation {
    let page = before.page_name();
    let screen = screen_for_people(before);
    let detail =
        lost.first().map_or(String::new(), |first| format!(": {}, then {}", first.before, first.after));
    Violation {
        oracle: OracleKind::Preservation,
        subject: format!("{} on {page}", relation.name),
        dmf: None,
        title: format!("{} {} on {screen}{detail}", relation.title, aspect.words()),
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
    use taproof_screen::determinism::Rng;
    use taproof_screen::{
        Gesture, Same, Step, SystemEvent, WidgetFlags, WidgetIdx, event_on, frame_of, layout_from,
    };

    pub(super) const PAGE: &str =
        "FrameLayout\n  TextView#unread \"3 unread\"\n  EditText#title \"Milk\"\n  CheckBox#important\n";

    /// A trace that shows these pages: at the beginning, after the control, and after each event. The texts in fields of the
    /// first page were typed.
    pub(super) fn trace(pages: &[&str], events: &[Event]) -> Trace {
        let start = frame_of(layout_from(pages[0]));
        let mut trace = Trace::start(start.clone());
        for field in start.layout.widgets().iter().filter(|it| it.is_text_field() && !it.text.is_empty()) {
            let (event, after) = (Event::Type(field.text.to_string()), start.clone());
            trace.push(Step { event, role: StepRole::Explored, after });
        }
        for (event, page) in with_control(events.to_vec()).into_iter().zip(&pages[1..]) {
            trace.push(Step { event, role: StepRole::Detour, after: frame_of(layout_from(page)) });
        }
        trace
    }

    pub(super) fn titles(pages: &[&str], events: &[Event]) -> Vec<String> {
        judge_detour(&trace(pages, events), "org.ex").into_iter().map(|violation| violation.title).collect()
    }

    pub(super) const BACK: [Event; 1] = [Event::System(SystemEvent::Background)];

    #[test]
    fn what_a_detour_loses_is_told_by_its_kind() {
        let empty = PAGE.replace("Milk", "");
        assert_eq!(
            titles(&[PAGE, PAGE, &empty], &BACK),
            [
                "Leaving the app and coming back loses typed text on the first screen: “title” “Milk”, then empty"
            ]
        );
        assert_eq!(titles(&[PAGE, PAGE, PAGE], &BACK), Vec::<String>::new());
    }

    #[test]
    fn what_a_pause_changes_as_well_is_no_loss() {
        let later = PAGE.replace("3 unread", "4 unread");
        let detour = trace(&[PAGE, PAGE, &later], &BACK);
        let losses = [Aspect::Text.words().to_owned()];
        let waited =
            |page: &str| changes_while_waiting(&detour, &trace(&[PAGE, page], &[]), &losses, "org.ex");
        assert_eq!((waited(&later), waited(PAGE)), (Some(true), Some(false)));
        let for_a_while = trace(&[PAGE, &later, PAGE], &BACK);
        assert_eq!(changes_while_waiting(&detour, &for_a_while, &losses, "org.ex"), Some(true));
        let mut covered = trace(&[PAGE, PAGE], &[]);
        let warning = layout_from(PAGE);
        let warning = warning.with_changed(&[WidgetIdx(0)], |root| root.package = "com.vendor".into());
        covered.replace_last(frame_of(warning));
        assert_eq!(changes_while_waiting(&detour, &covered, &losses, "org.ex"), None, "nothing is seen");
        let both = later.replace("Milk", "");
        let typed = trace(&[PAGE, PAGE, &both], &BACK);
        let kinds = [Aspect::Text, Aspect::Typed].map(|aspect| aspect.words().to_owned());
        let waited = changes_while_waiting(&typed, &trace(&[PAGE, &later], &[]), &kinds, "org.ex");
        assert_eq!(waited, Some(false), "a text is lost");
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
    fn a_screen_on_which_the_system_asks_something_is_not_judged() {
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
        for relation in ["permission", "background"].map(|name| Relation::named(name).unwrap()) {
            assert!(relation.counts(screen(&page)) && !relation.counts(screen(&asked)));
        }
    }

    #[test]
    fn a_detour_is_known_by_its_role_and_its_control() {
        let two = trace(&["TextView#unread \"3 unread\"\n"; 3], &BACK);
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
            for part in relation.parts {
                let part = Relation::named(part).unwrap_or_else(|| panic!("{part}"));
                let parts = relation.parts;
                assert!(part.parts.iter().all(|inner| parts.contains(inner)), "{}", relation.name);
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
            openers: vec![Opener { taps: vec![tap(1), tap(2)], to: layout.key(Same::Page) }],
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
            assert!(std::ptr::eq(Relation::named(relation.name).unwrap(), relation));
            let way =
                relation.way(&place, &mut Rng::from_seed(1)).unwrap_or_else(|| panic!("{}", relation.name));
            let known: Vec<&str> =
                RELATIONS.iter().filter(|other| other.is_way(&way)).map(|other| other.name).collect();
            assert_eq!(known, [relation.name]);
        }
    }
}
