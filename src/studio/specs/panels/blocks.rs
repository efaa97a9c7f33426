//! The block list: what random events must not touch, either written by hand or derived from the DMFs.

use egui::{RichText, ScrollArea, Ui};

use super::edit::{finding_ui, order};
use super::widgets::text_field;
use crate::command::Command;
use crate::parts::controls::{
    Tone, badge, choice, choose, empty_state, icon_button, labelled_button, named_checkbox,
};
use crate::parts::theme::{caption, heading, icon};
use crate::specs::{DocumentCommand, SpecDocument, SpecEdit};
use crate::state::StudioState;
use taproof_spec::{
    ActivityPattern, Block, BlockedEvent, TextPattern, ViewPattern, choose_selector, derived_blocks,
};

/// Draws the block list of a document.
pub fn blocks_ui(state: &StudioState, document: &SpecDocument, commands: &mut Vec<Command>, ui: &mut Ui) {
    let mut edit = None;
    ui.horizontal_wrapped(|ui| {
        let chosen = state.selected.is_some();
        let response = labelled_button(ui, icon::BLOCKED, "Block the chosen widget", chosen);
        if response.on_disabled_hover_text("Choose a widget first: right click on the phone").clicked() {
            edit = chosen_block(state).map(SpecEdit::AddBlock);
        }
        let tip = "Writes all entries, the derived ones too, to a file";
        if labelled_button(ui, icon::SAVE, "Export\u{2026}", true).on_hover_text(tip).clicked() {
            order(commands, DocumentCommand::AskExportBlocks(document.id));
        }
    });
    ui.label(caption("Random events never do what stands here; it is hatched on the phone."))
        .on_hover_text("So they cannot change data unseen");
    ScrollArea::vertical().id_salt("blocks").auto_shrink([false, false]).show(ui, |ui| {
        let derived = derived_blocks(&document.spec);
        ui.add_space(8.0);
        ui.label(heading(format!("Derived from the functions  {}", derived.len())));
        if derived.is_empty() {
            ui.label(caption("Nothing more: what commits data stands below already."));
        }
        for block in &derived {
            ui.horizontal_wrapped(|ui| {
                pattern_ui(state, block, ui);
                ui.label(caption(block.reason.as_str()));
                let tip = "Makes it an entry of your own, which you can change or remove";
                if labelled_button(ui, icon::CHANGED, "Write it down", true).on_hover_text(tip).clicked() {
                    edit = Some(SpecEdit::AddBlock(block.clone()));
                }
            });
        }
        ui.add_space(8.0);
        ui.label(heading(format!("Written down  {}", document.spec.blocks.len())));
        if document.spec.blocks.is_empty() {
            empty_state(ui, icon::BLOCKED, "No entry", "Choose a widget on the phone and block it.");
        }
        for (index, block) in document.spec.blocks.iter().enumerate() {
            if let Some(change) = entry_ui(state, index, block, ui) {
                edit = Some(change);
            }
            for finding in document.findings_at(&format!("keyviews[{index}]")) {
                finding_ui(document, finding, commands, ui);
            }
        }
    });
    if let Some(edit) = edit {
        order(commands, DocumentCommand::Edit(document.id, Box::new(edit)));
    }
}

/// Draws what an entry blocks, and how many widgets of the phone's screen match.
fn pattern_ui(state: &StudioState, block: &Block, ui: &mut Ui) {
    ui.label(RichText::new(pattern_words(&block.pattern)).monospace());
    if let Some(layout) = state.mirror.layout() {
        let count = layout.widgets().iter().filter(|widget| block.pattern.matches(widget)).count();
        let tone = if count == 0 { Tone::Plain } else { Tone::Accent };
        badge(ui, "", &format!("{count} on this screen"), tone);
    }
}

/// Formats a pattern for people.
pub fn pattern_words(pattern: &ViewPattern) -> String {
    let parts = pattern.attributes.iter().map(|(name, value)| format!("{name} \u{201c}{value}\u{201d}"));
    let words = parts.collect::<Vec<String>>().join(", ");
    if words.is_empty() { "nothing".to_owned() } else { words }
}

fn event_word(event: BlockedEvent) -> &'static str {
    match event {
        BlockedEvent::Widget => "touching it",
        BlockedEvent::Subtree => "touching it or what is inside",
        BlockedEvent::Back => "Back while it is shown",
        BlockedEvent::ImeAction => "the action key while it is shown",
    }
}

fn entry_ui(state: &StudioState, index: usize, block: &Block, ui: &mut Ui) -> Option<SpecEdit> {
    let mut edit = None;
    let mut changed = block.clone();
    ui.horizontal_wrapped(|ui| {
        let combo = choice(ui, ("block", index), event_word(block.event), 150.0);
        let events =
            [BlockedEvent::Widget, BlockedEvent::Subtree, BlockedEvent::Back, BlockedEvent::ImeAction];
        let events = events.map(|event| (event, event_word(event)));
        choose(combo, &format!("What entry {} blocks", index + 1), &mut changed.event, events, ui);
        pattern_ui(state, block, ui);
        let name = format!("Entry {} is for every engine", index + 1);
        let tip = "Off: it is for PBFDroid, whose random events must not change data. On: no engine does it, \
                   as with what would lead out of the app.";
        named_checkbox(ui, &mut changed.every_engine, "every engine", &name).on_hover_text(tip);
        if icon_button(ui, icon::DELETE, &format!("Remove entry {}", index + 1), true).clicked() {
            edit = Some(SpecEdit::RemoveBlock(index));
        }
    });
    ui.horizontal(|ui| {
        let mut activity = changed.activity.take().map_or_else(String::new, |activity| activity.0);
        let name = format!("Activity of entry {}", index + 1);
        text_field(ui, &mut activity, &name, "on every activity", 150.0);
        changed.activity = (!activity.is_empty()).then_some(ActivityPattern(activity));
        text_field(ui, &mut changed.reason, &format!("Reason of entry {}", index + 1), "why", 320.0);
    });
    ui.add_space(4.0);
    if changed != *block {
        edit = Some(SpecEdit::SetBlock(index, changed));
    }
    edit
}

/// Creates an entry for the widget that is selected on the phone.
fn chosen_block(state: &StudioState) -> Option<Block> {
    let layout = state.mirror.layout()?;
    let idx = state.selected?;
    let selector = choose_selector(layout, idx, &[]).selector;
    let text = match selector.text {
        TextPattern::Is(text) => Some(text),
        TextPattern::Any | TextPattern::FromRead(_) | TextPattern::Existing(_) => None,
    };
    let parts = [
        ("text", text),
        ("resource-id", selector.resource_id),
        ("content-desc", selector.content_desc),
        ("class", selector.class),
    ];
    let mut attributes: Vec<(String, String)> =
        parts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    if attributes.is_empty() {
        attributes.push(("bounds".to_owned(), layout.get(idx)?.bounds.to_string()));
    }
    Some(Block {
        pattern: ViewPattern { attributes },
        event: BlockedEvent::Widget,
        reason: String::new(),
        activity: None,
        every_engine: false,
    })
}
