//! Handles questions for files, asked by the platform's dialog or, without one, by a chooser in the window, and commands
//! about the window itself.

use std::path::PathBuf;

use super::dialogs::Chosen;
use super::first_steps::{show_first_steps, tick_off};
use super::messages::fade;
use super::{ChooserCommand, FileChooser, HOME_FOLDER, Looked, WindowCommand, WindowState};
use crate::command::{Asking, Command, DocumentCommand, FileCommand, FilePurpose, FileQuestion};
use crate::disk::Job;
use crate::effect::Effect;
use crate::fuzz::{SeedChoice, begin_with};
use crate::phone::install_on;
use crate::replay::export_to;
use crate::specs::run_document;
use crate::state::{Settings, StudioState};

/// What is known of the platform's file dialog.
pub(crate) enum DialogNews {
    /// It was answered, or could not be shown.
    Chosen(Chosen),
    /// It has been open for so long that it may never have been shown.
    Slow,
}

/// Executes a command about the question for a file: asks, takes the answer, or cancels.
pub(crate) fn run_file(state: &mut StudioState, command: FileCommand) -> Vec<Effect> {
    match command {
        FileCommand::Ask(question) => ask_for_file(state, *question),
        FileCommand::Here => match state.asking.take() {
            Some(asking) => choose_here(state, asking.question),
            None => Vec::new(),
        },
        FileCommand::Chosen(purpose, path) => {
            let mut effects = end_question(state);
            state.settings.been_at(&path);
            effects.extend(chosen(state, purpose, path));
            effects
        }
        FileCommand::Cancel => end_question(state),
        FileCommand::Chooser(command) => run_chooser(state, command),
    }
}

/// Asks for a file: with the platform's dialog, unless the person prefers the window's own chooser.
pub(crate) fn ask_for_file(state: &mut StudioState, question: FileQuestion) -> Vec<Effect> {
    if state.asking.is_some() || state.chooser.is_some() {
        state.notify_failure("Answer the open question for a file first.");
        return Vec::new();
    }
    if state.settings.own_dialogs {
        return choose_here(state, question);
    }
    let folder = state.settings.recent_folders.first().cloned();
    state.asking = Some(Asking { question: question.clone(), slow: false });
    vec![Effect::OpenDialog(Box::new(question), folder)]
}

fn end_question(state: &mut StudioState) -> Vec<Effect> {
    state.asking = None;
    state.chooser = None;
    vec![Effect::CloseDialog]
}

fn chosen(state: &mut StudioState, purpose: FilePurpose, path: PathBuf) -> Vec<Effect> {
    match purpose {
        FilePurpose::SaveTrace(saved) => vec![Effect::Disk(Job::SaveTrace(path, saved))],
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
        FilePurpose::OpenSpec => run_document(state, DocumentCommand::Open(path)),
        FilePurpose::InstallApp(serial) => install_on(state, serial, path),
        FilePurpose::SaveSpec(id) => run_document(state, DocumentCommand::SaveAs(id, path)),
        FilePurpose::ExportBlocks(id) => run_document(state, DocumentCommand::ExportBlocks(id, path)),
    }
}

fn name_of(path: &std::path::Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Takes the answer of the platform's dialog. If the question was passed to the chooser in the window meanwhile, the
/// first answer counts.
pub(crate) fn take_dialog(state: &mut StudioState, news: DialogNews) -> Vec<Effect> {
    let asked = state.asking.as_ref().map(|asking| &asking.question);
    let question = asked.or(state.chooser.as_ref().map(|chooser| &chooser.question));
    match news {
        DialogNews::Slow => {
            state.asking.iter_mut().for_each(|asking| asking.slow = true);
            Vec::new()
        }
        DialogNews::Chosen(Chosen::NoService) => {
            // Asking the desktop again would only cost the same time again.
            state.settings.own_dialogs = true;
            state.notify("This desktop has no file dialogs. From now on, files are chosen in this window.");
            run_file(state, FileCommand::Here)
        }
        DialogNews::Chosen(Chosen::Path(path)) if question.is_some() => answered(state, path),
        DialogNews::Chosen(Chosen::Path(_) | Chosen::Nothing) => {
            state.asking = None;
            Vec::new()
        }
    }
}

/// Uses a path for the open question.
fn answered(state: &mut StudioState, path: PathBuf) -> Vec<Effect> {
    let asked = state.asking.as_ref().map(|asking| &asking.question);
    let question = asked.or(state.chooser.as_ref().map(|chooser| &chooser.question));
    let Some(purpose) = question.map(|question| question.purpose.clone()) else { return Vec::new() };
    run_file(state, FileCommand::Chosen(purpose, path))
}

fn choose_here(state: &mut StudioState, question: FileQuestion) -> Vec<Effect> {
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
        WindowCommand::OwnDialogs(own) => settings.own_dialogs = own,
        WindowCommand::PreferSelector(kind) => settings.preferred_selector = kind,
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

    /// A question for a walk that the platform's dialog is asking.
    fn asking() -> StudioState {
        let mut state = StudioState::default();
        let effects = run_file(&mut state, FileCommand::Ask(Box::new(FileQuestion::walk())));
        assert!(matches!(effects[..], [Effect::OpenDialog(..)]));
        state
    }

    /// The walk that the effects open.
    fn opened(effects: Vec<Effect>) -> Option<PathBuf> {
        effects.into_iter().find_map(|effect| match effect {
            Effect::Then(Event::Command(Command::OpenWalk(folder))) => Some(folder),
            _ => None,
        })
    }

    #[test]
    fn one_question_is_asked_at_a_time() {
        let mut state = asking();
        let second = run_file(&mut state, FileCommand::Ask(Box::new(FileQuestion::specification())));
        assert!(second.is_empty() && state.message.is_some());
        take_dialog(&mut state, DialogNews::Slow);
        assert!(state.asking.as_ref().is_some_and(|asking| asking.slow));
        take_dialog(&mut state, DialogNews::Chosen(Chosen::Nothing));
        assert_eq!(state.asking, None);
    }

    #[test]
    fn without_a_dialog_service_the_window_asks_itself() {
        let mut state = asking();
        let looks = take_dialog(&mut state, DialogNews::Chosen(Chosen::NoService));
        assert!(matches!(looks[..], [Effect::Disk(Job::Look(_))]));
        assert!(state.asking.is_none() && state.chooser.is_some());
        assert!(state.message.take().is_some(), "the person is told");
        run_file(&mut state, FileCommand::Cancel);
        let again = run_file(&mut state, FileCommand::Ask(Box::new(FileQuestion::walk())));
        assert!(matches!(again[..], [Effect::Disk(Job::Look(_))]), "the desktop is not asked again");
        assert_eq!(state.message, None, "the person is told once");
    }

    #[test]
    fn the_first_answer_counts() {
        let mut state = asking();
        // The person passes the question to the chooser, but the dialog was there nevertheless.
        run_file(&mut state, FileCommand::Here);
        let answer = || DialogNews::Chosen(Chosen::Path(PathBuf::from("/walk")));
        assert_eq!(opened(take_dialog(&mut state, answer())), Some(PathBuf::from("/walk")));
        assert_eq!((&state.asking, &state.chooser), (&None, &None));
        assert_eq!(opened(take_dialog(&mut state, answer())), None);
    }
}
