//! `dumpsys`: the state of the system's services, as far as tools parse it.

mod activity;
mod display;
mod hardware;
mod package;
mod window;

use super::{Call, Done};
use crate::Cost;
use crate::served::State;
use taproof_engine::device::DeviceError;

/// Prints the state of a service.
type Section = fn(&mut State, &[String]) -> Result<String, DeviceError>;

const SERVICES: [(&str, Section); 9] = [
    ("activity", activity::activity),
    ("battery", hardware::battery),
    ("devicestoragemonitor", hardware::storage_monitor),
    ("display", display::display),
    ("input", display::input),
    ("input_method", hardware::input_method),
    ("package", package::text),
    ("power", hardware::power),
    ("window", window::window),
];

pub fn dumpsys(call: &mut Call<'_, '_>) -> Done {
    let name = call.arg(0).unwrap_or_default();
    let Some((_, section)) = SERVICES.iter().find(|(known, _)| *known == name) else {
        return call.fail(&format!("Can't find service: {name}"), if call.old() { 0 } else { 20 });
    };
    call.take_time(Cost::Native)?;
    let text = section(&mut call.state(), call.args_from(1));
    let planted: String = call.state().planted.1.iter().map(|line| format!("{line}\n")).collect();
    match text {
        Ok(text) => call.print(&(text + &planted)).map(|()| 0),
        Err(error) => call.fail(&format!("Error: {error}"), 1),
    }
}

/// A duration as Android prints it, such as `1s234ms`.
pub(super) fn since(millis: u64) -> String {
    match millis {
        0..1000 => format!("{millis}ms"),
        _ => format!("{}s{}ms", millis / 1000, millis % 1000),
    }
}
