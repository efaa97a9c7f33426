//! `grep`.

use super::{Call, Done};
use crate::shell::io::{Killed, read_line};
use crate::shell::regex::{Flavor, Regex};

/// Longer lines are cut, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// What `grep` was asked for.
#[derive(Default)]
struct Asked {
    letters: String,
    patterns: Vec<String>,
    most: Option<usize>,
    names: Vec<String>,
}

fn grep_options(call: &Call<'_, '_>) -> Result<Asked, String> {
    let mut asked = Asked::default();
    let mut rest = call.args.iter();
    while let Some(arg) = rest.next() {
        let mut next = |inline: &str| match inline {
            "" => rest.next().cloned().ok_or_else(|| "grep: missing argument".to_owned()),
            value => Ok(value.to_owned()),
        };
        match arg.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            Some("-") => {}
            Some(long) if long.starts_with('-') => {
                asked.letters.push_str(match long {
                    "-ignore-case" => "i",
                    "-invert-match" => "v",
                    "-count" => "c",
                    "-quiet" => "q",
                    "-line-buffered" | "-color" | "-color=never" => "",
                    _ => return Err(format!("grep: Unknown option '{long}' (see \"grep --help\")")),
                });
            }
            Some(letters) => match letters.find(['e', 'm', 'A', 'B', 'C']) {
                Some(place) => {
                    let (before, option) = letters.split_at(place);
                    asked.letters.push_str(before);
                    let value = next(option.get(1..).unwrap_or_default())?;
                    match option.chars().next() {
                        Some('e') => asked.patterns.push(value),
                        Some('m') => asked.most = value.parse().ok(),
                        _ => {}
                    }
                }
                None => asked.letters.push_str(letters),
            },
            None if asked.patterns.is_empty() => asked.patterns.push(arg.clone()),
            None => asked.names.push(arg.clone()),
        }
    }
    if asked.patterns.is_empty() {
        return Err("grep: no REGEX".to_owned());
    }
    Ok(asked)
}

pub fn grep(call: &mut Call<'_, '_>) -> Done {
    let asked = match grep_options(call) {
        Ok(asked) => asked,
        Err(problem) => return call.fail(&problem, 2),
    };
    let has = |letter: char| asked.letters.contains(letter);
    let flavor = match call.name {
        "egrep" => Flavor::Extended,
        "fgrep" => Flavor::Fixed,
        _ if has('F') => Flavor::Fixed,
        _ if has('E') => Flavor::Extended,
        _ => Flavor::Basic,
    };
    let mut patterns = Vec::new();
    for pattern in asked.patterns.iter().flat_map(|pattern| pattern.split('\n')) {
        match Regex::new(pattern, flavor, has('i')) {
            Some(regex) => patterns.push(regex),
            None => return call.fail(&format!("grep: bad REGEX '{pattern}'"), 2),
        }
    }
    let mut search = Search {
        call,
        patterns: &patterns,
        asked: &asked,
        named: asked.names.len() > 1 && !has('h'),
        found: false,
    };
    if asked.names.is_empty() {
        search.input()?;
    }
    let mut missing = false;
    for name in &asked.names {
        match search.call.input(name)? {
            Some(mut content) => search.file(name, &content.text()?)?,
            None => missing = true,
        }
    }
    let found = search.found;
    Ok(if missing { 2 } else { u8::from(!found) })
}

struct Search<'a, 'c, 's> {
    call: &'a Call<'c, 's>,
    patterns: &'a [Regex],
    asked: &'a Asked,
    named: bool,
    found: bool,
}

impl Search<'_, '_, '_> {
    fn has(&self, letter: char) -> bool {
        self.asked.letters.contains(letter)
    }

    fn fits(&self, line: &str) -> bool {
        let whole = |regex: &Regex| regex.finds(line);
        self.patterns.iter().any(whole) != self.has('v')
    }

    fn tell(&mut self, name: &str, number: usize, line: &str) -> Result<(), Killed> {
        self.found = true;
        if self.has('q') || self.has('c') || self.has('l') {
            return Ok(());
        }
        let name = if self.named { format!("{name}:") } else { String::new() };
        let number = if self.has('n') { format!("{number}:") } else { String::new() };
        self.call.say(&format!("{name}{number}{line}"))?;
        self.call.io.out.flush()
    }

    /// Line by line as they come, so that a log can be followed.
    fn input(&mut self) -> Result<(), Killed> {
        let (mut number, mut count) = (0, 0);
        while let Some(line) = read_line(self.call.io.input, LONGEST_LINE)? {
            number += 1;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches('\n');
            if self.fits(line) {
                count += 1;
                self.tell("(standard input)", number, line)?;
            }
            if self.has('q') && count > 0 || self.asked.most.is_some_and(|most| count >= most) {
                break;
            }
        }
        if self.has('c') { self.call.say(&count.to_string()) } else { Ok(()) }
    }

    fn file(&mut self, name: &str, text: &str) -> Result<(), Killed> {
        let mut count = 0;
        for (place, line) in text.lines().enumerate() {
            if self.asked.most.is_some_and(|most| count >= most) {
                break;
            }
            if self.fits(line) {
                count += 1;
                self.tell(name, place + 1, line)?;
            }
        }
        if self.has('l') && count > 0 {
            self.call.say(name)?;
        }
        let prefix = if self.named { format!("{name}:") } else { String::new() };
        if self.has('c') { self.call.say(&format!("{prefix}{count}")) } else { Ok(()) }
    }
}
