//! Requests to end the program from outside the window: SIGTERM, SIGHUP and Ctrl-C in its terminal.

use egui::Context;

use taproof_session::Interrupt;

/// From now on, the first request closes the window, which restores the devices that it uses.
pub(crate) fn watch(ctx: &Context) -> Interrupt {
    let ctx = ctx.clone();
    Interrupt::watch(move || ctx.request_repaint())
}
