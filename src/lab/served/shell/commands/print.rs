//! `echo`, `print` and `printf`.

use super::{Call, Done};

/// `print -r -- TEXT…` of mksh, which interprets no escapes.
pub fn print(call: &mut Call<'_, '_>) -> Done {
    match call.args {
        [raw, end, words @ ..] if raw == "-r" && end == "--" => call.say(&words.join(" ")).map(|()| 0),
        _ => call.fail("/system/bin/sh: print: usage: print -r -- TEXT", 1),
    }
}

pub fn echo(call: &mut Call<'_, '_>) -> Done {
    let is_option = |arg: &&String| {
        arg.strip_prefix('-').is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| "neE".contains(c)))
    };
    let options: Vec<&String> = call.args.iter().take_while(is_option).collect();
    let last_of = |letter: char| options.iter().any(|option| option.contains(letter));
    let text = call.args_from(options.len()).join(" ");
    // The builtin `echo` of mksh interprets escapes by default.
    let (text, stopped) = if last_of('E') { (text, false) } else { unescape(&text, true) };
    let end = if last_of('n') || stopped { "" } else { "\n" };
    call.print(&format!("{text}{end}"))?;
    Ok(0)
}

/// Interprets the escapes of `echo -e`. Also returns whether `\c` ends all output.
fn unescape(text: &str, zero_octal: bool) -> (String, bool) {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('a') => out.push('\x07'),
            Some('b') => out.push('\x08'),
            Some('e' | 'E') => out.push('\x1b'),
            Some('f') => out.push('\x0c'),
            Some('v') => out.push('\x0b'),
            Some('c') => return (out, true),
            Some('\\') => out.push('\\'),
            Some(first @ '0'..='7') if first == '0' || !zero_octal => {
                let mut value = first.to_digit(8).unwrap_or(0);
                let most = if first == '0' { 3 } else { 2 };
                for _ in 0..most {
                    let Some(digit) = rest.peek().and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + digit;
                    rest.next();
                }
                out.extend(char::from_u32(value & 0xff));
            }
            Some('x') => {
                let mut value = 0;
                for _ in 0..2 {
                    let Some(digit) = rest.peek().and_then(|c| c.to_digit(16)) else { break };
                    value = value * 16 + digit;
                    rest.next();
                }
                out.extend(char::from_u32(value));
            }
            Some(c) => out.extend(['\\', c]),
            None => out.push('\\'),
        }
    }
    (out, false)
}

/// `printf FORMAT ARG…` with `%s`, `%d` and `%%`; the format is used again as long as arguments are left.
pub fn printf(call: &mut Call<'_, '_>) -> Done {
    let Some(format) = call.arg(0) else {
        return call.fail("printf: Need 1 argument", 1);
    };
    let (format, _) = unescape(format, false);
    let mut args = call.args_from(1).iter();
    loop {
        let before = args.len();
        let mut rest = format.as_str();
        while let Some((text, behind)) = rest.split_once('%') {
            call.print(text)?;
            let mut next = || args.next().map(String::as_str).unwrap_or_default();
            match behind.chars().next() {
                Some('%') => call.print("%")?,
                Some('s') => call.print(next())?,
                Some('d') => call.print(&next().trim().parse::<i64>().unwrap_or(0).to_string())?,
                _ => return call.fail(&format!("printf: bad %{behind}@"), 1),
            }
            rest = behind.get(1..).unwrap_or_default();
        }
        call.print(rest)?;
        if args.len() == 0 || args.len() == before {
            return Ok(0);
        }
    }
}
