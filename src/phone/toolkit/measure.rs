//! Computes the bounds of views: measures from the inside out, then places from the outside in.
//!
//! Linear, frame, list and scroll containers with whole pixels. There is one pass for each, so the cost is linear in
//! the number of views.

use taproof_screen::{PxRect, Text};

use super::fonts::Fonts;
use super::scene::{Drawing, PlacedField, PlacedView, PlacedWindow};
use super::view::{Align, Axis, Content, Edges, Field, ListRows, Size, TextStyle, View};
use crate::{PX_PER_DP, ScrollState};

/// A placed window with the messages of its views.
pub(crate) struct Placed<Msg> {
    /// The window as it is shown.
    pub window: PlacedWindow,
    /// The handlers of each view of the window, in the same order.
    pub handlers: Vec<Handlers<Msg>>,
}

/// The messages of a view, and how far it can be scrolled.
pub(crate) struct Handlers<Msg> {
    pub click: Option<Msg>,
    pub long_click: Option<Msg>,
    pub swipe: Option<Msg>,
    pub field: Option<Field<Msg>>,
    /// Maximum scroll offset in px. `None` for views that do not scroll.
    pub max_offset: Option<i32>,
}

/// The focus of a page: the id of the field, and the cursor's position in characters.
#[derive(Clone, Copy, Default)]
pub(crate) struct Focus {
    pub id: Option<&'static str>,
    pub cursor: usize,
}

struct Measured {
    width: i32,
    height: i32,
    children: Vec<Measured>,
}

/// More than any screen: the height available to the child of a scroll view.
const UNBOUNDED: i32 = 1_000_000;
/// The id under which positions of scroll views without an id are stored.
const NO_ID: &str = "";

fn px(dp: i32) -> i32 {
    dp * PX_PER_DP
}

/// Size that a view needs in the available space, in px.
pub(crate) fn wanted_size<Msg>(view: &View<Msg>, fonts: &Fonts, width: i32, height: i32) -> (i32, i32) {
    let measured = measure(view, fonts, width, height);
    (measured.width, measured.height)
}

/// Places a view as the contents of a window. `content` is the area inside of the window's frame.
pub(crate) fn place_window<Msg>(
    view: View<Msg>,
    fonts: &Fonts,
    bounds: PxRect,
    content: PxRect,
    dims: bool,
    focus: Focus,
    scrolls: &mut Vec<ScrollState>,
) -> Placed<Msg> {
    let measured = measure(&view, fonts, content.width(), content.height());
    let window = PlacedWindow { bounds, dims, views: Vec::with_capacity(64) };
    let placed = Placed { window, handlers: Vec::with_capacity(64) };
    let mut placer = Placer { placed, focus, scrolls, empty: Text::from("") };
    let decor = View::new("android.widget.FrameLayout", Content::Empty);
    let root = placer.push(&decor, None, bounds, bounds, Drawing::Nothing, Handlers::none());
    let body = View::new("android.widget.FrameLayout", Content::Empty).id("android:id/content");
    let parent = placer.push(&body, Some(root), content, content, Drawing::Nothing, Handlers::none());
    let rect = aligned(&view, &measured, content);
    placer.place(view, measured, rect, Some(parent), content);
    placer.placed
}

fn inner(view_padding: Edges, width: i32, height: i32) -> (i32, i32) {
    (
        (width - px(view_padding.left + view_padding.right)).max(0),
        (height - px(view_padding.top + view_padding.bottom)).max(0),
    )
}

fn measure<Msg>(view: &View<Msg>, fonts: &Fonts, max_width: i32, max_height: i32) -> Measured {
    let width_limit = match view.width {
        Size::Dp(dp) => px(dp).min(max_width),
        Size::Wrap | Size::Match | Size::Weight(_) => max_width,
    };
    let height_limit = match view.height {
        Size::Dp(dp) => px(dp).min(max_height.max(px(dp))),
        Size::Wrap | Size::Match | Size::Weight(_) => max_height,
    };
    let (inner_width, inner_height) = inner(view.padding, width_limit, height_limit);
    let (content_width, content_height, children) = measure_content(view, fonts, inner_width, inner_height);
    let wrapped_width = (content_width + px(view.padding.left + view.padding.right)).min(max_width);
    let wrapped_height = content_height + px(view.padding.top + view.padding.bottom);
    Measured {
        width: match view.width {
            Size::Wrap => wrapped_width,
            Size::Match | Size::Weight(_) | Size::Dp(_) => width_limit,
        },
        height: match view.height {
            Size::Wrap => wrapped_height.min(max_height),
            Size::Match | Size::Weight(_) | Size::Dp(_) => height_limit,
        },
        children,
    }
}

fn measure_content<Msg>(
    view: &View<Msg>,
    fonts: &Fonts,
    width: i32,
    height: i32,
) -> (i32, i32, Vec<Measured>) {
    match &view.content {
        Content::Empty => (0, 0, Vec::new()),
        Content::Linear(axis, children) => measure_linear(*axis, children, fonts, width, height),
        Content::Frame(children) => measure_frame(children, fonts, width, height),
        Content::Scroll(child) => {
            let measured = measure(child, fonts, width, UNBOUNDED);
            (measured.width, measured.height, vec![measured])
        }
        Content::List(list) => {
            let row = px(list.row_height);
            let rows = list.rows.iter().map(|view| measure_row(view, fonts, width, row)).collect();
            (width, row.saturating_mul(list.total as i32), rows)
        }
        Content::Text(text, style) => {
            let fixed =
                view.width != Size::Wrap && (style.max_lines == 1 || matches!(view.height, Size::Dp(_)));
            let (text_width, text_height) = if fixed {
                (0, fonts.line_height_px(style.size))
            } else {
                text_size(fonts, text, style, width)
            };
            let least = if view.class == "android.widget.Button" { px(56) } else { 0 };
            (text_width.max(least), text_height, Vec::new())
        }
        Content::Field(field) => {
            let lines =
                if field.multi_line { field.value.split('\n').count().clamp(3, 12) as i32 } else { 1 };
            (width, lines * fonts.line_height_px(16), Vec::new())
        }
        Content::Icon(_, _, size) => (px(*size), px(*size), Vec::new()),
        Content::Picture(_) => (px(96), px(96), Vec::new()),
        Content::Check(_, _, label) => {
            let label_width =
                if label.is_empty() { 0 } else { px(8) + fonts.text_width_px(label, 16, false) };
            (px(36) + label_width, px(36), Vec::new())
        }
        Content::Progress => (px(48), px(48), Vec::new()),
    }
}

fn text_size(fonts: &Fonts, text: &str, style: &TextStyle, width: i32) -> (i32, i32) {
    let line = fonts.line_height_px(style.size);
    let whole = fonts.text_width_px(text, style.size, style.medium);
    if style.max_lines == 1 || (whole <= width && !text.contains('\n')) {
        return (whole.min(width), line);
    }
    let lines = fonts.wrap(text, style, width);
    let widest = lines
        .iter()
        .map(|range| fonts.text_width_px(&text[range.clone()], style.size, style.medium))
        .max()
        .unwrap_or(0);
    (widest.min(width), line * lines.len().max(1) as i32)
}

/// Measures a row of a list. Its height is determined by the list, regardless of its contents.
fn measure_row<Msg>(view: &View<Msg>, fonts: &Fonts, width: i32, height: i32) -> Measured {
    let measured = measure(view, fonts, width - horizontal_margin(view), height - vertical_margin(view));
    Measured { width: measured.width.max(width - horizontal_margin(view)), ..measured }
}

fn horizontal_margin<Msg>(view: &View<Msg>) -> i32 {
    px(view.margin.left + view.margin.right)
}

fn vertical_margin<Msg>(view: &View<Msg>) -> i32 {
    px(view.margin.top + view.margin.bottom)
}

fn measure_frame<Msg>(
    children: &[View<Msg>],
    fonts: &Fonts,
    width: i32,
    height: i32,
) -> (i32, i32, Vec<Measured>) {
    let (mut widest, mut highest) = (0, 0);
    let measured = children
        .iter()
        .map(|child| {
            let (extra_x, extra_y) = (horizontal_margin(child), vertical_margin(child));
            let size = measure(child, fonts, width - extra_x, height - extra_y);
            widest = widest.max(size.width + extra_x);
            highest = highest.max(size.height + extra_y);
            size
        })
        .collect();
    (widest, highest, measured)
}

fn measure_linear<Msg>(
    axis: Axis,
    children: &[View<Msg>],
    fonts: &Fonts,
    width: i32,
    height: i32,
) -> (i32, i32, Vec<Measured>) {
    let along = |view: &View<Msg>| if axis == Axis::Horizontal { view.width } else { view.height };
    let mut left = if axis == Axis::Horizontal { width } else { height };
    let mut total_weight = 0;
    let mut measured: Vec<Option<Measured>> = Vec::with_capacity(children.len());
    for child in children {
        let (extra_x, extra_y) = (horizontal_margin(child), vertical_margin(child));
        left -= if axis == Axis::Horizontal { extra_x } else { extra_y };
        if let Size::Weight(weight) = along(child) {
            total_weight += weight;
            measured.push(None);
            continue;
        }
        let size = match axis {
            Axis::Horizontal => measure(child, fonts, left.max(0), height - extra_y),
            Axis::Vertical => measure(child, fonts, width - extra_x, left.max(0)),
        };
        left -= if axis == Axis::Horizontal { size.width } else { size.height };
        measured.push(Some(size));
    }
    let shared = left.max(0);
    let (mut across, mut sum) = (0, 0);
    let measured: Vec<Measured> = children
        .iter()
        .zip(measured)
        .map(|(child, size)| {
            let (extra_x, extra_y) = (horizontal_margin(child), vertical_margin(child));
            let size = size.unwrap_or_else(|| {
                let weight = if let Size::Weight(weight) = along(child) { weight } else { 1 };
                let share = shared * weight / total_weight.max(1);
                match axis {
                    Axis::Horizontal => measure(child, fonts, share, height - extra_y),
                    Axis::Vertical => measure(child, fonts, width - extra_x, share),
                }
            });
            match axis {
                Axis::Horizontal => {
                    sum += size.width + extra_x;
                    across = across.max(size.height + extra_y);
                }
                Axis::Vertical => {
                    sum += size.height + extra_y;
                    across = across.max(size.width + extra_x);
                }
            }
            size
        })
        .collect();
    match axis {
        Axis::Horizontal => (sum, across, measured),
        Axis::Vertical => (across, sum, measured),
    }
}

/// The bounds of a view in the available area, according to its alignment and margins.
fn aligned<Msg>(view: &View<Msg>, size: &Measured, room: PxRect) -> PxRect {
    let left =
        along(view.align_x, room.left + px(view.margin.left), room.right - px(view.margin.right), size.width);
    let top = along(
        view.align_y,
        room.top + px(view.margin.top),
        room.bottom - px(view.margin.bottom),
        size.height,
    );
    PxRect::new(left, top, left + size.width, top + size.height)
}

fn along(align: Align, start: i32, end: i32, length: i32) -> i32 {
    match align {
        Align::Start => start,
        Align::Center => start + (end - start - length) / 2,
        Align::End => end - length,
    }
}

impl<Msg> Handlers<Msg> {
    fn none() -> Self {
        Handlers { click: None, long_click: None, swipe: None, field: None, max_offset: None }
    }
}

struct Placer<'a, Msg> {
    placed: Placed<Msg>,
    focus: Focus,
    scrolls: &'a mut Vec<ScrollState>,
    /// The description of all views without one.
    empty: Text,
}

impl<Msg> Placer<'_, Msg> {
    fn shared(&self, text: &str) -> Text {
        if text.is_empty() { Text::clone(&self.empty) } else { Text::from(text) }
    }

    fn push(
        &mut self,
        view: &View<Msg>,
        parent: Option<u32>,
        bounds: PxRect,
        visible: PxRect,
        drawing: Drawing,
        handlers: Handlers<Msg>,
    ) -> u32 {
        let is_field = handlers.field.is_some();
        let index = self.placed.window.views.len() as u32;
        self.placed.window.views.push(PlacedView {
            parent,
            class: view.class,
            id: view.id,
            content_desc: self.shared(&view.content_desc),
            bounds,
            visible,
            padding: [
                px(view.padding.left),
                px(view.padding.top),
                px(view.padding.right),
                px(view.padding.bottom),
            ],
            drawing,
            look: view.look,
            clickable: handlers.click.is_some() || is_field,
            long_clickable: handlers.long_click.is_some() || is_field,
            scrollable: handlers.max_offset.is_some_and(|most| most > 0),
            enabled: view.enabled,
            selected: view.selected,
            focused: false,
        });
        self.placed.handlers.push(handlers);
        index
    }

    /// Places a view and its children. Invisible views are left out.
    fn place(
        &mut self,
        mut view: View<Msg>,
        size: Measured,
        bounds: PxRect,
        parent: Option<u32>,
        clip: PxRect,
    ) {
        let visible = bounds.intersect(&clip);
        if visible.is_empty() {
            return;
        }
        let content = std::mem::replace(&mut view.content, Content::Empty);
        let mut handlers = Handlers {
            click: view.on_click.take(),
            long_click: view.on_long_click.take(),
            swipe: view.on_swipe.take(),
            ..Handlers::none()
        };
        let room = PxRect::new(
            bounds.left + px(view.padding.left),
            bounds.top + px(view.padding.top),
            bounds.right - px(view.padding.right),
            bounds.bottom - px(view.padding.bottom),
        );
        let mut children = size.children.into_iter();
        match content {
            Content::Linear(axis, views) => {
                let index = self.push(&view, parent, bounds, visible, Drawing::Nothing, handlers);
                self.place_linear(axis, views, children, room, index, visible);
            }
            Content::Frame(views) => {
                let index = self.push(&view, parent, bounds, visible, Drawing::Nothing, handlers);
                for (child, size) in views.into_iter().zip(children) {
                    let rect = aligned(&child, &size, room);
                    self.place(child, size, rect, Some(index), visible);
                }
            }
            Content::Scroll(child) => {
                let Some(size) = children.next() else { return };
                let most = (size.height - room.height()).max(0);
                let offset = self.scrolled(view.id.unwrap_or(NO_ID), room.height(), most);
                handlers.max_offset = Some(most);
                let index = self.push(&view, parent, bounds, visible, Drawing::Nothing, handlers);
                let top = room.top - offset;
                let rect = PxRect::new(room.left, top, room.left + size.width, top + size.height);
                self.place(*child, size, rect, Some(index), visible);
            }
            Content::List(list) => {
                let most = (px(list.row_height) * list.total as i32 - room.height()).max(0);
                let offset = self.scrolled(view.id.unwrap_or(NO_ID), room.height(), most);
                handlers.max_offset = Some(most);
                let index = self.push(&view, parent, bounds, visible, Drawing::Nothing, handlers);
                self.place_rows(list, children, room, offset, index, visible);
            }
            leaf => {
                let drawing = self.drawing(&view, leaf, &mut handlers);
                self.push(&view, parent, bounds, visible, drawing, handlers);
            }
        }
    }

    fn place_linear(
        &mut self,
        axis: Axis,
        views: Vec<View<Msg>>,
        sizes: std::vec::IntoIter<Measured>,
        room: PxRect,
        index: u32,
        clip: PxRect,
    ) {
        let mut at = if axis == Axis::Horizontal { room.left } else { room.top };
        for (child, size) in views.into_iter().zip(sizes) {
            let slot = match axis {
                Axis::Horizontal => {
                    let end = at + size.width + horizontal_margin(&child);
                    let slot = PxRect::new(at, room.top, end, room.bottom);
                    at = end;
                    slot
                }
                Axis::Vertical => {
                    let end = at + size.height + vertical_margin(&child);
                    let slot = PxRect::new(room.left, at, room.right, end);
                    at = end;
                    slot
                }
            };
            let rect = aligned(&child, &size, slot);
            self.place(child, size, rect, Some(index), clip);
        }
    }

    fn place_rows(
        &mut self,
        list: ListRows<Msg>,
        sizes: std::vec::IntoIter<Measured>,
        room: PxRect,
        offset: i32,
        index: u32,
        clip: PxRect,
    ) {
        let height = px(list.row_height);
        for (place, (row, size)) in list.rows.into_iter().zip(sizes).enumerate() {
            let top = room.top + (list.first + place) as i32 * height - offset;
            let rect = aligned(&row, &size, PxRect::new(room.left, top, room.right, top + height));
            self.place(row, size, rect, Some(index), clip.intersect(&room));
        }
    }

    /// Clamps and stores the scroll offset of a list, and returns it.
    fn scrolled(&mut self, id: &'static str, viewport: i32, most: i32) -> i32 {
        match self.scrolls.iter_mut().find(|scroll| scroll.id == id) {
            Some(scroll) => {
                scroll.viewport = viewport;
                scroll.offset = scroll.offset.clamp(0, most);
                scroll.offset
            }
            None => {
                self.scrolls.push(ScrollState { id, offset: 0, viewport });
                0
            }
        }
    }

    fn drawing(&mut self, view: &View<Msg>, content: Content<Msg>, handlers: &mut Handlers<Msg>) -> Drawing {
        match content {
            Content::Text(text, style) => Drawing::Text(self.shared(&text), style),
            Content::Icon(icon, color, size) => Drawing::Icon(icon, color, size),
            Content::Picture(picture) => Drawing::Picture(picture),
            Content::Check(style, checked, label) => Drawing::Check(style, checked, self.shared(&label)),
            Content::Progress => Drawing::Progress,
            Content::Field(field) => {
                let focused = view.id.is_some() && view.id == self.focus.id;
                let length = field.value.chars().count();
                let drawn = PlacedField {
                    value: self.shared(&field.value),
                    hint: self.shared(&field.hint),
                    password: field.password,
                    multi_line: field.multi_line,
                    focused,
                    cursor: if focused { self.focus.cursor.min(length) } else { length },
                };
                handlers.field = Some(field);
                Drawing::Field(drawn)
            }
            Content::Empty
            | Content::Linear(..)
            | Content::Frame(_)
            | Content::Scroll(_)
            | Content::List(_) => Drawing::Nothing,
        }
    }
}
