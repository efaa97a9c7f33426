//! A layout in a message.

use super::{Decoder, ProtocolError};
use taproof_screen::{
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

/// Reads a layout. Its activity is empty.
///
/// # Errors
///
/// [`ProtocolError`] if the message has another form, or the widgets make no tree.
pub fn read_layout(from: &mut Decoder<'_>) -> Result<Layout, ProtocolError> {
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
