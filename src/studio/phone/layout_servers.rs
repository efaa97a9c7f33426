//! uiautomator2 servers that were started from the window. Each is kept running by a thread of its own until the window
//! is closed.

use crossbeam_channel::{Receiver, bounded};

use taproof_adb::{StartedServer, link_to, reach_server, server_file};
use taproof_core::worker::{self, CancelToken, Leaving, PanicReport, Worker};

/// Interval in which a running server is checked.
const LOOK: std::time::Duration = std::time::Duration::from_millis(200);

/// A message of the thread.
pub(crate) enum ServerUpdate {
    Runs,
    /// The server ended or could not be started; the reason.
    Ended(String),
}

/// Handle of a thread that keeps a server running. Dropping it ends the server.
pub(crate) struct ServerWorker {
    serial: String,
    updates: Receiver<ServerUpdate>,
    thread: Worker,
}

impl ServerWorker {
    pub fn start(serial: &str, wake: impl Fn() + Send + Clone + 'static) -> std::io::Result<ServerWorker> {
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
            let ended = hold(&on, &cancel, &|| send(ServerUpdate::Runs)).err();
            send(ServerUpdate::Ended(
                ended.map_or_else(|| "it ended".to_owned(), |error| format!("{error:#}")),
            ));
        };
        let on_panic = move |report: PanicReport| {
            let why = format!("a mistake of Taproof\u{2019}s own ended it: {}", report.message);
            if panicked.send(ServerUpdate::Ended(why)).is_ok() {
                woken();
            }
        };
        let thread = worker::spawn("layout server", &token, work, on_panic)?;
        Ok(ServerWorker { serial: serial.to_owned(), updates, thread })
    }

    /// Takes the updates of the servers with their serials, and removes those that have ended.
    pub fn take_updates(servers: &mut Vec<Self>, leaving: &mut Leaving) -> Vec<(String, ServerUpdate)> {
        let workers = servers.iter();
        let updates: Vec<_> = workers
            .flat_map(|worker| worker.updates.try_iter().map(|update| (worker.serial.clone(), update)))
            .collect();
        for (serial, update) in &updates {
            let place = servers.iter().position(|worker| worker.serial == *serial);
            if let (ServerUpdate::Ended(_), Some(place)) = (update, place) {
                leaving.add(servers.remove(place).thread);
            }
        }
        updates
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
