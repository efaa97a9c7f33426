//! The sources of a campaign's devices: bundled phones, each in its initial state, or devices behind adb.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use taproof_adb::host::{Patience, run_program};
use taproof_adb::{AdbPhones, ControlMethod, TellLeft};
use taproof_campaign::{CampaignPlan, DeviceChoice};
use taproof_engine::device::{
    AppId, BeforeTest, Build, Device, DeviceError, DeviceInfo, DeviceSource, Garbled,
};
use taproof_engine::worker::Unwanted;
use taproof_phone::{Apps, BundledPhones};

/// Limit for the command before a test.
const COMMAND_LIMIT: Duration = Duration::from_secs(600);

/// The devices of one engine of a plan.
pub struct Phones {
    devices: Devices,
    /// The command of the host that is run before every test.
    command: Option<String>,
    unwanted: Unwanted,
}

enum Devices {
    /// Bundled phones, each in its initial state.
    Bundled(BundledPhones),
    /// The device behind adb with one serial.
    Adb(Box<AdbPhones>),
}

impl Phones {
    /// The devices for the engine at this index of a checked plan; bundled phones have these apps.
    pub fn of(apps: &Apps, plan: &CampaignPlan, place: usize) -> Phones {
        Phones::on(apps, (&plan.app, &plan.build), &plan.device, place)
    }

    /// Devices with an app: bundled phones with this build, or the device at this index of the choice.
    pub fn on(apps: &Apps, (app, build): (&str, &Build), device: &DeviceChoice, place: usize) -> Phones {
        let devices = match device {
            DeviceChoice::Bundled => Devices::Bundled(BundledPhones::of(apps, app, build)),
            DeviceChoice::Adb(_) => {
                Devices::Adb(Box::new(AdbPhones::new(device.serial(place).unwrap_or_default())))
            }
        };
        Phones { devices, command: None, unwanted: Arc::new(|| false) }
    }

    /// Controls devices behind adb by methods up to `best` only.
    #[must_use]
    pub fn controlled_by(self, best: ControlMethod) -> Phones {
        self.with_adb(|phones| phones.controlled_by(best))
    }

    /// Tells which app on a device behind adb was cleared once more when the tests have ended.
    #[must_use]
    pub fn telling(self, tell: TellLeft) -> Phones {
        self.with_adb(|phones| phones.telling(tell))
    }

    fn with_adb(self, change: impl FnOnce(AdbPhones) -> AdbPhones) -> Phones {
        let devices = match self.devices {
            Devices::Bundled(phones) => Devices::Bundled(phones),
            Devices::Adb(phones) => Devices::Adb(Box::new(change(*phones))),
        };
        Phones { devices, ..self }
    }

    /// Runs a command of the host before every test: a line for `sh` (`cmd` on Windows), which finds the serial of the device in
    /// `TAPROOF_SERIAL` and the package of the app in `TAPROOF_PACKAGE`.
    #[must_use]
    pub fn running_before_tests(self, command: Option<String>) -> Phones {
        Phones { command, ..self }
    }
}

/// Makes the phones of tests: bundled ones with these apps, and devices behind adb, which tell what was cleared when their
/// tests have ended.
#[derive(Clone)]
pub struct TestPhones {
    apps: Apps,
    tell: TellLeft,
}

impl TestPhones {
    /// Makes phones with these apps. `tell` is called when tests on a device behind adb have ended.
    pub fn new(apps: Apps, tell: TellLeft) -> TestPhones {
        TestPhones { apps, tell }
    }

    /// The apps of the bundled phones.
    pub fn apps(&self) -> &Apps {
        &self.apps
    }

    /// As [`Phones::of`].
    pub fn of(&self, plan: &CampaignPlan, place: usize) -> Phones {
        Phones::of(&self.apps, plan, place).telling(Arc::clone(&self.tell))
    }

    /// As [`Phones::on`].
    pub fn on(&self, app: (&str, &Build), device: &DeviceChoice, place: usize) -> Phones {
        Phones::on(&self.apps, app, device, place).telling(Arc::clone(&self.tell))
    }
}

impl DeviceSource for Phones {
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
        match &mut self.devices {
            Devices::Bundled(phones) => phones.fresh(),
            Devices::Adb(phones) => phones.fresh(),
        }
    }

    fn fresh_without(&mut self, bugs: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        match &mut self.devices {
            Devices::Bundled(phones) => phones.fresh_without(bugs),
            Devices::Adb(phones) => phones.fresh_without(bugs),
        }
    }

    fn switchable_bugs(&self) -> Vec<String> {
        match &self.devices {
            Devices::Bundled(phones) => phones.switchable_bugs(),
            Devices::Adb(phones) => phones.switchable_bugs(),
        }
    }

    fn before_test(&self) -> Option<BeforeTest> {
        before_test(self.command.clone(), Arc::clone(&self.unwanted))
    }

    fn unwanted_when(&mut self, unwanted: Unwanted) {
        self.unwanted = Arc::clone(&unwanted);
        match &mut self.devices {
            Devices::Bundled(phones) => phones.unwanted_when(unwanted),
            Devices::Adb(phones) => phones.unwanted_when(unwanted),
        }
    }

    fn lost(&mut self, error: &DeviceError) -> bool {
        match &mut self.devices {
            Devices::Bundled(phones) => phones.lost(error),
            Devices::Adb(phones) => phones.lost(error),
        }
    }

    fn garbled(&self) -> Option<Garbled> {
        match &self.devices {
            Devices::Bundled(phones) => phones.garbled(),
            Devices::Adb(phones) => phones.garbled(),
        }
    }
}

/// What runs a command of the host before each test, until `unwanted`; `None` without a command.
pub fn before_test(command: Option<String>, unwanted: Unwanted) -> Option<BeforeTest> {
    let command = command?;
    Some(Arc::new(move |device, app| run(&command, device, app, &*unwanted)))
}

/// Runs the command before a test and waits for its end, until the test is unwanted.
fn run(command: &str, device: &DeviceInfo, app: &AppId, unwanted: &dyn Fn() -> bool) -> Result<(), String> {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(shell);
    shell.args([flag, command]).env("TAPROOF_SERIAL", &device.serial).env("TAPROOF_PACKAGE", &app.0);
    let done = run_program(shell, command, &Patience::new(COMMAND_LIMIT, unwanted));
    done.map(drop).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_knows_device_and_app_and_its_failure_is_told() {
        let apps = Apps::default();
        let phones = || Phones::on(&apps, ("org.taproof.files", &Build::Sound), &DeviceChoice::Bundled, 0);
        assert!(phones().before_test().is_none());
        let folder = std::env::temp_dir().join(format!("before-test-{}", std::process::id()));
        let seen = folder.display();
        let mut fine =
            phones().running_before_tests(Some(format!("echo $TAPROOF_SERIAL $TAPROOF_PACKAGE >> {seen}")));
        let device = fine.fresh().unwrap();
        let app = AppId("org.taproof.files".to_owned());
        let before = fine.before_test().unwrap();
        assert_eq!(before(device.info(), &app), Ok(()));
        let told = std::fs::read_to_string(&folder).unwrap();
        std::fs::remove_file(&folder).unwrap();
        assert_eq!(told, format!("{} org.taproof.files\n", device.info().serial));
        let bad = phones().running_before_tests(Some("echo no server >&2; exit 3".to_owned()));
        let problem = bad.before_test().unwrap()(device.info(), &app).unwrap_err();
        assert!(problem.contains("exit 3") && problem.contains("no server"), "{problem}");
        fine.unwanted_when(Arc::new(|| true));
        assert!(fine.before_test().unwrap()(device.info(), &app).is_err(), "nobody waits for it");
    }
}
