pub mod groups;
pub mod gui_model;
