//! Flows of Maestro become recordings.

use std::path::{Path, PathBuf};

use taproof_results::store::open_trace;
use taproof_screen::{Event, PxPoint};
use taproof_testing::program::{code, errors, json, run};

/// What it printed.
fn text(output: &std::process::Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_flow_is_recorded_and_can_be_used_like_any_trace() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = ["fuzz", "--app", "files", "--engine", "pbfdroid", "--events", "600", "--no-pictures"];
    assert_eq!(code(&run(folder, &words)), 1);
    let exported = run(folder, &["export", "1", "--format", "maestro", "--out", "flow.yaml"]);
    assert_eq!(code(&exported), 0, "{}", errors(&exported));
    let imported = run(folder, &["spec", "import", "flow.yaml", "--app", "files", "--out", "way.json"]);
    assert_eq!(code(&imported), 0, "{}", errors(&imported));
    let trace = open_trace(&folder.join("way.json")).unwrap();
    assert!(trace.app == "org.taproof.files" && trace.title == "flow" && trace.steps.len() > 2);
    let named = |event: &Event| match event {
        Event::Widget { target, .. } => !target.selector.is_empty(),
        _ => true,
    };
    assert!(trace.steps.iter().all(|step| named(&step.event)), "taps name their widgets");
    let again = run(folder, &["replay", "--trace", "way.json", "--json"]);
    assert_eq!((code(&again), &json(&again)["passed"]), (0, &true.into()), "{}", errors(&again));
    let first = run(folder, &["initialiser", "set", "--package", "files", "--from", "way.json"]);
    assert_eq!(code(&first), 0, "{}", errors(&first));
    let drafted =
        run(folder, &["spec", "draft", "way.json", "--type", "property", "--data-type", "file", "--whole"]);
    assert_eq!(code(&drafted), 0, "{}", errors(&drafted));
}

#[test]
fn what_cannot_be_recorded_is_said_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (flow, problem) in [
        (
            "appId: org.taproof.files\n---\n- launchApp\n- fly: a\n",
            "a.yaml: line 4: `fly` is no command of Maestro",
        ),
        ("appId: org.taproof.files\n---\n- runFlow: b.yaml\n", "a.yaml: line 3: b.yaml cannot be read"),
        (
            "appId: org.taproof.files\n---\n- tapOn: nothing like it\n",
            "line 3: nothing on the screen is text",
        ),
        ("---\n- back\n", "names no app"),
        ("appId: org.no.such\n---\n- back\n", "org.no.such"),
    ] {
        std::fs::write(folder.join("a.yaml"), flow).unwrap();
        let refused = run(folder, &["spec", "import", "a.yaml", "--out", "b.json"]);
        assert_eq!(code(&refused), 2, "{flow}");
        assert!(errors(&refused).contains(problem), "{flow}: {}", errors(&refused));
        assert!(!folder.join("b.json").exists());
    }
}

#[test]
fn a_folder_of_flows_is_recorded_at_once_with_its_first_steps() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let flows = folder.join("flows");
    std::fs::create_dir(&flows).unwrap();
    let head = "appId: org.taproof.files\nonFlowStart:\n  - runFlow: parts/open.yaml\n---\n";
    std::fs::create_dir(flows.join("parts")).unwrap();
    for (name, content) in [
        ("config.yaml", "flows: ['*']\nexcludeTags: slow\n".to_owned()),
        ("folder.yaml", format!("{head}- tapOn: Folder\n- assertVisible: Create\n")),
        ("file.yaml", format!("{head}- tapOn: File\n")),
        ("gone.yaml", format!("{head}- tapOn: Gone\n")),
        ("bad.yaml", format!("{head}- nonsense\n")),
        ("slow.yaml", "appId: org.taproof.files\ntags: [slow]\n---\n- back\n".to_owned()),
        ("parts/open.yaml", "---\n- tapOn: {id: sd_main_fab}\n".to_owned()),
    ] {
        std::fs::write(flows.join(name), content).unwrap();
    }
    let done = run(folder, &["spec", "import", "flows", "--initialiser", "true", "--out", "out"]);
    assert_eq!(code(&done), 0, "{}", errors(&done));
    let said = text(&done);
    for line in [
        "bad.yaml: not read\n    line 5: `nonsense` is no command of Maestro\n",
        "file.yaml: 1 step\n",
        "gone.yaml: stopped after 1 step: line 5: nothing on the screen is text \"Gone\"\n",
        "4 flows, 3 read, 2 played to the end; kept in out\n",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let trace = open_trace(&folder.join("out/folder.json")).unwrap();
    assert_eq!((trace.steps.len(), trace.expectations.len()), (1, 1));
    assert_eq!(trace.initialiser.unwrap().steps.len(), 1);
    let shown = run(folder, &["initialiser", "show", "--package", "files"]);
    assert!(text(&shown).contains("1 step"), "{}", text(&shown));
}

/// Properties of the bundled Notes, as Kea2 has them.
const PROPERTIES: &str = r#"import unittest
from kea2 import precondition, prob, max_tries

ID = "org.taproof.notes:id/"

class Notes(unittest.TestCase):
    _notes = Bundle("note")

    @initializer()
    def first(self):
        self.d(resourceId=ID + "fab").click()
        self.d.press("back")

    @precondition(lambda self: self.d(resourceId=ID + "folder_path", text="Notes").exists
                  and not self.d(resourceId=ID + "navigation_view").exists())
    def add(self):
        self.d(resourceId=ID + "fab").click()
        self.d(resourceId=ID + "menu_new_note").click()
        title = self._notes.get_random_text()
        self.d(resourceId=ID + "edit_title").set_text(title)
        self.d(description="Save").click()
        self._notes.add(title)
        assert self.d(resourceId=ID + "note_title", text=title).exists()

    @max_tries(2)
    @precondition(lambda self: self.d(resourceId=ID + "folder_path", text="Notes").exists
                  or self.d(text="no such text").exists)
    def turn(self):
        self.d.set_orientation("l")
        self.d.set_orientation("n")
        assert self.d(resourceId=ID + "folder_path", text="Notes").exists() or self.d(text="no such text").exists()

    @precondition(lambda self: True)
    def unread(self):
        while True:
            self.d.press("back")
"#;

#[test]
fn properties_of_kea_are_tried_and_fuzzed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("notes.py"), PROPERTIES).unwrap();
    let words =
        ["spec", "import", "notes.py", "--app", "notes", "--initialiser", "true", "--out", "notes.json"];
    let imported = run(folder, &words);
    assert_eq!(code(&imported), 0, "{}", errors(&imported));
    let said = text(&imported);
    for line in [
        "add note: 2 preconditions, 4 steps, 1 postcondition\n",
        "turn property: 1 precondition, 2 steps, 1 postcondition\n",
        "unread property: not judged: line 35: `while True:` has no counterpart here\n",
        "3 functions: notes.json\n",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let shown = run(folder, &["initialiser", "show", "--package", "notes"]);
    assert!(text(&shown).contains("2 steps"), "{}", text(&shown));
    let tried =
        run(folder, &["spec", "try", "notes.json", "--app", "notes", "--dmf", "add note", "--runs", "1"]);
    assert_eq!(code(&tried), 0, "{}{}", text(&tried), errors(&tried));
    let fuzz = ["fuzz", "--app", "notes", "--engine", "pbfdroid", "--spec", "notes.json", "--events", "400"];
    let sound = run(folder, &[&fuzz[..], &["--build", "sound", "--no-pictures"]].concat());
    assert_eq!(code(&sound), 0, "{}{}", text(&sound), errors(&sound));
    assert!(text(&sound).contains("not judged: line 35"), "{}", text(&sound));
    let ran = |name: &str| {
        let said = text(&sound);
        let row = said.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        row.split_whitespace().nth(3).unwrap().parse::<u32>().unwrap()
    };
    let tests = text(&sound).split(" events in ").nth(1).unwrap().split(' ').next().unwrap().parse::<u32>();
    let turned = ran("turn property");
    assert!(ran("add note") > 5 && (1..=2 * tests.unwrap()).contains(&turned), "{}", text(&sound));
    let one = run(folder, &[&fuzz[..], &["--dmf", "turn property", "--no-pictures"]].concat());
    assert!(text(&one).contains("turn property "), "{}{}", text(&one), errors(&one));
    for idle in ["could never start", "but never ran", "never ran to its end"] {
        assert!(!text(&one).contains(idle), "only what was to run is idle: {}", text(&one));
    }
    let lost = run(folder, &["spec", "fmt", "notes.json", "--for", "pbfdroid", "--type", "property"]);
    assert!(errors(&lost).contains("also holds if another one does"), "{}", errors(&lost));
}

/// An event with the point that it touches.
type Done = (Event, Option<PxPoint>);

/// Imports a case of public material into `folder`, and returns what was said and where its events touch; `None` without
/// the data.
fn case(folder: &Path, name: &str) -> Option<(String, Vec<Done>)> {
    let path: PathBuf = taproof_testing::data()?.join("cases/maestro").join(name);
    let Some(path) = path.to_str().filter(|_| path.exists()) else {
        taproof_testing::skipped("no data");
        return None;
    };
    let out = format!("{name}.json");
    let done = run(folder, &["spec", "import", path, "--out", &out]);
    let events = match code(&done) {
        0 => open_trace(&folder.join(&out)).unwrap().steps.into_iter().map(|step| step.event).collect(),
        _ => Vec::new(),
    };
    let at = |event: Event| match &event {
        Event::Widget { target, .. } => (event.clone(), Some(target.at)),
        _ => (event, None),
    };
    Some((errors(&done), events.into_iter().map(at).collect()))
}

#[test]
fn cases_of_public_flows_are_performed_or_refused_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (name, steps, said) in [
        ("subflow.yaml", 2, ""),
        ("nested.yaml", 1, ""),
        ("until.yaml", 1, ""),
        ("optional.yaml", 1, "left out, as it is optional"),
        ("var.yaml", 3, ""),
        ("below.yaml", 1, ""),
        ("otherapp.yaml", 0, "line 5: it is about org.taproof.notes"),
        ("tags.yaml", 2, "onFlowStart does 1 step first"),
    ] {
        let Some((errors, events)) = case(folder, name) else { return };
        assert_eq!(events.len(), steps, "{name}: {errors}");
        assert!(errors.contains(said), "{name}: {errors}");
        match name {
            "var.yaml" => assert_eq!(events[2].0, Event::Type("Holiday".to_owned())),
            "below.yaml" => assert_eq!(events[0].1, Some(PxPoint { x: 1008, y: 1440 })),
            _ => {}
        }
    }
}
