//! A finding as plain text: for terminals, and for a finding that cannot be stored.

use crate::shell::comment;
use taproof_core::campaign::{Finding, FindingState};
use taproof_core::model::event_sentence;

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
    for (index, step) in trace.steps().iter().enumerate() {
        let Some(before) = trace.frame(index) else { break };
        if let Some(span) = trace.spans.iter().find(|span| span.first_step == index) {
            lines.push(format!("     {}", span.name));
        }
        let indent = if trace.span_of(index).is_some() { "  " } else { "" };
        lines.push(format!("  {:>2} {indent}{}", index + 1, event_sentence(&step.event, &before.layout)));
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
