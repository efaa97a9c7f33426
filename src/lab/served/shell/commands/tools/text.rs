//! Commands on the bytes of files: `cat`, `md5sum`, `md5` of old devices, and `grep`.

use regex::RegexBuilder;

use crate::shell::commands::{Call, Done};
use crate::shell::io::Stop;

/// Limit on the memory for a compiled expression of `grep`, in bytes.
const LARGEST_EXPRESSION: usize = 1 << 20;
/// Limit on the length of an expression in bytes.
const LONGEST_EXPRESSION: usize = 16 << 10;

/// The named files; standard input, called `-`, if there are none.
fn or_input(names: &[String]) -> Vec<&str> {
    if names.is_empty() { vec!["-"] } else { names.iter().map(String::as_str).collect() }
}

pub fn cat(call: &mut Call<'_, '_>) -> Done {
    let mut status = 0;
    for name in or_input(call.args) {
        match call.input(name)? {
            Some(bytes) => call.io.out.put(&bytes)?,
            None => status = 1,
        }
    }
    Ok(status)
}

fn digest_of(bytes: &[u8]) -> String {
    format!("{:x}", md5::compute(bytes))
}

/// `md5` of old devices, which only reads files.
pub fn md5(call: &mut Call<'_, '_>) -> Done {
    let mut status = if call.args.is_empty() { call.fail("md5 file ...", 255)? } else { 0 };
    for name in call.args {
        let read = call.state().read_file(&call.path(name));
        match read {
            Ok(bytes) => call.say(&format!("{}  {name}", digest_of(&bytes)))?,
            Err(error) => status = call.fail(&format!("could not open {name}, {error}"), 1)?,
        }
    }
    Ok(status)
}

/// `md5sum`: a checksum and a name for each file.
pub fn md5sum(call: &mut Call<'_, '_>) -> Done {
    let (_, names) = call.options("")?;
    let mut status = 0;
    for name in or_input(names) {
        match call.input(name)? {
            Some(bytes) => call.say(&format!("{}  {name}", digest_of(&bytes)))?,
            None => status = 1,
        }
    }
    Ok(status)
}

/// `grep [-E] [-q] EXPRESSION [FILE ...]`.
pub fn grep(call: &mut Call<'_, '_>) -> Done {
    let (options, words) = match call.options("Eq") {
        Err(Stop::Exit(_)) => return Ok(2),
        found => found?,
    };
    let Some((pattern, names)) = words.split_first() else { return call.fail("grep: no REGEX", 2) };
    let mut builder = RegexBuilder::new(pattern);
    builder.size_limit(LARGEST_EXPRESSION).dfa_size_limit(LARGEST_EXPRESSION);
    let Some(regex) = builder.build().ok().filter(|_| pattern.len() <= LONGEST_EXPRESSION) else {
        return call.fail(&format!("grep: bad REGEX '{pattern}'"), 2);
    };
    let mut status = 1;
    for name in or_input(names) {
        let Some(content) = call.input(name)? else { return Ok(2) };
        for line in String::from_utf8_lossy(&content).lines().filter(|line| regex.is_match(line)) {
            if !options.contains('q') {
                call.say(line)?;
            }
            status = 0;
        }
    }
    Ok(status)
}
