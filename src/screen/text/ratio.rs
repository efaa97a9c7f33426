//! How alike two texts are.

use std::collections::BTreeMap;

/// Returns how alike two texts are, from 0 to 1: (|a| + |b| - d) / (|a| + |b|), where d is the least number of
/// insertions and deletions between them; 1 for two empty texts. For texts too long for this, common characters count
/// in any order, so the result is never too small.
pub fn ratio(one: &str, other: &str) -> f64 {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let total = one.len() + other.len();
    if total == 0 { 1.0 } else { (2 * common_characters(&one, &other)) as f64 / total as f64 }
}

/// Largest number of 64-bit words that are computed for two texts: enough for 50,000 characters each.
const MOST_CELLS: usize = 1 << 26;

/// Upper bound of the length of a longest common subsequence.
fn common_in_any_order(one: &[char], other: &[char]) -> usize {
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for character in one {
        *counts.entry(*character).or_default() += 1;
    }
    let take = |character: &&char| match counts.get_mut(character) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        Some(_) | None => false,
    };
    other.iter().filter(take).count()
}

/// Returns the length of a longest common subsequence, computed 64 cells at once (Hyyrö 2004): a clear bit of a row
/// marks a cell at which the length grows. Returns an upper bound if the texts are too long.
fn common_characters(one: &[char], other: &[char]) -> usize {
    let words = one.len().div_ceil(64);
    let mut alphabet: Vec<char> = one.to_vec();
    alphabet.sort_unstable();
    alphabet.dedup();
    if words * other.len() > MOST_CELLS || words * alphabet.len() > MOST_CELLS / 16 {
        return common_in_any_order(one, other);
    }
    let mut places = vec![0u64; alphabet.len() * words];
    for (at, character) in one.iter().enumerate() {
        if let Ok(letter) = alphabet.binary_search(character) {
            places[letter * words + at / 64] |= 1 << (at % 64);
        }
    }
    let mut row = vec![u64::MAX; words];
    for character in other {
        let Ok(letter) = alphabet.binary_search(character) else { continue };
        let mut carry = false;
        for (word, place) in row.iter_mut().zip(&places[letter * words..]) {
            let matched = *word & place;
            let (sum, over) = word.overflowing_add(matched);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            carry = over | again;
            *word = sum | (*word & !place);
        }
    }
    let cells = one.len();
    let clear = |(at, word): (usize, &u64)| {
        let used = (cells - at * 64).min(64);
        let mask = if used == 64 { u64::MAX } else { (1 << used) - 1 };
        (!word & mask).count_ones() as usize
    };
    row.iter().enumerate().map(clear).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_of_the_reference() {
        assert_eq!(ratio("kitten", "sitting"), 8.0 / 13.0);
        assert_eq!(ratio("abc", "abd"), 2.0 / 3.0);
        assert_eq!((ratio("", ""), ratio("abc", ""), ratio("same", "same")), (1.0, 0.0, 1.0));
        let long: String = ('a'..='z').cycle().take(300).collect();
        assert_eq!(ratio(&long, &long[..150]), 300.0 / 450.0, "more than one word of bits");
        let huge = "ab".repeat(60_000);
        assert_eq!((ratio(&huge, &huge), ratio(&huge, "xy")), (1.0, 0.0));
        assert_eq!(ratio(&huge, &"ba".repeat(60_000)), 1.0, "too long for the order to count");
    }
}
