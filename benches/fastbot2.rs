//! Fastbot2: a decision with all that comes before it (reading the dump, the page, the reward), and what it keeps in
//! memory of 37,000 states. Memory is told as the growth of the process (VmRSS), which allocations freed before cannot
//! hide in: it is measured before anything else runs.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion};
use taproof_engine::fastbot2::{Decision, DecisionInput, Fastbot2, Fastbot2Config};
use taproof_screen::determinism::Rng;
use taproof_screen::format::parse_hierarchy;
use taproof_screen::{Layout, LayoutBuilder, PxRect, PxSize, Rotation, Text, Widget, WidgetFlags};

const APP: &str = "org.ex";
const STATES: usize = 37_000;

/// Pages of an app as the reference measured them: 62 nodes, about 14 of them clickable, 40 activities.
struct Pages {
    rng: Rng,
    ids: Vec<Text>,
    activities: Vec<Text>,
    class: Text,
    package: Text,
}

impl Pages {
    fn new(seed: u64) -> Self {
        Pages {
            rng: Rng::from_seed(seed),
            ids: (0..100).map(|number| format!("{APP}:id/widget_{number}").into()).collect(),
            activities: (0..40).map(|number| format!("{APP}/.Activity{number}").into()).collect(),
            class: "android.widget.Button".into(),
            package: APP.into(),
        }
    }

    fn next(&mut self) -> Layout {
        let rng = &mut self.rng;
        let activity = self.activities[rng.below(self.activities.len())].clone();
        let screen = PxSize { width: 1080, height: 1920 };
        let mut builder = LayoutBuilder::new(activity, screen, Rotation::PORTRAIT);
        for node in 0..62 {
            let clickable = rng.chance(14, 62);
            let top = node * 30;
            builder.open(Widget {
                parent: None,
                package: self.package.clone(),
                class: self.class.clone(),
                resource_id: Some(self.ids[rng.below(self.ids.len())].clone()),
                text: rng.below(1000).to_string().into(),
                content_desc: "".into(),
                hint: "".into(),
                bounds: PxRect::new(0, top, 1080, if node == 0 { 1920 } else { top + 30 }),
                flags: WidgetFlags::ENABLED.with(WidgetFlags::CLICKABLE, clickable),
            });
            if node > 0 {
                builder.close();
            }
        }
        builder.finish()
    }
}

/// The process's resident memory in KiB, where the system tells it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

fn explorer() -> Fastbot2 {
    let mut explorer = Fastbot2::new(Fastbot2Config::default(), APP);
    explorer.begin(&Rng::from_seed(1), &Text::from("org.ex/.Activity0"));
    explorer
}

fn decide(explorer: &mut Fastbot2, layout: &Layout, app: &str) -> Decision {
    explorer.decide(DecisionInput { layout, app, blocks: &[] })
}

/// An explorer that has seen all the states, each about as often as in a long run, and what it grew by.
fn experienced() -> Fastbot2 {
    let mut pages = Pages::new(1);
    // What the pages themselves need is there before.
    for _ in 0..100 {
        black_box(pages.next());
    }
    let before = resident();
    let mut explorer = explorer();
    let mut decisions = 0u64;
    while explorer.states_seen() < STATES {
        let page = pages.next();
        for _ in 0..1 + decisions % 3 {
            black_box(decide(&mut explorer, &page, APP));
            decisions += 1;
        }
    }
    if let (Some(before), Some(after)) = (before, resident()) {
        let states = explorer.states_seen();
        println!("{states} states after {decisions} decisions: {} KiB", after.saturating_sub(before));
    }
    explorer
}

fn dumps() -> Vec<(String, Vec<u8>)> {
    let root =
        std::env::var_os("TAPROOF_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    let Ok(entries) = std::fs::read_dir(root.join("uiautomator")) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "xml"));
    files.sort();
    let read = |file: PathBuf| {
        let name = file.file_stem()?.to_string_lossy().into_owned();
        Some((name, std::fs::read(&file).ok()?))
    };
    files.into_iter().filter_map(read).collect()
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut experienced = experienced();
    let dumps = dumps();
    if dumps.is_empty() {
        taproof_testing::skipped("no data");
    }
    let mut group = criterion.benchmark_group("fastbot2");
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    for (name, bytes) in &dumps {
        let Ok(parsed) = parse_hierarchy(bytes) else { continue };
        let app = parsed.layout.package().to_owned();
        group.bench_function(BenchmarkId::new("parse", name), |bench| {
            bench.iter(|| black_box(parse_hierarchy(bytes).is_ok()));
        });
        group.bench_function(BenchmarkId::new("decide", name), |bench| {
            bench.iter(|| {
                let parsed = parse_hierarchy(bytes);
                parsed.map(|parsed| black_box(decide(&mut experienced, &parsed.layout, &app))).is_ok()
            });
        });
    }
    group.finish();
    criterion.final_summary();
}
