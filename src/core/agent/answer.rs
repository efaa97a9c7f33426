//! What the agent answers.

use super::screen::{read_layout, write_layout};
use super::wire::unexpected;
use super::{Decoder, Encoder, ProtocolError};
use crate::model::{Layout, PxRect, PxSize};

/// The body of an answer to a request that succeeded.
pub fn succeeded(write: impl FnOnce(&mut Encoder)) -> Vec<u8> {
    let mut to = Encoder::default();
    to.u8(0);
    write(&mut to);
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

/// Why the agent could not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The kind of the failure.
    pub kind: FailureKind,
    /// What Android said.
    pub message: String,
}

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// Any other.
    Other = 0,
    /// Android, or the vendor's Android, forbids it.
    Forbidden = 1,
    /// The app or the activity does not exist.
    Missing = 2,
    /// The window in front has no layout at the moment.
    NoLayout = 3,
    /// This version of Android cannot do it.
    Unsupported = 4,
    /// The request could not be read, or came before the greeting.
    BadRequest = 5,
    /// The agent speaks another version of the protocol.
    Version = 6,
}

impl FailureKind {
    const ALL: [FailureKind; 7] = [
        FailureKind::Other,
        FailureKind::Forbidden,
        FailureKind::Missing,
        FailureKind::NoLayout,
        FailureKind::Unsupported,
        FailureKind::BadRequest,
        FailureKind::Version,
    ];
}

impl Failure {
    /// Reads the status of an answer. The decoder then stands before the value.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the answer has neither of the two statuses.
    pub fn check(from: &mut Decoder<'_>) -> Result<Result<(), Failure>, ProtocolError> {
        match from.u8("the status")? {
            0 => Ok(Ok(())),
            1 => {
                let number = usize::from(from.u8("the kind of the failure")?);
                let kind = FailureKind::ALL.get(number).copied().unwrap_or(FailureKind::Other);
                Ok(Err(Failure { kind, message: from.text("the message")?.to_owned() }))
            }
            other => Err(unexpected("the status", "0 or 1", other)),
        }
    }
}

/// The answer to [`Request::Hello`](super::Request::Hello).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// The version of the protocol that the agent speaks.
    pub version: u16,
    /// The API level of the device.
    pub sdk: u32,
    /// The user that the agent runs as: 2000 for the shell, 0 for root.
    pub uid: u32,
    /// The process id of the agent.
    pub pid: u32,
}

/// The answer to [`Request::Act`](super::Request::Act).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Why the action could not be done; `None` if it was done.
    pub refused: Option<String>,
    /// Whether the screen came to rest.
    pub quiet: Quiet,
    /// The activity in front, as `package/class`; `None` if the device does not report it.
    pub activity: Option<String>,
    /// The time since the device was started, in milliseconds, at the reading.
    pub uptime_millis: u64,
    /// The area of the keyboard on the screen, if it is shown.
    pub keyboard: Option<PxRect>,
    /// A checksum of the picture, if it was asked for and the device can take one.
    pub picture_hash: Option<u32>,
    /// How a text was typed and what the field shows now, after an action that types.
    pub typed: Option<Typed>,
    /// What was announced since the last answer.
    pub announced: Vec<Announced>,
    /// The log from the requested time on, as `logcat -v threadtime` prints it.
    pub log: Option<String>,
    /// The layout with an empty activity, or the size of the screen and why there is none.
    pub layout: Result<Layout, (PxSize, String)>,
}

/// Whether the screen came to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiet {
    /// Two layouts, a quiet span apart, were equal.
    Still = 0,
    /// The same, but for something that goes away by itself, such as a snackbar.
    StillButPassing = 1,
    /// The screen was still changing at the limit.
    Changing = 2,
    /// It was not waited for.
    NotAwaited = 3,
}

/// How a text was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The method that worked.
    pub by: TypedBy,
    /// What the focused field shows now; `None` if no field has the focus.
    pub shows: Option<String>,
}

/// The methods of typing, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypedBy {
    /// The field was told its text (Android 5 on).
    SetText = 0,
    /// Keys of the virtual keyboard.
    Keys = 1,
    /// The clipboard.
    Paste = 2,
    /// No method: the text did not arrive.
    Nothing = 3,
}

/// Something that an app announced without a change of its layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announced {
    /// Whether it is a toast; otherwise a notification.
    pub toast: bool,
    /// The package of the app.
    pub package: String,
    /// The text.
    pub text: String,
}

/// The answer to [`Request::Wake`](super::Request::Wake).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Power {
    /// Whether the screen is on.
    pub awake: bool,
    /// Whether a lock screen covers everything.
    pub locked: bool,
    /// Whether the lock screen requires a code.
    pub secure: bool,
}

/// An installed package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageEntry {
    /// The package.
    pub package: String,
    /// The name that the launcher shows.
    pub label: String,
    /// The version as the app prints it.
    pub version: String,
    /// The version as a number.
    pub version_code: u64,
    /// The class of the activity that the launcher starts, if there is one.
    pub activity: Option<String>,
    /// The process id of the app if it runs.
    pub pid: Option<u32>,
    /// The permissions that a user is asked for, and whether they are granted.
    pub permissions: Vec<(String, bool)>,
    /// The icon as PNG, if it was asked for.
    pub icon: Option<Vec<u8>>,
}

impl Hello {
    /// Writes the value.
    pub fn encode(&self, to: &mut Encoder) {
        to.u16(self.version);
        [self.sdk, self.uid, self.pid].into_iter().for_each(|number| to.u32(number));
    }

    /// Reads the value.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn decode(from: &mut Decoder<'_>) -> Result<Self, ProtocolError> {
        Ok(Hello {
            version: from.u16("the version")?,
            sdk: from.u32("the API level")?,
            uid: from.u32("the user")?,
            pid: from.u32("the process")?,
        })
    }
}

impl Seen {
    /// Writes the value.
    pub fn encode(&self, to: &mut Encoder) {
        to.optional_text(self.refused.as_deref());
        to.u8(self.quiet as u8);
        to.optional_text(self.activity.as_deref());
        to.u64(self.uptime_millis);
        to.optional(self.keyboard, Encoder::rect);
        to.optional(self.picture_hash, Encoder::u32);
        to.optional(self.typed.as_ref(), |to, typed| {
            to.u8(typed.by as u8);
            to.optional_text(typed.shows.as_deref());
        });
        to.count(self.announced.len());
        for announced in &self.announced {
            to.flag(announced.toast);
            to.text(&announced.package);
            to.text(&announced.text);
        }
        to.optional(self.log.as_ref(), |to, log| to.blob(log.as_bytes()));
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

    /// Reads the value.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn decode(from: &mut Decoder<'_>) -> Result<Self, ProtocolError> {
        Ok(Seen {
            refused: from.optional_text("the refusal")?.map(str::to_owned),
            quiet: read_quiet(from)?,
            activity: from.optional_text("the activity")?.map(str::to_owned),
            uptime_millis: from.u64("the uptime")?,
            keyboard: from.optional("the keyboard", |from| from.rect("the keyboard"))?,
            picture_hash: from.optional("the checksum", |from| from.u32("the checksum"))?,
            typed: from.optional("the typed text", read_typed)?,
            announced: from.list("the announcements", |from| {
                Ok(Announced {
                    toast: from.flag("the kind of an announcement")?,
                    package: from.text("the package of an announcement")?.to_owned(),
                    text: from.text("the text of an announcement")?.to_owned(),
                })
            })?,
            // A log may contain bytes that an app wrote into it.
            log: from.optional("the log", |from| {
                Ok(String::from_utf8_lossy(from.blob("the log")?).into_owned())
            })?,
            layout: match from.flag("the layout")? {
                true => Ok(read_layout(from)?),
                false => {
                    let field = "the size of the screen";
                    let screen = PxSize { width: from.i32(field)?, height: from.i32(field)? };
                    Err((screen, from.text("the reason")?.to_owned()))
                }
            },
        })
    }
}

fn read_quiet(from: &mut Decoder<'_>) -> Result<Quiet, ProtocolError> {
    let field = "the mark of a still screen";
    Ok(match from.u8(field)? {
        0 => Quiet::Still,
        1 => Quiet::StillButPassing,
        2 => Quiet::Changing,
        3 => Quiet::NotAwaited,
        other => return Err(unexpected(field, "0 to 3", other)),
    })
}

fn read_typed(from: &mut Decoder<'_>) -> Result<Typed, ProtocolError> {
    let field = "the method of typing";
    let by = match from.u8(field)? {
        0 => TypedBy::SetText,
        1 => TypedBy::Keys,
        2 => TypedBy::Paste,
        3 => TypedBy::Nothing,
        other => return Err(unexpected(field, "0 to 3", other)),
    };
    Ok(Typed { by, shows: from.optional_text("the text of the field")?.map(str::to_owned) })
}

impl Power {
    /// Writes the value.
    pub fn encode(&self, to: &mut Encoder) {
        [self.awake, self.locked, self.secure].into_iter().for_each(|flag| to.flag(flag));
    }

    /// Reads the value.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn decode(from: &mut Decoder<'_>) -> Result<Self, ProtocolError> {
        Ok(Power {
            awake: from.flag("the state of the screen")?,
            locked: from.flag("the lock")?,
            secure: from.flag("the kind of the lock")?,
        })
    }
}

impl PackageEntry {
    /// Writes a list of packages.
    pub fn encode_all(packages: &[PackageEntry], to: &mut Encoder) {
        to.count(packages.len());
        packages.iter().for_each(|package| package.encode(to));
    }

    /// Reads a list of packages.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn decode_all(from: &mut Decoder<'_>) -> Result<Vec<PackageEntry>, ProtocolError> {
        from.list("the packages", PackageEntry::decode)
    }

    fn encode(&self, to: &mut Encoder) {
        to.text(&self.package);
        to.text(&self.label);
        to.text(&self.version);
        to.u64(self.version_code);
        to.optional_text(self.activity.as_deref());
        to.optional(self.pid, Encoder::u32);
        to.count(self.permissions.len());
        for (name, granted) in &self.permissions {
            to.text(name);
            to.flag(*granted);
        }
        to.optional(self.icon.as_ref(), |to, icon| to.blob(icon));
    }

    fn decode(from: &mut Decoder<'_>) -> Result<Self, ProtocolError> {
        Ok(PackageEntry {
            package: from.text("a package")?.to_owned(),
            label: from.text("a label")?.to_owned(),
            version: from.text("a version")?.to_owned(),
            version_code: from.u64("the number of a version")?,
            activity: from.optional_text("an activity")?.map(str::to_owned),
            pid: from.optional("a process", |from| from.u32("a process"))?,
            permissions: from.list("the permissions", |from| {
                Ok((from.text("a permission")?.to_owned(), from.flag("the state of a permission")?))
            })?,
            icon: from.optional("an icon", |from| Ok(from.blob("an icon")?.to_vec()))?,
        })
    }
}

impl Encoder {
    /// Writes texts that may be absent: the values of settings, the clipboard.
    pub fn values(&mut self, values: &[Option<String>]) {
        self.count(values.len());
        values.iter().for_each(|value| self.optional_text(value.as_deref()));
    }

    /// Writes pairs of texts: the permissions that could not be granted, each with the reason.
    pub fn pairs(&mut self, pairs: &[(String, String)]) {
        self.count(pairs.len());
        pairs.iter().for_each(|(one, other)| {
            self.text(one);
            self.text(other);
        });
    }

    /// Writes bytes, such as a picture.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.blob(bytes);
    }

    /// Writes a number, such as a checksum.
    pub fn number(&mut self, number: u32) {
        self.u32(number);
    }
}

impl Decoder<'_> {
    /// Reads texts that may be absent.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn values(&mut self) -> Result<Vec<Option<String>>, ProtocolError> {
        self.list("the values", |from| Ok(from.optional_text("a value")?.map(str::to_owned)))
    }

    /// Reads pairs of texts.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn pairs(&mut self) -> Result<Vec<(String, String)>, ProtocolError> {
        self.list("the pairs", |from| {
            Ok((from.text("a name")?.to_owned(), from.text("a reason")?.to_owned()))
        })
    }

    /// Reads bytes.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn bytes(&mut self) -> Result<Vec<u8>, ProtocolError> {
        Ok(self.blob("the bytes")?.to_vec())
    }

    /// Reads a number.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn number(&mut self) -> Result<u32, ProtocolError> {
        self.u32("the number")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{LayoutBuilder, Rotation, Text, Widget, WidgetDetails, WidgetFlags, layout_from};

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
        succeeded(|to| seen.encode(to))
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
        for (number, kind) in FailureKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
        }
        assert!(Failure::check(&mut Decoder::new(&[2])).is_err());
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
        let body = succeeded(|to| PackageEntry::encode_all(&packages, to));
        assert_eq!(value_of(&body, PackageEntry::decode_all), Ok(packages));
        let hello = Hello { version: 1, sdk: 19, uid: 2000, pid: 77 };
        assert_eq!(value_of(&succeeded(|to| hello.encode(to)), Hello::decode), Ok(hello));
        let power = Power { awake: true, locked: false, secure: true };
        assert_eq!(value_of(&succeeded(|to| power.encode(to)), Power::decode), Ok(power));
    }
}
