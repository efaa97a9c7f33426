//! Findings and campaigns as test results, in the format that Jenkins' `junit-10.xsd` describes.

use std::sync::Arc;
use std::time::Duration;

use maud::{Markup, PreEscaped, html};

use super::text::printable;
use super::{CampaignFacts, ReportFacts, step_sentences};
use crate::report::html::html_campaign::times;
use crate::report::html::{crash, oracle_words};
use taproof_campaign::{Bug, Corrections, Finding, FindingState, PropertySummary, group};
use taproof_screen::{DeviceInstant, OracleKind, Trace};

/// The tests of a campaign.
struct Suite {
    name: String,
    time: Option<Duration>,
    properties: Vec<(&'static str, String)>,
    cases: Vec<Case>,
}

struct Case {
    name: String,
    app: String,
    time: Duration,
    /// `None` if it passed.
    problem: Option<Problem>,
    system_err: Option<String>,
}

/// Why a test did not pass.
struct Problem {
    /// `failure`, `error` or `skipped`.
    element: &'static str,
    message: String,
    kind: Option<&'static str>,
    text: String,
}

/// Writes a finding as one failed test.
pub(super) fn finding_results(finding: &Finding, facts: &ReportFacts) -> Vec<u8> {
    let mut suite = suite(facts);
    let alone = [Arc::new(finding.clone())];
    let bugs = group(&alone, &facts.app, &facts.spec, &Corrections::default());
    suite.cases.extend(bugs.iter().map(|bug| failed(bug, facts, finding.count)));
    write(facts, &suite)
}

/// Writes a campaign: a test for each property that held, was never run or cannot be judged, and for each bug.
pub(super) fn campaign_results(campaign: &CampaignFacts) -> Vec<u8> {
    let facts = &campaign.run;
    let mut suite = suite(facts);
    if let Some(summary) = &campaign.outcome.summary {
        suite.time = Some(Duration::from_millis((summary.seconds.max(0.0) * 1000.0) as u64));
        suite.properties.extend([
            ("events", summary.events.to_string()),
            ("tests", summary.tests.to_string()),
            ("states", summary.states.to_string()),
            ("activities", summary.activities.to_string()),
            ("fingerprint", summary.fingerprint.clone()),
        ]);
        for property in summary.properties.iter().filter(|property| !blamed(campaign, property)) {
            suite.cases.push(judged(property, facts));
        }
    }
    if let Some(end) = &campaign.outcome.end {
        suite.properties.push(("end", end.clone()));
    }
    for bug in &campaign.bugs() {
        let seen = bug.findings.iter().map(|finding| times(campaign, finding)).sum();
        suite.cases.push(failed(bug, facts, seen));
    }
    if campaign.crashes_as_failures {
        let problems = suite.cases.iter_mut().filter_map(|case| case.problem.as_mut());
        problems.filter(|problem| problem.element == "error").for_each(|problem| problem.element = "failure");
    }
    write(facts, &suite)
}

/// Whether a finding is a violation of the property, whose test is then the finding's.
fn blamed(campaign: &CampaignFacts, property: &PropertySummary) -> bool {
    let speaks = |finding: &Finding| {
        finding.violation.oracle == OracleKind::Property && finding.violation.subject == property.name
    };
    campaign.outcome.findings.iter().any(|finding| speaks(finding))
}

fn suite(facts: &ReportFacts) -> Suite {
    let properties = vec![
        ("app", facts.app.clone()),
        ("build", facts.build.clone()),
        ("engine", facts.engine.clone()),
        ("mode", facts.mode.clone()),
        ("seed", facts.seed.to_string()),
        ("specification", facts.specs_in_words()),
        ("command", facts.command.clone()),
        ("taproof", facts.tool_version.clone()),
    ];
    Suite { name: facts.app_in_words(), time: None, properties, cases: Vec::new() }
}

fn judged(property: &PropertySummary, facts: &ReportFacts) -> Case {
    let problem = if property.violated > 0 {
        // The violation was seen, but not reported as a finding: another cause of its origin was reported already.
        Some(("failure", Some("property"), format!("violated {} times", property.violated)))
    } else if property.held > 0 {
        None
    } else if let Some(why) = &property.not_judged {
        Some(("skipped", None, format!("not judged: {why}")))
    } else {
        let message = format!(
            "never judged: ready {} times, run {} times, not decided {} times",
            property.precondition_held, property.executed, property.inconclusive
        );
        Some(("skipped", None, message))
    };
    Case {
        name: property.name.clone(),
        app: facts.app.clone(),
        time: Duration::from_millis(property.device_ms),
        problem: problem.map(|(element, kind, message)| Problem {
            element,
            message,
            kind,
            text: String::new(),
        }),
        system_err: None,
    }
}

fn failed(bug: &Bug, facts: &ReportFacts, times: u64) -> Case {
    let finding = &bug.shown;
    let oracle = finding.origin.oracle;
    let element = match oracle {
        OracleKind::Property
        | OracleKind::Invariant
        | OracleKind::IndependentView
        | OracleKind::MayBelief
        | OracleKind::Preservation
        | OracleKind::Agreement => "failure",
        OracleKind::Crash | OracleKind::NotResponding | OracleKind::LogError | OracleKind::Loading => "error",
    };
    let subject = match oracle {
        OracleKind::Property | OracleKind::Invariant => finding.violation.subject.as_str(),
        oracle => oracle_words(oracle),
    };
    Case {
        name: format!("{subject} [{}]", finding.id),
        app: facts.app.clone(),
        time: trace_time(&finding.minimal.trace),
        problem: Some(Problem {
            element,
            message: bug.title.clone(),
            kind: Some(oracle.name()),
            text: body(bug, facts, times),
        }),
        system_err: crash(finding).map(|report| report.log.clone()),
    }
}

/// How long the steps of a trace took on the device.
fn trace_time(trace: &Trace) -> Duration {
    let began = trace.frame(0).map_or_else(DeviceInstant::default, |frame| frame.at);
    Duration::from_millis(trace.last().at.since(began).millis())
}

/// The text of a failure: what was expected and seen, the steps, how to reproduce.
fn body(bug: &Bug, facts: &ReportFacts, times: u64) -> String {
    let finding = &bug.shown;
    let mut lines = vec![bug.title.clone(), String::new()];
    for failure in &finding.violation.failures {
        lines.push(format!("condition: {}", failure.condition));
        lines.push(format!("expected:  {}", failure.expected));
        lines.push(format!("seen:      {}", failure.seen));
    }
    lines.push(String::new());
    let first = facts.first_sentences();
    if !first.is_empty() {
        lines.push("first in every test, from a fresh start of the app:".to_owned());
        lines.extend(first.into_iter().map(|sentence| format!("     {sentence}")));
    }
    let from = if facts.initialiser.is_some() { "then" } else { "from a fresh start of the app" };
    lines.push(format!("steps, {from}:"));
    for (index, (sentence, dmf)) in step_sentences(finding).into_iter().enumerate() {
        let dmf = dmf.map_or(String::new(), |dmf| format!("   ({dmf})"));
        lines.push(format!("{:>3}. {sentence}{dmf}", index + 1));
    }
    lines.push(String::new());
    let state = FindingState::of(finding);
    lines.push(format!("first at event {}, {times} times in all, {state}", finding.first.event));
    lines.push(format!("{}: {}", bug.class, bug.rests_on()));
    if let Some(said) = bug.said() {
        lines.push(said);
    }
    if !finding.attribution.is_none() {
        lines.push(format!("attributed to {}", finding.attribution));
    }
    lines.push("again:".to_owned());
    lines.extend(facts.command.lines().map(|line| format!("       {line}")));
    for finding in &bug.findings {
        lines.push(format!("       {}", facts.replay_of(finding)));
    }
    lines.join("\n")
}

/// The file. The schema has the number of skipped tests for a suite, but not for the whole file.
fn write(facts: &ReportFacts, suite: &Suite) -> Vec<u8> {
    let problems = || suite.cases.iter().filter_map(|case| case.problem.as_ref());
    let count = |element| problems().filter(|problem| problem.element == element).count();
    let (tests, failures, errors) = (suite.cases.len(), count("failure"), count("error"));
    let file = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        testsuites name={ "Taproof: " (printable(&facts.app_label)) } tests=(tests) failures=(failures) errors=(errors) {
            "\n"
            testsuite name=(printable(&suite.name)) tests=(tests) skipped=(count("skipped")) errors=(errors)
                failures=(failures) time=[suite.time.map(seconds)] {
                "\n"
                properties {
                    @for (name, value) in &suite.properties { "\n" property name=(name) value=(printable(value)) {} }
                }
                @for case in &suite.cases { "\n" (case.element()) }
                "\n"
            }
            "\n"
        }
        "\n"
    };
    file.into_string().into_bytes()
}

impl Case {
    fn element(&self) -> Markup {
        html! {
            testcase name=(printable(&self.name)) classname=(printable(&self.app)) time=(seconds(self.time)) {
                @if let Some(Problem { element, message, kind, text }) = &self.problem {
                    @let (message, text) = (printable(message), printable(text));
                    @match *element {
                        "failure" => failure message=(message) type=[kind] { (text) },
                        "error" => error message=(message) type=[kind] { (text) },
                        _ => skipped message=(message) {},
                    }
                }
                @if let Some(log) = &self.system_err { system-err { (printable(log)) } }
            }
        }
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}
