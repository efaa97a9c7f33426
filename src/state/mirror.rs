//! What the phone panel shows.

use std::sync::Arc;

use crate::mirror::{FrameNo, MirrorNews, Shown};
use crate::model::{Layout, WidgetIdx};

/// What the phone panel shows.
#[derive(Default)]
pub struct MirrorState {
    /// The newest frame.
    pub shown: Option<Arc<Shown>>,
    /// Why the last command was not done.
    pub problem: Option<String>,
    sent: u64,
    done: u64,
}

impl MirrorState {
    /// Takes the worker's news.
    pub fn take(&mut self, news: MirrorNews) {
        self.shown = news.shown;
        self.done = news.done;
        self.problem = news.problem;
    }

    /// A command went to the worker, or found no room.
    pub fn sent(&mut self, accepted: bool) {
        if accepted {
            self.sent += 1;
        } else {
            self.problem = Some("The phone is busy. Try again in a moment.".to_owned());
        }
    }

    /// Whether the phone has something left to do.
    pub fn busy(&self) -> bool {
        self.sent > self.done
    }

    /// The layout shown.
    pub fn layout(&self) -> Option<&Arc<Layout>> {
        self.shown.as_ref().map(|shown| &shown.frame.layout)
    }

    /// The number of the frame shown.
    pub fn frame_no(&self) -> Option<FrameNo> {
        self.shown.as_ref().map(|shown| shown.no)
    }

    /// Whether a recorded walk is shown.
    pub fn is_walk(&self) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.walk.is_some())
    }

    /// The widget that was touched next in a recorded walk.
    pub fn touched(&self) -> Option<WidgetIdx> {
        self.shown.as_ref()?.walk.as_ref()?.next.as_ref()?.1
    }
}
