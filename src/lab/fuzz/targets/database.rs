//! The results database: what its columns hold, the file as a whole, and plans by themselves.

use std::time::Duration;

use super::campaign::{Campaign, plan};
use super::cells::Cells;
use super::layouts::use_layout;
use super::scratch::Scratch;
use super::{FuzzTarget, Run, plain, seen};
use taproof_campaign::{Checkpoint, Finding, NullSink, Resumption, run_from};
use taproof_engine::worker::CancelToken;
use taproof_phone::{Apps, BundledPhones};
use taproof_results::report::{
    CampaignFacts, ExportKind, ReportFacts, export_campaign, export_finding, no_progress, replay_frame,
    step_sentences,
};
use taproof_results::store::{StoredCampaign, StoredPlan, Workspace};

const DATABASE_NAME: &str = "results.sqlite";

pub(super) const PLAN: FuzzTarget = FuzzTarget {
    name: "plan",
    about: "the plan of a campaign as the database keeps it: read, checked, told, written again",
    inputs: 60,
    prepare: || {
        plain(|bytes| {
            if let Ok(stored) = StoredPlan::from_json(&String::from_utf8_lossy(bytes)) {
                use_plan(&stored);
            }
        })
    },
    seeds: || plan().to_json().into_iter().map(String::into_bytes).collect(),
    files: &[],
    words: JSON_WORDS,
};

pub(super) const ROWS: FuzzTarget = FuzzTarget {
    name: "rows",
    about: "a column of the results database (the first byte says which): listed, loaded, exported, gone on from",
    inputs: 20,
    prepare: rows,
    seeds: || {
        let cells = stored_campaign("seeds")
            .and_then(|(scratch, _)| Cells::open(&scratch.path(DATABASE_NAME)).ok()?.contents().ok());
        let numbered = cells.unwrap_or_default().into_iter().enumerate();
        numbered.map(|(number, cell)| [vec![number as u8], cell].concat()).collect()
    },
    files: &[],
    words: JSON_WORDS,
};

pub(super) const DATABASE: FuzzTarget = FuzzTarget {
    name: "database",
    about: "a whole results database: opened, listed, its findings loaded",
    inputs: 20,
    prepare: whole_database,
    seeds: || {
        let bytes = stored_campaign("whole").and_then(|(scratch, workspace)| {
            drop(workspace);
            std::fs::read(scratch.path(DATABASE_NAME)).ok()
        });
        bytes.into_iter().collect()
    },
    files: &[".sqlite"],
    words: &["SQLite format 3\0", "CREATE TABLE findings", "plan TEXT", "\u{0}\u{0}\u{0}\u{4}"],
};

/// The words of our own JSON.
pub(super) const JSON_WORDS: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1",
    "18446744073709551615",
    "-9223372036854775808",
    "4294967296",
    "1e999",
    "\"\"",
    "[]",
    "{}",
    ",",
    ":",
    "\"",
    "\\u0000",
    "\\ud83d",
    "\\uffff",
    "\"kind\"",
    "\"widget\"",
    "\"event\"",
    "\"gesture\"",
    "\"selector\"",
    "\"text\"",
    "\"at\"",
    "\"screen\"",
    "\"plan\"",
    "\"engines\"",
    "\"engine\"",
    "\"pbfdroid\"",
    "\"genie\"",
    "\"odin\"",
    "\"fastbot2\"",
    "\"timemachine\"",
    "\"monkey\"",
    "\"specs\"",
    "\"traces\"",
    "\"seed\"",
    "\"budget\"",
    "\"max_events\"",
    "\"build\"",
    "\"layout\"",
    "\"layouts\"",
    "\"steps\"",
    "\"health\"",
    "\"running\"",
    "\"crashed\"",
    "\"role\"",
    "\"explored\"",
    "\"dmf_runs\"",
    "\"dmf\"",
    "\"expect\"",
    "\"start\"",
    "\"exact\"",
    "\"initialiser\"",
    "\"xpath\"",
    "\"ready\"",
    "\"tap\"",
    "\"set_text\"",
    "\"rotate\"",
    "\"key\"",
    "<node ",
    "<hierarchy>",
];

/// A folder with the results of a small campaign.
fn stored_campaign(name: &str) -> Option<(Scratch, Workspace)> {
    let scratch = Scratch::new(name)?;
    let mut workspace = Workspace::open(scratch.folder()).ok()?;
    Campaign::run().write(&mut workspace).ok()?;
    drop(workspace);
    // Who opens it now finds a campaign that was interrupted.
    let workspace = Workspace::open(scratch.folder()).ok()?;
    Some((scratch, workspace))
}

fn rows() -> Run {
    let Some((scratch, mut workspace)) = stored_campaign("rows") else { return plain(|_| {}) };
    let Ok(mut cells) = Cells::open(&scratch.path(DATABASE_NAME)) else { return plain(|_| {}) };
    let stored = plan();
    Box::new(move |bytes| {
        let Some((cell, bytes)) = bytes.split_first() else { return };
        seen(&scratch);
        // What a checkpoint holds is gone on from, too.
        for engine in &stored.plan.engines {
            if let Ok(checkpoint) = Checkpoint::read(bytes, &stored.plan, engine) {
                let (cancel, from) = (
                    CancelToken::new(),
                    Resumption { checkpoint, findings: Vec::new(), spent: Duration::ZERO },
                );
                let mut phones = BundledPhones::new(&stored.plan.app, &stored.plan.build);
                seen(
                    run_from(&stored.plan, engine, Some(from), &mut phones, &cancel, &mut NullSink)
                        .stats
                        .events,
                );
            }
        }
        let changed = cells.changed(usize::from(*cell), bytes, || use_workspace(&mut workspace));
        assert!(changed.is_ok(), "the database is not as it was");
    })
}

fn whole_database() -> Run {
    let Some(scratch) = Scratch::new("database") else { return plain(|_| {}) };
    Box::new(move |bytes| {
        scratch.empty();
        scratch.write(DATABASE_NAME, bytes);
        match Workspace::open(scratch.folder()) {
            Ok(mut workspace) => use_workspace(&mut workspace),
            Err(error) => seen(error.to_string()),
        }
    })
}

/// What the commands and the window do with results.
fn use_workspace(workspace: &mut Workspace) {
    for row in workspace.campaigns().unwrap_or_default() {
        seen((workspace.engine_summaries(row.id), workspace.samples(row.id)));
        seen(workspace.findings(Some(row.id)));
        match workspace.load_campaign(row.id) {
            Ok(stored) => {
                let StoredCampaign { plan, outcome, corrections, .. } = stored;
                let facts = CampaignFacts {
                    run: facts(&plan),
                    outcome,
                    corrections,
                    suspicions: false,
                    crashes_as_failures: true,
                };
                for kind in ExportKind::ALL.into_iter().filter(|kind| kind.of_campaigns()) {
                    seen(export_campaign(&facts, kind, &mut no_progress));
                }
            }
            Err(error) => seen(error.to_string()),
        }
        seen(workspace.resume_campaign(row.id, |_| Vec::new()).map(|resumed| resumed.from.len()));
    }
    for row in workspace.findings(None).unwrap_or_default() {
        match workspace.load_finding(&row.id.to_string()) {
            Ok(stored) => {
                use_plan(&stored.plan);
                use_finding(&stored.finding, &facts(&stored.plan));
            }
            Err(error) => seen(error.to_string()),
        }
    }
}

/// What is done with a finding that was loaded: it is told, shown step by step and exported.
pub(super) fn use_finding(finding: &Finding, facts: &ReportFacts) {
    seen(step_sentences(finding));
    for step in 0..=finding.minimal.trace.len() {
        seen(replay_frame(finding, step));
    }
    if let Some(frame) = finding.minimal.trace.frame(0) {
        use_layout(&frame.layout);
    }
    // A film shows nothing of the finding that its pictures and layouts do not.
    for kind in ExportKind::ALL.into_iter().filter(|kind| *kind != ExportKind::Gif) {
        seen(export_finding(finding, facts, kind, &mut no_progress));
    }
}

/// What reports say of a plan.
pub(super) fn facts(stored: &StoredPlan) -> ReportFacts {
    ReportFacts::of(&stored.plan, "App", stored.spec_facts(&[]), stored.spec_version())
}

fn use_plan(stored: &StoredPlan) {
    let plan = &stored.plan;
    seen((plan.command_words(), plan.engine_modes(), plan.check(&Apps::default().facts(&plan.app))));
    seen(plan.engines.iter().map(|engine| (engine.values(), engine.changed())).collect::<Vec<_>>());
    seen(facts(stored));
    if let Ok(text) = stored.to_json() {
        assert!(StoredPlan::from_json(&text).is_ok(), "what was written cannot be read");
    }
}
