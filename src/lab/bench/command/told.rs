//! What a bench prints and writes.

use serde::Serialize;
use serde_json::json;
use taproof::cli::command::{Failure, message, print_json, print_line};

use super::Options;
use crate::against::change_tables;
use crate::folder::Folder;
use crate::page::page;
use crate::results::Results;
use crate::tables::summary::Summary;
use crate::tables::table::{Part, Table, markdown};
use crate::tables::tables;

/// What a bench says.
pub(super) struct Told<'a> {
    results: Results,
    summary: Summary,
    against: Option<&'a Results>,
}

/// The file of a bench.
#[derive(Serialize)]
struct BenchFile<'a> {
    #[serde(flatten)]
    results: &'a Results,
    summary: &'a Summary,
}

impl<'a> Told<'a> {
    /// What these results say, also beside others.
    pub(super) fn new(results: Results, against: Option<&'a Results>) -> Told<'a> {
        Told { summary: Summary::of(&results), against, results }
    }

    /// Writes and prints what was asked for.
    pub(super) fn write(&self, options: &Options, folder: Option<&Folder>) -> Result<(), Failure> {
        let file = BenchFile { results: &self.results, summary: &self.summary };
        let parts = tables(&self.results, &self.summary);
        let changes = self.against.map(|before| change_tables(before, &self.results));
        if let Some(folder) = folder {
            let text = serde_json::to_string(&file).map_err(|error| Failure::Broken(error.into()))?;
            folder.write("bench.json", format!("{text}\n").as_bytes())?;
            let page = page(&self.results, &self.summary, changes.as_deref().unwrap_or_default());
            let path = folder.write("bench.html", &page)?;
            message(&format!("the page with plots: {}", path.display()));
        }
        let text = markdown(&parts);
        if options.json {
            let changes: Vec<_> =
                changes.iter().flatten().filter_map(Part::table).map(Table::to_json).collect();
            return print_json(&json!({ "bench": file, "changes": changes.first() }));
        }
        text.lines().try_for_each(print_line)?;
        let changes = changes.map_or(String::new(), |changes| format!("\n{}", markdown(&changes)));
        changes.lines().try_for_each(print_line)
    }
}
