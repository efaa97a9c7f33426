//! Real dumps and real recordings are read as the data's own index says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use taproof_engine::device::{Device, RecordedDevice};
use taproof_screen::format::{
    FormatError, Place, WalkAction, parse_hierarchy, parse_walk_events, write_hierarchy,
};
use taproof_screen::{AppHealth, Event, Layout, Resolved, Widget, WidgetFlags, WidgetIdx, XPath};

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    files
}

/// The dumps under `uiautomator/` with their entries of `index.json`.
fn indexed_dumps() -> Vec<(Value, Vec<u8>)> {
    let Some(folder) = taproof_testing::data().map(|data| data.join("uiautomator")) else {
        return Vec::new();
    };
    let index = std::fs::read_to_string(folder.join("index.json")).unwrap();
    let index: Value = serde_json::from_str(&index).unwrap();
    let entries = index["files"].as_array().unwrap().clone();
    assert_eq!(index["count"], entries.len());
    entries
        .into_iter()
        .map(|entry| {
            let bytes = std::fs::read(folder.join(entry["file"].as_str().unwrap())).unwrap();
            (entry, bytes)
        })
        .collect()
}

/// The numbers of `index.json` that a layout can tell, in its keys and shapes.
fn counts(layout: &Layout) -> Value {
    let widgets = layout.widgets();
    let count = |holds: &dyn Fn(&Widget) -> bool| widgets.iter().filter(|widget| holds(widget)).count();
    let flag = |flag| count(&|widget| widget.flags.has(flag));
    let distinct = |of: &dyn Fn(&Widget) -> Option<String>| -> BTreeSet<String> {
        widgets.iter().filter_map(of).filter(|value| !value.is_empty()).collect()
    };
    let texts = widgets.iter().flat_map(|widget| [&widget.text, &widget.content_desc]);
    let edges = |of: &dyn Fn(&Widget) -> i32| widgets.iter().map(of).collect::<Vec<i32>>();
    serde_json::json!({
        "nodes": widgets.len(),
        "max_depth": layout.iter().map(|(idx, _)| layout.depth(idx) + 1).max(),
        "top_level_nodes": layout.roots().count(),
        "clickable": flag(WidgetFlags::CLICKABLE),
        "long_clickable": flag(WidgetFlags::LONG_CLICKABLE),
        "scrollable": flag(WidgetFlags::SCROLLABLE),
        "enabled_false": widgets.len() - flag(WidgetFlags::ENABLED),
        "checkable": flag(WidgetFlags::CHECKABLE),
        "naf": flag(WidgetFlags::NAF),
        "with_text": count(&|widget| !widget.text.is_empty()),
        "with_content_desc": count(&|widget| !widget.content_desc.is_empty()),
        "distinct_resource_ids": distinct(&|widget| widget.resource_id.as_ref().map(|id| id.to_string())).len(),
        "distinct_classes": distinct(&|widget| Some(widget.class.to_string())).len(),
        "packages": distinct(&|widget| Some(widget.package.to_string())),
        "rotation": layout.rotation().0.to_string(),
        "supplementary_chars": texts.flat_map(|text| text.chars()).filter(|char| *char > '\u{FFFF}').count(),
        "bounds_union": [
            edges(&|widget| widget.bounds.left).into_iter().min(),
            edges(&|widget| widget.bounds.top).into_iter().min(),
            edges(&|widget| widget.bounds.right).into_iter().max(),
            edges(&|widget| widget.bounds.bottom).into_iter().max(),
        ],
        "zero_area_nodes": count(&|widget| widget.bounds.is_empty()),
    })
}

fn check_counts(layout: &Layout, entry: &Value) {
    for (key, counted) in counts(layout).as_object().unwrap() {
        assert_eq!(counted, &entry[key], "{key} of {}", entry["file"]);
    }
}

#[test]
fn dumps_parse_to_the_counts_of_their_index() {
    for (entry, bytes) in indexed_dumps() {
        let parsed = parse_hierarchy(&bytes).unwrap();
        check_counts(&parsed.layout, &entry);
        let well_formed = entry["well_formed"].as_bool().unwrap();
        assert_eq!(parsed.warnings.is_empty(), well_formed, "{}: {:?}", entry["file"], parsed.warnings);
        assert_eq!(parsed.layout.windows().iter().filter(|window| window.active).count(), 1);
    }
}

#[test]
fn an_app_is_active_before_the_windows_of_the_system() {
    for (entry, bytes) in indexed_dumps() {
        if entry["top_level_nodes"] != 1 {
            let layout = parse_hierarchy(&bytes).unwrap().layout;
            let active = layout.windows().iter().find(|window| window.active).unwrap();
            assert_eq!(&*layout.widget(active.root.unwrap()).package, "com.eco.global.app");
        }
    }
}

#[test]
fn dumps_survive_writing_and_reading() {
    for (entry, bytes) in indexed_dumps() {
        let layout = parse_hierarchy(&bytes).unwrap().layout;
        let written = write_hierarchy(&layout);
        let again = parse_hierarchy(written.as_bytes()).unwrap();
        assert_eq!((again.layout, again.warnings), (layout, Vec::new()), "{}", entry["file"]);
    }
}

#[test]
fn utf16_variants_give_the_same_counts() {
    for (entry, bytes) in indexed_dumps() {
        let text = String::from_utf8(bytes).unwrap();
        let text = text.trim_start_matches('\u{FEFF}');
        assert!(text.contains("UTF-8"), "the variant shall declare another encoding than it has");
        for mark in ["\u{FEFF}", ""] {
            let units: Vec<u16> = mark.encode_utf16().chain(text.encode_utf16()).collect();
            let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            for variant in [little, big] {
                check_counts(&parse_hierarchy(&variant).unwrap().layout, &entry);
            }
        }
    }
}

#[test]
fn truncated_dumps_are_errors_with_a_place() {
    for (entry, bytes) in indexed_dumps() {
        let closing = b"</hierarchy>";
        let end = bytes.windows(closing.len()).rposition(|window| window == closing).unwrap() + closing.len();
        let every = (0..end).step_by(997);
        for cut in every.chain([1, 2, 30, 60, end / 2, end - 13, end - 12, end - 1]) {
            let error = parse_hierarchy(&bytes[..cut]).expect_err("a part is not a dump");
            let FormatError::Unexpected { place: Place::Text { line, column, offset }, .. } = &error else {
                panic!("{} cut at {cut}: {error}", entry["file"]);
            };
            assert!(*line >= 1 && *column >= 1 && *offset <= cut, "{} cut at {cut}: {error}", entry["file"]);
        }
    }
}

#[test]
fn every_screen_of_the_real_device_parses() {
    let Some(folder) = taproof_testing::data().map(|data| data.join("android44")) else { return };
    for file in files(&folder, ".xml") {
        let parsed = parse_hierarchy(&std::fs::read(&file).unwrap()).unwrap();
        assert!(parsed.layout.widgets().len() >= 10, "{file:?}");
        assert_eq!(parsed.warnings, [], "{file:?}");
    }
    let typed = parse_hierarchy(&std::fs::read(folder.join("uiautomator_devtty.txt")).unwrap()).unwrap();
    assert!(typed.layout.widgets().len() >= 10);
    assert!(typed.warnings[0].problem.contains("UI hierchary dumped to: /dev/tty"));
    let frozen = parse_hierarchy(&std::fs::read(folder.join("uiautomator_frozen_app.txt")).unwrap());
    assert!(frozen.unwrap_err().to_string().contains("ERROR: null root node"));
}

/// The folders of recorded walks.
fn walks() -> Vec<PathBuf> {
    let Some(data) = taproof_testing::data() else { return Vec::new() };
    let folders = [data.join("android44/walks"), data.join("android44-walks")];
    folders
        .iter()
        .filter(|folder| folder.is_dir())
        .flat_map(|folder| files(folder, ""))
        .filter(|walk| walk.is_dir())
        .collect()
}

#[test]
fn walks_play_from_the_first_step_to_the_last() {
    for folder in walks() {
        let mut device = RecordedDevice::open(&folder).unwrap();
        assert!(device.len() >= 6 && device.warnings().is_empty(), "{folder:?}");
        for (step, recorded) in device.events().to_vec().iter().enumerate() {
            let picture = device.screenshot().unwrap();
            let frame = device.observe().unwrap();
            assert_eq!(picture.size, frame.layout.screen(), "{folder:?} step {step}");
            assert_eq!(frame.health, AppHealth::Running, "{folder:?} step {step}");
            assert_eq!(&recorded.activity_before, frame.layout.activity(), "{folder:?} step {step}");
            device.perform(&recorded.event).unwrap();
            assert_eq!(device.position(), step + 1, "{folder:?}");
        }
    }
}

#[test]
fn recorded_selectors_resolve_to_the_widget_at_the_recorded_point() {
    for folder in walks() {
        let device = RecordedDevice::open(&folder).unwrap();
        let walk = parse_walk_events(&std::fs::read_to_string(folder.join("events.json")).unwrap()).unwrap();
        for (step, (walked, recorded)) in walk.iter().zip(device.events()).enumerate() {
            let WalkAction::Widget { selector, bounds, at, .. } = &walked.action else {
                assert_eq!(recorded.touched, None);
                continue;
            };
            let layout = device.layout(step).unwrap();
            let Resolved::One(idx) = selector.resolve(layout) else {
                panic!("{folder:?} step {step}: {selector}");
            };
            assert_eq!(layout.widget(idx).bounds, *bounds, "{folder:?} step {step}");
            assert!(bounds.contains(*at) && layout.stack_at(*at).contains(&idx), "{folder:?} step {step}");
            assert_eq!(recorded.touched, Some(idx));
            let Event::Widget { target, .. } = &recorded.event else { panic!("a widget was touched") };
            assert_eq!((&target.selector, target.at), (&**selector, *at));
        }
    }
}

/// Every text under a key named `xpath`, anywhere in a JSON value.
fn xpaths_in(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(key, member)| match member.as_str() {
                Some(text) if key == "xpath" && !text.is_empty() => vec![text.to_owned()],
                _ => xpaths_in(member),
            })
            .collect(),
        Value::Array(members) => members.iter().flat_map(xpaths_in).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

#[test]
fn xpaths_of_published_specifications_parse() {
    let Some(folder) = taproof_testing::data().map(|data| data.join("dmf")) else { return };
    let apps = files(&folder, "").into_iter().filter(|app| app.is_dir());
    let mut found = 0;
    for file in apps.flat_map(|app| files(&app, ".json")) {
        let json: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        for text in xpaths_in(&json) {
            XPath::parse(&text).unwrap_or_else(|error| panic!("{file:?}: {error}"));
            found += 1;
        }
    }
    assert!(found >= 11, "{found}");
}

#[test]
fn a_path_of_classes_and_positions_finds_its_widget_on_real_screens() {
    for (entry, bytes) in indexed_dumps() {
        let layout = parse_hierarchy(&bytes).unwrap().layout;
        for (idx, widget) in layout.iter() {
            let mut steps = vec![idx];
            steps.extend(layout.ancestors(idx));
            let path: String = steps.iter().rev().map(|step| path_step(&layout, *step)).collect();
            let named = XPath::parse(&format!("/hierarchy{path}")).unwrap().select(&layout);
            assert_eq!(named, [idx], "{path} in {}", entry["file"]);
            if let Some(id) = widget.resource_id.as_deref().filter(|id| !id.contains('"')) {
                let named = XPath::parse(&format!("//*[@resource-id=\"{id}\"]")).unwrap().select(&layout);
                assert!(named.contains(&idx), "{id} in {}", entry["file"]);
            }
        }
    }
}

/// `/class[n]`, counting the siblings of that class.
fn path_step(layout: &Layout, idx: WidgetIdx) -> String {
    let widget = layout.widget(idx);
    let siblings: Vec<WidgetIdx> = match widget.parent {
        Some(parent) => layout.children(parent).collect(),
        None => layout.roots().collect(),
    };
    let before = siblings.iter().take_while(|sibling| **sibling != idx);
    let position = before.filter(|sibling| layout.widget(**sibling).class == widget.class).count() + 1;
    format!("/{}[{position}]", widget.class.replace('$', "-"))
}
