//! The dark theme of the bundled apps, made by replacing the colours of the light one.

use crate::{Color, Content, View};

/// Replaces the colours of a view and its children by dark ones.
pub(super) fn darkened<Msg>(mut view: View<Msg>) -> View<Msg> {
    view.look.background = view.look.background.map(|ground| match ground {
        Color::WHITE => Color(0x303030),
        other => dark(other),
    });
    view.look.border = view.look.border.map(dark);
    view.content = match view.content {
        Content::Linear(axis, children) => {
            Content::Linear(axis, children.into_iter().map(darkened).collect())
        }
        Content::Frame(children) => Content::Frame(children.into_iter().map(darkened).collect()),
        Content::Scroll(child) => Content::Scroll(Box::new(darkened(*child))),
        Content::List(mut list) => {
            list.rows = list.rows.into_iter().map(darkened).collect();
            Content::List(list)
        }
        Content::Text(text, mut style) => {
            style.color = dark(style.color);
            Content::Text(text, style)
        }
        Content::Icon(icon, color, size) => Content::Icon(icon, dark(color), size),
        // These are drawn in contrast to their background anyway.
        content @ (Content::Empty
        | Content::Field(_)
        | Content::Picture(_)
        | Content::Check(..)
        | Content::Progress) => content,
    };
    view
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
