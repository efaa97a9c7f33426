//! `svc`, `cmd` and the small services behind them.

use super::{Call, Done};
use taproof_core::device::DeviceError;
use taproof_core::model::SystemEvent;

pub fn svc(call: &mut Call<'_, '_>) -> Done {
    let on = call.arg(1) == Some("enable");
    let done = match (call.arg(0), call.arg(1)) {
        (Some("wifi"), Some("enable" | "disable")) => {
            let mut state = call.state();
            state.settings.store("global", "wifi_on", if on { "1" } else { "0" });
            state.set_network(on)
        }
        // The phone is on Wi-Fi.
        (Some("data"), Some("enable" | "disable")) => {
            call.state().settings.store("global", "mobile_data", if on { "1" } else { "0" });
            Ok(())
        }
        _ => {
            return call
                .fail("Available commands:\n    data     enable|disable\n    wifi     enable|disable", 1);
        }
    };
    call.ended(done)
}

/// A request to a service; `None` if its words are not understood.
type Request = fn(&Call<'_, '_>, &[&str]) -> Option<Result<String, DeviceError>>;

/// The services that `cmd` reaches, with how each is used.
const SERVICES: [(&str, &str, Request); 6] = [
    ("alarm", "set-timezone TZ", alarm),
    ("connectivity", "airplane-mode [enable|disable]", airplane_mode),
    ("devicestoragemonitor", "force-low [-f]\n  reset [-f]", storage_monitor),
    ("notification", "set_dnd [on|none|priority|alarms|all|off]", notification),
    ("statusbar", "expand-notifications\n  collapse", status_bar),
    ("uimode", "night [yes|no|auto]", dark_mode),
];

pub fn cmd(call: &mut Call<'_, '_>) -> Done {
    let Some(service) = call.arg(0) else {
        return call.fail("cmd: No service specified; use -l to list all services", 20);
    };
    if service == "package" {
        return call.in_service("pm", call.args_from(1));
    }
    let Some((_, usage, request)) = SERVICES.iter().find(|(name, ..)| *name == service) else {
        return call.fail(&format!("cmd: Can't find service: {service}"), 20);
    };
    let words: Vec<&str> = call.args_from(1).iter().map(String::as_str).collect();
    match request(call, &words) {
        Some(Ok(text)) => call.print(&text).map(|()| 0),
        Some(Err(error)) => call.fail(&format!("Error: {error}"), 1),
        None => call.fail(&format!("Commands of {service}:\n  {usage}"), 255),
    }
}

/// The outcome of a request that prints nothing.
fn silent(done: Result<(), DeviceError>) -> Option<Result<String, DeviceError>> {
    Some(done.map(|()| String::new()))
}

fn alarm(call: &Call<'_, '_>, words: &[&str]) -> Option<Result<String, DeviceError>> {
    let ["set-timezone", zone] = words else { return None };
    silent(call.state().set_time_zone(zone))
}

fn airplane_mode(call: &Call<'_, '_>, words: &[&str]) -> Option<Result<String, DeviceError>> {
    match words {
        ["airplane-mode", word @ ("enable" | "disable")] => {
            silent(call.state().set_airplane_mode(*word == "enable"))
        }
        ["airplane-mode"] => {
            let on = call.state().settings.get("global", "airplane_mode_on") == Some("1");
            Some(Ok(if on { "enabled\n".to_owned() } else { "disabled\n".to_owned() }))
        }
        _ => None,
    }
}

fn storage_monitor(call: &Call<'_, '_>, words: &[&str]) -> Option<Result<String, DeviceError>> {
    let low = match *words.first()? {
        "force-low" => true,
        "reset" => false,
        _ => return None,
    };
    let done = call.state().switch(SystemEvent::LowStorage, low);
    Some(done.map(|()| if words.contains(&"-f") { "2\n".to_owned() } else { String::new() }))
}

fn notification(call: &Call<'_, '_>, words: &[&str]) -> Option<Result<String, DeviceError>> {
    let mode = match words {
        ["set_dnd", "off" | "all"] => "0",
        ["set_dnd", "priority"] => "1",
        ["set_dnd", "on" | "none"] => "2",
        ["set_dnd", "alarms"] => "3",
        _ => return None,
    };
    let mut state = call.state();
    state.settings.store("global", "zen_mode", mode);
    silent(state.switch(SystemEvent::DoNotDisturb, mode != "0"))
}

fn status_bar(call: &Call<'_, '_>, words: &[&str]) -> Option<Result<String, DeviceError>> {
    match words {
        ["expand-notifications"] => silent(call.state().device.open_notifications()),
        ["collapse"] => silent(call.state().close_notifications()),
        _ => None,
    }
}

fn dark_mode(call: &Call<'_, '_>, words: &[&str]) -> Option<Result<String, DeviceError>> {
    let mut state = call.state();
    let done = match words {
        ["night"] => Ok(()),
        ["night", "yes"] => state.set_dark(true),
        ["night", "no" | "auto"] => state.set_dark(false),
        _ => return None,
    };
    let mode = if state.around.dark { "yes" } else { "no" };
    Some(done.map(|()| format!("Night mode: {mode}\n")))
}
