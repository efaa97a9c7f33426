//! Bugs in the terminal, each with what shows it.

use serde_json::{Map, Value, json};

use crate::cli::{Failure, print_line};
use taproof_campaign::{Bug, BugClass, FIRST_BUGS, FindingState, of_class};
use taproof_results::report::{MOST_SENTENCES, StepFacts, step_facts, wrong_on};
use taproof_screen::{counted, one_line};

/// What a campaign found as members of a JSON object: bugs, suspicions and what a person dismissed, and the ids of what is too
/// unsure to be one.
pub fn bugs_as_json(bugs: &[Bug]) -> Map<String, Value> {
    let all = |class| of_class(bugs, class).iter().map(bug_as_json).collect();
    let unsure = of_class(bugs, BugClass::Unsure).iter().map(|bug| Value::from(&*bug.shown.id));
    [
        ("bugs", all(BugClass::Bug)),
        ("suspicions", all(BugClass::Suspicion)),
        ("dismissed", all(BugClass::Dismissed)),
        ("unsure", Value::Array(unsure.collect())),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

/// A bug as JSON.
fn bug_as_json(bug: &Bug) -> Value {
    let check = bug.shown.violation.failures.first();
    json!({
        "title": bug.title,
        "class": bug.class,
        "state": bug.state,
        "note": bug.note,
        "rests_on": bug.rests_on(),
        "settled_by": bug.settled_by(),
        "harm": bug.harm.words(),
        "pages": bug.pages,
        "relations": bug.relations.iter().map(|relation| relation.name).collect::<Vec<_>>(),
        "before": check.map(|check| &check.expected),
        "after": check.map(|check| &check.seen),
        "by_hand": bug.relations.first().map(|relation| relation.by_hand),
        "hints": bug.hints(),
        "findings": bug.findings.iter().map(|finding| json!({
            "id": finding.id,
            "engine": finding.engine,
            "attributed_bugs": finding.attribution.bugs(),
            "steps": finding.minimal.trace.len(),
        })).collect::<Vec<_>>(),
        "steps": step_facts(&bug.shown).iter().map(step_as_json).collect::<Vec<_>>(),
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

/// Prints the first bugs, what is too unsure to be one, the suspicions, and how much a person dismissed. `more` says where the
/// other bugs are, and `again` begins the command that replays one.
pub fn print_bugs(bugs: &[Bug], again: &str, more: &str) -> Result<(), Failure> {
    let all = of_class(bugs, BugClass::Bug);
    for (number, bug) in all.iter().take(FIRST_BUGS).enumerate() {
        let state = bug.said().map_or(String::new(), |said| format!(" [{}]", one_line(&said)));
        print_line(&format!("{:>3}. {}: {}{state}", number + 1, bug.harm.words(), bug.title))?;
        print_bug(bug, again)?;
    }
    let unsure = of_class(bugs, BugClass::Unsure);
    if !unsure.is_empty() {
        let count = unsure.len();
        print_line(&format!("{count} more that did not come back each time, or were not tried again:"))?;
    }
    for bug in unsure {
        let (title, state) = (&bug.title, FindingState::of(&bug.shown));
        print_line(&format!("     {title}: {state}; {again} {}", bug.shown.id))?;
    }
    print_suspicions(of_class(bugs, BugClass::Suspicion), again)?;
    let dismissed = of_class(bugs, BugClass::Dismissed).len();
    if dismissed > 0 {
        print_line(&format!("{dismissed} that a person has said to be no bug"))?;
    }
    if all.len() > FIRST_BUGS {
        print_line(&format!("and {} more{more}", all.len() - FIRST_BUGS))?;
    }
    Ok(())
}

/// Prints what each suspicion rests on, and what would settle it.
fn print_suspicions(suspicions: &[Bug], again: &str) -> Result<(), Failure> {
    if suspicions.is_empty() {
        return Ok(());
    }
    let what = if suspicions.len() == 1 { "a bug" } else { "bugs" };
    print_line(&format!("{}, not known to be {what}:", counted(suspicions.len(), "suspicion")))?;
    for bug in suspicions {
        print_line(&format!("     {}; {again} {}", bug.title, bug.shown.id))?;
        print_line(&format!("       rests on: {}", bug.rests_on()))?;
        if let Some(what) = bug.settled_by() {
            print_line(&format!("       to settle it: {what}"))?;
        }
    }
    Ok(())
}

fn print_bug(bug: &Bug, again: &str) -> Result<(), Failure> {
    let line = |what: &str, said: &str| print_line(&format!("     {what} {said}"));
    if bug.pages.len() > 1 {
        line("on", &bug.pages.join(", "))?;
    }
    let (shown, wrong) = (&bug.shown, wrong_on(bug));
    wrong.iter().take(MOST_SENTENCES).try_for_each(|wrong| line("wrong:", wrong))?;
    if wrong.len() > MOST_SENTENCES {
        line("wrong:", &format!("and {} more", wrong.len() - MOST_SENTENCES))?;
    }
    if let Some((first, others)) = bug.relations.split_first() {
        line("by hand:", first.by_hand)?;
        others.iter().try_for_each(|other| line("also:", other.title))?;
    }
    bug.hints().iter().try_for_each(|hint| line("hint:", &one_line(hint)))?;
    let (steps, state) = (shown.minimal.trace.len(), FindingState::of(shown));
    line(&format!("{steps} steps, {state}, by {};", shown.engine), &format!("{again} {}", shown.id))?;
    if !shown.attribution.is_none() {
        line("catalogued as", &shown.attribution.to_string())?;
    }
    let others: Vec<&str> = bug.findings.iter().skip(1).map(|finding| &*finding.id).collect();
    if others.is_empty() { Ok(()) } else { line("also", &others.join(", ")) }
}
