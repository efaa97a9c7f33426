//! Recorded traces as commands take them: the file of a kept trace, the folder of a recorded walk, or a finding of the
//! workspace by its number or id, which stands for its shortest trace and the one that it is compared with.

use std::path::Path;

use super::Failure;
use super::campaign::open_results;
use taproof_core::campaign::{Build, SavedTrace};
use taproof_core::device::RecordedDevice;
use taproof_core::model::StepRole;
use taproof_results::store::{TraceSource, open_trace};

/// The traces that a word of the command line stands for, each with what it is called.
pub fn traces_named(word: &str, workspace: &Path) -> Result<Vec<(String, SavedTrace)>, Failure> {
    let path = Path::new(word);
    if path.is_dir() {
        return Ok(vec![(word.to_owned(), recorded_walk(path)?)]);
    }
    if path.is_file() || word.contains(['/', '.']) {
        return Ok(vec![(word.to_owned(), open_trace(path)?)]);
    }
    let stored = open_results(workspace)?.load_finding(word)?;
    let (plan, finding) = (&stored.plan.plan, &stored.finding);
    let mut traces = vec![(word.to_owned(), SavedTrace::of_finding(plan, finding))];
    if let Some(reference) = &finding.reference {
        let title = format!("reference of {}", finding.id);
        traces.push((title.clone(), SavedTrace::of_trace(title, plan, &reference.evidence.trace)));
    }
    Ok(traces)
}

/// The traces of `--from`, as the plan keeps them.
pub fn trace_sources(words: &[String], workspace: &Path) -> Result<Vec<TraceSource>, Failure> {
    let mut sources = Vec::new();
    for word in words {
        for (_, saved) in traces_named(word, workspace)? {
            sources.push(TraceSource::of(word, &saved)?);
        }
    }
    Ok(sources)
}

fn recorded_walk(folder: &Path) -> Result<SavedTrace, Failure> {
    let walk = RecordedDevice::open(folder)?;
    let title = if walk.title().is_empty() { folder.display().to_string() } else { walk.title().to_owned() };
    let Some(start) = walk.frame(0) else {
        return Err(Failure::BadInput(anyhow::anyhow!("the walk shows nothing: {}", folder.display())));
    };
    let steps = walk.events().iter().enumerate().filter_map(|(step, done)| {
        Some((&done.event, StepRole::Explored, walk.frame(step)?, walk.frame(step + 1)?))
    });
    Ok(SavedTrace::of_steps(title, (&walk.app().0, &Build::default()), start, steps))
}
