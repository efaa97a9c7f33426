//! A film of the window, with the pointer of the person who uses it, as an animated PNG: it keeps every colour, and only what
//! changes is stored.

use std::io::BufWriter;
use std::path::Path;

use egui::accesskit::Role;
use egui::epaint::ClippedShape;
use egui::{Color32, Event, Key, Modifiers, MouseWheelUnit, Pos2, Rect, Shape, Stroke, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use image::RgbaImage;

use crate::driver::place_of;
use crate::hand::Hand;

use taproof_screen::Selector;
use taproof_studio::state::StudioState;

/// How long a picture of a moving pointer is shown, in milliseconds.
const MOVING: u16 = 40;
/// How far the pointer goes in that time, at most.
const FAR: f32 = 90.0;

/// What is filmed: the person's pointer moves, presses and types.
pub struct Film {
    pub hand: Hand,
    at: Pos2,
    shown: Option<RgbaImage>,
    shots: Vec<Shot>,
}

/// What changes, and for how long it is seen. Pixels that stay are transparent.
struct Shot {
    left: u32,
    top: u32,
    pixels: RgbaImage,
    millis: u16,
}

impl Film {
    /// The hand's window needs its painter as renderer.
    pub fn of(hand: Hand) -> Film {
        let at = hand.harness.ctx.viewport_rect().center();
        Film { hand, at, shown: None, shots: Vec::new() }
    }

    /// Shows the window as it is.
    pub fn shoot(&mut self, millis: u16) {
        self.take(millis, false);
    }

    fn take(&mut self, millis: u16, pressed: bool) {
        let mut output = self.hand.harness.output().clone();
        output.shapes.extend(pointer(self.at, pressed));
        let now = self.hand.painter.render(&self.hand.harness.ctx, &output);
        match (difference(self.shown.as_ref(), &now), self.shots.last_mut()) {
            (Some((left, top, pixels)), _) => self.shots.push(Shot { left, top, pixels, millis }),
            (None, Some(last)) => last.millis += millis,
            (None, None) => {}
        }
        self.shown = Some(now);
    }

    /// Moves the pointer, slower at both ends.
    pub fn point_at(&mut self, to: Pos2) {
        let from = self.at;
        let moves = (from.distance(to) / FAR).ceil().clamp(3.0, 9.0) as usize;
        for number in 1..=moves {
            let part = number as f32 / moves as f32;
            self.at = from + (to - from) * (part * part * (3.0 - 2.0 * part));
            self.hand.harness.hover_at(self.at);
            self.hand.harness.step();
            self.shoot(MOVING);
        }
    }

    fn press(&mut self, at: Pos2) {
        self.point_at(at);
        self.hand.harness.drag_at(at);
        self.hand.harness.step();
        self.take(140, true);
        self.hand.harness.drop_at(at);
        self.hand.harness.run_steps(3);
        self.hand.settle();
        self.shoot(500);
    }

    /// Presses the first control in sight that has this name.
    pub fn click(&mut self, label: &str) {
        let at = self.place(label).unwrap_or_else(|| panic!("nothing in sight is called {label:?}"));
        self.press(at);
    }

    /// Where the first control in sight is that has this name.
    pub fn place(&self, label: &str) -> Option<Pos2> {
        let named = self.hand.harness.query_all_by_label(label);
        let controls = named.filter(|node| node.accesskit_node().role() != Role::Label);
        let window = self.hand.harness.ctx.viewport_rect();
        controls.map(|node| node.rect().center()).find(|at| window.contains(*at))
    }

    /// Taps a widget of the phone.
    pub fn tap(&mut self, selector: &Selector) {
        let idx = selector.resolve(self.hand.state().mirror.layout().unwrap()).first();
        let idx = idx.unwrap_or_else(|| panic!("{selector} is not shown"));
        let at = place_of(&self.hand.harness, idx);
        self.press(at);
    }

    /// Types a text, letter by letter.
    pub fn type_text(&mut self, text: &str) {
        for letter in text.chars() {
            self.hand.type_text(&letter.to_string());
            self.shoot(130);
        }
    }

    /// Presses a key, and looks at what it does.
    pub fn key(&mut self, key: Key, millis: u16) {
        self.hand.key(Modifiers::NONE, key);
        self.shoot(millis);
    }

    /// Turns the wheel where the pointer is.
    pub fn scroll(&mut self, points: f32) {
        for _ in 0..8 {
            self.hand.harness.event(Event::MouseWheel {
                unit: MouseWheelUnit::Point,
                delta: vec2(0.0, -points / 8.0),
                phase: egui::TouchPhase::Move,
                modifiers: Modifiers::NONE,
            });
            self.hand.harness.step();
            self.shoot(MOVING);
        }
        self.hand.harness.run_steps(12);
    }

    /// Films until it has come, `most` pictures of half a second at most, which are shown for a part of that time.
    pub fn watch(&mut self, what: &str, most: usize, come: impl Fn(&StudioState) -> bool) {
        for _ in 0..most {
            if come(self.hand.state()) {
                break;
            }
            for _ in 0..20 {
                self.hand.harness.step();
                std::thread::sleep(std::time::Duration::from_millis(25));
            }
            self.shoot(200);
        }
        self.hand.wait(what, 600, come);
    }

    /// Writes the film, which begins anew when it has ended. Returns its size in bytes.
    pub fn write(&self, path: &Path) -> u64 {
        let first = &self.shots[0].pixels;
        let file = BufWriter::new(std::fs::File::create(path).unwrap());
        let mut encoder = png::Encoder::new(file, first.width(), first.height());
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_compression(png::Compression::High);
        encoder.set_animated(self.shots.len() as u32, 0).unwrap();
        let mut writer = encoder.write_header().unwrap();
        for shot in &self.shots {
            writer.set_frame_position(0, 0).unwrap();
            writer.set_frame_dimension(shot.pixels.width(), shot.pixels.height()).unwrap();
            writer.set_frame_position(shot.left, shot.top).unwrap();
            writer.set_frame_delay(shot.millis, 1000).unwrap();
            writer.set_blend_op(png::BlendOp::Over).unwrap();
            writer.write_image_data(shot.pixels.as_raw()).unwrap();
        }
        writer.finish().unwrap();
        std::fs::metadata(path).unwrap().len()
    }
}

/// The place of what differs, and its pixels; `None` if nothing does.
fn difference(before: Option<&RgbaImage>, now: &RgbaImage) -> Option<(u32, u32, RgbaImage)> {
    let Some(before) = before else { return Some((0, 0, now.clone())) };
    let changed = |x: u32, y: u32| before.get_pixel(x, y) != now.get_pixel(x, y);
    let all = (0..now.height()).flat_map(|y| (0..now.width()).map(move |x| (x, y)));
    let (mut least, mut most) = ((u32::MAX, u32::MAX), (0, 0));
    for (x, y) in all.filter(|(x, y)| changed(*x, *y)) {
        least = (least.0.min(x), least.1.min(y));
        most = (most.0.max(x), most.1.max(y));
    }
    if least.0 == u32::MAX {
        return None;
    }
    let (width, height) = (most.0 - least.0 + 1, most.1 - least.1 + 1);
    let pixels = RgbaImage::from_fn(width, height, |x, y| {
        let (x, y) = (least.0 + x, least.1 + y);
        if changed(x, y) { *now.get_pixel(x, y) } else { image::Rgba([0; 4]) }
    });
    Some((least.0, least.1, pixels))
}

/// An arrow, with a ring while it presses.
fn pointer(at: Pos2, pressed: bool) -> Vec<ClippedShape> {
    let corners = [vec2(0.0, 0.0), vec2(14.5, 14.5), vec2(0.0, 20.5)].map(|corner| at + corner).to_vec();
    let arrow = Shape::convex_polygon(corners, Color32::WHITE, Stroke::new(1.5, Color32::BLACK));
    let ring = || Shape::circle_stroke(at, 14.0, Stroke::new(3.0, Color32::from_rgb(0xff, 0xb3, 0x2e)));
    let shapes = pressed.then(ring).into_iter().chain([arrow]);
    let everywhere = Rect::from_min_max(pos2(0.0, 0.0), pos2(10_000.0, 10_000.0));
    shapes.map(|shape| ClippedShape { clip_rect: everywhere, shape }).collect()
}
