//! A phone through real adb: the same contract as in the process, the same campaign, and everything that can go wrong
//! on the way.

use std::io::{BufRead, BufReader};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use taproof_adb::{AdbPhone, AdbPhones, ControlMethod, put_settings_back};
use taproof_campaign::{
    CampaignPlan, CampaignReport, CampaignSink, CampaignWarning, DeviceChoice, EndReason, Finding, run,
};
use taproof_engine::agent::Announced;
use taproof_engine::device::{AppData, AppId, Build, Device, DeviceError, DeviceSource, Typeable};
use taproof_engine::worker::CancelToken;
use taproof_engine::{
    CampaignStats, EngineConfig, Limits, OdinConfig, PbfdroidConfig, RoundCtx, RoundDoor, RoundWatcher, Stop,
    TestTarget,
};
use taproof_phone::BundledPhones;
use taproof_screen::determinism::Rng;
use taproof_screen::format::write_hierarchy;
use taproof_screen::{
    AppHealth, Event, Gesture, Initialiser, Key, Layout, Resolved, Same, Selector, SystemEvent, Trace,
};
use taproof_served::{Helper, Latency, Like, Lock, agent, uiautomator2};
use taproof_spec::Spec;

use taproof_testing::device::adb::{CancelOnDrop, ServedPhone, files_plan, patience};
use taproof_testing::first::{FILES, folder_first, shows_folder};

const TICK: Duration = Duration::from_millis(20);

/// The phone itself, and the same phone through adb.
struct Both {
    inside: Box<dyn Device>,
    outside: AdbPhone,
    served: ServedPhone,
}

impl Both {
    fn new(build: &Build, by: ControlMethod) -> Option<Both> {
        let served = ServedPhone::with(FILES, build, Like::default(), Latency::Off)?;
        if by == ControlMethod::Uiautomator2 {
            uiautomator2::start(&served.served, uiautomator2::PORT).unwrap();
        }
        let inside = BundledPhones::new(FILES, build).fresh().unwrap();
        let outside = AdbPhone::open(&served.own.server, &served.serial, by, Arc::new(|| false)).unwrap();
        Some(Both { inside, outside, served })
    }

    fn each(&mut self, work: impl Fn(&mut dyn Device) -> Result<(), DeviceError>) {
        work(&mut *self.inside).unwrap();
        work(&mut self.outside).unwrap();
        self.compare();
    }

    /// Layout and health are the same; the clock may go another way.
    fn compare(&mut self) {
        let (inside, outside) = (self.inside.observe().unwrap(), self.outside.observe().unwrap());
        assert_eq!(inside.health, outside.health);
        if inside.layout != outside.layout {
            let lines = |layout: &Layout| write_hierarchy(layout).replace("><", ">\n<");
            let (inside, outside) = (lines(&inside.layout), lines(&outside.layout));
            let different = inside.lines().zip(outside.lines()).find(|(one, other)| one != other);
            panic!("{different:#?}, {} and {} lines", inside.lines().count(), outside.lines().count());
        }
    }

    fn tap(&mut self, selector: &Selector) {
        self.gesture(selector, &Gesture::Tap);
    }

    fn gesture(&mut self, selector: &Selector, gesture: &Gesture) {
        let layout = self.inside.observe().unwrap().layout;
        let event = Event::on(&layout, selector.clone(), gesture.clone()).unwrap();
        self.each(|device| device.perform(&event));
    }
}

fn text(text: &str) -> Selector {
    Selector { text: Some(text.to_owned()), ..Selector::default() }
}

fn described(text: &str) -> Selector {
    Selector { content_desc: Some(text.to_owned()), ..Selector::default() }
}

fn class(class: &str) -> Selector {
    Selector { class: Some(class.to_owned()), instance: Some(0), ..Selector::default() }
}

fn same_as_inside(by: ControlMethod) {
    let Some(mut both) = Both::new(&Build::Faulty, by) else { return };
    let app = AppId(FILES.to_owned());
    both.each(|device| device.launch(&app, AppData::Clear));
    both.tap(&text("Documents"));
    both.each(|device| device.perform(&Event::Key(Key::Back)));
    both.gesture(&text("Music"), &Gesture::LongPress);
    both.each(|device| device.perform(&Event::Key(Key::Back)));
    both.each(|device| device.perform(&Event::Rotate));
    both.gesture(&text("Documents"), &Gesture::Swipe(taproof_screen::Direction::Up));
    both.each(|device| device.perform(&Event::Rotate));
    both.tap(&described("Search"));
    both.gesture(&class("android.widget.EditText"), &Gesture::SetText("read me".to_owned()));
    both.each(|device| device.perform(&Event::Type("!x".to_owned())));
    both.each(|device| device.perform(&Event::Key(Key::Delete)));
    if by > ControlMethod::Shell {
        both.gesture(
            &class("android.widget.EditText"),
            &Gesture::SetText("Grüße \u{1f600} '; reboot".to_owned()),
        );
    }
    both.each(|device| device.perform(&Event::Key(Key::ImeAction)));
    both.each(|device| device.perform(&Event::Key(Key::Home)));
    assert!(matches!(both.outside.observe().unwrap().health, AppHealth::LeftApp(_)));
    both.each(|device| device.perform(&Event::Relaunch));
    both.each(|device| device.launch(&app, AppData::Keep));
    let (inside, outside) = (both.inside.screenshot().unwrap(), both.outside.screenshot().unwrap());
    assert_eq!(inside.size, outside.size);
    assert!(!both.served.served.lock().rebooted);
}

#[test]
fn the_phone_is_the_same_through_adb() {
    same_as_inside(ControlMethod::Shell);
}

#[test]
fn the_phone_is_the_same_through_the_uiautomator2_server() {
    same_as_inside(ControlMethod::Uiautomator2);
}

#[test]
fn the_phone_is_the_same_through_the_agent() {
    same_as_inside(ControlMethod::Agent);
}

#[test]
fn what_cannot_be_typed_is_refused_and_nothing_is_typed() {
    let Some(mut both) = Both::new(&Build::Sound, ControlMethod::Shell) else { return };
    let app = AppId(FILES.to_owned());
    both.each(|device| device.launch(&app, AppData::Clear));
    both.tap(&described("Search"));
    let before = both.outside.observe().unwrap().layout;
    let error = both.outside.perform(&Event::Type("Grüße".to_owned())).unwrap_err();
    assert!(matches!(error, DeviceError::CannotType { .. }), "{error}");
    assert!(error.to_string().contains("uiautomator2"), "{error}");
    assert_eq!(before, both.outside.observe().unwrap().layout);
}

/// Devices of a server that the test names: the environment is the same for all tests.
struct ServedSource {
    phones: AdbPhones,
}

impl DeviceSource for ServedSource {
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
        self.phones.fresh()
    }
    fn lost(&mut self, error: &DeviceError) -> bool {
        self.phones.lost(error)
    }
}

fn source(phone: &ServedPhone, by: ControlMethod) -> ServedSource {
    ServedSource { phones: AdbPhones::at(&phone.own.server, &phone.serial).controlled_by(by) }
}

#[derive(Default)]
struct Heard {
    findings: Vec<Arc<Finding>>,
    warnings: Vec<String>,
    lost: Arc<AtomicBool>,
    back: Arc<AtomicBool>,
}

impl CampaignSink for Heard {
    fn finding(&mut self, finding: Arc<Finding>) {
        taproof_campaign::keep_latest(&mut self.findings, finding);
    }
    fn warning(&mut self, warning: CampaignWarning) {
        match &warning {
            CampaignWarning::DeviceLost(_) => self.lost.store(true, Ordering::SeqCst),
            CampaignWarning::DeviceBack => self.back.store(true, Ordering::SeqCst),
            CampaignWarning::NotConfirmed { .. }
            | CampaignWarning::NoManifest(_)
            | CampaignWarning::NoCheckpoint(_)
            | CampaignWarning::Garbled(_)
            | CampaignWarning::DeviceProblem(_)
            | CampaignWarning::DeviceProblems { .. }
            | CampaignWarning::Opaque { .. }
            | CampaignWarning::Stagnant(_)
            | CampaignWarning::Rule(_)
            | CampaignWarning::Refused(_) => {}
        }
        self.warnings.push(warning.to_string());
    }
}

/// What was done, and where. Not how widgets are named: two files may have the same date or not, and the clock of a
/// phone that also confirms what was found goes on meanwhile.
fn events_of(trace: &Trace) -> Vec<String> {
    let done = |event: &Event| match event {
        Event::Widget { target, gesture } => format!("{gesture:?} at {:?}", target.at),
        other => format!("{other:?}"),
    };
    trace.steps().iter().map(|step| done(&step.event)).collect()
}

fn compare_findings(inside: &Heard, outside: &Heard) {
    let origins = |heard: &Heard| -> Vec<String> {
        heard.findings.iter().map(|finding| format!("{:?}", finding.origin)).collect()
    };
    assert!(!inside.findings.is_empty());
    assert_eq!(origins(inside), origins(outside));
    for (inside, outside) in inside.findings.iter().zip(&outside.findings) {
        let (one, other) = (events_of(&inside.witness.trace), events_of(&outside.witness.trace));
        let place = one.iter().zip(&other).position(|(one, other)| one != other);
        if let Some(place) = place {
            panic!("event {place}: {:#?} {:#?}", one[place], other[place]);
        }
        assert_eq!(one.len(), other.len());
        // A trace that is minimised further has other texts.
        let said = |finding: &Finding| -> Vec<String> {
            finding.violation.title.split('\'').step_by(2).map(str::to_owned).collect()
        };
        assert_eq!(said(inside), said(outside));
    }
}

#[test]
fn a_campaign_finds_the_same_through_adb() {
    finds_the_same(None, ControlMethod::Uiautomator2);
}

#[test]
fn a_campaign_finds_the_same_through_the_agent() {
    finds_the_same(None, ControlMethod::Agent);
}

#[test]
fn a_campaign_finds_the_same_through_adb_behind_first_steps() {
    finds_the_same(Some(folder_first()), ControlMethod::Uiautomator2);
}

fn finds_the_same(first: Option<Arc<Initialiser>>, by: ControlMethod) {
    let Some(phone) = ServedPhone::with(FILES, &Build::Faulty, Like::default(), Latency::Off) else { return };
    if by == ControlMethod::Uiautomator2 {
        uiautomator2::start(&phone.served, uiautomator2::PORT).unwrap();
    }
    let (mut inside, mut outside) = (Heard::default(), Heard::default());
    let cancel = CancelToken::new();
    let events = 350;
    // Nobody calls through adb.
    let quiet = PbfdroidConfig { interrupt_every: 0, ..PbfdroidConfig::default() };
    let plan_on = |device| CampaignPlan {
        initialiser: first.clone(),
        engines: vec![EngineConfig::Pbfdroid(quiet.clone())],
        ..files_plan(device, events)
    };
    let of_inside = plan_on(DeviceChoice::Bundled);
    let report = |plan: &CampaignPlan, source: &mut dyn DeviceSource, heard: &mut Heard| -> CampaignReport {
        run(plan, &plan.engines[0], source, &cancel, heard)
    };
    let one =
        report(&of_inside, &mut Uncounted(BundledPhones::new(&of_inside.app, &of_inside.build)), &mut inside);
    let of_outside = plan_on(DeviceChoice::Adb(vec![phone.serial.clone()]));
    let other = report(&of_outside, &mut source(&phone, by), &mut outside);
    assert_eq!(
        (one.end.clone(), one.stats.events),
        (other.end, other.stats.events),
        "{:?}",
        outside.warnings
    );
    compare_findings(&inside, &outside);
    let starts = outside.findings.iter().map(|finding| finding.minimal.trace.first());
    assert!(starts.clone().all(|start| shows_folder(&start.layout) == first.is_some()));
}

/// Bundled phones whose bugs cannot be switched off, as a real device's cannot.
struct Uncounted(BundledPhones);

impl DeviceSource for Uncounted {
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
        self.0.fresh()
    }
}

#[test]
fn settings_are_put_back_after_a_kill() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let get = |name: &str| phone.text(&["shell", "settings", "get", "global", name]).trim().to_owned();
    let names = ["window_animation_scale", "transition_animation_scale", "animator_duration_scale"];
    let before: Vec<String> = names.iter().map(|name| get(name)).collect();
    assert!(before.iter().all(|scale| scale != "0"), "{before:?}");
    // A program that is killed says nothing more.
    drop(
        AdbPhone::open(&phone.own.server, &phone.serial, ControlMethod::Uiautomator2, Arc::new(|| false))
            .unwrap(),
    );
    assert_eq!(get(names[0]), "0");
    let (link, never) = (phone.link(), || false);
    let alive = |pid: u32| pid == std::process::id();
    assert_eq!(put_settings_back(&link, None, &alive, &never), Ok(false), "its owner lives");
    assert_eq!(put_settings_back(&link, None, &|_| false, &never), Ok(true));
    assert_eq!(names.iter().map(|name| get(name)).collect::<Vec<_>>(), before);
    assert_eq!(put_settings_back(&link, None, &|_| false, &never), Ok(false), "once");
}

#[test]
fn a_device_that_goes_away_and_comes_back_loses_nothing() {
    let Some(mut phone) = ServedPhone::with(FILES, &Build::Faulty, Like::default(), Latency::Off) else {
        return;
    };
    let plan = files_plan(DeviceChoice::Adb(vec![phone.serial.clone()]), 400);
    let cancel = CancelToken::new();
    let mut heard = Heard::default();
    let (lost, back) = (Arc::clone(&heard.lost), Arc::clone(&heard.back));
    let mut devices = source(&phone, ControlMethod::Uiautomator2);
    let ended = Arc::new(AtomicBool::new(false));
    let over = Arc::clone(&ended);
    std::thread::scope(|scope| {
        let _stop = CancelOnDrop(&cancel);
        let campaign = scope.spawn(|| {
            let report = run(&plan, &plan.engines[0], &mut devices, &cancel, &mut heard);
            over.store(true, Ordering::SeqCst);
            report
        });
        let wait_for = |flag: &AtomicBool, what: &str| {
            let limit = patience();
            while !flag.load(Ordering::SeqCst) && !ended.load(Ordering::SeqCst) {
                let reported = limit.pause(TICK, what);
                assert!(reported.is_ok(), "the campaign does not report that the device is {what}");
            }
        };
        patience().pause(10 * TICK, "events before the first loss").unwrap();
        for round in 0..3 {
            if ended.load(Ordering::SeqCst) {
                break;
            }
            lost.store(false, Ordering::SeqCst);
            back.store(false, Ordering::SeqCst);
            if round == 1 {
                phone.own.kill()
            } else {
                phone.unplug()
            }
            wait_for(&lost, "lost");
            if round == 1 {
                phone.own.start_again()
            } else {
                phone.plug()
            }
            wait_for(&back, "back");
        }
        let report = campaign.join().unwrap();
        assert_eq!(report.end, EndReason::BudgetSpent);
    });
    assert!(
        heard.warnings.iter().any(|warning| warning.contains("waits until it is back")),
        "{:?}",
        heard.warnings
    );
    assert!(!heard.findings.is_empty());
}

/// Texts that would run on a device whose shell reads them, and that break what does not expect them.
const HOSTILE: [&str; 7] = [
    "'; reboot; '",
    "$(reboot)",
    "`reboot`",
    "100%s %d \\ \" | & > <",
    "a\nreboot\n",
    "\u{1f600} \u{2764}",
    "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
];

/// Types each text into the search field of Files; what the field shows then, or why it was refused.
fn typed(phone: &ServedPhone, text: &str, by: ControlMethod) -> Result<String, String> {
    let mut device = AdbPhone::open(&phone.own.server, &phone.serial, by, Arc::new(|| false)).unwrap();
    device.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    let tap = |device: &mut AdbPhone, selector: &Selector, gesture: &Gesture| {
        let layout = device.observe().unwrap().layout;
        let event = Event::on(&layout, selector.clone(), gesture.clone()).unwrap();
        device.perform(&event)
    };
    tap(&mut device, &described("Search"), &Gesture::Tap).unwrap();
    let field = class("android.widget.EditText");
    let set = tap(&mut device, &field, &Gesture::SetText(text.to_owned()));
    let shown = |device: &mut AdbPhone| {
        let layout = device.observe().unwrap().layout;
        layout
            .widgets()
            .iter()
            .find(|widget| &*widget.class == "android.widget.EditText")
            .unwrap()
            .text
            .to_string()
    };
    match set {
        Ok(()) => Ok(shown(&mut device)),
        Err(error) => {
            assert_eq!(shown(&mut device), "", "refused, so nothing was typed");
            Err(error.to_string())
        }
    }
}

#[test]
fn hostile_text_arrives_letter_for_letter_or_is_refused() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    for text in HOSTILE {
        let ascii = text.chars().all(|char| matches!(char, ' '..='~'));
        match typed(&phone, text, ControlMethod::Uiautomator2) {
            Ok(shown) => assert!(ascii && shown == text, "input text: {text:?} became {shown:?}"),
            Err(why) => assert!(!ascii && why.contains("no key for"), "{text:?}: {why}"),
        }
    }
    let keyboard = Some("com.android.adbkeyboard/.AdbIME".to_owned());
    phone
        .served
        .lock()
        .helpers
        .insert("com.android.adbkeyboard".to_owned(), Helper { service: None, keyboard });
    let keyboards = || phone.text(&["shell", "ime list -s; settings get secure default_input_method"]);
    let before = keyboards();
    for text in HOSTILE {
        match typed(&phone, text, ControlMethod::Uiautomator2) {
            Ok(shown) => assert_eq!(shown, text, "by the helper keyboard"),
            Err(why) => assert!(text.contains('\n') && why.contains("line break"), "{text:?}: {why}"),
        }
    }
    assert_eq!(keyboards().matches("com.android.adbkeyboard").count(), 2, "enabled and chosen");
    assert_eq!(put_settings_back(&phone.link(), None, &|_| false, &|| false), Ok(true));
    assert_eq!(keyboards(), before);
    for text in HOSTILE {
        let held = text.replace('\n', "");
        assert_eq!(typed(&phone, text, ControlMethod::Agent).unwrap(), held, "by the agent");
    }
    uiautomator2::start(&phone.served, uiautomator2::PORT).unwrap();
    for text in HOSTILE {
        // The field has one line: Android, too, keeps no line break in it.
        let held = text.replace('\n', "");
        assert_eq!(
            typed(&phone, text, ControlMethod::Uiautomator2).unwrap(),
            held,
            "by the uiautomator2 server"
        );
    }
    assert!(!phone.served.lock().rebooted, "something ran");
}

/// A campaign by the program itself, on a phone whose settings can be looked at from outside.
struct Running<'p> {
    phone: &'p ServedPhone,
    child: std::process::Child,
    _folder: tempfile::TempDir,
    before: String,
}

impl Running<'_> {
    fn taproof(phone: &ServedPhone, words: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(taproof_testing::program::path());
        command.args(words).env("ANDROID_ADB_SERVER_PORT", phone.own.port());
        command.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
        command
    }

    fn scale(phone: &ServedPhone) -> String {
        let name = ("global".to_owned(), "window_animation_scale".to_owned());
        phone.served.lock().settings.get(&name.0, &name.1).unwrap_or_default().to_owned()
    }

    /// Starts the campaign and waits until it has changed the settings.
    fn until_changed<'p>(phone: &'p ServedPhone, words: &[&str]) -> Running<'p> {
        let before = Running::scale(phone);
        let folder = tempfile::tempdir().unwrap();
        let workspace = folder.path().display().to_string();
        let fuzz =
            ["fuzz", "--device", &phone.serial, "--package", FILES, "--engine", "monkey", "--clear-data"];
        let more = ["--events", "10000000", "--workspace", &workspace];
        let child = Running::taproof(phone, &[&fuzz[..], &more, words].concat())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let changed = (0..3000).any(|_| {
            assert!(crossbeam_channel::never::<()>().recv_timeout(TICK).is_err());
            Running::scale(phone) == "0"
        });
        assert!(changed && before != "0", "{before}");
        Running { phone, child, _folder: folder, before }
    }

    fn come_back(&self) {
        let said = Running::taproof(self.phone, &["devices"]).output().unwrap();
        assert!(String::from_utf8_lossy(&said.stderr).contains("are put back"), "{said:?}");
        assert_eq!(Running::scale(self.phone), self.before);
    }
}

#[test]
fn settings_come_back_when_the_program_is_killed() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let mut running = Running::until_changed(&phone, &[]);
    // While it runs, another one leaves its device alone.
    assert!(Running::taproof(&phone, &["devices"]).output().unwrap().status.success());
    assert_eq!(Running::scale(&phone), "0");
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    running.come_back();
}

/// On a phone that takes seconds to restore.
#[test]
#[cfg(unix)]
fn the_program_ends_at_once_when_it_is_asked_to_twice() {
    let slow = (Like::default(), Latency::Emulator);
    let Some(phone) = ServedPhone::starting_in(FILES, slow, Duration::from_secs(2)) else { return };
    let mut running = Running::until_changed(&phone, &["--control", "shell"]);
    let pid = running.child.id().to_string();
    let ask = || assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let mut lines = BufReader::new(running.child.stderr.take().unwrap()).lines();
    ask();
    assert!(lines.any(|line| line.unwrap().contains("Ctrl-C again ends at once")));
    ask();
    assert_eq!(running.child.wait().unwrap().code(), Some(3));
    assert_eq!(Running::scale(&phone), "0", "nothing was waited for");
    running.come_back();
}

#[test]
fn who_leaves_first_puts_nothing_back() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let get = |name: &str| phone.text(&["shell", "settings", "get", "global", name]).trim().to_owned();
    let before = get("window_animation_scale");
    let open = || {
        AdbPhone::open(&phone.own.server, &phone.serial, ControlMethod::Uiautomator2, Arc::new(|| false))
            .unwrap()
    };
    let window = open().alone();
    let mut campaign = source(&phone, ControlMethod::Uiautomator2);
    let mut device = campaign.fresh().unwrap();
    drop(window);
    assert_eq!(get("window_animation_scale"), "0", "the campaign still runs");
    device.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    device.perform(&Event::System(SystemEvent::DarkMode)).unwrap();
    device.perform(&Event::System(SystemEvent::NetworkOff)).unwrap();
    assert!(phone.served.lock().around.dark && !phone.served.lock().around.network);
    drop(device);
    drop(campaign);
    assert_eq!(get("window_animation_scale"), before);
    assert!(!phone.served.lock().around.dark && phone.served.lock().around.network);
}

/// Hears of events that the device refused.
#[derive(Default)]
struct Refusals(Vec<String>);

impl RoundWatcher for Refusals {
    fn refused(&mut self, error: &DeviceError) {
        self.0.push(error.to_string());
    }
}

#[test]
fn an_engine_types_what_the_device_can() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let texts = ["Grüße", "日本語", "two\nlines"].map(str::to_owned).to_vec();
    let config = EngineConfig::Odin(OdinConfig { texts: texts.clone(), ..OdinConfig::default() });
    let target = TestTarget::new(FILES, &Spec::default(), false);
    let mut engine = config.settings().build(&target);
    let mut device =
        AdbPhone::open(&phone.own.server, &phone.serial, ControlMethod::Uiautomator2, Arc::new(|| false))
            .unwrap();
    let mut stats = CampaignStats::new(
        &target,
        Limits { events: 400, device_time: taproof_screen::DeviceDuration(u64::MAX) },
    );
    let (mut refusals, mut typed, rng) = (Refusals::default(), Vec::new(), Rng::from_seed(1));
    for round in 0.. {
        let door = RoundDoor {
            device: &mut device,
            target: &target,
            stats: &mut stats,
            watcher: &mut refusals,
            cancelled: &|| false,
        };
        let mut ctx = RoundCtx::new(door, rng.fork_indexed("round", round)).unwrap().keeping_all();
        let ended = engine.round(&mut ctx) == Err(Stop::BudgetSpent);
        for test in ctx.finish() {
            typed.extend(test.trace.steps().iter().filter_map(|step| match &step.event {
                Event::Widget { gesture: Gesture::SetText(text), .. } => Some(text.clone()),
                _ => None,
            }));
        }
        if ended {
            break;
        }
    }
    assert_eq!(refusals.0, Vec::<String>::new());
    let fitting: Vec<String> = texts.iter().map(|text| Typeable::Keys.fit(text)).collect();
    assert!(!typed.is_empty() && typed.iter().all(|text| fitting.contains(text)), "{typed:?}");
}

/// Nobody calls through adb: exploring goes on without it, and it is said once.
#[test]
fn an_interruption_that_a_device_does_not_know_ends_no_test() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let explored = PbfdroidConfig { blanks: 100_000, interrupt_every: 2, ..PbfdroidConfig::default() };
    let plan = CampaignPlan {
        engines: vec![EngineConfig::Pbfdroid(explored)],
        ..files_plan(DeviceChoice::Adb(vec![phone.serial.clone()]), 60)
    };
    let mut heard = Heard::default();
    let report = run(
        &plan,
        &plan.engines[0],
        &mut source(&phone, ControlMethod::Uiautomator2),
        &CancelToken::new(),
        &mut heard,
    );
    assert_eq!((report.end, report.stats.tests), (EndReason::BudgetSpent, 1));
    let told = &heard.warnings;
    assert!(told.len() == 1 && told[0].contains("cannot let somebody call"), "{told:?}");
}

/// Ends the server of the device after some events.
struct EndsServer {
    served: Arc<taproof_served::Served>,
    stop: fn(&taproof_served::Served),
    warnings: Vec<String>,
}

impl CampaignSink for EndsServer {
    fn finding(&mut self, _finding: Arc<Finding>) {}
    fn progress(&mut self, stats: &taproof_engine::CampaignStats) {
        if stats.events > 50 {
            (self.stop)(&self.served);
        }
    }
    fn warning(&mut self, warning: CampaignWarning) {
        self.warnings.push(warning.to_string());
    }
}

/// Runs a campaign whose server on the device ends once, by this function.
fn goes_on_when_ended(phone: &ServedPhone, by: ControlMethod, stop: fn(&taproof_served::Served)) {
    let plan = files_plan(DeviceChoice::Adb(vec![phone.serial.clone()]), 300);
    let mut sink = EndsServer { served: Arc::clone(&phone.served), stop, warnings: Vec::new() };
    let mut source = source(phone, by);
    let report = run(&plan, &plan.engines[0], &mut source, &CancelToken::new(), &mut sink);
    assert_eq!(report.end, EndReason::BudgetSpent, "{:?}", sink.warnings);
    assert!(sink.warnings.iter().any(|warning| warning.contains("is back")), "{:?}", sink.warnings);
}

#[test]
fn a_campaign_goes_on_without_the_server_that_ended() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    uiautomator2::start(&phone.served, uiautomator2::PORT).unwrap();
    goes_on_when_ended(&phone, ControlMethod::Uiautomator2, uiautomator2::stop);
}

#[test]
fn a_campaign_starts_the_agent_again() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    goes_on_when_ended(&phone, ControlMethod::Agent, agent::stop);
    assert_eq!(phone.served.lock().programs.all(), [], "it ends with the campaign");
    assert_eq!(phone.text(&["shell", "ls /data/local/tmp"]), "", "nothing is left on the device");
}

#[test]
fn a_toast_can_be_named_by_a_condition() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let mut device =
        AdbPhone::open(&phone.own.server, &phone.serial, ControlMethod::Agent, Arc::new(|| false)).unwrap();
    device.launch(&AppId(FILES.to_owned()), AppData::Keep).unwrap();
    let before = device.observe().unwrap().layout;
    let (package, text) = (FILES.to_owned(), "Copied".to_owned());
    phone.served.lock().announced.push(Announced { toast: true, package, text });
    device.look_again().unwrap();
    let toast = Selector { text: Some("Copied".to_owned()), ..class("android.widget.Toast") };
    let after = device.observe().unwrap().layout;
    assert!(matches!(toast.resolve(&after), Resolved::One(_)));
    assert_eq!(before.key(Same::Structure), after.key(Same::Structure), "it is the same page");
    device.look_again().unwrap();
    assert_eq!(device.observe().unwrap().layout, before, "it is reported once");
}

#[test]
fn without_the_agent_the_next_method_is_used_and_the_reason_given() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let told = || {
        let mut phones = AdbPhones::at(&phone.own.server, &phone.serial);
        let told: Vec<String> =
            phones.fresh().unwrap().take_warnings().iter().map(ToString::to_string).collect();
        assert!(phones.fresh().unwrap().take_warnings().is_empty(), "it is said once");
        told.join("\n")
    };
    let says = |told: &str, method: &str, why: &str| {
        assert!(told.contains(&format!("controlled by {method}")) && told.contains(why), "{told}");
    };
    assert_eq!(told(), "", "the agent is used");
    uiautomator2::start(&phone.served, uiautomator2::PORT).unwrap();
    says(&told(), "the uiautomator2 server", "somebody runs the uiautomator2 server");
    uiautomator2::stop(&phone.served);
    uiautomator2::start(&phone.served, 9009).unwrap();
    let holder = phone.served.lock().programs.holder().unwrap().pid;
    let probably = format!("controls the screen, probably process {holder} (com.wetest.uia2.Main)");
    says(&told(), "shell commands", &probably);
    phone.text(&["shell", "kill", &holder.to_string()]);
    phone.served.lock().faults.forbids.programs = true;
    let told = told();
    says(&told, "shell commands", "the agent does not start");
    says(&told, "shell commands", "Permission denied");
}

/// The events that change a setting of the system, each with what a client can ask about it.
const SWITCHES: [(SystemEvent, &str); 8] = [
    (SystemEvent::FontScale, "settings get system font_scale"),
    (SystemEvent::DisplaySize, "wm density"),
    (SystemEvent::HourFormat, "settings get system time_12_24"),
    (SystemEvent::TimeZone, "getprop persist.sys.timezone"),
    (SystemEvent::Location, "settings get secure location_mode"),
    (SystemEvent::AirplaneMode, "settings get global airplane_mode_on"),
    (SystemEvent::DoNotDisturb, "settings get global zen_mode"),
    (SystemEvent::LowStorage, "dumpsys devicestoragemonitor"),
];

fn answers_of(phone: &ServedPhone) -> Vec<String> {
    SWITCHES.iter().map(|(_, question)| phone.text(&["shell", question])).collect()
}

fn switched(phone: &ServedPhone) -> Vec<SystemEvent> {
    phone.served.lock().around.switched.iter().copied().collect()
}

#[test]
fn a_setting_is_switched_and_switched_back_and_put_back_at_the_end() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let before = answers_of(&phone);
    let mut campaign = source(&phone, ControlMethod::Agent);
    let mut device = campaign.fresh().unwrap();
    device.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    for (what, question) in SWITCHES {
        let was = phone.text(&["shell", question]);
        device.perform(&Event::System(what)).unwrap();
        assert_eq!(switched(&phone), [what]);
        assert_ne!(phone.text(&["shell", question]), was, "{what:?}");
        device.perform(&Event::System(what)).unwrap();
        assert_eq!(switched(&phone), [], "{what:?}");
        assert_eq!(phone.text(&["shell", question]), was, "{what:?}");
    }
    for (what, _) in SWITCHES {
        device.perform(&Event::System(what)).unwrap();
    }
    assert_eq!(switched(&phone).len(), SWITCHES.len());
    drop(device);
    drop(campaign);
    assert_eq!(switched(&phone), []);
    assert_eq!(answers_of(&phone), before);
}

#[test]
fn a_user_s_own_settings_are_what_is_put_back() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    for line in ["wm density 420", "cmd notification set_dnd alarms", "settings put system font_scale 1.15"] {
        phone.text(&["shell", line]);
    }
    let before = answers_of(&phone);
    let mut campaign = source(&phone, ControlMethod::Agent);
    let mut device = campaign.fresh().unwrap();
    device.launch(&AppId(FILES.to_owned()), AppData::Keep).unwrap();
    for what in [SystemEvent::DisplaySize, SystemEvent::DoNotDisturb, SystemEvent::FontScale] {
        device.perform(&Event::System(what)).unwrap();
    }
    assert_ne!(answers_of(&phone), before);
    drop(device);
    drop(campaign);
    assert_eq!(answers_of(&phone), before);
}

#[test]
fn what_a_killed_program_had_switched_comes_back() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let mut running = Running::until_changed(&phone, &[]);
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    // As it would have been killed in the middle of detours.
    let notes = [
        "1.0 font_scale",
        "reset display-size",
        "24 time_12_24",
        "GMT time-zone",
        "3 location_mode",
        "disable airplane-mode",
        "off do-not-disturb",
        "reset low-storage",
    ]
    .map(|was| format!("echo was ={was} >>/data/local/tmp/taproof-journal"));
    phone.text(&["shell", &notes.join("; ")]);
    let before = answers_of(&phone);
    let changes = "settings put system font_scale 1.30; wm density 540; settings put system time_12_24 12; \
                   cmd alarm set-timezone Asia/Tokyo; settings put secure location_mode 0; cmd connectivity \
                   airplane-mode enable; cmd notification set_dnd priority; cmd devicestoragemonitor force-low -f";
    phone.text(&["shell", changes]);
    assert_eq!(switched(&phone).len(), SWITCHES.len());
    running.come_back();
    assert_eq!(switched(&phone), []);
    assert_eq!(answers_of(&phone), before);
}

/// Android 4.4 has no command for these.
#[test]
fn what_a_device_does_not_take_on_is_refused_and_said() {
    let Some(phone) = ServedPhone::with(FILES, &Build::Faulty, Like::Android44, Latency::Off) else { return };
    let before = answers_of(&phone);
    let open = AdbPhone::open(&phone.own.server, &phone.serial, ControlMethod::Shell, Arc::new(|| false));
    let mut device = open.unwrap();
    device.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    for (what, said) in [
        (SystemEvent::TimeZone, "cannot change its time zone"),
        (SystemEvent::AirplaneMode, "cannot switch airplane mode"),
        (SystemEvent::DoNotDisturb, "cannot switch do not disturb"),
        (SystemEvent::LowStorage, "cannot be made to report a low storage"),
        (SystemEvent::Notifications, "cannot pull its notifications down"),
    ] {
        let error = device.perform(&Event::System(what)).unwrap_err();
        assert!(matches!(error, DeviceError::Unsupported { .. }), "{what:?}: {error}");
        assert!(error.to_string().contains(said), "{what:?}: {error}");
    }
    assert_eq!(answers_of(&phone), before);
    for what in [SystemEvent::HourFormat, SystemEvent::DisplaySize, SystemEvent::Location] {
        device.perform(&Event::System(what)).unwrap();
        assert_eq!(switched(&phone), [what]);
        device.perform(&Event::System(what)).unwrap();
    }
    assert_eq!(answers_of(&phone), before);
}

#[test]
fn the_screen_goes_off_and_on_and_the_notifications_come_and_go() {
    for method in [ControlMethod::Agent, ControlMethod::Shell] {
        let Some(phone) = ServedPhone::new(FILES) else { return };
        let mut campaign = source(&phone, method);
        let mut device = campaign.fresh().unwrap();
        device.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
        let there = device.observe().unwrap();
        device.perform(&Event::System(SystemEvent::ScreenOff)).unwrap();
        assert!(phone.served.lock().awake);
        let back = device.observe().unwrap();
        assert_eq!((&back.layout, &back.health), (&there.layout, &there.health));
        device.perform(&Event::System(SystemEvent::Notifications)).unwrap();
        let notifications = device.observe().unwrap();
        assert_eq!(&*notifications.layout.widgets()[0].package, "com.android.systemui");
        device.perform(&Event::Key(Key::Back)).unwrap();
        assert_eq!(device.observe().unwrap().layout, there.layout);
    }
}

#[test]
fn a_phone_whose_lock_screen_needs_a_code_is_not_switched_off() {
    for method in [ControlMethod::Agent, ControlMethod::Shell] {
        let Some(phone) = ServedPhone::new(FILES) else { return };
        let mut campaign = source(&phone, method);
        let mut device = campaign.fresh().unwrap();
        device.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
        phone.served.lock().faults.lock = Lock::Secret;
        let error = device.perform(&Event::System(SystemEvent::ScreenOff)).unwrap_err();
        assert!(error.to_string().contains("its lock screen needs a code"), "{error}");
        assert!(phone.served.lock().awake);
    }
}
