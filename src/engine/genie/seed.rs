//! Seed tests: random tests that are assumed to be correct, each executed twice (paper.md, section 6).

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::detours::Planned;
use super::groups::selectable_along;
use super::gui_model::{Act, EventClass};
use crate::oracle::layout_effects::LabelBasis;
use crate::oracle::{WidgetKind, layouts_of};
use crate::{Replay, RoundCtx, Stop};
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{
    CandidateAction, Event, Key, Layout, LayoutKey, Same, StepRole, Text, Trace, Widget, WidgetFlags,
    WidgetIdx, drawer_open, is_dialog,
};

/// A seed test: a test that is assumed to be correct.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeedTest {
    /// The trace of its first run.
    pub trace: Trace,
    /// Its events, with the widgets that they were chosen for.
    pub planned: Vec<Planned>,
    /// The kinds of widgets that differed between its two runs.
    pub unstable: Vec<WidgetKind>,
}

impl SeedTest {
    /// The kinds of widgets that receive its events.
    pub fn receivers(&self) -> impl Iterator<Item = WidgetKind> {
        self.planned.iter().filter_map(|planned| match planned.act {
            Act::On(_, widget) => Some(WidgetKind::of(&planned.on, planned.on.widget(widget))),
            Act::Back => None,
        })
    }

    /// The events as they were sent, without those that were appended to another event.
    pub fn events(&self) -> Vec<Event> {
        self.trace.chosen_steps().map(|step| step.event.clone()).collect()
    }

    /// Performs its events on the app with cleared data. `pause`: how long it rests after so many of them.
    pub fn perform(
        &self,
        ctx: &mut RoundCtx<'_>,
        pause: impl Fn(usize) -> Option<DeviceDuration>,
    ) -> Result<(), Stop> {
        ctx.start()?;
        let rest = |performed| pause(performed).map(|pause| (Event::Wait(pause), StepRole::Appended));
        let steps = (1..).zip(self.events());
        let steps = steps.flat_map(|(number, event)| [Some((event, StepRole::Seed)), rest(number)]);
        Replay::of_all(std::iter::once(rest(0)).chain(steps).flatten()).run(ctx)?;
        Ok(())
    }

    /// The layouts before the first event and after each.
    pub fn layouts(&self) -> Vec<Option<Arc<Layout>>> {
        layouts_of(&self.trace)
    }

    /// The layout without the texts of unstable widgets, which do not help to locate a widget again.
    pub fn steady(&self, layout: &Arc<Layout>) -> Arc<Layout> {
        let unstable = |(idx, widget): (WidgetIdx, &Widget)| {
            self.unstable.contains(&WidgetKind::of(layout, widget)).then_some(idx)
        };
        let unstable: Vec<WidgetIdx> = layout.iter().filter_map(unstable).collect();
        match unstable.as_slice() {
            [] => Arc::clone(layout),
            some => Arc::new(layout.with_changed(some, |widget| widget.text = Text::from(""))),
        }
    }

    /// For each layout, the widgets that a detour may begin with: the inactive ones without those that are selected
    /// (not in the paper), since the test is going to use them.
    pub fn inactive(&self) -> Vec<Vec<WidgetIdx>> {
        let layouts = self.layouts();
        let layouts: Vec<Option<&Layout>> = layouts.iter().map(Option::as_deref).collect();
        let receiver = |planned: &Planned| match planned.act {
            Act::On(_, widget) => Some(widget),
            Act::Back => None,
        };
        let receivers: Vec<Option<WidgetIdx>> = self.planned.iter().map(receiver).collect();
        let mut inactive = selectable_along(&layouts, &receivers, LabelBasis::default());
        for (layout, inactive) in layouts.iter().zip(&mut inactive) {
            inactive.retain(|idx| layout.is_some_and(|layout| !is_selected(layout, *idx)));
        }
        inactive
    }

    /// For each layout, the pages that its own page was opened from, and whether one of them or its own was opened for
    /// an object.
    pub fn openings(&self) -> Vec<PageOpening> {
        let mut opened: Vec<(LayoutKey, bool)> = Vec::new();
        let mut along = Vec::new();
        let mut activity: Option<Text> = None;
        for (index, layout) in self.layouts().iter().enumerate() {
            if let Some(layout) = layout {
                let page = layout.key(Same::Page);
                match opened.iter().position(|(earlier, _)| *earlier == page) {
                    Some(known) => opened.truncate(known + 1),
                    None => {
                        // What a menu offers is about the object that the menu was opened for.
                        let mut before = self.planned.iter().take(index).rev();
                        let by = before.find(|planned| !is_dialog(&planned.on));
                        let inside = opened.last().is_some_and(|(_, of_object)| *of_object);
                        let other = activity.as_ref().is_some_and(|before| before != layout.activity());
                        let for_object = other && by.is_some_and(Planned::is_of_object);
                        opened.push((page, inside || for_object));
                    }
                }
                activity = Some(layout.activity().clone());
            }
            let (last, earlier) = opened.split_last().unwrap_or((&(LayoutKey(0), false), &[]));
            along.push(PageOpening {
                behind: earlier.iter().map(|(page, _)| *page).collect(),
                of_object: last.1,
            });
        }
        along
    }

    /// For each position, one more than the number of objects that the test uses before it and touches after it: what a
    /// detour does to them there can become visible later.
    pub fn spans(&self) -> Vec<u32> {
        let touched: Vec<BTreeSet<Text>> = self.planned.iter().map(Planned::shown).collect();
        let mut used: BTreeSet<Text> = BTreeSet::new();
        let mut spans = Vec::new();
        for (position, planned) in self.planned.iter().enumerate() {
            let later: BTreeSet<&Text> = touched[position..].iter().flatten().collect();
            spans.push(1 + used.iter().filter(|text| later.contains(text)).count() as u32);
            used.extend(touched[position].iter().cloned());
            if !planned.text.is_empty() {
                used.insert(Text::from(planned.text.as_str()));
            }
        }
        spans
    }

    /// The words of what the test has chosen before a position: in menus and dialogs, and by taps that set something.
    /// Choosing the same for something else would replace its choice, for instance a second copy replaces what is to be
    /// pasted, whether it is chosen in a menu or by a button.
    pub fn choices(&self, position: usize) -> BTreeSet<Text> {
        let before = self.planned.iter().take(position);
        let in_menus = before.filter(|planned| is_dialog(&planned.on)).flat_map(Planned::shown);
        let set = self.setting(position).into_iter();
        let taps = set.filter(|planned| planned.text.is_empty()).filter_map(Planned::label);
        in_menus.chain(taps.map(Text::from)).collect()
    }

    /// The classes of events with which the test has set something before a position: those that typed into a field,
    /// since typing there again would replace the text, and the taps that changed a page and stayed on it, or came back to
    /// it from a mode of its activity such as a selection, since what they choose may be chosen once only, such as what is
    /// played or to be pasted.
    pub fn set_before(&self, position: usize) -> BTreeSet<EventClass> {
        self.setting(position).into_iter().map(Planned::class).collect()
    }

    fn setting(&self, position: usize) -> Vec<&Planned> {
        let layouts = self.layouts();
        let pages: Vec<Option<LayoutKey>> =
            layouts.iter().map(|it| it.as_deref().map(|layout| layout.key(Same::Page))).collect();
        let changes = |index: usize| {
            let [before, after] = [index, index + 1].map(|at| layouts.get(at).and_then(Option::as_deref));
            before.zip(after).is_some_and(|(before, after)| {
                let differs = before.key(Same::Exact) != after.key(Same::Exact);
                let open = is_dialog(before) || drawer_open(before);
                let comes_back =
                    || before.activity() == after.activity() && pages[..=index].contains(&pages[index + 1]);
                differs && !open && comes_back()
            })
        };
        let sets = |(index, planned): &(usize, &Planned)| match planned.act {
            Act::On(CandidateAction::SetText, _) => true,
            Act::On(CandidateAction::Tap, _) => changes(*index),
            _ => false,
        };
        let before = self.planned.iter().enumerate().take(position);
        before.filter(sets).map(|(_, planned)| planned).collect()
    }

    /// The texts of the objects that the test uses: of the rows and other widgets with texts that it touches on pages,
    /// and the texts that it types.
    pub fn objects(&self) -> BTreeSet<Text> {
        let on_page = |planned: &&Planned| !is_dialog(&planned.on) && !drawer_open(&planned.on);
        let touched = self.planned.iter().filter(on_page).flat_map(Planned::shown);
        let typed = self.planned.iter().filter(|planned| !planned.text.is_empty());
        touched.chain(typed.map(|planned| Text::from(planned.text.as_str()))).collect()
    }
}

/// Whether a widget or something in it is selected.
fn is_selected(layout: &Layout, widget: WidgetIdx) -> bool {
    layout.subtree(widget).any(|idx| layout.widget(idx).flags.has(WidgetFlags::SELECTED))
}

/// How the page of a layout was opened.
pub struct PageOpening {
    /// The pages that it was opened from. Going back to one of them would discard it.
    pub behind: BTreeSet<LayoutKey>,
    /// Whether it, or a page that it was opened from, was opened by touching something that shows a text. Its content
    /// then belongs to an object that the test uses.
    pub of_object: bool,
}

/// A recorded event as a plan represents it. `None` for an event without a widget, before which no detour can be
/// inserted.
pub fn planned(event: &Event, on: &Arc<Layout>) -> Option<Planned> {
    let plan = |act, text: &str| Planned { act, text: text.to_owned(), on: Arc::clone(on) };
    match event {
        Event::Key(Key::Back) => Some(plan(Act::Back, "")),
        Event::Widget { target, gesture } => {
            let action = CandidateAction::of(gesture)?;
            let named = target.selector.matches(on);
            let there = |idx: &&WidgetIdx| on.widget(**idx).bounds.contains(target.at);
            let hit =
                named.iter().find(there).or(named.first()).copied().or_else(|| on.hit_test(target.at))?;
            // A touch on the text of a row is handled by the row.
            let mut around = std::iter::once(hit).chain(on.ancestors(hit));
            let receiver = around.find(|idx| on.widget(*idx).is_actionable()).unwrap_or(hit);
            let text = match gesture {
                taproof_screen::Gesture::SetText(text) => Text::from(text.as_str()),
                _ => Text::from(""),
            };
            Some(plan(Act::On(action, receiver), &text))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{PxRect, frame_of, layout_from};

    const PAGE: &str = "FrameLayout\n  Button#add\n  ListView\n    LinearLayout#row\n      TextView \"cat\"\n    \
                        LinearLayout#row\n      TextView \"dog\"\n  EditText#name\n";
    const ADD: u32 = 1;
    const CAT: u32 = 3;
    const DOG: u32 = 5;
    const NAME: u32 = 7;

    fn menu() -> Layout {
        let layout = layout_from("ListView\n  LinearLayout#item\n    TextView \"Copy\"\n");
        layout.with_changed(&[WidgetIdx(0)], |root| root.bounds = PxRect::new(0, 0, 500, 500))
    }

    fn touch(on: Layout, widget: u32, text: &str) -> Planned {
        let action = if text.is_empty() { CandidateAction::Tap } else { CandidateAction::SetText };
        Planned { act: Act::On(action, WidgetIdx(widget)), text: text.to_owned(), on: Arc::new(on) }
    }

    /// Touches the cat, copies it by a menu, adds something with a name, and touches the cat again.
    fn test() -> SeedTest {
        let page = || layout_from(PAGE);
        let planned = vec![
            touch(page(), CAT, ""),
            touch(menu(), 1, ""),
            touch(page(), ADD, ""),
            touch(page(), NAME, "owl"),
            touch(page(), CAT, ""),
        ];
        SeedTest { trace: Trace::start(frame_of(page())), planned, unstable: Vec::new() }
    }

    fn texts<const N: usize>(texts: [&str; N]) -> BTreeSet<Text> {
        texts.into_iter().map(Text::from).collect()
    }

    #[test]
    fn what_is_selected_is_in_use() {
        let page = layout_from(PAGE);
        let selecting = page.with_changed(&[WidgetIdx(ADD)], |add| {
            add.flags = add.flags.with(WidgetFlags::SELECTED, true);
        });
        let inactive = |page: Layout| {
            let trace = Trace::start(frame_of(page));
            SeedTest { trace, planned: Vec::new(), unstable: Vec::new() }.inactive()
        };
        assert_eq!(
            (inactive(page), inactive(selecting)),
            ([vec![WidgetIdx(ADD), WidgetIdx(NAME)]].to_vec(), [vec![WidgetIdx(NAME)]].to_vec())
        );
    }

    #[test]
    fn objects_are_what_is_touched_on_pages_and_typed() {
        assert_eq!(test().objects(), texts(["cat", "owl"]), "neither the menu's item nor the dog");
    }

    #[test]
    fn a_choice_and_a_filled_field_count_from_then_on() {
        let test = test();
        assert_eq!([1, 2, 4].map(|position| test.choices(position).len()), [0, 1, 1]);
        assert_eq!(test.choices(2), texts(["Copy"]));
        let name = touch(layout_from(PAGE), NAME, "other").class();
        assert_eq!([3, 4].map(|position| test.set_before(position).contains(&name)), [false, true]);
    }

    #[test]
    fn what_is_chosen_in_a_selection_is_set() {
        let selection = "FrameLayout\n  ListView\n    LinearLayout#row\n      TextView \"cat\"\n  Button#copy (Copy)\n  Button#cut\n";
        let to_paste = PAGE.replace("dog", "1 to copy");
        let chosen = |activity: &str| {
            let pages = [PAGE, selection, &to_paste].map(layout_from);
            let pages = [pages[0].clone(), pages[1].clone().with_activity(activity.into()), pages[2].clone()];
            let mut trace = Trace::start(frame_of(pages[0].clone()));
            for page in &pages[1..] {
                let (event, after) = (Event::Key(Key::Back), frame_of(page.clone()));
                trace.push(taproof_screen::Step { event, role: StepRole::Seed, after });
            }
            let planned = vec![touch(pages[0].clone(), CAT, ""), touch(pages[1].clone(), 4, "")];
            let copy = planned[1].class();
            let test = SeedTest { trace, planned, unstable: Vec::new() };
            (test.set_before(2).contains(&copy), test.choices(2))
        };
        assert_eq!(chosen("org.ex/.Main"), (true, texts(["Copy"])));
        assert_eq!(chosen("org.ex/.Form"), (false, texts([])), "a page of its own");
    }

    #[test]
    fn a_detour_between_two_touches_of_an_object_spans_it() {
        assert_eq!(test().spans(), [1, 2, 2, 2, 2]);
        let mut other = test();
        other.planned[4] = touch(layout_from(PAGE), DOG, "");
        assert_eq!(other.spans(), [1, 1, 1, 1, 1]);
    }
}
