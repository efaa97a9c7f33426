//! Extracting a PNG from other output, and repairing one that a terminal has damaged.

use std::borrow::Cow;

use super::lines::{excerpt, undo_crlf};
use super::picture::PictureError;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The signature after a terminal has changed each LF to CRLF.
const DAMAGED: &[u8] = b"\x89PNG\r\r\n\x1a\r\n";

/// Extracts the PNG from the answer of `screencap -p`, dropping warnings before it and anything after it. A PNG damaged
/// by a terminal is repaired and its checksums are verified.
///
/// # Errors
///
/// If there is no PNG or it is unusable.
pub fn png_file(bytes: &[u8]) -> Result<Cow<'_, [u8]>, PictureError> {
    if let Some(file) = from(bytes, SIGNATURE) {
        let length = file_length(file, false)?;
        return Ok(Cow::Borrowed(file.get(..length).unwrap_or(file)));
    }
    if let Some(damaged) = from(bytes, DAMAGED) {
        let mut file = undo_crlf(damaged);
        let length = file_length(&file, true)?;
        file.truncate(length);
        return Ok(Cow::Owned(file));
    }
    if bytes.is_empty() {
        return Err(PictureError::Empty);
    }
    let beginning = bytes.get(..400).unwrap_or(bytes);
    Err(PictureError::NoPng { excerpt: excerpt(&String::from_utf8_lossy(beginning)) })
}

fn from<'a>(bytes: &'a [u8], signature: &[u8]) -> Option<&'a [u8]> {
    let at = bytes.windows(signature.len()).position(|window| window == signature)?;
    bytes.get(at..)
}

/// The length up to the end of the last chunk. A chunk consists of length, name, data, and a checksum of name and data.
fn file_length(file: &[u8], compare: bool) -> Result<usize, PictureError> {
    let mut at = SIGNATURE.len();
    loop {
        let broken_off = |needed| PictureError::BrokenOff { received: file.len(), needed };
        let number = |at: usize| {
            let field: Option<[u8; 4]> =
                file.get(at..at.checked_add(4)?).and_then(|field| field.try_into().ok());
            field.map(u32::from_be_bytes)
        };
        let length = number(at).ok_or(broken_off(at + 12))? as usize;
        // The maximum that PNG allows.
        if length > 0x7fff_ffff {
            return Err(PictureError::Damaged { problem: "a part of it is impossibly long" });
        }
        let checked = file.get(at + 4..at + 8 + length).ok_or(broken_off(at + 12 + length))?;
        let checksum = number(at + 8 + length).ok_or(broken_off(at + 12 + length))?;
        if compare && checksum != crc32(checked) {
            return Err(PictureError::Damaged { problem: "a checksum does not fit" });
        }
        let name = checked.get(..4).unwrap_or_default();
        if at == SIGNATURE.len() && name != b"IHDR" {
            return Err(PictureError::Damaged { problem: "its header is missing" });
        }
        at += 12 + length;
        if name == b"IEND" {
            return Ok(at);
        }
    }
}

/// The CRC-32 that PNG uses.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    let step = |crc: u32, byte: &u8| {
        let entry = TABLE.get(((crc ^ u32::from(*byte)) & 0xff) as usize).copied().unwrap_or(0);
        entry ^ (crc >> 8)
    };
    !bytes.iter().fold(u32::MAX, step)
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut crc = at as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
            bit += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    #[test]
    fn the_checksum_is_the_known_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b"IEND"), 0xae42_6082);
    }

    #[test]
    fn the_old_devices_damaged_picture_is_repaired() {
        let Some(bytes) = test_data::bytes("screencap_via_shell_crlf.bin") else { return };
        assert_eq!(bytes.len(), 29_528);
        let repaired = png_file(&bytes).unwrap();
        assert_eq!(repaired.len(), 29_416);
        assert_eq!(repaired.get(..8), Some(SIGNATURE));
        assert_eq!(repaired.get(16..24), Some(&[0, 0, 3, 32, 0, 0, 2, 88][..]));
        assert_eq!(png_file(&repaired).unwrap(), repaired);
        let cut = bytes.get(..20_000).unwrap();
        assert!(matches!(png_file(cut), Err(PictureError::BrokenOff { .. })));
        let mut wrong = bytes.clone();
        wrong[5000] ^= 0x40;
        assert!(png_file(&wrong).is_err());
    }

    #[test]
    fn the_old_devices_pictures_stand_among_other_words() {
        let Some(folder) = test_data::android44() else { return };
        let mut read = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "png") {
                continue;
            }
            let file = std::fs::read(&path).unwrap();
            assert_eq!(png_file(&file).unwrap(), file, "{path:?}");
            let warning = b"[Warning] Multiple displays were found, but no display id was specified!\n";
            let among = [&warning[..], &file, b"\r\nrest"].concat();
            assert_eq!(png_file(&among).unwrap(), file, "{path:?}");
            let through_terminal: Vec<u8> = file
                .iter()
                .flat_map(|byte| if *byte == b'\n' { b"\r\n".to_vec() } else { vec![*byte] })
                .collect();
            assert_eq!(png_file(&through_terminal).unwrap(), file, "{path:?}");
            read += 1;
        }
        assert_eq!(read, 13);
    }

    #[test]
    fn what_is_no_png_is_said() {
        assert_eq!(png_file(b""), Err(PictureError::Empty));
        let said = png_file(b"error: closed\n").unwrap_err().to_string();
        assert_eq!(said, "the answer holds no PNG; it reads \"error: closed\"");
        assert!(matches!(png_file(SIGNATURE), Err(PictureError::BrokenOff { .. })));
        let headless = [SIGNATURE, &[0, 0, 0, 0], b"IEND", &0xae42_6082_u32.to_be_bytes()].concat();
        assert_eq!(png_file(&headless), Err(PictureError::Damaged { problem: "its header is missing" }));
        let long = [SIGNATURE, &[255; 40]].concat();
        assert!(matches!(png_file(&long), Err(PictureError::Damaged { .. })));
    }
}
