//! `taproof replay FINDING`: re-executes a finding's minimal trace and compares it step by step.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::campaign::open_workspace;
use super::{Done, Failure, Outcome, say, workspace_path};
use crate::campaign::{BundledPhones, DeviceSource, Rig, appears, reexecute, units_of};
use crate::engine::{NoWatcher, Setting, Stop};
use crate::model::{Abstraction, Trace, event_sentence};

/// Re-execute a finding and compare it step by step
#[derive(clap::Args)]
pub struct Options {
    /// The finding's number or id
    finding: String,
    /// The folder with results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> Outcome {
    let path = workspace_path(options.workspace.as_ref());
    if !path.is_dir() {
        return Err(Failure::BadInput(anyhow::anyhow!("there is no workspace {}", path.display())));
    }
    let workspace = open_workspace(&path)?;
    let stored = workspace.load_finding(&options.finding).map_err(|error| Failure::BadInput(error.into()))?;
    let plan = &stored.plan.plan;
    let Some(engine) = plan.engines.first() else {
        return Err(Failure::BadInput(anyhow::anyhow!("the campaign of this finding has no engine")));
    };
    let (setting, recorded) = (Setting::new(&plan.app, &plan.spec), &stored.finding.minimal.trace);
    let rig = Rig { setting: &setting, policy: engine.run_policy(), cancelled: &|| false };
    let mut device = BundledPhones::new(plan).fresh(&[])?;
    let units = units_of(recorded, recorded.len());
    let origin = &stored.finding.origin;
    let rerun =
        reexecute(&mut *device, rig, &units, Some(origin), &mut NoWatcher).map_err(|stop| match stop {
            Stop::Device(error) => Failure::from(error),
            Stop::Cancelled | Stop::BudgetSpent | Stop::TestOver => {
                Failure::Broken(anyhow::anyhow!("the replay ended early"))
            }
        })?;
    let reproduced = appears(&rerun.reported, origin).is_some();
    let steps = compare(recorded, &rerun.trace);
    if options.json {
        say(&as_json(&stored.finding.id, &stored.finding.title, reproduced, &steps).to_string());
    } else {
        say(&stored.finding.title);
        for step in &steps {
            say(&format!("{:>3} {:<9} {}", step.number, step.word(), step.sentence));
        }
        say(if reproduced { "reproduced" } else { "not reproduced" });
    }
    Ok(if reproduced { Done::Fine } else { Done::Found })
}

/// One step of the comparison.
struct Compared {
    /// From 1; 0 is the start.
    number: usize,
    sentence: String,
    /// Whether the same event led to the same screen; `None` where only one of the two has the step.
    same: Option<bool>,
}

impl Compared {
    fn word(&self) -> &'static str {
        match self.same {
            Some(true) => "same",
            Some(false) => "differs",
            None => "missing",
        }
    }
}

fn compare(recorded: &Trace, rerun: &Trace) -> Vec<Compared> {
    let same_screen = |index: usize| {
        let (old, new) = (recorded.frame(index)?, rerun.frame(index)?);
        Some(
            old.health == new.health
                && old.layout.key(Abstraction::Exact) == new.layout.key(Abstraction::Exact),
        )
    };
    let start = Compared { number: 0, sentence: "Start the app".to_owned(), same: same_screen(0) };
    let mut steps = vec![start];
    for index in 0..recorded.len().max(rerun.len()) {
        let trace = if index < recorded.len() { recorded } else { rerun };
        let (Some(step), Some(before)) = (trace.steps().get(index), trace.frame(index)) else { break };
        let sentence = event_sentence(&step.event, &before.layout);
        steps.push(Compared { number: index + 1, sentence, same: same_screen(index + 1) });
    }
    steps
}

fn as_json(id: &str, title: &str, reproduced: bool, steps: &[Compared]) -> Value {
    let first = steps.iter().find(|step| step.same != Some(true)).map(|step| step.number);
    let steps: Vec<Value> = steps
        .iter()
        .map(|step| json!({ "step": step.number, "event": step.sentence, "screen": step.word() }))
        .collect();
    json!({
        "finding": id,
        "title": title,
        "reproduced": reproduced,
        "first_difference": first,
        "steps": steps,
    })
}
