//! Writes layouts as uiautomator dumps, with the spelling and the attribute order of the stock command. Programs that
//! read a phone's dumps can read these too, and our own reader returns the same layout.

use std::fmt::{self, Write};

use crate::{Layout, PxRect, PxSize, Widget, WidgetFlags, WidgetIdx, Window};

/// Writes a dump: in the stock command's format for one window, otherwise in that of `--windows`. A screen size that
/// the roots do not show (under a dialog) is written as Appium does, as `width` and `height` of the hierarchy.
///
/// Reading the dump gives the same layout except for the activity, the flags [`WidgetFlags::INVISIBLE`] and
/// [`WidgetFlags::EDITABLE`], which a dump does not have, and characters that XML cannot contain, which become `.` as
/// on a phone.
pub fn write_hierarchy(layout: &Layout) -> String {
    let mut xml = String::with_capacity(128 + 420 * layout.widgets().len());
    // Writing to a `String` cannot fail.
    write_document(&mut xml, layout).unwrap_or_default();
    xml
}

fn write_document(xml: &mut String, layout: &Layout) -> fmt::Result {
    xml.write_str("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>")?;
    match layout.windows() {
        [] => write_hierarchy_of(xml, layout, 0..0),
        [only] if is_stock(only) && layout.roots().count() == 1 => {
            write_hierarchy_of(xml, layout, 0..layout.widgets().len() as u32)
        }
        windows => write_windows(xml, layout, windows),
    }
}

/// Whether a reader would assume this window for a stock dump.
fn is_stock(window: &Window) -> bool {
    window.display == 0 && window.title.is_empty() && window.active
}

fn write_windows(xml: &mut String, layout: &Layout, windows: &[Window]) -> fmt::Result {
    xml.write_str("<displays>")?;
    let mut display = None;
    for (index, window) in windows.iter().enumerate() {
        if display != Some(window.display) {
            if display.is_some() {
                xml.write_str("</display>")?;
            }
            write!(xml, "<display id=\"{}\">", window.display)?;
            display = Some(window.display);
        }
        let roots_behind = windows.iter().skip(index + 1).find_map(|later| later.root);
        let end = roots_behind.map_or(layout.widgets().len() as u32, |root| root.0);
        let first = window.root.map_or(end, |root| root.0);
        write!(xml, "<window index=\"{index}\" title=\"")?;
        escape(xml, &window.title)?;
        let bounds = window.root.map_or(PxRect::default(), |root| layout.widget(root).bounds);
        let layer = windows.len() - index;
        write!(xml, "\" bounds=\"{bounds}\" active=\"{}\" id=\"{index}\" layer=\"{layer}\">", window.active)?;
        write_hierarchy_of(xml, layout, first..end)?;
        xml.write_str("</window>")?;
    }
    xml.write_str("</display></displays>")
}

fn write_hierarchy_of(xml: &mut String, layout: &Layout, range: std::ops::Range<u32>) -> fmt::Result {
    write!(xml, "<hierarchy rotation=\"{}\"", layout.rotation().0)?;
    let PxSize { width, height } = layout.screen();
    let single = layout.windows().len() == 1 && layout.roots().count() == 1;
    let shown = layout.roots().next().map(|root| layout.widget(root).bounds).filter(|_| single);
    if shown.is_none_or(|root| (root.right, root.bottom) != (width, height) || root.is_empty()) {
        write!(xml, " width=\"{width}\" height=\"{height}\"")?;
    }
    xml.write_str(">")?;
    let indices = layout.indices();
    // For each open node, the index after its last descendant.
    let mut open = vec![range.end];
    for idx in range.map(WidgetIdx) {
        close_until(xml, &mut open, idx.0)?;
        write_attributes(xml, layout.widget(idx), indices[idx.index()])?;
        if layout.is_leaf(idx) {
            xml.write_str(" />")?;
        } else {
            xml.write_str(">")?;
            open.push(layout.end(idx).0);
        }
    }
    close_until(xml, &mut open, u32::MAX)?;
    xml.write_str("</hierarchy>")
}

/// Closes the nodes that end at or before widget `next`. The first entry is the hierarchy itself and stays open.
fn close_until(xml: &mut String, open: &mut Vec<u32>, next: u32) -> fmt::Result {
    while open.len() > 1 && open.last().is_some_and(|end| *end <= next) {
        open.pop();
        xml.write_str("</node>")?;
    }
    Ok(())
}

fn write_attributes(xml: &mut String, widget: &Widget, index: u32) -> fmt::Result {
    xml.write_str("<node")?;
    if widget.flags.has(WidgetFlags::NAF) {
        xml.write_str(" NAF=\"true\"")?;
    }
    write!(xml, " index=\"{index}\"")?;
    for (name, value) in [
        ("text", &*widget.text),
        ("resource-id", widget.resource_id.as_deref().unwrap_or("")),
        ("class", &widget.class),
        ("package", &widget.package),
        ("content-desc", &widget.content_desc),
    ] {
        attribute(xml, name, value)?;
    }
    for (name, flag) in WidgetFlags::NAMES {
        attribute(xml, name, if widget.flags.has(flag) { "true" } else { "false" })?;
    }
    write!(xml, " bounds=\"{}\"", widget.bounds)?;
    if widget.hint.is_empty() { Ok(()) } else { attribute(xml, "hint", &widget.hint) }
}

fn attribute(xml: &mut String, name: &str, value: &str) -> fmt::Result {
    write!(xml, " {name}=\"")?;
    escape(xml, value)?;
    xml.write_str("\"")
}

/// Escapes like Android's serialiser: characters outside the basic plane as decimal references, the rest of the text
/// raw.
fn escape(xml: &mut String, text: &str) -> fmt::Result {
    for char in text.chars() {
        match char {
            '&' => xml.write_str("&amp;")?,
            '<' => xml.write_str("&lt;")?,
            '>' => xml.write_str("&gt;")?,
            '"' => xml.write_str("&quot;")?,
            '\t' | '\n' | '\r' | '\u{10000}'.. => write!(xml, "&#{};", u32::from(char))?,
            '\0'..'\u{20}' | '\u{FFFE}' | '\u{FFFF}' => xml.write_str(".")?,
            other => xml.write_char(other)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_hierarchy;
    use crate::{LayoutBuilder, Rotation, Text};

    const SCREEN: PxSize = PxSize { width: 1080, height: 1920 };

    fn widget(class: &str, text: &str, bounds: PxRect) -> Widget {
        Widget {
            parent: None,
            package: "org.ex".into(),
            class: class.into(),
            resource_id: None,
            text: text.into(),
            content_desc: "".into(),
            hint: "".into(),
            bounds,
            flags: WidgetFlags::ENABLED,
        }
    }

    fn check_round_trip(layout: &Layout) {
        let xml = write_hierarchy(layout);
        let parsed = parse_hierarchy(xml.as_bytes()).unwrap();
        assert_eq!(parsed.warnings, [], "{xml}");
        assert_eq!(&parsed.layout, layout, "{xml}");
    }

    fn builder(screen: PxSize) -> LayoutBuilder {
        LayoutBuilder::new(Text::from(""), screen, Rotation::LANDSCAPE)
    }

    #[test]
    fn one_window_is_the_stock_dump() {
        let mut builder = builder(SCREEN);
        builder.open(widget("android.widget.FrameLayout", "", PxRect::new(0, 0, 1080, 1920)));
        let flags = WidgetFlags::NAF.with(WidgetFlags::CLICKABLE, true);
        let resource_id = Some(Text::from("org.ex:id/a"));
        let bounds = PxRect::new(0, 0, 9, -3);
        builder
            .open(Widget { flags, resource_id, hint: "h".into(), ..widget("a.B", "<&>\"'\n😀ü", bounds) });
        let layout = builder.finish();
        let written = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"1\">\
            <node index=\"0\" text=\"\" resource-id=\"\" class=\"android.widget.FrameLayout\" \
            package=\"org.ex\" content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"false\" \
            enabled=\"true\" focusable=\"false\" focused=\"false\" scrollable=\"false\" \
            long-clickable=\"false\" password=\"false\" selected=\"false\" bounds=\"[0,0][1080,1920]\">\
            <node NAF=\"true\" index=\"0\" text=\"&lt;&amp;&gt;&quot;'&#10;&#128512;ü\" \
            resource-id=\"org.ex:id/a\" class=\"a.B\" package=\"org.ex\" content-desc=\"\" \
            checkable=\"false\" checked=\"false\" clickable=\"true\" enabled=\"false\" focusable=\"false\" \
            focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" \
            selected=\"false\" bounds=\"[0,0][9,-3]\" hint=\"h\" /></node></hierarchy>";
        assert_eq!(write_hierarchy(&layout), written);
        check_round_trip(&layout);
    }

    #[test]
    fn the_screen_under_a_dialog_survives() {
        let mut builder = builder(SCREEN);
        builder.open(widget("a.Dialog", "", PxRect::new(90, 500, 990, 1300)));
        check_round_trip(&builder.finish());
        check_round_trip(&Layout::empty(SCREEN, Rotation(3)));
    }

    #[test]
    fn windows_displays_and_titles_survive() {
        let mut builder = builder(SCREEN);
        builder.window(0, "Status \"bar\"".into(), false);
        builder.open(widget("a.Bar", "", PxRect::new(0, 0, 1080, 60)));
        builder.close();
        builder.window(0, "App".into(), true);
        for text in ["one", "two"] {
            builder.open(widget("a.Root", text, PxRect::new(0, 60, 1080, 1920)));
            builder.open(widget("a.Child", text, PxRect::new(0, 60, 10, 70)));
            builder.close();
            builder.close();
        }
        builder.window(0, "Empty".into(), false);
        builder.window(2, "Elsewhere".into(), false);
        builder.open(widget("a.Far", "", PxRect::new(0, 0, 400, 400)));
        check_round_trip(&builder.finish());
    }
}
