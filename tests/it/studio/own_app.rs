//! An app that is written outside, given to the window: the one of the example.

use crate::studio::example;

use taproof_campaign::Target;
use taproof_engine::device::Build;
use taproof_phone::Apps;
use taproof_studio::command::Command;
use taproof_testing::driver::{ask, click, shown, type_into, wait, window_with};

#[test]
fn an_app_of_ones_own_is_fuzzed_by_its_own_specification() {
    let app = example::todo();
    let package = app.manifest().package;
    let (mut hand, _folder) = window_with(None, Apps::with([app]).unwrap());
    wait(&mut hand, "the phone", 60, shown);
    let entry = hand.state().state.app(package).unwrap();
    assert_eq!((&*entry.label, &*entry.short_name, entry.dmfs), ("To-do", "todo", 3));
    ask(&mut hand, Command::UseApp(Target::bundled(package, Build::Faulty)));
    wait(&mut hand, "the app", 60, |state| {
        shown(state) && state.mirror.layout().is_some_and(|layout| layout.package() == package)
    });
    click(&mut hand, "Fuzz");
    type_into(&mut hand, "events", "1,000");
    click(&mut hand, "Start");
    wait(&mut hand, "the end", 120, |state| state.campaigns.list.first().is_some_and(|it| !it.alive()));
    let findings = &hand.state().state.campaigns.list[0].found.findings;
    assert!(findings.iter().any(|found| found.title.starts_with("delete item")), "its bug is found");
}
