//! How far a finding was investigated, and with what result.

use std::fmt;

use crate::{Confirmation, Finding};

/// How far a finding was investigated, and with what result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FindingState {
    /// How often the violation came back.
    pub confirmation: Confirmation,
    /// Number of steps of the minimal trace.
    pub steps: u64,
    /// Whether nothing is left to do, see [`Finding::finished`].
    pub finished: bool,
}

impl FindingState {
    /// The state of this finding.
    pub fn of(finding: &Finding) -> Self {
        let steps = finding.minimal.trace.len() as u64;
        FindingState { confirmation: finding.confirmation, steps, finished: finding.finished }
    }
}

impl fmt::Display for FindingState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FindingState { confirmation, steps, finished } = *self;
        let (hits, tries) = confirmation.counts();
        match confirmation {
            Confirmation::Untried => f.write_str("seen once")?,
            Confirmation::Reproduced { .. } => write!(f, "came back {hits} of {tries}")?,
            // Each re-execution starts the app, and the test in which it was seen did, too.
            Confirmation::Flaky { .. } if steps == 0 => {
                write!(f, "flaky: in {} of {} first starts", hits + 1, tries + 1)?;
            }
            Confirmation::Flaky { .. } if hits == 0 => write!(f, "flaky: seen once, came back 0 of {tries}")?,
            Confirmation::Flaky { .. } => write!(f, "flaky: came back {hits} of {tries}")?,
        }
        match (finished, hits) {
            (true, _) => Ok(()),
            (false, 0) => f.write_str(", not confirmed yet"),
            (false, _) => f.write_str(", not minimised yet"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_only_seen_did_not_fail_to_come_back() {
        let check = |(hits, tries): (u32, u32), steps, finished, words: &str| {
            let confirmation = Confirmation::of(hits, tries);
            assert_eq!(FindingState { confirmation, steps, finished }.to_string(), words);
        };
        check((0, 0), 5, false, "seen once, not confirmed yet");
        check((1, 1), 5, false, "came back 1 of 1, not minimised yet");
        check((3, 3), 5, true, "came back 3 of 3");
        check((1, 3), 5, true, "flaky: came back 1 of 3");
        check((0, 2), 5, false, "flaky: seen once, came back 0 of 2, not confirmed yet");
        check((0, 3), 5, true, "flaky: seen once, came back 0 of 3");
        check((0, 7), 0, true, "flaky: in 1 of 8 first starts");
    }
}
