//! Every engine on the bundled file manager, 40,000 events each, on two threads: what each takes on one core, and all
//! of them together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use taproof_campaign::{CampaignPlan, ConfirmPlan, NullSink, run};
use taproof_engine::worker::CancelToken;
use taproof_engine::{ENGINES, EngineConfig, EngineInfo};
use taproof_phone::BundledPhones;
use taproof_phone::apps::{Apps, shipped_specs};
use taproof_results::store::{SpecSource, read_specs};
use taproof_spec::Spec;

const APP: &str = "files";
const EVENTS: u64 = 40_000;
const THREADS: usize = 2;

fn spec() -> Option<Spec> {
    let sources: Vec<SpecSource> =
        shipped_specs(APP).map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    read_specs(&sources).ok()
}

fn campaign(engine: EngineConfig, package: &str, spec: &Arc<Spec>) {
    let plan = CampaignPlan {
        spec: Arc::clone(spec),
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(package, engine, EVENTS)
    };
    #[expect(clippy::disallowed_methods, reason = "it is what is measured")]
    let started = Instant::now();
    let report = run(
        &plan,
        &plan.engines[0],
        &mut BundledPhones::new(&plan.app, &plan.build),
        &CancelToken::new(),
        &mut NullSink,
    );
    println!(
        "{:<12} {:>6} events, {:>3} findings: {:>6.2} s",
        plan.engine_names(),
        report.stats.events,
        report.findings.len(),
        started.elapsed().as_secs_f64()
    );
}

fn main() {
    let apps = Apps::default();
    let (Some(app), Some(spec)) = (apps.find(APP), spec()) else { return };
    let (package, spec, next) = (app.manifest().package, Arc::new(spec), AtomicUsize::new(0));
    #[expect(clippy::disallowed_methods, reason = "it is what is measured")]
    let started = Instant::now();
    let take_turns = || {
        let take = || ENGINES.get(next.fetch_add(1, Ordering::Relaxed));
        std::iter::from_fn(take).for_each(|engine: &EngineInfo| campaign((engine.config)(), package, &spec));
    };
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(take_turns);
        }
    });
    println!("all of them on {THREADS} threads: {:.2} s", started.elapsed().as_secs_f64());
}
