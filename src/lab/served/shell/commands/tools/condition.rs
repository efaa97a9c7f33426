//! `test` and `[`.

use crate::shell::commands::{Call, Done};

pub fn test(call: &mut Call<'_, '_>) -> Done {
    let mut words: Vec<&str> = call.args.iter().map(String::as_str).collect();
    if call.name == "[" && words.pop() != Some("]") {
        return call.fail("/system/bin/sh: [: missing ]", 2);
    }
    let (negated, words) = match words.as_slice() {
        ["!", rest @ ..] if !rest.is_empty() => (true, rest),
        all => (false, all),
    };
    match holds(call, words) {
        Ok(holds) => Ok(u8::from(holds == negated)),
        Err(problem) => call.fail(&format!("/system/bin/sh: {}: {problem}", call.name), 2),
    }
}

fn holds(call: &Call<'_, '_>, words: &[&str]) -> Result<bool, String> {
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| format!("{text}: bad number"));
    Ok(match words {
        [] => false,
        [text] => !text.is_empty(),
        ["-n", text] => !text.is_empty(),
        ["-z", text] => text.is_empty(),
        [what @ ("-e" | "-f" | "-d"), path] => {
            let stat = call.state().stat_file(&call.path(path));
            stat.is_ok_and(|stat| *what == "-e" || stat.is_folder() == (*what == "-d"))
        }
        [left, "=", right] => left == right,
        [left, "!=", right] => left != right,
        [left, "-eq", right] => number(left)? == number(right)?,
        [left, "-lt", right] => number(left)? < number(right)?,
        [left, "-gt", right] => number(left)? > number(right)?,
        [_, word, ..] => return Err(format!("{word}: unexpected operator/operand")),
    })
}
