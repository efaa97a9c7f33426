//! Python as far as properties are written in it: a tree of statements and expressions with their lines. Nothing is run.

use tree_sitter::Node;

/// How deep a file may be nested.
const MAX_DEPTH: usize = 200;

/// A place of a file, and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeaProblem {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, or has no counterpart.
    pub what: String,
}

impl std::fmt::Display for KeaProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub line: usize,
    pub kind: ExprKind,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    Name(String),
    Text(String),
    Number(f64),
    Flag(bool),
    None,
    /// The parts of an f-string.
    Joined(Vec<Expr>),
    Field(Box<Expr>, String),
    Call(Box<Expr>, Arguments),
    Item(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Compare(Box<Expr>, String, Box<Expr>),
    Sum(Box<Expr>, Box<Expr>),
    /// `^`: one of both and not the other.
    Either(Box<Expr>, Box<Expr>),
    List(Vec<Expr>),
    Lambda(Box<Expr>),
    /// What is written there, where it is nothing of the above.
    Other(String),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Arguments {
    pub plain: Vec<Expr>,
    pub named: Vec<(String, Expr)>,
}

#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub line: usize,
    pub kind: StatementKind,
}

#[derive(Clone, Debug)]
pub(super) enum StatementKind {
    Expr(Expr),
    /// The name that is assigned, or `self.name` without `self`.
    Assign(String, Expr),
    Assert(Expr),
    If {
        test: Expr,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    For {
        name: String,
        over: Expr,
        body: Vec<Statement>,
    },
    Return(Option<Expr>),
    Function(Function),
    Class {
        name: String,
        bases: Vec<String>,
        body: Vec<Statement>,
    },
    /// What has no effect on a phone.
    Nothing,
    /// What is written there, where it is nothing of the above.
    Other(String),
}

#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: String,
    pub line: usize,
    pub decorators: Vec<Expr>,
    pub parameters: Vec<String>,
    pub body: Vec<Statement>,
}

/// Reads a file.
///
/// # Errors
///
/// [`KeaProblem`] for the first place that is not Python.
pub(super) fn parse(text: &str) -> Result<Vec<Statement>, KeaProblem> {
    let failed = |line, what: &str| KeaProblem { line, what: what.to_owned() };
    let mut parser = tree_sitter::Parser::new();
    let language = tree_sitter_python::LANGUAGE.into();
    parser.set_language(&language).map_err(|error| failed(1, &error.to_string()))?;
    let tree = parser.parse(text, None).ok_or_else(|| failed(1, "this cannot be read"))?;
    let reader = Reader { text };
    if let Some(node) = first_error(tree.root_node()) {
        let what = match reader.word(node).lines().next().unwrap_or_default() {
            "" => "something is missing here".to_owned(),
            word => format!("`{}` is not Python", shortened(word)),
        };
        return Err(failed(line_of(node), &what));
    }
    if is_deep(tree.root_node()) {
        return Err(failed(1, &format!("it is nested more than {MAX_DEPTH} deep")));
    }
    Ok(reader.block(tree.root_node()))
}

fn line_of(node: Node<'_>) -> usize {
    node.start_position().row + 1
}

/// The first part of a word that would not fit on a line of messages.
fn shortened(word: &str) -> String {
    match word.char_indices().nth(60) {
        Some((end, _)) => format!("{}\u{2026}", &word[..end]),
        None => word.to_owned(),
    }
}

/// The innermost first place where the text is not Python.
fn first_error(root: Node<'_>) -> Option<Node<'_>> {
    let mut node = root;
    if !node.has_error() {
        return None;
    }
    while !node.is_error() && !node.is_missing() {
        let mut cursor = node.walk();
        let inner = node.children(&mut cursor).find(|child| child.has_error() || child.is_missing());
        match inner {
            Some(inner) => node = inner,
            None => break,
        }
    }
    Some(node)
}

/// Whether reading the tree would need more of the stack than is sure to be there.
fn is_deep(root: Node<'_>) -> bool {
    let mut cursor = root.walk();
    let mut depth = 0;
    loop {
        if cursor.goto_first_child() {
            depth += 1;
        } else {
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return false;
                }
                depth -= 1;
            }
        }
        if depth > MAX_DEPTH {
            return true;
        }
    }
}

struct Reader<'t> {
    text: &'t str,
}

impl<'t> Reader<'t> {
    fn word(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn named<'n>(&self, node: Node<'n>) -> Vec<Node<'n>> {
        let mut cursor = node.walk();
        let all: Vec<Node<'n>> = node.named_children(&mut cursor).collect();
        all.into_iter().filter(|child| child.kind() != "comment").collect()
    }

    fn block(&self, node: Node<'_>) -> Vec<Statement> {
        self.named(node).into_iter().map(|child| self.statement(child)).collect()
    }

    fn body(&self, node: Node<'_>, field: &str) -> Vec<Statement> {
        node.child_by_field_name(field).map(|body| self.block(body)).unwrap_or_default()
    }

    fn field(&self, node: Node<'_>, field: &str) -> Expr {
        match node.child_by_field_name(field) {
            Some(child) => self.expr(child),
            None => Expr { line: line_of(node), kind: ExprKind::Other(String::new()) },
        }
    }

    fn statement(&self, node: Node<'_>) -> Statement {
        let line = line_of(node);
        let other = || StatementKind::Other(first_line(self.word(node)));
        let kind = match node.kind() {
            "expression_statement" => match &self.named(node)[..] {
                [only] if only.kind() == "assignment" => self.assignment(*only),
                [only] if only.kind() == "augmented_assignment" => other(),
                [only] => match self.expr(*only) {
                    // What documents a function.
                    Expr { kind: ExprKind::Text(_), .. } => StatementKind::Nothing,
                    expr => StatementKind::Expr(expr),
                },
                _ => other(),
            },
            "assert_statement" => match self.named(node).first() {
                Some(asserted) => StatementKind::Assert(self.expr(*asserted)),
                None => other(),
            },
            "if_statement" => self.condition(node),
            "for_statement" if node.child_by_field_name("alternative").is_none() => StatementKind::For {
                name: node
                    .child_by_field_name("left")
                    .map(|left| self.word(left))
                    .unwrap_or_default()
                    .to_owned(),
                over: self.field(node, "right"),
                body: self.body(node, "body"),
            },
            "return_statement" => {
                StatementKind::Return(self.named(node).first().map(|returned| self.expr(*returned)))
            }
            "function_definition" => StatementKind::Function(self.function(node, Vec::new())),
            "decorated_definition" => self.decorated(node),
            "class_definition" => StatementKind::Class {
                name: node
                    .child_by_field_name("name")
                    .map(|name| self.word(name))
                    .unwrap_or_default()
                    .to_owned(),
                bases: self.bases(node),
                body: self.body(node, "body"),
            },
            "import_statement"
            | "import_from_statement"
            | "future_import_statement"
            | "pass_statement"
            | "global_statement"
            | "nonlocal_statement" => StatementKind::Nothing,
            _ => other(),
        };
        Statement { line, kind }
    }

    /// The names of the classes that a class is made from, without their modules.
    fn bases(&self, node: Node<'_>) -> Vec<String> {
        let bases = node.child_by_field_name("superclasses").map(|all| self.named(all)).unwrap_or_default();
        let name = |base: Node<'_>| self.word(base).rsplit('.').next().unwrap_or_default().to_owned();
        bases.into_iter().map(name).collect()
    }

    fn assignment(&self, node: Node<'_>) -> StatementKind {
        let Some(left) = node.child_by_field_name("left") else { return StatementKind::Nothing };
        if node.child_by_field_name("right").is_none() {
            return StatementKind::Nothing;
        }
        match left.kind() {
            "identifier" => StatementKind::Assign(self.word(left).to_owned(), self.field(node, "right")),
            "attribute" if self.word(left).starts_with("self.") || self.word(left).starts_with("cls.") => {
                let name = self.word(left).split_once('.').map_or("", |(_, name)| name);
                StatementKind::Assign(name.to_owned(), self.field(node, "right"))
            }
            // How the driver waits.
            _ if self.word(left).contains(".settings[") => StatementKind::Nothing,
            _ => StatementKind::Other(first_line(self.word(node))),
        }
    }

    fn condition(&self, node: Node<'_>) -> StatementKind {
        let mut cursor = node.walk();
        let alternatives: Vec<Node<'_>> = node.children_by_field_name("alternative", &mut cursor).collect();
        let otherwise = alternatives.into_iter().rev().fold(Vec::new(), |after, alternative| {
            if alternative.kind() != "elif_clause" {
                return self.body(alternative, "body");
            }
            let (test, then) = (self.field(alternative, "condition"), self.body(alternative, "consequence"));
            let kind = StatementKind::If { test, then, otherwise: after };
            vec![Statement { line: line_of(alternative), kind }]
        });
        let (test, then) = (self.field(node, "condition"), self.body(node, "consequence"));
        StatementKind::If { test, then, otherwise }
    }

    fn decorated(&self, node: Node<'_>) -> StatementKind {
        let decorators = self.named(node).into_iter().filter(|child| child.kind() == "decorator");
        let decorators: Vec<Expr> =
            decorators.filter_map(|it| Some(self.expr(*self.named(it).first()?))).collect();
        match node.child_by_field_name("definition") {
            Some(definition) if definition.kind() == "function_definition" => {
                StatementKind::Function(self.function(definition, decorators))
            }
            Some(definition) => self.statement(definition).kind,
            None => StatementKind::Nothing,
        }
    }

    fn function(&self, node: Node<'_>, decorators: Vec<Expr>) -> Function {
        let parameters =
            node.child_by_field_name("parameters").map(|all| self.named(all)).unwrap_or_default();
        let name = |parameter: &Node<'_>| match parameter.child_by_field_name("name") {
            Some(name) => self.word(name).to_owned(),
            None => {
                self.named(*parameter).first().map_or(self.word(*parameter), |it| self.word(*it)).to_owned()
            }
        };
        Function {
            name: node.child_by_field_name("name").map(|name| self.word(name)).unwrap_or_default().to_owned(),
            line: line_of(node),
            decorators,
            parameters: parameters.iter().map(name).collect(),
            body: self.body(node, "body"),
        }
    }

    fn expr(&self, node: Node<'_>) -> Expr {
        let line = line_of(node);
        let pair =
            |one: &str, other: &str| (Box::new(self.field(node, one)), Box::new(self.field(node, other)));
        let other = || ExprKind::Other(first_line(self.word(node)));
        let kind = match node.kind() {
            "identifier" => ExprKind::Name(self.word(node).to_owned()),
            "string" => self.string(node),
            "concatenated_string" => {
                let parts: Vec<Expr> = self.named(node).into_iter().map(|part| self.expr(part)).collect();
                joined(parts)
            }
            "integer" | "float" => match self.word(node).replace('_', "").parse() {
                Ok(number) => ExprKind::Number(number),
                Err(_) => other(),
            },
            "true" | "false" => ExprKind::Flag(node.kind() == "true"),
            "none" => ExprKind::None,
            "parenthesized_expression" => match &self.named(node)[..] {
                [only] => return self.expr(*only),
                _ => other(),
            },
            "attribute" => {
                let name = node.child_by_field_name("attribute").map(|name| self.word(name));
                ExprKind::Field(Box::new(self.field(node, "object")), name.unwrap_or_default().to_owned())
            }
            "call" => {
                let arguments = node.child_by_field_name("arguments").map(|all| self.arguments(all));
                ExprKind::Call(Box::new(self.field(node, "function")), arguments.unwrap_or_default())
            }
            "subscript" => {
                let (value, index) = pair("value", "subscript");
                ExprKind::Item(value, index)
            }
            "not_operator" => ExprKind::Not(Box::new(self.field(node, "argument"))),
            "boolean_operator" => {
                let (left, right) = pair("left", "right");
                let and = node.child_by_field_name("operator").is_some_and(|it| self.word(it) == "and");
                if and { ExprKind::And(left, right) } else { ExprKind::Or(left, right) }
            }
            "comparison_operator" => match &self.named(node)[..] {
                [left, right] => {
                    let mut cursor = node.walk();
                    let operators = node.children_by_field_name("operators", &mut cursor);
                    let words: Vec<&str> = operators.map(|it| self.word(it)).collect();
                    let words = words.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
                    ExprKind::Compare(Box::new(self.expr(*left)), words, Box::new(self.expr(*right)))
                }
                _ => other(),
            },
            "binary_operator" => {
                let (left, right) = pair("left", "right");
                match node.child_by_field_name("operator").map(|it| self.word(it)) {
                    Some("+") => ExprKind::Sum(left, right),
                    Some("^") => ExprKind::Either(left, right),
                    _ => other(),
                }
            }
            "unary_operator" => match self.word(node).replace(' ', "").parse() {
                Ok(number) => ExprKind::Number(number),
                Err(_) => other(),
            },
            "list" | "tuple" | "set" => {
                ExprKind::List(self.named(node).into_iter().map(|item| self.expr(item)).collect())
            }
            "lambda" => ExprKind::Lambda(Box::new(self.field(node, "body"))),
            _ => other(),
        };
        Expr { line, kind }
    }

    fn arguments(&self, node: Node<'_>) -> Arguments {
        let mut arguments = Arguments::default();
        for child in self.named(node) {
            match (child.kind(), child.child_by_field_name("name")) {
                ("keyword_argument", Some(name)) => {
                    arguments.named.push((self.word(name).to_owned(), self.field(child, "value")));
                }
                _ => arguments.plain.push(self.expr(child)),
            }
        }
        arguments
    }

    /// A text, with its escapes resolved.
    fn string(&self, node: Node<'_>) -> ExprKind {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let prefix = children.first().map(|start| self.word(*start).to_lowercase()).unwrap_or_default();
        let raw = prefix.trim_end_matches(['"', '\'']).contains('r');
        let mut parts = Vec::new();
        for child in &children {
            let line = line_of(*child);
            match child.kind() {
                "string_content" if raw => {
                    parts.push(Expr { line, kind: ExprKind::Text(self.word(*child).to_owned()) });
                }
                "string_content" => {
                    parts.push(Expr { line, kind: ExprKind::Text(unescaped(self.word(*child))) })
                }
                "interpolation" => parts.push(self.field(*child, "expression")),
                _ => {}
            }
        }
        joined(parts)
    }
}

/// The first line of what is written at a place.
fn first_line(word: &str) -> String {
    shortened(word.lines().next().unwrap_or_default())
}

/// Texts behind each other as one, where all are known.
fn joined(parts: Vec<Expr>) -> ExprKind {
    let mut whole = String::new();
    for part in &parts {
        match &part.kind {
            ExprKind::Text(text) => whole.push_str(text),
            _ => return ExprKind::Joined(parts),
        }
    }
    ExprKind::Text(whole)
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let mut letters = after.chars();
        let letter = letters.next();
        rest = letters.as_str();
        let code = |digits: usize| {
            let code = u32::from_str_radix(after.get(1..=digits)?, 16).ok()?;
            Some((char::from_u32(code)?, after.get(digits + 1..)?))
        };
        let coded = match letter {
            Some('x') => code(2),
            Some('u') => code(4),
            Some('U') => code(8),
            _ => None,
        };
        if let Some((letter, after)) = coded {
            out.push(letter);
            rest = after;
            continue;
        }
        match letter {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('\n') | None => {}
            Some(quote @ ('\\' | '\'' | '"')) => out.push(quote),
            Some(other) => out.extend(['\\', other]),
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_python_is_named_with_its_line() {
        let problem = parse("x = 1\n\ndef f(:\n    pass\n").unwrap_err();
        assert_eq!(problem.line, 3, "{problem}");
        let deep = format!("x = {}1{}\n", "(".repeat(300), ")".repeat(300));
        assert!(parse(&deep).unwrap_err().what.contains("nested"));
    }

    #[test]
    fn texts_are_what_python_makes_of_them() {
        let text = |source: &str| match &parse(source).unwrap()[0].kind {
            StatementKind::Assign(_, Expr { kind: ExprKind::Text(text), .. }) => text.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(text(r#"x = 'a\n\'b\' é' "c""#), "a\n'b' éc");
        assert_eq!(text(r#"x = r"\d+""#), r"\d+");
    }
}
