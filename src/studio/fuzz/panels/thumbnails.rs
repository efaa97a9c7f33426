//! The textures of thumbnails: uploaded when they become visible, dropped when there are too many.

use std::collections::BTreeMap;

use egui::{Color32, ColorImage, Rect, TextureHandle, TextureOptions, Ui, pos2};

use crate::fuzz::{ThumbnailKey, ThumbnailOf};
use crate::state::StudioState;

/// Maximum number of textures.
const MOST: usize = 1500;

/// The uploaded textures, by the key of the screen.
#[derive(Default)]
pub struct Thumbnails {
    textures: BTreeMap<ThumbnailKey, TextureHandle>,
}

impl Thumbnails {
    /// Paints the thumbnail of a screen. Returns `false` if it is neither available nor being rendered.
    pub fn paint(&mut self, state: &StudioState, of: &ThumbnailOf, room: Rect, ui: &Ui) -> bool {
        let colors = crate::parts::theme::tokens(ui.ctx());
        let key = of.key();
        let Some((_, picture)) = state.thumbnails.get(&key) else {
            self.textures.remove(&key);
            ui.painter().rect_filled(room, 2, colors.control);
            return false;
        };
        let Some(picture) = picture else {
            ui.painter().rect_filled(room, 2, colors.control);
            return true;
        };
        if self.textures.len() > MOST {
            self.textures.clear();
        }
        let texture = self.textures.entry(key).or_insert_with(|| {
            let size = [picture.size.width as usize, picture.size.height as usize];
            let image = ColorImage::from_rgba_unmultiplied(size, &picture.rgba);
            ui.ctx().load_texture("thumbnail", image, TextureOptions::LINEAR)
        });
        let size = texture.size_vec2();
        let scale = (room.width() / size.x).min(room.height() / size.y);
        let fitted = Rect::from_center_size(room.center(), size * scale);
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        ui.painter().image(texture.id(), fitted, whole, Color32::WHITE);
        true
    }
}
