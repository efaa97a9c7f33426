//! What a scrcpy server sends; behind the feature like who reads it.

use super::devices::pieces;
use super::{FuzzTarget, plain, seen};
use taproof_adb::scrcpy::{VideoOpening, VideoReader};
use taproof_screen::format::supported_versions;

pub(super) const VIDEO: FuzzTarget = FuzzTarget {
    name: "scrcpy",
    about: "scrcpy's video in odd pieces, by each version and opening, with its parameter sets",
    inputs: 500,
    prepare: || plain(watch),
    seeds: videos,
    files: &[".h264"],
    words: &[
        "h264",
        "\0\0\0\u{1}\u{67}",
        "\0\0\u{1}\u{68}",
        "\0\0\0\0",
        "\u{80}\0\0\0",
        "\u{40}\0\0\0",
        "\u{3}",
    ],
};

fn watch(bytes: &[u8]) {
    for (turn, version) in supported_versions().enumerate() {
        for opening in [VideoOpening::Forward, VideoOpening::Reverse] {
            let mut reader = VideoReader::new(pieces(bytes, turn), version, opening);
            while let Ok(Some(event)) = reader.next_event() {
                seen(event);
            }
            seen(reader.session());
        }
    }
}

/// A greeting, a name, a kind of video, a size, then a packet of parameters and one of a picture.
fn videos() -> Vec<Vec<u8>> {
    let mut name = [0; 64];
    name[..5].copy_from_slice(b"Phone");
    let parameters = [
        0, 0, 0, 1, 0x67, 0x42, 0xc0, 0x1e, 0xda, 0x02, 0x80, 0xbf, 0xe5, 0xc0, 0x44, 0, 0, 0, 1, 0x68, 0xce,
    ];
    let packet =
        |pts: u64, data: &[u8]| [&pts.to_be_bytes()[..], &(data.len() as u32).to_be_bytes(), data].concat();
    let packets = [packet(1 << 63, &parameters), packet(1000, &[0, 0, 0, 1, 0x65, 0x88, 0x84])].concat();
    let size = [&720u32.to_be_bytes()[..], &1280u32.to_be_bytes()].concat();
    let session = [&(1u32 << 31).to_be_bytes()[..], &size].concat();
    [
        [&[0][..], &name, b"h264", &size, &packets].concat(),
        [&name[..], b"h264", &size, &packets].concat(),
        [&[0][..], &name, b"h264", &session, &packets].concat(),
        [&name[..], b"h264", &session, &packets].concat(),
    ]
    .into()
}
