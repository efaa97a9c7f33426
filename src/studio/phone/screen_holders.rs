//! Programs that keep the agent from controlling a device, and ending them when a person asks for it.

use taproof_adb::{NotEnded, ScreenHolder, end_screen_holder};

use super::device_question::DeviceQuestion;
use crate::app::Studio;

/// The task of ending a program; answered by what it was.
pub(crate) type EndQuestion = DeviceQuestion<Result<ScreenHolder, NotEnded>>;

impl Studio {
    /// Takes which programs control the screen of the device that was opened last.
    pub(crate) fn drain_holders(&mut self) {
        if let Some((serial, holders)) = self.holders.take() {
            self.state.devices.holders.insert(serial, holders);
        }
        for (serial, ended) in EndQuestion::take_ended(&mut self.ending_holders, &mut self.leaving) {
            self.state.devices.taking.remove(&serial);
            match ended {
                Some(Ok(holder)) => {
                    self.state.devices.holders.remove(&serial);
                    self.state.notify(format!("Ended {holder} on {serial}."));
                    if self.state.settings.target.device.as_deref() == Some(serial.as_str()) {
                        self.use_phone();
                    }
                }
                Some(Err(error)) => {
                    self.state.notify_failure(format!("{serial} was not taken over: {error}."))
                }
                None => self.state.notify_failure(format!("{serial} was not taken over.")),
            }
        }
    }

    /// Ends a program that controls the screen of a device, unless a campaign or a trial uses the device.
    pub(crate) fn take_over_screen(&mut self, serial: &str, holder: ScreenHolder) {
        if !self.is_free(serial) || !self.state.devices.taking.insert(serial.to_owned()) {
            return;
        }
        let task = EndQuestion::start("take over", serial, self.wake(), move |link, unwanted| {
            end_screen_holder(&link?, &holder, unwanted).map(|()| holder)
        });
        match task {
            Ok(task) => self.ending_holders.push(task),
            Err(error) => {
                self.state.devices.taking.remove(serial);
                self.state.notify_failure(format!("{serial} cannot be taken over: {error}"));
            }
        }
    }
}
