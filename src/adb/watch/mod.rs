//! Watching a screen: what changes there, and what a person does on the device itself (`screen_watcher`). With the feature
//! `scrcpy` its frames come from `scrcpy_frames` and are judged by `scrcpy_pictures`.

#[cfg(feature = "scrcpy")]
pub(crate) mod scrcpy_frames;
#[cfg(feature = "scrcpy")]
pub(crate) mod scrcpy_pictures;
pub(crate) mod screen_watcher;
