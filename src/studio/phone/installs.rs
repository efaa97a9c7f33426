//! Installs apps on devices. The file is read and sent on a separate thread so that the window stays responsive.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use crossbeam_channel::{Receiver, bounded};

use super::Installing;
use taproof_adb::{install_app, link_to, reach_server};
use taproof_core::worker::{self, CancelToken, Leaving, PanicReport, Worker};

/// Maximum size of an APK in bytes.
const LARGEST: u64 = 4 << 30;

/// The installed package (empty if it could not be determined), or why the install failed.
pub(crate) type Outcome = Result<String, String>;

/// Handle of an install's thread. Dropping it cancels the install and waits for the thread.
pub(crate) struct InstallWorker {
    what: Installing,
    end: Receiver<Outcome>,
    thread: Worker,
}

impl InstallWorker {
    pub fn start(
        what: Installing,
        path: PathBuf,
        wake: impl Fn() + Send + Clone + 'static,
    ) -> std::io::Result<InstallWorker> {
        let token = CancelToken::new();
        let (sender, end) = bounded(1);
        let (panicked, woken) = (sender.clone(), wake.clone());
        let (cancel, serial) = (token.clone(), what.serial.clone());
        let work = move || {
            let outcome = install(&serial, &path, &cancel).map_err(|error| format!("{error:#}"));
            if sender.send(outcome).is_ok() {
                wake();
            }
        };
        let on_panic = move |report: PanicReport| {
            let text = format!("a mistake of Taproof\u{2019}s own ended it: {}", report.message);
            if panicked.send(Err(text)).is_ok() {
                woken();
            }
        };
        let thread = worker::spawn("install", &token, work, on_panic)?;
        Ok(InstallWorker { what, end, thread })
    }

    /// Removes the installs that have ended and returns the outcome of each.
    pub fn take_ended(installs: &mut Vec<Self>, leaving: &mut Leaving) -> Vec<(Installing, Outcome)> {
        let mut ended = Vec::new();
        for place in (0..installs.len()).rev() {
            if let Some(Ok(outcome)) = installs.get(place).map(|worker| worker.end.try_recv()) {
                let InstallWorker { what, thread, .. } = installs.remove(place);
                leaving.add(thread);
                ended.push((what, outcome));
            }
        }
        ended
    }
}

fn install(serial: &str, path: &Path, cancel: &CancelToken) -> anyhow::Result<String> {
    let unwanted = || cancel.asked_to_stop();
    let size = std::fs::metadata(path).context("the file cannot be read")?.len();
    if size > LARGEST {
        bail!("the file is larger than any app");
    }
    let apk = std::fs::read(path).context("the file cannot be read")?;
    let server = reach_server(&unwanted)?;
    Ok(install_app(&link_to(&server, serial)?, &apk, &unwanted)?.0)
}
