//! Pictures of the real program, painted without a display.
//!
//! `cargo xtask pictures` writes those of the README and the site to `assets/pictures`. With
//! `TAPROOF_LOOKS=DIR` every scene is written there too, in every size and both colours, to be looked at.
#![allow(clippy::disallowed_methods)]

use taproof_testing::states;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::{NodeT, Queryable, by};
use egui_kittest::{Harness, HarnessBuilder};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

use taproof_campaign::{
    CampaignReport, CampaignSink, CampaignWarning, ComparisonRule, Corrections, Evidence, Finding, Reference,
    RunCounts, Target, keep_latest, run,
};
use taproof_engine::device::Build;
use taproof_engine::oracle::EffectComparison;
use taproof_engine::worker::CancelToken;
use taproof_engine::{CampaignStats, StateId};
use taproof_phone::BundledPhones;
use taproof_results::store::CampaignRow;
use taproof_screen::{Step, StepRole, Trace};
use taproof_studio::app::Studio;
use taproof_studio::command::Command;
use taproof_studio::fuzz::{
    CampaignCommand, CampaignPhase, CampaignState, Compared, Curve, EngineRunState, Found, FuzzView,
    GraphCommand,
};
use taproof_studio::replay::{HistoryCommand, ReplayCommand, ReplayState};
use taproof_studio::shell::{Sheet, WindowCommand};
use taproof_studio::specs::DocumentCommand;
use taproof_studio::state::{CampaignId, Place, RecordView, StudioState, Theme};
use taproof_testing::driver;
use taproof_testing::film::Film;
use taproof_testing::hand::{Hand, id, text};
use taproof_testing::painter::Painter;

const NONE: Modifiers = Modifiers::NONE;

/// Width, height, size in percent; the first two are those of the README.
const LOOKS: [(f32, f32, u16, Theme); 9] = [
    (1280.0, 800.0, 100, Theme::Dark),
    (1280.0, 800.0, 100, Theme::Light),
    (1280.0, 800.0, 150, Theme::Dark),
    (1280.0, 800.0, 150, Theme::Light),
    (1280.0, 800.0, 200, Theme::Light),
    (1920.0, 1080.0, 100, Theme::Dark),
    (1920.0, 1080.0, 100, Theme::Light),
    (1920.0, 1080.0, 150, Theme::Dark),
    (1920.0, 1080.0, 150, Theme::Light),
];

/// Number of findings of all campaigns.
fn found(state: &StudioState) -> usize {
    state.campaigns.list.iter().map(|campaign| campaign.found.findings.len()).sum()
}

/// The folder is no temporary one with a random name: it may stand in a picture.
fn window(name: &str) -> Hand {
    let mut hand = window_of(name, Harness::builder().with_size(vec2(1280.0, 800.0)));
    hand.harness.state_mut().state.settings.first_steps = false;
    hand
}

fn window_of(name: &str, builder: HarnessBuilder<Studio>) -> Hand {
    let workspace = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pictures").join(name);
    if workspace.exists() {
        std::fs::remove_dir_all(&workspace).unwrap();
    }
    let painter = Painter::default();
    let builder = builder.renderer(painter.clone());
    let mut harness = driver::open(builder, driver::bundled_phone(&workspace));
    harness.input_mut().max_texture_side = Some(8192);
    Hand { painter, ..Hand::in_window(harness) }
}

/// Paints the scene in every look; two of them are those of the README.
fn pictures(hand: &mut Hand, scene: &str) {
    paint(hand, scene, &LOOKS, true);
}

/// Paints the scene in some looks, to be looked at only.
fn looks(hand: &mut Hand, scene: &str) {
    paint(hand, scene, &[LOOKS[0], LOOKS[1], LOOKS[5]], false);
}

fn paint(hand: &mut Hand, scene: &str, looks: &[(f32, f32, u16, Theme)], readme: bool) {
    for (place, (width, height, scale, theme)) in looks.iter().copied().enumerate() {
        let settings = &mut hand.harness.state_mut().state.settings;
        (settings.scale, settings.theme) = (scale, theme);
        hand.harness.run_steps(2);
        hand.harness.set_size(vec2(width, height) / (f32::from(scale) / 100.0));
        hand.harness.input_mut().max_texture_side = Some(8192);
        hand.harness.run_steps(6);
        let picture = hand.painter.render(&hand.harness.ctx, hand.harness.output());
        assert_eq!((picture.width(), picture.height()), (width as u32, height as u32), "{scene}");
        let colours: BTreeSet<[u8; 4]> = picture.pixels().step_by(97).map(|pixel| pixel.0).collect();
        assert!(colours.len() > 8, "{scene} is blank: {} colours", colours.len());
        let look = if theme == Theme::Dark { "dark" } else { "light" };
        let picture = image::DynamicImage::ImageRgba8(picture).into_rgb8();
        if place < 2 && readme {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pictures");
            write(&picture, &folder.join(format!("{scene}-{look}.png")));
        }
        if let Some(folder) = std::env::var_os("TAPROOF_LOOKS") {
            let name = format!("{scene}-{width}x{height}-{scale}-{look}.png");
            write(&picture, &Path::new(&folder).join(name));
        }
    }
    hand.harness.state_mut().state.settings.scale = 100;
    hand.harness.run_steps(2);
    hand.harness.set_size(vec2(1280.0, 800.0));
    hand.harness.run_steps(4);
}

fn write(picture: &image::RgbImage, path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    picture
        .write_with_encoder(PngEncoder::new_with_quality(file, CompressionType::Best, FilterType::Adaptive))
        .unwrap();
}

fn go(hand: &mut Hand, command: impl Into<Command>) {
    hand.harness.state_mut().queue(command.into());
    hand.harness.run_steps(4);
    hand.settle();
}

#[test]
#[ignore = "writes the pictures of the README"]
fn a_recorded_function() {
    let mut hand = window("record");
    hand.key(Modifiers::COMMAND, Key::R);
    hand.tap(&id("org.taproof.files:id/sd_main_fab"));
    hand.tap(&text("Folder"));
    hand.type_text("k7");
    hand.tap(&id("android:id/button1"));
    hand.key(Modifiers::COMMAND, Key::R);
    hand.click("Step 2: tap \u{201c}Folder\u{201d}  #sd_label");
    // The time that a person took is the only thing here that differs from run to run.
    hand.harness.state_mut().state.record.seconds = 38.0;
    pictures(&mut hand, "record");
}

/// What the recorder chose and says of it; only to be looked at: `TAPROOF_LOOKS=DIR`.
#[test]
#[ignore = "writes pictures"]
fn what_the_recorder_chose() {
    if std::env::var_os("TAPROOF_LOOKS").is_none() {
        return taproof_testing::skipped("TAPROOF_LOOKS names no folder");
    }
    let mut hand = window("chosen");
    let notes = |name: &str| id(&format!("org.taproof.notes:id/{name}"));
    go(&mut hand, Command::UseApp(Target::bundled("org.taproof.notes", Build::Sound)));
    hand.wait("the app", 60, |state| !state.mirror.busy());
    for tapped in ["fab", "menu_new_folder", "name_field"] {
        hand.tap(&notes(tapped));
    }
    hand.write("Trip 2026");
    hand.tap(&id("android:id/button1"));
    hand.tap(&text("Trip 2026"));
    hand.key(Modifiers::COMMAND, Key::R);
    for tapped in ["fab", "menu_new_note", "edit_title"] {
        hand.tap(&notes(tapped));
    }
    hand.write("Plan");
    hand.tap(&notes("edit_body"));
    hand.write("Pack the tent");
    hand.tap(&notes("action_save"));
    hand.click("End");
    looks(&mut hand, "chosen");
    let lead = hand.harness.query_all_by_label_contains("here from the fresh start").next().unwrap();
    let lead = lead.accesskit_node().label().unwrap();
    hand.click(&lead);
    hand.click("Add to Before: a widget that must show");
    hand.settle();
    hand.tap(&notes("fab"));
    looks(&mut hand, "chosen-open");
}

#[test]
#[ignore = "writes pictures"]
fn a_specification() {
    if std::env::var_os("TAPROOF_LOOKS").is_none() {
        return taproof_testing::skipped("TAPROOF_LOOKS names no folder");
    }
    let mut hand = window("specification");
    go(&mut hand, Command::UseApp(Target::bundled("org.taproof.notes", Build::Sound)));
    go(&mut hand, Command::GoRecord(RecordView::Specification));
    let state = hand.state();
    let shown = state.documents.shown(&state.settings.target.app).unwrap().id;
    go(&mut hand, Command::Document(DocumentCommand::Copy(shown)));
    hand.wait("a copy", 30, |state| state.documents.list.iter().any(|document| !document.shipped));
    paint(&mut hand, "specification", &LOOKS, false);
}

/// Counts what a campaign did at each round: the window looks whenever it has time.
struct Counted(CampaignState, usize);

impl Counted {
    fn run(&mut self) -> &mut EngineRunState {
        &mut self.0.runs[self.1]
    }
}

impl CampaignSink for Counted {
    fn progress(&mut self, stats: &CampaignStats) {
        self.run().take_counts(RunCounts::of(stats));
    }
    fn finding(&mut self, finding: Arc<Finding>) {
        let mut findings = self.0.found.findings.clone();
        keep_latest(&mut findings, finding);
        self.0.take_found(Found::of(findings, &self.0.plan, &Corrections::default()));
    }
    fn warning(&mut self, _: CampaignWarning) {}
    fn ended(&mut self, report: &CampaignReport) {
        let run = self.run();
        run.take_counts(RunCounts::of(&report.stats));
        run.phase = CampaignPhase::Ended(report.end.clone());
        run.fingerprint = Some(report.stats.fingerprint());
        run.seconds = run.counts.events as f64 / 9_000.0;
    }
}

#[test]
#[ignore = "writes the pictures of the README"]
fn campaigns_and_a_finding() {
    let mut hand = window("fuzz");
    go(&mut hand, Command::Go(Place::Fuzz));
    for (app, events) in [("notes", "12,000"), ("files", "16,000")] {
        let mut form = hand.state().campaigns.form.clone();
        form.choose_app(&format!("org.taproof.{app}"));
        form.events = events.to_owned();
        go(&mut hand, Command::EditForm(Box::new(form)));
        hand.key(NONE, Key::F5);
    }
    let over = |state: &StudioState| {
        state.campaigns.list.len() == 2 && state.campaigns.list.iter().all(|it| !it.alive())
    };
    hand.wait("the campaigns", 300, over);
    hand.wait("the findings", 60, |state| state.history.rows().len() == found(state));
    for campaign in &mut hand.harness.state_mut().state.campaigns.list {
        *campaign = counted(campaign);
    }
    hand.harness.state_mut().state.message = None;
    hand.harness.run_steps(3);
    hand.wait("the screens of the bugs", 60, |state| {
        !state.thumbnails.is_empty() && state.thumbnails.values().all(|(_, picture)| picture.is_some())
    });
    pictures(&mut hand, "fuzz");

    let (campaign, id) = still_found(hand.state()).unwrap();
    go(&mut hand, Command::OpenFinding(campaign, id));
    hand.wait("the finding", 60, |state| state.replay.is_some());
    hand.key(NONE, Key::End);
    hand.wait("the pictures", 60, |state| {
        let replay = state.replay.as_ref().unwrap();
        !replay.pictures.is_empty() && replay.pictures.values().all(Option::is_some)
    });
    hand.harness.state_mut().state.message = None;
    pictures(&mut hand, "replay");
}

/// The same campaign again, looked at after every round.
fn counted(campaign: &CampaignState) -> CampaignState {
    let CampaignState { id, label, spec, plan, .. } = campaign;
    let fresh = CampaignState::new(*id, label.clone(), spec.clone(), Arc::clone(plan));
    let mut counted = Counted(fresh, 0);
    for (place, engine) in plan.engines.iter().enumerate() {
        counted.1 = place;
        run(plan, engine, &mut BundledPhones::new(&plan.app, &plan.build), &CancelToken::new(), &mut counted);
    }
    let mut shown = counted.0;
    shown.row = campaign.row;
    shown
}

/// The shortest finding of the bug that the README begins with: a note that was deleted is still found.
fn still_found(state: &StudioState) -> Option<(CampaignId, String)> {
    let shows = |finding: &Finding| {
        let bugs = finding.attribution.candidates().first();
        bugs.is_some_and(|bugs| bugs.iter().any(|bug| bug == "notes-deleted-still-found"))
    };
    let campaigns = state.campaigns.list.iter();
    let all =
        campaigns.flat_map(|campaign| campaign.found.findings.iter().map(|finding| (campaign.id, finding)));
    let short =
        all.filter(|(_, finding)| shows(finding)).min_by_key(|(_, finding)| finding.minimal.trace.len());
    short.map(|(campaign, finding)| (campaign, finding.id.clone()))
}

/// Six engines side by side; only to be looked at: `TAPROOF_LOOKS=DIR`.
#[test]
#[ignore = "writes pictures"]
fn bugs_are_triaged() {
    if std::env::var_os("TAPROOF_LOOKS").is_none() {
        return taproof_testing::skipped("TAPROOF_LOOKS names no folder");
    }
    let mut hand = window("triage");
    go(&mut hand, Command::Go(Place::Replay));
    looks(&mut hand, "triage-nothing");
    go(&mut hand, Command::Go(Place::Fuzz));
    for (app, seed) in [("org.taproof.notes", "1"), ("org.taproof.notes", "2"), ("org.taproof.files", "1")] {
        let mut form = hand.state().campaigns.form.clone();
        form.choose_app(app);
        (form.events, form.seed) = ("3,000".to_owned(), seed.to_owned());
        go(&mut hand, Command::EditForm(Box::new(form)));
        hand.key(NONE, Key::F5);
        hand.wait("the campaign", 300, |state| {
            !state.campaigns.list.is_empty() && state.campaigns.list.iter().all(|it| !it.alive())
        });
    }
    hand.wait("the findings", 60, |state| state.history.rows().len() == found(state));
    drawn(&mut hand);
    looks(&mut hand, "triage-cards");
    go(&mut hand, CampaignCommand::Fold(false));
    looks(&mut hand, "triage-campaigns");
    go(&mut hand, Command::Go(Place::Replay));
    for (lines, key) in [(1, Key::Num2), (1, Key::Num3), (1, Key::Num5), (1, Key::Num4), (2, Key::Num2)] {
        (0..lines).for_each(|_| hand.key(NONE, Key::ArrowDown));
        hand.key(NONE, key);
        hand.harness.run_steps(4);
        hand.wait("the word", 30, |state| !state.history.reads());
    }
    hand.harness.state_mut().state.message = None;
    looks(&mut hand, "triage-list");
    let menu = hand
        .harness
        .query_all(by().predicate(|node| node.label().is_some_and(|label| label.starts_with("State of "))));
    let at = menu.into_iter().nth(2).unwrap().rect().center();
    hand.harness.hover_at(at);
    hand.harness.drag_at(at);
    hand.harness.drop_at(at);
    hand.harness.run_steps(6);
    looks(&mut hand, "triage-menu");
    hand.key(NONE, Key::Escape);
    hand.click("Filter bugs");
    looks(&mut hand, "triage-filter");
    hand.key(NONE, Key::Escape);
    go(&mut hand, WindowCommand::Show(Some(Sheet::Preferences)));
    looks(&mut hand, "preferences");
    go(&mut hand, WindowCommand::Show(None));
    let row = hand.state().history.rows()[0].key.clone();
    go(&mut hand, Command::History(HistoryCommand::Open(row)));
    hand.wait("the finding", 60, |state| state.replay.is_some());
    drawn(&mut hand);
    looks(&mut hand, "triage-open");
}

#[test]
#[ignore = "writes pictures"]
fn six_engines() {
    if std::env::var_os("TAPROOF_LOOKS").is_none() {
        return taproof_testing::skipped("TAPROOF_LOOKS names no folder");
    }
    let mut hand = window("six engines");
    go(&mut hand, Command::Go(Place::Fuzz));
    looks(&mut hand, "nothing-run");
    for seed in ["1", "2"] {
        let mut form = hand.state().campaigns.form.clone();
        form.choose_app("org.taproof.diary");
        (form.events, form.seed) = ("3,000".to_owned(), seed.to_owned());
        form.engines.iter_mut().for_each(|engine| engine.on = !engine.is_auto());
        go(&mut hand, Command::EditForm(Box::new(form)));
        hand.key(NONE, Key::F5);
    }
    hand.harness.run_steps(3);
    looks(&mut hand, "six-running");
    let over = |state: &StudioState| state.campaigns.list.iter().all(|it| !it.alive());
    hand.wait("the campaigns", 900, over);
    hand.wait("the findings", 60, |state| state.history.rows().len() == found(state));
    hand.harness.state_mut().state.message = None;
    let other = hand.state().campaigns.list[1].id;
    go(&mut hand, CampaignCommand::Compare(Some(Compared::Shown(other))));
    let kept = CampaignRow {
        id: 90,
        app: "org.taproof.files".to_owned(),
        build: "faulty".to_owned(),
        engine: "pbfdroid,genie,odin,fastbot2,timemachine,monkey".to_owned(),
        seed: 4,
        events: 1_234_567,
        findings: 12,
        end: Some("interrupted".to_owned()),
        began: None,
        length: None,
    };
    hand.harness.state_mut().state.campaigns.kept.push(kept);
    looks(&mut hand, "six-over");
    go(&mut hand, CampaignCommand::Curve(Curve::Code));
    looks(&mut hand, "six-code");
    go(&mut hand, CampaignCommand::Show(FuzzView::Inside));
    for place in 0..6 {
        go(&mut hand, CampaignCommand::ShowRun(place));
        looks(&mut hand, &format!("inside-{place}"));
    }
    go(&mut hand, CampaignCommand::Show(FuzzView::Events));
    hand.wait("the events", 60, |state| state.campaigns.events.answer.is_some());
    looks(&mut hand, "events");
    look_at_states(&mut hand);
    look_beside_reference(&mut hand);
}

/// Waits until no picture that is in sight is still on its way.
fn drawn(hand: &mut Hand) {
    hand.harness.run_steps(4);
    hand.wait("the pictures", 30, |state| {
        state.thumbnails.values().all(|(_, picture)| picture.is_some())
            && state.replay.as_ref().is_none_or(|replay| replay.pictures.values().all(Option::is_some))
    });
}

fn look_at_states(hand: &mut Hand) {
    go(hand, CampaignCommand::ShowRun(4));
    go(hand, CampaignCommand::Show(FuzzView::States));
    let campaign = hand.state().campaigns.list[0].id;
    hand.wait("the states", 30, |state| state.campaigns.graph.shown((campaign, 4)).is_some());
    drawn(hand);
    looks(hand, "states-own");
    let run = &mut hand.harness.state_mut().state.campaigns.list[0].runs[4];
    let seen = run.graph.as_ref().unwrap().states();
    let layouts: Vec<_> = seen.iter().map(|state| Arc::clone(&state.layout)).collect();
    run.graph = Some(Arc::new(states::many_states(&layouts, 1_500)));
    hand.wait("the states", 30, |state| {
        state.campaigns.graph.shown((campaign, 4)).is_some_and(|view| view.graph.len() == 1_500)
    });
    hand.click("Show all");
    looks(hand, "states-many");
    go(hand, CampaignCommand::Graph(GraphCommand::Search("diary".to_owned())));
    hand.click("Show all");
    looks(hand, "states-searched");
    go(hand, CampaignCommand::Graph(GraphCommand::Search(String::new())));
    go(hand, CampaignCommand::Graph(GraphCommand::Show(StateId(40))));
    drawn(hand);
    looks(hand, "states-chosen");
}

/// A finding of Genie or ODIN; one of another engine as if its second step were the detour of a mutant.
fn look_beside_reference(hand: &mut Hand) {
    let mut found = hand.state().campaigns.list.iter().flat_map(|campaign| {
        campaign.found.findings.iter().map(|finding| (campaign.id, Arc::clone(finding)))
    });
    let own = found.clone().find(|(_, finding)| finding.reference.is_some());
    let (campaign, finding) = own.or_else(|| found.find(|(_, it)| it.minimal.trace.len() > 2)).unwrap();
    println!("reference of {:?}", finding.engine);
    go(hand, Command::OpenFinding(campaign, finding.id.clone()));
    hand.wait("the finding", 60, |state| state.replay.is_some());
    if finding.reference.is_none() {
        let (trace, mut told) = (finding.minimal.trace.clone(), (*finding).clone());
        let (mut seed, mut mutant) =
            (Trace::start(trace.first().clone()), Trace::start(trace.first().clone()));
        for (at, step) in trace.steps().iter().enumerate() {
            let role = if at == 1 { StepRole::Inserted } else { StepRole::Seed };
            mutant.push(Step { role, ..step.clone() });
            if at != 1 {
                seed.push(step.clone());
            }
        }
        let evidence = Evidence::without_pictures(seed);
        told.minimal.trace = mutant;
        let rule = ComparisonRule::Effects(EffectComparison::default());
        told.reference = Some(Reference { evidence, rule });
        let state = &mut hand.harness.state_mut().state;
        let source = state.replay.as_ref().unwrap().source.clone();
        state.replay = Some(ReplayState::open(source, Arc::new(told)));
    }
    for (command, scene) in
        [(ReplayCommand::Last, "reference-last"), (ReplayCommand::Goto(1), "reference-detour")]
    {
        go(hand, Command::Replay(command));
        drawn(hand);
        looks(hand, scene);
    }
}

/// What the README begins with: from the phone to a bug, as a person does it.
#[test]
#[ignore = "writes the animation of the README"]
fn the_first_minutes() {
    let builder = Harness::builder().with_size(vec2(1100.0, 720.0)).with_step_dt(0.04);
    let mut film = Film::of(window_of("first minutes", builder));
    film.shoot(1500);
    film.click("Record a function");
    film.tap(&id("org.taproof.files:id/sd_main_fab"));
    film.tap(&text("Folder"));
    film.type_text("Trip");
    film.tap(&id("android:id/button1"));
    film.click("End");
    film.shoot(1500);
    film.click("Save");
    film.watch("what was saved", 4, |state| state.record.kept.is_some());
    film.shoot(1500);
    film.click("Fuzz");
    film.shoot(1000);
    film.click("Start");
    let over = |state: &StudioState| state.campaigns.list.iter().all(|campaign| !campaign.alive());
    film.watch("the campaign", 20, over);
    film.hand.wait("the screens of the bugs", 60, |state| {
        !state.thumbnails.is_empty() && state.thumbnails.values().all(|(_, picture)| picture.is_some())
    });
    film.shoot(2500);
    let bugs =
        film.hand.state().campaigns.list[0].carded().iter().map(|card| format!("Replay {}", card.title));
    let in_sight = bugs.into_iter().find(|replay| film.place(replay).is_some());
    film.click(&in_sight.unwrap());
    drawn(&mut film.hand);
    film.shoot(1500);
    let steps = film.hand.state().replay.as_ref().unwrap().steps();
    for _ in 1..steps {
        film.key(Key::ArrowRight, 700);
    }
    film.shoot(4000);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pictures/first-minutes.png");
    let size = film.write(&file);
    assert!(size < 3_000_000, "{size} bytes");
}
