//! `taproof spec draft WALK`: drafts the DMF that a recorded walk shows.

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::cli::{CommandEnd, Failure, Outcome, bad_input, message, print_data, print_json};
use taproof_campaign::{Expectation, ExpectationKind};
use taproof_engine::device::RecordedDevice;
use taproof_results::store::{NO_SCREENS, open_trace, replace_file};
use taproof_screen::RecordedStep;
use taproof_spec::format::DmfFile;
use taproof_spec::{
    ConditionChoice, Confidence, DmfKind, Draft, DraftNote, DraftRequest, Extent, NoteOn, PickedWidget,
    Proposal, RecorderError, SelectorPreference, Spec, draft, opaque_page, propose, recorded_layouts,
};

/// Draft a DMF from a recorded walk
#[derive(clap::Args)]
pub struct Options {
    /// A folder with events.json, step-NN.xml and step-NN.png, or a kept trace, whose expectations become conditions
    walk: PathBuf,
    /// What the function does to the data
    #[arg(long = "type", value_name = "TYPE", required_unless_present = "all")]
    kind: Option<Kind>,
    /// What it does it to, such as note or folder
    #[arg(long, value_name = "NOUN", required_unless_present = "all")]
    data_type: Option<String>,
    /// Propose a DMF for everything in the walk that looks like a function
    #[arg(long, conflicts_with_all = ["kind", "data_type", "added", "removed", "sought", "whole"])]
    all: bool,
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
    /// The kind of selector to choose where several name a widget alone
    #[arg(long, value_name = "KIND")]
    prefer_selector: Option<Prefer>,
    /// Look at the first N steps of the walk only
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Write the file here instead of printing it
    #[arg(short, long, alias = "out", value_name = "FILE")]
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

/// The kinds of selectors.
#[derive(Clone, Copy, ValueEnum)]
enum Prefer {
    /// The most reliable one, usually the id
    Id,
    /// The text that the widget shows
    Text,
    /// The description
    Description,
    /// The way through the screen
    Xpath,
}

pub fn run(options: &Options) -> Outcome {
    let (mut steps, expected) = match options.walk.is_file() {
        true => {
            let saved = open_trace(&options.walk)?;
            let trace = saved
                .trace()
                .ok_or_else(|| bad_input(format!("{}: {NO_SCREENS}", options.walk.display())))?;
            (trace.recorded_steps().collect::<Vec<_>>(), saved.expectations)
        }
        false => (RecordedDevice::open(&options.walk)?.recorded_steps().collect(), Vec::new()),
    };
    steps.truncate(options.steps.unwrap_or(usize::MAX));
    if let Some(says) = opaque_page(&recorded_layouts(&steps)) {
        message(&format!("! {says}"));
    }
    let (Some(kind), Some(data_type)) = (options.kind, &options.data_type) else {
        return all(options, &steps, &expected);
    };
    let kind = match kind {
        Kind::Add => DmfKind::Create,
        Kind::View => DmfKind::Read,
        Kind::Edit => DmfKind::Update,
        Kind::Delete => DmfKind::Delete,
        Kind::Search => DmfKind::Search,
        Kind::Property => DmfKind::Property,
    };
    let mut request = DraftRequest {
        added: options.added.clone().into(),
        removed: options.removed.clone().into(),
        sought: options.sought.clone().into(),
        lead: Some(Vec::new()),
        extent: if options.whole { Extent::Whole } else { Extent::Proposed },
        prefer: preferred(options),
        ..DraftRequest::new(kind, data_type.as_str())
    };
    let mut drafted = draft(&steps, &request).map_err(not_drafted)?;
    if demand(&mut request, &steps, &expected, drafted.first_step..drafted.end_step) {
        drafted = draft(&steps, &request).map_err(not_drafted)?;
    }
    let spec = Spec { dmfs: vec![drafted.dmf.clone()], ..Spec::default() };
    let file = DmfFile::new(&spec);
    if options.json {
        print_json(&as_json(&file, &drafted)?)?;
        return Ok(CommandEnd::Fine);
    }
    message(&format!("steps {} to {} of the walk", drafted.first_step + 1, drafted.end_step));
    drafted.notes.iter().for_each(report_note);
    write(options, &file)
}

/// Adds what is expected before these steps and after them to the conditions of a draft. Returns whether there was any.
fn demand(
    request: &mut DraftRequest,
    steps: &[RecordedStep],
    expected: &[Expectation],
    extent: std::ops::Range<usize>,
) -> bool {
    let layouts = recorded_layouts(steps);
    let mut any = false;
    for expectation in expected {
        let after = expectation.after.unwrap_or(steps.len());
        let (selector, shown) = match &expectation.kind {
            ExpectationKind::Shown(selector) => (selector, true),
            ExpectationKind::NotShown(selector) => (selector, false),
            ExpectationKind::Running | ExpectationKind::Never(_) => continue,
        };
        // What is not shown there was shown before, as far as it has a place at all.
        let places = if shown { after..after + 1 } else { 0..after + 1 };
        let seen = places.rev().find_map(|place| {
            let widget = *selector.matches(layouts.get(place)?).first()?;
            Some(PickedWidget::new(place, widget))
        });
        let Some(picked) = seen.filter(|_| [extent.start, extent.end].contains(&after)) else { continue };
        let choice = ConditionChoice { picked, shown, state: None };
        match after == extent.end {
            true => request.postconditions.push(choice),
            false => request.preconditions.push(choice),
        }
        any = true;
    }
    any
}

fn not_drafted(error: RecorderError) -> Failure {
    Failure::BadInput(error.into())
}

/// The kind of selector that the option names.
fn preferred(options: &Options) -> SelectorPreference {
    match options.prefer_selector {
        None | Some(Prefer::Id) => SelectorPreference::Id,
        Some(Prefer::Text) => SelectorPreference::Text,
        Some(Prefer::Description) => SelectorPreference::Description,
        Some(Prefer::Xpath) => SelectorPreference::Xpath,
    }
}

fn report_note(note: &DraftNote) {
    let mark = if note.doubtful { "!" } else { "-" };
    let widget = note.widget.as_deref().map_or(String::new(), |name| format!("{name}: "));
    message(&format!("{mark} {widget}{}", note.text));
}

/// Proposes a DMF for everything in the walk that looks like a function.
fn all(options: &Options, steps: &[RecordedStep], expected: &[Expectation]) -> Outcome {
    let mut proposals = propose(steps, &[]);
    let prefer = preferred(options);
    for proposal in &mut proposals {
        let own = steps.get(proposal.steps.clone()).unwrap_or_default();
        let first = proposal.steps.start;
        let here: Vec<Expectation> = expected.iter().filter_map(|it| it.moved(first, steps.len())).collect();
        demand(&mut proposal.request, own, &here, 0..own.len());
    }
    proposals.iter_mut().try_for_each(|proposal| proposal.draft_again(steps, prefer)).map_err(not_drafted)?;
    if proposals.is_empty() {
        return Err(bad_input(
            "nothing in the walk looks like a function; name the one that it holds with --type and --data-type",
        ));
    }
    let dmfs = proposals.iter().map(|proposal| proposal.draft.dmf.clone()).collect();
    let file = DmfFile::new(&Spec { dmfs, ..Spec::default() });
    if options.json {
        let told: Vec<Value> = proposals.iter().map(proposal_as_json).collect();
        print_json(&json!({ "proposals": told, "file": parsed(&file)? }))?;
        return Ok(CommandEnd::Fine);
    }
    for proposal in &proposals {
        let (first, last) = (proposal.steps.start + 1, proposal.steps.end);
        let steps = if first == last { format!("step {first}") } else { format!("steps {first} to {last}") };
        let often =
            if proposal.count > 1 { format!(", done {} times", proposal.count) } else { String::new() };
        let sure = if proposal.confidence == Confidence::Likely { "" } else { ", perhaps" };
        message(&format!("{}: {steps}{often}{sure}. {}", proposal.name, proposal.reason));
        let chosen = |note: &&DraftNote| note.doubtful || note.on != NoteOn::Draft;
        proposal.draft.notes.iter().filter(chosen).for_each(report_note);
    }
    write(options, &file)
}

fn proposal_as_json(proposal: &Proposal) -> Value {
    let objects: Vec<Value> = proposal
        .draft
        .objects
        .iter()
        .map(|object| json!({ "role": object.role.word(), "text": object.text }))
        .collect();
    json!({
        "name": proposal.name,
        "type": proposal.kind.word(),
        "data_type": proposal.data_type,
        "objects": objects,
        "first_step": proposal.steps.start + 1,
        "last_step": proposal.steps.end,
        "count": proposal.count,
        "likely": proposal.confidence == Confidence::Likely,
        "reason": proposal.reason,
        "notes": notes_as_json(&proposal.draft),
    })
}

fn write(options: &Options, file: &DmfFile) -> Outcome {
    match &options.output {
        Some(path) => {
            replace_file(path, file.source().as_bytes())?;
            message(&format!("wrote {}", path.display()));
        }
        None => print_data(file.source())?,
    }
    Ok(CommandEnd::Fine)
}

fn parsed(file: &DmfFile) -> Result<Value, Failure> {
    serde_json::from_str(file.source()).map_err(|error| Failure::Broken(error.into()))
}

fn notes_as_json(drafted: &Draft) -> Vec<Value> {
    let note = |note: &DraftNote| {
        let on = match note.on {
            NoteOn::Draft => "draft",
            NoteOn::Before => "preconditions",
            NoteOn::Object(role) => role.word(),
        };
        json!({ "widget": note.widget, "on": on, "doubtful": note.doubtful, "text": note.text })
    };
    drafted.notes.iter().map(note).collect()
}

fn as_json(file: &DmfFile, drafted: &Draft) -> Result<Value, Failure> {
    Ok(json!({
        "first_step": drafted.first_step + 1,
        "last_step": drafted.end_step,
        "file": parsed(file)?,
        "notes": notes_as_json(drafted),
    }))
}
