//! Where to travel: the fitness of a state and of its next paths (paper.md, section 5, the paper's Algorithm 3).

use crate::StateId;

/// Fitness of an interesting state, and of any other, f0 (the paper's, as are the other numbers).
const INTERESTING: f64 = 6.0;
const ORDINARY: f64 = 1.0;
/// What leading to an interesting state adds to a state's fitness, r.
const REWARD: f64 = 0.1;
/// What a visit that led to no interesting state subtracts from a state's fitness, p.
const PENALTY: f64 = 0.1;
/// Number of transitions that are looked ahead, k.
pub(super) const PATH_LENGTH: usize = 3;

/// f(s) = f0 (1 + r)^w (1 - p)^(v - w), the paper's fitness of one state.
pub(super) fn fitness(interesting: bool, visits: u64, led_on: u64) -> f64 {
    let first = if interesting { INTERESTING } else { ORDINARY };
    let fruitless = visits.saturating_sub(led_on);
    first * libm::pow(1.0 + REWARD, led_on as f64) * libm::pow(1.0 - PENALTY, fruitless as f64)
}

/// For each state the mean, over all paths of `length` transitions from it, of the sum of fitness along the path. A
/// path that ends early counts as it is. Computed by recursion over the length, so that paths need not be listed.
pub(super) fn path_values(fitness: &[f64], successors: &[&[StateId]], length: usize) -> Vec<f64> {
    let mut paths = vec![1.0; fitness.len()];
    let mut totals = fitness.to_vec();
    for _ in 0..length {
        let (mut more_paths, mut more_totals) = (paths.clone(), totals.clone());
        for (state, next) in successors.iter().enumerate().filter(|(_, next)| !next.is_empty()) {
            let of = |table: &[f64]| next.iter().map(|next| table[next.0 as usize]).sum::<f64>();
            more_paths[state] = of(&paths);
            more_totals[state] = of(&totals) + fitness[state] * more_paths[state];
        }
        (paths, totals) = (more_paths, more_totals);
    }
    totals.iter().zip(&paths).map(|(total, paths)| total / paths).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fitness_of_a_state_is_the_papers() {
        let check = |interesting, visits, led_on, expected: f64| {
            let found = fitness(interesting, visits, led_on);
            assert!((found - expected).abs() < 1e-9, "{found} for {expected}");
        };
        check(true, 1, 0, 5.4);
        check(true, 3, 1, 5.346);
        check(false, 2, 0, 0.81);
        check(false, 5, 2, 0.88209);
    }

    #[test]
    fn the_state_with_the_best_paths_is_chosen() {
        // A 6, B 2, C 4, D 1; A to B and C, B to A and D, C to D.
        let ids = |ids: &[u32]| ids.iter().map(|id| StateId(*id)).collect::<Vec<_>>();
        let next = [ids(&[1, 2]), ids(&[0, 3]), ids(&[3]), ids(&[])];
        let next: Vec<&[StateId]> = next.iter().map(Vec::as_slice).collect();
        let values = |length| path_values(&[6.0, 2.0, 4.0, 1.0], &next, length);
        let rounded = |length| -> Vec<i64> {
            values(length).iter().map(|value| (value * 1000.0).round() as i64).collect()
        };
        assert_eq!(rounded(2), [11_333, 8_333, 5_000, 1_000]);
        assert_eq!(rounded(3), [13_500, 10_750, 5_000, 1_000]);
        assert_eq!(rounded(0), [6_000, 2_000, 4_000, 1_000]);
    }
}
