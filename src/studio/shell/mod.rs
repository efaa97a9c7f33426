//! What belongs to no place: the bars and sheets of the window, its settings on the disk, and files that are asked for.

mod chooser;
pub(crate) mod ending;
mod first_steps;
pub(crate) mod folder;
mod handle;
mod messages;
mod outside;
pub(crate) mod panels;
mod settings_file;
mod window;
mod window_settings;

pub use chooser::{ChooserCommand, FileChooser, FileEntry, HOME_FOLDER, Looked, PathIs};
pub(crate) use handle::{run_file, run_window, take_looked, tick};
pub(crate) use outside::open_outside;
pub(crate) use settings_file::SettingsFile;
pub use window::{Sheet, WindowCommand, WindowState};
pub(crate) use window_settings::{
    apply_settings, keep_settings, load_settings, maximise_again, remember_places, viewport,
};
