//! A phone's screen in the window: the picture, or the outlines of the widgets without one, with overlays. Converts
//! between points of the panel and pixels of the device.

use std::sync::Arc;

use egui::{
    Align2, Color32, Context, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, TextureHandle,
    TextureOptions, Ui, Vec2, pos2, vec2,
};

use super::controls::Tone;
use super::theme::{medium_font, tokens};
use crate::mirror::Screenshot;
use taproof_screen::{Direction, Gesture, Layout, PxPoint, PxRect, PxSize, WidgetIdx};

/// The position of a device's screen in the window.
#[derive(Clone, Copy, Debug)]
pub struct ScreenView {
    /// The rectangle in the window, in points.
    pub rect: Rect,
    /// The size of the screen, in pixels.
    pub screen: PxSize,
}

/// An outline on a screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The rectangle to outline, in pixels of the device.
    pub bounds: PxRect,
    /// The label. Empty for none.
    pub label: String,
    /// What the outline means, which decides its colour.
    pub tone: Tone,
}

impl ScreenView {
    /// Fits a screen into a space as large as possible, centred horizontally at the top.
    pub fn fit(room: Rect, screen: PxSize) -> Self {
        let (width, height) = (screen.width.max(1) as f32, screen.height.max(1) as f32);
        let scale = (room.width() / width).min(room.height() / height);
        let size = vec2((width * scale).floor(), (height * scale).floor());
        let left = (room.center().x - size.x / 2.0).floor();
        ScreenView { rect: Rect::from_min_size(pos2(left, room.top()), size), screen }
    }

    /// Points of the window per pixel of the device.
    pub fn scale(&self) -> f32 {
        self.rect.width() / self.screen.width.max(1) as f32
    }

    /// Converts a rectangle of the device to the window.
    pub fn panel_from_device(&self, bounds: PxRect) -> Rect {
        let corner = |x: i32, y: i32| self.rect.min + vec2(x as f32, y as f32) * self.scale();
        Rect::from_min_max(corner(bounds.left, bounds.top), corner(bounds.right, bounds.bottom))
    }

    /// Converts a point of the device to the window.
    pub fn panel_point(&self, point: PxPoint) -> Pos2 {
        self.rect.min + vec2(point.x as f32, point.y as f32) * self.scale()
    }

    /// Converts a point of the window to the device. Points outside of the screen give the nearest pixel.
    pub fn device_from_panel(&self, point: Pos2) -> PxPoint {
        let offset = (point - self.rect.min) / self.scale().max(f32::EPSILON);
        PxPoint {
            x: (offset.x as i32).clamp(0, (self.screen.width - 1).max(0)),
            y: (offset.y as i32).clamp(0, (self.screen.height - 1).max(0)),
        }
    }
}

/// The texture of a picture, which is uploaded again only if the picture is another one.
#[derive(Default)]
pub struct PictureSlot {
    uploaded: Option<(Arc<Vec<u8>>, TextureHandle)>,
}

impl PictureSlot {
    fn texture(&mut self, ctx: &Context, picture: &Screenshot) -> Option<egui::TextureId> {
        let size = [picture.size.width.max(0) as usize, picture.size.height.max(0) as usize];
        let limit = ctx.input(|input| input.max_texture_side);
        if size[0] * size[1] * 4 != picture.rgba.len() || size[0].max(size[1]) > limit || size[0] == 0 {
            return None;
        }
        let same = |(rgba, _): &(Arc<Vec<u8>>, TextureHandle)| Arc::ptr_eq(rgba, &picture.rgba);
        if !self.uploaded.as_ref().is_some_and(same) {
            let image = egui::ColorImage::from_rgba_unmultiplied(size, &picture.rgba);
            // The picture is shown at about a third of its size; without mipmaps its text would be illegible.
            let options = TextureOptions::LINEAR.with_mipmap_mode(Some(egui::TextureFilter::Linear));
            let texture = match self.uploaded.take() {
                Some((_, mut texture)) => {
                    texture.set(image, options);
                    texture
                }
                None => ctx.load_texture("screen", image, options),
            };
            self.uploaded = Some((Arc::clone(&picture.rgba), texture));
        }
        self.uploaded.as_ref().map(|(_, texture)| texture.id())
    }
}

/// Size of the small screen of a tooltip, in points.
const SMALL: Vec2 = vec2(200.0, 320.0);

/// Draws a screen: its picture, or else its widgets.
pub fn paint_screen(
    painter: &Painter,
    view: &ScreenView,
    layout: &Layout,
    picture: Option<&Screenshot>,
    slot: &mut PictureSlot,
) {
    let texture = picture.and_then(|picture| slot.texture(painter.ctx(), picture));
    match texture {
        Some(texture) => {
            let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
            painter.image(texture, view.rect, whole, Color32::WHITE);
        }
        None => paint_wireframe(painter, view, layout),
    }
    let line = tokens(painter.ctx()).line;
    painter.rect_stroke(view.rect, CornerRadius::ZERO, Stroke::new(1.0, line), StrokeKind::Outside);
}

/// Draws a small screen from its widgets, as in a tooltip.
pub fn small_screen_ui(layout: &Layout, ui: &mut Ui) {
    let (_, room) = ui.allocate_space(SMALL);
    let view = ScreenView::fit(room, layout.screen());
    paint_screen(ui.painter(), &view, layout, None, &mut PictureSlot::default());
}

/// Draws the bounds and texts of the widgets, for a device without pictures.
fn paint_wireframe(painter: &Painter, view: &ScreenView, layout: &Layout) {
    let tokens = tokens(painter.ctx());
    let painter = painter.with_clip_rect(view.rect.intersect(painter.clip_rect()));
    painter.rect_filled(view.rect, CornerRadius::ZERO, tokens.raised);
    for (idx, widget) in layout.iter() {
        let rect = view.panel_from_device(widget.bounds);
        if rect.width() < 2.0 || rect.height() < 2.0 {
            continue;
        }
        if widget.clickable() || widget.is_text_field() {
            painter.rect_filled(rect.shrink(1.0), CornerRadius::same(3), tokens.control);
        }
        painter.rect_stroke(rect, CornerRadius::same(2), Stroke::new(0.5, tokens.line), StrokeKind::Inside);
        let texts = [&widget.text, &widget.content_desc, &widget.hint];
        let text = texts.into_iter().find(|text| !text.is_empty());
        if let (Some(text), true) = (text, layout.is_leaf(idx) || !widget.text.is_empty()) {
            let color = if widget.text.is_empty() { tokens.quiet } else { tokens.text };
            let size = (rect.height() * 0.4).clamp(7.0, 13.0);
            let inside = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
            let font = egui::FontId::proportional(size);
            inside.text(rect.left_center() + vec2(4.0, 0.0), Align2::LEFT_CENTER, &**text, font, color);
        }
    }
}

/// Minimum width of a picture for labels on it, in points.
const WORDS: f32 = 120.0;

/// Draws an outline with its label. The label has a background, so that it is legible on any picture.
pub fn paint_outline(painter: &Painter, view: &ScreenView, outline: &Outline) {
    let tokens = tokens(painter.ctx());
    let (color, _) = outline.tone.colors(tokens);
    let rect = view.panel_from_device(outline.bounds).intersect(view.rect);
    if !rect.is_positive() {
        return;
    }
    paint_ring(painter, view, rect, color);
    // On a small picture the label would hide the widget. It is shown with the step and in the tree as well.
    if outline.label.is_empty() || view.rect.width() < WORDS {
        return;
    }
    let mut job =
        egui::text::LayoutJob::simple_singleline(outline.label.clone(), medium_font(11.0), tokens.base);
    job.wrap = egui::text::TextWrapping::truncate_at_width((view.rect.width() - 12.0).max(24.0));
    let text = painter.layout_job(job);
    let size = text.size() + vec2(10.0, 4.0);
    let above = rect.top() - size.y - 2.0;
    let top =
        if above >= view.rect.top() { above } else { (rect.bottom() + 2.0).min(view.rect.bottom() - size.y) };
    let left = rect.left().min(view.rect.right() - size.x).max(view.rect.left());
    let place = Rect::from_min_size(pos2(left, top), size);
    painter.rect_filled(place, CornerRadius::same(3), color);
    painter.galley(place.min + vec2(5.0, 2.0), text, tokens.base);
}

/// Draws a line around a rectangle, outside of it, since it would hide the text of a small widget. Only at the edge of
/// the screen it is inside.
fn paint_ring(painter: &Painter, view: &ScreenView, rect: Rect, color: Color32) {
    let ring = rect.expand(1.0).intersect(view.rect);
    let corners = CornerRadius::same(3);
    // A dark border keeps the line visible on a background of its own colour.
    let dark = Stroke::new(1.0, Color32::from_black_alpha(110));
    painter.rect_stroke(ring.expand(2.0), corners, dark, StrokeKind::Outside);
    painter.rect_stroke(ring, corners, Stroke::new(2.0, color), StrokeKind::Outside);
}

/// Draws thin outlines around the matches of a query, and their number.
pub fn paint_matches(painter: &Painter, view: &ScreenView, layout: &Layout, matches: &[WidgetIdx]) {
    let tokens = tokens(painter.ctx());
    for widget in matches.iter().filter_map(|idx| layout.get(*idx)) {
        let rect = view.panel_from_device(widget.bounds).intersect(view.rect);
        painter.rect_stroke(
            rect,
            CornerRadius::same(2),
            Stroke::new(3.0, Color32::from_black_alpha(60)),
            StrokeKind::Middle,
        );
        painter.rect_stroke(rect, CornerRadius::same(2), Stroke::new(1.0, tokens.accent), StrokeKind::Middle);
    }
    if !matches.is_empty() {
        let text = match matches.len() {
            1 => "1 match".to_owned(),
            many => format!("{many} matches"),
        };
        let text = painter.layout_no_wrap(text, medium_font(11.0), tokens.on_accent);
        let size = text.size() + vec2(12.0, 4.0);
        let place = Rect::from_min_size(view.rect.right_top() + vec2(-size.x - 6.0, 6.0), size);
        painter.rect_filled(place, CornerRadius::same(4), tokens.accent);
        painter.galley(place.min + vec2(6.0, 2.0), text, tokens.on_accent);
    }
}

/// Distance of the lines of a hatching, in points.
const HATCH: f32 = 8.0;

/// Draws diagonal lines over a rectangle.
pub fn paint_hatch(painter: &Painter, rect: Rect, color: Color32) {
    let painter = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
    let lines = ((rect.width() + rect.height()) / HATCH).max(0.0) as usize;
    for line in 1..=lines {
        let x = rect.left() + line as f32 * HATCH;
        let ends = [pos2(x, rect.top()), pos2(x - rect.height(), rect.bottom())];
        painter.line_segment(ends, Stroke::new(1.0, color));
    }
}

/// Draws a gesture of a finger.
pub fn paint_gesture(painter: &Painter, view: &ScreenView, at: PxPoint, gesture: &Gesture) {
    let color = tokens(painter.ctx()).accent;
    let from = view.panel_point(at);
    let to = match gesture {
        Gesture::Tap | Gesture::SetText(_) => None,
        Gesture::LongPress => None,
        Gesture::Swipe(direction) => Some(from + swipe_vector(*direction) * view.rect.height() * 0.22),
        Gesture::Drag(to) => Some(view.panel_point(*to)),
    };
    painter.circle(from, 9.0, color.gamma_multiply(0.35), Stroke::new(2.0, color));
    if *gesture == Gesture::LongPress {
        painter.circle_stroke(from, 14.0, Stroke::new(2.0, color));
    }
    if let Some(to) = to {
        painter.line_segment([from, to], Stroke::new(5.0, Color32::from_black_alpha(70)));
        painter.arrow(from, to - from, Stroke::new(3.0, color));
    }
}

/// Draws a sentence at the bottom of a screen for an event without a position, such as a key or a rotation.
pub fn paint_action(painter: &Painter, view: &ScreenView, sentence: &str) {
    let tokens = tokens(painter.ctx());
    let mut job =
        egui::text::LayoutJob::simple_singleline(sentence.to_owned(), medium_font(11.0), tokens.on_accent);
    job.wrap = egui::text::TextWrapping::truncate_at_width((view.rect.width() - 24.0).max(24.0));
    let text = painter.layout_job(job);
    let size = text.size() + vec2(16.0, 6.0);
    // Above the buttons of the phone, lest one of them seems to be pressed.
    let above = view.rect.height() * 0.1 + size.y;
    let place = Rect::from_center_size(view.rect.center_bottom() - vec2(0.0, above), size);
    painter.rect_filled(place, CornerRadius::same(4), tokens.accent);
    painter.galley(place.min + vec2(8.0, 3.0), text, tokens.on_accent);
}

fn swipe_vector(direction: Direction) -> Vec2 {
    match direction {
        Direction::Up => vec2(0.0, -1.0),
        Direction::Down => vec2(0.0, 1.0),
        Direction::Left => vec2(-1.0, 0.0),
        Direction::Right => vec2(1.0, 0.0),
    }
}

/// A dashed rectangle, for something expected that is missing.
pub fn dashed(rect: Rect, stroke: Stroke) -> Vec<Shape> {
    let corners =
        [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
    Shape::dashed_line(&corners, stroke, 4.0, 3.0)
}

/// The widget highlighted both in the tree and on the picture. Either sets it while it is drawn; both show it in the
/// next pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hover {
    shown: Option<WidgetIdx>,
    next: Option<WidgetIdx>,
}

impl Hover {
    /// The widget that is highlighted.
    pub fn shown(&self) -> Option<WidgetIdx> {
        self.shown
    }

    /// The widget under the pointer in this pass, if it has been drawn.
    pub fn pointed(&self) -> Option<WidgetIdx> {
        self.next
    }

    /// Sets the widget under the pointer.
    pub fn point_at(&mut self, idx: WidgetIdx) {
        self.next = Some(idx);
    }

    /// Ends a pass. Requests another one if the highlighted widget has changed.
    pub fn turn(&mut self, ctx: &Context) {
        if self.shown != self.next {
            self.shown = self.next;
            ctx.request_repaint();
        }
        self.next = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_map_there_and_back() {
        let room = Rect::from_min_size(pos2(10.0, 20.0), vec2(400.0, 640.0));
        let view = ScreenView::fit(room, PxSize { width: 1080, height: 1920 });
        assert_eq!(view.rect, Rect::from_min_size(pos2(30.0, 20.0), vec2(360.0, 640.0)));
        let point = PxPoint { x: 540, y: 960 };
        assert_eq!(view.device_from_panel(view.panel_point(point)), point);
        assert_eq!(view.device_from_panel(pos2(0.0, 9000.0)), PxPoint { x: 0, y: 1919 });
    }
}
