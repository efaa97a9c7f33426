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
mod table;
mod timemachine;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::json;

use super::{CommandEnd, Failure, Outcome, no_such_app, print_json, print_line, read_text};
use taproof_core::model::thousands;
use taproof_phone::apps::{APPS, BundledApp, specified_apps};
use taproof_results::store::replace_file;

use self::table::{Part, Table};

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
    /// Full fuzzing against the two baselines of the PBFDroid paper
    Rq3,
}

/// A research question: its default options, and how it is answered.
struct Study {
    /// Groups of seeds, each answered separately: those with which defaults were chosen, and others.
    seeds: &'static [RangeInclusive<u64>],
    events: u64,
    /// The result of the paper.
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
        parts.push(Part::Text(format!("{seeds}, at most {events} events:")));
        parts.extend((study.answer)(&scope)?);
    }
    parts.push(Part::Text(format!("The paper: {}", study.paper)));
    let text = table::markdown(&parts);
    if let Some(file) = &options.into {
        put_into(file, &name, &text)?;
    }
    if options.json {
        let tables: Vec<_> = parts.iter().filter_map(Part::table).map(Table::to_json).collect();
        print_json(&json!({ "study": name, "tables": tables }))?;
    } else {
        text.lines().try_for_each(print_line)?;
    }
    Ok(CommandEnd::Fine)
}

fn parse_seeds(text: &str) -> Result<RangeInclusive<u64>, String> {
    let wrong = || format!("{text:?} is not of the form 1..5");
    let number = |part: &str| part.parse::<u64>().map_err(|_| wrong());
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let seeds = number(first)?..=number(last)?;
    if seeds.is_empty() { Err(format!("{text:?} has no seed")) } else { Ok(seeds) }
}

/// Writes the text between the study's two marker lines of a Markdown file.
fn put_into(file: &Path, study: &str, text: &str) -> Result<(), Failure> {
    let whole = read_text(file)?;
    let begin = format!("<!-- study {study} -->\n");
    let place = whole.find(&begin).map(|at| at + begin.len());
    let place = place.and_then(|at| Some((at, at + whole[at..].find("<!-- end -->")?)));
    let Some((from, to)) = place else {
        let say =
            format!("no lines {begin:?} and \"<!-- end -->\" to put the table between: {}", file.display());
        return Err(Failure::BadInput(anyhow::anyhow!(say)));
    };
    let changed = format!("{}\n{}\n\n{}", &whole[..from], text.trim_end(), &whole[to..]);
    Ok(replace_file(file, changed.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_a_range_or_one() {
        assert_eq!(parse_seeds("1..5"), Ok(1..=5));
        assert_eq!(parse_seeds("7"), Ok(7..=7));
        assert!(parse_seeds("5..1").unwrap_err().contains("no seed"));
        assert!(parse_seeds("a..5").unwrap_err().contains("1..5"));
    }

    #[test]
    fn a_table_replaces_what_stood_between_its_lines() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.md");
        std::fs::write(&file, "Before\n<!-- study bugs -->\nold\n<!-- end -->\nAfter\n").unwrap();
        put_into(&file, "bugs", "| new |").unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text, "Before\n<!-- study bugs -->\n\n| new |\n\n<!-- end -->\nAfter\n");
        assert!(put_into(&file, "odin", "").is_err());
    }
}
