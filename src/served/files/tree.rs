//! The tree of files in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::FileError;
use super::path::{absolute, join, name_of, parent_of};
use crate::Like;

/// The file type bits of a mode.
const FOLDER: u32 = 0o040_000;
const FILE: u32 = 0o100_000;
const LINK: u32 = 0o120_000;
/// Longer paths and names, in bytes, are refused, as Linux does.
const LONGEST_PATH: usize = 4096;
const LONGEST_NAME: usize = 255;
/// The number of links to follow before they count as a cycle.
const MOST_LINKS: usize = 40;
/// The names of the two parts of the shared storage below `/storage`: the internal one, and the memory card.
const INTERNAL: &str = "emulated/0";
const CARD: &str = "17F4-2A0C/";
/// Limits on the total size of a device's files in bytes, and on their number.
const ROOM: u64 = 512 << 20;
const MOST_NODES: usize = 100_000;
/// The content of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A folder. Its entries follow from the paths in the tree.
    Folder,
    /// A regular file with these bytes.
    File(Arc<Vec<u8>>),
    /// A regular file of that many zeros, which take no room: one of an app, whose content is not known.
    Blank(u64),
    /// A symbolic link to this path.
    Link(String),
}

/// A file, folder or symbolic link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The kind of the node, with its bytes or its target.
    pub content: Content,
    /// Permission bits, without the file type.
    pub mode: u32,
    /// Modification time, in seconds since 1970.
    pub mtime: u64,
}

/// The metadata of a file, as from `stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// File type and permission bits, as on Linux.
    pub mode: u32,
    /// Size in bytes; for a symbolic link the length of its target.
    pub size: u64,
    /// Modification time, in seconds since 1970.
    pub mtime: u64,
}

impl Stat {
    /// The metadata of a folder with these permissions.
    pub(super) fn folder(mode: u32, mtime: u64) -> Stat {
        Stat { mode: FOLDER | mode, size: 4096, mtime }
    }

    /// The metadata of a regular file with these permissions and this size in bytes.
    pub(super) fn file(mode: u32, size: u64, mtime: u64) -> Stat {
        Stat { mode: FILE | mode, size, mtime }
    }

    /// Whether this is a folder.
    pub fn is_folder(&self) -> bool {
        self.mode & 0o170_000 == FOLDER
    }
}

impl Node {
    /// The metadata of the node.
    pub fn stat(&self) -> Stat {
        match &self.content {
            Content::Folder => Stat::folder(self.mode, self.mtime),
            Content::File(bytes) => Stat::file(self.mode, bytes.len() as u64, self.mtime),
            Content::Blank(size) => Stat::file(self.mode, *size, self.mtime),
            Content::Link(to) => Stat { mode: LINK | self.mode, size: to.len() as u64, mtime: self.mtime },
        }
    }
}

/// All files of a device, by absolute path.
#[derive(Clone, Debug)]
pub struct Files {
    nodes: BTreeMap<String, Node>,
    like: Like,
    /// A number that changes with the files below the shared storage.
    stamp: u64,
    used: u64,
    /// Limit on the total size of all files in bytes; lowered by tests to simulate a full disk.
    pub limit: u64,
}

impl Files {
    /// Creates the folders and programs of a device that was just switched on.
    pub fn new(like: Like, boot_seconds: u64) -> Files {
        let mut files = Files { nodes: BTreeMap::new(), like, stamp: 0, used: 0, limit: ROOM };
        let mut add = |path: String, content: Content, mode: u32| {
            files.put(path, Node { content, mode, mtime: boot_seconds });
        };
        let plain =
            ["/", "/data", "/data/app", "/data/data", "/data/local", "/dev", "/mnt", "/proc", "/storage"];
        let system =
            ["/storage/emulated", "/system", "/system/app", "/system/bin", "/system/fonts", "/vendor"];
        for path in plain.into_iter().chain(system) {
            add(path.to_owned(), Content::Folder, 0o755);
        }
        add("/data/local/tmp".to_owned(), Content::Folder, 0o771);
        let storage = like.storage();
        add(storage.to_owned(), Content::Folder, 0o770);
        for name in ["Alarms", "Android", "DCIM", "Download", "Movies", "Music", "Pictures", "Ringtones"] {
            add(format!("{storage}/{name}"), Content::Folder, 0o770);
        }
        add("/sdcard".to_owned(), Content::Link(storage.to_owned()), 0o777);
        if !like.old() {
            add("/storage/self".to_owned(), Content::Folder, 0o755);
            add("/storage/self/primary".to_owned(), Content::Link(storage.to_owned()), 0o777);
            add("/bin".to_owned(), Content::Link("/system/bin".to_owned()), 0o777);
        }
        add("/mnt/sdcard".to_owned(), Content::Link(storage.to_owned()), 0o777);
        files
    }

    /// Inserts a node, replacing the one at the path.
    fn put(&mut self, path: String, node: Node) {
        self.changed(&path);
        self.used += content_bytes(&node) as u64;
        if let Some(old) = self.nodes.insert(path, node) {
            self.used = self.used.saturating_sub(content_bytes(&old) as u64);
        }
    }

    fn take_out(&mut self, path: &str) {
        if let Some(old) = self.nodes.remove(path) {
            self.changed(path);
            self.used = self.used.saturating_sub(content_bytes(&old) as u64);
        }
    }

    /// Notes that what is at this path has changed.
    fn changed(&mut self, path: &str) {
        self.stamp += u64::from(self.shared_path(path).is_some());
    }

    /// A number that changes with the files below the shared storage.
    pub(super) fn stamp(&self) -> u64 {
        self.stamp
    }

    /// What is below the shared storage, by path.
    pub(super) fn shared_nodes(&self) -> BTreeMap<String, Content> {
        let below = self.nodes.iter().filter(|(path, _)| self.shared_path(path).is_some());
        below.map(|(path, node)| (path.clone(), node.content.clone())).collect()
    }

    /// The path below `/storage` by which a device knows a path of the tree; `None` outside the shared storage.
    pub(super) fn shared_path(&self, path: &str) -> Option<String> {
        match path.strip_prefix(self.like.storage()) {
            Some(rest) => rest.starts_with('/').then(|| format!("{INTERNAL}{rest}")),
            None => path.strip_prefix("/storage/").filter(|rest| rest.starts_with(CARD)).map(str::to_owned),
        }
    }

    /// The path of the tree for the path by which a device knows a shared file.
    pub(super) fn path_of_shared(&self, path: &str) -> String {
        match path.strip_prefix(INTERNAL) {
            Some(rest) => format!("{}{rest}", self.like.storage()),
            None => format!("/storage/{path}"),
        }
    }

    /// The content at a path without symbolic links.
    pub(super) fn content(&self, path: &str) -> Option<&Content> {
        self.nodes.get(path).map(|node| &node.content)
    }

    /// Removes what an app removed.
    pub(super) fn forget(&mut self, path: &str) {
        self.take_out(path);
    }

    /// Sets what an app has at a path.
    pub(super) fn place_shared(&mut self, path: &str, content: Content, mtime: u64) {
        if self.nodes.get(path).is_some_and(|node| node.content == content) {
            return;
        }
        let parent = parent_of(path);
        if !self.nodes.contains_key(parent) && path.starts_with("/storage/") {
            self.place_shared(parent, Content::Folder, mtime);
        }
        let mode = if content == Content::Folder { 0o770 } else { 0o660 };
        self.put(path.to_owned(), Node { content, mode, mtime });
    }

    /// Resolves symbolic links in a path, whose last component may be missing. `last` decides whether a link there is
    /// followed.
    pub fn resolve(&self, path: &str, last: bool) -> Result<String, FileError> {
        if path.len() > LONGEST_PATH || path.split('/').any(|part| part.len() > LONGEST_NAME) {
            return Err(FileError::TooLong);
        }
        let mut links = 0;
        let mut rest: Vec<String> = absolute("/", path).split('/').rev().map(str::to_owned).collect();
        let mut done = "/".to_owned();
        while let Some(name) = rest.pop() {
            if name.is_empty() {
                continue;
            }
            let next = join(&done, &name);
            match self.nodes.get(&next).map(|node| &node.content) {
                Some(Content::Link(to)) if last || !rest.is_empty() => {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(FileError::Circle);
                    }
                    let target = absolute(&done, to);
                    rest.extend(target.split('/').rev().map(str::to_owned));
                    done = "/".to_owned();
                }
                Some(Content::File(_) | Content::Blank(_)) if !rest.iter().all(String::is_empty) => {
                    return Err(FileError::NotFolder);
                }
                _ => done = next,
            }
        }
        Ok(done)
    }

    /// Returns the node at a path. `last` decides whether a symbolic link at the end is followed.
    pub fn node(&self, path: &str, last: bool) -> Result<&Node, FileError> {
        let path = self.resolve(path, last)?;
        self.nodes.get(&path).ok_or(FileError::NotFound)
    }

    /// Lists the names in a folder, sorted.
    pub fn list(&self, path: &str) -> Result<Vec<String>, FileError> {
        let path = self.resolve(path, true)?;
        match self.nodes.get(&path).map(|node| &node.content) {
            None => return Err(FileError::NotFound),
            Some(Content::Folder) => {}
            Some(Content::File(_) | Content::Blank(_) | Content::Link(_)) => {
                return Err(FileError::NotFolder);
            }
        }
        let prefix = join(&path, "");
        let below = self.nodes.range(prefix.clone()..).take_while(|(path, _)| path.starts_with(&prefix));
        let names = below.filter_map(|(path, _)| path.get(prefix.len()..));
        Ok(names.filter(|name| !name.is_empty() && !name.contains('/')).map(str::to_owned).collect())
    }

    /// Returns the content of a file, following symbolic links.
    pub fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, FileError> {
        match &self.node(path, true)?.content {
            Content::File(bytes) => Ok(Arc::clone(bytes)),
            Content::Blank(size) => Ok(Arc::new(vec![0; usize::try_from(*size).unwrap_or(0)])),
            Content::Folder => Err(FileError::Folder),
            Content::Link(_) => Err(FileError::Circle),
        }
    }

    /// Creates or overwrites a file. Without `mode` an existing file keeps its permission bits.
    pub fn write(
        &mut self,
        path: &str,
        bytes: Vec<u8>,
        mode: Option<u32>,
        mtime: u64,
    ) -> Result<(), FileError> {
        let path = self.resolve(path, true)?;
        let before = self.place_for_file(&path)?;
        let old = before.map_or(0, |(size, _)| size);
        let used = self.used - old.min(self.used);
        if used + bytes.len() as u64 > self.limit || (before.is_none() && self.nodes.len() >= MOST_NODES) {
            return Err(FileError::Full);
        }
        let mode = mode.or(before.map(|(_, mode)| mode)).unwrap_or(self.new_mode(&path)) & 0o7777;
        self.put(path, Node { content: Content::File(Arc::new(bytes)), mode, mtime });
        Ok(())
    }

    /// Appends to a file, creating it if it is missing.
    pub fn append(&mut self, path: &str, bytes: &[u8], mtime: u64) -> Result<(), FileError> {
        let place = self.resolve(path, true)?;
        if self.place_for_file(&place)?.is_none() {
            return self.write(path, bytes.to_vec(), None, mtime);
        }
        if self.used + bytes.len() as u64 > self.limit {
            return Err(FileError::Full);
        }
        if let Some(node) = self.nodes.get_mut(&place)
            && let Content::File(content) = &mut node.content
        {
            Arc::make_mut(content).extend_from_slice(bytes);
            node.mtime = mtime;
            self.used += bytes.len() as u64;
            self.changed(&place);
            return Ok(());
        }
        let content = [&self.read(&place)?[..], bytes].concat();
        self.write(&place, content, None, mtime)
    }

    /// Checks that a file can be written at this resolved path. Returns the size and mode of the existing file, if any.
    fn place_for_file(&self, path: &str) -> Result<Option<(u64, u32)>, FileError> {
        self.writable(path)?;
        match self.nodes.get(path) {
            Some(Node { content: Content::File(bytes), mode, .. }) => Ok(Some((bytes.len() as u64, *mode))),
            Some(Node { content: Content::Blank(_), mode, .. }) => Ok(Some((0, *mode))),
            Some(_) => Err(FileError::Folder),
            None => self.folder_above(path).map(|()| None),
        }
    }

    fn folder_above(&self, path: &str) -> Result<(), FileError> {
        match self.nodes.get(parent_of(path)).map(|node| &node.content) {
            Some(Content::Folder) => Ok(()),
            Some(_) => Err(FileError::NotFolder),
            None => Err(FileError::NotFound),
        }
    }

    /// The permission bits of a new file; shared storage has its own.
    fn new_mode(&self, path: &str) -> u32 {
        if path.starts_with(self.like.storage()) { 0o660 } else { 0o644 }
    }

    /// Checks that the shell's user may change this resolved path.
    fn writable(&self, path: &str) -> Result<(), FileError> {
        let below = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        let free = [self.like.storage(), "/storage/17F4-2A0C", "/data/local/tmp"];
        if free.into_iter().any(below) || (self.like.old() && ["/data", "/mnt"].into_iter().any(below)) {
            return Ok(());
        }
        let sealed = ["/system", "/vendor", "/bin"].into_iter().any(|folder| path == folder || below(folder));
        Err(if sealed || parent_of(path) == "/" { FileError::ReadOnly } else { FileError::Denied })
    }

    /// Creates a folder. With `parents` missing parent folders are created as well, and an existing folder is no error.
    pub fn make_folder(&mut self, path: &str, parents: bool, mtime: u64) -> Result<(), FileError> {
        let path = self.resolve(path, true)?;
        if let Some(node) = self.nodes.get(&path) {
            let there = parents && node.content == Content::Folder;
            return if there { Ok(()) } else { Err(FileError::Exists) };
        }
        if parents && !self.nodes.contains_key(parent_of(&path)) {
            self.make_folder(parent_of(&path), true, mtime)?;
        }
        self.writable(&path)?;
        self.folder_above(&path)?;
        if self.nodes.len() >= MOST_NODES {
            return Err(FileError::Full);
        }
        let mode = if path.starts_with(self.like.storage()) { 0o770 } else { 0o755 };
        self.put(path, Node { content: Content::Folder, mode, mtime });
        Ok(())
    }

    /// Removes a file, a link or a folder. A folder that is not empty is only removed with `all`.
    pub fn remove(&mut self, path: &str, all: bool) -> Result<(), FileError> {
        let path = self.resolve(path, false)?;
        if !self.nodes.contains_key(&path) {
            return Err(FileError::NotFound);
        }
        self.writable(&path)?;
        let below: Vec<String> = self.below(&path);
        if !below.is_empty() && !all {
            return Err(FileError::NotEmpty);
        }
        for gone in below.iter().chain([&path]) {
            self.take_out(gone);
        }
        Ok(())
    }

    fn below(&self, path: &str) -> Vec<String> {
        let prefix = join(path, "");
        let range = self.nodes.range(prefix.clone()..).take_while(|(path, _)| path.starts_with(&prefix));
        range.map(|(path, _)| path.clone()).filter(|found| *found != path).collect()
    }

    /// Renames a file or folder. An existing file or empty folder at the new path is replaced.
    pub fn rename(&mut self, from: &str, to: &str) -> Result<(), FileError> {
        let (from, to) = (self.resolve(from, false)?, self.resolve(to, false)?);
        if !self.nodes.contains_key(&from) {
            return Err(FileError::NotFound);
        }
        if from == to {
            return Ok(());
        }
        if to.strip_prefix(&from).is_some_and(|rest| rest.starts_with('/')) {
            return Err(FileError::Invalid);
        }
        self.writable(&from)?;
        self.writable(&to)?;
        self.folder_above(&to)?;
        if self.nodes.contains_key(&to) {
            self.remove(&to, false)?;
        }
        let moved: Vec<String> = self.below(&from).into_iter().chain([from.clone()]).collect();
        self.changed(&from);
        self.changed(&to);
        for old in moved {
            let new = format!("{to}{}", old.get(from.len()..).unwrap_or_default());
            if let Some(node) = self.nodes.remove(&old) {
                self.nodes.insert(new, node);
            }
        }
        Ok(())
    }

    /// Changes the permission bits or the modification time, if given.
    pub fn touch(&mut self, path: &str, mtime: u64) -> Result<(), FileError> {
        let path = self.resolve(path, true)?;
        if !self.nodes.contains_key(&path) {
            return Err(FileError::NotFound);
        }
        self.writable(&path)?;
        if let Some(node) = self.nodes.get_mut(&path) {
            node.mtime = mtime;
        }
        Ok(())
    }

    /// The total size of all contents in bytes.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The destination of `cp` and `mv`: inside `folder` under the name of `path` if `folder` is an existing folder,
    /// else `folder` itself.
    pub(crate) fn inside_folder(&self, folder: &str, path: &str) -> String {
        let inside = self.node(folder, true).is_ok_and(|node| node.content == Content::Folder);
        if inside { join(&absolute("/", folder), name_of(path)) } else { folder.to_owned() }
    }
}

/// The size of a node's content in bytes.
fn content_bytes(node: &Node) -> usize {
    match &node.content {
        Content::File(bytes) => bytes.len(),
        Content::Folder | Content::Blank(_) | Content::Link(_) => 0,
    }
}
