//! The cells of the database whose text or bytes this program parses, by column, for the fuzz targets: a database may be
//! damaged or written by another program.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::Value;

/// Tables and columns whose content is parsed.
const CELLS: [(&str, &str); 16] = [
    ("campaigns", "plan"),
    ("campaigns", "summary"),
    ("campaigns", "engine"),
    ("campaigns", "end"),
    ("campaigns", "app"),
    ("findings", "detail"),
    ("findings", "attributed_bugs"),
    ("findings", "engine"),
    ("findings", "name"),
    ("steps", "event"),
    ("steps", "role"),
    ("steps", "health"),
    ("layouts", "xml"),
    ("layouts", "activity"),
    ("pictures", "png"),
    ("checkpoints", "state"),
];

/// The database, beside the program that is tested.
pub(super) struct Cells(Connection);

impl Cells {
    /// Opens the database with this path.
    pub fn open(path: &Path) -> rusqlite::Result<Cells> {
        Connection::open(path).map(Cells)
    }

    /// The content of each of these columns, in the first row in which it is not null.
    pub fn contents(&self) -> rusqlite::Result<Vec<Vec<u8>>> {
        let mut cells = Vec::new();
        for (table, column) in CELLS {
            let query = format!("SELECT {column} FROM {table} WHERE {column} IS NOT NULL");
            let mut statement = self.0.prepare(&query)?;
            let found = statement.query_map([], |row| row.get::<_, Value>(0))?.next().transpose()?;
            cells.push(match found {
                Some(Value::Text(text)) => text.into_bytes(),
                Some(Value::Blob(bytes)) => bytes,
                Some(Value::Null | Value::Integer(_) | Value::Real(_)) | None => Vec::new(),
            });
        }
        Ok(cells)
    }

    /// Calls `work` while one of these columns, by its number, has other content in all rows, and restores it
    /// afterwards. The bytes are stored as text if they are valid UTF-8 and the column holds text. Nothing is changed
    /// if the column does not accept the value, for instance because a name would not be unique.
    pub fn changed(&mut self, cell: usize, bytes: &[u8], work: impl FnOnce()) -> rusqlite::Result<()> {
        let Some((table, column)) = CELLS.get(cell % CELLS.len()) else { return Ok(()) };
        let value = match std::str::from_utf8(bytes) {
            Ok(text) if *column != "png" && *column != "state" => Value::Text(text.to_owned()),
            Ok(_) | Err(_) => Value::Blob(bytes.to_vec()),
        };
        let keys = self.keys_of(table)?;
        let same: Vec<String> = keys.iter().map(|key| format!("kept.{key} IS {table}.{key}")).collect();
        self.0.execute_batch(&format!("CREATE TEMP TABLE kept AS SELECT * FROM {table}"))?;
        if self.0.execute(&format!("UPDATE {table} SET {column} = ?1"), [value]).is_ok() {
            work();
            let before = format!("(SELECT kept.{column} FROM temp.kept WHERE {})", same.join(" AND "));
            self.0.execute(&format!("UPDATE {table} SET {column} = {before}"), [])?;
        }
        self.0.execute_batch("DROP TABLE temp.kept")
    }

    /// The primary key columns of a table.
    fn keys_of(&self, table: &str) -> rusqlite::Result<Vec<String>> {
        let query = "SELECT name FROM pragma_table_info(?1) WHERE pk > 0";
        let mut statement = self.0.prepare(query)?;
        let names = statement.query_map([table], |row| row.get(0))?;
        names.collect()
    }
}
