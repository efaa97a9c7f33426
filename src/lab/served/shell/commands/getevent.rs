//! `getevent` lists the touch screen and prints the events of touches on it; `sendevent` generates such events.

use super::logcat::GLANCE;
use super::{Call, Done};
use crate::latency::pause;
use crate::touch_screen::{EV_ABS, EV_KEY, EV_SYN, InputEvent, LABELS};

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
    let named = !call.args.iter().any(|arg| arg == DEVICE);
    if named {
        call.print(&format!("{head}{name}"))?;
    }
    if call.shell.background {
        return Ok(0);
    }
    let mut next = call.state().touch_screen.next_number();
    loop {
        let (text, behind) = {
            let state = call.state();
            let line = |event: &InputEvent| line(*event, has('t'), named, has('l'));
            let text: String = state.touch_screen.since(next).map(line).collect();
            (text, state.touch_screen.next_number())
        };
        next = behind;
        call.print(&text)?;
        call.io.out.flush()?;
        pause(GLANCE);
    }
}

fn line(event: InputEvent, timed: bool, named: bool, labelled: bool) -> String {
    let InputEvent { micros, kind, code, value } = event;
    let time = match timed {
        true => format!("[{:>8}.{:06}] ", micros / 1_000_000, micros % 1_000_000),
        false => String::new(),
    };
    let device = if named { format!("{DEVICE}: ") } else { String::new() };
    if !labelled {
        return format!("{time}{device}{kind:04x} {code:04x} {value:08x}\n");
    }
    let kind_label = match kind {
        EV_SYN => "EV_SYN".to_owned(),
        EV_KEY => "EV_KEY".to_owned(),
        EV_ABS => "EV_ABS".to_owned(),
        other => format!("{other:04x}"),
    };
    let known = LABELS.iter().find(|(of, number, _)| (*of, *number) == (kind, code));
    let code_label = known.map_or_else(|| format!("{code:04x}"), |(_, _, label)| (*label).to_owned());
    let value = match (kind, value) {
        (EV_KEY, 0) => "UP".to_owned(),
        (EV_KEY, 1) => "DOWN".to_owned(),
        _ => format!("{value:08x}"),
    };
    format!("{time}{device}{kind_label:<12} {code_label:<20} {value:<20}\n")
}

pub fn sendevent(call: &mut Call<'_, '_>) -> Done {
    let [device, numbers @ ..] = call.args else {
        return call.fail("use: sendevent DEVICE TYPE CODE VALUE", 1);
    };
    let number = |place: usize| numbers.get(place).and_then(|text| text.parse::<i64>().ok());
    let (Some(kind), Some(code), Some(value)) = (number(0), number(1), number(2)) else {
        return call.fail("use: sendevent DEVICE TYPE CODE VALUE", 1);
    };
    if device != DEVICE {
        return call.fail(&format!("sendevent: {device}: No such file or directory"), 1);
    }
    // -1 means that a finger is lifted; tools also write it as 4294967295.
    let done = call.state().by_hand(kind as u16, code as u16, value as i32);
    call.ended(done)
}
