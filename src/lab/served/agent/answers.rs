//! The answers of the agent, as it writes them.

use super::layout::{rect, write_layout};
use taproof_engine::agent::{Encoder, FailureKind, Hello, PackageEntry, Power, Seen};

/// The body of an answer to a request that succeeded.
pub fn succeeded<A: Answer + ?Sized>(answer: &A) -> Vec<u8> {
    let mut to = Encoder::default();
    to.u8(0);
    answer.encode(&mut to);
    to.finish()
}

/// The body of an answer to a request that failed.
pub fn failed(kind: FailureKind, message: &str) -> Vec<u8> {
    let mut to = Encoder::default();
    to.u8(1);
    to.u8(kind as u8);
    to.text(message);
    to.finish()
}

/// The value of an answer.
pub trait Answer {
    /// Writes the value.
    fn encode(&self, to: &mut Encoder);
}

impl Answer for () {
    fn encode(&self, _: &mut Encoder) {}
}

/// A number, such as a checksum.
impl Answer for u32 {
    fn encode(&self, to: &mut Encoder) {
        to.u32(*self);
    }
}

/// Bytes, such as a picture.
impl Answer for [u8] {
    fn encode(&self, to: &mut Encoder) {
        to.count(self.len());
        to.bytes(self);
    }
}

/// Texts that may be absent: the values of settings, the clipboard.
impl Answer for [Option<String>] {
    fn encode(&self, to: &mut Encoder) {
        to.count(self.len());
        self.iter().for_each(|value| to.optional_text(value.as_deref()));
    }
}

/// Pairs of texts: the permissions that could not be granted, each with the reason.
impl Answer for [(String, String)] {
    fn encode(&self, to: &mut Encoder) {
        to.count(self.len());
        self.iter().for_each(|(one, other)| {
            to.text(one);
            to.text(other);
        });
    }
}

impl Answer for Hello {
    fn encode(&self, to: &mut Encoder) {
        to.u16(self.version);
        [self.sdk, self.uid, self.pid].into_iter().for_each(|number| to.u32(number));
    }
}

impl Answer for Seen {
    fn encode(&self, to: &mut Encoder) {
        to.optional_text(self.refused.as_deref());
        to.u8(self.quiet as u8);
        to.optional_text(self.activity.as_deref());
        to.bytes(&self.uptime_millis.to_be_bytes());
        optional(to, self.keyboard, rect);
        optional(to, self.picture_hash, Encoder::u32);
        optional(to, self.typed.as_ref(), |to, typed| {
            to.u8(typed.by as u8);
            to.optional_text(typed.shows.as_deref());
        });
        to.count(self.announced.len());
        for announced in &self.announced {
            to.flag(announced.toast);
            to.text(&announced.package);
            to.text(&announced.text);
        }
        optional(to, self.log.as_ref(), |to, log| log.as_bytes().encode(to));
        match &self.layout {
            Ok(layout) => {
                to.flag(true);
                write_layout(to, layout);
            }
            Err((screen, problem)) => {
                to.flag(false);
                to.i32(screen.width);
                to.i32(screen.height);
                to.text(problem);
            }
        }
    }
}

impl Answer for Power {
    fn encode(&self, to: &mut Encoder) {
        [self.awake, self.locked, self.secure].into_iter().for_each(|flag| to.flag(flag));
    }
}

impl Answer for [PackageEntry] {
    fn encode(&self, to: &mut Encoder) {
        to.count(self.len());
        self.iter().for_each(|package| package.encode(to));
    }
}

impl Answer for PackageEntry {
    fn encode(&self, to: &mut Encoder) {
        to.text(&self.package);
        to.text(&self.label);
        to.text(&self.version);
        to.bytes(&self.version_code.to_be_bytes());
        to.optional_text(self.activity.as_deref());
        optional(to, self.pid, Encoder::u32);
        to.count(self.permissions.len());
        for (name, granted) in &self.permissions {
            to.text(name);
            to.flag(*granted);
        }
        optional(to, self.icon.as_ref(), |to, icon| icon.as_slice().encode(to));
    }
}

/// Writes a byte that says whether there is a value, and then the value.
pub(super) fn optional<T>(to: &mut Encoder, value: Option<T>, write: impl FnOnce(&mut Encoder, T)) {
    to.flag(value.is_some());
    if let Some(value) = value {
        write(to, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_engine::agent::{Announced, Decoder, Failure, ProtocolError, Quiet, Typed, TypedBy};
    use taproof_screen::{
        LayoutBuilder, PxRect, PxSize, Rotation, Text, Widget, WidgetDetails, WidgetFlags, layout_from,
    };

    fn seen() -> Seen {
        Seen {
            refused: None,
            quiet: Quiet::StillButPassing,
            activity: Some("org.ex/.Main".to_owned()),
            uptime_millis: 1 << 40,
            keyboard: Some(PxRect::new(0, 100, 200, 300)),
            picture_hash: Some(7),
            typed: Some(Typed { by: TypedBy::Paste, shows: Some("Grüße".to_owned()) }),
            announced: vec![Announced {
                toast: true,
                package: "org.ex".to_owned(),
                text: "Saved".to_owned(),
            }],
            log: Some("01-05 09:00:01.500".to_owned()),
            layout: Ok(layout_from("Button \"a\"\n").with_activity(Text::from(""))),
        }
    }

    fn body(seen: &Seen) -> Vec<u8> {
        succeeded(seen)
    }

    /// Reads the value behind the status of an answer that succeeded.
    fn value_of<T>(
        body: &[u8],
        read: impl FnOnce(&mut Decoder<'_>) -> Result<T, ProtocolError>,
    ) -> Result<T, ProtocolError> {
        let mut from = Decoder::new(body);
        Failure::check(&mut from)?.unwrap();
        let value = read(&mut from)?;
        from.finish().map(|()| value)
    }

    fn read(body: &[u8]) -> Result<Seen, ProtocolError> {
        value_of(body, Seen::decode)
    }

    #[test]
    fn an_answer_is_read_as_it_was_written() {
        let full = seen();
        assert_eq!(read(&body(&full)), Ok(full));
        let bare = Seen {
            refused: Some("the device refused the touch".to_owned()),
            quiet: Quiet::Changing,
            activity: None,
            keyboard: None,
            picture_hash: None,
            typed: None,
            announced: Vec::new(),
            log: None,
            layout: Err((PxSize { width: 800, height: 600 }, "no window has the focus".to_owned())),
            ..seen()
        };
        assert_eq!(read(&body(&bare)), Ok(bare));
    }

    /// The agent's own tests write the same bytes.
    #[test]
    fn the_bytes_that_java_writes_are_read() {
        let mut builder = LayoutBuilder::new(Text::from(""), PxSize { width: 800, height: 600 }, Rotation(1));
        builder.window(0, Text::from(""), true);
        let root = Widget {
            parent: None,
            package: Text::from("org.ex"),
            class: Text::from("android.widget.FrameLayout"),
            resource_id: None,
            text: Text::from(""),
            content_desc: Text::from(""),
            hint: Text::from(""),
            bounds: PxRect::new(0, 0, 800, 552),
            flags: WidgetFlags::NONE,
        };
        builder.open(root.clone());
        let field = builder.open(Widget {
            class: Text::from("android.widget.EditText"),
            resource_id: Some(Text::from("org.ex:id/name")),
            text: Text::from("a"),
            hint: Text::from("Name"),
            bounds: PxRect::new(0, 0, 0, 0),
            flags: WidgetFlags::ENABLED.with(WidgetFlags::EDITABLE, true),
            ..root
        });
        let details = WidgetDetails {
            error: Text::from("too short"),
            drawing_order: 3,
            range: Some([0, 500, 1000]),
            cell: Some([2, 0]),
        };
        builder.describe(field, details);
        builder.close();
        builder.close();
        builder.window(0, Text::from("bar"), false);
        let layout = builder.finish();
        let expected = Seen {
            keyboard: Some(PxRect::new(0, 300, 800, 600)),
            picture_hash: Some(u32::MAX),
            typed: Some(Typed { by: TypedBy::Paste, shows: Some("ü".to_owned()) }),
            log: Some("E".to_owned()),
            layout: Ok(layout),
            ..seen()
        };
        let hex = concat!(
            "00ffffffff010000000c6f72672e65782f2e4d61696e0000010000000000",
            "01000000000000012c000003200000025801ffffffff010200000002c3bc",
            "0000000101000000066f72672e65780000000553617665640100000001450100000320",
            "0000025801000000020000000000000000010100000000000000000000000362617200",
            "000000000200000000",
            "0001000000066f72672e657800020000001a616e64726f69642e7769646765742e4672616d654c61796f7574",
            "0000000000000000000000000320000002280000011008",
            "0001000300000017616e64726f69642e7769646765742e4564697454657874",
            "00040000000e6f72672e65783a69642f6e616d65000000000000000000000000000000000d",
            "0000000161000000044e616d6500000009746f6f2073686f7274",
            "000000030100000000000001f4000003e8010000000200000000",
        );
        let bytes: Vec<u8> = hex
            .as_bytes()
            .chunks(2)
            .map(|digits| u8::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap())
            .collect();
        assert_eq!(read(&bytes), Ok(expected.clone()));
        assert_eq!(body(&expected), bytes);
    }

    #[test]
    fn an_answer_that_is_cut_is_refused() {
        let body = body(&seen());
        for end in 0..body.len() {
            assert!(read(&body[..end]).is_err(), "cut at {end}");
        }
    }

    #[test]
    fn a_failure_says_what_android_said() {
        let body = failed(FailureKind::Forbidden, "SecurityException: INJECT_EVENTS");
        let failure = Failure::check(&mut Decoder::new(&body)).unwrap().unwrap_err();
        assert_eq!(failure.kind, FailureKind::Forbidden);
        assert_eq!(failure.to_string(), "SecurityException: INJECT_EVENTS");
    }

    #[test]
    fn packages_and_greetings_are_read_as_they_were_written() {
        let package = PackageEntry {
            package: "org.ex".to_owned(),
            label: "Example".to_owned(),
            version: "1.2".to_owned(),
            version_code: 12,
            activity: None,
            pid: Some(321),
            permissions: vec![("android.permission.CAMERA".to_owned(), true)],
            icon: Some(vec![1, 2]),
        };
        let packages = vec![package];
        let body = succeeded(packages.as_slice());
        assert_eq!(value_of(&body, PackageEntry::decode_all), Ok(packages));
        let hello = Hello { version: 1, sdk: 19, uid: 2000, pid: 77 };
        assert_eq!(value_of(&succeeded(&hello), Hello::decode), Ok(hello));
        let power = Power { awake: true, locked: false, secure: true };
        assert_eq!(value_of(&succeeded(&power), Power::decode), Ok(power));
    }
}
