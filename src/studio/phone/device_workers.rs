//! The threads that have to do with the devices behind adb.

use std::path::PathBuf;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::device_question::DeviceQuestion;
use super::device_watch::DeviceWatch;
use super::installs::{InstallWorker, Outcome};
use super::layout_servers::{ServerUpdate, ServerWorker};
use super::{DeviceLine, DevicesInUse, Installing, Reach, Search};
use taproof_adb::host::Patience;
use taproof_adb::{
    AppCard, CheckAnswer, ControlMethod, NotEnded, ScreenHolder, app_cards, check_device, end_screen_holder,
};
use taproof_core::worker::{Latest, Leaving};

/// A task that has to do with a device behind adb.
pub(crate) enum DeviceTask {
    /// Watches the devices, of which these were listed before.
    Watch {
        /// Whether an adb server is started if none is running.
        start: bool,
        /// The devices that were listed before.
        before: Vec<DeviceLine>,
    },
    /// Asks a device for the labels and icons of its apps.
    AskForCards(String),
    /// Ends a program that controls the screen of a device.
    EndHolder(String, ScreenHolder),
    /// Starts the user's uiautomator2 server on a device.
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
    /// Such a program was ended, or not. `None` if that broke off.
    HolderEnded(String, Option<Result<ScreenHolder, NotEnded>>),
    /// It was not tried; the reason.
    HolderStays(String, String),
    /// A uiautomator2 server runs, or has ended.
    Server(String, ServerUpdate),
    /// The server was not started; the reason.
    NoServer(String, String),
    /// A device in the network was paired or connected, or why not.
    Reached(Reach, Result<(), String>),
    /// An answer of the check of a device.
    Checked(String, CheckAnswer),
    /// The check of a device is over; why it broke off, if it did.
    CheckEnded(String, Result<(), String>),
    /// An install has ended.
    Installed(Installing, Outcome),
    /// An install was not started; the reason.
    NotInstalled(Installing, String),
}

/// The answers of checks on their way to the window.
struct Answers(Sender<(String, CheckAnswer)>, Receiver<(String, CheckAnswer)>);

impl Default for Answers {
    fn default() -> Self {
        let (sender, receiver) = unbounded();
        Answers(sender, receiver)
    }
}

/// Limit for pairing with a device or connecting it; the server itself tries to connect for 10 s.
const REACH: Duration = Duration::from_secs(30);

/// The threads. Dropping them ends what they do.
#[derive(Default)]
pub(crate) struct DeviceWorkers {
    watch: Option<DeviceWatch>,
    installs: Vec<InstallWorker>,
    card_questions: Vec<DeviceQuestion<Option<Vec<AppCard>>>>,
    ending_holders: Vec<DeviceQuestion<Result<ScreenHolder, NotEnded>>>,
    servers: Vec<ServerWorker>,
    reached: Vec<DeviceQuestion<(Reach, Result<(), String>)>>,
    checks: Vec<DeviceQuestion<Result<(), String>>>,
    /// The answers of checks, as they are known.
    answers: Answers,
    /// The programs that control the screen of the device that was opened last, with its serial.
    pub holders: Latest<(String, Vec<ScreenHolder>)>,
}

impl DeviceWorkers {
    /// Begins a task. Returns what is known at once: why it cannot begin.
    pub fn begin(
        &mut self,
        task: DeviceTask,
        leaving: &mut Leaving,
        wake: impl Fn() + Send + Clone + 'static,
    ) -> Option<DeviceNews> {
        match task {
            DeviceTask::Watch { start, before } => match DeviceWatch::begin(start, &before, wake) {
                Ok(watch) => {
                    // The previous thread is not waited for.
                    if let Some(before) = self.watch.replace(watch) {
                        leaving.add(before.thread);
                    }
                    None
                }
                Err(error) => Some(DeviceNews::NotWatched(error.to_string())),
            },
            DeviceTask::AskForCards(serial) => {
                let question = DeviceQuestion::start("app labels", &serial, wake, |link, unwanted| {
                    let cards = link.and_then(|link| app_cards(&link, unwanted));
                    cards.inspect_err(|error| tracing::info!(%error, "the labels of apps are not known")).ok()
                });
                let failed = question.map(|question| self.card_questions.push(question)).err()?;
                tracing::warn!(error = %failed, "the labels of apps cannot be asked for");
                Some(DeviceNews::Cards(serial, None))
            }
            DeviceTask::EndHolder(serial, holder) => {
                let question = DeviceQuestion::start("take over", &serial, wake, move |link, unwanted| {
                    end_screen_holder(&link?, &holder, unwanted).map(|()| holder)
                });
                let failed = question.map(|question| self.ending_holders.push(question)).err()?;
                Some(DeviceNews::HolderStays(serial, failed.to_string()))
            }
            DeviceTask::StartServer(serial) => {
                let worker = ServerWorker::start(&serial, wake);
                let failed = worker.map(|worker| self.servers.push(worker)).err()?;
                Some(DeviceNews::NoServer(serial, failed.to_string()))
            }
            DeviceTask::Reach(what) => {
                let (target, reach) = (what.target().to_owned(), what.clone());
                let question = DeviceQuestion::ask_server("reach", &target, wake, move |server, unwanted| {
                    let patience = Patience::new(REACH, &**unwanted);
                    let reached = server.and_then(|server| match &reach {
                        Reach::Pair { target, code } => Ok(server.pair(target, code, &patience)?),
                        Reach::Connect { target } => Ok(server.connect(target, &patience).map(drop)?),
                    });
                    (reach, reached.map_err(|error| error.to_string()))
                });
                let failed = question.map(|question| self.reached.push(question)).err()?;
                Some(DeviceNews::Reached(what, Err(failed.to_string())))
            }
            DeviceTask::Check(serial) => {
                let (on, answers, told) = (serial.clone(), self.answers.0.clone(), wake.clone());
                let question = DeviceQuestion::ask_server("check", &serial, wake, move |server, unwanted| {
                    let mut tell = |answer: &CheckAnswer| {
                        if answers.send((on.clone(), answer.clone())).is_ok() {
                            told();
                        }
                    };
                    let checked = server.and_then(|server| {
                        check_device(&server, &on, ControlMethod::Agent, unwanted, &mut tell)
                    });
                    checked.map(drop).map_err(|error| error.to_string())
                });
                let failed = question.map(|question| self.checks.push(question)).err()?;
                Some(DeviceNews::CheckEnded(serial, Err(failed.to_string())))
            }
            DeviceTask::Install(what, path) => {
                let worker = InstallWorker::start(what.clone(), path, wake);
                let failed = worker.map(|worker| self.installs.push(worker)).err()?;
                Some(DeviceNews::NotInstalled(what, failed.to_string()))
            }
        }
    }

    /// Tells the watch which devices are in use, and returns what the threads have reported.
    pub fn news(&mut self, in_use: DevicesInUse, leaving: &mut Leaving) -> Vec<DeviceNews> {
        let mut news = Vec::new();
        let installs = InstallWorker::take_ended(&mut self.installs, leaving);
        news.extend(installs.into_iter().map(|(what, outcome)| DeviceNews::Installed(what, outcome)));
        let servers = ServerWorker::take_updates(&mut self.servers, leaving);
        news.extend(servers.into_iter().map(|(serial, update)| DeviceNews::Server(serial, update)));
        if let Some(watch) = &self.watch {
            watch.lent(in_use);
            let list = watch.news.take().map(|devices| DeviceNews::List(devices.search, devices.list));
            news.extend(list);
        }
        let reached = DeviceQuestion::take_ended(&mut self.reached, leaving);
        news.extend(
            reached
                .into_iter()
                .filter_map(|(_, reached)| reached)
                .map(|(what, outcome)| DeviceNews::Reached(what, outcome)),
        );
        // First it is asked whether a check is over: all of its answers have been sent then.
        let over = DeviceQuestion::take_ended(&mut self.checks, leaving);
        news.extend(self.answers.1.try_iter().map(|(serial, answer)| DeviceNews::Checked(serial, answer)));
        news.extend(over.into_iter().map(|(serial, ended)| {
            DeviceNews::CheckEnded(serial, ended.unwrap_or_else(|| Err("it broke off".to_owned())))
        }));
        let cards = DeviceQuestion::take_ended(&mut self.card_questions, leaving);
        news.extend(cards.into_iter().map(|(serial, cards)| DeviceNews::Cards(serial, cards.flatten())));
        news.extend(self.holders.take().map(|(serial, holders)| DeviceNews::Holders(serial, holders)));
        let ended = DeviceQuestion::take_ended(&mut self.ending_holders, leaving);
        news.extend(ended.into_iter().map(|(serial, ended)| DeviceNews::HolderEnded(serial, ended)));
        news
    }
}
