//! The engine keep on apps of other toolkits, whose widget trees have no ids: it finds what it finds with ids, and nothing
//! in an app that keeps everything.
//!
//! `TAPROOF_KEEP_EVENTS` and `TAPROOF_KEEP_SEEDS` make the campaigns longer and more.

mod compose;
mod rewritten;

use std::collections::BTreeSet;
use std::sync::Arc;

use compose::as_compose;
use rewritten::{Rewrite, RewrittenPhones};
use taproof_campaign::{CampaignPlan, CampaignReport, CampaignSink, CampaignWarning, Finding, NullSink, run};
use taproof_engine::device::Build;
use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, KeepConfig};
use taproof_phone::BundledPhones;
use taproof_screen::{Layout, LayoutBuilder, OracleKind, Widget};

fn given(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

fn campaign(app: &str, build: Build, rewrite: Rewrite, seed: u64, events: u64) -> CampaignReport {
    let package = format!("org.taproof.{app}");
    let engine = EngineConfig::Keep(KeepConfig::default());
    let mut plan = CampaignPlan { build, seed, ..CampaignPlan::new(&package, engine, events) };
    plan.confirm.pictures = false;
    let mut source = RewrittenPhones { phones: BundledPhones::new(&package, &plan.build), rewrite };
    run(&plan, &plan.engines[0], &mut source, &CancelToken::new(), &mut NullSink)
}

/// The bugs that findings of detours are attributed to.
fn found(report: &CampaignReport) -> BTreeSet<String> {
    let kept = report.findings.iter().filter(|found| found.finding.origin.oracle == OracleKind::Preservation);
    kept.flat_map(|found| found.finding.attribution.bugs()).collect()
}

fn all_found(app: &str, rewrite: Rewrite) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for seed in 1..=given("TAPROOF_KEEP_SEEDS", 3) {
        let report = campaign(app, Build::Faulty, rewrite, seed, given("TAPROOF_KEEP_EVENTS", 3600));
        let bugs = found(&report);
        println!("{app} seed {seed}: {} bugs: {bugs:?}", bugs.len());
        all.extend(bugs);
    }
    println!("{app}: {} bugs in all", all.len());
    all
}

/// The titles of what was found in a build without bugs.
fn false_alarms(app: &str, rewrite: Rewrite) -> Vec<String> {
    let mut titles = Vec::new();
    for seed in 1..=given("TAPROOF_KEEP_SEEDS", 1) {
        let report = campaign(app, Build::Sound, rewrite, seed, given("TAPROOF_KEEP_EVENTS", 3600));
        let lost = report.findings.iter().map(|found| &found.finding);
        let lost = lost.filter(|finding| finding.origin.oracle == OracleKind::Preservation);
        titles.extend(lost.map(|finding| format!("{app} seed {seed}: {}", finding.title)));
    }
    titles.iter().for_each(|title| println!("{title}"));
    titles
}

/// Keeps the warnings of a campaign.
#[derive(Default)]
struct Warnings(Vec<String>);

impl CampaignSink for Warnings {
    fn finding(&mut self, _finding: Arc<Finding>) {}

    fn warning(&mut self, warning: CampaignWarning) {
        self.0.push(warning.to_string());
    }
}

/// What a game shows to accessibility.
fn as_canvas(layout: &Layout) -> Layout {
    let mut builder = LayoutBuilder::new(layout.activity().clone(), layout.screen(), layout.rotation());
    if let Some(root) = layout.widgets().first() {
        builder.open(Widget { class: "android.view.SurfaceView".into(), resource_id: None, ..root.clone() });
    }
    builder.finish()
}

#[test]
fn an_app_that_tells_accessibility_nothing_is_told_of_once() {
    let package = "org.taproof.tasks";
    let plan = CampaignPlan::new(package, EngineConfig::Keep(KeepConfig::default()), 200);
    let mut warnings = Warnings::default();
    let mut source = RewrittenPhones { phones: BundledPhones::new(package, &plan.build), rewrite: as_canvas };
    run(&plan, &plan.engines[0], &mut source, &CancelToken::new(), &mut warnings);
    let said: Vec<&String> =
        warnings.0.iter().filter(|it| it.contains("tells accessibility nothing")).collect();
    assert_eq!(said.len(), 1, "{:?}", warnings.0);
    assert!(said[0].starts_with("The widget tree of MainActivity holds one widget"), "{}", said[0]);
}

#[test]
fn most_of_what_tasks_loses_is_found_without_ids() {
    let (with_ids, without) = (all_found("tasks", Layout::clone), all_found("tasks", as_compose));
    println!("only with ids: {:?}", with_ids.difference(&without).collect::<Vec<_>>());
    // `filter` is not gone without ids, `cancel` judges less, and there are more pages to share the tries.
    assert!(
        3 * without.len() >= 2 * with_ids.len(),
        "{} with ids, {} without",
        with_ids.len(),
        without.len()
    );
}

#[test]
fn an_app_that_keeps_everything_is_told_so_without_ids() {
    let apps = ["tasks", "notes", "files", "diary"];
    let titles: Vec<String> = apps.iter().flat_map(|app| false_alarms(app, as_compose)).collect();
    assert_eq!(titles, Vec::<String>::new());
}
