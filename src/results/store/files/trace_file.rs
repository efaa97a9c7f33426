//! Saved traces, one JSON file each, for people to read and for `taproof replay --trace`:
//!
//! ```json
//! { "taproof_trace": 1,
//!   "title": "...", "app": "org.taproof.files", "build": "faulty",
//!   "start": { "activity": "...", "exact": "00ff...", "structure": "12ab...", "texts": ["Documents"] },
//!   "steps": [ { "do": "Tap ...", "event": { "kind": "widget", "resource_id": "...", "at": [1, 2],
//!                "screen": [1080, 1920], "gesture": "tap" }, "role": "explored", "then": { as "start" } } ],
//!   "dmf_runs": [ ... ], "lead_in": false, "spec": { "dmfs": [ ... ] },
//!   "expect": [ { "sentence": "...", "shown": { "text": "new" } } ],
//!   "layouts": [ { "activity": "...", "size": [1080, 1920], "xml": "<hierarchy ..." } ] }
//! ```
//!
//! The app is launched with empty data; the steps that are then performed before the first one are contained in
//! `initialiser`, in the format of their own files. `exact` and `structure` are hashes of a screen; `texts` contains
//! what it showed. An expectation has one of `shown` and `not_shown` (a selector), `running` (true) and `never` (a
//! finding's origin, judged by running the DMFs of `spec` again); with `after`, it holds after so many steps and is not judged. A screen that was saved in full has a `frame`: the
//! index of its layout among the `layouts` (uiautomator dumps, each once), the app's `health`, and the time `at` in
//! milliseconds. Such a trace can be judged without a device.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::initialiser_file::InitialiserText;
use crate::store::layout_texts::{LayoutText, LayoutTexts};
use crate::store::{StoreError, replace_file};
use taproof_campaign::{Expectation, SavedStep, SavedTrace};
use taproof_engine::RunPolicy;
use taproof_engine::device::Build;
use taproof_screen::{AppHealth, DeviceInstant, DmfSpan, Event, Frame, Layout, ScreenPrint, StepRole};
use taproof_spec::format::DmfFile;
use taproof_spec::{Spec, TestRules};

const VERSION: u32 = 1;
/// Maximum size of a trace file in bytes; larger ones are not ours.
const MAX_BYTES: u64 = 64 << 20;

#[derive(Serialize, Deserialize)]
struct TraceFile {
    taproof_trace: u32,
    title: String,
    app: String,
    build: Build,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    initialiser: Option<InitialiserText>,
    start: ScreenText,
    steps: Vec<StepText>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    dmf_runs: Vec<DmfSpan>,
    #[serde(default)]
    lead_in: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spec: Option<Value>,
    #[serde(default, skip_serializing_if = "TestRules::is_empty")]
    rules: TestRules,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    expect: Vec<Expectation>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    layouts: Vec<LayoutText>,
}

#[derive(Serialize, Deserialize)]
struct ScreenText {
    #[serde(flatten)]
    print: ScreenPrint,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    frame: Option<FrameText>,
}

/// A screen that was saved in full.
#[derive(Serialize, Deserialize)]
struct FrameText {
    /// Index of its layout in the file.
    layout: usize,
    health: AppHealth,
    at: DeviceInstant,
}

#[derive(Serialize, Deserialize)]
struct StepText {
    #[serde(rename = "do")]
    sentence: String,
    event: Event,
    role: StepRole,
    then: ScreenText,
}

/// Writes a trace to a file, completely or not at all.
pub fn save_trace(path: &Path, saved: &SavedTrace) -> Result<(), StoreError> {
    replace_file(path, trace_text(saved)?.as_bytes())
}

/// Reads a trace from a file.
///
/// # Errors
///
/// [`StoreError::Read`] if the file cannot be read, and [`StoreError::BadTrace`] if it is not a valid trace.
pub fn open_trace(path: &Path) -> Result<SavedTrace, StoreError> {
    let name = || path.display().to_string();
    let failed = |error| StoreError::Read { path: name(), error };
    let bad = |problem: String| StoreError::BadTrace { path: name(), problem };
    if std::fs::metadata(path).map_err(failed)?.len() > MAX_BYTES {
        return Err(bad("it is larger than 64 MB".to_owned()));
    }
    let bytes = std::fs::read(path).map_err(failed)?;
    let text = String::from_utf8(bytes).map_err(|_| bad("it is no text in UTF-8".to_owned()))?;
    trace_from(&text).map_err(|error| match error {
        StoreError::Damaged { what } => bad(what),
        other => other,
    })
}

/// The content of a trace's file.
pub(crate) fn trace_text(saved: &SavedTrace) -> Result<String, StoreError> {
    let mut layouts = LayoutTexts::default();
    let mut screen = |print: &ScreenPrint, place: usize| ScreenText {
        print: print.clone(),
        frame: saved.frames.get(place).map(|frame| FrameText {
            layout: layouts.number(&frame.layout),
            health: frame.health.clone(),
            at: frame.at,
        }),
    };
    let start = screen(&saved.start, 0);
    let step = |(place, step): (usize, &SavedStep)| StepText {
        sentence: step.sentence.clone(),
        event: step.event.clone(),
        role: step.role,
        then: screen(&step.after, place + 1),
    };
    let steps = saved.steps.iter().enumerate().map(step).collect();
    let empty = saved.spec == Spec::default();
    let spec = (!empty).then(|| serde_json::from_str(DmfFile::new(&saved.spec).source())).transpose()?;
    let first = saved.initialiser.as_ref();
    let file = TraceFile {
        taproof_trace: VERSION,
        title: saved.title.clone(),
        app: saved.app.clone(),
        build: saved.build.clone(),
        initialiser: first.map(|first| InitialiserText::of(&saved.app, first)),
        start,
        steps,
        dmf_runs: saved.spans.clone(),
        lead_in: saved.policy.lead_in,
        spec,
        rules: saved.rules.clone(),
        expect: saved.expectations.clone(),
        layouts: layouts.texts(),
    };
    let mut text = serde_json::to_string_pretty(&file)?;
    text.push('\n');
    Ok(text)
}

/// Parses the content of a trace's file.
pub(crate) fn trace_from(text: &str) -> Result<SavedTrace, StoreError> {
    let value: Value = serde_json::from_str(text)?;
    let damaged = |what: String| StoreError::Damaged { what };
    match value.get("taproof_trace").and_then(Value::as_u64) {
        None => return Err(damaged("it has no \"taproof_trace\"".to_owned())),
        Some(version) if version > u64::from(VERSION) => {
            return Err(damaged(format!("it has version {version}, this program knows {VERSION}")));
        }
        Some(_) => {}
    }
    let file: TraceFile = serde_json::from_value(value)?;
    let spec = match &file.spec {
        None => Spec::default(),
        Some(spec) => DmfFile::parse(&spec.to_string()).map_err(|error| damaged(error.to_string()))?.spec,
    };
    if file.dmf_runs.iter().any(|span| span.dmf >= spec.dmfs.len() || span.first_step >= span.end_step) {
        return Err(damaged("\"dmf_runs\" speaks of a DMF or a step that is not there".to_owned()));
    }
    let layouts = file.layouts.iter().map(LayoutText::layout).collect::<Result<Vec<_>, _>>()?;
    let screens = std::iter::once(&file.start).chain(file.steps.iter().map(|step| &step.then));
    let in_full: Option<Vec<&FrameText>> = screens.map(|screen| screen.frame.as_ref()).collect();
    let frames = in_full.unwrap_or_default().into_iter().map(|frame| frame.frame(&layouts));
    let frames = frames.collect::<Result<_, _>>()?;
    let step = |step: StepText| SavedStep {
        sentence: step.sentence,
        event: step.event,
        role: step.role,
        after: step.then.print,
    };
    let initialiser = file.initialiser.map(InitialiserText::initialiser).transpose()?;
    Ok(SavedTrace {
        title: file.title,
        app: file.app,
        build: file.build,
        initialiser: initialiser.map(Arc::new),
        start: file.start.print,
        steps: file.steps.into_iter().map(step).collect(),
        frames,
        spans: file.dmf_runs,
        spec,
        policy: RunPolicy { lead_in: file.lead_in, ..RunPolicy::default() },
        rules: file.rules,
        expectations: file.expect,
    })
}

impl FrameText {
    fn frame(&self, layouts: &[Arc<Layout>]) -> Result<Frame, StoreError> {
        let unknown = || StoreError::Damaged { what: format!("there is no layout number {}", self.layout) };
        Ok(Frame {
            layout: Arc::clone(layouts.get(self.layout).ok_or_else(unknown)?),
            health: self.health.clone(),
            at: self.at,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_campaign::ExpectationKind;
    use taproof_screen::{Gesture, Selector, layout_from};

    fn saved() -> SavedTrace {
        let frame = |layout: &str, health, at| Frame {
            layout: Arc::new(layout_from(layout)),
            health,
            at: DeviceInstant(at),
        };
        let before = frame("ListView\n  Button#add \"Add <\u{2603}\" (x)\n", AppHealth::Running, 5);
        let after = frame("ListView\n  TextView#row \"new\"\n", AppHealth::LeftApp("a/.B".into()), 70);
        let text = |text: &str| Selector { text: Some(text.to_owned()), ..Selector::default() };
        let tap = Event::on(&before.layout, text("Add <\u{2603}"), Gesture::Tap).unwrap();
        let steps =
            [(&tap, StepRole::Explored, &before, &after), (&Event::Rotate, StepRole::Seed, &after, &before)];
        let build = Build::Bugs(vec!["a-bug".to_owned()]);
        let mut saved = SavedTrace::of_steps("t".to_owned(), ("org.ex", &build), &before, steps);
        let expect = |sentence: &str, kind| Expectation { sentence: sentence.to_owned(), kind, after: None };
        saved.expectations = vec![
            expect("new is shown", ExpectationKind::Shown(text("new"))),
            expect("old is not", ExpectationKind::NotShown(text("old"))),
            expect("it runs", ExpectationKind::Running),
            Expectation { after: Some(1), ..expect("new was shown", ExpectationKind::Shown(text("new"))) },
        ];
        saved
    }

    #[test]
    fn a_trace_comes_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("way.json");
        save_trace(&path, &saved()).unwrap();
        assert_eq!(open_trace(&path).unwrap(), saved());
        assert!(std::fs::read_to_string(&path).unwrap().contains("\"do\": \"Tap "));
    }

    #[test]
    fn a_file_that_is_no_trace_says_what_is_wrong() {
        let check = |text: &str, problem: &str| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("way.json");
            std::fs::write(&path, text).unwrap();
            let error = open_trace(&path).unwrap_err().to_string();
            assert!(error.contains(problem) && error.contains("way.json"), "{error}");
        };
        check("", "EOF");
        check("{}", "taproof_trace");
        check("{\"taproof_trace\": 9}", "version 9");
        check("{\"taproof_trace\": 1, \"title\": 3}", "expected a string");
        let text = trace_text(&saved()).unwrap();
        check(&text.replacen("\"exact\": \"", "\"exact\": \"zz", 1), "no hash");
        check(&text.replace("\"kind\": \"rotate\"", "\"kind\": \"fly\""), "fly");
        check(&text.replace("\"role\": \"seed\"", "\"role\": \"odd\""), "odd");
        check(&text.replace("\"layout\": 1", "\"layout\": 7"), "no layout number 7");
    }

    #[test]
    fn a_trace_of_prints_is_still_read() {
        let text = trace_text(&SavedTrace { frames: Vec::new(), ..saved() }).unwrap();
        assert!(!text.contains("layout"));
        assert!(trace_from(&text).unwrap().trace().is_none());
        let trace = saved().trace().unwrap();
        assert_eq!((trace.len(), trace.last().at.millis()), (2, 5));
    }
}
