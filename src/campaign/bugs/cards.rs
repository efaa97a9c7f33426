//! Cards: what a tester reads after a night. One card for each bug, as far as that can be told without a catalogue.

use std::collections::{BTreeMap, BTreeSet};
use taproof_screen::words;

use super::broken::BrokenFunction;
use super::bug_title::{changing_step, moment_title};
use crate::{BugClass, BugKey, Corrections, Finding, JudgedBug, by_cause};
use taproof_engine::oracle::preservation::{
    Aspect, Difference, Effect, Lost, Relation, RowChange, lost_by_detour, page_of,
};
use taproof_screen::{OracleKind, Trace, WidgetIdx, event_for_people, screen_on_trace};
use taproof_spec::Spec;

/// Number of cards that a person reads in a morning.
const AT_FIRST: usize = 10;

/// A relation that is broken on so many pages is broken everywhere, which is one bug.
const EVERYWHERE: usize = 3;

words! {
    /// How bad a bug is, the worst first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Harm {
        /// The app ends, or does not answer.
        Crash = "crash or hang",
        /// What the app stores is changed.
        DataLost = "data lost",
        /// The app shows data that are not what it should hold, or does not find what it holds.
        WrongShown = "wrong data shown",
        /// What the user entered or chose is gone.
        StateLost = "state lost",
        /// Rows are in another order.
        WrongOrder = "wrong order",
        /// What the app shows comes late.
        Late = "late update",
        /// The app does something else than it does otherwise.
        Odd = "odd behaviour",
    }
    /// The harm in a word or two.
    pub fn words;
}

/// What is most likely one bug.
#[derive(Clone, Debug)]
pub struct Card<'f> {
    /// The bug in one sentence.
    pub title: String,
    /// Whether it is a bug: what its strongest finding is, unless a person has said it.
    pub class: BugClass,
    /// How bad it is.
    pub harm: Harm,
    /// What people call the pages on which a relation is broken; empty for other oracles.
    pub pages: Vec<String>,
    /// The relations that show it, that of the first finding first; empty for other oracles.
    pub relations: Vec<&'static Relation>,
    /// What the detour of the first finding lost; `None` for other oracles.
    pub lost: Option<Lost>,
    /// The step of the finding to look at that changed something before the app crashed or hung; `None` if no step is known
    /// to, or for other oracles.
    pub change: Option<usize>,
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
    /// The screens before the detour, on it and after it. Of other oracles than `keep`'s, the last screen and before it the
    /// one on which a step changed something or, if none is known to, the latest other one.
    pub fn screens(&self) -> Vec<CardScreen> {
        let Some(finding) = self.shown() else { return Vec::new() };
        let (trace, last) = (&finding.minimal.trace, finding.minimal.trace.len());
        let frames: Vec<usize> = match &self.lost {
            Some(lost) => (lost.before..=last).collect(),
            None => self.change.or_else(|| other_frame(trace)).into_iter().chain([last]).collect(),
        };
        let first = frames.first().copied().unwrap_or(last);
        let widgets = |of: fn(&Difference) -> Option<WidgetIdx>| -> Vec<WidgetIdx> {
            self.lost.iter().flat_map(|lost| lost.bugs.values().flatten()).filter_map(of).collect()
        };
        let offending = || finding.violation.failures.iter().flat_map(|failed| failed.offending.clone());
        let screen = |frame: usize| {
            let words = |step: usize| {
                let (done, before) = (trace.steps().get(step)?, trace.frame(step)?);
                Some(event_for_people(&done.event, &before.layout))
            };
            let led_here = || frame.checked_sub(1).filter(|_| frame > first).and_then(words);
            let caption = match self.change.filter(|_| self.lost.is_none()) {
                Some(step) if step == frame => {
                    words(step).map(|words| format!("Before step {}: {words}", step + 1))
                }
                Some(_) => led_here().map(|words| format!("After step {frame}: {words}")),
                None => led_here(),
            };
            CardScreen {
                frame,
                caption: caption.unwrap_or_else(|| "Before".to_owned()),
                ringed: match &self.lost {
                    Some(_) if frame == first => widgets(|lost| lost.was),
                    Some(_) if frame == last => widgets(|lost| lost.widget),
                    None if frame == last => offending().collect(),
                    Some(_) | None => Vec::new(),
                },
            }
        };
        frames.into_iter().map(screen).collect()
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

    /// What its findings are known by.
    pub fn keys(&self) -> BTreeSet<BugKey> {
        self.findings.iter().map(|finding| BugKey::of(finding)).collect()
    }

    fn new(mut group: Vec<&Judged<'f>>, spec: &Spec, corrections: &Corrections) -> Card<'f> {
        let is_bug = |judged: &Judged<'_>| judged.finding.class() == BugClass::Bug;
        group.sort_by_key(|judged| {
            let finding = judged.finding;
            let steps = finding.minimal.trace.len();
            (!is_bug(judged), judged.harm(), !judged.tells_the_worst(), steps, finding.first.event)
        });
        let findings: Vec<&'f Finding> = group.iter().map(|judged| judged.finding).collect();
        let (mut pages, mut relations) = (Vec::new(), Vec::<&'static Relation>::new());
        for detour in group.iter().filter_map(|judged| judged.detour.as_ref()) {
            if !pages.contains(&detour.screen) {
                pages.push(detour.screen.clone());
            }
            if !relations.iter().any(|known| known.name == detour.lost.relation.name) {
                relations.push(detour.lost.relation);
            }
        }
        let first = group.first();
        Card {
            title: first.map_or(String::new(), |first| first.title(pages.len(), spec)),
            class: class_of(&findings, corrections),
            harm: first.map_or(Harm::StateLost, |first| first.harm()),
            lost: first.and_then(|first| first.detour.as_ref()).map(|detour| detour.lost.clone()),
            change: first.and_then(|first| {
                changing_step(first.finding.origin.oracle, &first.finding.minimal.trace, spec)
            }),
            findings,
            pages,
            relations,
        }
    }
}

/// What findings of one bug amount to: what a person has said, otherwise what the strongest of them does.
fn class_of(findings: &[&Finding], corrections: &Corrections) -> BugClass {
    match corrections.verdict(&findings.iter().map(|finding| BugKey::of(finding)).collect()) {
        Some(true) => BugClass::Bug,
        Some(false) => BugClass::Dismissed,
        None => findings.iter().map(|finding| finding.class()).min().unwrap_or(BugClass::Unsure),
    }
}

/// The latest frame that shows something else than the last one.
fn other_frame(trace: &Trace) -> Option<usize> {
    let last = trace.last().layout.widgets();
    (0..trace.len())
        .rev()
        .find(|frame| trace.frame(*frame).is_some_and(|frame| frame.layout.widgets() != last))
}

/// What campaigns found in one app, for people.
#[derive(Clone, Debug, Default)]
pub struct Cards<'f> {
    /// One for each bug, the worst first; at most ten.
    pub cards: Vec<Card<'f>>,
    /// The others, to look at when these are mended: the worst first.
    pub more: Vec<Card<'f>>,
    /// What came back each time, and is not known to be a bug: the worst first.
    pub suspicions: Vec<Card<'f>>,
    /// What did not come back each time, or was not tried again: too little for a card.
    pub unsure: Vec<Bug<'f>>,
    /// What a person has said to be no bug.
    pub dismissed: Vec<Card<'f>>,
}

impl<'f> Cards<'f> {
    /// Puts the findings in the app with this package name on cards. `spec` is the specification of their campaign, and
    /// `corrections` is what a person has said of findings in the app. The catalogue of the bundled apps is not consulted.
    pub fn of(
        findings: impl IntoIterator<Item = &'f Finding>,
        app: &str,
        spec: &Spec,
        corrections: &Corrections,
    ) -> Cards<'f> {
        let sure = |finding: &&Finding| class_of(&[finding], corrections) != BugClass::Unsure;
        let (sure, unsure): (Vec<&Finding>, Vec<&Finding>) = findings.into_iter().partition(sure);
        let judged: Vec<Judged<'f>> =
            sure.into_iter().map(|finding| Judged::of(finding, app, spec)).collect();
        let groups = by_bug(&judged, corrections).into_iter();
        let mut all: Vec<Card<'f>> = groups.map(|group| Card::new(group, spec, corrections)).collect();
        all.sort_by_key(|card| card.harm);
        let (mut cards, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|card| card.class == BugClass::Bug);
        let (dismissed, suspicions) =
            others.into_iter().partition(|card: &Card<'f>| card.class == BugClass::Dismissed);
        let more = cards.split_off(cards.len().min(AT_FIRST));
        let alone = |shown| {
            let title = bug_title(shown, app, spec);
            Bug { title, class: BugClass::Unsure, shown, others: Vec::new() }
        };
        Cards { cards, more, suspicions, unsure: unsure.into_iter().map(alone).collect(), dismissed }
    }
}

/// Groups what is judged by the bug that it shows.
fn by_bug<'j, 'f>(judged: &'j [Judged<'f>], corrections: &Corrections) -> Vec<Vec<&'j Judged<'f>>> {
    let losses: BTreeSet<Loss<'_>> = judged.iter().filter_map(Judged::loss).collect();
    let groups = by_cause(judged, |judged| judged.symptom(&losses)).into_iter();
    let groups = groups.filter_map(|group| Some((group.first()?.symptom(&losses), group))).collect();
    let mut groups = everywhere(groups);
    corrections.apply(&mut groups, |judged| judged.finding);
    groups
}

/// Groups findings by the bug that they show as [`Cards::of`] does, also those that are not confirmed yet.
pub fn findings_by_bug<'f>(
    findings: impl IntoIterator<Item = &'f Finding>,
    app: &str,
    spec: &Spec,
) -> Vec<Vec<&'f Finding>> {
    let judged: Vec<Judged<'f>> =
        findings.into_iter().map(|finding| Judged::of(finding, app, spec)).collect();
    let groups = by_bug(&judged, &Corrections::default()).into_iter();
    groups.map(|group| group.into_iter().map(|judged| judged.finding).collect()).collect()
}

/// The title of the bug that a finding shows, if nothing else is known of the bug: a sentence for a ticket. `app` is the
/// app's package name, and `spec` the specification of the campaign. A card whose first finding this is has the same title,
/// unless the bug is on several pages.
pub fn bug_title(finding: &Finding, app: &str, spec: &Spec) -> String {
    Judged::of(finding, app, spec).title(1, spec)
}

/// A bug as builds count it: a card, or a finding that is too unsure for one.
#[derive(Clone, Debug)]
pub struct Bug<'f> {
    /// The bug in one sentence.
    pub title: String,
    /// Whether it is a bug.
    pub class: BugClass,
    /// The finding to look at.
    pub shown: &'f Finding,
    /// The other findings that show it.
    pub others: Vec<&'f Finding>,
}

impl<'f> Bug<'f> {
    /// All findings that show it, the one to look at first.
    pub fn findings(&self) -> impl Iterator<Item = &'f Finding> {
        std::iter::once(self.shown).chain(self.others.iter().copied())
    }

    /// What its findings are known by.
    pub fn keys(&self) -> BTreeSet<BugKey> {
        self.findings().map(BugKey::of).collect()
    }

    /// Whether it counts as a bug, as [`Finding::counts`] says, unless a person has said what it is.
    pub fn counts(&self) -> bool {
        match self.class {
            BugClass::Bug => true,
            BugClass::Unsure => self.shown.counts(),
            BugClass::Suspicion | BugClass::Dismissed => false,
        }
    }

    /// What a person says of it.
    pub fn judged(&self, is_bug: bool) -> JudgedBug {
        JudgedBug { keys: self.keys(), is_bug, title: self.title.clone() }
    }

    fn on(card: &Card<'f>) -> Option<Bug<'f>> {
        let (shown, others) = card.findings.split_first()?;
        Some(Bug { title: card.title.clone(), class: card.class, shown, others: others.to_vec() })
    }
}

impl<'f> Cards<'f> {
    /// The cards of bugs, the worst first.
    pub fn carded(&self) -> impl Iterator<Item = &Card<'f>> {
        self.cards.iter().chain(&self.more)
    }

    /// All cards: of bugs, of suspicions, and of what a person dismissed.
    pub fn all_cards(&self) -> impl Iterator<Item = &Card<'f>> {
        self.carded().chain(&self.suspicions).chain(&self.dismissed)
    }

    /// The bugs that count, the worst first; with `suspicions`, these and what is unsure count as well.
    pub fn counted(&self, suspicions: bool) -> Vec<Bug<'f>> {
        let counts = |bug: &Bug<'_>| bug.counts() || (suspicions && bug.class != BugClass::Dismissed);
        self.all().into_iter().filter(counts).collect()
    }

    /// Everything: the bugs, the suspicions, what is unsure, and what a person dismissed.
    pub fn all(&self) -> Vec<Bug<'f>> {
        let dismissed = self.dismissed.iter().filter_map(Bug::on);
        let others = self.carded().chain(&self.suspicions).filter_map(Bug::on);
        others.chain(self.unsure.iter().cloned()).chain(dismissed).collect()
    }

    /// The bug of the finding with this id.
    pub fn with(&self, finding: &str) -> Option<Bug<'f>> {
        self.all().into_iter().find(|bug| bug.findings().any(|one| one.id == finding))
    }
}

/// A finding, and what it says of its cause.
struct Judged<'f> {
    finding: &'f Finding,
    /// What the detour at the end of its minimal trace lost, if it is one of `keep`.
    detour: Option<Detour<'f>>,
    /// The function that is broken, if it is a violation of one.
    broken: Option<BrokenFunction>,
}

struct Detour<'f> {
    page: &'f str,
    /// What people call the page.
    screen: String,
    lost: Lost,
}

impl<'f> Judged<'f> {
    fn of(finding: &'f Finding, app: &str, spec: &Spec) -> Judged<'f> {
        let subject = Some(&finding.origin.subject);
        let subject = subject.filter(|_| finding.origin.oracle == OracleKind::Preservation);
        let detour = subject.and_then(|subject| {
            let (page, lost) = (page_of(subject)?, lost_by_detour(&finding.minimal.trace, app)?);
            Some(Detour { page, screen: screen_on_trace(&finding.minimal.trace, lost.before), lost })
        });
        Judged { finding, detour, broken: BrokenFunction::of(finding, spec) }
    }

    fn harm(&self) -> Harm {
        let lost = self.detour.as_ref().map(|detour| &detour.lost);
        match self.finding.origin.oracle {
            OracleKind::Property if self.finding.support.comes_late => Harm::Late,
            OracleKind::Crash | OracleKind::NotResponding | OracleKind::Loading => Harm::Crash,
            OracleKind::Property => self.broken.as_ref().map_or(Harm::DataLost, BrokenFunction::harm),
            OracleKind::Preservation if lost.is_some_and(Lost::loses_data) => Harm::DataLost,
            OracleKind::Preservation => match self.loss().map(|loss| (loss.aspect, loss.change)) {
                Some((Aspect::Rows, RowChange::Order)) => Harm::WrongOrder,
                Some((Aspect::Late, _)) => Harm::Late,
                _ => Harm::StateLost,
            },
            OracleKind::Invariant => Harm::WrongShown,
            OracleKind::IndependentView | OracleKind::MayBelief | OracleKind::LogError => Harm::Odd,
        }
    }

    /// Whether the violation is the worst loss of its detour.
    fn tells_the_worst(&self) -> bool {
        let worst = self.detour.as_ref().and_then(|detour| detour.lost.worst());
        worst.is_none_or(|(worst, _)| self.finding.origin.checks.iter().any(|check| check == worst.words()))
    }

    /// The worst loss of its detour.
    fn loss(&self) -> Option<Loss<'_>> {
        let Detour { page, lost, .. } = self.detour.as_ref()?;
        let (aspect, first) = lost.worst()?;
        Some(Loss { by: lost.relation.name, aspect, page, place: &first.place, change: first.rows })
    }

    /// What it says of its cause. `losses` are those of all findings.
    fn symptom(&self, losses: &BTreeSet<Loss<'_>>) -> Symptom<'_> {
        let told = || {
            let Finding { origin, title, .. } = self.finding;
            // The message of an exception may be the same for two bugs, and another one each time for one.
            let exact = origin.checks.first().filter(|_| origin.oracle.is_told_by_log());
            let says = exact.unwrap_or(title);
            Symptom::Told { oracle: origin.oracle, says }
        };
        let Some((loss, detour)) = self.loss().zip(self.detour.as_ref()) else {
            return self.broken.as_ref().map_or_else(told, Symptom::Broken);
        };
        let relation = detour.lost.relation;
        if relation.effect == Effect::Told {
            return Symptom::Setting(relation.name);
        }
        let loses = |by: &&&'static str| losses.contains(&Loss { by, ..loss });
        let by = relation.parts.iter().find(loses).copied().unwrap_or(relation.name);
        Symptom::Lost(Loss { by, ..loss })
    }

    /// The title of a card with this finding first.
    fn title(&self, pages: usize, spec: &Spec) -> String {
        let Some(Detour { screen, lost, .. }) = &self.detour else {
            let broken = self.broken.as_ref().and_then(|broken| broken.title(self.finding, spec));
            let Finding { origin, minimal, finished, support, .. } = self.finding;
            let moment = || moment_title(origin.oracle, &minimal.trace, *finished, spec);
            let title = broken.or_else(moment).unwrap_or_else(|| self.finding.title_words());
            return if support.comes_late { format!("{title}, at first") } else { title };
        };
        let place = if pages > 1 { format!("{pages} pages") } else { screen.clone() };
        let words = |check: &String| {
            let of_check = lost.bugs.iter().find(|(aspect, _)| aspect.words() == check);
            of_check.and_then(|(_, found)| Some(found.first()?.words())).unwrap_or(check).to_owned()
        };
        let what: Vec<String> = self.finding.origin.checks.iter().map(words).collect();
        format!("{} {} on {place}", lost.relation.title, what.join(" and "))
    }
}

/// What a detour loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Loss<'f> {
    /// Name of the relation.
    by: &'static str,
    /// The worst kind of loss.
    aspect: Aspect,
    page: &'f str,
    /// The first place of that loss.
    place: &'f str,
    /// How its rows changed.
    change: RowChange,
}

/// What findings of one bug have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Symptom<'f> {
    /// A detour loses something; the relation is the one that all of them are or include. What else is lost does not matter:
    /// it follows, or is another bug, which has a card if it was found alone.
    Lost(Loss<'f>),
    /// The app does not survive the change of a setting that it listens for. It has one place for that.
    Setting(&'static str),
    /// A function is broken.
    Broken(&'f BrokenFunction),
    /// An oracle says something else.
    Told { oracle: OracleKind, says: &'f str },
}

/// Joins the groups of one kind of loss by one way where these are on many pages.
fn everywhere<F>(groups: Vec<(Symptom<'_>, Vec<F>)>) -> Vec<Vec<F>> {
    let way = |symptom: &Symptom<'_>| match symptom {
        Symptom::Lost(loss) => Some((loss.by, loss.aspect)),
        Symptom::Setting(_) | Symptom::Broken(_) | Symptom::Told { .. } => None,
    };
    let mut pages: BTreeMap<(&str, Aspect), BTreeSet<&str>> = BTreeMap::new();
    for (symptom, _) in &groups {
        if let Symptom::Lost(loss) = symptom {
            pages.entry((loss.by, loss.aspect)).or_default().insert(loss.page);
        }
    }
    let mut joined: Vec<Vec<F>> = Vec::new();
    let mut places: BTreeMap<(&str, Aspect), usize> = BTreeMap::new();
    for (symptom, group) in groups {
        let many = |way: &(&str, Aspect)| pages.get(way).is_some_and(|pages| pages.len() >= EVERYWHERE);
        let place = match way(&symptom).filter(many) {
            Some(way) => *places.entry(way).or_insert(joined.len()),
            None => joined.len(),
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
        let lost = |by, aspect, page| {
            Symptom::Lost(Loss { by, aspect, page, place: "#title", change: RowChange::Other })
        };
        let told = Symptom::Told { oracle: OracleKind::Crash, says: "it crashes" };
        let pages = |of: &[&'static str]| {
            let mut groups = vec![(told.clone(), vec![0]), (lost("call", Aspect::Typed, "One"), vec![1])];
            let more = of.iter().zip(2..);
            groups.extend(more.map(|(page, number)| (lost("rotation", Aspect::Typed, page), vec![number])));
            groups.push((lost("rotation", Aspect::Rows, "One"), vec![9]));
            everywhere(groups)
        };
        assert_eq!(pages(&["One", "Two"]), [vec![0], vec![1], vec![2], vec![3], vec![9]]);
        assert_eq!(pages(&["One", "Two", "Three"]), [vec![0], vec![1], vec![2, 3, 4], vec![9]]);
        assert_eq!(pages(&["One", "One", "Two"]).len(), 6, "places of two pages");
    }
}
