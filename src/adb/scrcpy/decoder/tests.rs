//! Decodes streams that the same library's encoder produced and that are framed as servers frame them.

use openh264::encoder::{Encoder, EncoderConfig, FrameType, Profile, RateControlMode, UsageType};
use openh264::formats::YUVBuffer;
use openh264::nal_units;

use super::super::tests::scripted::Scripted;
use super::super::{VideoEvent, VideoOpening, VideoReader};
use super::*;
use taproof_screen::format::{ServerVersion, VideoSize};

/// The colours of the quarters of frame `step`: brightness, blue and red differences.
fn colour(quarter: usize, step: usize) -> (u8, u8, u8) {
    let colours = [(82, 90, 240), (145, 54, 34), (41, 240, 110), (210, 16, 146)];
    colours[(quarter + step) % colours.len()]
}

fn frame(width: usize, height: usize, step: usize) -> YUVBuffer {
    let plane = |across: usize, down: usize, part: fn((u8, u8, u8)) -> u8| -> Vec<u8> {
        (0..across * down)
            .map(|at| {
                let (right, low) = (at % across >= across / 2, at / across >= down / 2);
                part(colour(usize::from(right) + 2 * usize::from(low), step))
            })
            .collect()
    };
    let mut bytes = plane(width, height, |colour| colour.0);
    bytes.extend(plane(width / 2, height / 2, |colour| colour.1));
    bytes.extend(plane(width / 2, height / 2, |colour| colour.2));
    YUVBuffer::from_vec(bytes, width, height)
}

fn encoder(profile: Profile) -> Encoder {
    let config = EncoderConfig::new()
        .usage_type(UsageType::CameraVideoRealTime)
        .rate_control_mode(RateControlMode::Off)
        .skip_frames(false)
        .scene_change_detect(false)
        .adaptive_quantization(false)
        .background_detection(false)
        .profile(profile);
    Encoder::with_api_config(OpenH264API::from_source(), config).unwrap()
}

/// An encoded frame: its parameters (empty in most frames), the rest, and whether it is a key frame.
struct Encoded {
    config: Vec<u8>,
    data: Vec<u8>,
    key: bool,
}

fn encode(encoder: &mut Encoder, frame: &YUVBuffer) -> Encoded {
    let stream = encoder.encode(frame).unwrap();
    let key = matches!(stream.frame_type(), FrameType::IDR);
    let bytes = stream.to_vec();
    let mut encoded = Encoded { config: Vec::new(), data: Vec::new(), key };
    for unit in nal_units(&bytes) {
        let start = if unit.starts_with(&[0, 0, 0, 1]) { 4 } else { 3 };
        let parameters = matches!(unit[start] & 0x1f, 7 | 8);
        if parameters { &mut encoded.config } else { &mut encoded.data }.extend_from_slice(unit);
    }
    encoded
}

/// The frames of one session: five upright, five sideways, three upright again.
fn walk() -> Vec<(usize, usize)> {
    [[(720, 1280)].repeat(5), [(1280, 720)].repeat(5), [(720, 1280)].repeat(3)].concat()
}

fn put_packet(stream: &mut Vec<u8>, flags: u64, payload: &[u8]) {
    stream.extend(flags.to_be_bytes());
    stream.extend((payload.len() as u32).to_be_bytes());
    stream.extend(payload);
}

/// The session as a server of this version sends it.
fn served(version: &str, profile: fn() -> Profile) -> Vec<u8> {
    let sessions = version.starts_with('4');
    let mut stream = vec![0u8; 65];
    stream.extend(b"h264");
    if !sessions {
        stream.extend([0, 0, 2, 0xd0, 0, 0, 5, 0]);
    }
    let mut last = (0, 0);
    let mut current = encoder(profile());
    for (step, (width, height)) in walk().into_iter().enumerate() {
        if last != (width, height) {
            current = encoder(profile());
            if sessions {
                stream.extend([0x80, 0, 0, 0]);
                stream.extend((width as u32).to_be_bytes());
                stream.extend((height as u32).to_be_bytes());
            }
        }
        last = (width, height);
        let encoded = encode(&mut current, &frame(width, height, step));
        let (config_flag, key_flag) = if sessions { (1 << 62, 1 << 61) } else { (1 << 63, 1 << 62) };
        if !encoded.config.is_empty() {
            put_packet(&mut stream, config_flag, &encoded.config);
        }
        put_packet(&mut stream, if encoded.key { key_flag } else { 0 } | step as u64, &encoded.data);
    }
    stream
}

fn rgb(y: u8, u: u8, v: u8) -> [f32; 3] {
    let (y, u, v) = (1.164 * (f32::from(y) - 16.0), f32::from(u) - 128.0, f32::from(v) - 128.0);
    [y + 1.596 * v, y - 0.392 * u - 0.813 * v, y + 2.017 * u].map(|part| part.clamp(0.0, 255.0))
}

/// Checks the colour of each quarter.
fn check_picture(picture: &Picture, step: usize) {
    let (width, height) = (picture.width as usize, picture.height as usize);
    assert_eq!(picture.rgba.len(), width * height * 4);
    for quarter in 0..4 {
        let (x, y) = (width / 4 + quarter % 2 * width / 2, height / 4 + quarter / 2 * height / 2);
        let pixel = &picture.rgba[(y * width + x) * 4..][..4];
        let (luma, blue, red) = colour(quarter, step);
        for (found, expected) in pixel.iter().zip(rgb(luma, blue, red)) {
            let difference = (f32::from(*found) - expected).abs();
            assert!(difference < 12.0, "step {step}, quarter {quarter}: {pixel:?}, expected {expected}");
        }
        assert_eq!(pixel[3], 255);
    }
}

#[test]
fn decodes_what_servers_of_both_formats_send_over_two_rotations() {
    for (version, profile) in [
        ("3.3.4", (|| Profile::Baseline) as fn() -> Profile),
        ("4.1", || Profile::High),
        ("2.1", || Profile::Main),
    ] {
        let stream = Scripted::new().bytes(&served(version, profile)).pieces_of(4000);
        let version = ServerVersion::from_name(version).unwrap();
        let mut reader = VideoReader::new(stream, version, VideoOpening::Forward);
        let mut decoder = Decoder::new();
        let (mut sizes, mut sessions, mut keys) = (Vec::new(), Vec::new(), 0);
        while let Ok(event) = reader.next_event() {
            match event {
                Some(VideoEvent::Session(session)) => sessions.push((session.width, session.height)),
                Some(VideoEvent::Packet(packet)) => {
                    keys += usize::from(packet.kind == PacketKind::Key);
                    // Each packet yields its picture at once: none is delayed.
                    let picture = decoder.decode(&packet).unwrap().unwrap();
                    check_picture(&picture, packet.pts_micros as usize);
                    assert_eq!(
                        reader.session(),
                        Some(VideoSize { width: picture.width, height: picture.height })
                    );
                    sizes.push((picture.width as usize, picture.height as usize));
                }
                _ => {}
            }
        }
        assert_eq!(sizes, walk(), "{version}");
        assert_eq!(keys, 3, "{version}");
        assert_eq!(sessions, [(720, 1280), (1280, 720), (720, 1280)], "{version}");
    }
}

fn packets(width: usize, height: usize, count: usize) -> Vec<VideoPacket> {
    let mut encoder = encoder(Profile::Baseline);
    (0..count)
        .map(|step| {
            let encoded = encode(&mut encoder, &frame(width, height, step));
            let kind = if encoded.key { PacketKind::Key } else { PacketKind::Delta };
            VideoPacket { kind, pts_micros: step as u64, data: [encoded.config, encoded.data].concat() }
        })
        .collect()
}

#[test]
fn colours_are_those_of_the_standard() {
    let check = |y, u, v, expected: [u8; 3]| {
        let mut pixels = [0; 8];
        to_rgba(&[y, y], &[u], &[v], &mut pixels);
        assert_eq!(pixels[..4], [expected[0], expected[1], expected[2], 255], "{y} {u} {v}");
        assert_eq!(pixels[..4], pixels[4..]);
    };
    check(16, 128, 128, [0, 0, 0]);
    check(235, 128, 128, [255, 255, 255]);
    check(126, 128, 128, [128, 128, 128]);
    check(81, 90, 240, [255, 0, 0]);
    check(145, 54, 34, [0, 255, 1]);
    check(41, 240, 110, [0, 0, 255]);
    check(0, 0, 0, [0, 135, 0]);
    check(255, 255, 255, [255, 125, 255]);
}

#[test]
fn sizes_that_are_no_multiple_of_a_block_are_cut_right() {
    for (width, height) in [(1080, 2400), (540, 1200), (590, 1280), (16, 16), (18, 34)] {
        let mut decoder = Decoder::new();
        for (step, packet) in packets(width, height, 3).iter().enumerate() {
            let picture = decoder.decode(packet).unwrap().unwrap();
            assert_eq!((picture.width as usize, picture.height as usize), (width, height));
            if width > 20 {
                check_picture(&picture, step);
            }
            let read: Vec<_> = sequence::picture_sizes(&packet.data).collect();
            let expected = VideoSize { width: width as u32, height: height as u32 };
            assert!(read.iter().all(|size| *size == Some(expected)), "{read:?}");
        }
    }
}

#[test]
fn waits_for_a_key_frame_at_the_start_and_after_an_error() {
    let packets = packets(320, 240, 5);
    let mut decoder = Decoder::new();
    assert_eq!(decoder.decode(&packets[1]), Ok(None));
    assert!(decoder.decode(&packets[0]).unwrap().is_some());
    let broken =
        VideoPacket { kind: PacketKind::Delta, pts_micros: 0, data: vec![0, 0, 0, 1, 0x65, 0xff, 0xff] };
    assert!(decoder.decode(&broken).is_err());
    assert_eq!(decoder.decode(&packets[1]), Ok(None));
    assert_eq!(decoder.pass_over(&packets[2]), Ok(()));
    assert!(decoder.decode(&packets[0]).unwrap().is_some());
    decoder.pass_over(&packets[1]).unwrap();
    decoder.pass_over(&packets[2]).unwrap();
    check_picture(&decoder.decode(&packets[3]).unwrap().unwrap(), 3);
}

#[test]
fn a_giant_is_refused_before_it_costs_memory() {
    // 65,536 pixels wide and high.
    let data = vec![0, 0, 0, 1, 0x67, 0x42, 0xc0, 0x1f, 0xda, 0, 0x08, 0, 0, 0x40, 0, 0x06, 0xe0];
    let giant = VideoPacket { kind: PacketKind::Key, pts_micros: 0, data };
    let error = Decoder::new().decode(&giant).unwrap_err();
    assert_eq!(error, DecodeError::BadSize);
}

#[test]
fn no_garbage_makes_it_panic() {
    let good = packets(320, 240, 6);
    let mut state = 3u64;
    let mut errors = 0;
    for round in 0..400 {
        let mut decoder = Decoder::new();
        for packet in &good {
            let mut packet = packet.clone();
            for _ in 0..round % 7 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let at = (state >> 33) as usize % packet.data.len();
                packet.data[at] ^= (state >> 20) as u8;
            }
            if round % 3 == 0 {
                packet.data.truncate((state >> 40) as usize % packet.data.len());
            }
            errors += usize::from(decoder.decode(&packet).is_err());
        }
    }
    assert!(errors > 100, "{errors}");
    let empty = VideoPacket { kind: PacketKind::Key, pts_micros: 0, data: Vec::new() };
    assert_eq!(Decoder::new().decode(&empty), Ok(None));
}
