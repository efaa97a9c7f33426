//! What belongs to no place: the bars and sheets of the window, its settings on the disk, and files that are asked for.

mod chooser;
mod dialogs;
pub(crate) mod ending;
pub(crate) mod folder;
mod handle;
mod handle_window;
pub(crate) mod panels;
mod settings_file;
mod window;

pub use chooser::{ChooserCommand, FileChooser, FileEntry, HOME_FOLDER, Looked, PathIs};
pub(crate) use dialogs::{Chosen, Dialog};
pub(crate) use handle::{DialogNews, run_file, run_window, take_dialog, take_looked};
pub(crate) use handle_window::{apply_settings, keep_settings, load_settings, remember_places, viewport};
pub(crate) use settings_file::SettingsFile;
pub use window::{Sheet, WindowCommand, WindowState};
