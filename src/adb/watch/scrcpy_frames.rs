//! A running scrcpy server on a device: started from the user's installation, its frames read and decoded. Only with
//! the feature `scrcpy`. How the frames are used is decided in `scrcpy_pictures`.

use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;

use crate::host::{AdbError, AdbLink, AdbProgram, AdbStream, Patience, Refusal};
use crate::scrcpy::{
    Blocks, DecodeError, Decoder, Glance, Installation, InstallationError, Scid, ScrcpyError, SearchPlaces,
    ServerOptions, VideoEvent, VideoOpening, VideoPacket, VideoReader, arguments, find_installation,
    jar_path,
};
use taproof_screen::format::{ScrcpyVersionError, ServerVersion, supported_versions};

/// Limit until the first frame. A slow device needs some seconds.
const START: Duration = Duration::from_secs(20);
/// Limit for the user's program to print its version.
const VERSION: Duration = Duration::from_secs(5);
/// How often to try to reach a server that is starting.
const EVERY: Duration = Duration::from_millis(50);
/// How long to wait for the last output of a server.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// Limit on the retained output of the server, in bytes.
const PRINTED: usize = 4096;
/// Limit on the frames that one call catches up with, so that the caller can do other things.
const MOST_AT_ONCE: u32 = 64;
/// The server only observes: a screen that is off stays off.
const OPTIONS: ServerOptions = ServerOptions {
    max_size_px: 1280,
    max_fps: 30,
    video_bit_rate: 4_000_000,
    control: false,
    tunnel_forward: true,
    power_on: false,
    cleanup: true,
};

/// Why scrcpy yields no frames.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FramesError {
    /// There is no usable installation.
    #[error("{0}")]
    Installation(#[from] InstallationError),
    /// The version is unknown or not supported.
    #[error("{0}")]
    Version(#[from] ScrcpyVersionError),
    /// The server's file cannot be read.
    #[error("scrcpy's server {} cannot be read: {problem}", .path.display())]
    Unreadable {
        /// The server's file in the user's installation.
        path: PathBuf,
        /// The operating system's message.
        problem: String,
    },
    /// The device or the adb server failed.
    #[error("{0}")]
    Adb(#[from] AdbError),
    /// The server ended, or sends no frames.
    #[error("the scrcpy server {version} {what}; it said {printed:?}")]
    NoServer {
        /// The version as which it was started.
        version: ServerVersion,
        /// What the server failed to do.
        what: &'static str,
        /// The end of what it printed.
        printed: String,
    },
    /// The communication with the server failed.
    #[error("{problem}; it said {printed:?}")]
    Scrcpy {
        /// How the communication failed.
        problem: ScrcpyError,
        /// The end of what the server printed.
        printed: String,
    },
    /// A frame could not be decoded.
    #[error("{0}")]
    Decode(#[from] DecodeError),
    /// The operating system refused a setting of the connection.
    #[error("the connection to the scrcpy server cannot be used: {0}")]
    Socket(#[from] std::io::Error),
}

/// The frames since the last call.
pub(crate) struct Frames {
    /// The newest frame, if any arrived.
    pub newest: Option<Glance>,
    /// The number of frames that arrived, including those that were skipped.
    pub count: u32,
}

/// A server that yields frames. Dropping it closes its streams, which ends the server.
pub(crate) struct ScrcpyFrames {
    version: ServerVersion,
    /// The shell that runs the server; closing it would end the server.
    shell: AdbStream,
    /// The socket that `video` reads, for setting its timeouts.
    socket: TcpStream,
    video: VideoReader<TcpStream>,
    decoder: Decoder,
}

impl ScrcpyFrames {
    /// Starts the server of the user's installation and waits for its first frame, of which it returns the blocks.
    pub fn start(
        link: &AdbLink,
        places: &SearchPlaces,
        scid: Scid,
        unwanted: &dyn Fn() -> bool,
    ) -> Result<(Self, Blocks), FramesError> {
        let installation = find_installation(places)?;
        let jar = std::fs::read(&installation.server).map_err(|error| FramesError::Unreadable {
            path: installation.server.clone(),
            problem: error.to_string(),
        })?;
        let version = version_of(&installation, unwanted)?;
        let begin = |version| Self::begin(link, &jar, version, scid, &Patience::new(START, unwanted));
        match begin(version) {
            Err(FramesError::NoServer { printed, version, what }) => {
                // If the server's version differs from that of its program or file name, it prints its own.
                match ServerVersion::from_refusal(&printed) {
                    Some(other) => begin(other?),
                    None => Err(FramesError::NoServer { printed, version, what }),
                }
            }
            begun => begun,
        }
    }

    fn begin(
        link: &AdbLink,
        jar: &[u8],
        version: ServerVersion,
        scid: Scid,
        patience: &Patience<'_>,
    ) -> Result<(Self, Blocks), FramesError> {
        link.push(jar, &jar_path(version, scid), 0o644, 0, patience)?;
        let line = arguments(version, scid, OPTIONS);
        let mut shell = link.open(&format!("shell:{line}"), patience)?;
        let socket = reach(link, version, scid, &mut shell, patience)?.into_socket()?;
        socket.set_read_timeout(Some(EVERY))?;
        let video = VideoReader::new(socket.try_clone()?, version, VideoOpening::Forward);
        let mut frames = ScrcpyFrames { version, shell, socket, video, decoder: Decoder::new() };
        loop {
            if let Some(Glance { blocks, .. }) = frames.newest(EVERY, |_| false)?.newest {
                return Ok((frames, blocks));
            }
            if patience.left().is_zero() {
                return Err(no_server(version, "shows nothing", &mut frames.shell));
            }
        }
    }

    /// Waits up to `wait` for a frame and catches up with those after it. The newest one is converted to a picture only
    /// if `wanted` returns true.
    pub fn newest(
        &mut self,
        wait: Duration,
        wanted: impl FnOnce(&Blocks) -> bool,
    ) -> Result<Frames, FramesError> {
        // A timeout of zero is not allowed.
        self.socket.set_read_timeout(Some(wait.max(Duration::from_millis(1))))?;
        let Some(first) = self.packet()? else { return Ok(Frames { newest: None, count: 0 }) };
        self.socket.set_nonblocking(true)?;
        let (newest, count) = self.catch_up(first)?;
        self.socket.set_nonblocking(false)?;
        Ok(Frames { newest: self.decoder.glance(&newest, wanted)?, count })
    }

    fn catch_up(&mut self, first: VideoPacket) -> Result<(VideoPacket, u32), FramesError> {
        let (mut newest, mut count) = (first, 1);
        while count < MOST_AT_ONCE
            && let Some(newer) = self.packet()?
        {
            self.decoder.pass_over(&newest)?;
            (newest, count) = (newer, count + 1);
        }
        Ok((newest, count))
    }

    fn packet(&mut self) -> Result<Option<VideoPacket>, FramesError> {
        // Only few events are not frames.
        for _ in 0..MOST_AT_ONCE {
            match self.video.next_event() {
                Ok(Some(VideoEvent::Packet(packet))) => return Ok(Some(packet)),
                Ok(Some(_)) => {}
                Ok(None) => return Ok(None),
                Err(problem) => {
                    let printed = last_words(&mut self.shell);
                    return Err(FramesError::Scrcpy { problem, printed });
                }
            }
        }
        Err(no_server(self.version, "sends no frames among its messages", &mut self.shell))
    }
}

/// The version of the server, from its file name or the program next to it. If neither is available, the newest
/// supported version: a server with another version prints its own.
fn version_of(
    installation: &Installation,
    unwanted: &dyn Fn() -> bool,
) -> Result<ServerVersion, FramesError> {
    if let Some(version) = installation.version_in_name() {
        return Ok(version?);
    }
    match &installation.program {
        Some(program) => {
            let program = AdbProgram { path: program.clone(), variables: Vec::new() };
            let printed = program.run(&["--version"], &Patience::new(VERSION, unwanted))?;
            Ok(ServerVersion::from_program_output(&printed)?)
        }
        None => supported_versions()
            .last()
            .ok_or(FramesError::Version(ScrcpyVersionError::Missing { printed: String::new() })),
    }
}

/// Connects to the server once it listens.
fn reach(
    link: &AdbLink,
    version: ServerVersion,
    scid: Scid,
    shell: &mut AdbStream,
    patience: &Patience<'_>,
) -> Result<AdbStream, FramesError> {
    let service = format!("localabstract:{}", scid.socket_name());
    let mut printed = Vec::new();
    loop {
        match link.open(&service, patience) {
            Ok(stream) => return Ok(stream),
            Err(AdbError::Refused { reason: Refusal::Closed, .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let mut piece = [0; 1024];
        let what = match shell.read_some(&mut piece, &patience.within(EVERY)) {
            Ok(0) => "did not start",
            Ok(count) => {
                keep(&mut printed, piece.get(..count).unwrap_or_default());
                continue;
            }
            Err(AdbError::Deadline { .. }) if patience.left().is_zero() => "does not listen",
            Err(AdbError::Deadline { .. }) => continue,
            Err(error) => return Err(error.into()),
        };
        return Err(FramesError::NoServer { version, what, printed: text(&printed) });
    }
}

fn no_server(version: ServerVersion, what: &'static str, shell: &mut AdbStream) -> FramesError {
    FramesError::NoServer { version, what, printed: last_words(shell) }
}

/// The output of a server that was not read yet.
fn last_words(shell: &mut AdbStream) -> String {
    let patience = Patience::new(LAST_WORDS, &|| false);
    let (mut printed, mut piece) = (Vec::new(), [0; 1024]);
    while let Ok(count @ 1..) = shell.read_some(&mut piece, &patience) {
        keep(&mut printed, piece.get(..count).unwrap_or_default());
    }
    text(&printed)
}

/// Appends the output and drops all but its end.
fn keep(printed: &mut Vec<u8>, piece: &[u8]) {
    printed.extend_from_slice(piece);
    printed.drain(..printed.len().saturating_sub(PRINTED));
}

fn text(printed: &[u8]) -> String {
    String::from_utf8_lossy(printed).trim().to_owned()
}
