//! The devices behind adb: the state of each, shown above its apps, and what can be done with it, shown in the panel of
//! phones.

use egui::{Align, Label, Layout, Margin, RichText, Ui, WidgetType};

use crate::command::Command;
use crate::parts::controls::{named, small_button};
use crate::parts::theme::{caption, strong};
use crate::phone::{AppSearch, DeviceCommand, DeviceLine, Devices, LayoutServer, Search, folded, sentence};
use crate::state::StudioState;
use taproof_adb::ScreenHolder;

/// Maximum width of a line of advice, in points.
const WIDEST: f32 = 340.0;

/// Draws the state of the search for devices where that needs words.
pub fn search_ui(devices: &Devices, commands: &mut Vec<Command>, ui: &mut Ui) {
    match &devices.search {
        Search::Idle | Search::Listening => {}
        Search::Looking => words_ui(caption("Looking for phones\u{2026}"), ui),
        Search::Failed(problem) => {
            words_ui(caption(folded(&sentence(problem)).0), ui);
            if ui.button("Look again").clicked() {
                commands.push(Command::Device(DeviceCommand::Look));
            }
        }
    }
}

/// Draws the heading of a device, with its state where it cannot be used.
pub fn device_heading_ui(device: &DeviceLine, ui: &mut Ui) {
    words_ui(strong(heading(device)), ui);
    if !device.words.is_empty() {
        words_ui(caption(folded(&sentence(&device.words)).0), ui);
    }
    if device.is_searched() {
        words_ui(caption("Looking for its apps\u{2026}"), ui);
    }
}

/// Draws what can be done with a device.
pub fn device_actions_ui(device: &DeviceLine, devices: &Devices, commands: &mut Vec<Command>, ui: &mut Ui) {
    if device.search == AppSearch::Failed {
        let response = ui.button("Look again");
        named(&response, WidgetType::Button, &format!("Look again at {}", device.serial));
        if response.on_hover_text("The apps that were found before stay listed").clicked() {
            commands.push(Command::Device(DeviceCommand::Look));
        }
    }
    if let Some(installing) = devices.installing.iter().find(|installing| installing.serial == device.serial)
    {
        ui.label(caption(format!("Installing {}\u{2026}", installing.file)));
        return;
    }
    let response = ui.button("Install an app\u{2026}");
    named(&response, WidgetType::Button, &format!("Install an app on {}\u{2026}", device.serial));
    let tip = "An APK of this computer. An older version is replaced, and its data stay. A file dropped on the window \
               is installed, too.";
    if response.on_hover_text(tip).clicked() {
        commands.push(Command::Device(DeviceCommand::Install(device.serial.clone())));
    }
    server_ui(device, devices, commands, ui);
    holders_ui(device, devices, commands, ui);
}

/// Draws which programs control the screen, each with a button that ends it.
fn holders_ui(device: &DeviceLine, devices: &Devices, commands: &mut Vec<Command>, ui: &mut Ui) {
    for holder in devices.holders_of(&device.serial) {
        if devices.taking.contains(&device.serial) {
            ui.label(caption(format!("Ending {holder}\u{2026}")));
            continue;
        }
        ui.label(caption(format!("Its screen is controlled by {holder}, which slows Taproof down.")));
        take_over_button(&device.serial, holder, egui::Button::new("Take over"), commands, ui);
    }
}

/// Draws the button that ends the program which keeps the agent from controlling the shown device; nothing if there is none,
/// or several, of which the list of devices offers each.
pub fn take_over_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(serial) = &state.settings.target.device else { return };
    let [holder] = state.devices.holders_of(serial) else { return };
    ui.add_enabled_ui(!state.devices.taking.contains(serial), |ui| {
        take_over_button(serial, holder, small_button("Take over"), commands, ui);
    });
}

fn take_over_button(
    serial: &str,
    holder: &ScreenHolder,
    button: impl egui::Widget,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let response = ui.add(button);
    named(&response, WidgetType::Button, &format!("Take over {serial} from {holder}"));
    let tip = format!("Ends {holder} on the phone, so that the agent can control its screen");
    if response.on_hover_text(tip).clicked() {
        commands.push(Command::Device(DeviceCommand::TakeOver(serial.to_owned(), holder.clone())));
    }
}

/// Draws the state of the user's uiautomator2 server, or the button that starts it. It is never started automatically.
fn server_ui(device: &DeviceLine, devices: &Devices, commands: &mut Vec<Command>, ui: &mut Ui) {
    match devices.layout_servers.get(&device.serial) {
        Some(LayoutServer::Starting) => {
            ui.label(caption("Starting the uiautomator2 server\u{2026}"));
        }
        Some(LayoutServer::Runs) => {
            ui.label(caption("Its uiautomator2 server runs."));
        }
        None => {
            let response = ui.button("Start the uiautomator2 server");
            let name = format!("Start the uiautomator2 server on {}", device.serial);
            named(&response, WidgetType::Button, &name);
            let tip = "Layouts in a tenth of the time, and text of any language. The server is that of python\u{2019}s package \
                       uiautomator2 on this computer; it ends with this window.";
            if response.on_hover_text(tip).clicked() {
                commands.push(Command::Device(DeviceCommand::StartServer(device.serial.clone())));
            }
        }
    }
}

/// Draws a text, aligned with the labels of the buttons.
pub fn words_ui(words: RichText, ui: &mut Ui) {
    // The list stretches its contents, which would distort the text.
    ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
        egui::Frame::new().inner_margin(Margin::symmetric(8, 3)).show(ui, |ui| {
            ui.set_max_width(WIDEST);
            ui.add(Label::new(words).wrap())
        })
    });
}

fn heading(device: &DeviceLine) -> String {
    match device.model.as_str() {
        "" => device.serial.clone(),
        model => format!("{model}  \u{b7}  {}", device.serial),
    }
}
