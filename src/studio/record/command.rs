//! Commands about the recording, and what they depend on.

use std::sync::Arc;

use super::{Known, RecordEdit};
use crate::mirror::{PathPosition, Performed};
use crate::phone::WalkedPath;
use taproof_campaign::Target;
use taproof_screen::{Initialiser, Layout, WidgetIdx};
use taproof_spec::Role;

/// A command about the recording.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordCommand {
    /// Begins the recording of a new function at the phone's position.
    Begin,
    /// Resumes recording after the last recorded step.
    GoOn,
    /// Ends recording, so that the steps can be reviewed.
    End,
    /// Discards the recording; undo brings it back.
    Discard,
    /// Makes the steps of the phone's path from this one to the phone's position the recording.
    Take(usize),
    /// Undoes the last change.
    Undo,
    /// Redoes the change that was undone last.
    Redo,
    /// Changes the steps or the choices.
    Edit(RecordEdit),
    /// Selects a step and moves the phone to the screen before it. The number of steps selects the end.
    Show(Option<usize>),
    /// Records a step again; the steps after it stay.
    Again(usize),
    /// Records further steps before this one.
    Before(usize),
    /// Asks for a widget on the phone.
    Pick(PickFor),
    /// The widget that was picked, in the phone's layout.
    Picked(WidgetIdx),
    /// Stops asking for a widget.
    Unpick,
    /// Tries the DMF with *Try it*.
    Try,
    /// Saves the DMF into the app's document.
    Keep,
}

/// The purpose for which a widget is picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickFor {
    /// It shows the object with this role.
    Object(Role),
    /// It is like the widget that would show the object with this role, which must not be shown.
    Place(Role),
    /// It is the widget of a new condition.
    Condition {
        /// Whether the condition is checked after the function instead of before it.
        post: bool,
        /// Whether the widget must be shown instead of not.
        shown: bool,
    },
}

/// The phase of the recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordPhase {
    /// There is no recording.
    #[default]
    Idle,
    /// Events on the phone are added to the recording.
    Recording,
    /// The recording has ended and can be corrected, tried and saved.
    Review,
}

/// Where the next event is inserted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InsertAt {
    /// After the last step.
    #[default]
    End,
    /// Before the step with this index.
    Before(usize),
    /// Instead of the step with this index, once the event is performed.
    Replace(usize),
}

/// Where the phone must be moved.
#[derive(Clone, Debug)]
pub enum StandAt {
    /// To this position of its path.
    Place(PathPosition),
    /// To the end of these events, which are performed again on a fresh phone.
    Redo(Vec<Arc<Performed>>),
}

/// What the recording needs to know of the rest of the window.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// The phone's path since its fresh start.
    pub walked: &'a WalkedPath,
    /// Number of events before the phone's position on that path.
    pub stands: usize,
    /// The layout that the phone shows, if any.
    pub layout: Option<&'a Arc<Layout>>,
    /// Package of the app on the phone.
    pub app: &'a str,
    /// What the app's specifications contain.
    pub known: &'a Known,
}

impl Around<'_> {
    /// The initial steps on the phone's path.
    pub(super) fn initialiser(&self) -> Option<Arc<Initialiser>> {
        self.walked.origin.as_ref().and_then(|origin| origin.initialiser.clone())
    }

    /// The app, with the phone that the path began on.
    pub(super) fn target(&self) -> Target {
        self.walked.target(self.app)
    }
}
