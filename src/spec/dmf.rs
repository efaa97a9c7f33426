//! The model of a specification file: what PBFDroid's JSON says, with our extensions (all optional,
//! kept in unknown keys that PBFDroid ignores).

use crate::model::Direction;

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

/// A class of generated texts, relative to the objects of the DMF's data type in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextClass {
    /// Letters and digits, different from every object.
    Plain,
    /// Equal to an existing object.
    Existing,
    /// Equal to an existing object but for case.
    OtherCase,
    /// Extends an existing object, or is contained in one.
    Extending,
    /// The name of an object removed earlier in this test.
    Removed,
    /// Symbols inside, `?` and `#` among them.
    Symbols,
    /// Blanks at the edges.
    BlankEdges,
    /// Long.
    Long,
    /// Digits.
    Digits,
    /// Emoji, right-to-left and CJK text.
    Unicode,
    /// Looks like SQL, HTML or a path.
    Hostile,
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
    /// Postconditions: scroll the lists before saying that something is not shown (ours; on unless
    /// `taproof_scroll` is false).
    pub scroll: bool,
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

impl Dmf {
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
