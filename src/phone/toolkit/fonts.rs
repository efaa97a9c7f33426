//! The bundled fonts: widths and line breaks of texts, needed for every layout, and outlines of glyphs, needed only
//! when the screen is drawn.
//!
//! Widths are sums of font units in integers, so bounds are the same on every machine.

use std::ops::Range;

use ab_glyph::{Font, FontRef, GlyphId, OutlinedGlyph, PxScale, point};

use super::system_fonts::{SystemFont, read_system_fonts};
use crate::{PX_PER_DP, TextStyle};

/// The fonts of the system, read when a picture first needs one.
#[allow(
    clippy::disallowed_types,
    reason = "they are the same for the whole process, and only pictures show them"
)]
static SYSTEM: std::sync::LazyLock<Vec<SystemFont>> = std::sync::LazyLock::new(read_system_fonts);

const REGULAR: &[u8] = include_bytes!("../../../assets/fonts/Roboto-Regular.ttf");
const MEDIUM: &[u8] = include_bytes!("../../../assets/fonts/Roboto-Medium.ttf");
const ICONS: &[u8] = include_bytes!("../../../assets/fonts/MaterialIcons-Regular.ttf");

/// Number of characters whose advances are looked up in a table: those of ASCII, nearly all that occur.
const TABLE: usize = 128;

/// The fonts of the phone.
#[derive(Clone, Debug)]
pub struct Fonts {
    regular: Face,
    medium: Face,
    icons: Face,
}

/// A font. If it could not be read, it has no glyphs and all text is drawn as boxes.
#[derive(Clone, Debug)]
struct Face {
    font: Option<FontRef<'static>>,
    units_per_em: i32,
    /// Height of a line above and below the baseline, in font units.
    ascent: i32,
    descent: i32,
    advances: [u16; TABLE],
}

/// The typefaces of the phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Typeface {
    /// The font of body text.
    Regular,
    /// The font of headings and buttons.
    Medium,
    /// The font of icons.
    Icons,
}

impl Typeface {
    /// The typeface of text in medium or regular weight.
    pub(crate) fn of_text(medium: bool) -> Self {
        if medium { Typeface::Medium } else { Typeface::Regular }
    }
}

impl Default for Fonts {
    fn default() -> Self {
        Fonts::new()
    }
}

impl Fonts {
    /// Reads the bundled fonts.
    pub fn new() -> Self {
        Fonts { regular: Face::read(REGULAR), medium: Face::read(MEDIUM), icons: Face::read(ICONS) }
    }

    fn face(&self, typeface: Typeface) -> &Face {
        match typeface {
            Typeface::Regular => &self.regular,
            Typeface::Medium => &self.medium,
            Typeface::Icons => &self.icons,
        }
    }

    /// Width of a line of text, in px, rounded up.
    pub(crate) fn text_width_px(&self, text: &str, size_sp: i32, medium: bool) -> i32 {
        let face = self.face(Typeface::of_text(medium));
        let units = face.width(text) * i64::from(size_sp * PX_PER_DP);
        let per_em = i64::from(face.units_per_em);
        ((units + per_em - 1) / per_em) as i32
    }

    /// Distance between the tops of two lines, in px.
    pub(crate) fn line_height_px(&self, size_sp: i32) -> i32 {
        size_sp * PX_PER_DP * 4 / 3
    }

    /// Breaks a text into lines of at most `width_px` and returns their byte ranges. Lines are broken between words and
    /// at `
    ///
    /// `, inside a word only if it is wider than a line. The last of `max_lines` lines extends to the end of its
    /// paragraph even if it does not fit; drawing adds the ellipsis.
    pub fn wrap(&self, text: &str, style: &TextStyle, width_px: i32) -> Vec<Range<usize>> {
        let face = self.face(Typeface::of_text(style.medium));
        let size_px = i64::from((style.size * PX_PER_DP).max(1));
        let room = i64::from(width_px) * i64::from(face.units_per_em) / size_px;
        let max_lines = style.max_lines.max(1) as usize;
        let mut lines = Vec::with_capacity(1);
        let mut start = 0;
        loop {
            let paragraph_end = text[start..].find('\n').map_or(text.len(), |length| start + length);
            while lines.len() + 1 < max_lines {
                let (end, next) = face.break_line(&text[start..paragraph_end], room);
                if start + next == paragraph_end {
                    break;
                }
                lines.push(start..start + end);
                start += next;
            }
            lines.push(start..paragraph_end);
            start = paragraph_end + 1;
            if lines.len() == max_lines || start > text.len() {
                return lines;
            }
        }
    }

    /// Advance of a character, in px.
    pub(crate) fn advance_px(&self, character: char, size_px: f32, typeface: Typeface) -> f32 {
        let face = self.face(typeface);
        face.advance(character) as f32 * size_px / face.units_per_em as f32
    }

    /// Distance from the top of a line of text to its baseline, in px. The font is centred vertically in the line.
    pub(crate) fn baseline_px(&self, size_sp: i32, medium: bool) -> f32 {
        let face = self.face(Typeface::of_text(medium));
        let size_px = (size_sp * PX_PER_DP) as f32;
        let above = face.ascent as f32 * size_px / face.units_per_em as f32;
        let own = (face.ascent + face.descent) as f32 * size_px / face.units_per_em as f32;
        ((self.line_height_px(size_sp) as f32 - own) / 2.0 + above).round()
    }

    /// The fonts of the system, for characters that no bundled font has.
    pub(crate) fn of_system(&self) -> &[SystemFont] {
        &SYSTEM
    }

    /// Whether the typeface has a glyph for the character.
    pub(crate) fn has_glyph(&self, character: char, typeface: Typeface) -> bool {
        self.face(typeface).glyph(character).is_some()
    }

    /// The outline of a character with its origin at `pen`. `None` if there is nothing to draw.
    pub(crate) fn outline(
        &self,
        character: char,
        size_px: f32,
        typeface: Typeface,
        pen: (f32, f32),
    ) -> Option<OutlinedGlyph> {
        let face = self.face(typeface);
        let font = face.font.as_ref()?;
        // ab_glyph's scale is the height of a line, not of the em square.
        let scale = PxScale::from(size_px * font.height_unscaled() / face.units_per_em as f32);
        let glyph = face.glyph(character)?.with_scale_and_position(scale, point(pen.0, pen.1));
        font.outline_glyph(glyph)
    }
}

impl Face {
    fn read(bytes: &'static [u8]) -> Self {
        let font = FontRef::try_from_slice(bytes).ok();
        let units_per_em = font.as_ref().and_then(Font::units_per_em).map_or(2048, |units| units as i32);
        let ascent = font.as_ref().map_or(units_per_em, |font| font.ascent_unscaled() as i32);
        let descent = font.as_ref().map_or(0, |font| -font.descent_unscaled() as i32);
        let mut face = Face { font, units_per_em, ascent, descent, advances: [0; TABLE] };
        for code in 0..TABLE as u8 {
            face.advances[usize::from(code)] = face.slow_advance(char::from(code)) as u16;
        }
        face
    }

    fn glyph(&self, character: char) -> Option<GlyphId> {
        let id = self.font.as_ref()?.glyph_id(character);
        (id.0 != 0).then_some(id)
    }

    /// Advance of a character, in font units.
    fn advance(&self, character: char) -> i64 {
        match self.advances.get(character as usize) {
            Some(&advance) => i64::from(advance),
            None => i64::from(self.slow_advance(character)),
        }
    }

    /// Advance of a character according to the font. Missing characters are boxes as wide as high; invisible ones have
    /// no width.
    fn slow_advance(&self, character: char) -> i32 {
        match (&self.font, self.glyph(character)) {
            _ if is_invisible(character) => 0,
            (Some(font), Some(id)) => font.h_advance_unscaled(id) as i32,
            _ => self.units_per_em,
        }
    }

    fn width(&self, text: &str) -> i64 {
        text.chars().map(|character| self.advance(character)).sum()
    }

    /// Returns where the first line of a paragraph ends and where the next one begins, which is the paragraph's end if
    /// all fits.
    fn break_line(&self, paragraph: &str, room: i64) -> (usize, usize) {
        let mut width = 0;
        let mut word_break = None;
        let mut word_end = 0;
        for (place, character) in paragraph.char_indices() {
            if character == ' ' {
                // A blank at the end of a line may extend beyond it.
                word_break = Some((word_end, place + 1));
                width += self.advance(character);
                continue;
            }
            width += self.advance(character);
            if width > room && place > 0 {
                return word_break.filter(|&(end, _)| end > 0).unwrap_or((place, place));
            }
            word_end = place + character.len_utf8();
        }
        (paragraph.len(), paragraph.len())
    }
}

/// Whether a character is a control, a joiner, a direction mark or a variation selector.
pub(crate) fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(max_lines: i32) -> TextStyle {
        TextStyle { max_lines, ..TextStyle::default() }
    }

    fn wrapped(text: &str, width_px: i32, max_lines: i32) -> Vec<String> {
        let fonts = Fonts::new();
        fonts.wrap(text, &style(max_lines), width_px).into_iter().map(|line| text[line].to_owned()).collect()
    }

    #[test]
    fn bundled_fonts_can_be_read() {
        let fonts = Fonts::new();
        for typeface in [Typeface::Regular, Typeface::Medium, Typeface::Icons] {
            assert!(fonts.face(typeface).font.is_some(), "{typeface:?}");
        }
        assert!(fonts.has_glyph('é', Typeface::Regular));
        assert!(!fonts.has_glyph('漢', Typeface::Regular));
    }

    #[test]
    fn widths_add_up() {
        let fonts = Fonts::new();
        assert_eq!(fonts.text_width_px("", 16, false), 0);
        let word = fonts.text_width_px("Documents", 16, false);
        assert!((200..260).contains(&word), "{word}");
        assert!(fonts.text_width_px("Documents", 16, true) > word);
        assert_eq!(fonts.text_width_px("漢字", 16, false), 96);
        assert_eq!(fonts.text_width_px("a\u{200D}\n", 16, false), fonts.text_width_px("a", 16, false));
    }

    #[test]
    fn text_as_wide_as_its_room_is_one_line() {
        let fonts = Fonts::new();
        for text in ["Documents", "two words", "W", "three whole words"] {
            let width = fonts.text_width_px(text, 16, false);
            assert_eq!(wrapped(text, width, 5), [text]);
        }
    }

    #[test]
    fn wraps_at_words_and_newlines() {
        assert_eq!(wrapped("one two three", 200, 9), ["one two", "three"]);
        assert_eq!(wrapped("one\n\ntwo", 500, 9), ["one", "", "two"]);
        assert_eq!(wrapped("", 500, 9), [""]);
        assert_eq!(wrapped("one\n", 500, 9), ["one", ""]);
        assert_eq!(wrapped("one two three four", 200, 2), ["one two", "three four"]);
        assert_eq!(wrapped("one\ntwo", 500, 1), ["one"]);
    }

    #[test]
    fn breaks_words_that_are_wider_than_the_room() {
        let lines = wrapped("incomprehensibilities", 100, 99);
        assert!(lines.len() > 3);
        assert_eq!(lines.concat(), "incomprehensibilities");
        assert_eq!(wrapped("漢字漢字", 100, 9), ["漢字", "漢字"]);
        assert_eq!(wrapped("ab", 0, 9), ["a", "b"]);
        assert_eq!(wrapped("   word", 10, 1), ["   word"]);
    }
}
