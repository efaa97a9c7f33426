//! What a finding is put down to, as far as that can be told.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Sets of catalogued bugs without any one of which a finding goes away. All are equally small; where there is more
/// than one, nothing tells which of them is the cause.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Attribution {
    candidates: Vec<Vec<String>>,
}

impl Attribution {
    /// Put down to nothing.
    pub const NONE: Attribution = Attribution { candidates: Vec::new() };

    /// Put down to these bugs, all of which have to be switched off; to nothing if there are none.
    pub fn certain(bugs: Vec<String>) -> Self {
        Attribution::any_of(vec![bugs])
    }

    /// Put down to any one of these sets.
    pub fn any_of(candidates: Vec<Vec<String>>) -> Self {
        Attribution { candidates: candidates.into_iter().filter(|bugs| !bugs.is_empty()).collect() }
    }

    /// Whether it is put down to nothing.
    pub fn is_none(&self) -> bool {
        self.candidates.is_empty()
    }

    /// The sets of which any one may be the cause.
    pub fn candidates(&self) -> &[Vec<String>] {
        &self.candidates
    }

    /// The bugs that are the cause; none where that is not known or cannot be told.
    pub fn cause(&self) -> &[String] {
        match self.candidates.as_slice() {
            [only] => only,
            _ => &[],
        }
    }

    /// The sets of which any one may be the cause, where there is more than one.
    pub fn alternatives(&self) -> &[Vec<String>] {
        if self.candidates.len() > 1 { &self.candidates } else { &[] }
    }

    /// Every bug that is named, once.
    pub fn bugs(&self) -> Vec<String> {
        let mut bugs: Vec<String> = Vec::new();
        for bug in self.candidates.iter().flatten() {
            if !bugs.contains(bug) {
                bugs.push(bug.clone());
            }
        }
        bugs
    }

    /// The bugs in a few words: `a`, `a and b`, `a or b`.
    pub fn words(&self) -> String {
        let sets: Vec<String> = self.candidates.iter().map(|bugs| bugs.join(" and ")).collect();
        sets.join(" or ")
    }

    /// What switching the bugs off does, in words.
    pub fn evidence(&self) -> &'static str {
        match self.candidates.as_slice() {
            [] => "it is put down to no catalogued bug",
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
