//! What tells two sets of screens apart: something that all of one show and none of the other.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use taproof_screen::{Layout, Widget, WidgetFlags, WidgetIdx, is_visible};
use taproof_spec::{Condition, Relation, SpecSelector, TextPattern, WidgetState};

/// What a widget outside of lists is known by. Those that can be touched come first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark {
    still: bool,
    by: By,
    value: String,
    /// The state in which it is, if that tells the screens apart.
    state: Option<WidgetState>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Description,
    Text,
    Id,
}

impl Mark {
    /// The condition on a widget that it is there, in its state.
    pub(super) fn condition(&self, widget: String, relation: Relation) -> Condition {
        Condition { state: self.state, ..Condition::on_widget(widget, relation).at(0) }
    }

    /// A selector for whatever is known by this.
    pub(super) fn selector(&self) -> SpecSelector {
        let value = self.value.clone();
        match self.by {
            By::Description => SpecSelector { content_desc: Some(value), ..SpecSelector::default() },
            By::Text => SpecSelector { text: TextPattern::Is(value), ..SpecSelector::default() },
            By::Id => SpecSelector { resource_id: Some(value), ..SpecSelector::default() },
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.by {
            By::Description | By::Text => write!(f, "“{}”", self.value),
            By::Id => write!(f, "a widget with the id {}", self.value),
        }?;
        self.state.map_or(Ok(()), |state| write!(f, ", {}", state.word()))
    }
}

/// The first mark that all of these layouts show and none of the others does; `None` if there is none.
pub(super) fn present_only_in(these: &[Arc<Layout>], others: &[Arc<Layout>]) -> Option<Mark> {
    let (first, rest) = these.split_first()?;
    let mut common = marks(first);
    for layout in rest {
        let here = marks(layout);
        common.retain(|mark| here.contains(mark));
    }
    for layout in others {
        let here = marks(layout);
        let same = |mark: &Mark, other: &Mark| {
            (other.by, &other.value, other.state) == (mark.by, &mark.value, mark.state)
        };
        common.retain(|mark| !here.iter().any(|other| same(mark, other)));
    }
    common.into_iter().next()
}

fn marks(layout: &Layout) -> BTreeSet<Mark> {
    let mut marks = BTreeSet::new();
    let outside = |idx: &WidgetIdx| layout.list_item_around(*idx).is_none();
    let told = |widget: &Widget| !widget.is_text_field() && !widget.is_announcement();
    for (idx, widget) in layout.iter().filter(|(idx, widget)| outside(idx) && told(widget)) {
        let still = !layout.ancestors(idx).chain([idx]).any(|it| layout.widget(it).clickable());
        let state = state_of(widget);
        let mut mark = |by, value: &str| {
            if is_visible(value) {
                let mark = Mark { still, by, value: value.to_owned(), state: None };
                marks.extend(state.map(|state| Mark { state: Some(state), ..mark.clone() }));
                marks.insert(mark);
            }
        };
        mark(By::Description, &widget.content_desc);
        mark(By::Text, &widget.text);
        mark(By::Id, widget.resource_id.as_deref().unwrap_or(""));
    }
    marks
}

/// The state by which a chosen tab, a filter or a switch is told from others.
fn state_of(widget: &Widget) -> Option<WidgetState> {
    let checkable = widget.flags.has(WidgetFlags::CHECKABLE);
    let of_box = [WidgetState::Checked, WidgetState::NotChecked].into_iter().filter(|_| checkable);
    of_box.chain([WidgetState::Selected]).find(|state| state.is_of(widget))
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{LayoutBuilder, layout_from};

    fn screens(notations: &[&str]) -> Vec<Arc<Layout>> {
        notations.iter().map(|notation| Arc::new(layout_from(notation))).collect()
    }

    #[test]
    fn what_only_these_screens_show_tells_them_apart() {
        let failed = screens(&[
            "Button#new\nButton#undo \"Undo\"\n",
            "Button#new\nButton#undo \"Undo\"\nTextView \"x\"\n",
        ]);
        let held = screens(&["Button#new\n", "Button#new\nTextView \"x\"\n"]);
        let mark = present_only_in(&failed, &held).unwrap();
        assert_eq!(
            (mark.to_string(), mark.selector().to_string()),
            ("“Undo”".to_owned(), "text \"Undo\"".to_owned())
        );
        assert_eq!(present_only_in(&held, &failed), None);
        assert_eq!(present_only_in(&[], &held), None);
    }

    #[test]
    fn what_stands_in_a_list_is_no_mark() {
        let failed = screens(&["Button#new\nListView#list\n  TextView#row \"a\"\n"]);
        let held = screens(&["Button#new\nListView#list\n  TextView#row \"b\"\n"]);
        assert_eq!(present_only_in(&failed, &held), None);
    }

    /// One screen with these flags of its widgets.
    fn with_flags(notation: &str, flags: &[WidgetFlags]) -> Vec<Arc<Layout>> {
        let plain = layout_from(notation);
        let mut builder = LayoutBuilder::new(plain.activity().clone(), plain.screen(), plain.rotation());
        for (widget, flags) in plain.widgets().iter().zip(flags) {
            builder.open(Widget { flags: *flags, ..widget.clone() });
            builder.close();
        }
        vec![Arc::new(builder.finish())]
    }

    #[test]
    fn the_same_widgets_in_another_state_tell_screens_apart() {
        let (off, on) = (WidgetFlags::ENABLED, WidgetFlags::SELECTED);
        let tabs = "TextView#all \"All\"\nTextView#mine \"Mine\"\n";
        let mark = present_only_in(&with_flags(tabs, &[off, on]), &with_flags(tabs, &[on, off])).unwrap();
        assert_eq!(mark.to_string(), "“Mine”, selected");
        let condition = mark.condition("pre_widget".to_owned(), Relation::In);
        assert_eq!(condition.state, Some(WidgetState::Selected));
        let (off, on) = (WidgetFlags::CHECKABLE, WidgetFlags::CHECKABLE.with(WidgetFlags::CHECKED, true));
        let filter = "CheckBox#done \"Done\"\n";
        let mark = present_only_in(&with_flags(filter, &[off]), &with_flags(filter, &[on])).unwrap();
        assert_eq!(mark.to_string(), "“Done”, not checked");
    }
}
