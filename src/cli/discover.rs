//! `taproof discover`: explores an app by itself and proposes the functions of its specification, with evidence.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::app_options::AppOptions;
use super::{CommandEnd, Failure, Outcome, message, print_json, print_line, watch_interrupt, workspace_path};
use crate::cli::fuzz::progress::{PROGRESS_EVERY, StatusLine, bar};
use taproof_campaign::InitialisedDevices;
use taproof_campaign::discover::{DiscoverConfig, Discovered, Discovery, Progress, discover};
use taproof_engine::device::DeviceSource;
use taproof_engine::worker::CancelToken;
use taproof_phone::Apps;
use taproof_results::store::replace_file;
use taproof_screen::{counted, thousands};
use taproof_spec::format::DmfFile;
use taproof_spec::{Block, Confidence};

/// Explore an app and propose its functions, with evidence
///
/// It needs no specification: it fills the forms of the app, tries what it can do with what it created, and performs every
/// proposal again and again. What does not hold each time is repaired or dropped.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    app: AppOptions,
    /// Events that may be performed
    #[arg(long, default_value_t = DiscoverConfig::default().events, value_parser = clap::value_parser!(u64).range(1..))]
    events: u64,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder with results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Write the DMFs and the block list into this file
    #[arg(short, long = "out", alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let chosen = options.app.choose(apps, &workspace_path(options.workspace.as_ref()))?;
    let app = &chosen.package;
    let cancel = CancelToken::new();
    let ending = cancel.clone();
    watch_interrupt(move || ending.cancel());
    let mut phones = options.app.phones(apps, &chosen, (app, &chosen.build), &cancel);
    let mut source = InitialisedDevices::new(&mut phones, app, chosen.initialiser.as_ref());
    let mut phone = source.fresh()?;
    let config = DiscoverConfig { events: options.events, seed: options.seed };
    let mut line = StatusLine::new(PROGRESS_EVERY);
    let mut tell = |progress: &Progress| show(&mut line, progress);
    let found = discover(&mut *phone, app, &config, &|| cancel.asked_to_stop(), &mut tell)?;
    line.clear();
    write(options, app, &found)?;
    Ok(if found.stopped { CommandEnd::EndedEarly } else { CommandEnd::Fine })
}

fn show(line: &mut StatusLine, progress: &Progress) {
    let Progress { phase, events, of, names } = progress;
    let percent = (100 * events).checked_div(*of).unwrap_or(100).min(100);
    let proposed = counted(names.len(), "proposal");
    let text = format!(
        "{} {percent:>3} % {}, {} events, {proposed}",
        bar(percent),
        phase.words(),
        thousands(*events)
    );
    if line.is_drawn() {
        line.draw(&text);
    } else if line.is_due() {
        message(&text);
    }
}

fn write(options: &Options, app: &str, found: &Discovery) -> Result<(), Failure> {
    let file = DmfFile::new(&found.spec());
    if let Some(path) = &options.out {
        replace_file(path, file.source().as_bytes())?;
    }
    if options.json {
        return print_json(&as_json(options, app, found)?);
    }
    for function in &found.functions {
        print(function)?;
    }
    for block in &found.blocks {
        print_line(&format!("block: {}", block_words(block)))?;
    }
    for dropped in &found.dropped {
        print_line(&format!("dropped {}: {}", dropped.name, dropped.why))?;
    }
    let proposed = counted(found.functions.len(), "function");
    let stopped = if found.stopped { ", stopped early" } else { "" };
    print_line(&format!("{proposed} proposed in {} events{stopped}", thousands(found.events)))?;
    if let Some(path) = &options.out {
        message(&format!("wrote {}", path.display()));
    }
    Ok(())
}

fn print(function: &Discovered) -> Result<(), Failure> {
    let evidence = &function.evidence;
    let sure = if function.confidence == Confidence::Likely { "likely" } else { "possible" };
    let name = &function.dmf.name;
    print_line(&format!("{name}: {sure}, held in {} of {} tries", evidence.held, evidence.tries))?;
    print_line(&format!("  {}", function.reason))?;
    for step in &function.steps {
        print_line(&format!("  - {}", step.sentence()))?;
    }
    print_line(&format!("  {}", function.tried_words()))?;
    for repair in &evidence.repairs {
        print_line(&format!("  changed: {repair}"))?;
    }
    for sentence in &function.refuted_by {
        print_line(&format!("  would refute it: {sentence}"))?;
    }
    Ok(())
}

fn block_words(block: &Block) -> String {
    let attributes = block.pattern.attributes.iter().map(|(name, value)| format!("{name} {value:?}"));
    format!("{} ({})", attributes.collect::<Vec<_>>().join(", "), block.reason)
}

fn as_json(options: &Options, app: &str, found: &Discovery) -> Result<Value, Failure> {
    let file = DmfFile::new(&found.spec());
    let file: Value =
        serde_json::from_str(file.source()).map_err(|error| Failure::Broken(anyhow::Error::from(error)))?;
    let functions: Vec<Value> = found.functions.iter().map(function_as_json).collect();
    let dropped: Vec<Value> =
        found.dropped.iter().map(|it| json!({ "name": it.name, "why": it.why })).collect();
    let blocks: Vec<String> = found.blocks.iter().map(block_words).collect();
    Ok(json!({
        "app": app,
        "seed": options.seed,
        "events": found.events,
        "stopped": found.stopped,
        "functions": functions,
        "blocks": blocks,
        "dropped": dropped,
        "file": file,
    }))
}

fn function_as_json(function: &Discovered) -> Value {
    let evidence = &function.evidence;
    let texts: Vec<Value> =
        evidence.texts.iter().map(|(class, held)| json!({ "class": class.word(), "held": held })).collect();
    json!({
        "name": function.dmf.name,
        "type": function.dmf.kind.word(),
        "data_type": function.dmf.data_type,
        "likely": function.confidence == Confidence::Likely,
        "reason": function.reason,
        "steps": function.steps.iter().map(|step| step.sentence()).collect::<Vec<_>>(),
        "held": evidence.held,
        "tries": evidence.tries,
        "refused": evidence.refused,
        "texts": texts,
        "repairs": evidence.repairs,
        "refuted_by": function.refuted_by,
    })
}
