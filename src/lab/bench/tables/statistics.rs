//! The statistics with which randomised algorithms are compared (Arcuri and Briand, ICSE 2011; Klees et al., CCS 2018):
//! bootstrap intervals, Vargha and Delaney's A12, and the tests of Mann and Whitney and of McNemar.

use serde::{Deserialize, Serialize};
use taproof_screen::determinism::Rng;

/// A difference is called beyond noise if the probability of one as large by chance is below this.
pub const SIGNIFICANT: f64 = 0.05;

/// Number of bootstrap samples.
const RESAMPLES: usize = 1_000;

/// The exact distribution of Mann and Whitney's U is used up to this product of the sizes of the samples.
const EXACT_UP_TO: usize = 400;

/// A 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether the two have no number in common.
    pub fn is_apart_from(self, other: Interval) -> bool {
        self.high < other.low || other.high < self.low
    }
}

/// The middle value, or the mean of the two in the middle; `None` without values.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(&sorted(values), 0.5)
}

/// The values in ascending order.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The value below which this part of the sorted values lies, interpolated linearly between neighbours; `None` without
/// values.
pub fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    let place = part * sorted.len().checked_sub(1)? as f64;
    let (lower, upper) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(lower + (upper - lower) * (place - place.floor()))
}

/// The mean; `None` without values.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The 95 % bootstrap percentile intervals of the means of the columns, which are shares from 0 to 1. A unit, such as a
/// fault, is a row: it is drawn with all of its shares, as those depend on one another. Where all units agree on 0 or 1, the
/// bootstrap knows no doubt, so the interval is Clopper and Pearson's for so many units. Empty without rows.
pub fn bootstrap_shares(rows: &[Vec<f64>], mut rng: Rng) -> Vec<Interval> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut means = vec![Vec::with_capacity(RESAMPLES); columns];
    let mut sums = vec![0.0; columns];
    for _ in 0..RESAMPLES {
        sums.fill(0.0);
        for _ in 0..rows.len() {
            let row = &rows[rng.below(rows.len())];
            sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
        means.iter_mut().zip(&sums).for_each(|(means, sum)| means.push(sum / rows.len() as f64));
    }
    let doubt = 1.0 - libm::pow(0.025, 1.0 / rows.len().max(1) as f64);
    let interval = |means: Vec<f64>| {
        let means = sorted(&means);
        let end = |part| quantile(&means, part).unwrap_or_default();
        match (end(0.0), end(1.0)) {
            (_, 0.0) => Interval { low: 0.0, high: doubt },
            (1.0, _) => Interval { low: 1.0 - doubt, high: 1.0 },
            _ => Interval { low: end(0.025), high: end(0.975) },
        }
    };
    means.into_iter().map(interval).collect()
}

/// Vargha and Delaney's A12: how likely a value of the first sample is larger than one of the second, where equal values
/// count half. `None` if a sample is empty.
pub fn a12(first: &[f64], second: &[f64]) -> Option<f64> {
    let pairs = first.len() * second.len();
    (pairs > 0).then(|| rank_sums(first, second).0 / pairs as f64)
}

/// How large a difference is that A12 tells, in the words of Vargha and Delaney.
pub fn effect_words(a12: f64) -> &'static str {
    match (a12 - 0.5).abs() {
        size if size < 0.06 => "negligible",
        size if size < 0.14 => "small",
        size if size < 0.21 => "medium",
        _ => "large",
    }
}

/// The two-sided p-value of Mann and Whitney's U test: exact for small samples without equal values, otherwise by the
/// normal approximation with corrections for ties and continuity. 1 if a sample is empty.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> f64 {
    let (n, m) = (first.len(), second.len());
    if n == 0 || m == 0 {
        return 1.0;
    }
    let (u, ties) = rank_sums(first, second);
    let u = u.max((n * m) as f64 - u);
    if ties == 0.0 && n * m <= EXACT_UP_TO {
        return (2.0 * exact_tail(n, m, u.round() as usize)).min(1.0);
    }
    let (n, m) = (n as f64, m as f64);
    let all = n + m;
    let variance = n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let z = (u - n * m / 2.0 - 0.5) / variance.sqrt();
    libm::erfc(z / std::f64::consts::SQRT_2).min(1.0)
}

/// The two-sided p-value of McNemar's exact test, of pairs of which `gained` changed one way and `lost` the other.
pub fn mcnemar(gained: usize, lost: usize) -> f64 {
    let (n, fewer) = ((gained + lost) as f64, gained.min(lost));
    let ln_factorial = |n: f64| libm::lgamma(n + 1.0);
    let probability = |k: f64| {
        libm::exp(ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k) - n * std::f64::consts::LN_2)
    };
    (2.0 * (0..=fewer).map(|k| probability(k as f64)).sum::<f64>()).min(1.0)
}

/// Holm's correction for many tests: the adjusted p-values, in the order of the given ones.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least = 0.0f64;
    for (before, place) in order.iter().enumerate() {
        least = least.max((p_values.len() - before) as f64 * p_values[*place]).min(1.0);
        adjusted[*place] = least;
    }
    adjusted
}

/// Mann and Whitney's U of the first sample, and the sum of t³ - t over all groups of t equal values.
fn rank_sums(first: &[f64], second: &[f64]) -> (f64, f64) {
    let mut all: Vec<(f64, bool)> = first.iter().map(|value| (*value, true)).collect();
    all.extend(second.iter().map(|value| (*value, false)));
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut ranks, mut ties, mut below) = (0.0, 0.0, 0.0);
    for equal in all.chunk_by(|a, b| a.0 == b.0) {
        let count = equal.len() as f64;
        let rank = below + (count + 1.0) / 2.0;
        ranks += rank * equal.iter().filter(|(_, of_first)| *of_first).count() as f64;
        ties += count * count * count - count;
        below += count;
    }
    let n = first.len() as f64;
    (ranks - n * (n + 1.0) / 2.0, ties)
}

/// The probability of a U of at least `u` if both samples come from one distribution without equal values.
fn exact_tail(n: usize, m: usize, u: usize) -> f64 {
    // ways[k][u]: number of ways to choose k of the values seen so far such that they make a U of u.
    let most = n * m;
    let mut ways = vec![vec![0.0f64; most + 1]; n + 1];
    ways[0][0] = 1.0;
    for value in 0..n + m {
        for chosen in (1..=n.min(value + 1)).rev() {
            // A value of the first sample is above those of the second among the values before it.
            let above = value + 1 - chosen;
            if above > m {
                continue;
            }
            for u in (above..=most).rev() {
                let added = ways[chosen - 1][u - above];
                ways[chosen][u] += added;
            }
        }
    }
    let all: f64 = ways[n].iter().sum();
    ways[n][u.min(most)..].iter().sum::<f64>() / all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-9, "{value} is not {expected}");
    }

    const SMALL: ([f64; 5], [f64; 6]) = ([1.1, 2.3, 3.7, 4.2, 5.9], [2.0, 3.1, 6.5, 7.4, 8.8, 9.6]);
    const TIED: ([f64; 12], [f64; 13]) = (
        [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0, 5.0, 8.0],
        [9.0, 7.0, 9.0, 3.0, 2.0, 3.0, 8.0, 4.0, 6.0, 2.0, 6.0, 4.0, 3.0],
    );
    const APART: ([f64; 9], [f64; 10]) = (
        [12.0, 15.0, 15.0, 18.0, 20.0, 22.0, 30.0, 30.0, 41.0],
        [30.0, 31.0, 41.0, 41.0, 41.0, 50.0, 55.0, 60.0, 41.0, 41.0],
    );

    /// The expected values are those of scipy 1.17.1: `mannwhitneyu(x, y, method=...)`.
    #[test]
    fn mann_whitney_is_exact_for_small_samples_and_corrected_for_ties() {
        close(mann_whitney(&SMALL.0, &SMALL.1), 0.177_489_177_489_177_5);
        close(mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]), 0.1);
        close(mann_whitney(&[1.0, 4.0, 6.0, 7.0], &[2.0, 3.0, 5.0, 8.0, 9.0]), 0.730_158_730_158_730_1);
        close(mann_whitney(&TIED.0, &TIED.1), 0.510_505_607_347_969);
        close(mann_whitney(&APART.0, &APART.1), 0.001_188_120_599_632_928);
        close(mann_whitney(&[5.0; 3], &[5.0; 2]), 1.0);
        close(mann_whitney(&[], &[1.0]), 1.0);
    }

    #[test]
    fn a12_is_the_share_of_won_pairs() {
        // 42 is above all three, 11 and 7 are above two.
        close(a12(&[42.0, 11.0, 7.0], &[1.0, 20.0, 5.0]).unwrap(), 7.0 / 9.0);
        close(a12(&SMALL.0, &SMALL.1).unwrap(), 7.0 / 30.0);
        close(a12(&TIED.0, &TIED.1).unwrap(), 65.5 / 156.0);
        close(a12(&[5.0; 3], &[5.0; 2]).unwrap(), 0.5);
        assert_eq!(a12(&[], &[1.0]), None);
        let words = [0.5, 0.57, 0.35, 0.95].map(effect_words);
        assert_eq!(words, ["negligible", "small", "medium", "large"]);
    }

    /// The expected values are those of scipy 1.17.1: `binomtest(k, n, 0.5)`.
    #[test]
    fn mcnemar_is_exact() {
        close(mcnemar(2, 9), 0.065_429_687_5);
        close(mcnemar(25, 10), 0.016_673_847_800_120_715);
        close(mcnemar(5, 5), 1.0);
        close(mcnemar(0, 0), 1.0);
        close(mcnemar(400, 500), 0.000_956_444_136_918_937_3);
    }

    #[test]
    fn holm_adjusts_the_smallest_most() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        [0.03, 0.06, 0.06, 0.02].iter().zip(&adjusted).for_each(|(expected, value)| close(*value, *expected));
    }

    #[test]
    fn bootstrap_intervals_are_those_of_the_binomial_distribution() {
        let rows: Vec<Vec<f64>> = (0..100).map(|unit| vec![f64::from(unit % 2), 0.5]).collect();
        let intervals = bootstrap_shares(&rows, Rng::from_seed(1));
        // The normal approximation: 0.5 ± 1.96 * 0.05.
        assert!((intervals[0].low - 0.402).abs() < 0.015, "{intervals:?}");
        assert!((intervals[0].high - 0.598).abs() < 0.015, "{intervals:?}");
        assert_eq!(intervals[1], Interval { low: 0.5, high: 0.5 });
        assert_eq!(intervals, bootstrap_shares(&rows, Rng::from_seed(1)));
        assert!(bootstrap_shares(&[], Rng::from_seed(1)).is_empty());
    }

    /// The expected value is that of scipy 1.17.1: `binomtest(0, 5).proportion_ci()`.
    #[test]
    fn units_that_agree_leave_doubt() {
        let of = |share: f64| {
            bootstrap_shares(
                &[vec![share], vec![share], vec![share], vec![share], vec![share]],
                Rng::from_seed(1),
            )
        };
        close(of(0.0)[0].high, 0.521_823_750_104_981_6);
        close(of(1.0)[0].low, 1.0 - 0.521_823_750_104_981_6);
        assert_eq!((of(0.0)[0].low, of(1.0)[0].high), (0.0, 1.0));
    }

    #[test]
    fn intervals_that_touch_are_not_apart() {
        let of = |low, high| Interval { low, high };
        assert!(of(0.1, 0.2).is_apart_from(of(0.3, 0.4)) && of(0.3, 0.4).is_apart_from(of(0.1, 0.2)));
        assert!(!of(0.1, 0.3).is_apart_from(of(0.3, 0.4)));
    }

    #[test]
    fn quantiles_lie_between_neighbours() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.25), Some(1.75));
        assert_eq!((median(&[]), mean(&[])), (None, None));
    }
}
