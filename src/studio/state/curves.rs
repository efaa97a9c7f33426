//! How far engines came, over their events or their time: what is drawn of it, and with which other campaign it is
//! compared.

use taproof_core::campaign::CoverageSample;

use super::campaigns::{CampaignId, CampaignState, Campaigns};

/// The points that a curve has less than.
const MAX_SAMPLES: usize = 400;

/// What was counted at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Events until then.
    pub events: u64,
    /// Seconds of work until then.
    pub seconds: f64,
    /// Structures of screens.
    pub states: usize,
    /// Pairs of screens between which an event led.
    pub transitions: usize,
    /// Activities.
    pub activities: usize,
    /// Code points of the app that were executed; `None` where that was not kept.
    pub code: Option<usize>,
    /// Findings.
    pub findings: usize,
}

/// What the curves show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Curve {
    /// Structures of screens.
    #[default]
    States,
    /// Pairs of screens between which an event led.
    Transitions,
    /// Activities.
    Activities,
    /// Code points.
    Code,
    /// Findings.
    Findings,
}

/// Over what they show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveAxis {
    /// Events.
    #[default]
    Events,
    /// Seconds.
    Time,
}

/// A campaign that another one is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// One of this window.
    Shown(CampaignId),
    /// One that the workspace holds, by its row.
    Kept(i64),
}

/// What is drawn, as it was chosen.
#[derive(Clone, Debug, Default)]
pub struct CurveChoice {
    /// What the curves show.
    pub curve: Curve,
    /// Over what.
    pub axis: CurveAxis,
    /// The other campaign.
    pub compared: Option<Compared>,
    /// What the workspace holds of it, once it is read.
    pub kept: Option<KeptCurves>,
}

/// The curves of a campaign that the workspace holds.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptCurves {
    /// Its row.
    pub row: i64,
    /// Its engines by name, in the order of its plan, each with its samples.
    pub runs: Vec<(String, Vec<Sample>)>,
}

/// One line of the plot.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveLine {
    /// The engine whose it is.
    pub label: String,
    /// Which colour it has, by its place.
    pub series: usize,
    /// Whether it is of the campaign that is compared with.
    pub compared: bool,
    /// Its points: events or seconds, and the value.
    pub points: Vec<[f64; 2]>,
}

impl Curve {
    /// All of them.
    pub const ALL: [Curve; 5] =
        [Curve::States, Curve::Transitions, Curve::Activities, Curve::Code, Curve::Findings];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Curve::States => "States",
            Curve::Transitions => "Transitions",
            Curve::Activities => "Activities",
            Curve::Code => "Code points",
            Curve::Findings => "Findings",
        }
    }

    /// What it counts.
    pub fn tip(self) -> &'static str {
        match self {
            Curve::States => "Different structures of screens",
            Curve::Transitions => "Pairs of screens between which an event led",
            Curve::Activities => "Different activities",
            Curve::Code => "Points of the app\u{2019}s code that were executed",
            Curve::Findings => "Findings",
        }
    }

    /// The value of a point, where it was kept.
    pub fn of(self, sample: &Sample) -> Option<usize> {
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
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            CurveAxis::Events => "Events",
            CurveAxis::Time => "Time",
        }
    }

    fn of(self, sample: &Sample) -> f64 {
        match self {
            CurveAxis::Events => sample.events as f64,
            CurveAxis::Time => sample.seconds,
        }
    }
}

impl From<&CoverageSample> for Sample {
    fn from(kept: &CoverageSample) -> Self {
        Sample {
            events: kept.events,
            seconds: kept.millis as f64 / 1000.0,
            states: kept.states as usize,
            transitions: kept.transitions as usize,
            activities: kept.activities as usize,
            code: kept.code.map(|code| code as usize),
            findings: kept.findings as usize,
        }
    }
}

/// Makes room for one more. What stays are the first, the last and samples as many events apart as fill half of the
/// room: where a campaign began is then as finely drawn as where it is now.
pub fn thin(samples: &mut Vec<Sample>) {
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

impl CurveLine {
    /// Its value where the axis is so far: that of the last point before.
    pub fn at(&self, x: f64) -> Option<f64> {
        let after = self.points.partition_point(|point| point[0] <= x);
        after.checked_sub(1).and_then(|place| self.points.get(place)).map(|point| point[1])
    }
}

impl Campaigns {
    /// The lines to draw: those of the campaign that is shown, then those of the one that it is compared with.
    pub fn curve_lines(&self) -> Vec<CurveLine> {
        let mut lines = Vec::new();
        if let Some(shown) = self.shown() {
            lines.extend(self.lines_of(shown, false));
        }
        match self.curves.compared {
            None => {}
            Some(Compared::Shown(id)) => {
                lines.extend(self.get(id).into_iter().flat_map(|other| self.lines_of(other, true)));
            }
            Some(Compared::Kept(row)) => {
                let kept = self.curves.kept.iter().filter(|kept| kept.row == row).flat_map(|kept| &kept.runs);
                let line = |(place, (label, samples)): (usize, &(String, Vec<Sample>))| {
                    self.line(label, place, true, samples)
                };
                lines.extend(kept.enumerate().map(line));
            }
        }
        lines
    }

    fn lines_of(&self, campaign: &CampaignState, compared: bool) -> Vec<CurveLine> {
        let line = |(place, run): (usize, &super::EngineRunState)| {
            self.line(&run.label, place, compared, &run.samples)
        };
        campaign.runs.iter().enumerate().map(line).collect()
    }

    fn line(&self, label: &str, series: usize, compared: bool, samples: &[Sample]) -> CurveLine {
        let (curve, axis) = (self.curves.curve, self.curves.axis);
        let point = |sample: &Sample| Some([axis.of(sample), curve.of(sample)? as f64]);
        let (label, points) = (label.to_owned(), samples.iter().filter_map(point).collect());
        CurveLine { label, series, compared, points }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_a_line_is_that_of_its_last_point() {
        let points = vec![[10.0, 1.0], [20.0, 3.0]];
        let line = CurveLine { label: String::new(), series: 0, compared: false, points };
        assert_eq!([5.0, 10.0, 19.0, 99.0].map(|x| line.at(x)), [None, Some(1.0), Some(1.0), Some(3.0)]);
    }

    #[test]
    fn what_was_not_kept_has_no_line() {
        let mut kept = CoverageSample { events: 500, millis: 1500, states: 7, ..CoverageSample::default() };
        let mut campaigns = Campaigns::default();
        campaigns.curves.compared = Some(Compared::Kept(4));
        campaigns.curves.kept =
            Some(KeptCurves { row: 4, runs: vec![("genie".into(), vec![Sample::from(&kept)])] });
        let points = |campaigns: &Campaigns| campaigns.curve_lines()[0].points.clone();
        assert_eq!(points(&campaigns), [[500.0, 7.0]]);
        campaigns.curves.axis = CurveAxis::Time;
        assert_eq!(points(&campaigns), [[1.5, 7.0]]);
        campaigns.curves.curve = Curve::Code;
        assert!(points(&campaigns).is_empty(), "an older program did not keep it");
        kept.code = Some(9);
        campaigns.curves.kept =
            Some(KeptCurves { row: 4, runs: vec![("genie".into(), vec![Sample::from(&kept)])] });
        assert_eq!(points(&campaigns), [[1.5, 9.0]]);
    }

    #[test]
    fn the_beginning_stays_as_fine_as_the_end() {
        let mut samples = Vec::new();
        for events in (0..1_000_000).step_by(100) {
            thin(&mut samples);
            samples.push(Sample { events, ..Sample::default() });
        }
        let apart = samples.windows(2).map(|pair| pair[1].events - pair[0].events).max();
        assert!(apart <= Some(20_000), "a fiftieth of all: {apart:?}");
    }

    #[test]
    fn a_curve_keeps_its_ends() {
        for count in [1, 399, 400, 401, 50_000] {
            let mut samples: Vec<Sample> =
                (0..count).map(|events| Sample { events, ..Sample::default() }).collect();
            thin(&mut samples);
            let ends = [samples.first(), samples.last()].map(|sample| sample.map(|sample| sample.events));
            assert_eq!(ends, [Some(0), Some(count - 1)]);
            assert!(samples.len() < MAX_SAMPLES && samples.len() as u64 >= count.min(200));
            assert!(samples.is_sorted_by_key(|sample| sample.events));
        }
    }
}
