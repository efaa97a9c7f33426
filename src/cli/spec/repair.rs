//! `taproof spec repair --app APP`: performs the functions of a specification on the new version of its app, proposes
//! what mends those that no longer find their widgets, tries each mend, and writes the specification with those that
//! passed. Exit code 0 if every function holds then.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::cli::app_options::{AppOptions, ChosenApp};
use crate::cli::{
    CommandEnd, Failure, Outcome, app_named, bad_input, message, print_json, print_line, read_file,
    read_text, watch_interrupt, workspace_path,
};
use taproof_campaign::{
    DeviceChoice, FunctionRepair, Proposed, RepairPlan, RepairReport, RepairSink, SavedTrace, Translation,
    observe, repair,
};
use taproof_engine::device::Build;
use taproof_engine::fastbot2::ReuseModel;
use taproof_engine::worker::CancelToken;
use taproof_phone::Apps;
use taproof_results::store::{
    ModelFileError, model_from_bytes, model_to_bytes, open_trace, replace_file, save_trace,
};
use taproof_spec::Spec;
use taproof_spec::format::DmfFile;
use taproof_spec::repair::{History, Proposal};

/// Mend the specification of an app for its new version
#[derive(clap::Args)]
pub struct Options {
    /// The new version.
    #[command(flatten)]
    app: AppOptions,
    /// A specification file of the old version: DMFs or a block list; that of --from if left out
    #[arg(long = "spec", value_name = "FILE", required_unless_present = "from")]
    specs: Vec<PathBuf>,
    /// The old version of the app, by name or package: the functions are performed on it first, so that their screens
    /// are known
    #[arg(long, value_name = "APP")]
    from: Option<String>,
    /// How often a mended function must hold
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    runs: u32,
    /// Write the repaired specification to this file or, if there are several files, into this folder
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// A saved trace of the old version, or what Fastbot2 has learned of it, to be written to --out, a folder, with the
    /// names of the new version
    #[arg(long, value_name = "FILE", requires = "out")]
    also: Vec<PathBuf>,
    /// Write over files that exist
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// The folder with results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// The seed of all chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let files = files(options, apps)?;
    let targets = targets(options, &files)?;
    let also = also(options)?;
    let workspace = workspace_path(options.workspace.as_ref());
    let chosen = options.app.choose(apps, &workspace)?;
    let mut plan = plan(options, &chosen, &files);
    let cancel = CancelToken::new();
    let ending = cancel.clone();
    watch_interrupt(move || ending.cancel());
    if let Some(old) = &options.from {
        let old = old_version(old, &plan.device, apps)?;
        let before = RepairPlan { app: old.clone(), build: Build::Sound, ..plan.clone() };
        message(&format!("performing the functions on {old}"));
        let mut phones = options.app.phones(apps, &chosen, (&old, &Build::Sound), &cancel);
        plan.history = observe(&before, &mut phones, &cancel)?;
    }
    let mut source = options.app.phones(apps, &chosen, (&plan.app, &plan.build), &cancel);
    let report = repair(&plan, &mut source, &cancel, &mut Told)?;
    let mut blocks = report.spec.blocks.as_slice();
    for ((path, file), target) in files.iter().zip(&targets) {
        let own;
        (own, blocks) = blocks.split_at(file.spec.blocks.len().min(blocks.len()));
        let part = Spec { blocks: own.to_vec(), ..part_of(file, &report.spec) };
        write(path, file, &part, target.as_deref(), options.json)?;
    }
    let old = also.iter().map(Also::app).next();
    if let Some(old) = old {
        let translation = Translation::of(&report, old, &plan.app);
        also.iter().try_for_each(|file| file.write(&translation))?;
    }
    if options.json {
        print_json(&as_json(&plan.app, &report))?;
    } else {
        print(&report)?;
    }
    Ok(match report.complete {
        _ if cancel.asked_to_stop() => CommandEnd::EndedEarly,
        true => CommandEnd::Fine,
        false => CommandEnd::Found,
    })
}

/// What else names widgets of the old version, with the file that it is written to.
enum Also {
    Trace(Box<SavedTrace>, PathBuf),
    Model(ReuseModel, PathBuf),
}

impl Also {
    fn app(&self) -> &str {
        match self {
            Also::Trace(trace, _) => &trace.app,
            Also::Model(model, _) => &model.package,
        }
    }

    fn write(&self, translation: &Translation) -> Result<(), Failure> {
        let path = match self {
            Also::Trace(trace, path) => {
                save_trace(path, &translation.trace(trace))?;
                path
            }
            Also::Model(model, path) => {
                replace_file(path, &model_to_bytes(&translation.model(model))?)?;
                path
            }
        };
        message(&format!("wrote {}", path.display()));
        Ok(())
    }
}

/// The traces and models that are to be translated.
fn also(options: &Options) -> Result<Vec<Also>, Failure> {
    let Some(out) = &options.out else { return Ok(Vec::new()) };
    let read = |path: &PathBuf| {
        let target = out.join(path.file_name().unwrap_or(path.as_os_str()));
        if target.exists() && !options.overwrite {
            let target = target.display();
            let say = format!("{target} exists; name another folder by --out, or add --overwrite");
            return Err(bad_input(say));
        }
        let bytes = read_file(path)?;
        match model_from_bytes(&bytes) {
            Err(ModelFileError::NotOurs) => Ok(Also::Trace(Box::new(open_trace(path)?), target)),
            Ok(model) => Ok(Also::Model(model, target)),
            Err(problem) => Err(bad_input(format!("{}: {problem}", path.display()))),
        }
    };
    options.also.iter().map(read).collect()
}

/// What is to be repaired, before anything is known of the old version.
fn plan(options: &Options, chosen: &ChosenApp, files: &[(PathBuf, DmfFile)]) -> RepairPlan {
    let mut spec = Spec::default();
    files.iter().for_each(|(_, file)| spec.join(file.spec.clone()));
    RepairPlan {
        initialiser: chosen.initialiser.clone(),
        app: chosen.package.clone(),
        build: chosen.build.clone(),
        device: chosen.device.clone(),
        spec: Arc::new(spec),
        history: History::new(),
        runs: options.runs as usize,
        seed: options.seed,
    }
}

/// Says which function is looked at.
struct Told;

impl RepairSink for Told {
    fn begins(&mut self, function: &str, index: usize, of: usize) {
        message(&format!("{} of {of}: {function}", index + 1));
    }
}

/// The specification files, with their names.
fn files(options: &Options, apps: &Apps) -> Result<Vec<(PathBuf, DmfFile)>, Failure> {
    let parsed = |path: PathBuf, text: &str| {
        let file = DmfFile::parse(text).map_err(|error| {
            Failure::BadInput(anyhow::Error::from(error).context(path.display().to_string()))
        });
        Ok((path, file?))
    };
    if options.specs.is_empty() {
        let old = app_named(apps, options.from.as_deref().unwrap_or_default())?;
        if old.spec_files().is_empty() {
            let name = old.short_name();
            return Err(bad_input(format!("{name} ships without a specification; name one by --spec")));
        }
        return old.spec_files().iter().map(|file| parsed(PathBuf::from(file.path), file.text)).collect();
    }
    options.specs.iter().map(|path| parsed(path.clone(), &read_text(path)?)).collect()
}

/// The file that each specification file is written to.
fn targets(options: &Options, files: &[(PathBuf, DmfFile)]) -> Result<Vec<Option<PathBuf>>, Failure> {
    let Some(out) = &options.out else { return Ok(vec![None; files.len()]) };
    let target = |path: &Path| match files.len() {
        1 if !out.is_dir() && options.also.is_empty() => out.clone(),
        _ => out.join(path.file_name().unwrap_or(path.as_os_str())),
    };
    let targets: Vec<PathBuf> = files.iter().map(|(path, _)| target(path)).collect();
    if let Some(exists) = targets.iter().find(|path| path.exists() && !options.overwrite) {
        let path = exists.display();
        return Err(bad_input(format!("{path} exists; name another path by --out, or add --overwrite")));
    }
    Ok(targets.into_iter().map(Some).collect())
}

/// The package of the old version: on the bundled phone an app of it, on a device whatever is installed there.
fn old_version(name: &str, device: &DeviceChoice, apps: &Apps) -> Result<String, Failure> {
    match device.is_bundled() {
        true => Ok(app_named(apps, name)?.manifest().package.to_owned()),
        false => Ok(name.to_owned()),
    }
}

/// Writes what a file says now; what was not mended keeps its bytes.
fn write(
    path: &Path,
    file: &DmfFile,
    part: &Spec,
    target: Option<&Path>,
    quiet: bool,
) -> Result<(), Failure> {
    let text = file.save(part);
    let Some(target) = target else { return Ok(()) };
    if let Some(folder) = target.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .map_err(|error| bad_input(format!("cannot make the folder {}: {error}", folder.display())))?;
    }
    replace_file(target, text.as_bytes())?;
    if !quiet {
        let how = if text == file.source() { "as it was" } else { "repaired" };
        message(&format!("wrote {}: {}, {how}", target.display(), path.display()));
    }
    Ok(())
}

/// What a repaired specification says of the functions and invariants of one of its files.
fn part_of(file: &DmfFile, repaired: &Spec) -> Spec {
    let mut part = file.spec.clone();
    for dmf in &mut part.dmfs {
        if let Some(now) = repaired.dmfs.iter().find(|now| now.name == dmf.name) {
            dmf.clone_from(now);
        }
    }
    for invariant in &mut part.invariants {
        if let Some(now) = repaired.invariants.iter().find(|now| now.name == invariant.name) {
            invariant.clone_from(now);
        }
    }
    part
}

fn print(report: &RepairReport) -> Result<(), Failure> {
    for function in &report.functions {
        let told = function.end.told().map_or_else(String::new, |told| format!(": {told}"));
        print_line(&format!("{}: {}{told}", function.name, function.end.word()))?;
        for proposed in &function.proposed {
            print_proposed(proposed)?;
        }
    }
    let (mends, all) = (report.mends(), report.functions.len());
    let hold = report.functions.iter().filter(|function| function.end.holds()).count();
    print_line(&format!("{hold} of {all} functions hold, with {} mend(s)", mends.len()))
}

fn print_proposed(proposed: &Proposed) -> Result<(), Failure> {
    let lost = match (&proposed.widget, &proposed.selector) {
        (Some(widget), Some(selector)) => format!("{widget}, {selector}, is not found any more"),
        _ => "another screen is there".to_owned(),
    };
    print_line(&format!("  {lost}"))?;
    let shown = proposed
        .proposals
        .iter()
        .enumerate()
        .filter(|(place, _)| *place < 3 || proposed.chosen == Some(*place));
    for (place, proposal) in shown {
        let tried = match proposed.chosen == Some(place) {
            true if proposed.passed => ", and passed its try",
            true => ", but did not pass its try",
            false => "",
        };
        let reasons = proposal.reasons.join(", ");
        print_line(&format!("    {} ({} of 1000: {reasons}){tried}", proposal.mend, proposal.score))?;
    }
    Ok(())
}

fn as_json(app: &str, report: &RepairReport) -> Value {
    let proposal = |proposal: &Proposal| {
        json!({
            "mend": proposal.mend.to_string(),
            "score": proposal.score,
            "reasons": proposal.reasons,
        })
    };
    let proposed = |it: &Proposed| {
        json!({
            "widget": it.widget,
            "selector": it.selector.as_ref().map(ToString::to_string),
            "proposals": it.proposals.iter().map(proposal).collect::<Vec<_>>(),
            "chosen": it.chosen,
            "passed": it.passed,
        })
    };
    let function = |it: &FunctionRepair| {
        json!({
            "function": it.name,
            "end": it.end.word(),
            "told": it.end.told(),
            "lost": it.proposed.iter().map(proposed).collect::<Vec<_>>(),
        })
    };
    json!({
        "app": app,
        "complete": report.complete,
        "functions": report.functions.iter().map(function).collect::<Vec<_>>(),
    })
}
