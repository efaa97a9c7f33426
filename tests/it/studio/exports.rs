//! Everything that the window writes for other people, and every dialog left with nothing done.
#![allow(clippy::disallowed_methods)]

use std::path::{Path, PathBuf};

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use taproof_results::report::ExportKind;
use taproof_studio::app::Studio;
use taproof_studio::command::{Command, FileCommand, FileQuestion};
use taproof_studio::phone::KeepCommand;
use taproof_studio::replay::HistoryCommand;
use taproof_studio::shell::{Sheet, WindowCommand};
use taproof_studio::specs::{DocumentCommand, DocumentQuestion};
use taproof_studio::state::{News, RecordView};
use taproof_testing::driver::{ask, click, found_workspace, shown, tap, type_into, wait, window, window_on};

type Window = Harness<'static, Studio>;

/// Opens the first menu called "Export" and picks a kind of file.
fn export(harness: &mut Window, kind: ExportKind) {
    click(harness, "Export");
    click(harness, &format!("{}\u{2026}", kind.label()));
    wait(harness, "the question", 30, |state| state.chooser.is_some());
}

/// Answers the question for a file with nothing, then with a path, and waits for the file.
fn refuse_then_write(harness: &mut Window, kind: ExportKind, path: &Path) -> Vec<u8> {
    export(harness, kind);
    click(harness, "Cancel");
    assert!(harness.state().state.chooser.is_none() && !path.exists());
    export(harness, kind);
    type_into(harness, "Name of the file", path.to_str().unwrap());
    click(harness, "Save");
    let told = format!("Exported to {}", path.display());
    wait(harness, &told, 120, |state| {
        state.message.as_ref().is_some_and(|message| message.text.starts_with(&told))
    });
    std::fs::read(path).unwrap()
}

/// How a file of that kind begins.
fn begins(kind: ExportKind) -> &'static str {
    match kind {
        ExportKind::Html => "<!DOCTYPE html>",
        ExportKind::Markdown => "## ",
        ExportKind::Junit => "<?xml",
        ExportKind::Gif => "GIF89a",
        ExportKind::Uiautomator2 => "#!/usr/bin/env python3",
        ExportKind::Maestro => "#",
        ExportKind::AdbShell => "#!/bin/sh",
    }
}

#[test]
#[ignore = "takes long"]
fn a_finding_becomes_every_kind_of_file() {
    let folder = found_workspace();
    let mut harness = with_finding(folder.path());
    for kind in ExportKind::ALL {
        let path = folder.path().join(format!("finding.{}", kind.extension()));
        let bytes = refuse_then_write(&mut harness, kind, &path);
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(30)]).into_owned();
        assert!(start.starts_with(begins(kind)), "{kind:?}: {start}");
        let message = harness.state().state.message.as_ref().unwrap();
        assert_eq!(message.file.as_ref(), Some(&path));
        assert!(
            harness.query_by_label("Open").is_some() && harness.query_by_label("Show in folder").is_some()
        );
    }
    for (label, told) in [
        ("Copy how to reproduce", "Copied the commands that show it again."),
        ("Copy as Markdown", "Copied as Markdown, its pictures are in a folder."),
    ] {
        click(&mut harness, "Export");
        click(&mut harness, label);
        wait(&mut harness, told, 30, |state| state.message.as_ref().is_some_and(|it| it.text == told));
    }
}

#[test]
fn a_campaign_becomes_a_page_and_test_results() {
    let (mut harness, folder) = window(None);
    wait(&mut harness, "the phone", 60, shown);
    click(&mut harness, "Fuzz");
    type_into(&mut harness, "events", "300");
    click(&mut harness, "Start");
    wait(&mut harness, "the end", 300, |state| state.campaigns.list.first().is_some_and(|it| !it.alive()));
    for kind in ExportKind::ALL.into_iter().filter(|kind| kind.of_campaigns()) {
        let path = folder.path().join(format!("campaign.{}", kind.extension()));
        let bytes = refuse_then_write(&mut harness, kind, &path);
        assert!(bytes.starts_with(begins(kind).as_bytes()), "{kind:?}");
    }
}

/// A window in which a finding is stepped through.
fn with_finding(folder: &Path) -> Window {
    let mut harness = window_on(folder);
    let row = harness.state().state.history.rows()[0].clone();
    ask(&mut harness, Command::History(HistoryCommand::Open(row.key)));
    wait(&mut harness, "the finding", 30, |state| state.replay.is_some());
    harness
}

/// Says where a file goes, so that it is being written.
fn begin(harness: &mut Window, kind: ExportKind, path: &Path) {
    export(harness, kind);
    type_into(harness, "Name of the file", path.to_str().unwrap());
    click(harness, "Save");
    wait(harness, "the export", 30, |state| !state.exports.is_empty());
}

#[test]
#[ignore = "takes long"]
fn an_export_is_cancelled_and_nothing_is_written() {
    let folder = found_workspace();
    let mut harness = with_finding(folder.path());
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let before = files();
    let path = folder.path().join("finding.html");
    begin(&mut harness, ExportKind::Html, &path);
    click(&mut harness, "Cancel the export of finding.html");
    wait(&mut harness, "the end", 60, |state| state.exports.is_empty());
    let told = harness.state().state.message.clone().unwrap();
    assert_eq!(told.text, "The export was cancelled: finding.html was not written.");
    assert_eq!(files(), before, "neither the file nor a part of it is there");
    begin(&mut harness, ExportKind::Html, &path);
    wait(&mut harness, "a picture", 60, |state| {
        state.exports.is_empty() || state.exports[0].pictures.is_some_and(|(done, _)| done > 0)
    });
    wait(&mut harness, "the file", 120, |state| state.exports.is_empty());
    assert!(path.exists(), "it can be written after that");
}

/// What an export writes into before it has its name: a pipe, at which it waits for a reader.
struct Pipe(PathBuf);

impl Pipe {
    fn before(path: &Path) -> Pipe {
        let beside = path.with_extension(format!("html.{}.new", std::process::id()));
        assert!(std::process::Command::new("mkfifo").arg(&beside).status().unwrap().success());
        Pipe(beside)
    }
}

impl Pipe {
    /// A reader comes and goes, which ends a writer that waits for one.
    fn leave(&self) {
        drop(std::fs::OpenOptions::new().read(true).write(true).open(&self.0));
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        self.leave();
    }
}

#[test]
#[ignore = "takes long"]
fn findings_are_kept_while_an_export_is_written() {
    let folder = found_workspace();
    let mut harness = with_finding(folder.path());
    let path = folder.path().join("finding.html");
    let pipe = Pipe::before(&path);
    begin(&mut harness, ExportKind::Html, &path);
    click(&mut harness, "Fuzz");
    type_into(&mut harness, "events", "1500");
    click(&mut harness, "Start");
    wait(&mut harness, "a finding that is kept", 300, |state| {
        state.campaigns.list.first().is_some_and(|campaign| !campaign.found.findings.is_empty())
    });
    assert_eq!(harness.state().state.exports.len(), 1, "the export waits for its pipe");
    // The export may still be on its way to the pipe.
    wait(&mut harness, "the end of the export", 60, |state| {
        pipe.leave();
        state.exports.is_empty()
    });
    assert!(!path.exists(), "a pipe is no file");
}

#[test]
fn a_file_that_cannot_be_written_says_why() {
    let folder = found_workspace();
    let mut harness = with_finding(folder.path());
    export(&mut harness, ExportKind::Html);
    type_into(&mut harness, "Name of the file", "/proc/no such folder/page.html");
    click(&mut harness, "Save");
    wait(&mut harness, "the reason", 60, |state| {
        let chooser = state.chooser.as_ref().is_some_and(|chooser| chooser.problem.is_some());
        chooser || state.message.as_ref().is_some_and(|message| message.kind == News::Failed)
    });
}

/// Escape ends it, and so does its button.
fn left(harness: &mut Window, open: impl Fn(&mut Window), there: impl Fn(&Window) -> bool, button: &str) {
    for by_key in [true, false] {
        open(harness);
        assert!(there(harness), "{button}: it opens");
        if by_key {
            harness.key_press_modifiers(Modifiers::NONE, Key::Escape);
            harness.run_steps(4);
        } else {
            click(harness, button);
        }
        assert!(!there(harness), "{button}: it is gone");
    }
}

#[test]
fn every_dialog_is_left_with_nothing_done() {
    let (mut harness, folder) = window(None);
    wait(&mut harness, "the phone", 60, shown);
    let harness = &mut harness;
    for sheet in [Sheet::Help, Sheet::Preferences, Sheet::Palette] {
        let open = |harness: &mut Window| ask(harness, WindowCommand::Show(Some(sheet)));
        let there = |harness: &Window| harness.state().state.window.sheet.is_some();
        if sheet != Sheet::Palette {
            left(harness, open, there, "Close");
        } else {
            open(harness);
            harness.key_press_modifiers(Modifiers::NONE, Key::Escape);
            harness.run_steps(4);
            assert!(!there(harness));
        }
    }
    for save_as in [false, true] {
        let open = |harness: &mut Window| {
            ask(harness, Command::GoRecord(RecordView::Specification));
            let state = &harness.state().state;
            let id = state.documents.shown(&state.settings.target.app).unwrap().id;
            let order = if save_as { DocumentCommand::AskSaveAs(id) } else { DocumentCommand::AskOpen };
            ask(harness, Command::Document(order));
            wait(harness, "the question", 30, |state| state.chooser.is_some());
        };
        left(harness, open, |harness| harness.state().state.chooser.is_some(), "Cancel");
    }
    let walk = |harness: &mut Window| {
        ask(harness, Command::File(FileCommand::Ask(Box::new(FileQuestion::walk()))));
    };
    left(harness, walk, |harness| harness.state().state.chooser.is_some(), "Cancel");
    documents(harness, folder.path());
    keeping(harness);
}

/// The questions of specifications.
fn documents(harness: &mut Window, folder: &Path) {
    let path = folder.join("dmf_mine.json");
    std::fs::copy("specs/files/dmf_files.json", &path).unwrap();
    ask(harness, Command::Document(DocumentCommand::Open(path.clone())));
    wait(harness, "the document", 30, |state| state.documents.list.iter().any(|it| it.name == "mine"));
    click(harness, "Copy the function");
    let close = |harness: &mut Window| {
        let state = &harness.state().state;
        let id = state.documents.shown(&state.settings.target.app).unwrap().id;
        ask(harness, Command::Document(DocumentCommand::Close(id)));
    };
    let asked = |harness: &Window| {
        matches!(harness.state().state.documents.question, Some(DocumentQuestion::Close(_)))
    };
    left(harness, close, asked, "Cancel");
    let state = &harness.state().state;
    assert!(
        state.documents.shown(&state.settings.target.app).unwrap().unsaved(),
        "nothing was saved or dropped"
    );
}

/// The question of what a regression test demands.
fn keeping(harness: &mut Window) {
    ask(harness, Command::GoRecord(RecordView::Recording));
    let layout = harness.state().state.mirror.layout().unwrap().clone();
    let fab =
        layout.iter().find(|(_, it)| it.resource_id.as_deref() == Some("org.taproof.files:id/sd_main_fab"));
    tap(harness, fab.unwrap().0);
    wait(harness, "the phone", 30, |state| shown(state) && state.mirror.walked.steps.len() == 1);
    let open = |harness: &mut Window| ask(harness, KeepCommand::Test);
    left(harness, open, |harness| harness.state().state.keep.is_some(), "Cancel");
}
