//! What a person would miss on one screen of a page that another one showed.

use std::collections::{BTreeMap, BTreeSet};
use taproof_screen::words;

use super::noticed::{Noticed, State};
use super::places::Place;
use super::rows::rows;
use taproof_screen::{InFront, Layout, Widget, WidgetIdx, is_dialog, one_line, same_page, screen_for_people};

words! {
    /// What kind of thing is different.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Aspect {
        /// Rows of a list are gone, new or in another order: the app's data.
        Rows = "changes the rows",
        /// The text of a field, which was typed and not saved.
        Typed = "loses typed text",
        /// A checked state.
        Checked = "loses what was checked",
        /// What was selected, such as rows for an action.
        Selected = "loses what was selected",
        /// What a button without a text says that it does: one that shows less of a list becomes one that shows all.
        Switched = "loses what was switched on",
        /// Another text, such as a title or a count.
        Text = "changes a text",
        /// The page or dialog itself, with what was entered there.
        Page = "loses the page",
        /// What came back only after a while.
        Late = "updates the page late",
        /// Where a list was scrolled to, and dialogs without input: worth a hint only.
        View = "loses the view",
    }
    /// What is lost, as a part of a sentence.
    pub fn words;
}

/// One difference that a person would notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What kind of thing is different.
    pub aspect: Aspect,
    /// Where, the same on each screen of the page.
    pub place: String,
    /// What was there before, in words.
    pub before: String,
    /// What is there now, in words.
    pub after: String,
    /// How the rows of a list changed.
    pub rows: RowChange,
    /// The widget on the screen before; `None` if it is the page itself.
    pub was: Option<WidgetIdx>,
    /// The widget on the screen after it; `None` if it is gone.
    pub widget: Option<WidgetIdx>,
}

/// How the rows of a list changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowChange {
    /// A row is gone and none has come for it.
    Gone,
    /// There is one more.
    Come,
    /// They are in another order.
    Order,
    /// Others are in their place. Also for a difference that is not one of rows.
    Other,
}

pub(super) const GONE: &str = "gone";
const EMPTY: &str = "empty";

impl Difference {
    /// What a person sees, as a part of a sentence. It may tell more than the kind of difference.
    pub fn words(&self) -> &'static str {
        match self.aspect {
            Aspect::Typed if self.after == EMPTY => "empties a field",
            Aspect::Typed if self.after != GONE => "changes a field",
            Aspect::Switched => "changes a button",
            other => other.words(),
        }
    }

    /// A difference of this kind, of which nothing more is known.
    pub(super) fn of(aspect: Aspect) -> Difference {
        let (place, before, after) = (String::new(), String::new(), String::new());
        Difference { aspect, place, before, after, rows: RowChange::Other, was: None, widget: None }
    }
}

/// Compares two screens of an app that should show the same. Another page is the only difference then.
pub fn differences(before: &Layout, after: &Layout, app: &str) -> Vec<Difference> {
    let [was, is] = Noticed::on_both(before, after, app);
    if let Some(difference) = other_page((before, after), &was, app) {
        return vec![difference];
    }
    let mut found = Vec::new();
    for (place, list) in &was.lists {
        found.extend(is.lists.get(place).and_then(|now| rows(place, list, now)));
    }
    let hides = |state: &State| was.hidden_on(state, &is);
    states(Aspect::Typed, (&was.fields, &is.fields), hides, &mut found);
    states(Aspect::Checked, (&was.checks, &is.checks), hides, &mut found);
    chosen(&was, &is, &mut found);
    texts(&was, &is, &mut found);
    found
}

/// Another activity, or a dialog that is gone.
fn other_page((before, after): (&Layout, &Layout), was: &Noticed, app: &str) -> Option<Difference> {
    let name = |layout: &Layout| match layout.in_front(app) {
        InFront::App if is_dialog(layout) => format!("{}, a dialog", screen_for_people(layout)),
        InFront::App => screen_for_people(layout),
        _ => "another app".to_owned(),
    };
    let stays = same_page(before, after) || only_scrolled(before, after) || shows_whole(before, after);
    let (dialog, elsewhere) = (is_dialog(before), !stays);
    if !elsewhere && dialog == is_dialog(after) {
        return None;
    }
    // Menus close by themselves, and what was only looked at can be opened again.
    let matters = if dialog { was.holds_input() } else { elsewhere };
    Some(Difference {
        aspect: if matters { Aspect::Page } else { Aspect::View },
        place: String::new(),
        before: name(before),
        after: name(after),
        rows: RowChange::Other,
        was: None,
        widget: None,
    })
}

/// Whether pages of a tree without ids have the same headline and scroll: another part of the page is in sight.
fn only_scrolled(before: &Layout, after: &Layout) -> bool {
    let scrolls = |layout: &Layout| layout.widgets().iter().any(Widget::scrollable);
    let titled = |layout: &Layout| layout.page_name().ends_with('\u{201d}');
    before.page_name() == after.page_name() && [before, after].into_iter().all(|it| titled(it) && scrolls(it))
}

/// Whether all that one screen of an activity says is on the other one, too: the page is one of two panes there.
fn shows_whole(before: &Layout, after: &Layout) -> bool {
    let says = before.says();
    before.activity() == after.activity() && says.len() > 1 && says.is_subset(&after.says())
}

/// Values of widgets by place. A place that is gone counts only if there was something to lose, and if it is not just
/// out of sight, as below the keyboard.
fn states(
    aspect: Aspect,
    (was, is): (&BTreeMap<Place, State>, &BTreeMap<Place, State>),
    hides: impl Fn(&State) -> bool,
    found: &mut Vec<Difference>,
) {
    for (place, state) in was {
        if in_equal_rows(place, was, is) {
            continue;
        }
        let now = is.get(place);
        let held = !state.value.is_empty() && state.value != "not checked";
        let same = now.map_or(!held || !place.row.is_empty(), |now| now.value == state.value);
        if same {
            continue;
        }
        let out_of_sight = now.is_none() && (state.scrolls || hides(state));
        let counts = place.has_id && state.named && !out_of_sight;
        found.push(Difference {
            aspect: if counts { aspect } else { Aspect::View },
            place: place.what.clone(),
            before: format!("{} {}", state.called, shown(&state.value)),
            after: now.map_or(GONE.to_owned(), |now| shown(&now.value)),
            rows: RowChange::Other,
            was: Some(state.widget),
            widget: now.map(|now| now.widget),
        });
    }
}

/// Whether several rows have the same texts and the same states in another order, or some of them may be out of sight:
/// which of them is which cannot be told.
fn in_equal_rows(place: &Place, was: &BTreeMap<Place, State>, is: &BTreeMap<Place, State>) -> bool {
    let values = |of: &BTreeMap<Place, State>| -> Vec<String> {
        let equal = of.iter().filter(|(other, _)| other.what == place.what && other.row == place.row);
        let mut values: Vec<String> = equal.map(|(_, state)| state.value.clone()).collect();
        values.sort_unstable();
        values
    };
    if place.row.is_empty() {
        return false;
    }
    let (was, is) = (values(was), values(is));
    was.len().max(is.len()) > 1 && (was.len() != is.len() || was == is)
}

pub(super) fn shown(value: &str) -> String {
    match value {
        "" => EMPTY.to_owned(),
        "checked" | "not checked" | "selected" => value.to_owned(),
        text => format!("\u{201c}{}\u{201d}", one_line(text)),
    }
}

/// What was selected and is not any more: it is gone or not selected, or something else is selected in its place, such as
/// another tab. Rows that are out of sight are left out.
fn chosen(was: &Noticed, is: &Noticed, found: &mut Vec<Difference>) {
    let rows: BTreeSet<&str> =
        is.lists.values().flat_map(|list| &list.rows).map(|row| row.text.as_str()).collect();
    for (place, state) in &was.selected {
        let in_its_place = is.selected.get(place);
        // A tab bar may have been scrolled, but what is in sight is not selected.
        let left = || is.selectable.get(&(place.what.clone(), state.value.clone()));
        let left =
            in_its_place.filter(|now| now.value != state.value && place.row.is_empty()).and_then(|_| left());
        let of_page = place.row.is_empty();
        // One of two panes may have a tab of the same name, and a list another row.
        let elsewhere = is.selected.iter().any(|(now, is)| match of_page {
            true => now.what == place.what && is.value == state.value,
            false => (&now.what, &now.row) == (&place.what, &place.row),
        });
        let at_edge = !of_page && is.selected_at_edge.contains(&place.what);
        if at_edge || (elsewhere && !(of_page && state.value.is_empty())) {
            continue;
        }
        if left.is_none() && (in_its_place.is_some() || !(of_page || rows.contains(place.row.as_str()))) {
            continue;
        }
        let called = if left.is_some() { shown(&state.value) } else { state.called.clone() };
        let out_of_sight = || in_its_place.is_none() && was.hidden_on(state, is);
        let hint = !state.named || (left.is_none() && of_page && (state.scrolls || out_of_sight()));
        found.push(Difference {
            aspect: if hint { Aspect::View } else { Aspect::Selected },
            place: place.what.clone(),
            before: format!("{called} selected"),
            after: "not selected".to_owned(),
            rows: RowChange::Other,
            was: Some(state.widget),
            widget: left.copied(),
        });
    }
}

/// Texts outside of lists: those of a place that are not there any more. A button that is gone and what may be out of
/// sight are hints.
fn texts(was: &Noticed, is: &Noticed, found: &mut Vec<Difference>) {
    for (place, states) in &was.texts {
        let mut now: Vec<&State> = is.texts.get(place).into_iter().flatten().collect();
        for state in states {
            if let Some(at) = now.iter().position(|other| other.lasting() == state.lasting()) {
                now.remove(at);
                continue;
            }
            let other = now.first();
            // Where things scroll, only an id tells that it is the same one.
            let out_of_sight = state.scrolls && (other.is_none() || states.len() > 1 || !place.has_id);
            let hint = out_of_sight || (other.is_none() && (state.acts || was.hidden_on(state, is)));
            found.push(Difference {
                aspect: match hint {
                    true => Aspect::View,
                    false if place.has_id && state.is_icon && other.is_some_and(|it| it.is_icon) => {
                        Aspect::Switched
                    }
                    false => Aspect::Text,
                },
                place: place.what.clone(),
                before: format!("{} {}", state.called, shown(&state.value)),
                after: other.map_or(GONE.to_owned(), |other| shown(&other.value)),
                rows: RowChange::Other,
                was: Some(state.widget),
                widget: other.map(|other| other.widget),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{WidgetFlags, layout_from};

    const PAGE: &str = "FrameLayout\n  TextView#count \"2 tasks\"\n  EditText#query \"mil\"\n  ListView#list\n    \
                        TextView#name \"Milk\"\n    TextView#name \"Millet\"\n    TextView#name \"Tea\"\n";

    fn check(change: (&str, &str), expected: &[(Aspect, &str, &str)]) {
        let (before, after) = (layout_from(PAGE), layout_from(&PAGE.replace(change.0, change.1)));
        let found = differences(&before, &after, "org.ex");
        let found: Vec<(Aspect, &str, &str)> =
            found.iter().map(|found| (found.aspect, &*found.before, &*found.after)).collect();
        assert_eq!(found, expected, "{change:?}");
    }

    #[test]
    fn each_thing_that_a_person_notices_is_told() {
        check(("", ""), &[]);
        check(("mil\"", "\""), &[(Aspect::Typed, "“query” “mil”", "empty")]);
        check(("2 tasks", "3 tasks"), &[(Aspect::Text, "“count” “2 tasks”", "“3 tasks”")]);
        check(("    TextView#name \"Tea\"\n", ""), &[(Aspect::Rows, "“Tea” in “list”", "gone")]);
        check(("\"Tea\"", "\"Tee\""), &[(Aspect::Rows, "“Tea” in “list”", "“Tee”")]);
        let moved = (
            "    TextView#name \"Milk\"\n    TextView#name \"Millet\"\n",
            "    TextView#name \"Millet\"\n    TextView#name \"Milk\"\n",
        );
        check(moved, &[(Aspect::Rows, "“Milk” before “Millet” in “list”", "“Millet” before “Milk”")]);
    }

    #[test]
    fn a_row_that_is_there_twice_is_still_selected() {
        let page = |names: &[&str], selected: &[u32]| {
            let row = |name: &&str| format!("    LinearLayout#row\n      TextView#name \"{name}\"\n");
            let rows: String = names.iter().map(row).collect();
            let layout = layout_from(&format!("FrameLayout\n  ListView#list\n{rows}"));
            let selected: Vec<WidgetIdx> = selected.iter().map(|row| WidgetIdx(*row)).collect();
            layout.with_changed(&selected, |row| row.flags = row.flags.with(WidgetFlags::SELECTED, true))
        };
        let aspects = |after: &Layout| -> Vec<Aspect> {
            let before = page(&["Tea", "Rye"], &[2]);
            differences(&before, after, "org.ex").into_iter().map(|found| found.aspect).collect()
        };
        assert_eq!(aspects(&page(&["Tea", "Rye"], &[])), [Aspect::Selected]);
        let twice = page(&["Tea", "Tea", "Rye"], &[4]);
        assert_eq!(aspects(&twice), [Aspect::Rows]);
        let cut = twice.with_changed(&[WidgetIdx(1)], |list| {
            list.flags = list.flags.with(WidgetFlags::SCROLLABLE, true);
            // In the middle of the second row.
            list.bounds.bottom = 450;
        });
        assert!(!aspects(&cut).contains(&Aspect::Selected), "{:?}", cut.widget(WidgetIdx(4)).bounds);
    }

    #[test]
    fn a_button_without_a_text_that_says_something_else_was_switched() {
        let page = |says: &str| layout_from(&format!("FrameLayout\n  ImageButton#starred ({says})\n"));
        let found = differences(&page("Show all"), &page("Only with a star"), "org.ex");
        assert_eq!(found.iter().map(|it| it.aspect).collect::<Vec<_>>(), [Aspect::Switched]);
        assert_eq!(differences(&page("Show all"), &page("Show all"), "org.ex"), []);
    }

    #[test]
    fn a_page_that_becomes_one_of_two_panes_is_not_left() {
        let bar = |what: &str, tabs: [&str; 2]| {
            format!("  TextView \"{what}\"\n  TextView \"{}\" ^\n  TextView \"{}\"\n", tabs[0], tabs[1])
        };
        let selected = |notation: &str| {
            let layout = layout_from(&notation.replace(" ^", ""));
            let lines = notation.lines().zip(0..).filter(|(line, _)| line.ends_with('^'));
            let chosen: Vec<WidgetIdx> = lines.map(|(_, at)| WidgetIdx(at)).collect();
            let all: Vec<WidgetIdx> = layout.iter().map(|(idx, _)| idx).skip(1).collect();
            layout
                .with_changed(&all, |it| it.flags = it.flags.with(WidgetFlags::CLICKABLE, true))
                .with_changed(&chosen, |tab| tab.flags = tab.flags.with(WidgetFlags::SELECTED, true))
        };
        let course = format!("FrameLayout\n{}", bar("Course", ["Words", "Details"]));
        let both = format!(
            "FrameLayout\n{}{}",
            bar("Courses", ["Recipes", "Words"]),
            bar("Course", ["Words", "Details"])
        );
        assert_eq!(differences(&selected(&course), &selected(&both), "org.ex"), []);
        let other = both.replace("\"Words\" ^", "\"Words\"");
        let found = differences(&selected(&course), &selected(&other), "org.ex");
        assert_eq!(found.iter().map(|found| found.aspect).collect::<Vec<_>>(), [Aspect::Selected]);
        let list = format!("FrameLayout\n{}", bar("Courses", ["Recipes", "Words"]));
        let found = differences(&selected(&course), &selected(&list), "org.ex");
        assert_eq!(found.first().map(|found| found.aspect), Some(Aspect::Page));
    }

    #[test]
    fn another_tab_that_is_selected_takes_the_selection_from_the_first() {
        let bar = "FrameLayout\n  LinearLayout#tabs\n    TextView \"Details\"\n    TextView \"More\"\n";
        let page = |bar: &str, selected: u32| {
            layout_from(bar)
                .with_changed(&[2, 3].map(WidgetIdx), |tab| {
                    tab.flags = tab.flags.with(WidgetFlags::CLICKABLE, true);
                })
                .with_changed(&[WidgetIdx(selected)], |tab| {
                    tab.flags = tab.flags.with(WidgetFlags::SELECTED, true);
                })
        };
        let found = |before: &Layout, after: &Layout| -> Vec<(Aspect, String)> {
            let found = differences(before, after, "org.ex");
            found.into_iter().map(|found| (found.aspect, found.before)).collect()
        };
        let lost = (Aspect::Selected, "\u{201c}More\u{201d} selected".to_owned());
        assert_eq!(found(&page(bar, 3), &page(bar, 2)), [lost]);
        assert_eq!(found(&page(bar, 3), &page(bar, 3)), []);
        // What is selected may say something else, such as how many there are.
        let counts = |count: &str| page(&bar.replace("More", count), 3);
        let changed = found(&counts("2 new"), &counts("3 new"));
        assert!(changed.iter().all(|(aspect, _)| *aspect != Aspect::Selected), "{changed:?}");
    }

    #[test]
    fn of_equal_rows_it_cannot_be_told_which_one_is_checked() {
        let checked = |which: &[u32]| {
            let row = "    LinearLayout\n      CheckBox#done\n      TextView#name \"Milk\"\n";
            let layout = layout_from(&format!("FrameLayout\n  ListView#list\n{}", row.repeat(2)));
            let which: Vec<WidgetIdx> = which.iter().map(|idx| WidgetIdx(*idx)).collect();
            let layout = layout.with_changed(&[3, 6].map(WidgetIdx), |widget| {
                widget.flags = widget.flags.with(WidgetFlags::CHECKABLE, true);
            });
            layout.with_changed(&which, |widget| widget.flags = widget.flags.with(WidgetFlags::CHECKED, true))
        };
        let found = |was: &[u32], is: &[u32]| differences(&checked(was), &checked(is), "org.ex").len();
        assert_eq!((found(&[3], &[6]), found(&[3], &[3])), (0, 0));
        assert!(found(&[3], &[]) > 0);
    }

    #[test]
    fn what_is_below_the_keyboard_or_cut_at_the_edge_is_not_lost() {
        let aspects = |from: &Layout, to: &Layout| -> Vec<Aspect> {
            differences(from, to, "org.ex").into_iter().map(|found| found.aspect).collect()
        };
        let checked = |layout: Layout, idx: u32| {
            layout.with_changed(&[WidgetIdx(idx)], |widget| {
                let flags = widget.flags.with(WidgetFlags::CHECKABLE, true);
                widget.flags = flags.with(WidgetFlags::CHECKED, true);
            })
        };
        let scrolling = |layout: Layout, idx: u32, bottom: Option<i32>| {
            layout.with_changed(&[WidgetIdx(idx)], |widget| {
                widget.flags = widget.flags.with(WidgetFlags::SCROLLABLE, true);
                widget.bounds.bottom = bottom.unwrap_or(widget.bounds.bottom);
            })
        };
        let form = checked(layout_from("ScrollView\n  EditText#name\n  RadioButton#level \"Low\"\n"), 2);
        let ends = form.widget(WidgetIdx(2)).bounds.bottom;
        let ending_at = |bottom: i32| {
            let short = layout_from("ScrollView\n  EditText#name\n");
            short.with_changed(&[WidgetIdx(0)], |widget| widget.bounds.bottom = bottom)
        };
        assert!(aspects(&form, &ending_at(ends)).contains(&Aspect::Checked), "it is gone");
        let hints = |aspects: Vec<Aspect>| aspects.iter().all(|aspect| *aspect == Aspect::View);
        assert!(hints(aspects(&form, &scrolling(ending_at(ends), 0, None))), "it may be further below");
        let top = form.widget(WidgetIdx(2)).bounds.top;
        assert!(hints(aspects(&form, &ending_at(top))), "the page ends above it now");
        // The name of the last row is out of sight.
        let rows = "ListView#list\n  LinearLayout\n    TextView \"Tea\"\n    CheckBox#star\n  LinearLayout\n    CheckBox#star\n";
        let cut = |star: bool| {
            let layout = layout_from(rows);
            let bottom = layout.widget(WidgetIdx(4)).bounds.bottom;
            let layout = scrolling(layout, 0, Some(bottom));
            if star { checked(layout, 5) } else { layout }
        };
        assert_eq!(aspects(&cut(true), &cut(false)), []);
    }

    #[test]
    fn containers_that_nobody_can_name_are_hints() {
        let page = |says: &str, flag: WidgetFlags, set: bool| {
            let layout = layout_from(&format!("FrameLayout\n  LinearLayout#a\n    ImageView#b{says}\n"));
            layout.with_changed(&[WidgetIdx(1)], |it| {
                it.flags = it.flags.with(WidgetFlags::CHECKABLE, true).with(flag, set);
            })
        };
        for (flag, expected) in
            [(WidgetFlags::SELECTED, Aspect::Selected), (WidgetFlags::CHECKED, Aspect::Checked)]
        {
            let found = |says: &str| -> Vec<Aspect> {
                let found = differences(&page(says, flag, true), &page(says, flag, false), "org.ex");
                found.into_iter().map(|found| found.aspect).collect()
            };
            assert_eq!((found(""), found(" (Star)")), (vec![Aspect::View], vec![expected]));
        }
    }

    #[test]
    fn an_order_by_time_and_a_text_without_an_id_that_scrolls_are_hints() {
        let aspects = |from: &Layout, to: &Layout| -> Vec<Aspect> {
            differences(from, to, "org.ex").into_iter().map(|found| found.aspect).collect()
        };
        let list = |rows: [&str; 2]| {
            layout_from(&format!("ListView#list\n  TextView \"{}\"\n  TextView \"{}\"\n", rows[0], rows[1]))
        };
        assert_eq!(
            aspects(&list(["Tea 2 min", "Rest 3 min"]), &list(["Rest 3 min", "Tea 2 min"])),
            [Aspect::View]
        );
        assert_eq!(aspects(&list(["Tea", "Rest"]), &list(["Rest", "Tea"])), [Aspect::Rows]);
        let grid = |cells: [&str; 3]| {
            let [one, two, three] = cells;
            layout_from(&format!(
                "ListView#list\n  LinearLayout\n    TextView \"{one}\"\n    TextView \"{two}\"\n  LinearLayout\n    \
                 TextView \"{three}\"\n"
            ))
        };
        let moved = differences(&grid(["Tea", "Rest", "Milk"]), &grid(["Milk", "Tea", "Rest"]), "org.ex");
        assert_eq!(moved.iter().map(|moved| moved.rows).collect::<Vec<_>>(), [RowChange::Order]);
        let page = |scrolls: bool, text: &str| {
            layout_from(&format!("ScrollView\n  TextView \"{text}\"\n")).with_changed(
                &[WidgetIdx(0)],
                |page| {
                    page.flags = page.flags.with(WidgetFlags::SCROLLABLE, scrolls);
                },
            )
        };
        assert_eq!(aspects(&page(true, "Data"), &page(true, "Safety")), [Aspect::View]);
        assert_eq!(aspects(&page(false, "Data"), &page(false, "Safety")), [Aspect::Text]);
    }

    #[test]
    fn another_page_is_all_that_is_told() {
        let (before, after) =
            (layout_from(PAGE), layout_from("TextView#x \"x\"\n").with_activity("org.ex/.Two".into()));
        let found = differences(&before, &after, "org.ex");
        assert_eq!((found.len(), found[0].aspect), (1, Aspect::Page));
        assert_eq!((&*found[0].before, &*found[0].after), ("the first screen", "the two screen"));
        let after = layout_from("TextView#x \"x\"\n").with_activity("org.home/.Main".into());
        assert_eq!(differences(&before, &after, "org.ex")[0].after, "another app");
    }
}
