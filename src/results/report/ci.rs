//! A campaign for continuous integration: a summary in Markdown and annotations of GitHub Actions.

use super::text::{annotation_data, annotation_property, markdown};
use super::{CampaignFacts, step_sentences};
use taproof_campaign::{Bug, BugClass, FindingState, of_class};
use taproof_screen::{counted, thousands, words};

/// Most bugs that a summary lists with their steps. GitHub takes at most 1 MiB.
const MOST: usize = 50;

words! {
    /// What a baseline says of a bug.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Standing {
        /// There is no baseline.
        Unjudged = "",
        /// The baseline does not have it.
        New = "new",
        /// The baseline has it.
        Known = "known",
    }
    fn word;
}

/// The campaign as Markdown: what was run, a table of the bugs, and how to see each again. `standing` says of each
/// whether it is new.
pub fn campaign_markdown(campaign: &CampaignFacts, standing: impl Fn(&Bug) -> Standing) -> String {
    let (facts, outcome) = (&campaign.run, &campaign.outcome);
    let found = campaign.found();
    let bugs = found.iter().filter(|bug| bug.counts(campaign.suspicions));
    let bugs: Vec<(&Bug, Standing)> = bugs.map(|bug| (bug, standing(bug))).collect();
    let suspicions = of_class(&found, BugClass::Suspicion);
    let new = bugs.iter().filter(|(_, standing)| *standing == Standing::New).count();
    let against = bugs.iter().any(|(_, standing)| *standing != Standing::Unjudged);
    let count = counted(bugs.len(), "bug");
    let new = if against { format!(", {new} new") } else { String::new() };
    let mut lines = vec![
        format!("## Taproof: {}: {count}{new}", markdown(&facts.app_label)),
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
    if !bugs.is_empty() {
        lines.extend(
            ["", "| | bug | findings | engine | steps | state |", "| --- | --- | --- | --- | --- | --- |"]
                .map(str::to_owned),
        );
    }
    for (bug, standing) in &bugs {
        lines.push(format!(
            "| {} | {} | {} | {} | {} | {} |",
            standing.word(),
            markdown(&bug.title),
            bug.findings.len(),
            bug.shown.engine,
            bug.shown.minimal.trace.len(),
            FindingState::of(&bug.shown)
        ));
    }
    for (bug, _) in bugs.iter().take(MOST) {
        lines.push(String::new());
        lines.extend(bug_markdown(bug));
    }
    if !campaign.suspicions && !suspicions.is_empty() {
        lines.push(String::new());
        lines.extend(suspicions_markdown(suspicions));
    }
    lines.join("\n") + "\n"
}

/// The suspicions, folded: what each rests on and what would settle it.
fn suspicions_markdown(suspicions: &[Bug]) -> Vec<String> {
    let count = counted(suspicions.len(), "suspicion");
    let mut lines = vec![format!("<details><summary>{count}</summary>"), String::new()];
    for bug in suspicions {
        let settled = bug.settled_by().map_or(String::new(), |what| format!("; to settle it: {what}"));
        lines.push(format!("- {}: {}{settled}", markdown(&bug.title), markdown(&bug.rests_on())));
    }
    lines.extend(["", "</details>"].map(str::to_owned));
    lines
}

/// A bug, folded: what was expected, what was seen, and the steps.
fn bug_markdown(bug: &Bug) -> Vec<String> {
    let mut lines = vec![format!("<details><summary>{}</summary>", markdown(&bug.title)), String::new()];
    for failure in &bug.shown.violation.failures {
        lines.push(format!("- expected: {}", markdown(&failure.expected)));
        lines.push(format!("- seen: {}", markdown(&failure.seen)));
    }
    lines.push(String::new());
    for (index, (sentence, _)) in step_sentences(&bug.shown).into_iter().enumerate() {
        lines.push(format!("{}. {}", index + 1, markdown(&sentence)));
    }
    for finding in &bug.findings {
        lines.push(String::new());
        lines.push(format!("Again: <code>taproof replay {}</code>", markdown(&finding.id)));
    }
    lines.extend(["", "</details>"].map(str::to_owned));
    lines
}

/// A line that GitHub Actions shows beside the run: an error if the bug makes the run fail, else a warning.
pub fn annotation(bug: &Bug, fails: bool) -> String {
    let command = if fails { "error" } else { "warning" };
    let (steps, state) = (bug.shown.minimal.trace.len(), FindingState::of(&bug.shown));
    let mut text = format!("{} steps by {}, {state}", steps, bug.shown.engine);
    for failure in &bug.shown.violation.failures {
        text += &format!("\nexpected: {}\nseen: {}", failure.expected, failure.seen);
    }
    for finding in &bug.findings {
        text += &format!("\nagain: taproof replay {}", finding.id);
    }
    format!("::{command} title={}::{}", annotation_property(&bug.title), annotation_data(&text))
}
