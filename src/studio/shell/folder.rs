//! Looks up paths for the file chooser. Runs on the disk thread.

use std::io::ErrorKind;
use std::path::PathBuf;

use super::{FileEntry, Looked, PathIs};

/// Determines whether a path is a folder, a file, free, or inaccessible.
pub(crate) fn look(path: PathBuf) -> Looked {
    let is = match std::fs::metadata(&path) {
        Ok(about) if about.is_dir() => entries(&path).unwrap_or_else(|error| PathIs::Unknown(words(&error))),
        Ok(_) => PathIs::File,
        Err(error) if error.kind() == ErrorKind::NotFound => match path.parent() {
            Some(above) if above.is_dir() => PathIs::Free,
            _ => PathIs::Unknown("there is no such folder".to_owned()),
        },
        Err(error) => PathIs::Unknown(words(&error)),
    };
    Looked { path, is }
}

/// Returns the entries of a folder: folders first, then by name regardless of case.
fn entries(path: &std::path::Path) -> std::io::Result<PathIs> {
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        // Names that are not Unicode cannot be typed, so they are left out.
        let Ok(name) = entry.file_name().into_string() else { continue };
        entries.push(FileEntry { name, folder: entry.path().is_dir() });
    }
    entries.sort_by_cached_key(|entry| (!entry.folder, entry.name.to_lowercase(), entry.name.clone()));
    Ok(PathIs::Folder(entries))
}

fn words(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied => "you may not read it".to_owned(),
        ErrorKind::NotADirectory => "a part of the path is a file".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_listed_and_what_is_not_there_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("b.json"), "").unwrap();
        std::fs::write(at("A.json"), "").unwrap();
        std::fs::create_dir(at("z")).unwrap();
        let PathIs::Folder(entries) = look(folder.path().to_owned()).is else { panic!("a folder") };
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["z", "A.json", "b.json"]);
        assert_eq!(look(at("A.json")).is, PathIs::File);
        assert_eq!(look(at("new")).is, PathIs::Free);
        assert!(matches!(look(at("no/new")).is, PathIs::Unknown(_)));
        assert!(matches!(look(at("A.json/new")).is, PathIs::Unknown(_)));
    }
}
