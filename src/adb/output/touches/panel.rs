//! Converts coordinates of a touch panel to coordinates of the screen.

use super::super::screen::Extent;
use super::input_devices::AxisRange;
use super::reader::Spot;

/// How the screen is placed on the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenView {
    /// The size of the panel in its natural orientation (`Physical size` of `wm size`).
    pub physical: Extent,
    /// The size of the screen in its natural orientation as apps see it (`Override size`, else the physical size).
    pub logical: Extent,
    /// The rotation in quarter turns, as `Surface.ROTATION_…`.
    pub rotation: u8,
}

/// A panel with a view of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Panel {
    pub x: AxisRange,
    pub y: AxisRange,
    pub view: ScreenView,
}

impl Panel {
    /// Converts a touch to a place on the screen in its current rotation, clamped to the screen.
    pub fn spot(&self, x: i32, y: i32) -> Spot {
        let (physical, logical) = (self.view.physical, self.view.logical);
        let shown = shown_part(physical, logical);
        let upright_x = along(x, self.x, physical.width, shown.0, logical.width);
        let upright_y = along(y, self.y, physical.height, shown.1, logical.height);
        let (last_x, last_y) = (i64::from(logical.width) - 1, i64::from(logical.height) - 1);
        let (x, y) = match self.view.rotation % 4 {
            0 => (upright_x, upright_y),
            1 => (upright_y, last_x - upright_x),
            2 => (last_x - upright_x, last_y - upright_y),
            _ => (last_y - upright_y, upright_x),
        };
        let whole = |place: i64| i32::try_from(place).unwrap_or(0);
        Spot { x: whole(x), y: whole(y) }
    }
}

/// The width and height of the screen on the panel, in the panel's pixels: all of it, unless an override with another
/// aspect ratio leaves bars at two sides.
fn shown_part(physical: Extent, logical: Extent) -> (u32, u32) {
    let scaled = |side: u32, by: u32, of: u32| {
        u32::try_from(u64::from(side) * u64::from(by) / u64::from(of.max(1))).unwrap_or(u32::MAX).max(1)
    };
    let wide = u64::from(physical.width) * u64::from(logical.height);
    let high = u64::from(physical.height) * u64::from(logical.width);
    if wide < high {
        (physical.width, scaled(logical.height, physical.width, logical.width))
    } else {
        (scaled(logical.width, physical.height, logical.height), physical.height)
    }
}

/// Converts a coordinate on one axis: from the range of the panel to its pixels, to those of the shown part in its
/// middle, to those of the screen.
fn along(value: i32, range: AxisRange, physical: u32, shown: u32, logical: u32) -> i64 {
    let from_edge = i64::from(value) - i64::from(range.min);
    let values = (i64::from(range.max) - i64::from(range.min) + 1).max(1);
    let (physical, shown, logical) = (i64::from(physical), i64::from(shown).max(1), i64::from(logical));
    let bar = (physical - shown).max(0) / 2;
    // Wide integers, since sides of up to 2^32 are multiplied by values of up to 2^32.
    let on_panel = i128::from(from_edge) * i128::from(physical);
    let on_shown = on_panel - i128::from(bar) * i128::from(values);
    let place = (on_shown * i128::from(logical)).div_euclid(i128::from(values) * i128::from(shown));
    i64::try_from(place).unwrap_or(0).clamp(0, (logical - 1).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(range: (i32, i32), physical: (u32, u32), logical: (u32, u32), rotation: u8) -> Panel {
        let extent = |(width, height)| Extent { width, height };
        let axis = |max| AxisRange { min: 0, max };
        let view = ScreenView { physical: extent(physical), logical: extent(logical), rotation };
        Panel { x: axis(range.0), y: axis(range.1), view }
    }

    fn check(panel: Panel, x: i32, y: i32, expected: (i32, i32)) {
        let spot = panel.spot(x, y);
        assert_eq!((spot.x, spot.y), expected, "{x},{y} on {panel:?}");
    }

    #[test]
    fn ranges_are_scaled() {
        let same = panel((1079, 2399), (1080, 2400), (1080, 2400), 0);
        check(same, 0, 0, (0, 0));
        check(same, 1079, 2399, (1079, 2399));
        check(same, 540, 77, (540, 77));
        let fine = panel((32_767, 32_767), (1080, 2400), (1080, 2400), 0);
        check(fine, 0, 0, (0, 0));
        check(fine, 32_767, 32_767, (1079, 2399));
        check(fine, 16_384, 16_384, (540, 1200));
        // Beyond the edge.
        check(same, -5, 9999, (0, 2399));
        check(same, i32::MIN, i32::MAX, (0, 2399));
    }

    #[test]
    fn the_screen_may_be_turned() {
        let at = |rotation| panel((1079, 2399), (1080, 2400), (1080, 2400), rotation);
        check(at(0), 100, 200, (100, 200));
        check(at(1), 100, 200, (200, 979));
        check(at(2), 100, 200, (979, 2199));
        check(at(3), 100, 200, (2199, 100));
        check(at(1), 1079, 2399, (2399, 0));
    }

    #[test]
    fn an_override_may_leave_bars() {
        // The same aspect ratio: no bars.
        let small = panel((1079, 2399), (1080, 2400), (720, 1600), 0);
        check(small, 540, 1200, (360, 800));
        // Wider than the panel: bars of 240 pixels above and below.
        let wide = panel((1079, 2399), (1080, 2400), (1080, 1920), 0);
        check(wide, 0, 240, (0, 0));
        check(wide, 540, 1200, (540, 960));
        check(wide, 0, 100, (0, 0));
        check(wide, 0, 2390, (0, 1919));
        // As on the device of the data folder after `wm size 480x800`: 800x600, so 360 wide in the middle.
        let narrow = panel((799, 599), (800, 600), (480, 800), 0);
        check(narrow, 220, 0, (0, 0));
        check(narrow, 400, 300, (240, 400));
        check(narrow, 579, 599, (478, 798));
        check(narrow, 0, 0, (0, 0));
    }

    #[test]
    fn odd_numbers_do_no_harm() {
        let odd = Panel {
            x: AxisRange { min: i32::MIN, max: i32::MAX },
            ..panel((0, 0), (u32::MAX, 1), (1, u32::MAX), 1)
        };
        odd.spot(i32::MAX, i32::MIN);
        panel((0, 0), (0, 0), (0, 0), 250).spot(3, 4);
    }
}
