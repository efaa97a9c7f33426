//! The language in which people search for widgets: `id:save`, `text:"Save it"`, `desc:`, `class:`, `xpath:…`, an
//! XPath, or plain words. What uiautomator2 and Appium write is understood too.

use crate::{Layout, Widget, WidgetIdx, XPath};

/// A search over the widgets of a layout. A widget matches if all parts hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    parts: Vec<Part>,
    /// The index among the widgets that the parts name; `None` for all of them.
    instance: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Id(String),
    Text(String),
    Desc(String),
    Class(String),
    /// Contained in the text.
    TextHas(String),
    /// Contained in the description.
    DescHas(String),
    XPath(XPath),
    /// Contained in the id, the text or the description, ignoring case.
    Anywhere(String),
}

/// Why a text is not a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}. Try a word, id:save, text:\"Save it\", desc:, class: or an XPath such as //Button")]
pub struct QueryError {
    /// What is wrong with the text.
    pub problem: String,
}

const KEYS: [&str; 5] = ["id", "text", "desc", "class", "xpath"];

impl Query {
    /// Parses a query. An empty text gives an empty query, which matches no widget.
    ///
    /// # Errors
    ///
    /// [`QueryError`] if nothing follows a key, a quote is not closed, or an XPath is wrong.
    pub fn parse(text: &str) -> Result<Query, QueryError> {
        let text = text.trim();
        if is_path(text) {
            return Ok(Query::of(vec![xpath(text)?]));
        }
        if let Some(query) = of_other_tools(text)? {
            return Ok(query);
        }
        let mut parts = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            if is_path(rest) && !parts.is_empty() {
                parts.push(xpath(rest)?);
                break;
            }
            let (key, behind) = split_key(rest);
            // An XPath contains blanks itself, so it extends to the end of the query.
            if key == Some("xpath") && !behind.starts_with('"') {
                parts.push(xpath(behind.trim())?);
                break;
            }
            let (value, left) = value(behind)?;
            if let (Some(key), true) = (key, value.is_empty()) {
                return Err(QueryError { problem: format!("nothing stands behind \u{201c}{key}:\u{201d}") });
            }
            parts.push(match key {
                Some("id") => Part::Id(value),
                Some("text") => Part::Text(value),
                Some("desc") => Part::Desc(value),
                Some("class") => Part::Class(value),
                Some("xpath") => xpath(&value)?,
                Some(_) | None => Part::Anywhere(value.to_lowercase()),
            });
            rest = left.trim_start();
        }
        Ok(Query::of(parts))
    }

    fn of(parts: Vec<Part>) -> Query {
        Query { parts, instance: None }
    }

    /// Whether the query has no parts.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The matching widgets in document order. An empty query matches none, as does one whose XPath takes too long.
    pub fn matches(&self, layout: &Layout) -> Vec<WidgetIdx> {
        self.find(layout).unwrap_or_default()
    }

    /// As [`Query::matches`].
    ///
    /// # Errors
    ///
    /// [`QueryError`] if an XPath takes too long on this layout.
    pub fn find(&self, layout: &Layout) -> Result<Vec<WidgetIdx>, QueryError> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let mut named: Vec<WidgetIdx> = layout.iter().map(|(idx, _)| idx).collect();
        for part in &self.parts {
            match part {
                Part::XPath(xpath) => {
                    let selected = xpath.select_by_short_classes(layout);
                    let selected = selected.map_err(|error| QueryError { problem: error.to_string() })?;
                    named.retain(|idx| selected.binary_search(idx).is_ok());
                }
                part => named.retain(|idx| part.fits(layout.widget(*idx))),
            }
        }
        Ok(match self.instance {
            Some(instance) => named.get(instance).copied().into_iter().collect(),
            None => named,
        })
    }
}

impl Part {
    /// Whether the widget matches this part. Ids and classes may be given without their package. An XPath is not
    /// evaluated here.
    fn fits(&self, widget: &Widget) -> bool {
        let id = widget.resource_id.as_deref().unwrap_or("");
        let holds = |value: &str, word: &str| value.to_lowercase().contains(word);
        match self {
            Part::Id(wanted) => id == wanted || widget.short_id() == Some(wanted),
            Part::Text(wanted) => *widget.text == **wanted,
            Part::Desc(wanted) => *widget.content_desc == **wanted,
            Part::Class(wanted) => *widget.class == **wanted || widget.short_class() == wanted,
            Part::Anywhere(word) => {
                holds(id, word) || holds(&widget.text, word) || holds(&widget.content_desc, word)
            }
            Part::TextHas(part) => widget.text.contains(&**part),
            Part::DescHas(part) => widget.content_desc.contains(&**part),
            Part::XPath(_) => true,
        }
    }
}

fn is_path(text: &str) -> bool {
    text.trim_start_matches(['(', ' ']).starts_with('/') || text.starts_with("./") || text.starts_with("../")
}

fn xpath(text: &str) -> Result<Part, QueryError> {
    let failed = |error: crate::XPathError| QueryError { problem: error.to_string() };
    XPath::parse(text).map(Part::XPath).map_err(failed)
}

/// The query that is meant by `d(text="Save")`, `d.xpath("//…")`, `new UiSelector().text("Save")` and `xpath=//…`, as
/// uiautomator2, Appium and Selenium write them. `None` if it is none of these.
fn of_other_tools(text: &str) -> Result<Option<Query>, QueryError> {
    if let Some(path) = text.strip_prefix("xpath=") {
        return Ok(Some(Query::of(vec![xpath(path.trim())?])));
    }
    if let Some(path) = text.strip_prefix("d.xpath(").and_then(|path| path.strip_suffix(')')) {
        let (path, _) = literal(path.trim())?;
        return Ok(Some(Query::of(vec![xpath(&path)?])));
    }
    let calls = ["d(", "new UiSelector().", "UiSelector()."];
    let Some(mut rest) = calls.iter().find_map(|call| text.strip_prefix(call)) else { return Ok(None) };
    let mut query = Query::default();
    loop {
        rest = rest
            .trim_start_matches(|letter: char| matches!(letter, ',' | '.' | ')') || letter.is_whitespace());
        let Some((name, behind)) = rest.split_once(['=', '(']) else { break };
        let (value, left) = literal(behind.trim_start())?;
        rest = left;
        query.parts.push(match name.trim() {
            "instance" => {
                let problem = || QueryError { problem: format!("\u{201c}{value}\u{201d} is no instance") };
                query.instance = Some(value.parse().map_err(|_| problem())?);
                continue;
            }
            "resourceId" => Part::Id(value),
            "text" => Part::Text(value),
            "description" => Part::Desc(value),
            "className" => Part::Class(value),
            "textContains" => Part::TextHas(value),
            "descriptionContains" => Part::DescHas(value),
            other => {
                return Err(QueryError {
                    problem: format!("\u{201c}{other}\u{201d} cannot be searched for"),
                });
            }
        });
    }
    Ok(Some(query))
}

/// Splits off a number, or a text in quotes of either kind.
fn literal(text: &str) -> Result<(String, &str), QueryError> {
    match text.chars().next() {
        Some(quote @ ('"' | '\'')) => in_quotes(&text[1..], quote),
        _ => {
            let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
            Ok((text[..end].to_owned(), &text[end..]))
        }
    }
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
fn value(text: &str) -> Result<(String, &str), QueryError> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        return Ok((text[..end].trim_end_matches(',').to_owned(), &text[end..]));
    };
    let (value, left) = in_quotes(quoted, '"')?;
    Ok((value, left.strip_prefix(',').unwrap_or(left)))
}

/// Reads up to the quote that ends a text, and returns what stands behind it, too.
fn in_quotes(quoted: &str, quote: char) -> Result<(String, &str), QueryError> {
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
    Err(QueryError { problem: "a quote is not closed".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout_from;

    const SCREEN: &str = "FrameLayout\n  Button#save \"Save it\" (Keep)\n  TextView#save_hint \"Not \"\n  \
                          EditText#title \"x\"\n";

    fn check(query: &str, expected: &[u32]) {
        let named = Query::parse(query).unwrap().matches(&layout_from(SCREEN));
        assert_eq!(named, expected.iter().map(|idx| WidgetIdx(*idx)).collect::<Vec<_>>(), "{query}");
    }

    #[test]
    fn queries_name_widgets() {
        check("", &[]);
        check("id:save", &[1]);
        check("ID:org.ex:id/save", &[1]);
        check("org.ex:id/save", &[1, 2]);
        check("SAVE", &[1, 2]);
        check("save keep", &[1]);
        check("text:\"Save it\"", &[1]);
        check("\"save it\"", &[1]);
        check("class:Button desc:Keep", &[1]);
        check("class:Button desc:Other", &[]);
        check("//android.widget.EditText", &[3]);
        check("//TextView/following-sibling::EditText | //Button", &[1, 3]);
        check("(//TextView | //Button)[1]", &[1]);
        check("( //Button )/..", &[0]);
        check("xpath:FrameLayout[count(TextView) = 1]", &[0]);
        check(".//EditText", &[3]);
        check("(save", &[]);
        check("class:EditText xpath://*[@text='x']", &[3]);
        check("xpath:\"//*[@text='x']\" class:Button", &[]);
        check("wörter \u{1f600}:", &[]);
        check("//Button", &[1]);
        check("id:save, text:\"Save it\", //Button", &[1]);
        check("id:save, class:Button", &[1]);
    }

    #[test]
    fn what_other_tools_copy_names_widgets() {
        check("xpath=//android.widget.Button", &[1]);
        check("d.xpath('//*[@text=\"Save it\"]')", &[1]);
        check("d(resourceId=\"org.ex:id/save\", text='Save it')", &[1]);
        check("d(textContains=\"ave\")", &[1]);
        check("d(className=\"android.widget.TextView\", instance=0)", &[2]);
        check("d(className=\"android.widget.TextView\", instance=1)", &[]);
        check("new UiSelector().className(\"android.widget.Button\").description(\"Keep\")", &[1]);
        check("/hierarchy/android.widget.FrameLayout/android.widget.EditText[1]", &[3]);
        let error = Query::parse("d(focused=true)").unwrap_err().to_string();
        assert!(error.starts_with("\u{201c}focused\u{201d} cannot be searched for"), "{error}");
    }

    #[test]
    fn what_is_no_query_says_why() {
        let say = |query: &str| Query::parse(query).unwrap_err().to_string();
        assert!(say("text:\"a").starts_with("a quote is not closed. Try a word"), "{}", say("text:\"a"));
        assert!(say("id:").starts_with("nothing stands behind \u{201c}id:\u{201d}"));
        assert!(say("//a[").contains("expected"), "{}", say("//a["));
        for odd in ["\"\\", "(/", "xpath:", "id: x", "\u{e4}\u{e4}", "te\u{1f600}xt:a", "\"", "::", "/"] {
            drop(Query::parse(odd).map(|query| query.matches(&layout_from(SCREEN))));
        }
    }
}
