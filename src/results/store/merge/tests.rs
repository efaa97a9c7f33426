//! Merging: the laws that hold for whatever workspaces hold, and what counts where they differ.

use std::fmt::Write as _;
use std::path::Path;

use proptest::prelude::*;
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use taproof_engine::fastbot2::{HyperEvent, ReuseModel};
use taproof_screen::Text;
use taproof_spec::ActionKind;
use tempfile::TempDir;

use super::super::{NewCampaign, model_path, read_model, write_model};
use super::*;

const APP: &str = "org.ex";

/// A finding: name, event, whether it is finished, tries, the layouts and pictures of its steps.
type Finding = (u8, u8, bool, u8, Vec<(u8, Option<u8>)>);

#[derive(Clone, Debug)]
struct Campaign {
    origin: u8,
    events: u8,
    ended: bool,
    findings: Vec<Finding>,
    seen: Vec<u8>,
}

#[derive(Clone, Debug)]
struct Content {
    campaigns: Vec<Campaign>,
    said: Vec<(u8, Option<u8>)>,
    learned: Vec<(u8, u8)>,
}

fn content() -> impl Strategy<Value = Content> {
    let steps = prop::collection::vec((0..4u8, prop::option::of(0..3u8)), 1..4);
    let finding = (0..3u8, 0..3u8, any::<bool>(), 0..2u8, steps);
    let campaign = (
        0..3u8,
        0..3u8,
        any::<bool>(),
        prop::collection::vec(finding, 0..3),
        prop::collection::vec(0..3u8, 0..2),
    );
    let campaign = campaign.prop_map(|(origin, events, ended, mut findings, seen)| {
        findings.sort();
        findings.dedup_by_key(|finding| finding.0);
        Campaign { origin, events, ended, findings, seen }
    });
    let said = prop::collection::vec((0..3u8, prop::option::of(0..3u8)), 0..3);
    let learned = prop::collection::vec((0..3u8, 1..4u8), 0..3);
    (prop::collection::vec(campaign, 0..3), said, learned).prop_map(|(campaigns, said, learned)| Content {
        campaigns,
        said,
        learned,
    })
}

fn model(learned: &[(u8, u8)]) -> ReuseModel {
    let mut model = ReuseModel::of(APP);
    let text = |name: &str| Text::from(name);
    for (event, count) in learned {
        let event = HyperEvent {
            activity: text("org.ex/.A"),
            resource_id: text(&format!("id{event}")),
            class: text("android.widget.Button"),
            static_text: text(""),
            kind: ActionKind::ALL[0],
        };
        model.add(event, text("org.ex/.B"), u32::from(*count));
    }
    model
}

/// A workspace with this content.
fn workspace(content: &Content) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut workspace = Workspace::open(folder.path()).unwrap();
    workspace
        .database
        .write(|rows| {
            for campaign in &content.campaigns {
                write(rows, campaign)?;
            }
            for (place, (finding, same)) in content.said.iter().enumerate() {
                let said = format!("{finding} {same:?}");
                rows.execute(
                    "INSERT INTO bug_corrections (app, said, place) VALUES (?1, ?2, ?3)",
                    params![APP, said, place as i64 + 1],
                )?;
            }
            Ok(())
        })
        .unwrap();
    if !content.learned.is_empty() {
        let path = model_path(folder.path(), APP);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        write_model(&path, &model(&content.learned)).unwrap();
    }
    folder
}

fn write(rows: &Transaction<'_>, campaign: &Campaign) -> Result<(), StoreError> {
    let Campaign { origin, events, ended, findings, seen } = campaign;
    rows.execute(
        "INSERT INTO campaigns (app, build, engine, seed, plan, origin, events, end)
         VALUES (?1, '', '', 1, '', ?2, ?3, ?4)",
        params![APP, origin.to_string(), events, if *ended { "budget" } else { "interrupted" }],
    )?;
    let id = rows.last_insert_rowid();
    rows.execute(
        "INSERT INTO coverage (campaign, run, events, millis, tests, states, transitions, activities, findings)
         VALUES (?1, 0, ?2, 0, 0, 0, 0, 0, 0)",
        params![id, events],
    )?;
    for (name, first, finished, tries, steps) in findings {
        rows.execute(
            "INSERT INTO findings (campaign, name, oracle, title, first_event, count, steps, minimal_steps, hits, tries,
             class, counts, attributed_bugs, detail, engine, finished, bug_key)
             VALUES (?1, ?2, '', '', ?3, 1, 0, 0, 0, ?4, 'bug', 1, '[]', '', 'm', ?5, '')",
            params![id, name.to_string(), first, tries, finished],
        )?;
        let finding = rows.last_insert_rowid();
        for (step, (layout, picture)) in steps.iter().enumerate() {
            let layout = save_layout_row_of(rows, *layout)?;
            let picture = picture.map(|picture| super::super::findings::save_picture(rows, &[picture]));
            rows.execute(
                "INSERT INTO steps (finding, trace, step, health, at_millis, layout, picture)
                 VALUES (?1, 'witness', ?2, '', 0, ?3, ?4)",
                params![finding, step as i64, layout, picture.transpose()?],
            )?;
        }
    }
    for name in seen {
        rows.execute(
            "INSERT OR IGNORE INTO seen (campaign, name) VALUES (?1, ?2)",
            params![id, name.to_string()],
        )?;
    }
    Ok(())
}

/// Two layouts of each hash.
fn save_layout_row_of(rows: &Transaction<'_>, layout: u8) -> Result<i64, StoreError> {
    super::super::findings::save_layout_row(rows, params![layout / 2, "", 1, 1, layout.to_string()])
}

/// Everything in a workspace, as text.
fn dump(root: &Path) -> String {
    let workspace = Workspace::open_to_read(root).unwrap();
    let mut text = String::new();
    for table in TABLES.into_iter().chain(["merged_models"]) {
        let reader: &Connection = workspace.database.reader();
        let mut statement = reader.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let values: Vec<Value> = (0..columns).map(|column| row.get(column).unwrap()).collect();
            writeln!(text, "{table} {values:?}").unwrap();
        }
    }
    let path = model_path(root, APP);
    if path.exists() {
        writeln!(text, "{:?}", read_model(&path).unwrap()).unwrap();
    }
    text
}

fn merged(from: &[&TempDir]) -> TempDir {
    let out = tempfile::tempdir().unwrap();
    merge_into(&out, from);
    out
}

fn merge_into(out: &TempDir, from: &[&TempDir]) -> Merged {
    let from: Vec<PathBuf> = from.iter().map(|folder| folder.path().to_owned()).collect();
    merge_workspaces(out.path(), &from, &mut |_, _| {}).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn merging_is_associative_commutative_and_idempotent(one in content(), two in content(), three in content()) {
        let [a, b, c] = [&one, &two, &three].map(workspace);
        let whole = merged(&[&a, &b, &c]);
        let expected = dump(whole.path());
        prop_assert_eq!(&dump(merged(&[&c, &a, &b, &a]).path()), &expected);
        let first = merged(&[&b, &c]);
        prop_assert_eq!(&dump(merged(&[&a, &first]).path()), &expected);
        merge_into(&first, &[&a]);
        prop_assert_eq!(&dump(first.path()), &expected);
        merge_into(&whole, &[&whole, &b]);
        prop_assert_eq!(&dump(whole.path()), &expected);
    }
}

#[test]
fn what_went_further_and_what_is_known_better_counts() {
    let steps = |layouts: &[u8]| layouts.iter().map(|layout| (*layout, Some(*layout))).collect::<Vec<_>>();
    let here =
        |campaigns: Vec<Campaign>| workspace(&Content { campaigns, said: Vec::new(), learned: vec![(1, 3)] });
    let short = Campaign {
        origin: 1,
        events: 1,
        ended: false,
        findings: vec![(1, 1, true, 1, steps(&[0, 1])), (2, 1, false, 0, steps(&[2]))],
        seen: vec![1],
    };
    let long = Campaign {
        origin: 1,
        events: 2,
        ended: true,
        findings: vec![(1, 1, false, 0, steps(&[0, 0, 0])), (2, 0, true, 1, steps(&[1, 2]))],
        seen: vec![2],
    };
    let other = Campaign { origin: 2, ..short.clone() };
    let out = tempfile::tempdir().unwrap();
    let merged = merge_into(&out, &[&here(vec![short, other]), &here(vec![long])]);
    assert_eq!(merged, Merged { campaigns: 2, findings: 4, steps: 4 + 3, models: 1 });
    let workspace = Workspace::open_to_read(out.path()).unwrap();
    let campaign = workspace.campaign(1).unwrap();
    assert_eq!((campaign.events, campaign.end.as_deref()), (2, Some("budget")));
    let findings = workspace.findings(Some(1)).unwrap();
    let told: Vec<_> = findings.iter().map(|it| (it.name.as_str(), it.finished, it.seen)).collect();
    assert_eq!(told, [("2", true, true), ("1", true, true)], "in the order in which they were found");
    let count = |table: &str| -> i64 {
        let query = format!("SELECT count(*) FROM {table}");
        workspace.database.reader().query_row(&query, [], |row| row.get(0)).unwrap()
    };
    assert_eq!((count("layouts"), count("pictures")), (3, 3), "each once");
}

#[test]
fn nothing_is_merged_into_what_is_running_or_from_what_is_none() {
    let new =
        NewCampaign { app: APP, build: "", engine: "", seed: 1, plan: "{}", repeatable: false, began: 1 };
    let [out, from] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let none = merge_workspaces(out.path(), &[from.path().to_owned()], &mut |_, _| {}).unwrap_err();
    assert!(matches!(none, StoreError::NoWorkspace { .. }), "{none}");
    assert_eq!(std::fs::read_dir(out.path()).unwrap().count(), 0, "nothing is made there");
    let mut workspace = Workspace::open(from.path()).unwrap();
    let running = workspace.begin_campaign(&new).unwrap();
    let mut there = Workspace::open(out.path()).unwrap();
    let here = there.begin_campaign(&new).unwrap();
    let refused = merge_workspaces(out.path(), &[from.path().to_owned()], &mut |_, _| {}).unwrap_err();
    assert!(refused.to_string().contains("campaign 1 is running in"), "{refused}");
    drop((here, there));
    // What runs elsewhere is taken as far as it has come. Two campaigns on devices are two, however alike.
    merge_workspaces(out.path(), &[from.path().to_owned()], &mut |_, _| {}).unwrap();
    let merged = Workspace::open_to_read(out.path()).unwrap().campaigns().unwrap();
    assert_eq!(merged.iter().map(|row| row.end.as_deref()).collect::<Vec<_>>(), [Some("interrupted"); 2]);
    assert_eq!(workspace.campaign(running.id).unwrap().end, None);
}

#[test]
fn models_that_a_killed_merge_left_in_the_database_reach_their_files() {
    let folder =
        workspace(&Content { campaigns: Vec::new(), said: Vec::new(), learned: vec![(1, 1), (2, 3)] });
    let left = model_to(&[(1, 2)]);
    let mut workspace = Workspace::open(folder.path()).unwrap();
    workspace
        .database
        .write(|rows| Ok(rows.execute("INSERT INTO merged_models VALUES (?1, ?2)", params![APP, left])?))
        .unwrap();
    drop(workspace);
    drop(Workspace::open(folder.path()).unwrap());
    let path = model_path(folder.path(), APP);
    assert_eq!(read_model(&path).unwrap(), model(&[(1, 2), (2, 3)]));
}

fn model_to(learned: &[(u8, u8)]) -> Vec<u8> {
    super::super::model_to_bytes(&model(learned)).unwrap()
}
