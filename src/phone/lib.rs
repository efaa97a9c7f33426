//! The bundled phone: a simulated Android phone within the process.
//!
//! `app.rs` is the interface for apps, `view.rs` and `material.rs` the toolkit that they use, `measure.rs` computes the
//! bounds of views, `running.rs` and `input.rs` run one app behind `process.rs`, `phone.rs` is the phone around the
//! apps, `render/` draws it when a picture is requested, and `apps/` contains the bundled apps. An app depends on the
//! toolkit and on nothing else of the phone; the phone refers to no app by name.
//!
//! # Examples
//!
//! Opens the phone with an app in front, taps, and observes the result:
//!
//! ```
//! use taproof_engine::device::Device;
//! use taproof_screen::{Event, Gesture, Selector};
//! use taproof_phone::{Apps, BugSet};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut phone = Apps::default().open("notes", &BugSet::none())?;
//! let fab = Selector { resource_id: Some("org.taproof.notes:id/fab".to_owned()), ..Selector::default() };
//! let tap = Event::on(&phone.observe()?.layout, fab, Gesture::Tap).ok_or("there is no such button")?;
//! phone.perform(&tap)?;
//!
//! let menu = phone.observe()?.layout;
//! assert!(menu.widgets().iter().any(|widget| &*widget.text == "New note"));
//! # Ok(())
//! # }
//! ```
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

// Its name in tests that another crate has as well.
#[cfg(test)]
extern crate self as taproof_phone;

mod app;
mod bundled_phones;
mod date;
mod dump;
mod input;
mod phone;
mod points;
mod render;

pub mod apps;
mod system;
mod toolkit;

pub use app::{
    App, Bug, BugSet, Changed, Crash, Manifest, Op, Oracle, Package, SharedStorage, Surface, System, SystemOp,
};
pub use apps::{AppMaker, AppSource, AppTwice, Apps, BundledApp, ShippedSpec, darkened};
pub use bundled_phones::BundledPhones;
pub use date::{Date, Setting, Settings};
pub use dump::HIDDEN_ID;
pub use phone::Phone;
pub use system::{APK_ENTRY, Language};
pub use toolkit::{
    Align, Axis, CheckStyle, Color, Content, Drawing, Edges, Env, Field, Fonts, Icon, ImeAction, KeyAction,
    KeyCap, Keyboard, ListRows, Look, OnChange, PX_PER_DP, Picture, PlacedField, PlacedView, PlacedWindow,
    Scene, ScrollState, Size, SystemFont, TextStyle, View, app_bar, dialog, dialog_message, drawer_item,
    empty_state, fab, list_row, loading, page_toolbar, popup_item, popup_menu, read_system_fonts,
    scrolled_page, search_bar, section, setting_row, snackbar, tab_bar, text_field, toolbar, toolbar_action,
    with_drawer,
};
