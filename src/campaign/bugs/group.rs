//! Bugs: what a tester reads after a night. Which findings show the same one is decided here and nowhere else.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use taproof_screen::words;

use super::broken::BrokenFunction;
use super::bug_title::{changing_step, moment_title};
use crate::{BugClass, BugKey, BugState, Corrections, Finding, JudgedBug, bugs_in_words};
use taproof_engine::oracle::preservation::{
    Aspect, Difference, Effect, Lost, Relation, RowChange, lost_by_detour, page_of,
};
use taproof_screen::{OracleKind, Trace, WidgetIdx, event_for_people, screen_on_trace};
use taproof_spec::Spec;

/// Number of bugs that a person reads in a morning. The others are folded, or only counted.
pub const FIRST_BUGS: usize = 10;

/// A relation that is broken on so many pages is broken everywhere, which is one bug.
const EVERYWHERE: usize = 3;

words! {
    /// How bad a bug is, the worst first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// Each harm.
    pub const ALL;
}

impl Harm {
    /// The harm that these words name.
    pub fn from_words(words: &str) -> Option<Harm> {
        Harm::ALL.into_iter().find(|harm| harm.words() == words)
    }
}

/// What is most likely one bug, or a finding of which too little is known to say which bug it shows.
#[derive(Clone, Debug)]
pub struct Bug {
    /// The bug in one sentence.
    pub title: String,
    /// Whether it is a bug: what its strongest finding is, unless a person has said it.
    pub class: BugClass,
    /// What is to become of it.
    pub state: BugState,
    /// What a person noted of it.
    pub note: String,
    /// What its findings are known by.
    pub keys: BTreeSet<BugKey>,
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
    /// The finding to look at: the worst with the fewest steps.
    pub shown: Arc<Finding>,
    /// All findings that show it, the one to look at first.
    pub findings: Vec<Arc<Finding>>,
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

impl Bug {
    /// The screens before the detour, on it and after it. Of other oracles than `keep`'s, the last screen and before it the
    /// one on which a step changed something or, if none is known to, the latest other one.
    pub fn screens(&self) -> Vec<CardScreen> {
        let finding = &self.shown;
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

    /// What else the detour of the first finding changed that is no bug by itself, in words.
    pub fn hints(&self) -> Vec<String> {
        let in_words = |hint: &Difference| format!("{}, then {}", hint.before, hint.after);
        self.lost.iter().flat_map(|lost| &lost.hints).map(in_words).collect()
    }

    /// Whether it counts as a bug, as [`Finding::counts`] says, unless a person has said what it is; with `suspicions`, all
    /// that nobody dismissed counts.
    pub fn counts(&self, suspicions: bool) -> bool {
        match self.class {
            BugClass::Bug => true,
            BugClass::Unsure => suspicions || self.shown.counts(),
            BugClass::Suspicion => suspicions,
            BugClass::Dismissed => false,
        }
    }

    /// Whether this finding shows it.
    pub fn has(&self, finding: &str) -> bool {
        self.findings.iter().any(|one| one.id == finding)
    }

    /// What a person says of it at this time, in seconds since 1970.
    pub fn judged(&self, state: BugState, note: &str, at: i64) -> JudgedBug {
        let (keys, title) = (self.keys.clone(), self.title.clone());
        JudgedBug { keys, state, note: note.to_owned(), title, at: Some(at) }
    }

    /// What a person has said of it, in words: `known: a decision of last year`; `None` if nobody did.
    pub fn said(&self) -> Option<String> {
        self.state.with(&self.note)
    }

    /// Whether it is a suspicion only since a person dismissed what the relations that show it say of the app.
    fn is_doubted(&self) -> bool {
        self.class == BugClass::Suspicion && self.shown.class() == BugClass::Bug
    }

    /// What it rests on, see [`Finding::rests_on`].
    pub fn rests_on(&self) -> String {
        let doubts =
            if self.is_doubted() { "; but you dismissed what this relation says of the app" } else { "" };
        self.shown.rests_on() + doubts
    }

    /// What would settle whether it is a bug, see [`Finding::settled_by`].
    pub fn settled_by(&self) -> Option<&'static str> {
        if self.is_doubted() { Some("a look of yours") } else { self.shown.settled_by() }
    }

    /// The bug that these show; `None` if there are none.
    fn of(mut group: Vec<&Told<'_>>, spec: &Spec, said: &Said<'_>) -> Option<Bug> {
        group.sort_by_key(|(finding, judged)| {
            let is_bug = finding.class() == BugClass::Bug;
            let steps = finding.minimal.trace.len();
            (!is_bug, judged.harm(), !judged.tells_the_worst(), steps, finding.first.event)
        });
        let (shown, first) = *group.first()?;
        let findings: Vec<Arc<Finding>> = group.iter().map(|(finding, _)| Arc::clone(finding)).collect();
        let (mut pages, mut relations) = (Vec::new(), Vec::<&'static Relation>::new());
        for detour in group.iter().filter_map(|(_, judged)| judged.detour.as_ref()) {
            if !pages.contains(&detour.screen) {
                pages.push(detour.screen.clone());
            }
            if !relations.iter().any(|known| known.name == detour.lost.relation.name) {
                relations.push(detour.lost.relation);
            }
        }
        let keys = findings.iter().map(|finding| BugKey::of(finding)).collect();
        let judged = said.corrections.said_of(&keys);
        Some(Bug {
            title: first.title(pages.len(), spec),
            class: said.class_of(&findings),
            state: judged.map(|said| said.state).unwrap_or_default(),
            note: judged.map(|said| said.note.clone()).unwrap_or_default(),
            keys,
            harm: first.harm(),
            lost: first.detour.as_ref().map(|detour| detour.lost.clone()),
            change: changing_step(shown.origin.oracle, &shown.minimal.trace, spec),
            shown: Arc::clone(shown),
            findings,
            pages,
            relations,
        })
    }
}

/// What a person has said of findings in an app, and what follows from it.
struct Said<'c> {
    corrections: &'c Corrections,
    /// The relations that show suspicions.
    doubted: BTreeSet<String>,
}

impl Said<'_> {
    /// What findings of one bug amount to: what a person has said, otherwise what the strongest of them does.
    fn class_of(&self, findings: &[Arc<Finding>]) -> BugClass {
        let keys: BTreeSet<BugKey> = findings.iter().map(|finding| BugKey::of(finding)).collect();
        match self.corrections.said_of(&keys).map(|said| said.state) {
            Some(BugState::True | BugState::Fixed) => return BugClass::Bug,
            Some(BugState::NotABug) => return BugClass::Dismissed,
            Some(BugState::New | BugState::Known) | None => {}
        }
        let class = findings.iter().map(|finding| finding.class()).min().unwrap_or(BugClass::Unsure);
        let doubted = class == BugClass::Bug
            && keys.iter().all(|key| key.said_by().iter().any(|by| self.doubted.contains(by)));
        if doubted { BugClass::Suspicion } else { class }
    }
}

/// The latest frame that shows something else than the last one.
fn other_frame(trace: &Trace) -> Option<usize> {
    let last = trace.last().layout.widgets();
    (0..trace.len())
        .rev()
        .find(|frame| trace.frame(*frame).is_some_and(|frame| frame.layout.widgets() != last))
}

/// The bugs that these findings in the app with this package name show: the bugs first, then suspicions, what is unsure, and
/// what a person dismissed; of each class the worst first. `spec` is the specification of their campaigns, and `corrections`
/// is what a person has said of findings in the app. The catalogue of the bundled apps is not consulted.
///
/// A finding that did not come back each time, or was not tried again, says too little of its cause to be put with others.
pub fn group(findings: &[Arc<Finding>], app: &str, spec: &Spec, corrections: &Corrections) -> Vec<Bug> {
    let told = findings.iter().map(|finding| (finding, Judged::of(finding, app, spec)));
    let said = Said { corrections, doubted: corrections.doubted() };
    let is_sure = |(finding, _): &Told<'_>| said.class_of(std::slice::from_ref(*finding)) != BugClass::Unsure;
    let (sure, unsure): (Vec<Told<'_>>, Vec<Told<'_>>) = told.partition(is_sure);
    let losses: BTreeSet<Loss<'_>> = sure.iter().filter_map(|(_, judged)| judged.loss()).collect();
    let mut by_symptom: Vec<(Symptom<'_>, Vec<&Told<'_>>)> = Vec::new();
    let mut places: BTreeMap<Symptom<'_>, usize> = BTreeMap::new();
    for one in &sure {
        let symptom = one.1.symptom(&losses);
        let place = *places.entry(symptom.clone()).or_insert(by_symptom.len());
        match by_symptom.get_mut(place) {
            Some((_, known)) => known.push(one),
            None => by_symptom.push((symptom, vec![one])),
        }
    }
    let mut groups = everywhere(by_symptom);
    corrections.apply(&mut groups, |(finding, _)| finding);
    groups.extend(unsure.iter().map(|one| vec![one]));
    let mut bugs: Vec<Bug> = groups.into_iter().filter_map(|group| Bug::of(group, spec, &said)).collect();
    bugs.sort_by_key(|bug| (bug.class, bug.harm));
    bugs
}

/// Those of one class among bugs in the order of [`group`].
pub fn of_class<B: Borrow<Bug>>(bugs: &[B], class: BugClass) -> &[B] {
    let is_of = |bug: &B| bug.borrow().class == class;
    bugs.chunk_by(|one, other| is_of(one) == is_of(other))
        .find(|bugs| bugs.first().is_some_and(is_of))
        .unwrap_or_default()
}

/// The number of bugs and of suspicions among bugs in the order of [`group`], in words: `3 bugs, 1 suspicion`.
pub fn counted_bugs<B: Borrow<Bug>>(bugs: &[B]) -> String {
    let count = |class| of_class(bugs, class).len();
    bugs_in_words(count(BugClass::Bug), count(BugClass::Suspicion))
}

/// The title of the bug that a finding shows, if nothing else is known of the bug: a sentence for a ticket. `app` is the
/// app's package name, and `spec` the specification of the campaign. A bug whose first finding this is has the same title,
/// unless it is on several pages.
pub fn bug_title(finding: &Finding, app: &str, spec: &Spec) -> String {
    Judged::of(finding, app, spec).title(1, spec)
}

/// A finding, and what it says of its cause.
struct Judged<'f> {
    finding: &'f Finding,
    /// What the detour at the end of its minimal trace lost, if it is one of `keep`.
    detour: Option<Detour<'f>>,
    /// The function that is broken, if it is a violation of one.
    broken: Option<BrokenFunction>,
}

/// A finding with what it says of its cause.
type Told<'f> = (&'f Arc<Finding>, Judged<'f>);

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
            OracleKind::Invariant | OracleKind::Agreement => Harm::WrongShown,
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
    let lost = |symptom: &Symptom<'_>| {
        if let Symptom::Lost(Loss { by, aspect, .. }) = *symptom { Some((by, aspect)) } else { None }
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
        let place = match lost(&symptom).filter(many) {
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
    use super::super::bug_class::tests::finding;
    use super::*;
    use crate::Correction;

    #[test]
    fn what_a_relation_shows_that_was_dismissed_three_times_is_a_suspicion() {
        let lost = |subject: &str| {
            let mut lost = finding(OracleKind::Preservation, (3, 3), (3, 0));
            lost.origin.subject = subject.to_owned();
            [Arc::new(lost)]
        };
        let mut said = Corrections::default();
        let class = |said: &Corrections, subject: &str| {
            Said { corrections: said, doubted: said.doubted() }.class_of(&lost(subject))
        };
        for page in ["One", "Two", "Three"] {
            assert_eq!(class(&said, "rotation on Main"), BugClass::Bug);
            let keys = lost(&format!("rotation on {page}")).iter().map(|it| BugKey::of(it)).collect();
            let (note, title) = (String::new(), String::new());
            let judged = JudgedBug { keys, state: BugState::NotABug, note, title, at: None };
            said.0.push(Correction::Judged(judged));
        }
        let classes = ["rotation on Main", "rotation on One", "call on Main"].map(|it| class(&said, it));
        assert_eq!(classes, [BugClass::Suspicion, BugClass::Dismissed, BugClass::Bug]);
    }

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
