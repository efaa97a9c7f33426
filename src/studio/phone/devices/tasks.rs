//! Tasks that have to do with the devices behind adb. Each runs beside the window.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};

use super::watch::watch;
use super::{DeviceLine, Devices, Installing, Reach, Search};
use crate::reporter::{Reporter, Resources};
use taproof_adb::host::{AdbLink, Patience};
use taproof_adb::{
    AppCard, CheckAnswer, ControlMethod, NotEnded, ScreenHolder, StartedServer, app_cards, check_device,
    end_screen_holder, install_app, link_to, reach_server, server_file,
};
use taproof_engine::device::DeviceError;

/// A task that has to do with a device behind adb.
pub(crate) enum DeviceTask {
    /// Watches the devices until it is abandoned.
    Watch {
        /// Whether an adb server is started if none is running.
        start: bool,
        /// Whether the apps that came with a device are listed, too.
        system: bool,
        /// The devices that were listed before.
        before: Vec<DeviceLine>,
    },
    /// Asks a device for the labels and icons of its apps, also of those that came with it if true.
    AskForCards(String, bool),
    /// Ends a program that controls the screen of a device.
    EndHolder(String, ScreenHolder),
    /// Starts the user's uiautomator2 server on a device, and keeps it running.
    StartServer(String),
    /// Pairs with a device in the network, or connects it.
    Reach(Reach),
    /// Checks whether a device is ready for campaigns.
    Check(String),
    /// Installs a file on a device.
    Install(Installing, PathBuf),
}

/// What is known of the devices behind adb. Devices are named by their serials.
pub(crate) enum DeviceNews {
    /// The newest list, and how the search for devices stands.
    List(Search, Vec<DeviceLine>),
    /// The devices cannot be watched; the reason.
    NotWatched(String),
    /// The labels and icons of a device's apps. `None` if the device does not say them: then the packages are shown.
    Cards(String, Option<Vec<AppCard>>),
    /// The programs that control the screen of a device that was opened.
    Holders(String, Vec<ScreenHolder>),
    /// Such a program was ended, or not.
    HolderEnded(String, Result<ScreenHolder, NotEnded>),
    /// It was not tried, or that broke off; the reason.
    HolderStays(String, String),
    /// A uiautomator2 server runs.
    ServerRuns(String),
    /// It has ended or could not be started; the reason.
    ServerEnded(String, String),
    /// A device in the network was paired or connected, or why not.
    Reached(Reach, Result<(), String>),
    /// An answer of the check of a device.
    Checked(String, CheckAnswer),
    /// The check of a device is over; why it broke off, if it did.
    CheckEnded(String, Result<(), String>),
    /// An install has ended: the installed package (empty if it could not be determined), or why it failed.
    Installed(Installing, Result<String, String>),
}

/// Limit for pairing with a device or connecting it; the server itself tries to connect for 10 s.
const REACH: Duration = Duration::from_secs(30);
/// Maximum size of an APK in bytes.
const LARGEST: u64 = 4 << 30;
/// Interval in which a running uiautomator2 server is checked.
const LOOK: Duration = Duration::from_millis(200);

impl DeviceTask {
    /// Returns what makes the news by which the task ends without a result, for a reason.
    pub fn failure(&self) -> Box<dyn Fn(String) -> DeviceNews + Send> {
        match self {
            DeviceTask::Watch { .. } => Box::new(DeviceNews::NotWatched),
            DeviceTask::AskForCards(serial, _) => with(serial, |serial, _| DeviceNews::Cards(serial, None)),
            DeviceTask::EndHolder(serial, _) => with(serial, DeviceNews::HolderStays),
            DeviceTask::StartServer(serial) => with(serial, DeviceNews::ServerEnded),
            DeviceTask::Reach(what) => with(what, |what, why| DeviceNews::Reached(what, Err(why))),
            DeviceTask::Check(serial) => with(serial, |serial, why| DeviceNews::CheckEnded(serial, Err(why))),
            DeviceTask::Install(what, _) => with(what, |what, why| DeviceNews::Installed(what, Err(why))),
        }
    }

    /// Does the task. Returns its last news.
    pub fn run(self, resources: &Resources, reporter: &Reporter<'_, DeviceNews>) -> DeviceNews {
        let unwanted = || reporter.cancel.asked_to_stop();
        match self {
            DeviceTask::Watch { start, system, before } => {
                let list = |devices: Devices| DeviceNews::List(devices.search, devices.list);
                let publish = |devices| (reporter.progress)(list(devices));
                list(watch((start, system), &before, (&reporter.cancel, &resources.in_use), &publish))
            }
            DeviceTask::AskForCards(serial, system) => {
                let cards = link(&serial, &unwanted).and_then(|link| app_cards(&link, system, &unwanted));
                let cards =
                    cards.inspect_err(|error| tracing::info!(%error, "the labels of apps are not known"));
                DeviceNews::Cards(serial, cards.ok())
            }
            DeviceTask::EndHolder(serial, holder) => {
                let ended = link(&serial, &unwanted)
                    .map_err(NotEnded::from)
                    .and_then(|link| end_screen_holder(&link, &holder, &unwanted));
                DeviceNews::HolderEnded(serial, ended.map(|()| holder))
            }
            DeviceTask::StartServer(serial) => {
                let runs = || (reporter.tell)(DeviceNews::ServerRuns(serial.clone()));
                let ended = hold_server(&serial, &unwanted, &runs).err();
                let why = ended.map_or_else(|| "it ended".to_owned(), |error| format!("{error:#}"));
                DeviceNews::ServerEnded(serial, why)
            }
            DeviceTask::Reach(what) => {
                let outcome = reach(&what, &unwanted).map_err(|error| error.to_string());
                DeviceNews::Reached(what, outcome)
            }
            DeviceTask::Check(serial) => {
                let checked = check(&serial, reporter).map_err(|error| error.to_string());
                DeviceNews::CheckEnded(serial, checked)
            }
            DeviceTask::Install(what, path) => {
                let installed = install(&what.serial, &path, &unwanted);
                DeviceNews::Installed(what, installed.map_err(|error| format!("{error:#}")))
            }
        }
    }
}

/// Returns what makes news of this and a reason.
fn with<T: Clone + Send + 'static>(
    of: &T,
    news: fn(T, String) -> DeviceNews,
) -> Box<dyn Fn(String) -> DeviceNews + Send> {
    let of = of.clone();
    Box::new(move |why| news(of.clone(), why))
}

fn link(serial: &str, unwanted: &dyn Fn() -> bool) -> Result<AdbLink, DeviceError> {
    Ok(link_to(&reach_server(unwanted)?, serial)?)
}

/// Starts a server and waits until it ends or is cancelled. Calls `runs` once the server is running.
fn hold_server(serial: &str, unwanted: &dyn Fn() -> bool, runs: &dyn Fn()) -> anyhow::Result<()> {
    let jar = server_file(&|name| std::env::var(name).ok()).map_err(anyhow::Error::msg)?;
    let Some(mut server) = StartedServer::start(&link(serial, unwanted)?, &jar, unwanted)? else {
        // A server that something else started serves as well.
        runs();
        return Ok(());
    };
    runs();
    while server.runs_for(LOOK, unwanted)? {}
    Ok(())
}

fn reach(what: &Reach, unwanted: &dyn Fn() -> bool) -> Result<(), DeviceError> {
    let (server, patience) = (reach_server(unwanted)?, Patience::new(REACH, unwanted));
    match what {
        Reach::Pair { target, code } => Ok(server.pair(target, code, &patience)?),
        Reach::Connect { target } => Ok(server.connect(target, &patience).map(drop)?),
    }
}

fn check(serial: &str, reporter: &Reporter<'_, DeviceNews>) -> Result<(), DeviceError> {
    let mut tell = |answer: &CheckAnswer| {
        (reporter.tell)(DeviceNews::Checked(serial.to_owned(), answer.clone()));
    };
    let unwanted = reporter.cancel.unwanted();
    let server = reach_server(&*unwanted)?;
    check_device(&server, serial, ControlMethod::Agent, &unwanted, &mut tell).map(drop)
}

fn install(serial: &str, path: &Path, unwanted: &dyn Fn() -> bool) -> anyhow::Result<String> {
    let size = std::fs::metadata(path).context("the file cannot be read")?.len();
    if size > LARGEST {
        bail!("the file is larger than any app");
    }
    let apk = std::fs::read(path).context("the file cannot be read")?;
    Ok(install_app(&link(serial, unwanted)?, &apk, unwanted)?.0)
}
