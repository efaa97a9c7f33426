//! Events, and the screen that they lead to. A served device changes only by events and waits, so its screen is still
//! once an event was performed.

use image::imageops::{FilterType, resize};

use super::answers::succeeded;
use super::session::{Refusal, refused};
use crate::Served;
use crate::faults::DumpFault;
use crate::screen::keys::Stroke;
use crate::screen::pictures::{image_of, jpeg_of};
use crate::screen::touch_screen::gesture_of;
use crate::served::State;
use taproof_engine::agent::{Action, FailureKind, PictureForm, Quiet, Seen, Typed, TypedBy};
use taproof_engine::device::{DeviceError, Screenshot};
use taproof_screen::{DeviceDuration, Event, Gesture, Layout};

/// How long a step of a wait for another screen takes, in milliseconds.
const WATCH_STEP: u64 = 100;

pub(super) fn act(
    served: &Served,
    action: &Action,
    log_from: Option<&str>,
    picture_hash: bool,
) -> Result<Vec<u8>, Refusal> {
    let typed = {
        let mut state = served.lock();
        if state.faults.forbids.input && !matches!(action, Action::Look | Action::Wait(_)) {
            let problem = "Injecting to another application requires INJECT_EVENTS permission";
            return Err((FailureKind::Forbidden, format!("java.lang.SecurityException: {problem}")));
        }
        perform(&mut state, action).map_err(refused)?
    };
    let log = log_from.map(|from| log_since(served, from));
    let mut state = served.lock();
    let front = state.front().map_err(refused)?;
    // A fault that ends a dump does not end the agent.
    let layout = match state.faults.next_dump() {
        Some(DumpFault::NullRoot) => {
            Err((front.layout.screen(), "the window in front has no layout".to_owned()))
        }
        _ => {
            let layout = state.reported_layout().map_err(refused)?;
            Ok(Layout::clone(&layout).with_activity("".into()))
        }
    };
    let seen = Seen {
        refused: None,
        quiet: Quiet::Still,
        activity: front.activity.map(|activity| activity.to_string()),
        uptime_millis: state.uptime_millis(),
        keyboard: state.device.keyboard().unwrap_or_default(),
        picture_hash: if picture_hash {
            state.device.screenshot().ok().map(|shown| hash(&shown))
        } else {
            None
        },
        typed: typed.map(|by| Typed { by, shows: focused_text(&front.layout) }),
        announced: std::mem::take(&mut state.announced),
        log,
        layout,
    };
    Ok(succeeded(&seen))
}

/// Performs an action. Returns how a text was typed, if one was.
fn perform(state: &mut State, action: &Action) -> Result<Option<TypedBy>, DeviceError> {
    match action {
        Action::Look => {}
        Action::Touch(path) => {
            if let (Some(down), Some(up)) = (path.first(), path.last()) {
                state.gesture(down.at, gesture_of(down.at, up.at, u64::from(up.millis)))?;
            }
        }
        Action::Key { code, .. } => state.press(Stroke::of_code(*code))?,
        Action::Type(text) => {
            state.input(&Event::Type(text.clone()))?;
            return Ok(Some(TypedBy::Keys));
        }
        Action::SetText { at, text } => {
            state.gesture(*at, Gesture::SetText(text.clone()))?;
            return Ok(Some(TypedBy::SetText));
        }
        Action::Rotate(quarters) => state.rotate(*quarters)?,
        Action::Wait(millis) => state.wait(DeviceDuration(u64::from(*millis)))?,
    }
    Ok(None)
}

fn focused_text(layout: &Layout) -> Option<String> {
    layout.widgets().iter().find(|widget| widget.is_focused_field()).map(|field| field.text.to_string())
}

/// The log from a time on, as `logcat` prints it; with an empty time, the device's time and no log.
fn log_since(served: &Served, from: &str) -> String {
    const BUFFERS: &str = "-b crash -b system -b events";
    let command = match from {
        "" => "date +'%m-%d %H:%M:%S.000'".to_owned(),
        // Only what can be a time reaches the shell.
        from if from.chars().all(|c| c.is_ascii_digit() || " -:.".contains(c)) => {
            format!("logcat -d -v threadtime {BUFFERS} -T '{from}'")
        }
        _ => return String::new(),
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    served.shell(&command, &mut std::io::empty(), &mut out, &mut err, false);
    String::from_utf8_lossy(&out).into_owned()
}

pub(super) fn picture(served: &Served, form: PictureForm, width: u16) -> Result<Vec<u8>, Refusal> {
    let shown = served.lock().device.screenshot().map_err(refused)?;
    let none = || (FailureKind::Unsupported, "this screen cannot be taken as a picture".to_owned());
    let mut image = image_of(&shown).ok_or_else(none)?;
    let wanted = u32::from(width);
    if wanted > 0 && wanted < image.width() {
        let height = (image.height() * wanted / image.width()).max(1);
        image = resize(&image, wanted, height, FilterType::Triangle);
    }
    let mut bytes = Vec::new();
    match form {
        PictureForm::Raw => {
            bytes.extend(image.width().to_be_bytes());
            bytes.extend(image.height().to_be_bytes());
            bytes.extend(image.as_raw());
        }
        PictureForm::Jpeg(quality) => {
            bytes = jpeg_of(image, quality).ok_or_else(none)?;
        }
    }
    Ok(succeeded(bytes.as_slice()))
}

fn hash(shown: &Screenshot) -> u32 {
    crc32fast::hash(&shown.rgba)
}

/// Waits in steps until the picture has another checksum; others can use the device between two steps.
pub(super) fn watch(
    served: &Served,
    socket: &str,
    known: u32,
    limit_millis: u32,
) -> Result<Vec<u8>, Refusal> {
    let mut waited = 0;
    loop {
        let now = served.lock().device.screenshot().map(|shown| hash(&shown)).map_err(refused)?;
        if now != known {
            return Ok(succeeded(&now));
        }
        if waited >= u64::from(limit_millis) || !super::runs(served, socket) {
            return Ok(succeeded(&0_u32));
        }
        crate::latency::pause(std::time::Duration::from_millis(WATCH_STEP));
        waited += WATCH_STEP;
    }
}
