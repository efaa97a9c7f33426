//! Draws icons from the Material icon font.

use super::super::fonts::{Fonts, Typeface};
use super::super::{Icon, PX_PER_DP};
use super::shapes::{Canvas, Ink};
use super::text::glyph;

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

/// The icon's code point in the font, from the font's style sheet.
pub(super) fn codepoint(icon: Icon) -> char {
    match icon {
        Icon::Menu => '\u{E5D2}',
        Icon::ArrowBack => '\u{E5C4}',
        Icon::ArrowUpward => '\u{E5D8}',
        Icon::MoreVert => '\u{E5D4}',
        Icon::Search => '\u{E8B6}',
        Icon::Add => '\u{E145}',
        Icon::Close => '\u{E5CD}',
        Icon::Check => '\u{E5CA}',
        Icon::Edit => '\u{E3C9}',
        Icon::Delete => '\u{E872}',
        Icon::Save => '\u{E161}',
        Icon::Folder => '\u{E2C7}',
        Icon::CreateNewFolder => '\u{E2CC}',
        Icon::File => '\u{E24D}',
        Icon::Note => '\u{E873}',
        Icon::Visibility => '\u{E8F4}',
        Icon::VisibilityOff => '\u{E8F5}',
        Icon::Sort => '\u{E164}',
        Icon::Settings => '\u{E8B8}',
        Icon::Storage => '\u{E1DB}',
        Icon::SdCard => '\u{E623}',
        Icon::Download => '\u{E2C4}',
        Icon::Image => '\u{E3F4}',
        Icon::PhotoCamera => '\u{E412}',
        Icon::MusicNote => '\u{E405}',
        Icon::Archive => '\u{E149}',
        Icon::Unarchive => '\u{E169}',
        Icon::Info => '\u{E88E}',
        Icon::Help => '\u{E887}',
        Icon::Star => '\u{E838}',
        Icon::StarBorder => '\u{E83A}',
        Icon::Label => '\u{E892}',
        Icon::Schedule => '\u{E8B5}',
        Icon::Event => '\u{E878}',
        Icon::PlayArrow => '\u{E037}',
        Icon::Stop => '\u{E047}',
        Icon::Pause => '\u{E034}',
        Icon::Undo => '\u{E166}',
        Icon::SelectAll => '\u{E162}',
        Icon::Refresh => '\u{E5D5}',
        Icon::History => '\u{E889}',
        Icon::DirectionsRun => '\u{E566}',
        Icon::Bed => '\u{E53A}',
        Icon::Book => '\u{E865}',
        Icon::Restaurant => '\u{E56C}',
        Icon::Work => '\u{E8F9}',
        Icon::Home => '\u{E88A}',
        Icon::Lock => '\u{E897}',
        Icon::Error => '\u{E001}',
        Icon::ChevronRight => '\u{E5CC}',
        Icon::Android => '\u{E859}',
        Icon::Share => '\u{E80D}',
        Icon::ContentCopy => '\u{E14D}',
        Icon::PushPin => '\u{F10D}',
        Icon::BarChart => '\u{E26B}',
        Icon::ZoomIn => '\u{E8FF}',
        Icon::ZoomOut => '\u{E900}',
        Icon::LocalFlorist => '\u{E545}',
        Icon::Flight => '\u{E539}',
        Icon::DirectionsCar => '\u{E531}',
        Icon::Movie => '\u{E02C}',
        Icon::ShoppingCart => '\u{E8CC}',
        Icon::Person => '\u{E7FD}',
        Icon::School => '\u{E80C}',
        Icon::FormatQuote => '\u{E244}',
        Icon::Build => '\u{E869}',
        Icon::LocalPharmacy => '\u{E550}',
        Icon::AccountBalance => '\u{E84F}',
        Icon::Redeem => '\u{E8B1}',
        Icon::Radio => '\u{E03E}',
        Icon::Tv => '\u{E333}',
        Icon::Style => '\u{E41D}',
        Icon::SwapHoriz => '\u{E8D4}',
        Icon::Block => '\u{E14B}',
        Icon::Pets => '\u{E91D}',
    }
}
