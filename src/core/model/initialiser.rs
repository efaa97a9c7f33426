//! The steps that precede every test of an app, such as those through its welcome screens or its login, and the widget
//! that must be on the screen before the test may begin.

use super::{RecordedStep, XPath};

/// The steps that precede every test of an app, and the widget to wait for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Initialiser {
    /// Performed whenever the app was launched with cleared data.
    pub steps: Vec<RecordedStep>,
    /// After any launch, a widget of this XPath must be on the screen. `None` if nothing is to be waited for.
    pub ready: Option<XPath>,
}

impl Initialiser {
    /// Whether there are no steps and nothing to wait for.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.ready.is_none()
    }

    /// What precedes each test as short text for people, such as `2 steps, then wait until … is on the screen`;
    /// `nothing` if empty.
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

    /// The wait as a clause for people, `until … is on the screen`; `None` if nothing is to be waited for.
    pub fn ready_words(&self) -> Option<String> {
        self.ready.as_ref().map(|ready| format!("until {} is on the screen", ready.source()))
    }

    /// The steps and the wait as imperative sentences, in order.
    pub fn sentences(&self) -> Vec<String> {
        let wait = self.ready_words().map(|ready| format!("Wait {ready}"));
        self.steps.iter().map(RecordedStep::sentence).chain(wait).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Event, Key, layout_from};

    #[test]
    fn it_says_what_is_done_in_a_few_words() {
        let layout = Arc::new(layout_from("TextView \"a\"\n"));
        let step = RecordedStep {
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
