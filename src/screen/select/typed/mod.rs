//! Selectors as people type them: `id:save`, `text:"Save it"`, `desc:`, `class:`, an XPath, plain words, and what they copy
//! from code of uiautomator2, UiAutomator, Appium, WebdriverIO, Espresso and Maestro. Each becomes an XPath.

mod calls;
mod code;
mod flow;
mod head;
mod matchers;
mod named;
mod strategies;
#[cfg(test)]
mod tests;
mod words;

use self::named::{How, Named, SCREEN, attribute, compared, flag, has_class, has_id};
use super::{Selector, XPath};

/// Why a text is not a selector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}. {advice}")]
pub struct SelectorError {
    /// What is wrong with the text.
    pub problem: String,
    advice: &'static str,
}

const ADVICE: &str = "Try id:save, text:\"Save it\", desc:, class: or an XPath such as //Button";
const ADVICE_WITH_WORDS: &str =
    "Try a word, id:save, text:\"Save it\", desc:, class: or an XPath such as //Button";

/// What is wrong at a place of a text.
#[derive(Debug)]
struct Problem {
    /// The place in bytes.
    at: usize,
    text: String,
}

impl Problem {
    fn new(text: impl Into<String>) -> Problem {
        Problem { at: 0, text: text.into() }
    }

    /// The problem with its line, if there are several, and its character.
    fn in_text(&self, text: &str) -> String {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().unwrap_or_default().chars().count();
        match (line, self.at) {
            (_, 0) => self.text.clone(),
            (0, _) => format!("character {}: {}", character + 1, self.text),
            (line, _) => format!("line {}, character {}: {}", line + 1, character + 1, self.text),
        }
    }
}

const KEYS: [&str; 5] = ["id", "text", "desc", "class", "xpath"];

impl Selector {
    /// Parses a selector as people write it, in any notation that is known. It has an XPath only.
    ///
    /// # Errors
    ///
    /// [`SelectorError`] if the text names no widget in a notation that is known, or if it is empty.
    pub fn parse(text: &str) -> Result<Selector, SelectorError> {
        let failed = |problem: String| SelectorError { problem, advice: ADVICE };
        let path = path_of(text, false).map_err(|problem| failed(problem.in_text(text.trim())))?;
        let path = path.ok_or_else(|| failed("it is empty".to_owned()))?;
        Selector::of_xpath(&path).map_err(|error| failed(error.to_string()))
    }

    /// Parses a search: a selector, or words that are looked for in ids, texts and descriptions, without regard to case.
    /// An empty text gives an empty selector, which matches no widget.
    ///
    /// # Errors
    ///
    /// [`SelectorError`] if nothing follows a key, a quote is not closed, an XPath is wrong, or what looks like code is
    /// not understood.
    pub fn search(text: &str) -> Result<Selector, SelectorError> {
        let failed = |problem: String| SelectorError { problem, advice: ADVICE_WITH_WORDS };
        match path_of(text, true).map_err(|problem| failed(problem.in_text(text.trim())))? {
            Some(path) => Selector::of_xpath(&path).map_err(|error| failed(error.to_string())),
            None => Ok(Selector::default()),
        }
    }
}

/// The XPath that a text means; `None` if it is empty.
fn path_of(text: &str, words: bool) -> Result<Option<String>, Problem> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    // What is commented out is meant, too.
    let unmarked = text.trim_start_matches('#');
    let marked = text.strip_prefix("// ").or_else(|| text.strip_prefix("# "));
    let called = Some(unmarked).filter(|code| code.len() < text.len() && code.contains('('));
    let text = match marked.or(called) {
        Some(code) if XPath::parse(text).is_err() => code.trim_start(),
        _ => text,
    };
    if is_path(text) {
        return Ok(Some(text.to_owned()));
    }
    if let Some(path) = flow::xpath(text) {
        return path.map(Some);
    }
    if split_key(text).0.is_some() {
        return language(text, words).map(Some);
    }
    if let Some(named) = of_tool(text, SCREEN)? {
        return Ok(Some(named.path()));
    }
    // An XPath may begin at the uppermost widgets.
    if !words && text.contains(['/', '[']) && !text.contains(":id/") {
        return Ok(Some(text.to_owned()));
    }
    language(text, words).map(Some)
}

/// A text that is passed to a method of another tool.
fn tool_text(text: &str, base: &str) -> Result<Named, Problem> {
    if is_path(text) {
        return strategies::strategy("xpath", Some(&code::Expr::Text(text.to_owned())), base, 0);
    }
    let direct = match text.split_once(':') {
        // WebdriverIO writes a colon between a strategy and its value, too.
        Some((by, value)) if strategies::is_strategy(&code::folded(by)) => {
            assigned(&format!("{by}={value}"), base)?
        }
        _ => None,
    };
    match direct.map_or_else(|| of_tool(text, base), |named| Ok(Some(named)))? {
        Some(named) => Ok(named),
        None => Err(Problem::new(format!("\u{201c}{text}\u{201d} looks into a web page; write an XPath"))),
    }
}

/// What is named as other tools name widgets; `None` for any other text.
fn of_tool(text: &str, base: &str) -> Result<Option<Named>, Problem> {
    if let Some(name) = text.strip_prefix('~').filter(|name| !name.starts_with(char::is_whitespace)) {
        let test = format!("@content-desc={}", XPath::literal(name));
        return Ok((!name.is_empty()).then(|| Named::with(base, test)));
    }
    if let Some(named) = assigned(text, base)? {
        return Ok(Some(named));
    }
    if is_class(text) {
        return Ok(Some(Named::with(base, has_class(text))));
    }
    if let Some(named) = strategies::by_attributes(text, base) {
        return named.map(Some);
    }
    if let Some(selector) = strategies::in_row(text) {
        return of_tool(selector, base);
    }
    if let Some(inner) = text.strip_prefix(['"', '\'', '`'])
        && (is_path(inner) || inner.contains("UiSelector("))
    {
        let raw = || text.strip_suffix(&text[..1]).and_then(|text| text.get(1..));
        return match (code::parse(text), raw()) {
            (Ok(code::Expr::Text(inner)), _) => tool_text(&inner, base).map(Some),
            // Its quotes may be those of the selector, too.
            (_, Some(inner)) => tool_text(inner, base).map(Some),
            (parsed, None) => calls::named(&parsed?, base).map(Some),
        };
    }
    if is_css(text) {
        return Err(Problem::new(format!("\u{201c}{text}\u{201d} looks like CSS, which is for web pages")));
    }
    if !looks_like_code(text) {
        return Ok(None);
    }
    calls::named(&code::parse(text)?, base).map(Some)
}

/// `id=save`, `accessibility_id=Save` and `android=new UiSelector()…`, as they are written for drivers, and attributes of a
/// dump such as `resource-id="save" text="Save"`.
fn assigned(text: &str, base: &str) -> Result<Option<Named>, Problem> {
    let mut tests = Vec::new();
    let mut rest = text;
    while let Some((key, value)) = rest.split_once(['=', ':']) {
        let (name, colon) = (code::folded(key.trim()), rest.as_bytes().get(key.len()) == Some(&b':'));
        let value = value.trim_start();
        let of_driver = key.contains(' ');
        let known = attribute(&name).is_some() || flag(&name).is_some() || strategies::is_strategy(&name);
        let is_key = key.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_' | ' '));
        if colon && !of_driver || value.starts_with('=') || !known || !is_key {
            return Ok(None);
        }
        let Some(quote @ ('"' | '\'')) = value.chars().next() else {
            if !tests.is_empty()
                || !strategies::is_strategy(&name)
                || (looks_like_code(value) && !strategies::takes_code(&name))
            {
                return Ok(None);
            }
            return strategies::strategy(&name, Some(&code::Expr::Text(value.to_owned())), base, 0).map(Some);
        };
        let (value, left) = in_quotes(&value[1..], quote)?;
        tests.push(match (attribute(&name), flag(&name)) {
            (Some((name, how)), _) => compared(name, how, &value, true).map_err(Problem::new)?,
            (None, Some(flag)) => format!("@{flag}={}", XPath::literal(&value.to_lowercase())),
            (None, None) if left.trim().is_empty() && tests.is_empty() => {
                return strategies::strategy(&name, Some(&code::Expr::Text(value)), base, 0).map(Some);
            }
            (None, None) if name == "id" => has_id(&value),
            (None, None) if name == "class" => has_class(&value),
            (None, None) => {
                return Err(Problem::new(format!("\u{201c}{key}\u{201d} is no attribute of a dump")));
            }
        });
        rest = left.trim_start_matches([',', ' ', '\t', '\n']);
    }
    match (rest.is_empty(), tests.is_empty()) {
        (true, false) => Ok(Some(Named { tests, ..Named::from(base, named::Kind::Found) })),
        (false, false) => Err(Problem::new(format!("\u{201c}{rest}\u{201d} is no attribute of a dump"))),
        _ => Ok(None),
    }
}

/// Whether a text is the full name of a class.
fn is_class(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let is_name = |part: &&str| {
        !part.is_empty() && part.chars().all(|letter| letter.is_ascii_alphanumeric() || "_$".contains(letter))
    };
    let begins = |part: Option<&&str>, upper: bool| {
        part.and_then(|part| part.chars().next()).is_some_and(|first| first.is_ascii_uppercase() == upper)
    };
    parts.len() > 2 && parts.iter().all(is_name) && begins(parts.first(), false) && begins(parts.last(), true)
}

/// Whether somebody means code, not words: there is a call, an index, an annotation, or a sign of a language.
fn looks_like_code(text: &str) -> bool {
    let mut outside = String::new();
    for (place, part) in text.split('"').enumerate() {
        outside += if place % 2 == 0 { part } else { "\"\"" };
    }
    let begins =
        ["new ", "await ", "return ", "val ", "var ", "let ", "const ", "{", "@", "$", "R.id.", "[\"", "['"];
    let signs = [" = ", "==", "=\"\"", "='", "=>", "->", "::", "[@", "();", ");", "${"];
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let called = |token: &str| token.match_indices(['(', '[']).any(|(at, _)| token[..at].ends_with(is_name));
    let constant = outside.split(['(', ',', ' ']).any(|word| word.contains("By."));
    begins.iter().any(|begin| outside.starts_with(begin))
        || signs.iter().any(|sign| outside.contains(sign))
        || outside.split_whitespace().any(called)
        || constant
}

/// Whether a text is a selector of CSS, such as `#save`.
fn is_css(text: &str) -> bool {
    let name = text.strip_prefix(['#', '.']).unwrap_or_default();
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && !text.contains(char::is_whitespace)
}

/// The path that keys and words mean.
fn language(text: &str, words: bool) -> Result<String, Problem> {
    let (mut base, mut tests) = (None, String::new());
    let mut rest = text;
    while !rest.is_empty() {
        let (key, behind) = split_key(rest);
        // An XPath contains blanks itself, so it extends to the end of the query.
        let to_the_end = match key {
            Some("xpath") if !behind.starts_with('"') => Some(behind.trim()),
            None if is_path(rest) => Some(rest),
            _ => None,
        };
        let (value, left) = match to_the_end {
            Some(path) => (path.to_owned(), ""),
            None => value(behind)?,
        };
        if let (Some(key), true) = (key, value.is_empty()) {
            return Err(Problem::new(format!("nothing stands behind \u{201c}{key}:\u{201d}")));
        }
        let test = match key {
            _ if key == Some("xpath") || to_the_end.is_some() => {
                if base.replace(value).is_some() {
                    return Err(Problem::new("there are two XPaths"));
                }
                String::new()
            }
            Some("id") => has_id(&value),
            Some("text") => compared("text", How::Equals, &value, false).map_err(Problem::new)?,
            Some("desc") => compared("content-desc", How::Equals, &value, false).map_err(Problem::new)?,
            Some(_) => has_class(&value),
            None if words => {
                let word = XPath::literal(&value.to_lowercase());
                let has = ["resource-id", "text", "content-desc"]
                    .map(|name| format!("contains(lower-case(@{name}),{word})"));
                has.join(" or ")
            }
            None if value.contains(":id/") => has_id(&value),
            None => {
                return Err(Problem::new(format!(
                    "\u{201c}{value}\u{201d} is a word, and no attribute of a widget"
                )));
            }
        };
        if !test.is_empty() {
            tests += &format!("[{test}]");
        }
        rest = left.trim_start();
    }
    Ok(match base {
        Some(path) if tests.is_empty() => path,
        Some(path) => format!("({path}){tests}"),
        None => format!("//node{tests}"),
    })
}

fn is_path(text: &str) -> bool {
    text.trim_start_matches(['(', ' ']).starts_with('/') || text.starts_with("./") || text.starts_with("../")
}

/// Splits off a key before a colon, ignoring case. `None` for any other text, such as `org.ex:id/save`.
fn split_key(text: &str) -> (Option<&'static str>, &str) {
    let key = KEYS.into_iter().find(|key| {
        text.get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key))
            && text[key.len()..].starts_with(':')
    });
    match key {
        Some(key) => (Some(key), &text[key.len() + 1..]),
        None => (None, text),
    }
}

/// Splits off a word, or a text in quotes, in which `\"` is a quote and `\\` a backslash. Returns it with the rest.
fn value(text: &str) -> Result<(String, &str), Problem> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        return Ok((text[..end].trim_end_matches(',').to_owned(), &text[end..]));
    };
    let (value, left) = in_quotes(quoted, '"')?;
    Ok((value, left.strip_prefix(',').unwrap_or(left)))
}

/// Reads up to the quote that ends a text, and returns what stands behind it, too.
fn in_quotes(quoted: &str, quote: char) -> Result<(String, &str), Problem> {
    let (mut value, mut escaped) = (String::new(), false);
    for (at, letter) in quoted.char_indices() {
        match letter {
            letter if letter == quote && !escaped => return Ok((value, &quoted[at + 1..])),
            '\\' if !escaped => escaped = true,
            letter => {
                if escaped && letter != quote && letter != '\\' {
                    value.push('\\');
                }
                value.push(letter);
                escaped = false;
            }
        }
    }
    Err(Problem::new("a quote is not closed"))
}
