//! Shows a recorded walk in place of a phone.

use std::sync::Arc;

use super::owner::Owner;
use super::{MirrorDevice, MirrorFact, PathPosition, Performed, Seen};
use taproof_engine::device::RecordedDevice;

impl Owner {
    pub(super) fn walk(&self) -> Option<&RecordedDevice> {
        match &self.device {
            Some(MirrorDevice::Walk(walk)) => Some(walk),
            Some(MirrorDevice::Live(_)) | None => None,
        }
    }

    pub(super) fn seek(&mut self, to: impl FnOnce(usize) -> usize) {
        if let Some(MirrorDevice::Walk(walk)) = &mut self.device {
            walk.seek(to(walk.position()));
            self.looked = None;
        }
    }

    /// Reports all events of a recorded walk as if they had been performed.
    pub(super) fn publish_walk(&self) {
        let Some(walk) = self.walk() else { return };
        let path = self.path.no;
        let seen = |step: usize| {
            let frame = walk.frame(step)?.clone();
            Some(Arc::new(Seen { frame, png: walk.png(step).cloned() }))
        };
        let mut last = seen(0);
        for (step, event) in walk.events().iter().enumerate() {
            let (Some(before), Some(after)) = (last, seen(step + 1)) else { return };
            last = Some(Arc::clone(&after));
            let place = PathPosition { path, step };
            let performed = Performed { place, event: event.event.clone(), before, after, again: false };
            self.publisher.fact(MirrorFact::Performed(Arc::new(performed)));
        }
    }
}
