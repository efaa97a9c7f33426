//! Drives the real window without a display.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui_kittest::kittest::{By, Queryable, by};
use egui_kittest::{Harness, HarnessBuilder, TestRenderer};

use taproof_campaign::Finding;
use taproof_engine::device::Typeable;
use taproof_phone::Apps;
use taproof_screen::WidgetIdx;
use taproof_studio::app::{Studio, StudioOptions};
use taproof_studio::mirror::Shown;
use taproof_studio::state::StudioState;

/// These tests look at names and state: nothing is painted.
pub struct Blind;

impl TestRenderer for Blind {
    fn handle_delta(&mut self, delta: &mut egui::TexturesDelta) {
        delta.clear();
    }
}

/// A window of 1280 by 800 and the folder of its results.
pub fn window(walk: Option<PathBuf>) -> (Harness<'static, Studio>, tempfile::TempDir) {
    window_with(walk, Apps::default())
}

/// The same with these apps on its phone.
pub fn window_with(walk: Option<PathBuf>, apps: Apps) -> (Harness<'static, Studio>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let options = StudioOptions { walk, apps, ..bundled_phone(&folder.path().join("workspace")) };
    (open_blind(options), folder)
}

/// The bundled phone, with the results in this folder.
pub fn bundled_phone(workspace: &Path) -> StudioOptions {
    let workspace = workspace.to_owned();
    StudioOptions { app: None, walk: None, workspace, devices: false, apps: Apps::default() }
}

/// Opens a window of 1280 by 800 that is not painted.
pub fn open_blind(options: StudioOptions) -> Harness<'static, Studio> {
    open(Harness::builder().with_size(egui::vec2(1280.0, 800.0)).renderer(Blind), options)
}

/// Opens the window.
pub fn open(builder: HarnessBuilder<Studio>, options: StudioOptions) -> Harness<'static, Studio> {
    builder.build_eframe(|cc| Studio::new(&cc.egui_ctx, options))
}

/// Lets the window take its phone for one behind adb that types no more than an English keyboard does.
pub fn types_keys_only(harness: &mut Harness<'_, Studio>) {
    let state = &mut harness.state_mut().state;
    let shown = state.mirror.shown.as_ref().unwrap();
    state.settings.target.device = Some("emulator-1".to_owned());
    state.mirror.shown = Some(Arc::new(Shown {
        no: shown.no,
        frame: shown.frame.clone(),
        picture: shown.picture.clone(),
        source: shown.source,
        stale: shown.stale,
        info: shown.info.clone(),
        typeable: Typeable::Keys,
        walk: shown.walk.clone(),
        place: shown.place,
        standing: shown.standing,
        redone: shown.redone,
        anew: shown.anew,
        ahead: shown.ahead,
    }));
}

/// A folder with a workspace in which commands have found something in Notes and Files.
pub fn found_workspace() -> tempfile::TempDir {
    #[allow(clippy::disallowed_types)]
    static FOUND: std::sync::LazyLock<tempfile::TempDir> = std::sync::LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        for app in ["notes", "files"] {
            let fuzz = ["fuzz", "--app", app, "--engine", "pbfdroid,keep", "--events", "2500", "--workspace"];
            let program = Command::new(crate::program::path()).args(fuzz).arg(folder.path()).output();
            assert_eq!(program.unwrap().status.code(), Some(1), "there are findings");
        }
        folder
    });
    let folder = tempfile::tempdir().unwrap();
    copy(FOUND.path(), &folder.path().join("workspace"));
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(&from, &to).unwrap();
        }
    }
}

/// A window on a folder's workspace.
pub fn window_on(folder: &Path) -> Harness<'static, Studio> {
    let mut harness = open_blind(bundled_phone(&folder.join("workspace")));
    wait(&mut harness, "the phone", 60, |state| shown(state) && state.history.read);
    harness
}

/// Asks for something as a panel would.
pub fn ask(harness: &mut Harness<'_, Studio>, command: impl Into<taproof_studio::command::Command>) {
    harness.state_mut().queue(command.into());
    harness.run_steps(3);
}

/// The field of that name: columns of tables may have it, too.
fn field_named(name: &str) -> By<'_> {
    by().label(name).predicate(|node| node.is_text_input())
}

/// Replaces what the field of that name holds.
pub fn type_into(harness: &mut Harness<'_, Studio>, field: &str, text: &str) {
    harness.get(field_named(field)).focus();
    harness.run_steps(2);
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    harness.get(field_named(field)).type_text(text);
    harness.run_steps(3);
}

/// Lets the window live until it shows what is waited for.
pub fn wait(
    harness: &mut Harness<'_, Studio>,
    what: &str,
    seconds: u64,
    seen: impl Fn(&StudioState) -> bool,
) {
    let end = Instant::now() + Duration::from_secs(seconds);
    while !seen(&harness.state().state) {
        let StudioState { message, mirror, devices, .. } = &harness.state().state;
        let shown = mirror.shown.as_ref().map(|shown| (shown.stale, shown.source, shown.place));
        assert!(
            Instant::now() < end,
            "waited {seconds} s in vain for {what}: {message:?} {:?} gone {} busy {} {shown:?} {devices:?}",
            mirror.problem,
            mirror.gone,
            mirror.busy()
        );
        harness.step();
        std::thread::sleep(Duration::from_millis(10));
    }
    harness.run_steps(2);
}

/// Presses the control of that name.
pub fn click(harness: &mut Harness<'_, Studio>, label: &str) {
    harness.get_by_label(label).click_accesskit();
    harness.run_steps(3);
}

/// The name of the button that replays a finding: that of its card where the card shows it, else its own.
pub fn replay_button(state: &StudioState, finding: &Finding) -> String {
    let mut cards = state.campaigns.list.iter().flat_map(|campaign| campaign.carded());
    let card = cards.find(|card| card.shown.id == finding.id);
    format!("Replay {}", card.map_or(&finding.title, |card| &card.title))
}

/// Where a widget of the phone is in the window.
pub fn place_of(harness: &Harness<'_, Studio>, idx: WidgetIdx) -> egui::Pos2 {
    let layout = harness.state().state.mirror.layout().unwrap().clone();
    let room = harness.get_by_label("Phone screen").rect();
    let scale = room.width() / layout.screen().width as f32;
    let at = layout.widget(idx).bounds.center();
    room.min + egui::vec2(at.x as f32, at.y as f32) * scale
}

/// Presses and lifts the pointer on a widget of the phone between two passes.
pub fn tap_at_once(harness: &mut Harness<'_, Studio>, idx: WidgetIdx) {
    let at = place_of(harness, idx);
    harness.hover_at(at);
    harness.drag_at(at);
    harness.drop_at(at);
    harness.run_steps(2);
}

/// Presses the pointer on a widget of the phone, and lifts it a pass later.
pub fn tap(harness: &mut Harness<'_, Studio>, idx: WidgetIdx) {
    let at = place_of(harness, idx);
    harness.hover_at(at);
    harness.step();
    harness.drag_at(at);
    harness.step();
    harness.drop_at(at);
    harness.run_steps(2);
}

/// Whether the phone stands still.
pub fn shown(state: &StudioState) -> bool {
    state.mirror.shown.is_some() && !state.mirror.busy()
}
