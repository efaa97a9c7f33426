//! The bundled phone: a simulated Android phone in the process.
//!
//! `app.rs` is the door for apps, `view.rs` and `material.rs` the toolkit they draw with, `place.rs` gives
//! views their bounds, `process.rs` runs one app, `phone.rs` is the phone around the apps, `render/` draws
//! it when somebody looks, `apps/` holds the bundled apps.
//! An app knows the toolkit and nothing of the phone; the phone knows no app by name.

mod app;
mod fonts;
mod material;
mod scene;
mod view;

pub mod apps;

pub use app::{PX_PER_DP, ScrollState, App, Bug, BugSet, Crash, Date, Env, ImeAction, Manifest, Op, Oracle, Surface, System};
pub use fonts::Fonts;
pub use material::{
    dialog, drawer_item, empty_state, fab, list_row, loading, popup_item, popup_menu, section, setting_row,
    snackbar, tab_bar, text_field, toolbar, with_drawer, ToolbarAction,
};
pub use scene::{
    Drawing, KeyAction, KeyCap, Keyboard, PlacedField, PlacedView, PlacedWindow, Scene,
};
pub use view::{
    Align, Axis, CheckStyle, Color, Content, Edges, Field, Icon, ListRows, Look, Picture, Size, TextStyle, View,
};
