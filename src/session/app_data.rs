//! Whether tests may clear the data that an app holds on somebody’s device: decided here for the window and for
//! commands.

use std::collections::BTreeSet;

use taproof_campaign::DeviceChoice;
use taproof_screen::Initialiser;

/// What a confirmation means if the app’s data are kept, as a sentence.
pub const KEPT_DATA_MEANS: &str = "With its data kept, every test and every re-execution begins with what the app \
                                   holds then, not with an empty app: what is confirmed has come back in that state.";

/// A question that a person must answer before tests begin: they would clear an app’s data on devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataQuestion {
    /// Package name of the app.
    pub app: String,
    /// The serials of the devices on which nobody has allowed it yet.
    pub serials: Vec<String>,
}

impl DataQuestion {
    /// Returns what must be asked before tests of an app begin on a device. `first` is what precedes each test, and
    /// `may_clear` are the serials of the devices on which a person has allowed to clear this app. `None` if tests may
    /// begin: on the bundled phone, which nobody keeps data on, if the data are kept, and where it is allowed.
    pub fn before_tests(
        app: &str,
        device: &DeviceChoice,
        first: Option<&Initialiser>,
        may_clear: &BTreeSet<String>,
    ) -> Option<DataQuestion> {
        if first.is_some_and(|first| first.keep_data) {
            return None;
        }
        let mut serials = device.serials().to_vec();
        serials.retain(|serial| !may_clear.contains(serial));
        serials.sort_unstable();
        serials.dedup();
        (!serials.is_empty()).then(|| DataQuestion { app: app.to_owned(), serials })
    }

    /// Why something will be lost, and what, as sentences. `label` is the name of the app for people.
    pub fn words(&self, label: &str) -> String {
        format!("Tests begin with an empty app. {}", self.lost(label))
    }

    /// What will be lost, as a sentence.
    pub fn lost(&self, label: &str) -> String {
        let serials = self.serials.join(", ");
        format!(
            "All that {label} holds on {serials} is lost: what was written in it, its settings, and the accounts that it \
             is signed in to."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_somebody_may_lose_is_asked_about() {
        let adb = |serials: &[&str]| DeviceChoice::Adb(serials.iter().map(|it| (*it).to_owned()).collect());
        let asked = |device: &DeviceChoice, keep_data: bool, allowed: &[&str]| {
            let first = Initialiser { keep_data, ..Initialiser::default() };
            let allowed = allowed.iter().map(|it| (*it).to_owned()).collect();
            let question = DataQuestion::before_tests("org.ex", device, Some(&first), &allowed);
            question.map_or(Vec::new(), |question| question.serials)
        };
        assert!(asked(&DeviceChoice::Bundled, false, &[]).is_empty());
        assert_eq!(asked(&adb(&["a"]), false, &[]), ["a"]);
        assert!(asked(&adb(&["a"]), true, &[]).is_empty(), "nothing is cleared");
        assert!(asked(&adb(&["a"]), false, &["a"]).is_empty(), "it was answered");
        assert_eq!(asked(&adb(&["b", "a", "b"]), false, &["a"]), ["b"], "on another device it was not");
        let question = DataQuestion::before_tests("org.ex", &adb(&["a"]), None, &BTreeSet::new()).unwrap();
        assert!(question.words("Notes").contains("All that Notes holds on a is lost"));
    }
}
