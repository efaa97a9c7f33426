//! Widgets: the nodes of the GUI tree.

use serde::{Deserialize, Serialize};

use super::{PxRect, Text};

/// Index of a widget in [`Layout::widgets`](super::Layout::widgets()).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WidgetIdx(pub u32);

impl WidgetIdx {
    /// The index as `usize`, for indexing the slice.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One node of the GUI tree, with the attributes of a uiautomator dump.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Widget {
    /// The parent; `None` for a root of a window.
    pub parent: Option<WidgetIdx>,
    /// Package name of the app that drew it.
    #[serde(with = "super::archive::text")]
    pub package: Text,
    /// Full class name, such as `android.widget.Button`.
    #[serde(with = "super::archive::text")]
    pub class: Text,
    /// `package:id/name`, or the id that a web view reports; `None` if the dump has none.
    #[serde(with = "super::archive::optional_text")]
    pub resource_id: Option<Text>,
    /// The displayed text; may be empty.
    #[serde(with = "super::archive::text")]
    pub text: Text,
    /// The content description, which screen readers read out; may be empty.
    #[serde(with = "super::archive::text")]
    pub content_desc: Text,
    /// The prompt that an empty field shows. Only newer dumps contain it; empty elsewhere.
    #[serde(with = "super::archive::text")]
    pub hint: Text,
    /// Bounds in pixels, clipped to the screen.
    pub bounds: PxRect,
    /// The boolean attributes, such as clickable.
    pub flags: WidgetFlags,
}

/// The classes of announcements.
/// Resource ids of the backgrounds of the system bars, which are not part of the page.
const BAR_BACKGROUNDS: [&str; 2] = ["android:id/navigationBarBackground", "android:id/statusBarBackground"];
const TOAST: &str = "android.widget.Toast";
const NOTIFICATION: &str = "android.app.Notification";

/// The boolean attributes of a widget, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WidgetFlags(pub u16);

impl WidgetFlags {
    /// No flag is set.
    pub const NONE: WidgetFlags = WidgetFlags(0);
    /// The widget can be checked, such as a check box.
    pub const CHECKABLE: WidgetFlags = WidgetFlags(1);
    /// The widget is checked.
    pub const CHECKED: WidgetFlags = WidgetFlags(1 << 1);
    /// The widget reacts to a tap.
    pub const CLICKABLE: WidgetFlags = WidgetFlags(1 << 2);
    /// The widget is not greyed out.
    pub const ENABLED: WidgetFlags = WidgetFlags(1 << 3);
    /// The widget can have the focus.
    pub const FOCUSABLE: WidgetFlags = WidgetFlags(1 << 4);
    /// The widget has the focus.
    pub const FOCUSED: WidgetFlags = WidgetFlags(1 << 5);
    /// The widget can be scrolled.
    pub const SCROLLABLE: WidgetFlags = WidgetFlags(1 << 6);
    /// The widget reacts to a long press.
    pub const LONG_CLICKABLE: WidgetFlags = WidgetFlags(1 << 7);
    /// The widget is a field that hides what is typed.
    pub const PASSWORD: WidgetFlags = WidgetFlags(1 << 8);
    /// The widget is the selected one, such as a tab or a row.
    pub const SELECTED: WidgetFlags = WidgetFlags(1 << 9);
    /// The dump marks the widget as "not accessibility friendly".
    pub const NAF: WidgetFlags = WidgetFlags(1 << 10);
    /// The widget exists but is hidden. A uiautomator dump contains visible widgets only; recordings of other tools set
    /// this.
    pub const INVISIBLE: WidgetFlags = WidgetFlags(1 << 11);
    /// The widget accepts text, according to a recording. In a uiautomator dump only the class shows this.
    pub const EDITABLE: WidgetFlags = WidgetFlags(1 << 12);

    /// The boolean attributes of a dump by name, in the order of the stock command.
    pub const NAMES: [(&str, WidgetFlags); 10] = [
        ("checkable", WidgetFlags::CHECKABLE),
        ("checked", WidgetFlags::CHECKED),
        ("clickable", WidgetFlags::CLICKABLE),
        ("enabled", WidgetFlags::ENABLED),
        ("focusable", WidgetFlags::FOCUSABLE),
        ("focused", WidgetFlags::FOCUSED),
        ("scrollable", WidgetFlags::SCROLLABLE),
        ("long-clickable", WidgetFlags::LONG_CLICKABLE),
        ("password", WidgetFlags::PASSWORD),
        ("selected", WidgetFlags::SELECTED),
    ];

    /// Whether all flags of `other` are set.
    pub fn has(self, other: WidgetFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns these flags with those of `other` set or cleared.
    #[must_use]
    pub fn with(self, other: WidgetFlags, set: bool) -> WidgetFlags {
        if set { WidgetFlags(self.0 | other.0) } else { WidgetFlags(self.0 & !other.0) }
    }
}

impl Widget {
    /// Whether two widgets have the same class and the same id.
    pub fn same_type(&self, other: &Widget) -> bool {
        self.class == other.class && self.resource_id == other.resource_id
    }

    /// Whether it reacts to a tap.
    pub fn clickable(&self) -> bool {
        self.flags.has(WidgetFlags::CLICKABLE)
    }

    /// Whether it reacts to a long press.
    pub fn long_clickable(&self) -> bool {
        self.flags.has(WidgetFlags::LONG_CLICKABLE)
    }

    /// Whether it can be scrolled.
    pub fn scrollable(&self) -> bool {
        self.flags.has(WidgetFlags::SCROLLABLE)
    }

    /// Whether it is the background of a bar of the system.
    pub fn is_bar_background(&self) -> bool {
        self.resource_id.as_deref().is_some_and(|id| BAR_BACKGROUNDS.contains(&id))
    }

    /// Whether it is a text field.
    pub fn is_text_field(&self) -> bool {
        self.class.ends_with("EditText") || self.class.ends_with("AutoCompleteTextView")
    }

    /// Whether text can be typed into it.
    pub fn is_editable(&self) -> bool {
        self.flags.has(WidgetFlags::EDITABLE) || self.is_text_field()
    }

    /// Whether a gesture on the widget has an effect: it is editable, clickable, long-clickable, checkable or
    /// scrollable.
    pub fn is_actionable(&self) -> bool {
        const ACTIONS: [WidgetFlags; 4] = [
            WidgetFlags::CLICKABLE,
            WidgetFlags::LONG_CLICKABLE,
            WidgetFlags::CHECKABLE,
            WidgetFlags::SCROLLABLE,
        ];
        self.is_editable() || ACTIONS.iter().any(|action| self.flags.has(*action))
    }

    /// Whether it is a text field that has the focus.
    pub fn is_focused_field(&self) -> bool {
        self.flags.has(WidgetFlags::FOCUSED) && self.is_text_field()
    }

    /// Whether it is a list or a grid, whose children are items, one for each object.
    pub fn is_list(&self) -> bool {
        ["ListView", "GridView", "RecyclerView"].iter().any(|class| self.class.ends_with(class))
    }

    /// A message that an app announced besides its windows, as a widget without an area: conditions can name it by its
    /// class and text, and nothing can touch it. `toast` is false for a notification.
    pub fn announcement(package: &str, toast: bool, text: &str) -> Widget {
        Widget {
            parent: None,
            package: Text::from(package),
            class: Text::from(if toast { TOAST } else { NOTIFICATION }),
            resource_id: None,
            text: Text::from(text),
            content_desc: Text::from(""),
            hint: Text::from(""),
            bounds: PxRect::new(0, 0, 0, 0),
            flags: WidgetFlags::NONE,
        }
    }

    /// Whether it is an announcement, which belongs to what the app did and not to its page.
    pub fn is_announcement(&self) -> bool {
        self.bounds.is_empty() && (&*self.class == TOAST || &*self.class == NOTIFICATION)
    }

    /// Whether it is the bar at the top of a screen.
    pub fn is_top_bar(&self) -> bool {
        let named = |id: &str| ["toolbar", "action_bar", "app_bar"].contains(&id);
        self.class.ends_with("Toolbar") || self.short_id().is_some_and(named)
    }

    /// Whether it is a progress bar or ring. Only [`Layout::loading_widgets`](super::Layout::loading_widgets) says whether
    /// it shows that something is being loaded.
    pub fn is_progress(&self) -> bool {
        self.class.ends_with("ProgressBar")
    }

    /// The class name without its package.
    pub fn short_class(&self) -> &str {
        // Asked for every widget of every layout, and too short for `rfind` to pay.
        let dot = self.class.bytes().rposition(|byte| byte == b'.');
        dot.map_or(&self.class, |dot| &self.class[dot + 1..])
    }

    /// The id without `package:id/`, or the whole id if it has no such part. `None` if the widget has no id.
    pub fn short_id(&self) -> Option<&str> {
        let id = self.resource_id.as_deref()?;
        // Asked for every widget of every layout: a search for all of ":id/" takes several times as long.
        let name = id.rmatch_indices('/').find(|(slash, _)| id[..*slash].ends_with(":id"));
        Some(name.map_or(id, |(slash, _)| &id[slash + 1..]))
    }
}
