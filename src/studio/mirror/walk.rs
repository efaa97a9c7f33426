//! A recorded walk in the phone's place: it is stepped through.

use std::sync::Arc;

use taproof_core::device::RecordedDevice;

use super::owner::Owner;
use super::{MirrorDevice, MirrorFact, PathPlace, Performed, Seen, WalkPlace};

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

    /// A recorded walk is a way that was gone already.
    pub(super) fn tell_walk(&self) {
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
            let place = PathPlace { path, step };
            let performed = Performed { place, event: event.event.clone(), before, after, again: false };
            self.teller.fact(MirrorFact::Performed(Arc::new(performed)));
        }
    }
}

pub(super) fn place_in(walk: &RecordedDevice) -> WalkPlace {
    WalkPlace {
        title: walk.title().to_owned(),
        step: walk.position(),
        last: walk.len(),
        next: walk.events().get(walk.position()).map(|event| (event.event.clone(), event.touched)),
    }
}
