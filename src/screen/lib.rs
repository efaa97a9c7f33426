//! What is seen: layouts and their widgets, selectors, events and traces, as plain values; and the files that they are
//! read from.
//!
//! No I/O, no threads, no device. Formats of others are converted at the edge ([`format`]). Taproof's own files and its
//! database store these values as their serde attributes specify. Layouts are stored there as dumps; their derives serve
//! archives and checkpoints, which are only read by the program that wrote them.
//!
//! # Examples
//!
//! Read the layout of a screen, and select a widget by an XPath:
//!
//! ```
//! use taproof_screen::XPath;
//! use taproof_screen::format::parse_hierarchy;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let dump = r#"<hierarchy rotation="0">
//!   <node class="android.widget.TextView" package="org.example" text="Milk" resource-id="org.example:id/item"
//!         bounds="[0,0][540,96]" enabled="true" clickable="true" />
//! </hierarchy>"#;
//! let layout = parse_hierarchy(dump.as_bytes())?.layout;
//! let named = XPath::parse("//android.widget.TextView[@text='Milk']")?.select(&layout);
//! assert_eq!(layout.widget(named[0]).short_id(), Some("item"));
//! # Ok(())
//! # }
//! ```
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

#[macro_use]
mod worded;

pub mod archive;
mod crash;
pub mod determinism;
mod event;
pub mod format;
mod geometry;
mod initialiser;
mod layout;
mod layout_diff;
mod loading;
mod named_field;
mod outline;
mod rows;
mod same;
mod select;
mod text;
mod touch;
mod trace;
mod verdict;
mod widget;
mod widget_details;
mod words;

pub use crate::determinism::{DeviceDuration, DeviceInstant};
pub use crash::{CrashReport, Thrown};
pub use event::{Direction, Event, Gesture, Key, SystemEvent, TouchTarget};
pub use geometry::{PxPoint, PxRect, PxSize, Rotation};
pub use initialiser::Initialiser;
pub use layout::{Layout, LayoutBuilder, SYSTEM_PACKAGES, Window, is_of_app};
pub use layout_diff::{LayoutDiff, WidgetChange, diff_layouts};
pub use outline::{frame_of, layout_from};
pub use same::{
    LayoutKey, Likeness, Looks, Same, ScreenPrint, headline, holds_actionable, is_dialog, is_opaque,
    opaque_words, same_page, similarity, top_level, without_digits,
};
pub use select::{
    Beside, MaestroPattern, MaestroRelation, MaestroSelector, MaestroTrait, Resolved, Role, Selector,
    SelectorError, Side, XPath, XPathError, XPathTooSlow, place_in_words,
};
use text::drawn_texts;
pub use text::{CodePoint, DrawnText, TextClass, escape_controls, is_display_control, is_visible, ratio};
pub use touch::{
    Candidate, CandidateAction, EventKey, InFront, NAVIGATE_UP, TouchMap, Unreachable, WindowKind,
    candidates, drawer_open, event_at, event_key, event_on, naming_selector, swipe_line, window_kind,
};
pub use trace::{AppHealth, DmfSpan, Frame, RecordedStep, Step, StepRole, Trace};
pub use verdict::{FailedCheck, FindingOrigin, OracleKind, Reason, Verdict, Violation};
pub use widget::{Widget, WidgetFlags, WidgetIdx};
pub use widget_details::WidgetDetails;
pub use words::{
    CommonWords, counted, detour_clause, event_clause, event_for_people, event_sentence, id_words, last_part,
    lower_first, meanings, named_widget, names_alike, one_line, pace, row_label, screen_for_people,
    screen_on_trace, several, thousands, touched_widget, upper_first, widget_caption, widget_for_people,
    widget_name, with_article,
};

/// Shared text: cheap to clone, compared by content.
pub type Text = std::sync::Arc<str>;
