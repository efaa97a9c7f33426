//! A recorded walk prepared for searching: its coalesced steps, its layouts, and their similarity.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::recorded_widgets::{target_of, typed_text};
use crate::recorder::{CoalescedStep, coalesce};
use taproof_screen::Looks;
use taproof_screen::{Event, Gesture, Key, Layout, RecordedStep, Text, Widget, WidgetIdx, is_visible};

/// Maximum number of ancestors of a widget among which its row is searched for.
const ROW_DEPTH: usize = 6;
/// Maximum number of texts in a row; with more it is a page.
const ROW_TEXTS: usize = 8;

/// A recorded walk prepared for searching.
pub(super) struct Walk<'s> {
    pub(super) joined: Vec<CoalescedStep>,
    /// The layout before each coalesced step, and the last one.
    pub(super) layouts: Vec<Arc<Layout>>,
    looks: Vec<Looks>,
    /// All texts that were typed.
    pub(super) objects: BTreeSet<String>,
    steps: &'s [RecordedStep],
}

impl<'s> Walk<'s> {
    pub(super) fn new(steps: &'s [RecordedStep]) -> Self {
        let joined = coalesce(steps);
        let before = joined.iter().map(|joined| Arc::clone(&joined.step.before));
        let layouts: Vec<Arc<Layout>> =
            before.chain(joined.last().map(|joined| Arc::clone(&joined.step.after))).collect();
        let looks = layouts.iter().map(|layout| Looks::of(layout)).collect();
        let typed = joined.iter().filter_map(|joined| typed_text(&joined.step.event));
        let objects = typed.filter(|text| is_visible(text)).map(str::to_owned).collect();
        Walk { joined, layouts, looks, objects, steps }
    }

    /// The range of recorded steps that a range of coalesced ones was made from.
    pub(super) fn recorded(&self, joined: &Range<usize>) -> Option<Range<usize>> {
        let first = self.joined.get(joined.start)?.first;
        let end = self.joined.get(joined.end.checked_sub(1)?)?.end;
        (first < end && end <= self.steps.len()).then_some(first..end)
    }

    /// The text that a step types; `None` if it types none.
    pub(super) fn typed(&self, step: usize) -> Option<&str> {
        let typed = typed_text(&self.joined.get(step)?.step.event)?;
        is_visible(typed).then_some(typed)
    }

    /// The widget on which a step is performed.
    pub(super) fn touched(&self, step: usize) -> Option<&Widget> {
        Some(self.layouts[step].widget(self.target(step)?))
    }

    pub(super) fn target(&self, step: usize) -> Option<WidgetIdx> {
        target_of(&self.joined.get(step)?.step)
    }

    /// Whether a step scrolls a list.
    pub(super) fn scrolls(&self, step: usize) -> bool {
        let event = self.joined.get(step).map(|joined| &joined.step.event);
        matches!(
            event,
            Some(Event::Rotate | Event::Widget { gesture: Gesture::Swipe(_) | Gesture::Drag(_), .. })
        )
    }

    /// Whether the app is left or restarted in these steps. A function never extends over that.
    pub(super) fn interrupted(&self, steps: Range<usize>) -> bool {
        self.joined.get(steps).is_none_or(|steps| {
            steps.iter().any(|step| {
                matches!(
                    step.step.event,
                    Event::Relaunch | Event::System(_) | Event::Key(Key::Home | Key::Recents)
                )
            })
        })
    }

    /// The share of widget kinds that two layouts have in common, in units of 1/10,000; `None` if they are not of the
    /// same screen.
    pub(super) fn likeness(&self, one: usize, other: usize) -> Option<usize> {
        self.looks[one].likeness(&self.looks[other])
    }

    /// The texts of the row that a step touches; none if it touches no row. First the texts that were typed in the
    /// walk, since these name objects, then the nearest ones, of which the first is the title.
    pub(super) fn row_texts(&self, step: usize) -> Vec<(Text, Kind)> {
        let Some(target) = self.target(step) else { return Vec::new() };
        let layout = &self.layouts[step];
        let in_row = |ancestor: &WidgetIdx| {
            let widget = layout.widget(*ancestor);
            !widget.scrollable()
                && !layout.is_list(*ancestor)
                && texts(layout, *ancestor).count() <= ROW_TEXTS
        };
        let around = layout.ancestors(target).take(ROW_DEPTH).take_while(in_row);
        let nearest = around.flat_map(|ancestor| texts(layout, ancestor)).chain(texts(layout, target));
        let mut found: Vec<(Text, Kind)> = Vec::new();
        for widget in nearest.map(|idx| layout.widget(idx)).filter(|widget| !widget.is_text_field()) {
            let entry = (widget.text.clone(), kind_of(widget));
            if !found.contains(&entry) {
                found.push(entry);
            }
        }
        found.sort_by_key(|(text, _)| !self.objects.contains(&**text));
        found
    }
}

/// What the rows of a list have in common: their id or, without one, their class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Kind(pub(super) Text);

pub(super) fn kind_of(widget: &Widget) -> Kind {
    match &widget.resource_id {
        Some(id) if !id.is_empty() => Kind(id.clone()),
        Some(_) | None => Kind(widget.class.clone()),
    }
}

/// The texts of the widgets of a kind, in document order, without text fields: what these contain was typed.
pub(super) fn rows<'l>(layout: &'l Layout, kind: &'l Kind) -> impl Iterator<Item = &'l Text> {
    let shown = |widget: &&Widget| !widget.text.is_empty() && !widget.is_text_field();
    layout.widgets().iter().filter(shown).filter(|widget| kind_of(widget) == *kind).map(|widget| &widget.text)
}

/// The texts of this kind that `more` has and `less` has not, counting repetitions.
pub(super) fn surplus(more: &Layout, less: &Layout, kind: &Kind) -> Vec<Text> {
    let mut left: Vec<&Text> = rows(less, kind).collect();
    let mut surplus = Vec::new();
    for text in rows(more, kind) {
        match left.iter().position(|other| *other == text) {
            Some(place) => drop(left.swap_remove(place)),
            None => surplus.push(text.clone()),
        }
    }
    surplus
}

/// The kinds of the widgets that show a text, without text fields, the last first.
pub(super) fn shown_as(layout: &Layout, text: &str) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for widget in layout.widgets().iter().rev().filter(|w| *w.text == *text && !w.is_text_field()) {
        let kind = kind_of(widget);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

fn texts(layout: &Layout, idx: WidgetIdx) -> impl Iterator<Item = WidgetIdx> + '_ {
    layout.subtree(idx).filter(|idx| !layout.widget(*idx).text.is_empty())
}
