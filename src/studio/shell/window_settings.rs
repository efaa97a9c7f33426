//! What passes between the settings and egui: theme, scale, and the places of the window and its panels.

use std::time::Duration;

use egui::containers::panel::PanelState;
use egui::{Context, IconData, Id, Rect, ThemePreference, ViewportBuilder, ViewportCommand, pos2, vec2};

use super::panels::edges::MOVABLE_PANELS;
use super::settings_file::{SettingsFile, read};
use crate::disk::Job;
use crate::effect::Effect;
use crate::state::{Settings, StudioState, Theme, WindowPlace};
use taproof_results::store::SettingsFiles;
use taproof_screen::format::read_rgba;

/// Returns how to open the window: at its last position.
pub(crate) fn viewport(files: &SettingsFiles) -> ViewportBuilder {
    let mut settings = Settings::default();
    // Problems with the files are reported once the window is open.
    read(&files.read().0, &mut settings);
    let viewport = ViewportBuilder::default()
        .with_title("Taproof")
        .with_app_id("taproof")
        .with_icon(icon())
        .with_min_inner_size([900.0, 560.0]);
    let Some(place) = settings.window else { return viewport.with_inner_size([1280.0, 800.0]) };
    let viewport = viewport.with_inner_size([place.width, place.height]).with_maximized(place.maximized);
    match place.corner() {
        Some(at) => viewport.with_position(at),
        None => viewport,
    }
}

/// The icon of the window: that of its entry in menus.
fn icon() -> IconData {
    let png = include_bytes!("../../../assets/package/taproof.png");
    match read_rgba(png, image::ImageFormat::Png) {
        Ok(picture) => {
            IconData { width: picture.width(), height: picture.height(), rgba: picture.into_raw() }
        }
        Err(error) => {
            tracing::warn!("the icon of the window: {error}");
            IconData::default()
        }
    }
}

/// Reads the settings. This blocks, but the window is not open yet. Returns what is to be done about damaged files.
pub(crate) fn load_settings(
    ctx: &Context,
    state: &mut StudioState,
    file: &mut SettingsFile,
    files: &SettingsFiles,
) -> Vec<Effect> {
    let (values, damaged) = files.read();
    file.begin(values, &mut state.settings);
    // The app may have been removed since.
    if state.current_app().is_none() {
        let first = state.apps.first();
        state.settings.target.app = first.map(|app| app.package.clone()).unwrap_or_default();
    }
    for (name, size) in &state.settings.panels {
        // Only the width or the height counts, depending on the panel, and only until it is first drawn.
        let outer_rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(*size, *size));
        ctx.data_mut(|data| data.insert_persisted(Id::new(name.as_str()), PanelState { outer_rect }));
    }
    damaged.into_iter().map(|file| Effect::Disk(Job::SetSettingsAside(file))).collect()
}

/// Passes the settings to egui, which detects changes itself.
pub(crate) fn apply_settings(ctx: &Context, state: &mut StudioState) {
    ctx.set_theme(match state.settings.theme {
        Theme::System => ThemePreference::System,
        Theme::Light => ThemePreference::Light,
        Theme::Dark => ThemePreference::Dark,
    });
    ctx.set_zoom_factor(f32::from(state.settings.scale) / 100.0);
    state.window.dark = ctx.theme() == egui::Theme::Dark;
}

/// Remembers where the window and its panels are.
pub(crate) fn remember_places(ctx: &Context, settings: &mut Settings) {
    if let Some(place) = window_place(ctx) {
        settings.window = Some(place.after(settings.window.take()));
    }
    keep_panels(ctx, settings);
}

/// Maximises the window that was closed maximised. A desktop may ignore what is asked of a window that it does not show
/// yet, so this is asked for once it does. Returns whether it was.
pub(crate) fn maximise_again(ctx: &Context) -> bool {
    let shown = ctx.cumulative_pass_nr() > 1;
    if shown {
        ctx.send_viewport_cmd(ViewportCommand::Maximized(true));
    }
    shown
}

/// Has changed settings written after a pause without changes, or at once if the window closes (`now` is `None`).
pub(crate) fn keep_settings(
    settings: &Settings,
    file: &mut SettingsFile,
    files: &SettingsFiles,
    now: Option<f64>,
) -> Vec<Effect> {
    let due = file.due(settings, now);
    let mut effects: Vec<Effect> =
        due.map(|changed| Effect::Disk(Job::Settings(files.clone(), changed))).into_iter().collect();
    if file.waits() {
        effects.push(Effect::RepaintAfter(Duration::from_millis(1100)));
    }
    effects
}

/// Returns the window's place in points of the desktop, which differ from egui's by the zoom factor.
fn window_place(ctx: &Context) -> Option<WindowPlace> {
    let viewport = ctx.input(|input| input.viewport().clone());
    let zoom = ctx.zoom_factor();
    let whole = |side: f32| (side * zoom).round();
    // A minimised window has no size of its own.
    let inner = viewport.inner_rect.filter(|_| !viewport.minimized.unwrap_or_default())?;
    let at = viewport.outer_rect.map(|outer| [whole(outer.min.x), whole(outer.min.y)]);
    let maximized = viewport.maximized.unwrap_or_default();
    Some(WindowPlace { width: whole(inner.width()), height: whole(inner.height()), at, maximized })
}

fn keep_panels(ctx: &Context, settings: &mut Settings) {
    for panel in MOVABLE_PANELS {
        if let Some(state) = PanelState::load(ctx, Id::new(panel.id)) {
            let size = if panel.flat { state.size().y } else { state.size().x }.round();
            if settings.panels.get(panel.id) != Some(&size) {
                settings.panels.insert(panel.id.to_owned(), size);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_has_the_icon_of_the_menu() {
        let icon = icon();
        assert_eq!((icon.width, icon.height, icon.rgba.len()), (256, 256, 256 * 256 * 4));
    }
}
