//! Texts that are drawn cut short: with an ellipsis, or cut off by the edge of the area that they are drawn into.

use egui::epaint::{ClippedShape, Shape};
use egui::{FullOutput, Pos2, Rect, vec2};

/// A text that is drawn cut short.
pub struct CutText {
    /// The whole text.
    pub text: String,
    /// The middle of what is drawn of it.
    pub at: Pos2,
}

/// The height in points of an area that may have scroll bars.
const LIST: f32 = 100.0;
/// The height in points of a scroll bar, which lies over the contents.
const SCROLL_BAR: f32 = 14.0;

/// The texts that the window last drew cut short.
pub fn cut_texts(output: &FullOutput) -> Vec<CutText> {
    let mut found = Vec::new();
    each_text(&output.shapes, &mut |text, rect, clip, elided| {
        // Above and below the edge of a list, and under its scroll bar, texts are scrolled into sight.
        let bar = if clip.height() > LIST { SCROLL_BAR } else { 0.0 };
        let seen = rect.intersect(clip.shrink2(vec2(0.0, bar)));
        let in_sight = seen.width() > 2.0 && seen.height() > 0.8 * rect.height().min(12.0);
        let cut_off = rect.left() < clip.left() - 1.0 || rect.right() > clip.right() + 1.0;
        if in_sight && (elided || cut_off) {
            found.push(CutText { text: text.to_owned(), at: seen.center() });
        }
    });
    found
}

/// Whether the window last drew the whole text somewhere, also as a part of another.
pub fn is_drawn_whole(output: &FullOutput, whole: &str) -> bool {
    let mut drawn = false;
    each_text(&output.shapes, &mut |text, rect, clip, elided| {
        let within = rect.left() >= clip.left() - 1.0 && rect.right() <= clip.right() + 1.0;
        drawn |= !elided && within && text.contains(whole);
    });
    drawn
}

fn each_text(shapes: &[ClippedShape], each: &mut impl FnMut(&str, Rect, Rect, bool)) {
    for clipped in shapes {
        in_shape(&clipped.shape, clipped.clip_rect, each);
    }
}

fn in_shape(shape: &Shape, clip: Rect, each: &mut impl FnMut(&str, Rect, Rect, bool)) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| in_shape(shape, clip, each)),
        Shape::Text(text) if text.angle == 0.0 && !text.galley.text().trim().is_empty() => {
            let rect = text.galley.rect.translate(text.pos.to_vec2());
            each(text.galley.text(), rect, clip, text.galley.elided);
        }
        _ => {}
    }
}
