//! `grep`.

use regex::{Regex, RegexBuilder};

use super::{Call, Done};
use crate::shell::io::read_line;

/// Limit on the length of a line in bytes; the rest is cut off.
const LONGEST_LINE: usize = 1 << 20;
/// Limit on the size of the compiled expression in bytes.
const LARGEST_PROGRAM: usize = 1 << 20;
/// Limit on the length of the expression in bytes.
const LONGEST: usize = 16 << 10;

/// `grep [-E] [-c] [-i] [-q] [-v] REGEX [FILE…]`. Expressions have the syntax of the `regex` crate, extended or not.
pub fn grep(call: &mut Call<'_, '_>) -> Done {
    let (options, words) = match call.options("Eciqv")? {
        Ok(found) => found,
        Err(_) => return Ok(2),
    };
    let Some((pattern, names)) = words.split_first() else { return call.fail("grep: no REGEX", 2) };
    // An expression takes its program and the engine's cache.
    let _held = call.shell.memory.take(2 * LARGEST_PROGRAM)?;
    let Some(regex) = compiled(pattern, options.contains('i')) else {
        return call.fail(&format!("grep: bad REGEX '{pattern}'"), 2);
    };
    let fits = |line: &str| regex.is_match(line) != options.contains('v');
    let mut count = 0;
    let mut found = |line: &str| {
        count += 1;
        if options.contains(['c', 'q']) {
            return Ok(());
        }
        call.say(line)?;
        call.io.out.flush()
    };
    let mut missing = false;
    for name in names {
        let Some(mut content) = call.input(name)? else {
            missing = true;
            continue;
        };
        content.text()?.lines().filter(|line| fits(line)).try_for_each(&mut found)?;
    }
    // Standard input is searched as its lines arrive, so that a log can be followed.
    while names.is_empty()
        && let Some(line) = read_line(call.io.input, LONGEST_LINE)?
    {
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches('\n');
        if fits(line) {
            found(line)?;
            if options.contains('q') {
                break;
            }
        }
    }
    if options.contains('c') {
        call.say(&count.to_string())?;
    }
    Ok(if missing { 2 } else { u8::from(count == 0) })
}

fn compiled(pattern: &str, any_case: bool) -> Option<Regex> {
    let mut builder = RegexBuilder::new(pattern);
    builder.case_insensitive(any_case).size_limit(LARGEST_PROGRAM).dfa_size_limit(LARGEST_PROGRAM);
    builder.build().ok().filter(|_| pattern.len() <= LONGEST)
}
