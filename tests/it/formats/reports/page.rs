//! The page and the results for other tools.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use super::evidence::{HOSTILE, campaign, events, export, facts, file, finding, have, succeed};
use taproof_campaign::Finding;
use taproof_engine::device::Environment;
use taproof_results::report::{
    CampaignFacts, ExportKind, ReportFacts, export_campaign, export_finding, no_progress,
};
use taproof_screen::OracleKind;

#[test]
fn a_page_shows_hostile_texts_and_runs_none() {
    let pages = [
        export(HOSTILE, ExportKind::Html),
        String::from_utf8(export_campaign(&campaign(HOSTILE), ExportKind::Html, &mut no_progress).unwrap())
            .unwrap(),
    ];
    for page in &pages {
        assert!(!page.contains("<script"), "a tag of the app's");
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        assert!(!page.contains('\0') && !page.contains('\u{1b}'));
        assert!(page.contains("default-src 'none'; img-src data:; style-src 'unsafe-inline'"));
        assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("@import"));
        assert!(
            page.contains("<svg class=\"screen\"")
                && page.contains("\u{2717} wrong")
                && page.contains("touched")
        );
    }
    if have("chromium") {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), "page.html", &pages[0]);
        let dom = succeed(
            Command::new("chromium")
                .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
                .arg(format!("--user-data-dir={}", folder.path().display()))
                .args(["--dump-dom".into(), format!("file://{}", path.display())]),
        );
        assert!(!dom.contains("<script"));
        assert_eq!(dom.matches("<article").count(), events(HOSTILE).len());
        assert!(dom.contains("Step 1 of 14") && dom.contains("\u{2717} wrong"));
    }
}

#[test]
fn a_page_and_an_issue_say_on_what_the_finding_was_seen() {
    let environment = Environment {
        model: "Pixel <b>6".to_owned(),
        release: "14".to_owned(),
        sdk: 34,
        app_version: "1.1.8 (118)".to_owned(),
    };
    let of = |environment: &Environment, kind| {
        let finding = Finding { environment: Some(Arc::new(environment.clone())), ..finding("a") };
        String::from_utf8(export_finding(&finding, &facts("a"), kind, &mut no_progress).unwrap()).unwrap()
    };
    let page = of(&environment, ExportKind::Html);
    assert!(
        page.contains("<dt>Seen on</dt><dd><bdi>Pixel &lt;b&gt;6, Android 14 (API level 34)</bdi></dd>"),
        "{page}"
    );
    assert!(page.contains("<dt>Version of the app</dt><dd><bdi>1.1.8 (118)</bdi></dd>"), "{page}");
    let issue = of(&environment, ExportKind::Markdown);
    let line = |begins: &str| issue.lines().find(|line| line.starts_with(begins)).unwrap();
    assert!(line("- Device: ").ends_with("Android 14 (API level 34)"), "{issue}");
    assert!(line("- App: ").ends_with(" 1.1.8 (118)"), "{issue}");
    let unknown = Environment { release: String::new(), app_version: String::new(), ..environment };
    let page = of(&unknown, ExportKind::Html);
    assert!(page.contains("6, Android (API level 34)") && !page.contains("Version of the app"), "{page}");
    assert!(!export("a", ExportKind::Html).contains("Seen on"), "the bundled phone is none");
}

#[test]
fn a_page_shows_the_screens_before_the_failing_step_that_are_wanted() {
    let page = |screens_before: Option<usize>| {
        let facts = ReportFacts { screens_before, ..facts(HOSTILE) };
        let page = export_finding(&finding(HOSTILE), &facts, ExportKind::Html, &mut no_progress).unwrap();
        String::from_utf8(page).unwrap()
    };
    let steps = events(HOSTILE).len();
    // Two for each step, and the failing screen at the top.
    let screens = |page: &str| page.matches("<svg class=\"screen\"").count();
    let (all, two, none) = (page(None), page(Some(1)), page(Some(0)));
    assert_eq!([&all, &two, &none].map(|page| screens(page)), [2 * steps + 1, 5, 3]);
    assert!(none.len() < two.len() && two.len() < all.len(), "what is not shown is not in the file");
    for page in [&all, &two, &none] {
        assert_eq!(page.matches("<article").count(), steps, "every step is told");
    }
    assert_eq!(page(Some(steps)), all);

    let whole = |screens_before: Option<usize>| {
        let mut campaign = campaign(HOSTILE);
        campaign.run.screens_before = screens_before;
        export_campaign(&campaign, ExportKind::Html, &mut no_progress).unwrap().len()
    };
    assert!(whole(Some(0)) < whole(None));
}

#[test]
fn results_are_what_jenkins_takes() {
    let one = export(HOSTILE, ExportKind::Junit);
    let whole =
        String::from_utf8(export_campaign(&campaign(HOSTILE), ExportKind::Junit, &mut no_progress).unwrap())
            .unwrap();
    let crashed = || {
        let mut campaign = campaign(HOSTILE);
        let mut finding = (*campaign.outcome.findings[0]).clone();
        finding.origin.oracle = OracleKind::Crash;
        campaign.outcome.findings = vec![Arc::new(finding)];
        campaign
    };
    let failing = CampaignFacts { crashes_as_failures: true, ..crashed() };
    for (facts, element, other) in [(crashed(), "<error ", "<failure "), (failing, "<failure ", "<error ")] {
        let text = export_campaign(&facts, ExportKind::Junit, &mut no_progress).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains(element) && !text.contains(other), "{text}");
    }
    for text in [&one, &whole] {
        assert!(text.contains("&lt;script&gt;") && !text.contains("<script"));
        assert!(!text.contains('\0') && !text.contains('\u{1b}'));
    }
    if have("xmllint") {
        let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/junit-10.xsd");
        let folder = tempfile::tempdir().unwrap();
        for text in [one, whole] {
            let path = file(folder.path(), "results.xml", text);
            succeed(Command::new("xmllint").args(["--noout", "--nonet", "--schema"]).arg(&schema).arg(path));
        }
    }
}
