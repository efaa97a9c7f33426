//! The settings of engines: what each tells the rest of the program, and how they are read and changed by name.

use serde_json::Value;

use super::{Engine, EngineConfig, EngineInfo, PbfdroidConfig, RunPolicy, Setting};
use crate::spec::Spec;

/// What an engine's settings tell the rest of the program.
pub trait EngineSettings {
    /// How lists show it.
    fn info(&self) -> &'static EngineInfo;
    /// Makes the engine.
    fn build(&self, setting: &Setting) -> Box<dyn Engine>;
    /// The word for its variant, where it has several; empty where it has one.
    fn mode(&self) -> String {
        String::new()
    }
    /// Whether it can run with this specification.
    fn check(&self, _spec: &Spec) -> Result<(), ConfigError> {
        Ok(())
    }
    /// How a DMF of a recorded trace is run again.
    fn run_policy(&self) -> RunPolicy {
        PbfdroidConfig::default().run_policy()
    }
    /// How many times the plan's events it may take: a baseline of PBFDroid gives each DMF as many as the full
    /// engine has for the app (pbfdroid.md 5).
    fn budget_shares(&self, _setting: &Setting) -> u64 {
        1
    }
    /// Settings that hold what was read from a file or folder which another setting names: too much for words.
    fn contents(&self) -> &'static [&'static str] {
        &[]
    }
    /// What it makes of recorded traces that are given to it, in words; `None` if nothing.
    fn begins_with_traces(&self) -> Option<&'static str> {
        None
    }
    /// Whether ODIN's oracle is its own: it compares what it did itself.
    fn compares_outcomes(&self) -> bool {
        false
    }
    /// Whether random events must leave the data alone that DMFs change: only then model and app stay in step.
    fn guards_data(&self) -> bool {
        false
    }
}

/// Settings with which an engine cannot run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// There is nothing to check the app against.
    #[error("{engine} needs a specification with at least one DMF of weight above 0: give one with --spec")]
    NoSpec {
        /// The engine.
        engine: &'static str,
    },
    /// The specification has no such DMF, or it is switched off.
    #[error("no DMF of weight above 0 is called {name:?}; there are {known}")]
    UnknownDmf {
        /// As asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The engine has no such setting.
    #[error("{engine} has no setting {key:?}; there are {known}")]
    UnknownKey {
        /// The engine.
        engine: &'static str,
        /// As given, with dots between its parts.
        key: String,
        /// Those there are.
        known: String,
    },
    /// A setting cannot have this value.
    #[error("{engine}.{key} cannot be {value:?}: {problem}")]
    BadValue {
        /// The engine.
        engine: &'static str,
        /// The setting.
        key: String,
        /// As given.
        value: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A number is out of its range.
    #[error("{engine}: {what} is {given}; {wanted}")]
    OutOfRange {
        /// The engine.
        engine: &'static str,
        /// The setting.
        what: &'static str,
        /// As given.
        given: String,
        /// What it may be.
        wanted: &'static str,
    },
}

impl EngineConfig {
    /// Every setting with its value as JSON, by name: `lmax`, `weights.click`. What was read from files is not among
    /// them.
    pub fn values(&self) -> Vec<(String, Value)> {
        let mut values = Vec::new();
        // What is derived from plain settings can always be written.
        flatten("", serde_json::to_value(self).unwrap_or_default(), &mut values);
        let contents = self.settings().contents();
        let told = |key: &str| {
            let first = key.split('.').next().unwrap_or_default();
            first != "engine" && !contents.contains(&first)
        };
        values.retain(|(key, _)| told(key));
        values
    }

    /// Those that are not as they are by default, as texts that `set` takes.
    pub fn changed(&self) -> Vec<(String, String)> {
        let default = (self.settings().info().config)().values();
        let changed = self.values().into_iter().filter(|entry| !default.contains(entry));
        changed.map(|(key, value)| (key, text_of(&value))).collect()
    }

    /// The words that a setting can have; none where it takes any text, or is no text at all.
    pub fn words(&self, key: &str) -> Vec<String> {
        // Serde names in backquotes the words that it knows, in the refusal of one that nobody uses.
        let refused = match self.clone().set(key, "\u{0}") {
            Err(ConfigError::BadValue { problem, .. }) => problem,
            Ok(()) | Err(_) => return Vec::new(),
        };
        let known = refused.split_once("expected ").map_or("", |(_, known)| known);
        known.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    /// Changes a setting by name. The value is JSON, or a word that needs no quotes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigError> {
        let engine = self.settings().info().name;
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
    fn settings_are_changed_by_name() {
        let mut config = EngineConfig::Pbfdroid(PbfdroidConfig::default());
        assert!(config.changed().is_empty());
        config.set("mode", "b").unwrap();
        config.set("weights.click", "7").unwrap();
        config.set("only", "[\"add note\"]").unwrap();
        let EngineConfig::Pbfdroid(changed) = &config else { panic!() };
        assert_eq!((changed.mode, changed.weights.click, changed.only.len()), (Mode::B, 7, 1));
        let text = |(key, value): (String, String)| format!("{key}={value}");
        let told: Vec<String> = config.changed().into_iter().map(text).collect();
        assert_eq!(told, ["mode=b", "only=[\"add note\"]", "weights.click=7"]);
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
