//! Discover: proposes the functions of an app that nobody has described yet.
//!
//! The idea: an app shows what it does with data if one gives it data that are recognised again. Three phases share a budget
//! of events, each on the same device:
//!
//! 1. *Creates*: a systematic walk through the screens types a name into each form and tries everything that may save it, until
//!    a list shows the name.
//! 2. *Functions*: with three objects of its own making, everything that the screens offer is tried on one of them; what
//!    changes, removes, shows, finds, orders or hides it is a proposal.
//! 3. *Confirm*: all proposals are performed among random events by PBFDroid, with texts of all classes, after restarts and on
//!    each other's results. What does not hold each time is repaired (a class of texts is left out, a precondition is added)
//!    or dropped.
//!
//! Nothing here knows files or windows; the same device, settings and seed give the same result.

mod blocks;
mod compose;
mod confirm;
mod contrast;
mod creates;
mod draft;
mod effects;
mod forms;
mod functions;
mod names;
pub(crate) mod prober;
mod run;
mod sample;
mod screen;
mod types;

use serde::{Deserialize, Serialize};
use taproof_screen::words;

use taproof_screen::RecordedStep;
use taproof_spec::{Block, Confidence, Dmf, Spec};

pub use confirm::{Dropped, Evidence};
pub use draft::kept_draft;
pub use prober::steps_as_recorded;
pub use run::discover;
pub use sample::performed;

/// How much is explored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DiscoverConfig {
    /// Events that may be performed.
    pub events: u64,
    /// The seed of all chance.
    pub seed: u64,
}

impl Default for DiscoverConfig {
    fn default() -> Self {
        DiscoverConfig { events: 40_000, seed: 1 }
    }
}

words! {
    /// What is done at the moment.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Phase {
        /// Forms are filled.
        Creates = "filling forms",
        /// Functions are tried on objects.
        Functions = "trying functions on objects",
        /// Proposals are performed again and again.
        Confirm = "performing the proposals again",
    }
    /// The phase in words.
    pub fn words;
}

/// How far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is done at the moment.
    pub phase: Phase,
    /// Events performed so far.
    pub events: u64,
    /// Events that may be performed.
    pub of: u64,
    /// The names of what was proposed and not dropped so far.
    pub names: Vec<String>,
}

/// A proposed function with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Discovered {
    /// The function.
    pub dmf: Dmf,
    /// Why it looks like a function, in one sentence.
    pub reason: String,
    /// What experiments say.
    pub evidence: Evidence,
    /// What would refute it, in one sentence each.
    pub refuted_by: Vec<String>,
    /// How certain it is.
    pub confidence: Confidence,
    /// The steps by which it was found, with their screens.
    pub steps: Vec<RecordedStep>,
}

/// Everything that was discovered about an app.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Discovery {
    /// The proposed functions.
    pub functions: Vec<Discovered>,
    /// What random exploration must not do.
    pub blocks: Vec<Block>,
    /// What was proposed first and then dropped.
    pub dropped: Vec<Dropped>,
    /// Events that were performed.
    pub events: u64,
    /// Whether it was stopped before its budget was spent.
    pub stopped: bool,
}

impl Discovered {
    /// With which texts and how often it was tried, in a sentence.
    pub fn tried_words(&self) -> String {
        let Evidence { tries, held, refused, texts, .. } = &self.evidence;
        let texts: Vec<String> = texts
            .iter()
            .map(|(class, held)| format!("{} ({held})", class.word().replace('_', " ")))
            .collect();
        let typed =
            if texts.is_empty() { String::new() } else { format!(", with texts: {}", texts.join(", ")) };
        let refused = match refused {
            0 => String::new(),
            count => format!("; the app refused the text {count} times"),
        };
        format!("It held in {held} of {tries} tries on fresh data{typed}{refused}.")
    }
}

impl Discovery {
    /// The specification that accepts all proposals unseen.
    pub fn spec(&self) -> Spec {
        let dmfs = self.functions.iter().map(|function| function.dmf.clone()).collect();
        Spec { dmfs, invariants: Vec::new(), blocks: self.blocks.clone() }
    }
}
