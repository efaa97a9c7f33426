//! `taproof export`: writes a finding or a whole campaign as a file for other people, or all results as tables.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::cli::fuzz::campaign::open_results;
use crate::cli::{CommandEnd, Failure, Outcome, bad_input, print_line, workspace_path};
use taproof_phone::Apps;
use taproof_results::report::{ExportKind, ReportFacts, export_campaign, no_progress, transition_graph};
use taproof_results::store::{open_trace, replace_file};
use taproof_session::{campaign_facts, finding_facts, finding_files, write_beside};

/// Write a finding or a campaign as a file for other people, or all results as tables
#[derive(clap::Args)]
pub struct Options {
    /// The finding's number or id
    #[arg(required_unless_present_any = ["campaign", "tables", "graph"], conflicts_with = "campaign")]
    finding: Option<String>,
    /// A whole campaign, by its number
    #[arg(long, value_name = "ID")]
    campaign: Option<i64>,
    /// All results of the workspace, as CSV and JSON Lines in this folder: campaigns, their curves, findings, and the
    /// steps of their traces
    #[arg(long, value_name = "DIR", conflicts_with_all = ["finding", "campaign", "format", "screens_before", "out", "force"])]
    tables: Option<PathBuf>,
    /// The screens of a kept trace and what led from one to the other, as a graph for Graphviz
    #[arg(long, value_name = "TRACE", conflicts_with_all = ["finding", "campaign", "tables", "format", "screens_before"])]
    graph: Option<PathBuf>,
    /// What to write
    #[arg(long, value_enum, required_unless_present_any = ["tables", "graph"])]
    format: Option<Format>,
    /// With HTML: show the screens of the failing step and of N steps before it only
    #[arg(long, value_name = "N")]
    screens_before: Option<usize>,
    /// The file; one named after the finding in the current folder if left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
    /// The folder with results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Format(ExportKind);

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Format; ExportKind::ALL.len()] = {
            let mut all = [Format(ExportKind::Html); ExportKind::ALL.len()];
            let mut index = 0;
            while index < all.len() {
                all[index] = Format(ExportKind::ALL[index]);
                index += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.0.word()).help(self.0.label()))
    }
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let root = workspace_path(options.workspace.as_ref());
    if let Some(folder) = &options.tables {
        let written = open_results(&root)?.write_tables(folder)?;
        written.iter().try_for_each(|path| print_line(&path.display().to_string()))?;
        return Ok(CommandEnd::Fine);
    }
    if let Some(trace) = &options.graph {
        let out = options.out.clone().unwrap_or_else(|| trace.with_extension("dot"));
        write(&out, transition_graph(&open_trace(trace)?).as_bytes(), options.force)?;
        print_line(&out.display().to_string())?;
        return Ok(CommandEnd::Fine);
    }
    let Some(Format(kind)) = options.format else {
        return Err(bad_input("say what to write: --format, --tables or --graph"));
    };
    if options.screens_before.is_some() && kind != ExportKind::Html {
        let problem = format!("--screens-before is for --format html, not {}", kind.word());
        return Err(bad_input(problem));
    }
    let (name, exported) = match (&options.finding, options.campaign) {
        (Some(finding), _) => {
            let stored = open_results(&root)?.load_finding(finding)?;
            let facts =
                ReportFacts { screens_before: options.screens_before, ..finding_facts(apps, &stored) };
            let exported = finding_files(&stored, &facts, kind, &mut no_progress);
            (stored.finding.id, exported)
        }
        (None, Some(id)) => {
            let stored = open_results(&root)?.load_campaign(id)?;
            let mut facts = campaign_facts(apps, stored);
            facts.run.screens_before = options.screens_before;
            let exported = export_campaign(&facts, kind, &mut no_progress);
            (format!("campaign-{id}"), exported.map(|file| (file, Vec::new())))
        }
        (None, None) => return Err(bad_input("name a finding, or give --campaign")),
    };
    let (bytes, pictures) = exported.map_err(|error| Failure::BadInput(error.into()))?;
    let out = options.out.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.{}", kind.extension())));
    write(&out, &bytes, options.force)?;
    write_beside(&out, &pictures)?;
    print_line(&out.display().to_string())?;
    Ok(CommandEnd::Fine)
}

/// Writes the file. An existing file is only overwritten with `force`.
fn write(path: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    if !force && path.exists() {
        return Err(bad_input(format!(
            "the file is there already; --force writes over it: {}",
            path.display()
        )));
    }
    Ok(replace_file(path, bytes)?)
}
