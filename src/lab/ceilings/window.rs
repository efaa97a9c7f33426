//! Frames of the window, without a driver: its own logic, layout and tessellation.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use eframe::App;
use egui::{Event as UiEvent, RawInput, Rect, ViewportId, pos2, vec2};
use taproof_phone::Apps;
use taproof_studio::app::{Studio, StudioOptions};
use taproof_studio::command::Command;
use taproof_studio::state::Place;

/// How long the phone may take to show its first screen.
const PATIENCE: Duration = Duration::from_secs(120);

struct Window {
    ctx: egui::Context,
    studio: Studio,
    frame: eframe::Frame,
    passes: u64,
}

impl Window {
    fn open(workspace: std::path::PathBuf) -> Window {
        let ctx = egui::Context::default();
        let options =
            StudioOptions { app: None, walk: None, workspace, devices: false, apps: Apps::default() };
        let studio = Studio::new(&ctx, options);
        Window { ctx, studio, frame: eframe::Frame::_new_kittest(), passes: 0 }
    }

    /// A frame, while the pointer wanders over the window.
    fn pass(&mut self) {
        self.passes += 1;
        let turn = self.passes as f32 / 40.0;
        let at = pos2(640.0 + 560.0 * turn.cos(), 400.0 + 340.0 * (turn * 1.7).sin());
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1280.0, 800.0))),
            time: Some(self.passes as f64 / 60.0),
            max_texture_side: Some(8192),
            events: vec![UiEvent::PointerMoved(at)],
            focused: true,
            ..RawInput::default()
        };
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(1.0);
        let (studio, frame) = (&mut self.studio, &mut self.frame);
        let mut output = self.ctx.run_ui(input, |ui| {
            studio.logic(&ui.ctx().clone(), frame);
            studio.ui(ui, frame);
        });
        let shapes = std::mem::take(&mut output.shapes);
        black_box(self.ctx.tessellate(shapes, output.pixels_per_point));
    }
}

#[expect(clippy::disallowed_methods, reason = "the phone is a thread of its own, which is waited for")]
fn frames(place: Place, times: u64) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut window = Window::open(folder.path().join("workspace"));
    let end = Instant::now() + PATIENCE;
    while window.studio.state.mirror.shown.is_none() {
        if Instant::now() > end {
            bail!("the phone shows nothing: {:?}", window.studio.state.message);
        }
        // Few frames, so that the time until then does not count.
        std::thread::sleep(Duration::from_millis(200));
        window.pass();
    }
    window.studio.queue(Command::Go(place));
    (0..times).for_each(|_| window.pass());
    window.studio.on_exit(None);
    Ok(())
}

pub(crate) fn record(times: u64) -> Result<()> {
    frames(Place::Record, times)
}

pub(crate) fn fuzz(times: u64) -> Result<()> {
    frames(Place::Fuzz, times)
}

pub(crate) fn replay(times: u64) -> Result<()> {
    frames(Place::Replay, times)
}
