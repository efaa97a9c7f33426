//! What panels of several places are made of: colours, controls, marks on a screen.

pub(crate) mod controls;
pub(crate) mod other_scripts;
pub(crate) mod overlay;
pub(crate) mod shortcuts;
pub mod theme;
pub(crate) mod word_field;
