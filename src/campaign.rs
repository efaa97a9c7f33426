//! The front door: a campaign from a test or a program of one's own.

use std::path::PathBuf;
use std::sync::Arc;

use taproof_campaign::{
    CampaignPlan, EndReason, FindingCount, NullSink, OwnParts, PropertySummary, SetupError, idle_functions,
    run_own,
};
use taproof_engine::device::{Build, DeviceSource};
use taproof_engine::oracle::FrameOracle;
use taproof_engine::worker::CancelToken;
use taproof_engine::{AnyEngine, EngineConfig, PbfdroidConfig};
use taproof_phone::{AppTwice, Apps, BundledApp, BundledPhones};
use taproof_results::report::finding_lines;
use taproof_results::store::{SpecSource, read_specs};
use taproof_screen::format::FormatError;
use taproof_session::shipped_with;
use taproof_spec::TestRules;

/// One engine on one device. What is not said is as in `taproof fuzz --engine pbfdroid`: the bundled phone, the specification that
/// comes with the app, seed 1, all bugs of the app switched on; but 10,000 events instead of 40,000.
///
/// # Examples
///
/// The bundled file manager without its bugs passes, and a bug that is switched on is found:
///
/// ```
/// use taproof::{Build, Campaign};
///
/// # fn main() -> Result<(), taproof::CampaignError> {
/// let files = || Campaign::new("org.taproof.files").spec("specs/files/dmf_files.json");
///
/// files()?.build(Build::Sound).events(1_000).run()?.assert_sound();
///
/// let renamed = Build::Bugs(vec!["files-rename-on-results".to_owned()]);
/// let outcome = files()?.build(renamed).events(1_000).run()?;
/// assert!(!outcome.findings.is_empty());
/// # Ok(())
/// # }
/// ```
///
/// An app on a phone behind adb:
///
/// ```no_run
/// use taproof::{AdbPhones, Campaign, EngineConfig};
///
/// # fn main() -> Result<(), taproof::CampaignError> {
/// let outcome = Campaign::new("org.example.app")
///     .device(AdbPhones::new("emulator-5554"))
///     .engine(EngineConfig::Fastbot2(Box::default()))
///     .events(2_000)
///     .run()?;
/// outcome.assert_sound();
/// # Ok(())
/// # }
/// ```
pub struct Campaign {
    plan: CampaignPlan,
    apps: Vec<BundledApp>,
    specs: Vec<SpecSource>,
    engine: AnyEngine,
    oracles: Vec<Arc<dyn FrameOracle>>,
    device: Option<Box<dyn DeviceSource>>,
}

/// A campaign cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// A specification cannot be read.
    #[error("cannot read the specification: {error}: {}", .path.display())]
    Read {
        /// Its file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A specification is not as it should be.
    #[error("{path}: {error}")]
    Spec {
        /// Its file.
        path: String,
        /// Where and what.
        error: FormatError,
    },
    /// Two apps of the phone cannot be told apart.
    #[error(transparent)]
    Apps(#[from] AppTwice),
    /// The plan cannot be carried out.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// What came of a campaign.
pub struct Outcome {
    /// What was found, in the order of finding: confirmed and minimised.
    pub findings: Vec<FindingCount>,
    /// Why it ended.
    pub end: EndReason,
    /// A hash of all events, screens, times and verdicts: equal for equal campaigns on the bundled phone.
    pub fingerprint: u64,
    /// The functions that the engine was to run and that never ran to their end, each with the reason as a sentence. Empty
    /// if the engine does not run functions itself.
    pub idle: Vec<String>,
    app: String,
    /// Whether the engine was to run functions, and none ever ran to its end.
    checked_nothing: bool,
}

impl Campaign {
    /// A campaign that tests the app of this package: 10,000 events with seed 1 by the property-based fuzzer.
    pub fn new(package: &str) -> Campaign {
        let engine = EngineConfig::Pbfdroid(PbfdroidConfig::default());
        Campaign {
            plan: CampaignPlan { engines: Vec::new(), ..CampaignPlan::new(package, engine.clone(), 10_000) },
            apps: Vec::new(),
            specs: Vec::new(),
            engine: engine.into(),
            oracles: Vec::new(),
            device: None,
        }
    }

    /// Installs an app of your own on the bundled phone, beside those that ship.
    pub fn app(mut self, app: BundledApp) -> Campaign {
        self.apps.push(app);
        self
    }

    /// Adds the functions, invariants and blocks of a specification file in PBFDroid's JSON.
    ///
    /// # Errors
    ///
    /// The file cannot be read. What is wrong in it is said by [`run`](Campaign::run).
    pub fn spec(mut self, path: impl Into<PathBuf>) -> Result<Campaign, CampaignError> {
        let path = path.into();
        match std::fs::read_to_string(&path) {
            Ok(text) => self.specs.push(SpecSource::file(path.display().to_string(), text)),
            Err(error) => return Err(CampaignError::Read { path, error }),
        }
        Ok(self)
    }

    /// Adds test rules: where engines may go, what is done about screens in between, what is ignored, texts for fields. See
    /// [`TestRules::parse`].
    #[must_use]
    pub fn rules(mut self, rules: TestRules) -> Campaign {
        self.plan.rules.push(rules);
        self
    }

    /// Runs on these devices in place of the bundled phone: a phone behind adb, or anything that implements
    /// [`Device`](taproof_engine::device::Device).
    pub fn device(mut self, source: impl DeviceSource + 'static) -> Campaign {
        self.device = Some(Box::new(source));
        self
    }

    /// Runs this engine in place of PBFDroid: one that ships, or your own, by whatever implements
    /// [`EngineSettings`](taproof_engine::EngineSettings). What your own engine does is confirmed, minimised and told like
    /// everything else. Commands and the window do not know it: it cannot be named in a plan, so such a campaign is not kept
    /// in a workspace and does not go on after a kill.
    pub fn engine(mut self, engine: impl Into<AnyEngine>) -> Campaign {
        self.engine = engine.into();
        self
    }

    /// Adds an oracle of your own: it judges every screen, whichever engine drives.
    pub fn oracle(mut self, oracle: impl FrameOracle + 'static) -> Campaign {
        self.oracles.push(Arc::new(oracle));
        self
    }

    /// Which bugs of a bundled app are switched on.
    pub fn build(mut self, build: Build) -> Campaign {
        self.plan.build = build;
        self
    }

    /// How many events may be performed in all.
    pub fn events(mut self, events: u64) -> Campaign {
        self.plan.budget.max_events = events;
        self
    }

    /// The seed of all chance.
    pub fn seed(mut self, seed: u64) -> Campaign {
        self.plan.seed = seed;
        self
    }

    /// Runs it to its end on this thread.
    ///
    /// # Errors
    ///
    /// A specification or the plan is not usable. What fails on the way is told by [`Outcome::end`].
    pub fn run(mut self) -> Result<Outcome, CampaignError> {
        let apps = Apps::with(self.apps)?;
        if self.specs.is_empty() {
            self.specs = shipped_with(&apps, &self.plan.app);
        }
        let read = read_specs(&self.specs);
        self.plan.spec = Arc::new(read.map_err(|(path, error)| CampaignError::Spec { path, error })?);
        let (plan, engine) = (&self.plan, self.engine.settings());
        let mut source = match self.device {
            Some(source) => source,
            None => {
                plan.build.check(&plan.app, &apps.facts(&plan.app)).map_err(SetupError::from)?;
                Box::new(BundledPhones::of(&apps, &plan.app, &plan.build))
            }
        };
        plan.check_engine(engine)?;
        let parts = OwnParts { engine, oracles: &self.oracles };
        let report = run_own(plan, parts, &mut *source, &CancelToken::new(), &mut NullSink);
        let properties: Vec<PropertySummary> =
            report.stats.properties.iter().map(PropertySummary::of).collect();
        let idle = idle_functions(&plan.spec, |dmf| engine.runs(dmf), &properties);
        let checked_nothing = !idle.is_empty() && properties.iter().all(|property| property.executed == 0);
        Ok(Outcome {
            idle,
            checked_nothing,
            findings: report.findings,
            end: report.end,
            fingerprint: report.stats.fingerprint(),
            app: self.plan.app,
        })
    }
}

impl Outcome {
    /// Each finding step by step: what was done, what was expected and what was seen.
    pub fn explained(&self) -> Vec<String> {
        let lines = |found: &FindingCount| finding_lines(&found.finding, found.count).join("\n");
        self.findings.iter().map(lines).collect()
    }

    /// Panics if there is a finding, with every finding explained. Panics, too, if the campaign says nothing about the app:
    /// because it ended before its budget was spent, or because the engine runs functions, the specification has some with
    /// a weight above 0, and none ever ran to its end. That some functions never ran is no reason to panic: see
    /// [`idle`](Outcome::idle).
    #[track_caller]
    pub fn assert_sound(&self) {
        let explained = self.explained();
        assert!(
            explained.is_empty(),
            "{} finding(s) in {}:\n\n{}",
            explained.len(),
            self.app,
            explained.join("\n\n")
        );
        assert!(
            matches!(self.end, EndReason::BudgetSpent | EndReason::Exhausted),
            "the campaign on {} ended early, so nothing is known of the app: {}",
            self.app,
            self.end.trouble().unwrap_or_else(|| self.end.word().to_owned())
        );
        assert!(
            !self.checked_nothing,
            "the campaign on {} checked nothing, as no function ever ran to its end:\n{}",
            self.app,
            self.idle.join("\n")
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use taproof_campaign::{ConfirmPlan, Confirmation};
    use taproof_engine::MonkeyConfig;
    use taproof_engine::device::{Device, DeviceError, LinkFault};
    use taproof_screen::{FailedCheck, Frame};

    fn files() -> Campaign {
        let mut campaign = Campaign::new("org.taproof.files").spec("specs/files/dmf_files.json").unwrap();
        campaign.plan.confirm = ConfirmPlan { tries: 1, pictures: false, ..ConfirmPlan::default() };
        campaign
    }

    #[test]
    #[should_panic(expected = "org.taproof.files")]
    fn a_finding_fails_a_test() {
        let bug = Build::Bugs(vec!["files-rename-on-results".to_owned()]);
        files().build(bug).events(1_000).run().unwrap().assert_sound();
    }

    struct Gone;

    impl DeviceSource for Gone {
        fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
            Err(DeviceError::Link { problem: "the device is gone".to_owned(), fault: LinkFault::Other })
        }
    }

    #[test]
    #[should_panic(expected = "ended early, so nothing is known of the app: the device is gone")]
    fn a_campaign_that_ended_early_is_not_sound() {
        files().device(Gone).run().unwrap().assert_sound();
    }

    #[test]
    fn the_specification_that_comes_with_an_app_is_used_where_none_is_given() {
        let given = files().spec("specs/files/keyviews_files.json").unwrap().events(200).run().unwrap();
        let mut campaign = Campaign::new("org.taproof.files").events(200);
        campaign.plan.confirm = ConfirmPlan { tries: 1, pictures: false, ..ConfirmPlan::default() };
        let shipped = campaign.run().unwrap();
        assert_eq!((shipped.end, shipped.fingerprint), (EndReason::BudgetSpent, given.fingerprint));
    }

    /// Files with a function that waits for a widget which is nowhere, and one whose second step finds nothing.
    fn stuck_spec() -> tempfile::NamedTempFile {
        let dmf = |name: &str, first: &str, second: &str| {
            format!(
                r#"{{ "name": "{name}", "type": "view", "datatype": "thing",
                    "preconditions": [{{ "relation": "in", "widget": "first" }}],
                    "events": [{{ "action": "click", "widget": "first", "force": true }},
                               {{ "action": "click", "widget": "second", "force": true }}],
                    "post-conditions": [{{ "relation": "not in", "widget": "second" }}],
                    "widgets": [{{ "name": "first", {first} }}, {{ "name": "second", {second} }}] }}"#
            )
        };
        let (here, nowhere) = (r#""class": "android.widget.TextView""#, r#""text": "nowhere""#);
        let never = [dmf("view thing", nowhere, here), dmf("view2 thing", here, nowhere)].join(",");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), format!("{{ \"dmfs\": [{never}] }}")).unwrap();
        file
    }

    #[test]
    #[should_panic(expected = "checked nothing, as no function ever ran to its end")]
    fn a_campaign_that_ran_no_function_is_not_sound() {
        let spec = stuck_spec();
        let campaign = Campaign::new("org.taproof.files").spec(spec.path()).unwrap();
        let outcome = campaign.build(Build::Sound).events(200).run().unwrap();
        let why = "\"view thing\" could never start: its preconditions held on no screen";
        assert_eq!((outcome.findings.len(), outcome.idle.len(), outcome.idle[0].as_str()), (0, 2, why));
        let why = "\"view2 thing\" never ran to its end: most often it stopped at step 2 (target-missing";
        assert!(outcome.idle[1].starts_with(why), "{}", outcome.idle[1]);
        outcome.assert_sound();
    }

    #[test]
    fn one_function_that_runs_or_an_engine_that_runs_none_is_enough() {
        let spec = stuck_spec();
        let outcome = files().spec(spec.path()).unwrap().build(Build::Sound).events(400).run().unwrap();
        assert!(outcome.idle.iter().any(|why| why.starts_with("\"view thing\"")), "{:?}", outcome.idle);
        outcome.assert_sound();
        let campaign = Campaign::new("org.taproof.files").spec(spec.path()).unwrap();
        let random = campaign.engine(MonkeyConfig::default()).build(Build::Sound).events(200).run().unwrap();
        assert!(random.idle.is_empty());
        random.assert_sound();
    }

    struct FewWidgets;

    impl FrameOracle for FewWidgets {
        fn name(&self) -> &str {
            "few widgets"
        }
        fn judge(&self, frame: &Frame, app: &str) -> Option<FailedCheck> {
            let (idx, _) = frame.layout.iter().find(|(_, widget)| &*widget.package == app)?;
            let long = frame.layout.widgets().len() > 40;
            long.then(|| FailedCheck::new("at most 40 widgets", "more").at([idx]))
        }
    }

    #[test]
    fn what_an_oracle_of_ones_own_finds_is_confirmed() {
        let mut campaign = files().engine(MonkeyConfig::default()).oracle(FewWidgets).events(300);
        campaign.plan.confirm = ConfirmPlan { tries: 2, pictures: false, ..ConfirmPlan::default() };
        let outcome = campaign.build(Build::Sound).run().unwrap();
        let found =
            outcome.findings.iter().find(|found| found.finding.origin.subject == "few widgets").unwrap();
        assert_eq!(found.finding.confirmation, Confirmation::Reproduced { hits: 2, tries: 2 });
        assert_eq!(found.finding.engine, "monkey");
    }

    /// Minds the first screen that it sees, and no other.
    struct First(AtomicBool);

    impl FrameOracle for First {
        fn name(&self) -> &str {
            "first"
        }
        fn judge(&self, frame: &Frame, app: &str) -> Option<FailedCheck> {
            let (idx, _) = frame.layout.iter().find(|(_, widget)| &*widget.package == app)?;
            self.0
                .swap(false, Ordering::SeqCst)
                .then(|| FailedCheck::new("another screen", "this one").at([idx]))
        }
    }

    #[test]
    fn what_does_not_come_back_is_tried_as_often_as_planned() {
        let first = First(AtomicBool::new(true));
        let mut campaign = files().engine(MonkeyConfig::default()).oracle(first).events(300);
        campaign.plan.confirm = ConfirmPlan { tries: 4, pictures: false, ..ConfirmPlan::default() };
        let outcome = campaign.build(Build::Sound).run().unwrap();
        let [found] = &outcome.findings[..] else { panic!("{:?}", outcome.findings.len()) };
        assert_eq!(found.finding.confirmation, Confirmation::Flaky { hits: 0, tries: 4 });
    }

    #[test]
    fn what_cannot_begin_says_why() {
        let error = |campaign: Campaign| campaign.run().err().unwrap().to_string();
        assert!(error(Campaign::new("org.ex")).contains("no app is called \"org.ex\""));
        assert!(error(files().events(0)).contains("the budget of events is too small: give at least 1"));
        assert!(
            error(files().device(Gone).events(0))
                .contains("the budget of events is too small: give at least 1")
        );
        let missing = Campaign::new("org.ex").spec("no/such/file.json").err().unwrap().to_string();
        assert!(missing.contains("no/such/file.json"), "{missing}");
        let files = *Apps::default().find("files").unwrap();
        assert!(
            error(Campaign::new("org.ex").app(files)).contains("two apps have the package org.taproof.files")
        );
        let bad = Campaign::new("org.taproof.files").spec("Cargo.toml").unwrap();
        assert!(error(bad).starts_with("Cargo.toml: "));
    }
}
