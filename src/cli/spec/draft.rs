//! `taproof spec draft WALK`: the DMF that a recorded walk shows.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::cli::{Done, Failure, Outcome, say};
use crate::device::RecordedDevice;
use crate::format::DmfFile;
use crate::spec::{DmfKind, Draft, DraftRequest, Extent, RecordedStep, Spec, draft};
use crate::store::replace_file;

/// Draft a DMF from a recorded walk
#[derive(clap::Args)]
pub struct Options {
    /// A folder with events.json, step-NN.xml and step-NN.png
    walk: PathBuf,
    /// What the function does to the data
    #[arg(long = "type", value_name = "TYPE")]
    kind: Kind,
    /// What it does it to, such as note or folder
    #[arg(long, value_name = "NOUN")]
    data_type: String,
    /// The text that the function added
    #[arg(long, value_name = "TEXT")]
    added: Option<String>,
    /// The text that the function removed
    #[arg(long, value_name = "TEXT")]
    removed: Option<String>,
    /// The text that was searched or viewed
    #[arg(long, value_name = "TEXT")]
    sought: Option<String>,
    /// Take every step of the walk, not only those that seem to belong to the function
    #[arg(long)]
    whole: bool,
    /// Look at the first N steps of the walk only
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Write the file here instead of printing it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print one JSON object: the DMF file and the notes
    #[arg(long)]
    json: bool,
}

/// The types of PBFDroid's files.
#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    Add,
    View,
    Edit,
    Delete,
    Search,
    Property,
}

pub fn run(options: &Options) -> Outcome {
    let device = RecordedDevice::open(&options.walk)?;
    let steps = recorded_steps(&device, options.steps);
    let kind = match options.kind {
        Kind::Add => DmfKind::Create,
        Kind::View => DmfKind::Read,
        Kind::Edit => DmfKind::Update,
        Kind::Delete => DmfKind::Delete,
        Kind::Search => DmfKind::Search,
        Kind::Property => DmfKind::Property,
    };
    let request = DraftRequest {
        added: options.added.clone().into(),
        removed: options.removed.clone().into(),
        sought: options.sought.clone().into(),
        extent: if options.whole { Extent::Whole } else { Extent::Proposed },
        ..DraftRequest::new(kind, &*options.data_type)
    };
    let drafted = draft(&steps, &request).map_err(|error| Failure::BadInput(error.into()))?;
    let spec = Spec { dmfs: vec![drafted.dmf.clone()], ..Spec::default() };
    let file = DmfFile::new(&spec);
    if options.json {
        say(&as_json(&file, &drafted)?.to_string());
        return Ok(Done::Fine);
    }
    eprintln!("steps {} to {} of the walk", drafted.first_step + 1, drafted.end_step);
    for note in &drafted.notes {
        let mark = if note.doubtful { "!" } else { "-" };
        let widget = note.widget.as_deref().map_or(String::new(), |name| format!("{name}: "));
        eprintln!("{mark} {widget}{}", note.text);
    }
    match &options.output {
        Some(path) => {
            let written = replace_file(path, file.source().as_bytes());
            written.map_err(|error| Failure::Broken(error.into()))?;
            eprintln!("wrote {}", path.display());
        }
        None => {
            let printed = std::io::stdout().write_all(file.source().as_bytes());
            printed.map_err(|error| Failure::Broken(error.into()))?;
        }
    }
    Ok(Done::Fine)
}

fn recorded_steps(device: &RecordedDevice, first: Option<usize>) -> Vec<RecordedStep> {
    let layout = |step: usize| device.layout(step).map(Arc::clone);
    device
        .events()
        .iter()
        .take(first.unwrap_or(usize::MAX))
        .enumerate()
        .filter_map(|(index, recorded)| {
            let (before, after) = (layout(index)?, layout(index + 1)?);
            Some(RecordedStep { event: recorded.event.clone(), before, after })
        })
        .collect()
}

fn as_json(file: &DmfFile, drafted: &Draft) -> Result<Value, Failure> {
    let parsed: Value = serde_json::from_str(file.source()).map_err(|error| Failure::Broken(error.into()))?;
    let notes: Vec<Value> = drafted
        .notes
        .iter()
        .map(|note| json!({ "widget": note.widget, "doubtful": note.doubtful, "text": note.text }))
        .collect();
    Ok(json!({
        "first_step": drafted.first_step + 1,
        "last_step": drafted.end_step,
        "file": parsed,
        "notes": notes,
    }))
}
