//! The codes of problems in a specification file. A code never changes its meaning.
//!
//! The letter is the severity. Hundreds: 0 the file's shape, 1 names and types, 2 references and layouts,
//! 3 selectors, 4 conditions, 5 the block list, 6 what PBFDroid cannot run.

use std::fmt;

/// A problem of a specification, or a remark on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintFinding {
    /// The kind of problem.
    pub code: LintCode,
    /// Index of the DMF in the file; `None` if the finding is about something else.
    pub dmf: Option<usize>,
    /// The place in the file, such as `dmfs[2].events[0].widget`; empty for the whole file.
    pub path: String,
    /// What is wrong, and what to do about it.
    pub message: String,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Information without a need to act.
    Info,
    /// The specification can be run, but may not mean what was intended.
    Warning,
    /// The specification cannot be run like this.
    Error,
}

macro_rules! codes {
    ($($name:ident $code:literal $meaning:literal)*) => {
        /// The code of a finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum LintCode { $(#[doc = $meaning] $name,)* }

        impl LintCode {
            /// All codes in the order of their numbers.
            pub const ALL: &[LintCode] = &[$(LintCode::$name,)*];

            /// The code as printed, such as `W203`.
            pub fn code(self) -> &'static str {
                match self { $(LintCode::$name => $code,)* }
            }

            /// The meaning of the code, in a few words.
            pub fn meaning(self) -> &'static str {
                match self { $(LintCode::$name => $meaning,)* }
            }
        }
    };
}

codes! {
    DuplicateKey "W001" "a key stands twice in one object; the last one counts"
    ByteOrderMark "I002" "the file begins with a byte order mark"
    LooseForce "I003" "`force` is not written as true or false"
    LooseScalar "I004" "a number or a boolean stands where the format has a text"
    MissingKey "I005" "a key that PBFDroid reads is missing"
    UnknownKey "I006" "a key that nobody knows; it is kept"
    WrongKind "W007" "a value of another kind than the format has; it is taken as empty"
    UnreadableDmf "E008" "a function, event or invariant that cannot be read; it is kept but left out"
    NotANumber "W009" "a number was expected"
    BadExtension "E012" "one of our keys (`taproof_...`) is not understood"
    UnreadableView "E013" "a block list entry holds no readable node"
    VerbDiffers "W101" "the verb of the name differs from the type"
    NounDiffers "W102" "the noun of the name differs from `datatype`; the name counts"
    SameName "W103" "two functions have one name"
    NotTwoWords "W104" "a function's name is not verb and noun"
    SeveralNouns "I105" "a file speaks of several data types"
    Unreachable "W106" "a condition on a data type that nobody adds: the function can never run"
    SwitchedOff "I107" "weight 0: the function is never chosen"
    NoSteps "W108" "a function without steps"
    NoPostcondition "W109" "a function without postcondition finds no wrong data"
    EffectDiffers "W110" "the impacts are not those of the type"
    UnknownType "W111" "a data type that no function handles"
    NotJudged "W112" "a function that is kept, but neither run nor judged"
    UnresolvedTarget "E201" "an event names a widget that is not there"
    UnresolvedCondition "E202" "a condition names a widget that is not there"
    UnresolvedText "E203" "a text or an impact refers to a widget that is not there"
    NoTarget "E204" "an event that needs a widget names none"
    OffItsLayout "W205" "an event's widget stands on another layout number than the event"
    PostOffLastLayout "W206" "a postcondition speaks of another layout than the last"
    LayoutsDisagree "W207" "a condition and its widget disagree on the layout"
    UnusedWidget "W208" "nobody refers to the widget"
    LayoutBeyondEnd "W209" "a layout number beyond the last layout is never reached"
    NeverRead "W210" "a text refers to a widget that is not read, because its name holds no `_name`"
    SameWidgetName "W211" "two widgets of a function have one name; the first counts"
    ReadOnLast "I212" "a name is read on the last layout; PBFDroid never binds it"
    UnresolvedRow "E213" "a selector's row names a widget that is not there, or one that is itself in a row"
    TakenLiterally "W214" "a text that looks like a reference, but is taken as it is written"
    EmptySelector "E301" "an event's widget has no selector: it names nothing"
    EmptyPlaceholder "W302" "a widget without selector"
    BrokenXpath "E303" "the XPath cannot be read"
    OddId "W304" "an id with blanks, or without `package:id/`"
    TextLikeId "W305" "a text that looks like an id"
    XpathOnly "I306" "only an XPath; PBFDroid does not look at it in conditions"
    FirstOfMany "I307" "a class alone names the first such field of the screen"
    AnyNeighbour "W308" "a neighbour of a label, whatever it is"
    Translatable "I309" "a text or description that another language of the app may change"
    NeitherWidgetNorData "E401" "a condition with neither widget nor data type"
    UnknownRelation "E402" "a relation that is not known"
    UnknownOperator "E403" "an operator that is not known"
    SelfMatching "W404" "a postcondition that the field typed into fulfils"
    Vacuous "W405" "a condition that cannot be false"
    RelationMisfit "E406" "a relation that cannot be judged with what is given"
    RedrawnText "W407" "a postcondition on a newly drawn object; bind it by a name instead"
    TextInIdSlot "W501" "a block list entry has a text in the place of the id"
    Template "W502" "an untouched template of a block list entry"
    BlocksNothing "W503" "a block list entry that constrains nothing"
    SameBlock "I504" "two block list entries are the same"
    CommitNotBlocked "I505" "a committing widget is not on the block list; it is added"
    CommitUnblocked "W506" "a committing widget has nothing that it could be blocked by"
    OurAction "I601" "an action that PBFDroid cannot run"
    OurKey "I602" "something that only Taproof reads"
}

impl LintCode {
    /// The severity, as indicated by the letter of the code.
    pub fn severity(self) -> Severity {
        match self.code().as_bytes().first() {
            Some(b'E') => Severity::Error,
            Some(b'W') => Severity::Warning,
            _ => Severity::Info,
        }
    }
}

impl fmt::Display for LintFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.code.severity() {
            Severity::Info => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity} {}", self.code.code())?;
        if !self.path.is_empty() {
            write!(f, " at {}", self.path)?;
        }
        write!(f, ": {}", self.message)
    }
}
