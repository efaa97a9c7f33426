//! What a bench runs: apps, engines, seeds and budgets, the faults drawn from what the apps have, and the cells that follow.

use std::ops::RangeInclusive;
use taproof_screen::words;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use taproof_engine::EngineConfig;
use taproof_engine::device::Build;

use crate::names::{JUDGING_FROM, blueprint_seed};

/// What was asked for. The same plan always gives the same results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The names of the apps.
    pub apps: Vec<String>,
    /// The engines, each with its budget.
    pub engines: Vec<EngineRun>,
    /// The seeds of the campaigns.
    pub seeds: RangeInclusive<u64>,
    /// Which faults: `all`, letters of techniques, and names of operators.
    pub faults: Vec<String>,
    /// How many faults are drawn; all if `None`.
    pub cells: Option<usize>,
    /// How many apps also run without a fault.
    pub sound: usize,
    /// How many apps also run with several faults at once.
    pub mixed: usize,
    /// How often each operator is drawn.
    #[serde(default)]
    pub mix: Mix,
    /// Where the specifications of the engines come from.
    #[serde(default)]
    pub specs: Specs,
    /// The seed by which faults and apps are drawn.
    pub sample_seed: u64,
}

/// Where the specification of an app comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Specs {
    /// It follows from the app, or is shipped with it.
    #[default]
    Truth,
    /// Each function of that one was recorded once, and its draft accepted as it is.
    Recorded,
    /// Discover explored the sound build, and everything that it proposed was accepted as it is.
    Discovered,
}

words! {
    /// How often each fault operator is drawn.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
    #[serde(rename_all = "lowercase")]
    pub enum Mix {
        /// The same number of faults of each operator, as far as there are as many.
        #[default]
        Even = "evenly from the operators",
        /// As often as the papers report bugs of its kind ([`OPERATOR_MIX`](taproof_blueprint::OPERATOR_MIX)). Operators
        /// of which they report none are left out, unless there are no others.
        Published = "as often as papers report such bugs",
    }
    /// How faults are drawn, for people.
    pub fn words;
}

/// An engine of a bench.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineRun {
    /// How tables name it.
    pub name: String,
    /// Events of each campaign.
    pub events: u64,
    /// The engine with its settings.
    pub config: EngineConfig,
}

/// A fault that somebody can see.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fault {
    /// Its id.
    pub id: String,
    /// The fault operator.
    pub operator: String,
    /// The letters of the techniques that are meant to see it.
    pub letters: String,
    /// The script that shows it. `None` for bugs of apps that were written by hand, whose own tests show them.
    pub witness: Option<Witness>,
}

/// A script that shows a fault.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Witness {
    /// Number of its events.
    pub events: usize,
    /// What is done, in words.
    pub script: String,
}

/// A build of an app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The name of the app.
    pub app: String,
    /// What is wrong with it.
    pub subject: Subject,
}

/// What is wrong with a build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// One fault.
    Fault(Fault),
    /// Nothing.
    Sound,
    /// Several faults at once, by which the grouping of findings is judged.
    Mixed(Vec<Fault>),
}

/// One campaign of a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Index of the target.
    pub target: usize,
    /// Index of the engine.
    pub engine: usize,
    /// The seed of the campaign.
    pub seed: u64,
}

/// Why a plan cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// There is no such app.
    #[error(
        "no app is called {name:?}; `taproof-lab apps` lists some, and blueprint:A..B[:small|medium|large][:traps] makes others"
    )]
    NoSuchApp {
        /// What was asked for.
        name: String,
    },
    /// Faults are not named like this.
    #[error("no fault is called {word:?}; there are {known}")]
    NoSuchFault {
        /// What was asked for.
        word: String,
        /// What there is.
        known: String,
    },
    /// There is nothing to run.
    #[error("no app of the plan has a fault of this kind, and none runs without a fault")]
    NothingToRun,
    /// The specification of an app, or a plan of its campaigns, is broken.
    #[error("{app}: {problem}")]
    BadApp {
        /// The name of the app.
        app: String,
        /// What is wrong.
        problem: String,
    },
}

impl Plan {
    /// The names of the parts in which two plans differ.
    pub fn differences(&self, other: &Plan) -> Vec<&'static str> {
        let engines = |plan: &Plan| -> Vec<(String, EngineConfig)> {
            plan.engines.iter().map(|run| (run.name.clone(), run.config.clone())).collect()
        };
        let events = |plan: &Plan| plan.engines.iter().map(|run| run.events).collect::<Vec<_>>();
        let parts = [
            ("apps", self.apps == other.apps),
            ("engines or their settings", engines(self) == engines(other)),
            ("events", events(self) == events(other)),
            ("seeds", self.seeds == other.seeds),
            ("faults", self.faults == other.faults),
            ("cells", self.cells == other.cells),
            ("sound", self.sound == other.sound),
            ("mixed", self.mixed == other.mixed),
            ("mix", self.mix == other.mix),
            ("specs", self.specs == other.specs),
            ("sample-seed", self.sample_seed == other.sample_seed),
        ];
        parts.into_iter().filter(|(_, same)| !same).map(|(part, _)| part).collect()
    }

    /// What the seeds of the generated apps are for.
    pub fn purpose(&self) -> Purpose {
        let mut seeds = self.apps.iter().filter_map(|app| blueprint_seed(app)).peekable();
        let any = seeds.peek().is_some();
        match (any, seeds.all(|seed| seed >= JUDGING_FROM)) {
            (true, true) => Purpose::Judging,
            _ if self.apps.iter().filter_map(|app| blueprint_seed(app)).any(|seed| seed >= JUDGING_FROM) => {
                Purpose::Both
            }
            _ => Purpose::Making,
        }
    }

    /// The campaigns, in the order in which they are begun: all engines on one target after the other, seed by seed, so
    /// that a part of them already tells something of all engines.
    pub fn cells(&self, targets: &[Target]) -> Vec<Cell> {
        let mut cells = Vec::new();
        for seed in self.seeds.clone() {
            for target in 0..targets.len() {
                cells.extend((0..self.engines.len()).map(|engine| Cell { target, engine, seed }));
            }
        }
        cells
    }
}

words! {
    /// What the results of a run may be used for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Purpose {
        /// To make engines with: the seeds are those that they are made with.
        Making =
            "Made with apps that engines are made with (seeds below 1000, and apps written by hand), so these \
             numbers do not judge them.",
        /// To judge engines by: no constant was chosen with these seeds.
        Judging =
            "Made with judging seeds (from 1000 on): no constant of an engine was chosen with these apps.",
        /// Some seeds are for the one and some for the other.
        Both =
            "Made with apps that engines are made with as well as with judging seeds (from 1000 on), so these \
             numbers do not judge them.",
    }
    /// What it means, in a sentence.
    pub fn sentence;
}

impl Subject {
    /// The faults that are switched on.
    pub fn faults(&self) -> &[Fault] {
        match self {
            Subject::Fault(fault) => std::slice::from_ref(fault),
            Subject::Sound => &[],
            Subject::Mixed(faults) => faults,
        }
    }

    /// The only fault, if there is one.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Subject::Fault(fault) => Some(fault),
            Subject::Sound | Subject::Mixed(_) => None,
        }
    }

    /// The build of the app.
    pub fn build(&self) -> Build {
        match self.faults() {
            [] => Build::Sound,
            faults => Build::Bugs(faults.iter().map(|fault| fault.id.clone()).collect()),
        }
    }
}

impl Fault {
    /// Whether one of these words names it: `all`, one of its letters, or its operator.
    pub fn is_among(&self, words: &[String]) -> bool {
        let names = |word: &String| {
            word == "all"
                || *word == self.operator
                || (word.len() == 1 && self.letters.contains(word.as_str()))
        };
        words.iter().any(names)
    }
}
