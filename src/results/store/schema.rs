//! The results database: its schema, its versions, and upgrades at the start of the program.
//!
//! One SQLite file, `results.sqlite`, in write-ahead mode: a kill at any moment loses nothing that was committed. Users
//! may query it; the tables are described in the statements that create them.

use rusqlite::Connection;

use super::StoreError;

/// The version that this program writes, stored in `PRAGMA user_version`.
pub(super) const VERSION: i64 = 8;

const SCHEMA: &str = "
-- One campaign. `plan` is JSON: app, build, engines, seed, budget; `spec` is the DMF file it ran, and
-- `blocks` its block list, both as text. `end` is NULL while it runs; 'interrupted' if the program died meanwhile.
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
  summary TEXT
);
-- How far a campaign had come after so many events.
CREATE TABLE coverage (
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  events INTEGER NOT NULL,
  tests INTEGER NOT NULL,
  states INTEGER NOT NULL,
  activities INTEGER NOT NULL,
  findings INTEGER NOT NULL,
  PRIMARY KEY (campaign, events)
) WITHOUT ROWID;
-- One finding. `name` is its id within the campaign, `detail` is JSON. `attributed_bugs` is a JSON list of the bugs
-- that cause it, or a list of such lists where any one of them may.
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
  attributed_bugs TEXT NOT NULL,
  detail TEXT NOT NULL,
  UNIQUE (campaign, name)
);
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
";

/// Upgrades version 1 to version 2.
const SEEN: &str = "
-- The findings that somebody has looked at. By name, as a finding that is told again gets another row.
CREATE TABLE IF NOT EXISTS seen (
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  name TEXT NOT NULL,
  PRIMARY KEY (campaign, name)
) WITHOUT ROWID;
";

/// Upgrades version 2 to version 3: a campaign runs several engines.
const ENGINES: &str = "
-- How far an engine of a campaign had come after so many events. `run` is the engine's place in the plan, from 0.
ALTER TABLE coverage RENAME TO coverage_of_one_engine;
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
  PRIMARY KEY (campaign, run, events)
) WITHOUT ROWID;
INSERT INTO coverage (campaign, run, events, millis, tests, states, transitions, activities, findings)
  SELECT campaign, 0, events, 0, tests, states, 0, activities, findings FROM coverage_of_one_engine;
DROP TABLE coverage_of_one_engine;
-- The engine that told a finding.
ALTER TABLE findings ADD COLUMN engine TEXT NOT NULL DEFAULT 'pbfdroid';
-- Where each engine of a campaign can go on after a kill: what it knew after its last whole round.
CREATE TABLE checkpoints (
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  run INTEGER NOT NULL,
  events INTEGER NOT NULL,
  state BLOB NOT NULL,
  PRIMARY KEY (campaign, run)
);
";

/// Upgrades version 3 to version 4.
const CODE: &str = "
-- Code points of the app executed so far; NULL where it has none, and in samples of older programs.
ALTER TABLE coverage ADD COLUMN code INTEGER;
";

/// Upgrades version 4 to version 5: a finding is stored when it is seen.
const FINISHED: &str = "
-- 0 while a finding is still to be confirmed or minimised; until it is minimised, its 'minimal' trace may be missing,
-- and is the same as its witness then. Older programs stored findings once nothing was left to do.
ALTER TABLE findings ADD COLUMN finished INTEGER NOT NULL DEFAULT 1;
";

/// Upgrades version 5 to version 6.
const EVENTS: &str = "
-- The events of an engine of a campaign, up to a thousand at a time. `first` is the number of the first one; `block` is JSON, a
-- line for each, compressed by gzip.
CREATE TABLE events (
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  run INTEGER NOT NULL,
  first INTEGER NOT NULL,
  block BLOB NOT NULL,
  PRIMARY KEY (campaign, run, first)
);
";

/// Upgrades version 6 to version 7: which findings show the same bug.
const BUGS: &str = "
-- What a person has said of findings in an app, the earliest first: `finding` shows a bug of its own or, with `same_as`,
-- the same bug as that one. By names, which are the same in every campaign.
CREATE TABLE bug_corrections (
  id INTEGER PRIMARY KEY,
  app TEXT NOT NULL,
  finding TEXT NOT NULL,
  same_as TEXT
);
-- The cards of campaigns: a row for each finding, with the finding to look at first and the title of its card, or NULL if
-- it is too unsure for one. Made when they are first needed; without rows while they are not.
CREATE TABLE cards (
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  name TEXT NOT NULL,
  shown TEXT,
  title TEXT,
  PRIMARY KEY (campaign, name)
) WITHOUT ROWID;
";

/// Upgrades version 7 to version 8: workspaces can be merged.
const ORIGIN: &str = "
-- The same in each copy of a campaign, and in each run of one that gives the same results wherever it runs. Campaigns of
-- older programs are told apart by what they did.
ALTER TABLE campaigns ADD COLUMN origin TEXT NOT NULL DEFAULT '';
UPDATE campaigns SET origin = 'version 7: ' || id || ' ' || seed || ' ' || length(plan) || ' ' ||
  coalesce(fingerprint, (SELECT total(length(block)) FROM events WHERE campaign = campaigns.id));
-- How many statements about the app came before, and this one.
ALTER TABLE bug_corrections ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
UPDATE bug_corrections SET place = (SELECT count(*) FROM bug_corrections AS said
  WHERE said.app = bug_corrections.app AND said.id <= bug_corrections.id);
-- What Fastbot2 has learned of apps by the workspaces that were merged into this one, until it is in the files of models.
CREATE TABLE merged_models (
  app TEXT PRIMARY KEY,
  model BLOB NOT NULL
) WITHOUT ROWID;
";

/// The upgrades to each version from 2 on.
const STEPS: [&str; 7] = [SEEN, ENGINES, CODE, FINISHED, EVENTS, BUGS, ORIGIN];

/// The version of a database; 0 if it is not initialised yet.
///
/// # Errors
///
/// [`StoreError::NotOurs`] or [`StoreError::Version`] if it belongs to another program or is newer.
pub(super) fn version(connection: &Connection, path: &str) -> Result<i64, StoreError> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tables =
        || connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0));
    match version {
        0 if tables()? > 0 => Err(StoreError::NotOurs { path: path.to_owned() }),
        0..=VERSION => Ok(version),
        found => Err(StoreError::Version { path: path.to_owned(), found, known: VERSION }),
    }
}

/// Initialises a new database, or upgrades an old one.
pub(super) fn prepare(connection: &Connection, path: &str) -> Result<(), StoreError> {
    let version = version(connection, path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // A commit has reached the disk when it returns, and a finding is only shown after that.
    connection.pragma_update(None, "synchronous", "FULL")?;
    match usize::try_from(version) {
        Ok(0) | Err(_) => bring_up(connection, SCHEMA, &STEPS),
        Ok(version) => bring_up(connection, "", &STEPS[version - 1..]),
    }
}

fn bring_up(connection: &Connection, first: &str, steps: &[&str]) -> Result<(), StoreError> {
    if first.is_empty() && steps.is_empty() {
        return Ok(());
    }
    let steps = steps.concat();
    connection.execute_batch(&format!(
        "BEGIN IMMEDIATE; {first} {steps} PRAGMA user_version = {VERSION}; COMMIT;"
    ))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_of_older_versions_are_brought_up() {
        for version in 1..VERSION {
            let old = Connection::open_in_memory().unwrap();
            let steps = STEPS[..version as usize - 1].concat();
            old.execute_batch(&format!("{SCHEMA} {steps} PRAGMA user_version = {version};")).unwrap();
            old.execute_batch(
                "INSERT INTO campaigns (app, build, engine, seed, plan) VALUES ('', '', '', 1, '')",
            )
            .unwrap();
            let engines = if version < 3 { ("", "") } else { (", run, millis, transitions", ", 0, 0, 0") };
            old.execute_batch(&format!(
                "INSERT INTO coverage (campaign, events, tests, states, activities, findings{})
                 VALUES (1, 500, 2, 3, 4, 5{})",
                engines.0, engines.1
            ))
            .unwrap();
            prepare(&old, "old").unwrap();
            let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<i64>>(1)?));
            let kept = old.query_row("SELECT events, code FROM coverage WHERE run = 0", [], read);
            assert_eq!(kept.unwrap(), (500, None), "version {version}");
            prepare(&old, "old").unwrap();
        }
    }
}
