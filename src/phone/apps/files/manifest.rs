//! The manifest of the app, including its catalogued bugs.

use crate::{Bug, Color, Icon, Manifest, Oracle};

const PAPER: &str = "PBFDroid, ESEC/FSE 2023: Amaze";

/// The manifest of the app.
pub static MANIFEST: Manifest = Manifest {
    package: "org.taproof.files",
    label: "Files",
    modelled_on: "Amaze File Manager",
    icon: Icon::Folder,
    accent: Color(0x2962FF),
    activities: &[
        "MainActivity",
        "SearchActivity",
        "CollectionActivity",
        "TextEditorActivity",
        "ViewerActivity",
        "PreferencesActivity",
        "AboutActivity",
    ],
    permissions: &[],
    bugs: &[
        Bug {
            id: "files-rename-on-results",
            title: "Renaming from the search results leaves the old name in place",
            paper: PAPER,
            needs: &["create", "search", "rename"],
            consequence: "The old name stays in the results and in the folder; opening it shows an empty folder",
            oracles: &[Oracle::Property],
            masked_by: &[],
        },
        Bug {
            id: "files-search-hidden",
            title: "A search never ends while hidden folders exist",
            paper: PAPER,
            needs: &["create", "hide", "search"],
            consequence: "The results page loads for ever; after a while the app no longer answers",
            oracles: &[Oracle::Property, Oracle::Crash],
            masked_by: &[],
        },
        Bug {
            id: "files-results-order",
            title: "Search results come in creation order",
            paper: PAPER,
            needs: &["create", "search"],
            consequence: "An exact hit stands below older entries that only contain the searched name",
            oracles: &[Oracle::Property],
            masked_by: &[],
        },
    ],
    points: points!("points.txt"),
    resources: None,
};
