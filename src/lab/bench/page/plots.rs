//! The plots: curves of recall, boxes, and bars of precision.

use maud::{Markup, html};
use taproof_screen::thousands;

use super::scale::{Events, WIDTH, horizontal, picture, place, rectangle, spread_out, text, vertical};
use super::section;
use crate::tables::percent;
use crate::tables::summary::{CurvePoint, EngineSummary, Recall, Spread, Summary};

/// Number of colours for engines.
pub(super) const COLOURS: usize = 8;

/// The left end of what is drawn beside names.
const LEFT: f64 = 196.0;
/// The right end of what is drawn beside numbers.
const RIGHT: f64 = 830.0;
/// The height of a row.
const ROW: f64 = 34.0;

/// A name that fits beside a plot.
fn short(name: &str) -> String {
    const FITS: usize = 24;
    match name.chars().count() {
        0..=FITS => name.to_owned(),
        _ => name.chars().take(FITS - 1).chain(['\u{2026}']).collect(),
    }
}

fn most_events(summary: &Summary) -> u64 {
    summary.engines.iter().map(|engine| engine.events).max().unwrap_or(0)
}

fn colour(place: usize) -> String {
    format!("f{}", place % COLOURS)
}

/// A recall and its interval as a small bar.
pub(super) fn bar(recall: Recall) -> Markup {
    let share = recall.share().unwrap_or(0.0) * 96.0;
    html! {
        svg.spark viewBox="0 0 96 12" aria-hidden="true" {
            rect.all x="0" y="3" width="96" height="6" rx="2" {}
            rect.part x="0" y="3" width=(place(share)) height="6" rx="2" {}
            @if let Some(interval) = recall.interval {
                line.whisker x1=(place(interval.low * 96.0)) x2=(place(interval.high * 96.0)) y1="6" y2="6" {}
            }
        }
    }
}

/// Panels in a row.
const COLUMNS: usize = 4;

/// Recall of its own faults over events, a panel an engine.
pub(super) fn own_recall(summary: &Summary) -> Markup {
    let (left, right, top, bottom, below) = (48.0, 240.0, 32.0, 152.0, 196.0);
    let x = Events::new(left, right, most_events(summary));
    let y = |share: f64| bottom - (bottom - top) * share;
    let drawn = Curve::all(summary, |engine| &engine.own_curve);
    let body = html! {
        @for (place, curve) in drawn.iter().enumerate() {
            @let (right_by, down_by) = ((place % COLUMNS) as f64 * WIDTH / COLUMNS as f64, (place / COLUMNS) as f64 * below);
            g transform=(format!("translate({right_by:.0} {down_by:.0})")) {
                @for share in [0.0, 0.5, 1.0] {
                    (horizontal(left, right, y(share), "axis"))
                    (text(left - 6.0, y(share) + 4.0, "end", "", &percent(share)))
                }
                (x.ticks(top, bottom))
                @for other in &drawn { polyline.ghost points=(other.line(&x, y)) {} }
                g class=(colour(curve.number)) {
                    polygon.band points=(band(curve.doubtful(), &x, &y)) {}
                    polyline.line points=(curve.line(&x, y)) {}
                    (text(left, 18.0, "start", "name", &format!("{} {}", short(curve.name), percent(curve.end.recall))))
                }
            }
        }
    };
    let title = "How many of its own faults each engine has found after so many events";
    let how = "The share of campaigns that have found their fault, of the faults that the engine is meant to see, over events on a \
               logarithmic scale; shaded, from the first find on, the 95 % bootstrap interval; grey, the other engines.";
    let rows = drawn.len().div_ceil(COLUMNS) as f64;
    section(title, how, &picture(rows * below - 16.0, title, &body))
}

/// Recall of all faults over events, one curve an engine.
pub(super) fn recall(summary: &Summary) -> Markup {
    let (left, right, top, bottom) = (56.0, 826.0, 12.0, 372.0);
    let x = Events::new(left, right, most_events(summary));
    let drawn = Curve::all(summary, |engine| &engine.curve);
    // The smallest quarter above everything.
    let most = drawn.iter().map(|curve| curve.end.recall).fold(0.25, f64::max);
    let full = (most * 4.0).ceil() / 4.0;
    let y = |share: f64| bottom - (bottom - top) * share / full;
    let mut labels: Vec<f64> = drawn.iter().map(|curve| y(curve.end.recall)).collect();
    spread_out(&mut labels, 16.0, bottom);
    let body = html! {
        @for step in 0..=5 {
            @let share = f64::from(step) / 5.0 * full;
            (horizontal(left, right, y(share), "axis"))
            (text(left - 8.0, y(share) + 4.0, "end", "", &percent(share)))
        }
        (x.axis(top, bottom))
        @for (curve, label) in drawn.iter().zip(&labels) {
            @let end = (x.x(curve.end.events as f64), y(curve.end.recall));
            g class=(colour(curve.number)) {
                polyline.line points=(curve.line(&x, y)) {}
                line.lead x1=(place(end.0)) x2=(place(right + 8.0)) y1=(place(end.1)) y2=(place(*label)) {}
                (text(right + 12.0, label + 4.0, "start", "name", &format!("{} {}", short(curve.name), percent(curve.end.recall))))
            }
        }
    };
    let title = "How many of all faults each engine has found after so many events";
    let how = "The same for all faults, whoever is meant to see them. A curve ends with the engine\u{2019}s budget; the intervals are in \
               the first table.";
    section(title, how, &picture(bottom + 48.0, title, &body))
}

/// The curve of an engine.
struct Curve<'a> {
    number: usize,
    name: &'a str,
    points: &'a [CurvePoint],
    end: CurvePoint,
}

impl<'a> Curve<'a> {
    /// The curves of all engines that have one.
    fn all(summary: &'a Summary, of: impl Fn(&'a EngineSummary) -> &'a Vec<CurvePoint>) -> Vec<Curve<'a>> {
        let curve = |(number, engine): (usize, &'a EngineSummary)| {
            let points = of(engine);
            Some(Curve { number, name: &engine.name, points, end: *points.last()? })
        };
        summary.engines.iter().enumerate().filter_map(curve).collect()
    }

    /// The places of its points.
    fn line(&self, x: &Events, y: impl Fn(f64) -> f64) -> String {
        points(self.points.iter().map(|it| (x.x(it.events as f64), y(it.recall))))
    }

    /// The points from the first find on: before, the intervals of all engines are alike and would hide each other.
    fn doubtful(&self) -> &'a [CurvePoint] {
        let first = self.points.iter().position(|point| point.recall > 0.0).unwrap_or(self.points.len());
        &self.points[first..]
    }
}

fn points(places: impl Iterator<Item = (f64, f64)>) -> String {
    places.map(|(x, y)| format!("{},{}", place(x), place(y))).collect::<Vec<_>>().join(" ")
}

fn band(curve: &[CurvePoint], x: &Events, y: &impl Fn(f64) -> f64) -> String {
    let upper = curve.iter().map(|it| (x.x(it.events as f64), y(it.interval.high)));
    let lower = curve.iter().rev().map(|it| (x.x(it.events as f64), y(it.interval.low)));
    points(upper.chain(lower))
}

/// Events to the first finding, a box an engine.
pub(super) fn first_events(summary: &Summary) -> Markup {
    let x = Events::new(LEFT, RIGHT, most_events(summary));
    let bottom = ROW * summary.engines.len() as f64 + 8.0;
    let body = html! {
        (x.axis(4.0, bottom))
        @for (number, engine) in summary.engines.iter().enumerate() {
            @let middle = row_middle(number);
            (text(LEFT - 12.0, middle + 4.0, "end", "strong", &short(&engine.name)))
            @if let Some(spread) = engine.first_events { g class=(colour(number)) { (box_of(&spread, middle, |it| x.x(it))) } }
            (text(RIGHT + 12.0, middle + 4.0, "start", "", &first_words(engine)))
        }
    };
    let title = "How many events pass before a fault is found";
    let how = "Of the campaigns that found their fault: the box holds the middle half, the thick line is the median, the thin line \
               reaches from the first to the last.";
    section(title, how, &picture(bottom + 48.0, title, &body))
}

fn first_words(engine: &EngineSummary) -> String {
    let found =
        format!("found {} of {}", thousands(engine.all.found as u64), thousands(engine.all.runs as u64));
    match engine.first_events {
        Some(spread) => format!("{found}, median {}", thousands(spread.median.round() as u64)),
        None => found,
    }
}

fn row_middle(number: usize) -> f64 {
    ROW * (number as f64 + 0.5) + 4.0
}

fn box_of(spread: &Spread, middle: f64, x: impl Fn(f64) -> f64) -> Markup {
    let (lower, upper) = (x(spread.lower), x(spread.upper));
    html! {
        (horizontal(x(spread.least), x(spread.most), middle, "line"))
        (rectangle(lower, middle - 9.0, upper - lower, 18.0, "box"))
        (vertical(x(spread.median), middle - 9.0, middle + 9.0, "median"))
    }
}

/// Lengths of minimal traces, divided by those of the witnesses.
pub(super) fn lengths(summary: &Summary) -> Markup {
    let most = summary.engines.iter().filter_map(|engine| engine.lengths).map(|spread| spread.most);
    let most = most.fold(2.0f64, f64::max).ceil();
    let x = |ratio: f64| LEFT + (RIGHT - LEFT) * ratio / most;
    let bottom = ROW * summary.engines.len() as f64 + 8.0;
    let step = (most / 10.0).ceil();
    let ticks = (0..=10).map(|tick| f64::from(tick) * step).take_while(|tick| *tick <= most);
    let body = html! {
        @for tick in ticks {
            (vertical(x(tick), 4.0, bottom, "axis"))
            (text(x(tick), bottom + 18.0, "middle", "", &format!("{tick:.0}")))
        }
        (text((LEFT + RIGHT) / 2.0, bottom + 38.0, "middle", "", "events of the minimal trace, divided by those of the witness"))
        (vertical(x(1.0), 4.0, bottom, "mark"))
        @for (number, engine) in summary.engines.iter().enumerate() {
            @let middle = row_middle(number);
            (text(LEFT - 12.0, middle + 4.0, "end", "strong", &short(&engine.name)))
            @if let Some(spread) = engine.lengths {
                g class=(colour(number)) { (box_of(&spread, middle, x)) }
                (text(RIGHT + 12.0, middle + 4.0, "start", "", &format!("median {:.2} of {}", spread.median, spread.count)))
            }
        }
    };
    let title = "How much longer minimal traces are than the shortest script that is known";
    let how = "At the dashed line, both are equally long. The shortest minimal trace of each campaign that found its fault.";
    section(title, how, &picture(bottom + 48.0, title, &body))
}

/// True and false findings, a bar an engine.
pub(super) fn precision(summary: &Summary) -> Markup {
    let right = 580.0;
    let bottom = ROW * summary.engines.len() as f64 + 32.0;
    let body = html! {
        (text(LEFT, 16.0, "start", "", "confirmed findings in builds with faults"))
        (text(right + 12.0, 16.0, "start", "", "true, false, unsure"))
        (text(right + 190.0, 16.0, "start", "", "findings in builds without faults"))
        @for (number, engine) in summary.engines.iter().enumerate() {
            @let middle = row_middle(number) + 20.0;
            @let all = (engine.findings.shown + engine.findings.wrong) as f64;
            @let shown = engine.findings.precision().unwrap_or(0.0) * (right - LEFT);
            (text(LEFT - 12.0, middle + 4.0, "end", "strong", &short(&engine.name)))
            (rectangle(LEFT, middle - 8.0, right - LEFT, 16.0, if all > 0.0 { "false" } else { "none" }))
            @if shown > 0.0 { (rectangle(LEFT, middle - 8.0, shown, 16.0, "true")) }
            (text(right + 12.0, middle + 4.0, "start", "strong", &findings_words(engine)))
            (text(right + 190.0, middle + 4.0, "start", "strong", &sound_words(engine)))
        }
    };
    let title = "How many findings show a fault";
    let how = "Green, findings that go away without the fault; red, those that do not. A finding that did not come back each time is \
               unsure, as its campaign says itself, and counts as neither.";
    section(title, how, &picture(bottom, title, &html! { (body) }))
}

fn findings_words(engine: &EngineSummary) -> String {
    let findings = engine.findings;
    match findings.precision() {
        Some(precision) => {
            format!("{}, {}, {} ({})", findings.shown, findings.wrong, findings.unsure, percent(precision))
        }
        None => format!("none, {} unsure", findings.unsure),
    }
}

fn sound_words(engine: &EngineSummary) -> String {
    match engine.false_alarms() {
        Some(alarms) => format!(
            "{} in {} events ({alarms:.2} in 100,000)",
            engine.sound_findings,
            thousands(engine.sound_events)
        ),
        None => "not run".to_owned(),
    }
}

const _: () = assert!(RIGHT < WIDTH && LEFT < RIGHT);
