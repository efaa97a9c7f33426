//! What a property says of its end: of the texts that it is about, and of what its last step changed.

use super::conditions::{on_widget, proving};
use super::drafter::Drafter;
use super::guess::row_titles;
use super::objects::object_name_of;
use super::request::Role;
use super::selector::{ObjectText, row_parts};
use crate::model::{Layout, Widget};
use crate::spec::changing_text::{changing, holds_in_words};
use crate::spec::likeness::Looks;
use crate::spec::recorded_widgets::{field_holding, shown_on, shows};
use crate::spec::{Condition, DmfKind, Relation, SpecSelector, TextPattern};

/// Number of texts that one step is said to bring.
const MAX_NEWS: usize = 2;
/// Number of rows whose order may be that of the alphabet by chance.
const MIN_ROWS: usize = 3;

impl Drafter<'_> {
    /// The row of the known object that a property is performed on, or that it keeps, identified by any known object.
    pub(super) fn kept_row(&mut self) {
        let name = self.objects.read_name(Role::Sought);
        let Some(object) = self.objects.sought.clone().filter(|_| self.is_property()) else { return };
        let Some(first) = self.layouts.first().cloned() else { return };
        let drawn = self.objects.drawn().is_some_and(|(role, _)| role == Role::Sought);
        if let Some(row) =
            shown_on(&first, &object).last().filter(|_| drawn && self.dmf.widget(name).is_none())
        {
            self.known_row(0, Role::Sought, row_parts(first.widget(*row)), name);
        }
    }

    fn is_property(&self) -> bool {
        self.request.kind == DmfKind::Property
    }

    /// Requires what the end of a property shows, or shows no more, of the texts that it is about.
    pub(super) fn property_at_end(&mut self) {
        if !self.is_property() {
            return;
        }
        let known = self.objects.sought.clone().filter(|_| self.request.sought.shown.is_none());
        let known =
            known.map(|text| ObjectText { text, name: self.objects.read_name(Role::Sought).to_owned() });
        for object in self.objects.further.clone().into_iter().chain(known) {
            self.follow(&object);
        }
        self.order();
        self.news();
    }

    /// Requires that the end shows a text, if it does, or that it does not, if an earlier screen did and the end could.
    fn follow(&mut self, object: &ObjectText) {
        let (Some(first), Some(last)) = (self.layouts.first().cloned(), self.layouts.last().cloned()) else {
            return;
        };
        let text = TextPattern::FromRead(object.name.clone());
        let end = self.dmf.steps.len();
        let (relation, selector) = match proving(&first, &last, &shown_on(&last, &object.text), &object.text)
        {
            Some(idx) => (Relation::In, SpecSelector { text, ..row_parts(last.widget(idx)) }),
            None if field_holding(&last, &object.text).is_some() => return,
            // Other screens show it in other widgets.
            None if self.could_show(&last, &object.text) => {
                (Relation::NotIn, SpecSelector { text, ..SpecSelector::default() })
            }
            None => return,
        };
        let name = object_name_of(&object.name);
        self.add_widget(&name, end, selector);
        self.dmf.postconditions.push(on_widget(&name, relation, end));
    }

    /// Whether an earlier screen showed a text, and the end is like that one or has a list.
    fn could_show(&self, last: &Layout, text: &str) -> bool {
        let Some(showing) = self.layouts.iter().rev().find(|layout| shows(layout, text)) else {
            return false;
        };
        let lists = last.iter().any(|(idx, _)| last.is_list(idx));
        lists || Looks::of(showing).likeness(&Looks::of(last)).is_some()
    }

    /// Requires the order of the rows at the end, if the function brought them into that of the alphabet.
    fn order(&mut self) {
        let (Some(first), Some(last)) = (self.layouts.first().cloned(), self.layouts.last().cloned()) else {
            return;
        };
        let mut names = row_titles(&last);
        names.dedup();
        let mut ordered = names.clone();
        ordered.sort_by_key(|name| name.to_lowercase());
        let before = row_titles(&first);
        let place = |name: &String| before.iter().position(|other| other == name);
        let moved = !names.iter().filter_map(place).is_sorted();
        if names.len() < MIN_ROWS || names != ordered || !moved {
            return;
        }
        let end = self.dmf.steps.len();
        let widgets = names.iter().filter_map(|name| {
            let parts = row_parts(last.widget(*shown_on(&last, name).last()?));
            Some(SpecSelector { text: TextPattern::Is(name.clone()), ..parts })
        });
        let widgets: Vec<SpecSelector> = widgets.collect();
        let order = widgets.into_iter().map(|it| self.condition_widget("order_widget", end, it)).collect();
        let condition = Condition { widget: None, ..on_widget("", Relation::InOrder(order), end) };
        self.dmf.postconditions.push(condition);
    }

    /// Requires the fixed texts that the last step brought to a screen that is otherwise the same.
    fn news(&mut self) {
        let [.., before, last] = &self.layouts[..] else { return };
        let (before, last) = (before.clone(), last.clone());
        if Looks::of(&before).likeness(&Looks::of(&last)).is_none() || rows(&before) != rows(&last) {
            return;
        }
        let news: Vec<SpecSelector> = last
            .iter()
            .filter(|(idx, widget)| last.list_item_around(*idx).is_none() && self.is_news(widget, &before))
            .filter_map(|(_, widget)| selector_of_news(widget, &before))
            .collect();
        if news.len() > MAX_NEWS {
            return;
        }
        let end = self.dmf.steps.len();
        for selector in news {
            let name = self.condition_widget("post_widget", end, selector);
            self.dmf.postconditions.push(on_widget(&name, Relation::In, end));
        }
    }

    fn is_news(&self, widget: &Widget, before: &Layout) -> bool {
        let text = &*widget.text;
        let data = || self.objects.texts().iter().any(|object| holds_in_words(text, &object.text));
        !text.is_empty() && !widget.is_text_field() && !shows(before, text) && !data()
    }
}

/// The texts of the items of lists.
fn rows(layout: &Layout) -> Vec<&str> {
    let in_list = layout.iter().filter(|(idx, _)| layout.list_item_around(*idx).is_some());
    in_list.map(|(_, widget)| &*widget.text).filter(|text| !text.is_empty()).collect()
}

/// What names a widget with a new text. A text that may change is left out, if the widget itself is new.
fn selector_of_news(widget: &Widget, before: &Layout) -> Option<SpecSelector> {
    let parts = row_parts(widget);
    if changing(&widget.text).is_none() {
        return Some(SpecSelector { text: TextPattern::Is(widget.text.to_string()), ..parts });
    }
    let is_new = |id: &str| !before.widgets().iter().any(|other| other.resource_id.as_deref() == Some(id));
    parts.resource_id.as_deref().is_some_and(is_new).then_some(parts)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::model::{Event, Gesture, RecordedStep, Selector, layout_from};
    use crate::spec::{DmfKind, Draft, DraftRequest, draft};

    const ROWS: &str = "Button#new\nListView#list\n  TextView#row \"a\"\n  TextView#row \"b\"\n";

    /// A property of the screens, and what is done between them: an id, or an id and the text of the touched widget.
    fn property(screens: &[&str], done: &[(&str, Gesture)]) -> Draft {
        let layouts: Vec<Arc<_>> = screens.iter().map(|screen| Arc::new(layout_from(screen))).collect();
        let step = |((id, gesture), seen): (&(&str, Gesture), &[Arc<_>])| {
            let (id, text) = id.split_once(' ').map_or((*id, None), |(id, text)| (id, Some(text.to_owned())));
            let resource_id = Some(format!("org.ex:id/{id}"));
            let selector = Selector { resource_id, text, ..Selector::default() };
            let event = Event::on(&seen[0], selector, gesture.clone()).unwrap();
            RecordedStep { event, before: seen[0].clone(), after: seen[1].clone() }
        };
        let steps: Vec<RecordedStep> = done.iter().zip(layouts.windows(2)).map(step).collect();
        draft(&steps, &DraftRequest::new(DmfKind::Property, "note")).unwrap()
    }

    /// What must hold at the end, with the selectors of the widgets that it speaks of.
    fn asked(draft: &Draft) -> Vec<String> {
        let dmf = draft.kept_dmf();
        let words = |condition: &crate::spec::Condition| match &condition.widget {
            Some(name) => {
                format!("{} {}", condition.relation, dmf.widget(name).unwrap().selector)
            }
            None => format!("{:?}", condition.relation),
        };
        assert!(draft.truths().iter().all(|truth| truth.problem.is_none()), "{:?}", draft.truths());
        dmf.postconditions.iter().map(words).collect()
    }

    fn typing(text: &str) -> Gesture {
        Gesture::SetText(text.to_owned())
    }

    #[test]
    fn what_is_entered_about_an_object_is_shown() {
        let page = |about: &str| format!("TextView#title \"b\"\n{about}Button#edit\n");
        let about = page("TextView#about \"milk\"\n");
        let (form, filled) = ("EditText#field\nButton#save\n", "EditText#field \"milk\"\nButton#save\n");
        let done = [
            ("row b", Gesture::Tap),
            ("edit", Gesture::Tap),
            ("field", typing("milk")),
            ("save", Gesture::Tap),
        ];
        let draft = property(&[ROWS, &page(""), form, filled, &about], &done);
        let row = draft.dmf.widget("view_name").unwrap().selector.to_string();
        assert_eq!(row, "id \"org.ex:id/row\", text note::random");
        let expected = [
            "in id \"org.ex:id/about\", text text_name.text",
            "in id \"org.ex:id/title\", text view_name.text",
        ];
        assert_eq!(asked(&draft), expected);
    }

    #[test]
    fn a_text_that_was_entered_is_touched_whatever_it_is_then() {
        let (form, filled) = ("EditText#name\nButton#save\n", "EditText#name \"k1\"\nButton#save\n");
        let listed = format!("{ROWS}  TextView#row \"k1\"\n");
        let page = "TextView#title \"k1\"\nButton#hide\n";
        let done = [
            ("new", Gesture::Tap),
            ("name", typing("k1")),
            ("save", Gesture::Tap),
            ("row k1", Gesture::Tap),
            ("hide", Gesture::Tap),
        ];
        let draft = property(&[ROWS, form, filled, &listed, page, ROWS], &done);
        let row = draft.dmf.widget("e4_widget").unwrap().selector.to_string();
        assert_eq!(row, "id \"org.ex:id/row\", text text_name.text");
        assert_eq!(asked(&draft), ["not in text text_name.text"]);
        assert!(draft.dmf.impacts.is_empty());
    }

    #[test]
    fn rows_that_come_into_the_order_of_the_alphabet_stay_in_it() {
        let list = |rows: &[&str]| {
            let rows: String = rows.iter().map(|row| format!("  TextView#row \"{row}\"\n")).collect();
            format!("Button#sort\nListView#list\n{rows}")
        };
        let menu = "ListView#menu\n  TextView#item \"Name\"\n  TextView#item \"Date\"\n";
        let done = [("sort", Gesture::Tap), ("item Name", Gesture::Tap)];
        let sorted = property(&[&list(&["b", "C", "a"]), menu, &list(&["a", "b", "C"])], &done);
        let order = ["order_widget", "order_widget2", "order_widget3"].map(str::to_owned).to_vec();
        let wanted = format!("{:?}", crate::spec::Relation::InOrder(order));
        assert!(asked(&sorted).contains(&wanted), "{:?}", asked(&sorted));
        let other = property(&[&list(&["a", "b", "C"]), menu, &list(&["C", "a", "b"])], &done);
        assert!(!asked(&other).iter().any(|it| it.contains("InOrder")), "{:?}", asked(&other));
    }

    #[test]
    fn a_text_that_comes_where_nothing_else_changes_is_what_the_function_does() {
        let form = |error: &str| format!("EditText#number \"51\"\nButton#save \"Save\"\n{error}");
        let refused = form("TextView#error \"Enter less\"\n");
        let done = [("number", typing("51")), ("save", Gesture::Tap)];
        let draft = property(&["EditText#number\nButton#save \"Save\"\n", &form(""), &refused], &done);
        assert_eq!(draft.dmf.steps[0].input, crate::spec::Input::Literal("51".to_owned()));
        assert_eq!(asked(&draft), ["in id \"org.ex:id/error\", text \"Enter less\""]);
    }

    #[test]
    fn what_is_about_nothing_keeps_what_is_there() {
        let settings = "Button#reset\n";
        let done = [("new", Gesture::Tap), ("reset", Gesture::Tap)];
        let draft = property(&[ROWS, settings, ROWS], &done);
        assert_eq!(draft.dmf.steps.len(), 2);
        assert_eq!(asked(&draft), ["in id \"org.ex:id/row\", text view_name.text"]);
        let before: Vec<_> = draft.dmf.preconditions.iter().filter_map(|it| it.widget.as_deref()).collect();
        assert!(before.contains(&"view_name"), "{before:?}");
    }
}
