//! Findings and campaigns as test results, in the format that Jenkins' `junit-10.xsd` describes.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::html::{crash, oracle_words};
use super::html_campaign::times;
use super::text::printable;
use super::{CampaignFacts, ReportError, ReportFacts, step_sentences};
use taproof_core::campaign::{Bug, Finding, FindingState, PropertySummary};
use taproof_core::model::{DeviceInstant, OracleKind, Trace};

/// Writes a finding as one failed test.
pub(super) fn finding_results(finding: &Finding, facts: &ReportFacts) -> Result<Vec<u8>, ReportError> {
    let mut suite = suite(facts);
    let title = facts.title_of(finding);
    let bug = Bug { title, class: finding.class(), shown: finding, others: Vec::new() };
    suite.add_test_case(failed(&bug, facts, finding.count));
    write(facts, suite)
}

/// Writes a campaign: a test for each property that held, was never run or cannot be judged, and for each bug.
pub(super) fn campaign_results(campaign: &CampaignFacts) -> Result<Vec<u8>, ReportError> {
    let facts = &campaign.run;
    let mut suite = suite(facts);
    if let Some(summary) = &campaign.outcome.summary {
        suite.set_time(Duration::from_millis((summary.seconds.max(0.0) * 1000.0) as u64));
        for (name, value) in [
            ("events", summary.events.to_string()),
            ("tests", summary.tests.to_string()),
            ("states", summary.states.to_string()),
            ("activities", summary.activities.to_string()),
            ("fingerprint", summary.fingerprint.clone()),
        ] {
            suite.add_property(property(name, &value));
        }
        for property in summary.properties.iter().filter(|property| !blamed(campaign, property)) {
            suite.add_test_case(judged(property, facts));
        }
    }
    if let Some(end) = &campaign.outcome.end {
        suite.add_property(property("end", end));
    }
    for bug in &campaign.bugs() {
        let seen = bug.findings().map(|finding| times(campaign, finding)).sum();
        suite.add_test_case(failed(bug, facts, seen));
    }
    write(facts, suite)
}

/// Whether a finding is a violation of the property, whose test is then the finding's.
fn blamed(campaign: &CampaignFacts, property: &PropertySummary) -> bool {
    let speaks = |finding: &Finding| {
        finding.violation.oracle == OracleKind::Property && finding.violation.subject == property.name
    };
    campaign.outcome.findings.iter().any(|finding| speaks(finding))
}

fn suite(facts: &ReportFacts) -> TestSuite {
    let mut suite = TestSuite::new(printable(&facts.app_in_words()));
    for (name, value) in [
        ("app", facts.app.clone()),
        ("build", facts.build.clone()),
        ("engine", facts.engine.clone()),
        ("mode", facts.mode.clone()),
        ("seed", facts.seed.to_string()),
        ("specification", facts.specs_in_words()),
        ("command", facts.command.clone()),
        ("taproof", facts.tool_version.clone()),
    ] {
        suite.add_property(property(name, &value));
    }
    suite
}

fn property(name: &str, value: &str) -> Property {
    Property::new(name, printable(value))
}

fn judged(property: &PropertySummary, facts: &ReportFacts) -> TestCase {
    let status = if property.violated > 0 {
        // The violation was seen, but not reported as a finding: another cause of its origin was reported already.
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type("property").set_message(format!("violated {} times", property.violated));
        status
    } else if property.held > 0 {
        TestCaseStatus::success()
    } else {
        let mut status = TestCaseStatus::skipped();
        status.set_message(format!(
            "never judged: ready {} times, run {} times, not decided {} times",
            property.precondition_held, property.executed, property.inconclusive
        ));
        status
    };
    let mut case = TestCase::new(printable(&property.name), status);
    case.set_classname(printable(&facts.app));
    case.set_time(Duration::from_millis(property.device_ms));
    case
}

fn failed(bug: &Bug<'_>, facts: &ReportFacts, times: u64) -> TestCase {
    let finding = bug.shown;
    let kind = match finding.origin.oracle {
        OracleKind::Property
        | OracleKind::Invariant
        | OracleKind::IndependentView
        | OracleKind::MayBelief
        | OracleKind::Preservation => NonSuccessKind::Failure,
        OracleKind::Crash | OracleKind::NotResponding | OracleKind::Loading => NonSuccessKind::Error,
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(finding.origin.oracle.name());
    status.set_message(printable(&bug.title));
    status.set_description(printable(&body(bug, facts, times)));
    let subject = match finding.origin.oracle {
        OracleKind::Property | OracleKind::Invariant => finding.violation.subject.as_str(),
        oracle => oracle_words(oracle),
    };
    let mut case = TestCase::new(printable(&format!("{subject} [{}]", finding.id)), status);
    case.set_classname(printable(&facts.app));
    case.set_time(trace_time(&finding.minimal.trace));
    if let Some(report) = crash(finding) {
        case.set_system_err(printable(&report.log));
    }
    case
}

/// How long the steps of a trace took on the device.
fn trace_time(trace: &Trace) -> Duration {
    let began = trace.frame(0).map_or_else(DeviceInstant::default, |frame| frame.at);
    Duration::from_millis(trace.last().at.since(began).millis())
}

/// The text of a failure: what was expected and seen, the steps, how to reproduce.
fn body(bug: &Bug<'_>, facts: &ReportFacts, times: u64) -> String {
    let finding = bug.shown;
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
    lines.push(format!("{}: {}", bug.class, finding.rests_on()));
    if !finding.attribution.is_none() {
        lines.push(format!("attributed to {}", finding.attribution));
    }
    lines.push("again:".to_owned());
    lines.extend(facts.command.lines().map(|line| format!("       {line}")));
    for finding in bug.findings() {
        lines.push(format!("       taproof replay {}", crate::shell::shell_word(&finding.id)));
    }
    lines.join("\n")
}

fn write(facts: &ReportFacts, suite: TestSuite) -> Result<Vec<u8>, ReportError> {
    let mut report = Report::new(printable(&format!("Taproof: {}", facts.app_label)));
    report.add_test_suite(suite);
    let text = report.to_string().map_err(|error| ReportError::Xml { problem: error.to_string() })?;
    // The schema has this attribute for a suite, but not for the whole file. The name that precedes it cannot contain
    // quotes, so the first occurrence is the right one.
    Ok(text.replacen(&format!(" skipped=\"{}\"", report.skipped), "", 1).into_bytes())
}
