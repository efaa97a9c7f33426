//! What a mutant's detour did, as far as its own steps show it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::WidgetKind;
use crate::oracle::layout_effects::row_around;
use taproof_screen::determinism::HashBuffer;
use taproof_screen::{
    AppHealth, Event, Frame, Gesture, Key, Layout, LayoutKey, Same, StepRole, Text, TouchMap, Trace, Widget,
    WidgetFlags, WidgetIdx, drawer_open, headline, is_dialog,
};

/// What a detour did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detour {
    /// It only opened pages and closed each with the Back key, or closed the pivot's page so and opened it again. It
    /// typed nothing, and confirmed nothing.
    pub passes: bool,
    /// It began with closing the pivot's page.
    pub reopens: bool,
    /// It typed something.
    pub types: bool,
    /// The texts of the rows and other widgets that it touched, and those that it typed.
    pub texts: BTreeSet<Text>,
    /// The kinds of the checkable widgets that it touched.
    pub checks: BTreeSet<WidgetKind>,
}

impl Detour {
    /// The detour of a mutant: its inserted steps.
    pub fn of(mutant: &Trace) -> Detour {
        let mut detour = Detour::default();
        let mut visit: Option<Visit> = None;
        let mut before = mutant.first();
        for step in mutant.steps() {
            if step.role == StepRole::Inserted {
                detour.reopens |= visit.is_none() && step.event == Event::Key(Key::Back);
                let visit = visit.get_or_insert_with(|| Visit::from(page_of(before)));
                visit.follow(&step.event, page_of(&step.after));
                detour.note(&step.event, &before.layout);
            }
            before = &step.after;
        }
        detour.passes = visit.is_some_and(|visit| visit.is_back());
        detour
    }

    fn note(&mut self, event: &Event, on: &Arc<Layout>) {
        match event {
            Event::Type(text) => {
                self.types = true;
                self.texts.insert(Text::from(text.as_str()));
            }
            Event::Widget { target, gesture } => {
                if let Gesture::SetText(text) = gesture {
                    self.types = true;
                    self.texts.insert(Text::from(text.as_str()));
                }
                let Some(hit) = on.hit_test(target.at) else { return };
                let whole = row_around(on, hit).unwrap_or(hit);
                self.texts.extend(on.texts_in(whole).cloned());
                let checks = |idx: &WidgetIdx| on.widget(*idx).flags.has(WidgetFlags::CHECKABLE);
                let checked = std::iter::once(hit).chain(on.ancestors(hit)).find(checks);
                self.checks.extend(checked.map(|idx| WidgetKind::of(on, on.widget(idx))));
            }
            Event::Key(_)
            | Event::Rotate
            | Event::Wait(_)
            | Event::Relaunch
            | Event::System(_)
            | Event::OpenLink(_) => {}
        }
    }
}

/// The page that is shown; another app's counts as one page.
fn page_of(frame: &Frame) -> LayoutKey {
    match frame.health {
        AppHealth::Running => place_of(&frame.layout),
        _ => LayoutKey(0),
    }
}

/// The pages that a detour has opened, while it only opens and closes pages.
struct Visit {
    pivot: LayoutKey,
    /// The pages that are open, the one in front last; `None` once it did anything else.
    open: Option<Vec<LayoutKey>>,
}

impl Visit {
    fn from(pivot: LayoutKey) -> Visit {
        Visit { pivot, open: Some(vec![pivot]) }
    }

    fn follow(&mut self, event: &Event, page: LayoutKey) {
        let Some(mut open) = self.open.take() else { return };
        let front = open.last().copied();
        let goes_on = match event {
            // It has hidden the keyboard.
            Event::Key(Key::Back) if front == Some(page) && page != self.pivot => true,
            Event::Key(Key::Back) => {
                open.pop();
                // Closing the pivot's page shows the one behind it.
                let closed = open.is_empty() && page != self.pivot;
                if closed {
                    open.push(page);
                }
                closed || open.last() == Some(&page)
            }
            Event::Widget { gesture: Gesture::Tap | Gesture::LongPress, .. } => {
                let opens = front != Some(page) && !open.contains(&page);
                open.push(page);
                opens
            }
            _ => false,
        };
        self.open = Some(open).filter(|_| goes_on);
    }

    fn is_back(&self) -> bool {
        self.open.as_ref().and_then(|open| open.last()) == Some(&self.pivot)
    }
}

/// What a page is known by that may lack some of what it had: its activity and its headline. A page is otherwise another
/// one without a button at its top level ([`Same::Page`]). Without a headline nothing else tells what it is.
pub fn place_of(layout: &Layout) -> LayoutKey {
    let Some(idx) = headline(layout) else { return layout.key(Same::Page) };
    let mut hasher = HashBuffer::default();
    hasher.text(layout.activity());
    hasher.u64(u64::from(is_dialog(layout)) << 1 | u64::from(drawer_open(layout)));
    hasher.text(&layout.widget(idx).text);
    LayoutKey(hasher.finish())
}

/// Whether a page can be left and come back to without losing what is on it: it asks for nothing, and nothing is open over
/// it that is closed on the way, such as a dialog, a drawer or a menu.
pub fn asks_nothing(layout: &Layout) -> bool {
    let asks = is_dialog(layout) || drawer_open(layout) || is_covered(layout);
    !asks && !layout.widgets().iter().any(Widget::is_editable)
}

/// Whether something lies over the page that takes its touches, at least half a screen large, as below the entries of a
/// menu. A bar or a button over the end of a list is smaller.
fn is_covered(layout: &Layout) -> bool {
    let touches = TouchMap::new(layout);
    let half = i64::from(layout.screen().width) * i64::from(layout.screen().height) / 2;
    let covers = |over: WidgetIdx| layout.widget(over).bounds.area() >= half;
    let mut seen = layout.iter().filter(|(_, widget)| widget.is_actionable() || !widget.text.is_empty());
    seen.any(|(idx, _)| touches.covered_by(idx).is_some_and(covers))
}
