//! How much of the specification that comes with an app Discover proposes for its sound build.

use taproof::cli::command::Failure;
use taproof_campaign::discover::{DiscoverConfig, discover};
use taproof_engine::device::{Build, DeviceSource};
use taproof_phone::BundledPhones;
use taproof_screen::counted;

use super::{Scope, Study};
use crate::discovered::{Beside, beside_truth};
use crate::parallel::{all_in_parallel, cores};
use crate::tables::table::{Cell, Part, Table};

pub(super) const STUDY: Study = Study {
    name: "discover",
    about: "Which functions of the specification that comes with an app Discover proposes",
    seeds: &[1..=1],
    events: 40_000,
    paper: "no paper does this.",
    answer,
};

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    let each: Vec<(usize, u64)> =
        scope.seeds.clone().flat_map(|seed| (0..scope.apps.len()).map(move |app| (app, seed))).collect();
    let found = all_in_parallel(&each, cores(), |(app, seed)| proposed(scope, *app, *seed));
    let mut parts = Vec::new();
    for ((app, seed), beside) in each.iter().zip(found) {
        let (beside, app) = (beside?, scope.apps[*app].manifest().label);
        let counts = beside.rightness;
        let right = format!("{} of {}", counts.right, counted(counts.functions, "function"));
        let conditions = format!("{} of {}", counts.equal, counted(counts.conditions, "condition"));
        parts.push(Part::Text(format!("{app}, seed {seed}: {right} are proposed, with {conditions}.")));
        let mut table = Table::new(["function", "proposed as"]);
        for (name, proposed) in beside.functions {
            table.row(name, [proposed.map_or(Cell::Nothing, Cell::Text)]);
        }
        beside.others.into_iter().for_each(|name| table.row("", [Cell::Text(name)]));
        parts.push(Part::Table(table));
    }
    Ok(parts)
}

fn proposed(scope: &Scope<'_>, app: usize, seed: u64) -> Result<Beside, Failure> {
    let package = scope.apps[app].manifest().package;
    let mut phones = BundledPhones::of(scope.all(), package, &Build::Sound);
    let config = DiscoverConfig { events: scope.events, seed };
    let found = discover(&mut *phones.fresh()?, package, &config, &|| false, &mut |_| {})?;
    Ok(beside_truth(scope.truth(app), &found.spec(), package, &mut phones)?)
}
