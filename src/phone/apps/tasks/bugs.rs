//! The catalogued bugs of Tasks: each loses something in one kind of detour, and nothing in plain use.

use crate::{Bug, Oracle};

const THOR: &str = "the kind that Thor provokes (Adamsen et al., ISSTA 2015)";
const QUANTUM: &str = "the kind that Quantum provokes (Zaeem et al., ICST 2014)";
const SETDROID: &str = "the kind that SetDroid finds (Sun et al., ISSTA 2021)";
const DATA_LOSS: &str = "the kind in the benchmark of data loss (Riganelli et al., MSR 2019)";

/// Defines the bugs: for each its name in the code, its id, the kind of its paper, what is needed to see it, its title
/// and its consequence.
macro_rules! lost {
    ($(
        $(#[$cause:meta])*
        $name:ident $id:literal $paper:ident [$($needs:literal),+]
            $title:literal
            $consequence:literal;
    )+) => {
        $($(#[$cause])* pub const $name: &str = $id;)+

        /// The bugs in the catalogue's order.
        pub static BUGS: &[Bug] = &[$(Bug {
            id: $name,
            title: $title,
            paper: $paper,
            needs: &[$($needs),+],
            consequence: $consequence,
            oracles: &[Oracle::Preservation],
            masked_by: &[],
        }),+];
    };
}

lost! {
    /// The editor writes the notes into the views of the orientation that was left.
    ROTATE_NOTES "tasks-rotate-notes" DATA_LOSS ["edit task", "rotate"]
        "Turning the phone empties the notes in the editor"
        "what was typed is gone, and saving deletes the notes that the task had";
    /// The selection belongs to the activity that is destroyed.
    ROTATE_SELECTION "tasks-rotate-selection" DATA_LOSS ["select tasks", "rotate"]
        "Turning the phone ends the selection"
        "the tasks have to be selected again";
    /// The box of the landscape layout is bound to nothing.
    LANDSCAPE_IMPORTANT "tasks-landscape-important" DATA_LOSS ["edit important task", "rotate"]
        "While the phone is held sideways, an important task is shown as unimportant in the editor"
        "the user ticks the box again and thereby unticks it";
    /// The search ends when the app is left.
    BACKGROUND_SEARCH "tasks-background-search" THOR ["search", "leave and return"]
        "Leaving the app and coming back empties the search"
        "the search has to be typed again";
    /// The title is read from the file again, not from the saved state.
    DEATH_DRAFT "tasks-death-draft" DATA_LOSS ["edit title", "process death"]
        "When the system has ended the app in the background, the title being typed is lost"
        "what was typed is gone, although the notes beside it are still there";
    /// The filter is set up again for the other theme.
    DARK_FILTER "tasks-dark-filter" SETDROID ["filter", "dark mode"]
        "Switching dark mode shows all tasks again"
        "the filter has to be chosen again";
    /// What was sent stays in the outbox and is sent once more.
    OFFLINE_TWICE "tasks-offline-twice" SETDROID ["add task", "network off and on"]
        "When the network returns, tasks that were added or changed before appear twice"
        "the list fills with copies";
    /// The order was stored by its translated name, which is unknown in another language.
    LANGUAGE_ORDER "tasks-language-order" SETDROID ["sort", "change language"]
        "Changing the system's language resets the order of the tasks for good"
        "the order has to be chosen again even when the old language is back";
    /// Cancelling puts back the name that the list was created with.
    CANCEL_RENAMES "tasks-cancel-renames" THOR ["rename list", "cancel"]
        "Cancelling the renaming of a list gives it the name that it was created with"
        "the name that the user gave is lost";
    /// The rows are bound again while their boxes still report changes.
    MENU_UNCHECKS "tasks-menu-unchecks" THOR ["complete task", "open and close menu"]
        "Closing the menu without a choice reopens all completed tasks that are shown"
        "what is done is lost";
    /// The field of the notes is shared with the quick note of the call.
    CALL_NOTES "tasks-call-notes" THOR ["edit task", "incoming call"]
        "A call empties the notes in the editor"
        "what was typed is gone, and saving deletes the notes that the task had";
    /// The list is set up again after a visit to the settings, whatever changed there.
    PEEK_LOSES_PAGE "tasks-peek-loses-page" THOR ["filter", "open settings"]
        "A look at the settings resets the filter of the list"
        "the filter has to be chosen again";
    /// The box is set up again with the height of its label.
    FONT_IMPORTANT "tasks-font-important" SETDROID ["edit important task", "font size"]
        "Changing the size of texts unticks \u{201c}Important\u{201d} in the editor"
        "saving makes the task unimportant";
    /// The name being typed is taken for a hint of the lock screen.
    SCREEN_NAME "tasks-screen-name" THOR ["new list", "screen off and on"]
        "Switching the screen off and on empties the name of the list that is being typed"
        "the name has to be typed again";
    /// The search is opened anew in the smaller window.
    SPLIT_SEARCH "tasks-split-search" SETDROID ["search", "split screen"]
        "Splitting the screen empties the search"
        "the search has to be typed again";
    /// The filter is not in the saved state, which only the process's memory makes up for elsewhere.
    DESTROYED_FILTER "tasks-destroyed-filter" DATA_LOSS ["filter", "leave and return", "developer option"]
        "Where activities are not kept in the background, all tasks are shown again on return"
        "the filter has to be chosen again";
    /// The editor of the task that was open last is kept, with its fields emptied.
    AGAIN_NOTES "tasks-again-notes" QUANTUM ["open task", "back"]
        "A task that is opened twice in a row has no notes the second time"
        "saving deletes the notes that the task had";
    /// The first page of a process is filled from a cache that new tasks do not enter.
    RESTART_NEW "tasks-restart-new" QUANTUM ["add task", "restart"]
        "After a restart, the list leaves out the tasks that were added until something is tapped"
        "the task seems to be lost, and is added again";
    /// Recycled rows keep the place of the first one.
    SCROLL_PLACES "tasks-scroll-places" QUANTUM ["search", "scroll"]
        "Scrolling through the results of a search shows a wrong list below each task"
        "the task is looked for in the wrong list";
    /// Leaving the selection applies the action that was used last.
    SELECT_COMPLETES "tasks-select-completes" THOR ["select tasks", "back"]
        "Leaving the selection by Back completes the selected tasks"
        "tasks that are still to be done are crossed off";
    /// Reopening writes the task without its notes.
    TOGGLE_NOTES "tasks-toggle-notes" THOR ["complete task", "reopen task"]
        "A task that is completed by mistake and reopened has lost its notes"
        "the notes are lost";
    /// The emptied field starts a search of its own, over open tasks.
    CLEAR_OPEN "tasks-clear-open" THOR ["search", "clear search"]
        "Clearing the search leaves out completed tasks"
        "a task that was done seems to be gone";
    /// A second choice of the same order is taken for a change of direction.
    CHOICE_REVERSES "tasks-choice-reverses" THOR ["sort"]
        "Choosing the order that is already chosen reverses it"
        "the list stands upside down";
    /// Undo restores the title and the box only.
    UNDO_NOTES "tasks-undo-notes" THOR ["edit task", "undo"]
        "Undo in the editor empties the notes"
        "what was typed is gone, and saving deletes the notes that the task had";
    /// The title is read from the file again for the other size.
    DISPLAY_TITLE "tasks-display-title" SETDROID ["edit title", "display size"]
        "Changing the display size puts the stored title back into the editor"
        "what was typed is gone";
    /// The window that gets the focus back is taken for a new one.
    PANEL_SELECTION "tasks-panel-selection" QUANTUM ["select tasks", "notifications"]
        "A look at the notifications, or the warning of a low battery, ends the selection"
        "the tasks have to be selected again";
    /// The account that is connected again opens its first list.
    AIRPLANE_LIST "tasks-airplane-list" SETDROID ["choose list", "airplane mode"]
        "Switching airplane mode shows the first list again"
        "the list has to be chosen again, and a new task may get into the wrong one";
    /// The results are set up again with the other times, without the words.
    HOURS_SEARCH "tasks-hours-search" SETDROID ["search", "24-hour clock"]
        "Changing the hours of the clock empties the search"
        "the search has to be typed again";
    /// What was completed on another day by the new zone is taken for a repeated task.
    ZONE_REOPENS "tasks-zone-reopens" SETDROID ["complete task", "time zone"]
        "Changing the time zone reopens the completed tasks of the list"
        "what is done is lost";
    /// The filters are set up again without those for places.
    LOCATION_FILTER "tasks-location-filter" SETDROID ["filter", "location"]
        "Switching location off shows all tasks again"
        "the filter has to be chosen again";
    /// Important tasks would ring, and so none is important.
    QUIET_IMPORTANT "tasks-quiet-important" SETDROID ["edit important task", "do not disturb"]
        "Do not disturb unticks \u{201c}Important\u{201d} in the editor"
        "saving makes the task unimportant";
    /// The draft of the notes is among the files that are deleted to make room.
    STORAGE_NOTES "tasks-storage-notes" THOR ["edit task", "low storage"]
        "When the storage runs low, the notes in the editor are emptied"
        "what was typed is gone, and saving deletes the notes that the task had";
    /// The filter that was left is remembered with the default order.
    FILTER_ORDER "tasks-filter-order" QUANTUM ["sort", "filter"]
        "Coming back to a filter resets the order of the tasks"
        "the order has to be chosen again";
    /// To select all, all are shown, and stay so.
    ALL_FILTER "tasks-all-filter" QUANTUM ["filter", "select all tasks"]
        "Selecting all tasks ends the filter"
        "the filter has to be chosen again";
    /// The first change after an undo is taken for a part of it.
    REDO_IMPORTANT "tasks-redo-important" THOR ["edit task", "undo"]
        "After Undo in the editor, the first tap on \u{201c}Important\u{201d} does nothing"
        "the task stays unimportant although the user has ticked the box";
    /// The results of a search do not hold what is important.
    SEARCH_IMPORTANT "tasks-search-important" QUANTUM ["search", "edit important task"]
        "Opened from the search, an important task is shown as unimportant"
        "saving makes the task unimportant";
    /// A process that finds its permission gone starts over, without the saved state.
    PERMISSION_DRAFT "tasks-permission-draft" SETDROID ["reminder", "edit task", "permission taken away"]
        "When its permission for reminders is taken away, the app drops what is being typed in the editor"
        "what was typed is gone, also after the permission was granted again";
}
