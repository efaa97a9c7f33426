//! The fingerprint of a behaviour (odin.md 6): the canonical edit script from the layout before to the layout
//! after, without positions, so that the same change in a longer list is the same change. It is the script and
//! not the distance: a row added and a row removed cost the same.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::abstraction::AbstractTree;
use super::{KnownLayout, Rules, VolatileViews};
use crate::determinism::HashBuffer;
use crate::model::{EditOp, EditTree, Layout, Text, TieOrder, TreeEditor, WidgetIdx};

/// Texts that an event brings along: a row says fewer, and each widget's text is looked for among them.
const MOST_BROUGHT: usize = 500;

/// A layout pair: what an event was done to, and what came of it (odin.md 1).
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// The input that it continues: behaviours of several receivers of one event continue one input.
    pub input: usize,
    /// The layout that the event was done on.
    pub before: Arc<KnownLayout>,
    /// The widget that received it.
    pub receiver: Option<WidgetIdx>,
    /// The text that it entered.
    pub typed: Option<Text>,
    /// What came of it.
    pub after: Outcome,
    /// What was done and seen on the way there.
    pub way: Arc<Vec<u64>>,
}

/// What came of an event. `L` is a layout, or stands for one of a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Outcome<L = Arc<KnownLayout>> {
    /// The app shows this.
    Shows(L),
    /// The app died or does not answer; the crash's signature.
    Died(Text),
    /// Something else is in front: its activity.
    Left(Text),
}

impl<L> Outcome<L> {
    /// The same with the layout put another way.
    pub fn map<M>(self, layout: impl FnOnce(L) -> M) -> Outcome<M> {
        match self {
            Outcome::Shows(shown) => Outcome::Shows(layout(shown)),
            Outcome::Died(signature) => Outcome::Died(signature),
            Outcome::Left(activity) => Outcome::Left(activity),
        }
    }
}

/// What is looked at, and how closely.
#[derive(Clone, Copy, Debug)]
pub struct Lens<'a> {
    /// The abstraction rules.
    pub rules: Rules,
    /// Whether R1 leaves resource ids.
    pub r1_keeps_ids: bool,
    /// Views whose words change by themselves.
    pub volatile: &'a VolatileViews,
    /// Texts that the event itself brought: they stand for themselves in every behaviour.
    pub brought: &'a [Text],
}

impl Lens<'_> {
    /// Adds a text; one that the event brought counts by its place among these.
    pub(super) fn add_text(&self, text: &str, hasher: &mut HashBuffer) {
        match self.brought.iter().position(|known| &**known == text) {
            Some(place) if !text.is_empty() => hasher.u64(u64::MAX - place as u64),
            Some(_) | None => hasher.text(text),
        }
    }
}

/// What a behaviour does to the layout, as a hash without positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Fingerprint(pub u64);

/// What a behaviour does to the layout.
#[derive(Clone, Debug)]
pub(super) enum Change {
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

/// One edit: its widgets, and its hash by kind, labels and path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    pub(super) from: Option<WidgetIdx>,
    pub(super) to: Option<WidgetIdx>,
    pub(super) hash: u64,
}

impl Change {
    pub(super) fn of(behaviour: &Behaviour, lens: &Lens<'_>, editor: &mut TreeEditor) -> Self {
        let after = match &behaviour.after {
            Outcome::Shows(after) => after,
            Outcome::Died(signature) => return Change::Died(Text::clone(signature)),
            Outcome::Left(activity) => return Change::Left(Text::clone(activity)),
        };
        let before = &behaviour.before;
        let new = AbstractTree::of(after, lens);
        if before.layout.activity() == after.layout.activity() {
            let old = AbstractTree::of(before, lens);
            if let Some(operations) = operations(&old, &new, editor) {
                let (before, after) = (Arc::clone(before), Arc::clone(after));
                return Change::Script { before, after, trees: (old, new), operations };
            }
        }
        Change::Replaced { after: Arc::clone(after), page: new }
    }

    pub(super) fn fingerprint(&self, behaviour: &Behaviour) -> Fingerprint {
        let mut hasher = HashBuffer::default();
        hasher.text(behaviour.before.layout.activity());
        match self {
            Change::Script { after, operations, .. } => {
                hasher.u64(1);
                hasher.text(after.layout.activity());
                operations.iter().for_each(|operation| hasher.u64(operation.hash));
            }
            Change::Replaced { after, page } => {
                hasher.u64(2);
                hasher.text(after.layout.activity());
                let mut labels: Vec<u64> = page.nodes.iter().map(|node| node.label).collect();
                labels.sort_unstable();
                labels.iter().for_each(|label| hasher.u64(*label));
            }
            Change::Died(signature) => {
                hasher.u64(3);
                hasher.text(signature);
            }
            Change::Left(activity) => {
                hasher.u64(4);
                hasher.text(activity);
            }
        }
        Fingerprint(hasher.finish())
    }
}

/// What comes of a behaviour without saying which widget became which: of several minimal scripts each says it in
/// another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Balance {
    /// The labels that there are more of afterwards, and fewer.
    difference: u64,
    /// All labels afterwards.
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

    /// Whether the same came of both, said in one way or another.
    pub(super) fn agrees(&self, other: &Balance) -> bool {
        self.difference == other.difference || self.after == other.after
    }
}

/// The edits, sorted; `None` if the page is another one: the script would be large and its ties many. What is too large
/// and too different to compare counts as that, and is told by what it shows afterwards.
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

/// The texts that an event brings along: what it types, and what its receiver's row shows, or the receiver itself
/// where it stands in no row. Behaviours of one event on different rows are then the same behaviour.
pub(super) fn brought_texts(behaviour: &Behaviour) -> Vec<Text> {
    let typed = behaviour.typed.iter().cloned();
    let shown = behaviour.receiver.map_or_else(Vec::new, |idx| receiver_texts(&behaviour.before.layout, idx));
    typed.chain(shown).collect()
}

/// The texts and descriptions in the row of a receiver, or else in itself, each once; of more than `MOST_BROUGHT` the
/// first.
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
