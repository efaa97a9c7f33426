//! What the form of a campaign keeps in files: first steps and test rules, as they were last written.

use crate::fuzz::{CampaignForm, InitialSteps};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use taproof_spec::{RuleEntry, TestRules};

/// The initial steps in the workspace, by app, and when they were last written there (seconds of the window's clock).
#[derive(Default)]
pub(crate) struct KeptInitial {
    /// What is written, by app.
    pub written: BTreeMap<String, InitialSteps>,
    /// When it was.
    pub at: f64,
}

/// The test rules for an app.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppRules {
    /// What was collected in the window.
    pub own: Arc<TestRules>,
    /// Paths of the files that the person chose.
    pub files: Vec<String>,
}

/// What is known of files of test rules.
#[derive(Default)]
pub struct RuleFiles {
    /// What the chosen files say, or why they cannot be used, by path.
    pub(crate) read: BTreeMap<String, Result<Arc<TestRules>, String>>,
    /// Paths that were asked for.
    pub(crate) asked: BTreeSet<String>,
    /// What the workspace holds, by app.
    pub(crate) written: BTreeMap<String, Arc<TestRules>>,
    /// Why the file of an app in the workspace cannot be used, by app. It is not written then.
    pub(crate) damaged: BTreeMap<String, String>,
}

/// A change of what was collected.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleChange {
    /// Adds an entry.
    Add(RuleEntry),
    /// Removes it.
    Remove(RuleEntry),
}

impl CampaignForm {
    /// The test rules for an app.
    pub fn rules_of(&self, app: &str) -> AppRules {
        self.rules.get(app).cloned().unwrap_or_default()
    }

    /// Replaces the test rules for an app.
    pub fn set_rules(&mut self, app: &str, rules: AppRules) {
        if rules == AppRules::default() {
            self.rules.remove(app);
        } else {
            self.rules.insert(app.to_owned(), rules);
        }
    }

    /// Adds a file to the test rules for the form's app, unless it is there.
    pub fn add_rules_file(&mut self, path: &Path) {
        let (app, path) = (self.target.app.clone(), path.display().to_string());
        let mut rules = self.rules_of(&app);
        if !rules.files.contains(&path) {
            rules.files.push(path);
        }
        self.set_rules(&app, rules);
    }
}

impl RuleFiles {
    /// What a chosen file says, or why it cannot be used. `None` until it is read.
    pub fn of(&self, path: &str) -> Option<Result<&TestRules, &str>> {
        let read = self.read.get(path)?;
        Some(read.as_deref().map_err(String::as_str))
    }

    /// Why nothing can be collected for an app: its file in the workspace cannot be used.
    pub fn damage(&self, app: &str) -> Option<&str> {
        self.damaged.get(app).map(String::as_str)
    }

    /// Has the chosen files read anew, since they may have been edited.
    pub(crate) fn forget(&mut self) {
        self.asked.clear();
    }

    pub(crate) fn take(&mut self, path: String, read: Result<TestRules, String>) {
        self.read.insert(path, read.map(Arc::new));
    }
}
