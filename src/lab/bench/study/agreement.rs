//! What the screens of generated apps agree on: the faults of derived values and of second views that are found without a
//! specification, and what is reported of builds without bugs.

use std::collections::BTreeSet;

use taproof::cli::command::{Failure, app_named};
use taproof_blueprint::{Fault, Generated, Operator, Size};
use taproof_campaign::{CampaignPlan, ConfirmPlan};
use taproof_engine::device::Build;
use taproof_engine::oracle::agreement::AgreementCounts;
use taproof_engine::{AutoConfig, EngineConfig};
use taproof_phone::Oracle;
use taproof_screen::thousands;
use taproof_spec::Spec;

use super::{Scope, Study};
use crate::result::CellResult;
use crate::tables::part;
use crate::tables::table::{Cell, Part, Table};

pub(super) const STUDY: Study = Study {
    name: "agreement",
    about: "Whether screens that do not agree are found in generated apps, and what is reported of builds without bugs",
    seeds: &[1..=12],
    events: 40_000,
    paper: "none asks this; the seeds are those of the generated apps.",
    answer,
};

/// What counts as early.
const EARLY: u64 = 3_600;
const JUDGES: &[Oracle] = &[Oracle::Agreement];

/// A campaign, the fault that is on in it, and what came of it.
struct Ran {
    app: Generated,
    fault: Option<Fault>,
    result: CellResult,
    relations: AgreementCounts,
}

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    let apps = scope.seeds.clone().flat_map(|seed| {
        let app = |size, traps| Generated { seed, size, traps, derived: true, version: 1 };
        [app(Size::Small, false), app(Size::Medium, false), app(Size::Small, true)]
    });
    let apps: Vec<Generated> = apps.collect();
    let mut jobs: Vec<(Generated, Option<Fault>)> = apps.iter().map(|app| (*app, None)).collect();
    for app in apps.iter().filter(|app| !app.traps) {
        let (blueprint, all) = (app.blueprint(), app.blueprint().faults());
        let of_screens: Vec<Fault> = all.into_iter().filter(|it| it.oracle == Oracle::Agreement).collect();
        let seen = blueprint.witnesses(&of_screens).into_iter().map(|witness| witness.is_some());
        jobs.extend(
            of_screens.into_iter().zip(seen).filter(|(_, seen)| *seen).map(|(it, _)| (*app, Some(it))),
        );
    }
    let plans = jobs.iter().map(|(app, fault)| plan(scope, *app, *fault)).collect::<Result<Vec<_>, _>>()?;
    let packages: Vec<String> = plans.iter().map(|plan| plan.app.clone()).collect();
    let ran = scope.run_plans(plans, |place, report| {
        let relations = report.stats.agreements.as_ref().map(|known| known.counts()).unwrap_or_default();
        (CellResult::of(&report, &packages[place], &Spec::default()), relations)
    })?;
    let ran = jobs.into_iter().zip(ran);
    let ran: Vec<Ran> =
        ran.map(|((app, fault), (result, relations))| Ran { app, fault, result, relations }).collect();
    let legend = format!(
        "Auto without a specification, {} events in each app, small and medium, one fault at a time. Found is what is \
         attributed to the fault, as a suspicion or a bug.",
        thousands(scope.events)
    );
    let sound = "Builds without bugs, small and medium, and small with what makes apps hard to test:";
    let mut parts = vec![Part::Text(legend), Part::Table(by_operator(&ran))];
    parts.extend([Part::Text(sound.to_owned()), Part::Table(of_sound(&ran))]);
    let told = told(&ran);
    parts.extend((!told.is_empty()).then(|| Part::Text(told.join("\n"))));
    Ok(parts)
}

fn plan(scope: &Scope<'_>, app: Generated, fault: Option<Fault>) -> Result<CampaignPlan, Failure> {
    let package = app_named(scope.all(), &app.blueprint().package())?.manifest().package;
    Ok(CampaignPlan {
        build: fault.map_or(Build::Sound, |fault| Build::Bugs(vec![fault.id.to_owned()])),
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(package, EngineConfig::Auto(AutoConfig::default()), scope.events)
    })
}

fn by_operator(ran: &[Ran]) -> Table {
    let columns = ["operator", "faults", "found", "as bugs", "in 3,600 events"];
    let mut table = Table::new(columns);
    let operators: BTreeSet<Operator> = ran.iter().filter_map(|ran| Some(ran.fault?.operator)).collect();
    for operator in operators {
        row(&mut table, operator.name(), ran, |fault| fault.operator == operator);
    }
    row(&mut table, "all", ran, |_| true);
    table
}

fn row(table: &mut Table, name: &str, ran: &[Ran], of: impl Fn(&Fault) -> bool) {
    let faults: Vec<(&Ran, &str)> =
        ran.iter().filter_map(|ran| Some((ran, ran.fault.filter(|fault| of(fault))?.id))).collect();
    let count = |is: &dyn Fn(&Ran, &str) -> bool| {
        part(faults.iter().filter(|(ran, fault)| is(ran, fault)).count(), faults.len())
    };
    let first = |ran: &Ran, fault: &str| ran.result.first_of(fault, JUDGES);
    let is_bug = |ran: &Ran, fault: &str| {
        ran.result.found_by(JUDGES).any(|found| found.is_bug() && found.faults.iter().any(|it| it == fault))
    };
    table.row(
        name,
        [
            Cell::Count(faults.len() as f64),
            count(&|ran, fault| first(ran, fault).is_some()),
            count(&is_bug),
            count(&|ran, fault| first(ran, fault).is_some_and(|event| event <= EARLY)),
        ],
    );
}

fn of_sound(ran: &[Ran]) -> Table {
    let columns = ["apps", "events", "proposed", "refuted", "kept", "suspicions", "bugs"];
    let mut table = Table::new(columns);
    for (name, traps) in [("without traps", false), ("with traps", true)] {
        let sound: Vec<&Ran> =
            ran.iter().filter(|ran| ran.fault.is_none() && ran.app.traps == traps).collect();
        let total = |of: &dyn Fn(&Ran) -> f64| Cell::Count(sound.iter().map(|ran| of(ran)).sum());
        let told = |bugs: bool| {
            move |ran: &Ran| {
                let told = ran.result.found_by(JUDGES).filter(|it| it.confirmed && it.is_bug() == bugs);
                told.count() as f64
            }
        };
        table.row(
            name,
            [
                total(&|ran| ran.result.events as f64),
                total(&|ran| ran.relations.proposed as f64),
                total(&|ran| ran.relations.refuted as f64),
                total(&|ran| ran.relations.kept as f64),
                total(&told(false)),
                total(&told(true)),
            ],
        );
    }
    table
}

fn told(ran: &[Ran]) -> Vec<String> {
    let sound = ran.iter().filter(|ran| ran.fault.is_none());
    let line = |ran: &Ran, title: &str| format!("- {}: {title}", ran.app.blueprint().name);
    sound
        .flat_map(|ran| ran.result.found_by(JUDGES).map(|it| line(ran, &it.title)).collect::<Vec<_>>())
        .collect()
}
