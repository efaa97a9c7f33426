//! Whatever phone a reader plugs in: `TAPROOF_SERIAL=SERIAL cargo test --test it real_device -- --nocapture`. It launches,
//! clears and stops an app (`TAPROOF_PACKAGE`), turns the screen and types: take a
//! phone that may be tested on. Without a serial it says that it is skipped.
#![allow(clippy::disallowed_methods, reason = "what other threads and devices do is waited for")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use taproof_adb::{AdbPhone, AdbPhones, ControlMethod, reach_server};
use taproof_campaign::{
    CampaignPlan, CampaignSink, ConfirmPlan, DeviceChoice, EndReason, Finding, SavedTrace, retrace, run,
};
use taproof_engine::ENGINES;
use taproof_engine::device::{AppData, AppId, Build, Device};
use taproof_engine::worker::CancelToken;
use taproof_screen::{Event, Frame, Gesture, Key, Selector, Step, StepRole, Trace, WidgetFlags};

use taproof_testing::device::device_contract::{Extent, check};

/// What a row of the table says.
struct Table(Vec<(String, String)>);

impl Table {
    fn row(&mut self, what: &str, said: impl Into<String>) {
        self.0.push((what.to_owned(), said.into()));
    }

    fn time<T>(&mut self, what: &str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.row(what, format!("{:.0} ms", start.elapsed().as_secs_f64() * 1000.0));
        result
    }
}

struct Heard(Vec<Arc<Finding>>);

impl CampaignSink for Heard {
    fn finding(&mut self, finding: Arc<Finding>) {
        taproof_campaign::keep_latest(&mut self.0, finding);
    }
}

#[test]
fn a_phone_that_is_plugged_in() {
    let Some(serial) = std::env::var("TAPROOF_SERIAL").ok().filter(|serial| !serial.is_empty()) else {
        taproof_testing::skipped("no TAPROOF_SERIAL");
        return;
    };
    let server = reach_server(&|| false).unwrap();
    let open = || AdbPhone::open(&server, &serial, ControlMethod::Agent, Arc::new(|| false)).unwrap().alone();
    let mut phone = open();
    let mut table = Table(Vec::new());
    let info = phone.info().clone();
    table.row("device", format!("{} ({serial}), API {}", info.model, info.sdk));
    table.row("screen", format!("{} x {}", info.screen.width, info.screen.height));
    let app = app();
    table.row("app", app.0.clone());
    table.time("the contract of every device", || check(&mut phone, &app, Extent::App));
    measure(&mut phone, &app, &mut table);
    recording(phone, &mut AdbPhones::at(&server, &serial), &app, &mut table);
    campaign(&server, &serial, &app, &mut table);
    for (what, said) in &table.0 {
        println!("{what:<34} {said}");
    }
}

fn app() -> AppId {
    AppId(std::env::var("TAPROOF_PACKAGE").expect("name an installed app in TAPROOF_PACKAGE"))
}

/// How long what everybody does takes.
fn measure(phone: &mut AdbPhone, app: &AppId, table: &mut Table) {
    table.time("clear and launch", || phone.launch(app, AppData::Clear).unwrap());
    table.time("picture", || phone.screenshot().unwrap());
    table.time("wait of 500 ms", || {
        phone.perform(&Event::Wait(taproof_screen::determinism::DeviceDuration(500))).unwrap()
    });
    table.time("turn the screen", || phone.perform(&Event::Rotate).unwrap());
    let turned = phone.observe().unwrap().layout.rotation().sideways();
    table.row("the app turns", if turned { "yes" } else { "no: it fixes its orientation" });
    phone.perform(&Event::Rotate).unwrap();
    table.time("Home", || phone.perform(&Event::Key(Key::Home)).unwrap());
    table.time("launch, data kept", || phone.launch(app, AppData::Keep).unwrap());
    table.row("pictures come from", phone.picture_source().word());
}

/// Some steps are recorded and done again.
fn recording(mut phone: AdbPhone, phones: &mut AdbPhones, app: &AppId, table: &mut Table) {
    phone.launch(app, AppData::Clear).unwrap();
    let mut trace = Trace::start(phone.observe().unwrap());
    for number in 0..5 {
        let event = next_event(trace.last(), number);
        phone.perform(&event).unwrap();
        trace.push(Step { event, role: StepRole::Explored, after: phone.observe().unwrap() });
    }
    let frames: Vec<&Frame> = (0..=trace.len()).map(|at| trace.frame(at).unwrap()).collect();
    let done = trace
        .steps()
        .iter()
        .enumerate()
        .map(|(at, step)| (&step.event, step.role, frames[at], frames[at + 1]));
    let saved =
        SavedTrace::of_steps("five steps".to_owned(), (app.0.as_str(), &Build::Faulty), frames[0], done);
    drop(phone);
    let again = table.time("five steps done again", || retrace(&saved, phones, &|| false).unwrap());
    let same = again.steps.iter().filter(|step| step.difference.is_empty()).count();
    table.row("screens as recorded", format!("{same} of {}", again.steps.len()));
}

/// A tap on another widget each time, then Back.
fn next_event(frame: &Frame, number: usize) -> Event {
    let layout = &frame.layout;
    let clickable: Vec<_> =
        layout.widgets().iter().filter(|widget| widget.flags.has(WidgetFlags::CLICKABLE)).collect();
    if number % 2 == 1 || clickable.is_empty() {
        return Event::Key(Key::Back);
    }
    let widget = clickable[number % clickable.len()];
    let selector = Selector {
        resource_id: widget.resource_id.as_deref().map(str::to_owned),
        class: Some(widget.class.to_string()),
        instance: Some(0),
        ..Selector::default()
    };
    Event::on(layout, selector, Gesture::Tap).unwrap_or(Event::Key(Key::Back))
}

fn campaign(server: &taproof_adb::host::AdbServer, serial: &str, app: &AppId, table: &mut Table) {
    let monkey = ENGINES.iter().find(|engine| engine.name == "monkey").unwrap();
    let plan = CampaignPlan {
        device: DeviceChoice::Adb(vec![serial.to_owned()]),
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(&app.0, (monkey.config)(), 200)
    };
    let mut heard = Heard(Vec::new());
    let mut phones = AdbPhones::at(server, serial);
    let start = Instant::now();
    let report = run(&plan, &plan.engines[0], &mut phones, &CancelToken::new(), &mut heard);
    let took: Duration = start.elapsed();
    assert!(matches!(report.end, EndReason::BudgetSpent | EndReason::Exhausted), "{:?}", report.end);
    let rate = report.stats.events as f64 / took.as_secs_f64();
    table.row("campaign", format!("{} events, {rate:.1} a second", report.stats.events));
    table.row("findings", heard.0.len().to_string());
}
