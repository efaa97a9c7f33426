//! The report of a device has no personal data, and can be served: what is checked of it then comes out the same.

use std::process::{Command, Output};
use std::sync::Arc;

use taproof_adb::report::{DeviceReport, report_device};
use taproof_adb::{CheckAnswer, Checked, ControlMethod, Fitness, check_device};
use taproof_engine::device::Build;
use taproof_engine::worker::Unwanted;
use taproof_served::{Buffer, Helper, Latency, Level, Like};
use taproof_testing::device::adb::ServedPhone;

#[path = "../../replayed.rs"]
mod replayed;

use replayed::{Replayed, ReplayedServices};

const FILES: &str = "org.taproof.files";

/// Properties of a device and its owner.
const PROPERTIES: [(&str, &str); 8] = [
    ("ro.serialno", "R58MARTA7QX"),
    ("ro.boot.serialno", "R58BOOT9ZZ"),
    ("net.hostname", "galaxy-of-marta"),
    ("gsm.sim.operator.alpha", "Telefonwerk"),
    ("gsm.imei", "356938035643809"),
    ("persist.sys.device_name", "Lindqvists Handy"),
    ("wlan.driver.ssid", "FRITZBox Lindqvist"),
    ("ro.product.owner", "mlindqvist"),
];
const SETTINGS: [(&str, &str, &str); 7] = [
    ("global", "device_name", "Martas Telefon"),
    ("secure", "bluetooth_name", "MartaBuds"),
    ("secure", "android_id", "9f8e7d6c5b4a3921"),
    ("secure", "bluetooth_address", "AC:37:43:9D:11:5E"),
    ("system", "alarm_alert", "Wiegenlied.ogg"),
    ("global", "wifi_ssid", "Nachbarschaftsnetz"),
    ("secure", "lock_screen_owner_info", "Finderlohn Lindenweg"),
];
const FILE_NAMES: [&str; 9] = [
    "Steuererklaerung.pdf",
    "Kuendigung.doc",
    "Befund-Radiologie.txt",
    "Oma_Geburtstag.mp4",
    "Gehaltszettel.xls",
    "Liebesbrief.txt",
    "пароли.txt",
    "家族写真.jpg",
    "Vertrag4711.pdf",
];
const PACKAGES: [&str; 6] = [
    "de.sparkassenbank.phone",
    "com.heartfinder.dating",
    "org.glucose.diary",
    "io.cryptovault.wallet",
    "net.parteizeitung.reader",
    "com.androidfan.martas",
];
/// What `dumpsys` prints of windows, accounts, contacts, notifications, networks and people on some devices.
const DUMPED: [(&str, &str); 14] = [
    ("  Window #9 Window{1a2b3c u0 *}:", "Chat mit Hannelore"),
    ("    mOwnerName=*", "Lindqvist"),
    ("  Account {name=*, type=com.google}", "marta.lindqvist@example.org"),
    ("  Account {name=*, type=com.whatsapp}", "+49 151 23456789"),
    ("  Row: 0 display_name=*, data1=", "Dr. Habermann"),
    ("  Row: 1 number=*", "0301234567"),
    ("  android.title=String (*)", "Deine Ueberweisung"),
    ("  android.text=String (*)", "TAN 884-213"),
    ("  mWifiInfo SSID: *, BSSID: 02:00", "WLAN-Hinterhof"),
    ("  mLastCaller=*", "Zahnarztpraxis"),
    ("  primaryClip: *", "hunter2geheim"),
    ("  IMEI: *", "490154203237518"),
    ("  mTitle=*", "Κωνσταντίνος"),
    ("  Location[gps *]", "52.520008,13.404954"),
];
const LOGGED: [(&str, &str); 5] = [
    ("AndroidRuntime", "java.lang.IllegalStateException: no row for Friedhelm"),
    ("ActivityManager", "Start proc for content://mail/Scheidungsanwalt"),
    ("DEBUG", "session=eyJhbGciOiJIUzI1"),
    ("ActivityManager", "Displayed com.example/.Beichte"),
    ("AndroidRuntime", "FATAL EXCEPTION: Krankenkasse"),
];
/// What of the log no report may have.
const OF_LOG: [&str; 5] = ["Friedhelm", "Scheidungsanwalt", "eyJhbGciOiJIUzI1", "Beichte", "Krankenkasse"];
const CLIPBOARD: &str = "Mein Passwort: Kaktus";

/// Everything that is planted.
fn planted() -> Vec<&'static str> {
    let mut all = vec![CLIPBOARD];
    all.extend(PROPERTIES.map(|(_, text)| text));
    all.extend(SETTINGS.map(|(.., text)| text));
    all.extend(FILE_NAMES);
    all.extend(PACKAGES);
    all.extend(DUMPED.map(|(_, text)| text));
    all.extend(OF_LOG);
    assert!(all.len() >= 50, "{}", all.len());
    all
}

/// A phone of somebody.
fn of_somebody(like: Like) -> Option<ServedPhone> {
    let phone = ServedPhone::with(FILES, &Build::Sound, like, Latency::Off)?;
    for (namespace, name, value) in SETTINGS {
        phone.text(&["shell", &format!("settings put {namespace} {name} '{value}'")]);
    }
    for name in FILE_NAMES {
        phone.text(&["shell", &format!("echo x >'/sdcard/{name}'")]);
    }
    let mut state = phone.served.lock();
    state.planted.0 = PROPERTIES.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    state.planted.1 = DUMPED.map(|(line, text)| line.replace('*', text)).into();
    state.clipboard = CLIPBOARD.to_owned();
    for package in PACKAGES {
        state.helpers.insert(package.to_owned(), Helper::default());
    }
    drop(state);
    Some(phone)
}

/// Writes to the log as the phone is asked: what was there before belongs to no test.
fn write_log(phone: &ServedPhone) {
    let mut state = phone.served.lock();
    let now = state.epoch_millis() + 60_000;
    for (tag, text) in LOGGED {
        state.log.write(now, Buffer::System, 77, Level::Error, tag, text);
    }
}

fn never() -> Unwanted {
    Arc::new(|| false)
}

fn fitness(answers: &[CheckAnswer]) -> Vec<(Checked, Fitness)> {
    answers.iter().map(|answer| (answer.what, answer.fitness)).collect()
}

/// What a check says, without times.
fn said(answers: &[CheckAnswer]) -> Vec<String> {
    let of = |answer: &CheckAnswer| answer.said.split(" is read in").next().unwrap_or_default().to_owned();
    answers.iter().map(of).collect()
}

fn served_again(report: DeviceReport) -> Option<ServedPhone> {
    let replayed = Arc::new(Replayed::of(report, false).unwrap());
    let served = Arc::clone(replayed.served());
    ServedPhone::by(served, Arc::new(ReplayedServices(replayed)))
}

fn report_and_replay(like: Like, best: ControlMethod) {
    let Some(phone) = of_somebody(like) else { return };
    let mut before = Vec::new();
    write_log(&phone);
    let mut tell = |answer: &CheckAnswer| before.push(answer.clone());
    let how = (best, Some(FILES));
    let report = report_device(&phone.own.server, &phone.serial, how, &never(), &mut tell);
    assert_eq!(report.head.problem, None);
    let text = report.to_lines();
    for planted in planted() {
        assert!(!text.contains(planted), "{like:?} {best:?}: {planted} is in the report");
        // Not in pieces either.
        for word in planted.split(|letter: char| !letter.is_alphanumeric()) {
            let short = word.chars().count() < 5 || ["Handy", "Telefon"].contains(&word);
            let known = ["phone", "example", "reader", "dating", "wallet", "diary"].contains(&word);
            assert!(short || known || !text.contains(word), "{like:?} {best:?}: {word} is in the report");
        }
    }
    assert!(!text.contains(&phone.serial) || phone.serial.is_empty());
    let read = DeviceReport::read(&text).unwrap();
    assert_eq!(read, report);
    let lost =
        |line: &&taproof_adb::report::Asked| matches!(line.answer, taproof_adb::report::Kept::LeftOut(..));
    let lost: Vec<&str> = read.asked.iter().filter(lost).map(|asked| asked.question.as_str()).collect();
    assert_eq!(lost, Vec::<&str>::new(), "every question of ours is known");
    drop(phone);
    let Some(phone) = served_again(read) else { return };
    let after = check_device(&phone.own.server, &phone.serial, best, &never(), &mut |_| ()).unwrap();
    assert_eq!(fitness(&after), fitness(&before), "{like:?} {best:?}: {after:?}");
    assert_eq!(said(&after), said(&before));
}

#[test]
fn a_report_has_none_of_fifty_personal_texts_and_replays() {
    for like in [Like::Android14, Like::Android44] {
        for best in [ControlMethod::Agent, ControlMethod::Shell] {
            report_and_replay(like, best);
        }
    }
}

#[test]
fn what_does_not_work_on_a_device_does_not_work_when_it_is_replayed() {
    let Some(phone) = of_somebody(Like::Android14) else { return };
    phone.served.lock().faults.forbids.programs = true;
    phone.served.lock().faults.forbids.input = true;
    let how = (ControlMethod::Agent, None);
    let mut before = Vec::new();
    let mut tell = |answer: &CheckAnswer| before.push(answer.clone());
    let report = report_device(&phone.own.server, &phone.serial, how, &never(), &mut tell);
    let Some(phone) = served_again(report) else { return };
    let after =
        check_device(&phone.own.server, &phone.serial, ControlMethod::Agent, &never(), &mut |_| ()).unwrap();
    assert_eq!(fitness(&after), fitness(&before), "{after:?}");
    let of = |what: Checked| after.iter().find(|answer| answer.what == what).unwrap();
    let control = of(Checked::Control);
    assert!(control.said.contains("the agent does not start"), "{control:?}");
    assert!(control.said.contains("Permission denied"), "what Android says stays: {control:?}");
    assert!(of(Checked::Touching).said.contains("forbids adb to touch its screen"), "{after:?}");
}

/// Runs the program on a phone.
fn taproof(phone: &ServedPhone, words: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(taproof_testing::program::path());
    command.args(words).env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.env("ANDROID_ADB_SERVER_PORT", phone.own.port()).env_remove("ANDROID_SERIAL");
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(stdout), text(stderr), status.code())
}

#[test]
fn the_command_writes_a_report_on_which_a_campaign_runs() {
    let Some(phone) = of_somebody(Like::Android14) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.jsonl").display().to_string();
    let words = ["devices", "report", &phone.serial, "--output", &file, "--package", FILES];
    let (said, err, code) = taproof(&phone, &words);
    assert_eq!(code, Some(0), "{said}{err}");
    assert!(
        said.contains("read it, and attach it to an issue") && err.contains("checked: rotation"),
        "{said}{err}"
    );
    let report = DeviceReport::read(&std::fs::read_to_string(&file).unwrap()).unwrap();
    drop(phone);
    let Some(phone) = served_again(report) else { return };
    let (said, err, code) = taproof(&phone, &["devices", "check", &phone.serial]);
    assert_eq!(code, Some(0), "{said}{err}");
    let workspace = folder.path().join("workspace").display().to_string();
    let mut words = vec!["fuzz", "--device", &phone.serial, "--package", FILES, "--engine", "monkey"];
    words.extend(["--events", "8", "--clear-data", "--workspace", &workspace]);
    let (said, err, code) = taproof(&phone, &words);
    assert!(matches!(code, Some(0 | 1)) && said.contains("8 events"), "{said}{err}");
    let (_, err, code) =
        taproof(&phone, &["devices", "report", &phone.serial, "--output", "/no/such/folder/x"]);
    assert!(code == Some(2) && err.contains("/no/such/folder/x cannot be written"), "{err}");
}
