//! The part of Taproof that depends on no particular device: layouts, specifications, oracles, engines, campaigns.
//!
//! The modules in reading order. Each imports only from those before it.
//!
//! | module | contents |
//! | --- | --- |
//! | `determinism` | the only source of random numbers, time and hashes |
//! | `worker` | cancelling and pausing, a slot for the newest value, named threads |
//! | `model` | layouts, selectors, events, traces, verdicts: plain values |
//! | `spec` | DMFs, invariants, the data model; checking, linting and recording specifications |
//! | `oracle` | from traces to verdicts |
//! | `format` | file formats of others: uiautomator dumps, PBFDroid's JSON, recorded walks |
//! | `agent` | the protocol of our own program on a device, for both of its ends |
//! | `device` | the trait of all devices; recorded walks and traces as devices |
//! | `engine` | the fuzzing algorithms, and the only interface through which they use a device |
//! | `discover` | proposes the functions of an app that nobody has described |
//! | `campaign` | the main loop: rounds, witnesses, confirmation, minimising, attribution |
//!
//! # Examples
//!
//! Read the layout of a screen, and select a widget by an XPath:
//!
//! ```
//! use taproof_core::format::parse_hierarchy;
//! use taproof_core::model::XPath;
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
//!
//! Read a specification, and print the problems that the linter finds in it:
//!
//! ```
//! use taproof_core::format::DmfFile;
//! use taproof_core::spec::lint;
//!
//! # fn main() -> Result<(), taproof_core::format::FormatError> {
//! let file = DmfFile::parse(r#"{ "dmfs": [{ "name": "add item", "type": "add", "datatype": "item" }] }"#)?;
//! assert_eq!(file.spec.dmfs[0].name, "add item");
//! for finding in lint(&file.spec) {
//!     println!("{finding}");
//! }
//! assert!(!lint(&file.spec).is_empty(), "it does nothing, checks nothing and changes no data");
//! # Ok(())
//! # }
//! ```
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

#[macro_use]
mod words;

pub mod agent;
pub mod campaign;
pub mod determinism;
pub mod device;
pub mod discover;
pub mod engine;
pub mod format;
pub mod model;
pub mod oracle;
pub mod spec;
pub mod worker;
