//! Handles questions for files, and commands about the window itself.

use std::path::PathBuf;

use super::first_steps::{show_first_steps, tick_off};
use super::messages::fade;
use super::{ChooserCommand, FileChooser, HOME_FOLDER, Looked, WindowCommand, WindowState};
use crate::command::{Command, DocumentCommand, FileCommand, FilePurpose, FileQuestion};
use crate::disk::Job;
use crate::effect::Effect;
use crate::fuzz::{SeedChoice, begin_with};
use crate::phone::install_on;
use crate::replay::export_to;
use crate::specs::run_document;
use crate::state::{Settings, StudioState};

/// Executes a command about the question for a file: asks, takes the answer, or cancels.
pub(crate) fn run_file(state: &mut StudioState, command: FileCommand) -> Vec<Effect> {
    match command {
        FileCommand::Ask(question) => ask_for_file(state, *question),
        FileCommand::Chosen(purpose, path) => {
            state.chooser = None;
            state.settings.been_at(&path);
            chosen(state, purpose, path)
        }
        FileCommand::Cancel => {
            state.chooser = None;
            Vec::new()
        }
        FileCommand::Chooser(command) => run_chooser(state, command),
    }
}

fn chosen(state: &mut StudioState, purpose: FilePurpose, path: PathBuf) -> Vec<Effect> {
    match purpose {
        FilePurpose::SaveTrace(saved) => vec![Effect::Disk(Job::SaveTrace(path, saved))],
        FilePurpose::SaveGraph(trace) => vec![Effect::Disk(Job::SaveGraph(path, trace))],
        FilePurpose::SavePicture(picture) => vec![Effect::Disk(Job::SavePicture(path, picture))],
        FilePurpose::Export(command) => export_to(state, command, path),
        FilePurpose::SeedWalk | FilePurpose::SeedTrace => {
            let title = name_of(&path);
            begin_with(&mut state.campaigns, SeedChoice { word: path.display().to_string(), title });
            Vec::new()
        }
        FilePurpose::TestRules => {
            let mut form = state.campaigns.form.clone();
            form.add_rules_file(&path);
            state.campaigns.edit_form(form);
            Vec::new()
        }
        FilePurpose::OpenTrace => vec![Effect::Disk(Job::OpenTrace(path))],
        FilePurpose::OpenWalk => vec![Effect::then(Command::OpenWalk(path))],
        FilePurpose::ImportFlow => vec![Effect::then(Command::ImportFlow(path))],
        FilePurpose::OpenSpec => run_document(state, DocumentCommand::Open(path)),
        FilePurpose::InstallApp(serial) => install_on(state, serial, path),
        FilePurpose::SaveSpec(id) => run_document(state, DocumentCommand::SaveAs(id, path)),
        FilePurpose::ExportBlocks(id) => run_document(state, DocumentCommand::ExportBlocks(id, path)),
    }
}

fn name_of(path: &std::path::Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Uses a path for the open question.
fn answered(state: &mut StudioState, path: PathBuf) -> Vec<Effect> {
    let Some(chooser) = &state.chooser else { return Vec::new() };
    let purpose = chooser.question.purpose.clone();
    run_file(state, FileCommand::Chosen(purpose, path))
}

fn ask_for_file(state: &mut StudioState, question: FileQuestion) -> Vec<Effect> {
    if state.chooser.is_some() {
        state.notify_failure("Answer the open question for a file first.");
        return Vec::new();
    }
    let home = std::env::home_dir();
    let here = std::env::current_dir().ok();
    let recent = state.settings.recent_folders.clone();
    let first = recent.first().or(here.as_ref()).or(home.as_ref()).cloned();
    let mut places: Vec<(String, PathBuf)> = Vec::new();
    let named = [(HOME_FOLDER, home), ("Working folder", here), ("Workspace", Some(state.workspace.clone()))];
    for (name, path) in named {
        if let Some(path) = path.and_then(|path| std::path::absolute(path).ok()) {
            places.push((name.to_owned(), path));
        }
    }
    places.extend(recent.into_iter().map(|path| (name_of(&path), path)));
    let chooser = FileChooser::new(question, first.unwrap_or_default(), each_once(places));
    let wanted = look(&chooser);
    state.chooser = Some(chooser);
    wanted
}

/// The places without those whose folder another one before them has.
fn each_once(places: Vec<(String, PathBuf)>) -> Vec<(String, PathBuf)> {
    let mut kept: Vec<(String, PathBuf)> = Vec::new();
    for (name, path) in places {
        if !kept.iter().any(|(_, known)| *known == path) {
            kept.push((name, path));
        }
    }
    kept
}

fn run_chooser(state: &mut StudioState, command: ChooserCommand) -> Vec<Effect> {
    let Some(chooser) = &mut state.chooser else { return Vec::new() };
    match chooser.run(command) {
        Some(path) => answered(state, path),
        None => look(chooser),
    }
}

/// Takes the path that was looked up for the chooser.
pub(crate) fn take_looked(state: &mut StudioState, looked: Looked) -> Vec<Effect> {
    let answer = state.chooser.as_mut().and_then(|chooser| chooser.take(looked));
    answer.map(|path| answered(state, path)).unwrap_or_default()
}

fn look(chooser: &FileChooser) -> Vec<Effect> {
    let wanted = chooser.wants().map(PathBuf::from);
    wanted.map(|path| Effect::Disk(Job::Look(path))).into_iter().collect()
}

/// Does what comes with time: ticks off the first steps, and hides messages.
pub(crate) fn tick(state: &mut StudioState, now: f64) -> Vec<Effect> {
    tick_off(state);
    fade(state, now)
}

/// Executes a command about the window itself.
pub(crate) fn run_window(settings: &mut Settings, window: &mut WindowState, command: WindowCommand) {
    match command {
        WindowCommand::Show(sheet) => window.sheet = sheet,
        WindowCommand::Theme(theme) => settings.theme = theme,
        WindowCommand::Scale(percent) => settings.scale = percent,
        WindowCommand::ReduceMotion(reduce) => settings.reduce_motion = reduce,
        WindowCommand::PreferSelector(kind) => settings.preferred_selector = kind,
        WindowCommand::IssueLink(link) => settings.issue_link = link,
        WindowCommand::FirstSteps(shown) => show_first_steps(settings, shown),
        WindowCommand::Used(action) => settings.used(action),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;

    #[test]
    fn a_folder_is_listed_once_by_its_first_name() {
        let place = |name: &str, path: &str| (name.to_owned(), PathBuf::from(path));
        let places =
            vec![place("Working folder", "/a"), place("Workspace", "/a"), place("b", "/b"), place("a", "/a")];
        assert_eq!(each_once(places), [place("Working folder", "/a"), place("b", "/b")]);
    }

    #[test]
    fn one_question_is_asked_at_a_time_and_answered_once() {
        let mut state = StudioState::default();
        let ask = |question| FileCommand::Ask(Box::new(question));
        let looks = run_file(&mut state, ask(FileQuestion::walk()));
        assert!(matches!(looks[..], [Effect::Disk(Job::Look(_))]));
        let second = run_file(&mut state, ask(FileQuestion::specification()));
        assert!(second.is_empty() && state.message.is_some());
        let opened = answered(&mut state, PathBuf::from("/walk"));
        let [Effect::Then(Event::Command(Command::OpenWalk(folder)))] = &opened[..] else { panic!("a walk") };
        assert_eq!((folder.as_path(), &state.chooser), (std::path::Path::new("/walk"), &None));
        assert!(answered(&mut state, PathBuf::from("/walk")).is_empty());
        run_file(&mut state, ask(FileQuestion::walk()));
        run_file(&mut state, FileCommand::Cancel);
        assert_eq!(state.chooser, None);
    }
}
