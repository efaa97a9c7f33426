//! Text of scripts that the window's fonts lack is drawn with the fonts of the system.

use egui::epaint::text::{FontInsert, FontPriority, InsertFontFamily};
use egui::{Context, FontData, FontFamily};

use super::theme::text_families;
use taproof_engine::worker::{self, CancelToken, PanicReport};
use taproof_phone::{SystemFont, read_system_fonts};

/// Reads the fonts of the system on a thread, since that takes a while, and draws with them from then on.
///
/// # Errors
///
/// The thread cannot be started.
pub fn draw_other_scripts(ctx: &Context) -> std::io::Result<()> {
    let ctx = ctx.clone();
    let work = move || add(&ctx, read_system_fonts());
    let on_panic =
        |report: PanicReport| tracing::warn!(report.message, "the fonts of the system are not used");
    // Nobody waits for it: the window may be closed before.
    worker::spawn("system fonts", &CancelToken::new(), work, on_panic)?.leave();
    Ok(())
}

/// Adds fonts behind those of the window.
fn add(ctx: &Context, fonts: Vec<SystemFont>) {
    for font in fonts {
        let behind = |family: FontFamily| InsertFontFamily { family, priority: FontPriority::Lowest };
        let families = text_families().into_iter().map(behind).collect();
        let bytes = std::sync::Arc::unwrap_or_clone(font.bytes);
        let data = FontData { index: font.index, ..FontData::from_owned(bytes) };
        ctx.add_font(FontInsert { name: format!("{} of the system", font.name), data, families });
    }
    ctx.request_repaint();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::theme::{install, medium_font};

    #[test]
    fn letters_of_other_scripts_are_drawn_in_every_font() {
        let fonts = read_system_fonts();
        let has = |letter: char, ctx: &Context| {
            let fonts = [egui::FontId::proportional(13.0), egui::FontId::monospace(12.0), medium_font(13.0)];
            fonts.iter().all(|font| ctx.fonts_mut(|fonts| fonts.has_glyph(font, letter)))
        };
        let ctx = Context::default();
        install(&ctx);
        ctx.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
        let before: Vec<char> =
            ['漢', 'ש', 'ع', 'ก'].into_iter().filter(|letter| !has(*letter, &ctx)).collect();
        assert!(!before.is_empty(), "the window's own fonts lack some of them");
        let found = !fonts.is_empty();
        add(&ctx, fonts);
        ctx.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
        let after: Vec<char> = before.iter().copied().filter(|letter| has(*letter, &ctx)).collect();
        if !found {
            return println!("skipped: this system has no font with other scripts");
        }
        assert!(!after.is_empty(), "none of {before:?} is drawn with the fonts of the system");
    }
}
