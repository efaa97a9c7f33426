//! Selectors: how specifications and events name widgets, and which widgets these names mean on a layout.

use serde::{Deserialize, Serialize};

use std::fmt;

use crate::{Beside, Layout, Role, Widget, WidgetIdx, XPath, XPathError, XPathTooSlow};

/// Names widgets by their attributes: a widget matches if each part that is `Some` holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Selector {
    /// The widget's resource id equals this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// The widget's full class name equals this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The widget's text equals this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The widget's content description equals this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_desc: Option<String>,
    /// The widget is one of those that this XPath selects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xpath: Option<Box<XPath>>,
    /// The widget is for this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// The widget is beside a label: of those that satisfy all parts above, the nearest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<Beside>,
    /// The widget has this index, from 0 in document order, among the widgets that satisfy all other parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<u32>,
}

/// The widgets of a layout that match a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// Exactly one widget matches.
    One(WidgetIdx),
    /// No widget of the layout matches.
    Missing,
    /// Several widgets match; in document order.
    Ambiguous(Vec<WidgetIdx>),
}

impl Resolved {
    /// The first matching widget in document order; `None` if there is none.
    pub fn first(&self) -> Option<WidgetIdx> {
        match self {
            Resolved::One(idx) => Some(*idx),
            Resolved::Missing => None,
            Resolved::Ambiguous(all) => all.first().copied(),
        }
    }
}

impl Selector {
    /// The selector that an XPath alone is.
    ///
    /// # Errors
    ///
    /// [`XPathError`] if the text is no XPath to widgets.
    pub fn of_xpath(text: &str) -> Result<Selector, XPathError> {
        Ok(Selector { xpath: Some(Box::new(XPath::parse(text)?)), ..Selector::default() })
    }

    /// Whether all parts are `None`; such a selector matches no widget.
    pub fn is_empty(&self) -> bool {
        *self == Selector::default()
    }

    /// Whether all parts other than id, class, text and description are `None`.
    pub fn is_of_attributes(&self) -> bool {
        matches!(self, Selector { xpath: None, role: None, beside: None, instance: None, .. })
    }

    /// Whether the widget has the selector's id, class, text and description. The other parts are ignored.
    pub fn attributes_match(&self, widget: &Widget) -> bool {
        let equal = |part: &Option<String>, value: &str| part.as_deref().is_none_or(|part| part == value);
        equal(&self.resource_id, widget.resource_id.as_deref().unwrap_or(""))
            && equal(&self.class, &widget.class)
            && equal(&self.text, &widget.text)
            && equal(&self.content_desc, &widget.content_desc)
    }

    /// Returns all matching widgets in document order. An empty selector matches none; nor does one whose XPath takes too
    /// long.
    pub fn matches(&self, layout: &Layout) -> Vec<WidgetIdx> {
        self.try_matches(layout).unwrap_or_default()
    }

    /// As [`Selector::matches`].
    ///
    /// # Errors
    ///
    /// [`XPathTooSlow`] if the XPath is given up on this layout.
    pub fn try_matches(&self, layout: &Layout) -> Result<Vec<WidgetIdx>, XPathTooSlow> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let mut named: Vec<WidgetIdx> = match &self.xpath {
            Some(xpath) => xpath.try_select(layout)?,
            None => layout.iter().map(|(idx, _)| idx).collect(),
        };
        named.retain(|idx| self.attributes_match(layout.widget(*idx)));
        if let Some(role) = self.role {
            named.retain(|idx| layout.role(*idx) == Some(role));
        }
        if let Some(beside) = &self.beside {
            named = layout.beside(beside, &named);
        }
        Ok(match self.instance {
            Some(instance) => named.get(instance as usize).copied().into_iter().collect(),
            None => named,
        })
    }

    /// Returns the matching widgets as one, none or several.
    pub fn resolve(&self, layout: &Layout) -> Resolved {
        let mut named = self.matches(layout);
        match (named.pop(), named.is_empty()) {
            (None, _) => Resolved::Missing,
            (Some(only), true) => Resolved::One(only),
            (Some(last), false) => {
                named.push(last);
                Resolved::Ambiguous(named)
            }
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        let mut part = |name: &str, value: &Option<String>| {
            if let Some(value) = value {
                parts.push(format!("{name} {value:?}"));
            }
        };
        part("id", &self.resource_id);
        part("text", &self.text);
        part("description", &self.content_desc);
        part("class", &self.class);
        part("xpath", &self.xpath.as_ref().map(|xpath| xpath.source().to_owned()));
        parts.extend(place_in_words(self.role, self.beside.as_ref()));
        if let Some(instance) = self.instance {
            parts.push(format!("instance {instance}"));
        }
        f.write_str(&if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") })
    }
}

/// The role and the neighbour of a widget in words, such as `the field right of "Title"`; `None` if neither is given.
pub fn place_in_words(role: Option<Role>, beside: Option<&Beside>) -> Option<String> {
    match (role, beside) {
        (Some(role), Some(beside)) => Some(format!("the {role} {beside}")),
        (Some(role), None) => Some(format!("role {role}")),
        (None, Some(beside)) => Some(beside.to_string()),
        (None, None) => None,
    }
}
