//! Answers queries about touches for many widgets of a layout, in time about linear in its size even for a long list.

use super::{Layer, meet, without};
use crate::{Layout, PxPoint, PxRect, Unreachable, WidgetIdx};

/// A layout with fewer widgets is searched without strips.
const FEW: usize = 500;
/// Number of strips that a layout is divided into.
const STRIPS: usize = 128;
/// Largest number of uncovered pieces of a widget that are tracked; beyond that, the smallest ones are dropped.
const MAX_PIECES: usize = 64;

/// A layout with precomputed data for all queries about touches. The methods of the same names on [`Layout`] answer a
/// single query.
#[derive(Debug)]
pub struct TouchMap<'l> {
    layout: &'l Layout,
    /// Whether each widget takes touches; `None` in a map for a single query, which computes this when needed.
    takers: Option<Vec<bool>>,
    /// The widgets by position; `None` if the layout has few widgets or the map is for a single query.
    strips: Option<Strips>,
}

/// The widgets by the strips that they extend into, in document order.
#[derive(Debug)]
struct Strips {
    /// Whether the strips lie one below the other; otherwise side by side.
    down: bool,
    first: i64,
    thickness: i64,
    widgets: Vec<Vec<WidgetIdx>>,
}

impl<'l> TouchMap<'l> {
    /// Computes which widgets take touches and, in a large layout, where they are.
    pub fn new(layout: &'l Layout) -> Self {
        let strips = (layout.widgets().len() >= FEW).then(|| {
            let (down, across) = (Strips::of(layout, true), Strips::of(layout, false));
            if down.work() <= across.work() { down } else { across }
        });
        let takers = layout.iter().map(|(idx, _)| layout.takes_touches(idx)).collect();
        TouchMap { layout, takers: Some(takers), strips }
    }

    /// Creates a map for a single query, without precomputed data.
    pub(crate) fn once(layout: &'l Layout) -> Self {
        TouchMap { layout, takers: None, strips: None }
    }

    /// The layout that the map was made from.
    pub fn layout(&self) -> &'l Layout {
        self.layout
    }

    /// Returns the widget that a touch at the point is meant for; see [`Layout::hit_test`].
    pub fn hit_test(&self, point: PxPoint) -> Option<WidgetIdx> {
        let inside = match self.taker_at(point) {
            Some(taker) => taker..self.layout.end(taker),
            None => WidgetIdx(0)..WidgetIdx(u32::MAX),
        };
        let area = |idx: &WidgetIdx| (self.bounds(*idx).area(), std::cmp::Reverse(*idx));
        self.at(point).filter(|idx| inside.contains(idx)).min_by_key(area)
    }

    /// Returns the topmost widget at the point that takes touches; see [`Layout::taker_at`].
    pub fn taker_at(&self, point: PxPoint) -> Option<WidgetIdx> {
        let takers = self.at(point).filter(|idx| self.takes(*idx));
        takers.max_by_key(|idx| (self.layout.layer(*idx), *idx))
    }

    /// Returns the widget that shows what a touch at the point means; see [`Layout::touch_target`].
    pub fn touch_target(&self, point: PxPoint) -> Option<WidgetIdx> {
        self.hit_test(point).map(|hit| self.layout.meant_by(hit))
    }

    /// Returns a point at which a touch reaches the widget or one of its descendants: its centre if that is free, else
    /// the centre of its largest uncovered piece.
    ///
    /// # Errors
    ///
    /// [`Unreachable`] if no part of the widget is on the screen, or all of it is covered.
    pub fn touch_point(&self, idx: WidgetIdx) -> Result<PxPoint, Unreachable> {
        let (bounds, screen) = (self.bounds(idx), self.layout.screen());
        let shown = match PxRect::new(0, 0, screen.width, screen.height) {
            screen if screen.is_empty() => bounds,
            screen => bounds.intersect(&screen),
        };
        if shown.is_empty() {
            return Err(Unreachable::OffScreen);
        }
        let middle = bounds.center();
        if shown.contains(middle) && !self.covers(idx).any(|over| self.bounds(over).contains(middle)) {
            return Ok(middle);
        }
        let mut pieces = vec![shown];
        for over in self.covers(idx) {
            let over = self.bounds(over);
            if !pieces.iter().any(|piece| meet(piece, &over)) {
                continue;
            }
            pieces = pieces.iter().flat_map(|piece| without(piece, &over)).collect();
            if pieces.len() > MAX_PIECES {
                pieces.sort_by_key(|piece| std::cmp::Reverse(piece.area()));
                pieces.truncate(MAX_PIECES);
            }
        }
        // Of equally large pieces, this takes the first.
        let largest = pieces.iter().rev().max_by_key(|piece| piece.area());
        largest.map(PxRect::center).ok_or_else(|| Unreachable::Covered(self.covering(idx, shown.center())))
    }

    /// Whether the point is on the widget and a touch there reaches the widget or one of its descendants.
    pub fn touch_reaches(&self, idx: WidgetIdx, point: PxPoint) -> bool {
        self.bounds(idx).contains(point) && !self.covers(idx).any(|over| self.bounds(over).contains(point))
    }

    /// Returns the widget that covers this one completely and takes its touches, if any. It hides this one from people,
    /// although a dump still lists it.
    pub fn covered_by(&self, idx: WidgetIdx) -> Option<WidgetIdx> {
        let bounds = self.bounds(idx);
        self.covers(idx).find(|over| self.bounds(*over).intersect(&bounds) == bounds)
    }

    /// Returns the widget to report as covering a widget that cannot be touched.
    fn covering(&self, idx: WidgetIdx, point: PxPoint) -> WidgetIdx {
        let first = || self.covers(idx).next().unwrap_or(idx);
        self.hit_test(point).filter(|hit| !self.layout.holds(idx, *hit)).unwrap_or_else(first)
    }

    /// The widgets that take touches and lie over any part of this one, in document order.
    fn covers(&self, idx: WidgetIdx) -> impl Iterator<Item = WidgetIdx> + '_ {
        let (bounds, end) = (self.bounds(idx), self.layout.end(idx));
        let several = self.layout.windows().len() > 1;
        let layer = self.layout.layer(idx);
        let lies_over = move |over: WidgetIdx| match several {
            true => self.lies_over(over, idx, layer),
            false => over >= end,
        };
        let near = self.strips.as_ref().map(|strips| strips.over(&bounds));
        let count = near.as_ref().map_or(self.layout.widgets().len(), Vec::len);
        (0..count)
            .map(move |at| near.as_ref().map_or(WidgetIdx(at as u32), |near| near[at]))
            .filter(move |over| lies_over(*over) && meet(&self.bounds(*over), &bounds) && self.takes(*over))
    }

    fn lies_over(&self, over: WidgetIdx, idx: WidgetIdx, layer: Layer) -> bool {
        let layout = self.layout;
        let of_window = layout.window_of(over) == layout.window_of(idx);
        if of_window { over >= layout.end(idx) } else { layout.layer(over) > layer }
    }

    fn bounds(&self, idx: WidgetIdx) -> PxRect {
        self.layout.widget(idx).bounds
    }

    fn takes(&self, idx: WidgetIdx) -> bool {
        match &self.takers {
            Some(takers) => takers.get(idx.index()).copied().unwrap_or(false),
            None => self.layout.takes_touches(idx),
        }
    }

    /// The widgets at the point, in document order.
    fn at(&self, point: PxPoint) -> impl Iterator<Item = WidgetIdx> + '_ {
        let count = self.layout.widgets().len() as u32;
        let (strip, all) = match &self.strips {
            Some(strips) => (strips.at(point), 0..0),
            None => (&[][..], 0..count),
        };
        let there = strip.iter().copied().chain(all.map(WidgetIdx));
        there.filter(move |idx| self.bounds(*idx).contains(point))
    }
}

impl Strips {
    fn of(layout: &Layout, down: bool) -> Self {
        let edges = |bounds: &PxRect| match down {
            true => (i64::from(bounds.top), i64::from(bounds.bottom)),
            false => (i64::from(bounds.left), i64::from(bounds.right)),
        };
        let all = || layout.iter().map(|(idx, widget)| (idx, edges(&widget.bounds)));
        let first = all().map(|(_, (near, _))| near).min().unwrap_or(0);
        let last = all().map(|(_, (_, far))| far).max().unwrap_or(0).max(first);
        let mut strips = Strips {
            down,
            first,
            thickness: (last - first) / STRIPS as i64 + 1,
            widgets: vec![Vec::new(); STRIPS],
        };
        for (idx, (near, far)) in all().filter(|(_, (near, far))| near <= far) {
            let touched = strips.place(near)..=strips.place(far);
            strips.widgets[touched].iter_mut().for_each(|strip| strip.push(idx));
        }
        strips
    }

    /// Index of the strip that contains a pixel. A pixel outside the layout is assigned to the nearest strip.
    fn place(&self, pixel: i64) -> usize {
        ((pixel - self.first) / self.thickness).clamp(0, STRIPS as i64 - 1) as usize
    }

    /// The widgets that may lie at the point, in document order.
    fn at(&self, point: PxPoint) -> &[WidgetIdx] {
        &self.widgets[self.place(i64::from(if self.down { point.y } else { point.x }))]
    }

    /// The widgets that may overlap the rectangle, in document order.
    fn over(&self, bounds: &PxRect) -> Vec<WidgetIdx> {
        let (near, far) = match self.down {
            true => (bounds.top, bounds.bottom),
            false => (bounds.left, bounds.right),
        };
        let (near, far) = (self.place(i64::from(near)), self.place(i64::from(far)));
        let mut there: Vec<WidgetIdx> = self.widgets.get(near..=far).unwrap_or_default().concat();
        there.sort_unstable();
        there.dedup();
        there
    }

    /// Cost of searching the strips once for each widget in them.
    fn work(&self) -> usize {
        self.widgets.iter().map(|strip| strip.len() * strip.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::determinism::Rng;
    use crate::{WidgetFlags, layout_from};

    /// So many widgets, nested and placed by chance; some are empty or inverted, and some take touches.
    fn scattered(count: usize, seed: u64) -> Layout {
        let mut rng = Rng::from_seed(seed);
        let (mut lines, mut depth) = (String::new(), 0);
        for _ in 0..count {
            lines.push_str(&format!("{}View\n", "  ".repeat(depth)));
            depth = rng.below((depth + 2).min(6));
        }
        let layout = layout_from(&lines);
        let all: Vec<WidgetIdx> = layout.iter().map(|(idx, _)| idx).collect();
        layout.with_changed(&all, |widget| {
            let mut edge = |most: usize| rng.below(most) as i32 - 20;
            let (left, top) = (edge(300), edge(900));
            let (width, height) = (edge(200), edge(300));
            widget.bounds = PxRect::new(left, top, left + width, top + height);
            widget.flags = widget.flags.with(WidgetFlags::CLICKABLE, width % 3 == 0);
        })
    }

    #[test]
    fn it_says_what_the_layout_says() {
        for seed in 0..4 {
            for layout in [scattered(800, seed), scattered(30, seed)] {
                let map = TouchMap::new(&layout);
                for (idx, widget) in layout.iter() {
                    let middle = widget.bounds.center();
                    assert_eq!(map.touch_point(idx), layout.touch_point(idx), "{seed} {idx:?}");
                    assert_eq!(map.covered_by(idx), layout.covered_by(idx), "{seed} {idx:?}");
                    assert_eq!(map.hit_test(middle), layout.hit_test(middle), "{seed} {idx:?}");
                    assert_eq!(map.touch_target(middle), layout.touch_target(middle), "{seed} {idx:?}");
                    let reached = layout.touch_reaches(idx, middle);
                    assert_eq!(map.touch_reaches(idx, middle), reached, "{seed} {idx:?}");
                }
            }
        }
    }
}
