//! The settings of engines: what the rest of the program learns from them, and how they are read and changed by name.

use serde_json::Value;

use super::{Engine, EngineConfig, PbfdroidConfig, RunPolicy, TestTarget};
use crate::spec::Spec;

/// Makes an engine, and provides what the campaign must know of it. Implemented by the settings of each engine, so that
/// a campaign can be repeated. Only [`name`](EngineSettings::name) and [`build`](EngineSettings::build) are required;
/// the defaults of the others suit an engine that knows nothing of specifications.
pub trait EngineSettings {
    /// The name that findings, commands and files use.
    fn name(&self) -> &'static str;
    /// Makes the engine for an app and its specification.
    fn build(&self, target: &TestTarget) -> Box<dyn Engine>;
    /// What a setting means, by its key. `None` if its name is all that is known.
    fn description(&self, _key: &str) -> Option<&'static str> {
        None
    }
    /// The engine's variant as one word; empty if it has only one.
    fn mode(&self) -> String {
        String::new()
    }
    /// Checks whether the engine can run with this specification.
    ///
    /// # Errors
    ///
    /// A [`ConfigError`] if the specification lacks something or a setting is out of range.
    fn check(&self, _spec: &Spec) -> Result<(), ConfigError> {
        Ok(())
    }
    /// How a DMF of a recorded trace is run again.
    fn run_policy(&self) -> RunPolicy {
        PbfdroidConfig::default().run_policy()
    }
    /// The factor for the engine's number of events. A baseline of PBFDroid gives each DMF as many events as the full
    /// engine has for the app (`pbfdroid/paper.md`, section 5).
    fn budget_shares(&self, _target: &TestTarget) -> u64 {
        1
    }
    /// Names of the settings that contain what was read from a file or folder that another setting names. They are too
    /// large to be shown or set as text.
    fn contents(&self) -> &'static [&'static str] {
        &[]
    }
    /// What the engine uses recorded traces for, in words such as "its first inputs"; `None` if it ignores them.
    fn begins_with_traces(&self) -> Option<&'static str> {
        None
    }
    /// Whether the engine judges outcomes itself: ODIN by what the app showed before, PBFDroid by its properties. ODIN's
    /// oracle is then not applied to its tests.
    fn judges_outcomes(&self) -> bool {
        false
    }
    /// Whether random events must not change the data that DMFs change, so that data model and app agree.
    fn guards_data(&self) -> bool {
        false
    }
}

/// Why an engine cannot run with its settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// There is no DMF to check the app against.
    #[error("{engine} needs a specification with at least one DMF of weight above 0: give one with --spec")]
    NoSpec {
        /// The engine's name, as in `EngineInfo::name`.
        engine: &'static str,
    },
    /// The specification has no such DMF, or its weight is 0.
    #[error("no DMF of weight above 0 is called {name:?}; there are {known}")]
    UnknownDmf {
        /// The name in the settings.
        name: String,
        /// The names of all DMFs of weight above 0, as a list for people.
        known: String,
    },
    /// There is no such relation.
    #[error("no relation is called {name:?}; there are {known}")]
    UnknownRelation {
        /// The name in the settings.
        name: String,
        /// The names of all relations, as a list for people.
        known: String,
    },
    /// The engine has no such setting.
    #[error("{engine} has no setting {key:?}; there are {known}")]
    UnknownKey {
        /// The engine's name, as in `EngineInfo::name`.
        engine: &'static str,
        /// The key as given, with dots between its parts.
        key: String,
        /// The settings that the engine has, as a list for people.
        known: String,
    },
    /// A setting cannot have this value.
    #[error("{engine}.{key} cannot be {value:?}: {problem}")]
    BadValue {
        /// The engine's name, as in `EngineInfo::name`.
        engine: &'static str,
        /// The setting, with dots between its parts.
        key: String,
        /// The rejected value, as given.
        value: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A number is out of its range.
    #[error("{engine}: {what} is {given}; {wanted}")]
    OutOfRange {
        /// The engine's name, as in `EngineInfo::name`.
        engine: &'static str,
        /// The setting, in words.
        what: &'static str,
        /// The rejected number as text.
        given: String,
        /// The allowed range, in words.
        wanted: &'static str,
    },
}

impl EngineConfig {
    /// Every setting with its value as JSON, by name: `lmax`, `weights.click`. Settings that were read from files are
    /// left out.
    pub fn values(&self) -> Vec<(String, Value)> {
        let mut values = Vec::new();
        // Values derived from plain settings can always be serialised.
        flatten("", serde_json::to_value(self).unwrap_or_default(), &mut values);
        let contents = self.settings().contents();
        let is_shown = |key: &str| {
            let first = key.split('.').next().unwrap_or_default();
            first != "engine" && !contents.contains(&first)
        };
        values.retain(|(key, _)| is_shown(key));
        values
    }

    /// The settings that differ from their defaults, as texts that [`set`](EngineConfig::set) accepts.
    pub fn changed(&self) -> Vec<(String, String)> {
        let default = (self.info().config)().values();
        let changed = self.values().into_iter().filter(|entry| !default.contains(entry));
        changed.map(|(key, value)| (key, text_of(&value))).collect()
    }

    /// The values of a setting that is an enumeration; empty if it takes any text, or is not a text.
    pub fn words(&self, key: &str) -> Vec<String> {
        // When serde rejects an unknown word, its message lists the known ones in backquotes.
        let refused = match self.clone().set(key, "\u{0}") {
            Err(ConfigError::BadValue { problem, .. }) => problem,
            Ok(()) | Err(_) => return Vec::new(),
        };
        let known = refused.split_once("expected ").map_or("", |(_, known)| known);
        known.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    /// Changes a setting by name. The value is JSON, or a word without quotes.
    ///
    /// # Errors
    ///
    /// [`ConfigError::UnknownKey`] if there is no such setting, and [`ConfigError::BadValue`] if it cannot have this
    /// value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigError> {
        let engine = self.name();
        let mut all = serde_json::to_value(&*self).unwrap_or_default();
        let place = key.split('.').try_fold(&mut all, |place, part| place.get_mut(part));
        let Some(place) = place.filter(|_| key != "engine") else {
            let known: Vec<String> = self.values().into_iter().map(|(known, _)| known).collect();
            return Err(ConfigError::UnknownKey { engine, key: key.to_owned(), known: known.join(", ") });
        };
        let word = || Value::String(value.to_owned());
        let given =
            if place.is_string() { word() } else { serde_json::from_str(value).unwrap_or_else(|_| word()) };
        *place = given;
        let bad = |error: serde_json::Error| ConfigError::BadValue {
            engine,
            key: key.to_owned(),
            value: value.to_owned(),
            problem: error.to_string(),
        };
        *self = serde_json::from_value(all).map_err(bad)?;
        Ok(())
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn flatten(prefix: &str, value: Value, into: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let key = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
                flatten(&key, value, into);
            }
        }
        value => into.push((prefix.to_owned(), value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Mode;

    #[test]
    fn each_setting_of_each_engine_is_described() {
        for info in crate::engine::ENGINES {
            let config = (info.config)();
            for (key, _) in config.values() {
                let said = config.settings().description(&key);
                assert!(said.is_some_and(|said| said.len() > 15), "{}.{key}: {said:?}", info.name);
            }
        }
    }

    #[test]
    fn settings_are_changed_by_name() {
        let mut config = EngineConfig::Pbfdroid(PbfdroidConfig::default());
        assert!(config.changed().is_empty());
        config.set("mode", "b").unwrap();
        config.set("weights.click", "7").unwrap();
        config.set("only", "[\"add note\"]").unwrap();
        let EngineConfig::Pbfdroid(changed) = &config else { panic!() };
        assert_eq!((changed.mode, changed.weights.click, changed.only.len()), (Mode::B, 7, 1));
        let text = |(key, value): (String, String)| format!("{key}={value}");
        let is_shown: Vec<String> = config.changed().into_iter().map(text).collect();
        assert_eq!(is_shown, ["mode=b", "only=[\"add note\"]", "weights.click=7"]);
        let before = config.clone();
        let unknown = config.set("weights.clack", "1").unwrap_err().to_string();
        assert!(
            unknown.contains("no setting \"weights.clack\"") && unknown.contains("weights.click"),
            "{unknown}"
        );
        assert!(config.set("lmax", "many").unwrap_err().to_string().contains("lmax cannot be \"many\""));
        assert_eq!(config.words("mode"), ["full", "a", "b"]);
        assert!(config.words("lmax").is_empty());
        assert!(matches!(config.set("engine", "genie"), Err(ConfigError::UnknownKey { .. })));
        assert_eq!(config, before);
    }
}
