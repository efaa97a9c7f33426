//! What an XPath is parsed into.

use std::ops::{Add, Div, Mul, Rem, Sub};

use regex::Regex;

use super::functions::Function;
use crate::WidgetFlags;

/// An expression. Operands of equal precedence are side by side, so that its depth is bounded by that of parentheses.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Literal(String),
    Number(f64),
    /// An attribute of the context node: `@text`.
    Attribute(Attribute),
    Path(Path),
    /// Evaluated from left to right. All operators have the same precedence.
    Chain(Box<Expr>, Vec<(Operator, Expr)>),
    Call(Call),
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Nodes,
    Text,
    Number,
    Boolean,
}

#[derive(Clone, Debug)]
pub(super) struct Path {
    pub start: Start,
    pub steps: Vec<Step>,
}

/// The nodes that a path starts from.
#[derive(Clone, Debug)]
pub(super) enum Start {
    /// The document above the `hierarchy`: `/…` and `//…`.
    Document,
    /// The context node: a path without a leading slash.
    Context,
    /// `(…)[…]`: positions count over all nodes of the expression.
    Of(Box<Expr>, Vec<Expr>),
}

#[derive(Clone, Debug)]
pub(super) struct Step {
    pub axis: Axis,
    pub test: Test,
    pub predicates: Vec<Expr>,
    /// Whether a predicate depends on the position or the number of the nodes.
    pub positional: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Test {
    /// `node()`: matches any node.
    Node,
    /// `*`: matches any element, or any attribute of the attribute axis.
    Any,
    /// The name of a class with its package.
    Name(String),
    /// That of a class without its package, `node` for any widget, or `hierarchy`.
    Word(String),
    Attribute(Attribute),
}

#[derive(Clone, Debug)]
pub(super) struct Call {
    pub function: &'static Function,
    pub arguments: Vec<Expr>,
    /// The regular expression of `matches`.
    pub regex: Option<Regex>,
}

words! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Axis {
        Itself = "self",
        Child = "child",
        Descendant = "descendant",
        DescendantOrSelf = "descendant-or-self",
        Parent = "parent",
        Ancestor = "ancestor",
        AncestorOrSelf = "ancestor-or-self",
        Following = "following",
        FollowingSibling = "following-sibling",
        Preceding = "preceding",
        PrecedingSibling = "preceding-sibling",
        RightOf = "right-of",
        LeftOf = "left-of",
        Below = "below",
        Above = "above",
        Attribute = "attribute",
    }
    pub fn word;
    pub const ALL;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Attribute {
    Index,
    Text,
    ResourceId,
    Class,
    Package,
    ContentDesc,
    Hint,
    Bounds,
    Flag(WidgetFlags),
    /// `text()`: the text, which is missing if it is empty.
    TextNode,
}

const ATTRIBUTES: [(&str, Attribute); 9] = [
    ("index", Attribute::Index),
    ("text", Attribute::Text),
    ("resource-id", Attribute::ResourceId),
    ("class", Attribute::Class),
    ("package", Attribute::Package),
    ("content-desc", Attribute::ContentDesc),
    ("hint", Attribute::Hint),
    ("bounds", Attribute::Bounds),
    ("NAF", Attribute::Flag(WidgetFlags::NAF)),
];

/// The attributes by name.
pub(super) fn attributes() -> impl Iterator<Item = (&'static str, Attribute)> {
    let flags = WidgetFlags::NAMES.into_iter().map(|(name, flag)| (name, Attribute::Flag(flag)));
    ATTRIBUTES.into_iter().chain(flags)
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Operator {
    Or,
    And,
    Union,
    /// `=`, or `!=` if it is false.
    Equal(bool),
    Order(fn(&f64, &f64) -> bool),
    Calculate(fn(f64, f64) -> f64),
}

/// The operators from the weakest to the strongest. Of two that begin alike, the longer is first.
pub(super) const PRECEDENCE: [&[(&str, Operator)]; 7] = [
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[("!=", Operator::Equal(false)), ("=", Operator::Equal(true))],
    &[
        ("<=", Operator::Order(f64::le)),
        (">=", Operator::Order(f64::ge)),
        ("<", Operator::Order(f64::lt)),
        (">", Operator::Order(f64::gt)),
    ],
    &[("+", Operator::Calculate(f64::add)), ("-", Operator::Calculate(f64::sub))],
    &[
        ("*", Operator::Calculate(f64::mul)),
        ("div", Operator::Calculate(f64::div)),
        ("mod", Operator::Calculate(f64::rem)),
    ],
    &[("|", Operator::Union)],
];

impl Expr {
    /// The type of the value, which an expression of XPath 1.0 has on any layout.
    pub fn kind(&self) -> Kind {
        match self {
            Expr::Literal(_) => Kind::Text,
            Expr::Number(_) => Kind::Number,
            Expr::Attribute(_) | Expr::Path(_) => Kind::Nodes,
            Expr::Call(call) => call.function.kind(),
            Expr::Chain(_, rest) => match rest.first() {
                Some((Operator::Union, _)) => Kind::Nodes,
                Some((Operator::Calculate(_), _)) => Kind::Number,
                _ => Kind::Boolean,
            },
        }
    }

    /// Whether the nodes are widgets, not attributes.
    pub fn names_widgets(&self) -> bool {
        match self {
            Expr::Path(Path { start, steps }) => match (steps.last(), start) {
                (Some(step), _) => step.axis != Axis::Attribute,
                (None, Start::Of(inner, _)) => inner.names_widgets(),
                (None, Start::Document | Start::Context) => false,
            },
            Expr::Chain(first, rest) if self.kind() == Kind::Nodes => {
                first.names_widgets() && rest.iter().all(|(_, other)| other.names_widgets())
            }
            _ => false,
        }
    }
}

impl Step {
    pub fn plain(axis: Axis, test: Test) -> Step {
        Step { axis, test, predicates: Vec::new(), positional: false }
    }
}
