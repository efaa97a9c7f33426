//! A small picture to draw on, for the frames of animations.

use ab_glyph::{Font, FontRef, ScaleFont, point};
use image::{Rgb, RgbImage, RgbaImage};
use tiny_skia::{Color, FillRule, Paint, PathBuilder, Pixmap, Rect, Stroke, Transform};

const FONT: &[u8] = include_bytes!("../../../../assets/fonts/Roboto-Regular.ttf");

/// Red, green, blue and opacity.
pub(crate) type Ink = [u8; 4];

/// A picture to draw on.
pub(crate) struct Canvas {
    pixels: Pixmap,
    font: Option<FontRef<'static>>,
}

impl Canvas {
    /// A picture of one colour; `None` if the size is invalid.
    pub fn new(width: u32, height: u32, ink: Ink) -> Option<Self> {
        let mut pixels = Pixmap::new(width, height)?;
        pixels.fill(color(ink));
        Some(Canvas { pixels, font: FontRef::try_from_slice(FONT).ok() })
    }

    /// Draws a picture at this position.
    pub fn picture(&mut self, picture: &RgbImage, left: u32, top: u32) {
        let (width, height) = (self.pixels.width(), self.pixels.height());
        let pixels = self.pixels.pixels_mut();
        for (x, y, Rgb([red, green, blue])) in picture.enumerate_pixels() {
            let (x, y) = (x + left, y + top);
            if x < width
                && y < height
                && let Some(pixel) = pixels.get_mut((y * width + x) as usize)
            {
                *pixel = tiny_skia::ColorU8::from_rgba(*red, *green, *blue, 255).premultiply();
            }
        }
    }

    /// Draws a filled rectangle, given by left, top, width and height.
    pub fn fill(&mut self, [left, top, width, height]: [f32; 4], ink: Ink) {
        if let Some(rect) = Rect::from_xywh(left, top, width, height) {
            self.pixels.fill_rect(rect, &paint(ink), Transform::identity(), None);
        }
    }

    /// Draws the outline of a rectangle, given by left, top, width and height.
    pub fn outline(&mut self, [left, top, width, height]: [f32; 4], thick: f32, ink: Ink) {
        if let Some(rect) = Rect::from_xywh(left, top, width, height) {
            self.stroke(Some(PathBuilder::from_rect(rect)), thick, ink);
        }
    }

    /// Draws a circle, filled or, with `thick`, as an outline.
    pub fn circle(&mut self, (x, y): (f32, f32), radius: f32, thick: Option<f32>, ink: Ink) {
        let path = PathBuilder::from_circle(x, y, radius);
        match (thick, path) {
            (Some(_), path) => self.stroke(path, thick.unwrap_or(1.0), ink),
            (None, Some(path)) => {
                self.pixels.fill_path(&path, &paint(ink), FillRule::Winding, Transform::identity(), None);
            }
            (None, None) => {}
        }
    }

    /// Draws a straight line between two points.
    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), thick: f32, ink: Ink) {
        let mut path = PathBuilder::new();
        path.move_to(from.0, from.1);
        path.line_to(to.0, to.1);
        self.stroke(path.finish(), thick, ink);
    }

    fn stroke(&mut self, path: Option<tiny_skia::Path>, thick: f32, ink: Ink) {
        if let Some(path) = path {
            let stroke = Stroke { width: thick, ..Stroke::default() };
            self.pixels.stroke_path(&path, &paint(ink), &stroke, Transform::identity(), None);
        }
    }

    /// Width of a text at this font size, in pixels.
    pub fn text_width(&self, text: &str, size: f32) -> f32 {
        let Some(font) = &self.font else { return 0.0 };
        let font = font.as_scaled(size);
        text.chars().map(|c| font.h_advance(font.glyph_id(c))).sum()
    }

    /// Draws one line of text; `top` is the top of the line.
    pub fn text(&mut self, text: &str, left: f32, top: f32, size: f32, ink: Ink) {
        let Some(font) = self.font.clone() else { return };
        let scaled = font.as_scaled(size);
        let (mut x, baseline) = (left, top + scaled.ascent());
        let width = self.pixels.width();
        let height = self.pixels.height();
        for c in text.chars() {
            let glyph = scaled.glyph_id(c);
            let placed = glyph.with_scale_and_position(size, point(x, baseline));
            x += scaled.h_advance(glyph);
            let Some(outline) = font.outline_glyph(placed) else { continue };
            let bounds = outline.px_bounds();
            let pixels = self.pixels.pixels_mut();
            outline.draw(|dx, dy, coverage| {
                let (x, y) = (bounds.min.x as i32 + dx as i32, bounds.min.y as i32 + dy as i32);
                let inside = x >= 0 && y >= 0 && (x as u32) < width && (y as u32) < height;
                if inside && let Some(pixel) = pixels.get_mut((y as u32 * width + x as u32) as usize) {
                    *pixel = over(*pixel, ink, coverage);
                }
            });
        }
    }

    /// Breaks the text into lines that fit into `room`, at most `lines`. The last one ends with an ellipsis if there is
    /// more.
    pub fn wrap(&self, text: &str, size: f32, room: f32, lines: usize) -> Vec<String> {
        let mut wrapped: Vec<String> = vec![String::new()];
        for c in text.chars() {
            let Some(line) = wrapped.last_mut() else { break };
            line.push(c);
            if self.text_width(line, size) <= room {
                continue;
            }
            // Break at the last space if it is not too far back, else within the word.
            let blank = line.rfind(' ').filter(|at| at * 2 > line.len());
            let rest = line.split_off(blank.unwrap_or(line.len() - c.len_utf8()));
            if wrapped.len() == lines {
                if let Some(line) = wrapped.last_mut() {
                    line.push('\u{2026}');
                }
                return wrapped;
            }
            wrapped.push(rest.trim_start().to_owned());
        }
        wrapped
    }

    /// The picture with everything that was drawn.
    pub fn finish(self) -> Option<RgbaImage> {
        RgbaImage::from_raw(self.pixels.width(), self.pixels.height(), self.pixels.take())
    }
}

fn color([red, green, blue, alpha]: Ink) -> Color {
    Color::from_rgba8(red, green, blue, alpha)
}

fn paint(ink: Ink) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(color(ink));
    paint
}

/// Blends ink over an opaque pixel.
fn over(pixel: tiny_skia::PremultipliedColorU8, ink: Ink, coverage: f32) -> tiny_skia::PremultipliedColorU8 {
    let share = (coverage.clamp(0.0, 1.0) * f32::from(ink[3])) as u32;
    let mix =
        |below: u8, above: u8| ((u32::from(below) * (255 - share) + u32::from(above) * share) / 255) as u8;
    let (red, green, blue) =
        (mix(pixel.red(), ink[0]), mix(pixel.green(), ink[1]), mix(pixel.blue(), ink[2]));
    tiny_skia::ColorU8::from_rgba(red, green, blue, 255).premultiply()
}
