//! Describes events and widgets in words, for lists, reports and the terminal.

mod names;
mod person_words;

pub use names::{CommonWords, meanings, names_alike};
pub use person_words::{
    detour_clause, event_clause, event_for_people, id_words, named_widget, row_label, screen_for_people,
    screen_on_trace, several, widget_for_people,
};

use super::{Event, Gesture, Layout, TouchTarget, Widget, WidgetFlags, WidgetIdx};

/// Returns the last part of the full name of an activity, a class or an id: `Main` of `org.ex/.Main`, `save` of `org.ex:id/save`.
pub fn last_part(full: &str) -> &str {
    full.rsplit(['/', '.']).next().unwrap_or(full)
}

/// Returns the words with a capital letter at the beginning.
pub fn upper_first(words: &str) -> String {
    with_first(words, |first| first.to_uppercase().collect())
}

/// Returns the words as they are within a sentence, with a small letter at the beginning.
pub fn lower_first(words: &str) -> String {
    with_first(words, |first| first.to_lowercase().collect())
}

fn with_first(words: &str, change: impl Fn(char) -> String) -> String {
    let mut letters = words.chars();
    letters.next().map(change).unwrap_or_default() + letters.as_str()
}

/// Returns the widget that an event was performed on, on the layout before it; `None` for events without a widget.
///
/// For a gesture this is the widget that the selector names and that a touch at the event's point reaches. If another
/// widget takes that touch, it is the one that the touch means; if no named widget is at the point, the first named
/// one. For typed text it is the text field that has the focus.
pub fn touched_widget(event: &Event, before: &Layout) -> Option<WidgetIdx> {
    match event {
        Event::Widget { target, .. } => {
            let named = target.selector.matches(before);
            let here = |idx: &&WidgetIdx| before.widget(**idx).bounds.contains(target.at);
            match named.iter().find(|idx| before.touch_reaches(**idx, target.at)) {
                Some(reached) => Some(*reached),
                None if named.iter().any(|idx| here(&idx)) => before.touch_target(target.at),
                None => named.first().copied().or_else(|| before.touch_target(target.at)),
            }
        }
        Event::Type(_) => {
            let focused = |widget: &Widget| widget.is_text_field() && widget.flags.has(WidgetFlags::FOCUSED);
            before.iter().find(|(_, widget)| focused(widget)).map(|(idx, _)| idx)
        }
        Event::Key(_)
        | Event::Rotate
        | Event::Wait(_)
        | Event::Relaunch
        | Event::System(_)
        | Event::OpenLink(_) => None,
    }
}

/// Returns the event as an imperative sentence, such as `Tap Button “Create”`.
pub fn event_sentence(event: &Event, before: &Layout) -> String {
    match event {
        Event::Widget { target, gesture } => gesture_sentence(event, target, gesture, before),
        Event::Type(text) => format!("Type \u{201c}{text}\u{201d}"),
        Event::Key(key) => key.sentence().to_owned(),
        Event::Rotate => match before.rotation().0 {
            0 => "Rotate the phone to the left",
            _ => "Rotate the phone back",
        }
        .to_owned(),
        Event::Wait(span) if span.millis().is_multiple_of(1000) => format!("Wait {} s", span.millis() / 1000),
        Event::Wait(span) => format!("Wait {:.1} s", span.millis() as f64 / 1000.0),
        Event::Relaunch => "Restart the app".to_owned(),
        Event::System(what) => what.sentence().to_owned(),
        Event::OpenLink(link) => format!("Open the link {link}"),
    }
}

fn gesture_sentence(event: &Event, target: &TouchTarget, gesture: &Gesture, before: &Layout) -> String {
    let name = match touched_widget(event, before) {
        Some(idx) => widget_name(before.widget(idx)),
        None => format!("the point {}, {}", target.at.x, target.at.y),
    };
    match gesture {
        Gesture::Tap => format!("Tap {name}"),
        Gesture::LongPress => format!("Press {name} long"),
        Gesture::SetText(text) => format!("Enter \u{201c}{text}\u{201d} into {name}"),
        Gesture::Swipe(direction) => format!("Swipe {} on {name}", direction.word()),
        Gesture::Drag(to) => format!("Drag {name} to {}, {}", to.x, to.y),
    }
}

/// Returns what people recognise a widget by: its text, description or hint in quotes, and its id. Empty if it has none
/// of these.
pub fn widget_caption(widget: &Widget) -> String {
    let texts = [&widget.text, &widget.content_desc, &widget.hint];
    let text = texts
        .into_iter()
        .find(|text| !text.is_empty())
        .map(|text| format!("\u{201c}{}\u{201d}", one_line(text)));
    let id = widget.short_id().map(|id| format!("#{id}"));
    [text, id].into_iter().flatten().collect::<Vec<_>>().join("  ")
}

/// Returns the name of a widget within a sentence: its short class name and its caption.
pub fn widget_name(widget: &Widget) -> String {
    let caption = widget_caption(widget);
    if caption.is_empty() {
        widget.short_class().to_owned()
    } else {
        format!("{} {caption}", widget.short_class())
    }
}

/// Prepares a text of the app for one line: replaces control characters with blanks and cuts it after 60 characters.
pub fn one_line(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST).collect();
    if text.chars().count() > LONGEST {
        line.push('\u{2026}');
    }
    line
}

/// Returns the noun with `a` or `an`, as its first letter requires: `an activity`.
pub fn with_article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// A number with its noun: `no step`, `1 step`, `2 steps`, `2 activities`. A `y` at its end comes after a consonant.
pub fn counted(count: usize, thing: &str) -> String {
    match (count, thing.strip_suffix('y')) {
        (0, _) => format!("no {thing}"),
        (1, _) => format!("1 {thing}"),
        (many, Some(stem)) => format!("{} {stem}ies", thousands(many as u64)),
        (many, None) => format!("{} {thing}s", thousands(many as u64)),
    }
}

/// How fast events follow each other, such as `182 events/s` or, of a slow device, `3.2 s per event`.
pub fn pace(events_per_second: f64) -> String {
    match events_per_second {
        pace if pace >= 1.0 => format!("{} events/s", thousands(pace.round() as u64)),
        pace if pace > 0.0 => format!("{:.1} s per event", 1.0 / pace),
        _ => "no event".to_owned(),
    }
}

/// Returns a number with a comma between groups of three digits: `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut parted = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            parted.push(',');
        }
        parted.push(digit);
    }
    parted
}

#[cfg(test)]
mod tests {
    use super::{counted, pace, thousands, with_article};

    #[test]
    fn slow_events_are_told_by_their_time() {
        assert_eq!([pace(1665.4), pace(0.31), pace(0.0)], ["1,665 events/s", "3.2 s per event", "no event"]);
    }

    #[test]
    fn numbers_are_grouped_by_three() {
        assert_eq!([0, 999, 1000, 1234567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_noun_follows_its_number() {
        let words = [0, 1, 2, 1200].map(|count| counted(count, "bug"));
        assert_eq!(words, ["no bug", "1 bug", "2 bugs", "1,200 bugs"]);
        assert_eq!([1, 2].map(|count| counted(count, "activity")), ["1 activity", "2 activities"]);
    }

    #[test]
    fn the_article_follows_the_noun() {
        assert_eq!(
            (with_article("activity"), with_article("note")),
            ("an activity".to_owned(), "a note".to_owned())
        );
    }
}
