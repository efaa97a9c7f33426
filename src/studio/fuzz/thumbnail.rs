//! Thumbnails of screens, drawn from their layouts: enough to recognise a screen, and only a few bytes.

use std::sync::Arc;

use crate::mirror::Screenshot;
use taproof_engine::device::PngBytes;
use taproof_screen::format::read_rgba;
use taproof_screen::{Layout, PxRect, PxSize, Widget};

/// Length of the longer side, in pixels.
const LONG: i32 = 96;
const GROUND: [u8; 4] = [0xfa, 0xfa, 0xfc, 0xff];
const TEXT: [u8; 4] = [0x5f, 0x6b, 0x7a, 0xff];
const FIELD: [u8; 4] = [0xdf, 0xe6, 0xee, 0xff];
const BUTTON: [u8; 4] = [0xb7, 0xdc, 0xd7, 0xff];
const PICTURE: [u8; 4] = [0x8f, 0xa4, 0xc4, 0xff];

/// A screen of which a thumbnail is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct ThumbnailOf {
    /// What the screen shows.
    pub layout: Arc<Layout>,
    /// The screenshot, where there is one.
    pub picture: Option<Arc<PngBytes>>,
}

impl ThumbnailOf {
    /// That of a layout without a picture.
    pub fn layout(layout: &Arc<Layout>) -> ThumbnailOf {
        ThumbnailOf { layout: Arc::clone(layout), picture: None }
    }

    /// The thumbnail: the screenshot in a size that is enough for a card, or else the layout.
    pub(crate) fn drawn(&self) -> Screenshot {
        let pictured = self.picture.as_ref().and_then(|png| small_picture(png));
        pictured.unwrap_or_else(|| thumbnail(&self.layout))
    }

    /// A key that is unique while the layout exists; shared layouts have the same. With a picture it is another one than
    /// without.
    pub fn key(&self) -> ThumbnailKey {
        ThumbnailKey { layout: Arc::as_ptr(&self.layout).addr(), pictured: self.picture.is_some() }
    }
}

/// Tells thumbnails apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ThumbnailKey {
    layout: usize,
    pictured: bool,
}

/// A smaller screenshot; `None` if it cannot be read.
fn small_picture(png: &[u8]) -> Option<Screenshot> {
    const LONGEST: u32 = 480;
    let picture = read_rgba(png, image::ImageFormat::Png).ok()?;
    let longer = picture.width().max(picture.height()).max(1);
    let small =
        |side: u32| (u64::from(side) * u64::from(LONGEST.min(longer)) / u64::from(longer)).max(1) as u32;
    Some(image::imageops::thumbnail(&picture, small(picture.width()), small(picture.height())).into())
}

/// Draws each leaf of the layout as a block in the colour of its kind, and texts as bars whose length depends on the
/// number of letters.
fn thumbnail(layout: &Layout) -> Screenshot {
    let screen = layout.screen();
    let longer = screen.width.max(screen.height).max(1);
    let small = |px: i32| (i64::from(px) * i64::from(LONG) / i64::from(longer)) as i32;
    let size = PxSize { width: small(screen.width).max(1), height: small(screen.height).max(1) };
    let mut rgba = GROUND.repeat((size.width * size.height) as usize);
    for (idx, widget) in layout.iter() {
        let leaf = layout.children(idx).next().is_none();
        let Some(ink) = ink(widget, leaf) else { continue };
        let bounds = widget.bounds;
        let (left, top) = (small(bounds.left), small(bounds.top));
        let (mut right, mut bottom) = (small(bounds.right), small(bounds.bottom));
        if ink == TEXT {
            // A line of text: two pixels high in the middle of its bounds, one pixel wide per letter.
            let middle = (top + bottom) / 2;
            right = right.min(left + 2 + widget.text.chars().count() as i32);
            bottom = middle + 1;
            fill(&mut rgba, size, PxRect::new(left + 1, middle - 1, right, bottom), ink);
        } else {
            fill(&mut rgba, size, PxRect::new(left, top, right, bottom), ink);
        }
    }
    Screenshot { size, rgba: Arc::new(rgba) }
}

fn ink(widget: &Widget, leaf: bool) -> Option<[u8; 4]> {
    let class: &str = &widget.class;
    if class.ends_with("EditText") {
        Some(FIELD)
    } else if class.ends_with("Button") || class.ends_with("Switch") || class.ends_with("CheckBox") {
        Some(BUTTON)
    } else if !leaf {
        None
    } else if !widget.text.is_empty() {
        Some(TEXT)
    } else if class.contains("Image") {
        Some(PICTURE)
    } else {
        None
    }
}

fn fill(rgba: &mut [u8], size: PxSize, rect: PxRect, ink: [u8; 4]) {
    let (left, right) = (rect.left.clamp(0, size.width), rect.right.clamp(0, size.width));
    for y in rect.top.clamp(0, size.height)..rect.bottom.clamp(0, size.height) {
        let row = (y * size.width) as usize;
        let pixels = (row + left as usize) * 4..(row + right.max(left) as usize) * 4;
        rgba[pixels].chunks_exact_mut(4).for_each(|pixel| pixel.copy_from_slice(&ink));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn a_thumbnail_takes_few_bytes_and_shows_something() {
        let picture = thumbnail(&layout_from("Button#save \"Save\"\nTextView \"words\"\n"));
        assert!(picture.rgba.len() <= (LONG * LONG * 4) as usize);
        assert_eq!(picture.rgba.len(), (picture.size.width * picture.size.height * 4) as usize);
    }
}
