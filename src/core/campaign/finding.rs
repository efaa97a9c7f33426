//! A violation with its evidence.

use std::sync::Arc;

use super::Attribution;
use crate::determinism::{StableHasher, hash_text};
use crate::engine::Moment;
use crate::model::{FindingOrigin, Trace, Violation};
use crate::oracle::ComparisonRule;
use crate::spec::DataModel;

/// A picture as a PNG file.
pub type PngBytes = Vec<u8>;

/// A violation with its evidence.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The same for the same engine, origin and attribution, in every run.
    pub id: String,
    /// What makes two violations the same report.
    pub origin: FindingOrigin,
    /// What is wrong at the end of the minimal trace.
    pub violation: Violation,
    /// One sentence.
    pub title: String,
    /// The engine that found it.
    pub engine: &'static str,
    /// The campaign's seed.
    pub seed: u64,
    /// When it was seen first.
    pub first: Moment,
    /// Violations of this origin until it was told.
    pub count: u64,
    /// The test that showed it.
    pub witness: Evidence,
    /// The shortest trace found that shows it; the witness itself where nothing could be re-executed.
    pub minimal: Evidence,
    /// The names of the DMFs that the minimal trace runs, in order.
    pub minimal_dmfs: Vec<String>,
    /// Whether it came back.
    pub confirmation: Confirmation,
    /// The smallest sets of catalogued bugs without which the minimal trace passes.
    pub attribution: Attribution,
    /// What data the app should have held along the minimal trace.
    pub data: DataTimeline,
    /// What the minimal trace is compared with, where it takes two traces to see what is wrong.
    pub reference: Option<Reference>,
}

/// The trace that a finding's is compared with.
#[derive(Clone, Debug)]
pub struct Reference {
    /// What was done and seen where it went right.
    pub evidence: Evidence,
    /// How the two are compared.
    pub rule: ComparisonRule,
}

/// A trace with a picture for each frame, where one was taken.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// What was done and seen.
    pub trace: Trace,
    /// One for each frame; kept encoded.
    pub screenshots: Vec<Option<Arc<PngBytes>>>,
}

/// Whether a finding came back on fresh devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// Every time.
    Reproduced {
        /// Times it came back.
        hits: u32,
        /// Times it was tried.
        tries: u32,
    },
    /// Not every time.
    Flaky {
        /// Times it came back.
        hits: u32,
        /// Times it was tried.
        tries: u32,
    },
    /// It was not tried: the campaign was cancelled, or the device failed.
    Untried,
}

/// What data the app should hold, from which frame on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataTimeline {
    entries: Vec<(usize, DataModel)>,
}

impl Reference {
    /// Whether both traces go on alike but for the detour, which stands in the witness alone (Genie); else each came
    /// to the last event in its own way (ODIN).
    pub fn goes_on_alike(&self) -> bool {
        matches!(self.rule, ComparisonRule::Effects(_))
    }
}

impl Evidence {
    /// A trace without pictures.
    pub fn without_pictures(trace: Trace) -> Self {
        let screenshots = vec![None; trace.len() + 1];
        Evidence { trace, screenshots }
    }
}

impl Confirmation {
    /// It came back so often of so many times.
    pub fn of(hits: u32, tries: u32) -> Self {
        match (hits, tries) {
            (_, 0) => Confirmation::Untried,
            (hits, tries) if hits == tries => Confirmation::Reproduced { hits, tries },
            (hits, tries) => Confirmation::Flaky { hits, tries },
        }
    }

    /// Times it came back, and times it was tried.
    pub fn counts(self) -> (u32, u32) {
        match self {
            Confirmation::Reproduced { hits, tries } | Confirmation::Flaky { hits, tries } => (hits, tries),
            Confirmation::Untried => (0, 0),
        }
    }
}

impl DataTimeline {
    /// From frame `frame` on the app should hold these data.
    pub fn push(&mut self, frame: usize, data: DataModel) {
        match self.entries.last_mut() {
            Some(last) if last.0 == frame => last.1 = data,
            Some(_) | None => self.entries.push((frame, data)),
        }
    }

    /// The changes in order: frame and data.
    pub fn entries(&self) -> &[(usize, DataModel)] {
        &self.entries
    }

    /// What the app should hold at a frame.
    pub fn at(&self, frame: usize) -> Option<&DataModel> {
        self.entries.iter().rev().find(|(from, _)| *from <= frame).map(|(_, data)| data)
    }
}

/// `property-rename-folder-1a2b3c4d`: readable, and different for different engines, origins and attributions.
pub(super) fn finding_id(
    engine: &str,
    origin: &FindingOrigin,
    bugs: &Attribution,
    dmfs: &[String],
) -> String {
    let mut hasher = StableHasher::new();
    hasher.text(engine);
    hasher.u64(hash_text(&origin.to_string()));
    // Where nothing can be attributed, the DMFs on the way are what tells two causes apart.
    if bugs.is_none() {
        dmfs.iter().for_each(|name| hasher.text(name));
    }
    for (place, set) in bugs.candidates().iter().enumerate() {
        if place > 0 {
            hasher.text("or");
        }
        set.iter().for_each(|bug| hasher.text(bug));
    }
    let subject: String = origin
        .subject
        .chars()
        .map(|char| if char.is_ascii_alphanumeric() { char.to_ascii_lowercase() } else { '-' })
        .take(40)
        .collect();
    let words: Vec<&str> = subject.split('-').filter(|word| !word.is_empty()).collect();
    format!("{}-{}-{:08x}", origin.oracle.name(), words.join("-"), hasher.finish() as u32)
}
