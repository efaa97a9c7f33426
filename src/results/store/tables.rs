//! The results of a folder as tables, for whoever analyses them: each as a CSV file and as JSON Lines.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use rusqlite::types::ValueRef;
use serde_json::{Map, Value};

use super::{StoreError, Workspace};

/// A table, and the query whose columns it has, in this order.
struct Table {
    name: &'static str,
    query: &'static str,
}

/// The tables. `run` is the place of an engine among those of its campaign, from 0.
const TABLES: [Table; 4] = [
    Table {
        name: "campaigns",
        query: "SELECT id AS campaign, app, build, engine, seed, events, tests, end, end_detail, summary FROM campaigns \
                ORDER BY id",
    },
    Table {
        name: "coverage",
        query: "SELECT campaign, run, events, millis, tests, states, transitions, activities, code, findings FROM \
                coverage ORDER BY campaign, run, events",
    },
    Table {
        name: "findings",
        query: "SELECT campaign, name AS finding, engine AS run, oracle, title, dmf, first_event, count, steps, \
                minimal_steps, hits, tries, finished, attributed_bugs FROM findings ORDER BY id",
    },
    Table {
        name: "steps",
        query: "SELECT findings.campaign, findings.name AS finding, trace, step, event, role, health, at_millis, \
                layouts.activity, layout, picture FROM steps JOIN findings ON findings.id = steps.finding JOIN layouts ON \
                layouts.id = steps.layout ORDER BY findings.id, trace, step",
    },
];

/// The columns that hold JSON.
const JSON: [&str; 3] = ["summary", "attributed_bugs", "event"];

impl Workspace {
    /// Writes each table to a CSV file and a file of JSON Lines in a folder, which is created if it does not exist, and
    /// calls `wrote` with the path of each. Files of earlier calls are replaced. `bug` and `bug_title` tell which
    /// findings show the same bug; they are empty where a finding is too unsure for a card.
    ///
    /// In CSV, a text that a spreadsheet would take for a formula begins with an apostrophe.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read or a file cannot be written.
    pub fn write_tables(&self, folder: &Path, mut wrote: impl FnMut(&Path)) -> Result<(), StoreError> {
        let cannot = |error| StoreError::Write { path: folder.display().to_string(), error };
        std::fs::create_dir_all(folder).map_err(cannot)?;
        for table in &TABLES {
            let mut files = [
                TableFile::create(folder, table.name, "csv")?,
                TableFile::create(folder, table.name, "jsonl")?,
            ];
            self.write_table(table, &mut files)?;
            for file in files {
                wrote(&file.finish()?);
            }
        }
        Ok(())
    }

    fn write_table(&self, table: &Table, [csv, lines]: &mut [TableFile; 2]) -> Result<(), StoreError> {
        let mut statement = self.database.reader().prepare(table.query)?;
        let mut columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let stored = columns.len();
        let shows_bugs = table.name == "findings";
        if shows_bugs {
            columns.extend(["bug", "bug_title"].map(str::to_owned));
        }
        csv.line(&csv_line(columns.iter().map(|name| Value::from(name.as_str()))))?;
        let mut bugs = None;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let mut record = Map::new();
            for (place, name) in columns.iter().enumerate().take(stored) {
                record.insert(name.clone(), value(row.get_ref(place)?, JSON.contains(&name.as_str())));
            }
            if shows_bugs {
                let campaign: i64 = row.get("campaign")?;
                let (_, known) = match bugs.take().filter(|(of, _)| *of == campaign) {
                    Some(known) => bugs.insert(known),
                    None => bugs.insert((campaign, self.bugs_of(campaign)?)),
                };
                let bug = known.get(&row.get::<_, String>("finding")?);
                record.insert("bug".to_owned(), bug.map(|bug| bug.shown.as_str()).into());
                record.insert("bug_title".to_owned(), bug.map(|bug| bug.title.as_str()).into());
            }
            csv.line(&csv_line(columns.iter().map(|name| record.get(name).cloned().unwrap_or_default())))?;
            lines.line(&Value::Object(record).to_string())?;
        }
        Ok(())
    }
}

/// What a column holds. Text that is no JSON, though the column should hold it, stays text.
fn value(stored: ValueRef<'_>, is_json: bool) -> Value {
    match stored {
        ValueRef::Null | ValueRef::Blob(_) => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) => {
            let parsed = is_json.then(|| serde_json::from_slice(text).ok()).flatten();
            parsed.unwrap_or_else(|| String::from_utf8_lossy(text).into_owned().into())
        }
    }
}

/// A line by RFC 4180. Missing values are empty.
fn csv_line(values: impl Iterator<Item = Value>) -> String {
    let cell = |value: Value| match value {
        Value::Null => String::new(),
        Value::String(text) => quoted(&text),
        Value::Array(_) | Value::Object(_) => quoted(&value.to_string()),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    };
    values.map(cell).collect::<Vec<_>>().join(",")
}

fn quoted(text: &str) -> String {
    // Apps choose what their widgets say, and a spreadsheet executes formulas.
    let apostrophe = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    let text = format!("{apostrophe}{text}");
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// A file that takes the place of an older one once it is whole.
struct TableFile {
    path: PathBuf,
    beside: PathBuf,
    file: BufWriter<File>,
}

impl TableFile {
    fn create(folder: &Path, table: &str, kind: &str) -> Result<TableFile, StoreError> {
        let path = folder.join(format!("{table}.{kind}"));
        let beside = folder.join(format!("{table}.{kind}.{}.new", std::process::id()));
        let file = File::create(&beside).map_err(|error| cannot_write(&path, error))?;
        Ok(TableFile { path, beside, file: BufWriter::new(file) })
    }

    fn line(&mut self, line: &str) -> Result<(), StoreError> {
        let end = if self.path.extension().is_some_and(|kind| kind == "csv") { "\r\n" } else { "\n" };
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.write_all(end.as_bytes()));
        written.map_err(|error| cannot_write(&self.path, error))
    }

    /// Returns the path.
    fn finish(mut self) -> Result<PathBuf, StoreError> {
        let mut whole = || -> io::Result<()> {
            self.file.flush()?;
            self.file.get_ref().sync_all()?;
            std::fs::rename(&self.beside, &self.path)
        };
        whole().map_err(|error| cannot_write(&self.path, error))?;
        Ok(self.path.clone())
    }
}

impl Drop for TableFile {
    /// Removes what is incomplete. Where it is in place, nothing is there any more.
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.beside));
    }
}

fn cannot_write(path: &Path, error: io::Error) -> StoreError {
    StoreError::Write { path: path.display().to_string(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_no_formula_is_executed() {
        let line = |cells: &[&str]| csv_line(cells.iter().map(|cell| Value::from(*cell)));
        assert_eq!(line(&["a", "b c", ""]), "a,b c,");
        assert_eq!(line(&["say \"a\"", "1,2", "two\nlines"]), "\"say \"\"a\"\"\",\"1,2\",\"two\nlines\"");
        assert_eq!(line(&["=HYPERLINK(\"x\")", "@a", "-1"]), "\"'=HYPERLINK(\"\"x\"\")\",'@a,'-1");
        let typed = [Value::Null, Value::from(-3), Value::from(vec!["b1"]), Value::from(true)];
        assert_eq!(csv_line(typed.into_iter()), ",-3,\"[\"\"b1\"\"]\",true");
    }

    #[test]
    fn json_stays_json_and_what_is_none_stays_text() {
        assert_eq!(value(ValueRef::Text(b"{\"a\":1}"), true), serde_json::json!({"a": 1}));
        assert_eq!(value(ValueRef::Text(b"{\"a\":"), true), Value::from("{\"a\":"));
        assert_eq!(value(ValueRef::Text(b"7"), false), Value::from("7"));
        assert_eq!(value(ValueRef::Null, true), Value::Null);
    }
}
