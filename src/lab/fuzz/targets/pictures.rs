//! Pictures of screens: as `screencap` gives them, of recorded walks, and stored with findings.

use std::sync::Arc;

use super::campaign::Campaign;
use super::database::facts;
use super::scratch::Scratch;
use super::{FuzzTarget, Run, plain, seen};
use taproof_adb::output::{png_file, raw_picture};
use taproof_engine::device::{RecordedDevice, Screenshot};
use taproof_results::report::{ExportKind, export_finding, no_progress};
use taproof_screen::PxSize;

pub(super) const PICTURE: FuzzTarget = FuzzTarget {
    name: "picture",
    about: "a picture of a screen: raw, as PNG, in a walk, and in a finding that is exported",
    inputs: 20,
    prepare: pictures,
    seeds: || {
        let raw = [&2u32.to_le_bytes()[..], &1u32.to_le_bytes(), &1u32.to_le_bytes(), &[9; 8]].concat();
        vec![small_png(), grey_png(), raw]
    },
    files: &[".png", ".bin"],
    words: &[
        "\u{89}PNG\r\n\u{1a}\n",
        "IHDR",
        "IDAT",
        "IEND",
        "PLTE",
        "tRNS",
        "acTL",
        "fcTL",
        "iCCP",
        "zTXt",
        "\0\0@\0",
        "\r\n",
    ],
};

/// A valid picture.
pub(super) fn small_png() -> Vec<u8> {
    let rgba = [200u8, 100, 50, 255].repeat(8 * 16);
    let picture = Screenshot { size: PxSize { width: 8, height: 16 }, rgba: Arc::new(rgba) };
    picture.to_png().unwrap_or_default()
}

/// One with another kind of pixels.
fn grey_png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    let written = image::ImageEncoder::write_image(encoder, &[7; 64], 8, 8, image::ExtendedColorType::L8);
    written.map(|()| bytes).unwrap_or_default()
}

fn pictures() -> Run {
    let campaign = Campaign::run();
    let (Some(scratch), Some(finding)) = (Scratch::new("picture"), campaign.findings.first()) else {
        return plain(|_| {});
    };
    let (facts, finding) = (facts(&campaign.stored), finding.clone());
    scratch.write("events.json", b"[]");
    scratch.write("step-00.xml", b"<hierarchy rotation=\"0\"><node bounds=\"[0,0][8,16]\"/></hierarchy>");
    Box::new(move |bytes| {
        seen((raw_picture(bytes), png_file(bytes)));
        scratch.write("step-00.png", bytes);
        if let Ok(walk) = RecordedDevice::open(scratch.folder()) {
            seen(walk.picture(0).and_then(|picture| picture.to_png()));
        }
        let mut finding = finding.clone();
        let png = Arc::new(bytes.to_vec());
        for picture in finding.minimal.screenshots.iter_mut().chain(&mut finding.witness.screenshots).take(2)
        {
            *picture = Some(Arc::clone(&png));
        }
        for kind in [ExportKind::Html, ExportKind::Gif] {
            seen(export_finding(&finding, &facts, kind, &mut no_progress));
        }
    })
}
