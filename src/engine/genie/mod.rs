//! Genie: independent view fuzzing (Su et al., OOPSLA 2021).

pub mod groups;
pub mod gui_model;
