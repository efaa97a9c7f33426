//! The results of a folder as tables, for whoever analyses them: each as a CSV file and as JSON Lines.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::types::ValueRef;
use serde_json::{Map, Value};

use super::{StoreError, Workspace};
use crate::store::files::Replacing;

/// A table, and the query whose columns it has, in this order.
struct Table {
    name: &'static str,
    query: &'static str,
    /// Whether its rows are findings, of which it is said which of them show the same bug.
    of_findings: bool,
}

/// The tables. `run` is the place of an engine among those of its campaign, from 0.
const TABLES: [Table; 4] = [
    Table {
        name: "campaigns",
        query: "SELECT id AS campaign, app, build, engine, seed, events, tests, end, end_detail, summary FROM campaigns \
                ORDER BY id",
        of_findings: false,
    },
    Table {
        name: "coverage",
        query: "SELECT campaign, run, events, millis, tests, states, transitions, activities, code, findings FROM \
                coverage ORDER BY campaign, run, events",
        of_findings: false,
    },
    Table {
        name: "findings",
        query: "SELECT campaign, name AS finding, engine AS run, oracle, title, dmf, first_event, count, steps, \
                minimal_steps, hits, tries, class, finished, attributed_bugs FROM findings ORDER BY id",
        of_findings: true,
    },
    Table {
        name: "steps",
        query: "SELECT findings.campaign, findings.name AS finding, trace, step, event, role, health, at_millis, \
                layouts.activity, layout, picture FROM steps JOIN findings ON findings.id = steps.finding JOIN layouts ON \
                layouts.id = steps.layout ORDER BY findings.id, trace, step",
        of_findings: false,
    },
];

/// The columns that hold JSON.
const JSON: [&str; 3] = ["summary", "attributed_bugs", "event"];

impl Workspace {
    /// Writes each table to a CSV file and a file of JSON Lines in a folder, which is created if it does not exist, and
    /// returns the paths. Files of earlier calls are replaced. `bug` and `bug_title` tell which findings show the same
    /// bug; they are empty where a finding is too unsure for a card.
    ///
    /// In CSV, a text that a spreadsheet would take for a formula begins with an apostrophe.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read or a file cannot be written.
    pub fn write_tables(&self, folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
        let cannot = |error| StoreError::Write { path: folder.display().to_string(), error };
        std::fs::create_dir_all(folder).map_err(cannot)?;
        let mut written = Vec::new();
        for table in &TABLES {
            let paths = ["csv", "jsonl"].map(|kind| folder.join(table.name).with_extension(kind));
            let [mut csv, mut lines] = [Replacing::begin(&paths[0])?, Replacing::begin(&paths[1])?];
            self.write_table(table, &mut csv, &mut lines)?;
            csv.finish()?;
            lines.finish()?;
            written.extend(paths);
        }
        Ok(written)
    }

    fn write_table(
        &self,
        table: &Table,
        csv: &mut Replacing,
        lines: &mut Replacing,
    ) -> Result<(), StoreError> {
        let mut statement = self.database.reader().prepare(table.query)?;
        let stored: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let bug: &[&str] = if table.of_findings { &["bug", "bug_title"] } else { &[] };
        let columns: Vec<&str> = stored.iter().map(String::as_str).chain(bug.iter().copied()).collect();
        let names: Vec<Value> = columns.iter().map(|name| Value::from(*name)).collect();
        csv.write(csv_line(names.iter()).as_bytes())?;
        let mut bugs = (None, BTreeMap::new());
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let mut record = Map::new();
            for (place, name) in stored.iter().enumerate() {
                record.insert(name.clone(), value(row.get_ref(place)?, JSON.contains(&name.as_str())));
            }
            if table.of_findings {
                let campaign: i64 = row.get("campaign")?;
                if bugs.0 != Some(campaign) {
                    bugs = (Some(campaign), self.bugs_of(campaign)?);
                }
                let bug = bugs.1.get(&row.get::<_, String>("finding")?);
                record.insert("bug".to_owned(), bug.map(|bug| bug.shown.as_str()).into());
                record.insert("bug_title".to_owned(), bug.map(|bug| bug.title.as_str()).into());
            }
            csv.write(csv_line(columns.iter().filter_map(|name| record.get(*name))).as_bytes())?;
            lines.write(format!("{}\n", Value::Object(record)).as_bytes())?;
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
fn csv_line<'v>(values: impl Iterator<Item = &'v Value>) -> String {
    let cell = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => quoted(text),
        Value::Array(_) | Value::Object(_) => quoted(&value.to_string()),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    };
    values.map(cell).collect::<Vec<_>>().join(",") + "\r\n"
}

fn quoted(text: &str) -> String {
    // Apps choose what their widgets say, and a spreadsheet executes formulas.
    let apostrophe = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    let text = format!("{apostrophe}{text}");
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_no_formula_is_executed() {
        let line = |cells: &[&str]| {
            let cells: Vec<Value> = cells.iter().map(|cell| Value::from(*cell)).collect();
            csv_line(cells.iter())
        };
        assert_eq!(line(&["a", "b c", ""]), "a,b c,\r\n");
        assert_eq!(line(&["say \"a\"", "1,2", "two\nlines"]), "\"say \"\"a\"\"\",\"1,2\",\"two\nlines\"\r\n");
        assert_eq!(line(&["=HYPERLINK(\"x\")", "@a", "-1"]), "\"'=HYPERLINK(\"\"x\"\")\",'@a,'-1\r\n");
        let typed = [Value::Null, Value::from(-3), Value::from(vec!["b1"]), Value::from(true)];
        assert_eq!(csv_line(typed.iter()), ",-3,\"[\"\"b1\"\"]\",true\r\n");
    }

    #[test]
    fn json_stays_json_and_what_is_none_stays_text() {
        assert_eq!(value(ValueRef::Text(b"{\"a\":1}"), true), serde_json::json!({"a": 1}));
        assert_eq!(value(ValueRef::Text(b"{\"a\":"), true), Value::from("{\"a\":"));
        assert_eq!(value(ValueRef::Text(b"7"), false), Value::from("7"));
        assert_eq!(value(ValueRef::Null, true), Value::Null);
    }
}
