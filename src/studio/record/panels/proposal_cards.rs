//! The proposed functions as cards, which can be accepted or dismissed.

use egui::{Align, Label, Layout, Ui};

use super::head::kind_word;
use crate::command::Command;
use crate::parts::controls::{Tone, badge, labelled_button, spoken, wide_card};
use crate::parts::theme::{caption, glyph, heading, icon, strong, tokens};
use crate::record::{ProposalCard, ProposalCommand, RecordPhase};
use crate::specs::panels::list::kind_icon;
use crate::state::StudioState;
use taproof_spec::Confidence;

/// Draws all cards. Returns whether there is any.
pub fn proposals_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) -> bool {
    let (proposals, app, record) = (&state.proposals, state.settings.target.app.as_str(), &state.record);
    let (open, aside) = (proposals.open(app, record), proposals.put_aside(app, record));
    if open.is_empty() && aside.is_empty() {
        return false;
    }
    ui.horizontal(|ui| {
        ui.label(heading("Proposals"));
        ui.label(caption("Cut out of what you did on the phone."));
        if !aside.is_empty() {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                aside_ui(state, aside.len(), commands, ui)
            });
        }
    });
    if open.is_empty() {
        ui.label(caption("All of them are dismissed. Go on using the app for more."));
    }
    for proposal in open {
        card_ui(state, proposal, false, commands, ui);
    }
    for proposal in aside.into_iter().filter(|_| proposals.show_dismissed) {
        card_ui(state, proposal, true, commands, ui);
    }
    true
}

/// Draws a line about the number of proposals while something else is shown. Returns whether the cards shall be shown.
pub fn proposals_hint_ui(state: &StudioState, shown: bool, ui: &mut Ui) -> bool {
    let count = state.proposals.open(&state.settings.target.app, &state.record).len();
    if count == 0 {
        return shown;
    }
    let mut wanted = shown;
    ui.horizontal(|ui| {
        let word = if count == 1 { "function is" } else { "functions are" };
        ui.label(caption(format!("{count} more {word} proposed from what you did on the phone.")));
        // Accepting a proposal by mistake must not replace a running recording.
        if state.record.phase == RecordPhase::Review {
            let (symbol, label) =
                if shown { (icon::OPEN, "Hide proposals") } else { (icon::CLOSED, "Show proposals") };
            if labelled_button(ui, symbol, label, true).clicked() {
                wanted = !shown;
            }
        }
    });
    wanted
}

fn aside_ui(state: &StudioState, count: usize, commands: &mut Vec<Command>, ui: &mut Ui) {
    let shown = state.proposals.show_dismissed;
    let label = if shown { "Hide dismissed".to_owned() } else { format!("Show dismissed ({count})") };
    if labelled_button(ui, "", &label, true).clicked() {
        commands.push(Command::Proposal(ProposalCommand::ShowDismissed(!shown)));
    }
}

fn card_ui(
    state: &StudioState,
    proposal: &ProposalCard,
    aside: bool,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let (title, found) = (proposal.title(), &proposal.proposal);
    wide_card(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        ui.horizontal(|ui| {
            ui.label(glyph(kind_icon(found.kind)).color(tokens(ui.ctx()).accent));
            ui.label(strong(&title));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| strength_ui(proposal, aside, ui));
        });
        ui.horizontal_wrapped(|ui| {
            let (kind, data) = (kind_word(found.kind), &found.data_type);
            badge(ui, "", kind, Tone::Plain).on_hover_text("What happens to the data");
            badge(ui, icon::DATA, data, Tone::Plain).on_hover_text("The type of the data");
            ui.label(&proposal.objects);
        });
        ui.add(Label::new(&found.reason).wrap());
        ui.add(Label::new(caption(steps_words(proposal))).wrap());
        ui.horizontal(|ui| buttons_ui(state, proposal, aside, commands, ui));
    });
}

/// Draws how certain a proposal is, and what to check.
fn strength_ui(proposal: &ProposalCard, aside: bool, ui: &mut Ui) {
    if aside {
        badge(ui, "", "Dismissed", Tone::Plain);
        return;
    }
    let (symbol, word, tone, why) = match proposal.proposal.confidence {
        Confidence::Likely => {
            (icon::HELD, "Likely", Tone::Good, "The recorded screens prove every condition.")
        }
        Confidence::Possible => (icon::LOOK, "Perhaps", Tone::Warn, "Look at it before you use it."),
    };
    let tip = std::iter::once(why).chain(proposal.doubts.iter().map(String::as_str));
    let tip = tip.collect::<Vec<_>>().join("\n");
    badge(ui, symbol, word, tone).on_hover_text(tip);
}

/// The steps as text, such as `4 steps: tap “Folder” › type “k7” › tap “Create”`.
fn steps_words(proposal: &ProposalCard) -> String {
    let count = proposal.steps.len();
    let word = if count == 1 { "step" } else { "steps" };
    let often = match proposal.proposal.count {
        0 | 1 => String::new(),
        times => format!(". You did it {times} times"),
    };
    format!("{count} {word}: {}{often}.", proposal.steps.join(" \u{203a} "))
}

fn buttons_ui(
    state: &StudioState,
    proposal: &ProposalCard,
    aside: bool,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let (key, name) = (&proposal.proposal.key, &proposal.proposal.name);
    let mut ask = |command| commands.push(Command::Proposal(command));
    let unsaved = state.record.phase == RecordPhase::Review && state.record.kept.is_none();
    let tip = if unsaved {
        "Takes the place of the recording above, which is not saved; Undo brings that back"
    } else {
        "Shows its steps and conditions, to be corrected, tried and saved"
    };
    let accept = labelled_button(ui, icon::CHECK, "Accept", true).on_hover_text(tip);
    if spoken(accept, format!("Accept {name}")).clicked() {
        ask(ProposalCommand::Accept(key.clone()));
    }
    if aside {
        let restore = labelled_button(ui, icon::UNDO, "Take back", true);
        if spoken(restore, format!("Take back {name}")).clicked() {
            ask(ProposalCommand::Restore(key.clone()));
        }
        return;
    }
    let dismiss = labelled_button(ui, icon::CLOSE, "Dismiss", true);
    if spoken(dismiss, format!("Dismiss {name}")).clicked() {
        ask(ProposalCommand::Dismiss(key.clone()));
    }
}
