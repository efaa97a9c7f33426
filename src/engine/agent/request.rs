//! What the agent is asked to do.

use super::Encoder;
use taproof_screen::PxPoint;

/// A request to the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// The first request on each stream. Answered by [`Hello`](super::Hello).
    Hello {
        /// The version of the protocol that the client speaks.
        version: u16,
    },
    /// Does something, waits until the screen is still and reads it: one round trip for an event. Answered by
    /// [`Seen`](super::Seen).
    Act {
        /// What to do before the screen is read.
        action: Action,
        /// How long to wait for a still screen.
        settle: Settle,
        /// Also read the log from this time on, as `logcat -v threadtime` prints it. Empty: from now on, and the answer
        /// begins with the time. `None`: do not read it.
        log_from: Option<String>,
        /// Also return a checksum of the picture, which shows whether it has changed.
        picture_hash: bool,
    },
    /// Takes a picture. Answered by its bytes.
    Picture {
        /// The format of the picture.
        form: PictureForm,
        /// Width in pixels to scale it down to; 0 for that of the screen.
        width: u16,
    },
    /// Reads and changes settings, one after the other. Answered by the value of each before its change.
    Settings(Vec<SettingRequest>),
    /// Stops an app.
    Stop {
        /// The app's package.
        package: String,
    },
    /// Stops an app and deletes its data.
    Clear {
        /// The app's package.
        package: String,
    },
    /// Starts an activity as the launcher does.
    Start {
        /// The activity, as `package/class`.
        component: String,
    },
    /// Grants permissions to an app. Answered by those that could not be granted, each with the reason.
    Grant {
        /// The app's package.
        package: String,
        /// The permissions; if empty, all that the app requests and a user is asked for.
        permissions: Vec<String>,
    },
    /// Lists the installed packages. Answered by [`PackageEntry`](super::PackageEntry)s.
    Packages {
        /// Whether to leave out those that came with the device.
        third_party: bool,
        /// Side of the icons in pixels; 0 for none.
        icon: u16,
    },
    /// Reads the clipboard, and changes it if there is a new content. Answered by the content before.
    Clipboard {
        /// The new content.
        content: Option<String>,
    },
    /// Switches the screen on and dismisses a lock screen without a code. Answered by [`Power`](super::Power).
    Wake,
    /// Waits until the screen differs from the one with this checksum. Answered by the checksum of the picture, or 0
    /// if the time is over.
    Watch {
        /// The checksum of the picture that the client has.
        picture_hash: u32,
        /// Limit on the wait in milliseconds.
        limit_millis: u32,
    },
    /// Ends the agent.
    End,
}

/// What to do before the screen is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing.
    Look,
    /// A finger goes down at the first point, moves along the others and is lifted at the last.
    Touch(Vec<TouchPoint>),
    /// Presses a key, by Android's code and its meta state.
    Key {
        /// Android's key code.
        code: u32,
        /// The meta keys held down, as in `KeyEvent`.
        meta: u32,
    },
    /// Types at the cursor.
    Type(String),
    /// Replaces the content of the field at the point.
    SetText {
        /// Where the field is.
        at: PxPoint,
        /// Its new content.
        text: String,
    },
    /// Turns the screen to this rotation in quarter turns and keeps it there.
    Rotate(u8),
    /// Waits for this many milliseconds.
    Wait(u32),
}

/// A point on the path of a finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchPoint {
    /// Where the finger is.
    pub at: PxPoint,
    /// When it is there, in milliseconds since it went down.
    pub millis: u32,
    /// The pressure in thousandths of a normal touch.
    pub pressure: u16,
}

/// How to wait for a still screen: it is still once two layouts, read a quiet span apart, are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settle {
    /// The quiet span in milliseconds: so long without a change of the content or of the windows.
    pub quiet_millis: u32,
    /// Limit on the wait in milliseconds. 0 reads the screen once, as it is.
    pub limit_millis: u32,
}

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureForm {
    /// Width and height as `u32`, then four bytes per pixel: red, green, blue, alpha.
    Raw,
    /// JPEG with this quality, from 1 to 100.
    Jpeg(u8),
}

/// A request about one setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingRequest {
    /// `system`, `secure` or `global`.
    pub namespace: String,
    /// The name of the setting.
    pub name: String,
    /// The change to make.
    pub change: SettingChange,
}

/// A change of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingChange {
    /// None: the value is only read.
    Keep,
    /// Sets a value.
    Put(String),
    /// Removes the value, where the device can.
    Delete,
}

impl Request {
    /// Writes the body of the request.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Encoder::default();
        match self {
            Request::Hello { version } => {
                to.u8(1);
                to.u16(*version);
            }
            Request::Act { action, settle, log_from, picture_hash } => {
                to.u8(2);
                action.encode(&mut to);
                to.u32(settle.quiet_millis);
                to.u32(settle.limit_millis);
                to.optional_text(log_from.as_deref());
                to.flag(*picture_hash);
            }
            Request::Picture { form, width } => {
                to.u8(3);
                // Quality 0 stands for a picture that is not compressed.
                to.u8(if let PictureForm::Jpeg(quality) = form { *quality } else { 0 });
                to.u16(*width);
            }
            Request::Settings(requests) => {
                to.u8(4);
                to.count(requests.len());
                requests.iter().for_each(|request| request.encode(&mut to));
            }
            Request::Stop { package } => named(&mut to, 5, package),
            Request::Clear { package } => named(&mut to, 6, package),
            Request::Start { component } => named(&mut to, 7, component),
            Request::Grant { package, permissions } => {
                named(&mut to, 8, package);
                to.count(permissions.len());
                permissions.iter().for_each(|name| to.text(name));
            }
            Request::Packages { third_party, icon } => {
                to.u8(9);
                to.flag(*third_party);
                to.u16(*icon);
            }
            Request::Clipboard { content } => {
                to.u8(10);
                to.optional_text(content.as_deref());
            }
            Request::Wake => to.u8(11),
            Request::Watch { picture_hash, limit_millis } => {
                to.u8(12);
                to.u32(*picture_hash);
                to.u32(*limit_millis);
            }
            Request::End => to.u8(13),
        }
        to.finish()
    }
}

fn named(to: &mut Encoder, kind: u8, name: &str) {
    to.u8(kind);
    to.text(name);
}

impl Action {
    fn encode(&self, to: &mut Encoder) {
        match self {
            Action::Look => to.u8(0),
            Action::Touch(path) => {
                to.u8(1);
                to.count(path.len());
                for point in path {
                    to.point(point.at);
                    to.u32(point.millis);
                    to.u16(point.pressure);
                }
            }
            Action::Key { code, meta } => {
                to.u8(2);
                to.u32(*code);
                to.u32(*meta);
            }
            Action::Type(text) => named(to, 3, text),
            Action::SetText { at, text } => {
                to.u8(4);
                to.point(*at);
                to.text(text);
            }
            Action::Rotate(quarters) => {
                to.u8(5);
                to.u8(*quarters);
            }
            Action::Wait(millis) => {
                to.u8(6);
                to.u32(*millis);
            }
        }
    }
}

impl SettingRequest {
    fn encode(&self, to: &mut Encoder) {
        to.text(&self.namespace);
        to.text(&self.name);
        match &self.change {
            SettingChange::Keep => to.u8(0),
            SettingChange::Put(value) => named(to, 1, value),
            SettingChange::Delete => to.u8(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The agent's own tests read and write the same bytes.
    #[test]
    fn the_bytes_are_those_that_java_writes() {
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(hex(&Request::Hello { version: 1 }.encode()), "010001");
        let act = Request::Act {
            action: Action::SetText { at: PxPoint { x: 10, y: -2 }, text: "ü".to_owned() },
            settle: Settle { quiet_millis: 100, limit_millis: 5000 },
            log_from: None,
            picture_hash: true,
        };
        let expected = concat!(
            "02",
            "04",
            "0000000a",
            "fffffffe",
            "00000002c3bc",
            "00000064",
            "00001388",
            "ffffffff",
            "01"
        );
        assert_eq!(hex(&act.encode()), expected);
    }
}
