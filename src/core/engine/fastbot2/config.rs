//! Fastbot2's parameters and their defaults. `src/core/engine/fastbot2/paper.md` describes where each is used, and why
//! some differ from those of the published program.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{ActionKind, ReuseModel, described};
use crate::spec::UserRules;

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

/// What a Q-value belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QKey {
    /// The event, in whichever state it is executed.
    #[default]
    Event,
    /// The event in one state.
    StateEvent,
}

/// What Q-values are divided by before the softmax.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QScale {
    /// The running mean of the difference between the best and the worst Q-value of a page.
    #[default]
    RunningSpread,
    /// The best Q-value of the page.
    PageBest,
    /// They are not divided.
    One,
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
    /// How actions are weighted (`src/core/engine/fastbot2/paper.md`, section 3.3).
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Priorities {
        /// Base weight of a tap.
        pub click: u32,
        /// Base weight of a long press.
        pub long_click: u32,
        /// Base weight of a swipe.
        pub scroll: u32,
        /// Base weight of everything else, such as Back.
        pub other: u32,
        /// Added for an action on a widget that was not executed in this state.
        pub unvisited: u32,
        /// Added, times the base weight, while the action was not executed on each of its equal widgets in this state.
        pub unsaturated: u32,
        /// Added for an action without a widget that was not executed in this state.
        pub untargeted: u32,
    }
}

impl Default for Priorities {
    fn default() -> Self {
        Priorities {
            click: 4,
            long_click: 2,
            scroll: 2,
            other: 1,
            unvisited: 20,
            unsaturated: 5,
            untargeted: 5,
        }
    }
}

impl Priorities {
    /// The weight of an action. `visits`: how often it was executed in this state. `widgets`: number of equal widgets
    /// that offer it.
    pub fn weight(&self, kind: ActionKind, visits: u32, widgets: u32) -> u32 {
        let base = match kind {
            ActionKind::Click => self.click,
            ActionKind::LongClick => self.long_click,
            ActionKind::Scroll(_) => self.scroll,
            ActionKind::Back => return self.other + if visits == 0 { self.untargeted } else { 0 },
        };
        let unvisited = if visits == 0 { self.unvisited } else { 0 };
        let unsaturated = if visits < widgets { self.unsaturated * base } else { 0 };
        base + unvisited + unsaturated
    }
}

described! {
    /// Corrections of a page as it is read (`src/core/engine/fastbot2/paper.md`, section 3.1).
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Corrections {
        /// Whether text fields count as clickable and long-clickable.
        pub fields_clickable: bool,
        /// Whether everything counts as clickable on a page on which nothing is, such as a canvas, a game or a web page.
        pub canvas_clickable: bool,
        /// Whether the root counts as scrollable even if it is not, as in the published program. Off by default, since a
        /// swipe over a root that is not scrollable has no effect, and each state would offer four of them.
        pub root_scrollable: bool,
        /// Whether a widget with a static text counts as clickable, unless a widget around it is.
        pub static_clickable: bool,
    }
}

impl Default for Corrections {
    fn default() -> Self {
        Corrections {
            fields_clickable: true,
            canvas_clickable: true,
            root_scrollable: false,
            static_clickable: true,
        }
    }
}

described! {
    /// The learner's parameters (`src/core/engine/fastbot2/paper.md`, section 6).
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Learning {
        /// Number of rewards in a return (n).
        pub steps: usize,
        /// Discount factor of each later reward (γ).
        pub gamma: f64,
        /// Step sizes, each with the number of pages up to which it is used.
        pub step_sizes: Vec<(u64, f64)>,
        /// The step size after all of these.
        pub last_step_size: f64,
        /// Temperature of the choice by Q-values.
        pub beta: f64,
        /// Probability of a uniform choice instead.
        pub epsilon: f64,
        /// Exponent of the visit penalty: the probability of a choice by Q-values is divided by (1 + visits in this state /
        /// equal widgets) to this power. Without it, two scrolls of an endless list would alternate forever.
        // `src/core/engine/fastbot2/paper.md`, section 12, trap 10.
        pub visit_penalty: f64,
        /// What a Q-value belongs to.
        pub q_key: QKey,
        /// What Q-values are divided by.
        pub q_scale: QScale,
        /// Weight of the newest page in the running mean of the spread of Q-values.
        pub spread_rate: f64,
        /// Which visits the second part of the reward is divided by.
        pub denominator: Denominator,
        /// Reward of an event whose result was unknown.
        pub unknown_reward: f64,
        /// What each event that is not in the model adds to the worth of a page.
        pub new_event: f64,
        /// What each event of the model that this run has not executed adds to the worth of a page.
        pub undone_event: f64,
    }
}

impl Default for Learning {
    fn default() -> Self {
        Learning {
            steps: 5,
            gamma: 0.8,
            step_sizes: vec![(20_000, 0.5), (50_000, 0.4), (100_000, 0.3)],
            last_step_size: 0.25,
            beta: 0.1,
            epsilon: 0.05,
            visit_penalty: 1.0,
            q_key: QKey::Event,
            q_scale: QScale::RunningSpread,
            spread_rate: 0.05,
            denominator: Denominator::State,
            unknown_reward: 1.0,
            new_event: 1.0,
            undone_event: 0.5,
        }
    }
}

impl Learning {
    /// The step size after this many pages.
    pub fn step_size(&self, pages: u64) -> f64 {
        let fits = self.step_sizes.iter().find(|(until, _)| pages <= *until);
        fits.map_or(self.last_step_size, |(_, size)| *size)
    }
}

described! {
    /// Which texts are typed (`src/core/engine/fastbot2/paper.md`, section 7).
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Typing {
        /// Whether anything is typed.
        pub enabled: bool,
        /// Whether only texts from the rules are typed.
        pub listed_only: bool,
        /// Probability of one of the rules' fuzzing texts, if there are any.
        pub fuzz_chance: f64,
        /// Probability of either a fuzzing text or a text seen on earlier pages.
        pub page_chance: f64,
        /// Number of texts of earlier pages that are remembered.
        pub remembered: usize,
        /// Maximum length of a text in characters.
        pub max_chars: usize,
    }
}

impl Default for Typing {
    fn default() -> Self {
        Typing {
            enabled: true,
            listed_only: false,
            fuzz_chance: 0.5,
            page_chance: 0.85,
            remembered: 300,
            max_chars: 999,
        }
    }
}

described! {
    /// Bursts of events that no model chooses (`src/core/engine/fastbot2/paper.md`, section 8): how often, how long, and
    /// the weight of each kind.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Bursts {
        /// Probability of a burst after a choice.
        pub rate: f64,
        /// Minimum number of events of a burst.
        pub shortest: usize,
        /// Maximum number of events of a burst.
        pub longest: usize,
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
}

impl Default for Bursts {
    fn default() -> Self {
        Bursts {
            rate: 0.01,
            shortest: 5,
            longest: 9,
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
        }
    }
}

described! {
    /// Fastbot2's parameters. [`Default`] has the values that `src/core/engine/fastbot2/paper.md` gives.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Fastbot2Config {
        /// Which half of the algorithm is active.
        pub ablation: Ablation,
        /// Number of events of a test.
        pub test_events: usize,
        /// The file that `prior` was read from and that what the campaign learns is added to; empty if there is none.
        pub model: String,
        /// The reuse model of earlier runs; `None` if there is none.
        pub prior: Option<Arc<ReuseModel>>,
        /// Version of the app; empty if unknown.
        pub app_version: String,
        /// Factor for the counts of other versions of the app; 1 leaves them unchanged.
        pub old_version_factor: f64,
        /// Weights of actions for the random choice by priority.
        pub priorities: Priorities,
        /// What is corrected in a page as it is read.
        pub corrections: Corrections,
        /// Whether leftovers count equal widgets one by one, so that each of them is used once in a state before Q-values
        /// decide.
        pub each_widget: bool,
        /// Temperature of the guided choice.
        pub alpha: f64,
        /// How often guidance may choose one event in a run, for each of its equal widgets.
        pub guided_cap: u32,
        /// Rewards, step sizes and the choice by Q-values.
        pub learning: Learning,
        /// Which texts are typed.
        pub typing: Typing,
        /// Frequency and content of bursts of random events.
        pub bursts: Bursts,
        /// Whether a tap goes to a random point of its widget; otherwise to its centre.
        pub random_click: bool,
        /// Number of consecutive equal states after which the page counts as stuck; 0 means never.
        pub stuck_after: u32,
        /// Whether a page that stays stuck may end the test, which clears the app's data.
        pub clean_restart: bool,
        /// The folder that `rules` were read from; empty if there is none.
        pub rules_folder: String,
        /// The user-defined rules, as read from `rules_folder`.
        pub rules: UserRules,
    }
}

impl Default for Fastbot2Config {
    fn default() -> Self {
        Fastbot2Config {
            ablation: Ablation::Both,
            test_events: 500,
            model: String::new(),
            prior: None,
            app_version: String::new(),
            old_version_factor: 0.5,
            priorities: Priorities::default(),
            corrections: Corrections::default(),
            each_widget: true,
            alpha: 0.1,
            guided_cap: 1,
            learning: Learning::default(),
            typing: Typing::default(),
            bursts: Bursts::default(),
            random_click: true,
            stuck_after: 10,
            clean_restart: true,
            rules_folder: String::new(),
            rules: UserRules::default(),
        }
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
        if older && self.old_version_factor != 1.0 {
            model.scale(self.old_version_factor);
        }
    }

    /// Applies the settings in the rules' `max.config`, whose values were checked when it was read.
    #[must_use]
    pub fn with_settings_of_rules(mut self) -> Self {
        let settings = std::mem::take(&mut self.rules.settings);
        let flag = |name: &str, into: &mut bool| {
            if let Some(value) = settings.get(name) {
                *into = value == "true";
            }
        };
        let number = |name: &str, into: &mut f64| {
            if let Some(value) = settings.get(name).and_then(|value| value.parse().ok()) {
                *into = value;
            }
        };
        flag("randomPickFromStringList", &mut self.typing.listed_only);
        flag("doinputtextFuzzing", &mut self.typing.enabled);
        flag("useRandomClick", &mut self.random_click);
        flag("clearPackage", &mut self.clean_restart);
        let bursts = &mut self.bursts;
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
        self.rules.settings = settings;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineConfig;
    use crate::model::Direction;
    use crate::spec::Spec;

    #[test]
    fn weights_are_those_of_the_table() {
        let weight = |kind, visits, widgets| Priorities::default().weight(kind, visits, widgets);
        for (kind, expected) in [
            (ActionKind::Click, [44, 4, 24]),
            (ActionKind::LongClick, [32, 2, 12]),
            (ActionKind::Scroll(Direction::Up), [32, 2, 12]),
        ] {
            assert_eq!([weight(kind, 0, 1), weight(kind, 1, 1), weight(kind, 1, 5)], expected);
        }
        assert_eq!([weight(ActionKind::Back, 0, 1), weight(ActionKind::Back, 1, 1)], [6, 1]);
    }

    #[test]
    fn the_step_shrinks_with_the_pages_seen() {
        let learning = Learning::default();
        let pages = [1, 20_000, 20_001, 50_000, 50_001, 100_000, 100_001, 1_000_000];
        assert_eq!(pages.map(|pages| learning.step_size(pages)), [0.5, 0.5, 0.4, 0.4, 0.3, 0.3, 0.25, 0.25]);
    }

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
        assert_eq!(check("learning.steps", "3"), Ok(()));
        assert_eq!(check("alpha", "0").unwrap_err(), "fastbot2: alpha is 0; a temperature is above 0");
        let mut told = Fastbot2Config { model: "a.model".to_owned(), ..Fastbot2Config::default() };
        told.prior = Some(Arc::new(ReuseModel::of("org.ex")));
        told.rules.texts = vec!["a".to_owned()];
        let changed = EngineConfig::Fastbot2(Box::new(told)).changed();
        assert_eq!(changed, [("model".to_owned(), "a.model".to_owned())], "files are named, not told");
        assert!(check("bursts.rate", "1.5").is_err() && check("test_events", "0").is_err());
    }

    #[test]
    fn settings_of_the_rules_change_the_parameters() {
        let mut config = Fastbot2Config::default();
        for (name, value) in [("fuzzingRate", "0.25"), ("useRandomClick", "false"), ("doDragFuzzing", "0")] {
            config.rules.settings.insert(name.to_owned(), value.to_owned());
        }
        let config = config.with_settings_of_rules();
        assert_eq!((config.bursts.rate, config.bursts.drag, config.random_click), (0.25, 0.0, false));
        assert_eq!(config.bursts.click, 0.7);
    }
}
