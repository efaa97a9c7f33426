//! Distinct layouts of many tests, packed until the tests are judged.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::layouts::content_of;
use crate::oracle::may_belief::known::handled_on;
use crate::oracle::may_belief::{Handled, KnownLayout, LayoutId, VolatileViews};
use taproof_screen::Layout;
use taproof_screen::archive::Archive;

/// Distinct layouts, in the order of first appearance, with the events that they handle. A layout needs a fifth of the
/// memory that it does as a [`Layout`].
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct PackedLayouts {
    packed: Vec<PackedLayout>,
    by_content: BTreeMap<u64, LayoutId>,
    archive: Archive,
}

#[derive(Clone, Serialize, Deserialize)]
struct PackedLayout {
    layout: Vec<u8>,
    handled: Arc<[Handled]>,
}

impl PackedLayouts {
    /// The id of the layout, and the events that it handles. A new one is added if there are fewer than `most`;
    /// otherwise `None`.
    pub(crate) fn learn(
        &mut self,
        layout: &Layout,
        app: &str,
        most: usize,
    ) -> Option<(LayoutId, Arc<[Handled]>)> {
        let content = content_of(layout, &VolatileViews::default());
        let next = self.packed.len();
        let id = self.by_content.get(&content).copied().unwrap_or(next);
        if id == next {
            if id >= most {
                return None;
            }
            let handled = handled_on(layout, app);
            self.packed.push(PackedLayout { layout: self.archive.pack(layout)?, handled });
            self.by_content.insert(content, id);
        }
        Some((id, Arc::clone(&self.packed[id].handled)))
    }

    /// All layouts by id, unpacked. `None` if one is damaged.
    pub(crate) fn unpack(&mut self) -> Option<Vec<Arc<KnownLayout>>> {
        let PackedLayouts { packed, archive, .. } = self;
        let known = |packed: &PackedLayout| {
            let layout = Arc::new(archive.unpack(&packed.layout)?);
            Some(Arc::new(KnownLayout::handling(layout, Arc::clone(&packed.handled))))
        };
        packed.iter().map(known).collect()
    }

    /// Number of distinct layouts.
    pub(crate) fn len(&self) -> usize {
        self.packed.len()
    }
}
