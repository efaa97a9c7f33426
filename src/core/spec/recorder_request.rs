//! What a person says of a recording. A draft is made of the recorded steps and of this alone, so that
//! undoing is to go back to an earlier one.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::recorder::RecordedStep;
use super::{DataType, DmfKind, ImpactOp, Input, SpecSelector, WidgetState};
use crate::model::{Layout, WidgetIdx};

/// Every choice that a person can make. What is left out is proposed from the recording.
///
/// Steps and layouts are those that were recorded: layout k is the one before step k, the last one follows the
/// last step. A step of the DMF that stands for several recorded ones takes the choice of any of them.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftRequest {
    /// What was done to the data.
    pub kind: DmfKind,
    /// The noun.
    pub data_type: DataType,
    /// The DMF's name; else the verb of the kind and the noun.
    pub name: Option<String>,
    /// Which of the recorded steps belong to it.
    pub extent: Extent,
    /// The object that was made, or that the edited one became. In a property: a text that it speaks of.
    pub added: ObjectChoice,
    /// The object that was removed, or that the edited one was.
    pub removed: ObjectChoice,
    /// The object that was searched or viewed. In a property: a known object.
    pub sought: ObjectChoice,
    /// How the widget of a step is named.
    pub selectors: BTreeMap<usize, SpecSelector>,
    /// Steps that may fail.
    pub optional: BTreeSet<usize>,
    /// What a step types.
    pub inputs: BTreeMap<usize, Input>,
    /// Whether the screen is scrolled to the text of a step's widget before the step.
    pub scroll_to: BTreeMap<usize, bool>,
    /// Preconditions beside the proposed ones.
    pub preconditions: Vec<ConditionChoice>,
    /// Postconditions beside the proposed ones.
    pub postconditions: Vec<ConditionChoice>,
    /// Proposed conditions that are not wanted, by their keys (`ConditionTruth::key`).
    pub without: BTreeSet<String>,
    /// How the data change; else as the kind says.
    pub impacts: Option<Vec<ImpactChoice>>,
    /// Screens that were seen before the recording began, the oldest first.
    pub seen: Vec<Arc<Layout>>,
    /// What was done from the fresh start of the app to the recording; `None` where nobody knows.
    pub lead: Option<Vec<RecordedStep>>,
    /// Steps of the way to the function that are not wanted (`LeadStep::at`).
    pub without_lead: BTreeSet<usize>,
}

/// Which recorded steps belong to the function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// From the last screen where it starts to the first that shows its result.
    #[default]
    Proposed,
    /// All of them.
    Whole,
    /// These.
    Steps(Range<usize>),
}

/// A widget that was picked on a recorded layout.
#[derive(Clone, Debug, PartialEq)]
pub struct PickedWidget {
    /// The recorded layout.
    pub layout: usize,
    /// The widget there.
    pub widget: WidgetIdx,
    /// How it is named; else as `choose_selector` says.
    pub selector: Option<SpecSelector>,
}

/// What is said of one object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectChoice {
    /// Its text; else that of the picked widget, or else proposed.
    pub text: Option<String>,
    /// Where it is read.
    pub read: Option<PickedWidget>,
    /// A widget like the one that must show it in the end, or must not; on any recorded layout.
    pub expected: Option<PickedWidget>,
    /// Whether the end must show it; else as the kind says.
    pub shown: Option<bool>,
}

/// The part that an object plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// It was made.
    Added,
    /// It was removed.
    Removed,
    /// It was searched or viewed.
    Sought,
}

/// A condition that a person adds: the picked widget is shown, or is not.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionChoice {
    /// Which.
    pub picked: PickedWidget,
    /// Whether it must be.
    pub shown: bool,
    /// The state in which it must be shown, or must not.
    pub state: Option<WidgetState>,
}

/// A change of the data that a person says.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactChoice {
    /// What happens.
    pub op: ImpactOp,
    /// To which object.
    pub role: Role,
}

impl DraftRequest {
    /// Leaves everything else to the proposal.
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
        }
    }

    /// What is said of the object in a role.
    pub fn object(&self, role: Role) -> &ObjectChoice {
        match role {
            Role::Added => &self.added,
            Role::Removed => &self.removed,
            Role::Sought => &self.sought,
        }
    }

    /// What is said of the object in a role, to be changed.
    pub fn object_mut(&mut self, role: Role) -> &mut ObjectChoice {
        match role {
            Role::Added => &mut self.added,
            Role::Removed => &mut self.removed,
            Role::Sought => &mut self.sought,
        }
    }

    /// The DMF's name.
    pub fn dmf_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("{} {}", self.kind.word(), self.data_type))
    }
}

/// An object of that text, or a proposed one.
impl From<Option<String>> for ObjectChoice {
    fn from(text: Option<String>) -> Self {
        ObjectChoice { text, ..ObjectChoice::default() }
    }
}

impl PickedWidget {
    /// That widget, named as the recorder names it.
    pub fn new(layout: usize, widget: WidgetIdx) -> Self {
        PickedWidget { layout, widget, selector: None }
    }
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 3] = [Role::Added, Role::Removed, Role::Sought];

    /// The word for it, such as `added`.
    pub fn word(self) -> &'static str {
        match self {
            Role::Added => "added",
            Role::Removed => "removed",
            Role::Sought => "sought",
        }
    }
}

/// The choice for a step that stands for a range of recorded ones.
pub(super) fn chosen<'c, T>(choices: &'c BTreeMap<usize, T>, recorded: &Range<usize>) -> Option<&'c T> {
    choices.range(recorded.clone()).next().map(|(_, choice)| choice)
}
