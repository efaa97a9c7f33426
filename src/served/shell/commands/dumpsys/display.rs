//! `dumpsys display` and `dumpsys input`: the screen and its rotation.

use crate::properties::DENSITY;
use crate::served::State;
use taproof_core::device::DeviceError;

/// The id of the built-in screen.
const DISPLAY: &str = "4619827259835644672";

/// The rotated screen's width and height in pixels, and the rotation in quarter turns.
fn turned(state: &mut State) -> Result<(i32, i32, u8), DeviceError> {
    let layout = state.layout()?;
    Ok((layout.screen().width, layout.screen().height, layout.rotation().0))
}

pub(super) fn display(state: &mut State, _args: &[String]) -> Result<String, DeviceError> {
    let (width, height, rotation) = turned(state)?;
    let upright = state.device.info().screen;
    let (w, h) = (upright.width, upright.height);
    let power = if state.awake { "ON" } else { "OFF" };
    let frame = format!(
        "logicalFrame=Rect(0, 0 - {width}, {height}), physicalFrame=Rect(0, 0 - {width}, {height}), \
         deviceWidth={width}, deviceHeight={height}"
    );
    if state.like.old() {
        let (short, long) = (w.min(h), w.max(h));
        let range = format!("largest app {long} x {long}, smallest app {short} x {short}");
        let dots = format!(
            "density {DENSITY} ({DENSITY}.0 x {DENSITY}.0) dpi, layerStack 0, type BUILT_IN, FLAG_SECURE, \
             FLAG_SUPPORTS_PROTECTED_BUFFERS"
        );
        return Ok(format!(
            "DISPLAY MANAGER (dumpsys display)\n  mHeadless=false\n  mOnlyCode=false\n  \
             mDefaultViewport=DisplayViewport{{valid=true, displayId=0, orientation={rotation}, {frame}}}\n\n\
             Display Devices: size=1\n  DisplayDeviceInfo{{\"Built-in Screen\": {w} x {h}, 60.0 fps, density {DENSITY}, \
             {DENSITY}.0 x {DENSITY}.0 dpi, touch INTERNAL, rotation 0, type BUILT_IN, FLAG_DEFAULT_DISPLAY, \
             FLAG_ROTATES_WITH_CONTENT, FLAG_SECURE, FLAG_SUPPORTS_PROTECTED_BUFFERS}}\n    mCurrentOrientation={rotation}\n    \
             mBlanked={}\n\nLogical Displays: size=1\n  Display 0:\n    mDisplayId=0\n    \
             mBaseDisplayInfo=DisplayInfo{{\"Built-in Screen\", app {w} x {h}, real {w} x {h}, {range}, 60.0 fps, \
             rotation0, {dots}}}\n    mOverrideDisplayInfo=DisplayInfo{{\"Built-in Screen\", \
             app {width} x {height}, real {width} x {height}, {range}, 60.0 fps, rotation{rotation}, {dots}}}\n",
            !state.awake
        ));
    }
    Ok(format!(
        "DISPLAY MANAGER (dumpsys display)\n  mSafeMode=false\n  mPendingTraversal=false\n  mViewports=[DisplayViewport{{\
         type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:{DISPLAY}', physicalPort=0, \
         orientation={rotation}, {frame}}}]\n\nDisplay States: size=1\n  Display Id=0\n  Display State={power}\n  \
         Display Brightness=0.4\n\nDisplay Devices: size=1\n  DisplayDeviceInfo{{\"Built-in Screen\": \
         uniqueId=\"local:{DISPLAY}\", {w} x {h}, modeId 1, defaultModeId 1, density {DENSITY}, {DENSITY}.0 x {DENSITY}.0 \
         dpi, touch INTERNAL, rotation 0, type INTERNAL, state {power}, FLAG_ALLOWED_TO_BE_DEFAULT_DISPLAY}}\n    \
         mCurrentOrientation={rotation}\n\nLogical Displays: size=1\n  Display 0:\n    mDisplayId=0\n    \
         mBaseDisplayInfo=DisplayInfo{{\"Built-in Screen\", displayId 0, real {w} x {h}, rotation 0, state {power}, \
         density {DENSITY}}}\n    mOverrideDisplayInfo=DisplayInfo{{\"Built-in Screen\", displayId 0, real {width} x \
         {height}, rotation {rotation}, state {power}, density {DENSITY}}}\n"
    ))
}

pub(super) fn input(state: &mut State, _args: &[String]) -> Result<String, DeviceError> {
    let (width, height, rotation) = turned(state)?;
    let awake = state.awake;
    let viewport = format!(
        "displayId=0, orientation={rotation}, logicalFrame=[0, 0, {width}, {height}], physicalFrame=[0, 0, {width}, \
         {height}], deviceSize=[{width}, {height}]"
    );
    let head = "INPUT MANAGER (dumpsys input)\n\nEvent Hub State:\n  BuiltInKeyboardId: -2\n  Devices:\n";
    if state.like.old() {
        return Ok(format!(
            "{head}    -1: Virtual\n      Classes: 0x40000023\n      Path: <virtual>\n\nInput Reader State:\n  Device -1: \
             Virtual\n    Keyboard Input Mapper:\n      KeyboardType: 2\n      Orientation: 0\n  Configuration:\n    \
             DisplayInfo:\n      Default: displayId=0, orientation={rotation}\n    SurfaceOrientation: {rotation}\n\n\
             Input Dispatcher State:\n  DispatchEnabled: {}\n  DispatchFrozen: 0\n",
            u8::from(awake)
        ));
    }
    let front = state.front()?;
    Ok(format!(
        "{head}    2: taproof_touchscreen\n      Classes: TOUCH | TOUCH_MT\n      Path: /dev/input/event0\n      Enabled: \
         true\n\nInput Reader State (Nums of device: 1):\n  Device 2: taproof_touchscreen\n    Sources: TOUCHSCREEN\n    \
         Viewport INTERNAL: {viewport}, isActive=[1]\n    Touch Input Mapper (mode - DIRECT):\n      SurfaceOrientation: \
         {rotation}\n      SurfaceWidth: {width}\n      SurfaceHeight: {height}\n\nInput Dispatcher State:\n  \
         DispatchEnabled: {awake}\n  DispatchFrozen: false\n  FocusedDisplayId: 0\n  FocusedWindows:\n    displayId=0, \
         name='{} {}'\n",
        crate::front::handle("window", &front.window),
        front.window
    ))
}
