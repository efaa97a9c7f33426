//! The folder of a bench. What is finished is in files, so that a run that was killed goes on where it stopped.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use taproof_results::store::{StoreError, replace_file};

use crate::plan::{Plan, Target};
use crate::result::CellResult;

/// The plan, and the targets that were chosen for it.
const PLAN: &str = "plan.json";
/// The results of cells, one a line, in the order in which they ended.
const CELLS: &str = "cells.jsonl";

/// The folder of a bench, with what is finished.
pub struct Folder {
    path: PathBuf,
    program: String,
    /// The targets of the plan, if they were chosen already.
    pub targets: Option<Vec<Target>>,
    /// The finished cells, by their places.
    pub done: BTreeMap<usize, Line>,
    /// Where the next result is written.
    lines: Option<File>,
}

/// A finished cell in the file of cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its place among the cells.
    cell: usize,
    /// How long it took. It is no part of the result.
    pub millis: u64,
    /// Its result.
    pub result: CellResult,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    /// What tells the build of the program that began.
    program: String,
    plan: Plan,
    targets: Vec<Target>,
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Its results are those of another plan.
    #[error(
        "the folder has results of another plan, which differs in {differences}; name another folder with --out: {path}"
    )]
    OtherPlan {
        /// The parts in which the plans differ.
        differences: String,
        /// The path of the folder.
        path: String,
    },
    /// Its results were made by another build of the program, whose engines may differ.
    #[error("the folder has results of another build of Taproof; name another folder with --out: {path}")]
    OtherProgram {
        /// The path of the folder.
        path: String,
    },
    /// A file of it is not what it should be.
    #[error("not a file of a bench: {problem}: {path}")]
    BadFile {
        /// What is wrong.
        problem: String,
        /// The path of the file.
        path: String,
    },
    /// A file cannot be read or written.
    #[error("cannot use the file: {error}: {path}")]
    Disk {
        /// The error of the system.
        error: std::io::Error,
        /// The path of the file.
        path: String,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Folder {
    /// Opens the folder for a plan, and creates it if it does not exist. `program` tells this build of the program from
    /// others.
    ///
    /// # Errors
    ///
    /// [`FolderError`] if it has results of another plan or of another build, or cannot be used.
    pub fn open(path: &Path, plan: &Plan, program: &str) -> Result<Folder, FolderError> {
        std::fs::create_dir_all(path).map_err(|error| disk(error, path))?;
        let mut folder = Folder {
            path: path.to_owned(),
            program: program.to_owned(),
            targets: None,
            done: BTreeMap::new(),
            lines: None,
        };
        let Some(bytes) = read_if_there(&path.join(PLAN))? else { return Ok(folder) };
        let stored: Stored = serde_json::from_slice(&bytes).map_err(|error| bad(&error, &path.join(PLAN)))?;
        let differences = plan.differences(&stored.plan);
        if !differences.is_empty() {
            let (differences, path) = (differences.join(", "), path.display().to_string());
            return Err(FolderError::OtherPlan { differences, path });
        }
        if stored.program != program {
            return Err(FolderError::OtherProgram { path: path.display().to_string() });
        }
        folder.targets = Some(stored.targets);
        folder.read_lines()?;
        Ok(folder)
    }

    /// Stores the targets that were chosen for the plan.
    ///
    /// # Errors
    ///
    /// [`FolderError`] if they cannot be written.
    pub fn keep_targets(&mut self, plan: &Plan, targets: &[Target]) -> Result<(), FolderError> {
        let stored = Stored { program: self.program.clone(), plan: plan.clone(), targets: targets.to_vec() };
        let path = self.path.join(PLAN);
        let text = serde_json::to_string_pretty(&stored).map_err(|error| bad(&error, &path))?;
        replace_file(&path, format!("{text}\n").as_bytes())?;
        self.targets = Some(stored.targets);
        Ok(())
    }

    /// Stores the result of a cell.
    ///
    /// # Errors
    ///
    /// [`FolderError`] if it cannot be written.
    pub fn keep(&mut self, cell: usize, result: CellResult, took: Duration) -> Result<(), FolderError> {
        let path = self.path.join(CELLS);
        let line = Line { cell, millis: u64::try_from(took.as_millis()).unwrap_or(u64::MAX), result };
        let text = serde_json::to_string(&line).map_err(|error| bad(&error, &path))?;
        let file = match &mut self.lines {
            Some(file) => file,
            none => {
                let file = OpenOptions::new().create(true).append(true).open(&path);
                none.insert(file.map_err(|error| disk(error, &path))?)
            }
        };
        file.write_all(format!("{text}\n").as_bytes()).map_err(|error| disk(error, &path))?;
        self.done.insert(cell, line);
        Ok(())
    }

    /// Writes a file of results into the folder.
    ///
    /// # Errors
    ///
    /// [`FolderError`] if it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, FolderError> {
        let path = self.path.join(name);
        replace_file(&path, bytes)?;
        Ok(path)
    }

    /// Reads the finished cells. A last line that was cut off, as the program was killed while it wrote, is removed.
    fn read_lines(&mut self) -> Result<(), FolderError> {
        let path = self.path.join(CELLS);
        let Some(bytes) = read_if_there(&path)? else { return Ok(()) };
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        for line in bytes[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let line: Line = serde_json::from_slice(line).map_err(|error| bad(&error, &path))?;
            self.done.insert(line.cell, line);
        }
        if whole < bytes.len() {
            replace_file(&path, &bytes[..whole])?;
        }
        Ok(())
    }
}

fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, FolderError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(disk(error, path)),
    }
}

fn disk(error: std::io::Error, path: &Path) -> FolderError {
    FolderError::Disk { error, path: path.display().to_string() }
}

fn bad(error: &serde_json::Error, path: &Path) -> FolderError {
    FolderError::BadFile { problem: error.to_string(), path: path.display().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::plan;

    #[test]
    fn what_was_kept_is_there_again_without_a_line_that_was_cut_off() {
        let at = tempfile::tempdir().unwrap();
        let plan = plan(&["notes"]);
        let mut folder = Folder::open(at.path(), &plan, "1").unwrap();
        assert!(folder.targets.is_none());
        folder.keep_targets(&plan, &[]).unwrap();
        let result = CellResult { events: 7, ..CellResult::default() };
        folder.keep(3, result.clone(), Duration::from_millis(5)).unwrap();
        drop(folder);
        let cells = at.path().join(CELLS);
        let whole = std::fs::read_to_string(&cells).unwrap();
        std::fs::write(&cells, format!("{whole}{}", &whole[..whole.len() / 2])).unwrap();
        let mut again = Folder::open(at.path(), &plan, "1").unwrap();
        assert_eq!(again.targets, Some(Vec::new()));
        assert_eq!(
            again.done.iter().map(|(at, line)| (*at, &line.result)).collect::<Vec<_>>(),
            [(3, &result)]
        );
        again.keep(4, result, Duration::ZERO).unwrap();
        assert_eq!(std::fs::read_to_string(&cells).unwrap().lines().count(), 2);
    }

    #[test]
    fn another_plan_is_refused_with_what_differs() {
        let at = tempfile::tempdir().unwrap();
        let plan = plan(&["notes"]);
        Folder::open(at.path(), &plan, "1").unwrap().keep_targets(&plan, &[]).unwrap();
        let error = Folder::open(at.path(), &plan, "2").err().unwrap().to_string();
        assert!(error.contains("another build of Taproof"), "{error}");
        let other = Plan { seeds: 1..=9, sound: 5, ..plan };
        let error = Folder::open(at.path(), &other, "1").err().unwrap().to_string();
        assert!(error.contains("differs in seeds, sound; name another folder"), "{error}");
        std::fs::write(at.path().join(PLAN), "{").unwrap();
        assert!(matches!(Folder::open(at.path(), &other, "1"), Err(FolderError::BadFile { .. })));
    }
}
