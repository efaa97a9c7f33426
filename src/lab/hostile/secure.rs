//! Secure windows, whose pictures are black.

use std::sync::Arc;

use taproof_engine::device::Screenshot;
use taproof_screen::WidgetFlags;

use crate::perturbation::{Perturbation, Seen};

/// The pictures of one page in three are black, and of those that hide what is typed.
#[derive(Clone, Default)]
pub(crate) struct Secure {
    black: bool,
}

impl Perturbation for Secure {
    fn show(&mut self, seen: &mut Seen<'_>) {
        let mut secret = false;
        seen.tree.each(|widget| secret |= widget.flags.has(WidgetFlags::PASSWORD));
        self.black = seen.page != 0 && secret || seen.is_one_of(1, 1, 3);
    }

    fn draw(&self, picture: &mut Screenshot) {
        if self.black {
            picture.rgba = Arc::new([0, 0, 0, 255].repeat(picture.rgba.len() / 4));
        }
    }
}
