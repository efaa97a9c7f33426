//! What is learned of the screens of an app: which relations they keep, how often, on how many different data, and where
//! one was broken.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::facts::{Facts, PlaceKey};
use super::measure::NumberAt;
use super::relation::{Compared, Opener, Relation, kept_by, kept_by_opened};
use super::way::{self, Witness};
use super::{AgreementRule, Suspect};
use taproof_screen::determinism::HashBuffer;
use taproof_screen::{AppHealth, Event, Frame, Gesture, Layout, Trace, WidgetIdx, touched_widget};

/// A relation must have held on so many different data, with so many different values, and in so many tests before a
/// screen is judged by it.
const NEEDED_DATA: usize = 8;
const NEEDED_VALUES: usize = 3;
const NEEDED_TESTS: u32 = 3;
/// Of a hundred different data, or screens, so many must keep a relation. Where so many do that a row and its page say the
/// same, they are believed without a restart.
const LEAST_HELD: usize = 50;
const HELD_BY_MOST: usize = 85;
/// So many different data that break a relation are looked at.
const MOST_TRIED: u8 = 3;
/// So many different data are counted.
const MOST_DATA: usize = 64;
/// Bounds of what is remembered.
const MOST_PAGES: usize = 300;
const MOST_RELATIONS: usize = 300;
const MOST_LEARNED: usize = 4096;

/// What is learned during a campaign. It is part of a checkpoint.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Agreements {
    /// By page: that on which a relation is judged.
    pages: BTreeMap<PlaceKey, BTreeMap<Relation, Support>>,
    tests: u32,
    /// Hashes of screens, and of taps between two, that teach nothing more: at most [`MOST_LEARNED`].
    learned: BTreeSet<u64>,
}

/// How a relation fared.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Support {
    /// Hashes of the data on which it held, at most [`MOST_DATA`].
    held: BTreeSet<u64>,
    /// Values that it had, a few of them.
    values: BTreeSet<i64>,
    /// Number of screens on which it held, and on which it did not.
    looks: (u32, u32),
    /// Number of tests in which it held, and the last one.
    tests: (u32, u32),
    /// Hashes of the data that broke it.
    broken: BTreeSet<u64>,
    /// Tests that end on a screen that broke it, a few of them.
    witnesses: Vec<Witness>,
    /// Number of witnesses that were looked at.
    tried: u8,
    /// Whether it follows from more than what is shown.
    refuted: bool,
}

/// What the campaign proposes, and what became of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgreementCounts {
    /// Number of relations that held at least once.
    pub proposed: usize,
    /// Number of them that other data or a restart refuted.
    pub refuted: usize,
    /// Number of them by which screens are judged.
    pub kept: usize,
}

impl Agreements {
    /// Learns from a finished test; what it did in its first `known` steps was learned before.
    pub(crate) fn learn(&mut self, trace: &Trace, known: usize, app: &str) {
        if trace.len() <= known {
            return;
        }
        self.tests += 1;
        let mut before: Option<(u64, Option<Facts<'_>>)> = None;
        for at in known..=trace.len() {
            let Some(frame) = trace.frame(at) else { break };
            let last = (at > known).then(|| &trace.steps()[at - 1].event).zip(trace.frame(at.max(1) - 1));
            let same = |last: &Frame| Arc::ptr_eq(&last.layout, &frame.layout) && last.health == frame.health;
            if last.is_some_and(|(_, last)| same(last)) {
                continue;
            }
            let key = shown(frame);
            let is_new = !self.learned.contains(&key) && (at > known || known == 0);
            let opens = before.take().zip(last).and_then(|((before, facts), (event, last))| {
                let tap = tapped_at(event)?;
                let opened = hash_of([before, key, tap.0 as u64, tap.1 as u64]);
                (!self.learned.contains(&opened)).then_some((opened, facts, event, last))
            });
            let facts = if is_new || opens.is_some() { Facts::of(frame, app) } else { None };
            if is_new {
                let see = |facts| self.see(None, facts, (trace, at), app);
                let settled = facts.as_ref().is_none_or(see);
                self.settle(key, settled);
            }
            if let Some((opened, opener, event, last)) = opens {
                let touched = touched_widget(event, &last.layout);
                let opener = opener.or_else(|| Facts::of(last, app)).zip(touched);
                let see = |facts| {
                    let opener = opener.as_ref().map(|(before, touched)| (before, *touched));
                    opener.is_none() || self.see(opener, facts, (trace, at), app)
                };
                let settled = facts.as_ref().is_none_or(see);
                self.settle(opened, settled);
            }
            before = Some((key, facts));
        }
    }

    /// Remembers that a screen teaches nothing more, if it keeps what is likely to hold.
    fn settle(&mut self, shown: u64, settled: bool) {
        if settled && self.learned.len() < MOST_LEARNED {
            self.learned.insert(shown);
        }
    }

    /// Learns from a screen, or from two of which a tap on the one opened the other. Returns whether it keeps all that holds
    /// elsewhere.
    fn see(
        &mut self,
        opener: Opener<'_, '_>,
        facts: &Facts<'_>,
        (trace, steps): (&Trace, usize),
        app: &str,
    ) -> bool {
        if self.pages.len() >= MOST_PAGES && !self.pages.contains_key(&facts.page) {
            return true;
        }
        let kept = match opener {
            None => kept_by(facts),
            Some((before, touched)) => kept_by_opened(before, touched, facts),
        };
        let page = self.pages.entry(facts.page).or_default();
        for relation in kept {
            if page.len() < MOST_RELATIONS {
                page.entry(relation).or_default();
            }
        }
        let known = page
            .iter_mut()
            .filter(|(relation, support)| relation.is_opened() == opener.is_some() && !support.refuted);
        let mut settled = true;
        for (relation, support) in known {
            let Some(compared) = relation.compare(opener, facts) else { continue };
            support.count(&compared, self.tests);
            settled &= compared.holds || support.shares().1 < LEAST_HELD;
            if !compared.holds && support.may_be_judged(relation) && support.wants_witness() {
                let restart = relation.is_told_by_restart() || support.shares().0 < HELD_BY_MOST;
                support.witnesses.extend(way::witness(trace, steps, (relation, restart), app));
            }
        }
        settled
    }

    /// What broke a relation that is kept otherwise, and was not looked at yet.
    pub fn suspects(&mut self, app: &str) -> Vec<Suspect> {
        let mut suspects = Vec::new();
        for (page, relations) in &mut self.pages {
            let best = best_of_numbers(relations);
            for (relation, support) in relations {
                let other = relation.number().is_some_and(|number| best.get(&number) != Some(relation));
                if other || support.tried >= MOST_TRIED || !support.may_be_judged(relation) {
                    continue;
                }
                let Some(witness) = support.witnesses.pop() else { continue };
                support.tried += 1;
                let rule = AgreementRule {
                    app: app.to_owned(),
                    page: *page,
                    relation: *relation,
                    restart: witness.compared.first() == Some(&Event::Relaunch),
                    looks: support.looks.0,
                    data: support.held.len() as u32,
                    tests: support.tests.0,
                };
                suspects.push(Suspect { witness, rule });
            }
        }
        suspects
    }

    /// Records that what a relation says follows from more than what is shown: a restart changes nothing.
    pub fn refute(&mut self, rule: &AgreementRule) {
        if let Some(support) = self.pages.get_mut(&rule.page).and_then(|page| page.get_mut(&rule.relation)) {
            *support = Support { refuted: true, tried: support.tried, ..Support::default() };
        }
    }

    /// What was proposed so far, and what became of it.
    pub fn counts(&self) -> AgreementCounts {
        let all = || self.pages.values().flatten();
        AgreementCounts {
            proposed: all().count(),
            refuted: all().filter(|(_, support)| support.refuted).count(),
            kept: all().filter(|(relation, support)| support.may_be_judged(relation)).count(),
        }
    }
}

/// Of each number, the relation with the most support: where a list has nothing checked, the number of its rows is that of
/// those that are not checked, too.
fn best_of_numbers(relations: &BTreeMap<Relation, Support>) -> BTreeMap<NumberAt, Relation> {
    let mut best: BTreeMap<NumberAt, (Relation, (usize, u32))> = BTreeMap::new();
    for (relation, support) in relations.iter().filter(|(relation, support)| support.may_be_judged(relation))
    {
        let held = (support.held.len(), support.looks.0);
        if let Some(number) = relation.number()
            && best.get(&number).is_none_or(|(_, most)| *most < held)
        {
            best.insert(number, (*relation, held));
        }
    }
    best.into_iter().map(|(number, (relation, _))| (number, relation)).collect()
}

impl Support {
    fn count(&mut self, compared: &Compared, test: u32) {
        let data = if compared.holds { &mut self.held } else { &mut self.broken };
        if data.len() < MOST_DATA {
            data.insert(compared.data);
        }
        if compared.holds {
            self.looks.0 += 1;
            if self.values.len() < NEEDED_VALUES {
                self.values.insert(compared.value);
            }
            if self.tests.1 != test {
                self.tests = (self.tests.0 + 1, test);
            }
        } else {
            self.looks.1 += 1;
            if self.broken.len() >= NEEDED_DATA && self.shares().1 < LEAST_HELD / 2 {
                *self = Support { refuted: true, ..Support::default() };
            }
        }
    }

    /// Of a hundred, how many different data keep it, and how many screens: the smaller number and the greater one.
    fn shares(&self) -> (usize, usize) {
        let share = |held: usize, broken: usize| held * 100 / (held + broken).max(1);
        let data = share(self.held.len(), self.broken.len());
        let looks = share(self.looks.0 as usize, self.looks.1 as usize);
        (data.min(looks), data.max(looks))
    }

    fn may_be_judged(&self, relation: &Relation) -> bool {
        let varies = self.values.len() >= NEEDED_VALUES || !relation.has_values();
        let enough = self.held.len() >= NEEDED_DATA && self.tests.0 >= NEEDED_TESTS && varies;
        enough && !self.refuted && self.shares().1 >= LEAST_HELD
    }

    /// Whether one more witness will be looked at.
    fn wants_witness(&self) -> bool {
        self.witnesses.len() + usize::from(self.tried) < usize::from(MOST_TRIED)
    }
}

impl Relation {
    /// The number that counts something beside it.
    fn number(&self) -> Option<NumberAt> {
        match self {
            Relation::Measures { number, .. } => Some(*number),
            _ => None,
        }
    }

    /// Whether it must be seen with different values to be no accident.
    fn has_values(&self) -> bool {
        matches!(self, Relation::Measures { .. } | Relation::OpensCounted { .. })
    }
}

/// A hash of what a screen says and of what is checked on it.
fn shown(frame: &Frame) -> u64 {
    let mut hasher = HashBuffer::default();
    hasher.text(frame.layout.activity());
    hasher.u64(u64::from(frame.health == AppHealth::Running));
    for widget in frame.layout.widgets() {
        hasher.u64(u64::from(widget.flags.0));
        hasher.text(&widget.text);
    }
    hasher.finish()
}

fn hash_of(numbers: [u64; 4]) -> u64 {
    let mut hasher = HashBuffer::default();
    numbers.into_iter().for_each(|number| hasher.u64(number));
    hasher.finish()
}

/// The widget that a tap touches.
pub(super) fn tapped(event: &Event, before: &Layout) -> Option<WidgetIdx> {
    tapped_at(event).and_then(|_| touched_widget(event, before))
}

/// Where a tap is made.
fn tapped_at(event: &Event) -> Option<(i32, i32)> {
    match event {
        Event::Widget { target, gesture: Gesture::Tap } => Some((target.at.x, target.at.y)),
        _ => None,
    }
}

/// The facts of the last screen of a trace, and of the screen whose tap opened it.
pub(super) fn last_facts<'t>(
    trace: &'t Trace,
    opened: bool,
    app: &str,
) -> Option<(Option<(Facts<'t>, WidgetIdx)>, Facts<'t>)> {
    let facts = Facts::of(trace.last(), app)?;
    if !opened {
        return Some((None, facts));
    }
    let at = trace.steps().iter().rposition(|step| !matches!(step.event, Event::Wait(_)))?;
    let before: &Frame = trace.frame(at)?;
    let touched = tapped(&trace.steps()[at].event, &before.layout)?;
    Some((Some((Facts::of(before, app)?, touched)), facts))
}
