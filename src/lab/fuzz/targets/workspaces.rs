//! Files: recorded walks, kept traces, recordings, and what else lies in a workspace.

use std::path::Path;
use std::sync::Arc;

use super::campaign::Campaign;
use super::database::JSON_WORDS;
use super::layouts::{dumps, use_layout};
use super::scratch::Scratch;
use super::specs::use_spec;
use super::{FuzzTarget, Run, joined, parts, plain, seen};
use taproof_campaign::{ExpectationKind, SavedTrace, plain as plain_selector};
use taproof_engine::device::{Device, RecordedDevice};
use taproof_spec::format::{DmfFile, blocks_name, main_names};

use taproof_engine::oracle::may_belief::behaviours_in;
use taproof_engine::oracle::{EffectRule, judge_health};
use taproof_judge::{as_mutant, lost_effects};
use taproof_results::report::touch_of;
use taproof_results::store::{
    Drafts, SettingsFiles, UnsavedRecording, open_path, open_recording, open_trace, own_specs,
    read_initialisers, read_kept, read_model, read_rule_files, save_trace,
};
use taproof_screen::format::{parse_walk_events, parse_walk_info};
use taproof_screen::{Event, Gesture, Layout, RecordedStep, Same, Trace, event_sentence};
use taproof_spec::{DmfKind, DraftRequest, Recording, RecordingStep, Spec, coalesce, draft, lint, propose};

/// Layouts of a file are all looked at, but only some of them as closely as a screen in front.
const LOOKED_AT: usize = 3;

pub(super) const WALK: FuzzTarget = FuzzTarget {
    name: "walk",
    about: "the folder of a recorded walk, each part a file's name and content: played, and functions drafted",
    inputs: 150,
    prepare: walks,
    seeds: || {
        let dumps = dumps();
        let file = |name: &str, bytes: &[u8]| [name.as_bytes(), b"\n", bytes].concat();
        let dump = |number: usize| dumps.get(number).map_or(&b""[..], Vec::as_slice);
        vec![
            joined(&[
                file("events.json", WALK_EVENTS.as_bytes()),
                file("walk.json", b"{\"title\": \"t\", \"app\": \"org.taproof.files 1.0\", \"note\": \"n\"}"),
                file("step-00.xml", dump(0)),
                file("step-01.xml", dump(1)),
                file("step-02.xml", dump(2)),
            ]),
            file("events.json", WALK_EVENTS.as_bytes()),
        ]
    },
    files: &["events.json", "walk.json"],
    words: &[
        "\nevents.json\n",
        "\nwalk.json\n",
        "step-00.xml\n",
        "step-01.xml\n",
        "step-00.png\n",
        "\"index\"",
        "\"action\"",
        "\"tap\"",
        "\"long_press\"",
        "\"swipe\"",
        "\"set_text\"",
        "\"key\"",
        "\"rotate\"",
        "\"selector\"",
        "\"point\"",
        "\"to\"",
        "\"direction\"",
        "\"text\"",
        "\"activity_before\"",
        "\"activity_after\"",
        "\"seconds\"",
        "1e308",
        "-1",
        "\"bounds\"",
        "\"[0,0][9,9]\"",
        "\"instance\"",
        "[2147483647, -2147483648]",
        "null",
        "\"back\"",
    ],
};

const WALK_EVENTS: &str = r#"[{"index": 0, "action": "tap", "selector": {"resource-id": "", "text": "", "content-desc": "",
  "class": "android.view.View", "instance": 0, "bounds": "[0,0][100,100]"}, "point": [50, 50], "to": null, "text": null,
  "seconds": 1.5, "activity_before": "org.taproof.files/.MainActivity", "activity_after": "org.taproof.files/.MainActivity"},
 {"index": 1, "action": "key", "key": "back", "seconds": 0.5}]"#;

pub(super) const TRACE: FuzzTarget = FuzzTarget {
    name: "trace",
    about: "a kept trace: read, judged by every oracle, written again",
    inputs: 20,
    prepare: || {
        in_a_file("trace", |path, scratch| match open_trace(path) {
            Ok(saved) => use_trace(&saved, scratch),
            Err(error) => seen(error.to_string()),
        })
    },
    seeds: || {
        let campaign = Campaign::run();
        let of = |finding: &_| SavedTrace::of_finding(&campaign.stored.plan, finding);
        campaign.findings.iter().filter_map(|finding| text_of(&of(finding))).collect()
    },
    files: &[],
    words: JSON_WORDS,
};

pub(super) const RECORDING: FuzzTarget = FuzzTarget {
    name: "recording",
    about: "a recording that is not saved yet: read, drafted from, kept again",
    inputs: 100,
    prepare: || {
        in_a_file("recording", |path, scratch| match open_recording(path) {
            Ok(Some(recording)) => use_recording(&recording, scratch),
            Ok(None) => {}
            Err(error) => seen(error.to_string()),
        })
    },
    seeds: recordings,
    files: &[],
    words: JSON_WORDS,
};

pub(super) const FILES: FuzzTarget = FuzzTarget {
    name: "files",
    about: "files of a workspace, each part a name and a content: settings, drafts, initialisers, own specifications",
    inputs: 200,
    prepare: workspace_files,
    seeds: || {
        vec![joined(&[
            &b"settings.json\n{\"scale\": 150, \"place\": \"fuzz\", \"window\": [1, 2]}"[..],
            b"initialisers/org.ex.json\n{\"app\": \"org.ex\", \"steps\": [{\"do\": \"Tap\", \"event\": {\"kind\": \"rotate\"}}], \
              \"ready\": \"//*[@text='a']\"}",
            b"drafts/1-0.a.json\n{\"name\": \"a\", \"app\": \"org.ex\", \"files\": [{\"name\": \"b\", \"text\": \"{}\"}], \
              \"json\": [0, \"{\"]}",
            b"specs/org.ex/dmf_a.json\n{\"dmfs\": []}",
            b"specs/org.ex/keyviews_a.json\n{\"keyviews\": []}",
            b"max.config\nmax.doRotateFuzzing = 0.5",
        ])]
    },
    files: &[],
    words: &[
        "settings.json\n",
        "initialisers/org.ex.json\n",
        "drafts/1-0.a.json\n",
        "drafts/1-0.a.recording\n",
        "specs/org.ex/dmf_a.json\n",
        "recent.json\n",
        "\"name\"",
        "\"app\"",
        "\"files\"",
        "\"json\"",
        "\"steps\"",
        "\"event\"",
        "\"ready\"",
        "null",
        "[]",
        "{}",
        "-1",
        "1e999",
    ],
};

/// Runs inputs that are read from a file.
fn in_a_file(name: &'static str, read: fn(&Path, &Scratch)) -> Run {
    let Some(scratch) = Scratch::new(name) else { return plain(|_| {}) };
    Box::new(move |bytes| {
        let path = scratch.write("input.json", bytes);
        seen(open_path(&path));
        read(&path, &scratch);
    })
}

fn text_of(saved: &SavedTrace) -> Option<Vec<u8>> {
    let scratch = Scratch::new("saved")?;
    let path = scratch.path("trace.json");
    save_trace(&path, saved).ok()?;
    std::fs::read(path).ok()
}

/// A part's file name and what stands in it.
fn named(part: &[u8]) -> (String, &[u8]) {
    let end = part.iter().position(|byte| *byte == b'\n').filter(|end| *end < 40);
    match end {
        Some(end) => {
            let (name, rest) = part.split_at(end);
            (String::from_utf8_lossy(name).into_owned(), rest.get(1..).unwrap_or_default())
        }
        None => ("events.json".to_owned(), part),
    }
}

fn walks() -> Run {
    let Some(scratch) = Scratch::new("walk") else { return plain(|_| {}) };
    let dump = dumps().into_iter().next().unwrap_or_default();
    let png = super::pictures::small_png();
    Box::new(move |bytes| {
        scratch.empty();
        for step in 0..3 {
            scratch.write(&format!("step-{step:02}.xml"), &dump);
            scratch.write(&format!("step-{step:02}.png"), &png);
        }
        for part in parts(bytes) {
            let (name, content) = named(part);
            let text = String::from_utf8_lossy(content);
            seen((parse_walk_events(&text), parse_walk_info(&text)));
            if ["events.json", "walk.json"].contains(&&*name) || name.starts_with("step-0") && is_plain(&name)
            {
                scratch.write(&name, content);
            }
        }
        match RecordedDevice::open(scratch.folder()) {
            Ok(device) => use_walk(device),
            Err(error) => seen(error.to_string()),
        }
    })
}

fn is_plain(name: &str) -> bool {
    name.chars().all(|letter| letter.is_ascii_alphanumeric() || ['.', '-', '_', '/'].contains(&letter))
        && !name.contains("..")
}

fn use_walk(mut device: RecordedDevice) {
    seen((device.title().len(), device.app().clone(), device.warnings().len(), device.png(0)));
    seen((device.picture(0), device.info().clone()));
    let steps: Vec<RecordedStep> = device.recorded_steps().collect();
    let events: Vec<Event> = device.events().iter().map(|recorded| recorded.event.clone()).collect();
    for event in &events {
        seen((device.perform(event), device.observe().map(|frame| frame.at)));
    }
    use_steps(&steps);
}

/// What the recorder makes of what was done.
fn use_steps(steps: &[RecordedStep]) {
    seen(coalesce(steps));
    for kind in [DmfKind::Create, DmfKind::Delete, DmfKind::Search] {
        if let Ok(drafted) = draft(steps, &DraftRequest::new(kind, "item")) {
            seen((drafted.truths(), drafted.object_texts()));
            written(vec![drafted.dmf]);
        }
    }
    written(propose(steps, &[]).into_iter().map(|proposal| proposal.draft.dmf).collect());
}

/// What was drafted can be saved and read again.
fn written(dmfs: Vec<taproof_spec::Dmf>) {
    let spec = Spec { dmfs, ..Spec::default() };
    seen(lint(&spec));
    let again = DmfFile::parse(DmfFile::new(&spec).source());
    assert!(again.is_ok_and(|again| again.spec == spec), "what was drafted is read otherwise");
}

fn use_trace(saved: &SavedTrace, scratch: &Scratch) {
    let path = scratch.path("again.json");
    if save_trace(&path, saved).is_ok() {
        assert!(open_trace(&path).is_ok_and(|again| again == *saved), "kept again it is another trace");
    }
    for expectation in &saved.expectations {
        if let ExpectationKind::Shown(selector) | ExpectationKind::NotShown(selector) = &expectation.kind {
            seen(saved.frames.iter().map(|frame| selector.matches(&frame.layout)).collect::<Vec<_>>());
        }
    }
    for named in saved.spec.dmfs.iter().flat_map(|dmf| &dmf.widgets) {
        seen(plain_selector(&named.selector));
    }
    for step in &saved.steps {
        seen((touch_of(&step.event), saved.start.likeness(&step.after), saved.start.difference(&step.after)));
    }
    let Some(trace) = saved.trace() else { return };
    for place in 0..trace.steps().len() {
        let (Some(frame), Some(step)) = (trace.frame(place), trace.steps().get(place)) else { break };
        seen((judge_health(&step.after, &trace), event_sentence(&step.event, &frame.layout)));
    }
    seen(behaviours_in(&trace, &saved.app).len());
    if let Some(frame) = trace.frame(0) {
        let mut shorter = Trace::start(frame.clone());
        trace.steps().iter().skip(1).for_each(|step| shorter.push(step.clone()));
        if let Some(mutant) = as_mutant(&shorter, &trace) {
            seen(lost_effects(&shorter, &mutant, &[&shorter], &EffectRule::default()));
        }
    }
    let layouts: Vec<Layout> =
        (0..=trace.len()).filter_map(|place| Some((*trace.frame(place)?.layout).clone())).collect();
    layouts.iter().take(LOOKED_AT).for_each(use_layout);
    use_spec(&saved.spec, layouts.get(..LOOKED_AT.min(layouts.len())).unwrap_or_default());
}

fn recordings() -> Vec<Vec<u8>> {
    let layouts: Vec<Arc<Layout>> = dumps()
        .iter()
        .filter_map(|dump| taproof_screen::format::parse_hierarchy(dump).ok())
        .map(|parsed| Arc::new(parsed.layout))
        .collect();
    let Some(scratch) = Scratch::new("recordings") else { return Vec::new() };
    let Ok(mut drafts) = Drafts::open(scratch.folder()) else { return Vec::new() };
    let steps = layouts.iter().zip(layouts.iter().skip(1)).take(3).filter_map(|(before, after)| {
        let selector = taproof_screen::Selector {
            class: before.widgets().last().map(|widget| widget.class.to_string()),
            ..taproof_screen::Selector::default()
        };
        let event = Event::on(before, selector, Gesture::Tap)?;
        let seen = RecordedStep { event, before: Arc::clone(before), after: Arc::clone(after) };
        Some(RecordingStep::of(seen.clone(), seen))
    });
    let recording = UnsavedRecording {
        app: "org.taproof.files".to_owned(),
        recording: Recording { steps: steps.collect(), ..Recording::default() },
        ..UnsavedRecording::default()
    };
    if drafts.keep_recording("a", &recording).is_err() {
        return Vec::new();
    }
    let entries = std::fs::read_dir(scratch.path("drafts")).into_iter().flatten().flatten();
    let files = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "recording"));
    files.filter_map(|path| std::fs::read(path).ok()).collect()
}

fn use_recording(recording: &UnsavedRecording, scratch: &Scratch) {
    let events = recording.lead.iter().chain(recording.recording.events(usize::MAX));
    let steps: Vec<RecordedStep> = events.cloned().collect();
    seen(steps.iter().map(|step| step.after.key(Same::Structure)).collect::<Vec<_>>());
    use_steps(&steps);
    let kept = Drafts::open(scratch.folder()).and_then(|mut drafts| {
        drafts.keep_recording("a", recording)?;
        drafts.take_over_recordings()
    });
    seen(kept);
}

fn workspace_files() -> Run {
    let Some(scratch) = Scratch::new("files") else { return plain(|_| {}) };
    Box::new(move |bytes| {
        scratch.empty();
        for part in parts(bytes) {
            let (name, content) = named(part);
            if is_plain(&name) && !name.starts_with('/') && !name.ends_with('/') && !name.is_empty() {
                scratch.write(&name, content);
            }
            seen((blocks_name(&name), main_names(&name)));
        }
        let root = scratch.folder();
        let settings = SettingsFiles {
            workspace: root.to_owned(),
            preferences: Some(root.join("config")),
            shared: &["scale", "theme"],
        };
        seen((settings.read().0, read_initialisers(root), own_specs(root), open_path(root)));
        seen((
            read_kept::<Vec<String>>(root, "recent"),
            read_rule_files(root),
            read_model(&root.join("a.model")),
        ));
        let drafts = Drafts::open(root);
        seen(drafts.map(|drafts| (drafts.take_over(), drafts.take_over_recordings())));
    })
}
