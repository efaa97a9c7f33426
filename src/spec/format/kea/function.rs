//! A function that asserts a property as a DMF: its statements become steps, and what it asserts conditions.

use std::collections::BTreeMap;

use super::KeaSource;
use super::conditions::either;
use super::python::{Expr, ExprKind, KeaProblem, Statement, StatementKind};
use super::values::{Found, Value};
use crate::{Action, Condition, Dmf, DmfStep, Input, NamedSelector, Relation, SpecSelector, TextPattern};

/// What is read, or the first place that has no counterpart here.
pub(super) type Fit<T> = Result<T, KeaProblem>;

/// That a place has no counterpart here, or is wrong.
pub(super) fn unfit<T>(line: usize, what: impl Into<String>) -> Fit<T> {
    Err(KeaProblem { line, what: what.into() })
}

/// How often a loop is written out.
const MOST_TURNS: usize = 30;
/// What tells of a run and changes nothing.
const TELLING: [&str; 6] = ["print", "logging", "logger", "log", "warnings", "allure"];

/// Whether the statements after one are done.
#[derive(PartialEq, Eq)]
pub(super) enum Flow {
    On,
    Returned,
}

/// A function while it is read.
pub(super) struct Writer<'f> {
    pub file: &'f KeaSource<'f>,
    pub dmf: Dmf,
    /// The variables of the functions that call each other, the innermost last.
    pub scopes: Vec<BTreeMap<String, Value>>,
    /// The widget that shows each text that is made up, once it was typed.
    pub typed: Vec<Option<String>>,
    /// The widget that shows the object of each bundle, once it was read.
    pub objects: BTreeMap<String, String>,
    /// Whether conditions are those before the first step.
    pub before: bool,
    /// What is read otherwise than it is written.
    pub notes: Vec<KeaProblem>,
    /// The functions that end with an assertion before the last step.
    pub parts: Vec<Dmf>,
    /// The line of the last assertion.
    pub asserted: usize,
    /// The line in which the app was stopped, if it was not started again.
    pub stopped: Option<usize>,
    /// What names of widgets of steps begin with.
    step_name: &'static str,
}

impl<'f> Writer<'f> {
    pub(super) fn new(file: &'f KeaSource<'f>, dmf: Dmf, step_name: &'static str) -> Self {
        Writer {
            file,
            dmf,
            scopes: vec![BTreeMap::new()],
            typed: Vec::new(),
            objects: BTreeMap::new(),
            before: true,
            notes: Vec::new(),
            parts: Vec::new(),
            asserted: 0,
            stopped: None,
            step_name,
        }
    }

    /// The number of the current layout.
    pub(super) fn layout(&self) -> usize {
        self.dmf.steps.len()
    }

    pub(super) fn note(&mut self, line: usize, what: String) {
        self.notes.push(KeaProblem { line, what });
    }

    /// The value of a variable or of a constant of the file.
    pub(super) fn known(&self, name: &str) -> Option<Value> {
        let here = self.scopes.last().and_then(|scope| scope.get(name));
        here.or_else(|| self.file.constants.get(name)).cloned()
    }

    /// The name of a widget, which is added unless it is there.
    pub(super) fn named(&mut self, base: &str, layout: usize, selector: SpecSelector) -> String {
        let is_read = |name: &str| name.contains("_name");
        let same = |it: &&NamedSelector| {
            it.layout == layout && it.selector == selector && is_read(&it.name) == is_read(base)
        };
        if let Some(known) = self.dmf.widgets.iter().find(same) {
            return known.name.clone();
        }
        let names = std::iter::once(base.to_owned()).chain((2..).map(|number| format!("{base}{number}")));
        let name = names.into_iter().find(|name| self.dmf.widget(name).is_none()).unwrap_or_default();
        self.dmf.widgets.push(NamedSelector { name: name.clone(), layout, selector });
        name
    }

    /// Reads the preconditions.
    pub(super) fn require(&mut self, expr: &'f Expr) -> Fit<()> {
        let conditions = self.demand(expr, true)?;
        self.dmf.preconditions.extend(conditions);
        Ok(())
    }

    /// Reads statements one after the other.
    pub(super) fn perform(&mut self, statements: &'f [Statement]) -> Fit<Flow> {
        for statement in statements {
            if self.statement(statement)? == Flow::Returned {
                return Ok(Flow::Returned);
            }
        }
        Ok(Flow::On)
    }

    fn statement(&mut self, statement: &'f Statement) -> Fit<Flow> {
        let line = statement.line;
        match &statement.kind {
            StatementKind::Expr(expr) => match &expr.kind {
                ExprKind::Call(..) => self.act(expr)?,
                ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Item(..) | ExprKind::None => {}
                _ => {
                    return unfit(
                        line,
                        "a statement that only sometimes does something has no counterpart here",
                    );
                }
            },
            StatementKind::Assign(name, expr) => {
                let value = self.eval_or_keep(expr);
                if matches!(value, Value::Unknown(_)) && self.may_act(expr) {
                    self.act(expr)?;
                }
                let value = match value {
                    Value::Read { found, layout, .. } => Value::Read { found, layout, name: name.clone() },
                    Value::Fresh { id, .. } => Value::Fresh { id, name: name.clone() },
                    Value::Object { data_type, .. } => Value::Object { data_type, name: name.clone() },
                    other => other,
                };
                if let Some(scope) = self.scopes.last_mut() {
                    scope.insert(name.clone(), value);
                }
            }
            StatementKind::Assert(expr) => self.assert(expr, true)?,
            StatementKind::If { test, then, otherwise } => return self.guard(test, then, otherwise),
            StatementKind::For { name, over, body } => return self.repeat(name, over, body),
            StatementKind::Return(_) => return Ok(Flow::Returned),
            StatementKind::Nothing => {}
            StatementKind::Function(_) | StatementKind::Class { .. } => {}
            StatementKind::Other(word) => {
                return unfit(line, format!("`{word}` has no counterpart here"));
            }
        }
        Ok(Flow::On)
    }

    pub(super) fn assert(&mut self, expr: &'f Expr, wanted: bool) -> Fit<()> {
        self.before = false;
        let conditions = self.demand(expr, wanted)?;
        self.dmf.postconditions.extend(conditions);
        self.asserted = expr.line;
        Ok(())
    }

    /// A condition in a function: what a dialog needs, a reason not to go on, or something that no DMF does.
    fn guard(&mut self, test: &'f Expr, then: &'f [Statement], otherwise: &'f [Statement]) -> Fit<Flow> {
        let line = test.line;
        let returns = then.last().is_some_and(|it| matches!(it.kind, StatementKind::Return(_)));
        let nothing = |statements: &[Statement]| statements.iter().all(tells);
        if returns && self.scopes.len() > 1 {
            return unfit(line, "whether the rest of this function is done depends on the screen");
        }
        if nothing(otherwise) && returns && nothing(&then[..then.len() - 1]) {
            self.leave(test)?;
            return Ok(Flow::On);
        }
        let widgets = self.dmf.widgets.len();
        let before = std::mem::replace(&mut self.before, false);
        if let (Some(then), Some(otherwise)) = (self.cases(then)?, self.cases(otherwise)?) {
            for (asserted, unless) in
                [(then, false), (otherwise, true)].into_iter().filter(|(it, _)| !it.is_empty())
            {
                let unless = self.demand(test, unless)?;
                self.dmf.postconditions.extend(either(&unless, &asserted, line)?);
                self.asserted = line;
            }
            return Ok(Flow::On);
        }
        self.dmf.widgets.truncate(widgets);
        self.before = before;
        if !nothing(otherwise) {
            return unfit(line, "what is done depends on the screen, which no DMF does");
        }
        let shown = match &self.demand(test, true)?[..] {
            [only] if only.relation == Relation::In && only.or.is_empty() && only.state.is_none() => {
                only.widget.as_deref().and_then(|name| self.dmf.widget(name)).map(|it| it.selector.clone())
            }
            _ => None,
        };
        self.dmf.widgets.truncate(widgets);
        let first = self.layout();
        let flow = self.perform(then)?;
        // A key is pressed only where the widget is shown.
        if let (Some(shown), Some(DmfStep { widget: None, .. })) = (&shown, self.dmf.steps.get(first)) {
            let name = self.named(&format!("{}{}_widget", self.step_name, first + 1), first, shown.clone());
            self.dmf.steps[first].widget = Some(name);
        }
        let steps = self.dmf.steps.get(first..).unwrap_or_default();
        let targets: Vec<_> =
            steps.iter().map(|step| Some(&self.dmf.widget(step.widget.as_deref()?)?.selector)).collect();
        let all_named = targets.iter().all(Option::is_some);
        if flow != Flow::On
            || !all_named
            || shown.is_none()
            || targets.first().copied().flatten() != shown.as_ref()
        {
            return unfit(
                line,
                "what is done depends on the screen: only steps can be left out that begin with the widget that is \
                        looked for",
            );
        }
        if targets.len() > 1 {
            self.note(line, "each of these steps is left out where its widget is not shown".to_owned());
        }
        self.dmf.steps[first..].iter_mut().for_each(|step| step.required = false);
        Ok(Flow::On)
    }

    /// Where a function returns without asserting anything, its run does not count.
    fn leave(&mut self, test: &'f Expr) -> Fit<()> {
        if self.layout() == 0 && self.before {
            let conditions = self.demand(test, false)?;
            self.dmf.preconditions.extend(conditions);
            return Ok(());
        }
        self.before = false;
        let layout = self.layout();
        match &self.demand(test, true)?[..] {
            [only] if only.relation == Relation::In && only.or.is_empty() && self.dmf.refusal.is_none() => {
                self.dmf.refusal = only.widget.clone();
                let what =
                    "a run does not count if this is shown at its end, or instead of what a step needs";
                self.note(test.line, what.to_owned());
                Ok(())
            }
            // A run does not count either where a widget is missing that is read.
            [only] if only.relation == Relation::NotIn && only.or.is_empty() && only.state.is_none() => {
                let widget = only.widget.as_deref().and_then(|name| self.dmf.widget(name));
                let selector = widget.map(|it| it.selector.clone()).unwrap_or_default();
                self.read("needed", layout, selector);
                Ok(())
            }
            _ => unfit(test.line, "a function can only leave for one reason, a widget that is shown"),
        }
    }

    fn repeat(&mut self, name: &str, over: &'f Expr, body: &'f [Statement]) -> Fit<Flow> {
        let line = over.line;
        let range = match &over.kind {
            ExprKind::Call(function, arguments) if matches!(&function.kind, ExprKind::Name(it) if it == "range") =>
            {
                let numbers = arguments.plain.iter().map(|it| self.eval(it)).collect::<Fit<Vec<Value>>>()?;
                match numbers[..] {
                    [Value::Number(end)] => Some((0.0, end)),
                    [Value::Number(start), Value::Number(end)] => Some((start, end)),
                    _ => None,
                }
            }
            _ => None,
        };
        let turns: Vec<Value> = match range {
            Some((start, end)) if end - start <= MOST_TURNS as f64 => {
                let turns = (end - start).max(0.0) as usize;
                (0..turns).map(|turn| Value::Number(start + turn as f64)).collect()
            }
            Some(_) => Vec::new(),
            None => match self.eval(over)? {
                Value::List(items) if items.len() <= MOST_TURNS => items,
                _ => Vec::new(),
            },
        };
        if turns.is_empty() {
            return unfit(line, "how often this is done is not known without running it");
        }
        for turn in turns {
            if let Some(scope) = self.scopes.last_mut() {
                scope.insert(name.to_owned(), turn);
            }
            if self.perform(body)? == Flow::Returned {
                return Ok(Flow::Returned);
            }
        }
        Ok(Flow::On)
    }

    pub(super) fn step(&mut self, action: Action, found: Option<Found>, input: Input) -> Fit<()> {
        if let Some(stopped) = self.stopped.take().filter(|_| action != Action::Start) {
            return unfit(stopped, "the app is stopped, and not started by the next step");
        }
        self.end_part();
        self.before = false;
        let layout = self.layout();
        let base = format!("{}{}_widget", self.step_name, layout + 1);
        let widget = found.map(|found| self.named(&base, layout, found.selector));
        self.dmf.steps.push(DmfStep { action, widget, input, required: true });
        Ok(())
    }

    /// Makes what is asserted so far the end of a function of its own.
    pub(super) fn end_part(&mut self) {
        if self.dmf.postconditions.is_empty() {
            return;
        }
        let mut part = self.dmf.clone();
        part.name = format!("{}_until_line_{}", part.name, self.asserted);
        self.parts.push(part);
        self.dmf.postconditions.clear();
        let what = "what is asserted before the last step is the end of a function of its own".to_owned();
        self.note(self.asserted, what);
    }

    /// The finished function, and those that end with an assertion before its end.
    pub(super) fn finish(mut self) -> (Vec<Dmf>, Vec<KeaProblem>) {
        self.parts.push(self.dmf);
        self.parts.iter_mut().for_each(keep_used);
        (self.parts, self.notes)
    }
}

/// Removes the widgets that nothing refers to.
fn keep_used(dmf: &mut Dmf) {
    let last = dmf.steps.len();
    let used: Vec<String> = crate::lint::used_widgets(dmf).into_iter().map(str::to_owned).collect();
    let is_needed = |name: &String| used.contains(name) || name.starts_with("needed_name");
    dmf.widgets.retain(|widget| widget.layout <= last && is_needed(&widget.name));
    let needs = dmf.widgets.iter().any(|it| it.selector.text == TextPattern::Existing(dmf.data_type.clone()));
    if needs && !dmf.preconditions.iter().any(|it| it.relation == Relation::IsNotEmpty) {
        dmf.preconditions.push(Condition::on_data(dmf.data_type.clone(), Relation::IsNotEmpty));
    }
}

/// Whether a statement does nothing but tell of the run, or returns.
pub(super) fn tells(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Nothing => true,
        StatementKind::Expr(Expr { kind: ExprKind::Call(function, _), .. }) => tells_only(function),
        _ => false,
    }
}

pub(super) fn tells_only(function: &Expr) -> bool {
    match &function.kind {
        ExprKind::Name(name) => TELLING.contains(&name.as_str()),
        ExprKind::Field(base, _) => tells_only(base),
        _ => false,
    }
}
