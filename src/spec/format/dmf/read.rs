//! Reads JSON values as DMFs and invariants. Whatever can be understood is accepted; problems are reported as findings.

use serde_json::{Map, Value};

use super::words;
use crate::format::json_text::join;
use crate::{
    Action, Condition, Dmf, DmfKind, DmfStep, Impact, Input, Invariant, LintCode, LintFinding, NamedSelector,
    Relation, SpecSelector, WidgetState,
};
use taproof_screen::{Beside, Role};

pub(super) const DMF_KEYS: &[&str] = &[
    "name",
    "type",
    "datatype",
    "proportion",
    "events",
    "widgets",
    "impacts",
    "preconditions",
    "post-conditions",
];
pub(super) const EVENT_KEYS: &[&str] = &["action", "widget", "text", "force"];
pub(super) const WIDGET_KEYS: &[&str] =
    &["name", "UI_layout_num", "resource-id", "text", "class", "content-desc", "xpath", "instance"];
pub(super) const CONDITION_KEYS: &[&str] = &["relation", "widget", "datatype", "UI_layout_num"];
pub(super) const IMPACT_KEYS: &[&str] = &["operator", "object"];
const INVARIANT_KEYS: &[&str] = &["name", "widgets", "when", "holds"];

/// Reads objects and collects findings about them.
pub(super) struct Reader<'a> {
    pub(super) findings: &'a mut Vec<LintFinding>,
    /// Index of the current DMF, for findings; `None` outside of DMFs.
    pub(super) dmf: Option<usize>,
}

impl Reader<'_> {
    pub(super) fn report(&mut self, code: LintCode, path: &str, message: String) {
        self.findings.push(LintFinding { code, dmf: self.dmf, path: path.to_owned(), message });
    }

    /// Reads a DMF. `None` if a part cannot be read, which is reported as a finding.
    pub(super) fn dmf(&mut self, value: &Value, path: &str) -> Option<Dmf> {
        let before = self.findings.len();
        let map = self.object(value, path)?;
        self.look_at_keys(map, path, DMF_KEYS);
        let name = self.text(map, "name", path);
        let (verb, noun) = name.split_once(' ').unwrap_or((name.as_str(), ""));
        let kind_word = self.text(map, "type", path);
        let verb_kind = words::kind(verb.trim_end_matches(|letter: char| letter.is_ascii_digit()));
        let Some(kind) = words::kind(&kind_word).or(verb_kind) else {
            let message = format!("the type {kind_word:?} is none of {}", words::KINDS);
            self.report(LintCode::UnreadableDmf, &join(path, "type"), message);
            return None;
        };
        // Only Taproof has properties, which no verb names.
        if !kind_word.is_empty() && verb != kind_word && kind != DmfKind::Property {
            let message = match words::kind(&kind_word) {
                Some(_) => format!("the name {name:?} begins otherwise than the type {kind_word:?}"),
                None => format!(
                    "the type {kind_word:?} is none of {}; that of the name counts, {verb}",
                    words::KINDS
                ),
            };
            self.report(LintCode::VerbDiffers, path, message);
        }
        let written_type = self.text(map, "datatype", path);
        if !noun.is_empty() && !written_type.is_empty() && noun != written_type {
            let message = format!(
                "the name {name:?} speaks of {noun:?}, `datatype` of {written_type:?}; the name counts, as in PBFDroid"
            );
            self.report(LintCode::NounDiffers, &join(path, "datatype"), message);
        }
        let data_type = if noun.is_empty() { written_type } else { noun.to_owned() };
        let widgets = self.each(map, "widgets", path, Self::widget_name);
        let widgets = self.widgets(map, path, &widgets);
        let names: Vec<String> = widgets.iter().map(|widget| widget.name.clone()).collect();
        let steps = self.each(map, "events", path, Self::step);
        let lead_in = self.each(map, "taproof_lead_in", path, Self::step);
        let dmf = Dmf {
            kind,
            data_type,
            weight: self.weight(map, path),
            steps,
            preconditions: self.each(map, "preconditions", path, Self::condition),
            impacts: self
                .each(map, "impacts", path, |reader, value, path| reader.impact(value, path, &names)),
            postconditions: self.each(map, "post-conditions", path, Self::condition),
            refusal: some(self.optional(map, "taproof_refusal", path)),
            lead_in,
            max_runs: map.get("taproof_max_runs").and_then(|_| self.number(map, "taproof_max_runs", path)),
            not_judged: some(self.optional(map, "taproof_not_judged", path)),
            widgets,
            name,
        };
        self.all_readable(before).then_some(dmf)
    }

    /// Reads an invariant. `None` if a part cannot be read, which is reported as a finding.
    pub(super) fn invariant(&mut self, value: &Value, path: &str) -> Option<Invariant> {
        let before = self.findings.len();
        let map = self.object(value, path)?;
        self.look_at_keys(map, path, INVARIANT_KEYS);
        let names = self.each(map, "widgets", path, Self::widget_name);
        let invariant = Invariant {
            name: self.text(map, "name", path),
            widgets: self.widgets(map, path, &names),
            when: self.each(map, "when", path, Self::condition),
            holds: self.each(map, "holds", path, Self::condition),
        };
        self.all_readable(before).then_some(invariant)
    }

    /// Whether every part could be read since finding number `before`. Otherwise the whole is dropped, so that the text
    /// of a file always agrees with what was read from it.
    fn all_readable(&self, before: usize) -> bool {
        !self.findings.iter().skip(before).any(|finding| finding.code == LintCode::UnreadableDmf)
    }

    fn object<'v>(&mut self, value: &'v Value, path: &str) -> Option<&'v Map<String, Value>> {
        let map = value.as_object();
        if map.is_none() {
            let message = format!("expected an object, found {}; it is left out", kind_of(value));
            self.report(LintCode::UnreadableDmf, path, message);
        }
        map
    }

    fn look_at_keys(&mut self, map: &Map<String, Value>, path: &str, known: &[&str]) {
        for key in known {
            if !map.contains_key(*key) {
                let message = format!("the key {key:?} is missing; it is taken as empty");
                self.report(LintCode::MissingKey, &join(path, key), message);
            }
        }
        for key in map.keys() {
            if !known.contains(&key.as_str()) && !key.starts_with("taproof_") {
                let message = format!("the key {key:?} is not known; it is kept and ignored");
                self.report(LintCode::UnknownKey, &join(path, key), message);
            }
        }
    }

    /// Reads the array at a key element by element, leaving out those for which `read` returns `None`.
    fn each<T>(
        &mut self,
        map: &Map<String, Value>,
        key: &str,
        path: &str,
        mut read: impl FnMut(&mut Self, &Value, &str) -> Option<T>,
    ) -> Vec<T> {
        let path = join(path, key);
        match map.get(key) {
            Some(Value::Array(items)) => {
                let numbered = items.iter().enumerate();
                numbered.filter_map(|(index, item)| read(self, item, &format!("{path}[{index}]"))).collect()
            }
            Some(other) => {
                let message = format!("expected an array, found {}; it is taken as empty", kind_of(other));
                self.report(LintCode::WrongKind, &path, message);
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    fn widget_name(&mut self, value: &Value, _path: &str) -> Option<String> {
        value.get("name")?.as_str().map(str::to_owned)
    }

    fn widgets(&mut self, map: &Map<String, Value>, path: &str, names: &[String]) -> Vec<NamedSelector> {
        self.each(map, "widgets", path, |reader, value, path| reader.widget(value, path, names))
    }

    fn widget(&mut self, value: &Value, path: &str, names: &[String]) -> Option<NamedSelector> {
        let map = self.object(value, path)?;
        self.look_at_keys(map, path, WIDGET_KEYS);
        let text = self.text(map, "text", path);
        Some(NamedSelector {
            name: self.text(map, "name", path),
            layout: self.number(map, "UI_layout_num", path).unwrap_or(0),
            selector: SpecSelector {
                resource_id: some(self.text(map, "resource-id", path)),
                class: some(self.text(map, "class", path)),
                text: words::text_pattern(&text, names),
                content_desc: some(self.text(map, "content-desc", path)),
                xpath: some(self.text(map, "xpath", path)),
                role: self.role(map, path),
                beside: self.beside(map, path),
                instance: self.number(map, "instance", path),
                row: some(self.optional(map, "taproof_row", path)),
            },
        })
    }

    fn role(&mut self, map: &Map<String, Value>, path: &str) -> Option<Role> {
        let word = some(self.optional(map, "taproof_role", path))?;
        let role = words::role(&word);
        if role.is_none() {
            let message =
                format!("{word:?} is no role, so any widget will do; use one of: {}", words::known_roles());
            self.report(LintCode::BadExtension, &join(path, "taproof_role"), message);
        }
        role
    }

    fn beside(&mut self, map: &Map<String, Value>, path: &str) -> Option<Beside> {
        let value = map.get("taproof_beside")?;
        let beside = words::beside(value);
        if beside.is_none() {
            let message = format!(
                "{value} is no side with a label, so it is ignored; write it as {{\"right-of\": \"Title\"}}, with one of: {}",
                words::known_sides()
            );
            self.report(LintCode::BadExtension, &join(path, "taproof_beside"), message);
        }
        beside
    }

    fn step(&mut self, value: &Value, path: &str) -> Option<DmfStep> {
        let map = self.object(value, path)?;
        self.look_at_keys(map, path, EVENT_KEYS);
        let word = self.text(map, "action", path);
        let Some(action) = words::action(&word) else {
            let known = Action::WORDS.map(|(_, word)| word);
            let message = format!(
                "the action {word:?} is not known, so the DMF is left out; known are {}",
                known.join(", ")
            );
            self.report(LintCode::UnreadableDmf, &join(path, "action"), message);
            return None;
        };
        let mut input = words::input(&self.text(map, "text", path));
        if let Some(classes) = map.get("taproof_text") {
            let fresh = classes.as_str().and_then(words::fresh_text);
            match (&mut input, fresh) {
                (Input::Fresh(kept), Some(fresh)) => *kept = fresh,
                (Input::Fresh(_), None) => {
                    let message = format!(
                        "{classes} names no text classes; expected words like \"plain:3, other_case:1\" or \"existing of folder\""
                    );
                    self.report(LintCode::BadExtension, &join(path, "taproof_text"), message);
                }
                (Input::None | Input::Literal(_) | Input::Existing(_), _) => {
                    let message = "text classes have no effect, as `text` is not \"random\"".to_owned();
                    self.report(LintCode::BadExtension, &join(path, "taproof_text"), message);
                }
            }
        }
        let required = self.flag(map, "force", path, LintCode::LooseForce);
        Some(DmfStep { action, widget: some(self.text(map, "widget", path)), input, required })
    }

    fn condition(&mut self, value: &Value, path: &str) -> Option<Condition> {
        let map = self.object(value, path)?;
        self.look_at_keys(map, path, CONDITION_KEYS);
        let mut relation = words::relation(&self.text(map, "relation", path));
        if map.contains_key("taproof_order") {
            let names = self.each(map, "taproof_order", path, |reader, value, path| {
                let name = value.as_str().map(str::to_owned);
                if name.is_none() {
                    let message = format!("expected the name of a widget, found {}", kind_of(value));
                    reader.report(LintCode::BadExtension, path, message);
                }
                name
            });
            relation = Relation::InOrder(names);
        }
        Some(Condition {
            widget: some(self.text(map, "widget", path)),
            data_type: some(self.text(map, "datatype", path)),
            relation,
            layout: self.number(map, "UI_layout_num", path),
            or: self.each(map, "taproof_or", path, Self::condition),
            state: self.state(map, path),
            scroll: !map.contains_key("taproof_scroll")
                || self.flag(map, "taproof_scroll", path, LintCode::LooseScalar),
        })
    }

    fn state(&mut self, map: &Map<String, Value>, path: &str) -> Option<WidgetState> {
        let word = some(self.optional(map, "taproof_state", path))?;
        let state = WidgetState::ALL.into_iter().find(|state| state.word() == word);
        if state.is_none() {
            let known = WidgetState::ALL.map(WidgetState::word).join(", ");
            let message = format!("{word:?} is no state; expected one of: {known}");
            self.report(LintCode::BadExtension, &join(path, "taproof_state"), message);
        }
        state
    }

    fn impact(&mut self, value: &Value, path: &str, widgets: &[String]) -> Option<Impact> {
        let map = self.object(value, path)?;
        self.look_at_keys(map, path, IMPACT_KEYS);
        let op = words::operator(&self.text(map, "operator", path));
        Some(Impact { op, object: words::text_pattern(&self.text(map, "object", path), widgets) })
    }

    fn weight(&mut self, map: &Map<String, Value>, path: &str) -> u32 {
        self.number(map, "proportion", path).unwrap_or(10)
    }

    /// Returns a scalar as text; an empty text if it is missing or not a scalar.
    fn text(&mut self, map: &Map<String, Value>, key: &str, path: &str) -> String {
        let path = join(path, key);
        match map.get(key) {
            None => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => {
                let message = format!("{value} is read as the text \"{value}\"");
                self.report(LintCode::LooseScalar, &path, message);
                value.to_string()
            }
            Some(value) => {
                let message = format!("expected a text, found {}; it is taken as empty", kind_of(value));
                self.report(LintCode::WrongKind, &path, message);
                String::new()
            }
        }
    }

    fn optional(&mut self, map: &Map<String, Value>, key: &str, path: &str) -> String {
        if map.contains_key(key) { self.text(map, key, path) } else { String::new() }
    }

    /// Returns a number that is written as text or as number; `None` if it is missing, empty or not a number.
    fn number<N: std::str::FromStr>(&mut self, map: &Map<String, Value>, key: &str, path: &str) -> Option<N> {
        let text = self.text(map, key, path);
        if text.is_empty() {
            return None;
        }
        let number = text.parse().ok();
        if number.is_none() {
            let message = format!("expected a number from 0, found {text:?}; it is taken as empty");
            self.report(LintCode::NotANumber, &join(path, key), message);
        }
        number
    }

    /// Returns a boolean, which is true unless the value is false or the text `false`.
    fn flag(&mut self, map: &Map<String, Value>, key: &str, path: &str, loose: LintCode) -> bool {
        match map.get(key) {
            None => true,
            Some(Value::Bool(value)) => *value,
            Some(other) => {
                let value = other.as_str().map(str::to_ascii_lowercase);
                let message = format!("expected true or false, found {other}");
                self.report(loose, &join(path, key), message);
                value.as_deref() != Some("false")
            }
        }
    }
}

fn some(text: String) -> Option<String> {
    if text.is_empty() { None } else { Some(text) }
}

pub(super) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
