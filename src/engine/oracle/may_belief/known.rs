//! A layout with the events that it handles, which determine the state that it belongs to (`engine/odin/paper.md`,
//! sections 3 and 4).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use taproof_screen::determinism::{HashBuffer, hash_text};
use taproof_screen::{Candidate, CandidateAction, EventKey, Layout, WidgetIdx, candidates, event_key};

/// A layout with the events that it handles.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KnownLayout {
    /// The layout as it was seen.
    #[serde(with = "taproof_screen::archive::layout")]
    pub layout: Arc<Layout>,
    /// The events that it handles, ordered by key and receiver.
    pub handled: Arc<[Handled]>,
    /// The widgets that receive an event, in document order.
    pub receivers: Vec<WidgetIdx>,
    /// Hashes of the texts outside of lists, among them the name of what the page is about.
    pub heads: Vec<u64>,
    /// The state that it belongs to.
    pub state: StateKey,
}

/// A state of the model: the activity, and the set of events that its layouts handle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StateKey(pub u64);

/// An event that a layout handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Handled {
    /// The key of the event, which identifies it on other layouts.
    pub key: EventKey,
    /// The widget that receives it.
    pub receiver: WidgetIdx,
    /// The action on the receiver.
    pub action: CandidateAction,
}

impl KnownLayout {
    /// A layout of an app, with the events that it handles.
    pub fn of(layout: Arc<Layout>, app: &str) -> Self {
        let handled = handled_on(&layout, app);
        KnownLayout::handling(layout, handled)
    }

    /// A layout that handles these events.
    pub(super) fn handling(layout: Arc<Layout>, handled: Arc<[Handled]>) -> Self {
        let mut receivers: Vec<WidgetIdx> = handled.iter().map(|event| event.receiver).collect();
        receivers.sort_unstable();
        receivers.dedup();
        let heads = heads(&layout);
        let mut known = KnownLayout { layout, handled, receivers, heads, state: StateKey(0) };
        let mut hasher = HashBuffer::default();
        hasher.text(known.layout.activity());
        known.keys().for_each(|key| hasher.u64(key.0));
        known.state = StateKey(hasher.finish());
        known
    }

    /// The distinct keys of its events, in order.
    pub fn keys(&self) -> impl Iterator<Item = EventKey> + '_ {
        self.handled
            .chunk_by(|one, other| one.key == other.key)
            .filter_map(|same| same.first())
            .map(|one| one.key)
    }

    /// The events of a key: one for each receiver.
    pub fn events(&self, key: EventKey) -> &[Handled] {
        let begin = self.handled.partition_point(|event| event.key < key);
        let end = self.handled.partition_point(|event| event.key <= key);
        &self.handled[begin..end]
    }

    /// The event that a gesture on a widget triggers; see [`event_at`].
    pub fn event_at(&self, widget: WidgetIdx, action: CandidateAction) -> Option<Handled> {
        event_at(&self.layout, &self.handled, widget, action)
    }
}

fn heads(layout: &Layout) -> Vec<u64> {
    let mut in_list = Vec::with_capacity(layout.widgets().len());
    let mut heads = Vec::new();
    for (idx, widget) in layout.iter() {
        let inside = widget.parent.is_some_and(|parent| in_list[parent.index()]) || layout.is_list(idx);
        in_list.push(inside);
        if !inside && !widget.text.is_empty() {
            heads.push(hash_text(&widget.text));
        }
    }
    heads
}

/// The events that a layout of an app handles, ordered by key and receiver.
pub(super) fn handled_on(layout: &Layout, app: &str) -> Arc<[Handled]> {
    let event = |event: Candidate| Handled {
        key: event_key(layout, event),
        receiver: event.widget,
        action: event.action,
    };
    let mut handled: Vec<Handled> = candidates(layout, app).into_iter().map(event).collect();
    handled.sort_unstable();
    handled.into()
}

/// The event that a gesture on a widget triggers, among those that the layout handles: that of the widget itself, or of
/// the nearest one around it which receives such a gesture.
pub(super) fn event_at(
    layout: &Layout,
    handled: &[Handled],
    widget: WidgetIdx,
    action: CandidateAction,
) -> Option<Handled> {
    let of = |widget: WidgetIdx| {
        handled.iter().find(|event| event.receiver == widget && event.action == action).copied()
    };
    of(widget).or_else(|| layout.ancestors(widget).find_map(of))
}
