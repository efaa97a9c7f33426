//! What a study runs, and what came of it: campaigns of several kinds, each on every app with every seed.

use std::ops::RangeInclusive;

use taproof::cli::command::Failure;
use taproof_campaign::{CampaignPlan, CampaignReport, Oracles};
use taproof_engine::device::Build;
use taproof_engine::{EngineConfig, EngineInfo, single_engines};
use taproof_hostile::Hostilities;
use taproof_phone::{Apps, BundledApp, Oracle};
use taproof_spec::Spec;

use crate::command::run_watched;
use crate::parallel::cores;
use crate::plan::Specs;
use crate::result::CellResult;
use crate::run::{AppSpec, Campaigns};
use crate::tables::statistics::{mean, median};
use crate::tables::table::{Cell, Table};

/// The apps, seeds and number of events of a study.
pub(super) struct Scope<'a> {
    all: &'a Apps,
    /// The apps that are asked about.
    pub(super) apps: Vec<BundledApp>,
    specs: Vec<AppSpec>,
    pub(super) seeds: RangeInclusive<u64>,
    pub(super) events: u64,
    /// How the phones misbehave.
    pub(super) hostilities: Hostilities,
}

impl<'a> Scope<'a> {
    pub(super) fn new(
        all: &'a Apps,
        apps: Vec<BundledApp>,
        seeds: RangeInclusive<u64>,
        events: u64,
        hostilities: Hostilities,
    ) -> Result<Scope<'a>, Failure> {
        let spec = |app: &BundledApp| AppSpec::of(app.manifest().package, Specs::Truth, all);
        let specs = apps.iter().map(spec).collect::<Result<_, _>>()?;
        Ok(Scope { all, apps, specs, seeds, events, hostilities })
    }

    /// The apps that phones have.
    pub(super) fn all(&self) -> &Apps {
        self.all
    }

    /// The specification that comes with an app.
    pub(super) fn truth(&self, app: usize) -> &Spec {
        &self.specs[app].spec
    }

    /// A campaign of this engine on each app.
    pub(super) fn campaigns(
        &self,
        build: &Build,
        engine: &EngineConfig,
        events: u64,
        oracles: Oracles,
    ) -> Vec<CampaignPlan> {
        self.specs.iter().map(|app| app.campaign(build.clone(), engine, events, oracles)).collect()
    }

    /// A campaign of this engine on each app, judged by its own oracles.
    pub(super) fn own(&self, build: &Build, engine: &EngineConfig) -> Vec<CampaignPlan> {
        self.campaigns(build, engine, self.events, Oracles::Own)
    }

    /// Campaigns of every engine on each app. Genie has so many tenths of the events.
    pub(super) fn every(&self, build: &Build, oracles: Oracles, genie_tenths: u64) -> Vec<Vec<CampaignPlan>> {
        let campaigns = |info: &EngineInfo| {
            let engine = (info.config)();
            let events = match engine {
                EngineConfig::Genie(_) => self.events.saturating_mul(genie_tenths) / 10,
                _ => self.events,
            };
            self.campaigns(build, &engine, events, oracles)
        };
        single_engines().map(campaigns).collect()
    }

    /// Runs each series of campaigns, which has one for each app, with every seed.
    pub(super) fn run(&self, series: Vec<Vec<CampaignPlan>>) -> Result<Runs<'_>, Failure> {
        self.run_on(&self.hostilities, series)
    }

    /// As [`Scope::run`], on phones that misbehave in these ways.
    pub(super) fn run_on(
        &self,
        hostilities: &Hostilities,
        series: Vec<Vec<CampaignPlan>>,
    ) -> Result<Runs<'_>, Failure> {
        let with_seeds = |plan: &CampaignPlan| {
            let seeded = |seed| CampaignPlan { seed, ..plan.clone() };
            self.seeds.clone().map(seeded).collect::<Vec<_>>()
        };
        let plans: Vec<CampaignPlan> = series.iter().flatten().flat_map(with_seeds).collect();
        let seeds = self.seeds.clone().count();
        let app = |place: usize| &self.specs[place / seeds % self.specs.len()];
        let keep = |place, report| app(place).result(Ok(report));
        let mut ran = self.run_plans_on(hostilities, plans, keep)?.into_iter();
        if let Some(trouble) = ran.as_slice().iter().find_map(|ran| ran.trouble.as_deref()) {
            let say = anyhow::anyhow!("a campaign of the study ended early: {trouble}");
            return Err(Failure::Broken(say));
        }
        let mut take = || ran.by_ref().take(seeds).collect();
        let ran = series.iter().map(|apps| apps.iter().map(|_| take()).collect()).collect();
        Ok(Runs { scope: self, ran })
    }

    /// Runs campaigns. Of each, what `keep` makes of its report; it is given its place.
    pub(super) fn run_plans<R: Send>(
        &self,
        plans: Vec<CampaignPlan>,
        keep: impl Fn(usize, CampaignReport) -> R + Sync,
    ) -> Result<Vec<R>, Failure> {
        self.run_plans_on(&self.hostilities, plans, keep)
    }

    fn run_plans_on<R: Send>(
        &self,
        hostilities: &Hostilities,
        plans: Vec<CampaignPlan>,
        keep: impl Fn(usize, CampaignReport) -> R + Sync,
    ) -> Result<Vec<R>, Failure> {
        let campaigns = Campaigns::new(self.all, plans)?.on_hostile(hostilities.clone());
        let keep = |place, ran: Result<CampaignReport, String>| ran.map(|report| keep(place, report));
        let ran = run_watched(&campaigns, cores(), keep)?;
        let ran = ran.ok_or_else(|| Failure::Broken(anyhow::anyhow!("the study was ended early")))?;
        ran.into_iter().collect::<Result<_, _>>().map_err(|panic| Failure::Broken(anyhow::anyhow!(panic)))
    }
}

/// The results of campaigns, by series, app and seed.
pub(super) struct Runs<'s> {
    scope: &'s Scope<'s>,
    ran: Vec<Vec<Vec<CellResult>>>,
}

/// A column of a table: its name, and its cell in a row.
pub(super) type Column<'c> = (&'c str, &'c dyn Fn(Row<'_>) -> Cell);

/// The campaigns on one app, or on all of them.
#[derive(Clone, Copy)]
pub(super) struct Row<'r> {
    runs: &'r Runs<'r>,
    /// The place of the app; `None` for all apps together.
    app: Option<usize>,
}

impl Runs<'_> {
    /// A table with a row for each app.
    pub(super) fn by_app(&self, columns: &[Column<'_>]) -> Table {
        let mut table = Table::new(["app"].into_iter().chain(columns.iter().map(|(name, _)| *name)));
        for (place, app) in self.scope.apps.iter().enumerate() {
            let row = Row { runs: self, app: Some(place) };
            table.row(app.manifest().label, columns.iter().map(|(_, cell)| cell(row)));
        }
        table
    }

    /// A table with a row for each app, and one for all of them together.
    pub(super) fn by_app_and_all(&self, columns: &[Column<'_>]) -> Table {
        let mut table = self.by_app(columns);
        table.row("all", columns.iter().map(|(_, cell)| cell(self.all())));
        table
    }

    /// The row of all apps together.
    pub(super) fn all(&self) -> Row<'_> {
        Row { runs: self, app: None }
    }

    /// The row of each app.
    pub(super) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.scope.apps.len()).map(|app| Row { runs: self, app: Some(app) })
    }
}

impl<'r> Row<'r> {
    /// The app; `None` in the row of all.
    pub(super) fn app(self) -> Option<&'r BundledApp> {
        Some(&self.runs.scope.apps[self.app?])
    }

    /// The cell of an app; the row of all has none.
    pub(super) fn of_app(self, cell: impl FnOnce(&'r BundledApp) -> Cell) -> Cell {
        self.app().map_or(Cell::Nothing, cell)
    }

    fn apps(self) -> impl Iterator<Item = (usize, &'r BundledApp)> {
        self.runs
            .scope
            .apps
            .iter()
            .enumerate()
            .filter(move |(place, _)| self.app.is_none_or(|app| app == *place))
    }

    /// The campaigns of a series.
    pub(super) fn ran(self, series: usize) -> impl Iterator<Item = &'r CellResult> {
        self.apps().flat_map(move |(place, _)| &self.runs.ran[series][place])
    }

    /// A number of each seed; those of the apps are added up.
    fn by_seed(self, series: usize, count: impl Fn(&BundledApp, &CellResult) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.runs.scope.seeds.clone().count()];
        for (place, app) in self.apps() {
            let ran = self.runs.ran[series][place].iter();
            sums.iter_mut().zip(ran).for_each(|(sum, ran)| *sum += count(app, ran));
        }
        sums
    }

    /// The median of the seeds.
    pub(super) fn median(self, series: usize, count: impl Fn(&BundledApp, &CellResult) -> f64) -> f64 {
        median(&self.by_seed(series, count)).unwrap_or_default()
    }

    /// The mean of the seeds.
    pub(super) fn mean(self, series: usize, count: impl Fn(&CellResult) -> f64) -> f64 {
        mean(&self.by_seed(series, |_, ran| count(ran))).unwrap_or_default()
    }

    /// The largest of the seeds.
    pub(super) fn most(self, series: usize, count: impl Fn(&CellResult) -> f64) -> f64 {
        self.by_seed(series, |_, ran| count(ran)).into_iter().fold(0.0, f64::max)
    }

    /// All seeds together.
    pub(super) fn total(self, series: usize, count: impl Fn(&CellResult) -> f64) -> f64 {
        self.ran(series).map(count).sum()
    }

    /// The app's bugs that these techniques can see, each with the seeds that found it, in words.
    pub(super) fn own_bugs(self, series: usize, oracles: &[Oracle]) -> Cell {
        self.of_app(|app| {
            let bugs = app.manifest().bugs.iter();
            let seen = bugs.filter(|bug| bug.oracles.iter().any(|oracle| oracles.contains(oracle)));
            let words = |bug: &str| format!("{bug} {}", self.seeds_that_found(bug, series, oracles).words());
            let words: Vec<String> = seen.map(|bug| words(bug.id)).collect();
            if words.is_empty() { Cell::Nothing } else { Cell::Text(words.join("; ")) }
        })
    }

    /// The number of seeds with a finding by these techniques that is attributed to the bug, and the median number of
    /// events until then.
    pub(super) fn seeds_that_found(self, bug: &str, series: usize, oracles: &[Oracle]) -> Cell {
        let events: Vec<f64> =
            self.ran(series).filter_map(|ran| Some(ran.first_of(bug, oracles)? as f64)).collect();
        Cell::Seeds { found: events.len(), of: self.ran(series).count(), median: median(&events) }
    }
}

/// How many findings of these techniques a campaign has.
pub(super) fn count(ran: &CellResult, oracles: &[Oracle]) -> f64 {
    ran.found_by(oracles).count() as f64
}

/// How many findings of these techniques are attributed to a bug.
pub(super) fn attributed(ran: &CellResult, oracles: &[Oracle]) -> f64 {
    ran.found_by(oracles).filter(|found| !found.faults.is_empty()).count() as f64
}
