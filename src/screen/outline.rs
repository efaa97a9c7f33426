//! Layouts written by hand, for tests and examples.

use std::sync::Arc;

use super::{
    AppHealth, DeviceInstant, Frame, Layout, LayoutBuilder, PxRect, PxSize, Rotation, Text, Widget,
    WidgetFlags,
};

/// Builds a layout from an indented notation, two spaces per level: `Class#id "text" (description)`. Each widget gets a
/// row of its own, 1080 by 100 pixels; `Button` and `ImageButton` are clickable.
pub fn layout_from(notation: &str) -> Layout {
    let screen = PxSize { width: 1080, height: 1920 };
    let mut builder = LayoutBuilder::new(Text::from("org.ex/.Main"), screen, Rotation::PORTRAIT);
    let lines = notation.lines().filter(|line| !line.trim().is_empty());
    for (row, line) in (0i32..).zip(lines) {
        let depth = (line.len() - line.trim_start().len()) / 2;
        while builder.depth() > depth {
            builder.close();
        }
        let (head, text) = match line.trim().split_once(" \"") {
            Some((head, rest)) => (head, rest.split('"').next().unwrap_or("")),
            None => (line.trim().split(" (").next().unwrap_or(""), ""),
        };
        let desc = line.split_once(" (").and_then(|(_, rest)| rest.split(')').next()).unwrap_or("");
        let (class, id) = head.split_once('#').map_or((head, None), |(class, id)| (class, Some(id)));
        let clickable = class.contains("Button");
        builder.open(Widget {
            parent: None,
            package: Text::from("org.ex"),
            class: format!("android.widget.{class}").into(),
            resource_id: id.map(|id| format!("org.ex:id/{id}").into()),
            text: text.into(),
            content_desc: desc.into(),
            hint: "".into(),
            bounds: PxRect::new(0, row * 100, 1080, row * 100 + 100),
            flags: WidgetFlags::ENABLED.with(WidgetFlags::CLICKABLE, clickable),
        });
    }
    builder.finish()
}

/// Returns a frame at device time 0 that shows this layout while the app is running.
pub fn frame_of(layout: Layout) -> Frame {
    Frame { layout: Arc::new(layout), health: AppHealth::Running, at: DeviceInstant(0) }
}
