//! The drafter: first determines the steps of the function with their widgets, then where the objects are read and
//! expected.

use std::ops::Range;
use std::sync::Arc;

use super::action::action;
use super::coalesce::{CoalescedStep, scroll};
use super::cut::Cut;
use super::draft::{Draft, DraftNote, LeadStep, NoteOn};
use super::error::RecorderError;
use super::objects::{DraftObject, Objects};
use super::request::{DraftRequest, Role, chosen};
use super::selector::{ChosenSelector, choose_preferred_selector, named_by, row_parts};
use crate::recorded_widgets::{shown_on, target_of, typed_text};
use crate::{
    Action, Dmf, DmfKind, DmfStep, FreshText, Input, NamedSelector, SpecSelector, TextClass, TextPattern,
};
use taproof_screen::{Event, Gesture, Layout, WidgetIdx, is_visible, one_line};

/// The classes that the name of an object is drawn from. Those that many apps refuse or change, such as blank edges, are left
/// to whoever knows the app.
const NAMES: [(TextClass, u32); 6] = [
    (TextClass::Plain, 6),
    (TextClass::Digits, 1),
    (TextClass::OtherCase, 1),
    (TextClass::Extending, 1),
    (TextClass::Symbols, 1),
    (TextClass::Long, 1),
];

pub(super) struct Drafter<'a> {
    pub(super) request: &'a DraftRequest,
    pub(super) objects: &'a Objects,
    pub(super) recorded: &'a [Arc<Layout>],
    pub(super) cut: &'a Cut,
    pub(super) dmf: Dmf,
    pub(super) notes: Vec<DraftNote>,
    /// Layout k is the one before step k; the last one is the final one.
    pub(super) layouts: Vec<Arc<Layout>>,
    /// The steps that lead to the first layout.
    pub(super) lead: Vec<LeadStep>,
    /// For each step, the range of recorded steps that it was made from.
    pub(super) taken: Vec<Range<usize>>,
    /// Index of each pre- and postcondition in the request; `None` for proposed ones.
    pub(super) places: [Vec<Option<usize>>; 2],
}

impl<'a> Drafter<'a> {
    pub(super) fn new(
        request: &'a DraftRequest,
        objects: &'a Objects,
        recorded: &'a [Arc<Layout>],
        cut: &'a Cut,
    ) -> Self {
        let mut drafter = Drafter {
            request,
            objects,
            recorded,
            cut,
            dmf: Dmf::empty(request.dmf_name(), request.kind, request.data_type.clone()),
            notes: Vec::new(),
            layouts: Vec::new(),
            lead: Vec::new(),
            taken: Vec::new(),
            places: [Vec::new(), Vec::new()],
        };
        for (doubtful, remark) in &cut.remarks {
            drafter.note(None, *doubtful, remark.clone());
        }
        drafter
    }

    pub(super) fn done(self) -> Draft {
        let known = self.objects.known().map(|(role, _)| role);
        let object = |role: Role| {
            let read = self.objects.read_name(role);
            let expected = self.objects.object_name(role);
            Some(DraftObject {
                role,
                text: self.objects.get(role)?.to_owned(),
                read: read.to_owned(),
                expected: self.dmf.widget(expected).map(|widget| widget.name.clone()),
                known: known == Some(role),
            })
        };
        Draft {
            objects: Role::ALL.into_iter().filter_map(object).collect(),
            first_step: self.cut.kept.first().map_or(0, |kept| kept.first),
            end_step: self.cut.kept.last().map_or(0, |kept| kept.end),
            steps: self.taken,
            layouts: self.layouts,
            lead: self.lead,
            recorded: self.recorded.to_vec(),
            seen: self.request.seen.clone(),
            dmf: self.dmf,
            notes: self.notes,
            places: self.places,
        }
    }

    pub(super) fn note(&mut self, widget: Option<&str>, doubtful: bool, text: String) {
        let on = NoteOn::Draft;
        self.notes.push(DraftNote { widget: widget.map(str::to_owned), doubtful, on, text });
    }

    /// Adds a remark on a choice, once, to be shown next to the part that it belongs to.
    pub(super) fn add_note(&mut self, on: NoteOn, doubtful: bool, text: String) {
        let note = DraftNote { widget: None, doubtful, on, text };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    pub(super) fn add_widget(&mut self, name: &str, layout: usize, selector: SpecSelector) {
        if self.dmf.widget(name).is_none() {
            self.dmf.widgets.push(NamedSelector { name: name.to_owned(), layout, selector });
        }
    }

    /// The text pattern of an object that the data model knows: any object of the type, or else the text in the DMF.
    fn known_text(&self) -> TextPattern {
        let known = self.objects.known().map(|(_, text)| text);
        match known.filter(|known| self.is_literal(known)) {
            Some(known) => TextPattern::Is(known.to_owned()),
            None => TextPattern::Existing(self.request.data_type.clone()),
        }
    }

    /// Whether a person chose that the step which types the text always types exactly this one.
    pub(super) fn is_literal(&self, text: &str) -> bool {
        self.cut.kept.iter().any(|kept| {
            let input = chosen(&self.request.inputs, &(kept.first..kept.end));
            typed_text(&kept.step.event) == Some(text) && matches!(input, Some(Input::Literal(_)))
        })
    }

    /// Adds the steps, with the layouts before them and the last one.
    pub(super) fn steps(&mut self) -> Result<(), RecorderError> {
        let mut sideways = self.cut.kept.first().is_some_and(|kept| kept.step.before.rotation().sideways());
        let mut scrolls: Vec<&CoalescedStep> = Vec::new();
        for kept in &self.cut.kept {
            if scroll(&kept.step).is_some() {
                scrolls.push(kept);
                continue;
            }
            match self.scroll_text(kept, &scrolls) {
                Some(input) => self.scroll_to(kept, &scrolls, input),
                None => scrolls.iter().try_for_each(|scroll| self.step(scroll, &mut sideways))?,
            }
            scrolls.clear();
            self.step(kept, &mut sideways)?;
        }
        scrolls.iter().try_for_each(|scroll| self.step(scroll, &mut sideways))?;
        self.layouts.extend(self.cut.kept.last().map(|kept| Arc::clone(&kept.step.after)));
        Ok(())
    }

    fn step(&mut self, kept: &CoalescedStep, sideways: &mut bool) -> Result<(), RecorderError> {
        let (index, recorded) = (self.dmf.steps.len(), kept.first..kept.end);
        let event = &kept.step.event;
        let Some((action, input)) = action(event, sideways) else { return Ok(()) };
        let input = match typed_text(event) {
            Some(text) => self.typed_input(text),
            None => input,
        };
        self.layouts.push(Arc::clone(&kept.step.before));
        let needs_target = action.needs_widget() || typed_text(event).is_some();
        let widget = match (needs_target, target_of(&kept.step)) {
            (false, _) => None,
            (true, Some(target)) => Some(self.target(index, target, &recorded)),
            (true, None) => return Err(RecorderError::NoTarget { step: kept.first + 1 }),
        };
        let input = chosen(&self.request.inputs, &recorded).cloned().unwrap_or(input);
        let required = self.request.optional.range(recorded.clone()).next().is_none();
        self.dmf.steps.push(DmfStep { action, widget, input, required });
        self.taken.push(recorded);
        Ok(())
    }

    /// The text that the screen is scrolled to before a tap: what was scrolled into view for it, unless the person
    /// chose otherwise.
    fn scroll_text(&self, kept: &CoalescedStep, scrolls: &[&CoalescedStep]) -> Option<Input> {
        let tap =
            matches!(&kept.step.event, Event::Widget { gesture: Gesture::Tap | Gesture::LongPress, .. });
        let said = chosen(&self.request.scroll_to, &(kept.first..kept.end)).copied();
        if !tap || said == Some(false) || (said.is_none() && scrolls.is_empty()) {
            return None;
        }
        let layout = &kept.step.before;
        let target = target_of(&kept.step)?;
        let texts = layout.subtree(target).map(|idx| layout.widget(idx).text.to_string());
        let text = texts.into_iter().find(|text| !text.is_empty())?;
        let hidden = |scroll: &&CoalescedStep| !scroll.step.before.widgets().iter().any(|w| *w.text == *text);
        if said.is_none() && !scrolls.first().is_some_and(hidden) {
            return None;
        }
        match self.objects.known() {
            Some((_, known)) if known == text && !self.is_literal(known) => {
                Some(Input::Existing(self.request.data_type.clone()))
            }
            // The added object is only known in the run.
            _ if self.objects.get(Role::Added) == Some(text.as_str()) => None,
            _ => Some(Input::Literal(text)),
        }
    }

    fn scroll_to(&mut self, kept: &CoalescedStep, scrolls: &[&CoalescedStep], input: Input) {
        let first = scrolls.first().copied();
        let start = first.map_or(kept.first, |scroll| scroll.first);
        self.layouts.push(Arc::clone(&first.unwrap_or(kept).step.before));
        let step = self.dmf.steps.len() + 1;
        let what = match &input {
            Input::Literal(text) => format!("\u{201c}{}\u{201d}", one_line(text)),
            Input::None | Input::Fresh(_) | Input::Existing(_) => format!("the {}", self.request.data_type),
        };
        self.note(None, false, format!("step {step} scrolls until {what} is in sight, however far that is"));
        self.dmf.steps.push(DmfStep { action: Action::ScrollTo, widget: None, input, required: true });
        self.taken.push(start..kept.first);
    }

    /// The input for a typed text: a fresh text for the added object, an object of the data model for a known one; for
    /// an object that is searched for in vain, a text that was removed earlier or never existed.
    fn typed_input(&self, text: &str) -> Input {
        match self.objects.known() {
            Some((_, known)) if known == text => Input::Existing(self.request.data_type.clone()),
            _ if self.objects.sought_in_vain && self.objects.get(Role::Sought) == Some(text) => {
                Input::Fresh(FreshText {
                    data_type: None,
                    classes: vec![(TextClass::Removed, 3), (TextClass::Plain, 1)],
                })
            }
            // An invisible text is no name: it is typed as it was recorded.
            _ if !is_visible(text) => Input::Literal(text.to_owned()),
            // A number is no name either, unless something is called so.
            _ if is_number(text) && !self.objects.texts().iter().any(|object| object.text == *text) => {
                Input::Literal(text.to_owned())
            }
            // A name is data of its own, which apps treat differently.
            _ if self.objects.get(Role::Added) == Some(text) && self.changes_data() => {
                Input::Fresh(FreshText { data_type: None, classes: NAMES.to_vec() })
            }
            _ => Input::Fresh(FreshText::default()),
        }
    }

    /// Adds the widget of step `index`. The row of a known object is identified by any object of the data model.
    fn target(&mut self, index: usize, target: WidgetIdx, recorded: &Range<usize>) -> String {
        let layout = Arc::clone(&self.layouts[index]);
        let widget = layout.widget(target);
        let name = format!("e{}_widget", index + 1);
        if let Some(selector) = chosen(&self.request.selectors, recorded).cloned() {
            return self.chosen_target(index, name, selector);
        }
        let touched = |text: &str| !widget.is_text_field() && *widget.text == *text;
        let known = self.objects.drawn().filter(|(_, text)| touched(text));
        if let Some((role, _)) = known {
            return self.known_row(index, role, row_parts(widget), &name);
        }
        let read = Role::ALL.into_iter().find(|role| self.objects.get(*role).is_some_and(touched));
        if let Some(role) = read {
            let selector = SpecSelector { text: self.objects.pattern(role), ..row_parts(widget) };
            let text = format!("its text is the object, read as {}", self.objects.read_name(role));
            self.note(Some(&name), false, text);
            self.add_widget(&name, index, selector);
            return name;
        }
        let typed = self.objects.typed.iter().find(|typed| touched(&typed.text));
        if let Some(typed) = typed
            && self.read_typed(typed)
        {
            let pattern = TextPattern::FromRead(typed.name.clone());
            let text = format!("its text was typed before, read as {}", typed.name);
            self.note(Some(&name), false, text);
            self.add_widget(&name, index, SpecSelector { text: pattern, ..row_parts(widget) });
            return name;
        }
        let objects = self.objects.texts();
        let mut best = self.choose(&layout, target);
        let counts: Vec<String> = self
            .layouts
            .iter()
            .map(|layout| named_by(&best.selector, layout, &objects).len().to_string())
            .collect();
        if let Some(row) = best.selector.row.take() {
            best.selector.row = Some(self.row_widget(index, &layout, target, &row));
        }
        let text = format!(
            "{}: {}; matches on layouts 0 to {index}: {}",
            best.selector,
            best.why,
            counts.join(", ")
        );
        self.note(Some(&name), best.by_position, text);
        self.add_widget(&name, index, best.selector);
        name
    }

    /// The selector for a widget, of the kind that the person prefers.
    pub(super) fn choose(&self, layout: &Layout, idx: WidgetIdx) -> ChosenSelector {
        choose_preferred_selector(layout, idx, &self.objects.texts(), self.request.prefer)
    }

    /// Adds the row in which a known object is touched, identified by whatever object the run draws.
    fn known_row(&mut self, index: usize, role: Role, parts: SpecSelector, name: &str) -> String {
        let known = self.objects.read_name(role);
        if self.dmf.widget(known).is_some() {
            self.add_widget(name, index, SpecSelector { text: self.objects.pattern(role), ..parts });
            return name.to_owned();
        }
        let text = match self.known_text() {
            TextPattern::Existing(data_type) => format!(
                "its text is the object's own, so the row of any known {data_type} is touched, wherever it stands"
            ),
            TextPattern::Any | TextPattern::Is(_) | TextPattern::FromRead(_) => {
                "its text is the one that the step before types".to_owned()
            }
        };
        self.note(Some(known), false, text);
        self.add_widget(known, index, SpecSelector { text: self.known_text(), ..parts });
        known.to_owned()
    }

    /// Uses a selector that the person chose. One that draws an object also reads it.
    fn chosen_target(&mut self, index: usize, name: String, mut selector: SpecSelector) -> String {
        if let (TextPattern::Existing(_), Some((role, _))) = (&selector.text, self.objects.drawn()) {
            return self.known_row(index, role, SpecSelector { text: TextPattern::Any, ..selector }, &name);
        }
        let objects = self.objects.texts();
        if let Some(row) = selector.row.take() {
            let named = SpecSelector { row: Some(row.clone()), ..selector.clone() };
            let layout = Arc::clone(&self.layouts[index]);
            let target = named_by(&named, &layout, &objects).first().copied();
            selector.row = Some(match target {
                Some(target) => self.row_widget(index, &layout, target, &row),
                None => row,
            });
        }
        self.note(Some(&name), false, format!("{selector}: chosen"));
        self.add_widget(&name, index, selector);
        name
    }

    /// Name of the widget whose row the target is in, on a layout of that number: the one that reads or expects the
    /// object there, or else a new one.
    pub(super) fn row_widget(
        &mut self,
        number: usize,
        layout: &Layout,
        target: WidgetIdx,
        read: &str,
    ) -> String {
        let objects = self.objects.texts();
        let text = objects.iter().find(|object| object.name == read).map_or("", |object| &object.text);
        let rows = layout.rows_around(target);
        let in_rows =
            |idx: &WidgetIdx| rows.iter().any(|row| layout.subtree(*row).any(|inner| inner == *idx));
        let anchors = shown_on(layout, text);
        let Some(anchor) = anchors.iter().copied().find(in_rows).or(anchors.first().copied()) else {
            return read.to_owned();
        };
        if let Some(typed) = self.objects.typed.iter().find(|typed| typed.name == read) {
            self.read_typed(typed);
        }
        let parts = row_parts(layout.widget(anchor));
        let known = self.objects.drawn().map(|(role, _)| role);
        match (self.dmf.widget(read), known) {
            (Some(reads), _) if same_parts(&reads.selector, &parts) => read.to_owned(),
            (None, Some(role)) if self.objects.read_name(role) == read => {
                self.known_row(number, role, parts, read)
            }
            (Some(_) | None, _) => {
                let selector = SpecSelector { text: TextPattern::FromRead(read.to_owned()), ..parts };
                let same = |it: &&NamedSelector| it.layout == number && it.selector == selector;
                match self.dmf.widgets.iter().find(same) {
                    Some(known) => known.name.clone(),
                    None => self.condition_widget(&format!("row{}_widget", number + 1), number, selector),
                }
            }
        }
    }

    /// The number of a recorded layout in the DMF. Layouts outside of the function get the number of its start or end.
    pub(super) fn number_of(&self, recorded: usize) -> usize {
        self.taken.iter().position(|taken| taken.start >= recorded).unwrap_or(self.taken.len())
    }

    /// Whether the function adds or changes an object.
    fn changes_data(&self) -> bool {
        matches!(self.request.kind, DmfKind::Create | DmfKind::Update)
    }

    /// Whether the function only views an object.
    pub(super) fn is_read_only(&self) -> bool {
        self.request.kind == DmfKind::Read
    }
}

pub(super) fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

fn same_parts(reads: &SpecSelector, parts: &SpecSelector) -> bool {
    SpecSelector { text: TextPattern::Any, instance: None, ..reads.clone() } == *parts
        && reads.instance.is_none()
}
