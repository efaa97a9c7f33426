//! `dumpsys`: the state of the system's services, as far as tools parse it.

mod activity;
mod display;
mod hardware;
mod memory;
mod package;
mod window;

pub(super) use package::package;

use super::services::SERVICES as NAMES;
use super::{Call, Done};
use crate::Cost;
use crate::served::State;
use taproof_core::device::DeviceError;

/// Prints a service's state, given its arguments.
type Section = fn(&mut State, &[String]) -> Result<String, DeviceError>;

/// The services that print something.
const SERVICES: [(&str, Section); 13] = [
    ("SurfaceFlinger", display::surface_flinger),
    ("accessibility", hardware::accessibility),
    ("activity", activity::activity),
    ("battery", hardware::battery),
    ("devicestoragemonitor", hardware::storage_monitor),
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
        let names: String = NAMES.iter().map(|name| format!("  {name}\n")).collect();
        call.print(&format!("Currently running services:\n{names}"))?;
        return Ok(0);
    }
    match SERVICES.iter().find(|(known, _)| known == name) {
        Some((_, section)) => print_section(call, *section, args),
        None if NAMES.contains(&name.as_str()) => Ok(0),
        None => {
            let problem = format!("Can't find service: {name}");
            call.fail(&problem, if call.old() { 0 } else { 20 })
        }
    }
}

fn print_section(call: &Call<'_, '_>, section: Section, args: &[String]) -> Done {
    call.take_time(Cost::Native)?;
    let text = {
        let mut state = call.state();
        section(&mut state, args)
    };
    match text {
        Ok(text) => call.print(&text).map(|()| 0),
        Err(error) => call.fail(&format!("Error: {error}"), 1),
    }
}

fn everything(call: &Call<'_, '_>) -> Done {
    let names: String = NAMES.iter().map(|name| format!("  {name}\n")).collect();
    call.print(&format!("Currently running services:\n{names}"))?;
    for (name, section) in SERVICES {
        call.say(&format!("{}\nDUMP OF SERVICE {name}:", "-".repeat(79)))?;
        print_section(call, section, &[])?;
    }
    Ok(0)
}

/// A duration as Android prints it, such as `1s234ms`.
pub(super) fn since(millis: u64) -> String {
    match millis {
        0..1000 => format!("{millis}ms"),
        _ => format!("{}s{}ms", millis / 1000, millis % 1000),
    }
}
