//! Heat maps: what each engine finds of each kind of fault.

use maud::{Markup, html};
use taproof_results::report::Escaped;

use super::section;
use crate::tables::summary::{EngineSummary, Group, Recall, Summary};

/// Fault operators and engines.
pub(super) fn operators(summary: &Summary) -> Markup {
    let how = "Campaigns that found their fault, of all; the darker, the more. Bold where the engine is meant to see the fault, framed \
               in red where it then never does. The first row of each part sums it up.";
    section("Which fault operators each engine finds", how, &map(summary, &summary.operators, true))
}

/// Depths and engines.
pub(super) fn depths(summary: &Summary) -> Markup {
    let how =
        "Campaigns that found their fault, by the number of events of the shortest script that shows it.";
    section("How deep the faults are that each engine finds", how, &map(summary, &summary.depths, false))
}

fn map(summary: &Summary, groups: &[Group], by_letters: bool) -> Markup {
    let has_baseline = groups.iter().any(|group| group.baseline_finds.is_some());
    let begins = |place: usize| {
        let new = by_letters && (place == 0 || groups[place - 1].letters != groups[place].letters);
        new.then(|| summary.letters.iter().find(|all| all.letters == groups[place].letters)).flatten()
    };
    html! {
        table.heat {
            tr {
                th {} th.n { "faults" }
                @if has_baseline { th.n { "also by Monkey" } }
                @for engine in &summary.engines { th.n { (Escaped(&engine.name)) } }
            }
            @for (place, group) in groups.iter().enumerate() {
                @if let Some(all) = begins(place) {
                    tr.letter { th { (letter_words(&all.letters)) } (cells(summary, all, by_letters)) }
                }
                tr { td { (Escaped(&group.name)) } (cells(summary, group, by_letters)) }
            }
        }
    }
}

fn cells(summary: &Summary, group: &Group, by_letters: bool) -> Markup {
    html! {
        td.cell { (group.faults) }
        @if let Some(found) = group.baseline_finds { td.cell { (found) } }
        @for (engine, recall) in summary.engines.iter().zip(&group.recall) {
            (cell(engine, group, *recall, by_letters))
        }
    }
}

fn cell(engine: &EngineSummary, group: &Group, recall: Recall, by_letters: bool) -> Markup {
    let own = by_letters && group.letters.chars().any(|letter| engine.letters.contains(letter));
    let share = recall.share().unwrap_or(0.0);
    let class = match (own, recall.found) {
        (true, 0) => "cell own missed",
        (true, _) => "cell own",
        (false, _) => "cell",
    };
    let shade = format!("background-color:color-mix(in srgb,var(--accent) {:.0}%,transparent)", share * 55.0);
    html! {
        td class=(class) style=(shade) {
            @if recall.found == 0 && !own { "\u{b7}" } @else { (recall.found) "/" (recall.runs) }
        }
    }
}

fn letter_words(letters: &str) -> String {
    let words = |letter: char| match letter {
        'P' => "seen by properties".to_owned(),
        'C' => "crashes and hangs".to_owned(),
        'G' => "seen by Genie".to_owned(),
        'O' => "seen by ODIN".to_owned(),
        'K' => "seen by Keep".to_owned(),
        other => other.to_string(),
    };
    let words: Vec<String> = letters.chars().map(words).collect();
    format!("{letters}: {}", words.join(", "))
}
