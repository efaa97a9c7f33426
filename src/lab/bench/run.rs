//! Runs the campaigns of a bench, in parallel.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use taproof_core::campaign::{
    Build, CampaignPlan, ConfirmPlan, EndReason, NullSink, Oracles, run as run_campaign,
};
use taproof_core::device::DeviceError;
use taproof_core::spec::{Severity, Spec, lint};
use taproof_core::worker::{CancelToken, catch};
use taproof_phone::{Apps, BundledPhones};
use taproof_results::store::read_specs;
use taproof_session::shipped_with;

use crate::discovered::{Rightness, beside_truth, discovered_spec};
use crate::parallel::{Report, all_in_parallel, in_parallel};
use crate::plan::{Cell, Plan, PlanError, Specs, Target};
use crate::recorded::{Recorded, recorded_spec};
use crate::result::CellResult;

/// Everything that is needed to run a cell.
pub struct Bench {
    apps: Apps,
    plan: Plan,
    targets: Vec<Target>,
    cells: Vec<Cell>,
    /// What engines know of each app, by its name.
    specs: BTreeMap<String, AppSpec>,
}

/// What engines that use specifications know of an app.
struct AppSpec {
    spec: Arc<Spec>,
    package: String,
    /// Number of functions of the specification that follows from the app.
    of: usize,
    /// How right the specification is, if it was discovered.
    rightness: Option<Rightness>,
}

impl AppSpec {
    fn of(name: &str, from: Specs, apps: &Apps) -> Result<AppSpec, PlanError> {
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
}

/// What happens while cells run.
pub enum Progress {
    /// The cell at this place among [`Bench::cells`] is done. The time that it took is no part of the result.
    Done(usize, CellResult, Duration),
    /// Time has passed.
    Tick,
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
        let bench = Bench { apps: apps.clone(), plan, targets, cells, specs };
        // Seeds do not matter here.
        for cell in bench.cells.iter().filter(|cell| cell.seed == *bench.plan.seeds.start()) {
            let name = &bench.targets[cell.target].app;
            let plan = bench.campaign(*cell);
            plan.check(&bench.apps.facts(&plan.app))
                .map_err(|error| PlanError::BadApp { app: name.clone(), problem: error.to_string() })?;
        }
        Ok(bench)
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

    /// The campaigns, in the order in which they are begun.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Runs these cells on this many threads, in order. Cells that are cancelled have no result.
    ///
    /// # Errors
    ///
    /// The first error of `hear`, after which no further cell is begun.
    pub fn run<E>(
        &self,
        cells: &[usize],
        threads: usize,
        cancel: &CancelToken,
        mut hear: impl FnMut(Progress) -> Result<(), E>,
    ) -> Result<(), E> {
        let work = |place: &usize| {
            let began = now();
            let result = (!cancel.asked_to_stop()).then(|| self.run_cell(self.cells[*place], cancel));
            (result.flatten(), began.elapsed())
        };
        in_parallel(cells, threads, work, |report| match report {
            Report::Done(place, (Some(result), took)) => hear(Progress::Done(cells[place], result, took)),
            Report::Done(_, (None, _)) | Report::Tick => hear(Progress::Tick),
        })
    }

    /// The result of a cell; `None` if it is cancelled.
    fn run_cell(&self, cell: Cell, cancel: &CancelToken) -> Option<CellResult> {
        let plan = self.campaign(cell);
        let ran = catch(|| {
            let mut phones = BundledPhones::of(&self.apps, &plan.app, &plan.build);
            run_campaign(&plan, &plan.engines[0], &mut phones, cancel, &mut NullSink)
        });
        let report = match ran {
            Ok(report) => report,
            // A mistake in an engine costs its cell, not the night.
            Err(panic) => return Some(CellResult::failed(panic.message)),
        };
        let AppSpec { spec, package, .. } = self.specs.get(&self.targets[cell.target].app)?;
        (report.end != EndReason::Cancelled).then(|| CellResult::of(&report, package, spec))
    }

    /// The plan of a cell. An engine is judged by its own oracles, and gets the specification only if it runs its
    /// functions.
    fn campaign(&self, cell: Cell) -> CampaignPlan {
        let (target, engine) = (&self.targets[cell.target], &self.plan.engines[cell.engine]);
        let app = self.specs.get(&target.app);
        let (spec, package) = app.map(|app| (Arc::clone(&app.spec), app.package.clone())).unwrap_or_default();
        CampaignPlan {
            build: target.subject.build(),
            seed: cell.seed,
            oracles: Oracles::Own,
            confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
            spec: if engine.config.settings().guards_data() { spec } else { Arc::default() },
            ..CampaignPlan::new(&package, engine.config.clone(), engine.events)
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "people want to know how long the rest will take")]
fn now() -> Instant {
    Instant::now()
}
