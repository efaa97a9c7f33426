//! The steps that precede every test of an app, such as those through its welcome screens or its login, and the widget
//! that must be on the screen before the test may begin.

use serde::{Deserialize, Serialize};

use super::{RecordedStep, XPath};

/// What precedes every test of an app: what happens to its data, its first steps, and the widget to wait for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Initialiser {
    /// Whether the app's data are kept, such as an account. The steps are then left out: they are those of an app
    /// without data.
    pub keep_data: bool,
    /// Performed whenever the app was launched with cleared data.
    pub steps: Vec<RecordedStep>,
    /// After any launch, a widget of this XPath must be on the screen. `None` if nothing is to be waited for.
    pub ready: Option<XPath>,
}

impl Initialiser {
    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        *self == Initialiser::default()
    }

    /// What precedes each test as short text for people, such as `2 steps, then wait until … is on the screen`;
    /// `nothing` if empty.
    pub fn words(&self) -> String {
        let steps = match self.performed().len() {
            0 => None,
            1 => Some("1 step".to_owned()),
            many => Some(format!("{many} steps")),
        };
        let wait = self.ready_words().map(|ready| format!("wait {ready}"));
        let data = self.keep_data.then(|| "keep the app\u{2019}s data".to_owned());
        let words: Vec<String> = [data, steps, wait].into_iter().flatten().collect();
        if words.is_empty() { "nothing".to_owned() } else { words.join(", then ") }
    }

    /// The steps that are performed: none if the data are kept.
    pub fn performed(&self) -> &[RecordedStep] {
        if self.keep_data { &[] } else { &self.steps }
    }

    /// The wait as a clause for people, `until … is on the screen`; `None` if nothing is to be waited for.
    pub fn ready_words(&self) -> Option<String> {
        self.ready.as_ref().map(|ready| format!("until {} is on the screen", ready.source()))
    }

    /// What precedes a test as imperative sentences, in order.
    pub fn sentences(&self) -> Vec<String> {
        let data = self.keep_data.then(|| "Keep the app\u{2019}s data".to_owned());
        let wait = self.ready_words().map(|ready| format!("Wait {ready}"));
        let steps = self.performed().iter().map(RecordedStep::sentence);
        data.into_iter().chain(steps).chain(wait).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Event, Key, layout_from};

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
            let steps = vec![step.clone(); steps];
            let initialiser = Initialiser { steps, ready: ready.clone(), ..Initialiser::default() };
            assert_eq!(initialiser.words(), words);
        };
        check(0, &None, "nothing");
        check(1, &None, "1 step");
        check(0, &ready, "wait until //*[@text='a'] is on the screen");
        check(2, &ready, "2 steps, then wait until //*[@text='a'] is on the screen");
        let both = Initialiser { steps: vec![step], ready, ..Initialiser::default() };
        assert_eq!(both.sentences(), ["Press Back", "Wait until //*[@text='a'] is on the screen"]);
        let kept = Initialiser { keep_data: true, ..both };
        let words = "keep the app\u{2019}s data, then wait until //*[@text='a'] is on the screen";
        assert_eq!(kept.words(), words, "the steps are those of an app without data");
        assert_eq!(kept.sentences().len(), 2);
    }
}
