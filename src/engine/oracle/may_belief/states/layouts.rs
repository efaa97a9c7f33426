//! Distinct layouts, stored once; everything else refers to them by index.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::oracle::may_belief::{KnownLayout, VolatileViews};
use taproof_screen::Layout;
use taproof_screen::determinism::HashBuffer;

/// An index into [`Layouts`].
pub type LayoutId = usize;

/// Distinct layouts, in the order of first appearance.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Layouts {
    known: Vec<Arc<KnownLayout>>,
    by_content: BTreeMap<u64, LayoutId>,
}

impl Layouts {
    /// The id of the layout, if it is known.
    pub fn find(&self, layout: &Layout, volatile: &VolatileViews) -> Option<LayoutId> {
        self.by_content.get(&content_of(layout, volatile)).copied()
    }

    /// The id of the layout. A new one is added if there are fewer than `most`; otherwise `None`.
    pub fn learn(
        &mut self,
        layout: &Layout,
        volatile: &VolatileViews,
        most: usize,
        known: impl FnOnce() -> KnownLayout,
    ) -> Option<LayoutId> {
        let content = content_of(layout, volatile);
        if let Some(id) = self.by_content.get(&content) {
            return Some(*id);
        }
        let id = self.known.len();
        if id >= most {
            return None;
        }
        self.known.push(Arc::new(known()));
        self.by_content.insert(content, id);
        Some(id)
    }

    /// The layout with this id, which must come from this list.
    pub fn get(&self, id: LayoutId) -> &Arc<KnownLayout> {
        &self.known[id]
    }

    /// All layouts, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<KnownLayout>> {
        self.known.iter()
    }

    /// Number of distinct layouts.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there are no layouts.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

/// Hash of everything that events and fingerprints can depend on, without the positions of widgets.
pub(crate) fn content_of(layout: &Layout, volatile: &VolatileViews) -> u64 {
    let mut hasher = HashBuffer::default();
    hasher.text(layout.activity());
    for (idx, widget) in layout.iter() {
        hasher.u64(widget.parent.map_or(u64::MAX, |parent| u64::from(parent.0)));
        hasher.text(&widget.class);
        hasher.text(widget.resource_id.as_deref().unwrap_or(""));
        hasher.u64(u64::from(widget.flags.0));
        if !volatile.masks(layout, idx) {
            hasher.text(&widget.text);
            hasher.text(&widget.content_desc);
        }
    }
    hasher.finish()
}
