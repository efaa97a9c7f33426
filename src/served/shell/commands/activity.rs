//! `am`: starting and stopping apps, and the few other requests to the activity manager that tools use.

use super::dumpsys::since;
use super::intent::{Intent, NEW_TASK, StartOptions};
use super::{Call, Done};
use crate::component::Component;
use crate::log::SYSTEM_PID;
use crate::served::State;
use crate::{Buffer, Cost, Level};
use taproof_core::device::{AppId, DeviceError};
use taproof_core::model::{Event, Key};

const USAGE: &str = "usage: am start|force-stop|kill|broadcast [OPTION ...] [INTENT | PACKAGE]
";

pub fn am(call: &mut Call<'_, '_>) -> Done {
    let rest: Vec<String> = call.args_from(1).to_vec();
    match call.arg(0) {
        Some("start") => start(call, &rest),
        Some(word @ ("force-stop" | "kill")) => match rest.as_slice() {
            [package] if !package.starts_with('-') => {
                if word == "kill" {
                    kill(call, package)
                } else {
                    force_stop(call, package)
                }
            }
            [] => call.fail("Error: no package specified", 1),
            [word, ..] => call.fail(&format!("Error: Unknown option: {word}"), 1),
        },
        Some("broadcast") => super::broadcast::broadcast(call, &rest),
        Some(unknown) if !call.old() => call.fail(&format!("Unknown command: {unknown}"), 255),
        Some(unknown) => {
            call.io.err.put(format!("{USAGE}\nError: unknown command '{unknown}'\n").as_bytes())?;
            Ok(1)
        }
        None => {
            call.io.err.put(USAGE.as_bytes())?;
            Ok(if call.old() { 0 } else { 255 })
        }
    }
}

fn force_stop(call: &mut Call<'_, '_>, package: &str) -> Done {
    let stopped = call.state().device.stop(&AppId(package.to_owned()));
    match stopped {
        // Stopping a package that is not installed is no error.
        Ok(()) | Err(DeviceError::NotInstalled { .. }) => Ok(0),
        Err(error) => call.fail(&format!("Error: {error}"), 1),
    }
}

/// Kills the background process of a package.
fn kill(call: &mut Call<'_, '_>, package: &str) -> Done {
    let outcome = {
        let mut state = call.state();
        match state.app(package).filter(|app| app.pid.is_some()) {
            Some(app) => state.device.kill(&app.id),
            None => Ok(()),
        }
    };
    call.ended(outcome)
}

/// The target of an intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Resolved {
    To(AppId, Component),
    Home,
    /// There is no such class.
    Missing(Component),
    Nowhere,
}

/// Finds the target of an intent on this device.
pub(super) fn resolve(state: &mut State, intent: &Intent) -> Resolved {
    let apps = state.apps();
    let to = |app: &taproof_core::device::InstalledApp| {
        let component = Component::new(&app.id.0, &app.activity);
        Resolved::To(app.id.clone(), component)
    };
    if let Some(component) = &intent.component {
        if *component == state.home {
            return Resolved::Home;
        }
        let front = state.front().ok().and_then(|front| front.activity);
        let app = apps.iter().find(|app| app.id.0 == component.package);
        return match app {
            Some(app) if app.activity == component.class || front.as_ref() == Some(component) => to(app),
            _ => Resolved::Missing(component.clone()),
        };
    }
    let main = intent.action.as_deref().is_none_or(|action| action == "android.intent.action.MAIN");
    if main && intent.categories.iter().any(|category| category == "android.intent.category.HOME") {
        return Resolved::Home;
    }
    match &intent.package {
        Some(package) if main && *package == state.home.package => Resolved::Home,
        Some(package) if main => apps.iter().find(|app| app.id.0 == *package).map_or(Resolved::Nowhere, to),
        _ => Resolved::Nowhere,
    }
}

/// The outcome of a start.
struct Started {
    component: Component,
    was_running: bool,
    was_in_front: bool,
    millis: u64,
}

fn start(call: &mut Call<'_, '_>, args: &[String]) -> Done {
    let options = match Intent::parse(args) {
        Ok(options) => options,
        Err(problem) => return call.threw("start-activity", &problem),
    };
    let old = call.old();
    let lead = {
        let mut state = call.state();
        resolve(&mut state, &options.intent)
    };
    if let (true, Resolved::To(app, _)) = (options.stops, &lead) {
        call.say(&format!("Stopping: {}", app.0))?;
    }
    call.say(&format!("Starting: {}", options.intent.text()))?;
    call.take_time(Cost::Start)?;
    let started = match &lead {
        Resolved::To(app, component) => open(&mut call.state(), app, component, &options),
        Resolved::Home => go_home(&mut call.state()),
        Resolved::Missing(component) => return missing(call, component, old),
        Resolved::Nowhere => return nowhere(call, &options.intent, old),
    };
    match started {
        Ok(started) => report(call, &options, &started, old),
        Err(error) => call.fail(&format!("Error: {error}"), 1),
    }
}

fn missing(call: &Call<'_, '_>, component: &Component, old: bool) -> Done {
    call.complain("Error type 3")?;
    let problem = format!("Error: Activity class {{{}}} does not exist.", component.full());
    call.fail(&problem, if old { 0 } else { 1 })
}

fn nowhere(call: &Call<'_, '_>, intent: &Intent, old: bool) -> Done {
    let intent = Intent { flags: intent.flags | NEW_TASK, ..intent.clone() };
    let problem = format!("Error: Activity not started, unable to resolve {}", intent.text());
    call.fail(&problem, if old { 0 } else { 1 })
}

fn open(
    state: &mut State,
    app: &AppId,
    component: &Component,
    options: &StartOptions,
) -> Result<Started, DeviceError> {
    let front = state.front()?.activity;
    let mut was_running = state.app(&app.0).is_some_and(|app| app.pid.is_some());
    let mut was_in_front = front.is_some_and(|front| front.package == app.0);
    if options.stops {
        state.device.stop(app)?;
        (was_running, was_in_front) = (false, false);
    }
    let before = state.device.now();
    let intent = Intent { flags: options.intent.flags | NEW_TASK, ..options.intent.clone() };
    let (tag, from) = match state.like.old() {
        true => ("ActivityManager", "pid 6001"),
        false => ("ActivityTaskManager", "uid 2000"),
    };
    log(state, tag, &format!("START u0 {{{}}} from {from}", inner(&intent)));
    state.device.open(app)?;
    let millis = state.device.now().since(before).millis();
    state.update_log();
    if !was_in_front {
        log(state, tag, &format!("Displayed {component}: +{}", since(millis)));
    }
    Ok(Started { component: component.clone(), was_running, was_in_front, millis })
}

/// The text of an intent between its braces.
fn inner(intent: &Intent) -> String {
    let text = intent.text();
    text.trim_start_matches("Intent { ").trim_end_matches(" }").to_owned()
}

fn go_home(state: &mut State) -> Result<Started, DeviceError> {
    let front = state.front()?.activity;
    let was_in_front = front.as_ref() == Some(&state.home);
    let before = state.device.now();
    state.device.perform(&Event::Key(Key::Home))?;
    let millis = state.device.now().since(before).millis();
    Ok(Started { component: state.home.clone(), was_running: true, was_in_front, millis })
}

/// Writes a line to the log on behalf of the system.
pub(super) fn log(state: &mut State, tag: &str, text: &str) {
    let now = state.epoch_millis();
    state.log.write(now, Buffer::System, SYSTEM_PID, Level::Info, tag, text);
}

fn report(call: &Call<'_, '_>, options: &StartOptions, started: &Started, old: bool) -> Done {
    let warning = match (started.was_running, started.was_in_front) {
        (_, true) => {
            Some("Activity not started, intent has been delivered to currently running top-most instance.")
        }
        (true, false) => Some("Activity not started, its current task has been brought to the front"),
        (false, false) => None,
    };
    if let Some(warning) = warning {
        call.complain(&format!("Warning: {warning}"))?;
    }
    if !options.waits {
        return Ok(0);
    }
    let total = if started.was_in_front { 0 } else { started.millis };
    let mut text = "Status: ok\n".to_owned();
    if !old {
        let state = match (started.was_running, started.was_in_front) {
            (_, true) => "UNKNOWN (0)",
            (true, false) => "HOT",
            (false, false) => "COLD",
        };
        text += &format!("LaunchState: {state}\n");
    }
    text += &format!("Activity: {}\n", started.component);
    if old {
        text += &format!("ThisTime: {total}\n");
    }
    text += &format!("TotalTime: {total}\nWaitTime: {}\nComplete\n", started.millis + 4);
    call.print(&text)?;
    Ok(0)
}
