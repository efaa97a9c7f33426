//! The plan of a campaign. It is checked in full before anything starts.

mod device_choice;
mod target;

pub use device_choice::DeviceChoice;
pub use target::Target;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use taproof_engine::device::{AppFacts, Build, BuildError};
use taproof_engine::{AutoConfig, ConfigError, EngineConfig, EngineSettings, KeepConfig, Limits, TestTarget};
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{Initialiser, Trace};
use taproof_spec::{Dmf, Spec, TestRules};

/// The plan of a campaign. On the bundled phone, the same plan always yields the same traces and the same fingerprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CampaignPlan {
    /// Package name of the app under test.
    pub app: String,
    /// Which of the app's catalogued bugs are switched on.
    pub build: Build,
    /// The device that the campaign runs on.
    #[serde(default, skip_serializing_if = "DeviceChoice::is_bundled")]
    pub device: DeviceChoice,
    /// The engines. Each runs on a device of its own, at the same time as the others, with its share of the events.
    pub engines: Vec<EngineConfig>,
    /// The DMFs and invariants. Specifications are stored in files of their own.
    #[serde(skip)]
    pub spec: Arc<Spec>,
    /// Recorded traces that engines start from. They are stored in files of their own.
    #[serde(skip)]
    pub seed_traces: Vec<SeedTrace>,
    /// Steps that every test begins with, if there are any. They are stored in a file of their own.
    #[serde(skip)]
    pub initialiser: Option<Arc<Initialiser>>,
    /// Seed of all pseudo-random decisions.
    pub seed: u64,
    /// When the campaign stops.
    pub budget: Budget,
    /// What the tester says of the app: one for each file, and one for what was given otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<TestRules>,
    /// The oracles that judge what the engines do.
    #[serde(default)]
    pub oracles: Oracles,
    /// How violations are confirmed.
    #[serde(default)]
    pub confirm: ConfirmPlan,
}

/// A recorded trace that engines start from.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedTrace {
    /// Name of the file, or of the finding, that it was read from.
    pub name: String,
    /// Package name of the app in which it was recorded.
    pub app: String,
    /// The events that were performed and the screens that were seen.
    pub trace: Arc<Trace>,
    /// Hash of the trace's content.
    pub content: u64,
}

/// The oracles that judge what engines do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Oracles {
    /// In addition to the engine's own: crashes, invariants, DMFs whose steps occur in a test, and ODIN's oracle.
    /// Genie's is not among them: it compares a seed test with a mutant, which no other engine makes.
    #[default]
    All,
    /// The engine's own oracle, crashes and invariants.
    Own,
}

/// When a campaign stops. There is no limit of wall time, so that a cancelled campaign can be repeated exactly by its
/// number of events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Number of events of all engines together; see [`CampaignPlan::events_of`].
    pub max_events: u64,
    /// Device time of each engine in milliseconds; `None` for no limit.
    pub max_device_millis: Option<u64>,
}

/// How violations are confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ConfirmPlan {
    /// Number of re-executions of the minimal trace, each on a fresh device.
    pub tries: u32,
    /// Whether a screenshot of every frame of the minimal trace is taken.
    pub pictures: bool,
    /// Maximum number of re-executed events, in percent of the campaign's events. `None` for the default: a quarter on
    /// a device, and no limit on the bundled phone, where an event takes microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<u32>,
}

/// The percentage of a campaign's events that may be re-executed on a device, unless the plan has another.
const DEVICE_SHARE: u32 = 25;

/// Number of events that may be re-executed however few were performed, so that a first finding is confirmed at once.
const CONFIRMED_AT_FIRST: u64 = 100;

impl Default for ConfirmPlan {
    fn default() -> Self {
        ConfirmPlan { tries: 3, pictures: true, share: None }
    }
}

/// A specification file of a plan, for reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecFacts {
    /// Its path, or its display name if it has no path.
    pub name: String,
    /// Where it comes from.
    pub origin: SpecOrigin,
}

/// Where a specification file comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecOrigin {
    /// It is shipped with the program, and a command uses it by default.
    Shipped,
    /// It was stored on disk when the campaign ran.
    Saved,
    /// It was run as edited in the window and is stored nowhere.
    Unsaved,
}

/// Why a plan cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The plan names no device.
    #[error("the plan names no device: name the serial of one")]
    NoDevice,
    /// The app or its build is unknown.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The plan has no engine.
    #[error("a campaign needs at least one engine")]
    NoEngine,
    /// The plan has the same engine with the same settings twice.
    #[error("{engine} was given twice; a campaign runs each engine once in each of its modes")]
    EngineTwice {
        /// Name of the engine.
        engine: String,
    },
    /// The plan has the engine that lets the others take turns, and others beside it.
    #[error("auto runs the other engines by itself: give either auto or other engines")]
    AutoAmongOthers,
    /// A seed trace was recorded in another app.
    #[error("the trace {name} is of {found}, but the campaign tests {app}")]
    OtherAppsTrace {
        /// Name of the file, or of the finding, that the trace was read from.
        name: String,
        /// Package name of the app in which the trace was recorded.
        found: String,
        /// Package name of the app under test.
        app: String,
    },
    /// An engine cannot run with its settings or with the specification.
    #[error(transparent)]
    Engine(#[from] ConfigError),
    /// A limit of the budget leaves nothing to an engine.
    #[error("the budget of {what} is too small: give at least {least}")]
    NoBudget {
        /// What is limited: `events` or `device time`.
        what: &'static str,
        /// The smallest limit that does.
        least: u64,
    },
}

/// The engines of a campaign for which none are chosen: all that pay take turns.
pub fn default_engines() -> Vec<EngineConfig> {
    vec![EngineConfig::Auto(AutoConfig::default())]
}

/// Limit on a device for the re-executions of a scan, in percent of the events: a scan is about what came back each time.
pub const SCAN_CONFIRM_SHARE: u32 = 200;

/// The engines of a scan, which need no specification. Crashes, hangs and ODIN's oracle are judged in their tests. Genie is
/// none of them: on apps that it was not made with, too few of its findings are bugs in a scan's few events.
pub fn scan_engines() -> Vec<EngineConfig> {
    vec![EngineConfig::Keep(KeepConfig::default())]
}

impl CampaignPlan {
    /// Whether one of its engines runs this function of the specification.
    pub fn runs(&self, dmf: &Dmf) -> bool {
        self.engines.iter().any(|engine| engine.settings().runs(dmf))
    }

    /// A plan for the app with this package name, with one engine, this many events and defaults for the rest: the
    /// bundled phone, the build with all bugs, no specification, seed 1, all oracles.
    pub fn new(app: &str, engine: EngineConfig, max_events: u64) -> CampaignPlan {
        CampaignPlan {
            app: app.to_owned(),
            build: Build::Faulty,
            device: DeviceChoice::default(),
            engines: vec![engine],
            spec: Arc::default(),
            seed_traces: Vec::new(),
            initialiser: None,
            seed: 1,
            budget: Budget { max_events, max_device_millis: None },
            rules: Vec::new(),
            oracles: Oracles::default(),
            confirm: ConfirmPlan::default(),
        }
    }

    /// Checks whether the plan can be carried out, given the apps of the bundled phone.
    ///
    /// # Errors
    ///
    /// The first problem found.
    pub fn check(&self, apps: &[AppFacts]) -> Result<(), SetupError> {
        match &self.device {
            DeviceChoice::Bundled => self.build.check(&self.app, apps)?,
            DeviceChoice::Adb(serials) if serials.is_empty() => return Err(SetupError::NoDevice),
            DeviceChoice::Adb(_) => {}
        }
        self.check_engines()
    }

    /// As [`CampaignPlan::check`], without the devices and the app: they are known to exist.
    ///
    /// # Errors
    ///
    /// The first problem found.
    pub fn check_engines(&self) -> Result<(), SetupError> {
        if self.engines.is_empty() {
            return Err(SetupError::NoEngine);
        }
        let auto = |engine: &EngineConfig| matches!(engine, EngineConfig::Auto(_));
        if self.engines.len() > 1 && self.engines.iter().any(auto) {
            return Err(SetupError::AutoAmongOthers);
        }
        for (index, engine) in self.engines.iter().enumerate() {
            self.check_engine(engine.settings())?;
            if self.engines[..index].contains(engine) {
                return Err(SetupError::EngineTwice { engine: engine.name().to_owned() });
            }
        }
        Ok(())
    }

    /// Checks whether `engine`, which need not be one of the plan, can carry out the plan on devices that are known to
    /// exist and to have the app.
    ///
    /// # Errors
    ///
    /// The first problem found.
    pub fn check_engine(&self, engine: &dyn EngineSettings) -> Result<(), SetupError> {
        engine.check(&self.spec)?;
        if let Some(other) = self.seed_traces.iter().find(|seed| seed.app != self.app) {
            let (name, found) = (other.name.clone(), other.app.clone());
            return Err(SetupError::OtherAppsTrace { name, found, app: self.app.clone() });
        }
        for (what, amount, least) in [
            ("events", self.budget.max_events, self.engines.len().max(1) as u64),
            ("device time", self.budget.max_device_millis.unwrap_or(1), 1),
        ] {
            if amount < least {
                return Err(SetupError::NoBudget { what, least });
            }
        }
        Ok(())
    }

    /// The engine with this name; `None` if the plan has no such engine.
    pub fn engine_named(&self, name: &str) -> Option<&EngineConfig> {
        self.engines.iter().find(|engine| engine.name() == name)
    }

    /// The serial of the device on which the engine with this name runs; `None` for the bundled phone.
    pub fn serial_of(&self, engine: &str) -> Option<&str> {
        self.device.serial(self.engines.iter().position(|config| config.name() == engine)?)
    }

    /// The names of the engines, comma-separated.
    pub fn engine_names(&self) -> String {
        self.engines.iter().map(EngineConfig::name).collect::<Vec<_>>().join(",")
    }

    /// The modes of those engines that have several modes, comma-separated.
    pub fn engine_modes(&self) -> String {
        let modes = self.engines.iter().map(|engine| engine.settings().mode());
        modes.filter(|mode| !mode.is_empty()).collect::<Vec<_>>().join(",")
    }

    /// The command line that runs the plan again, word by word. The specification files are left out.
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
        // A finding may contribute two consecutive traces.
        for together in self.seed_traces.chunk_by(|one, other| one.name == other.name) {
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
        if let Some(percent) = self.confirm.share {
            option("confirm-share", percent.to_string());
        }
        words.extend(self.data_option().map(str::to_owned));
        words.extend(self.rules.iter().flat_map(TestRules::command_words));
        words
    }

    /// The option that says what becomes of the app's data; `None` on the bundled phone.
    pub fn data_option(&self) -> Option<&'static str> {
        let keeps = self.initialiser.as_ref().is_some_and(|first| first.keep_data);
        (!self.device.is_bundled()).then_some(if keeps { "--keep-data" } else { "--clear-data" })
    }

    /// Maximum number of events that may be re-executed to confirm and minimise the findings of an engine that has
    /// performed `events` of its `budget`; `None` if there is no limit. It grows with the events, so that confirming the
    /// first findings does not take the time in which others would be found.
    pub fn confirm_limit(&self, events: u64, budget: u64) -> Option<u64> {
        let default = (!self.device.is_bundled()).then_some(DEVICE_SHARE);
        let percent = u128::from(self.confirm.share.or(default)?);
        let share = |events: u64| u64::try_from(u128::from(events) * percent / 100).unwrap_or(u64::MAX);
        Some(share(events).max(CONFIRMED_AT_FIRST).min(share(budget)))
    }

    /// The tester's rules together.
    pub fn all_rules(&self) -> TestRules {
        TestRules::joined(&self.rules)
    }

    /// What is the same for all tests of an engine.
    pub(super) fn target(&self, engine: &dyn EngineSettings) -> TestTarget {
        let target = TestTarget::new(&self.app, &self.spec, engine.guards_data())
            .beginning_with(self.initialiser.as_ref())
            .with_rules(self.all_rules());
        target.with_seed_traces(self.seed_traces.iter().map(|seed| Arc::clone(&seed.trace)).collect())
    }

    /// Number of the campaign's events that `engine` may perform: they are divided equally among the engines of the plan,
    /// and what is left over among the first of them. A baseline may spend as many on each DMF. `None` stands for an
    /// engine that no plan can name, which runs alone.
    pub fn events_of(&self, engine: Option<&EngineConfig>) -> u64 {
        let engines = self.engines.len().max(1) as u64;
        let place = self.engines.iter().position(|known| Some(known) == engine).unwrap_or(0) as u64;
        self.budget.max_events / engines + u64::from(place < self.budget.max_events % engines)
    }

    /// Maximum number of events of each engine, in the order of the plan, with all that a baseline spends.
    pub fn budgets(&self) -> Vec<u64> {
        let budget = |engine: &EngineConfig| {
            let settings = engine.settings();
            let target = TestTarget::new(&self.app, &self.spec, settings.guards_data());
            self.events_of(Some(engine)).saturating_mul(settings.budget_shares(&target))
        };
        self.engines.iter().map(budget).collect()
    }

    /// The budget for an engine, with its settings, in a campaign of this target.
    pub(super) fn limits(
        &self,
        (engine, settings): (Option<&EngineConfig>, &dyn EngineSettings),
        target: &TestTarget,
    ) -> Limits {
        Limits {
            events: self.events_of(engine).saturating_mul(settings.budget_shares(target)),
            device_time: DeviceDuration(self.budget.max_device_millis.unwrap_or(u64::MAX)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_engine::PbfdroidConfig;
    use taproof_screen::determinism::DeviceInstant;
    use taproof_screen::{AppHealth, Frame, layout_from};

    fn check(change: impl FnOnce(&mut CampaignPlan)) -> Option<SetupError> {
        let mut plan = CampaignPlan::new("org.ex", EngineConfig::Pbfdroid(PbfdroidConfig::default()), 10);
        change(&mut plan);
        plan.check(&[AppFacts { package: "org.ex".into(), bugs: vec!["a".into()] }]).err()
    }

    #[test]
    fn a_plan_is_refused_before_it_starts() {
        assert!(matches!(
            check(|plan| plan.app = "x".into()),
            Some(SetupError::Build(BuildError::UnknownApp { .. }))
        ));
        let bugs = |id: &str| Build::Bugs(vec![id.into()]);
        assert!(matches!(
            check(|plan| plan.build = bugs("b")),
            Some(SetupError::Build(BuildError::UnknownBug { .. }))
        ));
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
        let seed = SeedTrace {
            name: "way.json".into(),
            app: "org.other".into(),
            trace: Arc::new(Trace::start(start)),
            content: 0,
        };
        let other = check(|plan| {
            plan.engines = vec![(taproof_engine::monkey::INFO.config)()];
            plan.seed_traces = vec![seed];
        });
        assert!(matches!(other, Some(SetupError::OtherAppsTrace { .. })), "{other:?}");
    }

    #[test]
    fn the_events_of_a_campaign_are_divided_among_its_engines() {
        let mut plan = CampaignPlan::new("org.ex", (taproof_engine::monkey::INFO.config)(), 3_001);
        assert_eq!(plan.budgets(), [3_001]);
        plan.engines.push((taproof_engine::keep::INFO.config)());
        let budgets = plan.budgets();
        assert_eq!((budgets.iter().sum::<u64>(), budgets[0]), (3_001, 1_501), "{budgets:?}");
        plan.budget.max_events = plan.engines.len() as u64 - 1;
        assert!(matches!(plan.check_engines(), Err(SetupError::NoBudget { what: "events", .. })));
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
    fn re_executions_are_limited_on_a_device_and_where_the_plan_says_so() {
        let config = EngineConfig::Pbfdroid(PbfdroidConfig::default());
        let mut plan = CampaignPlan::new("org.ex", config, 10);
        assert_eq!(plan.confirm_limit(400, 400), None);
        plan.device = DeviceChoice::Adb(vec!["phone".to_owned()]);
        assert_eq!((plan.confirm_limit(400, 400), plan.confirm_limit(3, 3)), (Some(100), Some(0)));
        plan.confirm.share = Some(150);
        assert_eq!(
            (plan.confirm_limit(400, 400), plan.confirm_limit(u64::MAX, u64::MAX)),
            (Some(600), Some(u64::MAX))
        );
        let now = |events| plan.confirm_limit(events, 1000);
        assert_eq!([now(0), now(60), now(100), now(1000)], [Some(100), Some(100), Some(150), Some(1500)]);
    }

    #[test]
    fn settings_survive_a_file() {
        let config = EngineConfig::Pbfdroid(PbfdroidConfig::default());
        let text = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<EngineConfig>(&text).unwrap(), config);
        assert_eq!(serde_json::from_str::<EngineConfig>("{\"engine\":\"pbfdroid\"}").unwrap(), config);
    }
}
