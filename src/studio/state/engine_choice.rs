//! Which engines a campaign runs, and how each is set: what was picked and typed, and what is wrong with it.

use std::collections::BTreeMap;

use serde_json::Value;

use taproof_core::engine::{ConfigError, ENGINES, EngineConfig, EngineInfo};

/// Settings that the form asks for elsewhere: the functions are chosen with the specification.
const ELSEWHERE: &[(&str, &str)] = &[("pbfdroid", "only")];

/// An engine that a campaign may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineChoice {
    /// Which: the word that commands use.
    pub name: &'static str,
    /// Whether it is picked.
    pub on: bool,
    /// The settings that are not as they are by default, as typed.
    pub typed: BTreeMap<String, String>,
}

/// One setting, as a form shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingField {
    /// Its name, with dots between its parts.
    pub key: String,
    /// As it is by default.
    pub default: String,
    /// As it is now.
    pub text: String,
    /// What it can be.
    pub kind: SettingKind,
    /// What is wrong with it.
    pub problem: Option<String>,
}

/// What a setting can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// On or off.
    Switch,
    /// One of these words.
    Word(Vec<String>),
    /// Something typed.
    Text,
}

impl SettingField {
    /// Whether it is not as it is by default.
    pub fn changed(&self) -> bool {
        self.text != self.default
    }

    /// The part of its name that several share; empty where it stands alone.
    pub fn group(&self) -> &str {
        self.key.rsplit_once('.').map_or("", |(group, _)| group)
    }

    /// Its name within the group, in words.
    pub fn words(&self) -> String {
        self.key.rsplit_once('.').map_or(self.key.as_str(), |(_, name)| name).replace('_', " ")
    }
}

impl EngineChoice {
    /// All engines; PBFDroid alone is picked.
    pub fn all() -> Vec<EngineChoice> {
        let choice = |info: &EngineInfo| EngineChoice {
            name: info.name,
            on: info.name == "pbfdroid",
            typed: BTreeMap::new(),
        };
        ENGINES.iter().map(choice).collect()
    }

    /// What lists show of it.
    pub fn info(&self) -> Option<&'static EngineInfo> {
        ENGINES.iter().find(|info| info.name == self.name)
    }

    /// What people call it.
    pub fn label(&self) -> &'static str {
        self.info().map_or(self.name, |info| info.label)
    }

    /// The engine with what was typed, and what is wrong with each setting that it cannot have.
    pub fn config(&self) -> Option<(EngineConfig, BTreeMap<&str, String>)> {
        let (mut config, mut problems) = ((self.info()?.config)(), BTreeMap::new());
        for (key, text) in &self.typed {
            if let Err(error) = config.set(key, text.trim()) {
                problems.insert(key.as_str(), problem(&config, key, error));
            }
        }
        Some((config, problems))
    }

    /// A setting was typed; what is as by default is forgotten.
    pub fn set(&mut self, key: &str, text: String) {
        let default = self.info().and_then(|info| value_of(&(info.config)(), key));
        if default.is_some_and(|value| text_of(&value) == text) {
            self.typed.remove(key);
        } else {
            self.typed.insert(key.to_owned(), text);
        }
    }

    /// All settings that the form shows.
    pub fn fields(&self) -> Vec<SettingField> {
        let Some((config, problems)) = self.config() else { return Vec::new() };
        let Some(default) = self.info().map(|info| (info.config)()) else { return Vec::new() };
        let field = |(key, value): (String, Value)| {
            let shown = !ELSEWHERE.contains(&(self.name, key.as_str()));
            let default = text_of(&value);
            shown.then(|| SettingField {
                text: self.typed.get(&key).unwrap_or(&default).clone(),
                kind: match &value {
                    Value::Bool(_) => SettingKind::Switch,
                    Value::String(_) => match config.words(&key) {
                        words if words.is_empty() => SettingKind::Text,
                        words => SettingKind::Word(words),
                    },
                    Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => SettingKind::Text,
                },
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

/// What is wrong with a value, and what would do.
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
        genie.set("seeds", "many".to_owned());
        genie.set("touch_percent", "lots".to_owned());
        genie.set("mining_test", " 90 ".to_owned());
        let (config, problems) = genie.config().unwrap();
        let usual =
            |key: &str| choice("genie").fields().into_iter().find(|field| field.key == key).unwrap().text;
        let wanted = format!("Give a whole number from 0, such as {}.", usual("seeds"));
        assert_eq!(problems["seeds"], wanted);
        assert_eq!(problems["touch_percent"], "Give a number, such as 60.0.");
        assert_eq!(config.changed(), [("mining_test".to_owned(), "90".to_owned())]);
        genie.set("seeds", usual("seeds"));
        assert!(!genie.typed.contains_key("seeds"));
    }

    #[test]
    fn words_and_switches_are_chosen() {
        let kind = |name: &str, key: &str| {
            choice(name).fields().into_iter().find(|field| field.key == key).unwrap().kind
        };
        let words = ["random", "fastbot2", "timemachine"].map(str::to_owned).to_vec();
        assert_eq!(kind("pbfdroid", "explore"), SettingKind::Word(words));
        assert_eq!(kind("monkey", "restart"), SettingKind::Switch);
        assert_eq!(kind("fastbot2", "app_version"), SettingKind::Text);
    }
}
