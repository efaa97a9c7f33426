//! Installs apps on devices. The file is read and sent on a separate thread so that the window stays responsive.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use crossbeam_channel::{Receiver, bounded};

use super::Installing;
use crate::command::Command;
use taproof_adb::{install_app, link_to, reach_server};
use taproof_core::campaign::Target;
use taproof_core::worker::{self, CancelToken, PanicReport, Worker};

use crate::app::Studio;

/// Maximum size of an APK in bytes.
const LARGEST: u64 = 4 << 30;

/// The installed package (empty if it could not be determined), or why the install failed.
type Outcome = Result<String, String>;

/// Handle of an install's thread. Dropping it cancels the install and waits for the thread.
pub(crate) struct InstallWorker {
    what: Installing,
    end: Receiver<Outcome>,
    thread: Worker,
}

impl InstallWorker {
    fn start(
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

impl Studio {
    /// Installs a file on a device, unless a campaign, a trial or another install uses it.
    pub(crate) fn install_on(&mut self, serial: &str, path: PathBuf) {
        if !self.is_free(serial) {
            return;
        }
        if self.installs.iter().any(|worker| worker.what.serial == serial) {
            let text = format!("An app is being installed on {serial} already. Wait until it is there.");
            return self.state.notify_failure(text);
        }
        let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let what = Installing { serial: serial.to_owned(), file };
        match InstallWorker::start(what.clone(), path, self.wake()) {
            Ok(worker) => {
                self.state.notify(format!("Installing {} on {serial}\u{2026}", what.file));
                self.state.devices.installing.push(what);
                self.installs.push(worker);
            }
            Err(error) => self.state.notify_failure(format!("The install cannot start: {error}")),
        }
    }

    /// Installs a file that was dropped on the window.
    pub(crate) fn install_dropped(&mut self, path: PathBuf) {
        match self.state.devices.for_install(self.state.settings.target.device.as_deref()) {
            Ok(serial) => self.install_on(&serial, path),
            Err(why) => self.state.notify_failure(why),
        }
    }

    /// Takes the outcomes of installs.
    pub(crate) fn drain_installs(&mut self) {
        let ended = self.installs.iter().enumerate();
        let ended: Vec<(usize, Outcome)> =
            ended.filter_map(|(place, worker)| Some((place, worker.end.try_recv().ok()?))).collect();
        for (place, outcome) in ended.into_iter().rev() {
            let InstallWorker { what, thread, .. } = self.installs.remove(place);
            self.leaving.add(thread);
            self.state.devices.installing.retain(|installing| *installing != what);
            let Installing { serial, file } = what;
            match outcome {
                Ok(package) => {
                    let name = if package.is_empty() { &file } else { &package };
                    self.state.notify(format!("Installed {name} on {serial}."));
                    self.state.devices.choose_next = Some((serial, package));
                    // The list of apps is read again by a new thread.
                    self.watch_devices(true);
                }
                Err(problem) => {
                    // A device's message names the device already, and an unreadable file has nothing to do with it.
                    self.state.notify_failure(format!("{file} was not installed: {problem}."));
                }
            }
        }
    }

    /// Chooses an app that was just installed, once its device lists it.
    pub(crate) fn choose_installed(&mut self) {
        let Some((serial, package)) = self.state.devices.choose_next.take() else { return };
        let on_it = |device: &Option<String>| device.as_deref() == Some(serial.as_str());
        if self.state.apps.iter().any(|app| app.package == package && on_it(&app.device)) {
            self.commands.push(Command::UseApp(Target::installed(package, serial)));
        }
    }
}
