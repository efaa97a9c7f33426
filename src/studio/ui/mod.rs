//! The panels, one file each. A panel reads the state and queues commands. State that only the panel needs (zoom, what
//! is folded) is in a struct of its own.
//!
//! Panels know no device, store or worker, open no file and start no thread, so drawing can neither block nor corrupt
//! anything.

mod app_chooser;
mod bug_cards;
mod campaign_beginning;
mod campaign_curves;
mod campaign_first;
mod campaign_form;
mod campaign_list;
mod campaign_numbers;
mod device_list;
mod diff_rows;
mod drop_overlay;
mod edges;
mod engine_inside;
mod engine_settings;
mod engine_table;
mod export_menu;
mod export_progress;
mod file_chooser;
mod finding_line;
mod first_steps;
mod fuzz_panel;
mod graph_panel;
mod help;
mod history_list;
mod inside_fastbot2;
mod inside_genie;
mod inside_odin;
mod inside_parts;
mod inside_timemachine;
mod inspect_panel;
mod keep_dialog;
mod overlay;
mod palette;
mod parts;
mod phone_panel;
mod phone_path;
mod proposal_cards;
mod record_facts;
mod record_head;
mod record_lead;
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
mod spec_edit;
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
mod thumbnails;
mod timeline;
mod top_bar;
mod trial_panel;
mod widget_tree;
mod word_field;

pub use edges::MOVABLE_PANELS;
pub use studio::{StudioPanels, studio_ui};
pub use trial_panel::trial_panel_ui;
