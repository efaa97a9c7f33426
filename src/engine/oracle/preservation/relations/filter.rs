//! Choosing another filter or tab and the first one again.

use super::super::is_open;
use super::super::relation::{COMMON, FOUND, Found, Relation, Way, data_and_input, opened_anew, tapped};
use super::cancel::selecting;
use super::choice::is_radio;
use super::undo::takes_back;
use taproof_screen::{Gesture, Layout, PxRect, Widget, WidgetFlags, WidgetIdx, event_on, touched_widget};

/// Whether the widget is one of several of which one is chosen, such as a tab or a chip.
fn is_tab(layout: &Layout, idx: WidgetIdx, widget: &Widget) -> bool {
    let has = |flag| widget.flags.has(flag);
    has(WidgetFlags::CLICKABLE)
        && has(WidgetFlags::ENABLED)
        && !has(WidgetFlags::CHECKABLE)
        && layout.list_item_around(idx).is_none()
}

/// The tabs beside this one that are not chosen.
fn others(layout: &Layout, chosen: WidgetIdx) -> Vec<WidgetIdx> {
    let one = layout.widget(chosen);
    let Some(parent) = one.parent else { return Vec::new() };
    let beside = layout.children(parent).filter(|idx| *idx != chosen);
    beside
        .filter(|idx| {
            let other = layout.widget(*idx);
            other.class == one.class && is_tab(layout, *idx, other) && !is_chosen(other)
        })
        .collect()
}

/// The bounds of what holds a tab and those beside it.
fn bar_of(layout: &Layout, tab: WidgetIdx) -> Option<PxRect> {
    Some(layout.widget(layout.widget(tab).parent?).bounds)
}

fn is_chosen(widget: &Widget) -> bool {
    widget.flags.has(WidgetFlags::SELECTED)
}

pub static RELATION: Relation = Relation {
    name: "filter",
    title: "Choosing another filter or tab and the first again",
    by_hand: "tap another filter or tab, and the first one again",
    needs: "a page with filters or tabs that says which of them is chosen",
    way: Way::Found(Found {
        way: |place, rng| {
            let layout = place.layout;
            let chosen = place.widget(rng, |idx, widget| {
                is_chosen(widget) && is_tab(layout, idx, widget) && !others(layout, idx).is_empty()
            });
            // Where one activity has all pages, an entry of a menu that opens another one looks like a tab.
            let chosen = chosen.filter(|_| layout.has_ids() && !selecting(layout))?;
            let other = *rng.pick(&others(layout, chosen))?;
            [other, chosen].map(|idx| event_on(layout, idx, Gesture::Tap)).into_iter().collect()
        },
        is_way: |events| match events {
            [there, back] => match (tapped(there), tapped(back)) {
                (Some(there), Some(back)) => {
                    there.selector != back.selector
                        && there.selector.class == back.selector.class
                        && !is_radio(back)
                        && ![there, back].into_iter().any(takes_back)
                }
                _ => false,
            },
            _ => false,
        },
        goes_on: |next, screen| {
            // The second tap is to choose again what was chosen where it began.
            let was_chosen =
                touched_widget(next, screen.from).is_some_and(|it| is_chosen(screen.from.widget(it)));
            let opens = screen.gone == 0;
            if opens == was_chosen {
                return false;
            }
            // A tab of the same name may be part of what the other tab shows.
            let bar = |layout| touched_widget(next, layout).and_then(|tab| bar_of(layout, tab));
            if bar(screen.from) != bar(screen.layout) {
                return false;
            }
            (opens && !selecting(screen.layout))
                || (screen.is_where_it_began() && is_open(screen.from) == is_open(screen.layout))
        },
        ..FOUND
    }),
    keeps: |difference, among| data_and_input(difference, among) && opened_anew(difference, among),
    ..COMMON
};

#[cfg(test)]
mod tests {
    use super::super::super::relation::Screen;
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn the_first_tab_is_chosen_again_in_its_own_bar() {
        let tabs = |beside: &str, selected: u32| {
            let bar = "FrameLayout\n  LinearLayout#tabs\n    TextView \"Bills\"\n    TextView \"Goals\"\n";
            layout_from(&format!("{bar}{beside}"))
                .with_changed(&[WidgetIdx(1)], |bar| bar.bounds = PxRect::new(0, 0, 500, 50))
                .with_changed(&[WidgetIdx(2)], |tab| tab.bounds = PxRect::new(0, 0, 250, 50))
                .with_changed(&[WidgetIdx(selected)], |tab| {
                    tab.flags = tab.flags.with(WidgetFlags::SELECTED, true);
                })
        };
        let (from, then) = (tabs("", 2), tabs("", 3));
        let pane = "  LinearLayout#pane\n    TextView \"Bills\"\n";
        let beside = tabs(pane, 3).with_changed(&[WidgetIdx(4), WidgetIdx(5)], |widget| {
            widget.bounds = PxRect::new(600, 0, 900, 50);
        });
        let goes_on = |layout: &Layout, tab: u32| {
            let next = event_on(layout, WidgetIdx(tab), Gesture::Tap).unwrap();
            let (from, opened) = (&from, &from);
            RELATION.goes_on(
                &next,
                Screen { layout, from, opened, below: &[], pages_below: &[], gone: 1, app: "org.ex" },
            )
        };
        assert!(goes_on(&then, 2));
        assert!(goes_on(&beside, 2));
        assert!(!goes_on(&beside, 5), "the tab of the pane");
    }
}
