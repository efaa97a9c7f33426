//! How effects are compared.

use serde::{Deserialize, Serialize};

use crate::oracle::layout_effects::LabelBasis;
use taproof_screen::determinism::HashBuffer;
use taproof_screen::{Layout, LayoutKey, Text, Widget, WidgetFlags, headline};

/// Widgets of one kind on one activity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WidgetKind {
    /// `package/class` of the activity in front.
    pub activity: Text,
    /// Full class name of the widgets.
    pub class: Text,
    /// Resource id; `None` for widgets without one.
    pub resource_id: Option<Text>,
}

impl WidgetKind {
    /// What kind a widget is.
    pub fn of(layout: &Layout, widget: &Widget) -> Self {
        WidgetKind {
            activity: layout.activity().clone(),
            class: widget.class.clone(),
            resource_id: widget.resource_id.clone(),
        }
    }
}

/// What of two effects must be equal for them to be partners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContextLevel {
    /// The widget itself, with what is in it.
    Widget,
    /// The nearest widget around it that has several children.
    #[default]
    Around,
}

/// How effects are compared. By default as in the published tool, but for the context.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EffectRule {
    /// What must be equal.
    pub context: ContextLevel,
    /// Whether an effect is lost only if its outcome does not show in the mutant: what came or changed is not there, or
    /// what went still is; and not on the activity that the detour itself took something away from.
    pub visible_loss: bool,
    /// Whether only pages of the seed test with one headline are compared: a page of another headline shows another
    /// thing, as does a dialog or a menu each time, and how the two differ is no effect.
    pub one_headline: bool,
    /// What a detour must come back to.
    pub comes_back: Option<PivotReturn>,
    /// Whether what the pivot's page lacks when the detour comes back is lost as well, if the detour cannot have meant
    /// to take it away.
    pub at_return: bool,
    /// Widgets that are cut out with what is in them: unstable ones.
    pub ignored: Vec<WidgetKind>,
}

/// When a detour counts as having come back: the layout where it ended is like the pivot (`engine/genie/paper.md`,
/// section 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PivotReturn {
    /// How alike the two layouts are at least, in percent.
    pub percent: u32,
    /// They are in one state, with what stands in fields, is checked or selected as it was.
    pub same_state: bool,
    /// What counts in the labels that states are made of.
    pub basis: LabelBasis,
}

impl PivotReturn {
    /// Whether a detour that ended on this layout came back to the pivot.
    pub fn holds(&self, pivot: &Layout, back: &Layout) -> bool {
        let state = |layout: &Layout| (self.basis.abstract_id(layout), input_state(layout));
        dice_permille(pivot, back) >= self.percent * 10 && (!self.same_state || state(pivot) == state(back))
    }
}

/// Hash of the input that is pending on a page: the fields with their texts, what is checked or selected, and the text
/// of the [`headline`]. A detour may begin and end at layouts with the same hash.
fn input_state(layout: &Layout) -> LayoutKey {
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

/// Returns how alike two layouts are in their widgets: the Dice coefficient of the multisets of (class, id), in parts
/// per thousand; 1000 for two empty layouts.
fn dice_permille(one: &Layout, other: &Layout) -> u32 {
    let types = |layout: &'_ Layout| -> Vec<(Text, Option<Text>)> {
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
    use taproof_screen::layout_from;

    #[test]
    fn another_page_is_no_return() {
        let page = layout_from("LinearLayout\n  TextView \"Books\"\n  RecyclerView\n");
        let form = layout_from("FrameLayout\n  EditText#query\n  Button \"Save\"\n  TextView \"Books\"\n");
        let half = PivotReturn { percent: 50, same_state: false, basis: LabelBasis::default() };
        assert!(half.holds(&page, &page) && !half.holds(&page, &form));
    }

    #[test]
    fn dice_of_the_reference() {
        let (four, three) =
            ("FrameLayout\n  ListView\n  TextView\n  TextView\n", "FrameLayout\n  ListView\n  TextView\n");
        let dice = |one: &str, other: &str| dice_permille(&layout_from(one), &layout_from(other));
        assert_eq!(dice(four, three), 857, "6/7");
        assert_eq!(dice(four, "FrameLayout\n  Button\n  CheckBox\n"), 285, "2/7");
    }
}
