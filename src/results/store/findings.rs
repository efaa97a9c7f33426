//! Findings in the database: each is written in one transaction.

use std::ops::ControlFlow;
use std::sync::Arc;

use rusqlite::{OptionalExtension, ToSql, Transaction, params};
use serde_json::Value;

use super::bugs::forget_cards;
use super::{CampaignRow, RunningCampaign, StoreError, StoredPlan, Workspace};
use crate::store::files::finding_json::Detail;
use taproof_campaign::{
    Attribution, BugClass, BugKey, Confirmation, Evidence, Finding, FindingState, Moment, Reference,
    title_words,
};
use taproof_engine::device::Environment;
use taproof_screen::determinism::hash_bytes;
use taproof_screen::format::{parse_hierarchy, write_hierarchy};
use taproof_screen::{DeviceInstant, DmfSpan, Frame, Layout, PxSize, Same, Step, Text, Trace};

/// The columns of a [`FindingRow`].
const LISTED: &str = "findings.id, campaign, name, oracle, title, minimal_steps, steps, hits, tries,
    attributed_bugs, app, build, findings.engine, seed,
    EXISTS (SELECT 1 FROM seen WHERE seen.campaign = findings.campaign AND seen.name = findings.name),
    first_event, finished, dmf, class, counts, bug_key, count, environment, began";

/// A finding in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingRow {
    /// Number of its row; accepted by `replay`.
    pub id: i64,
    /// Number of the campaign that found it.
    pub campaign: i64,
    /// Its id, unique within the campaign; accepted by `replay` as well.
    pub name: String,
    /// Name of the oracle that reported it.
    pub oracle: String,
    /// The violation in one sentence.
    pub title: String,
    /// Name of the function that is violated; `None` if it is no violation of a function.
    pub function: Option<String>,
    /// Number of events until it was first seen.
    pub first_event: u64,
    /// Number of steps of the minimal trace.
    pub minimal_steps: u64,
    /// Number of steps of the test in which it was seen.
    pub steps: u64,
    /// Number of re-executions that showed it, and number of re-executions.
    pub confirmed: (u32, u32),
    /// Whether it was confirmed and minimised as planned.
    pub finished: bool,
    /// What the bug that it shows is known by; `None` if that is damaged.
    pub bug_key: Option<BugKey>,
    /// How often its origin was violated.
    pub count: u64,
    /// The device and the version of the app that it was seen on; `None` if that is not known.
    pub environment: Option<Environment>,
    /// When its campaign began, in seconds since 1970; `None` if that is not known.
    pub began: Option<i64>,
    /// Whether it is a bug, by its evidence.
    pub class: BugClass,
    /// Whether it counts as a bug, see [`Finding::counts`].
    pub counts: bool,
    /// The bugs that it is attributed to.
    pub attribution: Attribution,
    /// Package name of the app.
    pub app: String,
    /// Where the app ran: the build on the bundled phone, or the serials of the devices.
    pub build: String,
    /// Name of the engine that found it.
    pub engine: String,
    /// The seed of the campaign.
    pub seed: u64,
    /// Whether a person has looked at it.
    pub seen: bool,
}

impl FindingRow {
    /// The title for a list that people read, as [`title_words`] makes it.
    pub fn title_words(&self) -> String {
        title_words(&self.title, self.function.as_deref())
    }

    /// How far it was investigated.
    pub fn state(&self) -> FindingState {
        let (hits, tries) = self.confirmed;
        let confirmation = Confirmation::of(hits, tries);
        FindingState { confirmation, steps: self.minimal_steps, finished: self.finished }
    }
}

/// Names of the engines that reported these findings, each once, in the order of the findings.
pub fn engines_of<'r>(rows: impl IntoIterator<Item = &'r FindingRow>) -> Vec<&'r str> {
    let mut engines: Vec<&str> = Vec::new();
    for row in rows {
        if !engines.contains(&row.engine.as_str()) {
            engines.push(&row.engine);
        }
    }
    engines
}

/// A stored finding, with the campaign that found it.
#[derive(Clone, Debug)]
pub struct StoredFinding {
    /// Number of its row.
    pub id: i64,
    /// The campaign that found it.
    pub campaign: CampaignRow,
    /// The plan of the campaign, with the files that it used.
    pub plan: StoredPlan,
    /// The finding with its traces and screenshots.
    pub finding: Finding,
}

impl Workspace {
    /// Commits a finding. Once this has returned, no kill can lose it. If the campaign has a finding with the same id, it
    /// is brought up to date, unless more is known of it: a campaign that is resumed sees again what it had seen. Returns
    /// the number of its row.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be written.
    pub fn save_finding(&mut self, campaign: &RunningCampaign, finding: &Finding) -> Result<i64, StoreError> {
        self.write_finding(campaign.id, finding)
    }

    /// As [`save_finding`](Workspace::save_finding), for a finding of a campaign that has ended.
    ///
    /// # Errors
    ///
    /// [`StoreError::Running`] if the campaign is running, or another error if the database cannot be written.
    pub fn update_finding(&mut self, campaign: i64, finding: &Finding) -> Result<i64, StoreError> {
        if self.is_running(campaign) {
            return Err(StoreError::Running { id: campaign });
        }
        self.write_finding(campaign, finding)
    }

    fn write_finding(&mut self, campaign: i64, finding: &Finding) -> Result<i64, StoreError> {
        let detail = serde_json::to_string(&Detail::of(finding))?;
        self.database.write(|transaction| {
            let known = known_row(transaction, campaign, finding)?;
            if let Some(known) = known.as_ref().filter(|known| known.more) {
                return Ok(known.id);
            }
            forget_cards(transaction, campaign)?;
            match known {
                None => insert_finding(transaction, campaign, finding, &detail),
                Some(known) => {
                    update_row(transaction, known.id, finding, &detail, !known.same_witness)?;
                    Ok(known.id)
                }
            }
        })
    }

    /// The findings of one campaign, or of all, in the order in which they were found.
    pub fn findings(&self, campaign: Option<i64>) -> Result<Vec<FindingRow>, StoreError> {
        let mut statement = self.database.reader().prepare(&format!(
            "SELECT {LISTED} FROM findings JOIN campaigns ON campaigns.id = findings.campaign
             WHERE ?1 IS NULL OR campaign = ?1 ORDER BY findings.id"
        ))?;
        let rows = statement.query_map([campaign], finding_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Records whether a person has looked at a finding.
    pub fn mark_seen(&mut self, campaign: i64, name: &str, seen: bool) -> Result<(), StoreError> {
        let statement = if seen {
            "INSERT OR IGNORE INTO seen (campaign, name) VALUES (?1, ?2)"
        } else {
            "DELETE FROM seen WHERE campaign = ?1 AND name = ?2"
        };
        self.database.write(|transaction| {
            transaction.execute(statement, params![campaign, name])?;
            Ok(())
        })
    }

    /// Reads a finding, given the number of its row or its id; of several with the same id, the newest.
    ///
    /// # Errors
    ///
    /// [`StoreError::Missing`] if there is no such finding, and [`StoreError::Damaged`] if it cannot be parsed.
    pub fn load_finding(&self, which: &str) -> Result<StoredFinding, StoreError> {
        let condition =
            "findings.id = CAST(?1 AS INTEGER) AND ?1 = CAST(CAST(?1 AS INTEGER) AS TEXT) OR name = ?1";
        let missing =
            || StoreError::Missing { what: format!("finding {which:?} in {}", self.root().display()) };
        self.at_one_moment(|dead| {
            let row = self.found_row(condition, params![which])?.ok_or_else(missing)?;
            self.read_finding(row, dead, &mut unheard)
        })
    }

    /// Reads the finding with this id of this campaign.
    ///
    /// # Errors
    ///
    /// As [`load_finding`](Workspace::load_finding).
    pub fn load_finding_of(&self, campaign: i64, name: &str) -> Result<StoredFinding, StoreError> {
        self.load_finding_hearing(campaign, name, &mut unheard)
    }

    /// As [`load_finding_of`](Workspace::load_finding_of). `hear` receives the number of steps that were read and of all
    /// steps, and may break the reading off.
    ///
    /// # Errors
    ///
    /// As [`load_finding`](Workspace::load_finding), and [`StoreError::Cancelled`] if it was broken off.
    pub fn load_finding_hearing(
        &self,
        campaign: i64,
        name: &str,
        hear: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    ) -> Result<StoredFinding, StoreError> {
        let what = || format!("finding {name:?} of campaign {campaign} in {}", self.root().display());
        self.at_one_moment(|dead| {
            let row = self.found_row("campaign = ?1 AND name = ?2", params![campaign, name])?;
            self.read_finding(row.ok_or_else(|| StoreError::Missing { what: what() })?, dead, hear)
        })
    }

    /// The findings of a campaign, in the order in which they were found.
    pub(super) fn load_findings(&self, campaign: i64, dead: &[i64]) -> Result<Vec<Arc<Finding>>, StoreError> {
        let listed = self.findings(Some(campaign))?;
        let rows =
            listed.iter().filter_map(|row| self.found_row("findings.id = ?1", params![row.id]).transpose());
        rows.map(|row| Ok(Arc::new(self.read_finding(row?, dead, &mut unheard)?.finding))).collect()
    }

    fn found_row(
        &self,
        condition: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<Option<FoundRow>, StoreError> {
        let query = format!(
            "SELECT {LISTED}, detail FROM findings JOIN campaigns ON campaigns.id = findings.campaign
             WHERE {condition} ORDER BY findings.id DESC LIMIT 1"
        );
        let found = |row: &rusqlite::Row<'_>| {
            Ok(FoundRow { listed: finding_row(row)?, detail: row.get(24)?, bugs: row.get(9)? })
        };
        Ok(self.database.reader().query_row(&query, values, found).optional()?)
    }

    fn read_finding(
        &self,
        FoundRow { listed: row, detail, bugs }: FoundRow,
        dead: &[i64],
        hear: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    ) -> Result<StoredFinding, StoreError> {
        let all = "SELECT count(*) FROM steps WHERE finding = ?1";
        let steps: u32 = self.database.reader().query_row(all, [row.id], |row| row.get(0))?;
        let mut done = 0;
        let mut next = || {
            done += 1;
            hear(done, steps as usize)
        };
        let campaign = self.campaign_of(row.campaign, dead)?;
        let plan = self.plan(row.campaign)?;
        let detail: Detail = serde_json::from_str(&detail)?;
        let engine = plan.plan.engine_named(&row.engine).map_or("", |engine| engine.name());
        let lost =
            |trace: &str| StoreError::Damaged { what: format!("finding {} has no {trace} trace", row.id) };
        let mut read = |trace: &'static str, spans: &[DmfSpan]| {
            let evidence = self.load_evidence((row.id, trace), spans.to_vec(), &mut next)?;
            Ok::<_, StoreError>((evidence, trace))
        };
        let needed = |(evidence, trace): (Option<Evidence>, &str)| evidence.ok_or_else(|| lost(trace));
        let witness = needed(read("witness", &detail.witness_spans)?)?;
        let minimal = match row.finished {
            true => Some(needed(read("minimal", &detail.minimal_spans)?)?),
            false => read("minimal", &detail.minimal_spans)?.0,
        };
        let data = detail.data;
        let reference = match detail.comparison {
            Some(rule) => Some(Reference { evidence: needed(read("reference", &[])?)?, rule }),
            None => None,
        };
        let finding = Finding {
            id: row.name.clone(),
            data,
            origin: detail.origin,
            violation: detail.violation,
            title: row.title.clone(),
            engine,
            seed: campaign.seed,
            first: Moment { event: row.first_event, device_time: detail.first_millis },
            count: row.count,
            minimal: minimal.unwrap_or_else(|| witness.clone()),
            witness,
            minimal_dmfs: detail.minimal_dmfs,
            confirmation: row.state().confirmation,
            support: detail.support,
            finished: row.finished,
            attribution: serde_json::from_str(&bugs)?,
            reference,
            environment: detail.environment.map(Arc::new),
        };
        Ok(StoredFinding { id: row.id, campaign, plan, finding })
    }

    /// Reads a trace of a finding with its screenshots; `None` if the finding has no such trace.
    fn load_evidence(
        &self,
        (finding, trace): (i64, &str),
        spans: Vec<DmfSpan>,
        next: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Option<Evidence>, StoreError> {
        let mut statement = self.database.reader().prepare(
            "SELECT steps.event, steps.role, steps.health, steps.at_millis, layouts.activity, layouts.width,
                    layouts.height, layouts.xml, pictures.png
             FROM steps JOIN layouts ON layouts.id = steps.layout
             LEFT JOIN pictures ON pictures.id = steps.picture
             WHERE steps.finding = ?1 AND steps.trace = ?2 ORDER BY steps.step",
        )?;
        let mut rows = statement.query(params![finding, trace])?;
        let (mut built, mut screenshots) = (None::<Trace>, Vec::new());
        while let Some(row) = rows.next()? {
            if next().is_break() {
                return Err(StoreError::Cancelled);
            }
            let xml: String = row.get(7)?;
            let parsed = parse_hierarchy(xml.as_bytes())
                .map_err(|error| StoreError::Damaged { what: error.to_string() })?;
            let screen = PxSize { width: row.get(5)?, height: row.get(6)? };
            let activity = Text::from(row.get::<_, String>(4)?);
            let after = Frame {
                layout: Arc::new(parsed.layout.with_activity(activity).with_screen(screen)),
                health: serde_json::from_str(&row.get::<_, String>(2)?)?,
                at: DeviceInstant(row.get::<_, i64>(3)?.cast_unsigned()),
            };
            screenshots.push(row.get::<_, Option<Vec<u8>>>(8)?.map(Arc::new));
            match (&mut built, row.get::<_, Option<String>>(0)?, row.get::<_, Option<String>>(1)?) {
                (None, _, _) => built = Some(Trace::start(after)),
                (Some(trace), Some(event), Some(role)) => {
                    let role = serde_json::from_value(Value::String(role))?;
                    trace.push(Step { event: serde_json::from_str(&event)?, role, after });
                }
                (Some(_), _, _) => {
                    return Err(StoreError::Damaged {
                        what: format!("finding {finding}: a step without event"),
                    });
                }
            }
        }
        Ok(built.map(|mut trace| {
            trace.spans = spans;
            Evidence { trace, screenshots }
        }))
    }
}

/// Nobody hears how far the reading of a finding has come.
fn unheard(_done: usize, _steps: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn finding_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<FindingRow> {
    // An unreadable list of bugs must not prevent listing the finding: loading it reports the problem.
    let (bugs, key): (String, String) = (row.get(9)?, row.get(20)?);
    let environment: Option<String> = row.get(22)?;
    Ok(FindingRow {
        id: row.get(0)?,
        campaign: row.get(1)?,
        name: row.get(2)?,
        oracle: row.get(3)?,
        title: row.get(4)?,
        minimal_steps: row.get::<_, i64>(5)?.cast_unsigned(),
        steps: row.get::<_, i64>(6)?.cast_unsigned(),
        confirmed: (row.get(7)?, row.get(8)?),
        finished: row.get(16)?,
        attribution: serde_json::from_str(&bugs).unwrap_or_default(),
        app: row.get(10)?,
        build: row.get(11)?,
        engine: row.get(12)?,
        seed: row.get::<_, i64>(13)?.cast_unsigned(),
        seen: row.get(14)?,
        first_event: row.get::<_, i64>(15)?.cast_unsigned(),
        function: row.get(17)?,
        class: BugClass::from_word(&row.get::<_, String>(18)?).unwrap_or(BugClass::Unsure),
        counts: row.get(19)?,
        bug_key: serde_json::from_str(&key).ok(),
        count: row.get::<_, i64>(21)?.cast_unsigned(),
        environment: environment.and_then(|environment| serde_json::from_str(&environment).ok()),
        began: row.get(23)?,
    })
}

/// A finding in a list, with what only its reader needs.
struct FoundRow {
    listed: FindingRow,
    detail: String,
    /// The bugs that it is attributed to, as they are stored.
    bugs: String,
}

/// A stored finding with the id of one that is to be stored.
struct KnownRow {
    id: i64,
    /// Whether more is known of the stored one: it is finished, or it was re-executed, while the other is not.
    more: bool,
    /// Whether both were seen at the same moment, and so in the same test.
    same_witness: bool,
}

fn known_row(
    transaction: &Transaction<'_>,
    campaign: i64,
    finding: &Finding,
) -> Result<Option<KnownRow>, StoreError> {
    let stage = (finding.finished, finding.confirmation.counts().1 > 0);
    let known = transaction
        .query_row(
            "SELECT id, finished, tries, first_event FROM findings WHERE campaign = ?1 AND name = ?2",
            params![campaign, finding.id],
            |row| {
                Ok(KnownRow {
                    id: row.get(0)?,
                    more: (row.get(1)?, row.get::<_, u32>(2)? > 0) > stage,
                    same_witness: row.get::<_, i64>(3)?.cast_unsigned() == finding.first.event,
                })
            },
        )
        .optional()?;
    Ok(known)
}

fn insert_finding(
    transaction: &Transaction<'_>,
    campaign: i64,
    finding: &Finding,
    detail: &str,
) -> Result<i64, StoreError> {
    transaction.execute(
        "INSERT INTO findings (campaign, name, oracle, title, dmf, first_event, count, steps, minimal_steps, hits,
         tries, class, counts, attributed_bugs, detail, engine, finished, bug_key)
         VALUES (?1, ?2, ?3, '', ?4, ?5, 0, 0, 0, 0, 0, '', 0, '', '', ?6, 0, ?7)",
        params![
            campaign,
            finding.id,
            finding.origin.oracle.name(),
            finding.function(),
            finding.first.event.cast_signed(),
            finding.engine,
            serde_json::to_string(&BugKey::of(finding))?
        ],
    )?;
    let id = transaction.last_insert_rowid();
    update_row(transaction, id, finding, detail, true)?;
    Ok(id)
}

/// Writes what may change while a finding is investigated; with its witness if it was seen in another test.
fn update_row(
    transaction: &Transaction<'_>,
    id: i64,
    finding: &Finding,
    detail: &str,
    with_witness: bool,
) -> Result<(), StoreError> {
    let (hits, tries) = finding.confirmation.counts();
    transaction.execute(
        "UPDATE findings SET title = ?2, first_event = ?3, count = ?4, steps = ?5, minimal_steps = ?6, hits = ?7,
         tries = ?8, attributed_bugs = ?9, detail = ?10, finished = ?11, class = ?12,
         counts = ?13, environment = ?14 WHERE id = ?1",
        params![
            id,
            finding.title,
            finding.first.event.cast_signed(),
            finding.count.cast_signed(),
            finding.witness.trace.len() as i64,
            finding.minimal.trace.len() as i64,
            hits,
            tries,
            serde_json::to_string(&finding.attribution)?,
            detail,
            finding.finished,
            finding.class().word(),
            finding.counts(),
            finding.environment.as_deref().map(serde_json::to_string).transpose()?
        ],
    )?;
    let kept = if with_witness { "" } else { "witness" };
    transaction.execute("DELETE FROM steps WHERE finding = ?1 AND trace != ?2", params![id, kept])?;
    if with_witness {
        save_evidence(transaction, id, "witness", &finding.witness)?;
    }
    if finding.finished || finding.minimal.trace != finding.witness.trace {
        save_evidence(transaction, id, "minimal", &finding.minimal)?;
    }
    if let Some(reference) = &finding.reference {
        save_evidence(transaction, id, "reference", &reference.evidence)?;
    }
    Ok(())
}

fn save_evidence(
    transaction: &Transaction<'_>,
    finding: i64,
    name: &str,
    evidence: &Evidence,
) -> Result<(), StoreError> {
    let trace = &evidence.trace;
    for step in 0..=trace.len() {
        let Some(frame) = trace.frame(step) else { break };
        let done = step.checked_sub(1).and_then(|index| trace.steps().get(index));
        let event = done.map(|done| serde_json::to_string(&done.event)).transpose()?;
        // A word, without the quotes of JSON.
        let role = done.map(|done| serde_json::to_value(done.role)).transpose()?;
        let role = role.as_ref().and_then(Value::as_str);
        let picture = match evidence.screenshots.get(step).and_then(Option::as_ref) {
            Some(png) => Some(save_picture(transaction, png)?),
            None => None,
        };
        transaction.execute(
            "INSERT INTO steps (finding, trace, step, event, role, health, at_millis, layout, picture)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                finding,
                name,
                step as i64,
                event,
                role,
                serde_json::to_string(&frame.health)?,
                frame.at.millis().cast_signed(),
                save_layout(transaction, &frame.layout)?,
                picture
            ],
        )?;
    }
    Ok(())
}

/// Number of the row of a layout; equal layouts share one.
fn save_layout(transaction: &Transaction<'_>, layout: &Layout) -> Result<i64, StoreError> {
    let hash = layout.key(Same::Exact).0.cast_signed();
    let (xml, screen) = (write_hierarchy(layout), layout.screen());
    save_layout_row(transaction, params![hash, &**layout.activity(), screen.width, screen.height, xml])
}

/// Number of the row with these values: hash, activity, width, height and XML; equal ones share one.
pub(super) fn save_layout_row(
    transaction: &Transaction<'_>,
    values: &[&dyn ToSql],
) -> Result<i64, StoreError> {
    let known = "SELECT id FROM layouts WHERE hash = ?1 AND activity = ?2 AND width = ?3 AND height = ?4 AND xml = ?5";
    let insert = "INSERT INTO layouts (hash, activity, width, height, xml) VALUES (?1, ?2, ?3, ?4, ?5)";
    shared_row(transaction, known, insert, values)
}

/// Number of the row of a picture; equal pictures share one.
pub(super) fn save_picture(transaction: &Transaction<'_>, png: &[u8]) -> Result<i64, StoreError> {
    let known = "SELECT id FROM pictures WHERE hash = ?1 AND png = ?2";
    let insert = "INSERT INTO pictures (hash, png) VALUES (?1, ?2)";
    shared_row(transaction, known, insert, params![hash_bytes(png).cast_signed(), png])
}

/// Number of the row that is `known` to have these values; it is inserted if there is none.
fn shared_row(
    transaction: &Transaction<'_>,
    known: &str,
    insert: &str,
    values: &[&dyn ToSql],
) -> Result<i64, StoreError> {
    let known = transaction.prepare_cached(known)?.query_row(values, |row| row.get(0)).optional()?;
    if let Some(id) = known {
        return Ok(id);
    }
    transaction.prepare_cached(insert)?.execute(values)?;
    Ok(transaction.last_insert_rowid())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bugs_that_cause_a_finding_and_bugs_that_may_are_told_apart() {
        let check = |stored: &str, words: &str| {
            let attribution: Attribution = serde_json::from_str(stored).unwrap();
            assert_eq!(attribution.words(), words);
            assert_eq!(serde_json::to_string(&attribution).unwrap(), stored);
        };
        check("[]", "");
        check(r#"["a"]"#, "a");
        check(r#"["a","b"]"#, "a and b");
        check(r#"[["a"],["b"]]"#, "a or b");
    }
}
