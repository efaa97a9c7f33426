//! What a frame of the window costs while six engines run: its own logic, layout and tessellation, and,
//! apart, painting by the CPU; and how long a tap on the phone waits for its answer. `cargo xtask bench window`
//! prints tables; 1280x800, 600 frames a place. With `states` behind it only what large apps cost is measured, without
//! engines.
//!
//! The engines keep every processor busy, so a frame also waits for one: that is told apart where the
//! system counts it (Linux).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, missing_docs)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::App;
use egui::{Event as UiEvent, RawInput, Rect, ViewportId, pos2, vec2};
use egui_kittest::TestRenderer;

use taproof_campaign::CampaignPlan;
use taproof_engine::{EngineConfig, PbfdroidConfig, StateId};
use taproof_phone::Apps;
use taproof_screen::{Event, Gesture, Key, Selector};
use taproof_studio::app::{Studio, StudioOptions};
use taproof_studio::command::{Command, action};
use taproof_studio::fuzz::{CampaignCommand, CampaignState, FuzzView, GraphCommand};
use taproof_studio::state::{CampaignId, Place};
use taproof_testing::painter::Painter;
use taproof_testing::states;

const FRAMES: usize = 600;
const CLICKS: usize = 200;
const FAB: &str = "org.taproof.files:id/sd_main_fab";
const FRAME: Duration = Duration::from_millis(16);

struct Window {
    ctx: egui::Context,
    studio: Studio,
    frame: eframe::Frame,
    painter: Painter,
    began: Instant,
    passes: usize,
}

impl Window {
    fn open(workspace: std::path::PathBuf) -> Self {
        let ctx = egui::Context::default();
        let studio = Studio::new(
            &ctx,
            StudioOptions { app: None, walk: None, workspace, devices: false, apps: Apps::default() },
        );
        let (frame, painter) = (eframe::Frame::_new_kittest(), Painter::default());
        Window { ctx, studio, frame, painter, began: Instant::now(), passes: 0 }
    }

    /// The pointer wanders over the window, as a person's does.
    fn input(&self) -> RawInput {
        let turn = self.passes as f32 / 40.0;
        let at = pos2(640.0 + 560.0 * turn.cos(), 400.0 + 340.0 * (turn * 1.7).sin());
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1280.0, 800.0))),
            time: Some(self.began.elapsed().as_secs_f64()),
            max_texture_side: Some(8192),
            events: vec![UiEvent::PointerMoved(at)],
            focused: true,
            ..RawInput::default()
        };
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(1.0);
        input
    }

    /// One frame: what it costs.
    fn pass(&mut self, paint: bool) -> Cost {
        let input = self.input();
        self.passes += 1;
        let (start, waited) = (Instant::now(), waited());
        let (studio, frame) = (&mut self.studio, &mut self.frame);
        let mut output = self.ctx.run_ui(input, |ui| {
            studio.logic(&ui.ctx().clone(), frame);
            studio.ui(ui, frame);
        });
        let shapes = std::mem::take(&mut output.shapes);
        let primitives = self.ctx.tessellate(shapes, output.pixels_per_point);
        let whole = start.elapsed();
        let own = whole.saturating_sub(self::waited().saturating_sub(waited));
        self.painter.handle_delta(&mut output.textures_delta);
        let painted = paint.then(|| {
            let start = Instant::now();
            std::hint::black_box(self.painter.paint(&primitives, [1280, 800], 1.0));
            start.elapsed()
        });
        if let Some(rest) = FRAME.checked_sub(start.elapsed()) {
            std::thread::sleep(rest);
        }
        Cost { own, whole, painted }
    }

    fn until(&mut self, what: &str, seen: impl Fn(&Studio) -> bool) {
        let end = Instant::now() + Duration::from_secs(60);
        while !seen(&self.studio) {
            assert!(Instant::now() < end, "waited in vain for {what}: {:?}", self.studio.state.message);
            self.pass(false);
        }
    }

    fn start_six_engines(&mut self) {
        let mut form = self.studio.state.campaigns.form.clone();
        form.events = "1,000,000,000".to_owned();
        form.engines.iter_mut().for_each(|engine| engine.on = engine.name != "monkey" && !engine.is_auto());
        assert_eq!(form.engines.iter().filter(|engine| engine.on).count(), 6);
        self.queue(Command::EditForm(Box::new(form)));
        let order = action("fuzz-start").unwrap().order;
        let command = order(&self.studio.state).unwrap();
        self.queue(command);
        assert_eq!(self.studio.state.campaigns.running(), 1);
    }

    /// Opens the menu of the round button and closes it, again and again.
    fn measure_clicks(&mut self, name: &str) {
        let mut waits = Vec::new();
        for number in 0..CLICKS {
            let shown = self.studio.state.mirror.shown.clone().unwrap();
            let command = if number % 2 == 0 {
                let button = Selector { resource_id: Some(FAB.to_owned()), ..Selector::default() };
                let button = button.resolve(&shown.frame.layout).first().unwrap();
                let at = shown.frame.layout.widget(button).bounds.center();
                Command::Touch { frame: shown.no, at, gesture: Gesture::Tap }
            } else {
                Command::Perform(Event::Key(Key::Back))
            };
            let start = Instant::now();
            self.studio.queue(command);
            let other = |studio: &Studio| {
                let now = studio.state.mirror.shown.as_ref();
                now.is_some_and(|now| now.frame.layout != shown.frame.layout)
            };
            self.until("the answer", other);
            waits.push(start.elapsed());
        }
        let [median, p99, most] = [50, 99, 100].map(|percent| share(&mut waits, percent));
        println!("| {name:<28} | {median:>9.2} | {p99:>6.2} | {most:>7.2} |");
    }

    fn queue(&mut self, command: impl Into<Command>) {
        self.studio.queue(command.into());
        self.pass(false);
    }

    /// A campaign whose engine has seen so many states, told anew each second as by an engine that runs.
    fn show_states(&mut self, count: u64) {
        let layout = self.studio.state.mirror.layout().unwrap();
        let graph = Arc::new(states::many_states(&[Arc::clone(layout)], count));
        let plan =
            CampaignPlan::new("org.taproof.files", EngineConfig::Pbfdroid(PbfdroidConfig::default()), 1);
        let id = CampaignId(count as u32);
        let mut campaign = CampaignState::new(id, "Files".to_owned(), String::new(), Arc::new(plan));
        campaign.runs[0].graph = Some(graph);
        self.studio.state.campaigns.list.insert(0, campaign);
        self.queue(Command::ShowCampaign(id));
        self.queue(Command::Go(Place::Fuzz));
        self.queue(CampaignCommand::Show(FuzzView::States));
        self.until("the states", |studio| studio.state.campaigns.graph.shown((id, 0)).is_some());
    }

    /// What an engine that runs does each second.
    fn tell_states(&mut self) {
        let campaign = self.studio.state.campaigns.list.first_mut();
        let graph = campaign.and_then(|campaign| campaign.runs.first_mut()).map(|run| &mut run.graph);
        if let Some(Some(graph)) = graph {
            *graph = Arc::new((**graph).clone());
        }
    }

    fn measure(&mut self, name: &str) {
        for _ in 0..30 {
            self.pass(false);
        }
        let mut costs = Vec::new();
        for number in 0..FRAMES {
            if number % 60 == 0 {
                self.tell_states();
            }
            costs.push(self.pass(number % 10 == 0));
        }
        let column = |of: fn(&Cost) -> Option<Duration>| costs.iter().filter_map(of).collect::<Vec<_>>();
        let (mut own, mut whole) = (column(|cost| Some(cost.own)), column(|cost| Some(cost.whole)));
        let mut painted = column(|cost| cost.painted);
        let [median, p99, most] = [50, 99, 100].map(|percent| share(&mut own, percent));
        let [whole, late] = [50, 99].map(|percent| share(&mut whole, percent));
        let painting = share(&mut painted, 50);
        println!(
            "| {name:<28} | {median:>9.2} | {p99:>6.2} | {most:>7.2} | {whole:>12.2} | {late:>9.2} | {painting:>11.2} |"
        );
    }
}

/// What a frame costs.
struct Cost {
    /// Logic, layout and tessellation.
    own: Duration,
    /// The same with the time in which other threads had the processor.
    whole: Duration,
    painted: Option<Duration>,
}

/// How long this thread waited for a processor so far; nothing where the system does not say.
fn waited() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split_whitespace().nth(1).and_then(|word| word.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}

/// Milliseconds that so many percent stay below.
fn share(costs: &mut [Duration], percent: usize) -> f64 {
    costs.sort_unstable();
    let place = (costs.len() * percent / 100).min(costs.len() - 1);
    costs[place].as_secs_f64() * 1000.0
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::open(folder.path().join("workspace"));
    window.until("the phone", |studio| studio.state.mirror.shown.is_some());
    println!(
        "| place                        | median ms | p99 ms | most ms | with waiting | p99 of it | painting ms |"
    );
    println!(
        "| ---------------------------- | --------: | -----: | ------: | -----------: | --------: | ----------: |"
    );
    if !std::env::args().any(|word| word == "states") {
        measure_engines(&mut window);
    }
    measure_states(&mut window);
    window.studio.on_exit(None);
}

fn measure_engines(window: &mut Window) {
    window.measure("Record, nothing runs");
    window.start_six_engines();
    window.until("findings", |studio| {
        studio.state.campaigns.list.iter().any(|campaign| campaign.found.findings.len() > 3)
    });
    for place in [Place::Record, Place::Fuzz, Place::Replay] {
        if place == Place::Replay {
            let campaigns = &window.studio.state.campaigns.list;
            let campaign = campaigns.iter().find(|campaign| !campaign.found.findings.is_empty()).unwrap();
            let open = Command::OpenFinding(campaign.id, campaign.found.findings[0].id.clone());
            window.studio.queue(open);
        } else {
            window.studio.queue(Command::Go(place));
        }
        window.pass(false);
        window.measure(&format!("{}, six engines run", place.word()));
    }
    println!("\n| tap to answer                | median ms | p99 ms | most ms |");
    println!("| ---------------------------- | --------: | -----: | ------: |");
    window.queue(Command::Go(Place::Record));
    window.measure_clicks("six engines run");
    println!();
    let running: Vec<CampaignId> = window.studio.state.campaigns.list.iter().map(|it| it.id).collect();
    running.into_iter().for_each(|id| window.queue(Command::CancelCampaign(id)));
    window.until("their end", |studio| studio.state.campaigns.running() == 0);
}

/// The states of an app that is larger than the bundled ones.
fn measure_states(window: &mut Window) {
    for count in [1_000, 5_000] {
        window.show_states(count);
        window.measure(&format!("{count} states, whole"));
        window.queue(CampaignCommand::Graph(GraphCommand::Search("e".to_owned())));
        window.queue(CampaignCommand::Graph(GraphCommand::Select(Some(StateId(0)))));
        window.measure(&format!("{count} states, searched"));
        window.queue(CampaignCommand::Graph(GraphCommand::Show(StateId(count as u32 / 2))));
        window.measure(&format!("{count} states, one shown large"));
    }
}
