//! uiautomator2 servers that were started from the window. Each is kept running by a thread of its own until the window
//! is closed.

use crossbeam_channel::{Receiver, bounded};

use super::LayoutServer;
use taproof_adb::{StartedServer, link_to, reach_server, server_file};
use taproof_core::worker::{self, CancelToken, PanicReport, Worker};

use crate::app::Studio;

/// Interval in which a running server is checked.
const LOOK: std::time::Duration = std::time::Duration::from_millis(200);

/// A message of the thread.
enum Update {
    Runs,
    /// The server ended or could not be started; the reason.
    Ended(String),
}

/// Handle of a thread that keeps a server running. Dropping it ends the server.
pub(crate) struct ServerWorker {
    serial: String,
    updates: Receiver<Update>,
    thread: Worker,
}

impl ServerWorker {
    fn start(serial: &str, wake: impl Fn() + Send + Clone + 'static) -> std::io::Result<ServerWorker> {
        let token = CancelToken::new();
        // Large enough for all updates of a server, so sending never blocks.
        let (sender, updates) = bounded(3);
        let (panicked, woken) = (sender.clone(), wake.clone());
        let (cancel, on) = (token.clone(), serial.to_owned());
        let work = move || {
            let send = |update| {
                if sender.send(update).is_ok() {
                    wake();
                }
            };
            let ended = hold(&on, &cancel, &|| send(Update::Runs)).err();
            send(Update::Ended(ended.map_or_else(|| "it ended".to_owned(), |error| format!("{error:#}"))));
        };
        let on_panic = move |report: PanicReport| {
            let why = format!("a mistake of Taproof\u{2019}s own ended it: {}", report.message);
            if panicked.send(Update::Ended(why)).is_ok() {
                woken();
            }
        };
        let thread = worker::spawn("layout server", &token, work, on_panic)?;
        Ok(ServerWorker { serial: serial.to_owned(), updates, thread })
    }
}

/// Starts a server and waits until it ends or is cancelled. Calls `runs` once the server is running.
fn hold(serial: &str, cancel: &CancelToken, runs: &dyn Fn()) -> anyhow::Result<()> {
    let unwanted = || cancel.asked_to_stop();
    let jar = server_file(&|name| std::env::var(name).ok()).map_err(anyhow::Error::msg)?;
    let link = link_to(&reach_server(&unwanted)?, serial)?;
    let Some(mut server) = StartedServer::start(&link, &jar, &unwanted)? else {
        // A server that something else started serves as well.
        runs();
        return Ok(());
    };
    runs();
    while server.runs_for(LOOK, &unwanted)? {}
    Ok(())
}

impl Studio {
    /// Starts the user's uiautomator2 server on a device, unless a campaign or a trial uses it.
    pub(crate) fn start_layout_server(&mut self, serial: &str) {
        if !self.is_free(serial) || self.layout_servers.iter().any(|worker| worker.serial == serial) {
            return;
        }
        match ServerWorker::start(serial, self.wake()) {
            Ok(worker) => {
                self.layout_servers.push(worker);
                self.state.devices.layout_servers.insert(serial.to_owned(), LayoutServer::Starting);
                self.state.notify(format!("Starting the uiautomator2 server on {serial}\u{2026}"));
            }
            Err(error) => {
                self.state.notify_failure(format!("The uiautomator2 server cannot be started: {error}"));
            }
        }
    }

    /// Takes the updates of the servers.
    pub(crate) fn drain_layout_servers(&mut self) {
        let workers = self.layout_servers.iter();
        let received: Vec<(String, Update)> = workers
            .flat_map(|worker| worker.updates.try_iter().map(|update| (worker.serial.clone(), update)))
            .collect();
        for (serial, update) in received {
            match update {
                Update::Runs => {
                    self.state.devices.layout_servers.insert(serial.clone(), LayoutServer::Runs);
                    let text = "its layouts come at once, and any text can be typed";
                    self.state.notify(format!("The uiautomator2 server runs on {serial}: {text}."));
                    if self.state.settings.target.device.as_deref() == Some(serial.as_str()) {
                        self.use_phone();
                    }
                }
                Update::Ended(why) => {
                    let place = self.layout_servers.iter().position(|worker| worker.serial == serial);
                    if let Some(worker) = place.map(|place| self.layout_servers.remove(place)) {
                        self.leaving.add(worker.thread);
                    }
                    let began = self.state.devices.layout_servers.remove(&serial);
                    if began == Some(LayoutServer::Starting) {
                        let text = format!("The uiautomator2 server was not started on {serial}: {why}.");
                        self.state.notify_failure(text);
                    }
                }
            }
        }
    }
}
