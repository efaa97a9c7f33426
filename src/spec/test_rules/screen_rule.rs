//! What is done about a screen that comes in between, such as an advert, a question or a login.

use serde::{Deserialize, Serialize};

use super::{ActivityPattern, one_selector};
use taproof_screen::{Layout, Selector, WidgetIdx};

/// What is done whenever a widget is on the screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScreenRule {
    /// Display name; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The widget.
    #[serde(deserialize_with = "one_selector")]
    pub when: Selector,
    /// Only there; everywhere if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activity: Option<ActivityPattern>,
    /// What is done, in order.
    #[serde(rename = "do")]
    pub actions: Vec<RuleAction>,
    /// How often it fires in a row, without an event of the engine in between, before it is stopped for the test.
    #[serde(default = "at_most")]
    pub at_most: u32,
}

fn at_most() -> u32 {
    5
}

/// One thing that a rule does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleAction {
    /// Taps the widget.
    Tap,
    /// Presses it long.
    LongPress,
    /// Types a text into it.
    Type(String),
    /// Taps another widget.
    TapOn(#[serde(deserialize_with = "one_selector")] Selector),
    /// Presses the Back key.
    Back,
    /// Waits so many milliseconds.
    Wait(u64),
    /// Stops the app and starts it again, with its data.
    Restart,
    /// Performs the first steps of the app again.
    FirstSteps,
}

impl ScreenRule {
    /// The widget that makes it fire; `None` if it does not.
    pub fn fires(&self, layout: &Layout) -> Option<WidgetIdx> {
        let there = self.activity.as_ref().is_none_or(|activity| activity.matches(layout.activity()));
        if there { self.when.matches(layout).first().copied() } else { None }
    }

    /// The selectors of the widgets that it looks for.
    pub(super) fn selectors(&self) -> impl Iterator<Item = &Selector> {
        let tapped = self.actions.iter().filter_map(|action| match action {
            RuleAction::TapOn(selector) => Some(selector),
            _ => None,
        });
        std::iter::once(&self.when).chain(tapped)
    }

    /// Its name for people: `number` is its index.
    pub fn label(&self, number: usize) -> String {
        match self.name.as_str() {
            "" => format!("rule {} (when {})", number + 1, self.when),
            name => format!("rule {name:?}"),
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        if self.actions.is_empty() {
            return Err(format!("the rule {:?} has nothing to do: write \"do\": [\"tap\"]", self.name));
        }
        if self.at_most == 0 {
            return Err(format!("the rule {:?} never fires: at_most is 0", self.name));
        }
        Ok(())
    }
}
