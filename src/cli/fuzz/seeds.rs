//! Seeds in options and in the files of matrices.

use std::ops::RangeInclusive;

/// A range of seeds such as `1..5`, or one seed.
///
/// # Errors
///
/// What is wrong with the text, in words.
pub fn parse_seeds(text: &str) -> Result<RangeInclusive<u64>, String> {
    let wrong = || format!("{text:?} is not of the form 1..5");
    let number = |part: &str| part.parse::<u64>().map_err(|_| wrong());
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let seeds = number(first)?..=number(last)?;
    if seeds.is_empty() { Err(format!("{text:?} has no seed")) } else { Ok(seeds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_a_range_or_one() {
        assert_eq!(parse_seeds("1..5"), Ok(1..=5));
        assert_eq!(parse_seeds("7"), Ok(7..=7));
        assert!(parse_seeds("5..1").unwrap_err().contains("no seed"));
        assert!(parse_seeds("a..5").unwrap_err().contains("1..5"));
    }
}
