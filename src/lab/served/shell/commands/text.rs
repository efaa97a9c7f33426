//! Commands on the bytes of files: `cat`, `md5sum`, and `md5` of old devices.

use super::{Call, Done};
use crate::shell::io::{Input, Killed};

pub fn cat(call: &mut Call<'_, '_>) -> Done {
    let args: Vec<&str> = call.args.iter().map(String::as_str).filter(|arg| *arg != "-u").collect();
    let mut status = 0;
    for path in if args.is_empty() { vec!["-"] } else { args } {
        if path == "-" {
            let mut buffer = [0; 16 << 10];
            loop {
                let count = call.io.input.take(&mut buffer)?;
                if count == 0 {
                    break;
                }
                call.io.out.put(buffer.get(..count).unwrap_or_default())?;
                call.io.out.flush()?;
            }
            continue;
        }
        match call.input(path)? {
            Some(bytes) => call.io.out.put(&bytes)?,
            None => status = 1,
        }
    }
    Ok(status)
}

/// The content of the named files, or standard input if there are none. Unreadable files are left out.
fn sources(call: &Call<'_, '_>, names: &[String]) -> Result<Vec<(String, Input)>, Killed> {
    let input = ["-".to_owned()];
    let names = if names.is_empty() { &input } else { names };
    let mut all = Vec::new();
    for name in names {
        if let Some(bytes) = call.input(name)? {
            all.push((name.clone(), bytes));
        }
    }
    Ok(all)
}

fn digest_of(bytes: &[u8]) -> String {
    format!("{:x}", md5::compute(bytes))
}

/// `md5` of old devices, which only reads files.
pub fn md5(call: &mut Call<'_, '_>) -> Done {
    if call.args.is_empty() {
        return call.fail("md5 file ...", 255);
    }
    let mut status = 0;
    for name in call.args {
        let read = call.state().read_file(&call.path(name));
        match read {
            Ok(bytes) => call.say(&format!("{}  {name}", digest_of(&bytes)))?,
            Err(error) => {
                call.complain(&format!("could not open {name}, {error}"))?;
                status = 1;
            }
        }
    }
    Ok(status)
}

/// `md5sum`: a checksum and a name for each file.
pub fn md5sum(call: &mut Call<'_, '_>) -> Done {
    let (options, names) = match call.options("b")? {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    let all = sources(call, names)?;
    for (name, content) in &all {
        let sum = digest_of(content);
        let line = if options.contains('b') { sum } else { format!("{sum}  {name}") };
        call.say(&line)?;
    }
    Ok(u8::from(all.len() < names.len()))
}
