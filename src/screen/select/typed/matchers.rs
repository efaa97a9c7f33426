//! The matchers of Espresso and of Jetpack Compose's tests, as conditions on a widget.

use super::Problem;
use super::code::{Expr, Link};
use super::named::{How, attribute, compared, flag, has_id, number_of, resource, text_of, truth_of};
use crate::XPath;

/// The condition that a matcher stands for; `None` if it holds for whatever is on the screen.
pub(super) fn condition(expr: &Expr) -> Result<Option<String>, Problem> {
    let Expr::Chain(links) = expr else {
        return Err(Problem { at: 0, text: "a matcher such as withText(\"Save\") is expected".to_owned() });
    };
    // It may be named with its class, as in `ViewMatchers.withId`.
    let called = links.iter().find(|link| link.arguments.is_some());
    let Some(link) = called.filter(|link| links.last().is_some_and(|last| last.at == link.at)) else {
        return Err(Problem { at: links[0].at, text: super::code::of_variable(links) });
    };
    of_link(link)?.ok_or_else(|| Problem {
        at: link.at,
        text: format!("what \u{201c}{}\u{201d} means cannot be seen in a layout", link.name),
    })
}

/// Whether this is the beginning of a selector of Espresso or Compose.
pub(super) fn is_matcher(word: &str) -> bool {
    let begins = ["with", "has", "onnodewith", "onallnodeswith", "allof", "anyof"];
    begins.iter().any(|begin| word.starts_with(begin))
}

/// The condition of a call; `None` outside if it is not known, inside if it always holds.
pub(super) fn of_link(link: &Link) -> Result<Option<Option<String>>, Problem> {
    let word = link.word();
    let word = ["onnode", "onallnodes"].iter().find_map(|begin| word.strip_prefix(begin)).unwrap_or(&word);
    let arguments = link.unnamed();
    let first = arguments.first().copied();
    if let Some(axis) = axis_of(word) {
        let inner = first.map(condition).transpose()?.flatten();
        let inside = inner.map_or(String::new(), |inner| format!("[{inner}]"));
        let near: Vec<String> = axis.split(' ').map(|axis| format!("{axis}::node{inside}")).collect();
        return Ok(Some(Some(near.join(" or "))));
    }
    if let Some(state) = state_of(word) {
        return Ok(Some(state));
    }
    let test = match word {
        "allof" | "anyof" | "both" | "either" => {
            let all = arguments.iter().map(|inner| condition(inner)).collect::<Result<Vec<_>, _>>()?;
            let joint = if word == "anyof" || word == "either" { ") or (" } else { ") and (" };
            let held: Vec<String> = all.into_iter().flatten().collect();
            return Ok(Some((!held.is_empty()).then(|| format!("({})", held.join(joint)))));
        }
        "not" => {
            let inner = first.map(condition).transpose()?.flatten();
            format!("not({})", inner.unwrap_or_else(|| "true()".to_owned()))
        }
        "is" => return first.map(condition).transpose(),
        "withid" => {
            let of_code = if let Some(Expr::Chain(links)) = first { resource(links) } else { None };
            has_id(&of_code.map_or_else(|| text_of(first, link.at), Ok)?)
        }
        "withparentindex" => format!("@index='{}'", number_of(first, link.at)?),
        "withtag" | "hastesttag" => has_id(&text_of(first, link.at)?),
        "withsubstring" => about("text", Some((How::Contains, false)), link)?,
        "withresourcename" => {
            let test = about("resource-id", None, link)?;
            test.replace("@resource-id", "substring-after(@resource-id,':id/')")
        }
        _ => {
            let named = word.strip_prefix("with").or_else(|| word.strip_prefix("has"));
            match named.and_then(attribute) {
                Some((name, How::Equals)) => about(name, None, link)?,
                _ => return Ok(None),
            }
        }
    };
    Ok(Some(Some(test)))
}

/// The axes to the widgets that a matcher is about.
fn axis_of(word: &str) -> Option<&'static str> {
    Some(match word {
        "withparent" | "hasparent" => "parent",
        "withchild" | "hasanychild" => "child",
        "hasdescendant" | "hasanydescendant" => "descendant",
        "isdescendantofa" | "hasanyancestor" => "ancestor",
        "hassibling" | "hasanysibling" => "preceding-sibling following-sibling",
        _ => return None,
    })
}

/// The condition of a matcher without arguments; `None` inside for what is on the screen anyway.
fn state_of(word: &str) -> Option<Option<String>> {
    if ["isdisplayed", "iscompletelydisplayed", "isdisplayingatleast"].contains(&word) {
        return Some(None);
    }
    let state = word.strip_prefix("is").or_else(|| word.strip_prefix("has"))?;
    let (state, wanted) = state.strip_prefix("not").map_or((state, true), |state| (state, false));
    let name = if state == "clickaction" { Some("clickable") } else { flag(state) };
    name.map(|name| Some(format!("@{name}='{wanted}'")))
}

/// A condition on an attribute: of a text, or of a matcher of texts such as `containsString("a")`.
fn about(name: &str, how: Option<(How, bool)>, link: &Link) -> Result<String, Problem> {
    let problem = |text: String| Problem { at: link.at, text };
    let first = link.unnamed().first().copied().or_else(|| link.argument("text"));
    if let Some(Expr::Chain(links)) = first
        && let Some(inner) = links.last().filter(|inner| inner.arguments.is_some())
    {
        let how = match &*inner.word() {
            "is" | "equalto" => (How::Equals, false),
            "containsstring" => (How::Contains, false),
            "containsstringignoringcase" => (How::Contains, true),
            "startswith" => (How::StartsWith, false),
            "endswith" => (How::EndsWith, false),
            "matchespattern" | "matchesregex" => (How::Matches, false),
            "equaltoignoringcase" => {
                let text = text_of(inner.unnamed().first().copied(), inner.at)?.to_lowercase();
                return Ok(format!("lower-case(@{name})={}", XPath::literal(&text)));
            }
            "not" => {
                let within = Link { arguments: inner.arguments.clone(), ..link.clone() };
                return Ok(format!("not({})", about(name, None, &within)?));
            }
            _ => return Err(problem(super::code::of_variable(links))),
        };
        return about(name, Some(how), inner);
    }
    if let Some(Expr::Chain(links)) = first
        && links.first().is_some_and(|first| first.name == "R")
    {
        let text = "the text of a resource is not known here; write the text that is shown".to_owned();
        return Err(problem(text));
    }
    if link.unnamed().len() > 1 {
        return Err(problem(format!("what else is passed to \u{201c}{}\u{201d} needs its name", link.name)));
    }
    let text = text_of(first, link.at)?;
    let option = |name: &str| link.argument(name).map_or(Ok(false), |value| truth_of(Some(value), link.at));
    let (part, any_case) = (option("substring")?, option("ignorecase")?);
    let (how, folded) = how.unwrap_or((if part { How::Contains } else { How::Equals }, any_case));
    if folded && how == How::Equals {
        return Ok(format!("lower-case(@{name})={}", XPath::literal(&text.to_lowercase())));
    }
    compared(name, how, &text, folded).map_err(problem)
}
