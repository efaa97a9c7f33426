//! The DMFs of a document: search, choose, add, copy, move, remove.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, CornerRadius, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, WidgetType, pos2, vec2};

use super::edit::order;
use crate::command::Command;
use crate::parts::controls::{empty_state, icon_button};
use crate::parts::theme::{icon, icon_font, medium_font, tokens};
use crate::specs::{DocumentCommand, Documents, SpecDocument, SpecEdit, Whose, new_dmf, numbered};
use taproof_spec::{Dmf, DmfKind, distinct_function_words};

const ROW: f32 = 28.0;
/// Maximum number of problems that the tooltip of a function lists.
const LISTED: usize = 3;

/// The list's own state.
#[derive(Default)]
pub struct ListPanel {
    search: String,
}

/// Draws the list of a document's DMFs.
pub fn dmf_list_ui(
    documents: &Documents,
    document: &SpecDocument,
    panel: &mut ListPanel,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    buttons_ui(document, commands, ui);
    let edit = TextEdit::singleline(&mut panel.search)
        .hint_text("Search")
        .desired_width(f32::INFINITY)
        .margin(egui::Margin::symmetric(8, 6));
    let response = ui.add(edit);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search the functions"));
    ui.add_space(4.0);
    let wanted = panel.search.to_lowercase();
    let dmfs = document.spec.dmfs.iter().enumerate();
    let rows: Vec<(usize, &Dmf)> =
        dmfs.filter(|(_, dmf)| dmf.name.to_lowercase().contains(&wanted)).collect();
    if document.spec.dmfs.is_empty() {
        empty_state(ui, icon::NEW, "No function yet", "Add one, or record it.");
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().id_salt("dmfs").auto_shrink([false, false]).show_rows(
        ui,
        ROW,
        rows.len(),
        |ui, range| {
            for (index, dmf) in rows.get(range).unwrap_or_default() {
                if row_ui(document, (*index, dmf), documents.whose(document, dmf), ui) {
                    order(commands, DocumentCommand::Choose(document.id, *index));
                }
            }
        },
    );
}

fn buttons_ui(document: &SpecDocument, commands: &mut Vec<Command>, ui: &mut Ui) {
    let (chosen, count) = (document.chosen, document.spec.dmfs.len());
    let any = count > 0 && document.json.problem.is_none();
    let mut edit = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        if icon_button(ui, icon::NEW, "Add a function", document.json.problem.is_none()).clicked() {
            let noun = document.dmf().map_or("item", |dmf| dmf.data_type.as_str());
            let dmf = new_dmf(&document.spec.dmfs, DmfKind::Create, noun);
            edit = Some(SpecEdit::InsertDmf(count, Box::new(dmf)));
        }
        if icon_button(ui, icon::COPY, "Copy the function", any).clicked()
            && let Some(dmf) = document.dmf()
        {
            let copy = numbered(&document.spec.dmfs, dmf.clone());
            edit = Some(SpecEdit::InsertDmf(chosen + 1, Box::new(copy)));
        }
        if icon_button(ui, icon::UP, "Move the function up", any && chosen > 0).clicked() {
            edit = Some(SpecEdit::MoveDmf(chosen, chosen - 1));
        }
        if icon_button(ui, icon::DOWN, "Move the function down", any && chosen + 1 < count).clicked() {
            edit = Some(SpecEdit::MoveDmf(chosen, chosen + 1));
        }
        if icon_button(ui, icon::DELETE, "Remove the function", any).clicked() {
            edit = Some(SpecEdit::RemoveDmf(chosen));
        }
    });
    if let Some(edit) = edit {
        order(commands, DocumentCommand::Edit(document.id, Box::new(edit)));
    }
}

fn row_ui(document: &SpecDocument, (index, dmf): (usize, &Dmf), whose: Option<Whose>, ui: &mut Ui) -> bool {
    let tokens = tokens(ui.ctx());
    let (rect, mut response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let chosen = document.chosen == index;
    let (errors, warnings) = document.counts(index);
    let problems = match (errors, warnings) {
        (0, 0) => String::new(),
        (0, warnings) => format!(", {warnings} to look at"),
        (errors, _) => format!(", {errors} broken"),
    };
    let judged = if dmf.not_judged.is_some() { ", not judged" } else { "" };
    let mark = whose.map(whose_mark);
    let own = mark.map_or(String::new(), |(_, word)| format!(", {word}"));
    let name = format!("Function {}{judged}{own}{problems}", dmf.name);
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, chosen, &name));
    let ground = match (chosen, response.hovered()) {
        (true, _) => Some(tokens.accent_soft),
        (false, true) => Some(tokens.raised),
        (false, false) => None,
    };
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    if let Some(ground) = ground {
        painter.rect_filled(rect, CornerRadius::same(4), ground);
    }
    let middle = rect.center().y;
    let at = pos2(rect.left() + 6.0, middle);
    painter.text(at, Align2::LEFT_CENTER, kind_icon(dmf.kind), icon_font(14.0), tokens.quiet);
    let color = if !dmf.runs() { tokens.quiet } else { tokens.text };
    let font = if chosen { medium_font(13.0) } else { egui::FontId::proportional(13.0) };
    let weight = painter.text(
        pos2(rect.right() - 6.0, middle),
        Align2::RIGHT_CENTER,
        if dmf.not_judged.is_some() { "–".to_owned() } else { dmf.weight.to_string() },
        egui::FontId::proportional(11.0),
        tokens.quiet,
    );
    let mut end = weight.left() - 6.0;
    let badge = match (errors, warnings) {
        (0, 0) => None,
        (0, warnings) => Some((icon::LOOK, tokens.warn, warnings)),
        (errors, _) => Some((icon::BROKEN, tokens.bad, errors)),
    };
    if let Some((glyph, color, count)) = badge {
        let at = pos2(end, middle);
        let font = egui::FontId::proportional(11.0);
        let count = painter.text(at, Align2::RIGHT_CENTER, count.to_string(), font, color);
        let at = pos2(count.left() - 2.0, middle);
        end = painter.text(at, Align2::RIGHT_CENTER, glyph, icon_font(12.0), color).left() - 6.0;
    }
    if let Some((glyph, _)) = mark {
        let at = pos2(end, middle);
        end = painter.text(at, Align2::RIGHT_CENTER, glyph, icon_font(12.0), tokens.accent).left() - 6.0;
    }
    let start = rect.left() + 26.0;
    let mut words = LayoutJob::simple_singleline(dmf.name.clone(), font, color);
    words.wrap = TextWrapping::truncate_at_width((end - start).max(0.0));
    let words = painter.layout_job(words);
    painter.galley(pos2(start, middle - words.size().y / 2.0), words, color);
    if response.hovered() {
        response = response.on_hover_text(tip(document, index, whose));
    }
    response.clicked()
}

/// What is said of a function that the pointer rests on.
fn tip(document: &SpecDocument, index: usize, whose: Option<Whose>) -> String {
    let dmf = &document.spec.dmfs[index];
    let kind = kind_words(dmf.kind);
    let mut tip = format!(
        "{}\n{kind}, called \u{201c}{}\u{201d}\nweight {}: how often it is chosen, beside the others",
        distinct_function_words(dmf, &document.spec.dmfs),
        dmf.name,
        dmf.weight
    );
    tip += &whose.map_or(String::new(), |whose| format!("\n{}", whose.words()));
    let about = document.findings_of(index);
    for finding in about.iter().take(LISTED) {
        tip += &format!("\n{}", finding.message);
    }
    if about.len() > LISTED {
        tip += &format!("\nand {} more", about.len() - LISTED);
    }
    tip
}

/// The icon of whose a function is, and its words in a list.
fn whose_mark(whose: Whose) -> (&'static str, &'static str) {
    match whose {
        Whose::Own => (icon::PERSON, "yours"),
        Whose::OwnInPlace => (icon::PERSON, "yours in place of the shipped one"),
        Whose::Replaced => (icon::SWITCH, "replaced by yours"),
    }
}

/// What a function of a kind does, for people.
fn kind_words(kind: DmfKind) -> &'static str {
    match kind {
        DmfKind::Create => "Creates data",
        DmfKind::Read => "Opens data",
        DmfKind::Update => "Changes data",
        DmfKind::Delete => "Takes data away from where they are",
        DmfKind::Search => "Looks for data",
        DmfKind::Property => "Changes no data",
    }
}

/// The icon of a kind.
pub fn kind_icon(kind: DmfKind) -> &'static str {
    match kind {
        DmfKind::Create => icon::NEW,
        DmfKind::Read => icon::SHOW,
        DmfKind::Update => icon::CHANGED,
        DmfKind::Delete => icon::REMOVED,
        DmfKind::Search => icon::SEARCH,
        DmfKind::Property => icon::LIST,
    }
}
