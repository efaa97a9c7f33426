//! What the screens of a test tell of its pages: the taps and actions of which ways are made.

use std::collections::{BTreeMap, BTreeSet};

use super::super::detour::{activities_below, pages_to};
use super::fill::row_texts;
use crate::oracle::preservation::{CameBy, Known, Opener, is_open, select_all_offered, tapped, undo_offered};
use taproof_screen::{
    Event, Gesture, Key, Layout, LayoutKey, Same, Selector, Step, StepRole, Trace, Widget, WidgetFlags,
    event_on, is_of_app, same_page, touched_widget,
};

/// Largest number of ways of a kind that are known of a page.
const MOST_KNOWN: usize = 32;
/// Largest number of pages and menus that are known to be opened from a page, if each is by as many ways as are known.
const MOST_OPENED: usize = 32;
/// Largest number of ways to open the same that are known of a page.
const MOST_OPENERS: usize = 4;

/// The last step, the screen before it, and the one after it.
fn last_step(trace: &Trace) -> Option<(&Step, &Layout, &Layout)> {
    let last = trace.len().checked_sub(1)?;
    let step = trace.steps().get(last)?;
    Some((step, &trace.frame(last)?.layout, &step.after.layout))
}

/// Remembers what the last event tells of the page that it was performed on.
pub(super) fn note(known: &mut BTreeMap<LayoutKey, Known>, trace: &Trace, app: &str) {
    let Some((step, before, after)) = last_step(trace) else { return };
    if let Some((page, opener)) = opened_in_menu(trace, app) {
        remember_opener(known.entry(page).or_default(), opener);
    }
    if is_open(before) || !is_of_app(before.package(), app) || !is_of_app(after.package(), app) {
        return;
    }
    let known = known.entry(before.key(Same::Page)).or_default();
    let (is_tap, elsewhere) = (tapped(&step.event).is_some(), !same_page(before, after));
    if is_press(&step.event, before) && (if elsewhere { went_on(trace) } else { is_open(after) }) {
        remember_opener(known, Opener { taps: vec![step.event.clone()], to: after.key(Same::Page) });
    }
    if elsewhere {
        return;
    }
    if is_tap && let Some(choice) = chosen(after).filter(|_| is_open(after)) {
        remember(&mut known.choices, [step.event.clone(), choice]);
    }
    if let Some(undo) = undo(after).filter(|_| !is_open(after) && undo(before).is_none()) {
        remember(&mut known.undoable, [step.event.clone(), undo]);
    }
    if let Some(all) = select_all(after).filter(|_| is_long_press(&step.event)) {
        remember(&mut known.selecting_all, [step.event.clone(), all]);
    }
}

/// The page on which the last two steps opened a menu and then, by a tap in it, a dialog or another page; and these taps.
fn opened_in_menu(trace: &Trace, app: &str) -> Option<(LayoutKey, Opener)> {
    let (item, menu, opened) = last_step(trace)?;
    // Detours from the menu that led back to it do not count.
    let on_the_way = (0..trace.len().checked_sub(1)?).rev();
    let explored = |at: &usize| trace.steps().get(*at).is_some_and(|step| step.role == StepRole::Explored);
    let at = on_the_way.into_iter().find(explored)?;
    let (page, opener) = (&trace.frame(at)?.layout, &trace.steps().get(at)?.event);
    let is_menu = !is_open(page) && is_open(menu) && same_page(page, menu);
    let elsewhere = !same_page(menu, opened);
    let opens = if elsewhere {
        went_on(trace)
    } else {
        is_open(opened) && menu.key(Same::Page) != opened.key(Same::Page)
    };
    let fits = is_menu && opens && is_press(opener, page) && is_press(&item.event, menu);
    let of_app = [page, menu, opened].into_iter().all(|layout| is_of_app(layout.package(), app));
    let taps = vec![opener.clone(), item.event.clone()];
    (fits && of_app).then(|| (page.key(Same::Page), Opener { taps, to: opened.key(Same::Page) }))
}

/// The page that the last step opened by a tap, the page before it, and the tap.
pub(super) fn door(trace: &Trace, app: &str) -> Option<(LayoutKey, LayoutKey, Event)> {
    let (step, before, after) = last_step(trace)?;
    let of_app = [before, after].into_iter().all(|layout| is_of_app(layout.package(), app));
    let elsewhere = !same_page(before, after) && went_on(trace);
    let opened = tapped(&step.event).is_some() && of_app && !is_open(before) && elsewhere;
    opened.then(|| (before.key(Same::Page), after.key(Same::Page), step.event.clone()))
}

/// Whether the last step opened a page, rather than going back to one from which the page before was opened.
fn went_on(trace: &Trace) -> bool {
    let Some((step, before, after)) = last_step(trace) else { return false };
    if goes_up(&step.event, before) {
        return false;
    }
    if before.activity() == after.activity() {
        return !pages_to(trace, trace.len() - 1).iter().any(|page| same_page(page, after));
    }
    let below = activities_below(trace);
    let before = trace.len().checked_sub(1).and_then(|last| trace.frame(last));
    below.last().is_some_and(|below| before.is_some_and(|before| before.layout.activity() == below))
}

/// Whether it is a tap on the icon in the top left corner, where Android's apps have the button that leads up.
fn goes_up(event: &Event, layout: &Layout) -> bool {
    let corner = layout.screen().width.min(layout.screen().height) / 4;
    let in_corner = |idx| {
        let (widget, bounds) = (layout.widget(idx), layout.widget(idx).bounds);
        widget.text.is_empty() && bounds.right <= corner && bounds.bottom <= corner
    };
    tapped(event).is_some() && touched_widget(event, layout).is_some_and(in_corner)
}

/// Whether it is a tap on a widget that can be tapped.
fn is_press(event: &Event, layout: &Layout) -> bool {
    let clickable = |idx| layout.widget(idx).flags.has(WidgetFlags::CLICKABLE);
    tapped(event).is_some_and(|target| !target.selector.is_empty())
        && touched_widget(event, layout).is_some_and(clickable)
}

/// Of what opens the same, such as the rows of a list, a few are enough.
fn remember_opener(known: &mut Known, opener: Opener) {
    let alike = known.openers.iter().filter(|other| other.to == opener.to).count();
    if alike < MOST_OPENERS
        && known.openers.len() < MOST_OPENED * MOST_OPENERS
        && !known.openers.contains(&opener)
    {
        known.openers.push(opener);
    }
}

fn remember<T: PartialEq>(known: &mut Vec<T>, way: T) {
    if known.len() < MOST_KNOWN && !known.contains(&way) {
        known.push(way);
    }
}

/// How the last screen was opened from another page of the app.
pub(super) fn came_by<'t>(
    known: &'t BTreeMap<LayoutKey, Known>,
    trace: &'t Trace,
    app: &str,
) -> Option<CameBy<'t>> {
    let (step, before, after) = last_step(trace)?;
    let opened = step.role == StepRole::Explored
        && !same_page(before, after)
        && is_of_app(before.package(), app)
        && !is_open(before)
        && went_on(trace);
    let tap = Some(&step.event).filter(|event| opened && tapped(event).is_some())?;
    let lists = known.get(&before.key(Same::Page)).map_or(&[][..], |known| &known.lists);
    Some(CameBy { tap, row: row_tapped(tap, before), lists })
}

/// The text of the row that the tap is on, if no other row has it.
fn row_tapped(tap: &Event, layout: &Layout) -> Option<Selector> {
    let row = layout.list_item_around(touched_widget(tap, layout)?)?;
    let (_, widget) = row_texts(layout).find(|(idx, _)| layout.list_item_around(*idx) == Some(row))?;
    let selector = Selector {
        class: Some(widget.class.to_string()),
        text: Some(widget.text.to_string()),
        ..Selector::default()
    };
    (selector.matches(layout).len() == 1).then_some(selector)
}

/// Remembers the way if the last events led to another page with rows of the page that they began on.
pub(super) fn note_list(known: &mut BTreeMap<LayoutKey, Known>, trace: &Trace, app: &str) {
    if let Some((page, way)) = way_to_list(trace, app) {
        remember(&mut known.entry(page).or_default().lists, way);
    }
}

/// The page on which the last steps began that led to another page with rows that it has, too; and these steps: a tap, and
/// what was then searched for, if anything.
fn way_to_list(trace: &Trace, app: &str) -> Option<(LayoutKey, Vec<Event>)> {
    const LONGEST: usize = 3;
    let after = &trace.last().layout;
    let first = (1..=LONGEST)
        .filter_map(|steps| trace.len().checked_sub(steps))
        .find(|first| trace.frame(*first).is_some_and(|frame| !same_page(&frame.layout, after)))?;
    let before = &trace.frame(first)?.layout;
    let events: Vec<Event> =
        trace.steps().get(first..)?.iter().map(|step| step.event.with_text("")).collect();
    let leads = match events.as_slice() {
        [tap] => tapped(tap).is_some(),
        [tap, text] => tapped(tap).is_some() && is_text(text),
        [tap, text, key] => tapped(tap).is_some() && is_text(text) && *key == Event::Key(Key::ImeAction),
        _ => false,
    };
    let of_app =
        [before, after].into_iter().all(|layout| is_of_app(layout.package(), app) && !is_open(layout));
    let texts = |layout| row_texts(layout).map(|(_, widget)| &*widget.text).collect::<BTreeSet<&str>>();
    let fits = leads && of_app && !texts(before).is_disjoint(&texts(after));
    fits.then(|| (before.key(Same::Page), events))
}

fn is_text(event: &Event) -> bool {
    matches!(event, Event::Widget { gesture: Gesture::SetText(_), .. })
}

/// The last event, if the page offers to undo it: before, nothing could be undone.
pub(super) fn undoable<'t>(trace: &'t Trace, app: &str) -> Option<&'t Event> {
    let (step, before, after) = last_step(trace)?;
    let offered = step.role == StepRole::Explored
        && same_page(before, after)
        && is_of_app(before.package(), app)
        && ![before, after].into_iter().any(is_open)
        && undo_offered(before).is_none()
        && undo_offered(after).is_some();
    Some(&step.event).filter(|_| offered)
}

/// A tap on what is chosen in a menu.
fn chosen(menu: &Layout) -> Option<Event> {
    let is_chosen =
        |widget: &Widget| widget.flags.has(WidgetFlags::CHECKED) && widget.class.ends_with("RadioButton");
    let (idx, _) = menu.iter().find(|(_, widget)| is_chosen(widget))?;
    event_on(menu, idx, Gesture::Tap)
}

/// A tap on what takes the last action back.
fn undo(layout: &Layout) -> Option<Event> {
    event_on(layout, undo_offered(layout)?, Gesture::Tap)
}

/// A tap on what selects all rows.
fn select_all(layout: &Layout) -> Option<Event> {
    event_on(layout, select_all_offered(layout)?, Gesture::Tap)
}

fn is_long_press(event: &Event) -> bool {
    matches!(event, Event::Widget { gesture: Gesture::LongPress, .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Frame, PxRect, WidgetIdx, frame_of, layout_from};

    const PAGE: &str = "FrameLayout\n  Button#more\n  ListView#list\n    TextView#row \"Milk\"\n";

    fn page(notation: &str, activity: &str) -> Frame {
        frame_of(layout_from(notation).with_activity(activity.into()))
    }

    /// The root of a menu or a dialog is smaller than the screen.
    fn menu(notation: &str) -> Frame {
        let layout = layout_from(notation).with_changed(&[WidgetIdx(0)], |root| {
            (root.bounds.right, root.bounds.bottom) = (root.bounds.left + 90, root.bounds.top + 90);
        });
        frame_of(layout.with_activity("org.ex/.Main".into()))
    }

    fn tap(on: &Frame, widget: u32) -> Event {
        event_on(&on.layout, WidgetIdx(widget), Gesture::Tap).unwrap()
    }

    /// What is known of the first screen's page after these events, each with the screen after it.
    fn known(start: &Frame, events: &[(Event, Frame)]) -> Known {
        known_of(start, start, events)
    }

    fn known_of(page: &Frame, start: &Frame, events: &[(Event, Frame)]) -> Known {
        let (mut trace, mut known) = (Trace::start(start.clone()), BTreeMap::new());
        for (event, after) in events {
            trace.push(Step { event: event.clone(), role: StepRole::Explored, after: after.clone() });
            note(&mut known, &trace, "org.ex");
        }
        known.remove(&page.layout.key(Same::Page)).unwrap_or_default()
    }

    #[test]
    fn a_tap_that_goes_back_opens_nothing() {
        let (main, other) = (page(PAGE, "org.ex/.Main"), page(PAGE, "org.ex/.Other"));
        let (there, back) = (tap(&main, 1), tap(&other, 1));
        let opener = Opener { taps: vec![there.clone()], to: other.layout.key(Same::Page) };
        assert_eq!(known(&main, &[(there.clone(), other.clone())]).openers, [opener]);
        let both = [(there, other.clone()), (back, main.clone())];
        assert_eq!(known_of(&other, &main, &both).openers, []);
    }

    #[test]
    fn the_icon_in_the_corner_leads_up() {
        let at = |left: i32| {
            let page = layout_from("FrameLayout\n  ImageButton *\n").with_changed(&[WidgetIdx(1)], |icon| {
                icon.bounds = PxRect { left, top: 24, right: left + 56, bottom: 80 };
            });
            let tap = event_on(&page, WidgetIdx(1), Gesture::Tap).unwrap();
            goes_up(&tap, &page)
        };
        assert!(at(0));
        assert!(!at(layout_from("FrameLayout\n").screen().width - 56));
    }

    #[test]
    fn a_tap_beside_buttons_and_a_fifth_way_to_the_same_are_not_remembered() {
        let other = page(PAGE, "org.ex/.Other");
        let notation = PAGE.to_owned() + &(0..5).map(|at| format!("  Button#b{at}\n")).collect::<String>();
        let main = page(&notation, "org.ex/.Main");
        let opened: Vec<(Event, Frame)> = [0, 2].map(|idx| (tap(&main, idx), other.clone())).to_vec();
        assert_eq!(known(&main, &opened[..1]).openers, []);
        let mut known = Known::default();
        for button in 4..9 {
            let opener = Opener { taps: vec![tap(&main, button)], to: other.layout.key(Same::Page) };
            remember_opener(&mut known, opener);
        }
        assert_eq!(known.openers.len(), MOST_OPENERS);
    }

    #[test]
    fn what_a_menu_opens_is_known_by_both_taps() {
        let (main, list) = (page(PAGE, "org.ex/.Main"), menu("LinearLayout\n  Button#rename \"Rename\"\n"));
        let (more, item) = (tap(&main, 1), tap(&list, 1));
        let opens = |taps: &[&Event], to: &Frame| Opener {
            taps: taps.iter().map(|tap| (*tap).clone()).collect(),
            to: to.layout.key(Same::Page),
        };
        let dialog = menu("LinearLayout\n  EditText#name\n  Button#ok \"OK\"\n");
        for opened in [dialog, page("TextView \"Settings\"\n", "org.ex/.Settings")] {
            let told = known(&main, &[(more.clone(), list.clone()), (item.clone(), opened.clone())]);
            assert_eq!(told.openers, [opens(&[&more], &list), opens(&[&more, &item], &opened)]);
        }
        let closed = known(&main, &[(more.clone(), list.clone()), (item, main.clone())]);
        assert_eq!(closed.openers, [opens(&[&more], &list)]);
    }

    #[test]
    fn a_detour_from_a_menu_that_led_back_to_it_is_passed_over() {
        let (main, list) = (page(PAGE, "org.ex/.Main"), menu("LinearLayout\n  Button#rename \"Rename\"\n"));
        let (more, item) = (tap(&main, 1), tap(&list, 1));
        let mut trace = Trace::start(main.clone());
        let there = page("TextView \"Settings\"\n", "org.ex/.Settings");
        let explored = StepRole::Explored;
        let detour = (Event::Rotate, StepRole::Detour, list.clone());
        for (event, role, after) in [(more, explored, list.clone()), detour, (item, explored, there)] {
            trace.push(Step { event, role, after });
        }
        let (page, opener) = opened_in_menu(&trace, "org.ex").unwrap();
        assert_eq!((page, opener.taps.len()), (main.layout.key(Same::Page), 2));
    }

    #[test]
    fn a_way_to_the_same_rows_is_known_with_what_was_searched_for() {
        let main = page(PAGE, "org.ex/.Main");
        let empty = page("FrameLayout\n  EditText#query\n  TextView#none \"Nothing\"\n", "org.ex/.Search");
        let result = "FrameLayout\n  EditText#query \"mil\"\n  ListView#found\n    TextView#hit \"Milk\"\n";
        let found = page(result, "org.ex/.Search");
        let others = page(&result.replace("Milk", "Tea"), "org.ex/.Search");
        let write =
            |text: &str| event_on(&empty.layout, WidgetIdx(1), Gesture::SetText(text.to_owned())).unwrap();
        let ways = |events: &[(Event, Frame)]| {
            let (mut trace, mut known) = (Trace::start(main.clone()), BTreeMap::new());
            for (event, after) in events {
                trace.push(Step { event: event.clone(), role: StepRole::Explored, after: after.clone() });
                note_list(&mut known, &trace, "org.ex");
            }
            known.remove(&main.layout.key(Same::Page)).unwrap_or_default().lists
        };
        let opened = (tap(&main, 1), empty.clone());
        let (typed, key) = ((write("mil"), found.clone()), (Event::Key(Key::ImeAction), found.clone()));
        let template = vec![tap(&main, 1), write("")];
        assert_eq!(ways(&[opened.clone(), typed.clone()]), std::slice::from_ref(&template));
        let submitted = [template, vec![Event::Key(Key::ImeAction)]].concat();
        assert_eq!(ways(&[opened.clone(), (write("mil"), empty.clone()), key]), [submitted]);
        assert_eq!(ways(&[opened.clone(), (write("tea"), others)]), Vec::<Vec<Event>>::new());
        assert_eq!(ways(&[(tap(&main, 1), found)]), [vec![tap(&main, 1)]]);
    }

    #[test]
    fn the_pages_of_one_activity_are_gone_back_through_one_by_one() {
        let steps = ["Name", "Place", "Time", "Colour"];
        let pages = steps.map(|label| {
            page(&format!("FrameLayout\n  TextView \"{label}\"\n  Button \"{label} next\" *\n"), ".Wizard")
        });
        let led = |way: &[usize]| {
            let mut trace = Trace::start(pages[way[0]].clone());
            for at in way.windows(2) {
                let event = tap(&pages[at[0]], 2);
                trace.push(Step { event, role: StepRole::Explored, after: pages[at[1]].clone() });
            }
            went_on(&trace)
        };
        assert!(led(&[0, 1]) && led(&[0, 1, 2, 3]) && led(&[0, 1, 0, 2]));
        assert!(!led(&[0, 1, 0]) && !led(&[0, 1, 2, 3, 2]) && !led(&[0, 1, 2, 3, 2, 1]));
    }

    #[test]
    fn a_page_that_was_gone_back_to_was_not_opened() {
        let (list, editor) = (page("Button \"Edit\" *\n", ".List"), page("Button \"Up\" *\n", ".Editor"));
        let came = |events: &[(Event, &Frame)]| {
            let mut trace = Trace::start(list.clone());
            for (event, after) in events {
                let after = (*after).clone();
                trace.push(Step { event: event.clone(), role: StepRole::Explored, after });
            }
            came_by(&BTreeMap::new(), &trace, "org.ex").is_some()
        };
        let (there, back) = (tap(&list, 0), tap(&editor, 0));
        assert!(came(&[(there.clone(), &editor)]));
        assert!(!came(&[(there.clone(), &editor), (back.clone(), &list)]));
        assert!(came(&[(there.clone(), &editor), (back, &list), (there, &editor)]));
    }

    #[test]
    fn a_row_is_known_by_a_text_that_no_other_row_has() {
        let two = page(&PAGE.replace("\"Milk\"", "\"Milk\"\n    TextView#row \"Tea\""), "org.ex/.Main");
        let row = |frame: &Frame, at| row_tapped(&tap(frame, at), &frame.layout).and_then(|row| row.text);
        assert_eq!(row(&two, 4).as_deref(), Some("Tea"));
        assert_eq!(row(&two, 1), None, "no row");
        let equal = page(&PAGE.replace("\"Milk\"", "\"Milk\"\n    TextView#row \"Milk\""), "org.ex/.Main");
        assert_eq!(row(&equal, 4), None);
    }

    #[test]
    fn only_the_action_after_which_undo_is_offered_can_be_done_again() {
        let (before, offered) =
            (page(PAGE, "org.ex/.Main"), PAGE.replace("Button#more", "Button#undo \"Undo\""));
        let offered = page(&offered, "org.ex/.Main");
        let after = |events: &[(Event, Frame)]| {
            let mut trace = Trace::start(before.clone());
            for (event, after) in events {
                trace.push(Step { event: event.clone(), role: StepRole::Explored, after: after.clone() });
            }
            undoable(&trace, "org.ex").cloned()
        };
        let act = (tap(&before, 3), offered.clone());
        assert_eq!(after(std::slice::from_ref(&act)), Some(act.0.clone()));
        assert_eq!(after(&[act, (Event::Key(Key::Tab), offered)]), None, "it was offered before");
    }

    #[test]
    fn a_press_after_which_all_can_be_selected_is_known() {
        let main = page(PAGE, "org.ex/.Main");
        let mode = page(&PAGE.replace("Button#more", "Button#all (Select all)"), "org.ex/.Main");
        let press = event_on(&main.layout, WidgetIdx(3), Gesture::LongPress).unwrap();
        let told = known(&main, &[(press.clone(), mode.clone())]);
        assert_eq!(told.selecting_all, [[press, tap(&mode, 1)]]);
    }
}
