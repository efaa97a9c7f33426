//! A layout in a message.

use super::{Decoder, Encoder, ProtocolError};
use crate::model::{
    Layout, LayoutBuilder, PxRect, PxSize, Rotation, Text, Widget, WidgetDetails, WidgetFlags,
};

/// Largest depth of nested widgets, as in dumps.
const MAX_DEPTH: usize = 512;
/// Largest number of widgets, as in dumps.
const MAX_WIDGETS: usize = 100_000;
/// Largest distance of an edge from the corner of the screen, so that sums of edges fit into an `i32`.
const MAX_EDGE: i32 = 1 << 28;
/// The bits of [`WidgetFlags`] that exist.
const FLAGS: u16 = (1 << 13) - 1;

/// Writes a layout without its activity.
pub(super) fn write_layout(to: &mut Encoder, layout: &Layout) {
    let PxSize { width, height } = layout.screen();
    to.i32(width);
    to.i32(height);
    to.u8(layout.rotation().0);
    to.count(layout.windows().len());
    for window in layout.windows() {
        to.u32(window.display);
        to.text(&window.title);
        to.flag(window.active);
        to.optional(window.root, |to, root| to.u32(root.0));
    }
    to.count(layout.widgets().len());
    for (idx, widget) in layout.iter() {
        write_widget(to, layout.depth(idx), widget, layout.details(idx));
    }
}

/// Reads a layout. Its activity is empty.
pub(super) fn read_layout(from: &mut Decoder<'_>) -> Result<Layout, ProtocolError> {
    let screen = PxSize { width: edge(from)?, height: edge(from)? };
    let rotation = Rotation(from.u8("the rotation")? % 4);
    let windows = from.list("the windows", ReadWindow::decode)?;
    let count = from.u32("the number of widgets")? as usize;
    if count > MAX_WIDGETS {
        let field = "the number of widgets";
        return Err(ProtocolError::TooLong { field, found: count, limit: MAX_WIDGETS });
    }
    let mut builder = LayoutBuilder::new(Text::from(""), screen, rotation);
    let mut windows = windows.into_iter();
    for number in 0..count {
        // Windows without widgets come before the one whose root this widget is.
        let of_root = windows.as_slice().iter().position(|window| window.root == Some(number));
        windows.by_ref().take(of_root.map_or(0, |at| at + 1)).for_each(|window| window.begin(&mut builder));
        let (depth, widget, known) = read_widget(from)?;
        if depth > builder.depth() {
            let found = depth.to_string();
            return Err(ProtocolError::Unexpected {
                field: "a depth",
                expected: "that of a child or less",
                found,
            });
        }
        while builder.depth() > depth {
            builder.close();
        }
        let idx = builder.open(widget);
        builder.describe(idx, known);
    }
    windows.for_each(|window| window.begin(&mut builder));
    Ok(builder.finish().with_unnamed_marked())
}

/// A window that was read but not begun.
struct ReadWindow {
    display: u32,
    title: Text,
    active: bool,
    /// The number of its first widget; `None` if it has none.
    root: Option<usize>,
}

impl ReadWindow {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, ProtocolError> {
        Ok(ReadWindow {
            display: from.u32("a display")?,
            title: from.shared_text("a title")?,
            active: from.flag("the mark of the active window")?,
            root: from.optional("a root", |from| Ok(from.u32("a root")? as usize))?,
        })
    }

    fn begin(self, builder: &mut LayoutBuilder) {
        while builder.depth() > 0 {
            builder.close();
        }
        builder.window(self.display, self.title, self.active);
    }
}

fn write_widget(to: &mut Encoder, depth: usize, widget: &Widget, details: Option<&WidgetDetails>) {
    to.u16(u16::try_from(depth).unwrap_or(u16::MAX));
    to.u16(widget.flags.0);
    to.name(&widget.package);
    to.name(&widget.class);
    to.name(widget.resource_id.as_deref().unwrap_or(""));
    to.rect(widget.bounds);
    // Most widgets have no text, so that one byte says which they have.
    let texts = [&widget.text, &widget.content_desc, &widget.hint];
    let mask = texts.iter().rev().fold(0, |mask, text| mask << 1 | u8::from(!text.is_empty()));
    to.u8(mask | u8::from(details.is_some()) << 3);
    texts.into_iter().filter(|text| !text.is_empty()).for_each(|text| to.text(text));
    if let Some(details) = details {
        to.text(&details.error);
        to.i32(details.drawing_order);
        to.optional(details.range, |to, range| range.into_iter().for_each(|value| to.i32(value)));
        to.optional(details.cell, |to, cell| cell.into_iter().for_each(|value| to.i32(value)));
    }
}

fn read_widget(from: &mut Decoder<'_>) -> Result<(usize, Widget, WidgetDetails), ProtocolError> {
    let depth = usize::from(from.u16("a depth")?);
    if depth >= MAX_DEPTH {
        return Err(ProtocolError::TooLong { field: "a depth", found: depth, limit: MAX_DEPTH });
    }
    let flags = WidgetFlags(from.u16("the flags of a widget")? & FLAGS);
    let (package, class, id) = (from.name("a package")?, from.name("a class")?, from.name("an id")?);
    let bounds = clamped(from.rect("the bounds of a widget")?);
    let mask = from.u8("the texts of a widget")?;
    let mut text = |bit: u8, field| {
        if mask & bit == 0 { Ok(Text::from("")) } else { from.shared_text(field) }
    };
    let (text, content_desc, hint) = (text(1, "a text")?, text(2, "a description")?, text(4, "a hint")?);
    let mut details = WidgetDetails::default();
    if mask & 8 != 0 {
        details.error = from.shared_text("an error")?;
        details.drawing_order = from.i32("a drawing order")?;
        let field = "a range";
        details.range =
            from.optional(field, |from| Ok([from.i32(field)?, from.i32(field)?, from.i32(field)?]))?;
        let field = "a cell";
        details.cell = from.optional(field, |from| Ok([from.i32(field)?, from.i32(field)?]))?;
    }
    let resource_id = (!id.is_empty()).then_some(id);
    let widget =
        Widget { parent: None, package, class, resource_id, text, content_desc, hint, bounds, flags };
    Ok((depth, widget, details))
}

fn edge(from: &mut Decoder<'_>) -> Result<i32, ProtocolError> {
    Ok(from.i32("the size of the screen")?.clamp(0, MAX_EDGE))
}

/// The rectangle with its edges within the limit.
fn clamped(rect: PxRect) -> PxRect {
    let near = |edge: i32| edge.clamp(-MAX_EDGE, MAX_EDGE);
    PxRect::new(near(rect.left), near(rect.top), near(rect.right), near(rect.bottom))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{WidgetIdx, layout_from};

    fn details() -> WidgetDetails {
        WidgetDetails {
            error: Text::from("too short"),
            drawing_order: 3,
            range: Some([0, 500, 1000]),
            cell: Some([2, 0]),
        }
    }

    fn round_trip(layout: &Layout) -> Result<Layout, ProtocolError> {
        let mut to = Encoder::default();
        write_layout(&mut to, layout);
        let bytes = to.finish();
        let mut from = Decoder::new(&bytes);
        let back = read_layout(&mut from)?;
        from.finish()?;
        Ok(back)
    }

    #[test]
    fn a_layout_is_read_as_it_was_written() {
        let layout = layout_from(
            "LinearLayout\n  EditText#name \"Grüße 😀\" (d)\n  ListView#list\n    CheckBox#done \"a\"\n  Button#ok\n",
        );
        let mut builder = LayoutBuilder::new(Text::from(""), layout.screen(), layout.rotation());
        for (idx, widget) in layout.iter() {
            while builder.depth() > layout.depth(idx) {
                builder.close();
            }
            let opened = builder.open(widget.clone());
            if widget.is_text_field() {
                builder.describe(opened, details());
            }
        }
        let layout = builder.finish().with_unnamed_marked();
        assert!(layout.widget(WidgetIdx(4)).flags.has(WidgetFlags::NAF), "nothing says what it is");
        assert_eq!(layout.details(WidgetIdx(1)), Some(&details()));
        assert_eq!(layout.details(WidgetIdx(0)), None);
        assert_eq!(round_trip(&layout), Ok(layout));
    }

    #[test]
    fn windows_keep_their_order_with_and_without_widgets() {
        let mut builder = LayoutBuilder::new(Text::from(""), PxSize { width: 9, height: 9 }, Rotation(1));
        let button = layout_from("Button \"a\"\n").widgets()[0].clone();
        builder.window(0, Text::from("empty"), false);
        builder.window(0, Text::from("dialog"), true);
        builder.open(button.clone());
        builder.open(button.clone());
        builder.close();
        builder.close();
        builder.window(2, Text::from("page"), false);
        builder.open(button);
        builder.close();
        builder.window(0, Text::from("last"), false);
        let layout = builder.finish();
        assert_eq!(round_trip(&layout), Ok(layout));
        let empty = Layout::empty(PxSize { width: 1, height: 2 }, Rotation::PORTRAIT);
        assert_eq!(round_trip(&empty), Ok(empty));
    }

    #[test]
    fn impossible_trees_are_refused() {
        let mut to = Encoder::default();
        to.i32(100);
        to.i32(-100);
        to.u8(0);
        to.count(0);
        to.count(1);
        let layout = layout_from("Button\n");
        let mut deep = Encoder::default();
        write_widget(&mut deep, 3, &layout.widgets()[0], None);
        let bytes = [to.finish(), deep.finish()].concat();
        let error = read_layout(&mut Decoder::new(&bytes)).unwrap_err();
        assert!(error.to_string().contains("a depth is 3"), "{error}");
    }
}
