//! What was asked of devices and what they answered, for a report of a device that is not handled right.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::{AdbError, ShellOutput};
use taproof_screen::words;

words! {
    /// By what a device was asked.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum AskedBy {
        /// A line of its shell.
        Shell = "shell",
        /// A line whose output comes byte for byte.
        Exec = "exec",
        /// A service of the device.
        Service = "service",
        /// A program on the device that stays, by its own protocol.
        Program = "program",
    }
    /// The name in a report.
    pub fn word;
}

/// A question to a device, and its answer as it came.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// By what it was asked.
    pub by: AskedBy,
    /// The line, the name of the service, or the request in words.
    pub question: String,
    /// How long the answer took.
    pub took: Duration,
    /// What came, or why nothing did.
    pub answer: Result<ShellOutput, AdbError>,
}

/// Where a server's links record what passes them, from the first question on. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Recording(Arc<Mutex<Vec<Exchange>>>);

impl PartialEq for Recording {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Recording {}

impl Recording {
    /// Adds an exchange.
    pub(crate) fn add(&self, exchange: Exchange) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(exchange);
    }

    /// Takes what was recorded so far.
    pub fn take(&self) -> Vec<Exchange> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ShellOutput {
    /// The output of something that is no command.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        ShellOutput { stdout: bytes.to_vec(), stderr: Vec::new(), code: None }
    }
}
