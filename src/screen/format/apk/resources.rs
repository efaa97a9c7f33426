//! The table of resources of an APK. Its first chunk is the pool of all strings that resources have as values.

use std::collections::BTreeSet;

use super::ApkError;
use super::chunks::{Chunks, STRINGS, strings as strings_of_pool};

const TABLE: usize = 0x0002;
/// Most strings that are read. Apps in a hundred languages have some hundred thousand.
const MOST: usize = 1 << 20;
/// Begin of the names of files, which are values of resources as well.
const FILES: &str = "res/";

/// The strings of a table, without the names of files.
pub(super) fn strings(table: &[u8]) -> Result<BTreeSet<String>, ApkError> {
    let chunks =
        Chunks::in_chunk(table, TABLE).ok_or(ApkError("its resources.arsc is no table of resources"))?;
    for chunk in chunks {
        let (kind, chunk) = chunk?;
        if kind == STRINGS {
            let mut strings = strings_of_pool(chunk, MOST)?;
            strings.retain(|text| !text.trim().is_empty() && !text.starts_with(FILES));
            return Ok(strings.into_iter().collect());
        }
    }
    Err(ApkError("its resources.arsc has no strings"))
}

#[cfg(test)]
mod tests {
    use super::super::chunks::tests::utf8_pool;
    use super::*;

    fn table(strings: &[&str]) -> Vec<u8> {
        let pool = utf8_pool(strings);
        let head = [2u16, 12].iter().flat_map(|half| half.to_le_bytes());
        let head = head.chain([12 + pool.len() as u32, 1].into_iter().flat_map(|word| word.to_le_bytes()));
        head.chain(pool).collect()
    }

    #[test]
    fn the_strings_are_read_without_the_names_of_files() {
        let read = strings(&table(&["Rename", "res/layout/main.xml", "", "L\u{f6}schen", "Rename"])).unwrap();
        assert!(read.iter().eq(["L\u{f6}schen", "Rename"]), "{read:?}");
    }

    #[test]
    fn a_damaged_table_is_an_error() {
        let whole = table(&["Rename", "Delete"]);
        for length in 0..whole.len() {
            assert!(strings(&whole[..length]).is_err(), "{length}");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            drop(std::hint::black_box(strings(&damaged)));
        }
        assert!(strings(&table(&[])).unwrap().is_empty());
    }
}
