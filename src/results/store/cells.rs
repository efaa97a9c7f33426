//! What the database keeps as text or bytes that this program reads again, column by column, for `fuzz_targets`: a
//! database may have been damaged, or written by another program.

use rusqlite::types::Value;

use super::{StoreError, Workspace};

/// Tables and columns that hold what is parsed.
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

impl Workspace {
    /// How many such columns there are.
    #[doc(hidden)]
    pub const CELLS: usize = CELLS.len();

    /// What stands in each of these columns, in the first row that has something there.
    #[doc(hidden)]
    pub fn cells(&self) -> Result<Vec<Vec<u8>>, StoreError> {
        let mut cells = Vec::new();
        for (table, column) in CELLS {
            let query = format!("SELECT {column} FROM {table} WHERE {column} IS NOT NULL");
            let mut statement = self.database.reader().prepare(&query)?;
            let found = statement.query_map([], |row| row.get::<_, Value>(0))?.next().transpose()?;
            cells.push(match found {
                Some(Value::Text(text)) => text.into_bytes(),
                Some(Value::Blob(bytes)) => bytes,
                Some(Value::Null | Value::Integer(_) | Value::Real(_)) | None => Vec::new(),
            });
        }
        Ok(cells)
    }

    /// Does something with a database in which one of these columns holds something else in all rows; then it is as it
    /// was. What is no text stays bytes. A value that the column cannot take, such as a name that is there twice, changes
    /// nothing.
    #[doc(hidden)]
    pub fn with_cell(
        &mut self,
        cell: usize,
        bytes: &[u8],
        work: impl FnOnce(&mut Workspace),
    ) -> Result<(), StoreError> {
        let Some((table, column)) = CELLS.get(cell) else { return Ok(()) };
        let value = match std::str::from_utf8(bytes) {
            Ok(text) if *column != "png" && *column != "state" => Value::Text(text.to_owned()),
            Ok(_) | Err(_) => Value::Blob(bytes.to_vec()),
        };
        let keys = self.keys_of(table)?;
        let same: Vec<String> = keys.iter().map(|key| format!("kept.{key} IS {table}.{key}")).collect();
        let changed = self.database.write(|transaction| {
            transaction.execute_batch(&format!("CREATE TEMP TABLE kept AS SELECT * FROM {table}"))?;
            transaction.execute(&format!("UPDATE {table} SET {column} = ?1"), [value])?;
            Ok(())
        });
        if changed.is_err() {
            return Ok(());
        }
        work(self);
        let before = format!("(SELECT kept.{column} FROM temp.kept WHERE {})", same.join(" AND "));
        self.database.write(|transaction| {
            transaction.execute(&format!("UPDATE {table} SET {column} = {before}"), [])?;
            Ok(transaction.execute_batch("DROP TABLE temp.kept")?)
        })
    }

    /// The columns by which a table tells its rows apart.
    fn keys_of(&self, table: &str) -> Result<Vec<String>, StoreError> {
        let query = "SELECT name FROM pragma_table_info(?1) WHERE pk > 0";
        let mut statement = self.database.reader().prepare(query)?;
        let names = statement.query_map([table], |row| row.get(0))?;
        Ok(names.collect::<Result<_, _>>()?)
    }
}
