//! The fonts of the system, for text of scripts that the bundled fonts lack. Only pictures depend on them: layouts are the
//! same on every machine.

use std::sync::Arc;

use ab_glyph::{Font, FontRef, GlyphId, OutlinedGlyph, PxScale, point};
use fontdb::{Database, FaceInfo, Stretch, Style, Weight};
use harfrust::{ShapeOptions, ShaperData, UnicodeBuffer};

use super::fonts::is_invisible;

/// A letter of each script that people write apps in, and that Roboto lacks.
const SCRIPTS: [char; 20] =
    ['漢', 'あ', '한', 'ש', 'ع', 'ก', 'अ', 'অ', 'த', 'త', 'ಕ', 'മ', 'ગ', 'ਕ', 'ა', 'ա', 'ሀ', 'ក', 'က', 'ල'];

/// A font of the system that has letters of some of these scripts.
#[derive(Clone)]
pub struct SystemFont {
    /// The name of its family.
    pub name: String,
    /// The contents of its file.
    pub bytes: Arc<Vec<u8>>,
    /// Its index in the file.
    pub index: u32,
}

/// Text that is ready to be drawn.
pub(crate) enum Shaped {
    /// The outline of a glyph.
    Glyph(OutlinedGlyph),
    /// A character that no font has, and where its line begins.
    Missing((f32, f32)),
}

/// Reads the fonts of the system, as few as have all scripts that any of them has. This takes a while.
pub fn read_system_fonts() -> Vec<SystemFont> {
    let mut database = Database::new();
    database.load_system_fonts();
    chosen(&database)
}

fn chosen(database: &Database) -> Vec<SystemFont> {
    let mut faces: Vec<&FaceInfo> = database.faces().filter(|face| is_plain(face)).collect();
    faces.sort_by_cached_key(|face| (rank(face), face.post_script_name.clone(), face.index));
    let mut missing = SCRIPTS.to_vec();
    let mut fonts = Vec::new();
    for face in faces {
        let has = |bytes: &[u8], index| {
            let font = FontRef::try_from_slice_and_index(bytes, index).ok()?;
            let has = |letter: &char| font.glyph_id(*letter).0 != 0;
            Some(missing.iter().copied().filter(has).collect::<Vec<char>>())
        };
        let found = database.with_face_data(face.id, has).flatten().unwrap_or_default();
        if found.is_empty() {
            continue;
        }
        missing.retain(|letter| !found.contains(letter));
        let bytes = database.with_face_data(face.id, |bytes, _| bytes.to_vec()).unwrap_or_default();
        fonts.push(SystemFont { name: name_of(face).to_owned(), bytes: Arc::new(bytes), index: face.index });
        if missing.is_empty() {
            break;
        }
    }
    fonts
}

fn is_plain(face: &FaceInfo) -> bool {
    (face.style, face.weight, face.stretch) == (Style::Normal, Weight::NORMAL, Stretch::Normal)
}

fn name_of(face: &FaceInfo) -> &str {
    face.families.first().map_or(face.post_script_name.as_str(), |(name, _)| name.as_str())
}

/// Fonts with a lower rank look better beside Roboto.
fn rank(face: &FaceInfo) -> u8 {
    let name = name_of(face);
    match name {
        _ if face.monospaced => 3,
        _ if name.starts_with("Noto Sans") => 0,
        _ if name.contains("Sans") => 1,
        _ => 2,
    }
}

/// Sets a text of foreign scripts on a line that begins at `pen`. Right-to-left text is set in its own order.
pub(crate) fn shaped(fonts: &[SystemFont], text: &str, size_px: f32, pen: (f32, f32)) -> Vec<Shaped> {
    let mut pen = pen;
    let mut out = Vec::new();
    for (font, part) in parts(fonts, text) {
        let set = font.and_then(|font| set(font, part, size_px, pen, &mut out));
        pen.0 += set.unwrap_or_else(|| {
            let missing = part.chars().filter(|character| !is_invisible(*character));
            let places = missing.enumerate().map(|(place, _)| (pen.0 + place as f32 * size_px, pen.1));
            let before = out.len();
            out.extend(places.map(Shaped::Missing));
            (out.len() - before) as f32 * size_px
        });
    }
    out
}

/// Splits a text into parts that one font can draw. Blanks and invisible characters belong to what is before them.
fn parts<'f, 't>(fonts: &'f [SystemFont], text: &'t str) -> Vec<(Option<&'f SystemFont>, &'t str)> {
    let known: Vec<(&SystemFont, FontRef<'_>)> =
        fonts.iter().filter_map(|font| Some((font, face(font)?))).collect();
    let font_of = |character: char| known.iter().find(|(_, face)| face.glyph_id(character).0 != 0);
    let mut parts: Vec<(Option<&SystemFont>, &str)> = Vec::new();
    let mut begin = 0;
    let mut current: Option<Option<&SystemFont>> = None;
    for (place, character) in text.char_indices() {
        let font = font_of(character).map(|(font, _)| *font);
        let joins = character == ' ' || is_invisible(character);
        let same = |one: Option<&SystemFont>| one.map(std::ptr::from_ref) == font.map(std::ptr::from_ref);
        match current {
            Some(before) if !joins && !same(before) => {
                parts.push((before, &text[begin..place]));
                (begin, current) = (place, Some(font));
            }
            Some(_) => {}
            None => current = Some(font),
        }
    }
    parts.extend(current.map(|font| (font, &text[begin..])));
    parts
}

fn face(font: &SystemFont) -> Option<FontRef<'_>> {
    FontRef::try_from_slice_and_index(&font.bytes, font.index).ok()
}

/// Sets a text in a font. Returns its width.
fn set(font: &SystemFont, text: &str, size_px: f32, pen: (f32, f32), out: &mut Vec<Shaped>) -> Option<f32> {
    let face = face(font)?;
    let units = face.units_per_em()?;
    let tables = harfrust::FontRef::from_index(&font.bytes, font.index).ok()?;
    let data = ShaperData::new(&tables);
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(text);
    buffer.guess_segment_properties();
    let glyphs = data.shaper(&tables).build().shape(buffer, ShapeOptions::new());
    // ab_glyph's scale is the height of a line, not of the em square.
    let scale = PxScale::from(size_px * face.height_unscaled() / units);
    let px = size_px / units;
    let mut width = 0.0;
    for (info, position) in glyphs.glyph_infos().iter().zip(glyphs.glyph_positions()) {
        let (x, y) = (position.x_offset as f32 * px, position.y_offset as f32 * px);
        let at = point(pen.0 + width + x, pen.1 - y);
        let glyph = GlyphId(u16::try_from(info.glyph_id).ok()?);
        out.extend(face.outline_glyph(glyph.with_scale_and_position(scale, at)).map(Shaped::Glyph));
        width += position.x_advance as f32 * px;
    }
    Some(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roboto() -> SystemFont {
        let bytes = include_bytes!("../../../assets/fonts/Roboto-Regular.ttf");
        SystemFont { name: "Roboto".to_owned(), bytes: Arc::new(bytes.to_vec()), index: 0 }
    }

    fn glyphs_and_boxes(shaped: &[Shaped]) -> (usize, usize) {
        let glyphs = shaped.iter().filter(|one| matches!(one, Shaped::Glyph(_))).count();
        (glyphs, shaped.len() - glyphs)
    }

    #[test]
    fn each_part_has_a_font_or_is_boxes() {
        let fonts = [roboto()];
        let text = "ab 漢\u{200d}字c";
        let words: Vec<(bool, &str)> =
            parts(&fonts, text).into_iter().map(|(font, part)| (font.is_some(), part)).collect();
        assert_eq!(words, [(true, "ab "), (false, "漢\u{200d}字"), (true, "c")]);
        let shaped = shaped(&fonts, text, 20.0, (0.0, 20.0));
        assert_eq!(glyphs_and_boxes(&shaped), (3, 2));
        assert_eq!(glyphs_and_boxes(&super::shaped(&[], "漢字", 20.0, (0.0, 20.0))), (0, 2));
    }

    #[test]
    fn as_few_fonts_as_needed_are_read() {
        let fonts = read_system_fonts();
        if fonts.is_empty() {
            return println!("skipped: this system has no font with other scripts");
        }
        assert!(fonts.len() <= SCRIPTS.len());
        for font in &fonts {
            let face = face(font).unwrap();
            assert!(SCRIPTS.iter().any(|letter| face.glyph_id(*letter).0 != 0), "{}", font.name);
        }
    }

    #[test]
    fn hebrew_is_set_from_right_to_left() {
        let fonts = read_system_fonts();
        let hebrew = fonts.iter().find(|font| face(font).unwrap().glyph_id('ש').0 != 0);
        let Some(hebrew) = hebrew else { return println!("skipped: this system has no Hebrew font") };
        let shaped = |text: &str| {
            let mut out = Vec::new();
            set(hebrew, text, 20.0, (0.0, 20.0), &mut out).unwrap();
            let widths = out.into_iter().map(|one| match one {
                Shaped::Glyph(glyph) => glyph.px_bounds().width().round() as i32,
                Shaped::Missing(_) => 0,
            });
            widths.collect::<Vec<_>>()
        };
        // Vav is much narrower than shin.
        let (shin, vav) = (shaped("ש")[0], shaped("ו")[0]);
        assert!(vav < shin);
        assert_eq!(shaped("שו").len(), 2);
        assert!(shaped("שו")[0] < shaped("שו")[1], "the first letter is the rightmost");
    }
}
