//! Evaluation of expressions. A set of nodes is always in document order, each node once, so that no path takes more steps
//! than the square of the number of widgets for each of its steps, and a limit ends what is nested too deeply.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};

use super::XPath;
use super::axes::Node;
use super::syntax::{Attribute, Expr, Operator, Path, Start};
use crate::{Layout, Widget, WidgetFlags, WidgetIdx};

/// There are no more steps.
pub(super) struct TooSlow;

/// An evaluation on a layout.
pub(super) struct Evaluation<'l> {
    pub layout: &'l Layout,
    ordinals: OnceCell<Vec<u32>>,
    /// The number of steps that are left.
    steps: Cell<u64>,
}

/// What an expression is evaluated on.
#[derive(Clone, Copy)]
pub(super) struct Context {
    pub node: Node,
    pub position: usize,
    pub last: usize,
}

pub(super) enum Value<'v> {
    /// A set of at most one node, which is most frequent.
    Node(Option<Node>),
    Nodes(Vec<Node>),
    Text(Cow<'v, str>),
    Number(f64),
    Boolean(bool),
}

impl Value<'_> {
    /// The nodes; `None` if the value is no set of nodes.
    pub fn nodes(&self) -> Option<&[Node]> {
        match self {
            Value::Node(node) => Some(node.as_slice()),
            Value::Nodes(nodes) => Some(nodes),
            Value::Text(_) | Value::Number(_) | Value::Boolean(_) => None,
        }
    }

    pub fn boolean(&self) -> bool {
        match self {
            Value::Node(node) => node.is_some(),
            Value::Nodes(nodes) => !nodes.is_empty(),
            Value::Text(text) => !text.is_empty(),
            Value::Number(number) => *number != 0.0 && !number.is_nan(),
            Value::Boolean(boolean) => *boolean,
        }
    }
}

impl<'l> Evaluation<'l> {
    pub fn new(layout: &'l Layout) -> Self {
        let steps = Cell::new(XPath::MAX_STEPS);
        Evaluation { layout, ordinals: OnceCell::new(), steps }
    }

    /// The widgets that an expression names.
    pub fn widgets(&self, expr: &Expr) -> Result<Vec<WidgetIdx>, TooSlow> {
        let value = self.value(expr, Context { node: Node::HIERARCHY, position: 1, last: 1 })?;
        let nodes = value.nodes().unwrap_or_default();
        Ok(nodes.iter().filter(|node| node.attribute.is_none()).filter_map(|node| node.widget()).collect())
    }

    /// Takes steps away. Once there are too few, there are none any more.
    pub fn spend(&self, steps: usize) -> Result<(), TooSlow> {
        let left = self.steps.get().checked_sub(steps as u64);
        self.steps.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(TooSlow)
    }

    pub fn value<'v>(&'v self, expr: &'v Expr, at: Context) -> Result<Value<'v>, TooSlow> {
        Ok(match expr {
            Expr::Literal(text) => Value::Text(Cow::Borrowed(text)),
            Expr::Number(number) => Value::Number(*number),
            Expr::Attribute(attribute) => Value::Node(self.attribute_of(at.node, *attribute)),
            Expr::Path(path) => Value::Nodes(self.path(path, at)?),
            Expr::Chain(first, rest) => self.chain(first, rest, at)?,
            Expr::Call(call) => self.call(call, at)?,
        })
    }

    pub fn text<'v>(&'v self, expr: &'v Expr, at: Context) -> Result<Cow<'v, str>, TooSlow> {
        match expr {
            Expr::Literal(text) => Ok(Cow::Borrowed(text)),
            Expr::Attribute(attribute) => {
                let text = self.attribute(*attribute, at.node).unwrap_or_default();
                self.spend(1 + text.len() / 64)?;
                Ok(text)
            }
            expr => self.value_text(self.value(expr, at)?),
        }
    }

    /// Whether a predicate holds. A number means the position.
    fn holds(&self, predicate: &Expr, at: Context) -> Result<bool, TooSlow> {
        // Most predicates look like these.
        if let Expr::Call(call) = predicate
            && let [Expr::Attribute(attribute), Expr::Literal(part)] = &*call.arguments
            && let Some(holds) = call.function.comparison()
        {
            let text = self.attribute(*attribute, at.node).unwrap_or_default();
            self.spend(text.len() / 64)?;
            return Ok(holds(&text, part));
        }
        if let Expr::Chain(first, rest) = predicate
            && let (Expr::Attribute(attribute), [(Operator::Equal(true), Expr::Literal(text))]) =
                (&**first, &**rest)
        {
            return Ok(self.attribute(*attribute, at.node).is_some_and(|found| found == *text));
        }
        Ok(match self.value(predicate, at)? {
            Value::Number(number) => number == at.position as f64,
            value => self.truth(&value),
        })
    }

    /// Whether a value holds. An id or a description that is empty counts as none: a dump has it, and Appium leaves it out.
    pub fn truth(&self, value: &Value<'_>) -> bool {
        let is_there = |node: &Node| match node.attribute {
            Some(attribute @ (Attribute::ContentDesc | Attribute::ResourceId)) => {
                let text = self.attribute(attribute, Node { attribute: None, ..*node });
                text.is_some_and(|text| !text.is_empty())
            }
            _ => true,
        };
        value.nodes().map_or_else(|| value.boolean(), |nodes| nodes.iter().any(is_there))
    }

    fn path(&self, path: &Path, at: Context) -> Result<Vec<Node>, TooSlow> {
        let mut nodes = match &path.start {
            Start::Document => vec![Node::DOCUMENT],
            Start::Context => vec![at.node],
            Start::Of(inner, predicates) => {
                let mut nodes = self.value(inner, at)?.nodes().unwrap_or_default().to_vec();
                self.filter(&mut nodes, predicates)?;
                nodes
            }
        };
        for step in &path.steps {
            nodes = self.step(&nodes, step)?;
        }
        Ok(nodes)
    }

    /// Keeps the nodes for which each predicate holds. Positions in a predicate count the nodes that the predicates
    /// before it left.
    pub fn filter(&self, nodes: &mut Vec<Node>, predicates: &[Expr]) -> Result<(), TooSlow> {
        for predicate in predicates {
            let (last, mut position, mut slow) = (nodes.len(), 0, false);
            self.spend(last)?;
            nodes.retain(|node| {
                position += 1;
                let held = if slow {
                    Ok(false)
                } else {
                    self.holds(predicate, Context { node: *node, position, last })
                };
                slow |= held.is_err();
                held.unwrap_or(false)
            });
            if slow {
                return Err(TooSlow);
            }
        }
        Ok(())
    }

    fn chain<'v>(
        &'v self,
        first: &'v Expr,
        rest: &'v [(Operator, Expr)],
        at: Context,
    ) -> Result<Value<'v>, TooSlow> {
        let mut value = self.value(first, at)?;
        for (operator, next) in rest {
            value = match operator {
                Operator::Or => Value::Boolean(self.truth(&value) || self.truth(&self.value(next, at)?)),
                Operator::And => Value::Boolean(self.truth(&value) && self.truth(&self.value(next, at)?)),
                Operator::Union => self.union(value, self.value(next, at)?)?,
                Operator::Calculate(run) => {
                    Value::Number(run(self.as_number(&value)?, self.as_number(&self.value(next, at)?)?))
                }
                Operator::Equal(_) | Operator::Order(_) => {
                    Value::Boolean(self.compare(*operator, value, self.value(next, at)?)?)
                }
            };
        }
        Ok(value)
    }

    fn union<'v>(&self, one: Value<'v>, other: Value<'v>) -> Result<Value<'v>, TooSlow> {
        let mut all = [one.nodes().unwrap_or_default(), other.nodes().unwrap_or_default()].concat();
        self.put_in_order(&mut all)?;
        Ok(Value::Nodes(all))
    }

    /// Makes a set of nodes of what was collected.
    pub fn put_in_order(&self, nodes: &mut Vec<Node>) -> Result<(), TooSlow> {
        if !nodes.is_sorted_by(|left, right| left < right) {
            self.spend(nodes.len())?;
            nodes.sort_unstable();
            nodes.dedup();
        }
        Ok(())
    }

    /// Sets of nodes are compared by their texts, and it is enough that one fits; with a boolean, by whether they are
    /// empty.
    fn compare(&self, operator: Operator, left: Value<'_>, right: Value<'_>) -> Result<bool, TooSlow> {
        let mut sides = [left, right];
        if sides.iter().any(|side| matches!(side, Value::Boolean(_))) {
            for side in sides.iter_mut().filter(|side| side.nodes().is_some()) {
                *side = Value::Boolean(side.boolean());
            }
        }
        let [left, right] = &sides;
        self.any(left, &mut |left| self.any(right, &mut |right| self.compare_values(operator, left, right)))
    }

    /// Whether something holds for the text of one of the nodes, or for the value that is no set of nodes.
    fn any(
        &self,
        value: &Value<'_>,
        holds: &mut dyn FnMut(&Value<'_>) -> Result<bool, TooSlow>,
    ) -> Result<bool, TooSlow> {
        let Some(nodes) = value.nodes() else { return holds(value) };
        for node in nodes {
            if holds(&Value::Text(self.text_of(*node)?))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn compare_values(
        &self,
        operator: Operator,
        left: &Value<'_>,
        right: &Value<'_>,
    ) -> Result<bool, TooSlow> {
        let equal = match operator {
            Operator::Order(holds) => return Ok(holds(&self.as_number(left)?, &self.as_number(right)?)),
            Operator::Equal(equal) => equal,
            _ => true,
        };
        let are_equal = match (left, right) {
            (Value::Boolean(_), _) | (_, Value::Boolean(_)) => left.boolean() == right.boolean(),
            (Value::Text(left), Value::Text(right)) => left == right,
            _ => self.as_number(left)? == self.as_number(right)?,
        };
        Ok(are_equal == equal)
    }

    /// The text of a value: of a set of nodes, that of the first one.
    fn value_text<'v>(&'v self, value: Value<'v>) -> Result<Cow<'v, str>, TooSlow> {
        let text = match value {
            Value::Text(text) => text,
            Value::Number(number) => Cow::Owned(number_text(number)),
            Value::Boolean(boolean) => Cow::Borrowed(if boolean { "true" } else { "false" }),
            value => match value.nodes().and_then(<[Node]>::first) {
                Some(node) => return self.text_of(*node),
                None => Cow::Borrowed(""),
            },
        };
        self.spend(1 + text.len() / 64)?;
        Ok(text)
    }

    pub fn as_number(&self, value: &Value<'_>) -> Result<f64, TooSlow> {
        Ok(match value {
            Value::Number(number) => *number,
            Value::Boolean(boolean) => f64::from(u8::from(*boolean)),
            Value::Text(text) => parse_number(text),
            value => match value.nodes().and_then(<[Node]>::first) {
                Some(node) => parse_number(&self.text_of(*node)?),
                None => f64::NAN,
            },
        })
    }

    /// The text of a node: of an element, the texts in it one after another.
    pub fn text_of(&self, node: Node) -> Result<Cow<'_, str>, TooSlow> {
        if let Some(attribute) = node.attribute {
            let text = self.attribute(attribute, Node::of(node.element)).unwrap_or_default();
            self.spend(1 + text.len() / 64)?;
            return Ok(text);
        }
        let inside = (node.element..self.end(node)).filter_map(|element| Node::of(element).widget());
        let mut texts = inside.map(|idx| &*self.layout.widget(idx).text).filter(|text| !text.is_empty());
        self.spend((self.end(node) - node.element) as usize)?;
        let Some(first) = texts.next() else { return Ok(Cow::Borrowed("")) };
        let mut all = Cow::Borrowed(first);
        for text in texts {
            all.to_mut().push_str(text);
        }
        self.spend(all.len() / 64)?;
        Ok(all)
    }

    /// The attribute as a node; `None` if the node has none.
    pub fn attribute_of(&self, node: Node, attribute: Attribute) -> Option<Node> {
        self.attribute(attribute, node).map(|_| Node { attribute: Some(attribute), ..node })
    }

    /// The attribute of a widget as a dump contains it; `None` if it has none.
    fn attribute(&self, attribute: Attribute, node: Node) -> Option<Cow<'_, str>> {
        let idx = node.widget().filter(|_| node.attribute.is_none())?;
        let widget: &Widget = self.layout.widget(idx);
        let text: &str = match attribute {
            Attribute::Text => &widget.text,
            Attribute::ResourceId => widget.resource_id.as_deref().unwrap_or(""),
            Attribute::Class => &widget.class,
            Attribute::Package => &widget.package,
            Attribute::ContentDesc => &widget.content_desc,
            Attribute::Hint => return Some(Cow::Borrowed(&*widget.hint)).filter(|hint| !hint.is_empty()),
            Attribute::TextNode => return Some(Cow::Borrowed(&*widget.text)).filter(|text| !text.is_empty()),
            Attribute::Flag(WidgetFlags::NAF) if !widget.flags.has(WidgetFlags::NAF) => return None,
            Attribute::Flag(flag) if widget.flags.has(flag) => "true",
            Attribute::Flag(_) => "false",
            Attribute::Bounds => return Some(Cow::Owned(widget.bounds.to_string())),
            Attribute::Index => return Some(Cow::Owned(self.ordinal(idx).to_string())),
        };
        Some(Cow::Borrowed(text))
    }

    /// Index of the widget in its parent. Counted for all widgets at once, in time linear in their number.
    fn ordinal(&self, idx: WidgetIdx) -> u32 {
        let ordinals = self.ordinals.get_or_init(|| self.layout.indices());
        ordinals.get(idx.index()).copied().unwrap_or_default()
    }
}

/// The number that a text is, which has no exponent and no plus sign; else NaN.
fn parse_number(text: &str) -> f64 {
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.chars().all(|char| char.is_ascii_digit() || char == '.');
    text.parse().ok().filter(|_| plain).unwrap_or(f64::NAN)
}

fn number_text(number: f64) -> String {
    if number == 0.0 {
        "0".to_owned()
    } else if number.is_infinite() {
        number.to_string().replace("inf", "Infinity")
    } else {
        number.to_string()
    }
}
