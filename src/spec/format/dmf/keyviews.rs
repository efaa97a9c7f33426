//! Entries of block lists: an XML element as a text inside a JSON object (`engine/pbfdroid/paper.md`, section 3.3).

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use serde_json::{Map, Value, json};

use super::read::Reader;
use super::write::with_ours;
use crate::format::json_text::join;
use crate::{ActivityPattern, Block, BlockedEvent, LintCode, ViewPattern};

/// The attributes of an entry written by PBFDroid, in its order.
const ATTRIBUTES: &[&str] = &[
    "NAF",
    "index",
    "text",
    "resource-id",
    "class",
    "package",
    "content-desc",
    "checkable",
    "checked",
    "clickable",
    "enabled",
    "focusable",
    "focused",
    "scrollable",
    "long-clickable",
    "password",
    "selected",
    "visible-to-user",
    "bounds",
];
const ANY: &str = "#any#";
/// Key that makes an entry apply to all engines.
const EVERY_ENGINE: &str = "taproof_every_engine";
/// Key that restricts an entry to an activity.
const ACTIVITY: &str = "taproof_activity";

/// Reads one entry. `None` if it cannot be read, which is reported as a finding.
pub(super) fn read_block(reader: &mut Reader<'_>, value: &Value, path: &str) -> Option<Block> {
    let view = value.get("view").and_then(Value::as_str);
    let Some(attributes) = view.and_then(read_attributes) else {
        let message =
            "expected {\"view\": \"<node ... />\"}; the entry is kept but blocks nothing".to_owned();
        reader.report(LintCode::UnreadableView, path, message);
        return None;
    };
    let constrained =
        |(name, value): &(String, String)| !(value == ANY || name == "bounds" && value.is_empty());
    let attributes = attributes.into_iter().filter(constrained).collect();
    for key in value.as_object().into_iter().flat_map(Map::keys) {
        if key != "view" && !key.starts_with("taproof_") {
            let message = format!("the key {key:?} is not known; it is kept and ignored");
            reader.report(LintCode::UnknownKey, &join(path, key), message);
        }
    }
    let word = value.get("taproof_event").and_then(Value::as_str);
    let event = match word {
        None if value.get("taproof_event").is_none() => BlockedEvent::Widget,
        Some("widget") => BlockedEvent::Widget,
        Some("subtree") => BlockedEvent::Subtree,
        Some("back") => BlockedEvent::Back,
        Some("action_key") => BlockedEvent::ImeAction,
        _ => {
            let message = "expected widget, subtree, back or action_key; any gesture is blocked".to_owned();
            reader.report(LintCode::BadExtension, &join(path, "taproof_event"), message);
            BlockedEvent::Widget
        }
    };
    let reason = value.get("taproof_reason").and_then(Value::as_str).unwrap_or("").to_owned();
    let every_engine = match value.get(EVERY_ENGINE) {
        None => false,
        Some(Value::Bool(every)) => *every,
        Some(_) => {
            let message = "expected true or false; it is for engines that guard the data".to_owned();
            reader.report(LintCode::BadExtension, &join(path, EVERY_ENGINE), message);
            false
        }
    };
    let activity = match value.get(ACTIVITY) {
        None => None,
        Some(Value::String(name)) => Some(ActivityPattern(name.clone())),
        Some(_) => {
            let message = "expected the name of an activity; it is blocked on all".to_owned();
            reader.report(LintCode::BadExtension, &join(path, ACTIVITY), message);
            None
        }
    };
    Some(Block { pattern: ViewPattern { attributes }, event, reason, activity, every_engine })
}

/// Returns the attributes of the first element in the text; `None` if the text does not begin with an element, or its
/// attributes are malformed.
fn read_attributes(xml: &str) -> Option<Vec<(String, String)>> {
    let mut reader = quick_xml::Reader::from_str(xml.trim());
    let tag: BytesStart<'_> = match reader.read_event() {
        Ok(Event::Empty(tag) | Event::Start(tag)) => tag,
        _ => return None,
    };
    let mut attributes = Vec::new();
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.ok()?;
        let value: Cow<'_, str> = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
        attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
    }
    Some(attributes)
}

/// Returns the entry as a JSON value.
pub(super) fn write_block(block: &Block) -> Value {
    let word = match block.event {
        BlockedEvent::Widget => None,
        BlockedEvent::Subtree => Some("subtree"),
        BlockedEvent::Back => Some("back"),
        BlockedEvent::ImeAction => Some("action_key"),
    };
    let reason = (!block.reason.is_empty()).then_some(block.reason.as_str());
    let ours = [
        ("event", word.map(Value::from)),
        ("reason", reason.map(Value::from)),
        ("every_engine", block.every_engine.then_some(Value::Bool(true))),
        ("activity", block.activity.as_ref().map(|activity| Value::from(activity.0.as_str()))),
    ];
    with_ours(json!({ "view": write_view(&block.pattern) }), ours)
}

fn write_view(pattern: &ViewPattern) -> String {
    let mut xml = String::from("<node");
    let constrained = |name: &str| {
        pattern.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    };
    let others = pattern.attributes.iter().map(|(name, _)| name.as_str());
    for name in ATTRIBUTES.iter().copied().chain(others.filter(|name| !ATTRIBUTES.contains(name))) {
        let free = if name == "bounds" { "" } else { ANY };
        let value = escape(constrained(name).unwrap_or(free));
        xml.push_str(&format!(" {name}=\"{value}\""));
    }
    xml.push_str(" />");
    xml
}

/// Escapes a text so that reading returns the same text: white space other than the space would be normalised.
fn escape(value: &str) -> String {
    let mut escaped = String::new();
    for letter in value.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\r' | '\t' => escaped.push_str(&format!("&#{};", u32::from(letter))),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_reads_back() {
        let attributes = vec![
            ("resource-id".to_owned(), "org.ex:id/save".to_owned()),
            ("text".to_owned(), "a<\"&\n".to_owned()),
        ];
        let block = Block {
            pattern: ViewPattern { attributes: attributes.clone() },
            event: BlockedEvent::Back,
            reason: "autosave".to_owned(),
            activity: Some(ActivityPattern(".Edit".to_owned())),
            every_engine: false,
        };
        let value = write_block(&block);
        let mut findings = Vec::new();
        let mut reader = Reader { findings: &mut findings, dmf: None };
        let mut read = read_block(&mut reader, &value, "keyviews[0]").unwrap();
        read.pattern.attributes.sort();
        assert_eq!(read, block);
        assert!(findings.is_empty());
        assert!(value["view"].as_str().unwrap().ends_with("visible-to-user=\"#any#\" bounds=\"\" />"));
    }
}
