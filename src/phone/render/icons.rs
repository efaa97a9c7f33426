//! Draws icons from the Material icon font.

use super::super::{Icon, PX_PER_DP};
use super::shapes::{Canvas, Ink};
use super::text::glyph;
use crate::toolkit::fonts::{Fonts, Typeface};

/// Icons that only the phone itself shows.
pub(super) mod own {
    pub(in super::super) const WIFI: char = '\u{E1D8}';
    pub(in super::super) const SIGNAL: char = '\u{E1C8}';
    pub(in super::super) const BATTERY: char = '\u{EBD2}';
    pub(in super::super) const SHIFT: char = '\u{E318}';
    pub(in super::super) const BACKSPACE: char = '\u{E14A}';
    pub(in super::super) const RETURN: char = '\u{E31B}';
    pub(in super::super) const NEXT: char = '\u{E5C8}';
    pub(in super::super) const DONE: char = '\u{E5CA}';
    pub(in super::super) const SEARCH: char = '\u{E8B6}';
}

/// Draws an icon centred at `middle`.
pub(super) fn icon(
    canvas: &mut Canvas,
    fonts: &Fonts,
    icon: Icon,
    size_dp: i32,
    middle: (i32, i32),
    ink: Ink,
) {
    symbol(canvas, fonts, codepoint(icon), size_dp, middle, ink);
}

/// Draws a character of the icon font, with its em square centred at `middle`.
pub(super) fn symbol(
    canvas: &mut Canvas,
    fonts: &Fonts,
    symbol: char,
    size_dp: i32,
    middle: (i32, i32),
    ink: Ink,
) {
    let size = (size_dp * PX_PER_DP) as f32;
    // The icon fills the em square, which is above the baseline.
    let pen = (middle.0 as f32 - size / 2.0, middle.1 as f32 + size / 2.0);
    glyph(canvas, fonts, symbol, size, Typeface::Icons, pen, ink);
}

/// The icon's code point in the font.
pub(super) fn codepoint(icon: Icon) -> char {
    icon.glyph().chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
}
