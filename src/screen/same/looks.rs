//! The similarity of two screens of one version of an app: the share of widget kinds that they have in common.

use crate::determinism::StableHasher;
use crate::{Layout, Text, Widget, WidgetIdx};

/// The features by which a layout is compared with others.
pub struct Looks {
    package: Text,
    activity: Text,
    /// Hashes of its kinds of widgets, sorted.
    kinds: Vec<u64>,
}

impl Looks {
    /// The looks of a whole layout.
    pub fn of(layout: &Layout) -> Looks {
        Looks::of_those(layout, |_| true)
    }

    /// Without what the items of lists contain, so that an empty list looks like a full one.
    pub fn without_items(layout: &Layout) -> Looks {
        Looks::of_those(layout, |idx| layout.list_item_around(idx).is_none())
    }

    fn of_those(layout: &Layout, counts: impl Fn(WidgetIdx) -> bool) -> Looks {
        let kind = |widget: &Widget| {
            let mut hasher = StableHasher::new();
            hasher.text(widget.resource_id.as_deref().unwrap_or(""));
            hasher.text(&widget.class);
            hasher.finish()
        };
        let counted = layout.iter().filter(|(idx, _)| counts(*idx));
        let mut kinds: Vec<u64> = counted.map(|(_, widget)| kind(widget)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        Looks { package: layout.package().into(), activity: layout.activity().clone(), kinds }
    }

    /// The share of widget kinds that two layouts have in common, in units of 1/10,000. `None` if they are not of the
    /// same screen: their apps or activities differ, or less than half of the kinds are common.
    pub fn likeness(&self, other: &Looks) -> Option<usize> {
        let told_apart = !self.activity.is_empty() && !other.activity.is_empty();
        if self.package != other.package || (told_apart && self.activity != other.activity) {
            return None;
        }
        let shared = self.kinds.iter().filter(|kind| other.kinds.binary_search(kind).is_ok()).count();
        let all = self.kinds.len() + other.kinds.len() - shared;
        let likeness = shared * 10_000 / all.max(1);
        (likeness >= 5_000).then_some(likeness)
    }
}
