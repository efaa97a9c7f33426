//! What a test shows (ours): a seed test can only lose effects that it has, so those count that change rarely seen
//! things.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::detours::Planned;
use super::gui_model::{Act, EventClass};
use crate::determinism::HashBuffer;
use crate::model::{CandidateAction, Layout, Widget, headline, page_key};

/// What an event of a test changed: a hash of the event's class, the page, and which types of widgets came or went.
pub type ChangeKind = u64;

/// What the events of a test changed on pages that it had seen before, and which classes of events did.
pub fn changes(layouts: &[Option<Arc<Layout>>], planned: &[Planned]) -> BTreeSet<(EventClass, ChangeKind)> {
    let mut found = BTreeSet::new();
    let mut typed: BTreeSet<&str> = BTreeSet::new();
    // For each page its first layout of the visit before the current one, and of the current one.
    let mut visits: BTreeMap<u64, (Option<&Arc<Layout>>, &Arc<Layout>)> = BTreeMap::new();
    let mut last_page = None;
    for (index, layout) in layouts.iter().enumerate() {
        let Some(layout) = layout else {
            last_page = None;
            continue;
        };
        let page = page_of(layout);
        let stays = last_page == Some(page);
        last_page = Some(page);
        let before = visits.get(&page).map(|(before, current)| if stays { *before } else { Some(*current) });
        if !stays {
            visits.insert(page, (before.flatten(), layout));
        }
        let event = index.checked_sub(1).and_then(|event| planned.get(event));
        let Some(event) = event else { continue };
        let types = matches!(event.act, Act::On(CandidateAction::SetText, _));
        if types {
            typed.insert(&event.text);
            continue;
        }
        let previous = layouts[index - 1].as_ref().filter(|_| stays);
        for earlier in [before.flatten(), previous].into_iter().flatten() {
            let kinds = differences(earlier, layout, &typed);
            found.extend(kinds.into_iter().map(|kind| (event.class(), told(event, page, kind))));
        }
    }
    found
}

fn page_of(layout: &Layout) -> u64 {
    let mut hasher = HashBuffer::default();
    hasher.u64(page_key(layout).0);
    hasher.text(headline(layout).map_or("", |idx| &layout.widget(idx).text));
    hasher.finish()
}

fn told(event: &Planned, page: u64, kind: u64) -> ChangeKind {
    let mut hasher = HashBuffer::default();
    let class = event.class();
    for part in [class.0, class.1, page, kind] {
        hasher.u64(part);
    }
    hasher.finish()
}

/// Which types of widgets are more or fewer than before, and which show a typed text that nothing showed before.
fn differences(before: &Layout, after: &Layout, typed: &BTreeSet<&str>) -> BTreeSet<u64> {
    let mut counts: BTreeMap<u64, i64> = BTreeMap::new();
    for (layout, sign) in [(before, -1), (after, 1)] {
        for widget in layout.widgets() {
            *counts.entry(type_of(widget)).or_default() += sign;
        }
    }
    let changed = counts.into_iter().filter(|(_, count)| *count != 0);
    let mut kinds: BTreeSet<u64> =
        changed.map(|(kind, count)| kind.rotate_left(if count > 0 { 1 } else { 2 })).collect();
    let shown = |layout: &Layout, text: &str| layout.widgets().iter().any(|widget| &*widget.text == text);
    for widget in after.widgets() {
        let text = &*widget.text;
        if !text.is_empty() && typed.contains(text) && !shown(before, text) {
            kinds.insert(type_of(widget).rotate_left(3));
        }
    }
    kinds
}

fn type_of(widget: &Widget) -> u64 {
    let mut hasher = HashBuffer::default();
    hasher.text(&widget.class);
    hasher.text(widget.resource_id.as_deref().unwrap_or(""));
    hasher.finish()
}
