//! What a comparison of two versions finds without a specification: regressions that are planted in the next version of
//! generated apps, and what it takes for one in versions that have none.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use taproof::cli::command::{Failure, message};
use taproof_blueprint::{Fault, blueprint_named};
use taproof_campaign::diff::{DiffPlan, DiffReport, diff};
use taproof_engine::device::Build;
use taproof_phone::{Apps, BundledPhones};
use taproof_screen::determinism::Rng;

use super::{Scope, Study};
use crate::parallel::{all_in_parallel, cores};
use crate::tables::part;
use crate::tables::table::{Cell, Part, Table};

pub(super) const STUDY: Study = Study {
    name: "diff",
    about: "Which regressions a comparison of two versions of a generated app finds without a specification",
    seeds: &[1..=40, 1000..=1049],
    events: 3_600,
    paper: "",
    answer,
};

/// How many regressions are planted in each app, one at a time.
const PLANTED: usize = 2;

/// What came of the versions of one app.
struct Judged {
    /// Differences between a version and itself.
    itself: usize,
    /// What looked like a bug in the next version, which has none.
    wrong: Vec<String>,
    /// The operator of each regression, and whether something looked like a bug that does not without it.
    planted: Vec<(Fault, bool)>,
}

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    let seeds: Vec<u64> = scope.seeds.clone().collect();
    let done = AtomicUsize::new(0);
    let judged = all_in_parallel(&seeds, cores(), |seed| {
        let judged = versions(scope.all(), *seed, scope.events)?;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        message(&format!("{done} of {}: seed {seed}", seeds.len()));
        Ok::<_, Failure>(judged)
    });
    let judged = judged.into_iter().collect::<Result<Vec<_>, Failure>>()?;
    let mut table = Table::new(["pairs", "count"]);
    let row = |table: &mut Table, name: &str, count: usize| table.row(name, [Cell::Count(count as f64)]);
    row(&mut table, "a version and itself", judged.len());
    row(&mut table, "of these with any difference", judged.iter().filter(|it| it.itself > 0).count());
    row(&mut table, "next versions without a regression", judged.len());
    row(
        &mut table,
        "of these with something like a bug",
        judged.iter().filter(|it| !it.wrong.is_empty()).count(),
    );
    let planted: Vec<&(Fault, bool)> = judged.iter().flat_map(|it| &it.planted).collect();
    row(&mut table, "next versions with a regression", planted.len());
    table.row("of these found", [part(planted.iter().filter(|(_, found)| *found).count(), planted.len())]);
    let mut operators: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (fault, found) in planted {
        let counts = operators.entry(fault.operator.name()).or_default();
        counts[0] += 1;
        counts[1] += usize::from(*found);
    }
    let mut by_operator = Table::new(["regression", "planted", "found"]);
    for (operator, counts) in operators {
        by_operator.row(operator, counts.map(|count| Cell::Count(count as f64)));
    }
    for (seed, it) in seeds.iter().zip(&judged) {
        it.wrong.iter().for_each(|said| message(&format!("seed {seed}, without a regression: {said}")));
        let missed = it.planted.iter().filter(|(_, found)| !found);
        missed.for_each(|(fault, _)| message(&format!("seed {seed}, not found: {}", fault.id)));
    }
    let legend = "Each app was compared with itself, with its next version, and with that again with a regression, of \
                  those that a script shows and papers report.";
    Ok(vec![Part::Text(legend.to_owned()), Part::Table(table), Part::Table(by_operator)])
}

fn versions(apps: &Apps, seed: u64, events: u64) -> Result<Judged, Failure> {
    let [old, new] = [format!("blueprint:{seed}"), format!("blueprint:{seed}@2")];
    let compared = |other: &str, build: Build| compared(apps, [&old, other], &build, (events, seed));
    let sound = compared(&new, Build::Sound)?;
    let wrong: Vec<String> = sound.bugs().map(|bug| bug.said.clone()).collect();
    let mut planted = Vec::new();
    for fault in regressions(&new, seed) {
        let report = compared(&new, Build::Bugs(vec![fault.id.to_owned()]))?;
        let found = report.bugs().any(|bug| !wrong.contains(&bug.said));
        planted.push((fault, found));
    }
    Ok(Judged { itself: compared(&old, Build::Sound)?.differences.len(), wrong, planted })
}

fn compared(
    apps: &Apps,
    names: [&str; 2],
    build: &Build,
    (events, seed): (u64, u64),
) -> Result<DiffReport, Failure> {
    let package = |name: &str| {
        let missing = || Failure::Broken(anyhow::anyhow!("there is no app {name:?}"));
        apps.find(name).map(|app| app.manifest().package.to_owned()).ok_or_else(missing)
    };
    let plan = DiffPlan { apps: [package(names[0])?, package(names[1])?], events, seed };
    let mut old = BundledPhones::of(apps, &plan.apps[0], &Build::Sound);
    let mut new = BundledPhones::of(apps, &plan.apps[1], build);
    Ok(diff(&plan, [&mut old, &mut new], &|| false, &mut |_| {})?)
}

/// Faults of different operators, drawn by the seed, that a script shows.
fn regressions(name: &str, seed: u64) -> Vec<Fault> {
    let Some(blueprint) = blueprint_named(name) else { return Vec::new() };
    let mut faults = blueprint.faults();
    faults.retain(|fault| fault.operator.published_kind().is_some());
    Rng::from_seed(seed).fork("regressions").shuffle(&mut faults);
    let mut planted: Vec<Fault> = Vec::new();
    for fault in faults {
        let is_new = planted.iter().all(|it| it.operator != fault.operator);
        let shown = || blueprint.clone().witnesses(&[fault]).into_iter().any(|witness| witness.is_some());
        if planted.len() < PLANTED && is_new && shown() {
            planted.push(fault);
        }
    }
    planted
}
