//! The panel of phones: which devices adb sees and whether they can be used, how a phone is paired and connected over Wi-Fi,
//! and whether one is ready for campaigns.

use egui::{Context, Id, Label, Margin, Modal, RichText, ScrollArea, TextEdit, Ui, WidgetType};

use super::device_list::{device_actions_ui, search_ui};
use crate::command::{Command, DeviceCommand};
use crate::parts::controls::{
    details_ui, given_up, labelled_button, named, named_checkbox, sheet, spinner_if,
};
use crate::parts::theme::{caption, glyph, heading, icon, strong, title, tokens};
use crate::phone::{DeviceCheck, DeviceLine, Reach, Search, folded, sentence};
use crate::state::StudioState;
use taproof_adb::{CheckAnswer, Fitness};
use taproof_screen::upper_first;

/// Width of the panel, in points.
const WIDTH: f32 = 560.0;
/// Width of the field for an address, in points.
const ADDRESS: f32 = 220.0;

/// What was typed into the panel.
#[derive(Default)]
pub struct PhonesPanel {
    pair: String,
    code: String,
    connect: String,
}

/// Draws the panel, if it is open.
pub fn phones_panel_ui(
    state: &StudioState,
    panel: &mut PhonesPanel,
    commands: &mut Vec<Command>,
    ctx: &Context,
) {
    if !state.devices.panel {
        return;
    }
    let mut close = false;
    let most = (ctx.content_rect().height() - 160.0).max(160.0);
    let modal = Modal::new(Id::new("phones")).frame(sheet(ctx)).show(ctx, |ui| {
        ui.set_width(WIDTH.min(ctx.content_rect().width() - 64.0));
        ui.label(title("Phones"));
        ui.add_space(8.0);
        ScrollArea::vertical().max_height(most).show(ui, |ui| {
            devices_ui(state, commands, ui);
            ui.add_space(12.0);
            ui.separator();
            ui.add_space(8.0);
            reach_ui(state, panel, commands, ui);
        });
        ui.add_space(12.0);
        close = labelled_button(ui, "", "Close", true).clicked();
    });
    if close || given_up(&modal, ctx) {
        commands.push(Command::Device(DeviceCommand::ShowPanel(false)));
    }
}

fn devices_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let devices = &state.devices;
    for device in &devices.list {
        device_ui(state, device, commands, ui);
        ui.add_space(12.0);
    }
    if devices.list.is_empty() && !matches!(devices.search, Search::Looking) {
        ui.label(strong("adb sees no phone."));
        let steps = [
            "On the phone: Settings, About phone, tap \u{201c}Build number\u{201d} seven times.",
            "Settings, System, Developer options: switch on USB debugging.",
            "Plug the phone in, unlock it, and allow debugging in the question that it shows.",
            "Without a cable: switch on Wireless debugging there, and pair the phone below.",
        ];
        for (number, step) in steps.iter().enumerate() {
            ui.add(Label::new(format!("{}.  {step}", number + 1)).wrap());
        }
        ui.add(Label::new(caption("An emulator that runs is listed by itself.")).wrap());
    }
    if devices.list.iter().any(|device| device.ready) {
        let mut system = devices.system_apps;
        let words = "List the apps that came with the device, too";
        let tip = "Such as Settings, Contacts and Files. Apps of other users of the device cannot be tested: \
                   `taproof devices apps` lists them and says how to install one for the owner.";
        if named_checkbox(ui, &mut system, words, words).on_hover_text(tip).changed() {
            commands.push(Command::Device(DeviceCommand::ListSystemApps(system)));
        }
    }
    search_ui(devices, commands, ui);
}

fn device_ui(state: &StudioState, device: &DeviceLine, commands: &mut Vec<Command>, ui: &mut Ui) {
    let tokens = tokens(ui.ctx());
    let name = if device.model.is_empty() { &device.serial } else { &device.model };
    ui.horizontal(|ui| {
        let (mark, color) = if device.ready { (icon::HELD, tokens.good) } else { (icon::LOOK, tokens.warn) };
        ui.label(glyph(mark).color(color));
        ui.label(strong(name.as_str()));
        if !device.model.is_empty() {
            ui.label(caption(device.serial.as_str()));
        }
        if device.ready {
            ui.label(caption("ready"));
        }
    });
    if !device.words.is_empty() {
        let words = sentence(&device.words);
        let (words, said) = folded(&words);
        ui.add(Label::new(words).wrap());
        details_ui(said, ui);
    }
    if !device.ready {
        return;
    }
    let check = state.devices.checks.get(&device.serial);
    ui.horizontal_wrapped(|ui| {
        let running = check.is_some_and(|check| check.ended.is_none());
        let button = labelled_button(ui, "", "Check this device", !running);
        named(&button, WidgetType::Button, &format!("Check {}", device.serial));
        let tip = "What works on it, how fast, and what to do about the rest. It is left as it was.";
        if button.on_hover_text(tip).clicked() {
            commands.push(Command::Device(DeviceCommand::Check(device.serial.clone())));
        }
        spinner_if(ui, running, "The device is being checked");
        device_actions_ui(device, &state.devices, commands, ui);
    });
    check.into_iter().for_each(|check| check_ui(check, ui));
}

fn check_ui(check: &DeviceCheck, ui: &mut Ui) {
    ui.add_space(4.0);
    for answer in &check.answers {
        answer_ui(answer, ui);
    }
    if let Some(words) = check.sentence() {
        ui.add(Label::new(strong(words)).wrap());
    }
}

fn answer_ui(answer: &CheckAnswer, ui: &mut Ui) {
    let tokens = tokens(ui.ctx());
    let (mark, color) = match answer.fitness {
        Fitness::Good => (icon::HELD, tokens.good),
        Fitness::Limited | Fitness::Unknown => (icon::LOOK, tokens.warn),
        Fitness::Bad => (icon::BROKEN, tokens.bad),
    };
    ui.horizontal_top(|ui| {
        ui.label(glyph(mark).color(color)).on_hover_text(answer.fitness.word());
        ui.allocate_ui(egui::vec2(72.0, 0.0), |ui| {
            ui.set_min_width(72.0);
            ui.label(caption(upper_first(answer.what.word())));
        });
        ui.vertical(|ui| {
            let seen = sentence(&answer.said);
            let (words, said) = folded(&seen);
            ui.add(Label::new(words).wrap());
            details_ui(said, ui);
            if !answer.advice.is_empty() {
                ui.add(Label::new(RichText::new(sentence(&answer.advice)).weak()).wrap());
            }
        });
    });
}

/// Draws the fields by which a phone is paired and connected over Wi-Fi.
fn reach_ui(state: &StudioState, panel: &mut PhonesPanel, commands: &mut Vec<Command>, ui: &mut Ui) {
    let free = state.devices.reaching.is_none();
    let mut wanted = None;
    ui.label(heading("Pair over Wi-Fi"));
    let words = "On the phone: Developer options, Wireless debugging, \u{201c}Pair device with pairing code\u{201d} shows an \
                 address and a code. It is done once for this computer.";
    ui.add(Label::new(caption(words)).wrap());
    ui.horizontal(|ui| {
        field_ui(ui, &mut panel.pair, ("Address for pairing", "such as 192.168.0.7:37123"), ADDRESS);
        field_ui(ui, &mut panel.code, ("Pairing code", "six digits"), 90.0);
        let (target, code) = (panel.pair.trim(), panel.code.trim());
        if labelled_button(ui, "", "Pair", free && !target.is_empty() && !code.is_empty()).clicked() {
            wanted = Some(Reach::Pair { target: target.to_owned(), code: code.to_owned() });
        }
    });
    ui.add_space(8.0);
    ui.label(heading("Connect over Wi-Fi"));
    let words = "\u{201c}Wireless debugging\u{201d} itself shows this address; its port is another one than that for pairing.";
    ui.add(Label::new(caption(words)).wrap());
    ui.horizontal(|ui| {
        field_ui(ui, &mut panel.connect, ("Address to connect", "such as 192.168.0.7:41235"), ADDRESS);
        let target = panel.connect.trim();
        if labelled_button(ui, "", "Connect", free && !target.is_empty()).clicked() {
            wanted = Some(Reach::Connect { target: target.to_owned() });
        }
        spinner_if(ui, !free, "The phone is being reached");
    });
    commands.extend(wanted.map(|what| Command::Device(DeviceCommand::Reach(what))));
    if let Some(reached) = &state.devices.reached {
        let tokens = tokens(ui.ctx());
        let (words, color) = match reached {
            Ok(words) => (words, tokens.text),
            Err(words) => (words, tokens.bad),
        };
        ui.add_space(4.0);
        let (words, said) = folded(words);
        ui.add(Label::new(RichText::new(words).color(color)).wrap());
        details_ui(said, ui);
    }
}

fn field_ui(ui: &mut Ui, typed: &mut String, (name, hint): (&str, &str), width: f32) {
    let edit = TextEdit::singleline(typed)
        .desired_width(width)
        .margin(Margin::symmetric(8, 6))
        .font(egui::TextStyle::Monospace)
        .hint_text(RichText::new(hint).weak());
    let response = ui.add(edit);
    response.widget_info(|| egui::WidgetInfo::labeled(WidgetType::TextEdit, true, name));
}
