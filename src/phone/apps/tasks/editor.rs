//! The editor of a task: title, notes, whether it is important, a reminder, Save. Back asks before changes are lost.

use crate::{
    Align, Changed, CheckStyle, Color, Edges, Env, Icon, ImeAction, Setting, Size, System, View,
    page_toolbar, text_field, toolbar_action,
};
use taproof_screen::words;

use super::store::{Draft, Task, TaskId};
use super::{NOTIFY, Page, Tasks, bugs};

/// The package whose window shows calls.
const DIALER: &str = "com.android.dialer";

/// The page of the editor.
#[derive(Clone, Debug, Default)]
pub struct Editor {
    /// The task being edited. `None` for a new one.
    task: Option<TaskId>,
    draft: Draft,
    /// The draft before each change. What is typed in one field, letter by letter or at once, is one change.
    history: Vec<Draft>,
    /// The field that the last change was typed in.
    typed_in: Option<Field>,
    /// Whether the last change was taken back.
    undone: bool,
    error: &'static str,
}

/// A field of the editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Title,
    Notes,
}

words! {
    /// A message to the editor.
    #[derive(Clone, Debug)]
    pub enum Msg {
        /// The title was changed to this.
        Title(String) = "tasks.editor.title",
        /// The notes were changed to this.
        Notes(String) = "tasks.editor.notes",
        /// The box "Important" was tapped.
        Important = "tasks.editor.important",
        /// The box "Remind me" was tapped.
        Remind = "tasks.editor.remind",
        /// The user has answered whether the app may show notifications.
        MayNotify(bool) = [
            true => "tasks.editor.remind-allowed",
            false => "tasks.editor.remind-denied",
        ],
        /// Takes the last change back.
        Undo = "tasks.editor.undo",
        /// The arrow at the top left was tapped.
        Up = "tasks.editor.up",
        /// Saves the task and closes the page.
        Save = "tasks.editor.save",
    }
    fn point(&self);
}

impl Msg {
    /// The field that was typed in.
    fn field(&self) -> Option<Field> {
        match self {
            Msg::Title(_) => Some(Field::Title),
            Msg::Notes(_) => Some(Field::Notes),
            Msg::Important | Msg::Remind | Msg::MayNotify(_) | Msg::Undo | Msg::Up | Msg::Save => None,
        }
    }
}

impl Editor {
    /// The editor for an existing task.
    pub fn of(task: &Task) -> Self {
        Editor { task: Some(task.id), draft: draft_of(task), ..Editor::default() }
    }

    /// The editor with empty notes.
    pub fn without_notes(mut self) -> Self {
        self.draft.notes.clear();
        self
    }
}

fn draft_of(task: &Task) -> Draft {
    Draft {
        title: task.title.clone(),
        notes: task.notes.clone(),
        important: task.important,
        remind: task.remind,
    }
}

impl Tasks {
    /// The view: in landscape, the boxes are beside the title.
    pub(super) fn editor_view(&self, editor: &Editor, env: &Env<'_>) -> View<super::Msg> {
        let heading = if editor.task.is_some() { "Edit task" } else { "New task" };
        let action = |id, icon, desc, msg| toolbar_action(id, icon, desc, super::Msg::Editor(msg));
        let mut actions = vec![action("action_save", Icon::Save, "Save", Msg::Save)];
        if !editor.history.is_empty() {
            actions.insert(0, action("action_undo", Icon::Undo, "Undo", Msg::Undo));
        }
        let sideways = env.rotation.sideways();
        let (title, notes) = (title_field(editor), notes_field(editor, sideways));
        let unbound = sideways && self.bugs.has(bugs::LANDSCAPE_IMPORTANT);
        let checked = editor.draft.important && !unbound;
        let important = super::Msg::Editor(Msg::Important);
        let important =
            View::check(CheckStyle::CheckBox, checked, "Important", important).id("check_important");
        let remind = super::Msg::Editor(Msg::Remind);
        let remind =
            View::check(CheckStyle::CheckBox, editor.draft.remind, "Remind me", remind).id("check_remind");
        let rows = if sideways {
            env.cover("tasks.view.editor-sideways");
            let beside =
                View::column(vec![important, remind]).margin(Edges { left: 16, top: 0, right: 8, bottom: 0 });
            let title = View::column(vec![title]).grow_x();
            vec![View::row(vec![title, beside.align(Align::Start, Align::Start)]), notes]
        } else {
            vec![title, notes, important, remind]
        };
        let fields = View::column(rows).pad(Edges::symmetric(12, 8));
        View::column(vec![
            page_toolbar(env.accent, super::Msg::Editor(Msg::Up), heading, actions),
            View::scroll("editor_scroll", fields).grow_y(),
        ])
        .fill()
        .background(Color::SURFACE)
    }

    pub(super) fn update_editor(&mut self, editor: &mut Editor, msg: Msg, sys: &mut System<Tasks>) {
        sys.cover(msg.point());
        let turns_off = matches!(msg, Msg::Remind) && editor.draft.remind;
        let changes = match &msg {
            Msg::Title(text) => *text != editor.draft.title,
            Msg::Notes(text) => *text != editor.draft.notes,
            Msg::Important | Msg::MayNotify(true) => true,
            Msg::Remind => turns_off,
            Msg::MayNotify(false) | Msg::Undo | Msg::Up | Msg::Save => false,
        };
        let after_undo = changes && std::mem::take(&mut editor.undone);
        if changes {
            let goes_on = msg.field().is_some() && msg.field() == editor.typed_in;
            if !goes_on {
                editor.history.push(editor.draft.clone());
            }
            editor.typed_in = msg.field();
        }
        match msg {
            Msg::Title(text) => {
                editor.draft.title = text;
                editor.error = "";
            }
            Msg::Notes(text) => editor.draft.notes = text,
            Msg::Important if self.faulty(bugs::REDO_IMPORTANT, after_undo) => {}
            Msg::Important => editor.draft.important = !editor.draft.important,
            Msg::Remind if turns_off => editor.draft.remind = false,
            Msg::Remind => {
                sys.request_permission(NOTIFY, |may| super::Msg::Editor(Msg::MayNotify(may)));
            }
            Msg::MayNotify(may) => (self.may_notify, editor.draft.remind) = (may, may),
            Msg::Undo => self.undo(editor),
            Msg::Up => self.back_from_editor(editor, sys),
            Msg::Save => self.save(editor, sys),
        }
    }

    fn undo(&self, editor: &mut Editor) {
        if let Some(before) = editor.history.pop() {
            editor.draft = before;
            (editor.typed_in, editor.undone) = (None, true);
        }
        if self.bugs.has(bugs::UNDO_NOTES) {
            editor.draft.notes.clear();
        }
    }

    fn save(&mut self, editor: &mut Editor, sys: &mut System<Tasks>) {
        if editor.draft.title.trim().is_empty() {
            sys.cover("tasks.editor.refused");
            editor.error = "Enter a title";
            return;
        }
        let id = match editor.task {
            Some(id) => {
                sys.cover("tasks.editor.save-changed");
                self.store.change(id, editor.draft.clone());
                id
            }
            None => {
                sys.cover("tasks.editor.save-new");
                self.store.add(editor.draft.clone())
            }
        };
        self.send(id, sys);
        sys.finish();
    }

    /// What the file contains of the task being edited.
    fn saved(&self, editor: &Editor) -> Draft {
        editor.task.and_then(|id| self.store.task(id)).map(draft_of).unwrap_or_default()
    }

    pub(super) fn back_from_editor(&mut self, editor: &Editor, sys: &mut System<Tasks>) {
        if self.saved(editor) == editor.draft {
            sys.cover("tasks.back.unchanged");
            sys.finish();
        } else {
            sys.cover("tasks.back.asks");
            sys.open(Page::Discard);
        }
    }

    /// Keeps everything in a sound build.
    pub(super) fn editor_recreated(&self, editor: &mut Editor, changed: Changed) {
        if changed.font_scale && self.bugs.has(bugs::FONT_IMPORTANT) {
            editor.draft.important = false;
        }
        if self.faulty(bugs::DISPLAY_TITLE, changed.display_size) {
            editor.draft.title = self.saved(editor).title;
        }
        if changed.rotation && self.bugs.has(bugs::ROTATE_NOTES) {
            editor.draft.notes.clear();
        }
    }

    /// Keeps everything in a sound build.
    pub(super) fn editor_told(&self, editor: &mut Editor, setting: Setting) {
        if self.faulty(bugs::QUIET_IMPORTANT, setting == Setting::DoNotDisturb) {
            editor.draft.important = false;
        }
        if self.faulty(bugs::STORAGE_NOTES, setting == Setting::LowStorage) {
            editor.draft.notes.clear();
        }
    }

    /// Keeps everything in a sound build.
    pub(super) fn editor_restored(&self, editor: &mut Editor, may_notify: bool) {
        if self.faulty(bugs::PERMISSION_DRAFT, self.may_notify && !may_notify) {
            editor.draft = self.saved(editor);
        }
        if self.bugs.has(bugs::DEATH_DRAFT) {
            editor.draft.title = self.saved(editor).title;
        }
    }

    /// Keeps everything in a sound build.
    pub(super) fn editor_uncovered(&self, editor: &mut Editor, by: &str) {
        if by == DIALER && self.bugs.has(bugs::CALL_NOTES) {
            editor.draft.notes.clear();
        }
    }
}

fn title_field(editor: &Editor) -> View<super::Msg> {
    let field =
        View::field("edit_title", editor.draft.title.clone(), |text| super::Msg::Editor(Msg::Title(text)));
    text_field(field.hint("Title").with_field(|field| field.ime = ImeAction::Next), editor.error)
}

fn notes_field(editor: &Editor, sideways: bool) -> View<super::Msg> {
    View::field("edit_notes", editor.draft.notes.clone(), |text| super::Msg::Editor(Msg::Notes(text)))
        .hint("Notes")
        .with_field(|field| {
            field.multi_line = true;
            field.max_len = 5000;
        })
        .height(Size::Dp(if sideways { 112 } else { 136 }))
}
