//! Commands and selectors of a Maestro flow, such as `tapOn: "Save"` and `id: "save"`.

use super::Problem;
use super::named::{Kind, Named, SCREEN, flag};
use crate::{MaestroPattern, XPath};

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
    let text = text.strip_prefix('-').unwrap_or(text).trim_start();
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
                let texts = ["@resource-id", "substring-after(@resource-id,':id/')"];
                named.tests.push(matches(&texts, &value)?);
            }
            "text" => named.tests.push(matches(&["@text", "@content-desc", "@hint"], &value)?),
            "index" => index = Some(value.trim().parse().map_err(|_| format!("{value:?} is no index"))?),
            key if holds_selector(key) => {
                named.tests.push(matches(&["@text", "@content-desc", "@hint"], &value)?);
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

/// Whether what is below a key, or is its text, is the selector.
fn holds_selector(key: &str) -> bool {
    COMMANDS.contains(&key) || ["element", "visible", "notVisible"].contains(&key)
}

/// The keys with a value, of lines or of `{ key: value }`.
fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut pairs = Vec::new();
    let mut rest = without_comments(text);
    while !rest.is_empty() {
        if rest.starts_with("- ") {
            return Err("there are several commands; write the one that is meant".to_owned());
        }
        let Some((key, behind)) = rest.split_once(':') else {
            return Err(format!("{rest:?} has no key before it"));
        };
        let key = key.trim_matches([' ', '\n', '\r', '\t', '{', ',', '"', '\'']);
        let behind = behind.trim_start_matches([' ', '\t']);
        if behind.is_empty() || behind.starts_with(['\n', '\r', '{', '#']) {
            // A block follows.
            if !holds_selector(key) {
                return Err(format!("\u{201c}{key}\u{201d} of Maestro is understood in a flow only"));
            }
            rest = without_comments(behind.trim_start_matches('{'));
            continue;
        }
        let in_braces = text.contains('{') && !behind.starts_with(['"', '\'']);
        let (value, left) = match behind.chars().next() {
            Some('"') => super::in_quotes(&behind[1..], '"').map_err(|problem| problem.text)?,
            Some('\'') => in_single_quotes(&behind[1..])?,
            _ => {
                let line = behind.split(['\n', '\r']).next().unwrap_or_default();
                let line = line.split(" #").next().unwrap_or_default();
                let end = line.find(|letter| in_braces && matches!(letter, ',' | '}')).unwrap_or(line.len());
                (behind[..end].trim().to_owned(), &behind[end..])
            }
        };
        if value.contains("${") {
            return Err(format!("{value:?} has a variable; write the text that is meant"));
        }
        pairs.push((key.to_owned(), value));
        rest = without_comments(left.trim_start_matches([' ', ',', '}']));
    }
    Ok(pairs)
}

/// What follows blanks and comments.
fn without_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with('#') {
        rest = rest.find('\n').map_or("", |end| rest[end..].trim_start());
    }
    rest.trim_start_matches(['}', ' '])
}

/// Reads up to the single quote that ends a text. Two of them are one in it, and a backslash is one.
fn in_single_quotes(quoted: &str) -> Result<(String, &str), String> {
    let mut value = String::new();
    let mut rest = quoted;
    while let Some((before, behind)) = rest.split_once('\'') {
        value.push_str(before);
        match behind.strip_prefix('\'') {
            Some(behind) => {
                value.push('\'');
                rest = behind;
            }
            None => return Ok((value, behind)),
        }
    }
    Err("a quote is not closed".to_owned())
}

/// The condition that one of the texts of a widget matches. Maestro takes a text as it is, too, if it is no pattern.
fn matches(texts: &[&str], pattern: &str) -> Result<String, String> {
    MaestroPattern::parse(pattern)?;
    let literal = regex::escape(pattern);
    let pattern = match regex::Regex::new(pattern) {
        Ok(_) if literal == pattern => literal,
        Ok(_) => format!("{pattern}|{literal}"),
        Err(_) => literal,
    };
    let whole = XPath::literal(&format!("^(?:{pattern})$"));
    // An empty text is none.
    let each = texts.iter().map(|text| format!("({text}!='' and matches({text},{whole},'is'))"));
    Ok(each.collect::<Vec<_>>().join(" or "))
}
