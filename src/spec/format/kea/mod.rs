//! Properties of Kea and Kea2: Python is read and not run. A function with a precondition becomes a DMF, and what it asserts
//! its postconditions. What has no counterpart is said with its line, and its function is kept without being judged.

mod calls;
mod conditions;
mod function;
mod python;
#[cfg(test)]
mod tests;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use self::function::{Writer, unfit};
use self::python::{Expr, ExprKind, Function, Statement, StatementKind};
use self::values::Value;
use crate::{Dmf, DmfKind, Invariant, Spec};

pub use self::python::KeaProblem;

/// The data type of properties that change no bundle.
const NO_BUNDLE: &str = "property";

/// The properties of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeaFile {
    /// Its functions and invariants.
    pub spec: Spec,
    /// What is done first in every test (`@initializer`), as the steps of a function.
    pub initializer: Option<Dmf>,
    /// What is read otherwise than it is written, and what is left out.
    pub notes: Vec<KeaProblem>,
}

/// What is known of a file when the functions of a class are read.
struct KeaSource<'f> {
    constants: BTreeMap<String, Value>,
    /// The class and those of the file that it is made from.
    classes: BTreeSet<&'f str>,
    /// Functions of the file and methods of these classes, for those that call them.
    functions: BTreeMap<&'f str, &'f Function>,
}

/// What a function is, by its decorators.
#[derive(Default)]
struct Marks<'f> {
    preconditions: Vec<&'f Expr>,
    rule: bool,
    initializer: bool,
    main_path: bool,
    invariant: bool,
    weight: Option<u32>,
    max_runs: Option<u32>,
    /// A decorator that has no counterpart here.
    unknown: Option<KeaProblem>,
}

/// Reads a file of properties.
///
/// # Errors
///
/// [`KeaProblem`] for the first place that is not Python, or if no function of the file is a property.
pub fn parse_kea(text: &str) -> Result<KeaFile, KeaProblem> {
    let statements = python::parse(text)?;
    let mut file = KeaFile::default();
    for statement in &statements {
        if let StatementKind::Class { name, body, .. } = &statement.kind {
            file.class(&KeaSource::of(&statements, name), body);
        }
    }
    if file.spec.dmfs.is_empty() && file.spec.invariants.is_empty() {
        return unfit(1, "no class of this file has a function with @precondition, @rule or @invariant");
    }
    file.notes.sort();
    file.notes.dedup();
    Ok(file)
}

impl<'f> KeaSource<'f> {
    fn of(statements: &'f [Statement], class: &'f str) -> Self {
        let mut source =
            KeaSource { constants: BTreeMap::new(), classes: BTreeSet::new(), functions: BTreeMap::new() };
        source.add(statements);
        source.add_class(statements, class);
        source
    }

    /// Adds what a class has, after what it has from others.
    fn add_class(&mut self, statements: &'f [Statement], class: &'f str) {
        for statement in statements {
            if let StatementKind::Class { name, bases, body } = &statement.kind
                && name == class
                && self.classes.insert(name)
            {
                bases.iter().for_each(|base| self.add_class(statements, base));
                self.add(body);
            }
        }
    }

    fn add(&mut self, statements: &'f [Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Function(function) => {
                    self.functions.insert(&function.name, function);
                }
                StatementKind::Assign(name, expr) => {
                    let value = match bundle(expr) {
                        Some(data_type) => Value::Bundle(data_type.to_owned()),
                        None => {
                            let mut writer = Writer::new(self, Dmf::empty("", DmfKind::Property, ""), "e");
                            writer.eval_or_keep(expr)
                        }
                    };
                    self.constants.insert(name.clone(), value);
                }
                _ => {}
            }
        }
    }

    fn has_bundle(&self) -> bool {
        self.constants.values().any(|value| matches!(value, Value::Bundle(_)))
    }
}

/// The name of a bundle, as in `Bundle("files")` and `KeaTest.set_bundle("files")`.
fn bundle(expr: &Expr) -> Option<&str> {
    let ExprKind::Call(function, arguments) = &expr.kind else { return None };
    let (ExprKind::Name(name) | ExprKind::Field(_, name)) = &function.kind else { return None };
    let first = arguments.plain.first().or(arguments.named.first().map(|(_, value)| value))?;
    match &first.kind {
        ExprKind::Text(data_type) if matches!(name.as_str(), "Bundle" | "set_bundle") => Some(data_type),
        _ => None,
    }
}

impl KeaFile {
    fn class<'f>(&mut self, source: &'f KeaSource<'f>, body: &'f [Statement]) {
        let functions: Vec<&Function> = body
            .iter()
            .filter_map(|statement| match &statement.kind {
                StatementKind::Function(function) => Some(function),
                _ => None,
            })
            .collect();
        let marks: Vec<_> = functions.iter().map(|function| (*function, Marks::of(function))).collect();
        let is = |of: fn(&Marks<'_>) -> bool| {
            marks.iter().filter(move |(_, it)| of(it)).map(|(function, _)| *function)
        };
        let set_up =
            functions.iter().filter(|it| matches!(it.name.as_str(), "setUpClass" | "setUp")).copied();
        match is(|it| it.initializer).next() {
            Some(_) => is(|it| it.initializer).for_each(|function| self.initializer(source, function)),
            None => set_up.for_each(|function| self.initializer(source, function)),
        }
        let mut ways = is(|it| it.main_path);
        let way = ways.next().and_then(|function| self.way(source, function));
        for other in ways {
            let what = format!("`{}` is left out, as there is one way to a function", other.name);
            self.notes.push(KeaProblem { line: other.line, what });
        }
        for (function, marks) in &marks {
            if marks.invariant {
                self.invariant(source, function);
            } else if !marks.preconditions.is_empty() || marks.rule {
                self.function(source, function, marks, way.as_ref());
            } else if !marks.initializer && !marks.main_path && function.name.starts_with("test") {
                let what =
                    format!("`{}` has no @precondition, so no fuzzer runs it; it is left out", function.name);
                self.notes.push(KeaProblem { line: function.line, what });
            }
        }
    }

    fn initializer<'f>(&mut self, source: &'f KeaSource<'f>, function: &'f Function) {
        let Some(first) = self.steps(source, function, "first").filter(|dmf| !dmf.steps.is_empty()) else {
            return;
        };
        match &self.initializer {
            None => self.initializer = Some(Dmf { name: "initializer".to_owned(), ..first }),
            Some(_) => {
                let what =
                    format!("`{}` is left out, as something else is done first already", function.name);
                self.notes.push(KeaProblem { line: function.line, what });
            }
        }
    }

    /// The main path as the way from the start to where functions may begin.
    fn way<'f>(&mut self, source: &'f KeaSource<'f>, function: &'f Function) -> Option<Dmf> {
        let mut way = self.steps(source, function, "lead")?;
        way.widgets.retain(|widget| widget.name.starts_with("lead"));
        way.widgets.iter_mut().for_each(|widget| widget.layout = 0);
        Some(way)
    }

    /// What a function does, without what it asserts; `None` if it has no counterpart.
    fn steps<'f>(
        &mut self,
        source: &'f KeaSource<'f>,
        function: &'f Function,
        step_name: &'static str,
    ) -> Option<Dmf> {
        let mut writer = Writer::new(source, Dmf::empty("", DmfKind::Property, NO_BUNDLE), step_name);
        let read = writer.perform(&function.body);
        let (mut dmfs, notes) = writer.finish();
        self.notes.extend(notes);
        match read {
            Ok(_) => dmfs.pop(),
            Err(problem) => {
                self.left_out(&format!("`{}`", function.name), problem);
                None
            }
        }
    }

    fn left_out(&mut self, whose: &str, KeaProblem { line, what }: KeaProblem) {
        self.notes.push(KeaProblem { line, what: format!("{what}; {whose} is left out") });
    }

    fn invariant<'f>(&mut self, source: &'f KeaSource<'f>, function: &'f Function) {
        let mut writer = Writer::new(source, Dmf::empty("", DmfKind::Property, NO_BUNDLE), "e");
        writer.before = false;
        let read = writer.perform(&function.body);
        let (mut dmfs, notes) = writer.finish();
        self.notes.extend(notes);
        match (read, dmfs.pop()) {
            (Err(problem), _) => self.left_out(&format!("`{}`", function.name), problem),
            (Ok(_), Some(dmf)) if dmf.steps.is_empty() && !dmf.postconditions.is_empty() => {
                let Dmf { widgets, preconditions, postconditions, .. } = dmf;
                let name = function.name.clone();
                self.spec.invariants.push(Invariant {
                    name,
                    widgets,
                    when: preconditions,
                    holds: postconditions,
                });
            }
            (Ok(_), _) => {
                let what = "an invariant asserts something and touches nothing".to_owned();
                self.left_out(&format!("`{}`", function.name), KeaProblem { line: function.line, what });
            }
        }
    }

    fn function<'f>(
        &mut self,
        source: &'f KeaSource<'f>,
        function: &'f Function,
        marks: &Marks<'f>,
        way: Option<&Dmf>,
    ) {
        let dmf = Dmf {
            weight: marks.weight.unwrap_or(10),
            max_runs: marks.max_runs,
            ..Dmf::empty(function.name.clone(), DmfKind::Property, NO_BUNDLE)
        };
        let mut writer = Writer::new(source, dmf, "e");
        let read = match &marks.unknown {
            Some(problem) => Err(problem.clone()),
            None => marks.preconditions.iter().try_for_each(|precondition| writer.require(precondition)),
        };
        let read = read.and_then(|()| writer.perform(&function.body));
        if let Err(problem) = read {
            writer.end_part();
            writer.dmf.not_judged = Some(problem.to_string());
        }
        let (dmfs, notes) = writer.finish();
        self.notes.extend(notes);
        // What is done before a bundle is changed may have changed the app already, which nobody would account for.
        let changes = dmfs.last().is_some_and(|whole| match whole.not_judged {
            Some(_) => source.has_bundle(),
            None => !whole.impacts.is_empty(),
        });
        for mut dmf in dmfs {
            if changes && dmf.impacts.is_empty() && dmf.not_judged.is_none() {
                let what = "its function may change a bundle after the assertion".to_owned();
                dmf.not_judged = Some(KeaProblem { line: function.line, what }.to_string());
            }
            if let Some(way) = way {
                dmf.lead_in.clone_from(&way.steps);
                dmf.widgets.extend(way.widgets.iter().cloned());
            }
            let names = std::iter::once(String::new()).chain((2..).map(|number| number.to_string()));
            let names = names.map(|number| format!("{}{number} {}", dmf.name, dmf.data_type));
            let free = |name: &String| self.spec.dmfs.iter().all(|other| other.name != *name);
            dmf.name = names.into_iter().find(free).unwrap_or_default();
            self.spec.dmfs.push(dmf);
        }
    }
}

impl<'f> Marks<'f> {
    /// Reads the decorators of a function.
    fn of(function: &'f Function) -> Self {
        let mut marks = Marks::default();
        for decorator in &function.decorators {
            let (called, arguments) = match &decorator.kind {
                ExprKind::Call(called, arguments) => (&**called, Some(arguments)),
                _ => (decorator, None),
            };
            let (ExprKind::Name(name) | ExprKind::Field(_, name)) = &called.kind else { continue };
            let first =
                arguments.and_then(|it| it.plain.first().or(it.named.first().map(|(_, value)| value)));
            let number = match first.map(|it| &it.kind) {
                Some(ExprKind::Number(number)) if *number >= 0.0 => Some(*number),
                _ => None,
            };
            let line = decorator.line;
            match (name.as_str(), number) {
                ("precondition", _) => marks.preconditions.extend(first),
                ("rule", _) => marks.rule = true,
                ("initializer", _) => marks.initializer = true,
                ("mainPath" | "main_path", _) => marks.main_path = true,
                ("invariant", _) => marks.invariant = true,
                // Weights are whole numbers, of which 10 is the usual one; 0 would switch the function off.
                ("prob", Some(0.0)) => marks.weight = Some(0),
                ("prob", Some(part)) => marks.weight = Some(((part * 10.0).round() as u32).clamp(1, 10)),
                ("max_tries", Some(most)) => marks.max_runs = Some(most as u32),
                ("classmethod" | "staticmethod" | "property", _) => {}
                (name, _) => {
                    let what = format!("`@{name}` has no counterpart here");
                    marks.unknown.get_or_insert(KeaProblem { line, what });
                }
            }
        }
        marks
    }
}
