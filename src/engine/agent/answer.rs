//! What the agent answers.

use super::screen::read_layout;
use super::{Decoder, ProtocolError};
use taproof_screen::{Layout, PxRect, PxSize};

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
            other => Err(ProtocolError::unexpected("the status", "0 or 1", other)),
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
        other => return Err(ProtocolError::unexpected(field, "0 to 3", other)),
    })
}

fn read_typed(from: &mut Decoder<'_>) -> Result<Typed, ProtocolError> {
    let field = "the method of typing";
    let by = match from.u8(field)? {
        0 => TypedBy::SetText,
        1 => TypedBy::Keys,
        2 => TypedBy::Paste,
        3 => TypedBy::Nothing,
        other => return Err(ProtocolError::unexpected(field, "0 to 3", other)),
    };
    Ok(Typed { by, shows: from.optional_text("the text of the field")?.map(str::to_owned) })
}

impl Power {
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
    /// Reads a list of packages.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn decode_all(from: &mut Decoder<'_>) -> Result<Vec<PackageEntry>, ProtocolError> {
        from.list("the packages", PackageEntry::decode)
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

    #[test]
    fn a_failure_says_what_android_said() {
        let body = b"\x01\x01\0\0\0\x06denied";
        let failure = Failure::check(&mut Decoder::new(body)).unwrap().unwrap_err();
        assert_eq!(failure.kind, FailureKind::Forbidden);
        assert_eq!(failure.to_string(), "denied");
        for (number, kind) in FailureKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
        }
        assert!(Failure::check(&mut Decoder::new(&[2])).is_err());
    }
}
