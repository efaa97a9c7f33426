//! How a specification names a widget, and what it names on a layout.

use serde::{Deserialize, Serialize};

use std::fmt;

use super::{Layout, Widget, WidgetIdx, XPath};

/// Names a widget by the parts given; all parts given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selector {
    /// Equal resource id.
    pub resource_id: Option<String>,
    /// Equal class name.
    pub class: Option<String>,
    /// Equal text.
    pub text: Option<String>,
    /// Equal content description.
    pub content_desc: Option<String>,
    /// Among the nodes of this XPath.
    pub xpath: Option<XPath>,
    /// The n-th (from 0, document order) of the widgets that satisfy all other parts.
    pub instance: Option<u32>,
}

/// What a selector names on a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// Exactly one widget.
    One(WidgetIdx),
    /// No widget.
    Missing,
    /// Several widgets, in document order.
    Ambiguous(Vec<WidgetIdx>),
}

impl Resolved {
    /// The first widget named, if any.
    pub fn first(&self) -> Option<WidgetIdx> {
        match self {
            Resolved::One(idx) => Some(*idx),
            Resolved::Missing => None,
            Resolved::Ambiguous(all) => all.first().copied(),
        }
    }

    /// How many widgets are named.
    pub fn count(&self) -> usize {
        match self {
            Resolved::One(_) => 1,
            Resolved::Missing => 0,
            Resolved::Ambiguous(all) => all.len(),
        }
    }
}

impl Selector {
    /// Whether no part is given: such a selector names nothing.
    pub fn is_empty(&self) -> bool {
        *self == Selector::default()
    }

    /// Whether the widget has the id, class, text and description given (XPath and instance aside).
    pub fn attributes_match(&self, widget: &Widget) -> bool {
        let equal = |part: &Option<String>, value: &str| part.as_deref().is_none_or(|part| part == value);
        equal(&self.resource_id, widget.resource_id.as_deref().unwrap_or(""))
            && equal(&self.class, &widget.class)
            && equal(&self.text, &widget.text)
            && equal(&self.content_desc, &widget.content_desc)
    }

    /// All widgets named, in document order. An empty selector names none.
    pub fn matches(&self, layout: &Layout) -> Vec<WidgetIdx> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut named: Vec<WidgetIdx> = match &self.xpath {
            Some(xpath) => xpath.select(layout),
            None => layout.iter().map(|(idx, _)| idx).collect(),
        };
        named.retain(|idx| self.attributes_match(layout.widget(*idx)));
        match self.instance {
            Some(instance) => named.get(instance as usize).copied().into_iter().collect(),
            None => named,
        }
    }

    /// What the selector names on the layout.
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
        if let Some(instance) = self.instance {
            parts.push(format!("instance {instance}"));
        }
        f.write_str(&if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") })
    }
}
