//! A person's choices for a recording. A draft only depends on the recorded steps and these choices, so that undo is a
//! return to earlier choices.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use taproof_screen::words;

use serde::{Deserialize, Serialize};

use super::preference::SelectorPreference;
use crate::{DataType, DmfKind, ImpactOp, Input, SpecSelector, WidgetState};
use taproof_screen::{Layout, RecordedStep, WidgetIdx};

/// Every choice that a person can make. Whatever is left out is proposed from the recording.
///
/// Steps and layouts are the recorded ones: layout k is the one before step k, the last one follows the last step. A
/// step of the DMF that was made from several recorded ones takes the choice for any of them.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftRequest {
    /// What the function does to the data.
    pub kind: DmfKind,
    /// The noun that the function works on, such as `folder`.
    pub data_type: DataType,
    /// Name of the DMF; `None` for verb and noun.
    pub name: Option<String>,
    /// Which of the recorded steps belong to the function.
    pub extent: Extent,
    /// The object that was created, or that an object was edited into. For a property: a text that it refers to.
    pub added: ObjectChoice,
    /// The object that was removed, or that was edited.
    pub removed: ObjectChoice,
    /// The object that was searched for or viewed. For a property: a known object.
    pub sought: ObjectChoice,
    /// Chosen selectors, by recorded step.
    pub selectors: BTreeMap<usize, SpecSelector>,
    /// Recorded steps that may fail.
    pub optional: BTreeSet<usize>,
    /// Chosen inputs, by recorded step.
    pub inputs: BTreeMap<usize, Input>,
    /// Whether the screen is scrolled to the text of the step's widget before the step, by recorded step.
    pub scroll_to: BTreeMap<usize, bool>,
    /// Preconditions in addition to the proposed ones.
    pub preconditions: Vec<ConditionChoice>,
    /// Postconditions in addition to the proposed ones.
    pub postconditions: Vec<ConditionChoice>,
    /// Keys of the proposed conditions that are not wanted (`ConditionTruth::key`).
    pub without: BTreeSet<String>,
    /// How the data change; `None` for the usual impacts of the kind.
    pub impacts: Option<Vec<ImpactChoice>>,
    /// Screens that were seen before the recording began, the oldest first.
    pub seen: Vec<Arc<Layout>>,
    /// The steps from the fresh start of the app to the recording; `None` if they are unknown.
    pub lead: Option<Vec<RecordedStep>>,
    /// Steps of the lead-in that are not wanted (`LeadStep::at`).
    pub without_lead: BTreeSet<usize>,
    /// The kind of selector to choose where several name a widget alone.
    pub prefer: SelectorPreference,
}

/// Which recorded steps belong to the function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// From the last screen on which it can start to the first that shows its result.
    #[default]
    Proposed,
    /// All recorded steps.
    Whole,
    /// The recorded steps of this range.
    Steps(Range<usize>),
}

/// A widget that was picked on a recorded layout.
#[derive(Clone, Debug, PartialEq)]
pub struct PickedWidget {
    /// Index of the recorded layout.
    pub layout: usize,
    /// The widget on that layout.
    pub widget: WidgetIdx,
    /// The selector; `None` for that of `choose_selector`.
    pub selector: Option<SpecSelector>,
}

/// A person's choices for one object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectChoice {
    /// The text of the object; `None` for that of the picked widget or, without one, the proposed text.
    pub text: Option<String>,
    /// The widget that it is read from; `None` for the proposed one.
    pub read: Option<PickedWidget>,
    /// A widget like the one that must show it at the end, or must not, on any recorded layout; `None` for the proposed
    /// one.
    pub expected: Option<PickedWidget>,
    /// Whether the end must show it; `None` for the default of the kind.
    pub shown: Option<bool>,
}

words! {
    /// The role of an object in a function.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Role {
        /// The object was created.
        Added = "added",
        /// The object was removed.
        Removed = "removed",
        /// The object was searched for or viewed.
        Sought = "sought",
    }
    /// The role as one word, such as `added`.
    pub fn word;
    /// All roles, in the order of their declaration.
    pub const ALL;
}

/// A condition that a person adds: the picked widget is shown, or is not.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionChoice {
    /// The widget that the condition refers to.
    pub picked: PickedWidget,
    /// Whether the widget must be shown; otherwise it must not.
    pub shown: bool,
    /// The state in which it must, or must not, be shown; `None` for any.
    pub state: Option<WidgetState>,
}

/// A change of the data that a person adds.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactChoice {
    /// The operation on the list of the data type.
    pub op: ImpactOp,
    /// The role of the object that it is applied to.
    pub role: Role,
}

impl DraftRequest {
    /// A request that leaves everything else to the proposal.
    pub fn new(kind: DmfKind, data_type: impl Into<DataType>) -> Self {
        DraftRequest {
            kind,
            data_type: data_type.into(),
            name: None,
            extent: Extent::Proposed,
            added: ObjectChoice::default(),
            removed: ObjectChoice::default(),
            sought: ObjectChoice::default(),
            selectors: BTreeMap::new(),
            optional: BTreeSet::new(),
            inputs: BTreeMap::new(),
            scroll_to: BTreeMap::new(),
            preconditions: Vec::new(),
            postconditions: Vec::new(),
            without: BTreeSet::new(),
            impacts: None,
            seen: Vec::new(),
            lead: None,
            without_lead: BTreeSet::new(),
            prefer: SelectorPreference::default(),
        }
    }

    /// The choices for the object in a role.
    pub fn object(&self, role: Role) -> &ObjectChoice {
        match role {
            Role::Added => &self.added,
            Role::Removed => &self.removed,
            Role::Sought => &self.sought,
        }
    }

    /// The choices for the object in a role, to be changed.
    pub fn object_mut(&mut self, role: Role) -> &mut ObjectChoice {
        match role {
            Role::Added => &mut self.added,
            Role::Removed => &mut self.removed,
            Role::Sought => &mut self.sought,
        }
    }

    /// Name of the DMF: the chosen one, or verb and noun.
    pub fn dmf_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("{} {}", self.kind.word(), self.data_type))
    }
}

/// The object with this text, or the proposed one.
impl From<Option<String>> for ObjectChoice {
    fn from(text: Option<String>) -> Self {
        ObjectChoice { text, ..ObjectChoice::default() }
    }
}

impl PickedWidget {
    /// This widget, with the recorder's own selector.
    pub fn new(layout: usize, widget: WidgetIdx) -> Self {
        PickedWidget { layout, widget, selector: None }
    }
}

/// The choice for a step that was made from a range of recorded ones.
pub(super) fn chosen<'c, T>(choices: &'c BTreeMap<usize, T>, recorded: &Range<usize>) -> Option<&'c T> {
    choices.range(recorded.clone()).next().map(|(_, choice)| choice)
}
