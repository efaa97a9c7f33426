//! *New version*: the functions with what they no longer find, the screens of both versions, and what mends them.

use egui::{
    Align, Frame, Label, Layout, Margin, Panel, Rect, RichText, ScrollArea, Sense, Ui, WidgetType, pos2, vec2,
};

use crate::command::Command;
use crate::parts::controls::{
    Tone, badge, empty_state, icon_button, labelled_button, named, primary_button, progress_bar,
};
use crate::parts::overlay::{Outline, PictureSlot, ScreenView, paint_outline, paint_screen};
use crate::parts::theme::{caption, glyph, icon, medium_font, strong, tokens};
use crate::specs::{RepairCommand, RepairState, SpecDocument};
use crate::state::StudioState;
use taproof_campaign::{FunctionEnd, FunctionRepair, Proposed};
use taproof_screen::{Layout as Screen, WidgetIdx, one_line, widget_name};
use taproof_spec::repair::{Mend, Proposal};

/// The height that is left for the proposals below the screens, in points.
const PROPOSALS: f32 = 210.0;

/// Draws the result of the repair of a document, or how to get one.
pub fn repair_ui(state: &StudioState, document: &SpecDocument, commands: &mut Vec<Command>, ui: &mut Ui) {
    let repair = &state.repair;
    let mut ask = |command| commands.push(Command::Repair(command));
    let label = state.label_of(&state.settings.target.app).to_owned();
    if repair.document != Some(document.id) {
        let how = "Each function is performed on the app that is on the phone. What it no longer finds is looked for by \
                   id, words and place, and each mend is tried at once.";
        empty_state(ui, icon::LOOK, &format!("Does it still fit {label}?"), how);
        ui.vertical_centered(|ui| {
            let button = primary_button(ui, icon::PLAY, "Check this version", !repair.is_running());
            if button.clicked() {
                ask(RepairCommand::Start(document.id));
            }
        });
        return;
    }
    head_ui(repair, &label, document, &mut ask, ui);
    Panel::left("repair functions").default_size(230.0).size_range(150.0..=420.0).show(ui, |ui| {
        ScrollArea::vertical().id_salt("repair functions").auto_shrink(false).show(ui, |ui| {
            for (index, function) in repair.functions.iter().enumerate() {
                function_ui(repair, index, function, &mut ask, ui);
            }
        });
    });
    Frame::new().inner_margin(Margin { left: 12, ..Margin::ZERO }).show(ui, |ui| match repair.shown() {
        Some(shown) => lost_ui(repair, shown, &mut ask, ui),
        None => nothing_lost_ui(repair, ui),
    });
}

fn head_ui(
    repair: &RepairState,
    label: &str,
    document: &SpecDocument,
    ask: &mut impl FnMut(RepairCommand),
    ui: &mut Ui,
) {
    ui.horizontal_wrapped(|ui| {
        ui.label(strong(format!("{} on {label}", document.name)));
        if let Some(sentence) = repair.sentence(document.id) {
            ui.label(sentence);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, icon::CLOSE, "Close the check", true).clicked() {
                ask(RepairCommand::Close);
            }
            if repair.is_running() {
                if labelled_button(ui, icon::STOP, "Stop", true).clicked() {
                    ask(RepairCommand::Cancel);
                }
                return;
            }
            if labelled_button(ui, icon::RESTART, "Check again", true).clicked() {
                ask(RepairCommand::Start(document.id));
            }
            let all = primary_button(ui, icon::HELD, "Mend all that passed", repair.has_more_mends());
            let tip = "Takes over every mend with which its function holds. It can be undone";
            if all.on_hover_text(tip).clicked() {
                ask(RepairCommand::MendAll);
            }
        });
    });
    if repair.is_running() {
        let (words, done) = match &repair.at {
            Some((name, at, of)) => (format!("{name}, {} of {of}", at + 1), *at as f32 / (*of).max(1) as f32),
            None => ("Performing the functions on the old version".to_owned(), 0.0),
        };
        progress_bar(ui, done, &words, ui.available_width());
    }
    if let Some(problem) = &repair.problem {
        ui.horizontal_top(|ui| {
            ui.label(glyph(icon::BROKEN).color(tokens(ui.ctx()).bad));
            ui.add(Label::new(problem).wrap());
        });
    }
    ui.add_space(6.0);
}

/// Draws a function with what it no longer finds.
fn function_ui(
    repair: &RepairState,
    index: usize,
    function: &FunctionRepair,
    ask: &mut impl FnMut(RepairCommand),
    ui: &mut Ui,
) {
    let (symbol, tone) = look(&function.end);
    let chosen = repair.chosen.0 == index;
    ui.horizontal(|ui| {
        ui.label(glyph(symbol).color(tone.colors(tokens(ui.ctx())).0));
        let name = if chosen { strong(&function.name) } else { RichText::new(&function.name) };
        let row = ui.selectable_label(chosen && function.proposed.is_empty(), name);
        let told = function.end.told().unwrap_or(function.end.word());
        if row.on_hover_text(told).clicked() {
            ask(RepairCommand::Choose(index, 0));
        }
    });
    for (place, lost) in function.proposed.iter().enumerate() {
        ui.horizontal(|ui| {
            ui.add_space(24.0);
            let words = lost_words(lost);
            let chosen = repair.chosen == (index, place);
            let row = ui.selectable_label(chosen, RichText::new(&words).small());
            if row.clicked() {
                ask(RepairCommand::Choose(index, place));
            }
        });
    }
}

/// What is lost, in a few words.
fn lost_words(lost: &Proposed) -> String {
    let Some(selector) = &lost.selector else { return "a screen is new".to_owned() };
    let short = |id: &String| id.rsplit_once(":id/").map_or(id.clone(), |(_, short)| short.to_owned());
    let said = selector.content_desc.clone().or(match &selector.text {
        taproof_spec::TextPattern::Is(text) => Some(text.clone()),
        _ => None,
    });
    let name =
        said.map(|said| format!("\u{201c}{said}\u{201d}")).or(selector.resource_id.as_ref().map(short));
    one_line(&name.unwrap_or_else(|| selector.to_string()))
}

fn look(end: &FunctionEnd) -> (&'static str, Tone) {
    match end {
        FunctionEnd::Holds => (icon::HELD, Tone::Good),
        FunctionEnd::Mended => (icon::HELD, Tone::Warn),
        FunctionEnd::MayBeBug(_) => (icon::BROKEN, Tone::Bad),
        FunctionEnd::NotMended(_) => (icon::LOOK, Tone::Bad),
        FunctionEnd::HoldsUnproven | FunctionEnd::NotJudged(_) => (icon::LOOK, Tone::Warn),
        FunctionEnd::NotKnown | FunctionEnd::SwitchedOff => (icon::LOOK, Tone::Plain),
    }
}

fn nothing_lost_ui(repair: &RepairState, ui: &mut Ui) {
    let Some(function) = repair.functions.get(repair.chosen.0) else {
        return empty_state(ui, icon::PLAY, "Nothing is known yet", "The functions are being performed.");
    };
    let (symbol, _) = look(&function.end);
    let what = format!("{}: {}", function.name, function.end.word());
    let how = match &function.end {
        FunctionEnd::MayBeBug(told) => {
            format!("{told}. Everything that it names was found, so this is not mended: it may be a bug.")
        }
        end => format!("{}.", end.told().unwrap_or("It finds everything that it names")),
    };
    empty_state(ui, symbol, &what, &how);
}

/// Draws both screens and the proposals for something that is lost.
fn lost_ui(repair: &RepairState, shown: &Proposed, ask: &mut impl FnMut(RepairCommand), ui: &mut Ui) {
    let what = match (&shown.selector, shown.old.is_some()) {
        (Some(selector), _) => format!("{} no longer finds {selector}", shown.function),
        (None, _) => format!("{} is on a screen that is new", shown.function),
    };
    ui.add(Label::new(strong(what)).wrap());
    let room = ui.available_rect_before_wrap();
    let height = (room.height() - PROPOSALS).max(160.0);
    let half = (room.width() - 16.0) / 2.0;
    let column = |left: f32| Rect::from_min_size(pos2(left, room.top()), vec2(half, height));
    let proposal = shown.proposals.get(repair.proposal());
    match &shown.old {
        Some(old) => {
            screen_ui("Old version", column(room.left()), &old.layout, Some(old.widget), Tone::Plain, ui)
        }
        None => unknown_ui(column(room.left()), ui),
    }
    let found = proposal.and_then(|proposal| proposal.widget);
    screen_ui("New version", column(room.right() - half), &shown.layout, found, Tone::Good, ui);
    ui.allocate_rect(Rect::from_min_size(room.min, vec2(room.width(), height)), Sense::hover());
    ui.add_space(4.0);
    proposals_ui(repair, shown, ask, ui);
}

fn unknown_ui(room: Rect, ui: &Ui) {
    let (color, font) = (tokens(ui.ctx()).quiet, medium_font(12.0));
    let words = "The screen of the old version is not known";
    ui.painter().text(room.center(), egui::Align2::CENTER_CENTER, words, font, color);
}

/// Draws a screen with the widget that is meant.
fn screen_ui(name: &str, room: Rect, layout: &Screen, widget: Option<WidgetIdx>, tone: Tone, ui: &Ui) {
    let (color, font) = (tokens(ui.ctx()).quiet, medium_font(11.0));
    let at = pos2(room.center().x, room.top() + 8.0);
    ui.painter().text(at, egui::Align2::CENTER_CENTER, name.to_uppercase(), font, color);
    let view = ScreenView::fit(room.with_min_y(room.top() + 18.0), layout.screen());
    let painter = ui.painter().with_clip_rect(view.rect.expand(1.0));
    paint_screen(&painter, &view, layout, None, &mut PictureSlot::default());
    let meant = widget.and_then(|idx| layout.get(idx));
    let response = ui.interact(view.rect, ui.id().with(name), Sense::hover());
    let label = meant.map_or_else(String::new, widget_name);
    named(&response, WidgetType::Image, &format!("{name}: {label}"));
    if let Some(widget) = meant {
        paint_outline(&painter, &view, &Outline { bounds: widget.bounds, label, tone });
    }
}

/// Draws the proposals, and the buttons for the one that is shown.
fn proposals_ui(repair: &RepairState, shown: &Proposed, ask: &mut impl FnMut(RepairCommand), ui: &mut Ui) {
    let taken = repair.mend().is_some_and(|mend| repair.taken.contains(mend));
    ui.horizontal_wrapped(|ui| {
        let ready = !repair.is_running() && repair.mend().is_some();
        let words = match repair.mend() {
            Some(Mend::Rename { .. }) | None => "Mend all uses",
            Some(Mend::Insert { .. }) => "Insert the step",
            Some(Mend::LeaveOut { .. }) => "Leave the step out",
        };
        if primary_button(ui, icon::HELD, words, ready && !taken).clicked() {
            ask(RepairCommand::Mend);
        }
        let tip = "Does the function several times with this mend and says what happened";
        if labelled_button(ui, icon::PLAY, "Try it", ready).on_hover_text(tip).clicked() {
            ask(RepairCommand::Try);
        }
        match (taken, shown.chosen == Some(repair.proposal()), shown.passed) {
            (true, ..) => badge(ui, icon::HELD, "taken over", Tone::Good),
            (_, true, true) => badge(ui, icon::HELD, "passed its try", Tone::Good),
            (_, true, false) => badge(ui, icon::LOOK, "did not pass its try", Tone::Warn),
            (_, false, _) => badge(ui, icon::LOOK, "not chosen", Tone::Plain),
        };
    });
    if shown.proposals.is_empty() {
        ui.label(caption("Nothing on this screen is like it."));
    }
    ScrollArea::vertical().id_salt("repair proposals").auto_shrink(false).show(ui, |ui| {
        for (place, proposal) in shown.proposals.iter().enumerate() {
            proposal_ui(shown, (place, proposal), repair.proposal() == place, ask, ui);
        }
    });
}

fn proposal_ui(
    shown: &Proposed,
    (place, proposal): (usize, &Proposal),
    chosen: bool,
    ask: &mut impl FnMut(RepairCommand),
    ui: &mut Ui,
) {
    let what = match &proposal.mend {
        Mend::Rename { new, .. } => new.to_string(),
        Mend::Insert { step, selector, .. } => format!("a new step {}: tap {selector}", step + 1),
        Mend::LeaveOut { step, .. } => format!("leave step {} out", step + 1),
    };
    let likely = format!("{} %", proposal.score / 10);
    ui.horizontal(|ui| {
        ui.label(caption(likely)).on_hover_text("How like it is to what is looked for");
        let text = if chosen { strong(one_line(&what)) } else { RichText::new(one_line(&what)) };
        if ui.selectable_label(chosen, text).clicked() {
            ask(RepairCommand::Look(place));
        }
        if shown.chosen == Some(place) && shown.passed {
            ui.label(glyph(icon::HELD).color(tokens(ui.ctx()).good));
        }
    });
    if chosen && !proposal.reasons.is_empty() {
        ui.horizontal_top(|ui| {
            ui.add_space(40.0);
            ui.add(Label::new(caption(proposal.reasons.join("; "))).wrap());
        });
    }
}
