//! The editor of a note: title, text, Save. Back asks before changes are lost, or saves them, depending on the
//! settings.

use crate::{
    Color, Edges, Env, Icon, ImeAction, Size, System, View, page_toolbar, text_field, toolbar_action,
};
use taproof_screen::words;

use super::folders::{FolderId, Refusal};
use super::store::{Note, NoteId};
use super::{Notes, Page};

/// The page of the editor.
#[derive(Clone, Debug)]
pub struct Editor {
    /// The note being edited. `None` for a new one.
    note: Option<NoteId>,
    folder: FolderId,
    title: String,
    body: String,
    error: &'static str,
}

words! {
    /// A message to the editor.
    #[derive(Clone, Debug)]
    pub enum Msg {
        /// The title was changed to this.
        Title(String) = "notes.editor.title",
        /// The text was changed to this.
        Body(String) = "notes.editor.body",
        /// The arrow at the top left was tapped.
        Up = "notes.editor.up",
        /// Opens the menu of the editor.
        Menu = "notes.editor.menu",
        /// Saves the note and closes the page.
        Save = "notes.editor.save",
    }
    fn point(&self);
}

impl Editor {
    /// The editor for a new note.
    pub fn blank(folder: FolderId) -> Self {
        Editor { note: None, folder, title: String::new(), body: String::new(), error: "" }
    }

    /// The editor for an existing note.
    pub fn of(note: &Note) -> Self {
        Editor {
            note: Some(note.id),
            folder: note.folder,
            title: note.title.clone(),
            body: note.body.clone(),
            error: "",
        }
    }

    /// The view: two fields below a toolbar.
    pub fn view(&self, env: &Env<'_>) -> View<super::Msg> {
        let heading = if self.note.is_some() { "Edit note" } else { "New note" };
        let bar = page_toolbar(
            env.accent,
            super::Msg::Editor(Msg::Up),
            heading,
            vec![
                toolbar_action("action_save", Icon::Save, "Save", super::Msg::Editor(Msg::Save)),
                toolbar_action("action_more", Icon::MoreVert, "More options", super::Msg::Editor(Msg::Menu)),
            ],
        );
        let title =
            View::field("edit_title", self.title.clone(), |text| super::Msg::Editor(Msg::Title(text)))
                .hint("Title")
                .with_field(|field| field.ime = ImeAction::Next);
        let body = View::field("edit_body", self.body.clone(), |text| super::Msg::Editor(Msg::Body(text)))
            .hint("Write something")
            .with_field(|field| {
                field.multi_line = true;
                field.max_len = 20_000;
            })
            .height(Size::Dp(280));
        let fields = View::column(vec![text_field(title, self.error), body]).pad(Edges::symmetric(12, 8));
        View::column(vec![bar, View::scroll("editor_scroll", fields).grow_y()])
            .fill()
            .background(Color::SURFACE)
    }
}

impl Notes {
    fn changed(&self, editor: &Editor) -> bool {
        let saved = editor.note.and_then(|note| self.store.note(note));
        let (title, body) = saved.map_or(("", ""), |note| (&note.title, &note.body));
        editor.title != title || editor.body != body
    }

    /// Whether the editor has unsaved changes of an existing note.
    pub(super) fn changes_a_note(&self, editor: &Editor) -> bool {
        editor.note.is_some() && self.changed(editor)
    }

    fn save(&mut self, editor: &Editor, sys: &mut System<Notes>) -> Result<(), Refusal> {
        sys.cover(match editor.note {
            None => "notes.editor.save-new",
            Some(_) => "notes.editor.save-changed",
        });
        match editor.note {
            None => self.store.create(editor.folder, &editor.title, &editor.body, sys.now).map(|_id| ()),
            Some(note) => {
                self.store.rename(note, &editor.title, sys.now)?;
                self.store.set_body(note, &editor.body, sys.now);
                Ok(())
            }
        }
    }

    fn save_and_close(&mut self, editor: &mut Editor, sys: &mut System<Notes>) {
        match self.save(editor, sys) {
            Ok(()) => {
                sys.toast("Saved");
                sys.finish();
            }
            Err(refusal) => {
                sys.cover("notes.editor.refused");
                editor.error = refusal.text();
            }
        }
    }

    pub(super) fn update_editor(&mut self, editor: &mut Editor, msg: Msg, sys: &mut System<Notes>) {
        sys.cover(msg.point());
        match msg {
            Msg::Title(text) => {
                editor.title = text;
                editor.error = "";
            }
            Msg::Body(text) => editor.body = text,
            Msg::Up => self.back_from_editor(editor, sys),
            Msg::Menu => {
                let words = editor.body.split_whitespace().count();
                sys.open(Page::EditorMenu(editor.note, words, editor.body.chars().count()));
            }
            Msg::Save => self.save_and_close(editor, sys),
        }
    }

    pub(super) fn back_from_editor(&mut self, editor: &mut Editor, sys: &mut System<Notes>) {
        if !self.changed(editor) {
            sys.cover("notes.back.unchanged");
            sys.finish();
        } else if self.settings.save_on_back {
            sys.cover("notes.back.saves");
            self.save_and_close(editor, sys);
        } else {
            sys.cover("notes.back.asks");
            sys.open(Page::Discard);
        }
    }
}
