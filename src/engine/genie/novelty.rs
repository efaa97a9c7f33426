//! What a test changes that few others change. A seed test can only lose effects that it has, so walks with rare
//! changes become seed tests (paper.md, section 6).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::detours::Planned;
use super::gui_model::{Act, EventClass};
use super::seed::SeedTest;
use crate::oracle::layout_effects::LabelBasis;
use taproof_screen::determinism::HashBuffer;
use taproof_screen::{CandidateAction, Layout, LayoutKey, Same, Widget, headline};

/// Hash of what an event of a test did: of the event's class, the page, and which types of widgets came or went, or of
/// the states that it led from and to.
pub type ChangeKind = u64;

/// Something that an event of a test did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Novelty {
    /// Number of events of the test up to and including this one.
    pub events: usize,
    /// Hash of what was done.
    pub kind: ChangeKind,
    /// Whether it changed a page that the test had seen before; otherwise it only led from one state to another.
    pub change: bool,
}

/// What the events of a test did, given these changes. Each kind is listed once, where it first occurred. Kinds also
/// differ by the pages behind the one on which the event was performed, since the paper's layouts include the stack of
/// activities.
pub fn shown_by(seed: &SeedTest, changes: &BTreeSet<PageChange>, basis: LabelBasis) -> Vec<Novelty> {
    let layouts = seed.layouts();
    let behind: Vec<u64> = seed.openings().iter().map(|opening| hash_of(&opening.behind)).collect();
    let mut first: BTreeMap<ChangeKind, Novelty> = BTreeMap::new();
    for PageChange { events, kind, .. } in changes {
        let kind = hash_of([&LayoutKey(*kind), &LayoutKey(behind[*events])]);
        first.entry(kind).or_insert(Novelty { events: *events, kind, change: true });
    }
    let state = |index: usize| layouts.get(index)?.as_ref().map(|layout| basis.abstract_id(layout));
    for (index, event) in seed.planned.iter().enumerate() {
        let (Some(from), Some(to)) = (state(index), state(index + 1)) else { continue };
        let kind = change_kind(event, hash_of([&from, &LayoutKey(behind[index])]), to.0);
        first.entry(kind).or_insert(Novelty { events: index + 1, kind, change: false });
    }
    first.into_values().collect()
}

fn hash_of<'k>(keys: impl IntoIterator<Item = &'k LayoutKey>) -> u64 {
    let mut hasher = HashBuffer::default();
    keys.into_iter().for_each(|key| hasher.u64(key.0));
    hasher.finish()
}

/// A change of a page that the test had seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageChange {
    /// Number of events of the test up to and including the one that caused it.
    pub events: usize,
    /// The class of that event.
    pub class: EventClass,
    /// Hash of what changed, together with the event's class and the page.
    pub kind: ChangeKind,
}

/// The changes that the events of a test made on pages that it had seen before.
pub fn changes(layouts: &[Option<Arc<Layout>>], planned: &[Planned]) -> BTreeSet<PageChange> {
    let mut found = BTreeSet::new();
    let mut typed: BTreeSet<&str> = BTreeSet::new();
    // For each page, its first layout of the visit before the current one, and of the current one.
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
            let change = |kind| PageChange {
                events: index,
                class: event.class(),
                kind: change_kind(event, page, kind),
            };
            found.extend(kinds.into_iter().map(change));
        }
    }
    found
}

fn page_of(layout: &Layout) -> u64 {
    let mut hasher = HashBuffer::default();
    hasher.u64(layout.key(Same::Page).0);
    hasher.text(headline(layout).map_or("", |idx| &layout.widget(idx).text));
    hasher.finish()
}

fn change_kind(event: &Planned, page: u64, kind: u64) -> ChangeKind {
    let mut hasher = HashBuffer::default();
    let class = event.class();
    for part in [class.0, class.1, page, kind] {
        hasher.u64(part);
    }
    hasher.finish()
}

/// Hashes of the types of widgets of which there are more or fewer than before, and of those that show a typed text
/// that nothing showed before.
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

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Event, Key, Step, StepRole, Trace, WidgetIdx, frame_of, layout_from};

    #[test]
    fn what_counts_is_a_change_of_a_page_that_was_seen_before() {
        let list = |rows: &str| {
            Arc::new(layout_from(&format!(
                "FrameLayout\n  TextView \"Notes\"\n  Button#add\n  ListView\n{rows}"
            )))
        };
        let form = |name: &str| {
            let form = layout_from(&format!(
                "LinearLayout\n  TextView \"New\"\n  EditText#name \"{name}\"\n  Button#save\n"
            ));
            Arc::new(form.with_activity("org.ex/.Form".into()))
        };
        let layouts = [list(""), form(""), form("owl"), list("    TextView#row \"owl\"\n")];
        let event = |index: usize, action, widget| Planned {
            act: Act::On(action, WidgetIdx(widget)),
            text: if action == CandidateAction::SetText { "owl".to_owned() } else { String::new() },
            on: Arc::clone(&layouts[index]),
        };
        let planned = vec![
            event(0, CandidateAction::Tap, 2),
            event(1, CandidateAction::SetText, 2),
            event(2, CandidateAction::Tap, 3),
        ];
        let seen: Vec<Option<Arc<Layout>>> = layouts.iter().cloned().map(Some).collect();
        let changes = changes(&seen, &planned);
        // One row more, and one that shows what was typed.
        let told: Vec<(usize, EventClass)> =
            changes.iter().map(|change| (change.events, change.class)).collect();
        assert_eq!(told, [(3, planned[2].class()); 2]);
        let mut trace = Trace::start(frame_of(Layout::clone(&layouts[0])));
        for layout in &layouts[1..] {
            let (event, after) = (Event::Key(Key::Back), frame_of(Layout::clone(layout)));
            trace.push(Step { event, role: StepRole::Seed, after });
        }
        let seed = SeedTest { trace, planned, unstable: Vec::new() };
        let shown = shown_by(&seed, &changes, LabelBasis::default());
        assert_eq!(shown.iter().filter(|shown| shown.change && shown.events == 3).count(), 2);
    }
}
