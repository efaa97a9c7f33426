//! `svc`, `cmd` and the small services behind them.

use super::{Call, Done};
use taproof_core::device::DeviceError;
use taproof_core::model::SystemEvent;

/// The names of the system services that exist here.
pub(super) const SERVICES: [&str; 24] = [
    "SurfaceFlinger",
    "accessibility",
    "activity",
    "activity_task",
    "alarm",
    "battery",
    "clipboard",
    "connectivity",
    "devicestoragemonitor",
    "display",
    "dropbox",
    "input",
    "input_method",
    "media.audio_flinger",
    "meminfo",
    "notification",
    "package",
    "permission",
    "power",
    "settings",
    "statusbar",
    "uimode",
    "wifi",
    "window",
];

pub fn svc(call: &mut Call<'_, '_>) -> Done {
    match (call.arg(0), call.arg(1)) {
        (Some("wifi"), Some(word @ ("enable" | "disable"))) => {
            let done = network(call, word == "enable");
            call.ended(done)
        }
        // The phone is on Wi-Fi.
        (Some("data"), Some(word @ ("enable" | "disable"))) => {
            let value = if word == "enable" { "1" } else { "0" };
            let done = call.state().set_setting("global", "mobile_data", Some(value));
            call.ended(done)
        }
        (Some("power"), Some("stayon")) => {
            let value = if matches!(call.arg(2), Some("false")) { "0" } else { "7" };
            let done = call.state().set_setting("global", "stay_on_while_plugged_in", Some(value));
            call.ended(done)
        }
        (Some("power"), Some("reboot" | "shutdown")) => super::system::reboot(call),
        _ => call.fail(
            "Available commands:\n    help     Show information about the subcommands\n    power    Control the power \
             manager\n    data     Control mobile data connectivity\n    wifi     Control the Wi-Fi manager",
            1,
        ),
    }
}

/// Switches the network, and changes the corresponding setting.
fn network(call: &Call<'_, '_>, on: bool) -> Result<(), DeviceError> {
    let mut state = call.state();
    let value = if on { "1" } else { "0" };
    state.system_setting("global", "wifi_on", value);
    state.set_network(on)
}

pub fn cmd(call: &mut Call<'_, '_>) -> Done {
    let Some(service) = call.arg(0).map(str::to_owned) else {
        return call.fail("cmd: No service specified; use -l to list all services", 20);
    };
    let rest = call.args_from(1).to_vec();
    match service.as_str() {
        "-l" => {
            let lines: String = SERVICES.iter().map(|name| format!("  {name}\n")).collect();
            call.print(&format!("Currently running services:\n{lines}"))?;
            Ok(0)
        }
        "activity" => call.in_service("am", &rest),
        "package" => call.in_service("pm", &rest),
        "input" => call.in_service("input", &rest),
        "window" => call.in_service("wm", &rest),
        "settings" => call.in_service("settings", &rest),
        "input_method" => call.in_service("ime", &rest),
        "battery" | "dropbox" | "power" | "display" => {
            call.in_service("dumpsys", &[std::slice::from_ref(&service), rest.as_slice()].concat())
        }
        "uimode" => dark_mode(call, &rest),
        "connectivity" => airplane_mode(call, &rest),
        "wifi" => wifi(call, &rest),
        "statusbar" => status_bar(call, &rest),
        "alarm" => alarm(call, &rest),
        "devicestoragemonitor" => storage_monitor(call, &rest),
        "notification" => notification(call, &rest),
        unknown => call.fail(&format!("cmd: Can't find service: {unknown}"), 20),
    }
}

/// `cmd statusbar expand-notifications`, `expand-settings` and `collapse`. There is one list for both.
fn status_bar(call: &Call<'_, '_>, args: &[String]) -> Done {
    let outcome = match args.first().map(String::as_str) {
        Some("expand-notifications" | "expand-settings") => call.state().device.open_notifications(),
        Some("collapse") => call.state().close_notifications(),
        _ => {
            return call
                .fail("Status bar commands:\n  expand-notifications\n  expand-settings\n  collapse", 255);
        }
    };
    call.ended(outcome)
}

/// `cmd uimode night [yes|no|auto]`.
fn dark_mode(call: &Call<'_, '_>, args: &[String]) -> Done {
    if args.first().map(String::as_str) != Some("night") {
        return call.fail("UiMode manager service (uimode) commands:\n  night [yes|no|auto]", 255);
    }
    let outcome = match args.get(1).map(String::as_str) {
        Some("yes") => call.state().set_dark(true),
        Some("no" | "auto") => call.state().set_dark(false),
        None => Ok(()),
        Some(_) => return call.fail("Error: mode must be 'yes', 'no', or 'auto'", 255),
    };
    if let Err(error) = outcome {
        return call.fail(&format!("Error: {error}"), 1);
    }
    let dark = call.state().around.dark;
    call.say(&format!("Night mode: {}", if dark { "yes" } else { "no" }))?;
    Ok(0)
}

/// `cmd connectivity airplane-mode [enable|disable]`.
fn airplane_mode(call: &Call<'_, '_>, args: &[String]) -> Done {
    let outcome = match (args.first().map(String::as_str), args.get(1).map(String::as_str)) {
        (Some("airplane-mode"), Some(word @ ("enable" | "disable"))) => {
            call.state().set_airplane_mode(word == "enable")
        }
        (Some("airplane-mode"), None) => {
            let on = call.state().setting("global", "airplane_mode_on") == Some("1");
            return call.say(if on { "enabled" } else { "disabled" }).map(|()| 0);
        }
        _ => return call.fail("Connectivity service commands:\n  airplane-mode [enable|disable]", 255),
    };
    call.ended(outcome)
}

fn wifi(call: &Call<'_, '_>, args: &[String]) -> Done {
    match (args.first().map(String::as_str), args.get(1).map(String::as_str)) {
        (Some("set-wifi-enabled"), Some(word)) => {
            let done = network(call, word == "enabled");
            call.ended(done)
        }
        (Some("status"), _) => {
            let on = call.state().around.network;
            call.say(if on { "Wifi is enabled" } else { "Wifi is disabled" }).map(|()| 0)
        }
        _ => call.fail("Wi-Fi (wifi) commands:\n  set-wifi-enabled enabled|disabled\n  status", 255),
    }
}

/// `cmd alarm set-timezone ZONE`.
fn alarm(call: &Call<'_, '_>, args: &[String]) -> Done {
    match args {
        [command, zone] if command == "set-timezone" => {
            let outcome = call.state().set_time_zone(zone);
            call.ended(outcome)
        }
        _ => call.fail("Alarm manager service (alarm) commands:\n  set-timezone TZ", 255),
    }
}

/// `cmd devicestoragemonitor force-low|reset [-f]`, which prints a number with `-f`.
fn storage_monitor(call: &Call<'_, '_>, args: &[String]) -> Done {
    let low = match args.first().map(String::as_str) {
        Some("force-low") => true,
        Some("reset") => false,
        _ => {
            let usage = "Device storage monitor service (devicestoragemonitor) commands:\n  force-low [-f]\n  reset [-f]";
            return call.fail(usage, 255);
        }
    };
    let outcome = call.state().switch(SystemEvent::LowStorage, low);
    if outcome.is_ok() && args.iter().any(|arg| arg == "-f") {
        call.say("2")?;
    }
    call.ended(outcome)
}

/// `cmd notification set_dnd on|off|none|priority|alarms|all`.
fn notification(call: &Call<'_, '_>, args: &[String]) -> Done {
    let mode = match args {
        [command, mode] if command == "set_dnd" => match mode.as_str() {
            "off" | "all" => Some("0"),
            "priority" => Some("1"),
            "on" | "none" => Some("2"),
            "alarms" => Some("3"),
            _ => None,
        },
        _ => None,
    };
    let Some(mode) = mode else {
        return call.fail("Notification commands:\n  set_dnd [on|none|priority|alarms|all|off]", 255);
    };
    let outcome = {
        let mut state = call.state();
        state.system_setting("global", "zen_mode", mode);
        state.switch(SystemEvent::DoNotDisturb, mode != "0")
    };
    call.ended(outcome)
}
