//! The results database: its schema and its version.
//!
//! One SQLite file, `results.sqlite`, in write-ahead mode: a kill at any moment loses nothing that was committed. Users
//! may query it; the tables are described in the statements that create them.

use std::path::Path;

use rusqlite::Connection;

use super::StoreError;
use crate::shell::shell_word;

/// The version that this program reads and writes, stored in `PRAGMA user_version`.
pub(super) const VERSION: i64 = 2;
/// `TAPR`, stored in `PRAGMA application_id`. Databases of before the first release have none.
const APPLICATION: i64 = 0x5441_5052;

const SCHEMA: &str = "
-- One campaign. `plan` is JSON: app, build, engines, seed, budget; `spec` is the DMF file it ran, and
-- `blocks` its block list, both as text. `end` is NULL while it runs; 'interrupted' if the program died meanwhile.
-- `origin` is the same in each copy of a campaign, and in each run of one that gives the same results wherever it runs.
-- `began`: when it began, and `last`: when something was last written of it, in seconds since 1970.
CREATE TABLE campaigns (
  id INTEGER PRIMARY KEY,
  app TEXT NOT NULL,
  build TEXT NOT NULL,
  engine TEXT NOT NULL,
  seed INTEGER NOT NULL,
  plan TEXT NOT NULL,
  fingerprint TEXT,
  events INTEGER NOT NULL DEFAULT 0,
  tests INTEGER NOT NULL DEFAULT 0,
  end TEXT,
  end_detail TEXT,
  summary TEXT,
  origin TEXT NOT NULL,
  began INTEGER,
  last INTEGER
);
-- How far an engine of a campaign had come after so many events. `run` is the engine's place in the plan, from 0. `code`:
-- code points of the app executed so far; NULL where it has none.
CREATE TABLE coverage (
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  run INTEGER NOT NULL,
  events INTEGER NOT NULL,
  millis INTEGER NOT NULL,
  tests INTEGER NOT NULL,
  states INTEGER NOT NULL,
  transitions INTEGER NOT NULL,
  activities INTEGER NOT NULL,
  findings INTEGER NOT NULL,
  code INTEGER,
  PRIMARY KEY (campaign, run, events)
) WITHOUT ROWID;
-- Where each engine of a campaign can go on after a kill: what it knew after its last whole round.
CREATE TABLE checkpoints (
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  run INTEGER NOT NULL,
  events INTEGER NOT NULL,
  state BLOB NOT NULL,
  PRIMARY KEY (campaign, run)
);
-- The events of an engine of a campaign, up to a thousand at a time. `first` is the number of the first one; `block` is JSON, a
-- line for each, compressed by gzip.
CREATE TABLE events (
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  run INTEGER NOT NULL,
  first INTEGER NOT NULL,
  block BLOB NOT NULL,
  PRIMARY KEY (campaign, run, first)
);
-- One finding. `name` is its id within the campaign, `engine` the one that reported it, `detail` is JSON. `attributed_bugs`
-- is a JSON list of the bugs that cause it, or a list of such lists where any one of them may. `class`: 'bug', 'suspicion' or
-- 'unsure'; `counts`: 1 if it counts as a bug. `bug_key`: what the bug is known by, and `environment`: where it was seen, NULL
-- if that is not known, as JSON. `finished` is 0 while it is still to be confirmed or minimised; until it is minimised, its 'minimal' trace may be
-- missing, and is the same as its witness then.
CREATE TABLE findings (
  id INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  name TEXT NOT NULL,
  oracle TEXT NOT NULL,
  title TEXT NOT NULL,
  dmf TEXT,
  first_event INTEGER NOT NULL,
  count INTEGER NOT NULL,
  steps INTEGER NOT NULL,
  minimal_steps INTEGER NOT NULL,
  hits INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  class TEXT NOT NULL,
  counts INTEGER NOT NULL,
  attributed_bugs TEXT NOT NULL,
  detail TEXT NOT NULL,
  engine TEXT NOT NULL,
  finished INTEGER NOT NULL,
  bug_key TEXT NOT NULL,
  environment TEXT,
  UNIQUE (campaign, name)
);
-- The findings that somebody has looked at. By name, as a finding that is reported again gets another row.
CREATE TABLE seen (
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  name TEXT NOT NULL,
  PRIMARY KEY (campaign, name)
) WITHOUT ROWID;
-- What a person has said of findings and bugs in an app, as JSON, the earliest first: what shows a bug of its own, what shows
-- the same bug, what is to become of a bug. By names and keys, which are the same in every campaign. `place`: how many statements
-- about the app came before, and this one.
CREATE TABLE bug_corrections (
  id INTEGER PRIMARY KEY,
  app TEXT NOT NULL,
  said TEXT NOT NULL,
  place INTEGER NOT NULL
);
-- The cards of campaigns: a row for each finding, with the finding to look at first, the title of its card, its harm, and whether
-- it is a 'bug', a 'suspicion' or 'dismissed', or NULL if it is too unsure for one. Made when they are first needed; without rows
-- while they are not.
CREATE TABLE cards (
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  name TEXT NOT NULL,
  shown TEXT,
  title TEXT,
  class TEXT,
  harm TEXT,
  PRIMARY KEY (campaign, name)
) WITHOUT ROWID;
-- The frames of a finding's traces: trace is 'witness', 'minimal' or 'reference', step 0 is the start. `event` and `health`
-- are JSON; event is NULL at step 0.
CREATE TABLE steps (
  finding INTEGER NOT NULL REFERENCES findings(id),
  trace TEXT NOT NULL,
  step INTEGER NOT NULL,
  event TEXT,
  role TEXT,
  health TEXT NOT NULL,
  at_millis INTEGER NOT NULL,
  layout INTEGER NOT NULL REFERENCES layouts(id),
  picture INTEGER REFERENCES pictures(id),
  PRIMARY KEY (finding, trace, step)
) WITHOUT ROWID;
-- Layouts as uiautomator dumps, each once, with the activity in front, which a dump does not hold.
CREATE TABLE layouts (
  id INTEGER PRIMARY KEY,
  hash INTEGER NOT NULL,
  activity TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  xml TEXT NOT NULL
);
CREATE INDEX layouts_by_hash ON layouts(hash);
-- Pictures as PNG, each once.
CREATE TABLE pictures (
  id INTEGER PRIMARY KEY,
  hash INTEGER NOT NULL,
  png BLOB NOT NULL
);
CREATE INDEX pictures_by_hash ON pictures(hash);
-- What Fastbot2 has learned of apps by the workspaces that were merged into this one, until it is in the files of models.
CREATE TABLE merged_models (
  app TEXT PRIMARY KEY,
  model BLOB NOT NULL
) WITHOUT ROWID;
";

/// Whether a database is of this program's version; false if it is not initialised yet.
///
/// # Errors
///
/// [`StoreError::NotOurs`], [`StoreError::Earlier`] or [`StoreError::Version`] if it belongs to another program or version.
pub(super) fn is_initialised(connection: &Connection, path: &Path) -> Result<bool, StoreError> {
    let number = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let tables = |named: &str| {
        let count = "SELECT count(*) FROM sqlite_master WHERE name LIKE ?1";
        connection.query_row(count, [named], |row| row.get::<_, i64>(0))
    };
    match (number("application_id")?, number("user_version")?) {
        (APPLICATION, VERSION) => Ok(true),
        (APPLICATION, found) => {
            Err(StoreError::Version { path: path.display().to_string(), found, known: VERSION })
        }
        (0, 0) if tables("%")? == 0 => Ok(false),
        (0, 1..) if tables("campaigns")? > 0 => {
            let folder = path.parent().unwrap_or(path).display().to_string();
            Err(StoreError::Earlier { command: shell_word(&folder), folder })
        }
        _ => Err(StoreError::NotOurs { path: path.display().to_string() }),
    }
}

/// Initialises a new database.
pub(super) fn prepare(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let initialised = is_initialised(connection, path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // A commit has reached the disk when it returns, and a finding is only shown after that.
    connection.pragma_update(None, "synchronous", "FULL")?;
    if !initialised {
        let all = format!(
            "BEGIN IMMEDIATE; {SCHEMA} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; COMMIT;"
        );
        connection.execute_batch(&all)?;
    }
    Ok(())
}
