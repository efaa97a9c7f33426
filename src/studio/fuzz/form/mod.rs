//! The form that starts a campaign, with its validation.

mod chosen_spec;
mod engine_choice;
mod first_steps;
pub(crate) mod form_history;
mod functions_line;
pub(crate) mod keep_first_steps;
mod kept_files;
mod kept_form;
pub(crate) mod test_rules;

pub use chosen_spec::{ChosenSpec, SpecChoice};
pub use engine_choice::{EngineChoice, SettingField, SettingKind};
pub use first_steps::InitialSteps;
pub use functions_line::FunctionsLine;
pub(crate) use keep_first_steps::{keep_first_steps, load_first_steps};
pub(crate) use kept_files::KeptInitial;
pub use kept_files::{AppRules, RuleChange, RuleFiles};
pub use kept_form::KeptForm;
pub(crate) use test_rules::{change_rules, load_rules};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::specs::{DocumentId, Documents};
use crate::state::AppEntry;
use taproof_campaign::{
    Budget, CampaignPlan, ConfirmPlan, Oracles, SCAN_CONFIRM_SHARE, Target, scan_engines,
};
use taproof_engine::device::Build;
use taproof_engine::{ENGINES, EngineConfig, Mode};
use taproof_screen::with_article;
use taproof_spec::{Dmf, stuck_functions};

/// Name of the engine that runs the functions of a specification.
pub const PBFDROID: &str = "pbfdroid";

/// The contents of the form that starts a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignForm {
    /// The app under test, and the phone that it is on.
    pub target: Target,
    /// The chosen specification. `None` chooses by its name, or else the default: see [`CampaignForm::spec`].
    pub document: Option<DocumentId>,
    /// Name of the specification that was chosen before a restart.
    pub document_name: Option<String>,
    /// Whether the person's own specification runs without the one that comes with the app.
    pub alone: bool,
    /// Names of the DMFs that are switched off.
    pub off: BTreeSet<String>,
    /// All engines, with whether they are chosen, and their settings.
    pub engines: Vec<EngineChoice>,
    /// Maximum number of events of all engines together, as typed.
    pub events: String,
    /// Limit of the device time in minutes, as typed. Empty for no limit.
    pub minutes: String,
    /// The seed, as typed.
    pub seed: String,
    /// The initial steps of every test, by app. They are stored in the workspace.
    pub first: BTreeMap<String, InitialSteps>,
    /// The test rules, by app. What was collected is stored in the workspace.
    pub rules: BTreeMap<String, AppRules>,
    /// Recorded traces that the engines use as seeds.
    pub seed_traces: Vec<SeedChoice>,
    /// The oracles that check what the engines do.
    pub oracles: Oracles,
    /// Whether findings are stored with pictures of all screens.
    pub pictures: bool,
    /// Maximum number of events for confirming and minimising findings, in percent of the campaign's events, as typed.
    /// Empty for the default of the phone.
    pub confirm_share: String,
}

/// A recorded trace as a seed of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedChoice {
    /// The path of a saved trace, the folder of a recorded walk, or the number of a finding, in the format of `--from`.
    pub word: String,
    /// The label that the form shows.
    pub title: String,
}

/// A field of the form. Problems are reported by field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FormField {
    /// The app to test, and the phone that it is on.
    App,
    /// The build of the app.
    Build,
    /// The specification and the choice of its functions.
    Spec,
    /// The number of events of the campaign.
    Events,
    /// The limit of the device time.
    Minutes,
    /// The seed of the random choices.
    Seed,
    /// The condition for the screen on which a test begins.
    Ready,
    /// The share of the events with which findings are confirmed.
    Confirm,
    /// The choice of engines.
    Engines,
    /// The settings of the engine with this name.
    Settings(&'static str),
}

impl FormField {
    /// The field's label in the form; for the settings of an engine, the engine's label.
    pub fn word(self) -> &'static str {
        match self {
            FormField::App => "App",
            FormField::Build => "Build",
            FormField::Spec => "Specification",
            FormField::Events => "Events",
            FormField::Minutes => "Minutes",
            FormField::Seed => "Seed",
            FormField::Ready => "Ready when",
            FormField::Confirm => "Confirm with",
            FormField::Engines => "Engines",
            FormField::Settings(engine) => {
                ENGINES.iter().find(|info| info.name == engine).map_or(engine, |info| info.label)
            }
        }
    }
}

/// The problems of a form, by field, as sentences for people.
pub type FormProblems = BTreeMap<FormField, String>;

/// The validated contents of the form.
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignOrder {
    /// What the campaign runs, except for its specification and what files hold.
    pub plan: CampaignPlan,
    /// The specifications, which are joined in this order. Without one, no properties can be checked.
    pub documents: Vec<DocumentId>,
    /// The test rules for the app.
    pub rules: AppRules,
    /// Recorded traces used as seeds, in the format of `--from`.
    pub seed_traces: Vec<String>,
}

impl Default for CampaignForm {
    fn default() -> Self {
        CampaignForm {
            target: Target::default(),
            document: None,
            document_name: None,
            alone: false,
            off: BTreeSet::new(),
            engines: EngineChoice::all(),
            events: "40,000".to_owned(),
            minutes: String::new(),
            seed: "1".to_owned(),
            first: BTreeMap::new(),
            rules: BTreeMap::new(),
            seed_traces: Vec::new(),
            oracles: Oracles::All,
            pictures: true,
            confirm_share: String::new(),
        }
    }
}

/// Parses a number with separators as people type them. `None` if it is not a whole number from 0.
fn number(text: &str) -> Option<u64> {
    text.replace([',', ' ', '\u{2019}'], "").parse().ok()
}

impl CampaignForm {
    /// Changes the app. The choices that belonged to the previous one are cleared.
    pub fn choose_app(&mut self, package: &str) {
        if self.target.app != package {
            package.clone_into(&mut self.target.app);
            self.document = None;
            self.document_name = None;
            self.alone = false;
            self.off.clear();
            self.seed_traces.clear();
            if matches!(self.target.build, Build::Bugs(_)) {
                self.target.build = Build::Faulty;
            }
        }
    }

    /// Changes the app and the phone that it is on.
    pub fn choose_entry(&mut self, app: &AppEntry) {
        self.choose_app(&app.package);
        self.target = app.target(self.target.build.clone());
    }

    /// Changes the specification. All of its DMFs are switched on.
    pub fn choose_document(&mut self, document: DocumentId) {
        if self.document != Some(document) {
            self.document = Some(document);
            self.off.clear();
        }
    }

    /// Adds a trace to the seeds, unless it is one already.
    pub fn begin_with(&mut self, seed: SeedChoice) {
        if !self.seed_traces.contains(&seed) {
            self.seed_traces.push(seed);
        }
    }

    /// Validates the form.
    ///
    /// # Errors
    ///
    /// A problem for each invalid field.
    pub fn check(&self, apps: &[AppEntry], documents: &Documents) -> Result<CampaignOrder, FormProblems> {
        let mut problems = FormProblems::new();
        let app = apps.iter().find(|app| app.is(&self.target));
        let spec = self.spec(documents);
        let spec = spec.as_ref();
        problems.extend(self.app_problem(app));
        problems.extend(self.spec_problem(app, spec));
        let engines = self.engine_configs(spec, &mut problems);
        let mut wanted = |field, text: &str, least: u64, say: &str| {
            let number = number(text).filter(|number| *number >= least);
            if number.is_none() {
                problems.insert(field, say.to_owned());
            }
            number.unwrap_or(least)
        };
        let events = wanted(FormField::Events, &self.events, 1, "Give a number from 1.");
        let seed = wanted(FormField::Seed, &self.seed, 0, "Give a whole number from 0.");
        let say = "Give a number of minutes from 1, or leave it empty.";
        let limited = !self.minutes.trim().is_empty();
        let minutes = limited.then(|| wanted(FormField::Minutes, &self.minutes, 1, say));
        let share = self.confirm_share.trim().trim_end_matches('%').trim_end();
        let confirm_share = number(share).and_then(|percent| u32::try_from(percent).ok());
        if confirm_share.is_none() && !share.is_empty() {
            let say = "Give a percentage from 0, or leave it empty.";
            problems.insert(FormField::Confirm, say.to_owned());
        }
        let initialiser = self.initialiser(&self.target.app).unwrap_or_else(|problem| {
            problems.insert(FormField::Ready, problem);
            None
        });
        match app {
            Some(_) if problems.is_empty() => Ok(CampaignOrder {
                plan: CampaignPlan {
                    app: self.target.app.clone(),
                    build: self.target.build.clone(),
                    device: self.target.device_choice(),
                    engines,
                    spec: Arc::default(),
                    seed_traces: Vec::new(),
                    initialiser,
                    seed,
                    budget: Budget {
                        max_events: events,
                        max_device_millis: minutes.map(|minutes| minutes.saturating_mul(60_000)),
                    },
                    rules: Vec::new(),
                    oracles: self.oracles,
                    confirm: ConfirmPlan {
                        pictures: self.pictures,
                        share: confirm_share,
                        ..ConfirmPlan::default()
                    },
                },
                documents: spec.map(ChosenSpec::ids).unwrap_or_default(),
                rules: self.rules_of(&self.target.app),
                seed_traces: self.seed_traces.iter().map(|seed| seed.word.clone()).collect(),
            }),
            Some(_) | None => Err(problems),
        }
    }

    fn app_problem(&self, app: Option<&AppEntry>) -> Option<(FormField, String)> {
        let Some(app) = app else { return Some((FormField::App, "Choose an app.".to_owned())) };
        let build = &self.target.build;
        let none = matches!(build, Build::Bugs(_)) && app.switched_on(build).is_empty();
        none.then(|| {
            (FormField::Build, "Choose at least one bug, or \u{201c}Without bugs\u{201d}.".to_owned())
        })
    }

    /// Checks the specification, which only PBFDroid needs.
    fn spec_problem(
        &self,
        app: Option<&AppEntry>,
        spec: Option<&ChosenSpec<'_>>,
    ) -> Option<(FormField, String)> {
        let needed = self.picked().any(|engine| engine.name == PBFDROID);
        let app = app.filter(|_| needed || self.auto() && spec.is_some_and(|spec| !spec.is_empty()))?;
        let say = match spec {
            None => {
                format!(
                    "{} has none. Press Scan, record one in Record, or pick other engines than PBFDroid.",
                    app.label
                )
            }
            Some(spec) if spec.is_empty() => format!(
                "\u{201c}{}\u{201d} has no function yet. Press Scan, record one in Record, or pick other engines than \
                 PBFDroid.",
                spec.name()
            ),
            Some(spec) if self.names(spec).is_empty() => {
                format!("Switch on at least one function of \u{201c}{}\u{201d}.", spec.name())
            }
            Some(_) => return None,
        };
        Some((FormField::Spec, say))
    }

    /// Returns the chosen engines with their settings. Problems are added to `problems`.
    fn engine_configs(
        &self,
        spec: Option<&ChosenSpec<'_>>,
        problems: &mut FormProblems,
    ) -> Vec<EngineConfig> {
        let only = spec.filter(|_| !self.off.is_empty()).map(|spec| self.names(spec)).unwrap_or_default();
        let joined = spec.map(ChosenSpec::spec);
        let mut engines = Vec::new();
        for choice in self.picked() {
            let Some((mut config, wrong)) = choice.config() else { continue };
            match &mut config {
                EngineConfig::Pbfdroid(settings) => settings.only.clone_from(&only),
                EngineConfig::Auto(settings) => settings.only.clone_from(&only),
                _ => {}
            }
            let unfit = || config.settings().check(joined.as_deref()?).err().map(|error| error.to_string());
            let wrong = wrong.into_iter().next().map(|(key, say)| format!("Setting {key}: {say}"));
            if let Some(say) = wrong.or_else(|| unfit().filter(|_| !problems.contains_key(&FormField::Spec)))
            {
                problems.insert(FormField::Settings(choice.name), say);
            }
            engines.push(config);
        }
        if engines.is_empty() {
            problems.insert(FormField::Engines, "Pick at least one.".to_owned());
        }
        engines
    }

    /// Whether there is nothing to check the app against.
    pub fn has_no_function(&self, documents: &Documents) -> bool {
        self.spec(documents).is_none_or(|spec| spec.is_empty())
    }

    /// What a scan of the app runs: the engines that need no specification.
    ///
    /// # Errors
    ///
    /// As [`CampaignForm::check`].
    pub fn scan(&self, apps: &[AppEntry], documents: &Documents) -> Result<CampaignOrder, FormProblems> {
        let mut form = self.clone();
        let engines = scan_engines();
        for choice in &mut form.engines {
            choice.on = engines.iter().any(|engine| engine.name() == choice.name);
        }
        if form.target.device.is_some() && form.confirm_share.trim().is_empty() {
            form.confirm_share = SCAN_CONFIRM_SHARE.to_string();
        }
        Ok(CampaignOrder { documents: Vec::new(), ..form.check(apps, documents)? })
    }

    /// Whether the engines take turns, as they do if the person chooses none.
    pub fn auto(&self) -> bool {
        self.engines.iter().any(|engine| engine.on && engine.is_auto())
    }

    /// Lets the engines take turns. Their settings stay.
    pub fn choose_auto(&mut self) {
        for engine in &mut self.engines {
            engine.on = engine.is_auto();
        }
    }

    /// Chooses an engine to run by itself, or no longer. Without any, the engines take turns.
    pub fn choose_engine(&mut self, name: &str, on: bool) {
        for engine in &mut self.engines {
            engine.on = match engine.name == name {
                true => on,
                false => engine.on && !engine.is_auto(),
            };
        }
        if self.picked().next().is_none() {
            self.choose_auto();
        }
    }

    /// The engines that are chosen, in the order of the form.
    pub fn picked(&self) -> impl Iterator<Item = &EngineChoice> {
        self.engines.iter().filter(|engine| engine.on)
    }

    /// Returns the engine with this name.
    pub fn engine(&self, name: &str) -> Option<&EngineChoice> {
        self.engines.iter().find(|engine| engine.name == name)
    }

    /// Returns the engine with this name for a change.
    pub fn engine_mut(&mut self, name: &str) -> Option<&mut EngineChoice> {
        self.engines.iter_mut().find(|engine| engine.name == name)
    }

    /// Returns the names of the DMFs that the campaign runs.
    pub fn names(&self, spec: &ChosenSpec<'_>) -> Vec<String> {
        self.chosen(spec).map(|dmf| dmf.name.clone()).collect()
    }

    fn chosen<'d>(&self, spec: &ChosenSpec<'d>) -> impl Iterator<Item = &'d Dmf> {
        spec.dmfs().into_iter().filter(|dmf| dmf.runs() && !self.off.contains(&dmf.name))
    }

    /// Returns a hint about chosen engines that ignore seed traces, if there are traces and such engines.
    pub fn seedless(&self) -> Option<String> {
        if self.seed_traces.is_empty() {
            return None;
        }
        let labels = |engines: Vec<&EngineChoice>, wanted: bool| {
            let configs = engines.into_iter().filter_map(EngineChoice::config).map(|(config, _)| config);
            let begins = |config: &EngineConfig| config.settings().begins_with_traces();
            configs.filter(|config| begins(config) == wanted).map(|config| config.info().label).collect()
        };
        let without: Vec<&str> = labels(self.picked().collect(), false);
        let with: Vec<&str> = labels(self.engines.iter().collect(), true);
        let verb = if without.len() == 1 { "does" } else { "do" };
        let say = || {
            let (without, with) = (without.join(" and "), with.join(", "));
            format!("{without} {verb} not begin with recorded traces; these do: {with}.")
        };
        (!without.is_empty()).then(say)
    }

    /// Returns a hint for each kind of object that chosen functions need but no chosen function creates, so that they
    /// can never run.
    pub fn doubts(&self, spec: &ChosenSpec<'_>) -> Vec<String> {
        let chosen: Vec<&Dmf> = self.chosen(spec).collect();
        let mut stuck: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let config = self.engine(PBFDROID).filter(|engine| engine.on).and_then(EngineChoice::config);
        let Some((EngineConfig::Pbfdroid(pbfdroid), _)) = config else { return Vec::new() };
        for (dmf, missing) in stuck_functions(&chosen, pbfdroid.mode == Mode::A) {
            stuck.entry(missing).or_default().push(format!("\u{201c}{}\u{201d}", dmf.name));
        }
        let say = |(missing, names): (&str, Vec<String>)| {
            let names = names.join(", ");
            let missing = with_article(missing);
            format!("{names} can never run: no chosen function makes {missing}. Record how one is created.")
        };
        stuck.into_iter().map(say).collect()
    }
}

/// Returns a build with one bug switched over. The catalogue's complete and empty sets of bugs count as no individual
/// choice.
pub fn toggled(build: &Build, bug: &str) -> Build {
    let mut bugs: BTreeSet<String> = match build {
        Build::Bugs(bugs) => bugs.iter().cloned().collect(),
        Build::Faulty | Build::Sound => BTreeSet::new(),
    };
    if !bugs.remove(bug) {
        bugs.insert(bug.to_owned());
    }
    Build::Bugs(bugs.into_iter().collect())
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::specs::SpecDocument;
    use taproof_spec::format::DmfFile;
    use taproof_spec::{DmfKind, Spec};

    fn dmf(name: &str, weight: u32) -> Dmf {
        Dmf { weight, ..Dmf::empty(name, DmfKind::Create, "note") }
    }

    fn app(package: &str) -> AppEntry {
        AppEntry {
            package: package.into(),
            label: package.into(),
            short_name: package.into(),
            modelled_on: String::new(),
            bugs: vec![("a-bug".into(), "goes wrong".into())],
            dmfs: 0,
            device: None,
            icon: None,
        }
    }

    fn form(change: impl FnOnce(&mut CampaignForm)) -> Result<CampaignOrder, FormProblems> {
        let mut documents = Documents::default();
        let spec = Spec { dmfs: vec![dmf("add note", 10), dmf("view note", 0)], ..Spec::default() };
        let text = DmfFile::new(&spec).source().to_owned();
        let read = SpecDocument::read(DocumentId(1), "full", vec![("full.json".into(), None, text)]);
        let mut document = read.unwrap();
        document.app = "full".into();
        document.shipped = true;
        documents.list.push(document);
        let mut form =
            CampaignForm { target: Target::bundled("full", Build::Faulty), ..CampaignForm::default() };
        change(&mut form);
        form.check(&[app("full"), app("bare")], &documents)
    }

    #[test]
    fn engines_are_chosen_by_themselves_until_a_person_does() {
        let mut form = CampaignForm::default();
        assert!(form.auto());
        form.choose_engine("odin", true);
        assert!(!form.auto() && form.picked().count() == 1);
        form.choose_engine("odin", false);
        assert!(form.auto(), "somebody runs");
        form.choose_engine("keep", true);
        form.engine_mut("odin").unwrap().set("probes", "3".into());
        form.choose_auto();
        assert!(form.auto() && !form.engine("odin").unwrap().typed.is_empty());
    }

    #[test]
    fn numbers_may_be_grouped() {
        let order = form(|form| form.events = "1,234 567".into()).unwrap();
        assert_eq!((order.plan.budget.max_events, order.plan.seed), (1_234_567, 1));
    }

    #[test]
    fn findings_are_confirmed_within_a_share_of_the_events() {
        let share =
            |typed: &str| form(|form| form.confirm_share = typed.into()).map(|it| it.plan.confirm.share);
        assert_eq!((share(""), share("40"), share(" 0 % ")), (Ok(None), Ok(Some(40)), Ok(Some(0))));
        assert!(share("half").unwrap_err().contains_key(&FormField::Confirm));
    }

    #[test]
    fn each_problem_stands_beside_its_field() {
        assert!(form(|form| form.target.app = "none".into()).unwrap_err().contains_key(&FormField::App));
        assert!(form(|form| form.target.app = "bare".into()).is_ok(), "others take turns");
        let functions = form(|form| {
            form.target.app = "bare".into();
            form.choose_engine(PBFDROID, true);
        });
        assert!(functions.unwrap_err().contains_key(&FormField::Spec));
        assert!(form(|form| form.minutes = "0".into()).unwrap_err().contains_key(&FormField::Minutes));
        assert!(form(|form| form.events = "0".into()).unwrap_err().contains_key(&FormField::Events));
        assert!(form(|form| form.seed = "-1".into()).unwrap_err().contains_key(&FormField::Seed));
        let off = form(|form| form.off = BTreeSet::from(["add note".into()]));
        assert!(off.unwrap_err().contains_key(&FormField::Spec));
        let none = form(|form| form.target.build = Build::Bugs(Vec::new()));
        assert!(none.unwrap_err().contains_key(&FormField::Build));
        assert!(form(|form| form.target.build = toggled(&form.target.build, "a-bug")).is_ok());
    }

    #[test]
    fn any_set_of_engines_is_ordered_as_it_is_set() {
        let pick = |form: &mut CampaignForm, names: &[&str]| {
            form.engines.iter_mut().for_each(|engine| engine.on = names.contains(&engine.name));
        };
        let order = form(|form| {
            pick(form, &["genie", "pbfdroid", "monkey"]);
            form.engine_mut("genie").unwrap().set("seed_length", "7".into());
            form.engine_mut("odin").unwrap().set("probes", "wrong, but not picked".into());
        });
        let names: Vec<_> = order
            .unwrap()
            .plan
            .engines
            .iter()
            .map(|engine| (engine.name(), engine.changed().len()))
            .collect();
        assert_eq!(names, [("pbfdroid", 0), ("genie", 1), ("monkey", 0)]);
        assert!(form(|form| pick(form, &[])).unwrap_err().contains_key(&FormField::Engines));
        let wrong = form(|form| {
            pick(form, &["genie"]);
            form.engine_mut("genie").unwrap().set("seed_length", "few".into());
        });
        let wrong = wrong.unwrap_err();
        assert!(
            wrong[&FormField::Settings("genie")].starts_with("Setting seed_length: Give a whole number"),
            "{wrong:?}"
        );
        let bare = form(|form| {
            form.target.app = "bare".into();
            pick(form, &["monkey", "odin"]);
        });
        assert!(bare.unwrap().documents.is_empty(), "they need no specification");
        let bare = CampaignForm { target: Target::bundled("bare", Build::Faulty), ..CampaignForm::default() };
        let documents = Documents::default();
        assert!(bare.has_no_function(&documents));
        let scan = bare.scan(&[app("bare")], &documents).unwrap();
        let names: Vec<_> = scan.plan.engines.iter().map(EngineConfig::name).collect();
        assert_eq!((names.as_slice(), scan.documents), (&["keep"][..], Vec::new()));
    }
}
