//! The nodes of a page as widgets: what `Accessibility.getFullAXTree` says of them, with their places.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use super::roles::{FIELD, Kind, TEXT, TOGGLE, VIEW, WEB_VIEW, kind};
use super::snapshot::{Shown, ShownPage};
use taproof_screen::{PxRect, Text, Widget, WidgetDetails, WidgetFlags};

/// How deep widgets are nested at most; what is deeper is put beside what holds it.
const DEEPEST: usize = 64;
/// How many widgets a page has at most. A screen shows some hundred at once.
const MOST_WIDGETS: usize = 5_000;
/// The longest text of a widget, in characters.
const LONGEST: usize = 10_000;

/// The answer to `Accessibility.getFullAXTree`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AxTree {
    nodes: Vec<AxNode>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct AxNode {
    node_id: String,
    ignored: bool,
    role: AxValue,
    name: AxValue,
    value: AxValue,
    properties: Vec<AxProperty>,
    child_ids: Vec<String>,
    #[serde(rename = "backendDOMNodeId")]
    dom: i64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct AxValue {
    value: Value,
    sources: Vec<AxSource>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct AxProperty {
    name: String,
    value: AxValue,
}

/// One of the places where a name may come from; the first that has a value and is not superseded gives it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct AxSource {
    #[serde(rename = "type")]
    kind: String,
    value: Option<Value>,
    superseded: bool,
}

/// A widget of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PageWidget {
    /// The number of widgets of the page around it.
    pub depth: usize,
    pub widget: Widget,
    pub details: WidgetDetails,
}

impl AxValue {
    /// A text, a number or a truth value as a text; empty for anything else.
    fn text(&self) -> String {
        match &self.value {
            Value::String(text) => text.chars().take(LONGEST).collect(),
            Value::Null | Value::Array(_) | Value::Object(_) => String::new(),
            other => other.to_string(),
        }
    }

    fn is_blank(&self) -> bool {
        match &self.value {
            Value::String(text) => text.trim().is_empty(),
            Value::Number(_) | Value::Bool(_) => false,
            _ => true,
        }
    }

    fn is_true(&self) -> bool {
        self.value == true || self.value == "true"
    }

    fn is_of_attribute(&self) -> bool {
        let source = self.sources.iter().find(|source| source.value.is_some() && !source.superseded);
        source.is_some_and(|source| source.kind == "attribute")
    }
}

impl AxNode {
    fn property(&self, name: &str) -> Option<&AxValue> {
        self.properties.iter().find(|property| property.name == name).map(|property| &property.value)
    }

    fn is(&self, property: &str) -> bool {
        self.property(property).is_some_and(AxValue::is_true)
    }

    fn role(&self) -> &str {
        self.role.value.as_str().unwrap_or_default()
    }

    fn kind(&self) -> Kind {
        match kind(self.role()) {
            _ if self.ignored => Kind::Plain,
            Kind::Control(_) if self.property("pressed").is_some() => Kind::Checkable(TOGGLE),
            // A field that proposes what to type, or one that the page made.
            Kind::Valued("android.widget.Spinner") if self.property("editable").is_some() => {
                Kind::Valued(FIELD)
            }
            Kind::Plain | Kind::Container(_)
                if self.property("editable").is_some_and(|it| it.value == "richtext") =>
            {
                Kind::Container(FIELD)
            }
            kind => kind,
        }
    }
}

/// The widgets of a page of this package, from the trees of its frames, the page's own first, in the order of the
/// snapshot.
pub(super) fn widgets(trees: &[AxTree], page: &ShownPage, package: &Text) -> Vec<PageWidget> {
    let ids =
        |tree: &AxTree| tree.nodes.iter().enumerate().map(|(at, node)| (node.node_id.clone(), at)).collect();
    let reader = TreeReader { trees, ids: trees.iter().map(ids).collect(), page, package };
    let (mut found, mut known) = (Vec::new(), BTreeSet::new());
    let mut open = vec![(PAGE, 0)];
    while let Some((place, depth)) = open.pop() {
        // Nodes that hold themselves are nonsense, and are read once.
        let Some(node) = reader.node(place).filter(|_| known.insert(place) && found.len() < MOST_WIDGETS)
        else {
            continue;
        };
        let (inner, goes_on) = match reader.read(place, node) {
            Read::Widget { widget, details, goes_on } => {
                found.push(PageWidget { depth, widget: *widget, details });
                ((depth + 1).min(DEEPEST), goes_on)
            }
            Read::Nothing { goes_on } => (depth, goes_on),
        };
        if goes_on {
            open.extend(reader.children(place).into_iter().rev().map(|child| (child, inner)));
        }
    }
    found
}

/// A node of one of the trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    tree: usize,
    node: usize,
}

/// The page itself.
const PAGE: Place = Place { tree: 0, node: 0 };

/// What a node is; `goes_on` tells whether the nodes in it are widgets, too.
enum Read {
    Widget { widget: Box<Widget>, details: WidgetDetails, goes_on: bool },
    Nothing { goes_on: bool },
}

struct TreeReader<'t> {
    trees: &'t [AxTree],
    /// The places of nodes in each tree, by their ids.
    ids: Vec<BTreeMap<String, usize>>,
    page: &'t ShownPage,
    package: &'t Text,
}

impl TreeReader<'_> {
    fn node(&self, at: Place) -> Option<&AxNode> {
        self.trees.get(at.tree)?.nodes.get(at.node)
    }

    fn children(&self, at: Place) -> Vec<Place> {
        let (Some(node), Some(ids)) = (self.node(at), self.ids.get(at.tree)) else { return Vec::new() };
        let own = node.child_ids.iter().filter_map(|id| ids.get(id)).map(|node| Place { node: *node, ..at });
        // Old versions know no frames and answer with the page itself.
        let page = self.node(PAGE).map(|page| page.dom);
        let frame = self.page.frames.get(&node.dom).map(|tree| Place { tree: *tree, node: 0 });
        own.chain(frame.filter(|frame| self.node(*frame).map(|frame| frame.dom) != page)).collect()
    }

    fn read(&self, at: Place, node: &AxNode) -> Read {
        let kind = node.kind();
        if let Some(goes_on) = self.skips(node, kind) {
            return Read::Nothing { goes_on };
        }
        let (shown, name) = (self.shown(node), node.name.text());
        let mut widget = self.empty_widget(shown);
        let mut details = WidgetDetails::default();
        let mut goes_on = false;
        match kind {
            Kind::Text | Kind::Skipped => (widget.class, widget.text) = (TEXT.into(), name.trim().into()),
            Kind::Container(WEB_VIEW) => {
                (widget.class, widget.text, goes_on) = (WEB_VIEW.into(), name.into(), true);
            }
            Kind::Plain | Kind::Container(_) => goes_on = self.fill_container(at, node, &mut widget),
            Kind::Whole(class) => (widget.class, widget.content_desc) = (class.into(), name.into()),
            Kind::Control(class) | Kind::Checkable(class) => {
                widget.class = class.into();
                let says =
                    if node.name.is_of_attribute() { &mut widget.content_desc } else { &mut widget.text };
                *says = name.into();
            }
            Kind::Valued(class) => {
                widget.class = class.into();
                details.range = range(node);
                if !widget.is_progress() {
                    widget.text = node.value.text().into();
                }
                let label = if class == FIELD { &mut widget.hint } else { &mut widget.content_desc };
                *label = name.into();
            }
        }
        widget.flags = self.flags(at, node, kind);
        Read::Widget { widget: Box::new(widget), details, goes_on }
    }

    /// Whether a node is no widget, and if so, whether the nodes in it are.
    fn skips(&self, node: &AxNode, kind: Kind) -> Option<bool> {
        let shown = self.shown(node);
        let named = !node.name.is_blank();
        match kind {
            Kind::Skipped => Some(false),
            Kind::Text => (!named || shown.bounds.is_empty()).then_some(false),
            Kind::Plain | Kind::Container(_) if shown.bounds.is_empty() => Some(true),
            Kind::Plain => {
                let own = named || !shown.id.is_empty() || shown.clickable || shown.scrollable;
                (node.ignored || !own).then_some(true)
            }
            _ => shown.bounds.is_empty().then_some(false),
        }
    }

    /// Fills the widget of a node that holds others. Returns false if all it holds is a text, which then is its own.
    fn fill_container(&self, at: Place, node: &AxNode, widget: &mut Widget) -> bool {
        let text = self.only_text(at);
        widget.class = match node.kind() {
            Kind::Container(class) if class != VIEW || text.is_none() => class.into(),
            _ if text.is_none() => VIEW.into(),
            _ => TEXT.into(),
        };
        if node.name.is_of_attribute() {
            widget.content_desc = node.name.text().into();
        }
        let goes_on = text.is_none();
        widget.text = text.unwrap_or_default().into();
        goes_on
    }

    /// The text in a node that holds nothing else, in one piece.
    fn only_text(&self, mut at: Place) -> Option<String> {
        for _ in 0..DEEPEST {
            let inside: Vec<(Place, &AxNode)> = self
                .children(at)
                .into_iter()
                .filter_map(|place| Some((place, self.node(place)?)))
                .filter(|(_, node)| self.skips(node, node.kind()) != Some(false) || node.kind() == Kind::Text)
                .collect();
            if inside.iter().all(|(_, node)| node.kind() == Kind::Text) {
                let text: String = inside.iter().map(|(_, node)| node.name.text()).collect();
                let text: String = text.trim().chars().take(LONGEST).collect();
                return (!text.is_empty()).then_some(text);
            }
            match inside.as_slice() {
                [(inner, node)] if self.skips(node, node.kind()) == Some(true) => at = *inner,
                _ => return None,
            }
        }
        None
    }

    fn shown(&self, node: &AxNode) -> &Shown {
        const NOTHING: &Shown = &Shown {
            bounds: PxRect::new(0, 0, 0, 0),
            id: String::new(),
            clickable: false,
            scrollable: false,
            password: false,
        };
        self.page.nodes.get(&node.dom).unwrap_or(NOTHING)
    }

    fn flags(&self, at: Place, node: &AxNode, kind: Kind) -> WidgetFlags {
        let (shown, root) = (self.shown(node), at == PAGE);
        let progress = kind == Kind::Valued("android.widget.ProgressBar");
        let control = matches!(kind, Kind::Control(_) | Kind::Checkable(_) | Kind::Valued(_)) && !progress;
        // What listens to all clicks on a page passes them on to what is inside.
        let own = shown.clickable && 2 * shown.bounds.area() < self.page.seen.area();
        let on = |flag: WidgetFlags, set: bool| if set { flag } else { WidgetFlags::NONE };
        [
            on(WidgetFlags::ENABLED, !node.is("disabled")),
            on(WidgetFlags::CLICKABLE, control || own || node.role() == "link"),
            on(WidgetFlags::CHECKABLE, matches!(kind, Kind::Checkable(_))),
            on(WidgetFlags::CHECKED, node.is("checked") || node.is("pressed")),
            on(WidgetFlags::FOCUSABLE, node.is("focusable") && !root),
            on(WidgetFlags::FOCUSED, node.is("focused") && !root),
            on(WidgetFlags::SELECTED, node.is("selected")),
            on(WidgetFlags::PASSWORD, shown.password),
            on(WidgetFlags::SCROLLABLE, if root { self.page.scrollable } else { shown.scrollable }),
        ]
        .into_iter()
        .fold(WidgetFlags::NONE, |flags, flag| flags.with(flag, true))
    }

    fn empty_widget(&self, shown: &Shown) -> Widget {
        Widget {
            parent: None,
            package: self.package.clone(),
            class: Text::from(""),
            resource_id: (!shown.id.is_empty()).then(|| shown.id.as_str().into()),
            text: Text::from(""),
            content_desc: Text::from(""),
            hint: Text::from(""),
            bounds: shown.bounds,
            flags: WidgetFlags::NONE,
        }
    }
}

/// Least, current and greatest value in thousandths; `None` if there is no value, as while something of unknown length
/// goes on.
fn range(node: &AxNode) -> Option<[i32; 3]> {
    let thousandths = |of: &AxValue| of.value.as_f64().map(|value| (value * 1000.0).round() as i32);
    let end = |name: &str| node.property(name).and_then(thousandths);
    Some([end("valuemin")?, thousandths(&node.value)?, end("valuemax")?])
}
