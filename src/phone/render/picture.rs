//! Small landscapes, each generated from a seed, so that different pictures can be distinguished at a glance.

use tiny_skia::PathBuilder;

use taproof_screen::determinism::Rng;
use taproof_screen::{PxRect, PxSize};

use super::super::{Color, Picture};
use super::shapes::{Canvas, Ink, mix};

/// The colours of a time of day.
struct Palette {
    sky_top: Color,
    sky_low: Color,
    /// The colour of the sun or the moon.
    light: Color,
    mountains: Color,
    /// The colours of the hills, the nearest last.
    hills: [Color; 3],
    stars: bool,
}

const PALETTES: [Palette; 6] = [
    palette([0x4FA3E0, 0xD6EEFA, 0xFFE9A8, 0x8FA9C4, 0x9CCB86, 0x74B266, 0x4E8F4B], false),
    palette([0xF2795C, 0xFBD38B, 0xFFF3C4, 0xA5677C, 0x9A5C74, 0x6E4466, 0x452D4F], false),
    palette([0x16234A, 0x4C5C92, 0xF4F1DE, 0x3A4677, 0x2E3B66, 0x223052, 0x17223C], true),
    palette([0x74C7C4, 0xFBF0D9, 0xFFD27A, 0x9DB8B5, 0xE3C77F, 0xC9A158, 0x9A7740], false),
    palette([0x8E7CC3, 0xF6C7D0, 0xFFE7D6, 0x8D86B5, 0x7C9A92, 0x587E7A, 0x38595C], false),
    palette([0x9DB4C7, 0xEEF3F6, 0xFFFFFF, 0xB9C9D6, 0xDDE8EE, 0xC3D4DF, 0x9DB3C2], false),
];

const fn palette(colors: [u32; 7], stars: bool) -> Palette {
    let [sky_top, sky_low, light, mountains, far, middle, near] = colors;
    Palette {
        sky_top: Color(sky_top),
        sky_low: Color(sky_low),
        light: Color(light),
        mountains: Color(mountains),
        hills: [Color(far), Color(middle), Color(near)],
        stars,
    }
}

/// Draws the picture into a rectangle with rounded corners.
pub(super) fn picture(canvas: &mut Canvas, picture: Picture, rect: PxRect, radius_px: i32) {
    if rect.is_empty() {
        return;
    }
    let rng = Rng::from_seed(u64::from(picture.0));
    let colors = rng.fork("palette").below(PALETTES.len());
    let size = PxSize { width: rect.width(), height: rect.height() };
    let mut landscape = Landscape {
        canvas: Canvas::new(size, PALETTES[colors].sky_low),
        width: size.width as f32,
        height: size.height as f32,
        palette: &PALETTES[colors],
    };
    landscape.sky(&mut rng.fork("sky"));
    landscape.mountains(&mut rng.fork("mountains"));
    landscape.hills(&rng);
    canvas.stamp(rect, radius_px, &landscape.canvas);
}

struct Landscape {
    canvas: Canvas,
    width: f32,
    height: f32,
    palette: &'static Palette,
}

/// A random number between `low` and `high`, which are in thousandths.
fn share(rng: &mut Rng, low: usize, high: usize) -> f32 {
    rng.between(low, high) as f32 / 1000.0
}

impl Landscape {
    /// The unit of lengths that must not be stretched.
    fn unit(&self) -> f32 {
        self.width.min(self.height)
    }

    fn sky(&mut self, rng: &mut Rng) {
        let bounds = self.canvas.bounds();
        let end = (bounds.bottom * 3 / 4).max(1);
        for y in 0..end {
            let color = mix(self.palette.sky_top, self.palette.sky_low, (y * 255 / end) as u8);
            self.canvas.rect(PxRect { top: y, bottom: y + 1, ..bounds }, Ink::solid(color));
        }
        let unit = self.unit();
        if self.palette.stars {
            for _ in 0..40 {
                let at = (share(rng, 0, 1000) * self.width, share(rng, 0, 550) * self.height);
                let radius = share(rng, 3, 7) * unit;
                self.canvas.circle(at, radius, Ink { color: Color::WHITE, alpha: 190 });
            }
        }
        let at = (share(rng, 150, 850) * self.width, share(rng, 170, 420) * self.height);
        let radius = share(rng, 70, 110) * unit;
        for (times, alpha) in [(2.2, 26), (1.5, 46), (1.0, 255)] {
            self.canvas.circle(at, radius * times, Ink { color: self.palette.light, alpha });
        }
        if !self.palette.stars {
            for _ in 0..rng.between(0, 3) {
                self.cloud(rng);
            }
        }
    }

    fn cloud(&mut self, rng: &mut Rng) {
        let (x, y) = (share(rng, 0, 900) * self.width, share(rng, 80, 380) * self.height);
        let size = share(rng, 35, 60) * self.unit();
        let mut puffs = PathBuilder::new();
        for (dx, dy, radius) in [(0.0, 0.0, 0.8), (1.1, -0.5, 1.1), (2.4, -0.2, 0.9), (3.3, 0.1, 0.65)] {
            puffs.push_circle(x + dx * size, y + dy * size, radius * size);
        }
        if let Some(path) = puffs.finish() {
            self.canvas.fill(&path, Ink { color: Color::WHITE, alpha: 190 });
        }
    }

    fn mountains(&mut self, rng: &mut Rng) {
        let base = 0.78 * self.height;
        for _ in 0..rng.between(0, 4) {
            let x = share(rng, 50, 950) * self.width;
            let peak = share(rng, 330, 560) * self.height;
            let half = (base - peak) * share(rng, 800, 1250);
            let stone = Ink::solid(self.palette.mountains);
            self.polygon(&[(x - half, base), (x, peak), (x + half, base)], stone);
            let snow = |part: f32, side: f32| (x + side * half * part, peak + (base - peak) * part);
            let cap = [(x, peak), snow(0.27, 1.0), snow(0.19, 0.35), snow(0.29, -0.1), snow(0.24, -1.0)];
            self.polygon(&cap, Ink { color: Color::WHITE, alpha: 175 });
        }
    }

    fn hills(&mut self, rng: &Rng) {
        for (layer, color) in (0u8..).zip(self.palette.hills) {
            let mut rng = rng.fork_indexed("hill", u64::from(layer));
            let level = (0.62 + 0.12 * f32::from(layer)) * self.height;
            let swing = 0.1 * self.height;
            let mut height = || level + (share(&mut rng, 0, 1000) - 0.5) * swing;
            let (left, first, second, right) = (height(), height() - swing, height() + swing, height());
            let mut path = PathBuilder::new();
            path.move_to(0.0, left);
            path.cubic_to(0.33 * self.width, first, 0.66 * self.width, second, self.width, right);
            path.line_to(self.width, self.height);
            path.line_to(0.0, self.height);
            path.close();
            if let Some(path) = path.finish() {
                self.canvas.fill(&path, Ink::solid(color));
            }
            if layer == 1 {
                self.life(&mut rng, level);
            }
        }
    }

    /// Draws trees, and perhaps a house, whose feet are hidden by the nearest hill.
    fn life(&mut self, rng: &mut Rng, level: f32) {
        let unit = self.unit();
        let pines = rng.chance(1, 2);
        for _ in 0..rng.between(2, 7) {
            let foot = (share(rng, 30, 970) * self.width, level + share(rng, 60, 130) * self.height);
            self.tree(foot, share(rng, 130, 210) * unit, pines);
        }
        if rng.chance(1, 2) {
            let foot = (share(rng, 150, 750) * self.width, level + 0.11 * self.height);
            self.house(foot, share(rng, 150, 200) * unit);
        }
    }

    fn tree(&mut self, (x, foot): (f32, f32), size: f32, pine: bool) {
        let leaves = Ink::solid(mix(self.palette.hills[2], Color(0), 40));
        let trunk = Ink::solid(mix(self.palette.hills[2], Color(0x3B2416), 150));
        let thin = size * 0.05;
        self.polygon(
            &[
                (x - thin, foot),
                (x - thin, foot - size * 0.5),
                (x + thin, foot - size * 0.5),
                (x + thin, foot),
            ],
            trunk,
        );
        if pine {
            for (low, high, half) in [(0.15, 0.62, 0.26), (0.4, 0.82, 0.21), (0.64, 1.0, 0.15)] {
                let corners = [
                    (x - half * size, foot - low * size),
                    (x, foot - high * size),
                    (x + half * size, foot - low * size),
                ];
                self.polygon(&corners, leaves);
            }
        } else {
            self.canvas.circle((x, foot - 0.68 * size), 0.3 * size, leaves);
        }
    }

    fn house(&mut self, (left, foot): (f32, f32), size: f32) {
        let (right, eaves) = (left + size * 1.2, foot - size * 0.7);
        let wall = mix(Color(0xF3E6D0), self.palette.hills[2], 70);
        let roof = mix(Color(0xB5483A), self.palette.hills[2], 60);
        self.polygon(&[(left, foot), (left, eaves), (right, eaves), (right, foot)], Ink::solid(wall));
        let over = size * 0.14;
        let ridge = eaves - size * 0.5;
        self.polygon(
            &[(left - over, eaves), ((left + right) / 2.0, ridge), (right + over, eaves)],
            Ink::solid(roof),
        );
        let pane = if self.palette.stars { Color(0xFFD873) } else { mix(wall, Color(0x37474F), 170) };
        for part in [0.18, 0.62] {
            let x = left + size * 1.2 * part;
            let (top, bottom) = (eaves + size * 0.12, eaves + size * 0.36);
            let wide = x + size * 0.24;
            self.polygon(&[(x, top), (wide, top), (wide, bottom), (x, bottom)], Ink::solid(pane));
        }
    }

    fn polygon(&mut self, corners: &[(f32, f32)], ink: Ink) {
        let mut path = PathBuilder::new();
        for (place, &(x, y)) in corners.iter().enumerate() {
            if place == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        path.close();
        if let Some(path) = path.finish() {
            self.canvas.fill(&path, ink);
        }
    }
}
