//! Commands on the lines and bytes of files: `cat`, `head`, `tail`, `sort` and similar ones.

use base64::Engine as _;
use md5::{Digest, Md5};

use super::{Call, Done};
use crate::shell::io::{Collected, Input, Killed, read_line};

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

/// Parses `-n N`, `-nN` or `-N`, and `-c N`. Returns the count, whether it counts bytes, and the names.
fn counts(args: &[String]) -> (Option<String>, bool, Vec<String>) {
    let (mut count, mut bytes, mut names) = (None, false, Vec::new());
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            Some(letters @ ("n" | "c")) => {
                bytes = letters == "c";
                count = rest.next().cloned();
            }
            Some(letters) => {
                bytes = letters.starts_with('c');
                count = Some(letters.trim_start_matches(['n', 'c']).to_owned());
            }
            None => names.push(arg.clone()),
        }
    }
    (count, bytes, names)
}

pub fn head(call: &mut Call<'_, '_>) -> Done {
    let (count, bytes, names) = counts(call.args);
    let count: usize = count.and_then(|count| count.parse().ok()).unwrap_or(10);
    if names.is_empty() && !bytes {
        // Input after these lines is left for other commands, and the lines are printed as they arrive.
        for _ in 0..count {
            let Some(line) = read_line(call.io.input, 1 << 20)? else { break };
            call.io.out.put(&line)?;
        }
        return Ok(0);
    }
    let all = sources(call, &names)?;
    for (name, content) in &all {
        if all.len() > 1 {
            call.say(&format!("==> {name} <=="))?;
        }
        let end = if bytes { content.len().min(count) } else { end_of_line(content, count) };
        call.io.out.put(content.get(..end).unwrap_or_default())?;
    }
    Ok(u8::from(all.len() < names.len()))
}

/// The offset at which this many lines end.
fn end_of_line(content: &[u8], count: usize) -> usize {
    let mut ends = content.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(place, _)| place + 1);
    if count == 0 { 0 } else { ends.nth(count - 1).unwrap_or(content.len()) }
}

pub fn tail(call: &mut Call<'_, '_>) -> Done {
    let (count, bytes, names) = counts(call.args);
    let count = count.unwrap_or_else(|| "10".to_owned());
    let from_start = count.strip_prefix('+').and_then(|count| count.parse::<usize>().ok());
    let count: usize = count.trim_start_matches('-').parse().unwrap_or(10);
    for (_, content) in sources(call, &names)? {
        let lines = content.split_inclusive(|byte| *byte == b'\n').count();
        let start = match (from_start, bytes) {
            (Some(first), false) => end_of_line(&content, first.saturating_sub(1)),
            (Some(first), true) => first.saturating_sub(1),
            (None, false) => end_of_line(&content, lines.saturating_sub(count)),
            (None, true) => content.len().saturating_sub(count),
        };
        call.io.out.put(content.get(start..).unwrap_or_default())?;
    }
    Ok(0)
}

pub fn wc(call: &mut Call<'_, '_>) -> Done {
    let (options, names) = match call.options("lwcm")? {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    for (name, mut content) in sources(call, names)? {
        let (lines, bytes) = (content.iter().filter(|byte| **byte == b'\n').count(), content.len());
        let text = content.text()?;
        let counts =
            [('l', lines), ('w', text.split_whitespace().count()), ('m', text.chars().count()), ('c', bytes)];
        let wanted =
            |letter: &char| if options.is_empty() { *letter != 'm' } else { options.contains(*letter) };
        let numbers: Vec<String> =
            counts.iter().filter(|(letter, _)| wanted(letter)).map(|(_, count)| count.to_string()).collect();
        let name = if name == "-" { String::new() } else { format!(" {name}") };
        call.say(&format!("{}{name}", numbers.join(" ")))?;
    }
    Ok(0)
}

pub fn sort(call: &mut Call<'_, '_>) -> Done {
    let (options, names) = match call.options("nrufb")? {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    let mut all = sources(call, names)?;
    for (_, content) in &mut all {
        let lines = content.iter().filter(|byte| **byte == b'\n').count() + 1;
        // A stable sort needs room for half of the lines in addition.
        content.hold(lines * size_of::<&str>() * 2)?;
    }
    let texts = all.iter_mut().map(|(_, content)| content.text()).collect::<Result<Vec<_>, _>>()?;
    let mut lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let number = |line: &str| {
        let digits = line.trim_start().split(|c: char| !c.is_ascii_digit() && c != '-').next();
        digits.and_then(|digits| digits.parse::<i64>().ok()).unwrap_or(0)
    };
    if options.contains('n') {
        lines.sort_by(|one, other| number(one).cmp(&number(other)).then_with(|| one.cmp(other)));
    } else {
        lines.sort();
    }
    if options.contains('r') {
        lines.reverse();
    }
    if options.contains('u') {
        lines.dedup();
    }
    let mut out = Collected::new(call.io.out);
    lines.into_iter().try_for_each(|line| out.line(line))?;
    out.finish()?;
    Ok(0)
}

pub fn tee(call: &mut Call<'_, '_>) -> Done {
    let (options, names) = match call.options("ai")? {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    let bytes = Input::read(call.io.input, &call.shell.memory)?;
    call.io.out.put(&bytes)?;
    let mut status = 0;
    for name in names {
        let path = call.path(name);
        let written = match options.contains('a') {
            true => call.state().append_file(&path, &bytes),
            false => call.state().write_file(&path, bytes.to_vec(), None, None),
        };
        if let Err(error) = written {
            status = call.fail(&format!("tee: {name}: {error}"), 1)?;
        }
    }
    Ok(status)
}

/// `tr SET1 SET2` and `tr -d SET1`.
pub fn tr(call: &mut Call<'_, '_>) -> Done {
    let (options, sets) = match call.options("ds")? {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    let set = |place: usize| sets.get(place).map(|text| char_set(text)).unwrap_or_default();
    let (from, to) = (set(0), set(1));
    let mut input = Input::read(call.io.input, &call.shell.memory)?;
    let text = input.text()?;
    let mapped = text.chars().filter_map(|c| match from.iter().position(|known| *known == c) {
        Some(_) if options.contains('d') => None,
        Some(place) => to.get(place).or(to.last()).copied().or(Some(c)),
        None => Some(c),
    });
    let mut out = Collected::new(call.io.out);
    for c in mapped {
        out.put(c.encode_utf8(&mut [0; 4]).as_bytes())?;
    }
    out.finish()?;
    Ok(0)
}

fn char_set(text: &str) -> Vec<char> {
    let text = text.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t").replace("\\0", "\0");
    let chars: Vec<char> = text.chars().collect();
    let mut set = Vec::new();
    let mut at = 0;
    while let Some(c) = chars.get(at) {
        match (chars.get(at + 1), chars.get(at + 2)) {
            (Some('-'), Some(end)) if c <= end && (*end as u32) - (*c as u32) < 256 => {
                set.extend(*c..=*end);
                at += 3;
            }
            _ => {
                set.push(*c);
                at += 1;
            }
        }
    }
    set
}

/// `cut -d X -f LIST` and `cut -c LIST`.
pub fn cut(call: &mut Call<'_, '_>) -> Done {
    let (mut delimiter, mut list, mut chars, mut names) = ("\t".to_owned(), String::new(), false, Vec::new());
    let mut rest = call.args.iter();
    while let Some(arg) = rest.next() {
        let mut letters = arg.strip_prefix('-').unwrap_or_default().chars();
        let Some(letter @ ('d' | 'f' | 'c' | 'b')) = letters.next() else {
            names.push(arg.clone());
            continue;
        };
        let inline = letters.as_str();
        let value =
            if inline.is_empty() { rest.next().cloned().unwrap_or_default() } else { inline.to_owned() };
        if letter == 'd' {
            delimiter = value;
        } else {
            chars = letter != 'f';
            list = value;
        }
    }
    let picked = |place: usize| {
        list.split(',').any(|range| {
            let (from, to) = range.split_once('-').unwrap_or((range, range));
            let from = from.parse().unwrap_or(1);
            let to = if to.is_empty() { usize::MAX } else { to.parse().unwrap_or(0) };
            (from..=to).contains(&(place + 1))
        })
    };
    let mut out = Collected::new(call.io.out);
    for (_, mut content) in sources(call, &names)? {
        for line in content.text()?.lines() {
            if chars {
                for (_, c) in line.chars().enumerate().filter(|(place, _)| picked(*place)) {
                    out.put(c.encode_utf8(&mut [0; 4]).as_bytes())?;
                }
            } else {
                let fields = line.split(delimiter.as_str()).enumerate().filter(|(place, _)| picked(*place));
                for (kept, (_, field)) in fields.enumerate() {
                    let between = if kept == 0 { "" } else { &delimiter };
                    out.put(between.as_bytes())?;
                    out.put(field.as_bytes())?;
                }
            }
            out.put(b"\n")?;
        }
    }
    out.finish()?;
    Ok(0)
}

fn digest_of(bytes: &[u8]) -> String {
    Md5::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
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

pub fn base64(call: &mut Call<'_, '_>) -> Done {
    let decode = call.args.iter().any(|arg| arg == "-d");
    let wrap = match call.args.iter().position(|arg| arg.starts_with("-w")) {
        Some(place) => match call.arg(place) {
            Some("-w") => call.arg(place + 1),
            other => other.and_then(|arg| arg.get(2..)),
        },
        None => None,
    };
    let wrap: usize = wrap.and_then(|count| count.parse().ok()).unwrap_or(76);
    let names: Vec<String> = call
        .args
        .iter()
        .filter(|arg| !arg.starts_with('-') && arg.parse::<u32>().is_err())
        .cloned()
        .collect();
    for (_, mut content) in sources(call, &names)? {
        content.hold(content.len() * 2)?;
        if decode {
            let text: Vec<u8> = content.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
            match base64::engine::general_purpose::STANDARD.decode(text) {
                Ok(bytes) => call.io.out.put(&bytes)?,
                Err(_) => return call.fail("base64: bad input", 1),
            }
            continue;
        }
        let text = base64::engine::general_purpose::STANDARD.encode(&*content);
        let step = if wrap == 0 { text.len().max(1) } else { wrap };
        for line in text.as_bytes().chunks(step) {
            call.say(&String::from_utf8_lossy(line))?;
        }
    }
    Ok(0)
}
