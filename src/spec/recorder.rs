//! Performed events with their layouts to a draft DMF (pbfdroid.md 4.2 and 4.3, with the answers of 4.4).
//! Pure: the window, the command line and tests hand in the same values.

use std::sync::Arc;

use super::recorder_cut::{Cut, cut};
use super::recorder_objects::{Objects, shown_on, target_of, typed_text};
use super::recorder_selector::{choose_selector, matches, row_parts};
use super::{
    Action, Bindings, CheckOutcome, CompiledDmf, Condition, DataModel, DataType, Dmf, DmfKind, DmfStep,
    FreshText, Impact, ImpactOp, Input, NamedSelector, Relation, Scene, SpecSelector, TextPattern,
};
use crate::model::{Event, Gesture, Key, Layout, WidgetIdx};

/// One event as it was performed.
#[derive(Clone, Debug)]
pub struct RecordedStep {
    /// The input.
    pub event: Event,
    /// What was seen before it.
    pub before: Arc<Layout>,
    /// What was seen after it.
    pub after: Arc<Layout>,
}

/// What the person says of the recording. Objects left out are proposed from the recording.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftRequest {
    /// What was done to the data.
    pub kind: DmfKind,
    /// The noun.
    pub data_type: DataType,
    /// The object that was made, or that the edited one became.
    pub added: Option<String>,
    /// The object that was removed, or that the edited one was.
    pub removed: Option<String>,
    /// The object that was searched or viewed.
    pub sought: Option<String>,
}

/// A DMF made from a recording, to be looked at by a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The DMF.
    pub dmf: Dmf,
    /// The recorded steps that it was made from: from this one on ...
    pub first_step: usize,
    /// ... up to and without this one.
    pub end_step: usize,
    /// Why it came out so, and what to look at, in the order of the DMF.
    pub notes: Vec<DraftNote>,
}

/// One remark on a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftNote {
    /// The widget that it speaks of, if it does of one.
    pub widget: Option<String>,
    /// Whether a person should look at it before the DMF is used.
    pub doubtful: bool,
    /// The remark.
    pub text: String,
}

/// No draft can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecorderError {
    /// There is nothing to draft from.
    #[error("the recording has no step; perform the function once and try again")]
    Empty,
    /// Nobody said which object, and it cannot be guessed.
    #[error("which object was {role}? None can be read off the recording; name it")]
    ObjectUnknown {
        /// `added`, `removed` or `sought`.
        role: &'static str,
    },
    /// The object is on no layout.
    #[error("no layout of the recording shows {object:?} ({role}); is it spelled as on the screen?")]
    ObjectNotShown {
        /// `added`, `removed` or `sought`.
        role: &'static str,
        /// The object.
        object: String,
    },
    /// An event's point is on no widget.
    #[error("step {step} is done to no widget of its layout; record it again")]
    NoTarget {
        /// The recorded step, from 1.
        step: usize,
    },
}

/// Makes a draft.
pub fn draft(steps: &[RecordedStep], request: &DraftRequest) -> Result<Draft, RecorderError> {
    let objects = Objects::of(steps, request)?;
    let cut = cut(steps, request.kind, &objects)?;
    let mut drafter = Drafter {
        request,
        dmf: empty_dmf(request),
        notes: Vec::new(),
        layouts: cut.layouts(),
        objects: &objects,
        cut: &cut,
    };
    for remark in &cut.remarks {
        drafter.note(None, false, remark.clone());
    }
    drafter.steps()?;
    drafter.names_and_objects()?;
    drafter.conditions();
    drafter.prove();
    let Drafter { dmf, notes, .. } = drafter;
    Ok(Draft { dmf, first_step: cut.first_step, end_step: cut.end_step, notes })
}

fn empty_dmf(request: &DraftRequest) -> Dmf {
    Dmf {
        name: format!("{} {}", request.kind.word(), request.data_type),
        kind: request.kind,
        data_type: request.data_type.clone(),
        weight: 10,
        steps: Vec::new(),
        widgets: Vec::new(),
        preconditions: Vec::new(),
        impacts: Vec::new(),
        postconditions: Vec::new(),
        refusal: None,
        lead_in: Vec::new(),
    }
}

struct Drafter<'a> {
    request: &'a DraftRequest,
    dmf: Dmf,
    notes: Vec<DraftNote>,
    /// Layout k is the one before step k; the last is the final one.
    layouts: Vec<Arc<Layout>>,
    objects: &'a Objects,
    cut: &'a Cut,
}

impl Drafter<'_> {
    fn note(&mut self, widget: Option<&str>, doubtful: bool, text: String) {
        self.notes.push(DraftNote { widget: widget.map(str::to_owned), doubtful, text });
    }

    fn add_widget(&mut self, name: &str, layout: usize, selector: SpecSelector) {
        if self.dmf.widget(name).is_none() {
            self.dmf.widgets.push(NamedSelector { name: name.to_owned(), layout, selector });
        }
    }

    /// The name that a known object is read under.
    fn known_name(&self) -> &'static str {
        match self.request.kind {
            DmfKind::Search => "search_name",
            DmfKind::Read => "view_name",
            DmfKind::Create | DmfKind::Update | DmfKind::Delete | DmfKind::Property => "delete_name",
        }
    }

    fn steps(&mut self) -> Result<(), RecorderError> {
        let mut sideways = self.layouts.first().is_some_and(|layout| layout.rotation().sideways());
        for (index, kept) in self.cut.kept.iter().enumerate() {
            let (action, input) = match &kept.step.event {
                Event::Widget { gesture, .. } => gesture_action(gesture, &kept.step.event),
                Event::Type(_) => (Action::Edit, Input::None),
                Event::Key(Key::Back) => (Action::Back, Input::None),
                Event::Key(Key::Home) => (Action::Home, Input::None),
                Event::Key(Key::ImeAction) => (Action::ImeAction, Input::None),
                // The cut has left these out, as the format has no word for them.
                Event::Key(Key::Recents | Key::Delete) => continue,
                Event::Rotate => {
                    sideways = !sideways;
                    (if sideways { Action::RotateLeft } else { Action::RotateNatural }, Input::None)
                }
                Event::Wait(time) => {
                    (Action::Sleep, Input::Literal(time.millis().div_ceil(1000).to_string()))
                }
                Event::Relaunch => (Action::Start, Input::None),
            };
            let input = match typed_text(&kept.step.event) {
                Some(text) => self.typed_input(text),
                None => input,
            };
            let needs_target = action.needs_widget() || typed_text(&kept.step.event).is_some();
            let widget = match (needs_target, target_of(&kept.step)) {
                (false, _) => None,
                (true, Some(target)) => Some(self.target(index, target)),
                (true, None) => return Err(RecorderError::NoTarget { step: kept.recorded + 1 }),
            };
            self.dmf.steps.push(DmfStep { action, widget, input, required: true });
        }
        Ok(())
    }

    /// The added object is a fresh text, a known one is drawn from the model.
    fn typed_input(&self, text: &str) -> Input {
        match self.objects.known() {
            Some(object) if object == text => Input::Existing(self.request.data_type.clone()),
            _ => Input::Fresh(FreshText::default()),
        }
    }

    /// Names the widget of step `index`; the row of a known object is named by any object of the model.
    fn target(&mut self, index: usize, target: WidgetIdx) -> String {
        let layout = self.layouts[index].clone();
        let widget = layout.widget(target);
        let row_of = |object: &Option<String>| {
            !widget.is_text_field() && object.as_deref().is_some_and(|object| *widget.text == *object)
        };
        let name = format!("e{}_widget", index + 1);
        if row_of(&self.objects.removed) || row_of(&self.objects.sought) {
            let known = self.known_name();
            if self.dmf.widget(known).is_none() {
                let mut selector = row_parts(widget);
                selector.text = TextPattern::Existing(self.request.data_type.clone());
                let text = format!(
                    "its text is the object's own, so the row of any known {} is touched, wherever it stands",
                    self.request.data_type
                );
                self.note(Some(known), false, text);
                self.add_widget(known, index, selector);
                return known.to_owned();
            }
            let mut selector = row_parts(widget);
            selector.text = TextPattern::FromRead(known.to_owned());
            self.add_widget(&name, index, selector);
            return name;
        }
        if row_of(&self.objects.added) {
            let mut selector = row_parts(widget);
            selector.text = TextPattern::FromRead("add_name".to_owned());
            self.note(Some(&name), false, "its text is the new object, read as add_name".to_owned());
            self.add_widget(&name, index, selector);
            return name;
        }
        let chosen = choose_selector(&layout, target, &self.objects.all());
        let counts: Vec<String> = self
            .layouts
            .iter()
            .take(index + 1)
            .map(|layout| matches(&chosen.selector, layout).len().to_string())
            .collect();
        let text = format!(
            "{}: {}; matches on layouts 0 to {index}: {}",
            chosen.selector,
            chosen.why,
            counts.join(", ")
        );
        self.note(Some(&name), chosen.by_position, text);
        self.add_widget(&name, index, chosen.selector);
        name
    }

    fn names_and_objects(&mut self) -> Result<(), RecorderError> {
        let last = self.layouts.len() - 1;
        if let Some(removed) = self.objects.removed.clone() {
            self.read("delete_name", "removed", &removed)?;
        }
        if let Some(added) = self.objects.added.clone() {
            self.read("add_name", "added", &added)?;
            self.expect("add_object", "add_name", &added, last);
            self.dmf.impacts.push(impact(ImpactOp::Add, "add_name"));
        }
        if let Some(removed) = self.objects.removed.clone() {
            let row =
                self.dmf.widget("delete_name").map(|widget| widget.selector.clone()).unwrap_or_default();
            let parts = match shown_on(&self.layouts[0], &removed).last() {
                Some(idx) => row_parts(self.layouts[0].widget(*idx)),
                None => SpecSelector { text: TextPattern::Any, instance: None, ..row },
            };
            let selector = SpecSelector { text: TextPattern::FromRead("delete_name".to_owned()), ..parts };
            self.add_widget("delete_object", last, selector);
            self.dmf.impacts.insert(0, impact(ImpactOp::Delete, "delete_name"));
        }
        if let Some(sought) = self.objects.sought.clone() {
            let name = self.known_name();
            self.read(name, "sought", &sought)?;
            let object = if self.request.kind == DmfKind::Search { "search_object" } else { "view_object" };
            self.expect(object, name, &sought, last);
        }
        Ok(())
    }

    /// Adds the `X_name` that reads the object: the field that holds what was typed, right after the typing;
    /// else the first layout before the last that shows it.
    fn read(&mut self, name: &str, role: &'static str, object: &str) -> Result<(), RecorderError> {
        if self.dmf.widget(name).is_some() {
            return Ok(());
        }
        let typed = self.cut.kept.iter().rposition(|kept| typed_text(&kept.step.event) == Some(object));
        if let Some(typed) = typed {
            let layout = self.layouts[typed + 1].clone();
            let held = layout.iter().find(|(_, widget)| widget.is_text_field() && *widget.text == *object);
            let place = held.map(|(idx, _)| (typed + 1, idx));
            if let Some((number, idx)) = place {
                let chosen = choose_selector(&layout, idx, &self.objects.all());
                let text = format!(
                    "the field that holds the text after it was typed, on layout {number}: {}",
                    chosen.why
                );
                self.note(Some(name), chosen.by_position, text);
                self.add_widget(name, number, chosen.selector);
                return Ok(());
            }
        }
        let last = self.layouts.len() - 1;
        let found = (0..last.max(1)).find_map(|number| {
            let all = self.layouts[number].iter().filter(|(_, widget)| *widget.text == *object);
            Some((number, all.map(|(idx, _)| idx).next_back()?))
        });
        let Some((number, idx)) = found else {
            return Err(RecorderError::ObjectNotShown { role, object: object.to_owned() });
        };
        let chosen = choose_selector(&self.layouts[number], idx, &self.objects.all());
        let text = format!("shows {object:?} on layout {number}: {}", chosen.why);
        self.note(Some(name), chosen.by_position, text);
        self.add_widget(name, number, chosen.selector);
        Ok(())
    }

    /// Adds the `X_object` that the last layout must show. Of several candidates one that layout 0 does not
    /// show already, and behind titles: the last.
    fn expect(&mut self, name: &str, read: &str, object: &str, last: usize) {
        let layout = self.layouts[last].clone();
        let mut candidates = shown_on(&layout, object);
        if candidates.is_empty() && self.request.kind == DmfKind::Read {
            candidates = layout.iter().filter(|(_, w)| *w.text == *object).map(|(idx, _)| idx).collect();
        }
        let text = TextPattern::FromRead(read.to_owned());
        let first = self.layouts[0].clone();
        let proves = |idx: &&WidgetIdx| {
            let parts = row_parts(layout.widget(**idx));
            !matches(&parts, &first).iter().any(|same| *first.widget(*same).text == *object)
        };
        let chosen = candidates.iter().rev().find(proves).or(candidates.last()).copied();
        if candidates.len() > 1 {
            let all: Vec<String> =
                candidates.iter().map(|idx| row_parts(layout.widget(*idx)).to_string()).collect();
            let text =
                format!("{object:?} is shown {} times on the last layout: {}", all.len(), all.join("; "));
            self.note(Some(name), false, text);
        }
        let parts = match chosen {
            Some(idx) => row_parts(layout.widget(idx)),
            None => {
                let text =
                    format!("the last layout does not show {object:?}; the row of the old object is taken");
                self.note(Some(name), true, text);
                let old =
                    self.objects.removed.as_deref().and_then(|old| shown_on(&first, old).last().copied());
                old.map_or(SpecSelector::default(), |idx| row_parts(first.widget(idx)))
            }
        };
        self.add_widget(name, last, SpecSelector { text, ..parts });
    }

    fn conditions(&mut self) {
        let first = self.dmf.steps.first().and_then(|step| step.widget.clone());
        match first {
            Some(widget) => self.dmf.preconditions.push(shown(&widget, Relation::In, 0)),
            None => self.note(
                None,
                true,
                "the first step names no widget; say where the function may start".to_owned(),
            ),
        }
        let last = self.dmf.steps.len();
        let data = match self.request.kind {
            DmfKind::Create => Some(Relation::Smaller(5)),
            DmfKind::Update | DmfKind::Delete | DmfKind::Search | DmfKind::Read => Some(Relation::IsNotEmpty),
            DmfKind::Property => None,
        };
        if let Some(relation) = data {
            let data_type = Some(self.request.data_type.clone());
            let condition = Condition { widget: None, data_type, relation, layout: Some(0), scroll: true };
            self.dmf.preconditions.push(condition);
        }
        for (name, relation) in [
            ("add_object", Relation::In),
            ("delete_object", Relation::NotIn),
            ("search_object", Relation::In),
            ("view_object", Relation::In),
        ] {
            if self.dmf.widget(name).is_some() {
                self.dmf.postconditions.push(shown(name, relation, last));
            }
        }
    }

    /// Judges the conditions on the recorded layouts: they must hold at their end, and a postcondition that
    /// already holds at the start proves nothing.
    fn prove(&mut self) {
        let (Some(first), Some(last)) = (self.layouts.first().cloned(), self.layouts.last().cloned()) else {
            return;
        };
        let compiled = CompiledDmf::new(&self.dmf);
        let app = first.package().to_owned();
        let (mut before, mut bindings) = (DataModel::new(), Bindings::default());
        if let Some(object) = self.objects.known() {
            before.apply(&self.dmf.data_type, &ImpactOp::Add, object);
            bindings.set_read(self.known_name(), object.to_owned());
        }
        if let Some(added) = &self.objects.added {
            bindings.set_read("add_name", added.clone());
        }
        let mut after = before.clone();
        after.apply_impacts(&self.dmf, &bindings);
        let start = Scene { layout: &first, data: &before, app: &app, bindings: &bindings };
        let end = Scene { layout: &last, data: &after, app: &app, bindings: &bindings };
        let mut remarks = Vec::new();
        for (condition, outcome) in self.dmf.preconditions.iter().zip(compiled.check_preconditions(&start)) {
            if outcome != CheckOutcome::Holds {
                remarks.push((
                    condition.widget.clone(),
                    format!("the precondition does not hold at the start: {outcome:?}"),
                ));
            }
        }
        // At the start the object is still held, so it would be counted as allowed there.
        let gone = Scene { data: &after, ..start };
        let at_start = compiled.check_postconditions(&gone);
        let at_end = compiled.check_postconditions(&end);
        for ((condition, at_end), at_start) in self.dmf.postconditions.iter().zip(at_end).zip(at_start) {
            match at_end {
                CheckOutcome::Holds if at_start == CheckOutcome::Holds => remarks.push((
                    condition.widget.clone(),
                    "the postcondition holds at the start already, so it proves nothing".to_owned(),
                )),
                CheckOutcome::Holds => {}
                CheckOutcome::Fails(failed) => remarks.push((
                    condition.widget.clone(),
                    format!("fails on the recorded end: expected {}, seen {}", failed.expected, failed.seen),
                )),
                CheckOutcome::NotJudged(reason) => {
                    remarks.push((condition.widget.clone(), format!("cannot be judged: {reason:?}")));
                }
            }
        }
        for (widget, text) in remarks {
            self.note(widget.as_deref(), true, text);
        }
    }
}

fn gesture_action(gesture: &Gesture, event: &Event) -> (Action, Input) {
    match gesture {
        Gesture::Tap => (Action::Click, Input::None),
        Gesture::LongPress => (Action::LongClick, Input::None),
        Gesture::SetText(_) => (Action::Edit, Input::None),
        Gesture::Swipe(direction) => (Action::Scroll(*direction), Input::None),
        Gesture::Drag(to) => {
            let from = match event {
                Event::Widget { target, .. } => target.at,
                Event::Type(_) | Event::Key(_) | Event::Rotate | Event::Wait(_) | Event::Relaunch => *to,
            };
            (Action::Drag, Input::Literal(format!("{},{},{},{}", from.x, from.y, to.x, to.y)))
        }
    }
}

fn impact(op: ImpactOp, name: &str) -> Impact {
    Impact { op, object: TextPattern::FromRead(name.to_owned()) }
}

fn shown(widget: &str, relation: Relation, layout: usize) -> Condition {
    let widget = Some(widget.to_owned());
    Condition { widget, data_type: None, relation, layout: Some(layout), scroll: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Selector, layout_from};

    /// A step between two screens: a gesture on the first widget of an id, or a key.
    fn step(before: &str, id: &str, gesture: Gesture, after: &str) -> RecordedStep {
        let (before, after) = (Arc::new(layout_from(before)), Arc::new(layout_from(after)));
        let selector = Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
        RecordedStep { event: Event::on(&before, selector, gesture).unwrap(), before, after }
    }

    fn request(kind: DmfKind) -> DraftRequest {
        DraftRequest { kind, data_type: "note".to_owned(), added: None, removed: None, sought: None }
    }

    fn widgets(draft: &Draft) -> Vec<String> {
        draft.dmf.widgets.iter().map(|w| format!("{}@{} {}", w.name, w.layout, w.selector)).collect()
    }

    const LIST: &str = "ImageButton#search (Search)\nTextView#row \"a\"\nTextView#row \"c1\"\n";

    #[test]
    fn a_search_reads_its_field_and_proves_itself_by_a_row() {
        let typed = "EditText#title \"c1\"\nTextView#row \"c1\"\n";
        let steps = [
            step(LIST, "search", Gesture::Tap, "EditText#title\n"),
            step("EditText#title\n", "title", Gesture::SetText("c1".to_owned()), typed),
        ];
        let draft = draft(&steps, &request(DmfKind::Search)).unwrap();
        assert_eq!(draft.dmf.steps[1].input, Input::Existing("note".to_owned()));
        let expected = [
            "e1_widget@0 id \"org.ex:id/search\"",
            "e2_widget@1 id \"org.ex:id/title\"",
            "search_name@2 id \"org.ex:id/title\"",
            "search_object@2 id \"org.ex:id/row\", text search_name.text",
        ];
        assert_eq!(widgets(&draft), expected);
        let doubts: Vec<&DraftNote> = draft.notes.iter().filter(|note| note.doubtful).collect();
        assert!(doubts.len() == 1 && doubts[0].text.contains("holds at the start"), "{doubts:#?}");
    }

    #[test]
    fn a_view_touches_the_row_of_any_known_object() {
        let opened = "TextView#heading \"c1\"\nTextView#body \"x\"\n";
        let mut tap = step(LIST, "row", Gesture::Tap, opened);
        if let Event::Widget { target, .. } = &mut tap.event {
            target.selector.text = Some("c1".to_owned());
            target.at = tap.before.widget(WidgetIdx(2)).bounds.center();
        }
        let draft = draft(&[tap], &request(DmfKind::Read)).unwrap();
        let expected = [
            "view_name@0 id \"org.ex:id/row\", text note::random",
            "view_object@1 id \"org.ex:id/heading\", text view_name.text",
        ];
        assert_eq!(widgets(&draft), expected);
        assert_eq!(draft.dmf.steps[0].widget.as_deref(), Some("view_name"));
        assert!(draft.dmf.impacts.is_empty() && draft.notes.iter().all(|note| !note.doubtful));
    }

    #[test]
    fn a_row_that_can_only_be_counted_is_doubtful() {
        let rows = "TextView#row \"a\"\nButton#more\nTextView#row \"b\"\nButton#more\n";
        let mut tap = step(rows, "more", Gesture::Tap, "TextView#row \"a\"\nButton#more\n");
        if let Event::Widget { target, .. } = &mut tap.event {
            target.selector.instance = Some(1);
            target.at = tap.before.widget(WidgetIdx(3)).bounds.center();
        }
        let request = DraftRequest { removed: Some("b".to_owned()), ..request(DmfKind::Delete) };
        let draft = draft(&[tap], &request).unwrap();
        let expected = [
            "e1_widget@0 id \"org.ex:id/more\", instance 1",
            "delete_name@0 id \"org.ex:id/row\", instance 1",
            "delete_object@1 id \"org.ex:id/row\", text delete_name.text",
        ];
        assert_eq!(widgets(&draft), expected);
        assert!(draft.notes.iter().any(|note| note.doubtful && note.widget.as_deref() == Some("e1_widget")));
    }

    #[test]
    fn what_cannot_be_drafted_says_why() {
        assert_eq!(draft(&[], &request(DmfKind::Create)), Err(RecorderError::Empty));
        let tap = step(LIST, "search", Gesture::Tap, LIST);
        let unknown = draft(std::slice::from_ref(&tap), &request(DmfKind::Create));
        assert_eq!(unknown, Err(RecorderError::ObjectUnknown { role: "added" }));
        let asked = DraftRequest { removed: Some("zz".to_owned()), ..request(DmfKind::Delete) };
        let missing = RecorderError::ObjectNotShown { role: "removed", object: "zz".to_owned() };
        assert_eq!(draft(&[tap], &asked), Err(missing));
    }
}
