//! `dumpsys display` and `dumpsys input`: the screen and its rotation.

use crate::outputs::filled;
use crate::screen::front::handle;
use crate::served::State;
use crate::system::properties::DENSITY;
use taproof_engine::device::DeviceError;

pub(super) fn display(state: &mut State, _args: &[String]) -> Result<String, DeviceError> {
    let layout = state.layout()?;
    let (upright, turned) = (state.device.info().screen, layout.screen());
    let (w, h) = (upright.width, upright.height);
    Ok(filled(
        state.like,
        "dumpsys display",
        &[
            ("w", &w),
            ("h", &h),
            ("short", &w.min(h)),
            ("long", &w.max(h)),
            ("width", &turned.width),
            ("height", &turned.height),
            ("rotation", &layout.rotation().0),
            ("density", &DENSITY),
            ("power", &if state.awake { "ON" } else { "OFF" }),
            ("blanked", &!state.awake),
        ],
    ))
}

pub(super) fn input(state: &mut State, _args: &[String]) -> Result<String, DeviceError> {
    let front = state.front()?;
    Ok(filled(
        state.like,
        "dumpsys input",
        &[
            ("width", &front.layout.screen().width),
            ("height", &front.layout.screen().height),
            ("rotation", &front.layout.rotation().0),
            ("awake", &state.awake),
            ("enabled", &u8::from(state.awake)),
            ("handle", &handle("window", &front.window)),
            ("window", &front.window),
        ],
    ))
}
