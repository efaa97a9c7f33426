//! A hash that distinguishes violations of one origin before anything is re-executed.

use std::collections::BTreeSet;

use crate::Unit;
use taproof_screen::DrawnText;
use taproof_screen::determinism::StableHasher;

/// Hashes what led to a violation: the violated DMF, and each earlier DMF whose texts are related to the texts of the
/// violated one, and how they are related. This distinguishes "was created and then looked for" from "was created,
/// another was renamed to the same name in capitals, and then it was looked for". If the violated DMF has no texts,
/// every DMF counts.
pub(crate) fn cause_key(units: &[Unit]) -> u64 {
    let texts = last_drawn(units);
    let mut parts: BTreeSet<(usize, u64)> = BTreeSet::new();
    for unit in units {
        if let Unit::Dmf { dmf, inputs, .. } = unit {
            if texts.is_empty() {
                parts.insert((*dmf, 0));
            }
            let pairs = inputs.iter().flat_map(|input| texts.iter().map(move |text| (input, text)));
            parts
                .extend(pairs.filter_map(|(input, text)| {
                    Some((*dmf, text_relation(&input.text, &text.text)? as u64))
                }));
        }
    }
    let mut hasher = StableHasher::new();
    for (dmf, relation) in parts {
        hasher.u64(dmf as u64);
        hasher.u64(relation);
    }
    hasher.finish()
}

/// The texts of the DMF that the units end with; none if they end with something else.
pub(crate) fn last_drawn(units: &[Unit]) -> &[DrawnText] {
    match units.last() {
        Some(Unit::Dmf { inputs, .. }) => inputs,
        Some(Unit::Event { .. } | Unit::Detour { .. }) | None => &[],
    }
}

/// How two texts are related, the closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TextRelation {
    /// They are equal.
    Equal = 1,
    /// They are equal but for case.
    EqualButForCase = 2,
    /// One contains the other, regardless of case.
    Contains = 3,
}

/// How two texts are related; `None` if they are not.
pub(crate) fn text_relation(one: &str, other: &str) -> Option<TextRelation> {
    if one == other {
        return Some(TextRelation::Equal);
    }
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    if one == other {
        Some(TextRelation::EqualButForCase)
    } else if one.contains(&other) || other.contains(&one) {
        Some(TextRelation::Contains)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `0:ann 1:ann,bob`: DMFs with their texts.
    fn way_of(runs: &str) -> u64 {
        let unit = |run: &str| {
            let (dmf, texts) = run.split_once(':').unwrap();
            let drawn = |text: &str| DrawnText { text: text.to_owned(), class: None };
            let inputs = texts.split(',').filter(|text| !text.is_empty()).map(drawn).collect();
            Unit::Dmf { dmf: dmf.parse().unwrap(), name: String::new(), inputs }
        };
        cause_key(&runs.split(' ').map(unit).collect::<Vec<_>>())
    }

    #[test]
    fn only_what_has_to_do_with_the_object_counts() {
        let plain = way_of("0:ann 2:ann");
        assert_eq!(plain, way_of("0:eve 2:eve"), "whatever the object is called");
        assert_eq!(plain, way_of("0:bob 0:ann 1:bob,tom 2:ann"), "others were renamed");
        assert_ne!(plain, way_of("0:ann 0:bob 1:bob,ANN 2:ann"), "renamed to the same but for case");
        assert_ne!(plain, way_of("0:ann 0:anna 2:ann"), "one that extends it");
        assert_ne!(way_of("0:ann 3:"), way_of("0:ann 1:ann,bob 3:"), "without texts every DMF counts");
    }
}
