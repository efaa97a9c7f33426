//! The workspace folder: opening it, and the beginning and end of campaigns.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};

use super::StoreError;
use super::database::Database;
use super::merge::write_merged_models;
use taproof_campaign::CoverageSample;
use taproof_screen::determinism::hash_text;

/// The file name of the results database.
pub(super) const DATABASE: &str = "results.sqlite";
/// Held exclusively while the database is opened for writing, or initialised; shared as long as a reader
/// relies on that nobody does this.
pub(super) const DATABASE_LOCK: &str = "results.lock";

/// Reads what a [`CampaignRow`] holds.
const CAMPAIGN: &str = "SELECT id, app, build, engine, seed, events,
    (SELECT count(*) FROM findings WHERE campaign = campaigns.id), end, began, last - began FROM campaigns";

/// The end of a campaign whose program was killed.
const INTERRUPTED: &str = "interrupted";

/// The folder with our results.
pub struct Workspace {
    root: PathBuf,
    pub(super) database: Database,
}

/// A running campaign. As long as this value lives, nobody takes the campaign for interrupted.
#[derive(Debug)]
pub struct RunningCampaign {
    /// Number of its row.
    pub id: i64,
    lock: File,
    lock_path: PathBuf,
}

impl RunningCampaign {
    /// Takes the lock of a campaign; `None` if another program runs it.
    fn lock(id: i64, lock_path: PathBuf) -> Result<Option<Self>, StoreError> {
        let failed =
            |error: std::io::Error| StoreError::Write { path: lock_path.display().to_string(), error };
        let lock = File::create(&lock_path).map_err(failed)?;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(Some(RunningCampaign { id, lock, lock_path })),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
                Err(TryLockError::WouldBlock) if is_held(&lock_path) => return Ok(None),
                // Another program is just checking the lock, which only takes a moment.
                Err(TryLockError::WouldBlock) => {}
            }
        }
    }
}

/// Whether a program runs the campaign of this lock, and so holds it exclusively. Checks use a shared lock, so that two
/// of them do not take each other for a running campaign.
fn is_held(lock_path: &Path) -> bool {
    match File::open(lock_path) {
        Ok(lock) => matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)),
        // If the lock cannot be checked, the campaign may be running and is left alone.
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

/// The facts of a new campaign.
#[derive(Clone, Debug)]
pub struct NewCampaign<'a> {
    /// Package name of the app.
    pub app: &'a str,
    /// `faulty`, `sound`, or the bugs that are on; for devices behind adb, their serials.
    pub build: &'a str,
    /// The engines' names, comma-separated.
    pub engine: &'a str,
    /// The seed of the campaign.
    pub seed: u64,
    /// The whole plan as JSON, with the text of the specification: enough to run it again.
    pub plan: &'a str,
    /// Whether the plan gives the same results wherever it runs, as on bundled phones: such campaigns are one when
    /// workspaces are merged.
    pub repeatable: bool,
    /// When it begins, in seconds since 1970.
    pub began: i64,
}

impl NewCampaign<'_> {
    /// What is the same in each run of a campaign that gives the same results everywhere; `None` for others.
    fn origin(&self) -> Option<String> {
        let NewCampaign { app, build, engine, seed, plan, repeatable, .. } = self;
        let facts = [env!("CARGO_PKG_VERSION"), app, build, engine, &seed.to_string(), plan].join("\0");
        repeatable.then(|| format!("{:016x}", hash_text(&facts)))
    }
}

/// How a campaign ended.
#[derive(Clone, Debug)]
pub struct CampaignEnd<'a> {
    /// Why, in one word: `budget`, `cancelled`, ...
    pub end: &'a str,
    /// The error message; empty if there was no error.
    pub detail: &'a str,
    /// The fingerprint, as printed.
    pub fingerprint: &'a str,
    /// Total number of events.
    pub events: u64,
    /// Total number of tests.
    pub tests: u64,
    /// The summary as JSON.
    pub summary: &'a str,
    /// When it ended, in seconds since 1970.
    pub at: i64,
}

/// A campaign in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignRow {
    /// Number of the campaign.
    pub id: i64,
    /// Package name of the app.
    pub app: String,
    /// Where the app ran: the build on the bundled phone, or the serials of the devices.
    pub build: String,
    /// The engines' names, comma-separated.
    pub engine: String,
    /// The seed of the campaign.
    pub seed: u64,
    /// Number of events, as far as known.
    pub events: u64,
    /// Number of stored findings.
    pub findings: u64,
    /// Why it ended, in one word; `None` while it runs.
    pub end: Option<String>,
    /// When it began, in seconds since 1970; `None` if that is not known.
    pub began: Option<i64>,
    /// Seconds from then until something was last written of it.
    pub length: Option<u64>,
}

impl CampaignRow {
    /// Whether it can be resumed.
    pub fn is_interrupted(&self) -> bool {
        self.end.as_deref() == Some("interrupted")
    }

    /// The engines' names, for people.
    pub fn engine_words(&self) -> String {
        self.engine.replace(',', ", ")
    }
}

impl Workspace {
    /// Whether the folder contains a results database.
    pub fn exists(root: &Path) -> bool {
        root.join(DATABASE).is_file()
    }

    /// Opens the folder, creates it if it does not exist, and marks the campaigns whose programs were killed as
    /// interrupted.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotOurs`] or [`StoreError::Version`] if the database belongs to another program or is newer,
    /// [`StoreError::Earlier`] if it is of before the first release, or another error if it cannot be written.
    pub fn open(root: &Path) -> Result<Workspace, StoreError> {
        let written = |error: std::io::Error| StoreError::Write { path: root.display().to_string(), error };
        std::fs::create_dir_all(root).map_err(written)?;
        // Without the lock, two programs that create the database at the same time would make each other fail: SQLite
        // does not wait when it switches to write-ahead mode.
        let lock = File::create(root.join(DATABASE_LOCK)).map_err(written)?;
        lock.lock().map_err(written)?;
        let database = Database::open(&root.join(DATABASE))?;
        drop(lock);
        let mut workspace = Workspace { root: root.to_owned(), database };
        workspace.mark_interrupted()?;
        write_merged_models(&mut workspace.database, root)?;
        Ok(workspace)
    }

    /// Opens an existing folder for reading. Nothing is written to it, unless its database was not initialised yet.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoWorkspace`] if there is no database, and [`StoreError::Earlier`] or [`StoreError::Version`] if it is of
    /// another version.
    pub fn open_to_read(root: &Path) -> Result<Workspace, StoreError> {
        if !Workspace::exists(root) {
            return Err(StoreError::NoWorkspace { path: root.display().to_string() });
        }
        let (database, initialised) =
            Database::open_to_read(&root.join(DATABASE), &root.join(DATABASE_LOCK))?;
        if initialised {
            return Ok(Workspace { root: root.to_owned(), database });
        }
        // The reader's lock would block the writer.
        drop(database);
        Workspace::open(root)
    }

    /// Path of the folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn lock_path(&self, campaign: i64) -> PathBuf {
        lock_path(&self.root, campaign)
    }

    /// The campaigns without an end that no program runs, because theirs was killed. A program records the end before
    /// it releases the lock. So a campaign that is in this list, and has no end when it is read afterwards, was
    /// interrupted.
    fn dead(&self) -> Result<Vec<i64>, StoreError> {
        let mut dead = without_end(self.database.reader())?;
        dead.retain(|id| !is_held(&self.lock_path(*id)));
        Ok(dead)
    }

    /// The campaigns that are running.
    pub(super) fn running(&self) -> Result<Vec<i64>, StoreError> {
        let mut running = without_end(self.database.reader())?;
        running.retain(|id| self.is_running(*id));
        Ok(running)
    }

    /// Calls `read` within one transaction, with the campaigns that were interrupted before.
    pub(super) fn at_one_moment<T>(
        &self,
        read: impl FnOnce(&[i64]) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let dead = self.dead()?;
        self.database.at_one_moment(|| read(&dead))
    }

    fn mark_interrupted(&mut self) -> Result<(), StoreError> {
        if self.dead()?.is_empty() {
            return Ok(());
        }
        let root = self.root.clone();
        self.database.write(|transaction| {
            for id in without_end(transaction)? {
                let path = lock_path(&root, id);
                if !is_held(&path) {
                    transaction
                        .execute("UPDATE campaigns SET end = ?2 WHERE id = ?1", params![id, INTERRUPTED])?;
                    // Locks are only taken by the current writer, so nobody can have taken this one meanwhile.
                    remove_lock(&path);
                }
            }
            Ok(())
        })
    }

    /// Records the beginning of a campaign.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be written.
    pub fn begin_campaign(&mut self, new: &NewCampaign<'_>) -> Result<RunningCampaign, StoreError> {
        let root = self.root.clone();
        self.database.write(|transaction| {
            transaction.execute(
                // What happens on a real device happens once: no other campaign has the same origin.
                "INSERT INTO campaigns (app, build, engine, seed, plan, origin, began, last)
                 VALUES (?1, ?2, ?3, ?4, ?5, coalesce(?6, lower(hex(randomblob(16)))), ?7, ?7)",
                params![
                    new.app,
                    new.build,
                    new.engine,
                    new.seed.cast_signed(),
                    new.plan,
                    new.origin(),
                    new.began
                ],
            )?;
            let id = transaction.last_insert_rowid();
            // The lock is taken before any other program can see the campaign.
            RunningCampaign::lock(id, lock_path(&root, id))?.ok_or_else(|| still_running(id))
        })
    }

    /// Takes the lock of an interrupted campaign, which is then running again.
    pub(super) fn take_up(&mut self, id: i64) -> Result<RunningCampaign, StoreError> {
        let root = self.root.clone();
        self.database.write(|transaction| {
            let end: Option<Option<String>> = transaction
                .query_row("SELECT end FROM campaigns WHERE id = ?1", [id], |row| row.get(0))
                .optional()?;
            match end.ok_or_else(|| missing(id, &root))? {
                Some(how) if how != INTERRUPTED => return Err(StoreError::NotInterrupted { id, how }),
                Some(_) | None => {}
            }
            let running =
                RunningCampaign::lock(id, lock_path(&root, id))?.ok_or_else(|| still_running(id))?;
            transaction.execute("UPDATE campaigns SET end = NULL WHERE id = ?1", [id])?;
            Ok(running)
        })
    }

    /// Stores a coverage sample of a campaign, taken at this time in seconds since 1970.
    pub fn add_sample(
        &mut self,
        campaign: &RunningCampaign,
        sample: CoverageSample,
        at: i64,
    ) -> Result<(), StoreError> {
        self.database.write(|transaction| {
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
                "UPDATE campaigns SET last = ?2, (events, tests) = (SELECT total(events), total(tests) FROM
                   (SELECT max(events) AS events, max(tests) AS tests FROM coverage WHERE campaign = ?1 GROUP BY run))
                 WHERE id = ?1",
                [campaign.id, at],
            )?;
            Ok(())
        })
    }

    /// Records the end of a campaign. It cannot be resumed any more, so its checkpoints are deleted.
    pub fn end_campaign(
        &mut self,
        campaign: RunningCampaign,
        end: &CampaignEnd<'_>,
    ) -> Result<(), StoreError> {
        self.database.write(|transaction| {
            transaction.execute("DELETE FROM checkpoints WHERE campaign = ?1", [campaign.id])?;
            // What was seen again after a finding was written.
            transaction.execute(
                "UPDATE findings SET count = max(count, coalesce((SELECT json_extract(value, '$.count')
                   FROM json_each(CASE WHEN json_valid(?2) THEN ?2 ELSE '{}' END, '$.findings')
                   WHERE json_extract(value, '$.id') = findings.name), 0)) WHERE campaign = ?1",
                params![campaign.id, end.summary],
            )?;
            transaction.execute(
                "UPDATE campaigns SET end = ?2, end_detail = ?3, fingerprint = ?4, events = ?5, tests = ?6,
                 summary = ?7, last = ?8 WHERE id = ?1",
                params![
                    campaign.id,
                    end.end,
                    end.detail,
                    end.fingerprint,
                    end.events.cast_signed(),
                    end.tests.cast_signed(),
                    end.summary,
                    end.at
                ],
            )?;
            Ok(())
        })?;
        let RunningCampaign { lock, lock_path, .. } = campaign;
        drop(lock);
        remove_lock(&lock_path);
        Ok(())
    }

    /// All campaigns, the newest first.
    pub fn campaigns(&self) -> Result<Vec<CampaignRow>, StoreError> {
        let dead = self.dead()?;
        let query = format!("{CAMPAIGN} ORDER BY id DESC");
        let mut statement = self.database.reader().prepare(&query)?;
        let rows = statement.query_map([], |row| campaign_row(row, &dead))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The campaign with this number.
    ///
    /// # Errors
    ///
    /// [`StoreError::Missing`] if there is no such campaign.
    pub fn campaign(&self, id: i64) -> Result<CampaignRow, StoreError> {
        self.campaign_of(id, &self.dead()?)
    }

    /// The campaign with this number, given the campaigns that were interrupted before.
    pub(super) fn campaign_of(&self, id: i64, dead: &[i64]) -> Result<CampaignRow, StoreError> {
        let row = self
            .database
            .reader()
            .query_row(&format!("{CAMPAIGN} WHERE id = ?1"), [id], |row| campaign_row(row, dead))
            .optional()?;
        row.ok_or_else(|| missing(id, &self.root))
    }

    /// Whether the campaign's lock is held; for tests and for lists.
    pub fn is_running(&self, campaign: i64) -> bool {
        is_held(&self.lock_path(campaign))
    }
}

fn lock_path(root: &Path, campaign: i64) -> PathBuf {
    root.join(format!("campaign-{campaign}.lock"))
}

pub(super) fn missing(campaign: i64, root: &Path) -> StoreError {
    StoreError::Missing { what: format!("campaign {campaign} in {}", root.display()) }
}

fn still_running(campaign: i64) -> StoreError {
    StoreError::NotInterrupted { id: campaign, how: "still running".to_owned() }
}

fn without_end(connection: &Connection) -> Result<Vec<i64>, StoreError> {
    let mut statement = connection.prepare("SELECT id FROM campaigns WHERE end IS NULL ORDER BY id")?;
    let ids = statement.query_map([], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

fn campaign_row(row: &rusqlite::Row<'_>, dead: &[i64]) -> rusqlite::Result<CampaignRow> {
    let id = row.get(0)?;
    let interrupted = || dead.contains(&id).then(|| INTERRUPTED.to_owned());
    Ok(CampaignRow {
        id,
        app: row.get(1)?,
        build: row.get(2)?,
        engine: row.get(3)?,
        seed: row.get::<_, i64>(4)?.cast_unsigned(),
        events: row.get::<_, i64>(5)?.cast_unsigned(),
        findings: row.get::<_, i64>(6)?.cast_unsigned(),
        end: row.get::<_, Option<String>>(7)?.or_else(interrupted),
        began: row.get(8)?,
        length: row.get::<_, Option<i64>>(9)?.map(|length| length.max(0).cast_unsigned()),
    })
}

fn remove_lock(path: &Path) {
    // A remaining lock file does no harm, since nobody holds it.
    if let Err(error) = std::fs::remove_file(path) {
        tracing::debug!(?path, %error, "a lock file stays");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: NewCampaign<'_> = NewCampaign {
        app: "org.ex",
        build: "faulty",
        engine: "pbfdroid",
        seed: u64::MAX,
        plan: "{}",
        repeatable: true,
        began: 1,
    };

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
    fn a_database_of_another_version_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        drop(Workspace::open(folder.path()).unwrap());
        let path = folder.path().join(DATABASE);
        let refused = |change: &str| {
            Connection::open(&path).unwrap().execute_batch(change).unwrap();
            let before = std::fs::read(&path).unwrap();
            let errors = [Workspace::open(folder.path()), Workspace::open_to_read(folder.path())];
            assert_eq!(std::fs::read(&path).unwrap(), before);
            errors.map(|opened| opened.err().unwrap())
        };
        for error in refused("PRAGMA user_version = 99") {
            assert!(matches!(error, StoreError::Version { found: 99, .. }), "{error}");
        }
        // Versions were counted from 1 before the first release, too.
        for version in [1, 9] {
            for error in refused(&format!("PRAGMA application_id = 0; PRAGMA user_version = {version}")) {
                assert!(matches!(error, StoreError::Earlier { .. }), "{error}");
                assert!(error.to_string().contains("taproof spec recover"), "{error}");
                assert!(error.is_about_what_was_given());
            }
        }
        for error in refused("PRAGMA application_id = 7") {
            assert!(matches!(error, StoreError::NotOurs { .. }), "{error}");
        }
    }
}
