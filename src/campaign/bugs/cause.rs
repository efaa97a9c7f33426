//! Which findings have the same cause.

use std::collections::BTreeMap;

use crate::Attribution;

/// What findings with the same cause have in common: the bugs that they are attributed to or, without any, the oracle
/// and its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause<'f> {
    /// The catalogued bugs that the findings are attributed to.
    Bugs(&'f Attribution),
    /// The findings are attributed to no bug, so the oracle's message identifies the cause.
    Told {
        /// Name of the oracle that reported the violation.
        oracle: &'f str,
        /// The sentence in which the oracle describes the violation.
        title: &'f str,
    },
}

impl<'f> Cause<'f> {
    /// The cause of a finding that is attributed to these bugs and was reported by this oracle with this title.
    pub fn new(bugs: &'f Attribution, oracle: &'f str, title: &'f str) -> Self {
        if bugs.is_none() { Cause::Told { oracle, title } } else { Cause::Bugs(bugs) }
    }
}

/// Groups findings by cause. The groups are ordered by their first findings. For findings in several apps, `cause` must
/// return the app as well, since an oracle may describe violations in two apps by the same sentence.
pub fn by_cause<'f, F, C: Ord>(
    findings: impl IntoIterator<Item = &'f F>,
    cause: impl Fn(&'f F) -> C,
) -> Vec<Vec<&'f F>> {
    let mut places: BTreeMap<C, usize> = BTreeMap::new();
    let mut causes: Vec<Vec<&'f F>> = Vec::new();
    for finding in findings {
        let place = *places.entry(cause(finding)).or_insert(causes.len());
        match causes.get_mut(place) {
            Some(known) => known.push(finding),
            None => causes.push(vec![finding]),
        }
    }
    causes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_is_one_cause_and_without_one_what_an_oracle_says() {
        // Its number, the bug, the oracle, the title.
        let findings: Vec<(u32, Attribution, &str, &str)> = [
            (0, "lost", "property", "a note is missing"),
            (1, "", "genie", "the list lost a row"),
            (2, "lost", "genie", "the list lost a row"),
            (3, "", "genie", "the list lost a row"),
            (4, "", "odin", "the list lost a row"),
        ]
        .map(|(id, bug, oracle, title)| {
            let bugs = if bug.is_empty() { Vec::new() } else { vec![bug.to_owned()] };
            (id, Attribution::certain(bugs), oracle, title)
        })
        .into();
        let causes = by_cause(&findings, |(_, bugs, oracle, title)| Cause::new(bugs, oracle, title));
        let numbers: Vec<Vec<u32>> =
            causes.iter().map(|cause| cause.iter().map(|finding| finding.0).collect()).collect();
        assert_eq!(numbers, [vec![0, 2], vec![1, 3], vec![4]]);
    }
}
