//! The labels and icons of the apps on devices. Each device is asked on a separate thread, once for the apps that it has:
//! a slow one takes seconds.

use std::collections::BTreeMap;

use crossbeam_channel::{Receiver, bounded};

use taproof_adb::{AppCard, app_cards, link_to, reach_server};
use taproof_core::device::DeviceError;
use taproof_core::worker::{self, CancelToken, Worker};

use super::Studio;

/// Handle of a thread that asks a device. Dropping it cancels that and waits for the thread.
pub(super) struct CardWorker {
    serial: String,
    end: Receiver<Vec<AppCard>>,
    thread: Worker,
}

impl CardWorker {
    fn start(serial: &str, wake: impl Fn() + Send + 'static) -> std::io::Result<CardWorker> {
        let token = CancelToken::new();
        let (sender, end) = bounded(1);
        let (cancel, on) = (token.clone(), serial.to_owned());
        let work = move || {
            // Without them the packages are shown, as without an agent.
            let cards = ask(&on, &cancel).unwrap_or_else(|error| {
                tracing::info!(serial = on, %error, "the labels of its apps are not known");
                Vec::new()
            });
            if sender.send(cards).is_ok() {
                wake();
            }
        };
        let thread = worker::spawn("app labels", &token, work, |_| {})?;
        Ok(CardWorker { serial: serial.to_owned(), end, thread })
    }
}

fn ask(serial: &str, cancel: &CancelToken) -> Result<Vec<AppCard>, DeviceError> {
    let unwanted = || cancel.asked_to_stop();
    app_cards(&link_to(&reach_server(&unwanted)?, serial)?, &unwanted)
}

impl Studio {
    /// Asks each device whose list of apps has changed for their labels and icons.
    pub(super) fn ask_for_cards(&mut self) {
        let list = std::mem::take(&mut self.state.devices.list);
        for line in list.iter().filter(|line| line.is_examined() && !line.packages.is_empty()) {
            let asked = self.carded.get(&line.serial) == Some(&line.packages);
            if asked || self.card_workers.iter().any(|worker| worker.serial == line.serial) {
                continue;
            }
            match CardWorker::start(&line.serial, self.wake()) {
                Ok(worker) => self.card_workers.push(worker),
                Err(error) => tracing::warn!(%error, "the labels of apps cannot be asked for"),
            }
            self.carded.insert(line.serial.clone(), line.packages.clone());
        }
        self.state.devices.list = list;
    }

    /// Takes the labels and icons that have come.
    pub(super) fn drain_cards(&mut self) {
        let ended = self.card_workers.iter().enumerate();
        let ended: Vec<(usize, Vec<AppCard>)> = ended
            .filter_map(|(place, worker)| match worker.end.try_recv() {
                Ok(cards) => Some((place, cards)),
                Err(crossbeam_channel::TryRecvError::Empty) => None,
                // It panicked, which is in the log.
                Err(crossbeam_channel::TryRecvError::Disconnected) => Some((place, Vec::new())),
            })
            .collect();
        for (place, cards) in ended.into_iter().rev() {
            let CardWorker { serial, thread, .. } = self.card_workers.remove(place);
            self.leaving.add(thread);
            if !cards.is_empty() {
                let cards: BTreeMap<String, AppCard> =
                    cards.into_iter().map(|card| (card.package.clone(), card)).collect();
                self.state.devices.cards.insert(serial, cards);
                self.list_apps();
            }
        }
    }
}
