//! The initial steps of every test of an app, as the form of campaigns edits them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::CampaignForm;
use taproof_results::store::StoredInitialiser;
use taproof_screen::{Initialiser, RecordedStep, XPath};

/// The initial steps of every test of an app.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InitialSteps {
    /// The recorded steps, in the order in which they are performed.
    pub steps: Arc<Vec<RecordedStep>>,
    /// The XPath of a widget that must be shown afterwards, as typed. Empty for no condition.
    pub ready: String,
    /// Whether the app's data are kept between tests. The steps are then left out.
    pub keep_data: bool,
    /// The command of the host before each test, as typed. Empty for none.
    pub before_test: String,
    /// The serials of the devices on which the person has allowed that tests clear the app's data.
    pub may_clear: BTreeSet<String>,
}

impl InitialSteps {
    /// Converts from the format of the workspace.
    pub fn of(stored: StoredInitialiser) -> Self {
        let StoredInitialiser { initialiser: first, before_test, may_clear } = stored;
        let ready = first.ready.as_ref().map_or_else(String::new, |ready| ready.source().to_owned());
        let before_test = before_test.unwrap_or_default();
        InitialSteps {
            steps: Arc::new(first.steps),
            ready,
            keep_data: first.keep_data,
            before_test,
            may_clear,
        }
    }

    /// The command of the host before each test, if there is one.
    pub fn command(&self) -> Option<String> {
        Some(self.before_test.trim().to_owned()).filter(|command| !command.is_empty())
    }

    /// What the workspace stores. `None` if nothing is done before a test.
    ///
    /// # Errors
    ///
    /// As for [`InitialSteps::checked`].
    pub fn stored(&self) -> Result<Option<StoredInitialiser>, String> {
        let initialiser = self.checked()?.as_deref().cloned().unwrap_or_default();
        let may_clear = self.may_clear.clone();
        let stored = StoredInitialiser { initialiser, before_test: self.command(), may_clear };
        Ok((stored != StoredInitialiser::default()).then_some(stored))
    }

    /// Validates the steps. Returns `None` if there are no steps and no condition.
    ///
    /// # Errors
    ///
    /// If the XPath is invalid; what is wrong, as sentences.
    pub fn checked(&self) -> Result<Option<Arc<Initialiser>>, String> {
        let typed = Some(self.ready.trim()).filter(|ready| !ready.is_empty());
        let ready = typed.map(XPath::parse).transpose().map_err(|error| {
            let (at, expected, found) = (error.position + 1, &error.expected, &error.found);
            format!(
                "At letter {at} an XPath has {expected}, not {found}. Write it like //*[@text=\"OK\"], or leave it \
                 empty."
            )
        })?;
        let first = Initialiser { steps: self.steps.to_vec(), ready, keep_data: self.keep_data };
        Ok((!first.is_empty()).then(|| Arc::new(first)))
    }

    /// Takes a person's answer: whether tests may clear the app's data on these devices, or keep them on any.
    pub fn answer(&mut self, serials: &[String], clear: bool) {
        self.keep_data = !clear;
        for serial in serials {
            match clear {
                true => drop(self.may_clear.insert(serial.clone())),
                false => drop(self.may_clear.remove(serial)),
            }
        }
    }

    /// The number of steps, in words.
    pub fn count(&self) -> String {
        match self.steps.len() {
            0 => "no steps".to_owned(),
            1 => "1 step".to_owned(),
            many => format!("{many} steps"),
        }
    }
}

impl CampaignForm {
    /// The initial steps in tests of an app.
    pub fn first_of(&self, app: &str) -> InitialSteps {
        self.first.get(app).cloned().unwrap_or_default()
    }

    /// Replaces the initial steps in tests of an app.
    pub fn do_first(&mut self, app: &str, first: InitialSteps) {
        if first == InitialSteps::default() {
            self.first.remove(app);
        } else {
            self.first.insert(app.to_owned(), first);
        }
    }

    /// The command of the host before each test of an app.
    pub fn command_before(&self, app: &str) -> Option<String> {
        self.first.get(app).and_then(InitialSteps::command)
    }

    /// The validated initial steps in tests of an app.
    ///
    /// # Errors
    ///
    /// As for [`InitialSteps::checked`].
    pub fn initialiser(&self, app: &str) -> Result<Option<Arc<Initialiser>>, String> {
        self.first.get(app).map_or(Ok(None), InitialSteps::checked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_waited_for_is_an_xpath_or_nothing() {
        let first = |ready: &str| InitialSteps { ready: ready.to_owned(), ..InitialSteps::default() };
        assert_eq!(first("  ").checked(), Ok(None));
        let ready = first(" //*[@text='a'] ").checked().unwrap().unwrap();
        assert_eq!(ready.ready.as_ref().unwrap().source(), "//*[@text='a']");
        let mut stored = first("//*[@text='a']").stored().unwrap().unwrap();
        assert_eq!(
            stored,
            StoredInitialiser { initialiser: Initialiser::clone(&ready), ..StoredInitialiser::default() }
        );
        stored.before_test = Some("./reset.sh".to_owned());
        stored.initialiser.keep_data = true;
        assert_eq!(InitialSteps::of(stored.clone()).stored(), Ok(Some(stored)));
        assert_eq!(first("").stored(), Ok(None));
        assert!(first("//*[@text=").checked().unwrap_err().starts_with("At letter 11 an XPath has "));
        let mut form = CampaignForm::default();
        form.do_first("org.ex", first("//*"));
        assert_eq!(form.first_of("org.ex").ready, "//*");
        form.do_first("org.ex", first(""));
        assert!(form.first.is_empty());
    }
}
