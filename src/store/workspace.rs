//! The workspace folder: opening it, campaigns that begin and end.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::{StoreError, schema};
use crate::campaign::CoverageSample;

/// The results database's file name.
const DATABASE: &str = "results.sqlite";
/// Held while the database is made or brought up.
const DATABASE_LOCK: &str = "results.lock";

/// The folder with what was learned of apps.
const MODELS: &str = "models";

/// The folder with our results.
pub struct Workspace {
    root: PathBuf,
    pub(super) connection: Connection,
}

/// A campaign that is running now. As long as this lives, nobody takes the campaign for interrupted.
#[derive(Debug)]
pub struct RunningCampaign {
    /// Its row.
    pub id: i64,
    lock: File,
    lock_path: PathBuf,
}

impl RunningCampaign {
    fn lock(id: i64, lock_path: PathBuf) -> Result<Self, StoreError> {
        let failed =
            |error: std::io::Error| StoreError::Write { path: lock_path.display().to_string(), error };
        let lock = File::create(&lock_path).map_err(failed)?;
        lock.lock().map_err(failed)?;
        Ok(RunningCampaign { id, lock, lock_path })
    }
}

/// A campaign as it begins.
#[derive(Clone, Debug)]
pub struct NewCampaign<'a> {
    /// The app's package.
    pub app: &'a str,
    /// `faulty`, `sound`, or the bugs that are on.
    pub build: &'a str,
    /// The engines' names, comma-separated.
    pub engine: &'a str,
    /// The seed.
    pub seed: u64,
    /// The whole plan as JSON, the specification's text included: enough to run it again.
    pub plan: &'a str,
}

/// How a campaign ended.
#[derive(Clone, Debug)]
pub struct CampaignEnd<'a> {
    /// Why, in one word: `budget`, `cancelled`, ...
    pub end: &'a str,
    /// What there is to say of it; empty if nothing.
    pub detail: &'a str,
    /// The fingerprint, as printed.
    pub fingerprint: &'a str,
    /// Events in all.
    pub events: u64,
    /// Tests in all.
    pub tests: u64,
    /// The summary as JSON.
    pub summary: &'a str,
}

/// A campaign as listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignRow {
    /// Its number.
    pub id: i64,
    /// The app's package.
    pub app: String,
    /// The build.
    pub build: String,
    /// The engines' names, comma-separated.
    pub engine: String,
    /// The seed.
    pub seed: u64,
    /// Events as far as known.
    pub events: u64,
    /// Findings committed.
    pub findings: u64,
    /// Why it ended; `None` while it runs.
    pub end: Option<String>,
    /// The plan as JSON.
    pub plan: String,
}

impl Workspace {
    /// Whether the folder holds results.
    pub fn exists(root: &Path) -> bool {
        root.join(DATABASE).is_file()
    }

    /// Opens the folder, makes it if it is not there, and marks the campaigns whose program has died.
    pub fn open(root: &Path) -> Result<Workspace, StoreError> {
        let written = |error: std::io::Error| StoreError::Write { path: root.display().to_string(), error };
        std::fs::create_dir_all(root).map_err(written)?;
        let path = root.join(DATABASE);
        let connection = Connection::open(&path)?;
        // Two programs that make the database at once would fail each other: SQLite does not wait where it begins
        // to write ahead.
        let lock = File::create(root.join(DATABASE_LOCK)).map_err(written)?;
        lock.lock().map_err(written)?;
        schema::prepare(&connection, &path.display().to_string())?;
        drop(lock);
        let mut workspace = Workspace { root: root.to_owned(), connection };
        workspace.mark_interrupted()?;
        Ok(workspace)
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file with what campaigns have learned of an app.
    pub fn model_path(root: &Path, app: &str) -> PathBuf {
        root.join(MODELS).join(format!("{app}.model"))
    }

    fn lock_path(&self, campaign: i64) -> PathBuf {
        self.root.join(format!("campaign-{campaign}.lock"))
    }

    /// A campaign without an end whose lock nobody holds was killed.
    fn mark_interrupted(&mut self) -> Result<(), StoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let open: Vec<i64> = transaction
            .prepare("SELECT id FROM campaigns WHERE end IS NULL ORDER BY id")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let mut dead = Vec::new();
        for id in open {
            let path = self.root.join(format!("campaign-{id}.lock"));
            let running = match File::open(&path) {
                Ok(file) => matches!(file.try_lock(), Err(TryLockError::WouldBlock)),
                Err(_) => false,
            };
            if !running {
                transaction.execute("UPDATE campaigns SET end = 'interrupted' WHERE id = ?1", [id])?;
                dead.push(path);
            }
        }
        transaction.commit()?;
        for path in dead {
            remove_lock(&path);
        }
        Ok(())
    }

    /// Notes that a campaign begins.
    pub fn begin_campaign(&mut self, new: &NewCampaign<'_>) -> Result<RunningCampaign, StoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute(
            "INSERT INTO campaigns (app, build, engine, seed, plan) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![new.app, new.build, new.engine, new.seed.cast_signed(), new.plan],
        )?;
        let id = transaction.last_insert_rowid();
        // The lock is held before anybody else can see the campaign.
        let running = RunningCampaign::lock(id, self.root.join(format!("campaign-{id}.lock")))?;
        transaction.commit()?;
        Ok(running)
    }

    /// Takes up a campaign that was interrupted: it runs again.
    pub(super) fn take_up(&mut self, id: i64) -> Result<RunningCampaign, StoreError> {
        let running = RunningCampaign::lock(id, self.lock_path(id))?;
        self.connection.execute("UPDATE campaigns SET end = NULL WHERE id = ?1", [id])?;
        Ok(running)
    }

    /// Notes how far a campaign has come.
    pub fn add_sample(
        &mut self,
        campaign: &RunningCampaign,
        sample: CoverageSample,
    ) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute(
            "INSERT OR REPLACE INTO coverage
             (campaign, run, events, millis, tests, states, transitions, activities, code, findings)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                campaign.id,
                sample.run,
                sample.events.cast_signed(),
                sample.millis.cast_signed(),
                sample.tests.cast_signed(),
                sample.states.cast_signed(),
                sample.transitions.cast_signed(),
                sample.activities.cast_signed(),
                sample.code.map(u64::cast_signed),
                sample.findings.cast_signed()
            ],
        )?;
        transaction.execute(
            "UPDATE campaigns SET (events, tests) = (SELECT total(events), total(tests) FROM
               (SELECT max(events) AS events, max(tests) AS tests FROM coverage WHERE campaign = ?1 GROUP BY run))
             WHERE id = ?1",
            [campaign.id],
        )?;
        Ok(transaction.commit()?)
    }

    /// Notes how a campaign ended. It will not go on: its checkpoints are forgotten.
    pub fn end_campaign(
        &mut self,
        campaign: RunningCampaign,
        end: &CampaignEnd<'_>,
    ) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute("DELETE FROM checkpoints WHERE campaign = ?1", [campaign.id])?;
        transaction.execute(
            "UPDATE campaigns SET end = ?2, end_detail = ?3, fingerprint = ?4, events = ?5, tests = ?6,
             summary = ?7 WHERE id = ?1",
            params![
                campaign.id,
                end.end,
                end.detail,
                end.fingerprint,
                end.events.cast_signed(),
                end.tests.cast_signed(),
                end.summary
            ],
        )?;
        transaction.commit()?;
        let RunningCampaign { lock, lock_path, .. } = campaign;
        drop(lock);
        remove_lock(&lock_path);
        Ok(())
    }

    /// All campaigns, the newest first.
    pub fn campaigns(&self) -> Result<Vec<CampaignRow>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT id, app, build, engine, seed, events,
                    (SELECT count(*) FROM findings WHERE campaign = campaigns.id), end, plan
             FROM campaigns ORDER BY id DESC",
        )?;
        let rows = statement.query_map([], campaign_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// One campaign.
    pub fn campaign(&self, id: i64) -> Result<CampaignRow, StoreError> {
        let row = self
            .connection
            .query_row(
                "SELECT id, app, build, engine, seed, events,
                        (SELECT count(*) FROM findings WHERE campaign = campaigns.id), end, plan
                 FROM campaigns WHERE id = ?1",
                [id],
                campaign_row,
            )
            .optional()?;
        row.ok_or_else(|| StoreError::Missing { what: format!("campaign {id} in {}", self.root.display()) })
    }

    /// Whether the campaign's lock is held; for tests and for lists.
    pub fn is_running(&self, campaign: i64) -> bool {
        let file = File::open(self.lock_path(campaign));
        file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }
}

fn campaign_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<CampaignRow> {
    Ok(CampaignRow {
        id: row.get(0)?,
        app: row.get(1)?,
        build: row.get(2)?,
        engine: row.get(3)?,
        seed: row.get::<_, i64>(4)?.cast_unsigned(),
        events: row.get::<_, i64>(5)?.cast_unsigned(),
        findings: row.get::<_, i64>(6)?.cast_unsigned(),
        end: row.get(7)?,
        plan: row.get(8)?,
    })
}

fn remove_lock(path: &Path) {
    // A lock file that stays does no harm: nobody holds it.
    if let Err(error) = std::fs::remove_file(path) {
        tracing::debug!(?path, %error, "a lock file stays");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: NewCampaign<'_> =
        NewCampaign { app: "org.ex", build: "faulty", engine: "pbfdroid", seed: u64::MAX, plan: "{}" };

    #[test]
    fn a_campaign_whose_program_died_is_marked_and_a_running_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut workspace = Workspace::open(folder.path()).unwrap();
        let dead = workspace.begin_campaign(&NEW).unwrap();
        let alive = workspace.begin_campaign(&NEW).unwrap();
        let dead_id = dead.id;
        drop(dead);
        let again = Workspace::open(folder.path()).unwrap();
        assert_eq!(again.campaign(dead_id).unwrap().end.as_deref(), Some("interrupted"));
        assert_eq!(again.campaign(alive.id).unwrap().end, None);
        assert_eq!(again.campaign(alive.id).unwrap().seed, u64::MAX);
        assert!(again.is_running(alive.id) && !again.is_running(dead_id));
    }

    #[test]
    fn programs_that_start_together_make_the_folder_once() {
        for _ in 0..20 {
            let folder = tempfile::tempdir().unwrap();
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| drop(Workspace::open(folder.path()).unwrap()));
                }
            });
        }
    }

    #[test]
    fn a_foreign_or_broken_database_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(DATABASE);
        std::fs::write(&path, b"this is no database, but somebody's text file of some length.").unwrap();
        assert!(Workspace::open(folder.path()).is_err());
        assert!(std::fs::read(&path).unwrap().starts_with(b"this is no database"));
        std::fs::remove_file(&path).unwrap();
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE mine (x)").unwrap();
        let error = Workspace::open(folder.path()).err().unwrap();
        assert!(matches!(error, StoreError::NotOurs { .. }), "{error}");
    }

    #[test]
    fn a_newer_database_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        drop(Workspace::open(folder.path()).unwrap());
        let path = folder.path().join(DATABASE);
        Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
        let error = Workspace::open(folder.path()).err().unwrap();
        assert!(matches!(error, StoreError::Version { found: 99, .. }), "{error}");
    }
}
