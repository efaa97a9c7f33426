//! Classifies strokes as gestures, by the limits that Android uses.

use super::reader::{Spot, Stroke, TouchPoint};

/// The limits that separate gestures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchThresholds {
    /// How far a finger may move from its starting point and still count as resting, in pixels.
    pub slop_px: u32,
    /// How long a finger rests for a long press, in microseconds.
    pub long_press_micros: u64,
    /// The speed at which lifting the finger flings the content, in pixels per second.
    pub fling_px_per_second: u64,
}

impl TouchThresholds {
    /// Android's own limits for this density: 8 dp, 500 ms, 50 dp per second.
    pub fn at_density(dpi: u32) -> Self {
        let px = |dp: u64| (dp * u64::from(dpi) + 80) / 160;
        TouchThresholds {
            slop_px: u32::try_from(px(8)).unwrap_or(u32::MAX),
            long_press_micros: 500_000,
            fling_px_per_second: px(50),
        }
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
        /// The duration in milliseconds.
        millis: u64,
    },
    /// Moved at once, which scrolls the content.
    Swipe {
        /// Where the finger came down.
        from: Spot,
        /// Where the finger was lifted.
        to: Spot,
        /// The duration in milliseconds.
        millis: u64,
        /// Whether the finger was lifted in motion, so that the content keeps moving.
        fling: bool,
    },
    /// Held for a long press, then moved, which drags what is held.
    Drag {
        /// Where the finger came down.
        from: Spot,
        /// Where the finger was lifted.
        to: Spot,
        /// The duration in milliseconds, including the long press.
        millis: u64,
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
    let millis = took / 1000;
    let slop = u64::from(thresholds.slop_px);
    let left = stroke.moves.iter().find(|point| distance_squared(from, point.at) > slop.saturating_mul(slop));
    Some(match left {
        None if took < thresholds.long_press_micros => TouchGesture::Tap { at: from },
        None => TouchGesture::LongPress { at: from, millis },
        Some(left) if left.micros.saturating_sub(stroke.down.micros) >= thresholds.long_press_micros => {
            TouchGesture::Drag { from, to, millis }
        }
        Some(_) => TouchGesture::Swipe { from, to, millis, fling: flung(stroke, thresholds) },
    })
}

/// Whether the finger was fast at the end: over its last 100 ms, the period that Android considers.
fn flung(stroke: &Stroke, thresholds: &TouchThresholds) -> bool {
    const LOOKED_AT_MICROS: u64 = 100_000;
    let Some(last) = stroke.moves.last() else { return false };
    // A resting finger causes no events.
    if stroke.up_micros.saturating_sub(last.micros) > LOOKED_AT_MICROS / 2 {
        return false;
    }
    let since = last.micros.saturating_sub(LOOKED_AT_MICROS);
    let recent = |point: &&TouchPoint| point.micros >= since;
    let first = std::iter::once(&stroke.down).chain(&stroke.moves).find(recent).unwrap_or(last);
    let micros = last.micros.saturating_sub(first.micros).max(1);
    let way = distance_squared(first.at, last.at).isqrt();
    way.saturating_mul(1_000_000) / micros >= thresholds.fling_px_per_second
}

fn distance_squared(from: Spot, to: Spot) -> u64 {
    let along = |a: i32, b: i32| i64::from(a).abs_diff(i64::from(b));
    let squared = |way: u64| way.saturating_mul(way);
    squared(along(from.x, to.x)).saturating_add(squared(along(from.y, to.y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: TouchThresholds =
        TouchThresholds { slop_px: 21, long_press_micros: 500_000, fling_px_per_second: 131 };

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
        let plain = TouchThresholds::at_density(160);
        assert_eq!((plain.slop_px, plain.fling_px_per_second), (8, 50));
    }

    #[test]
    fn holding_still_is_a_tap_or_a_long_press() {
        let at = spot(100, 100);
        check(&[], 60, TouchGesture::Tap { at });
        check(&[(121, 100, 30), (114, 86, 50)], 499, TouchGesture::Tap { at });
        check(&[(110, 100, 30)], 500, TouchGesture::LongPress { at, millis: 500 });
    }

    #[test]
    fn moving_is_a_swipe_or_a_drag() {
        let (from, to) = (spot(100, 100), spot(100, 700));
        check(
            &[(100, 300, 50), (100, 700, 100)],
            105,
            TouchGesture::Swipe { from, to, millis: 105, fling: true },
        );
        check(
            &[(100, 300, 50), (100, 700, 100)],
            400,
            TouchGesture::Swipe { from, to, millis: 400, fling: false },
        );
        check(&[(100, 690, 50), (100, 695, 400), (100, 700, 495)], 500, {
            TouchGesture::Swipe { from, to, millis: 500, fling: false }
        });
        check(
            &[(105, 100, 200), (100, 300, 600), (100, 700, 900)],
            950,
            TouchGesture::Drag { from, to, millis: 950 },
        );
        // Back at the starting point: it has moved nevertheless.
        check(&[(100, 300, 50), (100, 100, 100)], 400, {
            TouchGesture::Swipe { from, to: from, millis: 400, fling: false }
        });
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
