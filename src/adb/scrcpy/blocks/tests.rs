//! Encodes pictures of the bundled apps with encoders of several kinds, and measures how much compression and real
//! changes alter the blocks.

use std::sync::Arc;

use openh264::OpenH264API;
use openh264::encoder::{
    BitRate, Encoder, EncoderConfig, FrameRate, FrameType, QpRange, RateControlMode, UsageType,
};
use openh264::formats::{RgbaSliceU8, YUVBuffer};

use super::super::{Decoder, PacketKind, VideoPacket};
use super::*;
use taproof_engine::device::{AppData, AppId, Device, Screenshot};
use taproof_phone::apps::{APPS, phone_with};
use taproof_phone::{BugSet, Fonts};

/// The size of the frames for a screen of 1080x1920.
const SIZE: (u32, u32) = (720, 1280);

/// The first screen of each bundled app, and one of them with dark colours.
fn screens() -> Vec<(&'static str, Screenshot)> {
    let fonts = Arc::new(Fonts::new());
    let screen = |package: &'static str| {
        let mut phone = phone_with(&fonts, package, &BugSet::of([]));
        phone.launch(&AppId(package.to_owned()), AppData::Keep).unwrap();
        (package, phone.screenshot().unwrap())
    };
    let mut screens: Vec<_> = APPS.iter().map(|app| screen(app.manifest().package)).collect();
    let Screenshot { size, rgba } = screens[0].1.clone();
    let dark = rgba.chunks_exact(4).flat_map(|pixel| [255 - pixel[0], 255 - pixel[1], 255 - pixel[2], 255]);
    screens.push(("dark", Screenshot { size, rgba: Arc::new(dark.collect()) }));
    screens
}

/// The picture scaled to a frame of scrcpy.
fn frame(picture: &Screenshot) -> YUVBuffer {
    let (width, height) = (picture.size.width as u32, picture.size.height as u32);
    let image = image::RgbaImage::from_raw(width, height, picture.rgba.to_vec()).unwrap();
    let small = image::DynamicImage::ImageRgba8(image).thumbnail_exact(SIZE.0, SIZE.1).into_rgba8();
    YUVBuffer::from_rgba8_source(RgbaSliceU8::new(&small, (SIZE.0 as usize, SIZE.1 as usize)))
}

/// Returns the picture with a bar of this size and colour at the place.
fn with_bar(picture: &Screenshot, at: (usize, usize), size: (usize, usize), colour: [u8; 3]) -> Screenshot {
    let mut rgba = picture.rgba.to_vec();
    let across = picture.size.width as usize;
    for row in at.1..at.1 + size.1 {
        for column in at.0..at.0 + size.0 {
            rgba[(row * across + column) * 4..][..3].copy_from_slice(&colour);
        }
    }
    Screenshot { size: picture.size, rgba: Arc::new(rgba) }
}

/// A good encoder, one with few bits, and one that produces coarse frames.
fn encoders() -> [(&'static str, Encoder); 3] {
    let config = EncoderConfig::new().usage_type(UsageType::CameraVideoRealTime).skip_frames(false);
    let bits = config
        .skip_frames(true)
        .rate_control_mode(RateControlMode::Bitrate)
        .max_frame_rate(FrameRate::from_hz(30.0));
    let made = |config| Encoder::with_api_config(OpenH264API::from_source(), config).unwrap();
    [
        ("constant", made(config.rate_control_mode(RateControlMode::Off))),
        ("4 Mbit/s", made(bits.bitrate(BitRate::from_bps(4_000_000)))),
        ("coarse", made(bits.bitrate(BitRate::from_bps(4_000_000)).qp(QpRange::new(36, 40)))),
    ]
}

struct Film {
    encoder: Encoder,
    decoder: Decoder,
}

impl Film {
    /// The first frame that the encoder yields: an encoder that has used up its bits skips some.
    fn show(&mut self, frame: &YUVBuffer) -> Blocks {
        for _ in 0..30 {
            let encoded = self.encoder.encode(frame).unwrap();
            let kind = match encoded.frame_type() {
                FrameType::IDR => PacketKind::Key,
                FrameType::Skip => continue,
                _ => PacketKind::Delta,
            };
            let packet = VideoPacket { kind, pts_micros: 0, data: encoded.to_vec() };
            return self.decoder.glance(&packet, |_| false).unwrap().unwrap().blocks;
        }
        panic!("nothing is encoded");
    }
}

#[test]
fn the_losses_of_a_still_screen_are_no_change_and_a_cursor_is_one() {
    let screens = screens();
    let (mut loudest, mut coarsest, mut faintest) = (0, 0, u8::MAX);
    for (name, encoder) in encoders() {
        let mut film = Film { encoder, decoder: Decoder::new() };
        for (app, picture) in &screens {
            let still = frame(picture);
            let first = film.show(&still);
            // A key frame in between has other losses.
            let noise = (0..12).map(|number| {
                if number == 6 {
                    film.encoder.force_intra_frame();
                }
                film.show(&still).difference(&first)
            });
            let noise = noise.max().unwrap();
            // A cursor as Android draws it at this density, at every offset between two blocks.
            let colour = [0x3d, 0x5a, 0xfe];
            let shift = |step: usize| with_bar(picture, (300 + step * 3, 900), (5, 62), colour);
            let cursor = (0..4).map(|step| film.show(&frame(&shift(step))).difference(&first)).min().unwrap();
            println!("{app}, {name}: noise {noise}, cursor {cursor}");
            let most = if name == "coarse" { &mut coarsest } else { &mut loudest };
            *most = noise.max(*most);
            faintest = faintest.min(cursor);
        }
    }
    let said = format!("noise up to {loudest} and {coarsest}, cursors from {faintest}");
    assert!(loudest * 2 <= VISIBLE && coarsest < VISIBLE && faintest >= VISIBLE, "{said}");
}

#[test]
fn pictures_of_other_sizes_differ() {
    let blocks = |size, mean| Blocks { size, means: vec![[mean; 3]; 4] };
    assert_eq!(blocks((16, 16), 100).difference(&blocks((16, 16), 90)), 10);
    assert!(!blocks((16, 16), 100).visibly_differ(&blocks((16, 16), 100 + VISIBLE - 1)));
    assert!(blocks((16, 16), 100).visibly_differ(&blocks((16, 16), 100 + VISIBLE)));
    assert!(blocks((16, 16), 1).visibly_differ(&blocks((32, 8), 1)));
}

#[test]
fn blocks_at_the_edges_are_smaller() {
    let plane: Vec<u8> = (0..10).flat_map(|row| (0..12).map(move |column| row * 10 + column)).collect();
    // Two blocks of 8 and 3 columns, in rows of 8 and 2; the last column is padding.
    let means = plane_means(&plane, 12, (11, 10), 8).unwrap();
    assert_eq!(means, [38, 44, 88, 94]);
    assert_eq!(plane_means(&plane, 12, (13, 10), 8), None);
    assert_eq!(plane_means(&plane, 12, (12, 11), 8), None);
    assert_eq!(plane_means(&plane, 12, (0, 10), 8), None);
}
