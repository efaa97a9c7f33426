//! Small tools of a shell.

pub(crate) mod builtins;
pub(crate) mod condition;
pub(crate) mod file_list;
pub(crate) mod files;
pub(crate) mod print;
pub(crate) mod text;
pub(crate) mod time;
