//! The test rules that were collected in the window, one file for each package in the workspace folder. They are files as
//! `--test-rules` takes them.

use std::path::{Path, PathBuf};

use super::app_files;
use crate::store::StoreError;
use taproof_spec::{RulesError, TestRules};

/// The folder in the workspace.
pub(crate) const FOLDER: &str = "test-rules";

/// The path of the file of an app.
///
/// # Errors
///
/// [`StoreError::NoPackage`] if `app` cannot be a package name.
pub fn own_rules_path(workspace: &Path, app: &str) -> Result<PathBuf, StoreError> {
    app_files::path_of(workspace, FOLDER, app)
}

/// Reads the rules of all apps in the workspace, ordered by package, with the error for each file that cannot be read.
pub fn read_own_rules(workspace: &Path) -> Vec<(String, Result<TestRules, RulesError>)> {
    let files = app_files::all_in(workspace, FOLDER).into_iter();
    files.map(|(app, path)| (app, read_rules(&path))).collect()
}

/// Reads a file of rules. One whose name ends with `.txt` has texts for fields, as `--texts` takes it.
///
/// # Errors
///
/// What is wrong with it, and where.
pub fn read_rules(path: &Path) -> Result<TestRules, RulesError> {
    let name = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) if path.extension().is_some_and(|extension| extension == "txt") => {
            TestRules::of_texts(&name, &text)
        }
        Ok(text) => TestRules::parse(&name, &text),
        Err(error) => Err(RulesError { name, problem: format!("it cannot be read: {error}") }),
    }
}

/// Writes the rules of an app, or removes the file if they say nothing.
///
/// # Errors
///
/// [`StoreError::NoPackage`] if `app` cannot be a package name, and [`StoreError::Write`] if the file cannot be written.
pub fn write_own_rules(workspace: &Path, app: &str, rules: &TestRules) -> Result<(), StoreError> {
    let path = own_rules_path(workspace, app)?;
    if rules.is_empty() {
        return app_files::remove(&path).map(|_| ());
    }
    app_files::write(&path, rules.to_file()?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_spec::Ignored;

    #[test]
    fn rules_of_an_app_are_a_file_that_commands_take() {
        let folder = tempfile::tempdir().unwrap();
        let ignored = Ignored::parse("//*[@text='Ad']").unwrap();
        let rules = TestRules { ignore: vec![ignored], ..TestRules::default() };
        write_own_rules(folder.path(), "org.ex", &rules).unwrap();
        let path = own_rules_path(folder.path(), "org.ex").unwrap();
        let read = read_rules(&path).unwrap();
        assert_eq!(
            (&read.ignore, read.command_words()),
            (&rules.ignore, vec!["--test-rules".to_owned(), path.display().to_string()])
        );
        std::fs::write(path.with_file_name("org.bad.json"), "{}").unwrap();
        let all = read_own_rules(folder.path());
        let problem = all[0].1.as_ref().unwrap_err().to_string();
        assert!(
            all[0].0 == "org.bad" && problem.contains("org.bad.json: it is no file of rules"),
            "{problem}"
        );
        assert_eq!(all[1], ("org.ex".to_owned(), Ok(read)));
        write_own_rules(folder.path(), "org.ex", &TestRules::default()).unwrap();
        assert!(!path.exists());
        let refused = write_own_rules(folder.path(), "../x", &rules).unwrap_err();
        assert!(matches!(refused, StoreError::NoPackage { .. }));
    }

    #[test]
    fn a_file_of_texts_is_told_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("texts.txt");
        assert!(read_rules(&path).unwrap_err().to_string().contains("cannot be read"));
        std::fs::write(&path, "one\ntwo\n").unwrap();
        assert_eq!(read_rules(&path).unwrap().texts[0].texts, ["one", "two"]);
    }
}
