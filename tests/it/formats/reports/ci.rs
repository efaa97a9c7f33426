//! What servers of continuous integration read: hostile texts stay within their line, their cell and their property.

use std::sync::Arc;

use taproof_campaign::{Bug, Corrections, group};
use taproof_results::report::{Standing, annotation, campaign_markdown};
use taproof_spec::Spec;

use super::evidence::{HOSTILE, campaign, finding};

/// Whether a line of Markdown is one that the report writes itself.
fn expected(line: &str) -> bool {
    let folded = line.starts_with("<details><summary>") && line.ends_with("</summary>");
    let again = line.starts_with("Again: <code>taproof replay ") && line.ends_with("</code>");
    folded || again || line == "</details>" || !line.contains(['<', '>', '`', '[', '\u{1b}'])
}

#[test]
fn a_summary_shows_hostile_texts_as_texts() {
    let summary = |text: &str| campaign_markdown(&campaign(text), |_| Standing::New);
    let (plain, hostile) = (summary("a"), summary(HOSTILE));
    assert_eq!(plain.lines().count(), hostile.lines().count(), "no text adds a line: {hostile}");
    for (line, plain) in hostile.lines().zip(plain.lines()) {
        assert!(expected(line), "{line:?}");
        assert_eq!(line.matches('|').count(), plain.matches('|').count(), "{line:?}");
    }
    let rows = hostile.lines().filter(|line| line.starts_with("| new | ")).count();
    assert_eq!(rows, campaign(HOSTILE).bugs().len());
    let unjudged = campaign_markdown(&campaign("a"), |_| Standing::Unjudged);
    assert!(!unjudged.contains("new"), "{unjudged}");
}

#[test]
fn an_annotation_is_one_line_with_one_title() {
    let annotation = |text: &str, fails: bool| {
        let shown = Arc::new(finding(text));
        let findings = vec![Arc::clone(&shown); 2];
        let bug = group(&findings[..1], "org.ex", &Spec::default(), &Corrections::default()).remove(0);
        annotation(&Bug { title: shown.title.clone(), findings, ..bug }, fails)
    };
    let (plain, hostile) = (annotation("a", true), annotation(HOSTILE, true));
    assert!(plain.starts_with("::error title=") && plain.contains("%0Aexpected: "), "{plain}");
    assert!(annotation("a", false).starts_with("::warning title="));
    assert!(!hostile.contains(char::is_control), "{hostile:?}");
    let property = hostile.strip_prefix("::error title=").unwrap().split("::").next().unwrap();
    assert!(!property.contains([',', ':']), "{property}");
    assert!(hostile.contains("touch hacked"), "the text is shown: {hostile}");
}
