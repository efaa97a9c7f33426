//! PBFDroid's specification files (`dmfs`), its block lists (`keyviews`), and Taproof's additions to both, in keys that
//! PBFDroid ignores. The reader is tolerant, the writer strict. A file that is saved without a change keeps its bytes,
//! and a changed one is rewritten only where it changed.
//!
//! Taproof's keys: `taproof_text` on an event (text classes, `plain:3, other_case:1` or `existing of folder`),
//! `taproof_refusal`, `taproof_lead_in` (events), `taproof_max_runs` and `taproof_not_judged` (why) on a DMF, `taproof_row` (a widget's name), `taproof_role` (such as
//! `check box`) and `taproof_beside` (such as `{"right-of": "Title"}`) on a widget,
//! `taproof_order` (widget names), `taproof_or` (conditions of which one is enough instead), `taproof_state` (such as
//! `checked`) and `taproof_scroll` (false) on a condition,
//! `taproof_event`, `taproof_reason` and `taproof_every_engine` (true) on a block list entry, and `taproof_invariants`
//! (name, widgets, when, holds) at top level.

use std::ops::Range;

use serde_json::Value;

use super::read::{Reader, kind_of};
use super::{keyviews, write};
use crate::format::json_text::{canonical, document, duplicate_keys, elements, members, write_string};
use crate::{Block, Dmf, Invariant, LintCode, LintFinding, Spec};
use taproof_screen::format::{FormatError, Place, error_place};

const WHAT: &str = "specification";
const SECTIONS: [&str; 3] = ["dmfs", "keyviews", "taproof_invariants"];
/// Keys whose values PBFDroid writes as texts, in any object.
const TEXT_KEYS: &[&str] = &[
    "name",
    "type",
    "datatype",
    "proportion",
    "action",
    "widget",
    "text",
    "UI_layout_num",
    "resource-id",
    "class",
    "content-desc",
    "xpath",
    "instance",
    "relation",
    "operator",
    "object",
    "view",
];

/// A specification file as read, with everything needed to write it back.
#[derive(Clone, Debug)]
pub struct DmfFile {
    /// The specification, as far as the file could be understood.
    pub spec: Spec,
    /// Problems in the form of the file, in file order. For problems of its content see [`lint`](crate::lint()).
    pub findings: Vec<LintFinding>,
    source: String,
    /// Byte index of the JSON in the source: 0, or after a byte-order mark.
    start: usize,
    value: Value,
    dmfs: Section<Dmf>,
    blocks: Section<Block>,
    invariants: Section<Invariant>,
}

/// One of the arrays at top level.
#[derive(Clone, Debug)]
struct Section<T> {
    /// The elements that could be read, and the index of each in the array.
    read: Vec<T>,
    places: Vec<usize>,
    /// Number of elements in the array.
    count: usize,
}

impl DmfFile {
    /// Parses a file. Whatever is odd but can be understood becomes one of its findings.
    ///
    /// # Errors
    ///
    /// [`FormatError::Unexpected`] if the text is not JSON, not an object with one of the known arrays, or if one of
    /// these is not an array.
    pub fn parse(text: &str) -> Result<DmfFile, FormatError> {
        let json = text.strip_prefix('\u{feff}').unwrap_or(text);
        let start = text.len() - json.len();
        let value: Value = serde_json::from_str(json).map_err(|error| syntax_error(json, start, &error))?;
        let Some(top) = value.as_object() else {
            return Err(wrong_kind(String::new(), "an object with \"dmfs\" or \"keyviews\"", &value));
        };
        if !SECTIONS.iter().any(|section| top.contains_key(*section)) {
            let expected = "an object with \"dmfs\" or \"keyviews\"".to_owned();
            let keys: Vec<String> = top.keys().take(5).map(|key| format!("{key:?}")).collect();
            let found = if keys.is_empty() {
                "an empty one".to_owned()
            } else {
                format!("one with {}", keys.join(", "))
            };
            return Err(FormatError::Unexpected {
                what: WHAT,
                place: Place::Json(String::new()),
                expected,
                found,
            });
        }
        let mut findings = Vec::new();
        look_at_top(json, start, top, &mut findings);
        let dmfs = section(&value, "dmfs", &mut findings, |reader, value, path| reader.dmf(value, path))?;
        let blocks = section(&value, "keyviews", &mut findings, keyviews::read_block)?;
        let invariants = section(&value, "taproof_invariants", &mut findings, |reader, value, path| {
            reader.invariant(value, path)
        })?;
        let spec = Spec {
            dmfs: dmfs.read.clone(),
            invariants: invariants.read.clone(),
            blocks: blocks.read.clone(),
        };
        Ok(DmfFile { spec, findings, source: text.to_owned(), start, value, dmfs, blocks, invariants })
    }

    /// Creates a file from a specification, in canonical form.
    pub fn new(spec: &Spec) -> DmfFile {
        let written = |values: Vec<Value>| Value::Array(values);
        let mut top = serde_json::Map::new();
        let blocks = &spec.blocks;
        if !spec.dmfs.is_empty() || blocks.is_empty() {
            let dmfs = spec.dmfs.iter().map(write::dmf).collect();
            top.insert("dmfs".to_owned(), written(dmfs));
        }
        if !blocks.is_empty() {
            let blocks = blocks.iter().map(keyviews::write_block).collect();
            top.insert("keyviews".to_owned(), written(blocks));
        }
        if !spec.invariants.is_empty() {
            let all = spec.invariants.iter().map(write::invariant).collect();
            top.insert("taproof_invariants".to_owned(), written(all));
        }
        let whole = |count: usize| (0..count).collect::<Vec<usize>>();
        let value = Value::Object(top);
        DmfFile {
            findings: Vec::new(),
            source: canonical(&value, 0),
            start: 0,
            value,
            dmfs: Section { places: whole(spec.dmfs.len()), count: spec.dmfs.len(), read: spec.dmfs.clone() },
            blocks: Section { places: whole(blocks.len()), count: blocks.len(), read: blocks.clone() },
            invariants: Section {
                places: whole(spec.invariants.len()),
                count: spec.invariants.len(),
                read: spec.invariants.clone(),
            },
            spec: Spec {
                dmfs: spec.dmfs.clone(),
                invariants: spec.invariants.clone(),
                blocks: blocks.clone(),
            },
        }
    }

    /// The text of the file as it was read.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the text of the file for a new `spec`. Unchanged parts keep their bytes, changed parts are written in
    /// canonical form, and parts that could not be read stay in place.
    pub fn save(&self, spec: &Spec) -> String {
        let mut text = self.source.clone();
        text = self.save_section(text, "dmfs", &self.dmfs, &spec.dmfs, |dmf| &dmf.name, write::dmf);
        text = self.save_section(text, "keyviews", &self.blocks, &spec.blocks, |_| "", keyviews::write_block);
        let (old, new) = (&self.invariants, &spec.invariants);
        self.save_section(text, "taproof_invariants", old, new, |invariant| &invariant.name, write::invariant)
    }

    /// Byte index of the JSON in the source.
    pub(super) fn json_start(&self) -> usize {
        self.start
    }

    /// Index, in the file's array, of the element that became the DMF of this index.
    pub(super) fn dmf_element(&self, index: usize) -> Option<usize> {
        self.dmfs.places.get(index).copied()
    }

    /// Returns the whole file in canonical form: keys sorted, four spaces, the scalars of the format's own keys as
    /// texts and `force` as a boolean.
    pub fn canonical(&self) -> String {
        let mut value = self.value.clone();
        for section in SECTIONS {
            if let Some(section) = value.get_mut(section) {
                make_strict(section);
            }
        }
        canonical(&value, 0)
    }

    fn save_section<T: PartialEq>(
        &self,
        text: String,
        key: &str,
        old: &Section<T>,
        new: &[T],
        name: impl Fn(&T) -> &str,
        write: impl Fn(&T) -> Value,
    ) -> String {
        if old.read == new {
            return text;
        }
        let array = self.value.get(key).and_then(Value::as_array);
        let top = members(&text, self.start + document(&text[self.start..]).start..text.len());
        let place = top.iter().rfind(|member| member.key == key).map(|member| member.value.clone());
        let sources = place.clone().map(|place| elements(&text, place)).unwrap_or_default();
        let from = write::align(&old.read, new, name);
        // Every element as text, with the index of the element it came from, so that unread ones can be inserted after
        // their predecessor.
        let mut written: Vec<(Option<usize>, String)> = Vec::new();
        for (item, from) in new.iter().zip(from) {
            let at = from.and_then(|index| old.places.get(index).copied());
            let before = from.and_then(|index| old.read.get(index));
            let source = at.and_then(|at| text.get(sources.get(at)?.clone()));
            let changed = match (before, source) {
                (Some(before), Some(source)) if before == item => source.to_owned(),
                _ => {
                    let raw = at.and_then(|at| array?.get(at));
                    let value = match before.zip(raw) {
                        Some((before, raw)) => write::merged(&write(before), raw, write(item)),
                        None => write(item),
                    };
                    canonical(&value, 2)
                }
            };
            written.push((at, changed));
        }
        for unread in (0..old.count).filter(|index| !old.places.contains(index)) {
            let source = sources.get(unread).and_then(|range| text.get(range.clone())).unwrap_or("null");
            let behind = written.iter().rposition(|(at, _)| at.is_some_and(|at| at < unread));
            let behind = behind.map_or(0, |index| index + 1);
            written.insert(behind, (Some(unread), source.to_owned()));
        }
        let in_place = written.len() == sources.len()
            && written.iter().enumerate().all(|(index, (at, _))| *at == Some(index));
        match place {
            Some(_) if in_place => splice(&text, &sources, &written),
            Some(place) => format!("{}{}{}", &text[..place.start], array_text(&written), &text[place.end..]),
            None => with_member(&text, self.start, key, &array_text(&written), top.is_empty()),
        }
    }
}

fn look_at_top(
    json: &str,
    start: usize,
    top: &serde_json::Map<String, Value>,
    findings: &mut Vec<LintFinding>,
) {
    let mut reader = Reader { findings, dmf: None };
    if start > 0 {
        let message = "the file begins with a byte order mark, which is kept".to_owned();
        reader.report(LintCode::ByteOrderMark, "", message);
    }
    let mut twice = Vec::new();
    duplicate_keys(json, document(json), "", &mut twice);
    for path in twice {
        let message =
            "the key stands twice in its object; the last value counts, remove the others".to_owned();
        reader.report(LintCode::DuplicateKey, &path, message);
    }
    for key in top.keys() {
        if !SECTIONS.contains(&key.as_str()) {
            let message = format!("the key {key:?} is not known; it is kept and ignored");
            reader.report(LintCode::UnknownKey, key, message);
        }
    }
}

fn section<T>(
    value: &Value,
    key: &str,
    findings: &mut Vec<LintFinding>,
    mut read: impl FnMut(&mut Reader<'_>, &Value, &str) -> Option<T>,
) -> Result<Section<T>, FormatError> {
    let mut section = Section { read: Vec::new(), places: Vec::new(), count: 0 };
    let Some(found) = value.get(key) else { return Ok(section) };
    let Some(items) = found.as_array() else { return Err(wrong_kind(key.to_owned(), "an array", found)) };
    section.count = items.len();
    for (index, item) in items.iter().enumerate() {
        let dmf = (key == "dmfs").then_some(section.read.len());
        let mut reader = Reader { findings: &mut *findings, dmf };
        if let Some(item) = read(&mut reader, item, &format!("{key}[{index}]")) {
            section.read.push(item);
            section.places.push(index);
        }
    }
    Ok(section)
}

fn splice(text: &str, sources: &[Range<usize>], written: &[(Option<usize>, String)]) -> String {
    let mut spliced = String::with_capacity(text.len());
    let mut end = 0;
    for (source, (_, element)) in sources.iter().zip(written) {
        spliced.push_str(&text[end..source.start]);
        spliced.push_str(element);
        end = source.end;
    }
    spliced.push_str(&text[end..]);
    spliced
}

fn array_text(written: &[(Option<usize>, String)]) -> String {
    if written.is_empty() {
        return "[]".to_owned();
    }
    let elements: Vec<String> = written.iter().map(|(_, element)| format!("        {element}")).collect();
    format!("[\n{}\n    ]", elements.join(",\n"))
}

/// Returns the document with one more member after its last one.
fn with_member(text: &str, start: usize, key: &str, value: &str, alone: bool) -> String {
    let range = document(&text[start..]);
    let close = start + range.end - 1;
    let before = text[..close].trim_end();
    let mut quoted = String::new();
    write_string(key, &mut quoted);
    format!("{before}{}\n    {quoted}: {value}\n{}", if alone { "" } else { "," }, &text[close..])
}

/// Converts scalars at the format's own keys to texts, and `force` to a boolean.
fn make_strict(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(make_strict),
        Value::Object(map) => {
            for (key, value) in map.iter_mut() {
                let strict = match value {
                    Value::String(word) if key == "force" => {
                        Some(Value::Bool(!word.eq_ignore_ascii_case("false")))
                    }
                    Value::Number(_) | Value::Bool(_) if TEXT_KEYS.contains(&key.as_str()) => {
                        Some(Value::from(value.to_string()))
                    }
                    Value::Null if TEXT_KEYS.contains(&key.as_str()) => Some(Value::from("")),
                    _ => None,
                };
                match strict {
                    Some(strict) => *value = strict,
                    None => make_strict(value),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

pub(super) fn wrong_kind(path: String, expected: &str, found: &Value) -> FormatError {
    let (expected, found) = (expected.to_owned(), kind_of(found).to_owned());
    FormatError::Unexpected { what: WHAT, place: Place::Json(path), expected, found }
}

pub(super) fn syntax_error(json: &str, start: usize, error: &serde_json::Error) -> FormatError {
    let problem = error.to_string();
    let problem = problem.split(" at line ").next().unwrap_or("").to_owned();
    let place = error_place(json, start, error);
    FormatError::Unexpected {
        what: WHAT,
        place,
        expected: "JSON".to_owned(),
        found: format!("something else ({problem})"),
    }
}
