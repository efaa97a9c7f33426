//! `taproof bug`: says which findings show the same bug, and what is to become of bugs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::bug_list::state;
use crate::cli::fuzz::campaign::{open_results, open_workspace};
use crate::cli::{CommandEnd, Failure, Outcome, app_named, bad_input, message, print_line, workspace_path};
use serde_json::Value;
use taproof_campaign::{BugClass, BugState, Correction, bugs_in_words, precision};
use taproof_phone::Apps;
use taproof_results::report::{issue_link, ticket_body};
use taproof_results::store::{Baseline, ListedFinding, SettingsFiles, StoredFinding, Workspace, list_bugs};
use taproof_session::{dates, finding_facts};

/// Say what is to become of bugs, and which findings show the same one, where the cards are wrong
///
/// What is said here holds for every campaign in the app, also for later ones.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(group = clap::ArgGroup::new("said").required(true).multiple(true).args(["state", "note", "take_back"]))]
pub struct Options {
    /// Number or id of a finding of the bug; several for several bugs
    #[arg(required = true)]
    findings: Vec<String>,
    /// What is to become of it: new, true (it is a bug, whatever speaks for it), known (no news), not-a-bug (the like is not
    /// listed among bugs again, and fails no build) or fixed (a bug if it is seen again)
    #[arg(long, value_parser = state, conflicts_with = "take_back")]
    state: Option<BugState>,
    /// Why, in your words; none if empty
    #[arg(long, value_name = "TEXT", conflicts_with = "take_back")]
    note: Option<String>,
    /// Take back what was said last of what is to become of it
    #[arg(long)]
    take_back: bool,
    /// Write it down in this baseline as well
    #[arg(long, value_name = "FILE", conflicts_with = "take_back")]
    baseline: Option<PathBuf>,
    #[command(subcommand)]
    what: Option<What>,
    /// The folder with results
    #[arg(long, value_name = "DIR", global = true)]
    workspace: Option<PathBuf>,
}

#[derive(clap::Subcommand)]
enum What {
    /// A finding shows another bug than the others on its card
    Split {
        /// Its number or id
        finding: String,
    },
    /// Two cards show the same bug
    Merge {
        /// Number or id of a finding on one of them
        finding: String,
        /// Number or id of a finding on the other
        with: String,
    },
    /// How often what an oracle or a relation says was right (true, fixed) or not (not a bug), as people judged
    Precision {
        /// Short name of a bundled app, or the package of another; all if omitted
        app: Option<String>,
    },
    /// Print the address of the page for a new issue about a finding, in GitHub, GitLab, Jira or another tracker
    Link {
        /// Its number or id
        finding: String,
        /// The address, with {title} and {body}; that of the window's preferences if left out
        #[arg(long, value_name = "LINK")]
        pattern: Option<String>,
    },
    /// Take back what was said last of findings in an app
    Undo {
        /// Short name of a bundled app, or the package of another
        app: String,
    },
    /// List what was said of findings in an app
    List {
        /// Short name of a bundled app, or the package of another
        app: String,
    },
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let root = workspace_path(options.workspace.as_ref());
    // A mistake in the command makes no folder.
    let results = open_results(&root)?;
    let Some(what) = &options.what else { return judge(options, &root, results) };
    match what {
        What::Split { finding } => {
            let stored = results.load_finding(finding)?;
            let id = &stored.finding.id;
            let bugs = results.bugs_of(stored.campaign.id)?;
            let bug = bugs.get(id).ok_or_else(|| unsure(id))?;
            if bugs.values().filter(|other| *other == bug).count() == 1 {
                return Err(bad_input(format!("{id} is alone on its card already")));
            }
            drop(results);
            correct(
                &mut open_workspace(&root)?,
                (&stored.campaign.app, stored.campaign.id),
                &Correction::Apart(id.clone()),
            )
        }
        What::Merge { finding, with } => {
            let (one, other) = (results.load_finding(finding)?, results.load_finding(with)?);
            let said = merged(&results, &one, &other)?;
            drop(results);
            correct(&mut open_workspace(&root)?, (&other.campaign.app, other.campaign.id), &said)
        }
        What::Precision { app } => {
            print_precision(&results, app.as_ref().map(|app| package(apps, app)).as_deref())
        }
        What::Link { finding, pattern } => {
            let stored = results.load_finding(finding)?;
            drop(results);
            let facts = finding_facts(apps, &stored);
            let pattern = pattern.clone().unwrap_or_else(|| preferred_link(&root));
            let body = ticket_body(&stored.finding, &facts);
            let link = issue_link(&pattern, &facts.title_of(&stored.finding), &body);
            let link = link.map_err(|why| bad_input(format!("{pattern:?}: {why}")))?;
            print_line(&link)?;
            Ok(CommandEnd::Fine)
        }
        What::Undo { app } => {
            drop(results);
            let app = package(apps, app);
            let undone = open_workspace(&root)?.take_back(&app, |_| true)?;
            let said = undone.ok_or_else(|| bad_input(format!("nothing was said of findings in {app}")))?;
            print_line(&format!("taken back: {}", said.words()))?;
            Ok(CommandEnd::Fine)
        }
        What::List { app } => {
            let app = package(apps, app);
            let said = results.corrections(&app)?;
            drop(results);
            if said.0.is_empty() {
                message(&format!("nothing was said of findings in {app}"));
            }
            said.0.iter().try_for_each(|said| print_line(&said.words()))?;
            Ok(CommandEnd::Fine)
        }
    }
}

/// Stores what is to become of the bugs of findings, or takes that back.
fn judge(options: &Options, root: &Path, results: Workspace) -> Outcome {
    let (findings, corrections) = (results.listed_findings()?, results.all_corrections()?);
    drop(results);
    let bugs = list_bugs(&findings, &corrections);
    let mut workspace = open_workspace(root)?;
    for which in &options.findings {
        let named = |row: &ListedFinding| row.id.to_string() == *which || row.name == *which;
        let found = || Some((findings.iter().position(named)?, findings.iter().find(|row| named(row))?));
        let missing = || bad_input(format!("there is no finding {which}; `taproof findings` lists all"));
        let (place, row) = found().ok_or_else(missing)?;
        let bug = bugs.iter().find(|bug| bug.findings.contains(&place)).ok_or_else(missing)?;
        if options.take_back {
            let is_it = |said: &Correction| matches!(said, Correction::Judged(it) if it.is_about(&bug.keys));
            let undone = workspace.take_back(&bug.app, is_it)?;
            let said = undone.ok_or_else(|| bad_input(format!("nothing was said of {which}")))?;
            print_line(&format!("taken back: {}", said.words()))?;
            continue;
        }
        let note = options.note.as_deref().unwrap_or(&bug.note);
        let judged = bug.judged(options.state.unwrap_or(bug.state), note, dates::seconds());
        if let Some(path) = &options.baseline {
            let read = Baseline::read(path).map_err(|error| Failure::BadInput(error.into()))?;
            let mut baseline = read.unwrap_or_default();
            baseline.judge(&bug.app, &judged);
            baseline.write(path)?;
        }
        correct(&mut workspace, (&bug.app, row.campaign), &Correction::Judged(judged))?;
    }
    Ok(CommandEnd::Fine)
}

/// Prints how often what oracles and relations say was right, in an app or in all.
fn print_precision(results: &Workspace, app: Option<&str>) -> Outcome {
    let mut said = results.all_corrections()?;
    said.retain(|of, _| app.is_none_or(|app| app == of));
    let total = precision(said.values());
    if total.is_empty() {
        let of = app.map_or_else(String::new, |app| format!(" of {app}"));
        message(&format!("nobody has said of a bug{of} whether it is one"));
    }
    total.iter().try_for_each(|(by, tally)| print_line(&format!("{by}: {tally}")))?;
    Ok(CommandEnd::Fine)
}

/// The link for new issues in the preferences of the window; empty if there is none.
fn preferred_link(root: &Path) -> String {
    let preferences = crate::folders::preferences_folder();
    let (values, _) = SettingsFiles { workspace: root.to_owned(), preferences, shared: &[] }.read();
    values.get("issue_link").and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn unsure(id: &str) -> Failure {
    bad_input(format!(
        "{id} is on no card: it did not come back each time, or was not tried again; see `taproof minimise`"
    ))
}

fn package(apps: &Apps, app: &str) -> String {
    app_named(apps, app).map_or_else(|_| app.to_owned(), |known| known.manifest().package.to_owned())
}

fn merged(results: &Workspace, one: &StoredFinding, other: &StoredFinding) -> Result<Correction, Failure> {
    let (id, with) = (&one.finding.id, &other.finding.id);
    if one.campaign.app != other.campaign.app {
        return Err(bad_input(format!("{id} is in {}, {with} in {}", one.campaign.app, other.campaign.app)));
    }
    let bug_of = |stored: &StoredFinding| {
        let bug = results.bugs_of(stored.campaign.id)?.remove(&stored.finding.id);
        bug.ok_or_else(|| unsure(&stored.finding.id))
    };
    if bug_of(one)? == bug_of(other)? {
        return Err(bad_input(format!("{id} and {with} are on one card already")));
    }
    Ok(Correction::Same(id.clone(), with.clone()))
}

/// Stores what was said, and prints how many bugs the campaign has now.
fn correct(workspace: &mut Workspace, (app, campaign): (&str, i64), said: &Correction) -> Outcome {
    workspace.correct(app, std::slice::from_ref(said))?;
    let all: BTreeSet<_> = workspace.bugs_of(campaign)?.into_values().collect();
    let of = |class| all.iter().filter(|bug| bug.class == class).count();
    let has = bugs_in_words(of(BugClass::Bug), of(BugClass::Suspicion));
    print_line(&format!("{}; campaign {campaign} has {has} now", said.words()))?;
    Ok(CommandEnd::Fine)
}
