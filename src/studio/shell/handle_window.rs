//! The window itself: its commands, its settings and its position.

use egui::containers::panel::PanelState;
use egui::{Context, IconData, Id, Rect, ThemePreference, ViewportBuilder, pos2, vec2};

use super::panels::edges::MOVABLE_PANELS;
use super::{Settings, Theme, WindowCommand, WindowPlace};
use crate::state::StudioState;
use taproof_core::format::read_rgba;
use taproof_results::store::SettingsFiles;

use super::settings_file::read;
use crate::app::Studio;
use crate::app::jobs::Job;

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

impl Studio {
    /// Executes a command about the window itself.
    pub(crate) fn run_window(&mut self, command: WindowCommand) {
        let StudioState { settings, window, .. } = &mut self.state;
        match command {
            WindowCommand::Show(sheet) => window.sheet = sheet,
            WindowCommand::Theme(theme) => settings.theme = theme,
            WindowCommand::Scale(percent) => settings.scale = percent,
            WindowCommand::ReduceMotion(reduce) => settings.reduce_motion = reduce,
            WindowCommand::OwnDialogs(own) => settings.own_dialogs = own,
            WindowCommand::FirstSteps(shown) => settings.first_steps = shown,
            WindowCommand::Used(action) => settings.used(action),
        }
    }

    /// Reads the settings. This blocks, but the window is not open yet.
    pub(crate) fn load_settings(&mut self) {
        let (values, damaged) = self.settings_files.read();
        self.settings_file.begin(values, &mut self.state.settings);
        damaged.into_iter().for_each(|file| self.ask(Job::SetSettingsAside(file)));
        // The app may have been removed since.
        if self.state.current_app().is_none() {
            let first = self.state.apps.first();
            self.state.settings.target.app = first.map(|app| app.package.clone()).unwrap_or_default();
        }
        for (name, size) in &self.state.settings.panels {
            // Only the width or the height counts, depending on the panel, and only until it is first drawn.
            let outer_rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(*size, *size));
            self.ctx
                .data_mut(|data| data.insert_persisted(Id::new(name.as_str()), PanelState { outer_rect }));
        }
    }

    /// Logs the time until the first frame, and until the first frame that shows the phone.
    pub(crate) fn notify_start(&mut self, pass: u64) {
        let Some(started) = self.started else { return };
        let millis = started.elapsed().as_millis();
        if pass == 0 {
            tracing::info!("first frame after {millis} ms");
        }
        if self.state.mirror.shown.is_some() {
            tracing::info!("first frame with the phone after {millis} ms");
            self.started = None;
        }
    }

    /// Passes the settings to egui, which detects changes itself.
    pub(crate) fn apply_settings(&mut self) {
        let settings = &self.state.settings;
        self.ctx.set_theme(match settings.theme {
            Theme::System => ThemePreference::System,
            Theme::Light => ThemePreference::Light,
            Theme::Dark => ThemePreference::Dark,
        });
        self.ctx.set_zoom_factor(f32::from(settings.scale) / 100.0);
        self.state.window.dark = self.ctx.theme() == egui::Theme::Dark;
    }

    /// Has changed settings written after a pause without changes, or at once if the window closes.
    pub(crate) fn keep_settings(&mut self, closing: bool) {
        if !closing {
            self.state.settings.window = window_place(&self.ctx).or(self.state.settings.window.take());
            keep_panels(&self.ctx, &mut self.state.settings);
        }
        let now = self.ctx.input(|input| input.time);
        if let Some(changed) = self.settings_file.due(&self.state.settings, (!closing).then_some(now)) {
            self.ask(Job::Settings(self.settings_files.clone(), changed));
        }
        if self.settings_file.waits() {
            self.ctx.request_repaint_after(std::time::Duration::from_millis(1100));
        }
    }
}

/// Returns the window's place in points of the desktop, which differ from egui's by the zoom factor.
fn window_place(ctx: &Context) -> Option<WindowPlace> {
    let viewport = ctx.input(|input| input.viewport().clone());
    let zoom = ctx.zoom_factor();
    let whole = |side: f32| (side * zoom).round();
    let inner = viewport.inner_rect?;
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
