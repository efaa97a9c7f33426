//! Tests against scripted servers of both formats.

use std::io::ErrorKind;

use super::super::tests::scripted::Scripted;
use super::*;

/// The parameters of a 720x1280 and of a 1280x720 picture, as an encoder writes them.
const UPRIGHT: &[u8] =
    &[0, 0, 0, 1, 0x67, 0x42, 0xc0, 0x1f, 0xda, 2, 0xd0, 0x28, 0x64, 0, 0, 0, 1, 0x68, 0xce, 0x38, 0x80];
const SIDEWAYS: &[u8] =
    &[0, 0, 0, 1, 0x67, 0x42, 0xc0, 0x1f, 0xda, 1, 0x40, 0x16, 0xe4, 0, 0, 0, 1, 0x68, 0xce, 0x38, 0x80];

fn named(name: &str) -> ServerVersion {
    ServerVersion::from_name(name).unwrap()
}

fn device_name(name: &str) -> Vec<u8> {
    let mut bytes = name.as_bytes().to_vec();
    bytes.resize(NAME_BYTES, 0);
    bytes
}

fn packet(flags: u64, payload: &[u8]) -> Vec<u8> {
    let mut bytes = flags.to_be_bytes().to_vec();
    bytes.extend((payload.len() as u32).to_be_bytes());
    bytes.extend(payload);
    bytes
}

fn session(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = vec![0x80, 0, 0, 1];
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes
}

fn sized_start() -> Vec<u8> {
    let mut bytes = vec![0];
    bytes.extend(device_name("Pixel 7"));
    bytes.extend(b"h264");
    bytes.extend(720u32.to_be_bytes());
    bytes.extend(1280u32.to_be_bytes());
    bytes
}

/// A server up to 3.3.4: two frames, a rotation, one more frame.
fn sized_stream() -> Vec<u8> {
    let mut bytes = sized_start();
    bytes.extend(packet(1 << 63, UPRIGHT));
    bytes.extend(packet(1 << 62 | 1000, b"first"));
    bytes.extend(packet(34_000, b"second"));
    bytes.extend(packet(1 << 63, SIDEWAYS));
    bytes.extend(packet(1 << 62 | 68_000, b"third"));
    bytes
}

/// The same from a server since 4.0.
fn session_stream() -> Vec<u8> {
    let mut bytes = vec![0];
    bytes.extend(device_name("Pixel 7"));
    bytes.extend(b"h264");
    bytes.extend(session(720, 1280));
    bytes.extend(packet(1 << 62, UPRIGHT));
    bytes.extend(packet(1 << 61 | 1000, b"first"));
    bytes.extend(packet(34_000, b"second"));
    bytes.extend(session(1280, 720));
    bytes.extend(packet(1 << 62, SIDEWAYS));
    bytes.extend(packet(1 << 61 | 68_000, b"third"));
    bytes
}

fn picture(kind: PacketKind, pts_micros: u64, parts: &[&[u8]]) -> VideoEvent {
    VideoEvent::Packet(VideoPacket { kind, pts_micros, data: parts.concat() })
}

fn expected() -> Vec<VideoEvent> {
    vec![
        VideoEvent::Reached,
        VideoEvent::Device { name: "Pixel 7".to_owned() },
        VideoEvent::Session(VideoSize { width: 720, height: 1280 }),
        picture(PacketKind::Key, 1000, &[UPRIGHT, b"first"]),
        picture(PacketKind::Delta, 34_000, &[b"second"]),
        VideoEvent::Session(VideoSize { width: 1280, height: 720 }),
        picture(PacketKind::Key, 68_000, &[SIDEWAYS, b"third"]),
    ]
}

/// All events until the stream ends or fails, and its error.
fn read_all(stream: Scripted, version: &str, opening: VideoOpening) -> (Vec<VideoEvent>, ScrcpyError) {
    let mut reader = VideoReader::new(stream, named(version), opening);
    let mut events = Vec::new();
    for _ in 0..100_000 {
        match reader.next_event() {
            Ok(Some(event)) => events.push(event),
            Ok(None) => continue,
            Err(error) => {
                assert_eq!(reader.next_event(), Err(error.clone()), "an error is said again");
                return (events, error);
            }
        }
    }
    panic!("the stream does not end");
}

fn failure(bytes: &[u8], version: &str) -> ScrcpyError {
    read_all(Scripted::new().bytes(bytes), version, VideoOpening::Forward).1
}

#[test]
fn reads_both_formats_in_pieces_of_any_size() {
    for piece in [1, 2, 3, 7, 12, 13, 64, 1000] {
        for (version, bytes) in
            [("2.1", sized_stream()), ("3.3.4", sized_stream()), ("4.1", session_stream())]
        {
            let stream = Scripted::new().bytes(&bytes).pieces_of(piece);
            let (events, error) = read_all(stream, version, VideoOpening::Forward);
            assert_eq!(events, expected(), "{version} in pieces of {piece}");
            assert_eq!(error, ScrcpyError::Ended { doing: "reading the head of a picture" });
        }
    }
}

#[test]
fn loses_nothing_at_timeouts() {
    for (version, bytes) in [("3.3.4", sized_stream()), ("4.0", session_stream())] {
        for cut in 0..bytes.len() {
            let (before, after) = bytes.split_at(cut);
            let stream = Scripted::new().bytes(before).timeout().failure(ErrorKind::Interrupted).bytes(after);
            assert_eq!(
                read_all(stream, version, VideoOpening::Forward).0,
                expected(),
                "{version} cut at {cut}"
            );
        }
    }
}

#[test]
fn waits_at_the_timeout() {
    let stream = Scripted::new().timeout().bytes(&[0]).failure(ErrorKind::TimedOut).bytes(&device_name("A"));
    let mut reader = VideoReader::new(stream, named("4.1"), VideoOpening::Forward);
    assert_eq!(reader.next_event(), Ok(None));
    assert_eq!(reader.next_event(), Ok(Some(VideoEvent::Reached)));
    assert_eq!(reader.next_event(), Ok(None));
    assert!(matches!(reader.next_event(), Ok(Some(VideoEvent::Device { .. }))));
}

#[test]
fn a_stream_cut_anywhere_ends_with_words() {
    for (version, bytes) in [("3.3.4", sized_stream()), ("4.0", session_stream())] {
        for cut in 0..bytes.len() {
            let (events, error) =
                read_all(Scripted::new().bytes(&bytes[..cut]), version, VideoOpening::Forward);
            assert!(matches!(error, ScrcpyError::Ended { .. }), "{version} cut at {cut}: {error}");
            assert!(expected().starts_with(&events));
        }
    }
}

#[test]
fn a_phone_that_connected_sends_no_greeting() {
    let (events, _) = read_all(Scripted::new().bytes(&sized_stream()[1..]), "2.7", VideoOpening::Reverse);
    assert_eq!(events, expected()[1..]);
    let error = failure(&sized_stream()[1..], "2.7");
    assert!(matches!(error, ScrcpyError::Unexpected { expected: "a zero byte", .. }), "{error}");
}

#[test]
fn reads_names_that_are_full_or_broken() {
    for (bytes, name) in [
        (vec![b'x'; NAME_BYTES], "x".repeat(NAME_BYTES)),
        (device_name(""), String::new()),
        (device_name("Télé\u{7}phone\n"), "Téléphone".to_owned()),
        (vec![0xff; NAME_BYTES], "\u{fffd}".repeat(NAME_BYTES)),
    ] {
        let (events, _) = read_all(Scripted::new().bytes(&bytes), "3.1", VideoOpening::Reverse);
        assert_eq!(events, [VideoEvent::Device { name }]);
    }
}

#[test]
fn says_why_there_is_no_video() {
    let start = |codec: &[u8]| [&[0], device_name("A").as_slice(), codec].concat();
    for version in ["2.1", "4.1"] {
        assert!(matches!(failure(&start(&[0, 0, 0, 0]), version), ScrcpyError::NoVideo { .. }));
        assert!(matches!(failure(&start(&[0, 0, 0, 1]), version), ScrcpyError::NoVideo { .. }));
        let text = failure(&start(b"h265"), version).to_string();
        assert!(text.contains("\"h265\"") && text.contains("\"h264\""), "{text}");
        let text = failure(&start(&[0, b'a', b'v', 0xff]), version).to_string();
        assert!(text.contains(r"\x00av\xff"), "{text}");
    }
}

#[test]
fn refuses_lengths_and_sizes_that_lie() {
    let lengths: [(u64, u32); 5] =
        [(0, 0), (0, u32::MAX), (0, MAX_PACKET_BYTES as u32 + 1), (1 << 63, 0), (1 << 63, 65_537)];
    for (flags, length) in lengths {
        let bytes = [sized_start(), flags.to_be_bytes().to_vec(), length.to_be_bytes().to_vec()].concat();
        let error = failure(&bytes, "3.3.4");
        assert!(error.to_string().contains(&format!("one of {length} bytes")), "{error}");
    }
    for (width, height) in [(0, 1280), (720, 0), (u32::MAX, 1), (1, 8193), (8192, 8192)] {
        let bytes = [&[0], device_name("A").as_slice(), b"h264", &session(width, height)].concat();
        let error = failure(&bytes, "4.0");
        assert!(error.to_string().contains(&format!("{width}x{height}")), "{error}");
    }
    let early = [&[0], device_name("A").as_slice(), b"h264", &packet(1 << 61, b"picture")].concat();
    let error = failure(&early, "4.0");
    assert!(matches!(error, ScrcpyError::Unexpected { expected: "the size of the video", .. }), "{error}");
}

#[test]
fn the_newest_parameters_count_and_are_told_once() {
    let mut bytes = sized_start();
    bytes.extend(packet(1 << 63, UPRIGHT));
    bytes.extend(packet(1 << 63, SIDEWAYS));
    bytes.extend(packet(1 << 62, b"key"));
    bytes.extend(packet(1 << 63, b"no parameters at all"));
    bytes.extend(packet(5, b"delta"));
    let (events, _) = read_all(Scripted::new().bytes(&bytes), "3.3.4", VideoOpening::Forward);
    assert_eq!(
        events[3..],
        [
            VideoEvent::Session(VideoSize { width: 1280, height: 720 }),
            picture(PacketKind::Key, 0, &[SIDEWAYS, b"key"]),
            picture(PacketKind::Delta, 5, &[b"no parameters at all", b"delta"]),
        ]
    );
}

#[test]
fn the_time_keeps_its_highest_bit() {
    let mut old = sized_start();
    old.extend(packet((1 << 62) - 1, b"x"));
    let (events, _) = read_all(Scripted::new().bytes(&old), "3.3.4", VideoOpening::Forward);
    assert_eq!(events.last(), Some(&picture(PacketKind::Delta, (1 << 62) - 1, &[b"x"])));
    let new =
        [&[0], device_name("A").as_slice(), b"h264", &session(8, 8), &packet((1 << 61) - 1, b"x")].concat();
    let (events, _) = read_all(Scripted::new().bytes(&new), "4.1", VideoOpening::Forward);
    assert_eq!(events.last(), Some(&picture(PacketKind::Delta, (1 << 61) - 1, &[b"x"])));
}

#[test]
fn no_garbage_makes_it_panic_or_hang() {
    let mut state = 7u64;
    for round in 0..3000 {
        let (version, mut bytes) =
            if round % 2 == 0 { ("3.3.4", sized_stream()) } else { ("4.1", session_stream()) };
        for _ in 0..1 + round % 5 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (state >> 33) as usize % bytes.len();
            bytes[at] = (state >> 20) as u8;
        }
        let (events, _) =
            read_all(Scripted::new().bytes(&bytes).pieces_of(50), version, VideoOpening::Forward);
        assert!(events.len() <= bytes.len());
    }
    let error = failure(b"HTTP/1.1 400 Bad Request\r\n\r\n", "4.1");
    assert!(matches!(error, ScrcpyError::Unexpected { .. }), "{error}");
    let (_, error) =
        read_all(Scripted::new().failure(ErrorKind::ConnectionReset), "4.1", VideoOpening::Forward);
    assert!(matches!(error, ScrcpyError::Io { kind: ErrorKind::ConnectionReset, .. }), "{error}");
}
