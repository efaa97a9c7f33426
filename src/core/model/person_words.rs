//! Describes events, widgets and screens by what one sees, for people who do not know the app's classes and ids.

use super::{Event, Gesture, Layout, Role, WidgetIdx, event_sentence, one_line, touched_widget};

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
        Event::Type(_)
        | Event::Key(_)
        | Event::Rotate
        | Event::Wait(_)
        | Event::Relaunch
        | Event::System(_) => event_sentence(event, before),
    }
}

/// Returns what a person calls a widget: what it says or else what it is for, and its row where others are called the
/// same.
pub fn widget_for_people(layout: &Layout, idx: WidgetIdx) -> String {
    let name = own_name(layout, idx);
    // A row may be named by what is in it, which is no other thing to tap.
    let apart = |other: WidgetIdx| {
        !layout.subtree(idx).any(|inner| inner == other) && !layout.subtree(other).any(|inner| inner == idx)
    };
    let same = |other: &WidgetIdx| own_name(layout, *other) == name && apart(*other);
    let visible = layout.iter().filter(|(_, widget)| widget.bounds.area() > 0);
    if !visible.map(|(other, _)| other).any(|other| same(&other)) {
        return name;
    }
    let label = row_label(layout, idx).and_then(|label| layout.widget(label).says());
    label.map_or(name.clone(), |label| format!("{name} of {}", quoted(label)))
}

/// The widget whose text tells the row that contains `idx` from other rows; `None` if there is no other widget with a
/// text in a row around it.
pub fn row_label(layout: &Layout, idx: WidgetIdx) -> Option<WidgetIdx> {
    let name = own_name(layout, idx);
    let tells = |inner: &WidgetIdx| {
        *inner != idx && layout.widget(*inner).says().is_some() && own_name(layout, *inner) != name
    };
    let rows = layout.rows_around(idx);
    rows.into_iter().find_map(|row| layout.subtree(row).find(tells))
}

/// Returns what a person calls the screen, such as `Note edit` for an activity `NoteEditActivity`.
pub fn screen_for_people(layout: &Layout) -> String {
    let page = layout.page_name();
    if let Some((_, title)) = page.split_once(' ') {
        return title.to_owned();
    }
    let name = SCREEN_CLASSES.iter().find_map(|end| page.strip_suffix(end)).unwrap_or(&page);
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
    if FIRST_SCREENS.contains(&words.to_lowercase().as_str()) {
        return "The first screen".to_owned();
    }
    words
}

/// The widget by its own text or description, or by what it is for and its id.
fn own_name(layout: &Layout, idx: WidgetIdx) -> String {
    let widget = layout.widget(idx);
    let label = if widget.is_text_field() {
        [&widget.hint, &widget.content_desc, &widget.text].into_iter().find(|label| !label.is_empty())
    } else {
        [&widget.text, &widget.content_desc, &widget.hint].into_iter().find(|label| !label.is_empty())
    };
    let role = layout.role(idx).or_else(|| Role::of_class(&widget.class));
    let kind = role.map_or("widget", Role::word);
    match (label, widget.short_id()) {
        (Some(label), _) if widget.is_text_field() => format!("the field {}", quoted(label)),
        (Some(label), _) => quoted(label),
        (None, Some(id)) => format!("the {kind} \u{201c}{}\u{201d}", id.replace('_', " ")),
        (None, None) => inner_name(layout, idx).unwrap_or_else(|| format!("the {kind}")),
    }
}

/// The first text in a widget that has none itself, such as a row.
fn inner_name(layout: &Layout, idx: WidgetIdx) -> Option<String> {
    let says = |inner: WidgetIdx| layout.widget(inner).says().map(quoted);
    layout.subtree(idx).skip(1).find_map(says)
}

fn quoted(text: &str) -> String {
    format!("\u{201c}{}\u{201d}", one_line(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Selector, Text, layout_from};

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
        assert_eq!(named("org.ex/.SearchActivity"), "Search");
        assert_eq!(named("org.ex/.ui.NoteEditActivity"), "Note edit");
        assert_eq!(named("org.ex/.MainActivity"), "The first screen");
        assert_eq!(named("org.ex/.Settings"), "Settings");
    }
}
