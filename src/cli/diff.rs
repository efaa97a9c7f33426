//! `taproof diff`: compares two versions of an app of which there is no specification.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::{Value, json};

use super::devices::{ControlOptions, look_for_devices, tell_left};
use super::initialiser::BeginOptions;
use super::{
    CommandEnd, Failure, Outcome, app_named, bad_input, message, print_json, print_line, read_file,
    watch_interrupt, workspace_path,
};
use taproof_campaign::diff::{DiffKind, DiffPlan, DiffReport, VersionDifference, diff};
use taproof_campaign::{DeviceChoice, InitialisedDevices};
use taproof_engine::device::{AppData, AppId, Build, Device, DeviceError, DeviceSource};
use taproof_engine::worker::CancelToken;
use taproof_phone::Apps;
use taproof_results::report::diff_page;
use taproof_results::store::replace_file;
use taproof_screen::format::manifest_of_apk;
use taproof_screen::{counted, thousands};
use taproof_session::Phones;

/// Compare two versions of an app without a specification, and say what looks like a bug
///
/// The old version is explored, what was done is done on the new one, and what both show is compared. What is the same
/// wherever it occurs was changed on purpose, it seems. What is different only after some events looks like a bug: it is
/// shown after it came again on the new version, and not on the old one.
#[derive(clap::Args)]
pub struct Options {
    /// The APKs of the old version and of the new one, which are installed on a device in turn
    #[arg(value_name = "APK", num_args = 2, requires = "device", required_unless_present = "app")]
    apks: Vec<PathBuf>,
    /// The old version among the bundled apps, by name or package
    #[arg(long, requires = "with", conflicts_with_all = ["apks", "device"])]
    app: Option<String>,
    /// The new version among the bundled apps
    #[arg(long, value_name = "APP", requires = "app")]
    with: Option<String>,
    /// Switch on these catalogued bugs of the new version
    #[arg(long, value_name = "ID,ID", value_delimiter = ',', requires = "app")]
    bugs: Vec<String>,
    /// The serial of a device, as `taproof devices` lists it
    #[arg(long, value_name = "SERIAL", requires = "apks")]
    device: Option<String>,
    #[command(flatten)]
    control: ControlOptions,
    #[command(flatten)]
    begin: BeginOptions,
    /// Events on each version
    #[arg(long, default_value_t = 3_600, value_parser = clap::value_parser!(u64).range(1..))]
    events: u64,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the page with the screens of both versions to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The folder with results, in which the page is if --out is left out
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Both versions, and where they run.
struct Sides {
    apps: [String; 2],
    builds: [Build; 2],
    apks: Option<[Vec<u8>; 2]>,
    device: DeviceChoice,
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let root = workspace_path(options.workspace.as_ref());
    let sides = sides(options, apps)?;
    let mut initialiser = options.begin.first_steps(&root, &sides.apps[0])?;
    options.begin.data.ask(&root, &sides.apps[0], &sides.device, &mut initialiser)?;
    let command = options.begin.command(&root, &sides.apps[0])?;
    let cancel = CancelToken::new();
    let ending = cancel.clone();
    watch_interrupt(move || ending.cancel());
    let installed = Rc::new(Cell::new(sides.apks.is_some().then_some(0)));
    let version = |place: usize| {
        let of = (sides.apps[place].as_str(), &sides.builds[place]);
        let mut phones = Phones::on(apps, of, &sides.device, 0)
            .controlled_by(options.control.method())
            .telling(tell_left())
            .running_before_tests(command.clone());
        phones.unwanted_when(cancel.unwanted());
        let apk = sides.apks.as_ref().map(|apks| (apks[place].as_slice(), &sides.apps));
        Version { phones, place, apk, installed: Rc::clone(&installed) }
    };
    let [mut old, mut new] = [version(0), version(1)];
    let mut old = InitialisedDevices::new(&mut old, &sides.apps[0], initialiser.as_ref());
    let mut new = InitialisedDevices::new(&mut new, &sides.apps[1], initialiser.as_ref());
    let plan = DiffPlan { apps: sides.apps.clone(), events: options.events, seed: options.seed };
    let report = diff(&plan, [&mut old, &mut new], &|| cancel.asked_to_stop(), &mut message)?;
    let names = names(options, &sides);
    let path = options.out.clone().unwrap_or_else(|| root.join(file_name(&sides.apps)));
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let failed = |error| bad_input(format!("cannot make the folder {}: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    replace_file(&path, &diff_page(&report, [&names[0], &names[1]], env!("CARGO_PKG_VERSION")))?;
    if options.json {
        print_json(&as_json(&plan, &report, &path))?;
    } else {
        print(&names, &report, &path)?;
    }
    Ok(match report.bugs().next() {
        _ if report.stopped => CommandEnd::EndedEarly,
        Some(_) => CommandEnd::Found,
        None => CommandEnd::Fine,
    })
}

fn sides(options: &Options, apps: &Apps) -> Result<Sides, Failure> {
    if let ([old, new], Some(serial)) = (options.apks.as_slice(), &options.device) {
        let apks = [read_file(old)?, read_file(new)?];
        if apks[0] == apks[1] {
            let (old, new) = (old.display(), new.display());
            return Err(bad_input(format!("{old} and {new} are the same version: name the new one")));
        }
        let package = |path: &Path, apk: &[u8]| {
            let manifest = manifest_of_apk(apk);
            manifest.map(|it| it.package).map_err(|error| bad_input(format!("{}: {error}", path.display())))
        };
        let apps = [package(old, &apks[0])?, package(new, &apks[1])?];
        let device = DeviceChoice::Adb(vec![serial.clone()]);
        super::devices::install_file(serial, old)?;
        look_for_devices(device.serials(), &apps[0])?;
        return Ok(Sides { apps, builds: [Build::Sound, Build::Sound], apks: Some(apks), device });
    }
    let of = |name: &Option<String>| {
        app_named(apps, name.as_deref().unwrap_or_default()).map(|app| app.manifest().package.to_owned())
    };
    let packages = [of(&options.app)?, of(&options.with)?];
    let build = if options.bugs.is_empty() { Build::Sound } else { Build::Bugs(options.bugs.clone()) };
    let facts = apps.facts(&packages[1]);
    build.check(&packages[1], &facts).map_err(|error| Failure::BadInput(error.into()))?;
    Ok(Sides { apps: packages, builds: [Build::Sound, build], apks: None, device: DeviceChoice::Bundled })
}

/// One version. On a device it is installed when it is needed, in the place of the other one.
struct Version<'v> {
    phones: Phones,
    place: usize,
    apk: Option<(&'v [u8], &'v [String; 2])>,
    /// Which of the two is on the device.
    installed: Rc<Cell<Option<usize>>>,
}

impl DeviceSource for Version<'_> {
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
        let mut device = self.phones.fresh()?;
        if let Some((apk, apps)) = self.apk
            && self.installed.get() != Some(self.place)
        {
            // An older version is not installed over a newer one.
            let other = self.installed.get().map_or(&apps[0], |place| &apps[place]);
            device.uninstall(&AppId(other.clone()), AppData::Clear)?;
            device.install(apk)?;
            self.installed.set(Some(self.place));
        }
        Ok(device)
    }

    fn before_test(&self) -> Option<taproof_engine::device::BeforeTest> {
        self.phones.before_test()
    }
}

/// What people call the versions.
fn names(options: &Options, sides: &Sides) -> [String; 2] {
    let file = |place: usize| options.apks.get(place).map(|path| path.display().to_string());
    let [old, new] = [(&options.app, 0), (&options.with, 1)]
        .map(|(name, place)| name.clone().or_else(|| file(place)).unwrap_or_default());
    let with = match &sides.builds[1] {
        Build::Sound => String::new(),
        build => format!(", {}", build.word()),
    };
    [old, format!("{new}{with}")]
}

/// The name of the page of two packages.
fn file_name(apps: &[String; 2]) -> String {
    format!("diff-{}-{}.html", apps[0], apps[1])
}

fn print(names: &[String; 2], report: &DiffReport, path: &Path) -> Result<(), Failure> {
    let [old, new] = names;
    for kind in DiffKind::ALL {
        let all: Vec<&VersionDifference> = report.of_kind(kind).collect();
        if all.is_empty() {
            continue;
        }
        print_line(&format!("{}: {}", kind.words(), all.len()))?;
        for it in all {
            print_line(&format!("  {} ({})", it.said, counted(it.times, "time")))?;
            if kind == DiffKind::BugLike {
                it.steps.iter().try_for_each(|step| print_line(&format!("    - {step}")))?;
            }
        }
    }
    let bugs = match report.bugs().count() {
        0 => "nothing looks like a bug".to_owned(),
        count => format!("{} like bugs", counted(count, "difference")),
    };
    let [explored, played] = report.tests;
    let [before, after] = report.events.map(thousands);
    print_line(&format!(
        "{old} and {new}: {bugs}; {} in {before} events, {played} of them in {after} events, {} not steady",
        counted(explored, "test"),
        report.unsteady
    ))?;
    message(&format!("wrote {}", path.display()));
    Ok(())
}

fn as_json(plan: &DiffPlan, report: &DiffReport, path: &Path) -> Value {
    let difference = |it: &VersionDifference| json!({ "kind": it.kind.words(), "said": it.said, "steps": it.steps, "times": it.times });
    json!({
        "apps": plan.apps,
        "seed": plan.seed,
        "events": report.events,
        "tests": report.tests,
        "unsteady": report.unsteady,
        "stopped": report.stopped,
        "bugs": report.bugs().count(),
        "differences": report.differences.iter().map(difference).collect::<Vec<_>>(),
        "page": path,
    })
}
