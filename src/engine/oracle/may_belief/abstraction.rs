//! A layout under the abstraction rules (`engine/odin/paper.md`, section 8). A set of rules has one meaning, whatever
//! the order in which they were chosen: R2, then R1, then R3.

use std::collections::BTreeSet;
use taproof_screen::words;

use serde::{Deserialize, Serialize};

use super::{KnownLayout, Lens};
use taproof_screen::determinism::HashBuffer;
use taproof_screen::{Layout, WidgetFlags, WidgetIdx};

/// Maximum number of widgets with words that count as the row of a widget without words.
const MOST_WORDS_OF_A_ROW: usize = 6;

words! {
    /// One abstraction rule of the paper.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Rule {
        /// R1: texts, descriptions and states of widgets are dropped; types stay.
        Attributes = "R1 attributes",
        /// R2: widgets that receive no event are removed; their children move up.
        EventFree = "R2 event-free widgets",
        /// R3: of equal subtrees in one parent, only the first stays.
        Duplicates = "R3 duplicates",
    }
    /// The name of the rule in the paper, for people.
    pub fn name;
}

impl Rule {
    /// All rules. If two result in equally many clusters, the earlier one is chosen.
    pub const ALL: [Rule; 3] = [Rule::Duplicates, Rule::EventFree, Rule::Attributes];
}

/// A set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Rules {
    /// R1: texts, descriptions and states are dropped.
    pub attributes: bool,
    /// R2: widgets that receive no event are removed.
    pub event_free: bool,
    /// R3: of equal subtrees in one parent, only the first stays.
    pub duplicates: bool,
    /// Only which row of a list was acted on is told (`wrong_row`); the abstraction of layouts does not depend on it.
    #[serde(default)]
    pub rows: bool,
}

impl Rules {
    /// The empty set: nothing is ignored.
    pub const NONE: Rules = Rules { attributes: false, event_free: false, duplicates: false, rows: false };

    /// Whether the rule is in the set.
    pub fn has(self, rule: Rule) -> bool {
        match rule {
            Rule::Attributes => self.attributes,
            Rule::EventFree => self.event_free,
            Rule::Duplicates => self.duplicates,
        }
    }

    /// The set with one more rule.
    #[must_use]
    pub fn with(mut self, rule: Rule) -> Rules {
        match rule {
            Rule::Attributes => self.attributes = true,
            Rule::EventFree => self.event_free = true,
            Rule::Duplicates => self.duplicates = true,
        }
        self
    }
}

/// A layout under a set of rules: the remaining widgets in pre-order.
#[derive(Clone, Debug, Default)]
pub(super) struct AbstractTree {
    pub(super) nodes: Vec<AbstractNode>,
    /// Indices of the nodes with words, in order.
    speaking: Vec<usize>,
}

/// A widget that remains.
#[derive(Clone, Copy, Debug)]
pub(super) struct AbstractNode {
    pub(super) widget: WidgetIdx,
    /// The index after the widget's last descendant in the layout.
    pub(super) end: WidgetIdx,
    /// Index of the parent node; `None` for a root.
    pub(super) parent: Option<u32>,
    /// Hash of the type and the resource id.
    pub(super) kind: u64,
    /// Hash of the kind and the remaining attributes.
    pub(super) label: u64,
    /// Hash of text and description; `None` if none remain.
    pub(super) words: Option<u64>,
}

impl AbstractTree {
    pub(super) fn of(known: &KnownLayout, lens: &Lens<'_>) -> Self {
        let mut tree = AbstractTree::default();
        tree.keep(known, lens);
        if lens.rules.duplicates {
            tree.drop_duplicates();
        }
        let speaks = |(_, node): &(usize, &AbstractNode)| node.words.is_some();
        tree.speaking = tree.nodes.iter().enumerate().filter(speaks).map(|(place, _)| place).collect();
        tree
    }

    /// Applies R2 and R1.
    fn keep(&mut self, known: &KnownLayout, lens: &Lens<'_>) {
        let layout = &known.layout;
        let mut receivers = known.receivers.iter().peekable();
        let mut open: Vec<(WidgetIdx, u32)> = Vec::new();
        let mut hasher = HashBuffer::default();
        for (idx, widget) in layout.iter() {
            let receives = receivers.next_if(|receiver| **receiver == idx).is_some();
            if lens.rules.event_free && !receives && widget.parent.is_some() {
                continue;
            }
            while open.pop_if(|(end, _)| *end <= idx).is_some() {}
            let place = self.nodes.len() as u32;
            let end = layout.end(idx);
            let parent = open.last().map(|(_, place)| *place);
            let (kind, label, words) = label_of(layout, idx, lens, &mut hasher);
            self.nodes.push(AbstractNode { widget: idx, end, parent, kind, label, words });
            open.push((end, place));
        }
    }

    /// R3, bottom-up: in each parent, the first of each group of equal subtrees stays.
    fn drop_duplicates(&mut self) {
        let count = self.nodes.len();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
        for (place, node) in self.nodes.iter().enumerate() {
            children[node.parent.map_or(count, |parent| parent as usize)].push(place);
        }
        let mut hashes = vec![0; count + 1];
        let mut dropped = vec![false; count];
        let mut hasher = HashBuffer::default();
        // Children come after their parent. The index after the last node stands for the parent of the roots.
        for place in (0..count).rev().chain([count]) {
            let mut seen = BTreeSet::new();
            hasher.clear();
            hasher.u64(self.nodes.get(place).map_or(0, |node| node.label));
            for child in &children[place] {
                if seen.insert(hashes[*child]) {
                    hasher.u64(hashes[*child]);
                } else {
                    dropped[*child] = true;
                }
            }
            hashes[place] = hasher.finish();
        }
        let mut places = vec![None; count];
        let mut kept: Vec<AbstractNode> = Vec::with_capacity(count);
        for (place, node) in self.nodes.iter().enumerate() {
            let parent = match node.parent {
                Some(parent) => match places[parent as usize] {
                    Some(parent) => Some(parent),
                    None => continue,
                },
                None => None,
            };
            if !dropped[place] {
                places[place] = Some(kept.len() as u32);
                kept.push(AbstractNode { parent, ..*node });
            }
        }
        self.nodes = kept;
    }

    pub(super) fn place_of(&self, widget: WidgetIdx) -> Option<usize> {
        self.nodes.binary_search_by_key(&widget, |node| node.widget).ok()
    }

    /// The kinds from the root down to the parent of a node, as one hash.
    pub(super) fn path(&self, place: usize) -> u64 {
        let mut hasher = HashBuffer::default();
        let mut at = self.nodes[place].parent;
        while let Some(above) = at {
            hasher.u64(self.nodes[above as usize].kind);
            at = self.nodes[above as usize].parent;
        }
        hasher.finish()
    }

    /// The label of a node. For a node without words, with those of its context (`engine/odin/paper.md`, section 9).
    pub(super) fn label_in_context(&self, place: usize) -> u64 {
        let node = &self.nodes[place];
        if node.words.is_some() {
            return node.label;
        }
        let mut hasher = HashBuffer::default();
        hasher.u64(node.label);
        self.context(place)
            .iter()
            .filter_map(|around| self.nodes[*around].words)
            .for_each(|words| hasher.u64(words));
        hasher.finish()
    }

    /// The nodes with words that show where a node without words is: those inside it, or else those of its
    /// surroundings, which are the nearest ancestor with several children. Empty if that is more than a row, since the
    /// surroundings of a whole page do not locate a part of it.
    pub(super) fn context(&self, place: usize) -> Vec<usize> {
        let node = &self.nodes[place];
        if node.words.is_some() {
            return Vec::new();
        }
        let speaking = |place: usize| {
            let first = self.speaking.partition_point(|inner| *inner <= place);
            let behind = self.behind(place);
            let inside = self.speaking[first..].iter().take_while(move |inner| **inner < behind);
            inside.copied().take(MOST_WORDS_OF_A_ROW + 1)
        };
        let mut context: Vec<usize> = speaking(place).collect();
        let mut around = node.parent.filter(|_| context.is_empty());
        while let Some(above) = around {
            // A node after its first child that is still inside it is another child.
            if self.behind(above as usize + 1) < self.behind(above as usize) {
                context.extend(speaking(above as usize));
                break;
            }
            around = self.nodes[above as usize].parent;
        }
        if context.len() > MOST_WORDS_OF_A_ROW {
            context.clear();
        }
        context
    }

    /// The index after the last descendant of a node.
    fn behind(&self, place: usize) -> usize {
        let end = self.nodes[place].end;
        self.nodes.partition_point(|node| node.widget < end)
    }
}

/// Kind, label and words of a widget under R1.
fn label_of(
    layout: &Layout,
    idx: WidgetIdx,
    lens: &Lens<'_>,
    hasher: &mut HashBuffer,
) -> (u64, u64, Option<u64>) {
    const STATES: [WidgetFlags; 3] = [WidgetFlags::CHECKED, WidgetFlags::SELECTED, WidgetFlags::ENABLED];
    let widget = layout.widget(idx);
    hasher.clear();
    hasher.text(&widget.class);
    hasher.text(widget.resource_id.as_deref().unwrap_or(""));
    let kind = hasher.finish();
    if lens.rules.attributes {
        return (kind, kind, None);
    }
    for state in STATES {
        hasher.u64(u64::from(widget.flags.has(state)));
    }
    let silent = widget.text.is_empty() && widget.content_desc.is_empty();
    if silent || lens.volatile.masks(layout, idx) {
        return (kind, hasher.finish(), None);
    }
    lens.add_text(&widget.text, hasher);
    lens.add_text(&widget.content_desc, hasher);
    let label = hasher.finish();
    hasher.clear();
    lens.add_text(&widget.text, hasher);
    lens.add_text(&widget.content_desc, hasher);
    (kind, label, Some(hasher.finish()))
}
