//! `getevent` lists the touch screen and prints the events of touches on it; `sendevent` generates such events.

use crate::latency::pause;
use crate::screen::touch_screen::{EV_ABS, EV_KEY, EV_SYN, InputEvent, LABELS};
use crate::shell::commands::logcat::GLANCE;
use crate::shell::commands::{Call, Done};

const DEVICE: &str = "/dev/input/event0";

/// `getevent -lp` and `getevent -lt`.
pub fn getevent(call: &mut Call<'_, '_>) -> Done {
    match call.args {
        [option] if option == "-lp" => {
            let screen = call.state().device.info().screen;
            let text = call
                .filled("getevent -lp", &[("right", &(screen.width - 1)), ("bottom", &(screen.height - 1))]);
            return call.print(&text).map(|()| 0);
        }
        [option] if option == "-lt" => {}
        _ => return call.fail("Usage: getevent -lp | -lt", 1),
    }
    call.print(&format!("add device 1: {DEVICE}\n  name:     \"taproof_touchscreen\"\n"))?;
    if call.shell.background {
        return Ok(0);
    }
    let mut next = call.state().touch_screen.next_number();
    loop {
        let (text, behind) = {
            let state = call.state();
            let text: String = state.touch_screen.since(next).map(line).collect();
            (text, state.touch_screen.next_number())
        };
        next = behind;
        call.print(&text)?;
        call.io.out.flush()?;
        pause(GLANCE);
    }
}

/// An event with its time and its labels.
fn line(event: &InputEvent) -> String {
    let InputEvent { micros, kind, code, value } = *event;
    let (seconds, micros) = (micros / 1_000_000, micros % 1_000_000);
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
    format!("[{seconds:>8}.{micros:06}] {DEVICE}: {kind_label:<12} {code_label:<20} {value:<20}\n")
}

/// `sendevent DEVICE TYPE CODE VALUE`.
pub fn sendevent(call: &mut Call<'_, '_>) -> Done {
    let number = |place: usize| call.arg(place).and_then(|text| text.parse::<i64>().ok());
    let (Some(DEVICE), Some(kind), Some(code), Some(value)) = (call.arg(0), number(1), number(2), number(3))
    else {
        return call.fail("use: sendevent DEVICE TYPE CODE VALUE", 1);
    };
    // -1 means that a finger is lifted; tools also write it as 4294967295.
    let done = call.state().by_hand(kind as u16, code as u16, value as i32);
    call.ended(done)
}
