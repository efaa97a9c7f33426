//! The command line that starts the server on the phone.

use std::fmt;

use taproof_screen::format::ServerVersion;

/// The id that distinguishes several servers on one phone: 31 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scid(u32);

impl Scid {
    /// Creates an id from any number. The top bit is dropped, since the server parses a signed integer.
    pub fn new(chance: u32) -> Self {
        Scid(chance & 0x7fff_ffff)
    }

    /// The name of the server's socket in the phone's abstract namespace.
    pub fn socket_name(self) -> String {
        format!("scrcpy_{self}")
    }
}

impl fmt::Display for Scid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:08x}", self.0)
    }
}

/// Options of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerOptions {
    /// Limit on the longer side of the picture in pixels; 0 for the screen's size.
    pub max_size_px: u16,
    /// Limit on the frames per second; 0 for no limit.
    pub max_fps: u16,
    /// The encoder's target bit rate in bits per second.
    pub video_bit_rate: u32,
    /// Whether the server opens a second stream, for control.
    pub control: bool,
    /// Whether the computer connects to the phone (the server then sends a byte first) or the phone to the computer.
    pub tunnel_forward: bool,
    /// Whether the server switches the screen on when it starts.
    pub power_on: bool,
    /// Whether the server cleans up when it ends: it restores the display's power and deletes the file that it was
    /// started from.
    pub cleanup: bool,
}

impl Default for ServerOptions {
    /// Frames for a window, with control, over a connection from the computer to the phone.
    fn default() -> Self {
        ServerOptions {
            max_size_px: 1280,
            max_fps: 30,
            video_bit_rate: 4_000_000,
            control: true,
            tunnel_forward: true,
            power_on: true,
            cleanup: true,
        }
    }
}

/// The path for the server on the phone. A server deletes the file that it was started from, so each gets a file of its
/// own if its version supports that.
pub fn jar_path(version: ServerVersion, scid: Scid) -> String {
    if version.runs_from_any_path() {
        format!("/data/local/tmp/scrcpy-server-{scid}.jar")
    } else {
        "/data/local/tmp/scrcpy-server.jar".to_owned()
    }
}

/// The shell line that runs the server from [`jar_path`]. No part of it needs quoting.
pub fn arguments(version: ServerVersion, scid: Scid, options: ServerOptions) -> String {
    let jar = jar_path(version, scid);
    let mut line = format!(
        "CLASSPATH={jar} app_process / com.genymobile.scrcpy.Server {version} scid={scid} log_level=info audio=false"
    );
    let mut add = |wanted: bool, key: &str, value: &dyn fmt::Display| {
        if wanted {
            line.push_str(&format!(" {key}={value}"));
        }
    };
    add(options.max_size_px > 0, "max_size", &options.max_size_px);
    add(options.max_fps > 0, "max_fps", &options.max_fps);
    add(options.video_bit_rate > 0, "video_bit_rate", &options.video_bit_rate);
    add(options.tunnel_forward, "tunnel_forward", &true);
    add(!options.control, "control", &false);
    // With autosync, a server answers `GetClipboard` with nothing, and sends the clipboard unrequested.
    add(options.control, "clipboard_autosync", &false);
    add(!options.power_on, "power_on", &false);
    add(!options.cleanup, "cleanup", &false);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_the_line() {
        let version = ServerVersion::from_name("3.3.4").unwrap();
        let scid = Scid::new(0x0123_abcd);
        assert_eq!(
            arguments(version, scid, ServerOptions::default()),
            "CLASSPATH=/data/local/tmp/scrcpy-server-0123abcd.jar app_process / com.genymobile.scrcpy.Server 3.3.4 \
             scid=0123abcd log_level=info audio=false max_size=1280 max_fps=30 video_bit_rate=4000000 \
             tunnel_forward=true clipboard_autosync=false"
        );
        let bare = ServerOptions {
            max_size_px: 0,
            max_fps: 0,
            video_bit_rate: 0,
            control: false,
            tunnel_forward: false,
            power_on: false,
            cleanup: false,
        };
        assert_eq!(
            arguments(ServerVersion::from_name("2.1").unwrap(), scid, bare),
            "CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 2.1 \
             scid=0123abcd log_level=info audio=false control=false power_on=false cleanup=false"
        );
    }

    #[test]
    fn a_scid_has_31_bits_and_eight_digits() {
        assert_eq!(Scid::new(u32::MAX).to_string(), "7fffffff");
        assert_eq!(Scid::new(0).socket_name(), "scrcpy_00000000");
        assert_eq!(Scid::new(0x8000_0001), Scid::new(1));
    }

    #[test]
    fn no_line_has_a_character_that_a_shell_reads() {
        for version in taproof_screen::format::supported_versions() {
            let line = arguments(version, Scid::new(7), ServerOptions::default());
            assert!(
                line.chars().all(|char| char.is_ascii_alphanumeric() || " /=._-".contains(char)),
                "{line}"
            );
        }
    }
}
