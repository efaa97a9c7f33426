//! The canvas and plain shapes: rectangles, rounded rectangles, circles, paths, shadows.
//!
//! Every pixel is opaque, so straight and premultiplied colours are the same bytes.

use tiny_skia::{FillRule, Mask, Paint, Path, PathBuilder, PixmapMut, Rect, Stroke, Transform};

use taproof_screen::{PxRect, PxSize};

use super::super::Color;

/// A colour with its opacity, from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ink {
    pub(super) color: Color,
    pub(super) alpha: u8,
}

impl Ink {
    pub(super) fn solid(color: Color) -> Self {
        Ink { color, alpha: 255 }
    }

    /// The same colour with `part`/255 of the opacity.
    pub(super) fn faded(self, part: u8) -> Self {
        Ink { alpha: (u32::from(self.alpha) * u32::from(part) / 255) as u8, ..self }
    }
}

/// Splits a colour into red, green and blue.
pub(super) fn channels(color: Color) -> [u8; 3] {
    [(color.0 >> 16) as u8, (color.0 >> 8) as u8, color.0 as u8]
}

/// Mixes two colours with `part`/255 of the second.
pub(super) fn mix(first: Color, second: Color, part: u8) -> Color {
    let (from, to) = (channels(first), channels(second));
    let [red, green, blue] = [0, 1, 2].map(|place| u32::from(blend(from[place], to[place], part)));
    Color(red << 16 | green << 8 | blue)
}

/// Whether white text is easier to read on the colour than dark text.
pub(super) fn is_dark(color: Color) -> bool {
    let [red, green, blue] = channels(color).map(u32::from);
    (red * 299 + green * 587 + blue * 114) / 1000 < 160
}

fn blend(under: u8, over: u8, alpha: u8) -> u8 {
    let alpha = u32::from(alpha);
    let sum = u32::from(under) * (255 - alpha) + u32::from(over) * alpha + 128;
    // Divides by 255 with rounding, without a division.
    ((sum + (sum >> 8)) >> 8) as u8
}

/// The picture being drawn.
pub(super) struct Canvas {
    size: PxSize,
    rgba: Vec<u8>,
    /// Nothing is drawn outside of this rectangle, which is always within the picture.
    clip: PxRect,
}

impl Canvas {
    /// Creates a picture filled with one colour.
    pub(super) fn new(size: PxSize, color: Color) -> Self {
        let size = PxSize { width: size.width.max(1), height: size.height.max(1) };
        let [red, green, blue] = channels(color);
        let rgba = [red, green, blue, 255].repeat((size.width * size.height) as usize);
        Canvas { size, rgba, clip: PxRect::new(0, 0, size.width, size.height) }
    }

    pub(super) fn bounds(&self) -> PxRect {
        PxRect::new(0, 0, self.size.width, self.size.height)
    }

    /// Returns the pixels as RGBA bytes, in rows from the top.
    pub(super) fn into_rgba(self) -> Vec<u8> {
        self.rgba
    }

    /// Restricts drawing to a rectangle. Returns the previous clip.
    pub(super) fn set_clip(&mut self, clip: PxRect) -> PxRect {
        let before = self.clip;
        self.clip = clip.intersect(&self.bounds());
        before
    }

    /// The bytes of a row's pixels from `left` to `right`, which must be inside of the picture.
    fn row(&mut self, y: i32, left: i32, right: i32) -> &mut [u8] {
        let start = (y * self.size.width + left) as usize * 4;
        &mut self.rgba[start..start + (right - left) as usize * 4]
    }

    /// Blends one pixel. Pixels outside of the clip are ignored.
    pub(super) fn pixel(&mut self, x: i32, y: i32, ink: Ink) {
        let clip = self.clip;
        if x >= clip.left && x < clip.right && y >= clip.top && y < clip.bottom && ink.alpha > 0 {
            let over = channels(ink.color);
            for (under, over) in self.row(y, x, x + 1).iter_mut().zip(over) {
                *under = blend(*under, over, ink.alpha);
            }
        }
    }

    pub(super) fn rect(&mut self, rect: PxRect, ink: Ink) {
        let rect = rect.intersect(&self.clip);
        if rect.is_empty() {
            return;
        }
        let [red, green, blue] = channels(ink.color);
        for y in rect.top..rect.bottom {
            let row = self.row(y, rect.left, rect.right).as_chunks_mut::<4>().0;
            if ink.alpha == 255 {
                row.fill([red, green, blue, 255]);
                continue;
            }
            for pixel in row {
                *pixel = [
                    blend(pixel[0], red, ink.alpha),
                    blend(pixel[1], green, ink.alpha),
                    blend(pixel[2], blue, ink.alpha),
                    255,
                ];
            }
        }
    }

    pub(super) fn round_rect(&mut self, rect: PxRect, radius_px: i32, ink: Ink) {
        if radius_px <= 0 {
            return self.rect(rect, ink);
        }
        if let Some(path) = round_rect_path(rect, radius_px as f32, 0.0) {
            self.fill(&path, ink);
        }
    }

    /// Draws the outline of a rounded rectangle, inside of its edge.
    pub(super) fn round_frame(&mut self, rect: PxRect, radius_px: i32, width_px: i32, ink: Ink) {
        let width = width_px as f32;
        if let Some(path) = round_rect_path(rect, radius_px as f32, width / 2.0) {
            self.stroke(&path, width, ink);
        }
    }

    pub(super) fn circle(&mut self, center: (f32, f32), radius: f32, ink: Ink) {
        if let Some(path) = PathBuilder::from_circle(center.0, center.1, radius) {
            self.fill(&path, ink);
        }
    }

    pub(super) fn ring(&mut self, center: (f32, f32), radius: f32, width: f32, ink: Ink) {
        if let Some(path) = PathBuilder::from_circle(center.0, center.1, radius) {
            self.stroke(&path, width, ink);
        }
    }

    pub(super) fn fill(&mut self, path: &Path, ink: Ink) {
        self.with_skia(path.bounds(), 0.0, |pixmap, mask| {
            pixmap.fill_path(path, &paint(ink), FillRule::Winding, Transform::identity(), mask);
        });
    }

    pub(super) fn stroke(&mut self, path: &Path, width: f32, ink: Ink) {
        let stroke = Stroke { width, ..Stroke::default() };
        self.with_skia(path.bounds(), width, |pixmap, mask| {
            pixmap.stroke_path(path, &paint(ink), &stroke, Transform::identity(), mask);
        });
    }

    /// Draws with tiny-skia. `bounds` and `margin` limit what is drawn; if that exceeds the clip, a mask is used, which
    /// is slow for the whole picture.
    fn with_skia(&mut self, bounds: Rect, margin: f32, draw: impl FnOnce(&mut PixmapMut<'_>, Option<&Mask>)) {
        let clip = self.clip;
        let reach = PxRect::new(
            (bounds.left() - margin).floor() as i32,
            (bounds.top() - margin).floor() as i32,
            (bounds.right() + margin).ceil() as i32,
            (bounds.bottom() + margin).ceil() as i32,
        );
        let shown = reach.intersect(&clip);
        if shown.is_empty() {
            return;
        }
        let (width, height) = (self.size.width as u32, self.size.height as u32);
        let mask = if shown == reach.intersect(&self.bounds()) { None } else { clip_mask(self.size, clip) };
        if let Some(mut pixmap) = PixmapMut::from_bytes(&mut self.rgba, width, height) {
            draw(&mut pixmap, mask.as_ref());
        }
    }

    /// Draws the shadow of a rounded rectangle with this elevation. The parts that the rectangle will hide are left
    /// out, so it must be drawn afterwards.
    pub(super) fn shadow(&mut self, rect: PxRect, radius_px: i32, elevation_dp: i32) {
        // Material's two lights: a soft ambient one, and one from above whose shadow extends further down.
        let elevation = elevation_dp.clamp(0, 24);
        let radius = radius_px.min(rect.width().min(rect.height()) / 2).max(0);
        let hidden = inset(rect, radius);
        self.glow(rect, radius, elevation * 3, 26, hidden);
        self.glow(rect.offset(0, elevation * 3 / 2), radius, elevation * 4, 46, hidden);
    }

    /// Draws a shadow around a rounded rectangle that fades out within `reach_px`.
    fn glow(&mut self, rect: PxRect, radius_px: i32, reach_px: i32, strength: i32, hidden: PxRect) {
        let reach = reach_px.max(1);
        let shown = inset(rect, -reach).intersect(&self.clip);
        let corner = (radius_px + reach / 2).min(rect.width().min(rect.height()) / 2).max(0);
        // Distances are measured to a smaller rectangle with rounder corners, so that the edge itself is soft.
        let core = inset(rect, corner);
        for y in shown.top..shown.bottom {
            let dy = (core.top - y).max(y - core.bottom + 1).max(0) as f32;
            let mut x = shown.left;
            while x < shown.right {
                if y >= hidden.top && y < hidden.bottom && x >= hidden.left && x < hidden.right {
                    x = hidden.right;
                    continue;
                }
                let dx = (core.left - x).max(x - core.right + 1).max(0) as f32;
                let distance = (dx * dx + dy * dy).sqrt() - corner as f32;
                let light = ((distance / reach as f32 + 1.0) / 2.0).clamp(0.0, 1.0);
                let alpha = (1.0 - light) * (1.0 - light) * (strength * 2) as f32;
                self.pixel(x, y, Ink { color: Color(0), alpha: alpha.min(255.0) as u8 });
                x += 1;
            }
        }
    }

    /// Draws another picture, which is as large as the rectangle, with rounded corners.
    pub(super) fn stamp(&mut self, rect: PxRect, radius_px: i32, picture: &Canvas) {
        let radius = radius_px.min(rect.width().min(rect.height()) / 2).max(0);
        let core =
            PxRect::new(rect.left + radius, rect.top + radius, rect.right - radius, rect.bottom - radius);
        let shown = rect.intersect(&self.clip).intersect(&picture.bounds().offset(rect.left, rect.top));
        if shown.is_empty() {
            return;
        }
        for y in shown.top..shown.bottom {
            let start = ((y - rect.top) * picture.size.width + shown.left - rect.left) as usize * 4;
            let source = &picture.rgba[start..start + shown.width() as usize * 4];
            let dy = (core.top - y).max(y - core.bottom + 1).max(0) as f32;
            if dy == 0.0 {
                self.row(y, shown.left, shown.right).copy_from_slice(source);
                continue;
            }
            for (x, &[red, green, blue, _]) in (shown.left..).zip(source.as_chunks::<4>().0) {
                let dx = (core.left - x).max(x - core.right + 1).max(0) as f32;
                let inside = radius as f32 + 0.5 - (dx * dx + dy * dy).sqrt();
                let color = Color(u32::from(red) << 16 | u32::from(green) << 8 | u32::from(blue));
                self.pixel(x, y, Ink { color, alpha: (inside.clamp(0.0, 1.0) * 255.0) as u8 });
            }
        }
    }
}

/// The rectangle reduced by `by` pixels at each edge.
fn inset(rect: PxRect, by: i32) -> PxRect {
    PxRect::new(rect.left + by, rect.top + by, rect.right - by, rect.bottom - by)
}

fn paint(ink: Ink) -> Paint<'static> {
    let [red, green, blue] = channels(ink.color);
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, ink.alpha);
    paint
}

fn clip_mask(size: PxSize, clip: PxRect) -> Option<Mask> {
    let mut mask = Mask::new(size.width as u32, size.height as u32)?;
    for y in clip.top..clip.bottom {
        let start = (y * size.width + clip.left) as usize;
        mask.data_mut()[start..start + clip.width() as usize].fill(255);
    }
    Some(mask)
}

/// A rounded rectangle, reduced by `inset` at each edge. `None` if it is empty.
fn round_rect_path(rect: PxRect, radius: f32, inset: f32) -> Option<Path> {
    /// Length of a cubic's handles that approximates a quarter circle of radius 1.
    const HANDLE: f32 = 0.552_284_8;
    let (left, top) = (rect.left as f32 + inset, rect.top as f32 + inset);
    let (right, bottom) = (rect.right as f32 - inset, rect.bottom as f32 - inset);
    if right <= left || bottom <= top {
        return None;
    }
    let radius = (radius - inset).min((right - left) / 2.0).min((bottom - top) / 2.0).max(0.0);
    let near = radius * (1.0 - HANDLE);
    let mut path = PathBuilder::new();
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    path.cubic_to(right - near, top, right, top + near, right, top + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(right, bottom - near, right - near, bottom, right - radius, bottom);
    path.line_to(left + radius, bottom);
    path.cubic_to(left + near, bottom, left, bottom - near, left, bottom - radius);
    path.line_to(left, top + radius);
    path.cubic_to(left, top + near, left + near, top, left + radius, top);
    path.close();
    path.finish()
}
