//! What a screen shows, as parts that can be compared between two versions: words, and the data in them.

use std::collections::BTreeSet;

use taproof_engine::oracle::without_times;
use taproof_screen::{EventKey, Layout, LayoutKey, Same, Widget, WidgetFlags, WidgetIdx, is_dialog};
use taproof_spec::repair::list_items;

/// One thing that a screen shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    /// The words of the app, with [`DATA`] in the place of each number and each text that was typed.
    pub words: String,
    /// The numbers and typed texts, and the state of what can be checked, selected or used.
    pub data: Vec<String>,
}

/// A part with the widget that shows it.
pub(super) type Seen = (Part, WidgetIdx);

/// Stands for data in the words of a part.
const DATA: char = '\u{fffc}';

/// The shortest typed text that is recognised in others.
const SHORTEST: usize = 2;

/// What a screen shows.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// Which page it is.
    pub page: LayoutKey,
    /// What stands outside of lists.
    pub parts: Vec<Seen>,
    /// The rows of its lists from the top that are whole, each with what it shows, sorted.
    pub rows: Vec<(Vec<Part>, WidgetIdx)>,
    /// Whether more rows may be out of sight.
    pub full: bool,
    /// Whether parts of the page outside of lists may be out of sight.
    pub scrolls: bool,
}

impl Shown {
    /// What the app shows after these texts were typed, the longest first.
    pub fn of(layout: &Layout, app: &str, typed: &BTreeSet<String>) -> Shown {
        let mut texts: Vec<&str> = typed.iter().map(String::as_str).collect();
        texts.retain(|text| text.chars().count() >= SHORTEST);
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        let passing = |idx: WidgetIdx| {
            std::iter::once(idx).chain(layout.ancestors(idx)).any(|around| layout.is_snackbar(around))
        };
        let mut shown =
            Shown { page: page_of(layout), parts: Vec::new(), rows: Vec::new(), full: false, scrolls: false };
        // A menu or a dialog is no list of data, and told from others by what it says first.
        let dialog = is_dialog(layout);
        let items = if dialog { Vec::new() } else { list_items(layout) };
        for (idx, widget) in layout.iter() {
            let counts = layout.may_touch(widget, app) && !widget.is_announcement() && !passing(idx);
            if counts && (dialog || layout.list_item_around(idx).is_none()) {
                // A keyboard covers what is below it.
                shown.scrolls |= widget.scrollable() && !layout.is_list(idx) || widget.is_focused_field();
                shown.parts.extend(parts(layout, idx, &texts).map(|part| (part, idx)));
            }
        }
        for item in items {
            let parent = layout.widget(item).parent;
            let bottom = layout.screen().height;
            let list = parent.filter(|list| layout.widget(*list).scrollable());
            let room = list.map_or(bottom, |list| layout.widget(list).bounds.bottom)
                - layout.widget(item).bounds.bottom;
            shown.full |= room < list.map_or(0, |list| layout.highest_item(list));
            if layout.is_whole_item(item) {
                let inside = layout.subtree(item).flat_map(|idx| parts(layout, idx, &texts));
                let mut row: Vec<Part> = inside.collect();
                row.sort_unstable();
                shown.rows.push((row, item));
            }
        }
        shown.rows.retain(|(row, _)| !row.is_empty());
        shown
    }

    /// Whether another one shows exactly the same.
    pub fn is_as(&self, other: &Shown) -> bool {
        self.all().eq(other.all())
    }

    /// Everything that it shows.
    pub fn all(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().map(|(part, _)| part).chain(self.rows.iter().flat_map(|(row, _)| row))
    }
}

/// The page that a screen shows. Dialogs and menus of one page are told apart by what they say first.
pub(super) fn page_of(layout: &Layout) -> LayoutKey {
    let page = layout.key(Same::Page);
    let says = layout.iter().filter(|_| is_dialog(layout)).find_map(|(_, widget)| widget.says());
    says.map_or(page, |says| LayoutKey(EventKey(page.0).typing(says).0))
}

/// What a widget shows.
fn parts(layout: &Layout, idx: WidgetIdx, typed: &[&str]) -> impl Iterator<Item = Part> {
    let widget = layout.widget(idx);
    let checkable = widget.flags.has(WidgetFlags::CHECKABLE);
    let mut found = Vec::new();
    if checkable || widget.flags.has(WidgetFlags::SELECTED) {
        // The words are those of the widget, or of what it stands beside.
        let mut part = part(widget.says().unwrap_or_default(), typed);
        part.words.insert_str(0, if checkable { "checked? " } else { "selected? " });
        let on = widget.flags.has(WidgetFlags::CHECKED) || !checkable;
        part.data.push(if on { "yes" } else { "no" }.to_owned());
        found.push(part);
    }
    if widget.is_text_field() {
        let data = vec![widget.text.to_string()];
        found.push(Part { words: "entered".to_owned(), data });
        found.extend(Some(&*widget.hint).filter(|hint| !hint.is_empty()).map(|hint| part(hint, typed)));
    } else {
        let says = [&*widget.text, &*widget.content_desc].into_iter().filter(|text| !text.is_empty());
        found.extend(says.map(|text| disabled(part(text, typed), widget)));
    }
    found.into_iter()
}

fn disabled(mut part: Part, widget: &Widget) -> Part {
    if widget.is_actionable() && !widget.flags.has(WidgetFlags::ENABLED) {
        part.data.push("disabled".to_owned());
    }
    part
}

/// A text with its data apart.
fn part(text: &str, typed: &[&str]) -> Part {
    // What the time is differs by itself.
    let lasting = without_times(text);
    let text = lasting.as_str();
    let (mut words, mut data) = (String::new(), Vec::new());
    let mut rest = text;
    let inside = |one: Option<char>, next: Option<char>| {
        one.zip(next).is_some_and(|(one, next)| one.is_alphanumeric() && next.is_alphanumeric())
    };
    while let Some(first) = rest.chars().next() {
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        let before = text[..text.len() - rest.len()].chars().next_back();
        // Within a word it is chance.
        let is_here = |typed: &&&str| {
            let after = rest.strip_prefix(**typed);
            after.is_some_and(|after| {
                !inside(before, typed.chars().next())
                    && !inside(typed.chars().next_back(), after.chars().next())
            })
        };
        let known = typed.iter().find(is_here).map(|typed| typed.len());
        let length = known.unwrap_or(0).max(digits);
        if length == 0 {
            words.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            words.push(DATA);
            data.push(rest[..length].to_owned());
            rest = &rest[length..];
        }
    }
    Part { words, data }
}

impl Part {
    /// Whether it is nothing but data.
    pub fn is_data(&self) -> bool {
        self.words.chars().any(|letter| letter == DATA)
            && !self.words.chars().any(|letter| letter.is_alphanumeric())
    }

    /// The text as the app shows it.
    pub fn text(&self) -> String {
        let mut data = self.data.iter();
        let mut text = String::new();
        for letter in self.words.chars() {
            match letter {
                DATA => text.push_str(data.next().map_or("", String::as_str)),
                letter => text.push(letter),
            }
        }
        let rest: Vec<&str> = data.map(String::as_str).collect();
        if rest.is_empty() { text } else { format!("{text}: {}", rest.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn numbers_and_typed_texts_are_data() {
        let typed = ["zebra", "zeb"];
        let told = part("3 of zebra, zeb", &typed);
        assert_eq!(told.data, ["3", "zebra", "zeb"]);
        assert_eq!(told.text(), "3 of zebra, zeb");
        assert!(part("zebra 4", &typed).is_data() && !told.is_data());
    }

    #[test]
    fn rows_are_told_from_what_stands_around_them() {
        let layout = layout_from(
            "FrameLayout\n  TextView \"2 notes\"\n  ListView\n    TextView \"Milk\"\n    TextView \"Tea\"\n",
        );
        let shown = Shown::of(&layout, "org.ex", &BTreeSet::new());
        let rows: Vec<String> = shown.rows.iter().map(|(row, _)| row[0].text()).collect();
        assert_eq!(rows, ["Milk", "Tea"]);
        assert_eq!(shown.parts[0].0.data, ["2"]);
    }
}
