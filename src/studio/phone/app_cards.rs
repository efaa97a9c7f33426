//! The labels and icons of the apps on devices. Each device is asked once for those of the apps that it has.

use std::collections::BTreeMap;

use taproof_adb::{AppCard, app_cards};

use super::device_question::DeviceQuestion;
use crate::app::Studio;

/// A question for the labels and icons. No answer if the device does not say them: then the packages are shown.
pub(crate) type CardQuestion = DeviceQuestion<Option<Vec<AppCard>>>;

impl Studio {
    /// Asks each device whose list of apps has changed for their labels and icons.
    pub(crate) fn ask_for_cards(&mut self) {
        let examined = self.state.devices.list.iter().filter(|line| line.is_examined());
        let apps = examined.map(|line| (line.serial.clone(), line.packages.clone()));
        for (serial, packages) in apps.filter(|(_, packages)| !packages.is_empty()).collect::<Vec<_>>() {
            let asked = self.carded.get(&serial) == Some(&packages);
            if asked || self.card_questions.iter().any(|question| question.serial == serial) {
                continue;
            }
            let question = CardQuestion::start("app labels", &serial, self.wake(), |link, unwanted| {
                let cards = link.and_then(|link| app_cards(&link, unwanted));
                cards.inspect_err(|error| tracing::info!(%error, "the labels of apps are not known")).ok()
            });
            match question {
                Ok(question) => self.card_questions.push(question),
                Err(error) => tracing::warn!(%error, "the labels of apps cannot be asked for"),
            }
            self.carded.insert(serial, packages);
        }
    }

    /// Takes the labels and icons that have come.
    pub(crate) fn drain_cards(&mut self) {
        for (serial, cards) in CardQuestion::take_ended(&mut self.card_questions, &mut self.leaving) {
            if let Some(cards) = cards.flatten() {
                let cards: BTreeMap<String, AppCard> =
                    cards.into_iter().map(|card| (card.package.clone(), card)).collect();
                self.state.devices.cards.insert(serial, cards);
                self.list_apps();
            }
        }
    }
}
