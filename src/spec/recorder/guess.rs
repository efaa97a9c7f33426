//! Guesses what the request leaves out from a recording: the kind of function, and its objects. Typed texts are the
//! best hint, then texts that were touched and appeared or disappeared.

use super::changed_state::changed_state;
use super::request::Role;
use crate::DmfKind;
use crate::recorded_widgets::{shows, target_of, touches, typed_text};
use taproof_screen::{
    Event, Gesture, Layout, RecordedStep, Widget, WidgetFlags, WidgetIdx, is_dialog, is_visible,
};

/// Maximum number of widgets in a row of a list.
const MAX_ROW: usize = 10;
/// Words in the names of search fields.
const SEARCH_WORDS: [&str; 3] = ["search", "query", "find"];

/// The kind of function that the steps look like.
pub fn proposed_kind(steps: &[RecordedStep]) -> DmfKind {
    let Some(looks) = Looks::of(steps) else { return DmfKind::Create };
    match looks.typed.last() {
        Some((step, text)) => looks.kind_of_typed(*step, text),
        None => looks.kind_of_touched(),
    }
}

/// The object of a role that the request does not name; `None` if it cannot be guessed.
pub(super) fn proposed_object(steps: &[RecordedStep], role: Role, kind: DmfKind) -> Option<String> {
    let looks = Looks::of(steps)?;
    match role {
        Role::Removed => looks.removed(kind),
        Role::Sought if kind == DmfKind::Read => looks.viewed(),
        Role::Added => {
            let shown = || looks.came().or_else(|| looks.came_back()).or_else(|| looks.restored());
            looks.made().or_else(shown).or_else(|| looks.viewed())
        }
        Role::Sought => looks.last_typed(),
    }
}

struct Looks<'a> {
    steps: &'a [RecordedStep],
    first: &'a Layout,
    last: &'a Layout,
    /// The typed texts, with the indices of their steps.
    typed: Vec<(usize, String)>,
    /// The texts of the touched widgets.
    touched: Vec<String>,
    /// The texts of the rows of touched widgets that have no text.
    beside: Vec<String>,
}

impl<'a> Looks<'a> {
    fn of(steps: &'a [RecordedStep]) -> Option<Looks<'a>> {
        let (first, last) = (&steps.first()?.before, &steps.last()?.after);
        let mut looks =
            Looks { steps, first, last, typed: Vec::new(), touched: Vec::new(), beside: Vec::new() };
        for (number, step) in steps.iter().enumerate() {
            if let Some(text) = typed_text(&step.event) {
                looks.typed.extend(is_visible(text).then(|| (number, text.to_owned())));
                continue;
            }
            let Some(idx) = target_of(step) else { continue };
            let widget = step.before.widget(idx);
            if widget.is_text_field() {
                continue;
            }
            match is_visible(&widget.text) {
                true => looks.touched.push(widget.text.to_string()),
                false => looks.beside.extend(row_texts(&step.before, idx)),
            }
        }
        Some(looks)
    }

    fn kind_of_typed(&self, step: usize, text: &str) -> DmfKind {
        let found = self.steps.iter().skip(step).any(|step| shows(&step.after, text));
        let at_end = shows(self.last, text);
        let was_there = shows(self.first, text);
        if self.steps.get(step).is_some_and(types_a_search) || (at_end && was_there) {
            return match () {
                () if found && !at_end && !self.opened_after(step, text) => DmfKind::Delete,
                () if self.opened_after(step, text) => DmfKind::Read,
                () => DmfKind::Search,
            };
        }
        let gone = |text: &String| shows(self.first, text) && !shows(self.last, text);
        let others = self.typed.iter().map(|(_, other)| other).filter(|other| *other != text);
        let looked_for = others.filter(|other| self.was_shown(other)).any(|other| !shows(self.last, other));
        match looked_for || self.touched.iter().any(gone) || self.overwritten().any(|old| gone(&old)) {
            true => DmfKind::Update,
            false => DmfKind::Create,
        }
    }

    fn kind_of_touched(&self) -> DmfKind {
        let one_screen = self.first.activity() == self.last.activity();
        let gone = |text: &String| shows(self.first, text) && !shown_anywhere(self.last, text);
        let checked = changed_state(self.first, self.last)
            .is_some_and(|(_, state)| state.flag().0 == WidgetFlags::CHECKED);
        match () {
            () if one_screen && checked => DmfKind::Property,
            () if self.is_refused() => DmfKind::Property,
            () if one_screen && self.texts().any(gone) => DmfKind::Delete,
            () if one_screen && self.came().is_some() => DmfKind::Create,
            () => DmfKind::Read,
        }
    }

    /// Whether the last button led nowhere: nothing was opened, nothing is gone, and no list shows anything new.
    fn is_refused(&self) -> bool {
        let Some(last @ RecordedStep { before, after, .. }) = self.steps.last() else { return false };
        let button = target_of(last).is_some_and(|idx| before.widget(idx).class.ends_with("Button"));
        let elsewhere = before.activity() != after.activity() || is_dialog(after);
        let is_text = |(_, widget): &(WidgetIdx, &Widget)| is_visible(&widget.text);
        let gone = before.iter().filter(is_text).any(|(_, it)| !shown_anywhere(after, &it.text));
        let is_new = |(idx, it): (WidgetIdx, &Widget)| {
            after.list_item_around(idx).is_some() && !shown_anywhere(before, &it.text)
        };
        button && !elsewhere && !gone && !after.iter().filter(is_text).any(is_new)
    }

    /// Whether what was found was touched.
    fn opened_after(&self, step: usize, text: &str) -> bool {
        self.steps.iter().skip(step + 1).any(|step| touches(step, text))
    }

    fn texts(&self) -> impl Iterator<Item = &String> {
        self.touched.iter().chain(&self.beside)
    }

    fn last_typed(&self) -> Option<String> {
        self.typed.last().map(|(_, text)| text.clone())
    }

    /// The typed text that the end shows: of a title and a body, a list shows the title.
    fn made(&self) -> Option<String> {
        let typed = || self.typed.iter().rev().map(|(_, text)| text);
        let shown = |text: &&String| shows(self.last, text);
        let new = typed().find(|text| shown(text) && !shows(self.first, text));
        new.or_else(|| typed().find(shown)).or_else(|| typed().next()).cloned()
    }

    fn was_shown(&self, text: &str) -> bool {
        self.steps.iter().any(|step| shows(&step.before, text))
    }

    /// The contents of fields before something else was typed there.
    fn overwritten(&self) -> impl Iterator<Item = String> {
        let fills =
            |step: &&RecordedStep| matches!(step.event, Event::Widget { gesture: Gesture::SetText(_), .. });
        let held = self.steps.iter().filter(fills).filter_map(|step| {
            let text = step.before.widget(target_of(step)?).text.to_string();
            Some(text).filter(|text| is_visible(text))
        });
        held.collect::<Vec<String>>().into_iter()
    }

    /// A text that was touched, or searched for, and is not shown any more.
    fn removed(&self, kind: DmfKind) -> Option<String> {
        let gone = |text: &String| !shows(self.last, text);
        let was_there = |text: &String| shows(self.first, text) && gone(text);
        let added = self.made().filter(|_| kind == DmfKind::Update);
        let typed = self.typed.iter().map(|(_, text)| text.clone());
        let mut looked_for = typed.filter(|text| Some(text) != added.as_ref() && self.was_shown(text));
        let shown = self.first.widgets().iter().map(|widget| widget.text.to_string());
        None.or_else(|| self.touched.iter().find(|text| was_there(text)).cloned())
            .or_else(|| looked_for.rfind(gone))
            .or_else(|| self.overwritten().find(was_there))
            .or_else(|| self.beside.iter().find(|text| was_there(text)).cloned())
            .or_else(|| self.touched.first().filter(|text| gone(text)).cloned())
            .or_else(|| shown.filter(|text| is_visible(text)).find(gone))
    }

    /// A text that was touched and is still shown, preferably one of the first screen rather than a menu item.
    fn viewed(&self) -> Option<String> {
        let shown = |text: &&String| shown_anywhere(self.last, text);
        let was_there = |text: &&String| shows(self.first, text);
        let kept = self.touched.iter().find(|text| was_there(text) && shown(text));
        let kept = kept.or_else(|| self.touched.iter().find(was_there));
        kept.or_else(|| self.touched.iter().find(shown)).or_else(|| self.texts().next()).cloned()
    }

    /// A text that was touched and is shown at the end, but not at the start.
    fn came(&self) -> Option<String> {
        self.texts().find(|text| self.is_new(text)).cloned()
    }

    /// A text that is shown on the way and at the end, but not at the start: an object of the trash that is restored.
    fn came_back(&self) -> Option<String> {
        let between = self.steps.iter().rev().flat_map(|step| step.before.widgets());
        let texts = between.filter(|widget| is_visible(&widget.text) && !widget.is_text_field());
        texts.map(|widget| widget.text.to_string()).find(|text| self.is_new(text))
    }

    /// A text beside a touched button that the start does not show: an object of the trash that is restored to where the end
    /// does not show it before it is scrolled.
    fn restored(&self) -> Option<String> {
        self.beside.iter().find(|text| !shows(self.first, text)).cloned()
    }

    fn is_new(&self, text: &str) -> bool {
        shows(self.last, text) && !shows(self.first, text)
    }
}

/// The texts of the row that contains a widget.
fn row_texts(layout: &Layout, idx: WidgetIdx) -> Vec<String> {
    let row = layout.ancestors(idx).take(2).take_while(|above| layout.subtree(*above).count() <= MAX_ROW);
    let row = row.last().unwrap_or(idx);
    let texts = layout.subtree(row).map(|idx| layout.widget(idx));
    let shown = texts.filter(|widget| is_visible(&widget.text) && !widget.is_text_field());
    shown.map(|widget| widget.text.to_string()).collect()
}

fn types_a_search(step: &RecordedStep) -> bool {
    let Some(idx) = target_of(step) else { return false };
    let field: &Widget = step.before.widget(idx);
    let id = field.resource_id.as_deref().and_then(|id| id.rsplit('/').next()).unwrap_or("");
    let said = format!("{id} {} {}", field.hint, field.content_desc).to_lowercase();
    SEARCH_WORDS.iter().any(|word| said.contains(word))
}

fn shown_anywhere(layout: &Layout, text: &str) -> bool {
    layout.widgets().iter().any(|widget| *widget.text == *text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use taproof_screen::{Selector, layout_from};

    fn step(before: &str, id: &str, gesture: Gesture, after: &str) -> RecordedStep {
        let (before, after) = (Arc::new(layout_from(before)), Arc::new(layout_from(after)));
        let selector = Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
        RecordedStep { event: Event::on(&before, selector, gesture).unwrap(), before, after }
    }

    fn typing(text: &str) -> Gesture {
        Gesture::SetText(text.to_owned())
    }

    #[test]
    fn a_found_object_that_is_gone_was_deleted() {
        let (found, gone) =
            ("EditText#search \"k\"\nTextView#row \"k\"\nButton#bin\n", "EditText#search \"k\"\n");
        let steps =
            [step("EditText#search\n", "search", typing("k"), found), step(found, "bin", Gesture::Tap, gone)];
        assert_eq!(proposed_kind(&steps), DmfKind::Delete);
        assert_eq!(proposed_object(&steps, Role::Removed, DmfKind::Delete), Some("k".to_owned()));
        assert_eq!(proposed_kind(&steps[..1]), DmfKind::Search);
    }

    #[test]
    fn what_was_restored_is_what_the_list_shows_again() {
        let (list, menu) = ("Button#more\nTextView#row \"a\"\n", "Button#more\nTextView#item \"Trash\"\n");
        let trash = "TextView#title \"Trash\"\nListView#list\n  LinearLayout\n    LinearLayout\n      TextView#gone \
                     \"k1\"\n  LinearLayout\n    Button#restore\nButton#up\n";
        let listed = "Button#more\nTextView#row \"a\"\nTextView#row \"k1\"\n";
        let steps = [
            step(list, "more", Gesture::Tap, menu),
            step(menu, "item", Gesture::Tap, trash),
            step(trash, "restore", Gesture::Tap, trash),
            step(trash, "up", Gesture::Tap, listed),
        ];
        assert_eq!(proposed_object(&steps, Role::Added, DmfKind::Create), Some("k1".to_owned()));
    }

    #[test]
    fn a_button_that_the_app_refuses_is_not_what_was_viewed() {
        let (list, form) = ("Button#new \"New\"\n", "EditText#name\nButton#save \"Save\"\n");
        let refused = "EditText#name\nTextView#error \"A name is needed\"\nButton#save \"Save\"\n";
        let steps = [step(list, "new", Gesture::Tap, form), step(form, "save", Gesture::Tap, refused)];
        assert_eq!(proposed_kind(&steps), DmfKind::Property);
        let (row, bin) = ("TextView#row \"k\"\nButton#bin \"Remove\"\n", "Button#bin \"Remove\"\n");
        let steps = [step(row, "row", Gesture::LongPress, row), step(row, "bin", Gesture::Tap, bin)];
        assert_eq!(proposed_kind(&steps), DmfKind::Delete, "something is gone");
    }

    #[test]
    fn what_is_opened_from_a_list_was_viewed() {
        let list = "TextView#row \"k\"\nTextView#row \"m\"\n";
        let steps = [step(list, "row", Gesture::Tap, "EditText#name \"k\"\n")];
        assert_eq!(proposed_kind(&steps), DmfKind::Read);
        assert_eq!(proposed_object(&steps, Role::Sought, DmfKind::Read), Some("k".to_owned()));
        let steps = [step(list, "row", Gesture::Tap, "TextView#row \"m\"\n")];
        assert_eq!(proposed_kind(&steps), DmfKind::Delete);
    }

    #[test]
    fn a_menu_item_is_not_what_was_renamed() {
        let (list, form) = ("TextView#row \"old\"\n", "TextView#title \"Rename\"\nEditText#name \"old\"\n");
        let steps = [
            step(list, "row", Gesture::LongPress, form),
            step(form, "name", typing("new"), "TextView#title \"Rename\"\nEditText#name \"new\"\n"),
            step(form, "title", Gesture::Tap, "TextView#row \"new\"\n"),
        ];
        assert_eq!(proposed_kind(&steps), DmfKind::Update);
        assert_eq!(proposed_object(&steps, Role::Removed, DmfKind::Update), Some("old".to_owned()));
        assert_eq!(proposed_object(&steps, Role::Added, DmfKind::Update), Some("new".to_owned()));
    }

    #[test]
    fn what_was_made_is_what_the_list_shows_of_it() {
        let form =
            |title: &str, body: &str| format!("EditText#title \"{title}\"\nEditText#body \"{body}\"\n");
        let (list, listed) = ("Button#new\n", "TextView#row \"Groceries\"\nButton#new\n");
        let steps = |list: &str, listed: &str| {
            [
                step(list, "new", Gesture::Tap, &form("", "")),
                step(&form("", ""), "title", typing("Groceries"), &form("Groceries", "")),
                step(&form("Groceries", ""), "body", typing("milk"), &form("Groceries", "milk")),
                step(&form("Groceries", "milk"), "title", Gesture::LongPress, listed),
            ]
        };
        let made = |steps: &[RecordedStep]| proposed_object(steps, Role::Added, DmfKind::Create);
        assert_eq!(made(&steps(list, listed)), Some("Groceries".to_owned()));
        assert_eq!(made(&steps(listed, listed)), Some("Groceries".to_owned()));
        assert_eq!(made(&steps(list, list)), Some("milk".to_owned()));
    }
}
