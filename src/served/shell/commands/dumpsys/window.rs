//! `dumpsys window`: windows, the focus, the policy.

use crate::faults::Lock;
use crate::front::{Front, handle};
use crate::packages::SYSTEM_UI;
use crate::properties::DENSITY;
use crate::served::State;
use crate::settings::KEYBOARD;
use taproof_core::device::DeviceError;
use taproof_core::model::PxRect;

/// The heights of the bundled phone's bars, in dp.
const STATUS_BAR: i32 = 24;
const NAVIGATION_BAR: i32 = 48;

/// The title of the keyboard's window. Its frame is the whole screen; the area for touches is printed separately.
const INPUT_METHOD: &str = "InputMethod";

pub(super) fn window(state: &mut State, args: &[String]) -> Result<String, DeviceError> {
    let front = state.front()?;
    let what = args.iter().find(|arg| !arg.starts_with('-')).map(String::as_str);
    match what {
        Some("policy") => Ok(policy(state, &front)),
        Some("displays") if !state.like.old() => Ok(displays(state, &front)),
        Some("windows") => windows(state, &front),
        None => {
            let mut text = policy(state, &front);
            if !state.like.old() {
                text += "\n";
                text += &displays(state, &front);
            }
            text += "\n";
            Ok(text + &windows(state, &front)?)
        }
        Some(name) => {
            // The name of a window, such as that of the keyboard.
            let all = windows(state, &front)?;
            let found = all.lines().any(|line| line.contains(name));
            if found {
                Ok(all)
            } else {
                Ok("Bad window command, or no windows match: ".to_owned() + name + "\nUse -h for help.\n")
            }
        }
    }
}

/// The record of a window, such as `Window{1a2b3c u0 title}`.
fn record(title: &str) -> String {
    format!("Window{{{} u0 {title}}}", handle("window", title))
}

fn focus(state: &State, front: &Front) -> String {
    if state.awake { record(&front.window) } else { "null".to_owned() }
}

/// `ActivityRecord{1a2b3c u0 org.ex/.Main t12}`, on Android 4.4 inside a window token.
fn focused_app(state: &State, front: &Front) -> String {
    let Some(activity) = &front.activity else { return "null".to_owned() };
    let record = super::activity::record(state, activity);
    if state.like.old() {
        let (token, app) = (handle("token", &activity.full()), handle("app-token", &activity.full()));
        format!("AppWindowToken{{{app} token=Token{{{token} {record}}}}}")
    } else {
        record
    }
}

fn bars(front: &Front) -> (PxRect, PxRect, PxRect) {
    let dp = DENSITY / 160;
    let screen = front.layout.screen();
    let whole = PxRect::new(0, 0, screen.width, screen.height);
    let status = PxRect::new(0, 0, screen.width, STATUS_BAR * dp);
    let navigation = PxRect::new(0, screen.height - NAVIGATION_BAR * dp, screen.width, screen.height);
    (whole, status, navigation)
}

/// All windows with title, package and frame, the top one first.
fn all_windows(state: &mut State, front: &Front) -> Result<Vec<(String, String, PxRect)>, DeviceError> {
    let (whole, status, navigation) = bars(front);
    let ui = SYSTEM_UI.to_owned();
    let bar = if state.like.old() { "NavigationBar" } else { "NavigationBar0" };
    let mut all =
        vec![(bar.to_owned(), ui.clone(), navigation), ("StatusBar".to_owned(), ui.clone(), status)];
    if !state.like.old() {
        all.push(("NotificationShade".to_owned(), ui, whole));
    }
    if state.device.keyboard()?.is_some() {
        let package = KEYBOARD.split('/').next().unwrap_or_default().to_owned();
        all.push((INPUT_METHOD.to_owned(), package, whole));
    }
    let shown = front.layout.widgets().first().map_or(whole, |root| root.bounds);
    all.push((front.window.clone(), front.package.clone(), shown));
    if let Some(activity) = &front.activity
        && activity.full() != front.window
    {
        all.push((activity.full(), activity.package.clone(), whole));
    }
    let home = state.home.clone();
    if front.activity.as_ref() != Some(&home) {
        all.push((home.full(), home.package, whole));
    }
    Ok(all)
}

fn windows(state: &mut State, front: &Front) -> Result<String, DeviceError> {
    let all = all_windows(state, front)?;
    let keyboard = state.device.keyboard()?;
    let old = state.like.old();
    let mut text = "WINDOW MANAGER WINDOWS (dumpsys window windows)\n".to_owned();
    let count = all.len();
    for (place, (title, package, bounds)) in all.iter().enumerate() {
        let shown = *title != state.home.full() || *title == front.window;
        let PxRect { left, top, right, bottom } = *bounds;
        text += &format!(
            "  Window #{} {}:\n    mDisplayId=0{} mSession=Session{{{} {}:u0a10000}} mClient=android.os.BinderProxy@{}\n",
            count - 1 - place,
            record(title),
            if old { "" } else { " rootTaskId=1" },
            handle("session", package),
            crate::log::SYSTEM_PID,
            handle("client", title),
        );
        text += &format!(
            "    mOwnerUid=10000 {}package={package} appop=NONE\n    mViewVisibility={} mHaveFrame=true mObscured=false\n",
            if old { "mShowToOwnerOnly=true " } else { "showForAllUsers=false " },
            if shown { "0x0" } else { "0x8" },
        );
        if let Some(PxRect { left, top, right, bottom }) = keyboard.filter(|_| title == INPUT_METHOD) {
            text += &format!(
                "    mGivenContentInsets=[0,{top}][0,0] mGivenVisibleInsets=[0,{top}][0,0]\n    mTouchableInsets=2 \
                 mGivenInsetsPending=false\n    touchable region=SkRegion(({left},{top},{right},{bottom}))\n"
            );
        }
        let shown_frame = match old {
            true => format!(" mShownFrame=[{left}.0,{top}.0][{right}.0,{bottom}.0]"),
            false => String::new(),
        };
        text += &format!(
            "    mHasSurface={shown}{shown_frame} isReadyForDisplay()={shown}\n    mFrame=[{left},{top}][{right},{bottom}] \
             last=[{left},{top}][{right},{bottom}]\n"
        );
    }
    let rotation = front.layout.rotation().0;
    text +=
        &format!("\n  mCurrentFocus={}\n  mFocusedApp={}\n", focus(state, front), focused_app(state, front));
    let touch = if old { "mInTouchMode=false mLayoutSeq=54" } else { "mInTouchMode=true" };
    text += &format!("  {touch}\n  mRotation={rotation} mAltOrientation=false\n");
    let scale = |key: &str| state.setting("global", key).unwrap_or("1.0").to_owned();
    text += &format!(
        "  mWindowAnimationScale={} mTransitionWindowAnimationScale={} mAnimatorDurationScale={}\n",
        scale("window_animation_scale"),
        scale("transition_animation_scale"),
        scale("animator_duration_scale")
    );
    Ok(text)
}

fn displays(state: &State, front: &Front) -> String {
    let upright = state.device.info().screen;
    let now = front.layout.screen();
    let rotation = front.layout.rotation().0;
    format!(
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  Display: mDisplayId=0 (organized)\n    \
         init={w}x{h} {DENSITY}dpi mMinSizeOfResizeableTaskDp=220 cur={cw}x{ch} app={cw}x{ch} rng={s}x{s}-{l}x{l}\n    \
         deferred=false mLayoutNeeded=false mTouchExcludeRegion=SkRegion()\n  mCurrentFocus={focus}\n  \
         mFocusedApp={app}\n  mDisplayRotation={rotation} ROTATION_{degrees}\n  mInTouchMode=true\n",
        w = upright.width,
        h = upright.height,
        cw = now.width,
        ch = now.height,
        s = upright.width.min(upright.height),
        l = upright.width.max(upright.height),
        focus = focus(state, front),
        app = focused_app(state, front),
        degrees = u32::from(rotation % 4) * 90,
    )
}

fn policy(state: &State, front: &Front) -> String {
    let (whole, status, navigation) = bars(front);
    let (awake, old) = (state.awake, state.like.old());
    let (width, height) = (whole.right, whole.bottom);
    let lock = state.faults.lock;
    let (showing, secure) = (lock != Lock::Open, lock == Lock::Secret);
    let locked = state.setting("system", "accelerometer_rotation") == Some("0");
    let turned = state.setting("system", "user_rotation").unwrap_or("0");
    let mut text = format!(
        "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n    mSafeMode=false mSystemReady=true mSystemBooted=true\n    \
         mUserRotationMode={} mUserRotation={turned} mAllowAllRotations=1\n",
        u8::from(locked)
    );
    if old {
        text += &format!(
            "    mScreenOnEarly={awake} mScreenOnFully={awake} mOrientationSensorEnabled=true\n    \
             mUnrestrictedScreen=(0,0) {width}x{height}\n    mRestrictedScreen=(0,0) {width}x{}\n    \
             mStable=(0,{})-({width},{})\n    mShowingLockscreen={showing} mShowingDream=false mDreamingLockscreen=false\n",
            navigation.top, status.bottom, navigation.top
        );
    } else {
        text += &format!(
            "    mAwake={awake} mScreenOnEarly={awake} mScreenOnFully={awake}\n    mKeyguardDrawComplete=true \
             mWindowManagerDrawComplete={awake}\n    mTopFullscreenOpaqueWindowState={}\n    KeyguardServiceDelegate\n      \
             showing={showing}\n      showingAndNotOccluded={showing}\n      inputRestricted={showing}\n      \
             occluded=false\n      secure={secure}\n      interactiveState=INTERACTIVE_STATE_{}\n",
            record(&front.window),
            if awake { "AWAKE" } else { "SLEEP" }
        );
    }
    text += &format!(
        "    mStatusBar={}\n    mNavigationBar={}\n    mFocusedWindow={}\n    mFocusedApp={}\n",
        record("StatusBar"),
        record(if old { "NavigationBar" } else { "NavigationBar0" }),
        focus(state, front),
        match old {
            true => focused_app(state, front).split_once("token=").map_or_else(
                || "null".to_owned(),
                |(_, token)| token.strip_suffix('}').unwrap_or(token).to_owned()
            ),
            false => focused_app(state, front),
        }
    );
    text
}
