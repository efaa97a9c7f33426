//! The table of the fault operators: their names, what can see their faults, and where each applies.

use super::operators::Operator;
use super::schema::{Blueprint, Cascade, DataType, DeleteFrom, FormWindow, Home, Naming, Shape};
use taproof_phone::Oracle;

/// What can see a fault of an operator, its words, and where it applies.
pub(super) struct Kind {
    pub operator: Operator,
    pub name: &'static str,
    pub oracle: Oracle,
    /// `{noun}`, `{plural}` and `{owner}` are replaced.
    pub title: &'static str,
    pub applies: fn(&Blueprint, usize) -> bool,
}

fn of(blueprint: &Blueprint, place: usize) -> &DataType {
    &blueprint.types[place]
}

fn always(_: &Blueprint, _: usize) -> bool {
    true
}

fn first(_: &Blueprint, place: usize) -> bool {
    place == 0
}

fn has_second(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).second_text().is_some()
}

fn searched(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).search.is_some()
}

fn undone(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).delete.undo
}

fn sorted(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).list.sort
}

fn starred(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).list.star
}

fn played(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).play.is_some()
}

fn has_history(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).play.is_some_and(|play| play.history)
}

fn blocked(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).block
}

fn chosen(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).choice().is_some()
}

fn cascades(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).owner.is_some_and(|owner| owner.deletion == Cascade::Delete)
}

fn brings_back(blueprint: &Blueprint, place: usize) -> bool {
    let kind = of(blueprint, place);
    blueprint.derives() && (kind.delete.undo || kind.delete.trash)
}

pub(super) const KINDS: [Kind; 73] = [
    kind(
        Operator::UpdateLost,
        "update-lost",
        Oracle::Property,
        "Renaming a {noun} leaves it as it was",
        always,
    ),
    kind(
        Operator::UpdateNotIndexed,
        "update-not-indexed",
        Oracle::Property,
        "A renamed {noun} is found by its old name only",
        searched,
    ),
    kind(
        Operator::DuplicateOnSave,
        "duplicate-on-save",
        Oracle::Property,
        "Changing a {noun} adds a second one",
        always,
    ),
    kind(
        Operator::FieldLostOnSave,
        "field-lost-on-save",
        Oracle::Property,
        "What is entered about a {noun} beside its name is not saved",
        |blueprint, place| has_second(blueprint, place) && of(blueprint, place).has_detail(),
    ),
    kind(Operator::CutOnSave, "cut-on-save", Oracle::Property, "Long names of {plural} are cut", always),
    kind(
        Operator::StaleList,
        "stale-list",
        Oracle::Property,
        "The list shows the old name of a {noun} until the next start",
        always,
    ),
    kind(
        Operator::DeletesByPosition,
        "deletes-by-position",
        Oracle::Property,
        "After sorting, deleting takes the {noun} that stood there before",
        |blueprint, place| {
            let kind = of(blueprint, place);
            kind.list.sort && kind.delete.from == DeleteFrom::RowMenu
        },
    ),
    kind(
        Operator::DeletesSimilarName,
        "deletes-similar-name",
        Oracle::Property,
        "Deleting a {noun} takes the first one whose name contains its name",
        always,
    ),
    kind(
        Operator::DeletedStillFound,
        "deleted-still-found",
        Oracle::Property,
        "A deleted {noun} is still found",
        searched,
    ),
    kind(
        Operator::UndoLost,
        "undo-lost",
        Oracle::Property,
        "Undoing a deletion does not bring the {noun} back",
        undone,
    ),
    kind(
        Operator::UndoLosesField,
        "undo-loses-field",
        Oracle::Property,
        "Undoing a deletion brings back the name of the {noun} only",
        |blueprint, place| {
            undone(blueprint, place) && has_second(blueprint, place) && of(blueprint, place).has_detail()
        },
    ),
    kind(
        Operator::RestoreLost,
        "restore-lost",
        Oracle::Property,
        "Restoring a {noun} from the trash loses it",
        |blueprint, place| of(blueprint, place).delete.trash,
    ),
    kind(
        Operator::OpensByPosition,
        "opens-by-position",
        Oracle::Property,
        "After sorting, a tap opens the {noun} that stood there before",
        sorted,
    ),
    kind(
        Operator::OrderByCase,
        "order-by-case",
        Oracle::Property,
        "The order by name puts {plural} with capital letters first",
        sorted,
    ),
    kind(
        Operator::OrderIgnored,
        "order-ignored",
        Oracle::Property,
        "The order of {plural} cannot be changed",
        sorted,
    ),
    kind(
        Operator::FilterIgnored,
        "filter-ignored",
        Oracle::Property,
        "The filter shows {plural} without a star, too",
        starred,
    ),
    kind(
        Operator::SearchIgnoresSymbols,
        "search-ignores-symbols",
        Oracle::Property,
        "The search for {plural} leaves symbols out of its text",
        searched,
    ),
    kind(
        Operator::SearchFindsOne,
        "search-finds-one",
        Oracle::Property,
        "The search finds one {noun} at most",
        searched,
    ),
    kind(
        Operator::OverwritesOtherCase,
        "overwrites-other-case",
        Oracle::Property,
        "A new {noun} replaces one whose name differs in case only",
        |blueprint, place| !of(blueprint, place).unique,
    ),
    kind(
        Operator::DateSlips,
        "date-slips",
        Oracle::Property,
        "A day at the end of a month is saved as one of the next month",
        |blueprint, place| {
            let kind = of(blueprint, place);
            kind.field_of(Shape::Date).is_some() && kind.has_detail()
        },
    ),
    kind(
        Operator::ResetWipes,
        "reset-wipes",
        Oracle::Property,
        "Resetting the settings deletes all {plural}",
        |blueprint, _| !blueprint.settings.is_empty(),
    ),
    kind(
        Operator::CrashOnEmpty,
        "crash-on-empty",
        Oracle::Crash,
        "Saving a {noun} without a name ends the app",
        |blueprint, place| {
            let form = of(blueprint, place).form;
            !form.autosave && form.window != FormWindow::Wizard
        },
    ),
    kind(
        Operator::CrashOnRotation,
        "crash-on-rotation",
        Oracle::Crash,
        "Turning the phone while a {noun} is edited ends the app",
        |blueprint, place| of(blueprint, place).form.window != FormWindow::Dialog,
    ),
    kind(
        Operator::CrashOnBack,
        "crash-on-back",
        Oracle::Crash,
        "Leaving the form of a {noun} with a field left empty ends the app",
        |blueprint, place| of(blueprint, place).form.asks,
    ),
    kind(
        Operator::CrashOnDark,
        "crash-on-dark",
        Oracle::Crash,
        "The dark theme ends the app while a {noun} is shown",
        |blueprint, place| of(blueprint, place).has_detail(),
    ),
    kind(
        Operator::SearchHangs,
        "search-hangs",
        Oracle::Crash,
        "The search never ends while a {noun} is in the trash",
        |blueprint, place| searched(blueprint, place) && of(blueprint, place).delete.trash,
    ),
    kind(
        Operator::StarsLostOnAdd,
        "stars-lost-on-add",
        Oracle::Genie,
        "Adding a {noun} takes the star of another away",
        starred,
    ),
    kind(
        Operator::CountStale,
        "count-stale",
        Oracle::Genie,
        "The number of {plural} is not renewed when one is deleted",
        |blueprint, place| of(blueprint, place).list.count,
    ),
    kind(
        Operator::ButtonsVanish,
        "buttons-vanish",
        Oracle::Genie,
        "After a second search, the list of {plural} has no button to sort any more",
        |blueprint, place| searched(blueprint, place) && sorted(blueprint, place),
    ),
    kind(
        Operator::NeighbourAfterEdit,
        "neighbour-after-edit",
        Oracle::Odin,
        "After a change, a tap on a {noun} opens the one above",
        |blueprint, place| of(blueprint, place).shipped.len() > 3,
    ),
    kind(
        Operator::NeighbourStarAfterSearch,
        "neighbour-star-after-search",
        Oracle::Odin,
        "After a search, the star of a {noun} goes to the next one",
        |blueprint, place| searched(blueprint, place) && starred(blueprint, place),
    ),
    kind(
        Operator::DraftLostOnRotation,
        "draft-lost-on-rotation",
        Oracle::Preservation,
        "Turning the phone empties what was typed about a {noun}",
        |blueprint, place| of(blueprint, place).form.window != FormWindow::Dialog,
    ),
    kind(
        Operator::DraftLostOnDeath,
        "draft-lost-on-death",
        Oracle::Preservation,
        "The end of the process in the background empties what was typed about a {noun}",
        |blueprint, place| of(blueprint, place).form.window != FormWindow::Dialog,
    ),
    kind(
        Operator::QueryLostOnCall,
        "query-lost-on-call",
        Oracle::Preservation,
        "A call empties the search for {plural}",
        searched,
    ),
    kind(
        Operator::FilterLostOnSettings,
        "filter-lost-on-settings",
        Oracle::Preservation,
        "A look at the settings ends the filter of {plural}",
        |blueprint, place| {
            first(blueprint, place) && starred(blueprint, place) && !blueprint.settings.is_empty()
        },
    ),
    kind(
        Operator::CascadeMissing,
        "cascade-missing",
        Oracle::Property,
        "Deleting a {owner} leaves its {plural}",
        cascades,
    ),
    kind(
        Operator::CascadeTooWide,
        "cascade-too-wide",
        Oracle::Property,
        "Deleting a {owner} deletes the {plural} of all others, too",
        cascades,
    ),
    kind(
        Operator::OwnerLostOnEdit,
        "owner-lost-on-edit",
        Oracle::Property,
        "Changing a {noun} takes it away from its {owner}",
        |blueprint, place| of(blueprint, place).owner.is_some(),
    ),
    kind(
        Operator::LimitsIgnored,
        "limits-ignored",
        Oracle::Property,
        "Numbers of a {noun} outside of the limits are saved",
        |blueprint, place| of(blueprint, place).number().is_some(),
    ),
    kind(
        Operator::ArrivalReplaces,
        "arrival-replaces",
        Oracle::Property,
        "A {noun} that arrives by itself takes the place of the last one that was made",
        |blueprint, place| !of(blueprint, place).arrivals.is_empty(),
    ),
    kind(
        Operator::OpensFirstOfRow,
        "opens-first-of-row",
        Oracle::Property,
        "While the phone lies on its side, a tap opens the {noun} at the left",
        |blueprint, place| {
            let list = of(blueprint, place).list;
            list.grid || list.landscape_grid
        },
    ),
    kind(
        Operator::CrashOnDenial,
        "crash-on-denial",
        Oracle::Crash,
        "Denying the permission to make a {noun} ends the app",
        |blueprint, place| of(blueprint, place).form.permission.is_some(),
    ),
    kind(
        Operator::TabLostOnRotation,
        "tab-lost-on-rotation",
        Oracle::Preservation,
        "Turning the phone goes back to the first tab of a {noun}",
        |blueprint, place| of(blueprint, place).page.tabs,
    ),
    kind(
        Operator::BlankAfterChoice,
        "blank-after-choice",
        Oracle::Property,
        "A {noun} with another choice than the first one is shown empty",
        |blueprint, place| chosen(blueprint, place) && of(blueprint, place).has_detail(),
    ),
    kind(
        Operator::LockedByChoice,
        "locked-by-choice",
        Oracle::Property,
        "A {noun} with the last choice cannot be changed any more",
        |blueprint, place| chosen(blueprint, place) && of(blueprint, place).has_detail(),
    ),
    kind(
        Operator::CrashOnTick,
        "crash-on-tick",
        Oracle::Crash,
        "Saving a {noun} with a box ticked and no text ends the app",
        |blueprint, place| {
            has_second(blueprint, place) && of(blueprint, place).field_of(Shape::Check).is_some()
        },
    ),
    kind(
        Operator::CrashOnNext,
        "crash-on-next",
        Oracle::Crash,
        "The key for the next field ends the app while a {noun} is edited",
        |blueprint, place| {
            let kind = of(blueprint, place);
            let typed = kind.fields.iter().filter(|field| field.shape.is_typed()).count();
            kind.form.window != FormWindow::Wizard && typed > 1
        },
    ),
    kind(
        Operator::CrashOnZoom,
        "crash-on-zoom",
        Oracle::Crash,
        "Making the texts of a {noun} larger after turning the phone ends the app",
        |blueprint, place| of(blueprint, place).page.zoom,
    ),
    kind(
        Operator::NavigationVanishes,
        "navigation-vanishes",
        Oracle::Genie,
        "After a second search, the list of {plural} has no button for the drawer any more",
        |blueprint, place| {
            let drawer = blueprint.home == Home::Drawer && blueprint.types.len() > 1;
            drawer && searched(blueprint, place)
        },
    ),
    kind(
        Operator::StarListStale,
        "star-list-stale",
        Oracle::Property,
        "The filter still shows a {noun} whose star was taken away on its page",
        |blueprint, place| starred(blueprint, place) && of(blueprint, place).has_detail(),
    ),
    kind(
        Operator::NeighbourOfChoice,
        "neighbour-of-choice",
        Oracle::Odin,
        "A tap on a {noun} with the last choice opens the one above",
        chosen,
    ),
    kind(
        Operator::MarkStays,
        "mark-stays",
        Oracle::Genie,
        "The mark of a {noun} that was renamed while it was played stays",
        played,
    ),
    kind(
        Operator::HistoryMisses,
        "history-misses",
        Oracle::Property,
        "A {noun} without more than a name is missing from the history",
        |blueprint, place| has_history(blueprint, place) && has_second(blueprint, place),
    ),
    kind(
        Operator::CrashOnHistoryPress,
        "crash-on-history-press",
        Oracle::Crash,
        "A long press in the history of {plural} ends the app",
        has_history,
    ),
    kind(
        Operator::PlayerDead,
        "player-dead",
        Oracle::Genie,
        "After a look into the browser, a {noun} can be neither played nor stopped",
        |blueprint, place| of(blueprint, place).play.is_some_and(|play| play.browser),
    ),
    kind(
        Operator::BlockedStillShown,
        "blocked-still-shown",
        Oracle::Property,
        "What belongs to a blocked {noun} is still listed",
        |blueprint, place| blocked(blueprint, place) && blueprint.members_of(place).next().is_some(),
    ),
    kind(
        Operator::UnblockStale,
        "unblock-stale",
        Oracle::Property,
        "An unblocked {noun} is shown as blocked until the next start",
        blocked,
    ),
    kind(
        Operator::ClearLeavesOne,
        "clear-leaves-one",
        Oracle::Property,
        "Clearing the list of blocked {plural} leaves the last one blocked",
        blocked,
    ),
    kind(
        Operator::RefreshHangs,
        "refresh-hangs",
        Oracle::Crash,
        "The list of {plural} loads forever while something is blocked",
        |blueprint, place| of(blueprint, place).list.refresh && blueprint.types.iter().any(|kind| kind.block),
    ),
    kind(
        Operator::ConverterForgets,
        "converter-forgets",
        Oracle::Genie,
        "The converter forgets a pair that was swapped",
        |blueprint, place| first(blueprint, place) && blueprint.converter.is_some(),
    ),
    kind(
        Operator::PaneStale,
        "pane-stale",
        Oracle::Property,
        "Beside the list, a {noun} that was changed is shown as it was",
        // Without ids, what is shown beside a list cannot be told from its rows.
        |blueprint, place| of(blueprint, place).list.panes && blueprint.naming != Naming::Descriptions,
    ),
    kind(
        Operator::OpenedLostOnRotation,
        "opened-lost-on-rotation",
        Oracle::Preservation,
        "Turning the phone closes the {noun} that was opened",
        |blueprint, place| of(blueprint, place).list.panes,
    ),
    kind(
        Operator::OrderLostOnLanguage,
        "order-lost-on-language",
        Oracle::Preservation,
        "A look into another language loses the order of {plural}",
        |blueprint, place| blueprint.translated && sorted(blueprint, place),
    ),
    kind(
        Operator::FilterLostOnLanguage,
        "filter-lost-on-language",
        Oracle::Preservation,
        "Changing the language ends the filter of {plural}",
        |blueprint, place| blueprint.translated && starred(blueprint, place),
    ),
    kind(
        Operator::CountStaleOnRestore,
        "count-stale-on-restore",
        Oracle::Agreement,
        "The number of {plural} is not renewed when one comes back",
        |blueprint, place| brings_back(blueprint, place) && of(blueprint, place).list.count,
    ),
    kind(
        Operator::TotalStaleOnEdit,
        "total-stale-on-edit",
        Oracle::Agreement,
        "The total of {plural} is not renewed when one is changed",
        |blueprint, place| of(blueprint, place).list.derived.total,
    ),
    kind(
        Operator::TotalStaleOnDelete,
        "total-stale-on-delete",
        Oracle::Agreement,
        "The total of {plural} is not renewed when one is deleted",
        |blueprint, place| of(blueprint, place).list.derived.total,
    ),
    kind(
        Operator::TotalStaleOnRestore,
        "total-stale-on-restore",
        Oracle::Agreement,
        "The total of {plural} is not renewed when one comes back",
        |blueprint, place| brings_back(blueprint, place) && of(blueprint, place).list.derived.total,
    ),
    kind(
        Operator::StarCountStale,
        "star-count-stale",
        Oracle::Agreement,
        "The number of {plural} with a star is not renewed when one is deleted",
        |blueprint, place| of(blueprint, place).list.derived.stars,
    ),
    kind(
        Operator::StarCountStaleOnPage,
        "star-count-stale-on-page",
        Oracle::Agreement,
        "The number of {plural} with a star is not renewed by the star on a page",
        |blueprint, place| of(blueprint, place).list.derived.stars && of(blueprint, place).has_detail(),
    ),
    kind(
        Operator::MembersStale,
        "members-stale",
        Oracle::Agreement,
        "The page of a {owner} counts {plural} that were deleted",
        |blueprint, place| blueprint.derives() && blueprint.owner_of(place).is_some(),
    ),
    kind(
        Operator::PageStale,
        "page-stale",
        Oracle::Agreement,
        "The page of a {noun} shows its old name until the next start",
        |blueprint, place| blueprint.derives() && of(blueprint, place).has_detail(),
    ),
    kind(
        Operator::OrderStaleOnEdit,
        "order-stale-on-edit",
        Oracle::Agreement,
        "A renamed {noun} stays where it was in the list until the next start",
        |blueprint, place| of(blueprint, place).list.derived.ordered,
    ),
];

const fn kind(
    operator: Operator,
    name: &'static str,
    oracle: Oracle,
    title: &'static str,
    applies: fn(&Blueprint, usize) -> bool,
) -> Kind {
    Kind { operator, name, oracle, title, applies }
}
