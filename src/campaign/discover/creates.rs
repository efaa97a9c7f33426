//! Looks for what creates objects: goes through the screens of the app, types a name into each form, and tries everything
//! that may save it until some list shows the name.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use super::names::Names;
use super::prober::{after, fresh, is_chosen, survives, waited, with_other_text};
use super::sample::Sample;
use super::screen::{Act, Known, acts, fields, is_held, page_key, showing, shows, typing};
use taproof_engine::{Missing, Replay, Replayed, RoundCtx, ScrollSearch, StateSnapshot, Stop, scroll_lists};
use taproof_screen::{
    Event, Key, Layout, Looks, Same, Step, StepRole, Text, WidgetIdx, headline, is_dialog, one_line,
};
use taproof_spec::DmfKind;

/// Number of events from the start of the app to a form.
const DEPTH: usize = 5;
/// Number of events by which a form is saved, such as the pages of a wizard.
const SAVING: usize = 8;
/// Number of screens that are seen on the way.
const PAGES: usize = 40;
/// Number of screens of a form from which it is tried to save it.
const TRIED: usize = 120;
/// Number of fields beside the name that are filled.
const OTHERS: usize = 4;
/// What fields beside the name are filled with, if the name alone is not saved. These texts are typed as they are.
pub(super) const FILLINGS: [&str; 4] = ["abc", "7", "2031-05-17", "abc@example.org"];
/// Number of screens of one structure that are looked at from the rows of one screen, and of screens from which one form is.
const ALIKE: usize = 3;
/// Number of swipes by which a name is looked for in lists.
const SCROLLS: u32 = 12;
/// Words in the names of fields that search.
const SEARCH: [&str; 3] = ["search", "query", "find"];

/// A way to create objects.
pub(super) struct Create {
    /// The app right after it created the first object.
    pub(super) saved: StateSnapshot,
    /// Its steps in the trace of that state, from the list on.
    pub(super) steps: Range<usize>,
    /// The name of that object.
    pub(super) name: String,
    /// Id or class of the widgets in which the list shows names.
    pub(super) rows: Text,
    /// The form, with the name typed in.
    pub(super) typed: StateSnapshot,
    /// What tells that form from others.
    pub(super) form: u64,
}

impl Create {
    pub(super) fn list(&self) -> &Arc<Layout> {
        &self.saved.frame().layout
    }

    pub(super) fn sample(&self) -> Sample {
        let trace = self.saved.trace().until(self.steps.end);
        Sample {
            added: Some(self.name.clone()),
            reason: format!("“{}” was typed, and then a list showed it.", one_line(&self.name)),
            ..Sample::of(&trace, self.steps.start, DmfKind::Create, "add")
        }
    }
}

/// What was found on the way through the screens.
#[derive(Default)]
pub(super) struct Search {
    pub(super) creates: Vec<Create>,
    /// One layout of each screen.
    pub(super) seen: Vec<Arc<Layout>>,
    /// Forms with a name in them that were tried, each with the screen before.
    forms: BTreeSet<(u64, u64)>,
    /// How often nothing saved them.
    unsaved: BTreeMap<u64, usize>,
    pages: BTreeSet<u64>,
    /// From how many screens each form was reached.
    reached: BTreeMap<u64, usize>,
}

impl Search {
    /// Whether a screen is worth a look: it is new, or a form, which may make something else from another screen.
    fn is_worth(&mut self, shown: &Layout, app: &str) -> Option<Worth> {
        let key = page_key(shown, &Known::default());
        if self.pages.insert(key) {
            return Some(Worth::New);
        }
        if fields(shown, app).is_empty() {
            return None;
        }
        let reached = self.reached.entry(key).or_default();
        *reached += 1;
        (*reached < ALIKE).then_some(Worth::FormAgain)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Worth {
    New,
    FormAgain,
}

struct Node {
    saved: StateSnapshot,
    depth: usize,
    /// The screen before.
    from: u64,
}

/// Goes through the screens, nearest first, and tries each form. Stops early at the end of the budget, with what was found.
pub(super) fn find_creates(
    ctx: &mut RoundCtx<'_>,
    names: &mut Names,
    tell: &mut dyn FnMut(&Search, &RoundCtx<'_>),
) -> Result<Search, Stop> {
    let mut search = Search::default();
    match walk(ctx, names, &mut search, tell) {
        Ok(()) | Err(Stop::BudgetSpent) => Ok(search),
        Err(stop) => Err(stop),
    }
}

fn walk(
    ctx: &mut RoundCtx<'_>,
    names: &mut Names,
    search: &mut Search,
    tell: &mut dyn FnMut(&Search, &RoundCtx<'_>),
) -> Result<(), Stop> {
    let Some(home) = fresh(ctx)? else { return Ok(()) };
    let known = Known::default();
    search.pages.insert(page_key(&home.frame().layout, &known));
    search.seen.push(Arc::clone(&home.frame().layout));
    let mut queue = VecDeque::from([Node { saved: home, depth: 0, from: 0 }]);
    while let Some(node) = queue.pop_front() {
        let layout = Arc::clone(&node.saved.frame().layout);
        let app = ctx.target().app.clone();
        if !fields(&layout, &app).is_empty() {
            try_form(ctx, names, &node, search)?;
            tell(search, ctx);
        }
        if node.depth == DEPTH {
            continue;
        }
        let from = page_key(&layout, &known);
        let mut alike: BTreeMap<u64, usize> = BTreeMap::new();
        for act in acts(&layout, &app, &known) {
            let in_row = is_in_row(&act, &layout);
            let Some(next) = after(ctx, &node.saved, act.event)? else { continue };
            let shown = Arc::clone(&next.frame().layout);
            let same = alike.entry(shown.key(Same::Structure).0).or_default();
            let worth = if *same < ALIKE || !in_row { search.is_worth(&shown, &app) } else { None };
            match worth {
                Some(Worth::New) => {
                    *same += usize::from(in_row);
                    search.seen.push(shown);
                    queue.push_back(Node { saved: next, depth: node.depth + 1, from });
                }
                Some(Worth::FormAgain) => queue.push_back(Node { saved: next, depth: DEPTH, from }),
                None => ctx.forget(next),
            }
        }
        ctx.forget(node.saved);
    }
    Ok(())
}

fn is_in_row(act: &Act, layout: &Layout) -> bool {
    let Event::Widget { target, .. } = &act.event else { return false };
    layout.touch_target(target.at).is_some_and(|idx| layout.list_item_around(idx).is_some())
}

/// Types a name into the first field of a form, and looks for what saves it: with the other fields left empty, or else filled.
fn try_form(ctx: &mut RoundCtx<'_>, names: &mut Names, node: &Node, search: &mut Search) -> Result<(), Stop> {
    let layout = Arc::clone(&node.saved.frame().layout);
    let app = ctx.target().app.clone();
    let field = fields(&layout, &app).into_iter().find(|idx| !searches(&layout, *idx));
    // A form that holds what some screen shows is about something that is there already.
    let filled = |idx: &WidgetIdx| {
        let held = &layout.widget(*idx).text;
        !held.is_empty() && search.seen.iter().any(|seen| shows(seen, held))
    };
    let Some(field) = field.filter(|field| !filled(field)) else { return Ok(()) };
    let name = names.fresh(ctx);
    let Some(act) = typing(&layout, field, &name) else { return Ok(()) };
    let Some(typed) = after(ctx, &node.saved, act.event)? else { return Ok(()) };
    let known = Known { all: vec![name.clone()], focus: Some(name.clone()) };
    let key = page_key(&typed.frame().layout, &known);
    if search.unsaved.get(&key).is_some_and(|times| *times > 1)
        || !search.forms.insert((key, node.from))
        || !is_held(&typed.frame().layout, &name)
    {
        ctx.forget(typed);
        return Ok(());
    }
    let Some(saved) = save_form(ctx, &typed, &known, &search.pages)? else {
        *search.unsaved.entry(key).or_default() += 1;
        ctx.forget(typed);
        return Ok(());
    };
    let trace = saved.trace();
    let end = trace.len();
    let Some(start) = begins_at(&saved, typed.trace().len() - 1) else { return Ok(()) };
    let rows = showing(&saved.frame().layout, &name).last().map(|idx| kind_of(&saved.frame().layout, idx));
    let Some(rows) = rows else { return Ok(()) };
    search.creates.push(Create { steps: start..end, name, rows, typed, form: key, saved });
    Ok(())
}

/// A page of a form that is to be saved.
struct FormPage {
    state: StateSnapshot,
    depth: usize,
    /// The texts that fields beside the name were filled with on earlier pages ...
    filled: Vec<&'static str>,
    /// ... and those that are typed here first.
    fills: Vec<&'static str>,
}

/// Tries what can be done with a form that holds a name, until something shows the name outside of a field.
fn save_form(
    ctx: &mut RoundCtx<'_>,
    typed: &StateSnapshot,
    known: &Known,
    before: &BTreeSet<u64>,
) -> Result<Option<StateSnapshot>, Stop> {
    let app = ctx.target().app.clone();
    let name = known.focus.clone().unwrap_or_default();
    let form = title(&typed.frame().layout);
    let key = page_key(&typed.frame().layout, known);
    let mut pages = BTreeSet::from([(Vec::new(), key)]);
    let first = FormPage { state: typed.clone(), depth: 0, filled: Vec::new(), fills: Vec::new() };
    let (mut queue, mut later) = (VecDeque::from([first]), VecDeque::new());
    let mut tried = 0;
    while let Some(page) = queue.pop_front().or_else(|| later.pop_front()).filter(|_| tried < TRIED) {
        tried += 1;
        let Some(page) = fill(ctx, page)? else { continue };
        for act in saving_acts(&page.state.frame().layout, &app, known) {
            let Some(mut next) = after(ctx, &page.state, act.event)? else { continue };
            if !is_saved(&next.frame().layout, &name) && looked_again(ctx, &name)? {
                next = ctx.save()?;
            }
            let shown = Arc::clone(&next.frame().layout);
            if is_saved(&shown, &name) {
                return Ok(Some(next));
            }
            // The pages of a wizard have one title, also those without a field.
            let of_form = title(&shown).is_some_and(|title| Some(title) == form);
            let goes_on =
                is_held(&shown, &name) || !fields(&shown, &app).is_empty() || is_dialog(&shown) || of_form;
            let key = page_key(&shown, known);
            let known_pages = pages.iter().filter(|(filled, _)| *filled == page.filled).count();
            if page.depth + 1 < SAVING
                && goes_on
                && known_pages < PAGES
                && pages.insert((page.filled.clone(), key))
            {
                let (filled, fills) = (page.filled.clone(), Vec::new());
                let next = FormPage { state: next, depth: page.depth + 1, filled, fills };
                // What was seen before the text was typed rather leads away from the form.
                if before.contains(&key) { &mut later } else { &mut queue }.push_back(next);
            }
        }
        // What may be left empty stays so.
        for fills in ways_to_fill(&page, &app).into_iter().rev() {
            later.push_front(FormPage {
                fills,
                state: page.state.clone(),
                filled: page.filled.clone(),
                ..page
            });
        }
    }
    Ok(None)
}

/// Waits for the name and scrolls for it, where a person would. Returns whether that changed what is shown.
fn looked_again(ctx: &mut RoundCtx<'_>, name: &str) -> Result<bool, Stop> {
    let form_is_left = !is_held(&ctx.frame().layout, name);
    let came = waited(ctx)?;
    if came && !is_saved(&ctx.frame().layout, name) || form_is_left {
        look_for(ctx, name)?;
    }
    Ok(came || is_saved(&ctx.frame().layout, name))
}

/// The empty fields of a page beside the name.
fn empty_fields(layout: &Layout, app: &str) -> Vec<WidgetIdx> {
    let empty = |idx: &WidgetIdx| layout.widget(*idx).text.is_empty() && !searches(layout, *idx);
    fields(layout, app).into_iter().filter(empty).take(OTHERS).collect()
}

/// With which texts the empty fields of a page can be filled: all with the same, or all with a word and one with something
/// else. What was filled already is no other page.
fn ways_to_fill(page: &FormPage, app: &str) -> Vec<Vec<&'static str>> {
    let count = empty_fields(&page.state.frame().layout, app).len();
    if count == 0 || !page.fills.is_empty() {
        return Vec::new();
    }
    let one_other = |(place, text): (usize, &'static str)| {
        let mut texts = vec![FILLINGS[0]; count];
        texts[place] = text;
        texts
    };
    let places = (0..count).filter(|_| count > 1);
    let others = places.flat_map(|place| FILLINGS[1..].iter().map(move |text| (place, *text)));
    FILLINGS.map(|text| vec![text; count]).into_iter().chain(others.map(one_other)).collect()
}

/// The page with its empty fields filled as it says; `None` if a field does not take its text.
fn fill(ctx: &mut RoundCtx<'_>, mut page: FormPage) -> Result<Option<FormPage>, Stop> {
    let layout = Arc::clone(&page.state.frame().layout);
    for (field, text) in empty_fields(&layout, &ctx.target().app).into_iter().zip(page.fills.clone()) {
        let Some(act) = typing(&layout, field, text) else { return Ok(None) };
        let Some(state) = after(ctx, &page.state, act.event)? else { return Ok(None) };
        if !is_held(&state.frame().layout, text) {
            return Ok(None);
        }
        page.state = state;
        page.filled.push(text);
    }
    Ok(Some(page))
}

/// Scrolls the lists of the screen until one shows the name. The screen stays as it is if none does.
pub(super) fn look_for(ctx: &mut RoundCtx<'_>, name: &str) -> Result<bool, Stop> {
    if shows(&ctx.frame().layout, name) {
        return Ok(true);
    }
    let shown = |ctx: &RoundCtx<'_>| shows(&ctx.frame().layout, name);
    let found = survives(scroll_lists(ctx, SCROLLS, StepRole::Appended, shown))?;
    Ok(found == Some(ScrollSearch::Found))
}

fn title(layout: &Layout) -> Option<&Text> {
    headline(layout).map(|idx| &layout.widget(idx).text)
}

/// What may save a form: first its buttons, then the keys.
pub(super) fn saving_acts(layout: &Arc<Layout>, app: &str, known: &Known) -> Vec<Act> {
    let mut found = acts(layout, app, known);
    found.retain(|act| !act.on_focus);
    found.extend([Act::key(Key::ImeAction), Act::key(Key::Back)]);
    found
}

/// Whether something other than the form shows the name.
pub(super) fn is_saved(layout: &Layout, name: &str) -> bool {
    shows(layout, name) && !is_held(layout, name)
}

/// The last screen before the typing that is like the one that shows the result.
fn begins_at(saved: &StateSnapshot, typed: usize) -> Option<usize> {
    let trace = saved.trace();
    let end = Looks::of(&saved.frame().layout);
    let likeness = |start: &usize| Looks::of(&trace.frame(*start)?.layout).likeness(&end);
    let like = (0..=typed).filter_map(|start| Some((start, likeness(&start)?)));
    like.max_by_key(|(_, likeness)| *likeness).map(|(start, _)| start)
}

/// Id or, without one, class of a widget.
pub(super) fn kind_of(layout: &Layout, idx: WidgetIdx) -> Text {
    let widget = layout.widget(idx);
    widget.resource_id.clone().filter(|id| !id.is_empty()).unwrap_or_else(|| widget.class.clone())
}

/// Whether a field searches, by its names.
pub(super) fn searches(layout: &Layout, idx: WidgetIdx) -> bool {
    let widget = layout.widget(idx);
    let named = [widget.short_id().unwrap_or(""), &widget.hint, &widget.content_desc, &widget.text];
    named.iter().any(|name| {
        let name = name.to_lowercase();
        SEARCH.iter().any(|word| name.contains(word))
    })
}

/// A creation that was performed again.
pub(super) struct Again {
    /// Its steps in the trace.
    pub(super) steps: Range<usize>,
    /// Which of the first creation's steps were not needed any more: what was asked once is not asked again.
    pub(super) once: BTreeSet<usize>,
}

/// Performs the steps of a creation again with another name, from the list on. `None` if that did not create it.
pub(super) fn create_again(
    ctx: &mut RoundCtx<'_>,
    create: &Create,
    name: &str,
) -> Result<Option<Again>, Stop> {
    let first = ctx.trace().len();
    let steps = create.saved.trace().steps()[create.steps.clone()].iter();
    let steps: Vec<&Step> = steps.filter(|step| !step.role.is_appended()).collect();
    let renamed = |step: &&Step| (with_other_text(&step.event, &create.name, name), step.role);
    let again = Replay::of_all(steps.iter().map(renamed)).if_missing(Missing::Skip);
    let Some(Replayed { missing }) = survives(again.run(ctx))? else { return Ok(None) };
    let number = |place: usize| steps[..place].iter().filter(|step| is_chosen(step)).count();
    let once = missing.into_iter().map(number).collect();
    if !is_saved(&ctx.frame().layout, name) {
        waited(ctx)?;
        look_for(ctx, name)?;
    }
    let end = ctx.trace().len();
    Ok(is_saved(&ctx.frame().layout, name).then_some(Again { steps: first..end, once }))
}
