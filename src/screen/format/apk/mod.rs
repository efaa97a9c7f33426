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
pub struct ApkError(
    /// What is wrong with it.
    pub &'static str,
);

const MANIFEST: &str = "AndroidManifest.xml";
const RESOURCES: &str = "resources.arsc";
/// Largest manifest in bytes. That of the largest apps has less than one megabyte.
const MAX_MANIFEST: u64 = 16 << 20;
/// Largest table of resources in bytes. That of apps in a hundred languages has about twenty megabytes.
const MAX_RESOURCES: u64 = 64 << 20;
/// Largest of the other files that are read, in bytes.
const MAX_FILE: u64 = 1 << 20;
const CUT_OFF: ApkError = ApkError("it is cut off or damaged");

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

/// Unpacks a file of at most so many bytes. The directory at the end of a ZIP says where each file is. The numbers are the
/// places of fields in PKWARE's `APPNOTE.TXT`, sections 4.3.7 (local header), 4.3.12 (entry) and 4.3.16 (end).
fn unpacked(apk: &[u8], wanted: &str, most: u64) -> Result<Option<Vec<u8>>, ApkError> {
    const END: &[u8] = b"PK\x05\x06";
    const END_LENGTH: usize = 22;
    const LONGEST_COMMENT: usize = 0xffff;
    const ENTRY: &[u8] = b"PK\x01\x02";
    const ENTRY_LENGTH: usize = 46;
    const LOCAL_LENGTH: usize = 30;
    let first = apk.len().saturating_sub(END_LENGTH + LONGEST_COMMENT);
    let (apk, tail) = (Bytes(apk), Bytes(apk).from(first)?);
    let end = tail.0.windows(END.len()).rposition(|window| window == END).ok_or(ApkError("it is no ZIP"))?;
    let end = Bytes(tail.slice(end, END_LENGTH)?);
    let mut entry = apk.from(end.size_at(16)?)?;
    while entry.0.starts_with(ENTRY) {
        let (name, extra, comment) = (entry.u16_at(28)?, entry.u16_at(30)?, entry.u16_at(32)?);
        if entry.slice(ENTRY_LENGTH, name)? == wanted.as_bytes() {
            let (method, size, local) =
                (entry.u16_at(10)?, entry.size_at(20)?, apk.from(entry.size_at(42)?)?);
            let data = LOCAL_LENGTH + local.u16_at(26)? + local.u16_at(28)?;
            return inflated(method, local.slice(data, size)?, most).map(Some);
        }
        entry = entry.from(ENTRY_LENGTH + name + extra + comment)?;
    }
    Ok(None)
}

fn inflated(method: usize, packed: &[u8], most: u64) -> Result<Vec<u8>, ApkError> {
    let mut data = Vec::new();
    let read = match method {
        0 => packed.take(most + 1).read_to_end(&mut data),
        8 => DeflateDecoder::new(packed).take(most + 1).read_to_end(&mut data),
        _ => return Err(ApkError("one of its files is compressed in an unknown way")),
    };
    match read {
        Ok(length) if length as u64 > most => Err(ApkError("one of its files is too large")),
        Ok(_) => Ok(data),
        Err(_) => Err(ApkError("one of its files is damaged")),
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
