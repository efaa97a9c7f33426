//! The dialogs: their contents, and the effects of the answers.

use super::menus::PickedFrom;
use super::messages::{DialogMsg, EditorMsg, Msg};
use super::rows::size_in_words;
use super::storage::{EntryId, Kind, Listing, NameError, SortKey};
use super::{Files, Settings, Sys};
use crate::{self as toolkit, CheckStyle, Color, Edges, Env, ImeAction, Size, View, popup_item, text_field};

/// Height in dp below which a dialog for a name is reduced to one row, as in landscape with an open keyboard.
const ROOM_FOR_TITLE: i32 = 220;

/// A dialog with its state.
#[derive(Clone, Debug)]
pub enum Dialog {
    /// Requests a name for a new or an existing entry.
    Name {
        /// What the name is for.
        purpose: NamePurpose,
        /// The text of the field.
        text: String,
        /// Why the name was refused, if it was.
        error: Option<NameError>,
    },
    /// Asks whether to move entries to the bin.
    Delete(Vec<EntryId>),
    /// Asks whether to delete entries of the bin permanently.
    Destroy(Vec<EntryId>),
    /// Requests the order of lists.
    Sort(Listing),
    /// Shows the details of an entry.
    Details(EntryId),
    /// Asks what to do with a changed text.
    Unsaved,
    /// Asks whether to reset the settings.
    Reset,
    /// Asks how to open a file that no page can show.
    OpenWith,
}

/// What a name is requested for.
#[derive(Clone, Copy, Debug)]
pub enum NamePurpose {
    /// A new folder in this one.
    NewFolder(EntryId),
    /// A new file in this folder.
    NewFile(EntryId),
    /// An existing entry, which was chosen there.
    Rename(EntryId, PickedFrom),
}

fn send(msg: DialogMsg) -> Msg {
    Msg::Dialog(msg)
}

impl Dialog {
    /// Creates a dialog that requests a name. Its field contains `text`.
    pub fn name(purpose: NamePurpose, text: &str) -> Self {
        Dialog::Name { purpose, text: text.to_owned(), error: None }
    }
}

impl Files {
    pub(super) fn dialog_update(&mut self, dialog: &mut Dialog, msg: DialogMsg, sys: &mut Sys) {
        sys.cover(msg.point());
        match (dialog, msg) {
            (Dialog::Name { text, error, .. }, DialogMsg::Typed(typed)) => {
                *text = typed;
                *error = None;
            }
            (Dialog::Sort(listing), DialogMsg::SortBy(key)) => listing.key = key,
            (Dialog::Sort(listing), DialogMsg::Descending) => listing.descending = !listing.descending,
            (Dialog::OpenWith, DialogMsg::AsText) => {
                sys.toast("This file is not a text");
                sys.finish();
            }
            (Dialog::OpenWith, DialogMsg::ElseWhere) => {
                sys.toast("No app can open this file");
                sys.finish();
            }
            (Dialog::Unsaved, DialogMsg::Cancel) => {
                sys.cover("files.dialog.discard-changes");
                sys.finish_with(Msg::Editor(EditorMsg::Discard));
            }
            (_, DialogMsg::Cancel) => sys.finish(),
            (dialog, DialogMsg::Accept) => self.accept(dialog, sys),
            (_, _) => {}
        }
    }

    fn accept(&mut self, dialog: &mut Dialog, sys: &mut Sys) {
        match dialog {
            Dialog::Name { purpose, text, error } => {
                if let Err(problem) = self.give_name(*purpose, text, sys) {
                    sys.cover(problem.point());
                    *error = Some(problem);
                    return;
                }
                sys.hide_keyboard();
            }
            Dialog::Delete(ids) => {
                sys.cover("files.accept.delete");
                self.discard(ids, sys);
            }
            Dialog::Destroy(ids) => {
                sys.cover("files.accept.destroy");
                for id in ids.iter() {
                    self.storage_mut().destroy(*id);
                }
                sys.toast("Deleted for ever");
            }
            Dialog::Sort(listing) => {
                sys.cover("files.accept.sort");
                self.settings.listing.key = listing.key;
                self.settings.listing.descending = listing.descending;
            }
            Dialog::Unsaved => {
                sys.cover("files.accept.save-changes");
                sys.finish_with(Msg::Editor(EditorMsg::SaveAndLeave));
                return;
            }
            Dialog::Reset => {
                sys.cover("files.accept.reset");
                self.settings = Settings::default();
                sys.toast("Settings were reset");
            }
            Dialog::Details(_) | Dialog::OpenWith => {}
        }
        sys.finish();
    }

    fn give_name(&mut self, purpose: NamePurpose, name: &str, sys: &mut Sys) -> Result<(), NameError> {
        let today = sys.today();
        match purpose {
            NamePurpose::NewFolder(folder) => {
                self.storage.check_name(folder, name, None)?;
                self.storage_mut().insert(Some(folder), name, Kind::Folder, today);
                sys.cover("files.name.new-folder");
                sys.toast("Folder created");
            }
            NamePurpose::NewFile(folder) => {
                self.storage.check_name(folder, name, None)?;
                self.storage_mut().insert(Some(folder), name, Kind::Text(String::new()), today);
                sys.cover("files.name.new-file");
                sys.toast("File created");
            }
            NamePurpose::Rename(id, place) => {
                self.rename(id, name, place)?;
                let in_results = place == PickedFrom::Results;
                sys.cover(if in_results { "files.name.renamed-result" } else { "files.name.renamed" });
                sys.toast("Renamed");
            }
        }
        Ok(())
    }

    pub(super) fn dialog_view(&self, dialog: &Dialog, env: &Env<'_>) -> View<Msg> {
        match dialog {
            Dialog::Name { purpose, text, error } => name_view(*purpose, text, error.as_ref(), env),
            Dialog::Delete(ids) => question(
                "Delete",
                match ids.as_slice() {
                    [only] => format!("Move “{}” to the trash bin?", self.name_of(*only)),
                    more => format!("Move {} entries to the trash bin?", more.len()),
                },
                "Delete",
                env,
            ),
            Dialog::Destroy(ids) => question(
                "Delete for ever",
                match ids.as_slice() {
                    [only] => format!("“{}” cannot be restored afterwards.", self.name_of(*only)),
                    more => format!("{} entries cannot be restored afterwards.", more.len()),
                },
                "Destroy",
                env,
            ),
            Dialog::Reset => {
                let words = "All settings go back to how they were at first. Your files stay.";
                question("Reset settings", words.to_owned(), "Reset", env)
            }
            Dialog::Unsaved => {
                let body = vec![message("This file was changed.".to_owned())];
                let buttons = vec![("Discard", send(DialogMsg::Cancel)), ("Save", send(DialogMsg::Accept))];
                toolkit::dialog("Save changes?", body, env.accent, buttons)
            }
            Dialog::Sort(listing) => sort_view(*listing, env),
            Dialog::Details(id) => self.details_view(*id, env),
            Dialog::OpenWith => {
                let choices = vec![
                    popup_item("Text editor", send(DialogMsg::AsText)),
                    popup_item("Another app", send(DialogMsg::ElseWhere)),
                ];
                toolkit::dialog("Open with", choices, env.accent, vec![("Cancel", send(DialogMsg::Cancel))])
            }
        }
    }

    fn details_view(&self, id: EntryId, env: &Env<'_>) -> View<Msg> {
        let mut lines = Vec::new();
        if let Some(entry) = self.storage.get(id) {
            let folder = entry.parent.map_or_else(String::new, |parent| self.storage.path(parent));
            let size = match entry.kind {
                Kind::Folder => format!("{} items", self.storage.children(id).count()),
                _ => size_in_words(entry.bytes()),
            };
            let kind = match entry.kind {
                Kind::Folder => "Folder",
                Kind::Text(_) => "Text",
                Kind::Image(..) => "Picture",
                Kind::Audio(..) => "Recording",
                Kind::Other(_) => "File",
            };
            lines = vec![
                detail("Name", "t5", entry.name.clone()),
                detail("Place", "t6", folder),
                detail("Kind", "t7", kind.to_owned()),
                detail("Size", "t8", size),
                detail("Changed", "t9", format!("{} {}", entry.modified.iso(), entry.modified.clock())),
                detail("Hidden", "t10", if entry.hidden { "Yes" } else { "No" }.to_owned()),
            ];
        }
        tall_dialog("Details", lines, env, vec![("Close", send(DialogMsg::Cancel))])
    }
}

fn name_view(purpose: NamePurpose, text: &str, error: Option<&NameError>, env: &Env<'_>) -> View<Msg> {
    let (title, hint, accept) = match purpose {
        NamePurpose::NewFolder(_) => ("New folder", "Folder name", "Create"),
        NamePurpose::NewFile(_) => ("New file", "File name", "Create"),
        NamePurpose::Rename(..) => ("Rename", "New name", "Rename"),
    };
    // Done only closes the keyboard, so that no stray key creates anything.
    let field = View::field("singleedittext_input", text, |text| send(DialogMsg::Typed(text)))
        .hint(hint)
        .auto_focus()
        .with_field(|field| field.ime = ImeAction::Done);
    let error = error.map(ToString::to_string).unwrap_or_default();
    let (cancel, accept) = (("Cancel", send(DialogMsg::Cancel)), (accept, send(DialogMsg::Accept)));
    if env.height >= ROOM_FOR_TITLE {
        return toolkit::dialog(title, vec![text_field(field, &error)], env.accent, vec![cancel, accept]);
    }
    env.cover("files.view.name-in-a-row");
    let button = |(label, click), id| View::button(label, env.accent, click).id(id);
    View::row(vec![
        text_field(field, &error).grow_x(),
        button(cancel, "android:id/button2"),
        button(accept, "android:id/button1"),
    ])
    .width(Size::Dp(480))
    .pad(Edges::symmetric(16, 8))
    .background(Color::WHITE)
    .radius(4)
    .elevation(16)
}

fn sort_view(listing: Listing, env: &Env<'_>) -> View<Msg> {
    let radio = |key, label| {
        let checked = listing.key == key;
        View::check(CheckStyle::Radio, checked, label, send(DialogMsg::SortBy(key))).width(Size::Match)
    };
    let order = View::column(vec![
        radio(SortKey::Name, "Name"),
        radio(SortKey::Modified, "Date"),
        radio(SortKey::Size, "Size"),
    ])
    .class("android.widget.RadioGroup")
    .id("sort_by");
    let descending =
        View::check(CheckStyle::CheckBox, listing.descending, "Descending", send(DialogMsg::Descending));
    let buttons = vec![("Cancel", send(DialogMsg::Cancel)), ("Sort", send(DialogMsg::Accept))];
    let descending = descending.id("descending").width(Size::Match);
    tall_dialog("Sort by", vec![order, descending], env, buttons)
}

/// A dialog whose body scrolls if the screen is not high enough.
fn tall_dialog(
    title: &'static str,
    body: Vec<View<Msg>>,
    env: &Env<'_>,
    buttons: Vec<(&'static str, Msg)>,
) -> View<Msg> {
    /// Height that the largest body of this app needs with title and buttons, in dp.
    const ROOM: i32 = 330;
    /// Height of title, buttons and outer margins, in dp.
    const FRAME: i32 = 140;
    if env.height >= ROOM {
        return toolkit::dialog(title, body, env.accent, buttons);
    }
    env.cover("files.view.tall-dialog");
    let body = View::scroll("scrollView", View::column(body)).height(Size::Dp(env.height - FRAME));
    toolkit::dialog(title, vec![body], env.accent, buttons)
}

fn question(title: &'static str, text: String, accept: &'static str, env: &Env<'_>) -> View<Msg> {
    let buttons = vec![("Cancel", send(DialogMsg::Cancel)), (accept, send(DialogMsg::Accept))];
    toolkit::dialog(title, vec![message(text)], env.accent, buttons)
}

fn message(text: String) -> View<Msg> {
    View::text(text).id("message").lines(4).color(Color::SECONDARY).pad(Edges::symmetric(4, 8))
}

fn detail(label: &'static str, id: &'static str, value: String) -> View<Msg> {
    let label = View::text(label).size(13).color(Color::SECONDARY).width(Size::Dp(72));
    let value = View::text(value).id(id).size(14).lines(2).grow_x();
    View::row(vec![label, value]).pad(Edges::symmetric(4, 6))
}
