//! Benches that have names: those of the book's tables, and the ones that run if nothing else is said.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Command, FromArgMatches};
use taproof::cli::command::Failure;

use super::Options;

/// The bench that runs where neither options nor a preset say anything.
pub(super) const WHOLE: &str = "whole";

/// The benches with names, in the order of the book: what they ask, and the options that they stand for.
pub(super) const PRESETS: [(&str, &str, &str); 12] = [
    (
        "quick",
        "a look at every engine in less than a minute",
        "--apps blueprint:1..20 --events 2000,genie=4000 --seeds 1 --cells 35 --sound 2 --mixed 2",
    ),
    (
        "published",
        "what PBFDroid and Monkey find of faults as papers report them",
        "--apps judges --engines pbfdroid,monkey --cells 400 --mix published --sound 50 --mixed 50",
    ),
    (
        "together",
        "what the engines that take turns find of the same faults, beside PBFDroid alone",
        "--apps judges --engines auto,pbfdroid --seeds 1 --cells 400 --mix published --sound 50 --mixed 50",
    ),
    (
        "night",
        "what a slow phone finds in a night",
        "--apps judges --engines auto,pbfdroid --faults P,C --events 3600 --cells 200 --sound 0 --mixed 0",
    ),
    (
        "recorded",
        "what PBFDroid finds with specifications that were recorded, one run of each function, and not looked at",
        "--apps judges --engines pbfdroid --faults P,C --cells 200 --specs recorded --sound 50 --mixed 0",
    ),
    (
        "discovered",
        "what PBFDroid finds with specifications that Discover proposed, all accepted unseen",
        "--apps judges --engines pbfdroid --faults P --seeds 1 --cells 200 --specs discovered --sound 50 --mixed 0",
    ),
    (
        "genie",
        "what Genie finds of the faults that its oracle sees",
        "--apps judges --engines genie --faults G --events 100000 --cells 60 --mixed 0",
    ),
    (
        "odin",
        "what ODIN finds of the faults that its oracle sees",
        "--apps judges --engines odin --faults O --cells 60 --mixed 0",
    ),
    (
        "keep",
        "what Keep finds of the faults that its relations see",
        "--apps judges --engines keep --faults K --events 3600 --cells 200 --sound 50 --mixed 0",
    ),
    (
        "crashes",
        "what the engines that know no specification find of crashes and hangs",
        "--apps judges --engines fastbot2,timemachine,monkey,monkey:restart=true --faults C --events 10000 --cells 60 \
         --sound 0 --mixed 0",
    ),
    (
        "large",
        "how much of apps with forty activities and more is executed",
        "--apps blueprint:1000..1019:large --engines monkey:restart=true,monkey,timemachine,fastbot2 --faults C \
         --cells 20 --sound 20 --mixed 0",
    ),
    (
        WHOLE,
        "every engine on a hundred faults, for making engines; what runs if nothing is said",
        "--apps blueprint:1..40 --engines all --faults all --events 40000,genie=100000 --seeds 1..3 --cells 100 \
         --sound 10 --mixed 10",
    ),
];

/// What takes the names of the presets.
pub(super) fn preset_parser() -> PossibleValuesParser {
    PRESETS.map(|(name, about, _)| PossibleValue::new(name).help(about)).into()
}

/// The options that a preset stands for.
pub(super) fn preset_named(name: &str) -> Result<Options, Failure> {
    let words = PRESETS.iter().find(|(known, ..)| *known == name).map_or("", |(.., words)| words);
    let command = Options::augment_args(Command::new("preset").no_binary_name(true));
    let options = command.try_get_matches_from(words.split_whitespace());
    options
        .and_then(|matches| Options::from_arg_matches(&matches))
        .map_err(|error| Failure::Broken(error.into()))
}
