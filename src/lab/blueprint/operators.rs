//! Fault operators: each makes one kind of mistake that real apps made.

use serde::{Deserialize, Serialize};
use taproof_phone::{Crash, Oracle};
use taproof_screen::words;

words! {
    /// A kind of mistake.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Operator {
        /// Saving a change keeps the old name.
        UpdateLost = "update-lost" / "Renaming a {noun} leaves it as it was",
        /// Saving a change does not reach the index of the search.
        UpdateNotIndexed = "update-not-indexed" / "A renamed {noun} is found by its old name only",
        /// Saving a change adds a second object.
        DuplicateOnSave = "duplicate-on-save" / "Changing a {noun} adds a second one",
        /// Saving drops a field beyond the name.
        FieldLostOnSave = "field-lost-on-save" / "What is entered about a {noun} beside its name is not saved",
        /// Saving cuts long names.
        CutOnSave = "cut-on-save" / "Long names of {plural} are cut",
        /// The list shows the old name until the next start.
        StaleList = "stale-list" / "The list shows the old name of a {noun} until the next start",
        /// The row that a menu acts on is counted in the order in which objects were added.
        DeletesByPosition = "deletes-by-position" / "After sorting, deleting takes the {noun} that stood there before",
        /// Deleting takes the first object whose name contains the name.
        DeletesSimilarName = "deletes-similar-name" / "Deleting a {noun} takes the first one whose name contains its name",
        /// A deleted object is still found.
        DeletedStillFound = "deleted-still-found" / "A deleted {noun} is still found",
        /// Undoing a deletion does nothing.
        UndoLost = "undo-lost" / "Undoing a deletion does not bring the {noun} back",
        /// Undoing a deletion restores the name only.
        UndoLosesField = "undo-loses-field" / "Undoing a deletion brings back the name of the {noun} only",
        /// Restoring from the trash only empties the trash.
        RestoreLost = "restore-lost" / "Restoring a {noun} from the trash loses it",
        /// A tap on a row opens the object that stands there in the order of adding.
        OpensByPosition = "opens-by-position" / "After sorting, a tap opens the {noun} that stood there before",
        /// The order by name puts capital letters first.
        OrderByCase = "order-by-case" / "The order by name puts {plural} with capital letters first",
        /// The menu of orders does nothing.
        OrderIgnored = "order-ignored" / "The order of {plural} cannot be changed",
        /// The filter for stars shows everything.
        FilterIgnored = "filter-ignored" / "The filter shows {plural} without a star, too",
        /// The search leaves symbols out of its text.
        SearchIgnoresSymbols = "search-ignores-symbols" / "The search for {plural} leaves symbols out of its text",
        /// The search finds nothing below the first object that it finds.
        SearchFindsOne = "search-finds-one" / "The search finds one {noun} at most",
        /// A new object replaces one whose name differs in case only.
        OverwritesOtherCase = "overwrites-other-case" / "A new {noun} replaces one whose name differs in case only",
        /// A date on one of the last days of a month is saved as one of the next month.
        DateSlips = "date-slips" / "A day at the end of a month is saved as one of the next month",
        /// Resetting the settings deletes the objects.
        ResetWipes = "reset-wipes" / "Resetting the settings deletes all {plural}",
        /// Saving without a name ends the app.
        CrashOnEmpty = "crash-on-empty" / "Saving a {noun} without a name ends the app",
        /// Turning the phone in the form ends the app.
        CrashOnRotation = "crash-on-rotation" / "Turning the phone while a {noun} is edited ends the app",
        /// Back while something is saved ends the app.
        CrashOnBack = "crash-on-back" / "Leaving the form of a {noun} with a field left empty ends the app",
        /// The dark theme ends the app on the page of an object.
        CrashOnDark = "crash-on-dark" / "The dark theme ends the app while a {noun} is shown",
        /// The search never ends while something is in the trash.
        SearchHangs = "search-hangs" / "The search never ends while a {noun} is in the trash",
        /// Adding an object takes the stars of others away.
        StarsLostOnAdd = "stars-lost-on-add" / "Adding a {noun} takes the star of another away",
        /// The number of objects is not renewed when one is deleted.
        CountStale = "count-stale" / "The number of {plural} is not renewed when one is deleted",
        /// The second search takes the button of the menu away.
        ButtonsVanish = "buttons-vanish" / "After a second search, the list of {plural} has no button to sort any more",
        /// After a change, a tap on a row below the changed one opens the row above.
        NeighbourAfterEdit = "neighbour-after-edit" / "After a change, a tap on a {noun} opens the one above",
        /// After the search was used, a star goes to the next row.
        NeighbourStarAfterSearch = "neighbour-star-after-search" / "After a search, the star of a {noun} goes to the next one",
        /// Turning the phone empties a field of the form.
        DraftLostOnRotation = "draft-lost-on-rotation" / "Turning the phone empties what was typed about a {noun}",
        /// The end of the process in the background empties a field of the form.
        DraftLostOnDeath = "draft-lost-on-death" / "The end of the process in the background empties what was typed about a {noun}",
        /// A call that comes in empties the search.
        QueryLostOnCall = "query-lost-on-call" / "A call empties the search for {plural}",
        /// The filter is off after the settings were looked at.
        FilterLostOnSettings = "filter-lost-on-settings" / "A look at the settings ends the filter of {plural}",
        /// Deleting an owner leaves what belongs to it.
        CascadeMissing = "cascade-missing" / "Deleting a {owner} leaves its {plural}",
        /// Deleting an owner deletes what belongs to others, too.
        CascadeTooWide = "cascade-too-wide" / "Deleting a {owner} deletes the {plural} of all others, too",
        /// A change takes the object away from its owner.
        OwnerLostOnEdit = "owner-lost-on-edit" / "Changing a {noun} takes it away from its {owner}",
        /// Numbers outside of the limits are saved.
        LimitsIgnored = "limits-ignored" / "Numbers of a {noun} outside of the limits are saved",
        /// What arrives by itself takes the place of what was made last.
        ArrivalReplaces = "arrival-replaces" / "A {noun} that arrives by itself takes the place of the last one that was made",
        /// On its side, the phone opens the left one of two cards.
        OpensFirstOfRow = "opens-first-of-row" / "While the phone lies on its side, a tap opens the {noun} at the left",
        /// Denying a permission ends the app.
        CrashOnDenial = "crash-on-denial" / "Denying the permission to make a {noun} ends the app",
        /// Turning the phone goes back to the first tab.
        TabLostOnRotation = "tab-lost-on-rotation" / "Turning the phone goes back to the first tab of a {noun}",
        /// An object for which something else than the first choice was chosen is shown empty.
        BlankAfterChoice = "blank-after-choice" / "A {noun} with another choice than the first one is shown empty",
        /// An object with the last choice cannot be changed any more.
        LockedByChoice = "locked-by-choice" / "A {noun} with the last choice cannot be changed any more",
        /// Saving with a box ticked and the field for a text empty ends the app.
        CrashOnTick = "crash-on-tick" / "Saving a {noun} with a box ticked and no text ends the app",
        /// The key of the keyboard that goes to the next field ends the app.
        CrashOnNext = "crash-on-next" / "The key for the next field ends the app while a {noun} is edited",
        /// Making the texts larger after the phone was turned ends the app.
        CrashOnZoom = "crash-on-zoom" / "Making the texts of a {noun} larger after turning the phone ends the app",
        /// The second search takes the button of the drawer away.
        NavigationVanishes = "navigation-vanishes" / "After a second search, the list of {plural} has no button for the drawer any more",
        /// The filtered list still shows an object whose star was taken away on its page.
        StarListStale = "star-list-stale" / "The filter still shows a {noun} whose star was taken away on its page",
        /// A tap on an object with the last choice opens the one above.
        NeighbourOfChoice = "neighbour-of-choice" / "A tap on a {noun} with the last choice opens the one above",
        /// The mark of what is played stays if that was renamed meanwhile.
        MarkStays = "mark-stays" / "The mark of a {noun} that was renamed while it was played stays",
        /// The history misses objects of which no more than the name was entered.
        HistoryMisses = "history-misses" / "A {noun} without more than a name is missing from the history",
        /// A long press in the history ends the app.
        CrashOnHistoryPress = "crash-on-history-press" / "A long press in the history of {plural} ends the app",
        /// After a look into the browser, the button to play does nothing.
        PlayerDead = "player-dead" / "After a look into the browser, a {noun} can be neither played nor stopped",
        /// What belongs to a blocked object is still listed.
        BlockedStillShown = "blocked-still-shown" / "What belongs to a blocked {noun} is still listed",
        /// An unblocked object counts as blocked until the next start.
        UnblockStale = "unblock-stale" / "An unblocked {noun} is shown as blocked until the next start",
        /// Clearing the list of blocked objects leaves the last one.
        ClearLeavesOne = "clear-leaves-one" / "Clearing the list of blocked {plural} leaves the last one blocked",
        /// Loading the list again never ends while something is blocked.
        RefreshHangs = "refresh-hangs" / "The list of {plural} loads forever while something is blocked",
        /// The converter forgets the pair after it was swapped.
        ConverterForgets = "converter-forgets" / "The converter forgets a pair that was swapped",
        /// Beside the list, an object is shown as it was when it was opened.
        PaneStale = "pane-stale" / "Beside the list, a {noun} that was changed is shown as it was",
        /// Turning the phone closes the object that was opened beside the list, or instead of it.
        OpenedLostOnRotation = "opened-lost-on-rotation" / "Turning the phone closes the {noun} that was opened",
        /// The order of a list is forgotten when the language changes: it is stored by its name in the menu.
        OrderLostOnLanguage = "order-lost-on-language" / "A look into another language loses the order of {plural}",
        /// The filter for stars is off after the language has changed.
        FilterLostOnLanguage = "filter-lost-on-language" / "Changing the language ends the filter of {plural}",
        /// The number of objects is not renewed when a deletion is taken back, or one is restored.
        CountStaleOnRestore = "count-stale-on-restore" / "The number of {plural} is not renewed when one comes back",
        /// The total is not renewed when a number is changed.
        TotalStaleOnEdit = "total-stale-on-edit" / "The total of {plural} is not renewed when one is changed",
        /// The total is not renewed when an object is deleted.
        TotalStaleOnDelete = "total-stale-on-delete" / "The total of {plural} is not renewed when one is deleted",
        /// The total is not renewed when a deletion is taken back, or an object is restored.
        TotalStaleOnRestore = "total-stale-on-restore" / "The total of {plural} is not renewed when one comes back",
        /// The number of those with a star is not renewed when one is deleted.
        StarCountStale = "star-count-stale" / "The number of {plural} with a star is not renewed when one is deleted",
        /// The number of those with a star is not renewed when one is given on a page.
        StarCountStaleOnPage = "star-count-stale-on-page" / "The number of {plural} with a star is not renewed by the star on a page",
        /// The heading of what belongs to an object counts what was deleted.
        MembersStale = "members-stale" / "The page of a {owner} counts {plural} that were deleted",
        /// The page of an object shows its old name until the next start.
        PageStale = "page-stale" / "The page of a {noun} shows its old name until the next start",
        /// A renamed object stays where it was in an ordered list until the next start.
        OrderStaleOnEdit = "order-stale-on-edit" / "A renamed {noun} stays where it was in the list until the next start",
    }
    /// The name as it stands in ids, such as `stale-list`.
    pub fn name;
    /// What its bug is called. `{noun}`, `{plural}` and `{owner}` are replaced.
    pub(super) fn title;
    /// All operators, in the order of their declaration.
    pub const ALL;
}

impl Operator {
    /// What can see it.
    pub(super) fn oracle(self) -> &'static Oracle {
        match self {
            Operator::CrashOnEmpty
            | Operator::CrashOnRotation
            | Operator::CrashOnBack
            | Operator::CrashOnDark
            | Operator::SearchHangs
            | Operator::CrashOnDenial
            | Operator::CrashOnTick
            | Operator::CrashOnNext
            | Operator::CrashOnZoom
            | Operator::CrashOnHistoryPress
            | Operator::RefreshHangs => &Oracle::Crash,
            Operator::StarsLostOnAdd
            | Operator::CountStale
            | Operator::ButtonsVanish
            | Operator::NavigationVanishes
            | Operator::MarkStays
            | Operator::PlayerDead
            | Operator::ConverterForgets => &Oracle::Genie,
            Operator::NeighbourAfterEdit
            | Operator::NeighbourStarAfterSearch
            | Operator::NeighbourOfChoice => &Oracle::Odin,
            Operator::DraftLostOnRotation
            | Operator::DraftLostOnDeath
            | Operator::QueryLostOnCall
            | Operator::FilterLostOnSettings
            | Operator::TabLostOnRotation
            | Operator::OpenedLostOnRotation
            | Operator::OrderLostOnLanguage
            | Operator::FilterLostOnLanguage => &Oracle::Preservation,
            Operator::CountStaleOnRestore
            | Operator::TotalStaleOnEdit
            | Operator::TotalStaleOnDelete
            | Operator::TotalStaleOnRestore
            | Operator::StarCountStale
            | Operator::StarCountStaleOnPage
            | Operator::MembersStale
            | Operator::PageStale
            | Operator::OrderStaleOnEdit => &Oracle::Agreement,
            _ => &Oracle::Property,
        }
    }

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
}
