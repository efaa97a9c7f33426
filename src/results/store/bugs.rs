//! Which findings show the same bug, and what is to become of it: what a person has said of that, and the cards of each
//! campaign, for lists.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use rusqlite::{Transaction, params};

use super::{StoreError, Workspace};
use taproof_campaign::{Bug, BugClass, Correction, Corrections, Harm};

/// The bug that a finding shows, in a list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BugOf {
    /// Id of the finding of the campaign that shows the bug best.
    pub shown: String,
    /// The bug in one sentence.
    pub title: String,
    /// Whether it is a bug, a suspicion, or dismissed by a person.
    pub class: BugClass,
    /// How bad it is.
    pub harm: Harm,
}

impl Workspace {
    /// What a person has said of which findings in an app show the same bug, the earliest first.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn corrections(&self, app: &str) -> Result<Corrections, StoreError> {
        Ok(self.all_corrections()?.remove(app).unwrap_or_default())
    }

    /// As [`corrections`](Workspace::corrections), for each app that something was said of.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn all_corrections(&self) -> Result<BTreeMap<String, Corrections>, StoreError> {
        let query = "SELECT app, said FROM bug_corrections ORDER BY place, id";
        let mut statement = self.database.reader().prepare(query)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
        let mut all: BTreeMap<String, Corrections> = BTreeMap::new();
        for row in rows {
            let (app, said) = row?;
            all.entry(app).or_default().0.push(serde_json::from_str(&said)?);
        }
        Ok(all)
    }

    /// Stores what a person says of findings in an app, all of it or nothing.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be written.
    pub fn correct(&mut self, app: &str, said: &[Correction]) -> Result<(), StoreError> {
        let said: Vec<String> = said.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
        self.database.write(|transaction| {
            for said in &said {
                transaction.execute(
                    "INSERT INTO bug_corrections (app, said, place) VALUES (?1, ?2,
                       (SELECT coalesce(max(place), 0) + 1 FROM bug_corrections WHERE app = ?1))",
                    params![app, said],
                )?;
            }
            forget_cards_in(transaction, app)
        })
    }

    /// Takes back the latest of what was said of findings in an app that is so, and returns it. `None` if there is nothing.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be written.
    pub fn take_back(
        &mut self,
        app: &str,
        is_it: impl Fn(&Correction) -> bool,
    ) -> Result<Option<Correction>, StoreError> {
        self.database.write(|transaction| {
            let query = "SELECT id, said FROM bug_corrections WHERE app = ?1 ORDER BY place DESC, id DESC";
            let mut statement = transaction.prepare(query)?;
            let mut rows = statement.query([app])?;
            while let Some(row) = rows.next()? {
                let said: Correction = serde_json::from_str(&row.get::<_, String>(1)?)?;
                if is_it(&said) {
                    let id: i64 = row.get(0)?;
                    transaction.execute("DELETE FROM bug_corrections WHERE id = ?1", [id])?;
                    forget_cards_in(transaction, app)?;
                    return Ok(Some(said));
                }
            }
            Ok(None)
        })
    }

    /// The bug that each finding of a campaign is on the card of, by the finding's id. Findings that are too unsure for a
    /// card are left out.
    ///
    /// # Errors
    ///
    /// Fails if the findings cannot be read.
    pub fn bugs_of(&self, campaign: i64) -> Result<BTreeMap<String, BugOf>, StoreError> {
        Ok(match self.kept_cards(campaign)? {
            Some(kept) => kept,
            None => bugs_by_finding(&self.load_campaign(campaign)?.bugs()),
        })
    }

    /// Makes the cards of a campaign that has ended, and keeps them for [`bugs_of`](Workspace::bugs_of), unless that was
    /// done.
    ///
    /// # Errors
    ///
    /// Fails if the findings cannot be read, or the database cannot be written.
    pub fn keep_bugs_of(&mut self, campaign: i64) -> Result<(), StoreError> {
        if self.is_running(campaign) || self.kept_cards(campaign)?.is_some() {
            return Ok(());
        }
        let stored = self.load_campaign(campaign)?;
        let mut bugs = bugs_by_finding(&stored.bugs());
        self.database.write(|transaction| {
            forget_cards(transaction, campaign)?;
            let insert =
                "INSERT INTO cards (campaign, name, shown, title, class, harm) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            for finding in &stored.outcome.findings {
                let bug = bugs.remove(&finding.id);
                let (class, harm) = (bug.as_ref().map(|it| it.class.word()), bug.as_ref().map(|it| it.harm.words()));
                let (shown, title) = bug.map(|bug| (bug.shown, bug.title)).unzip();
                transaction.execute(insert, params![campaign, finding.id, shown, title, class, harm])?;
            }
            Ok(())
        })
    }

    /// The kept cards of a campaign. `None` if they were not made since its findings or corrections changed.
    fn kept_cards(&self, campaign: i64) -> Result<Option<BTreeMap<String, BugOf>>, StoreError> {
        let reader = self.database.reader();
        let complete: bool = reader.query_row(
            "SELECT (SELECT count(*) FROM findings WHERE campaign = ?1) = (SELECT count(*) FROM cards WHERE campaign = ?1)",
            [campaign],
            |row| row.get(0),
        )?;
        if !complete {
            return Ok(None);
        }
        let query =
            "SELECT name, shown, title, class, harm FROM cards WHERE campaign = ?1 AND shown IS NOT NULL";
        let mut statement = reader.prepare(query)?;
        let rows = statement.query_map([campaign], |row| {
            let class = BugClass::from_word(&row.get::<_, String>(3)?).unwrap_or(BugClass::Unsure);
            let harm = Harm::from_words(&row.get::<_, String>(4)?).unwrap_or(Harm::Odd);
            Ok((row.get(0)?, BugOf { shown: row.get(1)?, title: row.get(2)?, class, harm }))
        })?;
        Ok(Some(rows.collect::<Result<_, _>>()?))
    }
}

/// The bug that each finding shows, by the finding's id. Findings that are too unsure for a card are left out.
pub fn bugs_by_finding<B: Borrow<Bug>>(bugs: &[B]) -> BTreeMap<String, BugOf> {
    let sure = bugs.iter().map(B::borrow).filter(|bug| bug.class != BugClass::Unsure);
    let of = |bug: &Bug| BugOf {
        shown: bug.shown.id.clone(),
        title: bug.title.clone(),
        class: bug.class,
        harm: bug.harm,
    };
    sure.flat_map(|bug| bug.findings.iter().map(move |finding| (finding.id.clone(), of(bug)))).collect()
}

/// Drops the kept cards of a campaign, since its findings have changed.
pub(super) fn forget_cards(transaction: &Transaction<'_>, campaign: i64) -> Result<(), StoreError> {
    transaction.execute("DELETE FROM cards WHERE campaign = ?1", [campaign])?;
    Ok(())
}

fn forget_cards_in(transaction: &Transaction<'_>, app: &str) -> Result<(), StoreError> {
    let campaigns = "SELECT id FROM campaigns WHERE app = ?1";
    transaction.execute(&format!("DELETE FROM cards WHERE campaign IN ({campaigns})"), [app])?;
    Ok(())
}
