//! Folders: their hierarchy, their names, and what happens to their notes.

use super::store::{NoteId, Shelf, Store};
use taproof_screen::words;

/// The id of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderId(u32);

impl FolderId {
    /// The folder that contains all others.
    pub const ROOT: FolderId = FolderId(0);
}

#[derive(Clone, Debug)]
pub struct Folder {
    pub id: FolderId,
    /// The parent folder. The root's is the root itself.
    pub parent: FolderId,
    pub name: String,
}

words! {
    /// Why a name is refused.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Refusal {
        /// The name is empty.
        Empty = "The name must not be empty",
        /// The name of a folder contains `/`.
        Slash = "A folder's name must not contain /",
        /// Another folder in the same parent has the name.
        Taken = "A folder of this name exists already",
    }
    /// The error message for the user.
    pub fn text;
}

impl Store {
    /// Returns the folder with this id, or the root if it no longer exists.
    pub fn folder(&self, id: FolderId) -> &Folder {
        self.folders.iter().find(|folder| folder.id == id).unwrap_or(&self.folders[0])
    }

    /// The direct subfolders of a folder, sorted by name.
    pub fn folders_in(&self, parent: FolderId) -> impl Iterator<Item = &Folder> {
        self.folders.iter().filter(move |folder| folder.parent == parent && folder.id != FolderId::ROOT)
    }

    /// All folders, sorted by name after the root.
    pub fn folders(&self) -> &[Folder] {
        &self.folders
    }

    /// The path of a folder from the root, such as `Notes/Work`.
    pub fn path(&self, folder: FolderId) -> String {
        let folder = self.folder(folder);
        if folder.id == FolderId::ROOT {
            return folder.name.clone();
        }
        let mut path = self.path(folder.parent);
        path.push('/');
        path.push_str(&folder.name);
        path
    }

    /// All subfolders of a folder at any depth, without the folder itself.
    pub(super) fn folders_below(&self, folder: FolderId) -> Vec<FolderId> {
        let mut below: Vec<FolderId> = self.folders_in(folder).map(|folder| folder.id).collect();
        let mut next = 0;
        while let Some(parent) = below.get(next).copied() {
            below.extend(self.folders_in(parent).map(|folder| folder.id));
            next += 1;
        }
        below
    }

    pub(super) fn push_folder(&mut self, parent: FolderId, name: &str) -> FolderId {
        let id = FolderId(self.next_id());
        self.folders.push(Folder { id, parent, name: name.to_owned() });
        id
    }

    fn check_folder_name(&self, parent: FolderId, name: &str) -> Result<(), Refusal> {
        if name.is_empty() {
            Err(Refusal::Empty)
        } else if name.contains('/') {
            Err(Refusal::Slash)
        } else if self.folders_in(parent).any(|folder| folder.name == name) {
            Err(Refusal::Taken)
        } else {
            Ok(())
        }
    }

    /// Creates a folder.
    ///
    /// # Errors
    ///
    /// If the name is invalid or taken.
    pub fn create_folder(&mut self, parent: FolderId, name: &str) -> Result<FolderId, Refusal> {
        self.check_folder_name(parent, name)?;
        let id = self.push_folder(parent, name);
        self.sort();
        Ok(id)
    }

    /// Renames a folder.
    ///
    /// # Errors
    ///
    /// If the name is invalid or taken.
    pub fn rename_folder(&mut self, id: FolderId, name: &str) -> Result<(), Refusal> {
        let folder = self.folder(id);
        if folder.name == name {
            return Ok(());
        }
        self.check_folder_name(folder.parent, name)?;
        if let Some(folder) = self.folders.iter_mut().find(|folder| folder.id == id) {
            folder.name = name.to_owned();
        }
        self.sort();
        Ok(())
    }

    /// Deletes a folder and its subfolders. Their notes are moved to the trash, from which they can be restored into
    /// the root.
    pub fn delete_folder(&mut self, id: FolderId) {
        let mut gone = self.folders_below(id);
        gone.push(id);
        let notes: Vec<(NoteId, Shelf)> = self
            .notes
            .iter()
            .filter(|note| gone.contains(&note.folder))
            .map(|note| (note.id, note.shelf))
            .collect();
        for (note, shelf) in notes {
            if shelf == Shelf::Folder {
                self.trash(note);
            }
            self.move_to(note, FolderId::ROOT);
        }
        self.folders.retain(|folder| folder.id == FolderId::ROOT || !gone.contains(&folder.id));
    }
}
