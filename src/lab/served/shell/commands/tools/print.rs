//! `echo` and `print`.

use crate::shell::commands::{Call, Done};

/// `print -r -- TEXT`, the builtin without escapes.
pub fn print(call: &mut Call<'_, '_>) -> Done {
    match call.args {
        [raw, end, words @ ..] if raw == "-r" && end == "--" => call.say(&words.join(" ")).map(|()| 0),
        _ => call.fail("/system/bin/sh: print: usage: print -r -- TEXT", 1),
    }
}

/// The builtin `echo` of mksh, which interprets escapes.
pub fn echo(call: &mut Call<'_, '_>) -> Done {
    let bare = call.arg(0) == Some("-n");
    let text = call.args_from(usize::from(bare)).join(" ");
    let mut out = String::with_capacity(text.len() + 1);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (c, c == '\\') {
            (c, false) => out.push(c),
            (_, true) => match rest.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('\\') | None => out.push('\\'),
                Some(other) => out.extend(['\\', other]),
            },
        }
    }
    if !bare {
        out.push('\n');
    }
    call.print(&out).map(|()| 0)
}
