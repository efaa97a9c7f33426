//! The fingerprint of a behaviour (`engine/odin/paper.md`, section 9): the canonical edit script from the layout before
//! to the layout after, without positions, so that the same change in a longer list is the same change. The script is
//! hashed rather than its length: adding a row and removing a row have the same length.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::abstraction::AbstractTree;
use super::{KnownLayout, Past, Rules, VolatileViews};
use crate::oracle::layout_effects::{EditOp, EditTree, TieOrder, TreeEditor};
use taproof_screen::determinism::HashBuffer;
use taproof_screen::{Layout, Text, WidgetIdx};

/// Maximum number of texts that an event contributes. A row has fewer; the number is limited because each widget's text
/// is searched for among them.
const MOST_BROUGHT: usize = 500;

/// One execution of an event: the layout on which it was performed, and its outcome.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// Number of the input that it continues. Behaviours of several receivers of one event continue the same input.
    pub input: usize,
    /// The layout on which the event was performed.
    pub before: Arc<KnownLayout>,
    /// The widget that received it; `None` for a key.
    pub receiver: Option<WidgetIdx>,
    /// The text that it typed; `None` if it typed none.
    pub typed: Option<Text>,
    /// The outcome of the event.
    pub after: Outcome,
    /// What was done and seen before.
    pub history: Past,
}

/// The outcome of an event. `L` is a layout, or an id that stands for one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome<L = Arc<KnownLayout>> {
    /// The app shows this layout.
    Shows(L),
    /// The app died or does not respond; the signature of the crash.
    Died(Text),
    /// Something else is in the foreground; its activity.
    Left(Text),
}

impl<L> Outcome<L> {
    /// The same outcome with another type for the layout.
    pub fn map<M>(self, layout: impl FnOnce(L) -> M) -> Outcome<M> {
        match self {
            Outcome::Shows(shown) => Outcome::Shows(layout(shown)),
            Outcome::Died(signature) => Outcome::Died(signature),
            Outcome::Left(activity) => Outcome::Left(activity),
        }
    }
}

/// What is compared, and how closely.
#[derive(Clone, Copy, Debug)]
pub struct Lens<'a> {
    /// The active abstraction rules.
    pub rules: Rules,
    /// Views whose texts change by themselves.
    pub volatile: &'a VolatileViews,
    /// Texts that the event itself contributed. They are represented by their positions, so that they are equal in
    /// every behaviour.
    pub brought: &'a [Text],
}

impl Lens<'_> {
    /// Adds a text; one that the event contributed is represented by its position among these.
    pub(super) fn add_text(&self, text: &str, hasher: &mut HashBuffer) {
        match self.brought.iter().position(|known| &**known == text) {
            Some(place) if !text.is_empty() => hasher.u64(u64::MAX - place as u64),
            Some(_) | None => hasher.text(text),
        }
    }
}

/// A hash of what a behaviour changes in the layout, without positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Fingerprint(pub u64);

/// What a behaviour changes in the layout.
#[derive(Clone, Debug)]
pub(super) enum LayoutChange {
    Script {
        before: Arc<KnownLayout>,
        after: Arc<KnownLayout>,
        trees: (AbstractTree, AbstractTree),
        operations: Vec<Operation>,
    },
    Replaced {
        after: Arc<KnownLayout>,
        page: AbstractTree,
    },
    Died(Text),
    Left(Text),
}

/// One edit: its widgets, and the hash of its kind, labels and path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    pub(super) from: Option<WidgetIdx>,
    pub(super) to: Option<WidgetIdx>,
    pub(super) hash: u64,
}

impl LayoutChange {
    pub(super) fn of(behaviour: &Behaviour, lens: &Lens<'_>, editor: &mut TreeEditor) -> Self {
        let after = match &behaviour.after {
            Outcome::Shows(after) => after,
            Outcome::Died(signature) => return LayoutChange::Died(Text::clone(signature)),
            Outcome::Left(activity) => return LayoutChange::Left(Text::clone(activity)),
        };
        let before = &behaviour.before;
        let new = AbstractTree::of(after, lens);
        if before.layout.activity() == after.layout.activity() {
            let old = AbstractTree::of(before, lens);
            if let Some(operations) = operations(&old, &new, editor) {
                let (before, after) = (Arc::clone(before), Arc::clone(after));
                return LayoutChange::Script { before, after, trees: (old, new), operations };
            }
        }
        LayoutChange::Replaced { after: Arc::clone(after), page: new }
    }

    pub(super) fn fingerprint(&self, behaviour: &Behaviour) -> Fingerprint {
        let mut hasher = HashBuffer::default();
        hasher.text(behaviour.before.layout.activity());
        match self {
            LayoutChange::Script { after, operations, .. } => {
                hasher.u64(1);
                hasher.text(after.layout.activity());
                operations.iter().for_each(|operation| hasher.u64(operation.hash));
            }
            LayoutChange::Replaced { after, page } => {
                hasher.u64(2);
                hasher.text(after.layout.activity());
                let mut labels: Vec<u64> = page.nodes.iter().map(|node| node.label).collect();
                labels.sort_unstable();
                labels.iter().for_each(|label| hasher.u64(*label));
            }
            LayoutChange::Died(signature) => {
                hasher.u64(3);
                hasher.text(signature);
            }
            LayoutChange::Left(activity) => {
                hasher.u64(4);
                hasher.text(activity);
            }
        }
        Fingerprint(hasher.finish())
    }
}

/// What a behaviour changes, without which widget became which, since several minimal scripts may describe the same
/// change differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Balance {
    /// Hash of the labels of which there are more afterwards, and of those of which there are fewer.
    difference: u64,
    /// Hash of all labels afterwards.
    after: u64,
}

impl Balance {
    pub(super) fn of(behaviour: &Behaviour, lens: &Lens<'_>) -> Option<Self> {
        let Outcome::Shows(after) = &behaviour.after else { return None };
        let labels = |known: &KnownLayout| {
            let tree = AbstractTree::of(known, lens);
            let mut labels: Vec<u64> =
                (0..tree.nodes.len()).map(|place| tree.label_in_context(place)).collect();
            labels.sort_unstable();
            labels
        };
        let (before, after) = (labels(&behaviour.before), labels(after));
        let (mut hasher, mut left) = (HashBuffer::default(), before.iter().peekable());
        for label in &after {
            while let Some(gone) = left.next_if(|old| *old < label) {
                hasher.u64(0);
                hasher.u64(*gone);
            }
            if left.next_if_eq(&label).is_none() {
                hasher.u64(1);
                hasher.u64(*label);
            }
        }
        left.for_each(|gone| {
            hasher.u64(0);
            hasher.u64(*gone);
        });
        let difference = hasher.finish();
        hasher.clear();
        after.iter().for_each(|label| hasher.u64(*label));
        Some(Balance { difference, after: hasher.finish() })
    }

    /// Whether both changed the same, however their edit scripts describe it.
    pub(super) fn agrees(&self, other: &Balance) -> bool {
        self.difference == other.difference || self.after == other.after
    }
}

/// The edits, sorted. `None` if the page is another one, since the script would be large and have many ties. Layouts
/// that are too large and too different to compare count as another page, which is identified by its content.
fn operations(old: &AbstractTree, new: &AbstractTree, editor: &mut TreeEditor) -> Option<Vec<Operation>> {
    let same = |(one, other): (&super::abstraction::AbstractNode, &super::abstraction::AbstractNode)| {
        one.label == other.label && one.parent == other.parent
    };
    if old.nodes.len() == new.nodes.len() && old.nodes.iter().zip(&new.nodes).all(same) {
        return Some(Vec::new());
    }
    let (before, after) = (edit_tree(old), edit_tree(new));
    let mut edit = editor.compare(&before, &after)?;
    if 2 * edit.distance() as usize > old.nodes.len() + new.nodes.len() {
        return None;
    }
    let script = edit.script(TieOrder::CANONICAL);
    let mut operations: Vec<Operation> =
        script.into_iter().filter_map(|op| operation(op, old, new)).collect();
    operations.sort_by_key(|operation| operation.hash);
    Some(operations)
}

fn edit_tree(tree: &AbstractTree) -> EditTree {
    EditTree::from_nodes(tree.nodes.iter().map(|node| (node.widget, node.end, node.label)))
}

fn operation(op: EditOp, old: &AbstractTree, new: &AbstractTree) -> Option<Operation> {
    let (from, to) = match op {
        EditOp::Match(..) => return None,
        EditOp::Change(from, to) => (Some(from), Some(to)),
        EditOp::Delete(from) => (Some(from), None),
        EditOp::Insert(to) => (None, Some(to)),
    };
    let label = |tree: &AbstractTree, widget: Option<WidgetIdx>| {
        widget.and_then(|widget| tree.place_of(widget)).map_or(0, |place| tree.label_in_context(place))
    };
    let path = match from {
        Some(from) => old.path(old.place_of(from)?),
        None => new.path(new.place_of(to?)?),
    };
    let mut hasher = HashBuffer::default();
    hasher.u64(u64::from(from.is_some()) << 1 | u64::from(to.is_some()));
    hasher.u64(label(old, from));
    hasher.u64(label(new, to));
    hasher.u64(path);
    Some(Operation { from, to, hash: hasher.finish() })
}

/// The texts that an event contributes: what it types, and the texts of its receiver's row, or of the receiver itself
/// if it is in no row. This makes behaviours of one event on different rows equal.
pub(super) fn brought_texts(behaviour: &Behaviour) -> Vec<Text> {
    let typed = behaviour.typed.iter().cloned();
    let shown = behaviour.receiver.map_or_else(Vec::new, |idx| receiver_texts(&behaviour.before.layout, idx));
    typed.chain(shown).collect()
}

/// The texts and descriptions in the row of a receiver or, without a row, in the receiver itself, each once, and at
/// most `MOST_BROUGHT` of them.
pub fn receiver_texts(layout: &Layout, receiver: WidgetIdx) -> Vec<Text> {
    let mut texts: Vec<Text> = Vec::new();
    if layout.get(receiver).is_none() {
        return texts;
    }
    for idx in layout.subtree(layout.row_of(receiver).unwrap_or(receiver)) {
        let widget = layout.widget(idx);
        for text in [&widget.text, &widget.content_desc] {
            if texts.len() < MOST_BROUGHT && !text.is_empty() && !texts.contains(text) {
                texts.push(Text::clone(text));
            }
        }
    }
    texts
}
