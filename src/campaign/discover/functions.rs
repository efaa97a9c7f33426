//! Tries on an object of its own making what the screens offer: opens it, presses it long, changes it, deletes it, looks for
//! it, and notes whatever changes what a list shows.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use super::creates::{Again, Create, create_again, look_for, searches};
use super::effects::effects;
use super::names::Names;
use super::prober::{after, steps_as_recorded, survives, waited};
use super::sample::Sample;
use super::screen::{Act, Known, acts, fields, is_held, page_key, shows, swipes, typing};
use taproof_engine::{RoundCtx, StateSnapshot, Stop};
use taproof_screen::{Event, Gesture, Key, Layout, RecordedStep, Text, Widget, is_dialog};
use taproof_spec::{DmfKind, typed_text};

/// Number of events of a function that is performed on one object, such as a change on the pages of a wizard.
const DEPTH: usize = 12;
/// Number of events of one that is not, such as a search.
const APART: usize = 6;
/// Number of functions of one kind that are kept for one list.
const OF_A_KIND: usize = 3;
/// Number of fields of a page that are typed into, beside that of the name.
const FIELDS: usize = 3;

/// What was typed in a state.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) text: String,
    pub(super) into: Field,
    /// What the field is called.
    pub(super) label: String,
}

/// The field that was typed into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    /// It held the name of the object.
    Name,
    /// It held something else of the object, or nothing.
    Other,
    /// It searches; the text is the name of the object.
    Search,
}

/// A state that experiments reached.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) saved: StateSnapshot,
    pub(super) depth: usize,
    /// Whether something was done to the object or in its row.
    pub(super) touched: bool,
    pub(super) typed: Option<Typed>,
    /// Whether the object is gone.
    pub(super) deleted: bool,
    /// How the object was first touched.
    way: Option<String>,
    /// The label of the button by which something was confirmed, in one word.
    pub(super) confirmed: Option<String>,
}

/// What tells states apart in which different things can be found out.
type NodeKey = (u64, Option<String>, Option<(Field, String)>, bool, bool);

impl Node {
    pub(super) fn new(saved: StateSnapshot) -> Node {
        Node { saved, depth: 0, touched: false, typed: None, deleted: false, way: None, confirmed: None }
    }

    pub(super) fn layout(&self) -> &Arc<Layout> {
        &self.saved.frame().layout
    }

    /// What tells states apart in which different things can be found out.
    fn key(&self, known: &Known) -> NodeKey {
        let mut known = known.clone();
        known.all.extend(self.typed.iter().map(|typed| typed.text.clone()));
        let typed = self.typed.as_ref().map(|typed| (typed.into, typed.label.clone()));
        (page_key(self.layout(), &known), self.way.clone(), typed, self.deleted, self.confirmed.is_some())
    }
}

/// What experiments with the objects of one list found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) samples: Vec<Sample>,
    /// One layout of each screen.
    pub(super) seen: Vec<Arc<Layout>>,
    /// What removed or changed objects or brought them back: the last step of each way.
    pub(super) changers: Vec<RecordedStep>,
    /// A state in which an object was just removed.
    pub(super) removed: Option<StateSnapshot>,
    keys: BTreeSet<String>,
}

impl Found {
    /// Adds a sample, unless it is one of those known with a detour in between.
    pub(super) fn add(&mut self, sample: Sample) {
        let same = self.samples.iter().filter(|it| (it.kind, &it.verb) == (sample.kind, &sample.verb));
        if !same.clone().any(|known| known.is_within(&sample)) && same.count() < OF_A_KIND {
            self.add_longer(sample);
        }
    }

    /// Steps that the object of the root did not need again may be left out of whatever begins with the first creation.
    pub(super) fn needs_once(&mut self, create: &Create, root: &Root) {
        let begun = |sample: &&mut Sample| {
            sample.steps.iter().any(|step| typed_text(&step.event) == Some(create.name.as_str()))
        };
        for sample in self.samples.iter_mut().filter(begun) {
            sample.once.clone_from(&root.once);
        }
    }

    /// Adds a sample that may do more than others.
    pub(super) fn add_longer(&mut self, sample: Sample) {
        if self.keys.insert(sample.key()) {
            self.samples.push(sample);
        }
    }
}

/// Where experiments begin: a list with three objects of their own making.
pub(super) struct Root {
    pub(super) saved: StateSnapshot,
    /// The steps that made the last object.
    pub(super) last: Range<usize>,
    /// Which steps of the first creation were not needed for it.
    pub(super) once: BTreeSet<usize>,
    /// The objects; the last one is acted on.
    pub(super) names: [String; 3],
    /// Id or class of the widgets in which the list shows names.
    pub(super) rows: Text,
}

impl Root {
    pub(super) fn focus(&self) -> &str {
        &self.names[2]
    }

    /// The others that the list showed beside it.
    pub(super) fn others(&self) -> impl Iterator<Item = &String> {
        self.names[..2].iter().filter(|name| shows(&self.saved.frame().layout, name))
    }

    pub(super) fn known(&self) -> Known {
        Known { all: self.names.to_vec(), focus: Some(self.focus().to_owned()) }
    }
}

/// Makes two more objects beside the first; `None` if that cannot be done again.
pub(super) fn root(ctx: &mut RoundCtx<'_>, create: &Create, names: &mut Names) -> Result<Option<Root>, Stop> {
    if survives(ctx.restore(&create.saved))?.is_none() {
        return Ok(None);
    }
    let [one, two] = [names.fresh(ctx), names.fresh(ctx)];
    if create_again(ctx, create, &one)?.is_none() {
        return Ok(None);
    }
    let Some(Again { steps: last, once }) = create_again(ctx, create, &two)? else { return Ok(None) };
    let saved = ctx.save()?;
    Ok(Some(Root { saved, last, once, names: [create.name.clone(), one, two], rows: create.rows.clone() }))
}

/// Tries everything on the last object of the root.
pub(super) fn explore(
    ctx: &mut RoundCtx<'_>,
    root: &Root,
    names: &mut Names,
    found: &mut Found,
) -> Result<(), Stop> {
    let known = root.known();
    let begin = Node::new(root.saved.clone());
    let mut pages = BTreeSet::from([begin.key(&known)]);
    let mut queue = VecDeque::from([begin]);
    while let Some(node) = queue.pop_front() {
        for (act, typed) in node_acts(ctx, &node, &known, names) {
            let Some(mut next) = tried(ctx, &node, &act, typed)? else { continue };
            look_around(ctx, root, &mut next)?;
            let done = effects(root, &node, &act, &next);
            let gone = done.iter().any(|sample| sample.kind == DmfKind::Delete);
            let changed = done.iter().any(Sample::changes_objects);
            if changed {
                found.changers.extend(last_step(&next));
            }
            if gone && found.removed.is_none() {
                found.removed = Some(next.saved.clone());
            }
            done.into_iter().for_each(|sample| found.add(sample));
            let ends = !gone && (changed || node.deleted);
            next.deleted |= gone;
            if !ends && goes_on(root, &next, &known) && pages.insert(next.key(&known)) {
                found.seen.push(Arc::clone(next.layout()));
                queue.push_back(next);
            }
        }
    }
    Ok(())
}

/// Whether something can be found out from a state on: it is another one than the root, and still about the object if that
/// was touched.
fn goes_on(root: &Root, next: &Node, known: &Known) -> bool {
    let (now, deep) = (next.layout(), if next.touched { DEPTH } else { APART });
    let home = || page_key(now, known) == page_key(&root.saved.frame().layout, known);
    let focus = root.focus();
    let about = || shows(now, focus) || is_held(now, focus) || is_dialog(now);
    let typed = next.typed.is_some();
    let of_form = || {
        next.saved
            .trace()
            .steps()
            .iter()
            .rev()
            .nth(1)
            .is_some_and(|step| step.after.layout.widgets().iter().any(Widget::is_text_field))
    };
    next.depth < deep && !home() && (!next.touched || next.deleted || typed || about() || of_form())
}

/// If the list is shown, but not what it should show now, scrolls for that: the text that was typed, or else the object,
/// or else another one.
fn look_around(ctx: &mut RoundCtx<'_>, root: &Root, next: &mut Node) -> Result<(), Stop> {
    if !root.is_list(next.layout()) {
        return Ok(());
    }
    let typed = next.typed.as_ref().filter(|typed| typed.into != Field::Search);
    let wanted = [typed.map_or(root.focus(), |typed| &typed.text), &root.names[1]];
    for (place, name) in wanted.into_iter().enumerate() {
        if shows(next.layout(), name) {
            return Ok(());
        }
        if place > 0 && survives(ctx.restore(&next.saved))?.is_none() {
            return Ok(());
        }
        if look_for(ctx, name)? {
            next.saved = ctx.save()?;
            return Ok(());
        }
    }
    Ok(())
}

fn last_step(node: &Node) -> Option<RecordedStep> {
    let trace = node.saved.trace();
    steps_as_recorded(trace, 0, trace.len()).pop()
}

/// The state after an act, with a moment's patience if it shows nothing of the object yet.
fn tried(ctx: &mut RoundCtx<'_>, node: &Node, act: &Act, typed: Option<Typed>) -> Result<Option<Node>, Stop> {
    let Some(mut saved) = after(ctx, &node.saved, act.event.clone())? else { return Ok(None) };
    let searches = node.typed.as_ref().is_some_and(|typed| typed.into == Field::Search);
    if searches && waited(ctx)? {
        saved = ctx.save()?;
    }
    let way = act.on_focus.then(|| act.said(node.layout()));
    let confirmed = confirmed(&act.event, node.layout());
    Ok(Some(Node {
        saved,
        way: node.way.clone().or(way),
        confirmed: confirmed.or_else(|| node.confirmed.clone()),
        depth: node.depth + 1,
        touched: node.touched || act.on_focus,
        typed: typed.or_else(|| node.typed.clone()),
        deleted: node.deleted,
    }))
}

/// The label of the last button of a dialog, if that is touched.
fn confirmed(event: &Event, layout: &Layout) -> Option<String> {
    let Event::Widget { target, gesture: Gesture::Tap } = event else { return None };
    if layout.widgets().iter().any(Widget::is_text_field) {
        return None;
    }
    let is_button = |widget: &&Widget| widget.clickable() && widget.short_class() == "Button";
    let last = layout.widgets().iter().rfind(is_button)?;
    let touched = layout.widget(layout.touch_target(target.at)?);
    let word = |text: &str| text.split_whitespace().next().map(str::to_lowercase);
    (is_dialog(layout) && std::ptr::eq(last, touched)).then(|| word(&last.text))?
}

/// What is tried in a state, with what it types.
fn node_acts(ctx: &RoundCtx<'_>, node: &Node, known: &Known, names: &mut Names) -> Vec<(Act, Option<Typed>)> {
    let (layout, app) = (node.layout(), &ctx.target().app);
    let taps = acts(layout, app, known);
    let plain = |act| (act, None);
    match &node.typed {
        Some(typed) if typed.into == Field::Search => vec![plain(Act::key(Key::ImeAction))],
        Some(_) => {
            let taps = taps.into_iter().filter(|act| !act.on_focus || !shows(layout, focus_of(known)));
            taps.chain([Act::key(Key::ImeAction), Act::key(Key::Back)]).map(plain).collect()
        }
        None => {
            let mut all: Vec<_> = taps.into_iter().map(plain).collect();
            if node.depth == 0 {
                all.extend(swipes(layout, known).into_iter().map(plain));
            }
            all.extend(typings(ctx, node, known, names));
            all
        }
    }
}

/// What can be typed in a state.
fn typings(ctx: &RoundCtx<'_>, node: &Node, known: &Known, names: &mut Names) -> Vec<(Act, Option<Typed>)> {
    let (layout, app) = (node.layout(), &ctx.target().app);
    let (mut all, mut others) = (Vec::new(), 0);
    for field in fields(layout, app) {
        let widget = layout.widget(field);
        let into = match () {
            () if *widget.text == *focus_of(known) => Field::Name,
            () if node.touched => Field::Other,
            () if searches(layout, field) || fields(layout, app).len() == 1 => Field::Search,
            () => continue,
        };
        others += usize::from(into == Field::Other);
        if others > FIELDS {
            break;
        }
        let text = if into == Field::Search { focus_of(known).to_owned() } else { names.fresh(ctx) };
        let label = layout.label_of(field).or(widget.short_id()).unwrap_or("field").to_owned();
        let act = typing(layout, field, &text);
        all.extend(act.map(|act| (act, Some(Typed { text, into, label }))));
    }
    all
}

/// Looks for what brings an object back that was removed, such as a trash.
pub(super) fn explore_removed(
    ctx: &mut RoundCtx<'_>,
    root: &Root,
    removed: &StateSnapshot,
    found: &mut Found,
) -> Result<(), Stop> {
    let (known, begins) = (root.known(), removed.trace().len());
    let begin = Node { deleted: true, ..Node::new(removed.clone()) };
    let mut pages = BTreeSet::from([begin.key(&known)]);
    let mut queue = VecDeque::from([begin]);
    while let Some(node) = queue.pop_front() {
        for act in acts(node.layout(), &ctx.target().app, &known) {
            let Some(mut next) = tried(ctx, &node, &act, None)? else { continue };
            look_around(ctx, root, &mut next)?;
            let back = root.is_list(next.layout()) && root.lists(next.layout(), root.focus());
            if back && next.touched && !root.is_list(node.layout()) {
                let sample = Sample {
                    added: Some(root.focus().to_owned()),
                    reason: "Something that was deleted is in the list again.".to_owned(),
                    ..Sample::of(next.saved.trace(), begins, DmfKind::Create, "restore")
                };
                found.changers.extend(sample.steps.iter().rev().find(|step| is_tap_in_row(step)).cloned());
                found.add(sample);
            } else if !back && next.depth < APART && pages.insert(next.key(&known)) {
                queue.push_back(next);
            }
        }
    }
    Ok(())
}

fn focus_of(known: &Known) -> &str {
    known.focus.as_deref().unwrap_or_default()
}

fn is_tap_in_row(step: &RecordedStep) -> bool {
    let Event::Widget { target, gesture: Gesture::Tap } = &step.event else { return false };
    step.before.touch_target(target.at).is_some_and(|idx| step.before.row_of(idx).is_some())
}
