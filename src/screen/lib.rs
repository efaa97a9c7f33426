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

mod abstraction;
pub mod archive;
mod beside;
mod candidates;
mod code_point;
pub mod determinism;
mod drawn_text;
mod escape;
mod event;
pub mod format;
mod geometry;
mod in_front;
mod initialiser;
mod layout;
mod layout_diff;
mod loading;
mod named_field;
mod outline;
mod page;
mod person_words;
mod query;
mod reuse_model;
mod role;
mod rows;
mod screen_print;
mod selector;
mod similar;
mod touch;
mod touch_map;
mod trace;
mod tree_edit;
mod verdict;
mod visible_text;
mod widget;
mod widget_details;
mod widget_event;
mod widget_labels;
mod words;
mod xpath;

pub use crate::determinism::{DeviceDuration, DeviceInstant};
pub use abstraction::{Abstraction, LayoutKey};
pub use beside::{Beside, Side};
pub use candidates::{
    Candidate, CandidateAction, EventKey, SYSTEM_PACKAGES, candidates, drawer_open, event_key, is_of_app,
};
pub use code_point::CodePoint;
use drawn_text::drawn_texts;
pub use drawn_text::{DrawnText, TextClass};
pub use escape::{escape_controls, is_display_control};
pub use event::{Direction, Event, Gesture, Key, SystemEvent, TouchTarget};
pub use geometry::{PxPoint, PxRect, PxSize, Rotation};
pub use in_front::InFront;
pub use initialiser::Initialiser;
pub use layout::{Layout, LayoutBuilder, Window};
pub use layout_diff::{LayoutDiff, WidgetChange, diff_layouts};
pub use outline::{frame_of, layout_from};
pub use page::without_digits;
pub use page::{is_opaque, opaque_words, same_page};
pub use person_words::{
    detour_clause, event_clause, event_for_people, named_widget, row_label, screen_for_people,
    screen_on_trace, several, widget_for_people,
};
pub use query::{Query, QueryError};
pub use reuse_model::{ActionKind, EventKeys, HyperEvent, OtherApp, ReuseModel};
pub use role::Role;
pub use screen_print::{Likeness, ScreenPrint};
pub use selector::place_in_words;
pub use selector::{Resolved, Selector};
pub use similar::{
    SimilarWidget, dice_permille, headline, holds_actionable, input_state, is_dialog, page_key, ratio,
    relocate, similar_layouts, top_level,
};
pub use touch::{NAVIGATE_UP, Unreachable, WindowKind, window_kind};
pub use touch_map::TouchMap;
pub use trace::{AppHealth, CrashReport, DmfSpan, Frame, RecordedStep, Step, StepRole, Trace};
pub use tree_edit::{EditOp, EditTree, TieOrder, TreeEdit, TreeEditor, edit_distance, edit_script};
pub use verdict::{FailedCheck, FindingOrigin, OracleKind, Reason, Verdict, Violation};
pub use visible_text::is_visible;
pub use widget::{Widget, WidgetFlags, WidgetIdx};
pub use widget_details::WidgetDetails;
pub use widget_event::{event_at, event_on, naming_selector};
pub use widget_labels::{
    LabelBasis, TEXT_LIMIT, content_hash, is_repeated, property_key, repeated, row_around, rows_by_widget,
    same_type, subtree_hashes,
};
pub use words::{
    counted, event_sentence, lower_first, one_line, thousands, touched_widget, upper_first, widget_caption,
    widget_name, with_article,
};
pub use xpath::{XPath, XPathError};

/// Shared text: cheap to clone, compared by content.
pub type Text = std::sync::Arc<str>;
