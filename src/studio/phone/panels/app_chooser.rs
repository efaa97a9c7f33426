//! The choice of the app on the phone: a list of those of the bundled phone and of devices, each with its icon, label and
//! package, below a field to search them.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{
    Align, Button, Color32, ColorImage, Image, Layout, Margin, Popup, PopupCloseBehavior, ScrollArea, Sense,
    TextEdit, TextureHandle, TextureOptions, Ui, UiBuilder, WidgetInfo, WidgetType, vec2,
};

use super::device_list::{device_heading_ui, search_ui, words_ui};
use crate::command::{Command, DeviceCommand};
use crate::parts::controls::{labelled_button, named};
use crate::parts::theme::{CONTROL, ROW, caption, glyph, icon, strong, tokens};
use crate::state::{AppEntry, StudioState};
use taproof_engine::device::Screenshot;

/// Side of an icon in points.
const ICON: f32 = 22.0;
/// Width of the list in points, unless the window is narrower.
const WIDTH: f32 = 380.0;
/// Height of what is always visible above and below the list, with the bar at the top, in points.
const AROUND: f32 = 140.0;
const SEARCH: &str = "Search by name or package";

/// What only the chooser remembers.
#[derive(Default)]
pub struct AppChooser {
    typed: String,
    /// Whether the field has got the focus since the list was opened.
    focused: bool,
    icons: AppIcons,
}

/// The uploaded icons, by device and package.
#[derive(Default)]
struct AppIcons(BTreeMap<(Option<String>, String), Uploaded>);

struct Uploaded {
    /// The pixels that the texture was made of.
    rgba: Arc<Vec<u8>>,
    texture: TextureHandle,
}

impl AppIcons {
    fn texture(&mut self, app: &AppEntry, picture: &Screenshot, ui: &Ui) -> &TextureHandle {
        let key = (app.device.clone(), app.package.clone());
        if self.0.get(&key).is_some_and(|shown| !Arc::ptr_eq(&shown.rgba, &picture.rgba)) {
            self.0.remove(&key);
        }
        let uploaded = self.0.entry(key).or_insert_with(|| {
            let size = [picture.size.width as usize, picture.size.height as usize];
            let image = ColorImage::from_rgba_unmultiplied(size, &picture.rgba);
            let texture = ui.ctx().load_texture("app icon", image, TextureOptions::LINEAR);
            Uploaded { rgba: Arc::clone(&picture.rgba), texture }
        });
        &uploaded.texture
    }
}

/// Draws the button that shows the current app and opens the list.
pub fn app_chooser_ui(
    state: &StudioState,
    chooser: &mut AppChooser,
    width: f32,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let shown = state.current_app().map_or("Choose an app", |app| app.label.as_str());
    let room = ui.ctx().content_rect();
    let size = vec2(width + ui.spacing().icon_width, CONTROL);
    let button = Button::new(shown).truncate().right_text(glyph(icon::OPEN)).min_size(size);
    let button = ui.scope(|ui| {
        ui.set_max_width(size.x);
        ui.add(button)
    });
    let button = button.inner.on_hover_text(state.current_app().map_or(String::new(), describe));
    named(&button, WidgetType::ComboBox, "App on the phone");
    let popup = Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let opened = popup.show(|ui| {
        ui.set_width(WIDTH.min(room.width() - 48.0));
        let most = (room.height() - AROUND).max(120.0);
        ui.set_max_height(most + AROUND);
        let before = commands.len();
        search_field_ui(state, chooser, commands, ui);
        let list = ScrollArea::vertical().max_height(most).min_scrolled_height(most);
        list.show(ui, |ui| list_ui(state, chooser, commands, ui));
        ui.separator();
        let look = labelled_button(ui, icon::PHONE, "Look for phones\u{2026}", true);
        if look.on_hover_text("Lists, pairs, connects and checks phones and emulators").clicked() {
            commands.push(Command::Device(DeviceCommand::ShowPanel(true)));
        }
        if commands.len() > before {
            ui.close();
        }
    });
    if opened.is_none() {
        chooser.typed.clear();
        chooser.focused = false;
    }
}

/// Draws the field that searches the apps. It has the focus; Enter takes the only app that is found.
fn search_field_ui(state: &StudioState, chooser: &mut AppChooser, commands: &mut Vec<Command>, ui: &mut Ui) {
    let edit = TextEdit::singleline(&mut chooser.typed)
        .desired_width(f32::INFINITY)
        .margin(Margin::symmetric(8, 6))
        .hint_text(SEARCH);
    let response = ui.add(edit);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, SEARCH));
    if !std::mem::replace(&mut chooser.focused, true) {
        response.request_focus();
    }
    let entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    let mut found = state.apps.iter().filter(|app| app.fits(&chooser.typed));
    if let (true, Some(app), None) = (entered, found.next(), found.next()) {
        commands.push(Command::UseApp(app.target(state.settings.target.build.clone())));
    }
}

/// The apps on a device, or on the bundled phone, that fit what was typed.
fn fitting<'s>(state: &'s StudioState, serial: Option<&str>, typed: &str) -> Vec<&'s AppEntry> {
    let apps = state.apps.iter().filter(|app| app.device.as_deref() == serial);
    let mut found: Vec<&AppEntry> = apps.filter(|app| app.fits(typed)).collect();
    // What has no name of its own is seldom what is looked for.
    found.sort_by_key(|app| app.label == app.package);
    found
}

/// Draws the apps that are found: those of each device below its heading, then those of the bundled phone.
fn list_ui(state: &StudioState, chooser: &mut AppChooser, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.spacing_mut().item_spacing.y = 2.0;
    let typed = chooser.typed.as_str();
    let searched = !typed.trim().is_empty();
    let devices = state.devices.list.iter();
    let devices = devices.map(|device| (Some(device), fitting(state, Some(&device.serial), typed)));
    let groups: Vec<_> = devices.chain([(None, fitting(state, None, typed))]).collect();
    if groups.iter().all(|(_, apps)| apps.is_empty()) && searched {
        ui.label(caption("No app is called that."));
    }
    for (device, apps) in groups {
        match device {
            _ if apps.is_empty() && searched => continue,
            Some(device) => device_heading_ui(device, ui),
            None if state.devices.list.is_empty() => {}
            None => words_ui(strong("Bundled phone"), ui),
        }
        for app in apps {
            if row_ui(app, app.is(&state.settings.target), &mut chooser.icons, ui) {
                commands.push(Command::UseApp(app.target(state.settings.target.build.clone())));
            }
        }
    }
    search_ui(&state.devices, commands, ui);
}

/// Draws the row of an app. Returns whether it was clicked.
fn row_ui(app: &AppEntry, chosen: bool, icons: &mut AppIcons, ui: &mut Ui) -> bool {
    let tokens = tokens(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW + 8.0), Sense::click());
    let fill = match (chosen, response.hovered() || response.has_focus()) {
        (true, _) => tokens.accent_soft,
        (false, true) => tokens.control,
        (false, false) => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, 4, fill);
    let place = UiBuilder::new().max_rect(rect.shrink2(vec2(8.0, 0.0)));
    let mut row = ui.new_child(place.layout(Layout::left_to_right(Align::Center)));
    match &app.icon {
        Some(picture) => row.add(Image::new((icons.texture(app, picture, ui).id(), vec2(ICON, ICON)))),
        None => row.add_sized(vec2(ICON, ICON), egui::Label::new(glyph(icon::PHONE).color(tokens.quiet))),
    };
    row.add(egui::Label::new(strong(app.label.as_str())).truncate().selectable(false));
    row.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add(egui::Label::new(caption(app.caption())).truncate().selectable(false));
    });
    named(&response, WidgetType::SelectableLabel, &app.words());
    response.on_hover_text(describe(app)).clicked()
}

fn describe(app: &AppEntry) -> String {
    match &app.device {
        Some(serial) => format!("{} as it is installed on {serial}", app.package),
        None => {
            format!("{}, modelled on {}; {} catalogued bugs", app.package, app.modelled_on, app.bugs.len())
        }
    }
}
