//! Parses the size of a picture from the parameters of an H.264 stream (ITU-T H.264, 7.3.2.1.1 and annex B).
//!
//! Servers before 4.0 report a rotation in no other way, and a decoder must not be given a size for which it would need
//! gigabytes.
//!
//! The bits are parsed by `h264-reader`. Its `SeqParameterSet` is not used because it rejects sets whose size exceeds
//! their level or whose usability information (VUI) is inconsistent. Whether such a stream can be shown is up to the
//! decoder; only the size matters here, and anything after it is not parsed.

use h264_reader::nal::sps::{ChromaFormat, ChromaInfo, SpsError};
use h264_reader::rbsp::{BitRead, BitReader, BitReaderError, ByteReader};
use taproof_screen::format::VideoSize;

/// The sizes in all sequence parameter sets of a part of a stream; `None` for a set that cannot be parsed.
pub(super) fn picture_sizes(stream: &[u8]) -> impl Iterator<Item = Option<VideoSize>> + '_ {
    units(stream)
        .filter(|unit| unit.first().is_some_and(|header| header & 0x1f == SEQUENCE_PARAMETERS))
        .map(|unit| SizeParameters::read(unit).ok()?.size())
}

const SEQUENCE_PARAMETERS: u8 = 7;
/// Limit on the macroblocks per side, above that of any level. Keeps sums of sizes far inside a `u32`.
const MOST_BLOCKS: u32 = 4096;

/// The units of a stream between their start codes, without trailing zeros.
fn units(stream: &[u8]) -> impl Iterator<Item = &[u8]> {
    let starts = || stream.windows(3).enumerate().filter(|(_, code)| *code == [0, 0, 1]).map(|(at, _)| at);
    let ends = starts().skip(1).chain(std::iter::once(stream.len()));
    starts().zip(ends).map(|(start, end)| {
        let unit = stream.get(start.saturating_add(3)..end).unwrap_or_default();
        let length = unit.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        unit.get(..length).unwrap_or_default()
    })
}

/// The fields of a sequence parameter set that determine the size, named as in the standard.
struct SizeParameters {
    chroma_format: ChromaFormat,
    pic_width_in_mbs_minus1: u32,
    pic_height_in_map_units_minus1: u32,
    frame_mbs_only: bool,
    /// The offsets at the left, right, top and bottom.
    frame_crop: Option<[u32; 4]>,
}

impl SizeParameters {
    /// Parses a unit, beginning with its header.
    fn read(unit: &[u8]) -> Result<SizeParameters, SpsError> {
        let mut bits = BitReader::new(ByteReader::skipping_h264_header(unit));
        let profile: u8 = bits.read::<8, _>("profile_idc")?;
        bits.skip(16, "constraint flags and level_idc")?;
        bits.read_ue("seq_parameter_set_id")?;
        let chroma_format = ChromaInfo::read(&mut bits, profile.into())?.chroma_format;
        bits.read_ue("log2_max_frame_num_minus4")?;
        skip_picture_order(&mut bits)?;
        bits.read_ue("max_num_ref_frames")?;
        bits.read_bit("gaps_in_frame_num_value_allowed_flag")?;
        let pic_width_in_mbs_minus1 = bits.read_ue("pic_width_in_mbs_minus1")?;
        let pic_height_in_map_units_minus1 = bits.read_ue("pic_height_in_map_units_minus1")?;
        let frame_mbs_only = bits.read_bit("frame_mbs_only_flag")?;
        if !frame_mbs_only {
            bits.read_bit("mb_adaptive_frame_field_flag")?;
        }
        bits.read_bit("direct_8x8_inference_flag")?;
        let frame_crop = match bits.read_bit("frame_cropping_flag")? {
            true => Some([
                bits.read_ue("frame_crop_left_offset")?,
                bits.read_ue("frame_crop_right_offset")?,
                bits.read_ue("frame_crop_top_offset")?,
                bits.read_ue("frame_crop_bottom_offset")?,
            ]),
            false => None,
        };
        Ok(SizeParameters {
            chroma_format,
            pic_width_in_mbs_minus1,
            pic_height_in_map_units_minus1,
            frame_mbs_only,
            frame_crop,
        })
    }

    /// The size in pixels; `None` if it is zero or beyond any level.
    fn size(&self) -> Option<VideoSize> {
        let (wide, high) = (self.pic_width_in_mbs_minus1, self.pic_height_in_map_units_minus1);
        if wide >= MOST_BLOCKS || high >= MOST_BLOCKS {
            return None;
        }
        // In interlaced streams a unit of height is a pair of macroblocks, one per field.
        let fields = if self.frame_mbs_only { 1 } else { 2 };
        // The number of pixels in a step of the cropping.
        let (across, down) = match self.chroma_format {
            ChromaFormat::YUV420 => (2, 2 * fields),
            ChromaFormat::YUV422 => (2, fields),
            ChromaFormat::Monochrome | ChromaFormat::YUV444 => (1, fields),
            ChromaFormat::Invalid(_) => return None,
        };
        let [left, right, top, bottom] = self.frame_crop.unwrap_or_default();
        let cropped = |side: u32, one: u32, other: u32, step: u32| {
            side.checked_sub(one.checked_add(other)?.checked_mul(step)?)
        };
        let width = cropped((wide + 1) * 16, left, right, across)?;
        let height = cropped((high + 1) * 16 * fields, top, bottom, down)?;
        (width > 0 && height > 0).then_some(VideoSize { width, height })
    }
}

/// Skips how frames are numbered and ordered.
fn skip_picture_order(bits: &mut impl BitRead) -> Result<(), BitReaderError> {
    match bits.read_ue("pic_order_cnt_type")? {
        0 => {
            bits.read_ue("log2_max_pic_order_cnt_lsb_minus4")?;
        }
        1 => {
            bits.read_bit("delta_pic_order_always_zero_flag")?;
            bits.read_ue("offset_for_non_ref_pic")?;
            bits.read_ue("offset_for_top_to_bottom_field")?;
            for _ in 0..bits.read_ue("num_ref_frames_in_pic_order_cnt_cycle")?.min(256) {
                bits.read_ue("offset_for_ref_frame")?;
            }
        }
        _ => {}
    }
    Ok(())
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

        /// The unit with its start code, its end, and the bytes that avoid start codes inside it.
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
        // Scaling lists: one given in full, one that ends at once, the others by default.
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
    fn a_size_beyond_its_level_is_read_all_the_same() {
        // Level 1 allows 99 macroblocks; this picture has 3,600.
        let level_1 = Writer::default().number(66, 8).number(0xc0, 8).number(10, 8).exponential(0);
        check(&end(level_1.exponential(0).exponential(2), (45, 80), false, None), Some((720, 1280)));
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
        // A unit may be followed by any number of zeros.
        let mut padded = end(plain(), (45, 80), false, None);
        padded.extend([0; 9]);
        check(&padded, Some((720, 1280)));
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
