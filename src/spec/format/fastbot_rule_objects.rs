//! Fastbot's rules that are JSON objects: blocked widgets, pruned widgets and sequences of actions. The error of a rule
//! that cannot be used is the reason, for people.

use std::cell::RefCell;

use serde_json::{Map, Value};

use crate::{ActionKind, Area, BlockRule, PruneRule, ScriptAction, SequenceRule};
use taproof_screen::format::excerpt;
use taproof_screen::{Direction, PxRect, XPath};

/// The members of a JSON object, and where remarks on them go.
pub(super) struct Fields<'v>(&'v Map<String, Value>, &'v RefCell<Vec<String>>);

impl<'v> Fields<'v> {
    pub(super) fn of(value: &'v Value, remarks: &'v RefCell<Vec<String>>) -> Result<Self, String> {
        match value {
            Value::Object(fields) => Ok(Fields(fields, remarks)),
            other => Err(format!("expected an object {{ … }}, found {}", excerpt(&other.to_string()))),
        }
    }

    /// Remarks on the members with other names, of which Fastbot takes no notice.
    fn known(&self, names: &[&str]) {
        for odd in self.0.keys().filter(|name| !names.contains(&name.as_str())) {
            self.remark(format!("{odd:?} is passed over, as Fastbot does: it knows {}", names.join(", ")));
        }
    }

    fn remark(&self, remark: String) {
        let mut all = self.1.borrow_mut();
        if !all.contains(&remark) {
            all.push(remark);
        }
    }

    /// Returns a text, which may be empty; `None` if it is missing or null.
    fn text(&self, name: &str) -> Result<Option<&'v str>, String> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("{name} is a text, not {}", excerpt(&other.to_string()))),
        }
    }

    fn required(&self, name: &str) -> Result<&'v str, String> {
        self.text(name)?.filter(|text| !text.is_empty()).ok_or_else(|| format!("{name} is missing"))
    }

    fn number(&self, name: &str, default: f64) -> Result<f64, String> {
        let value = match self.0.get(name) {
            None | Some(Value::Null) => return Ok(default),
            Some(Value::Number(number)) => number.as_f64(),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(_) => None,
        };
        value.filter(|value| *value >= 0.0).ok_or_else(|| format!("{name} is a number from 0"))
    }

    /// Returns the XPath of the rule; `None` if it is missing or empty.
    fn xpath(&self) -> Result<Option<XPath>, String> {
        let given = self.text("xpath")?.filter(|text| !text.is_empty());
        given.map(XPath::parse).transpose().map_err(|error| error.to_string())
    }
}

pub(super) fn block_rule(fields: &Fields<'_>) -> Result<BlockRule, String> {
    fields.known(&["activity", "xpath", "bounds"]);
    let area = fields.text("bounds")?.filter(|text| !text.is_empty()).map(area).transpose()?;
    let rule = BlockRule { activity: fields.required("activity")?.to_owned(), xpath: fields.xpath()?, area };
    if rule.xpath.is_none() && rule.area.is_none() {
        return Err("it has neither xpath nor bounds".to_owned());
    }
    Ok(rule)
}

/// Parses `[l,t][r,b]`: fractions of the window if no number is above 1.1, else pixels.
fn area(text: &str) -> Result<Area, String> {
    let numbers = || {
        let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
        let (first, second) = inner.split_once("][")?;
        let number = |part: &str| part.trim().parse::<f64>().ok().filter(|number| number.abs() < 100_000.0);
        let corner = |part: &str| part.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
        let ((left, top), (right, bottom)) = (corner(first)?, corner(second)?);
        (left < right && top < bottom).then_some([left, top, right, bottom])
    };
    let edges =
        numbers().ok_or_else(|| format!("bounds are {}, not [left,top][right,bottom]", excerpt(text)))?;
    if edges.iter().all(|edge| *edge <= 1.1) {
        return Ok(Area::Fractions(edges));
    }
    let [left, top, right, bottom] = edges.map(|edge| edge as i32);
    Ok(Area::Pixels(PxRect::new(left, top, right, bottom)))
}

pub(super) fn prune_rule(fields: &Fields<'_>) -> Result<PruneRule, String> {
    fields.known(&["activity", "xpath", "resourceid", "contentdesc", "text", "classname", "clickable"]);
    let text = |name: &str| Ok::<_, String>(fields.text(name)?.map(str::to_owned));
    let clickable = match fields.0.get("clickable") {
        None | Some(Value::Null) => None,
        Some(Value::Bool(clickable)) => Some(*clickable),
        Some(Value::String(text)) if text == "true" || text == "false" => Some(text == "true"),
        Some(other) => {
            return Err(format!("clickable is true or false, not {}", excerpt(&other.to_string())));
        }
    };
    Ok(PruneRule {
        activity: fields.required("activity")?.to_owned(),
        xpath: fields.xpath()?.ok_or("xpath is missing")?,
        resource_id: text("resourceid")?,
        content_desc: text("contentdesc")?,
        text: text("text")?,
        class: text("classname")?,
        clickable,
    })
}

pub(super) fn sequence_rule(fields: &Fields<'_>) -> Result<SequenceRule, String> {
    fields.known(&["prob", "times", "activity", "actions", "throttle"]);
    let Some(Value::Array(actions)) = fields.0.get("actions") else {
        return Err("actions is a list [ … ]".to_owned());
    };
    let percent = fields.number("prob", 1.0)? * 100.0;
    if percent > 100.0 {
        return Err("prob is above 1".to_owned());
    }
    let numbered = actions.iter().enumerate();
    let actions = numbered.map(|(number, action)| {
        let read = Fields::of(action, fields.1).and_then(|fields| script_action(&fields));
        read.map_err(|reason| format!("action {}: {reason}", number + 1))
    });
    Ok(SequenceRule {
        activity: fields.required("activity")?.to_owned(),
        percent: percent.round() as u32,
        times: fields.number("times", 1.0)? as u32,
        actions: actions.collect::<Result<_, String>>()?,
    })
}

/// Reads one action of a sequence. The device determines how long it waits and how it types, so `throttle`, `wait`,
/// `clearText` and `useAdbInput` are accepted but have no effect. A text always replaces the content of the field.
fn script_action(fields: &Fields<'_>) -> Result<ScriptAction, String> {
    fields.known(&["xpath", "action", "text", "clearText", "throttle", "wait", "useAdbInput", "command"]);
    let kind = match fields.required("action")? {
        "CLICK" => ActionKind::Click,
        "INPUTTEXT" => {
            fields.remark("INPUTTEXT is an action of Maxim, taken as CLICK with a text".to_owned());
            ActionKind::Click
        }
        "LONG_CLICK" => ActionKind::LongClick,
        "SCROLL_TOP_DOWN" => ActionKind::Scroll(Direction::Down),
        "SCROLL_BOTTOM_UP" => ActionKind::Scroll(Direction::Up),
        "SCROLL_LEFT_RIGHT" => ActionKind::Scroll(Direction::Right),
        "SCROLL_RIGHT_LEFT" => ActionKind::Scroll(Direction::Left),
        "BACK" => return Ok(ScriptAction::Back),
        "RESTART" => return Ok(ScriptAction::Restart),
        "CLEAN_RESTART" => return Ok(ScriptAction::CleanRestart),
        other => {
            return Err(format!(
                "{} is none of CLICK, LONG_CLICK, SCROLL_TOP_DOWN, SCROLL_BOTTOM_UP, SCROLL_LEFT_RIGHT, \
                 SCROLL_RIGHT_LEFT, BACK, RESTART, CLEAN_RESTART",
                excerpt(other)
            ));
        }
    };
    let xpath = fields.xpath()?.ok_or("xpath is missing")?;
    let text = fields.text("text")?.filter(|text| !text.is_empty()).map(str::to_owned);
    if text.is_some() && kind != ActionKind::Click {
        return Err("only CLICK takes a text".to_owned());
    }
    Ok(ScriptAction::On { xpath, kind, text })
}
