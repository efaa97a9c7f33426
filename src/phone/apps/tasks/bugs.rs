//! The catalogued bugs of Tasks: each loses something in one kind of detour, and nothing in plain use.

use crate::{Bug, Oracle};

/// The editor writes the notes into the views of the orientation that was left.
pub const ROTATE_NOTES: &str = "tasks-rotate-notes";
/// The selection belongs to the activity that is destroyed.
pub const ROTATE_SELECTION: &str = "tasks-rotate-selection";
/// The box of the landscape layout is bound to nothing.
pub const LANDSCAPE_IMPORTANT: &str = "tasks-landscape-important";
/// The search ends when the app is left.
pub const BACKGROUND_SEARCH: &str = "tasks-background-search";
/// The title is read from the file again, not from the saved state.
pub const DEATH_DRAFT: &str = "tasks-death-draft";
/// The filter is set up again for the other theme.
pub const DARK_FILTER: &str = "tasks-dark-filter";
/// What was sent stays in the outbox and is sent once more.
pub const OFFLINE_TWICE: &str = "tasks-offline-twice";
/// The order was stored by its translated name, which is unknown in another language.
pub const LANGUAGE_ORDER: &str = "tasks-language-order";
/// Cancelling puts back the name that the list was created with.
pub const CANCEL_RENAMES: &str = "tasks-cancel-renames";
/// The rows are bound again while their boxes still report changes.
pub const MENU_UNCHECKS: &str = "tasks-menu-unchecks";
/// The field of the notes is shared with the quick note of the call.
pub const CALL_NOTES: &str = "tasks-call-notes";
/// The list is set up again after a visit to the settings, whatever changed there.
pub const PEEK_LOSES_PAGE: &str = "tasks-peek-loses-page";
/// The editor of the task that was open last is kept, with its fields emptied.
pub const AGAIN_NOTES: &str = "tasks-again-notes";
/// The first page of a process is filled from a cache that new tasks do not enter.
pub const RESTART_NEW: &str = "tasks-restart-new";
/// Recycled rows keep the place of the first one.
pub const SCROLL_PLACES: &str = "tasks-scroll-places";
/// Leaving the selection applies the action that was used last.
pub const SELECT_COMPLETES: &str = "tasks-select-completes";
/// Reopening writes the task without its notes.
pub const TOGGLE_NOTES: &str = "tasks-toggle-notes";
/// The emptied field starts a search of its own, over open tasks.
pub const CLEAR_OPEN: &str = "tasks-clear-open";
/// A second choice of the same order is taken for a change of direction.
pub const CHOICE_REVERSES: &str = "tasks-choice-reverses";
/// Undo restores the title and the box only.
pub const UNDO_NOTES: &str = "tasks-undo-notes";
/// The box is set up again with the height of its label.
pub const FONT_IMPORTANT: &str = "tasks-font-important";
/// The name being typed is taken for a hint of the lock screen.
pub const SCREEN_NAME: &str = "tasks-screen-name";
/// The search is opened anew in the smaller window.
pub const SPLIT_SEARCH: &str = "tasks-split-search";
/// The filter is not in the saved state, which only the process's memory makes up for elsewhere.
pub const DESTROYED_FILTER: &str = "tasks-destroyed-filter";

/// The title is read from the file again for the other size.
pub const DISPLAY_TITLE: &str = "tasks-display-title";
/// The window that gets the focus back is taken for a new one.
pub const PANEL_SELECTION: &str = "tasks-panel-selection";
/// The account that is connected again opens its first list.
pub const AIRPLANE_LIST: &str = "tasks-airplane-list";
/// The results are set up again with the other times, without the words.
pub const HOURS_SEARCH: &str = "tasks-hours-search";
/// What was completed on another day by the new zone is taken for a repeated task.
pub const ZONE_REOPENS: &str = "tasks-zone-reopens";
/// The filters are set up again without those for places.
pub const LOCATION_FILTER: &str = "tasks-location-filter";
/// Important tasks would ring, and so none is important.
pub const QUIET_IMPORTANT: &str = "tasks-quiet-important";
/// The draft of the notes is among the files that are deleted to make room.
pub const STORAGE_NOTES: &str = "tasks-storage-notes";
/// The filter that was left is remembered with the default order.
pub const FILTER_ORDER: &str = "tasks-filter-order";
/// To select all, all are shown, and stay so.
pub const ALL_FILTER: &str = "tasks-all-filter";
/// The first change after an undo is taken for a part of it.
pub const REDO_IMPORTANT: &str = "tasks-redo-important";
/// The results of a search do not hold what is important.
pub const SEARCH_IMPORTANT: &str = "tasks-search-important";
/// A process that finds its permission gone starts over, without the saved state.
pub const PERMISSION_DRAFT: &str = "tasks-permission-draft";

const THOR: &str = "the kind that Thor provokes (Adamsen et al., ISSTA 2015)";
const QUANTUM: &str = "the kind that Quantum provokes (Zaeem et al., ICST 2014)";
const SETDROID: &str = "the kind that SetDroid finds (Sun et al., ISSTA 2021)";
const DATA_LOSS: &str = "the kind in the benchmark of data loss (Riganelli et al., MSR 2019)";

const fn lost(
    id: &'static str,
    title: &'static str,
    paper: &'static str,
    needs: &'static [&'static str],
    consequence: &'static str,
) -> Bug {
    Bug { id, title, paper, needs, consequence, oracles: &[Oracle::Preservation], masked_by: &[] }
}

/// The bugs in the catalogue's order.
pub static BUGS: &[Bug] = &[
    lost(
        ROTATE_NOTES,
        "Turning the phone empties the notes in the editor",
        DATA_LOSS,
        &["edit task", "rotate"],
        "what was typed is gone, and saving deletes the notes that the task had",
    ),
    lost(
        ROTATE_SELECTION,
        "Turning the phone ends the selection",
        DATA_LOSS,
        &["select tasks", "rotate"],
        "the tasks have to be selected again",
    ),
    lost(
        LANDSCAPE_IMPORTANT,
        "While the phone is held sideways, an important task is shown as unimportant in the editor",
        DATA_LOSS,
        &["edit important task", "rotate"],
        "the user ticks the box again and thereby unticks it",
    ),
    lost(
        BACKGROUND_SEARCH,
        "Leaving the app and coming back empties the search",
        THOR,
        &["search", "leave and return"],
        "the search has to be typed again",
    ),
    lost(
        DEATH_DRAFT,
        "When the system has ended the app in the background, the title being typed is lost",
        DATA_LOSS,
        &["edit title", "process death"],
        "what was typed is gone, although the notes beside it are still there",
    ),
    lost(
        DARK_FILTER,
        "Switching dark mode shows all tasks again",
        SETDROID,
        &["filter", "dark mode"],
        "the filter has to be chosen again",
    ),
    lost(
        OFFLINE_TWICE,
        "When the network returns, tasks that were added or changed before appear twice",
        SETDROID,
        &["add task", "network off and on"],
        "the list fills with copies",
    ),
    lost(
        LANGUAGE_ORDER,
        "Changing the system's language resets the order of the tasks for good",
        SETDROID,
        &["sort", "change language"],
        "the order has to be chosen again even when the old language is back",
    ),
    lost(
        CANCEL_RENAMES,
        "Cancelling the renaming of a list gives it the name that it was created with",
        THOR,
        &["rename list", "cancel"],
        "the name that the user gave is lost",
    ),
    lost(
        MENU_UNCHECKS,
        "Closing the menu without a choice reopens all completed tasks that are shown",
        THOR,
        &["complete task", "open and close menu"],
        "what is done is lost",
    ),
    lost(
        CALL_NOTES,
        "A call empties the notes in the editor",
        THOR,
        &["edit task", "incoming call"],
        "what was typed is gone, and saving deletes the notes that the task had",
    ),
    lost(
        PEEK_LOSES_PAGE,
        "A look at the settings resets the filter of the list",
        THOR,
        &["filter", "open settings"],
        "the filter has to be chosen again",
    ),
    lost(
        FONT_IMPORTANT,
        "Changing the size of texts unticks \u{201c}Important\u{201d} in the editor",
        SETDROID,
        &["edit important task", "font size"],
        "saving makes the task unimportant",
    ),
    lost(
        SCREEN_NAME,
        "Switching the screen off and on empties the name of the list that is being typed",
        THOR,
        &["new list", "screen off and on"],
        "the name has to be typed again",
    ),
    lost(
        SPLIT_SEARCH,
        "Splitting the screen empties the search",
        SETDROID,
        &["search", "split screen"],
        "the search has to be typed again",
    ),
    lost(
        DESTROYED_FILTER,
        "Where activities are not kept in the background, all tasks are shown again on return",
        DATA_LOSS,
        &["filter", "leave and return", "developer option"],
        "the filter has to be chosen again",
    ),
    lost(
        AGAIN_NOTES,
        "A task that is opened twice in a row has no notes the second time",
        QUANTUM,
        &["open task", "back"],
        "saving deletes the notes that the task had",
    ),
    lost(
        RESTART_NEW,
        "After a restart, the list leaves out the tasks that were added until something is tapped",
        QUANTUM,
        &["add task", "restart"],
        "the task seems to be lost, and is added again",
    ),
    lost(
        SCROLL_PLACES,
        "Scrolling through the results of a search shows a wrong list below each task",
        QUANTUM,
        &["search", "scroll"],
        "the task is looked for in the wrong list",
    ),
    lost(
        SELECT_COMPLETES,
        "Leaving the selection by Back completes the selected tasks",
        THOR,
        &["select tasks", "back"],
        "tasks that are still to be done are crossed off",
    ),
    lost(
        TOGGLE_NOTES,
        "A task that is completed by mistake and reopened has lost its notes",
        THOR,
        &["complete task", "reopen task"],
        "the notes are lost",
    ),
    lost(
        CLEAR_OPEN,
        "Clearing the search leaves out completed tasks",
        THOR,
        &["search", "clear search"],
        "a task that was done seems to be gone",
    ),
    lost(
        CHOICE_REVERSES,
        "Choosing the order that is already chosen reverses it",
        THOR,
        &["sort"],
        "the list stands upside down",
    ),
    lost(
        UNDO_NOTES,
        "Undo in the editor empties the notes",
        THOR,
        &["edit task", "undo"],
        "what was typed is gone, and saving deletes the notes that the task had",
    ),
    lost(
        DISPLAY_TITLE,
        "Changing the display size puts the stored title back into the editor",
        SETDROID,
        &["edit title", "display size"],
        "what was typed is gone",
    ),
    lost(
        PANEL_SELECTION,
        "A look at the notifications, or the warning of a low battery, ends the selection",
        QUANTUM,
        &["select tasks", "notifications"],
        "the tasks have to be selected again",
    ),
    lost(
        AIRPLANE_LIST,
        "Switching airplane mode shows the first list again",
        SETDROID,
        &["choose list", "airplane mode"],
        "the list has to be chosen again, and a new task may get into the wrong one",
    ),
    lost(
        HOURS_SEARCH,
        "Changing the hours of the clock empties the search",
        SETDROID,
        &["search", "24-hour clock"],
        "the search has to be typed again",
    ),
    lost(
        ZONE_REOPENS,
        "Changing the time zone reopens the completed tasks of the list",
        SETDROID,
        &["complete task", "time zone"],
        "what is done is lost",
    ),
    lost(
        LOCATION_FILTER,
        "Switching location off shows all tasks again",
        SETDROID,
        &["filter", "location"],
        "the filter has to be chosen again",
    ),
    lost(
        QUIET_IMPORTANT,
        "Do not disturb unticks \u{201c}Important\u{201d} in the editor",
        SETDROID,
        &["edit important task", "do not disturb"],
        "saving makes the task unimportant",
    ),
    lost(
        STORAGE_NOTES,
        "When the storage runs low, the notes in the editor are emptied",
        THOR,
        &["edit task", "low storage"],
        "what was typed is gone, and saving deletes the notes that the task had",
    ),
    lost(
        FILTER_ORDER,
        "Coming back to a filter resets the order of the tasks",
        QUANTUM,
        &["sort", "filter"],
        "the order has to be chosen again",
    ),
    lost(
        ALL_FILTER,
        "Selecting all tasks ends the filter",
        QUANTUM,
        &["filter", "select all tasks"],
        "the filter has to be chosen again",
    ),
    lost(
        REDO_IMPORTANT,
        "After Undo in the editor, the first tap on \u{201c}Important\u{201d} does nothing",
        THOR,
        &["edit task", "undo"],
        "the task stays unimportant although the user has ticked the box",
    ),
    lost(
        SEARCH_IMPORTANT,
        "Opened from the search, an important task is shown as unimportant",
        QUANTUM,
        &["search", "edit important task"],
        "saving makes the task unimportant",
    ),
    lost(
        PERMISSION_DRAFT,
        "When its permission for reminders is taken away, the app drops what is being typed in the editor",
        SETDROID,
        &["reminder", "edit task", "permission taken away"],
        "what was typed is gone, also after the permission was granted again",
    ),
];
