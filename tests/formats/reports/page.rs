//! The page and the results for other tools.

use std::path::Path;
use std::process::Command;

use super::evidence::{HOSTILE, campaign, events, export, file, have, succeed};
use taproof_results::report::{ExportKind, export_campaign, no_progress};

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
            page.contains("<svg class=\"screen\"") && page.contains("offending") && page.contains("touched")
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
        assert!(dom.contains("Step 1 of 14") && dom.contains("\u{2717} offending"));
    }
}

#[test]
fn results_are_what_jenkins_takes() {
    let one = export(HOSTILE, ExportKind::Junit);
    let whole =
        String::from_utf8(export_campaign(&campaign(HOSTILE), ExportKind::Junit, &mut no_progress).unwrap())
            .unwrap();
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
