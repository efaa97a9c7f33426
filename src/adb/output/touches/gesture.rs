//! Classifies strokes as gestures, by the limits that Android uses.

use super::reader::{Spot, Stroke, TouchPoint};

/// The limits that separate gestures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchThresholds {
    /// How far a finger may move from its starting point and still count as resting, in pixels.
    pub slop_px: u32,
    /// How long a finger rests for a long press, in microseconds.
    pub long_press_micros: u64,
}

impl TouchThresholds {
    /// Android's own limits for this density: 8 dp, 500 ms.
    pub fn at_density(dpi: u32) -> Self {
        let slop = (8 * u64::from(dpi) + 80) / 160;
        TouchThresholds { slop_px: u32::try_from(slop).unwrap_or(u32::MAX), long_press_micros: 500_000 }
    }
}

/// What one finger did from down to up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchGesture {
    /// Down and up at one place.
    Tap {
        /// Where the finger came down.
        at: Spot,
    },
    /// Held at one place.
    LongPress {
        /// Where the finger came down.
        at: Spot,
    },
    /// Moved, at once or after a long press.
    Drag {
        /// Where the finger came down.
        from: Spot,
        /// Where the finger was lifted.
        to: Spot,
    },
}

/// Classifies a stroke; `None` for one of several fingers, and for a finger that the kernel lost.
pub fn gesture(stroke: &Stroke, thresholds: &TouchThresholds) -> Option<TouchGesture> {
    if !stroke.alone || stroke.lost {
        return None;
    }
    let from = stroke.down.at;
    let to = stroke.moves.last().map_or(from, |point| point.at);
    let took = stroke.up_micros.saturating_sub(stroke.down.micros);
    let slop = u64::from(thresholds.slop_px);
    let left = |point: &TouchPoint| distance_squared(from, point.at) > slop.saturating_mul(slop);
    Some(match stroke.moves.iter().any(left) {
        true => TouchGesture::Drag { from, to },
        false if took < thresholds.long_press_micros => TouchGesture::Tap { at: from },
        false => TouchGesture::LongPress { at: from },
    })
}

fn distance_squared(from: Spot, to: Spot) -> u64 {
    let along = |a: i32, b: i32| i64::from(a).abs_diff(i64::from(b));
    let squared = |way: u64| way.saturating_mul(way);
    squared(along(from.x, to.x)).saturating_add(squared(along(from.y, to.y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: TouchThresholds = TouchThresholds { slop_px: 21, long_press_micros: 500_000 };

    fn spot(x: i32, y: i32) -> Spot {
        Spot { x, y }
    }

    /// A finger that comes down at 100,100, then its positions with their milliseconds; the last one is where it is
    /// lifted.
    fn stroke(moves: &[(i32, i32, u64)], up_millis: u64) -> Stroke {
        let point = |(x, y, millis): (i32, i32, u64)| TouchPoint { at: spot(x, y), micros: millis * 1000 };
        let moves = moves.iter().copied().map(point).collect();
        Stroke { down: point((100, 100, 0)), moves, up_micros: up_millis * 1000, alone: true, lost: false }
    }

    fn check(moves: &[(i32, i32, u64)], up_millis: u64, expected: TouchGesture) {
        assert_eq!(gesture(&stroke(moves, up_millis), &LIMITS), Some(expected), "{moves:?}");
    }

    #[test]
    fn limits_follow_the_density() {
        assert_eq!(TouchThresholds::at_density(420), LIMITS);
        assert_eq!(TouchThresholds::at_density(160).slop_px, 8);
    }

    #[test]
    fn holding_still_is_a_tap_or_a_long_press() {
        let at = spot(100, 100);
        check(&[], 60, TouchGesture::Tap { at });
        check(&[(121, 100, 30), (114, 86, 50)], 499, TouchGesture::Tap { at });
        check(&[(110, 100, 30)], 500, TouchGesture::LongPress { at });
    }

    #[test]
    fn moving_is_a_drag() {
        let (from, to) = (spot(100, 100), spot(100, 700));
        check(&[(100, 300, 50), (100, 700, 100)], 105, TouchGesture::Drag { from, to });
        check(&[(105, 100, 200), (100, 300, 600), (100, 700, 900)], 950, TouchGesture::Drag { from, to });
        // Back at the starting point: it has moved nevertheless.
        check(&[(100, 300, 50), (100, 100, 100)], 400, TouchGesture::Drag { from, to: from });
    }

    #[test]
    fn several_fingers_and_lost_ones_are_none() {
        let several = Stroke { alone: false, ..stroke(&[], 60) };
        let lost = Stroke { lost: true, ..stroke(&[], 60) };
        assert_eq!((gesture(&several, &LIMITS), gesture(&lost, &LIMITS)), (None, None));
        let odd = Stroke {
            up_micros: 0,
            down: TouchPoint { at: spot(i32::MIN, i32::MAX), micros: 9 },
            ..stroke(&[(0, 0, 1)], 0)
        };
        assert!(gesture(&odd, &LIMITS).is_some());
    }
}
