//! What is asked of the window itself, and what is kept of it.

use std::path::Path;

use egui::containers::panel::PanelState;
use egui::{Context, Id, Rect, ThemePreference, ViewportBuilder, pos2, vec2};

use crate::state::{Settings, StudioState, Theme, WindowCommand, WindowPlace};
use crate::ui::MOVABLE_PANELS;
use taproof_results::store::read_settings;

use super::Studio;
use super::jobs::Job;
use super::kept::read;

/// The window as it is opened: where it stood last.
pub(super) fn viewport(workspace: &Path) -> ViewportBuilder {
    let mut settings = Settings::default();
    // What is wrong with the file is told once the window is there.
    read(&read_settings(workspace).unwrap_or_default(), &mut settings);
    let viewport = ViewportBuilder::default()
        .with_title("Taproof")
        .with_app_id("taproof")
        .with_min_inner_size([900.0, 560.0]);
    let Some(place) = settings.window else { return viewport.with_inner_size([1280.0, 800.0]) };
    let viewport = viewport.with_inner_size(place.size).with_maximized(place.maximized);
    match place.at {
        Some(at) => viewport.with_position(at),
        None => viewport,
    }
}

impl Studio {
    /// Does what was asked of the window.
    pub(super) fn run_window(&mut self, command: WindowCommand) {
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

    /// Takes over what was kept. This is before the window is there: nothing waits for the disk yet.
    pub(super) fn load_settings(&mut self) {
        match read_settings(&self.workspace) {
            Ok(values) => self.keeper.begin(values, &mut self.state.settings),
            Err(error) => {
                self.keeper.begin(serde_json::Map::new(), &mut self.state.settings);
                self.ask(Job::SetSettingsAside(error.to_string()));
            }
        }
        // The app may have gone since.
        if self.state.current_app().is_none() {
            let first = self.state.apps.first();
            self.state.settings.app = first.map(|app| app.package.clone()).unwrap_or_default();
        }
        for (name, size) in &self.state.settings.panels {
            // Only one of the two counts, and only until the panel is drawn.
            let outer_rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(*size, *size));
            self.ctx
                .data_mut(|data| data.insert_persisted(Id::new(name.as_str()), PanelState { outer_rect }));
        }
    }

    /// Says in the log how long the first frame took, and the first one that can be used.
    pub(super) fn tell_start(&mut self, pass: u64) {
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

    /// Gives egui what was chosen; it notices itself whether that is new.
    pub(super) fn apply_settings(&mut self) {
        let settings = &self.state.settings;
        self.ctx.set_theme(match settings.theme {
            Theme::System => ThemePreference::System,
            Theme::Light => ThemePreference::Light,
            Theme::Dark => ThemePreference::Dark,
        });
        self.ctx.set_zoom_factor(f32::from(settings.scale) / 100.0);
        self.state.window.dark = self.ctx.theme() == egui::Theme::Dark;
    }

    /// Has what was chosen written down once it has come to rest, or at once when the window closes.
    pub(super) fn keep_settings(&mut self, closing: bool) {
        if !closing {
            self.state.settings.window = window_place(&self.ctx).or(self.state.settings.window.take());
            keep_panels(&self.ctx, &mut self.state.settings);
        }
        let now = self.ctx.input(|input| input.time);
        if let Some(values) = self.keeper.due(&self.state.settings, (!closing).then_some(now)) {
            self.ask(Job::Settings(values));
        }
        if self.keeper.waits() {
            self.ctx.request_repaint_after(std::time::Duration::from_millis(1100));
        }
    }
}

/// Where the window stands, in points of the desktop: ours are larger by the chosen size.
fn window_place(ctx: &Context) -> Option<WindowPlace> {
    let viewport = ctx.input(|input| input.viewport().clone());
    let zoom = ctx.zoom_factor();
    let whole = |side: f32| (side * zoom).round();
    let inner = viewport.inner_rect?;
    let at = viewport.outer_rect.map(|outer| [whole(outer.min.x), whole(outer.min.y)]);
    let maximized = viewport.maximized.unwrap_or_default();
    Some(WindowPlace { size: [whole(inner.width()), whole(inner.height())], at, maximized })
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
