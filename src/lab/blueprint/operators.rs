//! Fault operators: each makes one kind of mistake that real apps made.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::operator_table::{KINDS, Kind};
use taproof_phone::Crash;

/// A kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// Saving a change keeps the old name.
    UpdateLost,
    /// Saving a change does not reach the index of the search.
    UpdateNotIndexed,
    /// Saving a change adds a second object.
    DuplicateOnSave,
    /// Saving drops a field beyond the name.
    FieldLostOnSave,
    /// Saving cuts long names.
    CutOnSave,
    /// The list shows the old name until the next start.
    StaleList,
    /// The row that a menu acts on is counted in the order in which objects were added.
    DeletesByPosition,
    /// Deleting takes the first object whose name contains the name.
    DeletesSimilarName,
    /// A deleted object is still found.
    DeletedStillFound,
    /// Undoing a deletion does nothing.
    UndoLost,
    /// Undoing a deletion restores the name only.
    UndoLosesField,
    /// Restoring from the trash only empties the trash.
    RestoreLost,
    /// A tap on a row opens the object that stands there in the order of adding.
    OpensByPosition,
    /// The order by name puts capital letters first.
    OrderByCase,
    /// The menu of orders does nothing.
    OrderIgnored,
    /// The filter for stars shows everything.
    FilterIgnored,
    /// The search leaves symbols out of its text.
    SearchIgnoresSymbols,
    /// The search finds nothing below the first object that it finds.
    SearchFindsOne,
    /// A new object replaces one whose name differs in case only.
    OverwritesOtherCase,
    /// A date on one of the last days of a month is saved as one of the next month.
    DateSlips,
    /// Resetting the settings deletes the objects.
    ResetWipes,
    /// Saving without a name ends the app.
    CrashOnEmpty,
    /// Turning the phone in the form ends the app.
    CrashOnRotation,
    /// Back while something is saved ends the app.
    CrashOnBack,
    /// The dark theme ends the app on the page of an object.
    CrashOnDark,
    /// The search never ends while something is in the trash.
    SearchHangs,
    /// Adding an object takes the stars of others away.
    StarsLostOnAdd,
    /// The number of objects is not renewed when one is deleted.
    CountStale,
    /// The second search takes the button of the menu away.
    ButtonsVanish,
    /// After a change, a tap on a row below the changed one opens the row above.
    NeighbourAfterEdit,
    /// After the search was used, a star goes to the next row.
    NeighbourStarAfterSearch,
    /// Turning the phone empties a field of the form.
    DraftLostOnRotation,
    /// The end of the process in the background empties a field of the form.
    DraftLostOnDeath,
    /// A call that comes in empties the search.
    QueryLostOnCall,
    /// The filter is off after the settings were looked at.
    FilterLostOnSettings,
    /// Deleting an owner leaves what belongs to it.
    CascadeMissing,
    /// Deleting an owner deletes what belongs to others, too.
    CascadeTooWide,
    /// A change takes the object away from its owner.
    OwnerLostOnEdit,
    /// Numbers outside of the limits are saved.
    LimitsIgnored,
    /// What arrives by itself takes the place of what was made last.
    ArrivalReplaces,
    /// On its side, the phone opens the left one of two cards.
    OpensFirstOfRow,
    /// Denying a permission ends the app.
    CrashOnDenial,
    /// Turning the phone goes back to the first tab.
    TabLostOnRotation,
    /// An object for which something else than the first choice was chosen is shown empty.
    BlankAfterChoice,
    /// An object with the last choice cannot be changed any more.
    LockedByChoice,
    /// Saving with a box ticked and the field for a text empty ends the app.
    CrashOnTick,
    /// The key of the keyboard that goes to the next field ends the app.
    CrashOnNext,
    /// Making the texts larger after the phone was turned ends the app.
    CrashOnZoom,
    /// The second search takes the button of the drawer away.
    NavigationVanishes,
    /// The filtered list still shows an object whose star was taken away on its page.
    StarListStale,
    /// A tap on an object with the last choice opens the one above.
    NeighbourOfChoice,
    /// The mark of what is played stays if that was renamed meanwhile.
    MarkStays,
    /// The history misses objects of which no more than the name was entered.
    HistoryMisses,
    /// A long press in the history ends the app.
    CrashOnHistoryPress,
    /// After a look into the browser, the button to play does nothing.
    PlayerDead,
    /// What belongs to a blocked object is still listed.
    BlockedStillShown,
    /// An unblocked object counts as blocked until the next start.
    UnblockStale,
    /// Clearing the list of blocked objects leaves the last one.
    ClearLeavesOne,
    /// Loading the list again never ends while something is blocked.
    RefreshHangs,
    /// The converter forgets the pair after it was swapped.
    ConverterForgets,
    /// Beside the list, an object is shown as it was when it was opened.
    PaneStale,
    /// Turning the phone closes the object that was opened beside the list, or instead of it.
    OpenedLostOnRotation,
    /// The order of a list is forgotten when the language changes: it is stored by its name in the menu.
    OrderLostOnLanguage,
    /// The filter for stars is off after the language has changed.
    FilterLostOnLanguage,
    /// The number of objects is not renewed when a deletion is taken back, or one is restored.
    CountStaleOnRestore,
    /// The total is not renewed when a number is changed.
    TotalStaleOnEdit,
    /// The total is not renewed when an object is deleted.
    TotalStaleOnDelete,
    /// The total is not renewed when a deletion is taken back, or an object is restored.
    TotalStaleOnRestore,
    /// The number of those with a star is not renewed when one is deleted.
    StarCountStale,
    /// The number of those with a star is not renewed when one is given on a page.
    StarCountStaleOnPage,
    /// The heading of what belongs to an object counts what was deleted.
    MembersStale,
    /// The page of an object shows its old name until the next start.
    PageStale,
    /// A renamed object stays where it was in an ordered list until the next start.
    OrderStaleOnEdit,
}

impl Serialize for Operator {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Operator {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Operator, D::Error> {
        let name = String::deserialize(from)?;
        let known = Operator::ALL.into_iter().find(|operator| operator.name() == name);
        known.ok_or_else(|| serde::de::Error::custom(format!("there is no operator \"{name}\"")))
    }
}

impl Operator {
    /// The name as it stands in ids, such as `stale-list`.
    pub fn name(self) -> &'static str {
        self.kind().name
    }

    /// All operators, in the order of their declaration.
    pub const ALL: [Operator; KINDS.len()] = {
        let mut all = [Operator::UpdateLost; KINDS.len()];
        let mut place = 0;
        while place < KINDS.len() {
            all[place] = KINDS[place].operator;
            place += 1;
        }
        all
    };

    /// The exception with which it ends the app. Each operator has a stack of its own, by which crashes are told apart.
    pub(super) fn crash(self) -> Crash {
        let stack: &[&str] = match self {
            Operator::CrashOnEmpty => &["org.taproof.blueprint.Form.onSave(Form.java:88)"],
            Operator::CrashOnRotation => &["org.taproof.blueprint.Form.onRestoreState(Form.java:41)"],
            Operator::CrashOnBack => &["org.taproof.blueprint.Form.onBackPressed(Form.java:112)"],
            Operator::CrashOnDenial => &["org.taproof.blueprint.Permission.onAnswer(Permission.java:33)"],
            Operator::CrashOnTick => &["org.taproof.blueprint.Form.onSave(Form.java:96)"],
            Operator::CrashOnNext => &["org.taproof.blueprint.Form.onEditorAction(Form.java:154)"],
            Operator::CrashOnHistoryPress => &["org.taproof.blueprint.History.onLongPress(History.java:52)"],
            Operator::CrashOnZoom => &["org.taproof.blueprint.Detail.onZoom(Detail.java:63)"],
            Operator::CrashOnDark => &["org.taproof.blueprint.Detail.onCreate(Detail.java:27)"],
            _ => &[],
        };
        Crash { exception: "java.lang.IllegalStateException", message: "the object is not there", stack }
    }

    pub(super) fn kind(self) -> &'static Kind {
        debug_assert_eq!(KINDS[self as usize].operator, self);
        &KINDS[self as usize]
    }
}
