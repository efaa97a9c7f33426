//! Requests to end the program from outside the window: SIGTERM, SIGHUP and Ctrl-C in its terminal.

use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use egui::{Context, ViewportCommand};

use super::Studio;

/// The exit code of a run that was ended early, as that of the commands.
const EARLY: i32 = 3;

/// From now on, the first request closes the window, which restores the devices that it uses. Another request ends the
/// program at once.
pub(super) fn watch(ctx: &Context) -> Arc<AtomicBool> {
    let asked = Arc::new(AtomicBool::new(false));
    let (noted, ctx) = (Arc::clone(&asked), ctx.clone());
    let handler = move || {
        if noted.swap(true, Ordering::Relaxed) {
            exit(EARLY);
        }
        ctx.request_repaint();
    };
    // Without a handler, a request ends the program at once, as it does everywhere else.
    if let Err(error) = ctrlc::set_handler(handler) {
        tracing::warn!(%error, "requests to end are not noted");
    }
    asked
}

impl Studio {
    /// Closes the window if that was requested. There may be nobody to ask about unsaved changes: their drafts are kept.
    pub(super) fn close_if_asked(&mut self) {
        if self.ending.load(Ordering::Relaxed) && !self.clock.leaving {
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
        let mut closes = |asked| {
            studio.ending.store(asked, Ordering::Relaxed);
            let mut output = ctx.run_ui(egui::RawInput::default(), |_ui| studio.close_if_asked());
            output.textures_delta.clear();
            let commands = output.viewport_output.values().flat_map(|viewport| &viewport.commands);
            commands.filter(|command| matches!(command, ViewportCommand::Close)).count()
        };
        assert_eq!([closes(false), closes(true), closes(true)], [0, 1, 0]);
        assert!(studio.clock.leaving, "nobody is asked about unsaved changes");
    }
}
