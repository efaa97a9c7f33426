//! Requests to end the program from outside the window: SIGTERM, SIGHUP and Ctrl-C in its terminal.

use egui::{Context, ViewportCommand};
use taproof_session::Interrupt;

use crate::app::Studio;

/// From now on, the first request closes the window, which restores the devices that it uses.
pub(crate) fn watch(ctx: &Context) -> Interrupt {
    let ctx = ctx.clone();
    Interrupt::watch(move || ctx.request_repaint())
}

impl Studio {
    /// Closes the window if that was requested. There may be nobody to ask about unsaved changes: their drafts are kept.
    pub(crate) fn close_if_asked(&mut self) {
        if self.ending.asked() && !self.clock.leaving {
            self.clock.leaving = true;
            self.ctx.send_viewport_cmd(ViewportCommand::Close);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::StudioOptions;

    #[test]
    fn a_request_closes_the_window_once() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = folder.path().to_owned();
        let apps = taproof_phone::Apps::default();
        let options = StudioOptions { walk: None, workspace, devices: false, apps };
        let ctx = Context::default();
        let mut studio = Studio::new(&ctx, options);
        let ending = studio.ending.clone();
        let mut closes = || {
            let mut output = ctx.run_ui(egui::RawInput::default(), |_ui| studio.close_if_asked());
            output.textures_delta.clear();
            let commands = output.viewport_output.values().flat_map(|viewport| &viewport.commands);
            commands.filter(|command| matches!(command, ViewportCommand::Close)).count()
        };
        assert_eq!(closes(), 0);
        ending.ask();
        assert_eq!([closes(), closes()], [1, 0]);
        assert!(studio.clock.leaving, "nobody is asked about unsaved changes");
    }
}
