//! The initial steps of every test of an app, one JSON file for each package in the workspace folder:
//!
//! ```json
//! { "taproof_initialiser": 1, "app": "org.taproof.files",
//!   "steps": [ { "do": "Tap ...", "event": { as in a trace }, "before": 0, "after": 1 } ],
//!   "ready": "//*[@text='Documents']",
//!   "layouts": [ { "activity": "...", "size": [1080, 1920], "xml": "<hierarchy ..." } ] }
//! ```
//!
//! `before` and `after` are indices of `layouts`. `"keep_data": true`, `before_test`, a command of the host, and `may_clear`,
//! the devices on which a person has allowed to clear the app, may be there as well. The same object without these two is contained in the plans of campaigns and in saved traces, so that these
//! can be repeated; a file that somebody else made must not run commands here.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::app_files;
use crate::store::StoreError;
use crate::store::layout_texts::{LayoutText, LayoutTexts};
use taproof_screen::{Event, Initialiser, Layout, RecordedStep, XPath};

/// The folder in the workspace.
pub(crate) const FOLDER: &str = "initialisers";
const VERSION: u32 = 1;

/// The content of the file.
#[derive(Serialize, Deserialize)]
pub(crate) struct InitialiserText {
    taproof_initialiser: u32,
    app: String,
    steps: Vec<StepText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ready: Option<XPath>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    keep_data: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before_test: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    may_clear: BTreeSet<String>,
    layouts: Vec<LayoutText>,
}

#[derive(Serialize, Deserialize)]
struct StepText {
    #[serde(rename = "do")]
    sentence: String,
    event: Event,
    before: usize,
    after: usize,
}

/// What a workspace stores of the beginning of an app's tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredInitialiser {
    /// What is done with the app before each test.
    pub initialiser: Initialiser,
    /// A command of the host that is run before each test, such as one that resets a server.
    pub before_test: Option<String>,
    /// The serials of the devices on which a person has allowed that tests clear the app's data.
    pub may_clear: BTreeSet<String>,
}

impl InitialiserText {
    /// The content for these initial steps.
    pub(crate) fn of(app: &str, initialiser: &Initialiser) -> Self {
        let mut layouts = LayoutTexts::default();
        let step = |step: &RecordedStep| StepText {
            sentence: step.sentence(),
            event: step.event.clone(),
            before: layouts.number(&step.before),
            after: layouts.number(&step.after),
        };
        InitialiserText {
            taproof_initialiser: VERSION,
            app: app.to_owned(),
            steps: initialiser.steps.iter().map(step).collect(),
            ready: initialiser.ready.clone(),
            keep_data: initialiser.keep_data,
            before_test: None,
            may_clear: BTreeSet::new(),
            layouts: layouts.texts(),
        }
    }

    /// Parses the content. A command in it is left out.
    pub(crate) fn initialiser(self) -> Result<Initialiser, StoreError> {
        let damaged = |what: String| StoreError::Damaged { what };
        if self.taproof_initialiser > VERSION {
            let found = self.taproof_initialiser;
            return Err(damaged(format!("it has version {found}, this program knows {VERSION}")));
        }
        let layouts = self.layouts.iter().map(LayoutText::layout).collect::<Result<Vec<_>, _>>()?;
        let layout = |number: usize| -> Result<Arc<Layout>, StoreError> {
            let layout = layouts.get(number).cloned();
            layout.ok_or_else(|| damaged(format!("there is no layout number {number}")))
        };
        let step = |step: StepText| -> Result<RecordedStep, StoreError> {
            Ok(RecordedStep { event: step.event, before: layout(step.before)?, after: layout(step.after)? })
        };
        Ok(Initialiser {
            steps: self.steps.into_iter().map(step).collect::<Result<_, _>>()?,
            ready: self.ready,
            keep_data: self.keep_data,
        })
    }
}

/// Reads the initial steps of an app; `None` if the workspace has none.
///
/// # Errors
///
/// [`StoreError::NoPackage`] if `app` cannot be a package name, and [`StoreError::BadInitialiser`] if the file cannot
/// be parsed.
pub fn read_initialiser(workspace: &Path, app: &str) -> Result<Option<StoredInitialiser>, StoreError> {
    read(&app_files::path_of(workspace, FOLDER, app)?, app)
}

fn read(path: &Path, app: &str) -> Result<Option<StoredInitialiser>, StoreError> {
    let bad = |problem: String| StoreError::BadInitialiser { path: path.display().to_string(), problem };
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(bad(error.to_string())),
    };
    let file: InitialiserText = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
    if file.app != app {
        return Err(bad(format!("it is of {}", file.app)));
    }
    let (before_test, may_clear) = (file.before_test.clone(), file.may_clear.clone());
    match file.initialiser() {
        Ok(initialiser) => Ok(Some(StoredInitialiser { initialiser, before_test, may_clear })),
        Err(StoreError::Damaged { what }) => Err(bad(what)),
        Err(other) => Err(other),
    }
}

/// Reads the initial steps of all apps in the workspace, ordered by package, with the error for each file that cannot
/// be read.
pub fn read_initialisers(workspace: &Path) -> Vec<(String, Result<StoredInitialiser, StoreError>)> {
    let files = app_files::all_in(workspace, FOLDER).into_iter();
    files.filter_map(|(app, path)| read(&path, &app).transpose().map(|read| (app, read))).collect()
}

/// Writes the initial steps of an app. Returns the path of the file.
pub fn write_initialiser(
    workspace: &Path,
    app: &str,
    stored: &StoredInitialiser,
) -> Result<PathBuf, StoreError> {
    let path = app_files::path_of(workspace, FOLDER, app)?;
    let (before_test, may_clear) = (stored.before_test.clone(), stored.may_clear.clone());
    let file = InitialiserText { before_test, may_clear, ..InitialiserText::of(app, &stored.initialiser) };
    let mut text = serde_json::to_string_pretty(&file)?;
    text.push('\n');
    app_files::write(&path, text.as_bytes())?;
    Ok(path)
}

/// Removes the initial steps of an app. Returns false if there were none.
pub fn remove_initialiser(workspace: &Path, app: &str) -> Result<bool, StoreError> {
    app_files::remove(&app_files::path_of(workspace, FOLDER, app)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Gesture, Key, Selector, layout_from};

    fn initialiser() -> StoredInitialiser {
        let welcome = Arc::new(layout_from("FrameLayout\n  Button#ok \"OK <\u{2603}\" (x)\n"));
        let list = Arc::new(layout_from("ListView#list\n"));
        let selector = Selector { resource_id: Some("org.ex:id/ok".to_owned()), ..Selector::default() };
        let event = Event::on(&welcome, selector, Gesture::Tap).unwrap();
        let back = Event::Key(Key::Back);
        let initialiser = Initialiser {
            steps: vec![
                RecordedStep { event, before: Arc::clone(&welcome), after: Arc::clone(&list) },
                RecordedStep { event: back, before: Arc::clone(&list), after: list },
            ],
            ready: Some(XPath::parse("//*[@text=\"\u{2603}\"]").unwrap()),
            keep_data: false,
        };
        StoredInitialiser { initialiser, ..StoredInitialiser::default() }
    }

    #[test]
    fn what_is_kept_comes_back_until_it_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = folder.path().join("new");
        assert_eq!(read_initialiser(&workspace, "org.ex").unwrap(), None);
        assert!(read_initialisers(&workspace).is_empty());
        let path = write_initialiser(&workspace, "org.ex", &initialiser()).unwrap();
        assert!(std::fs::read_to_string(path).unwrap().contains("\"do\": \"Tap "));
        let only = StoredInitialiser {
            initialiser: Initialiser { keep_data: true, ..Initialiser::default() },
            before_test: Some("./reset.sh \"a b\"".to_owned()),
            may_clear: BTreeSet::from(["phone-1".to_owned()]),
        };
        write_initialiser(&workspace, "org.a", &only).unwrap();
        assert_eq!(read_initialiser(&workspace, "org.ex").unwrap(), Some(initialiser()));
        let all: Vec<_> =
            read_initialisers(&workspace).into_iter().map(|(app, it)| (app, it.unwrap())).collect();
        assert_eq!(all, [("org.a".to_owned(), only), ("org.ex".to_owned(), initialiser())]);
        assert!(remove_initialiser(&workspace, "org.ex").unwrap());
        assert!(!remove_initialiser(&workspace, "org.ex").unwrap());
        assert_eq!(read_initialiser(&workspace, "org.ex").unwrap(), None);
    }

    #[test]
    fn a_bad_file_is_named_and_what_to_do_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = write_initialiser(folder.path(), "org.ex", &initialiser()).unwrap();
        let good = std::fs::read_to_string(&path).unwrap();
        let check = |text: &str, problem: &str| {
            std::fs::write(&path, text).unwrap();
            let error = read_initialiser(folder.path(), "org.ex").unwrap_err().to_string();
            assert!(error.contains(problem) && error.contains("org.ex.json"), "{error}");
            assert!(error.contains("taproof initialiser set"), "{error}");
            assert!(read_initialisers(folder.path())[0].1.is_err());
        };
        check("{", "EOF");
        check("{}", "missing field");
        check(&good.replace("\"taproof_initialiser\": 1", "\"taproof_initialiser\": 9"), "version 9");
        check(&good.replace("\"app\": \"org.ex\"", "\"app\": \"org.other\""), "it is of org.other");
        check(&good.replace("\"after\": 1", "\"after\": 7"), "no layout number 7");
        check(&good.replace("//*[@text", "//*[@"), "XPath");
        check(&good.replace("\"kind\": \"key\"", "\"kind\": \"fly\""), "fly");
    }

    #[test]
    fn a_name_that_is_no_package_leads_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["", "..", "../x", "a/b", ".hidden", "a\\b", "c:x"] {
            assert!(write_initialiser(folder.path(), name, &initialiser()).is_err(), "{name:?}");
            assert!(read_initialiser(folder.path(), name).is_err(), "{name:?}");
            assert!(remove_initialiser(folder.path(), name).is_err(), "{name:?}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
