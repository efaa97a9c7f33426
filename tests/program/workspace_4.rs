//! A workspace as an earlier program left it, with database version 4, is read by this one, and written as it was. Where
//! it comes from stands in `tests/data/README.md`.

use crate::program;
use crate::results;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use program::{code, errors, run};
use results::{database, kept};
use rusqlite::Connection;
use taproof_core::spec::{DmfKind, Input};
use taproof_results::store::{
    Drafts, NewCampaign, Workspace, open_recording, open_trace, read_initialiser, save_trace,
    write_initialiser,
};
use tempfile::TempDir;

const FINDING: &str = "property-undo-activity-bf271f2d";
const TRACE: &str = "undo.json";
const RECORDING: &str = "drafts/1-0.n1.recording";
const LEAD: &str = "drafts/1-0.n1.lead";
const DRAFT: &str = "drafts/1-0.d1.json";
const FILES: &str = "org.taproof.files";
const INITIALISER: &str = "initialisers/org.taproof.files.json";

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/workspace-4")
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A folder with the workspace, where the program looks for it.
fn workspace() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("results");
    for below in ["drafts", "initialisers"] {
        std::fs::create_dir_all(root.join(below)).unwrap();
    }
    for file in [TRACE, RECORDING, LEAD, DRAFT, INITIALISER] {
        std::fs::copy(data().join(file), root.join(file)).unwrap();
    }
    let database = Connection::open(root.join("results.sqlite")).unwrap();
    database.execute_batch(&text(&data().join("results.sql"))).unwrap();
    drop(database);
    (folder, root)
}

/// What a command prints that succeeds.
fn said(folder: &TempDir, words: &[&str]) -> String {
    let output = run(folder.path(), words);
    assert_eq!(code(&output), 0, "{words:?}: {}", errors(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn its_campaigns_and_findings_are_listed() {
    let (folder, _) = workspace();
    let campaigns = said(&folder, &["campaigns"]);
    let lines: Vec<Vec<&str>> = campaigns.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(
        lines.iter().any(|words| words.first() == Some(&"1") && words.contains(&"budget")),
        "{campaigns}"
    );
    let interrupted = |words: &Vec<&str>| words.first() == Some(&"2") && words.contains(&"interrupted");
    assert!(lines.iter().any(interrupted), "{campaigns}");
    let findings = said(&folder, &["findings"]);
    assert!(findings.contains(FINDING) && findings.contains("came back 3 of 3"), "{findings}");
}

#[test]
fn its_finding_and_its_trace_are_done_again() {
    let (folder, _) = workspace();
    let told = said(&folder, &["replay", FINDING]);
    assert!(told.matches(" same ").count() == 6 && told.contains("reproduced"), "{told}");
    // As a regression test it fails as long as the finding comes back.
    let kept = run(folder.path(), &["replay", "--trace", &format!("results/{TRACE}")]);
    let told = String::from_utf8(kept.stdout.clone()).unwrap();
    assert!(code(&kept) == 1 && told.matches(" same ").count() == 6, "{told}{}", errors(&kept));
    assert!(told.contains("broken: required: undo activity"), "{told}");
}

/// What the tables of findings say, but for the numbers of rows.
fn rows(root: &Path) -> Vec<Vec<rusqlite::types::Value>> {
    let queries = [
        "SELECT name, oracle, title, dmf, first_event, count, steps, minimal_steps, hits, tries, attributed_bugs, detail,
                engine FROM findings",
        "SELECT trace, step, event, role, health, at_millis, activity, width, height, xml, hash, 0, 0
         FROM steps JOIN layouts ON layouts.id = steps.layout ORDER BY trace, step",
    ];
    let database = database(root);
    let mut rows = Vec::new();
    for query in queries {
        let mut statement = database.prepare(query).unwrap();
        let columns = statement.column_count();
        let found = statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect());
        rows.extend(found.unwrap().map(Result::unwrap));
    }
    rows
}

#[test]
fn its_finding_is_written_as_it_was() {
    let (_folder, root) = workspace();
    let found = Workspace::open_to_read(&root).unwrap().load_finding(FINDING).unwrap();
    let id = found.campaign.id;
    let written = "SELECT plan FROM campaigns WHERE id = ?1";
    let written: String = database(&root).query_row(written, [id], |row| row.get(0)).unwrap();
    let plan = found.plan.to_json().unwrap();
    // Settings that came later have their defaults.
    let later =
        [",\"detour_every\":0", ",\"way_every\":3,\"lost_after\":15", ",\"balance\":true,\"empty_end\":true"];
    assert_eq!(later.iter().fold(plan, |plan, setting| plan.replace(setting, "")), written);
    let other = tempfile::tempdir().unwrap();
    let mut workspace = Workspace::open(other.path()).unwrap();
    let campaign = NewCampaign { app: "", build: "", engine: "", seed: 2, plan: &written, repeatable: true };
    let campaign = workspace.begin_campaign(&campaign).unwrap();
    workspace.save_finding(&campaign, &found.finding).unwrap();
    assert_eq!(rows(other.path()), rows(&root));
}

#[test]
fn its_files_are_written_as_they_were() {
    let (_folder, root) = workspace();
    let again = tempfile::tempdir().unwrap();
    let trace = again.path().join(TRACE);
    save_trace(&trace, &open_trace(&root.join(TRACE)).unwrap()).unwrap();
    assert_eq!(text(&trace), text(&root.join(TRACE)));

    let first = read_initialiser(&root, FILES).unwrap().unwrap();
    assert_eq!(first.initialiser.sentences().len(), 2);
    let written = write_initialiser(again.path(), FILES, &first).unwrap();
    assert_eq!(text(&written), text(&root.join(INITIALISER)));

    let recording = open_recording(&root.join(RECORDING)).unwrap().unwrap();
    Drafts::open(again.path()).unwrap().keep_recording("n1", &recording).unwrap();
    let kept = |ending: &str| {
        let files =
            std::fs::read_dir(again.path().join("drafts")).unwrap().map(|entry| entry.unwrap().path());
        text(&files.into_iter().find(|path| path.extension().is_some_and(|it| it == ending)).unwrap())
    };
    assert_eq!(kept("recording"), text(&root.join(RECORDING)));
    assert_eq!(kept("lead"), text(&root.join(LEAD)));
}

#[test]
fn its_drafts_are_taken_over() {
    let (_folder, root) = workspace();
    let drafts = Drafts::open(&root).unwrap();
    let texts = drafts.take_over().unwrap();
    assert_eq!(texts.len(), 1);
    assert_eq!((texts[0].1.name.as_str(), texts[0].1.json.clone()), ("my files", Some((0, "{".to_owned()))));
    let recordings = drafts.take_over_recordings().unwrap();
    let [(_, unsaved)] = &recordings[..] else { panic!("{recordings:?}") };
    assert_eq!((unsaved.app.as_str(), unsaved.lead.len(), unsaved.seconds), (FILES, 1, 41.5));
    let (steps, choices) = (&unsaved.recording.steps, &unsaved.recording.choices);
    assert_eq!(steps.len(), 4);
    assert!(steps[1].optional && steps[2].types() && steps[2].scroll_to == Some(true));
    assert_eq!(steps[2].input, Some(Input::Existing("folder".to_owned())));
    assert_eq!((choices.kind, choices.name.as_deref()), (Some(DmfKind::Create), Some("make folder")));
    assert!(choices.conditions[0].state.is_some() && choices.conditions[1].post);
    assert!(Arc::ptr_eq(&choices.conditions[0].layout, &steps[0].step.before));
}

#[test]
fn its_checkpoint_is_refused_with_what_to_do() {
    let (folder, root) = workspace();
    let events = kept(&root);
    assert!(events > 0);
    let resumed = run(folder.path(), &["fuzz", "--resume", "2"]);
    assert_eq!(code(&resumed), 2);
    let told = errors(&resumed);
    assert!(told.contains("campaign 2 cannot go on"), "{told}");
    assert!(told.contains("was written by Taproof 0.1.0 in format 5"), "{told}");
    assert!(told.contains("taproof fuzz --app org.taproof.diary") && told.contains("--seed 5"), "{told}");
    // It is there as before: the program that wrote it can let it go on.
    assert_eq!(kept(&root), events);
    assert!(said(&folder, &["campaigns"]).contains("interrupted"));
}
