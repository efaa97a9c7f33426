//! The lines that are drawn of campaigns: of the one that is shown, and of the one that it is compared with.

use super::campaigns::{CampaignState, Campaigns};
use super::curves::Compared;
use taproof_campaign::CoverageSample;

/// One line of the plot.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveLine {
    /// The label of the engine that the line belongs to.
    pub label: String,
    /// Which colour it has, by its place.
    pub series: usize,
    /// Whether it is of the campaign that is compared with.
    pub compared: bool,
    /// Its points: events or seconds, and the value.
    pub points: Vec<[f64; 2]>,
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
                let line = |(place, (label, samples)): (usize, &(String, Vec<CoverageSample>))| {
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

    fn line(&self, label: &str, series: usize, compared: bool, samples: &[CoverageSample]) -> CurveLine {
        let (curve, axis) = (self.curves.curve, self.curves.axis);
        let point = |sample: &CoverageSample| Some([axis.of(sample), curve.of(sample)? as f64]);
        let (label, points) = (label.to_owned(), samples.iter().filter_map(point).collect());
        CurveLine { label, series, compared, points }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::{Curve, CurveAxis, KeptCurves};

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
        campaigns.curves.kept = Some(KeptCurves { row: 4, runs: vec![("genie".into(), vec![kept])] });
        let points = |campaigns: &Campaigns| campaigns.curve_lines()[0].points.clone();
        assert_eq!(points(&campaigns), [[500.0, 7.0]]);
        campaigns.curves.axis = CurveAxis::Time;
        assert_eq!(points(&campaigns), [[1.5, 7.0]]);
        campaigns.curves.curve = Curve::Code;
        assert!(points(&campaigns).is_empty(), "an older program did not keep it");
        kept.code = Some(9);
        campaigns.curves.kept = Some(KeptCurves { row: 4, runs: vec![("genie".into(), vec![kept])] });
        assert_eq!(points(&campaigns), [[1.5, 9.0]]);
    }
}
