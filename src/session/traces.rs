//! Recorded traces as people refer to them: the file of a saved trace, the folder of a recorded walk, or a finding of
//! the workspace by its number or id, which stands for its minimal trace and the one that it is compared with.

use std::path::{Path, PathBuf};

use taproof_campaign::SavedTrace;
use taproof_engine::device::{Build, DeviceError, RecordedDevice};
use taproof_results::store::{StoreError, TraceSource, Workspace, open_trace};
use taproof_screen::StepRole;

/// Why a trace cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file or the finding cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The recorded walk cannot be read.
    #[error(transparent)]
    Walk(#[from] DeviceError),
    /// The recorded walk has no screen.
    #[error("the walk shows nothing: {}", .folder.display())]
    EmptyWalk {
        /// The folder of the recorded walk.
        folder: PathBuf,
    },
}

/// The traces that a word refers to, each with its name.
///
/// # Errors
///
/// Fails if the word refers to nothing that can be read.
pub fn traces_named(word: &str, workspace: &Path) -> Result<Vec<(String, SavedTrace)>, TraceError> {
    let path = Path::new(word);
    if path.is_dir() {
        return Ok(vec![(word.to_owned(), recorded_walk(path)?)]);
    }
    if path.is_file() || word.contains(['/', '.']) {
        return Ok(vec![(word.to_owned(), open_trace(path)?)]);
    }
    let stored = Workspace::open_to_read(workspace)?.load_finding(word)?;
    let (plan, finding) = (&stored.plan.plan, &stored.finding);
    let mut traces = vec![(word.to_owned(), SavedTrace::of_finding(plan, finding))];
    if let Some(reference) = &finding.reference {
        let title = format!("reference of {}", finding.id);
        traces.push((title.clone(), SavedTrace::of_trace(title, plan, &reference.evidence.trace)));
    }
    Ok(traces)
}

/// The traces that a campaign starts from, as its plan stores them.
///
/// # Errors
///
/// Fails if one of them cannot be read.
pub fn trace_sources(words: &[String], workspace: &Path) -> Result<Vec<TraceSource>, TraceError> {
    let mut sources = Vec::new();
    for word in words {
        for (_, saved) in traces_named(word, workspace)? {
            sources.push(TraceSource::of(word, &saved)?);
        }
    }
    Ok(sources)
}

fn recorded_walk(folder: &Path) -> Result<SavedTrace, TraceError> {
    let walk = RecordedDevice::open(folder)?;
    let title = if walk.title().is_empty() { folder.display().to_string() } else { walk.title().to_owned() };
    let Some(start) = walk.frame(0) else {
        return Err(TraceError::EmptyWalk { folder: folder.to_owned() });
    };
    let steps = walk.events().iter().enumerate().filter_map(|(step, done)| {
        Some((&done.event, StepRole::Explored, walk.frame(step)?, walk.frame(step + 1)?))
    });
    Ok(SavedTrace::of_steps(title, (&walk.app().0, &Build::default()), start, steps))
}
