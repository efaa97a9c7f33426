//! The campaign loop: events a second of PBFDroid on the sound build of each bundled app.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use taproof::campaign::{
    Budget, Build, BundledPhones, CampaignPlan, CampaignSink, ConfirmPlan, Finding, Oracles, run,
};
use taproof::device::embedded::apps::APPS;
use taproof::engine::{EngineConfig, PbfdroidConfig};
use taproof::store::{SpecSource, read_specs, shipped_specs};
use taproof::worker::CancelToken;

const EVENTS: u64 = 4000;

/// Hears nothing.
struct Deaf;

impl CampaignSink for Deaf {
    fn finding(&mut self, _finding: Arc<Finding>) {}
}

fn loops(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("campaign");
    group.throughput(Throughput::Elements(EVENTS)).sample_size(10);
    for app in APPS {
        let sources: Vec<SpecSource> =
            shipped_specs(app.short_name()).map(|spec| SpecSource::file(spec.path, spec.text)).collect();
        let Ok(spec) = read_specs(&sources) else { continue };
        let plan = CampaignPlan {
            app: app.manifest().package.to_owned(),
            build: Build::Sound,
            engines: vec![EngineConfig::Pbfdroid(PbfdroidConfig::default())],
            spec: Arc::new(spec),
            given: Vec::new(),
            seed: 1,
            budget: Budget { max_events: EVENTS, max_device_millis: None },
            oracles: Oracles::default(),
            confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        };
        group.bench_function(app.short_name(), |bench| {
            bench.iter(|| {
                let report = run(
                    &plan,
                    &plan.engines[0],
                    &mut BundledPhones::new(&plan),
                    &CancelToken::new(),
                    &mut Deaf,
                );
                black_box(report.ledger.fingerprint())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, loops);
criterion_main!(benches);
