//! The settings of engines: what the rest of the program learns from them, and how they are read and changed by name.

use serde_json::Value;

use super::{Engine, EngineConfig, EngineInfo, RunPolicy, Setting, TestTarget};
use taproof_spec::{Dmf, Spec};

/// The key by which [`EngineConfig::set`] takes all settings of a preset at once.
pub const PRESET: &str = "preset";
/// The presets: our defaults, and the settings of the paper.
pub const PRESETS: [&str; 2] = ["tuned", "paper"];

/// Makes an engine, and provides what the campaign must know of it. Implemented by the settings of each engine, so that
/// a campaign can be repeated. Only [`name`](EngineSettings::name) and [`build`](EngineSettings::build) are required;
/// the defaults of the others suit an engine that knows nothing of specifications.
pub trait EngineSettings {
    /// The name that findings, commands and files use.
    fn name(&self) -> &'static str;
    /// Makes the engine for an app and its specification.
    fn build(&self, target: &TestTarget) -> Box<dyn Engine>;
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
        RunPolicy::default()
    }
    /// The factor for the engine's number of events. A baseline of PBFDroid gives each DMF as many events as the full
    /// engine has for the app (`pbfdroid/paper.md`, section 5).
    fn budget_shares(&self, _target: &TestTarget) -> u64 {
        1
    }
    /// Whether the engine begins with recorded traces, such as its first inputs; otherwise it ignores them.
    fn begins_with_traces(&self) -> bool {
        false
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
    /// Whether the engine runs this function of the specification: without settings of its own, each that a campaign may
    /// run if it guards the data.
    fn runs(&self, dmf: &Dmf) -> bool {
        self.guards_data() && dmf.runs()
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

impl ConfigError {
    /// Refuses a number of an engine that is out of its range.
    pub(crate) fn unless(
        in_range: bool,
        engine: &'static str,
        what: &'static str,
        given: impl ToString,
        wanted: &'static str,
    ) -> Result<(), ConfigError> {
        let error = || ConfigError::OutOfRange { engine, what, given: given.to_string(), wanted };
        if in_range { Ok(()) } else { Err(error()) }
    }
}

impl EngineInfo {
    /// The settings that a preset sets, with their values as texts; it leaves the others as they are. `None` if the engine
    /// has no such preset.
    pub fn preset(&self, name: &str) -> Option<Vec<(&'static str, String)>> {
        let [tuned, paper] = PRESETS;
        let default = (self.config)().values();
        let by_default =
            |key: &str| default.iter().find(|(known, _)| known == key).map(|(_, value)| text_of(value));
        let value = |(key, value): &(&'static str, &str)| match name == paper {
            true => Some((*key, (*value).to_owned())),
            false => Some((*key, by_default(key)?)),
        };
        let known = !self.paper.is_empty() && (name == tuned || name == paper);
        known.then(|| self.paper.iter().filter_map(value).collect())
    }
}

impl EngineConfig {
    /// What is known of a setting, by its key; nested keys are separated by dots. `None` if there is no such setting.
    pub fn setting(&self, key: &str) -> Option<Setting> {
        (self.info().setting)(key)
    }

    /// Every setting with its value as JSON, by name: `lmax`, `shares.genie`. What was read from files is left out.
    pub fn values(&self) -> Vec<(String, Value)> {
        let mut values = Vec::new();
        // Values derived from plain settings can always be serialised.
        flatten("", serde_json::to_value(self).unwrap_or_default(), &mut values);
        values.retain(|(key, _)| self.setting(key).is_some());
        values
    }

    /// The settings that differ from their defaults, as texts that [`set`](EngineConfig::set) accepts.
    pub fn changed(&self) -> Vec<(String, String)> {
        let default = (self.info().config)().values();
        let changed = self.values().into_iter().filter(|entry| !default.contains(entry));
        changed.map(|(key, value)| (key, text_of(&value))).collect()
    }

    /// Changes a setting by name, or with [`PRESET`] all settings of a preset. The value is JSON, a word without quotes, or
    /// words with commas between them.
    ///
    /// # Errors
    ///
    /// [`ConfigError::UnknownKey`] if there is no such setting, and [`ConfigError::BadValue`] if it cannot have this
    /// value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigError> {
        let (engine, has_presets) = (self.name(), !self.info().paper.is_empty());
        if key == PRESET && has_presets {
            return self.set_preset(value);
        }
        let mut all = serde_json::to_value(&*self).unwrap_or_default();
        let place = key.split('.').try_fold(&mut all, |place, part| place.get_mut(part));
        let Some(place) = place.filter(|_| self.setting(key).is_some()) else {
            let preset = has_presets.then(|| PRESET.to_owned());
            let known: Vec<String> =
                self.values().into_iter().map(|(known, _)| known).chain(preset).collect();
            return Err(ConfigError::UnknownKey { engine, key: key.to_owned(), known: known.join(", ") });
        };
        let word = |word: &str| Value::String(word.to_owned());
        let plain = |value: &str| serde_json::from_str(value).unwrap_or_else(|_| word(value));
        *place = match plain(value) {
            _ if place.is_string() => word(value),
            list @ Value::Array(_) => list,
            _ if place.is_array() => value.split(',').map(|part| plain(part.trim())).collect(),
            other => other,
        };
        let bad = |error: serde_json::Error| ConfigError::BadValue {
            engine,
            key: key.to_owned(),
            value: value.to_owned(),
            problem: error.to_string(),
        };
        *self = serde_json::from_value(all).map_err(bad)?;
        Ok(())
    }

    fn set_preset(&mut self, name: &str) -> Result<(), ConfigError> {
        let unknown = || ConfigError::BadValue {
            engine: self.name(),
            key: PRESET.to_owned(),
            value: name.to_owned(),
            problem: format!("there are {}", PRESETS.join(", ")),
        };
        let settings = self.info().preset(name).ok_or_else(unknown)?;
        settings.iter().try_for_each(|(key, value)| self.set(key, value))
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
    use std::collections::BTreeMap;

    use super::*;
    use crate::{Mode, PbfdroidConfig};

    #[test]
    fn each_setting_of_each_engine_is_described() {
        for info in crate::ENGINES {
            let config = (info.config)();
            for (key, value) in config.values() {
                let known = config.setting(&key).unwrap();
                assert!(known.description.len() > 15, "{}.{key}: {known:?}", info.name);
                let fits = known.words.is_empty() || known.words.contains(&value.as_str().unwrap());
                assert!(fits, "{}.{key}: {known:?}", info.name);
            }
        }
    }

    #[test]
    fn three_engines_judge_outcomes_by_themselves() {
        let by_itself = crate::ENGINES.iter().filter(|info| (info.config)().settings().judges_outcomes());
        let names: Vec<&str> = by_itself.map(|info| info.name).collect();
        assert_eq!(names, ["pbfdroid", "odin", "auto"]);
    }

    #[test]
    fn settings_are_changed_by_name() {
        let mut config = EngineConfig::Pbfdroid(PbfdroidConfig::default());
        assert!(config.changed().is_empty());
        config.set("mode", "b").unwrap();
        config.set("weights", "[7,0,0,0,0,0,0,0]").unwrap();
        config.set("only", "[\"add note\"]").unwrap();
        let EngineConfig::Pbfdroid(changed) = &config else { panic!() };
        assert_eq!((changed.mode, changed.weights.click, changed.only.len()), (Mode::B, 7, 1));
        let mut listed = config.clone();
        listed.set("weights", "7, 0,0,0,0,0,0,0").unwrap();
        listed.set("only", "add note").unwrap();
        assert_eq!(listed, config, "a list may be written as words with commas");
        let text = |(key, value): (String, String)| format!("{key}={value}");
        let is_shown: Vec<String> = config.changed().into_iter().map(text).collect();
        assert_eq!(is_shown, ["mode=b", "only=[\"add note\"]", "weights=[7,0,0,0,0,0,0,0]"]);
        let before = config.clone();
        let unknown = config.set("weights.clack", "1").unwrap_err().to_string();
        assert!(
            unknown.contains("no setting \"weights.clack\"") && unknown.contains("lmax, blanks"),
            "{unknown}"
        );
        assert!(config.set("lmax", "many").unwrap_err().to_string().contains("lmax cannot be \"many\""));
        let words = |key: &str| config.setting(key).unwrap().words;
        assert_eq!((words("mode"), words("lmax").len()), (&["full", "a", "b"][..], 0));
        assert!(matches!(config.set("engine", "genie"), Err(ConfigError::UnknownKey { .. })));
        assert_eq!(config, before);
    }

    #[test]
    fn a_preset_sets_what_differs_from_the_paper_and_leaves_the_rest() {
        for info in crate::ENGINES {
            let mut config = (info.config)();
            if info.paper.is_empty() {
                assert!(matches!(config.set(PRESET, "paper"), Err(ConfigError::UnknownKey { .. })));
                continue;
            }
            config.set(PRESET, "paper").unwrap();
            assert_eq!(config.settings().check(&Spec::default()).is_ok(), info.name != "pbfdroid");
            let changed: BTreeMap<_, _> = config.changed().into_iter().collect();
            let paper = |(key, value): &(&str, &str)| {
                let told = include_str!("../book/engines.md").contains(&format!("`{key}={value}`"));
                assert!(told, "the book says nothing of {}.{key}", info.name);
                ((*key).to_owned(), (*value).to_owned())
            };
            assert_eq!(changed, info.paper.iter().map(paper).collect(), "{}: each differs", info.name);
            config.set(PRESET, "tuned").unwrap();
            assert_eq!(config, (info.config)());
        }
        let mut config = EngineConfig::Pbfdroid(PbfdroidConfig { lmax: 50, ..PbfdroidConfig::default() });
        config.set(PRESET, "paper").unwrap();
        let EngineConfig::Pbfdroid(changed) = &config else { panic!() };
        assert_eq!((changed.lmax, changed.way_every, changed.weights.rotate), (50, 0, 0));
        let refused = config.set(PRESET, "best").unwrap_err().to_string();
        assert_eq!(refused, "pbfdroid.preset cannot be \"best\": there are tuned, paper");
    }

    #[test]
    fn a_stored_setting_that_is_not_known_is_refused() {
        let stored = "{\"engine\":\"genie\",\"outside_back\":5}";
        let refused = serde_json::from_str::<EngineConfig>(stored).unwrap_err().to_string();
        assert!(refused.contains("unknown field `outside_back`"), "{refused}");
    }
}
