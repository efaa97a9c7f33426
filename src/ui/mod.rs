//! The panels: one file each. A panel reads the state and queues commands; what only it remembers (zoom,
//! what is folded) is its own struct.
//!
//! Knows no device, store or worker, opens no file and starts no thread: drawing cannot block or corrupt.

mod campaign_curves;
mod campaign_form;
mod campaign_list;
mod campaign_numbers;
mod diff_rows;
mod drop_overlay;
mod edges;
mod export_menu;
mod export_progress;
mod file_chooser;
mod findings_list;
mod first_steps;
mod fuzz_panel;
mod help;
mod history_list;
mod inspect_panel;
mod keep_dialog;
mod overlay;
mod palette;
mod parts;
mod phone_panel;
mod phone_way;
mod proposal_cards;
mod record_facts;
mod record_head;
mod record_panel;
mod record_step;
mod record_steps;
mod recording_panel;
mod replay_facts;
mod replay_head;
mod replay_panel;
mod replay_screens;
mod shortcuts;
mod spec_blocks;
mod spec_conditions;
mod spec_form;
mod spec_json;
mod spec_list;
mod spec_panel;
mod spec_questions;
mod spec_steps;
mod spec_widgets;
mod status_bar;
mod studio;
mod takeover_bar;
pub mod theme;
mod timeline;
mod top_bar;
mod trial_panel;
mod widget_tree;
mod word_field;

pub use edges::MOVABLE_PANELS;
pub use studio::{StudioPanels, studio_ui};
pub use trial_panel::trial_panel_ui;
