//! The model of a specification file: what PBFDroid's JSON says, with our extensions (all optional,
//! kept in unknown keys that PBFDroid ignores).

use std::fmt;

use crate::model::{Direction, TextClass, Widget, WidgetFlags};

/// The noun that a DMF works on, such as `folder`.
pub type DataType = String;

/// Everything that an app's specification files say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spec {
    /// The DMFs in file order.
    pub dmfs: Vec<Dmf>,
    /// Conditions that hold after every event (ours).
    pub invariants: Vec<Invariant>,
    /// What random exploration must not touch, as written by hand. See also `derived_blocks`.
    pub blocks: Vec<Block>,
}

/// One data manipulation functionality: `{pre} e {rule; post}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dmf {
    /// `verb noun`, one space.
    pub name: String,
    /// What it does to the data.
    pub kind: DmfKind,
    /// The noun: the data type that effects and data conditions speak of.
    pub data_type: DataType,
    /// How often it is chosen; 0 switches it off.
    pub weight: u32,
    /// Its steps in order.
    pub steps: Vec<DmfStep>,
    /// All widgets that steps, conditions and impacts name.
    pub widgets: Vec<NamedSelector>,
    /// When it may start.
    pub preconditions: Vec<Condition>,
    /// How it changes the data model.
    pub impacts: Vec<Impact>,
    /// What must show when it ends.
    pub postconditions: Vec<Condition>,
    /// Widget that shows when the app visibly refuses what was typed (an error line): the run then counts as
    /// not executed instead of being judged (ours, `taproof_refusal`).
    pub refusal: Option<String>,
    /// Steps from a fresh start to its precondition, for baseline A (ours, `taproof_lead_in`).
    pub lead_in: Vec<DmfStep>,
}

/// What a DMF does to the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DmfKind {
    /// `add`
    Create,
    /// `view` (PBFDroid+: `read`)
    Read,
    /// `edit`
    Update,
    /// `delete`
    Delete,
    /// `search`
    Search,
    /// `property`: no data effects (ours).
    Property,
}

/// One event of a DMF.
#[derive(Clone, Debug, PartialEq)]
pub struct DmfStep {
    /// What is done.
    pub action: Action,
    /// Name of the widget that it is done to.
    pub widget: Option<String>,
    /// The text that it types, scrolls to or reads its numbers from.
    pub input: Input,
    /// `force`: false lets the step fail without failing the DMF.
    pub required: bool,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// `click`
    Click,
    /// `longclick`
    LongClick,
    /// `edit`
    Edit,
    /// `back`
    Back,
    /// `home`
    Home,
    /// `scrollto`: scrolls until a widget shows the input's text.
    ScrollTo,
    /// `scroll_left`, `scroll_right`, `scroll_forward` (content moves up), `scroll_backward`
    Scroll(Direction),
    /// `drag`: the input is `x1,y1,x2,y2`.
    Drag,
    /// `sleep`: the input is seconds.
    Sleep,
    /// `naturalscreen`
    RotateNatural,
    /// `leftscreen`
    RotateLeft,
    /// `start`
    Start,
    /// `stop`
    Stop,
    /// `clear`
    Clear,
    /// `action_key`: the keyboard's action key (ours).
    ImeAction,
}

/// Where a step's text comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// It needs none.
    None,
    /// It stands in the file.
    Literal(String),
    /// `random`: a text made for this run, of these classes.
    Fresh(FreshText),
    /// `T::random`: one object of type T that the data model holds.
    Existing(DataType),
}

/// Which texts a fresh input may be (`taproof_text`); empty means the default classes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FreshText {
    /// The data type that the classes relate to; `None` is the DMF's own.
    pub data_type: Option<DataType>,
    /// Classes and their weights.
    pub classes: Vec<(TextClass, u32)>,
}

/// A widget by name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedSelector {
    /// Its name in the DMF, such as `e1_widget`, `add_name` or `add_object`.
    pub name: String,
    /// `UI_layout_num`: on which layout of the run it is to be looked up; 0 is before the first event.
    pub layout: usize,
    /// How it is found.
    pub selector: SpecSelector,
}

/// A selector whose text may depend on the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpecSelector {
    /// Equal resource id.
    pub resource_id: Option<String>,
    /// Equal class.
    pub class: Option<String>,
    /// The text.
    pub text: TextPattern,
    /// Equal content description.
    pub content_desc: Option<String>,
    /// XPath, as written.
    pub xpath: Option<String>,
    /// Ordinal (from 0) among the widgets that satisfy all other parts.
    pub instance: Option<u32>,
    /// Only what stands in the row of the widget of this name: inside the smallest part of the screen that
    /// holds both it and a widget with all other parts, and that is an item of a list or repeated beside it
    /// (ours, `taproof_row`). So the button of a row is found wherever the row stands.
    pub row: Option<String>,
}

/// The text part of a selector.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum TextPattern {
    /// Any text.
    #[default]
    Any,
    /// This text.
    Is(String),
    /// `X.text`: what the widget named X showed when it was read.
    FromRead(String),
    /// `T::random`: an object of type T drawn from the model once per run.
    Existing(DataType),
}

/// A pre- or postcondition, or a part of an invariant.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The widget that it speaks of.
    pub widget: Option<String>,
    /// The data type that it speaks of.
    pub data_type: Option<DataType>,
    /// What must be so.
    pub relation: Relation,
    /// `UI_layout_num` as written; not read when running.
    pub layout: Option<usize>,
    /// The state in which the widget must be: only widgets in this state count (ours, `taproof_state`).
    pub state: Option<WidgetState>,
    /// Postconditions: scroll the lists before saying that something is not shown (ours; on unless
    /// `taproof_scroll` is false).
    pub scroll: bool,
}

/// A state of a widget that a condition can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WidgetState {
    /// A check box, switch or the like is on.
    Checked,
    /// It is off.
    NotChecked,
    /// A tab, row or the like is selected.
    Selected,
    /// It is not.
    NotSelected,
}

/// What a condition asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Relation {
    /// `in`: some widget matches.
    In,
    /// `not in`: no widget matches; with the count rule where a data object is spoken of.
    NotIn,
    /// `is empty`: the model holds no object of the type.
    IsEmpty,
    /// `is not empty`
    IsNotEmpty,
    /// `smaller`: at most 5 objects of the type; `smaller::N`: at most N widgets match (PBFDroid+).
    Smaller(usize),
    /// `samein`: some widget shows an equal text (PBFDroid+).
    SameIn,
    /// `taproof_order`: the widgets that match the named selectors stand in this order; a widget belongs
    /// to the first selector that it matches (ours).
    InOrder(Vec<String>),
    /// A relation that we do not know. Kept, warned of, never judged.
    Unknown(String),
}

/// One change of the data model.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// What happens.
    pub op: ImpactOp,
    /// `X.text`: the object is what the widget named X showed. Anything else is a literal.
    pub object: TextPattern,
}

/// What an impact does to the list of a data type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImpactOp {
    /// `add`: appends.
    Add,
    /// `add noduplicate`: appends unless present.
    AddNoDuplicate,
    /// `add conflict`: removes one if present, else appends.
    AddConflict,
    /// `delete`: removes the first equal one.
    Delete,
    /// `clear`: empties the list.
    Clear,
    /// An operator that we do not know. Kept, warned of, never applied.
    Unknown(String),
}

/// A property of every screen (ours, `taproof_invariants`): wherever `when` holds, `holds` must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Invariant {
    /// Its name.
    pub name: String,
    /// The widgets that its conditions name.
    pub widgets: Vec<NamedSelector>,
    /// Where it applies; empty: everywhere in the app.
    pub when: Vec<Condition>,
    /// What must be so there.
    pub holds: Vec<Condition>,
}

/// One entry of the block list: what random exploration must not do.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The widgets that it speaks of.
    pub pattern: ViewPattern,
    /// What is blocked.
    pub event: BlockedEvent,
    /// Why, for people (ours, `taproof_reason`).
    pub reason: String,
    /// Whether it was derived from a DMF rather than written by hand.
    pub derived: bool,
    /// Whether it is for all engines and not only for those that guard the data (ours, `taproof_every_engine`).
    pub every_engine: bool,
}

/// What a block keeps random exploration from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockedEvent {
    /// Any gesture on a matching widget.
    Widget,
    /// Any gesture on a matching widget or on one inside it (`taproof_event: "subtree"`).
    Subtree,
    /// The Back key while a matching widget is shown (`taproof_event: "back"`).
    Back,
    /// The keyboard's action key while a matching widget is shown (`taproof_event: "action_key"`).
    ImeAction,
}

/// The attributes that a blocked widget has; `None` is not constrained.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewPattern {
    /// Attribute names of a uiautomator dump and the values they must equal, in file order.
    pub attributes: Vec<(String, String)>,
}

impl ImpactOp {
    /// Whether it can put an object into the list.
    pub fn adds(&self) -> bool {
        matches!(self, ImpactOp::Add | ImpactOp::AddNoDuplicate | ImpactOp::AddConflict)
    }
}

impl Dmf {
    /// One without steps and conditions, of PBFDroid's usual weight.
    pub fn empty(name: impl Into<String>, kind: DmfKind, data_type: impl Into<DataType>) -> Dmf {
        Dmf {
            name: name.into(),
            kind,
            data_type: data_type.into(),
            weight: 10,
            steps: Vec::new(),
            widgets: Vec::new(),
            preconditions: Vec::new(),
            impacts: Vec::new(),
            postconditions: Vec::new(),
            refusal: None,
            lead_in: Vec::new(),
        }
    }

    /// The widget of that name.
    pub fn widget(&self, name: &str) -> Option<&NamedSelector> {
        self.widgets.iter().find(|widget| widget.name == name)
    }
}

impl DmfKind {
    /// The word that files use.
    pub fn word(self) -> &'static str {
        match self {
            DmfKind::Create => "add",
            DmfKind::Read => "view",
            DmfKind::Update => "edit",
            DmfKind::Delete => "delete",
            DmfKind::Search => "search",
            DmfKind::Property => "property",
        }
    }
}

impl Action {
    /// All actions.
    pub const ALL: [Action; 18] = [
        Action::Click,
        Action::LongClick,
        Action::Edit,
        Action::Back,
        Action::Home,
        Action::ScrollTo,
        Action::Scroll(Direction::Left),
        Action::Scroll(Direction::Right),
        Action::Scroll(Direction::Up),
        Action::Scroll(Direction::Down),
        Action::Drag,
        Action::Sleep,
        Action::RotateNatural,
        Action::RotateLeft,
        Action::Start,
        Action::Stop,
        Action::Clear,
        Action::ImeAction,
    ];

    /// The word that files use. `Scroll` holds where the content moves to.
    pub fn word(self) -> &'static str {
        match self {
            Action::Click => "click",
            Action::LongClick => "longclick",
            Action::Edit => "edit",
            Action::Back => "back",
            Action::Home => "home",
            Action::ScrollTo => "scrollto",
            Action::Scroll(Direction::Left) => "scroll_left",
            Action::Scroll(Direction::Right) => "scroll_right",
            Action::Scroll(Direction::Up) => "scroll_forward",
            Action::Scroll(Direction::Down) => "scroll_backward",
            Action::Drag => "drag",
            Action::Sleep => "sleep",
            Action::RotateNatural => "naturalscreen",
            Action::RotateLeft => "leftscreen",
            Action::Start => "start",
            Action::Stop => "stop",
            Action::Clear => "clear",
            Action::ImeAction => "action_key",
        }
    }

    /// Whether it is done to a widget. `scrollto` may name one, or only a text.
    pub fn needs_widget(self) -> bool {
        match self {
            Action::Click | Action::LongClick | Action::Edit | Action::Scroll(_) => true,
            Action::Back
            | Action::Home
            | Action::ScrollTo
            | Action::Drag
            | Action::Sleep
            | Action::RotateNatural
            | Action::RotateLeft
            | Action::Start
            | Action::Stop
            | Action::Clear
            | Action::ImeAction => false,
        }
    }
}

impl WidgetState {
    /// All states.
    pub const ALL: [WidgetState; 4] =
        [WidgetState::Checked, WidgetState::NotChecked, WidgetState::Selected, WidgetState::NotSelected];

    /// The word that files and people use.
    pub fn word(self) -> &'static str {
        match self {
            WidgetState::Checked => "checked",
            WidgetState::NotChecked => "not checked",
            WidgetState::Selected => "selected",
            WidgetState::NotSelected => "not selected",
        }
    }

    /// The flag of a widget that it speaks of, and whether that must be set.
    pub fn flag(self) -> (WidgetFlags, bool) {
        match self {
            WidgetState::Checked => (WidgetFlags::CHECKED, true),
            WidgetState::NotChecked => (WidgetFlags::CHECKED, false),
            WidgetState::Selected => (WidgetFlags::SELECTED, true),
            WidgetState::NotSelected => (WidgetFlags::SELECTED, false),
        }
    }

    /// Whether a widget is in it.
    pub fn is_of(self, widget: &Widget) -> bool {
        let (flag, set) = self.flag();
        widget.flags.has(flag) == set
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Relation::In => f.write_str("in"),
            Relation::NotIn => f.write_str("not in"),
            Relation::IsEmpty => f.write_str("is empty"),
            Relation::IsNotEmpty => f.write_str("is not empty"),
            Relation::Smaller(5) => f.write_str("smaller"),
            Relation::Smaller(limit) => write!(f, "smaller::{limit}"),
            Relation::SameIn => f.write_str("samein"),
            Relation::InOrder(_) => f.write_str("taproof_order"),
            Relation::Unknown(word) => f.write_str(word),
        }
    }
}

impl fmt::Display for ImpactOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ImpactOp::Add => "add",
            ImpactOp::AddNoDuplicate => "add noduplicate",
            ImpactOp::AddConflict => "add conflict",
            ImpactOp::Delete => "delete",
            ImpactOp::Clear => "clear",
            ImpactOp::Unknown(word) => word,
        })
    }
}

impl NamedSelector {
    /// Whether it *reads*: when its layout is current, the text of its widget is remembered.
    pub fn is_read(&self) -> bool {
        self.name.contains("_name")
    }
}

impl SpecSelector {
    /// Whether no part is given: such a selector names nothing.
    pub fn is_empty(&self) -> bool {
        *self == SpecSelector::default()
    }
}

/// As files write it: `X.text` and `T::random` for what depends on the run.
impl fmt::Display for TextPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextPattern::Any => Ok(()),
            TextPattern::Is(text) => f.write_str(text),
            TextPattern::FromRead(name) => write!(f, "{name}.text"),
            TextPattern::Existing(data_type) => write!(f, "{data_type}::random"),
        }
    }
}

impl fmt::Display for SpecSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted =
            |name: &str, part: &Option<String>| part.as_ref().map(|value| format!("{name} {value:?}"));
        let text = match &self.text {
            TextPattern::Any => None,
            TextPattern::Is(text) => Some(format!("text {text:?}")),
            TextPattern::FromRead(_) | TextPattern::Existing(_) => Some(format!("text {}", self.text)),
        };
        let parts = [
            quoted("id", &self.resource_id),
            text,
            quoted("description", &self.content_desc),
            quoted("class", &self.class),
            quoted("xpath", &self.xpath),
            self.instance.map(|instance| format!("instance {instance}")),
            self.row.as_ref().map(|name| format!("in the row of {name}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") })
    }
}
