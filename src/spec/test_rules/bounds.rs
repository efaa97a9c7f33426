//! Where engines may go.

use serde::{Deserialize, Serialize};

use super::{ActivityPattern, TestRules, selectors};
use taproof_screen::{Layout, Selector, same_page};

/// Activities, screens and packages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lists {
    /// Activities of the app.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub activities: Vec<ActivityPattern>,
    /// Screens, each by a widget on it.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "selectors")]
    pub screens: Vec<Selector>,
    /// Packages. Of the allow list: those that may come in front of the app without counting as having left it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<String>,
}

/// Why an engine must leave a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutOfBounds {
    /// The activity in front is denied, or not allowed.
    Activity(String),
    /// The screen is denied, or not allowed; the page by name.
    Screen(String),
    /// The package in front is denied.
    Package(String),
}

impl Lists {
    /// Whether nothing is on the lists.
    pub fn is_empty(&self) -> bool {
        *self == Lists::default()
    }

    pub(super) fn extend(&mut self, others: &Lists) {
        self.activities.extend(others.activities.iter().cloned());
        self.screens.extend(others.screens.iter().cloned());
        self.packages.extend(others.packages.iter().cloned());
    }

    fn has_activity(&self, layout: &Layout) -> bool {
        self.activities.iter().any(|pattern| pattern.matches(layout.activity()))
    }

    fn has_screen(&self, layout: &Layout) -> bool {
        self.screens.iter().any(|selector| !selector.matches(layout).is_empty())
    }
}

impl TestRules {
    /// Whether there is a place that engines must leave.
    pub fn have_bounds(&self) -> bool {
        !self.deny.is_empty() || !self.allow.activities.is_empty() || !self.allow.screens.is_empty()
    }

    /// Why engines must leave a screen wherever it is: what is denied of it.
    pub fn denied(&self, layout: &Layout) -> Option<OutOfBounds> {
        let package = layout.package();
        if self.deny.packages.iter().any(|denied| denied == package) {
            Some(OutOfBounds::Package(package.to_owned()))
        } else if self.deny.has_activity(layout) {
            Some(OutOfBounds::Activity(layout.activity().to_string()))
        } else if self.deny.has_screen(layout) {
            Some(OutOfBounds::Screen(layout.page_name()))
        } else {
            None
        }
    }

    /// Why engines must leave the screen of an app; `None` if they may stay. What is not allowed is left only if it is
    /// of the app, and not the screen or activity that its tests begin with: `home`.
    pub fn out_of_bounds(&self, layout: &Layout, home: &Layout, app: &str) -> Option<OutOfBounds> {
        if let Some(denied) = self.denied(layout) {
            return Some(denied);
        }
        let activity = || OutOfBounds::Activity(layout.activity().to_string());
        let screen = || OutOfBounds::Screen(layout.page_name());
        if layout.package() != app {
            return None;
        }
        let allowed = &self.allow;
        if !allowed.activities.is_empty()
            && layout.activity() != home.activity()
            && !allowed.has_activity(layout)
        {
            return Some(activity());
        }
        let elsewhere = || !same_page(layout, home);
        (!allowed.screens.is_empty() && !allowed.has_screen(layout) && elsewhere()).then(screen)
    }
}

impl std::fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OutOfBounds::Activity(activity) => write!(f, "the activity {activity}"),
            OutOfBounds::Screen(page) => write!(f, "the screen {page}"),
            OutOfBounds::Package(package) => write!(f, "the package {package}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selector_of_text;
    use taproof_screen::layout_from;

    fn screen(activity: &str, text: &str) -> Layout {
        layout_from(&format!("FrameLayout\n  TextView#title \"{text}\"\n")).with_activity(activity.into())
    }

    fn activities(patterns: &[&str]) -> Lists {
        let activities = patterns.iter().map(|pattern| ActivityPattern((*pattern).to_owned())).collect();
        Lists { activities, ..Lists::default() }
    }

    #[test]
    fn what_is_denied_is_left_wherever_and_what_is_not_allowed_only_in_the_app() {
        let home = screen("org.ex/.Main", "Notes");
        let out = |rules: &TestRules, activity: &str, text: &str| {
            rules.out_of_bounds(&screen(activity, text), &home, "org.ex").map(|why| why.to_string())
        };
        let deny = |deny: Lists| TestRules { deny, ..TestRules::default() };
        let allow = |allow: Lists| TestRules { allow, ..TestRules::default() };
        let denied = deny(activities(&["Settings"]));
        assert_eq!(out(&denied, "org.ex/.Main", "Notes"), None);
        let why = "the activity org.ex/.Settings".to_owned();
        assert_eq!(out(&denied, "org.ex/.Settings", "Theme"), Some(why.clone()));
        let allowed = allow(activities(&["Editor"]));
        assert_eq!(out(&allowed, "org.ex/.Editor", "x"), None);
        assert_eq!(out(&allowed, "org.ex/.Main", "x"), None, "tests begin there");
        assert_eq!(out(&allowed, "org.ex/.Settings", "x"), Some(why));
        assert_eq!(out(&allowed, "org.other/.Settings", "x"), None, "engines leave it by themselves");
        let pay = Lists { screens: vec![selector_of_text("//*[@text='Pay']").unwrap()], ..Lists::default() };
        assert_eq!(out(&deny(pay.clone()), "org.ex/.Main", "Pay"), Some("the screen Main".to_owned()));
        assert_eq!(out(&deny(pay.clone()), "org.ex/.Main", "Notes"), None);
        assert_eq!(out(&allow(pay.clone()), "org.ex/.Other", "Pay"), None);
        assert!(out(&allow(pay), "org.ex/.Other", "Notes").is_some());
        let package = Lists { packages: vec!["android".to_owned()], ..Lists::default() };
        assert_eq!(out(&deny(package), "android/.Chooser", ""), Some("the package android".to_owned()));
        assert!(!TestRules::default().have_bounds());
    }
}
