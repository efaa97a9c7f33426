//! What is in the workspaces that are merged: which campaigns are copies of one, and what was said of findings.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;

use rusqlite::{Connection, ToSql, types::ValueRef};
use taproof_screen::determinism::{StableHasher, hash_text};

use super::super::{StoreError, Workspace};
use super::{in_workspace, opened};

/// Where a campaign stands among the merged ones. Copies of one campaign have the same place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    app: String,
    build: String,
    engine: String,
    seed: i64,
    /// Hash of the plan.
    plan: u64,
    origin: String,
}

/// A copy of a campaign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copy {
    /// Index of the workspace that it is in.
    pub source: usize,
    /// Its number there.
    pub id: i64,
}

/// The copies of a campaign, the one that counts first.
pub(super) struct Copies(pub Vec<Copy>);

/// How far a copy went. Copies of which neither went further hold the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Progress {
    events: i64,
    tests: i64,
    /// Whether it came to an end of its own; if not, it may still go on somewhere.
    ended: bool,
    /// Hash of everything but its findings: which of two counts that differ only in this means nothing.
    content: u64,
    /// When it began and was last written; the earliest counts.
    times: Reverse<(Option<i64>, Option<i64>)>,
}

/// Statements about findings: the app, and the statement as it is stored. With the place among the statements about the app.
pub(super) type Said = BTreeMap<(String, String), i64>;

/// The campaigns of all workspaces, and what was said of findings in any of them.
pub(super) fn all_copies(sources: &[PathBuf]) -> Result<(BTreeMap<Place, Copies>, Said), StoreError> {
    let mut found: BTreeMap<Place, Vec<(Progress, Copy)>> = BTreeMap::new();
    let mut said = Said::new();
    for (source, path) in sources.iter().enumerate() {
        let workspace = opened(path)?;
        let here = workspace.at_one_moment(|_| {
            for (statement, place) in statements(&workspace)? {
                let known = said.entry(statement).or_default();
                *known = place.max(*known);
            }
            campaigns(&workspace, source)
        });
        for (place, progress, copy) in here.map_err(|error| in_workspace(path, error))? {
            found.entry(place).or_default().push((progress, copy));
        }
    }
    let in_order = |mut copies: Vec<(Progress, Copy)>| {
        copies.sort_by_key(|(progress, _)| Reverse(*progress));
        Copies(copies.into_iter().map(|(_, copy)| copy).collect())
    };
    Ok((found.into_iter().map(|(place, copies)| (place, in_order(copies))).collect(), said))
}

fn campaigns(workspace: &Workspace, source: usize) -> Result<Vec<(Place, Progress, Copy)>, StoreError> {
    let reader = workspace.database.reader();
    let mut statement = reader.prepare(
        "SELECT id, app, build, engine, seed, plan, origin, events, tests, coalesce(end, 'interrupted') != 'interrupted',
                began, last FROM campaigns ORDER BY id",
    )?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let id = row.get(0)?;
        let place = Place {
            app: row.get(1)?,
            build: row.get(2)?,
            engine: row.get(3)?,
            seed: row.get(4)?,
            plan: hash_text(&row.get::<_, String>(5)?),
            origin: row.get(6)?,
        };
        let content = content(reader, id)?;
        let times = Reverse((row.get(10)?, row.get(11)?));
        let progress =
            Progress { events: row.get(7)?, tests: row.get(8)?, ended: row.get(9)?, content, times };
        found.push((place, progress, Copy { source, id }));
    }
    Ok(found)
}

/// What the workspace's person said of findings, with the place of each statement among those about its app.
pub(super) fn statements(workspace: &Workspace) -> Result<Said, StoreError> {
    let query = "SELECT app, said, place FROM bug_corrections ORDER BY place";
    let mut statement = workspace.database.reader().prepare(query)?;
    let rows = statement.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?;
    // Of a statement that was repeated, the last place counts.
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Hash of what is stored of a campaign, except for its findings.
fn content(reader: &Connection, id: i64) -> Result<u64, StoreError> {
    let parts = [
        "SELECT coalesce(end, 'interrupted'), end_detail, fingerprint, summary FROM campaigns WHERE id = ?1",
        "SELECT * FROM (SELECT run, events, millis, tests, states, transitions, activities, findings, code FROM coverage
         WHERE campaign = ?1) ORDER BY run, events",
        "SELECT run, first, block FROM events WHERE campaign = ?1 ORDER BY run, first",
        "SELECT run, events, state FROM checkpoints WHERE campaign = ?1 ORDER BY run",
    ];
    let mut hasher = StableHasher::new();
    for query in parts {
        hash_rows(reader, query, &[&id], &mut hasher)?;
    }
    Ok(hasher.finish())
}

/// Hash of what is stored of a finding, whatever the numbers of its rows.
pub(super) fn finding_content(reader: &Connection, id: i64) -> Result<u64, StoreError> {
    let parts = [
        "SELECT oracle, title, dmf, first_event, count, steps, minimal_steps, attributed_bugs, detail, engine
         FROM findings WHERE id = ?1",
        "SELECT trace, step, event, role, health, at_millis, layouts.hash, pictures.hash FROM steps
         JOIN layouts ON layouts.id = layout LEFT JOIN pictures ON pictures.id = picture
         WHERE finding = ?1 ORDER BY trace, step",
    ];
    let mut hasher = StableHasher::new();
    for query in parts {
        hash_rows(reader, query, &[&id], &mut hasher)?;
    }
    Ok(hasher.finish())
}

fn hash_rows(
    reader: &Connection,
    query: &str,
    values: &[&dyn ToSql],
    hasher: &mut StableHasher,
) -> Result<(), StoreError> {
    let mut statement = reader.prepare_cached(query)?;
    let columns = statement.column_count();
    let mut rows = statement.query(values)?;
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            match row.get_ref(column)? {
                ValueRef::Null => hasher.text("null"),
                ValueRef::Integer(number) => hasher.u64(number.cast_unsigned()),
                ValueRef::Real(number) => hasher.u64(number.to_bits()),
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => hasher.bytes(bytes),
            }
        }
    }
    Ok(())
}
