//! Cards: what a tester reads after a night. One card for each bug, as far as that can be told without a catalogue.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, FindingState, FindingVerdict, by_cause};
use crate::model::{OracleKind, WidgetIdx, event_sentence};
use crate::oracle::preservation::{Aspect, Difference, Lost, Relation, Severity, lost_by_detour, page_of};

/// Number of cards that a person reads in a morning.
const AT_FIRST: usize = 10;

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
    /// The relations that show it, that of the first finding first; empty for other oracles.
    pub relations: Vec<&'static Relation>,
    /// What the detour of the first finding lost; `None` for other oracles.
    pub lost: Option<Lost>,
    /// The findings: the one to look at first, which is the worst with the fewest steps.
    pub findings: Vec<&'f Finding>,
}

/// A screen on a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardScreen {
    /// Index of the frame in the shortest trace of the finding to look at.
    pub frame: usize,
    /// What led to it.
    pub caption: String,
    /// The widgets that are lost from here on, or that are wrong.
    pub ringed: Vec<WidgetIdx>,
}

impl<'f> Card<'f> {
    /// The screens before the detour, on it and after it; of other oracles than `keep`'s, those before and after the last
    /// step.
    pub fn screens(&self) -> Vec<CardScreen> {
        let Some(finding) = self.shown() else { return Vec::new() };
        let (trace, last) = (&finding.minimal.trace, finding.minimal.trace.len());
        let first = self.lost.as_ref().map_or(last.saturating_sub(1), |lost| lost.before);
        let widgets = |of: fn(&Difference) -> Option<WidgetIdx>| -> Vec<WidgetIdx> {
            self.lost.iter().flat_map(|lost| lost.bugs.values().flatten()).filter_map(of).collect()
        };
        let offending = || finding.violation.failures.iter().flat_map(|failed| failed.offending.clone());
        let screen = |frame: usize| {
            let step = frame.checked_sub(1).filter(|_| frame > first);
            let step = step.and_then(|step| Some((trace.steps().get(step)?, trace.frame(step)?)));
            CardScreen {
                frame,
                caption: match step {
                    Some((step, before)) => event_sentence(&step.event, &before.layout),
                    None => "Before".to_owned(),
                },
                ringed: match &self.lost {
                    Some(_) if frame == first => widgets(|lost| lost.was),
                    Some(_) if frame == last => widgets(|lost| lost.widget),
                    None if frame == last => offending().collect(),
                    Some(_) | None => Vec::new(),
                },
            }
        };
        (first..=last).map(screen).collect()
    }

    /// The finding to look at.
    pub fn shown(&self) -> Option<&'f Finding> {
        self.findings.first().copied()
    }

    /// What else the detour of the first finding changed that is no bug by itself, in words.
    pub fn hints(&self) -> Vec<String> {
        let in_words = |hint: &Difference| format!("{}, then {}", hint.before, hint.after);
        self.lost.iter().flat_map(|lost| &lost.hints).map(in_words).collect()
    }

    fn new(mut group: Vec<&Judged<'f>>) -> Card<'f> {
        group.sort_by_key(|judged| {
            let finding = judged.finding;
            (judged.harm(), !judged.tells_the_worst(), finding.minimal.trace.len(), finding.first.event)
        });
        let (mut pages, mut relations) = (Vec::new(), Vec::<&'static Relation>::new());
        for detour in group.iter().filter_map(|judged| judged.detour.as_ref()) {
            if !pages.contains(&detour.page) {
                pages.push(detour.page);
            }
            if !relations.iter().any(|known| known.name == detour.lost.relation.name) {
                relations.push(detour.lost.relation);
            }
        }
        let first = group.first();
        Card {
            title: first.map_or(String::new(), |first| first.title(pages.len())),
            harm: first.map_or(Harm::StateLost, |first| first.harm()),
            lost: first.and_then(|first| first.detour.as_ref()).map(|detour| detour.lost.clone()),
            findings: group.iter().map(|judged| judged.finding).collect(),
            pages,
            relations,
        }
    }
}

/// What campaigns found in one app, for people.
#[derive(Clone, Debug, Default)]
pub struct Cards<'f> {
    /// One for each bug, the worst first; at most ten.
    pub cards: Vec<Card<'f>>,
    /// The others, to look at when these are mended: the worst first.
    pub more: Vec<Card<'f>>,
    /// What did not come back each time, or was not tried again: too little for a card.
    pub unsure: Vec<&'f Finding>,
}

impl<'f> Cards<'f> {
    /// Puts the findings in the app with this package name on cards. The catalogue of the bundled apps is not consulted.
    pub fn of(findings: impl IntoIterator<Item = &'f Finding>, app: &str) -> Cards<'f> {
        let sure = |finding: &&Finding| FindingState::of(finding).verdict() == FindingVerdict::Confirmed;
        let (sure, unsure): (Vec<&Finding>, Vec<&Finding>) = findings.into_iter().partition(sure);
        let judged: Vec<Judged<'f>> = sure.into_iter().map(|finding| Judged::of(finding, app)).collect();
        let groups = by_cause(&judged, Judged::symptom).into_iter();
        let named = groups.filter_map(|group| Some((group.first()?.symptom(), group)));
        let groups = with_their_parts(named.collect());
        let mut cards: Vec<Card<'f>> = everywhere(groups).into_iter().map(Card::new).collect();
        cards.sort_by_key(|card| card.harm);
        let more = cards.split_off(cards.len().min(AT_FIRST));
        Cards { cards, more, unsure }
    }
}

/// A finding, and what the detour at the end of its minimal trace lost, if it is one of `keep`.
struct Judged<'f> {
    finding: &'f Finding,
    detour: Option<Detour<'f>>,
}

struct Detour<'f> {
    page: &'f str,
    lost: Lost,
}

impl<'f> Judged<'f> {
    fn of(finding: &'f Finding, app: &str) -> Judged<'f> {
        let subject = Some(&finding.origin.subject);
        let subject = subject.filter(|_| finding.origin.oracle == OracleKind::Preservation);
        let detour = subject.and_then(|subject| {
            Some(Detour { page: page_of(subject)?, lost: lost_by_detour(&finding.minimal.trace, app)? })
        });
        Judged { finding, detour }
    }

    fn harm(&self) -> Harm {
        match self.finding.origin.oracle {
            OracleKind::Crash | OracleKind::NotResponding | OracleKind::Loading => Harm::Crash,
            OracleKind::Property => Harm::DataLost,
            OracleKind::Preservation => {
                let aspects = self.detour.iter().flat_map(|detour| detour.lost.bugs.keys());
                match aspects.map(|aspect| aspect.severity()).min() {
                    Some(Severity::DataLost) => Harm::DataLost,
                    Some(Severity::StateLost | Severity::ViewLost) | None => Harm::StateLost,
                }
            }
            OracleKind::Invariant | OracleKind::IndependentView | OracleKind::MayBelief => Harm::StateLost,
        }
    }

    /// Whether the violation is the worst loss of its detour.
    fn tells_the_worst(&self) -> bool {
        let worst = self.detour.as_ref().and_then(|detour| detour.lost.bugs.keys().next());
        worst.is_none_or(|worst| self.finding.origin.checks.iter().any(|check| check == worst.words()))
    }

    fn symptom(&self) -> Symptom<'_> {
        let worst = |detour: &'_ Detour<'f>| {
            let (aspect, differences) = detour.lost.bugs.first_key_value()?;
            let relation = detour.lost.relation;
            let by = relation.cause();
            let place = differences.first()?.place.clone();
            Some(Symptom::Lost { way: (by, *aspect), page: detour.page, place })
        };
        let told = Symptom::Told { oracle: self.finding.origin.oracle, title: &self.finding.title };
        self.detour.as_ref().and_then(worst).unwrap_or(told)
    }

    /// Whether its detour lost this as well.
    fn loses(&self, symptom: &Symptom<'_>) -> bool {
        let (Symptom::Lost { way: (by, aspect), page, .. }, Some(detour)) = (symptom, &self.detour) else {
            return false;
        };
        let by_one = !by.is_empty() && detour.lost.relation.cause() == *by && detour.page == *page;
        by_one && detour.lost.bugs.contains_key(aspect)
    }

    /// The title of a card with this finding first.
    fn title(&self, pages: usize) -> String {
        let Some(Detour { page, lost }) = &self.detour else { return self.finding.title.clone() };
        let place = if pages > 1 { format!("{pages} pages") } else { (*page).to_owned() };
        format!("{} {} on {place}", lost.relation.title, self.finding.origin.checks.join(" and "))
    }
}

/// What is lost, and by what: [`Relation::cause`].
type Way = (&'static str, Aspect);

/// What findings of one bug have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Symptom<'f> {
    /// A detour loses something.
    Lost {
        /// With the worst kind of loss, of which others on the same page may be a part.
        way: Way,
        page: &'f str,
        /// The first place of that loss.
        place: String,
    },
    /// An oracle says something else.
    Told { oracle: OracleKind, title: &'f str },
}

/// Joins a group whose loss is a part of what a detour of another group lost by the same way on the same page.
fn with_their_parts<'j, 'f>(
    mut groups: Vec<(Symptom<'j>, Vec<&'j Judged<'f>>)>,
) -> Vec<(Symptom<'j>, Vec<&'j Judged<'f>>)> {
    // The worst loss first, of which the others may be parts.
    groups.sort_by_key(|(symptom, _)| match symptom {
        Symptom::Lost { way: (_, aspect), .. } => Some(*aspect),
        Symptom::Told { .. } => None,
    });
    let mut joined: Vec<(Symptom<'j>, Vec<&'j Judged<'f>>)> = Vec::new();
    for (symptom, group) in groups {
        let is_part = |(_, known): &&mut (Symptom<'j>, Vec<&'j Judged<'f>>)| {
            known.iter().any(|judged| judged.loses(&symptom))
        };
        match joined.iter_mut().find(is_part) {
            Some((_, known)) => known.extend(group),
            None => joined.push((symptom, group)),
        }
    }
    joined
}

/// Joins the groups of one kind of loss by one way where these are on many pages.
fn everywhere<F>(groups: Vec<(Symptom<'_>, Vec<F>)>) -> Vec<Vec<F>> {
    let mut pages: BTreeMap<Way, BTreeSet<String>> = BTreeMap::new();
    for (symptom, _) in &groups {
        if let Symptom::Lost { way, page, .. } = symptom {
            pages.entry(*way).or_default().insert((*page).to_owned());
        }
    }
    let mut joined: Vec<Vec<F>> = Vec::new();
    let mut places: BTreeMap<Way, usize> = BTreeMap::new();
    for (symptom, group) in groups {
        let place = match symptom {
            Symptom::Lost { way, .. } if pages.get(&way).is_some_and(|pages| pages.len() >= EVERYWHERE) => {
                *places.entry(way).or_insert(joined.len())
            }
            Symptom::Lost { .. } | Symptom::Told { .. } => joined.len(),
        };
        match joined.get_mut(place) {
            Some(known) => known.extend(group),
            None => joined.push(group),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_by_one_way_on_many_pages_is_one_bug() {
        let lost = |by, aspect, page| Symptom::Lost { way: (by, aspect), page, place: "#title".to_owned() };
        let told = Symptom::Told { oracle: OracleKind::Crash, title: "it crashes" };
        let pages = |of: &[&'static str]| {
            let mut groups = vec![(told.clone(), vec![0]), (lost("call", Aspect::Typed, "One"), vec![1])];
            let more = of.iter().zip(2..);
            groups.extend(more.map(|(page, number)| (lost("", Aspect::Typed, page), vec![number])));
            groups.push((lost("", Aspect::Rows, "One"), vec![9]));
            everywhere(groups)
        };
        assert_eq!(pages(&["One", "Two"]), [vec![0], vec![1], vec![2], vec![3], vec![9]]);
        assert_eq!(pages(&["One", "Two", "Three"]), [vec![0], vec![1], vec![2, 3, 4], vec![9]]);
        assert_eq!(pages(&["One", "One", "Two"]).len(), 6, "places of two pages");
    }
}
