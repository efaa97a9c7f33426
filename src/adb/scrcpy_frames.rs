//! A scrcpy server at work on a device: started from the user's installation, its frames read and decoded. Only with the
//! feature `scrcpy`. What the frames are good for is decided elsewhere (`scrcpy_rung`).

use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;

use super::host::{AdbError, AdbLink, AdbProgram, AdbStream, Patience, Refusal};
use super::scrcpy::{
    Blocks, DecodeError, Decoder, Glance, Installation, InstallationError, Scid, ScrcpyError, SearchPlaces,
    ServerOptions, VideoEvent, VideoOpening, VideoPacket, VideoReader, arguments, find_installation,
    jar_path,
};
use taproof_core::format::{ScrcpyVersionError, ServerVersion, supported_versions};

/// A slow device needs some seconds until its first frame.
const START: Duration = Duration::from_secs(20);
/// How long the user's program may take to tell its version.
const VERSION: Duration = Duration::from_secs(5);
/// How often a server that starts is asked whether it is there.
const EVERY: Duration = Duration::from_millis(50);
/// How long the last words of a server are waited for.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// So many bytes of what it prints are kept.
const PRINTED: usize = 4096;
/// So many frames are caught up with at once; then whoever asked has other things to look at.
const MOST_AT_ONCE: u32 = 64;
/// It only looks: the screen stays off if it is off.
const OPTIONS: ServerOptions = ServerOptions {
    max_size_px: 1280,
    max_fps: 30,
    video_bit_rate: 4_000_000,
    control: false,
    tunnel_forward: true,
    power_on: false,
    cleanup: true,
};

/// Why scrcpy gives no frames.
#[derive(Debug, thiserror::Error)]
pub(super) enum FramesError {
    /// There is none that can be used.
    #[error("{0}")]
    Installation(#[from] InstallationError),
    /// Nobody knows its version, or it is one that is not supported.
    #[error("{0}")]
    Version(#[from] ScrcpyVersionError),
    /// Its server cannot be read.
    #[error("scrcpy's server {} cannot be read: {problem}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        problem: String,
    },
    /// The device or the adb server between.
    #[error("{0}")]
    Adb(#[from] AdbError),
    /// The server ended, or shows nothing.
    #[error("the scrcpy server {version} {what}; it said {printed:?}")]
    NoServer {
        /// Its version, as it was started.
        version: ServerVersion,
        /// What it does not do.
        what: &'static str,
        /// The end of what it printed.
        printed: String,
    },
    /// The conversation with it.
    #[error("{problem}; it said {printed:?}")]
    Scrcpy {
        /// What went wrong.
        problem: ScrcpyError,
        /// The end of what it printed.
        printed: String,
    },
    /// A frame.
    #[error("{0}")]
    Decode(#[from] DecodeError),
    /// The connection.
    #[error("the connection to the scrcpy server cannot be used: {0}")]
    Socket(#[from] std::io::Error),
}

/// What came since the last time.
pub(super) struct Frames {
    /// The newest one.
    pub newest: Option<Glance>,
    /// How many.
    pub count: u32,
}

/// A server that gives frames. Dropping it closes its streams, by which it ends.
pub(super) struct ScrcpyFrames {
    version: ServerVersion,
    /// The shell that runs the server: its end would be the server's.
    shell: AdbStream,
    /// The same as the one that `video` reads, for its timeouts.
    socket: TcpStream,
    video: VideoReader<TcpStream>,
    decoder: Decoder,
}

impl ScrcpyFrames {
    /// Starts the server of the user's installation, and waits for its first frame, roughly.
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
                // A server that is another version than its program or its name says tells so.
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

    /// Waits so long for a frame, and catches up with those behind it. The newest is made a picture where that is
    /// `wanted`.
    pub fn newest(
        &mut self,
        wait: Duration,
        wanted: impl FnOnce(&Blocks) -> bool,
    ) -> Result<Frames, FramesError> {
        // A timeout of nothing would be none at all.
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
        // What is no frame comes a few times at most.
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

/// The version of the server: its name says it, or the program beside it. Where nobody knows, the newest one is as good
/// as any: a server that is another one says so.
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

/// What a server has printed and nobody read.
fn last_words(shell: &mut AdbStream) -> String {
    let patience = Patience::new(LAST_WORDS, &|| false);
    let (mut printed, mut piece) = (Vec::new(), [0; 1024]);
    while let Ok(count @ 1..) = shell.read_some(&mut piece, &patience) {
        keep(&mut printed, piece.get(..count).unwrap_or_default());
    }
    text(&printed)
}

/// Keeps the end of what comes.
fn keep(printed: &mut Vec<u8>, piece: &[u8]) {
    printed.extend_from_slice(piece);
    printed.drain(..printed.len().saturating_sub(PRINTED));
}

fn text(printed: &[u8]) -> String {
    String::from_utf8_lossy(printed).trim().to_owned()
}
