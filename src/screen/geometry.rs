//! Points, sizes and rectangles in device pixels, in the coordinates of the rotated screen.

use serde::{Deserialize, Serialize};

use std::fmt;

/// A point in device pixels. It is meaningful only together with the screen that it refers to; see
/// [`TouchTarget`](super::TouchTarget).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "[i32; 2]", into = "[i32; 2]")]
pub struct PxPoint {
    /// Pixels from the left edge of the screen.
    pub x: i32,
    /// Pixels from the top edge of the screen.
    pub y: i32,
}

/// A size in device pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "[i32; 2]", into = "[i32; 2]")]
pub struct PxSize {
    /// Pixels from left to right.
    pub width: i32,
    /// Pixels from top to bottom.
    pub height: i32,
}

impl From<[i32; 2]> for PxPoint {
    fn from([x, y]: [i32; 2]) -> Self {
        PxPoint { x, y }
    }
}

impl From<PxPoint> for [i32; 2] {
    fn from(point: PxPoint) -> Self {
        [point.x, point.y]
    }
}

impl From<[i32; 2]> for PxSize {
    fn from([width, height]: [i32; 2]) -> Self {
        PxSize { width, height }
    }
}

impl From<PxSize> for [i32; 2] {
    fn from(size: PxSize) -> Self {
        [size.width, size.height]
    }
}

impl PxSize {
    /// Returns the size of an upright screen after it was rotated.
    #[must_use]
    pub fn rotated(self, rotation: Rotation) -> PxSize {
        if rotation.sideways() { PxSize { width: self.height, height: self.width } } else { self }
    }
}

/// A rectangle in device pixels; `right` and `bottom` are exclusive. It may be empty, inverted or extend beyond the
/// screen, as in dumps of web views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PxRect {
    /// Column of the leftmost pixels.
    pub left: i32,
    /// Row of the topmost pixels.
    pub top: i32,
    /// Column to the right of the rightmost pixels.
    pub right: i32,
    /// Row below the bottommost pixels.
    pub bottom: i32,
}

/// The display's rotation in quarter turns, as `rotation="0..3"` in a dump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Rotation(pub u8);

impl Rotation {
    /// Upright: the natural orientation of a phone.
    pub const PORTRAIT: Rotation = Rotation(0);
    /// Turned to the left by a quarter.
    pub const LANDSCAPE: Rotation = Rotation(1);

    /// Whether the screen lies on its side.
    pub fn sideways(self) -> bool {
        self.0 % 2 == 1
    }

    /// Returns [`Rotation::PORTRAIT`] for a screen on its side, else [`Rotation::LANDSCAPE`].
    pub fn turned(self) -> Rotation {
        if self.sideways() { Rotation::PORTRAIT } else { Rotation::LANDSCAPE }
    }
}

impl PxRect {
    /// Parses `[left,top][right,bottom]`; `None` for anything else.
    pub fn parse(text: &str) -> Option<PxRect> {
        let (first, second) = text.trim().strip_prefix('[')?.strip_suffix(']')?.split_once("][")?;
        let edge = |part: &str| part.trim().parse::<i32>().ok();
        let corner = |part: &str| part.split_once(',').and_then(|(x, y)| Some((edge(x)?, edge(y)?)));
        let ((left, top), (right, bottom)) = (corner(first)?, corner(second)?);
        Some(PxRect::new(left, top, right, bottom))
    }

    /// A rectangle from its four edges.
    pub const fn new(left: i32, top: i32, right: i32, bottom: i32) -> Self {
        PxRect { left, top, right, bottom }
    }

    /// Width in pixels; 0 if inverted.
    pub fn width(&self) -> i32 {
        self.right.saturating_sub(self.left).max(0)
    }

    /// Height in pixels; 0 if inverted.
    pub fn height(&self) -> i32 {
        self.bottom.saturating_sub(self.top).max(0)
    }

    /// Whether the rectangle contains no pixel.
    pub fn is_empty(&self) -> bool {
        self.width() == 0 || self.height() == 0
    }

    /// The pixel in the middle.
    pub fn center(&self) -> PxPoint {
        PxPoint { x: self.left + self.width() / 2, y: self.top + self.height() / 2 }
    }

    /// Whether the point lies inside the rectangle.
    pub fn contains(&self, point: PxPoint) -> bool {
        point.x >= self.left && point.x < self.right && point.y >= self.top && point.y < self.bottom
    }

    /// The common part of both rectangles; empty, and possibly inverted, if they do not overlap.
    pub fn intersect(&self, other: &PxRect) -> PxRect {
        PxRect {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// Returns the rectangle moved by `dx` pixels to the right and `dy` pixels down.
    pub fn offset(&self, dx: i32, dy: i32) -> PxRect {
        PxRect::new(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)
    }

    /// Width times height, in pixels.
    pub fn area(&self) -> i64 {
        i64::from(self.width()) * i64::from(self.height())
    }
}

impl fmt::Display for PxRect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{},{}][{},{}]", self.left, self.top, self.right, self.bottom)
    }
}
