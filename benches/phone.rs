//! What the campaign loop spends its time in: reading layouts off the phone, parsing and writing dumps.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use taproof_engine::device::{AppData, AppId, Device};
use taproof_phone::apps::{APPS, phone_with};
use taproof_phone::{BugSet, Fonts};
use taproof_screen::format::{parse_hierarchy, write_hierarchy};
use taproof_screen::{Event, Same};

fn layouts(criterion: &mut Criterion) {
    let fonts = Arc::new(Fonts::new());
    for app in APPS {
        let package = app.manifest().package;
        let mut phone = phone_with(&fonts, package, &BugSet::none());
        if phone.launch(&AppId(package.to_owned()), AppData::Clear).is_err() {
            continue;
        }
        let name = app.short_name();
        // A rotation forces the whole way: the app's view, placing, the dump.
        criterion.bench_function(&format!("event and layout/{name}"), |bench| {
            bench.iter(|| {
                let done = phone.perform(&Event::Rotate);
                black_box((done, phone.observe()))
            });
        });
        let Ok(frame) = phone.observe() else { continue };
        criterion.bench_function(&format!("layout key/{name}"), |bench| {
            bench.iter(|| black_box(frame.layout.key(Same::Exact)));
        });
        let xml = write_hierarchy(&frame.layout);
        criterion.bench_function(&format!("parse dump/{name}"), |bench| {
            bench.iter(|| black_box(parse_hierarchy(xml.as_bytes())));
        });
        criterion.bench_function(&format!("write dump/{name}"), |bench| {
            bench.iter(|| black_box(write_hierarchy(&frame.layout)));
        });
    }
}

criterion_group!(benches, layouts);
criterion_main!(benches);
