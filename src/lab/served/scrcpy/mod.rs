//! The scrcpy server of a served device, as far as our own client uses it: video over a stream that the client opens.
//! Only with the feature `scrcpy`.
//!
//! `app_process` runs it on the thread of its shell. It listens in the abstract namespace (`tunnel_forward`) and sends
//! the screen (`video`). It observes the device like any other user: the device's clock advances only by input.

pub mod servers;
mod video;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};

use super::Served;
use super::wire::DeviceStream;
use taproof_screen::format::{ServerVersion, supported_versions};
use video::Camera;

/// The class that clients start.
pub const CLASS: &str = "com.genymobile.scrcpy.Server";

/// How often a wait for a stream checks whether the client is still there.
const GLANCE: Duration = Duration::from_millis(50);
/// The shortest interval between two observations of the screen.
const QUICKEST: Duration = Duration::from_millis(20);
/// How long a client may take to accept a frame before it counts as gone.
const STALLED: Duration = Duration::from_secs(30);
const NAME_BYTES: usize = 64;

/// The options that a client requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Server {
    version: ServerVersion,
    socket: String,
    max_size: u32,
    every: Duration,
}

impl Server {
    /// Parses the words after the class. The server takes the version that the client requests, or accepts only its
    /// `own` version if given. The error is the message that it prints before it ends.
    pub fn of(words: &[&str], own: Option<ServerVersion>) -> Result<Server, String> {
        let Some((version, options)) = words.split_first() else {
            return Err("java.lang.IllegalArgumentException: Missing client version".to_owned());
        };
        let wanted = ServerVersion::from_name(version).ok();
        let Some(version) = wanted.filter(|wanted| own.is_none_or(|own| own == *wanted)) else {
            let own = own.or_else(|| supported_versions().last()).map_or("", ServerVersion::name);
            return Err(format!(
                "java.lang.IllegalArgumentException: The server version ({own}) does not match the client ({version})"
            ));
        };
        let options: BTreeMap<&str, &str> = options.iter().filter_map(|word| word.split_once('=')).collect();
        for (key, only) in [("audio", "false"), ("control", "false"), ("tunnel_forward", "true")] {
            if options.get(key) != Some(&only) {
                return Err(format!("[server] ERROR: This device only serves {key}={only}"));
            }
        }
        let number = |key: &str| options.get(key).and_then(|value| value.parse::<u32>().ok()).unwrap_or(0);
        let socket = match options.get("scid") {
            Some(scid) => format!("scrcpy_{:0>8}", scid.to_ascii_lowercase()),
            None => "scrcpy".to_owned(),
        };
        let every = 1000u64.checked_div(u64::from(number("max_fps"))).map_or(QUICKEST, Duration::from_millis);
        Ok(Server { version, socket, max_size: number("max_size"), every: every.max(QUICKEST) })
    }

    /// The message that the server prints at its start.
    pub fn greeting(served: &Served) -> String {
        let state = served.lock();
        let model = state.device.info().model.clone();
        format!("[server] INFO: Device: [Taproof] Taproof {model} (Android sdk {})", state.sdk())
    }

    /// Runs until the client leaves, somebody stops the server, or `wanted` returns false because nobody holds its
    /// shell any more. The error is the message to print.
    pub fn run(&self, served: &Served, wanted: &dyn Fn() -> bool) -> Result<(), String> {
        let (sender, streams) = bounded(1);
        if !served.lock().scrcpy.listen(&self.socket, sender) {
            return Err("java.io.IOException: Address already in use".to_owned());
        }
        let filmed = accept(&streams, wanted).and_then(|stream| self.film(served, stream, &streams, wanted));
        served.lock().scrcpy.end(&self.socket);
        filmed.map_err(|error| format!("[server] ERROR: {error}"))
    }

    /// Sends video until the client leaves or the server is stopped.
    fn film(
        &self,
        served: &Served,
        mut stream: DeviceStream,
        streams: &Receiver<DeviceStream>,
        wanted: &dyn Fn() -> bool,
    ) -> io::Result<()> {
        // The first byte shows a client that connected that the server is running.
        stream.write_all(&[0])?;
        stream.write_all(&name(&served.lock().device.info().model))?;
        stream.flush()?;
        stream.set_deadline(STALLED);
        let mut camera = Camera::begin(self.version, self.max_size, self.every, stream.split().1)?;
        loop {
            camera.look(served)?;
            match streams.recv_timeout(self.every) {
                Err(RecvTimeoutError::Timeout) if wanted() => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(()),
                Ok(surplus) => drop(surplus),
            }
        }
    }
}

/// Waits for the stream of the client.
fn accept(streams: &Receiver<DeviceStream>, wanted: &dyn Fn() -> bool) -> io::Result<DeviceStream> {
    loop {
        match streams.recv_timeout(GLANCE) {
            Ok(stream) => return Ok(stream),
            Err(RecvTimeoutError::Timeout) if wanted() => {}
            Err(_) => return Err(io::ErrorKind::ConnectionAborted.into()),
        }
    }
}

/// The device's name as clients expect it.
fn name(model: &str) -> [u8; NAME_BYTES] {
    let mut bytes = [0; NAME_BYTES];
    // The last byte stays zero.
    let letters = model.bytes().take(NAME_BYTES - 1);
    bytes.iter_mut().zip(letters).for_each(|(byte, letter)| *byte = letter);
    bytes
}

#[cfg(test)]
mod tests {
    use super::servers::Servers;
    use super::*;

    /// The options of our own client.
    const OURS: &str = "audio=false tunnel_forward=true control=false";

    fn asked(words: &str, own: Option<ServerVersion>) -> Result<Server, String> {
        Server::of(&words.split_whitespace().collect::<Vec<_>>(), own)
    }

    #[test]
    fn a_client_says_what_it_wants() {
        let words = format!("3.3.4 scid=0123ABCD log_level=info max_size=1280 max_fps=30 {OURS}");
        let expected = Server {
            version: ServerVersion::from_name("3.3.4").unwrap(),
            socket: "scrcpy_0123abcd".to_owned(),
            max_size: 1280,
            every: Duration::from_millis(33),
        };
        assert_eq!(asked(&words, None).unwrap(), expected);
        let plain = asked(&format!("2.1 {OURS}"), None).unwrap();
        assert!(plain.socket == "scrcpy" && plain.every == QUICKEST);
    }

    #[test]
    fn what_cannot_be_is_refused_in_words_that_clients_know() {
        let refused = |words: &str| asked(words, None).unwrap_err();
        let told = ServerVersion::from_refusal(&refused("1.25")).unwrap().unwrap();
        assert_eq!(Some(told), supported_versions().last());
        let own = ServerVersion::from_name("3.1").unwrap();
        let other = asked("3.2", Some(own)).unwrap_err();
        assert_eq!(ServerVersion::from_refusal(&other), Some(Ok(own)));
        assert!(asked(&format!("3.1 {OURS}"), Some(own)).is_ok());
        assert!(refused("4.0 audio=false tunnel_forward=true").contains("control=false"));
        assert!(refused("").contains("Missing client version"));
    }

    #[test]
    fn a_name_ends_with_a_zero() {
        assert_eq!(name("Phone")[..6], *b"Phone\0");
        assert_eq!(name(&"x".repeat(100))[62..], *b"x\0");
    }

    #[test]
    fn a_server_takes_one_stream() {
        let mut servers = Servers::default();
        let (streams, _kept) = bounded(1);
        assert!(servers.listen("scrcpy_1", streams));
        assert!(servers.accept("scrcpy_1").is_none() && servers.accept("localabstract:scrcpy_2").is_none());
        assert!(servers.accept("localabstract:scrcpy_1").is_some());
        assert!(servers.accept("localabstract:scrcpy_1").is_none());
        servers.end("scrcpy_1");
        assert!(servers.accept("localabstract:scrcpy_1").is_none());
    }
}
