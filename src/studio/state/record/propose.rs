//! The noun of a recording, as long as the person does not say it.

use std::sync::Arc;

use super::steps::{Done, recorded};
use crate::mirror::Performed;
use taproof_core::model::touched_widget;
use taproof_core::spec::{RecordedStep, coalesce, typed_text};

/// Steps before something was typed that tell what it is.
const BEFORE_TYPING: usize = 3;

/// What was typed on the phone before the recording began, each with the words of what was touched for it.
pub fn typed_before(lead: &[Arc<Performed>]) -> Vec<(String, String)> {
    let steps: Vec<RecordedStep> = lead.iter().map(|performed| recorded(performed)).collect();
    let joined = coalesce(&steps);
    let typed = joined.iter().enumerate().filter_map(|(number, typed)| {
        let text = typed_text(&typed.step.event)?.to_owned();
        let around = &joined[number.saturating_sub(BEFORE_TYPING)..=number];
        let words: Vec<String> = around.iter().filter_map(|joined| words(&joined.step)).collect();
        Some((text, words.join(" ")))
    });
    typed.collect()
}

/// The nouns among these that the touched widgets speak of most, or those that the objects were made with: the
/// last recording's first, else in their order. More than one is a guess.
pub fn proposed_types(
    steps: &[Done],
    nouns: &[String],
    before: &[(String, String)],
    last: Option<&String>,
) -> Vec<String> {
    let mut said: Vec<String> = steps.iter().filter_map(|done| words(&done.step)).collect();
    let mut texts: Vec<String> = steps.iter().filter_map(|done| done.typed().map(str::to_owned)).collect();
    texts.extend(steps.iter().filter_map(|done| {
        let layout = &done.step.before;
        Some(layout.widget(touched_widget(&done.step.event, layout)?).text.to_string())
    }));
    said.extend(before.iter().filter(|(text, _)| texts.contains(text)).map(|(_, words)| words.clone()));
    let spoken = |noun: &String| said.iter().filter(|words| words.contains(&noun.to_lowercase())).count();
    let most = nouns.iter().map(spoken).max();
    let mut fitting: Vec<String> = nouns.iter().filter(|noun| Some(spoken(noun)) == most).cloned().collect();
    fitting.sort_by_key(|noun| Some(noun) != last);
    fitting
}

/// What the widget that a step touches is called.
fn words(step: &RecordedStep) -> Option<String> {
    let widget = step.before.widget(touched_widget(&step.event, &step.before)?);
    let id = widget.short_id().unwrap_or("");
    Some(format!("{} {} {id}", widget.text, widget.content_desc).to_lowercase())
}
