//! A finding as Markdown, for issue trackers, chats and assistants.

use std::sync::Arc;

use super::gif::still;
use super::scene::card_scene;
use super::text::markdown;
use super::{ReportFacts, step_sentences};
use taproof_campaign::{Corrections, Finding, FindingState, group};

/// Longest address of a page for a new issue; browsers and servers refuse longer ones.
const LONGEST_LINK: usize = 8_000;

/// A picture that belongs to a text for an issue tracker.
pub struct TicketPicture {
    /// The name of its file.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// The picture as a PNG file.
    pub png: Vec<u8>,
}

/// Says what a person needs who is to mend it: title, steps, what was expected and what was seen, where it was seen, and how to
/// see it again. What the app has written stays text. `pictures` lie beside it.
pub fn finding_markdown(finding: &Finding, facts: &ReportFacts, pictures: &[TicketPicture]) -> String {
    let mut text = format!("## {}\n\n", markdown(&facts.title_of(finding)));
    text += &ticket_body(finding, facts);
    for picture in pictures {
        text += &format!("\n![{}]({})\n", markdown(&picture.caption), picture.name);
    }
    text
}

/// The text for an issue tracker without its title, which has a field of its own there.
pub fn ticket_body(finding: &Finding, facts: &ReportFacts) -> String {
    let mut text = "### Steps\n\n".to_owned();
    let first = facts.first_sentences();
    let steps = step_sentences(finding).into_iter().map(|(sentence, _)| sentence);
    for (number, sentence) in first.into_iter().chain(steps).enumerate() {
        text += &format!("{}. {}\n", number + 1, markdown(&sentence));
    }
    let failures = &finding.violation.failures;
    for (heading, says) in [("Expected", true), ("Observed", false)] {
        text += &format!("\n### {heading}\n\n");
        for failure in failures {
            text += &format!("- {}\n", markdown(if says { &failure.expected } else { &failure.seen }));
        }
        if failures.is_empty() && !says {
            text += &format!("- {}\n", markdown(&finding.title));
        }
    }
    text += "\n### Environment\n\n";
    for (what, value) in environment(finding, facts) {
        text += &format!("- {what}: {}\n", markdown(&value));
    }
    if !facts.date.is_empty() {
        text += &format!("- Date: {}\n", facts.date);
    }
    let (again, campaign) = (facts.replay_of(finding), &facts.command);
    text + &format!("\n### How to see it again\n\n```sh\n{again}\n{campaign}\n```\n")
}

/// Where it was seen: app and version, Android and device, date, seed.
fn environment(finding: &Finding, facts: &ReportFacts) -> Vec<(&'static str, String)> {
    let seen_on = finding.environment.as_ref();
    let version = seen_on.map_or("", |it| it.app_version.as_str());
    let app = format!("{} ({}) {version}", facts.app_label, facts.app);
    let mut all = vec![("App", app.trim_end().to_owned())];
    // On a device, the build is the version that is installed.
    all.extend(seen_on.is_none().then(|| ("Build", facts.build.clone())));
    let device = seen_on.map_or_else(|| facts.device_of(finding.engine).to_owned(), |it| it.device_words());
    all.push(("Device", device));
    let found = format!("{}, seed {}, Taproof {}", finding.engine, finding.seed, facts.tool_version);
    all.extend([("Found by", found), ("Re-executed", FindingState::of(finding).to_string())]);
    if !finding.attribution.is_none() {
        all.push(("Cause", finding.attribution.to_string()));
    }
    all
}

/// Two pictures for the text: the screen before it went wrong, and the one that is wrong, with what is wrong on it ringed.
pub fn finding_pictures(finding: &Finding, facts: &ReportFacts) -> Vec<TicketPicture> {
    let alone = [Arc::new(finding.clone())];
    let bugs = group(&alone, &facts.app, &facts.spec, &Corrections::default());
    let Some(bug) = bugs.first() else { return Vec::new() };
    let screens = bug.screens();
    let ends = [screens.first(), screens.last().filter(|_| screens.len() > 1)];
    let picture = |(place, screen): (usize, &taproof_campaign::CardScreen)| {
        let evidence = &finding.minimal;
        let picture = evidence.screenshots.get(screen.frame).and_then(Option::as_ref);
        let scene = card_scene(bug, screen, picture)?;
        let heading = if place == 0 { "Before" } else { "Observed" };
        let png = still(scene, heading, &screen.caption)?;
        let name = format!("{}-{}.png", finding.id, place + 1);
        let caption =
            if place == 0 { screen.caption.clone() } else { format!("{heading}: {}", screen.caption) };
        Some(TicketPicture { name, caption, png })
    };
    ends.into_iter().flatten().enumerate().filter_map(picture).collect()
}

/// The address of the page for a new issue, by a pattern in which `{title}` and `{body}` stand for the texts.
///
/// # Errors
///
/// Says what is wrong with the pattern.
pub fn issue_link(pattern: &str, title: &str, body: &str) -> Result<String, String> {
    if !pattern.starts_with("https://") && !pattern.starts_with("http://") || !pattern.contains("{title}") {
        let example = "https://github.com/OWNER/REPOSITORY/issues/new?title={title}&body={body}";
        return Err(format!(
            "a link for new issues begins with https:// and has {{title}}, such as {example}"
        ));
    }
    let link = |body: &str| pattern.replace("{title}", &encoded(title)).replace("{body}", &encoded(body));
    let (mut lines, mut whole) = (body.lines().collect::<Vec<_>>(), link(body));
    while whole.len() > LONGEST_LINK && lines.pop().is_some() {
        whole = link(&format!("{}\n\u{2026}", lines.join("\n")));
    }
    Ok(whole)
}

/// A text as a part of an address.
fn encoded(text: &str) -> String {
    let one = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_for_a_new_issue_has_what_there_is_room_for() {
        let pattern = "https://ex.org/new?title={title}&body={body}";
        let link = issue_link(pattern, "a & b?", "1. Tap \u{201c}x\u{201d}\n2. y").unwrap();
        assert_eq!(
            link,
            "https://ex.org/new?title=a%20%26%20b%3F&body=1.%20Tap%20%E2%80%9Cx%E2%80%9D%0A2.%20y"
        );
        let long = issue_link(pattern, "t", &"line\n".repeat(9_000)).unwrap();
        assert!(long.len() <= LONGEST_LINK && long.ends_with("line%0A%E2%80%A6"), "{}", long.len());
        for bad in ["", "file:///{title}", "https://ex.org/new"] {
            assert!(issue_link(bad, "t", "b").unwrap_err().contains("{title}"));
        }
    }
}
