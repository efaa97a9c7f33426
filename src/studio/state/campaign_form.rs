//! The form that starts a campaign: what was typed and chosen, and what is wrong with it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use taproof_core::engine::{ENGINES, EngineConfig, Mode};
use taproof_core::model::{Initialiser, with_article};
use taproof_core::spec::{Dmf, stuck_functions};

use super::documents::{DocumentId, Documents, SpecDocument};
use super::engine_choice::EngineChoice;
use super::initial::InitialSteps;
use super::settings::{AppEntry, BuildChoice};

/// The engine that runs the functions of a specification.
pub const PBFDROID: &str = "pbfdroid";

/// The form that starts a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignForm {
    /// The app's package.
    pub app: String,
    /// Which bugs are on.
    pub build: BuildChoice,
    /// The specification; `None` is the shipped one of the app.
    pub document: Option<DocumentId>,
    /// Names of the DMFs that are not run.
    pub off: BTreeSet<String>,
    /// All engines: which are picked, and how they are set.
    pub engines: Vec<EngineChoice>,
    /// Events, as typed.
    pub events: String,
    /// Minutes of device time, as typed; empty: no limit.
    pub minutes: String,
    /// Seed, as typed.
    pub seed: String,
    /// What is done first in every test, by app. The workspace keeps it.
    pub first: BTreeMap<String, InitialSteps>,
}

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FormField {
    /// The app.
    App,
    /// Its build.
    Build,
    /// The specification and its functions.
    Spec,
    /// The events.
    Events,
    /// The device time.
    Minutes,
    /// The seed.
    Seed,
    /// What must be on the screen before a test may begin.
    Ready,
    /// The engines that are picked.
    Engines,
    /// The settings of this one.
    Settings(&'static str),
}

impl FormField {
    /// Its label.
    pub fn word(self) -> &'static str {
        match self {
            FormField::App => "App",
            FormField::Build => "Build",
            FormField::Spec => "Specification",
            FormField::Events => "Events",
            FormField::Minutes => "Minutes",
            FormField::Seed => "Seed",
            FormField::Ready => "Ready when",
            FormField::Engines => "Engines",
            FormField::Settings(engine) => {
                ENGINES.iter().find(|info| info.name == engine).map_or(engine, |info| info.label)
            }
        }
    }
}

/// What is wrong with a form, by field.
pub type FormProblems = BTreeMap<FormField, String>;

/// What a form asks for, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignOrder {
    /// The app's package.
    pub app: String,
    /// Which bugs are on.
    pub build: BuildChoice,
    /// The specification; without one nothing is known of what the app should do.
    pub document: Option<DocumentId>,
    /// The engines, in the order of the form.
    pub engines: Vec<EngineConfig>,
    /// Events.
    pub events: u64,
    /// Device time in milliseconds, if it is limited.
    pub max_device_millis: Option<u64>,
    /// Seed.
    pub seed: u64,
    /// What is done first in every test.
    pub initialiser: Option<Arc<Initialiser>>,
}

impl Default for CampaignForm {
    fn default() -> Self {
        CampaignForm {
            app: String::new(),
            build: BuildChoice::Faulty,
            document: None,
            off: BTreeSet::new(),
            engines: EngineChoice::all(),
            events: "40,000".to_owned(),
            minutes: String::new(),
            seed: "1".to_owned(),
            first: BTreeMap::new(),
        }
    }
}

/// A number as people type it.
fn number(text: &str) -> Option<u64> {
    text.replace([',', ' ', '\u{2019}'], "").parse().ok()
}

impl CampaignForm {
    /// The specification that is meant.
    pub fn spec<'d>(&self, documents: &'d Documents) -> Option<&'d SpecDocument> {
        let of_app = || documents.list.iter().filter(|document| document.app == self.app);
        let chosen = of_app().find(|document| Some(document.id) == self.document);
        chosen.or_else(|| of_app().find(|document| document.shipped)).or_else(|| of_app().next())
    }

    /// The app is another one: what spoke of the last one goes.
    pub fn choose_app(&mut self, package: &str) {
        if self.app != package {
            package.clone_into(&mut self.app);
            self.document = None;
            self.off.clear();
            if matches!(self.build, BuildChoice::Only(_)) {
                self.build = BuildChoice::Faulty;
            }
        }
    }

    /// The app is this one, on its phone.
    pub fn choose_entry(&mut self, app: &AppEntry) {
        self.choose_app(&app.package);
        match &app.device {
            Some(serial) => self.build = BuildChoice::Device(serial.clone()),
            None if self.build.device().is_some() => self.build = BuildChoice::Faulty,
            None => {}
        }
    }

    /// The specification is another one.
    pub fn choose_document(&mut self, document: DocumentId) {
        if self.document != Some(document) {
            self.document = Some(document);
            self.off.clear();
        }
    }

    /// What it asks for, or what is wrong with each field.
    pub fn check(&self, apps: &[AppEntry], documents: &Documents) -> Result<CampaignOrder, FormProblems> {
        let mut problems = FormProblems::new();
        let app = apps.iter().find(|app| self.build.means(app, &self.app));
        let spec = self.spec(documents);
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
        let initialiser = self.initialiser(&self.app).unwrap_or_else(|problem| {
            problems.insert(FormField::Ready, problem);
            None
        });
        match app {
            Some(app) if problems.is_empty() => Ok(CampaignOrder {
                app: app.package.clone(),
                build: self.build.clone(),
                document: spec.map(|spec| spec.id),
                engines,
                events,
                max_device_millis: minutes.map(|minutes| minutes.saturating_mul(60_000)),
                seed,
                initialiser,
            }),
            Some(_) | None => Err(problems),
        }
    }

    fn app_problem(&self, app: Option<&AppEntry>) -> Option<(FormField, String)> {
        let Some(app) = app else { return Some((FormField::App, "Choose an app.".to_owned())) };
        let none = matches!(self.build, BuildChoice::Only(_)) && self.build.bugs(app).is_empty();
        none.then(|| (FormField::Build, "Choose at least one bug, or the sound build.".to_owned()))
    }

    /// PBFDroid has nothing to do without a specification; the other engines need none.
    fn spec_problem(
        &self,
        app: Option<&AppEntry>,
        spec: Option<&SpecDocument>,
    ) -> Option<(FormField, String)> {
        let needed = self.picked().any(|engine| engine.name == PBFDROID);
        let app = app.filter(|_| needed)?;
        let say = match spec {
            None => {
                format!("{} has none. Record one in Record, or pick other engines than PBFDroid.", app.label)
            }
            Some(spec) if self.names(spec).is_empty() => {
                format!("Switch on at least one function of \u{201c}{}\u{201d}.", spec.name)
            }
            Some(_) => return None,
        };
        Some((FormField::Spec, say))
    }

    /// The engines as they are set.
    fn engine_configs(&self, spec: Option<&SpecDocument>, problems: &mut FormProblems) -> Vec<EngineConfig> {
        let only = spec.filter(|_| !self.off.is_empty()).map(|spec| self.names(spec)).unwrap_or_default();
        let mut engines = Vec::new();
        for choice in self.picked() {
            let Some((mut config, wrong)) = choice.config() else { continue };
            if let EngineConfig::Pbfdroid(settings) = &mut config {
                settings.only.clone_from(&only);
            }
            let unfit = || config.settings().check(&spec?.spec).err().map(|error| error.to_string());
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

    /// The engines that are picked.
    pub fn picked(&self) -> impl Iterator<Item = &EngineChoice> {
        self.engines.iter().filter(|engine| engine.on)
    }

    /// The engine of that name.
    pub fn engine(&self, name: &str) -> Option<&EngineChoice> {
        self.engines.iter().find(|engine| engine.name == name)
    }

    /// The engine of that name, to be changed.
    pub fn engine_mut(&mut self, name: &str) -> Option<&mut EngineChoice> {
        self.engines.iter_mut().find(|engine| engine.name == name)
    }

    /// The DMFs of a specification that are run.
    pub fn names(&self, spec: &SpecDocument) -> Vec<String> {
        self.chosen(spec).map(|dmf| dmf.name.clone()).collect()
    }

    fn chosen<'d>(&'d self, spec: &'d SpecDocument) -> impl Iterator<Item = &'d Dmf> {
        spec.spec.dmfs.iter().filter(|dmf| dmf.weight > 0 && !self.off.contains(&dmf.name))
    }

    /// What is to be said of the functions that can never run, as none of the others makes what they need.
    pub fn doubts(&self, spec: &SpecDocument) -> Vec<String> {
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

/// The bugs of a build that are switched on one by one.
pub fn toggled(build: &BuildChoice, bug: &str) -> BuildChoice {
    let mut bugs: BTreeSet<String> = match build {
        BuildChoice::Only(bugs) => bugs.clone(),
        BuildChoice::Faulty | BuildChoice::Sound | BuildChoice::Device(_) => BTreeSet::new(),
    };
    if !bugs.remove(bug) {
        bugs.insert(bug.to_owned());
    }
    BuildChoice::Only(bugs)
}

#[cfg(test)]
mod tests {

    use super::*;
    use taproof_core::format::DmfFile;
    use taproof_core::spec::{DmfKind, Spec};

    fn dmf(name: &str, weight: u32) -> Dmf {
        Dmf { weight, ..Dmf::empty(name, DmfKind::Create, "note") }
    }

    fn form(change: impl FnOnce(&mut CampaignForm)) -> Result<CampaignOrder, FormProblems> {
        let app = |package: &str| AppEntry {
            package: package.into(),
            label: package.into(),
            short_name: package.into(),
            modelled_on: String::new(),
            bugs: vec![("a-bug".into(), "goes wrong".into())],
            dmfs: 0,
            device: None,
        };
        let mut documents = Documents::default();
        let spec = Spec { dmfs: vec![dmf("add note", 10), dmf("view note", 0)], ..Spec::default() };
        let text = DmfFile::new(&spec).source().to_owned();
        let read = SpecDocument::read(DocumentId(1), "full", vec![("full.json".into(), None, text)]);
        let mut document = read.unwrap();
        document.app = "full".into();
        document.shipped = true;
        documents.list.push(document);
        let mut form = CampaignForm { app: "full".into(), ..CampaignForm::default() };
        change(&mut form);
        form.check(&[app("full"), app("bare")], &documents)
    }

    #[test]
    fn numbers_may_be_grouped() {
        let order = form(|form| form.events = "1,234 567".into()).unwrap();
        assert_eq!((order.events, order.seed), (1_234_567, 1));
    }

    #[test]
    fn each_problem_stands_beside_its_field() {
        assert!(form(|form| form.app = "none".into()).unwrap_err().contains_key(&FormField::App));
        assert!(form(|form| form.app = "bare".into()).unwrap_err().contains_key(&FormField::Spec));
        assert!(form(|form| form.minutes = "0".into()).unwrap_err().contains_key(&FormField::Minutes));
        assert!(form(|form| form.events = "0".into()).unwrap_err().contains_key(&FormField::Events));
        assert!(form(|form| form.seed = "-1".into()).unwrap_err().contains_key(&FormField::Seed));
        let off = form(|form| form.off = BTreeSet::from(["add note".into()]));
        assert!(off.unwrap_err().contains_key(&FormField::Spec));
        let none = form(|form| form.build = BuildChoice::Only(BTreeSet::new()));
        assert!(none.unwrap_err().contains_key(&FormField::Build));
        assert!(form(|form| form.build = toggled(&form.build, "a-bug")).is_ok());
    }

    #[test]
    fn any_set_of_engines_is_ordered_as_it_is_set() {
        let pick = |form: &mut CampaignForm, names: &[&str]| {
            form.engines.iter_mut().for_each(|engine| engine.on = names.contains(&engine.name));
        };
        let order = form(|form| {
            pick(form, &["genie", "pbfdroid", "monkey"]);
            form.engine_mut("genie").unwrap().set("seeds", "7".into());
            form.engine_mut("odin").unwrap().set("probes", "wrong, but not picked".into());
        });
        let names: Vec<_> =
            order.unwrap().engines.iter().map(|engine| (engine.name(), engine.changed().len())).collect();
        assert_eq!(names, [("pbfdroid", 0), ("genie", 1), ("monkey", 0)]);
        assert!(form(|form| pick(form, &[])).unwrap_err().contains_key(&FormField::Engines));
        let wrong = form(|form| {
            pick(form, &["genie"]);
            form.engine_mut("genie").unwrap().set("seeds", "few".into());
        });
        let wrong = wrong.unwrap_err();
        assert!(
            wrong[&FormField::Settings("genie")].starts_with("Setting seeds: Give a whole number"),
            "{wrong:?}"
        );
        let bare = form(|form| {
            form.app = "bare".into();
            pick(form, &["monkey", "odin"]);
        });
        assert!(bare.unwrap().document.is_none(), "they need no specification");
    }
}
