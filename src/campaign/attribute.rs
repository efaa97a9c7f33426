//! Which catalogued bugs a minimal trace needs.

use crate::engine::Stop;

/// Sets of more bugs are not tried, but for all of them together.
const LARGEST_SET: usize = 3;

/// How a trace fares with some bugs switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passes {
    /// Every unit ran to its end, and the violation did not appear.
    Fully,
    /// The same, but for units that the app now refuses, as it should have.
    Refusing,
    /// The violation appeared, or a unit could not be done.
    No,
}

/// The smallest set of bugs without which the trace passes; empty if no set does. Of equally small ones the
/// first in the catalogue's order, but one that lets every unit run before one that does not.
pub(super) fn attribute(
    bugs: &[String],
    passes: &mut dyn FnMut(&[String]) -> Result<Passes, Stop>,
) -> Result<Vec<String>, Stop> {
    for size in (1..bugs.len()).filter(|size| *size <= LARGEST_SET) {
        let mut refusing = None;
        for set in subsets(bugs, size) {
            match passes(&set)? {
                Passes::Fully => return Ok(set),
                Passes::Refusing => {
                    refusing.get_or_insert(set);
                }
                Passes::No => {}
            }
        }
        if let Some(set) = refusing {
            return Ok(set);
        }
    }
    let all = if bugs.is_empty() { Passes::No } else { passes(bugs)? };
    Ok(if all == Passes::No { Vec::new() } else { bugs.to_vec() })
}

fn subsets(bugs: &[String], size: usize) -> Vec<Vec<String>> {
    match (size, bugs.split_first()) {
        (0, _) => vec![Vec::new()],
        (_, None) => Vec::new(),
        (_, Some((first, rest))) => {
            let with_first = subsets(rest, size - 1).into_iter().map(|mut set| {
                set.insert(0, first.clone());
                set
            });
            with_first.chain(subsets(rest, size)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fully: &[&str], refusing: &[&str], expected: &[&str]) {
        let bugs: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let has = |set: &[String], needed: &[&str]| {
            !needed.is_empty() && needed.iter().all(|bug| set.iter().any(|off| off == bug))
        };
        let found = attribute(&bugs, &mut |off| {
            Ok(match (has(off, fully), has(off, refusing)) {
                (true, _) => Passes::Fully,
                (false, true) => Passes::Refusing,
                (false, false) => Passes::No,
            })
        });
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn the_smallest_set_is_named() {
        check(&["c"], &[], &["c"]);
        check(&["b", "d"], &[], &["b", "d"]);
        check(&["d"], &["a"], &["d"]);
        check(&["c", "d"], &["b"], &["b"]);
        check(&["a", "b", "c", "d"], &[], &["a", "b", "c", "d"]);
        check(&[], &[], &[]);
    }
}
