//! `dumpsys power`, `battery`, `input_method`, `accessibility`, `dropbox`, `devicestoragemonitor`.

use super::since;
use crate::Buffer;
use crate::front::handle;
use crate::served::State;
use taproof_core::device::DeviceError;
use taproof_core::model::SystemEvent;

pub(super) fn power(state: &mut State, _args: &[String]) -> Result<String, DeviceError> {
    let (awake, now) = (state.awake, state.device.now().millis());
    let stays = state.setting("global", "stay_on_while_plugged_in").unwrap_or("0").to_owned();
    let timeout = state.setting("system", "screen_off_timeout").unwrap_or("600000").to_owned();
    let word = if awake { "Awake" } else { "Asleep" };
    let (changing, display) = match state.like.old() {
        true => ("", format!("Display Power State:\n  mScreenOn={awake}\n")),
        false => (
            "  mWakefulnessChanging=false\n",
            format!("Display Power: state={}\n", if awake { "ON" } else { "OFF" }),
        ),
    };
    Ok(format!(
        "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mDirty=0x0\n  mWakefulness={word}\n\
         {changing}  mIsPowered=true\n  mPlugType=1\n  mBatteryLevel={}\n  mStayOn={}\n  \
         mBootCompleted=true\n  mSystemReady=true\n  mLastWakeTime=0 ({now} ms ago)\n  mLastSleepTime=0 ({now} ms ago)\n  \
         mHoldingWakeLockSuspendBlocker=false\n  mHoldingDisplaySuspendBlocker={awake}\n\nSettings and Configuration:\n  \
         mScreenOffTimeoutSetting={timeout}\n  mStayOnWhilePluggedInSetting={stays}\n\nScreen off timeout: {timeout} ms\n\n\
         Wake Locks: size=0\n\n{display}",
        state.around.battery,
        stays != "0"
    ))
}

/// `dumpsys battery`, also with the arguments `set level N`, `unplug` and `reset`.
pub(super) fn battery(state: &mut State, args: &[String]) -> Result<String, DeviceError> {
    let words: Vec<&str> = args.iter().map(String::as_str).filter(|arg| *arg != "-f").collect();
    match words.as_slice() {
        ["set", "level", level] => {
            let Ok(level) = level.parse::<u32>() else { return Ok(format!("Bad value: {level}\n")) };
            state.set_battery(level)?;
            return Ok(String::new());
        }
        ["reset"] => {
            state.set_battery(100)?;
            return Ok(String::new());
        }
        ["set", ..] | ["unplug"] => return Ok(String::new()),
        _ => {}
    }
    let level = state.around.battery;
    let head = "Current Battery Service state:\n";
    if state.like.old() {
        return Ok(format!(
            "{head}  AC powered: true\n  USB powered: false\n  Wireless powered: false\n  status: 2\n  health: 2\n  \
             present: true\n  level: {level}\n  scale: 100\n  voltage: 5000\n  temperature: 250\n  technology: Li-ion\n"
        ));
    }
    Ok(format!(
        "{head}  AC powered: true\n  USB powered: false\n  Wireless powered: false\n  Dock powered: false\n  Max charging \
         current: 0\n  Max charging voltage: 0\n  Charge counter: 10000\n  status: 2\n  health: 2\n  present: true\n  level: \
         {level}\n  scale: 100\n  voltage: 5000\n  temperature: 250\n  technology: Li-ion\n"
    ))
}

pub(super) fn input_method(state: &mut State, _args: &[String]) -> Result<String, DeviceError> {
    let shown = state.device.keyboard()?.is_some();
    let front = state.front()?;
    let chosen = state.keyboard_in_use();
    let screen = if state.like.old() { "mScreenOn" } else { "mInteractive" };
    Ok(format!(
        "Current Input Method Manager state:\n  Input Methods:\n    InputMethod #0:\n      mId={chosen}\n  Clients:\n  \
         mCurMethodId={chosen}\n  mCurFocusedWindow=android.os.BinderProxy@{} name={}\n  mCurId={chosen} mHaveConnect=true \
         mBoundToMethod=true\n  mShowRequested={shown} mShowExplicitlyRequested=false mShowForced=false \
         mInputShown={shown}\n  mSystemReady=true {screen}={}\n",
        handle("client", &front.window),
        front.window,
        state.awake
    ))
}

pub(super) fn accessibility(state: &mut State, _args: &[String]) -> Result<String, DeviceError> {
    let enabled = state.setting("secure", "enabled_accessibility_services").unwrap_or_default().to_owned();
    let on = state.setting("secure", "accessibility_enabled") == Some("1");
    Ok(format!(
        "ACCESSIBILITY MANAGER (dumpsys accessibility)\n\nUser state[attributes:{{id=0, touchExplorationEnabled=false, \
         displayMagnificationEnabled=false}}\n     isEnabled={on}\n     Enabled services:{{{}}}\n]\n",
        enabled
            .split(':')
            .filter(|name| !name.is_empty())
            .map(|name| format!("{{{name}}}"))
            .collect::<String>()
    ))
}

/// `dumpsys dropbox`: the crashes and ANRs in the log, with their texts for `--print`.
pub(super) fn dropbox(state: &mut State, args: &[String]) -> Result<String, DeviceError> {
    state.update_log();
    let prints = args.iter().any(|arg| arg == "--print" || arg == "-p");
    let wanted = args.iter().find(|arg| !arg.starts_with('-'));
    let mut entries: Vec<(u64, &str, String)> = Vec::new();
    for entry in state.log.since(0) {
        let begins = entry.buffer == Buffer::Crash && entry.text.starts_with("FATAL EXCEPTION");
        match entries.last_mut() {
            _ if begins => entries.push((entry.epoch_millis, "data_app_crash", String::new())),
            Some((_, "data_app_crash", body)) if entry.buffer == Buffer::Crash => {
                *body += &format!("{}\n", entry.text);
            }
            _ if entry.buffer == Buffer::System && entry.text.starts_with("ANR in ") => {
                entries.push((entry.epoch_millis, "data_app_anr", format!("{}\n", entry.text)));
            }
            _ => {}
        }
    }
    entries.retain(|(_, tag, _)| wanted.is_none_or(|wanted| wanted == tag));
    let mut text = format!("Drop box contents: {} entries\nMax entries: 1000\n", entries.len());
    for (at, tag, body) in entries {
        let time = super::super::time::date_text(at, "%Y-%m-%d %H:%M:%S");
        text += &format!("\n{}\n{time} {tag} (text, {} bytes)\n", "=".repeat(40), body.len());
        text += if prints { &body } else { body.lines().next().unwrap_or_default() };
    }
    Ok(text + &format!("\nUptime: {}\n", since(state.device.now().millis())))
}

pub(super) fn storage_monitor(state: &mut State, _args: &[String]) -> Result<String, DeviceError> {
    let low = state.around.switched.contains(&SystemEvent::LowStorage);
    let (level, forced) = if low { ("LOW", "LOW") } else { ("NORMAL", "UNKNOWN") };
    Ok(format!(
        "Known volumes:\n  Default:\n    level={level} lastUsableBytes=5368709120 \nmSeq=1 mForceState={forced} \n\n"
    ))
}
