//! Steps from nodes to nodes. Subtrees are ranges of the layout, so no tree is built.

use std::borrow::Cow;
use std::ops::Range;

use super::evaluate::{Evaluation, TooSlow};
use super::syntax::{Attribute, Axis, Expr, Step, Test, attributes};
use crate::{Side, Widget, WidgetIdx};

/// Of how many nodes repeats are removed before more are collected.
const COLLECTED: usize = 1 << 20;

/// An element, or an attribute of one, in document order. The elements are the document, the `hierarchy`, then the
/// widgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Node {
    pub element: u32,
    pub attribute: Option<Attribute>,
}

impl Node {
    pub const DOCUMENT: Node = Node::of(0);
    pub const HIERARCHY: Node = Node::of(1);

    pub const fn of(element: u32) -> Node {
        Node { element, attribute: None }
    }

    /// The widget that it is, or whose attribute it is.
    pub fn widget(self) -> Option<WidgetIdx> {
        self.element.checked_sub(2).map(WidgetIdx)
    }
}

impl Evaluation<'_> {
    /// The nodes that a step selects. `from` and the result are in document order, each node once.
    pub fn step(&self, from: &[Node], step: &Step) -> Result<Vec<Node>, TooSlow> {
        let contexts =
            if step.positional { Cow::Borrowed(from) } else { self.without_repeats(from, step.axis) };
        let upwards = !step.positional && matches!(step.axis, Axis::Ancestor | Axis::AncestorOrSelf);
        let enough = match step.predicates.first() {
            Some(Expr::Number(position)) => position.ceil() as usize,
            _ => usize::MAX,
        };
        let mut reached: Vec<Node> = Vec::new();
        let mut before = None;
        for node in contexts.iter() {
            let mut nodes = Vec::new();
            self.walk(step.axis, *node, &mut |next| {
                if self.passes(&step.test, next) {
                    nodes.push(next);
                }
                // What is above a node before this one has been reached from there.
                let is_new = !upwards || before.is_none_or(|before| next > before);
                is_new && nodes.len() < enough
            })?;
            self.filter(&mut nodes, &step.predicates)?;
            reached.append(&mut nodes);
            if reached.len() > COLLECTED {
                self.put_in_order(&mut reached)?;
            }
            before = Some(*node);
        }
        self.put_in_order(&mut reached)?;
        Ok(reached)
    }

    /// The nodes from which an axis reaches the same nodes as from all, as seldom twice as possible.
    fn without_repeats<'n>(&self, from: &'n [Node], axis: Axis) -> Cow<'n, [Node]> {
        if from.len() < 2 {
            return Cow::Borrowed(from);
        }
        let end = |node: &Node| self.end(*node);
        match axis {
            Axis::Descendant | Axis::DescendantOrSelf => {
                let mut covered = 0;
                let outside = from.iter().filter(|node| {
                    let outside = node.element >= covered;
                    covered = covered.max(end(node));
                    outside || node.attribute.is_some()
                });
                Cow::Owned(outside.copied().collect())
            }
            Axis::Following => Cow::Owned(from.iter().copied().min_by_key(end).into_iter().collect()),
            Axis::Preceding => Cow::Borrowed(&from[from.len() - 1..]),
            Axis::FollowingSibling | Axis::PrecedingSibling => {
                let elements = from.iter().filter(|node| node.attribute.is_none());
                let mut elements: Vec<Node> = elements.copied().collect();
                if axis == Axis::PrecedingSibling {
                    elements.reverse();
                }
                elements.sort_by_key(|node| self.parent(*node));
                elements.dedup_by_key(|node| self.parent(*node));
                Cow::Owned(elements)
            }
            Axis::Itself
            | Axis::Child
            | Axis::Parent
            | Axis::Ancestor
            | Axis::AncestorOrSelf
            | Axis::RightOf
            | Axis::LeftOf
            | Axis::Below
            | Axis::Above
            | Axis::Attribute => Cow::Borrowed(from),
        }
    }

    /// Visits the nodes of an axis in its direction, until `visit` returns false.
    fn walk(&self, axis: Axis, from: Node, visit: &mut impl FnMut(Node) -> bool) -> Result<(), TooSlow> {
        let all = self.end(Node::DOCUMENT);
        let is_element = from.attribute.is_none();
        let upwards = |first| std::iter::successors(first, |node| self.parent(*node));
        let below = from.element + 1..self.end(from);
        match axis {
            Axis::Itself => self.each(std::iter::once(from), visit),
            Axis::Child => self.each(self.siblings(below.start, below.end), visit),
            Axis::Descendant => self.each_of(below, visit),
            Axis::DescendantOrSelf => match visit(from) {
                true => self.each_of(below, visit),
                false => Ok(()),
            },
            Axis::Parent => self.each(self.parent(from).into_iter(), visit),
            Axis::Ancestor => self.each(upwards(self.parent(from)), visit),
            Axis::AncestorOrSelf => self.each(upwards(Some(from)), visit),
            Axis::Following => self.each_of(self.end(from)..all, visit),
            Axis::Preceding => {
                let before = (0..from.element).rev().map(Node::of);
                self.each(before, &mut |node| self.end(node) > from.element || visit(node))
            }
            Axis::FollowingSibling | Axis::PrecedingSibling if !is_element => Ok(()),
            Axis::FollowingSibling => {
                let parent_end = self.parent(from).map_or(0, |parent| self.end(parent));
                self.each(self.siblings(self.end(from), parent_end), visit)
            }
            Axis::PrecedingSibling => self.each(
                std::iter::successors(self.sibling_before(from), |node| self.sibling_before(*node)),
                visit,
            ),
            Axis::RightOf => self.each(self.beside(Side::RightOf, from).into_iter(), visit),
            Axis::LeftOf => self.each(self.beside(Side::LeftOf, from).into_iter(), visit),
            Axis::Below => self.each(self.beside(Side::Below, from).into_iter(), visit),
            Axis::Above => self.each(self.beside(Side::Above, from).into_iter(), visit),
            Axis::Attribute => {
                let known = attributes().map(|(_, attribute)| attribute).chain([Attribute::TextNode]);
                self.each(known.filter_map(|attribute| self.attribute_of(from, attribute)), visit)
            }
        }
    }

    /// The widgets on a side of this one, the nearest first.
    fn beside(&self, side: Side, from: Node) -> Vec<Node> {
        let Some(from) = from.widget().filter(|_| from.attribute.is_none()) else { return Vec::new() };
        let bounds = self.layout.widget(from).bounds;
        let shown = self.layout.iter().filter(|(_, widget)| !widget.bounds.is_empty());
        let gap = |(idx, widget): (WidgetIdx, &Widget)| Some((side.gap(&bounds, &widget.bounds)?, idx.0 + 2));
        let mut nodes: Vec<(i32, u32)> = shown.filter_map(gap).collect();
        nodes.sort_unstable();
        nodes.into_iter().map(|(_, element)| Node::of(element)).collect()
    }

    fn each(
        &self,
        nodes: impl Iterator<Item = Node>,
        visit: &mut impl FnMut(Node) -> bool,
    ) -> Result<(), TooSlow> {
        for node in nodes {
            self.spend(1)?;
            if !visit(node) {
                break;
            }
        }
        Ok(())
    }

    /// Visits all elements of a range. Their steps are taken at once, as there are many.
    fn each_of(&self, elements: Range<u32>, visit: &mut impl FnMut(Node) -> bool) -> Result<(), TooSlow> {
        self.spend(elements.len())?;
        elements.map(Node::of).all(visit);
        Ok(())
    }

    fn passes(&self, test: &Test, node: Node) -> bool {
        match test {
            Test::Attribute(attribute) => node.attribute == Some(*attribute),
            _ if node.attribute == Some(Attribute::TextNode) => matches!(test, Test::Node),
            _ if node.attribute.is_some() => !matches!(test, Test::Name(_) | Test::Word(_)),
            Test::Node => true,
            Test::Any => node != Node::DOCUMENT,
            Test::Name(name) => {
                node.widget().is_some_and(|idx| same_class(&self.layout.widget(idx).class, name))
            }
            Test::Word(name) => match node.widget().map(|idx| self.layout.widget(idx)) {
                Some(widget) => name == "node" || *widget.class == **name || widget.short_class() == name,
                None => node == Node::HIERARCHY && name == "hierarchy",
            },
        }
    }

    /// The element after the last descendant of the node.
    pub fn end(&self, node: Node) -> u32 {
        match (node.attribute, node.widget()) {
            (Some(_), _) => node.element + 1,
            (None, Some(idx)) => self.layout.end(idx).0 + 2,
            (None, None) => self.layout.widgets().len() as u32 + 2,
        }
    }

    fn parent(&self, node: Node) -> Option<Node> {
        match (node.attribute, node.widget()) {
            (Some(_), _) => Some(Node::of(node.element)),
            (None, Some(idx)) => {
                let parent = self.layout.widget(idx).parent;
                Some(parent.map_or(Node::HIERARCHY, |parent| Node::of(parent.0 + 2)))
            }
            (None, None) => (node == Node::HIERARCHY).then_some(Node::DOCUMENT),
        }
    }

    /// The siblings from one to the end of their parent.
    fn siblings(&self, first: u32, end: u32) -> impl Iterator<Item = Node> {
        let inside = move |element: u32| (element < end).then_some(Node::of(element));
        std::iter::successors(inside(first), move |node| inside(self.end(*node)))
    }

    fn sibling_before(&self, node: Node) -> Option<Node> {
        let parent = self.parent(node)?;
        let last = Node::of(node.element - 1);
        let mut around = std::iter::successors(Some(last), |last| self.parent(*last));
        around
            .find(|around| self.spend(1).is_err() || self.parent(*around) == Some(parent))
            .filter(|_| last != parent)
    }
}

/// Whether the name in a step means this class. An XML name cannot contain the `$` of an inner class, so uiautomator2
/// writes `-` instead.
pub(super) fn same_class(class: &str, name: &str) -> bool {
    class.len() == name.len()
        && (class == name
            || (class.contains('$')
                && class
                    .bytes()
                    .zip(name.bytes())
                    .all(|(class, name)| class == name || (class, name) == (b'$', b'-'))))
}
