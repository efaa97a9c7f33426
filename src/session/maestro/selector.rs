//! The selectors, points and conditions of flows.

use super::fields::{Fields, Say, UNKNOWN};
use super::yaml::{Node, Problem, Value};
use taproof_screen::{
    Direction, MaestroPattern, MaestroRelation, MaestroSelector, MaestroTrait, PxPoint, PxRect, PxSize,
    WidgetFlags,
};

/// What a command is done to, and how often.
#[derive(Debug)]
pub(super) struct Target {
    pub selector: MaestroSelector,
    /// A point of the widget, or of the screen without a selector.
    pub point: Option<Point>,
    pub times: i64,
    /// Between two taps, in milliseconds.
    pub delay: u64,
    /// Whether a tap that changes nothing is done again.
    pub retry: bool,
}

/// A point, in pixels or percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    at: (f64, f64),
    percent: bool,
}

impl Point {
    /// Reads `50%, 80%` or `100,200`.
    pub fn parse(text: &str) -> Result<Point, String> {
        let bad = || format!("{text:?} is no point such as 50%, 80% or 100, 200");
        if text == UNKNOWN {
            return Ok(Point { at: (0.0, 0.0), percent: true });
        }
        let percent = text.contains('%');
        let number =
            |part: &str| part.replace('%', "").trim().parse::<f64>().ok().filter(|it| it.is_finite());
        let parts = text.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
        let within = |it: f64| !percent || (0.0..=100.0).contains(&it);
        let at = parts.filter(|(x, y)| within(*x) && within(*y)).ok_or_else(bad)?;
        Ok(Point { at, percent })
    }

    /// The point in an area, in pixels. It is kept inside.
    pub fn within(self, area: PxRect) -> PxPoint {
        let place = |part: f64, from: i32, length: i32| {
            let pixels = if self.percent { f64::from(length) * part / 100.0 } else { part };
            from.saturating_add((pixels as i32).clamp(0, (length - 1).max(0)))
        };
        PxPoint { x: place(self.at.0, area.left, area.width()), y: place(self.at.1, area.top, area.height()) }
    }

    pub fn on(self, screen: PxSize) -> PxPoint {
        self.within(PxRect::new(0, 0, screen.width, screen.height))
    }
}

/// Reads what a command is done to.
pub(super) fn target<'n>(name: &'n str, node: &'n Node, say: Say<'_>) -> Result<Target, Problem> {
    let mut fields = Fields::of(name, node, Some("text"), say)?;
    let selector = parts(&mut fields, say)?;
    let point = fields.text("point")?.map(|text| Point::parse(&text)).transpose();
    let read = Target {
        selector,
        point: point.map_err(|what| node.problem(what))?,
        times: fields.number("repeat")?.unwrap_or(1).clamp(1, 100),
        delay: fields.number("delay")?.unwrap_or(100).clamp(0, 60_000) as u64,
        retry: fields.flag("retryTapIfNoChange")?.unwrap_or(false),
    };
    // Every event waits until the screen is at rest, and a widget is waited for.
    fields.leave(&["label", "optional", "waitUntilVisible", "waitToSettleTimeoutMs"]);
    fields.end()?;
    if read.selector.is_empty() && read.point.is_none() {
        return Err(node.problem(format!("`{name}` names no widget and no point")));
    }
    Ok(read)
}

/// Reads a selector.
pub(super) fn selector(name: &str, node: &Node, say: Say<'_>) -> Result<MaestroSelector, Problem> {
    let read = target(name, node, say)?;
    match read.selector.is_empty() {
        false => Ok(read.selector),
        true => Err(node.problem(format!("`{name}` names no widget"))),
    }
}

fn parts<'n>(fields: &mut Fields<'n, '_>, say: Say<'_>) -> Result<MaestroSelector, Problem> {
    let (text, id) = (pattern(fields, "text")?, pattern(fields, "id")?);
    let mut read = MaestroSelector { text, id, ..MaestroSelector::default() };
    let pixels = |number: Option<i64>| number.map(|number| i32::try_from(number).unwrap_or(i32::MAX));
    read.width = pixels(fields.number("width")?);
    read.height = pixels(fields.number("height")?);
    read.tolerance = pixels(fields.number("tolerance")?).unwrap_or(0);
    read.index = fields.number("index")?;
    for word in fields.text("traits")?.unwrap_or_default().split_whitespace() {
        read.traits.push(match word.replace('_', "-").to_lowercase().as_str() {
            "text" | UNKNOWN => MaestroTrait::Text,
            "long-text" => MaestroTrait::LongText,
            "square" => MaestroTrait::Square,
            _ => {
                return Err(
                    fields.problem(&format!("has the trait {word:?}; there are text, long-text and square"))
                );
            }
        });
    }
    let states = [
        ("enabled", WidgetFlags::ENABLED),
        ("selected", WidgetFlags::SELECTED),
        ("checked", WidgetFlags::CHECKED),
        ("focused", WidgetFlags::FOCUSED),
    ];
    for (key, flag) in states {
        read.states.extend(fields.flag(key)?.map(|set| (flag, set)));
    }
    let relations = [
        ("below", MaestroRelation::Below),
        ("above", MaestroRelation::Above),
        ("leftOf", MaestroRelation::LeftOf),
        ("rightOf", MaestroRelation::RightOf),
        ("containsChild", MaestroRelation::ContainsChild),
        ("childOf", MaestroRelation::ChildOf),
    ];
    for (key, relation) in relations {
        if let Some(node) = fields.node(key) {
            read.relations.push((relation, selector(key, node, say)?));
        }
    }
    let descendants = "containsDescendants";
    for node in fields.list(descendants)?.unwrap_or_default() {
        read.relations.push((MaestroRelation::ContainsDescendant, selector(descendants, node, say)?));
    }
    match fields.node("css") {
        Some(node) => Err(node.problem("`css` is for web pages, of which a phone shows none")),
        None => Ok(read),
    }
}

fn pattern(fields: &mut Fields<'_, '_>, key: &str) -> Result<Option<MaestroPattern>, Problem> {
    let Some(text) = fields.text(key)? else { return Ok(None) };
    MaestroPattern::parse(&text).map(Some).map_err(|what| fields.problem(&format!("cannot be used: {what}")))
}

/// What is awaited on the screen.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    pub shown: Option<MaestroSelector>,
    pub gone: Option<MaestroSelector>,
    pub millis: Option<u64>,
    /// Whether what follows needs it; otherwise it is only asserted.
    pub waits: bool,
}

/// How a finger moves.
#[derive(Debug)]
pub(super) enum Swipe {
    Between(Point, Point),
    Over(Direction),
    From(Box<Target>, Direction),
}

/// When a part of a flow is done.
#[derive(Debug)]
pub(super) struct Condition {
    pub android: bool,
    pub shown: Option<MaestroSelector>,
    pub gone: Option<MaestroSelector>,
    /// The text of `true`, as it is written.
    pub holds: Option<String>,
}

/// Reads a condition.
pub(super) fn condition<'n>(name: &'n str, node: &'n Node, say: Say<'_>) -> Result<Condition, Problem> {
    let mut fields = Fields::of(name, node, None, say)?;
    let platform = fields.text("platform")?;
    let mut shown = |key| fields.node(key).map(|node| selector(key, node, say)).transpose();
    let (visible, gone) = (shown("visible")?, shown("notVisible")?);
    let holds = match fields.node("true") {
        Some(node @ Node { value: Value::Text(text), .. }) => {
            // Its value is asked for when it is judged: one that is missing does not hold.
            say(node, text).ok();
            Some(text.clone())
        }
        Some(node) => return Err(node.problem("`true` is a text")),
        None => None,
    };
    fields.leave(&["label", "optional"]);
    fields.end()?;
    let known = ["android", "ios", "web", UNKNOWN];
    let platform = platform.map(|platform| platform.to_lowercase());
    if let Some(other) = platform.as_deref().filter(|it| !known.contains(it)) {
        return Err(node.problem(format!("{other:?} is no platform; there are Android, iOS and Web")));
    }
    let android = platform.is_none_or(|platform| platform == "android");
    Ok(Condition { android, shown: visible, gone, holds })
}
