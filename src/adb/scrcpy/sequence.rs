//! The size of a picture as the parameters of an H.264 stream say it (ITU-T H.264, 7.3.2.1.1 and annex B).
//!
//! A server before 4.0 tells a rotation in no other way, and a decoder must not be given a size that it would need
//! gigabytes for.

use taproof_core::format::VideoSize;

/// The sizes in all sequence parameter sets of a piece of a stream; `None` stands for a set that cannot be read.
pub(super) fn picture_sizes(stream: &[u8]) -> impl Iterator<Item = Option<VideoSize>> + '_ {
    units(stream).filter_map(|unit| match unit.split_first() {
        Some((header, body)) if header & 0x1f == SEQUENCE_PARAMETERS => Some(picture_size(body)),
        _ => None,
    })
}

const SEQUENCE_PARAMETERS: u8 = 7;
/// Profiles whose parameter sets say more of colours than 4:2:0 with 8 bits.
const PROFILES_WITH_COLOURS: [u32; 13] = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];
/// More than any level allows; keeps sums of sizes far inside a `u32`.
const MOST_BLOCKS: u32 = 4096;

/// The units of a stream between their start codes (three bytes; a fourth, zero, belongs to the unit before).
fn units(stream: &[u8]) -> impl Iterator<Item = &[u8]> {
    let starts = || stream.windows(3).enumerate().filter(|(_, code)| *code == [0, 0, 1]).map(|(at, _)| at);
    let ends = starts().skip(1).chain(std::iter::once(stream.len()));
    starts().zip(ends).map(|(start, end)| stream.get(start.saturating_add(3)..end).unwrap_or_default())
}

fn picture_size(body: &[u8]) -> Option<VideoSize> {
    let mut bits = Bits { bytes: body, at: 0, byte: 0, left: 0, zeros: 0 };
    let profile = bits.number(8)?;
    // Constraints and level.
    bits.number(16)?;
    bits.exponential()?;
    let mut chroma = 1;
    if PROFILES_WITH_COLOURS.contains(&profile) {
        chroma = bits.exponential()?;
        skip_colours(&mut bits, chroma)?;
    }
    skip_order(&mut bits)?;
    // The number of reference frames, and whether numbers may be left out.
    bits.exponential()?;
    bits.number(1)?;
    let width_blocks = bits.exponential()?.checked_add(1)?;
    let height_units = bits.exponential()?.checked_add(1)?;
    if width_blocks > MOST_BLOCKS || height_units > MOST_BLOCKS {
        return None;
    }
    // Without this flag a unit of height is a pair of blocks, one for each field.
    let fields = 2 - bits.number(1)?;
    if fields == 2 {
        bits.number(1)?;
    }
    bits.number(1)?;
    let (across, down) = match chroma {
        1 => (2, 2 * fields),
        2 => (2, fields),
        0 | 3 => (1, fields),
        _ => return None,
    };
    let (mut width, mut height) = (width_blocks * 16, height_units * 16 * fields);
    if bits.number(1)? == 1 {
        let (left, right) = (bits.exponential()?, bits.exponential()?);
        let (top, bottom) = (bits.exponential()?, bits.exponential()?);
        width = width.checked_sub(left.checked_add(right)?.checked_mul(across)?)?;
        height = height.checked_sub(top.checked_add(bottom)?.checked_mul(down)?)?;
    }
    (width > 0 && height > 0).then_some(VideoSize { width, height })
}

fn skip_colours(bits: &mut Bits<'_>, chroma: u32) -> Option<()> {
    if chroma == 3 {
        bits.number(1)?;
    }
    // The depths of brightness and colours, and a flag.
    bits.exponential()?;
    bits.exponential()?;
    bits.number(1)?;
    if bits.number(1)? == 1 {
        for list in 0..if chroma == 3 { 12 } else { 8 } {
            if bits.number(1)? == 1 {
                skip_scaling_list(bits, if list < 6 { 16 } else { 64 })?;
            }
        }
    }
    Some(())
}

fn skip_scaling_list(bits: &mut Bits<'_>, entries: usize) -> Option<()> {
    let mut last: i64 = 8;
    for _ in 0..entries {
        // A signed number n is coded as 2n - 1, or as -2n.
        let coded = i64::from(bits.exponential()?);
        let change = if coded % 2 == 1 { coded / 2 + 1 } else { -(coded / 2) };
        last = (last + change).rem_euclid(256);
        if last == 0 {
            break;
        }
    }
    Some(())
}

/// How frames are numbered and ordered.
fn skip_order(bits: &mut Bits<'_>) -> Option<()> {
    bits.exponential()?;
    match bits.exponential()? {
        0 => {
            bits.exponential()?;
        }
        1 => {
            bits.number(1)?;
            bits.exponential()?;
            bits.exponential()?;
            for _ in 0..bits.exponential()?.min(256) {
                bits.exponential()?;
            }
        }
        _ => {}
    }
    Some(())
}

/// Bits from the highest down, over the bytes of a unit without those that only keep start codes out of it.
struct Bits<'b> {
    bytes: &'b [u8],
    at: usize,
    byte: u8,
    left: u32,
    zeros: u32,
}

impl Bits<'_> {
    fn bit(&mut self) -> Option<u32> {
        if self.left == 0 {
            let mut byte = *self.bytes.get(self.at)?;
            if self.zeros >= 2 && byte == 3 {
                self.at += 1;
                self.zeros = 0;
                byte = *self.bytes.get(self.at)?;
            }
            self.zeros = if byte == 0 { self.zeros + 1 } else { 0 };
            (self.byte, self.left) = (byte, 8);
            self.at += 1;
        }
        self.left -= 1;
        Some(u32::from(self.byte >> self.left & 1))
    }

    fn number(&mut self, bits: u32) -> Option<u32> {
        (0..bits).try_fold(0, |number: u32, _| Some(number << 1 | self.bit()?))
    }

    /// A number as n zeros, a one, and n more bits. At most 31: what this file reads is smaller by far.
    fn exponential(&mut self) -> Option<u32> {
        let mut zeros = 0;
        while self.bit()? == 0 {
            zeros += 1;
            if zeros > 31 {
                return None;
            }
        }
        Some((1u32 << zeros) - 1 + self.number(zeros)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes parameter sets bit by bit, as an encoder would.
    #[derive(Default)]
    pub struct Writer {
        bits: Vec<u8>,
    }

    impl Writer {
        fn number(mut self, value: u32, bits: u32) -> Self {
            self.bits.extend((0..bits).rev().map(|bit| (value >> bit & 1) as u8));
            self
        }

        fn exponential(self, value: u32) -> Self {
            let bits = 32 - (value + 1).leading_zeros();
            self.number(0, bits - 1).number(value + 1, bits)
        }

        /// The unit with its start code, its end, and the bytes that keep start codes out of it.
        fn unit(self) -> Vec<u8> {
            let whole = self.number(1, 1);
            let bytes = whole
                .bits
                .chunks(8)
                .map(|bits| bits.iter().enumerate().fold(0, |byte, (place, bit)| byte | bit << (7 - place)));
            let mut unit = vec![0, 0, 0, 1, 0x67];
            for byte in bytes {
                if byte <= 3 && unit.ends_with(&[0, 0]) {
                    unit.push(3);
                }
                unit.push(byte);
            }
            unit
        }
    }

    fn check(unit: &[u8], expected: Option<(u32, u32)>) {
        let sizes: Vec<_> = picture_sizes(unit).collect();
        assert_eq!(sizes, [expected.map(|(width, height)| VideoSize { width, height })]);
    }

    fn baseline() -> Writer {
        Writer::default().number(66, 8).number(0xc0, 8).number(31, 8).exponential(0)
    }

    fn end(writer: Writer, blocks: (u32, u32), fields: bool, crop: Option<[u32; 4]>) -> Vec<u8> {
        let writer = writer.exponential(1).number(0, 1).exponential(blocks.0 - 1).exponential(blocks.1 - 1);
        let writer = if fields { writer.number(0, 2) } else { writer.number(1, 1) };
        let writer = writer.number(1, 1).number(u32::from(crop.is_some()), 1);
        crop.into_iter().flatten().fold(writer, Writer::exponential).number(0, 1).unit()
    }

    #[test]
    fn reads_sizes_with_and_without_cropping() {
        let plain = || baseline().exponential(0).exponential(2);
        check(&end(plain(), (45, 80), false, None), Some((720, 1280)));
        check(&end(plain(), (68, 150), false, Some([0, 4, 0, 0])), Some((1080, 2400)));
        check(&end(plain(), (120, 68), false, Some([0, 0, 0, 4])), Some((1920, 1080)));
        check(&end(plain(), (120, 34), true, Some([0, 0, 0, 2])), Some((1920, 1080)));
        check(&end(plain(), (4096, 4096), false, None), Some((65536, 65536)));
    }

    #[test]
    fn reads_the_orders_and_the_profiles() {
        let order_0 = baseline().exponential(4).exponential(0).exponential(4);
        check(&end(order_0, (45, 80), false, None), Some((720, 1280)));
        let order_1 = baseline().exponential(0).exponential(1).number(1, 1).exponential(6).exponential(7);
        let order_1 = order_1.exponential(2).exponential(9).exponential(10);
        check(&end(order_1, (45, 80), false, None), Some((720, 1280)));
        let high = || Writer::default().number(100, 8).number(0, 8).number(41, 8).exponential(0);
        let simple = high().exponential(1).exponential(0).exponential(0).number(0, 2);
        check(
            &end(simple.exponential(0).exponential(2), (68, 150), false, Some([0, 4, 0, 0])),
            Some((1080, 2400)),
        );
        // Scaling lists: one written out, one that ends at once, the others by default.
        let mut lists =
            high().exponential(1).exponential(0).exponential(0).number(0, 1).number(1, 1).number(1, 1);
        for _ in 0..16 {
            lists = lists.exponential(1);
        }
        let lists = lists.number(1, 1).exponential(16).number(0, 6).exponential(0).exponential(2);
        check(&end(lists, (45, 80), false, None), Some((720, 1280)));
        let full = high().exponential(3).number(0, 1).exponential(0).exponential(0).number(0, 2);
        check(
            &end(full.exponential(0).exponential(2), (68, 150), false, Some([0, 8, 0, 0])),
            Some((1080, 2400)),
        );
    }

    #[test]
    fn refuses_what_is_no_size() {
        let plain = || baseline().exponential(0).exponential(2);
        check(&end(plain(), (45, 80), false, Some([300, 300, 0, 0])), None);
        check(&end(plain(), (45, 80), false, Some([360, 0, 0, 0])), None);
        check(&end(plain(), (4097, 80), false, None), None);
        check(&end(plain(), (45, 1 << 30), false, None), None);
        check(&[0, 0, 1, 0x67], None);
        check(&[0, 0, 1, 0x67, 66, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], None);
        check(&[0, 0, 1, 0x67, 100, 0xff, 0xff, 0xff, 0, 0, 3], None);
        assert_eq!(picture_sizes(&[]).count(), 0);
        assert_eq!(picture_sizes(&[0, 0, 1]).count(), 0);
        assert_eq!(picture_sizes(&[0, 0, 1, 0x68, 7]).count(), 0);
    }

    #[test]
    fn reads_every_set_and_no_bytes_make_it_panic() {
        let plain = || baseline().exponential(0).exponential(2);
        let mut stream = end(plain(), (45, 80), false, None);
        stream.extend([0, 0, 0, 1, 0x68, 0xce, 0x38, 0x80]);
        stream.extend(end(plain(), (80, 45), false, None));
        let sizes: Vec<_> = picture_sizes(&stream).flatten().map(|size| (size.width, size.height)).collect();
        assert_eq!(sizes, [(720, 1280), (1280, 720)]);
        let mut state = 1u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let mut bytes = stream.clone();
            let at = (state >> 33) as usize % bytes.len();
            bytes[at] = (state >> 20) as u8;
            bytes.truncate((state >> 45) as usize % (bytes.len() + 1));
            assert!(picture_sizes(&bytes).count() <= 3);
        }
    }
}
