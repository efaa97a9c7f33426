//! Where a function may start: in the row of a known object, on which screen, and not in the middle of the function.

use super::draft::NoteOn;
use super::drafter::Drafter;
use super::selector::{Ready, Strength, candidates_on};
use crate::changing_text::{changing, common_start, fixed_start, holds_in_words};
use crate::recorded_widgets::typed_text;
use crate::{Condition, DmfKind, NamedSelector, Relation, SpecSelector, TextPattern};
use taproof_screen::Looks;
use taproof_screen::{Layout, Text, Widget, WidgetIdx, XPath, headline, one_line, same_page};

/// What a precondition requires of a text above a list.
enum Asked {
    /// The text must be equal.
    Text,
    /// The text must begin with `start`.
    Start { start: String, why: &'static str },
    /// Nothing, for this reason.
    Nothing { why: &'static str },
}

impl Drafter<'_> {
    /// Adds the preconditions for the place.
    pub(super) fn place(&mut self) {
        self.known_row_is_shown();
        self.first_target_may_change();
        self.heading();
        self.toggles();
        self.not_in_the_middle();
    }

    /// A function that is performed in the row of an object requires the row of a known one.
    fn known_row_is_shown(&mut self) {
        let first = self.dmf.steps.first().and_then(|step| self.dmf.widget(step.widget.as_deref()?));
        let row = first.and_then(|first| self.dmf.widget(first.selector.row.as_deref()?));
        let known = |row: &&NamedSelector| matches!(row.selector.text, TextPattern::Existing(_));
        if let Some(name) = row.filter(known).map(|row| row.name.clone()) {
            self.dmf.preconditions.push(Condition::on_widget(name, Relation::In).at(0));
        }
    }

    /// A function that changes or opens an item of a list requires the screen with that list, which its title and the
    /// path below it identify; one that searches may search only there. So does any other function, if other screens have the
    /// same button. Other texts above a list may be data.
    fn heading(&mut self) {
        let asks = match self.request.kind {
            DmfKind::Property => self.begins_elsewhere(),
            DmfKind::Create | DmfKind::Read | DmfKind::Update | DmfKind::Delete | DmfKind::Search => true,
        };
        let Some(start) = self.layouts.first().filter(|_| asks) else { return };
        let widgets: Vec<Widget> = heading(start).into_iter().map(|idx| start.widget(idx).clone()).collect();
        for widget in &widgets {
            self.ask_for(widget);
        }
    }

    /// Whether the widget of the first step was seen on another page, too, or on one with another title or path.
    fn begins_elsewhere(&self) -> bool {
        let first = self.dmf.steps.first().and_then(|step| self.dmf.widget(step.widget.as_deref()?));
        let Some((first, start)) = first.zip(self.layouts.first()) else { return false };
        let (first, texts) = (Ready::new(&first.selector), self.objects.texts());
        let mut seen = self.request.seen.iter();
        let said = |layout: &Layout| -> Vec<String> {
            heading(layout).into_iter().map(|idx| layout.widget(idx).text.to_string()).collect()
        };
        let at = said(start);
        let here = |seen: &Layout| same_page(seen, start) && said(seen) == at;
        seen.any(|seen| !here(seen) && !first.named(seen, &texts).is_empty())
    }

    /// Requires a text above the list, or as much of it as will not change, with a remark.
    fn ask_for(&mut self, widget: &Widget) {
        let shown = one_line(&widget.text);
        let (text, xpath) = match self.asked_of(widget) {
            Asked::Text => (TextPattern::Is(widget.text.to_string()), None),
            Asked::Start { start, why } => {
                let text = format!(
                    "of \u{201c}{shown}\u{201d} only \u{201c}{start}\u{201d} must be there before: {why}"
                );
                self.add_note(NoteOn::Before, false, text);
                (TextPattern::Any, Some(XPath::of_start(&start)))
            }
            Asked::Nothing { why } => {
                let text = format!("\u{201c}{shown}\u{201d} need not be there before: {why}");
                return self.add_note(NoteOn::Before, false, text);
            }
        };
        let resource_id = widget.resource_id.as_ref().map(ToString::to_string);
        let selector = SpecSelector { resource_id, text, xpath, ..SpecSelector::default() };
        let name = self.condition_widget("pre_widget", 0, selector);
        self.dmf.preconditions.push(Condition::on_widget(name, Relation::In).at(0));
    }

    fn asked_of(&self, widget: &Widget) -> Asked {
        let text = &*widget.text;
        let mut typed = self.cut.kept.iter().filter_map(|kept| typed_text(&kept.step.event));
        let mut objects = self.objects.texts().into_iter();
        if typed.any(|typed| typed == text) || objects.any(|object| holds_in_words(text, &object.text)) {
            return Asked::Nothing { why: "it shows the data" };
        }
        let after = self.at_end(widget).filter(|after| **after != *text);
        let changed = after.as_ref().map(|_| "the recording changed it");
        // A path identifies a place, even with digits.
        let changes = || changing(text).filter(|_| !text.starts_with('/'));
        let Some(why) = changed.or_else(changes) else { return Asked::Text };
        let same = after.as_deref().map_or(Some(text), |after| common_start(text, after));
        match same.and_then(fixed_start) {
            Some(start) => Asked::Start { start: start.to_owned(), why },
            None => Asked::Nothing { why },
        }
    }

    /// The text of a widget of the first screen at the end of the function, if that is the same screen again.
    fn at_end(&self, widget: &Widget) -> Option<Text> {
        let (first, last) = (self.layouts.first()?, self.layouts.last()?);
        Looks::of(first).likeness(&Looks::of(last))?;
        let mut same = last.widgets().iter().filter(|other| other.resource_id == widget.resource_id);
        same.next().map(|other| other.text.clone())
    }

    /// Adds a remark if the first step's widget is only identified by a text that changes, so that the function may
    /// never start again.
    fn first_target_may_change(&mut self) {
        let first = self.dmf.steps.first().and_then(|step| self.dmf.widget(step.widget.as_deref()?));
        let Some(selector) = first.map(|first| &first.selector) else { return };
        let text = if let TextPattern::Is(text) = &selector.text { Some(text) } else { None };
        let told = text.or(selector.content_desc.as_ref());
        let Some((told, why)) = told.and_then(|told| Some((one_line(told), changing(told)?))) else { return };
        let text = format!("it starts only where \u{201c}{told}\u{201d} is shown, which may change: {why}");
        self.add_note(NoteOn::Before, true, text);
    }

    /// If the first step could also be performed in the middle of the function, for instance while a row is selected,
    /// requires a widget that only the start screen shows.
    fn not_in_the_middle(&mut self) {
        let texts = self.objects.texts();
        let first = self.dmf.steps.first().and_then(|step| self.dmf.widget(step.widget.as_deref()?));
        let Some((first, start)) = first.zip(self.layouts.first()) else { return };
        let middle = self.layouts.get(1..self.layouts.len() - 1).unwrap_or_default();
        let first = Ready::new(&first.selector);
        let alike: Vec<_> = middle.iter().filter(|layout| !first.named(layout, &texts).is_empty()).collect();
        if alike.is_empty() {
            return;
        }
        let tells = |idx: WidgetIdx| {
            let best = candidates_on(start, idx, &texts).into_iter().next()?;
            let fixed = best.selector.content_desc.as_deref().is_none_or(|desc| changing(desc).is_none());
            let strong = best.strength == Strength::Strong && best.selector.row.is_none() && fixed;
            let ready = Ready::new(&best.selector);
            let apart = || alike.iter().all(|layout| ready.named(layout, &texts).is_empty());
            (strong && apart()).then(|| best.selector.clone())
        };
        let pressed = start.iter().filter(|(_, widget)| widget.clickable());
        let selector = pressed.map(|(idx, _)| idx).find_map(tells);
        if let Some(selector) = selector {
            let name = self.condition_widget("pre_widget", 0, selector);
            self.dmf.preconditions.push(Condition::on_widget(name, Relation::In).at(0));
        }
    }
}

/// The title of a screen and the path below it: the first texts with their ids that are in no clickable widget and no
/// list. Where widgets have no ids, the headline.
pub(super) fn heading(layout: &Layout) -> Vec<WidgetIdx> {
    if !layout.has_ids() {
        return headline(layout).into_iter().collect();
    }
    let pressed = |idx: WidgetIdx| layout.widget(idx).clickable() || layout.is_list(idx);
    let says = |(idx, widget): (WidgetIdx, &Widget)| {
        let id = widget.resource_id.as_ref()?;
        let text = !widget.text.is_empty() && !widget.is_text_field();
        let outside = !std::iter::once(idx).chain(layout.ancestors(idx)).any(pressed);
        // Beside a list, the page of an object may have a bar of its own.
        let mut alike = layout.widgets().iter().filter(|it| it.resource_id.as_ref() == Some(id));
        let first = alike.find(|it| !it.text.is_empty()).is_some_and(|it| std::ptr::eq(it, widget));
        (text && outside && first).then_some(idx)
    };
    let texts: Vec<WidgetIdx> = layout.iter().filter_map(says).collect();
    let in_bar = |idx: &WidgetIdx| layout.ancestors(*idx).any(|above| layout.widget(above).is_top_bar());
    let Some(title) = texts.iter().copied().find(in_bar) else { return Vec::new() };
    let path = texts.into_iter().find(|idx| {
        let text = &layout.widget(*idx).text;
        *idx != title && (text.starts_with('/') || *text == layout.widget(title).text)
    });
    std::iter::once(title).chain(path).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{ConditionChoice, DraftRequest, PickedWidget, draft};
    use taproof_screen::{Event, Gesture, RecordedStep, Selector, layout_from};

    /// What must be shown before the adding of an object, and what is said of it; by the titles of the list before
    /// and after.
    fn check(before: &str, after: &str, asked: &[&str], said: &[&str]) {
        let request = DraftRequest::new(DmfKind::Create, "note");
        check_request(before, after, &request, asked, said);
    }

    fn check_request(before: &str, after: &str, request: &DraftRequest, asked: &[&str], said: &[&str]) {
        let list = |title: &str, rows: &str| {
            format!("Toolbar\n  TextView#title \"{title}\"\nListView#list\n{rows}Button#new \"New\"\n")
        };
        let (form, filled) = ("EditText#name\nButton#save\n", "EditText#name \"k1\"\nButton#save\n");
        let (list, listed) = (list(before, "  TextView#row \"a\"\n"), list(after, "  TextView#row \"k1\"\n"));
        let step = |before: &str, id: &str, gesture: Gesture, after: &str| {
            let (before, after) = (Arc::new(layout_from(before)), Arc::new(layout_from(after)));
            let selector = Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
            RecordedStep { event: Event::on(&before, selector, gesture).unwrap(), before, after }
        };
        let steps = [
            step(&list, "new", Gesture::Tap, form),
            step(form, "name", Gesture::SetText("k1".to_owned()), filled),
            step(filled, "save", Gesture::Tap, &listed),
        ];
        let draft = draft(&steps, request).unwrap();
        let named = |name: &str| {
            let selector = &draft.dmf.widget(name).unwrap().selector;
            selector.to_string().replace("id \"org.ex:id/title\", ", "")
        };
        let shown = draft.dmf.preconditions.iter().filter_map(|it| it.widget.as_deref());
        let shown: Vec<String> = shown.filter(|name| *name != "e1_widget").map(named).collect();
        assert_eq!(shown, asked, "{before}");
        let notes: Vec<&str> = draft.notes_on(NoteOn::Before).map(|note| note.text.as_str()).collect();
        assert_eq!(notes, said, "{before}");
        let wrong: Vec<_> = draft.truths().into_iter().filter_map(|truth| truth.problem).collect();
        assert_eq!(wrong, Vec::<String>::new(), "{before}");
    }

    #[test]
    fn a_title_that_changes_is_no_condition() {
        check("Notes", "Notes", &["text \"Notes\""], &[]);
        let number =
            "of \u{201c}Items (2)\u{201d} only \u{201c}Items\u{201d} must be there before: it holds a number";
        let begins = "xpath \"//*[starts-with(@text,\\\"Items\\\")]\"";
        check("Items (2)", "Items (2)", &[begins], &[number]);
        let changed = "of \u{201c}Items: few\u{201d} only \u{201c}Items\u{201d} must be there before: the recording changed it";
        check("Items: few", "Items: some", &[begins], &[changed]);
        let left_out =
            |title: &str, why: &str| format!("\u{201c}{title}\u{201d} need not be there before: {why}");
        check("Empty", "Filled", &[], &[&left_out("Empty", "the recording changed it")]);
        let day = left_out("\u{4e09} March", "it names a day or a month");
        check("\u{4e09} March", "\u{4e09} March", &[], &[&day]);
        check("March 2026", "March 2026", &[], &[&left_out("March 2026", "it holds a number")]);
        check("About k1", "About k1", &[], &[&left_out("About k1", "it shows the data")]);
    }

    #[test]
    fn of_two_bars_the_one_beside_the_list_has_the_title() {
        let layout = layout_from(
            "LinearLayout\n  Toolbar\n    TextView#title \"Notes\"\n  ListView\n    TextView#row \"a\"\n  Toolbar\n    \
             TextView#title \"Note\"\n",
        );
        let titles: Vec<&str> = heading(&layout).into_iter().map(|idx| &*layout.widget(idx).text).collect();
        assert_eq!(titles, ["Notes"]);
    }

    #[test]
    fn what_is_picked_for_before_keeps_its_text() {
        let picked = |shown| {
            let choice = ConditionChoice { picked: PickedWidget::new(0, WidgetIdx(1)), shown, state: None };
            let without = ["pre in pre_widget".to_owned()].into();
            let preconditions = vec![choice];
            DraftRequest { preconditions, without, ..DraftRequest::new(DmfKind::Create, "note") }
        };
        check_request("Notes", "Notes", &picked(true), &["text \"Notes\""], &[]);
        let may_change = "it starts only where \u{201c}Notes 2\u{201d} is shown, as picked, which may change: it \
                          holds a number";
        let proposed =
            "of \u{201c}Notes 2\u{201d} only \u{201c}Notes\u{201d} must be there before: it holds a number";
        check_request("Notes 2", "Notes 2", &picked(true), &["text \"Notes 2\""], &[proposed, may_change]);
    }
}
