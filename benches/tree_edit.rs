//! The ordered tree edit of two layouts: the hot loop of the comparing engines.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use taproof_engine::oracle::layout_effects::{EditTree, TieOrder, TreeEditor};
use taproof_screen::determinism::{StableHasher, hash_text};
use taproof_screen::{Layout, LayoutBuilder, PxRect, PxSize, Rotation, Text, Widget, WidgetFlags};

/// Widgets of each layout.
const WIDGETS: usize = 100;

/// A page as apps have them: wrappers, a bar, a list of rows with a picture, two texts and a button.
fn page(title: &str, rows: impl Iterator<Item = usize>) -> Layout {
    let screen = PxSize { width: 1080, height: 1920 };
    let mut builder = LayoutBuilder::new(Text::from("org.ex/.Main"), screen, Rotation::PORTRAIT);
    let mut count = 0;
    let mut open = |builder: &mut LayoutBuilder, class: &str, text: &str, leaf: bool| {
        builder.open(Widget {
            parent: None,
            package: Text::from("org.ex"),
            class: format!("android.widget.{class}").into(),
            resource_id: None,
            text: text.into(),
            content_desc: "".into(),
            hint: "".into(),
            bounds: PxRect::new(0, 0, 1080, 1920),
            flags: WidgetFlags::ENABLED,
        });
        count += 1;
        if leaf {
            builder.close();
        }
        count
    };
    for class in ["FrameLayout", "LinearLayout", "FrameLayout", "RelativeLayout"] {
        open(&mut builder, class, "", false);
    }
    open(&mut builder, "Toolbar", "", false);
    open(&mut builder, "TextView", title, true);
    open(&mut builder, "ImageButton", "", true);
    builder.close();
    open(&mut builder, "RecyclerView", "", false);
    for row in rows {
        open(&mut builder, "LinearLayout", "", false);
        open(&mut builder, "ImageView", "", true);
        open(&mut builder, "LinearLayout", "", false);
        open(&mut builder, "TextView", &format!("Row {row}"), true);
        open(&mut builder, "TextView", &format!("{row} minutes ago"), true);
        builder.close();
        open(&mut builder, "FrameLayout", "", false);
        let count = open(&mut builder, "ImageButton", "", true);
        builder.close();
        builder.close();
        if count + 7 > WIDGETS {
            break;
        }
    }
    builder.close();
    while open(&mut builder, "TextView", "", true) < WIDGETS {}
    builder.finish()
}

fn tree(layout: &Layout) -> EditTree {
    EditTree::of(layout, |_, widget| {
        let mut hasher = StableHasher::new();
        hasher.u64(hash_text(&widget.class));
        hasher.text(&widget.text);
        Some(hasher.finish())
    })
}

fn edits(criterion: &mut Criterion) {
    let before = tree(&page("Inbox", 0..));
    let cases = [
        ("one row added", tree(&page("Inbox", [40].into_iter().chain(0..)))),
        ("every row other", tree(&page("Outbox", 100..))),
    ];
    let mut editor = TreeEditor::default();
    for (name, after) in &cases {
        assert_eq!((before.len(), after.len()), (WIDGETS, WIDGETS));
        criterion.bench_function(&format!("tree edit/100 widgets, {name}"), |bench| {
            bench.iter(|| {
                let edit = editor.compare(black_box(&before), black_box(after));
                black_box(edit.map(|mut edit| (edit.distance(), edit.script(TieOrder::CANONICAL))))
            });
        });
    }
    criterion.bench_function("tree edit/labels of 100 widgets", |bench| {
        let layout = page("Inbox", 0..);
        bench.iter(|| black_box(tree(black_box(&layout))));
    });
}

criterion_group!(benches, edits);
criterion_main!(benches);
