//! Fastbot2's parameters: every constant of fastbot2.md, by default what it recommends (4.3) or, where it
//! does not say, what the published implementation does.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Fastbot2, INFO};
use crate::engine::{ConfigError, Engine, EngineInfo, EngineSettings, Setting};
use crate::model::{ActionKind, ReuseModel};
use crate::spec::{Spec, UserRules};

/// Which half of the idea is at work (the paper's ablation).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ablation {
    /// Both.
    #[default]
    Both,
    /// The probability model alone: where it knows nothing more, chance by priority.
    Model,
    /// Learning alone: neither expansion nor guidance.
    Learning,
}

/// What a Q-value belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QKey {
    /// The event, wherever it is done.
    #[default]
    Event,
    /// The event in one state.
    StateEvent,
}

/// What Q-values are divided by before the softmax.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QScale {
    /// The mean distance between the best and the worst of the pages so far.
    #[default]
    RunningSpread,
    /// The best of the page.
    PageBest,
    /// Nothing.
    One,
}

/// Visits of what divide the second part of the reward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Denominator {
    /// Of the state: new states of a known activity are worth something.
    #[default]
    State,
    /// Of the activity.
    Activity,
}

/// How weights are given to actions (fastbot2.md 2.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Priorities {
    /// Of a tap.
    pub click: u32,
    /// Of a long press.
    pub long_click: u32,
    /// Of a swipe.
    pub scroll: u32,
    /// Of everything else.
    pub other: u32,
    /// More for what has a widget and was not done in this state.
    pub unvisited: u32,
    /// More, times the weight, for what was not done to each of its widgets in this state.
    pub unsaturated: u32,
    /// More for what has no widget and was not done in this state.
    pub untargeted: u32,
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
    /// The weight of an action: `visits` in this state, of `widgets` that are equal.
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

/// What is corrected in a page as it is read (fastbot2.md 2.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Corrections {
    /// Text fields take taps and long presses.
    pub fields_clickable: bool,
    /// Where nothing takes taps, everything does: a canvas, a game, a web page.
    pub canvas_clickable: bool,
    /// The root can be scrolled, whatever it says: as published. A swipe over a root that cannot does nothing, and
    /// each state would offer four of them, so this is off.
    pub root_scrollable: bool,
    /// What bears a static text takes taps, unless what is around it does.
    pub static_clickable: bool,
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

/// The learner's parameters (fastbot2.md 4.2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Learning {
    /// Rewards of a return.
    pub steps: usize,
    /// Discount of each later reward.
    pub gamma: f64,
    /// Step sizes: used up to that many pages seen.
    pub step_sizes: Vec<(u64, f64)>,
    /// The step size from then on.
    pub last_step_size: f64,
    /// Temperature of the choice by Q.
    pub beta: f64,
    /// Chance of a uniform choice instead.
    pub epsilon: f64,
    /// Power of the visits in this state, of each of the equal widgets, by which a choice by Q is made less likely: without it, two scrolls of
    /// an endless list go back and forth (fastbot2.md section 9, 12).
    pub visit_penalty: f64,
    /// What a Q-value belongs to.
    pub q_key: QKey,
    /// What Q-values are divided by.
    pub q_scale: QScale,
    /// How much of its mean the newest page's spread of Q-values makes up.
    pub spread_rate: f64,
    /// Visits of what divide the second part of the reward.
    pub denominator: Denominator,
    /// The worth of an event whose outcome was unknown.
    pub unknown_reward: f64,
    /// The worth, for a page, of an event not in the model.
    pub new_event: f64,
    /// The worth, for a page, of an event of the model that this run has not done.
    pub undone_event: f64,
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
    /// The step size after so many pages.
    pub fn step_size(&self, pages: u64) -> f64 {
        let fits = self.step_sizes.iter().find(|(until, _)| pages <= *until);
        fits.map_or(self.last_step_size, |(_, size)| *size)
    }
}

/// Which texts are typed (fastbot2.md section 5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Typing {
    /// Whether anything is typed.
    pub enabled: bool,
    /// Whether every text is one of the rules' own.
    pub listed_only: bool,
    /// Chance of one of the rules' odd texts, where there are any.
    pub fuzz_chance: f64,
    /// Chance of those and of a text seen on earlier pages, together.
    pub page_chance: f64,
    /// Texts of pages that are remembered.
    pub remembered: usize,
    /// Characters of a text.
    pub max_chars: usize,
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

/// Bursts of events without a thought (fastbot2.md section 6); the kinds that a device has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bursts {
    /// Chance of a burst after a choice.
    pub rate: f64,
    /// The fewest events of a burst.
    pub shortest: usize,
    /// The most.
    pub longest: usize,
    /// Turning the device.
    pub rotate: f64,
    /// The list of recent apps.
    pub app_switch: f64,
    /// Keys that go from widget to widget.
    pub nav_keys: f64,
    /// Keys that open or use what has the focus.
    pub major_nav_keys: f64,
    /// Any key at all.
    pub key_code: f64,
    /// Keys of the device.
    pub system_keys: f64,
    /// Drawing a finger across the screen.
    pub drag: f64,
    /// A tap anywhere.
    pub click: f64,
    /// Switching Wi-Fi off; the network is on again after the burst.
    pub wifi: f64,
    /// Airplane mode, likewise.
    pub airplane: f64,
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

/// Fastbot2's parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Fastbot2Config {
    /// Which half of the idea is at work.
    pub ablation: Ablation,
    /// Events of a test.
    pub test_events: usize,
    /// The file that `prior` was read from and that what is learned is added to; empty if there is none.
    pub model: String,
    /// What earlier runs have learned.
    pub prior: Option<Arc<ReuseModel>>,
    /// The app's version, if it is known.
    pub app_version: String,
    /// What counts of other versions are multiplied by; 1 leaves them.
    pub old_version_factor: f64,
    /// Weights of actions.
    pub priorities: Priorities,
    /// What is corrected in a page.
    pub corrections: Corrections,
    /// Whether what is left over counts equal widgets one by one: then each of them is used once in a state before
    /// what was learned is asked.
    pub each_widget: bool,
    /// Temperature of the guided choice.
    pub alpha: f64,
    /// Times that one event may be chosen by guidance in a run, for each of its equal widgets.
    pub guided_cap: u32,
    /// The learner.
    pub learning: Learning,
    /// Which texts are typed.
    pub typing: Typing,
    /// Bursts of events.
    pub bursts: Bursts,
    /// Whether a tap goes anywhere on its widget, or else to the middle.
    pub random_click: bool,
    /// Equal states in a row after which the page counts as stuck; 0 is never.
    pub stuck_after: u32,
    /// Whether a page that stays stuck may end the test, which clears the app's data.
    pub clean_restart: bool,
    /// The folder that `rules` were read from; empty if there is none.
    pub rules_folder: String,
    /// The tester's rules.
    pub rules: UserRules,
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

impl EngineSettings for Fastbot2Config {
    fn info(&self) -> &'static EngineInfo {
        &INFO
    }

    fn build(&self, setting: &Setting) -> Box<dyn Engine> {
        let mut engine = Fastbot2::new(self.clone(), &setting.app);
        setting.given.iter().for_each(|trace| engine.learn_trace(trace, &setting.app));
        Box::new(engine)
    }

    fn contents(&self) -> &'static [&'static str] {
        &["prior", "rules"]
    }

    fn begins_with_traces(&self) -> Option<&'static str> {
        Some("learned like an earlier run")
    }

    fn mode(&self) -> String {
        match self.ablation {
            Ablation::Both => "both",
            Ablation::Model => "model",
            Ablation::Learning => "learning",
        }
        .to_owned()
    }

    fn check(&self, _spec: &Spec) -> Result<(), ConfigError> {
        let out = |what, given: String, wanted| {
            Err(ConfigError::OutOfRange { engine: INFO.name, what, given, wanted })
        };
        if self.test_events == 0 {
            return out("events per test (test_events)", "0".to_owned(), "give at least 1");
        }
        for (what, given) in [("alpha", self.alpha), ("learning.beta", self.learning.beta)] {
            if given.is_nan() || given <= 0.0 {
                return out(what, given.to_string(), "a temperature is above 0");
            }
        }
        for (what, given) in [
            ("learning.epsilon", self.learning.epsilon),
            ("learning.gamma", self.learning.gamma),
            ("typing.fuzz_chance", self.typing.fuzz_chance),
            ("typing.page_chance", self.typing.page_chance),
            ("bursts.rate", self.bursts.rate),
            ("old_version_factor", self.old_version_factor),
        ] {
            if !(0.0..=1.0).contains(&given) {
                return out(what, given.to_string(), "give a number from 0 to 1");
            }
        }
        Ok(())
    }
}

impl Fastbot2Config {
    /// What a run with this app begins with; a model of another app is not taken over.
    pub fn begins_with(&self, app: &str) -> Option<ReuseModel> {
        let mut model = ReuseModel::clone(self.prior.as_ref().filter(|prior| prior.package == app)?);
        self.age(&mut model);
        Some(model)
    }

    /// Makes a model weigh less that was learned last of another version of the app.
    pub fn age(&self, model: &mut ReuseModel) {
        let version = &self.app_version;
        let older = model.versions.last().is_some_and(|last| !version.is_empty() && last != version);
        if older && self.old_version_factor != 1.0 {
            model.scale(self.old_version_factor);
        }
    }

    /// With what the rules' `max.config` says; its values were checked when it was read.
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
