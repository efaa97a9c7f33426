//! Functions whose effect is the state of a widget: a check box was checked, a tab was selected.

use std::sync::Arc;

use super::changed_state::changed_state;
use super::drafter::Drafter;
use super::selector::{Candidate, Strength, candidates_on, choose_selector, named_by, row_parts};
use crate::changing_text::changing;
use crate::compiled::compiled_selector::in_row;
use crate::{Condition, DmfKind, Relation, SpecSelector};
use taproof_screen::{Layout, WidgetIdx};

impl Drafter<'_> {
    /// Requires the state that the function caused, if it changes no data.
    pub(super) fn state_at_end(&mut self) {
        if self.request.kind != DmfKind::Property || !self.objects.texts().is_empty() {
            return;
        }
        let (Some(first), Some(last)) = (self.layouts.first().cloned(), self.layouts.last().cloned()) else {
            return;
        };
        let Some((idx, state)) = changed_state(&first, &last) else { return };
        let (selector, number) = (self.selector_of_state(&first, &last, idx), self.dmf.steps.len());
        let name = self.condition_widget("post_widget", number, selector);
        let condition =
            Condition { state: Some(state), ..Condition::on_widget(name, Relation::In).at(number) };
        self.dmf.postconditions.push(condition);
    }

    /// A selector that matches a widget in both of its states: by itself, or in the row of a text that identifies the
    /// row.
    fn selector_of_state(&mut self, first: &Arc<Layout>, last: &Arc<Layout>, idx: WidgetIdx) -> SpecSelector {
        let alone = |it: &Candidate| {
            it.strength <= Strength::Fair
                && named_by(&it.selector, last, &[]) == [idx]
                && named_by(&it.selector, first, &[]).len() == 1
        };
        if let Some(alone) = candidates_on(last, idx, &[]).into_iter().find(alone) {
            return alone.selector;
        }
        let parts = row_parts(last.widget(idx));
        let texts = last.rows_around(idx).into_iter().flat_map(|row| last.subtree(row).collect::<Vec<_>>());
        let tells = |anchor: WidgetIdx| {
            let text = &last.widget(anchor).text;
            if anchor == idx || text.is_empty() || changing(text).is_some() {
                return None;
            }
            let chosen = choose_selector(last, anchor, &[]);
            let like = |other: WidgetIdx| row_parts(last.widget(other)) == parts;
            (!chosen.by_position && in_row(last, anchor, like) == [idx]).then_some(chosen.selector)
        };
        match texts.into_iter().find_map(tells) {
            Some(anchor) => {
                let row = self.condition_widget("row_widget", self.dmf.steps.len(), anchor);
                SpecSelector { row: Some(row), ..parts }
            }
            None => choose_selector(last, idx, &[]).selector,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CanFail, DraftRequest, WidgetState, draft, proposed_kind};
    use taproof_screen::{
        Event, Gesture, LayoutBuilder, RecordedStep, Selector, Widget, WidgetFlags, layout_from,
    };

    /// Settings with these switches on.
    fn settings(on: &[&str]) -> Arc<Layout> {
        let row = |name: &str| format!("  LinearLayout\n    TextView#title \"{name}\"\n    Switch#switch\n");
        let plain = layout_from(&format!("ListView#list\n{}{}", row("Sort"), row("Large")));
        let mut builder = LayoutBuilder::new(plain.activity().clone(), plain.screen(), plain.rotation());
        let mut open: Vec<WidgetIdx> = Vec::new();
        let mut title = String::new();
        for (idx, widget) in plain.iter() {
            while open.last().is_some_and(|last| Some(*last) != widget.parent) {
                open.pop();
                builder.close();
            }
            if widget.class.ends_with("TextView") {
                title = widget.text.to_string();
            }
            let flags = match widget.class.ends_with("Switch") {
                true => {
                    let flags = widget.flags.with(WidgetFlags::CHECKABLE, true);
                    flags.with(WidgetFlags::CLICKABLE, true).with(WidgetFlags::CHECKED, on.contains(&&*title))
                }
                false => widget.flags,
            };
            builder.open(Widget { flags, ..widget.clone() });
            open.push(idx);
        }
        open.iter().for_each(|_| builder.close());
        Arc::new(builder.finish())
    }

    #[test]
    fn a_switch_that_was_turned_on_is_what_the_function_does() {
        let (before, after) = (settings(&["Sort"]), settings(&["Sort", "Large"]));
        let id = Some("org.ex:id/switch".to_owned());
        let second = Selector { resource_id: id, instance: Some(1), ..Selector::default() };
        let event = Event::on(&before, second, Gesture::Tap).unwrap();
        let steps = [RecordedStep { event, before, after }];
        assert_eq!(proposed_kind(&steps), DmfKind::Property);
        let draft = draft(&steps, &DraftRequest::new(DmfKind::Property, "setting")).unwrap();
        let [condition] = &draft.dmf.postconditions[..] else { panic!("{:?}", draft.dmf.postconditions) };
        assert_eq!(condition.state, Some(WidgetState::Checked));
        let named = draft.dmf.widget("post_widget").unwrap().selector.to_string();
        assert_eq!(named, "id \"org.ex:id/switch\", in the row of row_widget");
        let truth = draft.truths().pop().unwrap();
        assert_eq!((truth.problem, truth.can_fail), (None, CanFail::Yes { layout: Some(0) }));
    }

    #[test]
    fn of_several_changes_none_is_the_effect() {
        let one = changed_state(&settings(&[]), &settings(&["Sort"])).map(|(_, state)| state);
        assert_eq!(one, Some(WidgetState::Checked));
        assert_eq!(changed_state(&settings(&["Sort"]), &settings(&["Sort"])), None);
        assert_eq!(changed_state(&settings(&[]), &settings(&["Sort", "Large"])), None);
        let off = changed_state(&settings(&["Sort"]), &settings(&[])).map(|(_, state)| state);
        assert_eq!(off, Some(WidgetState::NotChecked));
    }
}
