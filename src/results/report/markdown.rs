//! A finding as Markdown, for issue trackers, chats and assistants.

use super::text::markdown;
use super::{ReportFacts, step_sentences};
use taproof_campaign::{Finding, FindingState};

/// Says what a person needs who is to mend it: title, where it was seen, steps, what was expected and what was seen, and how
/// to see it again. What the app has written stays text.
pub fn finding_markdown(finding: &Finding, facts: &ReportFacts) -> String {
    let mut text = format!("## {}\n\n", markdown(&facts.title_of(finding)));
    let (label, app) = (markdown(&facts.app_label), markdown(&facts.app));
    let (build, state) = (markdown(&facts.build), FindingState::of(finding));
    text += &format!("{label} ({app}), {build}: {state}.\n\n");
    if let Some(environment) = &finding.environment {
        let words = [environment.device_words(), format!("{} {}", facts.app_label, environment.app_version)];
        text += &format!("Seen on {}, with {}.\n", markdown(&words[0]), markdown(words[1].trim()));
    }
    text += &format!("Found by {}, seed {}, Taproof {}.\n", finding.engine, finding.seed, facts.tool_version);
    text += "\n### Steps\n\n";
    let first = facts.first_sentences();
    let steps = step_sentences(finding).into_iter().map(|(sentence, _)| sentence);
    for (number, sentence) in first.into_iter().chain(steps).enumerate() {
        text += &format!("{}. {}\n", number + 1, markdown(&sentence));
    }
    for failure in &finding.violation.failures {
        text += &format!("\n**Expected:** {}  \n", markdown(&failure.expected));
        text += &format!("**Seen:** {}\n", markdown(&failure.seen));
    }
    if !finding.attribution.is_none() {
        text += &format!("\nCause: {}\n", markdown(&finding.attribution.to_string()));
    }
    text += &format!(
        "\n### How to see it again\n\n```sh\n{}\n{}\n```\n",
        facts.replay_of(finding),
        facts.command
    );
    text
}
