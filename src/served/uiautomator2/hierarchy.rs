//! `dumpWindowHierarchy`: the layout as the server writes it. In addition to the attributes of the stock command it has
//! `visible-to-user`, `drawing-order`, `hint` and `display-id`; the roots of all windows are siblings, including that
//! of the status bar, and the XML is indented.

use std::fmt::{self, Write};

use serde_json::{Value, json};

use super::error::RpcError;
use super::params::Params;
use super::selector::is_shown;
use super::touch::observe;
use crate::Served;
use crate::properties::DENSITY;
use taproof_core::model::{
    Layout, LayoutBuilder, PxRect, PxSize, Rotation, Text, Widget, WidgetFlags, WidgetIdx,
};

/// The default depth of a dump.
const DEPTH: i64 = 50;
const STATUS_BAR_DP: i32 = 24;

/// `dumpWindowHierarchy(compressed[, depth[, active window only]])`.
pub(super) fn dump_window_hierarchy(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    let compressed = params.flag(0)?;
    let depth = if params.len() > 1 { params.whole(1)? } else { DEPTH };
    let active_only = params.len() > 2 && params.value(2)?.as_bool() == Some(true);
    let layout = observe(&mut served.lock())?;
    let depth = usize::try_from(depth).unwrap_or(0);
    let mut dump =
        Dump { xml: String::with_capacity(512 * layout.widgets().len() + 4096), compressed, depth };
    // Writing to a `String` cannot fail.
    dump.document(&layout, active_only).unwrap_or_default();
    Ok(json!(dump.xml))
}

struct Dump {
    xml: String,
    /// Whether to leave out widgets without content or effect.
    compressed: bool,
    /// How many levels below a root are written.
    depth: usize,
}

/// A node whose end was not written yet.
struct Open {
    end: u32,
    children: usize,
}

impl Dump {
    fn document(&mut self, layout: &Layout, active_only: bool) -> fmt::Result {
        self.xml.write_str("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n")?;
        write!(self.xml, "<hierarchy rotation=\"{}\"", layout.rotation().0)?;
        let status_bar = status_bar(layout.screen(), layout.rotation());
        let before = self.xml.len();
        if !active_only {
            self.windows(&status_bar, before)?;
        }
        self.windows(layout, before)?;
        self.xml.write_str(if self.xml.len() == before { " />" } else { "\r\n</hierarchy>" })
    }

    /// Writes the trees of a layout. `empty` is the length of the document before the first tree.
    fn windows(&mut self, layout: &Layout, empty: usize) -> fmt::Result {
        for root in layout.roots() {
            if self.xml.len() == empty {
                self.xml.write_str(">")?;
            }
            self.tree(layout, root)?;
        }
        Ok(())
    }

    fn tree(&mut self, layout: &Layout, root: WidgetIdx) -> fmt::Result {
        let mut open: Vec<Open> = Vec::new();
        let mut next = root.0;
        while next < layout.end(root).0 {
            let idx = WidgetIdx(next);
            while open.last().is_some_and(|parent| parent.end <= next) {
                self.close(&mut open)?;
            }
            if open.len() > self.depth || !is_shown(layout, idx) {
                next = layout.end(idx).0;
                continue;
            }
            next += 1;
            if self.compressed && idx != root && !says_or_does(layout.widget(idx)) {
                continue;
            }
            let mut place = 0;
            if let Some(parent) = open.last_mut() {
                if parent.children == 0 {
                    self.xml.write_str(">")?;
                }
                place = parent.children;
                parent.children += 1;
            }
            let drawn = if open.is_empty() { 0 } else { place + 1 };
            self.line(open.len() + 1)?;
            self.node(layout.widget(idx), place, drawn)?;
            open.push(Open { end: layout.end(idx).0, children: 0 });
        }
        while !open.is_empty() {
            self.close(&mut open)?;
        }
        Ok(())
    }

    fn close(&mut self, open: &mut Vec<Open>) -> fmt::Result {
        match open.pop() {
            Some(node) if node.children > 0 => {
                self.line(open.len() + 1)?;
                self.xml.write_str("</node>")
            }
            _ => self.xml.write_str(" />"),
        }
    }

    fn line(&mut self, level: usize) -> fmt::Result {
        self.xml.write_str("\r\n")?;
        (0..level).try_for_each(|_| self.xml.write_str("  "))
    }

    fn node(&mut self, widget: &Widget, place: usize, drawn: usize) -> fmt::Result {
        let xml = &mut self.xml;
        xml.write_str("<node")?;
        if widget.flags.has(WidgetFlags::NAF) {
            xml.write_str(" NAF=\"true\"")?;
        }
        write!(xml, " index=\"{place}\"")?;
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
            write!(xml, " {name}=\"{}\"", widget.flags.has(flag))?;
        }
        let visible = !widget.bounds.is_empty();
        write!(xml, " visible-to-user=\"{visible}\" bounds=\"{}\" drawing-order=\"{drawn}\"", widget.bounds)?;
        attribute(xml, "hint", &widget.hint)?;
        xml.write_str(" display-id=\"0\"")
    }
}

/// Whether a compressed dump includes the widget. Android leaves out widgets that only serve the arrangement.
fn says_or_does(widget: &Widget) -> bool {
    let says = [&widget.text, &widget.content_desc, &widget.hint].iter().any(|text| !text.is_empty());
    says || widget.is_actionable() || widget.flags.has(WidgetFlags::FOCUSABLE)
}

/// The window of the status bar, in which nothing can be used.
fn status_bar(screen: PxSize, rotation: Rotation) -> Layout {
    let mut builder = LayoutBuilder::new(Text::from(""), screen, rotation);
    let frame = |id: Option<&str>| Widget {
        parent: None,
        package: Text::from("com.android.systemui"),
        class: Text::from("android.widget.FrameLayout"),
        resource_id: id.map(Text::from),
        text: Text::from(""),
        content_desc: Text::from(""),
        hint: Text::from(""),
        bounds: PxRect::new(0, 0, screen.width, STATUS_BAR_DP * DENSITY / 160),
        flags: WidgetFlags::ENABLED,
    };
    builder.open(frame(None));
    builder.open(frame(Some("com.android.systemui:id/status_bar_container")));
    builder.open(frame(Some("com.android.systemui:id/status_bar")));
    builder.finish()
}

fn attribute(xml: &mut String, name: &str, value: &str) -> fmt::Result {
    write!(xml, " {name}=\"")?;
    escape(xml, value)?;
    xml.write_str("\"")
}

/// Escapes a text like Android's serializer: characters outside the BMP as decimal references, those that XML does not
/// allow as dots, others unchanged.
fn escape(xml: &mut String, text: &str) -> fmt::Result {
    for char in text.chars() {
        match char {
            '&' => xml.write_str("&amp;")?,
            '<' => xml.write_str("&lt;")?,
            '>' => xml.write_str("&gt;")?,
            '"' => xml.write_str("&quot;")?,
            '\t' | '\n' | '\r' | '\u{10000}'.. => write!(xml, "&#{};", u32::from(char))?,
            '\0'..'\u{20}' | '\u{7F}'..='\u{84}' | '\u{86}'..='\u{9F}' | '\u{FDD0}'..='\u{FDDF}' => {
                xml.write_str(".")?;
            }
            '\u{FFFE}' | '\u{FFFF}' => xml.write_str(".")?,
            other => xml.write_char(other)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::tests::{Scripted, call, served, served_by};
    use super::*;
    use taproof_core::format::parse_hierarchy;
    use taproof_core::model::layout_from;

    fn dump(layout: &str, params: &Value) -> String {
        let served = served(layout);
        call(&served, "dumpWindowHierarchy", params).unwrap().as_str().unwrap().to_owned()
    }

    /// The widgets in a dump of the active window: their short classes, indented.
    fn outline(layout: &str, params: &Value) -> String {
        let xml = dump(layout, params);
        let parsed = parse_hierarchy(xml.as_bytes()).unwrap().layout;
        let line = |(idx, widget): (WidgetIdx, &Widget)| {
            format!("{}{}", " ".repeat(parsed.depth(idx)), widget.short_class())
        };
        parsed.iter().map(line).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn the_dump_is_that_of_the_server() {
        let xml = dump("FrameLayout\n  Button#save \"S & <a>\" (d)\n", &json!([false, 50, true]));
        let expected = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n\
            <hierarchy rotation=\"0\">\r\n  \
            <node index=\"0\" text=\"\" resource-id=\"\" class=\"android.widget.FrameLayout\" \
            package=\"org.ex\" content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"false\" \
            enabled=\"true\" focusable=\"false\" focused=\"false\" scrollable=\"false\" \
            long-clickable=\"false\" password=\"false\" selected=\"false\" visible-to-user=\"true\" \
            bounds=\"[0,0][1080,100]\" drawing-order=\"0\" hint=\"\" display-id=\"0\">\r\n    \
            <node index=\"0\" text=\"S &amp; &lt;a&gt;\" resource-id=\"org.ex:id/save\" \
            class=\"android.widget.Button\" package=\"org.ex\" content-desc=\"d\" checkable=\"false\" \
            checked=\"false\" clickable=\"true\" enabled=\"true\" focusable=\"false\" focused=\"false\" \
            scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" \
            visible-to-user=\"true\" bounds=\"[0,100][1080,200]\" drawing-order=\"1\" hint=\"\" \
            display-id=\"0\" />\r\n  </node>\r\n</hierarchy>";
        assert_eq!(xml, expected);
    }

    #[test]
    fn the_status_bar_comes_first_unless_only_the_active_window_is_asked_for() {
        let all = dump("FrameLayout\n  Button \"a\"\n", &json!([false]));
        let roots: Vec<&str> = all.lines().filter(|line| line.starts_with("  <node")).collect();
        assert_eq!(roots.len(), 2, "{all}");
        assert!(roots[0].contains("package=\"com.android.systemui\"") && roots[0].contains("[0,0][1080,72]"));
        assert!(roots[1].contains("package=\"org.ex\""));
        let parsed = parse_hierarchy(all.as_bytes()).unwrap();
        assert_eq!(parsed.layout.roots().count(), 2);
    }

    #[test]
    fn depth_and_compression_leave_out_what_they_should() {
        let layout = "FrameLayout\n  LinearLayout\n    Button \"a\"\n    View\n  TextView \"b\"\n    View\n";
        let whole = outline(layout, &json!([false, 50, true]));
        assert_eq!(whole, "FrameLayout/ LinearLayout/  Button/  View/ TextView/  View");
        assert_eq!(outline(layout, &json!([false, 1, true])), "FrameLayout/ LinearLayout/ TextView");
        assert_eq!(outline(layout, &json!([false, 0, true])), "FrameLayout");
        assert_eq!(outline(layout, &json!([false, -7, true])), "FrameLayout");
        assert_eq!(outline(layout, &json!([true, 50, true])), "FrameLayout/ Button/ TextView");
        assert_eq!(outline(layout, &json!([true, 1, true])), "FrameLayout/ Button/ TextView");
    }

    #[test]
    fn what_cannot_be_seen_is_left_out_and_an_empty_screen_is_said_so() {
        let layout = layout_from("FrameLayout\n  LinearLayout\n    Button \"a\"\n  TextView \"b\"\n");
        let hidden = layout.with_changed(&[WidgetIdx(1)], |widget| widget.bounds = PxRect::default());
        let served = served_by(Scripted::of(vec![(0, Arc::new(hidden))]));
        let xml = call(&served, "dumpWindowHierarchy", &json!([false, 50, true])).unwrap();
        let xml = xml.as_str().unwrap();
        assert!(
            xml.contains("TextView") && !xml.contains("Button") && !xml.contains("LinearLayout"),
            "{xml}"
        );
        let empty = Layout::empty(PxSize { width: 1080, height: 1920 }, Rotation::PORTRAIT);
        let served = served_by(Scripted::of(vec![(0, Arc::new(empty))]));
        let xml = call(&served, "dumpWindowHierarchy", &json!([false, 50, true])).unwrap();
        assert!(xml.as_str().unwrap().ends_with("\r\n<hierarchy rotation=\"0\" />"), "clients look for it");
    }

    #[test]
    fn letters_that_xml_cannot_hold_become_dots() {
        let mut xml = String::new();
        escape(&mut xml, "a\u{1}\u{7f}\u{85}\"\n😀ü\u{fdd0}").unwrap();
        assert_eq!(xml, "a..\u{85}&quot;&#10;&#128512;ü.");
    }
}
