//! How the places on a screen are called, for comparison and for people, and which of them are lists and rows.

use std::collections::{BTreeMap, BTreeSet};

use super::noticed::State;
use taproof_screen::{Layout, Role, WidgetIdx, id_words, one_line};

/// Names a place on a screen, for comparison and for people: `#title`, `#done of Milk`, `.TextView`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The id of the widget after `#`, its label, or its class after a dot.
    pub what: String,
    /// The row that it is in; empty outside of lists.
    pub row: String,
    /// Whether it is known which widget this is, and whether it should keep its state: Android restores nothing of a view
    /// without an id, but an app whose toolkit has no ids restores everything by itself.
    pub has_id: bool,
    /// Distinguishes widgets of the same name, in the order of the screen.
    pub number: usize,
}

impl Place {
    /// The place as a part of a sentence.
    pub fn words(&self) -> String {
        let name = match (self.what.strip_prefix('#'), self.what.strip_prefix('.')) {
            (Some(id), _) => in_quotes(&id_words(id)),
            (None, Some(class)) => format!("the {}", Role::of_class(class).map_or("part", Role::word)),
            (None, None) => in_quotes(&self.what),
        };
        match self.row.is_empty() {
            true => name,
            false => format!("{name} of {}", in_quotes(&self.row)),
        }
    }
}

/// The places on a screen: which widgets are lists and rows, and how the others are called.
pub(super) struct Places<'l> {
    layout: &'l Layout,
    lists: Vec<bool>,
    has_ids: bool,
    /// How many places of a kind have a name in a row.
    named: BTreeMap<(u8, String, String), usize>,
}

impl<'l> Places<'l> {
    /// `lists` are the paths of further lists, see [`list_places`].
    pub fn of(layout: &'l Layout, lists: &BTreeSet<String>) -> Self {
        let is_list =
            |idx| layout.is_list(idx) || path_of(layout, idx).is_some_and(|path| lists.contains(&path));
        let lists = layout.iter().map(|(idx, _)| is_list(idx)).collect();
        Places { layout, lists, has_ids: layout.has_ids(), named: BTreeMap::new() }
    }

    pub fn is_list(&self, idx: WidgetIdx) -> bool {
        self.lists.get(idx.index()) == Some(&true)
    }

    /// The innermost row that is the widget or contains it.
    pub fn row(&self, idx: WidgetIdx) -> Option<WidgetIdx> {
        let is_row =
            |around: &WidgetIdx| self.layout.widget(*around).parent.is_some_and(|list| self.is_list(list));
        std::iter::once(idx).chain(self.layout.ancestors(idx)).find(is_row)
    }

    /// The place of a widget among those of its kind.
    pub fn next(&mut self, kind: u8, idx: WidgetIdx, row: &str) -> Place {
        let place = self.unnumbered(idx, row);
        let number = self.named.entry((kind, place.what.clone(), row.to_owned())).or_default();
        *number += 1;
        Place { number: *number - 1, ..place }
    }

    pub fn unnumbered(&self, idx: WidgetIdx, row: &str) -> Place {
        let (what, has_id) = self.name_of(idx);
        Place { what, row: row.to_owned(), has_id, number: 0 }
    }

    pub fn state(&self, place: &Place, idx: WidgetIdx, value: &str) -> State {
        let layout = self.layout;
        let is_button = |around| layout.role(around) == Some(Role::Button);
        let acts =
            layout.widget(idx).is_actionable() || (!self.has_ids && layout.ancestors(idx).any(is_button));
        let is_icon = layout.widget(idx).is_actionable() && layout.widget(idx).text.is_empty();
        let scrolls = layout.ancestors(idx).any(|around| layout.widget(around).scrollable());
        let says = || layout.subtree(idx).any(|inner| layout.widget(inner).says().is_some());
        let named = !place.row.is_empty() || Role::of_class(&layout.widget(idx).class).is_some() || says();
        let label = if self.has_ids || !place.row.is_empty() { None } else { self.label_before(idx) };
        let called = label.map_or_else(|| place.words(), in_quotes);
        let top = layout.widget(idx).bounds.top;
        State { widget: idx, top, called, value: value.to_owned(), named, scrolls, acts, is_icon }
    }

    /// The name of a widget on its page, and whether it tells the widget for sure. In a tree without ids it is the label in
    /// the widget, its hint, or what it is for.
    fn name_of(&self, idx: WidgetIdx) -> (String, bool) {
        let layout = self.layout;
        let widget = layout.widget(idx);
        let class = || format!(".{}", widget.short_class());
        if let Some(id) = widget.short_id() {
            return (format!("#{id}"), true);
        }
        if self.has_ids {
            return (class(), false);
        }
        let role = layout.role(idx);
        let inside = || layout.subtree(idx).skip(1).find_map(|inner| layout.widget(inner).labels().next());
        let label = match role {
            Some(Role::Field) if widget.hint.is_empty() => inside(),
            Some(Role::Field) => Some(&*widget.hint),
            Some(Role::CheckBox | Role::Switch | Role::RadioButton) if self.row(idx).is_none() => {
                self.label_before(idx)
            }
            _ => None,
        };
        match (role, label) {
            (_, Some(label)) => (one_line(label), true),
            // Which text this is cannot be told where things scroll.
            (Some(Role::Text), None) => (class(), false),
            (Some(role), None) => (role.to_string(), true),
            (None, None) => (class(), true),
        }
    }

    /// The text before a widget without a name, as people read a page: its label.
    fn label_before(&self, idx: WidgetIdx) -> Option<&'l str> {
        let layout = self.layout;
        let widget = layout.widget(idx);
        let own = layout.label_of(idx);
        if own.is_some() || !widget.is_actionable() {
            return own;
        }
        let before = (0..idx.0).rev().map(WidgetIdx);
        let is_label =
            |before: &WidgetIdx| layout.role(*before) == Some(Role::Text) && self.row(*before).is_none();
        before.take(3).find(is_label).and_then(|label| layout.widget(label).says())
    }
}

/// Where the lists are whose class does not tell that they are lists.
pub(super) fn list_places(layout: &Layout) -> BTreeSet<String> {
    let lists = layout.iter().filter(|(idx, _)| layout.is_list(*idx));
    lists.filter_map(|(idx, _)| path_of(layout, idx)).collect()
}

/// The way to a widget without an id and a telling class: the classes around it, each with its place among its like.
fn path_of(layout: &Layout, idx: WidgetIdx) -> Option<String> {
    let widget = layout.widget(idx);
    if widget.is_list() || widget.resource_id.is_some() || widget.says().is_some() || widget.clickable() {
        return None;
    }
    let step = |idx: WidgetIdx| {
        let widget = layout.widget(idx);
        let siblings = widget.parent.into_iter().flat_map(|parent| layout.children(parent));
        let place =
            siblings.take_while(|other| *other < idx).filter(|it| layout.widget(*it).same_type(widget));
        format!("{} {}/", widget.class, place.count())
    };
    Some(std::iter::once(idx).chain(layout.ancestors(idx)).map(step).collect())
}

fn in_quotes(name: &str) -> String {
    format!("\u{201c}{}\u{201d}", one_line(name))
}
