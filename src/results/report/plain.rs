//! A finding as plain text: in a sentence for people who know nothing of specifications and engines, for terminals, and for
//! a finding that cannot be stored.

use std::collections::BTreeSet;

use crate::shell::comment;
use taproof_campaign::{Bug, Finding, FindingState};
use taproof_engine::oracle::preservation::Difference;
use taproof_screen::{AppHealth, FailedCheck, Layout, event_for_people, lower_first, one_line, upper_first};
use taproof_spec::{Condition, Spec, condition_key, condition_words, function_words, typed_text};

/// What goes wrong, as a person sees it on the phone: the last step, and what is wrong on the screen after it.
pub fn plain_sentence(finding: &Finding) -> String {
    let trace = &finding.minimal.trace;
    let last = trace.len().checked_sub(1);
    let step = last.and_then(|last| Some((trace.steps().get(last)?, trace.frame(last)?)));
    let after = match step {
        Some((step, before)) => {
            let words = event_for_people(&step.event, &before.layout);
            format!("After step {}, {}", trace.len(), lower_first(&words))
        }
        None => "After the start of the app".to_owned(),
    };
    let wrong = match &trace.last().health {
        AppHealth::Crashed(_) => "the app crashes".to_owned(),
        AppHealth::NotResponding(_) => "the app does not answer any more".to_owned(),
        AppHealth::Running | AppHealth::LeftApp(_) => match finding.violation.failures.first() {
            None => one_line(&finding.title),
            Some(failed) => failed_words(failed, &trace.last().layout),
        },
    };
    ended(format!("{after}: {wrong}"))
}

/// The sentence with a full stop, unless it ends with one or was cut off.
fn ended(sentence: String) -> String {
    if sentence.ends_with(['.', '\u{2026}']) { sentence } else { sentence + "." }
}

/// What a failure comes to on the screen after the last step, in a sentence.
pub fn failure_sentence(failure: &FailedCheck, after: &Layout) -> String {
    ended(upper_first(&failed_words(failure, after)))
}

/// Number of sentences that say what is wrong before the others are only counted, or folded.
pub const MOST_SENTENCES: usize = 3;

/// What is wrong on a bug's last screen, in sentences, each once: what a detour lost, or what failed.
pub fn wrong_on(bug: &Bug) -> Vec<String> {
    let mut sentences: Vec<String> = match &bug.lost {
        Some(lost) => lost.bugs.values().flatten().map(difference_sentence).collect(),
        None => {
            let after = &bug.shown.minimal.trace.last().layout;
            bug.shown.violation.failures.iter().map(|failed| failure_sentence(failed, after)).collect()
        }
    };
    let mut said = BTreeSet::new();
    sentences.retain(|sentence| said.insert(sentence.clone()));
    sentences
}

fn difference_sentence(lost: &Difference) -> String {
    ended(upper_first(&format!("{}, then {}", lost.before, lost.after)))
}

fn failed_words(failure: &FailedCheck, after: &Layout) -> String {
    let quoted = |text: &str| format!("\u{201c}{}\u{201d}", one_line(text));
    match (&failure.missing, shown_text(failure, after)) {
        (Some(missing), _) => {
            let typed =
                after.widgets().iter().any(|widget| widget.is_editable() && *widget.text == **missing);
            let wrong = if typed { "is only in a field" } else { "is not" };
            format!("{} should be on the screen and {wrong}", quoted(missing))
        }
        (None, Some(text)) => format!("{} is on the screen and should not be", quoted(text)),
        (None, None) => {
            format!("expected: {}; seen: {}", one_line(&failure.expected), one_line(&failure.seen))
        }
    }
}

/// The text of the only widget that should not be shown and is.
fn shown_text<'l>(failure: &FailedCheck, after: &'l Layout) -> Option<&'l str> {
    let [only] = failure.offending.as_slice() else { return None };
    let text = &after.get(*only)?.text;
    (failure.expected.starts_with("not ") && !text.is_empty()).then_some(&**text)
}

/// What a failed condition requires, in words, if the specification that it is from is known.
pub fn condition_sentence(failure: &FailedCheck, dmf: Option<usize>, spec: &Spec) -> Option<String> {
    let dmf = spec.dmfs.get(dmf?)?;
    let is_it = |condition: &&Condition| condition_key(condition, &dmf.widgets) == failure.key;
    let failed = dmf.postconditions.iter().find(is_it)?;
    condition_words(failed, dmf)
}

/// Whether a text may be taken for a fault of a report that shows it, such as `&amp;`, although it is what was typed.
pub fn looks_escaped(text: &str) -> bool {
    text.contains(|c: char| "&<>\\`{}$%".contains(c) || c.is_control())
}

/// The parts of a sentence, and of each whether it is a quoted text that [`looks_escaped`]; its quotation marks belong to the
/// parts beside it.
pub fn literal_parts(sentence: &str) -> Vec<(&str, bool)> {
    let mut parts = Vec::new();
    let mut said = 0;
    for (open, mark) in sentence.match_indices('\u{201c}') {
        let from = open + mark.len();
        let quoted = sentence.get(from..).and_then(|rest| rest.split_once('\u{201d}'));
        let Some((text, _)) = quoted.filter(|(text, _)| from >= said && looks_escaped(text)) else {
            continue;
        };
        parts.extend(sentence.get(said..from).map(|before| (before, false)));
        parts.push((text, true));
        said = from + text.len();
    }
    parts.extend(sentence.get(said..).map(|rest| (rest, false)));
    parts
}

/// The first such text that the steps of a finding typed; see [`looks_escaped`].
pub fn literal_text(finding: &Finding) -> Option<&str> {
    let mut typed = finding.minimal.trace.steps().iter().filter_map(|step| typed_text(&step.event));
    typed.find(|text| looks_escaped(text))
}

/// Says of such a text that it is meant.
pub fn literal_hint(finding: &Finding) -> Option<String> {
    let text = one_line(literal_text(finding)?);
    Some(format!("{text} was typed literally, with these very characters."))
}

/// A finding as lines of text, as a tester would describe it: what is wrong, the shortest trace, what was expected and
/// what was seen. `count` is the number of violations.
pub fn finding_lines(finding: &Finding, count: u64) -> Vec<String> {
    let mut lines = vec![
        finding.title.clone(),
        format!(
            "  {} · seen first at event {} · {count} times · {} on a fresh phone",
            finding.id,
            finding.first.event,
            FindingState::of(finding)
        ),
    ];
    if !finding.attribution.is_none() {
        lines.push(format!("  catalogued as {}", finding.attribution));
    }
    let trace = &finding.minimal.trace;
    let witness = finding.witness.trace.len();
    lines.push(format!("  {} steps (the test that showed it had {witness}):", trace.len()));
    for (index, (before, step)) in trace.framed_steps().enumerate() {
        if let Some(span) = trace.spans.iter().find(|span| span.first_step == index) {
            lines.push(format!("     {}", function_words(&span.name)));
        }
        let indent = if trace.span_of(index).is_some() { "  " } else { "" };
        lines.push(format!("  {:>2} {indent}{}", index + 1, event_for_people(&step.event, &before.layout)));
    }
    if let Some(data) = finding.data.at(trace.len()) {
        for (data_type, objects) in data.types().filter(|(_, objects)| !objects.is_empty()) {
            lines.push(format!("  the app should hold {data_type}: {}", objects.join(", ")));
        }
    }
    for failure in &finding.violation.failures {
        lines.push(format!("  expected: {}", failure.expected));
        lines.push(format!("  seen:     {}", failure.seen));
    }
    lines.iter().map(|line| comment(line)).collect()
}

/// As [`finding_lines`], for a finding that could not be stored, with the command that finds it again.
pub fn unsaved_finding_lines(finding: &Finding, command: &str) -> Vec<String> {
    let mut lines = vec![format!("this finding of {} could not be saved:", finding.engine)];
    lines.extend(finding_lines(finding, finding.count));
    lines.push("  to find it again:".to_owned());
    lines.extend(command.lines().map(|line| format!("  {line}")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{WidgetIdx, layout_from};

    fn failure(expected: &str, missing: Option<&str>, offending: &[u32]) -> FailedCheck {
        FailedCheck {
            key: String::new(),
            condition: String::new(),
            expected: expected.to_owned(),
            seen: "once shown".to_owned(),
            offending: offending.iter().map(|idx| WidgetIdx(*idx)).collect(),
            missing: missing.map(str::to_owned),
        }
    }

    #[test]
    fn what_failed_is_a_sentence_about_the_screen() {
        let after = layout_from("FrameLayout\n  TextView#name \"Music\"\n");
        let said = |failure: FailedCheck| failure_sentence(&failure, &after);
        assert_eq!(
            said(failure("\"a\"", Some("a"), &[])),
            "\u{201c}a\u{201d} should be on the screen and is not."
        );
        let searched = layout_from("FrameLayout\n  EditText#query \"a\"\n  TextView#name \"Music\"\n");
        assert_eq!(
            failure_sentence(&failure("\"a\"", Some("a"), &[]), &searched),
            "\u{201c}a\u{201d} should be on the screen and is only in a field."
        );
        assert_eq!(
            said(failure("not \"Music\"", None, &[1])),
            "\u{201c}Music\u{201d} is on the screen and should not be."
        );
        assert_eq!(
            said(failure("no progress bar", None, &[1])),
            "Expected: no progress bar; seen: once shown."
        );
    }

    #[test]
    fn only_a_text_that_reads_like_a_fault_is_marked() {
        let odd = ["&amp;", "a<b", "$(x)", "100%", "\u{1b}[2J"];
        assert!(odd.iter().all(|text| looks_escaped(text)));
        let parts = literal_parts("Enter \u{201c}a&lt;\u{201d} into \u{201c}Name\u{201d}");
        assert_eq!(
            parts,
            [("Enter \u{201c}", false), ("a&lt;", true), ("\u{201d} into \u{201c}Name\u{201d}", false)]
        );
        assert_eq!(literal_parts("Tap \u{201c}Name\u{201d}"), [("Tap \u{201c}Name\u{201d}", false)]);
        let usual = ["Music", "a, b; c!", "\u{fc}ber", "it's"];
        assert!(!usual.iter().any(|text| looks_escaped(text)));
    }
}
