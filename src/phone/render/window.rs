//! Draws the views of a window.

use taproof_screen::PxRect;

use super::super::{Color, Drawing, PX_PER_DP, PlacedView, PlacedWindow};
use super::controls::{check, field, progress};
use super::shapes::{Canvas, Ink, is_dark, mix};
use super::text::block;
use super::{DIMMED, icons, picture};
use crate::toolkit::fonts::Fonts;

/// Opacity of disabled views, of 255.
const DISABLED: u8 = 97;

/// What views inherit from their parents.
#[derive(Clone, Copy)]
pub(super) struct Surroundings {
    /// The app's main colour.
    pub(super) accent: Color,
    /// The colour of the background, including those of the parents.
    pub(super) ground: Color,
    /// The opacity, of 255.
    pub(super) opacity: u8,
    /// The area in which shadows are drawn.
    shadow_clip: PxRect,
}

impl Surroundings {
    pub(super) fn ink(&self, color: Color) -> Ink {
        Ink { color, alpha: self.opacity }
    }

    /// Replaces a dark text colour by white on a dark background.
    pub(super) fn readable(&self, color: Color) -> Color {
        if is_dark(self.ground) && is_dark(color) { Color::WHITE } else { color }
    }
}

/// Draws the views of a window, children above their parents.
pub(super) fn window(canvas: &mut Canvas, fonts: &Fonts, window: &PlacedWindow, accent: Color) {
    let screen = canvas.bounds();
    if !window.dims && window.bounds.width() == screen.width() {
        // A full-screen window has a background even where no view covers it. The status bar keeps its colour.
        let content = window.views.get(1).map_or(window.bounds, |content| content.bounds);
        let ground = PxRect { top: content.top, ..window.bounds };
        canvas.rect(ground, Ink::solid(Color::SURFACE));
    }
    let mut children = vec![Vec::new(); window.views.len()];
    let mut roots = Vec::new();
    for (index, view) in window.views.iter().enumerate() {
        match view.parent.and_then(|parent| children.get_mut(parent as usize)) {
            Some(siblings) => siblings.push(index),
            None => roots.push(index),
        }
    }
    // Higher views are drawn later, as on Android, so that their shadows fall on lower ones.
    for siblings in &mut children {
        siblings.sort_by_key(|&index| window.views[index].look.elevation);
    }
    let painter = Painter { window, children, fonts };
    let around = Surroundings { accent, ground: Color::SURFACE, opacity: 255, shadow_clip: screen };
    for root in roots {
        painter.view(canvas, root, around);
    }
}

struct Painter<'a> {
    window: &'a PlacedWindow,
    children: Vec<Vec<usize>>,
    fonts: &'a Fonts,
}

impl Painter<'_> {
    fn view(&self, canvas: &mut Canvas, index: usize, mut around: Surroundings) {
        let view = &self.window.views[index];
        if !view.enabled {
            around.opacity = DISABLED;
        }
        let before = canvas.set_clip(view.visible);
        self.look(canvas, view, &mut around);
        self.drawing(canvas, view, &around);
        if view.bounds != self.window.bounds {
            around.shadow_clip = view.visible;
        }
        // Views at the same elevation cast no shadows on each other, such as a toolbar and its tabs.
        for level in self.children[index].chunk_by(|&one, &next| self.elevation(one) == self.elevation(next))
        {
            canvas.set_clip(around.shadow_clip);
            for &child in level {
                self.shadow(canvas, child);
            }
            for &child in level {
                self.view(canvas, child, around);
            }
        }
        canvas.set_clip(view.visible);
        self.marks(canvas, view, index, &around);
        canvas.set_clip(before);
    }

    fn elevation(&self, index: usize) -> i32 {
        self.window.views[index].look.elevation
    }

    fn shadow(&self, canvas: &mut Canvas, index: usize) {
        let PlacedView { look, bounds, .. } = &self.window.views[index];
        if look.background.is_some() && look.elevation > 0 {
            canvas.shadow(*bounds, look.radius * PX_PER_DP, look.elevation);
        }
    }

    /// Draws background, outline and tint of a view, below its content.
    fn look(&self, canvas: &mut Canvas, view: &PlacedView, around: &mut Surroundings) {
        let radius = view.look.radius * PX_PER_DP;
        if view.look.scrim {
            canvas.rect(view.bounds, Ink { color: Color(0), alpha: DIMMED });
        }
        if let Some(background) = view.look.background {
            canvas.round_rect(view.bounds, radius, around.ink(background));
            around.ground = mix(around.ground, background, around.opacity);
        }
        if view.selected && view.look.background.is_none() && !self.is_tab(view) {
            canvas.round_rect(view.bounds, radius, Ink { color: around.accent, alpha: 36 });
        }
        if let Some(border) = view.look.border {
            canvas.round_frame(view.bounds, radius, PX_PER_DP, around.ink(border));
        }
    }

    fn drawing(&self, canvas: &mut Canvas, view: &PlacedView, around: &Surroundings) {
        let [left, top, right, bottom] = view.padding;
        let bounds = view.bounds;
        let room =
            PxRect::new(bounds.left + left, bounds.top + top, bounds.right - right, bounds.bottom - bottom);
        match &view.drawing {
            Drawing::Nothing => {}
            Drawing::Text(text, style) => {
                block(canvas, self.fonts, text, style, room, around.ink(around.readable(style.color)));
            }
            Drawing::Field(content) => field(canvas, self.fonts, view, content, room, around),
            Drawing::Icon(icon, color, size) => {
                let middle = room.center();
                icons::icon(canvas, self.fonts, *icon, *size, (middle.x, middle.y), around.ink(*color));
            }
            Drawing::Picture(seed) => {
                let radius = view.look.radius * PX_PER_DP;
                picture::picture(canvas, *seed, room, radius);
            }
            Drawing::Check(style, checked, label) => {
                check(canvas, self.fonts, (*style, *checked), label, room, around);
            }
            Drawing::Progress => progress(canvas, room, around),
        }
    }

    /// Draws what is above the children: the divider, the line below a selected tab, the scroll thumb.
    fn marks(&self, canvas: &mut Canvas, view: &PlacedView, index: usize, around: &Surroundings) {
        let bounds = view.bounds;
        if view.look.divider {
            let line = PxRect { top: bounds.bottom - 2, ..bounds };
            canvas.rect(line, Ink { color: contrast(around.ground), alpha: 26 });
        }
        if view.selected && self.is_tab(view) {
            let line = PxRect { top: bounds.bottom - 2 * PX_PER_DP, ..bounds };
            canvas.rect(line, Ink::solid(contrast(around.ground)));
        }
        if view.scrollable {
            self.scroll_thumb(canvas, view, index, around);
        }
    }

    /// Draws the scroll thumb at the right edge of a scroll view whose only child is higher than itself.
    fn scroll_thumb(&self, canvas: &mut Canvas, view: &PlacedView, index: usize, around: &Surroundings) {
        let [child] = self.children[index][..] else { return };
        let content = self.window.views[child].bounds;
        let (seen, whole) = (view.bounds.height(), content.height());
        if whole <= seen || view.look.background.is_some() {
            return;
        }
        let length = (seen * seen / whole).max(24 * PX_PER_DP);
        let passed = (view.bounds.top - content.top).clamp(0, whole - seen);
        let top = view.bounds.top + (seen - length) * passed / (whole - seen);
        let right = view.bounds.right - PX_PER_DP;
        let thumb = PxRect::new(right - 3 * PX_PER_DP, top, right, top + length);
        canvas.round_rect(thumb, 2 * PX_PER_DP, Ink { color: contrast(around.ground), alpha: 70 });
    }

    fn is_tab(&self, view: &PlacedView) -> bool {
        let parent = view.parent.and_then(|parent| self.window.views.get(parent as usize));
        parent.is_some_and(|parent| parent.class == "android.widget.HorizontalScrollView")
    }
}

/// Black or white, whichever contrasts with the background.
pub(super) fn contrast(ground: Color) -> Color {
    if is_dark(ground) { Color::WHITE } else { Color(0) }
}
