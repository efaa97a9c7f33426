//! A whole campaign as one page: statistics, properties, the curve of progress, and each finding in full.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::page::{Escaped, environment_facts, footer, marked, page, run_facts};
use super::screen_svg::Pictures;
use super::{chips, judgement, steps};
use crate::report::plain::{MOST_SENTENCES, plain_sentence, wrong_on};
use crate::report::progress::Progress;
use crate::report::scene::card_scene;
use crate::report::{CampaignFacts, ReportError, ReportFacts};
use taproof_campaign::{
    Bug, BugClass, CampaignSummary, CoverageSample, Evidence, FIRST_BUGS, Finding, PropertySummary, of_class,
};
use taproof_screen::{counted, pace, thousands};

/// Writes the page of a campaign.
pub(crate) fn campaign_page(
    facts: &CampaignFacts,
    progress: &mut Progress<'_>,
) -> Result<Vec<u8>, ReportError> {
    let traces: Vec<&Evidence> = facts.outcome.findings.iter().map(|finding| &finding.minimal).collect();
    let pictures = Pictures::of(&traces, facts.run.screens_before, progress)?;
    let title = format!("{} tested by {}", facts.run.app_label, facts.run.engine);
    let environment = facts.outcome.findings.iter().find_map(|finding| finding.environment.as_deref());
    let body = html! {
        header {
            span.quiet { "Campaign" }
            h1 { (Escaped(&title)) }
            (campaign_chips(facts))
        }
        (pictures.definitions())
        (bugs(facts, &pictures))
        section {
            h2 { "What was run" }
            div.card {
                dl { (run_facts(&facts.run)) (environment_facts(environment)) }
                pre { (Escaped(&facts.run.command)) }
            }
        }
        (curve(&facts.outcome.curve))
        @if let Some(summary) = facts.outcome.summary.as_ref().filter(|summary| !summary.properties.is_empty()) { (properties(summary)) }
        @if let Some(summary) = &facts.outcome.summary { (unreached(summary)) (untouched(summary)) }
        (contents(facts))
        @for (index, finding) in facts.outcome.findings.iter().enumerate() { (section(index, finding, &facts.run, &pictures)) }
        (footer(&facts.run))
    };
    Ok(page(&title, &body))
}

fn campaign_chips(facts: &CampaignFacts) -> Markup {
    let (bugs, findings) = (facts.bugs().len(), facts.outcome.findings.len());
    let suspicions = if facts.suspicions { 0 } else { of_class(&facts.found(), BugClass::Suspicion).len() };
    html! {
        div.chips {
            span class=(if bugs == 0 { "chip good" } else { "chip bad" }) {
                (if bugs == 0 { "\u{2713} " } else { "\u{2717} " }) (counted(bugs, "bug"))
            }
            @if suspicions > 0 { span.chip.warn { (counted(suspicions, "suspicion")) } }
            @if findings > bugs { span.chip { (counted(findings, "finding")) } }
            @match (&facts.outcome.summary, facts.outcome.curve.last()) {
                (Some(summary), _) => {
                    span.chip { (thousands(summary.events)) " events in " (thousands(summary.tests)) " tests" }
                    span.chip { (counted(summary.states, "state")) ", " (counted(summary.activities, "activity")) }
                    @if summary.garbled_answers > 0 {
                        span.chip { (thousands(summary.garbled_answers)) " garbled answers" }
                    }
                    span.chip { (format!("{:.1} s", summary.seconds)) ", " (pace(summary.events_per_second)) }
                },
                (None, Some(last)) => { span.chip { (thousands(last.events)) " events, " (thousands(last.states)) " states" } },
                (None, None) => {},
            }
            span.chip { (end_words(facts.outcome.end.as_deref())) }
        }
    }
}

/// The activities of the manifest that no engine has seen.
fn unreached(summary: &CampaignSummary) -> Markup {
    let declared = summary.declared_activities.filter(|_| !summary.unreached.is_empty());
    html! {
        @if let Some(declared) = declared {
            section {
                h2 { "Never reached" }
                div.card {
                    p { (summary.unreached.len()) " of the " (declared) " activities in the app\u{2019}s manifest:" }
                    ul { @for activity in &summary.unreached { li { (Escaped(activity)) } } }
                }
            }
        }
    }
}

/// The usable widgets that no event has touched.
fn untouched(summary: &CampaignSummary) -> Markup {
    html! {
        @if !summary.untouched.is_empty() {
            section {
                h2 { "Never touched" }
                div.card {
                    details {
                        summary { (counted(summary.untouched.len(), "usable widget")) ", one of each kind" }
                        ul {
                            @for it in &summary.untouched {
                                li { (Escaped(&it.widget)) " on " (Escaped(&it.activity)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Why a campaign ended, for people.
fn end_words(end: Option<&str>) -> String {
    match end {
        None => "still running".to_owned(),
        Some("exhausted") => "ended: nothing left to try".to_owned(),
        Some("budget") => "ended: all events spent".to_owned(),
        Some("interrupted") => "cut off: the program ended before the campaign".to_owned(),
        Some(other) => format!("ended: {}", crate::shell::comment(other)),
    }
}

fn properties(summary: &CampaignSummary) -> Markup {
    html! {
        section {
            h2 { "Properties" }
            div.card {
                table {
                    tr {
                        th { "Property" }
                        @for name in ["Ready", "Run", "Held", "Broken", "Unsure", "Not run to the end"] { th.n { (name) } }
                    }
                    @for property in &summary.properties { (property_row(property)) }
                }
            }
        }
    }
}

fn property_row(property: &PropertySummary) -> Markup {
    let not_run: u64 = property.not_executed.iter().map(|entry| entry.count).sum();
    let count = |value: u64| if value == 0 { "\u{2013}".to_owned() } else { thousands(value) };
    if let Some(why) = &property.not_judged {
        return html! {
            tr { td { (Escaped(&property.name)) } td colspan="6" { "Not judged: " (Escaped(why)) } }
        };
    }
    html! {
        tr {
            td { (Escaped(&property.name)) }
            td.n { (count(property.precondition_held)) }
            td.n { (count(property.executed)) }
            td.n { (count(property.held)) }
            td.n { @if property.violated > 0 { span.chip.bad { "\u{2717} " (thousands(property.violated)) } } @else { "\u{2013}" } }
            td.n { (count(property.inconclusive)) }
            td.n { (count(not_run)) }
        }
    }
}

/// The bugs of a campaign, a card for each, and below them the suspicions and what a person dismissed, folded.
fn bugs(facts: &CampaignFacts, pictures: &Pictures<'_>) -> Markup {
    let found = facts.found();
    let [all, suspicions, unsure, dismissed] = BugClass::ALL.map(|class| of_class(&found, class));
    let (first, more) = all.split_at(all.len().min(FIRST_BUGS));
    let folded = |bugs: &[Bug], name: &str| {
        html! {
            details.more {
                summary { (counted(bugs.len(), name)) }
                @for shown in bugs { (bug(shown, facts, pictures)) }
            }
        }
    };
    html! {
        @if !first.is_empty() {
            section {
                h2 { "Bugs" }
                @for shown in first { (bug(shown, facts, pictures)) }
                @if !more.is_empty() { (folded(more, "more bug")) }
            }
        }
        @if !suspicions.is_empty() {
            section {
                h2 { "Suspicions" }
                p.quiet { "They came back each time, and may be no bugs: each says what it rests on and what would settle it." }
                (folded(suspicions, "suspicion"))
            }
        }
        @if !unsure.is_empty() {
            section {
                h2 { "Not sure" }
                p.quiet { "Seen, and not each time again or not tried again." }
                (folded(unsure, "finding"))
            }
        }
        @if !dismissed.is_empty() {
            section {
                h2 { "Not bugs" }
                p.quiet { "A person has said so." }
                @for bug in dismissed { p { (Escaped(&bug.title)) } }
            }
        }
    }
}

fn bug(card: &Bug, facts: &CampaignFacts, pictures: &Pictures<'_>) -> Markup {
    let number = |finding: &Finding| facts.outcome.findings.iter().position(|other| other.id == finding.id);
    let wrong = wrong_on(card);
    let (first, others) = wrong.split_at(wrong.len().min(MOST_SENTENCES));
    html! {
        div.card {
            h3 { (Escaped(&card.title)) }
            div.chips {
                span class=(if card.class == BugClass::Bug { "chip bad" } else { "chip warn" }) { (card.harm.words()) }
                @for page in &card.pages { span.chip { (Escaped(page)) } }
            }
            @if let Some(trace) = number(&card.shown) {
                div.screens { (screens(card, trace, pictures)) }
            }
            dl {
                dt { "What is wrong" }
                @for sentence in first { dd { (Escaped(sentence)) } }
                @if !others.is_empty() {
                    dd {
                        details {
                            summary { "and " (others.len()) " more" }
                            @for sentence in others { p { (Escaped(sentence)) } }
                        }
                    }
                }
                @if let Some(relation) = card.relations.first() { dt { "By hand" } dd { (relation.by_hand) } }
                @for relation in card.relations.iter().skip(1) { dt { "Also" } dd { (relation.title) } }
                @for hint in card.hints() { dt { "Hint" } dd { (Escaped(&hint)) } }
                @if let Some(said) = card.said() { dt { "Said of it" } dd { (Escaped(&said)) } }
                @if let Some(settled) = card.settled_by() {
                    dt { "Rests on" } dd { (Escaped(&card.rests_on())) }
                    dt { "To settle it" } dd { (settled) }
                }
            }
            p {
                @for (at, finding) in card.findings.iter().filter_map(|finding| Some((number(finding)?, finding))) {
                    a href={ "#finding-" (at + 1) } { (counted(finding.minimal.trace.len(), "step")) } " "
                }
            }
        }
    }
}

/// The screens of a card, with what is missing or wrong ringed.
fn screens(card: &Bug, trace: usize, pictures: &Pictures<'_>) -> Markup {
    let of_card = card.screens();
    let scenes = of_card
        .iter()
        .filter(|shown| pictures.shows(trace, shown.frame))
        .filter_map(|shown| Some((shown, card_scene(card, shown, None)?)));
    html! {
        @for (shown, scene) in scenes {
            figure {
                figcaption { (Escaped(&shown.caption)) }
                (pictures.small(trace, &scene, &shown.caption))
            }
        }
    }
}

/// The findings as a list of links.
fn contents(facts: &CampaignFacts) -> Markup {
    html! {
        section {
            h2 { "Findings" }
            @if facts.outcome.findings.is_empty() { p.quiet { "Nothing was found." } }
            @else {
                div.card {
                    table {
                        tr { th { "Finding" } th.n { "Event" } th.n { "Times" } th.n { "Steps" } th { "Attributed to" } }
                        @for (index, finding) in facts.outcome.findings.iter().enumerate() {
                            tr {
                                td { a href={ "#finding-" (index + 1) } { (Escaped(&facts.run.title_of(finding))) } }
                                td.n { (thousands(finding.first.event)) }
                                td.n { (thousands(times(facts, finding))) }
                                td.n { (finding.minimal.trace.len()) }
                                td { (Escaped(&finding.attribution.words())) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// How often the violation was seen in the whole campaign. The finding itself only contains the number until it was
/// reported.
pub(crate) fn times(facts: &CampaignFacts, finding: &Finding) -> u64 {
    let counted = facts.outcome.summary.iter().flat_map(|summary| &summary.findings);
    counted
        .filter(|counted| counted.id == finding.id)
        .map(|counted| counted.count)
        .max()
        .unwrap_or(finding.count)
}

fn section(index: usize, finding: &Finding, facts: &ReportFacts, pictures: &Pictures<'_>) -> Markup {
    html! {
        section id={ "finding-" (index + 1) } {
            h1 { (index + 1) ". " (Escaped(&facts.title_of(finding))) }
            p { (marked(&plain_sentence(finding))) }
            (chips(finding))
            p.quiet { (Escaped(&facts.replay_of(finding))) }
            (judgement(finding, facts))
            (steps(finding, index, facts, pictures))
        }
    }
}

/// The numbers of states and findings over events, each on its own scale.
fn curve(points: &[CoverageSample]) -> Markup {
    let mut runs: BTreeMap<u32, Vec<&CoverageSample>> = BTreeMap::new();
    for point in points {
        runs.entry(point.run).or_default().push(point);
    }
    let top = |of: fn(&CoverageSample) -> u64| points.iter().map(of).max().unwrap_or(0).max(1);
    let (events, states, findings) =
        (top(|point| point.events), top(|point| point.states), top(|point| point.findings));
    let at_the_end = |of: fn(&CoverageSample) -> u64| {
        let ends = runs.values().filter_map(|run| run.last());
        ends.map(|last| thousands(of(last))).collect::<Vec<_>>().join(" and ")
    };
    let (all_states, all_findings) = (at_the_end(|point| point.states), at_the_end(|point| point.findings));
    html! {
        @if !runs.is_empty() {
            section {
                h2 { "States and findings over events" }
                div.card {
                    svg.plot viewBox="0 0 1000 280" role="img"
                        aria-label=(format!("After {events} events: {all_states} states, {all_findings} findings")) {
                        @for line in 0..5 {
                            line x1="0" x2="1000" y1=(20 + line * 55) y2=(20 + line * 55) stroke="var(--line)" {}
                        }
                        @for run in runs.values() {
                            polyline points=(line(run, events, states, |point| point.states, false))
                                fill="none" stroke="var(--accent)" stroke-width="2.5" {}
                            polyline points=(line(run, events, findings, |point| point.findings, true))
                                fill="none" stroke="var(--bad)" stroke-width="2.5" stroke-dasharray="8 4" {}
                        }
                        g font-size="14" {
                            text x="0" y="14" fill="var(--accent)" { "\u{2014} states, " (all_states) " at the end" }
                            text x="1000" y="14" text-anchor="end" fill="var(--bad)" { "- - findings, " (all_findings) " at the end" }
                            text x="0" y="262" fill="var(--quiet)" { "0" }
                            text x="1000" y="262" text-anchor="end" fill="var(--quiet)" { (thousands(events)) " events" }
                        }
                    }
                }
            }
        }
    }
}

/// The points of a line in the curve. A line of integers rises in steps.
fn line(
    points: &[&CoverageSample],
    events: u64,
    top: u64,
    of: fn(&CoverageSample) -> u64,
    stepped: bool,
) -> String {
    let x = |point: &CoverageSample| point.events as f64 * 1000.0 / events.max(1) as f64;
    let y = |value: u64| 240.0 - value as f64 * 220.0 / top as f64;
    let mut text = String::from("0,240");
    let mut before = 0;
    for point in points {
        if stepped && of(point) != before {
            text.push_str(&format!(" {:.1},{:.1}", x(point), y(before)));
        }
        before = of(point);
        text.push_str(&format!(" {:.1},{:.1}", x(point), y(before)));
    }
    text
}
