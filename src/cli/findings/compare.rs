//! `taproof compare A B`: compares two campaigns engine by engine.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cli::fuzz::campaign::open_results;
use crate::cli::{CommandEnd, Failure, Outcome, campaigns, print_json, print_line, workspace_path};
use taproof_campaign::EngineSummary;
use taproof_results::store::{CampaignRow, FindingRow, StoredPlan, VersionBugs, Workspace};
use taproof_screen::{one_line, thousands};

/// Compare two campaigns engine by engine
#[derive(clap::Args)]
pub struct Options {
    /// The number of a campaign
    first: i64,
    /// The number of another
    second: i64,
    /// The campaigns are on an old version of an app and on the next one: say which bugs are still there, gone and new
    #[arg(long)]
    versions: bool,
    /// The folder with results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// One of the compared campaigns.
struct Side {
    row: CampaignRow,
    plan: StoredPlan,
    engines: Vec<EngineRun>,
}

/// The result of one engine of a campaign.
struct EngineRun {
    did: EngineSummary,
    /// Number of findings of each oracle.
    oracles: BTreeMap<String, u64>,
    /// Number of events until each bug was first seen.
    bugs: BTreeMap<String, u64>,
}

pub fn run(options: &Options) -> Outcome {
    let workspace = open_results(&workspace_path(options.workspace.as_ref()))?;
    let sides = [Side::load(&workspace, options.first)?, Side::load(&workspace, options.second)?];
    if options.versions {
        return print_versions(&workspace, &sides, options.json);
    }
    drop(workspace);
    let unlike = unlike(&sides);
    let pairs = pairs(&sides);
    if options.json {
        let campaigns: Vec<Value> = sides.iter().map(|side| campaigns::as_json(&side.row)).collect();
        let engines: Vec<Value> = pairs.iter().map(pair_json).collect();
        print_json(&json!({ "campaigns": campaigns, "unlike": unlike, "engines": engines }))?;
        return Ok(CommandEnd::Fine);
    }
    for why in &unlike {
        print_line(&format!("not alike: {why}"))?;
    }
    let of = |value: fn(&Side) -> String| sides.each_ref().map(value);
    line("campaign", of(|side| side.row.id.to_string()))?;
    line("app", of(|side| side.row.app.clone()))?;
    line("build", of(|side| side.row.build.clone()))?;
    line("seed", of(|side| side.row.seed.to_string()))?;
    line("end", of(|side| campaigns::ended(&side.row).to_owned()))?;
    for pair in &pairs {
        print(pair)?;
    }
    Ok(CommandEnd::Fine)
}

/// Says what became of the bugs of the first campaign's version in that of the second one.
fn print_versions(workspace: &Workspace, sides: &[Side; 2], json: bool) -> Outcome {
    let [old, new] = sides;
    let bugs =
        VersionBugs::between(&workspace.load_campaign(old.row.id)?, &workspace.load_campaign(new.row.id)?);
    // Of two versions, app and specification differ.
    let mut unlike: Vec<String> = sides.iter().filter_map(Side::ended_early).collect();
    let budgets = sides.each_ref().map(budget);
    if budgets[0] != budgets[1] {
        unlike.push(format!("different budgets: {} and {}", budgets[0], budgets[1]));
    }
    if json {
        let still: Vec<Value> =
            bugs.still.iter().map(|(old, new)| json!({ "old": old, "new": new })).collect();
        let campaigns: Vec<Value> = sides.iter().map(|side| campaigns::as_json(&side.row)).collect();
        let told = json!({
            "campaigns": campaigns, "unlike": unlike, "still": still, "gone": bugs.gone, "new": bugs.new,
        });
        print_json(&told)?;
        return Ok(CommandEnd::Fine);
    }
    for why in &unlike {
        print_line(&format!("not alike: {why}"))?;
    }
    let still: Vec<String> = bugs.still.iter().map(|(_, title)| title.clone()).collect();
    for (what, titles) in [("still there", &still), ("gone", &bugs.gone), ("new", &bugs.new)] {
        print_line(&format!("{what}: {}", titles.len()))?;
        titles.iter().try_for_each(|title| print_line(&format!("  {}", one_line(title))))?;
    }
    Ok(CommandEnd::Fine)
}

impl Side {
    fn load(workspace: &Workspace, id: i64) -> Result<Side, Failure> {
        let row = workspace.campaign(id)?;
        let found = workspace.findings(Some(id))?;
        let engines = workspace.engine_summaries(id)?;
        let engines = engines.into_iter().map(|did| EngineRun::of(did, &found)).collect();
        Ok(Side { plan: workspace.plan(id)?, row, engines })
    }

    /// Why its numbers are not those of the whole budget; `None` if they are.
    fn ended_early(&self) -> Option<String> {
        let end = campaigns::ended(&self.row);
        let whole = end == "budget" || end == "exhausted";
        (!whole).then(|| format!("campaign {} has not come to its end: {end}", self.row.id))
    }
}

impl EngineRun {
    fn of(did: EngineSummary, found: &[FindingRow]) -> Self {
        let (mut oracles, mut bugs) = (BTreeMap::new(), BTreeMap::new());
        for row in found.iter().filter(|row| row.engine == did.engine) {
            *oracles.entry(row.oracle.clone()).or_default() += 1;
            for bug in row.attribution.cause() {
                let first = bugs.entry(bug.clone()).or_insert(row.first_event);
                *first = row.first_event.min(*first);
            }
        }
        EngineRun { did, oracles, bugs }
    }
}

/// Differences between two campaigns that make a comparison of their numbers unfair, in words.
fn unlike(sides: &[Side; 2]) -> Vec<String> {
    let mut unlike = Vec::new();
    let mut compare = |what: &str, [one, other]: [String; 2]| {
        if one != other {
            unlike.push(format!("different {what}: {one} and {other}"));
        }
    };
    let of = |value: fn(&Side) -> String| sides.each_ref().map(value);
    compare("apps", of(|side| side.row.app.clone()));
    compare("builds", of(|side| side.row.build.clone()));
    compare("budgets", of(budget));
    compare("specifications", of(|side| side.plan.spec_version()));
    compare("settings", of(settings));
    compare("traces to begin with", of(|side| side.plan.traces.len().to_string()));
    unlike.extend(sides.iter().filter_map(Side::ended_early));
    unlike
}

fn budget(side: &Side) -> String {
    let budget = &side.plan.plan.budget;
    let minutes = budget.max_device_millis.map(|millis| format!(" or {} minutes", millis.div_ceil(60_000)));
    format!("{} events{}", thousands(budget.max_events), minutes.unwrap_or_default())
}

/// The engines' settings that differ from their defaults.
fn settings(side: &Side) -> String {
    let engines = side.plan.plan.engines.iter();
    let changed = engines.flat_map(|engine| {
        let named = move |(key, value): (String, String)| format!("{}.{key}={value}", engine.name());
        engine.changed().into_iter().map(named)
    });
    let changed: Vec<String> = changed.collect();
    if changed.is_empty() { "the usual ones".to_owned() } else { changed.join(" ") }
}

/// An engine with its results in the two campaigns; `None` if a campaign does not run it.
type Pair<'s> = (String, [Option<&'s EngineRun>; 2]);

/// The engines of the first campaign in their order, each with its counterpart, then those that only the second runs.
/// If a campaign runs an engine several times, the first run is paired with the first, and so on.
fn pairs(sides: &[Side; 2]) -> Vec<Pair<'_>> {
    let [first, second] = sides;
    let mut left: Vec<Option<&EngineRun>> = second.engines.iter().map(Some).collect();
    let mut pairs: Vec<Pair<'_>> = Vec::new();
    for run in &first.engines {
        let like =
            |other: &&mut Option<&EngineRun>| other.is_some_and(|other| other.did.engine == run.did.engine);
        let other = left.iter_mut().find(like).and_then(Option::take);
        pairs.push((run.did.engine.clone(), [Some(run), other]));
    }
    pairs.extend(left.into_iter().flatten().map(|run| (run.did.engine.clone(), [None, Some(run)])));
    pairs
}

/// The title of a number, and how it is taken from an engine's summary.
type Number = (&'static str, fn(&EngineSummary) -> String);

const NUMBERS: [Number; 6] = [
    ("events", |did| thousands(did.events)),
    ("events/s", |did| thousands(did.events_per_second as u64)),
    ("activities", |did| did.activities.to_string()),
    ("states", |did| did.states.to_string()),
    ("transitions", |did| thousands(did.transitions as u64)),
    ("code points", |did| match did.code_points {
        0 => "-".to_owned(),
        points => format!("{} of {points}", did.code_covered),
    }),
];

fn print((name, runs): &Pair<'_>) -> Result<(), Failure> {
    let of = |value: &dyn Fn(&EngineRun) -> String| runs.map(|run| run.map_or("-".to_owned(), value));
    print_line("")?;
    print_line(name)?;
    let modes = of(&|run| run.did.mode.clone());
    if modes.iter().any(|mode| !mode.is_empty() && mode != "-") {
        line("  mode", modes)?;
    }
    for (title, number) in NUMBERS {
        line(&format!("  {title}"), of(&|run| number(&run.did)))?;
    }
    line("  findings", of(&|run| run.oracles.values().sum::<u64>().to_string()))?;
    for oracle in keys(runs, |run| &run.oracles) {
        line(&format!("    {oracle}"), of(&|run| run.oracles.get(oracle).unwrap_or(&0).to_string()))?;
    }
    for bug in keys(runs, |run| &run.bugs) {
        let event = |run: &EngineRun| run.bugs.get(bug).map_or("-".to_owned(), |event| thousands(*event));
        line(&format!("  events to {bug}"), of(&event))?;
    }
    Ok(())
}

fn keys<'r>(
    runs: &[Option<&'r EngineRun>; 2],
    of: fn(&EngineRun) -> &BTreeMap<String, u64>,
) -> BTreeSet<&'r String> {
    runs.iter().flatten().flat_map(|run| of(run).keys()).collect()
}

fn line(title: &str, [first, second]: [String; 2]) -> Result<(), Failure> {
    print_line(&format!("{title:<40} {first:>22} {second:>22}"))
}

fn pair_json((name, runs): &Pair<'_>) -> Value {
    let run = |run: &EngineRun| json!({ "did": run.did, "findings": run.oracles, "first_events": run.bugs });
    json!({ "engine": name, "runs": runs.map(|each| each.map(run)) })
}
