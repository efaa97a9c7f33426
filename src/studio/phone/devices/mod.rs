//! The phones and emulators behind adb.

mod handle;
mod tasks;
mod watch;

pub(crate) use handle::{install_dropped, install_on, run_device, take_device_news, watch};
pub(crate) use tasks::{DeviceNews, DeviceTask};
pub(super) use watch::{device_maker, fresh_device_maker};

use std::collections::{BTreeMap, BTreeSet};

use crate::state::AppEntry;
use taproof_adb::{AppCard, CheckAnswer, Fitness, ScreenHolder};
use taproof_campaign::Target;
use taproof_screen::upper_first;

/// A command about devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceCommand {
    /// Lists the devices, and starts the adb server if none is running.
    Look,
    /// Ends what the phone that is shown is asked for at the moment.
    GiveUp,
    /// Lists also the apps that came with a device, or only those that somebody installed.
    ListSystemApps(bool),
    /// Starts the user's uiautomator2 server on the device with this serial.
    StartServer(String),
    /// Ends the program that controls the screen of the device with this serial, and opens the device again.
    TakeOver(String, ScreenHolder),
    /// Asks for an app file to install on the device with this serial.
    Install(String),
    /// Opens the panel of phones, or closes it.
    ShowPanel(bool),
    /// Pairs with a device in the network, or connects it.
    Reach(Reach),
    /// Checks whether the device with this serial is ready for campaigns.
    Check(String),
}

/// A device in the network that the adb server is to reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Pairs with a device, so that it can be connected from then on.
    Pair {
        /// Its host and port for pairing.
        target: String,
        /// The code that it shows.
        code: String,
    },
    /// Connects a device.
    Connect {
        /// Its host and port.
        target: String,
    },
}

impl Reach {
    /// The host and port of the device.
    pub fn target(&self) -> &str {
        match self {
            Reach::Pair { target, .. } | Reach::Connect { target } => target,
        }
    }
}

/// The check of a device: what is known so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceCheck {
    /// The answers, in order.
    pub answers: Vec<CheckAnswer>,
    /// Whether it is over, and why it broke off, if it did.
    pub ended: Option<Result<(), String>>,
}

impl DeviceCheck {
    /// Why no campaign can run on the device, as a sentence. `None` if one can.
    pub fn problem(&self) -> Option<String> {
        if let Some(Err(problem)) = &self.ended {
            return Some(sentence(problem));
        }
        let bad = self.answers.iter().find(|answer| answer.fitness == Fitness::Bad)?;
        let advice =
            if bad.advice.is_empty() { String::new() } else { format!(" {}", sentence(&bad.advice)) };
        Some(sentence(&bad.said) + &advice)
    }

    /// Whether a campaign can run on the device, as a sentence. `None` until all answers are known.
    pub fn sentence(&self) -> Option<String> {
        if let Err(problem) = self.ended.as_ref()? {
            return Some(sentence(problem));
        }
        let worst = self.answers.iter().map(|answer| answer.fitness).max().unwrap_or(Fitness::Good);
        let words = match worst {
            Fitness::Good => "A campaign can run on it.",
            Fitness::Limited | Fitness::Unknown => "A campaign can run on it, with these limits.",
            Fitness::Bad => "A campaign cannot run on it yet.",
        };
        Some(words.to_owned())
    }
}

/// The state of the watch for devices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// Nothing was requested, and no adb server is running.
    #[default]
    Idle,
    /// A person asked for devices; no list has arrived yet.
    Looking,
    /// The list is being kept up to date.
    Listening,
    /// Devices cannot be listed; the reason and a remedy.
    Failed(String),
}

/// How far the search for the apps of a ready device has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AppSearch {
    /// It has not ended.
    #[default]
    Going,
    /// The list of apps is complete.
    Done,
    /// It failed. The apps that were known before are still listed.
    Failed,
}

/// A device in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceLine {
    /// The device's serial number in adb.
    pub serial: String,
    /// The model, or empty if the device does not report it.
    pub model: String,
    /// Whether the device can be used.
    pub ready: bool,
    /// The device's state and a remedy if it cannot be used, why its apps cannot be listed, else empty.
    pub words: String,
    /// Whether its apps are listed.
    pub search: AppSearch,
    /// The packages on the device that are listed.
    pub packages: Vec<String>,
}

impl DeviceLine {
    /// Whether the search for its apps is going on.
    pub fn is_searched(&self) -> bool {
        self.ready && self.search == AppSearch::Going
    }

    /// Whether it is ready and was examined, with or without success.
    pub fn is_examined(&self) -> bool {
        self.ready && self.search != AppSearch::Going
    }
}

/// The devices behind adb and what is going on there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Devices {
    /// The state of the watch.
    pub search: Search,
    /// Whether the apps that came with a device are listed, too.
    pub system_apps: bool,
    /// The devices, in adb's order.
    pub list: Vec<DeviceLine>,
    /// The labels and icons of the apps that are known, by serial and package.
    pub cards: BTreeMap<String, BTreeMap<String, AppCard>>,
    /// The programs that control the screen of a device instead of the agent, by serial.
    pub holders: BTreeMap<String, Vec<ScreenHolder>>,
    /// The serials of the devices on which such a program is being ended.
    pub taking: BTreeSet<String>,
    /// The installs in progress.
    pub installing: Vec<Installing>,
    /// The uiautomator2 servers that were started from this window, by serial.
    pub layout_servers: BTreeMap<String, LayoutServer>,
    /// The app to choose once its device lists it: serial and package.
    choose_next: Option<(String, String)>,
    /// The apps of each device whose labels were asked for last, by its serial.
    carded: BTreeMap<String, Vec<String>>,
    /// The serials of the devices that are being asked for them.
    asked_for_cards: BTreeSet<String>,
    /// Whether the panel of phones is open.
    pub panel: bool,
    /// The device that is being paired or connected.
    pub reaching: Option<Reach>,
    /// What came of the last one, as a sentence.
    pub reached: Option<Result<String, String>>,
    /// The checks of devices since the window was opened, the last of each, by serial.
    pub checks: BTreeMap<String, DeviceCheck>,
    /// What the window showed of a device before it lent it.
    pub(super) lent: Option<Target>,
}

/// The state of a uiautomator2 server that was started from this window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutServer {
    /// The server does not answer yet.
    Starting,
    /// The server is running.
    Runs,
}

/// An install in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installing {
    /// The serial of the device.
    pub serial: String,
    /// The name of the file.
    pub file: String,
}

/// The devices that campaigns and trials use exclusively: their serials, each with a description of the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DevicesInUse(pub(super) BTreeMap<String, String>);

impl DevicesInUse {
    /// Why a device cannot be used, as a sentence. `None` if it is free.
    pub fn problem(&self, serial: &str) -> Option<String> {
        let owner = self.0.get(serial)?;
        Some(format!("{owner} has {serial}. Cancel it or wait until it is over."))
    }
}

/// Makes a sentence of an error's text: a capital at the beginning, a full stop at the end. What the protocol said stays
/// behind it in square brackets.
pub fn sentence(words: &str) -> String {
    let (words, said) = folded(words);
    let end = if words.ends_with(['.', '!', '?']) { "" } else { "." };
    let said = said.map_or(String::new(), |said| format!(" [{said}]"));
    format!("{}{end}{said}", upper_first(words))
}

/// Splits an error's text into what is for people and what the protocol said, which errors of adb have in square brackets
/// at their end.
pub fn folded(text: &str) -> (&str, Option<&str>) {
    let inside = text.trim_end_matches('.').strip_suffix(']');
    match inside.and_then(|inside| inside.split_once(" [")) {
        Some((words, said)) => (words, Some(said)),
        None => (text, None),
    }
}

impl Devices {
    /// The result of listing the devices, as a sentence for people.
    ///
    /// # Errors
    ///
    /// If the devices cannot be listed; the reason as a sentence.
    pub fn outcome(&self) -> Result<String, String> {
        let ready = self.list.iter().filter(|device| device.ready).count();
        let failed = |device: &&DeviceLine| device.ready && device.search == AppSearch::Failed;
        if let (Search::Listening, Some(device)) = (&self.search, self.list.iter().find(failed)) {
            return Err(sentence(&device.words));
        }
        match (&self.search, ready, self.list.len()) {
            (Search::Failed(problem), ..) => Err(sentence(problem)),
            (_, 0, 0) => Ok("adb sees no phone yet. Plug one in with USB debugging switched on.".to_owned()),
            (_, 0, _) => {
                Ok("adb sees a phone that is not ready. The list of apps says what to do.".to_owned())
            }
            (_, 1, _) => Ok("A phone is ready. Its apps are in the list of apps.".to_owned()),
            (_, ready, _) => Ok(format!("{ready} phones are ready. Their apps are in the list of apps.")),
        }
    }

    /// Returns the serial of the device on which to install a dropped app: the one whose app is shown, or else the only
    /// one.
    ///
    /// # Errors
    ///
    /// If no device is ready or several are; the remedy as sentences.
    pub fn for_install(&self, shown: Option<&str>) -> Result<String, String> {
        let ready: Vec<&DeviceLine> = self.list.iter().filter(|device| device.ready).collect();
        match (ready.iter().find(|device| Some(device.serial.as_str()) == shown), ready.as_slice()) {
            (Some(device), _) | (None, [device]) => Ok(device.serial.clone()),
            (None, []) => {
                Err("An app is installed on a phone, and none is ready. Plug one in and look for it in the \
                               list of apps."
                    .to_owned())
            }
            (None, _) => Err(
                "Several phones are ready. Open \u{201c}Look for phones\u{201d} in the list of apps and choose \
                 \u{201c}Install an app\u{201d} below the one that is meant."
                    .to_owned(),
            ),
        }
    }

    /// The programs to end so that the agent can control a device; none if this window itself has started them.
    pub fn holders_of(&self, serial: &str) -> &[ScreenHolder] {
        if self.layout_servers.contains_key(serial) {
            return &[];
        }
        self.holders.get(serial).map_or(&[], Vec::as_slice)
    }

    /// The apps of all ready devices.
    pub fn apps(&self) -> Vec<AppEntry> {
        let ready = self.list.iter().filter(|device| device.ready);
        ready
            .flat_map(|device| {
                let cards = self.cards.get(&device.serial);
                device.packages.iter().map(move |package| {
                    let card = cards.and_then(|cards| cards.get(package));
                    AppEntry {
                        package: package.clone(),
                        label: card.map_or(package, |card| &card.label).clone(),
                        short_name: package.clone(),
                        modelled_on: String::new(),
                        bugs: Vec::new(),
                        dmfs: 0,
                        device: Some(device.serial.clone()),
                        icon: card.and_then(|card| card.icon.clone()),
                    }
                })
            })
            .collect()
    }
}

impl AppEntry {
    /// The app's label, followed by the device that it is on.
    pub fn words(&self) -> String {
        match &self.device {
            Some(serial) => format!("{} on {serial}", self.label),
            None => self.label.clone(),
        }
    }

    /// What tells it from apps of the same label: its package, unless that is the label, and the device.
    pub fn caption(&self) -> String {
        let package = (self.package != self.label).then_some(self.package.as_str());
        match (package, &self.device) {
            (Some(package), Some(serial)) => format!("{package} on {serial}"),
            (Some(package), None) => package.to_owned(),
            (None, Some(serial)) => format!("on {serial}"),
            (None, None) => String::new(),
        }
    }

    /// Whether its label, its package or its device contains every word of what a person typed.
    pub fn fits(&self, typed: &str) -> bool {
        let shown = format!("{} {}", self.label, self.caption()).to_lowercase();
        typed.to_lowercase().split_whitespace().all(|word| shown.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ready_devices_offer_apps() {
        let device = |serial: &str, ready| DeviceLine {
            serial: serial.to_owned(),
            model: String::new(),
            ready,
            words: String::new(),
            search: AppSearch::Done,
            packages: vec!["org.ex".to_owned()],
        };
        let list = vec![device("one", true), device("two", false)];
        let devices = Devices { search: Search::Listening, list, ..Devices::default() };
        let apps = devices.apps();
        assert_eq!(apps.iter().map(AppEntry::words).collect::<Vec<_>>(), ["org.ex on one"]);
        let card = AppCard { package: "org.ex".to_owned(), label: "Tag und Nacht".to_owned(), icon: None };
        let cards = BTreeMap::from([("one".to_owned(), BTreeMap::from([(card.package.clone(), card)]))]);
        let apps = Devices { cards, ..devices }.apps();
        let app = &apps[0];
        assert_eq!(
            (app.words(), app.caption()),
            ("Tag und Nacht on one".to_owned(), "org.ex on one".to_owned())
        );
        for (typed, fits) in [("", true), ("nacht TAG", true), ("ORG tag one", true), ("tage", false)] {
            assert_eq!(app.fits(typed), fits, "{typed}");
        }
    }

    #[test]
    fn errors_become_sentences() {
        assert_eq!(sentence("no adb: install it"), "No adb: install it.");
        assert_eq!(sentence("Plug it in."), "Plug it in.");
        let refused = sentence("it is away; plug it in [\"host:x\": [\"no\"]]");
        assert_eq!(folded(&refused), ("It is away; plug it in.", Some("\"host:x\": [\"no\"]")));
        assert_eq!(folded("[a]"), ("[a]", None));
        let failed = Devices { search: Search::Failed("no adb".to_owned()), ..Devices::default() };
        assert_eq!(failed.outcome(), Err("No adb.".to_owned()));
        assert!(Devices::default().outcome().unwrap().contains("no phone"));
    }

    #[test]
    fn a_dropped_app_goes_where_there_is_no_doubt() {
        let device = |serial: &str, ready| DeviceLine {
            serial: serial.to_owned(),
            model: String::new(),
            ready,
            words: String::new(),
            search: AppSearch::Done,
            packages: Vec::new(),
        };
        let target = |list: Vec<DeviceLine>, shown: Option<&str>| {
            Devices { list, ..Devices::default() }.for_install(shown)
        };
        assert_eq!(target(vec![device("a", true), device("b", false)], None), Ok("a".to_owned()));
        let two = || vec![device("a", true), device("b", true)];
        assert_eq!(target(two(), Some("b")), Ok("b".to_owned()));
        assert!(target(two(), None).unwrap_err().contains("Several phones"));
        assert!(target(two(), Some("c")).is_err());
        assert!(target(vec![device("a", false)], Some("a")).unwrap_err().contains("none is ready"));
    }
}
