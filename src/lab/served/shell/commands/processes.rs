//! Commands on processes: `ps`, `pidof` and `kill`.

use super::{Call, Done};
use crate::processes::Process;
use taproof_core::device::AppId;

/// `ps [-A|-e|-ef] [-u USER]` of Android 8 and later: without options only the shell's processes.
pub fn ps(call: &mut Call<'_, '_>) -> Done {
    let all = call.state().processes();
    if call.old() {
        return old_ps(call, &all);
    }
    let args: Vec<&str> = call.args.iter().map(String::as_str).collect();
    let wanted: Vec<&Process> = match args.as_slice() {
        [] => all.iter().filter(|process| matches!(process.name.as_str(), "sh" | "ps")).collect(),
        ["-A" | "-e" | "-ef"] => all.iter().collect(),
        ["-u", user] => {
            all.iter().filter(|process| process.user == *user || process.uid.to_string() == *user).collect()
        }
        [word, ..] => return call.fail(&format!("ps: Unknown option '{word}' (see \"ps --help\")"), 1),
    };
    let mut text = format!(
        "{:<14} {:>5} {:>5} {:>10} {:>6} {:<16} {:>6} S NAME\n",
        "USER", "PID", "PPID", "VSZ", "RSS", "WCHAN", "ADDR"
    );
    for Process { user, pid, parent, memory, name, .. } in wanted {
        let size = memory * 12;
        text +=
            &format!("{user:<14} {pid:>5} {parent:>5} {size:>10} {memory:>6} {:<16} {:>6} S {name}\n", 0, 0);
    }
    call.print(&text)?;
    Ok(0)
}

/// `ps [NAME|PID]` of toolbox.
fn old_ps(call: &Call<'_, '_>, all: &[Process]) -> Done {
    let wanted = call.args.iter().find(|arg| !arg.starts_with('-'));
    let mut text = "USER     PID   PPID  VSIZE  RSS     WCHAN    PC         NAME\n".to_owned();
    for process in all {
        let pid = process.pid.to_string();
        if wanted.is_some_and(|wanted| pid != *wanted && !process.name.contains(wanted.as_str())) {
            continue;
        }
        let state = if process.name == "ps" { 'R' } else { 'S' };
        text += &format!(
            "{:<9}{:<5} {:<5} {:<6} {:<5} ffffffff 40085790 {state} {}\n",
            process.user,
            pid,
            process.parent,
            process.memory * 12,
            process.memory,
            process.name
        );
    }
    call.print(&text)?;
    Ok(0)
}

pub fn pidof(call: &mut Call<'_, '_>) -> Done {
    let all = call.state().processes();
    let fits = |process: &&Process| call.args.contains(&process.name);
    let pids: Vec<String> = all.iter().filter(fits).map(|process| process.pid.to_string()).collect();
    if pids.is_empty() {
        return Ok(1);
    }
    call.say(&pids.join(" "))?;
    Ok(0)
}

/// `kill PID…`. Processes of other users cannot be killed, and of the shell's own only programs of clients.
pub fn kill(call: &mut Call<'_, '_>) -> Done {
    let all = call.state().processes();
    let mut status = 0;
    for target in call.args.iter().filter(|arg| !arg.starts_with('-')) {
        let problem = match all.iter().find(|process| process.pid.to_string() == **target) {
            None => "No such process",
            Some(process) if process.uid == 2000 || call.old() => {
                let ended = call.state().end_program(process.pid);
                if !ended && call.old() && process.uid >= 10_000 {
                    let package = AppId(process.name.clone());
                    // A process that cannot be stopped is not an app.
                    call.state().device.stop(&package).unwrap_or_default();
                }
                continue;
            }
            Some(_) => "Operation not permitted",
        };
        status = call.fail(&format!("/system/bin/sh: kill: {target}: {problem}"), 1)?;
    }
    Ok(status)
}
