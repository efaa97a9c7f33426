//! `taproof findings`: what campaigns found, together where the cause is one.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::campaign::open_results;
use super::{Done, Failure, Outcome, say, workspace_path};
use crate::engine::ENGINES;
use crate::model::OracleKind;
use crate::store::FindingRow;

/// List what campaigns found; findings of one cause stand together
#[derive(clap::Args)]
pub struct Options {
    /// Only this campaign, by its number; all if left out
    campaign: Option<i64>,
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
    let workspace = open_results(&workspace_path(options.workspace.as_ref()))?;
    if let Some(id) = options.campaign {
        workspace.campaign(id)?;
    }
    let mut rows = workspace.findings(options.campaign)?;
    let wanted = |asked: &Option<String>, has: &str| asked.as_deref().is_none_or(|asked| asked == has);
    rows.retain(|row| wanted(&options.engine, &row.engine) && wanted(&options.oracle, &row.oracle));
    let causes = by_cause(rows);
    if options.json {
        say(&json!({ "causes": causes.iter().map(Cause::as_json).collect::<Vec<_>>() }).to_string());
    } else if causes.is_empty() {
        say(&format!("no such findings in {}", workspace.root().display()));
    } else {
        print(&causes);
    }
    Ok(Done::Fine)
}

fn known(what: &str, asked: Option<&str>, known: &[&str]) -> Result<(), Failure> {
    match asked.filter(|asked| !known.contains(asked)) {
        None => Ok(()),
        Some(asked) => {
            let text = format!("no {what} is called {asked:?}; there are {}", known.join(", "));
            Err(Failure::BadInput(anyhow::anyhow!(text)))
        }
    }
}

/// Findings of one campaign that are put down to the same bugs; where they are put down to none, those of which one
/// oracle says the same.
struct Cause {
    findings: Vec<FindingRow>,
}

/// Findings together where the cause is one, in the order of the first of each.
fn by_cause(rows: Vec<FindingRow>) -> Vec<Cause> {
    let key = |row: &FindingRow| match row.attributed_bugs.as_slice() {
        [] => (row.campaign, Vec::new(), Some((row.oracle.clone(), row.title.clone()))),
        bugs => (row.campaign, bugs.to_vec(), None),
    };
    let mut causes: Vec<Cause> = Vec::new();
    for row in rows {
        match causes.iter_mut().find(|cause| key(&cause.findings[0]) == key(&row)) {
            Some(cause) => cause.findings.push(row),
            None => causes.push(Cause { findings: vec![row] }),
        }
    }
    causes
}

impl Cause {
    fn bugs(&self) -> &[String] {
        &self.findings[0].attributed_bugs
    }

    /// Those that told of it, each once, in the order of finding.
    fn engines(&self) -> Vec<&str> {
        let mut engines: Vec<&str> = Vec::new();
        for finding in &self.findings {
            if !engines.contains(&finding.engine.as_str()) {
                engines.push(&finding.engine);
            }
        }
        engines
    }

    fn as_json(&self) -> Value {
        let finding = |row: &FindingRow| {
            json!({
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
            })
        };
        json!({
            "campaign": self.findings[0].campaign,
            "app": self.findings[0].app,
            "build": self.findings[0].build,
            "seed": self.findings[0].seed,
            "attributed_bugs": self.bugs(),
            "engines": self.engines(),
            "findings": self.findings.iter().map(finding).collect::<Vec<_>>(),
        })
    }
}

fn print(causes: &[Cause]) {
    for of_campaign in causes.chunk_by(|one, other| one.findings[0].campaign == other.findings[0].campaign) {
        let first = &of_campaign[0].findings[0];
        say(&format!("campaign {}: {} ({}), seed {}", first.campaign, first.app, first.build, first.seed));
        for cause in of_campaign {
            let bugs = match cause.bugs() {
                [] => "not put down to a catalogued bug".to_owned(),
                bugs => bugs.join(", "),
            };
            say(&format!("  {bugs}: {}", cause.engines().join(", ")));
            for row in &cause.findings {
                let (hits, tries) = row.confirmed;
                say(&format!("    {:>4} {}  {}", row.id, row.name, row.title));
                say(&format!(
                    "         {}, event {}, {} steps (was {}), came back {hits} of {tries}",
                    row.engine, row.first_event, row.minimal_steps, row.steps
                ));
            }
        }
    }
}
