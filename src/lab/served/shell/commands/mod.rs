//! The commands, one file per family. Each is a function of its [`Call`]; `table` assigns the names.

pub(super) mod activity;
pub(super) mod app_process;
pub(super) mod broadcast;
pub(super) mod dumpsys;
pub(super) mod install;
mod intent;
mod log_options;
pub(super) mod logcat;
pub(super) mod package;
pub(super) mod processes;
pub(super) mod screen;
pub(super) mod services;
pub(super) mod settings;
pub(super) mod system;
pub(super) mod tools;

use std::sync::Arc;

use super::call::{Call, Done};
use super::io::{Stop, read_all};

impl<'c> Call<'c, '_> {
    /// The content of a file, or standard input for `-`. If the file cannot be read, prints a message and returns
    /// `None`.
    fn input(&self, path: &str) -> Result<Option<Arc<Vec<u8>>>, Stop> {
        if path == "-" {
            return read_all(self.io.input, &self.shell.memory).map(Some);
        }
        let read = self.state().read_file(&self.path(path));
        match read {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) => {
                let prefix = if self.old() { String::new() } else { format!("{}: ", self.name) };
                self.complain(&format!("{prefix}{path}: {error}"))?;
                Ok(None)
            }
        }
    }
}
