//! The choice of the app on the phone: a list of those of the bundled phone and of devices, each with its icon, label and
//! package, below a field to search them.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{
    Align, Color32, ColorImage, ComboBox, Image, Layout, Margin, PopupCloseBehavior, Sense, TextEdit,
    TextureHandle, TextureOptions, Ui, UiBuilder, WidgetInfo, WidgetType, vec2,
};

use super::device_list::device_list_ui;
use crate::command::Command;
use crate::parts::controls::named;
use crate::parts::theme::{ROW, caption, glyph, icon, strong, tokens};
use crate::state::{AppEntry, StudioState};
use taproof_core::device::Screenshot;

/// Side of an icon in points.
const ICON: f32 = 22.0;
/// Width of the list in points, unless the window is narrower.
const WIDTH: f32 = 380.0;
/// From how many apps on they can be searched.
const MANY: usize = 6;
const SEARCH: &str = "Search by name or package";

/// What only the chooser remembers.
#[derive(Default)]
pub struct AppChooser {
    typed: String,
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
    // The devices below the apps, with what is wrong with them, should be seen with little scrolling.
    let combo = ComboBox::from_id_salt("app")
        .selected_text(shown)
        .width(width)
        .height(room.height() * 0.8)
        .truncate()
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let response = combo.show_ui(ui, |ui| {
        ui.set_width(WIDTH.min(room.width() - 48.0));
        let before = commands.len();
        list_ui(state, chooser, commands, ui);
        device_list_ui(&state.devices, commands, ui);
        if commands.len() > before {
            ui.close();
        }
    });
    if response.inner.is_none() {
        chooser.typed.clear();
    }
    let response = response.response.on_hover_text(state.current_app().map_or(String::new(), describe));
    named(&response, WidgetType::ComboBox, "App on the phone");
}

fn list_ui(state: &StudioState, chooser: &mut AppChooser, commands: &mut Vec<Command>, ui: &mut Ui) {
    if state.apps.len() >= MANY {
        let edit = TextEdit::singleline(&mut chooser.typed)
            .desired_width(f32::INFINITY)
            .margin(Margin::symmetric(8, 6))
            .hint_text(SEARCH);
        let response = ui.add(edit);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, SEARCH));
    }
    let found: Vec<&AppEntry> = state.apps.iter().filter(|app| app.fits(&chooser.typed)).collect();
    if found.is_empty() {
        ui.label(caption("No app is called that."));
    }
    ui.spacing_mut().item_spacing.y = 2.0;
    for app in found {
        if row_ui(app, app.is(&state.settings.target), &mut chooser.icons, ui) {
            commands.push(Command::UseApp(app.target(state.settings.target.build.clone())));
        }
    }
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
