//! Where a draft reads its objects, where it expects them, and its conditions.

use std::sync::Arc;

use super::condition_truth::{ConditionWhich, keep_conditions, proposed_condition_key};
use super::draft::NoteOn;
use super::drafter::Drafter;
use super::error::RecorderError;
use super::objects::belongs;
use super::request::{ConditionChoice, ImpactChoice, PickedWidget, Role};
use super::selector::{Candidate, ObjectText, Strength, named_by, row_parts, selector_candidates};
use crate::changing_text::{changing, holds_in_words};
use crate::recorded_widgets::{field_holding, shown_on, shows, typed_text};
use crate::vacuity::is_same_page;
use crate::{Condition, DmfKind, Impact, ImpactOp, Relation, SpecSelector, TextPattern};
use taproof_screen::Looks;
use taproof_screen::{Layout, Widget, WidgetIdx, is_visible, one_line};

impl Drafter<'_> {
    pub(super) fn names_and_objects(&mut self) -> Result<(), RecorderError> {
        for role in [Role::Removed, Role::Added, Role::Sought] {
            if let Some(object) = self.objects.get(role).map(str::to_owned) {
                self.read(role, &object)?;
            }
        }
        // The added object comes first, since its condition does.
        for role in [Role::Added, Role::Removed, Role::Sought] {
            let asked = belongs(role, self.request.kind) || self.request.object(role).shown.is_some();
            if let Some(object) = self.objects.get(role).filter(|_| asked).map(str::to_owned) {
                self.expect(role, &object);
            }
        }
        Ok(())
    }

    /// Adds the `X_name` widget that reads the object: the one that the person picked; else the field that contains the
    /// typed text, right after typing; else a widget of the first layout before the last that shows it.
    fn read(&mut self, role: Role, object: &str) -> Result<(), RecorderError> {
        let name = self.objects.read_name(role);
        if let Some(picked) = self.request.object(role).read.clone() {
            let number = self.number_of(picked.layout);
            if let Some(selector) = self.picked_selector(&picked, number) {
                self.note(Some(name), false, format!("read on layout {number}, as picked: {selector}"));
                self.add_widget(name, number, selector);
            }
        }
        if self.dmf.widget(name).is_some() {
            return Ok(());
        }
        if self.read_field(name, object) {
            return Ok(());
        }
        let last = self.layouts.len().saturating_sub(1);
        let found = (0..last.max(1)).find_map(|number| {
            let layout = self.layouts.get(number)?;
            let shown = layout.iter().filter(|(_, widget)| *widget.text == *object);
            Some((number, shown.map(|(idx, _)| idx).next_back()?))
        });
        let Some((number, idx)) = found else {
            return Err(RecorderError::ObjectNotShown { role: role.word(), object: object.to_owned() });
        };
        let layout = Arc::clone(&self.layouts[number]);
        self.add_read(name, number, &layout, idx, &format!("shows {object:?}"));
        Ok(())
    }

    /// Adds the widget that reads a text that was typed and is no object of the draft. Returns whether it was typed before,
    /// into a field that shows it.
    pub(super) fn read_typed(&mut self, typed: &ObjectText) -> bool {
        self.dmf.widget(&typed.name).is_some() || self.read_field(&typed.name, &typed.text)
    }

    /// Adds the widget that reads a text: the field that contains it, right after typing. Returns whether there is one among
    /// the steps so far.
    fn read_field(&mut self, name: &str, text: &str) -> bool {
        let typed = self.cut.kept.iter().rfind(|kept| typed_text(&kept.step.event) == Some(text));
        let Some(typed) = typed.filter(|typed| self.taken.iter().any(|taken| taken.end >= typed.end)) else {
            return false;
        };
        let layout = Arc::clone(&typed.step.after);
        let Some(idx) = field_holding(&layout, text) else { return false };
        let number = self.number_of(typed.end);
        self.add_read(name, number, &layout, idx, "the field that holds the text after it was typed,");
        true
    }

    fn add_read(&mut self, name: &str, number: usize, layout: &Layout, idx: WidgetIdx, what: &str) {
        let chosen = self.choose(layout, idx);
        self.note(Some(name), chosen.by_position, format!("{what} on layout {number}: {}", chosen.why));
        let selector = self.anchored(chosen.selector, number, layout, idx);
        self.add_widget(name, number, selector);
    }

    /// The selector of a picked widget on a layout of the DMF.
    fn picked_selector(&mut self, picked: &PickedWidget, number: usize) -> Option<SpecSelector> {
        let layout = Arc::clone(self.recorded.get(picked.layout)?);
        layout.get(picked.widget)?;
        let chosen = || self.choose(&layout, picked.widget).selector;
        let selector = picked.selector.clone().unwrap_or_else(chosen);
        Some(self.anchored(selector, number, &layout, picked.widget))
    }

    /// A selector whose row is identified by the object that is read under a name, using a widget of the same layout: a
    /// typed text was read from its field, which is not there any more.
    fn anchored(
        &mut self,
        selector: SpecSelector,
        number: usize,
        layout: &Layout,
        idx: WidgetIdx,
    ) -> SpecSelector {
        let row = selector.row.as_ref().map(|read| self.row_widget(number, layout, idx, read));
        SpecSelector { row, ..selector }
    }

    /// A selector for a widget of the end that matches nothing at the start: an app that does nothing must not pass.
    fn selector_of_end(&mut self, picked: &PickedWidget) -> Option<SpecSelector> {
        let first = self.cut.kept.first()?.first;
        let all = selector_candidates(self.recorded, picked.layout, picked.widget, &self.objects.texts());
        let apart = |it: &Candidate| it.counts.get(first) == Some(&0) && it.strength <= Strength::Fair;
        let found = all.into_iter().find(apart).filter(|_| picked.selector.is_none())?;
        let layout = Arc::clone(self.recorded.get(picked.layout)?);
        Some(self.anchored(found.selector, self.dmf.steps.len(), &layout, picked.widget))
    }

    /// Adds the `X_object` widget that the end must show, or must not show.
    fn expect(&mut self, role: Role, object: &str) {
        let (name, last) = (self.objects.object_name(role), self.layouts.len().saturating_sub(1));
        let choice = self.request.object(role).clone();
        let picked = choice.expected.as_ref().and_then(|picked| {
            let widget = self.recorded.get(picked.layout)?.get(picked.widget)?;
            Some(picked.selector.clone().unwrap_or_else(|| row_parts(widget)))
        });
        let parts = match picked {
            Some(parts) => parts,
            None if self.is_expected(role) => self.expected_parts(role, name, object),
            None => self.gone_parts(role, name, object),
        };
        let selector = SpecSelector { text: self.objects.pattern(role), ..parts };
        self.add_widget(name, last, selector);
    }

    /// Whether the end must show the object.
    fn is_expected(&self, role: Role) -> bool {
        self.request.object(role).shown.unwrap_or(role != Role::Removed)
    }

    /// Of several widgets that show the object, the last that layout 0 does not show already; titles are only used if
    /// there is no other.
    fn expected_parts(&mut self, role: Role, name: &str, object: &str) -> SpecSelector {
        let (Some(first), Some(layout)) = (self.layouts.first().cloned(), self.layouts.last().cloned())
        else {
            return SpecSelector::default();
        };
        let mut candidates = shown_on(&layout, object);
        if candidates.is_empty() && (self.is_read_only() || self.request.kind == DmfKind::Property) {
            candidates = layout.iter().filter(|(_, w)| *w.text == *object).map(|(idx, _)| idx).collect();
        }
        let proves = |idx: &&WidgetIdx| {
            let parts = row_parts(layout.widget(**idx));
            !named_by(&parts, &first, &[]).iter().any(|same| *first.widget(*same).text == *object)
        };
        let chosen = candidates.iter().rev().find(proves).or(candidates.last()).copied();
        if candidates.len() > 1 {
            let all: Vec<String> =
                candidates.iter().map(|idx| row_parts(layout.widget(*idx)).to_string()).collect();
            let text =
                format!("{object:?} is shown {} times on the last layout: {}", all.len(), all.join("; "));
            self.note(Some(name), false, text);
        }
        match chosen {
            Some(idx) => row_parts(layout.widget(idx)),
            None => {
                let text = format!(
                    "the last layout does not show {object:?}; was the right widget tapped, and the change \
                     saved? The row of the old object is taken"
                );
                self.note(Some(name), true, text);
                let old = self.objects.get(Role::Removed).filter(|_| role == Role::Added);
                let old = old.and_then(|old| shown_on(&first, old).last().copied());
                old.map_or(SpecSelector::default(), |idx| row_parts(first.widget(idx)))
            }
        }
    }

    /// What shows such an object while it exists: the row at the start, or wherever it was shown, but rather on the page on
    /// which the function ends. On another one nobody looks for it at the end.
    fn gone_parts(&mut self, role: Role, name: &str, object: &str) -> SpecSelector {
        let row =
            |layout: &Arc<Layout>| shown_on(layout, object).last().map(|idx| row_parts(layout.widget(*idx)));
        let recorded = || self.layouts.first().into_iter().chain(self.recorded.iter().rev());
        let at_end = |layout: &&Arc<Layout>| self.layouts.last().is_some_and(|end| is_same_page(layout, end));
        let shown = recorded()
            .filter(at_end)
            .find_map(row)
            .or_else(|| self.seen_at_end(object))
            .or_else(|| recorded().find_map(row))
            .or_else(|| self.request.seen.iter().rev().find_map(row));
        let reads = self.dmf.widget(self.objects.read_name(role)).map(|widget| widget.selector.clone());
        match (shown, reads) {
            (Some(parts), _) => parts,
            (None, Some(reads)) if role == Role::Removed => {
                SpecSelector { text: TextPattern::Any, instance: None, ..reads }
            }
            (None, _) => {
                let text = format!("no layout shows {object:?}; pick a widget that would show it");
                self.note(Some(name), true, text);
                SpecSelector::default()
            }
        }
    }

    /// What showed such an object before the recording, on a screen of the page on which it must be gone.
    fn seen_at_end(&self, object: &str) -> Option<SpecSelector> {
        let end = self.layouts.last()?;
        let row = |layout: &Layout, text: &str| {
            shown_on(layout, text).last().map(|idx| row_parts(layout.widget(*idx)))
        };
        let looks = Looks::of(end);
        let like = |layout: &&Arc<Layout>| Looks::of(layout).likeness(&looks);
        let seen = || self.request.seen.iter().filter(|layout| like(layout).is_some());
        let there = seen().filter(|layout| !shown_on(layout, object).is_empty()).max_by_key(like);
        // If this object was never found, another one was, by the same field.
        let field = |layout: &Layout| {
            let held = end.widget(field_holding(end, object)?);
            let same = |widget: &&Widget| widget.is_text_field() && widget.resource_id == held.resource_id;
            layout.widgets().iter().find(same).map(|widget| widget.text.to_string())
        };
        let found = |layout: &Arc<Layout>| row(layout, &field(layout).filter(|text| !text.is_empty())?);
        there.and_then(|layout| row(layout, object)).or_else(|| seen().rev().find_map(found))
    }

    pub(super) fn impacts(&mut self) {
        let of = |op, role| ImpactChoice { op, role };
        let proposed = match self.request.kind {
            DmfKind::Create if self.objects.added_was_there => {
                vec![of(ImpactOp::AddNoDuplicate, Role::Added)]
            }
            DmfKind::Create => vec![of(ImpactOp::Add, Role::Added)],
            DmfKind::Update => vec![of(ImpactOp::Delete, Role::Removed), of(ImpactOp::Add, Role::Added)],
            DmfKind::Delete => vec![of(ImpactOp::Delete, Role::Removed)],
            DmfKind::Read | DmfKind::Search | DmfKind::Property => Vec::new(),
        };
        for ImpactChoice { op, role } in self.request.impacts.clone().unwrap_or(proposed) {
            if self.objects.get(role).is_some() {
                self.dmf.impacts.push(Impact { op, object: self.objects.pattern(role) });
            }
        }
    }

    pub(super) fn conditions(&mut self) {
        self.proposed_preconditions();
        let last = self.dmf.steps.len();
        for role in [Role::Added, Role::Removed, Role::Sought] {
            let name = self.objects.object_name(role);
            if self.dmf.widget(name).is_some() {
                let relation = if self.is_expected(role) { Relation::In } else { Relation::NotIn };
                self.dmf.postconditions.push(Condition::on_widget(name, relation).at(last));
            }
        }
        self.state_at_end();
        self.places = [&self.dmf.preconditions, &self.dmf.postconditions].map(|all| vec![None; all.len()]);
        self.added_conditions(false);
        self.added_conditions(true);
        self.take_away();
    }

    /// Removes the proposed conditions that are not wanted.
    fn take_away(&mut self) {
        let without = &self.request.without;
        let stays = |(conditions, post): (&Vec<Condition>, bool)| -> Vec<bool> {
            let places = &self.places[usize::from(post)];
            let wanted = |(condition, place): (&Condition, &Option<usize>)| {
                place.is_some() || !without.contains(&proposed_condition_key(condition, post))
            };
            conditions.iter().zip(places).map(wanted).collect()
        };
        let stay = [(&self.dmf.preconditions, false), (&self.dmf.postconditions, true)].map(stays);
        for (places, stay) in self.places.iter_mut().zip(&stay) {
            let mut stay = stay.iter();
            places.retain(|_| stay.next() == Some(&true));
        }
        keep_conditions(&mut self.dmf, |which| match which {
            ConditionWhich::Pre(index) => stay[0][index],
            ConditionWhich::Post(index) => stay[1][index],
        });
        let dmf = &self.dmf;
        self.notes.retain(|note| note.widget.as_deref().is_none_or(|name| dmf.widget(name).is_some()));
    }

    fn added_conditions(&mut self, post: bool) {
        let request = self.request;
        let choices = if post { &request.postconditions } else { &request.preconditions };
        for (place, choice) in choices.iter().enumerate() {
            match self.condition(choice, post) {
                Some(condition) => {
                    let all = if post { &mut self.dmf.postconditions } else { &mut self.dmf.preconditions };
                    all.push(condition);
                    self.places[usize::from(post)].push(Some(place));
                }
                None => {
                    let text =
                        "an added condition is left out: what was picked for it is not recorded any more";
                    self.note(None, true, text.to_owned());
                }
            }
        }
    }

    fn proposed_preconditions(&mut self) {
        match self.dmf.steps.first().map(|step| step.widget.clone()) {
            Some(Some(widget)) => {
                self.dmf.preconditions.push(Condition::on_widget(widget, Relation::In).at(0))
            }
            // A widget that the screen is scrolled to need not be visible.
            Some(None) | None => {
                let text = "the first step names no widget; say where the function may start".to_owned();
                self.note(None, self.request.preconditions.is_empty(), text);
            }
        }
        let literal = self.objects.known().is_some_and(|(_, known)| self.is_literal(known));
        let relation = match self.request.kind {
            DmfKind::Create => Some(Relation::Smaller(5)).filter(|_| !self.objects.added_was_there),
            DmfKind::Update if literal => Some(Relation::Smaller(5)),
            DmfKind::Update | DmfKind::Delete | DmfKind::Search | DmfKind::Read => {
                Some(Relation::IsNotEmpty).filter(|_| !literal && self.objects.known().is_some())
            }
            DmfKind::Property => self.objects.known().filter(|_| !literal).map(|_| Relation::IsNotEmpty),
        };
        if let Some(relation) = relation {
            self.dmf.preconditions.push(Condition::on_data(self.request.data_type.clone(), relation).at(0));
        }
        self.place();
    }

    /// A condition that the person added. `None` if its widget does not exist.
    fn condition(&mut self, choice: &ConditionChoice, post: bool) -> Option<Condition> {
        let ConditionChoice { picked, shown, state } = choice;
        let layout = if post { self.dmf.steps.len() } else { 0 };
        let told_apart = if post && *shown { self.selector_of_end(picked) } else { None };
        let selector = told_apart.or_else(|| self.picked_selector(picked, layout))?;
        let selector = match post {
            true => self.with_its_value(choice, selector),
            false => self.with_its_text(choice, selector),
        };
        let base = match (post, shown) {
            (false, true) => "pre_widget",
            (false, false) => "notpre_widget",
            (true, true) => "post_widget",
            (true, false) => "gone_widget",
        };
        let name = self.condition_widget(base, layout, selector);
        let relation = if *shown { Relation::In } else { Relation::NotIn };
        Some(Condition { state: *state, ..Condition::on_widget(name, relation).at(layout) })
    }

    /// Adds the text that a widget in the row of an object showed when it was picked, if the function typed it or changed it:
    /// otherwise any text would pass. Asks where it may be another one in another run.
    fn with_its_value(&mut self, choice: &ConditionChoice, selector: SpecSelector) -> SpecSelector {
        let ConditionChoice { picked, shown, state } = choice;
        let widget = self.recorded.get(picked.layout).and_then(|layout| layout.get(picked.widget));
        let value = widget.map(|widget| widget.text.to_string()).filter(|text| is_visible(text));
        let asks_for_none = selector.row.is_some() && selector.text == TextPattern::Any;
        let (Some(value), true) = (value, *shown && state.is_none() && asks_for_none) else {
            return selector;
        };
        let data = self.objects.texts().into_iter().find(|text| text.text == value);
        if let Some(data) = data.filter(|data| self.read_typed(data)) {
            return SpecSelector { text: TextPattern::FromRead(data.name), ..selector };
        }
        let typed = self.cut.kept.iter().any(|kept| typed_text(&kept.step.event) == Some(&*value));
        let parts = SpecSelector { row: None, ..selector.clone() };
        let first = self.layouts.first();
        let before = first.map(|first| named_by(&parts, first, &[])).unwrap_or_default();
        let in_list = first.is_some_and(|first| !before.is_empty() && !shows(first, &value));
        let said = one_line(&value);
        if typed || in_list {
            if let Some(why) = changing(&value).filter(|_| !typed) {
                let text = format!(
                    "the row must show \u{201c}{said}\u{201d} at the end, as picked, but may show something else in \
                     another run: {why}"
                );
                self.note(None, true, text);
            }
            return SpecSelector { text: TextPattern::Is(value), ..selector };
        }
        let text = format!(
            "the row must show something where \u{201c}{said}\u{201d} was picked, whatever it is; should it be just this, \
             give the widget of the condition this text"
        );
        self.note(None, true, text);
        selector
    }

    /// Adds the text of a picked widget to its selector, since it is meant as it was shown, if the text belongs to what
    /// must hold before. What must not be shown is described without its text, as long as the start screen has no such
    /// widget.
    fn with_its_text(&mut self, choice: &ConditionChoice, selector: SpecSelector) -> SpecSelector {
        let picked = &choice.picked;
        let Some(layout) = self.recorded.get(picked.layout).cloned() else { return selector };
        let Some(widget) = layout.get(picked.widget) else { return selector };
        let mut objects = self.objects.texts().into_iter();
        let data = widget.is_text_field() || objects.any(|object| holds_in_words(&widget.text, &object.text));
        let told = picked.selector.is_some() || selector.text != TextPattern::Any || selector.xpath.is_some();
        let at_start = |selector: &SpecSelector| {
            self.layouts
                .first()
                .is_some_and(|start| !named_by(selector, start, &self.objects.texts()).is_empty())
        };
        if widget.text.is_empty() || data || told || (!choice.shown && !at_start(&selector)) {
            return selector;
        }
        let text = TextPattern::Is(widget.text.to_string());
        let mut with_text = SpecSelector { text, instance: None, ..selector.clone() };
        let alike = named_by(&with_text, &layout, &self.objects.texts());
        if selector.instance.is_some() && alike.len() > 1 {
            let place = alike.iter().position(|idx| *idx == picked.widget).unwrap_or(0);
            with_text.instance = u32::try_from(place).ok();
        }
        if let Some(why) = changing(&widget.text).filter(|_| choice.shown) {
            let shown = one_line(&widget.text);
            let text = format!(
                "it starts only where \u{201c}{shown}\u{201d} is shown, as picked, which may change: {why}"
            );
            self.add_note(NoteOn::Before, true, text);
        }
        with_text
    }

    /// If several fields were filled, adds a remark on which text was taken for the object, and why.
    pub(super) fn several_fields(&mut self) {
        for role in [Role::Added, Role::Sought] {
            let choice = self.request.object(role);
            let said = choice.text.is_some() || choice.read.is_some() || choice.expected.is_some();
            let Some(object) = self.objects.get(role).filter(|_| !said).map(str::to_owned) else { continue };
            let of_other = |text: &str| {
                Role::ALL.into_iter().any(|other| other != role && self.objects.get(other) == Some(text))
            };
            let mut typed: Vec<String> = Vec::new();
            for text in self.cut.kept.iter().filter_map(|kept| typed_text(&kept.step.event)) {
                if !text.is_empty() && !of_other(text) && !typed.iter().any(|known| known == text) {
                    typed.push(text.to_owned());
                }
            }
            if typed.len() < 2 || !typed.contains(&object) {
                continue;
            }
            let (first, last) = (self.layouts.first().cloned(), self.layouts.last().cloned());
            let came = |text: &&String| {
                last.as_ref().is_some_and(|last| shows(last, text))
                    && !first.as_ref().is_some_and(|first| shows(first, text))
            };
            let shown: Vec<&String> = typed.iter().filter(came).collect();
            let (sure, why) = match shown[..] {
                [one] if *one == object => (true, "the end shows it alone"),
                [] => (false, "it was typed last, but the end shows none of them"),
                [_] => (false, "it was typed last"),
                [..] => (false, "it was typed last, but the end shows several of them"),
            };
            let text = format!(
                "{} texts were typed; \u{201c}{}\u{201d} was taken: {why}",
                typed.len(),
                one_line(&object)
            );
            self.add_note(NoteOn::Object(role), !sure, text);
        }
    }

    /// Adds a widget for a condition under a free name. An equal widget that is there already is reused.
    pub(super) fn condition_widget(&mut self, base: &str, layout: usize, selector: SpecSelector) -> String {
        let names = (1..).map(|number| match number {
            1 => base.to_owned(),
            number => format!("{base}{number}"),
        });
        for name in names {
            match self.dmf.widget(&name) {
                Some(known) if known.selector == selector && known.layout == layout => return name,
                Some(_) => {}
                None => {
                    self.add_widget(&name, layout, selector);
                    return name;
                }
            }
        }
        base.to_owned()
    }
}
