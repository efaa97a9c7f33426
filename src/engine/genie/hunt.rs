//! Plays the mutants of seed tests, judges them, and reports the effects that they lost (paper.md, sections 10 to 12).

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Genie;
use super::another_test::{Sought, data_of};
use super::mutant::{Mutant, Played};
use super::passing::passing_mutants;
use super::plan::{SearchContext, mutants_of};
use super::seed::SeedTest;
use super::seed_run::{FoundError, SeedRun};
use crate::oracle::{
    Batch, Comparison, ComparisonRule, Detour, DetourPause, EffectComparison, EffectJudge, Prepared,
    TestPair, align, detour_words, merge_batches,
};
use crate::{RoundCtx, Stop};
use taproof_screen::Trace;
use taproof_screen::determinism::Rng;

impl Genie {
    /// Plans the mutants of a walk that may show a reported error once more, if there is one. Otherwise takes the most
    /// informative walk that was not used as a seed test. Either is executed once more first.
    pub(super) fn plan_mutants(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let mut rng = ctx.rng.fork("mutants");
        let another = self.another_test(ctx.target(), &mut rng);
        let sought = another.is_some();
        let Some((seed, mut mutants)) = another.or_else(|| Some((self.take_seed()?, Vec::new()))) else {
            return Ok(());
        };
        let Some(seed) = self.stabilised(ctx, seed)? else { return Ok(()) };
        self.state.made += 1;
        let events = ctx.events();
        let share = ctx.event_limit().saturating_sub(events).min(self.config.events_per_seed);
        if !sought {
            mutants = self.new_mutants(ctx, &seed, share, &mut rng)?;
        }
        mutants.reverse();
        self.judge = None;
        self.state.current = Some(SeedRun::new(seed, mutants, events.saturating_add(share)));
        Ok(())
    }

    /// The mutants of a new seed test that has so many events, in the order in which they are played.
    fn new_mutants(
        &mut self,
        ctx: &RoundCtx<'_>,
        seed: &SeedTest,
        share: u64,
        rng: &mut Rng,
    ) -> Result<Vec<Mutant>, Stop> {
        // No more than can be played: each takes about as many events as the seed test.
        let most = usize::try_from(share).unwrap_or(usize::MAX) / seed.planned.len().max(1) + 1;
        let (model, changing) = (&self.state.model, &self.state.changing);
        let known = SearchContext { model, changing, ctx };
        let mut passing = match self.config.passing_detours {
            true => passing_mutants(seed, ctx.target(), &mut self.state.loops, rng),
            false => Default::default(),
        };
        mutants_of(seed, known, &mut passing, most, &self.config, rng)
    }

    /// Number of events that it takes to show the errors of the current seed test once more, each beside its control.
    pub(super) fn events_to_report(&self) -> u64 {
        let Some(run) = &self.state.current else { return 0 };
        let mut kinds = BTreeSet::new();
        let new = run.errors.iter().filter(|error| self.may_report(error) && kinds.insert(error.kind));
        let length = |error: &FoundError| 2 * run.seed.planned.len() + error.mutant.detour.len() + 1;
        new.map(|error| length(error) as u64).sum()
    }

    /// Plays the next mutant of the current seed test that can be played as far as is known.
    pub(super) fn mutate(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let Some(run) = self.state.current.as_mut().filter(|run| ctx.events() < run.until) else {
            self.end_mutants();
            return Ok(());
        };
        while let Some(mutant) = run.mutants.pop() {
            let prefixes = mutant.prefixes(&run.seed);
            if !prefixes.iter().any(|prefix| self.state.unplayable.contains(prefix)) {
                return self.play(ctx, mutant);
            }
            self.state.counts.pruned += 1;
        }
        self.end_mutants();
        Ok(())
    }

    fn play(&mut self, ctx: &mut RoundCtx<'_>, mutant: Mutant) -> Result<(), Stop> {
        let Some(run) = self.state.current.as_mut() else { return Ok(()) };
        self.state.counts.mutants += 1;
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
            }
            Played::Until(index) => {
                self.state.unplayable.extend(mutant.prefixes(&run.seed).get(index));
                if index < mutant.position + mutant.detour.len() {
                    return Ok(());
                }
            }
            Played::Returned => self.state.counts.strayed += 1,
            Played::Unfaithfully => return Ok(()),
            Played::Strayed => {
                self.state.counts.strayed += 1;
                return Ok(());
            }
        }
        self.note_errors(&mutant, ctx.trace());
        Ok(())
    }

    /// Judges a mutant that was played, and notes the errors that it shows.
    fn note_errors(&mut self, mutant: &Mutant, trace: &Trace) {
        let Some(run) = self.state.current.as_mut() else { return };
        let judge = self.judge.get_or_insert_with(|| EffectJudge::new(self.config.rule(&run.seed.unstable)));
        let Some(mut judged) = judged(judge, &run.seed.trace, trace) else { return };
        let mut batches = std::mem::take(&mut judged.batches);
        batches.retain(|batch| batch.firm);
        self.state.counts.violating += u64::from(!batches.is_empty());
        let pair = judged.pair();
        for error in merge_batches(&batches) {
            let kind = batches[error.batches[0]].kind(pair);
            match run.errors.iter_mut().find(|known| known.key == error.key) {
                Some(known) => known.count += 1,
                None => run.errors.push(FoundError {
                    key: error.key,
                    kind,
                    count: 1,
                    mutant: mutant.clone(),
                    number: self.state.counts.mutants,
                    pause: DetourPause::of(trace),
                    data: data_of(&run.seed, mutant.position),
                }),
            }
        }
    }

    /// Ends the mutants of the current seed test and chooses which errors may be reported.
    fn end_mutants(&mut self) {
        let Some(mut run) = self.state.current.take() else { return };
        let counts = &mut self.state.counts;
        counts.errors += run.errors.len() as u64;
        counts.single += run.errors.iter().filter(|error| error.count == 1).count() as u64;
        run.errors.retain(|error| self.may_report(error));
        order_reports(&mut run.errors);
        run.reporting = true;
        self.state.current = Some(run);
    }

    /// Whether an error of the current seed test may be reported: one of a kind that few tests have shown, none of them
    /// with these data. Without `report_repeated`, only one mutant may have shown it.
    fn may_report(&self, error: &FoundError) -> bool {
        let shown = self.state.reported.get(&error.kind);
        (error.count == 1 || self.config.report_repeated)
            && shown.is_none_or(|known| known.may_be_shown_by(error.data))
    }

    /// Reproduces the next error of the current seed test. Once it is reported, the other errors of its kind and of its
    /// mutant are merged into it. If it does not show again, they have their
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
            let first = || Sought::of(&run.seed, &error.mutant);
            self.state.reported.entry(error.kind).or_insert_with(first).shown_by(error.data);
        }
        Ok(())
    }

    /// Plays a mutant once more and reports the error if it shows it again, also in comparison with its control: the seed
    /// test with a pause as long as the detour took. Returns whether it does.
    fn report(&mut self, ctx: &mut RoundCtx<'_>, error: &FoundError) -> Result<bool, Stop> {
        let Some(run) = &self.state.current else { return Ok(false) };
        let seed = &run.seed;
        let rule = self.config.rule(&seed.unstable);
        let pauses = |events| error.pause.filter(|pause| pause.after == events).map(|pause| pause.length);
        seed.perform(ctx, pauses)?;
        let control = ctx.trace().clone();
        error.mutant.play(ctx, seed, &self.config)?;
        let mut judge = EffectJudge::new(rule.clone());
        let Some(judged) = judged(&mut judge, &control, ctx.trace()) else { return Ok(false) };
        let Some(batch) = judged.batches.iter().find(|batch| batch.key() == error.key) else {
            return Ok(false);
        };
        let detour = detour_words(ctx.trace());
        let Some(violation) = batch.violation(judged.pair(), &detour) else { return Ok(false) };
        let sought = violation.origin().checks;
        let comparison = Comparison {
            reference: control,
            rule: ComparisonRule::Effects(EffectComparison { rule, sought }),
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
        let key = ErrorKey::default();
        FoundError { key, kind, count, mutant, number, pause: None, data: 0 }
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
