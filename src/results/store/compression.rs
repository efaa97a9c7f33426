//! Compression of what the database would hold much of.

use std::io::{Read, Result, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// What compressed bytes begin with.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Compresses bytes.
pub(super) fn packed(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Unpacks bytes, at most so many. Fails if they are damaged.
pub(super) fn unpacked(packed: &[u8], most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    GzDecoder::new(packed).take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether bytes look compressed.
pub(super) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_and_damage_is_noticed() {
        let bytes = vec![7; 10_000];
        let small = packed(&bytes).unwrap();
        assert!(small.len() < 100 && is_packed(&small) && !is_packed(&bytes));
        assert_eq!(unpacked(&small, 10_000).unwrap(), bytes);
        assert_eq!(unpacked(&small, 10).unwrap().len(), 10);
        assert!(unpacked(&small[..small.len() / 2], 10_000).is_err() && unpacked(b"x", 10).is_err());
    }
}
