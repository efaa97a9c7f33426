//! What the phone panel shows.

use std::sync::Arc;

use super::settings::BuildChoice;
use crate::mirror::{
    Divergence, FrameNo, MAX_PICTURES, MirrorFact, MirrorNews, PathNo, Performed, Redoing, Seen, Shown,
};
use taproof_core::model::{Initialiser, Layout, Widget, WidgetFlags, WidgetIdx};

/// Ways that are remembered after they were left.
const MAX_PAST: usize = 4;

/// What the phone panel shows.
#[derive(Default)]
pub struct MirrorState {
    /// The newest frame.
    pub shown: Option<Arc<Shown>>,
    /// Why the last command was not done.
    pub problem: Option<String>,
    /// What was done on the phone since its fresh start.
    pub walked: Walked,
    /// Ways that were left, the newest last: what was recorded on them can still be taken over.
    pub past: Vec<Walked>,
    /// How far the phone is with doing a trace again.
    pub redoing: Option<Redoing>,
    /// The device went away.
    pub gone: bool,
    sent: u64,
    done: u64,
}

/// The way from a fresh start to where the phone stands, and what of it lies ahead after it was put back.
#[derive(Default)]
pub struct Walked {
    /// Which way.
    pub path: PathNo,
    /// What was seen at its start.
    pub start: Option<Arc<Seen>>,
    /// The events in order.
    pub steps: Vec<Arc<Performed>>,
    /// What stood fresh at its start; `None` for a recorded walk.
    pub origin: Option<WayOrigin>,
    /// Where a trace that was done again came elsewhere first.
    pub diverged: Option<Arc<Divergence>>,
}

/// The app that a way begins with, launched with empty data on a fresh phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayOrigin {
    /// Its package.
    pub app: String,
    /// Which of its bugs are on.
    pub build: BuildChoice,
    /// What was done after the launch, before the way begins.
    pub initialiser: Option<Arc<Initialiser>>,
}

impl Walked {
    /// Takes what happened.
    pub fn take(&mut self, fact: MirrorFact) {
        match fact {
            MirrorFact::Began { path, start, .. } => {
                *self = Walked { path, start: Some(start), ..Walked::default() };
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
            // Of a way that is left already.
            MirrorFact::Performed(_) | MirrorFact::Diverged(..) => {}
        }
    }
}

impl Walked {
    /// Forgets the pictures of the step that has just become too old for them.
    fn drop_old_picture(&mut self) {
        let old = self.steps.len().checked_sub(MAX_PICTURES + 1);
        if let Some(step) = old.and_then(|place| self.steps.get_mut(place)) {
            let (before, after) = (step.before.without_picture(), step.after.without_picture());
            *step = Arc::new(Performed { before, after, ..Performed::clone(step) });
        }
    }
}

impl MirrorState {
    /// Takes the worker's news.
    pub fn take(&mut self, news: MirrorNews) {
        self.shown = news.shown;
        self.done = news.done;
        self.problem = news.problem;
        self.redoing = news.redoing;
        self.gone = news.gone;
    }

    /// Takes what happened on the phone. `origin` is what stood fresh at the start of a way that begins.
    pub fn take_fact(&mut self, fact: MirrorFact, origin: Option<WayOrigin>) {
        let begins = matches!(fact, MirrorFact::Began { .. });
        if begins && !self.walked.steps.is_empty() && self.walked.origin.is_some() {
            self.past.push(std::mem::take(&mut self.walked));
            let old = self.past.len().saturating_sub(MAX_PAST);
            self.past.drain(..old);
        }
        self.walked.take(fact);
        if begins {
            self.walked.origin = origin;
        }
    }

    /// The way of that number, if it is still known.
    pub fn way(&self, path: PathNo) -> Option<&Walked> {
        std::iter::once(&self.walked).chain(&self.past).find(|way| way.path == path)
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

    /// Whether a field of the live phone takes what is typed.
    pub fn takes_text(&self) -> bool {
        let focused = |widget: &Widget| widget.is_text_field() && widget.flags.has(WidgetFlags::FOCUSED);
        !self.is_walk() && self.layout().is_some_and(|layout| layout.widgets().iter().any(focused))
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
