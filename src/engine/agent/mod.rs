//! The protocol of the agent, our own small program on a device: its messages, as the adb client writes and reads them.
//!
//! The adb client sends [`Request`]s and reads answers; a device that is served in the laboratory reads requests and writes
//! answers with the same types. The Java sources of the agent itself are in `src/adb/agent/java`, and tests hold both against the same bytes.
//!
//! A stream carries frames ([`FrameHead`]): the length of the body, the number of the request, the CRC-32 of the body,
//! each a `u32`, then the body. All numbers are big-endian, as Java writes them. A body starts with one byte: the kind
//! of the request, or the status of the answer. A text is its length in bytes and UTF-8; the length `0xFFFF_FFFF` means
//! that there is none. The names in a layout (classes, packages, ids) stand in it once and are referred to by number.
//!
//! Every request gets one answer with its number, in order. Neither side believes a length: a frame that is too long, a
//! number that was not asked for and a body that does not end where it should are errors, after which the stream is
//! closed.

mod answer;
mod frame;
mod request;
mod screen;
mod wire;

pub use answer::{Announced, Failure, FailureKind, Hello, PackageEntry, Power, Quiet, Seen, Typed, TypedBy};
pub use frame::{FRAME_HEAD, FrameHead, MOST_ANSWERED};
pub use request::{Action, PictureForm, Request, SettingChange, SettingRequest, Settle, TouchPoint};
pub use screen::read_layout;
pub use wire::{Decoder, Encoder};

/// The version of the protocol. Both sides refuse any other.
pub const PROTOCOL_VERSION: u16 = 1;

/// Why a message cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// The message ends too early.
    #[error("the message ends inside {field}")]
    Cut {
        /// The part of the message that was being read.
        field: &'static str,
    },
    /// A value is not one of those that the protocol knows.
    #[error("{field} is {found}, expected {expected}")]
    Unexpected {
        /// The part of the message that was being read.
        field: &'static str,
        /// What would have been accepted.
        expected: &'static str,
        /// What the message contains.
        found: String,
    },
    /// A length or a count exceeds its limit.
    #[error("{field} has a length of {found}, at most {limit} is accepted")]
    TooLong {
        /// The part of the message that was being read.
        field: &'static str,
        /// The length in the message.
        found: usize,
        /// The largest length that is accepted.
        limit: usize,
    },
    /// The message continues behind its end.
    #[error("{count} bytes follow the end of the message")]
    Surplus {
        /// How many bytes follow.
        count: usize,
    },
    /// The body does not match its checksum.
    #[error("the body does not match its checksum")]
    Corrupted,
}

impl ProtocolError {
    /// The error for a value that is not one of those that the protocol knows.
    pub fn unexpected(
        field: &'static str,
        expected: &'static str,
        found: impl std::fmt::Display,
    ) -> ProtocolError {
        ProtocolError::Unexpected { field, expected, found: found.to_string() }
    }
}
