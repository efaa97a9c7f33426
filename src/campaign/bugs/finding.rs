//! A violation with its evidence.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Attribution, Support};
use taproof_engine::Moment;
use taproof_engine::device::{Environment, PngBytes};
use taproof_engine::oracle::ComparisonRule;
use taproof_screen::determinism::{StableHasher, hash_text};
use taproof_screen::{FindingOrigin, Trace, Violation, upper_first};
use taproof_spec::{DataModel, function_words};

/// A violation with its evidence.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Identifier. It stays the same while the finding is investigated, and is the same in every run for the same engine
    /// and origin; further causes of an origin are numbered.
    pub id: String,
    /// What was violated. Violations with the same origin are reported as one finding, unless they have different
    /// causes.
    pub origin: FindingOrigin,
    /// The violation that the minimal trace ends with.
    pub violation: Violation,
    /// The violation in one sentence.
    pub title: String,
    /// Name of the engine that found it.
    pub engine: &'static str,
    /// The seed of the campaign that found it.
    pub seed: u64,
    /// When the violation was first seen.
    pub first: Moment,
    /// Number of violations of this origin until the finding was reported.
    pub count: u64,
    /// The test in which the violation was seen.
    pub witness: Evidence,
    /// The shortest trace found that shows the violation; the same as the witness if nothing could be re-executed.
    pub minimal: Evidence,
    /// The names of the DMFs that the minimal trace runs, in order.
    pub minimal_dmfs: Vec<String>,
    /// How often the violation was reproduced.
    pub confirmation: Confirmation,
    /// What else speaks for it, see [`Finding::class`].
    pub support: Support,
    /// Whether nothing is left to do: the minimal trace was re-executed as often as planned, or the violation did not
    /// come back. Until then, a campaign and `taproof minimise` go on with it.
    pub finished: bool,
    /// The smallest sets of catalogued bugs without which the minimal trace passes.
    pub attribution: Attribution,
    /// The data that the app should hold along the minimal trace.
    pub data: DataTimeline,
    /// The trace that the minimal trace is compared with; `None` if the violation can be seen in one trace alone.
    pub reference: Option<Reference>,
    /// The device and the version of the app; `None` on the bundled phone.
    pub environment: Option<Arc<Environment>>,
}

/// The trace that the minimal trace of a finding is compared with.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The trace without the violation, and its screenshots.
    pub evidence: Evidence,
    /// The rule by which the two traces are compared.
    pub rule: ComparisonRule,
}

impl Finding {
    /// Name of the function that is violated; `None` if it is no violation of a function.
    pub fn function(&self) -> Option<&str> {
        self.violation.dmf.map(|_| self.violation.subject.as_str())
    }

    /// The title for a list that people read, as [`title_words`] makes it.
    pub fn title_words(&self) -> String {
        title_words(&self.title, self.function())
    }
}

/// The title of a finding as a sentence, with its function as people call it: `Edit a folder: 'Music' still is shown` for
/// `edit1 folder`.
pub fn title_words(title: &str, function: Option<&str>) -> String {
    let parts = function.and_then(|name| Some((name, title.strip_prefix(name)?)));
    parts.map_or_else(|| upper_first(title), |(name, said)| function_words(name) + said)
}

/// A trace with the screenshots of its frames.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The events that were performed and the screens that were seen.
    pub trace: Trace,
    /// One PNG for each frame; `None` if none was taken.
    pub screenshots: Vec<Option<Arc<PngBytes>>>,
}

/// Whether a finding could be reproduced on fresh devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The violation appeared in every re-execution.
    Reproduced {
        /// Number of re-executions in which the violation appeared.
        hits: u32,
        /// Number of re-executions of the minimal trace.
        tries: u32,
    },
    /// The violation did not appear in every re-execution, or in none.
    Flaky {
        /// Number of re-executions in which the violation appeared.
        hits: u32,
        /// Number of re-executions of the minimal trace.
        tries: u32,
    },
    /// The violation was seen once. Nothing was re-executed yet: the turn of the finding has not come, the budget for
    /// re-executions is spent, the campaign was cancelled, or the device failed.
    Untried,
}

/// The data that the app should hold, frame by frame. Only changes are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DataTimeline {
    entries: Vec<(usize, DataModel)>,
}

impl Reference {
    /// Whether both traces perform the same events apart from a detour that only the witness takes (Genie). Otherwise
    /// only their last event is the same (ODIN).
    pub fn goes_on_alike(&self) -> bool {
        matches!(self.rule, ComparisonRule::Effects(_))
    }
}

impl Evidence {
    /// The evidence of a trace without screenshots.
    pub fn without_pictures(trace: Trace) -> Self {
        let screenshots = vec![None; trace.len() + 1];
        Evidence { trace, screenshots }
    }
}

/// Adds a reported finding, or replaces the one with the same id, of which less was known.
pub fn keep_latest(findings: &mut Vec<Arc<Finding>>, finding: Arc<Finding>) {
    match findings.iter_mut().find(|known| known.id == finding.id) {
        Some(known) => *known = finding,
        None => findings.push(finding),
    }
}

impl Confirmation {
    /// The confirmation after `hits` of `tries` re-executions showed the violation.
    pub fn of(hits: u32, tries: u32) -> Self {
        match (hits, tries) {
            (_, 0) => Confirmation::Untried,
            (hits, tries) if hits == tries => Confirmation::Reproduced { hits, tries },
            (hits, tries) => Confirmation::Flaky { hits, tries },
        }
    }

    /// Number of re-executions that showed the violation, and number of re-executions.
    pub fn counts(self) -> (u32, u32) {
        match self {
            Confirmation::Reproduced { hits, tries } | Confirmation::Flaky { hits, tries } => (hits, tries),
            Confirmation::Untried => (0, 0),
        }
    }
}

impl DataTimeline {
    /// Records the data that the app should hold from this frame on. Frames must be given in ascending order.
    pub fn push(&mut self, frame: usize, data: DataModel) {
        match self.entries.last_mut() {
            Some(last) if last.0 == frame => last.1 = data,
            Some(_) | None => self.entries.push((frame, data)),
        }
    }

    /// The data that the app should hold at this frame; `None` before the first change.
    pub fn at(&self, frame: usize) -> Option<&DataModel> {
        self.entries.iter().rev().find(|(from, _)| *from <= frame).map(|(_, data)| data)
    }
}

/// Returns an identifier such as `property-rename-folder-1a2b3c4d`: readable, and different for different engines and
/// origins. `cause` is the number of findings of the same origin before this one.
pub(crate) fn finding_id(engine: &str, origin: &FindingOrigin, cause: usize) -> String {
    let mut hasher = StableHasher::new();
    hasher.text(engine);
    hasher.u64(hash_text(&origin.to_string()));
    if cause > 0 {
        hasher.u64(cause as u64);
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

#[cfg(test)]
mod tests {
    use super::title_words;

    #[test]
    fn a_title_in_a_list_is_a_sentence_without_the_number_of_a_function() {
        let words = |title, function| title_words(title, Some(function));
        assert_eq!(
            words("edit1 folder: 'a' is not shown", "edit1 folder"),
            "Edit a folder: 'a' is not shown"
        );
        assert_eq!(
            words("hide_all days: 'a' is not shown", "hide_all days"),
            "Hide all days: 'a' is not shown"
        );
        assert_eq!(words("undo2: 'a' is not shown", "undo2"), "Undo: 'a' is not shown");
        assert_eq!(words("7 days: 'a' is not shown", "7 days"), "7 days: 'a' is not shown");
        assert_eq!(title_words("the app crashes: Boom", None), "The app crashes: Boom");
    }
}
