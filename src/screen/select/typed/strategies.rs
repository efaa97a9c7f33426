//! Ways to look for widgets in Appium, Selenium, WebdriverIO and the Robot Framework, each with a name.

use super::Problem;
use super::calls::{named, nothing};
use super::code::{Argument, Expr, Link, folded};
use super::named::{
    How, Kind, Named, SCREEN, attribute, compared, flag, has_class, has_id, resource, text_of,
};
use crate::XPath;

/// What `findElement`, `find_element_by_id`, `elementById` and `findObject` look for by: nothing if that is passed.
pub(super) fn find_word(word: &str) -> Option<&str> {
    let tail = word.strip_prefix("waitfor").or_else(|| word.strip_prefix("find")).unwrap_or(word);
    let tail =
        ["elements", "element", "objects", "object"].iter().find_map(|noun| tail.strip_prefix(noun))?;
    match tail.strip_prefix("by") {
        Some(by) => Some(by),
        None => (tail.is_empty() && tail.len() != word.len()).then_some(""),
    }
}

pub(super) fn find(link: &Link, by: &str, base: &str) -> Result<Named, Problem> {
    let unnamed = link.unnamed();
    let found = match (unnamed.as_slice(), link.argument("by")) {
        (values, None) if !by.is_empty() => strategy(by, values.first().copied(), base, link.at),
        ([inner], None) => named(inner, base),
        ([by, value, ..], None) => strategy(&strategy_name(by), Some(value), base, link.at),
        (values, Some(by)) => {
            let value = link.argument("value").or(values.first().copied());
            strategy(&strategy_name(by), value, base, link.at)
        }
        ([], None) => match link.arguments.as_deref() {
            Some([Argument { name: Some(by), value }]) => strategy(&folded(by), Some(value), base, link.at),
            _ => Err(nothing(link)),
        },
    };
    found.map(|named| Named { kind: Kind::Found, ..named })
}

/// The name of a strategy: that of a constant such as `AppiumBy.ID`, or a text.
pub(super) fn strategy_name(expr: &Expr) -> String {
    match expr {
        Expr::Text(text) => folded(text),
        Expr::Chain(links) => links.last().map(Link::word).unwrap_or_default(),
        Expr::Number(_) | Expr::List(_) | Expr::Object(_) => String::new(),
    }
}

/// Whether `name=value` is how the Robot Framework, WebdriverIO or Selenium write a selector.
pub(super) fn is_strategy(name: &str) -> bool {
    let known = [
        "accessibilityid",
        "android",
        "androiduiautomator",
        "class",
        "classname",
        "id",
        "identifier",
        "name",
        "text",
        "uiautomator",
        "xpath",
    ];
    known.contains(&name) || not_android(name).is_some()
}

/// Whether such a selector may look like code, but is no call.
pub(super) fn takes_code(name: &str) -> bool {
    name == "xpath" || name == "android" || name.contains("uiautomator") || not_android(name).is_some()
}

/// Why what a strategy looks for is in no layout; `None` if it is.
pub(super) fn not_android(name: &str) -> Option<&'static str> {
    Some(match name {
        "css" | "cssselector" | "linktext" | "partiallinktext" | "link" | "tagname" | "tag" | "jquery"
        | "dom" => "looks into a web page, of which a layout has widgets: write an XPath",
        "image" | "custom" => "looks at a picture",
        "viewtag" | "androidviewtag" | "datamatcher" | "androiddatamatcher" | "viewmatcher"
        | "androidviewmatcher" => "looks into the app itself, not at its layout",
        _ if name.starts_with("ios")
            || name.contains("predicate")
            || name == "chain"
            || name == "classchain" =>
        {
            "is for iOS, not for Android"
        }
        _ => return None,
    })
}

/// What Appium and Selenium find by a strategy.
pub(super) fn strategy(name: &str, value: Option<&Expr>, base: &str, at: usize) -> Result<Named, Problem> {
    let name = name.strip_prefix("by").unwrap_or(name);
    if let Some(why) = not_android(name) {
        return Err(Problem { at, text: format!("\u{201c}{name}\u{201d} {why}") });
    }
    let text = |expr: Option<&Expr>| text_of(expr, at);
    let test = match name {
        "id" | "resourceid" => match value {
            Some(Expr::Chain(links)) if resource(links).is_some() => {
                has_id(&resource(links).unwrap_or_default())
            }
            value => has_id(&text(value)?),
        },
        "identifier" | "name" => {
            let text = XPath::literal(&text(value)?);
            format!("@text={text} or @content-desc={text} or @resource-id={text}")
        }
        "accessibilityid" | "accessibility" | "label" => {
            format!("@content-desc={}", XPath::literal(&text(value)?))
        }
        "classname" | "class" | "type" => has_class(&text(value)?),
        "text" => format!("@text={}", XPath::literal(&text(value)?)),
        "xpath" => return relative(&text(value)?, base, at),
        "android" => return code(&text(value)?, base, at),
        _ if name.contains("uiautomator") => return code(&text(value)?, base, at),
        _ => {
            return Err(Problem {
                at,
                text: format!("\u{201c}{name}\u{201d} is no way to look for widgets of Android"),
            });
        }
    };
    Ok(Named::with(base, test))
}

/// A selector in a text that is one of code itself.
pub(super) fn code(text: &str, base: &str, at: usize) -> Result<Named, Problem> {
    let inside = |problem: Problem| Problem { at, text: problem.text };
    named(&super::code::parse(text).map_err(inside)?, base).map_err(inside)
}

/// An XPath that is looked for on the screen or from a widget.
pub(super) fn relative(path: &str, base: &str, at: usize) -> Result<Named, Problem> {
    if base == SCREEN {
        let path = path.trim_start();
        if path.starts_with("..") || path.starts_with("./") && !path.starts_with(".//") {
            let text = format!("\u{201c}{path}\u{201d} begins at a widget that is not named here");
            return Err(Problem { at, text });
        }
        return Ok(Named::path_of(path.to_owned()));
    }
    let from = base.strip_suffix("//");
    match (from, path.strip_prefix('.')) {
        (Some(from), Some(path)) if path.starts_with('/') => Ok(Named::path_of(format!("{from}{path}"))),
        // As in Selenium, such a path begins at the screen wherever it stands.
        (Some(_), None) if path.starts_with('/') => Ok(Named::path_of(path.to_owned())),
        _ => Err(Problem { at, text: "an XPath from a widget begins with ./ or .//".to_owned() }),
    }
}

/// The XPath that uiautomator2 makes of what `d.xpath` is called with.
pub(super) fn short_xpath(text: &str) -> String {
    let literal = XPath::literal;
    let either = |function: &str, part: &str| {
        let part = literal(part);
        format!("//node[{function}(@text,{part}) or {function}(@content-desc,{part})]")
    };
    match (text.strip_prefix('%'), text.strip_suffix('%')) {
        _ if text.trim_start_matches(['(', ' ']).starts_with('/') => text.to_owned(),
        (Some(part), Some(_)) if part.ends_with('%') => either("contains", &part[..part.len() - 1]),
        (Some(end), _) => either("ends-with", end),
        (_, Some(begin)) => either("starts-with", begin),
        _ if text.starts_with('@') => format!("//node[@resource-id={}]", literal(&text[1..])),
        _ if text.starts_with('^') => {
            let pattern = literal(text);
            let matches =
                ["@text", "@content-desc", "@resource-id"].map(|name| format!("re:match({name},{pattern})"));
            format!("//node[{}]", matches.join(" or "))
        }
        _ => {
            let text = literal(text);
            format!("//node[@text={text} or @content-desc={text} or @resource-id={text}]")
        }
    }
}

/// What an annotation such as `@AndroidFindBy(id = "save")` finds.
pub(super) fn annotated(annotation: &str, link: &Link, base: &str) -> Result<Named, Problem> {
    if annotation.starts_with("ios") {
        return Err(Problem {
            at: link.at,
            text: format!("\u{201c}{}\u{201d} is for iOS, not for Android", link.name),
        });
    }
    let problem = |text: &str| Problem { at: link.at, text: text.to_owned() };
    let inner = |value: &Expr| match value {
        Expr::Object(parts) => parts.iter().map(|part| part.value.clone()).collect(),
        other => vec![other.clone()],
    };
    match link.arguments.as_deref() {
        Some([Argument { name: Some(by), value }]) if annotation.ends_with("by") => {
            strategy(&folded(by), Some(value), base, link.at)
        }
        // Each is looked for in what the one before finds.
        Some([Argument { name: None, value }]) if annotation.ends_with("findbys") => {
            let mut found: Option<Named> = None;
            for annotation in inner(value) {
                let base = found.map_or_else(|| base.to_owned(), |found| found.base("//"));
                found = Some(named(&annotation, &base)?);
            }
            found.ok_or_else(|| problem("no strategy is in the annotation"))
        }
        Some([Argument { name: None, value }]) if annotation.ends_with("findall") => {
            let all = inner(value);
            let paths = all.iter().map(|annotation| Ok(named(annotation, base)?.path()));
            let paths = paths.collect::<Result<Vec<_>, Problem>>()?;
            Ok(Named::path_of(paths.join(" | ")))
        }
        _ => Err(problem("one strategy is expected in the annotation")),
    }
}

/// The selector in a row of the Robot Framework, such as `Click Element    id=save    5` or `${SAVE}    id=save`.
pub(super) fn in_row(text: &str) -> Option<&str> {
    let is_selector = |cell: &str| {
        cell.split_once('=').is_some_and(|(by, value)| is_strategy(&folded(by)) && !value.trim().is_empty())
    };
    let cells =
        || text.split('\t').flat_map(|part| part.split("  ")).map(str::trim).filter(|cell| !cell.is_empty());
    let first = cells().next()?;
    let is_row = !text.contains('\n') && !first.contains(['(', '"', '\'']) && !is_selector(first);
    let mut selectors = cells().filter(|_| is_row).filter_map(|cell| {
        let of_name = cell.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
        // Of several in a table, each has a name.
        let named = of_name.filter(|(name, _)| !name.contains(' ')).map(|(_, value)| value);
        [Some(cell), named].into_iter().flatten().find(|cell| is_selector(cell))
    });
    selectors.next().filter(|_| selectors.next().is_none())
}

/// What attributes name in the notation of CSS, which Appium takes for widgets: `android.widget.Switch[text="Wi-Fi"]`.
/// `None` for any other text.
pub(super) fn by_attributes(text: &str, base: &str) -> Option<Result<Named, Problem>> {
    let (class, mut rest) = text.split_at(text.find('[')?);
    if !(class.is_empty() || class == "*" || super::is_class(class)) || !text.ends_with(']') {
        return None;
    }
    let mut tests: Vec<String> =
        Some(class).filter(|class| class.contains('.')).map(has_class).into_iter().collect();
    while !rest.is_empty() {
        let (name, behind) = rest.strip_prefix('[')?.split_once('=')?;
        if name.trim_start().starts_with('@') {
            let text =
                format!("\u{201c}{text}\u{201d} is an XPath without its beginning; write // before it");
            return Some(Err(Problem::new(text)));
        }
        let sign = name.chars().next_back().filter(|sign| "*^$".contains(*sign));
        let how = match sign {
            Some('*') => How::Contains,
            Some('^') => How::StartsWith,
            Some(_) => How::EndsWith,
            None => How::Equals,
        };
        let name = folded(name.trim_end_matches(['*', '^', '$']).trim());
        let quote = behind.chars().next().filter(|quote| matches!(quote, '"' | '\''));
        let read = quote.map(|quote| super::in_quotes(&behind[1..], quote));
        let (value, left) = match read {
            Some(Ok((value, left))) => (value, left),
            Some(Err(problem)) => return Some(Err(problem)),
            None => behind.split_once(']').map(|(value, _)| (value.to_owned(), &behind[value.len()..]))?,
        };
        let test = match (attribute(&name), flag(&name)) {
            (Some((name, How::Equals)), _) => compared(name, how, &value, true),
            (_, Some(flag)) => Ok(format!("@{flag}={}", XPath::literal(&value.to_lowercase()))),
            _ => Err(format!("\u{201c}{name}\u{201d} is no attribute of a dump")),
        };
        match test {
            Ok(test) => tests.push(test),
            Err(text) => return Some(Err(Problem::new(text))),
        }
        rest = left.strip_prefix(']')?;
    }
    Some(Ok(Named { tests, ..Named::from(base, Kind::Found) }))
}
