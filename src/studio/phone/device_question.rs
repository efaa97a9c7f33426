//! A question to a device, or a task there, on a separate thread, so that the window stays responsive.

use crossbeam_channel::{Receiver, TryRecvError, bounded};

use taproof_adb::host::AdbLink;
use taproof_adb::{link_to, reach_server};
use taproof_core::device::DeviceError;
use taproof_core::worker::{self, CancelToken, Leaving, Worker};

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
        let token = CancelToken::new();
        let (sender, end) = bounded(1);
        let (cancel, on) = (token.clone(), serial.to_owned());
        let work = move || {
            let unwanted = || cancel.asked_to_stop();
            let link = reach_server(&unwanted).and_then(|server| link_to(&server, &on));
            let answer = ask(link.map_err(DeviceError::from), &unwanted);
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
