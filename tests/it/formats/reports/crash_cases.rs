//! Crashes from public reports: which of them are one, and whether a baseline knows each again.

use std::path::PathBuf;
use std::sync::Arc;

use taproof_adb::output::crash::{CrashKind, crashes};
use taproof_adb::output::log_lines;
use taproof_campaign::{BugClass, BugKey, Confirmation, Corrections, Finding, group};
use taproof_engine::oracle::{judge_health, logged_error};
use taproof_results::store::Baseline;
use taproof_screen::{AppHealth, CrashReport, Frame, OracleKind, Trace, frame_of, layout_from};
use taproof_spec::Spec;

use super::evidence;

const FILES: &str = "org.taproof.files";

/// The only crash in the log of a case, and whether the app went on after it; `None` without the data.
fn report(case: &str) -> Option<(CrashReport, bool)> {
    let path: PathBuf = taproof_testing::data()?.join("cases/crash").join(format!("{case}.txt"));
    let Ok(log) = std::fs::read_to_string(&path) else {
        taproof_testing::skipped("no data");
        return None;
    };
    let mut found = crashes(&log_lines(&log));
    assert_eq!(found.len(), 1, "{case}: {found:#?}");
    let crash = found.remove(0);
    let logged = crash.kind == CrashKind::Logged;
    Some((CrashReport { package: FILES.to_owned(), ..crash.report() }, logged))
}

/// What a campaign finds when the log has this crash.
fn finding(case: &str) -> Option<Finding> {
    let (report, logged) = report(case)?;
    let frame = frame_of(layout_from("FrameLayout\n"));
    let trace = Trace::start(frame.clone());
    let violation = match logged {
        true => logged_error(&report, &trace),
        false => {
            judge_health(&Frame { health: AppHealth::Crashed(Arc::new(report)), ..frame }, &trace).unwrap()
        }
    };
    Some(Finding {
        id: case.to_owned(),
        origin: violation.origin(),
        title: violation.title.clone(),
        violation,
        confirmation: Confirmation::of(3, 3),
        ..evidence::finding("x")
    })
}

/// Whether a baseline of one finding, once written and read, knows the other.
fn knows(first: &Finding, second: &Finding) -> bool {
    let (spec, corrections) = (Spec::default(), Corrections::default());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("baseline.json");
    let mut baseline = Baseline::default();
    let bugs = |finding: &Finding| group(&[Arc::new(finding.clone())], FILES, &spec, &corrections);
    bugs(first).iter().for_each(|bug| baseline.add(FILES, bug));
    baseline.write(&path).unwrap();
    let read = Baseline::read(&path).unwrap().unwrap();
    assert_eq!(read, baseline, "what is written is what is read");
    let bugs = bugs(second);
    assert_eq!(bugs.len(), 1);
    bugs.iter().all(|bug| read.knows(FILES, bug))
}

#[test]
fn the_cases_are_told_apart_and_known_again() {
    // Case, case, whether they are one, and what the first is known by.
    for (first, second, same, key) in [
        ("js-a", "js-b", false, "Error at load"),
        ("js-b", "js-b", true, "TypeError at show"),
        ("js-component", "js-component", true, "TypeError at Cart < CartRow < View"),
        (
            "wrapped-a",
            "wrapped-b",
            false,
            "android.content.res.Resources$NotFoundException in org.taproof.files.MainActivity: Resource ID #?",
        ),
        (
            "wrapped-b",
            "wrapped-b",
            true,
            "java.lang.SecurityException in org.taproof.files.Sync: Starting FGS with type location",
        ),
        ("native-a", "native-b", true, "SIGSEGV at libgame.so Game::draw() < libgame.so Game::loop()"),
        ("abort-message", "native-a", false, "SIGABRT at libflutter.so+1b33f20 (bb)"),
        ("dart", "js-debug", false, "Error at _CartState.total < _CartState.build"),
        ("js-debug", "js-debug", true, "TypeError at Cart"),
    ] {
        let Some((one, other)) = finding(first).zip(finding(second)) else { return };
        assert_eq!(one.origin.subject, key, "{first}");
        assert_eq!(knows(&one, &other), same, "{first}, {second}");
        assert_eq!(BugKey::of(&one) == BugKey::of(&other), same, "{first}, {second}");
        assert_eq!(one.origin == other.origin, same, "{first}, {second}");
        assert_eq!(one.title.lines().count(), 1, "{}", one.title);
    }
}

#[test]
fn what_is_shown_is_what_was_logged() {
    for (case, message, title) in [
        (
            "abort-message",
            "[FATAL:flutter/x.cc(76)] Check failed: ok.",
            "the app crashes: SIGABRT: [FATAL:flutter/x.cc(76)] Check failed: ok.",
        ),
        (
            "js-a",
            "Error: network down, js engine: hermes, stack:\nanonymous@1:1000\nload@1:2000\n",
            "the app crashes: Error: network down",
        ),
        (
            "dart",
            "Null check operator used on a null value",
            "the app logs an error: Error: Null check operator used on a null value",
        ),
    ] {
        let Some(((report, _), finding)) = report(case).zip(finding(case)) else { return };
        assert_eq!((&*report.message, &*finding.title), (message, title), "{case}");
    }
}

#[test]
fn an_error_that_ends_nothing_is_a_finding_and_a_bug_if_the_tester_says_so() {
    for case in ["dart", "js-debug"] {
        let Some(mut found) = finding(case) else { return };
        assert_eq!(found.origin.oracle, OracleKind::LogError);
        assert_eq!((found.class(), found.counts()), (BugClass::Suspicion, false));
        found.support.log_demanded = true;
        assert_eq!((found.class(), found.counts()), (BugClass::Bug, true));
    }
}
