//! The labels and icons of apps, as the agent reads them, whoever controls the screen.

use taproof_adb::{AppCard, app_cards};
use taproof_engine::device::{
    AppData, AppId, Build, Device, DeviceError, DeviceInfo, DeviceSource, InstalledApp, Screenshot,
};
use taproof_phone::BundledPhones;
use taproof_screen::{DeviceInstant, Event, Frame};
use taproof_served::{Latency, Like, uiautomator2};
use taproof_testing::device::adb::ServedPhone;

const FILES: &str = "org.taproof.files";

/// Those of the bundled apps. The phone also has an app that DroidBot looks for, which has neither.
fn cards(phone: &ServedPhone) -> Vec<AppCard> {
    let mut cards = app_cards(&phone.link(), false, &|| false).unwrap();
    cards.retain(|card| card.package.starts_with("org.taproof."));
    assert!(!cards.is_empty());
    cards
}

#[test]
fn labels_and_icons_are_read_while_another_program_controls_the_screen() {
    for like in [Like::Android14, Like::Android44] {
        let Some(phone) = ServedPhone::with(FILES, &Build::Sound, like, Latency::Off) else { return };
        uiautomator2::start(&phone.served, uiautomator2::PORT).unwrap();
        let found = cards(&phone);
        let known: Vec<(&str, &str)> =
            found.iter().map(|card| (card.package.as_str(), card.label.as_str())).collect();
        assert!(known.contains(&(FILES, "Files")), "{known:?}");
        for card in &found {
            let icon = card.icon.as_ref().unwrap();
            assert!(icon.rgba.chunks_exact(4).any(|pixel| pixel[3] == 255), "{}", card.package);
        }
        assert!(uiautomator2::accepts(&phone.served, uiautomator2::PORT), "left alone");
        assert_eq!(phone.text(&["shell", "ls /data/local/tmp"]), "", "nothing is left on the device");
    }
}

/// A phone with an app whose label is meant to harm.
struct Hostile(Box<dyn Device>);

impl Device for Hostile {
    fn info(&self) -> &DeviceInfo {
        self.0.info()
    }
    fn now(&self) -> DeviceInstant {
        self.0.now()
    }
    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        self.0.launch(app, data)
    }
    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        self.0.perform(event)
    }
    fn observe(&mut self) -> Result<Frame, DeviceError> {
        self.0.observe()
    }
    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        self.0.screenshot()
    }
    fn apps(&mut self) -> Result<Vec<InstalledApp>, DeviceError> {
        let mut apps = self.0.apps()?;
        for app in &mut apps {
            app.label = format!("\u{202e}\r\n\u{1b}[2J{}", "long ".repeat(20_000));
        }
        Ok(apps)
    }
}

#[test]
fn a_label_of_100_000_characters_that_redirects_text_is_tamed() {
    let inside = BundledPhones::new(FILES, &Build::Sound).fresh().unwrap();
    let Some(phone) = ServedPhone::of(Box::new(Hostile(inside)), Like::default(), Latency::Off) else {
        return;
    };
    for card in cards(&phone) {
        assert!(card.label.starts_with("[2Jlong long") && card.label.chars().count() <= 61, "{}", card.label);
    }
}

#[test]
fn apps_are_listed_with_whose_they_are() {
    let Some(phone) = ServedPhone::with(FILES, &Build::Sound, Like::Android14, Latency::Off) else { return };
    let list = |words: &[&str]| {
        let mut command = std::process::Command::new(taproof_testing::program::path());
        command.args(["devices", "apps", "--device", &phone.serial]).args(words);
        command
            .env("ANDROID_ADB_SERVER_PORT", phone.own.port())
            .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let alone = list(&[]);
    assert!(
        alone.contains("Files") && !alone.contains("User 10") && !alone.contains("com.android"),
        "{alone}"
    );
    let mut state = phone.served.lock();
    let work = ("Firma".to_owned(), "1030".to_owned(), vec![FILES.to_owned(), "com.firma.mail".to_owned()]);
    state.users.insert(10, work);
    state.users.insert(11, ("Gast".to_owned(), "414".to_owned(), Vec::new()));
    drop(state);
    let both = list(&["--all"]);
    assert!(both.contains("com.android.systemui  (came with the device)"), "{both}");
    let (owners, others) =
        both.split_once("\nUser 10 (work profile \"Firma\"): these apps cannot be tested").unwrap();
    assert!(owners.contains("Files") && !owners.contains("com.firma.mail"), "{both}");
    assert!(others.contains("install-existing --user 0") && others.contains("com.firma.mail"), "{both}");
    assert!(others.lines().any(|line| line.starts_with("Files ") && line.contains(FILES)), "{both}");
    let few = list(&[]);
    assert!(few.ends_with("User 11 (user \"Gast\"): it has no such apps.\n"), "{few}");
    let printed: serde_json::Value = serde_json::from_str(&{
        let mut command = std::process::Command::new(taproof_testing::program::path());
        command.args(["devices", "--json", "apps", "--device", &phone.serial]);
        command
            .env("ANDROID_ADB_SERVER_PORT", phone.own.port())
            .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    })
    .unwrap();
    assert_eq!(taproof_testing::json_page::problems(&["devices", "apps"], &printed), Vec::<String>::new());
    let of_work = |app: &&serde_json::Value| app["user"] == 10 && app["package"] == "com.firma.mail";
    assert!(printed["apps"].as_array().unwrap().iter().any(|app| of_work(&app) && app["system"] == false));
}
