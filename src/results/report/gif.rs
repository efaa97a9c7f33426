//! The steps of a finding as an animation: each screen with the event performed on it, and at the end what is wrong.

use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame, RgbImage, RgbaImage};

use super::picture::{png_file, small_picture};
use super::plain::plain_sentence;
use super::progress::Progress;
use super::scene::{Scene, Touch, scene_after, scene_before};
use super::{Mark, ReplayFrame, ReportError, replay_frame};
use crate::report::html::canvas::{Canvas, Ink};
use crate::shell::comment;
use taproof_campaign::Finding;
use taproof_screen::{Layout, PxPoint, PxRect};

/// Widths of the animation in pixels. The smaller ones are used if the file would be too large.
const WIDTHS: [u32; 3] = [360, 270, 180];
/// Maximum size in bytes. Larger files are too large for mails and issue trackers.
const LARGEST: usize = 10 * 1024 * 1024;
/// Maximum number of steps that are shown; of more, those in the middle are left out.
const MOST_STEPS: usize = 100;
const STEP_MILLIS: u32 = 900;
const END_MILLIS: u32 = 3000;
/// Height of the caption, for a picture that is 360 pixels wide.
const CAPTION: f32 = 76.0;

const BAR: Ink = [0x19, 0x1d, 0x24, 255];
const TEXT: Ink = [0xe6, 0xea, 0xf0, 255];
const QUIET: Ink = [0x9a, 0xa5, 0xb4, 255];
const ACCENT: Ink = [0x00, 0x8f, 0x82, 255];
const BAD: Ink = [0xd0, 0x2f, 0x27, 255];
const WHITE: Ink = [255, 255, 255, 255];
const PAPER: Ink = [0xf8, 0xf9, 0xfb, 255];
const LINE: Ink = [0xb5, 0xbd, 0xc8, 255];
const INK: Ink = [0x1b, 0x21, 0x2a, 255];

/// One frame of the animation.
struct Shot<'a> {
    scene: Scene<'a>,
    heading: String,
    caption: String,
    millis: u32,
}

/// Writes the animation as a GIF file.
pub(super) fn film(finding: &Finding, progress: &mut Progress<'_>) -> Result<Vec<u8>, ReportError> {
    let frames: Vec<ReplayFrame> = (0..).map_while(|step| replay_frame(finding, step)).collect();
    let shots = shots(finding, &frames);
    let mut film = Vec::new();
    for width in WIDTHS {
        film = encode(&shots, width, progress)?;
        if film.len() <= LARGEST {
            break;
        }
    }
    Ok(film)
}

/// A screen with its caption, as a PNG file.
pub(super) fn still(scene: Scene<'_>, heading: &str, caption: &str) -> Option<Vec<u8>> {
    let shot = Shot { scene, heading: heading.to_owned(), caption: caption.to_owned(), millis: 0 };
    let height = size_of(&shot, WIDTHS[0]);
    png_file(image::DynamicImage::from(draw(&shot, WIDTHS[0], height, height)?).into_rgb8())
}

/// The height of a screen in a picture of this width.
fn size_of(shot: &Shot<'_>, width: u32) -> u32 {
    let screen = shot.scene.layout.screen();
    (i64::from(screen.height.max(1)) * i64::from(width) / i64::from(screen.width.max(1))).clamp(1, 2000)
        as u32
}

fn shots<'a>(finding: &'a Finding, frames: &'a [ReplayFrame]) -> Vec<Shot<'a>> {
    let kept = |step: usize| {
        frames.len() <= MOST_STEPS || step < MOST_STEPS / 2 || step + MOST_STEPS / 2 >= frames.len()
    };
    let mut shots: Vec<Shot<'a>> = frames
        .iter()
        .filter(|frame| frame.event.is_some() && kept(frame.step))
        .map(|frame| Shot {
            scene: scene_before(frame, &finding.minimal),
            heading: format!("Step {} of {}", frame.step + 1, frame.steps),
            caption: frame.sentence.clone(),
            millis: STEP_MILLIS,
        })
        .collect();
    if let Some(last) = frames.last() {
        let mut scene = scene_after(last, &finding.minimal);
        scene.boxes.retain(|(_, mark)| *mark == Mark::Offending);
        let missing = last.missing.first().map(|text| format!(" \u{2013} missing: {text}"));
        shots.push(Shot {
            scene,
            heading: format!("What is wrong{}", missing.unwrap_or_default()),
            caption: plain_sentence(finding),
            millis: END_MILLIS,
        });
    }
    shots
}

fn encode(shots: &[Shot<'_>], width: u32, progress: &mut Progress<'_>) -> Result<Vec<u8>, ReportError> {
    progress.expect(shots.len());
    let failed = |error: image::ImageError| ReportError::Gif { problem: error.to_string() };
    // A screen in landscape is shown smaller, in the same space.
    let height = shots.iter().map(|shot| size_of(shot, width)).max().unwrap_or(1);
    let mut bytes = Vec::new();
    {
        let mut encoder = GifEncoder::new_with_speed(&mut bytes, 10);
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        for shot in shots {
            progress.part(|| {
                let drawn = draw(shot, width, height, size_of(shot, width));
                let drawn = drawn.ok_or(ReportError::Gif { problem: "a picture has no size".to_owned() })?;
                let delay = Delay::from_numer_denom_ms(shot.millis, 1);
                encoder.encode_frame(Frame::from_parts(drawn, 0, 0, delay)).map_err(failed)
            })??;
        }
    }
    Ok(bytes)
}

fn draw(shot: &Shot<'_>, width: u32, height: u32, own_height: u32) -> Option<RgbaImage> {
    let unit = width as f32 / 360.0;
    let mut canvas = Canvas::new(width, height + (CAPTION * unit) as u32, BAR)?;
    let top = (height - own_height.min(height)) / 2;
    let stored = shot.scene.picture.and_then(|png| small_picture(png, width));
    match stored {
        Some(picture) => canvas.picture(&fitted(picture, width, own_height), 0, top),
        None => wires(&mut canvas, shot.scene.layout, width, own_height, top),
    }
    let view =
        View { scale: width as f32 / shot.scene.layout.screen().width.max(1) as f32, top: top as f32, unit };
    for (rect, mark) in &shot.scene.boxes {
        outline(&mut canvas, &view, rect, *mark);
    }
    if let Some(touch) = &shot.scene.touch {
        finger(&mut canvas, &view, touch);
    }
    let (left, below) = (12.0 * unit, height as f32 + 8.0 * unit);
    canvas.text(&comment(&shot.heading), left, below, 13.0 * unit, QUIET);
    let lines = canvas.wrap(&comment(&shot.caption), 16.0 * unit, width as f32 - 2.0 * left, 2);
    for (index, line) in lines.iter().enumerate() {
        canvas.text(line, left, below + (18.0 + index as f32 * 20.0) * unit, 16.0 * unit, TEXT);
    }
    canvas.finish()
}

fn fitted(picture: RgbImage, width: u32, height: u32) -> RgbImage {
    if picture.dimensions() == (width, height) {
        picture
    } else {
        image::imageops::thumbnail(&picture, width, height)
    }
}

/// The position of device pixels in the picture.
struct View {
    scale: f32,
    top: f32,
    /// One pixel of a picture that is 360 pixels wide.
    unit: f32,
}

impl View {
    fn rect(&self, rect: &PxRect) -> [f32; 4] {
        let (left, top) = self.point(PxPoint { x: rect.left, y: rect.top });
        [left, top, rect.width() as f32 * self.scale, rect.height() as f32 * self.scale]
    }

    fn point(&self, at: PxPoint) -> (f32, f32) {
        (at.x as f32 * self.scale, at.y as f32 * self.scale + self.top)
    }
}

fn outline(canvas: &mut Canvas, view: &View, rect: &PxRect, mark: Mark) {
    let (ink, thick) = if mark == Mark::Offending { (BAD, 3.0) } else { (ACCENT, 2.5) };
    let [left, top, width, height] = view.rect(rect);
    canvas.outline([left, top, width, height], thick * view.unit, ink);
    if mark == Mark::Offending {
        let (size, label) = (13.0 * view.unit, mark.word());
        let room = [canvas.text_width(label, size) + 8.0 * view.unit, size + 4.0 * view.unit];
        let label_top = if top > room[1] { top - room[1] } else { top };
        canvas.fill([left, label_top, room[0], room[1]], ink);
        canvas.text(label, left + 4.0 * view.unit, label_top + view.unit, size, WHITE);
    }
}

fn finger(canvas: &mut Canvas, view: &View, touch: &Touch) {
    let unit = view.unit;
    let soft: Ink = [ACCENT[0], ACCENT[1], ACCENT[2], 130];
    match touch {
        Touch::Point { at, long } => {
            let at = view.point(*at);
            canvas.circle(at, 13.0 * unit, None, soft);
            canvas.circle(at, 13.0 * unit, Some(2.0 * unit), WHITE);
            if *long {
                canvas.circle(at, 20.0 * unit, Some(3.0 * unit), ACCENT);
            }
        }
        Touch::Line { from, to } => {
            let (from, to) = (view.point(*from), view.point(*to));
            canvas.line(from, to, 5.0 * unit, soft);
            canvas.circle(from, 13.0 * unit, None, soft);
            canvas.circle(to, 8.0 * unit, Some(3.0 * unit), ACCENT);
        }
    }
}

/// Draws the layout as boxes with their texts.
fn wires(canvas: &mut Canvas, layout: &Layout, width: u32, height: u32, top: u32) {
    let view = View { scale: width as f32 / layout.screen().width.max(1) as f32, top: top as f32, unit: 1.0 };
    canvas.fill([0.0, top as f32, width as f32, height as f32], PAPER);
    for (idx, widget) in layout.iter().filter(|(_, widget)| !widget.bounds.is_empty()) {
        let [left, top, room, height] = view.rect(&widget.bounds);
        canvas.outline([left, top, room, height], 1.0, LINE);
        let text = if widget.text.is_empty() { &widget.content_desc } else { &widget.text };
        if layout.is_leaf(idx) && !text.is_empty() {
            let size = 12.0;
            for line in canvas.wrap(&comment(text), size, room - 8.0, 1) {
                canvas.text(&line, left + 4.0, top + (height - size) / 2.0, size, INK);
            }
        }
    }
}
