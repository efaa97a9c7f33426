//! The bugs of a campaign: a card for each, with the screens that show it.

use egui::{
    Align, Area, Button, CollapsingHeader, CornerRadius, Id, Label, Layout, Order, Popup, Rect, RichText,
    ScrollArea, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetType, pos2, vec2,
};

use super::corrections::{another_bug_ui, correct_menu_ui, dismissed_ui, judge_ui};
use super::fuzz::FuzzPanel;
use super::numbers::could_not_run_list_ui;
use super::thumbnails::Thumbnails;
use crate::command::Command;
use crate::fuzz::panels::finding_line::{facts, other_ui};
use crate::fuzz::{BugCard, CampaignCommand, CampaignState, ThumbnailOf};
use crate::parts::controls::{
    Tone, badge, card, empty_state, kept_apart, labelled_button, literal_words, named, small_button,
    wide_card,
};
use crate::parts::theme::{caption, icon, strong, tokens};
use crate::replay::HistoryCommand;
use crate::replay::panels::badges::badges_ui;
use crate::state::StudioState;
use taproof_campaign::{BugClass, CardScreen, FIRST_BUGS, Finding, Harm};
use taproof_results::report::{MOST_SENTENCES, literal_hint};
use taproof_screen::{PxRect, counted};

/// Length of the longer side of a screen, in points.
const SCREEN: f32 = 208.0;
/// Least height of what is written below a screen.
const CAPTION: f32 = 32.0;
/// Height of a title of two lines.
const TITLE: f32 = 36.0;
/// Width between screens and between columns of cards.
const GAP: f32 = 12.0;
/// Least width of a column: its lines have at most 70 letters while there is room for another one.
const COLUMN: f32 = 380.0;

/// Draws the bugs of a campaign, and below them what is not sure yet.
pub fn bugs_ui(
    state: &StudioState,
    campaign: &CampaignState,
    panel: &mut FuzzPanel,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    functions_ui(campaign, commands, ui);
    if campaign.found.findings.is_empty() {
        card(ui, |ui| none_ui(campaign, ui));
        return;
    }
    let room = ui.available_rect_before_wrap();
    // Also while a tooltip or a menu lies over the cards.
    let pointed = ui.input(|input| input.pointer.hover_pos()).is_some_and(|at| room.contains(at));
    let waiting = panel.cards.follow(campaign, pointed);
    let FuzzPanel { cards: held, thumbnails, .. } = panel;
    let [bugs, suspicions, unsure, dismissed] = BugClass::ALL.map(|class| held.of(class));
    let (first, more) = bugs.split_at(bugs.len().min(FIRST_BUGS));
    ScrollArea::vertical().id_salt("bugs").auto_shrink([false, false]).show(ui, |ui| {
        let mut cards_ui = |cards: &[BugCard], commands: &mut Vec<Command>, ui: &mut Ui| {
            let count = ((ui.available_width() + GAP) / (COLUMN + GAP)).max(1.0) as usize;
            ui.spacing_mut().item_spacing.x = GAP;
            ui.columns(count, |columns| {
                for (place, bug) in held.placed(cards).into_iter().enumerate() {
                    let ui = &mut columns[place % count];
                    kept_apart(ui, &bug.shown.id, |ui| {
                        card_ui(state, campaign, bug, thumbnails, commands, ui);
                    });
                }
            });
        };
        cards_ui(first, commands, ui);
        if !more.is_empty() {
            let bugs = if more.len() == 1 { "bug" } else { "bugs" };
            CollapsingHeader::new(format!("{} more {bugs}", more.len()))
                .id_salt(("more bugs", campaign.id))
                .show(ui, |ui| cards_ui(more, commands, ui));
        }
        if !suspicions.is_empty() {
            CollapsingHeader::new(counted(suspicions.len(), "suspicion"))
                .id_salt(("suspicions", campaign.id))
                .show(ui, |ui| {
                    let what = "What came back each time, and may be no bug. They count nowhere until they are settled.";
                    ui.add(Label::new(caption(what)).wrap());
                    cards_ui(suspicions, commands, ui);
                });
        }
        if !unsure.is_empty() {
            wide_card(ui, |ui| {
                ui.label(caption("Seen, and not each time again or not tried again yet"));
                for finding in unsure.iter().map(|card| &card.shown) {
                    kept_apart(ui, &finding.id, |ui| {
                        other_ui(
                            (finding, &finding.title_words()),
                            ui,
                            || commands.push(open(campaign, finding)),
                            |_| (),
                        );
                    });
                }
            });
        }
        dismissed_ui(state, campaign, dismissed, commands, ui);
    });
    let says = |command: &Command| {
        let judges = matches!(command, Command::History(HistoryCommand::Judge(_)));
        judges || matches!(command, Command::Campaign(CampaignCommand::Correct(..)))
    };
    if commands.iter().any(says) {
        panel.cards.expect_change();
    }
    if waiting > 0 && pill_ui(room, waiting, ui) {
        panel.cards.take(campaign);
    }
}

/// Draws what the functions did in a line, and a button that shows more of it. Its height is always the same.
fn functions_ui(campaign: &CampaignState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(line) = campaign.functions_line() else { return };
    let row = vec2(ui.available_width(), 22.0);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_height(row.y);
        if line.could_not_run > 0 {
            let words = format!("{} broke off: why", counted(line.could_not_run as usize, "run"));
            // The same width whatever the number.
            let button = ui.add(small_button(&words).min_size(vec2(176.0, 20.0)));
            named(&button, WidgetType::Button, "Why functions could not run");
            let button = button.on_hover_text("Shows which step of which function could not be done");
            Popup::menu(&button).show(|ui| {
                could_not_run_list_ui(campaign, &campaign.functions(), ui);
                ui.separator();
                if ui.button("How often each function ran, held and broke").clicked() {
                    commands.push(CampaignCommand::LookInside(line.engine).into());
                }
            });
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let more = campaign.idle_sentence().or(line.advice).unwrap_or_default();
            let says = format!("{}  {more}", line.ran);
            ui.add(Label::new(RichText::new(&says).color(tokens(ui.ctx()).quiet)).truncate())
                .on_hover_text(says);
        });
    });
}

/// Draws a button over the cards that says how many wait. Returns whether it was pressed.
fn pill_ui(room: Rect, waiting: usize, ui: &mut Ui) -> bool {
    let colors = tokens(ui.ctx());
    let size = vec2(84.0, 28.0);
    let place = Rect::from_center_size(pos2(room.center().x, room.bottom() - 24.0), size);
    let text = RichText::new(format!("{waiting} new")).color(colors.on_accent);
    let pill = Button::new(text).fill(colors.accent).corner_radius(14);
    // Cards below must not receive the click.
    let area = Area::new(Id::new("new bugs")).order(Order::Foreground).fixed_pos(place.min);
    let tip = "Draws the new bugs below the others; until then nothing moves under the pointer";
    area.show(ui.ctx(), |ui| ui.add_sized(size, pill).on_hover_text(tip).clicked()).inner
}

fn none_ui(campaign: &CampaignState, ui: &mut Ui) {
    ui.set_width(ui.available_width());
    let (what, how) = if campaign.alive() {
        ("Nothing found yet", "Bugs appear here as soon as they are seen.")
    } else if campaign.idle_sentence().is_some() {
        ("Nothing found", "Not every function ran. Record how what they need is made, or try more events.")
    } else if campaign.properties().iter().any(|counts| counts.executed > 0) {
        (
            "Nothing found",
            "Every function that ran did what it should. Try more events, another seed, or the build with bugs.",
        )
    } else {
        ("Nothing found", "Nothing was lost, and nothing crashed. Try more events or another seed.")
    };
    empty_state(ui, icon::BUG, what, how);
}

fn open(campaign: &CampaignState, finding: &Finding) -> Command {
    Command::OpenFinding(campaign.id, finding.id.clone())
}

fn card_ui(
    state: &StudioState,
    campaign: &CampaignState,
    bug: &BugCard,
    thumbnails: &mut Thumbnails,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    wide_card(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 8.0);
        head_ui(state, campaign, bug, commands, ui);
        screens_ui(state, bug, thumbnails, commands, ui);
        texts_ui(state, campaign, bug, commands, ui);
    });
}

/// Draws what is known of a bug beside its title.
fn texts_ui(
    state: &StudioState,
    campaign: &CampaignState,
    bug: &BugCard,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    ui.add(Label::new(caption(facts(campaign, &bug.findings))).wrap());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let is_bug = bug.class == BugClass::Bug;
        let tone = match bug.harm {
            Harm::Crash | Harm::DataLost | Harm::WrongShown if is_bug => Tone::Bad,
            _ => Tone::Warn,
        };
        badge(ui, icon::BROKEN, bug.harm.words(), tone).on_hover_text(match bug.harm {
            Harm::Crash => "The app ended, did not answer any more, or never stopped loading",
            Harm::DataLost => "Data that the app should hold are missing or changed",
            Harm::WrongShown => "The app shows what it should not hold, or does not find what it holds",
            Harm::StateLost => "What was entered, chosen or opened is gone",
            Harm::WrongOrder => "The app lists its data in an order that it should not",
            Harm::Late => "What should be shown at once comes after a while",
            Harm::Odd => "The app does something else here than it does otherwise",
        });
        for page in &bug.pages {
            badge(ui, "", page, Tone::Plain);
        }
        badges_ui(&bug.shown, ui);
    });
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 16.0;
        let (first, others) = bug.wrong.split_at(bug.wrong.len().min(MOST_SENTENCES));
        let wrong_ui = |wrong: &String, ui: &mut Ui| {
            ui.add(Label::new(literal_words(wrong, TextStyle::Small, ui)).wrap());
        };
        first.iter().for_each(|wrong| wrong_ui(wrong, ui));
        if !others.is_empty() {
            let more = CollapsingHeader::new(caption(format!("and {} more", others.len())));
            more.id_salt(("more wrong", &bug.shown.id))
                .show(ui, |ui| others.iter().for_each(|it| wrong_ui(it, ui)));
        }
        if let Some(hint) = literal_hint(&bug.shown) {
            ui.add(Label::new(caption(hint)).wrap());
        }
    });
    let mut said = |words: String| ui.add(Label::new(caption(words)).wrap());
    if let Some(relation) = bug.relations.first() {
        said(format!("By hand: {}.", relation.by_hand));
    }
    if bug.class == BugClass::Suspicion {
        said(format!("Rests on: {}.", bug.rests_on()));
        if let Some(what) = bug.settled_by() {
            said(format!("To settle it: {what}."));
        }
    }
    judge_ui(state, campaign, bug, commands, ui);
    for finding in bug.findings.iter().skip(1) {
        let mut corrected = Vec::new();
        kept_apart(ui, &finding.id, |ui| {
            let open = || commands.push(open(campaign, finding));
            let words = variant_words(bug, finding);
            other_ui((finding, &words), ui, open, |ui| another_bug_ui(campaign, finding, &mut corrected, ui));
        });
        commands.append(&mut corrected);
    }
}

/// What tells another finding of a bug from the first one: what it says, if that is something else, and its steps.
fn variant_words(bug: &BugCard, finding: &Finding) -> String {
    let steps = counted(finding.minimal.trace.len(), "step");
    if bug.shown.title != finding.title {
        format!("{}  \u{b7}  {steps}", finding.title_words())
    } else {
        format!("the same in {steps}")
    }
}

/// Draws the screens that show a bug, two in a row. They have their room before there are any, so that nothing moves when they
/// come.
fn screens_ui(
    state: &StudioState,
    bug: &BugCard,
    thumbnails: &mut Thumbnails,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let share = (ui.available_width() - GAP) / 2.0;
    let mut rows = bug.screens.chunks(2);
    let first = rows.next().unwrap_or_default();
    for pair in std::iter::once(first).chain(rows) {
        ui.horizontal_top(|ui| {
            ui.set_min_height(SCREEN + CAPTION + 8.0);
            ui.spacing_mut().item_spacing.x = GAP;
            for (screen, of) in pair {
                screen_ui(state, (screen, of, share), thumbnails, commands, ui);
            }
        });
    }
}

fn head_ui(
    state: &StudioState,
    campaign: &CampaignState,
    card: &BugCard,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    ui.horizontal_top(|ui| {
        let width = (ui.available_width() - 132.0).max(80.0);
        ui.allocate_ui(vec2(width, TITLE), |ui| {
            ui.set_width(width);
            ui.set_min_height(TITLE);
            ui.add(Label::new(strong(&card.title)).wrap());
        });
        // At the top of each card, however long its title is.
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            let button = labelled_button(ui, icon::PLAY, "Replay", true);
            named(&button, WidgetType::Button, &format!("Replay {}", card.title));
            if button.clicked() {
                commands.push(open(campaign, &card.shown));
            }
            correct_menu_ui(state, campaign, card, commands, ui);
        });
    });
}

/// Draws a screen in its width with its rings, and below it what led there.
fn screen_ui(
    state: &StudioState,
    (screen, of, width): (&CardScreen, &ThumbnailOf, f32),
    thumbnails: &mut Thumbnails,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let size = of.layout.screen();
    let size = vec2(size.width.max(1) as f32, size.height.max(1) as f32);
    let scale = (width / size.x).min(SCREEN / size.y);
    let room = size * scale;
    ui.vertical(|ui| {
        ui.set_width(width);
        let (rect, response) = ui.allocate_exact_size(room, Sense::hover());
        if !thumbnails.paint(state, of, rect, ui) {
            commands.push(CampaignCommand::Thumbnails(vec![of.clone()]).into());
        }
        let colors = tokens(ui.ctx());
        let frame = Stroke::new(1.0, colors.line);
        ui.painter().rect_stroke(rect, CornerRadius::same(2), frame, StrokeKind::Outside);
        let ring = Stroke::new(2.0, colors.bad);
        for bounds in screen.ringed.iter().filter_map(|widget| Some(of.layout.get(*widget)?.bounds)) {
            let there = placed(bounds, scale, rect);
            ui.painter().rect_stroke(there, CornerRadius::same(2), ring, StrokeKind::Outside);
        }
        response.on_hover_text(&screen.caption);
        ui.add(Label::new(caption(&screen.caption)).wrap());
    });
}

fn placed(bounds: PxRect, scale: f32, on: Rect) -> Rect {
    let at = |x: i32, y: i32| on.min + vec2(x as f32, y as f32) * scale;
    Rect::from_min_max(at(bounds.left, bounds.top), at(bounds.right, bounds.bottom)).intersect(on)
}
