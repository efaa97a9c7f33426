//! `taproof scan`: looks for bugs in an app that has no specification, and ends with one card for each.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::campaign::{Finished, RunOptions, checked, open_results, open_workspace, run_stored};
use super::devices::{ControlOptions, install_file, look_for_devices};
use super::export::campaign_facts;
use super::fuzz::BuildOptions;
use super::initialiser::first_steps;
use super::{CommandEnd, Failure, Outcome, app_named, print_json, print_line, workspace_path};
use taproof_core::campaign::{Budget, CampaignPlan, Card, Cards, DeviceChoice, Finding, lost};
use taproof_core::engine::ENGINES;
use taproof_core::model::one_line;
use taproof_phone::Apps;
use taproof_results::report::{ExportKind, export_campaign, no_progress};
use taproof_results::store::{StoredPlan, Workspace, replace_file};

/// The engines, one after the other, and the quarters of the events that each gets. ODIN's oracle examines both.
const ENGINES_OF_SCAN: [(&str, u64); 2] = [("keep", 3), ("genie", 1)];
const QUARTERS: u64 = 4;
/// Number of cards that are printed. The page has all.
const MOST_PRINTED: usize = 10;

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
    /// Events in total
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
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let root = workspace_path(options.workspace.as_ref());
    let plans = plans(options, apps)?;
    let mut workspace = open_workspace(&root)?;
    let control = RunOptions { control: options.control.method(), ..RunOptions::default() };
    let mut ran: Vec<Finished> = Vec::new();
    for stored in &plans {
        let finished = run_stored(apps, &mut workspace, stored, control)?;
        let early = finished.ended_early();
        ran.push(finished);
        if early {
            break;
        }
    }
    drop(workspace);
    let app = plans.first().map(|stored| stored.plan.app.clone()).unwrap_or_default();
    let findings: Vec<Arc<Finding>> =
        ran.iter().flat_map(|run| &run.findings).map(|count| Arc::clone(&count.finding)).collect();
    let cards = Cards::of(findings.iter().map(|finding| &**finding), &app);
    let page = write_page(apps, &root, &ran)?;
    if options.json {
        print_json(&json!({
            "app": app,
            "seed": options.seed,
            "events": ran.iter().map(|run| run.summary.events).sum::<u64>(),
            "campaigns": ran.iter().map(|run| run.campaign).collect::<Vec<_>>(),
            "cards": cards.cards.iter().map(|card| as_json(card, &app)).collect::<Vec<_>>(),
            "unsure": cards.unsure.iter().map(|finding| &finding.id).collect::<Vec<_>>(),
            "page": page,
        }))?;
    } else {
        print(&cards, &ran, &app)?;
        print_line(&format!("all in {}", page.display()))?;
    }
    Ok(match ran.iter().any(Finished::ended_early) {
        true => CommandEnd::EndedEarly,
        false if cards.cards.is_empty() => CommandEnd::Fine,
        false => CommandEnd::Found,
    })
}

/// One campaign for each engine, all without a specification.
fn plans(options: &Options, apps: &Apps) -> Result<Vec<StoredPlan>, Failure> {
    let (app, device) = match &options.device {
        Some(serial) => {
            let installed = options.apk.as_ref().map(|apk| install_file(serial, apk)).transpose()?;
            let app = options.package.clone().or(installed.filter(|name| !name.is_empty()));
            let unnamed = || anyhow::anyhow!("the APK does not say which app it is: name it by --package");
            (app.ok_or_else(|| Failure::BadInput(unnamed()))?, DeviceChoice::Adb(vec![serial.clone()]))
        }
        None => {
            let app = app_named(apps.all(), options.app.as_deref().unwrap_or_default())?;
            (app.manifest().package.to_owned(), DeviceChoice::Bundled)
        }
    };
    look_for_devices(device.serials(), &app)?;
    let initialiser = first_steps(&workspace_path(options.workspace.as_ref()), &app, false)?;
    let of_engine = |(name, quarters): (&str, u64)| {
        let share = |amount: u64| (amount.saturating_mul(quarters) / QUARTERS).max(1);
        let engine = ENGINES.iter().find(|engine| engine.name == name)?;
        let plan = CampaignPlan::new(&app, (engine.config)(), share(options.events));
        let millis = options.minutes.map(|minutes| share(minutes.saturating_mul(60_000)));
        Some(CampaignPlan {
            build: options.build.build(),
            device: device.clone(),
            initialiser: initialiser.clone(),
            seed: options.seed,
            budget: Budget { max_device_millis: millis, ..plan.budget },
            ..plan
        })
    };
    let plans = ENGINES_OF_SCAN.into_iter().filter_map(of_engine);
    plans.map(|plan| checked(apps, StoredPlan { plan, specs: Vec::new(), traces: Vec::new() })).collect()
}

/// Writes what all campaigns found as one page into the workspace.
fn write_page(apps: &Apps, root: &std::path::Path, ran: &[Finished]) -> Result<PathBuf, Failure> {
    let workspace = open_results(root)?;
    let mut loaded = ran.iter().map(|run| workspace.load_campaign(run.campaign));
    let first = loaded.next().ok_or_else(|| Failure::Broken(anyhow::anyhow!("no campaign was run")))??;
    let mut facts = campaign_facts(apps, first);
    for more in loaded {
        facts.outcome.findings.extend(more?.outcome.findings);
    }
    let path = page_path(&workspace, ran);
    drop(workspace);
    let page = export_campaign(&facts, ExportKind::Html, &mut no_progress);
    replace_file(&path, &page.map_err(|error| Failure::Broken(error.into()))?)?;
    Ok(path)
}

fn page_path(workspace: &Workspace, ran: &[Finished]) -> PathBuf {
    let campaign = ran.first().map_or(0, |run| run.campaign);
    workspace.root().join(format!("scan-{campaign}.html"))
}

fn as_json(card: &Card<'_>, app: &str) -> Value {
    let check = card.shown().and_then(|finding| finding.violation.failures.first());
    json!({
        "title": card.title,
        "harm": card.harm.words(),
        "pages": card.pages,
        "relations": card.relations.iter().map(|relation| relation.name).collect::<Vec<_>>(),
        "before": check.map(|check| &check.expected),
        "after": check.map(|check| &check.seen),
        "by_hand": card.relations.first().map(|relation| relation.by_hand),
        "hints": hints(card, app),
        "findings": card.findings.iter().map(|finding| json!({
            "id": finding.id,
            "attributed_bugs": finding.attribution.bugs(),
            "steps": finding.minimal.trace.len(),
        })).collect::<Vec<_>>(),
    })
}

/// What else the detour changed that is no bug by itself.
fn hints(card: &Card<'_>, app: &str) -> Vec<String> {
    let hints = card.shown().and_then(|finding| lost(finding, app)).map(|lost| lost.hints);
    hints.into_iter().flatten().map(|hint| format!("{}, then {}", hint.before, hint.after)).collect()
}

fn print(cards: &Cards<'_>, ran: &[Finished], app: &str) -> Result<(), Failure> {
    let events: u64 = ran.iter().map(|run| run.summary.events).sum();
    let bugs = match cards.cards.len() {
        0 => "no bug".to_owned(),
        1 => "1 bug".to_owned(),
        many => format!("{many} bugs"),
    };
    print_line(&format!("{app}: {bugs} in {events} events"))?;
    for (number, card) in cards.cards.iter().enumerate().take(MOST_PRINTED) {
        print_line(&format!("{:>3}. {}: {}", number + 1, card.harm.words(), card.title))?;
        let Some(shown) = card.shown() else { continue };
        if card.pages.len() > 1 {
            print_line(&format!("     on {}", card.pages.join(", ")))?;
        }
        if let Some(check) = shown.violation.failures.first() {
            print_line(&format!("     before: {}", one_line(&check.expected)))?;
            print_line(&format!("     after:  {}", one_line(&check.seen)))?;
        }
        if let Some(relation) = card.relations.first() {
            print_line(&format!("     by hand: {}", relation.by_hand))?;
        }
        for relation in card.relations.iter().skip(1) {
            print_line(&format!("     also: {}", relation.title))?;
        }
        for hint in hints(card, app) {
            print_line(&format!("     hint: {}", one_line(&hint)))?;
        }
        let (steps, state) = (shown.minimal.trace.len(), taproof_core::campaign::FindingState::of(shown));
        print_line(&format!("     {steps} steps, {state}; taproof replay {}", shown.id))?;
    }
    if let Some(more) = cards.cards.len().checked_sub(MOST_PRINTED).filter(|more| *more > 0) {
        print_line(&format!("and {more} more"))?;
    }
    if !cards.unsure.is_empty() {
        print_line(&format!(
            "{} seen that did not come back each time: `taproof findings` lists them",
            cards.unsure.len()
        ))?;
    }
    Ok(())
}
