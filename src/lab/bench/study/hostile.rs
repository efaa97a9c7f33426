//! Phones that misbehave as real ones do: what is reported on them in builds without bugs, and what is still found.

use taproof::cli::command::Failure;
use taproof_campaign::{CampaignPlan, Oracles};
use taproof_engine::device::Build;
use taproof_engine::{ENGINES, EngineInfo};
use taproof_hostile::{Hostilities, Hostility};
use taproof_screen::thousands;

use super::scope::Runs;
use super::{Scope, Study};
use crate::result::{CellResult, Truth};
use crate::tables::table::{Cell, Part, Table};

pub(super) const STUDY: Study = Study {
    name: "hostile",
    about: "What is found on phones that misbehave as real ones do, and what is reported there of builds without bugs",
    seeds: &[1..=1],
    events: 100_000,
    paper: "",
    answer,
};

/// Of so many tenths of the events are the campaigns on faulty builds.
const FAULTY_TENTHS: u64 = 4;

/// The campaigns on phones that misbehave in one way.
struct Ran<'s> {
    word: String,
    sound: Runs<'s>,
    faulty: Runs<'s>,
}

fn answer(scope: &Scope<'_>) -> Result<Vec<Part>, Failure> {
    let faulty = scope.events.saturating_mul(FAULTY_TENTHS) / 10;
    let all: Hostilities = Hostility::ALL.into_iter().collect();
    let mut ways = vec![("none".to_owned(), Hostilities::default())];
    if scope.hostilities == Hostilities::default() {
        ways.extend(Hostility::ALL.map(|kind| (kind.word().to_owned(), Hostilities::from_iter([kind]))));
        ways.push(("all".to_owned(), all));
    } else {
        let word = if scope.hostilities == all { "all".to_owned() } else { scope.hostilities.to_string() };
        ways.push((word, scope.hostilities.clone()));
    }
    let mut ran = Vec::new();
    for (word, hostilities) in ways {
        let sound = scope.run_on(&hostilities, of_every_engine(scope, &Build::Sound, scope.events))?;
        let faulty = scope.run_on(&hostilities, of_every_engine(scope, &Build::Faulty, faulty))?;
        ran.push(Ran { word, sound, faulty });
    }
    let legend = format!(
        "Every engine with every oracle, {} events of each on the sound build and {} on the faulty one. Unsure are \
         findings that did not come back each time. Recall is of what is found as a bug without hostility; of the \
         findings on the faulty build that are bugs, precision is the share that shows a fault.",
        thousands(scope.events),
        thousands(faulty)
    );
    let by_engine =
        "Bugs that are reported of the sound build, and faults that are found as bugs in the faulty one:";
    let mut parts = vec![Part::Text(legend), Part::Table(by_kind(&ran)), Part::Text(by_engine.to_owned())];
    parts.push(Part::Table(by_engines(&ran)));
    let false_bugs = told(&ran);
    parts.extend((!false_bugs.is_empty()).then(|| Part::Text(false_bugs.join("\n"))));
    Ok(parts)
}

fn of_every_engine(scope: &Scope<'_>, build: &Build, events: u64) -> Vec<Vec<CampaignPlan>> {
    let campaigns = |engine: &EngineInfo| scope.campaigns(build, &(engine.config)(), events, Oracles::All);
    ENGINES.iter().map(campaigns).collect()
}

fn by_kind(ran: &[Ran<'_>]) -> Table {
    let columns = ["events", "bugs", "unsure", "suspicions", "faults found", "recall", "precision"];
    let mut table = Table::new(["phone"].into_iter().chain(columns));
    let found = |ran: &Ran<'_>| total(&ran.faulty, |ran| as_bugs(ran).len() as f64);
    let without = ran.first().map_or(0.0, found);
    for ran in ran {
        let bugs = |truth| total(&ran.faulty, |ran| ran.count_bugs(truth) as f64);
        let (shows_fault, shows_none) = (bugs(Truth::True), bugs(Truth::False));
        table.row(
            &*ran.word,
            [
                Cell::Count(total(&ran.sound, |ran| ran.events as f64)),
                Cell::Count(total(&ran.sound, |ran| ran.count_bugs(Truth::False) as f64)),
                Cell::Count(total(&ran.sound, |ran| ran.count(Truth::Unsure) as f64)),
                Cell::Count(total(&ran.sound, suspicions)),
                Cell::Count(found(ran)),
                Cell::ratio(found(ran), without),
                Cell::ratio(shows_fault, shows_fault + shows_none),
            ],
        );
    }
    table
}

fn by_engines(ran: &[Ran<'_>]) -> Table {
    let mut table = Table::new(["phone"].into_iter().chain(ENGINES.iter().map(|engine| engine.label)));
    for ran in ran {
        let cell = |engine| {
            let bugs = ran.sound.all().total(engine, |ran| ran.count_bugs(Truth::False) as f64);
            let found = ran.faulty.all().total(engine, |ran| as_bugs(ran).len() as f64);
            Cell::Text(format!("{bugs}, {found}"))
        };
        table.row(&*ran.word, (0..ENGINES.len()).map(cell));
    }
    table
}

fn told(ran: &[Ran<'_>]) -> Vec<String> {
    let mut told = Vec::new();
    for ran in ran {
        for (engine, info) in ENGINES.iter().enumerate() {
            let results = ran.sound.all().ran(engine);
            let bugs = results.flat_map(|result| result.findings.iter().filter(|found| found.is_bug()));
            told.extend(bugs.map(|found| format!("- {}, {}: {}", ran.word, info.label, found.title)));
        }
    }
    told
}

fn total(runs: &Runs<'_>, count: impl Fn(&CellResult) -> f64) -> f64 {
    (0..ENGINES.len()).map(|engine| runs.all().total(engine, &count)).sum()
}

fn suspicions(ran: &CellResult) -> f64 {
    ran.findings.iter().filter(|found| found.suspicion).count() as f64
}

/// The faults that are known to be the cause of findings that are bugs.
fn as_bugs(ran: &CellResult) -> std::collections::BTreeSet<&str> {
    let certain = ran.findings.iter().filter(|found| found.is_bug() && !found.ambiguous);
    certain.flat_map(|found| &found.faults).map(String::as_str).collect()
}
