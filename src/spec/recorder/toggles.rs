//! Buttons that say another thing in another state of the page, such as to show all again where a filter is on.

use super::draft::NoteOn;
use super::drafter::Drafter;
use super::selector::named_by;
use crate::{Condition, Relation, SpecSelector};
use taproof_screen::{Layout, Widget, one_line, same_page, without_digits};

impl Drafter<'_> {
    /// Where the function begins on a list, requires the buttons to say what they said, of those that were seen to say
    /// something else: what a filter hides would be missed at the end.
    pub(super) fn toggles(&mut self) {
        let Some(start) = self.layouts.first().cloned() else { return };
        if !start.iter().any(|(idx, _)| start.is_list(idx)) {
            return;
        }
        for icon in start.icon_buttons().filter(|icon| !icon.content_desc.is_empty()) {
            if !self.was_other(&start, icon) {
                continue;
            }
            let shown = one_line(&icon.content_desc);
            let text = format!(
                "\u{201c}{shown}\u{201d} must be there before: the button was seen to say something else"
            );
            self.add_note(NoteOn::Before, false, text);
            let name = self.condition_widget("pre_widget", 0, says(icon));
            self.dmf.preconditions.push(Condition::on_widget(name, Relation::In).at(0));
        }
    }

    /// Whether a button of the start, which is no target of the function there, said something else on another screen of
    /// the page.
    fn was_other(&self, start: &Layout, icon: &Widget) -> bool {
        let selector = says(icon);
        let mut targets =
            self.dmf.widgets.iter().filter(|widget| widget.layout == 0).map(|widget| &widget.selector);
        let is_target = |target: &SpecSelector| {
            let named = named_by(target, start, &self.objects.texts());
            named.iter().any(|idx| start.widget(*idx) == icon)
        };
        if targets.any(is_target) || named_by(&selector, start, &[]).len() != 1 {
            return false;
        }
        let said = without_digits(&icon.content_desc);
        let says_other = |seen: &Layout| {
            let mut same = seen.icon_buttons().filter(|other| is_same(icon, other, start.has_ids()));
            let other = same.next().filter(|other| !other.content_desc.is_empty());
            other.is_some_and(|other| without_digits(&other.content_desc) != said) && same.next().is_none()
        };
        let mut seen = self.request.seen.iter().chain(self.recorded);
        seen.any(|seen| says_other(seen) && same_page(seen, start))
    }
}

/// Whether both are the same button: by the id, or in an app without ids by the place.
fn is_same(one: &Widget, other: &Widget, has_ids: bool) -> bool {
    let known = if has_ids { one.resource_id.is_some() } else { one.bounds == other.bounds };
    known && one.class == other.class && one.resource_id == other.resource_id
}

fn says(icon: &Widget) -> SpecSelector {
    SpecSelector {
        resource_id: icon.resource_id.as_ref().map(ToString::to_string),
        content_desc: Some(icon.content_desc.to_string()),
        ..SpecSelector::default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{DmfKind, Draft, DraftRequest, draft};
    use taproof_screen::{
        Event, Gesture, Layout, RecordedStep, Selector, WidgetFlags, WidgetIdx, layout_from,
    };

    fn list(says: &str, rows: &[&str]) -> Arc<Layout> {
        let rows: String = rows.iter().map(|row| format!("  TextView#row \"{row}\"\n")).collect();
        let layout = layout_from(&format!("ImageButton#stars ({says})\nButton#new\nListView#list\n{rows}"));
        Arc::new(
            layout.with_changed(&[WidgetIdx(0)], |it| it.flags = it.flags.with(WidgetFlags::CLICKABLE, true)),
        )
    }

    fn added(seen: Vec<Arc<Layout>>) -> Draft {
        let (form, filled) = ("EditText#name\nButton#save\n", "EditText#name \"k1\"\nButton#save\n");
        let [form, filled] = [form, filled].map(|text| Arc::new(layout_from(text)));
        let screens = [list("Starred", &["a"]), form, filled, list("Starred", &["a", "k1"])];
        let done =
            [("new", Gesture::Tap), ("name", Gesture::SetText("k1".to_owned())), ("save", Gesture::Tap)];
        let step = |((id, gesture), seen): ((&str, Gesture), &[Arc<Layout>])| {
            let selector = Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
            let event = Event::on(&seen[0], selector, gesture).unwrap();
            RecordedStep { event, before: seen[0].clone(), after: seen[1].clone() }
        };
        let steps: Vec<RecordedStep> = done.into_iter().zip(screens.windows(2)).map(step).collect();
        draft(&steps, &DraftRequest { seen, ..DraftRequest::new(DmfKind::Create, "note") }).unwrap()
    }

    fn conditions(draft: &Draft) -> Vec<String> {
        let widgets = draft.dmf.widgets.iter().filter(|widget| widget.name.starts_with("pre_widget"));
        widgets.map(|widget| widget.selector.to_string()).collect()
    }

    #[test]
    fn a_filter_that_was_seen_to_be_on_must_be_off() {
        let required = ["id \"org.ex:id/stars\", description \"Starred\""];
        let draft = added(vec![list("All", &["a"])]);
        assert_eq!(conditions(&draft), required);
        assert!(draft.truths().iter().all(|truth| truth.problem.is_none()));
    }

    #[test]
    fn the_button_of_the_drawer_is_no_filter() {
        let up = |says: &str| {
            let layout = list(says, &["a"]);
            Arc::new(layout.with_changed(&[WidgetIdx(0)], |it| it.resource_id = None))
        };
        let seen = up("Close navigation");
        let steps = |start: Arc<Layout>| {
            let form = Arc::new(layout_from("EditText#name\nButton#save\n"));
            let selector = Selector { resource_id: Some("org.ex:id/new".to_owned()), ..Selector::default() };
            let event = Event::on(&start, selector, Gesture::Tap).unwrap();
            [RecordedStep { event, before: start, after: form }]
        };
        let request = DraftRequest { seen: vec![seen], ..DraftRequest::new(DmfKind::Property, "note") };
        assert_eq!(conditions(&draft(&steps(up("Open navigation")), &request).unwrap()), [""; 0]);
    }

    #[test]
    fn what_never_said_anything_else_is_not_asked_for() {
        assert_eq!(conditions(&added(Vec::new())), [""; 0]);
        assert_eq!(conditions(&added(vec![list("Starred", &[])])), [""; 0]);
        let elsewhere = layout_from("ImageButton#stars (All)\n").with_activity("org.ex/.Other".into());
        assert_eq!(conditions(&added(vec![Arc::new(elsewhere)])), [""; 0]);
    }
}
