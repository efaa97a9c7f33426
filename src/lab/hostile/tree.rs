//! A layout that can be changed.

use taproof_screen::{
    Layout, LayoutBuilder, PxPoint, PxRect, PxSize, Text, Widget, WidgetDetails, WidgetFlags, WidgetIdx,
};

/// A widget with those inside it.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) widget: Widget,
    pub(crate) children: Vec<Node>,
    details: WidgetDetails,
}

/// The widgets of the active window.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) roots: Vec<Node>,
    pub(crate) activity: Text,
    pub(crate) screen: PxSize,
    /// What is not changed.
    rest: Layout,
}

/// The place of a node: which root, which of its children, and so on.
pub(crate) type NodePath = Vec<usize>;

impl Node {
    /// A widget of an app that only shows something.
    pub(crate) fn new(package: &str, class: &str, id: &str, bounds: PxRect) -> Node {
        let widget = Widget {
            parent: None,
            package: package.into(),
            class: format!("android.{}.{class}", if class == "WebView" { "webkit" } else { "widget" }).into(),
            resource_id: (!id.is_empty()).then(|| format!("{package}:id/{id}").into()),
            text: "".into(),
            content_desc: "".into(),
            hint: "".into(),
            bounds,
            flags: WidgetFlags::ENABLED,
        };
        Node { widget, children: Vec::new(), details: WidgetDetails::default() }
    }

    pub(crate) fn text(mut self, text: &str) -> Node {
        self.widget.text = text.into();
        self
    }

    pub(crate) fn clickable(mut self) -> Node {
        self.widget.flags = self.widget.flags.with(WidgetFlags::CLICKABLE, true);
        self
    }

    pub(crate) fn with(mut self, children: Vec<Node>) -> Node {
        self.children = children;
        self
    }

    /// Calls `work` for this node and all inside it.
    pub(crate) fn each(&mut self, work: &mut impl FnMut(&mut Widget)) {
        work(&mut self.widget);
        self.children.iter_mut().for_each(|child| child.each(work));
    }

    pub(crate) fn shift(&mut self, dy: i32) {
        self.each(&mut |widget| widget.bounds = widget.bounds.offset(0, dy));
    }

    /// What of the node is inside this area; `None` if nothing is, as dumps leave out what cannot be seen.
    pub(crate) fn clipped(mut self, to: &PxRect) -> Option<Node> {
        self.widget.bounds = self.widget.bounds.intersect(to);
        self.children = self.children.into_iter().filter_map(|child| child.clipped(to)).collect();
        (!self.widget.bounds.is_empty()).then_some(self)
    }

    fn of(layout: &Layout, idx: WidgetIdx) -> Node {
        Node {
            widget: layout.widget(idx).clone(),
            children: layout.children(idx).map(|child| Node::of(layout, child)).collect(),
            details: layout.details(idx).cloned().unwrap_or_default(),
        }
    }

    fn build(self, builder: &mut LayoutBuilder) {
        let idx = builder.open(self.widget);
        builder.describe(idx, self.details);
        self.children.into_iter().for_each(|child| child.build(builder));
        builder.close();
    }

    fn paths(&self, here: &NodePath, paths: &mut Vec<NodePath>) {
        for (place, child) in self.children.iter().enumerate() {
            let path: NodePath = here.iter().copied().chain([place]).collect();
            child.paths(&path, paths);
            paths.push(path);
        }
    }
}

impl Tree {
    pub(crate) fn of(layout: &Layout) -> Tree {
        Tree {
            roots: layout.roots().map(|root| Node::of(layout, root)).collect(),
            activity: layout.activity().clone(),
            screen: layout.screen(),
            rest: LayoutBuilder::like(layout).finish(),
        }
    }

    pub(crate) fn into_layout(self) -> Layout {
        let mut builder = LayoutBuilder::like(&self.rest);
        self.roots.into_iter().for_each(|root| root.build(&mut builder));
        builder.finish().with_activity(self.activity).with_screen(self.screen)
    }

    /// Calls `work` for every widget, in document order.
    pub(crate) fn each(&mut self, mut work: impl FnMut(&mut Widget)) {
        self.roots.iter_mut().for_each(|root| root.each(&mut work));
    }

    /// The places of all nodes but the roots.
    pub(crate) fn paths(&self) -> Vec<NodePath> {
        let mut paths = Vec::new();
        self.roots.iter().enumerate().for_each(|(place, root)| root.paths(&vec![place], &mut paths));
        paths
    }

    pub(crate) fn get(&self, path: &[usize]) -> Option<&Node> {
        let (first, inner) = path.split_first()?;
        inner.iter().try_fold(self.roots.get(*first)?, |node, place| node.children.get(*place))
    }

    pub(crate) fn get_mut(&mut self, path: &[usize]) -> Option<&mut Node> {
        let (first, inner) = path.split_first()?;
        inner.iter().try_fold(self.roots.get_mut(*first)?, |node, place| node.children.get_mut(*place))
    }

    /// The nodes beside the node at this place, and where it is among them.
    pub(crate) fn siblings_of(&mut self, path: &[usize]) -> Option<(&mut Vec<Node>, usize)> {
        let (last, around) = path.split_last()?;
        let siblings = &mut self.get_mut(around)?.children;
        (*last < siblings.len()).then_some((siblings, *last))
    }

    /// The place of the first list that has rows.
    pub(crate) fn list(&self) -> Option<NodePath> {
        let filled = |path: &NodePath| {
            self.get(path).is_some_and(|node| node.widget.is_list() && !node.children.is_empty())
        };
        self.paths().into_iter().find(filled)
    }

    /// The area of the window.
    pub(crate) fn area(&self) -> PxRect {
        self.roots.first().map_or(PxRect::default(), |root| root.widget.bounds)
    }

    /// Puts a node in front of all others of the window.
    pub(crate) fn put(&mut self, node: Node) {
        self.roots.iter_mut().take(1).for_each(|root| root.children.push(node.clone()));
    }

    /// The last node that is such a one.
    pub(crate) fn last_with(&mut self, is_one: impl Fn(&Node) -> bool) -> Option<&mut Node> {
        let mut paths = self.paths();
        paths.retain(|path| self.get(path).is_some_and(&is_one));
        self.get_mut(paths.last()?)
    }

    /// Whether the window fills the screen in its width, so that it is no dialog.
    pub(crate) fn is_page(&self) -> bool {
        self.area().width() == self.screen.width
    }

    /// Leaves out what is not inside this area.
    pub(crate) fn clip(&mut self, to: &PxRect) {
        let roots = std::mem::take(&mut self.roots);
        self.roots = roots.into_iter().filter_map(|root| root.clipped(to)).collect();
    }
}

/// The point moved down.
pub(crate) fn below(at: PxPoint, dy: i32) -> PxPoint {
    PxPoint { y: at.y + dy, ..at }
}
