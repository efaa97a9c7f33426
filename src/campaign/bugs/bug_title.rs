//! The title of a bug: a sentence that a person would give a ticket. Where an app crashes or hangs, it says what was done,
//! and which change before it made the difference.

use std::collections::BTreeSet;

use taproof_screen::{
    Event, Gesture, Layout, OracleKind, Same, Trace, Widget, WidgetIdx, event_clause, row_label,
    screen_on_trace, touched_widget, widget_for_people, with_article,
};
use taproof_spec::{Dmf, DmfKind, Spec, SpecSelector, TextPattern};

/// Verbs of buttons, entries of menus and names of functions that do something to an object, and what has been done then.
const DONE: [(&str, &str); 22] = [
    ("add", "added"),
    ("archive", "archived"),
    ("copy", "copied"),
    ("create", "created"),
    ("cut", "cut"),
    ("delete", "deleted"),
    ("duplicate", "duplicated"),
    ("edit", "edited"),
    ("favorite", "made a favourite"),
    ("favourite", "made a favourite"),
    ("hide", "hidden"),
    ("lock", "locked"),
    ("move", "moved"),
    ("paste", "pasted"),
    ("pin", "pinned"),
    ("remove", "removed"),
    ("rename", "renamed"),
    ("restore", "restored"),
    ("save", "saved"),
    ("star", "starred"),
    ("unhide", "shown again"),
    ("unpin", "unpinned"),
];

/// The title of what an oracle that tells of one moment, such as a crash, says of the end of a trace; `None` for other
/// oracles. Only a `minimal` trace tells which change before it made the difference: in others much happened.
pub(crate) fn moment_title(oracle: OracleKind, trace: &Trace, minimal: bool, spec: &Spec) -> Option<String> {
    let change = changing_step(oracle, trace, spec).filter(|_| minimal);
    let done = change.and_then(|step| done(trace, step, spec));
    let after = done.map_or(String::new(), |done| format!(" after {done}"));
    let wrong = match oracle {
        OracleKind::Loading => {
            let screen = screen_on_trace(trace, trace.len());
            // What changed something is told as that.
            let pressed = last_act(trace)
                .filter(|last| change != Some(*last))
                .and_then(|last| pressed_here(trace, last));
            let when = pressed.map_or(String::new(), |pressed| format!(" when {pressed}"));
            return Some(format!("The progress bar on {screen} never goes away{when}{after}"));
        }
        OracleKind::Crash => "The app crashes",
        OracleKind::NotResponding => "The app stops answering",
        OracleKind::Property
        | OracleKind::Invariant
        | OracleKind::LogError
        | OracleKind::IndependentView
        | OracleKind::MayBelief
        | OracleKind::Preservation
        | OracleKind::Agreement => return None,
    };
    Some(format!("{wrong} when {}{after}", trigger(trace, spec)))
}

/// Index of the step of a trace that changed something before the app crashed or hung; `None` if no step is
/// known to, or for other oracles.
pub(crate) fn changing_step(oracle: OracleKind, trace: &Trace, spec: &Spec) -> Option<usize> {
    let end = match oracle {
        OracleKind::Loading => entering_step(trace).unwrap_or(trace.len()),
        OracleKind::Crash | OracleKind::NotResponding => last_act(trace)?,
        OracleKind::Property
        | OracleKind::Invariant
        | OracleKind::LogError
        | OracleKind::IndependentView
        | OracleKind::MayBelief
        | OracleKind::Preservation
        | OracleKind::Agreement => return None,
    };
    (0..end).rev().find(|step| changes_data(trace, *step, spec) || comes_back_changed(trace, *step))
}

/// Index of the last step that does something to the app.
fn last_act(trace: &Trace) -> Option<usize> {
    trace.steps().iter().rposition(|step| !matches!(step.event, Event::Wait(_)))
}

/// Index of the step that led to the screen that the trace ends on; `None` if it begins there.
fn entering_step(trace: &Trace) -> Option<usize> {
    let activity = trace.last().layout.activity();
    (0..trace.len())
        .rev()
        .find(|step| trace.frame(*step).is_some_and(|before| before.layout.activity() != activity))
}

/// The step as a clause, if it is a press on the screen that the trace ends on.
fn pressed_here(trace: &Trace, step: usize) -> Option<String> {
    let (event, before) = (&trace.steps().get(step)?.event, trace.frame(step)?);
    let here = entering_step(trace).is_none_or(|entering| entering < step);
    (here && is_press(event)).then(|| event_clause(event, &before.layout, "is"))
}

fn is_press(event: &Event) -> bool {
    matches!(event, Event::Widget { gesture: Gesture::Tap | Gesture::LongPress, .. })
}

/// Whether the step is the last one of a function that changes data.
fn changes_data(trace: &Trace, step: usize, spec: &Spec) -> bool {
    let ends = |span: &&taproof_screen::DmfSpan| span.completed && span.end_step == step + 1;
    let span = trace.span_of(step).filter(ends);
    span.and_then(|span| spec.dmfs.get(span.dmf)).is_some_and(|dmf| !dmf.impacts.is_empty())
}

/// Whether a press leads back to a screen that was seen before, which shows other texts now. A long press counts, since
/// most widgets take it for a tap.
fn comes_back_changed(trace: &Trace, step: usize) -> bool {
    let Some((done, after)) = trace.steps().get(step).zip(trace.frame(step + 1)) else { return false };
    let page = after.layout.key(Same::Page);
    let mut seen = (0..=step).rev().filter_map(|frame| trace.frame(frame));
    let same_page = |frame: &&taproof_screen::Frame| frame.layout.key(Same::Page) == page;
    is_press(&done.event)
        && seen.find(same_page).is_some_and(|seen| texts(&seen.layout) != texts(&after.layout))
}

/// What a screen shows, without what was typed into it.
fn texts(layout: &Layout) -> Vec<&str> {
    let shown = |widget: &&Widget| !widget.is_text_field() && !widget.text.is_empty();
    layout.widgets().iter().filter(shown).map(|widget| &*widget.text).collect()
}

/// What a step has done, as a clause in the past.
fn done(trace: &Trace, step: usize, spec: &Spec) -> Option<String> {
    if changes_data(trace, step, spec) {
        let dmf = spec.dmfs.get(trace.span_of(step)?.dmf)?;
        return Some(format!("{} was {}", with_article(&dmf.data_type), participle(dmf)));
    }
    let (event, before) = (&trace.steps().get(step)?.event, &trace.frame(step)?.layout);
    let touched = touched_widget(event, before)?;
    let done = before.label_of(touched).and_then(done_by);
    match done.zip(object(trace, step, spec)) {
        Some((done, object)) => Some(format!("{object} was {done}")),
        None => Some(format!("{} was pressed", widget_for_people(before, touched))),
    }
}

/// What has been done to an object by this verb, if it is a common one.
fn done_by(verb: &str) -> Option<&'static str> {
    // Functions of the same kind and data type are numbered: "edit1 note".
    let verb = verb.trim_end_matches(|letter: char| letter.is_ascii_digit());
    DONE.iter().find(|(known, _)| verb.eq_ignore_ascii_case(known)).map(|(_, done)| *done)
}

/// What a step, or the step before it that opened a menu, was done to; `None` if it was not done in a row. Rows of
/// several data types may look alike: functions that press the same widget tell which of them is meant.
fn object(trace: &Trace, step: usize, spec: &Spec) -> Option<String> {
    let touched = |step: usize| -> Option<(&Layout, WidgetIdx)> {
        let (event, before) = (&trace.steps().get(step)?.event, &trace.frame(step)?.layout);
        Some((before, touched_widget(event, before)?))
    };
    let row = |step: usize| {
        let (before, touched) = touched(step)?;
        before.list_item_around(touched)?;
        Some(before.widget(row_label(before, touched).unwrap_or(touched)))
    };
    let row = step.checked_sub(1).and_then(row).or_else(|| row(step))?;
    let pressed = touched(step).and_then(|(before, touched)| before.label_of(touched));
    let names = |dmf: &Dmf, matching: &dyn Fn(&SpecSelector) -> bool| {
        dmf.widgets.iter().any(|widget| matching(&widget.selector))
    };
    let listed = |dmf: &&Dmf| {
        row.resource_id.is_some()
            && names(dmf, &|it| {
                matches!(it.text, TextPattern::Existing(_) | TextPattern::FromRead(_))
                    && it.resource_id.as_deref() == row.resource_id.as_deref()
            })
    };
    let presses = |dmf: &&Dmf| {
        names(dmf, &|it| matches!(&it.text, TextPattern::Is(text) if Some(text.as_str()) == pressed))
    };
    let all: BTreeSet<&str> = spec.dmfs.iter().filter(listed).map(|dmf| dmf.data_type.as_str()).collect();
    let pressing = spec.dmfs.iter().filter(listed).filter(presses);
    let named: BTreeSet<&str> = pressing.map(|dmf| dmf.data_type.as_str()).collect();
    let types: Vec<&str> = if named.is_empty() { all } else { named }.into_iter().collect();
    Some(if let [only] = types.as_slice() { with_article(only) } else { "an entry".to_owned() })
}

/// What the last step does, as a clause in the present.
fn trigger(trace: &Trace, spec: &Spec) -> String {
    let step = last_act(trace).and_then(|last| Some((last, trace.steps().get(last)?, trace.frame(last)?)));
    let Some((last, step, before)) = step else { return "it starts".to_owned() };
    let dmf = trace.span_of(last).and_then(|span| Some((span, spec.dmfs.get(span.dmf)?)));
    if let Some((span, dmf)) = dmf.filter(|(_, dmf)| dmf.kind != DmfKind::Property) {
        let empty = span.inputs.iter().any(|input| input.text.trim().is_empty());
        let with = if empty { " with an empty text" } else { "" };
        return format!("{}{with} is {}", with_article(&dmf.data_type), participle(dmf));
    }
    let (screen, clause) = (screen_on_trace(trace, last), event_clause(&step.event, &before.layout, "is"));
    match &step.event {
        Event::Relaunch => clause,
        // "On" would speak of the phone that is turned or the mode that is switched on.
        Event::Rotate | Event::System(_) | Event::Wait(_) | Event::OpenLink(_) => {
            format!("{clause} while {screen} is shown")
        }
        event if is_press(event) && is_empty_form(&before.layout) => {
            format!("{clause} on {screen} with nothing entered")
        }
        Event::Widget { .. } | Event::Type(_) | Event::Key(_) => format!("{clause} on {screen}"),
    }
}

/// Whether a page has fields, and nothing in any of them.
fn is_empty_form(layout: &Layout) -> bool {
    let mut fields = layout.widgets().iter().filter(|widget| widget.is_text_field()).peekable();
    fields.peek().is_some() && fields.all(|field| field.text.is_empty())
}

/// What a function has done to its object. Its name tells more than its kind: what hides something is of the kind that
/// deletes.
fn participle(dmf: &Dmf) -> &'static str {
    if let Some(done) = dmf.name.split_whitespace().next().and_then(done_by) {
        return done;
    }
    match dmf.kind {
        DmfKind::Create => "added",
        DmfKind::Read => "opened",
        DmfKind::Update => "edited",
        DmfKind::Delete => "deleted",
        DmfKind::Search => "searched for",
        DmfKind::Property => "looked at",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{
        DmfSpan, DrawnText, Key, Selector, Step, StepRole, SystemEvent, Text, event_on, frame_of, layout_from,
    };
    use taproof_spec::{Impact, ImpactOp, NamedSelector};

    const ROW: &str = "    LinearLayout\n      TextView#name \"NAME\"\n      ImageButton#more \"More\"\n";
    const MENU: &str =
        "FrameLayout\n  ScrollView#menu\n    TextView#title \"Hide\"\n    TextView#title \"Star\"\n";
    const LOADING: &str = "FrameLayout\n  ProgressBar#wait\n";
    const NOTE: &str = "FrameLayout\n  EditText#title\n  Button#store \"Store it\"\n";

    fn list(names: &[&str]) -> Layout {
        let rows: String = names.iter().map(|name| ROW.replace("NAME", name)).collect();
        layout_from(&format!("FrameLayout\n  Button#search \"Search\"\n  ListView#list\n{rows}"))
    }

    fn on(activity: &str, notation: &str) -> Layout {
        layout_from(notation).with_activity(Text::from(format!("org.ex/.{activity}")))
    }

    fn trace(start: Layout, steps: Vec<(Event, Layout)>) -> Trace {
        let mut trace = Trace::start(frame_of(start));
        for (event, after) in steps {
            trace.push(Step { event, role: StepRole::Explored, after: frame_of(after) });
        }
        trace
    }

    /// A tap on the widget with this text, the `number`th of them.
    fn tap(layout: &Layout, text: &str, number: u32) -> Event {
        press(layout, text, number, Gesture::Tap)
    }

    fn press(layout: &Layout, text: &str, number: u32, gesture: Gesture) -> Event {
        let text = Some(text.to_owned());
        let selector = Selector { text, instance: Some(number), ..Selector::default() };
        Event::on(layout, selector, gesture).unwrap()
    }

    fn spec(dmfs: Vec<Dmf>) -> Spec {
        Spec { dmfs, ..Spec::default() }
    }

    fn function(kind: DmfKind, data_type: &str, id: &str) -> Dmf {
        let selector = SpecSelector {
            resource_id: Some(format!("org.ex:id/{id}")),
            text: TextPattern::Existing(data_type.to_owned()),
            ..SpecSelector::default()
        };
        let mut dmf = Dmf::empty(format!("{kind:?} {data_type}"), kind, data_type);
        dmf.widgets = vec![NamedSelector { name: "row".to_owned(), layout: 0, selector }];
        dmf.impacts = vec![Impact { op: ImpactOp::Add, object: TextPattern::Any }];
        dmf
    }

    /// Something is hidden by the menu of its row, and then the search is opened.
    fn hidden_then_searched(choice: &str, gesture: Gesture) -> Trace {
        hidden_by(&layout_from(MENU), |menu| press(menu, choice, 0, gesture))
    }

    fn hidden_by(menu: &Layout, choice: impl FnOnce(&Layout) -> Event) -> Trace {
        let (full, less) = (list(&["Documents", "Music"]), list(&["Music"]));
        let wait = Event::Wait(taproof_screen::DeviceDuration(10_000));
        let steps = vec![
            (tap(&full, "More", 0), menu.clone()),
            (choice(menu), less.clone()),
            (tap(&less, "Search", 0), on("SearchActivity", LOADING)),
            (wait, on("SearchActivity", LOADING)),
        ];
        trace(full, steps)
    }

    #[test]
    fn a_hang_names_its_screen_and_what_was_done_to_which_kind_of_thing() {
        let title =
            |trace: &Trace, spec: &Spec| moment_title(OracleKind::Loading, trace, true, spec).unwrap();
        let folders = spec(vec![function(DmfKind::Delete, "folder", "name")]);
        let hidden = hidden_then_searched("Hide", Gesture::Tap);
        assert_eq!(
            title(&hidden, &folders),
            "The progress bar on the search screen never goes away after a folder was hidden"
        );
        assert_eq!(changing_step(OracleKind::Loading, &hidden, &folders), Some(1));
        let long = hidden_then_searched("Hide", Gesture::LongPress);
        assert_eq!(title(&long, &folders), title(&hidden, &folders), "a menu takes a long press for a tap");
        let boxed =
            hidden_by(&layout_from("FrameLayout\n  LinearLayout#entry\n    TextView \"Hide\"\n"), |menu| {
                event_on(menu, WidgetIdx(1), Gesture::Tap).unwrap()
            });
        assert_eq!(title(&boxed, &folders), title(&hidden, &folders), "its text is in a container");
        let found = moment_title(OracleKind::Loading, &hidden, false, &folders);
        assert_eq!(
            found.unwrap(),
            "The progress bar on the search screen never goes away",
            "before it is minimised"
        );
        let other = spec(vec![function(DmfKind::Delete, "folder", "other")]);
        assert_eq!(
            title(&hidden, &other),
            "The progress bar on the search screen never goes away after an entry was hidden"
        );
        let mut two = spec(vec![
            function(DmfKind::Delete, "folder", "name"),
            function(DmfKind::Delete, "file", "name"),
        ]);
        assert_eq!(
            title(&hidden, &two),
            "The progress bar on the search screen never goes away after an entry was hidden"
        );
        let hide = SpecSelector { text: TextPattern::Is("Hide".to_owned()), ..SpecSelector::default() };
        two.dmfs[0].widgets.push(NamedSelector { name: "hide".to_owned(), layout: 1, selector: hide });
        assert_eq!(
            title(&hidden, &two),
            title(&hidden, &folders),
            "only the function of folders presses Hide"
        );
        let start = trace(on("MainActivity", LOADING), Vec::new());
        assert_eq!(title(&start, &folders), "The progress bar on the first screen never goes away");
    }

    #[test]
    fn a_change_that_is_no_common_word_is_named_by_its_button() {
        let full = list(&["Documents", "Music"]);
        let wait = on("SearchActivity", LOADING);
        let steps = vec![
            (tap(&full, "Documents", 0), list(&["A", "B"])),
            (tap(&list(&["A", "B"]), "Search", 0), wait),
        ];
        let title = moment_title(OracleKind::Loading, &trace(full, steps), true, &Spec::default());
        assert_eq!(
            title.unwrap(),
            "The progress bar on the search screen never goes away after \u{201c}Documents\u{201d} was pressed"
        );
    }

    #[test]
    fn a_crash_names_the_last_act_and_its_screen() {
        let page = on("NoteEditActivity", NOTE);
        let crash = |event: Event| {
            let wait = Event::Wait(taproof_screen::DeviceDuration(1));
            let steps = vec![(event, page.clone()), (wait, page.clone())];
            moment_title(OracleKind::Crash, &trace(page.clone(), steps), true, &Spec::default()).unwrap()
        };
        let save = "The app crashes when \u{201c}Store it\u{201d} is tapped on the note edit screen with nothing entered";
        assert_eq!(crash(tap(&page, "Store it", 0)), save);
        assert_eq!(
            crash(Event::Key(Key::Back)),
            "The app crashes when Back is pressed on the note edit screen"
        );
        assert_eq!(
            crash(Event::Rotate),
            "The app crashes when the phone is turned while the note edit screen is shown"
        );
        let dark = Event::System(SystemEvent::DarkMode);
        assert_eq!(
            crash(dark),
            "The app crashes when dark mode is switched while the note edit screen is shown"
        );
        let start = trace(page.clone(), Vec::new());
        let hangs = moment_title(OracleKind::NotResponding, &start, true, &Spec::default());
        assert_eq!(hangs.unwrap(), "The app stops answering when it starts");
        assert_eq!(moment_title(OracleKind::Property, &start, true, &Spec::default()), None);
    }

    #[test]
    fn a_crash_in_a_function_names_what_it_does_and_the_function_before() {
        let page = on("NoteEditActivity", NOTE);
        let save = || (tap(&page, "Store it", 0), page.clone());
        let mut crash = trace(page.clone(), vec![save(), save()]);
        let span = |first_step: usize, dmf: usize, text: &str| DmfSpan {
            dmf,
            name: String::new(),
            first_step,
            end_step: first_step + 1,
            inputs: vec![DrawnText { text: text.to_owned(), class: None }],
            completed: true,
        };
        crash.spans = vec![span(0, 1, "a"), span(1, 0, " ")];
        let spec = spec(vec![function(DmfKind::Create, "note", "x"), function(DmfKind::Update, "idea", "x")]);
        assert_eq!(
            moment_title(OracleKind::Crash, &crash, true, &spec).unwrap(),
            "The app crashes when a note with an empty text is created after an idea was edited"
        );
    }

    #[test]
    fn what_a_function_did_is_told_by_its_name() {
        let page = on("NoteEditActivity", NOTE);
        let mut hang = trace(
            page.clone(),
            vec![
                (tap(&page, "Store it", 0), page.clone()),
                (Event::Key(Key::Back), on("SearchActivity", LOADING)),
            ],
        );
        let (dmf, name, inputs) = (0, String::new(), Vec::new());
        hang.spans = vec![DmfSpan { dmf, name, first_step: 0, end_step: 1, inputs, completed: true }];
        let title = |name: &str| {
            let mut dmf = function(DmfKind::Delete, "folder", "x");
            dmf.name = name.to_owned();
            moment_title(OracleKind::Loading, &hang, true, &spec(vec![dmf])).unwrap()
        };
        assert_eq!(
            title("hide folder"),
            "The progress bar on the search screen never goes away after a folder was hidden"
        );
        assert_eq!(title("Hide1 folder"), title("hide folder"));
        assert_eq!(
            title("throw folder away"),
            "The progress bar on the search screen never goes away after a folder was deleted"
        );
    }
}
