//! `dumpsys power`, `battery`, `input_method` and `devicestoragemonitor`.

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

pub(super) fn storage_monitor(state: &mut State, _args: &[String]) -> Result<String, DeviceError> {
    let low = state.around.switched.contains(&SystemEvent::LowStorage);
    let (level, forced) = if low { ("LOW", "LOW") } else { ("NORMAL", "UNKNOWN") };
    Ok(format!(
        "Known volumes:\n  Default:\n    level={level} lastUsableBytes=5368709120 \nmSeq=1 mForceState={forced} \n\n"
    ))
}
