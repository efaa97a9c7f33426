//! The results of a bench as Markdown, for the terminal and the book.

mod side_by_side;
pub(crate) mod statistics;
pub(crate) mod summary;
#[cfg(test)]
mod summary_tests;
pub(crate) mod table;

use taproof_screen::{counted, thousands};

use crate::discovered::Rightness;
use crate::plan::Plan;
use crate::recorded::Recorded;
use crate::results::Results;
use crate::tables::statistics::effect_words;
use crate::tables::summary::{Findings, Group, Recall, Summary};
use crate::tables::table::{Cell, Part, Table};

/// The results as text and tables.
pub fn tables(results: &Results, summary: &Summary) -> Vec<Part> {
    let mut parts = vec![
        Part::Text(plan_sentence(results)),
        Part::Text(results.purpose.sentence().to_owned()),
        Part::Table(found(summary)),
        Part::Text(
            "Recall is the share of campaigns that found their fault, with its 95 % bootstrap interval; *own* counts the \
             faults that the engine\u{2019}s oracles are meant to see: P what a property reveals, C crashes and hangs, G what \
             Genie looks for, O what ODIN does, K what Keep does, A what screens agree on."
                .to_owned(),
        ),
        Part::Table(trust(summary)),
        Part::Text(
            "*Bugs* are findings whose evidence suffices, *suspicions* those that came back each time and may be none:"
                .to_owned(),
        ),
        Part::Table(bugs_and_suspicions(summary)),
    ];
    if !summary.comparisons.is_empty() {
        parts.push(Part::Text("Engines side by side, all faults, at equal events:".to_owned()));
        parts.push(Part::Table(comparisons(summary)));
    }
    if !summary.coverage.is_empty() {
        parts.push(Part::Text("Code points of sound builds that a campaign executed, the mean:".to_owned()));
        parts.push(Part::Table(coverage(summary)));
    }
    if !summary.letters.is_empty() {
        parts.push(Part::Text("Campaigns that found their fault, by who is meant to see it:".to_owned()));
        parts.push(Part::Table(groups(summary, &summary.letters)));
    }
    parts
}

/// What was run, in a sentence.
pub fn plan_sentence(results: &Results) -> String {
    let Plan { apps, seeds, mix, .. } = &results.plan;
    let count = |takes: fn(usize) -> bool| {
        results.targets.iter().filter(|target| takes(target.subject.faults().len())).count()
    };
    let (faults, sound, mixed) = (count(|it| it == 1), count(|it| it == 0), count(|it| it > 1));
    let mut builds = vec![counted(faults, "fault")];
    if sound > 0 {
        builds.push(counted(sound, "sound build"));
    }
    if mixed > 0 {
        builds.push(format!("{} with several faults", counted(mixed, "build")));
    }
    let seeds = match (seeds.start(), seeds.end()) {
        (first, last) if first == last => format!("seed {first}"),
        (first, last) => format!("seeds {first} to {last}"),
    };
    let campaigns = counted(results.cells.len(), "campaign");
    let drawn = format!("Faults are drawn {}.", mix.words());
    let recorded = results.recorded.map_or(String::new(), |Recorded { recorded, of }| {
        format!(
            " Specifications are drafts of the recorder, from one recording each of {} of {} functions.",
            thousands(recorded as u64),
            thousands(of as u64)
        )
    });
    let discovered = results.discovered.map_or(String::new(), discovered_words);
    format!(
        "{campaigns}: {} in {}, {seeds}. {drawn}{recorded}{discovered}",
        builds.join(", "),
        counted(apps.len(), "app")
    )
}

/// What was discovered, in sentences that follow others.
fn discovered_words(rightness: Rightness) -> String {
    let Rightness { functions, right, proposed, conditions, equal } = rightness;
    let percent = |part: usize, of: usize| (100 * part).checked_div(of).unwrap_or_default();
    format!(
        " Specifications are what Discover proposed for the sound builds: {} functions. Of the {} that follow from the apps, {} \
         ({} %) are there with kind, type, steps and object, and of their {} conditions {} ({} %).",
        thousands(proposed as u64),
        thousands(functions as u64),
        thousands(right as u64),
        percent(right, functions),
        thousands(conditions as u64),
        thousands(equal as u64),
        percent(equal, conditions)
    )
}

/// What engines find.
fn found(summary: &Summary) -> Table {
    let mut head =
        vec!["engine", "events", "own faults", "recall, own", "in half of the seeds", "recall, all"];
    let has_baseline = summary.engines.iter().any(|engine| engine.beyond_baseline.is_some());
    if has_baseline {
        head.push("recall, own, not found by Monkey");
    }
    head.push("events to find, median");
    let mut table = Table::new(head);
    for engine in &summary.engines {
        let mut cells = vec![
            Cell::Count(engine.events as f64),
            Cell::Text(format!("{} {}", engine.own.faults, engine.letters)),
            recall_cell(engine.own),
            part(engine.own.in_half, engine.own.faults),
            recall_cell(engine.all),
        ];
        if has_baseline {
            cells.push(engine.beyond_baseline.map_or(Cell::Nothing, recall_cell));
        }
        cells.push(engine.first_events.map_or(Cell::Nothing, |spread| Cell::Count(spread.median)));
        table.row(engine.name.clone(), cells);
    }
    table
}

/// How far findings can be relied on.
fn trust(summary: &Summary) -> Table {
    Table::of(
        &summary.engines,
        &[
            ("engine", |it| Cell::Text(it.name.clone())),
            ("true findings", |it| Cell::number(it.findings.shown)),
            ("false", |it| Cell::number(it.findings.wrong)),
            ("precision", |it| precision(it.findings)),
            ("unsure", |it| Cell::number(it.findings.unsure)),
            ("events on sound builds", |it| Cell::Count(it.sound_events as f64)),
            ("findings there", |it| Cell::number(it.sound_findings)),
            ("per 100,000 events", |it| it.false_alarms().map_or(Cell::Nothing, Cell::Ratio)),
            ("cards a fault", |it| Cell::ratio(it.cards.cards as f64, it.cards.faults as f64)),
            ("cards of two faults", |it| part(it.cards.of_two, it.cards.mixed_cards)),
            ("minimal trace to witness, median", |it| {
                it.lengths.map_or(Cell::Nothing, |spread| Cell::Ratio(spread.median))
            }),
            ("failed campaigns", |it| Cell::number(it.failed)),
        ],
    )
}

/// What bugs alone find and are worth, and what they do with the suspicions.
pub(crate) fn bugs_and_suspicions(summary: &Summary) -> Table {
    Table::of(
        &summary.engines,
        &[
            ("engine", |it| Cell::Text(it.name.clone())),
            ("recall of own faults, bugs", |it| recall_cell(it.own_as_bugs)),
            ("true bugs", |it| Cell::number(it.bugs.shown)),
            ("false", |it| Cell::number(it.bugs.wrong)),
            ("precision", |it| precision(it.bugs)),
            ("bugs on sound builds", |it| Cell::number(it.sound_bugs)),
            ("recall with suspicions", |it| recall_cell(it.own)),
            ("true suspicions", |it| Cell::number(it.findings.shown - it.bugs.shown)),
            ("false", |it| Cell::number(it.findings.wrong - it.bugs.wrong)),
            ("precision with suspicions", |it| precision(it.findings)),
            ("suspicions on sound builds", |it| Cell::number(it.sound_findings - it.sound_bugs)),
        ],
    )
}

fn precision(findings: Findings) -> Cell {
    findings.precision().map_or(Cell::Nothing, Cell::Ratio)
}

/// Engines side by side.
pub(crate) fn comparisons(summary: &Summary) -> Table {
    Table::of(
        &summary.comparisons,
        &[
            ("engine", |it| Cell::Text(format!("{} to {}", it.engine, it.with))),
            ("events", |it| Cell::Count(it.events as f64)),
            ("recall", |it| Cell::Text(percent(it.recall))),
            ("recall of the other", |it| Cell::Text(percent(it.with_recall))),
            ("events to find, of the other\u{2019}s", |it| {
                it.events_to_events.map_or(Cell::Nothing, Cell::Ratio)
            }),
            ("A12", |it| Cell::Ratio(it.a12)),
            ("effect", |it| Cell::Text(effect_words(it.a12).to_owned())),
            ("p", |it| Cell::Text(p_words(it.p))),
        ],
    )
}

/// What engines execute, side by side.
pub(crate) fn coverage(summary: &Summary) -> Table {
    Table::of(
        &summary.coverage,
        &[
            ("engine", |it| Cell::Text(format!("{} to {}", it.engine, it.with))),
            ("campaigns", |it| Cell::number(it.campaigns)),
            ("code points", |it| Cell::Ratio(it.points)),
            ("of the other", |it| Cell::Ratio(it.with_points)),
            ("ratio", |it| Cell::Ratio(it.ratio())),
        ],
    )
}

/// What engines find of groups of faults; `seen_by` is whether there is a column for the letters.
fn groups(summary: &Summary, groups: &[Group]) -> Table {
    let has_baseline = groups.iter().any(|group| group.baseline_finds.is_some());
    let names = summary.engines.iter().map(|engine| engine.name.as_str());
    let found_too = has_baseline.then_some("found by Monkey, too");
    let mut table = Table::new(["seen by", "faults"].into_iter().chain(found_too).chain(names));
    for group in groups {
        let too = group.baseline_finds.map(|found| Cell::Count(found as f64));
        let recall = group.recall.iter().map(|recall| part(recall.found, recall.runs));
        let cells = std::iter::once(Cell::Count(group.faults as f64)).chain(too).chain(recall);
        table.row(group.name.clone(), cells);
    }
    table
}

fn recall_cell(recall: Recall) -> Cell {
    recall_words(recall).map_or(Cell::Nothing, Cell::Text)
}

/// A recall with its interval, in words.
pub fn recall_words(recall: Recall) -> Option<String> {
    let (share, interval) = (recall.share()?, recall.interval?);
    let ends = [interval.low, interval.high].map(|end| format!("{:.0}", end * 100.0));
    Some(format!("{} ({}\u{2013}{})", percent(share), ends[0], ends[1]))
}

/// So many of so many; empty if there are none.
pub(crate) fn part(of: usize, all: usize) -> Cell {
    if all == 0 {
        Cell::Nothing
    } else {
        Cell::Text(format!("{}/{}", thousands(of as u64), thousands(all as u64)))
    }
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

pub(crate) fn p_words(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}
