//! Generated apps and their ground truth: the functions hold on sound builds, and run.

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof_campaign::{
    BugClass, CampaignPlan, CampaignReport, ConfirmPlan, Corrections, Finding, NullSink, group, of_class, run,
};
use taproof_engine::device::Build;
use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, PbfdroidConfig};
use taproof_phone::{BundledApp, BundledPhones};
use taproof_results::store::{SpecSource, read_specs};
use taproof_screen::{OracleKind, StepRole};
use taproof_spec::{Block, Spec, derived_blocks, is_forbidden};

const EVENTS: u64 = 4000;
/// The events of a campaign that is to find a fault.
const TO_FIND: u64 = 10_000;

fn spec_of(app: &BundledApp) -> Arc<Spec> {
    let files = app.spec_files().iter();
    let sources: Vec<SpecSource> = files.map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    Arc::new(read_specs(&sources).unwrap())
}

fn fuzzed(name: &str, build: Build) -> (Arc<Spec>, CampaignReport) {
    fuzzed_by(PbfdroidConfig::default(), name, build, EVENTS)
}

fn fuzzed_by(config: PbfdroidConfig, name: &str, build: Build, events: u64) -> (Arc<Spec>, CampaignReport) {
    let apps = taproof_blueprint::apps();
    let app = apps.find(name).unwrap();
    let package = app.manifest().package;
    let spec = spec_of(app);
    let plan = CampaignPlan {
        build,
        spec: Arc::clone(&spec),
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(package, EngineConfig::Pbfdroid(config), events)
    };
    plan.check(&apps.facts(package)).unwrap();
    let mut phones = BundledPhones::of(&apps, package, &plan.build);
    let report = run(&plan, &plan.engines[0], &mut phones, &CancelToken::new(), &mut NullSink);
    (spec, report)
}

#[test]
fn functions_of_generated_apps_hold_on_their_sound_builds() {
    let (mut kinds, mut ran, mut all) = (BTreeSet::new(), 0, 0);
    for seed in 1..=12 {
        let name = format!("blueprint:{seed}");
        let (spec, report) = fuzzed(&name, Build::Sound);
        let titles: Vec<&str> = report.findings.iter().map(|it| it.finding.title.as_str()).collect();
        assert!(titles.is_empty(), "{name}: {titles:#?}");
        all += spec.dmfs.len();
        for counts in report.stats.properties.iter().filter(|counts| counts.executed > 0) {
            ran += 1;
            kinds.insert(counts.name.split(' ').next().unwrap_or_default().to_owned());
        }
    }
    println!("{ran} of {all} functions ran: {kinds:?}");
    for kind in [
        "add",
        "edit",
        "edit1",
        "view",
        "delete",
        "undo",
        "restore",
        "search",
        "search1",
        "sort",
        "filter",
        "reset",
        "move_date",
        "keep_owner",
    ] {
        assert!(kinds.contains(kind), "{kind} never ran");
    }
    assert!(4 * ran >= 3 * all, "{ran} of {all}");
}

/// In a minimal trace, exploration does nothing that it must not do, and texts that do not matter are words.
#[test]
fn minimal_traces_keep_to_the_block_list_and_are_plain() {
    let (mut explored, mut words, mut texts, mut apart) = (0, 0, 0, 0);
    for name in ["blueprint:24", "blueprint:30"] {
        let (spec, report) = fuzzed_by(PbfdroidConfig::default(), name, Build::Faulty, TO_FIND);
        let guards: Vec<Block> = spec.blocks.iter().cloned().chain(derived_blocks(&spec)).collect();
        assert!(!report.findings.is_empty());
        // The traces that ODIN's oracle compares repeat the steps of functions as events.
        for reported in report.findings.iter().filter(|it| it.finding.reference.is_none()) {
            let (finding, trace) = (&reported.finding, &reported.finding.minimal.trace);
            for (at, step) in trace.steps().iter().enumerate() {
                if step.role == StepRole::Explored {
                    explored += 1;
                    let before = &trace.frame(at).unwrap().layout;
                    assert!(!is_forbidden(&guards, before, &step.event), "{name}: {} at {at}", finding.title);
                }
            }
            let drawn = trace.spans.iter().flat_map(|span| &span.inputs);
            let drawn: Vec<bool> =
                drawn.map(|drawn| ["Tickets", "Passport"].contains(&drawn.text.as_str())).collect();
            texts += drawn.len();
            words += drawn.iter().filter(|is_word| **is_word).count();
            let crashed = finding.origin.oracle == OracleKind::Crash;
            let in_part =
                trace.spans.is_empty() && trace.steps().iter().any(|it| it.role == StepRole::SpecStep);
            apart += usize::from(crashed && in_part);
        }
    }
    println!(
        "{explored} explored events, {words} of {texts} texts are words, {apart} crashes by parts of functions"
    );
    assert!(explored > 10 && 2 * words > texts && apart > 0, "{explored} {words} {texts} {apart}");
}

/// Notices that cover the first list and pages without ids are no mistakes.
#[test]
fn functions_hold_behind_traps() {
    for name in ["blueprint:3:traps", "blueprint:4:traps", "blueprint:6:traps", "blueprint:10:traps"] {
        let (_, report) = fuzzed(name, Build::Sound);
        let titles: Vec<&str> = report.findings.iter().map(|it| it.finding.title.as_str()).collect();
        assert!(titles.is_empty(), "{name}: {titles:#?}");
        let ran = report.stats.properties.iter().filter(|counts| counts.executed > 0).count();
        assert!(2 * ran > report.stats.properties.len(), "{name}: {ran}");
    }
}

#[test]
fn known_ways_let_functions_run_more_often() {
    let runs = |config: PbfdroidConfig| -> u64 {
        let of = |seed: u32| {
            let name = format!("blueprint:{seed}:medium");
            let (_, report) = fuzzed_by(config.clone(), &name, Build::Sound, EVENTS);
            report.stats.properties.iter().map(|counts| counts.executed).sum::<u64>()
        };
        (1..=9).map(of).sum()
    };
    let by_chance = runs(PbfdroidConfig { way_every: 0, ..PbfdroidConfig::default() });
    let with_ways = runs(PbfdroidConfig::default());
    assert!(4 * with_ways > 5 * by_chance, "{with_ways} runs, {by_chance} by chance alone");
}

#[test]
fn a_fault_is_found_by_the_function_that_it_breaks() {
    let apps = taproof_blueprint::apps();
    for operator in [
        "update-lost",
        "stale-list",
        "deleted-still-found",
        "cut-on-save",
        "cascade-missing",
        "cascade-too-wide",
        "owner-lost-on-edit",
        "pane-stale",
    ] {
        let has = |name: &String| {
            let mut bugs = apps.find(name).unwrap().manifest().bugs.iter();
            Some((name.clone(), bugs.rfind(|bug| bug.id.contains(operator))?))
        };
        let (name, bug) = (9..).map(|seed| format!("blueprint:{seed}")).find_map(|name| has(&name)).unwrap();
        let build = Build::Bugs(vec![bug.id.to_owned()]);
        let (_, report) = fuzzed_by(PbfdroidConfig::default(), &name, build, TO_FIND);
        let causes = report.findings.iter().map(|it| it.finding.attribution.cause());
        assert!(causes.flatten().any(|cause| cause == bug.id), "{operator}: {:?}", report.findings.len());
    }
}

#[test]
fn a_fault_that_many_functions_show_is_one_card() {
    for (name, bug, title) in [
        ("blueprint:37", "blueprint37-arrival-replaces-purchase", "After a while, a purchase is missing"),
        (
            "blueprint:11:medium",
            "blueprint11m-cut-on-save-chore",
            "Storing a chore with a long text does not show it",
        ),
        (
            "blueprint:15:medium",
            "blueprint15m-opens-by-position-plant",
            "Opening a plant opens another one, on “Plants”",
        ),
    ] {
        let (spec, report) =
            fuzzed_by(PbfdroidConfig::default(), name, Build::Bugs(vec![bug.to_owned()]), 2 * TO_FIND);
        let findings: Vec<Arc<Finding>> = report.findings.into_iter().map(|it| it.finding).collect();
        let package = taproof_blueprint::apps().find(name).unwrap().manifest().package;
        let bugs = group(&findings, package, &spec, &Corrections::default());
        let same = of_class(&bugs, BugClass::Bug).iter().filter(|bug| bug.title == title);
        let same: Vec<usize> = same.map(|bug| bug.findings.len()).collect();
        assert!(matches!(same[..], [several] if several > 1), "{title}: {same:?} of {}", findings.len());
    }
}
