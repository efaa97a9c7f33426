//! The accessibility app that DroidBot (honeynet/droidbot) installs and connects to. On port 7336 of the device it
//! sends what the screen shows, a frame after each change: the bytes `ff 00`, the length of the message as a big-endian
//! `u32`, and the message, `AccEvent >>> ` and a JSON object whose `root_node` is the tree. After a rotation,
//! `rotation >>> 90` is sent first. DroidBot never requests a frame: it uses the last tree that it received, about a
//! second (its `-interval`) after each event, so one must have arrived by then. It waits five seconds for the first
//! frame, which is sent at once. At its end it closes the socket while a thread still reads from it, and only ends when
//! a frame wakes that thread. Therefore the same content is sent again now and then, as by a real phone due to the
//! clock in its status bar.
//!
//! This module knows only the screen. Everything else that DroidBot needs is answered by the shell, in the formats of
//! real commands. DroidBot parses these with the following expressions (Python's `re`):
//!
//! - `pm list packages -f`: each line `package:(?P<apk_path>.+)=(?P<package>[^=]+)`. While `DROIDBOT_PACKAGE` is
//!   missing, it pushes its own APK (`adb install`). An app that it uninstalls has to disappear from the list, or it
//!   waits forever.
//! - `settings get secure enabled_accessibility_services`, then `settings put secure …` with `:DROIDBOT_SERVICE` added
//!   and `settings put secure accessibility_enabled 1`.
//! - `dumpsys activity services`: it waits until a line matches
//!   `^.+ServiceRecord{.+ ([A-Za-z0-9_.]+)/([A-Za-z0-9_.]+)` with `DROIDBOT_SERVICE`.
//! - `dumpsys activity activities`: the first
//!   `\*\s*Hist\s*#\d+:\s*ActivityRecord\{[^ ]+\s*[^ ]+\s*([^ ]+)\s*t(\d+)}` is the activity in front; it has to
//!   begin with the package of the app under test. Tasks begin with
//!   `^\s*Task\s*id\s*#(\d+)|^\s*Task\{\w+\s*#(\d+)`.
//! - `dumpsys display`: a line with `.*DisplayViewport{valid=true, .*orientation=(?P<orientation>\d+),` and
//!   `.*deviceWidth=(?P<width>\d+), deviceHeight=(?P<height>\d+).*`, else `wm size` with
//!   `Physical size: (?P<width>\d+)x(?P<height>\d+)` and `dumpsys input` with `SurfaceOrientation:\s+(\d+)`.
//! - `getprop`: `ro.build.version.sdk`, `ro.secure` and `ro.debuggable` are integers; `ro.sf.lcd_density` begins with
//!   a digit (it calls `re.match`), else `qemu.sf.lcd_density`, else `wm density`. From sdk 32 on it does not use
//!   minicap.
//! - `ime enable IME` prints `now enabled` or `already enabled`, `ime set IME` prints `IME selected`,
//!   `ime disable IME` prints `now disabled`. Texts are then sent by
//!   `am broadcast -a DROIDBOT_INPUT_TEXT --es text T --ei mode M`: see `input_text`.
//! - `ps`: the first line begins with `USER PID PPID` and ends with `NAME`; `dumpsys package P` has lines
//!   `[^ ]+ ([^ ]+)/([^ ]+) filter [^ ]+`, `Action: "([^ ]+)"`, `Category: "([^ ]+)"`.
//! - without expressions: `input touchscreen swipe X Y X Y MS` (also for taps, with 200 ms), `input keyevent NAME`,
//!   `am start P/A`, `am force-stop P`, `screencap -p FILE`, pull, `rm FILE`, `get-state`, `wait-for-device`,
//!   `logcat -c`, `logcat -v threadtime *:I` and `getevent -lt`. The last two must not end, since it keeps reading
//!   after their end.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::latency::pause;
use super::uiautomator2::set_focused;
use super::{Served, State};
use crate::apk::helpers::{DROIDBOT_PACKAGE, DROIDBOT_SERVICE};
use taproof_engine::device::DeviceError;
use taproof_screen::{Event, Frame, Layout, Text, Widget, WidgetFlags, WidgetIdx};

/// The port of the device on which it sends.
pub(crate) const PORT: u16 = 7336;

/// How often the screen is checked while a client is connected.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// The number of checks without a change, two seconds' worth, after which the same content is sent again.
const QUIET_LOOKS: u32 = 100;

/// Whether the service is running: it is installed and enabled in the settings.
pub(crate) fn runs(state: &State) -> bool {
    let enabled = state.setting("secure", "enabled_accessibility_services");
    state.helpers.contains_key(DROIDBOT_PACKAGE)
        && enabled.is_some_and(|list| list.split(':').any(|service| service == DROIDBOT_SERVICE))
}

/// Handles a text broadcast to the app's keyboard: replaces the content of the focused field (mode 0), or inserts the
/// text at the cursor. DroidBot writes `--` for a blank.
pub(crate) fn input_text(state: &mut State, text: &str, mode: i64) -> Result<(), DeviceError> {
    if !state.awake {
        return Ok(());
    }
    let text = text.replace("--", " ");
    if mode == 0 { set_focused(state, text) } else { state.device.perform(&Event::Type(text)) }
}

/// Sends layouts until the peer closes the stream or the app is uninstalled or disabled.
pub(crate) fn send_layouts(served: &Served, output: &mut dyn Write) {
    let mut encoder = FrameEncoder::default();
    loop {
        let frame = {
            let mut state = served.lock();
            if !runs(&state) {
                return;
            }
            state.device.observe()
        };
        let Ok(frame) = frame else { return };
        // A flush fails once the stream is closed, also without anything to send.
        if output.write_all(&encoder.bytes(&frame)).and_then(|()| output.flush()).is_err() {
            return;
        }
        pause(LOOK_EVERY);
    }
}

/// Encodes what changed since the last frame that was sent.
#[derive(Default)]
struct FrameEncoder {
    sent: Option<Arc<Layout>>,
    /// The number of checks without a change since then.
    quiet: u32,
}

impl FrameEncoder {
    /// The bytes to send after a check; usually empty.
    fn bytes(&mut self, frame: &Frame) -> Vec<u8> {
        let before = self.sent.as_deref();
        // Usually the layout is the very same object.
        let same = self.sent.as_ref().is_some_and(|sent| Arc::ptr_eq(sent, &frame.layout))
            || before == Some(&*frame.layout);
        if same && self.quiet < QUIET_LOOKS {
            self.quiet += 1;
            return Vec::new();
        }
        let mut bytes = Vec::new();
        if before.is_some_and(|before| before.rotation() != frame.layout.rotation()) {
            let degrees = u32::from(frame.layout.rotation().0) * 90;
            bytes.extend(packet(&format!("rotation >>> {degrees}")));
        }
        bytes.extend(packet(&message(&frame.layout, before, frame.at.millis())));
        (self.sent, self.quiet) = (Some(Arc::clone(&frame.layout)), 0);
        bytes
    }
}

/// A message with its header. Empty for a message of more than four gigabytes, whose length cannot be encoded.
fn packet(message: &str) -> Vec<u8> {
    let Ok(length) = u32::try_from(message.len()) else { return Vec::new() };
    let mut bytes = vec![0xff, 0x00];
    bytes.extend(length.to_be_bytes());
    bytes.extend(message.as_bytes());
    bytes
}

/// The event for a layout. `before` is the layout that was sent last.
fn message(layout: &Layout, before: Option<&Layout>, time_millis: u64) -> String {
    const TYPE_WINDOW_STATE_CHANGED: u32 = 32;
    const TYPE_WINDOW_CONTENT_CHANGED: u32 = 2048;
    let same_window = before.is_some_and(|before| before.activity() == layout.activity());
    let (event_type, name) = if same_window {
        (TYPE_WINDOW_CONTENT_CHANGED, "TYPE_WINDOW_CONTENT_CHANGED")
    } else {
        (TYPE_WINDOW_STATE_CHANGED, "TYPE_WINDOW_STATE_CHANGED")
    };
    let root = layout.roots().next();
    let package = root.map_or(layout.package(), |root| &*layout.widget(root).package);
    let event = json!({"event_type": name, "event_time": time_millis, "package_name": package});
    let tree = root.map_or_else(|| "null".to_owned(), |root| tree(layout, root));
    // The tree is written separately: it may be deeper than a JSON value should be.
    format!(
        "AccEvent >>> {{\"event\":{event},\"event_time\":{time_millis},\"event_type\":{event_type},\
         \"package_name\":{},\"root_node\":{tree}}}",
        json!(package)
    )
}

fn tree(layout: &Layout, root: WidgetIdx) -> String {
    let mut text = String::with_capacity(500 * layout.widgets().len());
    // The end of the subtree of each node whose children are being written.
    let mut open: Vec<u32> = Vec::new();
    for idx in layout.subtree(root) {
        while open.last().is_some_and(|end| *end <= idx.0) {
            open.pop();
            text.push_str("]}");
        }
        if text.ends_with('}') {
            text.push(',');
        }
        let node = node(layout.widget(idx), layout.children(idx).count()).to_string();
        text.push_str(node.strip_suffix('}').unwrap_or(&node));
        text.push_str(",\"children\":[");
        open.push(layout.end(idx).0);
    }
    text.push_str(&"]}".repeat(open.len()));
    text
}

/// The attributes of a widget, by the app's names.
fn node(widget: &Widget, children: usize) -> Value {
    let has = |flag| widget.flags.has(flag);
    let said = |text: &Text| if text.is_empty() { Value::Null } else { json!(&**text) };
    let bounds = widget.bounds;
    json!({
        "package": &*widget.package,
        "text": said(&widget.text),
        "class": &*widget.class,
        "child_count": children,
        "content_description": said(&widget.content_desc),
        "enabled": has(WidgetFlags::ENABLED),
        "resource_id": widget.resource_id.as_deref(),
        "editable": widget.is_editable(),
        "scrollable": has(WidgetFlags::SCROLLABLE),
        "is_password": has(WidgetFlags::PASSWORD),
        "checkable": has(WidgetFlags::CHECKABLE),
        "checked": has(WidgetFlags::CHECKED),
        "clickable": has(WidgetFlags::CLICKABLE),
        "focusable": has(WidgetFlags::FOCUSABLE),
        "focused": has(WidgetFlags::FOCUSED),
        "visible": !bounds.is_empty(),
        "long_clickable": has(WidgetFlags::LONG_CLICKABLE),
        "selected": has(WidgetFlags::SELECTED),
        "bounds": [bounds.left, bounds.top, bounds.right, bounds.bottom],
    })
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::super::uiautomator2::tests::{Rig, Scripted, done, served_by, touches};
    use super::*;
    use taproof_screen::determinism::DeviceDuration;
    use taproof_screen::{Gesture, LayoutBuilder, PxRect, PxSize, Rotation, layout_from};

    fn enable(rig: &Rig) {
        let services = format!("a.b/.C:{DROIDBOT_SERVICE}");
        rig.lock().settings.store("secure", "enabled_accessibility_services", &services);
    }

    /// The messages that were received over the wire.
    fn messages(mut bytes: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        while let Some((head, rest)) = bytes.split_first_chunk::<6>() {
            let [0xff, 0x00, length @ ..] = head else { panic!("no head: {head:?}") };
            let (message, rest) = rest.split_at(u32::from_be_bytes(*length) as usize);
            found.push(String::from_utf8(message.to_vec()).unwrap());
            bytes = rest;
        }
        assert!(bytes.is_empty());
        found
    }

    fn event(message: &str) -> Value {
        serde_json::from_str(message.strip_prefix("AccEvent >>> ").unwrap()).unwrap()
    }

    /// A peer that does something to the device after each frame and leaves after the last of these.
    struct Peer<'a> {
        rig: &'a Rig,
        then: Vec<Event>,
        got: Vec<u8>,
    }

    impl Write for Peer<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if bytes.is_empty() {
                return Ok(0);
            }
            self.got.extend(bytes);
            if self.then.is_empty() {
                return Err(io::Error::from(io::ErrorKind::BrokenPipe));
            }
            for event in self.then.drain(..1) {
                self.rig.lock().device.perform(&event).unwrap();
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A peer that lets time pass and closes the stream after so many flushes.
    struct Leaving<'a> {
        got: Vec<u8>,
        flushes: u32,
        rig: &'a Rig,
    }

    impl Write for Leaving<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.got.extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            self.rig.lock().device.perform(&Event::Wait(DeviceDuration(200))).unwrap();
            self.flushes -= 1;
            if self.flushes == 0 { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
        }
    }

    fn listen(rig: &Rig, then: Vec<Event>) -> Vec<String> {
        let mut peer = Peer { rig, then, got: Vec::new() };
        send_layouts(rig, &mut peer);
        messages(&peer.got)
    }

    #[test]
    fn the_tree_has_what_droidbot_reads() {
        let rig = served_by(Scripted::showing(&[(0, "FrameLayout\n  Button#ok \"O\\K\" (d)\n  View\n")]));
        enable(&rig);
        let sent = listen(&rig, Vec::new());
        assert_eq!(sent.len(), 1, "the first at once");
        let event = event(&sent[0]);
        assert_eq!(event["package_name"], "org.ex");
        let root = &event["root_node"];
        assert_eq!(root["class"], "android.widget.FrameLayout");
        assert_eq!((&root["text"], &root["resource_id"]), (&Value::Null, &Value::Null));
        assert_eq!((&root["child_count"], root["children"].as_array().unwrap().len()), (&json!(2), 2));
        let expected = json!({
            "package": "org.ex", "text": "O\\K", "class": "android.widget.Button", "child_count": 0,
            "content_description": "d", "enabled": true, "resource_id": "org.ex:id/ok", "editable": false,
            "scrollable": false, "is_password": false, "checkable": false, "checked": false,
            "clickable": true, "focusable": false, "focused": false, "visible": true,
            "long_clickable": false, "selected": false, "bounds": [0, 100, 1080, 200], "children": [],
        });
        assert_eq!(root["children"][0], expected);
    }

    #[test]
    fn a_frame_goes_out_after_each_change_and_only_then() {
        let page = layout_from("Button \"a\"\n");
        let turned =
            LayoutBuilder::new(Text::from("org.ex/.Main"), PxSize { width: 9, height: 5 }, Rotation(1));
        let layouts =
            [(0, page.clone()), (1000, page), (2000, layout_from("Button \"b\"\n")), (3000, turned.finish())];
        let layouts = layouts.into_iter().map(|(at, layout)| (at, Arc::new(layout))).collect();
        let rig = served_by(Scripted::of(layouts));
        enable(&rig);
        let wait = |millis| Event::Wait(DeviceDuration(millis));
        // At 1000 another layout shows the same; no frame is sent for it.
        let sent = listen(&rig, vec![wait(2500), wait(1000)]);
        assert_eq!(sent.len(), 4, "{sent:?}");
        assert_eq!(event(&sent[1])["root_node"]["text"], "b");
        assert_eq!(event(&sent[1])["event_type"], 2048);
        assert_eq!(sent[2], "rotation >>> 90");
        assert_eq!(event(&sent[3])["root_node"], Value::Null, "nothing to see");
        assert_eq!(event(&sent[0])["event_time"], 0);
    }

    #[test]
    fn no_change_no_frame_and_a_closed_stream_ends_it() {
        let page = || Arc::new(layout_from("Button \"a\"\n"));
        let rig = served_by(Scripted::of(vec![(0, page()), (1000, page())]));
        enable(&rig);
        let mut left = Leaving { got: Vec::new(), flushes: 10, rig: &rig };
        send_layouts(&rig, &mut left);
        assert_eq!((messages(&left.got).len(), left.flushes), (1, 0));
    }

    #[test]
    fn what_stays_is_told_again_after_two_seconds() {
        let rig = served_by(Scripted::showing(&[(0, "FrameLayout\n")]));
        let frame = rig.lock().device.observe().unwrap();
        let mut encoder = FrameEncoder::default();
        let first = encoder.bytes(&frame);
        assert_eq!(messages(&first).len(), 1);
        for _ in 0..QUIET_LOOKS {
            assert!(encoder.bytes(&frame).is_empty());
        }
        let again = messages(&encoder.bytes(&frame));
        assert_eq!(event(&again[0])["root_node"], event(&messages(&first)[0])["root_node"]);
        assert!(encoder.bytes(&frame).is_empty());
    }

    #[test]
    fn the_service_runs_while_it_is_installed_and_enabled() {
        let rig = served_by(Scripted::showing(&[(0, "FrameLayout\n")]));
        assert!(!runs(&rig.lock()));
        assert!(listen(&rig, Vec::new()).is_empty());
        enable(&rig);
        assert!(runs(&rig.lock()));
        rig.lock().helpers.clear();
        assert!(!runs(&rig.lock()));
    }

    #[test]
    fn its_keyboard_writes_blanks_for_double_dashes() {
        let field = layout_from("EditText#name\n");
        let field = field.with_changed(&[WidgetIdx(0)], |widget| {
            widget.flags = widget.flags.with(WidgetFlags::FOCUSED, true);
        });
        let rig = served_by(Scripted::of(vec![(0, Arc::new(field))]));
        input_text(&mut rig.lock(), "Hello--World", 0).unwrap();
        assert_eq!(touches(&rig), [(540, 50, Gesture::SetText("Hello World".to_owned()))]);
        input_text(&mut rig.lock(), "$(x)--y", 1).unwrap();
        assert_eq!(done(&rig).last(), Some(&Event::Type("$(x) y".to_owned())));
    }

    #[test]
    fn a_tree_may_be_deep() {
        let mut builder =
            LayoutBuilder::new(Text::from(""), PxSize { width: 9, height: 9 }, Rotation::PORTRAIT);
        let widget = layout_from("FrameLayout\n").widget(WidgetIdx(0)).clone();
        for _ in 0..20_000 {
            builder.open(Widget { bounds: PxRect::new(0, 0, 9, 9), ..widget.clone() });
        }
        let told = message(&builder.finish(), None, 0);
        assert_eq!(told.matches("\"children\":[").count(), 20_000);
        assert!(told.ends_with("]}]}}"));
    }
}
