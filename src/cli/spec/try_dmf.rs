//! `taproof spec try FILE --app APP`: runs DMFs several times on cleared data. Exit code 0 only if all postconditions
//! held in every run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::cli::app_options::AppOptions;
use crate::cli::findings::stuck::{keep_of_error, keep_stuck};
use crate::cli::{
    CommandEnd, Failure, Outcome, bad_input, print_json, print_line, read_text, watch_interrupt,
    workspace_path,
};
use taproof_campaign::{
    NeverFails, NullSink, TrialEnd, TrialOutcome, TrialPlan, TrialReport, TrialRun, trial_data_words, try_dmf,
};
use taproof_engine::worker::CancelToken;
use taproof_phone::Apps;
use taproof_spec::format::DmfFile;

/// Run DMFs several times on the bundled phone or a device and say what happened
#[derive(clap::Args)]
pub struct Options {
    /// A DMF file
    file: PathBuf,
    #[command(flatten)]
    app: AppOptions,
    /// Only the DMF of this name
    #[arg(long, value_name = "NAME")]
    dmf: Option<String>,
    /// How often each is run
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
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
    let workspace = workspace_path(options.workspace.as_ref());
    let chosen = options.app.choose(apps, &workspace)?;
    let text = read_text(&options.file)?;
    let file = DmfFile::parse(&text).map_err(|error| {
        Failure::BadInput(anyhow::Error::from(error).context(options.file.display().to_string()))
    })?;
    let spec = Arc::new(file.spec);
    let wanted = |name: &String| options.dmf.as_ref().is_none_or(|dmf| dmf == name);
    let dmfs: Vec<usize> = (0..spec.dmfs.len()).filter(|index| wanted(&spec.dmfs[*index].name)).collect();
    if dmfs.is_empty() {
        let known: Vec<&str> = spec.dmfs.iter().map(|dmf| dmf.name.as_str()).collect();
        return Err(bad_input(match &options.dmf {
            Some(name) => format!("the file has no DMF {name:?}; it has {}", known.join(", ")),
            None => "the file has no DMF".to_owned(),
        }));
    }
    let cancel = CancelToken::new();
    let ending = cancel.clone();
    watch_interrupt(move || ending.cancel());
    let mut reports = Vec::new();
    for dmf in dmfs {
        let plan = TrialPlan {
            app: chosen.package.clone(),
            build: chosen.build.clone(),
            device: chosen.device.clone(),
            spec: Arc::clone(&spec),
            dmf,
            lead_up: Vec::new(),
            held: Vec::new(),
            initialiser: chosen.initialiser.clone(),
            runs: options.runs as usize,
            seed: options.seed,
        };
        let mut phones = options.app.phones(apps, &chosen, (&plan.app, &plan.build), &cancel);
        let report = try_dmf(&plan, &mut phones, &cancel, &mut NullSink);
        keep_stuck_steps(&workspace, &report);
        if !options.json {
            print(&report)?;
        }
        reports.push(report);
        if cancel.asked_to_stop() {
            break;
        }
    }
    if options.json {
        let told: Vec<Value> = reports.iter().map(as_json).collect();
        print_json(
            &json!({ "app": chosen.package, "build": chosen.device.words(&chosen.build), "dmfs": told }),
        )?;
    }
    let failed = reports.iter().find_map(|report| match &report.end {
        TrialEnd::DeviceFailed(error) => Some(error.clone()),
        TrialEnd::Done | TrialEnd::Cancelled => None,
    });
    match failed {
        _ if cancel.asked_to_stop() => Ok(CommandEnd::EndedEarly),
        Some(error) => Err(error.into()),
        None if reports.iter().all(TrialReport::all_held) => Ok(CommandEnd::Fine),
        None => Ok(CommandEnd::Found),
    }
}

/// Keeps the screens of the steps that could not be done. Of runs that stopped at one step, the last one's stays.
fn keep_stuck_steps(workspace: &Path, report: &TrialReport) {
    let run = format!("trial of {}", report.dmf().map_or("", |dmf| &dmf.name));
    if let TrialEnd::DeviceFailed(error) = &report.end {
        keep_of_error(workspace, &run, error);
    }
    let failed = report.runs.iter().filter(|run| matches!(run.outcome, TrialOutcome::NotExecuted { .. }));
    if let Some(stuck) = failed.filter_map(|run| run.stuck.as_ref()).next_back() {
        keep_stuck(workspace, &run, stuck);
    }
}

fn print(report: &TrialReport) -> Result<(), Failure> {
    let Some(dmf) = report.dmf() else { return Ok(()) };
    print_line(&format!("{}: {}", dmf.name, report.verdict))?;
    for run in &report.runs {
        let texts: Vec<String> = run.texts.iter().map(|text| format!("{text:?}")).collect();
        let what = run.outcome.sentence(dmf);
        print_line(&format!(
            "  run {} {}: {what}; texts {}",
            run.number,
            run.outcome.word(),
            texts.join(", ")
        ))?;
        print_line(&format!("    {}; data {}", run.way, trial_data_words(&run.before, &run.after)))?;
    }
    for it in &report.never_fail {
        print_line(&format!("  ! never fails: \u{201c}{}\u{201d}: {}", it.sentence, it.why))?;
    }
    for advice in &report.advice {
        print_line(&format!("  ! {advice}"))?;
    }
    Ok(())
}

fn as_json(report: &TrialReport) -> Value {
    let Some(dmf) = report.dmf() else { return Value::Null };
    let run = |run: &TrialRun| {
        json!({
            "run": run.number,
            "outcome": run.outcome.word(),
            "told": run.outcome.sentence(dmf),
            "texts": run.texts,
            "refused": run.refused,
            "way": run.way,
            "data": trial_data_words(&run.before, &run.after),
        })
    };
    let never_fails =
        |it: &NeverFails| json!({ "condition": it.condition, "told": it.sentence, "why": it.why });
    json!({
        "dmf": dmf.name,
        "held": report.held(),
        "runs": report.runs.iter().map(run).collect::<Vec<_>>(),
        "verdict": report.verdict,
        "never_fails": report.never_fail.iter().map(never_fails).collect::<Vec<_>>(),
        "advice": report.advice,
        "on_sound_build": report.sound.as_ref().map(|outcome| outcome.word()),
    })
}
