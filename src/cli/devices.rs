//! `taproof devices`: lists what adb sees, and what to do about devices that cannot be used.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Subcommand;

use super::{CommandEnd, Failure, Outcome, bad_input, message, print_json, print_line, read_file};
use taproof_adb::host::{AdbLink, AdbServer, DeviceEntry, Patience};
use taproof_adb::output::DeviceUser;
use taproof_adb::report::report_device;
use taproof_adb::{
    CheckAnswer, ControlMethod, Fitness, ListedApp, ListedApps, NotEnded, ScreenHolder, StartedServer,
    TellLeft, app_cards, check_device, end_screen_holder, install_app, link_to, listed_apps, look_for_app,
    process_lives, put_settings_back, reach_server, server_file, who_controls_screen,
};
use taproof_engine::device::DeviceError;
use taproof_engine::worker::Unwanted;

const PATIENCE: Duration = Duration::from_secs(10);
/// Limit for pairing, in which the device answers several times.
const PAIRING: Duration = Duration::from_secs(30);

/// List the phones and emulators that adb sees, or install an app on one
#[derive(clap::Args)]
pub struct Options {
    /// Connect to a device over the network first, such as 192.168.0.7:5555
    #[arg(long, value_name = "HOST:PORT")]
    connect: Vec<String>,
    /// Pair with a device over Wi-Fi first, by the address and the code that it shows under Wireless debugging
    #[arg(long, num_args = 2, value_names = ["HOST:PORT", "CODE"])]
    pair: Vec<String>,
    /// Print one JSON array
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<DevicesCommand>,
}

#[derive(Subcommand)]
enum DevicesCommand {
    /// Install an app, also over an older version, whose data stay; it gets its permissions
    Install(InstallOptions),
    /// List the apps that somebody installed, by name and package, and say whose they are
    Apps(AppsOptions),
    /// Check whether a device is ready for campaigns, and say what to do where it is not; it is left as it was
    Check(CheckOptions),
    /// Write what a device is asked and answers, without personal data, to a file for an issue
    Report(ReportOptions),
    /// End the program that keeps the agent from controlling the screen
    TakeOver(TakeOverOptions),
}

/// The fastest method by which a device may be controlled.
#[derive(clap::Args)]
pub(super) struct ControlOptions {
    /// The fastest method by which devices may be controlled; where it does not work, the next one is used
    #[arg(long, value_name = "METHOD", value_enum, default_value_t = Control::Agent)]
    control: Control,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Control {
    /// Taproof's own program on the device
    Agent,
    /// A uiautomator2 server that somebody runs there
    Uiautomator2,
    /// Shell commands
    Shell,
}

impl ControlOptions {
    pub(super) fn method(&self) -> ControlMethod {
        match self.control {
            Control::Agent => ControlMethod::Agent,
            Control::Uiautomator2 => ControlMethod::Uiautomator2,
            Control::Shell => ControlMethod::Shell,
        }
    }
}

#[derive(clap::Args)]
struct DeviceOptions {
    /// The device by its serial; otherwise the one in ANDROID_SERIAL, or the only one that is ready
    #[arg(long, value_name = "SERIAL")]
    device: Option<String>,
}

#[derive(clap::Args)]
struct AppsOptions {
    #[command(flatten)]
    device: DeviceOptions,
    /// Also list the apps that came with the device
    #[arg(long)]
    all: bool,
}

#[derive(clap::Args)]
struct CheckOptions {
    /// The device by its serial; otherwise the one in ANDROID_SERIAL, or the only one that is ready
    #[arg(value_name = "SERIAL")]
    device: Option<String>,
    #[command(flatten)]
    control: ControlOptions,
}

#[derive(clap::Args)]
struct ReportOptions {
    #[command(flatten)]
    check: CheckOptions,
    /// The file to write; read it before you pass it on
    #[arg(long, value_name = "FILE", default_value = "device-report.jsonl")]
    output: PathBuf,
    /// Also start this app, whose data stay, and keep the names in it
    #[arg(long, value_name = "PACKAGE")]
    package: Option<String>,
}

#[derive(clap::Args)]
struct TakeOverOptions {
    #[command(flatten)]
    device: DeviceOptions,
    /// The process to end, if several may control the screen
    #[arg(long, value_name = "N")]
    pid: Option<u32>,
}

impl DeviceOptions {
    /// The serial of the chosen device, and a link to it.
    fn link(&self, server: &AdbServer) -> Result<AdbLink, Failure> {
        let named = self.device.clone().or_else(|| std::env::var("ANDROID_SERIAL").ok());
        let serial = match named.filter(|serial| !serial.is_empty()) {
            Some(serial) => serial,
            None => only_one(server)?,
        };
        link_to(server, &serial).map_err(|error| Failure::BadInput(error.into()))
    }
}

#[derive(clap::Args)]
struct InstallOptions {
    /// The app's file
    #[arg(value_name = "FILE.apk")]
    file: PathBuf,
    #[command(flatten)]
    device: DeviceOptions,
}

/// Runs `taproof devices`: lists the devices that adb sees, or does something with one.
pub fn run(options: &Options) -> Outcome {
    let failed = |error: taproof_adb::host::AdbError| Failure::BadInput(error.into());
    let server = reach_server(&|| false).map_err(failed)?;
    let never = || false;
    if let [target, code] = options.pair.as_slice() {
        server.pair(target, code, &Patience::new(PAIRING, &never)).map_err(failed)?;
        message(&format!("paired with {target}"));
    }
    for target in &options.connect {
        server.connect(target, &Patience::new(PATIENCE, &never)).map_err(failed)?;
    }
    match &options.command {
        Some(DevicesCommand::Install(install)) => return install_on(&server, install, options.json),
        Some(DevicesCommand::Apps(chosen)) => {
            return list_apps(&chosen.device.link(&server)?, chosen.all, options.json);
        }
        Some(DevicesCommand::Check(check)) => return check_on(&server, check, options.json),
        Some(DevicesCommand::Report(report)) => return report_on(&server, report, options.json),
        Some(DevicesCommand::TakeOver(what)) => {
            return take_over(&what.device.link(&server)?, what.pid, options.json);
        }
        None => {}
    }
    let devices = server.devices(&Patience::new(PATIENCE, &never)).map_err(failed)?;
    for device in devices.iter().filter(|device| device.state.is_ready()) {
        // Restores settings that a killed program left changed.
        let restored = link_to(&server, &device.serial)
            .map_err(taproof_engine::device::DeviceError::from)
            .and_then(|link| put_settings_back(&link, None, &process_lives, &never));
        match restored {
            Ok(true) => message(&format!(
                "{}: the settings that a killed run had changed are put back",
                device.serial
            )),
            Ok(false) => {}
            Err(error) => message(&format!("{}: {error}", device.serial)),
        }
    }
    if options.json {
        let list: Vec<serde_json::Value> = devices.iter().map(json).collect();
        print_json(&serde_json::json!({ "devices": list }))?;
    } else if devices.is_empty() {
        print_line(
            "No device. Plug in a phone with USB debugging switched on, start an emulator, or run \
             `taproof-lab phone serve`.",
        )?;
    } else {
        devices.iter().try_for_each(|device| print_line(&line(device)))?;
    }
    Ok(CommandEnd::Fine)
}

/// Checks a device. The command ends with 1 if a campaign would not work on it.
fn check_on(server: &AdbServer, options: &CheckOptions, json: bool) -> Outcome {
    let chosen = DeviceOptions { device: options.device.clone() };
    let serial = chosen.link(server)?.serial;
    let unwanted: Unwanted = Arc::new(|| false);
    let mut printed = Ok(());
    let mut print = |answer: &CheckAnswer| {
        if !json && printed.is_ok() {
            printed = print_answer(answer);
        }
    };
    let answers = check_device(server, &serial, options.control.method(), &unwanted, &mut print)?;
    printed?;
    let worst = answers.iter().map(|answer| answer.fitness).max().unwrap_or(Fitness::Good);
    if json {
        let answer = |answer: &CheckAnswer| {
            let CheckAnswer { what, fitness, said, advice } = answer;
            serde_json::json!({ "what": what.word(), "fitness": fitness.word(), "said": said, "advice": advice })
        };
        let answers: Vec<_> = answers.iter().map(answer).collect();
        print_json(
            &serde_json::json!({ "serial": serial, "ready": worst != Fitness::Bad, "checks": answers }),
        )?;
    } else {
        print_line(match worst {
            Fitness::Good => "A campaign can run on it.",
            Fitness::Limited | Fitness::Unknown => "A campaign can run on it, with these limits.",
            Fitness::Bad => "A campaign cannot run on it yet.",
        })?;
    }
    Ok(if worst == Fitness::Bad { CommandEnd::Found } else { CommandEnd::Fine })
}

/// Writes the report of a device.
fn report_on(server: &AdbServer, options: &ReportOptions, json: bool) -> Outcome {
    let ReportOptions { check, output, package } = options;
    let serial = DeviceOptions { device: check.device.clone() }.link(server)?.serial;
    let unwanted: Unwanted = Arc::new(|| false);
    let how = (check.control.method(), package.as_deref());
    let mut tell = |answer: &CheckAnswer| message(&format!("checked: {}", answer.what.word()));
    let report = report_device(server, &serial, how, &unwanted, &mut tell);
    std::fs::write(output, report.to_lines())
        .map_err(|error| bad_input(format!("{} cannot be written: {error}", output.display())))?;
    let (file, questions) = (output.display(), report.asked.len());
    if json {
        print_json(
            &serde_json::json!({ "serial": serial, "file": file.to_string(), "questions": questions }),
        )?;
    } else {
        print_line(&format!(
            "{file} has {}, with placeholders for texts and names: read it, and attach it to an issue.",
            taproof_screen::counted(questions, "question")
        ))?;
    }
    Ok(CommandEnd::Fine)
}

fn print_answer(answer: &CheckAnswer) -> Result<(), Failure> {
    let CheckAnswer { what, fitness, said, advice } = answer;
    print_line(&format!("{:<8} {:<9} {said}", fitness.word(), what.word()))?;
    if advice.is_empty() { Ok(()) } else { print_line(&format!("{:18} {advice}", "")) }
}

fn install_on(server: &AdbServer, options: &InstallOptions, json: bool) -> Outcome {
    let apk = read_file(&options.file)?;
    let link = options.device.link(server)?;
    let (serial, package) = (&link.serial, install_app(&link, &apk, &|| false)?.0);
    if json {
        print_json(&serde_json::json!({ "serial": serial, "installed": package }))?;
    } else {
        let name = if package.is_empty() { options.file.display().to_string() } else { package };
        print_line(&format!("Installed {name} on {serial}."))?;
    }
    Ok(CommandEnd::Fine)
}

/// Installs an APK on the device with this serial. Returns its package, which is empty if the APK does not say it.
pub(super) fn install_file(serial: &str, apk: &Path) -> Result<String, Failure> {
    let apk = read_file(apk)?;
    let server = reach_server(&|| false).map_err(|error| Failure::BadInput(error.into()))?;
    let device = DeviceOptions { device: Some(serial.to_owned()) };
    Ok(install_app(&device.link(&server)?, &apk, &|| false)?.0)
}

/// Prints the apps of all users, by name where the agent can read it.
fn list_apps(link: &AdbLink, all: bool, json: bool) -> Outcome {
    let ListedApps { users, apps, hidden } = listed_apps(link, all, &|| false)?;
    let cards = app_cards(link, all, &|| false).unwrap_or_else(|error| {
        message(&format!("the names of the apps are not known: {error}"));
        Vec::new()
    });
    let label = |app: &ListedApp| {
        let card = cards.iter().find(|card| card.package == app.package);
        card.map_or_else(|| app.package.clone(), |card| card.label.clone())
    };
    if json {
        let app = |app: &ListedApp| {
            let ListedApp { package, system, user } = app;
            serde_json::json!({ "package": package, "label": label(app), "system": system, "user": user })
        };
        print_json(&serde_json::json!({ "apps": apps.iter().map(app).collect::<Vec<_>>() }))?;
        return Ok(CommandEnd::Fine);
    }
    let longest = apps.iter().map(|app| label(app).chars().count()).max().unwrap_or_default();
    for user in &users {
        let own: Vec<&ListedApp> = apps.iter().filter(|app| app.user == user.id).collect();
        if user.id != 0 {
            print_line("")?;
            print_line(&of_other_user(user, own.is_empty(), hidden.contains(&user.id)))?;
        }
        for app in own {
            let system = if app.system { "  (came with the device)" } else { "" };
            print_line(&format!("{:<longest$}  {}{system}", label(app), app.package))?;
        }
    }
    Ok(CommandEnd::Fine)
}

/// What is said before the apps of another user than the owner.
fn of_other_user(user: &DeviceUser, none: bool, hidden: bool) -> String {
    let DeviceUser { id, name, work_profile } = user;
    let kind = if *work_profile { "work profile" } else { "user" };
    let apps = match (hidden, none) {
        (true, _) => "adb may not list its apps.",
        (_, true) => "it has no such apps.",
        _ => {
            "these apps cannot be tested, as the owner's can: to test one, install it for the owner, too \
              (`adb shell cmd package install-existing --user 0 PACKAGE`)."
        }
    };
    format!("User {id} ({kind} {name:?}): {apps}")
}

/// Ends the program that controls the screen: the one in the process `pid`, or the only one.
fn take_over(link: &AdbLink, pid: Option<u32>, json: bool) -> Outcome {
    let holders = who_controls_screen(link, &|| false)?;
    let chosen: Vec<&ScreenHolder> =
        holders.iter().filter(|holder| pid.is_none_or(|pid| holder.pid == pid)).collect();
    let serial = &link.serial;
    let ended = match (chosen.as_slice(), pid) {
        ([], None) => None,
        ([], Some(pid)) => {
            let problem = format!("process {pid} on {serial} is no program that controls the screen");
            return Err(bad_input(problem));
        }
        ([holder], _) => {
            end_screen_holder(link, holder, &|| false).map_err(|error| match error {
                NotEnded::Device(error) => error.into(),
                error => Failure::Broken(error.into()),
            })?;
            Some(*holder)
        }
        (several, _) => {
            let names: Vec<String> = several.iter().map(ToString::to_string).collect();
            let problem = format!("choose one with --pid: {}", names.join(", "));
            return Err(bad_input(problem));
        }
    };
    if json {
        let pid = ended.map(|holder| holder.pid);
        print_json(&serde_json::json!({ "serial": serial, "ended": pid }))?;
    } else {
        print_line(&match ended {
            Some(holder) => format!("Ended {holder} on {serial}."),
            None => format!("No other program controls the screen of {serial}."),
        })?;
    }
    Ok(CommandEnd::Fine)
}

/// The serial of the only device that is ready.
///
/// # Errors
///
/// Fails if no device is ready, or several are.
fn only_one(server: &AdbServer) -> Result<String, Failure> {
    let devices = server
        .devices(&Patience::new(PATIENCE, &|| false))
        .map_err(|error| Failure::BadInput(error.into()))?;
    let ready: Vec<&str> = devices
        .iter()
        .filter(|device| device.state.is_ready())
        .map(|device| device.serial.as_str())
        .collect();
    let problem = match (ready.as_slice(), devices.as_slice()) {
        ([serial], _) => return Ok((*serial).to_owned()),
        ([], []) => "adb sees no device: plug in a phone with USB debugging switched on".to_owned(),
        ([], [first, ..]) => {
            let (state, advice) = (first.state.word(), first.state.advice());
            format!("no device is ready: {} is {state}; {advice}", first.serial)
        }
        (several, _) => {
            format!("several devices are ready; choose one with --device: {}", several.join(", "))
        }
    };
    Err(bad_input(problem))
}

fn line(device: &DeviceEntry) -> String {
    let model = device.model.as_deref().unwrap_or("");
    let state = device.state.word();
    let advice = if device.state.is_ready() { "" } else { device.state.advice() };
    format!("{:<24} {state:<14} {model:<24} {advice}", device.serial).trim_end().to_owned()
}

fn json(device: &DeviceEntry) -> serde_json::Value {
    serde_json::json!({
        "serial": device.serial,
        "state": device.state.word(),
        "ready": device.state.is_ready(),
        "model": device.model,
        "advice": device.state.advice(),
    })
}

/// Checks whether a campaign can begin on these devices: each is connected and ready, and has the app.
pub(super) fn look_for_devices(serials: &[String], app: &str) -> Result<(), Failure> {
    if serials.is_empty() {
        return Ok(());
    }
    let never = || false;
    let failed = |error: taproof_adb::host::AdbError| Failure::Broken(error.into());
    let server = reach_server(&never).map_err(failed)?;
    let devices = server.devices(&Patience::new(PATIENCE, &never)).map_err(failed)?;
    for serial in serials {
        if let Some(problem) = unusable(serial, &devices) {
            return Err(bad_input(problem));
        }
        look_for_app(&link_to(&server, serial).map_err(DeviceError::from)?, app, &never)?;
    }
    Ok(())
}

/// Why a device cannot be used, and what to do about it; `None` if it can.
fn unusable(serial: &str, devices: &[DeviceEntry]) -> Option<String> {
    let Some(device) = devices.iter().find(|device| device.serial == serial) else {
        let there: Vec<&str> = devices.iter().map(|device| device.serial.as_str()).collect();
        let advice = match there.as_slice() {
            [] => "adb sees none: plug one in, start an emulator, or connect one with \
                   `taproof devices --connect HOST:PORT`"
                .to_owned(),
            [one] => format!("there is {one}"),
            there => format!("there are {}", there.join(", ")),
        };
        return Some(format!("no device is called {serial:?}; {advice}"));
    };
    let (state, advice) = (device.state.word(), device.state.advice());
    (!device.state.is_ready()).then(|| format!("{serial} is not ready: it is {state}; {advice}"))
}

/// Prints which app was cleared when its tests have ended.
pub(super) fn tell_left() -> TellLeft {
    Arc::new(|left| message(&left.to_string()))
}

/// Starts the user's uiautomator2 server on those devices on which none runs. The servers end when the returned values
/// are dropped.
pub(super) fn start_servers(serials: &[String]) -> Result<Vec<StartedServer>, Failure> {
    let jar = server_file(&|name| std::env::var(name).ok()).map_err(bad_input)?;
    let server = reach_server(&|| false).map_err(DeviceError::from)?;
    let mut started = Vec::new();
    for serial in serials {
        let link = link_to(&server, serial).map_err(DeviceError::from)?;
        started.extend(StartedServer::start(&link, &jar, &|| false)?);
        message(&format!("the uiautomator2 server runs on {serial}"));
    }
    Ok(started)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_adb::host::DeviceState;

    #[test]
    fn a_device_that_cannot_be_used_is_told_with_what_helps() {
        let entry = |serial: &str, state: DeviceState| DeviceEntry {
            serial: serial.to_owned(),
            state,
            model: None,
            product: None,
            device: None,
            transport_id: None,
        };
        let devices = [entry("a", DeviceState::Device), entry("b", DeviceState::Unauthorized)];
        assert_eq!(unusable("a", &devices), None);
        assert_eq!(unusable("c", &devices).unwrap(), "no device is called \"c\"; there are a, b");
        assert!(unusable("c", &[]).unwrap().contains("adb sees none: plug one in"));
        let unready = unusable("b", &devices).unwrap();
        assert!(unready.starts_with("b is not ready: it is unauthorized; unlock the phone"), "{unready}");
    }
}
