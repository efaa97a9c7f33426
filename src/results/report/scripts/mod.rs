//! Findings as scripts of other tools, which repeat them without Taproof.

pub(crate) mod adb_shell;
pub(crate) mod maestro;
mod script;
mod selector_forms;
pub(crate) mod uiautomator2;

pub use selector_forms::SelectorForm;
