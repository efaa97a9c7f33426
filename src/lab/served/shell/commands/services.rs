//! `svc`, `cmd` and the small services behind them.

use super::{Call, Done};
use crate::served::State;
use taproof_engine::device::DeviceError;
use taproof_screen::SystemEvent;

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

/// The services that have commands, with how these are used.
const SERVICES: [(&str, &str); 6] = [
    ("alarm", "set-timezone TZ"),
    ("connectivity", "airplane-mode [enable|disable]"),
    ("devicestoragemonitor", "force-low [-f]\n  reset [-f]"),
    ("notification", "set_dnd [on|none|priority|alarms|all|off]"),
    ("statusbar", "expand-notifications\n  collapse"),
    ("uimode", "night [yes|no|auto]"),
];

/// `cmd SERVICE [WORD ...]`.
pub fn cmd(call: &mut Call<'_, '_>) -> Done {
    let Some(service) = call.arg(0) else {
        return call.fail("cmd: No service specified; use -l to list all services", 20);
    };
    if service == "package" {
        return call.in_service("pm", call.args_from(1));
    }
    let Some((_, usage)) = SERVICES.iter().find(|(name, _)| *name == service) else {
        return call.fail(&format!("cmd: Can't find service: {service}"), 20);
    };
    let words: Vec<&str> = call.args_from(1).iter().map(String::as_str).collect();
    let done = asked(&mut call.state(), service, &words);
    match done {
        Some(Ok(text)) => call.print(&text).map(|()| 0),
        Some(Err(error)) => call.fail(&format!("Error: {error}"), 1),
        None => call.fail(&format!("Commands of {service}:\n  {usage}"), 255),
    }
}

/// Does what a service is asked to, and returns what it prints; `None` if it does not know the words.
fn asked(state: &mut State, service: &str, words: &[&str]) -> Option<Result<String, DeviceError>> {
    let (done, said) = match (service, words) {
        ("alarm", ["set-timezone", zone]) => (state.set_time_zone(zone), ""),
        ("connectivity", ["airplane-mode", word @ ("enable" | "disable")]) => {
            (state.set_airplane_mode(*word == "enable"), "")
        }
        ("connectivity", ["airplane-mode"]) => {
            let on = state.settings.get("global", "airplane_mode_on") == Some("1");
            (Ok(()), if on { "enabled\n" } else { "disabled\n" })
        }
        ("devicestoragemonitor", [word @ ("force-low" | "reset"), force @ ..]) => {
            let done = state.switch(SystemEvent::LowStorage, *word == "force-low");
            (done, if force == ["-f"] { "2\n" } else { "" })
        }
        ("notification", ["set_dnd", mode]) => {
            let mode = match *mode {
                "off" | "all" => "0",
                "priority" => "1",
                "on" | "none" => "2",
                "alarms" => "3",
                _ => return None,
            };
            state.settings.store("global", "zen_mode", mode);
            (state.switch(SystemEvent::DoNotDisturb, mode != "0"), "")
        }
        ("statusbar", ["expand-notifications"]) => (state.device.open_notifications(), ""),
        ("statusbar", ["collapse"]) => (state.close_notifications(), ""),
        ("uimode", ["night", words @ ..]) => {
            let done = match words {
                [] => Ok(()),
                ["yes"] => state.set_dark(true),
                ["no" | "auto"] => state.set_dark(false),
                _ => return None,
            };
            (done, if state.around.dark { "Night mode: yes\n" } else { "Night mode: no\n" })
        }
        _ => return None,
    };
    Some(done.map(|()| said.to_owned()))
}
