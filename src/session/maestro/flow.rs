//! A flow with all files that it runs, checked as a whole before anything is played.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::command::{Body, What, Written, variables};
use super::expression::Words;
use super::fields::UNKNOWN;
use super::yaml::{Node, Problem, Value, documents};

/// Most files that one flow may run.
const MAX_FILES: usize = 300;
/// Most problems that are said of a flow.
const MAX_PROBLEMS: usize = 20;

/// Reads the text of a file, or says why it cannot be read.
pub type ReadFile<'r> = &'r dyn Fn(&Path) -> Result<String, String>;

/// A flow of Maestro, with the flows that it runs.
#[derive(Debug)]
pub struct Flow {
    pub(super) main: PathBuf,
    pub(super) parts: BTreeMap<PathBuf, Part>,
    /// What is to be said of the flow although it can be read, a line each: scripts that are not run.
    pub notes: Vec<String>,
}

/// Why a flow cannot be read: every problem with its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct FlowError(pub Vec<String>);

/// The content of one file.
#[derive(Debug)]
pub(super) struct Part {
    /// What messages call it; empty for the flow's own file.
    pub shown: String,
    pub app: Option<String>,
    pub title: Option<String>,
    pub tags: Vec<String>,
    /// The variables of its head.
    pub env: Option<Node>,
    pub begin: Vec<Node>,
    pub commands: Vec<Node>,
    pub end: Vec<Node>,
    /// What is to be said of its head, a line each.
    notes: Vec<String>,
}

impl Part {
    /// Says where something is in words, such as `line 3` or `login.yaml line 3`.
    pub fn place(&self, line: usize) -> String {
        let file = if self.shown.is_empty() { String::new() } else { format!("{} ", self.shown) };
        format!("{file}line {line}")
    }

    fn said(&self, problem: &Problem) -> String {
        format!("{}: {}", self.place(problem.line), problem.what)
    }
}

impl Flow {
    /// Reads a flow and the flows that it runs.
    ///
    /// # Errors
    ///
    /// All that is not understood, each with its line.
    pub fn read(path: &Path, read: ReadFile<'_>) -> Result<Flow, FlowError> {
        let main = normal(path);
        let folder = main.parent().unwrap_or(Path::new("")).to_owned();
        let mut flow = Flow { main: main.clone(), parts: BTreeMap::new(), notes: Vec::new() };
        let mut problems = Vec::new();
        let mut wanted = vec![(main.clone(), String::new())];
        let mut scripts = Scripts::default();
        while let Some((path, from)) = wanted.pop() {
            if flow.parts.contains_key(&path) || problems.len() >= MAX_PROBLEMS {
                continue;
            }
            if flow.parts.len() >= MAX_FILES {
                problems.push(format!("{from}it runs more than {MAX_FILES} files"));
                break;
            }
            let text = match read(&path) {
                Ok(text) => text,
                Err(why) => {
                    problems.push(format!("{from}{why}"));
                    continue;
                }
            };
            let shown = if path == main { String::new() } else { relative(&path, &folder) };
            let part = match part(&text, shown.clone()) {
                Ok(part) => part,
                Err(problem) => {
                    let bare = Part::bare(shown);
                    problems.push(bare.said(&problem));
                    continue;
                }
            };
            let mut check = Check {
                part: &part,
                path: &path,
                read,
                problems: Vec::new(),
                notes: Vec::new(),
                runs: Vec::new(),
                scripts,
            };
            check.all();
            problems.append(&mut check.problems);
            flow.notes.append(&mut check.notes);
            wanted.append(&mut check.runs);
            scripts = check.scripts;
            flow.parts.insert(path, part);
        }
        problems.truncate(MAX_PROBLEMS);
        if !problems.is_empty() {
            return Err(FlowError(problems));
        }
        flow.notes.extend(flow.parts.values().flat_map(|part| part.notes.clone()).chain(scripts.notes()));
        Ok(flow)
    }

    /// The app that the flow names; `None` if it names none, or by a variable.
    pub fn app(&self) -> Option<&str> {
        self.own()?.app.as_deref().filter(|app| !app.contains("${"))
    }

    /// The name of the flow: the one in its head, otherwise that of its file.
    pub fn title(&self) -> String {
        let stem = self.main.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.own().and_then(|part| part.title.clone()).unwrap_or(stem)
    }

    pub(super) fn tags(&self) -> &[String] {
        self.own().map_or(&[], |part| &part.tags)
    }

    pub(super) fn own(&self) -> Option<&Part> {
        self.parts.get(&self.main)
    }

    /// The file that it runs before anything else but the start of the app.
    pub(super) fn first_run(&self) -> Option<PathBuf> {
        let mut commands = self.own()?.commands.iter();
        let written = commands.find_map(|node| {
            Written::of(node).ok().filter(|it| !["launchApp", "clearState", "stopApp"].contains(&it.name))
        })?;
        match written.read(&|_, text| Ok(text.to_owned())).ok()? {
            What::Run { when: None, body: Body::File(file), .. } => Some(beside(&self.main, file)),
            _ => None,
        }
    }
}

/// The path of a file that another file names.
pub(super) fn beside(path: &Path, named: &str) -> PathBuf {
    normal(&path.parent().unwrap_or(Path::new("")).join(named))
}

/// A path without `.` and `..`, as far as possible.
fn normal(path: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for component in path.components() {
        match (component, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(component),
        }
    }
    parts.into_iter().collect()
}

fn relative(path: &Path, folder: &Path) -> String {
    let (mut up, mut from) = (String::new(), folder);
    loop {
        match (path.strip_prefix(from), from.parent()) {
            (Ok(rest), _) => return up + &rest.to_string_lossy(),
            (Err(_), Some(parent)) => {
                up.push_str("../");
                from = parent;
            }
            (Err(_), None) => return path.display().to_string(),
        }
    }
}

impl Part {
    fn bare(shown: String) -> Part {
        let (begin, commands, end, notes) = Default::default();
        Part { shown, app: None, title: None, tags: Vec::new(), env: None, begin, commands, end, notes }
    }
}

fn part(text: &str, shown: String) -> Result<Part, Problem> {
    let mut documents = documents(text)?.into_iter();
    let none = || Problem { line: 1, what: "it has no list of commands below `---`".to_owned() };
    let (head, commands) = match (documents.next(), documents.next()) {
        (Some(head), Some(commands)) => (Some(head), commands),
        (Some(commands), None) => (None, commands),
        (None, _) => return Err(none()),
    };
    if let Some(third) = documents.next() {
        return Err(third.problem("it has a third part; only the first `---` divides"));
    }
    let mut part = Part::bare(shown);
    part.commands = match commands.value {
        Value::List(commands) => commands,
        Value::Empty if head.is_some() => Vec::new(),
        _ => return Err(none()),
    };
    let Some(head) = head.filter(|head| head.value != Value::Empty) else { return Ok(part) };
    let Value::Map(entries) = head.value else {
        return Err(head.problem("above `---` are keys, such as `appId`"));
    };
    for (key, line, node) in entries {
        let wrong = |what: &str| Problem { line, what: format!("`{key}` {what}") };
        match (key.as_str(), node.value) {
            ("appId", Value::Text(app)) => part.app = Some(app),
            ("name", Value::Text(title)) => part.title = Some(title),
            ("tags", Value::List(tags)) => {
                part.tags = tags.into_iter().filter_map(|tag| text_of(tag.value)).collect();
            }
            ("env", env @ Value::Map(_)) => part.env = Some(Node { line, value: env }),
            ("onFlowStart", Value::List(commands)) => part.begin = commands,
            ("onFlowComplete", Value::List(commands)) => part.end = commands,
            ("url", _) => return Err(wrong("is a web page; a flow for Android names an `appId`")),
            (_, Value::Empty) | ("properties" | "ext" | "jsEngine" | "androidWebViewHierarchy", _) => {}
            ("appId" | "name", _) => return Err(wrong("is a text")),
            ("tags" | "onFlowStart" | "onFlowComplete", _) => return Err(wrong("is a list")),
            ("env", _) => return Err(wrong("has keys and values")),
            _ => {
                let note = wrong("is no key of a flow\u{2019}s head, and is left out");
                part.notes.push(part.said(&note));
            }
        }
    }
    Ok(part)
}

fn text_of(value: Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text),
        Value::Empty | Value::List(_) | Value::Map(_) => None,
    }
}

/// Scripts, and what depends on them.
#[derive(Default)]
struct Scripts {
    /// Where each is, what it is, and the names that it sets.
    all: Vec<(String, String, Vec<String>)>,
    /// Where what they compute is used, and the expression.
    uses: Vec<(String, String)>,
}

impl Scripts {
    fn notes(self) -> Vec<String> {
        let mut explained = vec![false; self.uses.len()];
        let mut notes = Vec::new();
        for (place, what, sets) in &self.all {
            let depends = |source: &str| match sets.is_empty() {
                true => source.contains("output."),
                false => sets.iter().any(|name| source.contains(name)),
            };
            let mut who = Vec::new();
            for ((used, source), explained) in self.uses.iter().zip(&mut explained) {
                if used != place && depends(source) {
                    *explained = true;
                    who.push(format!("{used} (`${{{source}}}`)"));
                }
            }
            let on = match who.len() {
                0 => "nothing in the flow depends on what it computes".to_owned(),
                1 => format!("{} depends on it", who.join("")),
                _ => format!("{} depend on it", who.join(", ")),
            };
            notes.push(format!("{place}: {what} is JavaScript and is not run; {on}"));
        }
        for ((place, source), _) in self.uses.iter().zip(explained).filter(|(_, explained)| !explained) {
            notes.push(format!("{place}: `${{{source}}}` is JavaScript and is not run"));
        }
        notes
    }
}

/// Checks one file.
struct Check<'c> {
    part: &'c Part,
    path: &'c Path,
    read: ReadFile<'c>,
    problems: Vec<String>,
    /// What is to be said of it, a line each.
    notes: Vec<String>,
    /// The files that it runs, each with where.
    runs: Vec<(PathBuf, String)>,
    scripts: Scripts,
}

impl Check<'_> {
    fn all(&mut self) {
        if let Some(env) = &self.part.env {
            let uses = RefCell::new(Vec::new());
            let read = variables(env, &|node, text| Ok(unknown(node, text, &uses)));
            self.used(uses.into_inner(), env.line);
            self.problems.extend(read.err().map(|problem| self.part.said(&problem)));
        }
        for commands in [&self.part.begin, &self.part.commands, &self.part.end] {
            self.commands(commands);
        }
    }

    fn commands(&mut self, commands: &[Node]) {
        for node in commands {
            if let Err(problem) = self.command(node) {
                self.problems.push(self.part.said(&problem));
            }
        }
    }

    fn command(&mut self, node: &Node) -> Result<(), Problem> {
        let written = Written::of(node)?;
        let uses = RefCell::new(Vec::new());
        let what = written.read(&|node, text| Ok(unknown(node, text, &uses)));
        self.used(uses.into_inner(), written.line);
        for (key, line) in written.passed_over() {
            let what = format!("`{}` has no key `{key}`, which Maestro passes over, too", written.name);
            self.notes.push(self.part.said(&Problem { line, what }));
        }
        match what? {
            What::Run { body, .. } | What::Retry { body, .. } => match body {
                Body::File(file) => {
                    let path = beside(self.path, file);
                    self.runs.push((path, format!("{}: ", self.part.place(written.line))));
                }
                Body::Commands(commands) => self.commands(commands),
            },
            What::Repeat { commands, .. } => self.commands(commands),
            What::Script(script) => {
                let own = written.name == "evalScript";
                let text = if own {
                    script.clone()
                } else {
                    (self.read)(&beside(self.path, &script)).unwrap_or_default()
                };
                let what = if own { "`evalScript`".to_owned() } else { format!("`runScript` {script}") };
                self.scripts.all.push((self.part.place(written.line), what, names_set(&text)));
            }
            _ => {}
        }
        Ok(())
    }

    fn used(&mut self, uses: Vec<(usize, String)>, line: usize) {
        for (at, source) in uses {
            let place = self.part.place(if at == 0 { line } else { at });
            self.scripts.uses.push((place, source));
        }
    }
}

/// Stands for the value of a text with variables, and notes where it needs JavaScript.
fn unknown(node: &Node, text: &str, uses: &RefCell<Vec<(usize, String)>>) -> String {
    let words = Words::parse(text);
    match words.plain() {
        Some(plain) => plain.to_owned(),
        None => {
            let scripts = words.scripts().map(|source| (node.line, source.to_owned()));
            uses.borrow_mut().extend(scripts);
            UNKNOWN.to_owned()
        }
    }
}

/// The names that a script gives values to: `output.name = ...`.
fn names_set(script: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, _) in script.match_indices("output.") {
        let rest = script.get(at..).unwrap_or("");
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "_$.".contains(c))).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let sets = after.trim_start().strip_prefix('=').is_some_and(|after| !after.starts_with('='));
        if sets && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}
