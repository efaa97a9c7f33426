//! `am`: starting and stopping apps, and the few other requests to the activity manager that tools use.

use super::dumpsys::since;
use super::intent::{Intent, StartOptions};
use super::{Call, Done};
use crate::apk::component::Component;
use crate::log::SYSTEM_PID;
use crate::served::State;
use crate::{Buffer, Cost, Level};
use taproof_engine::device::{AppId, DeviceError};
use taproof_screen::{Event, Key};

/// `FLAG_ACTIVITY_NEW_TASK`, which starts from a shell always have.
const NEW_TASK: u32 = 0x1000_0000;

pub fn am(call: &mut Call<'_, '_>) -> Done {
    let rest = call.args_from(1);
    match (call.arg(0), rest) {
        (Some("start"), _) => start(call, rest),
        (Some("broadcast"), _) => super::broadcast::broadcast(call, rest),
        (Some("get-current-user"), _) if !call.old() => {
            let front = call.state().front_user;
            call.say(&front.to_string()).map(|()| 0)
        }
        (Some("force-stop" | "kill"), []) => call.fail("Error: no package specified", 1),
        (Some("force-stop" | "kill"), [option, ..]) if option.starts_with('-') => {
            call.fail(&format!("Error: Unknown option: {option}"), 1)
        }
        (Some("force-stop"), [package, ..]) => {
            let stopped = call.state().device.stop(&AppId(package.clone()));
            // Stopping a package that is not installed is no error.
            call.ended(stopped.or_else(|error| match error {
                DeviceError::NotInstalled { .. } => Ok(()),
                error => Err(error),
            }))
        }
        // Only a process in the background is killed.
        (Some("kill"), [package, ..]) => {
            let outcome = {
                let mut state = call.state();
                let running = state.app(package).filter(|app| app.pid.is_some());
                running.map_or(Ok(()), |app| state.device.kill(&app.id))
            };
            call.ended(outcome)
        }
        (unknown, _) => call.unknown("am", unknown),
    }
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
    let to = |app: &taproof_engine::device::InstalledApp| {
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
    let options = Intent::parse(args).or_else(|problem| call.threw("start-activity", &problem))?;
    let lead = resolve(&mut call.state(), &options.intent);
    if let (true, Resolved::To(app, _)) = (options.stops, &lead) {
        call.say(&format!("Stopping: {}", app.0))?;
    }
    call.say(&format!("Starting: {}", options.intent.text(0)))?;
    call.take_time(Cost::Start)?;
    let failure = if call.old() { 0 } else { 1 };
    let started = match &lead {
        Resolved::To(app, component) => open(&mut call.state(), app, component, options.stops),
        Resolved::Home => go_home(&mut call.state()),
        Resolved::Missing(component) => {
            call.complain("Error type 3")?;
            let problem = format!("Error: Activity class {{{}}} does not exist.", component.full());
            return call.fail(&problem, failure);
        }
        Resolved::Nowhere => {
            let text = options.intent.text(NEW_TASK);
            return call.fail(&format!("Error: Activity not started, unable to resolve {text}"), failure);
        }
    };
    let started = started.or_else(|error| call.fails(&format!("Error: {error}"), 1))?;
    report(call, &options, &started)
}

fn open(state: &mut State, app: &AppId, component: &Component, stops: bool) -> Result<Started, DeviceError> {
    let front = state.front()?.activity;
    let was_running = !stops && state.app(&app.0).is_some_and(|app| app.pid.is_some());
    let was_in_front = !stops && front.is_some_and(|front| front.package == app.0);
    if stops {
        state.device.stop(app)?;
    }
    let before = state.device.now();
    let (tag, from) = match state.like.old() {
        true => ("ActivityManager", "pid 6001"),
        false => ("ActivityTaskManager", "uid 2000"),
    };
    log(state, tag, &format!("START u0 {{flg=0x{NEW_TASK:x} cmp={component}}} from {from}"));
    state.device.open(app)?;
    let millis = state.device.now().since(before).millis();
    state.update_log();
    if !was_in_front {
        log(state, tag, &format!("Displayed {component}: +{}", since(millis)));
    }
    Ok(Started { component: component.clone(), was_running, was_in_front, millis })
}

fn go_home(state: &mut State) -> Result<Started, DeviceError> {
    let was_in_front = state.front()?.activity.as_ref() == Some(&state.home);
    let before = state.device.now();
    state.device.perform(&Event::Key(Key::Home))?;
    let millis = state.device.now().since(before).millis();
    Ok(Started { component: state.home.clone(), was_running: true, was_in_front, millis })
}

/// Writes a line to the log on behalf of the system.
fn log(state: &mut State, tag: &str, text: &str) {
    let now = state.epoch_millis();
    state.log.write(now, Buffer::System, SYSTEM_PID, Level::Info, tag, text);
}

fn report(call: &Call<'_, '_>, options: &StartOptions, started: &Started) -> Done {
    let (state, warning) = match (started.was_running, started.was_in_front) {
        (_, true) => ("UNKNOWN (0)", "intent has been delivered to currently running top-most instance."),
        (true, false) => ("HOT", "its current task has been brought to the front"),
        (false, false) => ("COLD", ""),
    };
    if !warning.is_empty() {
        call.complain(&format!("Warning: Activity not started, {warning}"))?;
    }
    if options.waits {
        let total = if started.was_in_front { 0 } else { started.millis };
        let wait = started.millis + 4;
        let activity = &started.component;
        let values: crate::outputs::Values<'_> =
            &[("state", &state), ("activity", activity), ("total", &total), ("wait", &wait)];
        call.print(&call.filled("am start -W", values))?;
    }
    Ok(0)
}
