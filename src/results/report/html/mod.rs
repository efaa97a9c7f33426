//! A finding as one self-contained HTML page.

pub(crate) mod canvas;
mod diff;
pub(crate) mod html_campaign;
mod page;
mod screen_svg;

pub use diff::diff_page;
pub use page::{Escaped, footer_of, styled_page};

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::plain::{condition_sentence, failure_sentence, literal_hint, plain_sentence};
use super::progress::Progress;
use super::scene::{scene_after, scene_before};
use super::{
    ChangeKind, ReplayFrame, ReportError, ReportFacts, StepFacts, replay_frame, step_facts, step_sentences,
};
use crate::shell::shell_word;
use page::{environment_facts, footer, marked, page, run_facts};
use screen_svg::Pictures;
use taproof_campaign::{Confirmation, Finding, FindingState};
use taproof_screen::{AppHealth, FailedCheck, OracleKind, StepRole, counted, thousands};
use taproof_spec::function_words;

/// Number of changes that are listed before the rest is folded.
const LISTED: usize = 12;

/// Writes the page of a finding.
pub(super) fn finding_page(
    finding: &Finding,
    facts: &ReportFacts,
    progress: &mut Progress<'_>,
) -> Result<Vec<u8>, ReportError> {
    let pictures = Pictures::of(&[&finding.minimal], facts.screens_before, progress)?;
    let body = html! {
        (pictures.definitions())
        (heading(finding, facts, &pictures))
        (judgement(finding, facts))
        (reproduction(finding, facts))
        (steps(finding, 0, facts, &pictures))
        (footer(facts))
    };
    Ok(page(&facts.title_of(finding), &body))
}

/// The title of the bug and what goes wrong in plain words with the screen that shows it, and below it the terms of testers.
fn heading(finding: &Finding, facts: &ReportFacts, pictures: &Pictures<'_>) -> Markup {
    html! {
        header.plain {
            (failing_screen(finding, pictures))
            div {
                h1 { (Escaped(&facts.title_of(finding))) }
                p { (marked(&plain_sentence(finding))) }
                @if let Some(hint) = literal_hint(finding) { p.quiet { (Escaped(&hint)) } }
                (chips(finding))
                span.quiet { "Finding " (Escaped(&finding.id)) }
            }
        }
    }
}

/// The last screen of a finding, with what is wrong on it.
fn failing_screen(finding: &Finding, pictures: &Pictures<'_>) -> Markup {
    let last = replay_frame(finding, finding.minimal.trace.len().saturating_sub(1));
    html! {
        @if let Some(frame) = last {
            figure { (pictures.screen(0, &scene_after(&frame, &finding.minimal), "The screen that is wrong")) }
        }
    }
}

/// The summary of a finding as chips.
pub(super) fn chips(finding: &Finding) -> Markup {
    let state = FindingState::of(finding);
    let (tone, sign) = match state.confirmation {
        Confirmation::Reproduced { .. } => ("good", "\u{2713} "),
        Confirmation::Flaky { .. } => ("warn", "! "),
        Confirmation::Untried => ("", ""),
    };
    html! {
        div.chips {
            span.chip.bad { "\u{2717} " (oracle_words(finding.origin.oracle)) }
            span class={ "chip " (tone) } { (sign) (state) }
            span.chip { (counted(finding.minimal.trace.len(), "step"))
                @if finding.witness.trace.len() > finding.minimal.trace.len() {
                    " (was " (finding.witness.trace.len()) ")"
                }
            }
            span.chip { "event " (thousands(finding.first.event)) }
            @if finding.violation.after_drift {
                span.chip.warn { "! after an earlier violation in the same test" }
            }
        }
    }
}

/// The oracle that reported a violation, in words.
pub(super) fn oracle_words(oracle: OracleKind) -> &'static str {
    match oracle {
        OracleKind::Property => "a function does something else",
        OracleKind::Invariant => "what must always hold does not",
        OracleKind::Crash => "crash",
        OracleKind::NotResponding => "does not answer",
        OracleKind::LogError => "logs an error",
        OracleKind::Loading => "never finishes loading",
        OracleKind::IndependentView => "an effect is lost",
        OracleKind::MayBelief => "unlike most",
        OracleKind::Preservation => "something is lost",
        OracleKind::Agreement => "two places do not agree",
    }
}

/// What was expected and seen, and the log if the app died.
pub(super) fn judgement(finding: &Finding, facts: &ReportFacts) -> Markup {
    html! {
        section {
            h2 { "What is wrong" }
            div.card.judged { (failures(finding, facts)) }
            @if let Some(report) = crash(finding) {
                h3 { "Log" }
                pre { (Escaped(&report.log)) }
            }
        }
    }
}

/// What failed, in sentences; the terms of the specification are folded.
fn failures(finding: &Finding, facts: &ReportFacts) -> Markup {
    let after = &finding.minimal.trace.last().layout;
    html! {
        @for failure in &finding.violation.failures {
            p { (marked(&failure_sentence(failure, after))) }
            @if let Some(words) = condition_sentence(failure, finding.violation.dmf, &facts.spec) {
                p.required.quiet { "Required: " (Escaped(&words)) "." }
            }
            @if finding.violation.dmf.is_some() {
                details {
                    summary { "In the specification\u{2019}s words" }
                    (terms(failure))
                }
            }
        }
    }
}

fn terms(failure: &FailedCheck) -> Markup {
    html! {
        dl {
            dt { "Condition" } dd { (Escaped(&failure.condition)) }
            dt { "Expected" } dd { (Escaped(&failure.expected)) }
            dt { "Seen" } dd { (Escaped(&failure.seen)) }
        }
    }
}

/// The report of the app's crash, if the finding is one.
pub(super) fn crash(finding: &Finding) -> Option<&taproof_screen::CrashReport> {
    match &finding.minimal.trace.last().health {
        AppHealth::Crashed(report) | AppHealth::NotResponding(report) => Some(report),
        AppHealth::Running | AppHealth::LeftApp(_) => None,
    }
}

fn reproduction(finding: &Finding, facts: &ReportFacts) -> Markup {
    html! {
        section {
            h2 { "How to reproduce" }
            div.card {
                p {
                    "By hand, in a freshly installed " (Escaped(&facts.app_label))
                    @if !facts.serials.is_empty() { " (files that earlier tests put into shared storage may be needed)" }
                    ":"
                }
                ol.way {
                    @for sentence in facts.first_sentences() {
                        li { (Escaped(&sentence)) " " span.chip { "first in every test" } }
                    }
                    @for (sentence, dmf) in step_sentences(finding) {
                        li { (marked(&sentence)) @if let Some(dmf) = dmf { " " span.chip { (Escaped(&dmf)) } } }
                    }
                    @if finding.minimal.trace.is_empty() { li { "Start the app" } }
                }
                p { "The whole campaign, which finds it after " (thousands(finding.first.event)) " events:" }
                pre { (Escaped(&facts.command)) }
                (commands(finding, facts))
                dl {
                    (run_facts(facts))
                    (environment_facts(finding.environment.as_deref()))
                    @if !finding.attribution.is_none() {
                        dt { "Attributed to" } dd {
                            (Escaped(&finding.attribution.to_string()))
                            ": a bug in the catalogue of the bundled apps; the steps show nothing wrong in a build without it"
                        }
                    }
                }
            }
        }
    }
}

/// The commands that do the steps again: where the results are, and elsewhere with a file from there.
fn commands(finding: &Finding, facts: &ReportFacts) -> Markup {
    let again = facts.replay_of(finding);
    html! {
        p { "The steps alone, where the results of the campaign are:" }
        pre { (Escaped(&again)) }
        @if finding.reference.is_none() {
            p { "Elsewhere, with a file that is written where the results are:" }
            pre {
                (Escaped(&again)) " --keep bug.json\n" (facts.replay)
                @if let Some(serial) = facts.serials.get(finding.engine) { " --device " (Escaped(&shell_word(serial))) }
                " --trace bug.json"
            }
        }
    }
}

/// All steps with their screenshots. `number` is the index of the finding's trace in `pictures`.
pub(super) fn steps(
    finding: &Finding,
    number: usize,
    facts: &ReportFacts,
    pictures: &Pictures<'_>,
) -> Markup {
    let (done, device) = (step_facts(finding), facts.device_of(finding.engine));
    let frames: Vec<ReplayFrame> = (0..).map_while(|step| replay_frame(finding, step)).collect();
    html! {
        section {
            h2 { "Steps" }
            @for frame in &frames {
                (step(frame, (finding, done.get(frame.step), device), facts, number, pictures))
            }
        }
    }
}

fn step(
    frame: &ReplayFrame,
    (finding, done, device): (&Finding, Option<&StepFacts>, &str),
    facts: &ReportFacts,
    trace: usize,
    pictures: &Pictures<'_>,
) -> Markup {
    let (before, after) = (scene_before(frame, &finding.minimal), scene_after(frame, &finding.minimal));
    let number = frame.step + 1;
    html! {
        article.card.step {
            header {
                span.no { "Step " (number) " of " (frame.steps) }
                h3 { (marked(&frame.sentence)) }
                @if let Some(dmf) = &frame.dmf { span.chip { (Escaped(&function_words(dmf))) } }
                @if let Some(done) = done {
                    span.chip { (Escaped(&done.place())) }
                    @if done.role == StepRole::Rule { span.chip { "by a rule" } }
                }
                span.chip { (Escaped(device)) }
            }
            @if pictures.shows(trace, frame.step) {
                div.sides {
                    figure {
                        figcaption { "Before" }
                        (pictures.screen(trace, &before, &format!("Before step {number}: {}", frame.sentence)))
                    }
                    figure {
                        figcaption { "After" }
                        (pictures.screen(trace, &after, &format!("After step {number}")))
                        @for missing in &frame.missing { div.missing { "\u{2717} missing: " (Escaped(missing)) } }
                    }
                    div.facts {
                        @if !frame.failures.is_empty() { (failures(finding, facts)) }
                        (data(frame, finding))
                        (changes(frame))
                    }
                }
            }
        }
    }
}

/// The data that the app should hold; before and after the step if the two differ.
fn data(frame: &ReplayFrame, finding: &Finding) -> Markup {
    let held = |frame: usize, data_type: &str| -> Vec<String> {
        finding.data.at(frame).map_or_else(Vec::new, |data| data.objects(data_type).to_vec())
    };
    let types_at =
        |frame: usize| finding.data.at(frame).into_iter().flat_map(|data| data.types().map(|(name, _)| name));
    let types: BTreeSet<&String> = types_at(frame.step).chain(types_at(frame.frame_after)).collect();
    let changed = types.iter().any(|name| held(frame.step, name) != held(frame.frame_after, name));
    if finding.violation.dmf.is_none() && types.is_empty() {
        return Markup::default();
    }
    html! {
        h4 { "Data that the app should hold" }
        @if types.is_empty() { p.quiet { "nothing created by functions yet" } }
        @else {
            table {
                @if changed { tr { th { "Type" } th { "Before" } th { "After" } } }
                @for name in &types {
                    tr {
                        td { (Escaped(name)) }
                        @if changed { td { (objects(&held(frame.step, name))) } }
                        td { (objects(&held(frame.frame_after, name))) }
                    }
                }
            }
        }
    }
}

fn objects(objects: &[String]) -> Markup {
    html! {
        @if objects.is_empty() { span.quiet { "none" } }
        @for object in objects { div { "\u{201c}" (Escaped(object)) "\u{201d}" } }
    }
}

fn changes(frame: &ReplayFrame) -> Markup {
    let list = html! {
        ul.changes {
            @for change in &frame.changes {
                @let (class, sign) = match change.kind {
                    ChangeKind::Added => ("new", "+"),
                    ChangeKind::Removed => ("gone", "\u{2212}"),
                    ChangeKind::Changed => ("changed", "\u{270e}"),
                };
                li class=(class) { b { (sign) } (Escaped(&change.text)) }
            }
        }
    };
    html! {
        @match frame.changes.len() {
            0 => { h4 { "Changes on the screen" } p.quiet { "none" } },
            count => details open[count <= LISTED] {
                summary { "Changes on the screen: " (counted(count, "widget")) }
                (list)
            },
        }
    }
}
