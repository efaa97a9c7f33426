//! The criteria of a selector for a single widget: texts and flags, by the bits of its mask.

use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};

use super::error::RpcError;
use taproof_screen::{Text, Widget, WidgetFlags};

/// Limits on the length of a pattern and on the memory for it, in bytes.
const LONGEST_PATTERN: usize = 4096;
const LARGEST_PATTERN_BYTES: usize = 1 << 20;

/// A text attribute of a widget.
#[derive(Clone, Copy)]
pub(super) enum Attribute {
    Text,
    Class,
    Description,
    Package,
    ResourceId,
}

/// How a text is compared.
#[derive(Clone, Copy)]
pub(super) enum How {
    Equals,
    Contains,
    Matches,
    StartsWith,
}

/// The criteria on texts: bit of the mask, field of the JSON object, Android's name, the attribute and how it is
/// compared.
pub(super) const TEXTS: &[(u64, &str, Attribute, How)] = &[
    (0x01, "text", Attribute::Text, How::Equals),
    (0x02, "textContains", Attribute::Text, How::Contains),
    (0x04, "textMatches", Attribute::Text, How::Matches),
    (0x08, "textStartsWith", Attribute::Text, How::StartsWith),
    (0x10, "className", Attribute::Class, How::Equals),
    (0x20, "classNameMatches", Attribute::Class, How::Matches),
    (0x40, "description", Attribute::Description, How::Equals),
    (0x80, "descriptionContains", Attribute::Description, How::Contains),
    (0x100, "descriptionMatches", Attribute::Description, How::Matches),
    (0x200, "descriptionStartsWith", Attribute::Description, How::StartsWith),
    (0x8_0000, "packageName", Attribute::Package, How::Equals),
    (0x10_0000, "packageNameMatches", Attribute::Package, How::Matches),
    (0x20_0000, "resourceId", Attribute::ResourceId, How::Equals),
    (0x40_0000, "resourceIdMatches", Attribute::ResourceId, How::Matches),
];

/// The criteria on flags: bit of the mask, field of the JSON object, Android's name, the flag.
pub(super) const FLAGS: &[(u64, &str, WidgetFlags)] = &[
    (0x400, "checkable", WidgetFlags::CHECKABLE),
    (0x800, "checked", WidgetFlags::CHECKED),
    (0x1000, "clickable", WidgetFlags::CLICKABLE),
    (0x2000, "longClickable", WidgetFlags::LONG_CLICKABLE),
    (0x4000, "scrollable", WidgetFlags::SCROLLABLE),
    (0x8000, "enabled", WidgetFlags::ENABLED),
    (0x1_0000, "focusable", WidgetFlags::FOCUSABLE),
    (0x2_0000, "focused", WidgetFlags::FOCUSED),
    (0x4_0000, "selected", WidgetFlags::SELECTED),
];

/// A condition on a widget.
pub(super) enum Criterion {
    Text { attribute: Attribute, how: How, value: String, pattern: Option<Regex> },
    Flag { flag: WidgetFlags, set: bool },
}

impl Criterion {
    /// Parses the criteria that the mask of a selector names.
    pub fn all_of(mask: u64, fields: &Map<String, Value>) -> Result<Vec<Criterion>, RpcError> {
        let mut criteria = Vec::new();
        for (_, key, attribute, how) in TEXTS.iter().filter(|(bit, ..)| mask & bit != 0) {
            let value = fields.get(*key).and_then(Value::as_str).ok_or_else(|| missing(key))?.to_owned();
            let pattern = if let How::Matches = how { Some(pattern(&value)?) } else { None };
            criteria.push(Criterion::Text { attribute: *attribute, how: *how, value, pattern });
        }
        for (_, key, flag) in FLAGS.iter().filter(|(bit, ..)| mask & bit != 0) {
            let set = fields.get(*key).and_then(Value::as_bool).ok_or_else(|| missing(key))?;
            criteria.push(Criterion::Flag { flag: *flag, set });
        }
        Ok(criteria)
    }

    /// Whether the widget satisfies the criterion.
    pub fn holds(&self, widget: &Widget) -> bool {
        match self {
            Criterion::Flag { flag, set, .. } => widget.flags.has(*flag) == *set,
            Criterion::Text { attribute, how, value, pattern, .. } => {
                let text: &str = match attribute {
                    Attribute::Text => &widget.text,
                    Attribute::Class => &widget.class,
                    Attribute::Description => &widget.content_desc,
                    Attribute::Package => &widget.package,
                    Attribute::ResourceId => widget.resource_id.as_ref().map_or("", Text::as_ref),
                };
                match how {
                    How::Equals => text == value,
                    How::Matches => pattern.as_ref().is_some_and(|pattern| pattern.is_match(text)),
                    How::Contains => text.to_lowercase().contains(&value.to_lowercase()),
                    How::StartsWith => text.to_lowercase().starts_with(&value.to_lowercase()),
                }
            }
        }
    }
}

/// Compiles a pattern that must match the whole text. Features that only Java's patterns have (look-around,
/// back-references) are refused.
fn pattern(text: &str) -> Result<Regex, RpcError> {
    if text.len() > LONGEST_PATTERN {
        return Err(RpcError::Pattern { problem: "the pattern is too long".to_owned() });
    }
    let compiled = |pattern: &str| {
        let mut builder = RegexBuilder::new(pattern);
        let built = builder.size_limit(LARGEST_PATTERN_BYTES).dfa_size_limit(LARGEST_PATTERN_BYTES).build();
        built.map_err(|error| RpcError::Pattern { problem: error.to_string() })
    };
    // Compiled by itself first: inside the group, `a)|(b` would be valid.
    compiled(text)?;
    compiled(&format!(r"\A(?:{text})\z"))
}

/// The error for a field that is missing or has the wrong type.
pub(super) fn missing(field: &str) -> RpcError {
    RpcError::params(&format!("the selector's {field} is missing or of a wrong kind"))
}
