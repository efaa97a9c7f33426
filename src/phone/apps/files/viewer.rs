//! The pages that show one file: the text editor, and the viewer of pictures and recordings.

use super::dialogs::Dialog;
use super::messages::{EditorMsg, Msg, ViewerMsg};
use super::rows::size_in_words;
use super::storage::{EntryId, Kind};
use super::{Files, Page, Sys};
use crate::{Align, Color, Edges, Env, Icon, Picture, Size, View, loading, page_toolbar, toolbar_action};

/// How long saving takes, in ms.
const SAVE_MILLIS: u64 = 150;

/// The page of the text editor.
#[derive(Clone, Debug)]
pub struct Editor {
    /// The file being edited.
    pub id: EntryId,
    /// The text of the field.
    pub text: String,
    /// Whether the text is being saved.
    pub saving: bool,
}

/// The page of a picture or a recording.
#[derive(Clone, Debug)]
pub struct Viewer {
    /// The file that is shown.
    pub id: EntryId,
    /// Whether the recording is playing.
    pub playing: bool,
}

impl Files {
    pub(super) fn editor_update(&mut self, editor: &mut Editor, msg: EditorMsg, sys: &mut Sys) {
        sys.cover(msg.point());
        match msg {
            EditorMsg::Typed(text) => editor.text = text,
            EditorMsg::Save if self.has_changes(editor) => {
                editor.saving = true;
                sys.hide_keyboard();
                sys.after(SAVE_MILLIS, Msg::Editor(EditorMsg::Saved));
            }
            EditorMsg::Save => {
                sys.cover("files.editor.nothing-to-save");
                sys.toast("Nothing to save");
            }
            EditorMsg::Saved => {
                editor.saving = false;
                self.write(editor, sys);
            }
            EditorMsg::Details => sys.open(Page::Dialog(Dialog::Details(editor.id))),
            EditorMsg::Discard => sys.finish(),
            EditorMsg::SaveAndLeave => {
                self.write(editor, sys);
                sys.finish();
            }
        }
    }

    /// Handles Back. Never saves without asking.
    pub(super) fn editor_back(&self, editor: &Editor, sys: &mut Sys) {
        if self.has_changes(editor) {
            sys.cover("files.back.unsaved");
            sys.open(Page::Dialog(Dialog::Unsaved));
        } else {
            sys.cover("files.back.editor");
            sys.finish();
        }
    }

    fn write(&mut self, editor: &Editor, sys: &mut Sys) {
        let today = sys.today();
        self.storage_mut().write(editor.id, &editor.text, today);
        sys.toast("Saved");
    }

    fn has_changes(&self, editor: &Editor) -> bool {
        let kept = self.storage.get(editor.id).map(|entry| &entry.kind);
        !matches!(kept, Some(Kind::Text(text)) if *text == editor.text)
    }

    pub(super) fn editor_view(&self, editor: &Editor, env: &Env<'_>) -> View<Msg> {
        let send = Msg::Editor;
        let bar = page_toolbar(
            env.accent,
            Msg::Leave,
            self.name_of(editor.id),
            vec![
                toolbar_action("save", Icon::Save, "Save", send(EditorMsg::Save)),
                toolbar_action("details", Icon::Info, "Details", send(EditorMsg::Details)),
            ],
        );
        let status = if self.has_changes(editor) { "Changed" } else { "Saved" };
        let field =
            View::field("editor_text", editor.text.clone(), |text| Msg::Editor(EditorMsg::Typed(text)))
                .hint("Empty file")
                .with_field(|field| field.multi_line = true)
                .fill()
                .pad(Edges::all(16));
        let body = if editor.saving { loading("save_progress") } else { field };
        let status = View::text(status)
            .id("editor_status")
            .size(12)
            .color(Color::SECONDARY)
            .width(Size::Match)
            .pad(Edges::symmetric(16, 8));
        View::column(vec![bar, View::frame(vec![body]).grow_y(), status]).fill().background(Color::WHITE)
    }

    pub(super) fn viewer_update(&mut self, viewer: &mut Viewer, msg: ViewerMsg, sys: &mut Sys) {
        sys.cover(msg.point());
        match msg {
            ViewerMsg::Play => {
                viewer.playing = !viewer.playing;
                if !viewer.playing {
                    sys.cover("files.viewer.pause");
                }
            }
            ViewerMsg::Details => sys.open(Page::Dialog(Dialog::Details(viewer.id))),
            ViewerMsg::Turn(forward) => {
                viewer.playing = false;
                let shown = self.neighbour(viewer.id, forward);
                if shown == viewer.id {
                    sys.cover("files.viewer.the-only-one");
                }
                viewer.id = shown;
            }
        }
    }

    /// The next or the previous file of the same kind in the same folder, cyclically.
    fn neighbour(&self, id: EntryId, forward: bool) -> EntryId {
        let Some(entry) = self.storage.get(id) else { return id };
        let Some(folder) = entry.parent else { return id };
        let alike: Vec<EntryId> = self
            .storage
            .list(folder, self.settings.listing)
            .into_iter()
            .filter(|other| {
                let kind = self.storage.get(*other).map(|other| std::mem::discriminant(&other.kind));
                kind == Some(std::mem::discriminant(&entry.kind))
            })
            .collect();
        let Some(place) = alike.iter().position(|other| *other == id) else { return id };
        let step = if forward { 1 } else { alike.len() - 1 };
        alike.get((place + step) % alike.len()).copied().unwrap_or(id)
    }

    pub(super) fn viewer_view(&self, viewer: &Viewer, env: &Env<'_>) -> View<Msg> {
        let send = Msg::Viewer;
        let entry = self.storage.get(viewer.id);
        let details = toolbar_action("details", Icon::Info, "Details", send(ViewerMsg::Details));
        let bar = page_toolbar(env.accent, Msg::Leave, self.name_of(viewer.id), vec![details]);
        let middle = |view: View<Msg>| view.align(Align::Center, Align::Center);
        let (body, words) = match entry.map(|entry| &entry.kind) {
            Some(Kind::Image(seed, bytes)) => {
                let picture = View::picture(Picture(*seed)).id("image").desc("Picture").fill();
                (picture, size_in_words(*bytes))
            }
            Some(Kind::Audio(seconds, _)) => {
                let (icon, desc) =
                    if viewer.playing { (Icon::Pause, "Pause") } else { (Icon::PlayArrow, "Play") };
                let button =
                    View::icon_button(icon, Color::WHITE, desc, send(ViewerMsg::Play)).id("play_pause");
                (middle(button), format!("{}:{:02}", seconds / 60, seconds % 60))
            }
            Some(Kind::Folder | Kind::Text(_) | Kind::Other(_)) | None => (View::space(), String::new()),
        };
        let arrow =
            |icon, desc, forward| View::icon_button(icon, Color::WHITE, desc, send(ViewerMsg::Turn(forward)));
        let words = View::text(words)
            .id("media_info")
            .size(14)
            .color(Color::WHITE)
            .style(|style| style.align = Align::Center)
            .grow_x()
            .align(Align::Start, Align::Center);
        let foot = View::row(vec![
            arrow(Icon::ArrowBack, "Previous", false),
            words,
            arrow(Icon::ChevronRight, "Next", true),
        ]);
        View::column(vec![bar, View::frame(vec![body]).grow_y(), foot]).fill().background(Color(0x101418))
    }
}
