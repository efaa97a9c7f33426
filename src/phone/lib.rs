//! The bundled phone: a simulated Android phone in the process.
//!
//! `app.rs` is the door for apps, `view.rs` and `material.rs` the toolkit they draw with, `measure.rs` gives
//! views their bounds, `running.rs` and `input.rs` run one app behind `process.rs`, `phone.rs` is the phone
//! around the apps, `render/` draws it when somebody looks, `apps/` holds the bundled apps.
//! An app knows the toolkit and nothing of the phone; the phone knows no app by name.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod apk;
mod app;
mod binary_manifest;
mod bundled_phones;
mod dump;
mod fonts;
mod input;
mod key_focus;
mod keyboard;
mod language;
mod logcat;
mod material;
mod measure;
mod packages;
mod phone;
mod points;
mod process;
mod render;
mod running;
mod scene;
mod system_events;
mod system_ui;
mod view;

pub mod apps;

pub use app::{
    App, Bug, BugSet, Crash, Date, Env, ImeAction, Manifest, Op, Oracle, PX_PER_DP, ScrollState, Surface,
    System, SystemOp,
};
pub use bundled_phones::{BundledPhones, bundled_apps};
pub use fonts::Fonts;
pub use language::Language;
pub use material::{
    ToolbarAction, dialog, drawer_item, empty_state, fab, list_row, loading, popup_item, popup_menu, section,
    setting_row, snackbar, tab_bar, text_field, toolbar, with_drawer,
};
pub use phone::Phone;
pub use render::draw;
pub use scene::{Drawing, KeyAction, KeyCap, Keyboard, PlacedField, PlacedView, PlacedWindow, Scene};
pub use view::{
    Align, Axis, CheckStyle, Color, Content, Edges, Field, Icon, ListRows, Look, Picture, Size, TextStyle,
    View,
};
