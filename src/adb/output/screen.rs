//! Parsing size and density of the screen.

use super::OutputError;
use super::lines::lines;
use taproof_screen::PxSize;

/// A size in pixels. Neither side is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The horizontal size in pixels.
    pub width: u32,
    /// The vertical size in pixels.
    pub height: u32,
}

impl From<Extent> for PxSize {
    fn from(extent: Extent) -> PxSize {
        let side = |px: u32| i32::try_from(px).unwrap_or(i32::MAX);
        PxSize { width: side(extent.width), height: side(extent.height) }
    }
}

/// The answer of `wm size`, for the screen in its natural orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenSize {
    /// The size of the panel (`Physical size`).
    pub physical: Extent,
    /// The size that apps see instead (`Override size`), if set.
    pub overridden: Option<Extent>,
}

impl ScreenSize {
    /// The size that apps, dumps and `input` use.
    pub fn current(&self) -> Extent {
        self.overridden.unwrap_or(self.physical)
    }
}

/// Parses the answer of `wm size`.
///
/// # Errors
///
/// If there is no size, or a side is not from 1 to 32767.
pub fn wm_size(text: &str) -> Result<ScreenSize, OutputError> {
    const COMMAND: &str = "wm size";
    let size = |key: &str| {
        let Some(value) = labelled(text, key) else { return Ok(None) };
        let sides = value
            .split_once('x')
            .and_then(|(width, height)| Some(Extent { width: side(width)?, height: side(height)? }));
        let bad = || OutputError::BadValue { command: COMMAND, what: "the size", value: value.to_owned() };
        sides.map(Some).ok_or_else(bad)
    };
    let (physical, overridden) = (size("Physical size:")?, size("Override size:")?);
    let missing = || OutputError::missing(COMMAND, "line `Physical size: WIDTHxHEIGHT`", text);
    let physical = physical.or(overridden).ok_or_else(missing)?;
    Ok(ScreenSize { physical, overridden })
}

/// Parses `wm density`: the density that apps use, in dots per inch.
///
/// # Errors
///
/// If there is no density, or it is not from 40 to 2000.
pub fn wm_density(text: &str) -> Result<u32, OutputError> {
    const COMMAND: &str = "wm density";
    let value = labelled(text, "Override density:").or_else(|| labelled(text, "Physical density:"));
    let missing = || OutputError::missing(COMMAND, "line `Physical density: DPI`", text);
    let value = value.ok_or_else(missing)?;
    let bad = || OutputError::BadValue { command: COMMAND, what: "the density", value: value.to_owned() };
    value.parse().ok().filter(|dpi| (40..=2000).contains(dpi)).ok_or_else(bad)
}

fn labelled<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    lines(text).find_map(|line| line.trim().strip_prefix(key)).map(str::trim)
}

fn side(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|side| (1..=32_767).contains(side))
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    fn extent(width: u32, height: u32) -> Extent {
        Extent { width, height }
    }

    #[test]
    fn an_override_wins() {
        let plain = wm_size("Physical size: 1080x2400\n").unwrap();
        assert_eq!(plain, ScreenSize { physical: extent(1080, 2400), overridden: None });
        assert_eq!(plain.current(), extent(1080, 2400));
        let size = wm_size("Physical size: 1080x2400\r\nOverride size: 720x1600\r\n").unwrap();
        assert_eq!(size.current(), extent(720, 1600));
        let density = wm_density("Physical density: 420\nOverride density: 480\n").unwrap();
        assert_eq!((density, wm_density("Physical density: 420\r\n")), (480, Ok(420)));
    }

    #[test]
    fn what_is_no_size_is_said() {
        assert_eq!(
            wm_size("Physical size: 0x2400\n").unwrap_err().to_string(),
            "`wm size` gives \"0x2400\" as the size, which cannot be; ask again, the answer may have been cut"
        );
        assert_eq!(
            wm_size("").unwrap_err().to_string(),
            "no line `Physical size: WIDTHxHEIGHT` in the answer of `wm size`, which reads as nothing at all"
        );
        assert!(matches!(
            wm_size("sh: wm: not found").unwrap_err(),
            OutputError::NoCommand { command: "wm size", .. }
        ));
        assert!(wm_density("Physical density: 99999999999").is_err());
        if let Some(usage) = test_data::text("wm_usage.txt") {
            assert!(matches!(wm_size(&usage).unwrap_err(), OutputError::Missing { .. }));
        }
    }
}
