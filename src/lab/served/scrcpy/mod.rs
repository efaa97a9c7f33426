//! The scrcpy server of a served device, for scrcpy clients of all supported versions. Only with the feature `scrcpy`.
//!
//! `app_process` runs it on the thread of its shell. It connects to the client through `adb reverse`, or listens in the
//! abstract namespace for the streams that its client opens (`tunnel_forward`). It sends the screen on the first one (`video`) and handles control messages from the
//! last one (`control`). It observes the device like any other user: the device's clock advances only by input.

mod control;
mod lists;
pub mod servers;
mod video;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};

use super::Served;
use super::wire::DeviceStream;
pub use control::obey_bytes;
use control::{Answers, Hand};
pub(super) use lists::lists;
#[cfg(test)]
use servers::Servers;
use taproof_core::format::{ServerVersion, supported_versions};
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
    /// Whether the client connects to the socket. Otherwise the device connects to the client.
    forward: bool,
    video: bool,
    audio: bool,
    control: bool,
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
        let is = |key: &str, default: bool| options.get(key).map_or(default, |value| *value == "true");
        let number = |key: &str| options.get(key).and_then(|value| value.parse::<u32>().ok()).unwrap_or(0);
        if options.get("video_codec").is_some_and(|codec| *codec != "h264") {
            return Err("[server] ERROR: This device encodes h264 only".to_owned());
        }
        let socket = match options.get("scid") {
            Some(scid) => format!("scrcpy_{:0>8}", scid.to_ascii_lowercase()),
            None => "scrcpy".to_owned(),
        };
        let every = 1000u64.checked_div(u64::from(number("max_fps"))).map_or(QUICKEST, Duration::from_millis);
        Ok(Server {
            version,
            socket,
            forward: is("tunnel_forward", false),
            video: is("video", true),
            audio: is("audio", true),
            control: is("control", true),
            max_size: number("max_size"),
            every: every.max(QUICKEST),
        })
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
        let count = [self.video, self.audio, self.control].iter().filter(|wanted| **wanted).count();
        // Where the device connects, nobody else does: the socket only ends the server when somebody stops it.
        let expected = if self.forward { count } else { 0 };
        let (sender, streams) = bounded(count.max(1));
        if !served.lock().scrcpy.listen(&self.socket, sender, expected) {
            return Err("java.io.IOException: Address already in use".to_owned());
        }
        let served_all = self.serve(served, &streams, wanted);
        served.lock().scrcpy.end(&self.socket);
        served_all.map_err(|error| format!("[server] ERROR: {error}"))
    }

    fn serve(
        &self,
        served: &Served,
        streams: &Receiver<DeviceStream>,
        wanted: &dyn Fn() -> bool,
    ) -> io::Result<()> {
        let mut greeted = false;
        let endpoint = format!("localabstract:{}", self.socket);
        let mut next = |wish: bool| -> io::Result<Option<DeviceStream>> {
            if !wish {
                return Ok(None);
            }
            let mut stream = match self.forward {
                true => accept(streams, wanted)?,
                false => served.dial(&endpoint).ok_or(io::ErrorKind::ConnectionRefused)?,
            };
            // A byte on the first stream shows a client that connected that the server is running.
            if !std::mem::replace(&mut greeted, true) && self.forward {
                stream.write_all(&[0])?;
                stream.flush()?;
            }
            Ok(Some(stream))
        };
        let (mut video, mut audio, mut control) = (next(self.video)?, next(self.audio)?, next(self.control)?);
        if let Some(first) = video.as_mut().or(audio.as_mut()).or(control.as_mut()) {
            first.write_all(&name(&served.lock().device.info().model))?;
            first.flush()?;
        }
        if let Some(audio) = &mut audio {
            // The device has no sound: the client continues without.
            audio.write_all(&[0; 4])?;
            audio.flush()?;
        }
        let (reader, answers) = match control {
            Some(control) => {
                let (reader, writer) = control.split();
                (Some(reader), Answers::new(writer))
            }
            None => (None, Answers::none()),
        };
        let hand = Hand { served, answers, film: Mutex::default(), anew: AtomicBool::new(false) };
        std::thread::scope(|scope| {
            if let Some(reader) = reader {
                let named = std::thread::Builder::new().name("scrcpy-control".to_owned());
                named.spawn_scoped(scope, || hand.obey(reader))?;
            }
            let filmed = self.film(&hand, video, streams, wanted);
            // Wakes the reading thread.
            let closed = hand.answers.close();
            filmed.and(closed)
        })
    }

    /// Sends video until the client leaves or the server is stopped.
    fn film(
        &self,
        hand: &Hand<'_>,
        video: Option<DeviceStream>,
        streams: &Receiver<DeviceStream>,
        wanted: &dyn Fn() -> bool,
    ) -> io::Result<()> {
        let mut camera = match video {
            Some(mut stream) => {
                stream.set_deadline(STALLED);
                Some(Camera::begin(self.version, self.max_size, self.every, stream.split().1)?)
            }
            None => None,
        };
        loop {
            if let Some(camera) = &mut camera {
                camera.look(hand)?;
            }
            match streams.recv_timeout(self.every) {
                Err(RecvTimeoutError::Timeout) if wanted() => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(()),
                Ok(surplus) => drop(surplus),
            }
        }
    }
}

/// Waits for the next stream of the client.
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
    use super::*;

    #[test]
    fn a_client_says_what_it_wants() {
        let words = "3.3.4 scid=0123ABCD log_level=info audio=false max_size=1280 max_fps=30 \
                     tunnel_forward=true control=false";
        let server = Server::of(&words.split_whitespace().collect::<Vec<_>>(), None).unwrap();
        let expected = Server {
            version: ServerVersion::from_name("3.3.4").unwrap(),
            socket: "scrcpy_0123abcd".to_owned(),
            forward: true,
            video: true,
            audio: false,
            control: false,
            max_size: 1280,
            every: Duration::from_millis(33),
        };
        assert_eq!(server, expected);
        let plain = Server::of(&["2.1", "tunnel_forward=true"], None).unwrap();
        assert!(plain.audio && plain.control && plain.socket == "scrcpy" && plain.every == QUICKEST);
    }

    #[test]
    fn what_cannot_be_is_refused_in_words_that_clients_know() {
        let refused = |words: &[&str]| Server::of(words, None).unwrap_err();
        let other = refused(&["1.25", "tunnel_forward=true"]);
        let told = ServerVersion::from_refusal(&other).unwrap().unwrap();
        assert_eq!(Some(told), supported_versions().last());
        let own = ServerVersion::from_name("3.1").unwrap();
        let other = Server::of(&["3.2", "tunnel_forward=true"], Some(own)).unwrap_err();
        assert_eq!(ServerVersion::from_refusal(&other), Some(Ok(own)));
        assert!(Server::of(&["3.1", "tunnel_forward=true"], Some(own)).is_ok());
        assert!(refused(&["4.0", "tunnel_forward=true", "video_codec=av1"]).contains("h264"));
        assert!(refused(&[]).contains("Missing client version"));
    }

    #[test]
    fn a_name_ends_with_a_zero() {
        assert_eq!(name("Phone")[..6], *b"Phone\0");
        assert_eq!(name(&"x".repeat(100))[62..], *b"x\0");
    }

    #[test]
    fn a_server_takes_as_many_streams_as_it_wants() {
        let mut servers = Servers::default();
        let (streams, _kept) = bounded(1);
        assert!(servers.listen("scrcpy_1", streams, 1));
        assert!(servers.accept("scrcpy_1").is_none() && servers.accept("localabstract:scrcpy_2").is_none());
        assert!(servers.accept("localabstract:scrcpy_1").is_some());
        assert!(servers.accept("localabstract:scrcpy_1").is_none());
        servers.end("scrcpy_1");
        assert!(servers.accept("localabstract:scrcpy_1").is_none());
    }
}
