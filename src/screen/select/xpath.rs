//! The supported subset of XPath, which covers what DMF files and users of weditor and uiautomator2 write: paths of
//! classes, `node`, `hierarchy`, `*`, `.` and `..`, with `/` and `//`, and in brackets positions, attribute tests,
//! `contains`, `starts-with`, `and`, `or`, `not`. Evaluated as lxml does for uiautomator2, with a `hierarchy` element
//! above the roots of the windows.
//!
//! Every step visits a widget once, so evaluating a path takes time proportional to its length times the layout's size.

mod parser;
mod plain;

use std::borrow::Cow;
use std::cell::OnceCell;

use serde::{Deserialize, Serialize};

use crate::{Layout, Widget, WidgetFlags, WidgetIdx};

/// A parsed XPath over the widgets of a layout. Serialised as its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct XPath {
    source: String,
    path: Path,
}

/// Why a text is not an XPath of the supported subset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("XPath {source_text:?}, character {position}: expected {expected}, found {found}")]
pub struct XPathError {
    /// The complete text of the XPath.
    pub source_text: String,
    /// Where parsing failed, in characters from 0.
    pub position: usize,
    /// What the parser would have accepted there.
    pub expected: String,
    /// What the text contains there; `the end` if nothing.
    pub found: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Path {
    start: Start,
    steps: Vec<Step>,
}

/// The node that a path starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Start {
    /// The document above the `hierarchy`: `/…` and `//…`.
    Document,
    /// The `hierarchy`: a path without a leading slash.
    Hierarchy,
    /// `(path)[…]`: positions count over all nodes that the path selects.
    Group(Box<Path>, Vec<Predicate>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    /// Whether `//` precedes the step.
    deep: bool,
    test: Test,
    predicates: Vec<Predicate>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    /// `*`: matches any element.
    Any,
    /// A class name, `node` or `hierarchy`.
    Name(String),
    /// `..`: selects the parent.
    Parent,
    /// `.`: selects the node itself.
    Itself,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Predicate {
    Position(Compare, Number),
    Has(Attribute),
    Equals(Value, Value),
    Differs(Value, Value),
    Contains(Value, Value),
    StartsWith(Value, Value),
    Not(Box<Predicate>),
    All(Vec<Predicate>),
    AnyOf(Vec<Predicate>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compare {
    Equal,
    NotEqual,
    Less,
    AtMost,
    More,
    AtLeast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Is(usize),
    /// `last() - n`; `n` is 0 for `last()`.
    FromLast(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Literal(String),
    Attribute(Attribute),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attribute {
    Index,
    Text,
    ResourceId,
    Class,
    Package,
    ContentDesc,
    Hint,
    Bounds,
    Flag(WidgetFlags),
}

/// The attributes that can be tested, by name.
const ATTRIBUTES: [(&str, Attribute); 19] = [
    ("index", Attribute::Index),
    ("text", Attribute::Text),
    ("resource-id", Attribute::ResourceId),
    ("class", Attribute::Class),
    ("package", Attribute::Package),
    ("content-desc", Attribute::ContentDesc),
    ("hint", Attribute::Hint),
    ("bounds", Attribute::Bounds),
    ("checkable", Attribute::Flag(WidgetFlags::CHECKABLE)),
    ("checked", Attribute::Flag(WidgetFlags::CHECKED)),
    ("clickable", Attribute::Flag(WidgetFlags::CLICKABLE)),
    ("enabled", Attribute::Flag(WidgetFlags::ENABLED)),
    ("focusable", Attribute::Flag(WidgetFlags::FOCUSABLE)),
    ("focused", Attribute::Flag(WidgetFlags::FOCUSED)),
    ("scrollable", Attribute::Flag(WidgetFlags::SCROLLABLE)),
    ("long-clickable", Attribute::Flag(WidgetFlags::LONG_CLICKABLE)),
    ("password", Attribute::Flag(WidgetFlags::PASSWORD)),
    ("selected", Attribute::Flag(WidgetFlags::SELECTED)),
    ("NAF", Attribute::Flag(WidgetFlags::NAF)),
];

impl TryFrom<String> for XPath {
    type Error = XPathError;

    fn try_from(text: String) -> Result<XPath, XPathError> {
        XPath::parse(&text)
    }
}

impl From<XPath> for String {
    fn from(xpath: XPath) -> String {
        xpath.source
    }
}

impl XPath {
    /// Parses an XPath.
    ///
    /// # Errors
    ///
    /// [`XPathError`] if the text is not of the supported subset, is too long (4,096 characters) or has too many nested
    /// parentheses (32).
    pub fn parse(text: &str) -> Result<XPath, XPathError> {
        Ok(XPath { source: text.to_owned(), path: parser::parse(text)? })
    }

    /// The text from which the XPath was parsed.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the selected widgets in document order, each once.
    pub fn select(&self, layout: &Layout) -> Vec<WidgetIdx> {
        self.selected(layout, false)
    }

    /// As [`XPath::select`], where a step may also name a class without its package, as people type it.
    pub fn select_by_short_classes(&self, layout: &Layout) -> Vec<WidgetIdx> {
        self.selected(layout, true)
    }

    fn selected(&self, layout: &Layout, short_classes: bool) -> Vec<WidgetIdx> {
        let nodes = Tree { layout, short_classes, ordinals: OnceCell::new() }.path(&self.path);
        nodes.into_iter().filter_map(Node::widget).collect()
    }
}

/// A node in document order: the document, the `hierarchy`, then the widgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Node(u32);

impl Node {
    const DOCUMENT: Node = Node(0);
    const HIERARCHY: Node = Node(1);

    fn of(idx: WidgetIdx) -> Node {
        Node(idx.0 + 2)
    }

    fn widget(self) -> Option<WidgetIdx> {
        self.0.checked_sub(2).map(WidgetIdx)
    }
}

struct Tree<'l> {
    layout: &'l Layout,
    /// Whether the last part of a class names it, too.
    short_classes: bool,
    ordinals: OnceCell<Vec<u32>>,
}

impl Tree<'_> {
    fn path(&self, path: &Path) -> Vec<Node> {
        let mut nodes = match &path.start {
            Start::Document => vec![Node::DOCUMENT],
            Start::Hierarchy => vec![Node::HIERARCHY],
            Start::Group(inner, predicates) => {
                let mut nodes = self.path(inner);
                self.filter(&mut nodes, predicates);
                nodes
            }
        };
        for step in &path.steps {
            nodes = self.step(&nodes, step);
        }
        nodes
    }

    /// The nodes that a step selects. `from` and the result are in document order, each node once.
    fn step(&self, from: &[Node], step: &Step) -> Vec<Node> {
        let descendants;
        let from = if step.deep {
            descendants = self.with_descendants(from);
            &descendants
        } else {
            from
        };
        let mut reached: Vec<Node> = Vec::new();
        let mut children: Vec<Node> = Vec::new();
        match &step.test {
            Test::Itself => return from.to_vec(),
            Test::Parent => reached.extend(from.iter().filter_map(|node| self.parent(*node))),
            Test::Any | Test::Name(_) => {
                for node in from {
                    children.clear();
                    self.push_children(*node, &step.test, &mut children);
                    self.filter(&mut children, &step.predicates);
                    reached.append(&mut children);
                }
            }
        }
        reached.sort_unstable();
        reached.dedup();
        reached
    }

    /// The nodes and all their descendants. Subtrees are ranges, so nodes inside an earlier one are skipped.
    fn with_descendants(&self, from: &[Node]) -> Vec<Node> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut covered = 0;
        for node in from {
            let end = match node.widget() {
                Some(idx) => Node::of(self.layout.end(idx)).0,
                None => self.layout.widgets().len() as u32 + 2,
            };
            nodes.extend((node.0.max(covered)..end).map(Node));
            covered = covered.max(end);
        }
        nodes
    }

    fn parent(&self, node: Node) -> Option<Node> {
        match node.widget() {
            Some(idx) => Some(self.layout.widget(idx).parent.map_or(Node::HIERARCHY, Node::of)),
            None if node == Node::HIERARCHY => Some(Node::DOCUMENT),
            None => None,
        }
    }

    fn push_children(&self, node: Node, test: &Test, children: &mut Vec<Node>) {
        let named = |name: &str, idx: WidgetIdx| {
            let widget = self.layout.widget(idx);
            let short = self.short_classes && widget.short_class() == name;
            name == "node" || short || same_class(&widget.class, name)
        };
        let passes = |idx: &WidgetIdx| match test {
            Test::Name(name) => named(name, *idx),
            Test::Any | Test::Parent | Test::Itself => true,
        };
        match node.widget() {
            Some(idx) => children.extend(self.layout.children(idx).filter(passes).map(Node::of)),
            None if node == Node::HIERARCHY => {
                children.extend(self.layout.roots().filter(passes).map(Node::of));
            }
            None if matches!(test, Test::Name(name) if name != "hierarchy") => {}
            None => children.push(Node::HIERARCHY),
        }
    }

    /// Keeps the nodes for which each predicate holds. Positions in a predicate count the nodes that the predicates
    /// before it left.
    fn filter(&self, nodes: &mut Vec<Node>, predicates: &[Predicate]) {
        for predicate in predicates {
            let last = nodes.len();
            let mut position = 0;
            nodes.retain(|node| {
                position += 1;
                self.holds(predicate, *node, position, last)
            });
        }
    }

    fn holds(&self, predicate: &Predicate, node: Node, position: usize, last: usize) -> bool {
        let compare = |left: &Value, right: &Value, holds: fn(&str, &str) -> bool| {
            let (left, right) = (self.value(left, node), self.value(right, node));
            left.zip(right).is_some_and(|(left, right)| holds(&left, &right))
        };
        match predicate {
            Predicate::Position(how, number) => how.holds(position, number.of(last)),
            Predicate::Has(attribute) => self.attribute(*attribute, node).is_some(),
            Predicate::Equals(left, right) => compare(left, right, |left, right| left == right),
            Predicate::Differs(left, right) => compare(left, right, |left, right| left != right),
            Predicate::Contains(whole, part) => self.text(whole, node).contains(&*self.text(part, node)),
            Predicate::StartsWith(whole, part) => self.text(whole, node).starts_with(&*self.text(part, node)),
            Predicate::Not(inner) => !self.holds(inner, node, position, last),
            Predicate::All(parts) => parts.iter().all(|part| self.holds(part, node, position, last)),
            Predicate::AnyOf(parts) => parts.iter().any(|part| self.holds(part, node, position, last)),
        }
    }

    fn value<'v>(&'v self, value: &'v Value, node: Node) -> Option<Cow<'v, str>> {
        match value {
            Value::Literal(text) => Some(Cow::Borrowed(text)),
            Value::Attribute(attribute) => self.attribute(*attribute, node),
        }
    }

    /// As in XPath, functions treat a missing attribute as an empty text.
    fn text<'v>(&'v self, value: &'v Value, node: Node) -> Cow<'v, str> {
        self.value(value, node).unwrap_or_default()
    }

    /// The attribute as a dump contains it; `None` if it has none.
    fn attribute(&self, attribute: Attribute, node: Node) -> Option<Cow<'_, str>> {
        let idx = node.widget()?;
        let widget: &Widget = self.layout.widget(idx);
        let text: &str = match attribute {
            Attribute::Text => &widget.text,
            Attribute::ResourceId => widget.resource_id.as_deref().unwrap_or(""),
            Attribute::Class => &widget.class,
            Attribute::Package => &widget.package,
            Attribute::ContentDesc => &widget.content_desc,
            Attribute::Hint if widget.hint.is_empty() => return None,
            Attribute::Hint => &widget.hint,
            Attribute::Flag(WidgetFlags::NAF) if !widget.flags.has(WidgetFlags::NAF) => return None,
            Attribute::Flag(flag) if widget.flags.has(flag) => "true",
            Attribute::Flag(_) => "false",
            Attribute::Bounds => return Some(Cow::Owned(widget.bounds.to_string())),
            Attribute::Index => return Some(Cow::Owned(self.ordinal(idx).to_string())),
        };
        Some(Cow::Borrowed(text))
    }

    /// Index of the widget among its siblings. Counted for all widgets at once, in time linear in their number.
    fn ordinal(&self, idx: WidgetIdx) -> u32 {
        let ordinals = self.ordinals.get_or_init(|| self.layout.sibling_places());
        ordinals.get(idx.index()).copied().unwrap_or_default()
    }
}

/// Whether the name in a step means this class. An XML name cannot contain the `$` of an inner class, so uiautomator2
/// writes `-` instead.
fn same_class(class: &str, name: &str) -> bool {
    class == name
        || (class.contains('$')
            && class.len() == name.len()
            && class
                .bytes()
                .zip(name.bytes())
                .all(|(class, name)| class == name || (class, name) == (b'$', b'-')))
}

impl Number {
    fn of(self, last: usize) -> Option<usize> {
        match self {
            Number::Is(number) => Some(number),
            Number::FromLast(back) => last.checked_sub(back),
        }
    }
}

impl Compare {
    /// Compares a position with a number; `None`, a number below zero, is less than every position.
    fn holds(self, position: usize, number: Option<usize>) -> bool {
        let ordering = Some(position).cmp(&number);
        match self {
            Compare::Equal => ordering.is_eq(),
            Compare::NotEqual => ordering.is_ne(),
            Compare::Less => ordering.is_lt(),
            Compare::AtMost => ordering.is_le(),
            Compare::More => ordering.is_gt(),
            Compare::AtLeast => ordering.is_ge(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout_from;

    const SCREEN: &str = "FrameLayout#root
  LinearLayout#bar
    TextView#title \"Notes\"
    ImageButton#add (New note)
  ListView#list
    LinearLayout#row
      TextView#name \"buy milk\"
      CheckBox#done
    LinearLayout#row
      TextView#name \"call Ann\"
      CheckBox#done
    LinearLayout#row
      TextView#name \"it's \"
";

    fn check(xpath: &str, expected: &[u32]) {
        let named = XPath::parse(xpath).unwrap().select(&layout_from(SCREEN));
        assert_eq!(named.iter().map(|idx| idx.0).collect::<Vec<_>>(), expected, "{xpath}");
    }

    #[test]
    fn paths_go_down_and_up() {
        check("/hierarchy/node", &[0]);
        check("/hierarchy/android.widget.FrameLayout[1]/android.widget.ListView/node[2]/node[1]", &[9]);
        check("/android.widget.FrameLayout", &[]);
        check("/*", &[]);
        check("/*/*/*", &[1, 4]);
        check("node/node", &[1, 4]);
        check(".//android.widget.CheckBox", &[7, 10]);
        check("//android.widget.ListView//android.widget.CheckBox", &[7, 10]);
        check("//node//node//node//node", &[6, 7, 9, 10, 12]);
        check("//*[@text='call Ann']/..", &[8]);
        check("//*[@text='call Ann']/../android.widget.CheckBox", &[10]);
        check("//android.widget.CheckBox/../..", &[4]);
        check("//*", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    }

    #[test]
    fn positions_count_per_parent_and_over_a_group() {
        check("//android.widget.TextView[1]", &[2, 6, 9, 12]);
        check("(//android.widget.TextView)[2]", &[6]);
        check("(//android.widget.TextView)[last()]/..", &[11]);
        check("//android.widget.LinearLayout[last()]", &[1, 11]);
        check("//android.widget.ListView/*[last()-1]", &[8]);
        check("//android.widget.ListView/*[last()-7]", &[]);
        check("//android.widget.ListView/*[position() >= 2]", &[8, 11]);
        check("//android.widget.ListView/*[ position()!=last() ]", &[5, 8]);
        check("//node[@resource-id='org.ex:id/row'][2]/node[1]", &[9]);
        check("//*[0]", &[]);
    }

    #[test]
    fn attributes_are_compared() {
        check("//*[@resource-id=\"org.ex:id/list\"]/android.widget.LinearLayout[3]", &[11]);
        check("//*[@clickable=\"true\" and @content-desc='New note']", &[3]);
        check("//*[@text!=\"\"]", &[2, 6, 9, 12]);
        check("//*[@text=\"it's \" or @bounds='[0,0][1080,100]']", &[0, 12]);
        check("//*[@index=1]", &[3, 4, 7, 8, 10]);
        check("//*[@index='2' and not(@text)]", &[]);
        check(
            "//*[not(contains(@resource-id, 'row') or @package!='org.ex') and @text='']",
            &[0, 1, 3, 4, 7, 10],
        );
        check("//*[starts-with(@text,'c')]", &[9]);
        check("//*[contains(@text,'l')][1]", &[6, 9]);
        check("//*[@hint or @NAF]", &[]);
        check("//*[@class='android.widget.ListView' and (@enabled='true')]", &[4]);
        check("//*[@text='a' or @text='Notes' and @text='b']", &[]);
    }

    #[test]
    fn a_dollar_in_a_class_may_be_written_as_uiautomator2_does() {
        assert!(same_class("a.B$C", "a.B$C") && same_class("a.B$C", "a.B-C"));
        assert!(!same_class("a.B-C", "a.B$C") && !same_class("a.B$C", "a.B-D"));
    }

    #[test]
    fn errors_tell_the_place() {
        let check = |xpath: &str, position: usize, expected: &str, found: &str| {
            let error = XPath::parse(xpath).unwrap_err();
            assert_eq!(
                (error.position, &*error.expected, &*error.found),
                (position, expected, found),
                "{xpath}"
            );
        };
        let step = "a class name, node, *, . or ..";
        check("", 0, step, "the end");
        check("/", 1, step, "the end");
        check("//é[", 4, "a position, @attribute, contains(, starts-with( or not(", "the end");
        check("//x[@text='a]", 13, "' after the text", "the end");
        check("//x[@text=a]", 10, "@attribute or a text in quotes", "\"a\"");
        check("//x[1", 5, "and, or or ]", "the end");
        check("//x[@text='a' xor 1]", 14, "and, or or ]", "\"xor\"");
        check("//x]", 3, "/, //, [ or the end", "\"]\"");
        check("(//x", 4, ")", "the end");
        check("//x[contains(@text 'a')]", 19, ",", "\"'\"");
        let axes = "[, /, // or the end (axes and functions of nodes are not in the subset)";
        check("//x/child::y", 9, axes, "\":\"");
        check("//x/text()", 8, axes, "\"(\"");
        assert!(XPath::parse("//x[@txet='a']").unwrap_err().expected.contains("resource-id"));
        let deep = format!("//x[{}1{}]", "(".repeat(1000), ")".repeat(1000));
        assert_eq!(XPath::parse(&deep).unwrap_err().expected, "at most 32 nested parentheses");
        assert_eq!(XPath::parse(&"/x".repeat(3000)).unwrap_err().position, 4096);
    }
}
