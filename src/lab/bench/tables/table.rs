//! The output of studies and of the bench: Markdown tables of numbers, and files that quote them.

use serde_json::{Value, json};

use taproof_screen::thousands;

/// A part of an answer.
pub enum Part {
    /// A paragraph of Markdown.
    Text(String),
    /// A table.
    Table(Table),
}

/// A table; every row has a cell for each column.
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

/// A column of a table: its name, and its cell in the row of an item.
pub(crate) type Column<T> = (&'static str, fn(&T) -> Cell);

/// The content of a cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A number, or the median or mean of several.
    Count(f64),
    /// The ratio of two numbers.
    Ratio(f64),
    /// The number of seeds that found something, the number of all seeds, and the median of the events that this took.
    Seeds {
        /// Seeds that found it.
        found: usize,
        /// All seeds.
        of: usize,
        /// The median of the events.
        median: Option<f64>,
    },
    /// An empty cell: there is no value.
    Nothing,
}

impl Part {
    /// The table, if it is one.
    pub fn table(&self) -> Option<&Table> {
        match self {
            Part::Text(_) => None,
            Part::Table(table) => Some(table),
        }
    }
}

impl Table {
    /// A table with these columns and no rows.
    pub fn new<S: Into<String>>(head: impl IntoIterator<Item = S>) -> Self {
        Table { head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// A table with a row for each item.
    pub(crate) fn of<'a, T: 'a>(items: impl IntoIterator<Item = &'a T>, columns: &[Column<T>]) -> Self {
        let row = |item| columns.iter().map(|(_, cell)| cell(item)).collect();
        let rows = items.into_iter().map(row).collect();
        Table { rows, ..Table::new(columns.iter().map(|(name, _)| *name)) }
    }

    /// Adds a row: the cell of the first column, and the others.
    pub fn row(&mut self, first: impl Into<String>, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(std::iter::once(Cell::Text(first.into())).chain(cells).collect());
    }

    /// The names of the columns.
    pub fn head(&self) -> &[String] {
        &self.head
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// A list of rows, each as an object by column names.
    pub fn to_json(&self) -> Value {
        let object = |row: &Vec<Cell>| -> Value {
            self.head.iter().cloned().zip(row.iter().map(Cell::to_json)).collect()
        };
        self.rows.iter().map(object).collect()
    }

    fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule = vec!["---".to_owned(); self.head.len()];
        let rows = self.rows.iter().map(|row| row.iter().map(Cell::words).collect::<Vec<_>>());
        let rows: String = rows.map(|row| line(&row)).collect();
        format!("{}{}{rows}", line(&self.head), line(&rule)).trim_end().to_owned()
    }
}

impl Cell {
    /// The ratio of two numbers as a cell; empty if the second is zero.
    pub fn ratio(of: f64, to: f64) -> Cell {
        if to > 0.0 { Cell::Ratio(of / to) } else { Cell::Nothing }
    }

    /// A number of things.
    pub(crate) fn number(count: usize) -> Cell {
        Cell::Count(count as f64)
    }

    /// The content as text.
    pub fn words(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count_words(*count),
            Cell::Ratio(ratio) => format!("{ratio:.2}"),
            Cell::Seeds { found, of, median: Some(median) } => {
                format!("{found}/{of}, {}", count_words(*median))
            }
            Cell::Seeds { .. } | Cell::Nothing => "–".to_owned(),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            Cell::Count(number) | Cell::Ratio(number) => json!(number),
            Cell::Seeds { found, of, median } => json!({ "found": found, "of": of, "median": median }),
            Cell::Nothing => Value::Null,
        }
    }
}

/// The number as text, with one decimal unless it is an integer.
fn count_words(count: f64) -> String {
    let tenths = (count * 10.0).round() as u64;
    match tenths % 10 {
        0 => thousands(tenths / 10),
        tenth => format!("{}.{tenth}", thousands(tenths / 10)),
    }
}

/// The parts as Markdown, one below the other.
pub fn markdown(parts: &[Part]) -> String {
    let text = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Table(table) => table.markdown(),
    };
    parts.iter().map(text).collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_markdown_for_people_and_json_for_scripts() {
        let mut table = Table::new(["app", "events", "of"]);
        table.row("Files", [Cell::Count(1234.5), Cell::ratio(1.0, 4.0)]);
        table.row("Notes", [Cell::Seeds { found: 2, of: 5, median: Some(7.0) }, Cell::ratio(1.0, 0.0)]);
        assert_eq!(
            table.markdown(),
            "| app | events | of |\n| --- | --- | --- |\n| Files | 1,234.5 | 0.25 |\n| Notes | 2/5, 7 | – |"
        );
        let json = json!([
            { "app": "Files", "events": 1234.5, "of": 0.25 },
            { "app": "Notes", "events": { "found": 2, "of": 5, "median": 7.0 }, "of": null },
        ]);
        assert_eq!(table.to_json(), json);
    }
}
