//! The files of a device as its users see them: the tree, and files whose content Android generates when they are read.

use std::sync::Arc;

use super::path::{absolute, join, parent_of};
use super::{FileError, Stat};
use crate::served::{Served, State};
use taproof_core::device::AppId;

/// A file or folder whose content is generated when it is read.
enum Live {
    Folder(Vec<String>),
    File(Vec<u8>),
    /// A device file that discards everything written to it.
    Null,
}

const PROC: [&str; 2] = ["uptime", "version"];

impl State {
    /// Returns the metadata of a file. `follow` decides whether a symbolic link at the end of the path is followed.
    pub(crate) fn stat_file(&mut self, path: &str, follow: bool) -> Result<Stat, FileError> {
        let place = self.files.resolve(path, follow)?;
        let boot = self.files.node("/", true)?.mtime;
        match self.live(&place) {
            Some(Live::File(bytes)) => Ok(Stat::file(0o644, bytes.len() as u64, boot)),
            Some(Live::Null) => Ok(Stat { mode: 0o020_666, size: 0, mtime: boot }),
            Some(Live::Folder(_)) if self.files.node(&place, follow).is_err() => {
                Ok(Stat::folder(0o755, boot))
            }
            Some(Live::Folder(_)) | None => Ok(self.files.node(&place, follow)?.stat()),
        }
    }

    /// Lists the names in a folder, sorted, with the metadata of each; links are not followed.
    pub(crate) fn list_folder(&mut self, path: &str) -> Result<Vec<(String, Stat)>, FileError> {
        let place = self.files.resolve(path, true)?;
        let mut names = match self.live(&place) {
            Some(Live::Folder(names)) => names,
            Some(Live::File(_) | Live::Null) => return Err(FileError::NotFolder),
            None => Vec::new(),
        };
        match self.files.list(&place) {
            Ok(more) => names.extend(more),
            Err(error) if names.is_empty() => return Err(error),
            Err(_) => {}
        }
        names.sort();
        names.dedup();
        let stats = names.into_iter().filter_map(|name| {
            let stat = self.stat_file(&join(&place, &name), false).ok()?;
            Some((name, stat))
        });
        Ok(stats.collect())
    }

    /// Returns the content of a file, following symbolic links.
    pub fn read_file(&mut self, path: &str) -> Result<Arc<Vec<u8>>, FileError> {
        let place = self.files.resolve(path, true)?;
        match self.live(&place) {
            Some(Live::File(bytes)) => Ok(Arc::new(bytes)),
            Some(Live::Null) => Ok(Arc::default()),
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
        let place = self.files.resolve(path, true)?;
        match self.live(&place) {
            Some(Live::Null) => Ok(true),
            Some(Live::File(_)) => Err(FileError::Denied),
            Some(Live::Folder(_)) => Err(FileError::Folder),
            None => Ok(false),
        }
    }

    fn live(&mut self, place: &str) -> Option<Live> {
        if let Some(rest) = place.strip_prefix("/proc") {
            return self.live_process(rest);
        }
        if let Some(rest) = place.strip_prefix("/data/app") {
            return self.live_app(rest);
        }
        match place {
            "/dev/null" | "/dev/tty" => Some(Live::Null),
            _ => None,
        }
    }

    /// The APK of an app, at the path that `pm path` prints.
    fn live_app(&mut self, rest: &str) -> Option<Live> {
        let path = format!("/data/app{rest}");
        let package = self.packages().into_iter().find(|package| package.apk == path)?;
        // The helper apps that tools expect have no code here.
        Some(Live::File(self.device.apk(&AppId(package.name)).unwrap_or_default()))
    }

    fn live_process(&mut self, rest: &str) -> Option<Live> {
        let mut parts = rest.split('/').skip(1);
        let (first, second) = (parts.next(), parts.next());
        let Some(first) = first else {
            let pids = self.processes().into_iter().map(|process| process.pid.to_string());
            let fixed = PROC.into_iter().map(str::to_owned);
            return Some(Live::Folder(pids.chain(fixed).collect()));
        };
        let uptime = self.uptime_millis();
        let (seconds, hundredths) = (uptime / 1000, uptime % 1000 / 10);
        let text = match (first, second) {
            ("uptime", None) => format!("{seconds}.{hundredths:02} {seconds}.{hundredths:02}\n"),
            ("version", None) => "Linux version 5.15.41-taproof (build@taproof) #1 SMP PREEMPT\n".to_owned(),
            (pid, file) => return self.live_pid(pid.parse().ok()?, file),
        };
        Some(Live::File(text.into_bytes()))
    }

    fn live_pid(&mut self, pid: u32, file: Option<&str>) -> Option<Live> {
        let process = self.processes().into_iter().find(|process| process.pid == pid)?;
        match file {
            None => Some(Live::Folder(vec!["cmdline".to_owned()])),
            Some("cmdline") => {
                let text: String = process.arguments.iter().map(|word| format!("{word}\0")).collect();
                Some(Live::File(text.into_bytes()))
            }
            Some(_) => None,
        }
    }
}

impl Served {
    /// Returns the metadata of a file, as `lstat`: a symbolic link at the end of the path is only followed if a slash
    /// follows it.
    pub fn stat(&self, path: &str) -> Result<Stat, FileError> {
        self.lock().stat_file(&absolute("/", path), path.ends_with('/'))
    }

    /// Returns the metadata of the file that a path leads to, as `stat`.
    pub(crate) fn stat_target(&self, path: &str) -> Result<Stat, FileError> {
        self.lock().stat_file(&absolute("/", path), true)
    }

    /// Lists the names in a folder, sorted, with the metadata of each.
    pub fn list(&self, path: &str) -> Result<Vec<(String, Stat)>, FileError> {
        self.lock().list_folder(&absolute("/", path))
    }

    /// Returns the content of a file, following symbolic links.
    pub fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, FileError> {
        self.lock().read_file(&absolute("/", path))
    }

    /// Writes a file with these permission bits and this modification time in seconds since 1970. Missing parent
    /// folders are created.
    pub fn write(&self, path: &str, mode: u32, mtime: u64, bytes: Vec<u8>) -> Result<(), FileError> {
        let path = absolute("/", path);
        let mut state = self.lock();
        if state.files.node(parent_of(&path), true).is_err() {
            let now = state.epoch_seconds();
            state.files.make_folder(parent_of(&path), true, now)?;
        }
        state.write_file(&path, bytes, Some(mode & 0o777), Some(mtime))
    }
}
