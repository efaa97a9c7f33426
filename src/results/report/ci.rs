//! A campaign for continuous integration: a summary in Markdown and annotations of GitHub Actions.

use super::text::{annotation_data, annotation_property, markdown};
use super::{CampaignFacts, step_sentences};
use taproof_core::campaign::{Finding, FindingState};
use taproof_core::model::thousands;

/// Most findings that a summary lists with their steps. GitHub takes at most 1 MiB.
const MOST: usize = 50;

/// What a baseline says of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// There is no baseline.
    Unjudged,
    /// The baseline does not have it.
    New,
    /// The baseline has it.
    Known,
}

impl Standing {
    fn word(self) -> &'static str {
        match self {
            Standing::Unjudged => "",
            Standing::New => "new",
            Standing::Known => "known",
        }
    }
}

/// The campaign as Markdown: what was run, a table of the findings, and how to see each again. `standing` says of each
/// whether it is new.
pub fn campaign_markdown(campaign: &CampaignFacts, standing: impl Fn(&Finding) -> Standing) -> String {
    let (facts, outcome) = (&campaign.run, &campaign.outcome);
    let findings = &outcome.findings;
    let new = findings.iter().filter(|finding| standing(finding) == Standing::New).count();
    let against = findings.iter().any(|finding| standing(finding) != Standing::Unjudged);
    let found = match findings.len() {
        0 => "no findings".to_owned(),
        1 => "1 finding".to_owned(),
        many => format!("{many} findings"),
    };
    let new = if against { format!(", {new} new") } else { String::new() };
    let mut lines = vec![
        format!("## Taproof: {}: {found}{new}", markdown(&facts.app_label)),
        String::new(),
        format!(
            "{}, engines {}, seed {}",
            markdown(&format!("{} ({})", facts.app, facts.build)),
            markdown(&facts.engine),
            facts.seed
        ),
    ];
    if let Some(summary) = &outcome.summary {
        let (events, tests) = (thousands(summary.events), thousands(summary.tests));
        let seconds = summary.seconds;
        lines.push(format!(
            "{events} events in {tests} tests, {seconds:.1} s, end: {}",
            markdown(&summary.end)
        ));
    }
    if !findings.is_empty() {
        lines.extend(
            ["", "| | finding | engine | steps | state |", "| --- | --- | --- | --- | --- |"]
                .map(str::to_owned),
        );
    }
    for finding in findings {
        lines.push(format!(
            "| {} | {} | {} | {} | {} |",
            standing(finding).word(),
            markdown(&finding.title),
            finding.engine,
            finding.minimal.trace.len(),
            FindingState::of(finding)
        ));
    }
    for finding in findings.iter().take(MOST) {
        lines.push(String::new());
        lines.extend(finding_markdown(finding));
    }
    lines.join("\n") + "\n"
}

/// A finding, folded: what was expected, what was seen, and the steps.
fn finding_markdown(finding: &Finding) -> Vec<String> {
    let mut lines = vec![format!("<details><summary>{}</summary>", markdown(&finding.title)), String::new()];
    for failure in &finding.violation.failures {
        lines.push(format!("- expected: {}", markdown(&failure.expected)));
        lines.push(format!("- seen: {}", markdown(&failure.seen)));
    }
    lines.push(String::new());
    for (index, (sentence, _)) in step_sentences(finding).into_iter().enumerate() {
        lines.push(format!("{}. {}", index + 1, markdown(&sentence)));
    }
    lines.push(String::new());
    lines.push(format!("Again: <code>taproof replay {}</code>", markdown(&finding.id)));
    lines.extend(["", "</details>"].map(str::to_owned));
    lines
}

/// A line that GitHub Actions shows beside the run: an error if the finding makes the run fail, else a warning.
pub fn annotation(finding: &Finding, fails: bool) -> String {
    let command = if fails { "error" } else { "warning" };
    let (steps, state) = (finding.minimal.trace.len(), FindingState::of(finding));
    let mut text = format!("{} steps by {}, {state}", steps, finding.engine);
    for failure in &finding.violation.failures {
        text += &format!("\nexpected: {}\nseen: {}", failure.expected, failure.seen);
    }
    text += &format!("\nagain: taproof replay {}", finding.id);
    format!("::{command} title={}::{}", annotation_property(&finding.title), annotation_data(&text))
}
