//! `taproof bug`: corrects which findings show the same bug.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::campaign::{open_results, open_workspace};
use super::{CommandEnd, Failure, Outcome, app_named, message, print_line, workspace_path};
use taproof_core::campaign::Correction;
use taproof_core::model::counted;
use taproof_phone::Apps;
use taproof_results::store::{StoredFinding, Workspace};

/// Correct which findings show the same bug, where the cards are wrong
///
/// What is said here holds for every campaign in the app, also for later ones.
#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    what: What,
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
    match &options.what {
        What::Split { finding } => {
            let stored = results.load_finding(finding)?;
            let id = &stored.finding.id;
            let bugs = results.bugs_of(stored.campaign.id)?;
            let bug = bugs.get(id).ok_or_else(|| unsure(id))?;
            if bugs.values().filter(|other| *other == bug).count() == 1 {
                return Err(bad(format!("{id} is alone on its card already")));
            }
            drop(results);
            correct(&mut open_workspace(&root)?, &stored, &Correction::Apart(id.clone()))
        }
        What::Merge { finding, with } => {
            let (one, other) = (results.load_finding(finding)?, results.load_finding(with)?);
            let said = merged(&results, &one, &other)?;
            drop(results);
            correct(&mut open_workspace(&root)?, &other, &said)
        }
        What::Undo { app } => {
            drop(results);
            let app = package(apps, app);
            let undone = open_workspace(&root)?.undo_correction(&app)?;
            let said = undone.ok_or_else(|| bad(format!("nothing was said of findings in {app}")))?;
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

fn bad(text: String) -> Failure {
    Failure::BadInput(anyhow::anyhow!(text))
}

fn unsure(id: &str) -> Failure {
    bad(format!(
        "{id} is on no card: it did not come back each time, or was not tried again; see `taproof minimise`"
    ))
}

fn package(apps: &Apps, app: &str) -> String {
    app_named(apps, app).map_or_else(|_| app.to_owned(), |known| known.manifest().package.to_owned())
}

fn merged(results: &Workspace, one: &StoredFinding, other: &StoredFinding) -> Result<Correction, Failure> {
    let (id, with) = (&one.finding.id, &other.finding.id);
    if one.campaign.app != other.campaign.app {
        return Err(bad(format!("{id} is in {}, {with} in {}", one.campaign.app, other.campaign.app)));
    }
    let bug_of = |stored: &StoredFinding| {
        let mut bugs = results.bugs_of(stored.campaign.id)?;
        bugs.remove(&stored.finding.id).ok_or_else(|| unsure(&stored.finding.id))
    };
    if bug_of(one)? == bug_of(other)? {
        return Err(bad(format!("{id} and {with} are on one card already")));
    }
    Ok(Correction::Same(id.clone(), with.clone()))
}

/// Stores what was said, and prints how many bugs the campaign has now.
fn correct(workspace: &mut Workspace, stored: &StoredFinding, said: &Correction) -> Outcome {
    let campaign = stored.campaign.id;
    workspace.correct(&stored.campaign.app, said)?;
    let bugs: BTreeSet<_> = workspace.bugs_of(campaign)?.into_values().collect();
    print_line(&format!("{}; campaign {campaign} has {} now", said.words(), counted(bugs.len(), "bug")))?;
    Ok(CommandEnd::Fine)
}
