//! Which catalogued bugs a minimal trace needs.

use super::Attribution;
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

/// The smallest sets of bugs without which the trace passes, in the catalogue's order; where any of them lets every
/// unit run, only those that do.
pub(super) fn attribute(
    bugs: &[String],
    passes: &mut dyn FnMut(&[String]) -> Result<Passes, Stop>,
) -> Result<Attribution, Stop> {
    for size in (1..bugs.len()).filter(|size| *size <= LARGEST_SET) {
        let (mut fully, mut refusing) = (Vec::new(), Vec::new());
        for set in subsets(bugs, size) {
            match passes(&set)? {
                Passes::Fully => fully.push(set),
                Passes::Refusing => refusing.push(set),
                Passes::No => {}
            }
        }
        let found = if fully.is_empty() { refusing } else { fully };
        if !found.is_empty() {
            return Ok(Attribution::any_of(found));
        }
    }
    let all = if bugs.is_empty() { Passes::No } else { passes(bugs)? };
    Ok(if all == Passes::No { Attribution::NONE } else { Attribution::certain(bugs.to_vec()) })
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

    /// `fully` and `refusing`: sets that make the trace pass, alone or with others. The sets found, `+` within one.
    fn check(fully: &[&[&str]], refusing: &[&[&str]], expected: &[&str]) {
        let bugs: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let has = |off: &[String], sets: &[&[&str]]| {
            sets.iter().any(|set| set.iter().all(|bug| off.iter().any(|known| known == bug)))
        };
        let found = attribute(&bugs, &mut |off| {
            Ok(match (has(off, fully), has(off, refusing)) {
                (true, _) => Passes::Fully,
                (false, true) => Passes::Refusing,
                (false, false) => Passes::No,
            })
        });
        let found: Vec<String> = found.unwrap().candidates().iter().map(|set| set.join("+")).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_smallest_set_is_named() {
        check(&[&["c"]], &[], &["c"]);
        check(&[&["b", "d"]], &[], &["b+d"]);
        check(&[&["d"]], &[&["a"]], &["d"]);
        check(&[&["c", "d"]], &[&["b"]], &["b"]);
        check(&[&["a", "b", "c", "d"]], &[], &["a+b+c+d"]);
        check(&[], &[], &[]);
    }

    #[test]
    fn among_equals_all_are_named() {
        check(&[&["b"], &["d"]], &[&["a"]], &["b", "d"]);
        check(&[], &[&["a"], &["c"]], &["a", "c"]);
        check(&[&["a", "b"], &["c", "d"]], &[], &["a+b", "c+d"]);
    }
}
