//! What is asked of the window itself.

use crate::state::{StudioState, Theme, WindowCommand};

use super::Studio;

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

    /// Gives egui what was chosen; it notices itself whether that is new.
    pub(super) fn apply_settings(&mut self) {
        let settings = &self.state.settings;
        self.ctx.set_theme(match settings.theme {
            Theme::System => egui::ThemePreference::System,
            Theme::Light => egui::ThemePreference::Light,
            Theme::Dark => egui::ThemePreference::Dark,
        });
        self.ctx.set_zoom_factor(f32::from(settings.scale) / 100.0);
        self.state.window.dark = self.ctx.theme() == egui::Theme::Dark;
    }
}
