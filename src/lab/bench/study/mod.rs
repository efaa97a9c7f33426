//! `taproof-lab study`: asks the papers' research questions of the bundled apps. Each study is a list of campaigns and a
//! table of their results. The same arguments always give the same table.
//!
//! A new study is a file here and an entry in [`STUDIES`].

mod agreement;
mod bugs;
mod diff;
mod discover;
mod fastbot2;
mod from;
mod genie;
mod guided;
mod hostile;
mod odin;
mod oracles;
mod rq3;
mod scope;
mod sound;
mod timemachine;
mod versions;

use std::ops::RangeInclusive;

use clap::builder::{PossibleValue, PossibleValuesParser};
use serde_json::json;
use taproof::cli::command::{CommandEnd, Failure, Outcome, app_named, parse_seeds, print_json, print_line};
use taproof_hostile::Hostilities;
use taproof_phone::Apps;
use taproof_phone::apps::specified_apps;
use taproof_screen::thousands;

use crate::tables::table::{Part, Table, markdown};
use scope::Scope;

/// The seed of runs whose results other runs begin with. It is not one of the compared runs.
const TEACHER: u64 = 1000;

/// The studies, in the order of the help.
const STUDIES: [&Study; 15] = [
    &agreement::STUDY,
    &bugs::STUDY,
    &fastbot2::STUDY,
    &timemachine::STUDY,
    &guided::STUDY,
    &odin::STUDY,
    &genie::STUDY,
    &oracles::STUDY,
    &sound::STUDY,
    &hostile::STUDY,
    &from::STUDY,
    &discover::STUDY,
    &diff::STUDY,
    &versions::STUDY,
    &rq3::STUDY,
];

/// A research question: its default options, and how it is answered.
struct Study {
    name: &'static str,
    /// What it asks.
    about: &'static str,
    /// Groups of seeds, each answered separately: those with which defaults were chosen, and others.
    seeds: &'static [RangeInclusive<u64>],
    events: u64,
    /// The result of the paper; empty if there is none.
    paper: &'static str,
    answer: fn(&Scope<'_>) -> Result<Vec<Part>, Failure>,
}

/// Ask the papers' questions of the bundled apps; the answer is a Markdown table
#[derive(clap::Args)]
pub struct Options {
    /// Which question
    #[arg(value_parser = names())]
    study: String,
    /// The seeds, such as 1..5; as the study needs if left out
    #[arg(long, value_name = "A..B", value_parser = parse_seeds)]
    seeds: Option<RangeInclusive<u64>>,
    /// Events of a campaign; as the study needs if left out
    #[arg(long)]
    events: Option<u64>,
    /// The apps, by name or package; all that have a specification if left out
    #[arg(long = "app", value_name = "NAME,NAME", value_delimiter = ',')]
    apps: Vec<String>,
    /// Run the campaigns on phones that misbehave in all these ways at once, as `phone serve --hostile` does. The study of
    /// hostile phones tries each way and all if left out
    #[arg(long, value_name = "KIND,KIND|all")]
    hostile: Option<Hostilities>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn names() -> PossibleValuesParser {
    STUDIES.map(|study| PossibleValue::new(study.name).help(study.about)).into()
}

/// Runs `taproof-lab study`.
///
/// # Errors
///
/// [`Failure`] if an app is not known, or a campaign did not end as it should.
pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let Some(study) = STUDIES.iter().find(|study| study.name == options.study) else {
        return Err(Failure::BadInput(anyhow::anyhow!("no study is called {:?}", options.study)));
    };
    let asked = match options.apps.as_slice() {
        [] => specified_apps().copied().collect(),
        names => names.iter().map(|name| app_named(apps, name).copied()).collect::<Result<Vec<_>, _>>()?,
    };
    let given = options.seeds.clone().map(|seeds| vec![seeds]);
    let mut parts = Vec::new();
    for seeds in given.unwrap_or_else(|| study.seeds.to_vec()) {
        let (events, hostilities) =
            (options.events.unwrap_or(study.events), options.hostile.clone().unwrap_or_default());
        let scope = Scope::new(apps, asked.clone(), seeds, events, hostilities)?;
        parts.push(Part::Text(heading(&scope)));
        parts.extend((study.answer)(&scope)?);
    }
    if !study.paper.is_empty() {
        parts.push(Part::Text(format!("The paper: {}", study.paper)));
    }
    let text = markdown(&parts);
    if options.json {
        let tables: Vec<_> = parts.iter().filter_map(Part::table).map(Table::to_json).collect();
        print_json(&json!({ "study": study.name, "tables": tables }))?;
    } else {
        text.lines().try_for_each(print_line)?;
    }
    Ok(CommandEnd::Fine)
}

fn heading(scope: &Scope<'_>) -> String {
    let (first, last, events) = (scope.seeds.start(), scope.seeds.end(), thousands(scope.events));
    let seeds = if first == last { format!("Seed {first}") } else { format!("Seeds {first} to {last}") };
    let events = if scope.events > 0 { format!(", at most {events} events") } else { String::new() };
    format!("{seeds}{events}:")
}

/// Whether these are words of a study.
#[cfg(test)]
pub(crate) fn is_study<'w>(words: impl Iterator<Item = &'w str>) -> bool {
    use clap::Args;
    let command = Options::augment_args(clap::Command::new("study").no_binary_name(true));
    command.try_get_matches_from(words).is_ok()
}
