//! `dumpsys power`, `battery`, `input_method` and `devicestoragemonitor`: the screen's power, the battery, the keyboard,
//! the disk.

use crate::outputs::filled;
use crate::screen::front::handle;
use crate::served::State;
use taproof_engine::device::DeviceError;
use taproof_screen::SystemEvent;

pub(super) fn power(state: &mut State, _args: &[String]) -> Result<String, DeviceError> {
    let stays = state.setting("global", "stay_on_while_plugged_in").unwrap_or("0");
    let timeout = state.setting("system", "screen_off_timeout").unwrap_or("600000");
    Ok(filled(
        state.like,
        "dumpsys power",
        &[
            ("awake", &state.awake),
            ("state", &if state.awake { "Awake" } else { "Asleep" }),
            ("power", &if state.awake { "ON" } else { "OFF" }),
            ("level", &state.around.battery),
            ("stays", &stays),
            ("stays_on", &(stays != "0")),
            ("timeout", &timeout),
            ("now", &state.device.now().millis()),
        ],
    ))
}

/// `dumpsys battery [set level LEVEL|unplug|reset]`.
pub(super) fn battery(state: &mut State, args: &[String]) -> Result<String, DeviceError> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["set", "level", level] => {
            let Ok(level) = level.parse::<u32>() else { return Ok(format!("Bad value: {level}\n")) };
            state.set_battery(level)?;
            Ok(String::new())
        }
        ["reset"] => state.set_battery(100).map(|()| String::new()),
        ["unplug"] => Ok(String::new()),
        _ => Ok(filled(state.like, "dumpsys battery", &[("level", &state.around.battery)])),
    }
}

pub(super) fn input_method(state: &mut State, _args: &[String]) -> Result<String, DeviceError> {
    let front = state.front()?;
    Ok(filled(
        state.like,
        "dumpsys input_method",
        &[
            ("chosen", &state.keyboard_in_use()),
            ("shown", &state.device.keyboard()?.is_some()),
            ("client", &handle("client", &front.window)),
            ("window", &front.window),
            ("awake", &state.awake),
        ],
    ))
}

pub(super) fn storage_monitor(state: &mut State, _args: &[String]) -> Result<String, DeviceError> {
    let low = state.around.switched.contains(&SystemEvent::LowStorage);
    let (level, forced) = if low { ("LOW", "LOW") } else { ("NORMAL", "UNKNOWN") };
    Ok(filled(state.like, "dumpsys devicestoragemonitor", &[("level", &level), ("forced", &forced)]))
}
