//! The window's settings from one start to the next, each file one JSON object: what belongs to a project in its
//! workspace, and preferences in the user's configuration folder. Unknown entries are preserved, since another version
//! may know them.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::store::{StoreError, replace_file};

/// Name of the settings file of a workspace.
const OF_WORKSPACE: &str = "settings.json";
/// Name of the file of preferences.
const OF_USER: &str = "preferences.json";

type Values = Map<String, Value>;

/// Where the settings are.
#[derive(Clone, Debug)]
pub struct SettingsFiles {
    /// The folder of the workspace.
    pub workspace: PathBuf,
    /// The folder of preferences; without one they are in the workspace, too.
    pub preferences: Option<PathBuf>,
    /// The names of the settings that are preferences.
    pub shared: &'static [&'static str],
}

/// A settings file that cannot be read.
#[derive(Debug)]
pub struct DamagedSettings {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub error: StoreError,
}

impl SettingsFiles {
    /// Reads the settings, and says which files are damaged.
    pub fn read(&self) -> (Values, Vec<DamagedSettings>) {
        let (mut values, mut damaged) = (Values::new(), Vec::new());
        for path in [Some(self.of_workspace()), self.of_user()].into_iter().flatten() {
            match read(&path) {
                Ok(read) => values.extend(read),
                Err(error) => damaged.push(DamagedSettings { path, error }),
            }
        }
        (values, damaged)
    }

    /// Writes changed settings to their files.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written or is damaged.
    pub fn write(&self, changed: &Values) -> Result<(), StoreError> {
        let (path, preferences) = (self.of_workspace(), self.of_user());
        let before = read(&path)?;
        let shared_before = preferences.as_deref().map(read).transpose()?.unwrap_or_default();
        let (mut values, mut shared) = (before.clone(), shared_before.clone());
        for (name, value) in changed {
            let is_shared = self.shared.contains(&name.as_str()) || shared.contains_key(name);
            let file = if is_shared && preferences.is_some() { &mut shared } else { &mut values };
            file.insert(name.clone(), value.clone());
        }
        if let Some(preferences) = preferences {
            write(&preferences, &shared_before, &shared)?;
        }
        write(&path, &before, &values)
    }

    fn of_workspace(&self) -> PathBuf {
        self.workspace.join(OF_WORKSPACE)
    }

    fn of_user(&self) -> Option<PathBuf> {
        self.preferences.as_ref().map(|folder| folder.join(OF_USER))
    }
}

/// Renames a damaged file, so that it is not read again. Returns its new path.
///
/// # Errors
///
/// [`StoreError::Write`] if it cannot be renamed.
pub fn set_settings_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = path.with_extension("damaged.json");
    std::fs::rename(path, &aside).map_err(|error| not_written(&aside, error))?;
    Ok(aside)
}

/// Reads one file; empty if there is none.
fn read(path: &Path) -> Result<Values, StoreError> {
    let damaged = |problem: String| StoreError::Damaged { what: format!("{}{problem}", path.display()) };
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Values::new()),
        Err(error) => return Err(damaged(format!(": {error}"))),
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(damaged(" is no JSON object".to_owned())),
        Err(error) => Err(damaged(format!(": {error}"))),
    }
}

/// Writes one file if it changes.
fn write(path: &Path, before: &Values, values: &Values) -> Result<(), StoreError> {
    if values == before {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| not_written(path, error))?;
    }
    let text = serde_json::to_string_pretty(values)?;
    replace_file(path, (text + "\n").as_bytes())
}

fn not_written(path: &Path, error: std::io::Error) -> StoreError {
    StoreError::Write { path: path.display().to_string(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Values {
        serde_json::from_str(text).unwrap()
    }

    fn files(folder: &Path) -> SettingsFiles {
        SettingsFiles {
            workspace: folder.join("workspace"),
            preferences: Some(folder.join("config/taproof")),
            shared: &["scale", "theme"],
        }
    }

    #[test]
    fn what_is_written_is_read_and_each_file_has_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        assert!(files.read().0.is_empty());
        files.write(&values(r#"{"scale": 150, "future": {"x": [1]}}"#)).unwrap();
        assert_eq!(files.read().0, values(r#"{"future": {"x": [1]}, "scale": 150}"#));
        assert_eq!(read(&files.of_workspace()).unwrap(), values(r#"{"future": {"x": [1]}}"#));
        assert_eq!(read(&files.of_user().unwrap()).unwrap(), values(r#"{"scale": 150}"#));
        let elsewhere = SettingsFiles { workspace: folder.path().join("other"), ..files };
        assert_eq!(elsewhere.read().0, values(r#"{"scale": 150}"#), "in another folder, too");
    }

    #[test]
    fn without_a_folder_of_the_user_all_is_in_the_workspace() {
        let folder = tempfile::tempdir().unwrap();
        let alone = SettingsFiles { preferences: None, ..files(folder.path()) };
        alone.write(&values(r#"{"scale": 125, "place": "fuzz"}"#)).unwrap();
        assert_eq!(alone.read().0, values(r#"{"scale": 125, "place": "fuzz"}"#));
        assert_eq!(read(&alone.of_workspace()).unwrap(), alone.read().0);
    }

    #[test]
    fn what_two_windows_change_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        files.write(&values(r#"{"scale": 150}"#)).unwrap();
        files.write(&values(r#"{"theme": "dark"}"#)).unwrap();
        assert_eq!(files.read().0, values(r#"{"scale": 150, "theme": "dark"}"#));
    }

    #[test]
    fn what_is_damaged_is_named_and_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        files.write(&values(r#"{"scale": 150, "place": "fuzz"}"#)).unwrap();
        for (path, left) in [(files.of_workspace(), r#"{"scale": 150}"#), (files.of_user().unwrap(), r#"{}"#)]
        {
            for damaged in ["{\"scale\": 1", "[]"] {
                std::fs::write(&path, damaged).unwrap();
                let (read, problems) = files.read();
                assert_eq!(read, values(left));
                assert!(problems[0].error.to_string().contains(&path.display().to_string()));
                assert!(files.write(&values(r#"{"scale": 200}"#)).is_err(), "it is not written over");
                let aside = set_settings_aside(&problems[0].path).unwrap();
                assert_eq!(std::fs::read_to_string(aside).unwrap(), damaged);
                assert!(files.read().1.is_empty());
            }
        }
    }
}
