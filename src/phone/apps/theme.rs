//! The dark theme of the bundled apps, made by replacing the colours of the light one.

use crate::{Color, Content, View};

/// Replaces the colours of a view and its children by dark ones.
pub fn darkened<Msg>(view: View<Msg>) -> View<Msg> {
    view.with_each(&|view| {
        view.look.background = view.look.background.map(|ground| match ground {
            Color::WHITE => Color(0x303030),
            other => dark(other),
        });
        view.look.border = view.look.border.map(dark);
        match &mut view.content {
            Content::Text(_, style) => style.color = dark(style.color),
            Content::Icon(_, color, _) => *color = dark(*color),
            // Others are drawn in contrast to their background anyway.
            _ => {}
        }
    })
}

/// Replaces neutral colours: backgrounds become dark, texts light. Other colours stay.
fn dark(color: Color) -> Color {
    const MAP: [(Color, Color); 4] = [
        (Color::SURFACE, Color(0x121212)),
        (Color::TEXT, Color(0xEEEEEE)),
        (Color::SECONDARY, Color(0xB0B0B0)),
        (Color::DIVIDER, Color(0x424242)),
    ];
    MAP.iter().find(|(light, _)| *light == color).map_or(color, |(_, dark)| *dark)
}
