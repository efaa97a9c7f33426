//! Bugs in the terminal: a card for each, with what shows it.

use serde_json::{Value, json};

use super::{Failure, print_line};
use taproof_core::campaign::{Card, Cards, FindingState};
use taproof_core::model::{counted, one_line};
use taproof_results::report::{MOST_SENTENCES, StepFacts, step_facts, wrong_on};

/// The number of bugs, in words.
pub fn counted_bugs(cards: &Cards<'_>) -> String {
    counted(cards.carded().count(), "bug")
}

/// A card as JSON.
pub fn bug_as_json(card: &Card<'_>) -> Value {
    let check = card.shown().and_then(|finding| finding.violation.failures.first());
    json!({
        "title": card.title,
        "harm": card.harm.words(),
        "pages": card.pages,
        "relations": card.relations.iter().map(|relation| relation.name).collect::<Vec<_>>(),
        "before": check.map(|check| &check.expected),
        "after": check.map(|check| &check.seen),
        "by_hand": card.relations.first().map(|relation| relation.by_hand),
        "hints": card.hints(),
        "findings": card.findings.iter().map(|finding| json!({
            "id": finding.id,
            "engine": finding.engine,
            "attributed_bugs": finding.attribution.bugs(),
            "steps": finding.minimal.trace.len(),
        })).collect::<Vec<_>>(),
        "steps": card.shown().map_or_else(Vec::new, step_facts).iter().map(step_as_json).collect::<Vec<_>>(),
    })
}

/// A step as JSON.
fn step_as_json(step: &StepFacts) -> Value {
    json!({
        "event": step.sentence,
        "function": step.dmf,
        "role": step.role,
        "activity": step.activity,
        "page": step.page,
        "millis": step.millis,
    })
}

/// Prints the first cards, and how much is too little for one.
pub fn print_bugs(cards: &Cards<'_>) -> Result<(), Failure> {
    for (number, card) in cards.cards.iter().enumerate() {
        print_line(&format!("{:>3}. {}: {}", number + 1, card.harm.words(), card.title))?;
        print_card(card)?;
    }
    if !cards.unsure.is_empty() {
        print_line(&format!(
            "{} more that did not come back each time, or were not tried again:",
            cards.unsure.len()
        ))?;
    }
    for bug in &cards.unsure {
        let (title, state) = (&bug.title, FindingState::of(bug.shown));
        print_line(&format!("     {title}: {state}; taproof replay {}", bug.shown.id))?;
    }
    Ok(())
}

fn print_card(card: &Card<'_>) -> Result<(), Failure> {
    let line = |what: &str, said: &str| print_line(&format!("     {what} {said}"));
    if card.pages.len() > 1 {
        line("on", &card.pages.join(", "))?;
    }
    let Some((shown, others)) = card.findings.split_first() else { return Ok(()) };
    let wrong = wrong_on(card);
    wrong.iter().take(MOST_SENTENCES).try_for_each(|wrong| line("wrong:", wrong))?;
    if wrong.len() > MOST_SENTENCES {
        line("wrong:", &format!("and {} more", wrong.len() - MOST_SENTENCES))?;
    }
    if let Some((first, others)) = card.relations.split_first() {
        line("by hand:", first.by_hand)?;
        others.iter().try_for_each(|other| line("also:", other.title))?;
    }
    card.hints().iter().try_for_each(|hint| line("hint:", &one_line(hint)))?;
    let (steps, state) = (shown.minimal.trace.len(), FindingState::of(shown));
    line(&format!("{steps} steps, {state}, by {};", shown.engine), &format!("taproof replay {}", shown.id))?;
    if !shown.attribution.is_none() {
        line("catalogued as", &shown.attribution.to_string())?;
    }
    if others.is_empty() {
        return Ok(());
    }
    let others: Vec<&str> = others.iter().map(|finding| &*finding.id).collect();
    line("also", &others.join(", "))
}
