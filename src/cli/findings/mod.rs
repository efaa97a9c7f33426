//! `taproof findings`: lists what campaigns found, grouped by cause.

pub(crate) mod bug;
pub(crate) mod bugs;
pub(crate) mod compare;
pub(crate) mod export;
pub(crate) mod log;
pub(crate) mod merge;
pub(crate) mod minimise;
pub(crate) mod replay;
pub(crate) mod stuck;

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{CommandEnd, Failure, Outcome, bad_input, print_json, print_line, workspace_path};
use crate::cli::fuzz::campaign::open_results;
use taproof_campaign::{Attribution, BugClass, Cause, Harm, bugs_in_words, by_cause};
use taproof_engine::ENGINES;
use taproof_results::store::{AppBug, CampaignRow, FindingRow};
use taproof_screen::{OracleKind, counted};

/// List what campaigns found; findings of one cause stand together
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
    drop(workspace);
    let wanted = |asked: &Option<String>, has: &str| asked.as_deref().is_none_or(|asked| asked == has);
    rows.retain(|row| wanted(&options.engine, &row.engine) && wanted(&options.oracle, &row.oracle));
    let causes = causes_of(&rows);
    if options.json {
        print_json(&json!({ "causes": causes.iter().map(OneCause::as_json).collect::<Vec<_>>() }))?;
    } else if causes.is_empty() {
        print_line(&format!("no such findings in {}", root.display()))?;
    } else {
        print(&causes)?;
    }
    Ok(CommandEnd::Fine)
}

/// The bugs that count, and the others of a class.
fn counting(bugs: &[AppBug]) -> Vec<&AppBug> {
    bugs.iter().filter(|bug| bug.counts).collect()
}

fn others(bugs: &[AppBug], class: BugClass) -> Vec<&AppBug> {
    bugs.iter().filter(|bug| !bug.counts && bug.class == class).collect()
}

/// Prints the bugs of each app, with how many of the app's campaigns show it, and below them the suspicions.
fn print_app_bugs(bugs: &[AppBug], campaigns: &[CampaignRow], json: bool) -> Outcome {
    if json {
        let all = |bugs: Vec<&AppBug>| bugs.into_iter().map(bug_json).collect::<Vec<_>>();
        print_json(&json!({
            "bugs": all(counting(bugs)),
            "suspicions": all(others(bugs, BugClass::Suspicion)),
            "unsure": all(others(bugs, BugClass::Unsure)),
            "dismissed": all(others(bugs, BugClass::Dismissed)),
        }))?;
        return Ok(CommandEnd::Fine);
    }
    if bugs.is_empty() {
        print_line("no bugs")?;
    }
    for bugs in bugs.chunk_by(|one, other| one.app == other.app) {
        let app = &bugs[0].app;
        let all = campaigns.iter().filter(|campaign| campaign.app == *app).count();
        let (certain, suspected) = (counting(bugs), others(bugs, BugClass::Suspicion));
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
            print_line(&format!("      rests on: {}", bug.rests_on))?;
            if let Some(what) = bug.settled_by {
                print_line(&format!("      to settle it: {what}"))?;
            }
        }
        for (class, words) in [
            (BugClass::Unsure, "that did not come back each time, or were not tried again"),
            (BugClass::Dismissed, "that a person has said to be no bug"),
        ] {
            let count = others(bugs, class).len();
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
    let harm = bug.harm.map_or("unsure", Harm::words);
    print_line(&format!("{number} {harm}: {}", bug.title))?;
    print_line(&format!(
        "      {} of {campaigns}, {} steps, {}; taproof replay {}",
        bug.campaigns().len(),
        shown.minimal_steps,
        shown.state(),
        shown.id
    ))
}

fn bug_json(bug: &AppBug) -> Value {
    json!({
        "app": bug.app,
        "title": bug.title,
        "class": bug.class,
        "rests_on": bug.rests_on,
        "settled_by": bug.settled_by,
        "harm": bug.harm.map(Harm::words),
        "campaigns": bug.campaigns(),
        "findings": bug.findings.iter().map(finding_json).collect::<Vec<_>>(),
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

/// Findings of one campaign with the same cause.
struct OneCause<'f>(Vec<&'f FindingRow>);

/// Groups findings by cause, campaign by campaign.
fn causes_of(rows: &[FindingRow]) -> Vec<OneCause<'_>> {
    fn cause(row: &FindingRow) -> Cause<'_> {
        Cause::new(&row.attribution, &row.oracle, &row.title)
    }
    let campaigns = rows.chunk_by(|one, other| one.campaign == other.campaign);
    campaigns.flat_map(|rows| by_cause(rows, cause)).map(OneCause).collect()
}

impl OneCause<'_> {
    fn first(&self) -> &FindingRow {
        self.0[0]
    }

    fn bugs(&self) -> &Attribution {
        &self.first().attribution
    }

    /// The engines that reported them, each once, in the order of the findings.
    fn engines(&self) -> Vec<&str> {
        let mut engines: Vec<&str> = Vec::new();
        for finding in &self.0 {
            if !engines.contains(&finding.engine.as_str()) {
                engines.push(&finding.engine);
            }
        }
        engines
    }

    fn as_json(&self) -> Value {
        json!({
            "campaign": self.first().campaign,
            "app": self.first().app,
            "build": self.first().build,
            "seed": self.first().seed,
            "attributed_bugs": self.bugs().bugs(),
            "bug_candidates": self.bugs().alternatives(),
            "engines": self.engines(),
            "findings": self.0.iter().copied().map(finding_json).collect::<Vec<_>>(),
        })
    }
}

fn print(causes: &[OneCause<'_>]) -> Result<(), Failure> {
    for of_campaign in causes.chunk_by(|one, other| one.first().campaign == other.first().campaign) {
        let first = of_campaign[0].first();
        print_line(&format!(
            "campaign {}: {} ({}), seed {}",
            first.campaign, first.app, first.build, first.seed
        ))?;
        let mut above: Option<&Attribution> = None;
        for cause in of_campaign {
            match cause.bugs() {
                // Outside of the bundled phone no cause is known. This is printed once, and not for each finding.
                bugs if bugs.is_none() && above == Some(&Attribution::NONE) => {}
                bugs if bugs.is_none() => print_line("  not attributed to a catalogued bug")?,
                bugs => print_line(&format!("  {bugs}: {}", cause.engines().join(", ")))?,
            }
            above = Some(cause.bugs());
            for row in &cause.0 {
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
    }
    Ok(())
}
