//! The builtins of the shell.

use crate::Cost;
use crate::shell::commands::{Call, Done};
use crate::shell::{io::read_line, table};

const LONGEST_LINE: usize = 1 << 20;

pub fn nothing(_call: &mut Call<'_, '_>) -> Done {
    Ok(0)
}

pub fn fails(_call: &mut Call<'_, '_>) -> Done {
    Ok(1)
}

pub fn pwd(call: &mut Call<'_, '_>) -> Done {
    call.say("/")?;
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

pub fn leave_loop(call: &mut Call<'_, '_>) -> Done {
    call.shell.leave = call.arg(0).and_then(|count| count.parse().ok()).unwrap_or(1);
    Ok(0)
}

pub fn export(call: &mut Call<'_, '_>) -> Done {
    for arg in call.args {
        if let Some((name, value)) = arg.split_once('=') {
            call.shell.assign(name, value)?;
        }
    }
    Ok(0)
}

/// `exec cmd` runs the command and then ends the shell.
pub fn exec(call: &mut Call<'_, '_>) -> Done {
    let Some((name, args)) = call.args.split_first() else { return Ok(0) };
    let status = call.other(name, args)?;
    call.shell.exit = Some(status);
    Ok(status)
}

/// `sh -c TEXT`, or `sh` to run its standard input.
pub fn sh(call: &mut Call<'_, '_>) -> Done {
    let mut inner = call.shell.subshell();
    match call.args {
        [option, text, ..] if option == "-c" => inner.run_deeper(text, call.io),
        _ => call.fail("/system/bin/sh: this device runs no scripts", 127),
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
        call.shell.assign(name, word)?;
        rest = behind.trim_start();
    }
    Ok(u8::from(line.is_none()))
}

pub fn which(call: &mut Call<'_, '_>) -> Done {
    let like = call.shell.served.like();
    let mut status = 0;
    for name in call.args {
        match table::find(name, like) {
            Some(command) if command.cost == Cost::Shell => call.say(name)?,
            Some(_) => call.say(&format!("/system/bin/{name}"))?,
            None => status = 1,
        }
    }
    Ok(status)
}
