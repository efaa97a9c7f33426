//! The dialogs: for names, for a target folder, for confirmations, for the order of lists, and for information.

use crate::{CheckStyle, Color, Env, Icon, Size, System, View, dialog, dialog_message, list_row, text_field};

use super::folders::{FolderId, Refusal};
use super::store::{NoteId, Shelf, SortOrder};
use super::{Action, Notes, dated};

/// What a name is requested for.
#[derive(Clone, Copy, Debug)]
pub enum Named {
    /// A new folder in this one.
    NewFolder(FolderId),
    /// An existing folder, to be renamed.
    Folder(FolderId),
    /// An existing note, to be renamed.
    Note(NoteId),
}

/// A dialog that requests a name.
#[derive(Clone, Debug)]
pub struct NameDialog {
    named: Named,
    text: String,
    error: &'static str,
}

/// A message to a [`NameDialog`].
#[derive(Clone, Debug)]
pub enum Msg {
    /// The text of the field was changed to this.
    Typed(String),
    /// The positive button was tapped.
    Confirmed,
}

impl NameDialog {
    /// Creates a dialog whose field contains `text`.
    pub fn new(named: Named, text: &str) -> Self {
        NameDialog { named, text: text.to_owned(), error: "" }
    }

    /// The view: field, error message, buttons. The keyboard's Done only closes the keyboard.
    pub fn view(&self, env: &Env<'_>) -> View<super::Msg> {
        let (title, button, hint) = match self.named {
            Named::NewFolder(_) => ("New folder", "Create", "Folder name"),
            Named::Folder(_) => ("Rename folder", "Rename", "Folder name"),
            Named::Note(_) => ("Rename note", "Rename", "Title"),
        };
        let field = View::field("name_field", self.text.clone(), |text| super::Msg::Name(Msg::Typed(text)))
            .hint(hint)
            .auto_focus();
        let buttons = vec![("Cancel", super::Msg::Close), (button, super::Msg::Name(Msg::Confirmed))];
        dialog(title, vec![text_field(field, self.error)], env.accent, buttons)
    }
}

impl Notes {
    pub(super) fn update_name(&mut self, dialog: &mut NameDialog, msg: Msg, sys: &mut System<Notes>) {
        match msg {
            Msg::Typed(text) => {
                sys.cover("notes.name.typed");
                dialog.text = text;
                dialog.error = "";
            }
            Msg::Confirmed => {
                sys.cover(match dialog.named {
                    Named::NewFolder(_) => "notes.name.new-folder",
                    Named::Folder(_) => "notes.name.folder",
                    Named::Note(_) => "notes.name.note",
                });
                let named = match dialog.named {
                    Named::NewFolder(parent) => self.store.create_folder(parent, &dialog.text).map(|_id| ()),
                    Named::Folder(folder) => self.store.rename_folder(folder, &dialog.text),
                    Named::Note(note) => self.store.rename(note, &dialog.text, sys.now),
                };
                match named {
                    Ok(()) => sys.finish(),
                    Err(refusal) => {
                        sys.cover(match refusal {
                            Refusal::Empty => "notes.name.empty",
                            Refusal::Slash => "notes.name.slash",
                            Refusal::Taken => "notes.name.taken",
                        });
                        dialog.error = refusal.text();
                    }
                }
            }
        }
    }

    /// The view of the dialog with all folders but the note's own.
    pub(super) fn move_dialog(&self, id: NoteId, env: &Env<'_>) -> View<super::Msg> {
        let here = self.store.note(id).map_or(FolderId::ROOT, |note| note.folder);
        let others: Vec<_> = self.store.folders().iter().filter(|folder| folder.id != here).collect();
        let rows = View::list("move_list", env, others.len(), 48, |row| match others.get(row) {
            Some(folder) => list_row(
                Some((Icon::Folder, Color::SECONDARY)),
                ("move_target", self.store.path(folder.id)),
                ("", String::new()),
                Vec::new(),
            )
            .id("move_row")
            .click(super::Msg::Do(Action::Move(id, folder.id))),
            None => View::space(),
        });
        let rows = rows.height(Size::Dp((48 * others.len() as i32).min(192)));
        dialog("Move to folder", vec![rows], env.accent, vec![("Cancel", super::Msg::Close)])
    }

    /// The view of the dialog that asks to confirm an action.
    pub(super) fn confirm_dialog(&self, action: Action, env: &Env<'_>) -> View<super::Msg> {
        let title = |note| self.store.note(note).map_or("", |note| note.title.as_str());
        let (heading, text, button) = match action {
            Action::Trash(note) => {
                ("Delete note?", format!("\"{}\" goes to the trash.", title(note)), "Delete")
            }
            Action::DeleteFolder(folder) => {
                let name = &self.store.folder(folder).name;
                ("Delete folder?", format!("What is in \"{name}\" goes to the trash."), "Delete")
            }
            Action::EmptyTrash => ("Empty trash?", "Its notes are deleted for good.".to_owned(), "Empty"),
            Action::Clear => {
                ("Clear all notes?", "All notes, archive and trash are deleted.".to_owned(), "Clear all")
            }
            Action::ResetSettings => ("Reset settings?", "Your notes are kept.".to_owned(), "Reset"),
            Action::Pin(..)
            | Action::Archive(_)
            | Action::Restore(_)
            | Action::Purge(_)
            | Action::Move(..)
            | Action::Sort(_) => ("Go on?", String::new(), "OK"),
        };
        let buttons = vec![("Cancel", super::Msg::Close), (button, super::Msg::Do(action))];
        dialog(heading, vec![dialog_message(text)], env.accent, buttons)
    }

    /// The dialog with a note's dates and location.
    pub(super) fn details(&self, id: NoteId) -> Info {
        let Some(note) = self.store.note(id) else { return Info::missing() };
        let place = match note.shelf {
            Shelf::Folder => self.store.path(note.folder),
            Shelf::Archive => "Archive".to_owned(),
            Shelf::Trash => "Trash".to_owned(),
        };
        Info {
            title: "Details",
            lines: vec![
                format!("Folder: {place}"),
                format!("Created: {}", dated(note.created)),
                format!("Changed: {}", dated(note.changed)),
                format!("Words: {}", note.words()),
            ],
        }
    }
}

/// A dialog that only informs.
#[derive(Clone, Debug)]
pub struct Info {
    title: &'static str,
    lines: Vec<String>,
}

impl Info {
    /// The dialog for a note that no longer exists.
    pub fn missing() -> Self {
        Info { title: "Note not found", lines: vec!["It was moved or deleted.".to_owned()] }
    }

    /// Whether it is the dialog for a note that no longer exists.
    pub fn is_missing(&self) -> bool {
        self.title == Info::missing().title
    }

    /// The dialog with the numbers of words and characters.
    pub fn count(words: usize, chars: usize) -> Self {
        let lines = vec![format!("Words: {words}"), format!("Characters: {chars}")];
        Info { title: "Word count", lines }
    }

    /// The dialog about new features.
    pub fn news() -> Self {
        let lines = ["Folders in folders", "Pinned notes stay on top", "The trash can be emptied"];
        Info { title: "What's new", lines: lines.map(str::to_owned).to_vec() }
    }

    /// The view: the lines and a button.
    pub fn view(&self, env: &Env<'_>) -> View<super::Msg> {
        let lines = self.lines.iter().cloned().map(dialog_message).collect();
        dialog(self.title, lines, env.accent, vec![("Close", super::Msg::Close)])
    }
}

/// The view of the dialog that asks whether to discard changes.
pub fn discard_dialog(env: &Env<'_>) -> View<super::Msg> {
    let buttons = vec![("Keep editing", super::Msg::Close), ("Discard", super::Msg::CloseBoth)];
    let text = dialog_message("What you have written since it was saved will be lost.");
    dialog("Discard changes?", vec![text], env.accent, buttons)
}

/// The view of the dialog for the order of lists.
pub fn sort_dialog(order: SortOrder, env: &Env<'_>) -> View<super::Msg> {
    let choices = [
        (SortOrder::Title, "By title"),
        (SortOrder::Newest, "Newest first"),
        (SortOrder::Oldest, "Oldest first"),
    ];
    let choices = choices
        .map(|(choice, label)| {
            let msg = super::Msg::Do(Action::Sort(choice));
            View::check(CheckStyle::Radio, choice == order, label, msg).width(Size::Match)
        })
        .into();
    let group = View::column(choices).class("android.widget.RadioGroup").id("sort_group");
    dialog("Sort", vec![group], env.accent, vec![("Cancel", super::Msg::Close)])
}
