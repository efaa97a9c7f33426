//! What expressions stand for: widgets, texts that are known or read when the function runs, objects of a bundle.

use super::function::{Fit, Writer, unfit};
use super::python::{Arguments, Expr, ExprKind, Function, KeaProblem, StatementKind};
use crate::{NamedSelector, SpecSelector, TextPattern, WidgetState};
use taproof_screen::Selector;

const FIRST_OF_SEVERAL: &str = "of several widgets the first one is taken, and not any";
/// Methods of a widget that name another one.
const BESIDE: [&str; 7] = ["child", "child_by_text", "sibling", "left", "right", "up", "down"];
/// How deep functions of the file may call each other.
const MAX_CALLS: usize = 10;
/// Modules whose functions give another value each time.
const RANDOM: [&str; 6] = ["random", "st", "strategies", "uuid", "secrets", "faker"];

#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    Number(f64),
    Flag(bool),
    None,
    List(Vec<Value>),
    Device,
    /// The object or class of the property.
    Own,
    Widget(Found),
    /// Whether the widget is shown, or is not, on the layout of this number.
    Shown(Found, bool, usize),
    Count(Found, usize),
    Info(Found),
    State(Found, WidgetState, usize),
    /// The text that a widget showed on the layout of this number, with the name of the variable that holds it.
    Read {
        found: Found,
        layout: usize,
        name: String,
    },
    /// A text that is made up when the function runs.
    Fresh {
        id: usize,
        name: String,
    },
    /// An object of this type.
    Object {
        data_type: String,
        name: String,
    },
    Bundle(String),
    Objects(String),
    ObjectCount(String),
    /// What has no counterpart here, if it is used.
    Unknown(KeaProblem),
}

/// A widget, and the code that names it, if that holds no text of the run.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub selector: SpecSelector,
    pub code: Option<String>,
}

impl Found {
    /// The widget, if it passes a test of an XPath.
    pub(super) fn with_test(self, test: &str) -> Found {
        let path = match &self.selector.xpath {
            // A test after `|` would be one of the last path alone.
            Some(path) => format!("({path})[{test}]"),
            None => format!("//*[{test}]"),
        };
        let selector = SpecSelector { xpath: Some(path), ..self.selector };
        Found { selector, code: None }
    }
}

impl<'f> Writer<'f> {
    pub(super) fn eval(&mut self, expr: &'f Expr) -> Fit<Value> {
        let line = expr.line;
        let unknown = |what: String| Err(KeaProblem { line, what });
        match &expr.kind {
            ExprKind::Text(text) => Ok(Value::Text(text.clone())),
            ExprKind::Number(number) => Ok(Value::Number(*number)),
            ExprKind::Flag(flag) => Ok(Value::Flag(*flag)),
            ExprKind::None => Ok(Value::None),
            ExprKind::List(items) => {
                Ok(Value::List(items.iter().map(|item| self.eval(item)).collect::<Fit<_>>()?))
            }
            ExprKind::Name(name) => match (self.known(name), name.as_str()) {
                (None | Some(Value::Unknown(_)), "d" | "driver" | "device") => Ok(Value::Device),
                (Some(Value::Unknown(problem)), _) => Err(problem),
                (Some(value), _) => Ok(value),
                (None, "self" | "cls") => Ok(Value::Own),
                (None, name) if self.file.classes.contains(name) => Ok(Value::Own),
                (None, name) => unknown(format!("`{name}` is not known without running the file")),
            },
            ExprKind::Joined(parts) => self.joined(parts.iter().collect(), line),
            ExprKind::Sum(left, right) => self.joined(vec![left, right], line),
            ExprKind::Field(base, name) => self.field(base, name, line),
            ExprKind::Item(base, index) => {
                let (base, index) = (self.eval(base)?, self.eval(index)?);
                self.item(base, &index, line)
            }
            ExprKind::Call(function, arguments) => self.call(function, arguments, line),
            ExprKind::Not(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Either(..)
            | ExprKind::Compare(..) => unknown(
                "what is true or false is only followed in preconditions, `if` and assertions".to_owned(),
            ),
            ExprKind::Lambda(_) => unknown("a function is not a value here".to_owned()),
            ExprKind::Other(word) => unknown(format!("`{word}` has no counterpart here")),
        }
    }

    /// Texts behind each other.
    fn joined(&mut self, parts: Vec<&'f Expr>, line: usize) -> Fit<Value> {
        let parts = parts.into_iter().map(|part| self.eval(part)).collect::<Fit<Vec<Value>>>()?;
        if let [Value::Number(one), Value::Number(other)] = parts[..] {
            return Ok(Value::Number(one + other));
        }
        if parts.iter().any(|part| matches!(part, Value::Fresh { .. })) {
            self.note(line, "the whole text is made up, and not only a part of it".to_owned());
            return Ok(self.fresh());
        }
        let text = parts.iter().map(literal).collect::<Option<String>>();
        let what = "a text is put together of others that are only known when the function runs";
        text.map(Value::Text).ok_or_else(|| KeaProblem { line, what: what.to_owned() })
    }

    pub(super) fn fresh(&mut self) -> Value {
        self.typed.push(None);
        Value::Fresh { id: self.typed.len() - 1, name: "text".to_owned() }
    }

    fn field(&mut self, base: &'f Expr, name: &str, line: usize) -> Fit<Value> {
        let layout = self.layout();
        Ok(match (self.eval(base)?, name) {
            (Value::Own, "d" | "driver" | "device") => Value::Device,
            (Value::Own, name) => match self.known(name) {
                Some(Value::Unknown(problem)) => return Err(problem),
                Some(value) => value,
                None => {
                    return unfit(line, format!("`{name}` is not defined in this file"));
                }
            },
            (Value::Widget(found), "exists" | "exist") => Value::Shown(found, true, layout),
            (Value::Widget(found), "count") => Value::Count(found, layout),
            (Value::Widget(found), "info") => Value::Info(found),
            (Value::Widget(found), "text") => Value::Read { found, layout, name: "text".to_owned() },
            _ => return unfit(line, format!("`.{name}` has no counterpart here")),
        })
    }

    fn item(&mut self, base: Value, index: &Value, line: usize) -> Fit<Value> {
        let whole = |number: f64| (number >= 0.0 && number.fract() == 0.0).then_some(number as usize);
        match (base, index) {
            (Value::Widget(found), Value::Fresh { .. }) => {
                self.note(line, FIRST_OF_SEVERAL.to_owned());
                Ok(Value::Widget(found))
            }
            (Value::Widget(found), Value::Number(number)) if whole(*number).is_some() => {
                let selector =
                    SpecSelector { instance: whole(*number).map(|it| it as u32), ..found.selector };
                let code = found.code.map(|code| format!("{code}[{number}]"));
                Ok(Value::Widget(Found { selector, code }))
            }
            (Value::List(items), Value::Number(number)) => {
                let item = whole(*number).and_then(|place| items.get(place).cloned());
                item.ok_or_else(|| KeaProblem { line, what: format!("there is no item {number}") })
            }
            (Value::Info(found), Value::Text(key)) => match key.as_str() {
                "text" => Ok(Value::Read { found, layout: self.layout(), name: "text".to_owned() }),
                "checked" => Ok(Value::State(found, WidgetState::Checked, self.layout())),
                "selected" => Ok(Value::State(found, WidgetState::Selected, self.layout())),
                "enabled" | "clickable" | "focused" | "checkable" | "scrollable" => {
                    Ok(Value::Shown(found.with_test(&format!("@{key}='true'")), true, self.layout()))
                }
                key => unfit(line, format!("{key:?} of a widget has no counterpart here")),
            },
            _ => unfit(line, "such an item has no counterpart here"),
        }
    }

    fn call(&mut self, function: &'f Expr, arguments: &'f Arguments, line: usize) -> Fit<Value> {
        if root(function).is_some_and(|root| RANDOM.contains(&root) && self.known(root).is_none()) {
            return match arguments.plain.first().map(|of| self.eval(of)) {
                Some(Ok(Value::Widget(found))) => {
                    self.note(line, FIRST_OF_SEVERAL.to_owned());
                    Ok(Value::Widget(found))
                }
                Some(Ok(Value::Objects(data_type))) => {
                    Ok(Value::Object { data_type, name: "object".to_owned() })
                }
                Some(Ok(Value::List(_))) => {
                    unfit(line, "one of several values is chosen, where a function always does the same")
                }
                _ => Ok(self.fresh()),
            };
        }
        match &function.kind {
            ExprKind::Name(name) if self.file.functions.contains_key(name.as_str()) => {
                self.result(name, arguments, line)
            }
            ExprKind::Name(name) if matches!(name.as_str(), "str" | "len" | "bool" | "int" | "list") => {
                let Some(only) = arguments.plain.first() else { return Ok(Value::None) };
                Ok(match (name.as_str(), self.eval(only)?) {
                    ("list", value @ Value::Widget(_)) => value,
                    ("len", Value::Widget(found)) => Value::Count(found, self.layout()),
                    ("len", Value::Objects(data_type)) => Value::ObjectCount(data_type),
                    ("str", value) if literal(&value).is_some() => {
                        Value::Text(literal(&value).unwrap_or_default())
                    }
                    ("str", value @ (Value::Read { .. } | Value::Fresh { .. } | Value::Object { .. })) => {
                        value
                    }
                    ("bool", value) | ("int", value @ (Value::Count(..) | Value::Number(_))) => value,
                    _ => {
                        return unfit(line, format!("`{name}` of this has no counterpart here"));
                    }
                })
            }
            ExprKind::Field(base, method) => {
                if let Ok(Value::Device) = self.eval(function) {
                    return self.widget(arguments, line);
                }
                let value = self.eval(base)?;
                self.method(value, method, arguments, line)
            }
            ExprKind::Name(name) => match self.eval(function) {
                Ok(Value::Device) => self.widget(arguments, line),
                _ => unfit(line, format!("`{name}` is not defined in this file")),
            },
            _ => unfit(line, "such a call has no counterpart here"),
        }
    }

    fn method(&mut self, value: Value, method: &str, arguments: &'f Arguments, line: usize) -> Fit<Value> {
        let layout = self.layout();
        Ok(match (value, method) {
            (Value::Own, name) if self.file.functions.contains_key(name) => {
                return self.result(name, arguments, line);
            }
            (Value::Device, "xpath") => {
                let path = self.first(arguments, line)?;
                let path = literal(&path).ok_or_else(|| unknown_text(line))?;
                Value::Widget(coded(format!("d.xpath({})", quoted(&path)), line)?)
            }
            (Value::Widget(found), "exists" | "exist" | "wait") => Value::Shown(found, true, layout),
            (Value::Widget(found), "wait_gone") => Value::Shown(found, false, layout),
            (Value::Widget(found), "get_text") => Value::Read { found, layout, name: "text".to_owned() },
            (Value::Widget(found), name) if BESIDE.contains(&name) => {
                Value::Widget(self.beside(found, name, arguments, line)?)
            }
            (Value::Info(found), "get") => {
                let key = self.first(arguments, line)?;
                return self.item(Value::Info(found), &key, line);
            }
            (Value::Bundle(data_type), "get_all_data") => Value::Objects(data_type),
            (Value::Bundle(data_type), "get_random_data") => {
                Value::Object { data_type, name: "object".to_owned() }
            }
            (Value::Bundle(_), "get_random_text" | "get_random_value") => self.fresh(),
            (Value::Text(_), "join") if arguments.plain.iter().any(is_random) => self.fresh(),
            (Value::Text(text), "strip") => Value::Text(text.trim().to_owned()),
            (Value::Text(text), "lower") => Value::Text(text.to_lowercase()),
            (Value::Text(text), "upper") => Value::Text(text.to_uppercase()),
            (_, name) => {
                return unfit(line, format!("`.{name}()` has no counterpart here"));
            }
        })
    }

    /// What a function of the file returns, if it does nothing but to name things before.
    fn result(&mut self, name: &str, arguments: &'f Arguments, line: usize) -> Fit<Value> {
        let function = self.file.functions[name];
        self.inside(function, arguments, line, |writer| {
            for statement in &function.body {
                match &statement.kind {
                    StatementKind::Nothing | StatementKind::Assign(..) => {
                        writer.perform(std::slice::from_ref(statement))?;
                    }
                    StatementKind::Return(Some(returned)) => return writer.eval(returned),
                    _ => break,
                }
            }
            unfit(
                line,
                format!("`{name}` does more than to return something, which is only followed as a step"),
            )
        })
    }

    /// Does something with the parameters of a function of the file.
    pub(super) fn inside<T>(
        &mut self,
        function: &'f Function,
        arguments: &'f Arguments,
        line: usize,
        act: impl FnOnce(&mut Self) -> Fit<T>,
    ) -> Fit<T> {
        if self.scopes.len() > MAX_CALLS {
            return unfit(line, format!("`{}` calls itself", function.name));
        }
        let mut parameters =
            function.parameters.iter().filter(|name| !matches!(name.as_str(), "self" | "cls"));
        let mut scope = std::collections::BTreeMap::new();
        for argument in &arguments.plain {
            let value = self.eval_or_keep(argument);
            scope.extend(parameters.next().map(|name| (name.clone(), value)));
        }
        for (name, argument) in &arguments.named {
            let value = self.eval_or_keep(argument);
            scope.insert(name.clone(), value);
        }
        self.scopes.push(scope);
        let done = act(self);
        self.scopes.pop();
        done
    }

    pub(super) fn eval_or_keep(&mut self, expr: &'f Expr) -> Value {
        self.eval(expr).unwrap_or_else(Value::Unknown)
    }

    pub(super) fn first(&mut self, arguments: &'f Arguments, line: usize) -> Fit<Value> {
        match arguments.plain.first().or(arguments.named.first().map(|(_, value)| value)) {
            Some(first) => self.eval(first),
            None => unfit(line, "an argument is missing"),
        }
    }

    /// The widget that attributes name, as in `d(text="Done")`.
    pub(super) fn widget(&mut self, arguments: &'f Arguments, line: usize) -> Fit<Value> {
        if !arguments.plain.is_empty() {
            return Err(by_attributes(line));
        }
        let (named, text) = self.attributes(arguments.named.iter(), line)?;
        if text == TextPattern::Any {
            return Ok(Value::Widget(coded(format!("d({named})"), line)?));
        }
        let others = match named.is_empty() {
            true => SpecSelector::default(),
            false => coded(format!("d({named})"), line)?.selector,
        };
        Ok(Value::Widget(Found { selector: SpecSelector { text, ..others }, code: None }))
    }

    /// The attributes as code, and a text that is known only when the function runs.
    fn attributes(
        &mut self,
        arguments: impl Iterator<Item = &'f (String, Expr)>,
        line: usize,
    ) -> Fit<(String, TextPattern)> {
        let (mut named, mut text) = (Vec::new(), TextPattern::Any);
        for (name, value) in arguments {
            let value = self.eval(value)?;
            match (literal(&value), &value) {
                (_, Value::Flag(flag)) => {
                    named.push(format!("{name}={}", if *flag { "True" } else { "False" }))
                }
                (_, Value::Number(number)) => named.push(format!("{name}={number}")),
                (Some(literal), _) => named.push(format!("{name}={}", quoted(&literal))),
                (None, _) if name == "text" => text = self.text_of(value, line)?,
                (None, _) => {
                    return unfit(
                        line,
                        format!("`{name}` is compared with a text that is only known when the function runs"),
                    );
                }
            }
        }
        Ok((named.join(", "), text))
    }

    /// A widget that is named by where it is from another.
    fn beside(&mut self, from: Found, how: &str, arguments: &'f Arguments, line: usize) -> Fit<Found> {
        let (named, text) = match (how, &arguments.plain[..]) {
            // A child by its text may be scrolled to, as is whatever is looked for here.
            ("child_by_text", [child]) => {
                let own = |(name, _): &&(String, Expr)| name != "allow_scroll_search";
                let (mut named, mut text) = self.attributes(arguments.named.iter().filter(own), line)?;
                let child = self.eval(child)?;
                match literal(&child) {
                    Some(child) => named = format!("text={}, {named}", quoted(&child)),
                    None => text = self.text_of(child, line)?,
                }
                (named.trim_end_matches(", ").to_owned(), text)
            }
            (_, []) => self.attributes(arguments.named.iter(), line)?,
            _ => return Err(by_attributes(line)),
        };
        let how = if how == "child_by_text" { "child" } else { how };
        let Some(code) = &from.code else {
            // The text of the other widget is known only when the function runs, which no XPath can hold.
            if text != TextPattern::Any || !matches!(how, "right" | "left" | "sibling") {
                return unfit(
                    line,
                    format!("`.{how}()` of a widget whose text is only known when the function runs"),
                );
            }
            self.note(line, format!("`.{how}()` becomes the widget in the row of the other one"));
            let row = Some(self.named("row_widget", self.layout(), from.selector));
            let selector = SpecSelector { row, ..coded(format!("d({named})"), line)?.selector };
            return Ok(Found { selector, code: None });
        };
        let anything = named.is_empty() && how == "child";
        let named = if anything { "classNameMatches=\".*\"" } else { &named };
        let found = coded(format!("{code}.{how}({named})"), line)?;
        match text {
            TextPattern::Any => Ok(found),
            text => Ok(Found { selector: SpecSelector { text, ..found.selector }, code: None }),
        }
    }

    /// A text in a selector.
    pub(super) fn text_of(&mut self, value: Value, line: usize) -> Fit<TextPattern> {
        if let Some(text) = literal(&value) {
            return Ok(TextPattern::Is(text));
        }
        Ok(match value {
            Value::Read { found, layout, name } => {
                TextPattern::FromRead(self.read(&name, layout, found.selector))
            }
            Value::Fresh { id, .. } => match self.typed.get(id).cloned().flatten() {
                Some(name) => TextPattern::FromRead(name),
                None => {
                    return unfit(line, "a text is used before it is typed");
                }
            },
            Value::Object { data_type, .. } => match self.objects.get(&data_type) {
                Some(name) => TextPattern::FromRead(name.clone()),
                None => TextPattern::Existing(data_type),
            },
            Value::Unknown(problem) => return Err(problem),
            _ => return Err(unknown_text(line)),
        })
    }

    /// The name of a widget whose text is read on a layout.
    pub(super) fn read(&mut self, name: &str, layout: usize, selector: SpecSelector) -> String {
        let same = |it: &&NamedSelector| it.is_read() && it.layout == layout && it.selector == selector;
        if let Some(known) = self.dmf.widgets.iter().find(same) {
            return known.name.clone();
        }
        let name = if name.contains("_name") { name.to_owned() } else { format!("{name}_name") };
        self.named(&name, layout, selector)
    }
}

/// Whether an expression makes something up.
fn is_random(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Other(word) => RANDOM.iter().any(|module| word.contains(&format!("{module}."))),
        _ => root(expr).is_some_and(|root| RANDOM.contains(&root)),
    }
}

/// The name that an expression begins with.
fn root(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Field(base, _) | ExprKind::Call(base, _) | ExprKind::Item(base, _) => root(base),
        _ => None,
    }
}

/// What a function returns that does nothing else.
pub(super) fn returned(function: &Function) -> Option<&Expr> {
    let mut body = function.body.iter().filter(|it| !matches!(it.kind, StatementKind::Nothing));
    match (body.next().map(|it| &it.kind), body.next()) {
        (Some(StatementKind::Return(Some(returned))), None) => Some(returned),
        _ => None,
    }
}

/// The text of a value that is known.
pub(super) fn literal(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn by_attributes(line: usize) -> KeaProblem {
    KeaProblem { line, what: "a widget is named by attributes, such as text=".to_owned() }
}

fn unknown_text(line: usize) -> KeaProblem {
    KeaProblem { line, what: "a text is needed here".to_owned() }
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

/// A widget by the code of uiautomator2.
fn coded(code: String, line: usize) -> Fit<Found> {
    let parsed = Selector::parse(&code).map_err(|error| KeaProblem { line, what: error.problem })?;
    let mut selector = SpecSelector::default();
    let plain = parsed.xpath.as_ref().and_then(|path| path.plain());
    match plain {
        Some(plain) => {
            selector.resource_id = plain.resource_id;
            selector.class = plain.class;
            selector.text = plain.text.map_or(TextPattern::Any, TextPattern::Is);
            selector.content_desc = plain.content_desc;
            selector.instance = plain.instance;
        }
        None => selector.xpath = parsed.xpath.map(|path| path.source().to_owned()),
    }
    Ok(Found { selector, code: Some(code) })
}
