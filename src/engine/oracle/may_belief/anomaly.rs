//! Detects clusters that are too small to be a belief (`engine/odin/paper.md`, section 11): a z-score relative to the
//! clusters that contain most of the behaviours.

use serde::{Deserialize, Serialize};

/// Number of standard deviations below the majority's mean at which an anomaly begins (the paper's).
const THRESHOLD: f64 = 3.0;
/// Replacement for a deviation of zero, as a share of the majority's mean (not in the paper).
pub(super) const FLOOR: f64 = 0.25;
/// Maximum number of majority clusters, as a share of the behaviours (not in the paper): more of them are noise, not
/// belief.
const MOST_BELIEFS: f64 = 1.0 / 3.0;

/// How large a belief must be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AnomalyConfig {
    /// Share of all behaviours that the majority clusters contain together (3/4 in the paper).
    pub majority: f64,
    /// Minimum number of behaviours for statistics (not in the paper).
    pub min_behaviours: usize,
}

impl Default for AnomalyConfig {
    fn default() -> Self {
        AnomalyConfig { majority: 0.75, min_behaviours: 10 }
    }
}

/// The result of the test. Indices refer to the list of sizes.
#[derive(Clone, Debug, PartialEq)]
pub enum AnomalyVerdict {
    /// There are too few behaviours for statistics.
    TooFew,
    /// The behaviours are spread over too many clusters: nothing is believed at this level.
    NoBelief,
    /// No cluster is suspiciously small.
    Regular,
    /// Some clusters are far smaller than those of the majority.
    Anomalies(Anomalies),
}

/// Suspiciously small clusters, and the majority.
#[derive(Clone, Debug, PartialEq)]
pub struct Anomalies {
    /// The majority clusters, which are believed.
    pub beliefs: Vec<usize>,
    /// The suspiciously small clusters.
    pub flagged: Vec<usize>,
    /// Mean size of the majority clusters.
    pub mean: f64,
    /// Standard deviation of their sizes (population form), or its replacement.
    pub deviation: f64,
}

impl AnomalyConfig {
    /// Judges clusters by their sizes.
    pub fn judge(&self, sizes: &[usize]) -> AnomalyVerdict {
        let all: usize = sizes.iter().sum();
        if all < self.min_behaviours {
            return AnomalyVerdict::TooFew;
        }
        let beliefs = self.majority(sizes, all);
        if beliefs.len() as f64 > MOST_BELIEFS * all as f64 {
            return AnomalyVerdict::NoBelief;
        }
        let count = beliefs.len() as f64;
        let mean = beliefs.iter().map(|place| sizes[*place] as f64).sum::<f64>() / count;
        let squares =
            beliefs.iter().map(|place| (sizes[*place] as f64 - mean) * (sizes[*place] as f64 - mean));
        let spread = (squares.sum::<f64>() / count).sqrt();
        let deviation = if spread > 0.0 { spread } else { FLOOR * mean };
        // The usual "z >= 3 and smaller than the mean" can never hold, so the sign is reversed.
        let stands_out = |size: usize| (size as f64) < mean && (mean - size as f64) / deviation >= THRESHOLD;
        let flagged: Vec<usize> = (0..sizes.len()).filter(|place| stands_out(sizes[*place])).collect();
        if flagged.is_empty() {
            AnomalyVerdict::Regular
        } else {
            AnomalyVerdict::Anomalies(Anomalies { beliefs, flagged, mean, deviation })
        }
    }

    /// The largest clusters until they contain the majority of the behaviours, and all others of the size of the last.
    fn majority(&self, sizes: &[usize], all: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..sizes.len()).collect();
        places.sort_by_key(|place| (std::cmp::Reverse(sizes[*place]), *place));
        let (mut held, mut border) = (0, 0);
        places
            .into_iter()
            .take_while(|place| {
                let wanted = (held as f64) < self.majority * all as f64 || sizes[*place] == border;
                held += sizes[*place];
                border = sizes[*place];
                wanted
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes, the majority's sizes, mean, deviation, the sizes that stand out.
    fn check(sizes: &[usize], majority: &[usize], mean: f64, deviation: f64, flagged: &[usize]) {
        match AnomalyConfig::default().judge(sizes) {
            AnomalyVerdict::Anomalies(found) => {
                let sizes_of =
                    |places: &[usize]| places.iter().map(|place| sizes[*place]).collect::<Vec<_>>();
                assert_eq!(sizes_of(&found.beliefs), majority, "{sizes:?}");
                assert!((found.mean - mean).abs() < 0.005, "{sizes:?}: mean {}", found.mean);
                assert!((found.deviation - deviation).abs() < 0.005, "{sizes:?}: {}", found.deviation);
                assert_eq!(sizes_of(&found.flagged), flagged, "{sizes:?}");
            }
            other => panic!("{sizes:?}: {other:?}"),
        }
    }

    fn none(sizes: &[usize], expected: AnomalyVerdict) {
        assert_eq!(AnomalyConfig::default().judge(sizes), expected, "{sizes:?}");
    }

    #[test]
    fn the_reference_examples() {
        check(&[50, 48, 45, 2], &[50, 48, 45], 47.67, 2.05, &[2]);
        // In the sample form the deviation is 10 and nothing stands out.
        check(&[40, 30, 20, 6, 4], &[40, 30, 20], 30.0, 8.16, &[4]);
        check(&[97, 3], &[97], 97.0, 24.25, &[3]);
        check(&[80, 20], &[80], 80.0, 20.0, &[20]);
        none(&[70, 30], AnomalyVerdict::Regular);
        check(&[30, 30, 30, 5, 5], &[30, 30, 30], 30.0, 7.5, &[5, 5]);
    }

    #[test]
    fn the_z_scores_of_the_reference() {
        let z = |sizes: &[usize], size: f64| match AnomalyConfig::default().judge(sizes) {
            AnomalyVerdict::Anomalies(found) => {
                ((size - found.mean) / found.deviation * 100.0).round() / 100.0
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(z(&[50, 48, 45, 2], 2.0), -22.22);
        assert_eq!(z(&[40, 30, 20, 6, 4], 6.0), -2.94);
        assert_eq!(z(&[40, 30, 20, 6, 4], 4.0), -3.18);
        assert_eq!(z(&[97, 3], 3.0), -3.88);
        assert_eq!(z(&[80, 20], 20.0), -3.0);
        assert_eq!(z(&[30, 30, 30, 5, 5], 5.0), -3.33);
    }

    #[test]
    fn the_guards() {
        none(&[40], AnomalyVerdict::Regular);
        none(&[20, 20], AnomalyVerdict::Regular);
        none(&[8, 1], AnomalyVerdict::TooFew);
        none(&[1; 40], AnomalyVerdict::NoBelief);
        none(&[2; 20], AnomalyVerdict::NoBelief);
        none(&[], AnomalyVerdict::TooFew);
        // Four of these five hold three quarters: all of that size belong to the majority, whatever the order.
        check(&[20, 20, 1, 20, 20, 20], &[20, 20, 20, 20, 20], 20.0, 5.0, &[1]);
        none(&[30, 10, 10, 10, 1], AnomalyVerdict::Regular);
    }

    #[test]
    fn with_the_floor_a_quarter_of_the_belief_stands_out() {
        check(&[40, 10], &[40], 40.0, 10.0, &[10]);
        none(&[40, 11], AnomalyVerdict::Regular);
    }
}
