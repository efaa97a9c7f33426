//! The process of the system's services dies in the middle of a campaign: adb and its shell live on, and what needs a
//! service waits or fails.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use taproof_engine::device::Build;
use taproof_served::{DeadServices, Latency, Like};
use taproof_testing::device::adb::{self, ServedPhone};

const FILES: &str = "org.taproof.files";
/// The limits in seconds of an event, and of leaving the device.
const EVENT: u64 = 70;
const RESTORING: u64 = 95;
const PAUSE: Duration = Duration::from_millis(20);

fn settings_of(phone: &ServedPhone) -> String {
    ["global", "system", "secure"].map(|space| phone.text(&["shell", "settings", "list", space])).concat()
}

/// Interrupts the program.
fn interrupt(pid: u32) {
    assert!(Command::new("kill").args(["-INT", &pid.to_string()]).status().unwrap().success());
}

/// Runs a campaign in which the services die, and interrupts it once it has noticed. What it printed with the seconds since
/// then, in the order in which it did.
fn campaign_on(phone: &ServedPhone, control: &str, dead: DeadServices) -> Vec<(u64, String)> {
    let folder = tempfile::tempdir().unwrap();
    let program = taproof_testing::program::path().display().to_string();
    let words = [
        "fuzz",
        "--device",
        &phone.serial,
        "--package",
        FILES,
        "--engine",
        "monkey",
        "--events",
        "100000",
        "--clear-data",
        "--control",
        control,
        "--workspace",
    ];
    let mut command = Command::new("sh");
    // Both outputs in the order in which they come.
    command.args(["-c", "exec \"$0\" \"$@\" 2>&1", &program]).args(words).arg(folder.path().join("w"));
    command.env("ANDROID_ADB_SERVER_PORT", phone.own.port()).env("XDG_STATE_HOME", folder.path());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let (limit, started) = (adb::patience(), phone.served.lock().device.now());
    while phone.served.lock().device.now().since(started).millis() < 20_000 {
        limit.pause(PAUSE, "the campaign to be on its way").unwrap();
    }
    phone.served.lock().faults.services = Some(dead);
    let died = adb::patience();
    let mut said = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
        let noticed = line.contains("waits until it is back");
        said.push((died.elapsed().as_secs(), line));
        if noticed {
            interrupt(child.id());
        }
    }
    child.wait().unwrap();
    said
}

/// A campaign whose device loses its services says so within the time of an event, prints what came of it when it is
/// interrupted, and then says what it could not put back, which the next command on the device does.
fn services_die(control: &str, dead: DeadServices) {
    let Some(phone) = ServedPhone::with(FILES, &Build::Sound, Like::Android14, Latency::Off) else { return };
    let before = settings_of(&phone);
    let said = campaign_on(&phone, control, dead);
    let at = |words: &str| {
        let found = said.iter().position(|(_, line)| line.contains(words));
        found.unwrap_or_else(|| panic!("{control} {dead:?}: no {words:?} in {said:#?}"))
    };
    let seconds = |place: usize| said[place].0;
    let away = if dead == DeadServices::Hang { "does not answer" } else { "is away" };
    let away = format!("the device {away}, and the campaign waits until it is back");
    let (noticed, summary) = (at(&away), at("end: cancelled"));
    assert!(seconds(noticed) <= EVENT && seconds(summary) <= seconds(noticed) + 10, "{said:#?}");
    let cleared = at(&format!("{FILES} on {} still holds what the tests made", phone.serial));
    let left = at("not put back on ");
    // What fails at once may be said while the summary is being made.
    assert!(dead == DeadServices::Missing || summary < cleared && cleared < left, "{said:#?}");
    assert!(seconds(left) <= seconds(summary) + RESTORING, "{said:#?}");
    let named = "noted there in /data/local/tmp/taproof-journal: window_animation_scale,";
    assert!(said[left].1.contains(named) && said[left].1.contains("so does `taproof devices`"), "{said:#?}");
    phone.served.lock().faults.services = None;
    let mut devices = Command::new(taproof_testing::program::path());
    devices.arg("devices").env("ANDROID_ADB_SERVER_PORT", phone.own.port());
    assert!(devices.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR")).status().unwrap().success());
    assert_eq!(settings_of(&phone), before);
}

#[test]
#[ignore = "takes minutes: what does not answer is waited for"]
fn the_services_die_under_the_agent() {
    services_die("agent", DeadServices::Hang);
}

#[test]
#[ignore = "takes minutes: what does not answer is waited for"]
fn the_services_die_under_the_shell() {
    services_die("shell", DeadServices::Hang);
}

#[test]
fn the_services_are_missing() {
    services_die("shell", DeadServices::Missing);
}
