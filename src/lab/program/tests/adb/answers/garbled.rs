//! A bad line between a campaign and its device: what comes garbled, cut or late neither ends the campaign nor makes it find
//! another bug, and is counted.

use std::sync::Arc;
use std::time::Duration;

use taproof_adb::host::AdbServer;
use taproof_adb::{AdbPhone, AdbPhones, ControlMethod};
use taproof_campaign::{
    CampaignPlan, CampaignReport, CampaignSink, CampaignWarning, DeviceChoice, EndReason, Finding, run,
};
use taproof_engine::device::{AppData, AppId, Build, Device};
use taproof_engine::worker::CancelToken;
use taproof_screen::{Event, Gesture, Selector, TouchTarget};
use taproof_served::{Latency, Like, uiautomator2};

use taproof_testing::device::adb::{ServedPhone, bugs_behind, files_plan, find};
use taproof_testing::device::proxy::{Harm, Noise, Proxy};

const FILES: &str = "org.taproof.files";
/// For long runs by hand: events, and one answer in how many is harmed.
const EVENTS: &str = "TAPROOF_GARBLED_EVENTS";
const ONE_IN: &str = "TAPROOF_GARBLED_ONE_IN";
const SEEDS: &str = "TAPROOF_GARBLED_SEEDS";
const LATE: Duration = Duration::from_millis(50);

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

#[derive(Default)]
struct Heard {
    findings: Vec<Arc<Finding>>,
    warnings: Vec<CampaignWarning>,
}

impl CampaignSink for Heard {
    fn finding(&mut self, finding: Arc<Finding>) {
        taproof_campaign::keep_latest(&mut self.findings, finding);
    }
    fn warning(&mut self, warning: CampaignWarning) {
        self.warnings.push(warning);
    }
}

fn campaign(
    plan: &CampaignPlan,
    server: &AdbServer,
    serial: &str,
    by: ControlMethod,
) -> (CampaignReport, Heard) {
    let mut heard = Heard::default();
    let mut phones = AdbPhones::at(server, serial).controlled_by(by);
    let report = run(plan, &plan.engines[0], &mut phones, &CancelToken::new(), &mut heard);
    (report, heard)
}

/// A campaign through such a line, controlled in this way. What is told is only what the
/// campaign finds on a good line, too.
fn through(
    noise: &Noise,
    seed: u64,
    by: ControlMethod,
    events: u64,
) -> Option<(CampaignReport, Heard, Proxy)> {
    let phone = ServedPhone::with(FILES, &Build::Faulty, Like::default(), Latency::Off)?;
    if by == ControlMethod::Uiautomator2 {
        uiautomator2::start(&phone.served, uiautomator2::PORT).unwrap();
    }
    let plan = files_plan(DeviceChoice::Adb(vec![phone.serial.clone()]), events);
    let proxy = Proxy::to(&phone.own.server, noise.clone(), seed);
    let (report, heard) = campaign(&plan, &proxy.server, &phone.serial, by);
    let bugs = bugs_behind(&plan, heard.findings.iter().map(|finding| &**finding));
    let confirmed = heard.findings.iter().filter(|finding| finding.confirmation.counts().0 > 0).count();
    println!(
        "{noise:?}, seed {seed}, {}: {:?}; {} events in {} tests; {:?}, {} counted as garbled; \
         {} findings, {confirmed} confirmed, {} bugs: {bugs:?}; {} warnings",
        by.word(),
        report.end,
        report.stats.events,
        report.stats.tests,
        proxy.harmed,
        report.stats.garbled,
        heard.findings.len(),
        bugs.len(),
        heard.warnings.len(),
    );
    let mut told: Vec<String> =
        heard.findings.iter().map(|finding| format!("{:?}", finding.origin)).collect();
    told.sort();
    println!("{}", told.join("\n"));
    Some((report, heard, proxy))
}

fn ends_by_its_budget(harms: &[Harm], by: ControlMethod) {
    let events = number(EVENTS, 200) as u64;
    let noise = Noise::Answers(number(ONE_IN, 40), harms.to_vec());
    for seed in 0..number(SEEDS, 1) as u64 {
        let Some((report, heard, proxy)) = through(&noise, seed, by, events) else { return };
        assert_eq!(report.end, EndReason::BudgetSpent, "{:?}", heard.warnings);
        assert!(proxy.harmed.all() > 0);
        counted_and_said_once(&report, &heard, &proxy);
    }
}

/// A corrupted length may look like a cut, and a cut answer like a corrupted one; a corrupted layout of the uiautomator2
/// server, which is always asked for twice, looks like another screen.
fn counted_and_said_once(report: &CampaignReport, heard: &Heard, proxy: &Proxy) {
    let said = heard.warnings.iter().filter(|warning| matches!(warning, CampaignWarning::Garbled(_))).count();
    assert_eq!(said, usize::from(report.stats.garbled > 0), "{:?}", heard.warnings);
    assert!(report.stats.garbled <= proxy.harmed.all(), "{} of {:?}", report.stats.garbled, proxy.harmed);
    assert!(
        report.stats.garbled >= proxy.harmed.corrupted() / 3,
        "{} of {:?}",
        report.stats.garbled,
        proxy.harmed
    );
}

#[test]
fn corrupted_answers_end_no_campaign() {
    ends_by_its_budget(&[Harm::Corrupted], ControlMethod::Shell);
}

#[test]
fn corrupted_answers_end_no_campaign_by_the_uiautomator2_server() {
    ends_by_its_budget(&[Harm::Corrupted], ControlMethod::Uiautomator2);
}

/// The agent's answers all come on one stream, so that bytes are corrupted instead of answers.
#[test]
fn corrupted_bytes_end_no_campaign_by_the_agent() {
    let noise = Noise::Bytes(100_000);
    for seed in 0..number(SEEDS, 1) as u64 {
        let events = number(EVENTS, 200) as u64;
        let Some((report, heard, proxy)) = through(&noise, seed, ControlMethod::Agent, events) else {
            return;
        };
        assert_eq!(report.end, EndReason::BudgetSpent, "{:?}", heard.warnings);
        assert!(proxy.harmed.all() > 0 && report.stats.garbled > 0, "{:?}", proxy.harmed);
    }
}

#[test]
fn cut_answers_end_no_campaign() {
    ends_by_its_budget(&[Harm::Cut], ControlMethod::Shell);
}

#[test]
fn late_answers_end_no_campaign() {
    ends_by_its_budget(&[Harm::Delayed(LATE)], ControlMethod::Shell);
}

#[test]
fn harm_of_all_kinds_ends_no_campaign() {
    for by in [ControlMethod::Shell, ControlMethod::Uiautomator2] {
        ends_by_its_budget(&[Harm::Corrupted, Harm::Cut, Harm::Delayed(LATE)], by);
    }
}

#[test]
fn one_corrupted_byte_in_ten_thousand_ends_no_campaign() {
    let noise = Noise::Bytes(10_000);
    for seed in 0..number(SEEDS, 1) as u64 {
        let Some((report, heard, proxy)) =
            through(&noise, seed, ControlMethod::Shell, number(EVENTS, 100) as u64)
        else {
            return;
        };
        assert_eq!(report.end, EndReason::BudgetSpent, "{:?}", heard.warnings);
        counted_and_said_once(&report, &heard, &proxy);
    }
}

#[test]
fn a_line_that_garbles_everything_ends_the_campaign_as_failed() {
    let Some((report, heard, proxy)) =
        through(&Noise::Answers(1, vec![Harm::Corrupted]), 0, ControlMethod::Shell, 100)
    else {
        return;
    };
    let EndReason::DeviceFailed(_) = &report.end else { panic!("{:?}", report.end) };
    assert_eq!(report.stats.events, 0);
    counted_and_said_once(&report, &heard, &proxy);
}

#[test]
fn no_event_is_done_twice() {
    let Some(phone) = ServedPhone::with(FILES, &Build::Sound, Like::default(), Latency::Off) else { return };
    let open = |server: &AdbServer| {
        AdbPhone::open(server, &phone.serial, ControlMethod::Uiautomator2, Arc::new(|| false))
    };
    let mut near = open(&phone.own.server).unwrap();
    near.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    let layout = near.observe().unwrap().layout;
    let at = find(&layout, "Search").center();
    let target = TouchTarget { selector: Selector::default(), at, screen: layout.screen() };
    near.perform(&Event::Widget { target, gesture: Gesture::Tap }).unwrap();

    let proxy = Proxy::to(&phone.own.server, Noise::Answers(3, vec![Harm::Corrupted]), 1);
    let mut far = (0..100).find_map(|_| open(&proxy.server).ok()).unwrap();
    let done = (0..40).filter(|_| far.perform(&Event::Type("x".to_owned())).is_ok()).count();
    near.look_again().unwrap();
    let layout = near.observe().unwrap().layout;
    let typed = layout.widgets().iter().find(|widget| widget.is_focused_field()).unwrap().text.len();
    println!("{done} of 40 letters were seen, {typed} typed; {:?}", proxy.harmed);
    assert!(done > 20 && done <= typed && typed <= 40, "{done} of 40 letters were seen, {typed} typed");
}
