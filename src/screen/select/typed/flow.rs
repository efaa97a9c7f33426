//! Commands and selectors of a Maestro flow, such as `tapOn: "Save"` and `id: "save"`.

use super::Problem;
use super::named::{Kind, Named, SCREEN, flag};
use crate::XPath;

/// Commands with a widget.
const COMMANDS: [&str; 8] = [
    "tapOn",
    "doubleTapOn",
    "longPressOn",
    "assertVisible",
    "assertNotVisible",
    "copyTextFrom",
    "scrollUntilVisible",
    "extendedWaitUntil",
];
/// Keys that stand above a selector, or change nothing in which widget it names.
const PASSED: [&str; 11] = [
    "optional",
    "timeout",
    "direction",
    "speed",
    "repeat",
    "delay",
    "label",
    "retryTapIfNoChange",
    "waitToSettleTimeoutMs",
    "visibilityPercentage",
    "centerElement",
];

/// The XPath that such lines mean; `None` if they are none of Maestro.
pub(super) fn xpath(text: &str) -> Option<Result<String, Problem>> {
    let is_command = text.starts_with("- ");
    let text = text.trim_start_matches(['-', ' ']);
    let (key, behind) = text.split_once(':')?;
    let is_key = COMMANDS.contains(&key) || (matches!(key, "id" | "text") && behind.starts_with([' ', '\n']));
    if !is_key && is_command {
        let text = format!("\u{201c}{key}\u{201d} looks like a command of Maestro without a widget");
        return Some(Err(Problem { at: 0, text }));
    }
    is_key.then(|| named(text).map_err(|text| Problem { at: 0, text }).map(|named| named.path()))
}

fn named(text: &str) -> Result<Named, String> {
    let mut named = Named::from(SCREEN, Kind::Found);
    let mut index = None;
    for (key, value) in pairs(text)? {
        match &*key {
            "id" => {
                let matches = matches(&["@resource-id", "substring-after(@resource-id,':id/')"], &value);
                named.tests.push(matches);
            }
            "text" => named.tests.push(matches(&["@text", "@content-desc", "@hint"], &value)),
            "index" => index = Some(value.trim().parse().map_err(|_| format!("{value:?} is no index"))?),
            key if COMMANDS.contains(&key) || ["element", "visible", "notVisible"].contains(&key) => {
                named.tests.push(matches(&["@text", "@content-desc", "@hint"], &value));
            }
            key if PASSED.contains(&key) => {}
            key => match flag(&key.to_lowercase()) {
                Some(flag) => named.tests.push(format!("@{flag}='{value}'")),
                None => return Err(format!("\u{201c}{key}\u{201d} of Maestro is understood in a flow only")),
            },
        }
    }
    match (index, named.tests.is_empty()) {
        (_, true) => Err("it has neither id nor text".to_owned()),
        (Some(index), _) => named.placed(index),
        (None, _) => Ok(named),
    }
}

/// The keys with a value, of lines or of `{ key: value }`.
fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut pairs = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let Some((key, behind)) = rest.split_once(':') else {
            return Err(format!("{rest:?} has no key before it"));
        };
        let key = key.trim_matches([' ', '\n', '\r', '\t', '-', '{', ',', '"', '\'']);
        let behind = behind.trim_start_matches([' ', '\t']);
        if behind.starts_with(['\n', '\r', '{']) {
            // A block follows.
            rest = behind.trim_start_matches(['\n', '\r', '{', ' ']);
            continue;
        }
        let in_braces = text.contains('{') && !behind.starts_with(['"', '\'']);
        let (value, left) = match behind.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                super::in_quotes(&behind[1..], quote).map_err(|problem| problem.text)?
            }
            _ => {
                let ends = |letter: char| letter == '\n' || (in_braces && matches!(letter, ',' | '}'));
                let end = behind.find(ends).unwrap_or(behind.len());
                (behind[..end].trim().to_owned(), &behind[end..])
            }
        };
        if value.contains("${") {
            return Err(format!("{value:?} has a variable; write the text that is meant"));
        }
        pairs.push((key.to_owned(), value));
        rest = left.trim_start_matches([' ', ',', '}', '\n', '\r']);
    }
    Ok(pairs)
}

/// The condition that one of the texts of a widget matches. Maestro takes a text as it is, too, if it is no pattern.
fn matches(texts: &[&str], pattern: &str) -> String {
    let literal = regex::escape(pattern);
    let pattern = match regex::Regex::new(pattern) {
        Ok(_) if literal == pattern => literal,
        Ok(_) => format!("{pattern}|{literal}"),
        Err(_) => literal,
    };
    let whole = XPath::literal(&format!("^(?:{pattern})$"));
    // An empty text is none.
    let each = texts.iter().map(|text| format!("({text}!='' and matches({text},{whole},'is'))"));
    each.collect::<Vec<_>>().join(" or ")
}
