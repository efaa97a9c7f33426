//! Paints the window without a graphics driver: egui's triangles, one pixel after the other. For pictures and
//! for what they cost; the program itself never paints like this.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use egui::epaint::{ClippedPrimitive, Mesh, Primitive, Vertex};
use egui::{
    Color32, ColorImage, Context, FullOutput, ImageData, Rect, TextureFilter, TextureId, TexturesDelta,
};
use egui_kittest::TestRenderer;
use image::RgbaImage;

struct Texture {
    image: ColorImage,
    nearest: bool,
}

/// Paints with the textures of a window; a copy shares them.
#[derive(Clone, Default)]
pub struct Painter(Rc<RefCell<Textures>>);

#[derive(Default)]
struct Textures {
    held: BTreeMap<TextureId, Texture>,
    /// What was given up; still in use by the picture that is painted next.
    gone: Vec<TextureId>,
}

/// A corner in pixels: place, texel (0 to 1), colour.
#[derive(Clone, Copy)]
struct Corner {
    x: f32,
    y: f32,
    u: f32,
    v: f32,
    color: [f32; 4],
}

impl TestRenderer for Painter {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        let Textures { held, gone } = &mut *self.0.borrow_mut();
        for id in gone.drain(..) {
            held.remove(&id);
        }
        let mut set: Vec<_> = delta.set.iter().collect();
        set.sort_by_key(|(id, _)| **id);
        for (id, changes) in set {
            for change in changes {
                let ImageData::Color(image) = &change.image;
                match (change.pos, held.get_mut(id)) {
                    (Some([left, top]), Some(texture)) => {
                        let width = texture.image.size[0];
                        for (row, line) in image.pixels.chunks(image.size[0]).enumerate() {
                            let at = (top + row) * width + left;
                            texture.image.pixels[at..at + line.len()].copy_from_slice(line);
                        }
                    }
                    _ => {
                        let nearest = change.options.magnification == TextureFilter::Nearest;
                        held.insert(*id, Texture { image: (**image).clone(), nearest });
                    }
                }
            }
        }
        *gone = delta.free.iter().copied().collect();
        delta.clear();
    }
}

impl Painter {
    /// Paints what a window puts out.
    pub fn render(&self, ctx: &Context, output: &FullOutput) -> RgbaImage {
        let scale = output.pixels_per_point;
        let primitives = ctx.tessellate(output.shapes.clone(), scale);
        let size = (ctx.viewport_rect().size() * scale).round();
        self.paint(&primitives, [size.x as usize, size.y as usize], scale)
    }

    /// Paints primitives on black.
    pub fn paint(&self, primitives: &[ClippedPrimitive], size: [usize; 2], scale: f32) -> RgbaImage {
        let mut canvas = Canvas { size, pixels: vec![[0, 0, 0, 255]; size[0] * size[1]] };
        for ClippedPrimitive { clip_rect, primitive } in primitives {
            let Primitive::Mesh(mesh) = primitive else { continue };
            if let Some(texture) = self.0.borrow().held.get(&mesh.texture_id) {
                canvas.mesh(mesh, texture, *clip_rect, scale);
            }
        }
        let bytes = canvas.pixels.into_iter().flatten().collect();
        RgbaImage::from_raw(size[0] as u32, size[1] as u32, bytes).expect("as many bytes as pixels")
    }
}

struct Canvas {
    size: [usize; 2],
    pixels: Vec<[u8; 4]>,
}

impl Canvas {
    fn mesh(&mut self, mesh: &Mesh, texture: &Texture, clip: Rect, scale: f32) {
        let clamp = |place: f32, most: usize| (place * scale).round().clamp(0.0, most as f32) as usize;
        let [width, height] = self.size;
        let clip = [
            clamp(clip.min.x, width),
            clamp(clip.min.y, height),
            clamp(clip.max.x, width),
            clamp(clip.max.y, height),
        ];
        for triangle in mesh.triangles() {
            let corners = triangle.map(|index| corner(&mesh.vertices[index as usize], scale));
            self.triangle(corners, texture, clip);
        }
    }

    fn triangle(&mut self, mut corners: [Corner; 3], texture: &Texture, clip: [usize; 4]) {
        corners.sort_by(|one, other| one.y.total_cmp(&other.y));
        let [a, b, c] = corners;
        let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        if area == 0.0 {
            return;
        }
        let flat = a.color == b.color && b.color == c.color;
        let one_texel = a.u == b.u && b.u == c.u && a.v == b.v && b.v == c.v;
        let plain = (flat && one_texel).then(|| premultiplied(a.color, texture.at(a.u, a.v)));
        // A pixel is inside when its centre is: neighbours neither overlap nor leave a seam.
        let first =
            |place: f32, low: usize, high: usize| ((place - 0.5).ceil().max(low as f32) as usize).min(high);
        let cross =
            |from: Corner, to: Corner, y: f32| from.x + (to.x - from.x) * (y - from.y) / (to.y - from.y);
        for row in first(a.y, clip[1], clip[3])..first(c.y, clip[1], clip[3]) {
            let y = row as f32 + 0.5;
            let long = cross(a, c, y);
            let short = if y < b.y { cross(a, b, y) } else { cross(b, c, y) };
            let columns = first(long.min(short), clip[0], clip[2])..first(long.max(short), clip[0], clip[2]);
            for column in columns {
                let color = plain.unwrap_or_else(|| {
                    let x = column as f32 + 0.5;
                    let to_b = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / area;
                    let to_c = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / area;
                    let mix =
                        |of: fn(&Corner) -> f32| of(&a) + to_b * (of(&b) - of(&a)) + to_c * (of(&c) - of(&a));
                    let texel = texture.at(mix(|corner| corner.u), mix(|corner| corner.v));
                    let color = std::array::from_fn(|channel| {
                        let [a, b, c] = [a, b, c].map(|corner| corner.color[channel]);
                        a + to_b * (b - a) + to_c * (c - a)
                    });
                    premultiplied(color, texel)
                });
                over(&mut self.pixels[row * self.size[0] + column], color);
            }
        }
    }
}

fn corner(vertex: &Vertex, scale: f32) -> Corner {
    let color = vertex.color.to_array().map(f32::from);
    Corner { x: vertex.pos.x * scale, y: vertex.pos.y * scale, u: vertex.uv.x, v: vertex.uv.y, color }
}

fn premultiplied(color: [f32; 4], texel: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|channel| color[channel] * texel[channel] / 255.0)
}

fn over(pixel: &mut [u8; 4], color: [f32; 4]) {
    let left = 1.0 - color[3] / 255.0;
    for (channel, value) in pixel.iter_mut().zip(color) {
        *channel = (value + f32::from(*channel) * left + 0.5).min(255.0) as u8;
    }
}

impl Texture {
    /// The colour at a place from 0 to 1.
    fn at(&self, u: f32, v: f32) -> [f32; 4] {
        let [width, height] = self.image.size;
        let texel = |x: f32, y: f32| -> [f32; 4] {
            let x = (x.max(0.0) as usize).min(width - 1);
            let y = (y.max(0.0) as usize).min(height - 1);
            let color: Color32 = self.image.pixels[y * width + x];
            color.to_array().map(f32::from)
        };
        let (x, y) = (u * width as f32, v * height as f32);
        if self.nearest {
            return texel(x.floor(), y.floor());
        }
        let (x, y) = (x - 0.5, y - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let (right_part, low_part) = (x - left, y - top);
        let corners =
            [texel(left, top), texel(left + 1.0, top), texel(left, top + 1.0), texel(left + 1.0, top + 1.0)];
        std::array::from_fn(|channel| {
            let [a, b, c, d] = corners.map(|corner| corner[channel]);
            let (upper, lower) = (a + (b - a) * right_part, c + (d - c) * right_part);
            upper + (lower - upper) * low_part
        })
    }
}
