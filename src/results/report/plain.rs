//! A finding as plain text: in a sentence for people who know nothing of specifications and engines, for terminals, and for
//! a finding that cannot be stored.

use crate::shell::comment;
use taproof_core::campaign::{Finding, FindingState};
use taproof_core::model::{
    AppHealth, Layout, OracleKind, Step, event_sentence, one_line, touched_widget, widget_name,
};

/// What goes wrong, as a person sees it on the phone: the last step, and what is wrong on the screen after it.
pub fn plain_sentence(finding: &Finding) -> String {
    let trace = &finding.minimal.trace;
    let last = trace.len().checked_sub(1);
    let step = last.and_then(|last| Some((trace.steps().get(last)?, trace.frame(last)?)));
    let after = match step {
        Some((step, before)) => format!("After step {}, {}", trace.len(), plain_step(step, &before.layout)),
        None => "After the start of the app".to_owned(),
    };
    let quoted = |text: &str| format!("\u{201c}{}\u{201d}", one_line(text));
    let wrong = match &trace.last().health {
        AppHealth::Crashed(_) => "the app crashes".to_owned(),
        AppHealth::NotResponding(_) => "the app does not answer any more".to_owned(),
        AppHealth::Running | AppHealth::LeftApp(_) => match finding.violation.failures.first() {
            None => one_line(&finding.title),
            Some(failed) => match (&failed.missing, shown_text(finding)) {
                (Some(missing), _) => format!("{} should be on the screen and is not", quoted(missing)),
                (None, Some(text)) => format!("{} is on the screen and should not be", quoted(&text)),
                (None, None) => {
                    format!(
                        "this was expected: {}. This is seen: {}",
                        one_line(&failed.expected),
                        one_line(&failed.seen)
                    )
                }
            },
        },
    };
    let sentence = format!("{after}: {wrong}");
    if sentence.ends_with('.') { sentence } else { sentence + "." }
}

/// The text of the only widget that is wrong on the last screen.
fn shown_text(finding: &Finding) -> Option<String> {
    let failed = finding.violation.failures.first()?;
    let [only] = failed.offending.as_slice() else { return None };
    let widget = finding.minimal.trace.last().layout.get(*only)?;
    (finding.origin.oracle == OracleKind::Property && !widget.text.is_empty())
        .then(|| widget.text.to_string())
}

/// The step in the middle of a sentence, without the class and the id of its widget if that shows a text.
fn plain_step(step: &Step, before: &Layout) -> String {
    let sentence = event_sentence(&step.event, before);
    let touched = touched_widget(&step.event, before).and_then(|touched| before.get(touched));
    let label = touched.and_then(|widget| {
        [&widget.text, &widget.content_desc, &widget.hint].into_iter().find(|label| !label.is_empty())
    });
    let plain = match (touched, label) {
        (Some(widget), Some(label)) => {
            sentence.replace(&widget_name(widget), &format!("\u{201c}{}\u{201d}", one_line(label)))
        }
        _ => sentence,
    };
    let mut letters = plain.chars();
    let first = letters.next().map(|first| first.to_lowercase().to_string()).unwrap_or_default();
    first + letters.as_str()
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
