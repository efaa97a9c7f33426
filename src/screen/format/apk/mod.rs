//! What an APK says of its app. An APK is a ZIP; its manifest and its table of resources are files of Android's binary
//! formats, which consist of nested chunks (`ResourceTypes.h` of Android). All numbers are little-endian.

mod chunks;
mod manifest;
mod resources;

use std::collections::BTreeSet;
use std::io::Read;

use flate2::read::DeflateDecoder;

use chunks::Bytes;
pub use manifest::{ApkManifest, ApkService};

/// Why an APK cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the APK cannot be read: {0}")]
pub struct ApkError(&'static str);

const MANIFEST: &str = "AndroidManifest.xml";
const RESOURCES: &str = "resources.arsc";
/// Largest manifest in bytes. That of the largest apps has less than one megabyte.
const MAX_MANIFEST: u64 = 16 << 20;
/// Largest table of resources in bytes. That of apps in a hundred languages has about twenty megabytes.
const MAX_RESOURCES: u64 = 64 << 20;
/// Largest of the other files that are read, in bytes.
const MAX_FILE: u64 = 1 << 20;
const CUT_OFF: ApkError = ApkError("it is cut off");

/// Reads the manifest of an APK.
///
/// # Errors
///
/// What is wrong with the file.
pub fn manifest_of_apk(apk: &[u8]) -> Result<ApkManifest, ApkError> {
    let packed = unpacked(apk, MANIFEST, MAX_MANIFEST)?;
    manifest::read(&packed.ok_or(ApkError("it has no AndroidManifest.xml"))?)
}

/// Reads the string resources of an APK, in all languages: the strings of its table of resources, as `aapt2 dump strings`
/// prints them, without the names of files. Empty if it has no table.
///
/// # Errors
///
/// What is wrong with the file.
pub fn strings_of_apk(apk: &[u8]) -> Result<BTreeSet<String>, ApkError> {
    match unpacked(apk, RESOURCES, MAX_RESOURCES)? {
        Some(table) => resources::strings(&table),
        None => Ok(BTreeSet::new()),
    }
}

/// Reads one small file of an APK. `None` if it has none with this name.
///
/// # Errors
///
/// What is wrong with the APK.
pub fn file_of_apk(apk: &[u8], name: &str) -> Result<Option<Vec<u8>>, ApkError> {
    unpacked(apk, name, MAX_FILE)
}

/// Unpacks a file of at most so many bytes. The directory at the end of a ZIP says where each file is.
fn unpacked(apk: &[u8], wanted: &str, most: u64) -> Result<Option<Vec<u8>>, ApkError> {
    const END: &[u8] = b"PK\x05\x06";
    const END_LENGTH: usize = 22;
    const LONGEST_COMMENT: usize = 0xffff;
    let first = apk.len().saturating_sub(END_LENGTH + LONGEST_COMMENT);
    let tail = apk.get(first..).unwrap_or_default();
    let end = tail.windows(END.len()).rposition(|window| window == END).ok_or(ApkError("it is no ZIP"))?;
    let end = Bytes(tail).from(end).filter(|end| end.0.len() >= END_LENGTH);
    let directory = end.and_then(|end| end.size(16)).ok_or(CUT_OFF)?;
    let mut entry = Bytes(apk).from(directory).ok_or(CUT_OFF)?;
    while entry.0.starts_with(b"PK\x01\x02") {
        // The lengths of the name, of the extra field and of the comment.
        let [Some(name), Some(extra), Some(comment)] = [28, 30, 32].map(|at| entry.half(at)) else {
            return Err(CUT_OFF);
        };
        if entry.0.get(46..46 + name) == Some(wanted.as_bytes()) {
            let (method, packed) = packed_file(Bytes(apk), entry).ok_or(CUT_OFF)?;
            return inflated(method, packed, most).map(Some);
        }
        entry = entry.from(46 + name + extra + comment).ok_or(CUT_OFF)?;
    }
    Ok(None)
}

/// How the file of an entry is compressed, and its data.
fn packed_file<'b>(apk: Bytes<'b>, entry: Bytes<'_>) -> Option<(usize, &'b [u8])> {
    let (method, size, local) = (entry.half(10)?, entry.size(20)?, apk.from(entry.size(42)?)?);
    let begin = 30 + local.half(26)? + local.half(28)?;
    Some((method, local.0.get(begin..begin.checked_add(size)?)?))
}

fn inflated(method: usize, packed: &[u8], most: u64) -> Result<Vec<u8>, ApkError> {
    const DAMAGED: ApkError = ApkError("one of its files is damaged");
    let mut data = Vec::new();
    let read = match method {
        0 => packed.take(most + 1).read_to_end(&mut data),
        8 => DeflateDecoder::new(packed).take(most + 1).read_to_end(&mut data),
        _ => return Err(ApkError("one of its files is compressed in an unknown way")),
    };
    match read {
        Ok(length) if length as u64 > most => Err(ApkError("one of its files is too large")),
        Ok(_) => Ok(data),
        Err(_) => Err(DAMAGED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_apk_is_refused() {
        for (bytes, problem) in [
            (&b""[..], "no ZIP"),
            (b"PK\x05\x06", "cut off"),
            (b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "no AndroidManifest.xml"),
        ] {
            assert!(manifest_of_apk(bytes).unwrap_err().to_string().contains(problem), "{problem}");
        }
    }

    #[test]
    fn a_file_may_not_be_larger_than_expected() {
        assert!(inflated(0, &[7; 9], 8).unwrap_err().to_string().contains("too large"));
        assert_eq!(inflated(0, &[7; 8], 8).unwrap(), [7; 8]);
        assert!(inflated(8, &[7; 8], 8).unwrap_err().to_string().contains("damaged"));
        assert!(inflated(9, &[], 8).unwrap_err().to_string().contains("unknown way"));
    }
}
