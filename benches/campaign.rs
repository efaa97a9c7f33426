//! The campaign loop: events a second of PBFDroid on the sound build of each bundled app, and how long all engines
//! take to end when somebody cancels them.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use taproof_campaign::{
    Budget, CampaignPlan, ConfirmPlan, DeviceChoice, EngineWorker, NullSink, Oracles, Update, run,
};
use taproof_engine::device::Build;
use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, PbfdroidConfig, single_engines};
use taproof_phone::BundledPhones;
use taproof_phone::apps::{APPS, BundledApp, shipped_specs, specified_apps};
use taproof_results::store::{SpecSource, read_specs};

const EVENTS: u64 = 4000;

fn plan(app: &BundledApp, engines: Vec<EngineConfig>, max_events: u64) -> Option<CampaignPlan> {
    let sources: Vec<SpecSource> =
        shipped_specs(app.short_name()).map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    Some(CampaignPlan {
        app: app.manifest().package.to_owned(),
        build: Build::Sound,
        device: DeviceChoice::Bundled,
        engines,
        spec: Arc::new(read_specs(&sources).ok()?),
        seed_traces: Vec::new(),
        initialiser: None,
        seed: 1,
        budget: Budget { max_events, max_device_millis: None },
        rules: Vec::new(),
        oracles: Oracles::default(),
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
    })
}

fn loops(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("campaign");
    group.throughput(Throughput::Elements(EVENTS)).sample_size(10);
    for app in specified_apps() {
        let pbfdroid = EngineConfig::Pbfdroid(PbfdroidConfig::default());
        let Some(plan) = plan(app, vec![pbfdroid], EVENTS) else { continue };
        group.bench_function(app.short_name(), |bench| {
            bench.iter(|| {
                let report = run(
                    &plan,
                    &plan.engines[0],
                    &mut BundledPhones::new(&plan.app, &plan.build),
                    &CancelToken::new(),
                    &mut NullSink,
                );
                black_box(report.stats.fingerprint())
            });
        });
    }
    group.finish();
}

#[expect(clippy::disallowed_methods, reason = "people want to know how long it took")]
fn now() -> Instant {
    Instant::now()
}

/// Hears what the engines tell, for so long or until all are over.
fn hear(workers: &[EngineWorker], patience: Duration) {
    let start = now();
    let mut over = vec![false; workers.len()];
    while over.contains(&false) && start.elapsed() < patience {
        for (worker, over) in workers.iter().zip(&mut over) {
            while let Ok(update) = worker.updates().try_recv() {
                *over |= matches!(update, Update::Ended(_) | Update::Broken(_));
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// From the order to stop to the last engine's end, each time at another moment of the campaign.
fn cancel(criterion: &mut Criterion) {
    let engines: Vec<EngineConfig> = single_engines().map(|engine| (engine.config)()).collect();
    let Some(plan) = APPS.first().and_then(|app| plan(app, engines, 10_000_000)) else { return };
    let plan = Arc::new(plan);
    let (mut moment, mut worst) = (0, Duration::ZERO);
    let mut once = || {
        let start = |place| {
            let phones = BundledPhones::new(&plan.app, &plan.build);
            EngineWorker::start(Arc::clone(&plan), place, None, phones, || {}, || {}).ok()
        };
        let workers: Vec<EngineWorker> = (0..plan.engines.len()).filter_map(start).collect();
        moment += 1;
        hear(&workers, Duration::from_millis(moment % 10 * 1_700 + 100));
        let asked = now();
        workers.iter().for_each(EngineWorker::cancel);
        hear(&workers, Duration::from_secs(60));
        let took = asked.elapsed();
        worst = worst.max(took);
        took
    };
    let mut group = criterion.benchmark_group("cancel");
    group.sample_size(10).sampling_mode(SamplingMode::Flat).warm_up_time(Duration::from_millis(1));
    group.bench_function("all engines", |bench| bench.iter_custom(|times| (0..times).map(|_| once()).sum()));
    group.finish();
    println!("cancel/all engines: the longest took {worst:?}");
}

criterion_group!(benches, loops, cancel);
criterion_main!(benches);
