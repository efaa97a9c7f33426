//! The files of the app as other programs on the device access them.

use taproof_engine::device::{SharedChange, SharedContent, SharedFile};
use taproof_screen::determinism::hash_bytes;

use super::Files;
use super::storage::{EntryId, INTERNAL, Kind, SD_CARD, Storage};
use crate::{Date, SharedStorage};

/// Where the roots are mounted, below `/storage`.
const ROOTS: [(EntryId, &str); 2] = [(INTERNAL, "emulated/0"), (SD_CARD, "17F4-2A0C")];
/// Limit on the size of what counts as a text, in bytes.
const LONGEST_TEXT: usize = 64 << 10;
/// The bytes of a second of a recording.
const SECOND_BYTES: u64 = 24_000;

impl SharedStorage for Files {
    fn stamp(&self) -> u64 {
        self.storage.version
    }

    fn files(&self) -> Vec<SharedFile> {
        let stored =
            self.storage.all().filter(|(id, entry)| entry.parent.is_some() && self.storage.is_stored(*id));
        let shared = stored.filter_map(|(id, entry)| {
            let content = match &entry.kind {
                Kind::Folder => SharedContent::Folder,
                Kind::Text(text) => SharedContent::Bytes(text.as_bytes().to_vec()),
                Kind::Image(..) | Kind::Audio(..) | Kind::Other(_) => SharedContent::Size(entry.bytes()),
            };
            let path = path_of(&self.storage, id)?;
            Some(SharedFile { id: id.into(), path, modified_millis: entry.modified.epoch(), content })
        });
        shared.collect()
    }

    fn change(&mut self, change: &SharedChange, now: Date) {
        match change {
            SharedChange::Put { path, content } => {
                if let Some((folder, name)) = self.folder_above(path, now) {
                    put(self.storage_mut(), folder, name, kind_of(name, content), now);
                }
            }
            SharedChange::Remove { path } => {
                if let Some(id) = find(&self.storage, path) {
                    self.storage_mut().destroy(id);
                }
            }
        }
    }
}

impl Files {
    /// The folder that a path leads to, created where it is missing, and the last name of the path.
    fn folder_above<'p>(&mut self, path: &'p str, now: Date) -> Option<(EntryId, &'p str)> {
        let (mut folder, below) = root_of(path)?;
        let mut names = below.split('/').filter(|name| !name.is_empty()).peekable();
        while let Some(name) = names.next() {
            if names.peek().is_none() {
                return Some((folder, name));
            }
            folder = match child(&self.storage, folder, name) {
                Some(id) => id,
                None => self.storage_mut().insert(Some(folder), name, Kind::Folder, now),
            };
        }
        None
    }
}

/// Sets the contents of an entry, which is created if it is missing.
fn put(storage: &mut Storage, folder: EntryId, name: &str, kind: Kind, now: Date) {
    match child(storage, folder, name) {
        Some(id) if storage.get(id).is_some_and(|entry| entry.is_folder() == (kind == Kind::Folder)) => {
            if kind != Kind::Folder {
                storage.set_kind(id, kind, now);
            }
            return;
        }
        Some(id) => storage.destroy(id),
        None => {}
    }
    storage.insert(Some(folder), name, kind, now);
}

fn root_of(path: &str) -> Option<(EntryId, &str)> {
    ROOTS.iter().find_map(|(root, mount)| Some((*root, path.strip_prefix(mount)?.strip_prefix('/')?)))
}

fn child(storage: &Storage, folder: EntryId, name: &str) -> Option<EntryId> {
    storage.children(folder).find(|(_, entry)| entry.name == name).map(|(id, _)| id)
}

fn find(storage: &Storage, path: &str) -> Option<EntryId> {
    let (root, below) = root_of(path)?;
    below
        .split('/')
        .filter(|name| !name.is_empty())
        .try_fold(root, |folder, name| child(storage, folder, name))
}

fn path_of(storage: &Storage, id: EntryId) -> Option<String> {
    let entry = storage.get(id)?;
    match entry.parent {
        Some(parent) => Some(format!("{}/{}", path_of(storage, parent)?, entry.name)),
        None => ROOTS.iter().find(|(root, _)| *root == id).map(|(_, mount)| (*mount).to_owned()),
    }
}

/// What a file is to the app, by its name and contents.
fn kind_of(name: &str, content: &SharedContent) -> Kind {
    let bytes = match content {
        SharedContent::Folder => return Kind::Folder,
        SharedContent::Size(size) => return sized(name, *size, *size),
        SharedContent::Bytes(bytes) => bytes,
    };
    let text =
        std::str::from_utf8(bytes).ok().filter(|text| text.len() <= LONGEST_TEXT && !text.contains('\0'));
    match text {
        Some(text) => Kind::Text(text.to_owned()),
        None => sized(name, bytes.len() as u64, hash_bytes(bytes)),
    }
}

fn sized(name: &str, size: u64, hash: u64) -> Kind {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is = |known: &[&str]| known.iter().any(|known| extension.eq_ignore_ascii_case(known));
    if is(&["jpg", "jpeg", "png", "gif", "webp"]) {
        Kind::Image((hash % 1000) as u32, size)
    } else if is(&["mp3", "ogg", "wav", "m4a"]) {
        Kind::Audio(u32::try_from(size / SECOND_BYTES).unwrap_or(u32::MAX).max(1), size)
    } else {
        Kind::Other(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BugSet, Package};
    use taproof_screen::determinism::DeviceInstant;

    fn put(files: &mut Files, path: &str, content: SharedContent) {
        let change = SharedChange::Put { path: path.to_owned(), content };
        files.change(&change, Date::at(DeviceInstant(1000)));
    }

    fn shared(files: &Files, path: &str) -> Option<SharedFile> {
        files.files().into_iter().find(|file| file.path == path)
    }

    #[test]
    fn what_is_put_is_there_with_its_folders_and_can_be_removed() {
        let mut files = Files::install(&BugSet::none());
        let before = files.stamp();
        let text = SharedContent::Bytes(b"milk".to_vec());
        put(&mut files, "emulated/0/new/deep/list.txt", text.clone());
        assert_ne!(files.stamp(), before);
        let list = shared(&files, "emulated/0/new/deep/list.txt").unwrap();
        assert_eq!((&list.content, list.modified_millis % 10_000), (&text, 1000));
        assert_eq!(shared(&files, "emulated/0/new").unwrap().content, SharedContent::Folder);
        put(&mut files, "emulated/0/new/deep/list.txt", SharedContent::Bytes(vec![0xff; 48_000]));
        let changed = shared(&files, "emulated/0/new/deep/list.txt").unwrap();
        assert_eq!((changed.id, changed.content), (list.id, SharedContent::Size(48_000)));
        let remove = SharedChange::Remove { path: "emulated/0/new".to_owned() };
        files.change(&remove, Date::at(DeviceInstant(0)));
        assert_eq!(shared(&files, "emulated/0/new/deep/list.txt"), None);
        put(&mut files, "elsewhere/x", text);
        assert!(files.files().iter().all(|file| !file.path.contains("elsewhere")));
    }

    #[test]
    fn kinds_follow_names_and_contents() {
        let bytes = || SharedContent::Bytes(vec![0xff; 48_000]);
        assert!(matches!(kind_of("a.JPG", &bytes()), Kind::Image(_, 48_000)));
        assert_eq!(kind_of("a.mp3", &bytes()), Kind::Audio(2, 48_000));
        assert_eq!(kind_of("a", &bytes()), Kind::Other(48_000));
        assert_eq!(kind_of("a.jpg", &SharedContent::Bytes(b"no".to_vec())), Kind::Text("no".to_owned()));
    }
}
