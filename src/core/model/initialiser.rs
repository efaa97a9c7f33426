//! What is done first in every test of an app: the steps through its welcome screens or its login, and the widget
//! that must be on the screen before the test may begin.

use std::sync::Arc;

use super::{Event, Layout, XPath, event_sentence};

/// What is done first in every test of an app.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Initialiser {
    /// Done whenever the app was launched with cleared data.
    pub steps: Vec<InitialStep>,
    /// After any launch, a widget of this XPath must be on the screen.
    pub ready: Option<XPath>,
}

/// One of the steps, as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialStep {
    /// What is done.
    pub event: Event,
    /// The screen before it.
    pub before: Arc<Layout>,
    /// The screen after it.
    pub after: Arc<Layout>,
}

impl InitialStep {
    /// What is done, in words.
    pub fn sentence(&self) -> String {
        event_sentence(&self.event, &self.before)
    }
}

impl Initialiser {
    /// Whether there is nothing to do and nothing to wait for.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.ready.is_none()
    }

    /// What happens before each test, in a few words.
    pub fn words(&self) -> String {
        let steps = match self.steps.len() {
            0 => None,
            1 => Some("1 step".to_owned()),
            many => Some(format!("{many} steps")),
        };
        match (steps, self.ready_words().map(|ready| format!("wait {ready}"))) {
            (Some(steps), Some(ready)) => format!("{steps}, then {ready}"),
            (Some(steps), None) => steps,
            (None, Some(ready)) => ready,
            (None, None) => "nothing".to_owned(),
        }
    }

    /// What is waited for, in words.
    pub fn ready_words(&self) -> Option<String> {
        self.ready.as_ref().map(|ready| format!("until {} is on the screen", ready.source()))
    }

    /// All that a person does, in order.
    pub fn sentences(&self) -> Vec<String> {
        let wait = self.ready_words().map(|ready| format!("Wait {ready}"));
        self.steps.iter().map(InitialStep::sentence).chain(wait).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Key, layout_from};

    #[test]
    fn it_says_what_is_done_in_a_few_words() {
        let layout = Arc::new(layout_from("TextView \"a\"\n"));
        let step = InitialStep {
            event: Event::Key(Key::Back),
            before: Arc::clone(&layout),
            after: Arc::clone(&layout),
        };
        let ready = XPath::parse("//*[@text='a']").ok();
        let check = |steps: usize, ready: &Option<XPath>, words: &str| {
            let initialiser = Initialiser { steps: vec![step.clone(); steps], ready: ready.clone() };
            assert_eq!(initialiser.words(), words);
        };
        check(0, &None, "nothing");
        check(1, &None, "1 step");
        check(0, &ready, "wait until //*[@text='a'] is on the screen");
        check(2, &ready, "2 steps, then wait until //*[@text='a'] is on the screen");
        let both = Initialiser { steps: vec![step], ready };
        assert_eq!(both.sentences(), ["Press Back", "Wait until //*[@text='a'] is on the screen"]);
    }
}
