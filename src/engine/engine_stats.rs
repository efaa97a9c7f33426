//! What an engine tells of itself while it runs, in one shape for all engines: numbers, shares and tables.

use std::sync::Arc;

use super::fastbot2::RuleMatches;
use taproof_screen::Layout;

/// What an engine tells of itself, for people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineStats {
    /// The engine's current phase.
    pub phase: String,
    /// Number of pages on which each of the user's rules matched.
    pub rules: RuleMatches,
    /// What else it tells, from the top to the bottom. Empty if it tells nothing.
    pub parts: Vec<StatsPart>,
}

/// A part of what an engine tells of itself.
#[derive(Clone, Debug, PartialEq)]
pub enum StatsPart {
    /// Numbers beside each other.
    Numbers(Vec<Count>),
    /// Shares of a whole.
    Shares {
        /// The heading.
        title: &'static str,
        /// What is said beside the heading.
        note: String,
        /// The shares.
        shares: Vec<Count>,
        /// The whole.
        of: u64,
    },
    /// Rows of the same kind.
    Table {
        /// The heading.
        title: &'static str,
        /// What is said beside the heading.
        note: &'static str,
        /// The title of each column, with its explanation, which may be empty.
        columns: Vec<(&'static str, &'static str)>,
        /// The rows.
        rows: Vec<StatsRow>,
        /// What is said in place of the table if there are no rows: a few words, and a sentence.
        empty: (&'static str, &'static str),
    },
}

/// A number of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// What is counted.
    pub label: &'static str,
    /// The number.
    pub count: u64,
    /// An explanation, which may be empty.
    pub tip: &'static str,
}

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatsRow {
    /// A text for each column.
    pub cells: Vec<String>,
    /// What the row means: bad (`Some(false)`), good (`Some(true)`), or neither.
    pub good: Option<bool>,
    /// The screen that the row is about.
    pub screen: Option<Arc<Layout>>,
}

impl Count {
    /// A number of something.
    pub fn new(label: &'static str, count: u64, tip: &'static str) -> Self {
        Count { label, count, tip }
    }
}

impl StatsRow {
    /// A row with a text for each column, which means nothing good or bad.
    pub fn of(cells: impl Into<Vec<String>>) -> Self {
        StatsRow { cells: cells.into(), ..StatsRow::default() }
    }
}
