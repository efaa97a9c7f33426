//! Commands on processes: `ps`, `pidof`, `kill` and `pkill`.

use super::{Call, Done};
use crate::processes::Process;
use taproof_core::device::AppId;

fn value(process: &Process, column: &str) -> String {
    match column {
        "USER" => process.user.clone(),
        "UID" => process.uid.to_string(),
        "PID" | "TID" => process.pid.to_string(),
        "PPID" => process.parent.to_string(),
        "VSZ" | "VSIZE" => (process.memory * 12).to_string(),
        "RSS" => process.memory.to_string(),
        "WCHAN" => "0".to_owned(),
        "ADDR" => "0".to_owned(),
        "PC" => "00000000".to_owned(),
        "S" => "S".to_owned(),
        "STIME" => "09:00".to_owned(),
        "TTY" => "?".to_owned(),
        "TIME" => "00:00:01".to_owned(),
        "NAME" | "CMD" | "ARGS" | "CMDLINE" | "COMM" => process.name.clone(),
        _ => "?".to_owned(),
    }
}

/// Whether a column is left-aligned, as names are; numbers are right-aligned.
fn at_left(column: &str) -> bool {
    matches!(column, "USER" | "WCHAN" | "NAME" | "CMD" | "ARGS" | "CMDLINE" | "COMM" | "S" | "TTY" | "STIME")
}

fn width(column: &str) -> usize {
    match column {
        "USER" => 14,
        "VSZ" => 10,
        "WCHAN" => 16,
        "RSS" | "ADDR" => 6,
        "PID" | "PPID" | "TID" => 5,
        other => other.len(),
    }
}

fn line(cells: &[(&str, String)]) -> String {
    let last = cells.len().saturating_sub(1);
    let cells = cells.iter().enumerate().map(|(place, (column, text))| {
        let width = width(column);
        match at_left(column) {
            true if place == last => text.clone(),
            true => format!("{text:<width$}"),
            false => format!("{text:>width$}"),
        }
    });
    cells.collect::<Vec<_>>().join(" ")
}

/// `ps` of Android 8 and later: without `-A`, `-p` or `-u` only the shell's processes.
pub fn ps(call: &mut Call<'_, '_>) -> Done {
    let all = call.state().processes();
    if call.old() {
        return old_ps(call, &all);
    }
    let (mut columns, mut everything, mut pids, mut names) = (Vec::new(), false, Vec::new(), Vec::new());
    let mut users = Vec::new();
    let mut rest = call.args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "-A" | "-e" | "-ef" | "-ax" => everything = true,
            "-o" | "-O" => {
                columns.extend(rest.next().map(String::as_str).unwrap_or_default().split([',', ' ']))
            }
            "-u" | "-U" => users.extend(rest.next().map(String::as_str).unwrap_or_default().split(',')),
            "-p" => pids.extend(rest.next().map(String::as_str).unwrap_or_default().split(',')),
            "-Ao" => {
                everything = true;
                columns.extend(rest.next().map(String::as_str).unwrap_or_default().split([',', ' ']));
            }
            option if option.starts_with('-') => {}
            name => names.push(name),
        }
    }
    // A column may be given with its own heading, as in `PID=X`.
    let columns: Vec<String> = columns
        .iter()
        .map(|column| column.split(['=', ':']).next().unwrap_or_default().to_ascii_uppercase())
        .filter(|column| !column.is_empty())
        .collect();
    let usual = ["USER", "PID", "PPID", "VSZ", "RSS", "WCHAN", "ADDR", "S", "NAME"];
    let columns: Vec<&str> =
        if columns.is_empty() { usual.to_vec() } else { columns.iter().map(String::as_str).collect() };
    let wanted = |process: &&Process| {
        let pid = process.pid.to_string();
        if !pids.is_empty() || !names.is_empty() {
            return pids.contains(&pid.as_str()) || names.contains(&pid.as_str());
        }
        if !users.is_empty() {
            let uid = process.uid.to_string();
            return users.contains(&process.user.as_str()) || users.contains(&uid.as_str());
        }
        everything || matches!(process.name.as_str(), "sh" | "ps")
    };
    let heading: Vec<(&str, String)> = columns.iter().map(|column| (*column, (*column).to_owned())).collect();
    let mut text = line(&heading) + "\n";
    for process in all.iter().filter(wanted) {
        let cells: Vec<(&str, String)> =
            columns.iter().map(|column| (*column, value(process, column))).collect();
        text += &(line(&cells) + "\n");
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

/// `kill` and `pkill`. Processes of other users cannot be killed. Of the shell's own, only servers are
/// affected.
pub fn kill(call: &mut Call<'_, '_>) -> Done {
    let all = call.state().processes();
    let by_name = call.name == "pkill";
    let targets: Vec<&String> = call.args.iter().filter(|arg| !arg.starts_with('-')).collect();
    let mut status = 0;
    for target in targets {
        let found = all
            .iter()
            .find(|process| process.pid.to_string() == **target || (by_name && process.name == **target));
        let problem = match found {
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
        let name = if by_name { call.name } else { "/system/bin/sh: kill" };
        status = call.fail(&format!("{name}: {target}: {problem}"), 1)?;
    }
    Ok(status)
}
