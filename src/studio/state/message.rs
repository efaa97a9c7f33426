//! Messages: one of the status line, and the list of all.

use std::collections::VecDeque;
use std::path::PathBuf;

/// A message for the status line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What happened, to what, and what to do about it.
    pub text: String,
    /// The kind of message.
    pub kind: News,
    /// The file that was written, which can be opened from the message.
    pub file: Option<PathBuf>,
}

impl Message {
    /// A message without a file.
    pub fn new(kind: News, text: impl Into<String>) -> Self {
        Message { text: text.into(), kind, file: None }
    }
}

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// An operation was completed.
    Done,
    /// A bug was found.
    Found,
    /// An operation failed.
    Failed,
}

/// Number of messages that are kept.
pub(crate) const KEPT: usize = 200;

/// The messages of this session.
#[derive(Clone, Debug, Default)]
pub struct MessageLog {
    pub(crate) list: VecDeque<LoggedMessage>,
    /// Number of messages so far that were shown in the status line.
    pub(crate) count: u64,
    /// The number of the one that is shown there when it was first seen, and the time of the window's clock then.
    pub(crate) shown: Option<(u64, f64)>,
    /// The latest problem of the phone, which is shown without being sent as a message.
    pub(crate) problem: Option<String>,
}

/// A message in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedMessage {
    /// The message.
    pub message: Message,
    /// When it came, in seconds of the window's clock. `None` in the frame in which it came.
    pub at: Option<f64>,
    /// How often it came without another one between.
    pub times: usize,
}

impl MessageLog {
    /// The messages, the newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &LoggedMessage> {
        self.list.iter().rev()
    }

    /// Adds a message. `shown`: whether it replaces the one in the status line.
    pub fn add(&mut self, message: Message, shown: bool) {
        self.count += u64::from(shown);
        if let Some(last) = self.list.back_mut().filter(|last| last.message == message) {
            (last.times, last.at) = (last.times + 1, None);
            return;
        }
        if self.list.len() == KEPT {
            self.list.pop_front();
        }
        self.list.push_back(LoggedMessage { message, at: None, times: 1 });
    }
}
