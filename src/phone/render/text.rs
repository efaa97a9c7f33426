//! Draws lines of text, glyph by glyph.

use std::borrow::Cow;

use ab_glyph::OutlinedGlyph;
use taproof_screen::PxRect;

use super::super::{Align, PX_PER_DP, TextStyle};
use super::shapes::{Canvas, Ink};
use crate::toolkit::fonts::{Fonts, Typeface, is_invisible};
use crate::toolkit::system_fonts::{Shaped, shaped};

/// The size and weight of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextFont {
    pub(super) size_sp: i32,
    pub(super) medium: bool,
}

impl TextFont {
    pub(super) fn of(style: &TextStyle) -> Self {
        TextFont { size_sp: style.size, medium: style.medium }
    }

    /// Width of the text in px, the same as in the layout.
    pub(super) fn width(self, fonts: &Fonts, text: &str) -> i32 {
        fonts.text_width_px(text, self.size_sp, self.medium)
    }
}

/// Draws a line. The position is the top of the line, not of its letters.
pub(super) fn line(
    canvas: &mut Canvas,
    fonts: &Fonts,
    text: &str,
    font: TextFont,
    left_top: (i32, i32),
    ink: Ink,
) {
    let typeface = Typeface::of_text(font.medium);
    let size = (font.size_sp * PX_PER_DP) as f32;
    let baseline = left_top.1 as f32 + fonts.baseline_px(font.size_sp, font.medium);
    let mut pen = left_top.0 as f32;
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let other =
            foreign(rest, |character| fonts.has_glyph(character, typeface) || is_invisible(character));
        let (part, after) = rest.split_at(other.max(character.len_utf8()));
        let room: f32 = part.chars().map(|character| fonts.advance_px(character, size, typeface)).sum();
        if other > 0 {
            foreign_text(canvas, fonts, part, size, (pen, baseline), ink);
        } else if fonts.has_glyph(character, typeface) {
            glyph(canvas, fonts, character, size, typeface, (pen, baseline), ink);
        }
        pen += room;
        rest = after;
    }
}

/// The length of the text at the beginning that the bundled font cannot draw. Blanks inside of it belong to it, since
/// the order of its words may differ on the screen.
fn foreign(text: &str, known: impl Fn(char) -> bool) -> usize {
    let mut end = 0;
    for (place, character) in text.char_indices() {
        if !known(character) {
            end = place + character.len_utf8();
        } else if end == 0 || (character != ' ' && !is_invisible(character)) {
            break;
        }
    }
    end
}

/// Draws text of another script with fonts of the system, or as boxes without one. The text has the room that boxes need,
/// so that layouts are the same on every machine.
fn foreign_text(canvas: &mut Canvas, fonts: &Fonts, text: &str, size: f32, pen: (f32, f32), ink: Ink) {
    for one in shaped(fonts.of_system(), text, size, pen) {
        match one {
            Shaped::Glyph(outlined) => draw(canvas, &outlined, ink),
            Shaped::Missing(pen) => missing_glyph(canvas, pen, size, ink),
        }
    }
}

/// Draws a glyph with its origin at `pen`.
pub(super) fn glyph(
    canvas: &mut Canvas,
    fonts: &Fonts,
    character: char,
    size_px: f32,
    typeface: Typeface,
    pen: (f32, f32),
    ink: Ink,
) {
    if let Some(outlined) = fonts.outline(character, size_px, typeface, pen) {
        draw(canvas, &outlined, ink);
    }
}

fn draw(canvas: &mut Canvas, outlined: &OutlinedGlyph, ink: Ink) {
    let bounds = outlined.px_bounds();
    let (left, top) = (bounds.min.x as i32, bounds.min.y as i32);
    outlined.draw(|x, y, coverage| {
        let cover = (coverage.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        canvas.pixel(left + x as i32, top + y as i32, ink.faded(cover));
    });
}

/// Draws a box in place of a character that no font has.
fn missing_glyph(canvas: &mut Canvas, pen: (f32, f32), size: f32, ink: Ink) {
    let frame = PxRect::new(
        (pen.0 + size * 0.1) as i32,
        (pen.1 - size * 0.74) as i32,
        (pen.0 + size * 0.9) as i32,
        (pen.1 + size * 0.06) as i32,
    );
    canvas.round_frame(frame, 6, 2, ink.faded(190));
}

/// Draws a text inside of a rectangle, broken into lines. A text with one line at most is centred vertically; others
/// begin at the top.
pub(super) fn block(
    canvas: &mut Canvas,
    fonts: &Fonts,
    text: &str,
    style: &TextStyle,
    rect: PxRect,
    ink: Ink,
) {
    let font = TextFont::of(style);
    let line_height = fonts.line_height_px(style.size);
    let mut top = rect.top;
    if style.max_lines <= 1 {
        top += (rect.height() - line_height) / 2;
    }
    let lines = fonts.wrap(text, style, rect.width());
    let count = lines.len();
    for (number, range) in lines.into_iter().enumerate() {
        let more_follows = number + 1 == count && range.end < text.len();
        let shown = ellipsized(fonts, &text[range], font, rect.width(), more_follows);
        let spare = rect.width() - font.width(fonts, &shown);
        let left = match style.align {
            Align::Start => rect.left,
            Align::Center => rect.left + spare / 2,
            Align::End => rect.left + spare,
        };
        line(canvas, fonts, &shown, font, (left, top), ink);
        top += line_height;
    }
}

/// The text, truncated with an ellipsis if it does not fit or `always`.
fn ellipsized<'a>(fonts: &Fonts, text: &'a str, font: TextFont, width_px: i32, always: bool) -> Cow<'a, str> {
    if !always && font.width(fonts, text) <= width_px {
        return Cow::Borrowed(text);
    }
    let size = (font.size_sp * PX_PER_DP) as f32;
    let typeface = Typeface::of_text(font.medium);
    let mut room = width_px as f32 - fonts.advance_px('…', size, typeface);
    let mut end = 0;
    for (place, character) in text.char_indices() {
        room -= fonts.advance_px(character, size, typeface);
        if room < 0.0 {
            break;
        }
        end = place + character.len_utf8();
    }
    Cow::Owned(format!("{}…", text[..end].trim_end()))
}
