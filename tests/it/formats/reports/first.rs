//! Scripts that do an app's first steps before the finding's own.

use std::process::Command;
use std::sync::Arc;

use super::evidence::{HOSTILE, TYPABLE, facts, file, finding, finding_of, have, succeed};
use taproof_results::report::{ExportKind, ReportFacts, export_finding, no_progress};
use taproof_screen::{Event, Initialiser, Key, XPath};

/// A text that both a shell and an XPath would like to act upon.
const READY: &str = "$(touch hacked)`touch hacked`\";touch hacked";

/// Every kind of event, done first with this text, and what is waited for then.
pub(super) fn facts_behind(text: &str, ready: &str) -> ReportFacts {
    let trace = finding(text).minimal.trace;
    let steps = trace.recorded_steps().collect();
    let ready = Some(XPath::parse(ready).unwrap());
    ReportFacts {
        initialiser: Some(Arc::new(Initialiser { steps, ready, ..Initialiser::default() })),
        ..facts(text)
    }
}

fn export(text: &str, ready: &str, kind: ExportKind) -> String {
    let short = finding_of(text, vec![Event::Key(Key::Back)]);
    String::from_utf8(export_finding(&short, &facts_behind(text, ready), kind, &mut no_progress).unwrap())
        .unwrap()
}

#[test]
fn first_steps_are_done_with_any_text() {
    let plain = format!("//*[@text='{READY}']");
    let other = format!("//*[contains(@text,'{READY}')]");
    for (text, ready) in [(HOSTILE, &plain), (TYPABLE, &other)] {
        let script = export(text, ready, ExportKind::Uiautomator2);
        assert_eq!(script.matches("\n    wait_until_ready(d, ").count(), 1);
        if have("python3") {
            let folder = tempfile::tempdir().unwrap();
            let path = file(folder.path(), "script.py", script);
            succeed(Command::new("python3").args(["-m", "py_compile"]).arg(&path));
        }
        let flow = export(text, ready, ExportKind::Maestro);
        let documents = yaml_rust2::YamlLoader::load_from_str(&flow).unwrap();
        let commands = documents[1].as_vec().unwrap();
        let waits = commands.iter().find(|command| !command["extendedWaitUntil"].is_badvalue());
        assert_eq!(waits.is_some(), *ready == plain, "{flow}");
        if let Some(waits) = waits {
            let waits = &waits["extendedWaitUntil"];
            assert!(waits["visible"]["text"].as_str().is_some() && waits["timeout"].as_i64() == Some(20_000));
        }
        let page = export(text, ready, ExportKind::Html);
        assert!(page.contains("first in every test") && !page.contains("\";touch hacked"), "it is escaped");
        let results = export(text, ready, ExportKind::Junit);
        assert!(results.contains("first in every test, from a fresh start of the app:"));
    }
}

#[cfg(unix)]
#[test]
fn a_shell_script_waits_for_what_it_can_see_and_asks_for_the_rest() {
    use super::shell::{AdbPhone, dump};
    let phone = AdbPhone::new();
    let run = |ready: &str, shown: &[&str]| {
        phone.run(export(TYPABLE, ready, ExportKind::AdbShell).as_bytes(), Some(&dump(shown)), "")
    };
    let plain = format!("//*[@text='{READY}']");
    let (ended, told) = run(&plain, &[READY, TYPABLE]);
    assert!(ended != 2 && told.contains(" 15. "), "the steps were done: {ended}\n{told}");
    let (ended, told) = run(&plain, &[TYPABLE]);
    assert!(ended == 2 && told.contains("the app is not ready"), "{ended}\n{told}");
    assert!(!told.contains(" 15. "), "nothing is done then");
    let (ended, told) = run(&format!("//*[contains(@text,'{READY}')]"), &[READY, TYPABLE]);
    assert!(ended == 2 && told.contains("run it in a terminal"), "{ended}\n{told}");
}
