//! From numbers to places in a plot.

use maud::{Markup, html};
use taproof_screen::thousands;

/// The width of all plots, in units of their view box.
pub(super) const WIDTH: f64 = 1040.0;

/// A logarithmic scale of events, from left to right.
pub(super) struct Events {
    left: f64,
    right: f64,
    most: f64,
}

/// Where the scale of events begins.
const FIRST: f64 = 10.0;

impl Events {
    /// A scale up to so many events.
    pub(super) fn new(left: f64, right: f64, most: u64) -> Events {
        Events { left, right, most: (most as f64).max(FIRST * 10.0) }
    }

    /// The place of a number.
    pub(super) fn x(&self, events: f64) -> f64 {
        let part = libm::log10(events.max(FIRST) / FIRST) / libm::log10(self.most / FIRST);
        self.left + (self.right - self.left) * part.min(1.0)
    }

    /// The axis with its title.
    pub(super) fn axis(&self, top: f64, bottom: f64) -> Markup {
        html! {
            (self.ticks(top, bottom))
            (text((self.left + self.right) / 2.0, bottom + 38.0, "middle", "", "events (logarithmic)"))
        }
    }

    /// The numbers of the axis, with lines through the plot from top to bottom.
    pub(super) fn ticks(&self, top: f64, bottom: f64) -> Markup {
        let powers = (1..).map(|power| libm::pow(10.0, f64::from(power)));
        let mut ticks: Vec<f64> = powers.take_while(|tick| *tick <= self.most).collect();
        // The end, unless its number would touch that of the last power.
        if ticks.last().is_none_or(|last| self.x(self.most) - self.x(*last) > 60.0) {
            ticks.push(self.most);
        }
        html! {
            @for tick in ticks {
                (vertical(self.x(tick), top, bottom, "axis"))
                (text(self.x(tick), bottom + 18.0, "middle", "", &thousands(tick.round() as u64)))
            }
        }
    }
}

/// A text at a place; `anchor` is the end of it that is there.
pub(super) fn text(x: f64, y: f64, anchor: &str, class: &str, words: &str) -> Markup {
    html! {
        text x=(place(x)) y=(place(y)) text-anchor=(anchor) class=(class) { (words) }
    }
}

/// A vertical line.
pub(super) fn vertical(x: f64, top: f64, bottom: f64, class: &str) -> Markup {
    html! { line class=(class) x1=(place(x)) x2=(place(x)) y1=(place(top)) y2=(place(bottom)) {} }
}

/// A horizontal line.
pub(super) fn horizontal(left: f64, right: f64, y: f64, class: &str) -> Markup {
    html! { line class=(class) x1=(place(left)) x2=(place(right)) y1=(place(y)) y2=(place(y)) {} }
}

/// A rectangle.
pub(super) fn rectangle(x: f64, y: f64, width: f64, height: f64, class: &str) -> Markup {
    html! {
        rect class=(class) x=(place(x)) y=(place(y)) width=(place(width.max(0.0))) height=(place(height)) rx="2" {}
    }
}

/// A picture of this height that says in words what it shows.
pub(super) fn picture(height: f64, words: &str, body: &Markup) -> Markup {
    html! {
        svg.plot viewBox={ "0 0 " (place(WIDTH)) " " (place(height)) } role="img" aria-label=(words) { (body) }
    }
}

/// A number in a picture.
pub(super) fn place(value: f64) -> String {
    format!("{value:.1}")
}

/// Moves places apart that are closer than `least`, as little as needed; they keep their order, and none goes beyond
/// `end`.
pub(super) fn spread_out(places: &mut [f64], least: f64, end: f64) {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].total_cmp(&places[*b]));
    for pair in order.windows(2) {
        places[pair[1]] = places[pair[1]].max(places[pair[0]] + least);
    }
    let mut below = end + least;
    for place in order.iter().rev() {
        places[*place] = places[*place].min(below - least);
        below = places[*place];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_on_a_logarithmic_scale() {
        let scale = Events::new(100.0, 400.0, 10_000);
        let places = [1.0, 10.0, 100.0, 10_000.0, 1e9].map(|events| scale.x(events).round());
        assert_eq!(places, [100.0, 100.0, 200.0, 400.0, 400.0]);
    }

    #[test]
    fn labels_do_not_touch() {
        let mut places = [50.0, 10.0, 52.0, 95.0, 96.0];
        spread_out(&mut places, 10.0, 100.0);
        assert_eq!(places, [50.0, 10.0, 60.0, 90.0, 100.0]);
    }
}
