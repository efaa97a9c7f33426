//! `dumpsys`: what the system's services say of themselves, as far as tools read it.

mod activity;
mod display;
mod hardware;
mod memory;
mod package;
mod window;

pub(super) use package::package;

use super::services::service_names;
use super::{Call, Done};
use crate::Cost;
use crate::served::State;
use taproof_core::device::DeviceError;

/// What a service says, by its arguments.
type Says = fn(&mut State, &[String]) -> Result<String, DeviceError>;

/// The services that say something.
const SERVICES: [(&str, Says); 12] = [
    ("SurfaceFlinger", display::surface_flinger),
    ("accessibility", hardware::accessibility),
    ("activity", activity::activity),
    ("battery", hardware::battery),
    ("display", display::display),
    ("dropbox", hardware::dropbox),
    ("input", display::input),
    ("input_method", hardware::input_method),
    ("meminfo", memory::meminfo),
    ("package", package::text),
    ("power", hardware::power),
    ("window", window::window),
];

pub fn dumpsys(call: &mut Call<'_, '_>) -> Done {
    let mut rest = call.args;
    while let [option, _, behind @ ..] = rest {
        match option.as_str() {
            "-t" | "-T" | "--priority" => rest = behind,
            _ => break,
        }
    }
    let Some((name, args)) = rest.split_first() else { return everything(call) };
    if name == "-l" {
        let names: String = service_names().map(|name| format!("  {name}\n")).collect();
        call.print(&format!("Currently running services:\n{names}"))?;
        return Ok(0);
    }
    match SERVICES.iter().find(|(known, _)| known == name) {
        Some((_, says)) => told(call, *says, args),
        None if service_names().any(|known| known == name) => Ok(0),
        None => {
            let problem = format!("Can't find service: {name}");
            call.fail(&problem, if call.old() { 0 } else { 20 })
        }
    }
}

fn told(call: &Call<'_, '_>, says: Says, args: &[String]) -> Done {
    call.take_time(Cost::Native)?;
    let text = {
        let mut state = call.state();
        says(&mut state, args)
    };
    match text {
        Ok(text) => call.print(&text).map(|()| 0),
        Err(error) => call.fail(&format!("Error: {error}"), 1),
    }
}

fn everything(call: &Call<'_, '_>) -> Done {
    let names: String = service_names().map(|name| format!("  {name}\n")).collect();
    call.print(&format!("Currently running services:\n{names}"))?;
    for (name, says) in SERVICES {
        call.say(&format!("{}\nDUMP OF SERVICE {name}:", "-".repeat(79)))?;
        told(call, says, &[])?;
    }
    Ok(0)
}

/// A number as Android writes device time: `+1s234ms`.
pub(super) fn since(millis: u64) -> String {
    match millis {
        0..1000 => format!("{millis}ms"),
        _ => format!("{}s{}ms", millis / 1000, millis % 1000),
    }
}
