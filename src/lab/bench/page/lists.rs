//! Lists to look into: what was missed, what was wrong, what failed.

use maud::{Markup, html};
use taproof_results::report::Escaped;
use taproof_screen::{counted, thousands};

use crate::plan::Fault;
use crate::result::Truth;
use crate::results::{CellRow, Results};
use crate::tables::summary::Summary;

/// Rows of a list; a page with more could not be read.
const MOST: usize = 500;

/// The faults that an engine is meant to see and found with no seed.
pub(super) fn missed(results: &Results, summary: &Summary) -> Markup {
    let missed = |engine: usize| -> Vec<&Fault> {
        let summary = &summary.engines[engine];
        let of_engine = results.by_fault(&summary.name).into_iter();
        let own =
            of_engine.filter(|(it, _)| it.letters.chars().any(|letter| summary.letters.contains(letter)));
        own.filter(|(_, ran)| ran.iter().all(|it| it.first_true().is_none()))
            .map(|(fault, _)| fault)
            .collect()
    };
    html! {
        section {
            h2 { "Faults that were missed" }
            p.quiet { "Those that the engine is meant to see and that no seed found, with the script that shows them." }
            div.card {
                @for (place, engine) in summary.engines.iter().enumerate() {
                    @let faults = missed(place);
                    details {
                        summary { (Escaped(&engine.name)) ": " (counted(faults.len(), "fault")) " missed" }
                        table {
                            @for fault in faults.iter().take(MOST) {
                                tr {
                                    td { (Escaped(&fault.id)) } td { (Escaped(&fault.letters)) }
                                    @if let Some(witness) = &fault.witness {
                                        td.n { (counted(witness.events, "event")) } td { (Escaped(&witness.script)) }
                                    } @else { td {} td {} }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Confirmed findings that show no fault.
pub(super) fn false_findings(results: &Results) -> Markup {
    let found = results.cells.iter().flat_map(|row| {
        row.result
            .findings
            .iter()
            .filter(|found| found.truth() == Truth::False)
            .map(move |found| (row, found))
    });
    let found: Vec<_> = found.collect();
    let body = html! {
        @for (row, found) in found.iter().take(MOST) {
            tr {
                td { (Escaped(&results.targets[row.target].app)) } td { (build(results, row)) } td { (Escaped(&row.engine)) }
                td.n { "seed " (row.seed) } td.n { "event " (thousands(found.event)) } td { (Escaped(&found.title)) }
            }
        }
    };
    list("False findings", "Confirmed, but not caused by a fault.", found.len(), &body)
}

/// Campaigns that failed.
pub(super) fn failures(results: &Results) -> Markup {
    let failed: Vec<(&CellRow, &String)> =
        results.cells.iter().filter_map(|row| Some((row, row.result.trouble.as_ref()?))).collect();
    let body = html! {
        @for (row, trouble) in failed.iter().take(MOST) {
            tr {
                td { (Escaped(&results.targets[row.target].app)) } td { (build(results, row)) } td { (Escaped(&row.engine)) }
                td.n { "seed " (row.seed) } td { (Escaped(trouble)) }
            }
        }
    };
    match failed.is_empty() {
        true => html! {},
        false => list("Campaigns that failed", "Their faults count as missed.", failed.len(), &body),
    }
}

fn build(results: &Results, row: &CellRow) -> Markup {
    html! {
        @match results.targets[row.target].subject.faults() {
            [] => "no fault",
            [fault] => (Escaped(&fault.id)),
            faults => (counted(faults.len(), "fault")),
        }
    }
}

fn list(title: &str, how: &str, count: usize, rows: &Markup) -> Markup {
    html! {
        section {
            h2 { (title) }
            p.quiet { (how) }
            div.card {
                @if count == 0 { p.quiet { "None." } }
                @else {
                    details open[count <= 20] {
                        summary { (thousands(count as u64)) @if count > MOST { ", the first " (MOST) } }
                        table { (rows) }
                    }
                }
            }
        }
    }
}
