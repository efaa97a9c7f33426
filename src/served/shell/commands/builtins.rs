//! The builtins of the shell.

use super::{Call, Done};
use crate::shell::io::{Input, Killed, read_line};

const LONGEST_LINE: usize = 1 << 20;

pub fn nothing(_call: &mut Call<'_, '_>) -> Done {
    Ok(0)
}

pub fn fails(_call: &mut Call<'_, '_>) -> Done {
    Ok(1)
}

pub fn cd(call: &mut Call<'_, '_>) -> Done {
    let to = call.arg(0).unwrap_or("/");
    let path = call.path(to);
    let stat = call.state().stat_file(&path, true);
    match stat {
        Ok(stat) if stat.is_folder() => {
            call.shell.folder = path;
            Ok(0)
        }
        Ok(_) => call.fail(&format!("/system/bin/sh: cd: {path}: Not a directory"), 2),
        Err(error) => call.fail(&format!("/system/bin/sh: cd: {path}: {error}"), 2),
    }
}

pub fn pwd(call: &mut Call<'_, '_>) -> Done {
    let folder = call.shell.folder.clone();
    call.say(&folder)?;
    Ok(0)
}

fn code_of(call: &Call<'_, '_>) -> u8 {
    let code = call.arg(0).and_then(|code| code.parse::<i64>().ok());
    code.map_or(call.shell.status, |code| (code & 0xff) as u8)
}

pub fn exit(call: &mut Call<'_, '_>) -> Done {
    let code = code_of(call);
    call.shell.exit = Some(code);
    Ok(code)
}

fn leave(call: &mut Call<'_, '_>, again: bool) -> Done {
    call.shell.leave = call.arg(0).and_then(|count| count.parse().ok()).unwrap_or(1);
    call.shell.again = again;
    Ok(0)
}

pub fn leave_loop(call: &mut Call<'_, '_>) -> Done {
    leave(call, false)
}

pub fn go_on(call: &mut Call<'_, '_>) -> Done {
    leave(call, true)
}

pub fn export(call: &mut Call<'_, '_>) -> Done {
    for arg in call.args {
        if let Some((name, value)) = arg.split_once('=')
            && let Err(problem) = call.shell.assign(name, value.to_owned())
        {
            return call.fail(&format!("/system/bin/sh: {problem}"), 1);
        }
    }
    Ok(0)
}

pub fn unset(call: &mut Call<'_, '_>) -> Done {
    for name in call.args {
        call.shell.unassign(name);
    }
    Ok(0)
}

/// `set` lists the variables; `set -- a b` sets the parameters; options have no effect.
pub fn set(call: &mut Call<'_, '_>) -> Done {
    if call.args.is_empty() {
        let lines: Vec<String> =
            call.shell.variables.entries().iter().map(|(name, value)| format!("{name}={value}\n")).collect();
        call.print(&lines.concat())?;
    } else if let Some(place) = call.args.iter().position(|arg| arg == "--") {
        call.shell.parameters = call.args_from(place + 1).to_vec();
    }
    Ok(0)
}

pub fn shift(call: &mut Call<'_, '_>) -> Done {
    let count = call.arg(0).and_then(|count| count.parse().ok()).unwrap_or(1);
    let all = call.shell.parameters.len();
    if count > all {
        return call.fail("/system/bin/sh: shift: nothing to shift", 1);
    }
    call.shell.parameters.drain(..count);
    Ok(0)
}

pub fn eval(call: &mut Call<'_, '_>) -> Done {
    call.shell.run_deeper(&call.args.join(" "), call.io)
}

/// `exec cmd` runs the command and then ends the shell.
pub fn exec(call: &mut Call<'_, '_>) -> Done {
    let Some((name, args)) = call.args.split_first() else { return Ok(0) };
    let status = call.other(name, args)?;
    call.shell.exit = Some(status);
    Ok(status)
}

/// Runs the command in the arguments: `nohup`, `command`, `builtin`, `setsid`, `time`.
pub fn prefix(call: &mut Call<'_, '_>) -> Done {
    match call.args.split_first() {
        Some((option, rest)) if option == "-v" && call.name == "command" => which_of(call, rest),
        Some((name, args)) => call.other(name, args),
        None => Ok(0),
    }
}

/// `env A=b cmd`; without a command it lists the variables.
pub fn env(call: &mut Call<'_, '_>) -> Done {
    let assigned = call.args.iter().take_while(|arg| arg.contains('=')).count();
    let mut inner = call.shell.subshell();
    for (name, value) in call.args.iter().take(assigned).filter_map(|arg| arg.split_once('=')) {
        if let Err(problem) = inner.assign(name, value.to_owned()) {
            return call.fail(&format!("env: {problem}"), 1);
        }
    }
    match call.args_from(assigned).split_first() {
        Some((name, args)) => inner.run_named(name, args, call.io),
        None => {
            let lines: Vec<String> =
                inner.variables.entries().iter().map(|(name, value)| format!("{name}={value}\n")).collect();
            call.print(&lines.concat())?;
            Ok(0)
        }
    }
}

/// `timeout SECONDS cmd`: runs the command; the limit is ignored.
pub fn timeout(call: &mut Call<'_, '_>) -> Done {
    let options = call.args.iter().take_while(|arg| arg.starts_with('-')).count();
    match call.args_from(options + 1).split_first() {
        Some((name, args)) => call.other(name, args),
        None => call.fail("timeout: Need 2 arguments", 125),
    }
}

/// `sh -c TEXT`, `sh FILE`, or `sh` to run its standard input.
pub fn sh(call: &mut Call<'_, '_>) -> Done {
    let mut inner = call.shell.subshell();
    let options = call.args.iter().take_while(|arg| arg.starts_with('-')).count();
    let command = call.args.iter().take(options).any(|arg| arg.contains('c') && !arg.starts_with("--"));
    let rest = call.args_from(options);
    match rest.first() {
        Some(text) if command => {
            inner.parameters = rest.get(2..).unwrap_or_default().to_vec();
            inner.run_deeper(text, call.io)
        }
        Some(file) => {
            inner.parameters = rest.get(1..).unwrap_or_default().to_vec();
            match read_script(call, file)? {
                Ok(mut script) => inner.run_deeper(&script.text()?, call.io),
                Err(problem) => call.fail(&problem, 127),
            }
        }
        None => inner.read_lines(call.io),
    }
}

/// A script, or the message that it cannot be read.
fn read_script(call: &Call<'_, '_>, file: &str) -> Result<Result<Input, String>, Killed> {
    let read = call.state().read_file(&call.path(file));
    match read {
        Ok(bytes) => Input::of(bytes, &call.shell.memory).map(Ok),
        Err(error) => Ok(Err(format!("/system/bin/sh: {file}: {error}"))),
    }
}

pub fn source(call: &mut Call<'_, '_>) -> Done {
    let Some(file) = call.arg(0) else { return call.fail("/system/bin/sh: .: missing argument", 1) };
    match read_script(call, file)? {
        Ok(mut script) => call.shell.run_deeper(&script.text()?, call.io),
        Err(problem) => call.fail(&problem, 1),
    }
}

/// `read NAME …`: the last name takes the rest of the line.
pub fn read(call: &mut Call<'_, '_>) -> Done {
    let names: Vec<String> = call.args.iter().filter(|arg| !arg.starts_with('-')).cloned().collect();
    let line = read_line(call.io.input, LONGEST_LINE)?;
    let text = String::from_utf8_lossy(line.as_deref().unwrap_or_default()).into_owned();
    let mut rest = text.trim_end_matches('\n').trim();
    let names = if names.is_empty() { vec!["REPLY".to_owned()] } else { names };
    for (place, name) in names.iter().enumerate() {
        let (word, behind) = if place + 1 == names.len() {
            (rest, "")
        } else {
            rest.split_once([' ', '\t']).unwrap_or((rest, ""))
        };
        if let Err(problem) = call.shell.assign(name, word.to_owned()) {
            return call.fail(&format!("/system/bin/sh: {problem}"), 1);
        }
        rest = behind.trim_start();
    }
    Ok(u8::from(line.is_none()))
}

fn which_of(call: &Call<'_, '_>, names: &[String]) -> Done {
    let like = call.shell.served.like();
    let mut status = 0;
    for name in names {
        match call.commands.find(name, like) {
            Some(command) if command.inner => call.say(name)?,
            Some(_) => call.say(&format!("/system/bin/{name}"))?,
            None => status = 1,
        }
    }
    Ok(status)
}

pub fn which(call: &mut Call<'_, '_>) -> Done {
    which_of(call, call.args)
}

pub fn kind(call: &mut Call<'_, '_>) -> Done {
    let like = call.shell.served.like();
    let mut status = 0;
    for name in call.args {
        match call.commands.find(name, like) {
            Some(command) if command.inner => call.say(&format!("{name} is a shell builtin"))?,
            Some(_) => call.say(&format!("{name} is a tracked alias for /system/bin/{name}"))?,
            None => {
                call.say(&format!("{name} not found"))?;
                status = 127;
            }
        }
    }
    Ok(status)
}
