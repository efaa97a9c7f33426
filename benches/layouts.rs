//! Layouts at the limits of what a dump may hold: long names, many like rows, large pages that differ everywhere.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use taproof_engine::oracle::layout_effects::{EditTree, TieOrder, TreeEditor};
use taproof_screen::determinism::hash_text;
use taproof_screen::format::parse_hierarchy;
use taproof_screen::{
    Layout, LayoutBuilder, PxRect, PxSize, Rotation, TouchMap, Widget, WidgetFlags, diff_layouts,
};

fn open(builder: &mut LayoutBuilder, class: &str, text: &str, row: i32) {
    builder.open(Widget {
        parent: None,
        package: "org.ex".into(),
        class: class.into(),
        resource_id: None,
        text: text.into(),
        content_desc: "".into(),
        hint: "".into(),
        bounds: PxRect::new(0, row, 1080, row + 1),
        flags: WidgetFlags::ENABLED.with(WidgetFlags::CLICKABLE, true),
    });
}

/// A list of this class with rows that differ in their texts alone.
fn list(class: &str, rows: usize, text: impl Fn(usize) -> String) -> Layout {
    let screen = PxSize { width: 1080, height: 1920 };
    let mut builder = LayoutBuilder::new("org.ex/.Main".into(), screen, Rotation::PORTRAIT);
    open(&mut builder, class, "", 0);
    for row in 0..rows {
        open(&mut builder, "android.widget.TextView", &text(row), row as i32);
        builder.close();
    }
    builder.finish()
}

/// A page of so many widgets in rows of five.
fn page(widgets: usize, first: usize) -> EditTree {
    let screen = PxSize { width: 1080, height: 1920 };
    let mut builder = LayoutBuilder::new("org.ex/.Main".into(), screen, Rotation::PORTRAIT);
    open(&mut builder, "android.widget.ListView", "", 0);
    for row in 0..widgets / 5 {
        for class in ["LinearLayout", "ImageView", "LinearLayout", "TextView", "TextView"] {
            let text = if class == "TextView" { (row * 7919 + first) % 10_007 } else { 0 };
            open(&mut builder, class, &text.to_string(), 0);
            if class != "LinearLayout" {
                builder.close();
            }
        }
        builder.close();
        builder.close();
    }
    EditTree::of(&builder.finish(), |_, widget| Some(hash_text(&widget.class) ^ hash_text(&widget.text)))
}

fn limits(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("layouts");
    group.sample_size(10);
    let class = "C".repeat(1 << 20);
    let (before, after) =
        (list(&class, 2000, |row| row.to_string()), list(&class, 2001, |row| row.to_string()));
    group.bench_function("difference, 2,000 widgets in a class with a name of 1 MB", |bench| {
        bench.iter(|| diff_layouts(black_box(&before), black_box(&after)));
    });
    let name = "android.widget.ListView";
    let (before, after) =
        (list(name, 20_000, |row| format!("a {row}")), list(name, 20_000, |row| format!("b {row}")));
    group.bench_function("difference, 20,000 like rows with other texts", |bench| {
        bench.iter(|| diff_layouts(black_box(&before), black_box(&after)));
    });
    group.bench_function("touches of 20,000 like rows", |bench| {
        bench.iter(|| {
            let touches = TouchMap::new(black_box(&before));
            before.iter().filter(|(idx, _)| touches.touch_point(*idx).is_ok()).count()
        });
    });
    let mut editor = TreeEditor::default();
    for widgets in [1000, 2000, 10_000] {
        let (before, after) = (page(widgets, 0), page(widgets, 5));
        group.bench_function(format!("tree edit, {widgets} widgets with other texts"), |bench| {
            bench.iter(|| {
                let edit = editor.compare(black_box(&before), black_box(&after));
                edit.map(|mut edit| edit.script(TieOrder::CANONICAL))
            });
        });
    }
    let dump = format!("<hierarchy><node class=\"{class}\" bounds=\"[0,0][9,9]\" /></hierarchy>");
    group.bench_function("dump with a name of 1 MB", |bench| {
        bench.iter(|| parse_hierarchy(black_box(dump.as_bytes())));
    });
}

criterion_group!(benches, limits);
criterion_main!(benches);
