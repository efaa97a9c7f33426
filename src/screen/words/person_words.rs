//! Describes events, widgets and screens by what one sees, for people who do not know the app's classes and ids.

use crate::{
    Event, Gesture, Key, Layout, Role, Trace, WidgetIdx, event_sentence, last_part, lower_first, one_line,
    touched_widget,
};

/// Endings of the names of classes that a screen is called without.
const SCREEN_CLASSES: [&str; 3] = ["Activity", "Fragment", "Screen"];

/// Names that programmers give to the screen that an app starts with.
const FIRST_SCREENS: [&str; 4] = ["", "main", "home", "launcher"];

/// Returns the event as an imperative sentence that names its widget as a person sees it, such as `Tap “More options” of
/// “Documents”`. Unlike in [`event_sentence`], classes and ids are left out where the widget shows a text.
pub fn event_for_people(event: &Event, before: &Layout) -> String {
    let Some(touched) = touched_widget(event, before) else { return event_sentence(event, before) };
    let name = widget_for_people(before, touched);
    match event {
        Event::Widget { gesture: Gesture::Tap, .. } => format!("Tap {name}"),
        Event::Widget { gesture: Gesture::LongPress, .. } => format!("Press {name} long"),
        Event::Widget { gesture: Gesture::SetText(text), .. } => {
            format!("Enter \u{201c}{text}\u{201d} into {name}")
        }
        Event::Widget { gesture: Gesture::Swipe(direction), .. } => {
            format!("Swipe {} on {name}", direction.word())
        }
        Event::Widget { gesture: Gesture::Drag(to), .. } => format!("Drag {name} to {}, {}", to.x, to.y),
        _ => event_sentence(event, before),
    }
}

/// Returns what a person calls a widget: what it says or else what it is for, and its row where others are called the
/// same.
pub fn widget_for_people(layout: &Layout, idx: WidgetIdx) -> String {
    named_widget(layout, idx).unwrap_or_else(|| match layout.widget(idx).short_id() {
        Some(id) => format!("the widget \u{201c}{}\u{201d}", id_words(id)),
        None => "the widget".to_owned(),
    })
}

/// The last part of a resource id as words.
pub fn id_words(id: &str) -> String {
    let last = id.rsplit(['/', ':']).next().unwrap_or(id);
    last.split('_').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// As [`widget_for_people`]; `None` for a container that a person does not notice, as it holds no text.
pub fn named_widget(layout: &Layout, idx: WidgetIdx) -> Option<String> {
    let name = own_name(layout, idx)?;
    // A row may be named by what is in it, which is no other thing to tap.
    let apart = |other: WidgetIdx| {
        !layout.subtree(idx).any(|inner| inner == other) && !layout.subtree(other).any(|inner| inner == idx)
    };
    let same = |other: &WidgetIdx| own_name(layout, *other).as_ref() == Some(&name) && apart(*other);
    let visible = layout.iter().filter(|(_, widget)| widget.bounds.area() > 0);
    if !visible.map(|(other, _)| other).any(|other| same(&other)) {
        return Some(name);
    }
    let label = row_label(layout, idx).and_then(|label| layout.widget(label).says());
    Some(label.map_or(name.clone(), |label| format!("{name} of {}", quoted(label))))
}

/// The widget whose text tells the row that contains `idx` from other rows; `None` if there is no other widget with a
/// text in a row around it.
pub fn row_label(layout: &Layout, idx: WidgetIdx) -> Option<WidgetIdx> {
    let name = own_name(layout, idx);
    let other = |inner: WidgetIdx| inner != idx && own_name(layout, inner) != name;
    layout.rows_around(idx).into_iter().find_map(|row| telling(layout, row, other))
}

/// Of the widgets in one that fit, the one that tells what it is: the first with a text, or else the first with a
/// description, such as that of a check box in front of the text.
fn telling(layout: &Layout, around: WidgetIdx, fits: impl Fn(WidgetIdx) -> bool) -> Option<WidgetIdx> {
    let first = |speaks: &dyn Fn(&crate::Widget) -> bool| {
        layout.subtree(around).find(|idx| speaks(layout.widget(*idx)) && fits(*idx))
    };
    first(&|widget| !widget.text.is_empty()).or_else(|| first(&|widget| widget.says().is_some()))
}

/// Returns what a person calls the screen: its title in quotes or, if it has none, words such as `the note edit screen` for
/// an activity `NoteEditActivity`.
pub fn screen_for_people(layout: &Layout) -> String {
    layout.page_title().map_or_else(|| screen_without_title(layout), |title| quoted(&title))
}

/// As [`screen_for_people`], for the screen of this frame of a trace. A title that is the app's data, such as the name of a
/// folder that was opened, names no page. Empty if there is no such frame.
pub fn screen_on_trace(trace: &Trace, frame: usize) -> String {
    let Some(layout) = trace.frame(frame).map(|frame| &frame.layout) else { return String::new() };
    let shows = |layout: &Layout, title: &str| {
        let holds = |(idx, widget): (WidgetIdx, &crate::Widget)| {
            *widget.text == *title && (widget.is_text_field() || layout.list_item_around(idx).is_some())
        };
        layout.iter().any(holds)
    };
    let mut frames = (0..=trace.len()).filter_map(|frame| trace.frame(frame));
    match layout.page_title() {
        Some(title) if frames.any(|frame| shows(&frame.layout, &title)) => screen_without_title(layout),
        _ => screen_for_people(layout),
    }
}

/// What a person may call a screen without a title, from the name of its activity.
fn screen_without_title(layout: &Layout) -> String {
    let activity = last_part(layout.activity());
    let name = SCREEN_CLASSES.iter().find_map(|end| activity.strip_suffix(end)).unwrap_or(activity);
    let mut words = String::new();
    for letter in name.chars() {
        if letter == '_' {
            words.push(' ');
        } else if letter.is_uppercase() && words.ends_with(char::is_lowercase) {
            words.push(' ');
            words.extend(letter.to_lowercase());
        } else {
            words.push(letter);
        }
    }
    let words = lower_first(&words);
    if FIRST_SCREENS.contains(&&*words) {
        "the first screen".to_owned()
    } else {
        format!("the {words} screen")
    }
}

/// Number of things that are named before the rest is only counted.
const MOST_NAMED: usize = 3;

/// The things in a sentence, equal ones once: at most three and how many more, such as `“A”, “B”, “C” and 9 more`. The
/// second part is `is` or `are`.
pub fn several(things: &[String]) -> (String, &'static str) {
    let mut named: Vec<&str> = Vec::new();
    for thing in things {
        if !named.contains(&&**thing) {
            named.push(thing);
        }
    }
    let rest = named.split_off(named.len().min(MOST_NAMED));
    let more = (!rest.is_empty()).then(|| format!("{} more", rest.len()));
    let verb = if named.len() == 1 { "is" } else { "are" };
    let last = more.or_else(|| named.pop().map(str::to_owned)).unwrap_or_default();
    let words = if named.is_empty() { last } else { format!("{} and {last}", named.join(", ")) };
    (words, verb)
}

/// The event as a clause about what was on the screen before it: `“Save” is tapped`. `is` is the verb, in its time.
pub fn event_clause(event: &Event, before: &Layout, is: &str) -> String {
    let name = touched_widget(event, before).map(|touched| widget_for_people(before, touched));
    let name = name.unwrap_or_else(|| "the screen".to_owned());
    match event {
        Event::Widget { gesture, .. } => match gesture {
            Gesture::Tap => format!("{name} {is} tapped"),
            Gesture::LongPress => format!("{name} {is} pressed long"),
            Gesture::SetText(text) if text.trim().is_empty() => format!("{name} {is} emptied"),
            Gesture::SetText(_) => format!("something {is} typed into {name}"),
            Gesture::Swipe(_) => format!("{name} {is} swiped"),
            Gesture::Drag(_) => format!("{name} {is} dragged"),
        },
        Event::Type(_) => format!("something {is} typed"),
        Event::Key(Key::ImeAction) => {
            let focused = before.iter().find(|(_, widget)| widget.is_focused_field());
            let field = focused.and_then(|(idx, _)| named_widget(before, idx));
            let within = field.map_or(String::new(), |field| format!(" in {field}"));
            format!("the keyboard\u{2019}s action key {is} pressed{within}")
        }
        Event::Key(_) => {
            let sentence = event_sentence(event, before);
            format!("{} {is} pressed", sentence.strip_prefix("Press ").unwrap_or(&sentence))
        }
        Event::OpenLink(_) => format!("a link {is} opened"),
        Event::Rotate => format!("the phone {is} turned"),
        Event::Wait(_) => format!("some time {is} waited"),
        Event::Relaunch => format!("the app {is} started again"),
        Event::System(what) => what.clause().to_owned(),
    }
}

/// Events as a clause in the past, each with the screen before it: `“Search” was opened and closed with Back`.
pub fn detour_clause(steps: &[(&Event, &Layout)]) -> String {
    let opens = |(event, _): &&(&Event, &Layout)| {
        matches!(event, Event::Widget { gesture: Gesture::Tap | Gesture::LongPress, .. })
    };
    let (opening, closing) = steps.split_at(steps.iter().take_while(opens).count());
    let back = |(event, _): &(&Event, &Layout)| **event == Event::Key(Key::Back);
    if !opening.is_empty() && !closing.is_empty() && closing.iter().all(back) {
        let name = |(event, before): &(&Event, &Layout)| {
            let touched = touched_widget(event, before).map(|touched| widget_for_people(before, touched));
            touched.unwrap_or_else(|| "something".to_owned())
        };
        let (names, are) = several(&opening.iter().map(name).collect::<Vec<_>>());
        let were = if are == "is" { "was" } else { "were" };
        return format!("{names} {were} opened and closed with Back");
    }
    several(&steps.iter().map(|(event, before)| event_clause(event, before, "was")).collect::<Vec<_>>()).0
}

/// The widget by its own text or description, by the text in it, or by what it is for and its id; `None` for a container
/// without a text.
fn own_name(layout: &Layout, idx: WidgetIdx) -> Option<String> {
    let widget = layout.widget(idx);
    let is_field = widget.is_text_field();
    let labels = match is_field {
        true => [&widget.hint, &widget.content_desc, &widget.text],
        false => [&widget.text, &widget.content_desc, &widget.hint],
    };
    if let Some(label) = labels.into_iter().find(|label| !label.is_empty()) {
        return Some(if is_field { format!("the field {}", quoted(label)) } else { quoted(label) });
    }
    let role = layout.role(idx).or_else(|| Role::of_class(&widget.class));
    let kind = role.map(|role| match widget.short_id() {
        Some(id) => format!("the {role} \u{201c}{}\u{201d}", id_words(id)),
        None => format!("the {role}"),
    });
    match role {
        None | Some(Role::Button) => inner_name(layout, idx).or(kind),
        Some(_) if widget.short_id().is_none() => inner_name(layout, idx).or(kind),
        Some(_) => kind,
    }
}

/// The first text in a widget that has none itself, such as a row.
fn inner_name(layout: &Layout, idx: WidgetIdx) -> Option<String> {
    let inner = telling(layout, idx, |inner| inner != idx)?;
    layout.widget(inner).says().map(quoted)
}

fn quoted(text: &str) -> String {
    format!("\u{201c}{}\u{201d}", one_line(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Selector, Step, StepRole, Text, event_on, frame_of, layout_from};

    #[test]
    fn a_widget_whose_words_others_share_is_named_with_its_row() {
        let row = |name: &str| {
            format!("  LinearLayout\n    TextView#name \"{name}\"\n    ImageButton#more (More options)\n")
        };
        let list = format!("ListView#list\n{}{}Button#save \"Save\"\n", row("Documents"), row("Music"));
        let layout = layout_from(&list);
        let more = |instance| Selector {
            content_desc: Some("More options".to_owned()),
            instance: Some(instance),
            ..Selector::default()
        };
        let said = |selector: Selector, gesture: Gesture| {
            event_for_people(&Event::on(&layout, selector, gesture).unwrap(), &layout)
        };
        assert_eq!(said(more(1), Gesture::Tap), "Tap “More options” of “Music”");
        assert_eq!(said(more(0), Gesture::LongPress), "Press “More options” of “Documents” long");
        let text = |text: &str| Selector { text: Some(text.to_owned()), ..Selector::default() };
        assert_eq!(said(text("Save"), Gesture::Tap), "Tap “Save”");
        assert_eq!(said(text("Music"), Gesture::Tap), "Tap “Music”");
        let task = layout_from(
            "ListView#list\n  LinearLayout#task\n    CheckBox (Completed)\n    TextView \"Iron\"\n",
        );
        assert_eq!(widget_for_people(&task, WidgetIdx(1)), "“Iron”");
    }

    #[test]
    fn a_widget_without_words_is_named_by_what_it_is_for() {
        let layout =
            layout_from("FrameLayout\n  ImageButton#add_note\n  EditText#title \"Old\"\n  CheckBox\n");
        let names: Vec<String> = (1..4).map(|idx| widget_for_people(&layout, WidgetIdx(idx))).collect();
        assert_eq!(names, ["the button “add note”", "the field “Old”", "the check box"]);
    }

    #[test]
    fn a_screen_is_named_without_the_words_of_programmers() {
        let named = |activity: &str| {
            screen_for_people(&layout_from("FrameLayout#f\n").with_activity(Text::from(activity)))
        };
        assert_eq!(named("org.ex/.SearchActivity"), "the search screen");
        assert_eq!(named("org.ex/.ui.NoteEditActivity"), "the note edit screen");
        assert_eq!(named("org.ex/.MainActivity"), "the first screen");
        assert_eq!(named("org.ex/.Settings"), "the settings screen");
    }

    #[test]
    fn a_screen_is_named_by_its_title_unless_that_is_data() {
        let page = |title: &str, row: &str| {
            let bar = format!("FrameLayout\n  LinearLayout#toolbar\n    TextView#name \"{title}\"\n");
            let list = format!("  ListView#list\n    TextView#row \"{row}\"\n    TextView#row \"Tea\"\n");
            layout_from(&(bar + &list))
        };
        assert_eq!(screen_for_people(&page("Books", "Milk")), "“Books”");
        assert_eq!(screen_for_people(&page("3 selected", "Milk")), "the first screen");
        let trace = |row: &str| {
            let mut trace = Trace::start(frame_of(page("Files", row)));
            let (role, after) = (StepRole::Explored, frame_of(page("Milk", "Salt")));
            trace.push(Step { event: Event::Relaunch, role, after });
            screen_on_trace(&trace, 1)
        };
        assert_eq!(
            [trace("Milk"), trace("Bread")],
            ["the first screen", "“Milk”"],
            "a folder that was opened"
        );
    }

    #[test]
    fn of_many_things_three_are_named() {
        let said = |things: &str| {
            let (words, verb) = several(&things.split(' ').map(str::to_owned).collect::<Vec<_>>());
            format!("{words} {verb}")
        };
        assert_eq!(
            ["a", "a a", "a b", "a b c", "a b c d", "a b c d e d"].map(said),
            [
                "a is",
                "a is",
                "a and b are",
                "a, b and c are",
                "a, b, c and 1 more are",
                "a, b, c and 2 more are"
            ]
        );
    }

    #[test]
    fn a_detour_is_told_as_what_was_done() {
        let layout = layout_from("FrameLayout\n  Button \"New file\"\n  EditText#name (Name)\n");
        let tap = event_on(&layout, WidgetIdx(1), Gesture::Tap).unwrap();
        let types = event_on(&layout, WidgetIdx(2), Gesture::SetText("a".to_owned())).unwrap();
        let back = Event::Key(Key::Back);
        let told = |events: &[&Event]| {
            detour_clause(&events.iter().map(|event| (*event, &layout)).collect::<Vec<_>>())
        };
        assert_eq!(told(&[&tap, &back, &back]), "“New file” was opened and closed with Back");
        assert_eq!(
            told(&[&tap, &types, &back]),
            "“New file” was tapped, something was typed into the field “Name” and Back was pressed"
        );
    }
}
