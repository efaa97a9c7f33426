//! Which catalogued bugs a minimal trace needs: the smallest sets that, switched off, make the violation disappear.

use crate::Attribution;
use taproof_engine::Stop;

/// Larger sets are not tried, except for the set of all bugs.
const LARGEST_SET: usize = 3;

/// What a re-execution of a trace with some bugs switched off shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passes {
    /// Every unit ran to its end, and the violation did not appear.
    Fully,
    /// As [`Passes::Fully`], except that the app refused the input of some units.
    Refusing,
    /// The violation appeared, or a unit could not be executed.
    No,
}

/// Returns the smallest sets of bugs whose absence makes the trace pass, in the catalogue's order. If one of these sets
/// lets every unit run to its end, those that only pass by a refusal are left out. If no set of up to [`LARGEST_SET`]
/// bugs suffices, the set of all bugs is tried.
pub(crate) fn attribute(
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
