//! What is true or false: preconditions, guards and assertions as conditions of specifications.

use super::function::{Fit, Writer, tells, unfit};
use super::python::{Arguments, Expr, ExprKind, KeaProblem, Statement, StatementKind};
use super::values::{Found, Value, literal, returned};
use crate::{Condition, Relation, SpecSelector, TextPattern};
use taproof_screen::XPath;

/// How many conditions, with those that may hold instead, one expression may become.
const MOST: usize = 24;

impl<'f> Writer<'f> {
    /// The conditions that together say that an expression is true, or false, on the current layout.
    pub(super) fn demand(&mut self, expr: &'f Expr, wanted: bool) -> Fit<Vec<Condition>> {
        let line = expr.line;
        match &expr.kind {
            ExprKind::Lambda(body) => self.demand(body, wanted),
            ExprKind::Not(inner) => self.demand(inner, !wanted),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                let (left, right) = (self.demand(left, wanted)?, self.demand(right, wanted)?);
                // What must be false is turned around.
                if matches!(expr.kind, ExprKind::And(..)) == wanted {
                    return Ok(left.into_iter().chain(right).collect());
                }
                either(&left, &right, line)
            }
            ExprKind::Either(left, right) => {
                let (one, other) = (self.demand(left, true)?, self.demand(right, true)?);
                let (not_one, not_other) = (self.demand(left, false)?, self.demand(right, false)?);
                let (first, second) = match wanted {
                    true => ((one, other), (not_one, not_other)),
                    false => ((one, not_other), (not_one, other)),
                };
                let mut all = either(&first.0, &first.1, line)?;
                all.extend(either(&second.0, &second.1, line)?);
                Ok(all)
            }
            ExprKind::Compare(left, operator, right) => self.compare(left, operator, right, wanted),
            ExprKind::Name(name) if self.file.functions.contains_key(name.as_str()) => {
                self.returns(name, &NO_ARGUMENTS, line, wanted)
            }
            ExprKind::Call(function, arguments) => {
                let name = match &function.kind {
                    ExprKind::Name(name) | ExprKind::Field(_, name) => name.as_str(),
                    _ => "",
                };
                let own = match &function.kind {
                    ExprKind::Field(base, _) => matches!(self.eval(base), Ok(Value::Own)),
                    _ => true,
                };
                if own && self.file.functions.contains_key(name) {
                    return self.returns(name, arguments, line, wanted);
                }
                match (self.scroll_to(function, arguments, line)?, &arguments.plain[..]) {
                    // A condition looks through the lists by itself.
                    (Some(found), _) => self.truth(Value::Shown(found, true, self.layout()), wanted, line),
                    (None, [only]) if name == "bool" => self.demand(only, wanted),
                    (None, _) => {
                        let value = self.eval(expr)?;
                        self.truth(value, wanted, line)
                    }
                }
            }
            _ => {
                let value = self.eval(expr)?;
                self.truth(value, wanted, line)
            }
        }
    }

    /// What is asserted, if nothing else is done. What depends on the screen is asserted unless the screen is another.
    pub(super) fn cases(&mut self, statements: &'f [Statement]) -> Fit<Option<Vec<Condition>>> {
        let mut all = Vec::new();
        for statement in statements.iter().filter(|it| !tells(it)) {
            match &statement.kind {
                StatementKind::Assert(expr) => all.extend(self.demand(expr, true)?),
                StatementKind::If { test, then, otherwise } => {
                    let (Some(then), Some(otherwise)) = (self.cases(then)?, self.cases(otherwise)?) else {
                        return Ok(None);
                    };
                    for (asserted, unless) in [(then, false), (otherwise, true)] {
                        let unless = self.demand(test, unless)?;
                        all.extend(either(&unless, &asserted, test.line)?);
                    }
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    fn returns(
        &mut self,
        name: &str,
        arguments: &'f Arguments,
        line: usize,
        wanted: bool,
    ) -> Fit<Vec<Condition>> {
        let function = self.file.functions[name];
        let returned = returned(function).ok_or_else(|| KeaProblem {
            line,
            what: format!("`{name}` does more than to return something, which no condition does"),
        })?;
        self.inside(function, arguments, line, |writer| writer.demand(returned, wanted))
    }

    /// That a value is true or false.
    fn truth(&mut self, value: Value, wanted: bool, line: usize) -> Fit<Vec<Condition>> {
        let now = self.layout();
        Ok(vec![match value {
            Value::Shown(_, _, layout) | Value::Count(_, layout) | Value::State(_, _, layout)
                if layout != now =>
            {
                return Err(seen_before(line));
            }
            Value::Shown(found, shown, _) => self.shown(found, shown == wanted),
            // A widget of uiautomator2 is true if there is one.
            Value::Count(found, _) | Value::Widget(found) => self.shown(found, wanted),
            Value::State(found, state, _) => {
                let state = if wanted { state } else { state.opposite() };
                Condition { state: Some(state), ..self.shown(found, true) }
            }
            Value::Objects(data_type) | Value::ObjectCount(data_type) => {
                Condition::on_data(data_type, if wanted { Relation::IsNotEmpty } else { Relation::IsEmpty })
            }
            Value::Flag(flag) if flag == wanted => return Ok(Vec::new()),
            Value::Flag(_) => return unfit(line, "it never holds"),
            Value::Unknown(problem) => return Err(problem),
            _ => {
                return unfit(line, "whether this is true has no counterpart here");
            }
        }])
    }

    /// That a widget is shown or not on the current layout.
    fn shown(&mut self, found: Found, shown: bool) -> Condition {
        let layout = self.layout();
        let base = if self.before { "pre_widget" } else { "post_widget" };
        let name = self.named(base, layout, found.selector);
        Condition::on_widget(name, if shown { Relation::In } else { Relation::NotIn }).at(layout)
    }

    pub(super) fn compare(
        &mut self,
        left: &'f Expr,
        operator: &str,
        right: &'f Expr,
        wanted: bool,
    ) -> Fit<Vec<Condition>> {
        let line = left.line;
        let (operator, wanted) = match operator {
            "!=" | "is not" => ("==", !wanted),
            "not in" => ("in", !wanted),
            "is" => ("==", wanted),
            other => (other, wanted),
        };
        let (left, right) = (self.eval(left)?, self.eval(right)?);
        match (left, operator, right) {
            (Value::Read { found, .. }, "==", Value::None) => {
                self.truth(Value::Shown(found, false, self.layout()), wanted, line)
            }
            (Value::Widget(_) | Value::Device, "==", Value::None) => {
                self.truth(Value::Flag(false), wanted, line)
            }
            (value, "==", Value::Flag(flag)) | (Value::Flag(flag), "==", value) => {
                self.truth(value, wanted == flag, line)
            }
            (Value::Count(_, layout), ..) if layout != self.layout() => Err(seen_before(line)),
            (Value::Count(found, _), operator, Value::Number(number)) => {
                self.count(found, operator, number, wanted, line)
            }
            (Value::ObjectCount(data_type), operator, Value::Number(number)) => {
                let any = match (operator, number) {
                    (">", 0.0) | (">=", 1.0) => true,
                    ("==", 0.0) | ("<", 1.0) | ("<=", 0.0) => false,
                    ("<=", most) if wanted => {
                        return Ok(vec![Condition::on_data(
                            data_type,
                            Relation::Smaller(most.max(0.0) as usize),
                        )]);
                    }
                    _ => {
                        return unfit(
                            line,
                            "of the objects of a bundle, only whether there are any is a condition",
                        );
                    }
                };
                self.truth(Value::Objects(data_type), any == wanted, line)
            }
            (part, "in", Value::Read { found, layout, .. }) if layout == self.layout() => {
                let Some(part) = literal(&part) else {
                    return unfit(
                        line,
                        "a text that is only known when the function runs is compared with a part of another",
                    );
                };
                let test = format!("contains(@text,{})", XPath::literal(&part));
                Ok(vec![self.shown(found.with_test(&test), wanted)])
            }
            (one, "==", other) => self.equal(one, other, wanted, line),
            (Value::Unknown(problem), ..) | (.., Value::Unknown(problem)) => Err(problem),
            _ => unfit(line, format!("`{operator}` of these has no counterpart here")),
        }
    }

    /// That as many widgets are shown.
    fn count(
        &mut self,
        found: Found,
        operator: &str,
        number: f64,
        wanted: bool,
        line: usize,
    ) -> Fit<Vec<Condition>> {
        let number = number.max(0.0) as u32;
        // How many there are at least, if this is true, and how many there are at most.
        let (least, most) = match operator {
            ">" => (Some(number + 1), None),
            ">=" => (Some(number), None),
            "<" => (None, Some(number.saturating_sub(1))),
            "<=" => (None, Some(number)),
            "==" if wanted || number == 0 => (Some(number), Some(number)),
            _ => {
                return unfit(line, format!("`{operator}` of a count has no counterpart here"));
            }
        };
        let (least, most) = match (wanted, least, most) {
            (true, least, most) => (least, most),
            // Not none are some.
            (false, Some(0), Some(0)) => (Some(1), None),
            (false, Some(least), _) => (None, Some(least.saturating_sub(1))),
            (false, None, most) => (most.map(|most| most + 1), None),
        };
        let mut all = Vec::new();
        if let Some(least) = least.filter(|least| *least > 0) {
            let instance = (least > 1).then_some(least - 1);
            let selector = SpecSelector { instance, ..found.selector.clone() };
            all.push(self.shown(Found { selector, code: None }, true));
        }
        all.extend(most.map(|most| match most {
            0 => self.shown(found, false),
            most => Condition { relation: Relation::Smaller(most as usize), ..self.shown(found, true) },
        }));
        Ok(all)
    }

    /// That two texts are equal, of which one is that of a widget on the current layout.
    fn equal(&mut self, one: Value, other: Value, wanted: bool, line: usize) -> Fit<Vec<Condition>> {
        let now = self.layout();
        let is_now = |value: &Value| matches!(value, Value::Read { layout, .. } if *layout == now);
        if let (Some(one), Some(other)) = (literal(&one), literal(&other)) {
            return self.truth(Value::Flag(one == other), wanted, line);
        }
        let (shown, text) = match (is_now(&one), is_now(&other)) {
            (true, false) => (one, other),
            (false, true) => (other, one),
            _ => {
                return unfit(
                    line,
                    "of two texts that are compared, one has to be what a widget shows at that moment",
                );
            }
        };
        let Value::Read { found, .. } = shown else { return Ok(Vec::new()) };
        if found.selector.text != TextPattern::Any {
            return unfit(line, "the text of a widget is compared that is itself found by its text");
        }
        let text = self.text_of(text, line)?;
        let selector = SpecSelector { text, ..found.selector };
        Ok(vec![self.shown(Found { selector, code: None }, wanted)])
    }
}

fn seen_before(line: usize) -> KeaProblem {
    KeaProblem {
        line,
        what: "what was seen before the last step is compared with what is seen after it".to_owned(),
    }
}

/// The conditions that say that all of the left hold, or all of the right.
pub(super) fn either(left: &[Condition], right: &[Condition], line: usize) -> Fit<Vec<Condition>> {
    let one = |left: &Condition, right: &Condition| {
        let mut or = left.or.clone();
        or.push(Condition { or: Vec::new(), ..right.clone() });
        or.extend(right.or.iter().cloned());
        Condition { or, ..left.clone() }
    };
    let all = left.iter().flat_map(|left| right.iter().map(move |right| one(left, right)));
    let all: Vec<Condition> = all.collect();
    if all.iter().map(|it| it.alternatives().count()).sum::<usize>() > MOST {
        return unfit(line, "it has too many cases to be written as conditions");
    }
    Ok(all)
}

static NO_ARGUMENTS: Arguments = Arguments { plain: Vec::new(), named: Vec::new() };
