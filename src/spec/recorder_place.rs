//! Where a function may start: in the row of a known object, on which screen, and not in its own middle.

use super::recorder_conditions::on_widget;
use super::recorder_draft::Drafter;
use super::recorder_objects::typed_text;
use super::recorder_selector::{Ready, Strength, candidates_on};
use super::{DmfKind, NamedSelector, Relation, SpecSelector, TextPattern};
use crate::model::{Layout, Widget, WidgetIdx};

impl Drafter<'_> {
    /// Adds the preconditions that say so.
    pub(super) fn place(&mut self) {
        self.known_row_is_shown();
        self.heading();
        self.not_in_the_middle();
    }

    /// What is done in the row of an object needs a row of a known one, not any.
    fn known_row_is_shown(&mut self) {
        let first = self.dmf.steps.first().and_then(|step| self.dmf.widget(step.widget.as_deref()?));
        let row = first.and_then(|first| self.dmf.widget(first.selector.row.as_deref()?));
        let known = |row: &&NamedSelector| matches!(row.selector.text, TextPattern::Existing(_));
        if let Some(name) = row.filter(known).map(|row| row.name.clone()) {
            self.dmf.preconditions.push(on_widget(&name, Relation::In, 0));
        }
    }

    /// A function that changes or opens what a list holds does so where that list is: the title of its screen and
    /// the path below it say so. Other texts above a list may be data.
    fn heading(&mut self) {
        let places = [DmfKind::Create, DmfKind::Read, DmfKind::Update, DmfKind::Delete];
        let Some(start) = self.layouts.first().filter(|_| places.contains(&self.request.kind)) else {
            return;
        };
        let typed: Vec<&str> = self.cut.kept.iter().filter_map(|kept| typed_text(&kept.step.event)).collect();
        let texts = self.objects.texts();
        let data = |text: &str| typed.contains(&text) || texts.iter().any(|object| object.text == text);
        let selectors: Vec<SpecSelector> = heading(start)
            .into_iter()
            .map(|idx| start.widget(idx))
            .filter(|widget| !data(&widget.text))
            .map(|widget| SpecSelector {
                resource_id: widget.resource_id.as_ref().map(ToString::to_string),
                text: TextPattern::Is(widget.text.to_string()),
                ..SpecSelector::default()
            })
            .collect();
        for selector in selectors {
            let name = self.condition_widget("pre_widget", 0, selector);
            self.dmf.preconditions.push(on_widget(&name, Relation::In, 0));
        }
    }

    /// Where the first step could be done in the middle of the function too, such as while a row is selected,
    /// something that only the screen of the start shows says where it may start.
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
            let strong = best.strength == Strength::Strong && best.selector.row.is_none();
            let ready = Ready::new(&best.selector);
            let apart = || alike.iter().all(|layout| ready.named(layout, &texts).is_empty());
            (strong && apart()).then(|| best.selector.clone())
        };
        let pressed = start.iter().filter(|(_, widget)| widget.clickable());
        let selector = pressed.map(|(idx, _)| idx).find_map(tells);
        if let Some(selector) = selector {
            let name = self.condition_widget("pre_widget", 0, selector);
            self.dmf.preconditions.push(on_widget(&name, Relation::In, 0));
        }
    }
}

/// The title of a screen and the path below it: texts outside of what can be pressed, of which there is one.
fn heading(layout: &Layout) -> Vec<WidgetIdx> {
    let pressed = |idx: WidgetIdx| layout.widget(idx).clickable() || layout.widget(idx).is_list();
    let says = |(idx, widget): (WidgetIdx, &Widget)| {
        let id = widget.resource_id.as_ref()?;
        let text = !widget.text.is_empty() && !widget.is_text_field();
        let outside = !std::iter::once(idx).chain(layout.ancestors(idx)).any(pressed);
        let alone =
            layout.widgets().iter().filter(|other| other.resource_id.as_ref() == Some(id)).count() == 1;
        (text && outside && alone).then_some(idx)
    };
    let texts: Vec<WidgetIdx> = layout.iter().filter_map(says).collect();
    let in_bar = |idx: &WidgetIdx| layout.ancestors(*idx).any(|above| is_bar(layout.widget(above)));
    let Some(title) = texts.iter().copied().find(in_bar) else { return Vec::new() };
    let path = texts.into_iter().find(|idx| {
        let text = &layout.widget(*idx).text;
        *idx != title && (text.starts_with('/') || *text == layout.widget(title).text)
    });
    std::iter::once(title).chain(path).collect()
}

/// Whether it is the bar at the top of a screen.
fn is_bar(widget: &Widget) -> bool {
    let named = |id: &str| ["toolbar", "action_bar", "app_bar"].contains(&id);
    widget.class.ends_with("Toolbar") || widget.short_id().is_some_and(named)
}
