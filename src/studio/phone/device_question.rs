//! A question to a device, or a task there, on a separate thread, so that the window stays responsive.

use std::sync::Arc;

use crossbeam_channel::{Receiver, TryRecvError, bounded};

use taproof_adb::host::{AdbLink, AdbServer};
use taproof_adb::{link_to, reach_server};
use taproof_core::device::DeviceError;
use taproof_core::worker::{self, CancelToken, Leaving, Unwanted, Worker};

/// Handle of the thread. Dropping it cancels the question and waits for the thread.
pub(crate) struct DeviceQuestion<T> {
    pub serial: String,
    end: Receiver<T>,
    thread: Worker,
}

impl<T: Send + 'static> DeviceQuestion<T> {
    /// Starts the thread, which calls `ask` with the link to the device, or why there is none, and whether the answer is
    /// no longer wanted.
    pub fn start(
        name: &str,
        serial: &str,
        wake: impl Fn() + Send + 'static,
        ask: impl FnOnce(Result<AdbLink, DeviceError>, &dyn Fn() -> bool) -> T + Send + 'static,
    ) -> std::io::Result<Self> {
        let on = serial.to_owned();
        DeviceQuestion::ask_server(name, serial, wake, move |server, unwanted| {
            let link = server.and_then(|server| Ok(link_to(&server, &on)?));
            ask(link, &**unwanted)
        })
    }

    /// As [`DeviceQuestion::start`], with the adb server instead of a link to a device that it knows.
    pub fn ask_server(
        name: &str,
        serial: &str,
        wake: impl Fn() + Send + 'static,
        ask: impl FnOnce(Result<AdbServer, DeviceError>, &Unwanted) -> T + Send + 'static,
    ) -> std::io::Result<Self> {
        let token = CancelToken::new();
        let (sender, end) = bounded(1);
        let cancel = token.clone();
        let work = move || {
            let unwanted: Unwanted = Arc::new(move || cancel.asked_to_stop());
            let answer = ask(reach_server(&*unwanted).map_err(DeviceError::from), &unwanted);
            if sender.send(answer).is_ok() {
                wake();
            }
        };
        let thread = worker::spawn(name, &token, work, |_| {})?;
        Ok(DeviceQuestion { serial: serial.to_owned(), end, thread })
    }

    /// Removes those that have ended and returns the serial and the answer of each; no answer if the thread panicked.
    pub fn take_ended(asked: &mut Vec<Self>, leaving: &mut Leaving) -> Vec<(String, Option<T>)> {
        let mut ended = Vec::new();
        for place in (0..asked.len()).rev() {
            let answer = match asked.get(place).map(|question| question.end.try_recv()) {
                Some(Ok(answer)) => Some(answer),
                Some(Err(TryRecvError::Disconnected)) => None,
                Some(Err(TryRecvError::Empty)) | None => continue,
            };
            let DeviceQuestion { serial, thread, .. } = asked.remove(place);
            leaving.add(thread);
            ended.push((serial, answer));
        }
        ended
    }
}
