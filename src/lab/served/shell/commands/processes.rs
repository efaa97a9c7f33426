//! Commands on processes: `ps`, `pidof` and `kill`.

use super::{Call, Done};
use crate::system::processes::Process;
use taproof_engine::device::AppId;

/// `ps [-A | -e | -ef | -u USER]`; without options the processes of the terminal alone. Old devices list all.
pub fn ps(call: &mut Call<'_, '_>) -> Done {
    let all = call.state().processes();
    let args: Vec<&str> = call.args.iter().map(String::as_str).collect();
    let wanted: Vec<&Process> = match args.as_slice() {
        _ if call.old() => all.iter().collect(),
        [] => all.iter().filter(|process| matches!(process.name.as_str(), "sh" | "ps")).collect(),
        ["-A" | "-e" | "-ef"] => all.iter().collect(),
        ["-u", user] => all.iter().filter(|process| process.user == *user).collect(),
        [word, ..] => return call.fail(&format!("ps: Unknown option '{word}' (see \"ps --help\")"), 1),
    };
    let mut text = match call.old() {
        true => "USER     PID   PPID  VSIZE  RSS     WCHAN    PC         NAME\n".to_owned(),
        false => format!(
            "{:<14} {:>5} {:>5} {:>10} {:>6} {:<16} {:>6} S NAME\n",
            "USER", "PID", "PPID", "VSZ", "RSS", "WCHAN", "ADDR"
        ),
    };
    for Process { user, pid, parent, memory, name, .. } in wanted {
        let size = memory * 12;
        text += &match call.old() {
            true => format!(
                "{user:<9}{pid:<5} {parent:<5} {size:<6} {memory:<5} ffffffff 40085790 {} {name}\n",
                if name == "ps" { 'R' } else { 'S' }
            ),
            false => format!(
                "{user:<14} {pid:>5} {parent:>5} {size:>10} {memory:>6} {:<16} {:>6} S {name}\n",
                0, 0
            ),
        };
    }
    call.print(&text).map(|()| 0)
}

pub fn pidof(call: &mut Call<'_, '_>) -> Done {
    let all = call.state().processes();
    let fits = all.iter().filter(|process| call.args.contains(&process.name));
    let pids: Vec<String> = fits.map(|process| process.pid.to_string()).collect();
    if pids.is_empty() { Ok(1) } else { call.say(&pids.join(" ")).map(|()| 0) }
}

/// `kill [-SIGNAL] PID ...`. On current devices only processes of the shell's own user can be killed.
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
