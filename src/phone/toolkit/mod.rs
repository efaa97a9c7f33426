//! Views: what a page is made of, and how it is measured.

pub(crate) mod env;
pub(crate) mod fonts;
pub(crate) mod material;
pub(crate) mod measure;
pub(crate) mod scene;
pub(crate) mod system_fonts;
pub(crate) mod view;

pub use env::{Env, ImeAction, PX_PER_DP, ScrollState};
pub use fonts::Fonts;
pub use material::{
    app_bar, dialog, dialog_message, drawer_item, empty_state, fab, list_row, loading, page_toolbar,
    popup_item, popup_menu, scrolled_page, search_bar, section, setting_row, snackbar, tab_bar, text_field,
    toolbar, toolbar_action, with_drawer,
};
pub use scene::{Drawing, KeyAction, KeyCap, Keyboard, PlacedField, PlacedView, PlacedWindow, Scene};
pub use system_fonts::{SystemFont, read_system_fonts};
pub use view::{
    Align, Axis, CheckStyle, Color, Content, Edges, Field, Icon, ListRows, Look, OnChange, Picture, Size,
    TextStyle, View,
};
