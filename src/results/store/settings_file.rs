//! The window's settings from one start to the next: one JSON object in the workspace folder. Unknown entries are
//! preserved, since another version may know them.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{StoreError, replace_file};

/// Name of the settings file.
const NAME: &str = "settings.json";
/// The new name of a damaged file.
const DAMAGED: &str = "settings.damaged.json";

/// Reads the settings; empty if there is no file.
pub fn read_settings(workspace: &Path) -> Result<Map<String, Value>, StoreError> {
    let path = workspace.join(NAME);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Map::new()),
        Err(error) => return Err(StoreError::Damaged { what: format!("{}: {error}", path.display()) }),
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(StoreError::Damaged { what: format!("{} is no JSON object", path.display()) }),
        Err(error) => Err(StoreError::Damaged { what: format!("{}: {error}", path.display()) }),
    }
}

/// Writes the settings to their file.
pub fn write_settings(workspace: &Path, values: &Map<String, Value>) -> Result<(), StoreError> {
    let path = workspace.join(NAME);
    let failed = |error: std::io::Error| StoreError::Write { path: path.display().to_string(), error };
    std::fs::create_dir_all(workspace).map_err(failed)?;
    let text = serde_json::to_string_pretty(values)?;
    replace_file(&path, (text + "\n").as_bytes())
}

/// Renames a damaged file, so that it is not read again. Returns its new path.
pub fn set_settings_aside(workspace: &Path) -> Result<PathBuf, StoreError> {
    let aside = workspace.join(DAMAGED);
    let failed = |error: std::io::Error| StoreError::Write { path: aside.display().to_string(), error };
    std::fs::rename(workspace.join(NAME), &aside).map_err(failed)?;
    Ok(aside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_damaged_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = folder.path().join("new");
        assert!(read_settings(&workspace).unwrap().is_empty());
        let values: Map<String, Value> =
            serde_json::from_str(r#"{"scale": 150, "future": {"x": [1]}}"#).unwrap();
        write_settings(&workspace, &values).unwrap();
        assert_eq!(read_settings(&workspace).unwrap(), values);
        for damaged in ["{\"scale\": 1", "[]"] {
            std::fs::write(workspace.join(NAME), damaged).unwrap();
            assert!(read_settings(&workspace).unwrap_err().to_string().contains(NAME));
            let aside = set_settings_aside(&workspace).unwrap();
            assert_eq!(std::fs::read_to_string(aside).unwrap(), damaged);
            assert!(read_settings(&workspace).unwrap().is_empty());
        }
    }
}
