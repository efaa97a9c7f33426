//! What Android does around an app: packages, processes, the keyboard, the bars, the log.

mod apk;
mod key_focus;
pub(crate) mod keyboard;
mod language;
pub(crate) mod logcat;
mod packages;
pub(crate) mod process;
pub(crate) mod running;
mod system_events;
pub(crate) mod system_ui;

pub use apk::APK_ENTRY;
pub use language::Language;
