//! Runs campaigns in parallel: those of a study, and those of a bench, which are its cells.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use taproof_campaign::{
    CampaignPlan, CampaignReport, ConfirmPlan, EndReason, NullSink, Oracles, run as run_campaign,
};
use taproof_engine::EngineConfig;
use taproof_engine::device::{Build, DeviceError};
use taproof_engine::worker::{CancelToken, catch};
use taproof_hostile::{HostilePhones, Hostilities};
use taproof_phone::{Apps, BundledPhones};
use taproof_results::store::read_specs;
use taproof_session::shipped_with;
use taproof_spec::{Severity, Spec, lint};

use crate::discovered::{Rightness, beside_truth, discovered_spec};
use crate::parallel::{Report, all_in_parallel, in_parallel};
use crate::plan::{Cell, Plan, PlanError, Specs, Target};
use crate::recorded::{Recorded, recorded_spec};
use crate::result::CellResult;

/// Campaigns that run at the same time, each on bundled phones of its own.
pub struct Campaigns {
    apps: Apps,
    plans: Vec<CampaignPlan>,
    hostilities: Hostilities,
}

/// What happens while campaigns run.
pub enum Progress<R> {
    /// The campaign at this place is done. The time that it took is no part of the result.
    Done(usize, R, Duration),
    /// Time has passed.
    Tick,
}

impl Campaigns {
    /// The campaigns of these plans.
    ///
    /// # Errors
    ///
    /// [`PlanError`] if one of them cannot run.
    pub fn new(apps: &Apps, plans: Vec<CampaignPlan>) -> Result<Campaigns, PlanError> {
        // Seeds do not matter here.
        let seed = plans.first().map(|plan| plan.seed);
        for plan in plans.iter().filter(|plan| Some(plan.seed) == seed) {
            plan.check(&apps.facts(&plan.app))
                .map_err(|error| PlanError::BadApp { app: plan.app.clone(), problem: error.to_string() })?;
        }
        Ok(Campaigns { apps: apps.clone(), plans, hostilities: Hostilities::default() })
    }

    /// The same campaigns on phones that misbehave in these ways.
    #[must_use]
    pub fn on_hostile(self, hostilities: Hostilities) -> Campaigns {
        Campaigns { hostilities, ..self }
    }

    /// The plans, in the order in which they are begun.
    pub fn plans(&self) -> &[CampaignPlan] {
        &self.plans
    }

    /// Runs the campaigns at these places on this many threads, in order. `keep` is what is kept of the report of one, or
    /// of the words of its panic. Campaigns that are cancelled have no result.
    ///
    /// # Errors
    ///
    /// The first error of `on_progress`, after which no further campaign is begun.
    pub fn run<R: Send, E>(
        &self,
        places: &[usize],
        threads: usize,
        cancel: &CancelToken,
        keep: impl Fn(usize, Result<CampaignReport, String>) -> R + Sync,
        mut on_progress: impl FnMut(Progress<R>) -> Result<(), E>,
    ) -> Result<(), E> {
        let work = |place: &usize| {
            let began = now();
            let ran = (!cancel.asked_to_stop()).then(|| self.run_one(&self.plans[*place], cancel));
            (ran.flatten().map(|ran| keep(*place, ran)), began.elapsed())
        };
        in_parallel(places, threads, work, |report| match report {
            Report::Done(at, (Some(result), took)) => on_progress(Progress::Done(places[at], result, took)),
            Report::Done(_, (None, _)) | Report::Tick => on_progress(Progress::Tick),
        })
    }

    /// The report of a campaign; `None` if it is cancelled. A mistake in an engine costs its campaign, not the night.
    fn run_one(&self, plan: &CampaignPlan, cancel: &CancelToken) -> Option<Result<CampaignReport, String>> {
        let ran = catch(|| {
            let mut phones = BundledPhones::of(&self.apps, &plan.app, &plan.build);
            let mut hostile = HostilePhones::new(&mut phones, self.hostilities.clone(), plan.seed);
            run_campaign(plan, &plan.engines[0], &mut hostile, cancel, &mut NullSink)
        });
        match ran {
            Ok(report) => (report.end != EndReason::Cancelled).then_some(Ok(report)),
            Err(panic) => Some(Err(panic.message)),
        }
    }
}

/// What engines that use specifications know of an app.
pub(crate) struct AppSpec {
    pub(crate) spec: Arc<Spec>,
    package: String,
    /// Number of functions of the specification that follows from the app.
    of: usize,
    /// How right the specification is, if it was discovered.
    rightness: Option<Rightness>,
}

impl AppSpec {
    pub(crate) fn of(name: &str, from: Specs, apps: &Apps) -> Result<AppSpec, PlanError> {
        let app = apps.find(name).ok_or_else(|| PlanError::NoSuchApp { name: name.to_owned() })?;
        let bad = |problem: String| PlanError::BadApp { app: name.to_owned(), problem };
        let package = app.manifest().package;
        let truth = read_specs(&shipped_with(apps, package))
            .map_err(|(file, error)| bad(format!("{file}: {error}")))?;
        let error = lint(&truth).into_iter().find(|it| it.code.severity() == Severity::Error);
        if let Some(error) = error {
            return Err(bad(error.to_string()));
        }
        let of = truth.dmfs.len();
        let mut phones = BundledPhones::of(apps, package, &Build::Sound);
        let failed = |error: DeviceError| bad(error.to_string());
        let mut rightness = None;
        let spec = match from {
            Specs::Truth => truth,
            Specs::Recorded => recorded_spec(&truth, package, &mut phones).map_err(failed)?,
            Specs::Discovered => {
                let spec = discovered_spec(package, &mut phones).map_err(failed)?;
                let beside = beside_truth(&truth, &spec, package, &mut phones).map_err(failed)?;
                rightness = Some(beside.rightness);
                spec
            }
        };
        Ok(AppSpec { spec: Arc::new(spec), package: package.to_owned(), of, rightness })
    }

    /// A campaign in the app. An engine that is judged by its own oracles gets the specification only if it runs its
    /// functions.
    pub(crate) fn campaign(
        &self,
        build: Build,
        engine: &EngineConfig,
        events: u64,
        oracles: Oracles,
    ) -> CampaignPlan {
        let knows = oracles == Oracles::All || engine.settings().guards_data();
        CampaignPlan {
            build,
            oracles,
            confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
            spec: if knows { Arc::clone(&self.spec) } else { Arc::default() },
            ..CampaignPlan::new(&self.package, engine.clone(), events)
        }
    }

    /// What came of a campaign in the app.
    pub(crate) fn result(&self, ran: Result<CampaignReport, String>) -> CellResult {
        match ran {
            Ok(report) => CellResult::of(&report, &self.package, &self.spec),
            Err(panic) => CellResult::failed(panic),
        }
    }
}

/// Everything that is needed to run a cell.
pub struct Bench {
    plan: Plan,
    targets: Vec<Target>,
    cells: Vec<Cell>,
    /// What engines know of each app, by its name.
    specs: BTreeMap<String, AppSpec>,
    campaigns: Campaigns,
}

impl Bench {
    /// The bench of a plan whose targets were chosen. Specifications are recorded on this many threads, if the plan says so.
    ///
    /// # Errors
    ///
    /// [`PlanError`] if a campaign cannot run.
    pub fn new(plan: Plan, targets: Vec<Target>, apps: &Apps, threads: usize) -> Result<Bench, PlanError> {
        let names: BTreeSet<&String> = targets.iter().map(|target| &target.app).collect();
        let names: Vec<&String> = names.into_iter().collect();
        let found = all_in_parallel(&names, threads, |name| AppSpec::of(name, plan.specs, apps));
        let mut specs = BTreeMap::new();
        for (name, spec) in names.into_iter().zip(found) {
            specs.insert(name.clone(), spec?);
        }
        let cells = plan.cells(&targets);
        let campaign = |cell: &Cell| {
            let (target, engine) = (&targets[cell.target], &plan.engines[cell.engine]);
            let build = target.subject.build();
            let plan = specs[&target.app].campaign(build, &engine.config, engine.events, Oracles::Own);
            CampaignPlan { seed: cell.seed, ..plan }
        };
        let campaigns = Campaigns::new(apps, cells.iter().map(campaign).collect())?;
        Ok(Bench { plan, targets, cells, specs, campaigns })
    }

    /// What was asked for.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How many functions were recorded; `None` if the specifications follow from the apps.
    pub fn recorded(&self) -> Option<Recorded> {
        let count = |count: fn(&AppSpec) -> usize| self.specs.values().map(count).sum();
        let counts = || Recorded { recorded: count(|app| app.spec.dmfs.len()), of: count(|app| app.of) };
        (self.plan.specs == Specs::Recorded).then(counts)
    }

    /// How right the discovered specifications are; `None` if they were not discovered.
    pub fn rightness(&self) -> Option<Rightness> {
        let mut all = None;
        for one in self.specs.values().filter_map(|app| app.rightness) {
            all.get_or_insert_with(Rightness::default).add(one);
        }
        all
    }

    /// The specification of each app that was made for the bench, by the app's name; nothing if they follow from the apps.
    pub fn made_specs(&self) -> impl Iterator<Item = (&str, &Spec)> {
        let made = self.specs.iter().filter(|_| self.plan.specs != Specs::Truth);
        made.map(|(name, app)| (&**name, &*app.spec))
    }

    /// The builds.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// The cells, in the order in which they are begun.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The campaigns, one for each cell.
    pub fn campaigns(&self) -> &Campaigns {
        &self.campaigns
    }

    /// What came of the cell at this place.
    pub fn result(&self, cell: usize, ran: Result<CampaignReport, String>) -> CellResult {
        self.specs[&self.targets[self.cells[cell].target].app].result(ran)
    }
}

#[expect(clippy::disallowed_methods, reason = "people want to know how long the rest will take")]
fn now() -> Instant {
    Instant::now()
}
