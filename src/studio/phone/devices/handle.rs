//! Handles what has to do with the devices behind adb: their list, the apps on them, and what is done to them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{
    DeviceCheck, DeviceCommand, DeviceLine, DeviceNews, DeviceTask, Devices, Installing, LayoutServer, Reach,
    Search, sentence,
};
use crate::command::FileQuestion;
use crate::effect::Effect;
use crate::phone::PhoneToShow;
use crate::phone::handle::{choose_app, show_phone};
use crate::phone::lending::{is_free, lend};
use crate::state::StudioState;
use taproof_adb::{AppCard, NotEnded, ScreenHolder};
use taproof_campaign::{DeviceChoice, Target};

/// Executes a command about the devices.
pub(crate) fn run_device(state: &mut StudioState, command: DeviceCommand) -> Vec<Effect> {
    match command {
        DeviceCommand::Look => {
            state.devices.search = Search::Looking;
            state.devices.carded.clear();
            vec![watch(state, true)]
        }
        DeviceCommand::GiveUp => vec![Effect::GiveUp],
        DeviceCommand::ListSystemApps(system) => {
            state.devices.system_apps = system;
            run_device(state, DeviceCommand::Look)
        }
        DeviceCommand::TakeOver(serial, holder) => {
            if !is_free(state, &serial) || !state.devices.taking.insert(serial.clone()) {
                return Vec::new();
            }
            vec![DeviceTask::EndHolder(serial, holder).into()]
        }
        DeviceCommand::StartServer(serial) => {
            if !is_free(state, &serial) || state.devices.layout_servers.contains_key(&serial) {
                return Vec::new();
            }
            state.devices.layout_servers.insert(serial.clone(), LayoutServer::Starting);
            state.notify(format!("Starting the uiautomator2 server on {serial}\u{2026}"));
            vec![DeviceTask::StartServer(serial).into()]
        }
        DeviceCommand::ShowPanel(open) => {
            state.devices.panel = open;
            state.devices.reached = None;
            let looks = open && matches!(state.devices.search, Search::Idle | Search::Failed(_));
            if looks { run_device(state, DeviceCommand::Look) } else { Vec::new() }
        }
        DeviceCommand::Reach(what) => {
            if state.devices.reaching.is_some() {
                return Vec::new();
            }
            (state.devices.reaching, state.devices.reached) = (Some(what.clone()), None);
            vec![DeviceTask::Reach(what).into()]
        }
        DeviceCommand::Check(serial) => {
            let device = DeviceChoice::Adb(vec![serial.clone()]);
            // The check changes settings and turns the screen, so the window shows the device again afterwards.
            let Some(mut effects) = lend(state, &device, "check") else { return Vec::new() };
            state.devices.checks.insert(serial.clone(), DeviceCheck::default());
            effects.push(DeviceTask::Check(serial).into());
            effects
        }
        DeviceCommand::Install(serial) => match is_free(state, &serial) {
            true => vec![Effect::ask(FileQuestion::app(serial))],
            false => Vec::new(),
        },
    }
}

/// Watches the devices of the adb server. If none is running, it is started only with `start`.
pub(crate) fn watch(state: &StudioState, start: bool) -> Effect {
    let (system, before) = (state.devices.system_apps, state.devices.list.clone());
    DeviceTask::Watch { start, system, before }.into()
}

/// Installs a file on a device, unless a campaign, a trial or another install uses it.
pub(crate) fn install_on(state: &mut StudioState, serial: String, path: PathBuf) -> Vec<Effect> {
    if !is_free(state, &serial) {
        return Vec::new();
    }
    if state.devices.installing.iter().any(|installing| installing.serial == serial) {
        state.notify_failure(format!(
            "An app is being installed on {serial} already. Wait until it is there."
        ));
        return Vec::new();
    }
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    state.notify(format!("Installing {file} on {serial}\u{2026}"));
    let what = Installing { serial, file };
    state.devices.installing.push(what.clone());
    vec![DeviceTask::Install(what, path).into()]
}

/// Installs a file that was dropped on the window.
pub(crate) fn install_dropped(state: &mut StudioState, path: PathBuf) -> Vec<Effect> {
    match state.devices.for_install(state.settings.target.device.as_deref()) {
        Ok(serial) => install_on(state, serial, path),
        Err(why) => {
            state.notify_failure(why);
            Vec::new()
        }
    }
}

/// Takes what is known of the devices.
pub(crate) fn take_device_news(state: &mut StudioState, news: DeviceNews) -> Vec<Effect> {
    match news {
        DeviceNews::List(search, list) => return take_list(state, search, list),
        DeviceNews::NotWatched(problem) => state.devices.search = Search::Failed(problem),
        DeviceNews::Cards(serial, cards) => {
            state.devices.asked_for_cards.remove(&serial);
            if let Some(cards) = cards {
                let cards: BTreeMap<String, AppCard> =
                    cards.into_iter().map(|card| (card.package.clone(), card)).collect();
                state.devices.cards.insert(serial, cards);
                list_apps(state);
            }
        }
        DeviceNews::Holders(serial, holders) => {
            state.devices.holders.insert(serial, holders);
        }
        DeviceNews::HolderEnded(serial, ended) => return holder_ended(state, &serial, ended),
        DeviceNews::HolderStays(serial, problem) => {
            state.devices.taking.remove(&serial);
            state.notify_failure(format!("{serial} cannot be taken over: {problem}"));
        }
        DeviceNews::ServerRuns(serial) => return server_runs(state, serial),
        DeviceNews::ServerEnded(serial, why) => {
            if state.devices.layout_servers.remove(&serial) == Some(LayoutServer::Starting) {
                let text = format!("The uiautomator2 server was not started on {serial}: {why}.");
                state.notify_failure(text);
            }
        }
        DeviceNews::Reached(what, outcome) => reached(state, &what, outcome),
        DeviceNews::Checked(serial, answer) => {
            state.devices.checks.entry(serial).or_default().answers.push(answer);
        }
        DeviceNews::CheckEnded(serial, ended) => return check_ended(state, &serial, ended),
        DeviceNews::Installed(what, outcome) => return installed(state, what, outcome),
    }
    Vec::new()
}

/// Goes on with what waited for the check of this device, if a campaign can run there.
fn check_ended(state: &mut StudioState, serial: &str, ended: Result<(), String>) -> Vec<Effect> {
    let check = state.devices.checks.entry(serial.to_owned()).or_default();
    check.ended = Some(ended);
    let problem = check.problem();
    if problem.is_none() {
        state.settings.fits(serial);
    }
    let Some((_, then)) = state.after_check.take_if(|(of, _)| of == serial) else { return Vec::new() };
    let Some(problem) = problem else { return vec![Effect::then(*then)] };
    state.devices.panel = true;
    state.notify_failure(format!("The campaign was not started on {serial}: {problem}"));
    Vec::new()
}

/// Lists the apps of the devices anew.
fn list_apps(state: &mut StudioState) {
    state.apps.retain(|app| app.device.is_none());
    state.apps.extend(state.devices.apps());
}

fn take_list(state: &mut StudioState, search: Search, list: Vec<DeviceLine>) -> Vec<Effect> {
    let asked = state.devices.search == Search::Looking;
    let searched = list.iter().any(DeviceLine::is_searched);
    state.devices.search = if asked && searched { Search::Looking } else { search };
    state.devices.list = list;
    list_apps(state);
    let mut effects = ask_for_cards(&mut state.devices);
    if asked && !searched {
        match state.devices.outcome() {
            Ok(text) => state.notify(text),
            Err(text) => state.notify_failure(text),
        }
    }
    // The settings of a device are restored before it is opened.
    if state.mirror.gone
        && state.devices.lent.is_none()
        && state.devices.search == Search::Listening
        && let Some(serial) = state.settings.target.device.as_deref()
        && state.devices.list.iter().any(|it| it.is_examined() && it.serial == serial)
    {
        let text = format!("{serial} is back.");
        state.notify(text);
        effects.push(Effect::Show(PhoneToShow::Again(state.settings.target.clone())));
    }
    effects.extend(choose_installed(state));
    effects
}

/// Asks each device whose list of apps has changed for their labels and icons.
fn ask_for_cards(devices: &mut Devices) -> Vec<Effect> {
    let examined = devices.list.iter().filter(|line| line.is_examined() && !line.packages.is_empty());
    let mut effects = Vec::new();
    for line in examined {
        let asked = devices.carded.get(&line.serial) == Some(&line.packages);
        if !asked && devices.asked_for_cards.insert(line.serial.clone()) {
            devices.carded.insert(line.serial.clone(), line.packages.clone());
            effects.push(DeviceTask::AskForCards(line.serial.clone(), devices.system_apps).into());
        }
    }
    effects
}

/// Opens a device again, if it is the one that is shown.
fn open_again(state: &mut StudioState, serial: &str) -> Vec<Effect> {
    let shown = state.settings.target.device.as_deref() == Some(serial);
    shown.then(|| show_phone(state)).into_iter().collect()
}

fn holder_ended(state: &mut StudioState, serial: &str, ended: Result<ScreenHolder, NotEnded>) -> Vec<Effect> {
    state.devices.taking.remove(serial);
    match ended {
        Ok(holder) => {
            state.devices.holders.remove(serial);
            state.notify(format!("Ended {holder} on {serial}."));
            open_again(state, serial)
        }
        Err(error) => {
            state.notify_failure(format!("{serial} was not taken over: {error}."));
            Vec::new()
        }
    }
}

fn server_runs(state: &mut StudioState, serial: String) -> Vec<Effect> {
    let text = "its layouts come at once, and any text can be typed";
    state.notify(format!("The uiautomator2 server runs on {serial}: {text}."));
    let effects = open_again(state, &serial);
    state.devices.layout_servers.insert(serial, LayoutServer::Runs);
    effects
}

fn reached(state: &mut StudioState, what: &Reach, outcome: Result<(), String>) {
    state.devices.reaching = None;
    let target = what.target();
    state.devices.reached = Some(match (what, outcome) {
        (_, Err(problem)) => Err(sentence(&problem)),
        (Reach::Pair { .. }, Ok(())) => Ok(format!(
            "Paired with {target}. If it is not listed in a moment, connect it by the address under Wireless debugging."
        )),
        (Reach::Connect { .. }, Ok(())) => Ok(format!("{target} is connected.")),
    });
}

fn installed(state: &mut StudioState, what: Installing, outcome: Result<String, String>) -> Vec<Effect> {
    state.devices.installing.retain(|installing| *installing != what);
    let Installing { serial, file } = what;
    match outcome {
        Ok(package) => {
            let name = if package.is_empty() { &file } else { &package };
            state.notify(format!("Installed {name} on {serial}."));
            state.devices.choose_next = Some((serial, package));
            // The list of apps is read again by a new thread.
            vec![watch(state, true)]
        }
        Err(problem) => {
            // A device's message names the device already, and an unreadable file has nothing to do with it.
            state.notify_failure(format!("{file} was not installed: {problem}."));
            Vec::new()
        }
    }
}

/// Chooses an app that was just installed, once its device lists it.
fn choose_installed(state: &mut StudioState) -> Vec<Effect> {
    let Some((serial, package)) = state.devices.choose_next.take() else { return Vec::new() };
    let on_it = |device: &Option<String>| device.as_deref() == Some(serial.as_str());
    match state.apps.iter().any(|app| app.package == package && on_it(&app.device)) {
        true => choose_app(state, Target::installed(package, serial)),
        false => Vec::new(),
    }
}
