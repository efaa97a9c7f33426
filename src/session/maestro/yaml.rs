//! YAML as values that know their lines.

use std::borrow::Cow;
use std::collections::BTreeMap;

use yaml_rust2::parser::{Event, Parser};
use yaml_rust2::scanner::TScalarStyle;

/// Largest file that is read, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// Deepest nesting, which anchors cannot exceed either.
const MAX_DEPTH: usize = 60;
/// Most values of a file. An anchor that is used again counts each time.
const MAX_NODES: usize = 100_000;
/// Most lines of texts in quotes that are indented before they are read.
const MAX_INDENTED: usize = 50;
/// What the parser says of a line of a text in quotes that begins too far to the left.
const OUTDENTED: &str = "invalid indentation in quoted scalar";

/// A value of a YAML file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// The line that it begins in, from 1.
    pub line: usize,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Nothing: an empty value, `null` or `~`.
    Empty,
    /// A text, number or truth value as it is written.
    Text(String),
    List(Vec<Node>),
    /// Keys with their lines and values, in the order of the file.
    Map(Vec<(String, usize, Node)>),
}

/// Something that is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// The line, from 1.
    pub line: usize,
    pub what: String,
}

impl Node {
    /// The problem that something is wrong with this value.
    pub fn problem(&self, what: impl Into<String>) -> Problem {
        Problem { line: self.line, what: what.into() }
    }

    /// Number of values in it, with itself.
    fn count(&self) -> usize {
        1 + match &self.value {
            Value::Empty | Value::Text(_) => 0,
            Value::List(items) => items.iter().map(Node::count).sum(),
            Value::Map(entries) => entries.iter().map(|(_, _, node)| node.count()).sum(),
        }
    }

    fn depth(&self) -> usize {
        1 + match &self.value {
            Value::Empty | Value::Text(_) => 0,
            Value::List(items) => items.iter().map(Node::depth).max().unwrap_or(0),
            Value::Map(entries) => entries.iter().map(|(_, _, node)| node.depth()).max().unwrap_or(0),
        }
    }
}

/// A list or map that is not complete.
struct Open {
    node: Node,
    anchor: usize,
    /// The key that waits for its value, with its line.
    key: Option<(String, usize)>,
}

/// Reads the documents of a file.
pub(super) fn documents(text: &str) -> Result<Vec<Node>, Problem> {
    if text.len() > MAX_BYTES {
        return Err(Problem { line: 1, what: "it is larger than 1 MB".to_owned() });
    }
    let mut lines: Vec<Cow<'_, str>> =
        text.strip_prefix('\u{feff}').unwrap_or(text).split('\n').map(Cow::Borrowed).collect();
    let mut indented = (0, 0);
    for _ in 0..MAX_INDENTED {
        match read(&lines.join("\n")) {
            // Maestro's reader takes lines of a text in quotes that begin too far to the left, where blanks mean nothing.
            Err(problem) if problem.what.ends_with(OUTDENTED) => {
                let next = if indented.0 == problem.line { indented.1 + 1 } else { problem.line };
                let Some(line) = lines.get_mut(next) else { return Err(problem) };
                *line = Cow::Owned(" ".repeat(MAX_DEPTH) + line);
                indented = (problem.line, next);
            }
            read => return read,
        }
    }
    read(&lines.join("\n"))
}

fn read(text: &str) -> Result<Vec<Node>, Problem> {
    let mut parser = Parser::new_from_str(text);
    let mut tree = Tree::default();
    loop {
        let (event, at) = parser.next_token().map_err(|error| Problem {
            line: error.marker().line().max(1),
            what: format!("it is no YAML: {}", error.info()),
        })?;
        let line = at.line();
        let node = |value| Node { line, value };
        match event {
            Event::StreamEnd => return Ok(tree.documents),
            Event::Nothing | Event::StreamStart | Event::DocumentStart | Event::DocumentEnd => {}
            Event::Scalar(text, style, anchor, _) => {
                let empty = style == TScalarStyle::Plain && ["", "~", "null"].contains(&text.as_str());
                tree.put(node(if empty { Value::Empty } else { Value::Text(text) }), anchor)?;
            }
            Event::Alias(anchor) => {
                let known = tree.anchors.get(&anchor).cloned();
                let again = known.ok_or_else(|| node(Value::Empty).problem("an anchor is used in itself"))?;
                if again.depth() + tree.open.len() > MAX_DEPTH {
                    return Err(node(Value::Empty).problem("it is nested too deeply"));
                }
                tree.nodes += again.count();
                tree.put(Node { line, ..again }, 0)?;
            }
            Event::SequenceStart(anchor, _) => tree.begin(node(Value::List(Vec::new())), anchor)?,
            Event::MappingStart(anchor, _) => tree.begin(node(Value::Map(Vec::new())), anchor)?,
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(done) = tree.open.pop() {
                    tree.put(done.node, done.anchor)?;
                }
            }
        }
    }
}

/// What was read so far.
#[derive(Default)]
struct Tree {
    documents: Vec<Node>,
    open: Vec<Open>,
    anchors: BTreeMap<usize, Node>,
    nodes: usize,
}

impl Tree {
    fn begin(&mut self, node: Node, anchor: usize) -> Result<(), Problem> {
        if self.open.len() >= MAX_DEPTH {
            return Err(node.problem("it is nested too deeply"));
        }
        self.open.push(Open { node, anchor, key: None });
        Ok(())
    }

    fn put(&mut self, node: Node, anchor: usize) -> Result<(), Problem> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(node.problem(format!("it has more than {MAX_NODES} values")));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        let Some(open) = self.open.last_mut() else {
            self.documents.push(node);
            return Ok(());
        };
        match &mut open.node.value {
            Value::List(items) => items.push(node),
            Value::Map(entries) => match open.key.take() {
                Some((key, line)) => entries.push((key, line, node)),
                None => {
                    let Value::Text(key) = &node.value else {
                        return Err(node.problem("a key is no word"));
                    };
                    if entries.iter().any(|(known, _, _)| known == key) {
                        return Err(node.problem(format!("`{key}` is there twice")));
                    }
                    open.key = Some((key.clone(), node.line));
                }
            },
            Value::Empty | Value::Text(_) => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_lines() {
        let read = documents("# first\na: &x [1, '~']\nb: *x\n---\n- c:\n    d: ~\n- e\n").unwrap();
        let Value::Map(head) = &read[0].value else { panic!() };
        let text = |line, text: &str| Node { line, value: Value::Text(text.to_owned()) };
        let list = |line| Node { line, value: Value::List(vec![text(2, "1"), text(2, "~")]) };
        assert_eq!(head[..], [("a".to_owned(), 2, list(2)), ("b".to_owned(), 3, list(3))]);
        let Value::List(commands) = &read[1].value else { panic!() };
        let Value::Map(first) = &commands[0].value else { panic!() };
        assert_eq!((first[0].0.as_str(), first[0].1, &commands[1]), ("c", 5, &text(7, "e")));
        assert!(matches!(&first[0].2.value, Value::Map(inner) if inner[0].2.value == Value::Empty));
    }

    #[test]
    fn lines_of_a_text_in_quotes_may_begin_anywhere() {
        let shown = |text: &str| match &documents(text).unwrap()[0].value {
            Value::Map(entries) => match &entries[0].2.value {
                Value::Map(inner) => format!("{:?} {}", inner[0].2.value, inner.last().unwrap().1),
                other => format!("{other:?}"),
            },
            other => format!("{other:?}"),
        };
        assert_eq!(shown("a:\n  b: \"one\\\n  \\ two\"\n  c: 1\n"), "Text(\"one two\") 4");
        assert_eq!(shown("a:\n  b: 'one\ntwo\n\n three'\n  c: 'x\ny'\n"), "Text(\"one two\\nthree\") 6");
        let endless = format!("a:\n  b: '{}", "x\n".repeat(100));
        assert_eq!(documents(&endless).unwrap_err().line, 2);
    }

    #[test]
    fn what_is_no_yaml_is_said_with_its_line() {
        let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
        let doubled = (1..30).map(|at| format!("k{at}: &a{at} [*a{}, *a{}]\n", at - 1, at - 1));
        let bomb = format!("k0: &a0 [x]\n{}", doubled.collect::<String>());
        for (text, line, what) in [
            ("a: b\n- [", 2, "no YAML"),
            ("a: 1\na: 2\n", 2, "`a` is there twice"),
            (&deep, 1, "nested too deeply"),
            (&bomb, 16, "more than 100000 values"),
        ] {
            let problem = documents(text).unwrap_err();
            assert!(problem.line == line && problem.what.contains(what), "{problem:?}");
        }
        assert_eq!(documents("").unwrap(), []);
    }
}
