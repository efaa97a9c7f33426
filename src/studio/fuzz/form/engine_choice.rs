//! The choice of a campaign's engines and their settings, with validation.

use std::collections::BTreeMap;

use serde_json::Value;

use taproof_engine::{ConfigError, ENGINES, EngineConfig, EngineInfo, PRESETS};

/// Name of the engine that lets the others take turns.
const AUTO: &str = taproof_engine::auto::INFO.name;

/// Settings that another part of the form determines: the functions are chosen with the specification.
const ELSEWHERE: &[(&str, &str)] = &[("pbfdroid", "only"), (AUTO, "only")];

/// An engine in the form, with its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineChoice {
    /// The engine's name, as on the command line.
    pub name: &'static str,
    /// Whether the engine is chosen.
    pub on: bool,
    /// The settings that differ from their defaults, as typed.
    pub typed: BTreeMap<String, String>,
}

/// A setting as the form shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingField {
    /// The setting's key; nested keys are separated by dots.
    pub key: String,
    /// The default value, as text.
    pub default: String,
    /// The current value, as typed.
    pub text: String,
    /// The kind of value.
    pub kind: SettingKind,
    /// What it means, for people. `None` if only its name is known.
    pub hint: Option<&'static str>,
    /// Why the value is invalid. `None` if it is valid.
    pub problem: Option<String>,
}

/// The kind of a setting's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// A switch that is on or off.
    Switch,
    /// One of these keywords.
    Word(&'static [&'static str]),
    /// Free text, such as a number or a path.
    Text,
}

impl SettingField {
    /// Whether the value differs from the default.
    pub fn changed(&self) -> bool {
        self.text != self.default
    }

    /// The key's part before the last dot, which related settings share. Empty if there is no dot.
    pub fn group(&self) -> &str {
        self.key.rsplit_once('.').map_or("", |(group, _)| group)
    }

    /// The key's part after the last dot, in words.
    pub fn words(&self) -> String {
        self.key.rsplit_once('.').map_or(self.key.as_str(), |(_, name)| name).replace('_', " ")
    }
}

impl EngineChoice {
    /// All engines with their defaults. The one that lets the others take turns is chosen.
    pub fn all() -> Vec<EngineChoice> {
        let choice = |info: &EngineInfo| EngineChoice {
            name: info.name,
            on: info.name == AUTO,
            typed: BTreeMap::new(),
        };
        ENGINES.iter().map(choice).collect()
    }

    /// Whether this is the one that lets the others take turns, and runs alone.
    pub fn is_auto(&self) -> bool {
        self.name == AUTO
    }

    /// The description of the engine. `None` if the name is unknown.
    pub fn info(&self) -> Option<&'static EngineInfo> {
        ENGINES.iter().find(|info| info.name == self.name)
    }

    /// The engine's name for people.
    pub fn label(&self) -> &'static str {
        self.info().map_or(self.name, |info| info.label)
    }

    /// The configuration with all valid settings, and a problem for each invalid one. `None` if the engine is unknown.
    pub fn config(&self) -> Option<(EngineConfig, BTreeMap<&str, String>)> {
        let (mut config, mut problems) = ((self.info()?.config)(), BTreeMap::new());
        for (key, text) in &self.typed {
            if let Err(error) = config.set(key, text.trim()) {
                problems.insert(key.as_str(), problem(&config, key, error));
            }
        }
        Some((config, problems))
    }

    /// Changes a setting. A value equal to the default is not stored.
    pub fn set(&mut self, key: &str, text: String) {
        let default = self.info().and_then(|info| value_of(&(info.config)(), key));
        if default.is_some_and(|value| text_of(&value) == text) {
            self.typed.remove(key);
        } else {
            self.typed.insert(key.to_owned(), text);
        }
    }

    /// Drops settings that the engine does not have, such as those of an earlier version.
    pub fn forget_unknown(&mut self) {
        let config = self.info().map(|info| (info.config)());
        let is_known = |key: &str| config.as_ref().is_some_and(|config| config.setting(key).is_some());
        self.typed.retain(|key, _| is_known(key));
    }

    /// The preset that the settings which it sets are as in. `None` if they are of both or of neither.
    pub fn preset(&self) -> Option<&'static str> {
        let info = self.info().filter(|info| !info.paper.is_empty())?;
        let fields = self.fields();
        let is = |(key, value): &(&str, String)| {
            fields.iter().any(|field| field.key == *key && field.text.trim() == value)
        };
        PRESETS.into_iter().find(|name| info.preset(name).is_some_and(|settings| settings.iter().all(is)))
    }

    /// Takes over the settings of a preset.
    pub fn set_preset(&mut self, name: &str) {
        for (key, value) in self.info().and_then(|info| info.preset(name)).into_iter().flatten() {
            self.set(key, value);
        }
    }

    /// All settings that the form shows.
    pub fn fields(&self) -> Vec<SettingField> {
        let Some((config, problems)) = self.config() else { return Vec::new() };
        let Some(default) = self.info().map(|info| (info.config)()) else { return Vec::new() };
        let field = |(key, value): (String, Value)| {
            let shown = !ELSEWHERE.contains(&(self.name, key.as_str()));
            let (default, known) = (text_of(&value), config.setting(&key));
            shown.then(|| SettingField {
                text: self.typed.get(&key).unwrap_or(&default).clone(),
                kind: match &value {
                    Value::Bool(_) => SettingKind::Switch,
                    Value::String(_) => match known.map_or(&[][..], |known| known.words) {
                        [] => SettingKind::Text,
                        words => SettingKind::Word(words),
                    },
                    Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => SettingKind::Text,
                },
                hint: known.map(|known| known.description),
                problem: problems.get(key.as_str()).cloned(),
                default,
                key,
            })
        };
        default.values().into_iter().filter_map(field).collect()
    }
}

fn value_of(config: &EngineConfig, key: &str) -> Option<Value> {
    config.values().into_iter().find(|(known, _)| known == key).map(|(_, value)| value)
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Explains why a value is invalid, with an example of a valid one.
fn problem(config: &EngineConfig, key: &str, error: ConfigError) -> String {
    let ConfigError::BadValue { problem, .. } = error else { return error.to_string() };
    match value_of(config, key) {
        Some(Value::Number(number)) if number.is_f64() => format!("Give a number, such as {number}."),
        Some(Value::Number(number)) => format!("Give a whole number from 0, such as {number}."),
        Some(value @ Value::Array(_)) => {
            format!("Give a list in square brackets, such as {value}: {problem}.")
        }
        Some(Value::Null | Value::Bool(_) | Value::String(_) | Value::Object(_)) | None => {
            format!("This does not fit: {problem}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(name: &str) -> EngineChoice {
        EngineChoice::all().into_iter().find(|choice| choice.name == name).unwrap()
    }

    #[test]
    fn every_engine_can_be_set_and_reset() {
        for mut choice in EngineChoice::all() {
            let fields = choice.fields();
            assert!(
                fields.iter().all(|field| !field.changed() && field.problem.is_none()),
                "{}",
                choice.name
            );
            assert!(!fields.iter().any(|field| field.key == "only"));
            for field in fields {
                choice.set(&field.key, field.text.clone());
            }
            assert!(choice.typed.is_empty(), "what is as by default is not kept");
        }
    }

    #[test]
    fn what_does_not_fit_is_said_beside_its_setting() {
        let mut genie = choice("genie");
        genie.set("max_detour", "many".to_owned());
        genie.set("seed_length", " 9 ".to_owned());
        let (config, problems) = genie.config().unwrap();
        let usual =
            |key: &str| choice("genie").fields().into_iter().find(|field| field.key == key).unwrap().text;
        let wanted = format!("Give a whole number from 0, such as {}.", usual("max_detour"));
        assert_eq!(problems["max_detour"], wanted);
        assert_eq!(config.changed(), [("seed_length".to_owned(), "9".to_owned())]);
        genie.set("max_detour", usual("max_detour"));
        assert!(!genie.typed.contains_key("max_detour"));
        let mut fastbot2 = choice("fastbot2");
        fastbot2.set("alpha", "lots".to_owned());
        assert_eq!(fastbot2.config().unwrap().1["alpha"], "Give a number, such as 0.1.");
    }

    #[test]
    fn a_preset_fills_the_fields_and_leaves_what_it_does_not_name() {
        let mut genie = choice("genie");
        assert_eq!(genie.preset(), Some("tuned"));
        genie.set("events_per_seed", "90".to_owned());
        genie.set_preset("paper");
        assert_eq!((genie.preset(), genie.typed["max_detour"].as_str()), (Some("paper"), "8"));
        assert!(genie.config().unwrap().1.is_empty());
        genie.set("max_detour", "5".to_owned());
        assert_eq!(genie.preset(), None);
        genie.set_preset("tuned");
        assert_eq!(genie.typed.into_iter().collect::<Vec<_>>(), [("events_per_seed".into(), "90".into())]);
        assert_eq!(choice("monkey").preset(), None);
    }

    #[test]
    fn words_and_switches_are_chosen() {
        let kind = |name: &str, key: &str| {
            choice(name).fields().into_iter().find(|field| field.key == key).unwrap().kind
        };
        let words = SettingKind::Word(&["random", "fastbot2", "timemachine"]);
        assert_eq!(kind("pbfdroid", "explore"), words);
        assert_eq!(kind("monkey", "restart"), SettingKind::Switch);
        assert_eq!(kind("fastbot2", "app_version"), SettingKind::Text);
    }
}
