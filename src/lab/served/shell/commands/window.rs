//! `wm`: size, density, rotation.

use super::{Call, Done};
use crate::properties::DENSITY;

const USAGE: &str = "usage: wm [subcommand] [options]
       wm size [reset|WxH]
       wm density [reset|DENSITY]

wm size: return or override display size.

wm density: override display density.

";

pub fn wm(call: &mut Call<'_, '_>) -> Done {
    let args: Vec<String> = call.args.iter().filter(|arg| *arg != "-d" && *arg != "0").cloned().collect();
    let value = args.get(1).cloned();
    match args.first().map(String::as_str) {
        Some("size") => size(call, value.as_deref()),
        Some("density") => density(call, value.as_deref()),
        Some("dismiss-keyguard") => {
            call.state().dismiss_lock();
            Ok(0)
        }
        Some("user-rotation" | "set-user-rotation") if !call.old() => rotation(call, call.args),
        Some(unknown) if !call.old() => call.fail(&format!("Unknown command: {unknown}"), 255),
        _ => {
            call.io.err.put(USAGE.as_bytes())?;
            Ok(if call.old() { 0 } else { 255 })
        }
    }
}

fn size(call: &Call<'_, '_>, wanted: Option<&str>) -> Done {
    let screen = call.state().device.info().screen;
    let own = format!("{}x{}", screen.width, screen.height);
    match wanted {
        None => call.say(&format!("Physical size: {own}")).map(|()| 0),
        Some(wanted) if wanted == "reset" || wanted == own => Ok(0),
        Some(wanted) => match wanted.split_once('x').map(|(w, h)| (w.parse::<u32>(), h.parse::<u32>())) {
            Some((Ok(_), Ok(_))) => {
                call.fail(&format!("Error: this device has one screen of {own} and shows no other size"), 1)
            }
            _ => call.fail(&format!("Error: bad size {wanted}"), if call.old() { 0 } else { 255 }),
        },
    }
}

fn density(call: &Call<'_, '_>, wanted: Option<&str>) -> Done {
    /// The smallest that Android accepts.
    const LEAST: u32 = 72;
    match wanted {
        None => {
            let chosen = call.state().around.density;
            let chosen = chosen.map_or(String::new(), |density| format!("\nOverride density: {density}"));
            call.say(&format!("Physical density: {DENSITY}{chosen}")).map(|()| 0)
        }
        Some("reset") => {
            let outcome = call.state().set_density(None);
            call.ended(outcome)
        }
        Some(wanted) if wanted.parse::<u32>().is_ok_and(|density| density >= LEAST) => {
            let outcome = call.state().set_density(wanted.parse().ok());
            call.ended(outcome)
        }
        Some(wanted) => call.fail(&format!("Error: bad number {wanted}"), if call.old() { 0 } else { 255 }),
    }
}

/// `wm user-rotation [free|lock [0-3]]`.
fn rotation(call: &Call<'_, '_>, args: &[String]) -> Done {
    let outcome = match args.get(1).map(String::as_str) {
        None => {
            let text = {
                let state = call.state();
                let free = state.setting("system", "accelerometer_rotation") == Some("1");
                let turned = state.setting("system", "user_rotation").unwrap_or("0").to_owned();
                if free { "free".to_owned() } else { format!("lock {turned}") }
            };
            return call.say(&text).map(|()| 0);
        }
        Some("free") => call.state().set_setting("system", "accelerometer_rotation", Some("1")),
        Some("lock") => {
            let quarters = args.get(2).map_or("0", String::as_str);
            if !matches!(quarters, "0" | "1" | "2" | "3") {
                return call.fail(&format!("Error: expecting rotation 0-3, got {quarters}"), 255);
            }
            let mut state = call.state();
            let locked = state.set_setting("system", "user_rotation", Some(quarters));
            locked.and_then(|()| state.set_setting("system", "accelerometer_rotation", Some("0")))
        }
        Some(other) => return call.fail(&format!("Error: expecting free, lock, got {other}"), 255),
    };
    call.ended(outcome)
}
