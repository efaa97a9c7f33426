//! The devices that adb sees, below the apps that can be chosen: how each is, and how to get an app onto it.

use egui::{Ui, WidgetType};

use crate::state::{Command, DeviceCommand, DeviceLine, Devices, Search};

use super::parts::named;
use super::theme::caption;

/// Advice is a sentence or two; a line of it is no wider than this.
const WIDEST: f32 = 340.0;

/// Draws them, and how to look for more.
pub fn device_list_ui(devices: &Devices, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.set_max_width(WIDEST.max(ui.min_rect().width()));
    ui.separator();
    for device in &devices.list {
        device_ui(device, devices, commands, ui);
    }
    match &devices.search {
        Search::Idle => {
            let text = "Look for phones\u{2026}";
            if ui.button(text).on_hover_text("Phones and emulators that adb sees").clicked() {
                commands.push(Command::Device(DeviceCommand::Look));
            }
        }
        Search::Looking => drop(ui.label(caption("Looking for phones\u{2026}"))),
        Search::Listening if devices.list.is_empty() => {
            ui.label(caption("adb sees no phone. Plug one in with USB debugging switched on."));
        }
        Search::Listening => {}
        Search::Failed(problem) => {
            ui.label(caption(sentence(problem)));
            if ui.button("Look again").clicked() {
                commands.push(Command::Device(DeviceCommand::Look));
            }
        }
    }
}

fn device_ui(device: &DeviceLine, devices: &Devices, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.label(heading(device));
    if !device.words.is_empty() {
        ui.label(caption(sentence(&device.words)));
    }
    if !device.ready {
        return;
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
}

fn heading(device: &DeviceLine) -> String {
    match device.model.as_str() {
        "" => device.serial.clone(),
        model => format!("{model}  \u{b7}  {}", device.serial),
    }
}

/// Errors begin small and end open, as they may stand behind other words.
fn sentence(words: &str) -> String {
    let mut chars = words.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let end = if words.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_become_sentences() {
        assert_eq!(sentence("no adb: install it"), "No adb: install it.");
        assert_eq!(sentence("Plug it in."), "Plug it in.");
    }
}
