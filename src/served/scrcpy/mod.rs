//! The scrcpy server of a served device, for scrcpy clients of every version that is spoken here. Only with the feature
//! `scrcpy`.
//!
//! `app_process` runs it on the thread of its shell. It listens in the abstract namespace for the streams that its
//! client opens (`tunnel_forward`), films the screen on the first (`video`) and obeys what comes on the last
//! (`control`). It looks at the device like everybody else: the device's clock moves by input alone.

mod control;
mod video;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::Served;
use super::wire::DeviceStream;
pub use control::obey_bytes;
use control::{Answers, Hand};
use taproof_core::format::{ServerVersion, supported_versions};
use video::Camera;

/// The class that clients start.
pub const CLASS: &str = "com.genymobile.scrcpy.Server";

/// How often somebody who waits looks whether it is still wanted.
const GLANCE: Duration = Duration::from_millis(50);
/// The screen is not looked at more often.
const QUICKEST: Duration = Duration::from_millis(20);
/// A host that does not take a frame for so long is gone.
const STALLED: Duration = Duration::from_secs(30);
const NAME_BYTES: usize = 64;

/// The servers that run, by the names of their sockets.
#[derive(Default)]
pub struct Servers(BTreeMap<String, Listening>);

struct Listening {
    streams: Sender<DeviceStream>,
    /// How many more streams it takes.
    free: usize,
}

impl Servers {
    /// Whether one runs.
    pub fn run(&self) -> bool {
        !self.0.is_empty()
    }

    /// Ends all of them.
    pub fn stop(&mut self) {
        self.0.clear();
    }

    /// Where a stream to that socket goes, if a server still waits for one there.
    pub fn accept(&mut self, socket: &str) -> Option<Sender<DeviceStream>> {
        let listening = self.0.get_mut(socket.strip_prefix("localabstract:")?)?;
        listening.free = listening.free.checked_sub(1)?;
        Some(listening.streams.clone())
    }
}

/// What a client wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Server {
    version: ServerVersion,
    socket: String,
    video: bool,
    audio: bool,
    control: bool,
    max_size: u32,
    every: Duration,
}

impl Server {
    /// Reads the words behind the class. A server is of the version that its client wants, or of its `own` alone. The error
    /// is what it says before it ends.
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
        if !is("tunnel_forward", false) {
            return Err("[server] ERROR: This device cannot connect to the client: start scrcpy with \
                 --force-adb-forward"
                .to_owned());
        }
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
            video: is("video", true),
            audio: is("audio", true),
            control: is("control", true),
            max_size: number("max_size"),
            every: every.max(QUICKEST),
        })
    }

    /// What it says at its start.
    pub fn greeting(served: &Served) -> String {
        let state = served.lock();
        let model = state.device.info().model.clone();
        format!("[server] INFO: Device: [Taproof] Taproof {model} (Android sdk {})", state.sdk())
    }

    /// Works until the client leaves, somebody ends it, or `wanted` says that nobody holds its shell any more. The error is
    /// what it says then.
    pub fn run(&self, served: &Served, wanted: &dyn Fn() -> bool) -> Result<(), String> {
        let count = [self.video, self.audio, self.control].iter().filter(|wanted| **wanted).count();
        let (sender, streams) = bounded(count.max(1));
        {
            let mut state = served.lock();
            if state.scrcpy.0.contains_key(&self.socket) {
                return Err("java.io.IOException: Address already in use".to_owned());
            }
            let listening = Listening { streams: sender, free: count };
            state.scrcpy.0.insert(self.socket.clone(), listening);
        }
        let served_all = self.serve(served, &streams, wanted);
        served.lock().scrcpy.0.remove(&self.socket);
        served_all.map_err(|error| format!("[server] ERROR: {error}"))
    }

    fn serve(
        &self,
        served: &Served,
        streams: &Receiver<DeviceStream>,
        wanted: &dyn Fn() -> bool,
    ) -> io::Result<()> {
        let mut greeted = false;
        let mut next = |wish: bool| -> io::Result<Option<DeviceStream>> {
            if !wish {
                return Ok(None);
            }
            let mut stream = accept(streams, wanted)?;
            // The first one tells that the server is there.
            if !std::mem::replace(&mut greeted, true) {
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
            // It has no sound: the client goes on without.
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
            // Wakes the thread that reads.
            let closed = hand.answers.close();
            filmed.and(closed)
        })
    }

    /// Films until the client leaves or the server is ended.
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
        assert!(refused(&["4.0"]).contains("--force-adb-forward"));
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
        servers.0.insert("scrcpy_1".to_owned(), Listening { streams, free: 1 });
        assert!(servers.accept("scrcpy_1").is_none() && servers.accept("localabstract:scrcpy_2").is_none());
        assert!(servers.accept("localabstract:scrcpy_1").is_some());
        assert!(servers.accept("localabstract:scrcpy_1").is_none());
        servers.stop();
        assert!(!servers.run());
    }
}
