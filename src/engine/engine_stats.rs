//! What an engine tells of itself, in one shape for all engines: numbers, shares and tables. The window shows it while the
//! engine runs; commands print it at the end, and it is kept with the campaign.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use taproof_screen::{Layout, thousands};

/// Number of rows of a table that are printed: what was last or matters most comes first.
const PRINTED_ROWS: usize = 10;

/// Words of an engine, or those that were kept of it.
type Words = Cow<'static, str>;

/// What an engine tells of itself, for people.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EngineStats {
    /// The engine's current phase.
    pub phase: String,
    /// Numbers beside each other.
    pub numbers: Vec<Count>,
    /// How things are divided.
    pub shares: Vec<StatsShares>,
    /// What there are several of.
    pub tables: Vec<StatsTable>,
}

/// Shares of a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatsShares {
    /// The heading.
    pub title: Words,
    /// What is said beside the heading.
    pub note: String,
    /// The shares.
    pub shares: Vec<Count>,
    /// The whole.
    pub of: u64,
}

/// Rows of the same kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatsTable {
    /// The heading.
    pub title: Words,
    /// What is said beside the heading.
    pub note: Words,
    /// The columns.
    pub columns: Vec<Explained>,
    /// The rows.
    pub rows: Vec<StatsRow>,
    /// What is said in place of the table if there are no rows.
    pub empty: Explained,
}

/// A few words with an explanation, which may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explained {
    /// The words.
    pub title: Words,
    /// The explanation.
    pub tip: Words,
}

/// A number of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// What is counted.
    pub label: Words,
    /// The number.
    pub count: u64,
    /// An explanation, which may be empty.
    pub tip: Words,
}

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StatsRow {
    /// A text for each column.
    pub cells: Vec<String>,
    /// What the row means: bad (`Some(false)`), good (`Some(true)`), or neither.
    pub good: Option<bool>,
    /// The screen that the row is about, as long as the engine runs.
    #[serde(skip)]
    pub screen: Option<Arc<Layout>>,
}

impl Count {
    /// A number of something.
    pub fn new(label: &'static str, count: u64, tip: &'static str) -> Self {
        Count { label: label.into(), count, tip: tip.into() }
    }

    /// The number and how much of the whole it is, such as `45 (38 %)`.
    pub fn of_whole(&self, whole: u64) -> String {
        let part = if whole == 0 { 0.0 } else { self.count as f64 / whole as f64 };
        format!("{} ({:.0} %)", thousands(self.count), 100.0 * part)
    }
}

impl Explained {
    fn of((title, tip): (&'static str, &'static str)) -> Self {
        Explained { title: title.into(), tip: tip.into() }
    }
}

impl StatsRow {
    /// A row with a text for each column, which means nothing good or bad.
    pub fn of(cells: impl Into<Vec<String>>) -> Self {
        StatsRow { cells: cells.into(), ..StatsRow::default() }
    }
}

impl EngineStats {
    /// Whether it tells nothing but its phase.
    pub fn is_only_phase(&self) -> bool {
        self.numbers.is_empty() && self.shares.is_empty() && self.tables.is_empty()
    }

    /// What it tells as lines of text, without explanations, and of tables the first rows.
    pub fn lines(&self) -> Vec<String> {
        let count = |it: &Count| format!("{} {}", it.label, thousands(it.count));
        let joined = |words: Vec<String>| words.join(", ");
        let mut lines = vec![self.phase.clone(), joined(self.numbers.iter().map(count).collect())];
        for StatsShares { title, note, shares, of } in &self.shares {
            let share = |it: &Count| format!("{} {}", it.label, it.of_whole(*of));
            let shares = joined(shares.iter().map(share).collect());
            lines.push(format!("{title}: {}", if shares.is_empty() { note } else { &shares }));
        }
        for table in &self.tables {
            let note = if table.rows.is_empty() { &table.empty.title } else { &table.note };
            lines.push(format!("{} ({note})", table.title));
            lines.extend(table.lines());
        }
        lines.retain(|line| !line.is_empty());
        lines
    }
}

impl StatsTable {
    /// A table with a heading and what is said beside it, an explanation for each column, and what is said in its place if
    /// there are no rows.
    pub fn new<const N: usize>(
        (title, note): (&'static str, &'static str),
        columns: [(&'static str, &'static str); N],
        empty: (&'static str, &'static str),
        rows: Vec<StatsRow>,
    ) -> Self {
        let columns = columns.map(Explained::of).into();
        StatsTable { title: title.into(), note: note.into(), columns, rows, empty: Explained::of(empty) }
    }

    /// The titles and the first rows, each column as wide as its longest text.
    fn lines(&self) -> Vec<String> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let titles = self.columns.iter().map(|column| &*column.title).collect();
        let rows = self.rows.iter().map(|row| row.cells.iter().map(String::as_str).collect());
        let lines: Vec<Vec<&str>> = std::iter::once(titles).chain(rows.take(PRINTED_ROWS)).collect();
        let length =
            |line: &Vec<&str>, column: usize| line.get(column).map_or(0, |cell| cell.chars().count());
        let width = |column: usize| lines.iter().map(|line| length(line, column)).max().unwrap_or(0);
        let line = |line: &Vec<&str>| {
            let cells = line.iter().enumerate().map(|(column, cell)| format!("  {cell:0$}", width(column)));
            cells.collect::<String>().trim_end().to_owned()
        };
        let more = self.rows.len().saturating_sub(PRINTED_ROWS);
        lines.iter().map(line).chain((more > 0).then(|| format!("  and {more} more"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn what_an_engine_tells_is_printed_and_kept() {
        let table = |rows| {
            let columns = [("Event", ""), ("Times", "How often")];
            StatsTable::new(("Events", "the newest first"), columns, ("No event yet", "Wait."), rows)
        };
        let row = |event: &str, times: u32| StatsRow::of([event.to_owned(), times.to_string()]);
        let shown = StatsRow { screen: Some(Arc::new(layout_from("Button#go \"Go\"\n"))), ..row("tap", 2) };
        let shares = |shares, of| StatsShares { title: "Times".into(), note: "none".to_owned(), shares, of };
        let stats = EngineStats {
            phase: "exploring".to_owned(),
            numbers: vec![Count::new("states", 1200, "Of the app"), Count::new("tests", 3, "")],
            shares: vec![
                shares(vec![Count::new("taps", 1, ""), Count::new("keys", 2, "")], 3),
                shares(vec![], 0),
            ],
            tables: vec![table(vec![shown, row("rotate", 10)]), table(vec![row("back", 1); 12])],
        };
        let lines = [
            "exploring",
            "states 1,200, tests 3",
            "Times: taps 1 (33 %), keys 2 (67 %)",
            "Times: none",
            "Events (the newest first)",
            "  Event   Times",
            "  tap     2",
            "  rotate  10",
        ];
        assert_eq!(stats.lines()[..8], lines);
        assert_eq!(stats.lines()[8..].len(), 13);
        assert_eq!(stats.lines().last().unwrap(), "  and 2 more");
        let empty = EngineStats { tables: vec![table(Vec::new())], ..EngineStats::default() };
        assert_eq!(empty.lines(), ["Events (No event yet)"]);
        let kept: EngineStats = serde_json::from_str(&serde_json::to_string(&stats).unwrap()).unwrap();
        assert_eq!((kept.lines(), &kept.numbers), (stats.lines(), &stats.numbers));
        assert!(kept.tables[0].rows.iter().all(|row| row.screen.is_none()));
        assert!(EngineStats::default().lines().is_empty());
    }
}
