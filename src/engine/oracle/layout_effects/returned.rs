//! What the page lacks that a detour came back to, though the detour cannot have meant to change it
//! (`engine/genie/paper.md`, section 11).

use std::collections::BTreeSet;

use super::detour::{asks_nothing, place_of};
use super::effect::Effect;
use super::prepared::Prepared;
use super::{Batch, Detour, Places, TestPair, WidgetKind};
use crate::oracle::layout_effects::rows_by_widget;
use taproof_screen::{Text, Widget, WidgetFlags, WidgetIdx};

/// The losses at the end of the detour, at most one batch.
pub(super) fn lost_at_return(test: TestPair<'_>) -> Option<Batch> {
    let at = test.position + test.inserted;
    let shown = |index: usize| test.mutant.get(index)?.as_deref();
    let (detour, pivot, back) = (test.detour?, shown(test.position)?, shown(at)?);
    let control = test.seed.get(test.position)?.as_deref()?;
    let one_page = place_of(&pivot.layout) == place_of(&back.layout);
    // A message about what was done goes by itself.
    if !one_page || pivot.layout.tells() || !asks_nothing(&pivot.layout) {
        return None;
    }
    let losses = if detour.passes { gone } else { unchecked };
    let mut lost = losses(pivot, back, detour);
    // Where the seed test has rested instead, what went by itself is not lost by the detour.
    let by_itself = losses(pivot, control, detour);
    lost.retain(|effect| by_itself.iter().all(|other| other.from != effect.from));
    (!lost.is_empty()).then(|| Batch {
        places: Places { seed: (test.position, test.position), mutant: (test.position, at) },
        unmatched_seed: lost,
        unmatched_mutant: Vec::new(),
        firm: true,
        at_return: true,
    })
}

/// What is gone outside of lists, after a detour that only opened and closed pages.
fn gone(pivot: &Prepared, back: &Prepared, detour: &Detour) -> Vec<Effect> {
    // A page that was opened again begins with its first tab.
    if detour.reopens && pivot.layout.selected_labels() != back.layout.selected_labels() {
        return Vec::new();
    }
    let fewer = |idx: &WidgetIdx| {
        let label = pivot.label(*idx);
        pivot.is_kept(*idx)
            && back.count(label) < pivot.count(label)
            && pivot.list_around(*idx).is_none()
            && !is_out_of_sight(*idx, pivot, back)
    };
    let gone: Vec<WidgetIdx> = pivot.layout.iter().map(|(idx, _)| idx).filter(fewer).collect();
    // What asked for an answer, such as whether to undo something, does not wait for it. A page that was opened again
    // shows its data as before, but not how it was looked at, such as through a filter.
    let passes_away = |idx: &WidgetIdx| {
        let widget = pivot.layout.widget(*idx);
        let asks = widget.short_class() == "Button" && !widget.text.is_empty();
        asks || (detour.reopens && (widget.is_actionable() || widget.text.is_empty()))
    };
    if gone.iter().any(passes_away) {
        return Vec::new();
    }
    gone.into_iter().map(|idx| loss(pivot, back, idx, None)).collect()
}

/// Whether a widget of the pivot may be there without being seen: it is in something that scrolls, and what comes before
/// it there, or else after it, has moved as far as takes it over the edge. A page that was opened again begins at its top.
fn is_out_of_sight(idx: WidgetIdx, pivot: &Prepared, back: &Prepared) -> bool {
    let layout = &pivot.layout;
    let Some(area) = layout.ancestors(idx).find(|around| layout.widget(*around).scrollable()) else {
        return false;
    };
    let top = |side: &Prepared, label: u64| {
        let same = |(other, _): &(WidgetIdx, &Widget)| side.label(*other) == label;
        side.layout.iter().find(same).map(|(_, widget)| widget.bounds.top)
    };
    let moved = |other: WidgetIdx| {
        let label = pivot.label(other);
        let only = pivot.count(label) == 1 && back.count(label) == 1;
        top(back, label).filter(|_| only).map(|now| now - layout.widget(other).bounds.top)
    };
    let inside = || layout.subtree(area).filter(|other| *other != area);
    let before: Vec<WidgetIdx> = inside().take_while(|other| *other < idx).collect();
    let after = inside().skip_while(|other| *other <= idx);
    let Some(down) = before.into_iter().rev().chain(after).find_map(moved) else { return true };
    let (bounds, edges) = (layout.widget(idx).bounds, layout.widget(area).bounds);
    bounds.top + down < edges.top || bounds.bottom + down > edges.bottom
}

/// The rows that are not checked any more, after a detour that filled in a form and touched neither them
/// nor anything that is checked like them.
fn unchecked(pivot: &Prepared, back: &Prepared, detour: &Detour) -> Vec<Effect> {
    if !detour.types {
        return Vec::new();
    }
    let (before, after) = (Checks::of(pivot), Checks::of(back));
    let was_touched = |texts: &BTreeSet<&Text>| texts.iter().any(|text| detour.texts.contains(*text));
    let mut lost = Vec::new();
    for (texts, idx) in before.checked.iter().filter(|(texts, _)| !was_touched(texts)) {
        let widget = pivot.layout.widget(*idx);
        let only = |checks: &Checks<'_>, side: &Prepared| {
            let like = |at: WidgetIdx| widget.same_type(side.layout.widget(at));
            checks.all().filter(|(other, at)| other == texts && like(*at)).count() == 1
        };
        let toggled = detour.checks.contains(&WidgetKind::of(&pivot.layout, widget));
        if toggled || !only(&before, pivot) || !only(&after, back) {
            continue;
        }
        let mut unchecked = after.unchecked.iter();
        let like = |at: WidgetIdx| widget.same_type(back.layout.widget(at));
        if let Some((_, at)) = unchecked.find(|(other, at)| other == texts && like(*at)) {
            lost.push(loss(pivot, back, *idx, Some(*at)));
        }
    }
    lost
}

/// The checkable widgets in rows, with the texts of their rows.
struct Checks<'a> {
    checked: Vec<(BTreeSet<&'a Text>, WidgetIdx)>,
    unchecked: Vec<(BTreeSet<&'a Text>, WidgetIdx)>,
}

impl<'a> Checks<'a> {
    fn of(side: &'a Prepared) -> Checks<'a> {
        let layout = &side.layout;
        let rows = rows_by_widget(layout);
        let mut checks = Checks { checked: Vec::new(), unchecked: Vec::new() };
        for (idx, widget) in layout.iter().filter(|(_, widget)| widget.flags.has(WidgetFlags::CHECKABLE)) {
            let Some(row) = rows.get(idx.index()).copied().flatten() else { continue };
            let texts = layout.texts_in(row).collect();
            let is_checked = widget.flags.has(WidgetFlags::CHECKED);
            if is_checked { &mut checks.checked } else { &mut checks.unchecked }.push((texts, idx));
        }
        checks
    }

    fn all(&self) -> impl Iterator<Item = &(BTreeSet<&'a Text>, WidgetIdx)> {
        self.checked.iter().chain(&self.unchecked)
    }
}

/// The effect that takes a widget of the pivot away, or makes it the other one.
fn loss(pivot: &Prepared, back: &Prepared, from: WidgetIdx, to: Option<WidgetIdx>) -> Effect {
    let (origin, outcome) = (pivot.label(from), to.map_or(0, |to| back.label(to)));
    Effect {
        from: Some(from),
        to,
        contexts: (origin, outcome),
        origin,
        outcome,
        replaces: to.is_none(),
        joins: false,
        list: None,
        holds_others: pivot.holds_others(from),
        in_member: false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EffectComparison, EffectRule};
    use taproof_screen::{
        Event, Gesture, Key, Layout, PxRect, Selector, Step, StepRole, Text, Trace, Verdict, Widget,
        WidgetFlags, WidgetIdx, frame_of, layout_from,
    };

    const LIST: &str = "LinearLayout\n  TextView \"Books\"\n  ImageButton#search (search)\n  ImageButton#sort \
                        (sort)\n  RecyclerView#list\n    LinearLayout#row\n      TextView \"Maps\"\n";
    const UNSORTED: &str = "LinearLayout\n  TextView \"Books\"\n  ImageButton#search (search)\n  \
                            RecyclerView#list\n    LinearLayout#row\n      TextView \"Maps\"\n";
    const SEARCH: &str = "FrameLayout\n  EditText#query\n";

    fn done(trace: &mut Trace, role: StepRole, what: &str, after: &str) {
        let named =
            |id: &str| Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
        let on = std::sync::Arc::clone(&trace.last().layout);
        let event = match what.split_once(' ') {
            Some((id, text)) => Event::on(&on, named(id), Gesture::SetText(text.to_owned())).unwrap(),
            None if what == "back" => Event::Key(Key::Back),
            None => Event::on(&on, named(what), Gesture::Tap).unwrap(),
        };
        trace.push(Step { event, role, after: frame_of(layout_from(after)) });
    }

    fn back_step(after: &str) -> Step {
        Step { event: Event::Key(Key::Back), role: StepRole::Inserted, after: frame_of(layout_from(after)) }
    }

    fn tapped(on: &str, id: &str) -> Event {
        let named = Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
        Event::on(&layout_from(on), named, Gesture::Tap).unwrap()
    }

    /// Whether the detour, which begins on the first page of a seed test, loses something when it is back.
    fn loses(start: &str, detour: &[(&str, &str)]) -> bool {
        let mut seed = Trace::start(frame_of(layout_from(start)));
        let mut mutant = seed.clone();
        detour.iter().for_each(|(what, after)| done(&mut mutant, StepRole::Inserted, what, after));
        done(&mut seed, StepRole::Seed, "back", start);
        lost(&seed, &mutant)
    }

    fn lost(seed: &Trace, mutant: &Trace) -> bool {
        let rule = EffectRule { at_return: true, visible_loss: true, ..EffectRule::default() };
        let comparison = EffectComparison { rule, ..EffectComparison::default() };
        matches!(comparison.judge(mutant, seed), Verdict::Violated(_))
    }

    #[test]
    fn what_a_visit_takes_away_is_lost() {
        let visit = |back| [("search", SEARCH), ("back", SEARCH), ("back", back)];
        assert!(loses(LIST, &visit(UNSORTED)));
        assert!(!loses(LIST, &visit(LIST)));
        assert!(!loses(LIST, &visit(SEARCH)), "it did not come back");
        let types = [("search", SEARCH), ("query owl", SEARCH), ("back", UNSORTED)];
        assert!(!loses(LIST, &types), "whoever types may change something");
    }

    #[test]
    fn a_menu_over_the_page_is_closed_and_not_lost() {
        let menu = "FrameLayout\n  TextView \"Books\"\n  ImageButton#create (create)\n  View#overlay\n  LinearLayout\n    \
                    ImageButton#file (file)\n      TextView \"File\"\n";
        let closed = "FrameLayout\n  TextView \"Books\"\n  ImageButton#create (create)\n";
        let opened = |menu: &str, covers: bool| {
            let layout = layout_from(menu);
            layout.with_changed(if covers { &[WidgetIdx(3)] } else { &[] }, |overlay| {
                overlay.bounds = PxRect::new(0, 0, 1080, 1920);
                overlay.flags = overlay.flags.with(WidgetFlags::CLICKABLE, true);
            })
        };
        let loses = |start: Layout| {
            let mut seed = Trace::start(frame_of(start));
            let mut mutant = seed.clone();
            done(&mut mutant, StepRole::Inserted, "file", SEARCH);
            done(&mut mutant, StepRole::Inserted, "back", SEARCH);
            done(&mut mutant, StepRole::Inserted, "back", closed);
            done(&mut seed, StepRole::Seed, "back", closed);
            lost(&seed, &mutant)
        };
        assert!(!loses(opened(menu, true)));
        let empty = menu.replace("ImageButton#create (create)", "TextView \"No books\"");
        assert!(!loses(opened(&empty, true)), "nothing can be used on the page");
        assert!(loses(opened(menu, false)), "a button of the page");
    }

    #[test]
    fn what_a_page_opened_again_does_not_show_unscrolled_is_not_lost() {
        let page = |moved: i32, summary: &str| {
            let notation = format!(
                "LinearLayout\n  TextView \"Settings\"\n  ImageButton#up (up)\n  ScrollView#area\n    TextView \
                 \"Clear\"\n{summary}"
            );
            let layout = layout_from(&notation).with_changed(&[WidgetIdx(3)], |area| {
                area.bounds = PxRect::new(0, 300, 1080, 600);
                area.flags = area.flags.with(WidgetFlags::SCROLLABLE, true);
            });
            layout.with_changed(&[WidgetIdx(4)], |title| {
                title.bounds = PxRect::new(0, 400 + moved, 1080, 500 + moved);
            })
        };
        let summary = "    TextView \"All of it\"\n";
        let reopened = |back: Layout| {
            let mut seed = Trace::start(frame_of(page(0, summary)));
            let mut mutant = seed.clone();
            done(&mut mutant, StepRole::Inserted, "back", LIST);
            mutant.push(Step { event: tapped(LIST, "row"), after: frame_of(back), ..back_step(LIST) });
            done(&mut seed, StepRole::Seed, "back", LIST);
            lost(&seed, &mutant)
        };
        assert!(!reopened(page(60, "")), "it is below the edge");
        assert!(reopened(page(0, "")));
    }

    #[test]
    fn what_goes_by_itself_in_the_time_of_the_detour_is_not_lost() {
        let page = |tip: u32| format!("{LIST}  TextView#tip \"Tip {tip}\"\n");
        let lost_beside = |rested: u32| {
            let mut seed = Trace::start(frame_of(layout_from(&page(1))));
            let mut mutant = seed.clone();
            done(&mut mutant, StepRole::Inserted, "search", SEARCH);
            done(&mut mutant, StepRole::Inserted, "back", SEARCH);
            done(&mut mutant, StepRole::Inserted, "back", &page(2));
            seed.push(Step { role: StepRole::Appended, ..back_step(&page(rested)) });
            done(&mut seed, StepRole::Seed, "search", SEARCH);
            lost(&seed, &mutant)
        };
        assert!(!lost_beside(2), "the tip is another one after the pause, too");
        assert!(lost_beside(1));
    }

    #[test]
    fn a_container_alone_is_nothing_that_a_person_misses() {
        let visit = [("search", SEARCH), ("back", SEARCH), ("back", LIST)];
        let with = |inner: &str| format!("{LIST}  FrameLayout#banner\n    {inner}\n");
        assert!(!loses(&with("View#line"), &visit));
        assert!(loses(&with("TextView \"Sale\""), &visit));
    }

    #[test]
    fn a_tab_that_a_page_opened_again_does_not_begin_with_takes_nothing_away() {
        let page = |tab: u32, shown: &str| {
            let tabs = "LinearLayout\n  TextView#tab \"Details\"\n  TextView#tab \"More\"\n  ImageButton#edit (edit)\n";
            let layout = layout_from(&format!("{tabs}  TextView \"Rex\"\n{shown}"));
            layout.with_changed(&[WidgetIdx(tab)], |tab| {
                tab.flags = tab.flags.with(WidgetFlags::SELECTED, true)
            })
        };
        let more = "  TextView \"Sex\"\n  TextView#value \"Female\"\n";
        let reopens = |back: Layout| {
            let mut seed = Trace::start(frame_of(page(2, more)));
            let mut mutant = seed.clone();
            done(&mut mutant, StepRole::Inserted, "back", LIST);
            mutant.push(Step { event: tapped(LIST, "row"), after: frame_of(back), ..back_step(LIST) });
            done(&mut seed, StepRole::Seed, "back", LIST);
            lost(&seed, &mutant)
        };
        assert!(!reopens(page(1, "")));
        assert!(reopens(page(2, "")), "the same tab shows less");
    }

    #[test]
    fn a_star_that_another_object_takes_away_is_lost() {
        let list = |rows: &[(&str, bool)]| {
            let row = |(name, star): &(&str, bool)| {
                let star = if *star { "checked" } else { "unchecked" };
                format!("    LinearLayout#row\n      TextView \"{name}\"\n      CheckBox#star ({star})\n")
            };
            let head = "LinearLayout\n  TextView \"Books\"\n  ImageButton#new (new)\n  RecyclerView#list\n";
            format!("{head}{}", rows.iter().map(row).collect::<String>())
        };
        let check = |notation: &str| {
            let layout = layout_from(notation);
            let checked =
                |(idx, widget): (WidgetIdx, &Widget)| (&*widget.content_desc == "checked").then_some(idx);
            let stars = layout.iter().filter(|(_, widget)| widget.short_id() == Some("star"));
            let stars: Vec<WidgetIdx> = stars.map(|(idx, _)| idx).collect();
            let on: Vec<WidgetIdx> = layout.iter().filter_map(checked).collect();
            let with_stars = layout.with_changed(&stars, |star| {
                star.flags = star.flags.with(WidgetFlags::CHECKABLE, true);
                star.content_desc = Text::from("Star");
            });
            with_stars.with_changed(&on, |star| star.flags = star.flags.with(WidgetFlags::CHECKED, true))
        };
        let before = list(&[("Maps", true), ("Tales", false)]);
        let adds = |after: &str| {
            let mut seed = Trace::start(frame_of(check(&before)));
            let mut mutant = seed.clone();
            done(&mut mutant, StepRole::Inserted, "new", SEARCH);
            done(&mut mutant, StepRole::Inserted, "query owl", SEARCH);
            mutant.push(Step { after: frame_of(check(after)), ..back_step(SEARCH) });
            done(&mut seed, StepRole::Seed, "back", SEARCH);
            lost(&seed, &mutant)
        };
        assert!(adds(&list(&[("Maps", false), ("Tales", false), ("owl", false)])));
        assert!(!adds(&list(&[("Maps", true), ("Tales", false), ("owl", false)])));
        assert!(!adds(&list(&[("Tales", false), ("owl", false)])), "the row is gone, too");
    }
}
