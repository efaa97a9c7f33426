//! The executed code points of an app.

use std::cell::RefCell;

use taproof_screen::CodePoint;

/// Number of lines of a text in which each line ends.
pub(super) const fn line_count(text: &str) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < text.len() {
        count += (text.as_bytes()[at] == b'\n') as usize;
        at += 1;
    }
    count
}

/// The lines of such a text, of which there are `N`.
pub(super) const fn lines<const N: usize>(text: &'static str) -> [&'static str; N] {
    let mut lines = [""; N];
    let (mut rest, mut line, mut at) = (text, 0, 0);
    while at < rest.len() {
        if rest.as_bytes()[at] == b'\n' {
            let (one, others) = rest.split_at(at);
            (lines[line], line, at) = (one, line + 1, 0);
            rest = others.split_at(1).1;
        } else {
            at += 1;
        }
    }
    lines
}

/// A set of an app's code points. It can be filled through a shared reference, since views are created from shared
/// data.
#[derive(Clone, Debug, Default)]
pub(super) struct ExecutedPoints {
    /// A bit for each declared point, as far as any was executed.
    words: RefCell<Vec<u64>>,
}

impl ExecutedPoints {
    /// Adds a point, unless the app has not declared it.
    pub fn insert(&self, declared: &[&str], point: &str) {
        if let Ok(place) = declared.binary_search(&point) {
            let mut words = self.words.borrow_mut();
            if words.len() <= place / 64 {
                words.resize(place / 64 + 1, 0);
            }
            words[place / 64] |= 1 << (place % 64);
        }
    }

    /// Returns all points and clears the set.
    pub fn take(&self) -> impl Iterator<Item = CodePoint> + use<> {
        let taken = self.words.take();
        taken.into_iter().zip(0u32..).filter(|(word, _)| *word != 0).flat_map(|(word, place)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| CodePoint(place * 64 + bit))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_where_they_end() {
        const TEXT: &str = "a.b\nc\n";
        assert_eq!(lines::<{ line_count(TEXT) }>(TEXT), ["a.b", "c"]);
    }

    #[test]
    fn any_number_of_declared_points_is_taken_once() {
        let names: Vec<String> = (0..1000).map(|number| format!("{number:04}")).collect();
        let declared: Vec<&str> = names.iter().map(String::as_str).collect();
        let executed = ExecutedPoints::default();
        for point in ["0999", "0003", "unknown", "0064"] {
            executed.insert(&declared, point);
        }
        let taken: Vec<u32> = executed.take().map(|point| point.0).collect();
        assert_eq!(taken, [3, 64, 999]);
        assert_eq!(executed.take().count(), 0);
    }
}
