//! Finds the byte ranges of values in a JSON text, and writes the canonical form of PBFDroid's files.
//!
//! The parser is `serde_json`. The functions here only find ranges in a text that it has accepted, so they need not
//! check it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

use serde_json::Value;

/// A member of an object: its key, and the byte range of its value.
pub(super) struct Member {
    pub(super) key: String,
    pub(super) value: Range<usize>,
}

/// Returns the members of the object at `range`, in order and including duplicates; empty if it is not an object.
pub(super) fn members(text: &str, range: Range<usize>) -> Vec<Member> {
    let mut members = Vec::new();
    let bytes = text.as_bytes();
    if bytes.get(range.start) != Some(&b'{') {
        return members;
    }
    let mut at = skip_blanks(bytes, range.start + 1);
    while bytes.get(at) == Some(&b'"') {
        let key = at..skip_string(bytes, at);
        at = skip_blanks(bytes, skip_blanks(bytes, key.end) + 1);
        let value = at..skip_value(bytes, at);
        at = skip_separator(bytes, value.end);
        let key = text.get(key).and_then(|quoted| serde_json::from_str(quoted).ok()).unwrap_or_default();
        members.push(Member { key, value });
    }
    members
}

/// Returns the byte ranges of the elements of the array at `range`; empty if it is not an array.
pub(super) fn elements(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut elements = Vec::new();
    let bytes = text.as_bytes();
    if bytes.get(range.start) != Some(&b'[') {
        return elements;
    }
    let mut at = skip_blanks(bytes, range.start + 1);
    while bytes.get(at).is_some_and(|byte| *byte != b']') {
        let end = skip_value(bytes, at);
        elements.push(at..end);
        at = skip_separator(bytes, end);
    }
    elements
}

/// Returns the byte range of the document's value.
pub(super) fn document(text: &str) -> Range<usize> {
    let start = skip_blanks(text.as_bytes(), 0);
    start..skip_value(text.as_bytes(), start)
}

/// Adds the paths of all keys that occur more than once in an object to `found`.
pub(super) fn duplicate_keys(text: &str, range: Range<usize>, path: &str, found: &mut Vec<String>) {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for member in members(text, range.clone()) {
        let path = join(path, &member.key);
        if !seen.insert(member.key) {
            found.push(path.clone());
        }
        duplicate_keys(text, member.value, &path, found);
    }
    for (index, element) in elements(text, range).into_iter().enumerate() {
        duplicate_keys(text, element, &format!("{path}[{index}]"), found);
    }
}

/// Appends a key to a path.
pub(super) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Returns PBFDroid's canonical form: sorted keys, four spaces, non-ASCII as `\uXXXX`, no newline at the end. `indent`
/// is the nesting depth of the value.
pub(super) fn canonical(value: &Value, indent: usize) -> String {
    let mut text = String::new();
    write_value(value, indent, &mut text);
    text
}

fn write_value(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::String(text) => write_string(text, out),
        Value::Array(items) => {
            let write_item = |item: &Value, out: &mut String| write_value(item, indent + 1, out);
            write_list(items, ('[', ']'), indent, out, write_item);
        }
        Value::Object(map) => {
            let mut members: Vec<(&String, &Value)> = map.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            write_list(&members, ('{', '}'), indent, out, |(key, value), out| {
                write_string(key, out);
                out.push_str(": ");
                write_value(value, indent + 1, out);
            });
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => out.push_str(&value.to_string()),
    }
}

fn write_list<T>(
    items: &[T],
    (open, close): (char, char),
    indent: usize,
    out: &mut String,
    mut write_item: impl FnMut(&T, &mut String),
) {
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.push_str(&"    ".repeat(indent + 1));
        write_item(item, out);
    }
    if !items.is_empty() {
        out.push('\n');
        out.push_str(&"    ".repeat(indent));
    }
    out.push(close);
}

pub(super) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(letter),
            _ => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    // Writing to a `String` cannot fail.
                    let written = write!(out, "\\u{unit:04x}");
                    debug_assert!(written.is_ok());
                }
            }
        }
    }
    out.push('"');
}

fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

fn skip_separator(bytes: &[u8], at: usize) -> usize {
    let at = skip_blanks(bytes, at);
    if bytes.get(at) == Some(&b',') { skip_blanks(bytes, at + 1) } else { at }
}

fn skip_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn skip_value(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0usize;
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = skip_string(bytes, at),
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' if depth == 0 => return at,
            b'}' | b']' => {
                depth -= 1;
                at += 1;
            }
            b',' if depth == 0 => return at,
            b' ' | b'\t' | b'\r' | b'\n' if depth == 0 => return at,
            _ => {
                at += 1;
                continue;
            }
        }
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found() {
        let text = r#" {"a": [1, "x,]\"", {"b": {}}, -2.5e3, true], "a" : null } "#;
        let document = document(text);
        let members = members(text, document.clone());
        let values: Vec<&str> = members.iter().map(|member| &text[member.value.clone()]).collect();
        assert_eq!(values, [r#"[1, "x,]\"", {"b": {}}, -2.5e3, true]"#, "null"]);
        let items = elements(text, members[0].value.clone());
        let items: Vec<&str> = items.into_iter().map(|item| &text[item]).collect();
        assert_eq!(items, ["1", r#""x,]\"""#, r#"{"b": {}}"#, "-2.5e3", "true"]);
        let mut found = Vec::new();
        duplicate_keys(text, document, "", &mut found);
        assert_eq!(found, ["a"]);
    }

    #[test]
    fn canonical_text_is_pythons() {
        let value = serde_json::json!({"b": ["é😀", "\u{7f}/\""], "a": {}, "c": [], "d": true});
        let text = "{\n    \"a\": {},\n    \"b\": [\n        \"\\u00e9\\ud83d\\ude00\",\n        \
                    \"\\u007f/\\\"\"\n    ],\n    \"c\": [],\n    \"d\": true\n}";
        assert_eq!(canonical(&value, 0), text);
    }
}
