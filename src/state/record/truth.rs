//! What the DMF says of the layouts that were recorded.

use std::sync::Arc;

use super::RecordState;
use crate::model::{Layout, WidgetIdx, touched_widget, widget_caption};
use crate::spec::{
    Bindings, CheckOutcome, CompiledDmf, CompiledSelector, Condition, DataModel, Dmf, Draft, ImpactOp, Input,
    NamedSelector, Relation, Scene, Scope, TextPattern, condition_sentence,
};

/// The DMF over the layouts of the recording, with the texts that it reads there.
pub(super) struct Reading {
    pub(super) compiled: CompiledDmf,
    pub(super) layouts: Vec<Arc<Layout>>,
    bindings: Bindings,
    before: DataModel,
    after: DataModel,
    app: String,
}

/// A condition in words, with what it says of every layout of the recording.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionLine {
    /// Its number among the conditions of its side.
    pub number: usize,
    /// It in words.
    pub sentence: String,
    /// Its selector, where it speaks of a widget.
    pub selector: String,
    /// Whether it holds on each layout; `None` where it cannot be said.
    pub truths: Vec<Option<bool>>,
    /// Whether it can be false, as far as the recording shows.
    pub can_fail: bool,
}

impl Reading {
    fn of(state: &RecordState, draft: &Draft) -> Reading {
        let dmf = &draft.dmf;
        let numbers = state.numbers(draft);
        let steps: Vec<_> = numbers.iter().filter_map(|number| state.recording.steps.get(*number)).collect();
        let last = steps.last().map(|done| Arc::clone(&done.step.after));
        let layouts = steps.iter().map(|done| Arc::clone(&done.step.before)).chain(last).collect();
        let compiled = CompiledDmf::new(dmf);
        let mut reading = Reading {
            compiled,
            layouts,
            bindings: Bindings::default(),
            before: DataModel::new(),
            after: DataModel::new(),
            app: state.app.clone(),
        };
        // What the run would draw is what was touched.
        for (step, done) in dmf.steps.iter().zip(&steps) {
            let named = step.widget.as_deref().and_then(|name| dmf.widget(name));
            let touched = touched_widget(&done.step.event, &done.step.before);
            if let (Some(named), Some(idx)) = (named, touched)
                && let TextPattern::Existing(data_type) = &named.selector.text
            {
                let object = done.step.before.widget(idx).text.to_string();
                reading.before.apply(data_type, &ImpactOp::Add, &object);
                reading.bindings.set_drawn(&named.name, object);
            }
            if let (Input::Existing(data_type), Some(text)) = (&step.input, done.typed()) {
                reading.before.apply(data_type, &ImpactOp::Add, text);
            }
        }
        for (number, layout) in reading.layouts.clone().iter().enumerate() {
            let read: Vec<(String, String)> = reading
                .compiled
                .reads_on(number)
                .filter_map(|widget| {
                    let idx = *reading.matches(widget, layout).first()?;
                    Some((widget.named.name.clone(), layout.widget(idx).text.to_string()))
                })
                .collect();
            for (name, text) in read {
                reading.bindings.set_read(&name, text);
            }
        }
        for impact in &dmf.impacts {
            let known = match &impact.object {
                TextPattern::FromRead(name) if impact.op == ImpactOp::Delete => reading.read(name),
                _ => None,
            };
            let known = known.map(str::to_owned);
            if let Some(known) = known.filter(|known| !reading.before.holds(&dmf.data_type, known)) {
                reading.before.apply(&dmf.data_type, &ImpactOp::Add, &known);
            }
        }
        reading.after = reading.before.clone();
        reading.after.apply_impacts(dmf, &reading.bindings);
        reading
    }

    /// The widgets that a selector of the DMF names on one of the layouts.
    pub(super) fn matches(&self, widget: &CompiledSelector, layout: &Layout) -> Vec<WidgetIdx> {
        widget.locate(Scope::Device, &self.scene(layout, &self.before)).unwrap_or_default()
    }

    /// What was read under this name.
    pub(super) fn read(&self, name: &str) -> Option<&str> {
        self.bindings.read(name)
    }

    fn scene<'a>(&'a self, layout: &'a Layout, data: &'a DataModel) -> Scene<'a> {
        Scene { layout, data, app: &self.app, bindings: &self.bindings }
    }
}

impl RecordState {
    pub(super) fn reading(&self, draft: &Draft) -> Reading {
        Reading::of(self, draft)
    }

    /// The conditions before and after the function, each with its truth on every layout.
    pub fn condition_lines(&self) -> [Vec<ConditionLine>; 2] {
        let Some(Ok(draft)) = &self.draft else { return [Vec::new(), Vec::new()] };
        let reading = self.reading(draft);
        let judged = |post: bool| -> Vec<Vec<Option<bool>>> {
            let outcomes = reading.layouts.iter().map(|layout| {
                if post {
                    reading.compiled.check_postconditions(&reading.scene(layout, &reading.after))
                } else {
                    reading.compiled.check_preconditions(&reading.scene(layout, &reading.before))
                }
            });
            outcomes.map(|of_layout| of_layout.iter().map(truth).collect()).collect()
        };
        let lines = |conditions: &[Condition], post: bool| {
            let judged = judged(post);
            let line = |(number, condition): (usize, &Condition)| {
                let truths: Vec<Option<bool>> =
                    judged.iter().map(|of_layout| of_layout.get(number).copied().flatten()).collect();
                let selector = condition.widget.as_deref().and_then(|name| draft.dmf.widget(name));
                let can_fail = match post {
                    true => truths.first() == Some(&Some(false)),
                    false => condition.widget.is_none() || truths.contains(&Some(false)),
                };
                ConditionLine {
                    number,
                    sentence: said(condition, &draft.dmf, &reading),
                    selector: selector.map(|named| named.selector.to_string()).unwrap_or_default(),
                    truths,
                    can_fail,
                }
            };
            conditions.iter().enumerate().map(line).collect()
        };
        [lines(&draft.dmf.preconditions, false), lines(&draft.dmf.postconditions, true)]
    }
}

fn truth(outcome: &CheckOutcome) -> Option<bool> {
    match outcome {
        CheckOutcome::Holds => Some(true),
        CheckOutcome::Fails(_) => Some(false),
        CheckOutcome::NotJudged(_) => None,
    }
}

/// The condition in words that need no knowledge of selectors.
fn said(condition: &Condition, dmf: &Dmf, reading: &Reading) -> String {
    let noun = condition.data_type.as_deref().unwrap_or(&dmf.data_type);
    let named = condition.widget.as_deref().and_then(|name| dmf.widget(name));
    let subject = match named.map(|named| (named, &named.selector.text)) {
        Some((_, TextPattern::FromRead(name))) => {
            let role = match name.as_str() {
                "add_name" => format!("the new {noun}"),
                "delete_name" => format!("the old {noun}"),
                _ => format!("the {noun}"),
            };
            let example = reading.read(name).map(|text| format!(" (\u{201c}{text}\u{201d})"));
            format!("{role}{}", example.unwrap_or_default())
        }
        Some((_, TextPattern::Existing(noun))) => format!("a known {noun}"),
        Some((named, TextPattern::Any | TextPattern::Is(_))) => reading.words(named),
        None => return condition_sentence(condition, None),
    };
    match &condition.relation {
        Relation::In => format!("{subject} is shown"),
        Relation::NotIn => format!("{subject} is not shown"),
        _ => condition_sentence(condition, named.map(|named| &named.selector)),
    }
}

impl Reading {
    /// What a selector names on its layout, in words.
    fn words(&self, named: &NamedSelector) -> String {
        let widget = self.compiled.widget(&named.name);
        let idx = widget.zip(self.layouts.get(named.layout)).and_then(|(widget, layout)| {
            let idx = *self.matches(widget, layout).first()?;
            Some(widget_caption(layout.widget(idx)))
        });
        idx.filter(|caption| !caption.is_empty()).unwrap_or_else(|| named.selector.to_string())
    }
}
