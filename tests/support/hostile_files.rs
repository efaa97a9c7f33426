//! Files of every kind that the program reads, with a hostile text wherever a text may stand.

use std::path::Path;

use serde_json::{Value, json};
use taproof_campaign::SavedTrace;
use taproof_engine::device::{AppData, AppId, Build, DeviceSource};
use taproof_engine::fastbot2::{HyperEvent, ReuseModel};
use taproof_phone::BundledPhones;
use taproof_phone::apps::shipped_specs;
use taproof_results::store::{save_trace, write_model};
use taproof_screen::format::write_hierarchy;
use taproof_screen::{Event, Gesture, Selector, StepRole};
use taproof_spec::ActionKind;

use crate::hostile;
use crate::hostile_text::HOSTILE;

const DIARY: &str = "org.taproof.diary";

/// Writes all of them.
pub fn write_files(folder: &Path) {
    let file = |name: &str, text: String| std::fs::write(folder.join(name), text).unwrap();
    file(concat!(hostile!(), ".json"), dmfs().to_string());
    file("bad.json", json!({ "dmfs": [{ "name": HOSTILE, "type": HOSTILE, HOSTILE: 1 }] }).to_string());
    file(concat!(hostile!(), ".xml"), dump());
    std::fs::create_dir(folder.join("rules")).unwrap();
    file("rules/max.widget.black", json!([{ "activity": HOSTILE }]).to_string());
    file(concat!("rules/max.", hostile!()), String::new());
    let mut model = ReuseModel::of(HOSTILE);
    model.saw_version(HOSTILE);
    let event = HyperEvent {
        activity: HOSTILE.into(),
        resource_id: HOSTILE.into(),
        class: HOSTILE.into(),
        static_text: HOSTILE.into(),
        kind: ActionKind::Click,
    };
    model.add(event, HOSTILE.into(), 1);
    write_model(&folder.join(concat!(hostile!(), ".model")), &model).unwrap();
    write_trace_and_walk(folder);
}

/// The shipped functions of Diary under hostile names.
fn dmfs() -> Value {
    let shipped = shipped_specs("diary").find(|spec| spec.path.contains("/dmf_")).unwrap();
    let mut file: Value = serde_json::from_str(shipped.text).unwrap();
    for dmf in file["dmfs"].as_array_mut().unwrap() {
        dmf["name"] = json!(format!("{}{HOSTILE}", dmf["name"].as_str().unwrap()));
    }
    file
}

/// As an attribute of XML, where most control characters are written as numbers.
fn attribute(text: &str) -> String {
    text.chars().map(|letter| format!("&#{};", u32::from(letter))).collect()
}

fn dump() -> String {
    let text = attribute(HOSTILE);
    let node = |inner: &str| {
        format!(
            "<node index=\"0\" text=\"{text}\" resource-id=\"{text}\" class=\"{text}\" package=\"{text}\" \
             content-desc=\"{text}\" checkable=\"{text}\" bounds=\"[0,0][9,9]\">{inner}</node>"
        )
    };
    format!("<hierarchy rotation=\"0\">{}</hierarchy>", node(&node("")))
}

/// A tap in Diary on a widget with a hostile text, as a kept trace and as a recorded walk.
fn write_trace_and_walk(folder: &Path) {
    let mut phone = BundledPhones::new(DIARY, &Build::Sound).fresh().unwrap();
    phone.launch(&AppId(DIARY.to_owned()), AppData::Clear).unwrap();
    let before = phone.observe().unwrap();
    let tile = Selector { text: Some("Cinema".to_owned()), ..Selector::default() };
    let tap = Event::on(&before.layout, tile, Gesture::Tap).unwrap();
    phone.perform(&tap).unwrap();
    let after = phone.observe().unwrap();
    let steps = [(&tap, StepRole::Explored, &before, &after)];
    let trace = SavedTrace::of_steps(HOSTILE.to_owned(), (DIARY, &Build::Sound), &before, steps);
    let kept = folder.join(concat!(hostile!(), ".trace"));
    save_trace(&kept, &trace).unwrap();
    let mut text: Value = serde_json::from_str(&std::fs::read_to_string(&kept).unwrap()).unwrap();
    text["steps"][0]["do"] = json!(HOSTILE);
    text["steps"][0]["then"]["texts"] = json!([HOSTILE]);
    text["start"]["texts"] = json!([HOSTILE]);
    std::fs::write(&kept, text.to_string()).unwrap();

    let walk = folder.join(concat!(hostile!(), " walk"));
    std::fs::create_dir(&walk).unwrap();
    let picture = phone.screenshot().unwrap().to_png().unwrap();
    for (step, frame) in [&before, &after].into_iter().enumerate() {
        let dump = write_hierarchy(&frame.layout).replace("Cinema", &attribute(HOSTILE));
        std::fs::write(walk.join(format!("step-{step:02}.xml")), dump).unwrap();
        std::fs::write(walk.join(format!("step-{step:02}.png")), &picture).unwrap();
    }
    let info = json!({ "title": HOSTILE, "app": DIARY, "note": HOSTILE });
    std::fs::write(walk.join("walk.json"), info.to_string()).unwrap();
    let turn =
        json!([{ "index": 1, "action": "rotate", "activity_before": HOSTILE, "activity_after": HOSTILE }]);
    std::fs::write(walk.join("events.json"), turn.to_string()).unwrap();
}
