//! The dump of the screen as XML, as far as clients read it: of the server's attributes those of the stock dump and
//! `visible-to-user`.

use serde_json::{Value, json};

use super::error::RpcError;
use super::params::Params;
use super::selector::is_shown;
use super::touch::observe;
use crate::Served;
use crate::screen::front::with_only;
use crate::system::properties::DENSITY;
use taproof_screen::format::write_hierarchy;
use taproof_screen::{Layout, LayoutBuilder, PxRect, PxSize, Rotation, Text, Widget, WidgetFlags, WidgetIdx};

/// The usual limit on the depth of a dump.
const DEPTH: i64 = 50;
/// The height of the status bar in density-independent pixels.
const STATUS_BAR_DP: i32 = 24;

/// `dumpWindowHierarchy(compressed, depth, active window only)`. No client asks for a compressed one.
pub(super) fn dump_window_hierarchy(served: &Served, params: &Params<'_>) -> Result<Value, RpcError> {
    if params.flag(0)? {
        return Err(RpcError::params("this device does not compress"));
    }
    let depth = if params.len() > 1 { params.whole(1)? } else { DEPTH };
    let depth = usize::try_from(depth).unwrap_or(0);
    let active_only = params.len() > 2 && params.value(2)?.as_bool() == Some(true);
    let layout = observe(&mut served.lock())?;
    let status_bar = status_bar(layout.screen(), layout.rotation());
    let first = if active_only { String::new() } else { nodes(&status_bar) };
    let shown = with_only(&layout, |idx, _| layout.depth(idx) <= depth && is_visible(&layout, idx));
    let nodes = first + &nodes(&shown);
    let head = format!(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n<hierarchy rotation=\"{}\"",
        layout.rotation().0
    );
    Ok(json!(if nodes.is_empty() { head + " />" } else { format!("{head}>{nodes}</hierarchy>") }))
}

/// Whether a widget and all that it is in can be seen.
fn is_visible(layout: &Layout, idx: WidgetIdx) -> bool {
    std::iter::successors(Some(idx), |idx| layout.widget(*idx).parent).all(|idx| is_shown(layout, idx))
}

/// The nodes of a layout in one window.
fn nodes(layout: &Layout) -> String {
    let xml = write_hierarchy(layout);
    let inside = xml.split_once("<hierarchy ").and_then(|(_, behind)| behind.split_once('>'));
    let (nodes, _) = inside.and_then(|(_, inside)| inside.split_once("</hierarchy>")).unwrap_or_default();
    // Within a value it would be escaped.
    nodes.replace(" bounds=\"", " visible-to-user=\"true\" bounds=\"")
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::tests::{Scripted, call, served, served_by};
    use super::*;
    use taproof_screen::format::parse_hierarchy;
    use taproof_screen::layout_from;

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
        let expected = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n<hierarchy rotation=\"0\">\
            <node index=\"0\" text=\"\" resource-id=\"\" class=\"android.widget.FrameLayout\" \
            package=\"org.ex\" content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"false\" \
            enabled=\"true\" focusable=\"false\" focused=\"false\" scrollable=\"false\" \
            long-clickable=\"false\" password=\"false\" selected=\"false\" visible-to-user=\"true\" \
            bounds=\"[0,0][1080,100]\">\
            <node index=\"0\" text=\"S &amp; &lt;a&gt;\" resource-id=\"org.ex:id/save\" \
            class=\"android.widget.Button\" package=\"org.ex\" content-desc=\"d\" checkable=\"false\" \
            checked=\"false\" clickable=\"true\" enabled=\"true\" focusable=\"false\" focused=\"false\" \
            scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" \
            visible-to-user=\"true\" bounds=\"[0,100][1080,200]\" /></node></hierarchy>";
        assert_eq!(xml, expected);
    }

    #[test]
    fn the_status_bar_comes_first_unless_only_the_active_window_is_asked_for() {
        let all = dump("FrameLayout\n  Button \"a\"\n", &json!([false]));
        let parsed = parse_hierarchy(all.as_bytes()).unwrap().layout;
        let roots: Vec<&Widget> = parsed.roots().map(|root| parsed.widget(root)).collect();
        let packages: Vec<&str> = roots.iter().map(|root| &*root.package).collect();
        assert_eq!(packages, ["com.android.systemui", "org.ex"], "{all}");
        assert_eq!(roots[0].bounds, PxRect::new(0, 0, 1080, 72));
    }

    #[test]
    fn depth_leaves_out_what_it_should() {
        let layout = "FrameLayout\n  LinearLayout\n    Button \"a\"\n    View\n  TextView \"b\"\n    View\n";
        let whole = outline(layout, &json!([false, 50, true]));
        assert_eq!(whole, "FrameLayout/ LinearLayout/  Button/  View/ TextView/  View");
        assert_eq!(outline(layout, &json!([false, 1, true])), "FrameLayout/ LinearLayout/ TextView");
        assert_eq!(outline(layout, &json!([false, 0, true])), "FrameLayout");
        assert_eq!(outline(layout, &json!([false, -7, true])), "FrameLayout");
        let refused = call(&served(layout), "dumpWindowHierarchy", &json!([true, 50])).unwrap_err();
        assert_eq!(refused["code"], -32602);
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
}
