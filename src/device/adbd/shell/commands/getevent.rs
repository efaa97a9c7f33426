//! `getevent`: the touch screen is listed, and nobody touches it.

use super::{Call, Done};

const DEVICE: &str = "/dev/input/event0";

pub fn getevent(call: &mut Call<'_, '_>) -> Done {
    let has = |letter: char| call.args.iter().any(|arg| arg.starts_with('-') && arg.contains(letter));
    let head = format!("add device 1: {DEVICE}\n");
    let name = "  name:     \"taproof_touchscreen\"\n";
    if has('h') {
        return call.fail("Usage: getevent [-t] [-n] [-s switchmask] [-S] [-v [mask]] [-d] [-p] [-i] [-l] [-q] [-c count] [-r] [device]", 1);
    }
    if has('p') || has('i') {
        let screen = call.state().device.info().screen;
        let axes = [
            ("002f", "ABS_MT_SLOT", 9),
            ("0035", "ABS_MT_POSITION_X", screen.width - 1),
            ("0036", "ABS_MT_POSITION_Y", screen.height - 1),
            ("0039", "ABS_MT_TRACKING_ID", 65_535),
            ("003a", "ABS_MT_PRESSURE", 255),
        ];
        let mut text = format!("{head}{name}  events:\n");
        text += if has('l') { "    KEY (0001): BTN_TOUCH            \n" } else { "    KEY (0001): 014a \n" };
        for (place, (code, label, most)) in axes.into_iter().enumerate() {
            let kind = if place == 0 { "    ABS (0003): " } else { "                " };
            let axis = if has('l') { format!("{label:<21}") } else { format!("{code} ") };
            text += &format!("{kind}{axis} : value 0, min 0, max {most}, fuzz 0, flat 0, resolution 0\n");
        }
        text += "  input props:\n    INPUT_PROP_DIRECT\n";
        call.print(&text)?;
        return Ok(0);
    }
    if !call.args.iter().any(|arg| arg == DEVICE) {
        call.print(&format!("{head}{name}"))?;
    }
    super::logcat::until_nobody_listens(call)
}
