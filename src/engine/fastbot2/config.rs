//! Fastbot2's settings and their defaults. `src/engine/fastbot2/paper.md` describes where each is used, and why some
//! differ from those of the published program.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::described;
use crate::fastbot2::ReuseModel;
use taproof_spec::UserRules;

/// Factor for the counts of other versions of the app (not in the paper; `src/engine/fastbot2/paper.md`, section 4).
const OLD_VERSION_FACTOR: f64 = 0.5;

/// Which half of the algorithm is active (the paper's ablation).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ablation {
    /// Both the probability model and learning.
    #[default]
    Both,
    /// The probability model alone; if it has no candidate, a random choice by priority.
    Model,
    /// Learning alone, without expansion and guidance.
    Learning,
}

/// Which visits the second part of the reward is divided by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Denominator {
    /// Visits of the state, so that new states of a known activity are worth something.
    #[default]
    State,
    /// Visits of the activity, as in the paper.
    Activity,
}

described! {
    /// Fastbot2's settings. [`Default`] has the values that `src/engine/fastbot2/paper.md` gives.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Fastbot2Config {
        /// Which half of the algorithm is active: both; model: the probability model without learning; learning: without
        /// the model.
        pub ablation: Ablation = Ablation::Both;
        /// Number of events of a test.
        pub test_events: usize = 500;
        /// The file that `prior` was read from and that what the campaign learns is added to; empty if there is none.
        pub model: String = String::new();
        /// The reuse model of earlier runs; `None` if there is none.
        pub prior: Option<Arc<ReuseModel>> = None;
        /// Version of the app; empty if unknown.
        pub app_version: String = String::new();
        /// Whether equal widgets count one by one: guidance may choose an event once for each of them in a run, and each is
        /// used once in a state before Q-values decide (not in the paper).
        pub each_widget: bool = true, paper "false";
        /// Temperature of the guided choice; 0.8 in the paper, which is close to uniform.
        pub alpha: f64 = 0.1, paper "0.8";
        /// Which visits the second part of the reward is divided by: those of the state, or of the activity, as in the
        /// paper.
        pub denominator: Denominator = Denominator::State, paper "activity";
        /// The folder that `rules` were read from; empty if there is none.
        pub rules_folder: String = String::new();
        /// The user-defined rules, as read from `rules_folder`.
        pub rules: UserRules = UserRules::default();
    }
}

impl Fastbot2Config {
    /// The model that a run with this app starts from; `None` if there is no model of this app.
    pub fn begins_with(&self, app: &str) -> Option<ReuseModel> {
        let mut model = ReuseModel::clone(self.prior.as_ref().filter(|prior| prior.package == app)?);
        self.age(&mut model);
        Some(model)
    }

    /// Reduces the weight of a model that was last learned from another version of the app.
    pub fn age(&self, model: &mut ReuseModel) {
        let version = &self.app_version;
        let older = model.versions.last().is_some_and(|last| !version.is_empty() && last != version);
        if older {
            model.scale(OLD_VERSION_FACTOR);
        }
    }
}

/// Bursts of events that no model chooses (`src/engine/fastbot2/paper.md`, section 8): how often, and
/// the weight of each kind.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bursts {
    /// Probability of a burst after a choice.
    pub rate: f64,
    /// Weight of turning the device.
    pub rotate: f64,
    /// Weight of opening the list of recent apps.
    pub app_switch: f64,
    /// Weight of the keys that move the focus.
    pub nav_keys: f64,
    /// Weight of the Menu key and the centre key.
    pub major_nav_keys: f64,
    /// Weight of any key at all.
    pub key_code: f64,
    /// Weight of the device's keys, such as Home and volume.
    pub system_keys: f64,
    /// Weight of drags between two points of the screen.
    pub drag: f64,
    /// Weight of taps anywhere on the screen; half of them are long.
    pub click: f64,
    /// Weight of switching Wi-Fi off; the network is on again after the burst.
    pub wifi: f64,
    /// Weight of airplane mode, which is off again after the burst.
    pub airplane: f64,
}

impl Bursts {
    /// Those of the published program.
    pub const PUBLISHED: Bursts = Bursts {
        rate: 0.01,
        rotate: 0.15,
        app_switch: 0.15,
        nav_keys: 0.15,
        major_nav_keys: 0.15,
        key_code: 0.15,
        system_keys: 0.15,
        drag: 0.5,
        click: 0.7,
        wifi: 0.001,
        airplane: 0.001,
    };
}

/// What the rules' `max.config` decides (`src/engine/fastbot2/paper.md`, section 9); what it does not name is as in the
/// published program.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RuleSettings {
    /// Whether anything is typed.
    pub types: bool,
    /// Whether only texts from the rules are typed.
    pub listed_only: bool,
    /// Whether a tap goes to a random point of its widget; otherwise to its centre.
    pub random_click: bool,
    /// Whether a page that stays stuck may end the test, which clears the app's data.
    pub clean_restart: bool,
    /// Frequency and content of bursts of random events.
    pub bursts: Bursts,
}

impl RuleSettings {
    /// The settings in `max.config`, whose values were checked when it was read.
    pub fn of(rules: &UserRules) -> Self {
        let mut of = RuleSettings {
            types: true,
            listed_only: false,
            random_click: true,
            clean_restart: true,
            bursts: Bursts::PUBLISHED,
        };
        let flag = |name: &str, into: &mut bool| {
            if let Some(value) = rules.settings.get(name) {
                *into = value == "true";
            }
        };
        let number = |name: &str, into: &mut f64| {
            if let Some(value) = rules.settings.get(name).and_then(|value| value.parse().ok()) {
                *into = value;
            }
        };
        flag("randomPickFromStringList", &mut of.listed_only);
        flag("doinputtextFuzzing", &mut of.types);
        flag("useRandomClick", &mut of.random_click);
        flag("clearPackage", &mut of.clean_restart);
        let bursts = &mut of.bursts;
        number("fuzzingRate", &mut bursts.rate);
        number("doRotateFuzzing", &mut bursts.rotate);
        number("doAppSwitchFuzzing", &mut bursts.app_switch);
        number("doNavKeyFuzzing", &mut bursts.nav_keys);
        number("doKeyCodeFuzzing", &mut bursts.key_code);
        number("doSystemKeyFuzzing", &mut bursts.system_keys);
        number("doDragFuzzing", &mut bursts.drag);
        number("doClickFuzzing", &mut bursts.click);
        number("doMutationWifiFuzzing", &mut bursts.wifi);
        number("doMutationAirplaneFuzzing", &mut bursts.airplane);
        of
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EngineConfig;
    use taproof_spec::Spec;

    #[test]
    fn parameters_are_checked_and_kept() {
        let config = EngineConfig::Fastbot2(Box::default());
        let text = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<EngineConfig>(&text).unwrap(), config);
        assert_eq!(serde_json::from_str::<EngineConfig>("{\"engine\":\"fastbot2\"}").unwrap(), config);
        let check = |key: &str, value: &str| {
            let mut config = config.clone();
            config.set(key, value).unwrap();
            config.settings().check(&Spec::default()).map_err(|error| error.to_string())
        };
        assert_eq!(check("alpha", "3"), Ok(()));
        assert_eq!(check("alpha", "0").unwrap_err(), "fastbot2: alpha is 0; a temperature is above 0");
        assert!(check("test_events", "0").is_err());
        let mut told = Fastbot2Config { model: "a.model".to_owned(), ..Fastbot2Config::default() };
        told.prior = Some(Arc::new(ReuseModel::of("org.ex")));
        told.rules.texts = vec!["a".to_owned()];
        let mut told = EngineConfig::Fastbot2(Box::new(told));
        assert_eq!(told.changed(), [("model".to_owned(), "a.model".to_owned())], "files are named, not told");
        assert!(told.set("prior", "null").is_err() && told.set("rules", "{}").is_err());
    }

    #[test]
    fn the_rules_have_settings_of_their_own() {
        let mut rules = UserRules::default();
        for (name, value) in [("fuzzingRate", "0.25"), ("useRandomClick", "false"), ("doDragFuzzing", "0")] {
            rules.settings.insert(name.to_owned(), value.to_owned());
        }
        let of = RuleSettings::of(&rules);
        assert_eq!((of.bursts.rate, of.bursts.drag, of.random_click), (0.25, 0.0, false));
        assert_eq!((of.bursts.click, of.types), (0.7, true));
    }
}
