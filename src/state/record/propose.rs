//! What a recording looks like: its kind and its noun, as long as the person says neither.

use super::Done;
use crate::model::{Layout, WidgetIdx, touched_widget};
use crate::spec::DmfKind;

/// A part of the screen with more widgets is no row of a list.
const MAX_ROW: usize = 10;

/// The kind of function that the steps look like: by what was typed, and by what came and went.
pub fn proposed_kind(steps: &[Done]) -> DmfKind {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return DmfKind::Create };
    let (first, last) = (&first.step.before, &last.step.after);
    let gone = touched_texts(steps).any(|text| shows(first, &text) && !shows(last, &text));
    let typed = steps.iter().rev().find_map(Done::typed).filter(|text| !text.is_empty());
    match typed {
        Some(text) if shows(last, text) && shows(first, text) => DmfKind::Search,
        Some(_) if gone => DmfKind::Update,
        Some(_) => DmfKind::Create,
        None if gone => DmfKind::Delete,
        None => DmfKind::Read,
    }
}

/// The noun among these that the touched widgets speak of most; the first where they speak of none.
pub fn proposed_type(steps: &[Done], nouns: &[String]) -> Option<String> {
    let words: Vec<String> = steps
        .iter()
        .filter_map(|done| {
            let widget = done.step.before.widget(touched_widget(&done.step.event, &done.step.before)?);
            let id = widget.short_id().unwrap_or("");
            Some(format!("{} {} {id}", widget.text, widget.content_desc).to_lowercase())
        })
        .collect();
    let spoken = |noun: &String| words.iter().filter(|word| word.contains(&noun.to_lowercase())).count();
    // Of equals the first: `max_by_key` takes the last.
    nouns.iter().rev().max_by_key(|noun| spoken(noun)).cloned()
}

/// The texts of the touched widgets, and of what stands beside them in their rows.
fn touched_texts(steps: &[Done]) -> impl Iterator<Item = String> + '_ {
    steps.iter().flat_map(|done| {
        let layout = &done.step.before;
        let touched = touched_widget(&done.step.event, layout);
        let row = |idx: &WidgetIdx| {
            layout
                .ancestors(*idx)
                .take(2)
                .take_while(|above| layout.subtree(*above).count() <= MAX_ROW)
                .last()
        };
        let around = touched.map(|idx| row(&idx).unwrap_or(idx));
        let texts =
            around.into_iter().flat_map(|around| layout.subtree(around)).map(|idx| layout.widget(idx));
        let texts: Vec<String> = texts
            .filter(|widget| !widget.text.is_empty() && !widget.is_text_field())
            .map(|widget| widget.text.to_string())
            .collect();
        texts
    })
}

fn shows(layout: &Layout, text: &str) -> bool {
    layout.widgets().iter().any(|widget| *widget.text == *text && !widget.is_text_field())
}
