//! The lead-in, from the fresh start of the app to where a function starts: the steps that were performed there,
//! without those that do not lead there.

use super::action::action;
use super::coalesce::{CoalescedStep, coalesce};
use super::draft::LeadStep;
use super::drafter::Drafter;
use super::place::heading;
use super::selector::row_parts;
use crate::changing_text::fixed_start;
use crate::recorded_widgets::{shown_on, target_of, typed_text};
use crate::{
    Bindings, CheckOutcome, CompiledDmf, DataModel, DmfStep, FreshText, ImpactOp, Input, Scene, SpecSelector,
    TextPattern,
};
use taproof_screen::Looks;
use taproof_screen::{Layout, RecordedStep, Text, WidgetIdx};

/// The similarity, in units of 1/10,000, of two screens with exactly the same kinds of widgets.
const SAME_KINDS: usize = 10_000;

impl Drafter<'_> {
    /// Adds the steps from the fresh start to the first step of the function. Steps of the recording before the
    /// function belong to the lead-in.
    pub(super) fn lead_in(&mut self, recorded: &[RecordedStep]) {
        let Some(lead) = &self.request.lead else { return };
        let own = self.cut.kept.first().map_or(0, |kept| kept.first).min(recorded.len());
        let done: Vec<RecordedStep> = lead.iter().chain(&recorded[..own]).cloned().collect();
        let done = coalesce(&done);
        let way = self.way(&done);
        let mut sideways = done.first().is_some_and(|done| done.step.before.rotation().sideways());
        for index in way {
            let (at, step) = (done[index].first, done[index].step.clone());
            let without = self.request.without_lead.contains(&at);
            let Some(led) = self.lead_step(&done[index], &mut sideways, without) else { continue };
            self.dmf.lead_in.extend(led);
            self.lead.push(LeadStep { at, step, without });
        }
    }

    /// Which of the steps lead there: those up to the first screen on which the function may start, without those that
    /// only returned to where they began. Steps that created the known object are kept, since the function needs one.
    fn way(&self, done: &[CoalescedStep]) -> Vec<usize> {
        let Some(start) = self.layouts.first() else { return Vec::new() };
        let layout = |number: usize| done.get(number).map_or(start, |done| &done.step.before);
        let known = self.objects.known().map(|(_, known)| known);
        let makes = |done: &CoalescedStep| known.is_some() && typed_text(&done.step.event) == known;
        let made = done.iter().rposition(makes);
        let behind = made.map_or(0, |made| made + 1);
        let starts = self.starts();
        let end = (behind..done.len()).find(|number| starts(layout(*number)));
        let end = end.unwrap_or(done.len());
        let stands: Vec<Stand> = (0..=end).map(|number| Stand::of(layout(number))).collect();
        let (mut way, mut at) = (Vec::new(), 0);
        while at < end {
            let limit = made.filter(|made| at <= *made).unwrap_or(end);
            let mut later = (at + 1..=limit).rev();
            match later.find(|later| stands[at].is_like(&stands[*later])) {
                Some(later) => at = later,
                None => {
                    way.push(at);
                    at += 1;
                }
            }
        }
        way
    }

    /// Whether the function may start on a screen: it is similar to that of its start, and all preconditions hold.
    fn starts(&self) -> impl Fn(&Layout) -> bool {
        let (mut data, mut bindings) = (DataModel::new(), Bindings::default());
        for object in self.objects.texts() {
            bindings.set_read(&object.name, object.text);
        }
        if let Some((_, known)) = self.objects.known() {
            data.apply(&self.dmf.data_type, &ImpactOp::Add, known);
        }
        let compiled = CompiledDmf::new(&self.dmf);
        let start = self.layouts.first().map(|start| (start.package().to_owned(), Stand::of(start)));
        move |layout| {
            let Some((app, start)) = &start else { return false };
            let (scene, here) = (Scene { layout, data: &data, app, bindings: &bindings }, Stand::of(layout));
            here.looks.likeness(&start.looks).is_some()
                && here.heading == start.heading
                && compiled.check_preconditions(&scene).iter().all(|outcome| *outcome == CheckOutcome::Holds)
        }
    }

    /// The step of the DMF; `None` if the format has none, or it was removed.
    fn lead_step(
        &mut self,
        done: &CoalescedStep,
        sideways: &mut bool,
        without: bool,
    ) -> Option<Option<DmfStep>> {
        let event = &done.step.event;
        let (action, input) = action(event, sideways)?;
        let known = self.objects.known().map(|(_, known)| known).filter(|known| !self.is_literal(known));
        let typed = typed_text(event);
        let input = match typed {
            Some("") => return None,
            Some(text) if Some(text) == known => Input::Fresh(FreshText::default()),
            Some(text) => Input::Literal(text.to_owned()),
            None => input,
        };
        if without {
            return Some(None);
        }
        let target = target_of(&done.step).filter(|_| action.needs_widget() || typed.is_some());
        let widget = target.map(|target| self.lead_widget(&done.step.before, target));
        Some(Some(DmfStep { action, widget, input, required: true }))
    }

    fn lead_widget(&mut self, layout: &Layout, target: WidgetIdx) -> String {
        let known = self.objects.known().map(|(_, known)| known.to_owned());
        let any = TextPattern::Existing(self.dmf.data_type.clone());
        let widget = layout.widget(target);
        let selector = if !widget.is_text_field() && known.as_deref() == Some(&*widget.text) {
            SpecSelector { text: any, ..row_parts(widget) }
        } else {
            let mut chosen = self.choose(layout, target).selector;
            let anchor =
                chosen.row.take().and(known).and_then(|known| shown_on(layout, &known).last().copied());
            chosen.row = anchor.map(|anchor| {
                let row = SpecSelector { text: any, ..row_parts(layout.widget(anchor)) };
                self.condition_widget("lead_row", 0, row)
            });
            chosen
        };
        self.condition_widget("lead_widget", 0, selector)
    }
}

/// What identifies a place of the app, whatever its lists show.
struct Stand {
    looks: Looks,
    /// Title and path, without the parts that change.
    heading: Vec<String>,
    /// The contents of the fields.
    fields: Vec<(Option<Text>, Text)>,
}

impl Stand {
    fn of(layout: &Layout) -> Stand {
        let fixed = |idx: WidgetIdx| {
            let text = &*layout.widget(idx).text;
            if text.starts_with('/') {
                text.to_owned()
            } else {
                fixed_start(text).unwrap_or_default().to_owned()
            }
        };
        let fields = layout.widgets().iter().filter(|widget| widget.is_text_field());
        Stand {
            looks: Looks::of(layout),
            heading: heading(layout).into_iter().map(fixed).collect(),
            fields: fields.map(|field| (field.resource_id.clone(), field.text.clone())).collect(),
        }
    }

    /// Whether the steps between the two places only led back.
    fn is_like(&self, later: &Stand) -> bool {
        self.fields == later.fields
            && self.heading == later.heading
            && self.looks.likeness(&later.looks) == Some(SAME_KINDS)
    }
}
