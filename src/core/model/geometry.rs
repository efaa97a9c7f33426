//! Points, sizes and rectangles in device pixels, in the coordinates of the rotated screen.

use serde::{Deserialize, Serialize};

use std::fmt;

/// A point in device pixels. It means nothing without the screen it was meant for; see `Target`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PxPoint {
    /// From the left edge.
    pub x: i32,
    /// From the top edge.
    pub y: i32,
}

/// A size in device pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PxSize {
    /// From left to right.
    pub width: i32,
    /// From top to bottom.
    pub height: i32,
}

impl PxSize {
    /// An upright screen as it is turned.
    #[must_use]
    pub fn rotated(self, rotation: Rotation) -> PxSize {
        if rotation.sideways() { PxSize { width: self.height, height: self.width } } else { self }
    }
}

/// A rectangle in device pixels; `right` and `bottom` are outside of it. May be empty, inverted or
/// leave the screen, as dumps of web views show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PxRect {
    /// First column.
    pub left: i32,
    /// First row.
    pub top: i32,
    /// First column behind it.
    pub right: i32,
    /// First row below it.
    pub bottom: i32,
}

/// The display's rotation in quarter turns, as `rotation="0..3"` in a dump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Rotation(pub u8);

impl Rotation {
    /// Upright.
    pub const PORTRAIT: Rotation = Rotation(0);
    /// Turned left by a quarter.
    pub const LANDSCAPE: Rotation = Rotation(1);

    /// Whether the screen lies on its side.
    pub fn sideways(self) -> bool {
        self.0 % 2 == 1
    }

    /// The other of portrait and landscape.
    pub fn turned(self) -> Rotation {
        if self.sideways() { Rotation::PORTRAIT } else { Rotation::LANDSCAPE }
    }
}

impl PxRect {
    /// A rectangle from its four edges.
    pub const fn new(left: i32, top: i32, right: i32, bottom: i32) -> Self {
        PxRect { left, top, right, bottom }
    }

    /// From left to right; 0 if inverted.
    pub fn width(&self) -> i32 {
        self.right.saturating_sub(self.left).max(0)
    }

    /// From top to bottom; 0 if inverted.
    pub fn height(&self) -> i32 {
        self.bottom.saturating_sub(self.top).max(0)
    }

    /// Whether it holds no pixel.
    pub fn is_empty(&self) -> bool {
        self.width() == 0 || self.height() == 0
    }

    /// The pixel in its middle.
    pub fn center(&self) -> PxPoint {
        PxPoint { x: self.left + self.width() / 2, y: self.top + self.height() / 2 }
    }

    /// Whether the point lies inside.
    pub fn contains(&self, point: PxPoint) -> bool {
        point.x >= self.left && point.x < self.right && point.y >= self.top && point.y < self.bottom
    }

    /// The part inside both; empty (but not normalised) if they do not meet.
    pub fn intersect(&self, other: &PxRect) -> PxRect {
        PxRect {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// The rectangle moved.
    pub fn offset(&self, dx: i32, dy: i32) -> PxRect {
        PxRect::new(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)
    }

    /// Width times height.
    pub fn area(&self) -> i64 {
        i64::from(self.width()) * i64::from(self.height())
    }
}

impl fmt::Display for PxRect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{},{}][{},{}]", self.left, self.top, self.right, self.bottom)
    }
}
