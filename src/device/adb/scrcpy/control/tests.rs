//! Each message byte for byte, and what is refused.

use std::io::ErrorKind;

use super::super::scripted::Scripted;
use super::super::supported_versions;
use super::*;

const SCREEN: Session = Session { width: 1080, height: 1920 };

fn named(name: &str) -> ServerVersion {
    ServerVersion::from_name(name).unwrap()
}

fn at(x: i32, y: i32) -> VideoPosition {
    VideoPosition { x, y, session: SCREEN }
}

fn check(message: ControlMessage, version: &str, expected: &[u8]) {
    assert_eq!(message.encode(named(version)).unwrap(), expected, "{message:?} for {version}");
}

fn refused(message: ControlMessage, version: &str) -> String {
    let error = message.encode(named(version)).unwrap_err();
    assert!(matches!(error, ScrcpyError::NotSent { .. }), "{error}");
    error.to_string()
}

#[test]
fn keys_and_texts() {
    let key = ControlMessage::Key { action: Action::Up, code: 66, repeat: 5, meta: 0x41 };
    check(key, "3.3.4", &[0, 1, 0, 0, 0, 0x42, 0, 0, 0, 5, 0, 0, 0, 0x41]);
    check(ControlMessage::BackOrScreenOn(Action::Up), "2.1", &[4, 1]);
    check(ControlMessage::BackOrScreenOn(Action::Down), "4.1", &[4, 0]);
    refused(ControlMessage::Key { action: Action::Move, code: 4, repeat: 0, meta: 0 }, "4.1");
    refused(ControlMessage::BackOrScreenOn(Action::Move), "4.1");
    let text = ControlMessage::Text("hello, world!".to_owned());
    check(text, "3.3.4", b"\x01\0\0\0\x0dhello, world!");
    let long = ControlMessage::Text("a".repeat(300));
    check(long, "2.7", &[b"\x01\0\0\x01\x2c".as_slice(), &[b'a'; 300]].concat());
    assert!(refused(ControlMessage::Text("a".repeat(301)), "2.7").contains("301"));
}

#[test]
fn touches() {
    let touch =
        |action| ControlMessage::Touch { action, pointer: 0x1234_5678_8765_4321, position: at(100, 200) };
    let bytes = |action: u8, pressure: u8| {
        [
            [2, action, 0x12, 0x34, 0x56, 0x78, 0x87, 0x65, 0x43, 0x21, 0, 0, 0, 100, 0, 0].as_slice(),
            &[0, 200, 0x04, 0x38, 0x07, 0x80, pressure, pressure, 0, 0, 0, 0, 0, 0, 0, 0],
        ]
        .concat()
    };
    assert_eq!(bytes(0, 0).len(), 32);
    for version in supported_versions() {
        check(touch(Action::Down), version.name(), &bytes(0, 0xff));
        check(touch(Action::Up), version.name(), &bytes(1, 0));
        check(touch(Action::Move), version.name(), &bytes(2, 0xff));
    }
    let outside = ControlMessage::Touch { action: Action::Down, pointer: FINGER, position: at(-1, -2) };
    let outside = outside.encode(named("4.1")).unwrap();
    assert_eq!(outside[2..10], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe]);
    assert_eq!(outside[10..18], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe]);
    let large = VideoPosition { x: 0, y: 0, session: Session { width: 65_536, height: 1 } };
    refused(ControlMessage::Touch { action: Action::Down, pointer: FINGER, position: large }, "4.1");
}

#[test]
fn scrolls_in_the_range_of_the_version() {
    let scroll = |right, up| ControlMessage::Scroll { position: at(260, 1026), right, up };
    let bytes = |numbers: [u8; 4]| {
        let place = [3, 0, 0, 1, 4, 0, 0, 4, 2, 0x04, 0x38, 0x07, 0x80];
        [place.as_slice(), &numbers, &[0; 4]].concat()
    };
    for version in ["3.3.1", "3.3.4", "4.0", "4.1"] {
        check(scroll(16, -16), version, &bytes([0x7f, 0xff, 0x80, 0]));
        check(scroll(1, -1), version, &bytes([0x08, 0, 0xf8, 0]));
        check(scroll(i32::MAX, i32::MIN), version, &bytes([0x7f, 0xff, 0x80, 0]));
    }
    for version in ["2.1", "3.3"] {
        check(scroll(1, -1), version, &bytes([0x7f, 0xff, 0x80, 0]));
        check(scroll(0, 40), version, &bytes([0, 0, 0x7f, 0xff]));
    }
}

#[test]
fn the_clipboard() {
    check(ControlMessage::GetClipboard(CopyKey::Copy), "4.1", &[8, 1]);
    check(ControlMessage::GetClipboard(CopyKey::None), "4.1", &[8, 0]);
    check(ControlMessage::GetClipboard(CopyKey::Cut), "4.1", &[8, 2]);
    let set = |paste, text: &str| ControlMessage::SetClipboard {
        sequence: 0x0102_0304_0506_0708,
        paste,
        text: text.to_owned(),
    };
    check(
        set(true, "hello, world!"),
        "3.3.4",
        b"\x09\x01\x02\x03\x04\x05\x06\x07\x08\x01\0\0\0\x0dhello, world!",
    );
    let hostile = "'; reboot; '$(x)`y`\n%s😀שלום\0";
    let bytes = set(false, hostile).encode(named("2.1")).unwrap();
    assert_eq!(bytes[9..14], [0, 0, 0, 0, hostile.len() as u8]);
    assert_eq!(&bytes[14..], hostile.as_bytes());
    let largest = "a".repeat(MAX_CLIPBOARD_BYTES);
    assert_eq!(set(true, &largest).encode(named("4.1")).unwrap().len(), 1 << 18);
    refused(set(true, &format!("{largest}a")), "4.1");
}

#[test]
fn the_short_ones() {
    for version in supported_versions() {
        check(ControlMessage::ExpandNotifications, version.name(), &[5]);
        check(ControlMessage::ExpandSettings, version.name(), &[6]);
        check(ControlMessage::CollapsePanels, version.name(), &[7]);
        check(ControlMessage::DisplayPower { on: false }, version.name(), &[10, 0]);
        check(ControlMessage::Rotate, version.name(), &[11]);
    }
    check(ControlMessage::DisplayPower { on: true }, "2.7", &[10, 2]);
    check(ControlMessage::DisplayPower { on: true }, "3.0", &[10, 1]);
    check(ControlMessage::ResetVideo, "3.0", &[17]);
    let text = refused(ControlMessage::ResetVideo, "2.7");
    assert!(text.contains("2.7") && text.contains("3.0"), "{text}");
}

#[test]
fn apps() {
    let start =
        |package: &str, stop_first| ControlMessage::StartApp { package: package.to_owned(), stop_first };
    check(start("org.taproof.files", false), "3.0", b"\x10\x11org.taproof.files");
    check(start("org.taproof.files", true), "4.1", b"\x10\x12+org.taproof.files");
    refused(start("org.taproof.files", true), "2.7");
    for package in ["", "+a.b", "?a", "a b", "a/b", &"a".repeat(255)] {
        assert!(refused(start(package, false), "4.1").contains("is not a package"));
    }
    assert_eq!(start(&"a".repeat(254), true).encode(named("4.1")).unwrap()[1], 255);
}

#[test]
fn text_is_cut_into_pieces_or_refused_whole() {
    let long = "abc ~".repeat(121);
    let pieces = pieces_of_text(&long).unwrap();
    let texts: Vec<&str> = pieces
        .iter()
        .map(|piece| match piece {
            ControlMessage::Text(text) => text.as_str(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(texts.iter().map(|text| text.len()).collect::<Vec<_>>(), [300, 300, 5]);
    assert_eq!(texts.concat(), long);
    assert_eq!(pieces_of_text(""), Ok(Vec::new()));
    for text in ["é", "a\nb", "a\tb", "😀", "\u{7f}", "שלום"] {
        assert!(pieces_of_text(text).unwrap_err().to_string().contains("clipboard"));
    }
    for text in ["ééé", "😀😀", "a😀"] {
        for limit in 0..=text.len() {
            let cut = cut_before(text, limit);
            assert!(text.is_char_boundary(cut) && cut > 0 && (cut <= limit || limit < 4), "{text} {limit}");
        }
    }
}

#[test]
fn points_of_the_screen_in_the_video() {
    let video = Session { width: 720, height: 1280 };
    let place = |x, y| {
        let found = VideoPosition::of_screen_point((x, y), (1080, 1920), video);
        found.map(|position| (position.x, position.y))
    };
    assert_eq!(place(0, 0), Some((0, 0)));
    assert_eq!(place(1079, 1919), Some((719, 1279)));
    assert_eq!(place(540, 960), Some((360, 640)));
    assert_eq!(place(-5, 5000), Some((0, 1279)));
    assert_eq!(place(i32::MIN, i32::MAX), Some((0, 1279)));
    let found = |screen| VideoPosition::of_screen_point((1, 1), screen, video);
    assert_eq!(found((1920, 1080)), None);
    assert_eq!(found((0, 1920)), None);
    assert_eq!(found((1080, -1)), None);
    let square = Session { width: 1072, height: 1080 };
    assert!(VideoPosition::of_screen_point((1, 1), (1080, 1080), square).is_some());
    let empty = Session { width: 0, height: 0 };
    assert_eq!(VideoPosition::of_screen_point((1, 1), (1080, 1080), empty), None);
}

#[test]
fn a_writer_stays_in_step_or_says_that_it_cannot() {
    let mut writer = ControlWriter::new(Scripted::new(), named("2.7"));
    writer.send(&ControlMessage::Rotate).unwrap();
    assert!(matches!(writer.send(&ControlMessage::ResetVideo), Err(ScrcpyError::NotSent { .. })));
    writer.send(&ControlMessage::CollapsePanels).unwrap();
    assert_eq!(writer.stream.written, [11, 7]);
    writer.stream.room = 2;
    let key = ControlMessage::Key { action: Action::Down, code: 4, repeat: 0, meta: 0 };
    let error = writer.send(&key).unwrap_err();
    assert!(matches!(error, ScrcpyError::Io { kind: ErrorKind::TimedOut, .. }), "{error}");
    writer.stream.room = 1000;
    assert_eq!(writer.send(&ControlMessage::Rotate), Err(error));
    assert_eq!(writer.stream.written, [11, 7, 0, 0]);
}
