//! The catalogued bugs of Notes, and the exceptions of those that crash.

use crate::{Bug, Crash, Oracle};

/// Crashes when the device is rotated on the search results.
pub const ROTATE_RESULTS: &str = "notes-rotate-after-search";
/// Crashes when the device is rotated while a note is edited.
pub const ROTATE_EDITOR: &str = "notes-rotate-while-editing";

const PBFDROID: &str = "PBFDroid (ESEC/FSE 2023), Markor, Omni Notes and Notepad";

/// The bugs in the catalogue's order.
pub static BUGS: &[Bug] = &[
    Bug {
        id: "notes-search-root",
        title: "Nothing in the root folder can be found",
        paper: PBFDROID,
        needs: &["create", "search"],
        consequence: "Notes seem to be lost: the search looks into the folders but not beside them",
        oracles: &[Oracle::Property],
        masked_by: &[],
    },
    Bug {
        id: "notes-rename-question-mark",
        title: "Renaming to a name with ? silently keeps the old one",
        paper: PBFDROID,
        needs: &["create", "rename"],
        consequence: "The dialog closes as if the note had its new name",
        oracles: &[Oracle::Property],
        masked_by: &[],
    },
    Bug {
        id: "notes-rename-case-overwrite",
        title: "Renaming onto a name that differs only in case destroys the other note",
        paper: PBFDROID,
        needs: &["create", "rename", "search"],
        consequence: "The other note is gone for good, not even in the trash",
        oracles: &[Oracle::Property],
        masked_by: &[],
    },
    Bug {
        id: "notes-create-same-title",
        title: "A new note with an existing title overwrites the old content",
        paper: PBFDROID,
        needs: &["create", "create"],
        consequence: "What the older note said is gone for good",
        oracles: &[Oracle::Property, Oracle::Genie],
        masked_by: &[],
    },
    Bug {
        id: "notes-deleted-still-found",
        title: "A deleted note still appears in search results",
        paper: PBFDROID,
        needs: &["create", "delete", "search"],
        consequence: "What was deleted can still be seen by whoever searches",
        oracles: &[Oracle::Property],
        masked_by: &[],
    },
    Bug {
        id: ROTATE_RESULTS,
        title: "Turning the device on the search results crashes",
        paper: PBFDROID,
        needs: &["search", "rotate"],
        consequence: "The app stops",
        oracles: &[Oracle::Crash],
        masked_by: &[],
    },
    Bug {
        id: ROTATE_EDITOR,
        title: "Turning the device while a note is being edited crashes",
        paper: PBFDROID,
        needs: &["create", "edit", "rotate"],
        consequence: "The app stops and what was typed is lost",
        oracles: &[Oracle::Crash],
        masked_by: &[],
    },
];

/// The adapter of the results outlives its activity.
pub const RESULTS_CRASH: Crash = Crash {
    exception: "java.lang.IllegalStateException",
    message: "Fragment SearchResultsFragment{5c0a1f2} not attached to an activity.",
    stack: &[
        "org.taproof.notes.SearchResultsFragment.showResults(SearchResultsFragment.java:131)",
        "org.taproof.notes.SearchResultsFragment.onViewStateRestored(SearchResultsFragment.java:74)",
        "androidx.fragment.app.Fragment.restoreViewState(Fragment.java:642)",
        "android.app.ActivityThread.handleRelaunchActivity(ActivityThread.java:5413)",
    ],
};

/// The undo history of the text is saved but not restored.
pub const EDITOR_CRASH: Crash = Crash {
    exception: "java.lang.NullPointerException",
    message: "Attempt to invoke virtual method 'void org.taproof.notes.TextHistory.attach(android.widget.EditText)' on a null object reference",
    stack: &[
        "org.taproof.notes.EditorActivity.onRestoreInstanceState(EditorActivity.java:208)",
        "android.app.Activity.performRestoreInstanceState(Activity.java:1600)",
        "android.app.Instrumentation.callActivityOnRestoreInstanceState(Instrumentation.java:1347)",
        "android.app.ActivityThread.handleRelaunchActivity(ActivityThread.java:5413)",
    ],
};
