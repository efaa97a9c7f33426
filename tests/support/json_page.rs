//! `src/book/json.md` as a schema: what a command prints with `--json` has the keys and types that the page lists.

use serde_json::{Map, Value};

const PAGE: &str = include_str!("../../src/book/json.md");

/// A key of the page.
struct Key {
    name: String,
    kind: String,
    below: Vec<Key>,
}

/// What is wrong with what a command printed.
pub fn problems(words: &[&str], printed: &Value) -> Vec<String> {
    let command = words.join(" ");
    let Some(keys) = listed(words) else { return vec![format!("{command}: not on the page")] };
    let mut found = Vec::new();
    compare(printed, &Key { name: command, kind: "object".to_owned(), below: keys }, "", &mut found);
    found
}

/// The parts of the page that are about commands: each command with its options, and what is below it.
fn parts() -> impl Iterator<Item = (Vec<&'static str>, &'static str)> {
    PAGE.split("\n## ").filter_map(|part| {
        let (heading, below) = part.split_once('\n')?;
        let heading = heading.strip_prefix("`taproof")?.strip_suffix('`')?;
        Some((heading.strip_prefix("-lab").unwrap_or(heading).split_whitespace().collect(), below))
    })
}

/// The keys under the heading that says most of these words: all its words begin them, and they have all its options.
fn listed(words: &[&str]) -> Option<Vec<Key>> {
    let is_option = |word: &&str| word.starts_with("--");
    let fits = |(heading, _): &(Vec<&str>, &str)| {
        let named = heading.iter().take_while(|word| !is_option(word)).count();
        words.len() >= named
            && heading[..named] == words[..named]
            && heading[named..].iter().all(|option| words.contains(option))
    };
    let (_, below) = parts().filter(fits).max_by_key(|(heading, _)| heading.len())?;
    let block = below.split("```text\n").nth(1)?.split("```").next()?;
    let lines: Vec<&str> = block.lines().collect();
    Some(parsed(&lines, 0))
}

/// The keys of lines that are indented this far, with what is indented further below each.
fn parsed(lines: &[&str], indent: usize) -> Vec<Key> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let starts: Vec<usize> = (0..lines.len()).filter(|at| depth(lines[*at]) == indent).collect();
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let key = |(start, end): (&usize, usize)| {
        let (name, kind) = lines[*start].trim().split_once(": ").unwrap();
        let below = parsed(&lines[start + 1..end], indent + 2);
        Key { name: name.to_owned(), kind: kind.to_owned(), below }
    };
    starts.iter().zip(ends).map(key).collect()
}

fn compare(value: &Value, key: &Key, path: &str, found: &mut Vec<String>) {
    let path = format!("{path}{}", key.name);
    compare_kind(value, (&key.kind, &key.below), &path, found);
}

fn compare_kind(value: &Value, (kind, below): (&str, &[Key]), path: &str, found: &mut Vec<String>) {
    let kind = kind.strip_prefix('(').and_then(|kind| kind.strip_suffix(')')).unwrap_or(kind);
    let each = |of: &str, values: Vec<&Value>, found: &mut Vec<String>| {
        values.into_iter().for_each(|value| compare_kind(value, (of, below), &format!("{path}[]"), found));
    };
    match (kind, value) {
        (kind, Value::Null) if kind.ends_with(" or null") => {}
        ("any", _) | ("text", Value::String(_)) | ("number", Value::Number(_)) | ("bool", Value::Bool(_)) => {
        }
        ("object", Value::Object(object)) => compare_keys(object, below, path, found),
        ("list", Value::Array(values)) => each("object", values.iter().collect(), found),
        ("map", Value::Object(values)) => each("object", values.values().collect(), found),
        (kind, value) => {
            let inner = kind.strip_suffix(" or null").unwrap_or(kind);
            match (inner.strip_prefix("list of "), inner.strip_prefix("map of "), value) {
                (Some(of), _, Value::Array(values)) => each(of, values.iter().collect(), found),
                (_, Some(of), Value::Object(values)) => each(of, values.values().collect(), found),
                _ if inner != kind => compare_kind(value, (inner, below), path, found),
                _ => found.push(format!("{path} should be {kind}, and is {value}")),
            }
        }
    }
}

fn compare_keys(object: &Map<String, Value>, keys: &[Key], path: &str, found: &mut Vec<String>) {
    for key in keys {
        match object.get(&key.name) {
            Some(value) => compare(value, key, &format!("{path} > "), found),
            None => found.push(format!("{path} has no {:?}", key.name)),
        }
    }
    let unlisted = object.keys().filter(|name| !keys.iter().any(|key| key.name == **name));
    found.extend(unlisted.map(|name| format!("{path} has {name:?}, which the page does not list")));
}
