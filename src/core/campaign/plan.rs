//! What was asked for. Checked in full before anything starts.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::DeviceChoice;
use crate::determinism::DeviceDuration;
use crate::device::{Device, DeviceError, Garbled};
use crate::engine::{ConfigError, EngineConfig, Limits, Setting};
use crate::model::{Initialiser, Trace};
use crate::spec::Spec;
use crate::worker::Unwanted;

/// A campaign as it was asked for. Same plan, same bundled phone: the same trace and fingerprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CampaignPlan {
    /// The package of the app under test.
    pub app: String,
    /// Which of its catalogued bugs are on.
    pub build: Build,
    /// What it runs on.
    #[serde(default, skip_serializing_if = "DeviceChoice::is_bundled")]
    pub device: DeviceChoice,
    /// The engines, side by side, each on a device of its own and with the whole budget.
    pub engines: Vec<EngineConfig>,
    /// What the app should do. Specifications have files of their own.
    #[serde(skip)]
    pub spec: Arc<Spec>,
    /// Recorded traces that engines begin with. They have files of their own, too.
    #[serde(skip)]
    pub given: Vec<SeedTrace>,
    /// What is done first in every test. It has a file of its own, too.
    #[serde(skip)]
    pub initialiser: Option<Arc<Initialiser>>,
    /// The seed of all chance.
    pub seed: u64,
    /// How much may be done.
    pub budget: Budget,
    /// By what is judged what the engines do.
    #[serde(default)]
    pub oracles: Oracles,
    /// How a violation is confirmed.
    #[serde(default)]
    pub confirm: ConfirmPlan,
}

/// A recorded trace that engines begin with.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedTrace {
    /// What it was read from.
    pub name: String,
    /// Package of the app that it was recorded of.
    pub app: String,
    /// What was done and seen.
    pub trace: Arc<Trace>,
    /// A hash of all of it.
    pub content: u64,
}

/// Which catalogued bugs are on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Build {
    /// All of them.
    #[default]
    Faulty,
    /// None.
    Sound,
    /// Only these.
    Bugs(Vec<String>),
}

/// By what is judged what engines do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Oracles {
    /// Beside its own, by crashes, by invariants, by those DMFs whose steps occur, and by ODIN's. Genie's needs a
    /// mutant beside its seed test, which no other engine makes.
    #[default]
    All,
    /// By the engine's own, and by crashes and invariants.
    Own,
}

/// How much may be done. Never wall time: a cancelled campaign is run again exactly by its events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Events; a baseline may spend this many on each DMF.
    pub max_events: u64,
    /// Device time in milliseconds, if it is limited.
    pub max_device_millis: Option<u64>,
}

/// How a violation is confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ConfirmPlan {
    /// Re-executions of the minimal trace, each on a fresh device.
    pub tries: u32,
    /// Whether the minimal trace gets a picture of every frame.
    pub pictures: bool,
}

impl Default for ConfirmPlan {
    fn default() -> Self {
        ConfirmPlan { tries: 3, pictures: true }
    }
}

/// A specification file of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecFacts {
    /// Its path or, where it has none, what it is called.
    pub name: String,
    /// Whence it came.
    pub origin: SpecOrigin,
}

/// Whence a specification file came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecOrigin {
    /// It is one of those that come with the program and that a command takes by itself.
    Shipped,
    /// It lay on the disk as it was run.
    Saved,
    /// It was run as it stood in the window, and lies nowhere.
    Unsaved,
}

/// Gives a campaign its devices.
pub trait DeviceSource {
    /// A device on which nothing has happened, with the app of the plan installed as planned, but with these
    /// bugs switched off.
    fn fresh(&mut self, bugs_off: &[String]) -> Result<Box<dyn Device>, DeviceError>;
    /// The bugs that are on in this plan and can be switched off; none on a real device.
    fn switchable_bugs(&self) -> Vec<String>;
    /// From now on its devices give up what they wait for once this says so. It must not block.
    fn unwanted_when(&mut self, _unwanted: Unwanted) {}
    /// A device failed like this: whether it may come back by itself, or only an answer of it was garbled. The next one
    /// is reached by new connections, and asked anew what it can do.
    fn lost(&mut self, _error: &DeviceError) -> bool {
        false
    }
    /// The garbled answers of all its devices so far: those that were asked for again, and those that it was told of as
    /// lost.
    fn garbled(&self) -> Option<Garbled> {
        None
    }
}

/// An app that can be tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppFacts {
    /// Its package.
    pub package: String,
    /// The ids of its catalogued bugs.
    pub bugs: Vec<String>,
}

/// A plan that cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Each engine needs a device of its own.
    #[error(
        "{engines} engines need {engines} devices, one each; {devices} given: name more, or fewer engines"
    )]
    FewDevices {
        /// How many there are.
        devices: usize,
        /// How many are needed.
        engines: usize,
    },
    /// There is no such app.
    #[error("no app is called {app:?}; there are {known}")]
    UnknownApp {
        /// As asked for.
        app: String,
        /// The packages there are.
        known: String,
    },
    /// The app has no such bug.
    #[error("{app} has no bug {bug:?}; it has {known}")]
    UnknownBug {
        /// As asked for.
        bug: String,
        /// The app's package.
        app: String,
        /// The ids there are.
        known: String,
    },
    /// No engine was chosen.
    #[error("a campaign needs at least one engine")]
    NoEngine,
    /// An engine was chosen twice.
    #[error("{engine} was given twice; a campaign runs each engine once in each of its modes")]
    EngineTwice {
        /// The engine.
        engine: String,
    },
    /// A given trace is one of another app.
    #[error("the trace {name} is of {found}, but the campaign tests {app}")]
    OtherAppsTrace {
        /// What it was read from.
        name: String,
        /// Whose it is.
        found: String,
        /// The campaign's app.
        app: String,
    },
    /// An engine cannot run with its settings.
    #[error(transparent)]
    Engine(#[from] ConfigError),
    /// Nothing may be done.
    #[error("the budget of {what} is 0: give at least 1")]
    NoBudget {
        /// Of what.
        what: &'static str,
    },
}

impl Build {
    /// The ids that are on, of all those of the app.
    pub fn switched_on(&self, all: &[String]) -> Vec<String> {
        match self {
            Build::Faulty => all.to_vec(),
            Build::Sound => Vec::new(),
            Build::Bugs(only) => all.iter().filter(|bug| only.contains(bug)).cloned().collect(),
        }
    }

    /// The word that commands and files use.
    pub fn word(&self) -> String {
        match self {
            Build::Faulty => "faulty".to_owned(),
            Build::Sound => "sound".to_owned(),
            Build::Bugs(only) => format!("bugs {}", only.join(",")),
        }
    }

    /// Whether there is such a build of an app.
    pub fn check(&self, package: &str, apps: &[AppFacts]) -> Result<(), SetupError> {
        let Some(app) = apps.iter().find(|facts| facts.package == package) else {
            let known = known(apps.iter().map(|facts| &facts.package));
            return Err(SetupError::UnknownApp { app: package.to_owned(), known });
        };
        if let Build::Bugs(only) = self
            && let Some(bug) = only.iter().find(|bug| !app.bugs.contains(bug))
        {
            let known = known(app.bugs.iter());
            return Err(SetupError::UnknownBug { bug: bug.clone(), app: package.to_owned(), known });
        }
        Ok(())
    }
}

fn known<'i>(ids: impl Iterator<Item = &'i String>) -> String {
    ids.map(String::as_str).collect::<Vec<_>>().join(", ")
}

impl CampaignPlan {
    /// A plan for the app of this package: one engine, so many events, and everything else as it usually is: the bundled
    /// phone, the build with all bugs, no specification, seed 1, all oracles.
    pub fn new(app: &str, engine: EngineConfig, max_events: u64) -> CampaignPlan {
        CampaignPlan {
            app: app.to_owned(),
            build: Build::Faulty,
            device: DeviceChoice::default(),
            engines: vec![engine],
            spec: Arc::default(),
            given: Vec::new(),
            initialiser: None,
            seed: 1,
            budget: Budget { max_events, max_device_millis: None },
            oracles: Oracles::default(),
            confirm: ConfirmPlan::default(),
        }
    }

    /// Whether it can be carried out with these apps.
    pub fn check(&self, apps: &[AppFacts]) -> Result<(), SetupError> {
        match &self.device {
            DeviceChoice::Bundled => self.build.check(&self.app, apps)?,
            DeviceChoice::Adb(serials) if serials.len() < self.engines.len() => {
                return Err(SetupError::FewDevices { devices: serials.len(), engines: self.engines.len() });
            }
            DeviceChoice::Adb(_) => {}
        }
        self.check_engines()
    }

    /// Whether it can be carried out on devices that are there and have the app.
    pub fn check_engines(&self) -> Result<(), SetupError> {
        if self.engines.is_empty() {
            return Err(SetupError::NoEngine);
        }
        for (index, engine) in self.engines.iter().enumerate() {
            engine.settings().check(&self.spec)?;
            if self.engines[..index].contains(engine) {
                return Err(SetupError::EngineTwice { engine: engine.name().to_owned() });
            }
        }
        if let Some(other) = self.given.iter().find(|given| given.app != self.app) {
            let (name, found) = (other.name.clone(), other.app.clone());
            return Err(SetupError::OtherAppsTrace { name, found, app: self.app.clone() });
        }
        for (what, amount) in
            [("events", self.budget.max_events), ("device time", self.budget.max_device_millis.unwrap_or(1))]
        {
            if amount == 0 {
                return Err(SetupError::NoBudget { what });
            }
        }
        Ok(())
    }

    /// The engine of that name.
    pub fn engine_named(&self, name: &str) -> Option<&EngineConfig> {
        self.engines.iter().find(|engine| engine.name() == name)
    }

    /// The serial of the device that an engine of this name has; `None` for the bundled phone.
    pub fn serial_of(&self, engine: &str) -> Option<&str> {
        self.device.serial(self.engines.iter().position(|config| config.name() == engine)?)
    }

    /// The engines' names, comma-separated.
    pub fn engine_names(&self) -> String {
        self.engines.iter().map(EngineConfig::name).collect::<Vec<_>>().join(",")
    }

    /// The modes of those engines that have several, comma-separated.
    pub fn engine_modes(&self) -> String {
        let modes = self.engines.iter().map(|engine| engine.settings().mode());
        modes.filter(|mode| !mode.is_empty()).collect::<Vec<_>>().join(",")
    }

    /// The words of the command line that run it again; its specification files are not among them.
    pub fn command_words(&self) -> Vec<String> {
        let mut words = vec!["taproof".to_owned(), "fuzz".to_owned()];
        let mut option = |name: &str, value: String| words.extend([format!("--{name}"), value]);
        match &self.device {
            DeviceChoice::Bundled => option("app", self.app.clone()),
            DeviceChoice::Adb(serials) => {
                option("device", serials.join(","));
                option("package", self.app.clone());
            }
        }
        match &self.build {
            _ if !self.device.is_bundled() => {}
            Build::Faulty | Build::Sound => option("build", self.build.word()),
            Build::Bugs(only) => option("bugs", only.join(",")),
        }
        option("engine", self.engine_names());
        for engine in &self.engines {
            for (key, value) in engine.changed() {
                option("set", format!("{}.{key}={value}", engine.name()));
            }
        }
        // A finding may stand for two traces in a row.
        for together in self.given.chunk_by(|one, other| one.name == other.name) {
            option("from", together[0].name.clone());
        }
        option("events", self.budget.max_events.to_string());
        if let Some(millis) = self.budget.max_device_millis {
            option("minutes", millis.div_ceil(60_000).to_string());
        }
        option("seed", self.seed.to_string());
        if self.oracles == Oracles::Own {
            option("oracles", "own".to_owned());
        }
        words
    }

    /// What does not change for an engine.
    pub(super) fn setting(&self, engine: &EngineConfig) -> Setting {
        let setting = Setting::new(&self.app, &self.spec, engine.settings().guards_data());
        setting.with_given(self.given.iter().map(|given| Arc::clone(&given.trace)).collect())
    }

    /// The budget as the engine's door keeps it.
    pub(super) fn limits(&self, shares: u64) -> Limits {
        Limits {
            events: self.budget.max_events.saturating_mul(shares),
            device_time: DeviceDuration(self.budget.max_device_millis.unwrap_or(u64::MAX)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::determinism::DeviceInstant;
    use crate::engine::PbfdroidConfig;
    use crate::model::{AppHealth, Frame, layout_from};

    fn check(change: impl FnOnce(&mut CampaignPlan)) -> Option<SetupError> {
        let mut plan = CampaignPlan::new("org.ex", EngineConfig::Pbfdroid(PbfdroidConfig::default()), 10);
        change(&mut plan);
        plan.check(&[AppFacts { package: "org.ex".into(), bugs: vec!["a".into()] }]).err()
    }

    #[test]
    fn a_plan_is_refused_before_it_starts() {
        assert!(matches!(check(|plan| plan.app = "x".into()), Some(SetupError::UnknownApp { .. })));
        let bugs = |id: &str| Build::Bugs(vec![id.into()]);
        assert!(matches!(check(|plan| plan.build = bugs("b")), Some(SetupError::UnknownBug { .. })));
        assert!(matches!(
            check(|plan| plan.build = bugs("a")),
            Some(SetupError::Engine(ConfigError::NoSpec { .. }))
        ));
        assert!(matches!(check(|plan| plan.engines.clear()), Some(SetupError::NoEngine)));
        let start = Frame {
            layout: Arc::new(layout_from("TextView\n")),
            health: AppHealth::Running,
            at: DeviceInstant(0),
        };
        let given = SeedTrace {
            name: "way.json".into(),
            app: "org.other".into(),
            trace: Arc::new(Trace::start(start)),
            content: 0,
        };
        let other = check(|plan| {
            plan.engines = vec![(crate::engine::monkey::INFO.config)()];
            plan.given = vec![given];
        });
        assert!(matches!(other, Some(SetupError::OtherAppsTrace { .. })), "{other:?}");
    }

    #[test]
    fn the_command_line_says_all_of_it() {
        let plan = CampaignPlan {
            build: Build::Bugs(vec!["a".into(), "b".into()]),
            seed: 7,
            ..CampaignPlan::new("org.ex", EngineConfig::Pbfdroid(PbfdroidConfig::default()), 10)
        };
        assert_eq!(
            plan.command_words().join(" "),
            "taproof fuzz --app org.ex --bugs a,b --engine pbfdroid --events 10 --seed 7"
        );
    }

    #[test]
    fn settings_survive_a_file() {
        let config = EngineConfig::Pbfdroid(PbfdroidConfig::default());
        let text = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<EngineConfig>(&text).unwrap(), config);
        assert_eq!(serde_json::from_str::<EngineConfig>("{\"engine\":\"pbfdroid\"}").unwrap(), config);
    }
}
