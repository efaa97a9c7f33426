//! What the pages are told: by their own views, and by the pages above them as those close.

use super::storage::{EntryId, SortKey};
use taproof_screen::words;

/// A message of a view or a pending task.
#[derive(Clone, Debug)]
pub enum Msg {
    /// For the page of a folder.
    Browser(BrowserMsg),
    /// For the search page.
    Search(SearchMsg),
    /// For the page of a collection.
    Collection(CollectionMsg),
    /// For the text editor.
    Editor(EditorMsg),
    /// For the viewer of pictures and recordings.
    Viewer(ViewerMsg),
    /// For the page of the settings.
    Settings(SettingsMsg),
    /// For a menu: this command was chosen.
    Choose(MenuCommand),
    /// For the open dialog.
    Dialog(DialogMsg),
    /// For any page: closes it as Back does.
    Leave,
}

words! {
    /// A message to the page of a folder.
    #[derive(Clone, Debug)]
    pub enum BrowserMsg {
        /// Opens (`true`) or closes the drawer.
        Drawer(bool) = [
            true => "files.browser.drawer-open",
            false => "files.browser.drawer-close",
        ],
        /// Shows this folder in the page.
        Go(EntryId) = "files.browser.go",
        /// Shows the parent folder.
        Up = "files.browser.up",
        /// Shows the root of this storage.
        Home = "files.browser.home",
        /// A row was tapped.
        Tap(EntryId) = "files.browser.tap",
        /// A row was pressed long.
        Hold(EntryId) = "files.browser.hold",
        /// The menu button of a row was tapped.
        RowMenu(EntryId) = "files.browser.row-menu",
        /// The floating action button was tapped.
        Create = "files.browser.create",
        /// Requests the name of a new folder.
        NewFolder = "files.browser.new-folder",
        /// Requests the name of a new file.
        NewFile = "files.browser.new-file",
        /// Opens the search page for the storage of this folder.
        Search = "files.browser.search",
        /// Opens the page's menu.
        Overflow = "files.browser.overflow",
        /// Opens the menu of selection mode.
        SelectionMenu = "files.browser.selection-menu",
        /// Executes a command on the selected entries.
        WithSelected(MenuCommand) = "files.browser.with-selected",
        /// Selects all rows of the folder.
        SelectAll = "files.browser.select-all",
        /// Ends selection mode without an action.
        ClearSelection = "files.browser.clear-selection",
        /// Opens the page of this collection.
        Collection(CollectionKind) = [
            CollectionKind::Images => "files.browser.images",
            CollectionKind::Recent => "files.browser.recent",
            CollectionKind::Hidden => "files.browser.hidden",
            CollectionKind::Bin => "files.browser.bin",
        ],
        /// Opens the page of the settings.
        Settings = "files.browser.settings",
        /// Opens the page about the app.
        About = "files.browser.about",
        /// Pastes what was cut or copied here.
        Paste = "files.browser.paste",
        /// Discards what was cut or copied.
        CancelPaste = "files.browser.cancel-paste",
    }
    pub(super) fn point(&self);
}

/// A command of a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuCommand {
    /// Opens the folder or the file.
    Open,
    /// Requests another name for the entry.
    Rename,
    /// Copies the entries to the clipboard.
    Copy,
    /// Cuts the entries, to be moved.
    Cut,
    /// Moves the entries to the bin.
    Delete,
    /// Hides the entries (`true`) or makes them visible.
    Hide(bool),
    /// Shows size, location and date.
    Details,
    /// Adds a folder to the drawer (`true`) or removes it from there.
    Bookmark(bool),
    /// Selects all rows of the folder.
    SelectAll,
    /// Requests the order of lists.
    SortBy,
    /// Opens the page of the settings.
    Settings,
    /// Moves the entry from the bin back to its folder.
    Restore,
    /// Deletes the entry permanently.
    Destroy,
}

words! {
    /// A message to the search page.
    #[derive(Clone, Debug)]
    pub enum SearchMsg {
        /// The text of the field was changed to this.
        Typed(String) = "files.search.typed",
        /// Starts a search for the text of the field.
        Submit = "files.search.submit",
        /// Clears the text of the field.
        Clear = "files.search.clear",
        /// Searches again for an earlier text.
        Again(String) = "files.search.again",
        /// Continues the walk with this number.
        Step(u32) = "files.search.step",
        /// A result was tapped.
        Open(EntryId) = "files.search.open",
        /// The menu button of a result was tapped.
        RowMenu(EntryId) = "files.search.row-menu",
        /// Forgets the earlier searches.
        ForgetAll = "files.search.forget",
    }
    pub(super) fn point(&self);
}

/// A message to a collection.
#[derive(Clone, Debug)]
pub enum CollectionMsg {
    /// A row was tapped.
    Open(EntryId),
    /// The menu button of a row was tapped.
    RowMenu(EntryId),
    /// Asks whether to empty the bin.
    EmptyBin,
}

words! {
    /// What a collection contains.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum CollectionKind {
        /// All pictures, in any folder.
        Images = "Images" / "There are no pictures on this phone.",
        /// The most recently changed files.
        Recent = "Recent files" / "No file was changed yet.",
        /// All entries that were hidden by the user.
        Hidden = "Hidden files" / "Nothing is hidden.",
        /// The deleted entries, which can be restored.
        Bin = "Trash bin" / "The trash bin is empty.",
    }
    /// The heading of the page.
    pub fn title;
    pub(super) fn nothing;
}

words! {
    /// A message to the text editor.
    #[derive(Clone, Debug)]
    pub enum EditorMsg {
        /// The text of the field was changed to this.
        Typed(String) = "files.editor.typed",
        /// Saves the text to the file.
        Save = "files.editor.save",
        /// The text has been saved.
        Saved = "files.editor.saved",
        /// Shows size, location and date.
        Details = "files.editor.details",
        /// Leaves the page without saving.
        Discard = "files.editor.discard",
        /// Saves the text and leaves.
        SaveAndLeave = "files.editor.save-and-leave",
    }
    pub(super) fn point(&self);
}

words! {
    /// A message to the viewer.
    #[derive(Clone, Debug)]
    pub enum ViewerMsg {
        /// Starts or stops the recording.
        Play = "files.viewer.play",
        /// Shows size, location and date.
        Details = "files.viewer.details",
        /// Shows the next (`true`) or the previous file of the same kind.
        Turn(bool) = [
            true => "files.viewer.next",
            false => "files.viewer.previous",
        ],
    }
    pub(super) fn point(&self);
}

words! {
    /// A message to the settings.
    #[derive(Clone, Copy, Debug)]
    pub enum SettingsMsg {
        /// Switches whether hidden entries are listed.
        ShowHidden = "files.settings.show-hidden",
        /// Switches whether folders come before files.
        FoldersFirst = "files.settings.folders-first",
        /// Switches whether rows have a second line.
        ShowDetails = "files.settings.show-details",
        /// Switches whether deleting requires a confirmation.
        ConfirmDelete = "files.settings.confirm-delete",
        /// Switches whether searches are remembered.
        KeepSearches = "files.settings.keep-searches",
        /// Requests the order of lists.
        SortBy = "files.settings.sort-by",
        /// Asks whether to reset all settings.
        Reset = "files.settings.reset",
        /// Opens the page about the app.
        About = "files.settings.about",
    }
    pub(super) fn point;
}

words! {
    /// A message to a dialog.
    #[derive(Clone, Debug)]
    pub enum DialogMsg {
        /// The text of the field was changed to this.
        Typed(String) = "files.dialog.typed",
        /// Sorts by this key.
        SortBy(SortKey) = [
            SortKey::Name => "files.dialog.sort-name",
            SortKey::Modified => "files.dialog.sort-date",
            SortKey::Size => "files.dialog.sort-size",
        ],
        /// Reverses the order of the list.
        Descending = "files.dialog.descending",
        /// Opens the file as text.
        AsText = "files.dialog.as-text",
        /// Opens the file with another app; there is none.
        ElseWhere = "files.dialog.elsewhere",
        /// The positive button was tapped.
        Accept = "files.dialog.accept",
        /// The negative button was tapped: closes the dialog.
        Cancel = "files.dialog.cancel",
    }
    pub(super) fn point(&self);
}
