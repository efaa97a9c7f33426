//! What is done first in every test of an app, as it stands in the form of campaigns.

use std::sync::Arc;

use super::campaign_form::CampaignForm;
use taproof_core::model::{InitialStep, Initialiser, XPath};

/// What is done first in every test of an app.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InitialSteps {
    /// The steps.
    pub steps: Arc<Vec<InitialStep>>,
    /// The XPath of what must be on the screen then, as typed; empty: nothing must.
    pub ready: String,
}

impl InitialSteps {
    /// As the workspace has it.
    pub fn of(first: Initialiser) -> Self {
        let ready = first.ready.as_ref().map_or_else(String::new, |ready| ready.source().to_owned());
        InitialSteps { steps: Arc::new(first.steps), ready }
    }

    /// What it means, if anything; or what is wrong with it.
    pub fn checked(&self) -> Result<Option<Arc<Initialiser>>, String> {
        let typed = Some(self.ready.trim()).filter(|ready| !ready.is_empty());
        let ready = typed.map(XPath::parse).transpose().map_err(|error| {
            let (at, expected, found) = (error.position + 1, &error.expected, &error.found);
            format!(
                "At letter {at} an XPath has {expected}, not {found}. Write it like //*[@text=\"OK\"], or leave it \
                 empty."
            )
        })?;
        let first = Initialiser { steps: self.steps.to_vec(), ready };
        Ok((!first.is_empty()).then(|| Arc::new(first)))
    }

    /// How many steps there are, in words.
    pub fn count(&self) -> String {
        match self.steps.len() {
            0 => "no steps".to_owned(),
            1 => "1 step".to_owned(),
            many => format!("{many} steps"),
        }
    }
}

impl CampaignForm {
    /// What is done first in tests of an app.
    pub fn first_of(&self, app: &str) -> InitialSteps {
        self.first.get(app).cloned().unwrap_or_default()
    }

    /// Something else is done first.
    pub fn do_first(&mut self, app: &str, first: InitialSteps) {
        if first == InitialSteps::default() {
            self.first.remove(app);
        } else {
            self.first.insert(app.to_owned(), first);
        }
    }

    /// What is done first in tests of an app, checked.
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
        assert_eq!(InitialSteps::of(Initialiser::clone(&ready)).checked().unwrap().unwrap(), ready);
        assert!(first("//*[@text=").checked().unwrap_err().starts_with("At letter 11 an XPath has "));
        let mut form = CampaignForm::default();
        form.do_first("org.ex", first("//*"));
        assert_eq!(form.first_of("org.ex").ready, "//*");
        form.do_first("org.ex", first(""));
        assert!(form.first.is_empty());
    }
}
