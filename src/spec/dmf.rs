//! The model of a specification file: the content of PBFDroid's JSON with our extensions. All of these are optional,
//! and are stored under keys that PBFDroid ignores.

use std::fmt;
use taproof_screen::words;

use serde::{Deserialize, Serialize};

use super::ActivityPattern;
use super::text::PLAIN_CLASSES;
use taproof_screen::{
    Beside, Direction, Role, Selector, TextClass, Widget, WidgetFlags, XPath, XPathError, place_in_words,
};

/// The noun that a DMF works on, such as `folder`.
pub type DataType = String;

/// The content of an app's specification files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spec {
    /// The DMFs in file order.
    pub dmfs: Vec<Dmf>,
    /// Conditions that must hold after every event (our extension).
    pub invariants: Vec<Invariant>,
    /// What random exploration must not do, as written by hand. See also `derived_blocks`.
    pub blocks: Vec<Block>,
}

impl Spec {
    /// Adds another specification of the same app. Where both have a function of one name, that of `other` counts.
    pub fn join(&mut self, other: Spec) {
        self.dmfs.retain(|dmf| other.dmfs.iter().all(|later| later.name != dmf.name));
        self.dmfs.extend(other.dmfs);
        self.invariants.extend(other.invariants);
        self.blocks.extend(other.blocks);
    }
}

/// One data manipulation functionality: `{pre} e {rule; post}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dmf {
    /// The name: verb and noun, separated by one space.
    pub name: String,
    /// What it does to the data.
    pub kind: DmfKind,
    /// The noun: the data type that impacts and data conditions refer to.
    pub data_type: DataType,
    /// Relative frequency with which it is chosen; 0 switches it off.
    pub weight: u32,
    /// Its steps in order.
    pub steps: Vec<DmfStep>,
    /// All widgets that steps, conditions and impacts refer to.
    pub widgets: Vec<NamedSelector>,
    /// The conditions under which it may start.
    pub preconditions: Vec<Condition>,
    /// How it changes the data model.
    pub impacts: Vec<Impact>,
    /// The conditions that must hold when it ends.
    pub postconditions: Vec<Condition>,
    /// Name of the widget, such as an error line, that is shown when the app refuses the input. The run then counts as
    /// not executed and is not judged (our extension, `taproof_refusal`).
    pub refusal: Option<String>,
    /// Steps from a fresh start to the precondition, for baseline A (our extension, `taproof_lead_in`).
    pub lead_in: Vec<DmfStep>,
    /// How often it may be run in a test; `None` for any number (our extension, `taproof_max_runs`).
    pub max_runs: Option<u32>,
    /// Why it is kept but neither run nor judged, such as a line of the file it comes from that has no counterpart here
    /// (our extension, `taproof_not_judged`).
    pub not_judged: Option<String>,
}

words! {
    /// What a DMF does to the data.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum DmfKind {
        /// `add`: creates an object.
        Create = "add",
        /// `view` (PBFDroid+: `read`): opens an object.
        Read = "view",
        /// `edit`: turns an object into another one.
        Update = "edit",
        /// `delete`: removes an object.
        Delete = "delete",
        /// `search`: searches for an object.
        Search = "search",
        /// `property`: does not change the data (our extension).
        Property = "property",
    }
    /// The kind as files write it.
    pub fn word;
    /// All kinds, in the order of their declaration.
    pub const ALL;
}

/// One step of a DMF.
#[derive(Clone, Debug, PartialEq)]
pub struct DmfStep {
    /// The action that the step performs.
    pub action: Action,
    /// Name of the widget on which it is performed; `None` if it needs none. If the step is not required, it is left out
    /// where the widget is not shown, also if it does not touch it.
    pub widget: Option<String>,
    /// The text to type or to scroll to, or the numbers of the action.
    pub input: Input,
    /// `force`: whether the DMF fails if the step cannot be performed.
    pub required: bool,
}

/// The action of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// `click`: taps the widget.
    Click,
    /// `longclick`: presses the widget long.
    LongClick,
    /// `edit`: replaces the text of a field by the input.
    Edit,
    /// `back`: presses the Back key.
    Back,
    /// `home`: presses the Home key.
    Home,
    /// `scrollto`: scrolls until a widget shows the input's text.
    ScrollTo,
    /// `scroll_left`, `scroll_right`, `scroll_forward` (content moves up), `scroll_backward`: swipes over the widget.
    Scroll(Direction),
    /// `drag`: drags between two points; the input is `x1,y1,x2,y2`.
    Drag,
    /// `sleep`: waits; the input is the time in seconds.
    Sleep,
    /// `naturalscreen`: turns the device to portrait, if it is not.
    RotateNatural,
    /// `leftscreen`: turns the device to landscape, if it is not.
    RotateLeft,
    /// `start`: stops the app and starts it again.
    Start,
    /// `stop`: leaves the app by the Home key, since no event stops it.
    Stop,
    /// `clear`: clears the app's data. It cannot be performed, since a trace begins with cleared data.
    Clear,
    /// `action_key`: presses the keyboard's action key (our extension).
    ImeAction,
}

/// Where a step's text comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Input {
    /// The step needs no text.
    None,
    /// This text, as written in the file.
    Literal(String),
    /// `random`: a text generated for this run, of these classes.
    Fresh(FreshText),
    /// `T::random`: an object of type T from the data model.
    Existing(DataType),
}

/// The classes of texts that a fresh input may be drawn from (`taproof_text`); none for the default classes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FreshText {
    /// The data type that the classes relate to; `None` for the DMF's own.
    pub data_type: Option<DataType>,
    /// The classes with their draw weights.
    pub classes: Vec<(TextClass, u32)>,
}

/// A widget by name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedSelector {
    /// Name in the DMF, such as `e1_widget`, `add_name` or `add_object`.
    pub name: String,
    /// `UI_layout_num`: number of the layout of the run on which the widget is located; 0 is the one before the first
    /// event.
    pub layout: usize,
    /// The selector by which it is located.
    pub selector: SpecSelector,
}

/// A selector whose text may depend on the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpecSelector {
    /// Required resource id; `None` for any.
    pub resource_id: Option<String>,
    /// Required class; `None` for any.
    pub class: Option<String>,
    /// The required text, which may depend on the run.
    pub text: TextPattern,
    /// Required content description; `None` for any.
    pub content_desc: Option<String>,
    /// An XPath that must select the widget, as written in the file; `None` for any.
    pub xpath: Option<String>,
    /// What the widget must be for; `None` for anything (our extension, `taproof_role`).
    pub role: Option<Role>,
    /// The label that the widget must be beside: of those that match all parts above, it is the nearest one (our
    /// extension, `taproof_beside`).
    pub beside: Option<Beside>,
    /// Index (from 0) among the widgets that match all other parts; `None` for all of them.
    pub instance: Option<u32>,
    /// Name of a widget in whose row the widget must be: within the smallest part of the screen that contains both, and
    /// that is an item of a list or is repeated next to its siblings (our extension, `taproof_row`). So the button of a
    /// row is found wherever the row is.
    pub row: Option<String>,
}

/// The text part of a selector.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum TextPattern {
    /// Any text matches.
    #[default]
    Any,
    /// The text equals this.
    Is(String),
    /// `X.text`: the text that the widget X showed when it was read.
    FromRead(String),
    /// `T::random`: an object of type T, drawn from the data model once per run.
    Existing(DataType),
}

/// A pre- or postcondition, or a part of an invariant.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Name of the widget that the condition refers to; `None` for a condition on data.
    pub widget: Option<String>,
    /// The data type that the condition refers to; `None` if it refers to none.
    pub data_type: Option<DataType>,
    /// What the condition requires.
    pub relation: Relation,
    /// `UI_layout_num` as written; ignored when running.
    pub layout: Option<usize>,
    /// The state in which the widget must be. Only widgets in this state count (our extension, `taproof_state`).
    pub state: Option<WidgetState>,
    /// For postconditions: whether the lists are scrolled before something counts as not shown (our extension; true
    /// unless `taproof_scroll` is false).
    pub scroll: bool,
    /// Conditions of which one is enough where this one does not hold (our extension, `taproof_or`). They have none of
    /// their own.
    pub or: Vec<Condition>,
}

words! {
    /// A state of a widget that a condition can require.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum WidgetState {
        /// A checkable widget, such as a check box or a switch, is checked.
        Checked = "checked",
        /// A checkable widget, such as a check box or a switch, is not checked.
        #[serde(rename = "not checked")]
        NotChecked = "not checked",
        /// A selectable widget, such as a tab or a row, is selected.
        Selected = "selected",
        /// A selectable widget, such as a tab or a row, is not selected.
        #[serde(rename = "not selected")]
        NotSelected = "not selected",
    }
    /// The state as files and people write it.
    pub fn word;
    /// All states, in the order of their declaration.
    pub const ALL;
}

/// What a condition requires.
#[derive(Clone, Debug, PartialEq)]
pub enum Relation {
    /// `in`: some widget matches.
    In,
    /// `not in`: no widget matches. The count rule applies if the condition refers to an object.
    NotIn,
    /// `is empty`: the data model contains no object of the type.
    IsEmpty,
    /// `is not empty`: the data model contains an object of the type.
    IsNotEmpty,
    /// `smaller`: the data model contains at most 5 objects of the type; `smaller::N`: at most N widgets match
    /// (PBFDroid+).
    Smaller(usize),
    /// `samein`: some widget shows an equal text (PBFDroid+).
    SameIn,
    /// `taproof_order`: the widgets that match the named selectors are in this order. A widget belongs to the first
    /// selector that it matches (our extension).
    InOrder(Vec<String>),
    /// An unknown relation. It is preserved and reported by `lint`, but never judged.
    Unknown(String),
}

/// One change of the data model.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// The operation on the list of the data type.
    pub op: ImpactOp,
    /// `X.text`: the object is the text that the widget X showed. Anything else is a literal text.
    pub object: TextPattern,
}

/// The operation of an impact on the list of a data type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImpactOp {
    /// `add`: appends the object.
    Add,
    /// `add noduplicate`: appends the object unless it is in the list.
    AddNoDuplicate,
    /// `add conflict`: removes one such object if there is one, otherwise appends it.
    AddConflict,
    /// `delete`: removes the first equal object.
    Delete,
    /// `clear`: empties the list.
    Clear,
    /// An unknown operator. It is preserved and reported by `lint`, but never applied.
    Unknown(String),
}

/// A property of every screen (our extension, `taproof_invariants`): wherever `when` holds, `holds` must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Invariant {
    /// The invariant's name, for lists and reports.
    pub name: String,
    /// The widgets that its conditions refer to.
    pub widgets: Vec<NamedSelector>,
    /// Where the invariant applies; empty for every screen of the app.
    pub when: Vec<Condition>,
    /// What must hold there.
    pub holds: Vec<Condition>,
}

/// One entry of the block list: something that random exploration must not do.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The widgets that the block refers to.
    pub pattern: ViewPattern,
    /// Which kind of event is blocked.
    pub event: BlockedEvent,
    /// Why, for people (our extension, `taproof_reason`).
    pub reason: String,
    /// Only there; on every screen if `None` (our extension, `taproof_activity`).
    pub activity: Option<ActivityPattern>,
    /// Whether it applies to all engines, and not only to those that guard the data (our extension,
    /// `taproof_every_engine`).
    pub every_engine: bool,
}

/// Which events of random exploration a block forbids.
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

/// The attributes of a blocked widget; others are not constrained.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewPattern {
    /// Attribute names of a uiautomator dump and the values they must equal, in file order.
    pub attributes: Vec<(String, String)>,
}

impl FreshText {
    /// A text that no app has a reason to refuse.
    pub fn plain() -> FreshText {
        FreshText { data_type: None, classes: PLAIN_CLASSES.to_vec() }
    }
}

impl Condition {
    /// A condition of this relation that refers to nothing else.
    pub fn of(relation: Relation) -> Condition {
        let (widget, data_type, layout, state) = (None, None, None, None);
        Condition { widget, data_type, relation, layout, state, scroll: true, or: Vec::new() }
    }

    /// A condition on the widgets that the named selector matches.
    pub fn on_widget(widget: impl Into<String>, relation: Relation) -> Condition {
        Condition { widget: Some(widget.into()), ..Condition::of(relation) }
    }

    /// A condition on the objects of a type.
    pub fn on_data(data_type: impl Into<DataType>, relation: Relation) -> Condition {
        Condition { data_type: Some(data_type.into()), ..Condition::of(relation) }
    }

    /// The condition with the number of its layout.
    #[must_use]
    pub fn at(self, layout: usize) -> Condition {
        Condition { layout: Some(layout), ..self }
    }

    /// The condition itself, and those that may hold instead of it.
    pub fn alternatives(&self) -> impl Iterator<Item = &Condition> {
        std::iter::once(self).chain(&self.or)
    }
}

impl Relation {
    /// The relations as files write them.
    pub const KNOWN: &str = "in, not in, samein, is empty, is not empty, smaller";
}

impl ImpactOp {
    /// The operators as files write them.
    pub const KNOWN: &str = "add, add noduplicate, add conflict, delete, clear";

    /// Whether the operation can add an object to the list.
    pub fn adds(&self) -> bool {
        matches!(self, ImpactOp::Add | ImpactOp::AddNoDuplicate | ImpactOp::AddConflict)
    }
}

impl Dmf {
    /// A DMF without steps and conditions, with PBFDroid's usual weight.
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
            max_runs: None,
            not_judged: None,
        }
    }

    /// Changes each of its conditions, and those that may hold instead.
    pub fn change_conditions(&mut self, mut change: impl FnMut(&mut Condition)) {
        for condition in self.preconditions.iter_mut().chain(&mut self.postconditions) {
            condition.or.iter_mut().for_each(&mut change);
            change(condition);
        }
    }

    /// Whether a campaign runs it: it is neither switched off nor kept without being judged.
    pub fn runs(&self) -> bool {
        self.weight > 0 && self.not_judged.is_none()
    }

    /// Whether it changes the app's data.
    pub(crate) fn changes_data(&self) -> bool {
        let changes = matches!(self.kind, DmfKind::Create | DmfKind::Update | DmfKind::Delete);
        changes && !self.impacts.is_empty()
    }

    /// The widget with this name.
    pub fn widget(&self, name: &str) -> Option<&NamedSelector> {
        self.widgets.iter().find(|widget| widget.name == name)
    }
}

impl Action {
    /// All actions as files write them. The direction of `Scroll` is that in which the content moves.
    pub const WORDS: [(Action, &str); 18] = [
        (Action::Click, "click"),
        (Action::LongClick, "longclick"),
        (Action::Edit, "edit"),
        (Action::Back, "back"),
        (Action::Home, "home"),
        (Action::ScrollTo, "scrollto"),
        (Action::Scroll(Direction::Left), "scroll_left"),
        (Action::Scroll(Direction::Right), "scroll_right"),
        (Action::Scroll(Direction::Up), "scroll_forward"),
        (Action::Scroll(Direction::Down), "scroll_backward"),
        (Action::Drag, "drag"),
        (Action::Sleep, "sleep"),
        (Action::RotateNatural, "naturalscreen"),
        (Action::RotateLeft, "leftscreen"),
        (Action::Start, "start"),
        (Action::Stop, "stop"),
        (Action::Clear, "clear"),
        (Action::ImeAction, "action_key"),
    ];

    /// The action as files write it.
    pub fn word(self) -> &'static str {
        Action::WORDS.iter().find(|(action, _)| *action == self).map_or("", |(_, word)| word)
    }

    /// Whether the action needs a widget. `scrollto` may name one, or only a text.
    pub fn needs_widget(self) -> bool {
        matches!(self, Action::Click | Action::LongClick | Action::Edit | Action::Scroll(_))
    }
}

impl WidgetState {
    /// The flag of a widget that the state refers to, and whether it must be set.
    pub fn flag(self) -> (WidgetFlags, bool) {
        match self {
            WidgetState::Checked => (WidgetFlags::CHECKED, true),
            WidgetState::NotChecked => (WidgetFlags::CHECKED, false),
            WidgetState::Selected => (WidgetFlags::SELECTED, true),
            WidgetState::NotSelected => (WidgetFlags::SELECTED, false),
        }
    }

    /// The state of those that are not in this one.
    #[must_use]
    pub fn opposite(self) -> WidgetState {
        match self {
            WidgetState::Checked => WidgetState::NotChecked,
            WidgetState::NotChecked => WidgetState::Checked,
            WidgetState::Selected => WidgetState::NotSelected,
            WidgetState::NotSelected => WidgetState::Selected,
        }
    }

    /// Whether a widget is in this state.
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
    /// Whether the text of the widget is read when its layout is current: its name contains `_name`.
    pub fn is_read(&self) -> bool {
        self.name.contains("_name")
    }
}

impl SpecSelector {
    /// Whether all parts are missing; such a selector matches nothing.
    pub fn is_empty(&self) -> bool {
        *self == SpecSelector::default()
    }

    /// The text or description that it looks for, if another language of the app may change it; `None` for data, paths
    /// and what holds no letters.
    pub fn translatable(&self) -> Option<String> {
        let xpath = self.xpath.as_deref().and_then(|xpath| XPath::parse(xpath).ok());
        let plain = xpath.as_ref().and_then(XPath::plain).unwrap_or_default();
        let text = if let TextPattern::Is(text) = &self.text { Some(text.clone()) } else { None };
        let start = xpath.as_ref().and_then(XPath::start).map(str::to_owned);
        let label = || self.beside.as_ref().map(|beside| beside.label.clone());
        let looked_for = [text, self.content_desc.clone(), plain.text, plain.content_desc, start, label()];
        let changes = |text: &String| text.chars().any(char::is_alphabetic) && !text.starts_with('/');
        looked_for.into_iter().flatten().find(changes)
    }

    /// The selector with this text in place of one that may depend on the run. The row is left out.
    ///
    /// # Errors
    ///
    /// [`XPathError`] if the XPath is invalid.
    pub fn with_text(&self, text: Option<String>) -> Result<Selector, XPathError> {
        Ok(Selector {
            resource_id: self.resource_id.clone(),
            class: self.class.clone(),
            text,
            content_desc: self.content_desc.clone(),
            xpath: self.xpath.as_deref().map(XPath::parse).transpose()?.map(Box::new),
            role: self.role,
            beside: self.beside.clone(),
            instance: self.instance,
        })
    }
}

/// Writes the pattern as files do: `X.text` and `T::random` for texts that depend on the run.
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
            place_in_words(self.role, self.beside.as_ref()),
            self.instance.map(|instance| format!("instance {instance}")),
            self.row.as_ref().map(|name| format!("in the row of {name}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") })
    }
}
