//! What tells the pages of an app apart that shows all of them in one activity, as apps made with Jetpack Compose, Flutter
//! and React Native do.

use std::collections::BTreeSet;

use crate::determinism::HashBuffer;
use crate::{Layout, LayoutKey, Role, Widget, WidgetFlags, WidgetIdx, drawer_open, last_part, one_line};

/// Ends of the ids that the platform gives to the frame around what an app draws.
const FRAME_IDS: [&str; 4] = [
    "android:id/content",
    "android:id/navigationBarBackground",
    "android:id/statusBarBackground",
    ":id/action_bar_root",
];

/// Ids that apps and the platform give to the bar with the title of a page.
const BAR_IDS: [&str; 5] = ["toolbar", "action_bar", "topAppBar", "app_bar", "appbar"];

impl Layout {
    /// Whether the app names its widgets by resource ids. An app of a toolkit without ids, or a web page, does not: test
    /// tags and the ids of HTML have no package.
    pub fn has_ids(&self) -> bool {
        let named = |id: &str| id.contains(":id/") && !FRAME_IDS.iter().any(|frame| id.ends_with(frame));
        self.widgets().iter().any(|widget| widget.resource_id.as_deref().is_some_and(named))
    }

    /// What a page without ids is known by: the labels of what can be acted on outside of rows. Digits count as equal.
    pub fn page_marks(&self) -> BTreeSet<String> {
        let outside = |idx: &WidgetIdx| self.list_item_around(*idx).is_none();
        let mark = |idx: WidgetIdx| {
            let role = self.role(idx)?;
            match role {
                Role::Button | Role::Field | Role::Tab => {
                    let label = self.label_of(idx)?;
                    Some(format!("{role} {}", without_digits(label)))
                }
                Role::CheckBox | Role::Switch | Role::RadioButton | Role::Slider => Some(role.to_string()),
                Role::List | Role::Image | Role::Text => None,
            }
        };
        self.iter().map(|(idx, _)| idx).filter(outside).filter_map(mark).collect()
    }

    /// What can be read on the screen, without what was typed.
    pub fn says(&self) -> BTreeSet<&str> {
        self.widgets().iter().flat_map(Widget::labels).collect()
    }

    /// The labels of what is selected outside of rows, such as a tab.
    pub fn selected_labels(&self) -> BTreeSet<&str> {
        let selected = self.iter().filter(|(_, widget)| widget.flags.has(WidgetFlags::SELECTED));
        let outside = selected.filter(|(idx, _)| self.list_item_around(*idx).is_none());
        outside.filter_map(|(idx, _)| self.label_of(idx)).collect()
    }

    /// The buttons outside of rows that show no text, such as those of a toolbar.
    pub fn icon_buttons(&self) -> impl Iterator<Item = &Widget> {
        let icons = self.iter().filter(|(_, widget)| widget.clickable() && widget.text.is_empty());
        icons.filter(|(idx, _)| self.list_item_around(*idx).is_none()).map(|(_, widget)| widget)
    }

    /// The page in words: the activity and, where the tree has no ids, the headline that tells its pages apart.
    pub fn page_name(&self) -> String {
        let activity = last_part(self.activity());
        let title = if self.has_ids() { None } else { self.page_title() };
        title.map_or(activity.to_owned(), |title| format!("{activity} \u{201c}{title}\u{201d}"))
    }

    /// The title that people read on the page: of a dialog and of a page without ids its headline, of other pages the text
    /// in the bar at the top. `None` if there is none, or if it is long or counts something.
    pub fn page_title(&self) -> Option<String> {
        const LONGEST: usize = 30;
        let high = self.screen().height / 4;
        let dialog = is_dialog(self);
        let title = if self.has_ids() && !dialog { self.bar_title() } else { headline(self) };
        let title = self.widget(title?);
        let says = one_line(&title.text);
        let fixed = says.chars().count() <= LONGEST && !says.chars().any(|letter| letter.is_ascii_digit());
        (fixed && (dialog || title.bounds.top < high)).then_some(says)
    }

    /// The text in the bar at the top of the page.
    fn bar_title(&self) -> Option<WidgetIdx> {
        let is_bar = |idx: WidgetIdx| {
            let widget = self.widget(idx);
            BAR_IDS.iter().any(|id| widget.short_id() == Some(id))
                || widget.short_class().ends_with("Toolbar")
        };
        let says = |(idx, widget): &(WidgetIdx, &Widget)| {
            !widget.text.is_empty()
                && self.role(*idx) == Some(Role::Text)
                && std::iter::once(*idx).chain(self.ancestors(*idx)).any(is_bar)
        };
        self.iter().find(says).map(|(idx, _)| idx)
    }
}

/// The key of [`Same::Page`](super::Same::Page).
pub(super) fn key(layout: &Layout) -> LayoutKey {
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

/// What a page is known by whose activity and classes do not tell it.
fn marks(layout: &Layout) -> BTreeSet<String> {
    if layout.has_ids() { BTreeSet::new() } else { layout.page_marks() }
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

/// Whether two layouts show the same page of an app: they have the same activity and, where the trees have no ids, at
/// least half of what can be acted on or half of what is shown in common.
pub fn same_page(one: &Layout, other: &Layout) -> bool {
    if one.activity() != other.activity() {
        return false;
    }
    if one.has_ids() || other.has_ids() {
        return true;
    }
    half_in_common(&one.page_marks(), &other.page_marks()) || half_in_common(&one.says(), &other.says())
}

/// Whether the widget tree of a screen of the app holds next to nothing of what is seen: no label at all, or a surface that
/// the app draws itself, such as a game or a map, on most of the screen.
pub fn is_opaque(layout: &Layout, app: &str) -> bool {
    const SURFACES: [&str; 6] =
        ["SurfaceView", "TextureView", "WebView", "FlutterView", "UnityPlayer", "ComposeView"];
    let screen = i64::from(layout.screen().width) * i64::from(layout.screen().height);
    let of_app = || layout.iter().filter(|(_, widget)| &*widget.package == app && !widget.bounds.is_empty());
    let speaks = of_app().any(|(_, widget)| widget.is_editable() || widget.labels().next().is_some());
    let covers = |(idx, widget): (WidgetIdx, &Widget)| {
        let surface = SURFACES.iter().any(|class| widget.class.ends_with(class));
        layout.is_leaf(idx)
            && 5 * widget.bounds.area() >= 3 * screen
            && widget.labels().next().is_none()
            && (!speaks || surface)
    };
    !is_dialog(layout) && (of_app().next().is_none() || of_app().any(covers))
}

/// What is to be said of an opaque page, as the beginning of a sentence.
pub fn opaque_words(page: &str) -> String {
    format!(
        "The widget tree of {page} holds one widget for most of the screen: there the app tells accessibility nothing, so"
    )
}

fn half_in_common<T: Ord>(one: &BTreeSet<T>, other: &BTreeSet<T>) -> bool {
    2 * one.intersection(other).count() >= one.len().max(other.len())
}

/// The label with all digits equal: what counts something keeps its name.
pub fn without_digits(label: &str) -> String {
    label.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout_from;

    const LIST: &str =
        "View\n  TextView \"Tasks\"\n  Button (Search)\n  Button (Add)\n  TextView \"3 left\"\n";
    const FORM: &str = "View\n  TextView \"New task\"\n  Button (Save)\n  EditText\n    TextView \"Title\"\n";

    #[test]
    fn pages_of_one_activity_are_told_by_what_can_be_done_on_them() {
        let same = |one: &str, other: &str| same_page(&layout_from(one), &layout_from(other));
        assert!(same(LIST, &LIST.replace("3 left", "4 left")));
        assert!(same(LIST, &format!("{LIST}  Button \"Undo\"\n")), "something more to do");
        assert!(!same(LIST, FORM));
        let chosen = LIST.replace("Search", "Delete").replace("Add", "Done").replace("Tasks", "1 selected");
        assert!(!same(LIST, &chosen));
        let rows = "  TextView \"Milk\"\n  TextView \"Tea\"\n  TextView \"Salt\"\n";
        assert!(same(&format!("{LIST}{rows}"), &format!("{chosen}{rows}")), "the same rows in a selection");
        assert!(same(&LIST.replace("Button", "Button#b"), FORM), "with ids, the activity tells");
        let other = layout_from(LIST).with_activity("org.ex/.Other".into());
        assert!(!same_page(&layout_from(LIST), &other));
    }

    #[test]
    fn a_screen_of_one_widget_without_a_label_is_opaque() {
        let check = |notation: &str, expected: bool| {
            let layout = layout_from(notation);
            let all: Vec<WidgetIdx> = layout.iter().map(|(idx, _)| idx).collect();
            // The last widget covers the screen below a bar.
            let layout = layout.with_changed(&all[all.len() - 1..], |widget| {
                widget.bounds = crate::PxRect::new(0, 100, 1080, 1920);
            });
            assert_eq!(is_opaque(&layout, "org.ex"), expected, "{notation}");
        };
        check("FrameLayout\n  SurfaceView\n", true);
        check("FrameLayout\n  View\n", true);
        check("FrameLayout\n  TextView \"Score\"\n  SurfaceView\n", true);
        check("FrameLayout\n  TextView \"No notes\"\n  ListView\n", false);
        check("FrameLayout\n  ImageView (A map)\n", false);
        check("FrameLayout\n  WebView\n    TextView \"Hello\"\n", false);
        assert!(is_opaque(&layout_from("FrameLayout\n"), "org.other"));
    }

    #[test]
    fn a_page_without_ids_is_called_by_its_headline() {
        let name = |page: &str| layout_from(page).page_name();
        assert_eq!(name(LIST), "Main \u{201c}Tasks\u{201d}");
        assert_eq!(name(&LIST.replace("\"Tasks\"", "\"Tasks (3)\"")), "Main", "a text that changes");
        assert_eq!(name(&LIST.replace("TextView", "TextView#t")), "Main");
    }
}
