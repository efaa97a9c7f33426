//! `wm`: size, density, lock screen.

use crate::shell::commands::{Call, Done};
use crate::system::properties::DENSITY;

/// The smallest density that Android accepts.
const LEAST_DENSITY: u32 = 72;

/// `wm size`, `wm density [DENSITY|reset]`, `wm dismiss-keyguard`.
pub fn wm(call: &mut Call<'_, '_>) -> Done {
    let words: Vec<&str> = call.args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["size"] => {
            let screen = call.state().device.info().screen;
            call.say(&format!("Physical size: {}x{}", screen.width, screen.height)).map(|()| 0)
        }
        ["density"] => {
            let chosen = call.state().around.density;
            let chosen = chosen.map_or(String::new(), |density| format!("\nOverride density: {density}"));
            call.say(&format!("Physical density: {DENSITY}{chosen}")).map(|()| 0)
        }
        ["density", wanted] => {
            let density = wanted.parse().ok().filter(|density| *density >= LEAST_DENSITY);
            if density.is_none() && *wanted != "reset" {
                return call.fail(&format!("Error: bad number {wanted}"), if call.old() { 0 } else { 255 });
            }
            let outcome = call.state().set_density(density);
            call.ended(outcome)
        }
        ["dismiss-keyguard"] => {
            call.state().dismiss_lock();
            Ok(0)
        }
        _ => call.usage("wm"),
    }
}
