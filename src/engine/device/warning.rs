//! Problems in a device's answers that did not prevent their use.

use std::collections::BTreeMap;

/// Number of different problems that are counted separately.
const MOST_PROBLEMS: usize = 50;
/// Problem under which all further ones are counted.
const OTHERS: &str = "other problems";

/// A problem of a device that does not prevent its use, and how often it occurred.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}{}", times(*.count))]
pub struct DeviceWarning {
    /// What is wrong, and how it was handled. The text is the same for the same problem, wherever on the screen it is.
    pub problem: String,
    /// How often the problem occurred.
    pub count: u64,
}

fn times(count: u64) -> String {
    if count == 1 { String::new() } else { format!(" ({count} times)") }
}

/// Counts warnings by their problem.
#[derive(Clone, Debug, Default)]
pub struct DeviceWarnings(BTreeMap<String, u64>);

impl DeviceWarnings {
    /// Counts a problem. Returns its warning if it occurs for the first time.
    pub fn add(&mut self, problem: &str, count: u64) -> Option<DeviceWarning> {
        let room = self.0.len() < MOST_PROBLEMS || self.0.contains_key(problem);
        let problem = if room { problem } else { OTHERS };
        let known = self.0.contains_key(problem);
        let total = self.0.entry(problem.to_owned()).or_default();
        *total = total.saturating_add(count);
        (!known).then(|| DeviceWarning { problem: problem.to_owned(), count: *total })
    }

    /// Returns the warnings in alphabetical order and resets the counts.
    pub fn take(&mut self) -> Vec<DeviceWarning> {
        let counted = std::mem::take(&mut self.0).into_iter();
        counted.map(|(problem, count)| DeviceWarning { problem, count }).collect()
    }

    /// Number of different problems, and how often they occurred in total.
    pub fn totals(&self) -> (usize, u64) {
        (self.0.len(), self.0.values().fold(0, |sum, count| sum.saturating_add(*count)))
    }

    /// Summary in one line; `None` if there is no warning.
    pub fn note(&self) -> Option<String> {
        let (problem, count) = self.0.iter().max_by_key(|(_, count)| **count)?;
        let most = DeviceWarning { problem: problem.clone(), count: *count };
        Some(match self.0.len() - 1 {
            0 => most.to_string(),
            1 => format!("{most}, and one more problem"),
            others => format!("{most}, and {others} more problems"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_told_once_and_counted() {
        let mut warnings = DeviceWarnings::default();
        assert_eq!(warnings.note(), None);
        let first = warnings.add("rotation is 7", 2).unwrap();
        assert_eq!(first.to_string(), "rotation is 7 (2 times)");
        assert_eq!(warnings.add("rotation is 7", 3), None);
        assert!(warnings.add("no bounds", 1).is_some());
        assert_eq!(warnings.totals(), (2, 6));
        let note = warnings.note().unwrap();
        assert!(note.ends_with("rotation is 7 (5 times), and one more problem"), "{note}");
        let warning = |problem: &str, count| DeviceWarning { problem: problem.to_owned(), count };
        assert_eq!(warnings.take(), [warning("no bounds", 1), warning("rotation is 7", 5)]);
        assert_eq!(warnings.totals(), (0, 0));
    }

    #[test]
    fn problems_without_end_take_no_room_without_end() {
        let mut warnings = DeviceWarnings::default();
        let told = (0..1000).filter(|number| warnings.add(&format!("bounds are {number}"), 1).is_some());
        assert_eq!(told.count(), MOST_PROBLEMS + 1);
        assert_eq!(warnings.totals(), (MOST_PROBLEMS + 1, 1000));
    }
}
