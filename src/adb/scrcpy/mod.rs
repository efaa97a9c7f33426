//! scrcpy: the user's server and the command line that starts it, its video stream, and the decoder for its frames.
//! Only with the feature `scrcpy`.
//!
//! Works on streams that the caller has opened and given timeouts. A read that times out loses nothing and is continued
//! by the next call. Never opens a connection, runs a program or uses adb. To start a server:
//! 1. Call `find_installation`, then `ServerVersion::from_program_output` with the output of `scrcpy --version`.
//! 2. Push the server to `jar_path` and run the line from `arguments`; the server ends when that line's stream does.
//! 3. Open the stream to `localabstract:` + `Scid::socket_name` and read the video from it by a `VideoReader`.
//!
//! Events are sent to the phone by adb, as without scrcpy, so no control stream is opened.

mod arguments;
mod blocks;
mod decoder;
mod installation;
mod received;
mod sequence;
#[cfg(test)]
mod tests;
mod video;

pub use arguments::{Scid, ServerOptions, arguments, jar_path};
pub use blocks::Blocks;
pub use decoder::{DecodeError, Decoder, Glance, Picture};
pub use installation::{Installation, InstallationError, SearchPlaces, find_installation};
pub use video::{PacketKind, VideoEvent, VideoOpening, VideoPacket, VideoReader};

/// A failure in the communication with a scrcpy server. After any of these the stream is unusable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScrcpyError {
    /// Reading from or writing to the stream failed.
    #[error("the connection to the scrcpy server failed while {doing}: {problem}; start it again")]
    Io {
        /// The part that was being read or written.
        doing: &'static str,
        /// The kind of the I/O error.
        kind: std::io::ErrorKind,
        /// The operating system's message.
        problem: String,
    },
    /// The peer closed the stream.
    #[error(
        "the scrcpy server closed the connection while {doing}; what it printed says why, then start it again"
    )]
    Ended {
        /// The part that was being read.
        doing: &'static str,
    },
    /// The data violates the protocol.
    #[error(
        "the scrcpy server sent {found} where {expected} was expected; is it the version it was started as?"
    )]
    Unexpected {
        /// What the protocol requires here.
        expected: &'static str,
        /// What the server sent instead.
        found: String,
    },
    /// The server reports that there is no video.
    #[error("the scrcpy server sends no video: {problem}; try a smaller picture or another source of frames")]
    NoVideo {
        /// The reason, according to the server's code.
        problem: &'static str,
    },
}

impl ScrcpyError {
    fn io(doing: &'static str, error: &std::io::Error) -> Self {
        ScrcpyError::Io { doing, kind: error.kind(), problem: error.to_string() }
    }
}
