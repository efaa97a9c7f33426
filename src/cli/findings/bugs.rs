//! Bugs in the terminal: a card for each, with what shows it.

use serde_json::{Map, Value, json};

use crate::cli::{Failure, print_line};
use taproof_campaign::{Card, Cards, FindingState, bugs_in_words};
use taproof_results::report::{MOST_SENTENCES, StepFacts, step_facts, wrong_on};
use taproof_screen::{counted, one_line};

/// The number of bugs and of suspicions, in words.
pub fn counted_bugs(cards: &Cards<'_>) -> String {
    bugs_in_words(cards.carded().count(), cards.suspicions.len())
}

/// What a campaign found as members of a JSON object: bugs, suspicions and what a person dismissed as cards, and the ids of
/// what is too unsure for one.
pub fn cards_as_json(cards: &Cards<'_>) -> Map<String, Value> {
    let all = |cards: &mut dyn Iterator<Item = &Card<'_>>| cards.map(bug_as_json).collect();
    let unsure = cards.unsure.iter().map(|bug| Value::from(&*bug.shown.id)).collect();
    [
        ("bugs", all(&mut cards.carded())),
        ("suspicions", all(&mut cards.suspicions.iter())),
        ("dismissed", all(&mut cards.dismissed.iter())),
        ("unsure", Value::Array(unsure)),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

/// A card as JSON.
fn bug_as_json(card: &Card<'_>) -> Value {
    let check = card.shown().and_then(|finding| finding.violation.failures.first());
    json!({
        "title": card.title,
        "class": card.class,
        "rests_on": card.shown().map(|finding| finding.rests_on()),
        "settled_by": card.shown().and_then(|finding| finding.settled_by()),
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

/// Prints the first cards, how much is too little for one, the suspicions and what a person dismissed.
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
    print_suspicions(&cards.suspicions)?;
    if !cards.dismissed.is_empty() {
        print_line(&format!("{} that a person has said to be no bug", cards.dismissed.len()))?;
    }
    Ok(())
}

/// Prints what each suspicion rests on, and what would settle it.
fn print_suspicions(suspicions: &[Card<'_>]) -> Result<(), Failure> {
    if suspicions.is_empty() {
        return Ok(());
    }
    let what = if suspicions.len() == 1 { "a bug" } else { "bugs" };
    print_line(&format!("{}, not known to be {what}:", counted(suspicions.len(), "suspicion")))?;
    for card in suspicions {
        let Some(shown) = card.shown() else { continue };
        print_line(&format!("     {}; taproof replay {}", card.title, shown.id))?;
        print_line(&format!("       rests on: {}", shown.rests_on()))?;
        if let Some(what) = shown.settled_by() {
            print_line(&format!("       to settle it: {what}"))?;
        }
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
