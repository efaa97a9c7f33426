//! Proposes the data type of a recording, unless the person chooses it.

use std::sync::Arc;

use super::steps::{RecordedAction, recorded};
use crate::mirror::Performed;
use taproof_screen::{RecordedStep, touched_widget};
use taproof_spec::{coalesce, typed_text};

/// Number of steps before typing whose widgets may indicate what was typed.
const BEFORE_TYPING: usize = 3;

/// The texts typed before the recording, each with the words of the widgets touched around that.
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

/// Returns those of the data types that are mentioned most often: by the touched widgets, or by those touched when the
/// objects were typed before. The last recording's data type comes first, the others keep their order. If there are
/// several, the first is a guess.
pub fn proposed_types(
    steps: &[RecordedAction],
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

/// The texts and the id of the widget that a step touches, in lower case.
fn words(step: &RecordedStep) -> Option<String> {
    let widget = step.before.widget(touched_widget(&step.event, &step.before)?);
    let id = widget.short_id().unwrap_or("");
    Some(format!("{} {} {id}", widget.text, widget.content_desc).to_lowercase())
}
