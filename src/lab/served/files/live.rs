//! The files of a device as its users see them: the tree, and files whose content Android generates when they are read.

use std::sync::Arc;

use super::path::{absolute, join, parent_of};
use super::tree::Node;
use super::{FileError, Stat};
use crate::served::{Served, State};
use crate::system::processes::Process;
use taproof_engine::device::AppId;

/// A file or folder whose content is generated when it is read.
enum Live {
    Folder(Vec<String>),
    File(Vec<u8>),
}

/// Device files that discard everything written to them.
const NULL: [&str; 2] = ["/dev/null", "/dev/tty"];

impl State {
    /// Returns the metadata of a file.
    pub(crate) fn stat_file(&mut self, path: &str) -> Result<Stat, FileError> {
        let place = self.files.resolve(path)?;
        let boot = self.files.node("/")?.mtime;
        match self.live(&place) {
            Some(Live::File(bytes)) => Ok(Stat::file(0o644, bytes.len() as u64, boot)),
            Some(Live::Folder(_)) => Ok(Stat::folder(0o755, boot)),
            None => self.files.node(&place).map(Node::stat),
        }
    }

    /// Lists the names in a folder, sorted, with the metadata of each.
    pub(crate) fn list_folder(&mut self, path: &str) -> Result<Vec<(String, Stat)>, FileError> {
        let place = self.files.resolve(path)?;
        let names = match self.live(&place) {
            Some(Live::Folder(names)) => names,
            Some(Live::File(_)) => return Err(FileError::NotFolder),
            None => self.files.list(&place)?,
        };
        let stats = names.into_iter().filter_map(|name| {
            let stat = self.stat_file(&join(&place, &name)).ok()?;
            Some((name, stat))
        });
        Ok(stats.collect())
    }

    /// Returns the content of a file.
    pub fn read_file(&mut self, path: &str) -> Result<Arc<Vec<u8>>, FileError> {
        let place = self.files.resolve(path)?;
        match self.live(&place) {
            Some(Live::File(bytes)) => Ok(Arc::new(bytes)),
            Some(Live::Folder(_)) => Err(FileError::Folder),
            None => self.files.read(&place),
        }
    }

    /// Creates or overwrites a file. Without `mtime` its modification time is the device's current time.
    pub(crate) fn write_file(
        &mut self,
        path: &str,
        bytes: Vec<u8>,
        mode: Option<u32>,
        mtime: Option<u64>,
    ) -> Result<(), FileError> {
        let mtime = mtime.unwrap_or_else(|| self.epoch_seconds());
        if self.swallows(path)? { Ok(()) } else { self.files.write(path, bytes, mode, mtime) }
    }

    /// Appends to a file.
    pub(crate) fn append_file(&mut self, path: &str, bytes: &[u8]) -> Result<(), FileError> {
        let now = self.epoch_seconds();
        if self.swallows(path)? { Ok(()) } else { self.files.append(path, bytes, now) }
    }

    fn swallows(&mut self, path: &str) -> Result<bool, FileError> {
        let place = self.files.resolve(path)?;
        let discards = NULL.contains(&place.as_str());
        if !discards && self.live(&place).is_some() { Err(FileError::Denied) } else { Ok(discards) }
    }

    fn live(&mut self, place: &str) -> Option<Live> {
        let parts: Vec<&str> = place.split('/').skip(1).collect();
        let text = match *parts {
            ["dev", "null" | "tty"] => String::new(),
            ["proc"] => {
                let pids = self.processes().into_iter().map(|process| process.pid.to_string());
                let mut names: Vec<String> =
                    pids.chain(["uptime".to_owned(), "version".to_owned()]).collect();
                names.sort();
                return Some(Live::Folder(names));
            }
            ["proc", "uptime"] => {
                let (seconds, hundredths) = (self.uptime_millis() / 1000, self.uptime_millis() % 1000 / 10);
                format!("{seconds}.{hundredths:02} {seconds}.{hundredths:02}\n")
            }
            ["proc", "version"] => {
                "Linux version 5.15.41-taproof (build@taproof) #1 SMP PREEMPT\n".to_owned()
            }
            ["proc", "net"] => return Some(Live::Folder(vec!["unix".to_owned()])),
            ["proc", "net", "unix"] => self.unix_sockets(),
            ["proc", pid] => {
                self.process(pid)?;
                return Some(Live::Folder(vec!["cmdline".to_owned()]));
            }
            ["proc", pid, "cmdline"] => {
                self.process(pid)?.arguments.iter().map(|word| format!("{word}\0")).collect()
            }
            // The APK of an app, at the path that `pm path` prints.
            ["data", "app", _, ..] => {
                let package = self.packages().into_iter().find(|package| package.apk == place)?;
                // The helper apps that tools expect have no code here.
                return Some(Live::File(self.apk(&AppId(package.name)).unwrap_or_default()));
            }
            _ => return None,
        };
        Some(Live::File(text.into_bytes()))
    }

    fn process(&mut self, pid: &str) -> Option<Process> {
        let pid: u32 = pid.parse().ok()?;
        self.processes().into_iter().find(|process| process.pid == pid)
    }
}

impl Served {
    /// Returns the metadata of the file that a path leads to, as `stat`.
    pub fn stat(&self, path: &str) -> Result<Stat, FileError> {
        self.lock().stat_file(path)
    }

    /// Lists the names in a folder, sorted, with the metadata of each.
    pub fn list(&self, path: &str) -> Result<Vec<(String, Stat)>, FileError> {
        self.lock().list_folder(path)
    }

    /// Returns the content of a file.
    pub fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, FileError> {
        self.lock().read_file(path)
    }

    /// Writes a file with these permission bits and this modification time in seconds since 1970. Missing parent
    /// folders are created.
    pub fn write(&self, path: &str, mode: u32, mtime: u64, bytes: Vec<u8>) -> Result<(), FileError> {
        let path = absolute("/", path);
        let mut state = self.lock();
        if state.files.node(parent_of(&path)).is_err() {
            let now = state.epoch_seconds();
            state.files.make_folder(parent_of(&path), true, now)?;
        }
        state.write_file(&path, bytes, Some(mode & 0o777), Some(mtime))
    }
}
