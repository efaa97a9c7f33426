//! What is asked of the recording, and what it needs to know for it.

use std::sync::Arc;

use super::{Known, RecordEdit};
use crate::mirror::{PathPlace, Performed};
use crate::state::mirror::Walked;
use crate::state::settings::BuildChoice;
use taproof_core::model::{Initialiser, Layout, WidgetIdx};
use taproof_core::spec::Role;

/// What panels ask of the recording.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordCommand {
    /// Records from here on, a new function.
    Begin,
    /// Goes on where the recorded steps end.
    GoOn,
    /// Records no more.
    End,
    /// Forgets the recording.
    Discard,
    /// Takes the steps of the phone's way from this one on, up to where the phone stands.
    Take(usize),
    /// Takes the last change back.
    Undo,
    /// Makes it again.
    Redo,
    /// Changes the steps or what the person says of them.
    Edit(RecordEdit),
    /// Chooses a step and puts the phone before it; the number of steps stands for the end.
    Show(Option<usize>),
    /// Records a step again; those behind it stay.
    Again(usize),
    /// Records steps before this one.
    Before(usize),
    /// Asks for a widget on the phone.
    Pick(PickFor),
    /// That widget, on the phone's layout.
    Picked(WidgetIdx),
    /// Asks no more.
    Unpick,
    /// Tries the DMF.
    Try,
    /// Puts the DMF into the document of the app.
    Keep,
}

/// What a widget is picked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickFor {
    /// The object of a role.
    Object(Role),
    /// A widget like the one that would show the object, which must not be shown.
    Place(Role),
    /// A condition, before the function or after it: a widget that must be shown, or must not.
    Condition {
        /// After it.
        post: bool,
        /// Whether the widget must be shown.
        shown: bool,
    },
}

/// How far the recording is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordPhase {
    /// There is none.
    #[default]
    Idle,
    /// What is done on the phone joins it.
    Recording,
    /// It is looked at.
    Review,
}

/// Where the next event goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InsertAt {
    /// Behind the last step.
    #[default]
    End,
    /// Before the step of that number.
    Before(usize),
    /// In the place of the step of that number, once it is done.
    Replace(usize),
}

/// Where the phone is to be put.
#[derive(Clone, Debug)]
pub enum StandAt {
    /// Its way comes there.
    Place(PathPlace),
    /// These events are done again on a fresh phone.
    Redo(Vec<Arc<Performed>>),
}

/// What the recording needs to know of the rest of the window.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// The way of the phone.
    pub walked: &'a Walked,
    /// After how many of its events the phone stands.
    pub stands: usize,
    /// What the phone shows.
    pub layout: Option<&'a Arc<Layout>>,
    /// Package of the app on the phone.
    pub app: &'a str,
    /// What the app's specifications say.
    pub known: &'a Known,
}

impl Around<'_> {
    /// What was done first on the phone.
    pub(super) fn initialiser(&self) -> Option<Arc<Initialiser>> {
        self.walked.origin.as_ref().and_then(|origin| origin.initialiser.clone())
    }

    /// Which bugs of the app on the phone are on.
    pub(super) fn build(&self) -> BuildChoice {
        self.walked.origin.as_ref().map(|origin| origin.build.clone()).unwrap_or_default()
    }
}
