//! The ways that depend on the screen: what an app must offer, and where that leads.

use super::is_open;
use super::relation::{BACK, FOUND, Found, and_back, tapped};
use taproof_screen::{
    Direction, Event, Gesture, Key, Layout, PxRect, Selector, TouchTarget, Widget, WidgetFlags, WidgetIdx,
    event_on, is_of_app, touched_widget,
};

/// Whether rows are selected. A list with one row may not look like a list, but what can be pressed long is a row. Android's
/// guide has an action end the selection as soon as it is chosen.
fn selecting(layout: &Layout) -> bool {
    let selected = |widget: &Widget| widget.flags.has(WidgetFlags::SELECTED);
    let is_row = |idx, widget: &Widget| layout.list_item_around(idx).is_some() || widget.long_clickable();
    layout.iter().any(|(idx, widget)| selected(widget) && is_row(idx, widget))
}

/// Opening a menu, a dialog or another page and going back without having done anything there.
pub(super) const CANCEL: Found = Found {
    way: |place, rng| {
        let opener = rng.pick(&place.known.openers).filter(|_| !selecting(place.layout))?;
        Some(opener.taps.iter().cloned().chain([BACK]).collect())
    },
    is_way: |events| {
        let is_tap = |event: &Event| tapped(event).is_some();
        let opened = events.split_first().is_some_and(|(menu, rest)| is_tap(menu) && and_back(rest, is_tap));
        opened || and_back(events, is_tap)
    },
    // The tap may have done something else this time.
    goes_on: |next, screen| {
        if *next != BACK {
            return match screen.gone {
                0 => !selecting(screen.layout),
                _ => is_open(screen.layout) && screen.is_where_it_began(),
            };
        }
        is_open(screen.layout)
            || (!screen.is_where_it_began()
                && !screen.went_back()
                && is_of_app(screen.layout.package(), screen.app))
    },
    // The first Back may only have closed the keyboard.
    ends: |screen| {
        let still_open = match screen.is_where_it_began() {
            true => is_open(screen.layout) && !is_open(screen.from),
            false => screen.is_what_it_opened() && is_of_app(screen.layout.package(), screen.app),
        };
        still_open.then_some(BACK)
    },
    // What was opened may have taken the place of the page. Where one activity has all pages, that cannot be told.
    counts: |screen| screen.is_where_it_began() || (screen.from.has_ids() && screen.opened_on_the_page()),
};

/// Going back from a page and opening it again in the same way.
pub(super) const AGAIN: Found = Found {
    way: |place, _| Some(vec![BACK, place.came_by?.tap.clone()]),
    is_way: |events| matches!(events, [back, tap] if *back == BACK && tapped(tap).is_some()),
    goes_on: |next, screen| {
        *next == BACK
            || (!screen.is_where_it_began()
                && !is_open(screen.layout)
                && is_of_app(screen.layout.package(), screen.app))
    },
    counts: |screen| screen.is_where_it_began(),
    ..FOUND
};

/// Whether it scrolls up and down: a swipe across what scrolls sideways touches what is in it.
fn scrolls_upright(layout: &Layout, idx: WidgetIdx, widget: &Widget) -> bool {
    if !widget.scrollable() || SIDEWAYS.iter().any(|class| widget.short_class().starts_with(class)) {
        return false;
    }
    let tops: Vec<i32> = layout.children(idx).map(|child| layout.widget(child).bounds.top).collect();
    tops.len() < 2 || tops.iter().any(|top| *top != tops[0])
}

/// How the names of classes begin that scroll sideways.
const SIDEWAYS: [&str; 2] = ["Horizontal", "ViewPager"];

/// Scrolling a list away and back.
pub(super) const SCROLL: Found = Found {
    way: |place, rng| {
        let list = place.widget(rng, |idx, widget| scrolls_upright(place.layout, idx, widget))?;
        let swipe = |way| event_on(place.layout, list, Gesture::Swipe(way));
        [Direction::Up, Direction::Down].map(swipe).into_iter().collect()
    },
    is_way: |events| {
        let swipes = |event: &Event, way| matches!(event, Event::Widget { gesture: Gesture::Swipe(to), .. } if *to == way);
        matches!(events, [away, back] if swipes(away, Direction::Up) && swipes(back, Direction::Down))
    },
    ..FOUND
};

/// Whether it is a long press.
fn is_press(event: &Event) -> bool {
    matches!(event, Event::Widget { gesture: Gesture::LongPress, .. })
}

/// Selecting a row by a long press and leaving the selection.
pub(super) const SELECT: Found = Found {
    way: |place, rng| {
        let layout = place.layout;
        let is_row = |idx, widget: &Widget| widget.long_clickable() && layout.list_item_around(idx).is_some();
        let row = place.widget(rng, is_row).filter(|_| !selecting(layout))?;
        Some(vec![event_on(layout, row, Gesture::LongPress)?, BACK])
    },
    is_way: |events| and_back(events, is_press),
    // The press may have done something else.
    goes_on: |next, screen| {
        (*next != BACK && !selecting(screen.layout))
            || (screen.is_where_it_began() && (is_open(screen.layout) || selecting(screen.layout)))
    },
    ends: |screen| (screen.is_where_it_began() && selecting(screen.layout)).then_some(BACK),
    ..FOUND
};

/// Whether a second tap takes the first one back. Of several of which one is chosen, it does not.
fn is_switch(widget: &Widget) -> bool {
    let has = |flag| widget.flags.has(flag);
    has(WidgetFlags::CHECKABLE)
        && has(WidgetFlags::CLICKABLE)
        && has(WidgetFlags::ENABLED)
        && !widget.class.ends_with("RadioButton")
}

fn checked(layout: &Layout) -> usize {
    layout.iter().filter(|(_, widget)| widget.flags.has(WidgetFlags::CHECKED)).count()
}

/// What stands in the row of the widget that an event is for: rows move when something in them changes.
fn row_of(event: &Event, layout: &Layout) -> Option<Vec<String>> {
    let row = layout.list_item_around(touched_widget(event, layout)?);
    Some(row.into_iter().flat_map(|row| layout.texts_in(row)).map(|text| text.to_string()).collect())
}

/// Switching something on and off again, or off and on.
pub(super) const TOGGLE: Found = Found {
    way: |place, rng| {
        // In a selection, boxes often select the row.
        let switch = place.widget(rng, |_, widget| is_switch(widget)).filter(|_| !selecting(place.layout))?;
        let tap = event_on(place.layout, switch, Gesture::Tap)?;
        Some(vec![tap.clone(), tap])
    },
    is_way: |events| match events {
        [first, second] => match (tapped(first), tapped(second)) {
            (Some(first), Some(second)) => first.selector == second.selector,
            _ => false,
        },
        _ => false,
    },
    // Before the second tap: nothing else was switched with it, and it is still the same one.
    goes_on: |next, screen| {
        let (from, now) = (screen.from, screen.layout);
        (screen.gone == 0 && !selecting(now))
            || (screen.is_where_it_began()
                && is_open(from) == is_open(now)
                && checked(from).abs_diff(checked(now)) == 1
                && row_of(next, from) == row_of(next, now))
    },
    ..FOUND
};

/// A search for it finds nothing.
const WRITTEN: &str = "qz";

/// Whether this text is written into a field.
fn writes(event: &Event, text: &str) -> bool {
    matches!(event, Event::Widget { gesture: Gesture::SetText(written), .. } if written == text)
}

/// Writing into an empty field, such as that of a search, and clearing it again.
pub(super) const CLEAR: Found = Found {
    way: |place, rng| {
        let field = place.widget(rng, |_, widget| {
            widget.is_editable() && widget.flags.has(WidgetFlags::ENABLED) && widget.text.is_empty()
        })?;
        let write = |text: &str| event_on(place.layout, field, Gesture::SetText(text.to_owned()));
        [WRITTEN, ""].map(write).into_iter().collect()
    },
    is_way: |events| matches!(events, [first, second] if writes(first, WRITTEN) && writes(second, "")),
    goes_on: |_, screen| screen.is_where_it_began(),
    ..FOUND
};

/// Whether the target is one of several choices of a menu or dialog.
fn is_radio(target: &TouchTarget) -> bool {
    target.selector.class.as_deref().is_some_and(|class| class.ends_with("RadioButton"))
}

/// Choosing in a menu what is chosen already, such as the order of a list.
pub(super) const CHOICE: Found = Found {
    way: |place, rng| rng.pick(&place.known.choices).map(|way| way.to_vec()),
    is_way: |events| match events {
        [opener, choice] => match (tapped(opener), tapped(choice)) {
            (Some(opener), Some(choice)) => {
                opener.selector != choice.selector && is_radio(choice) && !takes_back(opener)
            }
            _ => false,
        },
        _ => false,
    },
    goes_on: |next, screen| {
        let chosen = touched_widget(next, screen.layout)
            .is_some_and(|choice| screen.layout.widget(choice).flags.has(WidgetFlags::CHECKED));
        !is_open(screen.layout) || chosen
    },
    ..FOUND
};

/// What the action is called in the languages that are most common among apps.
const UNDO_WORDS: [&str; 7] =
    ["undo", "deshacer", "annuler", "r\u{fc}ckg\u{e4}ngig", "desfazer", "annulla", "\u{64a4}\u{9500}"];

fn says_one_of(words: &[&str], text: &str) -> bool {
    words.contains(&&*text.trim().to_lowercase())
}

/// The widget that offers an action of one of these names.
fn offered(layout: &Layout, words: &[&str]) -> Option<WidgetIdx> {
    let offers = |widget: &Widget| {
        widget.flags.has(WidgetFlags::ENABLED)
            && !widget.flags.has(WidgetFlags::CHECKABLE)
            && (says_one_of(words, &widget.text) || says_one_of(words, &widget.content_desc))
    };
    layout.iter().find(|(_, widget)| offers(widget)).map(|(idx, _)| idx)
}

/// The widget that takes the last action back, if the app offers that.
pub fn undo_offered(layout: &Layout) -> Option<WidgetIdx> {
    offered(layout, &UNDO_WORDS)
}

/// Whether the target is such a widget.
fn takes_back(target: &TouchTarget) -> bool {
    [&target.selector.text, &target.selector.content_desc]
        .into_iter()
        .flatten()
        .any(|text| says_one_of(&UNDO_WORDS, text))
}

/// Taking an action back by what the app offers for that.
pub(super) const UNDO: Found = Found {
    way: |place, rng| rng.pick(&place.known.undoable).map(|way| way.to_vec()),
    is_way: |events| match events {
        [_, undo] => tapped(undo).is_some_and(takes_back),
        _ => false,
    },
    // Where it is offered already, it may take an earlier action back.
    goes_on: |_, screen| match screen.gone {
        0 => undo_offered(screen.layout).is_none(),
        _ => screen.is_where_it_began(),
    },
    ..FOUND
};

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

/// Choosing another filter or tab and the first one again.
pub(super) const FILTER: Found = Found {
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
};

/// What the action is called in the languages that are most common among apps.
const SELECT_ALL_WORDS: [&str; 7] = [
    "select all",
    "seleccionar todo",
    "tout s\u{e9}lectionner",
    "alle ausw\u{e4}hlen",
    "selecionar tudo",
    "seleziona tutto",
    "\u{5168}\u{9009}",
];

/// The widget that selects all rows, if the app offers that.
pub fn select_all_offered(layout: &Layout) -> Option<WidgetIdx> {
    offered(layout, &SELECT_ALL_WORDS)
}

/// Selecting all rows of a list and leaving the selection.
pub(super) const SELECT_ALL: Found = Found {
    way: |place, rng| {
        let all = rng.pick(&place.known.selecting_all).filter(|_| !selecting(place.layout))?;
        Some(all.iter().cloned().chain([BACK]).collect())
    },
    is_way: |events| match events.split_first() {
        Some((press, rest)) => is_press(press) && and_back(rest, |all| tapped(all).is_some()),
        None => false,
    },
    // The press may have done something else.
    goes_on: |_, screen| match screen.gone {
        0 => !selecting(screen.layout),
        _ => screen.is_where_it_began() && selecting(screen.layout),
    },
    ends: |screen| (screen.is_where_it_began() && selecting(screen.layout)).then_some(BACK),
    ..FOUND
};

/// Whether the event does the same when it is repeated from the same state.
fn is_action(event: &Event) -> bool {
    match event {
        Event::Widget { target, gesture } => {
            matches!(gesture, Gesture::Tap | Gesture::LongPress | Gesture::SetText(_)) && !takes_back(target)
        }
        _ => false,
    }
}

/// Whether what the action does to its widget is to be seen before, and not any more.
fn was_undone(action: &Event, before: &Layout, now: &Layout) -> bool {
    let on = |layout: &Layout| touched_widget(action, layout).map(|idx| layout.widget(idx).clone());
    let (was, is): (Option<Widget>, Option<Widget>) = (on(before), on(now));
    let Some(is) = is else { return false };
    match action {
        Event::Widget { gesture: Gesture::SetText(written), .. } => {
            was.is_some_and(|was| *was.text == **written) && *is.text != **written
        }
        // A row that was deleted is back.
        _ => was.is_none_or(|was| (was.flags, &was.text) != (is.flags, &is.text)),
    }
}

/// Taking back what was done last, and doing it again.
pub(super) const REDO: Found = Found {
    way: |place, _| {
        let action = place.undoable.filter(|event| is_action(event))?;
        let undo = event_on(place.layout, undo_offered(place.layout)?, Gesture::Tap)?;
        Some(vec![undo, action.clone()])
    },
    is_way: |events| match events {
        [undo, action] => tapped(undo).is_some_and(takes_back) && is_action(action),
        _ => false,
    },
    // An earlier action may be what was undone.
    goes_on: |next, screen| {
        screen.is_where_it_began() && (screen.gone == 0 || was_undone(next, screen.from, screen.layout))
    },
    ..FOUND
};

/// The tap on the row.
fn tap_on(row: &Selector, by: &Event) -> Option<Event> {
    let target = TouchTarget { selector: row.clone(), ..tapped(by)?.clone() };
    Some(Event::Widget { target, gesture: Gesture::Tap })
}

/// Opening what a row stands for from another list that has the row, such as the results of a search.
pub(super) const ANOTHER_WAY: Found = Found {
    way: |place, rng| {
        let came_by = place.came_by?;
        let row = came_by.row.as_ref()?;
        let list = rng.pick(came_by.lists)?;
        let text = row.text.as_deref()?;
        // What was searched for is replaced by the row's own text.
        let there = list.iter().map(|event| event.with_text(text));
        Some([BACK].into_iter().chain(there).chain([tap_on(row, came_by.tap)?]).collect())
    },
    is_way: |events| match events {
        [back, opener, search @ .., row] => {
            let searches = |text: &str| match search {
                [] => true,
                [written] => writes(written, text),
                [written, key] => writes(written, text) && *key == Event::Key(Key::ImeAction),
                _ => false,
            };
            let text = tapped(row).and_then(|row| row.selector.text.as_deref());
            *back == BACK && tapped(opener).is_some() && text.is_some_and(searches)
        }
        _ => false,
    },
    goes_on: |next, screen| {
        let of_app = is_of_app(screen.layout.package(), screen.app) && !is_open(screen.layout);
        // Of rows with the same text, another one may be opened.
        let is_one = |row: &TouchTarget| row.selector.matches(screen.layout).len() == 1;
        match screen.gone {
            0 => true,
            1 => of_app && !screen.is_where_it_began(),
            _ => of_app && tapped(next).is_none_or(is_one),
        }
    },
    counts: |screen| screen.is_where_it_began(),
    ..FOUND
};

#[cfg(test)]
mod tests {
    use super::super::relation::Screen;
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn what_scrolls_sideways_is_not_swiped_across() {
        let upright = |class: &str, places: &[(i32, i32)]| {
            let layout = layout_from(&format!("{class}#bar\n{}", "  Button \"B\"\n".repeat(places.len())));
            let mut layout = layout.with_changed(&[WidgetIdx(0)], |bar| {
                bar.flags = bar.flags.with(WidgetFlags::SCROLLABLE, true);
            });
            for (at, (left, top)) in (1..).zip(places) {
                layout = layout.with_changed(&[WidgetIdx(at)], |button| {
                    button.bounds = PxRect::new(*left, *top, left + 90, top + 40);
                });
            }
            scrolls_upright(&layout, WidgetIdx(0), layout.widget(WidgetIdx(0)))
        };
        let (beside, below) = ([(0, 0), (90, 0)], [(0, 0), (0, 40)]);
        assert!(upright("RecyclerView", &below) && upright("RecyclerView", &below[..1]));
        assert!(upright("ScrollView", &[]) && upright("GridView", &[beside, [(0, 40), (90, 40)]].concat()));
        assert!(!upright("RecyclerView", &beside) && !upright("HorizontalScrollView", &below[..1]));
        assert!(!upright("ViewPager2", &[]));
    }

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
            (FILTER.goes_on)(
                &next,
                Screen { layout, from, opened, below: &[], pages_below: &[], gone: 1, app: "org.ex" },
            )
        };
        assert!(goes_on(&then, 2));
        assert!(goes_on(&beside, 2));
        assert!(!goes_on(&beside, 5), "the tab of the pane");
    }

    #[test]
    fn only_an_action_that_was_undone_is_done_again() {
        let page = |title: &str, done: bool| {
            let notation =
                format!("FrameLayout\n  EditText#title \"{title}\"\n  CheckBox#done\n  Button#go \"Go\"\n");
            layout_from(&notation).with_changed(&[WidgetIdx(2)], |check| {
                check.flags = check.flags.with(WidgetFlags::CHECKED, done);
            })
        };
        let (typed, ticked, plain) = (page("Milk", false), page("", true), page("", false));
        let write = event_on(&plain, WidgetIdx(1), Gesture::SetText("Milk".to_owned())).unwrap();
        let tick = event_on(&plain, WidgetIdx(2), Gesture::Tap).unwrap();
        assert!(was_undone(&write, &typed, &plain) && was_undone(&tick, &ticked, &plain));
        assert!(!was_undone(&write, &ticked, &plain) && !was_undone(&tick, &typed, &plain));
        let row = event_on(&plain, WidgetIdx(3), Gesture::LongPress).unwrap();
        assert!(was_undone(&row, &layout_from("FrameLayout\n  TextView#empty \"None\"\n"), &plain));
        assert!(!was_undone(&row, &plain, &plain));
    }
}
