//! How far the cells of a matrix have come, by what lies in their folders.

use std::fs::{File, TryLockError};
use std::path::Path;

use serde_json::{Value, json};

use super::super::{CommandEnd, Failure, Outcome, campaigns, print_json, print_line};
use super::cell::Cell;
use taproof_results::store::{CampaignRow, StoreError, Workspace};
use taproof_screen::counted;

/// The file that is locked while a cell runs, in its folder.
pub const CELL_LOCK: &str = "cell.lock";

/// How far a cell has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellState {
    /// Nothing has begun.
    Waiting,
    /// A program runs it.
    Running(Option<CampaignRow>),
    /// Its program died: it goes on when it is run again.
    Lost(Option<CampaignRow>),
    /// Its campaign ended before its budget was spent: it begins anew when it is run again.
    Failed(CampaignRow),
    /// Its campaign came to its end.
    Done(CampaignRow),
}

/// The words for the states, in the order in which they are told.
const WORDS: [&str; 5] = ["done", "running", "waiting", "lost", "failed"];

impl CellState {
    /// The state of the cell with this folder.
    pub fn of(folder: &Path) -> Result<CellState, StoreError> {
        let lock = folder.join(CELL_LOCK);
        if is_locked(&lock) {
            // On file systems that machines share, a database cannot be read while another machine writes it.
            let campaign = CellState::before(folder).ok().and_then(|before| before.campaign().cloned());
            return Ok(CellState::Running(campaign));
        }
        Ok(match CellState::before(folder)? {
            // It was begun, and killed before it had a campaign.
            CellState::Waiting if lock.exists() => CellState::Lost(None),
            before => before,
        })
    }

    /// As [`of`](CellState::of), where nothing runs the cell but who asks.
    pub fn before(folder: &Path) -> Result<CellState, StoreError> {
        if !Workspace::exists(folder) {
            return Ok(CellState::Waiting);
        }
        // The newest is the first.
        let mut rows = Workspace::open_to_read(folder)?.campaigns()?;
        let done = rows.iter().position(|row| matches!(campaigns::ended(row), "budget" | "exhausted"));
        if let Some(done) = done {
            return Ok(CellState::Done(rows.swap_remove(done)));
        }
        let newest = rows.into_iter().next();
        Ok(match newest {
            None => CellState::Waiting,
            Some(row) => match campaigns::ended(&row) {
                "running" => CellState::Running(Some(row)),
                "interrupted" => CellState::Lost(Some(row)),
                _ => CellState::Failed(row),
            },
        })
    }

    /// The state in one word.
    pub fn word(&self) -> &'static str {
        match self {
            CellState::Done(_) => "done",
            CellState::Running(_) => "running",
            CellState::Waiting => "waiting",
            CellState::Lost(_) => "lost",
            CellState::Failed(_) => "failed",
        }
    }

    /// Whether it is to be run, by a scheduler that runs nothing of it at the moment.
    fn to_be_run(&self) -> bool {
        matches!(self, CellState::Waiting | CellState::Lost(_) | CellState::Failed(_))
    }

    fn campaign(&self) -> Option<&CampaignRow> {
        match self {
            CellState::Waiting => None,
            CellState::Running(row) | CellState::Lost(row) => row.as_ref(),
            CellState::Failed(row) | CellState::Done(row) => Some(row),
        }
    }
}

/// Whether a program has locked the file.
fn is_locked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Prints how far the cells have come; only the numbers of those that are to be run if `again`.
pub fn print_status(cells: &[Cell<'_>], folder: &Path, again: bool, as_json: bool) -> Outcome {
    let mut states = Vec::new();
    for cell in cells {
        let state = CellState::of(&folder.join(&cell.name));
        states.push((
            cell,
            state.map_err(|error| Failure::from(error).context(format!("cell {}", cell.number)))?,
        ));
    }
    if again {
        let numbers: Vec<usize> =
            states.iter().filter(|(_, state)| state.to_be_run()).map(|(cell, _)| cell.number).collect();
        print_line(&ranges(&numbers))?;
        return Ok(CommandEnd::Fine);
    }
    if as_json {
        print_json(
            &json!({ "cells": states.iter().map(|(cell, state)| state_json(cell, state)).collect::<Vec<_>>() }),
        )?;
        return Ok(CommandEnd::Fine);
    }
    let count = |word: &str| states.iter().filter(|(_, state)| state.word() == word).count();
    let counts = WORDS.map(|word| (count(word), word)).into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, word)| format!("{count} {word}")).collect();
    print_line(&format!("{}: {}", counted(cells.len(), "cell"), counts.join(", ")))?;
    for (cell, state) in
        states.iter().filter(|(_, state)| !matches!(state, CellState::Done(_) | CellState::Waiting))
    {
        let row = state.campaign();
        let events = row.map_or(String::new(), |row| format!(", {} events", row.events));
        let how = match state {
            CellState::Failed(row) => format!(" ({})", campaigns::ended(row)),
            _ => String::new(),
        };
        print_line(&format!("{:>6}  {}{how}{events}  {}", cell.number, state.word(), cell.name))?;
    }
    if states.iter().any(|(_, state)| state.to_be_run()) {
        print_line("`taproof matrix status --again` prints the numbers of the cells that are to be run")?;
    }
    Ok(CommandEnd::Fine)
}

fn state_json(cell: &Cell<'_>, state: &CellState) -> Value {
    json!({
        "cell": cell.number,
        "name": cell.name,
        "state": state.word(),
        "campaign": state.campaign().map(campaigns::as_json),
    })
}

/// Numbers as ranges, as `sbatch --array` takes them: `0-3,7`.
fn ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|one, next| *next == one + 1);
    let range = |run: &[usize]| match run {
        [first, .., last] => format!("{first}-{last}"),
        [only] => only.to_string(),
        [] => String::new(),
    };
    runs.map(range).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_as_ranges() {
        assert_eq!(ranges(&[0, 1, 2, 3, 7, 9, 10]), "0-3,7,9-10");
        assert_eq!(ranges(&[]), "");
    }
}
