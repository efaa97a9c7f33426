//! Writes the rows of a merged workspace, in an order that follows from what they hold.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rusqlite::types::Value;
use rusqlite::{Connection, Transaction, params, params_from_iter};

use super::super::StoreError;
use super::super::findings::{save_layout_row, save_picture};
use super::copies::{Copy, Said, finding_content, statements};
use super::opened;

/// A table with rows of a campaign, and its columns beside the campaign's number.
type OfCampaign = (&'static str, &'static str);

const COVERAGE: OfCampaign =
    ("coverage", "run, events, millis, tests, states, transitions, activities, findings, code");
const EVENTS: OfCampaign = ("events", "run, first, block");
const CHECKPOINTS: OfCampaign = ("checkpoints", "run, events, state");
const SEEN: OfCampaign = ("seen", "name");
const CARDS: OfCampaign = ("cards", "name, shown, title, class, harm");

/// The columns of a finding beside its number and that of its campaign.
const FINDING: &str = "name, oracle, title, dmf, first_event, count, steps, minimal_steps, hits, tries, class, \
                       counts, attributed_bugs, detail, engine, finished, bug_key, environment";

/// Writes to the merged database.
pub(super) struct Rows<'t> {
    transaction: &'t Transaction<'t>,
    /// For each workspace the numbers that its layouts and pictures have here, by the number that they have there.
    met: Vec<Screens>,
    findings: i64,
}

#[derive(Clone, Default)]
struct Screens {
    layouts: BTreeMap<i64, i64>,
    pictures: BTreeMap<i64, i64>,
}

/// A finding in one of the copies of its campaign.
struct Found {
    copy: usize,
    id: i64,
    /// The event at which it was first seen, and the engine that saw it.
    seen: (i64, String),
    /// How much is known of it: whether it is finished, how often it was tried, and how often it was seen then.
    known: (bool, i64, i64),
}

/// A finding as it is known best.
struct Best {
    found: Found,
    /// The copies that know it like this.
    copies: BTreeSet<usize>,
}

impl<'t> Rows<'t> {
    pub(super) fn new(transaction: &'t Transaction<'t>, sources: usize) -> Self {
        Rows { transaction, met: vec![Screens::default(); sources], findings: 0 }
    }

    /// Writes what was said of findings. Where it contradicts itself, what was said later counts.
    pub(super) fn write_corrections(&self, said: &Said) -> Result<(), StoreError> {
        let mut in_order: Vec<_> = said.iter().map(|((app, said), place)| (app, place, said)).collect();
        in_order.sort();
        for (app, place, said) in in_order {
            self.transaction.execute(
                "INSERT INTO bug_corrections (app, said, place) VALUES (?1, ?2, ?3)",
                params![app, said, place],
            )?;
        }
        Ok(())
    }

    /// Writes a campaign with this number. Returns the numbers of its findings and of their steps.
    pub(super) fn write_campaign(
        &mut self,
        number: i64,
        sources: &[PathBuf],
        copies: &[Copy],
        said: &Said,
    ) -> Result<(usize, usize), StoreError> {
        let mut workspaces = Vec::new();
        for copy in copies {
            workspaces.push(opened(&sources[copy.source])?);
        }
        let readers: Vec<&Connection> = workspaces.iter().map(|it| it.database.reader()).collect();
        let (Some(copy), Some(reader)) = (copies.first(), readers.first()) else { return Ok((0, 0)) };
        self.write_head(number, reader, copy.id)?;
        for table in [COVERAGE, EVENTS, CHECKPOINTS] {
            self.write_table(table, number, reader, copy.id)?;
        }
        for (copy, reader) in copies.iter().zip(&readers) {
            self.write_table(SEEN, number, reader, copy.id)?;
        }
        let findings = findings(&readers, copies)?;
        let mut steps = 0;
        for Best { found, .. } in &findings {
            steps += self.write_finding(number, copies[found.copy].source, readers[found.copy], found.id)?;
        }
        // Cards follow from findings and from what was said of them.
        for (index, workspace) in workspaces.iter().enumerate() {
            if findings.iter().all(|best| best.copies.contains(&index)) && statements(workspace)? == *said {
                self.write_table(CARDS, number, readers[index], copies[index].id)?;
            }
        }
        Ok((findings.len(), steps))
    }

    fn write_head(&self, number: i64, reader: &Connection, id: i64) -> Result<(), StoreError> {
        let columns = "app, build, engine, seed, plan, fingerprint, events, tests, end_detail, summary, origin, began, last";
        // What is running goes on where it runs.
        let query = format!("SELECT {columns}, coalesce(end, 'interrupted') FROM campaigns WHERE id = ?1");
        let insert = format!("INSERT INTO campaigns (id, {columns}, end) VALUES (?1{})", marks(1, 14));
        copy_rows(reader, (&query, id), self.transaction, (&insert, &[number]))
    }

    fn write_table(
        &self,
        (table, columns): OfCampaign,
        number: i64,
        reader: &Connection,
        id: i64,
    ) -> Result<(), StoreError> {
        let count = columns.split(',').count();
        let query = format!("SELECT {columns} FROM {table} WHERE campaign = ?1 ORDER BY {columns}");
        let insert =
            format!("INSERT OR IGNORE INTO {table} (campaign, {columns}) VALUES (?1{})", marks(1, count));
        copy_rows(reader, (&query, id), self.transaction, (&insert, &[number]))
    }

    /// Writes a finding with its traces. Returns the number of steps.
    fn write_finding(
        &mut self,
        campaign: i64,
        source: usize,
        reader: &Connection,
        id: i64,
    ) -> Result<usize, StoreError> {
        self.findings += 1;
        let number = self.findings;
        let query = format!("SELECT {FINDING} FROM findings WHERE id = ?1");
        let insert =
            format!("INSERT INTO findings (id, campaign, {FINDING}) VALUES (?1, ?2{})", marks(2, 18));
        copy_rows(reader, (&query, id), self.transaction, (&insert, &[number, campaign]))?;
        let mut select = reader.prepare_cached(
            "SELECT trace, step, event, role, health, at_millis, layout, picture FROM steps WHERE finding = ?1
             ORDER BY trace, step",
        )?;
        let mut insert = self.transaction.prepare_cached(
            "INSERT INTO steps (finding, trace, step, event, role, health, at_millis, layout, picture)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?;
        let mut rows = select.query([id])?;
        let mut steps = 0;
        while let Some(row) = rows.next()? {
            let mut values = vec![Value::Integer(number)];
            for column in 0..6 {
                values.push(row.get(column)?);
            }
            let (id, met) = (row.get(6)?, &mut self.met[source]);
            let layout = numbered(&mut met.layouts, id, || copy_layout(self.transaction, reader, id))?;
            let picture = match row.get(7)? {
                Some(id) => Value::Integer(numbered(&mut met.pictures, id, || {
                    copy_picture(self.transaction, reader, id)
                })?),
                None => Value::Null,
            };
            values.extend([Value::Integer(layout), picture]);
            insert.execute(params_from_iter(values))?;
            steps += 1;
        }
        Ok(steps)
    }
}

/// The number that a row of a workspace has in the merged one, where it is saved when it is first met.
fn numbered(
    met: &mut BTreeMap<i64, i64>,
    id: i64,
    save: impl FnOnce() -> Result<i64, StoreError>,
) -> Result<i64, StoreError> {
    if let Some(known) = met.get(&id) {
        return Ok(*known);
    }
    let number = save()?;
    met.insert(id, number);
    Ok(number)
}

fn copy_layout(transaction: &Transaction<'_>, reader: &Connection, id: i64) -> Result<i64, StoreError> {
    let query = "SELECT hash, activity, width, height, xml FROM layouts WHERE id = ?1";
    let values: [Value; 5] = reader
        .prepare_cached(query)?
        .query_row([id], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?]))?;
    let [hash, activity, width, height, xml] = &values;
    save_layout_row(transaction, params![hash, activity, width, height, xml])
}

fn copy_picture(transaction: &Transaction<'_>, reader: &Connection, id: i64) -> Result<i64, StoreError> {
    let query = "SELECT png FROM pictures WHERE id = ?1";
    let png: Vec<u8> = reader.prepare_cached(query)?.query_row([id], |row| row.get(0))?;
    save_picture(transaction, &png)
}

/// The findings of a campaign, each as the copy has it that knows most of it, in the order in which they were found.
fn findings(readers: &[&Connection], copies: &[Copy]) -> Result<Vec<Best>, StoreError> {
    let mut by_name: BTreeMap<String, Vec<Found>> = BTreeMap::new();
    for (copy, (reader, place)) in readers.iter().zip(copies).enumerate() {
        let mut statement = reader.prepare_cached(
            "SELECT name, id, first_event, engine, finished, tries, hits FROM findings WHERE campaign = ?1",
        )?;
        let mut rows = statement.query([place.id])?;
        while let Some(row) = rows.next()? {
            let seen = (row.get(2)?, row.get(3)?);
            let known = (row.get(4)?, row.get(5)?, row.get(6)?);
            by_name.entry(row.get(0)?).or_default().push(Found { copy, id: row.get(1)?, seen, known });
        }
    }
    let mut findings = Vec::new();
    for (name, found) in by_name {
        findings.push((name, best(readers, found)?));
    }
    findings
        .sort_by(|(one, first), (other, second)| (&first.found.seen, one).cmp(&(&second.found.seen, other)));
    Ok(findings.into_iter().map(|(_, best)| best).collect())
}

/// The copy of a finding of which most is known.
fn best(readers: &[&Connection], mut found: Vec<Found>) -> Result<Best, StoreError> {
    let first = found.remove(0);
    let mut best = Best { copies: BTreeSet::from([first.copy]), found: first };
    for other in found {
        let content = |found: &Found| finding_content(readers[found.copy], found.id);
        let order = match other.known.cmp(&best.found.known) {
            Ordering::Equal => content(&other)?.cmp(&content(&best.found)?),
            order => order,
        };
        match order {
            Ordering::Less => {}
            Ordering::Equal => drop(best.copies.insert(other.copy)),
            Ordering::Greater => best = Best { copies: BTreeSet::from([other.copy]), found: other },
        }
    }
    Ok(best)
}

/// Copies the rows that a query finds. The statement that inserts a row takes these numbers in front of its values.
fn copy_rows(
    reader: &Connection,
    (query, id): (&str, i64),
    transaction: &Transaction<'_>,
    (insert, numbers): (&str, &[i64]),
) -> Result<(), StoreError> {
    let mut select = reader.prepare_cached(query)?;
    let columns = select.column_count();
    let mut insert = transaction.prepare_cached(insert)?;
    let mut rows = select.query([id])?;
    while let Some(row) = rows.next()? {
        let mut values: Vec<Value> = numbers.iter().copied().map(Value::Integer).collect();
        for column in 0..columns {
            values.push(row.get(column)?);
        }
        insert.execute(params_from_iter(values))?;
    }
    Ok(())
}

/// Marks of parameters for the values after the first so many.
fn marks(after: usize, count: usize) -> String {
    (after + 1..=after + count).map(|number| format!(", ?{number}")).collect()
}
