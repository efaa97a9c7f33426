//! What a person has said of which findings show the same bug, where the cards are wrong.

use super::Finding;

/// A statement about findings, which are named by their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Correction {
    /// This finding shows another bug than the others on its card.
    Apart(String),
    /// These two findings show the same bug, and so does everything else on their cards.
    Same(String, String),
}

/// What a person has said of the findings in one app, in that order. Since the ids of findings are the same in every
/// campaign, it also holds for later ones. Of findings that are not there, nothing is changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corrections(pub Vec<Correction>);

impl Correction {
    /// What was said, as a sentence about ids.
    pub fn words(&self) -> String {
        match self {
            Correction::Apart(id) => format!("{id} is a bug of its own"),
            Correction::Same(one, other) => format!("{one} is the same bug as {other}"),
        }
    }
}

impl Corrections {
    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Splits and merges groups of findings as they say, one statement after the other.
    pub(super) fn apply<F>(&self, groups: &mut Vec<Vec<F>>, finding: impl Fn(&F) -> &Finding) {
        for said in &self.0 {
            match said {
                Correction::Apart(id) => split(groups, |one| finding(one).id == *id),
                Correction::Same(one, other) => {
                    merge(groups, |it| finding(it).id == *one, |it| finding(it).id == *other);
                }
            }
        }
    }
}

/// Puts a finding into a group of its own.
fn split<F>(groups: &mut Vec<Vec<F>>, is: impl Fn(&F) -> bool) {
    let in_group = |group: &mut Vec<F>| {
        let place = group.iter().position(&is).filter(|_| group.len() > 1)?;
        Some(group.remove(place))
    };
    let alone = groups.iter_mut().find_map(in_group);
    groups.extend(alone.map(|alone| vec![alone]));
}

/// Joins the groups of two findings, in the place of the second.
fn merge<F>(groups: &mut Vec<Vec<F>>, one: impl Fn(&F) -> bool, other: impl Fn(&F) -> bool) {
    let with = |groups: &[Vec<F>], is: &dyn Fn(&F) -> bool| groups.iter().position(|it| it.iter().any(is));
    let places = with(groups, &one).zip(with(groups, &other));
    let Some((from, to)) = places.filter(|(from, to)| from != to) else { return };
    let moved = std::mem::take(&mut groups[from]);
    groups[to].extend(moved);
    groups.remove(from);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(of: &str) -> Vec<Vec<char>> {
        of.split(' ').map(|group| group.chars().collect()).collect()
    }

    fn words(groups: &[Vec<char>]) -> String {
        groups.iter().map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_finding_is_split_from_its_group_and_from_no_other() {
        for (before, after) in [("abc d", "ac d b"), ("b ac", "b ac"), ("ac", "ac")] {
            let mut all = groups(before);
            split(&mut all, |it| *it == 'b');
            assert_eq!(words(&all), after);
        }
    }

    #[test]
    fn groups_are_merged_whole_and_a_split_takes_one_finding_out_again() {
        let mut all = groups("ab c de");
        merge(&mut all, |it| *it == 'a', |it| *it == 'd');
        assert_eq!(words(&all), "c deab");
        merge(&mut all, |it| *it == 'a', |it| *it == 'e');
        merge(&mut all, |it| *it == 'a', |it| *it == 'x');
        split(&mut all, |it| *it == 'a');
        assert_eq!(words(&all), "c deb a");
    }
}
