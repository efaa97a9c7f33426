//! Pictures with many pixels and few bytes, for tests of code that refuses large pictures.

/// Returns a grey PNG without allocating its pixels: a file of a megabyte has as many pixels as a square of 16,384.
#[doc(hidden)]
pub fn grey_png(width: u32, height: u32) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |name: &[u8; 4], data: &[u8]| {
        png.extend((data.len() as u32).to_be_bytes());
        let named = [name, data].concat();
        png.extend(&named);
        png.extend(crc32fast::hash(&named).to_be_bytes());
    };
    let head = [width.to_be_bytes(), height.to_be_bytes()].concat();
    chunk(b"IHDR", &[&head[..], &[8, 0, 0, 0, 0]].concat());
    chunk(b"IDAT", &deflated_zeros(u64::from(height) * (u64::from(width) + 1)));
    chunk(b"IEND", &[]);
    png
}

/// Returns a zlib stream of `count` zeros: one block of fixed codes with a zero and then repetitions of it.
fn deflated_zeros(count: u64) -> Vec<u8> {
    let (mut bytes, mut bits, mut filled) = (vec![0x78, 0x01], 0_u8, 0);
    let mut put = |code: &str| {
        for bit in code.bytes() {
            bits |= (bit - b'0') << filled;
            filled = (filled + 1) % 8;
            if filled == 0 {
                bytes.push(std::mem::take(&mut bits));
            }
        }
    };
    let zero = "00110000";
    put("110");
    put(zero);
    // Repeats 258 bytes from distance 1.
    (0..(count - 1) / 258).for_each(|_| put("1100010100000"));
    (0..(count - 1) % 258).for_each(|_| put(zero));
    put("0000000");
    put("0000000");
    // Both sums of Adler-32: one remains 1, the other counts the bytes.
    let adler = ((count % 65_521) as u32) << 16 | 1;
    bytes.extend(adler.to_be_bytes());
    bytes
}
