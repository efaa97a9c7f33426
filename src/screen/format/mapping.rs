//! The mapping files of R8 and ProGuard, which tell what shrunk names were in the source.
//!
//! A file may have 100 MB. It is read from the beginning to the end for each report, and only the classes of the report are
//! kept.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};

use crate::CrashReport;

/// Number of lines in which a mapping file names a class.
const BEGINNING: usize = 1000;

/// A class of the source.
#[derive(Default)]
struct Class {
    name: String,
    file: Option<String>,
    methods: Vec<Method>,
}

/// A method of a class, or of another class whose code was moved into it.
struct Method {
    shrunk: String,
    /// Its name in the source, with its class if that is another one.
    name: String,
    /// The first and the last line of the shrunk code.
    lines: Option<(u32, u32)>,
    /// The first and the last line in the source.
    source: Option<(u32, u32)>,
}

/// Whether this seems to be a mapping file.
///
/// # Errors
///
/// If it cannot be read.
pub fn is_mapping(mut mapping: impl BufRead) -> io::Result<bool> {
    let mut line = Vec::new();
    for _ in 0..BEGINNING {
        match next_line(&mut mapping, &mut line)? {
            Some(line) if class_line(line).is_some() => return Ok(true),
            Some(_) => {}
            None => break,
        }
    }
    Ok(false)
}

/// The report with the names of the source, as far as the mapping file has them.
///
/// # Errors
///
/// If the mapping file cannot be read.
pub fn retrace(mapping: impl BufRead, report: &CrashReport) -> io::Result<CrashReport> {
    let in_frames = report.frames().filter_map(|frame| Some(shrunk_method(frame)?.0));
    let thrown = report.causes.iter().map(|cause| &*cause.exception);
    let wanted: BTreeSet<&str> = in_frames.chain(thrown).chain([&*report.exception]).collect();
    let classes = read(mapping, &wanted)?;
    let class = |name: &str| classes.get(name).map_or(name, |class| &class.name).to_owned();
    let stack = |frames: &[String]| frames.iter().flat_map(|frame| original(frame, &classes)).collect();
    Ok(report.changed(str::to_owned, class, stack))
}

/// The classes with these shrunk names.
fn read(mut mapping: impl BufRead, wanted: &BTreeSet<&str>) -> io::Result<BTreeMap<String, Class>> {
    let mut classes = BTreeMap::new();
    let mut current: Option<&mut Class> = None;
    let mut bytes = Vec::new();
    while let Some(line) = next_line(&mut mapping, &mut bytes)? {
        if let Some((name, shrunk)) = class_line(line) {
            let named = || Class { name: name.to_owned(), ..Class::default() };
            let is_wanted = wanted.contains(shrunk);
            current = is_wanted.then(|| classes.entry(shrunk.to_owned()).or_insert_with(named));
        } else if let Some(class) = &mut current {
            if let Some(note) = line.trim_start().strip_prefix('#') {
                let file = note.split_once("\"fileName\":\"").and_then(|(_, rest)| rest.split_once('"'));
                class.file = class.file.take().or(file.map(|(name, _)| name.to_owned()));
            } else {
                class.methods.extend(method_line(line));
            }
        }
    }
    Ok(classes)
}

fn next_line<'b>(from: &mut impl BufRead, bytes: &'b mut Vec<u8>) -> io::Result<Option<&'b str>> {
    bytes.clear();
    let length = from.read_until(b'\n', bytes)?;
    // Names that are no UTF-8 belong to no class that a log names.
    Ok((length > 0).then(|| std::str::from_utf8(bytes).unwrap_or_default().trim_end()))
}

/// Parses `com.shop.Cart -> a.b.c:`.
fn class_line(line: &str) -> Option<(&str, &str)> {
    let (name, shrunk) = line.strip_suffix(':')?.split_once(" -> ")?;
    (!line.starts_with([' ', '#'])).then_some((name, shrunk))
}

/// Parses `4:6:int com.shop.Price.sum(int,int):20:22 -> a`, where all numbers and the class may be missing.
fn method_line(line: &str) -> Option<Method> {
    let (mut method, shrunk) = line.trim().split_once(" -> ")?;
    let mut numbers = [None; 2];
    for number in &mut numbers {
        if let Some((first, rest)) = method.split_once(':')
            && let Ok(parsed) = first.parse::<u32>()
        {
            (*number, method) = (Some(parsed), rest);
        }
    }
    let (name, rest) = method.split_once('(')?;
    let mut source = rest.rsplit(')').next()?.split(':').skip(1).map_while(|number| number.parse().ok());
    let first = source.next();
    Some(Method {
        shrunk: shrunk.to_owned(),
        name: name.rsplit(' ').next()?.to_owned(),
        lines: numbers[0].zip(numbers[1]),
        source: first.map(|first| (first, source.next().unwrap_or(first))),
    })
}

/// The class, the method and the line of a frame such as `a.b.c.d(SourceFile:12)`.
fn shrunk_method(frame: &str) -> Option<(&str, &str, Option<u32>)> {
    let (path, place) = frame.strip_suffix(')')?.split_once('(')?;
    let (class, method) = path.rsplit_once('.')?;
    Some((class, method, place.rsplit_once(':').and_then(|(_, line)| line.parse().ok())))
}

/// The frames of the source behind a frame: several where methods were moved into their caller.
fn original(frame: &str, classes: &BTreeMap<String, Class>) -> Vec<String> {
    let shrunk = shrunk_method(frame);
    let found = shrunk.and_then(|(class, method, line)| Some((classes.get(class)?, method, line)));
    let Some((class, method, line)) = found else { return vec![frame.to_owned()] };
    let named: Vec<&Method> = class.methods.iter().filter(|known| known.shrunk == method).collect();
    let holds = |known: &Method| {
        known.lines.zip(line).is_some_and(|((first, last), line)| (first..=last).contains(&line))
    };
    let at_line = named.iter().find(|known| holds(known)).map(|known| known.lines);
    let frames: Vec<String> = match at_line {
        Some(lines) => {
            named.iter().filter(|known| known.lines == lines).map(|it| it.frame(class, line)).collect()
        }
        None => named.first().map(|known| known.frame(class, None)).into_iter().collect(),
    };
    match frames.is_empty() {
        true => vec![Method::unknown(method).frame(class, line)],
        false => frames,
    }
}

impl Method {
    fn unknown(name: &str) -> Method {
        Method { shrunk: name.to_owned(), name: name.to_owned(), lines: None, source: None }
    }

    /// The frame of the source for this line of the shrunk code.
    fn frame(&self, class: &Class, line: Option<u32>) -> String {
        let (owner, name) = self.name.rsplit_once('.').unwrap_or((&class.name, &self.name));
        let outer = owner.rsplit('.').next().and_then(|simple| simple.split('$').next()).unwrap_or(owner);
        let file =
            class.file.clone().filter(|_| owner == class.name).unwrap_or_else(|| format!("{outer}.java"));
        let line = match (line, self.lines, self.source) {
            (Some(line), Some((first, last)), Some((from, to)))
                if to.checked_sub(from) == last.checked_sub(first) =>
            {
                Some(from + line.saturating_sub(first))
            }
            (_, _, Some((from, _))) => Some(from),
            (line, ..) => line,
        };
        let line = line.map_or(String::new(), |line| format!(":{line}"));
        format!("{owner}.{name}({file}{line})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPPING: &str = "# compiler: R8\n\
        com.shop.Other -> a.a:\n    1:9:void x() -> a\n\
        com.shop.Cart$Row -> a.b:\n\
        # {\"id\":\"sourceFile\",\"fileName\":\"Cart.kt\"}\n\
        \x20   int total -> a\n\
        \x20   1:3:void draw(int):20:22 -> a\n\
        \x20   4:4:int com.shop.Price.sum(int,int):7:7 -> a\n\
        \x20   4:4:void draw():31 -> a\n\
        \x20   void close() -> b\n\
        com.shop.EmptyCart -> a.c:\n";

    fn report(exception: &str, frames: &[&str]) -> CrashReport {
        CrashReport {
            package: "com.shop".to_owned(),
            exception: exception.to_owned(),
            message: String::new(),
            stack: frames.iter().map(|frame| (*frame).to_owned()).collect(),
            log: String::new(),
            causes: Vec::new(),
        }
    }

    #[test]
    fn names_and_lines_are_those_of_the_source() {
        let frames = [
            "a.b.a(SourceFile:2)",
            "a.b.a(SourceFile:4)",
            "a.b.b(Unknown Source:9)",
            "a.b.q(SourceFile)",
            "a.z.a(X:1)",
        ];
        let found = retrace(MAPPING.as_bytes(), &report("a.c", &frames)).unwrap();
        assert_eq!(found.exception, "com.shop.EmptyCart");
        assert_eq!(
            found.stack,
            [
                "com.shop.Cart$Row.draw(Cart.kt:21)",
                "com.shop.Price.sum(Price.java:7)",
                "com.shop.Cart$Row.draw(Cart.kt:31)",
                "com.shop.Cart$Row.close(Cart.kt)",
                "com.shop.Cart$Row.q(Cart.kt)",
                "a.z.a(X:1)",
            ]
        );
    }

    #[test]
    fn two_builds_with_other_names_are_one_crash_by_their_mappings() {
        let next = MAPPING.replace("-> a.b:", "-> x.y:").replace("-> a\n", "-> k\n");
        let [old, new] =
            [("a.b.a(SourceFile:2)", MAPPING), ("x.y.k(SourceFile:2)", &next)].map(|(frame, mapping)| {
                retrace(mapping.as_bytes(), &report("java.lang.Error", &[frame])).unwrap()
            });
        assert_eq!(old.key(), "java.lang.Error at com.shop.Cart$Row.draw");
        assert_eq!(old.key(), new.key());
    }

    #[test]
    fn only_a_mapping_file_is_one() {
        assert!(is_mapping(MAPPING.as_bytes()).unwrap());
        assert!(!is_mapping(&b"<html>\n"[..]).unwrap() && !is_mapping(&b""[..]).unwrap());
    }
}
