//! What chains of calls name: those of uiautomator2, UiAutomator, Appium, Selenium, WebdriverIO, Espresso and Detox.

use super::code::{Argument, Expr, Link, folded, is_plain};
use super::named::{
    How, Kind, Named, SCREEN, attribute, compared, flag, has_class, has_id, matched, number_of, resource,
    text_of, truth_of,
};
use super::strategies::{annotated, find, find_word, is_strategy, short_xpath, strategy, strategy_name};
use super::words::{ACTIONS, PASSED, is_around, is_helper};
use super::{Problem, matchers};
use crate::XPath;

/// What another tool looks for: a locator, or a chain of calls.
pub(super) fn named(expr: &Expr, base: &str) -> Result<Named, Problem> {
    match expr {
        Expr::Text(text) => super::tool_text(text, base),
        Expr::Chain(links) => chain(links, base),
        Expr::List(parts) => match parts.as_slice() {
            [one] => named(one, base),
            [by, value] => strategy(&strategy_name(by), Some(value), base, 0),
            _ => Err(Problem { at: 0, text: "a list of several selectors is not understood".to_owned() }),
        },
        Expr::Object(parts) => {
            let part = |names: [&str; 2]| {
                let named = |part: &&Argument| part.name.as_deref().is_some_and(|name| names.contains(&name));
                parts.iter().find(named).map(|part| &part.value)
            };
            match part(["using", "strategy"]) {
                Some(by) => strategy(&strategy_name(by), part(["value", "selector"]), base, 0),
                None => Err(Problem { at: 0, text: "an object without \u{201c}using\u{201d}".to_owned() }),
            }
        }
        Expr::Number(_) => Err(Problem { at: 0, text: "a number names no widget".to_owned() }),
    }
}

fn chain(links: &[Link], base: &str) -> Result<Named, Problem> {
    if is_plain(links)
        && let Some(id) = resource(links)
    {
        return Ok(Named::with(base, has_id(&id)));
    }
    let mut found: Option<Named> = None;
    // What a `UiSelector` looks for from the widget that its other parts name.
    let mut inner: Option<(&str, &Expr, usize)> = None;
    for (place, link) in links.iter().enumerate() {
        let word = link.word();
        let before = place.checked_sub(1).and_then(|before| links.get(before));
        found = match found {
            None => begin(link, before, base)?,
            Some(named) if named.kind == Kind::Ui && ["childselector", "fromparent"].contains(&&*word) => {
                let axis = if word == "fromparent" { "/../descendant::" } else { "//" };
                let Some(value) = link.unnamed().first().copied().filter(|_| inner.is_none()) else {
                    return Err(Problem { at: link.at, text: "one selector is expected inside".to_owned() });
                };
                inner = Some((axis, value, link.at));
                Some(named)
            }
            Some(named) => match step(named, link, &links[place + 1..])? {
                Step::On(named) => Some(named),
                Step::Ended(named) => {
                    if let Some(other) = links[place + 1..].iter().find(|link| leads(&link.word())) {
                        return Err(leads_nowhere(other));
                    }
                    found = Some(named);
                    break;
                }
            },
        };
        match (found.take(), link.indices.as_slice()) {
            (Some(named), indices) => {
                let mut named = named;
                for index in indices {
                    let index = number_of(Some(index), link.at)?;
                    named = named.placed(index).map_err(|text| Problem { at: link.at, text })?;
                }
                found = Some(named);
            }
            (None, []) => {}
            (None, _) => {
                return Err(Problem { at: link.at, text: super::code::of_variable(&links[..=place]) });
            }
        }
    }
    let unknown = || Problem { at: links[0].at, text: format!("{} names no widget", shown(links)) };
    let found = found.ok_or_else(unknown)?;
    match inner {
        Some((axis, value, _)) => named(value, &found.base(axis)),
        None => Ok(found),
    }
}

fn shown(links: &[Link]) -> String {
    let names: Vec<&str> = links.iter().map(|link| &*link.name).collect();
    format!("\u{201c}{}\u{201d}", names.join("."))
}

/// What the first calls of a chain name; `None` for what stands before them, such as a driver.
fn begin(link: &Link, before: Option<&Link>, base: &str) -> Result<Option<Named>, Problem> {
    let word = link.word();
    let Some(arguments) = &link.arguments else { return Ok(None) };
    let unnamed = link.unnamed();
    let first = unnamed.first().copied();
    let before = before.filter(|before| before.arguments.is_none()).map(Link::word).unwrap_or_default();
    if before.ends_with("by") {
        let named = Named::from(base, Kind::By);
        if !["id", "name", "xpath", "classname"].contains(&&*word)
            && let Some(test) = criterion(link, Kind::By)?
        {
            return Ok(Some(Named { tests: vec![test], ..named }));
        }
        let found = strategy(&word, first, base, link.at)?;
        return Ok(Some(Named { kind: Kind::By, ..found }));
    }
    if word == "uiselector" {
        return Ok(Some(Named::from(base, Kind::Ui)));
    }
    // Appium adds `new UiSelector()` to what begins without it.
    if before.is_empty()
        && !unnamed.is_empty()
        && let Some(test) = criterion(link, Kind::Ui)?
    {
        return Ok(Some(Named { tests: vec![test], ..Named::from(base, Kind::Ui) }));
    }
    if word == "$" || word == "$$" {
        return named(first.ok_or_else(|| nothing(link))?, base).map(Some);
    }
    if let Some(by) = find_word(&word) {
        return find(link, by, base).map(Some);
    }
    if word == "xpath" {
        return Ok(Some(Named::path_of(short_xpath(&text_of(first, link.at)?))));
    }
    if let Some(annotation) = word.strip_prefix('@') {
        return annotated(annotation, link, base).map(Some);
    }
    if word == "onview" || word == "onnode" || word == "onallnodes" {
        let test = matchers::condition(first.ok_or_else(|| nothing(link))?)?;
        return Ok(Some(Named { tests: test.into_iter().collect(), ..Named::from(base, Kind::Found) }));
    }
    if matchers::is_matcher(&word)
        && let Some(Some(test)) = matchers::of_link(link)?
    {
        return Ok(Some(Named::with(base, test)));
    }
    if let Some(found) = around(link, base)? {
        return Ok(Some(Named { kind: Kind::Found, ..found }));
    }
    // What is named for a report, as in `Target.the("field").located(…)`, is what follows.
    let is_label = word == "the" && before == "target";
    if is_label
        || arguments.is_empty()
        || ["getinstance", "webdriverwait", "fluentwait", "wait"].contains(&&*word)
    {
        return Ok(None);
    }
    if unnamed.is_empty() {
        return keywords(link, base).map(Some);
    }
    Err(Problem {
        at: link.at,
        text: format!(
            "\u{201c}{}(\u{2026})\u{201d} is of no tool that is known here; write the selector in it alone, or put \
             words in quotes",
            link.name
        ),
    })
}

/// What the selector names that a method is called with, which finds it or acts on it.
fn around(link: &Link, base: &str) -> Result<Option<Named>, Problem> {
    let (word, unnamed) = (link.word(), link.unnamed());
    match unnamed.first() {
        Some(Expr::Chain(links)) if is_around(&word) && !is_plain(links) => {
            return chain(links, base).map(Some);
        }
        Some(inner @ (Expr::List(_) | Expr::Text(_))) if is_around(&word) => {
            return named(inner, base).map(Some);
        }
        Some(Expr::Text(text)) if is_selector(text) => return super::tool_text(text, base).map(Some),
        _ => {}
    }
    // Of a list that a variable stands for, as of a device, the screen is what is known.
    if word.starts_with("getchild") && word != "getchildbyinstance" {
        return led_to(&Named::from(base, Kind::Found), link);
    }
    let with_number = unnamed.iter().any(|expr| matches!(expr, Expr::Number(_)));
    if is_helper(&word, with_number) { passed_to(link, base) } else { Ok(None) }
}

/// Whether a text that is passed is a selector, whatever it is passed to.
fn is_selector(text: &str) -> bool {
    let named = |(by, _): (&str, &str)| !by.contains(' ') && is_strategy(&folded(by));
    super::is_path(text)
        || text.starts_with('~')
        || text.contains("UiSelector(")
        || text.split_once('=').is_some_and(named)
}

/// The one selector that a tester's own helper is called with, as in `isVisible(By.id("save"), 5)`.
fn passed_to(link: &Link, base: &str) -> Result<Option<Named>, Problem> {
    if link.argument("by").is_some() {
        return find(link, "", base).map(Some);
    }
    let unnamed = link.unnamed();
    let is_constant = |expr: &&Expr| {
        matches!(expr, Expr::Chain(links)
            if is_plain(links)
                && links.iter().rev().nth(1).is_some_and(|link| link.word().ends_with("by")))
    };
    if let Some(place) = unnamed.iter().position(is_constant) {
        let value = unnamed.get(place + 1).copied();
        return strategy(&strategy_name(unnamed[place]), value, base, link.at).map(Some);
    }
    let mut selectors = unnamed.iter().filter(|expr| match expr {
        Expr::Chain(links) => !is_plain(links),
        Expr::Text(text) => is_selector(text),
        Expr::List(_) | Expr::Object(_) => true,
        Expr::Number(_) => false,
    });
    match (selectors.next(), selectors.next()) {
        (Some(selector), None) => named(selector, base).map(Some),
        _ => Ok(None),
    }
}

pub(super) fn nothing(link: &Link) -> Problem {
    Problem { at: link.at, text: format!("nothing is passed to \u{201c}{}\u{201d}", link.name) }
}

/// What is named by keywords, as in `d(text="Save", enabled=True)`.
fn keywords(link: &Link, base: &str) -> Result<Named, Problem> {
    let mut named = Named::from(base, Kind::Found);
    let mut instance = None;
    for argument in link.arguments.iter().flatten() {
        let Some(name) = &argument.name else {
            let text = format!("\u{201c}{}\u{201d} takes attributes such as text=\"Save\"", link.name);
            return Err(Problem { at: link.at, text });
        };
        let given = Link {
            name: name.clone(),
            arguments: Some(vec![Argument { name: None, value: argument.value.clone() }]),
            at: link.at,
            ..Link::default()
        };
        match (&*given.word(), criterion(&given, Kind::Ui)?) {
            ("instance", _) => instance = Some(number_of(Some(&argument.value), link.at)?),
            (_, Some(test)) => named.tests.push(test),
            (_, None) => {
                return Err(Problem {
                    at: link.at,
                    text: format!("\u{201c}{name}\u{201d} is no attribute that can be looked for"),
                });
            }
        }
    }
    match (instance, named.tests.is_empty()) {
        (None, true) => Err(nothing(link)),
        (None, false) => Ok(named),
        (Some(instance), _) => named.placed(instance).map_err(|text| Problem { at: link.at, text }),
    }
}

/// The flags of a pattern that is compiled, as `matches` of XPath has them.
fn flags_of(pattern: &Link) -> Result<&'static str, Problem> {
    let (mut any_case, mut any_letter) = (false, false);
    let given = pattern.unnamed().into_iter().skip(1).chain(pattern.argument("options"));
    let flags = given.flat_map(|given| match given {
        Expr::List(flags) => flags.as_slice(),
        one => std::slice::from_ref(one),
    });
    for flag in flags {
        match &*strategy_name(flag) {
            "caseinsensitive" | "ignorecase" => any_case = true,
            "dotall" | "dotmatchesall" => any_letter = true,
            "unicodecase" => {}
            other => {
                let text = format!("\u{201c}{other}\u{201d} is no flag of a pattern that is understood here");
                return Err(Problem { at: pattern.at, text });
            }
        }
    }
    Ok(match (any_case, any_letter) {
        (false, false) => "",
        (true, false) => "i",
        (false, true) => "s",
        (true, true) => "is",
    })
}

/// The condition that a method of a selector, or a keyword, adds; `None` if it is none.
fn criterion(link: &Link, kind: Kind) -> Result<Option<String>, Problem> {
    let word = link.word();
    let problem = |text: String| Problem { at: link.at, text };
    let arguments = link.unnamed();
    let first = arguments.first().copied();
    if let Some(name) = flag(&word) {
        return Ok(Some(format!("@{name}='{}'", truth_of(first, link.at)?)));
    }
    if let Some((name, how)) = attribute(&word) {
        if let Some(Expr::Chain(links)) = first
            && let Some(pattern) =
                links.iter().find(|link| ["compile", "regex", "toregex"].contains(&&*link.word()))
        {
            let flags = flags_of(pattern)?;
            let pattern = text_of(pattern.unnamed().first().copied(), link.at)?;
            return matched(name, &pattern, flags).map(Some).map_err(problem);
        }
        let value = match (name, arguments.as_slice()) {
            ("resource-id", [Expr::Chain(links)]) if resource(links).is_some() => {
                return Ok(resource(links).map(|id| has_id(&id)));
            }
            ("resource-id", [package, id]) => {
                format!("{}:id/{}", text_of(Some(package), link.at)?, text_of(Some(id), link.at)?)
            }
            ("class", [package, class]) => {
                format!("{}.{}", text_of(Some(package), link.at)?, text_of(Some(class), link.at)?)
            }
            (_, [value]) => text_of(Some(value), link.at)?,
            _ => return Err(problem(format!("\u{201c}{}\u{201d} takes one text", link.name))),
        };
        if (name, how) == ("class", How::Equals) {
            let widget = if kind == Kind::By && value.starts_with('.') { "android.widget" } else { "" };
            return Ok(Some(has_class(&format!("{widget}{value}"))));
        }
        return compared(name, how, &value, kind == Kind::Ui).map(Some).map_err(problem);
    }
    let axis = match (kind, &*word) {
        (Kind::Ui, "index") => return Ok(Some(format!("@index='{}'", number_of(first, link.at)?))),
        (Kind::By, "depth") => {
            return Ok(Some(format!("count(ancestor::node)={}", number_of(first, link.at)?)));
        }
        (Kind::By, "haschild") => "child::",
        (Kind::By, "hasdescendant" | "withdescendant") => "descendant::",
        (Kind::By, "hasparent") => "parent::",
        (Kind::By, "hasancestor" | "withancestor") => "ancestor::",
        (Kind::By, "and") => "self::",
        _ => return Ok(None),
    };
    match arguments.as_slice() {
        [inner] => Ok(Some(named(inner, axis)?.path())),
        _ => Err(problem(format!("\u{201c}{}\u{201d} takes one selector here", link.name))),
    }
}

enum Step {
    On(Named),
    /// What follows does not change what is named.
    Ended(Named),
}

/// What a call or a property leads to from the widgets named so far.
fn step(named: Named, link: &Link, behind: &[Link]) -> Result<Step, Problem> {
    let word = link.word();
    let problem = |text: String| Problem { at: link.at, text };
    if named.kind != Kind::Found {
        if word == "instance" && named.kind == Kind::Ui {
            let instance = number_of(link.unnamed().first().copied(), link.at)?;
            return named.placed(instance).map(Step::On).map_err(problem);
        }
        if let Some(test) = criterion(link, named.kind)? {
            return Ok(Step::On(Named { tests: [named.tests.clone(), vec![test]].concat(), ..named }));
        }
    }
    if let Some(on) = led_to(&named, link)? {
        return Ok(Step::On(on));
    }
    let scrolls_to =
        |link: &Link| link.arguments.is_some() && (link.word() == "to" || link.word().ends_with("intoview"));
    let scrolls = ["scroll", "fling", "vert", "horiz", "forward", "set"];
    if scrolls.iter().any(|begin| word.starts_with(begin)) && behind.iter().any(scrolls_to) {
        return Ok(Step::On(named));
    }
    let is_passed = PASSED.contains(&&*word) || (word.starts_with("wait") && link.arguments.is_some());
    match word.as_str() {
        _ if is_passed => Ok(Step::On(named)),
        "get" if link.arguments.as_ref().is_some_and(Vec::is_empty) => Ok(Step::On(named)),
        _ if ACTIONS.iter().any(|action| word.starts_with(action)) => Ok(Step::Ended(named)),
        _ => Err(leads_nowhere(link)),
    }
}

/// Whether a method leads to other widgets.
fn leads(word: &str) -> bool {
    ["child", "parent", "sibling", "$", "$$"].contains(&word)
        || word.ends_with("intoview")
        || find_word(word).is_some()
}

fn leads_nowhere(link: &Link) -> Problem {
    let text = format!("what \u{201c}.{}\u{201d} leads to is not known here", link.name);
    Problem { at: link.at, text }
}

/// The widgets that a method finds from those that are named; `None` if it finds none.
fn led_to(from: &Named, link: &Link) -> Result<Option<Named>, Problem> {
    let word = link.word();
    let problem = |text: String| Problem { at: link.at, text };
    let unnamed = link.unnamed();
    let first = unnamed.first().copied();
    let Some(arguments) = &link.arguments else {
        let only = match &*word {
            "children" => Some(Named::from(&from.base("/"), Kind::Found)),
            "parent" => Some(Named::path_of(from.base("/.."))),
            // Ruby calls without brackets.
            "first" => return from.clone().placed(0).map(Some).map_err(problem),
            "last" => return from.clone().placed(-1).map(Some).map_err(problem),
            _ => None,
        };
        return Ok(only);
    };
    let keyed = !arguments.is_empty() && unnamed.is_empty();
    let found = match &*word {
        "child" if keyed => keywords(link, &from.base("//"))?,
        "sibling" if keyed => keywords(link, &from.base("/../descendant::"))?,
        "to" if keyed => keywords(link, SCREEN)?,
        "left" | "right" | "up" | "down" if keyed => {
            let axis = [("left", "left-of"), ("right", "right-of"), ("up", "above"), ("down", "below")];
            let axis = axis.iter().find(|(side, _)| *side == word).map_or("", |(_, axis)| *axis);
            let mut beside = keywords(link, &from.clone().first().base(&format!("/{axis}::")))?;
            beside.tests.push("1".to_owned());
            beside
        }
        "child" if from.complete => {
            let path = text_of(first, link.at)?;
            let slash = if path.starts_with('/') { "" } else { "/" };
            Named::path_of(from.base(&format!("{slash}{path}")))
        }
        "getchild" => named(first.ok_or_else(|| nothing(link))?, &from.base("//"))?,
        "getfromparent" => named(first.ok_or_else(|| nothing(link))?, &from.base("/../descendant::"))?,
        "childbytext" | "childbydescription" | "childbyinstance" => {
            let name = if word == "childbytext" { "text" } else { "content-desc" };
            let keys = arguments.iter().filter(|argument| {
                argument.name.as_deref().is_some_and(|name| name != "allow_scroll_search")
            });
            let pattern = Link { arguments: Some(keys.cloned().collect()), ..link.clone() };
            let mut child = keywords(&pattern, &from.base("//"))?;
            if word == "childbyinstance" {
                return child.placed(number_of(first, link.at)?).map(Some).map_err(problem);
            }
            child.tests.push(holding(name, first, link.at)?);
            child
        }
        "getchildbytext" | "getchildbydescription" | "getchildbyinstance" => {
            let mut child = named(first.ok_or_else(|| nothing(link))?, &from.base("//"))?;
            if word == "getchildbyinstance" {
                return child.placed(number_of(unnamed.get(1).copied(), link.at)?).map(Some).map_err(problem);
            }
            let name = if word == "getchildbytext" { "text" } else { "content-desc" };
            child.tests.push(holding(name, unnamed.get(1).copied(), link.at)?);
            child
        }
        "scrollintoview" => named(first.ok_or_else(|| nothing(link))?, SCREEN)?,
        "scrolltextintoview" => {
            Named::with(SCREEN, format!("@text={}", XPath::literal(&text_of(first, link.at)?)))
        }
        "scrolldescriptionintoview" => {
            Named::with(SCREEN, format!("@content-desc={}", XPath::literal(&text_of(first, link.at)?)))
        }
        "getchildren" | "children" => Named::from(&from.base("/"), Kind::Found),
        "getparent" | "parent" if arguments.is_empty() => Named::path_of(from.base("/..")),
        "first" if arguments.is_empty() => return from.clone().placed(0).map(Some).map_err(problem),
        "last" if arguments.is_empty() => return from.clone().placed(-1).map(Some).map_err(problem),
        "get" | "nth" | "at" | "atindex" | "elementat" | "onlast" | "onfirst"
            if matches!(first, Some(Expr::Number(_))) =>
        {
            return from.clone().placed(number_of(first, link.at)?).map(Some).map_err(problem);
        }
        "$" | "$$" => named(first.ok_or_else(|| nothing(link))?, &from.clone().first().base("//"))?,
        _ => match find_word(&word) {
            Some(by) => find(link, by, &from.clone().first().base("//"))?,
            None => return Ok(None),
        },
    };
    Ok(Some(Named { kind: Kind::Found, ..found }))
}

/// The condition that a widget, or one in it, has this text, or a description with it.
fn holding(name: &str, text: Option<&Expr>, at: usize) -> Result<String, Problem> {
    let text = text_of(text, at)?;
    let (itself, lower) = (XPath::literal(&text), XPath::literal(&text.to_lowercase()));
    Ok(match name {
        "text" => format!("descendant-or-self::node[@text={itself}]"),
        // UiAutomator takes notice of case in the widget itself only.
        _ => format!("contains(@{name},{itself}) or descendant::node[contains(lower-case(@{name}),{lower})]"),
    })
}
