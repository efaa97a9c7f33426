//! The tree of files in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::FileError;
use super::path::{absolute, join, name_of, parent_of};
use crate::Like;
use crate::outputs::table;

/// The file type bits of a mode.
const FOLDER: u32 = 0o040_000;
const FILE: u32 = 0o100_000;
/// Longer paths and names, in bytes, are refused, as Linux does.
const LONGEST_PATH: usize = 4096;
const LONGEST_NAME: usize = 255;
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
}

/// A file or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The kind of the node, with its bytes.
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
    /// Size in bytes.
    pub size: u64,
    /// Modification time, in seconds since 1970.
    pub mtime: u64,
}

impl Stat {
    /// The metadata of a folder with these permission bits.
    pub(super) fn folder(mode: u32, mtime: u64) -> Stat {
        Stat { mode: FOLDER | mode, size: 4096, mtime }
    }

    /// The metadata of a regular file with these permission bits and this size in bytes.
    pub(super) fn file(mode: u32, size: u64, mtime: u64) -> Stat {
        Stat { mode: FILE | mode, size, mtime }
    }

    /// Whether it is a folder.
    pub fn is_folder(&self) -> bool {
        self.mode & FOLDER == FOLDER
    }
}

impl Node {
    /// The metadata of the node.
    pub fn stat(&self) -> Stat {
        match &self.content {
            Content::Folder => Stat::folder(self.mode, self.mtime),
            Content::File(bytes) => Stat::file(self.mode, bytes.len() as u64, self.mtime),
            Content::Blank(size) => Stat::file(self.mode, *size, self.mtime),
        }
    }

    /// The bytes that the node takes of the room.
    fn bytes(&self) -> u64 {
        if let Content::File(bytes) = &self.content { bytes.len() as u64 } else { 0 }
    }
}

/// The files of a device.
#[derive(Clone, Debug)]
pub struct Files {
    nodes: BTreeMap<String, Node>,
    /// The symbolic links of the system and their targets; there are no others.
    links: Vec<(&'static str, &'static str)>,
    like: Like,
    /// Counts the changes of the shared storage.
    stamp: u64,
    used: u64,
    /// The room for contents in bytes.
    pub limit: u64,
}

impl Files {
    /// The files of a device that was just switched on at that time, in seconds since 1970.
    pub fn new(like: Like, boot_seconds: u64) -> Files {
        let (nodes, links) = (BTreeMap::new(), Vec::new());
        let mut files = Files { nodes, links, like, stamp: 0, used: 0, limit: ROOM };
        for words in table(like, "files") {
            match *words {
                [link, "->", to] => files.links.push((link, to)),
                [path, mode] => {
                    let mode = u32::from_str_radix(mode, 8).unwrap_or_default();
                    let folder = Node { content: Content::Folder, mode, mtime: boot_seconds };
                    files.put(path.to_owned(), folder);
                }
                _ => {}
            }
        }
        files
    }

    fn put(&mut self, path: String, node: Node) {
        self.changed(&path);
        self.used += node.bytes();
        let old = self.nodes.insert(path, node);
        self.used -= old.map_or(0, |old| old.bytes());
    }

    fn changed(&mut self, path: &str) {
        self.stamp += u64::from(self.shared_path(path).is_some());
    }

    /// Changes whenever the shared storage changes.
    pub(super) fn stamp(&self) -> u64 {
        self.stamp
    }

    /// The content of each node below the shared storage, by path.
    pub(super) fn shared_nodes(&self) -> BTreeMap<String, Content> {
        let below = self.nodes.iter().filter(|(path, _)| self.shared_path(path).is_some());
        below.map(|(path, node)| (path.clone(), node.content.clone())).collect()
    }

    /// The path below the shared storage of a path in the tree; `None` if it is elsewhere.
    pub(super) fn shared_path(&self, path: &str) -> Option<String> {
        match path.strip_prefix(self.like.storage()) {
            Some(rest) => rest.starts_with('/').then(|| format!("{INTERNAL}{rest}")),
            None => path.strip_prefix("/storage/").filter(|rest| rest.starts_with(CARD)).map(str::to_owned),
        }
    }

    /// The path in the tree of a path below the shared storage.
    pub(super) fn path_of_shared(&self, path: &str) -> String {
        match path.strip_prefix(INTERNAL) {
            Some(rest) => format!("{}{rest}", self.like.storage()),
            None => format!("/storage/{path}"),
        }
    }

    /// The content at this path, which is not resolved.
    pub(super) fn content(&self, path: &str) -> Option<&Content> {
        self.nodes.get(path).map(|node| &node.content)
    }

    /// Removes the node at this path, without checks.
    pub(super) fn forget(&mut self, path: &str) {
        if let Some(old) = self.nodes.remove(path) {
            self.changed(path);
            self.used -= old.bytes();
        }
    }

    /// Places a file or folder of the device in the shared storage, and missing folders of a memory card above it.
    pub(super) fn place_shared(&mut self, path: &str, content: Content, mtime: u64) {
        if self.content(path) == Some(&content) {
            return;
        }
        let parent = parent_of(path);
        if !self.nodes.contains_key(parent) && path.starts_with("/storage/") {
            self.place_shared(parent, Content::Folder, mtime);
        }
        let mode = if content == Content::Folder { 0o770 } else { 0o660 };
        self.put(path.to_owned(), Node { content, mode, mtime });
    }

    /// The path without links. It need not exist.
    pub fn resolve(&self, path: &str) -> Result<String, FileError> {
        if path.len() > LONGEST_PATH || path.split('/').any(|part| part.len() > LONGEST_NAME) {
            return Err(FileError::TooLong);
        }
        let mut place = absolute("/", path);
        let led = self.links.iter().find_map(|(link, to)| {
            let rest = place.strip_prefix(link).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
            Some(format!("{to}{rest}"))
        });
        place = led.unwrap_or(place);
        let mut above = parent_of(&place);
        while above != "/" {
            if matches!(self.content(above), Some(Content::File(_) | Content::Blank(_))) {
                return Err(FileError::NotFolder);
            }
            above = parent_of(above);
        }
        Ok(place)
    }

    /// The node that a path leads to.
    pub fn node(&self, path: &str) -> Result<&Node, FileError> {
        self.nodes.get(&self.resolve(path)?).ok_or(FileError::NotFound)
    }

    /// The names in a folder, sorted.
    pub fn list(&self, path: &str) -> Result<Vec<String>, FileError> {
        if self.node(path)?.content != Content::Folder {
            return Err(FileError::NotFolder);
        }
        let prefix = join(&self.resolve(path)?, "");
        let paths = self.nodes.keys().map(String::as_str).chain(self.links.iter().map(|(link, _)| *link));
        let names = paths.filter_map(|path| path.strip_prefix(&prefix));
        let mut names: Vec<String> =
            names.filter(|name| !name.is_empty() && !name.contains('/')).map(str::to_owned).collect();
        names.sort();
        Ok(names)
    }

    /// The content of a file.
    pub fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, FileError> {
        match &self.node(path)?.content {
            Content::File(bytes) => Ok(Arc::clone(bytes)),
            Content::Blank(size) => Ok(Arc::new(vec![0; usize::try_from(*size).unwrap_or(0)])),
            Content::Folder => Err(FileError::Folder),
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
        let path = self.resolve(path)?;
        self.writable(&path)?;
        let before = self.nodes.get(&path);
        match before {
            Some(Node { content: Content::Folder, .. }) => return Err(FileError::Folder),
            Some(_) => {}
            None => self.folder_above(&path)?,
        }
        let used = self.used - before.map_or(0, Node::bytes);
        if used + bytes.len() as u64 > self.limit || (before.is_none() && self.nodes.len() >= MOST_NODES) {
            return Err(FileError::Full);
        }
        let usual = if path.starts_with(self.like.storage()) { 0o660 } else { 0o644 };
        let mode = mode.or(before.map(|node| node.mode)).unwrap_or(usual) & 0o7777;
        self.put(path, Node { content: Content::File(Arc::new(bytes)), mode, mtime });
        Ok(())
    }

    /// Appends to a file, which is created if it is missing.
    pub fn append(&mut self, path: &str, bytes: &[u8], mtime: u64) -> Result<(), FileError> {
        let place = self.resolve(path)?;
        if !matches!(self.content(&place), Some(Content::File(_))) {
            let before = self.read(&place).map_or_else(|_| Vec::new(), |bytes| bytes.to_vec());
            self.write(&place, before, None, mtime)?;
        }
        self.writable(&place)?;
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
        }
        Ok(())
    }

    fn folder_above(&self, path: &str) -> Result<(), FileError> {
        match self.content(parent_of(path)) {
            Some(Content::Folder) => Ok(()),
            Some(_) => Err(FileError::NotFolder),
            None => Err(FileError::NotFound),
        }
    }

    /// Whether adb's user may change what is at this path.
    fn writable(&self, path: &str) -> Result<(), FileError> {
        let below = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        let free = [self.like.storage(), "/storage/17F4-2A0C", "/data/local/tmp"];
        if free.into_iter().any(below) || (self.like.old() && ["/data", "/mnt"].into_iter().any(below)) {
            return Ok(());
        }
        let sealed = ["/system", "/vendor", "/bin"].into_iter().any(|folder| path == folder || below(folder));
        Err(if sealed || parent_of(path) == "/" { FileError::ReadOnly } else { FileError::Denied })
    }

    /// Creates a folder; with `parents` also missing folders above it, and an existing folder is no error.
    pub fn make_folder(&mut self, path: &str, parents: bool, mtime: u64) -> Result<(), FileError> {
        let path = self.resolve(path)?;
        if let Some(content) = self.content(&path) {
            let there = parents && *content == Content::Folder;
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

    /// Removes a file or an empty folder, or with `all` a folder with its entries.
    pub fn remove(&mut self, path: &str, all: bool) -> Result<(), FileError> {
        let path = self.resolve(path)?;
        if !self.nodes.contains_key(&path) {
            return Err(FileError::NotFound);
        }
        self.writable(&path)?;
        let below = self.below(&path);
        if !below.is_empty() && !all {
            return Err(FileError::NotEmpty);
        }
        for gone in below.iter().chain([&path]) {
            self.forget(gone);
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
        let (from, to) = (self.resolve(from)?, self.resolve(to)?);
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
        for old in self.below(&from).into_iter().chain([from.clone()]) {
            let new = format!("{to}{}", old.get(from.len()..).unwrap_or_default());
            if let Some(node) = self.nodes.remove(&old) {
                self.nodes.insert(new, node);
            }
        }
        self.changed(&from);
        self.changed(&to);
        Ok(())
    }

    /// The total size of all contents in bytes.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The destination of `mv`: inside `folder` under the name of `path` if `folder` is an existing folder, else
    /// `folder` itself.
    pub(crate) fn inside_folder(&self, folder: &str, path: &str) -> String {
        let inside = self.node(folder).is_ok_and(|node| node.content == Content::Folder);
        if inside { join(&absolute("/", folder), name_of(path)) } else { folder.to_owned() }
    }
}

/// The files that both sides have in common, and how to notice that they no longer do.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedState {
    /// The device's stamp at the last comparison; `None` before the first one.
    pub(super) stamp: Option<u64>,
    /// The tree's stamp at that time.
    pub(super) tree: u64,
    /// What the tree had below the shared storage, by path in the tree.
    pub(super) nodes: BTreeMap<String, Content>,
    /// The paths of the device's files in the tree, by their ids.
    pub(super) paths: BTreeMap<u64, String>,
}
