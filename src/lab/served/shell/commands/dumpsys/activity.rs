//! `dumpsys activity`: tasks, the top activity with its views, services and processes.

use super::since;
use crate::apk::component::Component;
use crate::outputs::{Values, filled};
use crate::screen::front::{Front, handle};
use crate::served::State;
use crate::system::settings::KEYBOARD;
use taproof_engine::device::{DeviceError, InstalledApp};
use taproof_screen::{Layout, WidgetFlags, WidgetIdx};

pub(super) fn activity(state: &mut State, args: &[String]) -> Result<String, DeviceError> {
    let words: Vec<&str> = args.iter().map(String::as_str).filter(|arg| !arg.starts_with('-')).collect();
    match words.first().copied() {
        Some("activities") => activities(state),
        Some("top") => top(state),
        Some("services") => Ok(services(state)),
        _ => Ok("Bad activity command: only activities, top and services are known\n".to_owned()),
    }
}

/// The record of an activity, such as `ActivityRecord{1a2b3c u0 org.ex/.Main t12}`.
pub(super) fn record(state: &State, activity: &Component) -> String {
    format!(
        "ActivityRecord{{{} u0 {activity} t{}}}",
        handle("activity", &activity.full()),
        task_of(state, &activity.package)
    )
}

/// The id of a package's only task, which never changes. That of the home screen is 1.
fn task_of(state: &State, package: &str) -> u32 {
    if package == state.home.package {
        return 1;
    }
    // Few packages are installed, so collisions are unlikely.
    let hash = taproof_screen::determinism::hash_text(package);
    2 + u32::try_from(hash % 9973).unwrap_or(0)
}

/// A task: its top activity, whether that is in the foreground, and its process.
struct Task {
    activity: Component,
    in_front: bool,
    pid: u32,
}

/// The tasks, the foreground one first.
fn tasks(state: &mut State, front: &Front) -> Vec<Task> {
    let running: Vec<InstalledApp> = state.apps().into_iter().filter(|app| app.pid.is_some()).collect();
    let mut all: Vec<Task> = running
        .into_iter()
        .map(|app| {
            let at_front = front.activity.as_ref().filter(|activity| activity.package == app.id.0);
            let activity = at_front.cloned().unwrap_or_else(|| Component::new(&app.id.0, &app.activity));
            Task { in_front: at_front.is_some(), activity, pid: app.pid.unwrap_or(0) }
        })
        .collect();
    let home = state.home.clone();
    let at_home = front.activity.as_ref().filter(|activity| activity.package == home.package);
    all.push(Task {
        in_front: at_home.is_some(),
        activity: at_home.cloned().unwrap_or(home),
        pid: crate::apk::packages::HOME_PID,
    });
    all.sort_by_key(|task| !task.in_front);
    all
}

fn activities(state: &mut State) -> Result<String, DeviceError> {
    let front = state.front()?;
    let tasks = tasks(state, &front);
    let top = tasks.iter().find(|task| task.in_front && state.awake);
    let top = top.map_or_else(|| "null".to_owned(), |task| record(state, &task.activity));
    let tasks: String = tasks.iter().map(|task| task_text(state, task)).collect();
    let values: Values<'_> = &[("tasks", &tasks), ("top", &top), ("sleeping", &!state.awake)];
    Ok(filled(state.like, "dumpsys activity activities", values))
}

fn task_text(state: &State, task: &Task) -> String {
    let Task { activity, in_front, pid } = task;
    let package = &activity.package;
    let (shown, home) = (*in_front && state.awake, *package == state.home.package);
    let record = record(state, activity);
    let resumed = if shown { format!("    topResumedActivity={record}\n") } else { String::new() };
    filled(
        state.like,
        "task",
        &[
            ("task", &handle("task", package)),
            ("number", &task_of(state, package)),
            ("stack", &u8::from(!home)),
            ("kind", &if home { "home" } else { "standard" }),
            ("package", package),
            ("activity", activity),
            ("record", &record),
            ("resumed", &resumed),
            ("process", &handle("process", package)),
            ("pid", pid),
            ("shown", &shown),
            ("state", &if shown { "RESUMED" } else { "STOPPED" }),
            ("stopped", &!shown),
            ("sleeping", &!state.awake),
        ],
    )
}

fn top(state: &mut State) -> Result<String, DeviceError> {
    let front = state.front()?;
    let Some(activity) = &front.activity else { return Ok(String::new()) };
    let pid = tasks(state, &front).iter().find(|task| task.in_front).map_or(0, |task| task.pid);
    let mut text = filled(
        state.like,
        "dumpsys activity top",
        &[
            ("package", &activity.package),
            ("activity", activity),
            ("number", &task_of(state, &activity.package)),
            ("handle", &handle("activity", &activity.full())),
            ("local", &handle("local", &activity.full())),
            ("pid", &pid),
            ("awake", &state.awake),
        ],
    );
    for (idx, _) in front.layout.iter() {
        text += &view_line(&front.layout, idx);
    }
    Ok(text)
}

/// A line of the view hierarchy in `dumpsys activity top`. The bounds are relative to the parent view.
fn view_line(layout: &Layout, idx: WidgetIdx) -> String {
    let widget = layout.widget(idx);
    let flag = |flag: WidgetFlags, letter: char| if widget.flags.has(flag) { letter } else { '.' };
    let origin = widget.parent.map(|parent| layout.widget(parent).bounds);
    let (left, top) = origin.map_or((0, 0), |origin| (origin.left, origin.top));
    let id = widget.resource_id.as_deref().filter(|id| !id.is_empty()).map(|id| {
        let name = id.split_once(":id/").map_or(id, |(_, name)| name);
        format!(" #{} app:id/{name}", handle("id", id))
    });
    format!(
        "{}{}{{{} V{}E..{}{}{} ......ID {},{}-{},{}{}}}\n",
        "  ".repeat(layout.depth(idx) + 3),
        widget.class,
        handle("view", &idx.0.to_string()),
        flag(WidgetFlags::FOCUSABLE, 'F'),
        if widget.scrollable() { 'V' } else { '.' },
        flag(WidgetFlags::CLICKABLE, 'C'),
        flag(WidgetFlags::LONG_CLICKABLE, 'L'),
        widget.bounds.left - left,
        widget.bounds.top - top,
        widget.bounds.right - left,
        widget.bounds.bottom - top,
        id.unwrap_or_default()
    )
}

/// The running services: the device's keyboard and the enabled accessibility services of helper apps.
fn services(state: &State) -> String {
    let enabled = state.setting("secure", "enabled_accessibility_services").unwrap_or_default();
    let mut running = vec![Component::parse(KEYBOARD)];
    for (package, helper) in &state.helpers {
        let service = helper.service.as_ref().map(|class| Component::new(package, class));
        let is_enabled = |service: &Component| {
            enabled.split(':').any(|name| Component::parse(name).as_ref() == Some(service))
        };
        running.push(service.filter(is_enabled));
    }
    let since = since(state.device.now().millis());
    let mut text = filled(state.like, "dumpsys activity services", &[]);
    for service in running.into_iter().flatten() {
        let handle = handle("service", &service.to_string());
        let values: Values<'_> =
            &[("name", &service), ("package", &service.package), ("handle", &handle), ("since", &since)];
        text += &filled(state.like, "service", values);
    }
    text
}
