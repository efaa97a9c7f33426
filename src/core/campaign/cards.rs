//! Cards: what a tester reads after a night. One card for each bug, as far as that can be told without a catalogue.

use std::collections::BTreeSet;

use super::{Finding, FindingState, FindingVerdict, by_cause};
use crate::model::OracleKind;
use crate::oracle::preservation::{Aspect, Lost, Relation, Severity, lost_by_detour, relation_and_page};

/// A relation that is broken on so many pages is broken everywhere, which is one bug.
const EVERYWHERE: usize = 3;

/// How bad a bug is, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Harm {
    /// The app ends, or does not answer.
    Crash,
    /// What the app stores is changed.
    DataLost,
    /// What the user entered or chose is gone, or the app shows something wrong.
    StateLost,
}

impl Harm {
    /// The harm of this finding in the app with this package name.
    fn of(finding: &Finding, app: &str) -> Harm {
        match finding.origin.oracle {
            OracleKind::Crash | OracleKind::NotResponding | OracleKind::Loading => Harm::Crash,
            OracleKind::Property => Harm::DataLost,
            OracleKind::Preservation => match lost(finding, app) {
                Some(lost) if lost.worst() == Some(Severity::DataLost) => Harm::DataLost,
                Some(_) | None => Harm::StateLost,
            },
            OracleKind::Invariant | OracleKind::IndependentView | OracleKind::MayBelief => Harm::StateLost,
        }
    }

    /// The harm in a word or two.
    pub fn words(self) -> &'static str {
        match self {
            Harm::Crash => "crash",
            Harm::DataLost => "data lost",
            Harm::StateLost => "state lost",
        }
    }
}

/// What is most likely one bug.
#[derive(Clone, Debug)]
pub struct Card<'f> {
    /// The bug in one sentence.
    pub title: String,
    /// How bad it is.
    pub harm: Harm,
    /// The pages on which a relation is broken; empty for other oracles.
    pub pages: Vec<&'f str>,
    /// The relations that show it, the first is told; empty for other oracles.
    pub relations: Vec<&'static Relation>,
    /// The findings, the one with the shortest trace first.
    pub findings: Vec<&'f Finding>,
}

impl<'f> Card<'f> {
    /// The finding to look at.
    pub fn shown(&self) -> Option<&'f Finding> {
        self.findings.first().copied()
    }

    fn new(mut findings: Vec<&'f Finding>, app: &str) -> Card<'f> {
        findings.sort_by_key(|finding| {
            (Harm::of(finding, app), finding.minimal.trace.len(), finding.first.event)
        });
        let (mut pages, mut relations) = (Vec::new(), Vec::new());
        for (relation, page) in findings.iter().filter_map(|finding| kept(finding)) {
            if !pages.contains(&page) {
                pages.push(page);
            }
            if !relations.iter().any(|known: &&Relation| known.name == relation.name) {
                relations.push(relation);
            }
        }
        let harm = findings.iter().map(|finding| Harm::of(finding, app)).min().unwrap_or(Harm::StateLost);
        Card { title: title(&findings, &pages), harm, pages, relations, findings }
    }
}

/// What campaigns found in one app, for people.
#[derive(Clone, Debug, Default)]
pub struct Cards<'f> {
    /// One for each bug, the worst first.
    pub cards: Vec<Card<'f>>,
    /// What did not come back each time, or was not tried again: too little for a card.
    pub unsure: Vec<&'f Finding>,
}

impl<'f> Cards<'f> {
    /// Puts the findings in the app with this package name on cards. The catalogue of the bundled apps is not consulted.
    pub fn of(findings: impl IntoIterator<Item = &'f Finding>, app: &str) -> Cards<'f> {
        let sure = |finding: &&Finding| FindingState::of(finding).verdict() == FindingVerdict::Confirmed;
        let (sure, unsure): (Vec<&Finding>, Vec<&Finding>) = findings.into_iter().partition(sure);
        let groups = everywhere(by_cause(sure, |finding| Symptom::of(finding, app)), app);
        let mut cards: Vec<Card<'f>> = groups.into_iter().map(|group| Card::new(group, app)).collect();
        cards.sort_by_key(|card| card.harm);
        Cards { cards, unsure }
    }
}

/// The relation and page of a finding of `keep`.
fn kept(finding: &Finding) -> Option<(&'static Relation, &str)> {
    relation_and_page(&finding.origin.subject).filter(|_| finding.origin.oracle == OracleKind::Preservation)
}

/// What the detour at the end of the finding's minimal trace lost in the app with this package name; `None` for findings
/// of other oracles.
pub fn lost(finding: &Finding, app: &str) -> Option<Lost> {
    kept(finding).and_then(|_| lost_by_detour(&finding.minimal.trace, app))
}

/// What is lost and by what, wherever that is: the relation's name, which is empty for those that recreate the activity.
type Way = (&'static str, Aspect);

/// What findings of one bug have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Symptom<'f> {
    /// A detour loses something.
    Lost {
        /// The relation's name; empty for those that recreate the activity.
        by: &'static str,
        /// The worst kind of loss, of which others on the same page may be a part.
        aspect: Aspect,
        page: &'f str,
        /// The first place of that loss.
        place: String,
    },
    /// An oracle says something else.
    Told { oracle: OracleKind, title: &'f str },
}

impl<'f> Symptom<'f> {
    fn of(finding: &'f Finding, app: &str) -> Symptom<'f> {
        let told = Symptom::Told { oracle: finding.origin.oracle, title: &finding.title };
        let Some((relation, page)) = kept(finding) else { return told };
        let Some(lost) = lost(finding, app) else { return told };
        let Some((aspect, differences)) = lost.bugs.first_key_value() else { return told };
        let by = if relation.recreates { "" } else { relation.name };
        let place = differences.first().map_or(String::new(), |first| first.place.clone());
        Symptom::Lost { by, aspect: *aspect, page, place }
    }

    fn way(&self) -> Option<Way> {
        match self {
            Symptom::Lost { by, aspect, .. } => Some((by, *aspect)),
            Symptom::Told { .. } => None,
        }
    }

    fn page(&self) -> &'f str {
        match self {
            Symptom::Lost { page, .. } => page,
            Symptom::Told { .. } => "",
        }
    }
}

/// Joins the groups of one kind of loss by one way where these are on many pages.
fn everywhere<'f>(causes: Vec<Vec<&'f Finding>>, app: &str) -> Vec<Vec<&'f Finding>> {
    let symptoms: Vec<Option<Symptom<'f>>> =
        causes.iter().map(|cause| cause.first().map(|first| Symptom::of(first, app))).collect();
    let pages = |way: Way| -> usize {
        let same = symptoms.iter().flatten().filter(|symptom| symptom.way() == Some(way));
        same.map(Symptom::page).collect::<BTreeSet<_>>().len()
    };
    let mut joined: Vec<(Option<Way>, Vec<&'f Finding>)> = Vec::new();
    for (cause, symptom) in causes.into_iter().zip(&symptoms) {
        let way = symptom.as_ref().and_then(Symptom::way).filter(|way| pages(*way) >= EVERYWHERE);
        match joined.iter_mut().find(|(known, _)| way.is_some() && *known == way) {
            Some((_, findings)) => findings.extend(cause),
            None => joined.push((way, cause)),
        }
    }
    joined.into_iter().map(|(_, findings)| findings).collect()
}

fn title(findings: &[&Finding], pages: &[&str]) -> String {
    let Some(first) = findings.first() else { return String::new() };
    let Some((relation, page)) = kept(first) else { return first.title.clone() };
    let what: Vec<&str> = first.origin.checks.iter().map(String::as_str).collect();
    let place = match pages.len() {
        0 | 1 => format!("on {page}"),
        many => format!("on {many} pages"),
    };
    format!("{} {} {place}", relation.title, what.join(" and "))
}
