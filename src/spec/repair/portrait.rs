//! What a widget is known by.

use crate::{Action, SpecSelector, TextPattern};
use taproof_screen::{Layout, Role, Widget, WidgetIdx};

/// What a widget must be able to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It is touched.
    Touch,
    /// A text is typed into it.
    Type,
    /// It is looked at.
    Look,
}

impl Use {
    pub fn of(action: Action) -> Use {
        match action {
            Action::Edit => Use::Type,
            Action::Click | Action::LongClick | Action::Scroll(_) => Use::Touch,
            _ => Use::Look,
        }
    }

    /// Whether a widget is fit for it.
    pub fn fits(self, layout: &Layout, idx: WidgetIdx) -> bool {
        let widget = layout.widget(idx);
        !widget.bounds.is_empty()
            && match self {
                Use::Touch => is_touchable(layout, idx),
                Use::Type => widget.is_text_field(),
                Use::Look => {
                    let says = !widget.text.is_empty() || !widget.content_desc.is_empty();
                    says || widget.is_actionable() || layout.is_leaf(idx)
                }
            }
    }
}

/// Whether a touch of the widget does something: it takes touches, or stands in something small that does.
pub(super) fn is_touchable(layout: &Layout, idx: WidgetIdx) -> bool {
    let says = |widget: &Widget| !widget.text.is_empty() || !widget.content_desc.is_empty();
    layout.widget(idx).is_actionable()
        || says(layout.widget(idx)) && layout.ancestors(idx).any(|it| layout.widget(it).clickable())
}

/// What is known of a widget in an old version.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Portrait {
    /// The resource id.
    pub id: Option<String>,
    /// What it says: its description or text. `None` if that is data, or nothing.
    pub says: Option<String>,
    /// What an empty field says, or the label of a field.
    pub label: Option<String>,
    pub class: Option<String>,
    pub role: Option<Role>,
    pub clickable: Option<bool>,
    pub checkable: Option<bool>,
    /// The centre, in parts of the screen.
    pub at: Option<(f64, f64)>,
    /// Whether it stands in an item of a list.
    pub in_list: Option<bool>,
}

impl Portrait {
    /// A widget as it was seen. `data` says that its text is.
    pub fn seen(layout: &Layout, idx: WidgetIdx, data: bool) -> Portrait {
        let widget = layout.widget(idx);
        let text = Some(&*widget.text).filter(|_| !data && !widget.is_text_field());
        Portrait {
            id: widget.resource_id.as_deref().map(str::to_owned),
            says: says(&widget.content_desc, text),
            label: label(layout, idx),
            class: Some(widget.class.to_string()),
            role: layout.role(idx),
            clickable: Some(widget.clickable()),
            checkable: Some(widget.flags.has(taproof_screen::WidgetFlags::CHECKABLE)),
            at: Some(centre(layout, idx)),
            in_list: Some(layout.list_item_around(idx).is_some()),
        }
    }

    /// A widget of which only the selector is known.
    pub fn named(selector: &SpecSelector) -> Portrait {
        let text = match &selector.text {
            TextPattern::Is(text) => Some(text.as_str()),
            TextPattern::Any | TextPattern::FromRead(_) | TextPattern::Existing(_) => None,
        };
        Portrait {
            id: selector.resource_id.clone(),
            says: says(selector.content_desc.as_deref().unwrap_or_default(), text),
            label: selector.beside.as_ref().map(|beside| beside.label.clone()),
            class: selector.class.clone(),
            role: selector.role,
            in_list: selector.row.as_ref().map(|_| true),
            ..Portrait::default()
        }
    }
}

fn says(desc: &str, text: Option<&str>) -> Option<String> {
    [desc, text.unwrap_or_default()].into_iter().find(|words| !words.is_empty()).map(str::to_owned)
}

/// The prompt of a field, or the label beside it.
fn label(layout: &Layout, idx: WidgetIdx) -> Option<String> {
    let widget = layout.widget(idx);
    if !widget.hint.is_empty() {
        return Some(widget.hint.to_string());
    }
    let beside = || layout.labels_around(idx, |_, _| true).into_iter().next().map(|beside| beside.label);
    if widget.is_text_field() { beside() } else { None }
}

/// The centre of a widget, in parts of the screen.
fn centre(layout: &Layout, idx: WidgetIdx) -> (f64, f64) {
    let (bounds, screen) = (layout.widget(idx).bounds, layout.screen());
    let part = |low: i32, high: i32, of: i32| f64::from(low + high) / 2.0 / f64::from(of.max(1));
    (part(bounds.left, bounds.right, screen.width), part(bounds.top, bounds.bottom, screen.height))
}
