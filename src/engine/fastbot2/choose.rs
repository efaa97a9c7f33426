//! The tiers of choice (paper.md, section 5): the first tier that has a candidate chooses.

use serde::{Deserialize, Serialize};
use taproof_screen::words;

use taproof_screen::determinism::Rng;
use taproof_spec::ActionKind;

use super::config::{Ablation, Fastbot2Config};

words! {
    /// The tier that chose an event.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum Tier {
        /// An event of a user-defined sequence.
        Scripted = "scripted" / "A sequence of the tester\u{2019}s.",
        /// Expansion: an event that no run has executed.
        Expansion = "expansion" / "No run has done the event yet.",
        /// Guidance: an event that, according to earlier runs, may lead to an activity that this run has not seen.
        Guided = "guided" / "Earlier events say that it may lead to an activity that this run has not seen.",
        /// Leftovers: an event that is known, but was not executed in this state.
        Leftover = "leftover" / "It is known, but was not done in this state.",
        /// A uniform random choice, occasionally, in place of the learned Q-values.
        Epsilon = "epsilon" / "Chance, now and then, in place of what was learned.",
        /// A softmax choice by the learned Q-values.
        Learned = "learned" / "What was learned says that it is worth most.",
        /// A random choice by priority, if learning is switched off.
        Priority = "priority" / "Chance by priority, as learning is switched off.",
    }
    /// The tier as one word for people.
    pub fn word;
    /// Why the tier chooses, as a sentence.
    pub fn reason;
    /// All tiers, in their order.
    pub const ALL;
}

/// An action of a page, with everything that the choice depends on. Actions on disabled, empty or invisible widgets are
/// not candidates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// Index among the page's actions.
    pub action: usize,
    pub kind: ActionKind,
    /// Whether any run has executed the event.
    pub known: bool,
    /// E(e): the probability that the event leads to an activity that this run has not seen, from 0 to 1.
    pub expected: f64,
    /// How often guidance has chosen the event in this run.
    pub guided: u32,
    /// How often the event was executed in this state.
    pub visits: u32,
    /// Number of equal widgets that offer the event.
    pub widgets: u32,
    /// Q-value of the event, in whichever state it is executed.
    pub q: f64,
}

impl Candidate {
    /// A candidate whose event no run has executed.
    pub fn new(action: usize, kind: ActionKind, widgets: u32) -> Self {
        Candidate { action, kind, known: false, expected: 0.0, guided: 0, visits: 0, widgets, q: 0.0 }
    }
}

/// The result of a choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Chosen {
    /// Index among the candidates.
    pub index: usize,
    pub tier: Tier,
    /// Number of candidates that the tier could choose from.
    pub among: usize,
    /// Probability with which it was chosen: its share of the tier's total weight.
    pub chance: f64,
    /// The score that its weight was computed from: priority, E or Q.
    pub score: f64,
    /// The random number that decided, in [0, 1).
    pub draw: f64,
}

/// Probability of a uniform choice in place of one by Q-values (the published program's; paper.md, section 5).
const EPSILON: f64 = 0.05;
/// Temperature of the choice by Q-values (the published program's; section 5).
const BETA: f64 = 0.1;
/// Added to the weight of an action on a widget that was not executed in this state (the published program's, as are the
/// other weights; section 3.3).
const UNVISITED: u32 = 20;
/// Added, times the base weight, while the action was not executed on each of its equal widgets in this state.
const UNSATURATED: u32 = 5;
/// Added for an action without a widget that was not executed in this state.
const UNTARGETED: u32 = 5;

/// The weight of an action for the random choice by priority (paper.md, section 3.3).
fn priority(candidate: &Candidate) -> u32 {
    let base = match candidate.kind {
        ActionKind::Click => 4,
        ActionKind::LongClick | ActionKind::Scroll(_) => 2,
        ActionKind::Back => return 1 + if candidate.visits == 0 { UNTARGETED } else { 0 },
    };
    let unvisited = if candidate.visits == 0 { UNVISITED } else { 0 };
    let unsaturated = if candidate.visits < candidate.widgets { UNSATURATED * base } else { 0 };
    base + unvisited + unsaturated
}

/// A random number in [0, 1) with 53 random bits.
pub(super) fn unit(rng: &mut Rng) -> f64 {
    const STEP: f64 = 1.0 / (1u64 << 53) as f64;
    (rng.next_u64() >> 11) as f64 * STEP
}

/// Computes the probabilities of a softmax over the scores.
pub(super) fn softmax(scores: &[f64], temperature: f64, chances: &mut Vec<f64>) {
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    chances.clear();
    chances.extend(scores.iter().map(|score| libm::exp((score - best) / temperature.max(f64::MIN_POSITIVE))));
    normalise(chances);
}

fn normalise(chances: &mut [f64]) {
    let total: f64 = chances.iter().sum();
    for chance in chances {
        *chance /= total;
    }
}

/// Makes choices. Its lists are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Chooser {
    among: Vec<usize>,
    scores: Vec<f64>,
    chances: Vec<f64>,
}

impl Chooser {
    /// Chooses the next action. `spread` is the running mean of how far Q-values on a page differ. `None` if there is
    /// no candidate.
    pub fn choose(
        &mut self,
        candidates: &[Candidate],
        config: &Fastbot2Config,
        spread: f64,
        rng: &mut Rng,
    ) -> Option<Chosen> {
        let priority = |candidate: &Candidate| f64::from(priority(candidate));
        if config.ablation != Ablation::Learning {
            let by_model = self.by_model(candidates, config, priority, rng);
            if by_model.is_some() {
                return by_model;
            }
        }
        if config.ablation == Ablation::Model {
            return self.weighted(Tier::Priority, candidates, priority, |_| true, rng);
        }
        if unit(rng) < EPSILON {
            return self.weighted(Tier::Epsilon, candidates, |_| 1.0, |_| true, rng);
        }
        self.learned(candidates, spread, rng)
    }

    /// Tiers 1 to 3. A tier without candidates draws no random number.
    fn by_model(
        &mut self,
        candidates: &[Candidate],
        config: &Fastbot2Config,
        priority: impl Fn(&Candidate) -> f64,
        rng: &mut Rng,
    ) -> Option<Chosen> {
        let fresh = |candidate: &Candidate| candidate.visits == 0;
        let unknown = |candidate: &Candidate| fresh(candidate) && !candidate.known;
        let left = |candidate: &Candidate| match config.each_widget {
            true => candidate.visits < candidate.widgets,
            false => fresh(candidate),
        };
        let targeted = |candidate: &Candidate| left(candidate) && candidate.kind != ActionKind::Back;
        self.weighted(Tier::Expansion, candidates, &priority, unknown, rng)
            .or_else(|| self.guided(candidates, config, rng))
            .or_else(|| self.weighted(Tier::Leftover, candidates, &priority, targeted, rng))
            .or_else(|| self.weighted(Tier::Leftover, candidates, &priority, fresh, rng))
    }

    /// One of the fitting candidates, with probabilities proportional to their weights.
    fn weighted(
        &mut self,
        tier: Tier,
        candidates: &[Candidate],
        weight: impl Fn(&Candidate) -> f64,
        fits: impl Fn(&Candidate) -> bool,
        rng: &mut Rng,
    ) -> Option<Chosen> {
        self.select(candidates, fits, weight);
        self.chances.clear();
        self.chances.extend_from_slice(&self.scores);
        normalise(&mut self.chances);
        self.draw(tier, rng)
    }

    /// Tier 2: by E. Each event is chosen at most once in a run, or once for each equal widget.
    fn guided(&mut self, candidates: &[Candidate], config: &Fastbot2Config, rng: &mut Rng) -> Option<Chosen> {
        let fits = |candidate: &Candidate| {
            let cap = if config.each_widget { candidate.widgets } else { 1 };
            candidate.known && candidate.expected > 0.0 && candidate.guided < cap
        };
        self.select(candidates, fits, |candidate| candidate.expected);
        softmax(&self.scores, config.alpha, &mut self.chances);
        self.draw(Tier::Guided, rng)
    }

    /// Tier 4: by Q, divided by the running mean of the spread of Q-values. The more often an event was executed in this
    /// state, the less likely it is.
    fn learned(&mut self, candidates: &[Candidate], spread: f64, rng: &mut Rng) -> Option<Chosen> {
        self.select(candidates, |_| true, |candidate| candidate.q);
        let temperature = BETA * if spread > 0.0 { spread } else { 1.0 };
        softmax(&self.scores, temperature, &mut self.chances);
        for (chance, index) in self.chances.iter_mut().zip(&self.among) {
            let Candidate { visits, widgets, .. } = candidates[*index];
            *chance /= 1.0 + f64::from(visits) / f64::from(widgets);
        }
        normalise(&mut self.chances);
        self.draw(Tier::Learned, rng)
    }

    fn select(
        &mut self,
        candidates: &[Candidate],
        fits: impl Fn(&Candidate) -> bool,
        score: impl Fn(&Candidate) -> f64,
    ) {
        self.among.clear();
        self.among.extend((0..candidates.len()).filter(|index| fits(&candidates[*index])));
        self.scores.clear();
        self.scores.extend(self.among.iter().map(|index| score(&candidates[*index])));
    }

    fn draw(&self, tier: Tier, rng: &mut Rng) -> Option<Chosen> {
        let last = self.among.len().checked_sub(1)?;
        let draw = unit(rng);
        let mut below = 0.0;
        let place = self.chances.iter().position(|chance| {
            below += chance;
            draw < below
        });
        // Rounding may leave a gap above the last candidate.
        let place = place.unwrap_or(last);
        Some(Chosen {
            index: self.among[place],
            tier,
            among: self.among.len(),
            chance: self.chances[place],
            score: self.scores[place],
            draw,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::Direction;

    fn near(left: &[f64], right: &[f64]) {
        let close = left.iter().zip(right).all(|(left, right)| (left - right).abs() < 5e-5);
        assert!(left.len() == right.len() && close, "{left:?} is not {right:?}");
    }

    #[test]
    fn the_softmax_of_the_reference() {
        let mut chances = Vec::new();
        softmax(&[0.3, 0.0, 0.5], 0.8, &mut chances);
        near(&chances, &[0.3366, 0.2313, 0.4321]);
        softmax(&[0.3, 0.0, 0.5], 0.1, &mut chances);
        near(&chances, &[0.1185, 0.0059, 0.8756]);
    }

    fn candidate(known: bool, expected: f64, visits: u32) -> Candidate {
        Candidate { known, expected, visits, ..Candidate::new(0, ActionKind::Click, 1) }
    }

    fn tiers(candidates: &[Candidate], config: &Fastbot2Config) -> Vec<(Tier, usize)> {
        let mut rng = Rng::from_seed(1);
        let mut chosen: Vec<(Tier, usize)> = (0..300)
            .map(|_| Chooser::default().choose(candidates, config, 1.0, &mut rng).unwrap())
            .map(|chosen| (chosen.tier, chosen.index))
            .collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    #[test]
    fn weights_are_those_of_the_table() {
        let weight =
            |kind, visits, widgets| priority(&Candidate { visits, ..Candidate::new(0, kind, widgets) });
        for (kind, expected) in [
            (ActionKind::Click, [44, 4, 24]),
            (ActionKind::LongClick, [32, 2, 12]),
            (ActionKind::Scroll(Direction::Up), [32, 2, 12]),
        ] {
            assert_eq!([weight(kind, 0, 1), weight(kind, 1, 1), weight(kind, 1, 5)], expected);
        }
        assert_eq!([weight(ActionKind::Back, 0, 1), weight(ActionKind::Back, 1, 1)], [6, 1]);
    }

    #[test]
    fn the_first_tier_that_has_a_candidate_chooses() {
        let config = Fastbot2Config::default();
        let (new, leads, dull, done) = (
            candidate(false, 0.0, 0),
            candidate(true, 0.4, 0),
            candidate(true, 0.0, 0),
            candidate(true, 0.0, 3),
        );
        assert_eq!(tiers(&[done, dull, leads, new], &config), [(Tier::Expansion, 3)]);
        assert_eq!(tiers(&[done, dull, leads], &config), [(Tier::Guided, 2)]);
        let tired = Candidate { guided: 1, visits: 1, ..leads };
        assert_eq!(tiers(&[done, dull, tired], &config), [(Tier::Leftover, 1)]);
        let several = Candidate { guided: 1, visits: 1, widgets: 2, ..leads };
        assert_eq!(tiers(&[done, dull, several], &config), [(Tier::Guided, 2)], "one for each equal widget");
        let back = Candidate { kind: ActionKind::Back, ..dull };
        assert_eq!(tiers(&[back, done, dull], &config), [(Tier::Leftover, 2)], "Back comes last");
        assert_eq!(tiers(&[back, done], &config), [(Tier::Leftover, 0)]);
        let by_chance = [(Tier::Epsilon, 0), (Tier::Epsilon, 1), (Tier::Learned, 0), (Tier::Learned, 1)];
        assert_eq!(tiers(&[done, done], &config), by_chance);
        let paper = Fastbot2Config { each_widget: false, ..config };
        assert_eq!(tiers(&[dull, several], &paper), [(Tier::Leftover, 0)], "once, however many are equal");
    }

    #[test]
    fn halves_can_be_switched_off() {
        let (new, leads, done) = (candidate(false, 0.0, 0), candidate(true, 0.4, 0), candidate(true, 0.0, 3));
        let only = |ablation| Fastbot2Config { ablation, ..Fastbot2Config::default() };
        let learning: Vec<Tier> =
            tiers(&[new, leads], &only(Ablation::Learning)).into_iter().map(|(tier, _)| tier).collect();
        assert_eq!(learning, [Tier::Epsilon, Tier::Epsilon, Tier::Learned, Tier::Learned]);
        assert_eq!(tiers(&[new, leads], &only(Ablation::Model)), [(Tier::Expansion, 0)]);
        assert_eq!(tiers(&[done], &only(Ablation::Model)), [(Tier::Priority, 0)]);
    }

    #[test]
    fn what_was_learned_is_weighed_against_what_was_done_often() {
        let (good, bad) = (Candidate { q: 2.0, ..candidate(true, 0.0, 1) }, candidate(true, 0.0, 1));
        let mut rng = Rng::from_seed(1);
        let mut chooser = Chooser::default();
        let chosen = chooser.learned(&[bad, good], 2.0, &mut rng).unwrap();
        assert_eq!((chosen.tier, chosen.index, chosen.score, chosen.among), (Tier::Learned, 1, 2.0, 2));
        near(&[chosen.chance], &[1.0 / (1.0 + libm::exp(-10.0))]);
        let often = Candidate { visits: 3, ..bad };
        chooser.learned(&[bad, often], 2.0, &mut rng).unwrap();
        near(&chooser.chances, &[2.0 / 3.0, 1.0 / 3.0]);
        assert_eq!(chooser.choose(&[], &Fastbot2Config::default(), 1.0, &mut rng), None);
    }

    #[test]
    fn draws_are_even_and_fine() {
        let mut rng = Rng::from_seed(2);
        let draws: Vec<f64> = (0..2000).map(|_| unit(&mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / 2000.0;
        assert!((mean - 0.5).abs() < 0.03 && draws.iter().all(|draw| (0.0..1.0).contains(draw)), "{mean}");
        let even = [candidate(false, 0.0, 0); 5];
        let mut picked = [0; 5];
        for _ in 0..5000 {
            let chosen = Chooser::default().choose(&even, &Fastbot2Config::default(), 1.0, &mut rng).unwrap();
            picked[chosen.index] += 1;
        }
        assert!(picked.iter().all(|times| (900..1100).contains(times)), "{picked:?}");
    }
}
