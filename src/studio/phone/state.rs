//! The state of the phone panel.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::takeover::TraceSource;
use crate::mirror::{
    Divergence, FrameNo, MAX_PICTURES, MirrorFact, MirrorNews, PathNo, Performed, Redoing, Seen, Shown,
};
use taproof_campaign::Target;
use taproof_screen::{Initialiser, Layout, Widget, WidgetFlags, WidgetIdx};

/// Number of abandoned paths that are remembered.
const MAX_PAST: usize = 4;

/// The state of the phone panel.
#[derive(Default)]
pub struct MirrorState {
    /// The newest frame. `None` until there is a device.
    pub shown: Option<Arc<Shown>>,
    /// Why the last command failed. `None` if it succeeded.
    pub problem: Option<String>,
    /// A problem with the layouts of the device.
    pub warning: Option<String>,
    /// The phone's path since its fresh start.
    pub walked: WalkedPath,
    /// Abandoned paths, the newest last. What was recorded on them can still be taken over.
    pub past: Vec<WalkedPath>,
    /// Progress of a running re-execution.
    pub redoing: Option<Redoing>,
    /// Whether the device was disconnected or could not be opened.
    pub gone: bool,
    sent: u64,
    done: u64,
    /// The number of the last command that opens another device, until that device is shown.
    opening: Option<u64>,
    /// The origins of paths that commands begin, by the command's number.
    origins: BTreeMap<u64, WayOrigin>,
    /// The position of the replay's cursor that the phone last followed.
    pub(super) cursor: Option<(TraceSource, usize)>,
    /// When a re-execution last performed a step, in seconds of the window's clock.
    pub(super) stepped: Option<f64>,
}

/// The phone's path from a fresh start, including the steps ahead if the phone was moved back.
#[derive(Default)]
pub struct WalkedPath {
    /// The number of the path.
    pub path: PathNo,
    /// The screen at its start.
    pub start: Option<Arc<Seen>>,
    /// The performed events in order.
    pub steps: Vec<Arc<Performed>>,
    /// The origin of the path. `None` for a recorded walk.
    pub origin: Option<WayOrigin>,
    /// The first divergence of a re-execution on this path.
    pub diverged: Option<Arc<Divergence>>,
}

/// What a path began with: an app launched with empty data on a fresh phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayOrigin {
    /// The app and its phone.
    pub target: Target,
    /// The steps performed after the launch, before the path begins.
    pub initialiser: Option<Arc<Initialiser>>,
}

impl WalkedPath {
    /// This app on the phone on which the path began, or on the bundled phone if that is unknown.
    pub fn target(&self, app: &str) -> Target {
        let origin = self.origin.as_ref().map(|origin| origin.target.clone());
        Target { app: app.to_owned(), ..origin.unwrap_or_default() }
    }

    /// Takes a fact that the mirror reported.
    pub fn take(&mut self, fact: MirrorFact) {
        match fact {
            MirrorFact::Began { path, start, .. } => {
                *self = WalkedPath { path, start: Some(start), ..WalkedPath::default() };
            }
            MirrorFact::Performed(performed) if performed.place.path == self.path => {
                match self.steps.get_mut(performed.place.step).filter(|_| performed.again) {
                    Some(known) => *known = performed,
                    None => {
                        self.steps.truncate(performed.place.step);
                        self.steps.push(performed);
                        self.drop_old_picture();
                    }
                }
            }
            MirrorFact::Diverged(path, divergence) if path == self.path => {
                self.diverged = self.diverged.take().or(Some(divergence));
            }
            // The fact belongs to an abandoned path.
            MirrorFact::Performed(_) | MirrorFact::Diverged(..) => {}
        }
    }
}

impl WalkedPath {
    /// Drops the pictures of the step that is now more than [`MAX_PICTURES`] events back.
    fn drop_old_picture(&mut self) {
        let old = self.steps.len().checked_sub(MAX_PICTURES + 1);
        if let Some(step) = old.and_then(|place| self.steps.get_mut(place)) {
            let (before, after) = (step.before.without_picture(), step.after.without_picture());
            *step = Arc::new(Performed { before, after, ..Performed::clone(step) });
        }
    }
}

impl MirrorState {
    /// Takes the newest state of the worker.
    pub fn take(&mut self, news: MirrorNews) {
        self.shown = news.shown;
        self.done = news.done;
        self.problem = news.problem;
        self.warning = news.warning;
        self.redoing = news.redoing;
        self.gone = news.gone;
        self.opening = self.opening.filter(|order| *order > self.done);
    }

    /// Called after a command that opens another device was sent, with its number and the origin of the path that it
    /// begins. A recorded walk has none.
    pub fn opens(&mut self, order: u64, origin: Option<WayOrigin>) {
        self.opening = Some(order);
        if let Some(origin) = origin {
            self.begins(order, origin);
        }
    }

    /// Sets the origin of the path that a command begins, or for 0 the first device.
    pub fn begins(&mut self, order: u64, origin: WayOrigin) {
        self.origins.insert(order, origin);
    }

    /// The origin of the path that a command begins, until it has begun.
    pub fn origin_of(&self, order: u64) -> Option<&WayOrigin> {
        self.origins.get(&order)
    }

    /// Whether another device is being opened, so that what is shown is not it.
    pub fn opening(&self) -> bool {
        self.opening.is_some()
    }

    /// Takes a fact that the mirror reported.
    pub fn take_fact(&mut self, fact: MirrorFact) {
        let MirrorFact::Began { order, .. } = &fact else { return self.walked.take(fact) };
        self.opening = self.opening.filter(|opening| opening > order);
        let origin = self.origins.remove(order);
        self.origins.retain(|later, _| later > order);
        if !self.walked.steps.is_empty() && self.walked.origin.is_some() {
            self.past.push(std::mem::take(&mut self.walked));
            let old = self.past.len().saturating_sub(MAX_PAST);
            self.past.drain(..old);
        }
        self.walked.take(fact);
        self.walked.origin = origin;
    }

    /// Returns the path with this number, if it is still known.
    pub fn way(&self, path: PathNo) -> Option<&WalkedPath> {
        std::iter::once(&self.walked).chain(&self.past).find(|way| way.path == path)
    }

    /// Called after a command was sent to the worker, which accepted it or had no space.
    pub fn sent(&mut self, accepted: bool) {
        if accepted {
            self.sent += 1;
        } else {
            self.problem = Some("The phone is busy. Try again in a moment.".to_owned());
        }
    }

    /// Whether the worker has commands left to execute.
    pub fn busy(&self) -> bool {
        self.sent > self.done
    }

    /// Whether a text field of the live phone has the focus.
    pub fn takes_text(&self) -> bool {
        let focused = |widget: &Widget| widget.is_text_field() && widget.flags.has(WidgetFlags::FOCUSED);
        !self.is_walk() && self.layout().is_some_and(|layout| layout.widgets().iter().any(focused))
    }

    /// The layout of the frame shown.
    pub fn layout(&self) -> Option<&Arc<Layout>> {
        self.shown.as_ref().map(|shown| &shown.frame.layout)
    }

    /// Number of events before the phone's position on its path.
    pub fn stands(&self) -> usize {
        self.shown.as_ref().map_or(0, |shown| shown.place.step)
    }

    /// The number of the frame shown.
    pub fn frame_no(&self) -> Option<FrameNo> {
        self.shown.as_ref().map(|shown| shown.no)
    }

    /// Whether a recorded walk is shown.
    pub fn is_walk(&self) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.walk.is_some())
    }

    /// The widget touched by the next event of a recorded walk.
    pub fn touched(&self) -> Option<WidgetIdx> {
        self.shown.as_ref()?.walk.as_ref()?.next.as_ref()?.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_being_opened_until_its_command_is_done() {
        let mut mirror = MirrorState::default();
        assert!(!mirror.opening());
        mirror.opens(2, None);
        mirror.take(MirrorNews { done: 1, ..MirrorNews::default() });
        assert!(mirror.opening(), "an earlier command is done");
        mirror.take(MirrorNews { done: 2, gone: true, ..MirrorNews::default() });
        assert!(!mirror.opening(), "also if it fails");
    }
}
