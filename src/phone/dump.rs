//! Converts the placed top window to a [`Layout`] with the contents of a uiautomator dump.

use taproof_screen::{Layout, LayoutBuilder, PxSize, Rotation, Text, Widget, WidgetFlags};

use crate::toolkit::scene::{Drawing, PlacedView, PlacedWindow};

/// Shares class names and resource ids between layouts. Both are static texts of the toolkit and the apps, so they are
/// identified by their addresses.
#[derive(Default)]
pub(super) struct Names {
    known: Vec<((usize, usize, usize), Text)>,
}

impl Names {
    /// Returns the activity's full name, `package/.Class`.
    pub fn activity(&mut self, package: &'static str, class: &'static str) -> Text {
        self.shared(package, class, |package, class| format!("{package}/.{class}").into())
    }

    fn share(&mut self, prefix: &'static str, name: &'static str) -> Text {
        self.shared(prefix, name, |prefix, name| {
            let whole = prefix.is_empty() || name.contains(":id/");
            if whole { Text::from(name) } else { format!("{prefix}:id/{name}").into() }
        })
    }

    fn shared(&mut self, prefix: &'static str, name: &'static str, join: fn(&str, &str) -> Text) -> Text {
        let key = (prefix.as_ptr() as usize, name.as_ptr() as usize, name.len());
        match self.known.binary_search_by(|(known, _)| known.cmp(&key)) {
            Ok(place) => Text::clone(&self.known[place].1),
            Err(place) => {
                let text = join(prefix, name);
                self.known.insert(place, (key, Text::clone(&text)));
                text
            }
        }
    }
}

/// Returns the layout of a window of an app, given by its package and the one that its resource ids name.
pub(super) fn layout_of(
    window: &PlacedWindow,
    (package, resources): (&'static str, &'static str),
    activity: Text,
    screen: PxSize,
    rotation: Rotation,
    names: &mut Names,
) -> Layout {
    let mut builder = LayoutBuilder::new(activity, screen, rotation);
    let empty = Text::from("");
    let package_name = names.share("", package);
    let mut open: Vec<u32> = Vec::with_capacity(16);
    for (index, view) in (0u32..).zip(&window.views) {
        while open.last().copied() != view.parent {
            builder.close();
            open.pop();
        }
        let (text, hint) = texts(view, &empty);
        builder.open(Widget {
            parent: None,
            package: Text::clone(&package_name),
            class: names.share("", view.class),
            resource_id: shown_id(view).map(|id| names.share(resources, id)),
            text,
            content_desc: Text::clone(content_desc(view)),
            hint,
            bounds: view.visible,
            flags: flags(view),
        });
        open.push(index);
    }
    builder.finish().with_unnamed_marked()
}

/// The first letter of ids that the phone needs to know a view by, but that the app's resources do not contain.
pub const HIDDEN_ID: char = '@';

fn shown_id(view: &PlacedView) -> Option<&'static str> {
    view.id.filter(|id| !id.starts_with(HIDDEN_ID))
}

fn content_desc(view: &PlacedView) -> &Text {
    match &view.drawing {
        Drawing::Text(text, style) if style.as_description => text,
        _ => &view.content_desc,
    }
}

fn texts(view: &PlacedView, empty: &Text) -> (Text, Text) {
    match &view.drawing {
        Drawing::Text(_, style) if style.as_description => (Text::clone(empty), Text::clone(empty)),
        Drawing::Text(text, _) | Drawing::Check(_, _, text) => (Text::clone(text), Text::clone(empty)),
        Drawing::Field(field) if field.password => {
            ("•".repeat(field.value.chars().count()).into(), Text::clone(&field.hint))
        }
        Drawing::Field(field) => (Text::clone(&field.value), Text::clone(&field.hint)),
        Drawing::Nothing | Drawing::Icon(..) | Drawing::Picture(_) | Drawing::Progress => {
            (Text::clone(empty), Text::clone(empty))
        }
    }
}

fn flags(view: &PlacedView) -> WidgetFlags {
    let (checkable, checked) = match view.drawing {
        Drawing::Check(_, checked, _) => (true, checked),
        _ => (false, false),
    };
    let (password, focused) = match &view.drawing {
        Drawing::Field(field) => (field.password, field.focused),
        _ => (false, view.focused),
    };
    WidgetFlags::NONE
        .with(WidgetFlags::CHECKABLE, checkable)
        .with(WidgetFlags::CHECKED, checked)
        .with(WidgetFlags::CLICKABLE, view.clickable)
        .with(WidgetFlags::ENABLED, view.enabled)
        .with(WidgetFlags::FOCUSABLE, view.clickable)
        .with(WidgetFlags::FOCUSED, focused)
        .with(WidgetFlags::SCROLLABLE, view.scrollable)
        .with(WidgetFlags::LONG_CLICKABLE, view.long_clickable)
        .with(WidgetFlags::PASSWORD, password)
        .with(WidgetFlags::SELECTED, view.selected)
}
