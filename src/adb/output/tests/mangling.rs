//! Runs every parser on every recorded file of a device, cut and mangled at many places: none may panic or hang.

use std::path::PathBuf;

use super::super::*;
use super::test_data;

const VIEW: touches::ScreenView = touches::ScreenView {
    physical: Extent { width: 1080, height: 2400 },
    logical: Extent { width: 720, height: 1280 },
    rotation: 1,
};

/// A small pseudorandom generator, so that failures are reproducible.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

fn every_parser(bytes: &[u8]) {
    let text = &String::from_utf8_lossy(bytes);
    let mut said: Vec<String> = vec![
        format!("{:?}", wm_size(text)),
        format!("{:?}{:?}", wm_density(text), window_focus(text)),
        format!("{:?}{:?}{:?}", keyboard_shown(text), is_awake(text), keyguard(text)),
        format!("{:?}{:?}{:?}", package_list(text), package_paths(text), resolved_activity(text)),
        format!("{:?}", package_details(text, "com.android.calculator2")),
        format!("{:?}{:?}{:?}", install_outcome(text), clear_outcome(text), grant_outcome(text)),
        format!("{:?}", start_outcome(text)),
        format!("{:?}", Properties::from_getprop(text)),
        format!("{:?}{:?}", process_list(text), setting_value(text)),
        format!("{:?}", touches::input_devices(text)),
        format!("{:?}{:?}", raw_picture(bytes), png_file(bytes).map(|file| file.len())),
    ];
    said.push(match dump_answer(bytes) {
        DumpAnswer::Xml { xml } => xml,
        other => format!("{other:?}"),
    });
    said.extend(crash::crashes(&log_lines(text)).iter().map(|crash| format!("{:?}", crash.report())));
    let mut touch = touches::TouchReader::new(&touches::input_devices(text), VIEW);
    for part in bytes.chunks(501) {
        said.push(format!("{:?}", touch.feed(part)));
    }
    assert!(!said.is_empty());
}

fn mangled(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let at = chance.below(bytes.len());
    let (head, tail) = bytes.split_at(at);
    let other = chance.below(tail.len());
    let (middle, rest) = tail.split_at(other);
    match chance.below(9) {
        0 => head.to_vec(),
        1 => tail.to_vec(),
        2 => [head, rest].concat(),
        3 => [rest, middle, head].concat(),
        4 => [head, "\u{f6}\u{1f600}\u{202e}".as_bytes(), tail].concat(),
        5 => [head, &[0, 0xff, b'\r', b'\n', b'{'], tail].concat(),
        6 => bytes
            .iter()
            .map(|byte| if chance.below(50) == 0 { byte.wrapping_add(1) } else { *byte })
            .collect(),
        7 => bytes.iter().copied().filter(|byte| !b"}])\"".contains(byte) || chance.below(3) > 0).collect(),
        _ => {
            let digits = |byte: u8| if byte.is_ascii_digit() { b'9' } else { byte };
            let digits: Vec<u8> = bytes.iter().copied().map(digits).collect();
            [&digits[..], &digits[at.min(digits.len())..]].concat()
        }
    }
}

fn files(folder: PathBuf) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    found
}

#[test]
fn no_answer_breaks_a_parser() {
    let mut chance = Chance(7);
    let mut read = 0;
    let bundled = test_data::bundled_phones();
    for path in bundled.into_iter().chain(test_data::android44()).flat_map(files) {
        let bytes = std::fs::read(&path).unwrap();
        every_parser(&bytes);
        // About as much work for a long file as for a short one.
        let rounds = (200_000 / (bytes.len() + 1000)).clamp(4, 60);
        for _ in 0..rounds {
            every_parser(&mangled(&bytes, &mut chance));
        }
        read += 1;
    }
    assert!(read >= 36, "{read} files");
}

#[test]
fn short_answers_break_no_parser() {
    let seeds = [
        "mCurrentFocus=Window{1 u0 com.a/com.a.B}\nmFocusedApp=ActivityRecord{1 u0 com.a/.B t1}\n",
        "Physical size: 1x2\nOverride size: 3x4\nPhysical density: 420\n",
        "package:/data/app/~~x==/y.apk=com.a\nFailure [INSTALL_FAILED_OLDER_SDK: \u{e4}]\nStatus: ok\n\
            Activity: com.a/.B\n",
        "[ro.build.version.sdk]: [34]\n[a]: [\u{1f600}]\n",
        "--------- beginning of main\n11-21 08:43:43.890  1  1 E AndroidRuntime: FATAL EXCEPTION: main\n\
         11-21 08:43:43.890  1  1 E AndroidRuntime: Process: com.a, PID: 1\n11-21 08:43:43.890  1  1 E AndroidRuntime: a.B: c\n\
         11-21 08:43:43.890  1  1 I am_crash: [1,0,com.a,2,x.Y,m,A.java,1,0]\n",
        "[  12.345678] /dev/input/event2: EV_ABS ABS_MT_SLOT 00000001\n[  12.345678] /dev/input/event2: \
            EV_ABS ABS_MT_TRACKING_ID 00000f2a\n\
         [  12.345678] /dev/input/event2: EV_ABS ABS_MT_POSITION_X ffffffff\n[  12.345678] \
         /dev/input/event2: EV_SYN SYN_REPORT 0\n",
        "add device 1: /dev/input/event2\n  name: \"x\"\n  ABS (0003): ABS_MT_POSITION_X : value 0, min \
            0, max 9, fuzz 0\n",
        "<?xml version='1.0'?><hierarchy rotation=\"0\"><node/></hierarchy>UI hierchary dumped to: /dev/tty\n",
    ];
    let mut chance = Chance(11);
    for seed in seeds {
        for end in (0..=seed.len()).filter(|end| seed.is_char_boundary(*end)) {
            every_parser(&seed.as_bytes()[..end]);
        }
        for _ in 0..300 {
            every_parser(&mangled(seed.as_bytes(), &mut chance));
        }
    }
}
