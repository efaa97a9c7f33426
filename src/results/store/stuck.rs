//! Steps that could not be performed: the screen that was there instead, as a dump, a picture and a sentence.

use std::path::{Path, PathBuf};

use super::{StoreError, replace_file};
use taproof_engine::device::StuckStep;
use taproof_screen::format::write_hierarchy;

/// The folder in a workspace.
const FOLDER: &str = "stuck";
/// Longest name of a file without its extension, in characters.
const LONGEST: usize = 80;

/// Keeps the screen on which a step could not be performed, in the workspace with this folder: a dump, and a picture if one
/// was taken. Files of the same step of an earlier run are replaced. Returns the path of the dump.
///
/// # Errors
///
/// [`StoreError::Write`] if a file cannot be written.
pub fn keep_stuck(root: &Path, run: &str, stuck: &StuckStep) -> Result<PathBuf, StoreError> {
    let folder = root.join(FOLDER).join(file_name(run));
    std::fs::create_dir_all(&folder)
        .map_err(|error| StoreError::Write { path: folder.display().to_string(), error })?;
    let name = file_name(&stuck.step);
    let dump = folder.join(format!("{name}.xml"));
    replace_file(&dump, write_hierarchy(&stuck.layout).as_bytes())?;
    let activity = stuck.layout.activity();
    let said = format!("{}\n{}\non {activity}\n", stuck.step, stuck.why);
    replace_file(&folder.join(format!("{name}.txt")), said.as_bytes())?;
    if let Some(picture) = &stuck.picture {
        replace_file(&folder.join(format!("{name}.png")), picture)?;
    }
    Ok(dump)
}

/// A text as a name of a file: letters and digits of any script, other characters as dashes.
fn file_name(text: &str) -> String {
    let mut name = String::new();
    for letter in text.chars().take(LONGEST) {
        match letter.is_alphanumeric() {
            true => name.push(letter),
            false if name.ends_with('-') || name.is_empty() => {}
            false => name.push('-'),
        }
    }
    let name = name.trim_end_matches('-');
    if name.is_empty() { "step".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn a_dump_a_picture_and_the_reason_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let stuck = StuckStep {
            step: "add note, step 2".to_owned(),
            why: "the widget of the step is not shown".to_owned(),
            layout: Arc::new(layout_from("TextView \"Welcome\"\n")),
            picture: Some(Arc::new(vec![1, 2])),
        };
        let dump = keep_stuck(folder.path(), "campaign 1, pbfdroid", &stuck).unwrap();
        assert!(dump.ends_with("stuck/campaign-1-pbfdroid/add-note-step-2.xml"), "{}", dump.display());
        let read = |ending: &str| std::fs::read(dump.with_extension(ending)).unwrap();
        assert!(String::from_utf8(read("xml")).unwrap().contains("Welcome"));
        assert!(String::from_utf8(read("txt")).unwrap().contains("is not shown"));
        assert_eq!(read("png"), [1, 2]);
    }

    #[test]
    fn any_text_is_a_harmless_name() {
        for (text, name) in [
            ("../../etc/passwd", "etc-passwd"),
            ("\u{1b}[2J\n", "2J"),
            ("", "step"),
            ("..", "step"),
            ("Größe, Schritt 3", "Größe-Schritt-3"),
        ] {
            assert_eq!(file_name(text), name);
        }
        assert_eq!(file_name(&"x".repeat(500)).len(), LONGEST);
    }
}
