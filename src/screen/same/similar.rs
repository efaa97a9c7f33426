//! When two layouts show the same page, and which widget of another layout corresponds to a given one
//! (`engine/genie/paper.md`, section 8).

use std::collections::{BTreeMap, BTreeSet};

use crate::determinism::HashBuffer;
use crate::{
    LabelBasis, Layout, LayoutKey, TEXT_LIMIT, Widget, WidgetFlags, WidgetIdx, content_hash, drawer_open,
    property_key, subtree_hashes,
};

/// Whether two layouts show the same page: they have the same activity, both or none is a dialog, both or none has an
/// open drawer, and the classes at their top level are the same. Where the tree has no ids, what can be acted on is the
/// same, too, since one activity may show all pages.
pub fn similar_layouts(one: &Layout, other: &Layout) -> bool {
    one.activity() == other.activity()
        && is_dialog(one) == is_dialog(other)
        && drawer_open(one) == drawer_open(other)
        && top_level(one) == top_level(other)
        && marks(one) == marks(other)
}

/// What a page is known by whose activity and classes do not tell it.
fn marks(layout: &Layout) -> BTreeSet<String> {
    if layout.has_ids() { BTreeSet::new() } else { layout.page_marks() }
}

/// Hash of what [`similar_layouts`] compares: equal for layouts of the same page.
pub fn page_key(layout: &Layout) -> LayoutKey {
    let mut hasher = HashBuffer::default();
    hasher.text(layout.activity());
    hasher.u64(u64::from(is_dialog(layout)) << 1 | u64::from(drawer_open(layout)));
    for class in top_level(layout) {
        hasher.text(class);
    }
    for mark in marks(layout) {
        hasher.text(&mark);
    }
    LayoutKey(hasher.finish())
}

/// Whether the first window of the layout is both narrower and lower than the screen.
pub fn is_dialog(layout: &Layout) -> bool {
    layout.roots().next().is_some_and(|root| {
        let (bounds, screen) = (layout.widget(root).bounds, layout.screen());
        bounds.width() < screen.width && bounds.height() < screen.height
    })
}

/// Returns the classes at the top level. Starting at the roots, the search descends into an only child that is not
/// actionable itself, and from several children into the first visible one that contains something actionable, unless a
/// visible one is actionable itself.
pub fn top_level(layout: &Layout) -> Vec<&str> {
    let usable = holds_actionable(layout);
    let mut children: Vec<WidgetIdx> = layout.roots().collect();
    loop {
        let next = match children.as_slice() {
            [] => None,
            [only] => Some(*only).filter(|only| !layout.widget(*only).is_actionable()),
            several => {
                let shown = |idx: &&WidgetIdx| {
                    usable[idx.index()] && !layout.widget(**idx).flags.has(WidgetFlags::INVISIBLE)
                };
                let mut visible = several.iter().filter(shown);
                let own = visible.clone().any(|idx| layout.widget(*idx).is_actionable());
                visible.next().copied().filter(|_| !own)
            }
        };
        match next {
            Some(inner) => children = layout.children(inner).collect(),
            None => return children.into_iter().map(|idx| &*layout.widget(idx).class).collect(),
        }
    }
}

/// Returns the widget of the page's headline, such as the title in a toolbar: the first one with a text that is not a
/// text field and neither actionable nor inside something actionable. This excludes what is inside scrollable widgets,
/// as that is content.
pub fn headline(layout: &Layout) -> Option<WidgetIdx> {
    let says = |(idx, widget): &(WidgetIdx, &Widget)| {
        let around = || std::iter::once(*idx).chain(layout.ancestors(*idx));
        !widget.text.is_empty()
            && !widget.is_text_field()
            && !around().any(|idx| layout.widget(idx).is_actionable())
    };
    layout.iter().find(says).map(|(idx, _)| idx)
}

/// Hash of the input that is pending on a page: the fields with their texts, what is checked or selected, and the text
/// of the [`headline`]. A detour may begin and end at layouts with the same hash.
pub fn input_state(layout: &Layout) -> LayoutKey {
    const STATES: [WidgetFlags; 2] = [WidgetFlags::CHECKED, WidgetFlags::SELECTED];
    let mut hasher = HashBuffer::default();
    for (_, widget) in layout.iter() {
        let states = STATES.map(|state| widget.flags.has(state));
        if widget.is_text_field() || states.contains(&true) {
            hasher.text(widget.resource_id.as_deref().unwrap_or(""));
            hasher.text(&widget.text);
            states.iter().for_each(|state| hasher.u64(u64::from(*state)));
        }
    }
    hasher.text(headline(layout).map_or("", |idx| &layout.widget(idx).text));
    LayoutKey(hasher.finish())
}

/// For each widget, whether it or one of its descendants is actionable.
pub fn holds_actionable(layout: &Layout) -> Vec<bool> {
    let mut holds = vec![false; layout.widgets().len()];
    for (idx, widget) in layout.iter().rev() {
        holds[idx.index()] |= widget.is_actionable();
        if let Some(parent) = widget.parent.filter(|_| holds[idx.index()]) {
            holds[parent.index()] = true;
        }
    }
    holds
}

/// A widget of another layout that may correspond to a given widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimilarWidget {
    /// The widget on the other layout.
    pub widget: WidgetIdx,
    /// Whether its subtree is the same and it has the same index among its siblings.
    pub exact: bool,
    /// Whether its content is the same; otherwise only its kind is, see [`property_key`].
    pub content: bool,
}

/// Returns the actionable widgets of `other` that may correspond to `widget` of `layout`, the likeliest first: those
/// with the same content or, if there are none, those of the same kind.
pub fn relocate(layout: &Layout, widget: WidgetIdx, other: &Layout, basis: LabelBasis) -> Vec<SimilarWidget> {
    let actionable = other.iter().filter(|(_, widget)| widget.is_actionable());
    let candidates: Vec<WidgetIdx> = actionable.map(|(idx, _)| idx).collect();
    let (labels, other_labels) = (basis.text_labels(layout), basis.text_labels(other));
    let content = content_hash(layout, &labels, widget);
    let same_content = |idx: &WidgetIdx| {
        other_labels[idx.index()] == labels[widget.index()]
            && content_hash(other, &other_labels, *idx) == content
    };
    let mut found: Vec<WidgetIdx> = candidates.iter().copied().filter(same_content).collect();
    let by_content = !found.is_empty();
    if !by_content {
        let kind = property_key(layout.widget(widget));
        found = candidates.into_iter().filter(|idx| property_key(other.widget(*idx)) == kind).collect();
    }
    let tree = subtree_hashes(layout, &labels)[widget.index()];
    let other_trees = subtree_hashes(other, &other_labels);
    let (places, other_places) = (layout.sibling_places(), other.sibling_places());
    let place = places[widget.index()];
    let mut text = None;
    let mut ranked: Vec<(u8, f64, SimilarWidget)> = Vec::with_capacity(found.len());
    for idx in &found {
        let same = other_trees[idx.index()] == tree;
        let exact = same && other_places[idx.index()] == place;
        // A single candidate needs no ranking.
        let likeness = if same || found.len() == 1 {
            1.0
        } else {
            let text = text.get_or_insert_with(|| subtree_text(layout, widget, basis));
            ratio(text, &subtree_text(other, *idx, basis))
        };
        let rank = if exact { 0 } else { 1 + u8::from(!same) };
        ranked.push((rank, likeness, SimilarWidget { widget: *idx, exact, content: by_content }));
    }
    ranked.sort_by(|one, other| one.0.cmp(&other.0).then(other.1.total_cmp(&one.1)));
    ranked.into_iter().map(|(_, _, similar)| similar).collect()
}

/// Writes a widget's subtree as text with braces, for [`ratio`].
fn subtree_text(layout: &Layout, idx: WidgetIdx, basis: LabelBasis) -> String {
    let mut text = String::new();
    add_subtree_text(layout, idx, basis, &mut text);
    text
}

fn add_subtree_text(layout: &Layout, idx: WidgetIdx, basis: LabelBasis, text: &mut String) {
    let widget: &Widget = layout.widget(idx);
    let shown = if widget.text.chars().nth(TEXT_LIMIT).is_none() { &*widget.text } else { "" };
    let id = widget.resource_id.as_deref().unwrap_or("");
    let description = if basis.descriptions { &*widget.content_desc } else { "" };
    text.push('{');
    for (name, part) in [
        ("[class]", &*widget.class),
        ("[resource_id]", id),
        ("[content_desc]", description),
        ("[text]", shown),
    ] {
        text.push_str(name);
        text.push_str(if part.is_empty() { "None" } else { part });
    }
    for child in layout.children(idx) {
        add_subtree_text(layout, child, basis, text);
    }
    text.push('}');
}

/// Returns how alike two texts are, from 0 to 1: (|a| + |b| - d) / (|a| + |b|), where d is the least number of
/// insertions and deletions between them; 1 for two empty texts. For texts too long for this, common characters count
/// in any order, so the result is never too small.
pub fn ratio(one: &str, other: &str) -> f64 {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let total = one.len() + other.len();
    if total == 0 { 1.0 } else { (2 * common_characters(&one, &other)) as f64 / total as f64 }
}

/// Largest number of 64-bit words that are computed for two texts: enough for 50,000 characters each.
const MOST_CELLS: usize = 1 << 26;

/// Upper bound of the length of a longest common subsequence.
fn common_in_any_order(one: &[char], other: &[char]) -> usize {
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for character in one {
        *counts.entry(*character).or_default() += 1;
    }
    let take = |character: &&char| match counts.get_mut(character) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        Some(_) | None => false,
    };
    other.iter().filter(take).count()
}

/// Returns the length of a longest common subsequence, computed 64 cells at once (Hyyrö 2004): a clear bit of a row
/// marks a cell at which the length grows. Returns an upper bound if the texts are too long.
fn common_characters(one: &[char], other: &[char]) -> usize {
    let words = one.len().div_ceil(64);
    let mut alphabet: Vec<char> = one.to_vec();
    alphabet.sort_unstable();
    alphabet.dedup();
    if words * other.len() > MOST_CELLS || words * alphabet.len() > MOST_CELLS / 16 {
        return common_in_any_order(one, other);
    }
    let mut places = vec![0u64; alphabet.len() * words];
    for (at, character) in one.iter().enumerate() {
        if let Ok(letter) = alphabet.binary_search(character) {
            places[letter * words + at / 64] |= 1 << (at % 64);
        }
    }
    let mut row = vec![u64::MAX; words];
    for character in other {
        let Ok(letter) = alphabet.binary_search(character) else { continue };
        let mut carry = false;
        for (word, place) in row.iter_mut().zip(&places[letter * words..]) {
            let matched = *word & place;
            let (sum, over) = word.overflowing_add(matched);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            carry = over | again;
            *word = sum | (*word & !place);
        }
    }
    let cells = one.len();
    let clear = |(at, word): (usize, &u64)| {
        let used = (cells - at * 64).min(64);
        let mask = if used == 64 { u64::MAX } else { (1 << used) - 1 };
        (!word & mask).count_ones() as usize
    };
    row.iter().enumerate().map(clear).sum()
}

/// Returns how alike two layouts are in their widgets: the Dice coefficient of the multisets of (class, id), in parts
/// per thousand; 1000 for two empty layouts.
pub fn dice_permille(one: &Layout, other: &Layout) -> u32 {
    let types = |layout: &'_ Layout| -> Vec<(crate::Text, Option<crate::Text>)> {
        let mut types: Vec<_> = layout
            .widgets()
            .iter()
            .map(|widget| (widget.class.clone(), widget.resource_id.clone()))
            .collect();
        types.sort_unstable();
        types
    };
    let (one, other) = (types(one), types(other));
    let (mut left, mut right, mut common) = (0, 0, 0usize);
    while let (Some(a), Some(b)) = (one.get(left), other.get(right)) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => left += 1,
            std::cmp::Ordering::Greater => right += 1,
            std::cmp::Ordering::Equal => (left, right, common) = (left + 1, right + 1, common + 1),
        }
    }
    let total = one.len() + other.len();
    (2000 * common).checked_div(total).map_or(1000, |permille| permille as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout_from;

    #[test]
    fn ratios_of_the_reference() {
        assert_eq!(ratio("kitten", "sitting"), 8.0 / 13.0);
        assert_eq!(ratio("abc", "abd"), 2.0 / 3.0);
        assert_eq!((ratio("", ""), ratio("abc", ""), ratio("same", "same")), (1.0, 0.0, 1.0));
        let long: String = ('a'..='z').cycle().take(300).collect();
        assert_eq!(ratio(&long, &long[..150]), 300.0 / 450.0, "more than one word of bits");
        let huge = "ab".repeat(60_000);
        assert_eq!((ratio(&huge, &huge), ratio(&huge, "xy")), (1.0, 0.0));
        assert_eq!(ratio(&huge, &"ba".repeat(60_000)), 1.0, "too long for the order to count");
    }

    #[test]
    fn dice_of_the_reference() {
        let (four, three) =
            ("FrameLayout\n  ListView\n  TextView\n  TextView\n", "FrameLayout\n  ListView\n  TextView\n");
        let dice = |one: &str, other: &str| dice_permille(&layout_from(one), &layout_from(other));
        assert_eq!(dice(four, three), 857, "6/7");
        assert_eq!(dice(four, "FrameLayout\n  Button\n  CheckBox\n"), 285, "2/7");
    }

    fn similar(one: &str, other: &str) -> bool {
        similar_layouts(&layout_from(one), &layout_from(other))
    }

    #[test]
    fn a_page_is_told_by_its_top_level() {
        let page = "FrameLayout\n  LinearLayout\n    Toolbar\n      Button\n    ListView\n      Button\n";
        let rows = "FrameLayout\n  LinearLayout\n    Toolbar\n      Button\n    ListView\n      Button\n      Button\n";
        assert!(similar(page, rows), "down into the first that holds something to use");
        let actions =
            "FrameLayout\n  LinearLayout\n    Toolbar\n      Button\n      ImageButton\n    ListView\n";
        assert!(!similar(page, actions));
        assert!(!similar_layouts(
            &layout_from(page),
            &layout_from(page).with_activity("org.ex/.Other".into())
        ));
        let dialog = layout_from(page).with_screen(crate::PxSize { width: 2000, height: 3000 });
        assert!(is_dialog(&dialog) && !similar_layouts(&layout_from(page), &dialog));
    }

    #[test]
    fn a_widget_is_found_again_by_content_then_by_kind() {
        let basis = LabelBasis::default();
        let before = layout_from("ListView\n  Button#row \"a\"\n  Button#row \"b\"\n  Button#row \"b\"\n");
        let after = layout_from("ListView\n  Button#row \"b\"\n  Button#row \"c\"\n  Button#row \"b\"\n");
        let found = |widget: u32| relocate(&before, WidgetIdx(widget), &after, basis);
        let places = |widget: u32| found(widget).iter().map(|it| it.widget.0).collect::<Vec<_>>();
        assert_eq!(places(3), [3, 1], "the same place is exact and goes first");
        assert!(found(3)[0].exact && !found(3)[1].exact && found(3)[1].content);
        assert_eq!(places(2), [1, 3], "none at its place: document order");
        assert_eq!(places(1), [1, 2, 3], "no such text: all of the kind, equally like");
        assert!(found(1).iter().all(|it| !it.content && !it.exact));
    }
}
