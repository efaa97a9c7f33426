//! `dumpsys activity`: tasks, the top activity with its views, services and processes.

use super::since;
use crate::component::Component;
use crate::front::{Front, handle};
use crate::served::State;
use taproof_core::device::{DeviceError, InstalledApp};
use taproof_core::model::{Layout, WidgetFlags, WidgetIdx};

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
    let hash = taproof_core::determinism::hash_text(package);
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
        pid: crate::packages::HOME_PID,
    });
    all.sort_by_key(|task| !task.in_front);
    all
}

fn activities(state: &mut State) -> Result<String, DeviceError> {
    let front = state.front()?;
    let tasks = tasks(state, &front);
    let old = state.like.old();
    let mut text = "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n".to_owned();
    if !old {
        text += "Display #0 (activities from top to bottom):\n";
    }
    for task in &tasks {
        text += &if old { old_task(state, task) } else { new_task(state, task) };
    }
    let top = tasks.iter().find(|task| task.in_front).map(|task| record(state, &task.activity));
    let top = top.filter(|_| state.awake).unwrap_or_else(|| "null".to_owned());
    if old {
        text += &format!(
            "    mResumedActivity: {top}\n\n  mFocusedActivity: {top}\n  mSleepTimeout={}\n",
            !state.awake
        );
    } else {
        text += &format!(
            "  Resumed activities in task display areas (from top to bottom):\n    Resumed: {top}\n"
        );
        text += &format!("  ResumedActivity: {top}\n");
    }
    Ok(text)
}

fn hist(state: &State, task: &Task, indent: &str) -> String {
    let Task { activity, in_front, pid } = task;
    let package = &activity.package;
    let shown = *in_front && state.awake;
    let sleeping = !state.awake;
    let (word, stopped) = if shown { ("RESUMED", false) } else { ("STOPPED", true) };
    let head = format!(
        "{indent}* Hist #0: {record}\n{indent}    packageName={package} processName={package}\n\
         {indent}    launchedFromUid=2000 launchedFromPackage={from} userId=0\n\
         {indent}    app=ProcessRecord{{{process} {pid}:{package}/u0a100}}\n\
         {indent}    Intent {{ act=android.intent.action.MAIN cat=[android.intent.category.LAUNCHER] flg=0x10000000 cmp={activity} }}\n",
        record = record(state, activity),
        process = handle("process", package),
        from = if state.like.old() { "null" } else { "com.android.shell" },
    );
    let tail = if state.like.old() {
        format!(
            "{indent}    taskAffinity={package}\n{indent}    realActivity={activity}\n{indent}    state={word} \
             stopped={stopped} delayedResume=false finishing=false\n{indent}    keysPaused=false inHistory=true \
             visible={shown} sleeping={sleeping} idle=true\n"
        )
    } else {
        format!(
            "{indent}    mActivityComponent={activity}\n{indent}    mVisibleRequested={shown} mVisible={shown} \
             mClientVisible={shown}\n{indent}    state={word} finishing=false\n{indent}    stopped={stopped} \
             sleeping={sleeping} idle=true\n"
        )
    };
    head + &tail
}

fn old_task(state: &State, task: &Task) -> String {
    let (package, number) = (&task.activity.package, task_of(state, &task.activity.package));
    let record = format!("TaskRecord{{{} #{number} A={package} U=0 sz=1}}", handle("task", package));
    format!(
        "  Stack #{}:\n    Task id #{number}\n    * {record}\n      affinity={package}\n      realActivity={}\n{}\n    \
         Running activities (most recent first):\n      {record}\n        Run #0: {}\n\n",
        u8::from(*package != state.home.package),
        task.activity,
        hist(state, task, "      "),
        self::record(state, &task.activity)
    )
}

fn new_task(state: &State, task: &Task) -> String {
    let (package, number) = (&task.activity.package, task_of(state, &task.activity.package));
    let kind = if *package == state.home.package { "home" } else { "standard" };
    let shown = task.in_front && state.awake;
    let header = format!("Task{{{} #{number} type={kind} A=10100:{package} U=0", handle("task", package));
    let top = match shown {
        true => format!("    topResumedActivity={}\n", record(state, &task.activity)),
        false => String::new(),
    };
    let flags = format!("visible={shown} visibleRequested={shown} mode=fullscreen translucent=false sz=1}}");
    format!("  * {header} {flags}\n    affinity=10100:{package}\n{top}{}\n", hist(state, task, "    "))
}

fn top(state: &mut State) -> Result<String, DeviceError> {
    let front = state.front()?;
    let Some(activity) = front.activity.clone() else { return Ok(String::new()) };
    let tasks = tasks(state, &front);
    let pid = tasks.iter().find(|task| task.in_front).map_or(0, |task| task.pid);
    let number = task_of(state, &activity.package);
    let user = if state.like.old() { "" } else { " userId=0" };
    let mut text = format!(
        "TASK {}{user} id={number}\n  ACTIVITY {activity} {} pid={pid}\n    Local Activity {} State:\n      \
         mResumed={} mStopped=false mFinished=false\n    View Hierarchy:\n",
        activity.package,
        handle("activity", &activity.full()),
        handle("local", &activity.full()),
        state.awake
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
fn services(state: &mut State) -> String {
    let enabled = state.setting("secure", "enabled_accessibility_services").unwrap_or_default().to_owned();
    let mut text = "ACTIVITY MANAGER SERVICES (dumpsys activity services)\n".to_owned();
    let mut running: Vec<(String, String)> = vec![(
        "com.android.inputmethod.latin".to_owned(),
        "com.android.inputmethod.latin/.LatinIME".to_owned(),
    )];
    for (package, helper) in &state.helpers {
        let Some(class) = &helper.service else { continue };
        let component = Component::new(package, class);
        let named = |name: &str| Component::parse(name).as_ref() == Some(&component);
        if enabled.split(':').any(named) {
            running.push((package.clone(), component.to_string()));
        }
    }
    text += "  User 0 active services:\n";
    for (package, name) in running {
        text += &format!(
            "  * ServiceRecord{{{} u0 {name}}}\n    intent={{cmp={name}}}\n    packageName={package}\n    \
             processName={package}\n    createTime=-{} startingBgTimeout=--\n\n",
            handle("service", &name),
            since(state.device.now().millis())
        );
    }
    text
}
