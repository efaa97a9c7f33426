//! `taproof study`: asks the papers' research questions of the bundled apps. Each study is a list of campaigns and a
//! table of their results. The same arguments always give the same table.
//!
//! A new study is a file here, a variant of `Name` and an entry in `Name::study`.

mod bugs;
mod fastbot2;
mod from;
mod genie;
mod guided;
mod odin;
mod oracles;
mod rq3;
mod runner;
mod sound;
mod timemachine;
mod versions;

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::json;

use super::book::put_into;
use super::{CommandEnd, Failure, Outcome, no_such_app, print_json, print_line};
use taproof_bench::parse_seeds;
use taproof_bench::table::{self, Part, Table};
use taproof_core::model::thousands;
use taproof_phone::apps::{APPS, BundledApp, specified_apps};

/// Ask the papers' questions of the bundled apps; the answer is a Markdown table
#[derive(clap::Args)]
pub struct Options {
    /// Which question
    #[arg(value_enum)]
    study: Name,
    /// The seeds, such as 1..5; as the study needs if left out
    #[arg(long, value_name = "A..B", value_parser = parse_seeds)]
    seeds: Option<RangeInclusive<u64>>,
    /// Events of a campaign; as the study needs if left out
    #[arg(long)]
    events: Option<u64>,
    /// The apps, by name or package; all that have a specification if left out
    #[arg(long = "app", value_name = "NAME,NAME", value_delimiter = ',')]
    apps: Vec<String>,
    /// Put the table into this file, between the lines `<!-- study NAME -->` and `<!-- end -->`
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// Which engine finds which catalogued bug by its own oracles
    Bugs,
    /// Events to every activity: Monkey, Fastbot2, its halves, and with what it learned before
    Fastbot2,
    /// Code and crashes: TimeMachine beside Monkey with restarts and with system events
    Timemachine,
    /// Events to all property bugs, crashes and false alarms: PBFDroid with random and with guided exploration
    Guided,
    /// ODIN's bug, and its findings on sound builds
    Odin,
    /// Genie's precision, its bugs, and its findings on sound builds
    Genie,
    /// Which bugs each engine finds where all oracles look on, and what they say that is none
    Oracles,
    /// What the specifications say of builds without bugs, whichever engine runs: nothing, if all is well
    Sound,
    /// What engines gain that begin with recorded traces: the ways to what PBFDroid found
    From,
    /// How many selectors of a specification are mended rightly for the next version of a generated app
    Versions,
    /// Full fuzzing against the two baselines of the PBFDroid paper
    Rq3,
}

/// A research question: its default options, and how it is answered.
struct Study {
    /// Groups of seeds, each answered separately: those with which defaults were chosen, and others.
    seeds: &'static [RangeInclusive<u64>],
    events: u64,
    /// The result of the paper; empty if there is none.
    paper: &'static str,
    answer: fn(&Scope) -> Result<Vec<Part>, Failure>,
}

/// The apps, seeds and number of events of a study.
struct Scope {
    apps: Vec<&'static BundledApp>,
    seeds: RangeInclusive<u64>,
    events: u64,
}

impl Name {
    fn study(self) -> &'static Study {
        match self {
            Name::Bugs => &bugs::STUDY,
            Name::Fastbot2 => &fastbot2::STUDY,
            Name::Timemachine => &timemachine::STUDY,
            Name::Guided => &guided::STUDY,
            Name::Odin => &odin::STUDY,
            Name::Oracles => &oracles::STUDY,
            Name::Genie => &genie::STUDY,
            Name::Sound => &sound::STUDY,
            Name::From => &from::STUDY,
            Name::Versions => &versions::STUDY,
            Name::Rq3 => &rq3::STUDY,
        }
    }

    fn word(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// The app that ships with the program under this name.
fn shipped_app(name: &str) -> Result<&'static BundledApp, Failure> {
    let shipped = APPS.iter().find(|app| app.is_called(name));
    shipped.ok_or_else(|| no_such_app(APPS, name, ""))
}

pub fn run(options: &Options) -> Outcome {
    let (study, name) = (options.study.study(), options.study.word());
    let given = options.seeds.clone().map(|seeds| vec![seeds]);
    let mut parts = Vec::new();
    for seeds in given.unwrap_or_else(|| study.seeds.to_vec()) {
        let apps = if options.apps.is_empty() {
            specified_apps().collect()
        } else {
            options.apps.iter().map(|name| shipped_app(name)).collect::<Result<_, _>>()?
        };
        let scope = Scope { apps, seeds, events: options.events.unwrap_or(study.events) };
        let (first, last, events) = (scope.seeds.start(), scope.seeds.end(), thousands(scope.events));
        let seeds = if first == last { format!("Seed {first}") } else { format!("Seeds {first} to {last}") };
        let events = if scope.events > 0 { format!(", at most {events} events") } else { String::new() };
        parts.push(Part::Text(format!("{seeds}{events}:")));
        parts.extend((study.answer)(&scope)?);
    }
    if !study.paper.is_empty() {
        parts.push(Part::Text(format!("The paper: {}", study.paper)));
    }
    let text = table::markdown(&parts);
    if let Some(file) = &options.into {
        put_into(file, &format!("study {name}"), &text)?;
    }
    if options.json {
        let tables: Vec<_> = parts.iter().filter_map(Part::table).map(Table::to_json).collect();
        print_json(&json!({ "study": name, "tables": tables }))?;
    } else {
        text.lines().try_for_each(print_line)?;
    }
    Ok(CommandEnd::Fine)
}
