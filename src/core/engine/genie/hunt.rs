//! Plays the mutants of seed tests, judges them, and reports the effects that they lost (paper.md, sections 10 to 12).

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Genie;
use super::mutant::{Mutant, Played};
use super::passing::passing_mutants;
use super::plan::{SearchContext, mutants_of};
use super::seed_run::{FoundError, SeedRun};
use crate::engine::{RoundCtx, Stop};
use crate::model::Trace;
use crate::oracle::{
    Batch, Comparison, ComparisonRule, Detour, EffectComparison, EffectJudge, EffectTriage, Prepared,
    TestPair, align, detour_words, merge_batches,
};

impl Genie {
    /// Takes the most informative walk that was not used as a seed test, executes it once more and plans its mutants.
    pub(super) fn plan_mutants(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let Some(seed) = self.take_seed() else { return Ok(()) };
        let Some(seed) = self.stabilised(ctx, seed)? else { return Ok(()) };
        self.state.made += 1;
        let events = ctx.events();
        let share =
            self.reporting_from(ctx.event_limit()).saturating_sub(events).min(self.config.events_per_seed);
        let mut rng = ctx.rng.fork("mutants");
        // No more than can be played: each takes about as many events as the seed test.
        let most = usize::try_from(share).unwrap_or(usize::MAX) / seed.planned.len().max(1) + 1;
        let (model, changing) = (&self.state.model, &self.state.changing);
        let known = SearchContext { model, changing, ctx };
        let mut passing = passing_mutants(&seed, ctx.target(), &mut self.state.loops, &self.config, &mut rng);
        let mut mutants = mutants_of(&seed, known, &mut passing, most, &self.config, &mut rng)?;
        mutants.reverse();
        self.judge = None;
        self.state.current = Some(SeedRun::new(seed, mutants, events.saturating_add(share)));
        Ok(())
    }

    /// The number of events from which on only the errors that were seen are reproduced.
    pub(super) fn reporting_from(&self, limit: u64) -> u64 {
        limit - limit / 100 * self.config.report_percent.min(100)
    }

    /// Plays the next mutant of the current seed test.
    pub(super) fn mutate(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let Some(run) = self.state.current.as_mut() else { return Ok(()) };
        let next = (ctx.events() < run.until).then(|| run.mutants.pop()).flatten();
        let Some(mutant) = next else {
            self.end_mutants();
            return Ok(());
        };
        if mutant.prefixes(&run.seed).iter().any(|prefix| self.state.unplayable.contains(prefix)) {
            self.state.counts.pruned += 1;
            return Ok(());
        }
        self.play(ctx, mutant)
    }

    fn play(&mut self, ctx: &mut RoundCtx<'_>, mutant: Mutant) -> Result<(), Stop> {
        let Some(run) = self.state.current.as_mut() else { return Ok(()) };
        self.state.counts.mutants += 1;
        let mut exact = false;
        let played = mutant.play(ctx, &run.seed, &self.config)?;
        self.state.loops.learn_openings(ctx.trace(), &mutant.planned(&run.seed));
        let opening = mutant.only_opens();
        if let Some(opens) = opening.and_then(|class| self.state.loops.opens_mut(&mutant.detour[0].on, class))
        {
            opens.tried += 1;
        }
        match played {
            Played::Fully { faithful } => {
                self.state.counts.fully += 1;
                self.state.counts.faithful += u64::from(faithful);
                exact = faithful;
            }
            Played::Until(index) => {
                self.state.unplayable.extend(mutant.prefixes(&run.seed).get(index));
                if index < mutant.position + mutant.detour.len() {
                    return Ok(());
                }
            }
            Played::Returned => self.state.counts.strayed += 1,
            Played::Unfaithfully if self.config.judge_unfaithful => {}
            Played::Unfaithfully => return Ok(()),
            Played::Strayed => {
                self.state.counts.strayed += 1;
                return Ok(());
            }
        }
        let judge = self.judge.get_or_insert_with(|| EffectJudge::new(self.config.rule(&run.seed.unstable)));
        let Some(mut judged) = judged(judge, &run.seed.trace, ctx.trace()) else { return Ok(()) };
        let mut batches = std::mem::take(&mut judged.batches);
        batches.retain(|batch| batch.firm || self.config.report_weak);
        self.state.counts.violating += u64::from(!batches.is_empty());
        let pair = judged.pair();
        let mut kinds = BTreeSet::new();
        for error in merge_batches(&batches, self.config.merge_with_texts) {
            let kind = batches[error.batches[0]].kind(pair);
            kinds.insert(kind);
            match run.errors.iter_mut().find(|known| known.key == error.key) {
                Some(known) => known.count += 1,
                None => run.errors.push(FoundError {
                    key: error.key,
                    kind,
                    count: 1,
                    mutant: mutant.clone(),
                    number: self.state.counts.mutants,
                    faithful: exact,
                }),
            }
        }
        for kind in kinds {
            *self.state.kinds.entry(kind).or_default() += 1;
        }
        Ok(())
    }

    /// Ends the mutants of the current seed test and chooses which errors may be reported: those of rare kinds that were
    /// not reported yet, and without `report_repeated` only those that a single mutant showed.
    fn end_mutants(&mut self) {
        let Some(run) = self.state.current.as_mut() else { return };
        let counts = &mut self.state.counts;
        counts.errors += run.errors.len() as u64;
        counts.single += run.errors.iter().filter(|error| error.count == 1).count() as u64;
        let (kinds, limit) = (&self.state.kinds, self.config.kind_limit);
        let rare = |kind: &u64| limit == 0 || kinds.get(kind).is_none_or(|count| *count <= limit);
        let repeated = self.config.report_repeated;
        let reported = &self.state.reported;
        run.errors.retain(|error| {
            (error.count == 1 || repeated) && rare(&error.kind) && !reported.contains(&error.kind)
        });
        order_reports(&mut run.errors);
        run.reporting = true;
    }

    /// Reproduces the next error of the current seed test. Once it is reported, the other errors of its kind and of its
    /// mutant are merged into it: its triage counts the mutants of the kind. If it does not show again, they have their
    /// turn.
    pub(super) fn report_next(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let Some(run) = self.state.current.as_mut() else { return Ok(()) };
        if !run.reporting {
            self.end_mutants();
            return Ok(());
        }
        let Some(error) = run.errors.pop() else {
            self.state.current = None;
            return Ok(());
        };
        if self.report(ctx, &error)?
            && let Some(run) = self.state.current.as_mut()
        {
            run.errors.retain(|other| !other.merges_into(&error));
            self.state.reported.insert(error.kind);
        }
        Ok(())
    }

    /// Plays a mutant once more and reports the error if it shows it again; returns whether it does.
    fn report(&mut self, ctx: &mut RoundCtx<'_>, error: &FoundError) -> Result<bool, Stop> {
        let Some(run) = &self.state.current else { return Ok(false) };
        let seed = &run.seed;
        let rule = self.config.rule(&seed.unstable);
        error.mutant.play(ctx, seed, &self.config)?;
        let mut judge = EffectJudge::new(rule.clone());
        let Some(judged) = judged(&mut judge, &seed.trace, ctx.trace()) else { return Ok(false) };
        let with_texts = self.config.merge_with_texts;
        let Some(batch) = judged.batches.iter().find(|batch| batch.key(with_texts) == error.key) else {
            return Ok(false);
        };
        let detour = detour_words(ctx.trace());
        let Some(violation) = batch.violation(judged.pair(), &detour) else { return Ok(false) };
        let sought = violation.origin().checks;
        let triage = EffectTriage {
            firm: batch.firm,
            faithful: error.faithful,
            mutants: error.count,
            mutants_of_kind: self.state.kinds.get(&error.kind).copied().unwrap_or(error.count),
        };
        let weak = self.config.report_weak;
        let comparison = Comparison {
            reference: seed.trace.clone(),
            rule: ComparisonRule::Effects(EffectComparison { rule, sought, weak, triage }),
        };
        self.state.counts.reported += 1;
        ctx.report_with(violation, comparison);
        Ok(true)
    }
}

/// Orders errors for reporting, the next one last: those that the fewest mutants showed first, then in the order in
/// which they were seen.
fn order_reports(found: &mut [FoundError]) {
    found.reverse();
    found.sort_by_key(|error| std::cmp::Reverse(error.count));
}

/// A seed test and its mutant, aligned, with the comparisons that are violated.
struct Judged {
    seed: Vec<Option<Arc<Prepared>>>,
    mutant: Vec<Option<Arc<Prepared>>>,
    position: usize,
    inserted: usize,
    detour: Detour,
    batches: Vec<Batch>,
}

impl Judged {
    fn pair(&self) -> TestPair<'_> {
        let (position, inserted) = (self.position, self.inserted);
        TestPair { seed: &self.seed, mutant: &self.mutant, position, inserted, detour: Some(&self.detour) }
    }
}

fn judged(judge: &mut EffectJudge, seed: &Trace, mutant: &Trace) -> Option<Judged> {
    let aligned = align(seed, mutant)?;
    let (seed, mutant) = (judge.prepare_all(&aligned.seed), judge.prepare_all(&aligned.mutant));
    let (position, inserted) = (aligned.position, aligned.inserted);
    let detour = aligned.detour;
    let test = TestPair { seed: &seed, mutant: &mutant, position, inserted, detour: Some(&detour) };
    let batches = judge.judge(test);
    Some(Judged { seed, mutant, position, inserted, detour, batches })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::ErrorKey;

    fn error(kind: u64, count: u32, number: u64) -> FoundError {
        let mutant = Mutant { position: 0, detour: Vec::new(), reopens: false };
        FoundError { key: ErrorKey::default(), kind, count, mutant, number, faithful: true }
    }

    /// The kinds and mutants that are reported if those of `fails` do not show their error again.
    fn reported(mut found: Vec<FoundError>, fails: &[u64]) -> Vec<(u64, u64)> {
        order_reports(&mut found);
        let mut reported = Vec::new();
        while let Some(error) = found.pop() {
            if !fails.contains(&error.number) {
                found.retain(|other| !other.merges_into(&error));
                reported.push((error.kind, error.number));
            }
        }
        reported
    }

    #[test]
    fn errors_that_repeat_are_merged_into_one_and_come_last() {
        let found =
            || vec![error(1, 3, 10), error(2, 1, 11), error(2, 1, 20), error(3, 2, 21), error(4, 2, 21)];
        assert_eq!(
            reported(found(), &[]),
            [(2, 11), (3, 21), (1, 10)],
            "one of each kind and of each mutant"
        );
        assert_eq!(
            reported(found(), &[11]),
            [(2, 20), (3, 21), (1, 10)],
            "another mutant of the kind shows it"
        );
        assert_eq!(reported(found(), &[10, 11, 20, 21]), []);
    }
}
