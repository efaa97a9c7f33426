//! Benches that have names: those of the book's tables, and the ones that run if nothing else is said.

use std::ops::RangeInclusive;

use taproof_bench::{Mix, Specs};

/// What a bench runs where options leave it open.
#[derive(Clone, Debug)]
pub(super) struct Preset {
    /// Its name.
    pub name: &'static str,
    /// What it asks.
    pub about: &'static str,
    /// The apps.
    pub apps: &'static [&'static str],
    /// The engines.
    pub engines: &'static [&'static str],
    /// The faults.
    pub faults: &'static [&'static str],
    /// Events of a campaign.
    pub events: u64,
    /// Events of a campaign of some engines.
    pub own_events: &'static [(&'static str, u64)],
    /// The seeds of the campaigns.
    pub seeds: RangeInclusive<u64>,
    /// How many faults are drawn.
    pub cells: usize,
    /// How often each operator is drawn.
    pub mix: Mix,
    /// Where specifications come from.
    pub specs: Specs,
    /// How many apps also run without a fault.
    pub sound: usize,
    /// How many apps also run with several faults.
    pub mixed: usize,
}

/// The bench without a name.
pub(super) const WHOLE: Preset = Preset {
    name: "whole",
    about: "every engine on a hundred faults, for making engines",
    apps: &["blueprint:1..40"],
    engines: &["all"],
    faults: &["all"],
    events: 40_000,
    own_events: &[("genie", 100_000)],
    seeds: 1..=3,
    cells: 100,
    mix: Mix::Even,
    specs: Specs::Truth,
    sound: 10,
    mixed: 10,
};

/// A bench of less than a minute.
pub(super) const QUICK: Preset = Preset {
    name: "quick",
    about: "a look at every engine in less than a minute",
    apps: &["blueprint:1..20"],
    events: 2_000,
    own_events: &[("genie", 4_000)],
    seeds: 1..=1,
    cells: 35,
    sound: 2,
    mixed: 2,
    ..WHOLE
};

/// The apps that judge: generated ones of which nobody has chosen anything, and the ten that ship with the program.
const JUDGES: &[&str] = &[
    "blueprint:1000..1049",
    "blueprint:1000..1049:medium",
    "files",
    "notes",
    "diary",
    "tasks",
    "cards",
    "radio",
    "tube",
    "reader",
    "budget",
    "schedule",
];

const PUBLISHED: Preset = Preset {
    name: "published",
    about: "what PBFDroid and Monkey find of faults as papers report them",
    apps: JUDGES,
    engines: &["pbfdroid", "monkey"],
    cells: 400,
    mix: Mix::Published,
    sound: 50,
    mixed: 50,
    ..WHOLE
};

/// The benches with names, in the order of the book.
pub(super) const PRESETS: [Preset; 11] = [
    QUICK,
    PUBLISHED,
    Preset {
        name: "together",
        about: "what the engines that take turns find of the same faults, beside PBFDroid alone",
        engines: &["auto", "pbfdroid"],
        seeds: 1..=1,
        ..PUBLISHED
    },
    Preset {
        name: "night",
        about: "what a slow phone finds in a night",
        apps: JUDGES,
        engines: &["auto", "pbfdroid"],
        faults: &["P", "C"],
        events: 3_600,
        cells: 200,
        sound: 0,
        mixed: 0,
        ..WHOLE
    },
    Preset {
        name: "recorded",
        about: "what PBFDroid finds with specifications that were recorded, one run of each function, and not looked at",
        apps: JUDGES,
        engines: &["pbfdroid"],
        faults: &["P", "C"],
        events: 40_000,
        cells: 200,
        specs: Specs::Recorded,
        sound: 50,
        mixed: 0,
        ..WHOLE
    },
    Preset {
        name: "discovered",
        about: "what PBFDroid finds with specifications that Discover proposed, all accepted unseen",
        apps: JUDGES,
        engines: &["pbfdroid"],
        faults: &["P"],
        events: 40_000,
        seeds: 1..=1,
        cells: 200,
        specs: Specs::Discovered,
        sound: 50,
        mixed: 0,
        ..WHOLE
    },
    Preset {
        name: "genie",
        about: "what Genie finds of the faults that its oracle sees",
        apps: JUDGES,
        engines: &["genie"],
        faults: &["G"],
        events: 100_000,
        cells: 60,
        mixed: 0,
        ..WHOLE
    },
    Preset {
        name: "odin",
        about: "what ODIN finds of the faults that its oracle sees",
        apps: JUDGES,
        engines: &["odin"],
        faults: &["O"],
        events: 40_000,
        cells: 60,
        mixed: 0,
        ..WHOLE
    },
    Preset {
        name: "keep",
        about: "what Keep finds of the faults that its relations see",
        apps: JUDGES,
        engines: &["keep"],
        faults: &["K"],
        events: 3_600,
        cells: 200,
        sound: 50,
        mixed: 0,
        ..WHOLE
    },
    Preset {
        name: "crashes",
        about: "what the engines that know no specification find of crashes and hangs",
        apps: JUDGES,
        engines: &["fastbot2", "timemachine", "monkey", "monkey:restart=true"],
        faults: &["C"],
        events: 10_000,
        cells: 60,
        sound: 0,
        mixed: 0,
        ..WHOLE
    },
    Preset {
        name: "large",
        about: "how much of apps with forty activities and more is executed",
        apps: &["blueprint:1000..1019:large"],
        engines: &["monkey:restart=true", "monkey", "timemachine", "fastbot2"],
        events: 40_000,
        faults: &["C"],
        cells: 20,
        sound: 20,
        mixed: 0,
        ..WHOLE
    },
];
