//! The evidence of a failed condition: what should be shown, what was shown, and which widgets are wrong.

use super::truth::{CompiledCondition, first_disorder, held_copies, in_state, text_only};
use super::{Dmf, Relation, TextPattern, WidgetState, sentence};
use crate::compiled::compiled_selector::{CompiledSelector, Scope, TextFilter};
use crate::compiled::scene::Scene;
use taproof_screen::FailedCheck;

/// The evidence that the condition does not hold.
pub(super) fn failure(
    compiled: &CompiledCondition,
    widgets: &[CompiledSelector],
    scene: &Scene<'_>,
    dmf: Option<&Dmf>,
) -> FailedCheck {
    let condition = &compiled.condition;
    let widget = compiled.widget.and_then(|index| widgets.get(index));
    let selector = widget.map(|widget| &widget.named.selector);
    let mut failed = FailedCheck {
        key: sentence::key_alone(condition, selector),
        condition: sentence::sentence_alone(condition, selector),
        expected: String::new(),
        seen: String::new(),
        offending: Vec::new(),
        missing: None,
    };
    let held = condition.data_type.as_deref().map(|data_type| scene.data.objects(data_type));
    match (&condition.relation, widget) {
        (Relation::InOrder(_), _) => describe_disorder(&mut failed, compiled, widgets, scene),
        (Relation::In | Relation::SameIn, Some(widget)) => {
            describe_missing(&mut failed, (widget, condition.state), held, scene);
        }
        (Relation::NotIn, Some(widget)) => {
            let wanted = wanted(widget, held, scene);
            let wanted = sentence::wanted(wanted, &subject(widget, condition.state));
            failed.expected = match held_copies(widget, condition.state, scene, dmf) {
                0 => format!("not {wanted}"),
                copies => format!("{copies} of {wanted}"),
            };
            failed.offending = in_state(widget, condition.state, scene).unwrap_or_default();
            failed.seen = format!("{} shown", sentence::times(failed.offending.len()));
        }
        (Relation::Smaller(limit), Some(widget)) => {
            failed.expected = format!("at most {limit} of {}", subject(widget, condition.state));
            failed.offending = in_state(widget, condition.state, scene).unwrap_or_default();
            failed.seen = format!("{} of them", failed.offending.len());
        }
        (relation, _) => {
            failed.expected = match relation {
                Relation::IsEmpty => "no object".to_owned(),
                Relation::IsNotEmpty => "an object".to_owned(),
                Relation::Smaller(limit) => format!("at most {limit} objects"),
                relation => relation.to_string(),
            };
            failed.seen = format!("{} in the model", sentence::list(held.unwrap_or(&[])));
        }
    }
    failed
}

/// The text that was required. For a condition with a data type, the selector's own text is ignored.
fn wanted<'a>(widget: &'a CompiledSelector, held: Option<&[String]>, scene: &Scene<'a>) -> TextFilter<'a> {
    match held {
        Some(_) => TextFilter::Any,
        None => widget.text_filter(scene.bindings, scene.data).unwrap_or(TextFilter::Any),
    }
}

fn describe_missing(
    failed: &mut FailedCheck,
    (widget, state): (&CompiledSelector, Option<WidgetState>),
    held: Option<&[String]>,
    scene: &Scene<'_>,
) {
    let wanted = wanted(widget, held, scene);
    failed.expected = match held {
        Some(held) => format!("one of {} on {}", sentence::list(held), subject(widget, state)),
        None => sentence::wanted(wanted, &subject(widget, state)),
    };
    failed.seen = sentence::texts_seen(&others(widget, scene));
    failed.missing = match wanted {
        TextFilter::Is(text) => Some(text.to_owned()),
        TextFilter::Any | TextFilter::AnyOf(_) => Some(subject(widget, None)),
    };
    // A widget in another state is named as the cause.
    let there = if state.is_some() { in_state(widget, None, scene).unwrap_or_default() } else { Vec::new() };
    if let Some((state, first)) = state.zip(there.first()) {
        let (shown, is) = (scene.layout.widget(*first), state.opposite().word());
        failed.seen = if shown.text.is_empty() { is.to_owned() } else { format!("{:?}, {is}", shown.text) };
        failed.missing = None;
        failed.offending = there;
    }
}

fn describe_disorder(
    failed: &mut FailedCheck,
    compiled: &CompiledCondition,
    widgets: &[CompiledSelector],
    scene: &Scene<'_>,
) {
    let ordered = compiled.order.iter().filter_map(|index| widgets.get(*index));
    let texts = ordered.map(|widget| match wanted(widget, None, scene) {
        TextFilter::Is(text) => format!("{text:?}"),
        TextFilter::AnyOf(texts) => format!("one of {}", sentence::list(texts)),
        TextFilter::Any => "any other".to_owned(),
    });
    failed.expected = format!("{}, from top to bottom", texts.collect::<Vec<_>>().join(", then "));
    if let Ok(Some((first, second))) = first_disorder(compiled, widgets, scene) {
        let text = |idx| &scene.layout.widget(idx).text;
        failed.seen = format!("{:?} stands before {:?}", text(first), text(second));
        failed.offending = vec![first, second];
    }
}

/// The selector without its text, in words, with the required state.
fn subject(widget: &CompiledSelector, state: Option<WidgetState>) -> String {
    let state = state.map_or(String::new(), |state| format!(" that is {}", state.word()));
    let mut selector = widget.named.selector.clone();
    selector.text = TextPattern::Any;
    match selector.is_empty() {
        true => format!("any widget{state}"),
        false => format!("a widget with {selector}{state}"),
    }
}

/// The texts of the widgets that match every part of the selector except its text.
fn others(widget: &CompiledSelector, scene: &Scene<'_>) -> Vec<String> {
    let mut texts = Vec::new();
    if text_only(widget) {
        return texts;
    }
    let visited = widget.visit(Scope::App(scene.app), scene, TextFilter::Any, |idx| {
        texts.push(scene.layout.widget(idx).text.to_string());
        true
    });
    if visited.is_err() {
        texts.clear();
    }
    texts
}
