//! What a person does with an app of a blueprint, and what is done to see a mistake of each kind.

mod acting;

use std::fmt;

use taproof_screen::SystemEvent;

use super::Operator;

/// The row at the end of what is shown, however many there are.
pub(super) const LAST_ROW: usize = usize::MAX;

/// What a person does with an app, as one step of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Shows the list.
    Begin,
    /// Makes an object with this name.
    Add(String),
    /// Gives the object of this row another name.
    Rename(usize, String),
    /// Changes another field of the object of this row.
    Fill(usize, String),
    /// Moves the date of the object of this row by this many days.
    MoveDate(usize, usize),
    /// Opens the object of this row.
    Open(usize),
    /// Deletes the object of this row.
    Delete(usize),
    /// Takes the last deletion back.
    Undo,
    /// Restores the first object of the trash.
    Restore,
    /// Looks for a text.
    Search(String),
    /// Gives the object of this row a star, or takes it away.
    Star(usize),
    /// Shows those with a star only, or all.
    Starred,
    /// Orders the list by name.
    Sort,
    /// Looks at the settings.
    Settings,
    /// Sets the settings back.
    Reset,
    /// Begins to make an object without saving it.
    Draft(String),
    /// Begins to change the object of this row without saving it.
    DraftOf(usize),
    /// Saves without a name.
    SaveEmpty,
    /// Empties the name of a draft and leaves it.
    LeaveEmpty(usize),
    /// Begins to search without leaving.
    Query(String),
    /// Something happens around the app.
    Around(SystemEvent),
    /// Turns the phone.
    Rotate,
    /// Presses Back.
    Back,
    /// Deletes the owner in this row of the list of owners.
    DeleteOwner(usize),
    /// Makes an object with this number.
    AddNumber(i64),
    /// Waits for this many seconds.
    Wait(u64),
    /// Begins to make an object and denies the permission for it.
    Deny,
    /// Shows the second tab.
    SecondTab,
    /// Makes an object with this choice.
    AddChoice(usize, String),
    /// Makes an object with a box ticked.
    AddTicked,
    /// Presses the action key of the keyboard.
    ActionKey,
    /// Makes the texts larger.
    Larger,
    /// Gives the object that is shown a star, or takes it away.
    PageStar,
    /// Plays the object of this row, or stops that.
    Play(usize),
    /// Plays the object that is shown, or stops that.
    PagePlay,
    /// Looks at the page in a browser and comes back.
    Browse,
    /// Looks at what was played.
    History,
    /// Presses the first object of the history long.
    PressHistory,
    /// Blocks the object that is shown, or unblocks it.
    Block,
    /// Unblocks all.
    ClearBlocked,
    /// Shows the list of what belongs to objects of the type.
    Members,
    /// Blocks the owner in this row of the list of owners.
    BlockOwner(usize),
    /// Loads the list again.
    Refresh,
    /// Opens the converter.
    Converter,
    /// Chooses other units and swaps them.
    SwapUnits,
    /// Gives the object of this row this number.
    FillNumber(usize, i64),
    /// Opens the first of the owners.
    OpenOwners,
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |row: &usize| {
            if *row == LAST_ROW { "the last row".to_owned() } else { format!("row {}", row + 1) }
        };
        match self {
            Act::Begin => f.write_str("go to the list"),
            Act::Add(name) => write!(f, "add \"{name}\""),
            Act::Rename(place, name) => write!(f, "rename {} to \"{name}\"", row(place)),
            Act::Fill(place, text) => write!(f, "enter \"{text}\" into the second field of {}", row(place)),
            Act::MoveDate(place, days) => write!(f, "move the date of {} by {days} days", row(place)),
            Act::Open(place) => write!(f, "open {}", row(place)),
            Act::Delete(place) => write!(f, "delete {}", row(place)),
            Act::Undo => f.write_str("undo"),
            Act::Restore => f.write_str("restore from the trash"),
            Act::Search(text) => write!(f, "search for \"{text}\" and go back"),
            Act::Star(place) => write!(f, "star {}", row(place)),
            Act::Starred => f.write_str("filter by stars"),
            Act::Sort => f.write_str("sort by name"),
            Act::Settings => f.write_str("look at the settings"),
            Act::Reset => f.write_str("reset the settings"),
            Act::Draft(text) => write!(f, "begin to add \"{text}\""),
            Act::DraftOf(place) => write!(f, "begin to change {}", row(place)),
            Act::SaveEmpty => f.write_str("save without a name"),
            Act::LeaveEmpty(place) => write!(f, "empty the name of {} and leave", row(place)),
            Act::Query(text) => write!(f, "search for \"{text}\""),
            Act::Around(what) => f.write_str(what.clause()),
            Act::Rotate => f.write_str("turn the phone"),
            Act::Back => f.write_str("press Back"),
            Act::AddNumber(number) => write!(f, "add one with the number {number}"),
            Act::Wait(seconds) => write!(f, "wait for {seconds} s"),
            Act::Deny => f.write_str("begin to add and deny the permission"),
            Act::SecondTab => f.write_str("show the second tab"),
            Act::AddChoice(LAST_ROW, name) => write!(f, "add \"{name}\" with the last choice"),
            Act::AddChoice(place, name) => write!(f, "add \"{name}\" with choice {}", place + 1),
            Act::AddTicked => f.write_str("add one with a box ticked"),
            Act::ActionKey => f.write_str("press the action key of the keyboard"),
            Act::Larger => f.write_str("make the texts larger"),
            Act::PageStar => f.write_str("change the star on the page"),
            Act::Play(place) => write!(f, "play or stop {}", row(place)),
            Act::PagePlay => f.write_str("play or stop on the page"),
            Act::Browse => f.write_str("look at it in the browser and go back"),
            Act::History => f.write_str("look at the history"),
            Act::PressHistory => f.write_str("press the first one of the history long"),
            Act::Block => f.write_str("block or unblock on the page"),
            Act::ClearBlocked => f.write_str("clear the list of what is blocked"),
            Act::Members => f.write_str("go to the list of what belongs to them"),
            Act::BlockOwner(place) => write!(f, "block {} of the list of owners", row(place)),
            Act::Refresh => f.write_str("load the list again"),
            Act::Converter => f.write_str("open the converter"),
            Act::SwapUnits => f.write_str("choose other units and swap them"),
            Act::FillNumber(place, number) => write!(f, "change the number of {} to {number}", row(place)),
            Act::OpenOwners => f.write_str("open the first of the owners"),
            Act::DeleteOwner(place) => write!(f, "delete {} of the list of owners", row(place)),
        }
    }
}

/// The scripts that show a mistake by what it is, the likeliest first. Where the app has something in between, a random
/// script may still show it.
pub(super) fn constructions(operator: Operator) -> Vec<Vec<Act>> {
    let text = |text: &str| text.to_owned();
    let long = || "An unusually long name with more than forty letters in it".to_owned();
    let in_draft =
        |what: Act| vec![vec![Act::DraftOf(0), what.clone()], vec![Act::Draft(text("zebra")), what]];
    match operator {
        Operator::UpdateLost | Operator::DuplicateOnSave | Operator::StaleList => {
            vec![vec![Act::Rename(0, text("zebra")), Act::Begin]]
        }
        Operator::UpdateNotIndexed => vec![vec![Act::Rename(0, text("zebra")), Act::Search(text("zebra"))]],
        Operator::FieldLostOnSave => vec![vec![Act::Fill(0, text("zebra")), Act::Open(0)]],
        Operator::CutOnSave => vec![vec![Act::Add(long()), Act::Begin]],
        Operator::DeletesByPosition => {
            vec![vec![Act::Sort, Act::Delete(0)], vec![Act::Add(text("aab")), Act::Sort, Act::Delete(0)]]
        }
        Operator::DeletesSimilarName => {
            vec![vec![Act::Add(text("zebra")), Act::Add(text("zeb")), Act::Delete(LAST_ROW)]]
        }
        Operator::DeletedStillFound => {
            vec![vec![Act::Delete(0), Act::Search(text("e"))], vec![Act::Delete(0), Act::Search(text("a"))]]
        }
        Operator::UndoLost => vec![vec![Act::Delete(0), Act::Undo]],
        Operator::UndoLosesField => {
            vec![vec![Act::Fill(0, text("zebra")), Act::Delete(0), Act::Undo, Act::Open(0)]]
        }
        Operator::RestoreLost => vec![vec![Act::Delete(0), Act::Restore]],
        Operator::OpensByPosition => {
            vec![vec![Act::Sort, Act::Open(0)], vec![Act::Add(text("aab")), Act::Sort, Act::Open(0)]]
        }
        Operator::OrderByCase => vec![vec![Act::Sort], vec![Act::Add(text("aab")), Act::Sort]],
        Operator::OrderIgnored => vec![vec![Act::Sort], vec![Act::Add(text("aab")), Act::Sort]],
        Operator::FilterIgnored => vec![vec![Act::Starred]],
        Operator::SearchIgnoresSymbols => vec![vec![Act::Add(text("b#1")), Act::Search(text("b#1"))]],
        Operator::SearchFindsOne => {
            vec![vec![Act::Add(text("zebra")), Act::Add(text("zeb")), Act::Search(text("zeb"))]]
        }
        Operator::OverwritesOtherCase => vec![vec![Act::Add(text("zebra")), Act::Add(text("Zebra"))]],
        Operator::DateSlips => (1..28).map(|days| vec![Act::MoveDate(0, days), Act::Open(0)]).collect(),
        Operator::ResetWipes => vec![vec![Act::Reset]],
        Operator::CrashOnEmpty => vec![vec![Act::SaveEmpty]],
        Operator::CrashOnRotation => vec![vec![Act::DraftOf(0), Act::Rotate]],
        Operator::CrashOnBack => vec![vec![Act::LeaveEmpty(0)]],
        Operator::CrashOnDark => vec![vec![Act::Open(0), Act::Around(SystemEvent::DarkMode)]],
        Operator::SearchHangs => vec![vec![Act::Delete(0), Act::Search(text("e"))]],
        Operator::StarsLostOnAdd => vec![vec![Act::Star(0), Act::Add(text("zebra"))]],
        Operator::CountStale => vec![vec![Act::Delete(0)]],
        Operator::ButtonsVanish => vec![vec![Act::Search(text("e")), Act::Search(text("e"))]],
        Operator::NeighbourAfterEdit => vec![vec![Act::Rename(0, text("zebra")), Act::Open(2)]],
        Operator::NeighbourStarAfterSearch => vec![vec![Act::Search(text("e")), Act::Star(0)]],
        Operator::DraftLostOnRotation => in_draft(Act::Rotate),
        Operator::DraftLostOnDeath => in_draft(Act::Around(SystemEvent::ProcessDeath)),
        Operator::QueryLostOnCall => {
            vec![vec![Act::Query(text("e")), Act::Around(SystemEvent::IncomingCall)]]
        }
        Operator::FilterLostOnSettings => vec![vec![Act::Starred, Act::Settings]],
        Operator::CascadeMissing | Operator::CascadeTooWide => {
            (0..3).map(|row| vec![Act::DeleteOwner(row), Act::Begin]).collect()
        }
        Operator::LimitsIgnored => vec![vec![Act::AddNumber(i64::MAX)]],
        Operator::ArrivalReplaces => vec![vec![Act::Add(text("zebra")), Act::Wait(70)]],
        Operator::OpensFirstOfRow => vec![vec![Act::Rotate, Act::Open(1)]],
        Operator::BlankAfterChoice | Operator::NeighbourOfChoice => {
            vec![vec![Act::AddChoice(LAST_ROW, text("zebra")), Act::Open(LAST_ROW)]]
        }
        Operator::LockedByChoice => {
            vec![vec![
                Act::AddChoice(LAST_ROW, text("zebra")),
                Act::Rename(LAST_ROW, text("aab")),
                Act::Begin,
            ]]
        }
        Operator::CrashOnTick => vec![vec![Act::AddTicked]],
        Operator::CrashOnNext => vec![vec![Act::Draft(text("zebra")), Act::ActionKey]],
        Operator::CrashOnZoom => vec![vec![Act::Open(0), Act::Rotate, Act::Larger]],
        Operator::NavigationVanishes => vec![vec![Act::Search(text("e")), Act::Search(text("e"))]],
        Operator::StarListStale => {
            vec![vec![Act::Star(0), Act::Starred, Act::Open(0), Act::PageStar, Act::Back]]
        }
        Operator::MarkStays => {
            vec![vec![Act::Play(0), Act::Rename(0, text("zebra")), Act::Play(0), Act::Begin]]
        }
        Operator::HistoryMisses => vec![vec![Act::Add(text("zebra")), Act::Play(LAST_ROW), Act::History]],
        Operator::CrashOnHistoryPress => vec![vec![Act::Play(0), Act::History, Act::PressHistory]],
        Operator::PlayerDead => vec![vec![Act::Open(0), Act::Browse, Act::PagePlay]],
        Operator::BlockedStillShown => {
            (0..3).map(|row| vec![Act::Open(row), Act::Block, Act::Begin, Act::Members]).collect()
        }
        Operator::UnblockStale => vec![vec![Act::Open(0), Act::Block, Act::Block]],
        Operator::ClearLeavesOne => vec![vec![Act::Open(0), Act::Block, Act::ClearBlocked]],
        Operator::RefreshHangs => {
            vec![vec![Act::BlockOwner(0), Act::Refresh], vec![Act::Open(0), Act::Block, Act::Refresh]]
        }
        Operator::ConverterForgets => {
            vec![vec![Act::Converter, Act::SwapUnits, Act::Back, Act::Converter]]
        }
        Operator::PaneStale => {
            vec![vec![Act::Rotate, Act::Open(0), Act::Rename(0, text("zebra"))]]
        }
        Operator::OpenedLostOnRotation => vec![vec![Act::Open(0), Act::Rotate]],
        Operator::OrderLostOnLanguage => {
            let changed = Act::Around(SystemEvent::Locale);
            vec![vec![Act::Sort, changed.clone()], vec![Act::Add(text("aab")), Act::Sort, changed]]
        }
        Operator::CountStaleOnRestore | Operator::TotalStaleOnRestore => {
            vec![vec![Act::Delete(0), Act::Undo], vec![Act::Delete(0), Act::Restore]]
        }
        Operator::TotalStaleOnEdit => vec![vec![Act::FillNumber(0, 9), Act::Begin]],
        Operator::TotalStaleOnDelete => (0..4).map(|row| vec![Act::Delete(row)]).collect(),
        Operator::StarCountStale => vec![vec![Act::Star(0), Act::Delete(0)]],
        Operator::StarCountStaleOnPage => vec![vec![Act::Open(0), Act::PageStar, Act::Begin]],
        Operator::MembersStale => (0..3).map(|row| vec![Act::Delete(row), Act::OpenOwners]).collect(),
        Operator::PageStale => vec![vec![Act::Rename(0, text("zebra")), Act::Open(LAST_ROW)]],
        Operator::OrderStaleOnEdit => vec![vec![Act::Rename(0, text("zebra")), Act::Begin]],
        Operator::FilterLostOnLanguage => vec![vec![Act::Starred, Act::Around(SystemEvent::Locale)]],
        Operator::CrashOnDenial => vec![vec![Act::Deny]],
        Operator::TabLostOnRotation => vec![vec![Act::Open(0), Act::SecondTab, Act::Rotate]],
        Operator::OwnerLostOnEdit => {
            (0..3).map(|row| vec![Act::Rename(row, text("zebra")), Act::Open(row)]).collect()
        }
    }
}
