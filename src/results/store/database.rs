//! The connection to the results database: how it is opened, the only way to write to it, and how long other writers
//! are waited for.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use super::{StoreError, schema};

/// About as long as a commit takes.
const COMMIT: Duration = Duration::from_millis(5);
/// How long to wait for a database that another program is writing to. Eight campaigns that all store checkpoints of
/// many megabytes on a slow disk wait for seconds; a program that locks it for a minute hangs.
const BUSY_TIMEOUT: Duration = Duration::from_secs(60);

/// The results database.
///
/// A transaction that reads before it writes is rejected at once, whatever the busy timeout, if another program has
/// committed in between (`SQLITE_BUSY_SNAPSHOT`). So each writing transaction begins as the only writer, in
/// [`Database::write`], and SQLite rejects every writing statement outside of it.
pub(super) struct Database {
    connection: Connection,
    /// Locked as long as the file is read as one that nobody changes.
    _unchanged: Option<File>,
}

impl Database {
    /// Opens the file, and creates it if it does not exist. The caller must hold `lock` exclusively.
    pub(super) fn open(path: &Path) -> Result<Database, StoreError> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        schema::prepare(&connection, path)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(Database { connection, _unchanged: None })
    }

    /// Opens the file for reading, and creates no others next to it, since the folder may be read-only. Also returns
    /// whether the database is initialised.
    ///
    /// While a program writes, and after it was killed, the newest commits are in `results.sqlite-wal`, with their
    /// index in `results.sqlite-shm`. SQLite reads such a database only with both files, and would create them. If
    /// there is no `-wal` file, nobody has the database open, and all commits are in its main file. It is then read as
    /// a file that does not change (`immutable`), and the shared lock prevents others from opening it for writing.
    pub(super) fn open_to_read(path: &Path, lock: &Path) -> Result<(Database, bool), StoreError> {
        let database = Database::open_any_version(path, lock)?;
        let initialised = schema::is_initialised(&database.connection, path)?;
        Ok((database, initialised))
    }

    /// Opens the file for reading as [`Database::open_to_read`] does, whatever wrote it.
    pub(super) fn open_any_version(path: &Path, lock: &Path) -> Result<Database, StoreError> {
        // Some file systems have no locks: the database is read nevertheless.
        let lock = File::open(lock).ok().filter(|lock| lock.lock_shared().is_ok());
        let wal = beside(path, "-wal");
        let (connection, unchanged) = match wal.exists() {
            true => match connect_beside_writer(path) {
                // The program that had the database open has just closed it.
                Err(error) if cannot_open(&error) && !wal.exists() => (connect_unchanged(path)?, lock),
                Err(error) if cannot_open(&error) => return Err(incomplete(path, &error)),
                connected => (connected?, None),
            },
            false => (connect_unchanged(path)?, lock),
        };
        Ok(Database { connection, _unchanged: unchanged })
    }

    /// The connection, for reading only.
    pub(super) fn reader(&self) -> &Connection {
        &self.connection
    }

    /// Calls `read` within one transaction, so that it sees the same state whatever others commit meanwhile.
    pub(super) fn at_one_moment<T>(
        &self,
        read: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Deferred)?;
        let value = read()?;
        transaction.finish()?;
        Ok(value)
    }

    /// Calls `work` within a transaction, and commits it only if `work` succeeds. Waits for other writers, and fails
    /// after a minute.
    pub(super) fn write<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.connection.pragma_update(None, "query_only", false)?;
        let written = in_transaction(&mut self.connection, work);
        self.connection.pragma_update(None, "query_only", true)?;
        written
    }
}

fn in_transaction<T>(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
    let value = work(&transaction)?;
    transaction.commit()?;
    Ok(value)
}

fn connect_unchanged(path: &Path) -> rusqlite::Result<Connection> {
    connect_to_read(path, "mode=ro&immutable=1")
}

fn connect_to_read(path: &Path, how: &str) -> rusqlite::Result<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(format!("file:{}?{how}", uri_path(path)), flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // Files are only opened when they are first read.
    connection.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))?;
    Ok(connection)
}

/// Opens a database that another program may be writing. Who may not write cannot repair what looks broken, and while
/// the other program is in the middle of a commit it does, for a moment.
fn connect_beside_writer(path: &Path) -> rusqlite::Result<Connection> {
    const TRIES: usize = 20;
    let index = beside(path, "-shm");
    for _ in 1..TRIES {
        match connect_to_read(path, "mode=ro") {
            Err(error) if cannot_open(&error) && index.exists() => std::thread::sleep(COMMIT),
            ended => return ended,
        }
    }
    connect_to_read(path, "mode=ro")
}

/// A path in a URI, with bytes that could have a meaning there percent-encoded.
fn uri_path(path: &Path) -> String {
    let byte = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'-' => char::from(*byte).to_string(),
        byte => format!("%{byte:02x}"),
    };
    path.as_os_str().as_encoded_bytes().iter().map(byte).collect()
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

fn cannot_open(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

fn incomplete(path: &Path, error: &rusqlite::Error) -> StoreError {
    StoreError::Incomplete { path: path.display().to_string(), problem: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_writes_outside_of_a_write_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut database = Database::open(&folder.path().join("it")).unwrap();
        let mark = "INSERT INTO pictures (hash, png) VALUES (1, x'00')";
        let error = database.reader().execute(mark, []).unwrap_err().to_string();
        assert!(error.contains("readonly"), "{error}");
        database.write(|transaction| Ok(transaction.execute(mark, [])?)).unwrap();
        assert!(database.reader().execute(mark, []).is_err());
    }

    #[test]
    fn who_waits_in_vain_is_told_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it");
        let mut database = Database::open(&path).unwrap();
        database.connection.busy_timeout(Duration::from_millis(20)).unwrap();
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let error = database.write(|_| Ok(())).unwrap_err().to_string();
        assert!(error.contains("another program"), "{error}");
    }

    #[test]
    fn paths_stay_what_they_are_in_uris() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a b?mode=rw&c#d%20e'\u{e4}");
        drop(Database::open(&path).unwrap());
        assert!(connect_to_read(&path, "mode=ro").is_ok());
    }
}
