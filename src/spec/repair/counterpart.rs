//! Which widget of a new version takes the place of one of the old version, on screens that show the same.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::likeness::likeness;
use super::portrait::{Portrait, is_touchable};
use super::walk::Sight;
use taproof_screen::{CommonWords, Layout, Widget, WidgetIdx, meanings, names_alike};

/// A widget that is less like the old one does not take its place.
const LEADS: f64 = 0.4;

/// What is done to a widget: only widgets to which the same is done take the place of each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Field,
    Touchable,
    Scrolled,
    Other,
}

fn kind(layout: &Layout, idx: WidgetIdx) -> Kind {
    let widget = layout.widget(idx);
    match widget {
        _ if widget.is_text_field() => Kind::Field,
        _ if is_touchable(layout, idx) => Kind::Touchable,
        _ if widget.scrollable() => Kind::Scrolled,
        _ => Kind::Other,
    }
}

/// The widget of a new version in the place of the one that was seen in the old version: the likest if each widget of the
/// new screen takes the place of one only. In a list, it is that in the row with the same texts, as `same_row` says, or
/// else in the row at the same place.
pub fn counterpart(
    old: &Sight,
    new: &Layout,
    same_row: impl Fn(WidgetIdx, WidgetIdx) -> bool,
) -> Option<WidgetIdx> {
    let (kind_of, item) = (kind(&old.layout, old.widget), old.layout.list_item_around(old.widget));
    let among = |layout: &Layout, within: Option<WidgetIdx>| -> Vec<WidgetIdx> {
        let fits = |idx: &WidgetIdx| {
            let around = layout.list_item_around(*idx);
            kind(layout, *idx) == kind_of && !layout.widget(*idx).bounds.is_empty() && around == within
        };
        layout.iter().map(|(idx, _)| idx).filter(fits).collect()
    };
    let now = match item {
        Some(item) => Some(row_of(&old.layout, item, new, same_row)?),
        None => None,
    };
    let (olds, news) = (among(&old.layout, item), among(new, now));
    assigned((&old.layout, &olds), (new, &news), old.widget)
}

/// The row that shows the same, with the same number of equal rows before it; else that at the same place among those that
/// the other version does not show.
fn row_of(
    old: &Layout,
    item: WidgetIdx,
    new: &Layout,
    same: impl Fn(WidgetIdx, WidgetIdx) -> bool,
) -> Option<WidgetIdx> {
    let (before, now) = (list_items(old), list_items(new));
    let alike: Vec<WidgetIdx> = now.iter().copied().filter(|it| same(item, *it)).collect();
    if let Some(first) = alike.first() {
        let equals = before.iter().filter(|it| **it < item && same(**it, *first)).count();
        return alike.get(equals).or(alike.last()).copied();
    }
    let is_left = |it: &WidgetIdx| !now.iter().any(|other| same(*it, *other));
    let place = before.iter().copied().filter(is_left).position(|it| it == item)?;
    now.iter().copied().filter(|it| !before.iter().any(|other| same(*other, *it))).nth(place)
}

/// The items of all lists of a screen, from the top.
pub fn list_items(layout: &Layout) -> Vec<WidgetIdx> {
    let items: BTreeSet<WidgetIdx> =
        layout.iter().filter_map(|(idx, _)| layout.list_item_around(idx)).collect();
    items.into_iter().collect()
}

/// The new widget of the old one, if pairs are formed from the likest to the least like.
fn assigned(
    (old, olds): (&Layout, &[WidgetIdx]),
    (new, news): (&Layout, &[WidgetIdx]),
    wanted: WidgetIdx,
) -> Option<WidgetIdx> {
    let commons = CommonWords::of(old.widgets().iter().filter_map(Widget::short_id));
    let seen = |layout: &Layout, all: &[WidgetIdx]| -> Vec<Portrait> {
        let portrait = |idx: &WidgetIdx| {
            let portrait = Portrait::seen(layout, *idx, false);
            // What a container is called stands in it.
            let label = || layout.label_of(*idx).filter(|_| !layout.is_leaf(*idx)).map(str::to_owned);
            Portrait { says: portrait.says.clone().or_else(label), ..portrait }
        };
        all.iter().map(portrait).collect()
    };
    let (before, now) = (seen(old, olds), seen(new, news));
    let mut scored: Vec<(f64, Reverse<usize>, Reverse<usize>)> = Vec::new();
    for (one, portrait) in before.iter().enumerate() {
        for (other, candidate) in now.iter().enumerate() {
            let score = likeness(portrait, candidate, &commons).score;
            if score >= LEADS {
                scored.push((score, Reverse(one), Reverse(other)));
            }
        }
    }
    scored.sort_by(|one, other| other.0.total_cmp(&one.0).then((other.1, other.2).cmp(&(one.1, one.2))));
    let (mut taken, mut left) = (vec![false; olds.len()], vec![true; news.len()]);
    for (_, Reverse(one), Reverse(other)) in scored {
        if !taken[one] && left[other] {
            if olds[one] == wanted {
                return Some(news[other]);
            }
            (taken[one], left[other]) = (true, false);
        }
    }
    None
}

/// The button that opens the menu of a page, in which a button of the old version may be now.
pub fn menu_of(layout: &Layout) -> Option<WidgetIdx> {
    let buttons = layout.iter().filter(|(idx, _)| layout.list_item_around(*idx).is_none());
    let mut buttons = buttons.filter(|(idx, _)| is_touchable(layout, *idx));
    buttons.find(|(_, widget)| widget.says().is_some_and(super::proposal::opens_menu)).map(|(idx, _)| idx)
}

/// The entry of a menu that is called like a widget of the old version.
pub fn entry_like(old: &Sight, menu: &Layout) -> Option<WidgetIdx> {
    const ALIKE: f64 = 0.6;
    let label = old.layout.label_of(old.widget)?;
    let like = |idx| names_alike(label, menu.label_of(idx).unwrap_or_default(), &CommonWords::default());
    let entries = menu.iter().map(|(idx, _)| idx).filter(|idx| is_touchable(menu, *idx));
    let best = entries
        .map(|idx| (like(idx), Reverse(idx)))
        .max_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    best.filter(|(alike, _)| *alike >= ALIKE).map(|(_, Reverse(idx))| idx)
}

/// The buttons of a screen that a new version has in between, the likeliest to go on first.
pub fn ways_on(layout: &Layout) -> Vec<WidgetIdx> {
    let mut found: Vec<(i64, WidgetIdx)> = Vec::new();
    for (idx, widget) in layout.iter().filter(|(idx, _)| is_touchable(layout, *idx)) {
        let says = [&*widget.text, &*widget.content_desc].into_iter().find(|words| !words.is_empty());
        if let Some(says) = says.filter(|_| !widget.is_text_field()) {
            let affirms = super::proposal::affirms(says, widget) - 0.01 * meanings(says).len() as f64;
            found.push(((-1000.0 * affirms) as i64, idx));
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, idx)| idx).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use taproof_screen::layout_from;

    fn of(old: &str, widget: u32, new: &str) -> Option<u32> {
        let new = layout_from(new);
        let sight = Sight { layout: Arc::new(layout_from(old)), widget: WidgetIdx(widget) };
        let texts = |layout: &Layout, row| layout.texts_in(row).cloned().collect::<Vec<_>>();
        let same = |one, other| texts(&sight.layout, one) == texts(&new, other);
        counterpart(&sight, &new, same).map(|idx| idx.0)
    }

    #[test]
    fn buttons_that_changed_places_and_names_are_told_apart() {
        let old = "FrameLayout\n  Button#delete \"Delete\" *\n  Button#edit \"Edit\" *\n";
        let new = "FrameLayout\n  Button#change \"Change\" *\n  Button#delete \"Remove\" *\n";
        assert_eq!([1, 2].map(|widget| of(old, widget, new)), [Some(2), Some(1)]);
    }

    #[test]
    fn a_row_is_found_by_its_texts_or_else_by_its_place() {
        let list = "ListView\n  TextView#row \"a\" *\n  TextView#row \"b\" *\n";
        assert_eq!(of(list, 2, "ListView\n  TextView#row \"b\" *\n  TextView#row \"a\" *\n"), Some(1));
        assert_eq!(of(list, 2, "ListView\n  TextView#row \"a\" *\n  TextView#row \"c\" *\n"), Some(2));
        assert_eq!(of(list, 2, "ListView\n  TextView#row \"c\" *\n"), None);
    }
}
