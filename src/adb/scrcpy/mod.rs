//! scrcpy: which server the user has, the line that starts it, its video, and (with the feature `scrcpy`)
//! the decoder of its pictures.
//!
//! Works on streams that the caller has opened and given timeouts; a read that meets its timeout loses nothing and is
//! taken up by the next call. Never opens a connection, never runs a program, never knows adb. The order of a start:
//! 1. `find_installation`, then `ServerVersion::from_program_output` with what `scrcpy --version` printed;
//! 2. push the server to `jar_path` and run the line that `arguments` made; its stream is the server's life;
//! 3. open the stream to `localabstract:` + `Scid::socket_name`: the video, read by a `VideoReader`.
//!
//! Events go to the phone by adb, as they do without scrcpy, so no stream for control is opened.

mod arguments;
#[cfg(feature = "scrcpy")]
mod blocks;
#[cfg(feature = "scrcpy")]
mod decoder;
mod installation;
mod received;
#[cfg(test)]
mod scripted;
mod sequence;
mod video;

pub use arguments::{Scid, ServerOptions, arguments, jar_path};
#[cfg(feature = "scrcpy")]
pub use blocks::Blocks;
#[cfg(feature = "scrcpy")]
pub use decoder::{DecodeError, Decoder, Glance, Picture};
pub use installation::{Installation, InstallationError, SearchPlaces, find_installation};
pub use video::{PacketKind, VideoEvent, VideoOpening, VideoPacket, VideoReader};

/// A conversation with a scrcpy server failed. After any of these the stream is of no use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScrcpyError {
    /// The stream failed.
    #[error("the connection to the scrcpy server failed while {doing}: {problem}; start it again")]
    Io {
        /// What was being read or written.
        doing: &'static str,
        /// The kind of the failure.
        kind: std::io::ErrorKind,
        /// What the system says.
        problem: String,
    },
    /// The other side closed the stream.
    #[error(
        "the scrcpy server closed the connection while {doing}; what it printed says why, then start it again"
    )]
    Ended {
        /// What was being read.
        doing: &'static str,
    },
    /// Something else came than the protocol has.
    #[error(
        "the scrcpy server sent {found} where {expected} was expected; is it the version it was started as?"
    )]
    Unexpected {
        /// What should have come.
        expected: &'static str,
        /// What came.
        found: String,
    },
    /// The server says that there is no video.
    #[error("the scrcpy server sends no video: {problem}; try a smaller picture or another source of frames")]
    NoVideo {
        /// Why.
        problem: &'static str,
    },
}

impl ScrcpyError {
    fn io(doing: &'static str, error: &std::io::Error) -> Self {
        ScrcpyError::Io { doing, kind: error.kind(), problem: error.to_string() }
    }
}
