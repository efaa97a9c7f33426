//! The data of the app: a tree of folders and files below two roots, and a bin for deleted ones.

use std::collections::BTreeMap;
use std::fmt;
use taproof_screen::words;

use crate::Date;

/// The id of an entry. Later entries have larger ids.
pub type EntryId = u32;

/// The root of the internal storage.
pub const INTERNAL: EntryId = 0;
/// The root of the memory card.
pub const SD_CARD: EntryId = 1;
/// The bin, a root that cannot be reached by browsing.
pub const BIN: EntryId = 2;

/// The kind of an entry, with its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Folder,
    /// A text file with its contents.
    Text(String),
    /// A picture: the seed of the landscape, and the size in bytes.
    Image(u32, u64),
    /// A recording: the duration in seconds, and the size in bytes.
    Audio(u32, u64),
    /// A file that only other apps can open: its size in bytes.
    Other(u64),
}

/// A folder or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The folder that contains the entry. `None` for a root.
    pub parent: Option<EntryId>,
    pub name: String,
    /// The kind, with the contents.
    pub kind: Kind,
    /// When the entry was created or last changed.
    pub modified: Date,
    /// Whether the entry is only listed if hidden entries are shown.
    pub hidden: bool,
    /// The former parent of an entry directly in the bin.
    pub origin: Option<EntryId>,
}

impl Entry {
    /// Whether the entry is a folder.
    pub fn is_folder(&self) -> bool {
        self.kind == Kind::Folder
    }

    /// The size in bytes; 0 for a folder.
    pub fn bytes(&self) -> u64 {
        match &self.kind {
            Kind::Folder => 0,
            Kind::Text(text) => text.len() as u64,
            Kind::Image(_, bytes) | Kind::Audio(_, bytes) | Kind::Other(bytes) => *bytes,
        }
    }
}

words! {
    /// Why a name is refused.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum NameError {
        /// The name is empty.
        Empty = "files.name.empty",
        /// The name contains `/`, or is `.` or `..`.
        NotAllowed = "files.name.not-allowed",
        /// The folder contains another entry with this name.
        Taken(String) = "files.name.taken",
    }
    pub(super) fn point(&self);
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameError::Empty => f.write_str("Enter a name"),
            NameError::NotAllowed => f.write_str("This name is not allowed"),
            NameError::Taken(name) => write!(f, "“{name}” already exists here"),
        }
    }
}

/// The key by which a list is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortKey {
    /// The name, regardless of case.
    #[default]
    Name,
    /// The time of the last change, oldest first.
    Modified,
    /// The size, smallest first.
    Size,
}

/// How a folder is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The key by which it is sorted.
    pub key: SortKey,
    /// Whether the order is reversed.
    pub descending: bool,
    /// Whether folders come before files.
    pub folders_first: bool,
    /// Whether hidden entries are listed.
    pub show_hidden: bool,
}

/// All folders and files.
#[derive(Clone, Debug)]
pub struct Storage {
    entries: BTreeMap<EntryId, Entry>,
    next: EntryId,
    /// Incremented by every change.
    pub version: u64,
}

impl Storage {
    /// Creates a storage with only the roots.
    pub fn empty(date: Date) -> Self {
        let mut storage = Storage { entries: BTreeMap::new(), next: 0, version: 0 };
        for name in ["Internal storage", "SD card", "Trash bin"] {
            storage.insert(None, name, Kind::Folder, date);
        }
        storage
    }

    /// Returns the entry with this id, if it exists.
    pub fn get(&self, id: EntryId) -> Option<&Entry> {
        self.entries.get(&id)
    }

    /// The direct entries of a folder, the oldest first.
    pub fn children(&self, folder: EntryId) -> impl Iterator<Item = (EntryId, &Entry)> {
        self.all().filter(move |(_, entry)| entry.parent == Some(folder))
    }

    /// All entries, the oldest first.
    pub fn all(&self) -> impl Iterator<Item = (EntryId, &Entry)> {
        self.entries.iter().map(|(id, entry)| (*id, entry))
    }

    /// The root above an entry: [`BIN`] for a deleted one, `None` for one that belongs to no folder.
    pub fn root_of(&self, id: EntryId) -> Option<EntryId> {
        let mut at = id;
        while let Some(parent) = self.get(at)?.parent {
            at = parent;
        }
        (at <= BIN).then_some(at)
    }

    /// Whether an entry is in one of the two storages and not in the bin.
    pub fn is_stored(&self, id: EntryId) -> bool {
        matches!(self.root_of(id), Some(INTERNAL | SD_CARD))
    }

    /// Whether `id` is `folder` or inside of it.
    pub fn is_within(&self, id: EntryId, folder: EntryId) -> bool {
        let mut at = Some(id);
        while let Some(here) = at {
            if here == folder {
                return true;
            }
            at = self.get(here).and_then(|entry| entry.parent);
        }
        false
    }

    /// Whether an entry or a folder above it is hidden.
    pub fn is_hidden(&self, id: EntryId) -> bool {
        let mut at = self.get(id);
        while let Some(entry) = at {
            if entry.hidden {
                return true;
            }
            at = entry.parent.and_then(|parent| self.get(parent));
        }
        false
    }

    /// The path of an entry, such as `/storage/emulated/0/Music`.
    pub fn path(&self, id: EntryId) -> String {
        let Some(entry) = self.get(id) else { return String::new() };
        match entry.parent {
            Some(parent) => format!("{}/{}", self.path(parent), entry.name),
            None if id == SD_CARD => "/storage/17F4-2A0C".to_owned(),
            None if id == BIN => "/storage/emulated/0/.trash".to_owned(),
            None => "/storage/emulated/0".to_owned(),
        }
    }

    /// The entries of a folder as they are listed.
    pub fn list(&self, folder: EntryId, how: Listing) -> Vec<EntryId> {
        let shown = |entry: &Entry| how.show_hidden || !entry.hidden;
        let mut rows: Vec<(EntryId, &Entry)> =
            self.children(folder).filter(|(_, entry)| shown(entry)).collect();
        let by_name = |entry: &Entry| (entry.name.to_lowercase(), entry.name.clone());
        // Names first: the following sorts are stable, so entries with equal dates and sizes are sorted by name.
        rows.sort_by_cached_key(|(_, entry)| by_name(entry));
        match how.key {
            SortKey::Name => {}
            SortKey::Modified => rows.sort_by_key(|(_, entry)| entry.modified),
            SortKey::Size => rows.sort_by_key(|(_, entry)| entry.bytes()),
        }
        if how.descending {
            rows.reverse();
        }
        if how.folders_first {
            rows.sort_by_key(|(_, entry)| !entry.is_folder());
        }
        rows.into_iter().map(|(id, _)| id).collect()
    }

    /// Checks a name for a new entry in a folder, or for the entry `own`. Names are case-sensitive.
    ///
    /// # Errors
    ///
    /// If the name is invalid or taken.
    pub fn check_name(&self, folder: EntryId, name: &str, own: Option<EntryId>) -> Result<(), NameError> {
        if name.is_empty() {
            return Err(NameError::Empty);
        }
        if name.contains('/') || name == "." || name == ".." {
            return Err(NameError::NotAllowed);
        }
        if self.children(folder).any(|(id, entry)| Some(id) != own && entry.name == name) {
            return Err(NameError::Taken(name.to_owned()));
        }
        Ok(())
    }

    /// Creates an entry. The name is not checked.
    pub fn insert(&mut self, parent: Option<EntryId>, name: &str, kind: Kind, modified: Date) -> EntryId {
        let id = self.next;
        self.next += 1;
        self.version += 1;
        let entry = Entry { parent, name: name.to_owned(), kind, modified, hidden: false, origin: None };
        self.entries.insert(id, entry);
        id
    }

    /// Renames an entry. The name is not checked.
    pub fn rename(&mut self, id: EntryId, name: &str) {
        self.change(id, |entry| name.clone_into(&mut entry.name));
    }

    /// Hides an entry or makes it visible.
    pub fn set_hidden(&mut self, id: EntryId, hidden: bool) {
        self.change(id, |entry| entry.hidden = hidden);
    }

    /// Replaces the text of a file.
    pub fn write(&mut self, id: EntryId, text: &str, now: Date) {
        self.change(id, |entry| {
            entry.kind = Kind::Text(text.to_owned());
            entry.modified = now;
        });
    }

    /// Replaces the contents of a file.
    pub fn set_kind(&mut self, id: EntryId, kind: Kind, now: Date) {
        self.change(id, |entry| {
            entry.kind = kind;
            entry.modified = now;
        });
    }

    /// Moves an entry to another folder.
    pub fn move_to(&mut self, id: EntryId, folder: EntryId) {
        self.change(id, |entry| entry.parent = Some(folder));
    }

    /// Copies an entry, including its contents, to a folder.
    pub fn copy_to(&mut self, id: EntryId, folder: EntryId, now: Date) {
        // All entries are listed before any is copied, since a folder may be copied into itself or a subfolder.
        let (mut listed, mut waiting) = (Vec::new(), vec![(id, None)]);
        while let Some((entry, parent)) = waiting.pop() {
            let inside: Vec<EntryId> = self.children(entry).map(|(child, _)| child).collect();
            waiting.extend(inside.into_iter().rev().map(|child| (child, Some(listed.len()))));
            listed.push((entry, parent));
        }
        let mut copies: Vec<EntryId> = Vec::new();
        for (entry, parent) in listed {
            let Some(entry) = self.get(entry).cloned() else { return };
            let into = parent.and_then(|parent: usize| copies.get(parent).copied()).unwrap_or(folder);
            copies.push(self.insert(Some(into), &entry.name, entry.kind, now));
        }
    }

    /// Moves the contents of an entry to a new node with the same name that belongs to no folder yet. Returns the node.
    pub fn take_out(&mut self, id: EntryId) -> Option<EntryId> {
        let entry = self.get(id)?.clone();
        let inside: Vec<EntryId> = self.children(id).map(|(child, _)| child).collect();
        let node = self.insert(None, &entry.name, entry.kind, entry.modified);
        for child in inside {
            self.move_to(child, node);
        }
        if let Some(Kind::Text(text)) = self.entries.get_mut(&id).map(|entry| &mut entry.kind) {
            text.clear();
        }
        Some(node)
    }

    /// Moves an entry to the bin.
    pub fn discard(&mut self, id: EntryId) {
        self.change(id, |entry| {
            entry.origin = entry.parent;
            entry.parent = Some(BIN);
        });
    }

    /// Moves an entry from the bin back to its former folder, or to the internal storage if that no longer exists.
    ///
    /// # Errors
    ///
    /// If its name is taken there.
    pub fn restore(&mut self, id: EntryId) -> Result<(), NameError> {
        let Some(entry) = self.get(id) else { return Ok(()) };
        let origin = entry.origin.filter(|origin| self.is_stored(*origin)).unwrap_or(INTERNAL);
        self.check_name(origin, &entry.name, Some(id))?;
        self.change(id, |entry| {
            entry.parent = Some(origin);
            entry.origin = None;
        });
        Ok(())
    }

    /// Deletes an entry permanently, including its contents.
    pub fn destroy(&mut self, id: EntryId) {
        let inside: Vec<EntryId> = self.children(id).map(|(child, _)| child).collect();
        for child in inside {
            self.destroy(child);
        }
        self.entries.remove(&id);
        self.version += 1;
    }

    fn change(&mut self, id: EntryId, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.entries.get_mut(&id) {
            change(entry);
            self.version += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::determinism::DeviceInstant;

    const PLAIN: Listing =
        Listing { key: SortKey::Name, descending: false, folders_first: true, show_hidden: false };

    fn storage(folders: &[&str]) -> (Storage, Vec<EntryId>) {
        let today = Date::at(DeviceInstant(0));
        let mut storage = Storage::empty(today);
        let ids =
            folders.iter().map(|name| storage.insert(Some(INTERNAL), name, Kind::Folder, today)).collect();
        (storage, ids)
    }

    fn names(storage: &Storage, how: Listing) -> Vec<&str> {
        storage.list(INTERNAL, how).iter().map(|id| storage.get(*id).unwrap().name.as_str()).collect()
    }

    #[test]
    fn a_listing_stands_in_the_chosen_order() {
        let (mut storage, ids) = storage(&["beta", "Alpha", "alpha", "Zoo"]);
        let later = Date::at(DeviceInstant(60_000));
        storage.insert(Some(INTERNAL), "a note", Kind::Text("hello".to_owned()), later);
        storage.set_hidden(ids[3], true);
        assert_eq!(names(&storage, PLAIN), ["Alpha", "alpha", "beta", "a note"]);
        let by_date = Listing { key: SortKey::Modified, descending: true, folders_first: false, ..PLAIN };
        assert_eq!(names(&storage, by_date)[0], "a note");
        let by_size = Listing { key: SortKey::Size, show_hidden: true, ..PLAIN };
        assert_eq!(names(&storage, by_size), ["Alpha", "alpha", "beta", "Zoo", "a note"]);
    }

    #[test]
    fn only_an_equal_name_in_the_same_folder_is_taken() {
        let (mut storage, ids) = storage(&["one", "two"]);
        assert_eq!(storage.check_name(INTERNAL, "one", None), Err(NameError::Taken("one".to_owned())));
        assert_eq!(storage.check_name(INTERNAL, "one", Some(ids[0])), Ok(()));
        assert_eq!(storage.check_name(INTERNAL, "One", None), Ok(()));
        assert_eq!(storage.check_name(INTERNAL, " one", None), Ok(()));
        assert_eq!(storage.check_name(ids[0], "one", None), Ok(()));
        assert_eq!(storage.check_name(INTERNAL, "a/b", None), Err(NameError::NotAllowed));
        assert_eq!(storage.check_name(INTERNAL, "", None), Err(NameError::Empty));
        storage.discard(ids[0]);
        assert_eq!(storage.check_name(INTERNAL, "one", None), Ok(()));
    }

    #[test]
    fn the_bin_gives_back_unless_the_name_is_taken() {
        let (mut storage, ids) = storage(&["one", "two"]);
        storage.discard(ids[0]);
        assert!(!storage.is_stored(ids[0]));
        storage.rename(ids[1], "one");
        assert_eq!(storage.restore(ids[0]), Err(NameError::Taken("one".to_owned())));
        storage.rename(ids[1], "two");
        assert_eq!(storage.restore(ids[0]), Ok(()));
        assert_eq!(names(&storage, PLAIN), ["one", "two"]);
        storage.destroy(ids[0]);
        assert_eq!(names(&storage, PLAIN), ["two"]);
    }

    #[test]
    fn a_folder_may_be_copied_into_itself_once() {
        let (mut storage, ids) = storage(&["one"]);
        let today = Date::at(DeviceInstant(0));
        storage.insert(Some(ids[0]), "inner", Kind::Folder, today);
        storage.copy_to(ids[0], ids[0], today);
        assert_eq!(storage.children(ids[0]).count(), 2);
        assert!(storage.is_within(ids[0], INTERNAL));
    }

    #[test]
    fn a_folder_may_be_copied_into_what_it_holds() {
        let (mut storage, ids) = storage(&["one"]);
        let today = Date::at(DeviceInstant(0));
        let inner = storage.insert(Some(ids[0]), "inner", Kind::Folder, today);
        storage.copy_to(ids[0], inner, today);
        let copy = storage.children(inner).next().unwrap().0;
        assert_eq!(
            storage.children(copy).map(|(_, entry)| entry.name.as_str()).collect::<Vec<_>>(),
            ["inner"]
        );
    }
}
