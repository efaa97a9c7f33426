//! Watching a screen: what changes there, and what a person does on the device itself.

pub(crate) mod screen_watcher;
