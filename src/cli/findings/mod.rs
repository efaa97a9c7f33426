//! `taproof findings`: lists what campaigns found, grouped by the bug that they show.

pub(crate) mod bug;
pub(crate) mod bugs;
pub(crate) mod compare;
pub(crate) mod export;
pub(crate) mod log;
pub(crate) mod merge;
pub(crate) mod minimise;
pub(crate) mod replay;
pub(crate) mod stuck;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{CommandEnd, Failure, Outcome, bad_input, print_json, print_line, workspace_path};
use crate::cli::fuzz::campaign::open_results;
use taproof_campaign::{Bug, BugClass, bugs_in_words};
use taproof_engine::ENGINES;
use taproof_results::store::{AppBug, BugOf, CampaignRow, FindingRow, engines_of};
use taproof_screen::{OracleKind, counted};

/// List what campaigns found; findings of one bug stand together
#[derive(clap::Args)]
pub struct Options {
    /// Only this campaign, by its number; all if left out
    campaign: Option<i64>,
    /// List bugs, each once, with the campaigns that show it
    #[arg(long, conflicts_with_all = ["campaign", "engine", "oracle"])]
    bugs: bool,
    /// Only what this engine found
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Only what this oracle says: property, invariant, crash, anr, loading, genie or odin
    #[arg(long, value_name = "NAME")]
    oracle: Option<String>,
    /// The folder with results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> Outcome {
    let engines: Vec<&str> = ENGINES.iter().map(|engine| engine.name).collect();
    known("engine", options.engine.as_deref(), &engines)?;
    known("oracle", options.oracle.as_deref(), &OracleKind::ALL.map(OracleKind::name))?;
    let root = workspace_path(options.workspace.as_ref());
    let workspace = open_results(&root)?;
    if options.bugs {
        let (bugs, campaigns) = (workspace.app_bugs()?, workspace.campaigns()?);
        drop(workspace);
        return print_app_bugs(&bugs, &campaigns, options.json);
    }
    if let Some(id) = options.campaign {
        workspace.campaign(id)?;
    }
    let mut rows = workspace.findings(options.campaign)?;
    let wanted = |asked: &Option<String>, has: &str| asked.as_deref().is_none_or(|asked| asked == has);
    rows.retain(|row| wanted(&options.engine, &row.engine) && wanted(&options.oracle, &row.oracle));
    let mut bugs: BTreeMap<i64, BTreeMap<String, BugOf>> = BTreeMap::new();
    for row in &rows {
        // What is damaged is said when it is opened.
        bugs.entry(row.campaign).or_insert_with(|| workspace.bugs_of(row.campaign).unwrap_or_default());
    }
    drop(workspace);
    let bug_of = |row: &FindingRow| bugs.get(&row.campaign)?.get(&row.name);
    let shown = |row: &FindingRow| {
        (row.campaign, bug_of(row).map_or_else(|| row.name.clone(), |bug| bug.shown.clone()))
    };
    let mut first: BTreeMap<(i64, String), i64> = BTreeMap::new();
    for row in &rows {
        first.entry(shown(row)).or_insert(row.id);
    }
    rows.sort_by_cached_key(|row| (row.campaign, first.get(&shown(row)).copied()));
    let groups: Vec<&[FindingRow]> = rows.chunk_by(|one, other| shown(one) == shown(other)).collect();
    if options.json {
        print_json(&json!({ "causes": groups.iter().map(|rows| group_json(rows)).collect::<Vec<_>>() }))?;
    } else if groups.is_empty() {
        print_line(&format!("no such findings in {}", root.display()))?;
    } else {
        print(&groups, bug_of)?;
    }
    Ok(CommandEnd::Fine)
}

/// The bugs that count (`None`), or the others of a class.
fn of(bugs: &[AppBug], class: Option<BugClass>) -> Vec<&AppBug> {
    let wanted = |AppBug { bug, .. }: &&AppBug| (!bug.counts(false)).then_some(bug.class) == class;
    bugs.iter().filter(wanted).collect()
}

/// Prints the bugs of each app, with how many of the app's campaigns show it, and below them the suspicions.
fn print_app_bugs(bugs: &[AppBug], campaigns: &[CampaignRow], json: bool) -> Outcome {
    if json {
        let all = |bugs: Vec<&AppBug>| bugs.into_iter().map(bug_json).collect::<Vec<_>>();
        print_json(&json!({
            "bugs": all(of(bugs, None)),
            "suspicions": all(of(bugs, Some(BugClass::Suspicion))),
            "unsure": all(of(bugs, Some(BugClass::Unsure))),
            "dismissed": all(of(bugs, Some(BugClass::Dismissed))),
        }))?;
        return Ok(CommandEnd::Fine);
    }
    if bugs.is_empty() {
        print_line("no bugs")?;
    }
    for bugs in bugs.chunk_by(|one, other| one.app == other.app) {
        let app = &bugs[0].app;
        let all = campaigns.iter().filter(|campaign| campaign.app == *app).count();
        let (certain, suspected) = (of(bugs, None), of(bugs, Some(BugClass::Suspicion)));
        let found = bugs_in_words(certain.len(), suspected.len());
        print_line(&format!("{app}: {found} in {}", counted(all, "campaign")))?;
        for (number, bug) in certain.iter().enumerate() {
            print_app_bug(&format!("{:>4}.", number + 1), bug, all)?;
        }
        if !suspected.is_empty() {
            print_line("  suspicions, not known to be bugs:")?;
        }
        for bug in suspected {
            print_app_bug("    -", bug, all)?;
            bugs::print_evidence(&bug.bug.shown)?;
        }
        for (class, words) in [
            (BugClass::Unsure, "that did not come back each time, or were not tried again"),
            (BugClass::Dismissed, "that a person has said to be no bug"),
        ] {
            let count = of(bugs, Some(class)).len();
            if count > 0 {
                print_line(&format!("  {count} {words}"))?;
            }
        }
    }
    Ok(CommandEnd::Fine)
}

/// Prints a bug of an app that was tested by so many campaigns.
fn print_app_bug(number: &str, bug: &AppBug, campaigns: usize) -> Result<(), Failure> {
    let Some(shown) = bug.findings.first() else { return Ok(()) };
    print_line(&format!("{number} {}: {}", harm(&bug.bug).unwrap_or("unsure"), bug.bug.title))?;
    print_line(&format!(
        "      {} of {campaigns}, {} steps, {}; taproof replay {}",
        bug.campaigns().len(),
        shown.minimal_steps,
        shown.state(),
        shown.id
    ))
}

/// How bad a bug is; `None` if too little is known of it.
fn harm(bug: &Bug) -> Option<&'static str> {
    (bug.class != BugClass::Unsure).then(|| bug.harm.words())
}

fn bug_json(of_app: &AppBug) -> Value {
    let bug = &of_app.bug;
    json!({
        "app": of_app.app,
        "title": bug.title,
        "class": bug.class,
        "rests_on": bug.shown.rests_on(),
        "settled_by": bug.shown.settled_by(),
        "harm": harm(bug),
        "campaigns": of_app.campaigns(),
        "findings": of_app.findings.iter().map(finding_json).collect::<Vec<_>>(),
    })
}

fn finding_json(row: &FindingRow) -> Value {
    json!({
        "campaign": row.campaign,
        "id": row.id,
        "name": row.name,
        "engine": row.engine,
        "oracle": row.oracle,
        "title": row.title,
        "first_event": row.first_event,
        "steps": row.steps,
        "minimal_steps": row.minimal_steps,
        "hits": row.confirmed.0,
        "tries": row.confirmed.1,
        "finished": row.finished,
        "class": row.class,
    })
}

fn known(what: &str, asked: Option<&str>, known: &[&str]) -> Result<(), Failure> {
    match asked.filter(|asked| !known.contains(asked)) {
        None => Ok(()),
        Some(asked) => {
            let text = format!("no {what} is called {asked:?}; there are {}", known.join(", "));
            Err(bad_input(text))
        }
    }
}

/// The findings of a campaign that show the same bug, as JSON.
fn group_json(rows: &[FindingRow]) -> Value {
    let first = &rows[0];
    json!({
        "campaign": first.campaign,
        "app": first.app,
        "build": first.build,
        "seed": first.seed,
        "attributed_bugs": first.attribution.bugs(),
        "bug_candidates": first.attribution.alternatives(),
        "engines": engines_of(rows),
        "findings": rows.iter().map(finding_json).collect::<Vec<_>>(),
    })
}

/// Prints findings, those of a bug below its title.
fn print<'b>(
    groups: &[&[FindingRow]],
    bug_of: impl Fn(&FindingRow) -> Option<&'b BugOf>,
) -> Result<(), Failure> {
    let mut campaign = None;
    for rows in groups {
        let first = &rows[0];
        if campaign.replace(first.campaign) != Some(first.campaign) {
            let FindingRow { campaign, app, build, seed, .. } = first;
            print_line(&format!("campaign {campaign}: {app} ({build}), seed {seed}"))?;
        }
        let title = bug_of(first).map_or_else(|| first.title_words(), |bug| bug.title.clone());
        print_line(&format!("  {title}: {}", engines_of(*rows).join(", ")))?;
        if !first.attribution.is_none() {
            print_line(&format!("    catalogued as {}", first.attribution))?;
        }
        for row in *rows {
            print_line(&format!("    {:>4} {}  {}", row.id, row.name, row.title_words()))?;
            print_line(&format!(
                "         {}, event {}, {} steps (was {}), {}",
                row.engine,
                row.first_event,
                row.minimal_steps,
                row.steps,
                row.state()
            ))?;
        }
    }
    Ok(())
}
