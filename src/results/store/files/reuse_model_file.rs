//! Model files of Fastbot2 on disk, and folders of user-defined rule files.

use std::path::{Path, PathBuf};

use super::reuse_model_bytes::{model_from_bytes, model_to_bytes};
use crate::store::{StoreError, replace_file};
use taproof_engine::fastbot2::ReuseModel;
use taproof_spec::format::RULE_FILES;

/// The folder of a workspace with reuse models.
const MODELS: &str = "models";

/// Path of the file of a workspace with the reuse model of an app.
pub fn model_path(root: &Path, app: &str) -> PathBuf {
    root.join(MODELS).join(format!("{app}.model"))
}

/// The files with reuse models, in the order of their names.
pub(in crate::store) fn model_paths(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root.join(MODELS)).into_iter().flatten().flatten();
    let models = entries.map(|entry| entry.path());
    let mut paths: Vec<PathBuf> =
        models.filter(|path| path.extension().is_some_and(|extension| extension == "model")).collect();
    paths.sort();
    paths
}

/// Reads a reuse model from a file.
///
/// # Errors
///
/// [`StoreError::Read`] if the file cannot be read, and [`StoreError::BadModel`] if it is not a valid model.
pub fn read_model(path: &Path) -> Result<ReuseModel, StoreError> {
    let bytes =
        std::fs::read(path).map_err(|error| StoreError::Read { path: path.display().to_string(), error })?;
    model_from_bytes(&bytes)
        .map_err(|problem| StoreError::BadModel { path: path.display().to_string(), problem })
}

/// Writes a reuse model to a file. A valid previous file is saved next to it as `NAME.bak`.
pub fn write_model(path: &Path, model: &ReuseModel) -> Result<(), StoreError> {
    if path.exists() {
        let mut backup = path.as_os_str().to_owned();
        backup.push(".bak");
        let before = std::fs::read(path)
            .map_err(|error| StoreError::Read { path: path.display().to_string(), error })?;
        // A backup of a valid model must not be replaced by an invalid file.
        if model_from_bytes(&before).is_ok() {
            replace_file(Path::new(&backup), &before)?;
        }
    }
    replace_file(path, &model_to_bytes(model)?)
}

/// Adds newly learned counts to the model in a file, after `age` may have reduced the weight of the old ones. The file
/// and its folder are created if they do not exist.
///
/// # Errors
///
/// [`StoreError::OtherAppsModel`] if the file is a model of another app, or another error if it cannot be read or
/// written.
pub fn grow_model(
    path: &Path,
    new: &ReuseModel,
    age: impl FnOnce(&mut ReuseModel),
) -> Result<(), StoreError> {
    let failed = |error| StoreError::Write { path: path.display().to_string(), error };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut model = if path.exists() { read_model(path)? } else { ReuseModel::of(&new.package) };
    age(&mut model);
    model
        .merge(new)
        .map_err(|error| StoreError::OtherAppsModel { path: path.display().to_string(), error })?;
    write_model(path, &model)
}

/// The texts of the rule files in a folder, with their names. Any other file whose name begins with `max.` is included,
/// so that a misspelt name can be reported.
pub fn read_rule_files(folder: &Path) -> Result<Vec<(String, String)>, StoreError> {
    let failed = |path: &Path, error| StoreError::Read { path: path.display().to_string(), error };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| failed(folder, error))? {
        let path = entry.map_err(|error| failed(folder, error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_file() && (RULE_FILES.contains(&name.as_str()) || name.starts_with("max.")) {
            let text = std::fs::read_to_string(&path).map_err(|error| failed(&path, error))?;
            files.push((name, text));
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_replaced_whole_and_the_last_good_one_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (path, backup) = (folder.path().join("a.model"), folder.path().join("a.model.bak"));
        let versions = |version: &str| {
            let mut model = ReuseModel::of("org.ex");
            model.saw_version(version);
            model
        };
        for version in ["1", "2", "3"] {
            write_model(&path, &versions(version)).unwrap();
        }
        assert_eq!(read_model(&path).unwrap(), versions("3"));
        assert_eq!(read_model(&backup).unwrap(), versions("2"));
        std::fs::write(&path, &model_to_bytes(&versions("3")).unwrap()[..12]).unwrap();
        let refused = read_model(&path).unwrap_err();
        assert!(refused.to_string().contains("ends in the middle, after 12 bytes"), "{refused}");
        assert!(refused.is_about_what_was_given());
        write_model(&path, &versions("4")).unwrap();
        assert_eq!(read_model(&backup).unwrap(), versions("2"), "a bad file is no backup");
    }

    #[test]
    fn a_model_grows_by_what_is_new() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("models/org.ex.model");
        let mut new = ReuseModel::of("org.ex");
        new.saw_version("1");
        grow_model(&path, &new, |_| ()).unwrap();
        new.versions = vec!["2".to_owned()];
        grow_model(&path, &new, |model| assert_eq!(model.versions, ["1"])).unwrap();
        assert_eq!(read_model(&path).unwrap().versions, ["1", "2"]);
        let refused = grow_model(&path, &ReuseModel::of("org.other"), |_| ()).unwrap_err();
        assert!(refused.to_string().contains("org.other") && refused.is_about_what_was_given(), "{refused}");
    }

    #[test]
    fn rule_files_are_found_by_name() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["max.strings", "awl.strings", "max.stings", "notes.txt"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        let names: Vec<String> =
            read_rule_files(folder.path()).unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["awl.strings", "max.stings", "max.strings"]);
        assert!(read_rule_files(&folder.path().join("none")).is_err());
    }
}
