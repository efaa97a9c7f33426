//! Which catalogued bugs a finding is attributed to, as far as experiments can decide it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The sets of catalogued bugs that each, when switched off, make a finding disappear. All have the same size. If there
/// are several, any one of them may be the cause.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Attribution {
    candidates: Vec<Vec<String>>,
}

/// An attribution in files and databases: the bugs of the only candidate, or a list of candidates.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Cause(Vec<String>),
    AnyOf(Vec<Vec<String>>),
}

impl From<Written> for Attribution {
    fn from(written: Written) -> Self {
        match written {
            Written::Cause(bugs) => Attribution::certain(bugs),
            Written::AnyOf(candidates) => Attribution::any_of(candidates),
        }
    }
}

impl From<Attribution> for Written {
    fn from(attribution: Attribution) -> Self {
        match attribution.alternatives() {
            [] => Written::Cause(attribution.cause().to_vec()),
            several => Written::AnyOf(several.to_vec()),
        }
    }
}

impl Attribution {
    /// The finding is attributed to no bug.
    pub const NONE: Attribution = Attribution { candidates: Vec::new() };

    /// Attributes the finding to all of these bugs together; to no bug if `bugs` is empty.
    pub fn certain(bugs: Vec<String>) -> Self {
        Attribution::any_of(vec![bugs])
    }

    /// Attributes the finding to any one of these sets. Empty sets are ignored.
    pub fn any_of(candidates: Vec<Vec<String>>) -> Self {
        Attribution { candidates: candidates.into_iter().filter(|bugs| !bugs.is_empty()).collect() }
    }

    /// Whether the finding is attributed to no bug.
    pub fn is_none(&self) -> bool {
        self.candidates.is_empty()
    }

    /// The sets of which any one may be the cause.
    pub fn candidates(&self) -> &[Vec<String>] {
        &self.candidates
    }

    /// The bugs that cause the finding together. Empty if there is no candidate or more than one.
    pub fn cause(&self) -> &[String] {
        match self.candidates.as_slice() {
            [only] => only,
            _ => &[],
        }
    }

    /// The candidates if there are several, else nothing.
    pub fn alternatives(&self) -> &[Vec<String>] {
        if self.candidates.len() > 1 { &self.candidates } else { &[] }
    }

    /// Every bug of any candidate, once, in the order of the candidates.
    pub fn bugs(&self) -> Vec<String> {
        let mut bugs: Vec<String> = Vec::new();
        for bug in self.candidates.iter().flatten() {
            if !bugs.contains(bug) {
                bugs.push(bug.clone());
            }
        }
        bugs
    }

    /// The bugs as text: `a`, `a and b` for one set of two, `a or b` for two candidates.
    pub fn words(&self) -> String {
        let sets: Vec<String> = self.candidates.iter().map(|bugs| bugs.join(" and ")).collect();
        sets.join(" or ")
    }

    /// What was observed with the bugs switched off, as a clause for people.
    pub fn evidence(&self) -> &'static str {
        match self.candidates.as_slice() {
            [] => "it is attributed to no catalogued bug",
            [only] if only.len() == 1 => "it goes away without this bug",
            [_] => "it goes away only without all of these bugs",
            [first, ..] if first.len() == 1 => {
                "it goes away without any one of these bugs: which is the cause is not known"
            }
            _ => "it goes away without any one of these sets of bugs: which is the cause is not known",
        }
    }
}

impl fmt::Display for Attribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.candidates.as_slice() {
            [only] if only.len() == 1 => f.write_str(&self.words()),
            _ => write!(f, "{} ({})", self.words(), self.evidence()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(candidates: &[&[&str]]) -> Attribution {
        let owned = |bugs: &&[&str]| bugs.iter().map(|bug| (*bug).to_owned()).collect();
        Attribution::any_of(candidates.iter().map(owned).collect())
    }

    #[test]
    fn both_and_either_are_told_apart() {
        assert_eq!(of(&[&["a"]]).to_string(), "a");
        assert_eq!(of(&[&["a", "b"]]).to_string(), "a and b (it goes away only without all of these bugs)");
        let either = of(&[&["a"], &["b"]]);
        assert_eq!(
            either.to_string(),
            "a or b (it goes away without any one of these bugs: which is the cause is not known)"
        );
        assert_eq!((either.cause(), either.bugs()), (&[][..], vec!["a".to_owned(), "b".to_owned()]));
        assert!(of(&[&[]]).is_none() && Attribution::certain(Vec::new()) == Attribution::NONE);
    }
}
