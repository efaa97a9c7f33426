//! Where the nodes of a page are: the answers to `Page.getLayoutMetrics` and `DOMSnapshot.captureSnapshot`, as boxes in
//! pixels of the screen.
//!
//! Of a box only what is seen counts, without what a scrolled part of the page or the web view itself cuts off.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use serde::Deserialize;

use taproof_screen::PxRect;

/// The computed styles that are asked for, in this order.
pub(super) const STYLES: [&str; 3] = ["overflow-x", "overflow-y", "position"];
/// The values of an overflow that cut off what does not fit, and those of them that let it be scrolled.
const CUTTING: [&str; 4] = ["hidden", "clip", "auto", "scroll"];
const SCROLLING: [&str; 2] = ["auto", "scroll"];
/// How many pixels of the screen one of the page can be. Pages are zoomed up to five times, on screens of up to four.
const SCALES: RangeInclusive<f64> = 0.1..=20.0;
/// How far up a node looks for an ancestor with a box. Only nonsense has more without.
const MOST_WITHOUT_BOX: usize = 100;

/// The answer to `Page.getLayoutMetrics`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Metrics {
    /// Missing before Chrome 88, whose other sizes are in the pixels of the page.
    css_visual_viewport: Option<Viewport>,
    visual_viewport: Viewport,
    css_content_size: Option<Size>,
    content_size: Size,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Viewport {
    page_x: f64,
    page_y: f64,
    client_width: f64,
    client_height: f64,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
struct Size {
    width: f64,
}

/// The answer to `DOMSnapshot.captureSnapshot`. Texts are indices of `strings`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Snapshot {
    documents: Vec<Document>,
    strings: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Document {
    frame_id: i64,
    scroll_offset_x: f64,
    scroll_offset_y: f64,
    content_width: f64,
    content_height: f64,
    nodes: Nodes,
    layout: Boxes,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Nodes {
    parent_index: Vec<i64>,
    node_name: Vec<i64>,
    backend_node_id: Vec<i64>,
    attributes: Vec<Vec<i64>>,
    content_document_index: Rare,
    is_clickable: Rare,
}

/// What few nodes have, by their indices.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Rare {
    index: Vec<i64>,
    value: Vec<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Boxes {
    node_index: Vec<i64>,
    styles: Vec<Vec<i64>>,
    bounds: Vec<Vec<f64>>,
    /// Left, top, width and height of the content and of what is seen of it, without borders, in pixels of the page.
    scroll_rects: Vec<Vec<f64>>,
    client_rects: Vec<Vec<f64>>,
}

/// What a page shows of one node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// The part of its box that is seen, in pixels of the screen; empty if none is.
    pub bounds: PxRect,
    /// The attribute `id`; empty if there is none.
    pub id: String,
    /// Whether it reacts to clicks.
    pub clickable: bool,
    /// Whether its content is larger than its box and can be scrolled.
    pub scrollable: bool,
    /// Whether it is a field that hides what is typed.
    pub password: bool,
}

/// What a page shows.
#[derive(Debug, Default)]
pub(super) struct ShownPage {
    /// The nodes that have a box, by their ids.
    pub nodes: BTreeMap<i64, Shown>,
    /// The documents that frames show, by the id of the frame's node.
    pub frames: BTreeMap<i64, usize>,
    /// What is seen of the web view.
    pub seen: PxRect,
    /// Whether the page is longer than the web view.
    pub scrollable: bool,
}

/// A rectangle in pixels of the snapshot, counted from the corner of what is seen of the page.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn of(numbers: &[f64], (x, y): (f64, f64)) -> Option<Area> {
        let &[left, top, width, height] = numbers else { return None };
        let (left, top) = (left + x, top + y);
        let area = Area { left, top, right: left + width, bottom: top + height };
        let finite = [left, top, area.right, area.bottom].iter().all(|edge| edge.is_finite());
        (finite && width >= 0.0 && height >= 0.0).then_some(area)
    }

    fn within(self, around: Area) -> Area {
        Area {
            left: self.left.max(around.left),
            top: self.top.max(around.top),
            right: self.right.min(around.right),
            bottom: self.bottom.min(around.bottom),
        }
    }
}

/// Where a document begins, and what is seen of it.
#[derive(Clone, Copy)]
struct Frame {
    origin: (f64, f64),
    seen: Area,
}

/// How pixels of the snapshot become those of the screen.
struct Scale {
    /// Pixels of the snapshot for one of the page.
    unit: f64,
    /// Pixels of the screen for one of the snapshot.
    factor: f64,
    view: PxRect,
    /// What is seen of the web view.
    seen: PxRect,
}

impl Scale {
    fn on_screen(&self, area: Area) -> PxRect {
        // A float that is too large for a number becomes the largest one.
        let edge = |from: i32, at: f64| from.saturating_add((at * self.factor).round() as i32);
        let (left, top) = (edge(self.view.left, area.left), edge(self.view.top, area.top));
        let (right, bottom) = (edge(self.view.left, area.right), edge(self.view.top, area.bottom));
        PxRect::new(left, top, right, bottom).intersect(&self.seen)
    }
}

impl Snapshot {
    /// The ids of the frames in the snapshot, the page itself first.
    pub fn frames(&self) -> impl Iterator<Item = &str> {
        self.documents.iter().map(|document| self.text(document.frame_id).unwrap_or_default())
    }

    /// What the page shows in a web view that lies at `view` on the screen and of which `seen` is visible. `None` if sizes
    /// are missing or make no sense.
    pub fn shown(&self, metrics: &Metrics, view: PxRect, seen: PxRect) -> Option<ShownPage> {
        let page = self.documents.first()?;
        // Snapshots are in device pixels, as the zoom of the page changes them; in old versions in pixels of the page.
        let unit = page.content_width / metrics.css_content_size.unwrap_or(metrics.content_size).width;
        let viewport = metrics.css_visual_viewport.unwrap_or(metrics.visual_viewport);
        let (width, height) = (viewport.client_width * unit, viewport.client_height * unit);
        let factor = f64::from(view.width()) / width;
        if !SCALES.contains(&unit) || !SCALES.contains(&factor) {
            return None;
        }
        let scale = Scale { unit, factor, view, seen };
        let whole = Area::of(&[0.0, 0.0, width, height], (0.0, 0.0))?;
        let origin = (-viewport.page_x * unit, -viewport.page_y * unit);
        let mut frames = BTreeMap::from([(0, Frame { origin, seen: whole })]);
        let scrollable = page.content_height > height + 1.0;
        let mut shown = ShownPage { seen, scrollable, ..ShownPage::default() };
        for (at, document) in self.documents.iter().enumerate() {
            // Documents come before those in their frames.
            let Some(frame) = frames.get(&at).copied() else { continue };
            let mut reader = DocumentReader::new(self, document, frame, &scale);
            for at in 0..document.layout.node_index.len() {
                reader.read(at, &mut shown.nodes);
            }
            for (owner, inner, frame) in reader.frames {
                frames.entry(inner).or_insert(frame);
                shown.frames.insert(owner, inner);
            }
        }
        Some(shown)
    }

    fn text(&self, index: i64) -> Option<&str> {
        self.strings.get(usize::try_from(index).ok()?).map(String::as_str)
    }
}

/// Reads the boxes of one document.
struct DocumentReader<'s> {
    snapshot: &'s Snapshot,
    nodes: &'s Nodes,
    boxes: &'s Boxes,
    frame: Frame,
    scale: &'s Scale,
    clickable: BTreeSet<i64>,
    documents: BTreeMap<i64, i64>,
    /// What is seen of the content of each node that has a box.
    within: BTreeMap<usize, Area>,
    /// The documents in its frames, by index, with the ids of the frames' nodes.
    frames: Vec<(i64, usize, Frame)>,
}

impl<'s> DocumentReader<'s> {
    fn new(snapshot: &'s Snapshot, document: &'s Document, frame: Frame, scale: &'s Scale) -> Self {
        let Document { nodes, layout: boxes, .. } = document;
        let clickable = nodes.is_clickable.index.iter().copied().collect();
        let inner = &nodes.content_document_index;
        let documents = inner.index.iter().copied().zip(inner.value.iter().copied()).collect();
        let (within, frames) = Default::default();
        DocumentReader { snapshot, nodes, boxes, frame, scale, clickable, documents, within, frames }
    }

    /// Reads the box at this index.
    fn read(&mut self, at: usize, shown: &mut BTreeMap<i64, Shown>) {
        let Some(&index) = self.boxes.node_index.get(at) else { return };
        let Ok(node) = usize::try_from(index) else { return };
        let Some(area) = self.boxes.bounds.get(at).and_then(|box_| Area::of(box_, self.frame.origin)) else {
            return;
        };
        let [across, down, position] = [0, 1, 2].map(|style| self.style(at, style));
        let around = if position == "fixed" { self.frame.seen } else { self.around(node) };
        // The box of a document has its size and not its place.
        let seen = if self.name(node) == "#document" { around } else { area.within(around) };
        // What overflows these two is scrolled by the document itself.
        let root = ["HTML", "BODY", "#document"].contains(&self.name(node));
        let cuts = !root && [across, down].iter().any(|overflow| CUTTING.contains(overflow));
        self.within.insert(node, if cuts { seen } else { around });
        let scrolls = |overflow: &str, side: usize| SCROLLING.contains(&overflow) && self.is_longer(at, side);
        if let Some(id) = self.nodes.backend_node_id.get(node) {
            let kind = self.attribute(node, "type").unwrap_or_default();
            shown.entry(*id).or_insert_with(|| Shown {
                bounds: self.scale.on_screen(seen),
                id: self.attribute(node, "id").unwrap_or_default().to_owned(),
                clickable: !root && self.clickable.contains(&index),
                scrollable: !root && (scrolls(across, 2) || scrolls(down, 3)),
                password: kind.eq_ignore_ascii_case("password"),
            });
            self.read_frame((at, index, *id), area, seen);
        }
    }

    /// Notes where the document is that a frame shows.
    fn read_frame(&mut self, (at, index, id): (usize, i64, i64), area: Area, seen: Area) {
        let inner = self.documents.get(&index).and_then(|inner| usize::try_from(*inner).ok());
        let Some((inner, document)) =
            inner.and_then(|inner| Some((inner, self.snapshot.documents.get(inner)?)))
        else {
            return;
        };
        let border = |side: usize| {
            self.boxes
                .client_rects
                .get(at)
                .and_then(|rect| rect.get(side))
                .map_or(0.0, |css| css * self.scale.unit)
        };
        let origin = (
            area.left + border(0) - document.scroll_offset_x,
            area.top + border(1) - document.scroll_offset_y,
        );
        self.frames.push((id, inner, Frame { origin, seen }));
    }

    /// What is seen of the content of the nearest ancestor that has a box.
    fn around(&self, mut node: usize) -> Area {
        for _ in 0..MOST_WITHOUT_BOX {
            let parent = self.nodes.parent_index.get(node).and_then(|parent| usize::try_from(*parent).ok());
            let Some(parent) = parent else { break };
            if let Some(area) = self.within.get(&parent) {
                return *area;
            }
            node = parent;
        }
        self.frame.seen
    }

    fn is_longer(&self, at: usize, side: usize) -> bool {
        let of = |rects: &Vec<Vec<f64>>| rects.get(at).and_then(|rect| rect.get(side)).copied();
        let lengths = of(&self.boxes.scroll_rects).zip(of(&self.boxes.client_rects));
        lengths.is_some_and(|(content, shown)| content > shown + 1.0)
    }

    fn style(&self, at: usize, style: usize) -> &'s str {
        let text = self.boxes.styles.get(at).and_then(|styles| styles.get(style));
        text.and_then(|text| self.snapshot.text(*text)).unwrap_or_default()
    }

    fn name(&self, node: usize) -> &'s str {
        let name = self.nodes.node_name.get(node);
        name.and_then(|name| self.snapshot.text(*name)).unwrap_or_default()
    }

    fn attribute(&self, node: usize, name: &str) -> Option<&'s str> {
        let pairs = self.nodes.attributes.get(node)?.as_chunks::<2>().0;
        let [_, value] = pairs.iter().find(|[key, _]| self.snapshot.text(*key) == Some(name))?;
        self.snapshot.text(*value)
    }
}
