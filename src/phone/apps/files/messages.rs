//! What the pages are told: by their own views, and by the pages above them as those close.

use super::storage::{EntryId, SortKey};

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

/// A message to the page of a folder.
#[derive(Clone, Debug)]
pub enum BrowserMsg {
    /// Opens (`true`) or closes the drawer.
    Drawer(bool),
    /// Shows this folder in the page.
    Go(EntryId),
    /// Shows the parent folder.
    Up,
    /// Shows the root of this storage.
    Home,
    /// A row was tapped.
    Tap(EntryId),
    /// A row was pressed long.
    Hold(EntryId),
    /// The menu button of a row was tapped.
    RowMenu(EntryId),
    /// The floating action button was tapped.
    Create,
    /// Requests the name of a new folder.
    NewFolder,
    /// Requests the name of a new file.
    NewFile,
    /// Opens the search page for the storage of this folder.
    Search,
    /// Opens the page's menu.
    Overflow,
    /// Opens the menu of selection mode.
    SelectionMenu,
    /// Executes a command on the selected entries.
    WithSelected(MenuCommand),
    /// Selects all rows of the folder.
    SelectAll,
    /// Ends selection mode without an action.
    ClearSelection,
    /// Opens the page of this collection.
    Collection(CollectionKind),
    /// Opens the page of the settings.
    Settings,
    /// Opens the page about the app.
    About,
    /// Pastes what was cut or copied here.
    Paste,
    /// Discards what was cut or copied.
    CancelPaste,
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

/// A message to the search page.
#[derive(Clone, Debug)]
pub enum SearchMsg {
    /// The text of the field was changed to this.
    Typed(String),
    /// Starts a search for the text of the field.
    Submit,
    /// Clears the text of the field.
    Clear,
    /// Searches again for an earlier text.
    Again(String),
    /// Continues the walk with this number.
    Step(u32),
    /// A result was tapped.
    Open(EntryId),
    /// The menu button of a result was tapped.
    RowMenu(EntryId),
    /// Forgets the earlier searches.
    ForgetAll,
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

/// What a collection contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionKind {
    /// All pictures, in any folder.
    Images,
    /// The most recently changed files.
    Recent,
    /// All entries that were hidden by the user.
    Hidden,
    /// The deleted entries, which can be restored.
    Bin,
}

/// A message to the text editor.
#[derive(Clone, Debug)]
pub enum EditorMsg {
    /// The text of the field was changed to this.
    Typed(String),
    /// Saves the text to the file.
    Save,
    /// The text has been saved.
    Saved,
    /// Shows size, location and date.
    Details,
    /// Leaves the page without saving.
    Discard,
    /// Saves the text and leaves.
    SaveAndLeave,
}

/// A message to the viewer.
#[derive(Clone, Debug)]
pub enum ViewerMsg {
    /// Starts or stops the recording.
    Play,
    /// Shows size, location and date.
    Details,
    /// Shows the next (`true`) or the previous file of the same kind.
    Turn(bool),
}

/// A message to the settings.
#[derive(Clone, Copy, Debug)]
pub enum SettingsMsg {
    /// Switches whether hidden entries are listed.
    ShowHidden,
    /// Switches whether folders come before files.
    FoldersFirst,
    /// Switches whether rows have a second line.
    ShowDetails,
    /// Switches whether deleting requires a confirmation.
    ConfirmDelete,
    /// Switches whether searches are remembered.
    KeepSearches,
    /// Requests the order of lists.
    SortBy,
    /// Asks whether to reset all settings.
    Reset,
    /// Opens the page about the app.
    About,
}

/// A message to a dialog.
#[derive(Clone, Debug)]
pub enum DialogMsg {
    /// The text of the field was changed to this.
    Typed(String),
    /// Sorts by this key.
    SortBy(SortKey),
    /// Reverses the order of the list.
    Descending,
    /// Opens the file as text.
    AsText,
    /// Opens the file with another app; there is none.
    ElseWhere,
    /// The positive button was tapped.
    Accept,
    /// The negative button was tapped: closes the dialog.
    Cancel,
}
