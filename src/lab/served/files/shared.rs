//! Keeps the files of the shared storage equal on both sides: in the tree that the shell and adb access, and in the
//! device, whose apps show and change them.
//!
//! Both sides are compared with what they had in common before. Where the device only knows the size of a file, the
//! tree keeps the bytes that were written to it, or else has that many zeros.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::tree::Content;
use crate::served::State;
use taproof_engine::device::{SharedChange, SharedContent, SharedFile};

impl State {
    /// Brings the tree and the device's shared files up to date with each other. Cheap as long as neither changed.
    pub(crate) fn share_files(&mut self) {
        let Some(stamp) = self.device.shared_stamp() else { return };
        if self.shared.stamp.is_some() && self.files.stamp() != self.shared.tree {
            self.tell_device();
        }
        let stamp = self.device.shared_stamp().unwrap_or(stamp);
        if self.shared.stamp != Some(stamp) {
            self.tell_tree();
            self.shared.stamp = Some(stamp);
        }
        if self.files.stamp() != self.shared.tree || self.shared.nodes.is_empty() {
            self.shared.nodes = self.files.shared_nodes();
            self.shared.tree = self.files.stamp();
        }
    }

    /// Applies the changes of the tree to the device.
    fn tell_device(&mut self) {
        let now = self.files.shared_nodes();
        let gone = self.shared.nodes.keys().filter(|path| !now.contains_key(*path));
        let mut changes: Vec<SharedChange> = gone
            .filter_map(|path| Some(SharedChange::Remove { path: self.files.shared_path(path)? }))
            .collect();
        for (path, content) in &now {
            if self.shared.nodes.get(path) == Some(content) {
                continue;
            }
            let content = match content {
                Content::Folder => SharedContent::Folder,
                Content::File(bytes) => SharedContent::Bytes(bytes.to_vec()),
                Content::Blank(size) => SharedContent::Size(*size),
            };
            if let Some(path) = self.files.shared_path(path) {
                changes.push(SharedChange::Put { path, content });
            }
        }
        for change in &changes {
            self.device.change_shared_file(change);
        }
    }

    /// Applies the changes of the device to the tree.
    fn tell_tree(&mut self) {
        let listed = self.device.shared_files();
        let placed: Vec<(String, &SharedFile)> =
            listed.iter().map(|file| (self.files.path_of_shared(&file.path), file)).collect();
        let known = std::mem::take(&mut self.shared.paths);
        // Taken out first, as files may have changed places.
        let mut contents: BTreeMap<u64, Content> = BTreeMap::new();
        for (path, file) in &placed {
            let before = known.get(&file.id).unwrap_or(path);
            if let Some(content) = self.files.content(before) {
                contents.insert(file.id, content.clone());
            }
        }
        let still: BTreeMap<&str, ()> = placed.iter().map(|(path, _)| (path.as_str(), ())).collect();
        for path in known.values().filter(|path| !still.contains_key(path.as_str())) {
            self.files.forget(path);
        }
        for (path, file) in placed {
            let before = contents.remove(&file.id);
            let content = match &file.content {
                SharedContent::Folder => Content::Folder,
                SharedContent::Bytes(bytes) => Content::File(Arc::new(bytes.clone())),
                SharedContent::Size(size) => match before {
                    Some(Content::File(bytes)) if bytes.len() as u64 == *size => Content::File(bytes),
                    _ => Content::Blank(*size),
                },
            };
            self.files.place_shared(&path, content, file.modified_millis / 1000);
            self.shared.paths.insert(file.id, path);
        }
    }
}
