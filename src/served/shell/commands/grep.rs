//! `grep`.

use regex::Regex;

use super::{Call, Done};
use crate::shell::io::{Killed, read_line};
use crate::shell::posix_regex::{REGEX_BYTES, Syntax, compile};

/// Limit on the length of a line in bytes; the rest is cut off.
const LONGEST_LINE: usize = 1 << 20;

/// The command line of `grep`.
#[derive(Default)]
struct Options {
    /// The letters of short options without values; long options are translated to them.
    letters: String,
    patterns: Vec<String>,
    /// Reading ends after this many matching lines; `None` for no limit.
    most: Option<usize>,
    /// The files; standard input is read if there are none.
    names: Vec<String>,
}

fn grep_options(call: &Call<'_, '_>) -> Result<Options, String> {
    let mut options = Options::default();
    let mut rest = call.args.iter();
    while let Some(arg) = rest.next() {
        let mut next = |inline: &str| match inline {
            "" => rest.next().cloned().ok_or_else(|| "grep: missing argument".to_owned()),
            value => Ok(value.to_owned()),
        };
        match arg.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            Some("-") => {}
            Some(long) if long.starts_with('-') => {
                options.letters.push_str(match long {
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
                    options.letters.push_str(before);
                    let value = next(option.get(1..).unwrap_or_default())?;
                    match option.chars().next() {
                        Some('e') => options.patterns.push(value),
                        Some('m') => options.most = value.parse().ok(),
                        _ => {}
                    }
                }
                None => options.letters.push_str(letters),
            },
            None if options.patterns.is_empty() => options.patterns.push(arg.clone()),
            None => options.names.push(arg.clone()),
        }
    }
    if options.patterns.is_empty() {
        return Err("grep: no REGEX".to_owned());
    }
    Ok(options)
}

pub fn grep(call: &mut Call<'_, '_>) -> Done {
    let options = match grep_options(call) {
        Ok(options) => options,
        Err(problem) => return call.fail(&problem, 2),
    };
    let has = |letter: char| options.letters.contains(letter);
    let syntax = match (has('F'), has('E')) {
        (true, _) => Syntax::Fixed,
        (false, true) => Syntax::Extended,
        (false, false) => Syntax::Basic,
    };
    let _held = call.shell.memory.take(REGEX_BYTES)?;
    let patterns: Vec<&str> = options.patterns.iter().flat_map(|pattern| pattern.split('\n')).collect();
    let regex = match compile(&patterns, syntax, has('i')) {
        Ok(regex) => regex,
        Err(bad) => return call.fail(&format!("grep: bad REGEX '{bad}'"), 2),
    };
    let mut search = Search {
        call,
        regex: &regex,
        options: &options,
        named: options.names.len() > 1 && !has('h'),
        found: false,
    };
    if options.names.is_empty() {
        search.input()?;
    }
    let mut missing = false;
    for name in &options.names {
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
    regex: &'a Regex,
    options: &'a Options,
    /// Whether each line is prefixed with its file's name.
    named: bool,
    found: bool,
}

impl Search<'_, '_, '_> {
    fn has(&self, letter: char) -> bool {
        self.options.letters.contains(letter)
    }

    fn fits(&self, line: &str) -> bool {
        self.regex.is_match(line) != self.has('v')
    }

    fn print_match(&mut self, name: &str, number: usize, line: &str) -> Result<(), Killed> {
        self.found = true;
        if self.has('q') || self.has('c') || self.has('l') {
            return Ok(());
        }
        let name = if self.named { format!("{name}:") } else { String::new() };
        let number = if self.has('n') { format!("{number}:") } else { String::new() };
        self.call.say(&format!("{name}{number}{line}"))?;
        self.call.io.out.flush()
    }

    /// Searches standard input line by line as the lines arrive, so that a log can be followed.
    fn input(&mut self) -> Result<(), Killed> {
        let (mut number, mut count) = (0, 0);
        while let Some(line) = read_line(self.call.io.input, LONGEST_LINE)? {
            number += 1;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches('\n');
            if self.fits(line) {
                count += 1;
                self.print_match("(standard input)", number, line)?;
            }
            if self.has('q') && count > 0 || self.options.most.is_some_and(|most| count >= most) {
                break;
            }
        }
        if self.has('c') { self.call.say(&count.to_string()) } else { Ok(()) }
    }

    fn file(&mut self, name: &str, text: &str) -> Result<(), Killed> {
        let mut count = 0;
        for (place, line) in text.lines().enumerate() {
            if self.options.most.is_some_and(|most| count >= most) {
                break;
            }
            if self.fits(line) {
                count += 1;
                self.print_match(name, place + 1, line)?;
            }
        }
        if self.has('l') && count > 0 {
            self.call.say(name)?;
        }
        let prefix = if self.named { format!("{name}:") } else { String::new() };
        if self.has('c') { self.call.say(&format!("{prefix}{count}")) } else { Ok(()) }
    }
}
