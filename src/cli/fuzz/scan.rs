//! `taproof scan`: looks for bugs in an app that has no specification, and ends with one card for each.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::BuildOptions;
use super::campaign::{Finished, RunOptions, checked, open_results, open_workspace, run_stored};
use super::ci::CiOptions;
use crate::cli::devices::{ControlOptions, install_file, look_for_devices};
use crate::cli::findings::bugs::bugs_as_json;
use crate::cli::initialiser::BeginOptions;
use crate::cli::rules::RuleOptions;
use crate::cli::{Failure, Outcome, app_named, bad_input, print_json, print_line, workspace_path};
use taproof_campaign::{
    Budget, CampaignPlan, CampaignSummary, ConfirmPlan, DeviceChoice, SCAN_CONFIRM_SHARE, counted_bugs,
    scan_engines,
};
use taproof_engine::{EngineConfig, KeepConfig};
use taproof_phone::Apps;
use taproof_results::report::{ExportKind, export_campaign, no_progress};
use taproof_results::store::{StoredPlan, replace_file};
use taproof_session::campaign_facts;

/// Look for bugs in an app that has no specification, and print a card for each
#[derive(clap::Args)]
pub struct Options {
    /// A bundled app, by name or package
    #[arg(long, required_unless_present = "device", conflicts_with = "device")]
    app: Option<String>,
    #[command(flatten)]
    build: BuildOptions,
    /// The serial of a device, as `taproof devices` lists it
    #[arg(long, value_name = "SERIAL", conflicts_with_all = ["build", "bugs"])]
    device: Option<String>,
    /// The package of the app on the device
    #[arg(long, value_name = "PACKAGE", requires = "device", required_unless_present_any = ["app", "apk"])]
    package: Option<String>,
    /// An APK to install on the device first
    #[arg(long, value_name = "FILE", requires = "device")]
    apk: Option<PathBuf>,
    #[command(flatten)]
    control: ControlOptions,
    #[command(flatten)]
    begin: BeginOptions,
    #[command(flatten)]
    rules: RuleOptions,
    /// Events of the whole scan, which the engine Keep performs
    #[arg(long, default_value_t = 3_600)]
    events: u64,
    /// Limit in minutes of the phone's own clock; none if omitted
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for results; by default TAPROOF_WORKSPACE, else .taproof
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    ci: CiOptions,
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let root = workspace_path(options.workspace.as_ref());
    let gate = options.ci.gate()?;
    let stored = plan(options, apps)?;
    let mut workspace = open_workspace(&root)?;
    let control = options.control.method();
    let run = RunOptions { control, begin: options.begin.clone(), ..RunOptions::default() };
    let finished = run_stored(apps, &mut workspace, &stored, run)?;
    drop(workspace);
    let finished = gate.with_said(finished);
    let page = write_page(apps, &root, &finished)?;
    let bugs = finished.bugs();
    if options.json {
        let mut printed = bugs_as_json(&bugs);
        let campaign = json!({
            "app": stored.plan.app,
            "seed": options.seed,
            "events": finished.summary.events,
            "end": finished.summary.end,
            "campaign": finished.campaign,
            "page": page,
            "new_bugs": gate.new_bugs(&finished, &bugs),
        });
        printed.extend(campaign.as_object().cloned().unwrap_or_default());
        print_json(&printed)?;
    } else {
        let CampaignSummary { app, events, end, .. } = &finished.summary;
        print_line(&format!("{app}: {} in {events} events, end: {end}", counted_bugs(&bugs)))?;
        finished.print_bugs(&bugs, options.workspace.as_ref(), ", which the page below shows")?;
        print_line(&format!("campaign {}, all in {}", finished.campaign, page.display()))?;
    }
    // What did not come back each time is shown, but fails no build.
    gate.end(apps, &root, &finished, (&bugs, false))
}

/// A campaign without a specification. ODIN's oracle examines its tests.
fn plan(options: &Options, apps: &Apps) -> Result<StoredPlan, Failure> {
    let (app, device) = match &options.device {
        Some(serial) => {
            let installed = options.apk.as_ref().map(|apk| install_file(serial, apk)).transpose()?;
            let app = options.package.clone().or(installed.filter(|name| !name.is_empty()));
            let unnamed = || bad_input("the APK does not say which app it is: name it by --package");
            (app.ok_or_else(unnamed)?, DeviceChoice::Adb(vec![serial.clone()]))
        }
        None => {
            let app = app_named(apps, options.app.as_deref().unwrap_or_default())?;
            (app.manifest().package.to_owned(), DeviceChoice::Bundled)
        }
    };
    look_for_devices(device.serials(), &app)?;
    let workspace = workspace_path(options.workspace.as_ref());
    let mut initialiser = options.begin.first_steps(&workspace, &app)?;
    options.begin.data.ask(&workspace, &app, &device, &mut initialiser)?;
    let keep = EngineConfig::Keep(KeepConfig::default());
    let plan = CampaignPlan {
        build: options.build.build(),
        confirm: ConfirmPlan {
            share: (!device.is_bundled()).then_some(SCAN_CONFIRM_SHARE),
            ..ConfirmPlan::default()
        },
        device,
        engines: scan_engines(),
        initialiser,
        rules: options.rules.rules()?,
        seed: options.seed,
        budget: Budget {
            max_events: options.events,
            max_device_millis: options.minutes.map(|minutes| minutes.saturating_mul(60_000)),
        },
        ..CampaignPlan::new(&app, keep, options.events)
    };
    checked(apps, StoredPlan { plan, specs: Vec::new(), traces: Vec::new() })
}

/// Writes the page of the campaign into the workspace.
fn write_page(apps: &Apps, root: &Path, finished: &Finished) -> Result<PathBuf, Failure> {
    let (workspace, campaign) = (open_results(root)?, finished.campaign);
    let mut facts = campaign_facts(apps, workspace.load_campaign(campaign)?);
    facts.corrections.clone_from(&finished.corrections);
    let path = workspace.root().join(format!("scan-{campaign}.html"));
    drop(workspace);
    let page = export_campaign(&facts, ExportKind::Html, &mut no_progress);
    replace_file(&path, &page.map_err(|error| Failure::Broken(error.into()))?)?;
    Ok(path)
}
