//! `dumpsys window`: windows, the focus, the policy.

use std::fmt::Display;

use crate::apk::packages::SYSTEM_UI;
use crate::faults::Lock;
use crate::outputs::filled;
use crate::screen::front::{Front, handle};
use crate::served::State;
use crate::system::properties::DENSITY;
use crate::system::settings::KEYBOARD;
use taproof_engine::device::DeviceError;
use taproof_screen::PxRect;

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

/// The record of the activity in front, and for Android 4.4 the handle of its window's token and that token.
fn focused_app(state: &State, front: &Front) -> (String, String, String) {
    let null = || "null".to_owned();
    let Some(activity) = &front.activity else { return (null(), null(), null()) };
    let record = super::activity::record(state, activity);
    let token = format!("Token{{{} {record}}}", handle("token", &activity.full()));
    (record, handle("app-token", &activity.full()), token)
}

fn navigation_bar(state: &State) -> &'static str {
    if state.like.old() { "NavigationBar" } else { "NavigationBar0" }
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
    let bar = navigation_bar(state).to_owned();
    let mut all = vec![(bar, ui.clone(), navigation), ("StatusBar".to_owned(), ui.clone(), status)];
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
    let mut windows = String::new();
    for (place, (title, package, bounds)) in all.iter().enumerate() {
        let shown = *title != state.home.full() || *title == front.window;
        let covered = keyboard.filter(|_| title == INPUT_METHOD);
        let insets = covered.map(|keyboard| filled(state.like, "insets", &edges(&keyboard)));
        let values: [(&str, &dyn Display); 8] = [
            ("place", &(all.len() - 1 - place)),
            ("window", &record(title)),
            ("session", &handle("session", package)),
            ("client", &handle("client", title)),
            ("package", package),
            ("visibility", &if shown { "0x0" } else { "0x8" }),
            ("shown", &shown),
            ("insets", &insets.unwrap_or_default()),
        ];
        windows += &filled(state.like, "window", &[&values[..], &edges(bounds)].concat());
    }
    let (app, app_token, token) = focused_app(state, front);
    let scale = |key: &str| state.setting("global", key).unwrap_or("1.0").to_owned();
    Ok(filled(
        state.like,
        "dumpsys window windows",
        &[
            ("windows", &windows),
            ("focus", &focus(state, front)),
            ("app", &app),
            ("app_token", &app_token),
            ("token", &token),
            ("rotation", &front.layout.rotation().0),
            ("window_scale", &scale("window_animation_scale")),
            ("transition_scale", &scale("transition_animation_scale")),
            ("animator_scale", &scale("animator_duration_scale")),
        ],
    ))
}

fn edges(bounds: &PxRect) -> [(&'static str, &dyn Display); 4] {
    [("left", &bounds.left), ("top", &bounds.top), ("right", &bounds.right), ("bottom", &bounds.bottom)]
}

fn displays(state: &State, front: &Front) -> String {
    let (upright, now) = (state.device.info().screen, front.layout.screen());
    let rotation = front.layout.rotation().0;
    filled(
        state.like,
        "dumpsys window displays",
        &[
            ("w", &upright.width),
            ("h", &upright.height),
            ("width", &now.width),
            ("height", &now.height),
            ("short", &upright.width.min(upright.height)),
            ("long", &upright.width.max(upright.height)),
            ("density", &DENSITY),
            ("rotation", &rotation),
            ("degrees", &(u32::from(rotation % 4) * 90)),
            ("focus", &focus(state, front)),
            ("app", &focused_app(state, front).0),
        ],
    )
}

fn policy(state: &State, front: &Front) -> String {
    let (whole, status, navigation) = bars(front);
    let (app, _, token) = focused_app(state, front);
    let lock = state.faults.lock;
    let locked = state.setting("system", "accelerometer_rotation") == Some("0");
    filled(
        state.like,
        "dumpsys window policy",
        &[
            ("awake", &state.awake),
            ("state", &if state.awake { "AWAKE" } else { "SLEEP" }),
            ("locked", &u8::from(locked)),
            ("turned", &state.setting("system", "user_rotation").unwrap_or("0")),
            ("width", &whole.right),
            ("height", &whole.bottom),
            ("status_bottom", &status.bottom),
            ("navigation_top", &navigation.top),
            ("showing", &(lock != Lock::Open)),
            ("secure", &(lock == Lock::Secret)),
            ("window", &record(&front.window)),
            ("status_bar", &record("StatusBar")),
            ("navigation_bar", &record(navigation_bar(state))),
            ("focus", &focus(state, front)),
            ("app", &app),
            ("token", &token),
        ],
    )
}
