//! Fastbot2 covers the bundled apps' activities in fewer events than random exploration, and in fewer still with what
//! an earlier run has learned. Prints what each variant needed, the paper's ablation among them.

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof_engine::device::{Build, Device, DeviceError, DeviceSource};
use taproof_engine::fastbot2::{Ablation, Fastbot2Config, ReuseModel};
use taproof_engine::{
    CampaignStats, Engine, EngineConfig, Limits, MonkeyConfig, RoundCtx, RoundDoor, RoundWatcher, Stop,
    TestTarget,
};
use taproof_phone::BundledPhones;
use taproof_phone::apps::specified_apps;
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_spec::Spec;

/// Events after which a run is given up.
const MOST: u64 = 6000;
const SEEDS: std::ops::RangeInclusive<u64> = 1..=10;

/// Notes when the last of so many activities was seen first.
struct Cover {
    wanted: usize,
    covered: Option<u64>,
}

impl RoundWatcher for Cover {
    fn frame(&mut self, _device: &mut dyn Device, stats: &CampaignStats) -> Result<(), DeviceError> {
        if stats.activities.len() >= self.wanted {
            self.covered.get_or_insert(stats.events);
        }
        Ok(())
    }
}

/// Runs an engine on the sound app until it has seen so many activities, or for so many events.
fn explore(config: &EngineConfig, app: &str, seed: u64, wanted: usize, most: u64) -> (u64, Box<dyn Engine>) {
    let target = TestTarget::new(app, &Spec::default(), false);
    let mut engine = config.settings().build(&target);
    let mut device = BundledPhones::new(app, &Build::Sound).fresh().unwrap();
    let mut stats =
        CampaignStats::new(&target, Limits { events: most, device_time: DeviceDuration(u64::MAX) });
    let mut cover = Cover { wanted, covered: None };
    let rng = Rng::from_seed(seed);
    for round in 0.. {
        let door = RoundDoor {
            device: &mut *device,
            target: &target,
            stats: &mut stats,
            watcher: &mut cover,
            cancelled: &|| false,
        };
        let mut ctx = RoundCtx::new(door, rng.fork_indexed("round", round)).unwrap();
        let result = engine.round(&mut ctx);
        if result == Err(Stop::BudgetSpent) || ctx.stats().activities.len() >= wanted {
            break;
        }
    }
    (cover.covered.unwrap_or(most), engine)
}

fn fastbot2(ablation: Ablation, prior: Option<&Arc<ReuseModel>>) -> EngineConfig {
    let config = Fastbot2Config { ablation, prior: prior.cloned(), ..Fastbot2Config::default() };
    EngineConfig::Fastbot2(Box::new(config))
}

/// The events that each seed took, in order, and their median.
fn median(config: &EngineConfig, app: &str, wanted: usize) -> f64 {
    let mut needed: Vec<u64> = SEEDS.map(|seed| explore(config, app, seed, wanted, MOST).0).collect();
    needed.sort_unstable();
    let middle = needed.len() / 2;
    (needed[middle - 1] + needed[middle]) as f64 / 2.0
}

#[test]
fn every_activity_is_covered_sooner_than_by_chance_and_sooner_still_with_a_model() {
    let (mut by_chance, mut by_memory) = (Vec::new(), Vec::new());
    for app in specified_apps() {
        let manifest = app.manifest();
        let (package, wanted) = (manifest.package, manifest.activities.len());
        let (_, earlier) = explore(&fastbot2(Ablation::Both, None), package, 100, usize::MAX, 3000);
        let learned = Arc::new(earlier.learned(package).unwrap());
        let needs = |config: EngineConfig| median(&config, package, wanted);
        let monkey = needs(EngineConfig::Monkey(MonkeyConfig::default()));
        let fresh = needs(fastbot2(Ablation::Both, None));
        let reused = needs(fastbot2(Ablation::Both, Some(&learned)));
        println!(
            "{}: Monkey {monkey}, Fastbot2 {fresh} ({:.2}), with a model {reused} ({:.2}); model alone {}, learning \
             alone {}",
            app.short_name(),
            fresh / monkey,
            reused / monkey,
            needs(fastbot2(Ablation::Model, None)),
            needs(fastbot2(Ablation::Learning, None)),
        );
        assert!(fresh < monkey, "{}: {fresh} events, Monkey {monkey}", app.short_name());
        assert!(reused < fresh, "{}: {reused} events with a model, {fresh} without", app.short_name());
        by_chance.push(fresh / monkey);
        by_memory.push(reused / fresh);
    }
    let mean = |ratios: &[f64]| ratios.iter().sum::<f64>() / ratios.len() as f64;
    println!("of Monkey's events {:.2}; of those without a model {:.2}", mean(&by_chance), mean(&by_memory));
}

#[test]
fn the_entries_of_a_menu_are_events_of_their_own() {
    let (_, engine) = explore(&fastbot2(Ablation::Both, None), "org.taproof.files", 1, usize::MAX, 1000);
    let learned = engine.learned("org.taproof.files").unwrap();
    let texts: BTreeSet<&str> = learned.events().map(|(event, _)| &*event.static_text).collect();
    assert!(["Rename", "Delete"].iter().all(|text| texts.contains(text)), "{texts:?}");
}
