//! The layout difference of a step as a tree: widgets that are new, gone, changed or wrong, with just enough unchanged
//! ones to locate them.

use std::collections::{BTreeMap, BTreeSet};

use crate::phone::flag_words;
use taproof_screen::{
    FailedCheck, Layout, Widget, WidgetChange, WidgetIdx, diff_layouts, one_line, widget_name,
};

/// How a widget differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffKind {
    /// Unchanged; shown to locate the others.
    Same,
    /// Only on the screen after the step.
    Added,
    /// Only on the screen before the step.
    Removed,
    /// On both screens, with different attributes.
    Changed,
    /// Expected after the step, but not there.
    Missing,
}

/// A row of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffRow {
    /// Depth in the tree, from 0.
    pub depth: usize,
    /// How the widget differs.
    pub kind: DiffKind,
    /// A description of the widget.
    pub name: String,
    /// The changes in words. Empty if the kind says it all.
    pub detail: String,
    /// Whether a failed condition refers to the widget.
    pub offending: bool,
    /// Whether the event was performed on the widget.
    pub touched: bool,
    /// The widget before the step, if it existed.
    pub before: Option<WidgetIdx>,
    /// The widget after the step, if it exists.
    pub after: Option<WidgetIdx>,
}

/// The difference between two layouts.
#[derive(Clone, Debug, Default)]
pub struct DiffTree {
    /// The rows from top to bottom.
    pub rows: Vec<DiffRow>,
    /// Whether the step led to another screen, so that individual differences mean little.
    pub another_screen: bool,
    /// The widget after the step that corresponds to each widget before it.
    pub became: BTreeMap<WidgetIdx, WidgetIdx>,
    /// The widget before the step that corresponds to each widget after it.
    pub was: BTreeMap<WidgetIdx, WidgetIdx>,
}

struct Merge<'a> {
    before: &'a Layout,
    after: &'a Layout,
    kinds: BTreeMap<WidgetIdx, DiffKind>,
    was: &'a BTreeMap<WidgetIdx, WidgetIdx>,
    /// The removed widgets, by the widget after the step that contained them. `None` for roots.
    gone: BTreeMap<Option<WidgetIdx>, Vec<WidgetIdx>>,
    /// The removed widgets, by the removed widget that contained them.
    gone_inside: BTreeMap<WidgetIdx, Vec<WidgetIdx>>,
    offending: BTreeSet<WidgetIdx>,
    touched: Option<WidgetIdx>,
}

/// Compares the layouts before and after a step. `touched` is the widget of the event, before the step.
pub fn diff_tree(
    before: &Layout,
    after: &Layout,
    failures: &[FailedCheck],
    touched: Option<WidgetIdx>,
) -> DiffTree {
    let diff = diff_layouts(before, after);
    // If most widgets have partners, it is the same screen, whatever their texts.
    let stays = diff.partners.iter().flatten().count();
    let smaller = before.widgets().len().min(after.widgets().len());
    let another_screen = before.activity() != after.activity() || stays * 2 < smaller;
    let mut tree = DiffTree { another_screen, ..DiffTree::default() };
    for ((idx, _), partner) in after.iter().zip(&diff.partners) {
        if let Some(old) = partner {
            tree.was.insert(idx, *old);
            tree.became.insert(*old, idx);
        }
    }
    let mut merge = Merge {
        before,
        after,
        kinds: BTreeMap::new(),
        was: &tree.was,
        gone: BTreeMap::new(),
        gone_inside: BTreeMap::new(),
        offending: failures.iter().flat_map(|failure| failure.offending.iter().copied()).collect(),
        touched,
    };
    for change in &diff.changes {
        match *change {
            WidgetChange::Added(idx) => drop(merge.kinds.insert(idx, DiffKind::Added)),
            WidgetChange::Changed(_, idx) => drop(merge.kinds.insert(idx, DiffKind::Changed)),
            WidgetChange::Removed(old) => match before.widget(old).parent {
                Some(parent) if !tree.became.contains_key(&parent) => {
                    merge.gone_inside.entry(parent).or_default().push(old);
                }
                parent => {
                    let place = parent.and_then(|parent| tree.became.get(&parent).copied());
                    merge.gone.entry(place).or_default().push(old);
                }
            },
        }
    }
    let missing = failures.iter().filter_map(|failure| failure.missing.as_deref());
    let mut rows: Vec<DiffRow> = missing.map(ghost).collect();
    rows.extend(after.roots().flat_map(|idx| merge.after_rows(idx)));
    rows.extend(merge.gone.get(&None).into_iter().flatten().flat_map(|old| merge.gone_rows(*old)));
    tree.rows = rows;
    tree
}

fn ghost(missing: &str) -> DiffRow {
    DiffRow {
        depth: 0,
        kind: DiffKind::Missing,
        name: format!("\u{201c}{}\u{201d}", one_line(missing)),
        detail: "should be here".to_owned(),
        offending: true,
        touched: false,
        before: None,
        after: None,
    }
}

impl Merge<'_> {
    fn after_rows(&self, idx: WidgetIdx) -> Vec<DiffRow> {
        let inner: Vec<Vec<DiffRow>> = self
            .after
            .children(idx)
            .map(|child| self.after_rows(child))
            .chain(self.gone.get(&Some(idx)).into_iter().flatten().map(|old| self.gone_rows(*old)))
            .filter(|rows| !rows.is_empty())
            .collect();
        let widget = self.after.widget(idx);
        let kind = self.kinds.get(&idx).copied().unwrap_or(DiffKind::Same);
        let offending = self.offending.contains(&idx);
        let old = self.was.get(&idx).copied();
        let detail = match (kind, old) {
            (DiffKind::Changed, Some(old)) => change_words(self.before.widget(old), widget),
            (DiffKind::Same, _) if offending => "still there".to_owned(),
            _ => String::new(),
        };
        let touched = old.is_some() && old == self.touched;
        let says = offending
            || touched
            || kind == DiffKind::Changed
            || (kind == DiffKind::Added && !is_bare(widget));
        // Of the unchanged widgets only lists get rows of their own, and those that contain several changes.
        let stayed = kind == DiffKind::Same;
        let keep = says || (stayed && (inner.len() > 1 || (inner.len() == 1 && widget.scrollable())));
        let row = DiffRow {
            depth: 0,
            kind,
            name: widget_name(widget),
            detail,
            offending,
            touched,
            before: old,
            after: Some(idx),
        };
        nest(keep.then_some(row), inner)
    }

    fn gone_rows(&self, old: WidgetIdx) -> Vec<DiffRow> {
        let inside = self.gone_inside.get(&old).into_iter().flatten();
        let inner: Vec<Vec<DiffRow>> =
            inside.map(|child| self.gone_rows(*child)).filter(|rows| !rows.is_empty()).collect();
        let (widget, touched) = (self.before.widget(old), self.touched == Some(old));
        let row = DiffRow {
            depth: 0,
            kind: DiffKind::Removed,
            name: widget_name(widget),
            detail: String::new(),
            offending: false,
            touched,
            before: Some(old),
            after: None,
        };
        nest((touched || !is_bare(widget)).then_some(row), inner)
    }
}

/// Whether a widget has no text and no meaningful id, so that its contents describe it better.
fn is_bare(widget: &Widget) -> bool {
    let silent = widget.text.is_empty() && widget.content_desc.is_empty();
    silent && (widget.short_id().is_none() || widget.short_class().ends_with("Layout"))
}

fn nest(row: Option<DiffRow>, inner: Vec<Vec<DiffRow>>) -> Vec<DiffRow> {
    let deeper = usize::from(row.is_some());
    let inner = inner.into_iter().flatten().map(|row| DiffRow { depth: row.depth + deeper, ..row });
    row.into_iter().chain(inner).collect()
}

/// The changes of a widget's attributes, in words.
fn change_words(old: &Widget, new: &Widget) -> String {
    let mut words = Vec::new();
    let quoted = |text: &str| match text {
        "" => "nothing".to_owned(),
        text => format!("\u{201c}{}\u{201d}", one_line(text)),
    };
    if old.text != new.text {
        words.push(format!("{}, then {}", quoted(&old.text), quoted(&new.text)));
    }
    if old.content_desc != new.content_desc {
        words.push(format!("description {}, then {}", quoted(&old.content_desc), quoted(&new.content_desc)));
    }
    let (had, has) = (flag_words(old.flags), flag_words(new.flags));
    words.extend(has.iter().filter(|word| !had.contains(word)).map(|word| format!("now {word}")));
    words.extend(had.iter().filter(|word| !has.contains(word)).map(|word| format!("no longer {word}")));
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    /// The rows as text: depth, kind, name, detail.
    fn check(before: &str, after: &str, failures: &[FailedCheck], expected: &str) {
        let tree = diff_tree(&layout_from(before), &layout_from(after), failures, None);
        let line = |row: &DiffRow| {
            let sign = match row.kind {
                DiffKind::Same => '=',
                DiffKind::Added => '+',
                DiffKind::Removed => '-',
                DiffKind::Changed => '~',
                DiffKind::Missing => '?',
            };
            let wrong = if row.offending { "!" } else { "" };
            format!("{}{sign}{wrong} {} {}", "  ".repeat(row.depth), row.name, row.detail)
                .trim_end()
                .to_owned()
        };
        let lines: Vec<String> = tree.rows.iter().map(line).collect();
        assert_eq!(lines.join("\n"), expected.trim_end());
    }

    const LIST: &str = "FrameLayout\n  LinearLayout\n    ScrollView\n      TextView#row \"a\"\n";

    #[test]
    fn what_stayed_is_left_out() {
        check(LIST, LIST, &[], "");
        let two = "FrameLayout\n  LinearLayout\n    ScrollView\n      TextView#row \"a\"\n      TextView#row \"b\"\n";
        check(LIST, two, &[], "+ TextView \u{201c}b\u{201d}  #row");
        check(two, LIST, &[], "- TextView \u{201c}b\u{201d}  #row");
    }

    #[test]
    fn what_holds_several_changes_says_where_they_are() {
        let before = "FrameLayout\n  ListView#list\n    TextView#row \"a\"\n    CheckBox#box\n";
        let after = "FrameLayout\n  ListView#list\n    TextView#row \"b\"\n    Button#more \"More\"\n";
        let expected = "= ListView #list\n  ~ TextView \u{201c}b\u{201d}  #row \u{201c}a\u{201d}, then \u{201c}b\u{201d}\n  + Button \u{201c}More\u{201d}  #more\n  - CheckBox #box";
        check(before, after, &[], expected);
    }

    #[test]
    fn what_is_missing_is_a_ghost_and_what_offends_is_named() {
        let failure = FailedCheck {
            key: String::new(),
            condition: String::new(),
            expected: String::new(),
            seen: String::new(),
            offending: vec![WidgetIdx(3)],
            missing: Some("k7".into()),
        };
        let expected =
            "?! \u{201c}k7\u{201d} should be here\n=! TextView \u{201c}a\u{201d}  #row still there";
        check(LIST, LIST, &[failure], expected);
    }
}
