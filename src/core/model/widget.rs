//! One node of the GUI tree.

use serde::{Deserialize, Serialize};

use super::{PxRect, Text};

/// A place in a layout's arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WidgetIdx(pub u32);

impl WidgetIdx {
    /// As an index into `Layout::widgets`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One node of the GUI tree, with the attributes of a uiautomator dump.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Widget {
    /// The widget around it; `None` for the root of a window.
    pub parent: Option<WidgetIdx>,
    /// Package of the app that drew it.
    pub package: Text,
    /// Full class name, such as `android.widget.Button`.
    pub class: Text,
    /// `package:id/name`, or whatever a web view calls it; `None` where the dump has none.
    pub resource_id: Option<Text>,
    /// What it shows.
    pub text: Text,
    /// What a screen reader says.
    pub content_desc: Text,
    /// What an empty field asks for (newer dumps; empty elsewhere).
    pub hint: Text,
    /// Where it is, clipped to the screen.
    pub bounds: PxRect,
    /// The boolean attributes.
    pub flags: WidgetFlags,
}

/// The boolean attributes of a widget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WidgetFlags(pub u16);

impl WidgetFlags {
    /// No flag.
    pub const NONE: WidgetFlags = WidgetFlags(0);
    /// Can be checked.
    pub const CHECKABLE: WidgetFlags = WidgetFlags(1);
    /// Is checked.
    pub const CHECKED: WidgetFlags = WidgetFlags(1 << 1);
    /// Reacts to a tap.
    pub const CLICKABLE: WidgetFlags = WidgetFlags(1 << 2);
    /// Is not greyed out.
    pub const ENABLED: WidgetFlags = WidgetFlags(1 << 3);
    /// Can have the focus.
    pub const FOCUSABLE: WidgetFlags = WidgetFlags(1 << 4);
    /// Has the focus.
    pub const FOCUSED: WidgetFlags = WidgetFlags(1 << 5);
    /// Can be scrolled.
    pub const SCROLLABLE: WidgetFlags = WidgetFlags(1 << 6);
    /// Reacts to a long press.
    pub const LONG_CLICKABLE: WidgetFlags = WidgetFlags(1 << 7);
    /// Hides what is typed.
    pub const PASSWORD: WidgetFlags = WidgetFlags(1 << 8);
    /// Is the chosen one (tab, row).
    pub const SELECTED: WidgetFlags = WidgetFlags(1 << 9);
    /// The dump called it "not accessibility friendly".
    pub const NAF: WidgetFlags = WidgetFlags(1 << 10);
    /// Is there, but hidden. A uiautomator dump holds what is visible only; recordings of other tools hold this.
    pub const INVISIBLE: WidgetFlags = WidgetFlags(1 << 11);
    /// Takes text, says the recording; a uiautomator dump tells it by the class alone.
    pub const EDITABLE: WidgetFlags = WidgetFlags(1 << 12);

    /// The boolean attributes of a dump, by name, in the order of the stock command.
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

    /// With the flags of `other` set or cleared.
    #[must_use]
    pub fn with(self, other: WidgetFlags, set: bool) -> WidgetFlags {
        if set { WidgetFlags(self.0 | other.0) } else { WidgetFlags(self.0 & !other.0) }
    }
}

impl Widget {
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

    /// Whether it is a text field.
    pub fn is_text_field(&self) -> bool {
        self.class.ends_with("EditText") || self.class.ends_with("AutoCompleteTextView")
    }

    /// Whether text can be typed into it.
    pub fn is_editable(&self) -> bool {
        self.flags.has(WidgetFlags::EDITABLE) || self.is_text_field()
    }

    /// Whether a gesture on it does something.
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

    /// Whether it is a list or a grid: its children are items, one for each object.
    pub fn is_list(&self) -> bool {
        ["ListView", "GridView", "RecyclerView"].iter().any(|class| self.class.ends_with(class))
    }

    /// Whether it says that something is being loaded.
    pub fn is_progress(&self) -> bool {
        self.class.ends_with("ProgressBar")
    }

    /// The class without its package.
    pub fn short_class(&self) -> &str {
        self.class.rsplit('.').next().unwrap_or(&self.class)
    }

    /// The id without `package:id/`; the whole id where it has no such part.
    pub fn short_id(&self) -> Option<&str> {
        self.resource_id.as_deref().map(|id| id.rsplit_once(":id/").map_or(id, |(_, name)| name))
    }
}
