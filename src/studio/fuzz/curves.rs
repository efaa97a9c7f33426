//! The curves of a campaign: the progress of its engines over events or time, optionally compared with another
//! campaign.

use crate::state::CampaignId;
use taproof_campaign::CoverageSample;

/// Maximum number of samples of a curve.
const MAX_SAMPLES: usize = 400;

/// The quantity that the curves show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Curve {
    /// Number of different screen structures.
    #[default]
    States,
    /// Different pairs of screens between which an event led.
    Transitions,
    /// Number of different activities.
    Activities,
    /// Code points of the app that were executed.
    Code,
    /// Number of findings.
    Findings,
}

/// The horizontal axis of the curves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveAxis {
    /// The number of events.
    #[default]
    Events,
    /// Seconds that the engine has run.
    Time,
}

/// The campaign that the shown one is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// A campaign of this window.
    Shown(CampaignId),
    /// A campaign of the workspace, by its row.
    Kept(i64),
}

/// The settings of the plot.
#[derive(Clone, Debug, Default)]
pub struct CurveChoice {
    /// The quantity that the curves show.
    pub curve: Curve,
    /// What the horizontal axis measures.
    pub axis: CurveAxis,
    /// The campaign to compare with, if any.
    pub compared: Option<Compared>,
    /// The curves of a workspace's campaign, once they are read.
    pub kept: Option<KeptCurves>,
}

/// The curves of a campaign of the workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptCurves {
    /// The campaign's row in the workspace.
    pub row: i64,
    /// Label and samples of each engine, in the order of the plan.
    pub runs: Vec<(String, Vec<CoverageSample>)>,
}

impl Curve {
    /// All quantities, in the order of the window.
    pub const ALL: [Curve; 5] =
        [Curve::States, Curve::Transitions, Curve::Activities, Curve::Code, Curve::Findings];

    /// The name of what the curve counts, as the window shows it.
    pub fn word(self) -> &'static str {
        match self {
            Curve::States => "States",
            Curve::Transitions => "Transitions",
            Curve::Activities => "Activities",
            Curve::Code => "Code points",
            Curve::Findings => "Findings",
        }
    }

    /// A description of the quantity for a tooltip.
    pub fn tip(self) -> &'static str {
        match self {
            Curve::States => "Different structures of screens",
            Curve::Transitions => "Pairs of screens between which an event led",
            Curve::Activities => "Different activities",
            Curve::Code => "Points of the app\u{2019}s code that were executed",
            Curve::Findings => "Findings",
        }
    }

    /// The value in a sample. `None` if it was not measured.
    pub fn of(self, sample: &CoverageSample) -> Option<u64> {
        match self {
            Curve::States => Some(sample.states),
            Curve::Transitions => Some(sample.transitions),
            Curve::Activities => Some(sample.activities),
            Curve::Code => sample.code,
            Curve::Findings => Some(sample.findings),
        }
    }
}

impl CurveAxis {
    /// The name of the axis, as the window shows it.
    pub fn word(self) -> &'static str {
        match self {
            CurveAxis::Events => "Events",
            CurveAxis::Time => "Time",
        }
    }

    pub(super) fn of(self, sample: &CoverageSample) -> f64 {
        match self {
            CurveAxis::Events => sample.events as f64,
            CurveAxis::Time => sample.millis as f64 / 1000.0,
        }
    }
}

/// Removes samples if there are `MAX_SAMPLES` or more. The first, the last and samples at equal distances in events
/// stay, about half as many, so that the beginning is drawn as precisely as the end.
pub fn thin(samples: &mut Vec<CoverageSample>) {
    let Some(last) = samples.last().map(|sample| sample.events).filter(|_| samples.len() >= MAX_SAMPLES)
    else {
        return;
    };
    let apart = last.div_ceil(MAX_SAMPLES as u64 / 2).max(1);
    let mut next = 0;
    samples.retain(|sample| {
        let stays = sample.events >= next || sample.events == last;
        if stays {
            next = sample.events + apart;
        }
        stays
    });
    samples.dedup_by_key(|sample| sample.events);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_stays_as_fine_as_the_end() {
        let mut samples = Vec::new();
        for events in (0..1_000_000).step_by(100) {
            thin(&mut samples);
            samples.push(CoverageSample { events, ..CoverageSample::default() });
        }
        let apart = samples.windows(2).map(|pair| pair[1].events - pair[0].events).max();
        assert!(apart <= Some(20_000), "a fiftieth of all: {apart:?}");
    }

    #[test]
    fn a_curve_keeps_its_ends() {
        for count in [1, 399, 400, 401, 50_000] {
            let mut samples: Vec<CoverageSample> =
                (0..count).map(|events| CoverageSample { events, ..CoverageSample::default() }).collect();
            thin(&mut samples);
            let ends = [samples.first(), samples.last()].map(|sample| sample.map(|sample| sample.events));
            assert_eq!(ends, [Some(0), Some(count - 1)]);
            assert!(samples.len() < MAX_SAMPLES && samples.len() as u64 >= count.min(200));
            assert!(samples.is_sorted_by_key(|sample| sample.events));
        }
    }
}
