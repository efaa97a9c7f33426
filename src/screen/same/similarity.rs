//! The similarity of two screens of different versions of an app, whose ids and words may have changed.

use std::collections::BTreeMap;

use super::is_dialog;
use crate::{Layout, meanings};

/// How much the words on two screens count beside the kinds of their widgets.
const WORDS: f64 = 0.35;
/// What is left of the similarity of a dialog and a page: a dialog shows few widgets, of kinds that every page has.
const DIALOG_AND_PAGE: f64 = 0.4;
/// What is left of that of two activities: versions move pages between them, but not often.
const OTHER_ACTIVITY: f64 = 0.6;
/// How much a field counts beside another widget: what is typed into tells a form from a question.
const FIELD: usize = 4;

/// How alike two screens are, from 0 to 1: by the kinds of widgets outside of lists, by the words of their names, whether
/// they are dialogs, and by the activity. Lists differ in what they show, which says nothing.
pub fn similarity(old: &Layout, new: &Layout) -> f64 {
    let (ours, theirs) = (Parts::of(old), Parts::of(new));
    let mut alike =
        (1.0 - WORDS) * common(&ours.kinds, &theirs.kinds) + WORDS * common(&ours.words, &theirs.words);
    if is_dialog(old) != is_dialog(new) {
        alike *= DIALOG_AND_PAGE;
    }
    if class_of(old) != class_of(new) {
        alike *= OTHER_ACTIVITY;
    }
    alike
}

/// What a screen consists of, outside of the items of its lists, and how much each part counts.
#[derive(Default)]
struct Parts {
    kinds: BTreeMap<(String, bool), usize>,
    words: BTreeMap<String, usize>,
}

impl Parts {
    fn of(layout: &Layout) -> Parts {
        let mut parts = Parts::default();
        for (idx, widget) in layout.iter() {
            if layout.list_item_around(idx).is_some() {
                continue;
            }
            let counts = if widget.is_text_field() { FIELD } else { 1 };
            *parts.kinds.entry((widget.class.to_string(), widget.is_actionable())).or_default() += counts;
            let text = if widget.is_text_field() { "" } else { &*widget.text };
            for name in [widget.short_id().unwrap_or_default(), &*widget.content_desc, &*widget.hint, text] {
                for word in meanings(name) {
                    parts.words.insert(word, 1);
                }
            }
        }
        parts
    }
}

/// The share that two screens have in common.
fn common<K: Ord>(ours: &BTreeMap<K, usize>, theirs: &BTreeMap<K, usize>) -> f64 {
    let total: usize = ours.values().chain(theirs.values()).sum();
    let common: usize = ours.iter().map(|(kind, count)| *count.min(theirs.get(kind).unwrap_or(&0))).sum();
    if total == 0 { 1.0 } else { 2.0 * common as f64 / total as f64 }
}

/// The activity without its package, which another build may have.
fn class_of(layout: &Layout) -> &str {
    layout.activity().rsplit_once('/').map_or(layout.activity(), |(_, class)| class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout_from;

    #[test]
    fn a_list_with_more_rows_is_the_same_screen_and_a_form_is_not() {
        let bar = "FrameLayout\n  Toolbar\n    ImageButton#new\n  ListView\n";
        let row = "    LinearLayout\n      TextView\n      ImageButton\n";
        let one = layout_from(&format!("{bar}{row}"));
        let more = layout_from(&format!("{bar}{row}{row}{row}"));
        let form =
            layout_from("FrameLayout\n  Toolbar\n    Button\n  ScrollView\n    EditText\n    EditText\n");
        assert!(similarity(&one, &more) > 0.8);
        assert!(similarity(&one, &form) < 0.7);
    }
}
