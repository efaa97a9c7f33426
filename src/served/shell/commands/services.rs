//! `svc`, `service`, `cmd` and the small services behind them.

use super::{Call, Done};
use taproof_core::device::DeviceError;

/// The system services that exist here, with their interfaces.
const SERVICES: [(&str, &str); 24] = [
    ("SurfaceFlinger", "android.ui.ISurfaceComposer"),
    ("accessibility", "android.view.accessibility.IAccessibilityManager"),
    ("activity", "android.app.IActivityManager"),
    ("activity_task", "android.app.IActivityTaskManager"),
    ("appops", "com.android.internal.app.IAppOpsService"),
    ("battery", ""),
    ("clipboard", "android.content.IClipboard"),
    ("connectivity", "android.net.IConnectivityManager"),
    ("display", "android.hardware.display.IDisplayManager"),
    ("dropbox", "com.android.internal.os.IDropBoxManagerService"),
    ("input", "android.hardware.input.IInputManager"),
    ("input_method", "com.android.internal.view.IInputMethodManager"),
    ("lock_settings", "com.android.internal.widget.ILockSettings"),
    ("media.audio_flinger", "android.media.IAudioFlinger"),
    ("meminfo", ""),
    ("notification", "android.app.INotificationManager"),
    ("package", "android.content.pm.IPackageManager"),
    ("permission", "android.os.IPermissionController"),
    ("power", "android.os.IPowerManager"),
    ("settings", ""),
    ("statusbar", "com.android.internal.statusbar.IStatusBarService"),
    ("uimode", "android.app.IUiModeManager"),
    ("wifi", "android.net.wifi.IWifiManager"),
    ("window", "android.view.IWindowManager"),
];

/// The names of the services.
pub(super) fn service_names() -> impl Iterator<Item = &'static str> {
    SERVICES.iter().map(|(name, _)| *name)
}

pub fn service(call: &mut Call<'_, '_>) -> Done {
    match (call.arg(0), call.arg(1)) {
        (Some("list"), _) => {
            let lines = SERVICES
                .iter()
                .enumerate()
                .map(|(place, (name, interface))| format!("{place}\t{name}: [{interface}]\n"));
            let text = format!("Found {} services:\n{}", SERVICES.len(), lines.collect::<String>());
            call.print(&text)?;
            Ok(0)
        }
        (Some("check"), Some(name)) => {
            let found = if service_names().any(|known| known == name) { "found" } else { "not found" };
            call.say(&format!("Service {name}: {found}"))?;
            Ok(0)
        }
        (Some("call"), Some(name)) if service_names().any(|known| known == name) => {
            call.say("Result: Parcel(00000000    '....')")?;
            Ok(0)
        }
        (Some("call"), Some(name)) => {
            call.say(&format!("service: Service {name} does not exist"))?;
            Ok(10)
        }
        _ => call.fail("Usage: service [-h|-?]\n       service list\n       service check SERVICE", 10),
    }
}

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
        (Some("bluetooth" | "nfc" | "usb"), Some(_)) => Ok(0),
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
            let lines: String = service_names().map(|name| format!("  {name}\n")).collect();
            call.print(&format!("Currently running services:\n{lines}"))?;
            Ok(0)
        }
        "activity" => call.in_service("am", &rest),
        "package" => call.in_service("pm", &rest),
        "input" => call.in_service("input", &rest),
        "window" => call.in_service("wm", &rest),
        "settings" => call.in_service("settings", &rest),
        "input_method" => call.in_service("ime", &rest),
        "appops" => call.in_service("appops", &rest),
        "lock_settings" => call.in_service("locksettings", &rest),
        "battery" | "dropbox" | "power" | "display" => {
            call.in_service("dumpsys", &[std::slice::from_ref(&service), rest.as_slice()].concat())
        }
        "uimode" => dark_mode(call, &rest),
        "connectivity" => airplane_mode(call, &rest),
        "wifi" => wifi(call, &rest),
        "statusbar" => status_bar(call, &rest),
        "notification" | "accessibility" | "clipboard" | "permission" => Ok(0),
        unknown => call.fail(&format!("cmd: Can't find service: {unknown}"), 20),
    }
}

/// `cmd statusbar expand-notifications`, `expand-settings` and `collapse`. There is one list for both.
fn status_bar(call: &Call<'_, '_>, args: &[String]) -> Done {
    let outcome = match args.first().map(String::as_str) {
        Some("expand-notifications" | "expand-settings") => call.state().device.open_notifications(),
        Some("collapse") => call.state().close_notifications(),
        _ => return Ok(0),
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
            let mut state = call.state();
            let (on, value) = if word == "disable" { (true, "0") } else { (false, "1") };
            state.system_setting("global", "airplane_mode_on", value);
            state.set_network(on)
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
        _ => Ok(0),
    }
}

/// `appops`: apps may do everything for which they have permissions.
pub fn appops(call: &mut Call<'_, '_>) -> Done {
    match call.arg(0) {
        Some("get") => call.say("No operations.").map(|()| 0),
        Some("set" | "reset") => Ok(0),
        _ => call.fail("AppOps service (appops) commands:\n  get PACKAGE [OP]\n  set PACKAGE OP MODE", 255),
    }
}

/// `locksettings`: no lock is set.
pub fn locksettings(call: &mut Call<'_, '_>) -> Done {
    match call.arg(0) {
        Some("get-disabled") => call.say("true").map(|()| 0),
        Some("verify") => call.say("Lock credential verified successfully").map(|()| 0),
        Some("set-disabled" | "clear") => {
            call.say(&format!("Lock screen disabled set to {}", call.arg(1).unwrap_or("true"))).map(|()| 0)
        }
        _ => Ok(255),
    }
}
