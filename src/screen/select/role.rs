//! What a widget is for: a button, a field, a list. Toolkits without view classes, such as Jetpack Compose and Flutter,
//! call most widgets `android.view.View`, so this is concluded from the class, the attributes and what is inside.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Layout, Widget, WidgetFlags, WidgetIdx};

words! {
    /// What a widget is for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Role {
        /// Something to tap that holds nothing else to act on: also a link, an icon or a row.
        Button = "button",
        /// Something to type into.
        Field = "field",
        /// Something that is checked or not.
        #[serde(rename = "check box")]
        CheckBox = "check box",
        /// Something that is on or off.
        Switch = "switch",
        /// One of several choices.
        #[serde(rename = "radio button")]
        RadioButton = "radio button",
        /// One of several pages.
        Tab = "tab",
        /// A value that is set by moving a knob.
        Slider = "slider",
        /// A list or grid of items.
        List = "list",
        /// A picture that cannot be tapped.
        Image = "image",
        /// A text that cannot be tapped.
        Text = "text",
    }
    /// The role as a noun, as files write it, too.
    pub fn word;
    /// All roles, in the order of their declaration.
    pub const ALL;
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Ends of the names of classes that tell what a widget is for, whatever its attributes are.
const CLASSES: [(&str, Role); 12] = [
    ("RadioButton", Role::RadioButton),
    ("ToggleButton", Role::Switch),
    ("Switch", Role::Switch),
    ("SwitchCompat", Role::Switch),
    ("SwitchMaterial", Role::Switch),
    ("CheckBox", Role::CheckBox),
    ("CheckedTextView", Role::CheckBox),
    ("Tab", Role::Tab),
    ("TabView", Role::Tab),
    ("SeekBar", Role::Slider),
    ("RatingBar", Role::Slider),
    ("Button", Role::Button),
];

/// Ends of the names of classes whose widgets are usually for this.
const USUAL_CLASSES: [(&str, Role); 7] = [
    ("EditText", Role::Field),
    ("AutoCompleteTextView", Role::Field),
    ("TextView", Role::Text),
    ("ImageView", Role::Image),
    ("RecyclerView", Role::List),
    ("ListView", Role::List),
    ("GridView", Role::List),
];

impl Role {
    /// What a widget of this class is usually for, where the widget itself is not at hand; `None` for a container.
    pub fn of_class(class: &str) -> Option<Role> {
        let all = CLASSES.iter().chain(&USUAL_CLASSES);
        all.into_iter().find(|(end, _)| class.ends_with(end)).map(|(_, role)| *role)
    }
}

impl Layout {
    /// What the widget is for; `None` for a container and for what has neither a text nor an action.
    pub fn role(&self, idx: WidgetIdx) -> Option<Role> {
        let widget = self.widget(idx);
        if widget.is_editable() {
            return Some(Role::Field);
        }
        if let Some((_, role)) = CLASSES.iter().find(|(end, _)| widget.class.ends_with(end)) {
            return Some(*role);
        }
        if widget.flags.has(WidgetFlags::CHECKABLE) {
            return Some(Role::CheckBox);
        }
        if self.is_list(idx) {
            return Some(Role::List);
        }
        if widget.clickable() {
            let acts = |inner: WidgetIdx| {
                let inner = self.widget(inner);
                inner.clickable() || inner.is_editable() || inner.flags.has(WidgetFlags::CHECKABLE)
            };
            return (!self.subtree(idx).skip(1).any(acts)).then_some(Role::Button);
        }
        if widget.class.ends_with("ImageView") || widget.class.ends_with(".Image") {
            return Some(Role::Image);
        }
        widget.says().map(|_| Role::Text)
    }
}

impl Widget {
    /// The text that the widget shows or, without one, what it is described as; `None` if it has neither. What was typed
    /// into a field counts.
    pub fn says(&self) -> Option<&str> {
        [&self.text, &self.content_desc].into_iter().find(|text| !text.is_empty()).map(|text| &**text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout_from;

    fn check(notation: &str, able: &[(u32, WidgetFlags)], expected: &[Option<Role>]) {
        let layout = able.iter().fold(layout_from(notation), |layout, (idx, flag)| {
            layout.with_changed(&[WidgetIdx(*idx)], |widget| widget.flags = widget.flags.with(*flag, true))
        });
        let roles: Vec<Option<Role>> = layout.iter().map(|(idx, _)| layout.role(idx)).collect();
        assert_eq!(roles, expected, "{notation}");
    }

    #[test]
    fn classic_views_are_told_by_their_class() {
        check(
            "LinearLayout\n  EditText\n  ImageButton\n  SwitchCompat\n  CheckBox\n  RadioButton\n  SeekBar\n  \
             ImageView (Logo)\n  TextView \"x\"\n  TextView\n",
            &[],
            &[
                None,
                Some(Role::Field),
                Some(Role::Button),
                Some(Role::Switch),
                Some(Role::CheckBox),
                Some(Role::RadioButton),
                Some(Role::Slider),
                Some(Role::Image),
                Some(Role::Text),
                None,
            ],
        );
    }

    #[test]
    fn views_without_a_class_are_told_by_what_they_do_and_hold() {
        let tap = WidgetFlags::CLICKABLE;
        check(
            "View\n  View\n    TextView \"Save\"\n  View (Milk)\n  View\n  View\n    View\n",
            &[(1, tap), (4, WidgetFlags::CHECKABLE), (5, tap), (6, WidgetFlags::CHECKABLE)],
            &[
                None,
                Some(Role::Button),
                Some(Role::Text),
                Some(Role::Text),
                Some(Role::CheckBox),
                None,
                Some(Role::CheckBox),
            ],
        );
    }
}
