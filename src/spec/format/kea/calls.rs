//! What calls do: gestures, keys, changes of a bundle, assertions of `unittest`, and functions of the file.

use super::function::{Fit, Writer, tells_only, unfit};
use super::python::{Arguments, Expr, ExprKind, KeaProblem};
use super::values::{Found, Value};
use crate::{Action, DmfKind, FreshText, Impact, ImpactOp, Input, NamedSelector, SpecSelector, TextPattern};
use taproof_screen::Direction;

/// Pauses of so many seconds only wait for a screen to settle, as each step does by itself.
const SHORT_PAUSE: f64 = 5.0;
/// Methods of the device that are about the driver and not about the app.
const OF_DRIVER: [&str; 15] = [
    "set_fastinput_ime",
    "set_input_ime",
    "implicitly_wait",
    "screenshot",
    "screen_on",
    "unlock",
    "wait_activity",
    "wait_timeout",
    "dump_hierarchy",
    "freeze_rotation",
    "healthcheck",
    "hide_keyboard",
    "app_current",
    "app_info",
    "window_size",
];
/// Functions of Python that do nothing on a phone.
const OF_PYTHON: [&str; 9] =
    ["getattr", "hasattr", "isinstance", "len", "str", "int", "bool", "list", "type"];

impl<'f> Writer<'f> {
    /// What a statement does that is a call.
    pub(super) fn act(&mut self, expr: &'f Expr) -> Fit<()> {
        let line = expr.line;
        let ExprKind::Call(function, arguments) = &expr.kind else { return Ok(()) };
        if tells_only(function) {
            return Ok(());
        }
        match &function.kind {
            ExprKind::Name(name) if name == "sleep" => self.pause(arguments, line),
            ExprKind::Name(name) => self.own(name, arguments, line),
            ExprKind::Field(base, method) => {
                if let Some(found) = self.scroll_to(function, arguments, line)? {
                    return self.look_for(found, line);
                }
                if let Some((found, direction)) = self.scrolled(base, method) {
                    return self.step(Action::Scroll(direction), Some(found), Input::None);
                }
                match (&base.kind, method.as_str()) {
                    (ExprKind::Name(module), "sleep") if module == "time" => {
                        return self.pause(arguments, line);
                    }
                    (ExprKind::Name(own), name) if own == "self" && self.known(name).is_none() => {
                        return self.own(name, arguments, line);
                    }
                    _ => {}
                }
                match self.eval(base)? {
                    Value::Device => self.on_device(method, arguments, line),
                    Value::Widget(found) => self.on_widget(found, method, arguments, line),
                    Value::Bundle(data_type) => self.on_bundle(data_type, method, arguments, line),
                    Value::Own => self.own(method, arguments, line),
                    _ => Err(no_counterpart(method, line)),
                }
            }
            _ => unfit(line, "such a call has no counterpart here"),
        }
    }

    /// Whether an expression whose value is not known may do something on the phone: a call of the device, of a widget, of a
    /// bundle or of the file, or one that is given them.
    pub(super) fn may_act(&mut self, expr: &'f Expr) -> bool {
        let ExprKind::Call(function, arguments) = &expr.kind else { return false };
        match &function.kind {
            ExprKind::Name(name) if OF_PYTHON.contains(&name.as_str()) => return false,
            ExprKind::Name(name) if self.file.functions.contains_key(name.as_str()) => return true,
            _ => {}
        }
        let given = arguments.plain.iter().chain(arguments.named.iter().map(|(_, value)| value));
        self.is_of_phone(function) || given.into_iter().any(|argument| self.is_of_phone(argument))
    }

    /// Whether an expression is the device, a widget or a bundle, or something of one.
    fn is_of_phone(&mut self, expr: &'f Expr) -> bool {
        let value = self.eval(expr);
        matches!(value, Ok(Value::Device | Value::Own | Value::Widget(_) | Value::Bundle(_)))
            || match &expr.kind {
                ExprKind::Field(base, _) | ExprKind::Item(base, _) | ExprKind::Call(base, _) => {
                    self.is_of_phone(base)
                }
                _ => false,
            }
    }

    /// A function of the file, or an assertion of `unittest`.
    fn own(&mut self, name: &str, arguments: &'f Arguments, line: usize) -> Fit<()> {
        if let Some(function) = self.file.functions.get(name).copied() {
            self.inside(function, arguments, line, |writer| writer.perform(&function.body))?;
            return Ok(());
        }
        match (name, &arguments.plain[..]) {
            ("assertTrue" | "assertFalse", [only, ..]) => self.assert(only, name == "assertTrue"),
            ("skipTest" | "fail", _) => Err(no_counterpart(name, line)),
            (name, [left, right, ..]) if name.starts_with("assert") => {
                let (operator, wanted) = match name {
                    "assertEqual" => ("==", true),
                    "assertNotEqual" => ("==", false),
                    "assertIn" => ("in", true),
                    "assertNotIn" => ("in", false),
                    "assertGreater" => (">", true),
                    "assertGreaterEqual" => (">=", true),
                    "assertLess" => ("<", true),
                    "assertLessEqual" => ("<=", true),
                    _ => return Err(no_counterpart(name, line)),
                };
                self.before = false;
                let conditions = self.compare(left, operator, right, wanted)?;
                self.dmf.postconditions.extend(conditions);
                self.asserted = line;
                Ok(())
            }
            _ => unfit(line, format!("`{name}` is not defined in this file")),
        }
    }

    fn pause(&mut self, arguments: &'f Arguments, line: usize) -> Fit<()> {
        match self.first(arguments, line)? {
            Value::Number(seconds) if seconds <= SHORT_PAUSE => Ok(()),
            Value::Number(seconds) => {
                self.step(Action::Sleep, None, Input::Literal(format!("{}", seconds.ceil())))
            }
            _ => unfit(line, "how long it waits is not known without running it"),
        }
    }

    fn on_device(&mut self, method: &str, arguments: &'f Arguments, line: usize) -> Fit<()> {
        let word = |writer: &mut Self| match writer.first(arguments, line)? {
            Value::Text(word) => Ok(word.to_lowercase()),
            _ => unfit(line, "a word is needed here"),
        };
        match method {
            name if OF_DRIVER.contains(&name) || name.starts_with("watch") => Ok(()),
            "sleep" => self.pause(arguments, line),
            "press" => match word(self)?.as_str() {
                "back" => self.step(Action::Back, None, Input::None),
                "home" => self.step(Action::Home, None, Input::None),
                "enter" | "search" => self.step(Action::ImeAction, None, Input::None),
                key => unfit(line, format!("the key {key:?} has no counterpart here")),
            },
            "send_action" => self.step(Action::ImeAction, None, Input::None),
            "rotate" | "set_orientation" => match word(self)?.as_str() {
                "n" | "natural" => self.step(Action::RotateNatural, None, Input::None),
                "l" | "left" => self.step(Action::RotateLeft, None, Input::None),
                "r" | "right" => {
                    self.note(line, "the device is turned to the left".to_owned());
                    self.step(Action::RotateLeft, None, Input::None)
                }
                way => unfit(line, format!("turning the device to {way:?} has no counterpart here")),
            },
            "swipe_ext" => {
                let direction = direction(&word(self)?, line)?;
                let selector = SpecSelector {
                    xpath: Some("//*[@scrollable='true']".to_owned()),
                    instance: Some(0),
                    ..SpecSelector::default()
                };
                self.step(Action::Scroll(direction), Some(Found { selector, code: None }), Input::None)?;
                // Where nothing can be scrolled, such a swipe does nothing.
                self.dmf.steps.last_mut().into_iter().for_each(|step| step.required = false);
                Ok(())
            }
            "send_keys" => {
                let focused = "//*[@focused='true']".to_owned();
                let selector = SpecSelector { xpath: Some(focused), ..SpecSelector::default() };
                let text = self.first(arguments, line)?;
                let clears = |(name, value): &(String, Expr)| {
                    name == "clear" && matches!(value.kind, ExprKind::Flag(true))
                };
                if !arguments.named.iter().any(clears) {
                    self.note(line, "the field is emptied before the text is typed".to_owned());
                }
                self.edit(Found { selector, code: None }, text, line)
            }
            "clear_text" => Err(no_counterpart(method, line)),
            "app_start" => self.step(Action::Start, None, Input::None),
            "app_stop" => {
                self.stopped = Some(line);
                Ok(())
            }
            "drag" => {
                let numbers = arguments.plain.iter().map(|it| self.eval(it)).collect::<Fit<Vec<Value>>>()?;
                let pixels = numbers.iter().take(4).filter_map(|number| match number {
                    Value::Number(number) if number.fract() == 0.0 => Some(number.to_string()),
                    _ => None,
                });
                match &pixels.collect::<Vec<String>>()[..] {
                    all @ [_, _, _, _] => self.step(Action::Drag, None, Input::Literal(all.join(","))),
                    _ => unfit(line, "only a drag between two points in pixels has a counterpart here"),
                }
            }
            _ => Err(no_counterpart(method, line)),
        }
    }

    fn on_widget(&mut self, found: Found, method: &str, arguments: &'f Arguments, line: usize) -> Fit<()> {
        match method {
            // Each step waits for its widget, and assertions are judged when the screen has settled.
            "exists" | "wait" | "wait_gone" | "must_wait" | "get_text" | "bounds" | "center" => Ok(()),
            "click" | "long_click" if arguments.named.iter().any(|(name, _)| name == "offset") => {
                unfit(line, "a place inside a widget has no counterpart here")
            }
            "click" | "tap" => self.step(Action::Click, Some(found), Input::None),
            "click_exists" => {
                self.step(Action::Click, Some(found), Input::None)?;
                self.dmf.steps.last_mut().into_iter().for_each(|step| step.required = false);
                Ok(())
            }
            "long_click" => self.step(Action::LongClick, Some(found), Input::None),
            "set_text" | "send_keys" => {
                let text = self.first(arguments, line)?;
                self.edit(found, text, line)
            }
            "clear_text" => self.edit(found, Value::Text(String::new()), line),
            "swipe" => match self.first(arguments, line)? {
                Value::Text(word) => {
                    let direction = direction(&word, line)?;
                    self.step(Action::Scroll(direction), Some(found), Input::None)
                }
                _ => Err(no_counterpart(method, line)),
            },
            _ => Err(no_counterpart(method, line)),
        }
    }

    /// Types a text into a field. One that is made up is read from the field.
    fn edit(&mut self, found: Found, text: Value, line: usize) -> Fit<()> {
        let input = match &text {
            Value::Fresh { id, .. } if self.typed.get(*id).is_some_and(Option::is_some) => {
                return unfit(line, "a text that is made up is typed twice, and would be made up anew");
            }
            Value::Fresh { .. } => Input::Fresh(FreshText::plain()),
            Value::Object { data_type, .. } => Input::Existing(data_type.clone()),
            text => match self.text_of(text.clone(), line)? {
                TextPattern::Is(text) if text == "random" || text.ends_with("::random") => {
                    return unfit(
                        line,
                        format!("{text:?} is typed, which means a new text or an object in a specification"),
                    );
                }
                TextPattern::Is(text) => Input::Literal(text),
                _ => {
                    return unfit(line, "a text is typed that was read from the screen");
                }
            },
        };
        // A field that is named by its text has another one afterwards.
        let mut field = SpecSelector { text: TextPattern::Any, ..found.selector.clone() };
        if field.is_empty() {
            field.xpath = Some("//*[@focused='true']".to_owned());
        }
        self.step(Action::Edit, Some(found), input)?;
        if let Value::Fresh { id, name } = text {
            let name = self.read(&name, self.layout(), field);
            self.typed[id] = Some(name);
        }
        Ok(())
    }

    fn on_bundle(
        &mut self,
        data_type: String,
        method: &str,
        arguments: &'f Arguments,
        line: usize,
    ) -> Fit<()> {
        let (kind, ops): (_, &[ImpactOp]) = match method {
            "add" => (DmfKind::Create, &[ImpactOp::Add]),
            "delete" => (DmfKind::Delete, &[ImpactOp::Delete]),
            "update" => (DmfKind::Update, &[ImpactOp::Delete, ImpactOp::Add]),
            _ => return Err(no_counterpart(method, line)),
        };
        if !self.dmf.impacts.is_empty() {
            return unfit(line, "it changes a bundle twice");
        }
        let named = arguments.named.iter().map(|(_, value)| value);
        for (op, argument) in ops.iter().zip(arguments.plain.iter().chain(named)) {
            let value = self.eval(argument)?;
            let object = match (value, self.objects.get(&data_type)) {
                (Value::Object { data_type, name }, None) => {
                    // Its text is read where it is touched.
                    let touched =
                        |it: &&NamedSelector| it.selector.text == TextPattern::Existing(data_type.clone());
                    let Some(widget) = self.dmf.widgets.iter().find(touched).cloned() else {
                        return unfit(
                            line,
                            "the object is not looked for on the screen before it is changed",
                        );
                    };
                    let read = self.read(&name, widget.layout, widget.selector);
                    self.objects.insert(data_type, read.clone());
                    TextPattern::FromRead(read)
                }
                (value, _) => self.text_of(value, line)?,
            };
            self.dmf.impacts.push(Impact { op: op.clone(), object });
        }
        if self.dmf.impacts.len() != ops.len() {
            return unfit(line, format!("`.{method}()` needs {} values", ops.len()));
        }
        (self.dmf.kind, self.dmf.data_type) = (kind, data_type);
        Ok(())
    }

    /// The widget of `X.scroll.to(...)`.
    pub(super) fn scroll_to(
        &mut self,
        function: &'f Expr,
        arguments: &'f Arguments,
        line: usize,
    ) -> Fit<Option<Found>> {
        match &function.kind {
            ExprKind::Field(base, to)
                if to == "to" && matches!(&base.kind, ExprKind::Field(_, it) if it == "scroll") =>
            {
                match self.widget(arguments, line)? {
                    Value::Widget(found) => Ok(Some(found)),
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// Scrolls until a text is shown.
    fn look_for(&mut self, found: Found, line: usize) -> Fit<()> {
        let input = match found.selector.text {
            TextPattern::Is(text) => Input::Literal(text),
            TextPattern::Existing(data_type) => Input::Existing(data_type),
            // Assertions look through the lists by themselves.
            TextPattern::FromRead(_) => return Ok(()),
            TextPattern::Any => {
                return unfit(line, "only a text is scrolled to");
            }
        };
        self.step(Action::ScrollTo, None, input)?;
        // What is scrolled to may be absent; whoever needs it says so afterwards.
        self.dmf.steps.last_mut().into_iter().for_each(|step| step.required = false);
        Ok(())
    }

    /// What `X.scroll()`, `X.fling()` and `X.scroll.vert.forward()` move, and where the content goes.
    fn scrolled(&mut self, base: &'f Expr, method: &str) -> Option<(Found, Direction)> {
        let mut words = vec![method];
        let mut widget = base;
        while let ExprKind::Field(inner, word) = &widget.kind
            && !matches!(words.last(), Some(&("scroll" | "fling")))
        {
            words.push(word);
            widget = inner;
        }
        let forward = match *words.first()? {
            "forward" | "scroll" | "fling" => true,
            "backward" => false,
            _ => return None,
        };
        if !words
            .iter()
            .all(|word| ["forward", "backward", "vert", "horiz", "scroll", "fling"].contains(word))
            || !matches!(words.last(), Some(&("scroll" | "fling")))
        {
            return None;
        }
        let direction = match (words.contains(&"horiz"), forward) {
            (false, true) => Direction::Up,
            (false, false) => Direction::Down,
            (true, true) => Direction::Left,
            (true, false) => Direction::Right,
        };
        match self.eval(widget) {
            Ok(Value::Widget(found)) => Some((found, direction)),
            _ => None,
        }
    }
}

fn direction(word: &str, line: usize) -> Fit<Direction> {
    Ok(match word {
        "up" => Direction::Up,
        "down" => Direction::Down,
        "left" => Direction::Left,
        "right" => Direction::Right,
        _ => return unfit(line, format!("{word:?} is no direction")),
    })
}

fn no_counterpart(method: &str, line: usize) -> KeaProblem {
    KeaProblem { line, what: format!("`{method}` has no counterpart here") }
}
