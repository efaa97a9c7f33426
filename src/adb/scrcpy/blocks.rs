//! A coarse summary of a picture: fine enough to detect other content, and coarse enough to ignore the losses of H.264.
//! Only with the feature `scrcpy`.

use openh264::decoder::DecodedYUV;
use openh264::formats::YUVSource;

/// The side of a block in pixels. Cursors are narrow, so blocks are small.
const SIDE: usize = 8;
/// The smallest difference between the means of a block, of 255, that counts as visible. Measured with the bundled apps
/// (the test repeats it): on a still screen encoders at 4 Mbit/s reach 8, coarse ones 16; a cursor reaches 29, in dark
/// colours 20.
const VISIBLE: u8 = 18;

/// The means of the blocks of a picture: brightness, and the two colour differences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Width and height of the picture in pixels.
    size: (usize, usize),
    means: Vec<[u8; 3]>,
}

impl Blocks {
    /// Summarises a decoded picture. `None` if its planes are smaller than its size requires.
    pub(super) fn of(picture: &DecodedYUV<'_>) -> Option<Blocks> {
        let (width, height) = picture.dimensions();
        let (y_stride, u_stride, v_stride) = picture.strides();
        let bright = plane_means(picture.y(), y_stride, (width, height), SIDE)?;
        let colours = (width / 2, height / 2);
        let blue = plane_means(picture.u(), u_stride, colours, SIDE / 2)?;
        let red = plane_means(picture.v(), v_stride, colours, SIDE / 2)?;
        let means = bright.iter().zip(blue).zip(red).map(|((y, u), v)| [*y, u, v]).collect();
        Some(Blocks { size: (width, height), means })
    }

    /// The largest difference between corresponding blocks, 0 to 255. Pictures of different sizes differ by 255.
    pub fn difference(&self, other: &Blocks) -> u8 {
        if self.size != other.size {
            return u8::MAX;
        }
        let pairs = self.means.iter().flatten().zip(other.means.iter().flatten());
        pairs.map(|(one, other)| one.abs_diff(*other)).max().unwrap_or(0)
    }

    /// Whether a person could see a difference between the pictures.
    pub fn visibly_differ(&self, other: &Blocks) -> bool {
        self.difference(other) >= VISIBLE
    }
}

#[cfg(test)]
impl Blocks {
    /// The blocks of a picture of uniform brightness.
    pub fn plain(mean: u8) -> Blocks {
        Blocks { size: (16, 16), means: vec![[mean; 3]; 4] }
    }
}

/// The means of the blocks of one plane, row by row. Blocks at the edges may be smaller. `None` if the plane is smaller
/// than the size.
fn plane_means(plane: &[u8], stride: usize, (width, height): (usize, usize), side: usize) -> Option<Vec<u8>> {
    if width == 0 || height == 0 || stride < width || side == 0 {
        return None;
    }
    let mut means = Vec::with_capacity(width.div_ceil(side) * height.div_ceil(side));
    let mut sums = vec![0u32; width.div_ceil(side)];
    let rows = plane.chunks(stride).take(height);
    let mut added = 0u32;
    for (row, line) in rows.enumerate() {
        let line = line.get(..width)?;
        for (sum, block) in sums.iter_mut().zip(line.chunks(side)) {
            *sum += block.iter().map(|byte| u32::from(*byte)).sum::<u32>();
        }
        added += 1;
        if (row + 1) % side == 0 || row + 1 == height {
            let across = |at: usize| (width - at * side).min(side) as u32;
            means.extend(sums.iter().enumerate().map(|(at, sum)| (sum / (across(at) * added)) as u8));
            sums.fill(0);
            added = 0;
        }
    }
    (means.len() == width.div_ceil(side) * height.div_ceil(side)).then_some(means)
}

#[cfg(test)]
mod tests;
