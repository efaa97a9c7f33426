//! What belongs to no place: settings, files that are asked for, the table of all actions.

mod action_info;
mod actions;
mod chooser;
mod dialogs;
pub(crate) mod ending;
mod files;
pub(crate) mod folder;
mod handle;
mod handle_window;
pub(crate) mod panels;
mod settings;
mod settings_file;
mod window;

pub use action_info::{ActionInfo, Group, Order};
pub use actions::{action, actions, actions_for};
pub use chooser::{ChooserCommand, FileChooser, FileEntry, HOME_FOLDER, Looked, PathIs};
pub(crate) use dialogs::{Chosen, Dialog};
pub use files::{Asking, FileCommand, FileKind, FilePurpose, FileQuestion};
pub(crate) use handle::{DialogNews, ask_for_file, run_file, run_window, take_dialog, take_looked};
pub(crate) use handle_window::{apply_settings, keep_settings, load_settings, remember_places, viewport};
pub use settings::{AppEntry, Place, RecordView, SCALES, Settings, Theme, WindowPlace, build_word};
pub(crate) use settings_file::SettingsFile;
pub use window::{Sheet, WindowCommand, WindowState};
