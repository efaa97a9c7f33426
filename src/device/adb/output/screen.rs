//! Size, density and rotation of the screen.

use super::OutputError;
use super::lines::{lines, values, word};
use crate::model::PxSize;

/// A size in pixels; neither side is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

impl From<Extent> for PxSize {
    fn from(extent: Extent) -> PxSize {
        let side = |px: u32| i32::try_from(px).unwrap_or(i32::MAX);
        PxSize { width: side(extent.width), height: side(extent.height) }
    }
}

/// What `wm size` says, of the upright screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenSize {
    /// The panel.
    pub physical: Extent,
    /// What apps are told instead, if set.
    pub overridden: Option<Extent>,
}

impl ScreenSize {
    /// The size that apps, dumps and `input` use.
    pub fn current(&self) -> Extent {
        self.overridden.unwrap_or(self.physical)
    }
}

/// What `wm density` says, in dots per inch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Density {
    /// Of the panel.
    pub physical: u32,
    /// What apps are told instead, if set.
    pub overridden: Option<u32>,
}

impl Density {
    /// The density that apps use.
    pub fn current(&self) -> u32 {
        self.overridden.unwrap_or(self.physical)
    }
}

/// Reads the answer of `wm size`. Errors: no size, or one that no screen has.
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

/// Reads the answer of `wm density`. Errors: no density, or one that no screen has.
pub fn wm_density(text: &str) -> Result<Density, OutputError> {
    const COMMAND: &str = "wm density";
    let density = |key: &str| {
        let Some(value) = labelled(text, key) else { return Ok(None) };
        let bad = || OutputError::BadValue { command: COMMAND, what: "the density", value: value.to_owned() };
        value.parse().ok().filter(|dpi| (40..=2000).contains(dpi)).map(Some).ok_or_else(bad)
    };
    let (physical, overridden) = (density("Physical density:")?, density("Override density:")?);
    let missing = || OutputError::missing(COMMAND, "line `Physical density: DPI`", text);
    let physical = physical.or(overridden).ok_or_else(missing)?;
    Ok(Density { physical, overridden })
}

/// The rotation in quarter turns (0 to 3, as `Surface.ROTATION_…`) of the first screen, from `dumpsys display`.
/// Errors: no viewport says it.
pub fn display_rotation(text: &str) -> Result<u8, OutputError> {
    let viewports = || values(text, "DisplayViewport{").map(|rest| rest.split('}').next().unwrap_or(rest));
    let says = |viewport: &str, field: &str| values(viewport, field).next().is_some();
    let first = viewports().filter(|viewport| {
        says(viewport, "displayId=0,") && !says(viewport, "valid=false") && !says(viewport, "isActive=false")
    });
    let rotation = first.filter_map(|viewport| turns(viewport, "orientation=")).next();
    rotation
        .or_else(|| turns(text, "mCurrentOrientation="))
        .or_else(|| turns(text, "orientation="))
        .ok_or_else(|| OutputError::missing("dumpsys display", "viewport with `orientation=N`", text))
}

/// The rotation in quarter turns of the first screen, from `dumpsys input`. Errors: neither a viewport nor a touch
/// screen is listed (old devices without a touch screen).
pub fn input_rotation(text: &str) -> Result<u8, OutputError> {
    let of_first = |active: bool| {
        let viewports = lines(text).map(str::trim).filter(|line| line.starts_with("Viewport"));
        // A folding phone lists both of its screens, the dark one as well.
        viewports
            .filter(|line| line.contains("displayId=0,"))
            .filter(move |line| !(active && line.contains("isActive=[0]")))
    };
    of_first(true)
        .chain(of_first(false))
        .find_map(|line| turns(line, "orientation="))
        .or_else(|| turns(text, "SurfaceOrientation:"))
        .ok_or_else(|| {
            OutputError::missing(
                "dumpsys input",
                "viewport or `SurfaceOrientation`; `dumpsys display` may say it",
                text,
            )
        })
}

/// The rotation in quarter turns of the first screen, from `dumpsys window`, `dumpsys window windows` (up to Android 9)
/// or `dumpsys window displays`. Errors: no field says it.
pub fn window_rotation(text: &str) -> Result<u8, OutputError> {
    ["mCurrentRotation=", "mRotation=", "mDisplayRotation="]
        .iter()
        .find_map(|key| turns(text, key))
        .ok_or_else(|| OutputError::missing("dumpsys window", "field `mRotation=N`", text))
}

fn labelled<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    lines(text).find_map(|line| line.trim().strip_prefix(key)).map(str::trim)
}

fn side(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|side| (1..=32_767).contains(side))
}

/// The first value behind `key` that is a rotation: `1`, `ROTATION_90` or `Rotation90`.
fn turns(text: &str, key: &str) -> Option<u8> {
    values(text, key).find_map(|rest| {
        let value = word(rest);
        let degrees = value.strip_prefix("ROTATION_").or_else(|| value.strip_prefix("Rotation"));
        match (degrees, value) {
            (Some("0"), _) | (None, "0") => Some(0),
            (Some("90"), _) | (None, "1") => Some(1),
            (Some("180"), _) | (None, "2") => Some(2),
            (Some("270"), _) | (None, "3") => Some(3),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::test_data;
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
        assert_eq!((density.physical, density.current()), (420, 480));
        assert_eq!(wm_density("Physical density: 420\r\n").unwrap().current(), 420);
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

    #[test]
    fn the_old_device_is_upright() {
        let Some(display) = test_data::text("dumpsys_display.txt") else { return };
        assert_eq!(display_rotation(&display), Ok(0));
        let turned = display.replacen("displayId=0, orientation=0", "displayId=0, orientation=3", 1);
        assert_eq!(display_rotation(&turned), Ok(3));
        assert_eq!(window_rotation(&test_data::text("dumpsys_window_windows.txt").unwrap()), Ok(0));
        // It has no touch screen, and the word `Orientation` of its keyboards means something else.
        assert!(input_rotation(&test_data::text("dumpsys_input.txt").unwrap()).is_err());
    }

    #[test]
    fn newer_displays_are_read() {
        let fold = "  mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=false, displayId=1, \
            uniqueId='local:4630947194243491972', physicalPort=132, orientation=2, logicalFrame=Rect(0, 0 - 904, 2316)}, \
            DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:4630946165277524611', \
            physicalPort=131, orientation=1, logicalFrame=Rect(0, 0 - 2400, 1080)}]\n";
        assert_eq!(display_rotation(fold), Ok(1));
        assert_eq!(display_rotation("    mCurrentOrientation=2\n"), Ok(2));
        assert_eq!(display_rotation("x, orientation=0, y"), Ok(0));
        assert!(display_rotation("orientation=7").is_err());
    }

    #[test]
    fn newer_inputs_are_read() {
        let input = "      Viewport EXTERNAL: displayId=2, uniqueId=x, port=1, orientation=2, \
            isActive=[1]\n      \
            Viewport INTERNAL: displayId=0, uniqueId=local:1, port=Optional(0), orientation=3, isActive=[0]\n      \
            Viewport INTERNAL: displayId=0, uniqueId=local:2, port=Optional(0), orientation=1, isActive=[1]\n";
        assert_eq!(input_rotation(input), Ok(1));
        assert_eq!(input_rotation("    Viewport: displayId=0, orientation=Rotation270, x"), Ok(3));
        assert_eq!(input_rotation("      SurfaceOrientation: 1\n"), Ok(1));
    }

    #[test]
    fn newer_windows_are_read() {
        assert_eq!(
            window_rotation("    mUserRotation=ROTATION_0\n    mRotation=1 mDeferredRotationPauseCount=0\n"),
            Ok(1)
        );
        assert_eq!(window_rotation("    mCurrentRotation=ROTATION_90\n"), Ok(1));
        assert_eq!(
            window_rotation("winConfig={ mBounds=Rect(0, 0 - 2, 1) mDisplayRotation=ROTATION_270 }"),
            Ok(3)
        );
        assert!(window_rotation("mUserRotation=1").is_err());
    }
}
